/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools for labels: against their definitions, for each type, instruction set and number of
 * threads, in place and apart; images of many pieces; labels that are scattered over all numbers;
 * refusals; cancelling.
 */

#include <math.h>
#include <string.h>

#include "tests/reference/reference.h"
#include "tests/support/configurations.h"
#include "tests/support/guarded-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

typedef gboolean (* ToolFunc) (WfContext                 *context,
                               const WfImage             *labels,
                               WfImage                   *out,
                               guint32                   *n_regions,
                               const WfLabelToolOptions  *options,
                               GError                   **error);

static const ToolFunc calls[WF_N_OPERATIONS] =
{
  [WF_OPERATION_REMOVE_SMALL]  = wf_labels_remove_small,
  [WF_OPERATION_KEEP_LARGEST]  = wf_labels_keep_largest,
  [WF_OPERATION_EXPAND_LABELS] = wf_labels_expand,
  [WF_OPERATION_RELABEL]       = wf_labels_relabel,
};

#define FIRST_TOOL WF_OPERATION_REMOVE_SMALL
#define LAST_TOOL  WF_OPERATION_RELABEL

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32 };

static WfLabelToolOptions
options_of (WfOperation tool)
{
  WfLabelToolOptions options;

  wf_option_group_init (wf_operation_get_options (tool), &options);
  return options;
}

static WfContext *
new_context (int threads,
             int tile)
{
  const WfContextOptions options = { sizeof options, "cpu", threads, tile, 0 };
  WfContext             *context = wf_context_new ();

  g_assert_true (wf_context_configure (context, &options, NULL));
  return context;
}


/*  The definitions, on doubles  */

static guint64
area_of (const double *labels,
         gint64        n,
         double        label)
{
  guint64 area = 0;

  for (gint64 p = 0; p < n; p++)
    area += labels[p] == label;
  return area;
}

/* How many labels come before one in an order: lower ones, or larger regions and of equal ones
 * lower labels.
 */
static guint32
rank_of (const double *labels,
         gint64        n,
         double        label,
         gboolean      by_area)
{
  const guint64 area = area_of (labels, n, label);
  guint32       rank = 0;

  for (gint64 p = 0; p < n; p++)
    {
      gboolean is_first = labels[p] != 0 && labels[p] != label;
      guint64  other;

      for (gint64 q = 0; q < p && is_first; q++)
        is_first = labels[q] != labels[p];
      if (! is_first)
        continue;
      other = area_of (labels, n, labels[p]);
      rank += by_area ? other > area || (other == area && labels[p] < label) : labels[p] < label;
    }
  return rank;
}

static double
nearest_label (const RefSize *size,
               const double  *labels,
               gint64         p,
               double         most)
{
  const gint64 x0    = p % size->width;
  const gint64 y0    = p / size->width % size->height;
  const gint64 z0    = p / size->width / size->height;
  gint64       least = -1;
  double       label = 0;

  /* in the order of x, y, z, so that the first of equally near ones counts */
  for (gint64 x = 0; x < size->width; x++)
    for (gint64 y = 0; y < size->height; y++)
      for (gint64 z = 0; z < size->depth; z++)
        {
          const gint64 d2 = (x - x0) * (x - x0) + (y - y0) * (y - y0) + (z - z0) * (z - z0);
          const gint64 q  = ref_index (size, x, y, z);

          if (labels[q] != 0 && (least < 0 || d2 < least))
            {
              least = d2;
              label = labels[q];
            }
        }
  return isnan (most) || (double) least <= most * most ? label : 0;
}

static double
expected_label (WfOperation               tool,
                const RefSize            *size,
                const double             *labels,
                const WfLabelToolOptions *options,
                gint64                    p)
{
  const gint64 n     = ref_n_pixels (size);
  const double label = labels[p];

  if (label == 0)
    return tool == WF_OPERATION_EXPAND_LABELS
           ? nearest_label (size, labels, p, options->distance) : 0;
  switch (tool)
    {
    case WF_OPERATION_REMOVE_SMALL:
      return (double) area_of (labels, n, label) >= options->area ? label : 0;
    case WF_OPERATION_KEEP_LARGEST:
      return rank_of (labels, n, label, TRUE) < (guint32) options->count ? label : 0;
    case WF_OPERATION_RELABEL:
      return rank_of (labels, n, label, FALSE) + 1;
    default:
      return label;
    }
}

static guint32
count_labels (const double *labels,
              gint64        n)
{
  guint32 count = 0;

  for (gint64 p = 0; p < n; p++)
    {
      gboolean is_new = labels[p] != 0;

      for (gint64 q = 0; q < p && is_new; q++)
        is_new = labels[q] != labels[p];
      count += is_new;
    }
  return count;
}


/*  Random images  */

static double
random_label (WfType type,
              int    kind,
              int    n)
{
  const double highest = type == WF_TYPE_U8 ? 255 : type == WF_TYPE_U16 ? 65535 : 4294967295.0;

  switch (kind)
    {
    case 0:     /* no label */
      return 0;
    case 1:     /* all numbers, the highest too */
      return g_test_rand_bit () ? floor (highest * g_test_rand_double ())
                                : highest - g_test_rand_int_range (0, 3);
    default:    /* few numbers */
      return g_test_rand_int_range (0, n);
    }
}

/* Runs of labels, some of them long. */
static double *
random_labels (const RefSize *size,
               WfType         type)
{
  const gint64 n      = ref_n_pixels (size);
  const int    kind   = g_test_rand_int_range (0, 8);
  const int    longest = g_test_rand_bit () ? 2 : 40;
  const int    most   = g_test_rand_int_range (2, 12);
  double      *labels = g_new (double, n);

  for (gint64 p = 0; p < n; )
    {
      const double label  = g_test_rand_int_range (0, 3) ? 0 : random_label (type, kind, most);
      const int    length = g_test_rand_int_range (1, longest + 1);

      for (int i = 0; i < length && p < n; i++)
        labels[p++] = label;
    }
  return labels;
}

static void
random_options (WfOperation         tool,
                gint64              n,
                WfLabelToolOptions *options)
{
  *options = options_of (tool);
  options->area  = g_test_rand_int_range (0, 4) ? g_test_rand_int_range (0, 40)
                                                : n * g_test_rand_double ();
  options->count = g_test_rand_int_range (1, 8);
  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      options->distance = NAN;
      break;
    case 1:
      options->distance = sqrt (g_test_rand_int_range (0, 30));
      break;
    case 2:
      options->distance = 1e300;
      break;
    default:
      options->distance = g_test_rand_int_range (0, 9);
      break;
    }
}

static void
run_case (WfOperation  tool,
          WfContext   *context)
{
  const WfType             type     = types[g_test_rand_int_range (0, G_N_ELEMENTS (types))];
  const gboolean           stack    = g_test_rand_int_range (0, 3) == 0;
  const RefSize            size     = { g_test_rand_int_range (1, stack ? 9 : 30),
                                        g_test_rand_int_range (1, stack ? 9 : 20),
                                        stack ? g_test_rand_int_range (1, 6) : 1 };
  const gint64             n        = ref_n_pixels (&size);
  g_autofree double       *labels   = random_labels (&size, type);
  g_autofree double       *expected = g_new (double, n);
  g_autofree gpointer      packed   = NULL;
  const gboolean           in_place = g_test_rand_bit ();
  g_autoptr (GuardedImage) image    = guarded_image_new (type, &size, g_test_rand_bit ());
  g_autoptr (GuardedImage) apart    = guarded_image_new (type, &size, g_test_rand_bit ());
  GuardedImage            *out      = in_place ? image : apart;
  guint32                  count    = 4711;
  WfLabelToolOptions       options;
  GError                  *error    = NULL;

  random_options (tool, n, &options);
  for (gint64 p = 0; p < n; p++)
    {
      const gint64 offset = p % size.width + p / size.width % size.height * image->view.row_stride
                            + p / size.width / size.height * image->view.slice_stride;

      if (type == WF_TYPE_U8)
        ((guint8 *) image->view.data)[offset] = (guint8) labels[p];
      else if (type == WF_TYPE_U16)
        ((guint16 *) image->view.data)[offset] = (guint16) labels[p];
      else
        ((guint32 *) image->view.data)[offset] = (guint32) labels[p];
      expected[p] = expected_label (tool, &size, labels, &options, p);
    }
  calls[tool] (context, &image->view, &out->view, &count, &options, &error);
  g_assert_no_error (error);
  packed = pack_levels (type, expected, n);
  g_assert_cmpint (guarded_image_find_difference (out, packed), ==, -1);
  g_assert_true (guarded_image_is_guarded (out));
  g_assert_cmpuint (count, ==, count_labels (expected, n));
  if (! in_place)
    {
      g_autofree gpointer before = pack_levels (type, labels, n);

      g_assert_cmpint (guarded_image_find_difference (image, before), ==, -1);
    }
}

static void
test_random (gconstpointer data)
{
  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < test_count (150, 1500); i++)
    run_case ((WfOperation) GPOINTER_TO_INT (data), configurations_pick (configurations)->context);
}


/*  Images of several pieces, with a reference that sorts  */

typedef struct
{
  guint32 label;
  guint32 area;
  guint32 result;
} Region;

static int
compare_labels (gconstpointer a,
                gconstpointer b)
{
  const guint32 one   = *(const guint32 *) a;
  const guint32 other = *(const guint32 *) b;

  return one < other ? -1 : one > other;
}

/* Large ones first, of equal ones the lower label. */
static int
compare_areas (gconstpointer a,
               gconstpointer b)
{
  const Region *one   = a;
  const Region *other = b;

  return one->area != other->area ? (one->area > other->area ? -1 : 1) : compare_labels (a, b);
}

/* The regions in the order of their labels. */
static GArray *
find_regions (const guint32 *pixels,
              gint64         n)
{
  GArray             *regions = g_array_new (FALSE, FALSE, sizeof (Region));
  g_autofree guint32 *sorted  = g_memdup2 (pixels, n * sizeof *pixels);

  qsort (sorted, n, sizeof *sorted, compare_labels);
  for (gint64 p = 0, end; p < n; p = end)
    {
      for (end = p; end < n && sorted[end] == sorted[p]; )
        end++;
      if (sorted[p] != 0)
        {
          const Region region = { sorted[p], (guint32) (end - p), 0 };

          g_array_append_val (regions, region);
        }
    }
  return regions;
}

static void
decide (GArray                   *regions,
        WfOperation               tool,
        const WfLabelToolOptions *options)
{
  if (tool == WF_OPERATION_KEEP_LARGEST)
    g_array_sort (regions, compare_areas);
  for (guint i = 0; i < regions->len; i++)
    {
      Region *region = &g_array_index (regions, Region, i);

      if (tool == WF_OPERATION_RELABEL)
        region->result = i + 1;
      else if (tool == WF_OPERATION_KEEP_LARGEST ? i < (guint) options->count
                                                 : region->area >= options->area)
        region->result = region->label;
    }
  g_array_sort (regions, compare_labels);
}

/* Stretches of long runs, of short ones and of single pixels. */
static guint32 *
random_pieces (gint64 n,
               WfType type)
{
  const int  most   = g_test_rand_bit () ? 5 : type == WF_TYPE_U8 ? 256 : 3000;
  guint32   *pixels = g_new (guint32, n);
  int        kind   = 1;

  for (gint64 p = 0; p < n; )
    {
      const int    longest = 1 << g_test_rand_int_range (0, 12);
      const gint64 length  = g_test_rand_int_range (1, 6000);
      const gint64 end     = MIN (n, p + length);

      kind = g_test_rand_int_range (0, 12) ? 2 : g_test_rand_int_range (0, 2);
      while (p < end)
        {
          const guint32 label = (guint32) random_label (type, kind, most);

          for (int i = g_test_rand_int_range (0, longest); i >= 0 && p < end; i--)
            pixels[p++] = label;
        }
    }
  return pixels;
}

static double *
widen (const guint32 *pixels,
       gint64         n)
{
  double *wide = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    wide[p] = pixels[p];
  return wide;
}

static void
run_pieces (WfOperation  tool,
            WfContext   *context)
{
  const WfType             type     = types[g_test_rand_int_range (0, G_N_ELEMENTS (types))];
  const RefSize            size     = { g_test_rand_int_range (1, g_test_rand_bit () ? 9000 : 40),
                                        g_test_rand_int_range (1, 12),
                                        g_test_rand_int_range (1, 4) };
  const gint64             n        = ref_n_pixels (&size);
  g_autofree guint32      *pixels   = random_pieces (n, type);
  g_autofree double       *before   = widen (pixels, n);
  g_autofree gpointer      packed   = NULL;
  g_autofree double       *after    = NULL;
  g_autoptr (GuardedImage) image    = guarded_image_new (type, &size, g_test_rand_bit ());
  g_autoptr (GuardedImage) apart    = guarded_image_new (type, &size, g_test_rand_bit ());
  GuardedImage            *out      = g_test_rand_bit () ? image : apart;
  g_autoptr (GArray)       regions  = find_regions (pixels, n);
  guint32                  count    = 4711;
  guint32                  expected = 0;
  WfLabelToolOptions       options;
  GError                  *error    = NULL;

  random_options (tool, n, &options);
  decide (regions, tool, &options);
  for (guint i = 0; i < regions->len; i++)
    expected += g_array_index (regions, Region, i).result != 0;
  for (gint64 p = 0; p < n; p++)
    if (pixels[p] != 0)
      {
        guint at = 0;

        g_assert_true (g_array_binary_search (regions, &pixels[p], compare_labels, &at));
        pixels[p] = g_array_index (regions, Region, at).result;
      }
  packed = pack_levels (type, before, n);
  guarded_image_write (image, packed);
  g_free (packed);
  after  = widen (pixels, n);
  packed = pack_levels (type, after, n);

  calls[tool] (context, &image->view, &out->view, &count, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (out, packed), ==, -1);
  g_assert_true (guarded_image_is_guarded (out));
  g_assert_cmpuint (count, ==, expected);
}

static void
test_pieces (void)
{
  static const WfOperation tools[] = { WF_OPERATION_REMOVE_SMALL, WF_OPERATION_KEEP_LARGEST,
                                       WF_OPERATION_RELABEL };

  g_autoptr (Configurations) configurations = configurations_new ("cpu");

  for (guint i = 0; i < test_count (150, 1500); i++)
    run_pieces (tools[i % G_N_ELEMENTS (tools)], configurations_pick (configurations)->context);
}


/*  Large images  */

/* Labels of which each occurs a number of times that is known, some of them too high for a table:
 * region i has i % 50 + 1 pixels and the label i * step + 1.
 */
static void
test_many (gconstpointer data)
{
  const guint32         step     = GPOINTER_TO_UINT (data);
  const guint32         n        = MAX (test_count (40000, 400000) / 50 * 50, 500);
  const gint64          width    = 1500;
  const gint64          height   = (gint64) n * 26 / width + 10;
  g_autofree guint32   *labels   = g_new0 (guint32, width * height);
  g_autofree guint32   *out      = g_new (guint32, width * height);
  g_autoptr (WfContext) context  = new_context (2, 0);
  WfLabelToolOptions    options  = options_of (WF_OPERATION_REMOVE_SMALL);
  guint32               count    = 0;
  gint64                p        = 0;
  WfImage               views[2];
  GError               *error    = NULL;

  for (guint32 i = 0; i < n; i++)
    for (guint32 k = 0; k <= i % 50; k++)
      labels[p++] = (n - 1 - i) * step + 1;
  g_assert_cmpint (p, <=, width * height);
  g_assert_true (wf_image_init (&views[0], WF_TYPE_U32, width, height, 1, labels, NULL));
  g_assert_true (wf_image_init (&views[1], WF_TYPE_U32, width, height, 1, out, NULL));

  options.area = 31;
  wf_labels_remove_small (context, &views[0], &views[1], &count, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count, ==, n / 50 * 20);
  for (gint64 i = 0; i < width * height; i++)
    g_assert_true (out[i] == 0 || out[i] == labels[i]);

  wf_labels_relabel (context, &views[0], &views[1], &count, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count, ==, n);
  for (gint64 i = 0; i < width * height; i++)
    g_assert_cmpuint (out[i], ==, labels[i] ? (labels[i] - 1) / step + 1 : 0);

  /* of the n / 50 largest regions those with the lowest labels */
  options.count = 10;
  wf_labels_keep_largest (context, &views[0], &views[0], &count, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count, ==, 10);
  for (gint64 i = 0; i < p; i++)
    g_assert_true (labels[i] == 0 || labels[i] <= (10 * 50) * step + 1);
}

/* The largest regions of areas of one, two and three bytes, some of them equal; all numbers of
 * them.
 */
static void
test_areas (gconstpointer data)
{
  static const int areas[] = { 4096, 1, 4095, 70000, 4097, 4096, 255, 256, 65536, 4095, 1,
                               70000 };

  const guint           n        = G_N_ELEMENTS (areas);
  const guint32         step     = GPOINTER_TO_UINT (data);
  const gint64          width    = 600;
  const gint64          height   = 400;
  g_autofree guint32   *labels   = g_new0 (guint32, width * height);
  g_autofree guint32   *out      = g_new (guint32, width * height);
  g_autoptr (WfContext) context  = new_context (2, 0);
  WfLabelToolOptions    options  = options_of (WF_OPERATION_KEEP_LARGEST);
  gint64                p        = 0;
  WfImage               views[2];

  for (guint i = 0; i < n; i++)
    for (int k = 0; k < areas[i]; k++)
      labels[p++] = (i + 1) * step;
  g_assert_cmpint (p, <=, width * height);
  g_assert_true (wf_image_init (&views[0], WF_TYPE_U32, width, height, 1, labels, NULL));
  g_assert_true (wf_image_init (&views[1], WF_TYPE_U32, width, height, 1, out, NULL));
  for (options.count = 1; options.count <= (int) n + 1; options.count++)
    {
      guint32 count = 0;

      g_assert_true (wf_labels_keep_largest (context, &views[0], &views[1], &count, &options,
                                             NULL));
      g_assert_cmpuint (count, ==, MIN (n, (guint) options.count));
      p = 0;
      for (guint i = 0; i < n; i++)
        {
          int before = 0;

          for (guint k = 0; k < n; k++)
            before += areas[k] > areas[i] || (areas[k] == areas[i] && k < i);
          for (int k = 0; k < areas[i]; k++, p++)
            g_assert_cmpuint (out[p], ==, before < options.count ? labels[p] : 0);
        }
      for (; p < width * height; p++)
        g_assert_cmpuint (out[p], ==, 0);
    }
}

/* The result shifted against the labels in the same memory. */
static void
test_overlap (void)
{
  for (int tool = FIRST_TOOL; tool <= LAST_TOOL; tool++)
    {
      const WfLabelToolOptions options = { sizeof options, 2, 1, 1, NULL };
      guint8                   pixels[60];
      guint8                   apart[50];
      WfImage                  labels;
      WfImage                  shifted;
      WfImage                  other;

      for (int p = 0; p < 60; p++)
        pixels[p] = (guint8) (p / 3 % 4);
      g_assert_true (wf_image_init (&labels, WF_TYPE_U8, 10, 5, 1, pixels, NULL));
      g_assert_true (wf_image_init (&shifted, WF_TYPE_U8, 10, 5, 1, pixels + 7, NULL));
      g_assert_true (wf_image_init (&other, WF_TYPE_U8, 10, 5, 1, apart, NULL));
      g_assert_true (calls[tool] (NULL, &labels, &other, NULL, &options, NULL));
      g_assert_true (calls[tool] (NULL, &labels, &shifted, NULL, &options, NULL));
      g_assert_cmpmem (pixels + 7, 50, apart, 50);
    }
}


/*  Refusals  */

static void
test_refusals (gconstpointer data)
{
  const WfOperation        tool    = (WfOperation) GPOINTER_TO_INT (data);
  const ToolFunc           call    = calls[tool];
  const WfType             wrong[] = { WF_TYPE_F32, WF_TYPE_F64, WF_TYPE_U64 };
  const RefSize            size    = { 4, 3, 1 };
  g_autoptr (GuardedImage) image   = guarded_image_new (WF_TYPE_U64, &size, FALSE);
  g_autoptr (GuardedImage) out     = guarded_image_new (WF_TYPE_U64, &size, FALSE);
  WfLabelToolOptions       options = { sizeof options, 5, 1, 1, NULL };
  guint32                  count   = 4711;

  memset (image->view.data, 0, 12 * sizeof (guint64));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      image->view.type = out->view.type = wrong[i];
      assert_refused (call (NULL, &image->view, &out->view, &count, &options, &refusal),
                      WF_ERROR_INVALID);
    }
  image->view.type = WF_TYPE_U16;
  out->view.type   = WF_TYPE_U32;
  assert_refused (call (NULL, &image->view, &out->view, &count, &options, &refusal),
                  WF_ERROR_INVALID);
  out->view.type = WF_TYPE_U16;
  out->view.width--;
  assert_refused (call (NULL, &image->view, &out->view, &count, &options, &refusal),
                  WF_ERROR_INVALID);
  out->view.width++;
  if (tool == WF_OPERATION_REMOVE_SMALL)
    {
      assert_refused (call (NULL, &image->view, &out->view, &count, NULL, &refusal),
                      WF_ERROR_INVALID);
      options.area = -1;
    }
  options.count    = 0;
  options.distance = -0.5;
  if (tool != WF_OPERATION_RELABEL)
    assert_refused (call (NULL, &image->view, &out->view, &count, &options, &refusal),
                    WF_ERROR_INVALID);
  out->view.type = WF_TYPE_U64;
  g_assert_true (guarded_image_is_untouched (out));
  g_assert_cmpuint (count, ==, 4711);
}

static void
cancel (double   fraction,
        gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

/* Cancelled, or refused for want of memory, the result is as it was. */
static void
test_stopped (gconstpointer data)
{
  const WfOperation         tool        = (WfOperation) GPOINTER_TO_INT (data);
  const RefSize             size        = { 700, 600, 1 };
  g_autoptr (GuardedImage)  image       = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  g_autoptr (GuardedImage)  out         = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (WfContext)     context     = new_context (2, 0);
  const WfLabelToolOptions  options     = { sizeof options, 5, 1, 9, NULL };

  for (gint64 p = 0; p < ref_n_pixels (&size); p++)
    ((guint32 *) image->view.data)[p] = p % 7 ? 0 : (guint32) p;
  wf_context_set_memory_limit (context, 1000);
  assert_refused (calls[tool] (context, &image->view, &out->view, NULL, &options, &refusal),
                  WF_ERROR_MEMORY);
  wf_context_set_memory_limit (context, 0);
  wf_context_set_cancellable (context, cancellable);
  wf_context_set_progress (context, cancel, cancellable);
  assert_refused_with (calls[tool] (context, &image->view, &out->view, NULL, &options, &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (guarded_image_is_untouched (out));
}

/* High labels take memory for each that there is, which is known only when they are counted. */
static void
test_memory_of_high_labels (gconstpointer data)
{
  const WfOperation         tool    = (WfOperation) GPOINTER_TO_INT (data);
  const RefSize             size    = { 256, 256, 1 };
  g_autoptr (GuardedImage)  image   = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  g_autoptr (GuardedImage)  out     = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  g_autoptr (WfContext)     context = new_context (2, 0);
  const WfLabelToolOptions  options = { sizeof options, 1, 60000, 9, NULL };
  guint32                   count   = 0;

  for (gint64 p = 0; p < ref_n_pixels (&size); p++)
    ((guint32 *) image->view.data)[p] = 65535 + 7 * (guint32) p;
  wf_context_set_memory_limit (context, 1600000);
  assert_refused (calls[tool] (context, &image->view, &out->view, &count, &options, &refusal),
                  WF_ERROR_MEMORY);
  g_assert_true (guarded_image_is_untouched (out));
  wf_context_set_memory_limit (context, 16000000);
  g_assert_true (calls[tool] (context, &image->view, &out->view, &count, &options, NULL));
  g_assert_cmpuint (count, ==, tool == WF_OPERATION_KEEP_LARGEST ? 60000 : 65536);
}

/* The memory of a forecast suffices, and a byte less does not; a result that is shifted against the
 * labels takes a copy of these besides.
 */
static void
test_forecast (gconstpointer data)
{
  const WfOperation        tool    = (WfOperation) GPOINTER_TO_INT (data);
  const RefSize            size    = { 300, 200, 1 };
  const WfLabelToolOptions options = { sizeof options, 5, 1, 9, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const gint64             n        = ref_n_pixels (&size);
      const gsize              bytes    = wf_type_size (types[i]);
      const gint64             shift    = 16;
      g_autofree guint8       *pixels   = g_malloc0 (bytes * (n + shift));
      g_autoptr (GuardedImage) out      = guarded_image_new (types[i], &size, FALSE);
      g_autoptr (WfContext)    context  = new_context (2, 0);
      g_autoptr (WfForecast)   forecast = NULL;
      WfImage                  labels, shifted;

      memset (pixels, 1, bytes * 100);
      wf_image_init (&labels, types[i], size.width, size.height, 1, pixels, NULL);
      wf_image_init (&shifted, types[i], size.width, size.height, 1, pixels + shift * bytes, NULL);
      forecast = wf_context_forecast (context, tool, &labels, &options, NULL);
      g_assert_cmpstr (forecast->device, ==, "cpu");
      g_assert_cmpstr (forecast->algorithm, ==,
                       tool == WF_OPERATION_EXPAND_LABELS ? "nearest" : "runs");

      wf_context_set_memory_limit (context, forecast->memory_needed - 1);
      assert_refused (calls[tool] (context, &labels, &out->view, NULL, &options, &refusal),
                      WF_ERROR_MEMORY);
      g_assert_true (guarded_image_is_untouched (out));
      wf_context_set_memory_limit (context, forecast->memory_needed);
      g_assert_true (calls[tool] (context, &labels, &out->view, NULL, &options, NULL));
      g_assert_cmpstr (wf_context_get_report (context)->algorithm, ==, forecast->algorithm);

      wf_context_set_memory_limit (context, forecast->memory_needed + n * bytes - 1);
      assert_refused (calls[tool] (context, &labels, &shifted, NULL, &options, &refusal),
                      WF_ERROR_MEMORY);
      wf_context_set_memory_limit (context, forecast->memory_needed + n * bytes);
      g_assert_true (calls[tool] (context, &labels, &shifted, NULL, &options, NULL));
    }
}

static void
test_descriptions (void)
{
  for (int tool = FIRST_TOOL; tool <= LAST_TOOL; tool++)
    {
      const WfOptionGroup *group = wf_operation_get_options ((WfOperation) tool);

      g_assert_cmpuint (group->size, ==, sizeof (WfLabelToolOptions));
      g_assert_cmpuint (strlen (group->name), >, 0);
      g_assert_cmpuint (strlen (group->blurb), >, 0);
    }
  g_assert_true (isnan (options_of (WF_OPERATION_REMOVE_SMALL).area));
  g_assert_cmpint (options_of (WF_OPERATION_KEEP_LARGEST).count, ==, 1);
  g_assert_true (isnan (options_of (WF_OPERATION_EXPAND_LABELS).distance));
}

static void
add (const char    *name,
     GTestDataFunc  function)
{
  for (int tool = FIRST_TOOL; tool <= LAST_TOOL; tool++)
    {
      g_autofree char *path = g_strdup_printf ("/label-tools/%s/%s", name,
                                               wf_operation_get_options ((WfOperation) tool)->name);

      g_test_add_data_func (path, GINT_TO_POINTER (tool), function);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add ("random", test_random);
  g_test_add_func ("/label-tools/pieces", test_pieces);
  g_test_add_data_func ("/label-tools/many/dense", GUINT_TO_POINTER (1), test_many);
  g_test_add_data_func ("/label-tools/many/scattered", GUINT_TO_POINTER (9973), test_many);
  g_test_add_data_func ("/label-tools/areas/dense", GUINT_TO_POINTER (1), test_areas);
  g_test_add_data_func ("/label-tools/areas/scattered", GUINT_TO_POINTER (99999989), test_areas);
  g_test_add_func ("/label-tools/overlap", test_overlap);
  add ("refusals", test_refusals);
  add ("stopped", test_stopped);
  add ("memory-of-high-labels", test_memory_of_high_labels);
  add ("forecast", test_forecast);
  g_test_add_func ("/label-tools/descriptions", test_descriptions);

  return g_test_run ();
}
