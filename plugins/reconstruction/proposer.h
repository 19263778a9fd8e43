/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/dialog/proposal.h"

G_BEGIN_DECLS

extern const WfProposer wf_opening_proposer;
extern const WfProposer wf_top_hat_proposer;
extern const WfProposer wf_area_proposer;
extern const WfProposer wf_volume_proposer;
extern const WfProposer wf_threshold_proposer;

G_END_DECLS
