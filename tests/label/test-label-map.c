/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels that are replaced by entries of a table, pixel by pixel: in place, as another image, and
 * as a mask.
 */

#include "tests/support/guarded-image.h"
#include "tests/support/random-image.h"
#include "tests/support/tiers.h"

static void
check (const RefSize *size,
       guint32        n_entries)
{
  const gint64               n       = ref_n_pixels (size);
  const int                  range   = (int) n_entries + g_test_rand_int_range (1, 4);
  g_autofree guint32        *labels  = g_new (guint32, n);
  g_autofree guint32        *table   = g_new (guint32, n_entries + 1);
  g_autofree guint32        *wanted  = g_new (guint32, n);
  g_autofree guint8         *marks   = g_new (guint8, n);
  g_autoptr (GuardedImage)   image   = NULL;
  WfImage                    packed;
  WfImage                    mask;

  for (guint32 i = 0; i < n_entries; i++)
    table[i] = g_test_rand_int_range (0, 3) ? (guint32) g_test_rand_int () : 0;
  for (gint64 i = 0; i < n; i++)
    {
      labels[i] = g_test_rand_int_range (0, 20) ? (guint32) g_test_rand_int_range (0, range)
                                                : G_MAXUINT32;
      wanted[i] = labels[i] < n_entries ? table[labels[i]] : 0;
    }
  image = guarded_image_new_labels (size, labels);
  g_assert_true (wf_image_init (&packed, WF_TYPE_U32, size->width, size->height, size->depth,
                                labels, NULL));
  g_assert_true (wf_image_init (&mask, WF_TYPE_U8, size->width, size->height, size->depth, marks,
                                NULL));
  wf_labels_map (&image->view, table, n_entries, &mask);
  wf_labels_map (&packed, table, n_entries, &image->view);
  g_assert_true (guarded_image_is_guarded (image));
  wf_labels_map (&packed, table, n_entries, &packed);
  for (gint64 i = 0; i < n; i++)
    {
      g_assert_cmpuint (labels[i], ==, wanted[i]);
      g_assert_cmpuint (guarded_image_get_label (image, i), ==, wanted[i]);
      g_assert_cmpuint (marks[i], ==, wanted[i] != 0 ? 255 : 0);
    }
}

static void
test_random (void)
{
  for (guint i = 0; i < test_count (100, 1000); i++)
    {
      RefSize size;

      random_size (&size);
      check (&size, (guint32) g_test_rand_int_range (0, 50));
    }
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/label-map/random", test_random);
  return g_test_run ();
}
