/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the command says, and the two ways in which it fails. */

#pragma once

#include <stdio.h>

#include <glib.h>

#define TOOL_ERROR (tool_error_quark ())

/**
 * ToolError:
 * @TOOL_ERROR_USAGE: the command line alone shows that it is wrong: exit status 2
 * @TOOL_ERROR_FILE: a file cannot be read or written: exit status 1
 */
typedef enum
{
  TOOL_ERROR_USAGE,
  TOOL_ERROR_FILE
} ToolError;

GQuark   tool_error_quark (void);

gboolean refuse_usage     (const char  *sentence,
                           GError     **error);
gboolean refuse_because   (const char  *reason,
                           GError     **error);
gboolean refuse_to_read   (const char  *path,
                           const char  *reason,
                           GError     **error);
gboolean refuse_to_write  (const char  *name,
                           const char  *reason,
                           GError     **error);

char *   message_format   (const char  *text);
void     message_print    (const char  *text);
void     text_print       (FILE        *stream,
                           const char  *text);
void     stdout_take        (void);
FILE *   stdout_for_reports (void);
gboolean stdout_finish      (GError     **error);
