/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several devices that share an image: any of them, in any order, with delays and failures, give
 * the result of one.
 */

#include <math.h>
#include <string.h>

#include "sharing.h"
#include "tests/support/block-store.h"
#include "tests/support/canceller.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

typedef struct
{
  WfReconstructOptions  options;
  RefSize               size;
  GuardedImage         *mask;
  GuardedImage         *marker;
  GuardedImage         *out;
  GuardedImage         *expected;
} Case;

static void
case_clear (Case *work)
{
  guarded_image_free (work->mask);
  guarded_image_free (work->marker);
  guarded_image_free (work->out);
  guarded_image_free (work->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
case_init (Case          *work,
           WfType         type,
           const double  *mask,
           const double  *marker,
           WfDirection    by,
           int            connectivity)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &work->options);
  work->options.by           = by;
  work->options.connectivity = connectivity;
  work->mask     = new_packed (type, &work->size, mask);
  work->marker   = new_packed (type, &work->size, marker);
  work->out      = guarded_image_new (type, &work->size, FALSE);
  work->expected = guarded_image_new (type, &work->size, FALSE);
  g_assert_true (wf_reconstruct (NULL, &work->mask->view, &work->marker->view,
                                 &work->expected->view, &work->options, NULL));
}

/* A marker that is the mask, or a level beside it, in few pixels or in all. */
static void
random_case (Case *work)
{
  const WfType       type   = random_type ();
  const WfDirection  by     = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
  const double       beyond = by == WF_BY_DILATION ? type_lowest (type) : type_highest (type);
  const int          rarity = g_test_rand_int_range (1, 60);
  g_autofree double *mask   = NULL;
  g_autofree double *marker = NULL;
  Palette            palette;

  if (g_test_rand_int_range (0, 10) == 0)
    random_large_size (&work->size);
  else
    random_size (&work->size);
  mask   = g_new (double, ref_n_pixels (&work->size));
  marker = g_new (double, ref_n_pixels (&work->size));
  random_palette (type, &palette);
  random_content (&work->size, &palette, mask);
  for (gint64 p = 0; p < ref_n_pixels (&work->size); p++)
    marker[p] = g_test_rand_int_range (0, rarity) == 0 ? mask[p] : beyond;
  case_init (work, type, mask, marker, by, random_connectivity (&work->size));
}

static void
check_result (const Case   *work,
              GuardedImage *out)
{
  g_assert_cmpint (guarded_image_find_difference (out, work->expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (out));
}


/*  In memory  */

/* Where the result goes: an image of its own, or one of the inputs. */
static void
check_in_memory (Case      *work,
                 WfContext *context)
{
  GuardedImage      *places[] = { work->out, work->mask, work->marker };
  GuardedImage      *out      = places[g_test_rand_int_range (0, 3)];
  g_autoptr (GError) error    = NULL;

  wf_reconstruct (context, &work->mask->view, &work->marker->view, &out->view, &work->options,
                  &error);
  g_assert_no_error (error);
  check_result (work, out);
}

static void
test_random (gconstpointer data)
{
  const gboolean disturbed = data != NULL;

  for (guint i = 0; i < test_count (300, 3000); i++)
    {
      g_auto (Case)         work    = { 0 };
      const char           *devices = random_devices ();
      g_autoptr (WfContext) context = NULL;

      random_case (&work);
      context = new_context (devices, g_test_rand_int_range (1, 9), WF_FALLBACK_CPU,
                             g_test_rand_bit ());
      set_disturbance (disturbed ? i % 2 * 100 : 0, disturbed ? 300 : 0);
      check_in_memory (&work, context);
    }
  set_disturbance (0, 0);
}

/* A corridor through all bands, back and forth. */
static void
init_corridor (Case  *work,
               gint64 side)
{
  g_autofree double *mask   = g_new (double, side * side);
  g_autofree double *marker = g_new0 (double, side * side);

  work->size = (RefSize) { side, side, 1 };
  for (gint64 p = 0; p < side * side; p++)
    {
      const gint64 x   = p % side;
      const gint64 y   = p / side;
      const gint64 end = x / 2 % 2 == 0 ? side - 1 : 0;

      mask[p] = x % 2 == 0 || y == end ? 200 : 3;
    }
  marker[0] = 200;
  case_init (work, WF_TYPE_U8, mask, marker, WF_BY_DILATION, 4);
}

/* Whether the spiral may go on to (@x, @y): nowhere beside itself. */
static gboolean
is_free (const double *mask,
         gint64        side,
         gint64        x,
         gint64        y,
         gint64        dx,
         gint64        dy)
{
  const gint64 x2 = x + dx;
  const gint64 y2 = y + dy;

  return MIN (x, y) >= 0 && MAX (x, y) < side && mask[y * side + x] < 200 &&
         (MIN (x2, y2) < 0 || MAX (x2, y2) >= side || mask[y2 * side + x2] < 200);
}

/* A spiral, whose marker is outside. */
static void
init_spiral (Case  *work,
             gint64 side)
{
  g_autofree double *mask   = g_new (double, side * side);
  g_autofree double *marker = g_new0 (double, side * side);
  gint64             x = 0, y = 0, dx = 1, dy = 0;
  guint              n_turns = 0;

  work->size = (RefSize) { side, side, 1 };
  for (gint64 p = 0; p < side * side; p++)
    mask[p] = 3;
  mask[0] = marker[0] = 200;
  while (n_turns < 2)
    {
      const gint64 turned = dx;

      if (is_free (mask, side, x + dx, y + dy, dx, dy))
        {
          x += dx;
          y += dy;
          mask[y * side + x] = 200;
          n_turns = 0;
          continue;
        }
      dx = -dy;
      dy = turned;
      n_turns++;
    }
  case_init (work, WF_TYPE_U8, mask, marker, WF_BY_DILATION, 4);
}

/* Levels without any order, most of them above the marker; a tall image where @side is large. */
static void
init_noise (Case  *work,
            gint64 side)
{
  const gint64       width  = side > 200 ? 30 : side;
  g_autofree double *mask   = g_new (double, width * side);
  g_autofree double *marker = g_new0 (double, width * side);

  work->size = (RefSize) { width, side, 1 };
  for (gint64 p = 0; p < width * side; p++)
    {
      mask[p]   = g_test_rand_int_range (0, 256);
      marker[p] = g_test_rand_int_range (0, 40) == 0 ? mask[p] : 0;
    }
  case_init (work, WF_TYPE_U8, mask, marker, WF_BY_DILATION, 8);
}

/* Bands that are divided after their first visit, and stay on devices that have room for all of
 * them, some or none.
 */
static void
test_kept (gconstpointer data)
{
  typedef void (* Init) (Case *work, gint64 side);

  static const Init contents[] = { init_corridor, init_spiral, init_noise };
  const gboolean    disturbed  = data != NULL;

  for (guint i = 0; i < test_count (24, 600); i++)
    {
      const Init            init    = contents[i % G_N_ELEMENTS (contents)];
      const gboolean        tall    = init == init_noise && g_test_rand_bit ();
      const int             rows    = g_test_rand_int_range (33, tall ? 800 : 100);
      const int             side    = g_test_rand_int_range (rows, tall ? 1500 : 200);
      g_auto (Case)         work    = { 0 };
      g_autoptr (WfContext) context = NULL;
      g_autofree char      *memory  = g_strdup_printf ("%d", 8 * 4 * side * (rows + i / 3 * 20));

      if (i % 4 > 0)
        g_setenv ("WAVEFRONT_FAKE_MEMORY", memory, TRUE);
      init (&work, side);
      context = new_context (random_devices (), rows, WF_FALLBACK_CPU, g_test_rand_bit ());
      set_disturbance (disturbed ? i % 2 * 20 : 0, disturbed ? 100 : 0);
      check_in_memory (&work, context);
      g_unsetenv ("WAVEFRONT_FAKE_MEMORY");
    }
  set_disturbance (0, 0);
}

static void
test_long_way (void)
{
  for (guint i = 0; i < N_DEVICE_LISTS; i++)
    {
      g_auto (Case)         work    = { 0 };
      g_autoptr (WfContext) context = new_context (device_lists[i], 7, WF_FALLBACK_AUTO, TRUE);

      init_corridor (&work, 61);
      set_disturbance (0, 100);
      check_in_memory (&work, context);
    }
  set_disturbance (0, 0);
}

static void
test_report (void)
{
  g_auto (Case)         work    = { 0 };
  g_autoptr (WfContext) context = new_context ("cuda:0,cuda:1", 2, WF_FALLBACK_AUTO, TRUE);
  const WfReport       *report;

  init_corridor (&work, 61);
  set_disturbance (0, 2000);    /* long enough for both */
  check_in_memory (&work, context);
  set_disturbance (0, 0);
  report = wf_context_get_report (context);
  g_assert_cmpstr (report->device, ==, "cuda:0,cuda:1");
  g_assert_cmpstr (report->algorithm, ==, "fake");
  g_assert_null (report->notice);
  g_assert_cmpfloat (report->seconds, >, 0.0);
}


/*  Failures  */

/* All devices fail: the CPU does the work where it may, else nothing has happened. */
static void
test_all_fail (void)
{
  const WfFallback fallbacks[] = { WF_FALLBACK_CPU, WF_FALLBACK_NONE, WF_FALLBACK_AUTO };

  set_disturbance (1000, 0);
  for (guint i = 0; i < G_N_ELEMENTS (fallbacks); i++)
    {
      g_auto (Case)         work    = { 0 };
      g_autoptr (WfContext) context = new_context ("cuda:0,cuda:2", 5, fallbacks[i], FALSE);

      init_corridor (&work, 31);
      if (fallbacks[i] == WF_FALLBACK_CPU)
        {
          check_in_memory (&work, context);
          assert_sentence (wf_context_get_report (context)->notice);
          g_assert_cmpstr (wf_context_get_report (context)->device, ==, "cpu");
          continue;
        }
      assert_refused (wf_reconstruct (context, &work.mask->view, &work.marker->view,
                                      &work.out->view, &work.options, &refusal),
                      WF_ERROR_DEVICE);
      g_assert_true (guarded_image_is_untouched (work.out));
    }
  set_disturbance (0, 0);
}

static void
test_cancelled (void)
{
  g_auto (Case)            work        = { 0 };
  g_autoptr (WfContext)    context     = new_context ("all", 1, WF_FALLBACK_AUTO, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  init_corridor (&work, 61);
  wf_context_set_cancellable (context, cancellable);
  for (guint i = 0; i < test_count (20, 200); i++)
    {
      g_autoptr (GError) error = NULL;
      Canceller          canceller = { .cancellable = cancellable };

      g_cancellable_reset (cancellable);
      set_disturbance (0, 200);
      canceller_start (&canceller, i * 1e-4);
      if (wf_reconstruct (context, &work.mask->view, &work.marker->view, &work.out->view,
                          &work.options, &error))
        check_result (&work, work.out);
      else
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      canceller_stop (&canceller);
    }
  set_disturbance (0, 0);
}

static void
test_names (void)
{
  g_autoptr (WfContext) context = wf_context_new ();
  WfContextOptions      options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device = "cpu,cuda:3";
  assert_refused (wf_context_configure (context, &options, &refusal), WF_ERROR_DEVICE);
  options.device = "cpu,,cuda:0";
  assert_refused (wf_context_configure (context, &options, &refusal), WF_ERROR_INVALID);
  options.device = "cpu,all";
  assert_refused (wf_context_configure (context, &options, &refusal), WF_ERROR_INVALID);
  options.device = "";
  assert_refused (wf_context_configure (context, &options, &refusal), WF_ERROR_INVALID);
}


/*  Files  */

typedef struct
{
  BlockStore mask;
  BlockStore marker;
  BlockStore out;
} Files;

static void
files_init (Files *files,
            Case  *work)
{
  block_store_init (&files->mask, g_steal_pointer (&work->mask));
  block_store_init (&files->marker, g_steal_pointer (&work->marker));
  block_store_init (&files->out, g_steal_pointer (&work->out));
}

static void
files_clear (Files *files)
{
  block_store_clear (&files->mask);
  block_store_clear (&files->marker);
  block_store_clear (&files->out);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Files, files_clear)

static void
test_files (void)
{
  for (guint i = 0; i < test_count (200, 2000); i++)
    {
      g_auto (Case)         work    = { 0 };
      g_auto (Files)        files   = { 0 };
      const char           *devices = random_devices ();
      g_autoptr (WfContext) context = new_context (devices, 0, WF_FALLBACK_CPU, TRUE);
      g_autoptr (GError)    error   = NULL;

      random_case (&work);
      files_init (&files, &work);
      set_disturbance (i % 2 * 100, 200);
      wf_reconstruct_blocks (context, &files.mask.source, &files.marker.source, &files.out.sink,
                             &work.options, BLOCKS (WF_BLOCKS_QUEUE, g_test_rand_int_range (1, 9)),
                             &error);
      g_assert_no_error (error);
      check_result (&work, files.out.image);
    }
  set_disturbance (0, 0);
}

/* Each call of a source and of the sink fails once; the error is that of the file. */
static void
test_files_fail (void)
{
  g_auto (Case)         work    = { 0 };
  g_auto (Files)        files   = { 0 };
  g_autoptr (WfContext) context = new_context ("all", 0, WF_FALLBACK_CPU, TRUE);

  init_corridor (&work, 31);
  files_init (&files, &work);
  for (guint i = 1; i <= 12; i++)
    {
      BlockStore *stores[] = { &files.mask, &files.marker, &files.out };
      BlockStore *failing  = stores[i % 3];

      for (guint k = 0; k < G_N_ELEMENTS (stores); k++)
        stores[k]->n_reads = stores[k]->n_writes = 0;
      if (i % 3 == 2 && i % 2)
        failing->fail_at_write = (i + 2) / 3;
      else
        failing->fail_at_read = (i + 2) / 3;
      assert_refused_with (wf_reconstruct_blocks (context, &files.mask.source,
                                                  &files.marker.source, &files.out.sink,
                                                  &work.options, BLOCKS (WF_BLOCKS_QUEUE, 4),
                                                  &refusal),
                           G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      failing->fail_at_read = failing->fail_at_write = 0;
    }
}


/*  Threads  */

static gint n_threads_left = G_MAXINT;
static gint n_refused_threads;

/* In the place of GLib's: no thread can be made after @n_threads_left ones. */
GThread *
g_thread_try_new (const char   *name,
                  GThreadFunc   run,
                  gpointer      data,
                  GError      **error)
{
  if (g_atomic_int_add (&n_threads_left, -1) > 0)
    return g_thread_new (name, run, data);
  g_atomic_int_inc (&n_refused_threads);
  g_set_error_literal (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "No more threads.");
  return NULL;
}

/* Where threads cannot be made, those that there are do all. */
static void
test_few_threads (void)
{
  for (guint i = 0; i < test_count (40, 400); i++)
    {
      g_auto (Case)         work    = { 0 };
      g_autoptr (WfContext) context = NULL;

      random_case (&work);
      context = new_context (random_devices (), g_test_rand_int_range (1, 5), WF_FALLBACK_NONE,
                             TRUE);
      g_atomic_int_set (&n_threads_left, i % 4);
      check_in_memory (&work, context);
    }
  g_assert_cmpint (g_atomic_int_get (&n_refused_threads), >, 0);
  g_atomic_int_set (&n_threads_left, G_MAXINT);
}


/*  Progress  */

typedef struct
{
  double last;
  guint  n_at_end;
  guint  n_calls;
} Seen;

static void
see (double   fraction,
     gpointer data)
{
  Seen *seen = data;

  g_assert_cmpfloat (fraction, >=, seen->last);
  seen->last = fraction;
  seen->n_calls++;
  seen->n_at_end += fraction == 1.0;
}

/* It reaches its end once, at the end, and never goes back.  Nothing is visited again. */
static void
test_progress (void)
{
  g_auto (Case)         work    = { .size = { 61, 61, 1 } };
  g_autoptr (WfContext) context = new_context ("all", 2, WF_FALLBACK_AUTO, TRUE);
  g_autofree double    *levels  = g_new (double, 61 * 61);
  Seen                  seen    = { 0 };

  for (int p = 0; p < 61 * 61; p++)
    levels[p] = p * 7919 % 251;
  case_init (&work, WF_TYPE_U8, levels, levels, WF_BY_DILATION, 8);
  set_disturbance (0, 3000);
  wf_context_set_progress (context, see, &seen);
  check_in_memory (&work, context);
  set_disturbance (0, 0);
  g_assert_cmpfloat (seen.last, ==, 1.0);
  g_assert_cmpuint (seen.n_calls, >, 5);
  g_assert_cmpuint (seen.n_at_end, <=, 2);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_data_func ("/workers/random", NULL, test_random);
  g_test_add_data_func ("/workers/random-disturbed", "disturbed", test_random);
  g_test_add_func ("/workers/long-way", test_long_way);
  g_test_add_data_func ("/workers/kept", NULL, test_kept);
  g_test_add_data_func ("/workers/kept-disturbed", "disturbed", test_kept);
  g_test_add_func ("/workers/report", test_report);
  g_test_add_func ("/workers/all-fail", test_all_fail);
  g_test_add_func ("/workers/cancelled", test_cancelled);
  g_test_add_func ("/workers/names", test_names);
  g_test_add_func ("/workers/files", test_files);
  g_test_add_func ("/workers/files-fail", test_files_fail);
  g_test_add_func ("/workers/few-threads", test_few_threads);
  g_test_add_func ("/workers/progress", test_progress);
  return g_test_run ();
}
