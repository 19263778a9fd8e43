/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "sharing.h"


const char *const device_lists[N_DEVICE_LISTS] =
{
  "all", "cuda:0,cuda:1", "cpu,cuda:2", "cuda:1,cuda:2,cuda:0", "cuda:1,cuda:1,cpu"
};

const char *
random_devices (void)
{
  return device_lists[g_test_rand_int_range (0, N_DEVICE_LISTS)];
}

/* @rows: of a block */
WfContext *
new_context (const char *devices,
             int         rows,
             WfFallback  fallback,
             gboolean    partial_outputs)
{
  WfContext        *context = wf_context_new ();
  WfContextOptions  options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device    = devices;
  options.threads   = 2;
  options.tile_size = rows;
  options.fallback  = fallback;
  g_assert_true (wf_context_configure (context, &options, NULL));
  wf_context_set_partial_outputs (context, partial_outputs);
  return context;
}

/* How many of 1000 calls of a fake device fail, and how many microseconds they wait at most. */
void
set_disturbance (int failures,
                 int delays)
{
  const struct { const char *name; int value; } numbers[] = {
    { "WAVEFRONT_FAKE_FAILURES", failures },
    { "WAVEFRONT_FAKE_DELAYS", delays },
    { "WAVEFRONT_FAKE_SEED", g_test_rand_int_range (0, G_MAXINT) }
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *text = g_strdup_printf ("%d", numbers[i].value);

      g_setenv (numbers[i].name, text, TRUE);
    }
}

GuardedImage *
new_packed (WfType         type,
            const RefSize *size,
            const double  *levels)
{
  g_autofree gpointer  pixels = pack_levels (type, levels, ref_n_pixels (size));
  GuardedImage        *image  = guarded_image_new (type, size, FALSE);

  guarded_image_write (image, pixels);
  return image;
}

/* A picture of any size. */
GuardedImage *
random_packed (WfType   type,
               Palette *palette,
               RefSize *size)
{
  g_autofree double *levels = NULL;

  random_size (size);
  levels = g_new (double, ref_n_pixels (size));
  random_palette (type, palette);
  random_content (size, palette, levels);
  return new_packed (type, size, levels);
}
