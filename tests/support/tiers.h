/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The two tiers of tests, and the seed of what they draw at random.
 *
 * WAVEFRONT_TEST_TIER   quick (default): enough cases for every type, connectivity, variant
 *                       and device; all: the full number
 * WAVEFRONT_TEST_CASES  the most cases of a loop, for a device that works slowly; the quick
 *                       tier takes a fifth of it
 * WAVEFRONT_TEST_SEED   a number, or a seed as GLib prints it: repeats a run
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void      tests_begin        (int    *argc,
                              char ***argv);
gboolean  test_is_quick      (void);
guint     test_count         (guint   quick,
                              guint   all);
guint     test_number_of_run (void);
gboolean  test_takes_turn    (guint   number,
                              guint   n_turns);

G_END_DECLS
