/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What lines between basins are drawn on: rows of the lines that a watershed has left, where there
 * is no background, or of the boundaries.
 */

#include <glib.h>

#include "plugins/watershed/boundary.h"
#include "tests/support/tiers.h"

#define WIDTH  9
#define HEIGHT 7
#define DEPTH  2

#define N_ROWS (HEIGHT * DEPTH)

typedef struct
{
  guint32 labels[N_ROWS][WIDTH];
  guint8  inside[N_ROWS][WIDTH];
  WfImage image;
  WfImage objects;
} Picture;


static void
random_picture (Picture *picture)
{
  for (int row = 0; row < N_ROWS; row++)
    for (int x = 0; x < WIDTH; x++)
      {
        picture->labels[row][x] = (guint32) g_test_rand_int_range (0, 4);
        picture->inside[row][x] = (guint8) g_test_rand_int_range (0, 3);
      }
  g_assert_true (wf_image_init (&picture->image, WF_TYPE_U32, WIDTH, HEIGHT, DEPTH,
                                picture->labels, NULL));
  g_assert_true (wf_image_init (&picture->objects, WF_TYPE_U8, WIDTH, HEIGHT, DEPTH,
                                picture->inside, NULL));
}

static void
test_lines (void)
{
  for (guint i = 0; i < test_count (100, 500); i++)
    {
      Picture picture;

      random_picture (&picture);
      for (int row = 0; row < N_ROWS; row++)
        {
          guint8 lines[WIDTH];
          guint8 all[WIDTH];

          wf_boundary_mark_row (&picture.image, &picture.objects, NULL, row, TRUE, TRUE, lines);
          wf_boundary_mark_row (&picture.image, NULL, NULL, row, TRUE, TRUE, all);
          for (int x = 0; x < WIDTH; x++)
            {
              g_assert_cmpuint (all[x], ==, picture.labels[row][x] == 0);
              g_assert_cmpuint (lines[x], ==, all[x] && picture.inside[row][x] != 0);
            }
        }
    }
}

static void
test_boundaries (void)
{
  for (guint i = 0; i < test_count (100, 500); i++)
    {
      const gboolean diagonals = i % 2 == 0;
      Picture        picture;
      guint8         expected[N_ROWS][WIDTH];
      WfImage        marks;

      random_picture (&picture);
      g_assert_true (wf_image_init (&marks, WF_TYPE_U8, WIDTH, HEIGHT, DEPTH, expected, NULL));
      for (int masked = 0; masked < 2; masked++)
        {
          const WfImage *mask = masked ? &picture.objects : NULL;

          wf_boundaries_mark (&picture.image, mask, 0, diagonals, &marks);
          for (int row = 0; row < N_ROWS; row++)
            {
              guint8 found[WIDTH];

              wf_boundary_mark_row (&picture.image, NULL, mask, row, FALSE, diagonals, found);
              g_assert_cmpmem (found, WIDTH, expected[row], WIDTH);
            }
        }
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/boundary/lines", test_lines);
  g_test_add_func ("/boundary/boundaries", test_boundaries);
  return g_test_run ();
}
