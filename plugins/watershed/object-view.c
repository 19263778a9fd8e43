/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which objects are kept, as the preview shows it: what the limits leave out is hatched.
 *
 * The objects of the basins that are shown are measured in the background, once for each number of
 * basins that merging leaves.  A limit only changes which of them are kept, and the map from labels
 * to what represents them.  Until they are measured nothing is hatched.
 *
 * If the preview shows a part of the image, or a smaller one, its objects are compared with areas
 * at that scale, and edges of a part are none of the image.  The objects of the whole image are
 * measured as well when it was computed; from the first time on they are those that are counted.
 *
 * Listeners are told when objects are measured, when that fails, and as soon as those they know are
 * out of date.
 */

#include "config.h"

#include "basin-flood.h"
#include "object-options.h"
#include "object-view.h"

/**
 * WfObjectView:
 * @in_view: measures the objects of the preview
 * @in_whole: those of the whole image
 * @whole: the basins of the whole image, or %NULL
 * @counts_whole: whether its objects are counted, and not those of the preview
 * @failed: whether the preview shows no basins, as these could not be computed
 * @map: of merged basins, for each label of the preview's result, or %NULL
 * @n_map: its entries
 * @listeners: are told of the objects
 */
struct _WfObjectView
{
  GObject            *config;
  WfPreview          *preview;
  WfObjectMeasuring  *in_view;
  WfObjectMeasuring  *in_whole;
  WfPreviewResult    *whole;
  gboolean            counts_whole;
  gboolean            failed;
  guint32            *map;
  gsize               n_map;
  GArray             *listeners;
};

typedef struct
{
  WfObjectsShownFunc shown;
  gpointer           data;
} Listener;


/* The limits in the unit of a preview; %FALSE if there is none. */
static gboolean
read_limits (WfObjectView        *view,
             const WfObjectTable *table,
             WfObjectOptions     *limits)
{
  const WfPreviewBasins *basins = table->result->extra;
  const WfType           type   = wf_preview_get_measured (basins->inputs)->type;
  const double           scale  = table->result->region.scale;

  if (! wf_object_options_read (view->config, type, limits, NULL))
    return FALSE;
  limits->min_area *= scale * scale;
  limits->max_area *= scale * scale;
  limits->inside    = limits->inside && basins->covers;
  return wf_objects_are_limited (limits);
}

/* What is deleted or kept by hand. */
static gint64
make_exceptions (const WfObjectTable *table,
                 guint8              *kept)
{
  const WfPreviewBasins *basins = table->result->extra;
  gint64                 n_kept = 0;

  for (gint64 i = 0; i < table->n; i++)
    {
      const int verdict = basins->verdicts ? basins->verdicts[table->representatives[i]] : 0;

      kept[i] = verdict ? verdict > 0 : kept[i];
      n_kept += kept[i];
    }
  return n_kept;
}

/* Returns: (transfer full): for each object whether it is kept; all are where limits are wrong */
static guint8 *
choose (WfObjectView        *view,
        const WfObjectTable *table,
        gint64              *n_kept)
{
  guint8          *kept = g_malloc ((gsize) table->n + 1);
  WfObjectOptions  limits;

  if (! read_limits (view, table, &limits) ||
      (*n_kept = wf_objects_choose (table->objects, &limits, kept, NULL)) < 0)
    {
      memset (kept, 1, (gsize) table->n + 1);
      *n_kept = table->n;
    }
  *n_kept = make_exceptions (table, kept);
  return kept;
}


/*  The picture  */

/* The table of the preview, if it is of the basins that are shown. */
static const WfObjectTable *
get_table (WfObjectView *view)
{
  const WfObjectTable *table = wf_object_measuring_get (view->in_view);

  return table && table->result == wf_preview_get_shown (view->preview) ? table : NULL;
}

/* What is deleted by hand is hatched before objects are measured. */
static void
show_deleted (WfObjectView *view)
{
  const WfPreviewResult *result = wf_preview_get_shown (view->preview);
  const WfPreviewBasins *basins = result && result->complete ? result->extra : NULL;
  g_autofree guint32    *map    = NULL;
  gsize                  n;

  if (! basins || ! basins->verdicts)
    {
      wf_preview_set_map (view->preview, view->map, view->n_map);
      return;
    }
  n   = (gsize) result->n_labels + 1;
  map = g_new0 (guint32, n);
  for (gsize label = 1; label < n; label++)
    map[label] = basins->verdicts[label] < 0 ? WF_PREVIEW_LEFT_OUT : (guint32) label;
  wf_preview_set_map (view->preview, map, n);
}

/* Without measurements, or if all objects are kept, only merging is shown. */
static void
show_picture (WfObjectView *view)
{
  const WfObjectTable *table   = get_table (view);
  gint64               n_kept  = 0;
  g_autofree guint8   *kept    = table ? choose (view, table, &n_kept) : NULL;
  g_autofree guint32  *map     = NULL;
  gsize                n;

  if (! table || n_kept == table->n)
    {
      show_deleted (view);
      return;
    }
  n   = (gsize) table->result->n_labels + 1;
  map = g_new0 (guint32, n);
  for (gsize label = 1; label < n; label++)
    map[label] = table->numbers[label] >= 0 && ! kept[table->numbers[label]]
                 ? WF_PREVIEW_LEFT_OUT
                 : view->map && label < view->n_map ? view->map[label] : (guint32) label;
  wf_preview_set_map (view->preview, map, n);
}

/* As a run does it: merging, corrections and limits give new numbers. */
static gboolean
is_renumbered (WfObjectView        *view,
               const WfObjectTable *table)
{
  const WfPreviewBasins *basins = table->result->extra;
  WfObjectOptions        limits;
  double                 merge_value;

  g_object_get (view->config, "merge-value", &merge_value, NULL);
  return merge_value > 0 || basins->verdicts || read_limits (view, table, &limits);
}

static void
tell (WfObjectView *view,
      gboolean      measured)
{
  const WfObjectTable   *table  = wf_object_view_get_table (view);
  const WfPreviewBasins *basins = table ? table->result->extra : NULL;
  WfObjectsShown         shown  = { .table = table, .measured = measured };
  g_autofree guint8     *kept   = table ? choose (view, table, &shown.n_kept) : NULL;

  shown.kept       = kept;
  shown.renumbered = table && is_renumbered (view, table);
  shown.part       = basins && basins->part;
  shown.error      = wf_object_measuring_get_error (view->counts_whole ? view->in_whole
                                                                       : view->in_view);
  shown.pending    = ! table && ! shown.error && (view->counts_whole || ! view->failed);
  for (guint i = 0; i < view->listeners->len; i++)
    {
      const Listener *listener = &g_array_index (view->listeners, Listener, i);

      listener->shown (&shown, listener->data);
    }
}

static void
limits_changed (WfObjectView *view)
{
  const gint64 start = g_get_monotonic_time ();

  show_picture (view);
  tell (view, FALSE);
  g_debug ("objects: chosen in %.1f ms", (g_get_monotonic_time () - start) / 1e3);
}

/* The objects of the preview are others, or out of date. */
static void
tell_of_view (WfObjectView *view)
{
  if (! view->counts_whole)
    tell (view, TRUE);
}

static void
view_measured (gpointer data)
{
  show_picture (data);
  tell_of_view (data);
}

static void
whole_measured (gpointer data)
{
  WfObjectView *view = data;

  view->counts_whole = TRUE;
  tell (view, TRUE);
}

static void
forget_view (WfObjectView *view,
             gboolean      is_failed)
{
  g_clear_pointer (&view->map, g_free);
  view->n_map  = 0;
  view->failed = is_failed;
  wf_object_measuring_stop (view->in_view);
  tell_of_view (view);
}

/* The preview has another result, whose basins are not merged yet. */
static void
computed (WfObjectView *view)
{
  forget_view (view, FALSE);
}

static void
failed (WfObjectView *view)
{
  forget_view (view, TRUE);
}


/*  What others tell  */

/**
 * wf_object_view_show:
 * @view: a view
 * @result: complete basins, which the preview shows
 * @count: the number of basins that merging leaves
 * @map: (nullable): for each label of @result its representative; %NULL if none are merged
 *
 * Shows the merged basins, and which of them are kept as soon as they are measured.
 */
void
wf_object_view_show (WfObjectView    *view,
                     WfPreviewResult *result,
                     guint32          count,
                     const guint32   *map)
{
  const gsize n = map ? (gsize) result->n_labels + 1 : 0;
  gboolean    is_started;

  g_free (view->map);
  view->map   = g_memdup2 (map, n * sizeof *map);
  view->n_map = n;
  is_started  = wf_object_measuring_start (view->in_view, result, count);
  show_picture (view);
  if (is_started)
    tell_of_view (view);
}

/**
 * wf_object_view_set_whole:
 * @view: a view
 * @result: (nullable): complete basins of the whole image, if the preview shows a part
 */
void
wf_object_view_set_whole (WfObjectView    *view,
                          WfPreviewResult *result)
{
  g_clear_pointer (&view->whole, wf_preview_result_unref);
  wf_object_measuring_forget (view->in_whole);
  view->whole        = result ? wf_preview_result_ref (result) : NULL;
  view->counts_whole = FALSE;
  tell (view, TRUE);
}

/**
 * wf_object_view_count_whole:
 * @view: a view
 * @count: the number of basins that merging leaves of the whole image
 */
void
wf_object_view_count_whole (WfObjectView *view,
                            guint32       count)
{
  if (view->whole && wf_object_measuring_start (view->in_whole, view->whole, count) &&
      view->counts_whole)
    tell (view, TRUE);
}

/**
 * wf_object_view_correct:
 * @view: a view
 * @corrections: (nullable): made of the basins of the whole image, in pixels of the procedure's
 *   region
 */
void
wf_object_view_correct (WfObjectView        *view,
                        const WfCorrections *corrections)
{
  wf_object_measuring_correct (view->in_whole, corrections);
  if (view->counts_whole)
    tell (view, TRUE);
}

/**
 * wf_object_view_add_shown:
 * @view: a view
 * @shown: is told of the objects and of which are kept
 * @data: for @shown
 */
void
wf_object_view_add_shown (WfObjectView       *view,
                          WfObjectsShownFunc  shown,
                          gpointer            data)
{
  const Listener listener = { shown, data };

  g_array_append_val (view->listeners, listener);
  tell (view, TRUE);
}

/**
 * wf_object_view_list:
 * @view: a view
 * @measures: those of a table of the objects, a bit for each; 0: no table
 * @spacing: of its pixels
 */
void
wf_object_view_list (WfObjectView *view,
                     guint64       measures,
                     const double  spacing[3])
{
  const gboolean in_view  = wf_object_measuring_list (view->in_view, measures, spacing);
  const gboolean in_whole = wf_object_measuring_list (view->in_whole, measures, spacing);

  if (in_view || in_whole)
    tell (view, TRUE);
}

/**
 * wf_object_view_number:
 * @view: a view
 * @numbered: whether the tables have places for numbers
 */
void
wf_object_view_number (WfObjectView *view,
                       gboolean      numbered)
{
  const gboolean in_view  = wf_object_measuring_place (view->in_view, numbered);
  const gboolean in_whole = wf_object_measuring_place (view->in_whole, numbered);

  if (in_view || in_whole)
    tell (view, TRUE);
}

/**
 * wf_object_view_get_table:
 * @view: a view
 *
 * Returns: (transfer none) (nullable): the objects of the whole image, or those of the preview
 *   until the former were measured once; %NULL while those are not measured
 */
const WfObjectTable *
wf_object_view_get_table (WfObjectView *view)
{
  return view->counts_whole ? wf_object_measuring_get (view->in_whole) : get_table (view);
}

static void
view_free (gpointer  data,
           GClosure *closure)
{
  WfObjectView *view = data;

  wf_object_measuring_free (view->in_view);
  wf_object_measuring_free (view->in_whole);
  g_clear_pointer (&view->whole, wf_preview_result_unref);
  g_array_unref (view->listeners);
  g_free (view->map);
  g_free (view);
}

/* Its settings outlive the preview, and with that this view. */
static void
follow_limits (WfObjectView *view)
{
  const WfOptionGroup *group = wf_objects_get_options ();

  for (guint i = 0; i < group->n_options; i++)
    {
      g_autofree char *signal  = g_strdup_printf ("notify::%s", group->options[i].name);
      GClosure        *closure = g_cclosure_new_swap (G_CALLBACK (limits_changed), view, NULL);

      g_object_watch_closure (G_OBJECT (view->preview), closure);
      g_signal_connect_closure (view->config, signal, closure, FALSE);
    }
}

/**
 * wf_object_view_new:
 * @dialog: a dialog with a preview
 *
 * Returns: (transfer none): the objects of the preview, which exist as long as that
 */
WfObjectView *
wf_object_view_new (WfDialog *dialog)
{
  WfObjectView *view = g_new0 (WfObjectView, 1);

  view->preview   = wf_dialog_get_preview (dialog);
  view->config    = G_OBJECT (wf_dialog_get_run (dialog)->config);
  view->listeners = g_array_new (FALSE, FALSE, sizeof (Listener));
  view->in_view   = wf_object_measuring_new (view_measured, view);
  view->in_whole  = wf_object_measuring_new (whole_measured, view);
  g_signal_connect_swapped (view->preview, "computed", G_CALLBACK (computed), view);
  g_signal_connect_data (view->preview, "failed", G_CALLBACK (failed), view, view_free,
                         G_CONNECT_SWAPPED);
  follow_limits (view);
  return view;
}
