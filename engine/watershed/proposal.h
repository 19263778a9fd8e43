/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The copy of an image that a first look is at. */

#pragma once

#include <glib/gi18n-lib.h>

#include "wavefront.h"

gboolean wf_proposal_copy_small (const WfImage  *levels,
                                 gint64          largest,
                                 WfImage        *copy,
                                 gint64         *step,
                                 GError        **error);
