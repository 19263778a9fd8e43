/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction in bands of which each is read twice and written once.
 *
 *   summary   Each band is reconstructed by itself.  What is kept of it are the levels and the
 *             masks of its rims, and the forest that connects them through it (rim-forest.c).
 *   solve     The pixels of all rims are nodes; forests connect those of a band, and a seam those
 *             that touch across it.  Levels spread over this graph, the highest first, so that each
 *             node is visited once (Dijkstra).
 *   finish    Each band is read once more and reconstructed from its marker and the levels of its
 *             rims, which are those of the result.
 *
 * Ranks whose parts are one band each keep it in memory, and read it once.  Unless the summary was
 * asked for, they first try to do without it (blocks-rounds.c).
 *
 * Source: of the three steps, Barnes, Parallel priority-flood depression filling for trillion
 * cell digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks-rounds.h"
#include "engine/core/context-private.h"
#include "rim-forest.h"
#include "rim-graph.h"

/* Pixels of a band, or nodes, beside two values that mean none (rim-forest.c). */
#define MOST_NUMBERS (G_MAXUINT32 - G_GINT64_CONSTANT (2))

/**
 * Work:
 * @levels: of a band: the marker, then what it reaches by itself
 * @most: what it reaches if its rims reach their masks
 * @has_seams: whether there is anything to summarize
 * @stays: whether the only band of this rank stays in @mask and @levels, and so in all ranks
 */
typedef struct
{
  const WfReconstructBlocks *blocks;
  WfBands                    bands;
  WfImage                    mask;
  WfImage                    levels;
  WfImage                    most;
  gboolean                   has_seams;
  gboolean                   stays;
  WfRimGraph                 graph;
} Work;


/*  Memory  */

static gint64
count_units (const WfBlockSource *source)
{
  return source->depth > 1 ? source->depth : source->height;
}

/* Rows, or slices, of this rank. */
static gint64
count_own (const WfReconstructBlocks *blocks)
{
  const WfPart part = wf_ranks_find_part (blocks->context->ranks, count_units (blocks->mask));

  return MAX (part.end - part.first, 1);
}

/* Bytes for bands of @length rows, or slices. */
static guint64
count_bytes (const WfReconstructBlocks *blocks,
             gint64                     length)
{
  const WfRim   *rim     = &blocks->rim;
  const gint64   units   = count_own (blocks);
  const gint64   n_bands = (units + length - 1) / length;
  const WfShape  band    = blocks->mask->depth > 1
                           ? (WfShape) { rim->width, rim->height, length }
                           : (WfShape) { rim->width, length, 1 };
  const gint64   n       = wf_shape_n_pixels (&band);
  const guint64  grow    = wf_reconstruct_band_memory (blocks, &band);

  if (n_bands == 1 && ! wf_ranks_are_several (blocks->context->ranks))
    return grow + 2 * wf_type_size (rim->type) * n;
  return 3 * wf_type_size (rim->type) * n + MAX (grow, wf_rim_forest_memory (rim, &band))
         + wf_rim_graph_memory (rim, n_bands) + wf_rim_tree_memory (rim, blocks->context->ranks)
         + (wf_ranks_are_several (blocks->context->ranks) ? wf_reconstruct_rounds_memory (rim) : 0);
}

/* The number of rows that takes the least memory: lower bands have more rims in all. */
static gint64
find_least_length (const WfReconstructBlocks *blocks)
{
  const gint64 units = count_own (blocks);
  const double rims  = wf_rim_graph_memory (&blocks->rim, 1) * (double) units;
  const double unit  = (count_bytes (blocks, units) + 1.0) / units;

  return CLAMP ((gint64) sqrt (rims / unit), 1, units);
}

/* The most rows of a band whose pixels and nodes are numbered by 32 bits; 0 if a single one has
 * more.
 */
static gint64
find_most_rows (const WfReconstructBlocks *blocks)
{
  const gint64 n    = wf_rim_n_pixels (&blocks->rim);
  const gint64 most = n > MOST_NUMBERS / WF_N_RIMS ? 0 : MOST_NUMBERS / n;

  return blocks->rows > 0 ? MIN (most, blocks->rows) : most;
}

/* The bytes never decrease with the length: lengths below that which takes the least memory, and
 * those that are not wanted, count as the nearest that may be taken.
 */
static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const WfReconstructBlocks *blocks = data;
  const gint64               most   = find_most_rows (blocks);
  const gint64               length = MAX (blocks->mask->depth > 1 ? band->depth : band->height,
                                           find_least_length (blocks));

  return count_bytes (blocks, MIN (length, most));
}

static gboolean
divide (const WfReconstructBlocks  *blocks,
        WfBands                    *bands,
        GError                    **error)
{
  const WfBlockSource *mask = blocks->mask;
  const gint64         most = find_most_rows (blocks);

  if (most == 0)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                   _("The size of the %s, %" PRId64 " × %" PRId64
                     " × %" PRId64 ", is too large to be addressed."),
                   blocks->mask_name, mask->width, mask->height, mask->depth);
      return FALSE;
    }
  /* without a limit all bands are of equal length */
  return wf_bands_divide (bands, blocks->context, mask, most < count_units (mask) ? most : 0,
                          band_memory, 0, blocks, error);
}

/* Whether memory allows this way. */
gboolean
wf_reconstruct_summary_fits (const WfReconstructBlocks *blocks)
{
  WfBands bands;

  return divide (blocks, &bands, NULL);
}

static void
work_clear (Work *work)
{
  wf_image_clear (&work->mask);
  wf_image_clear (&work->levels);
  wf_image_clear (&work->most);
  wf_rim_graph_clear (&work->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
work_init (Work    *work,
           GError **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfType               type   = blocks->mask->type;

  if (! divide (blocks, &work->bands, error) ||
      ! wf_bands_allocate (&work->bands, type, 0, &work->mask, error) ||
      ! wf_bands_allocate (&work->bands, type, 0, &work->levels, error))
    return FALSE;
  work->has_seams = work->bands.n > 1 || work->bands.part.n_ranks > 1;
  return TRUE;
}


/*  Summary  */

static gboolean
read_band (Work    *work,
           gint64   number,
           GError **error)
{
  const WfReconstructBlocks *blocks = work->blocks;

  return wf_bands_read (&work->bands, blocks->context, blocks->mask, number, blocks->mask_name,
                        &work->mask, error) &&
         wf_reconstruct_read_marker (blocks, &work->bands, blocks->context, number, &work->mask,
                                     &work->levels, error);
}

/* Connects the rims of a band whose own levels are known. */
static gboolean
connect_rims (Work    *work,
              gint64   number,
              GError **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  WfRimForest                forest = { .rim = blocks->rim, .shape = wf_image_shape (&work->mask),
                                        .own = work->levels.data, .most = work->most.data };
  WfRun                      run;
  gboolean                   done;

  wf_run_init (&run, blocks->context->cancellable, NULL, NULL, 0.0);
  run.n_threads       = wf_context_count_threads (blocks->context);
  forest.connectivity = wf_bands_connectivity (blocks->connectivity, work->mask.depth);
  for (int side = 0; side < WF_N_RIMS; side++)
    forest.is_rim[side] = wf_bands_have_seam (&work->bands, number, side);
  done = wf_rim_forest_build (&forest, &run, error) &&
         wf_rim_graph_link (&work->graph, number, &forest.edges, error);
  wf_triples_clear (&forest.edges);
  return done;
}

/* Where the levels of a band's rims and those of their masks are kept. */
static void
find_rims (Work     *work,
           gint64    number,
           guint32 **level,
           guint32 **mask_level)
{
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      const gint64 first = wf_rim_graph_find (&work->graph, number, side);

      level[side]      = work->graph.level + first;
      mask_level[side] = work->graph.mask_level + first;
    }
}

/* What a band reaches by itself. */
static gboolean
begin_band (Work     *work,
            gint64    number,
            GError  **error)
{
  return read_band (work, number, error) &&
         wf_reconstruct_band (work->blocks, work->blocks->context, &work->mask, &work->levels,
                              &work->levels, error);
}

static gboolean
summarize_band (Work     *work,
                gint64    number,
                GError  **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfRim               *rim    = &blocks->rim;
  guint32                   *level[WF_N_RIMS];
  guint32                   *mask_level[WF_N_RIMS];

  find_rims (work, number, level, mask_level);
  if ((! work->stays && ! begin_band (work, number, error)) ||
      ! wf_steps_next (blocks->steps, error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    if (wf_bands_have_seam (&work->bands, number, side))
      {
        wf_rim_read (rim, &work->levels, side, level[side]);
        wf_rim_read (rim, &work->mask, side, mask_level[side]);
      }

  for (int side = 0; side < WF_N_RIMS; side++)
    if (wf_bands_have_seam (&work->bands, number, side))
      wf_rim_write (rim, &work->levels, side, mask_level[side]);
  wf_bands_fit_view (&work->bands, number, &work->most);
  if (! wf_reconstruct_band (blocks, blocks->context, &work->mask, &work->levels, &work->most,
                             error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    if (wf_bands_have_seam (&work->bands, number, side))
      wf_rim_write (rim, &work->levels, side, level[side]);
  return connect_rims (work, number, error);
}


/*  Finish  */

static gboolean
write_band (Work     *work,
            gint64    number,
            GError  **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfReconstructEnds   *ends   = blocks->ends;

  return (! ends || ! ends->finish ||
          ends->finish (ends->data, &work->mask, &work->levels, error)) &&
         wf_bands_finish (&work->bands, blocks->out, number, &work->levels, error);
}

static gboolean
finish_band (Work     *work,
             gint64    number,
             GError  **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfRimGraph          *graph  = &work->graph;

  /* a single band is read here alone: the marker may have to be looked at */
  if (work->has_seams && wf_bands_are_finished (&work->bands, blocks->out, number))
    return TRUE;
  if (! work->stays && ! read_band (work, number, error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    if (wf_bands_have_seam (&work->bands, number, side))
      wf_rim_raise (&blocks->rim, &work->levels, side,
                    graph->level + wf_rim_graph_find (graph, number, side));
  return ((work->stays && ! work->has_seams) ||
          wf_reconstruct_band (blocks, blocks->context, &work->mask, &work->levels, &work->levels,
                               error)) &&
         write_band (work, number, error);
}


/*  The whole  */

static gboolean
summarize_bands (Work    *work,
                 GError **error)
{
  const WfReconstructBlocks *blocks = work->blocks;

  if (! wf_bands_allocate (&work->bands, blocks->mask->type, 0, &work->most, error) ||
      ! wf_rim_graph_init (&work->graph, &blocks->rim, work->bands.n, error))
    return FALSE;
  for (gint64 i = 0; i < work->bands.n; i++)
    if (! summarize_band (work, i, error) || ! wf_steps_next (blocks->steps, error))
      return FALSE;
  return wf_rim_graph_solve_ranks (&work->graph, blocks->context, &work->bands.part, error);
}

/* Where every rank has one band at most, it stays in memory: what each reaches by itself. */
static gboolean
begin_to_stay (Work    *work,
               GError **error)
{
  gint64 n_higher = work->bands.n > 1;

  if (! wf_ranks_are_several (work->blocks->context->ranks))
    return TRUE;
  if (! wf_ranks_sum (work->blocks->context->ranks, &n_higher, 1, error))
    return FALSE;
  work->stays = n_higher == 0;
  return ! work->stays || work->bands.n == 0 || begin_band (work, 0, error);
}

/* Does without summaries, if levels propagate a short way.  @done: result: whether they do */
static gboolean
try_rounds (Work      *work,
            gboolean  *done,
            GError   **error)
{
  const WfReconstructBlocks *blocks = work->blocks;

  if (! wf_reconstruct_rounds (blocks, &work->bands, &work->mask, &work->levels, done, error))
    return FALSE;
  if (! *done)
    return TRUE;
  if (work->bands.n > 0 && ! wf_bands_are_finished (&work->bands, blocks->out, 0) &&
      ! write_band (work, 0, error))
    return FALSE;
  wf_steps_set_left (blocks->steps, 0);
  return TRUE;
}

/* A single band has no summary.  @may_go_rounds: whether ranks may do without it */
gboolean
wf_reconstruct_summary_bands (const WfReconstructBlocks  *blocks,
                              gboolean                    may_go_rounds,
                              GError                    **error)
{
  g_auto (Work) work = { .blocks = blocks };
  gboolean      done = FALSE;

  if (! work_init (&work, error))
    return FALSE;
  wf_steps_set_left (blocks->steps, work.has_seams ? 3 * work.bands.n : 1);
  if (! begin_to_stay (&work, error) ||
      (work.stays && may_go_rounds && ! try_rounds (&work, &done, error)))
    return FALSE;
  if (done)
    return TRUE;
  if (work.has_seams && ! summarize_bands (&work, error))
    return FALSE;
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! finish_band (&work, i, error) || ! wf_steps_next (blocks->steps, error))
      return FALSE;
  return TRUE;
}
