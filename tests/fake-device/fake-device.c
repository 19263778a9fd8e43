/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A module in the place of the one for CUDA, for the tests of how a device is chosen: a GPU that
 * takes no time, and gives results of zeros.  Its link is as fast as WAVEFRONT_FAKE_LINK says, in
 * bytes a second; without the variable it cannot be measured.  WAVEFRONT_FAKE_LOG names a file to
 * which it appends a letter for each operation (o) and each measurement of the link (l).
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/tasks.h"


static void
log_letter (char letter)
{
  const char *path = g_getenv ("WAVEFRONT_FAKE_LOG");
  FILE       *file = path ? fopen (path, "a") : NULL;

  if (! file)
    return;
  fputc (letter, file);
  fclose (file);
}

static gboolean
describe (guint      device,
          WfDevice  *description,
          GError   **error)
{
  description->description  = g_strdup ("Fake accelerator");
  description->n_units      = 100;
  description->memory_total = (guint64) 16 << 30;
  description->memory_free  = (guint64) 16 << 30;
  return TRUE;
}

static gpointer
open_device (guint    device,
             GError **error)
{
  return g_new0 (int, 1);
}

static gboolean
measure_link (WfRun       *run,
              WfLinkPace  *link,
              GError     **error)
{
  const char  *text = g_getenv ("WAVEFRONT_FAKE_LINK");
  const double pace = text ? g_ascii_strtod (text, NULL) : 0.0;

  log_letter ('l');
  if (pace == 0.0)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_DEVICE, "The link is broken.");
      return FALSE;
    }
  *link = (WfLinkPace) { { pace, 2 * pace }, { pace, 2 * pace } };
  return TRUE;
}

static gboolean
clear_image (WfImage *image)
{
  for (gint64 row = 0; row < image->height * image->depth; row++)
    memset ((char *) image->data + ((row / image->height) * image->slice_stride +
                                    (row % image->height) * image->row_stride) *
                                   (gint64) wf_type_size (image->type),
            0, (gsize) image->width * wf_type_size (image->type));
  log_letter ('o');
  return TRUE;
}

static gboolean
run_distance (gconstpointer   task,
              WfRun          *run,
              GError        **error)
{
  run->device_seconds = 1e-6;
  return clear_image (((const WfDistanceTask *) task)->out);
}

static gboolean
run_label (gconstpointer   task,
           WfRun          *run,
           GError        **error)
{
  return clear_image (((const WfLabelTask *) task)->labels);
}

static gboolean
has_distances (gconstpointer task)
{
  return ((const WfDistanceTask *) task)->out != NULL;
}

static const WfVariant distance_variants[] =
{
  { .algorithm = "local", .supports = has_distances, .run = run_distance, .checks_nan = TRUE },
  { .algorithm = NULL }
};

static const WfVariant label_variants[] =
{
  { .algorithm = "union-find", .run = run_label, .checks_nan = TRUE },
  { .algorithm = NULL }
};

WF_API const WfBackend *wf_backend_cuda (GError **error);

const WfBackend *
wf_backend_cuda (GError **error)
{
  static const WfBackend backend =
  {
    .abi          = WF_BACKEND_ABI,
    .kind         = "cuda",
    .n_devices    = 1,
    .describe     = describe,
    .open         = open_device,
    .close        = g_free,
    .driver       = "driver 1.0",
    .measure_link = measure_link,
    .variants     = { [WF_OPERATION_DISTANCE] = distance_variants,
                      [WF_OPERATION_LABEL]    = label_variants },
  };

  return &backend;
}
