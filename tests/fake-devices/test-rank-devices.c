/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ranks of one host share its devices out: each GPU that was named is one rank's, where there are
 * enough of them, and the result is that of one process.
 */

#include <string.h>

#include "sharing.h"
#include "tests/ranks/thread-ranks.h"
#include "tests/support/block-store.h"
#include "tests/support/tiers.h"

#define MOST_TEST_RANKS 7

/* The devices of the fake module. */
#define N_GPUS 3

/**
 * Work:
 * @devices: as they are named
 * @named: the numbers of those GPUs, in this order; @n_named: how many
 * @late: whether the ranks meet after the devices are named, or before
 */
typedef struct
{
  const char    *devices;
  guint          named[N_GPUS];
  guint          n_named;
  gboolean       late;
  guint          n_ranks;
  GuardedImage  *image;
  GuardedImage  *out;
} Work;


/* The definition: of n ranks, the one with number r has each n-th GPU from the r-th on; with fewer
 * GPUs than ranks, they take turns.
 */
static gboolean
has_gpu (const Work *work,
         guint       rank,
         guint       i)
{
  return work->n_named >= work->n_ranks ? i % work->n_ranks == rank : rank % work->n_named == i;
}

static gboolean
is_reported (WfContext  *context,
             const char *name)
{
  guint                 n;
  const WfWorkerReport *reports = wf_context_get_worker_reports (context, &n);

  for (guint i = 0; i < n; i++)
    if (strcmp (reports[i].device, name) == 0)
      return TRUE;
  return FALSE;
}

/* Of RankFunc. */
static void
label_in_rank (WfCommunicator *ranks,
               gpointer        data)
{
  Work                 *work    = data;
  g_autoptr (WfContext) context = work->late
                                  ? new_context (work->devices, 0, WF_FALLBACK_NONE, TRUE)
                                  : wf_context_new ();
  g_autoptr (GError)    error   = NULL;
  const guint           rank    = wf_communicator_get_rank (ranks);
  BlockStore            source  = { 0 };
  BlockStore            result  = { 0 };
  WfLabelOptions        options;
  WfContextOptions      how;

  wf_context_set_communicator (context, ranks);
  if (! work->late)
    {
      wf_option_group_init (wf_context_get_options (), &how);
      how.device = work->devices;
      g_assert_true (wf_context_configure (context, &how, NULL));
    }
  block_store_init (&source, work->image);
  block_store_init (&result, work->out);
  result.sink.flags = WF_SINK_TAKES_ANY_ORDER;
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  wf_label_blocks (context, &source.source, &result.sink, NULL, &options, BLOCKS_OF (2),
                   &error);
  g_assert_no_error (error);

  for (guint i = 0; i < work->n_named; i++)
    {
      g_autofree char *name = g_strdup_printf ("cuda:%u", work->named[i]);

      g_assert_cmpint (is_reported (context, name), ==, has_gpu (work, rank, i));
    }
}

static void
check (Work *work)
{
  Palette           palette;
  RefSize           size;
  WfLabelOptions    options;
  GuardedImage     *expected;

  work->image = random_packed (random_type (), &palette, &size);
  work->out   = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  expected    = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  g_assert_true (wf_label (NULL, &work->image->view, &expected->view, NULL, &options, NULL));
  run_ranks (work->n_ranks, NULL, label_in_rank, work);
  g_assert_cmpint (guarded_image_find_difference (work->out, expected->view.data), ==, -1);
  guarded_image_free (work->image);
  guarded_image_free (work->out);
  guarded_image_free (expected);
}

static void
test_share (void)
{
  static const Work lists[] =
  {
    { .devices = "all", .named = { 0, 1, 2 }, .n_named = 3 },
    { .devices = "cuda:2,cuda:0", .named = { 2, 0 }, .n_named = 2 },
    { .devices = "cpu,cuda:1", .named = { 1 }, .n_named = 1 },
    { .devices = "cuda:1,cuda:2,cuda:0", .named = { 1, 2, 0 }, .n_named = 3 }
  };

  for (guint i = 0; i < test_count (40, 400); i++)
    {
      Work work = lists[i % G_N_ELEMENTS (lists)];

      work.late    = g_test_rand_bit ();
      work.n_ranks = g_test_rand_int_range (2, MOST_TEST_RANKS + 1);
      check (&work);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  set_disturbance (0, 0);
  g_test_add_func ("/rank-devices/share", test_share);
  return g_test_run ();
}
