/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "measuring.h"

G_BEGIN_DECLS

gboolean wf_ways_measure (WfContext                   *context,
                          const WfImage               *image,
                          const WfImage               *marks,
                          const WfImage               *mask,
                          gboolean                     whole,
                          const WfDistanceMapOptions  *own,
                          const WfGeodesicOptions     *options,
                          WfImage                     *distances,
                          double                      *fraction,
                          GError                     **error);
void     wf_ways_finish  (WfImage                     *distances,
                          const WfImage               *mask,
                          double                       pixel,
                          WfDistancesOutput            output);

G_END_DECLS
