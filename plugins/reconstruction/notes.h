/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/argument-note.h"

G_BEGIN_DECLS

/* In a greyscale image, more than the noise and less than the contrast of an object. */
#define WF_USUAL_HEIGHT 0.1

/**
 * WfReconstructOwnOptions:
 * @height: by which the layer is lowered or raised to be the marker
 *
 * The reconstruction's own options.
 */
typedef struct
{
  gsize  size;
  double height;
} WfReconstructOwnOptions;

extern const WfArgumentNote wf_height_notes[];
extern const WfArgumentNote wf_attribute_notes[];
extern const WfArgumentNote wf_reconstruct_notes[];
extern const WfOptionGroup  wf_reconstruct_own_group;

G_END_DECLS
