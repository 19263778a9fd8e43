/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options --merge-depth, --merge-area, --merge-volume and --merge-count: the basins of a flood
 * are merged at once, as “wavefront hierarchy” merges those of a file; and what both do.
 */

#pragma once

#include "arguments.h"
#include "wavefront.h"

/**
 * Merging:
 * @depth: up to which depth basins are merged, in levels of what was flooded, or NaN
 * @area: likewise up to which area in pixels
 * @volume: likewise up to which volume, in levels times pixels
 * @count: how many basins are to be left, or 0
 *
 * At most one of them is given.
 */
typedef struct
{
  double depth;
  double area;
  double volume;
  int    count;
} Merging;

/* The rows of a table of options whose @Struct has a #Merging called merging. */
#define MERGING_OPTIONS(Struct) \
  { "merge-depth", WF_OPTION_REAL, G_STRUCT_OFFSET (Struct, merging.depth), NULL, \
    N_("Merge basins up to this depth, in gray levels or, of objects, in pixels of distance, " \
       "before they are corrected, measured and chosen"), \
    "D", 0, G_MAXDOUBLE, NAN, NULL }, \
  { "merge-area", WF_OPTION_REAL, G_STRUCT_OFFSET (Struct, merging.area), NULL, \
    N_("Merge basins up to this area, in pixels"), \
    "A", 0, G_MAXDOUBLE, NAN, NULL }, \
  { "merge-volume", WF_OPTION_REAL, G_STRUCT_OFFSET (Struct, merging.volume), NULL, \
    N_("Merge basins up to this volume, in gray levels times pixels"), \
    "V", 0, G_MAXDOUBLE, NAN, NULL }, \
  { "merge-count", WF_OPTION_INT, G_STRUCT_OFFSET (Struct, merging.count), NULL, \
    N_("Merge basins in the order of their depth until no more than N are left"), \
    "N", 1, G_MAXINT, 0, NULL }

guint32 *    merging_cut        (const WfHierarchy *hierarchy,
                                 WfMeasure          measure,
                                 WfType             type,
                                 double             depth,
                                 int                count,
                                 guint32           *n_regions,
                                 GError           **error);
gboolean     merging_is_wanted  (const Merging     *merging);
const char * merging_find_given (const Arguments   *arguments);
gboolean     merging_check      (const Arguments   *arguments,
                                 GError           **error);
gboolean     merging_make       (const Merging     *merging,
                                 WfContext         *context,
                                 const WfImage     *relief,
                                 const WfImage     *mask,
                                 WfImage           *labels,
                                 int                connectivity,
                                 guint32           *n_basins,
                                 GError           **error);
