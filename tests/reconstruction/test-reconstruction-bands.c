/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bands of a reconstruction that stay on a device: whatever is raised at their rims, or at the rims
 * of parts of them, in any order, the levels are those of the CPU, and the output has them.
 */

#include <string.h>

#include "engine/blocks/bands.h"
#include "tests/support/tiers.h"
#include "tests/support/variant-run.h"

/* How a device is made to stop early: see cuda/reconstruction/worklist.cu. */
#define HURRY "WAVEFRONT_CUDA_HURRY"

static const char *const hurries[] = { NULL, NULL, "launches", "levels", "planes" };

/**
 * Band:
 * @unit: pixels of a rim
 * @out: what the device has written; @levels: what it should be
 */
typedef struct
{
  WfShape     shape;
  WfType      type;
  WfDirection by;
  int         connectivity;
  gint64      unit;
  WfImage     mask;
  WfImage     out;
  WfImage     levels;
} Band;

static void
band_clear (Band *band)
{
  wf_image_clear (&band->mask);
  wf_image_clear (&band->out);
  wf_image_clear (&band->levels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Band, band_clear)

static void
set_pixel (WfType   type,
           gpointer pixels,
           gint64   i,
           int      level)
{
  if (type == WF_TYPE_U8)
    ((guint8 *) pixels)[i] = level;
  else if (type == WF_TYPE_U16)
    ((guint16 *) pixels)[i] = 250 * level;
  else
    ((float *) pixels)[i] = level == 100 ? -0.0f : (level - 100) / 8.0f;
}

static double
get_pixel (WfType        type,
           gconstpointer pixels,
           gint64        i)
{
  return type == WF_TYPE_U8 ? ((const guint8 *) pixels)[i] :
         type == WF_TYPE_U16 ? ((const guint16 *) pixels)[i] : ((const float *) pixels)[i];
}

/* A mask with ways through it, so that levels propagate far, and a marker of few pixels. */
static void
fill (Band *band)
{
  const int    walls  = g_test_rand_int_range (2, 12);
  const int    noise  = g_test_rand_int_range (1, 60);
  const int    seeds  = 1 << g_test_rand_int_range (0, 12);
  const int    lowest = band->by == WF_BY_DILATION ? 0 : 255;
  const gint64 n      = wf_shape_n_pixels (&band->shape);

  for (gint64 p = 0; p < n; p++)
    {
      const int value = p / band->shape.width % walls == 0 && g_test_rand_int_range (0, 30) > 0
                        ? g_test_rand_int_range (0, noise)
                        : 200 - g_test_rand_int_range (0, noise);
      const int mask  = band->by == WF_BY_DILATION ? value : 255 - value;

      set_pixel (band->type, band->mask.data, p, mask);
      set_pixel (band->type, band->out.data, p,
                 g_test_rand_int_range (0, seeds) == 0 ? g_test_rand_int_range (0, 256) : lowest);
    }
}

/* An image, a slice of a stack, whose rims are all of it, or some slices. */
static void
band_init (Band *band)
{
  static const int    connectivities[] = { 4, 8, 4, 8, 6, 26 };
  static const WfType types[]          = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const int           kind             = g_test_rand_int_range (0, 6);
  const gboolean      stack            = kind >= 4;
  const gboolean      slice            = ! stack && g_test_rand_int_range (0, 8) == 0;

  band->type         = types[g_test_rand_int_range (0, 3)];
  band->by           = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
  band->connectivity = connectivities[kind];
  band->shape        = (WfShape) { g_test_rand_int_range (1, stack ? 50 : 400),
                                   g_test_rand_int_range (1, stack ? 30 : 150),
                                   stack ? g_test_rand_int_range (2, 20) : 1 };
  band->unit         = band->shape.width * (stack || slice ? band->shape.height : 1);
  g_assert_true (wf_image_allocate (&band->mask, band->type, band->shape.width,
                                    band->shape.height, band->shape.depth, NULL) &&
                 wf_image_allocate (&band->out, band->type, band->shape.width,
                                    band->shape.height, band->shape.depth, NULL) &&
                 wf_image_allocate (&band->levels, band->type, band->shape.width,
                                    band->shape.height, band->shape.depth, NULL));
  fill (band);
  memcpy (band->levels.data, band->out.data, wf_image_n_pixels (&band->out) *
                                             wf_type_size (band->type));
}

/* Rows, or slices, of an image of the band. */
static WfImage
view_of (const Band    *band,
         const WfImage *image,
         gint64         first,
         gint64         end)
{
  WfImage view = *image;

  view.data = (char *) image->data + first * band->unit * wf_type_size (band->type);
  if (band->shape.depth > 1)
    view.depth = end - first;
  else if (band->unit == band->shape.width)
    view.height = end - first;
  return view;
}

/* A rim of these levels, raised at some pixels, up to the mask or beyond. */
static gpointer
make_rim (const Band    *band,
          const WfImage *levels,
          int            side)
{
  const gsize   size   = band->unit * wf_type_size (band->type);
  const gint64  start  = side == 0 ? 0 : wf_image_n_pixels (levels) - band->unit;
  const int     every  = 1 << g_test_rand_int_range (0, 8);
  char         *rim    = g_memdup2 ((char *) levels->data + start * wf_type_size (band->type),
                                    size);
  union         { guint8 u8; guint16 u16; float f32; } pixel;

  for (gint64 i = 0; i < band->unit; i++)
    {
      set_pixel (band->type, &pixel, 0, g_test_rand_int_range (0, 256));
      if (g_test_rand_int_range (0, every) == 0 &&
          (get_pixel (band->type, &pixel, 0) > get_pixel (band->type, rim, i)) ==
          (band->by == WF_BY_DILATION))
        memcpy (rim + i * wf_type_size (band->type), &pixel, wf_type_size (band->type));
    }
  return rim;
}

static void
run (const VariantDevice *device,
     WfReconstructTask   *task,
     int                  connectivity,
     const WfImage       *mask,
     const WfImage       *marker,
     WfImage             *out)
{
  g_autoptr (GError) error = NULL;
  const WfVariant   *variant;

  task->shape        = wf_image_shape (mask);
  task->connectivity = wf_bands_connectivity (connectivity, mask->depth);
  task->mask         = mask;
  task->marker       = marker;
  task->out          = out;
  variant            = variant_find (device, WF_OPERATION_RECONSTRUCT, NULL, task);
  g_assert_nonnull (variant);
  variant_run (device, variant, task, NULL, &error);
  g_assert_no_error (error);
}

/* One task on the rows, or slices, from @first to before @end. */
static void
visit (const VariantDevice *cpu,
       const VariantDevice *device,
       Band                *band,
       WfKeptBand          *kept,
       gint64               first,
       gint64               end)
{
  const gsize       size     = band->unit * wf_type_size (band->type);
  WfReconstructTask task     = { .type = band->type, .by = band->by };
  const gboolean    is_slice = band->shape.depth == 1 && band->unit > band->shape.width;
  WfImage           mask     = view_of (band, &band->mask, first, end);
  WfImage           out      = view_of (band, &band->out, first, end);
  WfImage           levels   = view_of (band, &band->levels, first, end);

  for (int side = 0; side < 2; side++)
    {
      g_autofree gpointer rim = g_test_rand_int_range (0, 4) > 0 ? make_rim (band, &levels, side)
                                                                 : NULL;

      if (side == 1 && (is_slice || end == first + 1))    /* they are the same */
        {
          kept->rims[1] = kept->rims[0];
          continue;
        }
      if (rim)
        memcpy ((char *) levels.data + (side == 0 ? 0 : (end - first - 1) * size), rim, size);
      kept->rims[side] = g_steal_pointer (&rim);
    }
  kept->first = first;
  run (cpu, &task, band->connectivity, &mask, &levels, &levels);
  task.kept = kept;
  run (device, &task, band->connectivity, &mask, &out, &out);
  if (kept->rims[1] != kept->rims[0])
    g_free ((gpointer) kept->rims[1]);
  g_free ((gpointer) kept->rims[0]);
  g_assert_cmpmem (band->out.data, wf_image_n_pixels (&band->out) * wf_type_size (band->type),
                   band->levels.data,
                   wf_image_n_pixels (&band->levels) * wf_type_size (band->type));
}

/* Returns how many tasks have gone on from the rims. */
static guint
check_band (const VariantDevice *cpu,
            const VariantDevice *device)
{
  g_auto (Band) band   = { 0 };
  WfKeptBand    kept   = { 0 };
  guint         n_on   = 0;
  const char   *hurry  = hurries[g_test_rand_int_range (0, G_N_ELEMENTS (hurries))];
  const int     parts  = g_test_rand_int_range (0, 4);
  gint64        units;

  band_init (&band);
  units          = wf_shape_n_pixels (&band.shape) / band.unit;
  kept.unit      = band.unit;
  kept.may_keep  = TRUE;
  kept.may_go_on = g_test_rand_int_range (0, 4) > 0;
  if (hurry)
    g_setenv (HURRY, hurry, TRUE);
  visit (cpu, device, &band, &kept, 0, units);
  g_assert_nonnull (kept.on_device);
  for (int i = 0; i < 5; i++)
    {
      const gint64 first = parts == 0 ? g_test_rand_int_range (0, units) : 0;
      const gint64 end   = parts == 0 ? g_test_rand_int_range (first, units) + 1 : units;

      n_on += kept.goes_on && first == 0 && end == units;
      visit (cpu, device, &band, &kept, first, end);
    }
  g_unsetenv (HURRY);
  device->backend->release (kept.on_device);
  return n_on;
}

static void
test_random (void)
{
  g_auto (VariantDevice) cpu    = { 0 };
  g_auto (VariantDevice) device = { 0 };
  const guint            n      = test_count (150, 1500);
  guint                  n_on   = 0;

  variant_device_init (&cpu, TRUE);
  if (! variant_device_init (&device, FALSE))
    return;
  for (guint i = 0; i < n || (n_on == 0 && i < 20 * n); i++)   /* few cases may have none */
    n_on += check_band (&cpu, &device);
  g_test_message ("%u tasks have gone on from the rims", n_on);
  g_assert_cmpuint (n_on, >, 0);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/reconstruction-bands/random", test_random);
  return g_test_run ();
}
