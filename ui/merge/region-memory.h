/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gpointer wf_region_memory_new (gint64   n_basins,
                               gsize    size,
                               GError **error);

G_END_DECLS
