/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#define WF_LABEL_TABLE wf_label_avx512
#include "bit-rows.inc.h"
