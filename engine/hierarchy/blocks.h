/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graph of the basins of an image larger than memory, and the merges in it. */

#pragma once

#include "basin-part.h"
#include "cpu/graph.h"
#include "engine/blocks/bands.h"
#include "engine/blocks/sources.h"

/* Parts of bands that follow each other and were not joined yet: as many as a number of bands has
 * bits.
 */
#define WF_MOST_PARTS 64

/**
 * WfBasinBlocks:
 * @image: what was flooded; @what: its name to the user
 * @labels: u32
 * @levels: (nullable): what is measured of each basin; may be @image
 * @task: of the whole; @tree: of it
 * @rim: pixels of a row, or slice
 * @bands_image, @bands_labels: of one band with a row, or slice, at each side
 * @bands_levels: of one band
 * @parts: the whole's graph when all were joined, in the first rank
 * @n_joined: of how many bands each of them is
 * @graph: with the merges, in the first rank
 *
 * What the first rank alone holds: the graph of the whole.
 */
typedef struct
{
  WfContext           *context;
  const WfBlockSource *image;
  const char          *what;
  const WfBlockSource *labels;
  const WfBlockSource *levels;
  WfHierarchyTask      task;
  gint64               rim;
  WfBands              bands;
  WfImage              bands_image;
  WfImage              bands_labels;
  WfImage              bands_levels;
  WfBasinPart          parts[WF_MOST_PARTS];
  gint64               n_joined[WF_MOST_PARTS];
  guint                n_parts;
  WfBasinGraph         graph;
} WfBasinBlocks;

/* What is done as an operation of the context. */
typedef gboolean (* WfBasinBlocksFunc) (gconstpointer   data,
                                        WfRun          *run,
                                        GError        **error);

gboolean wf_basin_blocks_prepare  (WfBasinBlocks             *blocks,
                                   const WfHierarchyOptions  *options,
                                   WfBasinTree               *tree,
                                   gint64                     rows,
                                   GError                   **error);
void     wf_basin_blocks_clear    (WfBasinBlocks             *blocks);
gboolean wf_basin_blocks_is_first (const WfBasinBlocks       *blocks);
gboolean wf_basin_blocks_run      (WfContext                 *context,
                                   WfBasinBlocksFunc          run,
                                   gconstpointer              data,
                                   GError                   **error);
gboolean wf_basin_blocks_read     (WfBasinBlocks             *blocks,
                                   gint64                     number,
                                   WfHierarchyTask           *task,
                                   GError                   **error);
gboolean wf_basin_blocks_gather   (WfBasinBlocks             *blocks,
                                   WfSteps                   *steps,
                                   GError                   **error);
gboolean wf_basin_blocks_merge    (WfBasinBlocks             *blocks,
                                   GError                   **error);
gboolean wf_basin_blocks_order    (WfBasinBlocks             *blocks,
                                   GError                   **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfBasinBlocks, wf_basin_blocks_clear)
