/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of function variants: the only door between the engine and a device.
 *
 * A variant is one implementation of one operation for one kind of device.  The
 * front of an operation checks what the caller gave, describes it in a task and
 * picks a variant; a variant does the task and checks nothing again.
 *
 * A task names the caller's own images, views with strides that may be the same
 * image twice.  A variant reads them, works in memory of its own, and writes to the
 * outputs only at the end, when nothing can fail or be cancelled any more; earlier
 * if the run allows partial outputs.
 *
 * The CPU's table is linked in.  The CUDA module exports wf_backend_cuda().
 */

#pragma once

#include <string.h>

#include "engine/filters/gaussian.h"
#include "engine/hierarchy/hierarchy.h"
#include "image.h"
#include "run.h"

/* Raised with every change to what follows: a module of another build is refused. */
#define WF_BACKEND_ABI 10

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
 * @operation: one of those from %WF_OPERATION_FILL_HOLES to %WF_OPERATION_IMPOSE_MINIMA
 * @height: where the operation has one, at least 0
 * @element, @radius: of openings and closings
 * @image: type @type, no NaN
 * @markers: of imposed minima: u8, u16, u32 or f32, no NaN, not all of them 0; else %NULL
 * @out: of type @type, or u8 for regional and extended extrema; f32 zeros are to be +0
 */
typedef struct
{
  WfOperation    operation;
  WfShape        shape;
  WfType         type;
  int            connectivity;
  double         height;
  WfElement      element;
  gint64         radius;
  const WfImage *image;
  const WfImage *markers;
  WfImage       *out;
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

/**
 * WfVariant:
 * @algorithm: its name, one of those that the operation's options list
 * @supports: whether it can do this task; %NULL for every task
 * @suits: whether automatic choice may take it for this task; %NULL if always
 * @memory: bytes of main memory that @run takes beyond the task's images
 * @run: does the task; stops soon after wf_run_advance() has returned %FALSE
 * @checks_nan: whether @run itself refuses f32 images that hold a NaN, and writes
 *   nothing then; else the front of the operation has looked for it
 * @device_memory: bytes of the device's own memory that @run takes in all, on a device that
 *   the back end describes in a way of its own; %NULL where the device has none, or where
 *   that is not known before
 *
 * A task is the struct above that belongs to the operation.  In @supports, @memory and
 * @device_memory it may be without pixels.
 */
typedef struct
{
  const char *algorithm;
  gboolean (* supports) (gconstpointer task);
  gboolean (* suits)    (gconstpointer task);
  guint64  (* memory)   (gconstpointer task);
  gboolean (* run)      (gconstpointer task, WfRun *run, GError **error);
  gboolean    checks_nan;
  guint64  (* device_memory) (gconstpointer device, gconstpointer task);
} WfVariant;

/* What variants suit that are there to be asked for by name, not to be chosen. */
static inline gboolean
wf_by_name_only (gconstpointer task)
{
  return FALSE;
}

/* Whether @variant can do @task and is wanted for it: by its name, or, where @algorithm
 * is NULL or "auto", by automatic choice.
 */
static inline gboolean
wf_variant_fits (const WfVariant *variant,
                 const char      *algorithm,
                 gconstpointer    task)
{
  const gboolean any = ! algorithm || strcmp (algorithm, "auto") == 0;

  return (any ? ! variant->suits || variant->suits (task)
              : strcmp (algorithm, variant->algorithm) == 0) &&
         (! variant->supports || variant->supports (task));
}

/**
 * WfBackend:
 * @abi: %WF_BACKEND_ABI
 * @kind: "cpu" or "cuda": what a device's name begins with
 * @n_devices: at least 1
 * @describe: fills a zeroed #WfDevice but for its name
 * @foresee: finds what @variant takes of @device's own memory for @task, 0 if that is not
 *   known; fails as the run would where there is too little, and sets @bytes all the same;
 *   %NULL if a device has none of its own
 * @open: sets up what a context keeps on @device from one operation to the next (its
 *   pool of memory, its stream), which a run then carries; %NULL if it keeps nothing
 * @close: frees what @open gave; called once, from any thread
 * @variants: for each operation a list that ends with a %NULL algorithm, or
 *   %NULL; "auto" takes the first that supports the task and suits it
 */
typedef struct
{
  guint             abi;
  const char       *kind;
  guint             n_devices;
  gboolean       (* describe) (guint device, WfDevice *description, GError **error);
  gboolean       (* foresee)  (guint device, const WfVariant *variant, gconstpointer task,
                               guint64 *bytes, GError **error);
  gpointer       (* open)     (guint device, GError **error);
  void           (* close)    (gpointer device_state);
  const WfVariant  *variants[WF_N_OPERATIONS];
} WfBackend;

/* The module's one exported symbol.  NULL with @error set where no device can
 * be used, which is the normal state of most machines.
 */
typedef const WfBackend * (* WfBackendFunc) (GError **error);

#define WF_BACKEND_SYMBOL "wf_backend_cuda"

const WfBackend * wf_backend_cpu    (void);
const WfBackend * wf_backend_loaded (GError **problem);

/* The doors of #WfHierarchyTask, on the CPU. */
gboolean          wf_hierarchy_build        (const WfHierarchyTask  *task,
                                             WfRun                  *run,
                                             WfFindBoundariesFunc    find,
                                             gpointer                data,
                                             GError                **error);
guint64           wf_hierarchy_build_memory (gconstpointer           task);
