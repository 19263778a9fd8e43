/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The task of each operation: what its front hands to a variant.
 *
 * Inputs were checked, options resolved: a connectivity is 4, 8, 6 or 26, sizes and types
 * fit.  What a task points to belongs to the caller and outlives the run.
 */

#pragma once

#include "backend.h"

/* The weights of a Gaussian: engine/filters/gaussian.h. */
typedef struct _WfGaussian WfGaussian;

/* Of an operation built on reconstruction: engine/morphology/recipes.h. */
typedef struct _WfRecipe WfRecipe;

/* The tree of basins: engine/hierarchy/hierarchy.h. */
typedef struct _WfBasinTree WfBasinTree;

/**
 * WfReconstructTask:
 * @mask: type @type, no NaN
 * @marker: the same; not clamped by the mask yet
 * @out: f32 zeros are to be +0
 */
typedef struct
{
  WfShape        shape;
  WfType         type;
  WfDirection    by;
  int            connectivity;
  const WfImage *mask;
  const WfImage *marker;
  WfImage       *out;
} WfReconstructTask;

/* In maps of positions along a line: there is no background. */
#define WF_NO_SITE G_MININT32

/**
 * WfDistanceBand:
 * @axis: along which the whole image is divided: 1, or 2 in a stack; a column is a line along it
 * @first: the position of the band's first row (in a stack: slice) in the whole
 * @length: of the whole along @axis
 * @before: for each column the last position before the band, in the whole, where there is
 *   background, also that outside the image, or %WF_NO_SITE; in a signed map also for foreground
 * @after: likewise the first position after the band
 * @since: result for each pixel whose nearest pixel may lie further up in its column than
 *   @before: from which position of the whole on the column is to be searched; otherwise unchanged
 *
 * What the distances of a band of whole rows or slices depend on beyond the band.
 */
typedef struct
{
  int           axis;
  gint64        first;
  gint64        length;
  const gint32 *before[2];
  const gint32 *after[2];
  gint32       *since;
} WfDistanceBand;

/**
 * WfDistanceTask:
 * @threshold: foreground lies above it; NaN: foreground is what is not 0
 * @signed_distance: background pixels get minus the distance to the nearest
 *   foreground pixel, and that pixel as the nearest; never with the squared metric
 * @exact_integers: every spacing is 1: distances are integers
 * @image: no NaN
 * @out: distances, of type wf_distance_get_type(), or %NULL
 * @nearest: linear indices of the nearest background pixels (foreground pixels for
 *   the background of a signed map), or %NULL
 * @no_background: result: set where there is none
 * @band: of which larger image @image is a band, or %NULL; @nearest are indices in the whole.
 *   Only `local` and `envelope` of the CPU know of it
 */
typedef struct
{
  WfShape        shape;
  WfMetric       metric;
  double         threshold;
  gboolean       border_background;
  gboolean       signed_distance;
  gboolean       exact_integers;
  double         spacing[3];
  int            connectivity;
  const WfImage *image;
  WfImage       *out;
  WfImage       *nearest;
  gboolean      *no_background;

  const WfDistanceBand *band;
} WfDistanceTask;

/**
 * WfWatershedTask:
 * @image: type @type, no NaN
 * @markers: labels, not all of them 0, or %NULL for the minima that are deeper than
 *   @tolerance
 * @labels: result
 * @reduction_rate, @block_size: of path reduction on a GPU; 0: left open
 * @smoothing: of the image before anything else, or %NULL
 * @gradient: radius of the square whose gradient is flooded, after that; 0: none
 * @n_basins: result: the number of different labels
 */
typedef struct
{
  WfShape           shape;
  WfType            type;
  int               connectivity;
  double            tolerance;
  gboolean          lines;
  gboolean          last_index;
  int               reduction_rate;
  int               block_size;
  const WfGaussian *smoothing;
  gint64            gradient;
  const WfImage    *image;
  const WfImage    *markers;
  WfImage          *labels;
  guint32          *n_basins;
} WfWatershedTask;

/* Whether what is flooded is made of the image first. */
static inline gboolean
wf_has_relief (const WfWatershedTask *task)
{
  return task->smoothing || task->gradient > 0;
}

/**
 * WfLabelTask:
 * @threshold: foreground lies above it; NaN: foreground is what is not 0
 * @image: no NaN
 * @labels: result; may share the memory of @image
 * @n_components: result: the highest label
 */
typedef struct
{
  WfShape        shape;
  int            connectivity;
  double         threshold;
  const WfImage *image;
  WfImage       *labels;
  guint32       *n_components;
} WfLabelTask;

/**
 * WfMorphologyTask:
 * @recipe: what is made of the image and what of its reconstruction
 * @height: where the operation has one, at least 0
 * @element, @radius: of openings and closings
 * @image: type @type, no NaN
 * @markers: of imposed minima: u8, u16, u32 or f32, no NaN, not all of them 0; else %NULL
 * @out: of type @type, or u8 for regional and extended extrema; f32 zeros are to be +0
 */
typedef struct
{
  const WfRecipe *recipe;
  WfShape         shape;
  WfType          type;
  int             connectivity;
  double          height;
  WfElement       element;
  gint64          radius;
  const WfImage  *image;
  const WfImage  *markers;
  WfImage        *out;
} WfMorphologyTask;

/**
 * WfFilterTask:
 * @operation: %WF_OPERATION_GAUSSIAN or %WF_OPERATION_GRADIENT
 * @gaussian: for the one
 * @element, @radius: for the other
 * @image: type @type, no NaN
 * @out: of type @type; may share the memory of @image; f32 zeros are to be +0
 */
typedef struct
{
  WfOperation       operation;
  WfShape           shape;
  WfType            type;
  const WfGaussian *gaussian;
  WfElement         element;
  gint64            radius;
  const WfImage    *image;
  WfImage          *out;
} WfFilterTask;

/**
 * WfHierarchyStep:
 * @WF_HIERARCHY_BUILD: fills @tree from @image and @labels
 * @WF_HIERARCHY_RELABEL: fills @out, u32, from @tree, @labels and @regions
 * @WF_HIERARCHY_SALIENCY: fills @out, f32 or f64, from @tree and @labels
 */
typedef enum
{
  WF_HIERARCHY_BUILD,
  WF_HIERARCHY_RELABEL,
  WF_HIERARCHY_SALIENCY
} WfHierarchyStep;

/* An edge of the graph of basins: two vertices, counted from 0, and the level at which
 * they meet, as a key that is ordered as levels are: of u8 and u16 the level; of f32 its
 * bits, all of them inverted if it is negative, else the highest (and −0 is 0).
 */
typedef struct
{
  guint32 larger;
  guint32 smaller;
  guint32 pass;
} WfBoundary;

/**
 * WfBoundaries:
 * @vertices: u32: for each pixel the vertex it is in, plus 1
 * @n_vertices: how many there are
 * @least: to be lowered to the least key among each vertex's pixels, or %NULL
 * @area: to be raised by each vertex's pixels, or %NULL
 * @edges: result, from g_malloc(): at least those of the graph's minimum spanning tree,
 *   in any order; of edges with the same pass the one with the lesser smaller vertex
 *   counts as less, then the one with the lesser larger vertex
 * @n_edges: result
 */
typedef struct
{
  const WfImage *vertices;
  guint32        n_vertices;
  guint32       *least;
  guint64       *area;
  WfBoundary    *edges;
  gint64         n_edges;
} WfBoundaries;

typedef gboolean (* WfFindBoundariesFunc) (gpointer       data,
                                           WfBoundaries  *boundaries,
                                           GError       **error);

/**
 * WfHierarchyTask:
 * @image: of @type, no NaN
 * @labels: u32
 * @regions: for each basin its region
 * @out: may be @labels itself
 * @build: builds on the CPU, but leaves it to another to find the boundaries
 * @build_memory: bytes that @build takes beyond the task's images
 * @build_threads: how many threads @build may take, which the run then has
 */
typedef struct _WfHierarchyTask WfHierarchyTask;

struct _WfHierarchyTask
{
  WfHierarchyStep  step;
  WfShape          shape;
  WfType           type;
  WfMeasure        measure;
  int              connectivity;
  const WfImage   *image;
  const WfImage   *labels;
  WfBasinTree     *tree;
  const guint32   *regions;
  WfImage         *out;
  gboolean      (* build)        (const WfHierarchyTask  *task,
                                  WfRun                  *run,
                                  WfFindBoundariesFunc    find,
                                  gpointer                data,
                                  GError                **error);
  guint64       (* build_memory) (gconstpointer           task);
  guint            build_threads;
};
