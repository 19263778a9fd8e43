/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

guint wf_count_processors (void);
