/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Basins that are corrected in a preview, of which a stack has some slices only: corrections meet
 * the pixels that they name; what is described are the levels that are measured; while the merge
 * slider moves they are those that are corrected anew.
 */

#include "plugins/watershed/corrected-basins.h"
#include "tests/support/tiers.h"

/* Objects are squares, each with a label of its own in each slice. */
#define SIDE     4
#define ACROSS   5
#define DOWN     3
#define WIDTH    (SIDE * ACROSS)
#define HEIGHT   (SIDE * DOWN)
#define N_SLICES 9      /* of those that were read */
#define N_LABELS (ACROSS * DOWN * N_SLICES)

static guint32
label_at (gint64 x,
          gint64 y,
          gint64 z)
{
  return (guint32) (1 + (z * DOWN + y / SIDE) * ACROSS + x / SIDE);
}

static void
allocate (WfImage *image,
          WfType   type,
          gint64   depth)
{
  g_assert_true (wf_image_allocate (image, type, WIDTH, HEIGHT, depth, NULL));
}

/* @first: the first slice that was read */
static WfPreviewResult *
make_result (gint64   first,
             gint64   shown,
             gboolean measured)
{
  const WfPreviewRegion  region = { .width = WIDTH, .height = HEIGHT, .scale = 1,
                                    .slice = (int) shown };
  WfPreviewResult       *result = wf_preview_result_new (&region);
  WfPreviewBasins       *basins = g_new0 (WfPreviewBasins, 1);

  basins->inputs       = wf_preview_inputs_new_empty (&region);
  basins->connectivity = 6;
  allocate (&basins->inputs->images[0], WF_TYPE_U8, N_SLICES);
  allocate (&basins->relief, WF_TYPE_U8, N_SLICES);
  allocate (&basins->labels, WF_TYPE_U32, N_SLICES);
  if (measured)
    allocate (&basins->inputs->images[3], WF_TYPE_F32, N_SLICES);
  for (gint64 z = 0, i = 0; z < N_SLICES; z++)
    for (gint64 y = 0; y < HEIGHT; y++)
      for (gint64 x = 0; x < WIDTH; x++, i++)
        {
          const guint32 label = label_at (x, y, z);

          ((guint32 *) basins->labels.data)[i]          = label;
          ((guint8 *) basins->relief.data)[i]           = (guint8) g_test_rand_int ();
          ((guint8 *) basins->inputs->images[0].data)[i] = (guint8) label;
          if (measured)
            ((float *) basins->inputs->images[3].data)[i] = 0.5f * (float) label;
        }
  allocate (&result->image, WF_TYPE_U32, 1);
  result->slice      = shown - first;
  result->n_labels   = N_LABELS;
  result->complete   = TRUE;
  result->extra      = basins;
  result->free_extra = wf_preview_basins_free;
  return result;
}

/* A click in slice @z, which is the one that is shown or another. */
static void
check_click (gint64 first,
             gint64 shown,
             gint64 z)
{
  const WfPixelPlace             place  = { g_test_rand_int_range (0, WIDTH),
                                            g_test_rand_int_range (0, HEIGHT), z };
  const gboolean                 inside = z >= first && z < first + N_SLICES;
  const guint32                  wanted = inside ? label_at (place.x, place.y, z - first) : 0;
  g_autoptr (WfContext)          context   = wf_context_new ();
  g_autoptr (WfPreviewResult)    source    = make_result (first, shown, FALSE);
  g_autoptr (WfCorrections)      list      = wf_corrections_new ();
  g_autoptr (WfCorrectedBasins)  corrected = wf_corrected_basins_new (context, source, N_LABELS,
                                                                      NULL);
  g_autoptr (WfPreviewResult)    result    = NULL;
  const WfPreviewBasins         *basins;

  g_assert_nonnull (corrected);
  wf_corrections_add (list, WF_CORRECTION_DELETE, &place, 1);
  g_assert_true (wf_corrected_basins_follow (corrected, list, NULL));
  g_assert_cmpuint (wf_corrected_basins_get_n_effective (corrected), ==, inside ? 1 : 0);
  result = wf_corrected_basins_get_result (corrected, NULL);
  basins = result->extra;
  for (guint32 label = 1; label <= N_LABELS; label++)
    g_assert_cmpint (basins->verdicts[label], ==, label == wanted ? -1 : 0);
}

static void
test_slices (void)
{
  for (guint i = 0; i < test_count (50, 500); i++)
    {
      const gint64 first = g_test_rand_int_range (0, 100);
      const gint64 shown = first + g_test_rand_int_range (0, N_SLICES);

      check_click (first, shown, g_test_rand_bit () ? shown
                                 : MAX (first + g_test_rand_int_range (-5, N_SLICES + 5), 0));
    }
}

/* A list of which nothing is made yet is stopped, and gives no result. */
static void
test_stopped (void)
{
  const WfPixelPlace            place       = { 1, 1, 0 };
  g_autoptr (WfContext)         context     = wf_context_new ();
  g_autoptr (WfPreviewResult)   source      = make_result (0, 0, FALSE);
  g_autoptr (WfCorrections)     list        = wf_corrections_new ();
  g_autoptr (GCancellable)      cancellable = g_cancellable_new ();
  g_autoptr (GError)            error       = NULL;
  g_autoptr (WfCorrectedBasins) corrected   = wf_corrected_basins_new (context, source, N_LABELS,
                                                                       NULL);

  wf_corrections_add (list, WF_CORRECTION_DELETE, &place, 1);
  wf_corrected_basins_set_cancellable (corrected, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_false (wf_corrected_basins_follow (corrected, list, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (wf_corrected_basins_get_n_effective (corrected), ==, 0);
  wf_corrected_basins_set_cancellable (corrected, NULL);
  g_assert_true (wf_corrected_basins_follow (corrected, list, NULL));
  g_assert_cmpuint (wf_corrected_basins_get_n_effective (corrected), ==, 1);
}

/* Lines are told from what is beside them, as in basins that are not corrected. */
static void
test_lines (void)
{
  for (int lines = 0; lines < 2; lines++)
    {
      g_autoptr (WfContext)         context   = wf_context_new ();
      g_autoptr (WfPreviewResult)   source    = make_result (0, 0, FALSE);
      g_autoptr (WfCorrections)     list      = wf_corrections_new ();
      g_autoptr (WfCorrectedBasins) corrected = NULL;
      g_autoptr (WfPreviewResult)   result    = NULL;

      source->lines = lines;
      corrected     = wf_corrected_basins_new (context, source, N_LABELS, NULL);
      g_assert_true (wf_corrected_basins_follow (corrected, list, NULL));
      result = wf_corrected_basins_get_result (corrected, NULL);
      g_assert_true (result->lines == lines && (result->label_lines != NULL) == lines);
    }
}

static void
test_measured (void)
{
  for (int measured = 0; measured < 2; measured++)
    {
      g_autoptr (WfContext)         context   = wf_context_new ();
      g_autoptr (WfPreviewResult)   source    = make_result (0, 0, measured);
      g_autoptr (WfCorrections)     list      = wf_corrections_new ();
      g_autoptr (WfCorrectedBasins) corrected = wf_corrected_basins_new (context, source, N_LABELS,
                                                                         NULL);
      g_autoptr (WfPreviewResult)   result    = NULL;
      WfBasin                       sum;

      g_assert_true (wf_corrected_basins_follow (corrected, list, NULL));
      result = wf_corrected_basins_get_result (corrected, NULL);
      sum    = wf_corrected_basins_add_up (result, 7);
      g_assert_cmpint (sum.area, ==, SIDE * SIDE);
      g_assert_cmpfloat (sum.mean, ==, measured ? 3.5 : 7.0);
      g_assert_cmpfloat (sum.maximum, ==, measured ? 3.5 : 7.0);
    }
}


/*  The slider  */

/* Basins of noise in rectangles, with a hierarchy: with lines or without, and with a background. */
static WfPreviewResult *
flood (gboolean lines,
       gboolean background)
{
  const int              width  = g_test_rand_int_range (8, 40);
  const int              height = g_test_rand_int_range (8, 40);
  const WfPreviewRegion  region = { .width = width, .height = height, .scale = 1 };
  WfPreviewResult       *result = wf_preview_result_new (&region);
  WfPreviewBasins       *basins = g_new0 (WfPreviewBasins, 1);
  WfWatershedOptions     options;

  basins->inputs       = wf_preview_inputs_new_empty (&region);
  basins->connectivity = g_test_rand_bit () ? 4 : 8;
  basins->last_index   = g_test_rand_bit ();
  g_assert_true (wf_image_allocate (&basins->inputs->images[0], WF_TYPE_U8, width, height, 1,
                                    NULL));
  g_assert_true (wf_image_allocate (&basins->relief, WF_TYPE_U8, width, height, 1, NULL));
  g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U32, width, height, 1, NULL));
  if (background)
    g_assert_true (wf_image_allocate (&basins->objects, WF_TYPE_U8, width, height, 1, NULL));
  for (gint64 i = 0; i < wf_image_n_pixels (&result->image); i++)
    {
      ((guint8 *) basins->inputs->images[0].data)[i] = (guint8) g_test_rand_int ();
      ((guint8 *) basins->relief.data)[i]            = (guint8) g_test_rand_int_range (0, 60);
      if (background)
        ((guint8 *) basins->objects.data)[i] = i / width % 13 != 12 && i % width % 13 != 12;
    }
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.lines        = lines;
  options.connectivity = basins->connectivity;
  g_assert_true (wf_watershed_masked (NULL, &basins->relief, NULL,
                                      background ? &basins->objects : NULL, &result->image, NULL,
                                      &options, NULL));
  basins->hierarchy  = wf_hierarchy_new (NULL, &basins->relief, &result->image, NULL, NULL);
  result->n_labels   = wf_labels_get_highest (&result->image);
  result->lines      = lines;
  result->diagonals  = basins->connectivity == 8;
  result->complete   = TRUE;
  result->extra      = basins;
  result->free_extra = wf_preview_basins_free;
  g_assert_nonnull (basins->hierarchy);
  return result;
}

static void
add_random (WfCorrections *list,
            const WfImage *labels)
{
  WfPixelPlace points[3];
  const guint  n = (guint) g_test_rand_int_range (1, 4);

  for (guint i = 0; i < n; i++)
    points[i] = (WfPixelPlace) { g_test_rand_int_range (0, (int) labels->width),
                                 g_test_rand_int_range (0, (int) labels->height), 0 };
  wf_corrections_add (list, (WfCorrectionKind) g_test_rand_int_range (0, 6), points, n);
}

static void
assert_same (const WfPreviewResult *result,
             const WfPreviewResult *other)
{
  const WfPreviewBasins *basins = result->extra;
  const WfPreviewBasins *others = other->extra;
  const gsize            size   = (gsize) wf_image_n_pixels (&other->image) * sizeof (guint32);

  g_assert_cmpuint (result->n_labels, ==, other->n_labels);
  g_assert_cmpmem (result->image.data, size, other->image.data, size);
  g_assert_cmpmem (basins->verdicts, result->n_labels + 1, others->verdicts, other->n_labels + 1);
}

/* Stops before the next correction that is to be made, if there is one. */
static void
stop_once (WfCorrectedBasins   *basins,
           const WfCorrections *list)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError)       error       = NULL;

  g_cancellable_cancel (cancellable);
  wf_corrected_basins_set_cancellable (basins, cancellable);
  if (! wf_corrected_basins_follow (basins, list, &error))
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  else
    g_assert_cmpuint (wf_corrected_basins_get_n_effective (basins), <=,
                      wf_corrections_get_n (list));
  wf_corrected_basins_set_cancellable (basins, NULL);
}

/* The slider moves to and fro, and the list grows, shrinks and changes: what is shown is what the
 * corrections make of the basins that are merged anew, also after some were stopped.
 */
static void
check_slider (gboolean lines,
              gboolean background)
{
  g_autoptr (WfContext)         context  = wf_context_new ();
  g_autoptr (WfContext)         plain    = wf_context_new ();
  g_autoptr (WfPreviewResult)   source   = flood (lines, background);
  const WfPreviewBasins        *basins   = source->extra;
  const int                     n_basins = (int) wf_hierarchy_get_n_basins (basins->hierarchy);
  g_autoptr (WfCorrections)     list     = wf_corrections_new ();
  g_autoptr (WfCorrectedBasins) kept     = NULL;
  int                           count    = n_basins;

  wf_context_set_partial_outputs (context, TRUE);
  kept = wf_corrected_basins_new (context, source, (guint32) count, NULL);
  for (int step = 0; step < 12; step++)
    {
      g_autoptr (WfCorrectedBasins) anew   = NULL;
      g_autoptr (WfPreviewResult)   result = NULL;
      g_autoptr (WfPreviewResult)   other  = NULL;

      count += g_test_rand_int_range (-n_basins / 6 - 1, n_basins / 8 + 2);
      count  = CLAMP (count, 1, n_basins);
      wf_corrections_truncate (list, wf_corrections_get_n (list) *
                                     (guint) g_test_rand_int_range (0, 4) / 3);
      for (int i = g_test_rand_int_range (0, 6); i > 0; i--)
        add_random (list, &source->image);
      g_assert_true (wf_corrected_basins_merge (kept, (guint32) count, NULL));
      if (g_test_rand_bit ())
        stop_once (kept, list);
      g_assert_true (wf_corrected_basins_follow (kept, list, NULL));
      anew = wf_corrected_basins_new (plain, source, (guint32) count, NULL);
      g_assert_true (wf_corrected_basins_follow (anew, list, NULL));
      g_assert_cmpuint (wf_corrected_basins_get_n_effective (kept), ==,
                        wf_corrected_basins_get_n_effective (anew));
      result = wf_corrected_basins_get_result (kept, NULL);
      other  = wf_corrected_basins_get_result (anew, NULL);
      assert_same (result, other);
    }
}

static void
test_slider (void)
{
  for (guint i = 0; i < test_count (40, 400); i++)
    check_slider (i % 2, i / 2 % 2);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/corrected-basins/slices", test_slices);
  g_test_add_func ("/corrected-basins/lines", test_lines);
  g_test_add_func ("/corrected-basins/stopped", test_stopped);
  g_test_add_func ("/corrected-basins/slider", test_slider);
  g_test_add_func ("/corrected-basins/measured", test_measured);
  return g_test_run ();
}
