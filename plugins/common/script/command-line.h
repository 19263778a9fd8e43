/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "call.h"
#include "plugins/common/procedure/plug-in.h"

G_BEGIN_DECLS

/**
 * WfCommandLine:
 * @run: a run, whose dialog may be open
 * @call: what it does
 * @name: of the command; that of the operation unless a procedure changes it
 * @output: the file of its result, likewise
 * @operation: the operation's options struct, from which the command's options are made; a
 *   procedure changes what the command means otherwise
 * @own: the procedure's own options struct, or %NULL
 *
 * A command line while it is written.
 */
struct _WfCommandLine
{
  WfJob         *run;
  const WfCall  *call;
  const char    *name;
  const char    *output;
  gpointer       operation;
  gpointer       own;
  /*< private >*/
  GString       *notes;
  GPtrArray     *inputs;
  GString       *options;
  GString       *steps;
  const char    *again[2];
  GHashTable    *taken;
};

char *       wf_command_line_write     (WfJob          *run,
                                        GimpDrawable  **drawables,
                                        const WfCall   *call);
char *       wf_command_line_check     (const char     *text);
char *       wf_command_line_connect   (const char     *text,
                                        const char     *input,
                                        const char     *output);

void         wf_command_line_take      (WfCommandLine  *line,
                                        const char     *name);
void         wf_command_line_take_all  (WfCommandLine  *line,
                                        const char     *first,
                                        ...) G_GNUC_NULL_TERMINATED;
void         wf_command_line_add       (WfCommandLine  *line,
                                        const char     *option,
                                        const char     *value);
void         wf_command_line_add_level (WfCommandLine  *line,
                                        const char     *option,
                                        double          level);
void         wf_command_line_add_group (WfCommandLine  *line,
                                        const WfOptionGroup *group,
                                        gconstpointer   given);
void         wf_command_line_note      (WfCommandLine  *line,
                                        const char     *format,
                                        ...) G_GNUC_PRINTF (2, 3);
void         wf_command_line_add_input (WfCommandLine  *line,
                                        const char     *stem,
                                        const char     *contents);
void         wf_command_line_add_marker
                                       (WfCommandLine  *line,
                                        const char     *argument);
const char * wf_command_line_get_input (WfCommandLine  *line);
void         wf_command_line_repeat    (WfCommandLine  *line,
                                        const char     *name,
                                        const char     *output);
char *       wf_command_line_quote     (const char     *text);
const char * wf_command_line_find_stain
                                       (const WfCommandLine *line,
                                        const char     *source);
void         wf_command_line_add_step  (WfCommandLine  *line,
                                        const char     *format,
                                        ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
