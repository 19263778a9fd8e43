/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "basin-flood.h"

G_BEGIN_DECLS

typedef struct _WfCorrectedBasins WfCorrectedBasins;

WfCorrectedBasins * wf_corrected_basins_new        (WfContext            *context,
                                                    WfPreviewResult      *source,
                                                    guint32               count,
                                                    GError              **error);
gboolean            wf_corrected_basins_follow     (WfCorrectedBasins    *basins,
                                                    const WfCorrections  *corrections,
                                                    GError              **error);
gboolean            wf_corrected_basins_are_of     (WfCorrectedBasins    *basins,
                                                    WfPreviewResult      *source);
gboolean            wf_corrected_basins_merge      (WfCorrectedBasins    *basins,
                                                    guint32               count,
                                                    GError              **error);
WfPreviewResult *   wf_corrected_basins_get_result (WfCorrectedBasins    *basins,
                                                    GError              **error);
guint               wf_corrected_basins_get_n_effective
                                                   (WfCorrectedBasins    *basins);
void                wf_corrected_basins_set_cancellable
                                                   (WfCorrectedBasins    *basins,
                                                    GCancellable         *cancellable);
void                wf_corrected_basins_free       (WfCorrectedBasins    *basins);

WfBasin             wf_corrected_basins_add_up     (const WfPreviewResult *result,
                                                    guint32               label);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfCorrectedBasins, wf_corrected_basins_free)

G_END_DECLS
