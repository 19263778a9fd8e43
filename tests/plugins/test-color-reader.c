/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Colours read in steps agree with the definition for any format, scale, region and deadline. */

#include <math.h>
#include <string.h>

#include "plugins/common/preview/color-reader.h"
#include "tests/support/tiers.h"

#define WIDTH  700
#define HEIGHT 530
#define LEFT   (-37)
#define TOP    61

/**
 * Picture:
 * @reader: reads @pixels
 * @format: the format of @pixels
 * @pixels: random pixels
 * @region: the region being read
 * @colors: the colors of @region received so far
 * @next_row: the row expected next, or −1 before the first
 * @n_rows: number of rows received
 */
typedef struct
{
  WfColorReader *reader;
  const Babl    *format;
  guint8        *pixels;
  WfRegion       region;
  float         *colors;
  int            next_row;
  int            n_rows;
} Picture;

static void
picture_init (Picture    *picture,
              const char *format)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  WfSlice           slice  = { .left = LEFT, .top = TOP };
  gsize             size, n;
  const Babl       *fish;

  memset (picture, 0, sizeof *picture);
  picture->format = babl_format (format);
  fish            = babl_fish (babl_format ("R'G'B'A u8"), picture->format);
  size            = (gsize) babl_format_get_bytes_per_pixel (picture->format);
  n               = (gsize) WIDTH * HEIGHT;
  picture->pixels = g_malloc (n * size);
  for (gsize i = 0; i < n; i++)
    {
      const guint32 color = g_rand_int (random);

      babl_process (fish, &color, picture->pixels + i * size, 1);
    }

  slice.seen = (WfPixels) { .format = picture->format, .width = WIDTH, .height = HEIGHT,
                            .copy = g_bytes_new (picture->pixels, n * size) };
  picture->reader = wf_color_reader_new (&slice);
}

static void
picture_clear (Picture *picture)
{
  wf_color_reader_free (picture->reader);
  g_free (picture->pixels);
  g_free (picture->colors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

static void
begin (Picture        *picture,
       const WfRegion *region)
{
  g_free (picture->colors);
  picture->region   = *region;
  picture->colors   = g_new0 (float, 4 * (gsize) region->width * region->height);
  picture->next_row = -1;
  picture->n_rows   = 0;
  wf_color_reader_begin (picture->reader, region);
}

static void
take_row (int          column,
          int          row,
          int          n,
          const float *colors,
          gpointer     data)
{
  Picture *picture = data;

  g_assert_cmpint (column, >=, 0);
  g_assert_cmpint (column + n, <=, picture->region.width);
  g_assert_cmpint (row, >=, 0);
  g_assert_cmpint (row, <, picture->region.height);
  g_assert_true (picture->next_row == -1 || picture->next_row == row);
  picture->next_row = row + 1;
  picture->n_rows++;
  memcpy (picture->colors + 4 * ((gsize) row * picture->region.width + column), colors,
          4 * n * sizeof (float));
}

/* Returns the source coordinate of the middle of a scaled pixel, or −1 outside.  Just beyond an
 * edge the edge's pixel counts, because rounding may lead there.
 */
static int
find_place (double place,
            double scale,
            int    start,
            int    size)
{
  const int here  = (int) floor ((place + 0.5) / scale) - start;
  const int slack = scale < 1 ? (int) ceil (1 / scale) : 0;

  if (here < 0)
    return here >= -slack ? 0 : -1;
  if (here >= size)
    return here < size + slack ? size - 1 : -1;
  return here;
}

static void
check_colors (const Picture *picture)
{
  const WfRegion *region = &picture->region;
  const Babl     *fish   = babl_fish (picture->format, babl_format ("R'G'B'A float"));
  const gsize     size   = (gsize) babl_format_get_bytes_per_pixel (picture->format);

  for (int j = 0; j < region->height; j++)
    for (int i = 0; i < region->width; i++)
      {
        const int    x     = find_place (region->image_x + i, region->scale, LEFT, WIDTH);
        const int    y     = find_place (region->image_y + j, region->scale, TOP, HEIGHT);
        const float *color = picture->colors + 4 * ((gsize) j * region->width + i);
        float        expected[4] = { 0 };

        if (x >= 0 && y >= 0)
          babl_process (fish, picture->pixels + ((gsize) y * WIDTH + x) * size, expected, 1);
        g_assert_cmpmem (color, sizeof expected, expected, sizeof expected);
      }
}

static gboolean
fetch_some (Picture *picture,
            gint64   deadline)
{
  WfFetch fetch;

  wf_fetch_init (&fetch, deadline);
  wf_color_reader_fetch (picture->reader, &fetch, take_row, picture);
  return fetch.complete;
}

/* Returns the number of steps needed. */
static guint
fetch_all (Picture *picture,
           gint64   deadline)
{
  guint n = 1;

  while (! fetch_some (picture, deadline))
    n++;
  return n;
}

static const WfRegion regions[] =
{
  { .image_x = LEFT, .image_y = TOP, .width = WIDTH, .height = HEIGHT, .scale = 1 },
  { .image_x = 190, .image_y = 300, .width = 301, .height = 223, .scale = 1 },
  { .image_x = LEFT - 20, .image_y = TOP - 9, .width = WIDTH + 50, .height = 40, .scale = 1 },
  { .image_x = 5000, .image_y = 10, .width = 30, .height = 20, .scale = 1 },
  { .image_x = -26, .image_y = 43, .width = 490, .height = 371, .scale = 0.7 },
  { .image_x = -19, .image_y = 30, .width = 350, .height = 265, .scale = 0.5 },
  { .image_x = -30, .image_y = 20, .width = 400, .height = 300, .scale = 0.5 },
  { .image_x = 3, .image_y = 11, .width = 61, .height = 40, .scale = 0.113 },
  { .image_x = -2, .image_y = 4, .width = 44, .height = 33, .scale = 1 / 16.0 },
  { .image_x = 0, .image_y = 0, .width = 3, .height = 2, .scale = 1 / 300.0 },
};

static const char *const formats[] = { "R'G'B'A u8", "R'G'B' u8", "Y' u8", "Y u16",
                                       "R'G'B'A u16", "Y~A half", "RGB float", "RGBA double" };

static void
test_colors (gconstpointer format)
{
  g_auto (Picture) picture = { 0 };

  picture_init (&picture, format);
  g_assert_true (wf_color_reader_has_alpha (picture.reader) ==
                 babl_format_has_alpha (picture.format));
  for (guint i = 0; i < G_N_ELEMENTS (regions); i++)
    {
      begin (&picture, &regions[i]);
      fetch_all (&picture, g_get_monotonic_time () + G_TIME_SPAN_HOUR);
      check_colors (&picture);

      begin (&picture, &regions[i]);
      fetch_all (&picture, 0);
      check_colors (&picture);
    }
}

/* A step without time fetches one of 3 × 3 pieces, or hands out at most 16 rows. */
static void
test_pieces (void)
{
  g_auto (Picture) picture = { 0 };

  picture_init (&picture, "R'G'B'A u8");
  begin (&picture, &regions[0]);
  fetch_all (&picture, g_get_monotonic_time () + G_TIME_SPAN_HOUR);   /* sets up conversions */
  begin (&picture, &regions[0]);
  g_assert_cmpuint (fetch_all (&picture, 0), >=, 9 + HEIGHT / 16);
  g_assert_cmpint (picture.n_rows, ==, HEIGHT);
  begin (&picture, &regions[0]);
  g_assert_cmpuint (fetch_all (&picture, g_get_monotonic_time () + G_TIME_SPAN_HOUR), ==, 1);
  g_assert_cmpint (picture.n_rows, ==, HEIGHT);
  begin (&picture, &regions[3]);
  g_assert_cmpuint (fetch_all (&picture, 0), ==, 1);
  g_assert_cmpint (picture.n_rows, ==, 0);
}

/* A new region is requested while another one is being fetched. */
static void
test_anew (void)
{
  g_auto (Picture) picture = { 0 };

  picture_init (&picture, "R'G'B'A u8");
  for (guint i = 0; i < 40; i++)
    {
      begin (&picture, &regions[i % 2]);
      for (guint k = 0; k < i; k++)
        fetch_some (&picture, 0);
      begin (&picture, &regions[5]);
      fetch_all (&picture, 0);
      check_colors (&picture);
    }
}

int
main (int   argc,
      char *argv[])
{
  tests_begin (&argc, &argv);
  babl_init ();
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *path = g_strdelimit (g_strdup_printf ("/color-reader/%s", formats[i]),
                                            " ", '-');

      g_test_add_data_func (path, formats[i], test_colors);
    }
  g_test_add_func ("/color-reader/pieces", test_pieces);
  g_test_add_func ("/color-reader/anew", test_anew);
  return g_test_run ();
}
