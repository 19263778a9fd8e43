/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-watershed: the catchment basins of the layer, of its gradient, or of
 * the objects on it, from their minima or from markers, with optional merging;
 * the results are layers, an image, a selection, paths, a table and a file of outlines.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "basin-numbers.h"
#include "basin-outlines.h"
#include "basin-preview.h"
#include "boundary.h"
#include "command.h"
#include "controls.h"
#include "flooded-picture.h"
#include "flooding.h"
#include "folder.h"
#include "hand-corrections.h"
#include "kept-objects.h"
#include "kept-text.h"
#include "lines-path.h"
#include "marker-source.h"
#include "marker-strokes.h"
#include "masked-flood.h"
#include "measured-levels.h"
#include "object-options.h"
#include "object-panel.h"
#include "options.h"
#include "outputs.h"
#include "proposer.h"
#include "result-files.h"
#include "result-table.h"
#include "result-writing.h"
#include "table-measures.h"
#include "plugins/common/dialog/line-color.h"
#include "plugins/common/procedure/plug-in.h"
#include "plugins/common/swap/swap.h"

/**
 * Output:
 * @wanted: the field of the procedure's own options that requests it
 * @make: makes it
 */
typedef struct
{
  gsize      wanted;
  gboolean (* make) (WfJob           *run,
                     const WfBasins  *basins,
                     GError         **error);
} Output;

#define WANTED(option) G_STRUCT_OFFSET (WfBasinOptions, option)

/* In the order in which they are made.  The layer made last is in front; the path of lines is made
 * after all, because it changes the lines.
 */
static const Output outputs[] =
{
  { WANTED (mean_layer),    wf_basins_make_means },
  { WANTED (basins_layer),  wf_basins_make_colors },
  { WANTED (lines_layer),   wf_basins_make_lines },
  { WANTED (numbers_layer), wf_basin_numbers_make },
  { WANTED (label_image),   wf_basins_make_label_image },
  { WANTED (select_basins), wf_basins_add_selection },
  { WANTED (outline_paths), wf_basin_outlines_add_paths },
  { WANTED (lines_path),    wf_lines_path_add },
};

/**
 * Work:
 * @levels: of the layer, as long as they are needed
 * @measured: other levels that are measured; empty: none are, or those of the layer
 * @relief: the image to flood
 * @mask: 0 where nothing is selected; empty if all pixels are
 * @objects: 0 in the background; empty if all pixels are flooded
 * @labels: the markers, then the basins
 */
typedef struct
{
  WfImage mask;
  WfImage levels;
  WfImage measured;
  WfImage relief;
  WfImage objects;
  WfImage labels;
} Work;


/*  Arguments and values  */

static void
add_arguments (GimpProcedure *procedure)
{
  wf_line_color_add_argument (procedure);
  wf_marker_source_add_arguments (procedure);
  gimp_procedure_add_string_argument (procedure, "merge-by", _("Merge b_y"),
                                      _("The measure of the merging (dynamics, area, volume, "
                                        "count): depth, area, volume, or by depth until a "
                                        "number of basins is left"),
                                      "dynamics", G_PARAM_READWRITE);
  wf_hand_corrections_add_argument (procedure);
  wf_measured_levels_add_arguments (procedure);
  wf_object_options_add_arguments (procedure);
  wf_object_panel_add_arguments (procedure);
  wf_flooded_picture_add_arguments (procedure);
  wf_result_files_add_arguments (procedure);
  wf_marker_strokes_add_argument (procedure);
  wf_table_measures_add_argument (procedure);
}

/* New ones come last: Script-Fu knows them by their places. */
static void
add_values (GimpProcedure *procedure)
{
  gimp_procedure_add_layer_return_value (procedure, "lines-layer", _("Layer with the lines"),
                                         _("The lines between the basins, if requested"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_layer_return_value (procedure, "basins-layer", _("Layer with the basins"),
                                         _("The basins in colors, if requested"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_int_return_value (procedure, "basins", _("Basins"),
                                       _("The number of basins, of those within the limits if "
                                         "there are any"),
                                       0, G_MAXINT, 0, G_PARAM_READWRITE);
  gimp_procedure_add_layer_return_value (procedure, "mean-layer", _("Layer with mean colors"),
                                         _("The basins in their mean colors, if requested"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_image_return_value (procedure, "label-image", _("Number image"),
                                         _("The image of the basins' numbers, if requested"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_path_return_value (procedure, "lines-path", _("Path of the lines"),
                                        _("The path of the boundaries, if requested"),
                                        TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_int_return_value (procedure, "selected-basins", _("Selected basins"),
                                       _("The number of selected basins, if requested"),
                                       0, G_MAXINT, 0, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "threshold-used", _("Threshold used"),
                                          _("The threshold between objects and background, as "
                                            "a fraction of the range from black to white"),
                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
  gimp_procedure_add_layer_return_value (procedure, "numbers-layer", _("Layer with the numbers"),
                                         _("The numbers of the basins, if requested"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_core_object_array_return_value (procedure, "outline-paths",
                                                     _("Paths of the outlines"),
                                                     _("A path for each basin, if requested"),
                                                     GIMP_TYPE_PATH, G_PARAM_READWRITE);
}

static gboolean
recall (WfJob   *run,
        GError **error)
{
  wf_result_files_recall (run);
  wf_hand_corrections_recall (run);
  wf_marker_strokes_recall (run);
  return wf_marker_source_recall (run, error) && wf_measured_levels_recall (run, error);
}

static void
remember (WfJob *run)
{
  wf_result_files_remember (run);
  wf_marker_source_remember (run);
  wf_measured_levels_remember (run);
}

/* Of WfChangeFunc: one undo takes back the new layers and what was drawn in the dialog. */
static void
keep_lists (WfJob    *run,
            gpointer  data)
{
  wf_hand_corrections_remember (run);
  wf_marker_strokes_remember (run);
  wf_kept_text_settle (run->image);
}

/* The lists stay as they were drawn, so that the next dialog goes on from them. */
static void
dismiss (WfJob *run)
{
  wf_kept_text_settle (run->image);
}

static gboolean
takes_selection (WfJob *run)
{
  gboolean select_basins;

  g_object_get (run->config, "select-basins", &select_basins, NULL);
  return select_basins;
}


/*  What is computed in parts of the image  */

static const char *
label_of (const WfJob *run,
          const char  *name)
{
  const WfOption *option = wf_procedure_find_option (run->procedure, name);

  return g_dgettext (GETTEXT_PACKAGE, option->label);
}

/* The label of a limit of the objects, or NULL; wrong values are refused by the run itself. */
static const char *
find_limited (WfJob *run)
{
  WfObjectOptions limits;

  return wf_object_options_read (G_OBJECT (run->config), wf_measured_levels_get_type (run), &limits,
                                 NULL)
         ? wf_object_options_find_limited (&limits) : NULL;
}

static gboolean
is_corrected (WfJob *run)
{
  g_autoptr (WfCorrections) corrections = NULL;

  return wf_hand_corrections_read (G_OBJECT (run->config), &corrections, NULL) && corrections;
}

static gboolean
measures_objects (WfJob *run)
{
  g_autoptr (GFile) table = wf_result_file_get (run, WF_RESULT_TABLE);
  guint64           measures;

  return table && wf_table_measures_read (G_OBJECT (run->config), &measures, NULL) && measures != 0;
}

/* A path is handed to GIMP as one text, which takes more memory than the labels of the pixels, and
 * outlines are followed in any direction, as are the distances to them; with compactness any pixel
 * may be the next one that is flooded; the outline of an object is measured where all of it is
 * there, as are the measures that are chosen; and so it is corrected, and so markers are drawn.
 */
static const char *
find_whole (WfJob *run)
{
  const WfBasinOptions     *own      = run->own;
  const WfWatershedOptions *options  = run->operation;
  g_autoptr (GFile)         outlines = wf_result_file_get (run, WF_RESULT_OUTLINES);

  return own->lines_path ? label_of (run, "lines-path") :
         own->outline_paths || outlines ? label_of (run, "outline-paths") :
         own->numbers_layer ? label_of (run, "numbers-layer") :
         options->compactness > 0 ? label_of (run, "compactness") :
         own->markers == WF_MARKERS_STROKES ? _("Strokes") :
         is_corrected (run) ? _("Corrections") :
         measures_objects (run) ? _("Columns") : find_limited (run);
}

/* Bytes a pixel that merging takes. */
static gsize
count_merging (WfJob          *run,
               const WfSource *source)
{
  const WfBasinOptions   *own      = run->own;
  const gint64            n        = wf_source_n_pixels (source);
  g_autoptr (WfForecast)  forecast = NULL;
  WfImage                 view;

  if (! (own->merge_value > 0) ||
      ! wf_image_init (&view, source->type, source->region.width, source->region.height,
                       source->n_slices, (gpointer) source, NULL))
    return 0;
  forecast = wf_context_forecast (run->context, WF_OPERATION_HIERARCHY, &view, NULL, NULL);
  return forecast ? (gsize) ((forecast->memory_needed + (guint64) n - 1) / (guint64) n) : 0;
}

/* The relief of objects and of a selection, what is flooded there, and the parts of a selection in
 * which markers are; for a table or limits the relief beside the levels; basins that are selected.
 */
static gsize
count_further (WfJob          *run,
               const WfSource *source)
{
  const WfBasinOptions *own    = run->own;
  const gboolean        within = source->region.selection != NULL;
  g_autoptr (GFile)     table  = wf_result_file_get (run, WF_RESULT_TABLE);
  gsize                 bytes  = count_merging (run, source);

  if (table || find_limited (run) || is_corrected (run))
    bytes += wf_type_size (source->type);
  if (own->select_basins)
    bytes++;
  if (within || wf_basin_options_find_objects (own))
    bytes += sizeof (float) + 1;
  if (within && own->markers != WF_MARKERS_MINIMA)
    bytes += sizeof (guint32);
  if (own->markers == WF_MARKERS_STROKES)   /* the pixels of the strokes; then the background */
    bytes += MAX (2, sizeof (float) + 1);
  return bytes;
}


/*  The work  */

static gboolean
is_wanted (const WfJob  *run,
           const Output *output)
{
  return G_STRUCT_MEMBER (gboolean, run->own, output->wanted);
}

static guint
count_outputs (const WfJob *run)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    n += is_wanted (run, &outputs[i]) ? 1 : 0;
  return n;
}

static gboolean
refuse (const char  *message,
        GError     **error)
{
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, message);
  return FALSE;
}

static gboolean
check (WfJob      *run,
       GFile      *table,
       GFile      *outlines,
       WfMergeBy  *merge_by,
       GError    **error)
{
  const gboolean   several = run->drawables[1] && run->source->n_slices == 1;
  g_autofree char *name    = NULL;

  if (! table && ! outlines && count_outputs (run) == 0)
    return refuse (_("No result is selected: no lines, basins, numbers, paths, selection, table or "
                     "outlines."), error);
  if (table && several)
    return refuse (_("A table cannot hold the basins of several layers: select one layer."), error);
  if (table && outlines && g_file_equal (table, outlines))
    return refuse (_("The table and the outlines cannot both be written to one file."), error);
  if (outlines && several)
    return refuse (_("A file of outlines cannot hold the basins of several layers: select one "
                     "layer."), error);

  g_object_get (run->config, "merge-by", &name, NULL);
  if (! wf_merge_by_parse (name, merge_by))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("Basins cannot be merged by “%s”."), name ? name : "");
      return FALSE;
    }
  return TRUE;
}

/* The levels become the relief, without a copy, unless the table needs them. */
static gboolean
make_relief (WfJob     *run,
             Work      *work,
             gboolean   keep_levels,
             GError   **error)
{
  const WfBasinOptions *own = run->own;
  WfReliefOptions       relief;
  double                fraction;

  if (! wf_job_read (run, &work->levels, error) ||
      ! wf_job_read_mask (run, &work->mask, error) ||
      ! wf_basin_options_get_relief (own, run->operation, &work->levels, &work->mask, &relief,
                                     &fraction, error))
    return FALSE;
  if (wf_basin_options_find_objects (own))
    g_value_set_double (wf_job_get_value (run, "threshold-used"), fraction);
  return wf_masked_relief_make (run->context, &work->mask, &work->levels, keep_levels, &relief,
                                &work->relief, &work->objects, error);
}

static gboolean
flood (WfJob      *run,
       Work       *work,
       WfMergeBy   merge_by,
       guint32    *n_basins,
       GError    **error)
{
  const WfBasinOptions  *own     = run->own;
  WfImage               *relief  = &work->relief;
  g_autoptr (WfStrokes)  strokes = NULL;
  const gboolean         given   = own->markers != WF_MARKERS_MINIMA &&
                                   own->markers != WF_MARKERS_STROKES;
  WfWatershedOptions     options;
  WfFlooding             flooding = {
    .mask        = wf_basin_options_get_mask (own, &work->mask, &work->objects),
    .relief      = relief,
    .objects     = &work->objects,
    .labels      = &work->labels,
    .markers     = given,
    .options     = &options,
    .type        = wf_basin_options_get_unit (own, run->type),
    .merge_by    = merge_by,
    .merge_value = own->merge_value,
  };

  wf_basin_options_get_flood (own, run->operation, run->type, &options);
  if (! wf_swap_allocate (&work->labels, WF_TYPE_U32, relief->width, relief->height,
                           relief->depth, error))
    return FALSE;
  if (own->markers == WF_MARKERS_STROKES &&
      ! wf_marker_source_read_strokes (run, &strokes, error))
    return FALSE;
  flooding.strokes = strokes;
  if (given)
    {
      if (! wf_swap_is_on ())   /* there they are 0 */
        memset (work->labels.data, 0,
                (gsize) wf_image_n_pixels (&work->labels) * sizeof (guint32));
      if (! wf_marker_source_read (run, (WfMarkersFrom) own->markers, &work->labels, error))
        return FALSE;
    }
  wf_job_set_stage (run, 0.2, 0.6);
  if (! wf_flooding_flood (&flooding, run->context, error))
    return FALSE;
  wf_job_set_stage (run, 0.6, 0.75);
  if (! wf_flooding_merge (&flooding, run->context, error))
    return FALSE;
  *n_basins = flooding.n_basins;
  return TRUE;
}

static const WfImage *
get_measured (const Work *work)
{
  return work->measured.data ? &work->measured : &work->levels;
}

/**
 * Files:
 * @run: the run
 * @basins: the basins
 *
 * Whose outlines are written.
 */
typedef struct
{
  WfJob          *run;
  const WfBasins *basins;
} Files;

/* Of WfResultWriteFunc. */
static gboolean
write_outlines (GFile     *file,
                gpointer   data,
                GError   **error)
{
  const Files *files = data;

  return wf_basin_outlines_write (files->run, files->basins, file, error);
}

static gboolean
write_files (WfJob           *run,
             const WfBasins  *basins,
             GFile           *outlines,
             GFile           *file,
             WfResultTable   *table,
             GError         **error)
{
  Files files = { run, basins };

  return wf_results_write ((const WfResultToWrite[]) { { outlines, write_outlines, &files },
                                                       { file, wf_result_table_write, table } },
                           2, error);
}

/* They share the rest of the progress, one after the other. */
static gboolean
make_outputs (WfJob           *run,
              const WfBasins  *basins,
              GError         **error)
{
  const double n_outputs = count_outputs (run);
  int          n_made    = 0;

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    if (is_wanted (run, &outputs[i]))
      {
        wf_job_set_stage (run, 0.8 + 0.2 * n_made / n_outputs,
                          0.8 + 0.2 * (n_made + 1) / n_outputs);
        if (! outputs[i].make (run, basins, error))
          return FALSE;
        n_made++;
      }
  return TRUE;
}

/* The merged basins are corrected by hand. */
static gboolean
correct (WfJob                *run,
         Work                 *work,
         const WfCorrections  *corrections,
         WfCorrecting        **correcting,
         GError              **error)
{
  WfWatershedOptions options;

  if (! corrections)
    return TRUE;
  wf_basin_options_get_flood (run->own, run->operation, run->type, &options);
  *correcting = wf_hand_corrections_make (run, corrections, &work->relief, &work->objects,
                                          &work->mask, &work->labels, &options, error);
  return *correcting != NULL;
}

static gboolean
keep_objects (WfJob                  *run,
              const WfObjectOptions  *limits,
              const WfCorrecting     *correcting,
              Work                   *work,
              WfBasins               *basins,
              WfResultTable          *table,
              guint32                *n_basins,
              GError                **error)
{
  g_autofree guint8 *kept = NULL;

  wf_job_set_stage (run, 0.78, 0.8);
  if (! wf_kept_objects_select (run->context, limits, correcting, get_measured (work), basins,
                                &work->objects, &kept, n_basins, error))
    return FALSE;
  wf_result_table_keep (table, kept);
  return TRUE;
}

/* Files come last: they are not written if what is made in the image fails. */
static gboolean
work_with_files (WfJob   *run,
                 Work    *work,
                 GFile   *table,
                 GFile   *outlines,
                 GError **error)
{
  const WfWatershedOptions *options = run->operation;
  WfBasins                  basins  = { .labels    = &work->labels,
                                        .lines     = options->lines,
                                        .diagonals = wf_boundary_has_diagonals
                                                         (options->connectivity) };
  g_auto (WfResultTable)    made    = { .unit = NULL };
  guint32                   n_basins;
  WfMergeBy                 merge_by;
  WfObjectOptions           limits;
  g_autoptr (WfCorrections) corrections = NULL;
  g_autoptr (WfCorrecting)  correcting  = NULL;
  gboolean                  limited;

  if (! check (run, table, outlines, &merge_by, error) ||
      ! wf_basin_outlines_check_file (outlines, error) ||
      ! wf_result_table_prepare (run, &made, error) ||
      ! wf_object_options_read (G_OBJECT (run->config), wf_measured_levels_get_type (run), &limits,
                                error) ||
      ! wf_hand_corrections_read (G_OBJECT (run->config), &corrections, error))
    return FALSE;
  limited = wf_objects_are_limited (&limits) || corrections;

  wf_job_set_stage (run, 0.0, 0.2);
  if (((table || limited) && ! wf_measured_levels_read (run, &work->measured, error)) ||
      ! make_relief (run, work, (table || limited) && ! work->measured.data, error) ||
      ! flood (run, work, merge_by, &n_basins, error) ||
      ! correct (run, work, corrections, &correcting, error))
    return FALSE;
  if (work->objects.data)
    basins.objects = &work->objects;
  if (work->mask.data)
    basins.mask = &work->mask;

  wf_job_set_stage (run, 0.75, limited ? 0.78 : 0.8);
  if ((table && ! wf_result_table_measure (run, &basins, get_measured (work), &work->relief, &made,
                                           error)) ||
      (limited && ! keep_objects (run, &limits, correcting, work, &basins, &made, &n_basins,
                                  error)))
    return FALSE;
  wf_swap_clear (&work->relief);
  wf_swap_clear (&work->levels);
  wf_swap_clear (&work->measured);
  if (! make_outputs (run, &basins, error) ||
      ! write_files (run, &basins, outlines, table, &made, error))
    return FALSE;

  g_value_set_int (wf_job_get_value (run, "basins"), (int) MIN (n_basins, G_MAXINT));
  return TRUE;
}

static gboolean
run (WfJob   *run,
     GError **error)
{
  const WfBasinOptions *own      = run->own;
  g_autoptr (GFile)     table    = wf_result_file_get (run, WF_RESULT_TABLE);
  g_autoptr (GFile)     outlines = wf_result_file_get (run, WF_RESULT_OUTLINES);
  Work                  work     = { 0 };
  gboolean              success;

  run->to_rgb = wf_line_color_wants_rgb (run) && (own->lines_layer || own->basins_layer);
  if (run->mode == GIMP_RUN_INTERACTIVE)
    wf_job_add_change (run, keep_lists, NULL, NULL);
  success = work_with_files (run, &work, table, outlines, error);
  wf_image_clear (&work.relief);
  wf_image_clear (&work.levels);
  wf_image_clear (&work.measured);
  wf_image_clear (&work.mask);
  wf_image_clear (&work.objects);
  wf_image_clear (&work.labels);
  return success;
}

static const WfProcedure procedure =
{
  .name             = "plug-in-wavefront-watershed",
  .menu_label       = N_("_Watershed..."),
  .menu_place       = 1,
  .operation        = WF_OPERATION_WATERSHED,
  .help             = N_("Floods the layer, its gradient, or the distances inside touching "
                         "objects, from the minima or from markers, and merges the least "
                         "significant basins if requested.  Possible results are a transparent "
                         "layer with the lines between the basins, layers in which every basin "
                         "has a distinct color or its mean color, an image of their numbers, "
                         "a path of the lines or one for each basin, a selection of the basins "
                         "that the selection touches, a table of their measurements and a file of "
                         "their outlines."),
  .notes            = wf_basin_options_notes,
  .own              = &wf_basin_options_group,
  .offer_algorithms = TRUE,
  .add_arguments    = add_arguments,
  .add_values       = add_values,
  .recall           = recall,
  .remember         = remember,
  .dismiss          = dismiss,
  .takes_selection  = takes_selection,
  .proposer         = &wf_watershed_proposer,
  .fill_dialog      = wf_watershed_fill_dialog,
  .confirm          = wf_result_files_confirm,
  .preview          = &wf_watershed_preview,
  .find_whole       = find_whole,
  .count_further    = count_further,
  .folder           = &wf_watershed_folder,
  .write_command    = wf_basins_write_command,
  .run              = run,
};

WF_PLUG_IN_MAIN (&procedure)
