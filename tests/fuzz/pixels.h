/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images for the fuzzer.  Their memory ends with the last pixel, so that the address sanitizer
 * detects accesses beyond it; the bytes between the rows must not change.
 */

#pragma once

#include "bytes.h"
#include "wavefront.h"

G_BEGIN_DECLS

#define FUZZ_MOST_PIXELS 3000

typedef struct
{
  gint64 width;
  gint64 height;
  gint64 depth;
} FuzzSize;

/**
 * FuzzImage:
 * @view: the pixels; no data if the image does not exist
 * @n_bytes: size of the memory
 * @copy: copy of the memory made by fuzz_image_remember()
 */
typedef struct
{
  WfImage  view;
  gsize    n_bytes;
  guint8  *copy;
} FuzzImage;

void     fuzz_size               (FuzzSize        *size,
                                  FuzzBytes       *bytes);
void     fuzz_image_init         (FuzzImage       *image,
                                  WfType           type,
                                  const FuzzSize  *size,
                                  FuzzBytes       *strides);
void     fuzz_image_clear        (FuzzImage       *image);
void     fuzz_image_fill         (FuzzImage       *image,
                                  FuzzBytes       *bytes);
void     fuzz_image_copy         (FuzzImage       *image,
                                  const FuzzImage *from);
void     fuzz_image_remember     (FuzzImage       *image);
gboolean fuzz_image_exists       (const FuzzImage *image);
gboolean fuzz_image_is_untouched (const FuzzImage *image);
gboolean fuzz_image_is_guarded   (const FuzzImage *image);
gboolean fuzz_image_equals       (const FuzzImage *image,
                                  const FuzzImage *other);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FuzzImage, fuzz_image_clear)

G_END_DECLS
