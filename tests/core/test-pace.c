/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Times that follow from paces, and the file where paces are kept: by another version or for
 * another device, damaged, hostile, or where none can be written.
 */

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "engine/core/pace.h"
#include "engine/core/tasks.h"
#include "tests/support/tiers.h"

#define CPU (&(WfPlace) { wf_backend_cpu (), 0, WF_OPERATION_DISTANCE, "local", 2 })
#define GPU (&(WfPlace) { &accelerator, 0, WF_OPERATION_DISTANCE, "local", 1 })

static char *cache;      /* the cache folder of this process */
static char *folder;     /* where Wavefront keeps its own in it */
static char *path;


/*  A device  */

static guint8 pinned_pixel;

static gboolean
describe (guint      device,
          WfDevice  *description,
          GError   **error)
{
  description->description = g_strdup (device < 2 ? "Some [accelerator]\n" : "Another");
  description->n_units     = 10;
  return TRUE;
}

static gboolean
is_pinned (gconstpointer address)
{
  return address == &pinned_pixel;
}

static WfBackend accelerator =
{
  .abi = WF_BACKEND_ABI, .kind = "cuda", .n_devices = 3, .describe = describe,
  .driver = "driver 1.0", .is_pinned = is_pinned,
};


/*  Files  */

static void
empty_cache (void)
{
  g_unlink (path);
  g_rmdir (path);
  g_unlink (folder);
  g_rmdir (folder);
  wf_pace_store_reload ();
}

static void
write_file (const char *text,
            gssize      length)
{
  GError *error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);
  wf_pace_store_reload ();
}

/* The file with one key of @place's group. */
static void
write_key (const WfPlace *place,
           const char    *key,
           const char    *value)
{
  g_autofree char *group = wf_pace_store_name (place);
  g_autofree char *text  = g_strdup_printf ("[%s]\n%s=%s\n", group, key, value);

  write_file (text, -1);
}

/* The rate of @place, and that it was measured; or 0. */
static double
measured_rate (const WfPlace *place)
{
  double   rate;
  double   latency;
  gboolean measured = wf_pace_find_rate (place, &rate, &latency);

  g_assert_true (isfinite (rate) && rate > 0 && isfinite (latency) && latency >= 0);
  return measured ? rate : 0;
}

static void
assert_near (double value,
             double expected)
{
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-3 * fabs (expected));
}


/*  Rates and times  */

static void
test_threads (void)
{
  WfPlace place = *CPU;

  write_key (CPU, "distance/local", "0 1:1e8 4:4e8 64:1.6e9");
  place.threads = 1;
  assert_near (measured_rate (&place), 1e8);
  place.threads = 2;
  assert_near (measured_rate (&place), 2e8);
  place.threads = 4;
  assert_near (measured_rate (&place), 4e8);
  place.threads = 16;
  assert_near (measured_rate (&place), 8e8);
  place.threads = 64;
  assert_near (measured_rate (&place), 1.6e9);
  place.threads = 4096;
  assert_near (measured_rate (&place), 1.6e9);
  place.algorithm = "envelope";
  g_assert_cmpfloat (measured_rate (&place), ==, 0);
  empty_cache ();
}

/* A rate that is measured by fewer threads is a guess for more. */
static void
test_beyond (void)
{
  WfPlace place   = *CPU;
  double  rate;
  double  latency;

  write_key (CPU, "distance/local", "0 2:1e8 4:2e8");
  place.threads = 1;
  g_assert_false (wf_pace_find_rate (&place, &rate, &latency));
  g_assert_cmpfloat (rate, <, 1e8);
  g_assert_cmpfloat (rate, >, 2e7);
  empty_cache ();
}

static void
test_adding (void)
{
  WfPlace place = *CPU;

  empty_cache ();
  for (int threads = 7; threads > 0; threads -= 2)
    {
      place.threads = (guint) threads;
      g_assert_true (threads == 7 || measured_rate (&place) == 0);
      wf_pace_add_rate (&place, threads * 1e8, 0);
      assert_near (measured_rate (&place), threads * 1e8);
    }
  place.threads = 7;
  wf_pace_add_rate (&place, 9e8, 0);
  assert_near (measured_rate (&place), 9e8);

  /* more numbers of threads than are kept; none of those before is lost */
  for (guint threads = 100; threads < 120; threads++)
    {
      place.threads = threads;
      wf_pace_add_rate (&place, 1e10, 0);
    }
  place.threads = 3;
  assert_near (measured_rate (&place), 3e8);
  empty_cache ();
}

/* GPUs of one model have the best of what was measured; others, and what was not measured, not. */
static void
test_alike (void)
{
  const WfLinkPace bad     = { { 1e8, 1e10 }, { 2e8, 3e8 } };
  const WfLinkPace good    = { { 1e9, 1e9 }, { 2e9, 2e10 } };
  WfPlace          second  = *GPU;
  WfPlace          another = *GPU;
  WfLinkPace       link;
  double           rate;
  double           latency;

  empty_cache ();
  second.device  = 1;
  another.device = 2;
  wf_pace_add_rate (&another, 1e12, 0);
  wf_pace_add_rate (GPU, 2.5e9, 1e-3);
  assert_near (measured_rate (GPU), 2.5e9);
  g_assert_cmpfloat (measured_rate (&second), ==, 0);
  wf_pace_add_rate (&second, 2.5e10, 2e-3);
  g_assert_true (wf_pace_find_rate (GPU, &rate, &latency));
  assert_near (rate, 2.5e10);
  assert_near (latency, 1e-3);
  g_assert_true (wf_pace_find_rate (&second, &rate, &latency));
  assert_near (rate, 2.5e10);
  assert_near (latency, 1e-3);
  assert_near (measured_rate (&another), 1e12);

  wf_pace_add_link (&second, &good);
  g_assert_false (wf_pace_find_link (GPU, &link));
  wf_pace_add_link (GPU, &bad);
  g_assert_true (wf_pace_find_link (GPU, &link));
  assert_near (link.up[0], 1e9);
  assert_near (link.up[1], 1e10);
  assert_near (link.down[0], 2e9);
  assert_near (link.down[1], 2e10);
  g_assert_false (wf_pace_find_link (&another, &link));
  empty_cache ();
}

/* Of u8: 1000 × 1000 pixels, 1 byte up and 4 down. */
static void
init_workload (WfWorkload     *workload,
               const WfImage  *image,
               WfImage        *out)
{
  WfDistanceTask task = { .image = image, .out = out };

  wf_workload_init (workload, WF_OPERATION_DISTANCE, &task, wf_image_n_pixels (image));
}

static void
test_times (void)
{
  guint8           pixel;
  WfImage          image;
  WfImage          out;
  WfWorkload       workload;
  WfExpectation    cpu;
  WfExpectation    gpu;
  WfPlace          single = *CPU;
  const WfLinkPace link   = { { 1e9, 1e10 }, { 2e9, 2e10 } };

  single.threads = 1;
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 1000, 1000, 1, &pixel, NULL));
  g_assert_true (wf_image_init (&out, WF_TYPE_F32, 1000, 1000, 1, &pixel, NULL));
  init_workload (&workload, &image, &out);
  wf_pace_expect (&single, &workload, &cpu);
  wf_pace_expect (GPU, &workload, &gpu);
  g_assert_false (cpu.measured || gpu.measured);

  wf_pace_add_rate (&single, 1e8, 0);
  wf_pace_add_rate (GPU, 1e10, 1e-3);
  wf_pace_expect (GPU, &workload, &gpu);
  g_assert_false (gpu.measured);               /* the link is not */
  wf_pace_add_link (GPU, &link);

  wf_pace_expect (&single, &workload, &cpu);
  wf_pace_expect (GPU, &workload, &gpu);
  g_assert_true (cpu.measured && gpu.measured);
  assert_near (cpu.seconds, 0.01);
  g_assert_cmpfloat (cpu.transfers, ==, 0);
  assert_near (gpu.transfers, 1e6 / 1e9 + 4e6 / 2e9);
  assert_near (gpu.seconds, 1e-3 + 1e-4 + gpu.transfers);

  /* from pinned memory; and f32, which has 8 bytes a pixel in and out, not 5 */
  g_assert_true (wf_image_init (&image, WF_TYPE_F32, 1000, 1000, 1, &pinned_pixel, NULL));
  init_workload (&workload, &image, &out);
  wf_pace_expect (&single, &workload, &cpu);
  wf_pace_expect (GPU, &workload, &gpu);
  assert_near (cpu.seconds, 0.01 * 8 / 5);
  assert_near (gpu.transfers, 4e6 / 1e10 + 4e6 / 2e9);
  empty_cache ();
}

/* A large disc takes longer than a small square, so it can be worth transfers that the square is
 * not.
 */
static void
test_effort (void)
{
  guint8           pixel;
  WfImage          image;
  WfWorkload       square;
  WfWorkload       disc;
  WfExpectation    times[4];
  WfFilterTask     task   = { .operation = WF_OPERATION_EROSION, .shape = { 1000, 1000, 1 },
                              .element = WF_ELEMENT_SQUARE, .radius = 1, .image = &image,
                              .out = &image };
  WfPlace          cpu    = *CPU;
  WfPlace          gpu    = *GPU;
  const WfLinkPace link   = { { 1e9, 1e9 }, { 1e9, 1e9 } };

  cpu.operation = gpu.operation = WF_OPERATION_EROSION;
  cpu.algorithm = gpu.algorithm = "windows";
  cpu.threads   = 1;
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 1000, 1000, 1, &pixel, NULL));
  wf_workload_init (&square, WF_OPERATION_EROSION, &task, 1000 * 1000);
  task.element = WF_ELEMENT_DISC;
  task.radius  = 30;
  wf_workload_init (&disc, WF_OPERATION_EROSION, &task, 1000 * 1000);
  g_assert_cmpfloat (square.scale, ==, 1.0);
  assert_near (disc.scale, 11.0);

  wf_pace_add_rate (&cpu, 1e9, 0);
  wf_pace_add_rate (&gpu, 1e10, 0);
  wf_pace_add_link (&gpu, &link);
  wf_pace_expect (&cpu, &square, &times[0]);
  wf_pace_expect (&gpu, &square, &times[1]);
  wf_pace_expect (&cpu, &disc, &times[2]);
  wf_pace_expect (&gpu, &disc, &times[3]);
  g_assert_cmpfloat (times[0].seconds, <, times[1].seconds);
  g_assert_cmpfloat (times[2].seconds, >, times[3].seconds);

  /* one that is larger than the image is no more work */
  task.radius = 1 << 20;
  wf_workload_init (&disc, WF_OPERATION_EROSION, &task, 1000 * 1000);
  assert_near (disc.scale, 1.0 + 1000.0 / 3);
  empty_cache ();
}


/*  The file  */

static void
test_kept (void)
{
  const WfLinkPace    link  = { { 1e9, 1e10 }, { 2e9, 2e10 } };
  g_autoptr (GError)  error = NULL;
  struct stat         found;
  WfLinkPace          read;

  wf_pace_add_rate (CPU, 1.5e8, 0);
  wf_pace_add_rate (GPU, 2.5e10, 1e-3);
  wf_pace_add_link (GPU, &link);
  g_assert_true (wf_pace_store_save (&error));
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (folder, &found), ==, 0);
  g_assert_cmpint (found.st_mode & 077, ==, 0);

  wf_pace_store_reload ();
  assert_near (measured_rate (CPU), 1.5e8);
  assert_near (measured_rate (GPU), 2.5e10);
  g_assert_true (wf_pace_find_link (GPU, &read));
  assert_near (read.up[1], 1e10);
  assert_near (read.down[0], 2e9);
  empty_cache ();
  g_assert_cmpfloat (measured_rate (CPU), ==, 0);
}

/* What another process has written meanwhile is not lost, and what belongs to another version, a
 * processor or a driver is neither used nor lost.
 */
static void
test_others (void)
{
  g_autofree char *group = wf_pace_store_name (GPU);
  g_autofree char *cpu   = wf_pace_store_name (CPU);
  g_autofree char *text  = NULL;
  g_autofree char *after = NULL;
  char            *at    = strstr (group, "driver 1.0");

  g_assert_nonnull (at);
  at[strlen ("driver ")] = '2';
  text = g_strdup_printf ("[%s]\ndistance/local=0 1:5e10\n[0.0.1%s]\ndistance/local=0 2:5e8\n",
                          group, strchr (cpu, ';'));
  empty_cache ();
  wf_pace_add_rate (CPU, 1e8, 0);              /* reads the file, which is not there */
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpfloat (measured_rate (GPU), ==, 0);
  g_assert_true (wf_pace_store_save (NULL));

  wf_pace_store_reload ();
  assert_near (measured_rate (CPU), 1e8);
  g_assert_cmpfloat (measured_rate (GPU), ==, 0);
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_nonnull (strstr (after, group));
  g_assert_nonnull (strstr (after, "[0.0.1"));
  empty_cache ();
}

/* The file does not grow with every driver. */
static void
test_many_groups (void)
{
  g_autoptr (GString)  text  = g_string_new (NULL);
  g_autoptr (GKeyFile) file  = g_key_file_new ();
  g_auto (GStrv)       all   = NULL;

  for (int i = 0; i < 100; i++)
    g_string_append_printf (text, "[machine %d]\ndistance/local=0 1:1e8\n", i);
  write_file (text->str, -1);
  wf_pace_add_rate (CPU, 1e8, 0);
  g_assert_true (wf_pace_store_save (NULL));
  g_assert_true (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL));
  all = g_key_file_get_groups (file, NULL);
  g_assert_cmpuint (g_strv_length (all), <=, 16);
  g_assert_true (g_strv_contains ((const char * const *) all, "machine 99"));
  wf_pace_store_reload ();
  assert_near (measured_rate (CPU), 1e8);
  empty_cache ();
}

static void
test_damaged (void)
{
  static const char *const values[] =
  {
    "", " ", "0", "0 ", "0 2", "0 2:", "0 2:fast", "0 2:1e8x", "x 2:1e8", "nan 2:1e8",
    "inf 2:1e8", "-1 2:1e8", "1e9 2:1e8", "0 2:nan", "0 2:inf", "0 2:-1e8", "0 2:0", "0 2:1e300",
    "0 2:1", "0 0:1e8", "0 -2:1e8", "0 1.5:1e8 2:1e8", "0 nan:1e8", "0 1e300:1e8", "0 2:1e8 1:1e8",
    "0 2:1e8 2:1e8", "0  2:1e8", "0 2:1e8 ", "0 2:1e8;", "0,5 2:1e8",
    "0 1:1e8 2:1e8 3:1e8 4:1e8 5:1e8 6:1e8 7:1e8 8:1e8 9:1e8 10:1e8 11:1e8 12:1e8 13:1e8",
  };
  WfLinkPace link;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      write_key (CPU, "distance/local", values[i]);
      g_test_message ("“%s”", values[i]);
      g_assert_cmpfloat (measured_rate (CPU), ==, 0);
    }
  write_key (CPU, "distance/local", "0 2:1e8");
  assert_near (measured_rate (CPU), 1e8);

  write_key (GPU, "up", "1e9 nan\ndown=1e9 1e9");
  g_assert_false (wf_pace_find_link (GPU, &link));
  g_assert_true (isfinite (link.up[1]) && link.up[1] > 0);
  write_key (GPU, "up", "1e9\ndown=1e9 1e9");
  g_assert_false (wf_pace_find_link (GPU, &link));
  write_key (GPU, "up", "1e9 1e9\ndown=1e9 1e9");
  g_assert_true (wf_pace_find_link (GPU, &link));
  empty_cache ();
}

/* Bytes that are no file of keys, and bits of one that were flipped. */
static void
test_noise (void)
{
  g_autofree char *group = wf_pace_store_name (CPU);
  g_autofree char *text  = g_strdup_printf ("[%s]\ndistance/local=0 1:1e8 4:4e8\n", group);
  const gsize      n     = strlen (text);

  write_file ("\0\377\376[", 4);
  g_assert_cmpfloat (measured_rate (CPU), ==, 0);
  write_file ("", 0);
  g_assert_cmpfloat (measured_rate (CPU), ==, 0);
  for (int i = 0; i < test_count (300, 5000); i++)
    {
      g_autofree char *damaged = g_memdup2 (text, n);
      double           rate;

      for (int k = g_test_rand_int_range (1, 4); k > 0; k--)
        damaged[g_test_rand_int_range (0, (gint32) n)] ^= 1 << g_test_rand_int_range (0, 8);
      write_file (damaged, (gssize) n);
      rate = measured_rate (CPU);
      g_assert_true (rate == 0 || (rate >= WF_PACE_MIN && rate <= WF_PACE_MAX));
      wf_pace_add_rate (CPU, 3e8, 0);
      g_assert_true (wf_pace_store_save (NULL));
      wf_pace_store_reload ();
      assert_near (measured_rate (CPU), 3e8);
    }
  empty_cache ();
}

/* What is no plain file of a sensible size is left alone, and makes nobody wait. */
static void
test_no_file (void)
{
  g_autofree char *large = g_malloc0 (1 << 20);

  memset (large, '\n', 1 << 20);
  write_file (large, 1 << 20);
  g_assert_cmpfloat (measured_rate (CPU), ==, 0);

  empty_cache ();
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_cmpfloat (measured_rate (CPU), ==, 0);
  wf_pace_add_rate (CPU, 1e8, 0);
  g_assert_false (wf_pace_store_save (NULL));

  empty_cache ();
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_cmpfloat (measured_rate (CPU), ==, 0);

  empty_cache ();
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (symlink ("pace.ini", path), ==, 0);
  g_assert_cmpfloat (measured_rate (CPU), ==, 0);
  empty_cache ();
}

/* Where the folder cannot be made, the process goes on with what it has measured. */
static void
test_unwritable (void)
{
  g_autoptr (GError) error = NULL;

  empty_cache ();
  g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  g_assert_cmpfloat (measured_rate (CPU), ==, 0);
  wf_pace_add_rate (CPU, 1e8, 0);
  g_assert_false (wf_pace_store_save (&error));
  g_assert_nonnull (error);
  assert_near (measured_rate (CPU), 1e8);
  empty_cache ();
}

static gpointer
keep_some (gpointer data)
{
  WfPlace place = *CPU;

  place.threads = GPOINTER_TO_UINT (data);
  for (int i = 0; i < 30; i++)
    {
      wf_pace_add_rate (&place, place.threads * 1e8, 0);
      g_assert_true (wf_pace_store_save (NULL));
      assert_near (measured_rate (&place), place.threads * 1e8);
    }
  return NULL;
}

static void
test_at_once (void)
{
  GThread *threads[4];

  empty_cache ();
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("keeper", keep_some, GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  wf_pace_store_reload ();
  assert_near (measured_rate (CPU), 2e8);
  empty_cache ();
}


int
main (int    argc,
      char **argv)
{
  int status;

  cache  = g_dir_make_tmp ("wavefront-test-XXXXXX", NULL);
  folder = g_build_filename (cache, "wavefront", NULL);
  path   = g_build_filename (folder, "pace.ini", NULL);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_unsetenv ("WAVEFRONT_PACE");
  tests_begin (&argc, &argv);

  g_test_add_func ("/pace/threads", test_threads);
  g_test_add_func ("/pace/beyond", test_beyond);
  g_test_add_func ("/pace/adding", test_adding);
  g_test_add_func ("/pace/alike", test_alike);
  g_test_add_func ("/pace/times", test_times);
  g_test_add_func ("/pace/effort", test_effort);
  g_test_add_func ("/pace/kept", test_kept);
  g_test_add_func ("/pace/others", test_others);
  g_test_add_func ("/pace/many-groups", test_many_groups);
  g_test_add_func ("/pace/damaged", test_damaged);
  g_test_add_func ("/pace/noise", test_noise);
  g_test_add_func ("/pace/no-file", test_no_file);
  g_test_add_func ("/pace/unwritable", test_unwritable);
  g_test_add_func ("/pace/at-once", test_at_once);

  status = g_test_run ();
  g_rmdir (cache);
  g_free (path);
  g_free (folder);
  g_free (cache);
  return status;
}
