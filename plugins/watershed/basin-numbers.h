/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "outputs.h"

G_BEGIN_DECLS

gboolean wf_basin_numbers_make (WfJob           *run,
                                const WfBasins  *basins,
                                GError         **error);

G_END_DECLS
