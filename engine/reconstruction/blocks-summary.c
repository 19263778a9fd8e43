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
 * Source: of the three steps, Barnes, Parallel priority-flood depression filling for trillion
 * cell digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/core/context-private.h"
#include "engine/propagation/tile-queue.h"
#include "rim-forest.h"

#define NODES_TO_A_LOOK (1 << 16)

/* Pixels of a band, or nodes, beside two values that mean none (rim-forest.c). */
#define MOST_NUMBERS (G_MAXUINT32 - G_GINT64_CONSTANT (2))

/* An edge of a band's forest, in the lists of its two nodes.
 * @next: for each of them the next edge in its list, plus 1; 0 at the end
 */
typedef struct
{
  guint32 node[2];
  guint32 next[2];
  guint32 level;
} Link;

/**
 * Work:
 * @levels: of a band: the marker, then what it reaches by itself
 * @most: what it reaches if its rims reach their masks
 * @links: for each band the edges of its forest
 * @n_band_nodes: nodes of a band: the pixels of its two rims, also where there is no seam
 * @level, @mask_level: of each node, as keys
 * @first_link: of each node, plus 1, in its band
 * @queue: nodes whose level has risen
 */
typedef struct
{
  const WfReconstructBlocks *blocks;
  WfBands                    bands;
  WfImage                    mask;
  WfImage                    levels;
  WfImage                    most;
  Link                     **links;
  gint64                     n_band_nodes;
  gint64                     n_nodes;
  guint32                   *level;
  guint32                   *mask_level;
  guint32                   *first_link;
  WfTileQueue                queue;
} Work;


/*  Memory  */

#define NODE_BYTES (3 * sizeof (guint32) + sizeof (Link) + WF_TILE_QUEUE_BYTES)

static gint64
count_units (const WfBlockSource *source)
{
  return source->depth > 1 ? source->depth : source->height;
}

/* Bytes for bands of @length rows, or slices. */
static guint64
count_bytes (const WfReconstructBlocks *blocks,
             gint64                     length)
{
  const WfRim   *rim     = &blocks->rim;
  const gint64   units   = count_units (blocks->mask);
  const gint64   n_bands = (units + length - 1) / length;
  const WfShape  band    = blocks->mask->depth > 1
                           ? (WfShape) { rim->width, rim->height, length }
                           : (WfShape) { rim->width, length, 1 };
  const gint64   n       = wf_shape_n_pixels (&band);
  const guint64  grow    = wf_reconstruct_band_memory (blocks, &band);

  if (n_bands == 1)
    return grow + 2 * wf_type_size (rim->type) * n;
  return 3 * wf_type_size (rim->type) * n + MAX (grow, wf_rim_forest_memory (rim, &band))
         + n_bands * WF_N_RIMS * wf_rim_n_pixels (rim) * NODE_BYTES;
}

/* The number of rows that takes the least memory: lower bands have more rims in all. */
static gint64
find_least_length (const WfReconstructBlocks *blocks)
{
  const gint64 units = count_units (blocks->mask);
  const double rims  = WF_N_RIMS * wf_rim_n_pixels (&blocks->rim) * (double) NODE_BYTES * units;
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
  for (gint64 i = 0; work->links && i < work->bands.n; i++)
    g_free (work->links[i]);
  g_free (work->links);
  g_free (work->level);
  g_free (work->mask_level);
  g_free (work->first_link);
  wf_tile_queue_clear (&work->queue);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
nodes_init (Work    *work,
            GError **error)
{
  const gint64 n = work->n_nodes;

  work->links = g_new0 (Link *, work->bands.n);
  if (! (work->level = wf_allocate (n, sizeof (guint32), error)) ||
      ! (work->mask_level = wf_allocate (n, sizeof (guint32), error)) ||
      ! (work->first_link = wf_allocate (n, sizeof (guint32), error)) ||
      ! wf_tile_queue_init (&work->queue, n, error))
    return FALSE;
  memset (work->level, 0, n * sizeof (guint32));
  memset (work->mask_level, 0, n * sizeof (guint32));
  memset (work->first_link, 0, n * sizeof (guint32));
  return TRUE;
}

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
  work->n_band_nodes = WF_N_RIMS * wf_rim_n_pixels (&blocks->rim);
  work->n_nodes      = work->bands.n * work->n_band_nodes;
  return work->bands.n == 1 ||
         (wf_bands_allocate (&work->bands, type, 0, &work->most, error) &&
          nodes_init (work, error));
}


/*  Summary  */

/* Whether band @number has a seam there. */
static gboolean
is_seam (const Work *work,
         gint64      number,
         WfRimSide   side)
{
  return side == WF_RIM_FIRST ? number > 0 : number < work->bands.n - 1;
}

/* The first node of a rim. */
static gint64
find_rim (const Work *work,
          gint64      number,
          WfRimSide   side)
{
  return number * work->n_band_nodes + side * wf_rim_n_pixels (&work->blocks->rim);
}

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

/* Keeps the forest of a band as lists of edges of each node. */
static gboolean
link_nodes (Work             *work,
            gint64            number,
            const WfTriples  *edges,
            GError          **error)
{
  guint32 *first_link = work->first_link + number * work->n_band_nodes;
  Link    *links;

  if (edges->n == 0)
    return TRUE;
  links = work->links[number] = wf_allocate (edges->n, sizeof (Link), error);
  if (! links)
    return FALSE;
  for (gint64 i = 0; i < edges->n; i++)
    {
      links[i].level = ~edges->items[i].word[WF_RIM_EDGE_LEVEL];
      for (int end = 0; end < 2; end++)
        {
          const guint32 node = edges->items[i].word[end];

          links[i].node[end] = node;
          links[i].next[end] = first_link[node];
          first_link[node]   = i + 1;
        }
    }
  return TRUE;
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
    forest.is_rim[side] = is_seam (work, number, side);
  done = wf_rim_forest_build (&forest, &run, error) &&
         link_nodes (work, number, &forest.edges, error);
  wf_triples_clear (&forest.edges);
  return done;
}

static gboolean
summarize_band (Work     *work,
                gint64    number,
                GError  **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfRim               *rim    = &blocks->rim;

  if (! read_band (work, number, error) ||
      ! wf_reconstruct_band (blocks, blocks->context, &work->mask, &work->levels, &work->levels,
                             error) ||
      ! wf_steps_next (blocks->steps, error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    if (is_seam (work, number, side))
      {
        wf_rim_read (rim, &work->levels, side, work->level + find_rim (work, number, side));
        wf_rim_read (rim, &work->mask, side, work->mask_level + find_rim (work, number, side));
      }

  for (int side = 0; side < WF_N_RIMS; side++)
    if (is_seam (work, number, side))
      wf_rim_write (rim, &work->levels, side, work->mask_level + find_rim (work, number, side));
  wf_bands_fit_view (&work->bands, number, &work->most);
  if (! wf_reconstruct_band (blocks, blocks->context, &work->mask, &work->levels, &work->most,
                             error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    if (is_seam (work, number, side))
      wf_rim_write (rim, &work->levels, side, work->level + find_rim (work, number, side));
  return connect_rims (work, number, error);
}


/*  Solve  */

static inline void
raise_node (Work    *work,
            gint64   node,
            guint32  level)
{
  if (level <= work->level[node])
    return;
  work->level[node] = level;
  wf_tile_queue_push (&work->queue, node, level);
}

/* Raises the nodes that a node touches across its seam, if it is at one. */
static void
raise_across (Work   *work,
              gint64  node)
{
  const WfRim    *rim    = &work->blocks->rim;
  const gint64    n      = wf_rim_n_pixels (rim);
  const gint64    number = node / work->n_band_nodes;
  const WfRimSide side   = node / n % WF_N_RIMS;
  const gint64    x      = node % n % rim->width;
  const gint64    y      = node % n / rim->width;
  gint64          other;

  if (! is_seam (work, number, side))
    return;
  other = side == WF_RIM_FIRST ? find_rim (work, number - 1, WF_RIM_LAST)
                               : find_rim (work, number + 1, WF_RIM_FIRST);
  for (gint64 v = MAX (y - rim->reach, 0); v <= MIN (y + rim->reach, rim->height - 1); v++)
    for (gint64 u = MAX (x - rim->reach, 0); u <= MIN (x + rim->reach, rim->width - 1); u++)
      {
        const gint64 touched = other + v * rim->width + u;

        raise_node (work, touched, MIN (work->level[node], work->mask_level[touched]));
      }
}

/* Raises the nodes that a node is connected with in its band. */
static void
raise_inside (Work   *work,
              gint64  node)
{
  const gint64  number = node / work->n_band_nodes;
  const gint64  first  = number * work->n_band_nodes;
  const guint32 own    = node - first;
  guint32       i      = work->first_link[node];

  while (i > 0)
    {
      const Link *link = &work->links[number][i - 1];
      const int   end  = link->node[0] == own ? 0 : 1;

      raise_node (work, first + link->node[1 - end], MIN (work->level[node], link->level));
      i = link->next[end];
    }
}

static gboolean
solve (Work    *work,
       GError **error)
{
  GCancellable *cancellable = work->blocks->context->cancellable;
  gint64        n_visited   = 0;

  for (gint64 node = 0; node < work->n_nodes; node++)
    raise_across (work, node);
  while (work->queue.n > 0)
    {
      const gint64 node = wf_tile_queue_pop (&work->queue);

      if (++n_visited % NODES_TO_A_LOOK == 0 && g_cancellable_is_cancelled (cancellable))
        return wf_run_set_cancelled (error);
      raise_across (work, node);
      raise_inside (work, node);
    }
  return TRUE;
}


/*  Finish  */

static gboolean
finish_band (Work     *work,
             gint64    number,
             GError  **error)
{
  const WfReconstructBlocks *blocks = work->blocks;
  const WfReconstructEnds   *ends   = blocks->ends;

  if (! read_band (work, number, error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    if (is_seam (work, number, side))
      wf_rim_raise (&blocks->rim, &work->levels, side,
                    work->level + find_rim (work, number, side));
  return wf_reconstruct_band (blocks, blocks->context, &work->mask, &work->levels, &work->levels,
                              error) &&
         (! ends || ! ends->finish ||
          ends->finish (ends->data, &work->mask, &work->levels, error)) &&
         wf_bands_write (&work->bands, blocks->out, number, &work->levels, error);
}


/*  The whole  */

/* A single band has no summary. */
gboolean
wf_reconstruct_summary_bands (const WfReconstructBlocks  *blocks,
                              GError                    **error)
{
  g_auto (Work) work = { .blocks = blocks };

  if (! work_init (&work, error))
    return FALSE;
  wf_steps_set_left (blocks->steps, work.bands.n > 1 ? 3 * work.bands.n : 1);
  if (work.bands.n > 1)
    {
      for (gint64 i = 0; i < work.bands.n; i++)
        if (! summarize_band (&work, i, error) || ! wf_steps_next (blocks->steps, error))
          return FALSE;
      if (! solve (&work, error))
        return FALSE;
    }
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! finish_band (&work, i, error) || ! wf_steps_next (blocks->steps, error))
      return FALSE;
  return TRUE;
}
