/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From sums over the pixels of a region to its measures: the formulas of the definitions in
 * regions.c, and the description of each measure and its columns.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "regions-private.h"
#include "table-text.h"

/* A pixel is a square: its own second moment along a side. */
#define PIXEL_MOMENT (1.0 / 12)

/* The values of a region, in the order of the columns. */
typedef struct
{
  const WfRegions       *regions;
  const WfRegionSources *sources;
  gint64                 region;
  guint                  column;
  WfRegionSums           sums;
  WfRegionShape          shape;
  WfLevelSums            levels;
  WfHull                *hull;
} Line;


/*  Columns  */

#define PLACE(name, label, at) { name, label, WF_REGION_UNIT_LENGTH, FALSE, at }
#define BOX(name, label, at)   { name, label, WF_REGION_UNIT_PIXELS, TRUE, at }
#define WHOLE(name, label)     { name, label, WF_REGION_UNIT_NONE, TRUE, -1 }
#define RATIO(name, label)     { name, label, WF_REGION_UNIT_NONE, FALSE, -1 }
#define LENGTH(name, label)    { name, label, WF_REGION_UNIT_LENGTH, FALSE, -1 }
#define AREA(name, label)      { name, label, WF_REGION_UNIT_AREA, FALSE, -1 }
#define DEGREES(name, label)   { name, label, WF_REGION_UNIT_DEGREES, FALSE, -1 }
#define LEVEL(name, label)     { name, label, WF_REGION_UNIT_LEVELS, FALSE, -1 }

static const WfRegionColumn label_column = WHOLE ("label", N_("Label"));

/* The second of these is in tables with a size of pixels only. */
static const WfRegionColumn area[] =
{
  AREA ("area", N_("Area")),
  { "pixels", N_("Pixels"), WF_REGION_UNIT_PIXELS, TRUE, -1 },
};

static const WfRegionColumn bounding_box[] =
{
  BOX ("left", N_("Left"), 0),
  BOX ("top", N_("Top"), 1),
  BOX ("first", N_("First slice"), 2),
  { "width", N_("Width"), WF_REGION_UNIT_PIXELS, TRUE, -1 },
  { "height", N_("Height"), WF_REGION_UNIT_PIXELS, TRUE, -1 },
  { "slices", N_("Slices"), WF_REGION_UNIT_PIXELS, TRUE, -1 },
};

static const WfRegionColumn centroid[] =
{
  PLACE ("centroid_x", N_("Centroid x"), 0),
  PLACE ("centroid_y", N_("Centroid y"), 1),
  PLACE ("centroid_z", N_("Centroid z"), 2),
};

static const WfRegionColumn equivalent_diameter[] =
{
  LENGTH ("equivalent_diameter", N_("Equivalent diameter")),
};
static const WfRegionColumn perimeter[]    = { LENGTH ("perimeter", N_("Perimeter")) };
static const WfRegionColumn circularity[]  = { RATIO ("circularity", N_("Circularity")) };
static const WfRegionColumn convex_area[]  = { AREA ("convex_area", N_("Convex area")) };
static const WfRegionColumn solidity[]     = { RATIO ("solidity", N_("Solidity")) };
static const WfRegionColumn eccentricity[] = { RATIO ("eccentricity", N_("Eccentricity")) };
static const WfRegionColumn orientation[]  = { DEGREES ("orientation", N_("Orientation")) };
static const WfRegionColumn extent[]       = { RATIO ("extent", N_("Extent")) };
static const WfRegionColumn euler_number[] = { WHOLE ("euler_number", N_("Euler number")) };
static const WfRegionColumn neighbors[]    = { WHOLE ("neighbors", N_("Neighbors")) };

static const WfRegionColumn feret[] =
{
  LENGTH ("feret_max", N_("Maximum Feret diameter")),
  DEGREES ("feret_max_angle", N_("Angle of the maximum Feret diameter")),
  LENGTH ("feret_min", N_("Minimum Feret diameter")),
  DEGREES ("feret_min_angle", N_("Angle of the minimum Feret diameter")),
};

static const WfRegionColumn ellipse[] =
{
  LENGTH ("ellipse_major", N_("Major axis")),
  LENGTH ("ellipse_minor", N_("Minor axis")),
};

static const WfRegionColumn inscribed_circle[] =
{
  PLACE ("inscribed_circle_x", N_("Inscribed circle x"), 0),
  PLACE ("inscribed_circle_y", N_("Inscribed circle y"), 1),
  LENGTH ("inscribed_circle_radius", N_("Inscribed circle radius")),
};

static const WfRegionColumn mean[]               = { LEVEL ("mean", N_("Mean")) };
static const WfRegionColumn minimum[]            = { LEVEL ("minimum", N_("Minimum")) };
static const WfRegionColumn maximum[]            = { LEVEL ("maximum", N_("Maximum")) };
static const WfRegionColumn standard_deviation[] =
{
  LEVEL ("standard_deviation", N_("Standard deviation")),
};
static const WfRegionColumn median[] = { LEVEL ("median", N_("Median")) };
static const WfRegionColumn sum[]    = { LEVEL ("sum", N_("Sum")) };

static const WfRegionColumn weighted_centroid[] =
{
  PLACE ("weighted_centroid_x", N_("Weighted centroid x"), 0),
  PLACE ("weighted_centroid_y", N_("Weighted centroid y"), 1),
  PLACE ("weighted_centroid_z", N_("Weighted centroid z"), 2),
};

static const WfRegionColumn touches_border[] =
{
  WHOLE (WF_REGION_BORDER_COLUMN, N_("Touches the border")),
};

#define COLUMNS(columns) columns, G_N_ELEMENTS (columns)

static const WfRegionMeasureInfo infos[] =
{
  { WF_REGION_AREA, "area", N_("Area"),
    N_("the pixels, in a stack voxels, times their size"),
    FALSE, TRUE, COLUMNS (area) },
  { WF_REGION_BOUNDING_BOX, "bounding-box", N_("Bounding box"),
    N_("the smallest box around the region, in whole pixels"),
    FALSE, TRUE, COLUMNS (bounding_box) },
  { WF_REGION_CENTROID, "centroid", N_("Centroid"),
    N_("the mean place of the pixels"),
    FALSE, TRUE, COLUMNS (centroid) },
  { WF_REGION_EQUIVALENT_DIAMETER, "equivalent-diameter", N_("Equivalent diameter"),
    N_("the diameter of the circle, in a stack of the sphere, of the same area"),
    FALSE, TRUE, COLUMNS (equivalent_diameter) },
  { WF_REGION_PERIMETER, "perimeter", N_("Perimeter"),
    N_("the length of the boundary, that of holes included, by Crofton's formula in four "
       "directions"),
    FALSE, FALSE, COLUMNS (perimeter) },
  { WF_REGION_CIRCULARITY, "circularity", N_("Circularity"),
    N_("4π area ∕ perimeter²: 1 for a disc, less for other shapes"),
    FALSE, FALSE, COLUMNS (circularity) },
  { WF_REGION_CONVEX_AREA, "convex-area", N_("Convex area"),
    N_("the area of the convex hull of the pixels"),
    FALSE, FALSE, COLUMNS (convex_area) },
  { WF_REGION_SOLIDITY, "solidity", N_("Solidity"),
    N_("area ∕ convex area"),
    FALSE, FALSE, COLUMNS (solidity) },
  { WF_REGION_FERET, "feret", N_("Feret diameters"),
    N_("the greatest and the least distance of two parallel lines around the region, and their "
       "angles"),
    FALSE, FALSE, COLUMNS (feret) },
  { WF_REGION_ELLIPSE, "ellipse", N_("Ellipse"),
    N_("the axes of the ellipse with the same second moments"),
    FALSE, FALSE, COLUMNS (ellipse) },
  { WF_REGION_ECCENTRICITY, "eccentricity", N_("Eccentricity"),
    N_("that of this ellipse: 0 for a circle, near 1 for a line"),
    FALSE, FALSE, COLUMNS (eccentricity) },
  { WF_REGION_ORIENTATION, "orientation", N_("Orientation"),
    N_("the angle of its major axis"),
    FALSE, FALSE, COLUMNS (orientation) },
  { WF_REGION_EXTENT, "extent", N_("Extent"),
    N_("area ∕ area of the bounding box"),
    FALSE, TRUE, COLUMNS (extent) },
  { WF_REGION_EULER_NUMBER, "euler-number", N_("Euler number"),
    N_("the number of parts less that of holes"),
    FALSE, FALSE, COLUMNS (euler_number) },
  { WF_REGION_NEIGHBORS, "neighbors", N_("Neighbors"),
    N_("the number of other regions that touch it, or lie beyond a line of one pixel"),
    FALSE, TRUE, COLUMNS (neighbors) },
  { WF_REGION_INSCRIBED_CIRCLE, "inscribed-circle", N_("Inscribed circle"),
    N_("the circle around the pixel that lies deepest in the region"),
    FALSE, FALSE, COLUMNS (inscribed_circle) },
  { WF_REGION_MEAN, "mean", N_("Mean"),
    N_("the mean of the levels"),
    TRUE, TRUE, COLUMNS (mean) },
  { WF_REGION_MINIMUM, "minimum", N_("Minimum"),
    N_("the least level"),
    TRUE, TRUE, COLUMNS (minimum) },
  { WF_REGION_MAXIMUM, "maximum", N_("Maximum"),
    N_("the greatest level"),
    TRUE, TRUE, COLUMNS (maximum) },
  { WF_REGION_STANDARD_DEVIATION, "standard-deviation", N_("Standard deviation"),
    N_("the root of the mean squared difference from the mean level"),
    TRUE, TRUE, COLUMNS (standard_deviation) },
  { WF_REGION_MEDIAN, "median", N_("Median"),
    N_("the level in the middle"),
    TRUE, TRUE, COLUMNS (median) },
  { WF_REGION_SUM, "sum", N_("Sum"),
    N_("the sum of the levels, the integrated density"),
    TRUE, TRUE, COLUMNS (sum) },
  { WF_REGION_WEIGHTED_CENTROID, "weighted-centroid", N_("Weighted centroid"),
    N_("the mean place of the pixels, each weighted by its level"),
    TRUE, TRUE, COLUMNS (weighted_centroid) },
  { WF_REGION_TOUCHES_BORDER, "touches-border", N_("Touches the border"),
    N_("1 for a region with a pixel in the first or last column or row, in a stack also slice, "
       "else 0"),
    FALSE, TRUE, COLUMNS (touches_border) },
};

/**
 * wf_region_measure_describe:
 * @measure: a measure
 *
 * Describes a measure; they are numbered from 0 on.
 *
 * Returns: (nullable) (transfer none): its description; %NULL for what is no measure
 */
const WfRegionMeasureInfo *
wf_region_measure_describe (WfRegionMeasure measure)
{
  return measure < G_N_ELEMENTS (infos) ? &infos[measure] : NULL;
}

/**
 * wf_region_column_is_of:
 * @column: of a table of regions
 * @measures: a bit, 1 << measure, for each #WfRegionMeasure
 *
 * Tells whether a column belongs to some measures.
 *
 * Returns: whether it is one of theirs, or has the labels
 */
gboolean
wf_region_column_is_of (const WfRegionColumn *column,
                        guint64               measures)
{
  g_return_val_if_fail (column != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    for (guint k = 0; k < infos[i].n_columns; k++)
      if (column == &infos[i].columns[k])
        return measures >> i & 1;
  return TRUE;
}

static gboolean
is_shown (const WfRegions      *regions,
          const WfRegionColumn *column)
{
  if (! regions->is_stack && (column->axis == 2 || column == &bounding_box[5]))
    return FALSE;
  return regions->has_size || column != &area[1];
}

/* Lists the columns of the measures. */
void
wf_regions_add_columns (WfRegions *regions)
{
  g_ptr_array_add (regions->columns, (gpointer) &label_column);
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    for (guint k = 0; k < infos[i].n_columns; k++)
      if (regions->measures >> i & 1 && is_shown (regions, &infos[i].columns[k]))
        g_ptr_array_add (regions->columns, (gpointer) &infos[i].columns[k]);
}


/*  Values  */

static inline void
put (Line   *line,
     double  value)
{
  line->regions->values[line->column++ * line->regions->n + line->region] = value;
}

/* The area of a pixel, in a stack the volume. */
static double
pixel_area (const Line *line)
{
  const double *spacing = line->regions->spacing;

  return spacing[0] * spacing[1] * (line->regions->is_stack ? spacing[2] : 1);
}

static double
find_area (const Line *line)
{
  return (double) line->sums.area * pixel_area (line);
}

/* Of a coordinate in pixels, that of a slice being its number. */
static double
find_place (const Line *line,
            double      coordinate,
            int         axis)
{
  return (coordinate + (axis < 2 ? WF_PIXEL_CENTER : 0)) * line->regions->spacing[axis];
}

static void
put_box (Line *line)
{
  const int n = line->regions->is_stack ? 3 : 2;

  for (int axis = 0; axis < n; axis++)
    put (line, (double) line->sums.first[axis]);
  for (int axis = 0; axis < n; axis++)
    put (line, (double) (line->sums.last[axis] - line->sums.first[axis] + 1));
}

static void
put_centroid (Line *line)
{
  for (int axis = 0; axis < (line->regions->is_stack ? 3 : 2); axis++)
    put (line, find_place (line, (double) line->sums.coordinates[axis] / (double) line->sums.area,
                           axis));
}

static double
find_diameter (const Line *line)
{
  return line->regions->is_stack ? cbrt (6 * find_area (line) / G_PI)
                                 : sqrt (4 * find_area (line) / G_PI);
}

/* Lines along rows, columns and both diagonals, each crossing counted; a direction stands for the
 * angles up to the middle between it and the next ones.
 */
static double
find_perimeter (const Line *line)
{
  const WfRegionShape *shape    = &line->shape;
  const double         x        = line->regions->spacing[0];
  const double         y        = line->regions->spacing[1];
  const double         diagonal = atan2 (y, x);
  const double         rows     = 2.0 * (double) shape->n_runs;
  const double         columns  = 2.0 * (double) ((gint64) line->sums.area - shape->n_below);
  const double         slanted  = 2.0 * (double) (2 * (gint64) line->sums.area - shape->n_diagonal);

  return G_PI / 2 * (diagonal / G_PI * y * rows +
                     (0.5 - diagonal / G_PI) * x * columns +
                     0.25 * x * y / sqrt (x * x + y * y) * slanted);
}

static double
find_circularity (const Line *line)
{
  const double length = find_perimeter (line);

  return 4 * G_PI * find_area (line) / (length * length);
}

static void
put_feret (Line *line)
{
  WfFeret found;

  wf_hull_feret (line->hull, line->regions->spacing, &found);
  put (line, found.maximum);
  put (line, found.maximum_angle);
  put (line, found.minimum);
  put (line, found.minimum_angle);
}

/* Second moments of the place around the centroid, per area. */
typedef struct
{
  double xx;
  double xy;
  double yy;
} Moments;

/* The coordinates are counted from a whole place next to the centroid, and the numerators have no
 * rounding: a covariance of 0 is 0.  Of less than 2^34 pixels that are less than 2^29 from there
 * they have less than 127 bits.
 */
static Moments
find_moments (const Line *line)
{
  const WfRegionSums *sums = &line->sums;
  const double       *size = line->regions->spacing;
  const __int128      n    = sums->area;
  const __int128      x    = ((__int128) sums->coordinates[0] + n / 2) / n;
  const __int128      y    = ((__int128) sums->coordinates[1] + n / 2) / n;
  const __int128      sx   = (__int128) sums->coordinates[0] - x * n;
  const __int128      sy   = (__int128) sums->coordinates[1] - y * n;
  const __int128      xx   = line->shape.squares[0] - 2 * x * (__int128) sums->coordinates[0]
                             + x * x * n;
  const __int128      yy   = line->shape.squares[2] - 2 * y * (__int128) sums->coordinates[1]
                             + y * y * n;
  const __int128      xy   = line->shape.squares[1] - x * (__int128) sums->coordinates[1]
                             - y * (__int128) sums->coordinates[0] + x * y * n;
  const double        nn   = (double) n * (double) n;

  return (Moments) { ((double) (n * xx - sx * sx) / nn + PIXEL_MOMENT) * size[0] * size[0],
                     (double) (n * xy - sx * sy) / nn * size[0] * size[1],
                     ((double) (n * yy - sy * sy) / nn + PIXEL_MOMENT) * size[1] * size[1] };
}

/* The moments along both axes of the ellipse, the greater first. */
static void
find_axes (const Moments *moments,
           double        *greater,
           double        *lesser)
{
  const double half   = (moments->xx + moments->yy) / 2;
  const double spread = hypot ((moments->xx - moments->yy) / 2, moments->xy);

  *greater = half + spread;
  *lesser  = MAX (0, half - spread);
}

static void
put_ellipse (Line *line)
{
  const Moments moments = find_moments (line);
  double        greater, lesser;

  find_axes (&moments, &greater, &lesser);
  put (line, 4 * sqrt (greater));
  put (line, 4 * sqrt (lesser));
}

static double
find_eccentricity (const Line *line)
{
  const Moments moments = find_moments (line);
  double        greater, lesser;

  find_axes (&moments, &greater, &lesser);
  return sqrt (1 - lesser / greater);
}

/* Rows count downward, angles are seen upward. */
static double
find_orientation (const Line *line)
{
  const Moments moments = find_moments (line);
  const double  angle   = atan2 (-2 * moments.xy, moments.xx - moments.yy) / 2 * 180 / G_PI;

  /* just below 0 the sum is rounded to 180 */
  return angle < 0 ? fmod (angle + 180, 180) : angle + 0.0;
}

static double
find_extent (const Line *line)
{
  double box = 1;

  for (int axis = 0; axis < 3; axis++)
    box *= (double) (line->sums.last[axis] - line->sums.first[axis] + 1);
  return (double) line->sums.area / box;
}

static gboolean
is_at_border (const Line *line)
{
  const WfImage *labels  = line->sources->scan->labels;
  const gint64   ends[3] = { labels->width, labels->height, labels->depth };

  for (int axis = 0; axis < (line->regions->is_stack ? 3 : 2); axis++)
    if (line->sums.first[axis] == 0 || line->sums.last[axis] + 1 == ends[axis])
      return TRUE;
  return FALSE;
}

static void
put_circle (Line *line)
{
  const WfRegionCircle *circle = &line->sources->circles[line->region];
  const double         *size   = line->regions->spacing;

  put (line, find_place (line, (double) circle->x, 0));
  put (line, find_place (line, (double) circle->y, 1));
  put (line, sqrt (circle->square) - MIN (size[0], size[1]) / 2);
}

static double
find_mean (const Line *line)
{
  return wf_level_sums_total (&line->sources->scan->layout, &line->levels)
         / (double) line->sums.area;
}

static double
find_deviation (const Line *line)
{
  const WfLevelLayout *layout = &line->sources->scan->layout;

  return sqrt (wf_level_sums_square (layout, &line->levels, line->sums.area))
         / (double) line->sums.area;
}

/* Levels that are no numbers have no order. */
static double
if_ordered (const Line *line,
            double      level)
{
  return line->levels.n_nan > 0 ? NAN : level;
}

static void
put_weighted_centroid (Line *line)
{
  const WfLevelLayout *layout = &line->sources->scan->layout;
  const double         total  = wf_level_sums_total (layout, &line->levels);

  for (int axis = 0; axis < (line->regions->is_stack ? 3 : 2); axis++)
    put (line, total == 0 ? NAN
               : find_place (line, wf_level_sums_weight (layout, &line->levels, axis) / total,
                             axis));
}

static void
put_measure (Line            *line,
             WfRegionMeasure  measure)
{
  switch (measure)
    {
    case WF_REGION_AREA:
      put (line, find_area (line));
      if (line->regions->has_size)
        put (line, (double) line->sums.area);
      break;
    case WF_REGION_BOUNDING_BOX:
      put_box (line);
      break;
    case WF_REGION_CENTROID:
      put_centroid (line);
      break;
    case WF_REGION_EQUIVALENT_DIAMETER:
      put (line, find_diameter (line));
      break;
    case WF_REGION_PERIMETER:
      put (line, find_perimeter (line));
      break;
    case WF_REGION_CIRCULARITY:
      put (line, find_circularity (line));
      break;
    case WF_REGION_CONVEX_AREA:
      put (line, wf_hull_area (line->hull) * pixel_area (line));
      break;
    case WF_REGION_SOLIDITY:
      put (line, (double) line->sums.area / wf_hull_area (line->hull));
      break;
    case WF_REGION_FERET:
      put_feret (line);
      break;
    case WF_REGION_ELLIPSE:
      put_ellipse (line);
      break;
    case WF_REGION_ECCENTRICITY:
      put (line, find_eccentricity (line));
      break;
    case WF_REGION_ORIENTATION:
      put (line, find_orientation (line));
      break;
    case WF_REGION_EXTENT:
      put (line, find_extent (line));
      break;
    case WF_REGION_EULER_NUMBER:
      put (line, (double) (line->shape.n_runs - line->shape.n_joints));
      break;
    case WF_REGION_NEIGHBORS:
      put (line, (double) line->sources->n_neighbors[line->region]);
      break;
    case WF_REGION_INSCRIBED_CIRCLE:
      put_circle (line);
      break;
    case WF_REGION_MEAN:
      put (line, find_mean (line));
      break;
    case WF_REGION_MINIMUM:
      put (line, if_ordered (line, line->levels.least));
      break;
    case WF_REGION_MAXIMUM:
      put (line, if_ordered (line, line->levels.greatest));
      break;
    case WF_REGION_STANDARD_DEVIATION:
      put (line, find_deviation (line));
      break;
    case WF_REGION_MEDIAN:
      put (line, if_ordered (line, line->sources->medians[line->region]));
      break;
    case WF_REGION_SUM:
      put (line, wf_level_sums_total (&line->sources->scan->layout, &line->levels));
      break;
    case WF_REGION_WEIGHTED_CENTROID:
      put_weighted_centroid (line);
      break;
    case WF_REGION_TOUCHES_BORDER:
      put (line, is_at_border (line));
      break;
    }
}

typedef struct
{
  WfRegions             *regions;
  const WfRegionSources *sources;
  WfHull                *hulls;     /* of each worker */
} Filling;

static gboolean
fill_line (gpointer data,
           WfRow    row)
{
  const Filling      *filling = data;
  const WfRegionScan *scan    = filling->sources->scan;
  Line                line;

  line.regions = filling->regions;
  line.sources = filling->sources;
  line.region  = row.number;
  line.column  = 0;
  line.hull    = &filling->hulls[row.worker];
  wf_region_scan_merge (scan, row.number, &line.sums,
                        scan->parts & (WF_SCAN_SHAPE | WF_SCAN_MOMENTS) ? &line.shape : NULL,
                        filling->sources->with_levels ? &line.levels : NULL);
  if (scan->parts & WF_SCAN_HULL && ! wf_region_scan_hull (scan, row.number, line.hull, row.error))
    return FALSE;

  put (&line, line.sums.label);
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    if (filling->regions->measures >> i & 1)
      put_measure (&line, infos[i].measure);
  return TRUE;
}

/* Computes the values of all columns. */
gboolean
wf_regions_fill (WfRegions              *regions,
                 const WfRegionSources  *sources,
                 double                  share,
                 GError                **error)
{
  WfRun        *run     = sources->scan->run;
  /* a region is worth some hundred pixels */
  const WfRows  rows    = { .n = regions->n, .amount = 256 };
  Filling       filling = { regions, sources, g_new0 (WfHull, run->n_threads) };
  gboolean      success;

  wf_run_begin (run, share, rows.n * rows.amount);
  success = wf_run_rows (run, &rows, fill_line, &filling, error);
  for (guint i = 0; i < run->n_threads; i++)
    wf_hull_clear (&filling.hulls[i]);
  g_free (filling.hulls);
  return success;
}
