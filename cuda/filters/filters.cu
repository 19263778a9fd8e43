/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters on a GPU: the variants, and the relief, the filtered image that a watershed
 * floods.  The filters themselves are in gaussian.cu and gradient.cu, erosions and dilations in
 * cuda/morphology/: square.cu, rolling-square.cu, disc.cu and small-disc.cu.
 *
 * An opening is made back into the memory of the image, which is no longer needed after the
 * erosion.  A top-hat needs the image until the end: the erosion is made where the result will be,
 * and the opening beside it.
 */

#include "filters.cuh"
#include "cuda/morphology/element.cuh"
#include "cuda/morphology/pixels.cuh"
#include "cuda/core/pixels.cuh"


static gsize
image_bytes (const WfShape *shape,
             WfType         type)
{
  return wf_shape_n_pixels (shape) * wf_type_size (type);
}


/*  The relief of a watershed  */

static WfCudaGaussian
smoothing_of (const WfWatershedTask *task,
              gconstpointer          image,
              gpointer               out)
{
  return { task->shape, task->type, task->smoothing, image, out };
}

static WfCudaGradient
gradient_of (const WfWatershedTask *task,
             gconstpointer          image,
             gpointer               out)
{
  return { task->shape, task->type, WF_ELEMENT_SQUARE, task->gradient, image, out };
}

/* After it @one holds the last result, and @other memory for the next. */
static void
exchange (WfDeviceArray<guint8> *one,
          WfDeviceArray<guint8> *other)
{
  guint8 *data = one->data;

  one->data   = other->data;
  other->data = data;
}

gboolean
wf_cuda_relief (WfCuda                 *cuda,
                const WfWatershedTask  *task,
                WfDeviceArray<guint8>  *image,
                GError                **error)
{
  WfDeviceArray<guint8> other;

  if (! wf_has_relief (task))
    return TRUE;
  if (! other.allocate (cuda, image_bytes (&task->shape, task->type), error))
    return FALSE;
  if (task->smoothing)
    {
      const WfCudaGaussian smoothing = smoothing_of (task, image->data, other.data);

      if (! wf_cuda_gaussian (cuda, &smoothing, error))
        return FALSE;
      exchange (image, &other);
    }
  if (task->gradient > 0)
    {
      const WfCudaGradient gradient = gradient_of (task, image->data, other.data);

      if (! wf_cuda_gradient (cuda, &gradient, error))
        return FALSE;
      exchange (image, &other);
    }
  return TRUE;
}

guint64
wf_cuda_relief_memory (const WfWatershedTask *task)
{
  const WfCudaGaussian smoothing = smoothing_of (task, NULL, NULL);
  const WfCudaGradient gradient  = gradient_of (task, NULL, NULL);

  if (! wf_has_relief (task))
    return 0;
  return image_bytes (&task->shape, task->type)
         + MAX (task->smoothing ? wf_cuda_gaussian_memory (&smoothing) : 0,
                task->gradient > 0 ? wf_cuda_gradient_memory (&gradient) : 0);
}


/*  The variants  */

/* The first step of the task, or of an opening the second. */
static WfCudaElement
element_of (const WfFilterTask *task,
            gboolean            second,
            gconstpointer       image,
            gpointer            out)
{
  return { task->shape, task->type, task->element, task->radius,
           wf_filter_dilates (task->operation) != second, image, out };
}

/* @opened: memory for the opening */
static gboolean
apply_top_hat (WfCuda              *cuda,
               const WfFilterTask  *task,
               gconstpointer        image,
               gpointer             opened,
               gpointer             out,
               GError             **error)
{
  const WfCudaElement first  = element_of (task, FALSE, image, out);
  const WfCudaElement second = element_of (task, TRUE, out, opened);

  return wf_cuda_element (cuda, &first, error) &&
         wf_cuda_element (cuda, &second, error) &&
         wf_cuda_differ (cuda, task->type, wf_shape_n_pixels (&task->shape), image, opened, out,
                         error);
}

/* @between: memory for an opening, whose result may be where the image is, or for a top-hat */
static gboolean
apply_elements (WfCuda              *cuda,
                const WfFilterTask  *task,
                gconstpointer        image,
                gpointer             between,
                gpointer             out,
                GError             **error)
{
  const WfCudaElement alone  = element_of (task, FALSE, image, out);
  const WfCudaElement first  = element_of (task, FALSE, image, between);
  const WfCudaElement second = element_of (task, TRUE, between, out);

  if (! wf_filter_is_opening (task->operation))
    return wf_cuda_element (cuda, &alone, error);
  if (wf_filter_is_top_hat (task->operation))
    return apply_top_hat (cuda, task, image, between, out, error);
  return wf_cuda_element (cuda, &first, error) &&
         wf_cuda_element (cuda, &second, error);
}

static gboolean
apply (WfCuda              *cuda,
       const WfFilterTask  *task,
       gconstpointer        image,
       gpointer             between,
       gpointer             out,
       GError             **error)
{
  const WfCudaGaussian gaussian = { task->shape, task->type, task->gaussian, image, out };
  const WfCudaGradient gradient = { task->shape, task->type, task->element, task->radius, image,
                                    out };

  switch (task->operation)
    {
    case WF_OPERATION_GAUSSIAN:
      return wf_cuda_gaussian (cuda, &gaussian, error);
    case WF_OPERATION_GRADIENT:
      return wf_cuda_gradient (cuda, &gradient, error);
    default:
      return apply_elements (cuda, task, image, between, out, error);
    }
}

static guint64
memory_to_apply (const WfFilterTask *task)
{
  const WfCudaGaussian gaussian = { task->shape, task->type, task->gaussian, NULL, NULL };
  const WfCudaGradient gradient = { task->shape, task->type, task->element, task->radius, NULL,
                                    NULL };
  const WfCudaElement  element  = element_of (task, FALSE, NULL, NULL);

  switch (task->operation)
    {
    case WF_OPERATION_GAUSSIAN:
      return wf_cuda_gaussian_memory (&gaussian);
    case WF_OPERATION_GRADIENT:
      return wf_cuda_gradient_memory (&gradient);
    default:
      return wf_cuda_element_memory (&element);
    }
}

static guint64
memory_of (gconstpointer device,
           gconstpointer data)
{
  const WfFilterTask *task     = (const WfFilterTask *) data;
  const guint64       n_images = wf_filter_is_top_hat (task->operation) ? 3 : 2;

  return n_images * image_bytes (&task->shape, task->type) + memory_to_apply (task);
}

static gboolean
supports_element (gconstpointer data)
{
  return ((const WfFilterTask *) data)->element != WF_ELEMENT_LINE;
}

static gboolean
run_filter (gconstpointer   data,
            WfRun          *run,
            GError        **error)
{
  const WfFilterTask    *task  = (const WfFilterTask *) data;
  const gsize            bytes = image_bytes (&task->shape, task->type);
  const gboolean         opens = wf_filter_is_opening (task->operation);
  WfCudaSession          session;
  WfCudaPixels<guint8>   image;
  WfCudaPixels<guint8>   room;
  WfDeviceArray<guint8>  between;
  guint8                *out;

  wf_run_begin (run, 1.0, 1);
  if (! session.begin (run, error) ||
      ! wf_cuda_check_memory (session.cuda, memory_of (session.cuda, task), error) ||
      (opens && ! between.allocate (session.cuda, bytes, error)) ||
      ! image.take (session.cuda, task->image, _("image"), error))
    return FALSE;
  out = opens && ! wf_filter_is_top_hat (task->operation) ? image.own.data : nullptr;
  if (! out && ! room.make_room (session.cuda, task->out, task->image, bytes, error))
    return FALSE;
  out = out ? out : room.data;

  wf_cuda_time_begin (session.cuda);
  if (! apply (session.cuda, task, image.data, between.data, out, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return wf_cuda_advance (session.cuda, 1, error) &&
         wf_cuda_download (session.cuda, out, task->out, error);
}

const WfVariant wf_cuda_gaussian_variants[] =
{
  { "separable", NULL, NULL, NULL, run_filter, TRUE, memory_of },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

/* Of openings, closings and top-hats, too. */
const WfVariant wf_cuda_erosion_variants[] =
{
  { "windows", supports_element, NULL, NULL, run_filter, TRUE, memory_of },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

const WfVariant wf_cuda_gradient_variants[] =
{
  { "windows", NULL, NULL, NULL, run_filter, TRUE, memory_of },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};
