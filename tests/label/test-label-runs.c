/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps that find, count, look up and write runs of labels, pixel by pixel, for each
 * instruction set that this processor has: every type, number of pixels and density of runs; memory
 * of just the pixels.
 */

#include "config.h"

#include <string.h>

#include "engine/label/cpu/label-index.h"
#include "engine/label/cpu/label-runs.h"
#include "tests/support/tiers.h"

#define GUARD 0xa5

static const WfLabelSweeps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_label_sweeps);

static const WfLabelPixelSweeps * const pixel_tables[WF_N_SIMD] =
  WF_SIMD_TABLES (wf_label_pixel_sweeps);

static guint32
random_label (guint32 highest)
{
  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      return 0;
    case 1:
      return highest - (guint32) g_test_rand_int_range (0, 2);
    case 2:
      return (guint32) g_test_rand_int_range (0, 3);
    default:
      return (guint32) (highest * g_test_rand_double ());
    }
}

/* Runs of at most @longest pixels; some neighbors have equal labels. */
static guint32 *
random_pixels (gint64  n,
               guint32 highest,
               int     longest)
{
  guint32 *pixels = g_new (guint32, (gsize) n);

  for (gint64 x = 0; x < n; )
    {
      const guint32 label = random_label (highest);

      for (int i = g_test_rand_int_range (0, longest); i >= 0 && x < n; i--)
        pixels[x++] = label;
    }
  return pixels;
}

static gpointer
pack (const guint32 *pixels,
      gint64         n,
      gsize          size)
{
  guint8 *packed = g_malloc ((gsize) n * size);

  for (gint64 x = 0; x < n; x++)
    if (size == 1)
      packed[x] = (guint8) pixels[x];
    else if (size == 2)
      ((guint16 *) packed)[x] = (guint16) pixels[x];
    else
      ((guint32 *) packed)[x] = pixels[x];
  return packed;
}

/* What lies ahead need not be there. */
static WfLabelAhead
nothing_ahead (gconstpointer pixels)
{
  return (WfLabelAhead) { { pixels, NULL, pixels, (const char *) G_MAXSIZE } };
}

/* The places are listed by @places, if it is not %NULL. */
static gint64
find_u32 (const WfLabelSweeps *sweeps,
          const guint32       *pixels,
          gint64               n,
          guint64             *starts,
          guint32             *labels,
          guint32             *places)
{
  const WfLabelAhead ahead   = nothing_ahead (pixels);
  guint32            highest = 1;
  guint32            most    = 0;
  const gint64       n_runs  = sweeps->find_u32 (pixels, n, &ahead, starts, labels, places,
                                                 &highest);

  for (gint64 x = 0; x < n; x++)
    most = MAX (most, pixels[x]);
  g_assert_cmpuint (highest, ==, most);
  return n_runs;
}

static void
run_case (const WfLabelSweeps *sweeps,
          gsize                size,
          gint64               n)
{
  const guint32        highest = size == 1 ? G_MAXUINT8 : size == 2 ? G_MAXUINT16 : G_MAXUINT32;
  const int            longest = 1 << g_test_rand_int_range (0, 9);
  g_autofree guint32  *pixels  = random_pixels (n, highest, longest);
  g_autofree gpointer  packed  = pack (pixels, n, size);
  g_autofree guint8   *written = g_malloc ((gsize) n * size + 1);
  g_autofree guint64  *starts  = g_new (guint64, (gsize) (n + 63) / 64);
  g_autofree guint32  *labels  = g_new0 (guint32, WF_PIECE);
  g_autofree guint32  *places  = g_new0 (guint32, WF_PIECE);
  const gboolean       listed  = size == 4 && g_test_rand_bit ();
  const gint64         n_runs  = size == 4
                                 ? find_u32 (sweeps, packed, n, starts, labels,
                                             listed ? places : NULL)
                                 : (size == 1 ? sweeps->find_u8
                                              : sweeps->find_u16) (packed, n, starts, labels);
  gint64               run     = 0;

  if (! listed)
    sweeps->list_places (starts, n, places);
  for (gint64 x = 0; x < n; x++)
    {
      const gboolean begins = x == 0 || pixels[x] != pixels[x - 1];

      g_assert_cmpint (starts[x / 64] >> x % 64 & 1, ==, begins);
      if (! begins)
        continue;
      g_assert_cmpint (run, <, n_runs);
      g_assert_cmpuint (labels[run], ==, pixels[x]);
      g_assert_cmpuint (places[run++], ==, x);
    }
  g_assert_cmpint (run, ==, n_runs);
  if (n % 64)
    g_assert_cmpuint (starts[n / 64] >> n % 64, ==, 0);

  memset (written, GUARD, n * size + 1);
  (size == 1   ? sweeps->write_u8
   : size == 2 ? sweeps->write_u16
               : sweeps->write_u32) (starts, n, labels, written);
  g_assert_cmpmem (written, n * size, packed, n * size);
  g_assert_cmpuint (written[n * size], ==, GUARD);
}

static void
test_steps (gconstpointer data)
{
  const WfLabelSweeps *sweeps = tables[GPOINTER_TO_INT (data)];

  for (gsize size = 1; size <= 4; size *= 2)
    {
      for (gint64 n = 1; n <= 200; n++)
        run_case (sweeps, size, n);
      for (guint i = 0; i < test_count (300, 3000); i++)
        run_case (sweeps, size, g_test_rand_int_range (1, WF_PIECE + 1));
      run_case (sweeps, size, WF_PIECE);
    }
}

/* Numbers of pixels begin shortly before 2³². */
static void
check_counts (const WfLabelSweeps *sweeps,
              const guint32       *pixels,
              gint64               n,
              guint32              n_labels,
              gboolean             shared)
{
  g_autofree guint64 *starts = g_new (guint64, (gsize) (n + 63) / 64);
  g_autofree guint32 *labels = g_new (guint32, WF_PIECE);
  g_autofree guint32 *places = g_new (guint32, WF_PIECE);
  g_autofree guint32 *low    = g_new (guint32, n_labels);
  g_autofree guint32 *high   = g_new0 (guint32, n_labels);
  g_autofree guint64 *counts = g_new (guint64, n_labels);
  const gint64        n_runs = find_u32 (sweeps, pixels, n, starts, labels, places);

  for (guint32 i = 0; i < n_labels; i++)
    counts[i] = low[i] = i % 3 ? 0 : G_MAXUINT32 - i;
  for (gint64 x = 0; x < n; x++)
    counts[pixels[x]]++;

  wf_label_counts_add_runs ((WfLabelCounts) { low, high }, labels, places, n_runs, (guint32) n,
                            shared);
  for (guint32 i = 1; i < n_labels; i++)
    g_assert_cmpuint ((guint64) high[i] << 32 | low[i], ==, counts[i]);
}

/* At every alignment. */
static void
check_looked_up (const WfLabelPixelSweeps *sweeps,
                 const guint32            *pixels,
                 gint64                    n,
                 guint32                   n_labels,
                 gboolean                  streamed)
{
  const WfLabelAhead  ahead = nothing_ahead (pixels);
  g_autofree guint32 *table = g_new (guint32, n_labels);
  g_autofree guint32 *room  = g_new (guint32, (gsize) n + 18);
  guint32            *out   = room + 1 + g_test_rand_int_range (0, 16);

  for (guint32 i = 0; i < n_labels; i++)
    table[i] = (guint32) g_test_rand_int ();
  out[-1] = out[n] = GUARD;
  sweeps->look_up (pixels, n, &ahead, table, streamed, out);
  for (gint64 x = 0; x < n; x++)
    g_assert_cmpuint (out[x], ==, table[pixels[x]]);
  g_assert_cmpuint (out[-1], ==, GUARD);
  g_assert_cmpuint (out[n], ==, GUARD);

  memcpy (out, pixels, n * sizeof *out);
  sweeps->look_up (out, n, &ahead, table, streamed, out);
  for (gint64 x = 0; x < n; x++)
    g_assert_cmpuint (out[x], ==, table[pixels[x]]);
}

/* The steps on pixels whose labels are in a table. */
static void
test_table (gconstpointer data)
{
  const WfLabelSweeps      *sweeps       = tables[GPOINTER_TO_INT (data)];
  const WfLabelPixelSweeps *pixel_sweeps = pixel_tables[GPOINTER_TO_INT (data)];

  for (guint i = 0; i < test_count (400, 4000); i++)
    {
      const guint32       n_labels = (guint32) g_test_rand_int_range (1, 1000);
      const gint64        n        = i < 200 ? i + 1 : g_test_rand_int_range (1, WF_PIECE + 1);
      g_autofree guint32 *pixels   = random_pixels (n, n_labels - 1,
                                                    1 << g_test_rand_int_range (0, 7));

      for (gint64 x = 0; x < n; x++)
        pixels[x] %= n_labels;
      check_counts (sweeps, pixels, n, n_labels, FALSE);
      check_counts (sweeps, pixels, n, n_labels, TRUE);
      check_looked_up (pixel_sweeps, pixels, n, n_labels, FALSE);
      check_looked_up (pixel_sweeps, pixels, n, n_labels, TRUE);
    }
}

/* Labels of all kinds, some of which have the same hash of a table of any size. */
static void
test_index (void)
{
  WfLabelIndex           index   = { NULL };
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < test_count (30000, 300000); i++)
    {
      const guint32 wish   = random_label (i % 2 ? G_MAXUINT32 : 50000);
      const guint32 label  = MAX (wish, 1);
      gpointer      known  = g_hash_table_lookup (numbers, GUINT_TO_POINTER (label));
      const gint64  number = wf_label_index_add (&index, label);

      if (! known)
        g_hash_table_insert (numbers, GUINT_TO_POINTER (label), GINT_TO_POINTER (number + 1));
      g_assert_cmpint (number, ==, known ? GPOINTER_TO_INT (known) - 1 : index.n - 1);
      g_assert_cmpuint (index.labels[number], ==, label);
    }
  g_assert_cmpint (index.n, ==, g_hash_table_size (numbers));
  for (gint64 i = 0; i < index.n; i++)
    g_assert_cmpuint (wf_label_index_find (&index, index.labels[i]), ==, i);
  wf_label_index_clear (&index);
  g_assert_cmpint (index.n, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  static const char * const names[] = { "plain", "sse2", "avx2", "avx512" };

  tests_begin (&argc, &argv);
  for (int level = 0; level <= (int) wf_simd_level (); level++)
    if (tables[level])
      {
        g_autofree char *path = g_strdup_printf ("/label-runs/steps/%s", names[level]);

        g_autofree char *table = g_strdup_printf ("/label-runs/table/%s", names[level]);

        g_test_add_data_func (path, GINT_TO_POINTER (level), test_steps);
        g_test_add_data_func (table, GINT_TO_POINTER (level), test_table);
      }
  g_test_add_func ("/label-runs/index", test_index);
  return g_test_run ();
}
