/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of subcommands: one for each operation that the library describes, under its
 * category.  What an operation's command does not say follows from the description, so that
 * an operation without a line in this folder has a subcommand, too.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "commands.h"

/* More than there are categories. */
#define MAX_GROUPS 32

static const Command * const described[] =
{
  &command_reconstruct,
  &command_distance,
  &command_geodesic,
  &command_watershed,
  &command_label,
  &command_hierarchy,
  &command_threshold,
};

/* Filled by fill_groups() */
static const Command *measuring[3];

static const Command * const chains[] =
{
  &command_run,
  NULL
};

static const Command * const presets[] =
{
  &command_presets,
  NULL
};

static const Command * const others[] =
{
  &command_devices,
  NULL
};


static void
append_required (GString             *usage,
                 const WfOptionGroup *options)
{
  for (guint i = 0; i < options->n_options; i++)
    if (options->options[i].required)
      g_string_append_printf (usage, "--%s %s ", options->options[i].name,
                              options->options[i].placeholder);
}

/* The files, and the options that have to be given. */
static char *
make_usage (const WfOperationInfo *info)
{
  GString *usage = g_string_new (NULL);

  for (guint i = 0; i < info->n_inputs; i++)
    if (! info->inputs[i].optional)
      {
        g_autofree char *word = g_ascii_strup (info->inputs[i].name, -1);

        g_string_append_printf (usage, "%s ", word);
      }
  g_string_append (usage, "-o OUT ");
  append_required (usage, info->options);
  g_string_append (usage, "[OPTION…]");
  return g_string_free (usage, FALSE);
}

static guint
count_files (const WfOperationInfo *info)
{
  guint n = 0;

  for (guint i = 0; i < info->n_inputs; i++)
    n += ! info->inputs[i].optional;
  return n;
}

static const Command *
find_texts (const Command *commands,
            int            operation)
{
  for (; commands->examples; commands++)
    if (commands->operation == operation)
      return commands;
  return NULL;
}

static const Command *
find_described (int operation)
{
  static const Command * const tables[] = { morphology_commands, filter_commands,
                                            attribute_commands, label_tool_commands };
  const Command               *found    = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tables) && ! found; i++)
    found = find_texts (tables[i], operation);
  for (guint i = 0; i < G_N_ELEMENTS (described) && ! found; i++)
    if (described[i]->operation == operation)
      found = described[i];
  return found;
}

static Command *
make_command (const WfOperationInfo *info)
{
  const Command *found   = find_described (info->operation);
  Command       *command = g_new0 (Command, 1);

  if (found)
    *command = *found;
  command->operation    = info->operation;
  command->takes_labels = info->inputs[0].content == WF_CONTENT_LABELS;
  if (! command->usage)
    {
      command->usage   = make_usage (info);
      command->n_files = count_files (info);
    }
  if (! command->run)
    command->run = operation_run;
  return command;
}

/* In the order of the overview. */
static void
fill_groups (CommandGroup *groups)
{
  GPtrArray             *lists[MAX_GROUPS] = { NULL };
  const WfOperationInfo *info;
  guint                  n                 = 0;

  for (int i = 0; (info = wf_operation_describe ((WfOperation) i)); i++)
    {
      guint group = 0;

      while (group < n && strcmp (groups[group].title, info->category) != 0)
        group++;
      g_assert (group < MAX_GROUPS - 5);
      if (group == n)
        {
          groups[n].title = info->category;
          lists[n++]      = g_ptr_array_new ();
        }
      g_ptr_array_add (lists[group], make_command (info));
    }
  for (guint group = 0; group < n; group++)
    {
      g_ptr_array_add (lists[group], NULL);
      groups[group].commands = (const Command * const *) g_ptr_array_free (lists[group], FALSE);
    }
  measuring[0] = command_measure ();
  measuring[1] = &command_outlines;
  groups[n++]  = (CommandGroup) { N_("Measurements"), measuring };
  groups[n++]  = (CommandGroup) { N_("Chains"), chains };
  groups[n++]  = (CommandGroup) { N_("Presets"), presets };
  groups[n]    = (CommandGroup) { N_("Devices"), others };
}

/**
 * command_groups:
 *
 * Returns: all subcommands, ended by a group without title; constant.
 */
const CommandGroup *
command_groups (void)
{
  static CommandGroup groups[MAX_GROUPS];

  if (! groups[0].title)
    fill_groups (groups);
  return groups;
}

/**
 * command_find:
 * @name: what stands on the command line
 *
 * Returns: (nullable): the subcommand of that name
 */
const Command *
command_find (const char *name)
{
  for (const CommandGroup *group = command_groups (); group->title; group++)
    for (const Command * const *command = group->commands; *command; command++)
      if (strcmp (name, command_get_name (*command)) == 0)
        return *command;
  return NULL;
}
