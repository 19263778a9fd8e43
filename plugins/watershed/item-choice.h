/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimpui.h>

#include "plugins/common/dialog/dialog.h"
#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfItemFind:
 * @image: an image
 * @name: of an item
 *
 * Returns: (transfer none) (nullable): the item
 */
typedef GimpItem * (* WfItemFind) (GimpImage  *image,
                                   const char *name);

void       wf_item_choice_remember      (WfJob        *run,
                                         const char   *property,
                                         const char   *memory);
char *     wf_item_choice_recall        (WfJob        *run,
                                         const char   *property,
                                         const char   *memory,
                                         WfItemFind    find);
GimpItem * wf_item_choice_find_drawable (GimpImage    *image,
                                         const char   *name);
void       wf_item_choice_add           (WfDialog     *dialog,
                                         WfOptionGrid *grid,
                                         GtkWidget    *combo,
                                         const char   *property,
                                         const char   *none);

G_END_DECLS
