/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void wf_spacing_from_resolution (double x_per_inch,
                                 double y_per_inch,
                                 double units_per_inch,
                                 double spacing[3]);

G_END_DECLS
