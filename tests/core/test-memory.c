/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory of every operation: the estimate, the memory used, and the behaviour under a limit. */

#include <string.h>

#include "tests/support/operation-call.h"
#include "tests/support/estimate.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"
#include "tests/support/work.h"

static WfOperation
operation_of (gconstpointer data)
{
  return (WfOperation) GPOINTER_TO_INT (data);
}

static void
configure (WfContext *context,
           int        n_threads,
           int        tile_size)
{
  const WfContextOptions  options = { sizeof (WfContextOptions), "cpu", n_threads, tile_size, 0 };
  GError                 *error   = NULL;

  wf_context_configure (context, &options, &error);
  g_assert_no_error (error);
}

static WfContext *
new_cpu_context (void)
{
  WfContext *context = wf_context_new ();

  configure (context, 2, 0);
  return context;
}

/* Main memory that the operation takes in @context; @n_threads: result, or NULL */
static guint64
foresee (WfContext     *context,
         WfOperation    operation,
         const WfImage *image,
         gconstpointer  options,
         guint         *n_threads)
{
  g_autoptr (GError)     error    = NULL;
  g_autoptr (WfForecast) forecast = wf_context_forecast (context, operation, image, options,
                                                         &error);

  g_assert_no_error (error);
  if (n_threads)
    *n_threads = forecast->threads;
  return forecast->memory_needed;
}

static void
test_memory_limit (gconstpointer data)
{
  g_autoptr (WfContext)     context  = new_cpu_context ();
  g_autoptr (GuardedImage)  expected = work_result (operation_of (data), 200);
  g_auto (Work)             work     = { 0 };
  GError                   *error    = NULL;
  guint64                   estimate;

  work_init (&work, operation_of (data), 200);
  wf_context_set_memory_limit (context, 1);
  assert_refused (work_run (&work, context, &refusal), WF_ERROR_MEMORY);
  g_assert_true (guarded_image_is_untouched (work.out));
  wf_context_set_memory_limit (context, 2000);
  assert_refused (work_run (&work, context, &refusal), WF_ERROR_MEMORY);
  g_assert_true (guarded_image_is_untouched (work.out));

  /* A limit equal to the estimate is enough, and so is no limit. */
  estimate = foresee (context, operation_of (data), &work.image->view,
                      work_options (operation_of (data)), NULL);
  wf_context_set_memory_limit (context, estimate);
  g_assert_true (work_run (&work, context, &error));
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (work.out, expected->view.data), ==, -1);
  wf_context_set_memory_limit (context, 0);
  g_assert_true (work_run (&work, context, &error));
  g_assert_no_error (error);
}

/* The message gives a small limit in a small unit. */
static void
test_memory_words (void)
{
  g_autoptr (WfContext) context = new_cpu_context ();
  g_auto (Work)         work    = { 0 };
  g_autoptr (GError)    error   = NULL;

  work_init (&work, WF_OPERATION_RECONSTRUCT, 200);
  wf_context_set_memory_limit (context, 1500);
  g_assert_false (work_run (&work, context, &error));
  g_assert_nonnull (strstr (error->message, "only 1.5\302\240kB are allowed"));
}

#define KEPT_SIDE  300
#define KEPT_SLACK (48 << 20)

/* Returns the peak resident memory of this program, or 0 where the system does not provide it.
 * getrusage() is not used because it includes the peak of the parent process.
 */
static guint64
peak_bytes (void)
{
  g_autofree char *status = NULL;
  const char      *line;

  if (! g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;
  line = strstr (status, "VmHWM:");
  return line ? g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) * 1024 : 0;
}

/* Runs in a separate process, whose peak is that of the operation: even with the smallest tiles
 * the operation uses no more than the estimate.
 */
static void
test_memory_kept_inside (gconstpointer data)
{
  g_autoptr (WfContext)  context = wf_context_new ();
  g_auto (Work)          work    = { 0 };
  GError                *error   = NULL;
  guint64                before;
  guint64                estimate;

  configure (context, 2, 1);
  work_init (&work, operation_of (data), KEPT_SIDE);
  estimate = foresee (context, operation_of (data), &work.image->view, NULL, NULL);
  wf_context_set_memory_limit (context, estimate);
  before = peak_bytes ();
  if (! work_run (&work, context, &error))
    g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
  g_clear_error (&error);
  g_assert_cmpuint (peak_bytes () - before, <, estimate + KEPT_SLACK);
}

/* Runs the test of this path in a process of its own. */
static void
run_inside (const char *path)
{
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
  g_test_skip ("A sanitizer takes memory of its own.");
  return;
#endif

  if (peak_bytes () == 0)
    {
      g_test_skip ("This system does not report how much memory a program uses.");
      return;
    }
  g_test_trap_subprocess (path, 0, 0);
  g_test_trap_assert_passed ();
}

static void
test_memory_kept (gconstpointer data)
{
  g_autofree char *path = g_strdup_printf ("/memory/kept-inside/%s/subprocess",
                                           work_name (operation_of (data)));

  run_inside (path);
}


/*  Threads  */

#define MANY_THREADS 16
#define MANY_SLACK   (8 << 20)

/* Work that takes much for each thread, of an image with as many parts as threads; @radius: of a
 * filter
 */
typedef struct
{
  WfOperation operation;
  WfType      type;
  WfType      out_type;
  RefSize     size;
  int         radius;
} Wide;

static const Wide wides[] =
{
  { WF_OPERATION_MEDIAN, WF_TYPE_U16, WF_TYPE_U16, { 1000, 1000, 1 }, 10 },
  { WF_OPERATION_MEDIAN, WF_TYPE_U16, WF_TYPE_U16, { 1000, 1000, 1 }, 30 },
  { WF_OPERATION_DISTANCE, WF_TYPE_U8, WF_TYPE_F32, { 20000, 400, 1 }, 0 },
};

static char *
wide_path (const Wide *wide,
           const char *name,
           const char *suffix)
{
  return g_strdup_printf ("/memory/%s/%s-%d%s", name, work_name (wide->operation), wide->radius,
                          suffix);
}

/* A process takes no more with so many threads than is foreseen. */
static void
stay_inside (const Wide *wide,
             int         n_threads)
{
  g_autoptr (WfContext)     context = wf_context_new ();
  g_autoptr (GuardedImage)  image   = guarded_image_new (wide->type, &wide->size, FALSE);
  g_autoptr (GuardedImage)  out     = guarded_image_new (wide->out_type, &wide->size, FALSE);
  WfFilterOptions           filter;
  gconstpointer             options = NULL;
  GError                   *error   = NULL;
  guint64                   before, foreseen;

  if (wide->radius > 0)
    {
      wf_option_group_init (wf_operation_get_options (wide->operation), &filter);
      filter.radius = wide->radius;
      options       = &filter;
    }
  memset (image->view.data, 0, wide->size.width);       /* background, or other levels */
  configure (context, n_threads, 0);
  foreseen = foresee (context, wide->operation, &image->view, options, NULL);
  before   = peak_bytes ();
  g_assert_true (operation_call (wide->operation, context, &image->view, NULL, &out->view,
                                 options, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (peak_bytes () - before, <, foreseen + MANY_SLACK);
}

static void
test_one_thread_inside (gconstpointer wide)
{
  stay_inside (wide, 1);
}

static void
test_many_threads_inside (gconstpointer wide)
{
  stay_inside (wide, MANY_THREADS);
}

static void
test_threads_kept (gconstpointer data)
{
  const Wide      *wide = data;
  g_autofree char *one  = wide_path (wide, "one-thread-inside", "/subprocess");
  g_autofree char *many = wide_path (wide, "many-threads-inside", "/subprocess");

  run_inside (one);
  run_inside (many);
}

/* Whether each thread takes the same, beside what all share. */
static gboolean
is_even (WfOperation operation)
{
  return operation != WF_OPERATION_OPENING && operation != WF_OPERATION_CLOSING &&
         operation != WF_OPERATION_WHITE_TOP_HAT && operation != WF_OPERATION_BLACK_TOP_HAT;
}

/* Filters and what is built on them. */
static gboolean
takes_for_threads (WfOperation operation)
{
  const WfOptionGroup *group = wf_operation_get_options (operation);

  return operation != WF_OPERATION_MEDIAN &&
         (wf_option_group_find (group, "radius") || wf_option_group_find (group, "sigma"));
}

/* The estimate grows with the threads of the context, however many the machine has: those of a new
 * context are all of them.
 */
static void
test_threads (gconstpointer data)
{
  g_autoptr (WfContext) context = wf_context_new ();
  const WfOperation     operation = operation_of (data);
  guint64               bytes[3];
  guint8                nothing[1];
  WfImage               image;
  guint                 n_threads;

  wf_image_init (&image, WF_TYPE_U8, 3000, 2000, 1, nothing, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    {
      configure (context, 1 << i, 0);
      bytes[i] = foresee (context, operation, &image, NULL, &n_threads);
      g_assert_cmpuint (n_threads, ==, 1 << i);
    }
  g_assert_cmpuint (bytes[0], <=, bytes[1]);
  g_assert_cmpuint (bytes[1], <=, bytes[2]);
  if (is_even (operation))
    g_assert_cmpuint (bytes[2] - bytes[1], ==, 2 * (bytes[1] - bytes[0]));
  if (takes_for_threads (operation))
    g_assert_cmpuint (bytes[0], <, bytes[1]);

  configure (context, 0, 0);
  bytes[0] = foresee (context, operation, &image, NULL, &n_threads);
  configure (context, n_threads, 0);
  g_assert_cmpuint (foresee (context, operation, &image, NULL, NULL), ==, bytes[0]);
  g_assert_cmpuint (estimate_memory (operation, &image, NULL, NULL), ==, bytes[0]);
}

/* The estimate works for images larger than any memory and reads no pixels: here there are
 * none.
 */
static void
test_beyond_memory (gconstpointer data)
{
  WfImage   image;
  guint8    nothing[1];
  GError   *error = NULL;
  guint64   estimate;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 1 << 26, 1 << 26, 1, nothing, NULL));
  estimate = estimate_memory (operation_of (data), &image, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (estimate, >, G_GUINT64_CONSTANT (1) << 50);
}

static void
test_estimate (gconstpointer data)
{
  const WfType types[]   = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const gint64 sides[]   = { 1, 2, 10, 100, 1000, 10000, 100000, 1000000 };
  guint8       nothing[1];
  WfImage      image;
  GError      *error     = NULL;

  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    for (gint64 depth = 1; depth <= 3; depth += 2)
      {
        guint64 previous = 0;

        for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
          {
            guint64 estimate;

            wf_image_init (&image, operation_input_type (operation_of (data), types[k]),
                           sides[i], sides[i], depth, nothing, NULL);
            estimate = estimate_memory (operation_of (data), &image, NULL, &error);
            g_assert_no_error (error);
            g_assert_cmpuint (estimate, >, 0);
            g_assert_cmpuint (estimate, >=, previous);
            previous = estimate;
          }
      }
}

static void
test_estimate_refusals (gconstpointer data)
{
  const WfOptionGroup  *group     = wf_operation_get_options (operation_of (data));
  const WfOption       *option    = wf_option_group_find (group, "connectivity");
  g_autofree gpointer   options   = g_malloc0 (group->size);
  const WfType          refused[] = { WF_TYPE_U32, WF_TYPE_U64, WF_TYPE_F32, WF_TYPE_F64 };
  const guint           taken     = wf_operation_describe (operation_of (data))->inputs[0].types;
  guint8                nothing[8];
  WfImage               image;

  wf_image_init (&image, WF_TYPE_U8, 10, 10, 1, nothing, NULL);
  wf_option_group_init (group, options);
  if (option)
    {
      g_assert_true (wf_option_parse (option, options, "26", NULL));
      assert_refused (estimate_memory (operation_of (data), &image, options, &refusal) != 0,
                      WF_ERROR_INVALID);
      G_STRUCT_MEMBER (int, options, option->offset) = 5;
      assert_refused (estimate_memory (operation_of (data), &image, options, &refusal) != 0,
                      WF_ERROR_INVALID);
    }

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      if (taken & 1u << refused[i])
        continue;
      wf_image_init (&image, refused[i], 10, 10, 1, nothing, NULL);
      assert_refused (estimate_memory (operation_of (data), &image, NULL, &refusal) != 0,
                      WF_ERROR_INVALID);
    }
}

static void
add (const char    *name,
     const char    *suffix,
     GTestDataFunc  test)
{
  for (int operation = 0; operation < WF_N_OPERATIONS; operation++)
    {
      g_autofree char *path = g_strdup_printf ("/memory/%s/%s%s", name,
                                               work_name ((WfOperation) operation), suffix);

      if (work_describes ((WfOperation) operation))
        g_test_add_data_func (path, GINT_TO_POINTER (operation), test);
    }
}

static void
add_wide (const Wide    *wide,
          const char    *name,
          const char    *suffix,
          GTestDataFunc  test)
{
  g_autofree char *path = wide_path (wide, name, suffix);

  g_test_add_data_func (path, wide, test);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add ("limit", "", test_memory_limit);
  g_test_add_func ("/memory/words", test_memory_words);
  add ("kept", "", test_memory_kept);
  add ("kept-inside", "/subprocess", test_memory_kept_inside);
  add ("threads", "", test_threads);
  for (guint i = 0; i < G_N_ELEMENTS (wides); i++)
    {
      add_wide (&wides[i], "threads-kept", "", test_threads_kept);
      add_wide (&wides[i], "one-thread-inside", "/subprocess", test_one_thread_inside);
      add_wide (&wides[i], "many-threads-inside", "/subprocess", test_many_threads_inside);
    }
  add ("beyond", "", test_beyond_memory);
  add ("estimate", "", test_estimate);
  add ("estimate-refusals", "", test_estimate_refusals);

  return g_test_run ();
}
