/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a value means for merging basins: shared by the slider, the preview, the dialog's OK
 * and the arguments of scripts.
 *
 * Levels are fractions of the range from black to white here, as in all arguments of the
 * procedures, so that a number means the same at every precision; the hierarchy has them
 * in the image's own units.
 *
 * A slider stops at some of the possible values.  Depths are skewed: of many thousand
 * basins nearly all are shallow.  On a scale of depths nearly all merges would lie on the
 * first pixels, on a scale of merges the visible ones on the last.  So stops are chosen by
 * the number of basins they leave, each about the same fraction of the one before.  Every
 * stop merges something, so each step of the slider has an effect.  If there are few
 * different depths, all of them are stops.
 *
 * A depth may have no short decimal notation.  The value of a stop is the shortest decimal
 * number that leaves the same basins, so that the number that is shown is exact and can be
 * typed into a script.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "ui/options/level-fraction.h"
#include "cut.h"

/* A double has no more significant decimal places, before or after the point. */
#define MOST_DIGITS 17

static const WfChoice choices[] =
{
  { "dynamics", WF_MERGE_BY_DYNAMICS, N_("Depth") },
  { "area",     WF_MERGE_BY_AREA,     N_("Area") },
  { "volume",   WF_MERGE_BY_VOLUME,   N_("Volume") },
  { "count",    WF_MERGE_BY_COUNT,    N_("Number of basins") },
  { NULL,       0,                    NULL }
};


/**
 * wf_merge_get_choices:
 *
 * Returns: the names of #WfMergeBy for scripts, with their labels in dialogs.
 */
const WfChoice *
wf_merge_get_choices (void)
{
  return choices;
}

/**
 * wf_merge_by_parse:
 * @name: (nullable): a name
 * @by: (out): its meaning
 *
 * Returns: whether @name is one of wf_merge_get_choices().
 */
gboolean
wf_merge_by_parse (const char *name,
                   WfMergeBy  *by)
{
  for (const WfChoice *choice = choices; choice->name; choice++)
    if (g_strcmp0 (choice->name, name) == 0)
      {
        *by = (WfMergeBy) choice->value;
        return TRUE;
      }
  return FALSE;
}

/**
 * wf_merge_by_measure:
 * @by: how basins are to be merged
 *
 * Returns: the measure whose hierarchy is needed.
 */
WfMeasure
wf_merge_by_measure (WfMergeBy by)
{
  switch (by)
    {
    case WF_MERGE_BY_AREA:
      return WF_MEASURE_AREA;
    case WF_MERGE_BY_VOLUME:
      return WF_MEASURE_VOLUME;
    default:
      return WF_MEASURE_DYNAMICS;
    }
}


/*  Values and depths  */

/**
 * wf_merge_get_depth:
 * @by: how basins are to be merged; not by count
 * @value: up to which value
 * @type: of the image that was flooded
 *
 * Returns: @value in the unit of the hierarchy
 */
double
wf_merge_get_depth (WfMergeBy by,
                    double    value,
                    WfType    type)
{
  switch (by)
    {
    case WF_MERGE_BY_DYNAMICS:
      return wf_level_from_fraction (value, type);
    case WF_MERGE_BY_VOLUME:
      return value * wf_level_maximum (type);
    default:
      return value;
    }
}

/* Approximately the value whose depth is @depth. */
static double
value_of (WfMergeBy by,
          double    depth,
          WfType    type)
{
  return by == WF_MERGE_BY_AREA ? depth : depth / wf_level_maximum (type);
}

/* Basins that only a pass of infinite level connects are parts of the image that merging keeps. */
static guint32
count_parts (const WfHierarchy *hierarchy)
{
  return wf_hierarchy_cut_at_depth (hierarchy, G_MAXDOUBLE, NULL);
}

/**
 * wf_merge_count:
 * @hierarchy: of the measure that wf_merge_by_measure() returns
 * @by: how basins are to be merged
 * @value: up to which value, or how many; not negative, 0 merges none
 * @type: of the image that was flooded
 *
 * Defines the meaning of @value: the partition is the one of wf_hierarchy_cut_to_count() and
 * wf_hierarchy_get_map() for the number returned.  Basins are not merged across a background,
 * whose level is infinite, so a part that it surrounds is left by every number.
 *
 * Returns: the number of basins left.
 */
guint32
wf_merge_count (const WfHierarchy *hierarchy,
                WfMergeBy          by,
                double             value,
                WfType             type)
{
  guint32 n_basins;

  g_return_val_if_fail (hierarchy != NULL, 0);

  n_basins = wf_hierarchy_get_n_basins (hierarchy);
  if (! (value > 0))
    return n_basins;
  if (by == WF_MERGE_BY_COUNT)
    return value < n_basins ? MAX ((guint32) value, count_parts (hierarchy)) : n_basins;
  return wf_hierarchy_cut_at_depth (hierarchy, wf_merge_get_depth (by, value, type), NULL);
}

/* The shortest decimal number from about @depth on that leaves @count basins; if there is
 * none, the depth itself.
 */
static double
shorten (const WfHierarchy *hierarchy,
         WfMergeBy          by,
         double             depth,
         guint32            count,
         WfType             type)
{
  double about = value_of (by, depth, type);
  double power = 1;

  for (int digits = 0; digits <= MOST_DIGITS && about * power < 0x1p53; digits++, power *= 10)
    {
      double value = ceil (about * power) / power;

      if (wf_merge_count (hierarchy, by, value, type) == count)
        return value;
    }
  while (wf_merge_count (hierarchy, by, about, type) > count)
    about = type == WF_TYPE_F32 && by == WF_MERGE_BY_DYNAMICS
            ? nextafterf ((float) about, INFINITY) : nextafter (about, INFINITY);
  return about;
}

/**
 * wf_merge_find_value:
 * @hierarchy: of the measure that wf_merge_by_measure() returns
 * @by: how basins are to be merged
 * @count: how many basins are to be left, at least 1
 * @type: of the image that was flooded
 *
 * Returns: the least value that leaves no more than @count basins, or a shorter number that
 *   leaves the same ones; 0 if there are no more basins than @count.  If there are more parts that
 *   merging keeps, a number is that of the parts, and another value is infinite.
 */
double
wf_merge_find_value (const WfHierarchy *hierarchy,
                     WfMergeBy          by,
                     guint32            count,
                     WfType             type)
{
  double depth;

  g_return_val_if_fail (hierarchy != NULL && count > 0, 0);

  if (count >= wf_hierarchy_get_n_basins (hierarchy))
    return 0;
  if (by == WF_MERGE_BY_COUNT)
    return MAX (count, count_parts (hierarchy));
  depth = wf_hierarchy_get_depth (hierarchy, count);
  if (! isfinite (depth))
    return depth;
  /* levels of 8 and 16 bits are whole numbers, so depths can be rounded up */
  if (by == WF_MERGE_BY_DYNAMICS && type != WF_TYPE_F32)
    depth = ceil (depth);
  return shorten (hierarchy, by, depth, wf_hierarchy_cut_at_depth (hierarchy, depth, NULL),
                  type);
}


/*  Stops  */

/* The least number of basins above @count that is reached at a smaller depth. */
static guint32
next_finer (const WfHierarchy *hierarchy,
            guint32            count)
{
  double  depth = wf_hierarchy_get_depth (hierarchy, count);
  guint32 first = count + 1;
  guint32 after = wf_hierarchy_get_n_basins (hierarchy);

  while (first < after)
    {
      guint32 middle = first + (after - first) / 2;

      if (wf_hierarchy_get_depth (hierarchy, middle) < depth)
        after = middle;
      else
        first = middle + 1;
    }
  return first;
}

/* Infinite depths separate basins that must not be merged, and are no stops. */
static void
add_stop (GArray            *stops,
          const WfHierarchy *hierarchy,
          WfMergeBy          by,
          guint32            count,
          WfType             type)
{
  WfMergeStop stop;

  stop.value = wf_merge_find_value (hierarchy, by, count, type);
  stop.count = wf_merge_count (hierarchy, by, stop.value, type);
  if (isfinite (stop.value) &&
      (stops->len == 0 ||
       stop.count > g_array_index (stops, WfMergeStop, stops->len - 1).count))
    g_array_append_val (stops, stop);
}

static void
reverse (GArray *stops)
{
  for (guint i = 0, j = stops->len; i + 1 < j; i++)
    {
      WfMergeStop *first = &g_array_index (stops, WfMergeStop, i);
      WfMergeStop *last  = &g_array_index (stops, WfMergeStop, --j);
      WfMergeStop  kept  = *first;

      *first = *last;
      *last  = kept;
    }
}

/* Stops that each leave at least @ratio times as many basins as the one before; returns
 * %FALSE if there would be more than @most.
 */
static gboolean
collect_stops (GArray            *stops,
               const WfHierarchy *hierarchy,
               WfMergeBy          by,
               WfType             type,
               double             ratio,
               guint              most)
{
  guint32 n_basins = wf_hierarchy_get_n_basins (hierarchy);
  guint32 count    = by == WF_MERGE_BY_COUNT ? count_parts (hierarchy) : 1;

  g_array_set_size (stops, 0);
  while (count < n_basins && stops->len + 1 < most)
    {
      guint32 next;

      add_stop (stops, hierarchy, by, count, type);
      next  = by == WF_MERGE_BY_COUNT ? count + 1 : next_finer (hierarchy, count);
      count = (guint32) MIN (MAX (next, ceil (count * ratio)), n_basins);
    }
  if (count < n_basins)
    return FALSE;
  add_stop (stops, hierarchy, by, n_basins, type);
  return TRUE;
}

/**
 * wf_merge_list_stops:
 * @hierarchy: of the measure that wf_merge_by_measure() returns
 * @by: how basins are to be merged
 * @type: of the image that was flooded
 * @most: the largest number of stops, at least 100
 *
 * Returns: (transfer full) (element-type WfMergeStop): values from 0 on, each of which
 *   leaves fewer basins than the one before: all there are, or stops at nearly equal
 *   ratios between all basins and one, or the parts that merging keeps.
 */
GArray *
wf_merge_list_stops (const WfHierarchy *hierarchy,
                     WfMergeBy          by,
                     WfType             type,
                     guint              most)
{
  GArray *stops = g_array_new (FALSE, FALSE, sizeof (WfMergeStop));
  double  ratio = 1;

  g_return_val_if_fail (hierarchy != NULL && most >= 100, stops);

  /* A step is at least one basin, however small the ratio; so @most steps may not suffice. */
  for (double steps = most; ! collect_stops (stops, hierarchy, by, type, ratio, most);
       steps *= 0.8)
    ratio = pow (wf_hierarchy_get_n_basins (hierarchy), 1 / steps);
  reverse (stops);
  return stops;
}

/**
 * wf_merge_find_stop:
 * @stops: from wf_merge_list_stops(), not empty
 * @count: how many basins are left
 *
 * Returns: the position among @stops of a value that leaves @count basins; whole numbers are
 *   stops.
 */
double
wf_merge_find_stop (const GArray *stops,
                    guint32       count)
{
  const WfMergeStop *all = (const WfMergeStop *) stops->data;
  guint              i   = 0;

  g_return_val_if_fail (stops->len > 0 && count > 0, 0);

  while (i + 1 < stops->len && all[i + 1].count >= count)
    i++;
  if (i + 1 == stops->len || count >= all[i].count)
    return i;
  return i + log ((double) all[i].count / count) / log ((double) all[i].count / all[i + 1].count);
}
