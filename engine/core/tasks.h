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
typedef struct _WfLowTree   WfLowTree;

/**
 * WfKeptBand:
 * @unit: pixels of a row, in a band of a stack those of a slice, also where that is its only one
 * @rims: pixels that take the place of the first and of the last row (of a stack: slice) of the
 *   marker, in one piece each, or %NULL.  They lie between the marker and the result of the whole
 *   image, so a variant that does not know of them may leave them out
 * @may_keep: whether the device may keep the band
 * @may_go_on: whether it may keep more, with which tasks on all of the band go on from its rims
 * @on_device: what it keeps: the mask and the levels.  Result of a task in which it is %NULL and
 *   the band may be kept; a variant that does not do so leaves it %NULL
 * @goes_on: result of a task that keeps a band, and of one on all of a kept band: whether tasks on
 *   all of it go on from its rims, in a time that depends on what these reach only.  Such a task
 *   may write only the rows of the output that have changed; the output is the marker then
 * @first: where it is not %NULL: the row, or slice, of the kept band with which the images of the
 *   task begin.  They are read on the device only, but for @rims, and have there what the task
 *   would give; the result is kept as well
 *
 * A band of a larger image that stays on a device between two tasks.  Tasks on parts of it that
 * have no row in common may run at the same time, on the device that keeps it.  After one of them
 * has failed the others may go on, but no further one is begun.
 */
typedef struct
{
  gint64        unit;
  gconstpointer rims[2];
  gboolean      may_keep;
  gboolean      may_go_on;
  gpointer      on_device;
  gboolean      goes_on;
  gint64        first;
} WfKeptBand;

/**
 * WfReconstructTask:
 * @mask: type @type, no NaN
 * @marker: the same; not clamped by the mask yet
 * @out: f32 zeros are to be +0
 * @kept: what the images are of a band, or part of one, that may stay on the device, or %NULL
 * @scans, @queue_size: of queues on a GPU; 0: left open
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
  WfKeptBand    *kept;
  int            scans;
  int            queue_size;
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
 * @firsts: result of a task without outputs: for each column the first position in the band, in
 *   the whole, where there is background, or %WF_NO_SITE; in a signed map also for foreground;
 *   any of them may be %NULL
 * @lasts: likewise the last positions
 *
 * What the distances of a band of whole rows or slices depend on beyond the band, and what they
 * tell the other bands.
 */
typedef struct
{
  int           axis;
  gint64        first;
  gint64        length;
  const gint32 *before[2];
  const gint32 *after[2];
  gint32       *since;
  gint32       *firsts[2];
  gint32       *lasts[2];
} WfDistanceBand;

/**
 * WfDistanceWindow:
 * @left, @top: where the output begins in the image
 * @reach: the longest distance that is right whatever lies outside the image
 * @is_exceeded: result: whether a distance in the output is longer, or there is none
 *
 * Of a task whose image has a margin around its output.
 */
typedef struct
{
  gint64   left;
  gint64   top;
  gint64   reach;
  gboolean is_exceeded;
} WfDistanceWindow;

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
 * @no_background: result: set where there is none; of a band it says nothing
 * @band: of which larger image @image is a band, or %NULL; @nearest are indices in the whole.
 *   Only `local`, `envelope` and `scan` know of it.  Without outputs, `envelope` finds the
 *   positions that the band tells the others; then @image is in one piece
 * @window: which part of @image @out is, or %NULL: all of it.  Only of f32 distances in 2-D without
 *   nearest pixels; where it is exceeded, @out need not be written
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
  WfDistanceWindow     *window;
} WfDistanceTask;

/* A band of one slice is still part of a stack. */
static inline int
wf_distance_count_axes (const WfDistanceTask *task)
{
  return task->band ? task->band->axis + 1 : task->shape.depth > 1 ? 3 : 2;
}

/* Whether the positions of the band's sites are wanted, and no distances. */
static inline gboolean
wf_distance_is_summary (const WfDistanceTask *task)
{
  return task->band && ! task->out && ! task->nearest;
}

/* For each column background, in a signed map also foreground. */
static inline int
wf_distance_count_kinds (const WfDistanceTask *task)
{
  return task->signed_distance ? 2 : 1;
}

/**
 * WfFloodStep:
 * @WF_FLOOD_MEASURE: L2 of two rows, or slices
 * @WF_FLOOD_SUMMARY: the same, and what the band tells the others
 * @WF_FLOOD_FINISH: the labels
 */
typedef enum
{
  WF_FLOOD_MEASURE,
  WF_FLOOD_SUMMARY,
  WF_FLOOD_FINISH
} WfFloodStep;

/* L2 of pixels that it has not reached. */
#define WF_FLOOD_UNREACHED G_MAXUINT32

/* Bands whose rows are a multiple of this suit all devices. */
#define WF_FLOOD_ROWS 64

/* Bytes a pixel of a band that a device keeps, at most. */
#define WF_FLOOD_KEPT_BYTES 6

/**
 * WfFloodBand:
 * @step: what is wanted
 * @unit: pixels of a row, in a stack those of a slice
 * @margin: rows (of a stack: slices) of the image before and after the band and its halo, which
 *   only the filters look at
 * @halo: how many there are of the bands beside it: 0 or 1
 * @ground: the levels that minima have, packed, where @image holds others, or %NULL
 * @outside: L2 of the halo, as far as it is known; may be lowered
 * @rows: of which rows, or slices, counted from the first one after the margin, L2 is told; in a
 *   summary the first and the last of the band
 * @inside: result: it
 * @is_complete: result of a summary: FALSE where pixels still wait for L2 from other bands, and
 *   what follows is not set
 * @n_minima: result of a summary, and given to a finish: minima of the band itself, numbered in
 *   raster order of their first pixels; none where markers are given
 * @minima: results of a summary: their numbers in the band's first and last row, 0 elsewhere, as
 *   far as not %NULL; for a finish likewise their numbers in the whole, 0 elsewhere and where
 *   @n_before tells them
 * @ends: where the paths from the band's first and last row end, as far as not %NULL: in a minimum
 *   of the band, or, with @n_minima more, at a pixel of the halo, numbered from 1, that before the
 *   band first; with markers at the pixel of the halo, or at the label of a marker
 * @is_marker: with markers: whether it is that
 * @n_before: finish: minima of the whole whose first pixels lie before the band; the others in the
 *   band are numbered from there on, without those that @minima tells
 * @beyond: finish: the labels of the halo in the whole
 * @arrows, @basins, @lines: memory with a pixel for each of the band with its halo, for a device
 *   that works in main memory, or %NULL; @basins may be that of the markers
 * @may_keep: summary: whether the device may keep what it knows
 * @on_device: that: result of a summary in which it is %NULL; a finish in which it is not %NULL
 *   looks at no image
 *
 * A band of a larger image with its halo, the rows, or slices, beside it.  Paths end there.
 */
typedef struct
{
  WfFloodStep    step;
  gint64         unit;
  gint64         margin[2];
  gint64         halo[2];
  const WfImage *ground;
  guint32       *outside[2];
  gint64         rows[2];
  guint32       *inside[2];
  gboolean       is_complete;
  guint32        n_minima;
  guint32       *minima[2];
  guint32       *ends[2];
  guint8        *is_marker[2];
  guint32        n_before;
  const guint32 *beyond[2];
  guint8        *arrows;
  guint32       *basins;
  guint32       *lines;
  gboolean       may_keep;
  gpointer       on_device;
} WfFloodBand;

/**
 * WfGeodesicTask:
 * @weights: of a step to a neighbour with which a pixel shares a face, an edge, a corner
 * @unit: what sums of steps are divided by
 * @threshold: the mask lies above it; NaN: the mask is what is not 0
 * @mask: no NaN
 * @markers: u8, u16, u32 or f32, no NaN, not all of them 0
 * @costs: u8 or u16, or %NULL
 * @out: f32
 */
typedef struct
{
  WfShape        shape;
  int            connectivity;
  guint32        weights[3];
  guint32        unit;
  double         threshold;
  const WfImage *mask;
  const WfImage *markers;
  const WfImage *costs;
  WfImage       *out;
} WfGeodesicTask;

/**
 * WfWatershedTask:
 * @image: type @type, no NaN
 * @markers: labels, not all of them 0, or %NULL for the minima that are deeper than
 *   @tolerance
 * @labels: result
 * @reduction_rate, @block_size: of path reduction on a GPU; 0: left open
 * @smoothing: of the image before anything else, or %NULL
 * @gradient: radius of the square whose gradient is flooded, after that; 0: none
 * @compactness: of a flood from markers: what a pixel of distance counts as; 0: nothing
 * @n_basins: result: the number of different labels; of a band it is not set
 * @band: of which larger image @image is a band with its halo, or %NULL; then @image is L1 but for
 *   the filters, @markers may all be 0 and has no margin, and @labels are those of the band itself,
 *   packed, and used in a finish only
 * @block: columns, rows and slices of a block of threads in path reduction on a GPU; all 0: left
 *   open
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
  double            compactness;
  const WfImage    *image;
  const WfImage    *markers;
  WfImage          *labels;
  guint32          *n_basins;

  WfFloodBand      *band;
  int               block[3];
} WfWatershedTask;

/* Rows, or slices, of the band itself. */
static inline gint64
wf_flood_band_length (const WfWatershedTask *task)
{
  const WfFloodBand *band = task->band;

  return wf_shape_n_pixels (&task->shape) / band->unit - band->margin[0] - band->halo[0]
         - band->halo[1] - band->margin[1];
}

/* Whether what is flooded is made of the image first. */
static inline gboolean
wf_has_relief (const WfWatershedTask *task)
{
  return task->smoothing || task->gradient > 0;
}

/**
 * WfLabelBand:
 * @rim_rows: rows of a rim: 1, in a stack those of a slice
 * @rims: summary: results: the labels of the band's first and of its last row, or slice, in one
 *   piece; as far as not %NULL
 * @n_labels: finish: how many labels the summary has found
 * @number_of: finish: for each label from 0 on the number that replaces it; %NULL for a summary
 *
 * A band of a larger image has labels of its own, in raster order of the first pixels, on every
 * device.  The summary tells those that touch other bands, the finish replaces all of them.
 */
typedef struct
{
  gint64         rim_rows;
  guint32       *rims[2];
  guint32        n_labels;
  const guint32 *number_of;
} WfLabelBand;

/**
 * WfLabelTask:
 * @threshold: foreground lies above it; NaN: foreground is what is not 0
 * @image: no NaN
 * @labels: result; may share the memory of @image; not used in the summary of a band
 * @n_components: result: the highest label; of a band, of its own labels
 * @band: of which larger image @image is a band, or %NULL
 */
typedef struct
{
  WfShape        shape;
  int            connectivity;
  double         threshold;
  const WfImage *image;
  WfImage       *labels;
  guint32       *n_components;

  const WfLabelBand *band;
} WfLabelTask;

/**
 * WfLabelsTask:
 * @operation: %WF_OPERATION_REMOVE_SMALL, _KEEP_LARGEST, _EXPAND_LABELS or _RELABEL
 * @context: whose limit holds for memory that depends on the labels; not used in estimates
 * @least: pixels of a region that stays
 * @count: how many regions stay
 * @distance: how far they grow, or NaN for no limit
 * @labels: u8, u16 or u32
 * @out: type and size of @labels; may share its memory
 * @kept: (nullable): for each of @n_labels regions in the order of their labels, whether it stays
 * @n_labels: their number
 * @n_regions: result: how many there are in @out
 */
typedef struct
{
  WfOperation      operation;
  const WfContext *context;
  double           least;
  gint64           count;
  double           distance;
  const WfImage   *labels;
  WfImage         *out;
  const guint8    *kept;
  gint64           n_labels;
  guint32         *n_regions;
} WfLabelsTask;

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
 * WfAttributeTask:
 * @operation: one of the openings and closings by attributes
 * @closing: whether it is a closing
 * @least: the least area, height or volume of what stays
 * @image: type @type, no NaN
 * @out: of type @type; may share the memory of @image; f32 zeros are to be +0
 */
typedef struct
{
  WfOperation    operation;
  WfShape        shape;
  WfType         type;
  int            connectivity;
  gboolean       closing;
  double         least;
  const WfImage *image;
  WfImage       *out;
} WfAttributeTask;

/**
 * WfThresholdTask:
 * @threshold: NaN: pixels that are not 0 are above it
 * @gaussian: with %WF_LOCAL_GAUSSIAN, of f32 or, for integers, of u16
 * @range: above 0
 * @below: 0 or 1
 * @image: type @type, no NaN
 * @out: u8; may share the memory of @image
 */
typedef struct
{
  WfShape           shape;
  WfType            type;
  WfLocalMethod     method;
  double            threshold;
  gint64            radius;
  const WfGaussian *gaussian;
  double            k;
  double            range;
  double            offset;
  gboolean          below;
  const WfImage    *image;
  WfImage          *out;
} WfThresholdTask;

/**
 * WfFilterTask:
 * @operation: %WF_OPERATION_GAUSSIAN, _GRADIENT, _EROSION, _DILATION, _OPENING, _CLOSING,
 *   _WHITE_TOP_HAT, _BLACK_TOP_HAT or _MEDIAN
 * @gaussian: for the first one
 * @element, @radius: for the others
 * @angle: of a line, in degrees
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
  double            angle;
  const WfImage    *image;
  WfImage          *out;
} WfFilterTask;

/* Whether it is what an opening, or a closing, changes. */
static inline gboolean
wf_filter_is_top_hat (WfOperation operation)
{
  return operation == WF_OPERATION_WHITE_TOP_HAT || operation == WF_OPERATION_BLACK_TOP_HAT;
}

/* Whether it takes two steps by the element. */
static inline gboolean
wf_filter_is_opening (WfOperation operation)
{
  return operation == WF_OPERATION_OPENING || operation == WF_OPERATION_CLOSING ||
         wf_filter_is_top_hat (operation);
}

/* Whether the only step by the element, or the first one, is a dilation. */
static inline gboolean
wf_filter_dilates (WfOperation operation)
{
  return operation == WF_OPERATION_DILATION || operation == WF_OPERATION_CLOSING ||
         operation == WF_OPERATION_BLACK_TOP_HAT;
}

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
 * @rows_before, @rows_after: first and last rows, counted over all slices, that are only looked at
 *   as neighbours of the others: of a band the rows, or slices, beside it
 * @low_tree: (nullable): of @tree, for saliency maps; %NULL: it is made
 * @regions: for each basin its region
 * @out: may be @labels itself
 * @build: builds on the CPU, but leaves it to another to find the boundaries; @n_labels: where it
 *   is not 0, labels are known to be 1 to @n_labels, and no pixel is 0.  Then @build reads no
 *   pixel, and vertices are @labels; not with %WF_MEASURE_VOLUME
 * @build_memory: bytes that @build takes beyond the task's images
 * @build_threads: how many threads @build may take, which the run then has
 * @outside: a label that no basin has, of the pixels outside a mask, which do not count in @out and
 *   are 0 there; 0 if there are none
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
  gint64           rows_before;
  gint64           rows_after;
  WfBasinTree     *tree;
  const WfLowTree *low_tree;
  const guint32   *regions;
  WfImage         *out;
  gboolean      (* build)        (const WfHierarchyTask  *task,
                                  WfRun                  *run,
                                  guint32                 n_labels,
                                  WfFindBoundariesFunc    find,
                                  gpointer                data,
                                  GError                **error);
  guint64       (* build_memory) (gconstpointer           task,
                                  guint                   n_threads);
  guint            build_threads;
  guint32          outside;
};

/**
 * WfScanParts:
 * @WF_SCAN_SHAPE: runs and pairs of neighboring pixels (images, not stacks)
 * @WF_SCAN_MOMENTS: second moments of columns and rows
 * @WF_SCAN_HULL: chains of the convex hull (images, not stacks)
 * @WF_SCAN_NEIGHBORS: pairs of regions
 * @WF_SCAN_EXTREMES: the least and the greatest level
 * @WF_SCAN_SUMS: the sum of the levels, too
 * @WF_SCAN_SQUARES: the sum of their squares, too
 * @WF_SCAN_WEIGHTS: the sums of levels times coordinates, too
 *
 * What a scan is to find out; areas, boxes and sums of coordinates always.
 */
typedef enum
{
  WF_SCAN_SHAPE     = 1 << 0,
  WF_SCAN_MOMENTS   = 1 << 1,
  WF_SCAN_HULL      = 1 << 2,
  WF_SCAN_NEIGHBORS = 1 << 3,
  WF_SCAN_EXTREMES  = 1 << 4,
  WF_SCAN_SUMS      = 1 << 5,
  WF_SCAN_SQUARES   = 1 << 6,
  WF_SCAN_WEIGHTS   = 1 << 7
} WfScanParts;

/**
 * WfRegionTotal:
 * @WF_TOTAL_AREA: pixels
 * @WF_TOTAL_X: the sum of their columns
 * @WF_TOTAL_Y: of their rows
 * @WF_TOTAL_Z: of their slices, in a stack
 * @WF_TOTAL_XX: of squared columns, with %WF_SCAN_MOMENTS
 * @WF_TOTAL_XY: of columns times rows, likewise
 * @WF_TOTAL_YY: of squared rows, likewise
 * @WF_TOTAL_RUNS: runs of its pixels in rows, with %WF_SCAN_SHAPE
 * @WF_TOTAL_JOINTS: pairs of runs in neighboring rows that touch, likewise
 * @WF_TOTAL_BELOW: pairs of its pixels one below the other, likewise
 * @WF_TOTAL_DIAGONAL: pairs of its pixels that touch at a corner, likewise
 * @WF_TOTAL_LEVELS: the sum of its levels, with %WF_SCAN_SUMS
 * @WF_TOTAL_SQUARES: of their squares, with %WF_SCAN_SQUARES
 * @WF_TOTAL_LEVELS_X: of levels times columns, with %WF_SCAN_WEIGHTS
 * @WF_TOTAL_LEVELS_Y: of levels times rows, likewise
 * @WF_TOTAL_LEVELS_Z: of levels times slices, likewise in a stack
 *
 * Sums over the pixels of a region: whole numbers, so the order of the pixels does not matter.
 */
typedef enum
{
  WF_TOTAL_AREA,
  WF_TOTAL_X,
  WF_TOTAL_Y,
  WF_TOTAL_Z,
  WF_TOTAL_XX,
  WF_TOTAL_XY,
  WF_TOTAL_YY,
  WF_TOTAL_RUNS,
  WF_TOTAL_JOINTS,
  WF_TOTAL_BELOW,
  WF_TOTAL_DIAGONAL,
  WF_TOTAL_LEVELS,
  WF_TOTAL_SQUARES,
  WF_TOTAL_LEVELS_X,
  WF_TOTAL_LEVELS_Y,
  WF_TOTAL_LEVELS_Z,
  WF_N_TOTALS
} WfRegionTotal;

/**
 * WfRegionLimit:
 * @WF_LIMIT_FIRST_X: the least column
 * @WF_LIMIT_FIRST_Y: the least row
 * @WF_LIMIT_FIRST_Z: the least slice, in a stack
 * @WF_LIMIT_LAST_X: the greatest column
 * @WF_LIMIT_LAST_Y: the greatest row
 * @WF_LIMIT_LAST_Z: the greatest slice, in a stack
 * @WF_LIMIT_LEAST: the least level, with an image
 * @WF_LIMIT_GREATEST: the greatest level, likewise
 *
 * The least and the greatest of the pixels of a region.
 */
typedef enum
{
  WF_LIMIT_FIRST_X,
  WF_LIMIT_FIRST_Y,
  WF_LIMIT_FIRST_Z,
  WF_LIMIT_LAST_X,
  WF_LIMIT_LAST_Y,
  WF_LIMIT_LAST_Z,
  WF_LIMIT_LEAST,
  WF_LIMIT_GREATEST,
  WF_N_LIMITS
} WfRegionLimit;

/**
 * WfRegionTotals:
 * @n: regions
 * @labels: of each, increasing
 * @totals: of each; %NULL where they are not wanted
 * @limits: of each; %NULL where they are not wanted
 *
 * What a device finds out about each region: all that the table is computed from.
 */
typedef struct
{
  gint64   n;
  guint32 *labels;
  guint64 *totals[WF_N_TOTALS];
  guint32 *limits[WF_N_LIMITS];
} WfRegionTotals;

/* Of the progress of a table. */
#define WF_MEASURE_SHARE_OF_SCAN 0.5

/**
 * WfMeasureTask:
 * @labels: u32
 * @image: (nullable): u8, u16 or f32: the levels that are measured
 * @parts: a #WfScanParts
 * @connectivity: of joints and neighbors
 * @revisits: whether the pixels are needed again after the scan, for medians and circles
 * @memory: bytes that @work takes for that
 * @work: makes the table on the CPU, from @totals or, if they are %NULL, from the pixels; may be
 *   called again after a device has failed
 * @threads: how many threads @work may take, which the run then has
 * @data: for @work
 *
 * A table of regions.
 */
typedef struct _WfMeasureTask WfMeasureTask;

struct _WfMeasureTask
{
  WfShape        shape;
  const WfImage *labels;
  const WfImage *image;
  guint          parts;
  int            connectivity;
  gboolean       revisits;
  guint64        memory;
  gboolean    (* work) (const WfMeasureTask   *task,
                        WfRun                 *run,
                        const WfRegionTotals  *totals,
                        GError               **error);
  guint          threads;
  gpointer       data;
};

/* Whether @total is wanted. */
static inline gboolean
wf_measure_wants_total (const WfMeasureTask *task,
                        WfRegionTotal        total)
{
  switch (total)
    {
    case WF_TOTAL_AREA:
    case WF_TOTAL_X:
    case WF_TOTAL_Y:
      return TRUE;
    case WF_TOTAL_Z:
      return task->shape.depth > 1;
    case WF_TOTAL_XX:
    case WF_TOTAL_XY:
    case WF_TOTAL_YY:
      return (task->parts & WF_SCAN_MOMENTS) != 0;
    case WF_TOTAL_RUNS:
    case WF_TOTAL_JOINTS:
    case WF_TOTAL_BELOW:
    case WF_TOTAL_DIAGONAL:
      return (task->parts & WF_SCAN_SHAPE) != 0;
    case WF_TOTAL_LEVELS:
      return (task->parts & WF_SCAN_SUMS) != 0;
    case WF_TOTAL_SQUARES:
      return (task->parts & WF_SCAN_SQUARES) != 0;
    case WF_TOTAL_LEVELS_X:
    case WF_TOTAL_LEVELS_Y:
      return (task->parts & WF_SCAN_WEIGHTS) != 0;
    default:
      return (task->parts & WF_SCAN_WEIGHTS) != 0 && task->shape.depth > 1;
    }
}

/* Whether @limit is wanted. */
static inline gboolean
wf_measure_wants_limit (const WfMeasureTask *task,
                        WfRegionLimit        limit)
{
  if (limit == WF_LIMIT_LEAST || limit == WF_LIMIT_GREATEST)
    return task->image != NULL;
  return task->shape.depth > 1 || (limit != WF_LIMIT_FIRST_Z && limit != WF_LIMIT_LAST_Z);
}

/* Whether all totals have less than 2^63: they are at most what pixels of the highest level at the
 * far corner would have.
 */
static inline gboolean
wf_measure_fits_words (const WfMeasureTask *task)
{
  const double side  = (double) MAX (task->shape.width,
                                     MAX (task->shape.height, task->shape.depth));
  const double level = task->image && task->image->type == WF_TYPE_U16 ? 65535.0 : 255.0;
  double       most  = side;

  if (task->parts & WF_SCAN_MOMENTS)
    most = MAX (most, side * side);
  if (task->parts & WF_SCAN_SQUARES)
    most = MAX (most, level * level);
  if (task->parts & WF_SCAN_WEIGHTS)
    most = MAX (most, level * side);
  return most * (double) wf_shape_n_pixels (&task->shape) < 0x1p63;
}

/* Whether the table follows from #WfRegionTotals.  Sums of f32 take some hundred bytes for each
 * region, convex hulls, neighbors, medians and circles need the pixels: these are for the CPU.
 */
static inline gboolean
wf_measure_is_by_totals (const WfMeasureTask *task)
{
  return ! task->revisits && ! (task->parts & (WF_SCAN_HULL | WF_SCAN_NEIGHBORS)) &&
         (! task->image || task->image->type != WF_TYPE_F32) && wf_measure_fits_words (task);
}
