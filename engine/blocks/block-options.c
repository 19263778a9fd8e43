/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of all functions in blocks. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "block-options.h"
#include "engine/core/options.h"

static const WfChoice ways[] =
{
  { "auto",    WF_BLOCKS_AUTO,    N_("Automatic") },
  { "queue",   WF_BLOCKS_QUEUE,   N_("Visits until nothing changes") },
  { "summary", WF_BLOCKS_SUMMARY, N_("Two visits of each block") },
  { NULL,      0,                 NULL }
};

static const WfOption block_options[] =
{
  { "way", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfBlockOptions, way),
    N_("_Joining of blocks"),
    N_("How the blocks of a reconstruction are joined: with a queue, a block is visited again "
       "where its neighbor changes it; with a summary, each is read twice and written once"),
    "WAY", 0, 0, WF_BLOCKS_AUTO, ways },
  { "rows", WF_OPTION_INT, G_STRUCT_OFFSET (WfBlockOptions, rows),
    N_("_Rows of a block"),
    N_("Rows of a block at most, of a stack slices; 0 for as many as memory allows"),
    "N", 0, WF_MAX_SIDE, 0, NULL, WF_OPTION_SIZE },
};

static const WfOptionGroup group =
{
  "blocks", N_("Blocks"), N_("How an image is divided into blocks"),
  block_options, G_N_ELEMENTS (block_options), sizeof (WfBlockOptions)
};

/**
 * wf_blocks_get_options:
 *
 * Gets the description of #WfBlockOptions.
 *
 * Returns: (transfer none): the description, constant
 */
const WfOptionGroup *
wf_blocks_get_options (void)
{
  return &group;
}

/* Copies and checks the caller's options, or with NULL the defaults. */
gboolean
wf_block_options_take (const WfBlockOptions  *options,
                       WfBlockOptions        *taken,
                       GError               **error)
{
  return wf_option_group_take (&group, options, taken, error);
}
