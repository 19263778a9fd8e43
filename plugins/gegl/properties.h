/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "kind.h"

G_BEGIN_DECLS

/* The groups of options that an operation has properties of. */
typedef enum
{
  WF_GEGL_OWN,
  WF_GEGL_OPERATION,
  WF_GEGL_COLORS,
  WF_GEGL_COMPONENT,
  WF_GEGL_N_GROUPS
} WfGeglGroup;

/**
 * WfGeglEncoding:
 * @WF_GEGL_NON_LINEAR: as in sRGB, or as the space of the input says
 * @WF_GEGL_STORED: that of the input, so that levels are component values as they are
 *
 * The encoding in which levels are taken and results are made.
 */
typedef enum
{
  WF_GEGL_NON_LINEAR,
  WF_GEGL_STORED
} WfGeglEncoding;

/**
 * WfGeglProperty:
 * @spec: of the property
 * @option: (nullable): what it was made from; %NULL: the color of lines, or an own stain
 * @group: the group that @option is in
 * @axis: of a spacing: 0 along x, 1 along y
 */
typedef struct
{
  GParamSpec     *spec;
  const WfOption *option;
  WfGeglGroup     group;
  int             axis;
} WfGeglProperty;

GArray *    wf_gegl_properties_new         (const WfGeglKind   *kind);
gboolean    wf_gegl_properties_read        (const GArray       *properties,
                                            const GValue       *values,
                                            WfGeglGroup         group,
                                            const WfGeglKind   *kind,
                                            WfType              type,
                                            gpointer            options,
                                            GError            **error);
gpointer    wf_gegl_properties_new_options (const WfGeglKind   *kind,
                                            WfGeglGroup         group);
gboolean    wf_gegl_component_get          (gconstpointer       options,
                                            const char         *stain,
                                            WfComponent        *component,
                                            GError            **error);
WfColorWay  wf_gegl_colors_get             (gconstpointer       options);
WfGeglEncoding
            wf_gegl_encoding_get           (gconstpointer       options);

G_END_DECLS
