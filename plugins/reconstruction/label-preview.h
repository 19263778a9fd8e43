/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/preview/operation-preview.h"

G_BEGIN_DECLS

extern const WfPreviewKind wf_label_preview;

G_END_DECLS
