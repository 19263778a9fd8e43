/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations as stages of one: each reports its progress as a part of the whole. */

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
} WfStages;

void wf_stages_init (WfStages  *stages,
                     WfContext *context);
void wf_stages_next (WfStages  *stages,
                     double     share);
void wf_stages_end  (WfStages  *stages);
