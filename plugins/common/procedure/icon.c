/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The icon of a procedure, in GIMP's search for commands and elsewhere.
 *
 * GIMP accepts the name of an icon, a file, or pixels.  Only a name is drawn in all places, in
 * the colour of the text with symbolic icons, and sharp at every size; but a name that
 * is not in the theme is drawn as a broken picture.  So the name is used if the icon is installed
 * in a folder of the icon theme, as packages do.  A plug-in that
 * was copied into a profile, or installed elsewhere, uses the file.
 *
 * The icon has the name of the procedure: wavefront-fill-holes.
 */

#include "config.h"

#include <string.h>

#include "icon.h"

#define PREFIX "plug-in-"
#define PLACE  "icons" G_DIR_SEPARATOR_S "hicolor" G_DIR_SEPARATOR_S "scalable" \
               G_DIR_SEPARATOR_S "actions"


static char *
find_in (const char *folder,
         const char *place,
         const char *name)
{
  g_autofree char *file = g_strconcat (name, ".svg", NULL);
  g_autofree char *path = g_build_filename (folder, place, file, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

static gboolean
is_in_theme (const char *name)
{
  const char *const *folders = g_get_system_data_dirs ();
  g_autofree char   *path    = find_in (g_get_user_data_dir (), PLACE, name);

  for (; *folders && ! path; folders++)
    path = find_in (*folders, PLACE, name);
  return path != NULL;
}

static char *
find_file (const char *name)
{
  const char      *program = gimp_get_progname ();
  g_autofree char *beside  = program ? g_path_get_dirname (program) : NULL;
  g_autofree char *data    = g_path_get_dirname (WF_DATA_DIR);
  char            *path    = beside ? find_in (beside, "icons", name) : NULL;

  return path ? path : find_in (data, PLACE, name);
}

/**
 * wf_icon_set:
 * @procedure: a procedure under construction
 *
 * Sets its icon, if it is installed.
 */
void
wf_icon_set (GimpProcedure *procedure)
{
  const char      *name = gimp_procedure_get_name (procedure);
  g_autofree char *path = NULL;

  g_return_if_fail (g_str_has_prefix (name, PREFIX));

  name += strlen (PREFIX);
  if (is_in_theme (name))
    {
      gimp_procedure_set_icon_name (procedure, name);
      return;
    }

  path = find_file (name);
  if (path)
    {
      g_autoptr (GFile) file = g_file_new_for_path (path);

      gimp_procedure_set_icon_file (procedure, file);
    }
}

/**
 * wf_icon_set_window:
 * @window: a procedure's dialog
 * @procedure: the name of the procedure
 *
 * Sets the procedure's icon for @window, if it is installed.
 */
void
wf_icon_set_window (GtkWindow  *window,
                    const char *procedure)
{
  g_autofree char *path = NULL;

  g_return_if_fail (g_str_has_prefix (procedure, PREFIX));

  procedure += strlen (PREFIX);
  path       = find_file (procedure);
  if (path)
    gtk_window_set_icon_from_file (window, path, NULL);
  else if (is_in_theme (procedure))
    gtk_window_set_icon_name (window, procedure);
}
