/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/color/color-filter.h"
#include "plugins/common/input/source.h"

G_BEGIN_DECLS

/**
 * WfFilterStep:
 * @context: of the computation
 * @operation: from levels to levels
 * @mask: (nullable): u8, 0 outside; %NULL or empty: all pixels count
 * @options: of @operation
 * @residue: whether the change is the result
 *
 * A filter, of which wf_filter_step() makes a #WfColorFilter.
 */
typedef struct
{
  WfContext     *context;
  WfOperation    operation;
  const WfImage *mask;
  gconstpointer  options;
  gboolean       residue;
} WfFilterStep;

gboolean wf_filter_step         (WfComponent      component,
                                 WfImage         *levels,
                                 gpointer         step,
                                 GError         **error);
gboolean wf_components_copy     (const WfImage    components[3],
                                 WfImage          copy[3],
                                 GError         **error);
void     wf_components_clear    (WfImage          components[3]);
gsize    wf_components_count    (WfColorWay       way,
                                 WfType           type);

G_END_DECLS
