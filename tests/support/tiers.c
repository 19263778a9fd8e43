/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tiers.h"

#define SEED "WAVEFRONT_TEST_SEED"

/* WAVEFRONT_TEST_CASES allows the quick tier one case of this many. */
#define CASES_A_QUICK_ONE 5


/*  The seed  */

/* GLib's form, from what WAVEFRONT_TEST_SEED gives, or from chance. */
static char *
make_seed (void)
{
  const char *text   = g_getenv (SEED);
  guint64     number = g_random_int ();

  if (text && g_str_has_prefix (text, "R02S"))
    return g_strdup (text);
  if (text && ! g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &number, NULL))
    g_error (SEED "=%s is not a whole number", text);
  return g_strdup_printf ("R02S%08x%08x%08x%08x", (guint32) (number >> 32), (guint32) number,
                          0u, 0u);
}

/* Replaces g_test_init(): each test function draws from WAVEFRONT_TEST_SEED, or from a new seed
 * that GLib prints and that the kernels run by the CPU read, too.  --seed takes precedence.
 */
void
tests_begin (int    *argc,
             char ***argv)
{
  static char      **words;   /* GLib keeps pointers to them */
  g_autofree char   *seed = make_seed ();

  words = g_new0 (char *, *argc + 2);
  g_setenv (SEED, seed, TRUE);
  words[0] = (*argv)[0];
  words[1] = g_strdup_printf ("--seed=%s", seed);
  for (int i = 1; i < *argc; i++)
    words[i + 1] = (*argv)[i];
  *argc += 1;
  *argv  = words;
  /* results bypass the caches from the same size on, whatever the processor */
  g_setenv ("WAVEFRONT_CACHE_BYTES", "0", FALSE);
  g_test_init (argc, argv, NULL);
}


/*  The tier  */

gboolean
test_is_quick (void)
{
  const char *tier = g_getenv ("WAVEFRONT_TEST_TIER");

  if (! tier || g_str_equal (tier, "quick"))
    return TRUE;
  if (! g_str_equal (tier, "all"))
    g_error ("WAVEFRONT_TEST_TIER=%s is neither quick nor all", tier);
  return FALSE;
}

/* One of so many random cases of the tier "all" is taken, unless WAVEFRONT_TEST_LONG is set: each
 * run draws others.  The build with AddressSanitizer looks at memory, and is three times as slow.
 */
#ifdef __SANITIZE_ADDRESS__
#define CASES_A_TAKEN_ONE 9
#else
#define CASES_A_TAKEN_ONE 3
#endif

/* The same of the combinations that take turns; kernels that are run by the CPU are slower. */
#define TURNS         3
#define TURNS_LIMITED 4

static gboolean
is_long (void)
{
  return g_getenv ("WAVEFRONT_TEST_LONG") != NULL;
}

static gboolean
is_limited (void)
{
  return g_getenv ("WAVEFRONT_TEST_CASES") != NULL;
}

/**
 * test_number_of_run:
 *
 * Returns: a number that is the same in all of a run, and another one in the next
 */
guint
test_number_of_run (void)
{
  const char *seed = g_getenv (SEED);

  return seed ? g_str_hash (seed) : 0;
}

/**
 * test_count:
 * @quick: in the quick tier
 * @all: in the tier "all" with WAVEFRONT_TEST_LONG; without it a third of them, with
 *   AddressSanitizer a ninth
 *
 * Returns: how many cases a loop takes
 */
guint
test_count (guint quick,
            guint all)
{
  const char *limit = g_getenv ("WAVEFRONT_TEST_CASES");
  guint       most  = limit ? (guint) g_ascii_strtoull (limit, NULL, 10) : G_MAXUINT;

  return test_is_quick () ? MIN (quick, MAX (1, most / CASES_A_QUICK_ONE))
                          : MIN (MAX (quick, is_long () ? all : all / CASES_A_TAKEN_ONE), most);
}

/**
 * test_takes_turn:
 * @number: of a case
 * @n_turns: one case of this number belongs to the quick tier
 *
 * For loops over all combinations of several lists: where @number is the sum of the places in
 * them, each place has its turn.
 *
 * Returns: whether this tier has the case; without WAVEFRONT_TEST_LONG every third one, and with
 *   kernels that are run by the CPU every fourth one, in each run others
 */
gboolean
test_takes_turn (guint number,
                 guint n_turns)
{
  const guint every = is_limited () ? TURNS_LIMITED : is_long () ? 1 : TURNS;

  if (test_is_quick ())
    return number % n_turns == 0;
  return (number + test_number_of_run ()) % every == 0;
}
