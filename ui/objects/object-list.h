/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define WF_TYPE_OBJECT_LIST (wf_object_list_get_type ())
G_DECLARE_FINAL_TYPE (WfObjectList, wf_object_list, WF, OBJECT_LIST, GtkBox)

GtkWidget *       wf_object_list_new          (void);
void              wf_object_list_set_regions  (WfObjectList *list,
                                               WfRegions    *regions,
                                               const char   *unit,
                                               const double  spacing[3],
                                               const double  corner[2]);
void              wf_object_list_set_measures (WfObjectList *list,
                                               guint64       measures);
const WfRegions * wf_object_list_get_regions  (WfObjectList *list);
GtkWidget *       wf_object_list_get_caption  (WfObjectList *list);
void              wf_object_list_select       (WfObjectList *list,
                                               gint64        object);

G_END_DECLS
