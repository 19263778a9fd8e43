/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "region-reference.h"

typedef struct
{
  const WfImage *labels;
  const WfImage *image;
  guint32        label;
  const double  *spacing;
  int            connectivity;
} Region;

typedef struct
{
  double x;
  double y;
} Point;


/* 0 outside the image. */
static guint32
label_at (const Region *region,
          gint64        x,
          gint64        y,
          gint64        z)
{
  const WfImage *labels = region->labels;

  if (x < 0 || y < 0 || z < 0 || x >= labels->width || y >= labels->height || z >= labels->depth)
    return 0;
  return ((const guint32 *) labels->data)[z * labels->slice_stride + y * labels->row_stride + x];
}

static gboolean
is_in (const Region *region,
       gint64        x,
       gint64        y)
{
  return label_at (region, x, y, 0) == region->label;
}

/* Whether a step along an axis leads out of the image. */
static gboolean
is_at_border (const WfImage *labels,
              gint64         x,
              gint64         y,
              gint64         z)
{
  return x - 1 < 0 || y - 1 < 0 || x + 1 >= labels->width || y + 1 >= labels->height ||
         (labels->depth > 1 && (z - 1 < 0 || z + 1 >= labels->depth));
}

static double
level_at (const WfImage *image,
          gint64         x,
          gint64         y,
          gint64         z)
{
  const gint64 i = z * image->slice_stride + y * image->row_stride + x;

  return image->type == WF_TYPE_U8    ? ((const guint8 *) image->data)[i]
         : image->type == WF_TYPE_U16 ? ((const guint16 *) image->data)[i]
                                      : ((const float *) image->data)[i];
}

#define FOR_PIXELS(region, x, y, z) \
  for (gint64 z = 0; z < (region)->labels->depth; z++) \
    for (gint64 y = 0; y < (region)->labels->height; y++) \
      for (gint64 x = 0; x < (region)->labels->width; x++) \
        if (label_at (region, x, y, z) == (region)->label)

static void
measure_box (const Region *region,
             RefRegion    *it)
{
  double last[3] = { -1, -1, -1 };
  double box     = 1;

  it->pixels         = 0;
  it->touches_border = 0;
  memset (it->centroid, 0, sizeof it->centroid);
  for (int axis = 0; axis < 3; axis++)
    it->first[axis] = INFINITY;
  FOR_PIXELS (region, x, y, z)
    {
      const double at[3]     = { x, y, z };
      const double center[3] = { x + 0.5, y + 0.5, z };

      it->pixels++;
      if (is_at_border (region->labels, x, y, z))
        it->touches_border = 1;
      for (int axis = 0; axis < 3; axis++)
        {
          it->centroid[axis] += center[axis] * region->spacing[axis];
          it->first[axis]     = fmin (it->first[axis], at[axis]);
          last[axis]          = fmax (last[axis], at[axis]);
        }
    }
  it->area = it->pixels * region->spacing[0] * region->spacing[1];
  if (region->labels->depth > 1)
    it->area *= region->spacing[2];
  for (int axis = 0; axis < 3; axis++)
    {
      it->centroid[axis] /= it->pixels;
      it->size[axis]      = last[axis] - it->first[axis] + 1;
      box                *= it->size[axis];
    }
  it->extent              = it->pixels / box;
  it->equivalent_diameter = region->labels->depth > 1 ? cbrt (6 * it->area / G_PI)
                                                      : 2 * sqrt (it->area / G_PI);
}

/* Crossings of every line of pixels with the boundary, in each direction. */
static void
measure_perimeter (const Region *region,
                   RefRegion    *it)
{
  static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
  const double     sx          = region->spacing[0];
  const double     sy          = region->spacing[1];
  const double     angle       = atan2 (sy, sx);
  /* half of the angles to both neighboring directions, on both sides */
  const double     weights[4]  = { angle, G_PI / 2 - angle, G_PI / 4, G_PI / 4 };

  it->perimeter = 0;
  for (int k = 0; k < 4; k++)
    {
      const double step      = hypot (steps[k][0] * sx, steps[k][1] * sy);
      gint64       crossings = 0;

      for (gint64 y = -1; y <= region->labels->height; y++)
        for (gint64 x = -1; x <= region->labels->width; x++)
          crossings += is_in (region, x, y) != is_in (region, x + steps[k][0], y + steps[k][1]);
      it->perimeter += weights[k] / G_PI * crossings * (sx * sy / step);
    }
  it->perimeter  *= G_PI / 2;
  it->circularity = 4 * G_PI * it->area / (it->perimeter * it->perimeter);
}

/* Vertices, edges and faces of the union of the pixels: closed ones for 8 neighbors, for 4 the
 * interior of that.
 */
static void
measure_euler (const Region *region,
               RefRegion    *it)
{
  const gboolean closed = region->connectivity == 8;
  gint64         n      = 0;

  for (gint64 y = 0; y <= region->labels->height; y++)
    for (gint64 x = 0; x <= region->labels->width; x++)
      {
        const gboolean a = is_in (region, x - 1, y - 1);
        const gboolean b = is_in (region, x, y - 1);
        const gboolean c = is_in (region, x - 1, y);
        const gboolean d = is_in (region, x, y);

        n += (closed ? a || b || c || d : a && b && c && d) - (closed ? b || d : b && d)
             - (closed ? c || d : c && d) + d;
      }
  it->euler_number = n;
}

static double
cross (Point a,
       Point b,
       Point c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* All corners of pixels, in pixels; to be freed. */
static Point *
list_corners (const Region *region,
              guint        *n)
{
  GArray *corners = g_array_new (FALSE, FALSE, sizeof (Point));

  FOR_PIXELS (region, x, y, z)
    for (int i = 0; i < 4; i++)
      {
        const Point corner = { x + (i & 1), y + (i >> 1) };

        g_array_append_val (corners, corner);
      }
  *n = corners->len;
  return (Point *) (void *) g_array_free (corners, FALSE);
}

/* Gift wrapping: the next corner is the one that no other is to the right of; of several in line
 * the farthest.
 */
static void
measure_hull (const Region *region,
              RefRegion    *it)
{
  const double     *s       = region->spacing;
  guint             n       = 0;
  g_autofree Point *corners = list_corners (region, &n);
  double            area    = 0;
  guint             start   = 0;
  guint             at;

  it->feret_max = 0;
  it->feret_min = INFINITY;
  for (guint i = 0; i < n; i++)
    if (corners[i].y < corners[start].y ||
        (corners[i].y == corners[start].y && corners[i].x < corners[start].x))
      start = i;
  at = start;
  do
    {
      const Point a     = corners[at];
      guint       next  = n;
      double      width = 0;

      for (guint i = 0; i < n; i++)
        {
          const double dx = corners[i].x - a.x;
          const double dy = corners[i].y - a.y;
          double       turned;

          it->feret_max = fmax (it->feret_max, hypot (dx * s[0], dy * s[1]));
          if (dx == 0 && dy == 0)
            continue;
          turned = next == n ? -1 : cross (a, corners[next], corners[i]);
          if (next == n || turned < 0 ||
              (turned == 0 && dx * dx + dy * dy > pow (corners[next].x - a.x, 2)
                                                  + pow (corners[next].y - a.y, 2)))
            next = i;
        }
      for (guint i = 0; i < n; i++)
        width = fmax (width, cross (a, corners[next], corners[i]) * s[0] * s[1]
                             / hypot ((corners[next].x - a.x) * s[0],
                                      (corners[next].y - a.y) * s[1]));
      it->feret_min = fmin (it->feret_min, width);
      area         += cross (corners[start], a, corners[next]) / 2;
      at            = next;
    }
  while (corners[at].x != corners[start].x || corners[at].y != corners[start].y);
  it->convex_area = area * s[0] * s[1];
  it->solidity    = it->area / it->convex_area;
}

static void
measure_ellipse (const Region *region,
                 RefRegion    *it)
{
  const double *s  = region->spacing;
  double        xx = 0;
  double        xy = 0;
  double        yy = 0;
  double        spread;

  FOR_PIXELS (region, x, y, z)
    {
      const double dx = (x + 0.5) * s[0] - it->centroid[0];
      const double dy = (y + 0.5) * s[1] - it->centroid[1];

      xx += (dx * dx + s[0] * s[0] / 12) / it->pixels;
      xy += dx * dy / it->pixels;
      yy += (dy * dy + s[1] * s[1] / 12) / it->pixels;
    }
  spread            = sqrt ((xx - yy) * (xx - yy) / 4 + xy * xy);
  it->ellipse_major = 4 * sqrt ((xx + yy) / 2 + spread);
  it->ellipse_minor = 4 * sqrt (fmax (0, (xx + yy) / 2 - spread));
  it->eccentricity  = sqrt (1 - pow (it->ellipse_minor / it->ellipse_major, 2));
  it->orientation   = fmod (atan2 (-2 * xy, xx - yy) * 90 / G_PI + 180, 180);
}

/* Pixels of other labels at neighboring places, and beyond one unlabelled pixel. */
static void
measure_neighbors (const Region *region,
                   RefRegion    *it)
{
  const gboolean         corners = region->connectivity == 8 || region->connectivity == 26;
  g_autoptr (GHashTable) found   = g_hash_table_new (NULL, NULL);

  FOR_PIXELS (region, x, y, z)
    for (int dz = -2; dz <= 2; dz++)
      for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
          {
            const int     steps = abs (dx) + abs (dy) + abs (dz);
            const int     most  = MAX (MAX (abs (dx), abs (dy)), abs (dz));
            const guint32 other = label_at (region, x + dx, y + dy, z + dz);

            if (other == 0 || other == region->label)
              continue;
            if ((most == 1 && (corners || steps == 1)) ||
                (most == 2 && steps == 2 &&
                 label_at (region, x + dx / 2, y + dy / 2, z + dz / 2) == 0))
              g_hash_table_add (found, GUINT_TO_POINTER (other));
          }
  it->neighbors = g_hash_table_size (found);
}

static void
measure_circle (const Region *region,
                RefRegion    *it)
{
  const double *s    = region->spacing;
  double        best = 0;

  FOR_PIXELS (region, x, y, z)
    {
      double least = INFINITY;

      for (gint64 v = -1; v <= region->labels->height; v++)
        for (gint64 u = -1; u <= region->labels->width; u++)
          if (! is_in (region, u, v))
            least = fmin (least, (double) ((x - u) * (x - u)) * (s[0] * s[0])
                                 + (double) ((y - v) * (y - v)) * (s[1] * s[1]));
      if (least > best * (1 + 1e-12))
        {
          best          = least;
          it->circle[0] = (x + 0.5) * s[0];
          it->circle[1] = (y + 0.5) * s[1];
        }
    }
  it->circle_radius = sqrt (best) - fmin (s[0], s[1]) / 2;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const double first  = *(const double *) a;
  const double second = *(const double *) b;

  return (first > second) - (first < second);
}

/* In long double: of levels with few digits nothing is lost. */
static void
measure_levels (const Region *region,
                RefRegion    *it)
{
  g_autofree double *levels  = g_new (double, (gsize) it->pixels);
  long double        sum     = 0;
  long double        squares = 0;
  long double        at[3]   = { 0 };
  gsize              n       = 0;

  FOR_PIXELS (region, x, y, z)
    {
      const double level     = level_at (region->image, x, y, z);
      const double center[3] = { x + 0.5, y + 0.5, z };

      levels[n++] = level;
      sum        += level;
      for (int axis = 0; axis < 3; axis++)
        at[axis] += level * (center[axis] * region->spacing[axis]);
    }
  for (gsize i = 0; i < n; i++)
    squares += (levels[i] - sum / n) * (levels[i] - sum / n);
  qsort (levels, n, sizeof *levels, compare);
  it->sum                = (double) sum;
  it->mean               = (double) (sum / n);
  it->minimum            = levels[0];
  it->maximum            = levels[n - 1];
  it->median             = (levels[(n - 1) / 2] + levels[n / 2]) / 2;
  it->standard_deviation = (double) sqrtl (squares / n);
  for (int axis = 0; axis < 3; axis++)
    it->weighted_centroid[axis] = sum == 0 ? NAN : (double) (at[axis] / sum);
}

void
ref_region (const WfImage         *labels,
            const WfImage         *image,
            guint32                label,
            const WfRegionOptions *options,
            RefRegion             *region)
{
  const gboolean stack = labels->depth > 1;
  const Region   it    = { labels, image, label, options->spacing,
                           options->connectivity ? options->connectivity : stack ? 26 : 8 };

  measure_box (&it, region);
  measure_neighbors (&it, region);
  if (image)
    measure_levels (&it, region);
  if (stack)
    return;
  measure_perimeter (&it, region);
  measure_euler (&it, region);
  measure_hull (&it, region);
  measure_ellipse (&it, region);
  measure_circle (&it, region);
}

double
ref_region_width (const WfImage *labels,
                  guint32        label,
                  const double  *spacing,
                  double         degrees)
{
  const Region      it      = { labels, NULL, label, spacing, 8 };
  guint             n       = 0;
  g_autofree Point *corners = list_corners (&it, &n);
  double            least   = INFINITY;
  double            most    = -INFINITY;

  for (guint i = 0; i < n; i++)
    {
      const double along = corners[i].x * spacing[0] * cos (degrees * G_PI / 180)
                           - corners[i].y * spacing[1] * sin (degrees * G_PI / 180);

      least = fmin (least, along);
      most  = fmax (most, along);
    }
  return most - least;
}
