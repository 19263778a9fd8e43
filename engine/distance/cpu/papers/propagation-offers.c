/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by propagation: offers, for each way of writing sites as numbers. */

#include "config.h"

#include "spread.h"

#define WF_NAME(name) wf_spread_##name##_keyed
#define WF_KEYED      1
#define WF_WHOLE      1
#define WF_LENGTH     guint64
#include "propagation.inc.h"
#undef WF_NAME
#undef WF_KEYED
#undef WF_WHOLE
#undef WF_LENGTH

#define WF_NAME(name) wf_spread_##name##_whole
#define WF_KEYED      0
#define WF_WHOLE      1
#define WF_LENGTH     guint64
#include "propagation.inc.h"
#undef WF_NAME
#undef WF_WHOLE
#undef WF_LENGTH

#define WF_NAME(name) wf_spread_##name##_spaced
#define WF_WHOLE      0
#define WF_LENGTH     double
#include "propagation.inc.h"
