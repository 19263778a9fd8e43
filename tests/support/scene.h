/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The basins of watersheds of images of ordinary size, and hierarchies of them. */

#pragma once

#include "guarded-image.h"
#include "wavefront.h"

G_BEGIN_DECLS

/**
 * Medium:
 * @type: of the image
 * @size: of the image
 * @connectivity: 4 or 8, 6 or 26
 */
typedef struct
{
  WfType  type;
  RefSize size;
  int     connectivity;
} Medium;

/**
 * Scene:
 * @image: a landscape
 * @labels: its basins
 * @n_basins: their number
 */
typedef struct
{
  GuardedImage *image;
  GuardedImage *labels;
  guint32       n_basins;
} Scene;

void          scene_init    (Scene              *scene,
                             const Medium       *medium,
                             gboolean            lines);
void          scene_clear   (Scene              *scene);
guint32       flood         (const Medium       *medium,
                             GuardedImage       *image,
                             double              tolerance,
                             gboolean            lines,
                             GuardedImage       *labels);
WfHierarchy * new_hierarchy (WfContext          *context,
                             const GuardedImage *image,
                             const GuardedImage *labels,
                             WfMeasure           measure,
                             int                 connectivity);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

G_END_DECLS
