/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Objects within limits: each pixel is looked at for itself, by the definitions at the top of
 * objects.c; labels that are left out, and lines beside what is left; the same for all numbers of
 * threads; refusals; cancelling.
 */

#include <math.h>
#include <string.h>

#include "region-cases.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* Labels of a case may be any numbers: these are looked up, one for each pixel. */
typedef struct
{
  RegionCase  c;
  WfImage     mask;
  WfImage    *with_mask;
  gint64      n_pixels;
} Case;

static void
case_clear (Case *c)
{
  region_case_clear (&c->c);
  wf_image_clear (&c->mask);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
case_init (Case     *c,
           gboolean  stack)
{
  *c = (Case) { 0 };
  region_case_make (&c->c, (RegionLayout) g_test_rand_int_range (0, N_LAYOUTS), stack);
  if (! c->c.image.data)
    region_case_make_levels (&c->c);
  c->n_pixels = wf_image_n_pixels (&c->c.labels);
  if (g_test_rand_bit ())
    return;
  g_assert_true (wf_image_allocate (&c->mask, WF_TYPE_U8, c->c.labels.width, c->c.labels.height,
                                    c->c.labels.depth, NULL));
  for (gint64 p = 0; p < c->n_pixels; p++)
    ((guint8 *) c->mask.data)[p] = g_test_rand_int_range (0, 40) ? 255 : 0;
  c->with_mask = &c->mask;
}

static guint32
label_at (const Case *c,
          gint64      x,
          gint64      y,
          gint64      z)
{
  const WfImage *labels = &c->c.labels;

  return ((const guint32 *) labels->data)[(z * labels->height + y) * labels->width + x];
}


/*  The definitions  */

/* Whether a neighbor of a pixel is outside of the image, or not selected. */
static gboolean
is_at_edge (const Case *c,
            gint64      x,
            gint64      y,
            gint64      z)
{
  const WfImage *labels   = &c->c.labels;
  const gint64   sides[]  = { labels->width, labels->height, labels->depth };
  const int      n_axes   = labels->depth > 1 ? 3 : 2;

  for (int axis = 0; axis < n_axes; axis++)
    for (int step = -1; step <= 1; step += 2)
      {
        gint64 at[] = { x, y, z };

        at[axis] += step;
        if (at[axis] < 0 || at[axis] >= sides[axis])
          return TRUE;
        if (c->with_mask && ((const guint8 *) c->mask.data)
                            [(at[2] * sides[1] + at[1]) * sides[0] + at[0]] == 0)
          return TRUE;
      }
  return FALSE;
}

static gboolean
is_within (double value,
           double least,
           double greatest)
{
  return (isnan (least) || value >= least) && (isnan (greatest) || value <= greatest);
}

/* Whether the object of a label is kept; @mean and @circularity are measured elsewhere. */
static gboolean
is_kept (const Case            *c,
         guint32                label,
         double                 mean,
         double                 circularity,
         const WfObjectOptions *limits)
{
  gint64   area    = 0;
  gboolean at_edge = FALSE;

  for (gint64 z = 0; z < c->c.labels.depth; z++)
    for (gint64 y = 0; y < c->c.labels.height; y++)
      for (gint64 x = 0; x < c->c.labels.width; x++)
        if (label_at (c, x, y, z) == label)
          {
            area++;
            at_edge |= is_at_edge (c, x, y, z);
          }
  return ! (limits->inside && at_edge) &&
         is_within ((double) area, limits->min_area, limits->max_area) &&
         is_within (mean, limits->min_mean, limits->max_mean) &&
         is_within (circularity, limits->min_circularity, limits->max_circularity);
}


/*  Random cases  */

static double
random_limit (const double *values,
              gint64        n)
{
  if (n == 0 || g_test_rand_bit ())
    return NAN;
  return MAX (values[g_test_rand_int_range (0, (gint) n)], 0);
}

static void
random_limits (const WfObjects *objects,
               WfObjectOptions *limits)
{
  const gint64  n           = wf_regions_get_n_regions (wf_objects_get_regions (objects));
  const double *circularity = wf_objects_get_values (objects, "circularity");

  wf_option_group_init (wf_objects_get_options (), limits);
  limits->min_area = random_limit (wf_objects_get_values (objects, "pixels"), n);
  limits->max_area = random_limit (wf_objects_get_values (objects, "pixels"), n);
  limits->min_mean = random_limit (wf_objects_get_values (objects, "mean"), n);
  limits->max_mean = random_limit (wf_objects_get_values (objects, "mean"), n);
  if (circularity)
    {
      limits->min_circularity = random_limit (circularity, n);
      limits->max_circularity = random_limit (circularity, n);
    }
  limits->inside = g_test_rand_bit ();
}

static WfContext *
new_context (void)
{
  const WfContextOptions options = { sizeof options, "cpu", g_test_rand_int_range (1, 5), 0, 0 };
  WfContext             *context = wf_context_new ();

  g_assert_true (wf_context_configure (context, &options, NULL));
  return context;
}

/* The new label of each pixel is the number of objects kept up to its own. */
static void
check_labels (const Case    *c,
              WfContext     *context,
              const double  *labels,
              const guint8  *kept,
              gint64         n,
              gint64         n_kept)
{
  g_auto (WfImage) out = { 0 };
  guint32          n_regions;
  GError          *error = NULL;

  g_assert_true (wf_image_allocate (&out, WF_TYPE_U32, c->c.labels.width, c->c.labels.height,
                                    c->c.labels.depth, NULL));
  wf_labels_keep (context, &c->c.labels, &out, kept, n, &n_regions, &error);
  g_assert_no_error (error);
  g_assert_cmpint (n_regions, ==, n_kept);
  for (gint64 p = 0; p < c->n_pixels; p++)
    {
      const guint32 label    = ((const guint32 *) c->c.labels.data)[p];
      guint32       expected = 0;
      gboolean      stays    = FALSE;

      for (gint64 i = 0; i < n && label != 0 && labels[i] <= label; i++)
        {
          expected += kept[i];
          stays     = kept[i];
        }
      g_assert_cmpuint (((const guint32 *) out.data)[p], ==, stays ? expected : 0);
    }
}

/* Only the lines of the table that are kept are there, numbered. */
static void
check_list (const WfObjects *objects,
            const guint8    *kept,
            gint64           n_kept)
{
  const WfRegions       *all  = wf_objects_get_regions (objects);
  g_autoptr (WfRegions)  list = wf_objects_list_kept (objects, kept);

  g_assert_cmpint (wf_regions_get_n_regions (list), ==, n_kept);
  g_assert_cmpuint (wf_regions_get_n_columns (list), ==, wf_regions_get_n_columns (all));
  for (guint column = 0; column < wf_regions_get_n_columns (all); column++)
    {
      const double *from = wf_regions_get_values (all, column);
      const double *to   = wf_regions_get_values (list, column);
      gint64        line = 0;

      g_assert_true (wf_regions_get_column (list, column) == wf_regions_get_column (all, column));
      for (gint64 i = 0; i < wf_regions_get_n_regions (all); i++)
        if (kept[i])
          {
            const double expected = column == 0 ? (double) (line + 1) : from[i];

            g_assert_true (memcmp (&to[line], &expected, sizeof expected) == 0);
            line++;
          }
    }
}

/* All lines, with the labels that they have. */
static void
check_all (const WfObjects *objects)
{
  const WfRegions       *all  = wf_objects_get_regions (objects);
  g_autoptr (WfRegions)  list = wf_objects_list_kept (objects, NULL);
  const gint64           n    = wf_regions_get_n_regions (all);

  g_assert_cmpint (wf_regions_get_n_regions (list), ==, n);
  for (guint column = 0; column < wf_regions_get_n_columns (all); column++)
    g_assert_true (memcmp (wf_regions_get_values (list, column),
                           wf_regions_get_values (all, column), (gsize) n * sizeof (double)) == 0);
}

static void
run_case (gboolean stack)
{
  g_auto (Case)          c        = { 0 };
  g_autoptr (WfContext)  context  = new_context ();
  g_autoptr (WfObjects)  objects  = NULL;
  g_autoptr (WfRegions)  regions  = NULL;
  g_autofree guint8     *kept     = NULL;
  const double          *circularity;
  const double          *mean     = NULL;
  gint64                 n;
  gint64                 n_kept   = 0;
  WfObjectOptions        limits;
  GError                *error    = NULL;

  case_init (&c, stack);
  objects = wf_objects_measure (context, &c.c.labels, &c.c.image, c.with_mask,
                                1 << WF_REGION_CENTROID, &c.c.options, &error);
  g_assert_no_error (error);
  regions = wf_regions_measure (context, &c.c.labels, &c.c.image, 1 << WF_REGION_MEAN,
                                &c.c.options, &error);
  g_assert_no_error (error);
  n    = wf_regions_get_n_regions (regions);
  mean = wf_regions_get_values (regions, 1);
  g_assert_cmpint (wf_regions_get_n_regions (wf_objects_get_regions (objects)), ==, n);
  g_assert_nonnull (wf_objects_get_values (objects, "centroid_x"));
  g_assert_null (wf_objects_get_values (objects, "feret_max"));
  circularity = wf_objects_get_values (objects, "circularity");
  g_assert_true (stack == (circularity == NULL));

  random_limits (objects, &limits);
  kept = g_new (guint8, n + 1);
  n_kept = wf_objects_choose (objects, &limits, kept, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    {
      const guint32 label = (guint32) wf_regions_get_values (regions, 0)[i];

      g_assert_cmpuint (kept[i], ==,
                        is_kept (&c, label, mean[i], circularity ? circularity[i] : 0, &limits));
      n_kept -= kept[i];
    }
  g_assert_cmpint (n_kept, ==, 0);
  for (gint64 i = 0; i < n; i++)
    n_kept += kept[i];
  check_labels (&c, context, wf_regions_get_values (regions, 0), kept, n, n_kept);
  check_list (objects, kept, n_kept);
  check_all (objects);
}

static void
test_random (gconstpointer data)
{
  for (guint i = 0; i < test_count (120, 1200); i++)
    run_case (data != NULL);
}


/*  Lines  */

/* A line is beside an object if one of the pixels around it has a label. */
static void
check_lines (int width,
             int height,
             int depth)
{
  g_auto (WfImage) labels = { 0 };
  g_auto (WfImage) inside = { 0 };
  g_auto (WfImage) lines  = { 0 };
  const gint64     n      = (gint64) width * height * depth;
  guint32         *label;
  g_autofree guint8 *was  = g_new (guint8, n);

  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, width, height, depth, NULL));
  g_assert_true (wf_image_allocate (&inside, WF_TYPE_U8, width, height, depth, NULL));
  g_assert_true (wf_image_allocate (&lines, WF_TYPE_U8, width, height, depth, NULL));
  label = labels.data;
  for (gint64 p = 0; p < n; p++)
    {
      label[p] = g_test_rand_int_range (0, 3) ? 0 : 1 + g_test_rand_int_range (0, 3);
      ((guint8 *) inside.data)[p] = g_test_rand_bit () ? 7 : 0;
    }
  wf_objects_mark_lines (&labels, &inside, &lines);
  for (gint64 p = 0; p < n; p++)
    {
      was[p] = label[p] == 0 && ((guint8 *) inside.data)[p];
      g_assert_cmpuint (((guint8 *) lines.data)[p], ==, was[p]);
      label[p] = label[p] == 2 ? 1 : 0;
    }
  wf_objects_trim_lines (&labels, &lines);
  for (gint64 p = 0; p < n; p++)
    {
      gboolean beside = FALSE;

      for (gint64 q = 0; q < n; q++)
        beside |= label[q] &&
                  ABS (p % width - q % width) <= 1 &&
                  ABS (p / width % height - q / width % height) <= 1 &&
                  ABS (p / width / height - q / width / height) <= 1;
      g_assert_cmpuint (((guint8 *) lines.data)[p], ==, label[p] || (was[p] && beside));
    }
}

static void
test_lines (void)
{
  for (guint i = 0; i < test_count (40, 400); i++)
    check_lines (g_test_rand_int_range (1, 12), g_test_rand_int_range (1, 9),
                 g_test_rand_bit () ? 1 : g_test_rand_int_range (1, 5));
}


/*  What is known  */

/* Three objects: 1 at the left edge, 5 a square of 9 pixels, 9 a single bright pixel. */
static void
test_example (void)
{
  guint32          pixels[] = { 0, 0, 0, 0, 0, 0, 0, 0,
                                1, 0, 5, 5, 5, 0, 0, 0,
                                1, 0, 5, 5, 5, 0, 9, 0,
                                0, 0, 5, 5, 5, 0, 0, 0,
                                0, 0, 0, 0, 0, 0, 0, 0 };
  const guint32    without_edge[] = { 0, 0, 0, 0, 0, 0, 0, 0,
                                      0, 0, 1, 1, 1, 0, 0, 0,
                                      0, 0, 1, 1, 1, 0, 2, 0,
                                      0, 0, 1, 1, 1, 0, 0, 0,
                                      0, 0, 0, 0, 0, 0, 0, 0 };
  guint8           levels[G_N_ELEMENTS (pixels)];
  guint8           kept[3];
  WfImage          labels;
  WfImage          image;
  WfObjectOptions  limits;
  guint32          n_regions;
  g_autoptr (WfObjects) objects = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (pixels); i++)
    levels[i] = pixels[i] == 9 ? 200 : 10;
  g_assert_true (wf_image_init (&labels, WF_TYPE_U32, 8, 5, 1, pixels, NULL));
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 8, 5, 1, levels, NULL));
  objects = wf_objects_measure (NULL, &labels, &image, NULL, 0, NULL, NULL);
  wf_option_group_init (wf_objects_get_options (), &limits);
  g_assert_false (wf_objects_are_limited (&limits));
  g_assert_cmpint (wf_objects_choose (objects, &limits, kept, NULL), ==, 3);

  limits.min_area = 2;
  g_assert_true (wf_objects_are_limited (&limits));
  g_assert_cmpint (wf_objects_choose (objects, &limits, kept, NULL), ==, 2);
  g_assert_true (kept[0] && kept[1] && ! kept[2]);
  limits.max_area = 8;
  g_assert_cmpint (wf_objects_choose (objects, &limits, kept, NULL), ==, 1);
  limits.min_area = limits.max_area = NAN;
  limits.min_mean = 200;
  g_assert_cmpint (wf_objects_choose (objects, &limits, kept, NULL), ==, 1);
  g_assert_true (kept[2]);
  limits.min_mean = NAN;
  limits.inside   = TRUE;
  g_assert_cmpint (wf_objects_choose (objects, &limits, kept, NULL), ==, 2);
  g_assert_false (kept[0]);
  g_assert_true (wf_labels_keep (NULL, &labels, &labels, kept, 3, &n_regions, NULL));
  g_assert_cmpuint (n_regions, ==, 2);
  g_assert_cmpmem (pixels, sizeof pixels, without_edge, sizeof without_edge);
}


/*  Refusals  */

static void
test_refusals (void)
{
  g_auto (Case)         stack   = { 0 };
  g_autoptr (WfObjects) objects = NULL;
  g_autoptr (WfObjects) none    = NULL;
  g_autofree guint8    *kept    = NULL;
  g_auto (WfImage)      small   = { 0 };
  WfObjectOptions       limits;
  gint64                n;

  do
    {
      case_clear (&stack);
      case_init (&stack, TRUE);
    }
  while (stack.c.labels.depth == 1);
  objects = wf_objects_measure (NULL, &stack.c.labels, NULL, NULL, 0, NULL, NULL);
  n       = wf_regions_get_n_regions (wf_objects_get_regions (objects));
  kept    = g_new0 (guint8, n + 2);
  wf_option_group_init (wf_objects_get_options (), &limits);
  limits.min_circularity = 0;
  assert_refused (wf_objects_choose (objects, &limits, kept, &refusal) >= 0, WF_ERROR_INVALID);
  limits.min_circularity = NAN;
  limits.max_mean = 3;
  assert_refused (wf_objects_choose (objects, &limits, kept, &refusal) >= 0, WF_ERROR_INVALID);
  limits.max_mean = NAN;
  limits.min_area = -1;
  assert_refused (wf_objects_choose (objects, &limits, kept, &refusal) >= 0, WF_ERROR_INVALID);

  assert_refused (wf_labels_keep (NULL, &stack.c.labels, &stack.c.labels, kept, n + 1, NULL,
                                  &refusal), WF_ERROR_LABELS);
  if (n > 0)
    assert_refused (wf_labels_keep (NULL, &stack.c.labels, &stack.c.labels, kept, n - 1, NULL,
                                    &refusal), WF_ERROR_LABELS);
  g_assert_true (wf_image_allocate (&small, WF_TYPE_U8, 1, 1, 1, NULL));
  none = wf_objects_measure (NULL, &stack.c.labels, NULL, &small, 0, NULL, NULL);
  g_assert_null (none);
}

static void
cancel (double   fraction,
        gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

static void
test_cancelled (void)
{
  g_autoptr (WfContext)    context     = new_context ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (WfObjects)    objects     = NULL;
  g_autoptr (GError)       error       = NULL;
  g_auto (WfImage)         labels      = { 0 };

  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, 500, 500, 1, NULL));
  for (gint64 p = 0; p < wf_image_n_pixels (&labels); p++)
    ((guint32 *) labels.data)[p] = (guint32) (p / 3);
  wf_context_set_cancellable (context, cancellable);
  wf_context_set_progress (context, cancel, cancellable);
  objects = wf_objects_measure (context, &labels, NULL, NULL, 0, NULL, &error);
  g_assert_null (objects);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
cancel_at_end (double   fraction,
               gpointer cancellable)
{
  if (fraction >= 1)
    g_cancellable_cancel (cancellable);
}

/* The mask is read after the measuring. */
static void
test_cancelled_in_mask (void)
{
  g_autoptr (WfContext)    context     = new_context ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (WfObjects)    objects     = NULL;
  g_autoptr (GError)       error       = NULL;
  g_auto (WfImage)         labels      = { 0 };
  g_auto (WfImage)         mask        = { 0 };

  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, 500, 500, 1, NULL));
  g_assert_true (wf_image_allocate (&mask, WF_TYPE_U8, 500, 500, 1, NULL));
  for (gint64 p = 0; p < wf_image_n_pixels (&labels); p++)
    {
      ((guint32 *) labels.data)[p] = (guint32) (p / 3);
      ((guint8 *) mask.data)[p]    = p % 7 != 0;
    }
  wf_context_set_cancellable (context, cancellable);
  wf_context_set_progress (context, cancel_at_end, cancellable);
  objects = wf_objects_measure (context, &labels, NULL, &mask, 0, NULL, &error);
  g_assert_true (g_cancellable_is_cancelled (cancellable));
  g_assert_null (objects);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_data_func ("/objects/random/images", NULL, test_random);
  g_test_add_data_func ("/objects/random/stacks", GINT_TO_POINTER (1), test_random);
  g_test_add_func ("/objects/lines", test_lines);
  g_test_add_func ("/objects/example", test_example);
  g_test_add_func ("/objects/refusals", test_refusals);
  g_test_add_func ("/objects/cancelled", test_cancelled);
  g_test_add_func ("/objects/cancelled-in-mask", test_cancelled_in_mask);

  return g_test_run ();
}
