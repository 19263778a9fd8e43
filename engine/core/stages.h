/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations as stages of one: each reports its progress as a part of the whole, and has the memory
 * that the whole leaves it.
 */

#pragma once

#include "context-private.h"

typedef struct
{
  /*< private >*/
  WfContext      *context;
  WfProgressFunc  progress;
  gpointer        data;
  double          start;
  double          share;
  guint64         memory_limit;
} WfStages;

void     wf_stages_init  (WfStages   *stages,
                          WfContext  *context);
gboolean wf_stages_claim (WfStages   *stages,
                          guint64     bytes,
                          GError    **error);
void     wf_stages_next  (WfStages   *stages,
                          double      share);
void     wf_stages_end   (WfStages   *stages);
