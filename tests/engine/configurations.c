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

  configuration->context = wf_context_new ();
  configuration->name    = g_strdup_printf ("%s, %d threads, tiles of %d",
                                            device, threads, tile_size);
  configuration->device  = g_strdup (device);
  configuration->threads = threads;
  wf_context_configure (configuration->context, &options, &error);
  g_assert_no_error (error);
}

/* On the CPU all combinations of threads and tiles, and no context at all; on
 * another device one for each size of tile.
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

const Configuration *
configurations_pick (const Configurations *configurations)
{
  return &configurations->items[g_test_rand_int_range (0, configurations->n)];
}

/* Whether the report names the device that was asked for, an algorithm that the
 * operation has, and no more threads than were allowed.
 */
gboolean
configuration_report_is_sane (const Configuration *configuration,
                              WfOperation          operation)
{
  const WfOptionGroup *group     = wf_operation_get_options (operation);
  const WfOption      *algorithm = wf_option_group_find (group, "algorithm");
  const WfReport      *report;

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
  for (const WfChoice *choice = algorithm->choices; choice->name; choice++)
    if (strcmp (choice->name, report->algorithm) == 0)
      return TRUE;
  return FALSE;
}
