/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "measuring.h"

G_BEGIN_DECLS

void wf_resolution_get_spacing (GimpImage *image,
                                double     spacing[3]);
gboolean wf_resolution_get_side (GimpImage             *image,
                                 WfDistanceMapOptions  *own,
                                 GError               **error);

G_END_DECLS
