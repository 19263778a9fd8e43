/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "relief.h"
#include "ui/merge/cut.h"

G_BEGIN_DECLS

/**
 * WfFlooding:
 * @relief: what is flooded
 * @objects: u8, 0 where nothing is to be flooded; empty for everywhere
 * @labels: u32: the markers, 0 elsewhere, and then the basins
 * @markers: whether @labels hold markers; else the minima are the markers
 * @options: the engine's
 * @type: of the image whose range from black to white the levels of @merge_value are
 *   fractions of
 * @merge_by: what the basins are merged by
 * @merge_value: up to which value of that, as wf_merge_count() takes it; 0: not at all
 * @n_basins: how many basins there are
 *
 * A watershed from its relief to the final basins.
 */
typedef struct
{
  const WfImage            *relief;
  const WfImage            *objects;
  WfImage                  *labels;
  gboolean                  markers;
  const WfWatershedOptions *options;
  WfType                    type;
  WfMergeBy                 merge_by;
  double                    merge_value;
  guint32                   n_basins;
} WfFlooding;

gboolean wf_flooding_flood (WfFlooding  *flooding,
                            WfContext   *context,
                            GError     **error);
gboolean wf_flooding_merge (WfFlooding  *flooding,
                            WfContext   *context,
                            GError     **error);

G_END_DECLS
