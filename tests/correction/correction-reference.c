/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "correction-reference.h"
#include "line-reference.h"

#define BEYOND 1e9

static gint64
place_of (const RefCorrecting *ref,
          gint64               x,
          gint64               y,
          gint64               z)
{
  return x < 0 || y < 0 || z < 0 || x >= ref->size.width || y >= ref->size.height ||
         z >= ref->size.depth ? -1 : ref_index (&ref->size, x, y, z);
}

static guint32
object_at (const RefCorrecting *ref,
           gint64               x,
           gint64               y,
           gint64               z)
{
  const gint64 p = place_of (ref, x, y, z);

  return p < 0 || ref->states[ref->labels[p]] == 1 ? 0 : ref->labels[p];
}

/* Its pixels in the slice of the first point, none twice after each other. */
static GArray *
draw (const RefCorrecting *ref,
      const WfPixelPlace  *points,
      guint                n)
{
  GArray *all    = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));
  GArray *pixels = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));
  gint64  last   = -1;

  if (n == 1)
    ref_draw_line (all, points, points);
  for (guint i = 0; i + 1 < n; i++)
    ref_draw_line (all, &points[i], &points[i + 1]);
  for (guint i = 0; i < all->len; i++)
    {
      WfPixelPlace p    = g_array_index (all, WfPixelPlace, i);
      const gint64 here = place_of (ref, p.x, p.y, 0);

      p.z = points->z;
      if (here >= 0 && here != last)
        g_array_append_val (pixels, p);
      if (here >= 0)
        last = here;
    }
  g_array_unref (all);
  return pixels;
}


/*  Join  */

/* What @set says of the objects around a pixel without a label. */
static gboolean
is_line_within (const RefCorrecting *ref,
                const guint8        *joined,
                gint64               p)
{
  g_autoptr (GHashTable) around = g_hash_table_new (NULL, NULL);
  gboolean               beside = FALSE;
  gint64                 first[26], second[26];
  const int              n      = ref_neighbours (&ref->size, ref->connectivity, p, first);
  GHashTableIter         iter;
  gpointer               key;

  if (ref->labels[p] != 0 || (ref->inside && ! ref->inside[p]))
    return FALSE;
  for (int i = 0; i < n; i++)
    if (ref->labels[first[i]] != 0)
      {
        beside = TRUE;
        g_hash_table_add (around, GUINT_TO_POINTER (ref->labels[first[i]]));
      }
    else if (! ref->inside || ref->inside[first[i]])
      {
        const int m = ref_neighbours (&ref->size, ref->connectivity, first[i], second);

        for (int k = 0; k < m; k++)
          if (ref->labels[second[k]] != 0)
            g_hash_table_add (around, GUINT_TO_POINTER (ref->labels[second[k]]));
      }
  if (! beside || g_hash_table_size (around) < 2)
    return FALSE;
  g_hash_table_iter_init (&iter, around);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (! joined[GPOINTER_TO_UINT (key)])
      return FALSE;
  return TRUE;
}

static gboolean
join (RefCorrecting *ref,
      const guint8  *joined)
{
  const gint64       n      = ref_n_pixels (&ref->size);
  g_autofree guint8 *lines  = g_new0 (guint8, n);
  guint32            lowest = 0;
  guint              count  = 0;
  guint8             state  = 0;

  for (guint32 label = ref->highest; label > 0; label--)
    if (joined[label])
      {
        lowest = label;
        count++;
        state = MAX (state, ref->states[label]);
      }
  if (count < 2)
    return FALSE;
  for (gint64 p = 0; ref->lines && p < n; p++)
    lines[p] = is_line_within (ref, joined, p);
  for (gint64 p = 0; p < n; p++)
    if (joined[ref->labels[p]] || lines[p])
      ref->labels[p] = lowest;
  for (guint32 label = 1; label <= ref->highest; label++)
    if (joined[label])
      ref->states[label] = label == lowest ? state : 0;
  return TRUE;
}

static gboolean
join_at (RefCorrecting      *ref,
         const WfPixelPlace *points,
         guint               n)
{
  g_autofree guint8 *joined = g_new0 (guint8, ref->highest + 1);

  for (guint i = 0; i < n; i++)
    joined[object_at (ref, points[i].x, points[i].y, points[i].z)] = 1;
  joined[0] = 0;
  return join (ref, joined);
}


/*  Split  */

static guint32
find_crossed (const RefCorrecting *ref,
              const GArray        *pixels)
{
  g_autofree guint *counts = g_new0 (guint, ref->highest + 1);
  guint32           most   = 0;

  for (guint i = 0; i < pixels->len; i++)
    {
      const WfPixelPlace *p = &g_array_index (pixels, WfPixelPlace, i);

      counts[object_at (ref, p->x, p->y, p->z)]++;
    }
  counts[0] = 0;
  for (guint32 label = 1; label <= ref->highest; label++)
    if (counts[label] > counts[most])
      most = label;
  return most;
}

static void
build (const RefCorrecting *ref,
       guint32              label,
       const WfPixelPlace  *p,
       guint8              *wall)
{
  for (gint64 z = 0; z < ref->size.depth; z++)
    {
      const gint64 i = place_of (ref, p->x, p->y, z);

      if (i >= 0 && ref->labels[i] == label)
        wall[i] = 1;
    }
}

static void
continue_end (const RefCorrecting *ref,
              guint32              label,
              const WfPixelPlace  *end,
              const WfPixelPlace  *middle,
              gint64               slice,
              guint8              *wall)
{
  const gint64       dx   = end->x - middle->x;
  const gint64       dy   = end->y - middle->y;
  const gint64       far  = dx || dy ? (ref->size.width + ref->size.height) /
                                       MAX (ABS (dx), ABS (dy)) + 1 : 0;
  const WfPixelPlace to   = { end->x + far * dx, end->y + far * dy, 0 };
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));

  ref_draw_line (line, end, &to);
  for (guint i = 0; i < line->len; i++)
    {
      const WfPixelPlace *p = &g_array_index (line, WfPixelPlace, i);

      if (object_at (ref, p->x, p->y, slice) != label)
        return;
      build (ref, label, p, wall);
    }
}

/* Takes what is connected with no marker out of @inside. */
static void
limit (const RefCorrecting *ref,
       gboolean            *inside,
       const guint32       *markers)
{
  const gint64         n       = ref_n_pixels (&ref->size);
  g_autofree guint8   *left    = g_new0 (guint8, n);
  g_autofree guint32  *pieces  = g_new0 (guint32, n);
  g_autofree gboolean *reached = g_new0 (gboolean, n + 1);

  for (gint64 p = 0; p < n; p++)
    left[p] = inside[p] != 0;
  ref_label (&ref->size, ref->connectivity, left, pieces);
  for (gint64 p = 0; p < n; p++)
    reached[pieces[p]] |= markers[p] != 0;
  for (gint64 p = 0; p < n; p++)
    inside[p] = inside[p] && reached[pieces[p]];
}

/* Floods what is @inside from @markers. */
static void
flood (const RefCorrecting *ref,
       gboolean            *inside,
       const guint32       *markers,
       guint32             *basins)
{
  const RefWatershed  options = { .connectivity = ref->connectivity, .lines = ref->lines,
                                  .last_index = ref->last_index };
  g_autofree double  *flat    = g_new0 (double, ref_n_pixels (&ref->size));

  limit (ref, inside, markers);
  ref_limit (inside);
  ref_watershed (&ref->size, ref->relief ? ref->relief : flat, markers, &options, basins);
  ref_limit (NULL);
}

/* The parts in the order of their new labels: the number of each component. */
static GArray *
choose_parts (const RefCorrecting *ref,
              const guint8        *wall,
              const guint32       *components,
              guint32              n,
              guint8              *touched)
{
  const gint64       n_pixels = ref_n_pixels (&ref->size);
  g_autofree gint64 *sizes    = g_new0 (gint64, n + 1);
  GArray            *parts    = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64             n_wall   = 0;

  for (gint64 p = 0; p < n_pixels; p++)
    {
      gint64 near[26];

      n_wall += wall[p];
      sizes[components[p]] += ! wall[p];
      for (int k = ref_neighbours (&ref->size, ref->connectivity, p, near); wall[p] && k > 0; k--)
        touched[components[near[k - 1]]] = 1;
    }
  touched[0] = 0;
  for (;;)
    {
      guint32 best = 0;

      for (guint32 k = 1; k <= n; k++)
        {
          gboolean taken = FALSE;

          for (guint i = 0; i < parts->len; i++)
            taken |= g_array_index (parts, guint32, i) == k;
          if (touched[k] && ! taken && (best == 0 || sizes[k] > sizes[best]))
            best = k;
        }
      if (best == 0 || (parts->len >= 2 && sizes[best] < n_wall))
        return parts;
      g_array_append_val (parts, best);
    }
}

static gboolean
split_by (RefCorrecting *ref,
          guint32        label,
          const guint8  *wall)
{
  const gint64         n          = ref_n_pixels (&ref->size);
  g_autofree guint8   *left       = g_new0 (guint8, n);
  g_autofree guint32  *components = g_new0 (guint32, n);
  g_autofree guint32  *markers    = g_new0 (guint32, n);
  g_autofree guint32  *basins     = g_new0 (guint32, n);
  g_autofree gboolean *inside     = g_new0 (gboolean, n);
  g_autofree guint8   *touched    = NULL;
  g_autoptr (GArray)   parts      = NULL;
  guint32              n_components;

  for (gint64 p = 0; p < n; p++)
    left[p] = ref->labels[p] == label && ! wall[p];
  n_components = ref_label (&ref->size, ref->connectivity, left, components);
  touched      = g_new0 (guint8, n_components + 1);
  parts        = choose_parts (ref, wall, components, n_components, touched);
  if (parts->len < 2)
    return FALSE;
  for (gint64 p = 0; p < n; p++)
    {
      inside[p] = wall[p] || touched[components[p]];
      for (guint i = 0; i < parts->len; i++)
        if (! wall[p] && components[p] == g_array_index (parts, guint32, i))
          markers[p] = i + 1;
    }
  flood (ref, inside, markers, basins);
  for (gint64 p = 0; p < n; p++)
    if (inside[p])
      ref->labels[p] = basins[p] < 2 ? basins[p] * label : ref->highest + basins[p] - 1;
  for (guint i = 1; i < parts->len; i++)
    ref->states[++ref->highest] = ref->states[label];
  return TRUE;
}

static gboolean
split (RefCorrecting      *ref,
       const WfPixelPlace *points,
       guint               n)
{
  g_autoptr (GArray) pixels = draw (ref, points, n);
  g_autofree guint8 *wall   = g_new0 (guint8, ref_n_pixels (&ref->size));
  const guint32      label  = find_crossed (ref, pixels);

  if (label == 0)
    return FALSE;
  for (guint i = 0; i < pixels->len; i++)
    build (ref, label, &g_array_index (pixels, WfPixelPlace, i), wall);
  continue_end (ref, label, &points[0], &points[n / 2], points->z, wall);
  continue_end (ref, label, &points[n - 1], &points[(n - 1) / 2], points->z, wall);
  return split_by (ref, label, wall);
}


/*  Seed  */

static void
mark_way (const RefCorrecting *ref,
          const gboolean      *inside,
          gint64               p,
          guint32             *markers)
{
  for (;;)
    {
      gint64    near[26];
      gint64    lowest = p;
      const int n      = ref_neighbours (&ref->size, ref->connectivity, p, near);

      markers[p] = 2;
      for (int k = 0; k < n; k++)
        if (inside[near[k]] && (ref->relief[near[k]] < ref->relief[lowest] ||
                                (ref->relief[near[k]] == ref->relief[lowest] && lowest != p &&
                                 near[k] < lowest)))
          lowest = near[k];
      if (lowest == p)
        return;
      p = lowest;
    }
}

/* The pixel deepest below its pass to the seed, or −1. */
static gint64
find_rest (const RefCorrecting *ref,
           const gboolean      *inside,
           const guint32       *markers)
{
  const gint64       n      = ref_n_pixels (&ref->size);
  g_autofree double *from   = g_new (double, n);
  g_autofree double *passes = g_new (double, n);
  gint64             rest   = -1;

  for (gint64 p = 0; p < n; p++)
    from[p] = markers[p] ? ref->relief[p] : BEYOND;
  ref_limit (inside);
  ref_reconstruct_quick (&ref->size, ref->connectivity, TRUE, ref->relief, from, passes);
  ref_limit (NULL);
  for (gint64 p = 0; p < n; p++)
    if (inside[p] && passes[p] > ref->relief[p] &&
        (rest < 0 || passes[p] - ref->relief[p] > passes[rest] - ref->relief[rest]))
      rest = p;
  return rest;
}

static gboolean
seed (RefCorrecting      *ref,
      const WfPixelPlace *point)
{
  const gint64         n          = ref_n_pixels (&ref->size);
  const guint32        label      = object_at (ref, point->x, point->y, point->z);
  g_autofree guint8   *object     = g_new0 (guint8, n);
  g_autofree guint32  *components = g_new0 (guint32, n);
  g_autofree guint32  *markers    = g_new0 (guint32, n);
  g_autofree guint32  *basins     = g_new0 (guint32, n);
  g_autofree gboolean *inside     = g_new0 (gboolean, n);
  gboolean             has[3]     = { FALSE };
  gint64               rest;

  if (label == 0 || ! ref->relief)
    return FALSE;
  for (gint64 p = 0; p < n; p++)
    object[p] = ref->labels[p] == label;
  ref_label (&ref->size, ref->connectivity, object, components);
  for (gint64 p = 0; p < n; p++)
    inside[p] = object[p] && components[p] == components[place_of (ref, point->x, point->y,
                                                                   point->z)];
  mark_way (ref, inside, place_of (ref, point->x, point->y, point->z), markers);
  rest = find_rest (ref, inside, markers);
  if (rest < 0)
    return FALSE;
  markers[rest] = 1;
  flood (ref, inside, markers, basins);
  for (gint64 p = 0; p < n; p++)
    if (inside[p])
      has[basins[p]] = TRUE;
  if (! has[1] || ! has[2])
    return FALSE;
  ref->states[++ref->highest] = ref->states[label];
  for (gint64 p = 0; p < n; p++)
    if (inside[p])
      ref->labels[p] = basins[p] == 2 ? ref->highest : basins[p] * label;
  return TRUE;
}


static gboolean
set_state (RefCorrecting      *ref,
           const WfPixelPlace *point,
           guint8              state)
{
  const gint64 p = place_of (ref, point->x, point->y, point->z);

  if (p < 0 || ref->labels[p] == 0 || ref->states[ref->labels[p]] == state)
    return FALSE;
  ref->states[ref->labels[p]] = state;
  return TRUE;
}

/* Makes a correction; returns whether it had an effect. */
gboolean
ref_correct (RefCorrecting      *ref,
             WfCorrectionKind    kind,
             const WfPixelPlace *points,
             guint               n_points)
{
  g_autoptr (GArray) pixels    = NULL;
  gboolean           effective = FALSE;

  switch (kind)
    {
    case WF_CORRECTION_JOIN:
      return join_at (ref, points, n_points);
    case WF_CORRECTION_JOIN_ALONG:
      pixels = draw (ref, points, n_points);
      return join_at (ref, (const WfPixelPlace *) (gpointer) pixels->data, pixels->len);
    case WF_CORRECTION_SPLIT:
      return split (ref, points, n_points);
    case WF_CORRECTION_SEED:
      for (guint i = 0; i < n_points; i++)
        effective |= seed (ref, &points[i]);
      break;
    default:
      for (guint i = 0; i < n_points; i++)
        effective |= set_state (ref, &points[i], kind == WF_CORRECTION_KEEP ? 2 : 1);
    }
  return effective;
}
