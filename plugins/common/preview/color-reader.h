/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/input/region.h"
#include "plugins/common/input/slice.h"
#include "ui/preview/fetch.h"

G_BEGIN_DECLS

typedef struct _WfColorReader WfColorReader;

/**
 * WfColorRowFunc:
 * @column: the first pixel, in the region
 * @row: likewise
 * @n: number of pixels, to the right
 * @colors: red, green, blue and alpha of each, non-linear
 * @data: as given
 *
 * Receives the colors of a row.
 */
typedef void (* WfColorRowFunc) (int          column,
                                 int          row,
                                 int          n,
                                 const float *colors,
                                 gpointer     data);

WfColorReader * wf_color_reader_new       (const WfSlice       *slice);
void            wf_color_reader_free      (WfColorReader       *reader);
gboolean        wf_color_reader_is_valid  (const WfColorReader *reader);
gboolean        wf_color_reader_has_alpha (const WfColorReader *reader);

void            wf_color_reader_begin     (WfColorReader       *reader,
                                           const WfRegion      *region);
void            wf_color_reader_fetch     (WfColorReader       *reader,
                                           WfFetch             *fetch,
                                           WfColorRowFunc       func,
                                           gpointer             data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfColorReader, wf_color_reader_free)

G_END_DECLS
