/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

char * wf_object_unit_find (GimpImage *image,
                            double     spacing[3]);

G_END_DECLS
