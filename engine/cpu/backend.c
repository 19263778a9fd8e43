/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU as a back end: its variants for each operation. */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include "cpu.h"
#include "engine/core/record.h"


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

/* The variants are those of the operations' records. */
const WfBackend *
wf_backend_cpu (void)
{
  static gsize     once;
  static WfBackend backend =
  {
    .abi       = WF_BACKEND_ABI,
    .kind      = "cpu",
    .n_devices = 1,
    .describe  = describe,
  };

  if (g_once_init_enter (&once))
    {
      for (guint i = 0; i < WF_N_OPERATIONS; i++)
        backend.variants[i] = wf_operation_get_record ((WfOperation) i)->cpu;
      backend.variants[WF_TASK_MEASURE] = wf_cpu_measure_variants;
      g_once_init_leave (&once, 1);
    }
  return &backend;
}
