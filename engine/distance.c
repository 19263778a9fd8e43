/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps.
 *
 * For each foreground pixel p the distance to the nearest background pixel, for
 * each background pixel 0.  With (dx, dy, dz) the steps from p to a background
 * pixel and (sx, sy, sz) the spacing, the distance is
 *
 *   Euclidean     sqrt (d²) with d² = (dx sx)² + ((dy sy)² + (dz sz)²)
 *   squared       d²
 *   city block    |dx| sx + (|dy| sy + |dz| sz)
 *   chessboard    max (|dx| sx, |dy| sy, |dz| sz)
 *
 * in integers where every spacing is 1, otherwise in double precision with each
 * product and each sum rounded once.  Only the result is rounded to single
 * precision, so the map is exact.  The nearest pixel is the one with the smallest
 * (distance, x, y, z), with the distance before that last rounding.
 *
 * The outside of the image may count as background; its pixels then take part
 * with their coordinates, −1 and width along x, and so on; along z in stacks only.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "context.h"
#include "operations.h"


/*  Foreground  */

#define IS_FOREGROUND(pixel, threshold) \
  (isnan (threshold) ? (pixel) != 0 : (double) (pixel) > (threshold))

#define MARK_ROW(type) \
  for (gint64 x = 0; x < image->width; x++) \
    foreground[x] = IS_FOREGROUND (((const type *) image->data)[first + x], threshold)

static void
mark_row (const WfImage *image,
          gint64         first,
          double         threshold,
          guint8        *foreground)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      MARK_ROW (guint8);
      break;
    case WF_TYPE_U16:
      MARK_ROW (guint16);
      break;
    default:
      MARK_ROW (float);
      break;
    }
}

static void
mark_foreground (const WfImage *image,
                 double         threshold,
                 guint8        *foreground)
{
  for (gint64 z = 0; z < image->depth; z++)
    for (gint64 y = 0; y < image->height; y++, foreground += image->width)
      mark_row (image, z * image->slice_stride + y * image->row_stride, threshold, foreground);
}


/*  The operation  */

static gboolean
counts_whole_pixels (const WfDistanceOptions *options)
{
  return options->spacing[0] == 1 && options->spacing[1] == 1 && options->spacing[2] == 1;
}

/**
 * wf_distance_get_type:
 * @options: (nullable): options of a distance map
 *
 * Returns: the type that wf_distance() writes with these options: f32; for
 *   squared distances u64, or f64 if a spacing is not 1.
 */
WfType
wf_distance_get_type (const WfDistanceOptions *options)
{
  if (! options || options->metric != WF_METRIC_SQUARED)
    return WF_TYPE_F32;
  return counts_whole_pixels (options) ? WF_TYPE_U64 : WF_TYPE_F64;
}

static gboolean
check_images (const WfImage            *image,
              const WfImage            *out,
              const WfImage            *nearest,
              const WfDistanceOptions  *options,
              GError                  **error)
{
  if (! wf_image_check (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error))
    return FALSE;
  if (! out && ! nearest)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("Neither distances nor nearest pixels are asked for."));
      return FALSE;
    }
  if (out && (! wf_image_check (out, _("distance map"), error) ||
              ! wf_image_check_type (out, wf_distance_get_type (options),
                                     _("distance map"), error) ||
              ! wf_image_check_size (out, _("distance map"), image, _("image"), error)))
    return FALSE;
  if (nearest && (! wf_image_check (nearest, _("map of nearest pixels"), error) ||
                  ! wf_image_check_type (nearest, WF_TYPE_U64,
                                         _("map of nearest pixels"), error) ||
                  ! wf_image_check_size (nearest, _("map of nearest pixels"),
                                         image, _("image"), error)))
    return FALSE;
  return wf_image_check_nan (image, _("image"), error);
}

static gboolean
make_task (WfDistanceTask           *task,
           const WfImage            *image,
           gboolean                  wants_out,
           gboolean                  wants_nearest,
           const WfDistanceOptions  *options,
           GError                  **error)
{
  *task = (WfDistanceTask) {
    .shape             = wf_image_shape (image),
    .metric            = options->metric,
    .border_background = options->border_background,
    .exact_integers    = counts_whole_pixels (options),
    .spacing           = { options->spacing[0], options->spacing[1], options->spacing[2] },
    .out_type          = wf_distance_get_type (options),
    .wants_out         = wants_out,
    .wants_nearest     = wants_nearest,
  };
  return wf_connectivity_resolve (options->connectivity, &task->shape, &task->connectivity, error);
}

static guint64
count_front_memory (const WfDistanceTask *task)
{
  guint64 bytes = 1;

  if (task->wants_out)
    bytes += wf_type_size (task->out_type);
  if (task->wants_nearest)
    bytes += sizeof (guint64);
  return bytes * wf_shape_n_pixels (&task->shape);
}

static gboolean
has_background (const WfDistanceTask *task)
{
  return task->border_background ||
         memchr (task->foreground, 0, wf_shape_n_pixels (&task->shape)) != NULL;
}

/**
 * wf_distance:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; NaN is refused
 * @out: (nullable): the distances, size of @image, type wf_distance_get_type()
 * @nearest: (nullable): linear indices, (z × height + y) × width + x, of the
 *   nearest background pixels, u64, size of @image; a background pixel has its
 *   own; %WF_NEAREST_NONE where the nearest lies outside or there is none.
 *   One of @out and @nearest may be %NULL.
 * @options: (nullable): metric, threshold, spacing, …
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Distance from each foreground pixel to the nearest background pixel; see the
 * top of engine/distance.c for the definition.  Without any background every
 * distance is +infinity (%G_MAXUINT64 in u64), and the context's report says so.
 *
 * Time: linear in the pixels with unit spacing; with another spacing, and for the
 * nearest pixels of the chessboard metric, also proportional to the distances
 * (`envelope`).  Memory: the outputs once more, 1 byte a pixel for the foreground,
 * 8 bytes a pixel for the transform, and with @nearest 4 or 8 bytes a pixel for
 * each dimension.
 *
 * Source: Meijster, Roerdink and Hesselink, A general algorithm for computing
 * distance transforms in linear time, ISMM 2000.
 *
 * Returns: %FALSE with @error set; then @out and @nearest are as they were.
 */
gboolean
wf_distance (WfContext                *context,
             const WfImage            *image,
             WfImage                  *out,
             WfImage                  *nearest,
             const WfDistanceOptions  *options,
             GError                  **error)
{
  g_autoptr (WfContext)  own        = NULL;
  g_autofree guint8     *foreground = NULL;
  g_autofree gpointer    distances  = NULL;
  g_autofree guint64    *indices    = NULL;
  WfDistanceOptions      defaults;
  WfDistanceTask         task;
  WfPlan                 plan;
  gint64                 n;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &defaults);
  if (! options)
    options = &defaults;
  if (! wf_option_group_check (wf_operation_get_options (WF_OPERATION_DISTANCE), options, error) ||
      ! check_images (image, out, nearest, options, error) ||
      ! make_task (&task, image, out != NULL, nearest != NULL, options, error))
    return FALSE;

  own = wf_context_ensure (context);
  n   = wf_image_n_pixels (image);
  if (! wf_context_plan (own, WF_OPERATION_DISTANCE, options->algorithm, &task, n,
                         count_front_memory (&task), &plan, error) ||
      ! (foreground = wf_allocate (n, 1, error)) ||
      (out && ! (distances = wf_allocate (n, wf_type_size (task.out_type), error))) ||
      (nearest && ! (indices = wf_allocate (n, sizeof (guint64), error))))
    return FALSE;

  mark_foreground (image, options->threshold, foreground);
  task.foreground = foreground;
  task.out        = distances;
  task.nearest    = indices;
  if (! wf_context_run (own, WF_OPERATION_DISTANCE, &plan, &task, error))
    return FALSE;

  if (! has_background (&task))
    wf_context_set_no_background (own, _("The image has no background pixel: "
                                         "every distance is infinite."));
  if (out)
    wf_image_unpack (out, distances);
  if (nearest)
    wf_image_unpack (nearest, indices);
  return TRUE;
}

gboolean
wf_distance_estimate (const WfImage            *image,
                      const WfDistanceOptions  *options,
                      guint64                  *bytes,
                      GError                  **error)
{
  WfDistanceOptions defaults;
  WfDistanceTask    task;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &defaults);
  if (! options)
    options = &defaults;
  if (! wf_option_group_check (wf_operation_get_options (WF_OPERATION_DISTANCE), options, error) ||
      ! wf_image_check (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! make_task (&task, image, TRUE, TRUE, options, error))
    return FALSE;

  return wf_context_estimate (WF_OPERATION_DISTANCE, options->algorithm, &task,
                              count_front_memory (&task), bytes, error);
}
