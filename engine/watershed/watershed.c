/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed of an image f, from markers or from its regional minima.
 *
 *   L1(p)   the lowest level at which p is reached from a marker: reconstruction
 *           by erosion of f from the markers; f itself without markers.
 *   L2(p)   0 at markers and where p has a neighbour with a smaller L1; otherwise
 *           1 + the least L2 among its neighbours with the same L1.
 *   parent  of p: its neighbour with the smallest (L1, L2, index), or with
 *           `last-index` the last of those with the smallest (L1, L2).
 *   label   of p: the label at the end of its chain of parents, a marker's.
 *
 * Without markers the regional minima are the markers, numbered from 1 in raster
 * order of their first pixels; with a tolerance h, the extended minima of depth h.
 * L1 and L2 are unique fixpoints and the parent is a function of them, so any way
 * of computing them gives the same labels, and plateaux are divided evenly.
 *
 * With lines, p is a line pixel, label 0, if a neighbour with another label comes
 * before p in the order (not a marker, L1, L2, index): basins do not touch, and no
 * marker is lost unless two markers touch.
 *
 * With compactness c > 0, which needs markers, pixels are flooded in another order (Neubert and
 * Protzel): marker pixels have their labels, and a pixel p that is offered by a marker pixel s has
 * the priority f(p) + c |p − s|, where the distance is Euclidean and of doubles each operation is
 * rounded once.
 *
 *   offers    at first each marker pixel offers all its neighbours.
 *   flood     of all offers of pixels without a label, the first in the order (priority, index of
 *             p, index of s) gives p the label of s; then s offers p's neighbours.  And so on.
 *
 * The order is total, so the labels do not depend on how offers are kept.  (Other programs divide
 * equal priorities by age.)
 *
 * Where smoothing or a gradient is asked for, f is not the image but the wf_gradient()
 * by a square of the wf_gaussian() of it (engine/filters/filters.c): the labels are those of one
 * call after the other, without the images between them.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/blocks/sharing.h"
#include "engine/core/memory.h"
#include "engine/core/record.h"
#include "engine/cpu/cpu.h"
#include "engine/filters/gaussian.h"
#include "watershed.h"


gboolean
wf_watershed_check_images (const WfImage  *image,
                           const WfImage  *markers,
                           const WfImage  *labels,
                           GError        **error)
{
  return wf_image_check_labels (image, labels, error) &&
         (! markers ||
          (wf_image_check_view (markers, _("marker image"), error) &&
           wf_image_check_type (markers, WF_TYPE_U32, _("marker image"), error) &&
           wf_image_check_size (markers, _("marker image"), image, _("image"), error)));
}

/* Threads of a block, at most. */
#define MOST_THREADS 1024

static gboolean
check_block (const WfWatershedOptions  *options,
             GError                   **error)
{
  const gint64 width  = MAX (1, options->block_width);
  const gint64 height = MAX (1, options->block_height);
  const gint64 depth  = MAX (1, options->block_depth);

  if (width * height * depth <= MOST_THREADS)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("A block of %d × %d × %d pixels has more than %d threads."), (int) width,
               (int) height, (int) depth, MOST_THREADS);
  return FALSE;
}

/* Refuses options that contradict each other. */
gboolean
wf_watershed_check_options (const WfWatershedOptions  *options,
                            gboolean                   from_markers,
                            GError                   **error)
{
  if (from_markers && options->tolerance > 0)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("A tolerance of %g cannot be combined with given markers."),
                   options->tolerance);
      return FALSE;
    }
  if (options->compactness > 0 && ! from_markers)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("Compactness needs markers: it counts the distance from them."));
      return FALSE;
    }
  if (options->compactness > 0 && (options->lines || options->last_index))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("Compactness cannot be combined with the option “%s”."),
                   options->lines ? "lines" : "last-index");
      return FALSE;
    }
  if (options->reduction_rate == 1)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The reduction rate must not be 1, which reduces no path."));
      return FALSE;
    }
  return check_block (options, error);
}

/* @smoothing: room for the weights, where there are some */
static gboolean
make_task (WfWatershedTask           *task,
           WfGaussian                *smoothing,
           const WfImage             *image,
           const WfImage             *markers,
           WfImage                   *labels,
           const WfWatershedOptions  *options,
           GError                   **error)
{
  if (! wf_watershed_check_options (options, markers != NULL, error))
    return FALSE;

  *task = (WfWatershedTask) {
    .shape          = wf_image_shape (image),
    .type           = image->type,
    .tolerance      = options->tolerance,
    .lines          = options->lines,
    .last_index     = options->last_index,
    .reduction_rate = options->reduction_rate,
    .block_size     = options->block_size,
    .block          = { options->block_width, options->block_height, options->block_depth },
    .gradient       = options->gradient,
    .compactness    = options->compactness,
    .image          = image,
    .markers        = markers,
    .labels         = labels,
  };
  if (options->smoothing > 0)
    {
      wf_gaussian_init (smoothing, image->type, options->smoothing);
      task->smoothing = smoothing;
    }
  return wf_connectivity_resolve (options->connectivity, &task->shape, &task->connectivity, error);
}

static gboolean
run_on_one (WfContext              *context,
            const WfWatershedTask  *task,
            const char             *algorithm,
            GError                **error)
{
  WfPlan plan;

  if (! wf_context_plan (context, WF_OPERATION_WATERSHED, algorithm, task,
                         wf_image_n_pixels (task->image), &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { task->image, _("image") };
  if (! wf_context_run (context, WF_OPERATION_WATERSHED, &plan, task, error))
    return FALSE;
  if (task->markers || task->tolerance > 0)
    wf_context_tell_alone (context);
  return TRUE;
}

/* Whether several devices do the task together, in bands.  Markers and a tolerance need L1 of the
 * whole first, for which one device is as good.
 */
static gboolean
is_shared (WfContext              *context,
           const WfWatershedTask  *task,
           const char             *algorithm)
{
  WfFloodBand     band = { .step = WF_FLOOD_SUMMARY,
                           .unit = task->shape.width * (task->shape.depth > 1 ? task->shape.height
                                                                             : 1) };
  WfWatershedTask part = *task;

  part.band = &band;
  return ! task->markers && task->tolerance == 0 &&
         wf_is_shared (context, WF_OPERATION_WATERSHED, algorithm, &part, task->image);
}

/**
 * wf_watershed:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @markers: (nullable): u32, size of @image: labels of the markers, 0 elsewhere;
 *   pixels of one label need not be connected
 * @labels: u32, size of @image: the result; may be @markers itself
 * @n_basins: (out) (optional): the number of different labels in the result
 * @options: (nullable): tolerance, lines, connectivity, …
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE, %WF_ERROR_LABELS,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Divides @image, or what smoothing and then the gradient make of it, into catchment
 * basins; see the top of watershed.c for the definition.
 *
 * Time: linear in the pixels but for the reconstruction, which markers and
 * tolerance need, and for wide plateaux, which are walked over by a queue.
 * Memory (`steepest`): the labels once more (not with
 * wf_context_set_partial_outputs()), 2 bytes a pixel, 5 and for a while 6 if a plateau is more
 * than 253 pixels deep, and 8 for each run of pixels that lie in minima; an image of the input's
 * type with markers or a tolerance; 4 bytes a pixel more for lines; an image of
 * the input's type with smoothing or a gradient, and for a while another one or two.
 *
 * With compactness one thread floods; it takes 20 bytes a pixel, the labels among them,
 * and up to 36 for a while for the offers.
 *
 * Source: for the order of flooding, Meyer, Topographic distance and watershed
 * lines, Signal Processing 38 (1994); for the rule among equals, Körbes and
 * Lotufo's drop of water and its path-reducing parallel form; for compactness, Neubert and
 * Protzel, Compact watershed and preemptive SLIC, ICPR 2014.
 *
 * Returns: %FALSE with @error set; then @labels is as it was, unless
 *   wf_context_set_partial_outputs() allows otherwise.
 */
gboolean
wf_watershed (WfContext                 *context,
              const WfImage             *image,
              const WfImage             *markers,
              WfImage                   *labels,
              guint32                   *n_basins,
              const WfWatershedOptions  *options,
              GError                   **error)
{
  g_autoptr (WfContext) own     = NULL;
  guint32               n_found = 0;
  WfWatershedOptions    taken;
  WfGaussian            smoothing;
  WfWatershedTask       task;

  if (! wf_operation_take (WF_OPERATION_WATERSHED, options, &taken, error) ||
      ! wf_watershed_check_images (image, markers, labels, error) ||
      ! make_task (&task, &smoothing, image, markers, labels, &taken, error))
    return FALSE;

  task.n_basins = &n_found;
  own = wf_context_ensure (context);
  if (markers && ! wf_context_check_marked (own, markers, error))
    return FALSE;
  if (is_shared (own, &task, taken.algorithm))
    {
      if (! wf_watershed_shared (own, &task, &taken, error))
        return FALSE;
    }
  else if (! run_on_one (own, &task, taken.algorithm, error))
    return FALSE;

  if (n_basins)
    *n_basins = n_found;
  return TRUE;
}

/**
 * wf_watershed_make_relief:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: as for wf_watershed()
 * @relief: type and size of @image; may be @image itself
 * @options: with smoothing, a gradient or both; nothing else of it counts
 * @error: as wf_gaussian() and wf_gradient() set it
 *
 * Makes the image that wf_watershed() floods with these options and does not keep: the
 * depths of its basins refer to it.  Without smoothing or gradient it floods @image.
 *
 * Returns: %FALSE with @error set; then @relief may be spoilt.
 */
gboolean
wf_watershed_make_relief (WfContext                 *context,
                          const WfImage             *image,
                          WfImage                   *relief,
                          const WfWatershedOptions  *options,
                          GError                   **error)
{
  WfWatershedOptions taken;
  WfFilterOptions    filter;

  if (! wf_operation_take (WF_OPERATION_WATERSHED, options, &taken, error))
    return FALSE;
  g_return_val_if_fail (taken.smoothing > 0 || taken.gradient > 0, FALSE);

  if (taken.smoothing > 0)
    {
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_GAUSSIAN), &filter);
      filter.sigma = taken.smoothing;
      if (! wf_gaussian (context, image, relief, &filter, error))
        return FALSE;
      image = relief;
    }
  if (taken.gradient == 0)
    return TRUE;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_GRADIENT), &filter);
  filter.element = WF_ELEMENT_SQUARE;
  filter.radius  = taken.gradient;
  return wf_gradient (context, image, relief, &filter, error);
}

static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfWatershedOptions taken;
  WfGaussian         smoothing;
  WfWatershedTask    task;
  WfImage            markers;

  if (! wf_operation_take (operation, options, &taken, error) ||
      ! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error))
    return FALSE;
  markers      = *image;
  markers.type = WF_TYPE_U32;
  return make_task (&task, &smoothing, image, taken.compactness > 0 ? &markers : NULL, NULL,
                    &taken, error) &&
         wf_context_estimate (operation, taken.algorithm, &task, result, error);
}


/*  The record  */

static gboolean
run (const WfCall  *call,
     GError       **error)
{
  return wf_watershed_masked (call->context, call->inputs[0], call->inputs[1], call->inputs[2],
                              call->outputs[0], call->count, call->options, error);
}

static const WfChoice algorithms[] =
{
  { "auto",     0, N_("Automatic") },
  { "steepest", 0, N_("Steepest paths over completed plateaux") },
  { "sync",     0, N_("Path reduction, from one array to another (on a GPU)"), TRUE },
  { "async",    0, N_("Path reduction in place, in tiles first (on a GPU)"), TRUE },
  { "balanced", 0, N_("Path reduction of unfinished pixels only (on a GPU)"), TRUE },
  { NULL }
};

static const WfChoice block_sizes[] =
{
  { "auto", 0,    N_("Automatic") },
  { "32",   32,   "32" },
  { "64",   64,   "64" },
  { "128",  128,  "128" },
  { "256",  256,  "256" },
  { "512",  512,  "512" },
  { "1024", 1024, "1024" },
  { NULL }
};

static const WfOption options[] =
{
  {
    .name          = "tolerance",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LEVEL,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, tolerance),
    .label         = N_("_Tolerance"),
    .blurb         = N_("Minima that are not deeper than this get no basin of their own"),
    .placeholder   = "H",
    .maximum       = G_MAXDOUBLE,
  },
  {
    .name          = "lines",
    .kind          = WF_OPTION_BOOLEAN,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, lines),
    .label         = N_("Divide basins by _lines"),
    .blurb         = N_("Divide the basins by lines one pixel wide, which belong to no basin "
                        "(label 0)"),
    .maximum       = 1,
  },
  {
    .name          = "last-index",
    .kind          = WF_OPTION_BOOLEAN,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, last_index),
    .label         = N_("Last of _equals"),
    .blurb         = N_("Choose the last of equal neighbors in raster order, not the first"),
    .maximum       = 1,
  },
  WF_CONNECTIVITY_OPTION (WfWatershedOptions, wf_connectivities, WF_NEIGHBOURS),
  WF_ALGORITHM_OPTION (WfWatershedOptions, algorithms, WF_SAME_RESULT),
  {
    .name          = "reduction-rate",
    .kind          = WF_OPTION_INT,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, reduction_rate),
    .label         = N_("_Reduction rate"),
    .blurb         = N_("Number of paths that a step of path reduction joins; 0 for automatic"),
    .placeholder   = "N",
    .maximum       = 1 << 20,
  },
  {
    .name          = "block-size",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, block_size),
    .label         = N_("_Block size"),
    .blurb         = N_("Threads per block for path reduction on a GPU"),
    .placeholder   = "auto|32|64|128|256|512|1024",
    .choices       = block_sizes,
  },
  {
    .name          = "smoothing",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, smoothing),
    .label         = N_("_Smoothing"),
    .blurb         = N_("Smooth the image first, by a Gaussian of this standard deviation in "
                        "pixels; 0: no smoothing"),
    .placeholder   = "SIGMA",
    .maximum       = WF_MAX_SIGMA,
  },
  {
    .name          = "gradient",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, gradient),
    .label         = N_("Edge _width"),
    .blurb         = N_("Flood the image's gradient by a square of this radius; 0: flood the image "
                        "itself"),
    .placeholder   = "R",
    .maximum       = 1 << 20,
  },
  {
    .name          = "compactness",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_SLOPE,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, compactness),
    .label         = N_("Com_pactness"),
    .blurb         = N_("Levels that a pixel of distance from a marker counts as: the higher, the "
                        "more compact the basins; needs markers"),
    .placeholder   = "C",
    .maximum       = 1e100,
  },
  {
    .name          = "block-width",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_COMPARISON,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, block_width),
    .label         = N_("Block w_idth"),
    .blurb         = N_("Columns of a block for path reduction on a GPU, which then divides "
                        "plateaux in blocks; 0 for automatic"),
    .placeholder   = "N",
    .maximum       = MOST_THREADS,
  },
  {
    .name          = "block-height",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_COMPARISON,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, block_height),
    .label         = N_("Block hei_ght"),
    .blurb         = N_("Rows of a block for path reduction on a GPU; 0 for automatic"),
    .placeholder   = "N",
    .maximum       = MOST_THREADS,
  },
  {
    .name          = "block-depth",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_COMPARISON,
    .offset        = G_STRUCT_OFFSET (WfWatershedOptions, block_depth),
    .label         = N_("Bloc_k depth"),
    .blurb         = N_("Slices of a block for path reduction on a GPU; 0 for automatic"),
    .placeholder   = "N",
    .maximum       = MOST_THREADS,
  },
};

static const WfOperand inputs[] =
{
  { .name = "image", .content = WF_CONTENT_LEVELS, .types = WF_LEVELS },
  { .name = "markers", .content = WF_CONTENT_LABELS, .types = 1 << WF_TYPE_U32, .optional = TRUE },
  {
    .name     = "mask",
    .content  = WF_CONTENT_MARKS,
    .types    = WF_LEVELS | 1 << WF_TYPE_U32,
    .optional = TRUE,
  },
  { NULL }
};

static const WfOperand outputs[] =
{
  { .name = "labels", .content = WF_CONTENT_LABELS, .types = 1 << WF_TYPE_U32 },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_WATERSHED,
    .options   = {
      .name      = "watershed",
      .title     = N_("Watershed"),
      .blurb     = N_("Divide an image into the catchment basins of its minima or of given "
                      "markers"),
      .options   = options,
      .n_options = G_N_ELEMENTS (options),
      .size      = sizeof (WfWatershedOptions),
    },
    .category  = N_("Operations"),
    .flags     = WF_WORKS_ON_STACKS,
    .inputs    = inputs,
    .outputs   = outputs,
    .counts    = "basins",
    .cpu       = wf_cpu_watershed_variants,
    .share_cost = 1.1,
    .run       = run,
    .estimate  = estimate,
  },
};

const WfOperationTable wf_watershed_operations = { records, G_N_ELEMENTS (records) };
