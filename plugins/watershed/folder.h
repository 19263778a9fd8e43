/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/folder/kind.h"

G_BEGIN_DECLS

extern const WfFolderKind wf_watershed_folder;

G_END_DECLS
