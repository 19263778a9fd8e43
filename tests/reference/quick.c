/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Second implementations of reconstruction and the watershed, by other algorithms than the
 * plain references: floods from a heap, fronts in a queue, pixels in sorted order.  The
 * time is n log n, so images of ordinary size can be checked.
 */

#include <math.h>
#include <stdlib.h>

#include "reference.h"

typedef struct
{
  double level;
  gint64 pixel;
} Node;

/* A binary heap, the lowest level on top. */
typedef struct
{
  Node   *nodes;
  gint64  n;
  gint64  allocated;
} Heap;

static void
heap_push (Heap   *heap,
           double  level,
           gint64  pixel)
{
  gint64 i = heap->n++;

  if (heap->n > heap->allocated)
    {
      heap->allocated = MAX (1024, 2 * heap->allocated);
      heap->nodes     = g_renew (Node, heap->nodes, heap->allocated);
    }
  for (; i > 0 && heap->nodes[(i - 1) / 2].level > level; i = (i - 1) / 2)
    heap->nodes[i] = heap->nodes[(i - 1) / 2];
  heap->nodes[i] = (Node) { level, pixel };
}

static Node
heap_pop (Heap *heap)
{
  Node   top  = heap->nodes[0];
  Node   last = heap->nodes[--heap->n];
  gint64 i    = 0;

  for (;;)
    {
      gint64 child = 2 * i + 1;

      if (child + 1 < heap->n && heap->nodes[child + 1].level < heap->nodes[child].level)
        child++;
      if (child >= heap->n || heap->nodes[child].level >= last.level)
        break;
      heap->nodes[i] = heap->nodes[child];
      i              = child;
    }
  heap->nodes[i] = last;
  return top;
}

/* By erosion: the lowest levels flood first, so each pixel is final when it is first taken
 * from the heap.  By dilation: the same on negated levels.
 */
void
ref_reconstruct_quick (const RefSize *size,
                       int            connectivity,
                       gboolean       by_erosion,
                       const double  *mask,
                       const double  *marker,
                       double        *out)
{
  gint64             n       = ref_n_pixels (size);
  double             sign    = by_erosion ? 1 : -1;
  g_autofree guint8 *settled = g_new0 (guint8, n);
  Heap               heap    = { NULL, 0, 0 };

  for (gint64 p = 0; p < n; p++)
    heap_push (&heap, MAX (sign * marker[p], sign * mask[p]), p);

  while (heap.n > 0)
    {
      Node   node = heap_pop (&heap);
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n_neighbours;

      if (settled[node.pixel])
        continue;
      settled[node.pixel] = TRUE;
      out[node.pixel]     = sign * node.level + 0.0;

      n_neighbours = ref_neighbours (size, connectivity, node.pixel, neighbours);
      for (int i = 0; i < n_neighbours; i++)
        if (! settled[neighbours[i]])
          heap_push (&heap, MAX (node.level, sign * mask[neighbours[i]]), neighbours[i]);
    }
  g_free (heap.nodes);
}

typedef struct
{
  const RefSize      *size;
  const RefWatershed *options;
  gint64              n;
  guint32            *markers;
  double             *level;
  gint64             *plateau;
  gint64             *queue;
} Flood;

/* Queues the flat zone of @first; returns whether it is a minimum. */
static gboolean
collect_zone (const Flood  *flood,
              const double *image,
              guint8       *seen,
              gint64        first,
              gint64       *n_zone)
{
  gboolean minimal = TRUE;

  *n_zone                    = 0;
  flood->queue[(*n_zone)++] = first;
  seen[first]                = TRUE;
  for (gint64 head = 0; head < *n_zone; head++)
    {
      gint64 p = flood->queue[head];
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n_neighbours = ref_neighbours (flood->size, flood->options->connectivity,
                                            p, neighbours);

      for (int i = 0; i < n_neighbours; i++)
        {
          gint64 q = neighbours[i];

          if (image[q] < image[p])
            minimal = FALSE;
          if (image[q] == image[p] && ! seen[q])
            {
              seen[q]                    = TRUE;
              flood->queue[(*n_zone)++] = q;
            }
        }
    }
  return minimal;
}

static void
number_minima (const Flood  *flood,
               const double *image)
{
  g_autofree guint8 *seen    = g_new0 (guint8, flood->n);
  guint32            highest = 0;

  for (gint64 p = 0; p < flood->n; p++)
    flood->markers[p] = 0;
  for (gint64 p = 0; p < flood->n; p++)
    {
      gint64 n_zone;

      if (seen[p] || ! collect_zone (flood, image, seen, p, &n_zone))
        continue;
      highest++;
      for (gint64 i = 0; i < n_zone; i++)
        flood->markers[flood->queue[i]] = highest;
    }
}

static void
set_markers (const Flood   *flood,
             const double  *image,
             const guint32 *given)
{
  g_autofree double *raised = NULL;

  if (given)
    {
      for (gint64 p = 0; p < flood->n; p++)
        flood->markers[p] = given[p];
      return;
    }
  raised = g_new (double, flood->n);
  for (gint64 p = 0; p < flood->n; p++)
    raised[p] = ref_raise (flood->options, image[p]);
  ref_reconstruct_quick (flood->size, flood->options->connectivity, TRUE, image, raised, raised);
  number_minima (flood, raised);
}

/* Spreads from all lower borders and markers into the plateaux at the same time. */
static void
set_plateaux (const Flood *flood)
{
  gint64 n_queue = 0;

  for (gint64 p = 0; p < flood->n; p++)
    {
      gint64   neighbours[REF_MAX_NEIGHBOURS];
      int      n_neighbours = ref_neighbours (flood->size, flood->options->connectivity,
                                              p, neighbours);
      gboolean source       = flood->markers[p] != 0;

      for (int i = 0; i < n_neighbours; i++)
        source |= flood->level[neighbours[i]] < flood->level[p];
      flood->plateau[p] = source ? 0 : -1;
      if (source)
        flood->queue[n_queue++] = p;
    }
  for (gint64 head = 0; head < n_queue; head++)
    {
      gint64 p = flood->queue[head];
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n_neighbours = ref_neighbours (flood->size, flood->options->connectivity,
                                            p, neighbours);

      for (int i = 0; i < n_neighbours; i++)
        {
          gint64 q = neighbours[i];

          if (flood->plateau[q] < 0 && flood->level[q] == flood->level[p])
            {
              flood->plateau[q]       = flood->plateau[p] + 1;
              flood->queue[n_queue++] = q;
            }
        }
    }
}

static int
compare_pixels (const void *a,
                const void *b,
                void       *user_data)
{
  const Flood *flood = user_data;
  gint64       p     = *(const gint64 *) a;
  gint64       q     = *(const gint64 *) b;

  if (flood->level[p] != flood->level[q])
    return flood->level[p] < flood->level[q] ? -1 : 1;
  if (flood->plateau[p] != flood->plateau[q])
    return flood->plateau[p] < flood->plateau[q] ? -1 : 1;
  return p < q ? -1 : p > q;
}

/* The rank of a pixel is its place in the order (L1, L2, index).  For last_index, the order
 * of the pixels of equal (L1, L2) is reversed.
 */
static void
set_ranks (const Flood  *flood,
           const gint64 *sorted,
           gboolean      last_index,
           gint64       *rank)
{
  for (gint64 start = 0, end; start < flood->n; start = end)
    {
      for (end = start + 1; end < flood->n; end++)
        if (flood->level[sorted[end]] != flood->level[sorted[start]] ||
            flood->plateau[sorted[end]] != flood->plateau[sorted[start]])
          break;
      for (gint64 i = start; i < end; i++)
        rank[sorted[i]] = last_index ? end - 1 - (i - start) : i;
    }
}

static void
draw_lines (const Flood   *flood,
            const gint64  *rank,
            const guint32 *basins,
            guint32       *labels)
{
  for (gint64 p = 0; p < flood->n; p++)
    {
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n_neighbours = ref_neighbours (flood->size, flood->options->connectivity,
                                            p, neighbours);
      gint64 own          = rank[p] + (flood->markers[p] ? 0 : flood->n);

      labels[p] = basins[p];
      for (int i = 0; i < n_neighbours; i++)
        {
          gint64 q = neighbours[i];

          if (basins[q] != basins[p] && rank[q] + (flood->markers[q] ? 0 : flood->n) < own)
            labels[p] = 0;
        }
    }
}

guint32
ref_watershed_quick (const RefSize      *size,
                     const double       *image,
                     const guint32      *markers,
                     const RefWatershed *options,
                     guint32            *labels)
{
  gint64               n       = ref_n_pixels (size);
  g_autofree guint32  *marked  = g_new (guint32, n);
  g_autofree double   *level   = g_new (double, n);
  g_autofree gint64   *plateau = g_new (gint64, n);
  g_autofree gint64   *queue   = g_new (gint64, n);
  g_autofree gint64   *rank    = g_new (gint64, n);
  g_autofree guint32  *basins  = g_new (guint32, n);
  Flood                flood   = { size, options, n, marked, level, plateau, queue };

  set_markers (&flood, image, markers);
  for (gint64 p = 0; p < n; p++)
    level[p] = marked[p] ? image[p] : INFINITY;
  ref_reconstruct_quick (size, options->connectivity, TRUE, image, level, level);
  set_plateaux (&flood);

  for (gint64 p = 0; p < n; p++)
    queue[p] = p;
  qsort_r (queue, n, sizeof *queue, compare_pixels, &flood);
  set_ranks (&flood, queue, options->last_index, rank);

  for (gint64 i = 0; i < n; i++)
    {
      gint64 p = queue[i];
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n_neighbours = ref_neighbours (size, options->connectivity, p, neighbours);
      gint64 best         = p;

      for (int k = 0; k < n_neighbours && ! marked[p]; k++)
        if (best == p || rank[neighbours[k]] < rank[best])
          best = neighbours[k];
      basins[p] = marked[p] ? marked[p] : basins[best];
    }

  set_ranks (&flood, queue, FALSE, rank);
  for (gint64 p = 0; p < n; p++)
    labels[p] = basins[p];
  if (options->lines)
    draw_lines (&flood, rank, basins, labels);
  return ref_count_labels (labels, n);
}
