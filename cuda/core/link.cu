/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pace of the transfers between main memory and the device's own, measured by transfers of
 * images as operations make them: from plain memory through the ring, from pinned memory by the
 * device alone.
 */

#include "transfer-views.cuh"

#include <string.h>

#define WIDTH  4096
#define HEIGHT 16384

/* Pinning takes half a second for a gigabyte. */
#define PINNED_HEIGHT 4096

#define N_RUNS 5

/* Pinned memory that is freed when its owner leaves. */
struct PinnedMemory
{
  guint8 *data = nullptr;

  ~PinnedMemory ()
  {
    if (data)
      cudaFreeHost (data);
  }
};

/* The best of some transfers of @image, in bytes a second. */
static gboolean
measure_way (WfCuda   *cuda,
             WfImage  *image,
             gpointer  packed,
             bool      up,
             double   *pace,
             GError  **error)
{
  const gsize bytes = wf_image_n_pixels (image) * wf_type_size (image->type);

  *pace = 0.0;
  for (int i = 0; i < N_RUNS; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      if (! (up ? wf_cuda_upload (cuda, image, NULL, packed, error)
                : wf_cuda_deliver (cuda, packed, image, error)) ||
          ! wf_cuda_wait (cuda, error))
        return FALSE;
      *pace = MAX (*pace, bytes * 1e6 / MAX (g_get_monotonic_time () - start, 1));
    }
  return TRUE;
}

static gboolean
measure_memory (WfCuda  *cuda,
                gpointer memory,
                gint64   height,
                gpointer packed,
                double  *up,
                double  *down,
                GError **error)
{
  WfImage image;

  return wf_image_init (&image, WF_TYPE_U8, WIDTH, height, 1, memory, error) &&
         measure_way (cuda, &image, packed, true, up, error) &&
         measure_way (cuda, &image, packed, false, down, error);
}

gboolean
wf_cuda_measure_link (WfRun       *run,
                      WfLinkPace  *link,
                      GError     **error)
{
  g_autofree guint8     *plain = (guint8 *) g_try_malloc ((gsize) WIDTH * HEIGHT);
  PinnedMemory           pinned;
  WfCudaSession          session;
  WfDeviceArray<guint8>  packed;

  if (! plain)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY, _("There is not enough memory."));
      return FALSE;
    }
  memset (plain, 1, (gsize) WIDTH * HEIGHT);
  if (! session.begin (run, error))
    return FALSE;
  WF_CUDA_CHECK (cudaMallocHost (&pinned.data, (gsize) WIDTH * PINNED_HEIGHT));
  return packed.allocate (session.cuda, (gint64) WIDTH * HEIGHT, error) &&
         measure_memory (session.cuda, plain, HEIGHT, packed.data, &link->up[0], &link->down[0],
                         error) &&
         measure_memory (session.cuda, pinned.data, PINNED_HEIGHT, packed.data, &link->up[1],
                         &link->down[1], error);
}
