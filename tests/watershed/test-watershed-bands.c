/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Watersheds that a GPU and the CPU share, in bands that suit GPUs and in others, against those of
 * the CPU: of images, and of what filters make of them, in memory and in blocks.
 */

#include <string.h>

#include "tests/support/block-store.h"
#include "tests/support/landscape.h"
#include "tests/support/random-image.h"
#include "tests/support/tiers.h"

/* Blocks that GPUs have visited so far. */
static gint64 n_on_gpus;

static gboolean
have_gpu (void)
{
  g_autoptr (GPtrArray) devices = wf_list_devices (NULL);

  return devices->len > 1;
}

static WfContext *
new_context (int rows)
{
  static const char *const lists[] = { "cuda:0,cpu", "all", "cuda:0" };
  WfContext               *context = wf_context_new ();
  WfContextOptions         where;

  wf_option_group_init (wf_context_get_options (), &where);
  where.device    = lists[g_test_rand_int_range (0, G_N_ELEMENTS (lists))];
  where.tile_size = rows;
  where.threads   = 2;
  where.fallback  = WF_FALLBACK_NONE;
  g_assert_true (wf_context_configure (context, &where, NULL));
  wf_context_set_partial_outputs (context, g_test_rand_bit ());
  return context;
}

static void
count_visits (WfContext *context)
{
  guint                 n;
  const WfWorkerReport *workers = wf_context_get_worker_reports (context, &n);

  for (guint i = 0; workers && i < n; i++)
    if (g_str_has_prefix (workers[i].device, "cuda"))
      n_on_gpus += workers[i].blocks;
}

static void
check (GuardedImage             *image,
       const WfWatershedOptions *options,
       int                       rows)
{
  const RefSize            size      = { image->view.width, image->view.height, 1 };
  const gboolean           files     = g_test_rand_bit ();
  g_autoptr (WfContext)    context   = new_context (files ? 0 : rows);
  g_autoptr (GuardedImage) expected  = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  g_autoptr (GError)       error     = NULL;
  g_auto (BlockStore)      source    = { 0 };
  g_auto (BlockStore)      labels    = { 0 };
  g_autoptr (WfContext)    cpu       = wf_context_new ();
  guint32                  n         = 0;
  guint32                  n_expected;
  WfContextOptions         where;

  wf_option_group_init (wf_context_get_options (), &where);
  where.device = "cpu";
  g_assert_true (wf_context_configure (cpu, &where, NULL));
  block_store_init (&source, image);
  block_store_init (&labels, guarded_image_new (WF_TYPE_U32, &size, FALSE));
  g_assert_true (wf_watershed (cpu, &image->view, NULL, &expected->view, &n_expected, options,
                               NULL));
  if (files)
    wf_watershed_blocks (context, &source.source, NULL, NULL, &labels.sink, &n, options,
                         BLOCKS_OF (rows), &error);
  else
    wf_watershed (context, &image->view, NULL, &labels.image->view, &n, options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (labels.image, expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (labels.image));
  g_assert_cmpuint (n, ==, n_expected);
  count_visits (context);
}

static GuardedImage *
new_image (WfType         type,
           const RefSize *size,
           const double  *levels)
{
  g_autofree gpointer  pixels = pack_levels (type, levels, ref_n_pixels (size));
  GuardedImage        *image  = guarded_image_new (type, size, FALSE);

  guarded_image_write (image, pixels);
  return image;
}

/* Landscapes and noise, plateaux over seams, and corridors that wind through the bands. */
static void
fill (int            kind,
      WfType         type,
      const RefSize *size,
      double        *levels)
{
  const gint64 n = ref_n_pixels (size);

  if (kind == 0)
    {
      make_landscape (type, size, g_test_rand_int_range (2, 9), levels);
      return;
    }
  for (gint64 p = 0; p < n; p++)
    levels[p] = kind == 1 ? g_test_rand_int_range (0, 4)
                : kind == 2 ? p / size->width / 40 % 2 : 7;
  if (kind == 3)
    levels[g_test_rand_int_range (0, n)] = 2;
  else if (kind == 4)
    make_corridor (size, 3, 200, levels);
  else if (kind == 5)
    make_corridor (size, 200, 3, levels);
}

static void
test_device (void)
{
  if (! have_gpu ())
    {
      g_test_skip ("no GPU");
      return;
    }
  for (guint i = 0; i < test_count (84, 840); i++)
    {
      const RefSize            size     = { g_test_rand_int_range (5, 200),
                                            g_test_rand_int_range (130, 500), 1 };
      const WfType             type     = random_type ();
      const int                rows     = i % 5 == 4 ? g_test_rand_int_range (20, 200)
                                                     : 64 * g_test_rand_int_range (1, 4);
      g_autofree double       *levels   = g_new (double, ref_n_pixels (&size));
      GuardedImage            *image;
      WfWatershedOptions       options;

      fill (i % 7, type, &size, levels);
      image = new_image (type, &size, levels);
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
      options.connectivity = g_test_rand_bit () ? 4 : 8;
      options.last_index   = g_test_rand_bit ();
      options.lines        = i % 11 == 10;
      options.gradient     = i % 3 == 2 ? g_test_rand_int_range (1, 4) : 0;
      options.smoothing    = i % 4 == 3 ? 1.5 : 0;
      check (image, &options, rows);
    }
  g_assert_cmpint (n_on_gpus, >, 0);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/watershed-bands/device", test_device);
  return g_test_run ();
}
