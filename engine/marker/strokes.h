/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/core/point-list.h"

G_BEGIN_DECLS

#define WF_WIDEST_STROKE 1000

struct _WfStrokes
{
  WfPointList list;
};

G_END_DECLS
