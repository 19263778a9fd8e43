/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What .zarray says of an array. */

#pragma once

#include "array.h"

gboolean zarr_header_parse (ZarrArray       *array,
                            JsonObject      *header,
                            GError         **error);
void     zarr_header_build (const ZarrArray *array,
                            JsonBuilder     *builder);
