/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "call.h"

G_BEGIN_DECLS

/**
 * WfScriptKind:
 *
 * The languages in which calls are written.
 */
typedef enum
{
  WF_SCRIPT_PYTHON,
  WF_SCRIPT_SCRIPT_FU,
  WF_SCRIPT_COMMAND,
  WF_N_SCRIPTS
} WfScriptKind;

char *   wf_script_write        (WfScriptKind       kind,
                                 const GPtrArray   *calls,
                                 GimpImage         *image);

/*< private >*/

/**
 * WfScriptImage:
 * @name: of the image that a script is for
 * @number: of the image, if others that are open have the same name; else 0
 */
typedef struct
{
  char *name;
  int   number;
} WfScriptImage;

char *   wf_script_write_python (const GPtrArray     *calls,
                                 const WfScriptImage *image);
char *   wf_script_write_scheme (const GPtrArray     *calls,
                                 const WfScriptImage *image);
gboolean wf_script_is_said      (const WfCall      *call,
                                 const WfCallValue *value);
gboolean wf_script_continues    (const GPtrArray   *calls,
                                 guint              index);
void     wf_script_add_text     (GString           *script,
                                 char               quote,
                                 const char        *text);
void     wf_script_add_comment  (GString           *script,
                                 const char        *mark,
                                 const char        *text);
void     wf_script_add_title    (GString           *script,
                                 const char        *mark,
                                 const GPtrArray   *calls);
void     wf_script_add_rounding (GString           *script,
                                 const char        *mark,
                                 const WfCall      *call);

G_END_DECLS
