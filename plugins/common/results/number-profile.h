/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

GimpColorProfile * wf_number_profile_new (guint16 highest);

G_END_DECLS
