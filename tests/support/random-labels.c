/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "random-image.h"
#include "random-labels.h"

typedef struct
{
  const RefSize *size;
  gint64         n;
  WfType         type;
  const double  *levels;
  guint32       *labels;
} Basins;


/* Labels without gaps, with gaps, high but close to each other, and anywhere. */
static guint32
spread_label (int     spread,
              guint32 number)
{
  switch (spread)
    {
    case 0:
      return number;
    case 1:
      return number * 3 + number % 2;
    case 2:
      return G_MAXUINT32 - number;
    default:
      return number * 2654435761u;
    }
}

static const char *
make_watershed (Basins *c)
{
  RefWatershed options = { 0 };

  options.connectivity = random_connectivity (c->size);
  options.single       = c->type == WF_TYPE_F32;
  options.lines        = g_test_rand_bit ();
  options.tolerance    = g_test_rand_int_range (0, 4) ? 0 : 1;
  ref_watershed_quick (c->size, c->levels, NULL, &options, c->labels);
  return options.lines ? "watershed with lines" : "watershed";
}

/* Any pixel in any basin, or none. */
static const char *
make_noise (Basins *c)
{
  int most = g_test_rand_bit () ? 3 : (int) MIN (c->n, 60);
  int gaps = g_test_rand_int_range (0, 3);

  for (gint64 p = 0; p < c->n; p++)
    c->labels[p] = g_test_rand_int_range (0, 4) < gaps ? 0 : g_test_rand_int_range (1, most + 1);
  return "noise";
}

/* Blocks, with unlabelled pixels of some width between them. */
static const char *
make_blocks (Basins *c)
{
  int side   = g_test_rand_int_range (1, 6);
  int ground = g_test_rand_int_range (0, 5);

  for (gint64 p = 0; p < c->n; p++)
    {
      gint64   x    = p % c->size->width;
      gint64   y    = p / c->size->width % c->size->height;
      gint64   z    = p / c->size->width / c->size->height;
      gint64   step = side + ground;
      gboolean in   = x % step < side && y % step < side && z % step < side;
      gint64   wide = (c->size->width + step - 1) / step;
      gint64   high = (c->size->height + step - 1) / step;

      c->labels[p] = in ? 1 + x / step + wide * (y / step + high * (z / step)) : 0;
    }
  return "blocks";
}

/* A few labelled pixels among many unlabelled ones. */
static const char *
make_points (Basins *c)
{
  int n_points = g_test_rand_int_range (1, 9);

  for (int i = 1; i <= n_points; i++)
    c->labels[g_test_rand_int_range (0, (gint32) c->n)] = i;
  return "points";
}

/* Labels of an image, 0 before: at least one pixel is in a basin.  Returns what they are. */
const char *
random_basins (const RefSize *size,
               WfType         type,
               const double  *levels,
               guint32       *labels)
{
  const int   spread = g_test_rand_int_range (0, 5);
  Basins      basins = { size, ref_n_pixels (size), type, levels, labels };
  const char *kind;

  switch (g_test_rand_int_range (0, 6))
    {
    case 0:
      kind = make_noise (&basins);
      break;
    case 1:
      kind = make_blocks (&basins);
      break;
    case 2:
      kind = make_points (&basins);
      break;
    default:
      kind = make_watershed (&basins);
    }
  if (ref_count_labels (labels, basins.n) == 0)
    labels[g_test_rand_int_range (0, (gint32) basins.n)] = 1;
  for (gint64 p = 0; p < basins.n; p++)
    if (labels[p])
      labels[p] = spread_label (spread, labels[p]);
  return kind;
}
