/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The work of a run.  Several selected layers are processed one after the other.  The image is
 * changed in one place only, at the end, when everything has been computed (finish()); if GIMP's
 * Cancel ends the process before, or one of several layers fails, the image is unchanged.
 *
 * A procedure's own return values are those of the first layer; "layers" has the layers made for
 * all of them.
 */

#include "config.h"

#include <time.h>

#include <glib/gi18n-lib.h>

#include "job.h"
#include "plug-in.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/script/history.h"
#include "plugins/common/swap/swap.h"
#include "work.h"

/* Bytes of the largest pixel, and of the smallest tile cache. */
#define LARGEST_PIXEL    16
#define LEAST_TILE_CACHE (G_GUINT64_CONSTANT (1) << 24)


static void
progress (double   fraction,
          gpointer run)
{
  wf_job_set_progress (run, fraction);
}

/* Reports the same notice only once for several layers. */
static void
report_notice (WfJob      *run,
               const char *notice)
{
  if (! notice || g_strcmp0 (notice, run->notice) == 0)
    return;

  wf_job_report (run, notice);
  g_free (run->notice);
  run->notice = g_strdup (notice);
}

static gboolean
work_on (WfJob           *run,
         const WfSource  *source,
         GError         **error)
{
  const guint     n_swapped = wf_swap_count ();
  const WfReport *report;

  run->source   = source;
  run->drawable = source->slices[0].drawable;
  run->region   = source->region;
  run->type     = source->type;
  if (! run->procedure->run (run, error))
    return FALSE;
  wf_swap_clear_after (n_swapped);

  report = wf_context_get_report (run->context);
  g_value_set_string (wf_job_get_value (run, "device"), report->device);
  report_notice (run, report->notice);
  return TRUE;
}

/* Each source has a share of the progress in proportion to its size. */
static gboolean
work_on_all (WfJob   *run,
             GError **error)
{
  GimpProcedure  *procedure = gimp_procedure_config_get_procedure (run->config);
  GimpValueArray *values    = run->values;
  gboolean        success   = TRUE;
  double          n_pixels  = 0;
  double          n_done    = 0;

  for (guint i = 0; i < run->sources->len; i++)
    n_pixels += wf_source_n_pixels (run->sources->pdata[i]);

  for (guint i = 0; i < run->sources->len && success; i++)
    {
      run->part_start = n_done / n_pixels;
      n_done         += wf_source_n_pixels (run->sources->pdata[i]);
      run->part_end   = n_done / n_pixels;
      wf_job_set_stage (run, 0.0, 1.0);

      if (i > 0)
        run->values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
      success = work_on (run, run->sources->pdata[i], error);
      if (i > 0)
        gimp_value_array_unref (run->values);
      run->values = values;
    }
  return success;
}

static void
add_history (WfJob *run)
{
  for (guint i = 0; i < run->results->len; i++)
    wf_result_add_history (run, run->results->pdata[i]);
  for (guint i = 0; i < run->images->len; i++)
    {
      const WfSource         *source = wf_job_get_source (run->images->pdata[i]);
      g_autofree GimpLayer  **layers = gimp_image_get_layers (run->images->pdata[i]);

      gimp_image_undo_disable (run->images->pdata[i]);
      for (gsize k = 0; layers[k]; k++)
        wf_history_add (run, source, GIMP_ITEM (layers[k]));
      gimp_image_undo_enable (run->images->pdata[i]);
    }
}

/* The only place where the image changes. */
static void
finish (WfJob *run)
{
  wf_history_begin (run);
  gimp_image_undo_group_start (run->image);
  wf_results_insert (run);
  add_history (run);
  wf_job_make_changes (run);
  gimp_image_undo_group_end (run->image);

  if (run->mode != GIMP_RUN_NONINTERACTIVE)
    for (guint i = 0; i < run->images->len; i++)
      gimp_display_new (run->images->pdata[i]);
  g_value_take_boxed (wf_job_get_value (run, "layers"), wf_results_list (run));
}

static void
give_up (WfJob *run)
{
  wf_results_delete (run);
  for (guint i = 0; i < run->images->len; i++)
    gimp_image_delete (run->images->pdata[i]);
}

/* GEGL caches tiles that were read from GIMP or will be written to it, up to the size of GIMP's
 * own cache.  Here each tile is needed once: two rows of tiles are
 * enough, and a larger cache would hold a second copy of the layer.
 */
static void
limit_tile_cache (WfJob *run)
{
  const guint64 size = G_GUINT64_CONSTANT (2) * LARGEST_PIXEL * (guint64) gimp_tile_height () *
                       (guint64) gimp_image_get_width (run->image);

  g_object_set (gegl_config (), "tile-cache-size", MAX (size, LEAST_TILE_CACHE), NULL);
}

/**
 * wf_job_work:
 * @run: a run whose sources are open
 * @error: as the procedure sets it
 *
 * Computes all, and then changes the image.
 *
 * Returns: %FALSE with @error set; then the image is unchanged
 */
gboolean
wf_job_work (WfJob   *run,
             GError **error)
{
  const WfOptionGroup *operation = wf_operation_get_options (run->procedure->operation);
  gint64               start     = g_get_monotonic_time ();
  clock_t              ticks     = clock ();
  gboolean             success;

  limit_tile_cache (run);
  if (! run->watch)
    gimp_progress_init (g_dgettext (GETTEXT_PACKAGE, operation->title));
  wf_context_set_progress (run->context, progress, run);
  success = work_on_all (run, error);
  if (success)
    finish (run);
  else
    give_up (run);
  if (! run->watch)
    gimp_progress_end ();
  g_debug ("%s: %.6f s, processors %.6f s", run->procedure->name,
           (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC,
           (double) (clock () - ticks) / CLOCKS_PER_SEC);
  return success;
}
