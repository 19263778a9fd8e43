/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Overviews of an image that several processes have written. */

#pragma once

#include "array.h"
#include "tools/files/tile-rows.h"

gboolean zarr_overview_make (const ZarrArray    *larger,
                             const ZarrArray    *array,
                             const TilePyramid  *pyramid,
                             guint               level,
                             gboolean            pick,
                             guint               n_threads,
                             GError            **error);
