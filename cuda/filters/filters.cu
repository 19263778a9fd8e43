/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters on a GPU: the variants, and the relief, the filtered image that a watershed
 * floods.  The filters themselves are in gaussian.cu and gradient.cu.
 */

#include "filters.cuh"
#include "cuda/core/transfer.cuh"


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

static gboolean
apply (WfCuda              *cuda,
       const WfFilterTask  *task,
       gconstpointer        image,
       gpointer             out,
       GError             **error)
{
  const WfCudaGaussian gaussian = { task->shape, task->type, task->gaussian, image, out };
  const WfCudaGradient gradient = { task->shape, task->type, task->element, task->radius, image,
                                    out };

  return task->operation == WF_OPERATION_GAUSSIAN ? wf_cuda_gaussian (cuda, &gaussian, error)
                                                  : wf_cuda_gradient (cuda, &gradient, error);
}

static guint64
memory_of (gconstpointer device,
           gconstpointer data)
{
  const WfFilterTask  *task     = (const WfFilterTask *) data;
  const WfCudaGaussian gaussian = { task->shape, task->type, task->gaussian, NULL, NULL };
  const WfCudaGradient gradient = { task->shape, task->type, task->element, task->radius, NULL,
                                    NULL };

  return 2 * image_bytes (&task->shape, task->type)
         + (task->operation == WF_OPERATION_GAUSSIAN ? wf_cuda_gaussian_memory (&gaussian)
                                                     : wf_cuda_gradient_memory (&gradient));
}

static gboolean
run_filter (gconstpointer   data,
            WfRun          *run,
            GError        **error)
{
  const WfFilterTask    *task  = (const WfFilterTask *) data;
  const gsize            bytes = image_bytes (&task->shape, task->type);
  WfCudaSession          session;
  WfDeviceArray<guint8>  image;
  WfDeviceArray<guint8>  out;

  wf_run_begin (run, 1.0, 1);
  if (! session.begin (run, error) ||
      ! wf_cuda_check_memory (session.cuda, memory_of (session.cuda, task), error) ||
      ! image.allocate (session.cuda, bytes, error) ||
      ! out.allocate (session.cuda, bytes, error) ||
      ! wf_cuda_upload (session.cuda, task->image, _("image"), image.data, error))
    return FALSE;

  wf_cuda_time_begin (session.cuda);
  if (! apply (session.cuda, task, image.data, out.data, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return wf_cuda_advance (session.cuda, 1, error) &&
         wf_cuda_download (session.cuda, out.data, task->out, error);
}

const WfVariant wf_cuda_gaussian_variants[] =
{
  { "separable", NULL, NULL, NULL, run_filter, TRUE, memory_of },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};

const WfVariant wf_cuda_gradient_variants[] =
{
  { "windows", NULL, NULL, NULL, run_filter, TRUE, memory_of },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};
