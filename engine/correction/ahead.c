/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Seeds that are made ahead, several at once.
 *
 * Corrections are made one after the other, as each may change what the next one finds.  But most
 * objects are met by one of them only, and then what a seed makes of its object is known before:
 * it depends on the object's pixels alone.  So the seeds of a list whose objects no correction
 * before them meets are made in copies of these objects, each by one thread, and remembered
 * (divisions.c); in its turn a seed finds what it made.  What is remembered is compared with the
 * object's pixels then, so a correction that changes more than was seen here costs time only.
 */

#include "config.h"

#include "engine/core/context.h"
#include "engine/core/context-private.h"
#include "divisions.h"
#include "stroke.h"

/**
 * Ahead:
 * @met: the labels of objects that corrections change
 * @z: the slice of the stroke that is walked
 * @seeds: (element-type WfPixelPlace): one in each of the objects that can be divided ahead
 */
typedef struct
{
  WfCorrecting *correcting;
  GHashTable   *met;
  gint64        z;
  GArray       *seeds;
} Ahead;


/*  Which  */

/* Of WfStrokeFunc. */
static gboolean
meet (gint64   x,
      gint64   y,
      gpointer data)
{
  const Ahead   *ahead = data;
  const guint32  label = wf_correcting_look (ahead->correcting, x, y, ahead->z);

  if (label != 0)
    g_hash_table_add (ahead->met, GUINT_TO_POINTER (label));
  return TRUE;
}

static void
meet_seed (Ahead              *ahead,
           const WfPixelPlace *point)
{
  const guint32 label = wf_correcting_look (ahead->correcting, point->x, point->y, point->z);

  if (label != 0 && g_hash_table_add (ahead->met, GUINT_TO_POINTER (label)) &&
      ! wf_divisions_know (ahead->correcting, WF_CORRECTION_SEED, label, point, 1))
    g_array_append_val (ahead->seeds, *point);
}

static void
meet_all (Ahead              *ahead,
          WfCorrectionKind    kind,
          const WfPixelPlace *points,
          guint               n_points)
{
  const WfShape *shape = &ahead->correcting->shape;

  ahead->z = points->z;
  if (kind == WF_CORRECTION_JOIN_ALONG || kind == WF_CORRECTION_SPLIT)
    wf_stroke_walk_all (shape->width, shape->height, points, n_points, meet, ahead);
  for (guint i = 0; i < n_points; i++)
    if (kind == WF_CORRECTION_SEED)
      meet_seed (ahead, &points[i]);
    else
      {
        ahead->z = points[i].z;
        meet (points[i].x, points[i].y, ahead);
      }
}


/*  Making  */

/* The object as a label image of its box, in which it is 1. */
static gboolean
copy_object (const WfCorrecting  *correcting,
             guint32              label,
             const WfBox         *box,
             WfImage             *copy,
             GError             **error)
{
  const WfShape shape = wf_box_shape (box);

  if (! wf_image_allocate (copy, WF_TYPE_U32, shape.width, shape.height, shape.depth, error))
    return FALSE;
  for (gint64 row = 0; row < shape.height * shape.depth; row++)
    {
      const guint32 *from = wf_label_row (correcting->labels, box, row);
      guint32       *to   = wf_image_row (copy, row);

      for (gint64 x = 0; x < shape.width; x++)
        to[x] = from[x] == label;
    }
  return TRUE;
}

/* Divides a copy of the object.
 *
 * Returns: (transfer full) (nullable): what that has made of it
 */
static WfDivisions *
divide_copy (const WfCorrecting  *correcting,
             const WfPixelPlace  *seed,
             WfBox               *box,
             GError             **error)
{
  const guint32            label   = wf_correcting_look (correcting, seed->x, seed->y, seed->z);
  g_autoptr (WfContext)    context = wf_context_new_quiet (correcting->alone);
  WfWatershedOptions       options = correcting->options;
  g_autoptr (WfCorrecting) own     = NULL;
  g_auto (WfImage)         labels  = { 0 };
  WfImage                  relief;
  WfShape                  shape;
  WfPixelPlace             point;
  gboolean                 effective = FALSE;

  *box   = g_array_index (correcting->boxes, WfBox, label);
  shape  = wf_box_shape (box);
  relief = wf_object_part_view (correcting->relief, box);
  point  = (WfPixelPlace) { seed->x - box->x0, seed->y - box->y0, seed->z - box->z0 };
  options.connectivity = wf_object_part_find_connectivity (correcting, &shape);
  if (! copy_object (correcting, label, box, &labels, error))
    return NULL;
  own = wf_correcting_new (context, &relief, NULL, &labels, &options, error);
  if (! own)
    return NULL;
  wf_correcting_remember (own, wf_divisions_get_most_bytes (correcting->divisions));
  return wf_correcting_seed (own, &point, &effective, error) ? g_steal_pointer (&own->divisions)
                                                             : NULL;
}

/* What fails here fails again in its turn, and is told then. */
static void
make (const Ahead *ahead)
{
  WfCorrecting     *correcting  = ahead->correcting;
  GCancellable     *cancellable = wf_context_get_cancellable (correcting->context);
  const guint       n           = ahead->seeds->len;
  const guint       n_threads   = MIN (wf_context_count_threads (correcting->context), n);
  g_autofree WfBox *boxes       = g_new (WfBox, n);
  WfDivisions     **made        = g_new0 (WfDivisions *, n);

#pragma omp parallel for schedule (dynamic, 1) num_threads ((int) n_threads)
  for (guint i = 0; i < n; i++)
    if (! g_cancellable_is_cancelled (cancellable))
      made[i] = divide_copy (correcting, &g_array_index (ahead->seeds, WfPixelPlace, i), &boxes[i],
                             NULL);
  for (guint i = 0; i < n; i++)
    if (made[i])
      wf_divisions_take (correcting->divisions, made[i], &boxes[i]);
  g_free (made);
}

/**
 * wf_correcting_divide_ahead:
 * @correcting: labels
 * @corrections: a list
 * @first: the first of them that is not made yet
 *
 * Makes seeds of the list in copies of their objects, several at once, so that the corrections,
 * which are made one after the other, find them remembered.  Labels do not change.  Without
 * wf_correcting_remember(), or with one thread, nothing is done.
 *
 * Time: some tens of nanoseconds for each pixel of the objects' boxes, divided by the threads.
 * Memory: 30 bytes for each pixel of a box for each thread, beside what is remembered.
 */
void
wf_correcting_divide_ahead (WfCorrecting        *correcting,
                            const WfCorrections *corrections,
                            guint                first)
{
  Ahead ahead = { .correcting = correcting };

  g_return_if_fail (correcting != NULL && corrections != NULL);

  if (! correcting->divisions || ! correcting->relief ||
      wf_context_count_threads (correcting->context) < 2)
    return;
  ahead.met   = g_hash_table_new (NULL, NULL);
  ahead.seeds = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));
  for (guint i = first; i < wf_corrections_get_n (corrections); i++)
    {
      const WfPixelPlace *points;
      guint               n_points;
      WfCorrectionKind    kind = wf_corrections_get (corrections, i, &points, &n_points);

      if (n_points > 0)
        meet_all (&ahead, kind, points, n_points);
    }
  if (ahead.seeds->len > 1)
    make (&ahead);
  g_hash_table_unref (ahead.met);
  g_array_unref (ahead.seeds);
}
