/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random-image.h"

static int
below (gint64 end)
{
  return g_test_rand_int_range (0, (gint32) end);
}

WfType
random_type (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  return types[below (G_N_ELEMENTS (types))];
}

double
type_lowest (WfType type)
{
  return type == WF_TYPE_F32 ? -INFINITY : 0;
}

double
type_highest (WfType type)
{
  return type == WF_TYPE_U8 ? G_MAXUINT8 : type == WF_TYPE_U16 ? G_MAXUINT16 : INFINITY;
}

/* Points, rows, columns, sticks, sheets, images and stacks.  The lengths of long rows are
 * near multiples of vectors and machine words.
 */
void
random_size (RefSize *size)
{
  static const int lengths[] = { 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 129 };
  int              length    = lengths[below (G_N_ELEMENTS (lengths))];
  int              side      = 2 + below (7);

  switch (below (14))
    {
    case 0:
      *size = (RefSize) { 1, 1, 1 };
      break;
    case 1:
      *size = (RefSize) { length, 1, 1 };
      break;
    case 2:
      *size = (RefSize) { 1, length, 1 };
      break;
    case 3:
      *size = (RefSize) { 1, 1, MIN (length, 40) };
      break;
    case 4:
      *size = (RefSize) { length, 1 + below (4), 1 };
      break;
    case 5:
      *size = (RefSize) { 1 + below (4), length, 1 };
      break;
    case 6:
      *size = (RefSize) { 1 + below (12), 1, 2 + below (8) };
      break;
    case 7:
      *size = (RefSize) { 1, 1 + below (12), 2 + below (8) };
      break;
    case 8:
    case 9:
      *size = (RefSize) { 1 + below (8), 1 + below (8), 2 + below (5) };
      break;
    case 10:
      *size = (RefSize) { side, side, 1 };
      break;
    default:
      *size = (RefSize) { 2 + below (20), 2 + below (20), 1 };
      break;
    }
}

/* Images of several tiles of any size, sometimes wide or high ones, and a few stacks. */
void
random_large_size (RefSize *size)
{
  switch (below (5))
    {
    case 0:
      *size = (RefSize) { 5 + below (30), 5 + below (30), 5 + below (10) };
      break;
    case 1:
      *size = (RefSize) { 150 + below (250), 20 + below (60), 1 };
      break;
    case 2:
      *size = (RefSize) { 20 + below (60), 150 + below (250), 1 };
      break;
    default:
      *size = (RefSize) { 20 + below (130), 20 + below (130), 1 };
      break;
    }
}

int
random_connectivity (const RefSize *size)
{
  switch (below (5))
    {
    case 0:
      return 0;
    case 1:
    case 2:
      return size->depth > 1 ? 6 : 4;
    default:
      return size->depth > 1 ? 26 : 8;
    }
}


/*  Grey levels  */

double
random_value (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return below (256);
    case WF_TYPE_U16:
      return below (65536);
    default:
      return (float) g_test_rand_double_range (-1000, 1000);
    }
}

static int
compare_levels (const void *a,
                const void *b)
{
  double first  = *(const double *) a;
  double second = *(const double *) b;

  return first < second ? -1 : first > second;
}

static void
few_levels_from (Palette *palette,
                 double   first,
                 double   step)
{
  palette->n = 1 + below (6);
  for (int i = 0; i < palette->n; i++)
    palette->level[i] = first + i * step;
}

static void
some_of (Palette      *palette,
         const double *levels,
         int           n)
{
  palette->n = 0;
  for (int i = 0; i < n; i++)
    if (g_test_rand_bit ())
      palette->level[palette->n++] = levels[i];
  if (palette->n == 0)
    palette->level[palette->n++] = levels[below (n)];
}

static void
any_levels (Palette *palette,
            WfType   type)
{
  palette->n = 1 + below (PALETTE_MOST);
  for (int i = 0; i < palette->n; i++)
    palette->level[i] = random_value (type);
  qsort (palette->level, palette->n, sizeof *palette->level, compare_levels);
}

/* Floats that are next to each other. */
static void
neighbouring_floats (Palette *palette)
{
  float level = (float) random_value (WF_TYPE_F32);

  palette->n = 2 + below (5);
  for (int i = 0; i < palette->n; i++)
    {
      palette->level[i] = level;
      level             = nextafterf (level, INFINITY);
    }
}

void
random_palette (WfType   type,
                Palette *palette)
{
  static const double bytes[]  = { 0, 1, 2, 127, 128, 129, 253, 254, 255 };
  static const double words[]  = { 0, 1, 255, 256, 257, 32767, 32768, 65279, 65280, 65534, 65535 };
  static const double floats[] = { -INFINITY, -FLT_MAX, -1, -FLT_TRUE_MIN, -0.0, 0.0,
                                   FLT_TRUE_MIN, FLT_MIN, 1, FLT_MAX, INFINITY };

  switch (below (type == WF_TYPE_F32 ? 6 : 4))
    {
    case 0:
      few_levels_from (palette, 0, 1);
      break;
    case 1:
      if (type == WF_TYPE_F32)
        few_levels_from (palette, -2.5, 0.25);
      else
        few_levels_from (palette, type_highest (type) - 5, 1);
      break;
    case 2:
      any_levels (palette, type);
      break;
    case 3:
      if (type == WF_TYPE_U8)
        some_of (palette, bytes, G_N_ELEMENTS (bytes));
      else if (type == WF_TYPE_U16)
        some_of (palette, words, G_N_ELEMENTS (words));
      else
        some_of (palette, floats, G_N_ELEMENTS (floats));
      break;
    case 4:
      neighbouring_floats (palette);
      break;
    default:
      few_levels_from (palette, 0, (float) 0.1);
      for (int i = 0; i < palette->n; i++)
        palette->level[i] = (float) palette->level[i];
      break;
    }
}


/*  Contents: each pixel's step on the palette  */

static void
noise (const RefSize *size,
       int            n,
       int           *steps)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    steps[p] = below (n);
}

static void
constant (const RefSize *size,
          int            n,
          int           *steps)
{
  int step = below (n);

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    steps[p] = step;
}

/* Slopes along a random direction: mostly one, sometimes many. */
static void
ramp (const RefSize *size,
      int            n,
      int           *steps)
{
  int      along[3]  = { below (3), below (3), below (3) };
  int      flatness  = 1 + below (5);
  gboolean repeating = g_test_rand_bit ();
  gint64   p         = 0;

  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++, p++)
        {
          gint64 height = (along[0] * x + along[1] * y + along[2] * z) / flatness;

          steps[p] = (int) (repeating ? height % n : MIN (height, n - 1));
        }
}

static void
checkerboard (const RefSize *size,
              int            n,
              int           *steps)
{
  gint64 p = 0;

  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++, p++)
        steps[p] = (x + y + z) % 2 ? n - 1 : 0;
}

/* Walls on every other row and slice, each with one gap, at alternate ends. */
static void
serpentine (const RefSize *size,
            int            n,
            int           *steps)
{
  gint64 p = 0;

  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++, p++)
        {
          gint64   gap_x  = (y / 2 + z / 2) % 2 ? 0 : size->width - 1;
          gint64   gap_y  = z / 2 % 2 ? 0 : size->height - 1;
          gboolean wall_y = y % 2 == 1 && x != gap_x;
          gboolean wall_z = z % 2 == 1 && (x != gap_x || y != gap_y);

          steps[p] = wall_y || wall_z ? 0 : n - 1;
        }
}

static gboolean
is_solid (const RefSize *size,
          const int     *steps,
          gint64         x,
          gint64         y,
          gint64         z)
{
  return x >= 0 && x < size->width && y >= 0 && y < size->height &&
         steps[ref_index (size, x, y, z)] == 0;
}

static gboolean
is_dug (const RefSize *size,
        const int     *steps,
        gint64         x,
        gint64         y,
        gint64         z)
{
  return x >= 0 && x < size->width && y >= 0 && y < size->height &&
         steps[ref_index (size, x, y, z)] != 0;
}

/* On every other slice a corridor that winds inwards; the slices between are walls with one
 * gap, alternately at the inner and at the outer end.
 */
static void
spiral (const RefSize *size,
        int            n,
        int           *steps)
{
  static const int turns[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
  gint64           x           = 0;
  gint64           y           = 0;

  memset (steps, 0, ref_n_pixels (size) * sizeof *steps);
  if (n == 1)
    return;

  for (gint64 z = 0; z < size->depth; z++)
    {
      int turn    = 0;
      int blocked = 0;

      if (z % 2 == 1)
        {
          steps[z / 2 % 2 ? ref_index (size, 0, 0, z) : ref_index (size, x, y, z)] = n - 1;
          continue;
        }
      x = y = 0;
      steps[ref_index (size, x, y, z)] = n - 1;
      while (blocked < 2)
        {
          int dx = turns[turn][0];
          int dy = turns[turn][1];

          if (! is_solid (size, steps, x + dx, y + dy, z) ||
              is_dug (size, steps, x + 2 * dx, y + 2 * dy, z))
            {
              turn = (turn + 1) % 4;
              blocked++;
              continue;
            }
          blocked = 0;
          x      += dx;
          y      += dy;
          steps[ref_index (size, x, y, z)] = n - 1;
        }
    }
}

static void
blocks (const RefSize *size,
        int            n,
        int           *steps)
{
  int    side = 2 + below (6);
  int    seed = below (1000);
  gint64 p    = 0;

  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++, p++)
        {
          guint hash = (guint) (x / side * 7919 + y / side * 104729 + z / side * 1299709 + seed);

          steps[p] = (int) ((hash * 2654435761u >> 16) % n);
        }
}

/* Cones around some points: basins or peaks that meet. */
static void
cones (const RefSize *size,
       int            n,
       int           *steps)
{
  int    n_points = 1 + below (6);
  int    points[6][3];
  gint64 p = 0;

  for (int i = 0; i < n_points; i++)
    {
      points[i][0] = below (size->width);
      points[i][1] = below (size->height);
      points[i][2] = below (size->depth);
    }
  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++, p++)
        {
          steps[p] = n - 1;
          for (int i = 0; i < n_points; i++)
            {
              double distance = sqrt ((double) ((x - points[i][0]) * (x - points[i][0]) +
                                                (y - points[i][1]) * (y - points[i][1]) +
                                                (z - points[i][2]) * (z - points[i][2])));

              steps[p] = MIN (steps[p], (int) distance);
            }
        }
}

static void
rings (const RefSize *size,
       int            n,
       int           *steps)
{
  gint64 p = 0;

  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++, p++)
        {
          gint64 ring = MIN (MIN (x, size->width - 1 - x), MIN (y, size->height - 1 - y));

          steps[p] = ring % 2 ? n - 1 : below (n);
        }
}

/* The highest level, except in half of the pixels, every tenth, …, or one. */
static void
sparse (const RefSize *size,
        int            n,
        int           *steps)
{
  static const int rarities[] = { 2, 5, 20, 100 };
  int              rarity     = rarities[below (G_N_ELEMENTS (rarities))];

  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    steps[p] = below (rarity) ? n - 1 : below (n);
}

static void
single (const RefSize *size,
        int            n,
        int           *steps)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    steps[p] = n - 1;
  steps[below (ref_n_pixels (size))] = 0;
}

static const struct
{
  const char *name;
  void (* fill) (const RefSize *size,
                 int            n,
                 int           *steps);
} contents[] =
{
  { "noise", noise },
  { "constant", constant },
  { "ramp", ramp },
  { "checkerboard", checkerboard },
  { "serpentine", serpentine },
  { "spiral", spiral },
  { "blocks", blocks },
  { "cones", cones },
  { "rings", rings },
  { "sparse", sparse },
  { "single", single },
};

/* Fills @levels with a random content, normal or inverted, sometimes with a few pixels
 * changed; returns its name.
 */
const char *
random_content (const RefSize *size,
                const Palette *palette,
                double        *levels)
{
  gint64          n        = ref_n_pixels (size);
  g_autofree int *steps    = g_new (int, n);
  int             content  = below (G_N_ELEMENTS (contents));
  gboolean        inverted = g_test_rand_bit ();
  int             speckles = below (4) ? 0 : 1 + below (3);

  contents[content].fill (size, palette->n, steps);
  for (; speckles > 0; speckles--)
    steps[below (n)] = below (palette->n);
  for (gint64 p = 0; p < n; p++)
    levels[p] = palette->level[inverted ? palette->n - 1 - steps[p] : steps[p]];

  return contents[content].name;
}
