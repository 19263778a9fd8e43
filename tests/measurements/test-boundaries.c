/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Boundaries between regions: polylines contain every edge between different labels exactly once,
 * and no other edges; marked pixels part the regions and are one pixel wide; masks, stacks and
 * strides; refusals; cancelling.
 */

#include <math.h>
#include <string.h>

#include <glib.h>

#include "tests/support/refusals.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

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
         gint64        slice,
         gpointer      data)
{
  Polyline *polyline = g_new (Polyline, 1);

  g_assert_cmpint (slice, ==, 0);
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
  g_assert_true (wf_boundaries_trace (NULL, &image, NULL, tolerance, collect, polylines, NULL));
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

/*  Masks and stacks  */

#define DEPTH 3

typedef struct
{
  guint32 labels[DEPTH][HEIGHT][WIDTH + 1];
  guint8  mask[DEPTH][HEIGHT][WIDTH + 2];
  WfImage image;
  WfImage inside;
} Stack;

static void
random_stack (Stack *stack)
{
  const int n = g_test_rand_int_range (1, 5);

  for (int z = 0; z < DEPTH; z++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        {
          stack->labels[z][y][x] = (guint32) g_test_rand_int_range (0, n);
          stack->mask[z][y][x]   = g_test_rand_int_range (0, 4) > 0 ? 255 : 0;
        }
  g_assert_true (wf_image_init (&stack->image, WF_TYPE_U32, WIDTH, HEIGHT, DEPTH, stack->labels,
                                NULL));
  g_assert_true (wf_image_init (&stack->inside, WF_TYPE_U8, WIDTH, HEIGHT, DEPTH, stack->mask,
                                NULL));
  stack->image.row_stride    = WIDTH + 1;
  stack->image.slice_stride  = HEIGHT * (WIDTH + 1);
  stack->inside.row_stride   = WIDTH + 2;
  stack->inside.slice_stride = HEIGHT * (WIDTH + 2);
}

/* Whether the pixels are different regions, both inside. */
static int
is_divided (const Stack *stack,
            gboolean     masked,
            int          z,
            int          y,
            int          x,
            int          v,
            int          u)
{
  if (u >= WIDTH || v >= HEIGHT || u < 0 || v < 0)
    return FALSE;
  return stack->labels[z][y][x] != stack->labels[z][v][u] &&
         (! masked || (stack->mask[z][y][x] && stack->mask[z][v][u]));
}

/* Of the polylines of slices, which have no more than ninety degrees. */
static void
walk_slice (const double *points,
            gsize         n_points,
            gboolean      closed,
            gint64        slice,
            gpointer      data)
{
  const Polyline polyline = { (double *) points, n_points, closed };

  g_assert_cmpint (slice, >=, 0);
  g_assert_cmpint (slice, <, DEPTH);
  walk (&polyline, (Edges *) data + slice);
}

static void
check_masked (const Stack *stack,
              gboolean     masked)
{
  Edges walked[DEPTH]   = { 0 };
  Edges expected[DEPTH] = { 0 };

  for (int z = 0; z < DEPTH; z++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        {
          expected[z].right[y][x] = is_divided (stack, masked, z, y, x, y - 1, x);
          expected[z].down[y][x]  = is_divided (stack, masked, z, y, x, y, x - 1);
        }
  g_assert_true (wf_boundaries_trace (NULL, &stack->image, masked ? &stack->inside : NULL, 0,
                                      walk_slice, walked, NULL));
  g_assert_cmpmem (walked, sizeof walked, expected, sizeof expected);
}

/* The definition, pixel by pixel; all rows at once, and some of them. */
static void
check_marks (const Stack *stack,
             gboolean     masked,
             gboolean     diagonals)
{
  const WfImage *mask   = masked ? &stack->inside : NULL;
  const int      n_rows = DEPTH * HEIGHT;
  const int      first  = g_test_rand_int_range (0, n_rows);
  guint8         expected[DEPTH * HEIGHT][WIDTH];
  guint8         marks[DEPTH * HEIGHT][WIDTH];
  WfImage        all;
  WfImage        some;

  for (int z = 0; z < DEPTH; z++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        expected[z * HEIGHT + y][x] =
          is_divided (stack, masked, z, y, x, y, x + 1) ||
          is_divided (stack, masked, z, y, x, y + 1, x) ||
          (diagonals && is_divided (stack, masked, z, y, x, y + 1, x + 1));

  g_assert_true (wf_image_init (&all, WF_TYPE_U8, WIDTH, HEIGHT, DEPTH, marks, NULL));
  memset (marks, 7, sizeof marks);
  wf_boundaries_mark (&stack->image, mask, 0, diagonals, &all);
  g_assert_cmpmem (marks, sizeof marks, expected, sizeof expected);

  g_assert_true (wf_image_init (&some, WF_TYPE_U8, WIDTH, n_rows - first, 1, marks, NULL));
  memset (marks, 7, sizeof marks);
  wf_boundaries_mark (&stack->image, mask, first, diagonals, &some);
  g_assert_cmpmem (marks, WIDTH * (n_rows - first), expected[first], WIDTH * (n_rows - first));
}

static void
test_masks (void)
{
  for (guint i = 0; i < test_count (60, 300); i++)
    {
      g_autofree Stack *stack = g_new0 (Stack, 1);

      random_stack (stack);
      for (int masked = 0; masked < 2; masked++)
        {
          check_masked (stack, masked);
          check_marks (stack, masked, FALSE);
          check_marks (stack, masked, TRUE);
        }
    }
}


/*  Marks  */

static void
mark (const Picture *picture,
      gboolean       diagonals,
      guint8         marks[HEIGHT][WIDTH])
{
  WfImage image;
  WfImage out;

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, WIDTH, HEIGHT, 1, (gpointer) picture->labels,
                                NULL));
  g_assert_true (wf_image_init (&out, WF_TYPE_U8, WIDTH, HEIGHT, 1, marks, NULL));
  wf_boundaries_mark (&image, NULL, 0, diagonals, &out);
}

/* Whether two pixels that are not marked belong to different regions. */
static gboolean
touches (const Picture *picture,
         guint8         marks[HEIGHT][WIDTH],
         int            x,
         int            y,
         int            dx,
         int            dy)
{
  const int u = x + dx;
  const int v = y + dy;

  return u >= 0 && u < WIDTH && v < HEIGHT && ! marks[y][x] && ! marks[v][u] &&
         picture->labels[y][x] != picture->labels[v][u];
}

static void
test_marks_part_regions (void)
{
  for (guint i = 0; i < test_count (200, 1000); i++)
    {
      Picture picture;

      random_picture (&picture, WIDTH, HEIGHT);
      for (int diagonals = 0; diagonals < 2; diagonals++)
        {
          guint8 marks[HEIGHT][WIDTH];

          mark (&picture, diagonals, marks);
          for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
              {
                g_assert_false (touches (&picture, marks, x, y, 1, 0));
                g_assert_false (touches (&picture, marks, x, y, 0, 1));
                g_assert_false (diagonals && touches (&picture, marks, x, y, 1, 1));
                g_assert_false (diagonals && touches (&picture, marks, x, y, -1, 1));
              }
        }
    }
}

/* Straight boundaries are one pixel wide and lie in the upper or left region; one whose only
 * neighbor in another region is across a corner is marked with diagonals only.
 */
static void
test_marks_by_hand (void)
{
  Picture picture;
  guint8  marks[HEIGHT][WIDTH];

  for (int diagonals = 0; diagonals < 2; diagonals++)
    {
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          picture.labels[y][x] = x < 4 ? 5 : 9;
      mark (&picture, diagonals, marks);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          g_assert_cmpuint (marks[y][x], ==, x == 3);

      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          picture.labels[y][x] = y < 3 ? 5 : 0;
      mark (&picture, diagonals, marks);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          g_assert_cmpuint (marks[y][x], ==, y == 2);

      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          picture.labels[y][x] = x >= 4 && y >= 3 ? 9 : 5;
      mark (&picture, diagonals, marks);
      g_assert_cmpuint (marks[2][3], ==, diagonals);
      g_assert_cmpuint (marks[2][4], ==, 1);
      g_assert_cmpuint (marks[3][3], ==, 1);
      g_assert_cmpuint (marks[2][2], ==, 0);
    }
}


/*  Refusals  */

static void
ignore (const double *points,
        gsize         n_points,
        gboolean      closed,
        gint64        slice,
        gpointer      data)
{
}

static void
test_refusals (void)
{
  g_autofree Stack         *stack     = g_new0 (Stack, 1);
  g_autoptr (WfContext)     context   = wf_context_new ();
  g_autoptr (GCancellable)  cancelled = g_cancellable_new ();
  WfImage                   image;
  WfImage                   mask;

  random_stack (stack);
  image      = stack->image;
  image.type = WF_TYPE_F32;
  assert_refused (wf_boundaries_trace (NULL, &image, NULL, 0, ignore, NULL, &refusal),
                  WF_ERROR_INVALID);
  mask       = stack->inside;
  mask.type  = WF_TYPE_U16;
  assert_refused (wf_boundaries_trace (NULL, &stack->image, &mask, 0, ignore, NULL, &refusal),
                  WF_ERROR_INVALID);
  mask       = stack->inside;
  mask.depth = 1;
  assert_refused (wf_boundaries_trace (NULL, &stack->image, &mask, 0, ignore, NULL, &refusal),
                  WF_ERROR_INVALID);
  wf_context_set_memory_limit (context, 100);
  assert_refused (wf_boundaries_trace (context, &stack->image, NULL, 0, ignore, NULL, &refusal),
                  WF_ERROR_MEMORY);
  wf_context_set_memory_limit (context, 0);
  g_cancellable_cancel (cancelled);
  wf_context_set_cancellable (context, cancelled);
  assert_refused_with (wf_boundaries_trace (context, &stack->image, NULL, 0, ignore, NULL,
                                            &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Cancels from the progress of the work. */
static void
cancel (double   fraction,
        gpointer cancellable)
{
  if (fraction > 0)
    g_cancellable_cancel (cancellable);
}

static void
test_cancelled (void)
{
  const gint64              side        = 4000;
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_auto (WfImage)          labels      = { 0 };

  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, side, side, 1, NULL));
  for (gint64 i = 0; i < side * side; i++)
    ((guint32 *) labels.data)[i] = (guint32) (i % side / 8 + i / side / 8 * 1000);
  wf_context_set_cancellable (context, cancellable);
  wf_context_set_progress (context, cancel, cancellable);
  assert_refused_with (wf_boundaries_trace (context, &labels, NULL, 0.75, ignore, NULL, &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/boundaries/exact", test_exact);
  g_test_add_func ("/boundaries/simplified", test_simplified);
  g_test_add_func ("/boundaries/by-hand", test_by_hand);
  g_test_add_func ("/boundaries/stairs", test_stairs);
  g_test_add_func ("/boundaries/masks", test_masks);
  g_test_add_func ("/boundaries/marks/part-regions", test_marks_part_regions);
  g_test_add_func ("/boundaries/marks/by-hand", test_marks_by_hand);
  g_test_add_func ("/boundaries/refusals", test_refusals);
  g_test_add_func ("/boundaries/cancelled", test_cancelled);
  return g_test_run ();
}
