/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/message.h"
#include "wavefront.h"

/* Columns of the table of paces: the name of an operation, and those of numbers. */
#define FIRST_COLUMN 18
#define COLUMN       18


/**
 * DevicesOptions:
 * @measure: whether the paces of the devices are to be measured first
 */
typedef struct
{
  gsize    size;
  gboolean measure;
} DevicesOptions;

static const WfOption devices_options[] =
{
  { "measure", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (DevicesOptions, measure),
    NULL,
    N_("Measure how fast each device does each operation, and keep that for later: some seconds, "
       "in which nothing else should run"),
    NULL, 0, 1, FALSE, NULL },
};

static const WfOptionGroup devices_group =
{
  "devices", N_("Pace"), NULL,
  devices_options, G_N_ELEMENTS (devices_options), sizeof (DevicesOptions)
};


/*  Devices  */

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

static void
print_devices (void)
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
}


/*  Paces  */

/* Text in columns is no matter of bytes. */
static void
append_cell (GString    *line,
             const char *text,
             int         width,
             gboolean    left)
{
  const int n = MAX (0, width - (int) g_utf8_strlen (text, -1));

  g_string_append_printf (line, "%s%*s%s", left ? text : "", n, "", left ? "" : text);
}

/* @operation: below 0 for tables of regions */
static void
append_rate (GString      *line,
             const WfPace *pace,
             int           operation,
             guint         threads)
{
  const double     rate = (operation < 0
                           ? wf_pace_get_measure_rate (pace, threads)
                           : wf_pace_get_rate (pace, (WfOperation) operation, threads)) / 1e6;
  g_autofree char *text = rate > 0 ? g_strdup_printf (rate < 9.95 ? "%.1f" : "%.0f", rate)
                                   : g_strdup ("–");

  append_cell (line, text, COLUMN, FALSE);
}

/* The CPU has two columns: one thread, and all. */
static void
append_title (GString      *line,
              const WfPace *pace,
              guint         threads)
{
  g_autofree char *text = NULL;

  if (strcmp (pace->device, "cpu") != 0)
    text = g_strdup (pace->device);
  else
    text = g_strdup_printf (ngettext ("CPU, %u thread", "CPU, %u threads", threads), threads);
  append_cell (line, text, COLUMN, FALSE);
}

/* @name: of an operation, or %NULL for the titles */
static void
print_line (const GPtrArray *paces,
            const char      *name,
            int              operation)
{
  g_autoptr (GString) line = g_string_new (NULL);

  append_cell (line, name ? name : "", FIRST_COLUMN, TRUE);
  for (guint k = 0; k < paces->len; k++)
    {
      const WfPace *pace = paces->pdata[k];

      for (guint threads = 1; threads > 0; threads = threads < pace->threads ? pace->threads : 0)
        if (name)
          append_rate (line, pace, operation, threads);
        else
          append_title (line, pace, threads);
    }
  g_string_append_c (line, '\n');
  text_print (stdout, line->str);
}

static void
print_table (const GPtrArray *paces)
{
  const WfOperationInfo *info;

  print_line (paces, NULL, -1);
  for (int i = 0; (info = wf_operation_describe ((WfOperation) i)) != NULL; i++)
    print_line (paces, info->options->name, i);
  print_line (paces, wf_regions_get_options ()->name, -1);
}

static void
print_link (const WfPace *pace)
{
  g_autofree char *line = NULL;

  if (pace->upload <= 0)
    return;
  line = g_strdup_printf (_("Transfers to %s: %.1f GB/s, back %.1f; from pinned memory %.1f, back "
                            "%.1f.\n"), pace->device, pace->upload / 1e9, pace->download / 1e9,
                          pace->upload_pinned / 1e9, pace->download_pinned / 1e9);
  text_print (stdout, line);
}

/* Estimates interest only where there is a choice. */
static void
print_paces (void)
{
  g_autoptr (GPtrArray) paces    = wf_list_paces ();
  gboolean              measured = TRUE;

  for (guint i = 0; i < paces->len; i++)
    measured &= ((const WfPace *) paces->pdata[i])->measured;
  if (! measured && paces->len == 1)
    return;

  text_print (stdout, "\n");
  text_print (stdout, measured
              ? _("Millions of 8-bit pixels a second, as measured:\n")
              : _("Millions of 8-bit pixels a second, some or all of them estimated (--measure "
                  "measures them):\n"));
  print_table (paces);
  for (guint i = 0; i < paces->len; i++)
    print_link (paces->pdata[i]);
}

static gboolean
measure (GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (! wf_context_measure_paces (NULL, &problem, error))
    return FALSE;
  if (problem)
    {
      g_autofree char *text = g_strdup_printf (_("The paces cannot be kept: %s."),
                                               problem->message);

      message_print (text);
    }
  return TRUE;
}

static gboolean
run (const Arguments  *arguments,
     GError          **error)
{
  const DevicesOptions *options = arguments->own;

  if (options->measure && ! measure (error))
    return FALSE;
  print_devices ();
  print_paces ();
  return stdout_finish (error);
}

const Command command_devices =
{
  .name      = "devices",
  .blurb     = N_("List the devices that can compute, as --device takes them"),
  .usage     = "",
  .n_files   = 0,
  .operation = -1,
  .own       = &devices_group,
  .notes     = N_("Each line gives a device's name, its model, its processors and its memory. If "
                  "there is no CUDA device, the next line gives the reason. Where there is one, "
                  "or after --measure, a table shows how fast each device does each operation, "
                  "without transfers: “--device auto” takes the device that it expects to be done "
                  "first. What was measured is kept for this user and this machine."),
  .run       = run,
};
