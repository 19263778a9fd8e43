/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The luminance of colours. */

#pragma once

#include <glib.h>

double luminance_encode    (double         luminance);
double luminance_of        (double         red,
                            double         green,
                            double         blue,
                            gboolean       linear);
void   luminance_of_u8     (const guint8  *colours,
                            gsize          n,
                            guint8        *levels);
void   luminance_of_u16    (const guint16 *colours,
                            gsize          n,
                            guint16       *levels);
