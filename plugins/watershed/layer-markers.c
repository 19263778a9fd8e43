/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The markers of a watershed that are colors of another layer; wf_color_markers_add() defines which
 * pixels are markers.
 *
 * A run reads all of them at once, from a copy if filters change the layer.  A preview
 * can show a part of a large layer, or all of it at a scale, and must stay responsive: it
 * fetches the markers in steps, and keeps the labels that it has so far.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "layer-markers.h"
#include "plugins/common/preview/color-reader.h"
#include "plugins/common/swap/swap.h"

/**
 * Fetching:
 * @drawable: the layer
 * @reader: of its colors
 * @alpha: whether pixels without a marker are transparent
 * @region: the part that is fetched
 * @begun: whether @markers and @labels belong to @region and are valid
 * @markers: the colors that were found so far
 * @labels: their labels
 *
 * The markers of a preview.
 */
typedef struct
{
  GimpDrawable   *drawable;
  WfColorReader  *reader;
  gboolean        alpha;
  WfRegion        region;
  gboolean        begun;
  WfColorMarkers *markers;
  WfImage         labels;
} Fetching;


/*  The layer  */

static gboolean
find_layer (WfJob         *run,
            GimpDrawable **drawable,
            GError       **error)
{
  g_autofree char *name = NULL;

  g_object_get (run->config, "marker-layer", drawable, NULL);
  if (! *drawable)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The layer with the markers is not given."));
      return FALSE;
    }
  if (! gimp_item_is_valid (GIMP_ITEM (*drawable)))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The layer with the markers was deleted."));
      return FALSE;
    }
  if (gimp_item_get_image (GIMP_ITEM (*drawable)) == run->image)
    return TRUE;

  name = gimp_item_get_name (GIMP_ITEM (*drawable));
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The layer “%s” with the markers belongs to another image."), name);
  return FALSE;
}

static gboolean
check_markers (WfColorMarkers  *markers,
               GimpDrawable    *drawable,
               GError         **error)
{
  g_autofree char *name = NULL;

  if (wf_color_markers_get_n (markers) > 0)
    return TRUE;

  name = gimp_item_get_name (GIMP_ITEM (drawable));
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The layer “%s” has no marker where the watershed is computed."), name);
  return FALSE;
}


/*  All at once  */

/**
 * wf_layer_markers_read:
 * @run: the run
 * @labels: u32, of the size of the region, at full resolution; set to the markers
 * @error: %WF_ERROR_INVALID if there are none, %WF_ERROR_MEMORY
 *
 * Returns: whether there are markers
 */
gboolean
wf_layer_markers_read (WfJob    *run,
                       WfImage  *labels,
                       GError  **error)
{
  const WfRegion             *region   = &run->region;
  g_autoptr (GimpDrawable)    drawable = NULL;
  g_autoptr (WfColorMarkers)  markers  = wf_color_markers_new ();
  g_autofree float           *pixels   = g_new (float, 4 * (gsize) region->width * WF_STRIP_ROWS);
  gboolean                    alpha;
  WfSlice                     slice;

  if (! find_layer (run, &drawable, error))
    return FALSE;

  alpha = gimp_drawable_has_alpha (drawable);
  wf_slice_open (&slice, drawable);
  if (! wf_slice_copy (&slice, NULL, error))
    return FALSE;
  for (int row = 0; row < region->height; row += WF_STRIP_ROWS)
    {
      int n = MIN (WF_STRIP_ROWS, region->height - row);

      wf_slice_read_colors (&slice, region, row, n, babl_format ("R'G'B'A float"), pixels);
      wf_color_markers_add (markers, WF_TYPE_F32, pixels, 4, alpha, (gint64) n * region->width,
                            (guint32 *) labels->data + (gsize) row * region->width);
      wf_swap_release ();
    }
  wf_slice_close (&slice);
  return check_markers (markers, drawable, error);
}


/*  A little at a time  */

/**
 * wf_layer_markers_free:
 * @fetched: (transfer full): the data of wf_layer_markers_fetch()
 */
void
wf_layer_markers_free (gpointer fetched)
{
  Fetching *fetching = fetched;

  wf_color_reader_free (fetching->reader);
  g_clear_pointer (&fetching->markers, wf_color_markers_free);
  wf_image_clear (&fetching->labels);
  g_object_unref (fetching->drawable);
  g_free (fetching);
}

/**
 * wf_layer_markers_invalidate:
 * @fetched: the data of wf_layer_markers_fetch()
 *
 * Marks the markers as invalid, so that they are fetched again.
 */
void
wf_layer_markers_invalidate (gpointer fetched)
{
  ((Fetching *) fetched)->begun = FALSE;
}

/* The reader is used for every region as long as the layer does not change. */
static Fetching *
find_fetching (gpointer     *fetched,
               GimpDrawable *drawable)
{
  Fetching *fetching = *fetched;
  WfSlice   slice;

  if (fetching && fetching->drawable == drawable &&
      wf_color_reader_is_valid (fetching->reader))
    return fetching;

  g_clear_pointer (fetched, wf_layer_markers_free);
  wf_slice_open (&slice, drawable);
  fetching = g_new0 (Fetching, 1);
  fetching->drawable = g_object_ref (drawable);
  fetching->reader   = wf_color_reader_new (&slice);
  fetching->alpha    = wf_color_reader_has_alpha (fetching->reader);
  *fetched = fetching;
  return fetching;
}

static gboolean
begin (Fetching        *fetching,
       const WfRegion  *region,
       GError         **error)
{
  g_clear_pointer (&fetching->markers, wf_color_markers_free);
  wf_image_clear (&fetching->labels);
  if (! wf_image_allocate (&fetching->labels, WF_TYPE_U32, region->width, region->height, 1,
                           error))
    return FALSE;

  memset (fetching->labels.data, 0,
          (gsize) wf_image_n_pixels (&fetching->labels) * sizeof (guint32));
  fetching->markers = wf_color_markers_new ();
  fetching->region  = *region;
  fetching->begun   = TRUE;
  wf_color_reader_begin (fetching->reader, region);
  return TRUE;
}

static void
add_row (int          column,
         int          row,
         int          n,
         const float *colors,
         gpointer     data)
{
  Fetching *fetching = data;

  wf_color_markers_add (fetching->markers, WF_TYPE_F32, colors, 4, fetching->alpha, n,
                        (guint32 *) fetching->labels.data +
                        row * fetching->labels.row_stride + column);
}

/**
 * wf_layer_markers_fetch:
 * @part: a run on the previewed region
 * @fetched: the data to keep; %NULL at first
 * @fetch: the step
 * @error: %WF_ERROR_INVALID if there is no such layer, %WF_ERROR_MEMORY
 *
 * Fetches some of the markers in the region of @part.
 *
 * Returns: whether there was no error
 */
gboolean
wf_layer_markers_fetch (WfJob     *part,
                        gpointer  *fetched,
                        WfFetch   *fetch,
                        GError   **error)
{
  g_autoptr (GimpDrawable)  drawable = NULL;
  Fetching                 *fetching;

  if (! find_layer (part, &drawable, error))
    return FALSE;

  fetching = find_fetching (fetched, drawable);
  if ((! fetching->begun || ! wf_region_is_same (&fetching->region, &part->region)) &&
      ! begin (fetching, &part->region, error))
    return FALSE;
  wf_color_reader_fetch (fetching->reader, fetch, add_row, fetching);
  return TRUE;
}

/**
 * wf_layer_markers_read_fetched:
 * @part: a run on the previewed region
 * @fetched: the markers, complete; they are handed over, not copied
 * @labels: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_INVALID if there are none
 *
 * Returns: whether there are markers
 */
gboolean
wf_layer_markers_read_fetched (WfJob     *part,
                               gpointer   fetched,
                               WfImage   *labels,
                               GError   **error)
{
  Fetching *fetching = fetched;

  if (! check_markers (fetching->markers, fetching->drawable, error))
    return FALSE;

  *labels = fetching->labels;
  memset (&fetching->labels, 0, sizeof fetching->labels);
  fetching->begun = FALSE;
  return TRUE;
}
