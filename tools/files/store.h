/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images and contents of files that have a name but no file: what goes from one step of a chain to
 * the next.
 */

#pragma once

#include "color-image.h"
#include "input.h"
#include "wavefront.h"

/* Names in the store begin with it. */
#define STORE_MARK '@'

gboolean     store_open        (const char     *path);
void         store_close       (void);
gboolean     store_is_named    (const char     *path);
void         store_put_file    (const char     *name,
                                const char     *path,
                                const RawSpec  *raw,
                                const Choice   *choice);
void         store_put_image   (const char     *name,
                                WfImage        *image,
                                WfContent       content);
gboolean     store_put_colors  (const char     *name,
                                ColorImage     *image,
                                GError        **error);
void         store_put_bytes   (const char     *name,
                                GBytes         *bytes);
gboolean     store_read        (Input          *input,
                                const char     *name,
                                WfContent       content,
                                GError        **error);
gboolean     store_lend        (Input          *input,
                                const char     *name,
                                WfContent       content);
gboolean     store_lend_colors (ColorImage     *image,
                                const char     *name,
                                GError        **error);
ColorImage * store_find_colors (const char     *name);
gboolean     store_fetch_input (Input          *input,
                                GError        **error);
gboolean     store_fetch_all   (GError        **error);
gboolean     store_find_image  (const char     *name,
                                WfImage       **image,
                                WfContent      *content,
                                GError        **error);
GBytes *     store_find_bytes  (const char     *name);
void         store_drop        (const char     *name);
guint64      store_count_bytes (void);
guint64      store_count_device_bytes
                               (void);
