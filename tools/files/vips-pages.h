/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which planes of a file are read, and opening them. */

#pragma once

#include <vips/vips.h>

#include "choice.h"

VipsImage * vips_pages_open (const char    *path,
                             const Choice  *choice,
                             VipsAccess     access,
                             GString       *notes);
