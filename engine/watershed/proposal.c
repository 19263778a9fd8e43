/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The settings that a first look at an image suggests for its watershed.
 *
 * The look is at a copy of at most LARGEST pixels, each the mean of a square of pixels; of a stack
 * at its middle slice.  σ is the side of a square as large as the image divided by SIDE, but at
 * least a pixel.
 *
 *   objects   Otsu's threshold divides the levels.  The background is the side to which most of
 *             the image's border belongs.  Objects are proposed where the smoothed levels are of
 *             two kinds (the variance between the sides is most of the whole) and the border is
 *             of one, or where almost all of the border is background and little else is not.
 *             They are smoothed by a part of their own radius if this is less than σ.
 *   regions   elsewhere, the basins of the gradient of the levels smoothed by σ, merged by
 *             volume, which counts both size and contrast.
 *
 * Where to cut the hierarchy follows from the depths of its merges in descending order: after the
 * largest step, as the ratio of two depths that follow each other.  Regions are cut so that there
 * are some tens of them, or fewer if a step is much larger than those in photographs.  Of objects,
 * only depths that are small for their radius count, and only a clear step: all others divide
 * objects that touch.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "engine/core/image.h"
#include "proposal.h"

#define LARGEST (1 << 18)   /* pixels of the copy: 512 × 512 */
#define SIDE    150.0       /* sides of the image per σ */

/* When there are objects. */
#define SEPARATE       0.7    /* the least share of the variance that is between the sides, ... */
#define BORDER         0.65   /* ... of the border that is background, ... */
#define MOST_OBJECTS   0.75   /* ... and the largest share of the image that objects are */
#define SPARSE         0.55   /* the same for few objects on an empty background */
#define SPARSE_BORDER  0.98
#define SPARSE_OBJECTS 0.3

/* Parts of an object's radius. */
#define SMOOTHED_RADIUS (1 / 6.0)
#define MERGED_RADIUS   (1 / 3.0)
#define CLEAR_STEP      1.5   /* between a hole in an object and another object */

#define FEWEST_REGIONS 20
#define MOST_REGIONS   100
#define FEWEST_FIELDS  3     /* of an even brightness: fewer regions, if ... */
#define FIELD_STEP     10.0  /* ... there is a step as clear as this */

/**
 * Look:
 * @levels: the copy that is looked at
 * @scale: pixels of the copy per pixel of the image
 * @sigma: in pixels of the copy
 * @threshold: Otsu's
 * @dark: whether the background is above it
 * @radius: of objects, in pixels of the copy
 */
typedef struct
{
  WfContext *context;
  WfImage    levels;
  double     scale;
  double     sigma;
  double     threshold;
  gboolean   dark;
  double     radius;
} Look;

/**
 * Sides:
 * @above: share of the pixels above the threshold
 * @border: of those of the border
 * @separation: share of the variance that is between both sides
 */
typedef struct
{
  double above;
  double border;
  double separation;
} Sides;


static double
get_level (const WfImage *levels,
           gint64         i)
{
  switch (levels->type)
    {
    case WF_TYPE_U8:
      return ((const guint8 *) levels->data)[i];
    case WF_TYPE_U16:
      return ((const guint16 *) levels->data)[i];
    default:
      return ((const float *) levels->data)[i];
    }
}

/* Two digits, so that settings can be read and remembered. */
static double
round_value (double value)
{
  double unit;

  if (! (value > 0))
    return 0;
  unit = pow (10, floor (log10 (value)) - 1);
  return floor (value / unit + 0.5) * unit;
}

/* In pixels of the image; halves from 1 on. */
static double
round_sigma (double sigma)
{
  const double steps = sigma < 1 ? 10 : 2;

  return CLAMP (floor (sigma * steps + 0.5) / steps, 0, WF_MAX_SIGMA);
}

static gboolean
smooth (Look     *look,
        double    sigma,
        WfImage  *smoothed,
        GError  **error)
{
  const WfImage   *levels = &look->levels;
  WfFilterOptions  options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_GAUSSIAN), &options);
  options.sigma = MIN (sigma, WF_MAX_SIGMA);
  return wf_image_allocate (smoothed, levels->type, levels->width, levels->height, 1, error) &&
         wf_gaussian (look->context, levels, smoothed, &options, error);
}

static void
init_relief (const Look      *look,
             WfReliefOptions *options)
{
  wf_option_group_init (wf_relief_get_options (), options);
  options->smoothing = MIN (look->sigma, WF_MAX_SIGMA);
  options->threshold = look->threshold;
}

/* Floods a relief as the proposal's settings would, and finds the hierarchy. */
static gboolean
flood (Look                   *look,
       const WfReliefOptions  *options,
       double                  tolerance,
       WfMeasure               measure,
       WfHierarchy           **hierarchy,
       guint32                *n_basins,
       GError                **error)
{
  g_auto (WfImage)   relief  = { 0 };
  g_auto (WfImage)   objects = { 0 };
  g_auto (WfImage)   labels  = { 0 };
  WfWatershedOptions watershed;
  WfHierarchyOptions merging;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &watershed);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &merging);
  watershed.tolerance = tolerance;
  merging.measure     = (int) measure;
  if (! wf_relief_make (look->context, &look->levels, TRUE, options, &relief, &objects, error) ||
      ! wf_image_allocate (&labels, WF_TYPE_U32, relief.width, relief.height, 1, error) ||
      ! wf_relief_flood (look->context, &relief, objects.data ? &objects : NULL, FALSE, &labels,
                         n_basins, &watershed, error))
    return FALSE;
  if (*n_basins == 0)
    return TRUE;
  *hierarchy = wf_hierarchy_new (look->context, &relief, &labels, &merging, error);
  return *hierarchy != NULL;
}


/*  Where to cut  */

/* The step is that from the depth that leaves a number of regions to the one that leaves one
 * region less.  Returns that number; 0 without a step of @ratio.
 */
static guint32
find_step (const WfHierarchy *hierarchy,
           guint32            fewest,
           guint32            most,
           double             deepest,
           double             ratio)
{
  const guint32 n_basins = wf_hierarchy_get_n_basins (hierarchy);
  guint32       found    = 0;

  for (guint32 n = MAX (fewest, 2); n < n_basins && n <= most; n++)
    {
      const double depth = wf_hierarchy_get_depth (hierarchy, n);
      const double next  = wf_hierarchy_get_depth (hierarchy, n - 1);

      if (depth > 0 && depth <= deepest && isfinite (next) && next > ratio * depth)
        {
          ratio = next / depth;
          found = n;
        }
    }
  return found;
}

/* In the middle of the step, on a scale of ratios, as long as that leaves @n_regions. */
static double
cut_at (const WfHierarchy *hierarchy,
        guint32            n_regions,
        double             unit)
{
  const double depth = wf_hierarchy_get_depth (hierarchy, n_regions);
  const double next  = wf_hierarchy_get_depth (hierarchy, n_regions - 1);
  const double value = sqrt (depth) * sqrt (next) * unit;
  const double round = round_value (value);

  return round > depth * unit && round < next * unit ? round : value;
}


/*  Objects  */

static gboolean
is_border (const WfImage *levels,
           gint64         i)
{
  const gint64 x = i % levels->width;
  const gint64 y = i / levels->width;

  return x == 0 || y == 0 || x == levels->width - 1 || y == levels->height - 1;
}

static Sides
find_sides (const WfImage *levels,
            double         threshold)
{
  const gint64 n         = wf_image_n_pixels (levels);
  const double first     = get_level (levels, 0);
  double       sums[2]   = { 0, 0 };
  gint64       counts[2] = { 0, 0 };
  gint64       border[2] = { 0, 0 };
  double       squares   = 0;
  double       mean;
  double       gap;
  double       whole;
  Sides        sides;

  for (gint64 i = 0; i < n; i++)
    {
      const double level = get_level (levels, i);
      const int    side  = level > threshold;

      counts[side]++;
      sums[side] += level - first;
      squares    += (level - first) * (level - first);
      if (is_border (levels, i))
        border[side]++;
    }

  mean  = (sums[0] + sums[1]) / (double) n;
  whole = squares / (double) n - mean * mean;
  sides.above      = (double) counts[1] / (double) n;
  sides.border     = (double) border[1] / (double) (border[0] + border[1]);
  gap              = counts[0] > 0 && counts[1] > 0 ? sums[1] / (double) counts[1] -
                                                      sums[0] / (double) counts[0] : 0;
  sides.separation = whole > 0 ? sides.above * (1 - sides.above) * gap * gap / whole : 0;
  return sides;
}

/* The mean distance to the background is a third of the radius of a disc. */
static gboolean
measure_objects (Look           *look,
                 const WfImage  *levels,
                 GError        **error)
{
  g_auto (WfImage)  objects   = { 0 };
  g_auto (WfImage)  distances = { 0 };
  WfDistanceOptions options;
  double            sum = 0;
  gint64            n   = 0;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &options);
  if (! wf_image_allocate (&objects, WF_TYPE_U8, levels->width, levels->height, 1, error) ||
      ! wf_image_allocate (&distances, WF_TYPE_F32, levels->width, levels->height, 1, error))
    return FALSE;
  wf_foreground_mark (levels, look->threshold, ! look->dark, &objects);
  if (! wf_distance (look->context, &objects, &distances, NULL, &options, error))
    return FALSE;

  for (gint64 i = 0; i < wf_image_n_pixels (levels); i++)
    if (((const guint8 *) objects.data)[i])
      {
        sum += ((const float *) distances.data)[i];
        n++;
      }
  look->radius = n > 0 && isfinite (sum) ? 3 * sum / (double) n : 0;
  return TRUE;
}

static gboolean
are_objects (const Look  *look,
             const Sides *sides)
{
  const double objects = look->dark ? 1 - sides->above : sides->above;
  const double border  = look->dark ? sides->border : 1 - sides->border;

  if (objects == 0)
    return FALSE;
  return (sides->separation >= SEPARATE && border >= BORDER && objects <= MOST_OBJECTS) ||
         (sides->separation >= SPARSE && border >= SPARSE_BORDER && objects <= SPARSE_OBJECTS);
}

/* Finds threshold, background, radius and smoothing; @found: whether objects are proposed. */
static gboolean
look_for_objects (Look      *look,
                  gboolean  *found,
                  GError   **error)
{
  g_autoptr (WfHistogram) histogram = wf_histogram_new (&look->levels, error);
  g_auto (WfImage)        little    = { 0 };
  g_auto (WfImage)        smoothed  = { 0 };
  const double            least     = look->sigma / 4;
  Sides                   sides;

  *found = FALSE;
  if (! histogram || ! smooth (look, least, &little, error))
    return FALSE;
  look->threshold = wf_histogram_find_threshold (histogram, WF_THRESHOLD_OTSU, 0);
  sides           = find_sides (&little, look->threshold);
  look->dark      = sides.border > 0.5;
  if (! measure_objects (look, &little, error))
    return FALSE;

  look->sigma = CLAMP (look->radius * SMOOTHED_RADIUS, least, look->sigma);
  look->sigma = round_sigma (look->sigma / look->scale) * look->scale;
  if (! smooth (look, look->sigma, &smoothed, error))
    return FALSE;
  sides  = find_sides (&smoothed, look->threshold);
  *found = are_objects (look, &sides);
  return TRUE;
}

static gboolean
propose_objects (Look                 *look,
                 WfWatershedProposal  *proposal,
                 GError              **error)
{
  g_autoptr (WfHierarchy) hierarchy = NULL;
  const double            tolerance = MAX (look->scale, 1);
  WfReliefOptions         options;
  guint32                 n_basins;
  guint32                 cut;

  init_relief (look, &options);
  options.input  = WF_INPUT_OBJECTS;
  options.invert = look->dark;
  if (! flood (look, &options, tolerance, WF_MEASURE_DYNAMICS, &hierarchy, &n_basins, error))
    return FALSE;
  if (n_basins == 0)
    return TRUE;

  cut = find_step (hierarchy, 2, n_basins, look->radius * MERGED_RADIUS, CLEAR_STEP);
  proposal->input     = WF_INPUT_OBJECTS;
  proposal->invert    = look->dark;
  proposal->smoothing = look->sigma / look->scale;
  proposal->threshold = look->threshold;
  proposal->tolerance = round_value (tolerance / look->scale);
  proposal->measure   = WF_MEASURE_DYNAMICS;
  proposal->depth     = cut > 0 ? cut_at (hierarchy, cut, 1 / look->scale) : 0;
  proposal->n_basins  = cut > 0 ? cut : n_basins;
  return TRUE;
}


/*  Regions  */

static gboolean
propose_regions (Look                 *look,
                 WfWatershedProposal  *proposal,
                 GError              **error)
{
  g_autoptr (WfHierarchy) hierarchy = NULL;
  WfReliefOptions         options;
  guint32                 n_basins;
  guint32                 fewest;
  guint32                 cut;

  init_relief (look, &options);
  options.input = WF_INPUT_GRADIENT;
  if (! flood (look, &options, 0, WF_MEASURE_VOLUME, &hierarchy, &n_basins, error))
    return FALSE;
  if (n_basins < 2)
    return TRUE;

  fewest = n_basins > FEWEST_REGIONS ? FEWEST_REGIONS : 2;
  cut    = find_step (hierarchy, FEWEST_FIELDS, fewest, INFINITY, FIELD_STEP);
  if (cut == 0)
    cut = find_step (hierarchy, fewest, MOST_REGIONS, INFINITY, 1);
  proposal->input     = WF_INPUT_GRADIENT;
  proposal->smoothing = look->sigma / look->scale;
  proposal->gradient  = (int) MAX (floor (1 / look->scale + 0.5), 1);
  proposal->measure   = WF_MEASURE_VOLUME;
  proposal->depth     = cut > 0 ? cut_at (hierarchy, cut, 1 / (look->scale * look->scale)) : 0;
  proposal->n_basins  = cut > 0 ? cut : n_basins;
  return TRUE;
}


static WfWatershedProposal *
proposal_new (void)
{
  WfWatershedProposal *proposal = g_new (WfWatershedProposal, 1);

  *proposal = (WfWatershedProposal) { .size = sizeof *proposal, .input = WF_INPUT_LEVELS,
                                      .tolerance = 1 };
  return proposal;
}

/* A small copy is not worth the start of another device. */
static void
use_processors (WfContext *context)
{
  WfContextOptions options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device = "cpu";
  wf_context_configure (context, &options, NULL);
}

/**
 * wf_watershed_propose:
 * @context: (nullable): of the computation; %NULL for one of its own, on the CPU
 * @levels: u8, u16 or f32, width × height × depth; pixels that are not a number or are infinite
 *   are taken as the lowest or the highest of the others
 * @scale: pixels of @levels per pixel of the image to be flooded, if @levels are a smaller copy of
 *   it; else 1
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, and as wf_watershed() sets it
 *
 * Proposes settings with which a watershed shows the objects or regions of an image, as described
 * at the top of proposal.c.  Equal images have equal proposals.
 *
 * Time: that of reading @levels once, and of a watershed with its hierarchy of at most 2¹⁸ pixels;
 * about 0.1 s on two processors.  Memory: about 20 bytes for each of those pixels.
 *
 * Returns: (transfer full): the settings, or %NULL with @error set
 */
WfWatershedProposal *
wf_watershed_propose (WfContext      *context,
                      const WfImage  *levels,
                      double          scale,
                      GError        **error)
{
  g_autoptr (WfWatershedProposal) proposal = NULL;
  g_autoptr (WfContext)           own      = NULL;
  Look                            look     = { .context = context };
  gint64                          step;
  double                          sigma;
  gboolean                        objects;
  gboolean                        success;

  g_return_val_if_fail (scale > 0 && isfinite (scale), NULL);

  if (! wf_image_check (levels, _("image"), error) ||
      ! wf_image_check_work_type (levels, _("image"), error) ||
      ! wf_proposal_copy_small (levels, LARGEST, &look.levels, &step, error))
    return NULL;
  if (! context)
    {
      look.context = own = wf_context_new ();
      use_processors (own);
    }

  look.scale = scale / (double) step;
  sigma      = sqrt ((double) wf_image_n_pixels (&look.levels)) / look.scale / SIDE;
  sigma      = round_sigma (MAX (sigma, 1)) * look.scale;
  look.sigma = sigma;
  proposal   = proposal_new ();
  success    = look_for_objects (&look, &objects, error);
  if (success && objects)
    success = propose_objects (&look, proposal, error);
  look.sigma = sigma;
  if (success && proposal->n_basins == 0)
    success = propose_regions (&look, proposal, error);
  wf_image_clear (&look.levels);
  return success ? g_steal_pointer (&proposal) : NULL;
}

/**
 * wf_watershed_proposal_free:
 * @proposal: (transfer full) (nullable): a proposal
 *
 * Frees what wf_watershed_propose() returned.
 */
void
wf_watershed_proposal_free (WfWatershedProposal *proposal)
{
  g_free (proposal);
}
