/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#define WF_VECTOR_PLAIN
#define WF_LABEL_TABLE wf_label_plain
#include "bit-rows.inc.h"
