/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/message.h"
#include "wavefront.h"


static void
print_device (const WfDevice *device)
{
  gboolean         is_cpu = strcmp (device->name, "cpu") == 0;
  g_autofree char *total  = g_format_size_full (device->memory_total, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *free   = g_format_size_full (device->memory_free, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *units  = NULL;
  g_autofree char *line   = NULL;

  units = g_strdup_printf (is_cpu
                           ? ngettext ("%u processor", "%u processors", device->n_units)
                           : ngettext ("%u multiprocessor", "%u multiprocessors",
                                       device->n_units),
                           device->n_units);
  line = g_strdup_printf (_("%s: %s, %s, %s of memory, %s free\n"),
                          device->name, device->description, units, total, free);
  text_print (stdout, line);
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  g_autoptr (GError)     problem = NULL;
  g_autoptr (GPtrArray)  devices = wf_list_devices (&problem);

  for (guint i = 0; i < devices->len; i++)
    print_device (devices->pdata[i]);

  if (problem)
    {
      g_autofree char *line = g_strdup_printf (devices->len > 1 ? _("left out: %s\n")
                                                                : _("no CUDA device: %s\n"),
                                               problem->message);

      text_print (stdout, line);
    }
  return stdout_finish (error);
}

const Command command_devices =
{
  .name      = "devices",
  .blurb     = N_("List the devices that can compute, as --device takes them"),
  .usage     = "",
  .n_files   = 0,
  .operation = -1,
  .notes     = N_("Each line gives a device's name, its model, its processors and its memory. If "
                  "there is no CUDA device, the last line gives the reason."),
  .run       = run,
};
