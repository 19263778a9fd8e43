/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The GimpPlugIn of every executable: registers the procedure that the class was
 * given, with arguments made from the descriptions of its options.
 */

#include "config.h"

#include <string.h>

#include <libintl.h>

#include <glib/gi18n-lib.h>

#include "plug-in.h"

G_DEFINE_ABSTRACT_TYPE (WfPlugIn, wf_plug_in, GIMP_TYPE_PLUG_IN)


static const WfProcedure *
procedure_of (GimpPlugIn *plug_in)
{
  return WF_PLUG_IN_GET_CLASS (plug_in)->procedure;
}

/* GIMP looks for translations in the plug-in's own folder only; there they are in
 * a plug-in that was put into a profile by hand.  A plug-in that was installed
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
  return g_list_append (NULL, g_strdup (procedure_of (plug_in)->name));
}

static GimpProcedure *
wf_plug_in_create_procedure (GimpPlugIn  *plug_in,
                             const gchar *name)
{
  const WfProcedure   *description = procedure_of (plug_in);
  const WfOptionGroup *operation   = wf_operation_get_options (description->operation);
  GimpProcedure       *procedure;

  if (strcmp (name, description->name) != 0)
    return NULL;

  procedure = gimp_image_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN,
                                        wf_run, (gpointer) description, NULL);
  gimp_procedure_set_image_types (procedure, "RGB*, GRAY*");
  gimp_procedure_set_sensitivity_mask (procedure, GIMP_PROCEDURE_SENSITIVE_DRAWABLE);
  gimp_procedure_set_menu_label (procedure, _(description->menu_label));
  gimp_procedure_add_menu_path (procedure, "<Image>/Filters/Morphology");
  gimp_procedure_set_documentation (procedure, _(operation->blurb), _(description->help), NULL);
  gimp_procedure_set_attribution (procedure, "The Wavefront authors",
                                  "The Wavefront authors", "2026");

  if (description->add_arguments)
    description->add_arguments (procedure);
  if (description->own)
    wf_arguments_add (procedure, description->own, description->notes);
  wf_arguments_add (procedure, operation, description->notes);
  wf_arguments_add (procedure, wf_context_get_options (), NULL);

  description->add_values (procedure);
  gimp_procedure_add_string_return_value (procedure, "device", _("Device"),
                                          _("The device that did the work"),
                                          NULL, G_PARAM_READWRITE);
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
