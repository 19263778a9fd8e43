/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

guint64 estimate_memory (WfOperation     operation,
                         const WfImage  *image,
                         gconstpointer   options,
                         GError        **error);

G_END_DECLS
