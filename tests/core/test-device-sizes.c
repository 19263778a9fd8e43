/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every call on every device gives the CPU's result, bit for bit, for all types and for sizes
 * at, below and above those of the kernels' blocks and tiles.
 */

#include "tests/support/device-calls.h"
#include "tests/support/tiers.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static const RefSize sizes[] =
{
  { 1, 1, 1 },    { 1, 37, 1 },    { 70, 1, 1 },    { 31, 31, 1 },    { 32, 32, 1 },
  { 33, 33, 1 },  { 64, 65, 1 },   { 127, 129, 1 }, { 256, 128, 1 },  { 257, 300, 1 },
  { 1025, 47, 1 }, { 3, 1500, 1 }, { 40000, 3, 1 }, { 640, 512, 1 },
  { 1, 1, 5 },    { 5, 1, 70 },    { 33, 31, 3 },   { 32, 64, 8 },    { 7, 6, 40 },
  { 129, 35, 6 },
};

/* The contents of the images. */
typedef enum
{
  BLOBS,        /* slopes and hollows with noise */
  PLATEAUX,     /* few levels in large patches */
  NOISE,        /* 1 % of the pixels are 0 */
  CORRIDOR,     /* one pixel wide, winding through the whole image */
  CONSTANT,
  SPARSE,       /* a few single pixels above 0 */
  N_CONTENTS
} Content;

/* A hash of @p, so that every run has the same noise. */
static guint32
noise_at (gint64 p)
{
  guint64 noise = (guint64) p * 0x9e3779b97f4a7c15u;

  noise = (noise ^ (noise >> 30)) * 0xbf58476d1ce4e5b9u;
  noise = (noise ^ (noise >> 27)) * 0x94d049bb133111ebu;
  return (noise ^ (noise >> 31)) >> 32;
}

static double
level_at (const RefSize *size,
          Content        content,
          gint64         p)
{
  const gint64 x   = p % size->width;
  const gint64 row = p / size->width;
  const gint64 u   = x % 46 < 23 ? x % 23 : 23 - x % 23;
  const gint64 v   = row % 38 < 19 ? row % 19 : 19 - row % 19;

  switch (content)
    {
    case BLOBS:
      return u * v / 4 + noise_at (p) % 3;
    case PLATEAUX:
      return (x / 9 * 7 + row / 11 * 5) % 4;
    case NOISE:
      return noise_at (p) % 100 ? 1 + noise_at (p) % 50 : 0;
    case CORRIDOR:
      return row % 2 == 0 || x == (row / 2 % 2 ? 0 : size->width - 1) ? 9 : 0;
    case CONSTANT:
      return 5;
    default:
      return noise_at (p) % 300 == 0 ? 7 : 0;
    }
}

static GuardedImage *
make_image (WfType         type,
            const RefSize *size,
            Content        content)
{
  const gint64       n      = ref_n_pixels (size);
  g_autofree double *levels = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    levels[p] = level_at (size, content, p);
  return guarded_image_new_levels (type, size, levels);
}

/* The second input: for reconstruction a marker below or above the image, otherwise labels of
 * a few seeds.
 */
static GuardedImage *
make_second (const DeviceCall *call,
             WfType            type,
             const RefSize    *size,
             Content           content)
{
  const gint64        n      = ref_n_pixels (size);
  const gboolean      seeds  = call->operation != WF_OPERATION_RECONSTRUCT;
  g_autofree double  *levels = g_new (double, n);
  g_autofree guint32 *labels = g_new (guint32, n);

  for (gint64 p = 0; p < n; p++)
    {
      const double   level  = level_at (size, content, p);
      const gboolean seeded = noise_at (p + 17) % 400 == 0 || p == n / 2;

      labels[p] = seeded ? 1 + noise_at (p + 23) % 1000 : 0;
      if (call->value == WF_BY_DILATION)
        levels[p] = seeded ? level : MAX (0, level - 40);
      else
        levels[p] = seeded ? level : level + 40;
    }
  return seeds ? guarded_image_new_labels (size, labels)
               : guarded_image_new_levels (type, size, levels);
}

/* Returns FALSE if the device refuses the call; otherwise its result must equal the CPU's. */
static gboolean
check_call (const DeviceCall *call,
            WfContext        *device,
            WfContext        *cpu,
            WfType            type,
            const RefSize    *size,
            Content           content)
{
  g_autoptr (GuardedImage) image    = make_image (type, size, content);
  g_autoptr (GuardedImage) second   = make_second (call, type, size, content);
  g_auto (DeviceResult)    result   = { 0 };
  g_auto (DeviceResult)    expected = { 0 };
  g_autoptr (GError)       error    = NULL;

  device_result_init (&expected, call, type, size, FALSE);
  device_result_init (&result, call, type, size, (content + size->width) % 2);
  device_call_run (call, cpu, &image->view, &second->view, &expected, &error);
  g_assert_no_error (error);
  if (! device_call_run (call, device, &image->view, &second->view, &result, &error))
    {
      if (! device_call_is_refused (error))
        g_assert_no_error (error);
      g_assert_true (device_result_untouched (&result));
      return FALSE;
    }
  if (! device_result_is_equal (&result, &expected))
    {
      g_test_message ("%s of %s, %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT
                      ", content %d: differs", call->name, wf_type_name (type), size->width,
                      size->height, size->depth, content);
      g_test_message ("first at %" G_GINT64_FORMAT "; number %u, should be %u",
                      guarded_image_find_difference (result.out, expected.out->view.data),
                      result.number, expected.number);
      g_test_fail ();
    }
  return TRUE;
}

typedef struct
{
  const char       *device;
  const DeviceCall *call;
} Test;

static void
run_test (gconstpointer data)
{
  const Test            *test   = data;
  g_autoptr (WfContext)  device = device_context_new (test->device);
  g_autoptr (WfContext)  cpu    = device_context_new ("cpu");
  guint                  done   = 0;
  guint                  asked  = 0;

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (Content content = 0; content < N_CONTENTS && ! g_test_failed (); content++)
        {
          if (! device_size_is_wanted (&sizes[s]) ||
              ! test_takes_turn (t + s + content + (test->call - device_calls), N_CONTENTS))
            continue;
          done += check_call (test->call, device, cpu, types[t], &sizes[s], content);
          asked++;
        }
  g_test_message ("%u of %u done", done, asked);
  if (done == 0)
    g_test_skip ("The device has no algorithm for this.");
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) names   = NULL;

  tests_begin (&argc, &argv);

  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    for (const DeviceCall *call = device_calls; call->name; call++)
      {
        g_autofree char *path = g_strdup_printf ("/device-sizes/%s/%s",
                                                 (const char *) names->pdata[i], call->name);
        const Test       test = { names->pdata[i], call };

        g_test_add_data_func_full (path, g_memdup2 (&test, sizeof test), run_test, g_free);
      }
  if (problem)
    g_test_add_data_func ("/device-sizes/none", problem, device_test_none);

  return g_test_run ();
}
