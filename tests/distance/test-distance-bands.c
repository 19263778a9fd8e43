/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps of bands, by each variant of each device that knows of them: those of a whole
 * image against the whole, those of bands in an image that is only imagined against the CPU's
 * `envelope`.
 */

#include <math.h>
#include <string.h>

#include "engine/distance/cpu/distance.h"
#include "tests/support/tiers.h"
#include "tests/support/variant-run.h"

/* What the engine hands to a variant, with its memory. */
typedef struct
{
  WfDistanceTask  task;
  WfDistanceBand  band;
  WfImage         image;
  WfImage         out;
  WfImage         nearest;
  gboolean        no_background;
  gint32         *ends[4];
  gint32         *since;
} Band;

static gint64
count_columns (const Band *band)
{
  return wf_shape_step (&band->task.shape, band->band.axis);
}

static void
band_clear (Band *band)
{
  wf_image_clear (&band->image);
  wf_image_clear (&band->out);
  wf_image_clear (&band->nearest);
  for (int i = 0; i < 4; i++)
    g_free (band->ends[i]);
  g_free (band->since);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Band, band_clear)

static void
allocate_image (WfImage       *image,
                WfType         type,
                const WfShape *shape)
{
  g_assert_true (wf_image_allocate (image, type, shape->width, shape->height, shape->depth, NULL));
}

static WfType
out_type (const WfDistanceTask *task)
{
  return task->metric != WF_METRIC_SQUARED ? WF_TYPE_F32
         : task->exact_integers ? WF_TYPE_U64 : WF_TYPE_F64;
}

/* A band of a task with the same options. */
static void
band_init (Band                 *band,
           const WfDistanceTask *options,
           const WfShape        *shape,
           WfType                type,
           int                   axis,
           gint64                first,
           gint64                length)
{
  const gint64 n = wf_shape_n_pixels (shape);

  *band = (Band) { .task = *options };
  allocate_image (&band->image, type, shape);
  allocate_image (&band->out, out_type (options), shape);
  allocate_image (&band->nearest, WF_TYPE_U64, shape);
  band->since = g_new (gint32, n);
  for (gint64 p = 0; p < n; p++)
    band->since[p] = WF_NO_SITE;

  band->task.shape         = *shape;
  band->task.image         = &band->image;
  band->task.out           = &band->out;
  band->task.no_background = &band->no_background;
  band->band = (WfDistanceBand) { .axis = axis, .first = first, .length = length,
                                  .since = band->since };
  for (int i = 0; i < 4; i++)
    {
      band->ends[i] = g_new (gint32, count_columns (band));
      for (gint64 x = 0; x < count_columns (band); x++)
        band->ends[i][x] = WF_NO_SITE;
      (i % 2 ? band->band.after : band->band.before)[i / 2] = band->ends[i];
    }
}

/* The whole is a band without ends; it is its own reference. */
static void
set_whole (Band *band)
{
  band->task.band = NULL;
}


/*  Random images  */

static void
random_options (WfDistanceTask *task)
{
  static const double spacings[][3] = { { 1, 1, 2 }, { 0.1, 0.3, 0.7 }, { 3, 2, 1 },
                                        { 1, 1e-9, 1 }, { 1e9, 1, 3 } };

  *task = (WfDistanceTask) { .metric            = g_test_rand_int_range (0, 4),
                             .threshold         = g_test_rand_bit () ? NAN : 1,
                             .border_background = g_test_rand_bit (),
                             .exact_integers    = g_test_rand_int_range (0, 3) > 0,
                             .spacing           = { 1, 1, 1 },
                             .connectivity      = 8 };
  task->signed_distance = task->metric != WF_METRIC_SQUARED && g_test_rand_bit ();
  if (! task->exact_integers)
    memcpy (task->spacing, spacings[g_test_rand_int_range (0, G_N_ELEMENTS (spacings))],
            sizeof task->spacing);
}

static void
set_pixel (WfImage *image,
           gint64   p,
           int      level)
{
  if (image->type == WF_TYPE_U8)
    ((guint8 *) image->data)[p] = level;
  else if (image->type == WF_TYPE_U16)
    ((guint16 *) image->data)[p] = level * 200;
  else
    ((float *) image->data)[p] = level * 0.75f;
}

/* From none to all pixels at random, or a few sites only, in boxes without any. */
static void
fill_image (WfImage *image)
{
  const gint64 n     = wf_image_n_pixels (image);
  const int    every = 1 << g_test_rand_int_range (0, 14);
  const int    other = g_test_rand_int_range (1, 4);
  const gint64 begin = g_test_rand_bit () ? 0 : g_test_rand_int_range (0, (gint32) n);
  const gint64 end   = g_test_rand_bit () ? n : g_test_rand_int_range (0, (gint32) n);
  const gboolean is  = g_test_rand_bit ();

  for (gint64 p = 0; p < n; p++)
    {
      const gboolean site = p >= begin && p < end && g_test_rand_int_range (0, every) == 0;

      set_pixel (image, p, site == is ? 0 : other);
    }
}

static WfType
random_type (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  return types[g_test_rand_int_range (0, 3)];
}

/* Sometimes wide, so that some pixels are far from all sites. */
static WfShape
random_shape (gboolean stack)
{
  const int wide = g_test_rand_int_range (0, 5);

  if (stack)
    return (WfShape) { g_test_rand_int_range (1, wide == 0 ? 200 : 12),
                       g_test_rand_int_range (1, wide == 1 ? 200 : 12),
                       g_test_rand_int_range (2, wide == 2 ? 300 : 50) };
  return (WfShape) { g_test_rand_int_range (1, wide == 0 ? 700 : 60),
                     g_test_rand_int_range (1, wide == 1 ? 400 : 90), 1 };
}


/*  Comparing  */

static void
run_band (const VariantDevice *device,
          const WfVariant     *variant,
          Band                *band,
          gboolean             nearest)
{
  g_autoptr (GError) error = NULL;

  band->task.nearest = nearest ? &band->nearest : NULL;
  g_assert_true (variant_run (device, variant, &band->task, NULL, &error));
  g_assert_no_error (error);
}

/* Whether the rows of @band are those of @whole from pixel number @first on. */
static void
compare (const WfImage *band,
         const WfImage *whole,
         gint64         first,
         const char    *algorithm)
{
  const gsize  size = wf_type_size (band->type);
  const gint64 n    = wf_image_n_pixels (band);

  for (gint64 p = 0; p < n; p++)
    if (memcmp ((const char *) band->data + p * size,
                (const char *) whole->data + (p + first) * size, size) != 0)
      {
        g_test_message ("%s: pixel %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " × %"
                        G_GINT64_FORMAT " × %" G_GINT64_FORMAT, algorithm, p, band->width,
                        band->height, band->depth);
        g_test_fail ();
        return;
      }
}

/* Each variant of @device that knows of bands. */
static guint
check_variants (const VariantDevice *device,
                Band                *band,
                gboolean             nearest,
                const Band          *expected,
                gint64               first)
{
  guint n = 0;

  for (const WfVariant *variant = device->backend->variants[WF_OPERATION_DISTANCE];
       variant->algorithm; variant++)
    {
      band->task.nearest = nearest ? &band->nearest : NULL;
      if (! variant->supports || variant->supports (&band->task))
        {
          memset (band->out.data, 0x55,
                  wf_image_n_pixels (&band->out) * wf_type_size (band->out.type));
          run_band (device, variant, band, nearest);
          compare (&band->out, &expected->out, first, variant->algorithm);
          if (nearest)
            compare (&band->nearest, &expected->nearest, first, variant->algorithm);
          n++;
        }
    }
  return n;
}

/* The first or last site of each column of @whole from @from up to @to. */
static void
find_sites (const Band    *whole,
            const guint8  *marks,
            int            kind,
            gboolean       last,
            gint64         from,
            gint64         to,
            gint32        *positions)
{
  const gint64 n = count_columns (whole);

  for (gint64 x = 0; x < n; x++)
    {
      positions[x] = WF_NO_SITE;
      for (gint64 i = from; i < to; i++)
        if (marks[i * n + x] == kind && (last || positions[x] == WF_NO_SITE))
          positions[x] = i;
    }
}

static void
find_ends (const Band   *whole,
           const guint8 *marks,
           Band         *band,
           gint64        end)
{
  const gint64 length = band->band.length;

  for (int kind = 0; kind < 2; kind++)
    {
      gint32 *before = band->ends[2 * kind];
      gint32 *after  = band->ends[2 * kind + 1];

      find_sites (whole, marks, kind, TRUE, 0, band->band.first, before);
      find_sites (whole, marks, kind, FALSE, end, length, after);
      for (gint64 x = 0; kind == 0 && band->task.border_background && x < count_columns (band); x++)
        {
          before[x] = before[x] == WF_NO_SITE ? -1 : before[x];
          after[x]  = after[x] == WF_NO_SITE ? length : after[x];
        }
    }
}

/* Each position in one of the results, and some results not wanted. */
static void
check_summary (const VariantDevice *device,
               const Band          *whole,
               const guint8        *marks,
               Band                *band,
               gint64               end)
{
  const gint64         n       = count_columns (band);
  const int            kinds   = wf_distance_count_kinds (&band->task);
  WfDistanceTask       task    = band->task;
  WfDistanceBand       summary = band->band;
  gint32              *found[4];
  g_autofree gint32   *sites   = g_new (gint32, n);
  g_autoptr (GError)   error   = NULL;
  const WfVariant     *variant;

  for (int i = 0; i < 4; i++)
    {
      found[i] = g_test_rand_int_range (0, 4) > 0 ? g_new0 (gint32, n) : NULL;
      (i % 2 ? summary.lasts : summary.firsts)[i / 2] = found[i];
    }
  task.out  = task.nearest = NULL;
  task.band = &summary;
  variant   = variant_find (device, WF_OPERATION_DISTANCE, NULL, &task);
  g_assert_nonnull (variant);
  g_assert_cmpstr (variant->algorithm, ==, "envelope");
  g_assert_true (variant_run (device, variant, &task, NULL, &error));
  for (int i = 0; i < 4; i++)
    {
      if (found[i] && i / 2 < kinds)
        {
          find_sites (whole, marks, i / 2, i % 2, band->band.first, end, sites);
          g_assert_cmpmem (found[i], n * sizeof (gint32), sites, n * sizeof (gint32));
        }
      g_free (found[i]);
    }
}

/* One band of the whole, whose distances are known. */
static guint
check_band (const VariantDevice *device,
            const VariantDevice *cpu,
            const Band          *whole,
            const guint8        *marks,
            gint64               first,
            gint64               end)
{
  const int       axis    = whole->band.axis;
  const gint64    step    = count_columns (whole);
  const WfShape  *shape   = &whole->task.shape;
  const WfShape   size    = { shape->width, axis == 1 ? end - first : shape->height,
                              axis == 2 ? end - first : 1 };
  const gsize     a_pixel = wf_type_size (whole->image.type);
  g_auto (Band)   band    = { 0 };
  g_auto (Band)   nearest = { 0 };
  guint           n;

  band_init (&band, &whole->task, &size, whole->image.type, axis, first,
             wf_shape_along (shape, axis));
  band.task.band = &band.band;
  memcpy (band.image.data, (const char *) whole->image.data + first * step * a_pixel,
          (end - first) * step * a_pixel);
  find_ends (whole, marks, &band, end);
  check_summary (device, whole, marks, &band, end);
  n = check_variants (device, &band, FALSE, whole, first * step);

  /* nearest pixels against the CPU's: some are searched for above the band later */
  run_band (cpu, variant_find (cpu, WF_OPERATION_DISTANCE, "envelope", &band.task), &band, TRUE);
  allocate_image (&nearest.nearest, WF_TYPE_U64, &size);
  memcpy (nearest.nearest.data, band.nearest.data, (end - first) * step * sizeof (guint64));
  allocate_image (&nearest.out, band.out.type, &size);
  memcpy (nearest.out.data, band.out.data,
          (end - first) * step * wf_type_size (band.out.type));
  check_variants (device, &band, TRUE, &nearest, 0);
  return n;
}


/*  Tests  */

static void
test_whole (gconstpointer data)
{
  g_auto (VariantDevice) cpu    = { 0 };
  g_auto (VariantDevice) device = { 0 };
  guint                  n      = 0;

  variant_device_init (&cpu, TRUE);
  if (! variant_device_init (&device, data != NULL))
    return;
  for (guint i = 0; i < test_count (200, 2000); i++)
    {
      const gboolean       stack  = g_test_rand_bit ();
      const int            axis   = stack ? 2 : 1;
      const WfShape        shape  = random_shape (stack);
      const gint64         length = wf_shape_along (&shape, axis);
      const gint64         rows   = g_test_rand_int_range (1, (gint32) length + 1);
      g_autofree guint8   *marks  = g_new (guint8, wf_shape_n_pixels (&shape));
      g_auto (Band)        whole  = { 0 };
      WfDistanceTask       options;

      random_options (&options);
      band_init (&whole, &options, &shape, random_type (), axis, 0, length);
      set_whole (&whole);
      fill_image (&whole.image);
      wf_distance_mark (&whole.task, marks);
      run_band (&cpu, variant_find (&cpu, WF_OPERATION_DISTANCE, "envelope", &whole.task), &whole,
                FALSE);
      for (gint64 first = 0; first < length; first += rows)
        n += check_band (&device, &cpu, &whole, marks, first, MIN (first + rows, length));
    }
  g_assert_cmpuint (n, >, 0);
}

/* Sites beyond a band at all distances at which something changes in a variant. */
static gint64
random_distance (void)
{
  static const int distances[] = { 1, 2, 31, 32, 33, 64, 65, 66, 95, 96, 97, 128, 129, 130, 149,
                                   150, 160, 161, 300, 5000, 20000, 31000, 33000, 44000, 65000,
                                   65534, 65535, 65536, 70000, 1000000, 99999999 };
  const int        other       = g_test_rand_int_range (0, 3);

  return other == 0 ? g_test_rand_int_range (1, 200)
                    : distances[g_test_rand_int_range (0, G_N_ELEMENTS (distances))];
}

/* @every: how many columns have one site before or after the band */
static void
random_ends (Band *band,
             int   every)
{
  const gint64 first  = band->band.first;
  const gint64 end    = first + wf_shape_along (&band->task.shape, band->band.axis);
  const int    likely = g_test_rand_int_range (0, 4);
  const gint64 usual  = random_distance ();

  for (int i = 0; i < 4; i++)
    for (gint64 x = 0; x < count_columns (band); x++)
      {
        const gint64 away = g_test_rand_int_range (0, 4) < likely ? usual : random_distance ();

        if (g_test_rand_int_range (0, every) == 0)
          band->ends[i][x] = i % 2 ? MIN (end - 1 + away, band->band.length - 1)
                                   : MAX (first - away, 0);
        else if (i < 2 && band->task.border_background)
          band->ends[i][x] = i % 2 ? band->band.length : -1;
      }
}

/* The band, whose image and ends are set, against the CPU's `envelope`. */
static guint
check_imagined (const VariantDevice *device,
                const VariantDevice *cpu,
                Band                *band)
{
  g_auto (Band) expected = { 0 };

  allocate_image (&expected.out, band->out.type, &band->task.shape);
  run_band (cpu, variant_find (cpu, WF_OPERATION_DISTANCE, "envelope", &band->task), band, FALSE);
  memcpy (expected.out.data, band->out.data,
          wf_image_n_pixels (&band->out) * wf_type_size (band->out.type));
  return check_variants (device, band, FALSE, &expected, 0);
}

static void
test_imagined (gconstpointer data)
{
  g_auto (VariantDevice) cpu    = { 0 };
  g_auto (VariantDevice) device = { 0 };
  guint                  n      = 0;

  variant_device_init (&cpu, TRUE);
  if (! variant_device_init (&device, data != NULL))
    return;
  for (guint i = 0; i < test_count (200, 2000); i++)
    {
      const gboolean  stack = g_test_rand_bit ();
      const int       axis  = stack ? 2 : 1;
      WfShape         shape = random_shape (stack);
      const gint64    first = random_distance ();
      g_auto (Band)   band  = { 0 };
      WfDistanceTask  options;

      random_options (&options);
      if (g_test_rand_int_range (0, 4) == 0)
        *(stack ? &shape.depth : &shape.height) = 1;
      band_init (&band, &options, &shape, random_type (), axis, first,
                 first + wf_shape_along (&shape, axis) + random_distance ());
      band.task.band = &band.band;
      fill_image (&band.image);
      random_ends (&band, 1 << g_test_rand_int_range (0, 8));
      n += check_imagined (&device, &cpu, &band);
    }
  g_assert_cmpuint (n, >, 0);
}

/* One site in the band, and perhaps another one after it in the same column. */
static void
set_site (Band *band)
{
  const gint64 p   = g_test_rand_int_range (0, (gint32) wf_shape_n_pixels (&band->task.shape));
  const gint64 end = band->band.first + wf_shape_along (&band->task.shape, band->band.axis);

  set_pixel (&band->image, p, 0);
  if (g_test_rand_bit ())
    band->ends[1][p % count_columns (band)] = (gint32) end + g_test_rand_int_range (0, 4);
}

/* Pixels that are far from all sites, most of which lie beyond the band. */
static void
test_far (gconstpointer data)
{
  g_auto (VariantDevice) cpu    = { 0 };
  g_auto (VariantDevice) device = { 0 };
  guint                  n      = 0;

  variant_device_init (&cpu, TRUE);
  if (! variant_device_init (&device, data != NULL))
    return;
  for (guint i = 0; i < test_count (200, 2000); i++)
    {
      const gboolean  stack = i % 4 == 0;
      const int       axis  = stack ? 2 : 1;
      const WfShape   shape = { g_test_rand_int_range (1, stack ? 6 : 400),
                                g_test_rand_int_range (1, stack ? 260 : 120),
                                stack ? g_test_rand_int_range (1, 70) : 1 };
      const gint64    first = 100000;
      g_auto (Band)   band  = { 0 };
      WfDistanceTask  options;

      random_options (&options);
      options.metric            = options.signed_distance ? WF_METRIC_EUCLIDEAN
                                                          : WF_METRIC_SQUARED;
      options.exact_integers    = TRUE;
      options.border_background = i % 8 == 1;
      for (int k = 0; k < 3; k++)
        options.spacing[k] = 1;
      band_init (&band, &options, &shape, WF_TYPE_U8, axis, first, 2 * first);
      band.task.band = &band.band;
      for (gint64 p = 0; p < wf_shape_n_pixels (&shape); p++)
        set_pixel (&band.image, p, 2);
      random_ends (&band, (int) count_columns (&band));
      for (int k = g_test_rand_int_range (0, 3); k > 0; k--)
        set_site (&band);
      n += check_imagined (&device, &cpu, &band);
    }
  g_assert_cmpuint (n, >, 0);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_data_func ("/distance-bands/cpu/whole", "cpu", test_whole);
  g_test_add_data_func ("/distance-bands/cpu/imagined", "cpu", test_imagined);
  g_test_add_data_func ("/distance-bands/cpu/far", "cpu", test_far);
  g_test_add_data_func ("/distance-bands/device/whole", NULL, test_whole);
  g_test_add_data_func ("/distance-bands/device/imagined", NULL, test_imagined);
  g_test_add_data_func ("/distance-bands/device/far", NULL, test_far);
  return g_test_run ();
}
