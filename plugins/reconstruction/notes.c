/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the options of the filters mean in GIMP, and the own options of the reconstruction. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "notes.h"

const WfArgumentNote wf_height_notes[] =
{
  { "height", WF_USUAL_HEIGHT, N_("Height of the extrema") },
  { NULL, 0, NULL }
};

/* More than noise and specks have, and less than objects. */
const WfArgumentNote wf_attribute_notes[] =
{
  { "area", 100, NULL },
  { "height", WF_USUAL_HEIGHT, NULL },
  { "volume", 100 * WF_USUAL_HEIGHT, NULL },
  { NULL, 0, NULL }
};

static const WfOption own_options[] =
{
  { "height", WF_OPTION_REAL, G_STRUCT_OFFSET (WfReconstructOwnOptions, height),
    N_("_Height"),
    N_("Without a marker layer: the height by which this layer is lowered or raised to be the "
       "marker; lower peaks or shallower minima are removed"),
    "H", 0, G_MAXDOUBLE, 0, NULL, .meaning = WF_OPTION_LEVEL },
};

const WfOptionGroup wf_reconstruct_own_group =
{
  "plug-in-wavefront-reconstruct", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (WfReconstructOwnOptions)
};

const WfArgumentNote wf_reconstruct_notes[] =
{
  { "height", 0.15, NULL },
  { NULL, 0, NULL }
};
