/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Corrections by hand: a label image is changed by a list of corrections, one after the other.  An
 * object is the set of the pixels of one label that is not 0.
 *
 *   join         the objects at the points, of which the lowest label stays.  A pixel without a
 *                label becomes one of the joined object if it was a line within it: if it has a
 *                labelled neighbor, if there are several objects around it, and if all of them are
 *                joined.  Around it are the objects of its neighbors, and of its unlabelled
 *                neighbors' neighbors (as where a hierarchy merges basins, hierarchy/images.c).
 *   join-along   the same of all objects that the stroke through the points crosses.
 *   split        the stroke through the points (stroke.c) divides one object: that of which it
 *                crosses the most pixels, the lowest label of several.  See split.c.
 *   delete       the objects at the points are left out.
 *   keep         the objects at the points are kept, even if they were deleted or limits leave them
 *                out.
 *   seed         each point is the marker of a new object within the one that is there (seed.c).
 *
 * Deleted objects keep their pixels, so that they can be shown and brought back; of all corrections
 * only “keep” sees them.  New objects get the labels after the highest one that was ever given, and
 * what is joined with or split from an object that is kept is kept.  Labels that have vanished are
 * not given again.  Where lines divide basins they divide the parts of a split, too.
 *
 * In the course of a watershed the corrections come after the merging and before the limits of
 * objects (measurements/objects.c), of which they make exceptions.
 *
 * A correction that finds nothing to do has no effect, and is no error: its points may be of
 * another state of the image.  So a list can be made again when settings have changed.
 *
 * Each object has a box, so that a correction costs the time of the boxes that it touches: finding
 * the boxes reads the labels once.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context.h"
#include "engine/core/context-private.h"
#include "engine/core/embedding.h"
#include "divisions.h"

/* The labels above are left to those who show them. */
#define HIGHEST_LABEL (G_MAXUINT32 - 2)

/* For the seeds of one list that are made ahead. */
#define BYTES_AHEAD (G_GUINT64_CONSTANT (1) << 26)

static const WfBox no_box = { 0 };


/*  Labels and boxes  */

/* By runs of equal labels. */
static void
measure_row (const guint32 *label,
             gint64         width,
             gint64         y,
             gint64         z,
             WfBox         *boxes)
{
  gint64 first = 0;

  for (gint64 x = 1; x <= width; x++)
    if (x == width || label[x] != label[first])
      {
        if (label[first] != 0)
          wf_box_include (&boxes[label[first]], &(WfBox) { first, y, z, x, y + 1, z + 1 });
        first = x;
      }
}

/* Rows are shared by threads if the boxes of each take less memory than the labels. */
static void
measure_rows (const WfCorrecting *correcting)
{
  const WfImage    *labels  = correcting->labels;
  const gint64      n_rows  = labels->height * labels->depth;
  const gsize       n       = (gsize) correcting->highest + 1;
  WfBox            *boxes   = (WfBox *) (gpointer) correcting->boxes->data;
  const gint64      threads = wf_context_count_threads (correcting->context);
  const gint64      most    = wf_image_n_pixels (labels) / (gint64) (n * sizeof (WfBox) / 4);
  const gint64      n_bands = CLAMP (MIN (threads, most), 1, n_rows);
  g_autofree WfBox *others  = n_bands > 1 ? g_try_new0 (WfBox, (gsize) (n_bands - 1) * n) : NULL;
  const gint64      n_used  = others ? n_bands : 1;

#pragma omp parallel for schedule (static, 1) num_threads ((int) n_used)
  for (gint64 band = 0; band < n_used; band++)
    for (gint64 row = n_rows * band / n_used; row < n_rows * (band + 1) / n_used; row++)
      measure_row (wf_image_row (labels, row), labels->width, row % labels->height,
                   row / labels->height, band == 0 ? boxes : others + (band - 1) * (gint64) n);
  for (gint64 band = 1; band < n_used; band++)
    for (gsize label = 0; label < n; label++)
      wf_box_include (&boxes[label], &others[(gsize) (band - 1) * n + label]);
}

static gboolean
find_boxes (WfCorrecting  *correcting,
            GError       **error)
{
  const guint32 highest = wf_labels_get_highest (correcting->labels);

  if (highest > MIN (HIGHEST_LABEL, (guint64) G_MAXUINT / sizeof (WfBox) - 1))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                   _("The label %u is too high for corrections."), highest);
      return FALSE;
    }
  correcting->highest = highest;
  g_array_set_size (correcting->boxes, correcting->highest + 1);
  g_byte_array_set_size (correcting->states, correcting->highest + 1);
  memset (correcting->boxes->data, 0, (correcting->highest + 1) * sizeof (WfBox));
  memset (correcting->states->data, WF_OBJECT_PLAIN, correcting->highest + 1);
  measure_rows (correcting);
  return TRUE;
}

/* The object at a pixel, or 0: outside the image there is none, and what is deleted is none. */
guint32
wf_correcting_look (const WfCorrecting *correcting,
                    gint64              x,
                    gint64              y,
                    gint64              z)
{
  const WfBox all = wf_shape_box (&correcting->shape);
  guint32     label;

  if (! wf_box_holds (&all, (WfPoint) { x, y, z }, 0, 0, 0))
    return 0;
  label = *wf_label_at (correcting->labels, x, y, z);
  return correcting->states->data[label] == WF_OBJECT_DELETED ? 0 : label;
}

WfBox *
wf_correcting_get_box (WfCorrecting *correcting,
                       guint32       label)
{
  return &g_array_index (correcting->boxes, WfBox, label);
}

/* Gives a new label, in the state of the object @like. */
gboolean
wf_correcting_add (WfCorrecting  *correcting,
                   guint32        like,
                   guint32       *label,
                   GError       **error)
{
  const guint8 state = correcting->states->data[like];

  if (correcting->highest >= MIN (HIGHEST_LABEL, (guint64) G_MAXUINT / sizeof (WfBox) - 1))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_LABELS,
                           _("There is no label left for a new object."));
      return FALSE;
    }
  *label = ++correcting->highest;
  g_array_append_val (correcting->boxes, no_box);
  g_byte_array_append (correcting->states, &state, 1);
  return TRUE;
}

/* Finds the box of a label whose pixels lie in @box. */
void
wf_correcting_fit_box (WfCorrecting *correcting,
                       guint32       label,
                       const WfBox  *box)
{
  WfBox fitted = no_box;

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        const guint32 *row   = wf_label_at (correcting->labels, 0, y, z);
        gint64         first = box->x0;
        gint64         end   = box->x1;

        while (first < end && row[first] != label)
          first++;
        while (end > first && row[end - 1] != label)
          end--;
        wf_box_include (&fitted, &(WfBox) { first, y, z, end, y + 1, z + 1 });
      }
  *wf_correcting_get_box (correcting, label) = fitted;
}


/*  The kinds  */

static void
set_state (WfCorrecting       *correcting,
           const WfPixelPlace *point,
           WfObjectState       state,
           gboolean           *effective)
{
  const WfBox all = wf_shape_box (&correcting->shape);
  guint8     *now;

  if (! wf_box_holds (&all, (WfPoint) { point->x, point->y, point->z }, 0, 0, 0))
    return;
  now = &correcting->states->data[*wf_label_at (correcting->labels, point->x, point->y, point->z)];
  if (now == correcting->states->data || *now == state)
    return;
  *now       = state;
  *effective = TRUE;
}

static gboolean
seed_all (WfCorrecting        *correcting,
          const WfPixelPlace  *points,
          guint                n_points,
          gboolean            *effective,
          GError             **error)
{
  for (guint i = 0; i < n_points; i++)
    if (! wf_correcting_seed (correcting, &points[i], effective, error))
      return FALSE;
  return TRUE;
}

/**
 * wf_correcting_apply:
 * @correcting: labels
 * @corrections: a list
 * @i: which of them is made, from 0
 * @effective: (out): whether it has changed anything
 * @error: %WF_ERROR_LABELS, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Makes a correction; see the top of correcting.c for the definitions.
 *
 * Time: linear in the box of the objects that it is of: some 10 ns a pixel, and those of a flood
 * for a seed.  Memory: 20 bytes a pixel of that box.
 *
 * Returns: %FALSE with @error set; then the correction may be made in part
 */
gboolean
wf_correcting_apply (WfCorrecting         *correcting,
                     const WfCorrections  *corrections,
                     guint                 i,
                     gboolean             *effective,
                     GError              **error)
{
  const WfPixelPlace *points;
  guint               n;
  WfCorrectionKind    kind;

  g_return_val_if_fail (correcting != NULL && corrections != NULL && effective != NULL, FALSE);

  *effective = FALSE;
  kind       = wf_corrections_get (corrections, i, &points, &n);
  switch (kind)
    {
    case WF_CORRECTION_JOIN:
    case WF_CORRECTION_JOIN_ALONG:
      return wf_correcting_join (correcting, points, n, kind == WF_CORRECTION_JOIN_ALONG, effective,
                                 error);
    case WF_CORRECTION_SPLIT:
      return wf_correcting_split (correcting, points, n, effective, error);
    case WF_CORRECTION_SEED:
      return seed_all (correcting, points, n, effective, error);
    case WF_CORRECTION_DELETE:
    case WF_CORRECTION_KEEP:
      for (guint k = 0; k < n; k++)
        set_state (correcting, &points[k],
                   kind == WF_CORRECTION_KEEP ? WF_OBJECT_KEPT : WF_OBJECT_DELETED, effective);
      break;
    }
  return TRUE;
}

/**
 * wf_correcting_apply_all:
 * @correcting: labels
 * @corrections: a list
 * @n_effective: (out) (optional): how many of them have changed anything
 * @error: as for wf_correcting_apply()
 *
 * Makes all corrections of a list, seeds of different objects at once
 * (wf_correcting_divide_ahead()).
 *
 * Returns: %FALSE with @error set; then some of them may be made
 */
gboolean
wf_correcting_apply_all (WfCorrecting         *correcting,
                         const WfCorrections  *corrections,
                         guint                *n_effective,
                         GError              **error)
{
  GCancellable *cancellable;
  WfDivisions  *own    = NULL;
  guint         n_made = 0;
  gboolean      done   = TRUE;

  g_return_val_if_fail (correcting != NULL && corrections != NULL, FALSE);

  if (! correcting->divisions)
    correcting->divisions = own = wf_divisions_new (BYTES_AHEAD);
  wf_correcting_divide_ahead (correcting, corrections, 0);
  cancellable = wf_context_get_cancellable (correcting->context);
  for (guint i = 0; done && i < wf_corrections_get_n (corrections); i++)
    {
      gboolean effective = FALSE;

      done    = g_cancellable_is_cancelled (cancellable)
                ? wf_run_set_cancelled (error)
                : wf_correcting_apply (correcting, corrections, i, &effective, error);
      n_made += effective ? 1 : 0;
    }
  if (own)
    g_clear_pointer (&correcting->divisions, wf_divisions_free);
  if (done && n_effective)
    *n_effective = n_made;
  return done;
}


/*  The state  */

static gboolean
check (WfContext                 *context,
       const WfImage             *relief,
       const WfImage             *mask,
       const WfImage             *labels,
       const WfWatershedOptions  *options,
       GError                   **error)
{
  return wf_image_check_view (labels, _("label image"), error) &&
         wf_image_check_host (labels, _("label image"), error) &&
         wf_image_check_type (labels, WF_TYPE_U32, _("label image"), error) &&
         (! relief || (wf_image_check (relief, _("image"), error) &&
                       wf_image_check_work_type (relief, _("image"), error) &&
                       wf_image_check_size (relief, _("image"), labels, _("label image"),
                                            error))) &&
         (! mask || (wf_image_check_host (mask, _("mask"), error) &&
                     wf_embedding_check_mask (mask, labels, error))) &&
         wf_option_group_check (wf_operation_get_options (WF_OPERATION_WATERSHED), options, error);
}

/**
 * wf_correcting_new:
 * @context: (nullable): number of threads and cancelling; the work is done on the CPU
 * @relief: (nullable): u8, u16 or f32, size of @labels, in main memory: what was flooded; %NULL for
 *   a flat one, in which a seed finds nothing to divide
 * @mask: (nullable): u8, u16, u32 or f32, size of @labels: 0 in the background; %NULL for none
 * @labels: u32, in main memory: labels, which are changed
 * @options: (nullable): connectivity, and whether lines divide basins; the others are not used
 * @error: %WF_ERROR_INVALID, %WF_ERROR_LABELS, %WF_ERROR_MEMORY
 *
 * Prepares to correct labels.  The images must live as long.
 *
 * Time: linear in the pixels.  Memory: 49 bytes for each label up to the highest.
 *
 * Returns: (transfer full): the state, or %NULL with @error set
 */
WfCorrecting *
wf_correcting_new (WfContext                 *context,
                   const WfImage             *relief,
                   const WfImage             *mask,
                   WfImage                   *labels,
                   const WfWatershedOptions  *options,
                   GError                   **error)
{
  g_autoptr (WfContext)    own        = wf_context_ensure (context);
  g_autoptr (WfCorrecting) correcting = g_new0 (WfCorrecting, 1);
  WfWatershedOptions       defaults;

  correcting->context = wf_context_new_quiet (own);
  correcting->alone   = wf_context_new_quiet (own);
  correcting->alone->threads = 1;
  correcting->boxes   = g_array_new (FALSE, FALSE, sizeof (WfBox));
  correcting->states  = g_byte_array_new ();
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &defaults);
  if (! check (own, relief, mask, labels, options ? options : &defaults, error))
    return NULL;
  correcting->relief               = relief;
  correcting->mask                 = mask;
  correcting->labels               = labels;
  correcting->shape                = wf_image_shape (labels);
  correcting->options              = defaults;
  correcting->options.lines        = options && options->lines;
  correcting->options.last_index   = options && options->last_index;
  correcting->options.connectivity = options ? options->connectivity : 0;
  return wf_connectivity_resolve (correcting->options.connectivity, &correcting->shape,
                                  &correcting->connectivity, error) &&
         find_boxes (correcting, error) ? g_steal_pointer (&correcting) : NULL;
}

/**
 * wf_correcting_remember:
 * @correcting: labels
 * @most_bytes: how much memory this may take; 0 for none
 *
 * Remembers what splits and seeds make of objects, for wf_correcting_restart(); see the top of
 * divisions.c.  What was remembered before is forgotten.
 */
void
wf_correcting_remember (WfCorrecting *correcting,
                        guint64       most_bytes)
{
  g_return_if_fail (correcting != NULL);

  wf_divisions_free (correcting->divisions);
  correcting->divisions = most_bytes > 0 ? wf_divisions_new (most_bytes) : NULL;
}

/**
 * wf_correcting_restart:
 * @correcting: labels, which the caller has replaced by others
 * @error: %WF_ERROR_LABELS
 *
 * Begins anew with the labels that the image has now; the relief, the mask and the options stay.
 * What wf_correcting_remember() has kept is used: corrections of objects with the same pixels as
 * before take about a nanosecond a pixel of their boxes.  Results are those of a new state.
 *
 * Time: linear in the pixels.
 *
 * Returns: %FALSE with @error set; then the state is as it was, of other labels
 */
gboolean
wf_correcting_restart (WfCorrecting  *correcting,
                       GError       **error)
{
  g_return_val_if_fail (correcting != NULL, FALSE);

  return find_boxes (correcting, error);
}

/**
 * wf_correcting_get_highest:
 * @correcting: labels
 *
 * Gets the highest label that was ever given.
 *
 * Returns: the label; 0 if there is none
 */
guint32
wf_correcting_get_highest (const WfCorrecting *correcting)
{
  g_return_val_if_fail (correcting != NULL, 0);

  return correcting->highest;
}

/**
 * wf_correcting_get_verdict:
 * @correcting: labels
 * @label: one of them
 *
 * Tells whether an object is deleted, or kept by hand.
 *
 * Returns: −1 for one that is deleted, 1 for one that is kept, 0 for all others
 */
int
wf_correcting_get_verdict (const WfCorrecting *correcting,
                           guint32             label)
{
  g_return_val_if_fail (correcting != NULL && label <= correcting->highest, 0);

  return correcting->states->data[label] == WF_OBJECT_DELETED ? -1
         : correcting->states->data[label] == WF_OBJECT_KEPT  ? 1 : 0;
}

/**
 * wf_correcting_choose:
 * @correcting: labels
 * @regions: measurements of them, as they are now
 * @kept: (inout) (array): for each of @regions whether limits keep it; 1 or 0 for what is kept by
 *   hand or deleted
 *
 * Makes exceptions of limits.
 *
 * Returns: how many are kept
 */
gint64
wf_correcting_choose (const WfCorrecting *correcting,
                      const WfRegions    *regions,
                      guint8             *kept)
{
  gint64        n_kept = 0;
  const double *labels;

  g_return_val_if_fail (correcting != NULL && regions != NULL, 0);

  labels = wf_regions_get_values (regions, 0);
  for (gint64 i = 0; i < wf_regions_get_n_regions (regions); i++)
    {
      const guint32 label = (guint32) labels[i];
      const guint8  state = label <= correcting->highest ? correcting->states->data[label]
                                                         : WF_OBJECT_PLAIN;

      if (state != WF_OBJECT_PLAIN)
        kept[i] = state == WF_OBJECT_KEPT;
      n_kept += kept[i];
    }
  return n_kept;
}

/**
 * wf_correcting_free:
 * @correcting: (transfer full) (nullable): labels
 *
 * Frees what is known of them, and not the images.
 */
void
wf_correcting_free (WfCorrecting *correcting)
{
  if (! correcting)
    return;
  wf_context_unref (correcting->context);
  wf_context_unref (correcting->alone);
  g_array_unref (correcting->boxes);
  g_byte_array_unref (correcting->states);
  wf_divisions_free (correcting->divisions);
  g_free (correcting);
}
