/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "outputs.h"

G_BEGIN_DECLS

gboolean wf_basin_outlines_add_paths  (WfJob           *run,
                                       const WfBasins  *basins,
                                       GError         **error);
gboolean wf_basin_outlines_check_file (GFile           *file,
                                       GError         **error);
gboolean wf_basin_outlines_write      (WfJob           *run,
                                       const WfBasins  *basins,
                                       GFile           *file,
                                       GError         **error);

G_END_DECLS
