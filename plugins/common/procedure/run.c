/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One run of a procedure, from GIMP's call to its return values.
 *
 * This is the common part of all procedures: the checks of image and layers, the run
 * modes, the engine's context with its progress, the results, and the status of
 * an error.  Several selected layers are processed one
 * after the other.  The image is changed in one place only, at the end, when
 * everything has been computed (finish()); if GIMP's Cancel ends the process
 * before, or one of several layers fails, the image is unchanged.
 *
 * A procedure's own return values are those of the first layer; "layers" has the layers made for
 * all of them.
 */

#include "config.h"

#include <string.h>
#include <time.h>

#include <glib/gi18n-lib.h>

#include "memory-limit.h"
#include "plug-in.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/input/threshold-scale.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/script/history.h"
#include "plugins/common/swap/swap.h"

/* Bytes of the largest pixel, and of the smallest tile cache. */
#define LARGEST_PIXEL    16
#define LEAST_TILE_CACHE (G_GUINT64_CONSTANT (1) << 24)

/* Of a new image, from what it was made. */
#define SOURCE "wavefront-source"

typedef struct
{
  WfChangeFunc   func;
  gpointer       data;
  GDestroyNotify destroy;
} Change;


/*  What the procedures call  */

/**
 * wf_job_read:
 * @run: the run
 * @image: set to the levels of the region, a slice for each layer of a stack; to be
 *   cleared by the caller
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory.
 */
gboolean
wf_job_read (WfJob    *run,
             WfImage  *image,
             GError  **error)
{
  return wf_source_read (run->source, image, error);
}

/**
 * wf_job_read_mask:
 * @run: the run
 * @mask: set to a new image of the size of the levels: u8, 0 where nothing is selected; left empty
 *   if there is no selection, or a rectangular one; to be cleared by the caller
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory.
 */
gboolean
wf_job_read_mask (WfJob    *run,
                  WfImage  *mask,
                  GError  **error)
{
  return wf_region_read_mask (&run->region, run->source->n_slices, mask, error);
}

/**
 * wf_job_add_change:
 * @run: the run
 * @func: changes the image
 * @data: for @func
 * @destroy: (nullable): frees @data, whether or not @func was called
 *
 * Calls @func if the run succeeds, after the layers were inserted, in the same undo step.
 */
void
wf_job_add_change (WfJob          *run,
                   WfChangeFunc    func,
                   gpointer        data,
                   GDestroyNotify  destroy)
{
  Change change = { func, data, destroy };

  g_array_append_val (run->changes, change);
}

/**
 * wf_job_add_image:
 * @run: the run
 * @image: a new image
 *
 * Shows @image if the run succeeds and is not non-interactive, and deletes it if the
 * run fails.
 */
void
wf_job_add_image (WfJob     *run,
                  GimpImage *image)
{
  g_object_set_data (G_OBJECT (image), SOURCE, (gpointer) run->source);
  g_ptr_array_add (run->images, image);
}

/**
 * wf_job_set_stage:
 * @run: the run
 * @start: the progress of the layer at the start of the stage, from 0 to 1
 * @end: the progress at its end
 *
 * Sets the part of the whole progress to which wf_job_set_progress() refers.
 */
void
wf_job_set_stage (WfJob  *run,
                  double  start,
                  double  end)
{
  double length = run->part_end - run->part_start;

  run->stage_start = run->part_start + start * length;
  run->stage_end   = run->part_start + end * length;
  wf_job_set_progress (run, 0);
}

/**
 * wf_job_set_progress:
 * @run: the run
 * @fraction: the progress of the present stage, from 0 to 1
 */
void
wf_job_set_progress (WfJob  *run,
                     double  fraction)
{
  const double whole = run->stage_start + fraction * (run->stage_end - run->stage_start);

  if (run->watch)
    run->watch->progress (whole, run->watch->data);
  else
    gimp_progress_update (whole);
}

/**
 * wf_job_makes_colors:
 * @run: the run
 *
 * Returns: whether new layers hold colors: the image is RGB, or becomes RGB with them
 */
gboolean
wf_job_makes_colors (const WfJob *run)
{
  return gimp_image_get_base_type (run->image) != GIMP_GRAY ||
         (wf_line_color_is_used (run) && wf_line_color_wants_rgb (run));
}

/**
 * wf_job_keeps_colors:
 * @run: the run, with its options
 *
 * Returns: whether results are made of the colors of its drawable, not of one level of each pixel
 */
gboolean
wf_job_keeps_colors (const WfJob *run)
{
  return run->colors != WF_COLORS_GRAY && ! gimp_drawable_is_gray (run->drawable);
}

/**
 * wf_job_read_components:
 * @run: the run, which keeps colors
 * @components: set to red, green and blue of the region, as wf_job_read() sets levels; to be
 *   cleared by the caller, also after an error
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory.
 */
gboolean
wf_job_read_components (WfJob    *run,
                        WfImage   components[3],
                        GError  **error)
{
  WfSource source = *run->source;

  for (int i = 0; i < 3; i++)
    {
      source.component = (WfComponent) (WF_COMPONENT_RED + i);
      if (! wf_source_read (&source, &components[i], error))
        return FALSE;
    }
  return TRUE;
}

/**
 * wf_job_get_format:
 * @run: the run
 *
 * Returns: the format of the pixels that are read
 */
const Babl *
wf_job_get_format (const WfJob *run)
{
  return wf_slice_get_format (&run->source->slices[0]);
}

/**
 * wf_job_report:
 * @run: the run
 * @message: a sentence for the user
 *
 * Reports a message that is not an error: through GIMP, or on the terminal in a
 * non-interactive run.
 */
void
wf_job_report (WfJob      *run,
               const char *message)
{
  if (run->mode == GIMP_RUN_NONINTERACTIVE)
    g_printerr ("%s: %s\n", run->procedure->name, message);
  else
    gimp_message (message);
}

/**
 * wf_job_get_value:
 * @run: the run
 * @name: of a return value
 *
 * Returns: (transfer none): the value to set
 */
GValue *
wf_job_get_value (WfJob      *run,
                  const char *name)
{
  GimpProcedure  *procedure = gimp_procedure_config_get_procedure (run->config);
  GParamSpec    **values;
  int             n_values;

  values = gimp_procedure_get_return_values (procedure, &n_values);
  for (int i = 0; i < n_values; i++)
    if (strcmp (values[i]->name, name) == 0)
      return gimp_value_array_index (run->values, i + 1);

  g_return_val_if_reached (NULL);
}


/*  The steps of a run  */

static gboolean
refuse (GError     **error,
        const char  *message)
{
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, message);
  return FALSE;
}

static gboolean
check_drawables (GimpImage     *image,
                 GimpDrawable **drawables,
                 GError       **error)
{
  if (gimp_core_object_array_get_length ((GObject **) drawables) == 0)
    return refuse (error, _("There is no layer to work on."));

  for (gsize i = 0; drawables[i]; i++)
    if (gimp_item_get_image (GIMP_ITEM (drawables[i])) != image)
      return refuse (error, _("The layer belongs to another image."));
  return TRUE;
}

static gboolean
is_limited_by_selection (WfJob *run)
{
  return ! run->procedure->takes_selection || ! run->procedure->takes_selection (run);
}

/* New layers convert an indexed image to RGB.  A dialog says so; a script has to ask for it. */
static gboolean
may_convert (const WfJob *run)
{
  gboolean wanted = FALSE;

  if (run->mode != GIMP_RUN_NONINTERACTIVE)
    return TRUE;
  if (wf_line_color_is_used (run))
    g_object_get (run->config, WF_TO_RGB, &wanted, NULL);
  return wanted;
}

/* Looks at the present state of the image: while a dialog is open the user may select
 * something else, convert the image or delete the layer.
 */
static gboolean
look_at_image (WfJob   *run,
               GError **error)
{
  for (gsize i = 0; run->drawables[i]; i++)
    if (! gimp_item_is_valid (GIMP_ITEM (run->drawables[i])))
      return refuse (error, _("The layer was deleted."));
  if (gimp_image_get_base_type (run->image) == GIMP_INDEXED && ! may_convert (run))
    return refuse (error,
                   _("The image is indexed, and the numbers of colors in a palette have no "
                     "order: convert it to RGB or grayscale first."));

  run->drawable = run->drawables[0];
  run->type     = wf_pixels_get_type (run->drawable);
  return wf_region_init (&run->region, run->drawable, is_limited_by_selection (run), error);
}

static void
clear (WfJob *run)
{
  for (guint i = 0; i < run->changes->len; i++)
    {
      Change *change = &g_array_index (run->changes, Change, i);

      if (change->destroy)
        change->destroy (change->data);
    }
  g_clear_pointer (&run->changes, g_array_unref);
  if (run->home)
    gimp_image_delete (run->home);
  run->home   = NULL;
  run->to_rgb = FALSE;
  g_clear_pointer (&run->results, g_ptr_array_unref);
  g_clear_pointer (&run->images, g_ptr_array_unref);
  g_clear_pointer (&run->histories, g_ptr_array_unref);
  g_clear_pointer (&run->sources, g_ptr_array_unref);
  wf_swap_end ();
  g_clear_pointer (&run->context, wf_context_unref);
  g_clear_pointer (&run->values, gimp_value_array_unref);
  g_clear_pointer (&run->operation, g_free);
  g_clear_pointer (&run->own, g_free);
  g_clear_pointer (&run->notice, g_free);
}

static gboolean
read_arguments (WfJob   *run,
                GError **error)
{
  const WfProcedure   *procedure = run->procedure;
  const WfOptionGroup *operation = wf_operation_get_options (procedure->operation);
  GObject             *config    = G_OBJECT (run->config);
  WfContextOptions     context;
  WfColorOptions       colors    = { 0 };

  run->operation = g_malloc0 (operation->size);
  if (! wf_arguments_read (config, operation, run->type, run->operation, error))
    return FALSE;

  if (procedure->own)
    {
      run->own = g_malloc0 (procedure->own->size);
      if (! wf_arguments_read (config, procedure->own, run->type, run->own, error))
        return FALSE;
    }

  if (wf_operation_takes_colors (procedure->operation) &&
      ! wf_arguments_read (config, wf_colors_get_options (), run->type, &colors, error))
    return FALSE;
  run->colors = (WfColorWay) colors.colors;

  return wf_arguments_read (config, wf_context_get_options (), run->type, &context, error) &&
         wf_context_configure (run->context, &context, error);
}

/* Sources are opened last, so that no copy of a layer exists while a dialog is open. */
static gboolean
open_sources (WfJob   *run,
              GError **error)
{
  static const WfComponent luminance = WF_COMPONENT_LUMINANCE;
  WfSourceOptions          options;

  if (! wf_source_read_options (G_OBJECT (run->config), run->type,
                                wf_job_keeps_colors (run) ? &luminance : NULL, &options, error))
    return FALSE;

  run->sources = wf_sources_open (run->image, run->drawables, is_limited_by_selection (run),
                                  &options, error);
  return run->sources && wf_memory_limit_choose (run, error) &&
         wf_sources_copy (run->sources, error);
}

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
      const WfSource         *source = g_object_get_data (run->images->pdata[i], SOURCE);
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
  for (guint i = 0; i < run->changes->len; i++)
    {
      Change *change = &g_array_index (run->changes, Change, i);

      change->func (run, change->data);
    }
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

static gboolean
work (WfJob   *run,
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

/* An invalid call is a calling error; any other error is an execution error. */
static GimpPDBStatusType
status_of (const GError *error,
           gboolean      working)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return GIMP_PDB_CANCEL;
  if (! working ||
      g_error_matches (error, WF_ERROR, WF_ERROR_INVALID) ||
      g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED))
    return GIMP_PDB_CALLING_ERROR;
  return GIMP_PDB_EXECUTION_ERROR;
}

static GimpValueArray *
fail (GimpProcedure *procedure,
      GError        *error,
      gboolean       working)
{
  GimpPDBStatusType status = status_of (error, working);

  if (status == GIMP_PDB_CANCEL)
    g_clear_error (&error);
  return gimp_procedure_new_return_values (procedure, status, error);
}

static gboolean
prepare (WfJob   *run,
         GError **error)
{
  if (! look_at_image (run, error))
    return FALSE;
  if (run->mode == GIMP_RUN_NONINTERACTIVE)
    return TRUE;
  wf_threshold_scale_recall (run);
  return ! run->procedure->recall || run->procedure->recall (run, error);
}

/* Makes what clear() frees. */
static void
begin (WfJob         *run,
       GimpProcedure *procedure)
{
  run->context = wf_context_new ();
  run->results = wf_results_new ();
  run->images  = g_ptr_array_new ();
  run->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  run->values  = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  run->source  = NULL;

  /* The outputs are buffers of this process, freed when a run fails: layers are made
   * from complete results only.
   */
  wf_context_set_partial_outputs (run->context, TRUE);
  if (run->watch)
    wf_context_set_cancellable (run->context, run->watch->cancellable);
}

/* One attempt with the present arguments; @working: whether they could be used. */
static gboolean
attempt (WfJob     *run,
         gboolean  *working,
         GError   **error)
{
  *working = read_arguments (run, error) && open_sources (run, error);
  return *working && work (run, error);
}

/* The dialog comes back with its settings and the error until an attempt succeeds or the user
 * gives up.
 */
static gboolean
ask_and_attempt (WfJob          *run,
                 GimpProcedure  *procedure,
                 gboolean       *working,
                 GError        **error)
{
  g_autoptr (GError) failure = NULL;

  while (wf_dialog_run (run, procedure, failure ? failure->message : NULL))
    {
      g_clear_error (&failure);
      *working = FALSE;
      if (! look_at_image (run, error))
        return FALSE;
      if (attempt (run, working, &failure))
        return TRUE;
      if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }

      clear (run);
      begin (run, procedure);
      if (! look_at_image (run, error))
        return FALSE;
    }
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "");
  return FALSE;
}

static GimpValueArray *
run_with (GimpProcedure        *procedure,
          GimpRunMode           mode,
          GimpImage            *image,
          GimpDrawable        **drawables,
          GimpProcedureConfig  *config,
          const WfProcedure    *description,
          const WfRunWatch     *watch)
{
  WfJob           run     = { 0 };
  GimpValueArray *values  = NULL;
  GError         *error   = NULL;
  gboolean        working = FALSE;
  gboolean        success;

  gegl_init (NULL, NULL);

  if (! check_drawables (image, drawables, &error))
    return fail (procedure, error, FALSE);

  run.procedure = description;
  run.mode      = mode;
  run.image     = image;
  run.drawables = drawables;
  run.config    = config;
  run.watch     = watch;
  begin (&run, procedure);

  success = prepare (&run, &error) &&
            (mode == GIMP_RUN_INTERACTIVE ? ask_and_attempt (&run, procedure, &working, &error)
                                          : attempt (&run, &working, &error));
  if (! success)
    values = fail (procedure, error, working);
  else
    {
      if (mode == GIMP_RUN_INTERACTIVE)
        wf_threshold_scale_remember (&run);
      if (mode == GIMP_RUN_INTERACTIVE && run.procedure->remember)
        run.procedure->remember (&run);
      if (mode != GIMP_RUN_NONINTERACTIVE)
        gimp_displays_flush ();
      values = g_steal_pointer (&run.values);
    }

  clear (&run);
  return values;
}

/**
 * wf_run:
 * @procedure: the procedure
 * @mode: how it was started
 * @image: the image
 * @drawables: the selected ones
 * @config: the arguments' values
 * @description: the procedure's #WfProcedure
 *
 * The #GimpRunImageFunc of every procedure.
 *
 * Returns: (transfer full): the return values
 */
GimpValueArray *
wf_run (GimpProcedure        *procedure,
        GimpRunMode           mode,
        GimpImage            *image,
        GimpDrawable        **drawables,
        GimpProcedureConfig  *config,
        gpointer              description)
{
  return run_with (procedure, mode, image, drawables, config, description, NULL);
}

/**
 * wf_run_watched:
 * @image: the image
 * @drawables: what is processed
 * @config: the arguments' values
 * @description: the procedure
 * @watch: what the run tells, in this thread
 *
 * Runs a procedure without a dialog within another run of it, whose dialog may be open.
 *
 * Returns: (transfer full): the return values; #GIMP_PDB_CANCEL if it was cancelled
 */
GimpValueArray *
wf_run_watched (GimpImage            *image,
                GimpDrawable        **drawables,
                GimpProcedureConfig  *config,
                const WfProcedure    *description,
                const WfRunWatch     *watch)
{
  return run_with (gimp_procedure_config_get_procedure (config), GIMP_RUN_NONINTERACTIVE, image,
                   drawables, config, description, watch);
}
