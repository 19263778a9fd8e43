/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of a chain. */

#pragma once

#include "arguments.h"

/* What the input of a chain is called in its steps. */
#define CHAIN_INPUT "in"

/**
 * ChainStep:
 * @arguments: its command and options, and the names as they were written, of inputs without those
 *   that follow from the step before
 * @name: (nullable): what later steps call its result
 * @inputs: (element-type utf8): a name in the store, or one of a file, for each input
 * @result: the name of its result in the store
 * @output: (nullable): the file of the result
 * @table: (nullable): the file of its table
 */
typedef struct
{
  Arguments   arguments;
  char       *name;
  GPtrArray  *inputs;
  char       *result;
  char       *output;
  char       *table;
} ChainStep;

typedef struct _Chain Chain;

/**
 * Chain:
 * @steps: (element-type ChainStep)
 * @image: the store's name of the last image
 * @output: (nullable): its file
 */
struct _Chain
{
  GPtrArray *steps;
  char      *image;
  char      *output;
};

Chain *  chain_parse        (const char       *text,
                             const Arguments  *arguments,
                             GError          **error);
gboolean chain_makes_image  (const ChainStep  *step);
gboolean chain_blame        (guint             step,
                             const Command    *command,
                             GError          **error);
void     chain_list_outputs (const Chain      *chain,
                             GArray           *outputs,
                             const Arguments  *arguments);
void     chain_free         (Chain            *chain);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Chain, chain_free)
