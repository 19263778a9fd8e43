/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-threshold: white where the layer is above a threshold, which is one level for
 * all pixels, set or found from the histogram, or follows from the surroundings of each.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "by-reconstruction-preview.h"
#include "filter.h"
#include "plugins/common/dialog/condition.h"
#include "plugins/common/dialog/threshold-control.h"
#include "plugins/common/input/foreground.h"
#include "plugins/common/script/command-line.h"
#include "proposer.h"
#include "threshold.h"
#include "ui/options/level-entry.h"
#include "ui/threshold/histogram.h"

/* The greatest standard deviation of levels, as a fraction of their range. */
#define GREATEST_DEVIATION 0.5

/**
 * OwnOptions:
 * @automatic: whether one threshold for all pixels is found from the histogram
 * @automatic_method: a #WfThresholdMethod
 * @percent: with %WF_THRESHOLD_PERCENT
 *
 * The procedure's own options.
 */
typedef struct
{
  gsize    size;
  gboolean automatic;
  int      automatic_method;
  double   percent;
} OwnOptions;

static const WfChoice automatic_methods[] =
{
  { "otsu",     WF_THRESHOLD_OTSU,     N_("Otsu: the least variance in both parts") },
  { "li",       WF_THRESHOLD_LI,       N_("Li: the least cross entropy") },
  { "triangle", WF_THRESHOLD_TRIANGLE, N_("Triangle: where the peak of the histogram ends") },
  { "percent",  WF_THRESHOLD_PERCENT,  N_("A part of the pixels") },
  { NULL,       0,                     NULL }
};

static const WfOption own_options[] =
{
  { "automatic-threshold", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (OwnOptions, automatic),
    N_("_Automatic threshold"),
    N_("With one threshold for all pixels: find it anew for each image"),
    NULL, 0, 1, FALSE, NULL },
  { "automatic-method", WF_OPTION_CHOICE, G_STRUCT_OFFSET (OwnOptions, automatic_method),
    N_("_Found by"),
    N_("How an automatic threshold is found from the histogram"),
    "otsu|li|triangle|percent", 0, 0, WF_THRESHOLD_OTSU, automatic_methods },
  { "percent", WF_OPTION_REAL, G_STRUCT_OFFSET (OwnOptions, percent),
    N_("_Percentage"),
    N_("The automatic threshold by a part of the pixels: how many per cent of them are not above "
       "it"),
    NULL, 0, 100, 50, NULL },
};

static const WfOptionGroup own_group =
{
  "plug-in-wavefront-threshold", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (OwnOptions)
};

static const WfArgumentNote notes[] =
{
  { "threshold", 0.5, N_("One threshold for all pixels: those that are lighter are marked") },
  { "radius", 0, N_("How many pixels the window reaches to each side") },
  { "k", 0.2, N_("How much a standard deviation that is small, beside its range, lowers the "
                 "threshold") },
  { "range", GREATEST_DEVIATION,
    N_("The standard deviation at which the threshold is the mean; that of black and white halves "
       "is 0.5, for which 0 stands, too") },
  { NULL, 0, NULL }
};


static void
add_values (GimpProcedure *procedure)
{
  wf_filter_add_values (procedure);
  gimp_procedure_add_double_return_value (procedure, "threshold-used", _("Threshold used"),
                                          _("The threshold of all pixels, as a fraction of the "
                                            "range from black to white; 0 if each has its own"),
                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
}

/* Of WfFilter. */
static gboolean
adapt (gconstpointer   data,
       const WfImage  *levels,
       const WfImage  *mask,
       gpointer        task,
       GError        **error)
{
  const OwnOptions   *own     = data;
  WfThresholdOptions *options = task;

  if (options->range == 0)
    options->range = GREATEST_DEVIATION * wf_level_maximum (levels->type);
  return options->method != WF_LOCAL_NONE || ! own->automatic ||
         wf_foreground_find_level (levels, mask, (WfThresholdMethod) own->automatic_method,
                                   own->percent, &options->threshold, error);
}

/* Of WfFilter. */
static void
report (WfJob *run)
{
  const WfThresholdOptions *options = run->operation;

  g_value_set_double (wf_job_get_value (run, "threshold-used"),
                      options->method == WF_LOCAL_NONE
                      ? options->threshold / wf_level_maximum (run->type) : 0);
}

static const WfFilter filter =
{
  .frame      = N_("Threshold"),
  .layer_name = N_("Threshold of %s"),
  .next       = TRUE,
  .adapt      = adapt,
  .report     = report,
};


/*  The command  */

/* An option that the method does not look at is a mistake there. */
static void
take_unused (WfCommandLine *line,
             int            method)
{
  if (method != WF_LOCAL_NONE)
    wf_command_line_take (line, "threshold");
  if (method != WF_LOCAL_MEAN && method != WF_LOCAL_SAUVOLA)
    wf_command_line_take (line, "radius");
  if (method != WF_LOCAL_GAUSSIAN)
    wf_command_line_take (line, "sigma");
  if (method != WF_LOCAL_SAUVOLA)
    wf_command_line_take_all (line, "k", "range", NULL);
  if (method == WF_LOCAL_NONE)
    wf_command_line_take (line, "offset");
}

/* Of WfProcedure. */
static void
write_command (WfCommandLine *line)
{
  const OwnOptions   *own     = line->own;
  WfThresholdOptions *options = line->operation;
  g_autofree char    *number  = wf_call_spell (own->percent);
  g_autofree char    *percent = g_strconcat (number, "%", NULL);

  take_unused (line, options->method);
  wf_command_line_take_all (line, "automatic-threshold", "automatic-method", "percent", NULL);
  if (options->range == 0)
    options->range = GREATEST_DEVIATION * wf_level_maximum (line->run->type);
  if (options->method != WF_LOCAL_NONE || ! own->automatic)
    return;
  wf_command_line_take (line, "threshold");
  wf_command_line_add (line, "threshold", own->automatic_method == WF_THRESHOLD_PERCENT
                                          ? percent
                                          : automatic_methods[own->automatic_method].name);
}


/*  The dialog  */

static void
follow_method (GObject              *config,
               GParamSpec           *pspec,
               WfThresholdHistogram *histogram)
{
  g_autofree char *name   = NULL;
  int              method = WF_THRESHOLD_OTSU;
  double           percent;

  g_object_get (config, "automatic-method", &name, "percent", &percent, NULL);
  for (const WfChoice *choice = automatic_methods; choice->name; choice++)
    if (g_strcmp0 (name, choice->name) == 0)
      method = choice->value;
  wf_threshold_histogram_set_method (histogram, (WfThresholdMethod) method, percent);
}

/* The rows of one threshold for all pixels. */
static void
add_global (WfDialog *dialog)
{
  GObject      *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  WfOptionGrid *grid   = wf_dialog_add_frame (dialog, NULL);
  GtkWidget    *histogram;

  wf_condition_show (config, "method", "global", gtk_widget_get_parent (GTK_WIDGET (grid)));
  histogram = wf_threshold_control_add (dialog, grid, wf_threshold_control_find_histogram);
  wf_condition_set (config, "below", "yes", histogram, "dark");
  g_signal_connect_object (config, "notify::automatic-method", G_CALLBACK (follow_method),
                           histogram, 0);
  g_signal_connect_object (config, "notify::percent", G_CALLBACK (follow_method), histogram, 0);
  follow_method (config, NULL, WF_THRESHOLD_HISTOGRAM (histogram));
  wf_condition_enable (config, "automatic-threshold", "yes",
                       wf_dialog_add_option (dialog, grid, "automatic-method"));
  wf_condition_show (config, "automatic-method", "percent",
                     wf_dialog_add_option (dialog, grid, "percent"));
}

static void
fill_dialog (WfDialog *dialog)
{
  static const struct { const char *option; const char *methods; } rows[] =
  {
    { "radius", "mean|sauvola" },
    { "sigma", "gaussian" },
    { "k", "sauvola" },
    { "range", "sauvola" },
    { "offset", "mean|gaussian|sauvola" },
  };
  GObject      *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  WfOptionGrid *grid   = wf_dialog_add_frame (dialog, _("Threshold"));

  wf_dialog_add_option (dialog, grid, "method");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    wf_condition_show (config, "method", rows[i].methods,
                       wf_dialog_add_option (dialog, grid, rows[i].option));
  add_global (dialog);
  grid = wf_dialog_add_frame (dialog, NULL);
  wf_dialog_add_option (dialog, grid, "below");
}

const WfProcedure wf_threshold_procedure =
{
  .name          = "plug-in-wavefront-threshold",
  .menu_label    = N_("_Threshold..."),
  .menu_place    = 4,
  .operation     = WF_OPERATION_THRESHOLD,
  .help          = N_("Makes a new layer in which the pixels above a threshold are white, and all "
                      "others black.  The threshold is one level, set or found from the "
                      "histogram, or for each pixel one that follows from the levels around it, "
                      "which divides an image under uneven illumination."),
  .notes         = notes,
  .own           = &own_group,
  .data          = &filter,
  .add_values    = add_values,
  .proposer      = &wf_threshold_proposer,
  .fill_dialog   = fill_dialog,
  .preview       = &wf_threshold_preview,
  .count_further = wf_filter_count_further,
  .folder        = &wf_folder_of_layers,
  .write_command = write_command,
  .run           = wf_filter_run,
};
