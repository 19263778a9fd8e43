/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The reconstruction of the image from a marker, which is the second input; without one the image
 * itself, lowered or raised by a height.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "buffers.h"
#include "colors.h"
#include "plugins/common/input/formats.h"
#include "plugins/reconstruction/marker-levels.h"
#include "plugins/reconstruction/notes.h"


/* The same luminance as that of the image. */
static gboolean
read_luminance (const WfGeglWork  *work,
                WfImage           *marker,
                GError           **error)
{
  WfImage  components[3] = { 0 };
  gboolean success       = wf_gegl_read_aux_components (work, components, error) &&
                           wf_colors_find_luminance (work->own, components, marker, error);

  for (int i = 0; i < 3; i++)
    wf_image_clear (&components[i]);
  return success;
}

static gboolean
make_marker (const WfGeglWork  *work,
             WfComponent        component,
             const WfImage     *levels,
             WfImage           *marker,
             GError           **error)
{
  const WfReconstructOptions    *options = work->options;
  const WfReconstructOwnOptions *own     = work->own_options;

  if (work->aux && work->colors == WF_COLORS_LUMINANCE && ! wf_format_is_grey (work->own))
    return read_luminance (work, marker, error);
  if (work->aux)
    return wf_gegl_read_aux (work, component, marker, error);
  if (! wf_image_allocate (marker, levels->type, levels->width, levels->height, 1, error))
    return FALSE;
  wf_marker_shift (levels, options->by == WF_BY_DILATION ? -own->height : own->height, marker);
  return TRUE;
}

/* Of WfGeglFilterFunc. */
static gboolean
reconstruct (const WfGeglWork  *work,
             WfComponent        component,
             WfImage           *levels,
             GError           **error)
{
  g_auto (WfImage) marker = { 0 };

  return make_marker (work, component, levels, &marker, error) &&
         wf_reconstruct (work->context, levels, &marker, levels, work->options, error);
}

static gboolean
compute (const WfGeglWork  *work,
         GError           **error)
{
  return wf_gegl_filter (work, reconstruct, error);
}

static const WfGeglKind kinds[] =
{
  {
    .operation    = WF_OPERATION_RECONSTRUCT,
    .own          = &wf_reconstruct_own_group,
    .notes        = wf_reconstruct_notes,
    .takes_colors = TRUE,
    .has_aux      = TRUE,
    .aux_label    = N_("Marker"),
    .compute      = compute,
  },
};

const WfGeglKinds wf_gegl_reconstructions = { kinds, G_N_ELEMENTS (kinds) };
