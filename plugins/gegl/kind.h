/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gegl.h>
#include <gegl-plugin.h>

#include "plugins/common/color/color-filter.h"
#include "plugins/common/input/level-picker.h"
#include "plugins/common/procedure/argument-note.h"

G_BEGIN_DECLS

typedef struct _WfGeglKind WfGeglKind;
typedef struct _WfGeglKept WfGeglKept;

/**
 * WfGeglWork:
 * @kind: what is computed
 * @operation: the operation of GEGL, for its properties
 * @context: of the computation
 * @input: the pixels
 * @pixels: (nullable): those of the region, in the format of the buffer @input, row after row,
 *   where they are in memory anyway
 * @aux: (nullable): those of the second input
 * @output: takes the result
 * @region: all pixels of the input
 * @wanted: those of the output that are wanted
 * @own: the format of the input, as it is stored
 * @format: of the output: colors or gray as in @own, with a component type of the engine
 * @light: (nullable): the format in which the output is stored, if that is linear light and @format
 *   is not; only with red, green, blue and alpha as floats
 * @type: of a component of @format, and of levels
 * @component: the component that is the level
 * @colors: what becomes of colors
 * @options: the options of the engine's operation
 * @own_options: the #WfGeglKind's own options
 * @kept: what the operation keeps for the next computation
 *
 * One computation.
 */
typedef struct
{
  const WfGeglKind *kind;
  GeglOperation    *operation;
  WfContext        *context;
  GeglBuffer       *input;
  const guint8     *pixels;
  GeglBuffer       *aux;
  GeglBuffer       *output;
  GeglRectangle     region;
  GeglRectangle     wanted;
  const Babl       *own;
  const Babl       *format;
  const Babl       *light;
  WfType            type;
  WfComponent       component;
  WfColorWay        colors;
  gpointer          options;
  gpointer          own_options;
  WfGeglKept       *kept;
} WfGeglWork;

/**
 * WfGeglSensitivity:
 * @property: the name of a property; %NULL ends a list
 * @condition: of its control in GIMP, as GEGL's key "sensitive" has it
 */
typedef struct
{
  const char *property;
  const char *condition;
} WfGeglSensitivity;

/**
 * WfGeglKind:
 * @operation: the engine's operation, whose options become properties
 * @name: (nullable): what follows "wavefront:"; %NULL: the operation's name
 * @title: (nullable): to be translated; %NULL: the operation's title
 * @blurb: (nullable): what it does, to be translated; %NULL: that of the operation
 * @own: (nullable): own options, which become properties, too
 * @notes: (nullable): what options mean in GIMP
 * @hidden: (nullable): options that are no properties, and choices, "property/choice", that cannot
 *   be chosen, ended by %NULL
 * @sensitive: (nullable): which properties have an effect
 * @has_lines: whether there is a property "line-color"
 * @takes_colors: whether there is a choice of what becomes of colors
 * @has_aux: whether there is a second input
 * @aux_label: what that is, to be translated
 * @leaves_gaps: (nullable): whether the result is transparent where the input is opaque
 * @compute: makes the result
 *
 * An operation of GEGL.  All strings are static.
 */
struct _WfGeglKind
{
  WfOperation               operation;
  const char               *name;
  const char               *title;
  const char               *blurb;
  const WfOptionGroup      *own;
  const WfArgumentNote     *notes;
  const char * const       *hidden;
  const WfGeglSensitivity  *sensitive;
  gboolean                  has_lines;
  gboolean                  takes_colors;
  gboolean                  has_aux;
  const char               *aux_label;
  gboolean               (* leaves_gaps) (gconstpointer     options,
                                          gconstpointer     own_options);
  gboolean               (* compute)     (const WfGeglWork *work,
                                          GError          **error);
};

/**
 * WfGeglKinds:
 *
 * The operations of a file.
 */
typedef struct
{
  const WfGeglKind *kinds;
  guint             n_kinds;
} WfGeglKinds;

extern const WfGeglKinds wf_gegl_levels;
extern const WfGeglKinds wf_gegl_distances;
extern const WfGeglKinds wf_gegl_basins;
extern const WfGeglKinds wf_gegl_reconstructions;

const char * wf_gegl_kind_get_name (const WfGeglKind *kind);
void         wf_gegl_basins_init   (void);

G_END_DECLS
