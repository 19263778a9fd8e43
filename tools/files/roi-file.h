/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outlines as regions of interest of ImageJ. */

#pragma once

#include "wavefront.h"

/* Coordinates of a region of interest have 16 bits and a sign. */
#define ROI_FILE_MAX_SIDE G_MAXINT16

GByteArray * roi_file_format     (const WfOutline   *region,
                                  gboolean           is_stack);
GBytes *     roi_file_format_zip (const WfOutlines  *outlines,
                                  gboolean           is_stack,
                                  GError           **error);
