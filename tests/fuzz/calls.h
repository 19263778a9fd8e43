/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A call of an operation, with its input and output images. */

#pragma once

#include "pixels.h"

G_BEGIN_DECLS

/**
 * FuzzCall:
 * @operation: the operation
 * @size: width, height and depth of all images
 * @inputs: the images it reads; an optional one may not exist
 * @n_inputs: number of inputs, whether they exist or not
 * @outputs: the images it writes, in the same way
 * @n_outputs: number of outputs
 * @in_place: whether the first input is also the first output
 * @partial: whether a failed call may leave partly written outputs
 * @misfit: whether an output has a wrong size or type, so that the call must fail
 * @count: number of basins, components or regions
 */
typedef struct
{
  WfOperation operation;
  FuzzSize    size;
  FuzzImage   inputs[WF_MAX_OPERANDS];
  guint       n_inputs;
  FuzzImage   outputs[WF_MAX_OPERANDS];
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
