/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One run of a procedure, from GIMP's call to its return values.
 *
 * This is the common part of all procedures: the checks of image and layers, the run modes, the
 * engine's context, the dialog, which comes back after an error, and the status of an error.  The
 * state of a run is in job.c, its work in work.c.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "job.h"
#include "memory-limit.h"
#include "plug-in.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/input/label-source.h"
#include "plugins/common/input/threshold-scale.h"
#include "work.h"


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
  return run->sources && wf_sources_suit (run->sources, run->procedure->operation, error) &&
         wf_memory_limit_choose (run, error) &&
         wf_sources_copy (run->sources, error);
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
  if (run->mode == GIMP_RUN_NONINTERACTIVE && ! run->watch)
    return TRUE;
  wf_threshold_scale_recall (run);
  return run->watch || ! run->procedure->recall || run->procedure->recall (run, error);
}

/* One attempt with the present arguments; @working: whether they could be used. */
static gboolean
attempt (WfJob     *run,
         gboolean  *working,
         GError   **error)
{
  *working = read_arguments (run, error) && open_sources (run, error);
  return *working && wf_job_work (run, error);
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

      wf_job_clear (run);
      wf_job_begin (run, procedure);
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
  wf_job_begin (&run, procedure);

  success = prepare (&run, &error) &&
            (mode == GIMP_RUN_INTERACTIVE ? ask_and_attempt (&run, procedure, &working, &error)
                                          : attempt (&run, &working, &error));
  if (! success)
    {
      if (mode == GIMP_RUN_INTERACTIVE && run.procedure->dismiss)
        run.procedure->dismiss (&run);
      values = fail (procedure, error, working);
    }
  else
    {
      if (mode == GIMP_RUN_INTERACTIVE)
        wf_threshold_scale_remember (&run, config);
      if (mode == GIMP_RUN_INTERACTIVE && run.procedure->remember)
        run.procedure->remember (&run);
      if (mode != GIMP_RUN_NONINTERACTIVE)
        gimp_displays_flush ();
      values = g_steal_pointer (&run.values);
    }

  wf_job_clear (&run);
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
 * Runs a procedure without a dialog within another run of it, whose dialog may be open.  A
 * threshold is converted from the scale that @config has to that of the image.
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
