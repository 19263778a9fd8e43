/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "configurations.h"

static const int thread_counts[] = { 1, 2, 3 };
static const int tile_sizes[]    = { 1, 2, 3, 4, 7, 16, 64, 1000, 0 };

static void
configuration_init (Configuration *configuration,
                    const char    *device,
                    int            threads,
                    int            tile_size)
{
  WfContextOptions options;
  GError          *error = NULL;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device    = device;
  options.threads   = threads;
  options.tile_size = tile_size;

  configuration->context   = wf_context_new ();
  configuration->name      = g_strdup_printf ("%s, %d threads, tiles of %d",
                                              device, threads, tile_size);
  configuration->device    = g_strdup (device);
  configuration->threads   = threads;
  configuration->tile_size = tile_size;
  wf_context_configure (configuration->context, &options, &error);
  g_assert_no_error (error);
}

/* On the CPU all combinations of threads and tiles, and no context; on another device one
 * for each size of tiles.
 */
Configurations *
configurations_new (const char *device)
{
  Configurations *configurations = g_new0 (Configurations, 1);
  gboolean        cpu            = strcmp (device, "cpu") == 0;
  guint           n_threads      = cpu ? G_N_ELEMENTS (thread_counts) : 1;
  guint           n_tiles        = G_N_ELEMENTS (tile_sizes);

  configurations->items = g_new0 (Configuration, n_threads * n_tiles + 1);
  for (guint i = 0; i < n_threads; i++)
    for (guint k = 0; k < n_tiles; k++)
      configuration_init (&configurations->items[configurations->n++], device,
                          cpu ? thread_counts[i] : 0, tile_sizes[k]);
  if (cpu)
    configurations->items[configurations->n++].name = g_strdup ("no context");
  return configurations;
}

void
configurations_free (Configurations *configurations)
{
  for (guint i = 0; i < configurations->n; i++)
    {
      g_clear_pointer (&configurations->items[i].context, wf_context_unref);
      g_free (configurations->items[i].name);
      g_free (configurations->items[i].device);
    }
  g_free (configurations->items);
  g_free (configurations);
}

/* The engine chooses the widest vector instructions; this variable lowers the choice. */
#define INSTRUCTIONS "WAVEFRONT_SIMD"

static void
pick_instructions (void)
{
  static const char *const names[] = { "plain", "sse2", "avx2", "avx512" };

  g_setenv (INSTRUCTIONS, names[g_test_rand_int_range (0, G_N_ELEMENTS (names))], TRUE);
}

/* Any of the configurations, with any of the processor's instruction sets, with or without
 * partial outputs.
 */
const Configuration *
configurations_pick (const Configurations *configurations)
{
  const Configuration *configuration
    = &configurations->items[g_test_rand_int_range (0, configurations->n)];

  pick_instructions ();
  if (configuration->context)
    wf_context_set_partial_outputs (configuration->context, g_test_rand_bit ());
  return configuration;
}

/* One whose tiles are large enough for a large image not to take minutes. */
const Configuration *
configurations_pick_coarse (const Configurations *configurations)
{
  const Configuration *configuration;

  do
    configuration = configurations_pick (configurations);
  while (configuration->tile_size > 0 && configuration->tile_size < 7);
  return configuration;
}

char *
configuration_describe (const Configuration *configuration)
{
  return g_strdup_printf ("%s, instructions %s", configuration->name, g_getenv (INSTRUCTIONS));
}

void
configuration_note (const Configuration *configuration)
{
  g_autofree char *description = configuration_describe (configuration);

  g_test_message ("%s", description);
}

static const WfChoice *
algorithms_of (WfOperation operation)
{
  return wf_option_group_find (wf_operation_get_options (operation), "algorithm")->choices;
}

/* Whether the report names the requested device, the requested algorithm (or one that the
 * operation has), and no more threads than allowed.
 */
gboolean
configuration_report_is_sane (const Configuration *configuration,
                              WfOperation          operation,
                              const char          *algorithm)
{
  const WfReport *report;

  if (! configuration->context)
    return TRUE;

  report = wf_context_get_report (configuration->context);
  if (! report->device || strcmp (report->device, configuration->device) != 0)
    return FALSE;
  if (report->threads < 1 ||
      (configuration->threads > 0 && report->threads > (guint) configuration->threads))
    return FALSE;
  if (! (report->seconds >= 0))
    return FALSE;
  if (! report->algorithm || strcmp (report->algorithm, "auto") == 0)
    return FALSE;
  if (algorithm && strcmp (algorithm, "auto") != 0)
    return strcmp (algorithm, report->algorithm) == 0;
  for (const WfChoice *choice = algorithms_of (operation); choice->name; choice++)
    if (strcmp (choice->name, report->algorithm) == 0)
      return TRUE;
  return FALSE;
}


/*  Algorithms  */

/* Algorithms that only GPUs have. */
static const char *const of_gpus[] =
{
  "scan", "proximate", "proximate-strided", "basins", "raster", "queue-prefix",
  "queue-naive", "sync", "async", "balanced"
};

/* Whether the CPU never has it. */
gboolean
is_of_gpus (const char *algorithm)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_gpus); i++)
    if (strcmp (of_gpus[i], algorithm) == 0)
      return TRUE;
  return FALSE;
}

static const char *fixed_algorithm;

/* Makes random_algorithm() return @algorithm; NULL: any. */
void
fix_algorithm (const char *algorithm)
{
  fixed_algorithm = algorithm;
}

/* An algorithm that the CPU has for the operation, possibly not for every case; or "auto" or
 * NULL, which support every case.
 */
const char *
random_algorithm (WfOperation operation)
{
  const WfChoice *choices = algorithms_of (operation);
  int             n       = 0;
  int             chosen;

  if (fixed_algorithm)
    return fixed_algorithm;
  while (choices[n].name)
    n++;
  do
    chosen = g_test_rand_int_range (0, n + 1);
  while (chosen < n && is_of_gpus (choices[chosen].name));
  return chosen < n ? choices[chosen].name : NULL;
}

/* Whether @error says that the requested @algorithm does not support this case. */
gboolean
is_refused_algorithm (const char   *algorithm,
                      const GError *error)
{
  return algorithm && strcmp (algorithm, "auto") != 0 &&
         g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
}

void
count_run (GHashTable *runs,
           const char *algorithm)
{
  gpointer key = (gpointer) (algorithm ? algorithm : "auto");
  guint    n   = GPOINTER_TO_UINT (g_hash_table_lookup (runs, key));

  g_hash_table_insert (runs, key, GUINT_TO_POINTER (n + 1));
}

/* @runs: right results of each algorithm.  An algorithm of the CPU without any has not been
 * tested: a failure.
 */
void
assert_algorithms_ran (const Configurations *configurations,
                       WfOperation           operation,
                       GHashTable           *runs)
{
  gboolean cpu = strcmp (configurations->items[0].device, "cpu") == 0;

  for (const WfChoice *choice = algorithms_of (operation); choice->name; choice++)
    {
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (runs, choice->name));

      g_test_message ("%s: %u runs", choice->name, n);
      if (cpu && ! is_of_gpus (choice->name))
        g_assert_cmpuint (n, >, 0);
    }
}
