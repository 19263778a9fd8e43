/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/merge/cut.h"
#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfFlooding:
 * @mask: (nullable): u8, 0 where nothing is selected; may be @objects
 * @relief: the image to flood, as wf_masked_relief_make() makes it
 * @objects: (nullable): u8, 0 in the background, which is not flooded; %NULL or empty to flood all
 *   pixels.  An empty one is made if strokes draw a background, and then 0 in its basin
 * @labels: u32: the markers, 0 elsewhere, and then the basins
 * @markers: whether @labels hold markers; otherwise the minima are the markers
 * @strokes: (nullable): of the markers, in pixels of @labels, which then hold none; needs @objects
 * @options: the engine's options
 * @type: of the image whose range from black to white is the unit of @merge_value
 * @merge_by: the measure of the merging
 * @merge_value: the limit of the measure, as in wf_merge_count(); 0: no merging
 * @hierarchy: (nullable): where the tree of merges is kept for further merging of the same basins:
 *   set to one of the measure of @merge_by, unless that is there already
 * @merged: (nullable): u32, size of @labels: takes the merged regions, where @labels stay as
 *   they are
 * @n_basins: the number of basins
 *
 * A watershed from its relief to the final basins.
 */
typedef struct
{
  const WfImage            *mask;
  WfImage                  *relief;
  WfImage                  *objects;
  WfImage                  *labels;
  gboolean                  markers;
  const WfStrokes          *strokes;
  const WfWatershedOptions *options;
  WfType                    type;
  WfMergeBy                 merge_by;
  double                    merge_value;
  WfHierarchy             **hierarchy;
  WfImage                  *merged;
  guint32                   n_basins;
} WfFlooding;

gboolean wf_flooding_flood (WfFlooding  *flooding,
                            WfContext   *context,
                            GError     **error);
gboolean wf_flooding_merge (WfFlooding  *flooding,
                            WfContext   *context,
                            GError     **error);

G_END_DECLS
