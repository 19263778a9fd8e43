/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measurements of labelled regions.
 *
 * A region is all pixels of one label but 0; it may have several parts, and labels may be any
 * numbers.  A pixel is a box with sides sx, sy and sz, the spacing, 1 by default; pixel (x, y) of
 * an image covers (x, y) to (x + 1, y + 1) times the spacing, so the center of the first pixel is
 * at 0.5, 0.5; slices are counted from 0.  Lengths, places and areas are in the unit of the
 * spacing.  Angles are in degrees from 0 up to 180, counter-clockwise from the x axis as it is
 * seen, as ImageJ has them.  Outside the image there is no region.
 *
 *   area                 n sx sy, in a stack n sx sy sz, of n pixels; with a spacing n itself, too
 *   bounding box         the least column, row and slice, from 0, and the number of columns, rows
 *                        and slices, always in pixels
 *   centroid             the mean of the pixels' centers
 *   equivalent diameter  √(4 area ∕ π), in a stack ∛(6 volume ∕ π)
 *   perimeter            Crofton's formula: π ∕ 2 times the mean over all directions of the number
 *                        of crossings of lines with the boundary times the distance of the lines.
 *                        Four directions stand for all: lines through the centers along rows,
 *                        columns and both diagonals, each with the angles that are nearest to it, ¼
 *                        of all for square pixels.  The boundary of holes is included.  As
 *                        perimeter_crofton (directions=4) of scikit-image and the perimeter of
 *                        MorphoLibJ.  (Legland, Kiêu and Devaux, Computation of Minkowski measures
 *                        on 2D and 3D binary images, Image Analysis and Stereology 26, 2007)
 *   circularity          4π area ∕ perimeter², as ImageJ and MorphoLibJ; it may be above 1 for
 *                        small regions
 *   convex area          that of the convex hull of the pixels as boxes (MorphoLibJ; scikit-image
 *                        counts pixels in the hull instead)
 *   solidity             area ∕ convex area
 *   Feret diameters      of this hull: feret_max, the greatest distance of two of its corners, and
 *                        the angle of the line through them; feret_min, the least distance of two
 *                        parallel lines that enclose it, and the angle of the direction across them
 *                        (ImageJ, MorphoLibJ)
 *   ellipse              the lengths of the axes of the ellipse with the same second central
 *                        moments as the pixels as boxes: 4 √λ for the eigenvalues λ of their
 *                        covariance, to which a pixel adds s² ∕ 12 along each side (MorphoLibJ and
 *                        regionprops of MATLAB; scikit-image leaves the 1 ∕ 12 out)
 *   eccentricity         √(1 − λ₂ ∕ λ₁)
 *   orientation          the angle of the major axis; 0 where both are equal
 *   extent               n ∕ pixels of the bounding box
 *   Euler number         parts less holes: parts by the connectivity, holes by the dual one
 *   neighbors            the other regions that touch it by the connectivity, or between which and
 *                        it lies one unlabelled pixel along a row, a column or the slices, as on
 *                        lines of a watershed (MorphoLibJ's region adjacency graph)
 *   touches the border   1 if a pixel is in the first or last column or row of the image, in a
 *                        stack also in the first or last slice, else 0; of regions in one piece
 *                        clear_border() of scikit-image removes these
 *   inscribed circle     the center of the pixel with the greatest distance to the center of a
 *                        pixel that is not the region's, those outside the image included; of
 *                        several the first in raster order.  The radius is this distance less
 *                        half a pixel (half its shorter side), so that of one pixel is ½
 *   mean, minimum, maximum, median, sum
 *                        of the image's levels; of an even number of levels the median is the mean
 *                        of the middle two
 *   standard deviation   √(mean of squared differences from the mean), as scikit-image; ImageJ
 *                        divides by n − 1
 *   weighted centroid    Σ level × center ∕ Σ level; none if the sum is 0
 *
 * Levels that are not numbers give measures of levels that are none; infinite ones sums as of IEEE
 * arithmetic.
 *
 * Area, box, Euler number, neighbors and the border are whole numbers; sums are computed without
 * rounding and rounded once (level-sums.c), so every number of threads gives the same bits.
 *
 * So does every device.  GPUs find the sums of whole numbers, of which all measures are made but
 * convex hulls, Feret diameters, neighbors, inscribed circles and medians; a table that has one of
 * these, or measures levels in f32, whose sums take some hundred bytes for each region, is made by
 * the CPU, and so is one of an image so large that a sum may have more than 63 bits.
 *
 * Of stacks the perimeter and what needs it, convex hulls, ellipses, Euler numbers and inscribed
 * circles are not defined here.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/options.h"
#include "engine/core/record.h"
#include "region-task.h"
#include "regions-private.h"

#define BIT(measure) (G_GUINT64_CONSTANT (1) << (measure))

/* What the measures take from the scan. */
#define OF_SHAPE   (BIT (WF_REGION_PERIMETER) | BIT (WF_REGION_CIRCULARITY) | \
                    BIT (WF_REGION_EULER_NUMBER))
#define OF_MOMENTS (BIT (WF_REGION_ELLIPSE) | BIT (WF_REGION_ECCENTRICITY) | \
                    BIT (WF_REGION_ORIENTATION))
#define OF_HULL    (BIT (WF_REGION_CONVEX_AREA) | BIT (WF_REGION_SOLIDITY) | BIT (WF_REGION_FERET))
#define OF_LEVELS  (BIT (WF_REGION_MEAN) | BIT (WF_REGION_MINIMUM) | BIT (WF_REGION_MAXIMUM) | \
                    BIT (WF_REGION_STANDARD_DEVIATION) | BIT (WF_REGION_MEDIAN) | \
                    BIT (WF_REGION_SUM) | BIT (WF_REGION_WEIGHTED_CENTROID))

/* Those that look at the pixels again. */
#define REVISITING (BIT (WF_REGION_MEDIAN) | BIT (WF_REGION_INSCRIBED_CIRCLE))

/* Shares of the progress. */
#define SHARE_OF_PASS  0.2
#define SHARE_OF_LINES 0.1

/* Pairs of neighbors between two checks for cancellation. */
#define WORTH_A_LOOK (1 << 16)


static const WfOption region_options[] =
{
  WF_CONNECTIVITY_OPTION (WfRegionOptions, wf_connectivities,
                          N_("Which pixels are neighbors, for Euler numbers and neighbors: 4 or 8 "
                             "in an image, 6 or 26 in a stack")),
  {
    .name          = "spacing",
    .kind          = WF_OPTION_SPACING,
    .offset        = G_STRUCT_OFFSET (WfRegionOptions, spacing),
    .label         = N_("_Spacing"),
    .blurb         = N_("Size of a pixel along x, y and z"),
    .placeholder   = "X,Y[,Z]",
    .maximum       = G_MAXDOUBLE,
    .default_value = 1,
  },
};

static const WfOptionGroup group =
{
  "measure", N_("Measurements"), N_("Measure the regions of a label image"),
  region_options, G_N_ELEMENTS (region_options), sizeof (WfRegionOptions)
};

/**
 * wf_regions_get_options:
 *
 * Gets the description of #WfRegionOptions.
 *
 * Returns: (transfer none): the description, constant
 */
const WfOptionGroup *
wf_regions_get_options (void)
{
  return &group;
}


/*  Choosing measures  */

static gboolean
refuse_name (const char  *name,
             GError     **error)
{
  g_autoptr (GString)        names = g_string_new (NULL);
  const WfRegionMeasureInfo *info;

  for (int i = 0; (info = wf_region_measure_describe ((WfRegionMeasure) i)); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", info->name);
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("Unknown measure “%s”: it must be all, or of %s."), name, names->str);
  return FALSE;
}

/**
 * wf_region_measures_parse:
 * @list: names of measures between commas, or "all"
 * @measures: (out): a bit for each, as wf_regions_measure() takes them; 0 for "all"
 * @error: %WF_ERROR_INVALID for a name that is none
 *
 * Reads a list of measures.
 *
 * Returns: %FALSE with @error set; then @measures is as it was.
 */
gboolean
wf_region_measures_parse (const char  *list,
                          guint64     *measures,
                          GError     **error)
{
  g_auto (GStrv) names = NULL;
  guint64        found = 0;

  g_return_val_if_fail (list != NULL && measures != NULL, FALSE);

  names = g_strsplit (list, ",", -1);
  for (char **name = names; strcmp (list, "all") != 0 && (*name || name == names); name++)
    {
      const WfRegionMeasureInfo *info;
      int                        i = 0;

      while ((info = wf_region_measure_describe ((WfRegionMeasure) i)) &&
             g_strcmp0 (info->name, *name) != 0)
        i++;
      if (! info)
        return refuse_name (*name ? *name : "", error);
      found |= BIT (i);
    }
  *measures = found;
  return TRUE;
}

/* Sets @measures to those that are defined if it is 0; else checks them. */
static gboolean
choose_measures (guint64   *measures,
                 gboolean   with_image,
                 gboolean   is_stack,
                 GError   **error)
{
  const WfRegionMeasureInfo *info;
  guint64                    defined = 0;
  guint64                    known   = 0;

  for (int i = 0; (info = wf_region_measure_describe ((WfRegionMeasure) i)); i++)
    {
      const gboolean needs_image = info->needs_image && ! with_image;
      const gboolean needs_flat  = ! info->is_for_stacks && is_stack;

      known |= BIT (i);
      if (! needs_image && ! needs_flat)
        defined |= BIT (i);
      else if (*measures & BIT (i))
        {
          g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                       needs_image ? _("The measure %s is one of levels: it needs an image.")
                                   : _("The measure %s is not defined for stacks."), info->name);
          return FALSE;
        }
    }
  if (*measures & ~known)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID, _("There is no measure of number %d."),
                   g_bit_nth_lsf ((gulong) (*measures & ~known), -1));
      return FALSE;
    }
  *measures = *measures ? *measures : defined;
  return TRUE;
}


/*  Measuring  */

static guint
choose_parts (guint64 measures)
{
  guint parts = 0;

  if (measures & OF_SHAPE)
    parts |= WF_SCAN_SHAPE;
  if (measures & OF_MOMENTS)
    parts |= WF_SCAN_MOMENTS;
  if (measures & OF_HULL)
    parts |= WF_SCAN_HULL;
  if (measures & BIT (WF_REGION_NEIGHBORS))
    parts |= WF_SCAN_NEIGHBORS;
  if (measures & OF_LEVELS)
    parts |= WF_SCAN_EXTREMES | WF_SCAN_SUMS;
  if (measures & BIT (WF_REGION_STANDARD_DEVIATION))
    parts |= WF_SCAN_SQUARES;
  if (measures & BIT (WF_REGION_WEIGHTED_CENTROID))
    parts |= WF_SCAN_WEIGHTS;
  return parts;
}

static gint64
find_region (const WfRegionScan *scan,
             guint32             label)
{
  gint64 first = 0;
  gint64 end   = scan->n_regions;

  while (end - first > 1)
    {
      const gint64 middle = (first + end) / 2;

      if (scan->entries.items[scan->region_starts[middle]].word[2] <= label)
        first = middle;
      else
        end = middle;
    }
  return first;
}

static gboolean
count_neighbors (const WfRegionScan  *scan,
                 guint64             *n_neighbors,
                 GError             **error)
{
  memset (n_neighbors, 0, scan->n_regions * sizeof *n_neighbors);
  for (gint64 i = 0; i < scan->neighbors.n; i++)
    {
      if (i % WORTH_A_LOOK == 0 && ! wf_run_advance (scan->run, 0))
        return wf_run_set_cancelled (error);
      for (int word = 1; word <= 2; word++)
        n_neighbors[find_region (scan, scan->neighbors.items[i].word[word])]++;
    }
  return TRUE;
}

static gboolean
allocate_lines (WfRegions           *regions,
                const WfRegionScan  *scan,
                GError             **error)
{
  g_clear_pointer (&regions->values, g_free);
  regions->n      = scan->n_regions;
  regions->values = wf_allocate (regions->n * regions->columns->len, sizeof (double), error);
  return regions->values != NULL;
}

static gboolean
run_passes (const WfRegions  *regions,
            WfRegionScan     *scan,
            WfRegionSources  *sources,
            GError          **error)
{
  const guint64 measures = regions->measures;

  if (measures & BIT (WF_REGION_NEIGHBORS))
    {
      sources->n_neighbors = wf_allocate (regions->n, sizeof (guint64), error);
      if (! sources->n_neighbors || ! count_neighbors (scan, sources->n_neighbors, error))
        return FALSE;
    }
  if (measures & BIT (WF_REGION_MEDIAN))
    {
      sources->medians = wf_allocate (regions->n, sizeof (double), error);
      if (! sources->medians ||
          ! wf_region_medians (scan, SHARE_OF_PASS, sources->medians, error))
        return FALSE;
    }
  if (measures & BIT (WF_REGION_INSCRIBED_CIRCLE))
    {
      sources->circles = wf_allocate (regions->n, sizeof (WfRegionCircle), error);
      if (! sources->circles ||
          ! wf_region_circles (scan, regions->spacing, SHARE_OF_PASS, sources->circles, error))
        return FALSE;
    }
  return TRUE;
}

static void
sources_clear (WfRegionSources *sources)
{
  g_free (sources->medians);
  g_free (sources->circles);
  g_free (sources->n_neighbors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfRegionSources, sources_clear)

/* Of WfMeasureTask: all that follows from the sums over the pixels is computed here, wherever they
 * come from.
 */
static gboolean
work (const WfMeasureTask   *task,
      WfRun                 *run,
      const WfRegionTotals  *totals,
      GError               **error)
{
  WfRegions               *regions = task->data;
  g_auto (WfRegionScan)    scan    = { 0 };
  g_auto (WfRegionSources) sources = { .scan        = &scan,
                                       .with_levels = task->image != NULL };

  if (! wf_measure_scan (task, run, totals, &scan, error))
    return FALSE;
  return allocate_lines (regions, &scan, error) &&
         run_passes (regions, &scan, &sources, error) &&
         wf_regions_fill (regions, &sources, SHARE_OF_LINES, error);
}


static guint64
count_pass_memory (const WfImage *labels,
                   const WfImage *image,
                   guint64        measures)
{
  guint64 passes = 0;

  if (measures & BIT (WF_REGION_MEDIAN))
    passes = wf_region_medians_memory (image);
  if (measures & BIT (WF_REGION_INSCRIBED_CIRCLE))
    passes = MAX (passes, wf_region_circles_memory (labels));
  return passes;
}


/*  The call  */

static gboolean
check_images (const WfImage  *labels,
              const WfImage  *image,
              GError        **error)
{
  if (image)
    return wf_image_check_labels (image, labels, error);
  return wf_image_check_view (labels, _("label image"), error) &&
         wf_image_check_type (labels, WF_TYPE_U32, _("label image"), error);
}

static WfRegions *
regions_new (const WfImage         *labels,
             guint64                measures,
             const WfRegionOptions *taken)
{
  WfRegions *regions = g_new0 (WfRegions, 1);
  const int  n_axes  = labels->depth > 1 ? 3 : 2;

  regions->measures = measures;
  regions->is_stack = labels->depth > 1;
  regions->columns  = g_ptr_array_new ();
  for (int axis = 0; axis < 3; axis++)
    {
      regions->spacing[axis]  = taken->spacing[axis];
      regions->has_size      |= axis < n_axes && taken->spacing[axis] != 1;
    }
  wf_regions_add_columns (regions);
  return regions;
}

/**
 * wf_regions_measure:
 * @context: (nullable): where and how; %NULL for a context of its own.  The CPU makes a table that
 *   no GPU can
 * @labels: u32, width × height × depth: 0 for pixels of no region
 * @image: (nullable): u8, u16 or f32, size of @labels: its levels are measured; %NULL: none are
 * @measures: a bit, 1 << measure, for each #WfRegionMeasure that is wanted; 0 for all that are
 *   defined for these images
 * @options: (nullable): connectivity and spacing; %NULL for the defaults
 * @error: %WF_ERROR_INVALID, also for a measure that needs an image, or is not defined for stacks;
 *   %WF_ERROR_MEMORY, %WF_ERROR_DEVICE, %G_IO_ERROR_CANCELLED
 *
 * Measures every region; see the top of regions.c for the definitions and their sources.
 *
 * Time: linear in the pixels, on all threads: one pass over the labels and the levels, and two more
 * for medians and for inscribed circles each.  Memory: for each region 100 to 400 bytes, with
 * levels in f32 up to 900, and 12 for each corner of its hull; the size of @image for medians,
 * 4 bytes a pixel for inscribed circles.  Cancelling takes effect within a tenth of a
 * second, of a million regions with f32 levels within half a second, as their sums move when a
 * list grows.
 *
 * Returns: (transfer full): the table, or %NULL with @error set
 */
WfRegions *
wf_regions_measure (WfContext              *context,
                    const WfImage          *labels,
                    const WfImage          *image,
                    guint64                 measures,
                    const WfRegionOptions  *options,
                    GError                **error)
{
  g_autoptr (WfContext)  own     = NULL;
  g_autoptr (WfRegions)  regions = NULL;
  WfMeasureTask          task;
  WfRegionOptions        taken;
  WfShape                shape;

  if (! wf_option_group_take (&group, options, &taken, error) ||
      ! check_images (labels, image, error) ||
      ! choose_measures (&measures, image != NULL, labels->depth > 1, error))
    return NULL;
  shape = wf_image_shape (labels);
  if (! wf_connectivity_resolve (taken.connectivity, &shape, &taken.connectivity, error))
    return NULL;

  own     = wf_context_ensure (context);
  regions = regions_new (labels, measures, &taken);
  task    = (WfMeasureTask) { .labels       = labels,
                              .image        = measures & OF_LEVELS ? image : NULL,
                              .parts        = choose_parts (measures),
                              .connectivity = taken.connectivity,
                              .revisits     = (measures & REVISITING) != 0,
                              .memory       = count_pass_memory (labels, image, measures),
                              .work         = work,
                              .data         = regions };
  return wf_measure_run (own, &task, error) ? g_steal_pointer (&regions) : NULL;
}


/*  The table  */

/**
 * wf_regions_get_n_regions:
 * @regions: measurements
 *
 * Counts the regions.
 *
 * Returns: how many regions there are
 */
gint64
wf_regions_get_n_regions (const WfRegions *regions)
{
  g_return_val_if_fail (regions != NULL, 0);

  return regions->n;
}

/**
 * wf_regions_get_n_columns:
 * @regions: measurements
 *
 * Counts the columns.
 *
 * Returns: how many columns the table has: the label, and those of the measures in the order of
 *   their numbers
 */
guint
wf_regions_get_n_columns (const WfRegions *regions)
{
  g_return_val_if_fail (regions != NULL, 0);

  return regions->columns->len;
}

/**
 * wf_regions_get_column:
 * @regions: measurements
 * @column: number of a column
 *
 * Describes a column.
 *
 * Returns: (transfer none): its description
 */
const WfRegionColumn *
wf_regions_get_column (const WfRegions *regions,
                       guint            column)
{
  g_return_val_if_fail (regions != NULL && column < regions->columns->len, NULL);

  return regions->columns->pdata[column];
}

/**
 * wf_regions_get_values:
 * @regions: measurements
 * @column: number of a column
 *
 * Gets the values of a column; they belong to the table.
 *
 * Returns: (transfer none) (array zero-terminated=0): its values, one for each region by increasing
 *   label; NaN where there is none.  Whole numbers are exact up to 2⁵³.
 */
const double *
wf_regions_get_values (const WfRegions *regions,
                       guint            column)
{
  g_return_val_if_fail (regions != NULL && column < regions->columns->len, NULL);

  return regions->values + column * regions->n;
}

/**
 * wf_regions_free:
 * @regions: (nullable) (transfer full): measurements
 *
 * Frees a table with its values; the descriptions of columns are static.
 */
void
wf_regions_free (WfRegions *regions)
{
  if (! regions)
    return;
  g_ptr_array_unref (regions->columns);
  g_free (regions->values);
  g_free (regions);
}
