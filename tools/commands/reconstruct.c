/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "commands.h"
#include "tools/files/input.h"
#include "tools/message.h"


static gboolean
check_match (const Input  *inputs,
             GError      **error)
{
  const Input *mask   = &inputs[0];
  const Input *marker = &inputs[1];

  if (mask->image.type == marker->image.type)
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("The mask “%s” has pixels of type %s, but the marker “%s” of type %s."),
               mask->name, wf_type_name (mask->image.type),
               marker->name, wf_type_name (marker->image.type));
  return FALSE;
}

const Command command_reconstruct =
{
  .operation    = WF_OPERATION_RECONSTRUCT,
  .check_inputs = check_match,
  .notes        = N_("By dilation MARKER is first lowered to MASK, then dilated by one "
                     "neighborhood and limited to MASK repeatedly until nothing changes, which "
                     "gives OUT; by erosion OUT is the dual. MASK, MARKER and OUT have the same "
                     "size and type."),
  .examples     = "  wavefront reconstruct cells.png seeds.png -o filled.png\n"
                  "  wavefront reconstruct mask.raw marker.raw --raw 4096x4096:u16 -o out.raw\n",
};
