/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines between regions are closed: against the definition, round by round; by hand; refusals. */

#include <string.h>

#include "tests/support/guarded-image.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"


/* The label that a pixel without one gets in a round. */
static guint32
label_beside (const RefSize *size,
              const guint32 *labels,
              gint64         x,
              gint64         y,
              gint64         z)
{
  static const int steps[4][2] = { { -1, 0 }, { 0, -1 }, { 1, 0 }, { 0, 1 } };

  for (int i = 0; i < 4; i++)
    {
      const gint64 u = x + steps[i][0];
      const gint64 v = y + steps[i][1];

      if (u >= 0 && v >= 0 && u < size->width && v < size->height &&
          labels[(z * size->height + v) * size->width + u] != 0)
        return labels[(z * size->height + v) * size->width + u];
    }
  return 0;
}

/* Rounds over all pixels until none changes. */
static void
close_lines (const RefSize *size,
             const guint8  *inside,
             guint32       *labels)
{
  const gint64        n      = ref_n_pixels (size);
  g_autofree guint32 *before = g_new (guint32, n);
  gboolean            changed;

  do
    {
      changed = FALSE;
      memcpy (before, labels, (gsize) n * sizeof *labels);
      for (gint64 i = 0; i < n; i++)
        if (before[i] == 0 && (! inside || inside[i]))
          {
            labels[i] = label_beside (size, before, i % size->width,
                                      i / size->width % size->height,
                                      i / size->width / size->height);
            changed  |= labels[i] != 0;
          }
    }
  while (changed);
}

static void
check (const RefSize *size,
       gboolean       masked)
{
  const gint64              n        = ref_n_pixels (size);
  const int                 share    = g_test_rand_int_range (1, 20);
  g_autofree guint32       *labels   = g_new (guint32, n);
  g_autofree guint8        *inside   = g_new (guint8, n);
  g_autoptr (GuardedImage)  image    = NULL;
  g_autoptr (GuardedImage)  mask     = guarded_image_new (WF_TYPE_U8, size, TRUE);

  for (gint64 i = 0; i < n; i++)
    {
      labels[i] = g_test_rand_int_range (0, share) == 0 ? (guint32) g_test_rand_int () : 0;
      inside[i] = (guint8) g_test_rand_int_range (0, 4);
    }
  image = guarded_image_new_labels (size, labels);
  guarded_image_write (mask, inside);
  close_lines (size, masked ? inside : NULL, labels);
  g_assert_true (wf_labels_close_lines (NULL, &image->view, masked ? &mask->view : NULL, NULL));
  g_assert_cmpint (guarded_image_find_difference (image, labels), ==, -1);
  g_assert_true (guarded_image_is_guarded (image));
}

static void
test_random (void)
{
  for (guint i = 0; i < test_count (200, 1000); i++)
    {
      RefSize size;

      random_size (&size);
      check (&size, FALSE);
      check (&size, TRUE);
    }
}

/* A line four pixels wide is divided in its middle; without a label nothing happens. */
static void
test_by_hand (void)
{
  enum { WIDTH = 23, HEIGHT = 17 };

  guint32 labels[HEIGHT][WIDTH];
  WfImage image;

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, WIDTH, HEIGHT, 1, labels, NULL));
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      labels[y][x] = x < 9 ? 4 : x > 12 ? 6 : 0;
  g_assert_true (wf_labels_close_lines (NULL, &image, NULL, NULL));
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpuint (labels[y][x], ==, x < 11 ? 4 : 6);

  memset (labels, 0, sizeof labels);
  g_assert_true (wf_labels_close_lines (NULL, &image, NULL, NULL));
  g_assert_cmpuint (labels[1][1], ==, 0);
}

static void
test_refusals (void)
{
  guint32                   labels[12]  = { 1, 0, 2 };
  guint32                   before[12]  = { 1, 0, 2 };
  guint8                    pixels[12]  = { 0 };
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  WfImage                   image;
  WfImage                   mask;

  g_assert_true (wf_image_init (&image, WF_TYPE_U32, 4, 3, 1, labels, NULL));
  g_assert_true (wf_image_init (&mask, WF_TYPE_U8, 3, 4, 1, pixels, NULL));
  assert_refused (wf_labels_close_lines (NULL, &mask, NULL, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_labels_close_lines (NULL, &image, &mask, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_labels_close_lines (NULL, &image, &image, &refusal), WF_ERROR_INVALID);
  g_cancellable_cancel (cancellable);
  wf_context_set_cancellable (context, cancellable);
  assert_refused_with (wf_labels_close_lines (context, &image, NULL, &refusal), G_IO_ERROR,
                       G_IO_ERROR_CANCELLED);
  g_assert_cmpmem (labels, sizeof labels, before, sizeof before);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/close-lines/random", test_random);
  g_test_add_func ("/close-lines/by-hand", test_by_hand);
  g_test_add_func ("/close-lines/refusals", test_refusals);
  return g_test_run ();
}
