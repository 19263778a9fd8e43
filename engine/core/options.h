/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the engine's own rooms need of options.c beyond wavefront.h. */

#pragma once

#include <glib.h>

gboolean wf_device_name_parse (const char *name,
                               guint      *index);
