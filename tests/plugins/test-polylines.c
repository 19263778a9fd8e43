/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Polylines contain every edge between different labels exactly once, and no other edges. */

#include <math.h>
#include <string.h>

#include <glib.h>

#include "plugins/watershed/polylines.h"
#include "tests/support/tiers.h"

#define WIDTH  23
#define HEIGHT 17

typedef struct
{
  guint32 labels[HEIGHT][WIDTH];
} Picture;

typedef struct
{
  double   *points;
  gsize     n;
  gboolean  closed;
} Polyline;

/* How often polylines pass the edge to the right of a corner, or the edge below it. */
typedef struct
{
  int right[HEIGHT + 1][WIDTH + 1];
  int down[HEIGHT + 1][WIDTH + 1];
} Edges;


static void
polyline_free (gpointer data)
{
  Polyline *polyline = data;

  g_free (polyline->points);
  g_free (polyline);
}

static void
collect (const double *points,
         gsize         n_points,
         gboolean      closed,
         gpointer      data)
{
  Polyline *polyline = g_new (Polyline, 1);

  polyline->points = g_memdup2 (points, n_points * 2 * sizeof (double));
  polyline->n      = n_points;
  polyline->closed = closed;
  g_ptr_array_add (data, polyline);
}

static GPtrArray *
trace (Picture *picture,
       int      width,
       int      height,
       double   tolerance)
{
  GPtrArray *polylines = g_ptr_array_new_with_free_func (polyline_free);
  WfImage    image;

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, width, height, 1, picture->labels, NULL));
  image.row_stride = WIDTH;
  g_assert_true (wf_polylines_trace (&image, NULL, tolerance, collect, polylines, NULL));
  return polylines;
}

static void
count_edges (const Picture *picture,
             int            width,
             int            height,
             Edges         *edges)
{
  memset (edges, 0, sizeof *edges);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        edges->right[y][x] = y > 0 && picture->labels[y][x] != picture->labels[y - 1][x];
        edges->down[y][x]  = x > 0 && picture->labels[y][x] != picture->labels[y][x - 1];
      }
}

static int
degree (const Edges *edges,
        int          x,
        int          y)
{
  return edges->right[y][x] + edges->down[y][x] + (x > 0 ? edges->right[y][x - 1] : 0) +
         (y > 0 ? edges->down[y - 1][x] : 0);
}

/* Counts the edges of a polyline, and asserts that it turns by 90° at each of its points. */
static void
walk (const Polyline *polyline,
      Edges          *walked)
{
  gsize n_segments = polyline->closed ? polyline->n : polyline->n - 1;
  int   before     = -1;

  for (gsize i = 0; i < n_segments; i++)
    {
      const double *a  = &polyline->points[2 * i];
      const double *b  = &polyline->points[2 * ((i + 1) % polyline->n)];
      int           x  = (int) fmin (a[0], b[0]);
      int           y  = (int) fmin (a[1], b[1]);
      int           n  = (int) (fabs (a[0] - b[0]) + fabs (a[1] - b[1]));
      int           at = a[0] == b[0];

      g_assert_true (a[0] == b[0] || a[1] == b[1]);
      g_assert_cmpint (n, >, 0);
      g_assert_cmpint (at, !=, before);
      before = at;
      for (int k = 0; k < n; k++)
        if (at)
          walked->down[y + k][x]++;
        else
          walked->right[y][x + k]++;
    }
}

static void
random_picture (Picture *picture,
                int      width,
                int      height)
{
  int n     = g_test_rand_int_range (1, 7);
  int block = g_test_rand_int_range (1, 5);

  memset (picture, 0xff, sizeof *picture);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      picture->labels[y][x] = x % block && y % block
                              ? picture->labels[y - y % block][x - x % block]
                              : (guint32) g_test_rand_int_range (0, n);
}

static void
check_exact (Picture *picture,
             int      width,
             int      height)
{
  g_autoptr (GPtrArray) polylines = trace (picture, width, height, 0);
  Edges                 walked    = { 0 };
  Edges                 expected;

  count_edges (picture, width, height, &expected);
  for (guint i = 0; i < polylines->len; i++)
    {
      const Polyline *polyline = polylines->pdata[i];
      const double   *first    = polyline->points;
      const double   *last     = &polyline->points[2 * (polyline->n - 1)];

      walk (polyline, &walked);
      if (polyline->closed)
        {
          g_assert_cmpuint (polyline->n, >=, 4);
          continue;
        }
      g_assert_cmpint (degree (&expected, (int) first[0], (int) first[1]), !=, 2);
      g_assert_cmpint (degree (&expected, (int) last[0], (int) last[1]), !=, 2);
    }
  g_assert_cmpmem (&walked, sizeof walked, &expected, sizeof expected);
}

static void
test_exact (void)
{
  for (guint i = 0; i < test_count (100, 400); i++)
    {
      Picture picture;
      int     width  = g_test_rand_int_range (1, WIDTH + 1);
      int     height = g_test_rand_int_range (1, HEIGHT + 1);

      random_picture (&picture, width, height);
      check_exact (&picture, width, height);
    }
}

static double
distance_to (const Polyline *polyline,
             double          x,
             double          y)
{
  gsize  n_segments = polyline->closed ? polyline->n : polyline->n - 1;
  double least      = INFINITY;

  for (gsize i = 0; i < n_segments; i++)
    {
      const double *a  = &polyline->points[2 * i];
      const double *b  = &polyline->points[2 * ((i + 1) % polyline->n)];
      double        dx = b[0] - a[0];
      double        dy = b[1] - a[1];
      double        t  = ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy);

      t     = CLAMP (t, 0, 1);
      least = fmin (least, hypot (x - a[0] - t * dx, y - a[1] - t * dy));
    }
  return least;
}

static void
test_simplified (void)
{
  static const double tolerances[] = { 0.3, 0.75, 2 };

  for (guint i = 0; i < test_count (100, 400); i++)
    {
      Picture               picture;
      double                tolerance = tolerances[i % G_N_ELEMENTS (tolerances)];
      g_autoptr (GPtrArray) exact     = NULL;
      g_autoptr (GPtrArray) simple    = NULL;

      random_picture (&picture, WIDTH, HEIGHT);
      exact  = trace (&picture, WIDTH, HEIGHT, 0);
      simple = trace (&picture, WIDTH, HEIGHT, tolerance);
      g_assert_cmpuint (simple->len, ==, exact->len);
      for (guint j = 0; j < exact->len; j++)
        {
          const Polyline *all = exact->pdata[j];
          const Polyline *few = simple->pdata[j];

          g_assert_cmpint (few->closed, ==, all->closed);
          g_assert_cmpuint (few->n, <=, all->n);
          g_assert_cmpuint (few->n, >=, all->closed ? 3 : 2);
          g_assert_cmpmem (few->points, 2 * sizeof (double), all->points, 2 * sizeof (double));
          if (! all->closed)
            g_assert_cmpmem (&few->points[2 * few->n - 2], 2 * sizeof (double),
                             &all->points[2 * all->n - 2], 2 * sizeof (double));
          for (gsize k = 0; k < all->n; k++)
            g_assert_cmpfloat (distance_to (few, all->points[2 * k], all->points[2 * k + 1]),
                               <=, tolerance + 1e-9);
        }
    }
}

static void
assert_points (const Polyline *polyline,
               const double   *points,
               gsize           n)
{
  g_assert_cmpuint (polyline->n, ==, n);
  g_assert_cmpmem (polyline->points, n * 2 * sizeof (double), points, n * 2 * sizeof (double));
}

/* A square inside, two halves, and three basins that meet. */
static void
test_by_hand (void)
{
  static const double   loop[]   = { 2, 1, 5, 1, 5, 4, 2, 4 };
  static const double   border[] = { 3, 0, 3, HEIGHT };
  Picture               picture  = { 0 };
  g_autoptr (GPtrArray) inside   = NULL;
  g_autoptr (GPtrArray) halves   = NULL;
  g_autoptr (GPtrArray) three    = NULL;
  g_autoptr (GPtrArray) none     = trace (&picture, WIDTH, HEIGHT, 0);

  g_assert_cmpuint (none->len, ==, 0);

  for (int y = 1; y < 4; y++)
    for (int x = 2; x < 5; x++)
      picture.labels[y][x] = 7;
  inside = trace (&picture, WIDTH, HEIGHT, 0.75);
  g_assert_cmpuint (inside->len, ==, 1);
  g_assert_true (((Polyline *) inside->pdata[0])->closed);
  assert_points (inside->pdata[0], loop, 4);

  memset (&picture, 0, sizeof picture);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 3; x < WIDTH; x++)
      picture.labels[y][x] = 1;
  halves = trace (&picture, WIDTH, HEIGHT, 0);
  g_assert_cmpuint (halves->len, ==, 1);
  g_assert_false (((Polyline *) halves->pdata[0])->closed);
  assert_points (halves->pdata[0], border, 2);

  for (int x = 3; x < WIDTH; x++)
    for (int y = 5; y < HEIGHT; y++)
      picture.labels[y][x] = 2;
  three = trace (&picture, WIDTH, HEIGHT, 0);
  g_assert_cmpuint (three->len, ==, 3);
}

/* Simplified stairs are a straight line, and the outline of a single pixel remains. */
static void
test_stairs (void)
{
  Picture               picture    = { 0 };
  g_autoptr (GPtrArray) stairs     = NULL;
  g_autoptr (GPtrArray) pixel      = NULL;

  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      picture.labels[y][x] = x + y >= 8;
  stairs = trace (&picture, 8, 8, 0.75);
  g_assert_cmpuint (stairs->len, ==, 1);
  g_assert_cmpuint (((Polyline *) stairs->pdata[0])->n, <=, 4);
  g_assert_cmpfloat (distance_to (stairs->pdata[0], 4, 4), <=, 0.75);

  memset (&picture, 0, sizeof picture);
  picture.labels[3][3] = 1;
  pixel = trace (&picture, WIDTH, HEIGHT, 0.75);
  g_assert_cmpuint (pixel->len, ==, 1);
  g_assert_cmpuint (((Polyline *) pixel->pdata[0])->n, ==, 4);
}

/* Pixels of lines are given to adjacent basins, so that one boundary remains along each line. */
static void
test_close_lines (void)
{
  Picture               picture = { 0 };
  guint8                mask[HEIGHT][WIDTH];
  WfImage               image;
  WfImage               inside;
  g_autoptr (GPtrArray) once    = NULL;

  memset (mask, 1, sizeof mask);
  for (int y = 0; y < HEIGHT; y++)
    {
      for (int x = 0; x < WIDTH; x++)
        picture.labels[y][x] = x < 9 ? 4 : x > 9 ? 6 : 0;
      picture.labels[y][WIDTH - 1] = mask[y][WIDTH - 1] = 0;
    }
  g_assert_true (wf_image_init (&image, WF_TYPE_U32, WIDTH, HEIGHT, 1, picture.labels, NULL));
  g_assert_true (wf_image_init (&inside, WF_TYPE_U8, WIDTH, HEIGHT, 1, mask, NULL));
  wf_polylines_close_lines (&image, &inside);
  for (int y = 0; y < HEIGHT; y++)
    {
      g_assert_cmpuint (picture.labels[y][9], ==, 4);
      g_assert_cmpuint (picture.labels[y][WIDTH - 1], ==, 0);
    }
  once = trace (&picture, WIDTH, HEIGHT, 0);
  g_assert_cmpuint (once->len, ==, 2);

  wf_polylines_close_lines (&image, NULL);
  for (int y = 0; y < HEIGHT; y++)
    g_assert_cmpuint (picture.labels[y][WIDTH - 1], ==, 6);

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      picture.labels[y][x] = x < 9 ? 4 : x > 12 ? 6 : 0;
  wf_polylines_close_lines (&image, NULL);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpuint (picture.labels[y][x], ==, x < 11 ? 4 : 6);
  memset (&picture, 0, sizeof picture);
  wf_polylines_close_lines (&image, NULL);
  g_assert_cmpuint (picture.labels[1][1], ==, 0);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/polylines/exact", test_exact);
  g_test_add_func ("/polylines/simplified", test_simplified);
  g_test_add_func ("/polylines/by-hand", test_by_hand);
  g_test_add_func ("/polylines/stairs", test_stairs);
  g_test_add_func ("/polylines/close-lines", test_close_lines);
  return g_test_run ();
}
