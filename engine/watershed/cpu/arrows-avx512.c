/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "arrows.h"

#define WF_ARROW_TABLE wf_arrows_avx512
#include "arrows-types.inc.h"
