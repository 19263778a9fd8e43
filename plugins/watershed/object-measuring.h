/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/worker.h"
#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfObjectTable:
 * @source: the basins that were merged
 * @count: to how many they were merged
 * @result: the basins that were measured: @source, or what corrections have made of it
 * @objects: measurements of the merged basins
 * @listed: (nullable): the measurements of a table of them, if one is wanted
 * @places: (nullable): #WfPreviewNumber, where their numbers are written in the slice that is
 *   shown, if that is wanted; a number is that of the object, from 1
 * @n: their number
 * @representatives: the label that represents each in the preview
 * @numbers: for each label of @result which object represents it, from 0; −1 for none
 *
 * The objects of a preview.  They are counted by reference, and do not change.
 */
typedef struct
{
  WfPreviewResult *source;
  guint32          count;
  WfPreviewResult *result;
  WfObjects       *objects;
  WfObjects       *listed;
  GArray          *places;
  gint64           n;
  guint32         *representatives;
  gint64          *numbers;
} WfObjectTable;

/**
 * WfObjectsMeasuredFunc:
 * @data: as given
 *
 * Objects were measured, or could not be.
 */
typedef void (* WfObjectsMeasuredFunc) (gpointer data);

typedef struct _WfObjectMeasuring WfObjectMeasuring;

WfObjectMeasuring * wf_object_measuring_new   (WfObjectsMeasuredFunc  measured,
                                               gpointer               data);
void                wf_object_measuring_free  (WfObjectMeasuring     *measuring);
gboolean            wf_object_measuring_start (WfObjectMeasuring     *measuring,
                                               WfPreviewResult       *result,
                                               guint32                count);
gboolean            wf_object_measuring_list  (WfObjectMeasuring     *measuring,
                                               guint64                measures,
                                               const double           spacing[3]);
gboolean            wf_object_measuring_place (WfObjectMeasuring     *measuring,
                                               gboolean               placed);
void                wf_object_measuring_correct
                                              (WfObjectMeasuring     *measuring,
                                               const WfCorrections   *corrections);
void                wf_object_measuring_stop  (WfObjectMeasuring     *measuring);
void                wf_object_measuring_forget
                                              (WfObjectMeasuring     *measuring);
const WfObjectTable *
                    wf_object_measuring_get   (WfObjectMeasuring     *measuring);
const GError *      wf_object_measuring_get_error
                                              (WfObjectMeasuring     *measuring);

const WfObjectTable *
                    wf_object_table_ref       (const WfObjectTable   *table);
void                wf_object_table_unref     (const WfObjectTable   *table);

G_END_DECLS
