/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whole images in the format of an output. */

#pragma once

#include "output.h"

gboolean output_write_pixels (const Output   *output,
                              int             descriptor,
                              const WfImage  *image,
                              WfContent       content,
                              GError        **error);
