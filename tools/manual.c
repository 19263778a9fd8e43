/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n.h>

#include "help-texts.h"
#include "manual.h"
#include "message.h"
#include "option-sections.h"


/* Text as troff has it: a hyphen is a minus that can be copied, and no line is a macro. */
static char *
escape (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *c = text; *c; c++)
    {
      if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n'))
        g_string_append (out, "\\&");
      if (*c == '\\')
        g_string_append (out, "\\e");
      else if (*c == '-')
        g_string_append (out, "\\-");
      else
        g_string_append_c (out, *c);
    }
  return g_string_free (out, FALSE);
}

static void
append_escaped (GString    *out,
                const char *text)
{
  g_autofree char *escaped = escape (text);

  g_string_append (out, escaped);
}

static void
append_heading (GString    *out,
                const char *macro,
                const char *title)
{
  g_string_append_printf (out, ".%s \"", macro);
  append_escaped (out, title);
  g_string_append (out, "\"\n");
}

static void
append_paragraphs (GString    *out,
                   const char *text)
{
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n\n", -1);

  for (char **paragraph = paragraphs; *paragraph; paragraph++)
    {
      g_string_append (out, ".PP\n");
      append_escaped (out, g_strstrip (*paragraph));
      g_string_append_c (out, '\n');
    }
}

/* @command: (nullable): whose page it is */
static void
append_head (GString    *out,
             const char *command,
             const char *blurb)
{
  g_autofree char *name  = command ? g_strdup_printf ("wavefront-%s", command)
                                   : g_strdup ("wavefront");
  g_autofree char *title = g_ascii_strup (name, -1);

  g_string_append (out, ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n");
  g_string_append_printf (out, ".TH \"%s\" 1 \"\" \"Wavefront %s\" \"%s\"\n", title, wf_version (),
                          _("User Commands"));
  append_heading (out, "SH", _("NAME"));
  append_escaped (out, name);
  g_string_append (out, " \\- ");
  append_escaped (out, blurb);
  g_string_append_c (out, '\n');
}

static void
append_synopsis (GString    *out,
                 const char *words)
{
  g_autofree char *line = g_strchomp (g_strdup (words));

  append_heading (out, "SH", _("SYNOPSIS"));
  append_escaped (out, line);
  g_string_append_c (out, '\n');
}

static void
append_option (GString            *out,
               const GOptionEntry *entry)
{
  g_autofree char *letter = entry->short_name
                            ? g_strdup_printf ("\\fB\\-%c\\fR, ", entry->short_name)
                            : g_strdup ("");
  g_autofree char *name   = escape (entry->long_name);

  g_string_append_printf (out, ".TP\n%s\\fB\\-\\-%s\\fR", letter, name);
  if (option_takes_value (entry))
    {
      g_string_append (out, " \\fI");
      append_escaped (out, entry->arg_description);
      g_string_append (out, "\\fR");
    }
  g_string_append_c (out, '\n');
  append_escaped (out, entry->description);
  g_string_append_c (out, '\n');
}

static void
append_examples (GString    *out,
                 const char *examples)
{
  append_heading (out, "SH", _("EXAMPLES"));
  g_string_append (out, ".nf\n");
  append_escaped (out, examples);
  g_string_append (out, ".fi\n");
}

/**
 * manual_format_command:
 * @command: a subcommand
 *
 * Returns: (transfer full): its manual page
 */
char *
manual_format_command (const Command *command)
{
  g_autoptr (GStringChunk)  strings   = g_string_chunk_new (1024);
  g_autoptr (GPtrArray)     texts     = help_texts_of_command (command);
  g_autoptr (GPtrArray)     sections  = NULL;
  Arguments                 arguments = { .command = command };
  GString                  *out       = g_string_new (NULL);
  g_autofree char          *usage     = g_strdup_printf ("wavefront %s %s",
                                                         command_get_name (command),
                                                         command->usage);
  g_autofree char          *blurb     = g_strdup_printf (_("%s."), command_get_blurb (command));

  append_head (out, command_get_name (command), command_get_blurb (command));
  append_synopsis (out, usage);
  append_heading (out, "SH", _("DESCRIPTION"));
  append_paragraphs (out, blurb);
  if (command->notes)
    append_paragraphs (out, gettext (command->notes));
  append_heading (out, "SH", _("OPTIONS"));
  sections = option_sections_new (&arguments, strings);
  for (guint i = 0; i < sections->len; i++)
    {
      const OptionSection *section = sections->pdata[i];

      append_heading (out, "SS", section->title);
      for (guint k = 0; k < section->entries->len; k++)
        append_option (out, &g_array_index (section->entries, GOptionEntry, k));
    }
  if (texts->len > 0)
    append_heading (out, "SH", _("FILES AND RESULTS"));
  for (guint i = 0; i < texts->len; i++)
    append_paragraphs (out, texts->pdata[i]);
  if (command->examples)
    append_examples (out, command->examples);
  append_heading (out, "SH", _("SEE ALSO"));
  g_string_append (out, ".BR wavefront (1)\n");
  return g_string_free (out, FALSE);
}

/**
 * manual_format_overview:
 * @groups: the subcommands, ended by a group without title
 *
 * Returns: (transfer full): the manual page of the program
 */
char *
manual_format_overview (const CommandGroup *groups)
{
  g_autofree char *usage = g_strdup_printf ("wavefront %s", _("COMMAND FILE… -o OUT [OPTION…]"));
  GString         *out   = g_string_new (NULL);

  append_head (out, NULL, _("mathematical morphology on images and stacks"));
  append_synopsis (out, usage);
  append_heading (out, "SH", _("DESCRIPTION"));
  append_paragraphs (out, help_texts_program ());
  append_heading (out, "SH", _("COMMANDS"));
  for (const CommandGroup *group = groups; group->title; group++)
    {
      append_heading (out, "SS", gettext (group->title));
      for (const Command * const *command = group->commands; *command; command++)
        {
          g_string_append (out, ".TP\n.BR wavefront\\-");
          append_escaped (out, command_get_name (*command));
          g_string_append (out, " (1)\n");
          append_escaped (out, command_get_blurb (*command));
          g_string_append_c (out, '\n');
        }
    }
  append_heading (out, "SH", _("EXIT STATUS"));
  append_paragraphs (out, help_texts_status ());
  return g_string_free (out, FALSE);
}

static gboolean
write_page (const char  *folder,
            const char  *name,
            char        *page,
            GError     **error)
{
  g_autofree char    *text    = page;
  g_autofree char    *path    = g_strdup_printf ("%s/wavefront%s%s.1", folder, *name ? "-" : "",
                                                 name);
  g_autoptr (GError)  problem = NULL;

  return g_file_set_contents (path, text, -1, &problem) ||
         refuse_to_write (path, problem->message, error);
}

/**
 * manual_write_pages:
 * @folder: is made if it does not exist
 * @groups: the subcommands, ended by a group without title
 * @error: %TOOL_ERROR_FILE
 *
 * Writes all manual pages into a folder.
 *
 * Returns: success
 */
gboolean
manual_write_pages (const char          *folder,
                    const CommandGroup  *groups,
                    GError             **error)
{
  if (g_mkdir_with_parents (folder, 0777) != 0)
    return refuse_to_write (folder, g_strerror (errno), error);
  if (! write_page (folder, "", manual_format_overview (groups), error))
    return FALSE;
  for (const CommandGroup *group = groups; group->title; group++)
    for (const Command * const *command = group->commands; *command; command++)
      if (! write_page (folder, command_get_name (*command), manual_format_command (*command),
                        error))
        return FALSE;
  return TRUE;
}
