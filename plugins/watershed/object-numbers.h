/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "object-view.h"

G_BEGIN_DECLS

void wf_object_numbers_connect (WfDialog     *dialog,
                                WfObjectView *objects);

G_END_DECLS
