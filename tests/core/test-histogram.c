/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Histograms and the thresholds computed from them, compared with the definitions. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "tests/support/guarded-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

static WfType
type_of (gconstpointer data)
{
  return (WfType) GPOINTER_TO_INT (data);
}

/* Converts a fraction of white to a level of a pixel of @type. */
static double
level_of (WfType type,
          double fraction)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return round (CLAMP (fraction, 0, 1) * 255);
    case WF_TYPE_U16:
      return round (CLAMP (fraction, 0, 1) * 65535);
    default:
      return (float) fraction;
    }
}

static void
put (WfImage *image,
     gint64   offset,
     double   level)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      ((guint8 *) image->data)[offset] = (guint8) level;
      break;
    case WF_TYPE_U16:
      ((guint16 *) image->data)[offset] = (guint16) level;
      break;
    default:
      ((float *) image->data)[offset] = (float) level;
      break;
    }
}

/* A stack with gaps between rows and slices, which the histogram must not count.  Returns the
 * levels of its @n pixels.
 */
static double *
make_image (WfImage *image,
            WfType   type,
            gint64  *n)
{
  gint64           width   = g_test_rand_int_range (1, 30);
  gint64           height  = g_test_rand_int_range (1, 20);
  gint64           depth   = g_test_rand_int_range (1, 4);
  gboolean         wide    = type == WF_TYPE_F32 && g_test_rand_bit ();
  double          *levels  = g_new (double, width * height * depth);
  gint64           p       = 0;

  g_assert_true (wf_image_allocate (image, type, width + 5, height + 2, depth, NULL));
  memset (image->data, 0x3C, (width + 5) * (height + 2) * depth * wf_type_size (type));
  image->width  = width;
  image->height = height;
  for (gint64 z = 0; z < depth; z++)
    for (gint64 y = 0; y < height; y++)
      for (gint64 x = 0; x < width; x++, p++)
        {
          double fraction = g_test_rand_int_range (0, 3) ? 0.3 + 0.05 * g_test_rand_double ()
                                                         : 0.6 + 0.2 * g_test_rand_double ();

          if (wide)
            fraction = fraction * 4 - 1.5;
          levels[p] = level_of (type, fraction);
          put (image, z * image->slice_stride + y * image->row_stride + x, levels[p]);
        }
  *n = p;
  return levels;
}

/* The number of pixels above the level of a step is the sum of the counts after that step. */
static void
test_counts (gconstpointer data)
{
  for (int round = 0; round < 20; round++)
    {
      g_auto (WfImage)         image     = { 0 };
      gint64                   n         = 0;
      g_autofree double       *levels    = make_image (&image, type_of (data), &n);
      g_autoptr (WfHistogram)  histogram = wf_histogram_new (&image, NULL);
      g_autoptr (WfHistogram)  copy      = wf_histogram_copy (histogram);
      guint64                  total     = 0;

      g_assert_cmpint (histogram->type, ==, image.type);
      for (guint i = 0; i < histogram->n_levels; i++)
        total += histogram->counts[i];
      g_assert_cmpuint (total, ==, n);
      g_assert_cmpmem (histogram->counts, histogram->n_levels * sizeof (guint64),
                       copy->counts, copy->n_levels * sizeof (guint64));
      for (int i = 0; i < 60; i++)
        {
          guint   step  = i == 0 ? 0 : i == 1 ? histogram->n_levels - 2
                          : (guint) g_test_rand_int_range (0, histogram->n_levels - 1);
          double  level = wf_histogram_get_level (histogram, step);
          guint64 above = 0;
          guint64 later = 0;

          for (gint64 p = 0; p < n; p++)
            above += levels[p] > level;
          for (guint j = step + 1; j < histogram->n_levels; j++)
            later += histogram->counts[j];
          g_assert_cmpuint (above, ==, later);
        }
    }
}

/* The first step that is not below a level, or the last one. */
static guint
counted_at (const WfHistogram *histogram,
            double             level)
{
  guint first = 0;
  guint end   = histogram->n_levels - 1;

  while (first < end)
    {
      const guint middle = (first + end) / 2;

      if (wf_histogram_get_level (histogram, middle) < level)
        first = middle + 1;
      else
        end = middle;
    }
  return first;
}

/* Inside a mask, in a stack with gaps: each level of the pixels inside, and no other. */
static void
test_masked (gconstpointer data)
{
  for (int round = 0; round < 20; round++)
    {
      g_auto (WfImage)         image     = { 0 };
      g_auto (WfImage)         mask      = { 0 };
      gint64                   n         = 0;
      g_autofree double       *levels    = make_image (&image, type_of (data), &n);
      const int                share     = round == 0 ? 0 : g_test_rand_int_range (1, 12);
      g_autoptr (WfHistogram)  all       = wf_histogram_new (&image, NULL);
      g_autoptr (WfHistogram)  same      = wf_histogram_new_masked (&image, NULL, NULL);
      g_autoptr (WfHistogram)  histogram = NULL;
      g_autofree guint64      *counts    = g_new0 (guint64, all->n_levels);
      guint8                  *inside;

      g_assert_true (wf_image_allocate (&mask, WF_TYPE_U8, image.width, image.height, image.depth,
                                        NULL));
      inside = mask.data;
      for (gint64 p = 0; p < n; p++)
        {
          inside[p] = (guint8) (g_test_rand_int_range (0, 12) < share
                                ? g_test_rand_int_range (1, 256) : 0);
          if (inside[p])
            counts[counted_at (all, levels[p])]++;
        }
      histogram = wf_histogram_new_masked (&image, &mask, NULL);
      g_assert_cmpint (histogram->type, ==, image.type);
      g_assert_cmpmem (histogram->counts, histogram->n_levels * sizeof (guint64), counts,
                       all->n_levels * sizeof (guint64));
      g_assert_cmpmem (same->counts, same->n_levels * sizeof (guint64), all->counts,
                       all->n_levels * sizeof (guint64));
    }
}

static void
test_levels (void)
{
  const struct { WfType type; guint n; double white; } cases[] =
  {
    { WF_TYPE_U8, 256, 255 }, { WF_TYPE_U16, 65536, 65535 }, { WF_TYPE_F32, 65537, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (WfImage)         image     = { 0 };
      g_autoptr (WfHistogram)  histogram = NULL;

      g_assert_true (wf_image_allocate (&image, cases[i].type, 1, 1, 1, NULL));
      put (&image, 0, 0);
      histogram = wf_histogram_new (&image, NULL);
      g_assert_cmpuint (histogram->n_levels, ==, cases[i].n);
      g_assert_cmpfloat (wf_histogram_get_level (histogram, 0), ==, 0);
      g_assert_cmpfloat (wf_histogram_get_level (histogram, cases[i].n - 1), ==, cases[i].white);
      g_assert_cmpfloat (wf_histogram_find_threshold (histogram, WF_THRESHOLD_OTSU, 0), ==, 0);
    }
}

/* Levels below black or above white are counted at black or white; NaN is not counted. */
static void
test_reals (void)
{
  const float              pixels[]  = { -INFINITY, -3, -0.0f, 0, 1e-9f, 0.5f, 1, 1.0001f, 8,
                                         INFINITY, NAN, NAN };
  g_auto (WfImage)         image     = { 0 };
  g_autoptr (WfHistogram)  histogram = NULL;

  g_assert_true (wf_image_init (&image, WF_TYPE_F32, G_N_ELEMENTS (pixels), 1, 1,
                                (gpointer) pixels, NULL));
  histogram = wf_histogram_new (&image, NULL);
  g_assert_cmpuint (histogram->counts[0], ==, 4);
  g_assert_cmpuint (histogram->counts[1], ==, 1);
  g_assert_cmpuint (histogram->counts[histogram->n_levels / 2], ==, 1);
  g_assert_cmpuint (histogram->counts[histogram->n_levels - 1], ==, 4);
}


/*  The threshold  */

/* The between-class variance of the pixels up to @level and those above it, times n². */
static double
variance_at (const double *levels,
             gint64        n,
             double        level)
{
  double sums[2] = { 0, 0 };
  gint64 ns[2]   = { 0, 0 };
  double gap;

  for (gint64 p = 0; p < n; p++)
    {
      sums[levels[p] > level] += levels[p];
      ns[levels[p] > level]++;
    }
  if (ns[0] == 0 || ns[1] == 0)
    return 0;
  gap = sums[0] / ns[0] - sums[1] / ns[1];
  return (double) ns[0] * ns[1] * gap * gap;
}

/* No level of a pixel gives a larger between-class variance than the threshold. */
static void
test_threshold (gconstpointer data)
{
  WfType type = type_of (data);

  for (int round = 0; round < 20; round++)
    {
      g_auto (WfImage)         image     = { 0 };
      gint64                   n         = 0;
      g_autofree double       *levels    = make_image (&image, type, &n);
      g_autoptr (WfHistogram)  histogram = wf_histogram_new (&image, NULL);
      double                   threshold = wf_histogram_find_threshold (
                                             histogram, WF_THRESHOLD_OTSU, 0);
      double                   white     = wf_histogram_get_level (histogram,
                                                                   histogram->n_levels - 1);
      double                   got;

      for (gint64 p = 0; p < n; p++)
        levels[p] = CLAMP (levels[p], 0, white);
      got = variance_at (levels, n, threshold);
      for (gint64 p = 0; p < n; p++)
        g_assert_cmpfloat (variance_at (levels, n, levels[p]), <=,
                           got * (type == WF_TYPE_F32 ? 1.001 : 1.0000001) + 1e-12);
    }
}

/* If several levels are equally good, the threshold is the one in the middle. */
static void
test_threshold_between (void)
{
  const guint8             pixels[] = { 10, 10, 10, 201, 200, 200 };
  g_auto (WfImage)         image    = { 0 };
  g_autoptr (WfHistogram)  histogram = NULL;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 3, 2, 1, (gpointer) pixels, NULL));
  histogram = wf_histogram_new (&image, NULL);
  g_assert_cmpfloat (wf_histogram_find_threshold (histogram, WF_THRESHOLD_OTSU, 0), ==, 104);
}

/* Whether the steps up to @cut and those after it both have pixels. */
static gboolean
divides (const WfHistogram *histogram,
         guint              cut)
{
  guint64 counts[2] = { 0, 0 };

  for (guint i = 0; i < histogram->n_levels; i++)
    counts[i > cut] += histogram->counts[i];
  return counts[0] > 0 && counts[1] > 0;
}

/* The cross entropy of the steps up to @cut and those after it, each pixel being replaced by the
 * mean of its part: Σ x ln (x / μ), with x counted from the darkest step.
 */
static double
cross_entropy_at (const WfHistogram *histogram,
                  guint              cut)
{
  double sums[2] = { 0, 0 };
  double ns[2]   = { 0, 0 };
  double entropy = 0;
  guint  lowest  = 0;

  while (histogram->counts[lowest] == 0)
    lowest++;
  for (guint i = lowest; i < histogram->n_levels; i++)
    {
      sums[i > cut] += (double) histogram->counts[i] * (i - lowest);
      ns[i > cut]   += (double) histogram->counts[i];
    }
  for (guint i = lowest + 1; i < histogram->n_levels; i++)
    if (histogram->counts[i] > 0)
      entropy += (double) histogram->counts[i] * (i - lowest)
                 * log ((i - lowest) / (sums[i > cut] / ns[i > cut]));
  return entropy;
}

/* The step whose level is the threshold */
static guint
step_of (const WfHistogram *histogram,
         double             threshold)
{
  for (guint i = 0; i < histogram->n_levels; i++)
    if (wf_histogram_get_level (histogram, i) == threshold)
      return i;
  g_assert_not_reached ();
}

/* No cut between two levels that occur has a smaller cross entropy. */
static void
test_li (gconstpointer data)
{
  const int n_rounds = test_count (3, 20);

  for (int round = 0; round < n_rounds; round++)
    {
      g_auto (WfImage)         image     = { 0 };
      gint64                   n         = 0;
      g_autofree double       *levels    = make_image (&image, type_of (data), &n);
      g_autoptr (WfHistogram)  histogram = wf_histogram_new (&image, NULL);
      guint                    found     = step_of (histogram,
                                                    wf_histogram_find_threshold (histogram,
                                                                                 WF_THRESHOLD_LI,
                                                                                 0));
      double                   least;

      if (! divides (histogram, found))
        {
          for (guint i = 0; i < histogram->n_levels; i++)
            g_assert_false (histogram->counts[i] > 0 && divides (histogram, i));
          continue;
        }
      least = cross_entropy_at (histogram, found);
      for (guint i = 0; i < histogram->n_levels; i++)
        if (histogram->counts[i] > 0 && divides (histogram, i))
          g_assert_cmpfloat (cross_entropy_at (histogram, i), >=, least * (1 - 1e-9) - 1e-6);
    }
}

/* At least P % of the pixels do not exceed the threshold, and fewer do not exceed the step before
 * it.
 */
static void
test_percent (gconstpointer data)
{
  for (int round = 0; round < 20; round++)
    {
      g_auto (WfImage)         image     = { 0 };
      gint64                   n         = 0;
      g_autofree double       *levels    = make_image (&image, type_of (data), &n);
      g_autoptr (WfHistogram)  histogram = wf_histogram_new (&image, NULL);
      double                   percent   = round == 0 ? 0 : round == 1 ? 100
                                           : g_test_rand_double_range (0, 100);
      guint                    found     = step_of (histogram,
                                                    wf_histogram_find_threshold
                                                      (histogram, WF_THRESHOLD_PERCENT, percent));
      guint64                  before    = 0;
      guint64                  up_to;

      for (guint i = 0; i < found; i++)
        before += histogram->counts[i];
      up_to = before + histogram->counts[found];
      g_assert_cmpuint (up_to, >, before);
      g_assert_cmpfloat (100.0 * up_to, >=, percent * n);
      g_assert_true (before == 0 || 100.0 * before < percent * n);
    }
}

/* No step of the longer tail lies farther from the line between its end and the peak: distances
 * of points from a line, not heights below it.
 */
static void
test_triangle (gconstpointer data)
{
  for (int round = 0; round < 20; round++)
    {
      g_auto (WfImage)         image     = { 0 };
      gint64                   n         = 0;
      g_autofree double       *levels    = make_image (&image, type_of (data), &n);
      g_autoptr (WfHistogram)  histogram = wf_histogram_new (&image, NULL);
      guint                    found     = step_of (histogram,
                                                    wf_histogram_find_threshold
                                                      (histogram, WF_THRESHOLD_TRIANGLE, 0));
      guint                    ends[2]   = { histogram->n_levels, 0 };
      guint                    peak      = 0;
      double                   farthest  = -INFINITY;
      double                   at_found  = -INFINITY;
      double                   x;
      double                   length;
      guint                    end;

      for (guint i = 0; i < histogram->n_levels; i++)
        if (histogram->counts[i] > 0)
          {
            ends[0] = MIN (ends[0], i);
            ends[1] = i;
            if (histogram->counts[i] > histogram->counts[peak])
              peak = i;
          }
      end = peak - ends[0] >= ends[1] - peak ? ends[0] : ends[1];
      if (ends[0] == ends[1])
        {
          g_assert_cmpuint (found, ==, 0);
          continue;
        }
      g_assert_true (found >= MIN (end, peak) && found <= MAX (end, peak) && found != peak);
      x      = (double) peak - end;
      length = hypot (x, (double) histogram->counts[peak]);
      for (guint i = MIN (end, peak); i <= MAX (end, peak); i++)
        {
          /* below the line is positive */
          const double cross    = ((double) i - end) * histogram->counts[peak]
                                  - x * (double) histogram->counts[i];
          const double distance = (x > 0 ? cross : -cross) / length;

          if (i != peak)
            farthest = MAX (farthest, distance);
          if (i == found)
            at_found = distance;
        }
      g_assert_cmpfloat (at_found, >=, farthest - 1e-6 * length);
    }
}

/* A peak with a tail on either side: the step is in the foot of the longer one. */
static void
test_triangle_foot (void)
{
  guint8 pixels[420];
  int    n = 0;

  for (int k = 0; k < 2; k++)
    {
      g_auto (WfImage)         image     = { 0 };
      g_autoptr (WfHistogram)  histogram = NULL;

      n = 0;
      for (int i = 0; i < 300; i++)
        pixels[n++] = 40;
      for (int i = 0; i < 100; i++)
        pixels[n++] = 41;
      for (int i = 0; i < 20; i++)
        pixels[n++] = (guint8) (60 + 10 * (i % 18));
      for (int i = 0; k == 1 && i < n; i++)
        pixels[i] = 255 - pixels[i];
      g_assert_true (wf_image_init (&image, WF_TYPE_U8, n, 1, 1, pixels, NULL));
      histogram = wf_histogram_new (&image, NULL);
      g_assert_cmpfloat (wf_histogram_find_threshold (histogram, WF_THRESHOLD_TRIANGLE, 0), ==,
                         k == 0 ? 42 : 213);
    }
}

static void
test_threshold_parse (void)
{
  static const struct { const char *text; WfThresholdMethod method; double percent; } right[] =
  {
    { "otsu", WF_THRESHOLD_OTSU, 0 }, { "li", WF_THRESHOLD_LI, 0 },
    { "triangle", WF_THRESHOLD_TRIANGLE, 0 }, { "30%", WF_THRESHOLD_PERCENT, 30 },
    { "0%", WF_THRESHOLD_PERCENT, 0 }, { "99.5%", WF_THRESHOLD_PERCENT, 99.5 },
    { "1e2%", WF_THRESHOLD_PERCENT, 100 },
  };
  static const char * const wrong[] = { "", "Otsu", "otsu ", "lin", "30", "%", "-1%", "+5%", "101%",
                                        "5%%", "5 %", "nan%", "inf%", " 5%" };

  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    {
      WfThresholdMethod method  = WF_THRESHOLD_OTSU;
      double            percent = -1;

      g_assert_true (wf_threshold_parse (right[i].text, &method, &percent));
      g_assert_cmpint (method, ==, right[i].method);
      g_assert_cmpfloat (percent, ==, right[i].percent);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      WfThresholdMethod method  = WF_THRESHOLD_LI;
      double            percent = -1;

      g_assert_false (wf_threshold_parse (wrong[i], &method, &percent));
      g_assert_true (method == WF_THRESHOLD_LI && percent == -1);
    }
}

static void
test_refusals (void)
{
  g_auto (WfImage)  labels = { 0 };
  g_auto (WfImage)  image  = { 0 };
  g_auto (WfImage)  small  = { 0 };
  WfImage           empty  = { 0 };
  WfHistogram      *histogram;

  g_assert_true (wf_image_allocate (&labels, WF_TYPE_U32, 3, 2, 1, NULL));
  assert_refused ((histogram = wf_histogram_new (&labels, &refusal)) != NULL, WF_ERROR_INVALID);
  assert_refused ((histogram = wf_histogram_new (&empty, &refusal)) != NULL, WF_ERROR_INVALID);
  g_assert_true (wf_image_allocate (&image, WF_TYPE_U8, 3, 2, 1, NULL));
  g_assert_true (wf_image_allocate (&small, WF_TYPE_U8, 2, 2, 1, NULL));
  assert_refused ((histogram = wf_histogram_new_masked (&image, &small, &refusal)) != NULL,
                  WF_ERROR_INVALID);
  assert_refused ((histogram = wf_histogram_new_masked (&image, &labels, &refusal)) != NULL,
                  WF_ERROR_INVALID);
  wf_histogram_free (NULL);
}

/* Address sanitizers need much more address space than this leaves. */
#ifndef __SANITIZE_ADDRESS__

/* Takes all free blocks of @size bytes, each of which begins with the address of the last. */
static gpointer
take_blocks (gsize size)
{
  gpointer *last = NULL;

  for (gpointer *block = malloc (size); block; block = malloc (size))
    {
      *block = last;
      last   = block;
    }
  return last;
}

static void
give_back (gpointer blocks)
{
  while (blocks)
    {
      gpointer before = *(gpointer *) blocks;

      free (blocks);
      blocks = before;
    }
}

/* Whether more than the limit is refused; an emulator may not know it. */
static gboolean
limit_is_kept (void)
{
  gpointer page = mmap (NULL, 1 << 24, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (page == MAP_FAILED)
    return TRUE;
  munmap (page, 1 << 24);
  return FALSE;
}

static void
test_no_memory (void)
{
  const guint16      pixels[] = { 1, 2, 3, 4 };
  WfImage            image;
  WfHistogram       *histogram;
  g_autoptr (GError) error    = NULL;
  struct rlimit      before;
  struct rlimit      none;
  gpointer           blocks    = NULL;
  gboolean           is_kept;

  g_assert_true (wf_image_init (&image, WF_TYPE_U16, 4, 1, 1, (gpointer) pixels, NULL));
  g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
  none          = before;
  none.rlim_cur = 1;
  g_assert_cmpint (setrlimit (RLIMIT_AS, &none), ==, 0);
  is_kept = limit_is_kept ();
  if (is_kept)
    blocks = take_blocks (1 << 16);
  histogram = wf_histogram_new (&image, &error);
  give_back (blocks);
  g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);

  if (! is_kept)
    {
      wf_histogram_free (histogram);
      g_test_skip ("the system does not keep the limit of a process's memory");
      return;
    }
  g_assert_null (histogram);
  g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
  assert_sentence (error->message);
}
#endif

static void
add (const char        *name,
     GTestDataFunc      function)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = g_strdup_printf ("/histogram/%s/%s", name, wf_type_name (types[i]));

      g_test_add_data_func (path, GINT_TO_POINTER (types[i]), function);
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  add ("counts", test_counts);
  add ("masked", test_masked);
  g_test_add_func ("/histogram/levels", test_levels);
  g_test_add_func ("/histogram/reals", test_reals);
  add ("threshold", test_threshold);
  g_test_add_func ("/histogram/threshold-between", test_threshold_between);
  add ("li", test_li);
  add ("percent", test_percent);
  add ("triangle", test_triangle);
  g_test_add_func ("/histogram/triangle-foot", test_triangle_foot);
  g_test_add_func ("/histogram/threshold-parse", test_threshold_parse);
  g_test_add_func ("/histogram/refusals", test_refusals);
#ifndef __SANITIZE_ADDRESS__
  g_test_add_func ("/histogram/no-memory", test_no_memory);
#endif

  return g_test_run ();
}
