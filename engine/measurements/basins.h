/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The end of measuring basins, in memory and in blocks. */

#pragma once

#include "survey.h"

WfBasin * wf_basins_finish (WfBasinSurvey      *survey,
                            const WfBasinTree  *tree,
                            const double       *floors,
                            GError            **error);
