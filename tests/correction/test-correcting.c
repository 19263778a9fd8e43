/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Corrections of labels: random ones of random images against their definitions, pixel by pixel;
 * made again of labels of which some have changed; examples; exceptions of limits; refusals; and
 * the time that each kind takes at four megapixels.
 */

#include <math.h>
#include <string.h>

#include "correction-reference.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

#define MOST_LABELS 4000

typedef struct
{
  WfImage            relief;
  WfImage            mask;
  WfImage            labels;
  gboolean           with_relief;
  gboolean           with_mask;
  WfWatershedOptions options;
} Case;

static void
case_clear (Case *c)
{
  wf_image_clear (&c->relief);
  wf_image_clear (&c->mask);
  wf_image_clear (&c->labels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
set_level (WfImage *image,
           gint64   p,
           int      level)
{
  if (image->type == WF_TYPE_U8)
    ((guint8 *) image->data)[p] = (guint8) level;
  else if (image->type == WF_TYPE_U16)
    ((guint16 *) image->data)[p] = (guint16) (level * 201);
  else
    ((float *) image->data)[p] = (float) level * 0.375f - 3;
}

static double
get_level (const WfImage *image,
           gint64         p)
{
  return image->type == WF_TYPE_U8 ? ((const guint8 *) image->data)[p]
         : image->type == WF_TYPE_U16 ? ((const guint16 *) image->data)[p]
                                      : (double) ((const float *) image->data)[p];
}

static void
make_levels (Case *c)
{
  const int    range = g_test_rand_bit () ? 4 : 256;
  const gint64 n     = wf_image_n_pixels (&c->relief);

  for (gint64 p = 0; p < n; p++)
    {
      const int before = p > 0 && c->relief.type == WF_TYPE_U8
                         ? ((const guint8 *) c->relief.data)[p - 1] : 0;

      set_level (&c->relief, p, g_test_rand_int_range (0, 3) ? g_test_rand_int_range (0, range)
                                                             : before % range);
    }
}

/* Basins of the relief, perhaps with lines, or labels at random in rectangles. */
static void
make_labels (Case *c)
{
  guint32 *labels = c->labels.data;

  if (g_test_rand_int_range (0, 3))
    {
      g_assert_true (wf_watershed_masked (NULL, &c->relief, NULL, c->with_mask ? &c->mask : NULL,
                                          &c->labels, NULL, &c->options, NULL));
      return;
    }
  for (int k = 0; k < 12; k++)
    {
      const gint64  x0    = g_test_rand_int_range (0, (int) c->labels.width);
      const gint64  y0    = g_test_rand_int_range (0, (int) c->labels.height);
      const guint32 label = (guint32) g_test_rand_int_range (0, 9);

      for (gint64 z = 0; z < c->labels.depth; z++)
        for (gint64 y = y0; y < MIN (y0 + 9, c->labels.height); y++)
          for (gint64 x = x0; x < MIN (x0 + 9, c->labels.width); x++)
            labels[(z * c->labels.height + y) * c->labels.width + x] = label;
    }
}

static void
case_init (Case *c)
{
  static const WfType types[]  = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const gint64        width    = g_test_rand_int_range (1, 26);
  const gint64        height   = g_test_rand_int_range (1, 22);
  const gint64        depth    = g_test_rand_int_range (0, 4) ? 1 : g_test_rand_int_range (2, 5);
  const gboolean      faces    = g_test_rand_bit ();

  *c = (Case) { .with_relief = g_test_rand_int_range (0, 6) > 0, .with_mask = g_test_rand_bit () };
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &c->options);
  c->options.connectivity = depth > 1 ? (faces ? 6 : 26) : faces ? 4 : 8;
  c->options.lines        = g_test_rand_bit ();
  c->options.last_index   = g_test_rand_bit ();
  c->options.tolerance    = g_test_rand_bit () ? 60 : 0;
  g_assert_true (wf_image_allocate (&c->relief, types[g_test_rand_int_range (0, 3)], width, height,
                                    depth, NULL));
  g_assert_true (wf_image_allocate (&c->mask, WF_TYPE_U8, width, height, depth, NULL));
  g_assert_true (wf_image_allocate (&c->labels, WF_TYPE_U32, width, height, depth, NULL));
  memset (c->labels.data, 0, (gsize) wf_image_n_pixels (&c->labels) * sizeof (guint32));
  for (gint64 p = 0; p < wf_image_n_pixels (&c->mask); p++)
    ((guint8 *) c->mask.data)[p] = g_test_rand_int_range (0, 25) ? 255 : 0;
  make_levels (c);
  make_labels (c);
}


/*  Against the definitions  */

static void
add_random (WfCorrections *corrections,
            const WfImage *labels)
{
  const guint   n     = (guint) (g_test_rand_bit () ? 2 : g_test_rand_int_range (1, 6));
  const int     out   = g_test_rand_int_range (0, 5) ? 0 : 9;
  WfPixelPlace  points[6];

  for (guint i = 0; i < n; i++)
    points[i] = (WfPixelPlace) { g_test_rand_int_range (-out, (int) labels->width + out),
                                 g_test_rand_int_range (-out, (int) labels->height + out),
                                 g_test_rand_int_range (0, (int) labels->depth) };
  wf_corrections_add (corrections, (WfCorrectionKind) g_test_rand_int_range (0, 6), points, n);
}

static void
compare (const WfCorrecting  *correcting,
         const WfImage       *labels,
         const RefCorrecting *ref)
{
  const gsize size = (gsize) wf_image_n_pixels (labels) * sizeof (guint32);

  g_assert_cmpmem (labels->data, size, ref->labels, size);
  g_assert_cmpuint (wf_correcting_get_highest (correcting), ==, ref->highest);
  for (guint32 label = 1; label <= ref->highest; label++)
    g_assert_cmpint (wf_correcting_get_verdict (correcting, label), ==,
                     ref->states[label] == 1 ? -1 : ref->states[label] == 2);
}

static guint
check_random (guint counts[6])
{
  g_auto (Case)             c           = { 0 };
  g_autoptr (WfCorrections) corrections = wf_corrections_new ();
  g_autoptr (WfCorrecting)  correcting  = NULL;
  g_autofree double        *levels      = NULL;
  g_autofree guint32       *labels      = NULL;
  g_autofree guint8        *states      = g_new0 (guint8, MOST_LABELS);
  guint                     n_effective = 0;
  RefCorrecting             ref;
  gint64                    n;

  case_init (&c);
  n      = wf_image_n_pixels (&c.labels);
  levels = g_new (double, n);
  labels = g_memdup2 (c.labels.data, (gsize) n * sizeof *labels);
  for (gint64 p = 0; p < n; p++)
    levels[p] = get_level (&c.relief, p);
  correcting = wf_correcting_new (NULL, c.with_relief ? &c.relief : NULL,
                                  c.with_mask ? &c.mask : NULL, &c.labels, &c.options, NULL);
  g_assert_nonnull (correcting);
  ref = (RefCorrecting) { { c.labels.width, c.labels.height, c.labels.depth },
                          c.with_relief ? levels : NULL, c.with_mask ? c.mask.data : NULL,
                          c.options.connectivity, c.options.lines, c.options.last_index, labels,
                          states, wf_correcting_get_highest (correcting) };
  for (guint i = 0; i < 8; i++)
    {
      const WfPixelPlace *points;
      guint               n_points;
      gboolean            effective;
      WfCorrectionKind    kind;

      add_random (corrections, &c.labels);
      g_assert_true (wf_correcting_apply (correcting, corrections, i, &effective, NULL));
      kind = wf_corrections_get (corrections, i, &points, &n_points);
      g_assert_cmpint (effective, ==, ref_correct (&ref, kind, points, n_points));
      compare (correcting, &c.labels, &ref);
      counts[kind] += effective ? 1 : 0;
      n_effective  += effective ? 1 : 0;
    }
  return n_effective;
}

static void
test_random (void)
{
  guint counts[6] = { 0 };

  for (guint i = 0; i < test_count (150, 1500); i++)
    check_random (counts);
  for (guint kind = 0; kind < G_N_ELEMENTS (counts); kind++)
    {
      g_test_message ("kind %u: %u with effect", kind, counts[kind]);
      g_assert_cmpuint (counts[kind], >, 10);
    }
}

/* All at once, on a context, give what one after the other gives. */
static void
test_all (void)
{
  for (guint k = 0; k < test_count (60, 600); k++)
    {
      g_auto (Case)             c           = { 0 };
      g_autoptr (WfCorrections) corrections = wf_corrections_new ();
      g_autoptr (WfCorrecting)  first       = NULL;
      g_autoptr (WfCorrecting)  second      = NULL;
      g_auto (WfImage)          copy        = { 0 };
      const guint               n           = (guint) g_test_rand_int_range (1, 30);
      guint                     n_effective = 0;
      guint                     n_all;
      gsize                     size;

      case_init (&c);
      size = (gsize) wf_image_n_pixels (&c.labels) * sizeof (guint32);
      g_assert_true (wf_image_allocate (&copy, WF_TYPE_U32, c.labels.width, c.labels.height,
                                        c.labels.depth, NULL));
      memcpy (copy.data, c.labels.data, size);
      for (guint i = 0; i < n; i++)
        add_random (corrections, &c.labels);
      first  = wf_correcting_new (NULL, &c.relief, NULL, &c.labels, &c.options, NULL);
      second = wf_correcting_new (NULL, &c.relief, NULL, &copy, &c.options, NULL);
      for (guint i = 0; i < n; i++)
        {
          gboolean effective;

          g_assert_true (wf_correcting_apply (first, corrections, i, &effective, NULL));
          n_effective += effective ? 1 : 0;
        }
      g_assert_true (wf_correcting_apply_all (second, corrections, &n_all, NULL));
      g_assert_cmpuint (n_all, ==, n_effective);
      g_assert_cmpmem (c.labels.data, size, copy.data, size);
    }
}


/*  Made again  */

/* The most labels of basins, and of merges of them. */
#define MOST_MERGES 60

/**
 * Slider:
 * @basins: labels before merging
 * @merges: pairs of labels, of which the first becomes the second
 * @n_merges: how many they are
 * @at: how many of them are made
 */
typedef struct
{
  WfImage basins;
  guint32 merges[MOST_MERGES][2];
  int     n_merges;
  int     at;
} Slider;

/* Of the labels that there are. */
static void
slider_init (Slider        *slider,
             const WfImage *labels)
{
  const gint64   n     = wf_image_n_pixels (labels);
  const guint32 *label = labels->data;

  g_assert_true (wf_image_allocate (&slider->basins, WF_TYPE_U32, labels->width, labels->height,
                                    labels->depth, NULL));
  memcpy (slider->basins.data, label, (gsize) n * sizeof *label);
  slider->n_merges = g_test_rand_int_range (1, MOST_MERGES);
  slider->at       = 0;
  for (int i = 0; i < slider->n_merges; i++)
    for (int k = 0; k < 2; k++)
      slider->merges[i][k] = label[g_test_rand_int_range (0, (int) n)];
}

/* Moves it by a few merges, to and fro, and sets @labels; lines stay. */
static void
slider_move (Slider  *slider,
             WfImage *labels)
{
  const int to = slider->at + g_test_rand_int_range (-3, 5);
  guint32   map[MOST_LABELS];

  slider->at = CLAMP (to, 0, slider->n_merges);
  for (guint32 label = 0; label < MOST_LABELS; label++)
    map[label] = label;
  for (int i = 0; i < slider->at; i++)
    {
      const guint32 from = map[slider->merges[i][0]];
      const guint32 into = map[slider->merges[i][1]];

      for (guint32 label = 1; label < MOST_LABELS && from != 0 && into != 0; label++)
        if (map[label] == from)
          map[label] = into;
    }
  wf_labels_map (&slider->basins, map, MOST_LABELS, labels);
}

static void
assert_same_state (const WfCorrecting *first,
                   const WfCorrecting *second)
{
  const guint32 highest = wf_correcting_get_highest (second);

  g_assert_cmpuint (wf_correcting_get_highest (first), ==, highest);
  for (guint32 label = 1; label <= highest; label++)
    g_assert_cmpint (wf_correcting_get_verdict (first, label), ==,
                     wf_correcting_get_verdict (second, label));
}

/* A list that grows and shrinks, made of what the slider leaves: with what is remembered, in much
 * memory and in little, and without.
 */
static void
check_restart (void)
{
  static const guint64      bytes[]     = { 1, 900, 3000, 1 << 24 };
  g_auto (Case)             c           = { 0 };
  g_autoptr (WfCorrections) corrections = wf_corrections_new ();
  g_autoptr (WfCorrecting)  kept        = NULL;
  g_auto (WfImage)          copy        = { 0 };
  Slider                    slider      = { 0 };
  gsize                     size;

  case_init (&c);
  size = (gsize) wf_image_n_pixels (&c.labels) * sizeof (guint32);
  slider_init (&slider, &c.labels);
  g_assert_true (wf_image_allocate (&copy, WF_TYPE_U32, c.labels.width, c.labels.height,
                                    c.labels.depth, NULL));
  kept = wf_correcting_new (NULL, c.with_relief ? &c.relief : NULL, c.with_mask ? &c.mask : NULL,
                            &c.labels, &c.options, NULL);
  wf_correcting_remember (kept, bytes[g_test_rand_int_range (0, G_N_ELEMENTS (bytes))]);
  for (int step = 0; step < 24; step++)
    {
      g_autoptr (WfCorrecting) anew   = NULL;
      const guint              n_left = (guint) g_test_rand_int_range (0, 30);

      wf_corrections_truncate (corrections, MIN (wf_corrections_get_n (corrections), n_left));
      for (int i = g_test_rand_int_range (0, 4); i > 0; i--)
        add_random (corrections, &c.labels);
      slider_move (&slider, &c.labels);
      memcpy (copy.data, c.labels.data, size);
      anew = wf_correcting_new (NULL, c.with_relief ? &c.relief : NULL,
                                c.with_mask ? &c.mask : NULL, &copy, &c.options, NULL);
      g_assert_true (wf_correcting_restart (kept, NULL));
      if (g_test_rand_bit ())
        wf_correcting_divide_ahead (kept, corrections, 0);
      for (guint i = 0; i < wf_corrections_get_n (corrections); i++)
        {
          gboolean effective[2];

          g_assert_true (wf_correcting_apply (kept, corrections, i, &effective[0], NULL));
          g_assert_true (wf_correcting_apply (anew, corrections, i, &effective[1], NULL));
          g_assert_cmpint (effective[0], ==, effective[1]);
        }
      g_assert_cmpmem (c.labels.data, size, copy.data, size);
      assert_same_state (kept, anew);
    }
  wf_image_clear (&slider.basins);
}

static void
test_restart (void)
{
  for (guint i = 0; i < test_count (120, 1200); i++)
    check_restart ();
}


/*  Examples  */

/* Two touching discs in one object: a short stroke across the neck, and a seed, divide it there. */
static void
make_discs (WfImage *relief,
            WfImage *labels)
{
  g_assert_true (wf_image_allocate (relief, WF_TYPE_F32, 60, 40, 1, NULL));
  g_assert_true (wf_image_allocate (labels, WF_TYPE_U32, 60, 40, 1, NULL));
  for (int y = 0; y < 40; y++)
    for (int x = 0; x < 60; x++)
      {
        const double d = MIN (hypot (x - 20, y - 20), hypot (x - 40, y - 20));

        ((guint32 *) labels->data)[y * 60 + x] = d <= 12;
        ((float *) relief->data)[y * 60 + x]   = (float) MIN (d - 12, 0);
      }
}

static guint32
at (const WfImage *labels,
    int            x,
    int            y)
{
  return ((const guint32 *) labels->data)[y * labels->width + x];
}

static void
check_halves (const char *text)
{
  g_auto (WfImage)          relief      = { 0 };
  g_auto (WfImage)          labels      = { 0 };
  g_autoptr (WfCorrections) corrections = wf_corrections_parse (text, NULL);
  g_autoptr (WfCorrecting)  correcting  = NULL;
  guint                     n;

  make_discs (&relief, &labels);
  correcting = wf_correcting_new (NULL, &relief, NULL, &labels, NULL, NULL);
  g_assert_true (wf_correcting_apply_all (correcting, corrections, &n, NULL));
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (at (&labels, 20, 20) + at (&labels, 40, 20), ==, 3);
  for (int y = 0; y < 40; y++)
    for (int x = 0; x < 60; x++)
      if (at (&labels, x, y) != 0 && x != 30)
        g_assert_cmpuint (at (&labels, x, y), ==, at (&labels, x < 30 ? 20 : 40, 20));
}

static void
test_halves (void)
{
  check_halves ("[{\"split\":[[30,18],[30,22]]}]");
  check_halves ("[{\"split\":[[30,0],[30,39]]}]");
  check_halves ("[{\"seed\":[[40,20]]}]");
  check_halves ("[{\"seed\":[[47,24]]}]");
}

/* What is made ahead needs no relief in its turn: of an object that is joined before its seed, and
 * of one that another seed divides before, it is not.
 */
static void
test_ahead (void)
{
  guint8                    levels[]    = { 1, 9, 1,  1, 9, 1,  1, 9, 1, 9, 1,  1, 9, 1, 1 };
  guint32                   pixels[]    = { 1, 1, 1,  2, 2, 2,  3, 3, 3, 3, 3,  4, 4, 4, 5 };
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (WfCorrections) corrections = wf_corrections_parse (
    "[{\"join\":[[11,0],[14,0]]}, {\"seed\":[[2,0]]}, {\"seed\":[[5,0],[8,0]]}, "
    "{\"seed\":[[10,0]]}, {\"seed\":[[13,0]]}]", NULL);
  g_autoptr (WfCorrecting)  correcting  = NULL;
  WfImage                   relief;
  WfImage                   labels;
  WfContextOptions          options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.threads = 3;
  g_assert_true (wf_context_configure (context, &options, NULL));
  g_assert_true (wf_image_init (&relief, WF_TYPE_U8, G_N_ELEMENTS (levels), 1, 1, levels, NULL));
  g_assert_true (wf_image_init (&labels, WF_TYPE_U32, G_N_ELEMENTS (pixels), 1, 1, pixels, NULL));
  correcting = wf_correcting_new (context, &relief, NULL, &labels, NULL, NULL);
  wf_correcting_remember (correcting, 1 << 20);
  wf_correcting_divide_ahead (correcting, corrections, 0);
  g_assert_cmpuint (wf_correcting_get_highest (correcting), ==, 5);
  memset (levels, 0, sizeof levels);
  for (guint i = 0; i < 5; i++)
    {
      static const gboolean expected[] = { TRUE, TRUE, TRUE, FALSE, FALSE };
      gboolean              effective;

      g_assert_true (wf_correcting_apply (correcting, corrections, i, &effective, NULL));
      g_assert_cmpint (effective, ==, expected[i]);
    }
  g_assert_cmpuint (wf_correcting_get_highest (correcting), ==, 8);
  g_assert_true (pixels[0] == 1 && pixels[2] == 6 && pixels[5] == 7 && pixels[8] == 8);
}

/* Deleting hides an object from others; keeping brings it back, and makes it an exception. */
static void
test_states (void)
{
  guint32                   pixels[]    = { 1, 1, 2, 2, 3, 3 };
  guint8                    kept[3]     = { 0, 1, 1 };
  g_autoptr (WfCorrections) corrections = wf_corrections_parse (
    "[{\"delete\":[[2,0]]}, {\"join\":[[0,0],[2,0]]}, {\"keep\":[[0,0]]}, {\"delete\":[[2,0]]}, "
    "{\"join\":[[1,0],[4,0]]}]", NULL);
  g_autoptr (WfCorrecting)  correcting  = NULL;
  g_autoptr (WfRegions)     regions     = NULL;
  WfImage                   labels;
  guint                     n;

  g_assert_true (wf_image_init (&labels, WF_TYPE_U32, 6, 1, 1, pixels, NULL));
  correcting = wf_correcting_new (NULL, NULL, NULL, &labels, NULL, NULL);
  g_assert_true (wf_correcting_apply_all (correcting, corrections, &n, NULL));
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (pixels[4], ==, 1);
  g_assert_cmpint (wf_correcting_get_verdict (correcting, 2), ==, -1);
  regions = wf_regions_measure (NULL, &labels, NULL, 1 << WF_REGION_AREA, NULL, NULL);
  g_assert_cmpint (wf_correcting_choose (correcting, regions, kept), ==, 1);
  g_assert_true (kept[0] == 1 && kept[1] == 0);
}

/* A stroke far beyond the image takes no time. */
static void
test_far (void)
{
  const WfPixelPlace        points[]    = { { -16000000, -16000000, 0 },
                                            { 16000000, 16000000, 0 } };
  g_autoptr (WfCorrections) corrections = wf_corrections_new ();
  g_autoptr (WfCorrecting)  correcting  = NULL;
  guint32                   pixels[]    = { 1, 2, 2, 1 };
  const gint64              start       = g_get_monotonic_time ();
  WfImage                   labels;
  guint                     n;

  for (int i = 0; i < 20000; i++)
    wf_corrections_add (corrections, WF_CORRECTION_JOIN_ALONG, points, 2);
  g_assert_true (wf_image_init (&labels, WF_TYPE_U32, 2, 2, 1, pixels, NULL));
  correcting = wf_correcting_new (NULL, NULL, NULL, &labels, NULL, NULL);
  g_assert_true (wf_correcting_apply_all (correcting, corrections, &n, NULL));
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
}


/*  Refusals  */

static void
test_refusals (void)
{
  g_auto (WfImage)          relief      = { 0 };
  g_auto (WfImage)          labels      = { 0 };
  g_auto (WfImage)          small       = { 0 };
  guint32                   high[]      = { G_MAXUINT32 };
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (WfCorrections) corrections = wf_corrections_parse ("[{\"seed\":[[40,20]]}]", NULL);
  g_autoptr (WfCorrecting)  correcting  = NULL;
  WfWatershedOptions        options;
  WfImage                   one;

  make_discs (&relief, &labels);
  g_assert_true (wf_image_allocate (&small, WF_TYPE_U8, 3, 3, 1, NULL));
  assert_refused (wf_correcting_new (NULL, &small, NULL, &labels, NULL, &refusal) != NULL,
                  WF_ERROR_INVALID);
  assert_refused (wf_correcting_new (NULL, &relief, &small, &labels, NULL, &refusal) != NULL,
                  WF_ERROR_INVALID);
  assert_refused (wf_correcting_new (NULL, &labels, NULL, &labels, NULL, &refusal) != NULL,
                  WF_ERROR_INVALID);
  assert_refused (wf_correcting_new (NULL, NULL, NULL, &small, NULL, &refusal) != NULL,
                  WF_ERROR_INVALID);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.connectivity = 6;
  assert_refused (wf_correcting_new (NULL, NULL, NULL, &labels, &options, &refusal) != NULL,
                  WF_ERROR_INVALID);
  g_assert_true (wf_image_init (&one, WF_TYPE_U32, 1, 1, 1, high, NULL));
  assert_refused (wf_correcting_new (NULL, NULL, NULL, &one, NULL, &refusal) != NULL,
                  WF_ERROR_LABELS);

  wf_context_set_cancellable (context, cancellable);
  correcting = wf_correcting_new (context, &relief, NULL, &labels, NULL, NULL);
  g_cancellable_cancel (cancellable);
  assert_refused_with (wf_correcting_apply_all (correcting, corrections, NULL, &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
}


/*  Time  */

/* A relief of waves with about a thousand basins of four thousand pixels. */
static void
make_large (WfImage *relief,
            WfImage *labels)
{
  g_assert_true (wf_image_allocate (relief, WF_TYPE_U16, 2048, 2048, 1, NULL));
  g_assert_true (wf_image_allocate (labels, WF_TYPE_U32, 2048, 2048, 1, NULL));
  for (int y = 0; y < 2048; y++)
    for (int x = 0; x < 2048; x++)
      ((guint16 *) relief->data)[y * 2048 + x] = (guint16)
        (20000 + 9000 * (sin (x * G_PI / 32) + sin (y * G_PI / 32)) +
         ((x * 7919 + y * 104729) & 15));
}

static void
test_time (void)
{
  static const char *const texts[] =
  {
    "[{\"join\":[[1000,1000],[1050,1000]]}]",
    "[{\"join-along\":[[200,300],[600,310]]}]",
    "[{\"split\":[[1200,1190],[1210,1260]]}]",
    "[{\"delete\":[[700,700]]}]",
    "[{\"seed\":[[1000,1000]]}]",
  };
  g_auto (WfImage)         relief     = { 0 };
  g_auto (WfImage)         labels     = { 0 };
  g_autoptr (WfCorrecting) correcting = NULL;
  WfWatershedOptions       options;
  gint64                   start;

  if (test_is_quick ())
    {
      g_test_skip ("takes part in the full tier");
      return;
    }
  make_large (&relief, &labels);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.tolerance = 1000;
  g_assert_true (wf_watershed (NULL, &relief, NULL, &labels, NULL, &options, NULL));
  start      = g_get_monotonic_time ();
  correcting = wf_correcting_new (NULL, &relief, NULL, &labels, &options, NULL);
  g_test_message ("4 megapixels: boxes of %u objects in %.1f ms",
                  wf_correcting_get_highest (correcting),
                  (double) (g_get_monotonic_time () - start) / 1e3);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (WfCorrections) corrections = wf_corrections_parse (texts[i], NULL);
      gboolean                  effective;
      double                    ms;

      start = g_get_monotonic_time ();
      g_assert_true (wf_correcting_apply (correcting, corrections, 0, &effective, NULL));
      ms = (double) (g_get_monotonic_time () - start) / 1e3;
      g_test_message ("4 megapixels: %s in %.2f ms", texts[i], ms);
      g_assert_true (effective);
      g_assert_cmpfloat (ms, <, 500);   /* an answer takes 50 on a quiet machine */
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/correcting/random", test_random);
  g_test_add_func ("/correcting/all", test_all);
  g_test_add_func ("/correcting/ahead", test_ahead);
  g_test_add_func ("/correcting/restart", test_restart);
  g_test_add_func ("/correcting/halves", test_halves);
  g_test_add_func ("/correcting/states", test_states);
  g_test_add_func ("/correcting/far", test_far);
  g_test_add_func ("/correcting/refusals", test_refusals);
  g_test_add_func ("/correcting/time", test_time);
  return g_test_run ();
}
