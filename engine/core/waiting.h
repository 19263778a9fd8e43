/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

/* To be called before @team threads work together. */
void wf_shorten_waits    (guint team);

/* For tests: whatever the number of processors; once in a process. */
void wf_shorten_waits_of (guint n_threads);
