/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outlines of regions: filled again they are the labels; rings are simple and run as they should;
 * what is known of some pictures; regions of ImageJ and files; refusals.
 */

#include <string.h>

#include <glib/gstdio.h>

#include "tests/support/tiers.h"
#include "wavefront.h"

typedef struct
{
  gint64   width;
  gint64   height;
  gint64   depth;
  guint32 *labels;
  WfImage  image;
} Picture;


static void
picture_init (Picture *picture,
              gint64   width,
              gint64   height,
              gint64   depth)
{
  *picture = (Picture) { width, height, depth, g_new0 (guint32, width * height * depth) };
  g_assert_true (wf_image_init (&picture->image, WF_TYPE_U32, width, height, depth,
                                picture->labels, NULL));
}

static gint64
double_area (const WfOutlineRing *ring)
{
  gint64 area = 0;

  for (gint64 i = 0; i < ring->n_points; i++)
    {
      const WfOutlinePoint *a = &ring->points[i];
      const WfOutlinePoint *b = &ring->points[(i + 1) % ring->n_points];

      area += (gint64) a->x * b->y - (gint64) b->x * a->y;
    }
  return area;
}

/* Counts how often the line from the left to the middle of a pixel crosses the ring. */
static gboolean
is_inside (const WfOutlineRing *ring,
           gint64               x,
           gint64               y)
{
  gboolean inside = FALSE;

  for (gint64 i = 0; i < ring->n_points; i++)
    {
      const WfOutlinePoint *a = &ring->points[i];
      const WfOutlinePoint *b = &ring->points[(i + 1) % ring->n_points];

      inside ^= a->x == b->x && a->x <= x && MIN (a->y, b->y) <= y && y < MAX (a->y, b->y);
    }
  return inside;
}

/* Corners only, none twice, along the axes. */
static void
assert_is_simple (const WfOutlineRing *ring)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  g_assert_cmpint (ring->n_points, >=, 4);
  g_assert_true (ring->n_points % 2 == 0);
  g_assert_true ((double_area (ring) < 0) == ring->is_hole);
  for (gint64 i = 0; i < ring->n_points; i++)
    {
      const WfOutlinePoint *a   = &ring->points[i];
      const WfOutlinePoint *b   = &ring->points[(i + 1) % ring->n_points];
      const WfOutlinePoint *c   = &ring->points[(i + 2) % ring->n_points];
      gint64               *key = g_new (gint64, 1);

      *key = (gint64) a->x << 32 | a->y;
      g_assert_true (g_hash_table_add (seen, key));
      g_assert_true ((a->x == b->x) != (a->y == b->y));
      g_assert_true ((a->x == b->x) == (b->y == c->y));
    }
}

/* Fills one polygon: its pixels must be those of the label, and be filled for the first time. */
static void
fill_polygon (const Picture       *picture,
              const WfOutline     *region,
              const WfOutlineRing *rings,
              gint64               n_rings,
              guint32             *filled)
{
  for (gint64 y = 0; y < picture->height; y++)
    for (gint64 x = 0; x < picture->width; x++)
      {
        const gint64 p      = (region->slice * picture->height + y) * picture->width + x;
        gboolean     inside = is_inside (&rings[0], x, y);

        for (gint64 i = 1; i < n_rings; i++)
          {
            /* Holes are within the ring, and apart. */
            g_assert_true (! is_inside (&rings[i], x, y) || inside);
            inside &= ! is_inside (&rings[i], x, y);
          }
        if (! inside)
          continue;
        g_assert_cmpuint (picture->labels[p], ==, region->label);
        g_assert_cmpuint (filled[p], ==, 0);
        filled[p] = region->label;
      }
}

static gint64
count_pixels (const Picture   *picture,
              const WfOutline *region)
{
  const gint64 n_slice = picture->width * picture->height;
  gint64       n       = 0;

  for (gint64 p = 0; p < n_slice; p++)
    n += picture->labels[region->slice * n_slice + p] == region->label;
  return n;
}

static void
check_region (const Picture   *picture,
              const WfOutline *region,
              guint32         *filled)
{
  gint64 area       = 0;
  gint64 n_polygons = 0;

  for (gint64 i = 0; i < region->n_rings; )
    {
      gint64 end = i + 1;

      g_assert_false (region->rings[i].is_hole);
      while (end < region->n_rings && region->rings[end].is_hole)
        end++;
      fill_polygon (picture, region, region->rings + i, end - i, filled);
      n_polygons++;
      for (; i < end; i++)
        {
          assert_is_simple (&region->rings[i]);
          area += double_area (&region->rings[i]);
        }
    }
  g_assert_cmpint (n_polygons, ==, region->n_polygons);
  g_assert_cmpint (area, ==, 2 * count_pixels (picture, region));
}

/* Pieces by their definition: pixels of one label, connected by edges. */
static gint64
count_pieces (const Picture *picture)
{
  const gint64         n      = picture->width * picture->height * picture->depth;
  g_autofree gboolean *seen   = g_new0 (gboolean, n);
  g_autofree gint64   *queue  = g_new (gint64, n);
  gint64               pieces = 0;

  for (gint64 start = 0; start < n; start++)
    {
      gint64 last = 0;

      if (seen[start] || picture->labels[start] == 0)
        continue;
      pieces++;
      seen[start] = TRUE;
      queue[0]    = start;
      for (gint64 first = 0; first <= last; first++)
        {
          const gint64 p        = queue[first];
          const gint64 x        = p % picture->width;
          const gint64 y        = p / picture->width % picture->height;
          const gint64 near[4]  = { x > 0 ? p - 1 : -1, x + 1 < picture->width ? p + 1 : -1,
                                    y > 0 ? p - picture->width : -1,
                                    y + 1 < picture->height ? p + picture->width : -1 };

          for (int k = 0; k < 4; k++)
            if (near[k] >= 0 && ! seen[near[k]] &&
                picture->labels[near[k]] == picture->labels[start])
              {
                seen[near[k]]  = TRUE;
                queue[++last] = near[k];
              }
        }
    }
  return pieces;
}

static void
check_picture (const Picture *picture)
{
  const gint64           n        = picture->width * picture->height * picture->depth;
  g_autofree guint32    *filled   = g_new0 (guint32, n);
  g_autoptr (WfOutlines) outlines = wf_outlines_trace (NULL, &picture->image, NULL);
  gint64                 pieces   = 0;

  g_assert_nonnull (outlines);
  for (gint64 i = 0; i < wf_outlines_get_n_regions (outlines); i++)
    {
      const WfOutline *region = wf_outlines_get_region (outlines, i);
      const WfOutline *before = i > 0 ? wf_outlines_get_region (outlines, i - 1) : NULL;

      g_assert_true (! before || before->slice < region->slice ||
                     (before->slice == region->slice && before->label < region->label));
      check_region (picture, region, filled);
      pieces += region->n_polygons;
    }
  g_assert_cmpmem (filled, n * sizeof *filled, picture->labels, n * sizeof *filled);
  g_assert_cmpint (pieces, ==, count_pieces (picture));
}

/* Noise of few or many labels, discs in each other, a checkerboard, lines. */
static guint32
random_label (int    kind,
              gint64 x,
              gint64 y)
{
  switch (kind)
    {
    case 0:
      return g_test_rand_int_range (0, 2);
    case 1:
      return (guint32[]) { 0, 1, 7, G_MAXUINT32 }[g_test_rand_int_range (0, 4)];
    case 2:
      return (guint32) (((x - 9) * (x - 9) + (y - 8) * (y - 8)) / 13 % 3);
    case 3:
      return (guint32) ((x + y) % 2 + (g_test_rand_int_range (0, 20) == 0));
    case 4:
      return g_test_rand_int_range (0, 8) > 0;
    default:
      return x % 3 == 0 || y % 4 == 0 ? 5 : 0;
    }
}

static void
test_random (void)
{
  const int n_rounds = test_count (300, 4000);

  for (int round = 0; round < n_rounds; round++)
    {
      const int kind = round % 6;
      Picture   picture;

      picture_init (&picture, g_test_rand_int_range (1, 24), g_test_rand_int_range (1, 20),
                    round % 5 == 0 ? g_test_rand_int_range (2, 4) : 1);
      for (gint64 p = 0; p < picture.width * picture.height * picture.depth; p++)
        picture.labels[p] = random_label (kind, p % picture.width,
                                          p / picture.width % picture.height);
      check_picture (&picture);
      g_free (picture.labels);
    }
}

/* All pictures of 3 × 3 pixels with two labels and none, and of 4 × 4 with one. */
static void
test_all_small (void)
{
  Picture picture;

  picture_init (&picture, 3, 3, 1);
  for (int number = 0; number < 19683; number += test_count (7, 1))
    {
      for (int p = 0, rest = number; p < 9; p++, rest /= 3)
        picture.labels[p] = (guint32) (rest % 3);
      check_picture (&picture);
    }
  g_free (picture.labels);

  picture_init (&picture, 4, 4, 1);
  for (int number = 0; number < 65536; number += test_count (11, 1))
    {
      for (int p = 0; p < 16; p++)
        picture.labels[p] = number >> p & 1;
      check_picture (&picture);
    }
  g_free (picture.labels);
}

/* A frame that touches itself at a corner: one polygon, with the ring around it and one hole. */
static void
test_known (void)
{
  static const char       rows[] = "11110"
                                   "10010"
                                   "10001"
                                   "11111";
  static const char       json[] =
    "{\"type\":\"FeatureCollection\",\"features\":[\n"
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
    "[[[0,0],[4,0],[4,2],[5,2],[5,4],[0,4],[0,0]],"
    "[[4,2],[3,2],[3,1],[1,1],[1,3],[4,3],[4,2]]]},"
    "\"properties\":{\"objectType\":\"detection\",\"name\":\"1\",\"label\":1}}\n]}\n";
  const double            spacing[] = { 1, 1 };
  g_autoptr (WfOutlines)  outlines  = NULL;
  g_autoptr (GBytes)      bytes     = NULL;
  g_autofree char        *text      = NULL;
  Picture                 picture;

  picture_init (&picture, 5, 4, 1);
  for (int p = 0; p < 20; p++)
    picture.labels[p] = rows[p] - '0';
  check_picture (&picture);
  outlines = wf_outlines_trace (NULL, &picture.image, NULL);
  bytes    = wf_outlines_format (outlines, WF_OUTLINE_GEOJSON, FALSE, "detection", spacing, NULL);
  text     = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_cmpint (wf_outlines_get_region (outlines, 0)->n_rings, ==, 2);
  g_assert_cmpstr (text, ==, json);
  g_free (picture.labels);
}

/* A comb whose ring touches itself at each tooth must not take quadratic time. */
static void
test_hostile (void)
{
  const int              side     = test_count (700, 2000);
  g_autoptr (WfOutlines) outlines = NULL;
  gint64                 area     = 0;
  gint64                 n        = 0;
  Picture                picture;

  picture_init (&picture, side, side, 1);
  for (gint64 p = 0; p < (gint64) side * side; p++)
    {
      const gint64 x = p % side;
      const gint64 y = p / side;

      picture.labels[p] = y % 4 == 0 || (x + y) % 2 == 0 ? 1 : 0;
      n += picture.labels[p];
    }
  outlines = wf_outlines_trace (NULL, &picture.image, NULL);
  for (gint64 i = 0; i < wf_outlines_get_region (outlines, 0)->n_rings; i++)
    area += double_area (&wf_outlines_get_region (outlines, 0)->rings[i]);
  g_assert_cmpint (area, ==, 2 * n);
  g_free (picture.labels);
}

static guint32
number_at (const guint8 *bytes,
           gsize         at,
           int           n_bytes)
{
  guint32 number = 0;

  for (int i = n_bytes; i-- > 0;)
    number = number << 8 | bytes[at + (gsize) i];
  return number;
}

/* By its definition, bit by bit. */
static guint32
find_checksum (const guint8 *bytes,
               gsize         n)
{
  guint32 sum = G_MAXUINT32;

  for (gsize i = 0; i < n; i++)
    {
      sum ^= bytes[i];
      for (int bit = 0; bit < 8; bit++)
        sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
  return ~sum;
}

/* A traced region: its corners, relative to the box, are those of the ring. */
static void
assert_is_traced (const guint8        *roi,
                  const WfOutlineRing *ring)
{
  const gint16 top  = (gint16) (roi[8] << 8 | roi[9]);
  const gint16 left = (gint16) (roi[10] << 8 | roi[11]);
  const int    n    = roi[16] << 8 | roi[17];

  g_assert_cmpint (roi[6], ==, 8);
  g_assert_cmpint (n, ==, ring->n_points);
  for (int i = 0; i < n; i++)
    {
      const guint8 *x = roi + 64 + 2 * i;
      const guint8 *y = x + 2 * n;

      g_assert_cmpint (left + (x[0] << 8 | x[1]), ==, ring->points[i].x);
      g_assert_cmpint (top + (y[0] << 8 | y[1]), ==, ring->points[i].y);
    }
}

/* The entries follow each other, and the directory names each; some are left of and above 0. */
static void
test_rois (void)
{
  g_autoptr (WfOutlines) outlines  = NULL;
  g_autoptr (GBytes)     file      = NULL;
  const guint8          *bytes;
  gsize                  size;
  gsize                  at        = 0;
  gsize                  directory;
  Picture                picture;

  picture_init (&picture, 7, 5, 1);
  for (int p = 0; p < 35; p++)
    picture.labels[p] = p % 7 == 3 ? 0 : 1 + (guint32) (p % 7 > 3);
  outlines = wf_outlines_trace (NULL, &picture.image, NULL);
  wf_outlines_move (outlines, -5, 300);
  g_assert_cmpint (wf_outlines_get_region (outlines, 0)->rings[0].points[0].x, >=, -5);
  file  = wf_outlines_format (outlines, WF_OUTLINE_ROIS, FALSE, NULL, NULL, NULL);
  bytes = g_bytes_get_data (file, &size);

  directory = number_at (bytes, size - 6, 4);
  g_assert_cmpuint (number_at (bytes, size - 22, 4), ==, 0x06054b50);
  g_assert_cmpuint (number_at (bytes, size - 12, 2), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const guint32    length = number_at (bytes, at + 18, 4);
      const WfOutline *region = wf_outlines_get_region (outlines, i);

      g_assert_cmpuint (number_at (bytes, at, 4), ==, 0x04034b50);
      g_assert_cmpuint (number_at (bytes, directory, 4), ==, 0x02014b50);
      g_assert_cmpuint (number_at (bytes, directory + 42, 4), ==, at);
      g_assert_cmpmem (bytes + at + 30, 5, i == 0 ? "1.roi" : "2.roi", 5);
      g_assert_cmpmem (bytes + directory + 46, 5, i == 0 ? "1.roi" : "2.roi", 5);
      at += 35;
      g_assert_cmpuint (number_at (bytes, directory + 16, 4), ==,
                        find_checksum (bytes + at, length));
      assert_is_traced (bytes + at, &region->rings[0]);
      at        += length;
      directory += 51;
    }
  g_assert_cmpuint (at, ==, number_at (bytes, size - 6, 4));
  g_assert_cmpuint (directory, ==, size - 22);
  g_free (picture.labels);
}

/* Places are those of before, and more; the suffix tells the format. */
static void
test_files (void)
{
  static const char *const names[]  = { "a.geojson", "b.JSON", "c.zip" };
  g_autofree char         *folder   = g_dir_make_tmp (NULL, NULL);
  const double             pixels[] = { 1, 1 };
  g_autoptr (WfOutlines)   outlines = NULL;
  g_autoptr (WfOutlines)   moved    = NULL;
  GError                  *refusal  = NULL;
  Picture                  picture;
  WfOutlineFormat          format;

  g_assert_nonnull (folder);
  picture_init (&picture, 6, 4, 1);
  for (int p = 0; p < 24; p++)
    picture.labels[p] = (guint32) (p % 5);
  outlines = wf_outlines_trace (NULL, &picture.image, NULL);
  moved    = wf_outlines_trace (NULL, &picture.image, NULL);
  wf_outlines_move (moved, 11, -2);
  for (gint64 i = 0; i < wf_outlines_get_n_regions (outlines); i++)
    for (gint64 k = 0; k < wf_outlines_get_region (outlines, i)->n_rings; k++)
      for (gint64 q = 0; q < wf_outlines_get_region (outlines, i)->rings[k].n_points; q++)
        {
          const WfOutlinePoint *from = &wf_outlines_get_region (outlines, i)->rings[k].points[q];
          const WfOutlinePoint *to   = &wf_outlines_get_region (moved, i)->rings[k].points[q];

          g_assert_cmpint (to->x, ==, from->x + 11);
          g_assert_cmpint (to->y, ==, from->y - 2);
        }

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char   *path     = g_build_filename (folder, names[i], NULL);
      g_autoptr (GFile)  file     = g_file_new_for_path (path);
      g_autofree char   *contents = NULL;
      g_autoptr (GBytes) wanted   = NULL;
      gsize              size;

      g_assert_true (wf_outline_format_find (path, &format));
      g_assert_cmpint (format, ==, i < 2 ? WF_OUTLINE_GEOJSON : WF_OUTLINE_ROIS);
      g_assert_true (wf_outlines_write (moved, file, FALSE, NULL));
      g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
      wanted = wf_outlines_format (moved, format, FALSE, "detection", pixels, NULL);
      g_assert_cmpmem (contents, size, g_bytes_get_data (wanted, NULL), g_bytes_get_size (wanted));
      g_assert_true (g_file_delete (file, NULL, NULL));
    }

  {
    g_autofree char   *path = g_build_filename (folder, "a.txt", NULL);
    g_autoptr (GFile)  file = g_file_new_for_path (path);

    g_assert_false (wf_outlines_write (moved, file, FALSE, &refusal));
    g_assert_error (refusal, WF_ERROR, WF_ERROR_INVALID);
    g_assert_nonnull (strstr (refusal->message, "a.txt"));
    g_clear_error (&refusal);
    g_assert_false (g_file_query_exists (file, NULL));
  }
  wf_outlines_move (moved, 40000, 0);
  g_assert_null (wf_outlines_format (moved, WF_OUTLINE_ROIS, FALSE, NULL, NULL, &refusal));
  g_assert_error (refusal, WF_ERROR, WF_ERROR_INVALID);
  g_clear_error (&refusal);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (picture.labels);
}

static void
test_refusals (void)
{
  guint8                  pixels[6] = { 0 };
  g_autoptr (WfOutlines)  outlines  = NULL;
  g_autoptr (WfContext)   context   = wf_context_new ();
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  GError                 *refusal   = NULL;
  WfImage                 wrong;
  Picture                 picture;

  g_assert_true (wf_image_init (&wrong, WF_TYPE_U8, 3, 2, 1, pixels, NULL));
  g_assert_null (wf_outlines_trace (NULL, &wrong, &refusal));
  g_assert_error (refusal, WF_ERROR, WF_ERROR_INVALID);
  g_clear_error (&refusal);

  picture_init (&picture, 9, 9, 1);
  g_cancellable_cancel (cancelled);
  wf_context_set_cancellable (context, cancelled);
  g_assert_null (wf_outlines_trace (context, &picture.image, &refusal));
  g_assert_error (refusal, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&refusal);
  outlines = wf_outlines_trace (NULL, &picture.image, NULL);
  g_assert_cmpint (wf_outlines_get_n_regions (outlines), ==, 0);
  g_free (picture.labels);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/outlines/random", test_random);
  g_test_add_func ("/outlines/all-small", test_all_small);
  g_test_add_func ("/outlines/known", test_known);
  g_test_add_func ("/outlines/hostile", test_hostile);
  g_test_add_func ("/outlines/rois", test_rois);
  g_test_add_func ("/outlines/files", test_files);
  g_test_add_func ("/outlines/refusals", test_refusals);

  return g_test_run ();
}
