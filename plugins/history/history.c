/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-history: how the selected layer was made.  A window shows the steps, and copies
 * them as a script; a call without a dialog returns them.  Both also tell of the filters that stay
 * in the layer.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

#include "plugins/common/procedure/icon.h"
#include "plugins/common/procedure/plug-in.h"
#include "plugins/common/script/history.h"
#include "plugins/common/script/scripts.h"
#include "filters.h"
#include "window.h"

#define PROCEDURE "plug-in-wavefront-history"

typedef WfPlugIn      WfHistoryPlugIn;
typedef WfPlugInClass WfHistoryPlugInClass;

GType wf_history_plug_in_get_type (void) G_GNUC_CONST;

G_DEFINE_TYPE (WfHistoryPlugIn, wf_history_plug_in, WF_TYPE_PLUG_IN)


static GimpItem *
find_item (GimpDrawable       **drawables,
           GimpProcedureConfig *config,
           GError             **error)
{
  g_autoptr (GimpItem) given = NULL;

  g_object_get (config, "item", &given, NULL);
  if (given)
    return given;
  if (gimp_core_object_array_get_length ((GObject **) drawables) == 1)
    return GIMP_ITEM (drawables[0]);
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                       _("Select one layer to see how it was made."));
  return NULL;
}

/* Returns the values in the order of add_values(). */
static GimpValueArray *
give_values (GimpProcedure *procedure,
             GimpImage     *image,
             GPtrArray     *calls,
             GPtrArray     *filters)
{
  GimpValueArray *values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);

  g_value_set_int (gimp_value_array_index (values, 1), (int) calls->len);
  g_value_take_string (gimp_value_array_index (values, 2), wf_history_to_json (calls));
  for (int kind = 0; kind < WF_N_SCRIPTS; kind++)
    g_value_take_string (gimp_value_array_index (values, 3 + kind),
                         calls->len > 0 ? wf_script_write ((WfScriptKind) kind, calls, image)
                                        : g_strdup (""));
  g_value_take_string (gimp_value_array_index (values, 3 + WF_N_SCRIPTS),
                       wf_history_filters_to_json (filters));
  return values;
}

/* Of GimpRunImageFunc. */
static GimpValueArray *
run (GimpProcedure        *procedure,
     GimpRunMode           mode,
     GimpImage            *image,
     GimpDrawable        **drawables,
     GimpProcedureConfig  *config,
     gpointer              unused)
{
  GError                *error   = NULL;
  g_autoptr (GPtrArray)  calls   = NULL;
  g_autoptr (GPtrArray)  filters = NULL;
  GimpItem              *item;

  gegl_init (NULL, NULL);
  item = find_item (drawables, config, &error);
  if (! item)
    return gimp_procedure_new_return_values (procedure, GIMP_PDB_CALLING_ERROR, error);
  calls = wf_history_read (item, &error);
  if (! calls)
    return gimp_procedure_new_return_values (procedure, GIMP_PDB_EXECUTION_ERROR, error);

  filters = wf_history_filters_read (item);
  if (mode == GIMP_RUN_INTERACTIVE)
    wf_history_window_run (PROCEDURE, item, calls, filters);
  return give_values (procedure, gimp_item_get_image (item), calls, filters);
}

static void
add_values (GimpProcedure *procedure)
{
  gimp_procedure_add_int_return_value (procedure, "steps", _("Steps"),
                                       _("The number of steps; 0 for a layer that no filter of "
                                         "Wavefront has made"),
                                       0, G_MAXINT, 0, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "history", _("History"),
                                          _("The steps, the first one first, as JSON"),
                                          NULL, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "python-fu", _("Python-Fu"),
                                          _("A script of the steps in Python"),
                                          NULL, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "script-fu", _("Script-Fu"),
                                          _("A script of the steps in Script-Fu"),
                                          NULL, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "command", _("Command"),
                                          _("The steps as lines of the command wavefront; "
                                            "comments say what it cannot do"),
                                          NULL, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "filters", _("Filters"),
                                          _("The non-destructive filters of the layer, in the "
                                            "order in which they are applied, as JSON; without "
                                            "the options of operations that are not "
                                            "Wavefront's"),
                                          NULL, G_PARAM_READWRITE);
}

static void
add_to_menu (GimpProcedure *procedure)
{
  g_autofree char *path = g_strdup_printf ("<Image>/Filters/%s/[5]", _("Mor_phology"));

  gimp_procedure_set_image_types (procedure, "*");
  gimp_procedure_set_sensitivity_mask (procedure, GIMP_PROCEDURE_SENSITIVE_DRAWABLE);
  gimp_procedure_set_menu_label (procedure, _("_How Was This Made?"));
  gimp_procedure_add_menu_path (procedure, path);
  wf_icon_set (procedure);
}

static GList *
query_procedures (GimpPlugIn *plug_in)
{
  return g_list_append (NULL, g_strdup (PROCEDURE));
}

static GimpProcedure *
create_procedure (GimpPlugIn  *plug_in,
                  const gchar *name)
{
  GimpProcedure *procedure;

  procedure = gimp_image_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL,
                                        NULL);
  add_to_menu (procedure);
  gimp_procedure_set_documentation (procedure,
                                    _("Show with which steps a layer was made"),
                                    _("Every layer, channel, path and image that a filter of "
                                      "Wavefront makes keeps the calls that led to it, also in "
                                      "XCF files.  This shows them, and copies them as a script.  "
                                      "It also shows the non-destructive filters of the layer."),
                                    NULL);
  gimp_procedure_set_attribution (procedure, "The Wavefront authors", "The Wavefront authors",
                                  "2026");
  gimp_procedure_add_item_argument (procedure, "item", _("_Item"),
                                    _("A layer, channel or path; without one the drawable"),
                                    TRUE, G_PARAM_READWRITE);
  add_values (procedure);
  return procedure;
}

static void
wf_history_plug_in_class_init (WfHistoryPlugInClass *klass)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (klass);

  plug_in_class->query_procedures = query_procedures;
  plug_in_class->create_procedure = create_procedure;
}

static void
wf_history_plug_in_init (WfHistoryPlugIn *plug_in)
{
}

int
main (int   argc,
      char *argv[])
{
  return gimp_main (wf_history_plug_in_get_type (), argc, argv);
}
