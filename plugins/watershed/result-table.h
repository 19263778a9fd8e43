/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "outputs.h"

G_BEGIN_DECLS

/**
 * WfResultTable:
 * @place: of what is measured in the image, with its unit and the measures that are chosen
 * @unit: (nullable): of lengths
 * @basins: (nullable): measurements where no measures are chosen
 * @n_basins: how many there are
 * @objects: (nullable): measurements by the measures that are chosen
 * @kept: (nullable): those of the objects that are kept, if any may be left out
 *
 * The table of a run.
 */
typedef struct
{
  WfTablePlace  place;
  char         *unit;
  WfBasin      *basins;
  guint32       n_basins;
  WfObjects    *objects;
  WfRegions    *kept;
} WfResultTable;

gboolean wf_result_table_prepare (WfJob            *run,
                                  WfResultTable    *table,
                                  GError          **error);
gboolean wf_result_table_measure (WfJob            *run,
                                  const WfBasins   *basins,
                                  const WfImage    *levels,
                                  const WfImage    *relief,
                                  WfResultTable    *table,
                                  GError          **error);
void     wf_result_table_keep    (WfResultTable    *table,
                                  const guint8     *kept);
gboolean wf_result_table_write   (GFile            *file,
                                  gpointer          table,
                                  GError          **error);
void     wf_result_table_clear   (WfResultTable    *table);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfResultTable, wf_result_table_clear)

G_END_DECLS
