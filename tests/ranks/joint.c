/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "tests/support/tiers.h"
#include "joint.h"

void
joint_clear (Joint *joint)
{
  for (int i = 0; i < N_SOURCES; i++)
    g_clear_pointer (&joint->sources[i], guarded_image_free);
  for (int i = 0; i < N_RESULTS; i++)
    {
      g_clear_pointer (&joint->results[i], guarded_image_free);
      g_clear_pointer (&joint->expected[i], guarded_image_free);
      g_free (joint->finished[i]);
    }
  for (int i = 0; i < MOST_TEST_RANKS; i++)
    g_free (joint->failures[i]);
}

/* The images belong to @joint. */
static void
site_clear (Site *site)
{
  wf_context_unref (site->context);
  for (int i = 0; i < N_SOURCES; i++)
    site->sources[i].image = NULL;
  for (int i = 0; i < N_RESULTS; i++)
    site->results[i].image = NULL;
}

static void
site_init (Site           *site,
           const Joint    *joint,
           WfCommunicator *ranks)
{
  const guint      rank = wf_communicator_get_rank (ranks);
  WfContextOptions options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device    = "cpu";
  options.threads   = 1 + rank % 2;
  options.tile_size = joint->tile_size;
  site->rank        = rank;
  site->context     = wf_context_new ();
  g_assert_true (wf_context_configure (site->context, &options, NULL));
  wf_context_set_communicator (site->context, ranks);
  wf_context_set_memory_limit (site->context, joint->memory_limit);
  for (int i = 0; i < N_SOURCES; i++)
    if (joint->sources[i])
      block_store_init (&site->sources[i], joint->sources[i]);
  for (int i = 0; i < N_RESULTS; i++)
    if (joint->results[i])
      {
        block_store_init (&site->results[i], joint->results[i]);
        site->results[i].sink.flags = WF_SINK_TAKES_ANY_ORDER;
        if (joint->finished[i])
          block_store_resume (&site->results[i], joint->finished[i]);
      }
  if ((int) rank == joint->fail_rank && joint->fail_write)
    site->results[RESULT].fail_at_write = joint->fail_call;
  else if ((int) rank == joint->fail_rank)
    site->sources[IMAGE].fail_at_read = joint->fail_call;
}

/* Of RankFunc. */
void
joint_run_rank (WfCommunicator *ranks,
          gpointer        data)
{
  Joint             *joint = data;
  Site               site  = { 0 };
  g_autoptr (GError) error = NULL;

  site_init (&site, joint, ranks);
  if (joint->run (joint, &site, &error))
    g_assert_no_error (error);
  else
    joint->failures[wf_communicator_get_rank (ranks)] = g_strdup (error->message);
  site_clear (&site);
}

void
joint_run (Joint        *joint,
           guint         n,
           const gint64 *shares)
{
  run_ranks (n, shares, joint_run_rank, joint);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (joint->failures[i], ==, NULL);
  for (int i = 0; i < N_RESULTS; i++)
    if (joint->expected[i])
      {
        g_assert_cmpint (guarded_image_find_difference (joint->results[i],
                                                        joint->expected[i]->view.data), ==, -1);
        g_assert_true (guarded_image_is_guarded (joint->results[i]));
      }
}

static gint64
count_units (const RefSize *size)
{
  return size->depth > 1 ? size->depth : size->height;
}

/* Any number of ranks, with any parts: also none, where there are fewer rows. */
void
joint_check_parts (Joint *joint)
{
  const guint n = g_test_rand_int_range (1, MOST_TEST_RANKS + 1);
  gint64      shares[MOST_TEST_RANKS];

  for (guint i = 0; i < n; i++)
    shares[i] = g_test_rand_int_range (0, 4);
  joint->fail_rank = -1;
  joint_run (joint, n, g_test_rand_bit () ? shares : NULL);
}

/* Runs until some rank fails, if it does. */
void
joint_interrupt (Joint *joint)
{
  const guint n = g_test_rand_int_range (1, MOST_TEST_RANKS + 1);

  for (int i = 0; i < N_RESULTS; i++)
    if (joint->expected[i])
      {
        guarded_image_wipe (joint->results[i]);
        joint->finished[i] = g_new0 (guint8, count_units (&joint->size));
      }
  joint->fail_rank  = g_test_rand_int_range (0, (int) n);
  joint->fail_call  = g_test_rand_int_range (1, 12);
  joint->fail_write = g_test_rand_int_range (0, 4) > 0;
  run_ranks (n, NULL, joint_run_rank, joint);
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&joint->failures[i], g_free);
}

/* Whether any row, or slice, of the result is finished. */
gboolean
joint_is_begun (const Joint *joint)
{
  return memchr (joint->finished[RESULT], TRUE, count_units (&joint->size)) != NULL;
}

/* Other ranks go on from what some have finished. */
static void
check_resumed (Joint *joint)
{
  joint_interrupt (joint);
  joint_check_parts (joint);
}

void
joint_check (Joint *joint)
{
  joint_check_parts (joint);
  if (g_test_rand_int_range (0, 4) == 0)
    check_resumed (joint);
}

void
joint_init_levels (Joint        *joint,
             WfType        type,
             const double *levels)
{
  joint->fail_rank      = -1;
  joint->sources[IMAGE] = guarded_image_new_levels (type, &joint->size, levels);
  joint->rows           = g_test_rand_int_range (1, count_units (&joint->size) + 2);
  joint->tile_size      = g_test_rand_bit () ? 0 : g_test_rand_int_range (1, 12);
}

void
joint_init_random (Joint   *joint,
             Palette *palette)
{
  const WfType        type   = random_type ();
  g_autofree double  *levels = NULL;

  random_size (&joint->size);
  levels = g_new (double, ref_n_pixels (&joint->size));
  random_palette (type, palette);
  random_content (&joint->size, palette, levels);
  joint_init_levels (joint, type, levels);
}

void
joint_init_result (Joint  *joint,
             int     i,
             WfType  type)
{
  joint->results[i]  = guarded_image_new (type, &joint->size, TRUE);
  joint->expected[i] = guarded_image_new (type, &joint->size, FALSE);
}

