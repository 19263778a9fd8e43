/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

void wf_icon_set (GimpProcedure *procedure);

G_END_DECLS
