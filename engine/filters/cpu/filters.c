/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters on the CPU, and the filtered image that a watershed floods.  gaussian.c
 * smooths; the gradient is a dilation less an erosion, which are
 * engine/morphology/cpu/structuring-element.c.
 *
 * Results are made in memory of their own and copied to the output at the end.  If partial
 * outputs are allowed and the output is not the image, they are made in the output.
 */

#include "config.h"

#include "engine/cpu/cpu.h"
#include "filters.h"
#include "engine/morphology/cpu/pixels.h"
#include "engine/morphology/cpu/structuring-element.h"

/* The share of each of the two windows in the work of a gradient, and of the gradient in
 * that of a filtered image.
 */
#define SHARE_OF_WINDOW   0.45
#define SHARE_OF_GRADIENT 0.5


static guint64
image_bytes (const WfImage *image)
{
  return (guint64) wf_image_n_pixels (image) * wf_type_size (image->type);
}


/*  The gradient  */

typedef struct
{
  const WfPixelSteps *steps;
  const WfImage      *lowest;
  WfImage            *target;     /* first holds the dilation */
} Difference;

static gboolean
differ_row (gpointer data,
            WfRow    row)
{
  const Difference *difference = data;
  gpointer          target     = wf_image_row (difference->target, row.number);

  difference->steps->differ (target, wf_image_row (difference->lowest, row.number),
                             difference->target->width, target);
  return TRUE;
}

static gboolean
differ (const WfImage  *lowest,
        WfImage        *target,
        WfRun          *run,
        double          share,
        GError        **error)
{
  const WfRows rows       = { .n = target->height * target->depth, .amount = target->width };
  Difference   difference = { wf_pixel_steps (target->type), lowest, target };

  wf_run_begin (run, share, rows.n * rows.amount);
  return wf_run_rows (run, &rows, differ_row, &difference, error);
}

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
  WfElementTask       task   = { .image = image, .target = target, .element = element,
                                 .radius = radius, .dilation = TRUE };

  if (! wf_image_allocate_like (image, &lowest, &memory, error) ||
      ! wf_cpu_element (&task, run, share * SHARE_OF_WINDOW, error))
    return FALSE;

  task.target   = &lowest;
  task.dilation = FALSE;
  return wf_cpu_element (&task, run, share * SHARE_OF_WINDOW, error) &&
         differ (&lowest, target, run, share * (1 - 2 * SHARE_OF_WINDOW), error);
}

guint64
wf_cpu_gradient_memory (const WfImage *image,
                        WfElement      element,
                        gint64         radius)
{
  const WfElementTask task = { .image = image, .element = element, .radius = radius };

  return image_bytes (image) + wf_cpu_element_memory (&task);
}


/*  Erosion and dilation  */

static WfElementTask
element_of (const WfFilterTask *task,
            WfImage            *target)
{
  return (WfElementTask) {
    .image          = task->image,
    .target         = target,
    .element        = task->element,
    .radius         = task->radius,
    .dilation       = task->operation == WF_OPERATION_DILATION,
    .angle          = task->angle,
    .positive_zeros = TRUE,
  };
}

gboolean
wf_cpu_erosion (const WfFilterTask  *task,
                WfImage             *target,
                WfRun               *run,
                GError             **error)
{
  const WfElementTask element = element_of (task, target);

  return wf_cpu_element (&element, run, 1.0, error);
}

guint64
wf_cpu_erosion_memory (const WfFilterTask *task)
{
  const WfElementTask element = element_of (task, NULL);

  return wf_cpu_element_memory (&element);
}

/* How many rows, of a stack slices, beside a pixel its level depends on. */
gint64
wf_cpu_erosion_margin (const WfFilterTask *task)
{
  const WfElementTask element = element_of (task, NULL);
  const WfLine        line    = wf_element_line (&element);

  if (task->element != WF_ELEMENT_LINE)
    return task->radius;
  return task->shape.depth > 1 ? 0 : ABS (wf_line_y (&line, line.reach));
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
wf_cpu_relief_memory (const WfWatershedTask *task)
{
  const WfImage *image     = task->image;
  const guint64  between   = task->smoothing && task->gradient > 0 ? image_bytes (image) : 0;
  const guint64  smoothing = task->smoothing ? wf_cpu_gaussian_memory (image, task->smoothing)
                                             : 0;
  const guint64  gradient  = task->gradient > 0
                             ? wf_cpu_gradient_memory (image, WF_ELEMENT_SQUARE, task->gradient)
                             : 0;

  return between + MAX (smoothing, gradient);
}


/*  The variants  */

static gboolean
apply (const WfFilterTask  *task,
       WfImage             *target,
       WfRun               *run,
       GError             **error)
{
  switch (task->operation)
    {
    case WF_OPERATION_GAUSSIAN:
      return wf_cpu_gaussian (task->image, task->gaussian, target, run, 1.0, error);
    case WF_OPERATION_GRADIENT:
      return wf_cpu_gradient (task->image, task->element, task->radius, target, run, 1.0, error);
    default:
      return wf_cpu_erosion (task, target, run, error);
    }
}

static gboolean
run_filter (gconstpointer   data,
            WfRun          *run,
            GError        **error)
{
  const WfFilterTask  *task   = data;
  g_autofree gpointer  memory = NULL;
  WfImage              result = *task->out;

  if (run->partial_outputs && ! wf_image_overlaps (task->out, task->image))
    return apply (task, &result, run, error);
  if (! wf_image_allocate_like (task->image, &result, &memory, error) ||
      ! apply (task, &result, run, error))
    return FALSE;

  wf_run_commit (run);
  wf_image_unpack (task->out, memory, run);
  return TRUE;
}

static guint64
gaussian_memory (gconstpointer data)
{
  const WfFilterTask *task = data;

  return image_bytes (task->image) + wf_cpu_gaussian_memory (task->image, task->gaussian);
}

static guint64
gradient_memory (gconstpointer data)
{
  const WfFilterTask *task = data;

  return image_bytes (task->image)
         + wf_cpu_gradient_memory (task->image, task->element, task->radius);
}

static guint64
erosion_memory (gconstpointer data)
{
  const WfFilterTask *task = data;

  return image_bytes (task->image) + wf_cpu_erosion_memory (task);
}

const WfVariant wf_cpu_gaussian_variants[] =
{
  { .algorithm = "separable", .memory = gaussian_memory, .run = run_filter },
  { .algorithm = NULL }
};

const WfVariant wf_cpu_gradient_variants[] =
{
  { .algorithm = "windows", .memory = gradient_memory, .run = run_filter },
  { .algorithm = NULL }
};

const WfVariant wf_cpu_erosion_variants[] =
{
  { .algorithm = "windows", .memory = erosion_memory, .run = run_filter },
  { .algorithm = NULL }
};
