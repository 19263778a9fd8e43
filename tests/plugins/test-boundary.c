/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines drawn between basins separate them and are one pixel wide. */

#include <string.h>

#include <glib.h>

#include "plugins/watershed/boundary.h"
#include "tests/support/tiers.h"

#define WIDTH  9
#define HEIGHT 7

typedef struct
{
  guint32 labels[HEIGHT][WIDTH];
  guint8  marks[HEIGHT][WIDTH];
} Picture;


static void
mark (Picture  *picture,
      gboolean  lines,
      gboolean  diagonals)
{
  WfImage image;

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, WIDTH, HEIGHT, 1, picture->labels, NULL));
  memset (picture->marks, 7, sizeof picture->marks);
  for (int row = 0; row < HEIGHT; row++)
    wf_boundary_mark_row (&image, NULL, NULL, row, lines, diagonals, picture->marks[row]);
}

static gboolean
touches (const Picture *picture,
         int            x,
         int            y,
         int            dx,
         int            dy)
{
  int u = x + dx;
  int v = y + dy;

  return u >= 0 && u < WIDTH && v < HEIGHT && ! picture->marks[y][x] && ! picture->marks[v][u]
         && picture->labels[y][x] != picture->labels[v][u];
}

static void
check_parted (const Picture *picture,
              gboolean       diagonals)
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        g_assert_cmpuint (picture->marks[y][x], <=, 1);
        g_assert_false (touches (picture, x, y, 1, 0));
        g_assert_false (touches (picture, x, y, 0, 1));
        if (diagonals)
          {
            g_assert_false (touches (picture, x, y, 1, 1));
            g_assert_false (touches (picture, x, y, -1, 1));
          }
      }
}

static void
test_parts_basins (void)
{
  for (guint i = 0; i < test_count (400, 2000); i++)
    {
      Picture picture;
      int     n = g_test_rand_int_range (1, 6);

      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          picture.labels[y][x] = (guint32) g_test_rand_int_range (1, n + 1);
      for (int diagonals = 0; diagonals < 2; diagonals++)
        {
          mark (&picture, FALSE, diagonals);
          check_parted (&picture, diagonals);
        }
    }
}

static void
fill (Picture *picture,
      guint32 (* label) (int x, int y))
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      picture->labels[y][x] = label (x, y);
}

static guint32
left_and_right (int x,
                int y)
{
  return x < 4 ? 5 : 9;
}

static guint32
above_and_below (int x,
                 int y)
{
  return y < 3 ? 5 : 9;
}

static guint32
all_the_same (int x,
              int y)
{
  return 5;
}

/* Straight boundaries are one pixel wide and lie in the upper or left basin. */
static void
test_is_thin (void)
{
  Picture picture;

  for (int diagonals = 0; diagonals < 2; diagonals++)
    {
      fill (&picture, left_and_right);
      mark (&picture, FALSE, diagonals);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          g_assert_cmpuint (picture.marks[y][x], ==, x == 3);

      fill (&picture, above_and_below);
      mark (&picture, FALSE, diagonals);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          g_assert_cmpuint (picture.marks[y][x], ==, y == 2);

      fill (&picture, all_the_same);
      mark (&picture, FALSE, diagonals);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          g_assert_cmpuint (picture.marks[y][x], ==, 0);
    }
}

static guint32
lower_right_corner (int x,
                    int y)
{
  return x >= 4 && y >= 3 ? 9 : 5;
}

/* A pixel whose only neighbour in another basin is diagonal is marked with 8 neighbours only. */
static void
test_diagonal (void)
{
  Picture picture;

  fill (&picture, lower_right_corner);
  mark (&picture, FALSE, FALSE);
  g_assert_cmpuint (picture.marks[2][3], ==, 0);
  g_assert_cmpuint (picture.marks[2][4], ==, 1);
  g_assert_cmpuint (picture.marks[3][3], ==, 1);
  mark (&picture, FALSE, TRUE);
  g_assert_cmpuint (picture.marks[2][3], ==, 1);
  g_assert_cmpuint (picture.marks[2][2], ==, 0);
}

static guint32
with_a_line (int x,
             int y)
{
  return x < 4 ? 5 : x == 4 ? 0 : 9;
}

/* If the watershed has lines, exactly those are drawn. */
static void
test_lines (void)
{
  Picture picture;

  fill (&picture, with_a_line);
  mark (&picture, TRUE, TRUE);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpuint (picture.marks[y][x], ==, x == 4);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/boundary/parts-basins", test_parts_basins);
  g_test_add_func ("/boundary/is-thin", test_is_thin);
  g_test_add_func ("/boundary/diagonal", test_diagonal);
  g_test_add_func ("/boundary/lines", test_lines);
  return g_test_run ();
}
