/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the engine's rooms do with images beyond wavefront.h: checking them, and
 * passing between the views of the caller and the packed pixels of a variant.
 */

#pragma once

#include "run.h"

/**
 * WfShape:
 *
 * The size of packed pixels; a pixel's linear index is (z * height + y) * width + x.
 */
typedef struct
{
  gint64 width;
  gint64 height;
  gint64 depth;
} WfShape;

static inline gint64
wf_shape_n_pixels (const WfShape *shape)
{
  return shape->width * shape->height * shape->depth;
}

/* Where a pixel of a view lies, in pixels from its first; steps may be negative. */
static inline gint64
wf_image_offset (const WfImage *image,
                 gint64         x,
                 gint64         y,
                 gint64         z)
{
  return z * image->slice_stride + y * image->row_stride + x;
}

/* The same for the first pixel of row number @row, counted through all slices. */
static inline gint64
wf_image_row_offset (const WfImage *image,
                     gint64         row)
{
  return wf_image_offset (image, 0, row % image->height, row / image->height);
}

static inline gpointer
wf_image_row (const WfImage *image,
              gint64         row)
{
  return (char *) image->data + wf_image_row_offset (image, row) * wf_type_size (image->type);
}

/* Of what is asked about an image before it is there: its type and size, packed. */
static inline WfImage
wf_image_without_pixels (WfType         type,
                         const WfShape *shape)
{
  static char no_pixels;

  return (WfImage) { .type = type, .width = shape->width, .height = shape->height,
                     .depth = shape->depth, .row_stride = shape->width,
                     .slice_stride = shape->width * shape->height, .data = &no_pixels };
}

/* From so many on, threads save more time in a pass over the pixels than they take to begin and to
 * wait for each other.
 */
#define WF_MANY_PIXELS (512 * 512)

static inline gboolean
wf_image_is_large (const WfImage *image)
{
  return image->width * image->height * image->depth >= WF_MANY_PIXELS;
}

void      wf_foreground_mark_row   (const WfImage  *image,
                                    gconstpointer   levels,
                                    double          threshold,
                                    gboolean        above,
                                    guint8         *marks);

WfShape   wf_image_shape           (const WfImage  *image);
gboolean  wf_image_check           (const WfImage  *image,
                                    const char     *what,
                                    GError        **error);
gboolean  wf_image_check_view      (const WfImage  *image,
                                    const char     *what,
                                    GError        **error);
gboolean  wf_image_check_pixel_stride
                                   (const WfImage  *image,
                                    const char     *what,
                                    GError        **error);
gboolean  wf_image_check_host      (const WfImage  *image,
                                    const char     *what,
                                    GError        **error);
gboolean  wf_image_check_work_type (const WfImage  *image,
                                    const char     *what,
                                    GError        **error);
gboolean  wf_image_check_type      (const WfImage  *image,
                                    WfType          type,
                                    const char     *what,
                                    GError        **error);
gboolean  wf_image_check_size      (const WfImage  *image,
                                    const char     *what,
                                    const WfImage  *model,
                                    const char     *model_what,
                                    GError        **error);
gboolean  wf_image_check_labels    (const WfImage  *image,
                                    const WfImage  *labels,
                                    GError        **error);
gboolean  wf_row_has_nan           (const float    *row,
                                    gint64          width);
gboolean  wf_image_find_nan        (const WfImage  *image,
                                    WfRun          *run,
                                    gint64         *row,
                                    GError        **error);
gboolean  wf_image_check_nan       (const WfImage  *image,
                                    const char     *what,
                                    WfRun          *run,
                                    GError        **error);
gboolean  wf_image_check_marker_type (const WfImage *markers,
                                    GError        **error);
gboolean  wf_image_check_marked    (const WfImage  *markers,
                                    GError        **error);
gboolean  wf_connectivity_resolve  (int             connectivity,
                                    const WfShape  *shape,
                                    int            *resolved,
                                    GError        **error);

gboolean  wf_refuse_memory         (double          bytes,
                                    GError        **error);
gpointer  wf_allocate              (gint64          n,
                                    gsize           size,
                                    GError        **error);
gpointer  wf_allocate_zeroed       (gint64          n,
                                    gsize           size,
                                    GError        **error);
gboolean  wf_image_allocate_like   (const WfImage  *model,
                                    WfImage        *view,
                                    gpointer       *memory,
                                    GError        **error);
gsize     wf_image_extent          (const WfImage  *image);
gboolean  wf_image_overlaps        (const WfImage  *image,
                                    const WfImage  *other);
gboolean  wf_image_is_same_view    (const WfImage  *image,
                                    const WfImage  *other);
gboolean  wf_image_is_packed       (const WfImage  *image);
gboolean  wf_image_pack            (const WfImage  *image,
                                    gconstpointer  *packed,
                                    gpointer       *copy,
                                    GError        **error);
void      wf_image_unpack          (WfImage        *image,
                                    gconstpointer   packed,
                                    const WfRun    *run);
