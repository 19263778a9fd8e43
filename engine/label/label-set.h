/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many different labels there are in a result that is too large for memory (label-set.c). */

#pragma once

#include "engine/ranks/communicator.h"

/**
 * WfLabelSet:
 * @n: labels so far, 0 not counted
 */
typedef struct
{
  gint64      n;
  /*< private >*/
  guint64     limit;      /* bytes; 0: not known */
  GHashTable *pages;
  guint32    *recent;
} WfLabelSet;

void     wf_label_set_init  (WfLabelSet     *set,
                             guint64         limit);
void     wf_label_set_clear (WfLabelSet     *set);
gboolean wf_label_set_add   (WfLabelSet     *set,
                             const guint32  *labels,
                             gint64          n,
                             GError        **error);
gboolean wf_label_set_count (WfLabelSet     *set,
                             WfCommunicator *ranks,
                             gint64         *n,
                             GError        **error);
