/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The compact watershed on the CPU, `steepest` with compactness: the offers of the definition in
 * engine/watershed/watershed.c, the first one first, by one thread.
 *
 * A pixel's best offer so far is kept; an offer that comes after it in the order would never be
 * taken and is not queued.  Priorities may fall, so the queue takes them in any order: offers of
 * about equal priority share a bucket (WfOffers), and only those of the first bucket that holds
 * some, and of the ones before it, are in a heap, which stays small.
 *
 * 20 bytes a pixel are read and written at random for each offer.
 *
 * Source: Neubert and Protzel, Compact watershed and preemptive SLIC: on improving trade-offs of
 * superpixel segmentation algorithms, ICPR 2014.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "flood.h"

#define N_BUCKETS (1 << 16)
#define NO_OFFER  (-1)

/* Bytes of queued offers for each pixel, at most at a time, as far as is known. */
#define OFFER_BYTES 36

typedef struct
{
  double priority;
  gint64 pixel;
} Offer;

typedef struct
{
  Offer  offer;
  gint64 next;
} Kept;

/**
 * WfOffers:
 * @lowest, @scale: a priority's bucket is (priority − lowest) × scale
 * @first: of each bucket, an index in @kept, or NO_OFFER
 * @filled: a bit for each bucket
 * @current: the bucket of the heap; later ones are kept
 * @unused: an index in @kept, or NO_OFFER
 */
typedef struct
{
  double   lowest;
  double   scale;
  gint64  *first;
  guint64 *filled;
  gint64   current;
  Kept    *kept;
  gint64   n_kept;
  gint64   kept_capacity;
  gint64   unused;
  Offer   *heap;
  gint64   n_heap;
  gint64   heap_capacity;
} WfOffers;

static void
offers_clear (WfOffers *offers)
{
  g_free (offers->first);
  g_free (offers->filled);
  g_free (offers->kept);
  g_free (offers->heap);
}

static gboolean
offers_init (WfOffers  *offers,
             double     lowest,
             double     highest,
             GError   **error)
{
  *offers = (WfOffers) { .lowest = lowest, .scale = N_BUCKETS / MAX (highest - lowest, 1e-300),
                         .current = -1, .unused = NO_OFFER };
  if (! (offers->first = wf_allocate (N_BUCKETS, sizeof *offers->first, error)) ||
      ! (offers->filled = wf_allocate (N_BUCKETS / 64, sizeof *offers->filled, error)))
    return FALSE;
  for (gint64 i = 0; i < N_BUCKETS; i++)
    offers->first[i] = NO_OFFER;
  memset (offers->filled, 0, N_BUCKETS / 8);
  return TRUE;
}

/* A greater priority has no lesser bucket. */
static inline gint64
bucket_of (const WfOffers *offers,
           double          priority)
{
  const double bucket = (priority - offers->lowest) * offers->scale;

  return bucket > 0 ? bucket < N_BUCKETS - 1 ? (gint64) bucket : N_BUCKETS - 1 : 0;
}

static gboolean
grow (gpointer *items,
      gint64   *capacity,
      gsize     size,
      GError  **error)
{
  const gint64 larger = MAX (2 * *capacity, 1024);
  gpointer     moved  = wf_allocate (larger, size, error);

  if (! moved)
    return FALSE;
  if (*items)
    memcpy (moved, *items, *capacity * size);
  g_free (*items);
  *items    = moved;
  *capacity = larger;
  return TRUE;
}

static inline gboolean
precedes (const Offer *a,
          const Offer *b)
{
  return a->priority < b->priority || (a->priority == b->priority && a->pixel < b->pixel);
}

static gboolean
heap_push (WfOffers  *offers,
           Offer      offer,
           GError   **error)
{
  gint64 at;

  if (offers->n_heap == offers->heap_capacity &&
      ! grow ((gpointer *) &offers->heap, &offers->heap_capacity, sizeof (Offer), error))
    return FALSE;
  for (at = offers->n_heap++; at > 0; at = (at - 1) / 2)
    {
      const Offer *parent = &offers->heap[(at - 1) / 2];

      if (! precedes (&offer, parent))
        break;
      offers->heap[at] = *parent;
    }
  offers->heap[at] = offer;
  return TRUE;
}

static Offer
heap_pop (WfOffers *offers)
{
  Offer       *heap  = offers->heap;
  const Offer  top   = heap[0];
  const Offer  last  = heap[--offers->n_heap];
  gint64       at    = 0;
  gint64       child;

  while ((child = 2 * at + 1) < offers->n_heap)
    {
      if (child + 1 < offers->n_heap && precedes (&heap[child + 1], &heap[child]))
        child++;
      if (! precedes (&heap[child], &last))
        break;
      heap[at] = heap[child];
      at       = child;
    }
  heap[at] = last;
  return top;
}

static gboolean
offers_push (WfOffers  *offers,
             Offer      offer,
             GError   **error)
{
  const gint64 bucket = bucket_of (offers, offer.priority);
  gint64       at     = offers->unused;

  if (bucket <= offers->current)
    return heap_push (offers, offer, error);
  if (at != NO_OFFER)
    offers->unused = offers->kept[at].next;
  else
    {
      if (offers->n_kept == offers->kept_capacity &&
          ! grow ((gpointer *) &offers->kept, &offers->kept_capacity, sizeof (Kept), error))
        return FALSE;
      at = offers->n_kept++;
    }
  offers->kept[at]             = (Kept) { offer, offers->first[bucket] };
  offers->first[bucket]        = at;
  offers->filled[bucket / 64] |= (guint64) 1 << bucket % 64;
  return TRUE;
}

/* The first bucket that is filled; all before the heap's are empty. */
static gint64
find_bucket (const WfOffers *offers)
{
  for (gint64 word = MAX (offers->current, 0) / 64; word < N_BUCKETS / 64; word++)
    if (offers->filled[word])
      return word * 64 + __builtin_ctzll (offers->filled[word]);
  return N_BUCKETS;
}

/* Fills the heap from the next bucket.  @any: result: whether there is one */
static gboolean
offers_fill (WfOffers  *offers,
             gboolean  *any,
             GError   **error)
{
  const gint64 bucket = find_bucket (offers);

  *any = bucket < N_BUCKETS;
  if (! *any)
    return TRUE;
  offers->current              = bucket;
  offers->filled[bucket / 64] &= ~((guint64) 1 << bucket % 64);
  for (gint64 at = offers->first[bucket], next; at != NO_OFFER; at = next)
    {
      Kept *kept = &offers->kept[at];

      next           = kept->next;
      kept->next     = offers->unused;
      offers->unused = at;
      if (! heap_push (offers, kept->offer, error))
        return FALSE;
    }
  offers->first[bucket] = NO_OFFER;
  return TRUE;
}


/*  The flood  */

/**
 * Compact:
 * @image: packed
 * @labels: the result, packed
 * @best: the least priority that each pixel has been offered
 * @source: by which marker pixel
 */
typedef struct
{
  const WfWatershedTask *task;
  WfRun                 *run;
  WfNeighbourhood        neighbours;
  WfBox                  box;
  gconstpointer          image;
  gpointer               image_copy;
  gpointer               markers_copy;
  guint32               *labels;
  double                *best;
  gint64                *source;
  WfOffers               offers;
} Compact;

static void
compact_clear (Compact *compact)
{
  g_free (compact->image_copy);
  g_free (compact->markers_copy);
  g_free (compact->labels);
  g_free (compact->best);
  g_free (compact->source);
  offers_clear (&compact->offers);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compact, compact_clear)

static inline double
level_at (const Compact *compact,
          gint64         p)
{
  switch (compact->task->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) compact->image)[p];
    case WF_TYPE_U16:
      return ((const guint16 *) compact->image)[p];
    default:
      return ((const float *) compact->image)[p];
    }
}

static inline double
distance_between (WfPoint a,
                  WfPoint b)
{
  const double x = (double) (a.x - b.x);
  const double y = (double) (a.y - b.y);
  const double z = (double) (a.z - b.z);

  return sqrt (x * x + y * y + z * z);
}

/* The marker pixel @source offers the neighbours of @p. */
static gboolean
offer_neighbours (Compact  *compact,
                  gint64    p,
                  gint64    source,
                  GError  **error)
{
  const WfNeighbourhood *nb    = &compact->neighbours;
  const WfShape         *shape = &compact->task->shape;
  const double           c     = compact->task->compactness;
  const WfPoint          point = wf_point_of_index (p, shape);
  const WfPoint          from  = wf_point_of_index (source, shape);
  const gboolean         inner = wf_point_is_inner (point, &compact->box,
                                                    wf_is_stack_connectivity (nb->n));

  for (int i = 0; i < nb->n; i++)
    {
      const gint64  q  = p + nb->step[i];
      const WfPoint at = { point.x + nb->dx[i], point.y + nb->dy[i], point.z + nb->dz[i] };
      double        priority;

      if ((! inner && ! wf_box_holds (&compact->box, at, 0, 0, 0)) || compact->labels[q])
        continue;
      priority = level_at (compact, q) + c * distance_between (at, from);
      if (compact->source[q] != NO_OFFER &&
          (compact->best[q] < priority ||
           (compact->best[q] == priority && compact->source[q] <= source)))
        continue;
      if ((compact->source[q] == NO_OFFER || compact->best[q] != priority) &&
          ! offers_push (&compact->offers, (Offer) { priority, q }, error))
        return FALSE;
      compact->best[q]   = priority;
      compact->source[q] = source;
    }
  return TRUE;
}

static gboolean
offer_from_markers (Compact  *compact,
                    gint64    n,
                    GError  **error)
{
  for (gint64 p = 0; p < n; p++)
    if (compact->labels[p] && ! offer_neighbours (compact, p, p, error))
      return FALSE;
  return TRUE;
}

/* Whether the best offer of a pixel is this one, and it was not taken. */
static inline gboolean
is_valid (const Compact *compact,
          const Offer   *offer)
{
  return ! compact->labels[offer->pixel] && compact->best[offer->pixel] == offer->priority;
}

static gboolean
take_offers (Compact  *compact,
             GError  **error)
{
  WfOffers *offers = &compact->offers;
  gint64    done   = 0;
  gboolean  any    = TRUE;

  while (any)
    {
      if (offers->n_heap == 0)
        {
          if (! offers_fill (offers, &any, error))
            return FALSE;
          continue;
        }

      const Offer offer = heap_pop (offers);

      if (! is_valid (compact, &offer))
        continue;
      compact->labels[offer.pixel] = compact->labels[compact->source[offer.pixel]];
      if (! offer_neighbours (compact, offer.pixel, compact->source[offer.pixel], error))
        return FALSE;
      if ((++done & 0x3fff) == 0 && ! wf_run_advance (compact->run, 0x4000))
        return wf_run_set_cancelled (error);
    }
  return TRUE;
}

/* Finite levels, and a distance in which most pixels have a marker: all priorities are right, but
 * those beyond share the last bucket.
 */
static gboolean
prepare_offers (Compact  *compact,
                gint64    n,
                GError  **error)
{
  const double across  = MAX (compact->box.x1, MAX (compact->box.y1, compact->box.z1));
  double       lowest  = INFINITY;
  double       highest = -INFINITY;

  for (gint64 p = 0; p < n; p++)
    {
      const double level = level_at (compact, p);

      if (! isfinite (level))
        continue;
      lowest  = MIN (lowest, level);
      highest = MAX (highest, level);
    }
  if (lowest > highest)
    lowest = highest = 0;
  return offers_init (&compact->offers, lowest,
                      highest + compact->task->compactness * MIN (across, 256), error);
}

static gboolean
compact_init (Compact  *compact,
              gint64    n,
              GError  **error)
{
  const WfWatershedTask *task    = compact->task;
  gconstpointer          markers = NULL;

  if (! wf_image_pack (task->image, &compact->image, &compact->image_copy, error) ||
      ! wf_image_pack (task->markers, &markers, &compact->markers_copy, error) ||
      ! (compact->labels = wf_run_allocate (compact->run, n, sizeof *compact->labels, error)) ||
      ! (compact->best = wf_run_allocate (compact->run, n, sizeof *compact->best, error)) ||
      ! (compact->source = wf_run_allocate (compact->run, n, sizeof *compact->source, error)) ||
      ! prepare_offers (compact, n, error))
    return FALSE;

  memcpy (compact->labels, markers, n * sizeof *compact->labels);
  for (gint64 p = 0; p < n; p++)
    compact->source[p] = NO_OFFER;
  wf_neighbourhood_init (&compact->neighbours, task->connectivity, &task->shape);
  return TRUE;
}

gboolean
wf_flood_compact (const WfWatershedTask  *task,
                  WfRun                  *run,
                  GError                **error)
{
  const gint64     n       = wf_shape_n_pixels (&task->shape);
  g_auto (Compact) compact = { .task = task, .run = run, .box = wf_shape_box (&task->shape) };
  WfFlood          flood   = { .task = task, .run = run };

  if (! compact_init (&compact, n, error))
    return FALSE;
  wf_run_begin (run, 0.9, n);
  flood.labels = compact.labels;
  if (! offer_from_markers (&compact, n, error) || ! take_offers (&compact, error) ||
      ! wf_flood_count_labels (&flood, task->n_basins, error))
    return FALSE;
  wf_image_unpack (task->labels, compact.labels, run);
  return TRUE;
}

guint64
wf_flood_compact_memory (const WfWatershedTask *task)
{
  guint64 bytes = sizeof (guint32) + sizeof (double) + sizeof (gint64) + OFFER_BYTES;

  if (! wf_has_relief (task) && ! wf_image_is_packed (task->image))
    bytes += wf_type_size (task->type);
  if (task->markers && ! wf_image_is_packed (task->markers))
    bytes += sizeof (guint32);
  return wf_shape_n_pixels (&task->shape) * bytes;
}
