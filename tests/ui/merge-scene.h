/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Basins to be merged. */

#pragma once

#include "ui/merge/cut.h"

G_BEGIN_DECLS

typedef struct
{
  WfImage      image;
  WfImage      labels;
  guint32      n_basins;
  WfHierarchy *hierarchies[3];  /* for each measure */
} Scene;

void          scene_init            (Scene       *scene,
                                     WfType       type,
                                     gint64       side);
void          scene_add_hierarchies (Scene       *scene);
void          scene_clear           (Scene       *scene);
WfHierarchy * scene_get_hierarchy   (const Scene *scene,
                                     WfMergeBy    by);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

G_END_DECLS
