/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfCallKind:
 *
 * What a value is.  The items of an image are known by their names: a mask by that of its layer.
 */
typedef enum
{
  WF_CALL_BOOLEAN,
  WF_CALL_INT,
  WF_CALL_REAL,
  WF_CALL_TEXT,
  WF_CALL_COLOR,
  WF_CALL_FILE,
  WF_CALL_LAYER,
  WF_CALL_MASK,
  WF_CALL_CHANNEL,
  WF_CALL_SELECTION,
  WF_CALL_PATH
} WfCallKind;

/**
 * WfCallValue:
 * @name: of the argument; %NULL for a drawable
 * @kind: what it is
 * @is_default: whether it is the argument's default
 * @number: of a boolean, an integer or a real number
 * @text: of all others: a text, a color as “#rrggbb”, a path, the name of an item; %NULL for none
 * @is_rounded: of a color: whether it is not exactly one of 8 bits for each component
 *
 * The value of an argument.
 */
typedef struct
{
  char       *name;
  WfCallKind  kind;
  gboolean    is_default;
  double      number;
  char       *text;
  gboolean    is_rounded;
} WfCallValue;

/**
 * WfCall:
 * @procedure: its name
 * @operation: the name of the engine's operation
 * @version: of Wavefront
 * @image: the name of the image
 * @drawables: (element-type WfCallValue): what is processed
 * @arguments: (element-type WfCallValue): all others
 * @command: the lines of the command that does the same, or the comments that say what it cannot
 *   do
 * @made: (nullable): the name of the layer with which the call is kept, which it made
 *
 * A call of a procedure.
 */
typedef struct
{
  char      *procedure;
  char      *operation;
  char      *version;
  char      *image;
  GPtrArray *drawables;
  GPtrArray *arguments;
  char      *command;
  char      *made;
} WfCall;

WfCallValue *       wf_call_value_new       (GObject          *config,
                                             GParamSpec       *spec);
void                wf_call_value_free      (WfCallValue      *value);

WfCall *            wf_call_new_empty       (void);
WfCall *            wf_call_new             (WfJob            *run,
                                             GimpDrawable    **drawables);
void                wf_call_free            (WfCall           *call);
const WfCallValue * wf_call_find            (const WfCall     *call,
                                             const char       *name);
char *              wf_call_spell           (double            number);

void                wf_call_write_arguments (const GPtrArray  *arguments,
                                             JsonBuilder      *builder);
void                wf_call_write           (const WfCall     *call,
                                             JsonBuilder      *builder);
WfCall *            wf_call_read            (JsonObject       *step,
                                             GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfCall, wf_call_free)

G_END_DECLS
