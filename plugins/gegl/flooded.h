/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "kind.h"
#include "plugins/watershed/options.h"

G_BEGIN_DECLS

/**
 * WfGeglBasinOptions:
 * @basin: those of the plug-in
 * @merge_by: a #WfMergeBy
 * @transparent: whether nothing but the lines is left
 *
 * The own options of the watersheds.
 */
typedef struct
{
  WfBasinOptions basin;
  int            merge_by;
  gboolean       transparent;
} WfGeglBasinOptions;

typedef struct _WfGeglFlooded WfGeglFlooded;

WfGeglFlooded * wf_gegl_flooded_new         (const WfGeglWork    *work,
                                             GError             **error);
void            wf_gegl_flooded_keep        (WfGeglFlooded       *flooded,
                                             const WfGeglWork    *work);
void            wf_gegl_flooded_free        (WfGeglFlooded       *flooded);
const WfImage * wf_gegl_flooded_get_basins  (const WfGeglFlooded *flooded);
const WfImage * wf_gegl_flooded_get_objects (const WfGeglFlooded *flooded);
const guint8 *  wf_gegl_flooded_get_pixels  (const WfGeglFlooded *flooded);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfGeglFlooded, wf_gegl_flooded_free)

G_END_DECLS
