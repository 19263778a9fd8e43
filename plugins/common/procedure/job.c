/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state of a run, and what the functions of a procedure do with it: they read pixels, tell the
 * progress, and hand over results and return values.
 */

#include "config.h"

#include <string.h>

#include "job.h"
#include "plug-in.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/results/layer.h"
#include "plugins/common/swap/swap.h"

/* Of a new image, from what it was made. */
#define SOURCE "wavefront-source"

typedef struct
{
  WfChangeFunc   func;
  gpointer       data;
  GDestroyNotify destroy;
} Change;


/*  From its beginning to its end  */

/**
 * wf_job_begin:
 * @run: a run with its arguments
 * @procedure: the procedure
 *
 * Prepares an attempt.
 */
void
wf_job_begin (WfJob         *run,
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

/**
 * wf_job_clear:
 * @run: a run that has ended, or its attempt
 *
 * Frees what wf_job_begin() has made, and what came to it.
 */
void
wf_job_clear (WfJob *run)
{
  for (guint i = 0; i < run->changes->len; i++)
    {
      const Change *change = &g_array_index (run->changes, Change, i);

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

/**
 * wf_job_make_changes:
 * @run: a run whose layers are inserted
 *
 * Calls what wf_job_add_change() was given.
 */
void
wf_job_make_changes (WfJob *run)
{
  for (guint i = 0; i < run->changes->len; i++)
    {
      const Change *change = &g_array_index (run->changes, Change, i);

      change->func (run, change->data);
    }
}

/**
 * wf_job_get_source:
 * @image: of wf_job_add_image()
 *
 * Returns: (transfer none): what it was made of
 */
const WfSource *
wf_job_get_source (GimpImage *image)
{
  return g_object_get_data (G_OBJECT (image), SOURCE);
}


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
