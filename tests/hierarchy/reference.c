/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hierarchy of basins, definition by definition: where unlabelled pixels drain to, the
 * passes between all pairs, the merges in order, and the measure of each side of a merge,
 * which is computed from all its pixels every time.
 */

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

#define NO_BASIN G_MAXUINT32

/* A pass between two vertices. */
typedef struct
{
  double  level;
  guint32 a, b;
} Pass;

typedef struct
{
  double  depth;
  guint32 number;
  guint32 from, to;
} Merge;

/**
 * Landscape:
 * @basin: of each pixel, as its label says, or %NO_BASIN
 * @vertex: of each pixel: a basin, or an unlabelled minimum
 * @component: of each vertex: the least vertex that it is connected to
 * @part: the same before the merges at the current level
 * @owner: of each vertex: the basin itself, or the basin that a minimum belongs to, if any
 */
typedef struct
{
  const RefHierarchy *hierarchy;
  RefMeasure          measure;
  const double       *image;
  const guint32      *labels;
  gint64              n;
  guint32             n_basins;
  guint32             n_vertices;
  guint32            *basin;
  guint32            *vertex;
  guint32            *component;
  guint32            *part;
  guint32            *owner;
} Landscape;


static int
compare_numbers (const void *a,
                 const void *b)
{
  guint32 first  = *(const guint32 *) a;
  guint32 second = *(const guint32 *) b;

  return first < second ? -1 : first > second;
}

static guint32
list_basins (const guint32 *labels,
             gint64         n,
             guint32       *list)
{
  guint32 count = 0;

  for (gint64 p = 0; p < n; p++)
    list[p] = labels[p];
  qsort (list, n, sizeof *list, compare_numbers);
  for (gint64 p = 0; p < n; p++)
    if (list[p] != 0 && (count == 0 || list[count - 1] != list[p]))
      list[count++] = list[p];
  return count;
}

static guint32
basin_with_label (const RefHierarchy *hierarchy,
                  guint32             label)
{
  for (guint32 i = 0; i < hierarchy->n_basins; i++)
    if (hierarchy->labels[i] == label)
      return i;
  return NO_BASIN;
}


/*  The ground  */

/* Whether water prefers q to r: by level, then labelled, then index. */
static gboolean
is_preferred (const Landscape *landscape,
              gint64           q,
              gint64           r)
{
  gboolean q_labelled = landscape->labels[q] != 0;
  gboolean r_labelled = landscape->labels[r] != 0;

  if (landscape->image[q] != landscape->image[r])
    return landscape->image[q] < landscape->image[r];
  if (q_labelled != r_labelled)
    return q_labelled;
  return q < r;
}

/* The pixel that @p drains to: a labelled one, or an unlabelled minimum. */
static gint64
end_of_path (const Landscape *landscape,
             gint64           p)
{
  while (landscape->labels[p] == 0)
    {
      gint64   neighbours[REF_MAX_NEIGHBOURS];
      int      n_neighbours = ref_neighbours (&landscape->hierarchy->size,
                                              landscape->hierarchy->connectivity, p, neighbours);
      gint64   best         = n_neighbours > 0 ? neighbours[0] : p;
      gboolean lower;

      for (int i = 1; i < n_neighbours; i++)
        if (is_preferred (landscape, neighbours[i], best))
          best = neighbours[i];
      lower = landscape->image[best] < landscape->image[p] ||
              (landscape->image[best] == landscape->image[p] &&
               (landscape->labels[best] != 0 || best < p));
      if (best == p || ! lower)
        break;
      p = best;
    }
  return p;
}

static void
set_vertices (Landscape *landscape)
{
  g_autofree gint64 *end = g_new (gint64, landscape->n);

  for (gint64 p = 0; p < landscape->n; p++)
    {
      landscape->basin[p] = basin_with_label (landscape->hierarchy, landscape->labels[p]);
      end[p]              = end_of_path (landscape, p);
    }
  landscape->n_vertices = landscape->n_basins;
  for (gint64 p = 0; p < landscape->n; p++)
    if (end[p] == p)
      landscape->vertex[p] = landscape->labels[p] ? landscape->basin[p] : landscape->n_vertices++;
  for (gint64 p = 0; p < landscape->n; p++)
    landscape->vertex[p] = landscape->vertex[end[p]];
}


/*  Passes  */

static int
compare_passes (const void *a,
                const void *b)
{
  const Pass *first  = a;
  const Pass *second = b;

  if (first->level != second->level)
    return first->level < second->level ? -1 : 1;
  if (first->a != second->a)
    return first->a < second->a ? -1 : 1;
  return first->b < second->b ? -1 : first->b > second->b;
}

/* All pairs of neighbouring pixels of two vertices, in the order of merging; the first
 * that joins two vertices is their pass.
 */
static GArray *
list_passes (const Landscape *landscape)
{
  GArray *passes = g_array_new (FALSE, FALSE, sizeof (Pass));

  for (gint64 p = 0; p < landscape->n; p++)
    {
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n_neighbours = ref_neighbours (&landscape->hierarchy->size,
                                            landscape->hierarchy->connectivity, p, neighbours);

      for (int i = 0; i < n_neighbours; i++)
        {
          Pass pass = { MAX (landscape->image[p], landscape->image[neighbours[i]]),
                        landscape->vertex[p], landscape->vertex[neighbours[i]] };

          if (pass.a < pass.b)
            g_array_append_val (passes, pass);
        }
    }
  g_array_sort (passes, compare_passes);
  return passes;
}


/*  Measures  */

/* The sum of doubles, rounded once: an expansion of parts that do not overlap (Shewchuk,
 * Adaptive precision floating-point arithmetic, 1997).
 */
typedef struct
{
  double parts[64];
  int    n;
} ExactSum;

static void
exact_sum_add (ExactSum *sum,
               double    x)
{
  int n = 0;

  for (int i = 0; i < sum->n; i++)
    {
      double y    = sum->parts[i];
      double high = x + y;
      double rest = fabs (x) < fabs (y) ? x - (high - y) : y - (high - x);

      if (rest != 0)
        sum->parts[n++] = rest;
      x = high;
    }
  sum->parts[n] = x;
  sum->n        = n + 1;
}

/* If the sum of the upper parts is a tie, the sign of the lower parts breaks it. */
static double
exact_sum_round (const ExactSum *sum)
{
  int    i    = sum->n - 1;
  double high = i >= 0 ? sum->parts[i] : 0;
  double low  = 0;

  while (i > 0 && low == 0)
    {
      double x = high;
      double y = sum->parts[--i];

      high = x + y;
      low  = y - (high - x);
    }
  if (i > 0 && ((low < 0 && sum->parts[i - 1] < 0) || (low > 0 && sum->parts[i - 1] > 0)))
    {
      double twice = 2 * low;
      double other = high + twice;

      if (twice == other - high)
        high = other;
    }
  return high;
}

/* The measure of the pixels of the basins in @part below @level. */
static double
measure_part (const Landscape *landscape,
              guint32          part,
              double           level)
{
  ExactSum sum      = { { 0 }, 0 };
  gboolean infinite = FALSE;
  double   least    = INFINITY;
  gint64   area     = 0;

  for (gint64 p = 0; p < landscape->n; p++)
    {
      if (landscape->basin[p] == NO_BASIN || landscape->part[landscape->basin[p]] != part)
        continue;
      area++;
      least = MIN (least, landscape->image[p]);
      if (landscape->image[p] >= level)
        continue;
      infinite |= isinf (level) || isinf (landscape->image[p]);
      if (! infinite)
        {
          exact_sum_add (&sum, level);
          exact_sum_add (&sum, -landscape->image[p]);
        }
    }
  switch (landscape->measure)
    {
    case REF_AREA:
      return isinf (level) && level > 0 ? INFINITY : (double) area;
    case REF_VOLUME:
      return infinite ? INFINITY : exact_sum_round (&sum);
    default:
      return level == least ? 0 : level - least;
    }
}

/* The measure of a component: that of its largest part.  A part is named by its least
 * vertex.
 */
static double
measure_component (const Landscape *landscape,
                   guint32          component,
                   double           level)
{
  double largest = -1;

  for (guint32 i = 0; i < landscape->n_basins; i++)
    if (landscape->part[i] == i && landscape->component[i] == component)
      {
        double measure = measure_part (landscape, i, level);

        largest = MAX (largest, measure);
      }
  return largest;
}


/*  Merges  */

/* Basins come before minima. */
static gboolean
has_basin (const Landscape *landscape,
           guint32          component)
{
  return component < landscape->n_basins;
}

/* The minima of a component without a basin get one. */
static void
own_minima (Landscape *landscape,
              guint32    component,
              guint32    basin)
{
  for (guint32 v = landscape->n_basins; v < landscape->n_vertices; v++)
    if (landscape->component[v] == component)
      landscape->owner[v] = basin;
}

static guint32
merge_all (Landscape *landscape,
           Merge     *merges)
{
  guint32            n_merges = 0;
  g_autoptr (GArray) passes   = list_passes (landscape);

  for (guint i = 0; i < passes->len; i++)
    {
      const Pass *pass  = &g_array_index (passes, Pass, i);
      guint32     a     = landscape->component[pass->a];
      guint32     b     = landscape->component[pass->b];
      guint32     first = MIN (a, b);

      if (i == 0 || pass->level != pass[-1].level)
        for (guint32 v = 0; v < landscape->n_vertices; v++)
          landscape->part[v] = landscape->component[v];
      if (a == b)
        continue;
      if (has_basin (landscape, a) && has_basin (landscape, b))
        {
          double one   = measure_component (landscape, a, pass->level);
          double other = measure_component (landscape, b, pass->level);

          merges[n_merges] = (Merge) { MAX (MIN (one, other), FLT_TRUE_MIN), n_merges,
                                       landscape->owner[pass->a], landscape->owner[pass->b] };
          n_merges++;
        }
      else if (has_basin (landscape, a))
        own_minima (landscape, b, landscape->owner[pass->a]);
      else if (has_basin (landscape, b))
        own_minima (landscape, a, landscape->owner[pass->b]);
      for (guint32 v = 0; v < landscape->n_vertices; v++)
        if (landscape->component[v] == a || landscape->component[v] == b)
          landscape->component[v] = first;
    }
  return n_merges;
}

/* Basins that nothing connects, inside a limit, are joined last. */
static guint32
merge_rest (Landscape *landscape,
            Merge     *merges,
            guint32    n_merges)
{
  for (guint32 i = 1; i < landscape->n_basins; i++)
    if (landscape->component[i] == i)
      {
        merges[n_merges] = (Merge) { INFINITY, n_merges, 0, i };
        n_merges++;
      }
  return n_merges;
}

static int
compare_merges (const void *a,
                const void *b)
{
  const Merge *first  = a;
  const Merge *second = b;

  if (first->depth != second->depth)
    return first->depth < second->depth ? -1 : 1;
  return first->number < second->number ? -1 : first->number > second->number;
}

/* @labels: not all of them 0 */
RefHierarchy *
ref_hierarchy_new (const RefSize *size,
                   int            connectivity,
                   RefMeasure     measure,
                   const double  *image,
                   const guint32 *labels)
{
  gint64               n         = ref_n_pixels (size);
  RefHierarchy        *hierarchy = g_new0 (RefHierarchy, 1);
  g_autofree guint32  *basin     = g_new (guint32, n);
  g_autofree guint32  *vertex    = g_new (guint32, n);
  g_autofree guint32  *component = g_new (guint32, n);
  g_autofree guint32  *part      = g_new (guint32, n);
  g_autofree guint32  *owner     = g_new (guint32, n);
  g_autofree Merge    *merges    = g_new (Merge, n);
  Landscape            landscape = { hierarchy, measure, image, labels, n, 0, 0, basin, vertex,
                                     component, part, owner };

  hierarchy->size         = *size;
  hierarchy->connectivity = connectivity;
  hierarchy->labels       = g_new (guint32, n);
  hierarchy->n_basins     = list_basins (labels, n, hierarchy->labels);
  landscape.n_basins      = hierarchy->n_basins;
  set_vertices (&landscape);
  for (guint32 v = 0; v < landscape.n_vertices; v++)
    {
      component[v] = v;
      owner[v]     = v < landscape.n_basins ? v : NO_BASIN;
    }

  hierarchy->n_parts = hierarchy->n_basins - merge_all (&landscape, merges);
  g_assert_cmpuint (merge_rest (&landscape, merges, hierarchy->n_basins - hierarchy->n_parts), ==,
                    hierarchy->n_basins - 1);
  qsort (merges, hierarchy->n_basins - 1, sizeof *merges, compare_merges);
  hierarchy->from   = g_new (guint32, hierarchy->n_basins);
  hierarchy->to     = g_new (guint32, hierarchy->n_basins);
  hierarchy->depths = g_new (double, hierarchy->n_basins);
  for (guint32 i = 0; i + 1 < hierarchy->n_basins; i++)
    {
      hierarchy->from[i]   = merges[i].from;
      hierarchy->to[i]     = merges[i].to;
      hierarchy->depths[i] = merges[i].depth;
    }
  return hierarchy;
}

void
ref_hierarchy_free (RefHierarchy *hierarchy)
{
  g_free (hierarchy->labels);
  g_free (hierarchy->from);
  g_free (hierarchy->to);
  g_free (hierarchy->depths);
  g_free (hierarchy);
}


/*  Partitions  */

/* Numbers the regions after the first @n_merges merges from 1 in the order of their first
 * basins; returns their number.
 */
guint32
ref_hierarchy_cut (const RefHierarchy *hierarchy,
                   guint32             n_merges,
                   guint32            *regions)
{
  g_autofree guint32 *first = g_new (guint32, hierarchy->n_basins);
  guint32             n     = 0;

  for (guint32 i = 0; i < hierarchy->n_basins; i++)
    first[i] = i;
  for (guint32 m = 0; m < n_merges; m++)
    {
      guint32 a = first[hierarchy->from[m]];
      guint32 b = first[hierarchy->to[m]];

      for (guint32 i = 0; i < hierarchy->n_basins; i++)
        if (first[i] == a || first[i] == b)
          first[i] = MIN (a, b);
    }
  for (guint32 i = 0; i < hierarchy->n_basins; i++)
    regions[i] = first[i] == i ? ++n : regions[first[i]];
  return n;
}

/* Sets @around for the basins around an unlabelled pixel; returns whether it is a line pixel:
 * whether it has a labelled neighbour and several basins around it.
 */
static gboolean
basins_around (const RefHierarchy *hierarchy,
               const guint32      *labels,
               gint64              p,
               guint8             *around)
{
  gint64   near[REF_MAX_NEIGHBOURS];
  int      n_near  = ref_neighbours (&hierarchy->size, hierarchy->connectivity, p, near);
  gboolean touched = FALSE;
  guint32  count   = 0;

  for (guint32 i = 0; i < hierarchy->n_basins; i++)
    around[i] = FALSE;
  for (int i = 0; i < n_near; i++)
    {
      gint64 far[REF_MAX_NEIGHBOURS];
      int    n_far = ref_neighbours (&hierarchy->size, hierarchy->connectivity, near[i], far);

      if (labels[near[i]])
        {
          touched = TRUE;
          around[basin_with_label (hierarchy, labels[near[i]])] = TRUE;
          continue;
        }
      for (int k = 0; k < n_far; k++)
        if (labels[far[k]])
          around[basin_with_label (hierarchy, labels[far[k]])] = TRUE;
    }
  for (guint32 i = 0; i < hierarchy->n_basins; i++)
    count += around[i];
  return touched && count > 1;
}

void
ref_hierarchy_relabel (const RefHierarchy *hierarchy,
                       const guint32      *regions,
                       const guint32      *labels,
                       guint32            *out)
{
  g_autofree guint8 *around = g_new (guint8, hierarchy->n_basins);

  for (gint64 p = 0; p < ref_n_pixels (&hierarchy->size); p++)
    {
      guint32 region = 0;

      out[p] = 0;
      if (labels[p])
        out[p] = regions[basin_with_label (hierarchy, labels[p])];
      else if (basins_around (hierarchy, labels, p, around))
        {
          gboolean together = TRUE;

          for (guint32 i = 0; i < hierarchy->n_basins; i++)
            {
              if (! around[i])
                continue;
              together &= region == 0 || regions[i] == region;
              region    = regions[i];
            }
          out[p] = together ? region : 0;
        }
    }
}

/* For each pair of basins the depth of the merge that makes them one region. */
static double *
list_joinings (const RefHierarchy *hierarchy)
{
  guint32              n       = hierarchy->n_basins;
  double              *joining = g_new0 (double, n * n);
  g_autofree guint32  *first   = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    first[i] = i;
  for (guint32 m = 0; m + 1 < n; m++)
    {
      guint32 a = first[hierarchy->from[m]];
      guint32 b = first[hierarchy->to[m]];

      for (guint32 i = 0; i < n; i++)
        for (guint32 k = 0; k < n && first[i] == a; k++)
          if (first[k] == b)
            joining[i * n + k] = joining[k * n + i] = hierarchy->depths[m];
      for (guint32 i = 0; i < n; i++)
        if (first[i] == b)
          first[i] = a;
    }
  return joining;
}

void
ref_hierarchy_saliency (const RefHierarchy *hierarchy,
                        const guint32      *labels,
                        double             *out)
{
  guint32            n       = hierarchy->n_basins;
  g_autofree double *joining = list_joinings (hierarchy);
  g_autofree guint8 *around  = g_new (guint8, n);

  for (gint64 p = 0; p < ref_n_pixels (&hierarchy->size); p++)
    {
      out[p] = 0;
      if (labels[p] == 0)
        {
          if (! basins_around (hierarchy, labels, p, around))
            continue;
          for (guint32 i = 0; i < n; i++)
            for (guint32 k = 0; k < n; k++)
              if (around[i] && around[k])
                out[p] = MAX (out[p], joining[i * n + k]);
        }
      else
        {
          guint32 basin = basin_with_label (hierarchy, labels[p]);
          gint64  near[REF_MAX_NEIGHBOURS];
          int     n_near = ref_neighbours (&hierarchy->size, hierarchy->connectivity, p, near);

          for (int i = 0; i < n_near; i++)
            if (labels[near[i]])
              out[p] = MAX (out[p], joining[basin * n
                                            + basin_with_label (hierarchy, labels[near[i]])]);
        }
    }
}
