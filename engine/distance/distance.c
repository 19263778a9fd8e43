/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps.
 *
 * For each foreground pixel p the distance to the nearest background pixel, for
 * each background pixel 0.  With (dx, dy, dz) the steps from p to a background
 * pixel and (sx, sy, sz) the spacing, the distance is
 *
 *   Euclidean     sqrt (d²) with d² = (dx sx)² + ((dy sy)² + (dz sz)²)
 *   squared       d²
 *   city block    |dx| sx + (|dy| sy + |dz| sz)
 *   chessboard    max (|dx| sx, |dy| sy, |dz| sz)
 *
 * in integers where every spacing is 1, otherwise in double precision with each
 * product and each sum rounded once.  Only the result is rounded to single
 * precision, so the map is exact.  The nearest pixel is the one with the smallest
 * (distance, x, y, z), with the distance before that last rounding.
 *
 * The outside of the image may count as background; its pixels then take part
 * with their coordinates, −1 and width along x, and so on; along z in stacks only.
 *
 * In a signed map a background pixel gets minus the distance to the nearest
 * foreground pixel, instead of 0.  There is no foreground outside the image.  Squared
 * distances are counted without a sign, so there is no signed map of them.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"
#include "engine/cpu/cpu.h"
#include "windows.h"


static gboolean
counts_whole_pixels (const WfDistanceOptions *options)
{
  return options->spacing[0] == 1 && options->spacing[1] == 1 && options->spacing[2] == 1;
}

/**
 * wf_distance_get_type:
 * @options: (nullable): options of a distance map
 *
 * Gives the type that the map of distances must have.
 *
 * Returns: the type that wf_distance() writes with these options: f32; for
 *   squared distances u64, or f64 if a spacing is not 1.
 */
WfType
wf_distance_get_type (const WfDistanceOptions *options)
{
  if (! options || options->metric != WF_METRIC_SQUARED)
    return WF_TYPE_F32;
  return counts_whole_pixels (options) ? WF_TYPE_U64 : WF_TYPE_F64;
}

/* One of the two outputs may be missing. */
gboolean
wf_distance_check_outputs (gboolean   distances,
                           gboolean   nearest,
                           GError   **error)
{
  if (distances || nearest)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("Neither distances nor nearest pixels are requested."));
  return FALSE;
}

static gboolean
check_images (const WfImage            *image,
              const WfImage            *out,
              const WfImage            *nearest,
              const WfDistanceOptions  *options,
              GError                  **error)
{
  if (! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! wf_distance_check_outputs (out != NULL, nearest != NULL, error))
    return FALSE;
  if (out && (! wf_image_check_view (out, _("distance map"), error) ||
              ! wf_image_check_type (out, wf_distance_get_type (options),
                                     _("distance map"), error) ||
              ! wf_image_check_size (out, _("distance map"), image, _("image"), error)))
    return FALSE;
  if (nearest && (! wf_image_check_view (nearest, _("map of nearest pixels"), error) ||
                  ! wf_image_check_type (nearest, WF_TYPE_U64,
                                         _("map of nearest pixels"), error) ||
                  ! wf_image_check_size (nearest, _("map of nearest pixels"),
                                         image, _("image"), error)))
    return FALSE;
  if (out && nearest && wf_image_overlaps (out, nearest))
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The distance map and the map of nearest pixels share their memory."));
      return FALSE;
    }
  return TRUE;
}

/* Checks each option by itself, and those that exclude each other. */
gboolean
wf_distance_take_options (const WfDistanceOptions  *options,
                          WfDistanceOptions        *taken,
                          GError                  **error)
{
  if (! wf_operation_take (WF_OPERATION_DISTANCE, options, taken, error))
    return FALSE;
  if (! taken->signed_distance || taken->metric != WF_METRIC_SQUARED)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("Squared distances have no sign: a signed distance map needs another metric."));
  return FALSE;
}

/* The options were taken and the images checked; @no_background and @band are left open. */
gboolean
wf_distance_make_task (WfDistanceTask           *task,
                       const WfImage            *image,
                       WfImage                  *out,
                       WfImage                  *nearest,
                       const WfDistanceOptions  *options,
                       GError                  **error)
{
  *task = (WfDistanceTask) {
    .shape             = wf_image_shape (image),
    .metric            = options->metric,
    .border_background = options->border_background,
    .signed_distance   = options->signed_distance,
    .exact_integers    = counts_whole_pixels (options),
    .spacing           = { options->spacing[0], options->spacing[1], options->spacing[2] },
    .threshold         = options->threshold,
    .image             = image,
    .out               = out,
    .nearest           = nearest,
  };
  return wf_connectivity_resolve (options->connectivity, &task->shape, &task->connectivity, error);
}

void
wf_distance_report_no_background (WfContext *context)
{
  wf_context_set_no_background (context, _("The image has no background pixel: "
                                           "every distance is infinite."));
}

static gboolean
run_on_one (WfContext       *context,
            WfDistanceTask  *task,
            const char      *algorithm,
            GError         **error)
{
  gboolean no_background = FALSE;
  WfPlan   plan;

  task->no_background = &no_background;
  if (! wf_context_plan (context, WF_OPERATION_DISTANCE, algorithm, task,
                         wf_image_n_pixels (task->image), &plan, error))
    return FALSE;
  plan.inputs[0] = (WfInput) { task->image, _("image") };
  if (! wf_context_run (context, WF_OPERATION_DISTANCE, &plan, task, error))
    return FALSE;
  if (no_background)
    wf_distance_report_no_background (context);
  return TRUE;
}

/* Progress to the caller. */
typedef struct
{
  WfProgressFunc progress;
  gpointer       data;
  double         last;
} Forward;

/* Of WfProgressFunc: never back, also where windows end and the map is made in another way. */
static void
report_forward (double   fraction,
                gpointer data)
{
  Forward *forward = data;

  if (fraction <= forward->last)
    return;
  forward->last = fraction;
  forward->progress (fraction, forward->data);
}

static gboolean
run_task (WfContext                *context,
          WfDistanceTask           *task,
          const WfDistanceOptions  *options,
          GError                  **error)
{
  gboolean done;

  if (! wf_distance_windows (context, task, options->algorithm, &done, error))
    return FALSE;
  if (done)
    return TRUE;
  return wf_distance_is_shared (context, task, options->algorithm)
         ? wf_distance_shared (context, task, options, error)
         : run_on_one (context, task, options->algorithm, error);
}

/**
 * wf_distance:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; NaN is refused
 * @out: (nullable): the distances, size of @image, type wf_distance_get_type()
 * @nearest: (nullable): linear indices, (z × height + y) × width + x, of the
 *   nearest background pixels, u64, size of @image; a background pixel has its
 *   own, in a signed map that of the nearest foreground pixel; %WF_NEAREST_NONE where
 *   the nearest lies outside or there is none.  One of @out and @nearest may be %NULL.
 * @options: (nullable): metric, threshold, spacing, …
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Distance from each foreground pixel to the nearest background pixel; see the
 * top of distance.c for the definition.  Without any background every
 * distance is +infinity (%G_MAXUINT64 in u64), and the context's report says so.
 * Without any foreground every distance of a signed map is −infinity.
 *
 * All algorithms but `propagation`, which is taken only by name, give exactly the
 * same.  `propagation` (Euclidean and squared) has sites spread from pixel to pixel in
 * synchronous rounds; engine/distance/cpu/papers/propagation.c defines it.  With 8 neighbors
 * in an image and 26 in a stack that is exact, too (Yamada 1984); where a spacing is
 * not 1, but for rounding: of two pixels whose distances differ by no more than that,
 * the wrong one may be found.  With 4 and 6 neighbors it is exact for one or two
 * background pixels, else an approximation: a distance is never too short, and
 * with unit spacing too long by less than 1 − √½ = 0.293 pixels with 4 neighbors
 * (which Danielsson 1980 states of his 4-neighbor scans) and 1 − √⅓ = 0.423 with 6, as
 * far as is known: the longest errors found in all small images, in random ones and in
 * those made to provoke them are 0.285 (at distance 36.8) and 0.395 (at distance 8.7).
 *
 * Time: linear in the pixels.  `local`, the default for Euclidean and squared
 * distances of images with unit spacing, takes a few vector steps for each pixel of
 * distance up to 65, and beyond a few for each halving of the row; `envelope`, for all
 * other tasks, also grows with the distances if there is a spacing, or if nearest pixels
 * of the chessboard metric are wanted.  Memory: `local` at most 2 bytes a pixel, with
 * wf_context_set_partial_outputs() an eighth of a byte, and the output once more if it
 * lies on the input and does not begin where that begins; `envelope` 9 and the outputs
 * once more, and with @nearest 4 or 8 more for each dimension; a signed map 5 more with
 * `local`, and twice the time; `propagation` 9, in stacks 12, and never the outputs.
 *
 * Cancelling: `local` does not see it any more while it writes the output, at the end,
 * which takes about as long as to copy it.
 *
 * Sources: Meijster, Roerdink and Hesselink, A general algorithm for computing
 * distance transforms in linear time, ISMM 2000.  Danielsson, Euclidean distance mapping,
 * Computer Graphics and Image Processing 14, 1980.  Yamada, Complete Euclidean distance
 * transformation by parallel operation, ICPR 1984.
 *
 * Returns: %FALSE with @error set; then @out and @nearest are as they were, unless
 *   wf_context_set_partial_outputs() allows otherwise.
 */
gboolean
wf_distance (WfContext                *context,
             const WfImage            *image,
             WfImage                  *out,
             WfImage                  *nearest,
             const WfDistanceOptions  *options,
             GError                  **error)
{
  g_autoptr (WfContext) own = NULL;
  WfDistanceOptions     taken;
  WfDistanceTask        task;
  Forward               forward;
  gboolean              done;

  if (! wf_distance_take_options (options, &taken, error) ||
      ! check_images (image, out, nearest, &taken, error) ||
      ! wf_distance_make_task (&task, image, out, nearest, &taken, error))
    return FALSE;

  own     = wf_context_ensure (context);
  forward = (Forward) { own->progress, own->progress_data, 0.0 };
  if (own->progress)
    wf_context_set_progress (own, report_forward, &forward);
  done = run_task (own, &task, &taken, error);
  wf_context_set_progress (own, forward.progress, forward.data);
  return done;
}

static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfDistanceOptions taken;
  WfDistanceTask    task;
  WfImage           out = *image;

  if (! wf_distance_take_options (options, &taken, error) ||
      ! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! wf_distance_make_task (&task, image, &out, NULL, &taken, error))
    return FALSE;

  out.type = wf_distance_get_type (&taken);
  return wf_context_estimate (operation, taken.algorithm, &task, result, error);
}


/*  The record  */

static gboolean
run (const WfCall  *call,
     GError       **error)
{
  return wf_distance (call->context, call->inputs[0], call->outputs[0], call->outputs[1],
                      call->options, error);
}

static WfType
output_type (gconstpointer options)
{
  return wf_distance_get_type (options);
}

static const WfChoice metrics[] =
{
  { "euclidean",  WF_METRIC_EUCLIDEAN,  N_("Euclidean") },
  { "squared",    WF_METRIC_SQUARED,    N_("Squared Euclidean") },
  { "city-block", WF_METRIC_CITY_BLOCK, N_("City block") },
  { "chessboard", WF_METRIC_CHESSBOARD, N_("Chessboard") },
  { NULL }
};

static const WfChoice algorithms[] =
{
  { "auto",        0, N_("Automatic") },
  { "local",       0, N_("Column distances, then a search along rows") },
  { "envelope",    0, N_("Column scans, then row envelopes") },
  { "scan",        0, N_("Row and column scans (city block on a GPU)") },
  { "propagation", 0, N_("From pixel to pixel (approximate with 4 or 6 neighbors)"), TRUE },
  { "proximate",   0, N_("Proximate points of rows, with transpositions (on a GPU)"), TRUE },
  { "proximate-strided", 0, N_("Proximate points of rows, with strided access (on a GPU)"), TRUE },
  { NULL }
};

static const WfOption options[] =
{
  {
    .name          = "metric",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfDistanceOptions, metric),
    .label         = N_("_Metric"),
    .blurb         = N_("How distance is measured"),
    .placeholder   = "euclidean|squared|city-block|chessboard",
    .default_value = WF_METRIC_EUCLIDEAN,
    .choices       = metrics,
  },
  WF_THRESHOLD_OPTION (WfDistanceOptions),
  {
    .name          = "border-background",
    .kind          = WF_OPTION_BOOLEAN,
    .offset        = G_STRUCT_OFFSET (WfDistanceOptions, border_background),
    .label         = N_("_Outside is background"),
    .blurb         = N_("Count everything outside the image as background"),
    .maximum       = 1,
  },
  {
    .name          = "signed",
    .kind          = WF_OPTION_BOOLEAN,
    .offset        = G_STRUCT_OFFSET (WfDistanceOptions, signed_distance),
    .label         = N_("Si_gned"),
    .blurb         = N_("Give background pixels minus their distance to the nearest foreground "
                        "pixel"),
    .maximum       = 1,
  },
  {
    .name          = "spacing",
    .kind          = WF_OPTION_SPACING,
    .offset        = G_STRUCT_OFFSET (WfDistanceOptions, spacing),
    .label         = N_("_Spacing"),
    .blurb         = N_("Size of a pixel along x, y and z"),
    .placeholder   = "X,Y[,Z]",
    .maximum       = G_MAXDOUBLE,
    .default_value = 1,
  },
  WF_CONNECTIVITY_OPTION (WfDistanceOptions, wf_connectivities,
                          N_("Neighborhood for algorithms that propagate from pixel to pixel; "
                             "exact algorithms ignore it")),
  WF_ALGORITHM_OPTION (WfDistanceOptions, algorithms,
                       N_("Algorithm; all give the same result except propagation, which is an "
                          "approximation")),
};

static const WfOperand outputs[] =
{
  {
    .name     = "distances",
    .content  = WF_CONTENT_DISTANCES,
    .types    = 1 << WF_TYPE_F32 | 1 << WF_TYPE_U64 | 1 << WF_TYPE_F64,
    .optional = TRUE,
  },
  {
    .name     = "nearest",
    .content  = WF_CONTENT_NEAREST,
    .types    = 1 << WF_TYPE_U64,
    .optional = TRUE,
  },
  { NULL }
};

static const WfOperationRecord records[] =
{
  {
    .operation   = WF_OPERATION_DISTANCE,
    .options     = {
      .name      = "distance",
      .title     = N_("Distance Map"),
      .blurb     = N_("Distance from each foreground pixel to the nearest background pixel"),
      .options   = options,
      .n_options = G_N_ELEMENTS (options),
      .size      = sizeof (WfDistanceOptions),
    },
    .category    = N_("Operations"),
    .flags       = WF_WORKS_ON_STACKS,
    .inputs      = wf_one_image,
    .outputs     = outputs,
    .cpu         = wf_cpu_distance_variants,
    .output_type = output_type,
    .share_cost  = 1.4,
    .run         = run,
    .estimate    = estimate,
  },
};

const WfOperationTable wf_distance_operations = { records, G_N_ELEMENTS (records) };
