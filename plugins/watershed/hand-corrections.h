/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "outputs.h"

G_BEGIN_DECLS

void            wf_hand_corrections_add_argument (GimpProcedure             *procedure);
gboolean        wf_hand_corrections_read         (GObject                   *config,
                                                  WfCorrections            **corrections,
                                                  GError                   **error);
WfCorrecting *  wf_hand_corrections_make         (WfJob                     *run,
                                                  const WfCorrections       *corrections,
                                                  const WfImage             *relief,
                                                  const WfImage             *objects,
                                                  const WfImage             *mask,
                                                  WfImage                   *labels,
                                                  const WfWatershedOptions  *options,
                                                  GError                   **error);

void            wf_hand_corrections_recall       (WfJob                     *run);
void            wf_hand_corrections_remember     (WfJob                     *run);

G_END_DECLS
