/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <glib/gstdio.h>

#include "pace-file.h"

static char *path;


static void
set_rates (GKeyFile   *file,
           const char *group,
           const char *rate)
{
  const WfOperationInfo *info;

  for (int i = 0; (info = wf_operation_describe ((WfOperation) i)) != NULL; i++)
    {
      const WfOption *option = wf_option_group_find (info->options, "algorithm");

      for (const WfChoice *choice = option->choices; choice->name; choice++)
        {
          g_autofree char *key = g_strdup_printf ("%s/%s", info->options->name, choice->name);

          g_key_file_set_value (file, group, key, rate);
        }
    }
}

void
pace_file_use (double cpu,
               double gpu,
               double link)
{
  g_autoptr (GKeyFile) file   = g_key_file_new ();
  g_autofree char     *on_cpu = g_strdup_printf ("0 1:%.0f 1024:%.0f", cpu, cpu);
  g_autofree char     *on_gpu = g_strdup_printf ("0 1:%.0f", gpu);
  g_autofree char     *way    = g_strdup_printf ("%.0f %.0f", link, link);
  GError              *error  = NULL;

  pace_file_remove ();
  set_rates (file, "cpu", on_cpu);
  set_rates (file, "cuda:0", on_gpu);
  g_key_file_set_value (file, "cuda:0", "up", way);
  g_key_file_set_value (file, "cuda:0", "down", way);
  g_close (g_file_open_tmp ("wavefront-pace-XXXXXX", &path, NULL), NULL);
  g_key_file_save_to_file (file, path, &error);
  g_assert_no_error (error);
  g_setenv ("WAVEFRONT_PACE", path, TRUE);
}

void
pace_file_remove (void)
{
  if (path)
    g_unlink (path);
  g_clear_pointer (&path, g_free);
}
