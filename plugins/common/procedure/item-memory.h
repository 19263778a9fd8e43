/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "run.h"

G_BEGIN_DECLS

/**
 * WfItemFits:
 * @run: a run with a dialog
 * @item: of its image
 *
 * Returns: whether the dialog may begin with @item
 */
typedef gboolean (* WfItemFits) (WfJob    *run,
                                 GimpItem *item);

void   wf_item_memory_add_arguments (GimpProcedure *procedure,
                                     const char    *property);
void   wf_item_memory_keep          (WfJob         *run,
                                     const char    *property);
char * wf_item_memory_recall        (WfJob         *run,
                                     const char    *property,
                                     WfItemFits     fits);

G_END_DECLS
