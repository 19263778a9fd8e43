/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/arguments.h"
#include "tools/blocks.h"
#include "tools/files/input.h"
#include "tools/message.h"


static gboolean
check_match (const Input  *mask,
             const Input  *marker,
             GError      **error)
{
  if (mask->image.type == marker->image.type)
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("The mask “%s” has pixels of type %s, but the marker “%s” of type %s."),
               mask->name, wf_type_name (mask->image.type),
               marker->name, wf_type_name (marker->image.type));
  return FALSE;
}

/* Of Command. */
static gboolean
reads_result (const Arguments *arguments)
{
  return blocks_find_way (arguments) != WF_BLOCKS_SUMMARY;
}

/* Of BlockFunc. */
static gboolean
reconstruct_blocks (WfContext            *context,
                    const WfBlockSource  *sources,
                    const WfBlockSink    *sink,
                    gpointer              data,
                    GError              **error)
{
  const Arguments      *arguments = data;
  const WfBlockOptions  blocks    = { .size = sizeof blocks,
                                      .way  = (int) blocks_find_way (arguments) };

  return wf_reconstruct_blocks (context, &sources[0], &sources[1], sink, arguments->options,
                                &blocks, error);
}

const Command command_reconstruct =
{
  .operation    = WF_OPERATION_RECONSTRUCT,
  .check_inputs = check_match,
  .blocks       = blocks_ways,
  .run_blocks   = reconstruct_blocks,
  .reads_result = reads_result,
  .notes        = N_("By dilation MARKER is first lowered to MASK, then dilated by one "
                     "neighborhood and limited to MASK repeatedly until nothing changes, which "
                     "gives OUT; by erosion OUT is the dual. MASK, MARKER and OUT have the same "
                     "size and type.\n\n"
                     "In blocks, auto and queue visit a block again where its neighbor changes it; "
                     "unless OUT is a .raw file, the result is in a temporary file beside OUT "
                     "until it is complete. summary reads all twice and writes it once, whatever "
                     "the image is, and takes more memory."),
  .examples     = "  wavefront reconstruct cells.png seeds.png -o filled.png\n"
                  "  wavefront reconstruct mask.raw marker.raw --raw 4096x4096:u16 -o out.raw\n",
};
