/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Geodesic distances: how far it is from the nearest of some pixels on ways that do not leave a
 * mask.
 *
 *   inside    the pixels of the mask that lie above the threshold, or are not 0
 *   sources   the pixels inside that are marked; marked pixels outside do not count
 *   step      from a pixel p inside to a neighbour q inside. It costs a whole number w, which
 *             depends on the metric and on whether p and q share a face, an edge or a corner;
 *             with costs, w × (cost(p) + cost(q))
 *   distance  of p: the least sum of steps on a way from a source to p, divided by the metric's
 *             unit u, with costs by 2 u, as a double, then rounded to f32. It is 0 at sources and
 *             +infinity where no way leads to, and outside
 *
 *   metric            u    face  edge  corner
 *   quasi-euclidean  280    280   396     485   1, √2 and √3, off by 0.005 %
 *   city-block         1      1     –       –   4 or 6 neighbours
 *   chessboard         1      1     1       1
 *   chamfer-3-4        3      3     4       5
 *   chamfer-5-7        5      5     7       9
 *
 * The sums are whole numbers of up to 64 bits, so they do not depend on the order of the steps: any
 * way of computing them gives the same distances. Costs are u8 or u16 for the same reason. A step
 * with costs is what a line from centre to centre crosses half of each pixel of; a cost of 0 makes
 * steps between such pixels free, and what is not to be crossed is left out of the mask.
 *
 * Sources: Lantuéjoul and Maisonneuve, Geodesic methods in quantitative image analysis, Pattern
 * Recognition 17 (1984); chamfer weights, Borgefors, Distance transformations in digital images,
 * Computer Vision, Graphics, and Image Processing 34 (1986), and On digital distance transforms in
 * three dimensions, Computer Vision and Image Understanding 64 (1996).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/memory.h"
#include "engine/core/record.h"
#include "engine/cpu/cpu.h"


/* Of a step to a neighbour with which a pixel shares a face, an edge, a corner. */
static const struct
{
  guint32 unit;
  guint32 weights[3];
} metrics[] =
{
  [WF_GEODESIC_QUASI_EUCLIDEAN] = { 280, { 280, 396, 485 } },
  [WF_GEODESIC_CITY_BLOCK]      = { 1, { 1 } },
  [WF_GEODESIC_CHESSBOARD]      = { 1, { 1, 1, 1 } },
  [WF_GEODESIC_CHAMFER_3_4]     = { 3, { 3, 4, 5 } },
  [WF_GEODESIC_CHAMFER_5_7]     = { 5, { 5, 7, 9 } },
};

static gboolean
make_task (WfGeodesicTask           *task,
           const WfImage            *mask,
           const WfImage            *markers,
           const WfImage            *costs,
           WfImage                  *out,
           const WfGeodesicOptions  *options)
{
  const gboolean stack = mask->depth > 1;
  const gboolean faces = options->metric == WF_GEODESIC_CITY_BLOCK;

  *task = (WfGeodesicTask) {
    .shape        = wf_image_shape (mask),
    .connectivity = faces ? (stack ? 6 : 4) : stack ? 26 : 8,
    .unit         = metrics[options->metric].unit * (costs ? 2 : 1),
    .threshold    = options->threshold,
    .mask         = mask,
    .markers      = markers,
    .costs        = costs,
    .out          = out,
  };
  for (guint i = 0; i < G_N_ELEMENTS (task->weights); i++)
    task->weights[i] = metrics[options->metric].weights[i];
  return TRUE;
}

static gboolean
check_costs (const WfImage  *costs,
             const WfImage  *mask,
             GError        **error)
{
  if (! wf_image_check_view (costs, _("image of costs"), error) ||
      ! wf_image_check_size (costs, _("image of costs"), mask, _("mask"), error))
    return FALSE;
  if (costs->type == WF_TYPE_U8 || costs->type == WF_TYPE_U16)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The image of costs must be u8 or u16, not %s: sums of real numbers depend on "
                 "their order."), wf_type_name (costs->type));
  return FALSE;
}

static gboolean
check_images (const WfImage  *mask,
              const WfImage  *markers,
              const WfImage  *costs,
              const WfImage  *out,
              GError        **error)
{
  return wf_image_check_view (mask, _("mask"), error) &&
         wf_image_check_work_type (mask, _("mask"), error) &&
         wf_image_check_view (markers, _("marker image"), error) &&
         wf_image_check_marker_type (markers, error) &&
         wf_image_check_size (markers, _("marker image"), mask, _("mask"), error) &&
         (! costs || check_costs (costs, mask, error)) &&
         wf_image_check_view (out, _("distance map"), error) &&
         wf_image_check_type (out, WF_TYPE_F32, _("distance map"), error) &&
         wf_image_check_size (out, _("distance map"), mask, _("mask"), error);
}

/**
 * wf_geodesic_distance:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @mask: u8, u16 or f32, width × height × depth: what ways lead through; NaN is refused
 * @markers: u8, u16, u32 or f32, size of @mask: not 0 at the sources; NaN is refused
 * @costs: (nullable): u8 or u16, size of @mask: what it costs to cross a pixel; %NULL: 1
 * @out: f32, size of @mask: the distances; may share the memory of the others
 * @options: (nullable): metric, threshold, algorithm
 * @error: %WF_ERROR_INVALID, also where no pixel is marked; %WF_ERROR_MEMORY, %WF_ERROR_DEVICE,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Distance from each pixel inside the mask to the nearest source, along the shortest way inside
 * the mask, or along the cheapest; see the top of geodesic.c for the definition.  Outside, and
 * where no way leads to, it is +infinity.
 *
 * Time: nearly linear in the pixels, also in mazes.  Memory (`tiles`): 4 bytes a pixel, 8 where
 * sums may need 64 bits; and the costs once more if they are not packed.
 *
 * Source: Lantuéjoul and Maisonneuve (1984).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_geodesic_distance (WfContext                *context,
                      const WfImage            *mask,
                      const WfImage            *markers,
                      const WfImage            *costs,
                      WfImage                  *out,
                      const WfGeodesicOptions  *options,
                      GError                  **error)
{
  g_autoptr (WfContext) own = NULL;
  WfGeodesicOptions     taken;
  WfGeodesicTask        task;
  WfPlan                plan;

  if (! wf_operation_take (WF_OPERATION_GEODESIC_DISTANCE, options, &taken, error) ||
      ! check_images (mask, markers, costs, out, error) ||
      ! make_task (&task, mask, markers, costs, out, &taken))
    return FALSE;

  own = wf_context_ensure (context);
  if (! wf_context_check_marked (own, markers, error) ||
      ! wf_context_plan (own, WF_OPERATION_GEODESIC_DISTANCE, taken.algorithm, &task,
                         wf_image_n_pixels (mask), &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { mask, _("mask") };
  plan.inputs[1] = (WfInput) { markers, _("marker image") };
  return wf_context_run (own, WF_OPERATION_GEODESIC_DISTANCE, &plan, &task, error);
}

static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfGeodesicOptions taken;
  WfGeodesicTask    task;

  return wf_operation_take (operation, options, &taken, error) &&
         wf_image_check_view (image, _("mask"), error) &&
         wf_image_check_work_type (image, _("mask"), error) &&
         make_task (&task, image, image, NULL, NULL, &taken) &&
         wf_context_estimate (operation, taken.algorithm, &task, result, error);
}


/*  The record  */

static gboolean
run (const WfCall  *call,
     GError       **error)
{
  return wf_geodesic_distance (call->context, call->inputs[0], call->inputs[1], call->inputs[2],
                               call->outputs[0], call->options, error);
}

static const WfChoice metric_choices[] =
{
  { "quasi-euclidean", WF_GEODESIC_QUASI_EUCLIDEAN, N_("Quasi-Euclidean") },
  { "city-block",      WF_GEODESIC_CITY_BLOCK,      N_("City block") },
  { "chessboard",      WF_GEODESIC_CHESSBOARD,      N_("Chessboard") },
  { "chamfer-3-4",     WF_GEODESIC_CHAMFER_3_4,     N_("Chamfer 3-4") },
  { "chamfer-5-7",     WF_GEODESIC_CHAMFER_5_7,     N_("Chamfer 5-7") },
  { NULL }
};

static const WfChoice algorithms[] =
{
  { "auto",  0, N_("Automatic") },
  { "tiles", 0, N_("From pixel to pixel in tiles, the nearest first") },
  { NULL }
};

static const WfOption options[] =
{
  {
    .name          = "metric",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfGeodesicOptions, metric),
    .label         = N_("_Metric"),
    .blurb         = N_("How steps to neighbors that share a face, an edge or a corner are "
                        "measured"),
    .placeholder   = "quasi-euclidean|city-block|chessboard|chamfer-3-4|chamfer-5-7",
    .default_value = WF_GEODESIC_QUASI_EUCLIDEAN,
    .choices       = metric_choices,
  },
  {
    .name          = "threshold",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LEVEL,
    .offset        = G_STRUCT_OFFSET (WfGeodesicOptions, threshold),
    .label         = N_("_Threshold"),
    .blurb         = N_("Ways lead through pixels above this level; without it, through all pixels "
                        "that are not 0"),
    .placeholder   = "T",
    .minimum       = -G_MAXDOUBLE,
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  WF_ALGORITHM_OPTION (WfGeodesicOptions, algorithms, WF_SAME_RESULT),
};

static const WfOperand inputs[] =
{
  { .name = "mask", .content = WF_CONTENT_LEVELS, .types = WF_LEVELS },
  { .name = "markers", .content = WF_CONTENT_MARKS, .types = WF_LEVELS | 1 << WF_TYPE_U32 },
  {
    .name     = "costs",
    .content  = WF_CONTENT_LEVELS,
    .types    = 1 << WF_TYPE_U8 | 1 << WF_TYPE_U16,
    .optional = TRUE,
  },
  { NULL }
};

static const WfOperand outputs[] =
{
  { .name = "distances", .content = WF_CONTENT_DISTANCES, .types = 1 << WF_TYPE_F32 },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation = WF_OPERATION_GEODESIC_DISTANCE,
    .options   = {
      .name      = "geodesic-distance",
      .title     = N_("Geodesic Distance"),
      .blurb     = N_("Distance from marked pixels on ways that do not leave a mask"),
      .options   = options,
      .n_options = G_N_ELEMENTS (options),
      .size      = sizeof (WfGeodesicOptions),
    },
    .category  = N_("Operations"),
    .flags     = WF_WORKS_ON_STACKS,
    .inputs    = inputs,
    .outputs   = outputs,
    .cpu       = wf_cpu_geodesic_variants,
    .run       = run,
    .estimate  = estimate,
  },
};

const WfOperationTable wf_geodesic_operations = { records, G_N_ELEMENTS (records) };
