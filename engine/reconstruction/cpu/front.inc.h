/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans and the wavefront of reconstruction, for one type of pixel and one direction
 * (types.inc.h).
 */

#include "scan.inc.h"

#define WF_CHANGES(s, p, q) \
  (WF_ABOVE ((s)->result[p], (s)->result[q]) & WF_ABOVE ((s)->mask[q], (s)->result[q]))
#define WF_CHANGE(s, p, q) \
  ((s)->result[q] = WF_NAME (clamped) ((s)->result[p], (s)->mask[q]))
#define WF_URGENCY(s, p, q) \
  WF_RANK (WF_NAME (clamped) ((s)->result[p], (s)->mask[q]))

#include "engine/propagation/wavefront.inc.h"
