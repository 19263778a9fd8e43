/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfBasins:
 * @labels: of the basins
 * @objects: (nullable): u8, 0 where label 0 is background and not a line
 * @mask: (nullable): u8, 0 where nothing is selected
 * @lines: whether label 0 is a line between basins
 * @diagonals: whether pixels that touch at a corner are neighbors
 *
 * The result of a watershed.
 */
typedef struct
{
  WfImage       *labels;
  const WfImage *objects;
  const WfImage *mask;
  gboolean       lines;
  gboolean       diagonals;
} WfBasins;

gboolean wf_basins_make_lines       (WfJob           *run,
                                     const WfBasins  *basins,
                                     GError         **error);
gboolean wf_basins_make_colors      (WfJob           *run,
                                     const WfBasins  *basins,
                                     GError         **error);
gboolean wf_basins_make_means       (WfJob           *run,
                                     const WfBasins  *basins,
                                     GError         **error);
gboolean wf_basins_make_label_image (WfJob           *run,
                                     const WfBasins  *basins,
                                     GError         **error);
gboolean wf_basins_add_selection    (WfJob           *run,
                                     const WfBasins  *basins,
                                     GError         **error);

G_END_DECLS
