/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Undefines the macros that types.inc.h defines for a body, and those that a body defines
 * for engine/propagation/wavefront.inc.h.
 */

#undef WF_STATE
#undef WF_CHANGES
#undef WF_CHANGE
#undef WF_URGENCY
#undef WF_PIXEL
#undef WF_NAME
#undef WF_ABOVE
#undef WF_LOWEST
#undef WF_HIGHEST
#undef WF_RANK
