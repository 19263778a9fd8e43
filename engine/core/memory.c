/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in the memory of devices: allocating, copying, and staging.
 *
 * A variant of a device reads images where they are.  Everything else works on main memory; what it
 * is given in a device's memory is copied there first, and its results are copied back when all has
 * succeeded.  So no pixel on a device is read by the CPU, and an operation that fails leaves the
 * images as they were.
 *
 * Bytes: of a staged image twice its own over the bus, in or out.
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "context-private.h"
#include "memory.h"

/* Bytes of markers that are looked at at a time. */
#define MARKERS_BYTES (4 << 20)


/*  Copying  */

/* Opens the device, for @run. */
static gboolean
begin_on_device (WfContext        *context,
                 WfMemory          memory,
                 const WfBackend **backend,
                 WfRun            *run,
                 GError          **error)
{
  const guint device = (guint) memory - 1;

  *backend = wf_backend_loaded (error);
  if (! *backend || ! wf_context_open_device (context, *backend, device, error))
    return FALSE;

  wf_run_init (run, NULL, NULL, NULL, 0.0);
  run->device       = device;
  run->device_state = context->device_state;
  run->has_views    = TRUE;
  run->stream       = context->stream;
  return TRUE;
}

static void
copy_in_main_memory (const WfImage *from,
                     WfImage       *to)
{
  const gint64 n_rows = from->height * from->depth;
  const gsize  size   = from->width * wf_type_size (from->type);

#pragma omp parallel for if (wf_image_is_large (from))
  for (gint64 row = 0; row < n_rows; row++)
    memcpy (wf_image_row (to, row), wf_image_row (from, row), size);
}

static gboolean copy_image (WfContext *context, const WfImage *from, WfImage *to, GError **error);

/* The caller's stream is of one of two devices: the other copies without. */
static gboolean
copy_half (WfContext      *context,
           const WfImage  *from,
           WfImage        *to,
           GError        **error)
{
  gpointer  stream = context->stream;
  GError   *own    = NULL;
  gboolean  done   = copy_image (context, from, to, &own);

  if (! done && stream && g_error_matches (own, WF_ERROR, WF_ERROR_INVALID))
    {
      g_clear_error (&own);
      context->stream = NULL;
      done            = copy_image (context, from, to, &own);
      context->stream = stream;
    }
  if (own)
    g_propagate_error (error, own);
  return done;
}

/* From one device to another. */
static gboolean
copy_through_main_memory (WfContext      *context,
                          const WfImage  *from,
                          WfImage        *to,
                          GError        **error)
{
  g_auto (WfImage) between = { 0 };

  return wf_image_allocate (&between, from->type, from->width, from->height, from->depth, error) &&
         copy_half (context, from, &between, error) &&
         copy_half (context, &between, to, error);
}

/* Between images of one type and size. */
static gboolean
copy_image (WfContext      *context,
            const WfImage  *from,
            WfImage        *to,
            GError        **error)
{
  const WfMemory   memory = from->memory != WF_MEMORY_HOST ? from->memory : to->memory;
  const WfBackend *backend;
  WfRun            run;

  if (memory == WF_MEMORY_HOST)
    {
      copy_in_main_memory (from, to);
      return TRUE;
    }
  if (from->memory != WF_MEMORY_HOST && to->memory != WF_MEMORY_HOST && from->memory != to->memory)
    return copy_through_main_memory (context, from, to, error);
  return begin_on_device (context, memory, &backend, &run, error) &&
         backend->copy (&run, from, to, error);
}

/**
 * wf_image_copy:
 * @context: (nullable): whose stream is followed; %NULL for a context of its own
 * @from: an image, in main memory or that of a GPU
 * @to: type and size of @from: the copy, in main memory or that of a GPU
 * @error: %WF_ERROR_INVALID, also where the two share memory; %WF_ERROR_DEVICE, %WF_ERROR_MEMORY
 *
 * Copies an image.  It has arrived when the call returns; see wf_context_set_stream() for what it
 * waits for.
 *
 * Time: that of its bytes over the bus; on one GPU, of twice its bytes in its own memory.  Memory:
 * on a GPU as much as the image where it is not packed there and goes to main memory or comes from
 * it; between two GPUs main memory for the image.
 *
 * Returns: %FALSE with @error set; then @to may be written in part.
 */
gboolean
wf_image_copy (WfContext      *context,
               const WfImage  *from,
               WfImage        *to,
               GError        **error)
{
  g_autoptr (WfContext) own = NULL;

  if (! wf_image_check_view (from, _("image"), error) ||
      ! wf_image_check_view (to, _("result"), error) ||
      ! wf_image_check_type (to, from->type, _("result"), error) ||
      ! wf_image_check_size (to, _("result"), from, _("image"), error))
    return FALSE;
  if (wf_image_overlaps (from, to))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("An image cannot be copied to memory that it shares."));
      return FALSE;
    }
  own = wf_context_ensure (context);
  return copy_image (own, from, to, error);
}


/*  Allocating  */

static gboolean
allocate_on_device (WfContext  *context,
                    WfImage    *image,
                    WfMemory    memory,
                    GError    **error)
{
  const guint64    bytes = (guint64) wf_image_n_pixels (image) * wf_type_size (image->type);
  const WfBackend *backend;
  WfRun            run;

  if (memory < 0 || ! (backend = wf_backend_loaded (error)))
    return FALSE;
  if ((guint) memory > backend->n_devices || ! backend->allocate)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_DEVICE,
                   _("There is no device cuda:%u: this machine has %u, numbered from 0."),
                   (guint) memory - 1, backend->n_devices);
      return FALSE;
    }
  if (! begin_on_device (context, memory, &backend, &run, error))
    return FALSE;
  run.has_views = FALSE;
  if (! backend->allocate (&run, bytes, &image->data, &image->allocated, error))
    return FALSE;
  image->memory = memory;
  return TRUE;
}

/**
 * wf_image_allocate_on:
 * @context: (nullable): whose memory on the device is taken; %NULL for a context of its own
 * @image: a view to fill
 * @memory: where the pixels are to be
 * @type: type of a pixel
 * @width: pixels in a row
 * @height: rows
 * @depth: slices
 * @error: as for wf_image_allocate(); %WF_ERROR_DEVICE
 *
 * Makes an image with memory of its own, in main memory or that of a GPU, freed by
 * wf_image_clear().  The pixels are not set.
 *
 * Time: that of asking the GPU for memory, unless what the context keeps there between operations
 * suffices: an image that is freed goes back to the context, if that is still there.
 *
 * Returns: %FALSE on failure; then @image is empty.
 */
gboolean
wf_image_allocate_on (WfContext  *context,
                      WfImage    *image,
                      WfMemory    memory,
                      WfType      type,
                      gint64      width,
                      gint64      height,
                      gint64      depth,
                      GError    **error)
{
  static char           no_pixels;
  g_autoptr (WfContext) own = NULL;

  g_return_val_if_fail (image != NULL && memory >= WF_MEMORY_HOST, FALSE);

  if (memory == WF_MEMORY_HOST)
    return wf_image_allocate (image, type, width, height, depth, error);
  if (! wf_image_init (image, type, width, height, depth, &no_pixels, error))
    return FALSE;
  own = wf_context_ensure (context);
  if (allocate_on_device (own, image, memory, error))
    return TRUE;
  memset (image, 0, sizeof *image);
  return FALSE;
}


/*  Staging  */

static guint64
count_bytes (const WfImage *image)
{
  return (guint64) wf_image_n_pixels (image) * wf_type_size (image->type);
}

/* What is left of a limit is not 0, which would be none. */
static WfStaged *
add_copy (WfStaging      *staging,
          const WfImage  *image,
          WfImage        *out,
          GError        **error)
{
  WfContext     *context = staging->context;
  const guint64  bytes   = count_bytes (image);
  WfStaged      *staged  = &staging->images[staging->n];

  if (! wf_context_allow_memory (context, bytes, error))
    return NULL;
  if (staging->n == 0)
    staging->memory_limit = context->memory_limit;
  *staged = (WfStaged) { image, out };
  if (! wf_image_allocate (&staged->copy, image->type, image->width, image->height, image->depth,
                           error))
    return NULL;
  staging->n++;
  if (context->memory_limit > 0)
    context->memory_limit = MAX (context->memory_limit - bytes, 1);
  return staged;
}

/* Puts a copy in main memory in the place of an input that is on a device; NULL stays NULL. */
gboolean
wf_staging_take (WfStaging      *staging,
                 const WfImage **image,
                 GError        **error)
{
  WfStaged *staged;

  if (! *image || (*image)->memory == WF_MEMORY_HOST)
    return TRUE;
  staged = add_copy (staging, *image, NULL, error);
  if (! staged || ! copy_image (staging->context, *image, &staged->copy, error))
    return FALSE;
  *image = &staged->copy;
  return TRUE;
}

/* The same for an output, which wf_staging_deliver() writes. */
gboolean
wf_staging_give (WfStaging  *staging,
                 WfImage   **out,
                 GError    **error)
{
  WfStaged *staged;

  if (! *out || (*out)->memory == WF_MEMORY_HOST)
    return TRUE;
  staged = add_copy (staging, *out, *out, error);
  if (! staged)
    return FALSE;
  *out = &staged->copy;
  return TRUE;
}

static guint64
count_copies (const WfTaskLayout *layout,
              gconstpointer       task)
{
  guint64 bytes = 0;

  for (guint i = 0; i < 2 * WF_MAX_TASK_IMAGES; i++)
    {
      const gsize    offset = i < WF_MAX_TASK_IMAGES ? layout->inputs[i]
                                                     : layout->outputs[i - WF_MAX_TASK_IMAGES];
      const WfImage *image  = wf_task_get_image (task, offset);

      if (image && image->memory != WF_MEMORY_HOST)
        bytes += count_bytes (image);
    }
  return bytes;
}

/* Gives a copy of @task with all images in main memory, to be freed.  @memory: bytes that it takes
 * beyond them
 */
gpointer
wf_staging_take_task (WfStaging      *staging,
                      WfOperation     operation,
                      gconstpointer   task,
                      guint64         memory,
                      GError        **error)
{
  const WfTaskLayout  *layout = wf_task_get_layout (operation);
  g_autofree gpointer  copy   = g_memdup2 (task, layout->size);

  if (! wf_context_allow_memory (staging->context, memory + count_copies (layout, task), error))
    return NULL;
  for (guint i = 0; i < WF_MAX_TASK_IMAGES; i++)
    if ((layout->inputs[i] > 0 &&
         ! wf_staging_take (staging, &G_STRUCT_MEMBER (const WfImage *, copy, layout->inputs[i]),
                            error)) ||
        (layout->outputs[i] > 0 &&
         ! wf_staging_give (staging, &G_STRUCT_MEMBER (WfImage *, copy, layout->outputs[i]),
                            error)))
      return NULL;
  return g_steal_pointer (&copy);
}

/* The copy of @image, or @image itself where it has none. */
const WfImage *
wf_staging_find (const WfStaging *staging,
                 const WfImage   *image)
{
  for (guint i = 0; i < staging->n; i++)
    if (staging->images[i].image == image && ! staging->images[i].out)
      return &staging->images[i].copy;
  return image;
}

/* Copies the results to the devices; only the loss of a device can leave them incomplete. */
gboolean
wf_staging_deliver (WfStaging  *staging,
                    GError    **error)
{
  for (guint i = 0; i < staging->n; i++)
    if (staging->images[i].out &&
        ! copy_image (staging->context, &staging->images[i].copy, staging->images[i].out, error))
      return FALSE;
  return TRUE;
}

void
wf_staging_clear (WfStaging *staging)
{
  for (guint i = 0; i < staging->n; i++)
    wf_image_clear (&staging->images[i].copy);
  if (staging->n > 0)
    staging->context->memory_limit = staging->memory_limit;
  staging->n = 0;
}


/*  What is read on a device  */

/* Counts the levels of an image that is there, by the @n_steps steps of histogram.c. */
gboolean
wf_context_count_levels (WfContext      *context,
                         const WfImage  *image,
                         guint64        *counts,
                         guint           n_steps,
                         GError        **error)
{
  const WfBackend *backend;
  WfRun            run;

  return begin_on_device (context, image->memory, &backend, &run, error) &&
         backend->count_levels (&run, image, counts, n_steps, error);
}

/* Refuses markers, wherever they are, that are all 0. */
gboolean
wf_context_check_marked (WfContext      *context,
                         const WfImage  *markers,
                         GError        **error)
{
  const gint64     row_bytes = markers->width * (gint64) wf_type_size (markers->type);
  const gint64     rows      = CLAMP (MARKERS_BYTES / row_bytes, 1, markers->height);
  g_auto (WfImage) copy      = { 0 };

  if (markers->memory == WF_MEMORY_HOST)
    return wf_image_check_marked (markers, error);
  if (! wf_image_allocate (&copy, markers->type, markers->width, rows, 1, error))
    return FALSE;
  for (gint64 z = 0; z < markers->depth; z++)
    for (gint64 y = 0; y < markers->height; y += copy.height)
      {
        WfImage part = *markers;

        copy.height = MIN (rows, markers->height - y);
        part.data   = wf_image_row (markers, z * markers->height + y);
        part.height = copy.height;
        part.depth  = 1;
        if (! copy_image (context, &part, &copy, error))
          return FALSE;
        if (wf_image_check_marked (&copy, NULL))
          return TRUE;
      }
  return wf_image_check_marked (&copy, error);
}
