/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed, definition by definition: markers, L1, L2, parents, lines.
 *
 * Every fixpoint is found by sweeping over the whole image until nothing changes.
 */

#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

typedef struct
{
  const RefSize      *size;
  const RefWatershed *options;
  gint64              n;
  guint32            *markers;
  double             *level;    /* L1 */
  gint64             *plateau;  /* L2 */
} Watershed;

/* Pixels with a lower neighbour are no minima, nor are pixels of the same level that touch
 * such a pixel.
 */
static void
find_minima (const RefSize *size,
             int            connectivity,
             const double  *image,
             guint8        *minimal)
{
  gint64   n       = ref_n_pixels (size);
  gboolean changed = TRUE;

  for (gint64 p = 0; p < n; p++)
    minimal[p] = TRUE;

  while (changed)
    {
      changed = FALSE;
      for (gint64 p = 0; p < n; p++)
        {
          gint64 neighbours[REF_MAX_NEIGHBOURS];
          int    n_neighbours = ref_neighbours (size, connectivity, p, neighbours);

          for (int i = 0; i < n_neighbours && minimal[p]; i++)
            {
              gint64 q = neighbours[i];

              if (image[q] < image[p] || (image[q] == image[p] && ! minimal[q]))
                {
                  minimal[p] = FALSE;
                  changed    = TRUE;
                }
            }
        }
    }
}

/* Numbers the connected sets of @minimal pixels in raster order of their first. */
static guint32
number_components (const RefSize *size,
                   int            connectivity,
                   const guint8  *minimal,
                   guint32       *labels)
{
  gint64  n       = ref_n_pixels (size);
  guint32 highest = 0;

  for (gint64 p = 0; p < n; p++)
    labels[p] = 0;

  for (gint64 first = 0; first < n; first++)
    {
      gboolean changed = TRUE;

      if (! minimal[first] || labels[first])
        continue;

      labels[first] = ++highest;
      while (changed)
        {
          changed = FALSE;
          for (gint64 p = 0; p < n; p++)
            {
              gint64 neighbours[REF_MAX_NEIGHBOURS];
              int    n_neighbours = ref_neighbours (size, connectivity, p, neighbours);

              if (labels[p] != highest)
                continue;
              for (int i = 0; i < n_neighbours; i++)
                if (minimal[neighbours[i]] && ! labels[neighbours[i]])
                  {
                    labels[neighbours[i]] = highest;
                    changed               = TRUE;
                  }
            }
        }
    }
  return highest;
}

/* Numbers the regional minima from 1; returns their number. */
guint32
ref_minima (const RefSize *size,
            int            connectivity,
            const double  *image,
            guint32       *labels)
{
  g_autofree guint8 *minimal = g_new (guint8, ref_n_pixels (size));

  find_minima (size, connectivity, image, minimal);
  return number_components (size, connectivity, minimal, labels);
}

double
ref_raise (const RefWatershed *options,
           double              level)
{
  return options->single ? (double) (float) (level + options->tolerance)
                         : level + options->tolerance;
}

/* The markers: the given ones, or the extended minima. */
static void
set_markers (Watershed     *watershed,
             const double  *image,
             const guint32 *given)
{
  g_autofree double *raised = NULL;

  if (given)
    {
      for (gint64 p = 0; p < watershed->n; p++)
        watershed->markers[p] = given[p];
      return;
    }

  raised = g_new (double, watershed->n);
  for (gint64 p = 0; p < watershed->n; p++)
    raised[p] = ref_raise (watershed->options, image[p]);
  ref_reconstruct (watershed->size, watershed->options->connectivity, TRUE, image, raised, raised);
  ref_minima (watershed->size, watershed->options->connectivity, raised, watershed->markers);
}

static void
set_levels (Watershed    *watershed,
            const double *image)
{
  g_autofree double *start = g_new (double, watershed->n);

  for (gint64 p = 0; p < watershed->n; p++)
    start[p] = watershed->markers[p] ? image[p] : INFINITY;
  ref_reconstruct (watershed->size, watershed->options->connectivity, TRUE, image, start,
                   watershed->level);
}

static void
set_plateaux (Watershed *watershed)
{
  gint64   *plateau = watershed->plateau;
  double   *level   = watershed->level;
  gboolean  changed = TRUE;

  for (gint64 p = 0; p < watershed->n; p++)
    plateau[p] = watershed->markers[p] ? 0 : G_MAXINT64 - 1;

  while (changed)
    {
      changed = FALSE;
      for (gint64 p = 0; p < watershed->n; p++)
        {
          gint64 neighbours[REF_MAX_NEIGHBOURS];
          int    n_neighbours = ref_neighbours (watershed->size, watershed->options->connectivity,
                                                p, neighbours);

          for (int i = 0; i < n_neighbours; i++)
            {
              gint64 q   = neighbours[i];
              gint64 try = level[q] < level[p] ? 0 : level[q] == level[p] ? plateau[q] + 1
                                                                          : plateau[p];
              if (try < plateau[p])
                {
                  plateau[p] = try;
                  changed    = TRUE;
                }
            }
        }
    }
}

/* Whether q comes before p in the order (L1, L2). */
static int
compare (const Watershed *watershed,
         gint64           q,
         gint64           p)
{
  if (watershed->level[q] != watershed->level[p])
    return watershed->level[q] < watershed->level[p] ? -1 : 1;
  if (watershed->plateau[q] != watershed->plateau[p])
    return watershed->plateau[q] < watershed->plateau[p] ? -1 : 1;
  return 0;
}

/* -1 for a pixel that has no neighbours. */
static gint64
parent (const Watershed *watershed,
        gint64           p)
{
  gint64 neighbours[REF_MAX_NEIGHBOURS];
  int    n_neighbours = ref_neighbours (watershed->size, watershed->options->connectivity,
                                        p, neighbours);
  gint64 best         = n_neighbours > 0 ? neighbours[0] : -1;

  for (int i = 1; i < n_neighbours; i++)
    {
      gint64 q     = neighbours[i];
      int    order = compare (watershed, q, best);

      if (order < 0 || (order == 0 && (watershed->options->last_index ? q > best : q < best)))
        best = q;
    }
  return best;
}

static guint32
root_label (const Watershed *watershed,
            gint64           p)
{
  while (p >= 0 && ! watershed->markers[p])
    p = parent (watershed, p);
  return p >= 0 ? watershed->markers[p] : 0;
}

/* Whether q comes before p in the order (not a marker, L1, L2, index). */
static gboolean
precedes (const Watershed *watershed,
          gint64           q,
          gint64           p)
{
  gboolean q_marked = watershed->markers[q] != 0;
  gboolean p_marked = watershed->markers[p] != 0;
  int      order    = compare (watershed, q, p);

  if (q_marked != p_marked)
    return q_marked;
  return order < 0 || (order == 0 && q < p);
}

static gboolean
on_line (const Watershed *watershed,
         const guint32   *basins,
         gint64           p)
{
  gint64 neighbours[REF_MAX_NEIGHBOURS];
  int    n_neighbours = ref_neighbours (watershed->size, watershed->options->connectivity,
                                        p, neighbours);

  for (int i = 0; i < n_neighbours; i++)
    if (basins[neighbours[i]] != basins[p] && precedes (watershed, neighbours[i], p))
      return TRUE;
  return FALSE;
}

static int
compare_labels (const void *a,
                const void *b)
{
  guint32 first  = *(const guint32 *) a;
  guint32 second = *(const guint32 *) b;

  return first < second ? -1 : first > second;
}

/* The number of labels without 0. */
guint32
ref_count_labels (const guint32 *labels,
                  gint64         n)
{
  g_autofree guint32 *sorted = g_new (guint32, n);
  guint32             count  = 0;

  for (gint64 p = 0; p < n; p++)
    sorted[p] = labels[p];
  qsort (sorted, n, sizeof *sorted, compare_labels);
  for (gint64 p = 0; p < n; p++)
    count += sorted[p] != 0 && (p == 0 || sorted[p] != sorted[p - 1]);
  return count;
}

/* Returns the number of basins. */
guint32
ref_watershed (const RefSize      *size,
               const double       *image,
               const guint32      *markers,
               const RefWatershed *options,
               guint32            *labels)
{
  Watershed            watershed = { size, options, ref_n_pixels (size), NULL, NULL, NULL };
  g_autofree guint32  *marked    = g_new (guint32, watershed.n);
  g_autofree double   *level     = g_new (double, watershed.n);
  g_autofree gint64   *plateau   = g_new (gint64, watershed.n);
  g_autofree guint32  *basins    = g_new (guint32, watershed.n);

  watershed.markers = marked;
  watershed.level   = level;
  watershed.plateau = plateau;

  set_markers (&watershed, image, markers);
  set_levels (&watershed, image);
  set_plateaux (&watershed);

  for (gint64 p = 0; p < watershed.n; p++)
    basins[p] = root_label (&watershed, p);
  for (gint64 p = 0; p < watershed.n; p++)
    labels[p] = options->lines && on_line (&watershed, basins, p) ? 0 : basins[p];

  return ref_count_labels (labels, watershed.n);
}


/*  With compactness  */

typedef struct
{
  double priority;
  gint64 pixel;
  gint64 source;
} Offer;

static gboolean
is_before (const Offer *a,
           const Offer *b)
{
  if (a->priority != b->priority)
    return a->priority < b->priority;
  return a->pixel < b->pixel || (a->pixel == b->pixel && a->source < b->source);
}

static void
offer_neighbours (const RefSize *size,
                  const double  *image,
                  int            connectivity,
                  double         compactness,
                  gint64         p,
                  gint64         source,
                  GArray        *offers)
{
  gint64    neighbours[REF_MAX_NEIGHBOURS];
  const int n = ref_neighbours (size, connectivity, p, neighbours);

  for (int i = 0; i < n; i++)
    {
      const gint64 q     = neighbours[i];
      const double x     = (double) (q % size->width - source % size->width);
      const double y     = (double) (q / size->width % size->height -
                                     source / size->width % size->height);
      const double z     = (double) (q / size->width / size->height -
                                     source / size->width / size->height);
      const Offer  offer = { image[q] + compactness * sqrt (x * x + y * y + z * z), q, source };

      g_array_append_val (offers, offer);
    }
}

/* All offers are looked at for each pixel. */
void
ref_compact_watershed (const RefSize *size,
                       const double  *image,
                       const guint32 *markers,
                       int            connectivity,
                       double         compactness,
                       guint32       *labels)
{
  const gint64       n      = ref_n_pixels (size);
  g_autoptr (GArray) offers = g_array_new (FALSE, FALSE, sizeof (Offer));

  for (gint64 p = 0; p < n; p++)
    {
      labels[p] = markers[p];
      if (markers[p])
        offer_neighbours (size, image, connectivity, compactness, p, p, offers);
    }
  while (TRUE)
    {
      const Offer *first = NULL;
      Offer        taken;

      for (guint i = 0; i < offers->len; i++)
        {
          const Offer *offer = &g_array_index (offers, Offer, i);

          if (! labels[offer->pixel] && (! first || is_before (offer, first)))
            first = offer;
        }
      if (! first)
        return;
      taken               = *first;
      labels[taken.pixel] = labels[taken.source];
      offer_neighbours (size, image, connectivity, compactness, taken.pixel, taken.source, offers);
    }
}
