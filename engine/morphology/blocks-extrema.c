/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regional extrema of an image larger than memory, in bands.
 *
 *   summary   The extrema of each band by itself, and which of these plateaux touch its rims.  A
 *             plateau at a seam is out if a pixel across the seam exceeds it, or if one of its
 *             level belongs to no extremum; two that touch with the same level are one.
 *   solve     A plateau is out if any of its parts is (union-find).
 *   finish    Each band is read once more.  Its plateaux at the rims that are out are cleared.
 *
 * All comparisons are of pixels beside each other, so what a band finds to be out by itself is out,
 * and the rest is found at the seams.  Only the plateaux that touch a rim are kept from one pass to
 * the next.
 *
 * extrema.c has the definition, cpu/extrema.c finds the extrema of a band.
 *
 * Source: of the three steps, Barnes, Parallel priority-flood depression filling for trillion
 * cell digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/blocks/bands.h"
#include "engine/core/context-private.h"
#include "engine/core/refusals.h"
#include "engine/cpu/cpu.h"
#include "engine/cpu/union-find.h"
#include "engine/label/cpu/runs.h"
#include "engine/reconstruction/rim.h"
#include "cpu/extrema.h"
#include "cpu/pixels.h"

/* The part of the memory that the plateaux at the seams may take. */
#define SHARE_OF_NODES 8

/* Bytes for each of them: its label; twice its parent and whether it is out, while more are
 * allocated.
 */
#define NODE_BYTES (3 * sizeof (guint32) + 2)

/* Bytes for a pixel of a rim: of a band the labels, marks, keys and the highest beside it of two
 * rims, their labels sorted, and the keys and labels of the rim before it.
 */
#define RIM_BYTES (2 * (3 * sizeof (guint32) + 1 + sizeof (guint32)) + 2 * sizeof (guint32))

/* The plateaux at the rims of a band: nodes from @first on, by their labels in the band.
 * @n_plateaux: that the band has by itself, with those inside it
 */
typedef struct
{
  guint32 *labels;
  gint64   n;
  gint64   first;
  guint32  n_plateaux;
} BandNodes;

/**
 * Work:
 * @image: a band; @state: of its pixels
 * @label, @key, @beside: of the pixels of its rims: plateaux, 0 outside the extrema; levels; the
 *   highest level that they touch across the seam
 * @marked: whether they are to be cleared
 * @label_before, @key_before: of the last rim of the band before
 * @parent, @out: of each node, @n_nodes of @n_allocated
 */
typedef struct
{
  const WfRegionalBlocks *blocks;
  WfBands                 bands;
  WfRim                   rim;
  gint64                  n_rim;
  WfImage                 image;
  WfImage                 state;
  guint32                *label[WF_N_RIMS];
  guint32                *key[WF_N_RIMS];
  guint8                 *marked[WF_N_RIMS];
  guint32                *label_before;
  guint32                *key_before;
  guint32                *beside[WF_N_RIMS];
  guint32                *sorted;
  BandNodes              *of_band;
  guint32                *parent;
  guint8                 *out;
  gint64                  n_nodes;
  gint64                  n_allocated;
  WfSteps                *steps;
} Work;


/*  Memory  */

static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Work    *work  = data;
  const guint64  n     = wf_shape_n_pixels (band);
  const guint64  bytes = n * (wf_type_size (work->rim.type) + 1) + wf_cpu_extrema_memory (band)
                         + wf_runs_memory (band) + RIM_BYTES * work->n_rim;

  return bytes + bytes / (SHARE_OF_NODES - 1);
}

static void
work_clear (Work *work)
{
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      g_free (work->label[side]);
      g_free (work->key[side]);
      g_free (work->beside[side]);
      g_free (work->marked[side]);
    }
  for (gint64 i = 0; work->of_band && i < work->bands.n; i++)
    g_free (work->of_band[i].labels);
  g_free (work->of_band);
  g_free (work->label_before);
  g_free (work->key_before);
  g_free (work->sorted);
  g_free (work->parent);
  g_free (work->out);
  wf_image_clear (&work->image);
  wf_image_clear (&work->state);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
allocate_rims (Work    *work,
               GError **error)
{
  const gint64 n = work->n_rim;

  for (int side = 0; side < WF_N_RIMS; side++)
    if (! (work->label[side] = wf_allocate (n, sizeof (guint32), error)) ||
        ! (work->key[side] = wf_allocate (n, sizeof (guint32), error)) ||
        ! (work->beside[side] = wf_allocate (n, sizeof (guint32), error)) ||
        ! (work->marked[side] = wf_allocate (n, 1, error)))
      return FALSE;
  return (work->label_before = wf_allocate (n, sizeof (guint32), error)) &&
         (work->key_before = wf_allocate (n, sizeof (guint32), error)) &&
         (work->sorted = wf_allocate (WF_N_RIMS * n, sizeof (guint32), error));
}

static gboolean
work_init (Work    *work,
           GError **error)
{
  const WfRegionalBlocks *blocks = work->blocks;
  const WfBlockSource    *image  = blocks->image;
  const WfShape           shape  = { image->width, image->height, image->depth };

  if (wf_ranks_are_several (blocks->context->ranks))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                           _("Regional extrema cannot be divided among several ranks."));
      return FALSE;
    }
  work->rim   = wf_rim_of_image (&shape, image->type,
                                 blocks->maxima ? WF_BY_DILATION : WF_BY_EROSION,
                                 blocks->connectivity);
  work->n_rim = wf_rim_n_pixels (&work->rim);
  if (! wf_bands_divide (&work->bands, blocks->context, image, blocks->rows, band_memory,
                         sizeof (BandNodes), work, error) ||
      ! wf_bands_allocate (&work->bands, image->type, 0, &work->image, error) ||
      ! wf_bands_allocate (&work->bands, WF_TYPE_U8, 0, &work->state, error))
    return FALSE;
  work->of_band = g_new0 (BandNodes, work->bands.n);
  return work->bands.n == 1 || allocate_rims (work, error);
}


/*  Bands  */

static int
find_connectivity (const Work *work)
{
  return wf_bands_connectivity (work->blocks->connectivity, work->image.depth);
}

static gboolean
run_on_cpu (Work            *work,
            const WfVariant *variant,
            gconstpointer    task,
            GError         **error)
{
  const WfPlan plan = { .variant = variant, .backend = wf_backend_cpu () };

  return wf_context_run (work->blocks->context,
                         work->blocks->maxima ? WF_OPERATION_REGIONAL_MAXIMA
                                              : WF_OPERATION_REGIONAL_MINIMA,
                         &plan, task, error) &&
         wf_steps_next (work->steps, error);
}

static gboolean
run_extrema (gconstpointer   data,
             WfRun          *run,
             GError        **error)
{
  Work *work = *(Work *const *) data;

  return wf_cpu_extrema (&work->image, find_connectivity (work), work->blocks->maxima,
                         work->blocks->wide, &work->state, run, 1.0, error);
}

/* Reads a band and finds its extrema by itself. */
static gboolean
begin_band (Work     *work,
            gint64    number,
            GError  **error)
{
  const WfVariant variant = { .algorithm = "plateaux", .run = run_extrema, .checks_nan = TRUE };

  wf_bands_fit_view (&work->bands, number, &work->state);
  return wf_bands_read (&work->bands, work->blocks->context, work->blocks->image, number,
                        _("image"), &work->image, error) &&
         run_on_cpu (work, &variant, &work, error);
}

/* Numbers the plateaux of a band and finds those at its rims.  Pixels of extrema that touch have
 * one level, so the plateaux are the components of the extrema.
 */
static gboolean
label_rims (Work     *work,
            guint32  *n_plateaux,
            GError  **error)
{
  const WfLabelBand band = { .rim_rows = work->rim.height,
                             .rims     = { work->label[WF_RIM_FIRST], work->label[WF_RIM_LAST] } };
  const WfLabelTask task = { .shape        = wf_image_shape (&work->state),
                             .connectivity = find_connectivity (work),
                             .threshold    = NAN,
                             .image        = &work->state,
                             .n_components = n_plateaux,
                             .band         = &band };

  return run_on_cpu (work, &wf_cpu_label_variants[0], &task, error);
}

/* Whether band @number has a seam there. */
static gboolean
is_seam (const Work *work,
         gint64      number,
         WfRimSide   side)
{
  return side == WF_RIM_FIRST ? number > 0 : number < work->bands.n - 1;
}


/*  Nodes  */

static int
compare_labels (gconstpointer a,
                gconstpointer b)
{
  const guint32 first  = *(const guint32 *) a;
  const guint32 second = *(const guint32 *) b;

  return (first > second) - (first < second);
}

/* Sorts the labels at the seams of a band, each once; returns how many there are. */
static gint64
sort_labels (Work   *work,
             gint64  number)
{
  guint32 *labels = work->sorted;
  gint64   n      = 0;
  gint64   n_kept = 0;

  for (int side = 0; side < WF_N_RIMS; side++)
    for (gint64 i = 0; is_seam (work, number, side) && i < work->n_rim; i++)
      if (work->label[side][i] && (i == 0 || work->label[side][i] != work->label[side][i - 1]))
        labels[n++] = work->label[side][i];
  qsort (labels, n, sizeof (guint32), compare_labels);
  for (gint64 i = 0; i < n; i++)
    if (i == 0 || labels[i] != labels[i - 1])
      labels[n_kept++] = labels[i];
  return n_kept;
}

static gboolean
make_room (Work    *work,
           gint64   n,
           GError **error)
{
  const guint64    limit  = wf_context_get_memory (work->blocks->context);
  const gint64     wanted = MAX (n, MIN (2 * work->n_allocated, G_MAXUINT32));
  const guint64    bytes  = NODE_BYTES * n;
  g_autofree char *text   = NULL;
  guint32         *parent;
  guint8          *out;

  if (n <= work->n_allocated)
    return TRUE;
  if (n > G_MAXUINT32 || (limit > 0 && bytes > limit / SHARE_OF_NODES))
    {
      text = g_format_size (bytes * SHARE_OF_NODES);
      g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                   _("The image has so many components that %s of memory are needed."), text);
      return FALSE;
    }
  if (! (parent = wf_allocate (wanted, sizeof (guint32), error)))
    return FALSE;
  if (work->n_nodes > 0)
    memcpy (parent, work->parent, work->n_nodes * sizeof (guint32));
  g_free (work->parent);
  work->parent = parent;
  if (! (out = wf_allocate (wanted, 1, error)))
    return FALSE;
  if (work->n_nodes > 0)
    memcpy (out, work->out, work->n_nodes);
  g_free (work->out);
  work->out         = out;
  work->n_allocated = wanted;
  return TRUE;
}

/* Makes a node of each plateau at the seams of a band. */
static gboolean
add_nodes (Work     *work,
           gint64    number,
           GError  **error)
{
  BandNodes    *nodes = &work->of_band[number];
  const gint64  n     = sort_labels (work, number);

  if (n == 0)
    return TRUE;
  if (! make_room (work, work->n_nodes + n, error) ||
      ! (nodes->labels = wf_allocate (n, sizeof (guint32), error)))
    return FALSE;
  memcpy (nodes->labels, work->sorted, n * sizeof (guint32));
  nodes->n     = n;
  nodes->first = work->n_nodes;
  for (gint64 i = 0; i < n; i++)
    work->parent[work->n_nodes + i] = work->n_nodes + i;
  memset (work->out + work->n_nodes, FALSE, n);
  work->n_nodes += n;
  return TRUE;
}

static guint32
find_node (const Work *work,
           gint64      number,
           guint32     label)
{
  const BandNodes *nodes = &work->of_band[number];
  const guint32   *found = bsearch (&label, nodes->labels, nodes->n, sizeof (guint32),
                                    compare_labels);

  g_assert (found != NULL);
  return nodes->first + (found - nodes->labels);
}

static void
join (Work    *work,
      guint32  node,
      guint32  other)
{
  const guint32 a = wf_find_root (work->parent, node);
  const guint32 b = wf_find_root (work->parent, other);

  work->parent[MAX (a, b)] = MIN (a, b);
}


/*  Seams  */

/* A rim at a seam. */
typedef struct
{
  gint64         number;    /* of its band */
  const guint32 *label;
  const guint32 *key;
  const guint32 *beside;
} Side;

static gboolean
is_exceeded (const Side *side,
             gint64      i)
{
  return side->beside[i] > side->key[i];
}

static gboolean
is_out (const Side *side,
        gint64      i)
{
  return side->label[i] == 0 || is_exceeded (side, i);
}

/* Two pixels of one level that touch across a seam. */
static void
join_pixels (Work       *work,
             const Side *before,
             gint64      i,
             const Side *after,
             gint64      k)
{
  if (is_out (before, i) && is_out (after, k))
    return;
  if (is_out (before, i))
    work->out[find_node (work, after->number, after->label[k])] = TRUE;
  else if (is_out (after, k))
    work->out[find_node (work, before->number, before->label[i])] = TRUE;
  else
    join (work, find_node (work, before->number, before->label[i]),
          find_node (work, after->number, after->label[k]));
}

static void
mark_exceeded (Work       *work,
               const Side *side)
{
  for (gint64 i = 0; i < work->n_rim; i++)
    if (side->label[i] && is_exceeded (side, i))
      work->out[find_node (work, side->number, side->label[i])] = TRUE;
}

static void
join_seam (Work       *work,
           const Side *before,
           const Side *after)
{
  const WfRim *rim   = &work->rim;
  const gint64 reach = rim->reach;

  mark_exceeded (work, before);
  mark_exceeded (work, after);
  for (gint64 i = 0; i < work->n_rim; i++)
    {
      const gint64 x = i % rim->width;
      const gint64 y = i / rim->width;

      if (after->beside[i] < after->key[i])
        continue;
      for (gint64 v = MAX (y - reach, 0); v <= MIN (y + reach, rim->height - 1); v++)
        for (gint64 u = MAX (x - reach, 0); u <= MIN (x + reach, rim->width - 1); u++)
          if (before->key[v * rim->width + u] == after->key[i])
            join_pixels (work, before, v * rim->width + u, after, i);
    }
}

/* Joins a band whose rims are known with the one before it, and keeps its last rim. */
static void
join_band (Work   *work,
           gint64  number)
{
  const Side before = { number - 1, work->label_before, work->key_before,
                        work->beside[WF_RIM_LAST] };
  const Side after  = { number, work->label[WF_RIM_FIRST], work->key[WF_RIM_FIRST],
                        work->beside[WF_RIM_FIRST] };

  for (int side = 0; side < WF_N_RIMS; side++)
    wf_rim_read (&work->rim, &work->image, side, work->key[side]);
  if (number > 0)
    {
      wf_rim_spread (&work->rim, after.key, work->beside[WF_RIM_LAST]);
      wf_rim_spread (&work->rim, before.key, work->beside[WF_RIM_FIRST]);
      join_seam (work, &before, &after);
    }
  memcpy (work->label_before, work->label[WF_RIM_LAST], work->n_rim * sizeof (guint32));
  memcpy (work->key_before, work->key[WF_RIM_LAST], work->n_rim * sizeof (guint32));
}


/*  The steps  */

static gboolean
summarize_band (Work     *work,
                gint64    number,
                GError  **error)
{
  if (! begin_band (work, number, error) ||
      ! label_rims (work, &work->of_band[number].n_plateaux, error) ||
      ! add_nodes (work, number, error))
    return FALSE;
  join_band (work, number);
  return TRUE;
}

static void
solve (Work *work)
{
  for (gint64 node = 0; node < work->n_nodes; node++)
    if (work->out[node])
      work->out[wf_find_root (work->parent, node)] = TRUE;
  for (gint64 node = 0; node < work->n_nodes; node++)
    work->out[node] = work->out[wf_find_root (work->parent, node)];
}

static gboolean
run_clear (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  Work *work = *(Work *const *) data;

  wf_run_begin (run, 1.0, wf_image_n_pixels (&work->image));
  return wf_cpu_extrema_clear (&work->image, find_connectivity (work), work->rim.height,
                               work->marked[WF_RIM_FIRST], work->marked[WF_RIM_LAST],
                               &work->state, run, error);
}

/* Clears the plateaux of a band that are out. */
static gboolean
clear_plateaux (Work     *work,
                gint64    number,
                GError  **error)
{
  const WfVariant  variant = { .algorithm = "plateaux", .run = run_clear, .checks_nan = TRUE };
  const BandNodes *nodes   = &work->of_band[number];
  guint32          n_plateaux;

  if (nodes->n == 0 || ! memchr (work->out + nodes->first, TRUE, nodes->n))
    {
      wf_steps_advance (work->steps, 2);
      return TRUE;
    }
  if (! label_rims (work, &n_plateaux, error) ||
      ! wf_check_unchanged (n_plateaux, nodes->n_plateaux, error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    for (gint64 i = 0; i < work->n_rim; i++)
      work->marked[side][i] = is_seam (work, number, side) && work->label[side][i] &&
                              work->out[find_node (work, number, work->label[side][i])];
  return run_on_cpu (work, &variant, &work, error);
}

static gboolean
finish_band (Work     *work,
             gint64    number,
             GError  **error)
{
  WfImage *state = &work->state;

  if (! begin_band (work, number, error) ||
      (work->bands.n > 1 && ! clear_plateaux (work, number, error)))
    return FALSE;
  for (gint64 row = 0; row < state->height * state->depth; row++)
    wf_tell_marks (wf_image_row (state, row), state->width, wf_image_row (state, row));
  return wf_bands_write (&work->bands, work->blocks->out, number, state, error);
}

/* Marks the regional extrema of an image.  It is read twice, and the marks are written once, in
 * raster order.
 */
gboolean
wf_regional_blocks (const WfRegionalBlocks  *blocks,
                    GError                 **error)
{
  g_auto (WfSteps) steps = { 0 };
  g_auto (Work)    work  = { .blocks = blocks, .steps = &steps };

  if (! work_init (&work, error))
    return FALSE;
  wf_steps_begin (&steps, blocks->context, work.bands.n > 1 ? 5 * work.bands.n : 1);
  for (gint64 i = 0; work.bands.n > 1 && i < work.bands.n; i++)
    if (! summarize_band (&work, i, error))
      return FALSE;
  solve (&work);
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! finish_band (&work, i, error))
      return FALSE;
  return TRUE;
}
