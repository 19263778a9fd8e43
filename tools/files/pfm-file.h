/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Portable float maps: 32-bit floating point in a plain file. */

#pragma once

#include "choice.h"

gboolean pfm_file_is_likely
                        (const char     *path);
gboolean pfm_file_read  (const char     *path,
                         const Choice   *choice,
                         WfImage        *image,
                         GError        **error);
gboolean pfm_file_write (int             descriptor,
                         const WfImage  *image,
                         GError        **error);
