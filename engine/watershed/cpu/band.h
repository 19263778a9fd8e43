/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One band of a larger image: see #WfFloodBand. */

#pragma once

#include "engine/core/tasks.h"

/* @image: what is flooded, with its margin */
gboolean wf_flood_band        (const WfWatershedTask  *task,
                               const WfImage          *image,
                               WfRun                  *run,
                               GError                **error);
guint64  wf_flood_band_memory (const WfWatershedTask  *task);
