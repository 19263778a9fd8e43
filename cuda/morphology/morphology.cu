/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations built on reconstruction, on a GPU: the same recipes as on the CPU
 * (engine/morphology/cpu/morphology.c).  A recipe says for each operation how the marker is
 * computed from the image, in which direction it is reconstructed, and what is the output.
 *
 * The image is uploaded once and the result downloaded once.  The device holds two images of
 * its type, the input and the marker, which is reconstructed in place.  The mask of imposed
 * minima is written to the image's memory, differences to the marker's, and flags to one of the
 * two if pixels are bytes.
 *
 * Regional extrema are the pixels where an image differs from its reconstruction from itself
 * moved by one value of the type (Vincent 1993, 3.2); if it differs nowhere, all of its pixels
 * have the type's last value, and all are extrema.  Extended extrema are those of the
 * reconstruction, found in the same way.
 */

#include "element.cuh"
#include "pixels.cuh"
#include "engine/morphology/recipes.h"
#include "cuda/reconstruction/reconstruction.cuh"
#include "cuda/core/transfer.cuh"

/* An operation under way. */
typedef struct
{
  const WfMorphologyTask *task;
  const WfRecipe         *recipe;
  WfCuda                 *cuda;
  gint64                  n;
  gsize                   bytes;      /* of an image of the task's type */
  WfDeviceArray<guint8>   image;
  WfDeviceArray<guint8>   marker;     /* then what it is reconstructed to */
  WfDeviceArray<guint8>   marks;      /* where minima are imposed */
  WfDeviceArray<guint8>   flags;      /* if they are smaller than the pixels */
  WfDeviceArray<guint32>  any;
  guint8                 *result;
} Work;


/*  Structuring elements  */

gboolean
wf_cuda_element (WfCuda              *cuda,
                 const WfCudaElement *task,
                 GError             **error)
{
  return (wf_cuda_is_small_disc (task)       ? wf_cuda_small_disc
          : wf_cuda_is_rolling_square (task) ? wf_cuda_rolling_square
          : wf_cuda_is_small_square (task)   ? wf_cuda_small_square
          : task->element == WF_ELEMENT_DISC ? wf_cuda_disc
                                             : wf_cuda_square) (cuda, task, error);
}

guint64
wf_cuda_element_memory (const WfCudaElement *task)
{
  return wf_cuda_is_small_disc (task) || wf_cuda_is_rolling_square (task) ||
         wf_cuda_is_small_square (task)      ? 0
         : task->element == WF_ELEMENT_DISC ? wf_cuda_disc_memory (task)
                                            : wf_cuda_square_memory (task);
}

/* An opening begins with an erosion, and is reconstructed by dilation. */
static WfCudaElement
element_of (const Work *work)
{
  const WfMorphologyTask *task = work->task;

  return { task->shape, task->type, task->element, task->radius,
           work->recipe->by == WF_BY_EROSION, work->image.data, work->marker.data };
}


/*  Steps  */

static gboolean
gives_flags (const Work *work)
{
  return work->recipe->output == WF_OUTPUT_CHANGED || work->recipe->output == WF_OUTPUT_EXTREMA;
}

static gsize
size_of_marks (const Work *work)
{
  const WfImage *markers = work->task->markers;

  return work->recipe->marker == WF_MARKER_IMPOSED && markers
         ? work->n * wf_type_size (markers->type) : 0;
}

static gsize
size_of_flags (const Work *work)
{
  return gives_flags (work) && work->task->type != WF_TYPE_U8 ? work->n : 0;
}

/* Markers, elements and reconstruction need theirs one after the other. */
static guint64
device_memory (const Work *work)
{
  const WfCudaElement element = element_of (work);
  const guint64       making  = work->recipe->marker == WF_MARKER_ELEMENT
                                ? wf_cuda_element_memory (&element) : size_of_marks (work);

  return 2 * work->bytes + size_of_flags (work) + sizeof (guint32)
         + MAX (making, wf_cuda_reconstruct_memory (&work->task->shape, work->task->type));
}

static gboolean
upload (Work    *work,
        GError **error)
{
  const gsize marks = size_of_marks (work);
  const gsize flags = size_of_flags (work);

  return wf_cuda_check_memory (work->cuda, device_memory (work), error) &&
         work->image.allocate (work->cuda, work->bytes, error) &&
         work->marker.allocate (work->cuda, work->bytes, error) &&
         (! gives_flags (work) || work->any.allocate (work->cuda, 1, error)) &&
         (flags == 0 || work->flags.allocate (work->cuda, flags, error)) &&
         (marks == 0 || work->marks.allocate (work->cuda, marks, error)) &&
         wf_cuda_upload (work->cuda, work->task->image, _("image"), work->image.data, error) &&
         (marks == 0 ||
          wf_cuda_upload (work->cuda, work->task->markers, _("marker image"), work->marks.data,
                          error));
}

static gboolean
make_marker (Work    *work,
             GError **error)
{
  const WfMorphologyTask *task    = work->task;
  const gboolean          erosion = work->recipe->by == WF_BY_EROSION;
  guint8                 *image   = work->image.data;
  guint8                 *marker  = work->marker.data;
  WfCudaElement           element;

  switch (work->recipe->marker)
    {
    case WF_MARKER_BORDER:
      return wf_cuda_border (work->cuda, &task->shape, task->type, image, erosion, marker, error);
    case WF_MARKER_MOVED:
      return wf_cuda_move (work->cuda, task->type, work->n, image, task->height, erosion, marker,
                           error);
    case WF_MARKER_STEPPED:
      return wf_cuda_step (work->cuda, task->type, work->n, image, erosion, marker, error);
    case WF_MARKER_ELEMENT:
      element = element_of (work);
      return wf_cuda_element (work->cuda, &element, error);
    case WF_MARKER_IMPOSED:
      if (! wf_cuda_impose (work->cuda, task->type, work->n, image, task->markers->type,
                            work->marks.data, marker, image, error))
        return FALSE;
      work->marks.clear ();
      return TRUE;
    }
  g_return_val_if_reached (FALSE);
}

/* @marker becomes the result. */
static gboolean
reconstruct (const Work    *work,
             const guint8  *mask,
             guint8        *marker,
             GError       **error)
{
  const WfMorphologyTask     *task           = work->task;
  const WfCudaReconstruction  reconstruction = {
    task->shape, task->type, work->recipe->by, task->connectivity, mask, marker, marker
  };

  return wf_cuda_reconstruct (work->cuda, &reconstruction, error) &&
         wf_cuda_advance (work->cuda, 1, error);
}

/* Flags may be written over what they are made of if that are bytes. */
static gboolean
tell_changed (Work          *work,
              const guint8  *levels,
              guint8        *reconstructed,
              GError       **error)
{
  work->result = work->task->type == WF_TYPE_U8 ? reconstructed : work->flags.data;
  return wf_cuda_changed (work->cuda, work->task->type, work->n, levels, reconstructed,
                          work->any.data, work->result, error);
}

static gboolean
finish (Work    *work,
        GError **error)
{
  const WfMorphologyTask *task   = work->task;
  guint8                 *image  = work->image.data;
  guint8                 *marker = work->marker.data;

  work->result = marker;
  switch (work->recipe->output)
    {
    case WF_OUTPUT_RECONSTRUCTED:
      return TRUE;
    case WF_OUTPUT_DIFFERENCE:
      return wf_cuda_differ (work->cuda, task->type, work->n, image, marker, marker, error);
    case WF_OUTPUT_CHANGED:
      return tell_changed (work, image, marker, error);
    case WF_OUTPUT_EXTREMA:
      return wf_cuda_step (work->cuda, task->type, work->n, marker,
                           work->recipe->by == WF_BY_EROSION, image, error) &&
             reconstruct (work, marker, image, error) &&
             tell_changed (work, marker, image, error);
    }
  g_return_val_if_reached (FALSE);
}


/*  The variant  */

static void
describe (Work                   *work,
          const WfMorphologyTask *task)
{
  work->task   = task;
  work->recipe = task->recipe;
  work->n      = wf_shape_n_pixels (&task->shape);
  work->bytes  = work->n * wf_type_size (task->type);
}

static guint64
memory_tiled (gconstpointer device,
              gconstpointer data)
{
  Work work = {};

  describe (&work, (const WfMorphologyTask *) data);
  return device_memory (&work);
}

static gboolean
run_tiled (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  const WfMorphologyTask *task   = (const WfMorphologyTask *) data;
  const WfRecipe         *recipe = task->recipe;
  WfCudaSession           session;
  Work                    work   = {};

  wf_run_begin (run, 1.0, recipe->output == WF_OUTPUT_EXTREMA ? 3 : 2);
  if (! session.begin (run, error))
    return FALSE;

  describe (&work, task);
  work.cuda = session.cuda;
  if (! upload (&work, error))
    return FALSE;

  wf_cuda_time_begin (session.cuda);
  if (! make_marker (&work, error) ||
      ! wf_cuda_advance (session.cuda, 1, error) ||
      ! reconstruct (&work, work.image.data, work.marker.data, error) ||
      ! finish (&work, error))
    return FALSE;
  wf_cuda_time_end (session.cuda);
  return wf_cuda_download (session.cuda, work.result, task->out, error);
}

const WfVariant wf_cuda_morphology_variants[] =
{
  { "tiled", NULL, NULL, NULL, run_tiled, TRUE, memory_tiled },
  { NULL, NULL, NULL, NULL, NULL, FALSE, NULL }
};
