/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The memory that a filter takes beside its levels and its result. */

#include "config.h"

#include "filter-colors.h"
#include "filter.h"


/* Beside the mask, a copy of the levels and the result. */
static gsize
count_in_mask (WfJob *run,
               gsize  levels)
{
  switch (run->procedure->operation)
    {
    case WF_OPERATION_REGIONAL_MAXIMA:
    case WF_OPERATION_REGIONAL_MINIMA:
      return sizeof (float) + 1;
    case WF_OPERATION_EXTENDED_MAXIMA:
    case WF_OPERATION_EXTENDED_MINIMA:
      return levels + sizeof (float) + 1;
    case WF_OPERATION_OPENING_BY_RECONSTRUCTION:
    case WF_OPERATION_CLOSING_BY_RECONSTRUCTION:
    case WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION:
    case WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION:
      return levels + 2 * sizeof (float);
    case WF_OPERATION_AREA_OPENING:
    case WF_OPERATION_AREA_CLOSING:
    case WF_OPERATION_HEIGHT_OPENING:
    case WF_OPERATION_HEIGHT_CLOSING:
    case WF_OPERATION_VOLUME_OPENING:
    case WF_OPERATION_VOLUME_CLOSING:
      return sizeof (float) + sizeof (guint32);
    case WF_OPERATION_MEDIAN:
      return levels + sizeof (guint64) + sizeof (float) + 1;
    case WF_OPERATION_THRESHOLD:
      return 1 + sizeof (guint64) + sizeof (float) + 1;
    case WF_OPERATION_REMOVE_SMALL:
    case WF_OPERATION_KEEP_LARGEST:
    case WF_OPERATION_EXPAND_LABELS:
    case WF_OPERATION_RELABEL:
      return 0;
    default:
      return levels;
    }
}

/* In colors. */
static gsize
count_colors (WfJob          *run,
              const WfSource *source)
{
  const gsize levels = wf_type_size (source->type);
  gsize       bytes  = wf_components_count (run->colors, source->type);

  if (wf_filter_wants_residue (run))
    bytes += wf_filter_wants_filtered (run) ? 4 * levels : levels;
  return bytes + (source->region.selection ? count_in_mask (run, levels) : 0);
}

/**
 * wf_filter_count_further:
 * @run: a run of a procedure whose data is a #WfFilter
 * @source: its source
 *
 * Returns: the bytes a pixel that a run takes beside the levels and the result, and within a mask
 *   beside the mask and a copy of the levels
 */
gsize
wf_filter_count_further (WfJob          *run,
                         const WfSource *source)
{
  const gsize levels = wf_type_size (source->type);

  if (wf_job_keeps_colors (run))
    return count_colors (run, source);
  return source->region.selection ? count_in_mask (run, levels) : 0;
}
