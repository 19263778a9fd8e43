/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU as a back end: its variants for each operation. */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include "cpu.h"


/* The processor's name on Linux; "CPU" on other systems. */
static char *
processor_name (void)
{
  g_autofree char *text  = NULL;
  const char      *found;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL) &&
      (found = strstr (text, "model name")) && (found = strchr (found, ':')))
    {
      const char *end = strchr (found, '\n');

      return g_strstrip (g_strndup (found + 1, end ? (gsize) (end - found - 1)
                                                   : strlen (found + 1)));
    }
  return g_strdup ("CPU");
}

static gboolean
describe (guint      device,
          WfDevice  *description,
          GError   **error)
{
  guint64 page = sysconf (_SC_PAGESIZE);

  description->description  = processor_name ();
  description->n_units      = g_get_num_processors ();
  description->memory_total = page * sysconf (_SC_PHYS_PAGES);
  description->memory_free  = page * sysconf (_SC_AVPHYS_PAGES);
  return TRUE;
}

const WfBackend *
wf_backend_cpu (void)
{
  static const WfBackend backend =
  {
    .abi       = WF_BACKEND_ABI,
    .kind      = "cpu",
    .n_devices = 1,
    .describe  = describe,
    .variants  =
    {
      [WF_OPERATION_RECONSTRUCT]     = wf_cpu_reconstruct_variants,
      [WF_OPERATION_DISTANCE]        = wf_cpu_distance_variants,
      [WF_OPERATION_WATERSHED]       = wf_cpu_watershed_variants,
      [WF_OPERATION_LABEL]           = wf_cpu_label_variants,
      [WF_OPERATION_HIERARCHY]       = wf_cpu_hierarchy_variants,
      [WF_OPERATION_FILL_HOLES]      = wf_cpu_morphology_variants,
      [WF_OPERATION_CLEAR_BORDER]    = wf_cpu_morphology_variants,
      [WF_OPERATION_H_MAXIMA]        = wf_cpu_morphology_variants,
      [WF_OPERATION_H_MINIMA]        = wf_cpu_morphology_variants,
      [WF_OPERATION_H_DOME]          = wf_cpu_morphology_variants,
      [WF_OPERATION_H_BASIN]         = wf_cpu_morphology_variants,
      [WF_OPERATION_REGIONAL_MAXIMA] = wf_cpu_extrema_variants,
      [WF_OPERATION_REGIONAL_MINIMA] = wf_cpu_extrema_variants,
      [WF_OPERATION_EXTENDED_MAXIMA] = wf_cpu_morphology_variants,
      [WF_OPERATION_EXTENDED_MINIMA] = wf_cpu_morphology_variants,
      [WF_OPERATION_OPENING]         = wf_cpu_morphology_variants,
      [WF_OPERATION_CLOSING]         = wf_cpu_morphology_variants,
      [WF_OPERATION_WHITE_TOP_HAT]   = wf_cpu_morphology_variants,
      [WF_OPERATION_BLACK_TOP_HAT]   = wf_cpu_morphology_variants,
      [WF_OPERATION_IMPOSE_MINIMA]   = wf_cpu_morphology_variants,
      [WF_OPERATION_GAUSSIAN]        = wf_cpu_gaussian_variants,
      [WF_OPERATION_GRADIENT]        = wf_cpu_gradient_variants,
    },
  };

  return &backend;
}
