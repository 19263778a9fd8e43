/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "source.h"

G_BEGIN_DECLS

gboolean wf_sources_suit (GPtrArray    *sources,
                          WfOperation   operation,
                          GError      **error);

G_END_DECLS
