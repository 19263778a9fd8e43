/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ranks that are threads of one process. */

#pragma once

#include "wavefront.h"

/* What one rank does; @data is the same for all. */
typedef void (* RankFunc) (WfCommunicator *ranks,
                           gpointer        data);

void   run_ranks         (guint           n,
                          const gint64   *shares,
                          RankFunc        run,
                          gpointer        data);
gint64 count_rank_bytes  (void);
