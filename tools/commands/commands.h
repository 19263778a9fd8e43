/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The subcommands.  Every operation of the library is one; this folder adds texts to most of
 * them, and options and files of their own to some.
 */

#pragma once

#include "tools/command.h"

extern const Command command_reconstruct;
extern const Command command_distance;
extern const Command command_geodesic;
extern const Command command_watershed;
extern const Command command_label;
extern const Command command_hierarchy;
extern const Command command_threshold;
extern const Command command_outlines;
extern const Command command_run;
extern const Command command_devices;
extern const Command command_presets;

/* Ended by one without examples. */
extern const Command morphology_commands[];
extern const Command filter_commands[];
extern const Command attribute_commands[];
extern const Command label_tool_commands[];

const Command *         command_measure     (void);
const CommandGroup *    command_groups      (void);
const Command *         command_find        (const char       *name);
gboolean                operation_run       (const Arguments  *arguments,
                                             GError          **error);
gboolean                operation_run_colors
                                            (const Arguments  *arguments,
                                             gboolean         *is_gray,
                                             GError          **error);
