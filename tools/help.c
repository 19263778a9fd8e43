/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help that fits a terminal of 80 columns: GOption's own puts each description
 * beside the widest option and never breaks a line.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "help.h"
#include "help-texts.h"
#include "message.h"
#include "option-sections.h"
#include "wrap.h"


#define WIDTH           79
#define COLUMN          26
#define OVERVIEW_COLUMN 21


/* A term, and from @column on what it means. */
static void
append_item (GString    *out,
             const char *term,
             const char *meaning,
             int         column)
{
  glong length = wrap_count_columns (term);

  g_string_append (out, term);
  if (length + 2 > column)
    g_string_append_printf (out, "\n%*s", column, "");
  else
    g_string_append_printf (out, "%*s", (int) (column - length), "");
  wrap_append (out, meaning, column, column, WIDTH);
}

static void
append_title (GString    *out,
              const char *title)
{
  g_string_append_c (out, '\n');
  /* TRANSLATORS: the title of a list of options or of commands */
  g_string_append_printf (out, _("%s:"), title);
  g_string_append_c (out, '\n');
}

static void
append_section (GString             *out,
                const OptionSection *section)
{
  append_title (out, section->title);
  for (guint i = 0; i < section->entries->len; i++)
    {
      const GOptionEntry *entry = &g_array_index (section->entries, GOptionEntry, i);
      gboolean            takes = option_takes_value (entry);
      g_autofree char    *letter = entry->short_name
                                   ? g_strdup_printf ("-%c, ", entry->short_name)
                                   : g_strdup ("    ");
      g_autofree char    *term = g_strdup_printf ("  %s--%s%s%s", letter, entry->long_name,
                                                  takes ? " " : "",
                                                  takes ? entry->arg_description : "");

      append_item (out, term, entry->description, COLUMN);
    }
}

static void
append_paragraphs (GString    *out,
                   const char *text)
{
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n\n", -1);

  for (char **paragraph = paragraphs; *paragraph; paragraph++)
    {
      g_string_append_c (out, '\n');
      wrap_append (out, *paragraph, 0, 0, WIDTH);
    }
}

/* The lines after the first begin below the command's name. */
static void
append_usage (GString       *out,
              const Command *command)
{
  g_autofree char *start  = g_strdup_printf ("%s wavefront ", _("Usage:"));
  g_autofree char *rest   = g_strdup_printf ("%s %s", command_get_name (command),
                                             command->usage);
  glong            column = wrap_count_columns (start);

  g_string_append (out, start);
  wrap_append (out, g_strchomp (rest), column, (int) column, WIDTH);
}

/**
 * help_print_command:
 * @command: a subcommand
 *
 * Prints what there is to know about it on standard output.
 */
void
help_print_command (const Command *command)
{
  g_autoptr (GStringChunk)  strings   = g_string_chunk_new (1024);
  g_autoptr (GPtrArray)     sections  = NULL;
  g_autoptr (GPtrArray)     texts     = NULL;
  g_autofree char          *blurb     = NULL;
  Arguments                 arguments = { .command = command };
  GString                  *out       = g_string_new (NULL);

  /* TRANSLATORS: what a command does, as a sentence */
  blurb = g_strdup_printf (_("%s."), command_get_blurb (command));
  append_usage (out, command);
  append_paragraphs (out, blurb);
  if (command->notes)
    append_paragraphs (out, gettext (command->notes));

  texts    = help_texts_of_command (command);
  sections = option_sections_new (&arguments, strings);
  for (guint i = 0; i < sections->len; i++)
    append_section (out, sections->pdata[i]);

  for (guint i = 0; i < texts->len; i++)
    append_paragraphs (out, texts->pdata[i]);
  if (command->examples)
    g_string_append_printf (out, "\n%s\n%s", _("Examples:"), command->examples);

  text_print (stdout, out->str);
  g_string_free (out, TRUE);
}

static void
append_group (GString            *out,
              const CommandGroup *group)
{
  append_title (out, gettext (group->title));
  for (const Command * const *command = group->commands; *command; command++)
    {
      g_autofree char *term = g_strdup_printf ("  %s", command_get_name (*command));

      append_item (out, term, command_get_blurb (*command), OVERVIEW_COLUMN);
    }
}

static void
append_first_examples (GString            *out,
                       const CommandGroup *group)
{
  for (const Command * const *command = group->commands; *command; command++)
    if ((*command)->examples)
      {
        const char *end = strchr ((*command)->examples, '\n');

        g_string_append_len (out, (*command)->examples, end - (*command)->examples + 1);
      }
}

/**
 * help_print_overview:
 * @groups: the subcommands, ended by a group without title
 *
 * Prints what the program is and which subcommands it has on standard output, with
 * examples of the first group.
 */
void
help_print_overview (const CommandGroup *groups)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%s wavefront %s\n", _("Usage:"),
                          _("COMMAND FILE… -o OUT [OPTION…]"));
  append_paragraphs (out, help_texts_program ());

  for (const CommandGroup *group = groups; group->title; group++)
    append_group (out, group);

  append_title (out, _("Options"));
  append_item (out, "  -h, --help", _("Show this help; after a command, all its options"),
               OVERVIEW_COLUMN);
  append_item (out, "      --version", _("Show the version"), OVERVIEW_COLUMN);
  append_item (out, "  help [COMMAND]",
               _("The same as --help; with --man as a manual page; with --completion bash, zsh or "
                 "fish the script by which a shell completes commands"), OVERVIEW_COLUMN);
  append_paragraphs (out, help_texts_status ());
  g_string_append_printf (out, "\n%s\n", _("Examples:"));
  append_first_examples (out, &groups[0]);

  text_print (stdout, out->str);
  g_string_free (out, TRUE);
}
