/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "object-measuring.h"
#include "plugins/common/dialog/dialog.h"

G_BEGIN_DECLS

typedef struct _WfObjectView WfObjectView;

/**
 * WfObjectsShown:
 * @table: (nullable): objects, of the whole image if it was computed
 * @kept: for each whether it is kept; %NULL without a table
 * @n_kept: how many are
 * @renumbered: whether results number those that are kept 1, 2, 3 …; otherwise all are kept, and
 *   have the numbers of their markers, which may have gaps
 * @part: whether these are only those of the part that is shown
 * @measured: whether the objects are others than before, and not only @kept
 * @pending: whether there is no table yet, and the one before is out of date
 * @error: (nullable): why there is none
 *
 * What is known of the objects.
 */
typedef struct
{
  const WfObjectTable *table;
  const guint8        *kept;
  gint64               n_kept;
  gboolean             renumbered;
  gboolean             part;
  gboolean             measured;
  gboolean             pending;
  const GError        *error;
} WfObjectsShown;

typedef void (* WfObjectsShownFunc) (const WfObjectsShown *shown,
                                     gpointer              data);

WfObjectView * wf_object_view_new         (WfDialog           *dialog);
void           wf_object_view_add_shown   (WfObjectView       *view,
                                           WfObjectsShownFunc  shown,
                                           gpointer            data);
void           wf_object_view_correct     (WfObjectView        *view,
                                           const WfCorrections *corrections);
void           wf_object_view_list        (WfObjectView       *view,
                                           guint64             measures,
                                           const double        spacing[3]);
void           wf_object_view_number      (WfObjectView       *view,
                                           gboolean            numbered);
const WfObjectTable *
               wf_object_view_get_table   (WfObjectView       *view);
void           wf_object_view_show        (WfObjectView       *view,
                                           WfPreviewResult    *result,
                                           guint32             count,
                                           const guint32      *map);
void           wf_object_view_set_whole   (WfObjectView       *view,
                                           WfPreviewResult    *result);
void           wf_object_view_count_whole (WfObjectView       *view,
                                           guint32             count);

G_END_DECLS
