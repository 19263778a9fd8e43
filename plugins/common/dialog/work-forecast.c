/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The forecast of the work with the current arguments and layers: a
 * line of text below the choice of the device, and the number of tiles beside their size.
 *
 * The engine is asked only while the line is visible, because it may start a GPU's driver.
 */

#include "config.h"

#include "plugins/common/input/stack.h"
#include "plugins/common/procedure/plug-in.h"
#include "ui/options/device-forecast.h"
#include "work-forecast.h"

/**
 * Line:
 *
 * The data of the line's handlers.
 */
typedef struct
{
  WfJob            *run;
  WfDeviceForecast *label;
} Line;


static gint64
count_slices (WfJob *run)
{
  g_autoptr (GPtrArray) slices = NULL;
  gboolean              stack  = FALSE;

  g_object_get (run->config, "stack", &stack, NULL);
  if (stack)
    slices = wf_stack_find_slices (run->image, run->drawables, NULL);
  return slices ? slices->len : 1;
}

static void
update (Line *line)
{
  WfJob               *run       = line->run;
  GObject             *config    = G_OBJECT (run->config);
  const WfOptionGroup *group     = wf_operation_get_options (run->procedure->operation);
  g_autofree gpointer  operation = g_malloc0 (group->size);
  WfContextOptions     context;

  if (gtk_widget_get_mapped (GTK_WIDGET (line->label)) &&
      wf_arguments_read (config, group, run->type, operation, NULL) &&
      wf_arguments_read (config, wf_context_get_options (), run->type, &context, NULL))
    wf_device_forecast_set_work (line->label, run->procedure->operation, run->type,
                                 run->region.width, run->region.height, count_slices (run),
                                 operation, &context);
}

static void
line_free (gpointer  data,
           GObject  *label)
{
  Line *line = data;

  g_signal_handlers_disconnect_by_data (line->run->config, line);
  g_free (line);
}

/**
 * wf_work_forecast_new:
 * @run: a run whose dialog is under construction
 *
 * Returns: a line that names the device of the work
 */
GtkWidget *
wf_work_forecast_new (WfJob *run)
{
  Line *line = g_new0 (Line, 1);

  line->run   = run;
  line->label = WF_DEVICE_FORECAST (wf_device_forecast_new ());
  g_signal_connect_swapped (run->config, "notify", G_CALLBACK (update), line);
  g_signal_connect_data (line->label, "map", G_CALLBACK (update), line, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_object_weak_ref (G_OBJECT (line->label), line_free, line);
  return GTK_WIDGET (line->label);
}

static void
report_size (WfJob           *run,
             WfTilingChooser *chooser)
{
  wf_tiling_chooser_set_size (chooser, run->region.width, run->region.height,
                              count_slices (run));
}

static void
stack_changed (GObject         *config,
               GParamSpec      *pspec,
               WfTilingChooser *chooser)
{
  report_size (g_object_get_data (G_OBJECT (chooser), "wavefront-run"), chooser);
}

/**
 * wf_work_forecast_report_size:
 * @run: a run whose dialog is under construction
 * @chooser: its tiling chooser
 *
 * Reports the size of the processed region, and its changes, to @chooser.
 */
void
wf_work_forecast_report_size (WfJob           *run,
                              WfTilingChooser *chooser)
{
  g_object_set_data (G_OBJECT (chooser), "wavefront-run", run);
  report_size (run, chooser);
  g_signal_connect_object (run->config, "notify::stack", G_CALLBACK (stack_changed), chooser,
                           0);
}
