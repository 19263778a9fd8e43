/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Automatic choice between the CPU and the fake device (fake-device.c), by paces that a file
 * gives, by built-in estimates, and by what is measured when it matters.  Each case runs in a
 * process of its own, as paces are read once.
 */

#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "tests/support/pace-file.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

/* Side from which on a decision is worth a measurement, and one below it. */
#define WORTH_IT 2048
#define TOO_SMALL 2000

static char *scratch;


/*  Calls  */

static WfContext *
new_context (const char *device,
             int         threads)
{
  WfContextOptions  options = { sizeof (WfContextOptions), device, threads, 0, WF_FALLBACK_AUTO };
  WfContext        *context = wf_context_new ();
  GError           *error   = NULL;

  wf_context_configure (context, &options, &error);
  g_assert_no_error (error);
  return context;
}

/* Of a distance map of @side²; no pixel is read. */
static WfForecast *
forecast_of (const char *device,
             gint64      side,
             int         threads)
{
  g_autoptr (WfContext)  context = new_context (device, threads);
  GError                *error   = NULL;
  guint8                 pixel;
  WfImage                image;
  WfForecast            *forecast;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, side, side, 1, &pixel, NULL));
  forecast = wf_context_forecast (context, WF_OPERATION_DISTANCE, &image, NULL, &error);
  g_assert_no_error (error);
  assert_sentence (forecast->reason);
  return forecast;
}

static void
check_choice (gint64      side,
              int         threads,
              const char *device,
              const char *words)
{
  g_autoptr (WfForecast) forecast = forecast_of ("auto", side, threads);

  g_test_message ("%d², %d threads: %s: %s", (int) side, threads, forecast->device,
                  forecast->reason);
  g_assert_cmpstr (forecast->device, ==, device);
  g_assert_nonnull (strstr (forecast->reason, words));
}

/* Computes a distance map, and returns the context with its report. */
static WfContext *
compute (const char *device,
         gint64      side,
         GError    **error)
{
  WfContext      *context = new_context (device, 2);
  g_auto (WfImage) image  = { 0 };
  g_auto (WfImage) out    = { 0 };

  g_assert_true (wf_image_allocate (&image, WF_TYPE_U8, side, side, 1, NULL));
  g_assert_true (wf_image_allocate (&out, WF_TYPE_F32, side, side, 1, NULL));
  memset (image.data, 1, (gsize) (side * side));
  memset (image.data, 0, (gsize) side);
  wf_distance (context, &image, &out, NULL, NULL, error);
  return context;
}

/* What the device has done. */
static char *
read_log (void)
{
  char *text = NULL;

  return g_file_get_contents (g_getenv ("WAVEFRONT_FAKE_LOG"), &text, NULL, NULL) ? text
                                                                               : g_strdup ("");
}

static char *
read_kept (void)
{
  g_autofree char *path = g_build_filename (scratch, "wavefront", "pace.ini", NULL);
  char            *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

/* What is not about cached paces starts without any. */
static void
forget_kept (void)
{
  g_autofree char *folder = g_build_filename (scratch, "wavefront", NULL);
  g_autofree char *path   = g_build_filename (folder, "pace.ini", NULL);

  g_unlink (path);
  g_rmdir (folder);
  g_unlink (g_getenv ("WAVEFRONT_FAKE_LOG"));
}


/*  Cases, in processes of their own  */

static void
write_paces (const char *text)
{
  g_autofree char *path = g_build_filename (scratch, "paces", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_setenv ("WAVEFRONT_PACE", path, TRUE);
}

/* A machine with sixteen fast cores and a link that is slower than they are. */
static void
case_threads (void)
{
  write_paces ("[cpu]\n"
               "distance/local=0 1:8e8 2:1.5e9 16:9.6e9\n"
               "[cuda:0]\n"
               "up=25e9 55e9\n"
               "down=31e9 55e9\n"
               "distance/local=0.0002 1:4e11\n");
  check_choice (8192, 16, "cpu",
                "CPU: 7.0 ms expected; cuda:0: 12 ms, of which 11 ms are transfers.");
  check_choice (8192, 2, "cuda:0",
                "CPU: 45 ms expected; cuda:0: 12 ms, of which 11 ms are transfers.");
  check_choice (8192, 12, "cpu", "expected");
  check_choice (8192, 4, "cuda:0", "expected");
}

/* A slow start of the device makes it the choice for large images only. */
static void
case_sizes (void)
{
  g_autoptr (WfForecast) forecast = NULL;

  write_paces ("[cpu]\n"
               "distance/local=0 1:1e9 16:1e9\n"
               "[cuda:0]\n"
               "up=1e10 1e10\n"
               "down=1e10 1e10\n"
               "distance/local=0.01 1:1e12\n");
  check_choice (1000, 2, "cpu", "too small");
  check_choice (2000, 2, "cpu", "CPU: 4.0 ms expected; cuda:0: 12 ms, of which 2.0 ms");
  check_choice (4000, 2, "cpu", "CPU: 16 ms expected; cuda:0: 18 ms");
  check_choice (5000, 2, "cuda:0", "CPU: 25 ms expected; cuda:0: 23 ms");
  check_choice (60000, 2, "cuda:0", "CPU: 3.6 s expected; cuda:0: 1.8 s");

  forecast = forecast_of ("auto", 5000, 2);
  g_assert_cmpfloat_with_epsilon (forecast->seconds, 0.022525, 1e-6);
  g_assert_cmpfloat_with_epsilon (forecast->transfer_seconds, 0.0125, 1e-6);
}

/* A device that is chosen by name is not weighed. */
static void
case_by_name (void)
{
  g_autoptr (WfForecast) cpu = NULL;
  g_autoptr (WfForecast) gpu = NULL;

  pace_file_use (1e12, 1e6, 1e6);
  cpu = forecast_of ("cpu", 8192, 2);
  gpu = forecast_of ("cuda:0", 8192, 2);
  g_assert_cmpstr (cpu->device, ==, "cpu");
  g_assert_cmpstr (gpu->device, ==, "cuda:0");
  g_assert_nonnull (strstr (gpu->reason, "was chosen"));
  g_assert_cmpfloat (gpu->seconds, ==, 0);
  check_choice (8192, 2, "cpu",
                "CPU: 0.1 ms expected; cuda:0: 403 s, of which 336 s are transfers.");
  pace_file_remove ();
}

/* Nothing is measured by a forecast. */
static void
case_estimates (void)
{
  g_autoptr (WfForecast) large = forecast_of ("auto", 8192, 1);
  g_autoptr (WfForecast) small = forecast_of ("auto", TOO_SMALL, 1);
  g_autofree char       *log   = NULL;

  g_assert_nonnull (strstr (large->reason, "estimated"));
  g_assert_nonnull (strstr (small->reason, "estimated"));
  log = read_log ();
  g_assert_cmpstr (log, ==, "");
}

/* The report has the sentence of the forecast. */
static void
case_report (void)
{
  g_autoptr (WfContext)  context  = NULL;
  g_autoptr (WfContext)  named    = NULL;
  g_autoptr (WfForecast) forecast = NULL;
  GError                *error    = NULL;

  pace_file_use (1e6, 1e12, 1e10);
  forecast = forecast_of ("auto", 1100, 2);
  context  = compute ("auto", 1100, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wf_context_get_report (context)->device, ==, "cuda:0");
  g_assert_cmpstr (wf_context_get_report (context)->reason, ==, forecast->reason);
  g_assert_nonnull (strstr (forecast->reason, "CPU: 1.2 s expected"));

  named = compute ("cpu", 1100, &error);
  g_assert_nonnull (strstr (wf_context_get_report (named)->reason, "was chosen"));
  pace_file_remove ();
}

/* A small image measures nothing, though estimates are close; a large one what the decision
 * lacks, once; and what it has found is kept.
 */
static void
case_measuring (void)
{
  g_autoptr (WfContext)  small  = NULL;
  g_autoptr (WfContext)  large  = NULL;
  g_autoptr (WfContext)  again  = NULL;
  g_autofree char       *before = NULL;
  g_autofree char       *after  = NULL;
  g_autofree char       *last   = NULL;
  g_autofree char       *kept   = NULL;
  GError                *error  = NULL;

  small  = compute ("auto", TOO_SMALL, &error);
  g_assert_no_error (error);
  before = read_log ();
  g_assert_null (strchr (before, 'l'));
  kept = read_kept ();
  g_assert_cmpstr (kept, ==, "");

  large = compute ("auto", WORTH_IT, &error);
  g_assert_no_error (error);
  after = read_log ();
  g_assert_cmpuint (strlen (after), >, strlen (before) + 1);
  g_assert_nonnull (strchr (after, 'l'));
  g_assert_nonnull (strstr (wf_context_get_report (large)->reason, "expected"));
  g_free (kept);
  kept = read_kept ();
  g_assert_nonnull (strstr (kept, "Fake accelerator; driver 1.0"));
  g_assert_nonnull (strstr (kept, "distance/local"));
  g_assert_null (strstr (kept, "label/"));

  again = compute ("auto", WORTH_IT, &error);
  last  = read_log ();
  g_assert_cmpuint (strlen (last), <=, strlen (after) + 1);
}

/* The next process finds them. */
static void
case_kept (void)
{
  g_autoptr (WfForecast) forecast = forecast_of ("auto", WORTH_IT, 2);
  g_autofree char       *log      = NULL;

  g_assert_nonnull (strstr (forecast->reason, "expected"));
  log = read_log ();
  g_assert_cmpstr (log, ==, "");
}

/* A device whose link cannot be measured is estimated, and tried once in a process. */
static void
case_broken (void)
{
  g_autoptr (WfContext)  first  = NULL;
  g_autoptr (WfContext)  second = NULL;
  g_autofree char       *log    = NULL;
  GError                *error  = NULL;

  first = compute ("auto", WORTH_IT, &error);
  g_assert_no_error (error);
  second = compute ("auto", WORTH_IT, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (wf_context_get_report (second)->reason, "estimated"));
  log = read_log ();
  g_assert_nonnull (strchr (log, 'l'));
  g_assert_true (strchr (log, 'l') == strrchr (log, 'l'));
}

/* A machine without a GPU measures nothing unasked. */
static void
case_no_gpu (void)
{
  g_autoptr (WfContext)  context = NULL;
  g_autofree char       *kept    = NULL;
  GError                *error   = NULL;

  g_setenv ("WAVEFRONT_MODULE_DIR", "/nowhere", TRUE);
  context = compute ("auto", 2 * WORTH_IT, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (wf_context_get_report (context)->reason, "/nowhere"));
  kept = read_kept ();
  g_assert_cmpstr (kept, ==, "");
}

static const struct
{
  const char  *name;
  void      (* run)  (void);
  const char  *link;       /* the fake link's pace, or NULL for a broken one */
  gboolean     keeps;      /* what the case before it has measured */
} cases[] =
{
  { "threads",   case_threads,   NULL,  FALSE },
  { "sizes",     case_sizes,     NULL,  FALSE },
  { "by-name",   case_by_name,   NULL,  FALSE },
  { "estimates", case_estimates, "1e9", FALSE },
  { "report",    case_report,    NULL,  FALSE },
  { "broken",    case_broken,    NULL,  FALSE },
  { "no-gpu",    case_no_gpu,    NULL,  FALSE },
  { "measuring", case_measuring, "5e9", FALSE },
  { "kept",      case_kept,      "5e9", TRUE },
};

static void
run_case (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);

  if (g_test_subprocess ())
    {
      cases[i].run ();
      return;
    }
  if (cases[i].keeps)
    g_unlink (g_getenv ("WAVEFRONT_FAKE_LOG"));
  else
    forget_kept ();
  if (cases[i].link)
    g_setenv ("WAVEFRONT_FAKE_LINK", cases[i].link, TRUE);
  else
    g_unsetenv ("WAVEFRONT_FAKE_LINK");
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDOUT |
                                   G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int    argc,
      char **argv)
{
  const char      *inherited = g_getenv ("WAVEFRONT_TEST_SCRATCH");
  g_autofree char *log       = NULL;
  int              status;

  scratch = inherited ? g_strdup (inherited) : g_dir_make_tmp ("wavefront-test-XXXXXX", NULL);
  log     = g_build_filename (scratch, "log", NULL);
  g_setenv ("WAVEFRONT_TEST_SCRATCH", scratch, TRUE);
  g_setenv ("WAVEFRONT_FAKE_LOG", log, TRUE);
  g_setenv ("XDG_CACHE_HOME", scratch, TRUE);
  g_setenv ("WAVEFRONT_PACE_KEEP", "always", TRUE);
  tests_begin (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/pace-choice/%s", cases[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), run_case);
    }
  status = g_test_run ();
  if (! inherited)
    {
      g_autofree char *paces = g_build_filename (scratch, "paces", NULL);

      forget_kept ();
      g_unlink (paces);
      g_rmdir (scratch);
    }
  g_free (scratch);
  return status;
}
