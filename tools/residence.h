/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images that stay on a GPU from one step of a chain to the next. */

#pragma once

#include "files/input.h"
#include "files/output.h"
#include "job.h"

/**
 * ResidenceTask:
 * @operation: what is to be done
 * @options: its options
 * @inputs: what it reads, the first one is worked on
 * @n_inputs: how many there are
 * @output: where the result goes, or %NULL
 * @content: what the result means
 * @type: of a pixel of it
 * @inputs_here: whether the CPU reads the pixels of inputs as well
 * @result_here: whether the CPU reads or changes the result as well
 *
 * A step whose images may stay.
 */
typedef struct
{
  WfOperation    operation;
  gconstpointer  options;
  Input         *inputs[WF_MAX_OPERANDS];
  guint          n_inputs;
  const Output  *output;
  WfContent      content;
  WfType         type;
  gboolean       inputs_here;
  gboolean       result_here;
} ResidenceTask;

void         residence_open        (void);
void         residence_close       (void);
WfContext *  residence_get_context (void);
gboolean     residence_retreat     (GError              **error);
gboolean     residence_settle      (const ResidenceTask  *task,
                                    Job                  *job,
                                    WfImage              *result,
                                    GError              **error);
