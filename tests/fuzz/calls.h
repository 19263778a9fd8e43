/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One call of one operation, with the images that it takes and gives. */

#pragma once

#include "pixels.h"

G_BEGIN_DECLS

#define FUZZ_MOST_IMAGES 2

/**
 * FuzzCall:
 * @operation: which
 * @inputs: that it reads
 * @n_inputs: how many; one that the operation can do without may be missing
 * @outputs: that it writes
 * @n_outputs: how many
 * @in_place: whether the first output is the first input
 * @partial: whether a failed call may leave the outputs half written
 * @misfit: whether an output does not fit, so that the call must fail
 * @count: what it counted: basins, components, regions
 */
typedef struct
{
  WfOperation operation;
  FuzzSize    size;
  FuzzImage   inputs[FUZZ_MOST_IMAGES];
  guint       n_inputs;
  FuzzImage   outputs[FUZZ_MOST_IMAGES];
  guint       n_outputs;
  gboolean    in_place;
  gboolean    partial;
  gboolean    misfit;
  guint32     count;
} FuzzCall;

void     fuzz_call_init      (FuzzCall        *call,
                              WfOperation      operation,
                              gconstpointer    options,
                              FuzzBytes       *bytes);
void     fuzz_call_init_like (FuzzCall        *call,
                              const FuzzCall  *model,
                              FuzzBytes       *bytes);
gboolean fuzz_call_run       (FuzzCall        *call,
                              WfContext       *context,
                              gconstpointer    options,
                              GError         **error);
void     fuzz_call_compare   (const FuzzCall  *call,
                              const FuzzCall  *other);
void     fuzz_call_clear     (FuzzCall        *call);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FuzzCall, fuzz_call_clear)

G_END_DECLS
