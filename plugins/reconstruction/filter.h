/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "notes.h"
#include "plugins/common/procedure/plug-in.h"

G_BEGIN_DECLS

/**
 * WfFilter:
 * @frame: title of the frame that its options are in, to be translated
 * @layer_name: of the new layer, with %s for the old one, to be translated
 * @residue_name: (nullable): of a second layer with the change, if
 *   the procedure's own options are #WfResidueOptions
 * @residue_value: the name of the return value of the second layer
 * @next: whether the next step works on the result, if it marks pixels; it does so on all others
 * @adapt: (nullable): changes the operation's @options by the procedure's @own ones, as @levels
 *   need it, of which those inside @mask count
 * @report: (nullable): sets further return values of a run with adapted options
 *
 * The words of a procedure that is one operation from an image to an image.
 */
typedef struct
{
  const char *frame;
  const char *layer_name;
  const char *residue_name;
  const char *residue_value;
  gboolean    next;
  gboolean (* adapt)  (gconstpointer   own,
                       const WfImage  *levels,
                       const WfImage  *mask,
                       gpointer        options,
                       GError        **error);
  void     (* report) (WfJob          *run);
} WfFilter;

/**
 * WfResidueOptions:
 * @filtered: whether to make a layer with the result
 * @residue: whether to make a layer with the change
 */
typedef struct
{
  gsize    size;
  gboolean filtered;
  gboolean residue;
} WfResidueOptions;

void     wf_filter_add_values       (GimpProcedure      *procedure);
void     wf_filter_add_dome_values  (GimpProcedure      *procedure);
void     wf_filter_add_basin_values (GimpProcedure      *procedure);
void     wf_filter_fill_dialog      (WfDialog           *dialog);
gboolean wf_filter_gives_marks      (const WfProcedure  *procedure);
gboolean wf_filter_wants_residue    (WfJob              *run);
gboolean wf_filter_wants_filtered   (WfJob              *run);
gsize    wf_filter_count_further    (WfJob              *run,
                                     const WfSource     *source);
gboolean wf_filter_run              (WfJob              *run,
                                     GError            **error);

G_END_DECLS
