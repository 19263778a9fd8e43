/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The GimpPlugIn of every executable: registers the procedures of the
 * class, with arguments made from the descriptions of their options.
 */

#include "config.h"

#include <string.h>

#include <libintl.h>

#include <glib/gi18n-lib.h>

#include "icon.h"
#include "memory-limit.h"
#include "plug-in.h"
#include "plugins/common/input/own-stain.h"
#include "plugins/common/input/threshold-scale.h"

G_DEFINE_ABSTRACT_TYPE (WfPlugIn, wf_plug_in, GIMP_TYPE_PLUG_IN)


#define MENU N_("Mor_phology")

/* The common part of the help of all procedures. */
#define ALL_OF_THEM \
  N_("Levels are the luminance of the pixels, or one of their components, after the layer's " \
     "non-destructive filters.  Only pixels of which at least half is selected are processed; " \
     "new layers are visible where the layer is selected and opaque.  Several layers are " \
     "processed one after the other, or as the slices of one stack.  New layers are placed " \
     "above those from which they were made.")


/**
 * wf_procedure_find_option:
 * @procedure: a procedure
 * @name: of an option
 *
 * Returns: (transfer none) (nullable): the option, which may be the procedure's own, the
 *   operation's, the source's or the context's
 */
const WfOption *
wf_procedure_find_option (const WfProcedure *procedure,
                          const char        *name)
{
  const WfOptionGroup *groups[] =
  {
    procedure->own,
    wf_operation_get_options (procedure->operation),
    wf_source_get_options (),
    wf_context_get_options (),
    wf_memory_limit_get_options (),
    wf_operation_takes_colors (procedure->operation) ? wf_colors_get_options () : NULL,
  };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      const WfOption *option = groups[i] ? wf_option_group_find (groups[i], name) : NULL;

      if (option)
        return option;
    }
  return NULL;
}

static const WfProcedure *
find_procedure (GimpPlugIn *plug_in,
                const char *name)
{
  const WfProcedure *const *procedures = WF_PLUG_IN_GET_CLASS (plug_in)->procedures;

  for (; *procedures; procedures++)
    if (strcmp (name, (*procedures)->name) == 0)
      return *procedures;

  return NULL;
}

/* GIMP looks for translations only in the plug-in's own folder, where they are if
 * the plug-in was copied into a profile.  A plug-in that was installed
 * with the library and the command shares their translations.
 */
static gboolean
wf_plug_in_set_i18n (GimpPlugIn   *plug_in,
                     const gchar  *procedure_name,
                     gchar       **gettext_domain,
                     gchar       **catalog_dir)
{
  g_autofree char *folder = g_path_get_dirname (gimp_get_progname ());
  g_autofree char *locale = g_build_filename (folder, "locale", NULL);

  if (g_file_test (locale, G_FILE_TEST_IS_DIR))
    {
      *gettext_domain = g_strdup (GETTEXT_PACKAGE);
      return TRUE;
    }

  bindtextdomain (GETTEXT_PACKAGE, WF_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  return FALSE;
}

static GList *
wf_plug_in_query_procedures (GimpPlugIn *plug_in)
{
  const WfProcedure *const *procedures = WF_PLUG_IN_GET_CLASS (plug_in)->procedures;
  GList                    *names      = NULL;

  for (; *procedures; procedures++)
    names = g_list_append (names, g_strdup ((*procedures)->name));
  return names;
}

/* GIMP sorts the entries of plug-ins by their whole path.  A section at its end, in brackets,
 * belongs to what is sorted but is not shown, so the sections bring the most used entries to the
 * top.  Submenus are sorted by their titles; digits and brackets come before them.
 */
static char *
menu_path (const WfProcedure *description)
{
  if (description->submenu)
    return g_strjoin ("/", "<Image>/Filters", _(MENU), _(description->submenu), NULL);
  return g_strdup_printf ("<Image>/Filters/%s/[%d]", _(MENU), description->menu_place);
}

static void
add_to_menu (GimpProcedure     *procedure,
             const WfProcedure *description)
{
  g_autofree char *path = NULL;

  gimp_procedure_set_image_types (procedure, "*");
  gimp_procedure_set_sensitivity_mask (procedure,
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLE |
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLES);
  gimp_procedure_set_menu_label (procedure, _(description->menu_label));
  path = menu_path (description);
  gimp_procedure_add_menu_path (procedure, path);
  wf_icon_set (procedure);
}

static void
add_arguments (GimpProcedure     *procedure,
               const WfProcedure *description)
{
  if (description->add_arguments)
    description->add_arguments (procedure);
  if (wf_procedure_find_option (description, "threshold"))
    wf_threshold_scale_add_argument (procedure);
  if (description->own)
    wf_arguments_add (procedure, description->own, description->notes);
  wf_arguments_add (procedure, wf_operation_get_options (description->operation),
                    description->notes);
  wf_arguments_add (procedure, wf_source_get_options (), NULL);
  wf_arguments_add (procedure, wf_context_get_options (), NULL);
  wf_arguments_add (procedure, wf_memory_limit_get_options (), NULL);
  wf_proposal_add_argument (procedure, description->proposer);
  gimp_procedure_add_string_argument (procedure, WF_OWN_STAIN, wf_own_stain_get_label (),
                                      wf_own_stain_get_blurb (), "", G_PARAM_READWRITE);
  /* after those that Script-Fu knows by their places */
  if (wf_operation_takes_colors (description->operation))
    wf_arguments_add (procedure, wf_colors_get_options (), NULL);
  if (description->own)
    wf_arguments_add_last (procedure, description->own, description->notes);
}

static void
add_values (GimpProcedure     *procedure,
            const WfProcedure *description)
{
  description->add_values (procedure);
  gimp_procedure_add_string_return_value (procedure, "device", _("Device"),
                                          _("The device that computed the result"),
                                          NULL, G_PARAM_READWRITE);
  gimp_procedure_add_core_object_array_return_value (procedure, "layers", _("Layers"),
                                                     _("All new layers, in the order of the "
                                                       "processed layers; for a stack, the "
                                                       "groups"),
                                                     GIMP_TYPE_LAYER, G_PARAM_READWRITE);
}

/**
 * wf_procedure_get_title:
 * @procedure: a procedure
 *
 * Returns: (transfer full): the title of its dialog, which is its entry in the menu
 */
char *
wf_procedure_get_title (const WfProcedure *procedure)
{
  char *title = gimp_strip_uline (_(procedure->menu_label));

  if (g_str_has_suffix (title, "..."))
    title[strlen (title) - strlen ("...")] = '\0';
  else if (g_str_has_suffix (title, "…"))
    title[strlen (title) - strlen ("…")] = '\0';
  /* some languages have a blank before the ellipsis */
  return g_strchomp (title);
}

static GimpProcedure *
wf_plug_in_create_procedure (GimpPlugIn  *plug_in,
                             const gchar *name)
{
  const WfProcedure   *description = find_procedure (plug_in, name);
  const WfOptionGroup *operation;
  g_autofree char     *help        = NULL;
  GimpProcedure       *procedure;

  if (! description)
    return NULL;

  operation = wf_operation_get_options (description->operation);
  procedure = gimp_image_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN,
                                        wf_run, (gpointer) description, NULL);
  add_to_menu (procedure, description);
  help = g_strdup_printf ("%s\n\n%s", _(description->help), _(ALL_OF_THEM));
  gimp_procedure_set_documentation (procedure, _(operation->blurb), help, NULL);
  gimp_procedure_set_attribution (procedure, "The Wavefront authors",
                                  "The Wavefront authors", "2026");
  add_arguments (procedure, description);
  add_values (procedure, description);
  return procedure;
}

static void
wf_plug_in_class_init (WfPlugInClass *klass)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (klass);

  plug_in_class->set_i18n         = wf_plug_in_set_i18n;
  plug_in_class->query_procedures = wf_plug_in_query_procedures;
  plug_in_class->create_procedure = wf_plug_in_create_procedure;
}

static void
wf_plug_in_init (WfPlugIn *plug_in)
{
}
