/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The measurements of basins, against sums over all pixels and, for the depths, against the
 * lowest paths from basin to basin, both computed as they are defined.
 */

#include <math.h>
#include <string.h>

#include "tests/reference/reference.h"
#include "tests/support/canceller.h"
#include "tests/support/tiers.h"
#include "tests/support/work.h"
#include "wavefront.h"

#define MAX_PIXELS 400
#define MAX_LABELS 12
#define ROUNDS     600

typedef struct
{
  RefSize size;
  gint64  n;
  WfType  type;
  double  levels[MAX_PIXELS];
  double  relief[MAX_PIXELS];
  guint32 labels[MAX_PIXELS];
  double  mask[MAX_PIXELS];
} Case;


static void
store (WfType        type,
       const Case   *c,
       const double *levels,
       WfImage      *image)
{
  g_assert_true (wf_image_allocate (image, type, c->size.width, c->size.height, c->size.depth,
                                    NULL));
  for (gint64 i = 0; i < c->n; i++)
    switch (type)
      {
      case WF_TYPE_U8:
        ((guint8 *) image->data)[i] = (guint8) levels[i];
        break;
      case WF_TYPE_U16:
        ((guint16 *) image->data)[i] = (guint16) levels[i];
        break;
      case WF_TYPE_F32:
        ((float *) image->data)[i] = (float) levels[i];
        break;
      default:
        ((guint32 *) image->data)[i] = (guint32) levels[i];
        break;
      }
}

/* @mask: the type of the mask, or 0 for none */
static WfBasin *
measure_masked (const Case *c,
                WfType      mask_type,
                gboolean    with_relief,
                int         connectivity,
                guint32    *n_basins)
{
  g_auto (WfImage)   image  = { 0 };
  g_auto (WfImage)   relief = { 0 };
  g_auto (WfImage)   labels = { 0 };
  g_auto (WfImage)   mask   = { 0 };
  g_autoptr (GError) error  = NULL;
  WfBasin           *basins = NULL;

  store (c->type, c, c->levels, &image);
  store (WF_TYPE_F32, c, c->relief, &relief);
  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, c->size.width, c->size.height,
                                    c->size.depth, NULL));
  memcpy (labels.data, c->labels, (gsize) c->n * sizeof (guint32));

  if (mask_type)
    {
      store (mask_type, c, c->mask, &mask);
      wf_basins_measure_masked (NULL, &image, with_relief ? &relief : NULL, &labels, &mask,
                                connectivity, &basins, n_basins, &error);
    }
  else
    wf_basins_measure (NULL, &image, with_relief ? &relief : NULL, &labels, connectivity,
                       &basins, n_basins, &error);
  g_assert_no_error (error);
  return basins;
}

static WfBasin *
measure (const Case *c,
         gboolean    with_relief,
         int         connectivity,
         guint32    *n_basins)
{
  return measure_masked (c, (WfType) 0, with_relief, connectivity, n_basins);
}

/* Labels that are not 1 to n, some of them far apart; with @ground some pixels are
 * unlabelled.
 */
static void
make_case (Case     *c,
           gboolean  stack,
           gboolean  ground)
{
  static const WfType  types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const guint32        step    = g_test_rand_bit () ? 1 : 100000000;
  const int            top     = g_test_rand_bit () ? 5 : 200;

  c->size = (RefSize) { g_test_rand_int_range (1, 9), g_test_rand_int_range (1, 9),
                        stack ? g_test_rand_int_range (1, 6) : 1 };
  c->n    = ref_n_pixels (&c->size);
  c->type = types[g_test_rand_int_range (0, 3)];
  for (gint64 i = 0; i < c->n; i++)
    {
      c->levels[i] = g_test_rand_int_range (0, top);
      c->relief[i] = g_test_rand_int_range (0, top) - (g_test_rand_bit () ? 0.5 : 2);
      c->labels[i] = step * (guint32) g_test_rand_int_range (ground ? 0 : 1, MAX_LABELS);
    }
}

/* Noise of some density, sometimes none or all. */
static WfType
make_mask (Case *c)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32, WF_TYPE_F32 };
  const int           percent = g_test_rand_int_range (0, 12) * 10;

  for (gint64 i = 0; i < c->n; i++)
    c->mask[i] = g_test_rand_int_range (0, 100) < percent ? g_test_rand_int_range (1, 200) : 0;
  return types[g_test_rand_int_range (0, G_N_ELEMENTS (types))];
}

static void
drop_outside (Case *c)
{
  for (gint64 i = 0; i < c->n; i++)
    if (c->mask[i] == 0)
      c->labels[i] = 0;
}

/* @data: whether there is a mask, if it is not NULL */
static void
test_sums (gconstpointer data)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      Case                c;
      guint32             n       = 0;
      guint32             before  = 0;
      gint64              counted = 0;
      gint64              here    = 0;
      g_autofree WfBasin *basins  = NULL;

      make_case (&c, round % 2, TRUE);
      basins = measure_masked (&c, data ? make_mask (&c) : (WfType) 0, round % 3 == 0, 0, &n);
      if (data)
        drop_outside (&c);
      for (guint32 k = 0; k < n; k++)
        {
          double centroid[3] = { 0 };
          gint64 first[3]    = { G_MAXINT64, G_MAXINT64, G_MAXINT64 };
          gint64 last[3]     = { -1, -1, -1 };
          double least       = INFINITY;
          double most        = -INFINITY;
          double sum         = 0;
          gint64 area        = 0;

          g_assert_cmpuint (basins[k].label, >, before);
          before = basins[k].label;
          for (gint64 i = 0; i < c.n; i++)
            {
              const gint64 at[3] = { i % c.size.width, i / c.size.width % c.size.height,
                                     i / c.size.width / c.size.height };

              if (c.labels[i] != basins[k].label)
                continue;
              area++;
              sum  += c.levels[i];
              least = fmin (least, c.levels[i]);
              most  = fmax (most, c.levels[i]);
              for (int j = 0; j < 3; j++)
                {
                  centroid[j] += (double) at[j];
                  first[j]     = MIN (first[j], at[j]);
                  last[j]      = MAX (last[j], at[j]);
                }
            }
          counted += area;
          g_assert_cmpuint (basins[k].area, ==, area);
          g_assert_cmpfloat (basins[k].minimum, ==, least);
          g_assert_cmpfloat (basins[k].maximum, ==, most);
          g_assert_cmpfloat (basins[k].mean, ==, sum / area);
          for (int j = 0; j < 3; j++)
            {
              g_assert_cmpfloat (basins[k].centroid[j], ==, centroid[j] / area);
              g_assert_cmpint (basins[k].first[j], ==, first[j]);
              g_assert_cmpint (basins[k].last[j], ==, last[j]);
            }
        }
      for (gint64 i = 0; i < c.n; i++)
        here += c.labels[i] != 0;
      g_assert_cmpint (counted, ==, here);
    }
}

static int
compare (const void *a,
         const void *b)
{
  double first  = *(const double *) a;
  double second = *(const double *) b;

  return (first > second) - (first < second);
}

/* The lowest level to which water must rise on a path from basin to basin. */
static void
find_passes (const Case    *c,
             int            connectivity,
             const WfBasin *basins,
             guint32        n,
             double         passes[MAX_LABELS][MAX_LABELS])
{
  gint64 neighbours[REF_MAX_NEIGHBOURS];
  guint  basin_of[MAX_PIXELS];

  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      passes[a][b] = INFINITY;
  for (gint64 i = 0; i < c->n; i++)
    for (guint k = 0; k < n; k++)
      if (basins[k].label == c->labels[i])
        basin_of[i] = k;
  for (gint64 i = 0; i < c->n; i++)
    {
      int m = ref_neighbours (&c->size, connectivity, i, neighbours);

      for (int j = 0; j < m; j++)
        {
          double *pass = &passes[basin_of[i]][basin_of[neighbours[j]]];

          *pass = fmin (*pass, fmax (c->relief[i], c->relief[neighbours[j]]));
        }
    }
  for (guint k = 0; k < n; k++)
    for (guint a = 0; a < n; a++)
      for (guint b = 0; b < n; b++)
        passes[a][b] = fmin (passes[a][b], fmax (passes[a][k], passes[k][b]));
}

/* The definition of the tree does not say which of two equally deep basins is merged into the
 * other, so the depths are compared as a set, and one by one if all floors differ.
 *
 * @data: whether there is a mask, if it is not NULL
 */
static void
test_depths (gconstpointer data)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      Case                c;
      guint32             n            = 0;
      double              floors[MAX_LABELS];
      double              expected[MAX_LABELS];
      double              found[MAX_LABELS];
      double              passes[MAX_LABELS][MAX_LABELS];
      gboolean            inside[MAX_PIXELS];
      gboolean            distinct     = TRUE;
      g_autofree WfBasin *basins       = NULL;
      int                 connectivity;

      make_case (&c, round % 2, FALSE);
      connectivity = c.size.depth > 1 ? 6 : 4;
      basins       = measure_masked (&c, data ? make_mask (&c) : (WfType) 0, TRUE, connectivity,
                                     &n);
      for (gint64 i = 0; i < c.n && data; i++)
        inside[i] = c.mask[i] != 0;
      if (data)
        drop_outside (&c);
      ref_limit (data ? inside : NULL);
      find_passes (&c, connectivity, basins, n, passes);
      ref_limit (NULL);
      for (guint k = 0; k < n; k++)
        {
          floors[k] = INFINITY;
          for (gint64 i = 0; i < c.n; i++)
            if (c.labels[i] == basins[k].label)
              floors[k] = fmin (floors[k], c.relief[i]);
        }
      for (guint a = 0; a < n; a++)
        {
          double spill = INFINITY;

          for (guint b = 0; b < n; b++)
            {
              distinct = distinct && (a == b || floors[a] != floors[b]);
              if (floors[b] < floors[a] || (floors[b] == floors[a] && b < a))
                spill = fmin (spill, passes[a][b]);
            }
          expected[a] = spill - floors[a];
          found[a]    = basins[a].depth;
        }
      if (distinct)
        for (guint a = 0; a < n; a++)
          g_assert_cmpfloat (found[a], ==, expected[a]);
      qsort (found, n, sizeof *found, compare);
      qsort (expected, n, sizeof *expected, compare);
      for (guint a = 0; a < n; a++)
        g_assert_cmpfloat (found[a], ==, expected[a]);
    }
}

static void
assert_same_pixels (const WfBasin *basin,
                    const WfBasin *other,
                    double         tolerance)
{
  g_assert_cmpuint (basin->area, ==, other->area);
  g_assert_cmpfloat (basin->minimum, ==, other->minimum);
  g_assert_cmpfloat (basin->maximum, ==, other->maximum);
  g_assert_cmpfloat (fabs (basin->mean - other->mean), <=, tolerance);
  for (int j = 0; j < 3; j++)
    {
      g_assert_cmpfloat (fabs (basin->centroid[j] - other->centroid[j]), <=, tolerance);
      g_assert_cmpint (basin->first[j], ==, other->first[j]);
      g_assert_cmpint (basin->last[j], ==, other->last[j]);
    }
}

static void
measure_one (const Case *c,
             guint32     label,
             WfBasin    *basin)
{
  g_auto (WfImage) image  = { 0 };
  g_auto (WfImage) labels = { 0 };

  store (c->type, c, c->levels, &image);
  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, c->size.width, c->size.height,
                                    c->size.depth, NULL));
  memcpy (labels.data, c->labels, (gsize) c->n * sizeof (guint32));
  wf_basin_measure_levels (&image, &labels, label, basin);
}

/* One basin has the measurements that it has among all of them; joined ones have those of one label
 * in their places, but for rounding.
 */
static void
test_one (void)
{
  for (guint round = 0; round < ROUNDS; round++)
    {
      Case                c;
      guint32             n      = 0;
      g_autofree WfBasin *basins = NULL;
      WfBasin             joined = { 0 };
      WfBasin             one;
      guint32             label  = 0;
      double              depth  = 0;

      make_case (&c, round % 2, TRUE);
      basins = measure (&c, FALSE, 0, &n);
      for (guint32 k = 0; k < n; k++)
        {
          measure_one (&c, basins[k].label, &one);
          g_assert_cmpuint (one.label, ==, basins[k].label);
          g_assert_true (isnan (one.depth));
          assert_same_pixels (&one, &basins[k], 0);
          if (g_test_rand_bit ())
            continue;
          wf_basin_join (&joined, &basins[k]);
          wf_basin_join (&joined, &(WfBasin) { .label = 1 });
          label = label ? label : basins[k].label;
          depth = fmax (depth, basins[k].depth);
          for (gint64 i = 0; i < c.n; i++)
            if (c.labels[i] == basins[k].label)
              c.labels[i] = label;
        }
      measure_one (&c, 77, &one);
      g_assert_cmpuint (one.area, ==, 0);
      g_assert_cmpuint (joined.label, ==, label);
      if (label == 0)
        continue;
      measure_one (&c, label, &one);
      assert_same_pixels (&joined, &one, 1e-9);
      g_assert_cmpfloat (joined.depth, ==, depth);
    }
}

/* Three basins in a row with passes at 6 and 9, and a line between the first two. */
static void
test_by_hand (void)
{
  static const double  levels[] = { 1, 3, 6, 4, 5, 9, 2, 6 };
  static const guint32 labels[] = { 1, 1, 0, 4, 4, 4, 9, 9 };
  Case                 c        = { .size = { 8, 1, 1 }, .n = 8, .type = WF_TYPE_U8 };
  guint32              n        = 0;
  g_autofree WfBasin  *basins   = NULL;

  memcpy (c.levels, levels, sizeof levels);
  memcpy (c.labels, labels, sizeof labels);
  basins = measure (&c, FALSE, 0, &n);

  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (basins[1].label, ==, 4);
  g_assert_cmpfloat (basins[0].depth, ==, INFINITY);
  g_assert_cmpfloat (basins[1].depth, ==, 2);
  g_assert_cmpfloat (basins[2].depth, ==, 7);
  g_assert_cmpfloat (basins[1].mean, ==, 6);
  g_assert_cmpfloat (basins[2].centroid[0], ==, 6.5);
}

static void
test_nothing (void)
{
  Case     c      = { .size = { 3, 2, 1 }, .n = 6, .type = WF_TYPE_U16 };
  guint32  n      = 7;
  WfBasin *basins = measure (&c, FALSE, 0, &n);

  g_assert_null (basins);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_refusals (void)
{
  g_auto (WfImage)    image  = { 0 };
  g_auto (WfImage)    labels = { 0 };
  g_autoptr (GError)  error  = NULL;
  WfBasin            *basins = NULL;
  guint32             n      = 7;

  g_assert_true (wf_image_allocate (&image, WF_TYPE_F32, 4, 3, 1, NULL));
  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, 4, 4, 1, NULL));
  memset (image.data, 0, 12 * sizeof (float));
  memset (labels.data, 1, 16 * sizeof (guint32));
  g_assert_false (wf_basins_measure (NULL, &image, NULL, &labels, 0, &basins, &n, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_clear_error (&error);

  labels.height = 3;
  g_assert_false (wf_basins_measure (NULL, &image, NULL, &labels, 7, &basins, &n, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_clear_error (&error);

  ((float *) image.data)[5] = NAN;
  g_assert_false (wf_basins_measure (NULL, &image, NULL, &labels, 0, &basins, &n, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_null (basins);
  g_assert_cmpuint (n, ==, 7);
}

/* NaN is refused inside and outside, +infinity inside only. */
static void
test_mask_refusals (void)
{
  g_auto (WfImage)    image  = { 0 };
  g_auto (WfImage)    labels = { 0 };
  g_auto (WfImage)    mask   = { 0 };
  g_autoptr (GError)  error  = NULL;
  WfBasin            *basins = NULL;
  guint32             n      = 7;

  g_assert_true (wf_image_allocate (&image, WF_TYPE_F32, 4, 3, 1, NULL));
  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, 4, 3, 1, NULL));
  g_assert_true (wf_image_allocate (&mask, WF_TYPE_U8, 4, 4, 1, NULL));
  memset (image.data, 0, 12 * sizeof (float));
  memset (labels.data, 1, 12 * sizeof (guint32));
  memset (mask.data, 1, 16);
  g_assert_false (wf_basins_measure_masked (NULL, &image, NULL, &labels, &mask, 0, &basins, &n,
                                            &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_clear_error (&error);

  mask.height = 3;
  ((float *) image.data)[5] = INFINITY;
  g_assert_false (wf_basins_measure_masked (NULL, &image, NULL, &labels, &mask, 0, &basins, &n,
                                            &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
  g_clear_error (&error);

  ((guint8 *) mask.data)[5] = 0;
  ((float *) image.data)[5] = NAN;
  g_assert_false (wf_basins_measure_masked (NULL, &image, NULL, &labels, &mask, 0, &basins, &n,
                                            &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (basins);
  g_assert_cmpuint (n, ==, 7);

  ((float *) image.data)[5] = INFINITY;
  g_assert_true (wf_basins_measure_masked (NULL, &image, NULL, &labels, &mask, 0, &basins, &n,
                                           &error));
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (basins[0].area, ==, 11);
  g_free (basins);
}

static void
test_cancelled (void)
{
  g_auto (WfImage)         image       = { 0 };
  g_auto (WfImage)         labels      = { 0 };
  g_autoptr (GError)       error       = NULL;
  g_autoptr (WfContext)    context     = wf_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WfBasin                 *basins      = NULL;
  guint32                  n           = 0;

  g_assert_true (wf_image_allocate (&image, WF_TYPE_U8, 4, 3, 1, NULL));
  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, 4, 3, 1, NULL));
  memset (image.data, 0, 12);
  memset (labels.data, 1, 12 * sizeof (guint32));
  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_false (wf_basins_measure (context, &image, NULL, &labels, 0, &basins, &n, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* One row of noise in which each pixel is a basin, with labels far apart, which have to be
 * searched for.
 */
static void
make_row_of_basins (gint64   n,
                    WfImage *image,
                    WfImage *labels)
{
  g_assert_true (wf_image_allocate (image, WF_TYPE_U16, n, 1, 1, NULL));
  g_assert_true (wf_image_allocate (labels, WF_TYPE_U32, n, 1, 1, NULL));
  for (gint64 x = 0; x < n; x++)
    {
      ((guint16 *) image->data)[x]  = g_test_rand_int_range (0, 65536);
      ((guint32 *) labels->data)[x] = 1 + (guint32) (x * (G_MAXUINT32 / n));
    }
}

/* It stops soon whatever it is doing: the depths and the centroids are last. */
static void
test_cancelled_within (void)
{
  static const double  parts[] = { 0.9, 0.75, 0.97, 0.93, 0.85, 0.5, 0.2, 0.05 };
  g_auto (WfImage)     image   = { 0 };
  g_auto (WfImage)     labels  = { 0 };
  WfBasin             *basins  = NULL;
  guint32              n       = 0;
  guint                stopped = 0;
  double               taken   = INFINITY;

  make_row_of_basins (SLOWNESS == 1 ? 1 << 21 : 1 << 18, &image, &labels);
  /* the first call also pays for memory that later ones have */
  for (int i = 0; i < 2; i++)
    {
      const double start = work_clock ();

      g_assert_true (wf_basins_measure (NULL, &image, NULL, &labels, 0, &basins, &n, NULL));
      taken = MIN (taken, work_clock () - start);
      g_assert_cmpuint (n, ==, labels.width);
      g_clear_pointer (&basins, g_free);
    }

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (WfContext)    context     = wf_context_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError)       error       = NULL;
      Canceller                canceller   = { .cancellable = cancellable };
      gboolean                 succeeded;
      double                   seconds;

      /* on a busy machine a call may end before it is cancelled; an earlier time is next then */
      if (stopped > 0 && i >= test_count (2, G_N_ELEMENTS (parts)))
        break;
      wf_context_set_cancellable (context, cancellable);
      canceller_start (&canceller, parts[i] * taken);
      succeeded = wf_basins_measure (context, &image, NULL, &labels, 0, &basins, &n, &error);
      seconds   = canceller_stop (&canceller);
      g_clear_pointer (&basins, g_free);
      g_test_message ("cancelled after %.3f of %.3f s: returned after another %.3f s",
                      parts[i] * taken, taken, seconds);
      g_assert_cmpfloat (seconds, <, CANCEL_SECONDS);
      if (succeeded)
        continue;
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      stopped++;
    }
  g_assert_cmpuint (stopped, >, 0);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_data_func ("/basins/sums", NULL, test_sums);
  g_test_add_data_func ("/basins/sums-masked", "mask", test_sums);
  g_test_add_data_func ("/basins/depths", NULL, test_depths);
  g_test_add_data_func ("/basins/depths-masked", "mask", test_depths);
  g_test_add_func ("/basins/one", test_one);
  g_test_add_func ("/basins/by-hand", test_by_hand);
  g_test_add_func ("/basins/nothing", test_nothing);
  g_test_add_func ("/basins/refusals", test_refusals);
  g_test_add_func ("/basins/mask-refusals", test_mask_refusals);
  g_test_add_func ("/basins/cancelled", test_cancelled);
  g_test_add_func ("/basins/cancelled-within", test_cancelled_within);
  return g_test_run ();
}
