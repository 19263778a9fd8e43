/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The color profile of linear light. */

#pragma once

#include <glib.h>

GBytes * linear_profile_new (void);
