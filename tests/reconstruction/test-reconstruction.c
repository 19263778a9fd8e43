/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/guarded-image.h"
#include "tests/support/landscape.h"
#include "tests/support/refusals.h"
#include "tests/reference/stored.h"
#include "tests/support/tiers.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static void
init_options (WfReconstructOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), options);
}

static void
test_random (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  run_reconstruction_cases (configurations, test_count (800, 6000));
}

static void
check_stored (const StoredReconstruction *stored,
              WfType                      type,
              const Configuration        *configuration)
{
  g_autoptr (GuardedImage) mask     = guarded_image_new_levels (type, &stored->size, stored->mask);
  g_autoptr (GuardedImage) marker   = guarded_image_new_levels (type, &stored->size,
                                                                stored->marker);
  g_autoptr (GuardedImage) out      = guarded_image_new (type, &stored->size, g_test_rand_bit ());
  g_autofree gpointer      expected = pack_levels (type, stored->result,
                                                   ref_n_pixels (&stored->size));
  WfReconstructOptions     options;
  GError                  *error    = NULL;

  init_options (&options);
  options.connectivity = stored->connectivity;
  options.by           = stored->by_erosion ? WF_BY_EROSION : WF_BY_DILATION;
  g_assert_true (wf_reconstruct (configuration->context, &mask->view, &marker->view, &out->view,
                                 &options, &error));
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (out, expected), ==, -1);
}

static void
test_stored (void)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < stored_n_reconstructions; i++)
    {
      g_test_message ("%s", stored_reconstructions[i].name);
      for (guint k = 0; k < G_N_ELEMENTS (types); k++)
        for (guint c = 0; c < configurations->n; c++)
          check_stored (&stored_reconstructions[i], types[k], &configurations->items[c]);
    }
}

/* Without options: by dilation, all neighbours. */
static void
test_no_options (void)
{
  guint8   mask[4]   = { 5, 0, 0, 5 };
  guint8   marker[4] = { 5, 0, 0, 0 };
  guint8   out[4];
  WfImage  images[3];
  GError  *error = NULL;

  wf_image_init (&images[0], WF_TYPE_U8, 2, 2, 1, mask, NULL);
  wf_image_init (&images[1], WF_TYPE_U8, 2, 2, 1, marker, NULL);
  wf_image_init (&images[2], WF_TYPE_U8, 2, 2, 1, out, NULL);
  g_assert_true (wf_reconstruct (NULL, &images[0], &images[1], &images[2], NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (out, sizeof out, mask, sizeof mask);
}

/* −0 counts as +0: as a level, and in the result. */
static void
test_negative_zero (void)
{
  const RefSize size      = { 3, 1, 1 };
  const double  mask[]    = { -0.0, 0.0, -0.0 };
  const double  marker[]  = { -0.0, -1, 0.0 };
  const float   nothing[] = { 0.0f, 0.0f, 0.0f };

  for (int by = WF_BY_DILATION; by <= WF_BY_EROSION; by++)
    {
      g_autoptr (GuardedImage) mask_image   = guarded_image_new_levels (WF_TYPE_F32, &size, mask);
      g_autoptr (GuardedImage) marker_image = guarded_image_new_levels (WF_TYPE_F32, &size, marker);
      g_autoptr (GuardedImage) out          = guarded_image_new (WF_TYPE_F32, &size, FALSE);
      WfReconstructOptions     options;

      init_options (&options);
      options.by = by;
      g_assert_true (wf_reconstruct (NULL, &mask_image->view, &marker_image->view, &out->view,
                                     &options, NULL));
      g_assert_cmpint (guarded_image_find_difference (out, nothing), ==, -1);
    }
}


/*  Images of ordinary size  */

typedef struct
{
  WfType    type;
  RefSize   size;
  int       connectivity;
  gboolean  by_erosion;
  gboolean  corridor;
} Medium;

static const Medium media[] =
{
  { WF_TYPE_U8,  { 700, 500, 1 },  8,  FALSE, FALSE },
  { WF_TYPE_U8,  { 700, 500, 1 },  4,  TRUE,  FALSE },
  { WF_TYPE_F32, { 700, 500, 1 },  8,  TRUE,  FALSE },
  { WF_TYPE_F32, { 701, 499, 1 },  4,  FALSE, FALSE },
  { WF_TYPE_U16, { 501, 703, 1 },  8,  FALSE, FALSE },
  { WF_TYPE_U8,  { 301, 300, 1 },  4,  FALSE, TRUE },
  { WF_TYPE_U16, { 300, 301, 1 },  8,  TRUE,  TRUE },
  { WF_TYPE_U8,  { 90, 70, 40 },   26, FALSE, FALSE },
  { WF_TYPE_F32, { 70, 90, 40 },   6,  TRUE,  FALSE },
};

static void
make_medium (const Medium *medium,
             double       *mask,
             double       *marker)
{
  gint64 n      = ref_n_pixels (&medium->size);
  double height = medium->type == WF_TYPE_U8 ? 20 : medium->type == WF_TYPE_U16 ? 5000 : 0.125;
  double sign   = medium->by_erosion ? 1 : -1;

  if (medium->corridor)
    {
      make_corridor (&medium->size, medium->by_erosion ? 3 : 200, medium->by_erosion ? 200 : 3,
                     mask);
      for (gint64 p = 0; p < n; p++)
        marker[p] = p == n / 2 ? 100 : medium->by_erosion ? 255 : 0;
      return;
    }
  make_landscape (medium->type, &medium->size, medium->size.depth > 1 ? 3 : 6, mask);
  for (gint64 p = 0; p < n; p++)
    if (medium->type == WF_TYPE_F32)
      marker[p] = (float) (mask[p] + sign * height);
    else
      marker[p] = CLAMP (mask[p] + sign * height, 0, medium->type == WF_TYPE_U8 ? 255 : 65535);
}

/* All algorithms. */
static const WfChoice *
all_algorithms (void)
{
  return wf_option_group_find (wf_operation_get_options (WF_OPERATION_RECONSTRUCT),
                               "algorithm")->choices;
}

static void
check_medium (gconstpointer data)
{
  const Medium               *medium         = data;
  gint64                      n              = ref_n_pixels (&medium->size);
  g_autoptr (Configurations)  configurations = configurations_new ("cpu");
  g_autofree double          *mask           = g_new (double, n);
  g_autofree double          *marker         = g_new (double, n);
  g_autofree double          *result         = g_new (double, n);
  g_autofree gpointer         expected       = NULL;
  g_autoptr (GuardedImage)    mask_image     = NULL;
  g_autoptr (GuardedImage)    marker_image   = NULL;

  make_medium (medium, mask, marker);
  ref_reconstruct_quick (&medium->size, medium->connectivity, medium->by_erosion, mask, marker,
                         result);
  expected     = pack_levels (medium->type, result, n);
  mask_image   = guarded_image_new_levels (medium->type, &medium->size, mask);
  marker_image = guarded_image_new_levels (medium->type, &medium->size, marker);

  for (const WfChoice *algorithm = all_algorithms (); algorithm->name; algorithm++)
    {
      const Configuration      *configuration = configurations_pick_coarse (configurations);
      g_autoptr (GuardedImage)  out           = guarded_image_new (medium->type, &medium->size,
                                                                   g_test_rand_bit ());
      WfReconstructOptions      options;
      GError                   *error = NULL;

      g_test_message ("%s", algorithm->name);
      configuration_note (configuration);
      init_options (&options);
      options.connectivity = medium->connectivity;
      options.by           = medium->by_erosion ? WF_BY_EROSION : WF_BY_DILATION;
      options.algorithm    = algorithm->name;
      if (is_of_gpus (algorithm->name) ||
          (medium->size.depth > 1 && strcmp (algorithm->name, "sweeps") == 0))
        continue;
      wf_reconstruct (configuration->context, &mask_image->view, &marker_image->view, &out->view,
                      &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (guarded_image_find_difference (out, expected), ==, -1);
      g_assert_true (guarded_image_is_guarded (out));
    }
}


/*  Cancelling  */

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (20000);
  g_cancellable_cancel (cancellable);
  return GINT_TO_POINTER (1);
}

/* Each algorithm, in a corridor for which even the fastest takes longer than the time
 * allowed.
 */
static void
test_cancelled (void)
{
  const RefSize            size   = { 3001, 3001, 1 };
  g_autoptr (GuardedImage) mask   = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  g_autoptr (GuardedImage) marker = guarded_image_new (WF_TYPE_U8, &size, FALSE);

  for (gint64 y = 0; y < size.height; y++)
    for (gint64 x = 0; x < size.width; x++)
      {
        gint64 p = y * size.width + x;

        ((guint8 *) mask->view.data)[p]   = y % 2 == 0 || x == (y / 2 % 2 ? 0 : size.width - 1)
                                            ? 200 : 10;
        ((guint8 *) marker->view.data)[p] = p == 0 ? 255 : 0;
      }

  for (const WfChoice *algorithm = all_algorithms (); algorithm->name; algorithm++)
    for (int threads = 1; threads <= 2 && ! is_of_gpus (algorithm->name); threads++)
      {
        g_autoptr (GuardedImage)  out         = guarded_image_new (WF_TYPE_U8, &size, FALSE);
        g_autoptr (WfContext)     context     = wf_context_new ();
        g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
        g_autoptr (GError)        error       = NULL;
        WfContextOptions          how         = { sizeof (WfContextOptions), "cpu", threads, 0, 0 };
        WfReconstructOptions      options;
        GThread                  *thread;
        gboolean                  done;
        gint64                    start;
        double                    taken;

        init_options (&options);
        options.connectivity = 4;
        options.algorithm    = algorithm->name;
        g_assert_true (wf_context_configure (context, &how, NULL));
        wf_context_set_cancellable (context, cancellable);
        thread = g_thread_new ("canceller", cancel_soon, cancellable);
        start  = g_get_monotonic_time ();
        done   = wf_reconstruct (context, &mask->view, &marker->view, &out->view, &options, &error);
        taken  = (g_get_monotonic_time () - start) / 1e6;
        g_thread_join (thread);
        g_test_message ("%s, %d threads: %.3f s", algorithm->name, threads, taken);
        g_assert_false (done);
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        g_assert_true (guarded_image_is_untouched (out));
        /* A tenth of a second, and what a busy machine or a sanitizer adds. */
        g_assert_cmpfloat (taken, <, 2);
      }
}


/*  Refusals  */

typedef struct
{
  GuardedImage         *mask;
  GuardedImage         *marker;
  GuardedImage         *out;
  WfReconstructOptions  options;
} Arguments;

static void
arguments_init (Arguments *a,
                gint64     depth)
{
  const RefSize size   = { 4, 3, depth };
  const double  zero[] = { [3 * 4 * 3 - 1] = 0 };

  a->mask   = guarded_image_new_levels (WF_TYPE_F32, &size, zero);
  a->marker = guarded_image_new_levels (WF_TYPE_F32, &size, zero);
  a->out    = guarded_image_new (WF_TYPE_F32, &size, FALSE);
  init_options (&a->options);
}

static void
arguments_clear (Arguments *a)
{
  guarded_image_free (a->mask);
  guarded_image_free (a->marker);
  guarded_image_free (a->out);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

#define assert_arguments_refused(a)                                                     \
  G_STMT_START                                                                          \
    {                                                                                   \
      assert_refused (wf_reconstruct (NULL, &(a)->mask->view, &(a)->marker->view,       \
                                      &(a)->out->view, &(a)->options, &refusal),        \
                      WF_ERROR_INVALID);                                                \
      g_assert_true (guarded_image_is_untouched ((a)->out));                            \
    }                                                                                   \
  G_STMT_END

static void
test_nan (void)
{
  for (gint64 index = 0; index < 12; index++)
    for (int which = 0; which < 2; which++)
      {
        g_auto (Arguments) a = { 0 };

        arguments_init (&a, 1);
        guarded_image_set_float (which ? a.mask : a.marker, index, index % 2 ? NAN : -NAN);
        assert_arguments_refused (&a);
      }
}

/* A NaN anywhere among the tiles, with every algorithm: the message names the first row with
 * a NaN, and the output is unchanged.
 */
static void
test_nan_among_tiles (void)
{
  static const char * const algorithms[] = { "sweeps", "tiled", "non-tiled", "sequential",
                                             "queue", "hybrid" };
  const RefSize             size         = { 170, 140, 1 };
  const gint64              n            = size.width * size.height;
  g_autofree double        *levels       = g_new0 (double, n);

  for (guint i = 0; i < test_count (12, 60); i++)
    {
      g_autoptr (GuardedImage) mask    = guarded_image_new_levels (WF_TYPE_F32, &size, levels);
      g_autoptr (GuardedImage) marker  = guarded_image_new_levels (WF_TYPE_F32, &size, levels);
      g_autoptr (GuardedImage) out     = guarded_image_new (WF_TYPE_F32, &size,
                                                            g_test_rand_bit ());
      g_autoptr (WfContext)    context = wf_context_new ();
      g_autoptr (GError)       refusal = NULL;
      g_autofree char         *row     = NULL;
      WfContextOptions         working = { sizeof working, "cpu", 1 + i % 3,
                                           i % 2 ? 0 : 40, 0 };
      WfReconstructOptions     options;
      const gint64             first   = g_test_rand_int_range (0, n);
      const gint64             second  = g_test_rand_int_range (first, n);

      init_options (&options);
      options.by        = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
      options.algorithm = algorithms[i % G_N_ELEMENTS (algorithms)];
      guarded_image_set_float (i % 4 < 2 ? mask : marker, first, NAN);
      guarded_image_set_float (i % 4 < 2 ? mask : marker, second, -NAN);
      row = g_strdup_printf ("row %" G_GINT64_FORMAT ".", first / size.width);

      g_assert_true (wf_context_configure (context, &working, NULL));
      wf_context_set_partial_outputs (context, g_test_rand_bit ());
      g_assert_false (wf_reconstruct (context, &mask->view, &marker->view, &out->view, &options,
                                      &refusal));
      g_assert_error (refusal, WF_ERROR, WF_ERROR_INVALID);
      g_assert_nonnull (strstr (refusal->message, i % 4 < 2 ? "mask" : "marker"));
      g_assert_true (g_str_has_suffix (refusal->message, row));
      g_assert_true (guarded_image_is_untouched (out));
    }
}

static void
test_connectivity (void)
{
  static const int of_images[] = { 6, 26 };
  static const int of_stacks[] = { 4, 8 };
  static const int of_none[]   = { 1, 2, 5, 18, -4, 100 };

  for (int i = 0; i < 2; i++)
    {
      g_auto (Arguments) image = { 0 };
      g_auto (Arguments) stack = { 0 };

      arguments_init (&image, 1);
      arguments_init (&stack, 3);
      image.options.connectivity = of_images[i];
      assert_arguments_refused (&image);
      stack.options.connectivity = of_stacks[i];
      assert_arguments_refused (&stack);
      for (guint k = 0; k < G_N_ELEMENTS (of_none); k++)
        {
          image.options.connectivity = of_none[k];
          assert_arguments_refused (&image);
        }
    }
}

static void
test_options_refused (void)
{
  g_auto (Arguments) a = { 0 };

  arguments_init (&a, 1);
  a.options.by = 2;
  assert_arguments_refused (&a);
  init_options (&a.options);
  a.options.algorithm = "envelope";
  assert_arguments_refused (&a);
  a.options.algorithm = "";
  assert_arguments_refused (&a);
}

static void
test_types_refused (void)
{
  static const WfType all[] = { 0, WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32, WF_TYPE_U64,
                                WF_TYPE_F64, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint k = 0; k < G_N_ELEMENTS (all); k++)
      for (guint m = 0; m < G_N_ELEMENTS (all); m++)
        {
          g_auto (Arguments) a    = { 0 };
          gboolean           work = all[i] >= WF_TYPE_U8 && all[i] <= WF_TYPE_F32;

          if (work && i == k && i == m)
            continue;
          arguments_init (&a, 1);
          a.mask->view.type   = all[i];
          a.marker->view.type = all[k];
          a.out->view.type    = all[m];
          assert_arguments_refused (&a);
        }
}

static void
test_sizes_refused (void)
{
  for (int which = 0; which < 3; which++)
    for (int fault = 0; fault < N_VIEW_FAULTS; fault++)
      {
        g_auto (Arguments) a = { 0 };

        arguments_init (&a, 2);
        spoil_view (which == 0 ? &a.mask->view
                    : which == 1 ? &a.marker->view : &a.out->view, fault);
        assert_arguments_refused (&a);
      }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/reconstruction/stored", test_stored);
  g_test_add_func ("/reconstruction/random", test_random);
  g_test_add_func ("/reconstruction/no-options", test_no_options);
  g_test_add_func ("/reconstruction/negative-zero", test_negative_zero);
  for (guint i = 0; i < G_N_ELEMENTS (media); i++)
    {
      g_autofree char *path = g_strdup_printf ("/reconstruction/medium/%u", i + 1);

      g_test_add_data_func (path, &media[i], check_medium);
    }
  g_test_add_func ("/reconstruction/cancelled", test_cancelled);
  g_test_add_func ("/reconstruction/refuses/nan", test_nan);
  g_test_add_func ("/reconstruction/refuses/nan-among-tiles", test_nan_among_tiles);
  g_test_add_func ("/reconstruction/refuses/connectivity", test_connectivity);
  g_test_add_func ("/reconstruction/refuses/options", test_options_refused);
  g_test_add_func ("/reconstruction/refuses/types", test_types_refused);
  g_test_add_func ("/reconstruction/refuses/sizes", test_sizes_refused);

  return g_test_run ();
}
