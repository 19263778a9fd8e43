/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sources of a watershed's markers: the colours of another layer, the points of a path, the
 * crossings of guides, or strokes that were drawn in the preview.  markers.c converts the first
 * three to labels; strokes are drawn by the engine where they are flooded (flooding.c).
 *
 * The first three are two-dimensional and not available for a stack; a stroke is drawn in a slice.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include <libgimp/gimpui.h>

#include "item-choice.h"
#include "layer-markers.h"
#include "marker-source.h"
#include "marker-strokes.h"
#include "markers.h"
#include "plugins/common/dialog/condition.h"
#include "plugins/common/procedure/item-memory.h"

/* Of a picture that shows whether a layer can be one of markers. */
#define THUMBNAIL 128


/**
 * wf_marker_source_add_arguments:
 * @procedure: a procedure under construction
 *
 * Adds the arguments "marker-layer" and "marker-path".
 */
void
wf_marker_source_add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_drawable_argument (procedure, "marker-layer", _("Marker la_yer"),
                                        _("The layer whose colors are the markers: each color is "
                                          "one marker, connected or not; transparent pixels, and "
                                          "in a layer without transparency black pixels, are not "
                                          "markers"),
                                        TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_path_argument (procedure, "marker-path", _("Marker p_ath"),
                                    _("The path whose points are the markers; without one the "
                                      "paths that are selected"),
                                    TRUE, G_PARAM_READWRITE);
  wf_item_memory_add_arguments (procedure, "marker-layer");
  wf_item_memory_add_arguments (procedure, "marker-path");
}

static gboolean
refuse (GError     **error,
        const char  *message)
{
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, message);
  return FALSE;
}


/*  What was chosen last time  */

/**
 * wf_marker_source_remember:
 * @run: a run that succeeded
 *
 * Keeps the items for wf_marker_source_recall().
 */
void
wf_marker_source_remember (WfJob *run)
{
  wf_item_memory_keep (run, "marker-layer");
  wf_item_memory_keep (run, "marker-path");
}

static gboolean
recall (WfJob       *run,
        const char  *property,
        GError     **error)
{
  g_autofree char *missing = wf_item_memory_recall (run, property, NULL);

  if (! missing)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The last markers, “%s”, are not in this image."), missing);
  return FALSE;
}

/**
 * wf_marker_source_recall:
 * @run: a run that starts from the last values
 * @error: %WF_ERROR_INVALID if the run has no dialog and the last item is not in the image
 *
 * Returns: whether the last items have been set, or are not needed.
 */
gboolean
wf_marker_source_recall (WfJob   *run,
                         GError **error)
{
  g_autofree char *from = NULL;

  g_object_get (run->config, "markers", &from, NULL);
  if (g_strcmp0 (from, "layer") == 0)
    return recall (run, "marker-layer", error);
  if (g_strcmp0 (from, "path") == 0)
    return recall (run, "marker-path", error);
  return TRUE;
}


/*  Points  */

/* Each point of a stroke is stored between its two handles. */
static void
add_path (GimpPath *path,
          GArray   *points)
{
  gsize            n_strokes;
  g_autofree int  *strokes = gimp_path_get_strokes (path, &n_strokes);

  for (gsize i = 0; i < n_strokes; i++)
    {
      g_autofree double *controls = NULL;
      gsize              n;
      gboolean           closed;

      gimp_path_stroke_get_points (path, strokes[i], &n, &controls, &closed);
      for (gsize k = 2; k + 3 < n; k += 6)
        g_array_append_vals (points, &controls[k], 2);
    }
}

static gboolean
list_path_points (WfJob   *run,
                  GArray  *points,
                  GError **error)
{
  g_autoptr (GimpPath)   path     = NULL;
  g_autofree GimpPath  **selected = NULL;

  g_object_get (run->config, "marker-path", &path, NULL);
  if (path)
    {
      if (gimp_item_get_image (GIMP_ITEM (path)) != run->image)
        return refuse (error, _("The path with the markers belongs to another image."));
      add_path (path, points);
      return TRUE;
    }

  selected = gimp_image_get_selected_paths (run->image);
  if (! selected || ! selected[0])
    return refuse (error, _("No path is given or selected, so there are no markers."));
  for (gsize i = 0; selected[i]; i++)
    add_path (selected[i], points);
  return TRUE;
}

static void
list_crossings (GimpImage *image,
                GArray    *points)
{
  for (guint down = gimp_image_find_next_guide (image, 0); down;
       down = gimp_image_find_next_guide (image, (int) down))
    for (guint across = gimp_image_find_next_guide (image, 0); across;
         across = gimp_image_find_next_guide (image, (int) across))
      if (gimp_image_get_guide_orientation (image, down) == GIMP_ORIENTATION_VERTICAL &&
          gimp_image_get_guide_orientation (image, across) == GIMP_ORIENTATION_HORIZONTAL)
        {
          const double point[] = { gimp_image_get_guide_position (image, down),
                                   gimp_image_get_guide_position (image, across) };

          g_array_append_vals (points, point, 2);
        }
}

static gboolean
read_points (WfJob          *run,
             WfMarkersFrom   from,
             WfImage        *labels,
             GError        **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (double));
  guint32            n;

  if (from == WF_MARKERS_GUIDES)
    list_crossings (run->image, points);
  else if (! list_path_points (run, points, error))
    return FALSE;

  for (guint i = 0; i < points->len; i++)
    g_array_index (points, double, i) *= run->region.scale;
  n = wf_point_markers_draw ((const double *) points->data, points->len / 2,
                             run->region.image_x, run->region.image_y, labels);
  if (n > 0)
    return TRUE;
  return refuse (error, from == WF_MARKERS_GUIDES
                 ? _("No guides cross where the watershed is computed, so there are no markers.")
                 : _("No point of the path lies where the watershed is computed, so there are no "
                     "markers."));
}

static gboolean
check_flat (WfJob   *run,
            GError **error)
{
  return run->source->n_slices == 1 ||
         refuse (error, _("The markers of a layer, a path or guides are flat; a stack has its "
                          "minima, or strokes."));
}

/**
 * wf_marker_source_read:
 * @run: the run
 * @from: the source of the markers; neither the minima nor strokes
 * @labels: u32, of the size of the region, all 0; set to the markers
 * @error: %WF_ERROR_INVALID if there are none
 *
 * Returns: whether there are markers.
 */
gboolean
wf_marker_source_read (WfJob          *run,
                       WfMarkersFrom   from,
                       WfImage        *labels,
                       GError        **error)
{
  if (! check_flat (run, error))
    return FALSE;
  if (from == WF_MARKERS_LAYER)
    return wf_layer_markers_read (run, labels, error);
  return read_points (run, from, labels, error);
}

/**
 * wf_marker_source_read_strokes:
 * @run: the run, or that of a dialog
 * @strokes: (out): those of the argument, in pixels of the region of @run at its full size
 * @error: %WF_ERROR_INVALID for what is no list
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_marker_source_read_strokes (WfJob      *run,
                               WfStrokes **strokes,
                               GError    **error)
{
  g_autoptr (WfStrokes) list = NULL;

  if (! wf_marker_strokes_read (G_OBJECT (run->config), &list, error))
    return FALSE;
  *strokes = wf_strokes_transform (list, 1, run->region.image_x, run->region.image_y, 0);
  return TRUE;
}


/*  For a preview  */

/**
 * wf_marker_source_fetch:
 * @part: a run on the previewed region
 * @from: the source of the markers
 * @fetched: the data to keep, as in wf_layer_markers_fetch(); %NULL at first
 * @fetch: the step
 * @error: %WF_ERROR_INVALID if there cannot be any
 *
 * Fetches some of the markers, if the source is slow to read.
 *
 * Returns: whether there was no error
 */
gboolean
wf_marker_source_fetch (WfJob          *part,
                        WfMarkersFrom   from,
                        gpointer       *fetched,
                        WfFetch        *fetch,
                        GError        **error)
{
  if (from == WF_MARKERS_MINIMA || from == WF_MARKERS_STROKES)
    return TRUE;
  return check_flat (part, error) &&
         (from != WF_MARKERS_LAYER ||
          wf_layer_markers_fetch (part, fetched, fetch, error));
}

/**
 * wf_marker_source_read_fetched:
 * @part: a run on the previewed region
 * @from: the source of the markers
 * @fetched: the data of wf_marker_source_fetch()
 * @labels: set to a new image with the markers, to be cleared by the caller; left empty
 *   if they are the minima or drawn by strokes
 * @error: %WF_ERROR_INVALID if there are none, %WF_ERROR_MEMORY
 *
 * Returns: whether there was no error
 */
gboolean
wf_marker_source_read_fetched (WfJob          *part,
                               WfMarkersFrom   from,
                               gpointer        fetched,
                               WfImage        *labels,
                               GError        **error)
{
  const WfRegion *region = &part->region;

  if (from == WF_MARKERS_MINIMA || from == WF_MARKERS_STROKES)
    return TRUE;
  if (from == WF_MARKERS_LAYER)
    return wf_layer_markers_read_fetched (part, fetched, labels, error);
  if (! wf_image_allocate (labels, WF_TYPE_U32, region->width, region->height, 1, error))
    return FALSE;
  memset (labels->data, 0, (gsize) wf_image_n_pixels (labels) * sizeof (guint32));
  return read_points (part, from, labels, error);
}


/*  The controls in the dialog  */

static gboolean
is_other (GimpImage *image,
          GimpItem  *item,
          gpointer   run)
{
  return gimp_item_get_image (item) == ((WfJob *) run)->image &&
         item != GIMP_ITEM (((WfJob *) run)->drawable);
}

static gboolean
is_path_of_image (GimpImage *image,
                  GimpItem  *item,
                  gpointer   run)
{
  return image == ((WfJob *) run)->image;
}

static void
add_chooser (WfDialog     *dialog,
             WfOptionGrid *grid,
             GtkWidget    *combo,
             const char   *property,
             const char   *none,
             const char   *needed_for)
{
  wf_item_choice_add (dialog, grid, combo, property, none);
  wf_condition_show (G_OBJECT (wf_dialog_get_run (dialog)->config), "markers", needed_for, combo);
}

/* Transparent pixels, or black ones without transparency, are no markers; a picture has few. */
static gboolean
looks_like_markers (GimpDrawable *drawable)
{
  int                width, height, size;
  g_autoptr (GBytes) bytes  = gimp_drawable_get_thumbnail_data (drawable, THUMBNAIL, THUMBNAIL,
                                                                &width, &height, &size);
  const guint8      *pixels = bytes ? g_bytes_get_data (bytes, NULL) : NULL;
  int                n_free = 0;

  for (int i = 0; pixels && i < width * height; i++)
    {
      const guint8 *pixel = pixels + (gsize) i * (gsize) size;

      if (size % 2 == 0)
        n_free += pixel[size - 1] < 128;
      else
        n_free += pixel[0] + pixel[size / 2] + pixel[size - 1] == 0;
    }
  return pixels && 2 * n_free > width * height;
}

/* The only other layer is chosen, if it is one of markers, when markers of a layer are wanted. */
static void
suggest_layer (GObject         *config,
               GParamSpec      *pspec,
               GimpIntComboBox *combo)
{
  GtkTreeModel            *model = gtk_combo_box_get_model (GTK_COMBO_BOX (combo));
  g_autoptr (GimpDrawable) given = NULL;
  g_autofree char         *from  = NULL;
  GimpDrawable            *only;
  GtkTreeIter              row;
  int                      id;

  g_object_get (config, "markers", &from, "marker-layer", &given, NULL);
  if (given || g_strcmp0 (from, "layer") != 0 || gtk_tree_model_iter_n_children (model, NULL) != 2)
    return;

  gtk_tree_model_iter_nth_child (model, &row, NULL, 1);
  gtk_tree_model_get (model, &row, GIMP_INT_STORE_VALUE, &id, -1);
  only = gimp_drawable_get_by_id (id);
  if (only && looks_like_markers (only))
    g_object_set (config, "marker-layer", only, NULL);
}

/**
 * wf_marker_source_add_controls:
 * @dialog: a dialog
 * @grid: of a frame
 *
 * Adds the rows with the layer and the path.
 */
void
wf_marker_source_add_controls (WfDialog     *dialog,
                               WfOptionGrid *grid)
{
  WfJob     *run    = wf_dialog_get_run (dialog);
  GObject   *config = G_OBJECT (run->config);
  GtkWidget *layers = gimp_drawable_combo_box_new (is_other, run, NULL);

  add_chooser (dialog, grid, layers, "marker-layer", _("None"), "layer");
  suggest_layer (config, NULL, GIMP_INT_COMBO_BOX (layers));
  g_signal_connect_object (config, "notify::markers", G_CALLBACK (suggest_layer), layers, 0);
  add_chooser (dialog, grid, gimp_path_combo_box_new (is_path_of_image, run, NULL),
               "marker-path", _("The selected paths"), "path");
}
