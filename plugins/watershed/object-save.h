/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "object-measuring.h"

G_BEGIN_DECLS

/**
 * WfObjectsToSave:
 * @table: objects of the whole image
 * @kept: (nullable): for each whether it is saved, with a new number; %NULL: all are, with their
 *   labels
 * @regions: (nullable): the lines of the table, of those that are saved
 * @unit: (nullable): of lengths
 * @place: where what was measured is in the image, and which measures are saved of the table
 *
 * Objects as the dialog shows them.
 */
typedef struct
{
  const WfObjectTable *table;
  const guint8        *kept;
  const WfRegions     *regions;
  const char          *unit;
  WfTablePlace         place;
} WfObjectsToSave;

void wf_objects_save (GtkWindow             *window,
                      const WfObjectsToSave *objects);

G_END_DECLS
