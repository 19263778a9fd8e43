/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a watershed of an image larger than memory floods, where that is not kept. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "band-relief.h"
#include "engine/blocks/block-options.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"


static gboolean
make_relief (WfContext                 *context,
             const WfBlockSource       *image,
             const WfBlockSink         *relief,
             const WfWatershedOptions  *options,
             gint64                     rows,
             GError                   **error)
{
  WfBandRelief       made = { 0 };
  WfWatershedOptions taken;
  gboolean           done;

  if (! wf_source_check (image, _("image"), error) ||
      ! wf_operation_take (WF_OPERATION_WATERSHED, options, &taken, error))
    return FALSE;
  wf_band_relief_init (&made, context, image, &taken);
  done = wf_band_filter_write (&made.filter, context, relief, rows, error);
  wf_band_relief_clear (&made);
  return done;
}

/**
 * wf_watershed_make_relief_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: as for wf_watershed_blocks()
 * @relief: takes an image of the type and size of @image
 * @options: with smoothing, a gradient or both; nothing else of it counts
 * @blocks: (nullable): how many rows a block has at most, …
 * @error: as wf_watershed_make_relief() sets it, and those of @image and @relief
 *
 * Makes the image that wf_watershed_blocks() floods with these options and does not keep: that of
 * wf_watershed_make_relief().  @image is read once, in blocks of whole rows or slices, each with as
 * many around it as the filters look at; @relief is written once, in raster order.
 *
 * Time: that of wf_watershed_make_relief(), plus reading and writing.  Memory: within the context's
 * limit, blocks included.
 *
 * Returns: %FALSE with @error set; then part of @relief may have been written.
 */
gboolean
wf_watershed_make_relief_blocks (WfContext                 *context,
                                 const WfBlockSource       *image,
                                 const WfBlockSink         *relief,
                                 const WfWatershedOptions  *options,
                                 const WfBlockOptions      *blocks,
                                 GError                   **error)
{
  g_autoptr (WfContext) own = wf_context_ensure (context);
  WfBlockOptions        taken;
  WfJointWork           joint;

  g_return_val_if_fail (image != NULL && relief != NULL, FALSE);

  wf_joint_work_begin (&joint, own);
  return wf_joint_work_end (&joint, wf_block_options_take (blocks, &taken, error) &&
                                    wf_sink_check_room (relief, _("relief"), error) &&
                                    make_relief (own, image, relief, options, taken.rows, error),
                            error);
}
