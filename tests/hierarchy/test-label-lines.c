/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the lines of a watershed separate: each row against wf_hierarchy_relabel(), step by step of
 * merges in random order; what is left out, against the definition; by hand; refusals.
 */

#include <string.h>

#include "tests/support/guarded-image.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/scene.h"
#include "tests/support/tiers.h"

#define HIGHEST  40
#define LEFT_OUT 0xfffffff0u

/**
 * Case:
 * @regions: of each basin its region
 * @map: of each label its region
 */
typedef struct
{
  RefSize       size;
  int           connectivity;
  GuardedImage *labels;
  WfHierarchy  *hierarchy;
  WfLabelLines *lines;
  guint32       n_basins;
  guint32       regions[HIGHEST];
  guint32       map[HIGHEST + 1];
} Case;


static void
case_clear (Case *test)
{
  guarded_image_free (test->labels);
  wf_hierarchy_unref (test->hierarchy);
  wf_label_lines_free (test->lines);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* Few labels, with gaps between them, and from few to many pixels without one. */
static void
fill_labels (guint32 *labels,
             gint64   n)
{
  const int n_labels = g_test_rand_int_range (1, 9);
  const int share    = g_test_rand_int_range (1, 10);
  guint32   palette[9];

  for (int i = 0; i < n_labels; i++)
    palette[i] = (guint32) g_test_rand_int_range (1, HIGHEST + 1);
  for (gint64 i = 0; i < n; i++)
    labels[i] = g_test_rand_int_range (0, 10) < share
                ? 0 : palette[g_test_rand_int_range (0, n_labels)];
  labels[g_test_rand_int_range (0, (gint32) n)] = palette[0];
}

static void
case_init (Case *test)
{
  g_autofree guint32       *labels  = NULL;
  g_autofree double        *levels  = NULL;
  g_autoptr (GuardedImage)  image   = NULL;
  g_autoptr (WfContext)     context = wf_context_new ();
  WfContextOptions          options;
  GError                   *error   = NULL;
  gint64                    n;

  random_size (&test->size);
  n      = ref_n_pixels (&test->size);
  labels = g_new (guint32, n);
  levels = g_new0 (double, n);
  fill_labels (labels, n);
  test->connectivity = random_connectivity (&test->size);
  test->labels       = guarded_image_new_labels (&test->size, labels);
  image              = guarded_image_new_levels (WF_TYPE_U8, &test->size, levels);
  test->hierarchy    = new_hierarchy (NULL, image, test->labels, WF_MEASURE_AREA,
                                      test->connectivity);
  wf_option_group_init (wf_context_get_options (), &options);
  options.threads = g_test_rand_int_range (1, 4);
  g_assert_true (wf_context_configure (context, &options, NULL));
  test->lines        = wf_label_lines_new (context, &test->labels->view, test->connectivity,
                                           &error);
  g_assert_no_error (error);
  g_assert_true (guarded_image_is_guarded (test->labels));
  test->n_basins = wf_hierarchy_get_n_basins (test->hierarchy);
  memset (test->map, 0, sizeof test->map);
  for (guint32 i = 0; i < test->n_basins; i++)
    test->regions[i] = i + 1;
}

static void
set_map (Case *test)
{
  for (guint32 i = 0; i < test->n_basins; i++)
    test->map[wf_hierarchy_get_label (test->hierarchy, i)] = test->regions[i];
}

/* What wf_label_lines_join() makes of all rows, packed. */
static guint32 *
join_rows (const Case *test)
{
  const gint64  width  = test->size.width;
  guint32      *joined = g_new (guint32, ref_n_pixels (&test->size));

  for (gint64 row = 0; row < test->size.height * test->size.depth; row++)
    {
      for (gint64 x = 0; x < width; x++)
        joined[row * width + x] = test->map[guarded_image_get_label (test->labels,
                                                                     row * width + x)];
      wf_label_lines_join (test->lines, row, test->map, joined + row * width);
    }
  return joined;
}

static guint32 *
relabel (const Case *test)
{
  const gint64     n      = ref_n_pixels (&test->size);
  guint32         *pixels = g_new (guint32, n);
  g_auto (WfImage) out    = { 0 };

  g_assert_true (wf_image_allocate (&out, WF_TYPE_U32, test->size.width, test->size.height,
                                    test->size.depth, NULL));
  g_assert_true (wf_hierarchy_relabel (NULL, test->hierarchy, test->regions, &test->labels->view,
                                       &out, NULL));
  memcpy (pixels, out.data, (gsize) n * sizeof *pixels);
  return pixels;
}

/* Joins two regions, any. */
static void
merge (Case *test)
{
  const guint32 from = test->regions[g_test_rand_int_range (0, (gint32) test->n_basins)];
  const guint32 to   = test->regions[g_test_rand_int_range (0, (gint32) test->n_basins)];

  for (guint32 i = 0; i < test->n_basins; i++)
    if (test->regions[i] == from)
      test->regions[i] = to;
}

static gboolean
is_beside_region (const RefSize *size,
                  const guint32 *regions,
                  gint64         at)
{
  const gint64 x0 = at % size->width;
  const gint64 y0 = at / size->width % size->height;
  const gint64 z0 = at / size->width / size->height;

  for (gint64 z = 0; z < size->depth; z++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 x = 0; x < size->width; x++)
        {
          const guint32 region = regions[(z * size->height + y) * size->width + x];

          if (ABS (x - x0) <= 1 && ABS (y - y0) <= 1 && ABS (z - z0) <= 1 && region != 0 &&
              region != LEFT_OUT)
            return TRUE;
        }
  return FALSE;
}

/* A region is left out, as the preview of a watershed's objects does it. */
static void
check_trimmed (Case *test)
{
  const gint64        n     = ref_n_pixels (&test->size);
  const gint64        width = test->size.width;
  const guint32       out   = test->regions[g_test_rand_int_range (0, (gint32) test->n_basins)];
  g_autofree guint32 *regions  = NULL;
  g_autofree guint32 *expected = NULL;

  for (guint32 label = 0; label <= HIGHEST; label++)
    if (test->map[label] == out)
      test->map[label] = LEFT_OUT;
  regions  = join_rows (test);
  expected = g_memdup2 (regions, (gsize) n * sizeof *regions);
  for (gint64 i = 0; i < n; i++)
    if (regions[i] == 0 && ! is_beside_region (&test->size, regions, i))
      expected[i] = LEFT_OUT;
  for (gint64 row = 0; row < test->size.height * test->size.depth; row++)
    wf_label_lines_trim (test->lines, &test->labels->view, row, test->map, LEFT_OUT,
                         regions + row * width);
  g_assert_cmpmem (regions, (gsize) n * sizeof *regions, expected, (gsize) n * sizeof *expected);
}

static void
test_random (void)
{
  for (guint i = 0; i < test_count (150, 1000); i++)
    {
      g_auto (Case) test = { 0 };

      case_init (&test);
      for (guint32 step = 0; step < 2 * test.n_basins; step++)
        {
          g_autofree guint32 *joined   = NULL;
          g_autofree guint32 *expected = relabel (&test);
          const gsize         size     = (gsize) ref_n_pixels (&test.size) * sizeof (guint32);

          set_map (&test);
          joined = join_rows (&test);
          g_assert_cmpmem (joined, size, expected, size);
          merge (&test);
        }
      set_map (&test);
      check_trimmed (&test);
    }
}

/* A line of two pixels between two basins, and a single pixel in the first: the line belongs to
 * both once they are one; the pixel, which touches one basin only, never does.
 */
static void
test_by_hand (void)
{
  guint32                   labels[3][7] = { { 5, 5, 5, 0, 0, 9, 9 },
                                  { 5, 0, 5, 0, 0, 9, 9 },
                                  { 5, 5, 5, 0, 0, 9, 9 } };
  const guint32             joined[7] = { 0, 0, 0, 2, 2, 0, 0 };
  const guint32             map[]     = { 0, 0, 0, 0, 0, 2, 0, 0, 0, 2 };
  const guint32             apart[]   = { 0, 0, 0, 0, 0, 1, 0, 0, 0, 2 };
  g_autoptr (WfLabelLines)  lines     = NULL;
  WfImage                   image;

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, 7, 3, 1, labels, NULL));
  lines = wf_label_lines_new (NULL, &image, 0, NULL);
  g_assert_nonnull (lines);
  for (int row = 0; row < 3; row++)
    {
      guint32 regions[7] = { 0 };

      wf_label_lines_join (lines, row, apart, regions);
      for (int x = 0; x < 7; x++)
        g_assert_cmpuint (regions[x], ==, 0);
      wf_label_lines_join (lines, row, map, regions);
      g_assert_cmpmem (regions, sizeof regions, joined, sizeof joined);
    }
}

static void
test_refusals (void)
{
  guint32                   labels[12]  = { 1, 0, 2 };
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  WfLabelLines             *lines;
  WfImage                   image;
  WfImage                   bytes;

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, 4, 3, 1, labels, NULL));
  g_assert_true (wf_image_init (&bytes, WF_TYPE_U8, 4, 3, 1, labels, NULL));
  assert_refused ((lines = wf_label_lines_new (NULL, &bytes, 8, &refusal)) != NULL,
                  WF_ERROR_INVALID);
  assert_refused ((lines = wf_label_lines_new (NULL, &image, 6, &refusal)) != NULL,
                  WF_ERROR_INVALID);
  g_cancellable_cancel (cancellable);
  wf_context_set_cancellable (context, cancellable);
  assert_refused_with ((lines = wf_label_lines_new (context, &image, 8, &refusal)) != NULL,
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wf_label_lines_free (NULL);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/label-lines/random", test_random);
  g_test_add_func ("/label-lines/by-hand", test_by_hand);
  g_test_add_func ("/label-lines/refusals", test_refusals);
  return g_test_run ();
}
