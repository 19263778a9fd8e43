/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters on the CPU, and the filtered image that a watershed floods.  gaussian.c
 * smooths; the gradient is a dilation less an erosion, which are
 * engine/morphology/cpu/structuring-element.c, and is made of each piece of the dilation.
 *
 * Results are made in memory of their own and copied to the output at the end.  If partial
 * outputs are allowed and the output is not the image, they are made in the output.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/cpu/cpu.h"
#include "engine/filters/gaussian.h"
#include "filters.h"
#include "median.h"
#include "engine/morphology/cpu/small-square.h"
#include "engine/morphology/cpu/structuring-element.h"

/* The share of the gradient in the work of a filtered image. */
#define SHARE_OF_GRADIENT 0.5

/* Bytes of the erosion that an opening keeps for each thread, if that is at least as many of the
 * element's margins: they stay in the cache of the last level, and what is done again for each band
 * takes little time.
 */
#define KEPT_BYTES   (1 << 21)
#define KEPT_MARGINS 8


static guint64
image_bytes (const WfImage *image)
{
  return (guint64) wf_image_n_pixels (image) * wf_type_size (image->type);
}


/*  The gradient  */

gboolean
wf_cpu_gradient (const WfImage  *image,
                 WfElement       element,
                 gint64          radius,
                 WfImage        *target,
                 WfRun          *run,
                 double          share,
                 GError        **error)
{
  g_autofree gpointer memory = NULL;
  WfImage             lowest;
  WfElementTask       task   = { .image = image, .target = &lowest, .element = element,
                                 .radius = radius };

  if (! wf_image_allocate_like (image, &lowest, &memory, error) ||
      ! wf_cpu_element (&task, run, share / 2, error))
    return FALSE;

  task.target       = target;
  task.dilation     = TRUE;
  task.differs_from = &lowest;
  return wf_cpu_element (&task, run, share / 2, error);
}

guint64
wf_cpu_gradient_memory (const WfImage *image,
                        WfElement      element,
                        gint64         radius,
                        guint          n_threads)
{
  const WfElementTask task = { .image = image, .element = element, .radius = radius };

  return image_bytes (image) + wf_cpu_element_memory (&task, n_threads);
}


/*  Erosion and dilation  */

/* @nan: (nullable): set to TRUE if the image holds NaN */
static WfElementTask
element_of (const WfFilterTask *task,
            WfImage            *target,
            gboolean           *nan)
{
  return (WfElementTask) {
    .image    = task->image,
    .target   = target,
    .element  = task->element,
    .radius   = task->radius,
    .dilation = wf_filter_dilates (task->operation),
    .angle    = task->angle,
    .nan      = nan,
  };
}

static gboolean
erode (const WfFilterTask  *task,
       WfImage             *target,
       gboolean            *nan,
       WfRun               *run,
       GError             **error)
{
  const WfElementTask element = element_of (task, target, nan);

  return wf_cpu_element (&element, run, 1.0, error);
}

static guint64
erosion_memory (const WfFilterTask *task,
                guint               n_threads)
{
  const WfElementTask element = element_of (task, NULL, NULL);

  return wf_cpu_element_memory (&element, n_threads);
}

/* How many rows, of a stack slices, beside a pixel its level in an erosion depends on. */
static gint64
erosion_margin (const WfFilterTask *task)
{
  const WfElementTask element = element_of (task, NULL, NULL);
  const WfLine        line    = wf_element_line (&element);

  if (task->element != WF_ELEMENT_LINE)
    return task->radius;
  return task->shape.depth > 1 ? 0 : ABS (wf_line_y (&line, line.reach));
}


/*  Opening, closing and top-hats  */

/* The erosion of an opening is kept in bands of rows, from which the opening is made while they are
 * in the cache: never the whole of it, unless the element is so high.  A band has as many rows more
 * at both ends as the element reaches.  Those that the next band has as well are moved to its
 * begin, so that none is made twice.  In a stack all of it is made first.  With the smallest square
 * both are made at once (small-square.c).  A top-hat is made of each piece of an opening.
 */
typedef struct
{
  WfElementTask erode;
  WfElementTask dilate;
  WfImage       eroded;       /* the rows from first to end */
  gint64        first;
  gint64        end;
  gint64        height;
  gint64        margin;
  gint64        at_once;      /* rows of the result */
} Opening;

static gint64
rows_at_once (const WfFilterTask *task,
              guint               n_threads)
{
  const gint64 row = task->shape.width * (gint64) wf_type_size (task->type);

  if (task->shape.depth > 1)
    return task->shape.height;
  return MIN (MAX (KEPT_BYTES * (gint64) n_threads / row,
                   MAX (1, KEPT_MARGINS * erosion_margin (task))), task->shape.height);
}

static gint64
rows_kept (const WfFilterTask *task,
           guint               n_threads)
{
  return MIN (rows_at_once (task, n_threads) + 2 * erosion_margin (task),
              task->shape.height);
}

/* Makes the erosion up to row @end, and forgets that before row @first. */
static gboolean
erode_up_to (Opening  *opening,
             gint64    first,
             gint64    end,
             WfRun    *run,
             GError  **error)
{
  const gint64  row  = opening->eroded.row_stride * (gint64) wf_type_size (opening->eroded.type);
  char         *kept = opening->eroded.data;
  WfImage       rest = opening->eroded;

  memmove (kept, kept + (first - opening->first) * row, (opening->end - first) * row);
  rest.data                  = kept + (opening->end - first) * row;
  rest.height                = end - opening->end;
  opening->erode.first       = opening->end;
  opening->erode.target      = &rest;
  opening->first             = first;
  opening->end               = end;
  opening->eroded.height     = end - first;
  return rest.height == 0 || wf_cpu_element (&opening->erode, run,
                                             0.5 * rest.height / opening->height, error);
}

/* Makes rows of the result from the erosion.  @image: (nullable): the result is how far the opening
 * is from it
 */
static gboolean
dilate_rows (Opening       *opening,
             const WfImage *image,
             const WfImage *target,
             gint64         y,
             gint64         n,
             WfRun         *run,
             GError       **error)
{
  WfImage rows = *target;
  WfImage from;

  rows.data   = wf_image_row (target, y);
  rows.height = n;
  if (image)
    {
      from                         = *image;
      from.data                    = wf_image_row (image, y);
      from.height                  = n;
      opening->dilate.differs_from = &from;
    }
  opening->dilate.image  = &opening->eroded;
  opening->dilate.first  = y - opening->first;
  opening->dilate.target = &rows;
  return wf_cpu_element (&opening->dilate, run, 0.5 * n / opening->height, error);
}

static gboolean
open_image (const WfFilterTask  *task,
            WfImage             *target,
            gboolean            *nan,
            WfRun               *run,
            GError             **error)
{
  const WfShape       shape  = task->shape;
  const WfImage      *from   = wf_filter_is_top_hat (task->operation) ? task->image : NULL;
  g_autofree gpointer memory = NULL;
  Opening             o      = { .erode = element_of (task, NULL, nan), .height = shape.height };
  WfImage             band   = *task->image;

  o.dilate          = o.erode;
  o.dilate.dilation = ! o.erode.dilation;
  o.dilate.nan      = NULL;
  o.dilate.result_height = shape.height;
  o.dilate.differs_from  = from;
  if (wf_cpu_small_square_suits (&o.erode))
    return wf_cpu_small_square (&o.erode, &o.dilate, target, run, 1.0, error);
  band.height = rows_kept (task, run->n_threads);
  if (! wf_image_allocate_like (&band, &o.eroded, &memory, error))
    return FALSE;
  o.at_once = rows_at_once (task, run->n_threads);
  o.margin  = shape.depth > 1 ? 0 : erosion_margin (task);
  for (gint64 y = 0; y < shape.height; y += o.at_once)
    {
      const gint64 n = MIN (o.at_once, shape.height - y);

      if (! erode_up_to (&o, MAX (y - o.margin, 0), MIN (y + n + o.margin, shape.height), run,
                         error) ||
          ! dilate_rows (&o, from, target, y, n, run, error))
        return FALSE;
    }
  return TRUE;
}

static guint64
opening_memory (const WfFilterTask *task,
                guint               n_threads)
{
  const WfElementTask element = element_of (task, NULL, NULL);
  WfFilterTask        kept    = *task;

  if (wf_cpu_small_square_suits (&element))
    return wf_cpu_small_square_memory (&element) * n_threads;
  kept.shape.height = rows_kept (task, n_threads);
  return erosion_memory (task, n_threads) + (guint64) wf_shape_n_pixels (&kept.shape)
                                            * wf_type_size (task->type);
}


/*  What a watershed floods  */

gboolean
wf_cpu_relief (const WfWatershedTask  *task,
               WfImage                *relief,
               gpointer               *memory,
               WfRun                  *run,
               double                  share,
               GError                **error)
{
  const double        gradients = task->gradient == 0 ? 0
                                  : task->smoothing ? SHARE_OF_GRADIENT * share : share;
  const WfImage      *image     = task->image;
  g_autofree gpointer between   = NULL;
  WfImage             smooth;

  if (! wf_image_allocate_like (image, relief, memory, error))
    return FALSE;
  if (task->smoothing)
    {
      smooth = *relief;
      if (task->gradient > 0 && ! wf_image_allocate_like (image, &smooth, &between, error))
        return FALSE;
      if (! wf_cpu_gaussian (image, task->smoothing, &smooth, run, share - gradients, error))
        return FALSE;
      image = &smooth;
    }
  return task->gradient == 0 ||
         wf_cpu_gradient (image, WF_ELEMENT_SQUARE, task->gradient, relief, run, gradients,
                          error);
}

guint64
wf_cpu_relief_memory (const WfWatershedTask *task,
                      guint                  n_threads)
{
  const WfImage *image     = task->image;
  const guint64  between   = task->smoothing && task->gradient > 0 ? image_bytes (image) : 0;
  const guint64  smoothing = task->smoothing
                             ? wf_cpu_gaussian_memory (image, task->smoothing, n_threads) : 0;
  const guint64  gradient  = task->gradient > 0
                             ? wf_cpu_gradient_memory (image, WF_ELEMENT_SQUARE, task->gradient,
                                                       n_threads)
                             : 0;

  return between + MAX (smoothing, gradient);
}


/*  The variants  */

/* @nan: (nullable): set to TRUE if the image of a median or of an operation by an element, other
 * than a gradient, holds NaN; all others have been looked through for it
 */
static gboolean
apply (const WfFilterTask  *task,
       WfImage             *target,
       gboolean            *nan,
       WfRun               *run,
       GError             **error)
{
  switch (task->operation)
    {
    case WF_OPERATION_GAUSSIAN:
      return wf_cpu_gaussian (task->image, task->gaussian, target, run, 1.0, error);
    case WF_OPERATION_GRADIENT:
      return wf_cpu_gradient (task->image, task->element, task->radius, target, run, 1.0, error);
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
      return open_image (task, target, nan, run, error);
    case WF_OPERATION_MEDIAN:
      return wf_cpu_median (task->image, task->radius, target, nan, run, 1.0, error);
    default:
      return erode (task, target, nan, run, error);
    }
}

/* Filters @task's image, which holds no NaN, into @target, which has its type and size and does not
 * overlap it.
 */
gboolean
wf_cpu_filter (const WfFilterTask  *task,
               WfImage             *target,
               WfRun               *run,
               GError             **error)
{
  return apply (task, target, NULL, run, error);
}

static gboolean
run_filter (gconstpointer   data,
            WfRun          *run,
            GError        **error)
{
  const WfFilterTask  *task   = data;
  g_autofree gpointer  memory = NULL;
  WfImage              result = *task->out;
  gboolean             nan    = FALSE;
  const gboolean       direct = run->partial_outputs &&
                                ! wf_image_overlaps (task->out, task->image);

  if ((! direct && ! wf_image_allocate_like (task->image, &result, &memory, error)) ||
      ! apply (task, &result, &nan, run, error))
    return FALSE;
  if (nan)
    return wf_image_check_nan (task->image, _("image"), run, error);
  if (direct)
    return TRUE;

  wf_run_commit (run);
  wf_image_unpack (task->out, memory, run);
  return TRUE;
}

guint64
wf_cpu_filter_memory (const WfFilterTask *task,
                      guint               n_threads)
{
  switch (task->operation)
    {
    case WF_OPERATION_GAUSSIAN:
      return wf_cpu_gaussian_memory (task->image, task->gaussian, n_threads);
    case WF_OPERATION_GRADIENT:
      return wf_cpu_gradient_memory (task->image, task->element, task->radius, n_threads);
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
      return opening_memory (task, n_threads);
    case WF_OPERATION_MEDIAN:
      return wf_cpu_median_memory (task->image, task->radius, n_threads);
    default:
      return erosion_memory (task, n_threads);
    }
}

/* How many rows, of a stack slices, beside a pixel its level depends on. */
gint64
wf_cpu_filter_margin (const WfFilterTask *task)
{
  switch (task->operation)
    {
    case WF_OPERATION_GAUSSIAN:
      return task->gaussian->radius;
    case WF_OPERATION_GRADIENT:
    case WF_OPERATION_MEDIAN:
      return task->radius;
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
      return 2 * erosion_margin (task);
    default:
      return erosion_margin (task);
    }
}

static guint64
filter_memory (gconstpointer data,
               guint         n_threads)
{
  const WfFilterTask *task = data;

  return image_bytes (task->image) + wf_cpu_filter_memory (task, n_threads);
}

const WfVariant wf_cpu_gaussian_variants[] =
{
  { .algorithm = "separable", .memory = filter_memory, .run = run_filter },
  { .algorithm = NULL }
};

const WfVariant wf_cpu_gradient_variants[] =
{
  { .algorithm = "windows", .memory = filter_memory, .run = run_filter },
  { .algorithm = NULL }
};

const WfVariant wf_cpu_erosion_variants[] =
{
  { .algorithm = "windows", .memory = filter_memory, .run = run_filter, .checks_nan = TRUE },
  { .algorithm = NULL }
};

const WfVariant wf_cpu_opening_variants[] =
{
  { .algorithm = "windows", .memory = filter_memory, .run = run_filter, .checks_nan = TRUE },
  { .algorithm = NULL }
};

const WfVariant wf_cpu_median_variants[] =
{
  { .algorithm = "columns", .memory = filter_memory, .run = run_filter, .checks_nan = TRUE },
  { .algorithm = NULL }
};
