/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gegl.h>

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfComponent:
 *
 * The component of a pixel that is its level, or the stain whose level is taken from its color.
 * Own stains have numbers above %WF_COMPONENT_OWN_STAIN (own-stain.h), which is the choice of one.
 */
typedef enum
{
  WF_COMPONENT_LUMINANCE,
  WF_COMPONENT_RED,
  WF_COMPONENT_GREEN,
  WF_COMPONENT_BLUE,
  WF_COMPONENT_ALPHA,
  WF_COMPONENT_HEMATOXYLIN,
  WF_COMPONENT_EOSIN,
  WF_COMPONENT_HEMATOXYLIN_DAB,
  WF_COMPONENT_DAB,
  WF_COMPONENT_OWN_STAIN
} WfComponent;

/**
 * WfLevelPicker:
 * @type: of a level
 * @format: of the pixels that levels are taken from
 * @grey: the format of levels that are luminance
 * @n_components: of @format
 * @component: the index of the component that is the level, without @luminance
 * @luminance: whether levels are the luminance of colors
 * @stain: (nullable): whose levels are taken from colors
 * @alpha: whether @format has alpha
 * @direct: whether pixels in @format are levels already
 *
 * How levels are taken from pixels.
 */
typedef struct
{
  WfType      type;
  const Babl *format;
  const Babl *grey;
  int         n_components;
  int         component;
  gboolean    luminance;
  gboolean    alpha;
  gboolean    direct;

  const WfStain *stain;
} WfLevelPicker;

extern const WfChoice wf_components[];

/* The row of a table of options that chooses the component. */
#define WF_COMPONENT_OPTION(Options, field) \
  { "source", WF_OPTION_CHOICE, G_STRUCT_OFFSET (Options, field), \
    N_("Le_vels from"), \
    N_("The component of a pixel that is its level; with alpha, the results are opaque; a stain " \
       "of a slide is dark where there is much of it"), \
    NULL, 0, 0, WF_COMPONENT_LUMINANCE, wf_components }

gboolean wf_component_is_stain (WfComponent          component);
gboolean wf_component_is_in   (WfComponent           component,
                               const Babl           *format);
gboolean wf_component_check   (WfComponent           component,
                               const Babl           *format,
                               const char           *name,
                               GError              **error);
void     wf_level_picker_init (WfLevelPicker       *picker,
                               const Babl          *format,
                               WfType               type,
                               WfComponent          component);
void     wf_level_picker_take (const WfLevelPicker *picker,
                               gconstpointer        pixels,
                               gsize                n_pixels,
                               gpointer             levels);

G_END_DECLS
