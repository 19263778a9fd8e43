/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An operation in blocks by several ranks, compared with that of the whole image in memory. */

#pragma once

#include "tests/support/block-store.h"
#include "tests/support/random-image.h"
#include "thread-ranks.h"

#define MOST_TEST_RANKS 8

/* Images that an operation reads, and results. */
enum { IMAGE, MARKER, N_SOURCES };
enum { RESULT, SECOND_RESULT, N_RESULTS };

/* One rank's. */
typedef struct
{
  WfContext  *context;
  guint       rank;
  BlockStore  sources[N_SOURCES];
  BlockStore  results[N_RESULTS];
} Site;

/**
 * Joint:
 * @run: does the operation in one rank
 * @expected: results of the whole in memory; %NULL where one is not wanted
 * @rows: of a block, at most
 * @tile_size: of all ranks, 0 for automatic
 * @fail_rank: the rank that fails, at its @fail_call-th read or write; -1: none
 * @failures: each rank's, as it was told
 * @finished: for each row, or slice, of a result whether it was finished before; or %NULL
 *
 * An operation that all ranks do.
 */
typedef struct Joint
{
  RefSize        size;
  GuardedImage  *sources[N_SOURCES];
  GuardedImage  *results[N_RESULTS];
  GuardedImage  *expected[N_RESULTS];
  gconstpointer  options;
  gint64         rows;
  int            tile_size;
  guint64        memory_limit;
  gint64         count;
  gboolean       no_background;
  int            fail_rank;
  guint          fail_call;
  gboolean       fail_write;
  char          *failures[MOST_TEST_RANKS];
  guint8        *finished[N_RESULTS];
  gboolean    (* run) (const struct Joint  *joint,
                       Site                *site,
                       GError             **error);
} Joint;


void     joint_clear       (Joint          *joint);
void     joint_run_rank    (WfCommunicator *ranks,
                            gpointer        data);
void     joint_run         (Joint          *joint,
                            guint           n,
                            const gint64   *shares);
void     joint_check_parts (Joint          *joint);
void     joint_interrupt   (Joint          *joint);
gboolean joint_is_begun    (const Joint    *joint);
void     joint_check       (Joint          *joint);
void     joint_init_levels (Joint          *joint,
                            WfType          type,
                            const double   *levels);
void     joint_init_random (Joint          *joint,
                            Palette        *palette);
void     joint_init_result (Joint          *joint,
                            int             i,
                            WfType          type);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Joint, joint_clear)
