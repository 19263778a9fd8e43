/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Components of bands, on each device: their labels are those of an image of the band's size, and
 * the finish replaces them by any numbers.
 */

#include <math.h>
#include <string.h>

#include "tests/support/tiers.h"
#include "tests/support/variant-run.h"

typedef struct
{
  WfLabelTask task;
  WfImage     image;
  WfImage     labels;
  guint32     n_labels;
} Labels;

static void
labels_init (Labels        *labels,
             WfType         type,
             const WfShape *shape,
             int            connectivity)
{
  *labels = (Labels) { 0 };
  g_assert_true (wf_image_allocate (&labels->image, type, shape->width, shape->height,
                                    shape->depth, NULL));
  g_assert_true (wf_image_allocate (&labels->labels, WF_TYPE_U32, shape->width, shape->height,
                                    shape->depth, NULL));
  labels->task = (WfLabelTask) { .shape = *shape, .connectivity = connectivity, .threshold = NAN,
                                 .image = &labels->image, .labels = &labels->labels,
                                 .n_components = &labels->n_labels };
}

static void
labels_clear (Labels *labels)
{
  wf_image_clear (&labels->image);
  wf_image_clear (&labels->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Labels, labels_clear)

/* From no to all pixels at random, in stripes, or in spirals of few runs. */
static void
fill_image (WfImage *image)
{
  const int    every  = 1 << g_test_rand_int_range (0, 8);
  const int    period = g_test_rand_int_range (1, 9);
  const int    kind   = g_test_rand_int_range (0, 4);
  const gint64 n      = wf_image_n_pixels (image);

  for (gint64 p = 0; p < n; p++)
    {
      const gint64 x      = p % image->width;
      const gint64 y      = p / image->width;
      gboolean     inside = g_test_rand_int_range (0, every) == 0;

      if (kind == 1)
        inside = ! inside;
      else if (kind == 2)
        inside = x % period == 0 || y % (period + 3) == 0;
      else if (kind == 3)
        inside = (x + y) % 2 == 0 && ! inside;
      if (image->type == WF_TYPE_U8)
        ((guint8 *) image->data)[p] = inside ? 255 : 0;
      else if (image->type == WF_TYPE_U16)
        ((guint16 *) image->data)[p] = inside ? 1 : 0;
      else
        ((float *) image->data)[p] = inside ? -0.25f : 0;
    }
}

static void
run_task (const VariantDevice *device,
          const WfLabelTask   *task)
{
  g_autoptr (GError) error   = NULL;
  const WfVariant   *variant = variant_find (device, WF_OPERATION_LABEL, NULL, task);

  g_assert_nonnull (variant);
  g_assert_true (variant_run (device, variant, task, NULL, &error));
  g_assert_no_error (error);
}

/* @expected: the labels of the band by itself.  One of the rims may not be wanted. */
static void
check_summary (const VariantDevice *device,
               const Labels        *expected,
               gint64               rim_rows)
{
  const gint64         n       = rim_rows * expected->image.width;
  const guint32       *labels  = expected->labels.data;
  const gint64         last    = wf_image_n_pixels (&expected->image) - n;
  g_autofree guint32  *first   = g_new0 (guint32, n);
  g_autofree guint32  *second  = g_new0 (guint32, n);
  guint32              found   = 0;
  WfLabelBand          band    = { .rim_rows = rim_rows, .rims = { first, second } };
  WfLabelTask          task    = expected->task;

  if (g_test_rand_int_range (0, 5) == 0)
    band.rims[g_test_rand_bit ()] = NULL;
  task.labels       = NULL;
  task.n_components = &found;
  task.band         = &band;
  run_task (device, &task);
  g_assert_cmpuint (found, ==, expected->n_labels);
  if (band.rims[0])
    g_assert_cmpmem (first, n * sizeof *first, labels, n * sizeof *labels);
  if (band.rims[1])
    g_assert_cmpmem (second, n * sizeof *second, labels + last, n * sizeof *labels);
}

static void
check_finish (const VariantDevice *device,
              const Labels        *expected,
              gint64               rim_rows)
{
  const guint32        n         = expected->n_labels;
  const guint32       *labels    = expected->labels.data;
  g_autofree guint32  *number_of = g_new0 (guint32, (gsize) n + 1);
  g_auto (Labels)      result    = { 0 };
  WfLabelBand          band      = { .rim_rows = rim_rows, .n_labels = n,
                                     .number_of = number_of };
  g_autoptr (GError)   error     = NULL;

  for (guint32 i = 1; i <= n; i++)
    number_of[i] = g_test_rand_int ();
  labels_init (&result, expected->image.type, &expected->task.shape,
               expected->task.connectivity);
  result.task.image = &expected->image;
  result.task.band  = &band;
  run_task (device, &result.task);
  g_assert_cmpuint (result.n_labels, ==, n);
  for (gint64 p = 0; p < wf_image_n_pixels (&result.labels); p++)
    if (((guint32 *) result.labels.data)[p] != number_of[labels[p]])
      g_error ("pixel %" G_GINT64_FORMAT, p);

  /* another image than that of the summary */
  band.n_labels = n + 1;
  g_free (number_of);
  band.number_of = number_of = g_new0 (guint32, (gsize) n + 2);
  g_assert_false (variant_run (device, variant_find (device, WF_OPERATION_LABEL, NULL,
                                                     &result.task), &result.task, NULL, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
}

static void
test_random (gconstpointer data)
{
  static const int       connectivities[] = { 4, 8, 6, 26 };
  static const WfType    types[]          = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  g_auto (VariantDevice) cpu    = { 0 };
  g_auto (VariantDevice) device = { 0 };

  variant_device_init (&cpu, TRUE);
  if (! variant_device_init (&device, data != NULL))
    return;
  for (guint i = 0; i < test_count (300, 3000); i++)
    {
      const int       kind   = g_test_rand_int_range (0, 4);
      const gboolean  stack  = kind >= 2;
      const WfShape   shape  = { g_test_rand_int_range (1, stack ? 40 : 600),
                                 g_test_rand_int_range (1, stack ? 40 : 80),
                                 stack ? g_test_rand_int_range (2, 12) : 1 };
      const gboolean  slice  = ! stack && g_test_rand_int_range (0, 4) == 0;
      const gint64    rim    = stack || slice ? shape.height : 1;
      g_auto (Labels) labels = { 0 };

      labels_init (&labels, types[g_test_rand_int_range (0, 3)], &shape, connectivities[kind]);
      fill_image (&labels.image);
      run_task (&cpu, &labels.task);
      check_summary (&device, &labels, rim);
      check_finish (&device, &labels, rim);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_data_func ("/label-bands/cpu/random", "cpu", test_random);
  g_test_add_data_func ("/label-bands/device/random", NULL, test_random);
  return g_test_run ();
}
