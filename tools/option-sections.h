/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of a subcommand, as they are parsed and as its help shows them. */

#pragma once

#include "arguments.h"

/**
 * OptionSection:
 * @title: what the options have in common
 * @entries: ended by one without a name
 * @group: the table that they come from, or %NULL for those of the command itself
 * @options: the struct that @group describes
 *
 * Options as help shows them.
 */
typedef struct
{
  const char          *title;
  GArray              *entries;
  const WfOptionGroup *group;
  gpointer             options;
} OptionSection;

GPtrArray    * option_sections_new      (Arguments           *arguments,
                                         GStringChunk        *strings);
GOptionGroup * option_section_new_group (const OptionSection *section,
                                         Arguments           *arguments);
gboolean       option_takes_value       (const GOptionEntry  *entry);
