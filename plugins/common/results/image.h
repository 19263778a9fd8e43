/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "layer.h"

G_BEGIN_DECLS

GimpImage * wf_result_image_new (WfJob      *run,
                                 const char *name,
                                 guint32     highest,
                                 WfRowFunc   func,
                                 gpointer    data);

G_END_DECLS
