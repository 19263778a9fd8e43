/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markers painted in colors: by hand, and against a linear search, for each type. */

#include <string.h>

#include "tests/support/tiers.h"
#include "wavefront.h"

static void
add (WfColorMarkers *markers,
     const float    *pixels,
     gboolean        alpha,
     guint32        *labels)
{
  memset (labels, 0xff, 6 * sizeof *labels);
  wf_color_markers_add (markers, WF_TYPE_F32, pixels, 4, alpha, 6, labels);
}

static void
test_colors (void)
{
  static const float first[] = { 1, 0, 0, 1,  0, 0, 0, 0,  0, 0, 0, 1,
                                 1, 0, 0, 0.5f,  0, 1, 0, 1,  0, 1, 0, 0.4f };
  static const float second[] = { 0, 1, 0, 1,  -0.0f, 0, 0, 1,  0, 0, 1, 0.3f,
                                  1, 0, 0, 1,  0, 0, 1, 1,  1, 0, 1e-7f, 1 };
  static const guint32       first_labels[]  = { 1, 0, 2, 1, 3, 0 };
  static const guint32       second_labels[] = { 3, 2, 0, 1, 4, 5 };
  g_autoptr (WfColorMarkers) markers         = wf_color_markers_new ();
  guint32                    labels[6];

  g_assert_cmpuint (wf_color_markers_get_n (markers), ==, 0);
  add (markers, first, TRUE, labels);
  g_assert_cmpmem (labels, sizeof labels, first_labels, sizeof labels);
  g_assert_cmpuint (wf_color_markers_get_n (markers), ==, 3);
  add (markers, second, TRUE, labels);
  g_assert_cmpmem (labels, sizeof labels, second_labels, sizeof labels);
  g_assert_cmpuint (wf_color_markers_get_n (markers), ==, 5);
}

/* Without alpha, black is not a marker. */
static void
test_black (void)
{
  static const float row[] = { 0, 0, 0, 1,  0.5f, 0.5f, 0.5f, 1,  -0.0f, 0, 0, 1,
                               1, 1, 1, 0,  0.5f, 0.5f, 0.5f, 1,  0, 0, 1, 1 };
  static const guint32       expected[] = { 0, 1, 0, 2, 1, 3 };
  g_autoptr (WfColorMarkers) markers    = wf_color_markers_new ();
  guint32                    labels[6];

  add (markers, row, FALSE, labels);
  g_assert_cmpmem (labels, sizeof labels, expected, sizeof labels);
}

/* The least alpha of a marker in integers. */
static void
test_opacity (void)
{
  static const guint8        bytes[]  = { 9, 8, 7, 127,  9, 8, 7, 128,  0, 0, 0, 255 };
  static const guint16       shorts[] = { 9, 8, 7, 32767,  9, 8, 7, 32768,  0, 0, 0, 65535 };
  g_autoptr (WfColorMarkers) first    = wf_color_markers_new ();
  g_autoptr (WfColorMarkers) second   = wf_color_markers_new ();
  guint32                    labels[3];

  wf_color_markers_add (first, WF_TYPE_U8, bytes, 4, TRUE, 3, labels);
  for (guint32 i = 0; i < 3; i++)
    g_assert_cmpuint (labels[i], ==, i);
  wf_color_markers_add (second, WF_TYPE_U16, shorts, 4, TRUE, 3, labels);
  for (guint32 i = 0; i < 3; i++)
    g_assert_cmpuint (labels[i], ==, i);
}

#define WIDTH 6

/* Sets component @i to the level, from 0 to @most. */
static void
set_component (WfType   type,
               gpointer pixels,
               guint    i,
               int      level,
               int      most)
{
  if (type == WF_TYPE_U8)
    ((guint8 *) pixels)[i] = (guint8) (level * G_MAXUINT8 / most);
  else if (type == WF_TYPE_U16)
    ((guint16 *) pixels)[i] = (guint16) (level * G_MAXUINT16 / most);
  else
    ((float *) pixels)[i] = (float) level / (float) most;
}

/* Colors are numbered in the order of their first occurrence, as a linear search gives them. */
static void
check_many (WfType   type,
            guint    n_components,
            gboolean alpha)
{
  const guint                n_rows  = test_count (100, 300);
  g_autoptr (WfColorMarkers) markers = wf_color_markers_new ();
  g_autofree int            *known   = g_new (int, 3 * WIDTH * n_rows);
  guint32                    n       = 0;

  for (guint row = 0; row < n_rows; row++)
    {
      float   pixels[WIDTH * 5];
      int     levels[WIDTH][5];
      guint32 labels[WIDTH];

      for (int i = 0; i < WIDTH; i++)
        for (guint c = 0; c < n_components; c++)
          {
            levels[i][c] = g_test_rand_int_range (0, 6);
            set_component (type, pixels, (guint) i * n_components + c, levels[i][c], 5);
          }
      wf_color_markers_add (markers, type, pixels, n_components, alpha, WIDTH, labels);
      for (int i = 0; i < WIDTH; i++)
        {
          const int *color = levels[i];
          guint32    k     = 0;

          if (alpha ? color[3] < 3 : color[0] + color[1] + color[2] == 0)
            {
              g_assert_cmpuint (labels[i], ==, 0);
              continue;
            }
          while (k < n && memcmp (&known[3 * k], color, 3 * sizeof *color) != 0)
            k++;
          if (k == n)
            memcpy (&known[3 * n++], color, 3 * sizeof *color);
          g_assert_cmpuint (labels[i], ==, k + 1);
        }
    }
  g_assert_cmpuint (wf_color_markers_get_n (markers), ==, n);
}

static void
test_many_colors (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint n_components = 3; n_components <= 5; n_components++)
      for (int alpha = 0; alpha < (n_components > 3 ? 2 : 1); alpha++)
        check_many (types[i], n_components, alpha);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/color-markers/colors", test_colors);
  g_test_add_func ("/color-markers/black", test_black);
  g_test_add_func ("/color-markers/opacity", test_opacity);
  g_test_add_func ("/color-markers/many-colors", test_many_colors);
  return g_test_run ();
}
