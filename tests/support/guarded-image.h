/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images for tests: pixels in a larger block of memory, contiguous or with strides, between
 * guard bytes that must not change.
 */

#pragma once

#include "tests/reference/reference.h"
#include "wavefront.h"

G_BEGIN_DECLS

typedef struct
{
  WfImage  view;
  guint8  *memory;
  gsize    n_bytes;
} GuardedImage;

GuardedImage * guarded_image_new             (WfType              type,
                                              const RefSize      *size,
                                              gboolean            strided);
void           guarded_image_free            (GuardedImage       *image);
GuardedImage * guarded_image_new_levels      (WfType              type,
                                              const RefSize      *size,
                                              const double       *levels);
GuardedImage * guarded_image_new_labels      (const RefSize      *size,
                                              const guint32      *labels);
void           guarded_image_write           (GuardedImage       *image,
                                              gconstpointer       pixels);
gint64         guarded_image_find_difference (const GuardedImage *image,
                                              gconstpointer       pixels);
void           guarded_image_set_float       (GuardedImage       *image,
                                              gint64              index,
                                              float               value);
guint32        guarded_image_get_label       (const GuardedImage *image,
                                              gint64              index);
void           guarded_image_wipe           (GuardedImage       *image);
gboolean       guarded_image_is_guarded      (const GuardedImage *image);
gboolean       guarded_image_is_untouched    (const GuardedImage *image);
char *         guarded_image_format_pixel    (const GuardedImage *image,
                                              gint64              index);

gpointer       pack_levels                   (WfType              type,
                                              const double       *levels,
                                              gint64              n);
char *         format_packed                 (WfType              type,
                                              gconstpointer       pixels,
                                              gint64              index);
void           append_levels                 (GString            *text,
                                              const char         *title,
                                              const RefSize      *size,
                                              const double       *levels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GuardedImage, guarded_image_free)

G_END_DECLS
