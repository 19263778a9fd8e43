/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "calls.h"
#include "tests/support/operation-call.h"


/*  Images  */

/* Chooses one of the types that the operand may have. */
static WfType
choose_type (const WfOperand *operand,
             WfType           first,
             FuzzBytes       *bytes)
{
  WfType types[WF_TYPE_F64];
  guint  n = 0;

  if (operand->same_type)
    return first;
  for (int type = WF_TYPE_U8; type <= WF_TYPE_F64; type++)
    if (operand->types & 1 << type)
      types[n++] = (WfType) type;
  return n > 1 ? types[fuzz_below (bytes, n)] : types[0];
}

static gboolean
is_left_out (const WfOperand *operand,
             FuzzBytes       *bytes)
{
  return operand->optional && fuzz_below (bytes, 2);
}

/* Chooses the types of inputs and outputs; that of one that is left out is 0.  The first of each
 * is always there.
 */
static void
choose_types (FuzzCall      *call,
              gconstpointer  options,
              WfType        *inputs,
              WfType        *outputs,
              FuzzBytes     *bytes)
{
  const WfOperationInfo *info = wf_operation_describe (call->operation);

  call->n_inputs  = info->n_inputs;
  call->n_outputs = info->n_outputs;
  for (guint i = 0; i < call->n_inputs; i++)
    inputs[i] = i > 0 && is_left_out (&info->inputs[i], bytes)
                ? 0 : choose_type (&info->inputs[i], inputs[0], bytes);
  for (guint i = 0; i < call->n_outputs; i++)
    outputs[i] = i > 0 && is_left_out (&info->outputs[i], bytes)
                 ? 0 : wf_operation_get_output_type (call->operation, i, inputs[0], options);
  if (call->operation == WF_OPERATION_HIERARCHY)
    {
      /* wf_hierarchy_relabel() and wf_hierarchy_saliency() write one each */
      outputs[1]      = outputs[0];
      outputs[0]      = WF_TYPE_U32;
      call->n_outputs = 2;
    }
}

static void
fuzz_call_init_outputs (FuzzCall     *call,
                        const WfType *types,
                        FuzzBytes    *bytes)
{
  for (guint i = 0; i < call->n_outputs; i++)
    if (types[i] != 0)
      fuzz_image_init (&call->outputs[i], types[i], &call->size, bytes);
}

/* Gives an output a wrong width or type. */
static void
spoil (FuzzCall  *call,
       FuzzBytes *bytes)
{
  WfImage *view = &call->outputs[0].view;

  call->misfit = TRUE;
  if (fuzz_below (bytes, 2) && view->width > 1)
    view->width--;
  else
    view->type = 0;
}

void
fuzz_call_init (FuzzCall      *call,
                WfOperation    operation,
                gconstpointer  options,
                FuzzBytes     *bytes)
{
  WfType inputs[WF_MAX_OPERANDS];
  WfType outputs[WF_MAX_OPERANDS];

  call->operation = operation;
  fuzz_size (&call->size, bytes);
  choose_types (call, options, inputs, outputs, bytes);
  fuzz_call_init_outputs (call, outputs, bytes);
  if (fuzz_rarely (bytes, 64))
    spoil (call, bytes);
  for (guint i = 0; i < call->n_inputs; i++)
    if (inputs[i] != 0)
      {
        fuzz_image_init (&call->inputs[i], inputs[i], &call->size, bytes);
        fuzz_image_fill (&call->inputs[i], bytes);
      }
}

/* Copies the inputs of @model to images with other strides; the result may be in place where that
 * is allowed.
 */
void
fuzz_call_init_like (FuzzCall       *call,
                     const FuzzCall *model,
                     FuzzBytes      *bytes)
{
  WfType outputs[WF_MAX_OPERANDS];

  *call = (FuzzCall) {
    .operation = model->operation,
    .size      = model->size,
    .n_inputs  = model->n_inputs,
    .n_outputs = model->n_outputs,
  };
  for (guint i = 0; i < call->n_outputs; i++)
    outputs[i] = model->outputs[i].view.type;
  if (model->misfit)
    outputs[0] = model->inputs[0].view.type;
  fuzz_call_init_outputs (call, outputs, bytes);
  for (guint i = 0; i < call->n_inputs; i++)
    if (fuzz_image_exists (&model->inputs[i]))
      {
        fuzz_image_init (&call->inputs[i], model->inputs[i].view.type, &call->size, bytes);
        fuzz_image_copy (&call->inputs[i], &model->inputs[i]);
      }
  call->in_place = ! model->misfit && fuzz_rarely (bytes, 3) &&
                   outputs[0] == call->inputs[0].view.type &&
                   operation_is (call->operation, WF_WORKS_IN_PLACE);
}

void
fuzz_call_clear (FuzzCall *call)
{
  for (guint i = 0; i < call->n_inputs; i++)
    fuzz_image_clear (&call->inputs[i]);
  for (guint i = 0; i < call->n_outputs; i++)
    fuzz_image_clear (&call->outputs[i]);
}


/*  Running  */

/* Checks the numbers of regions of cuts into fewer and fewer regions, and their depths. */
static void
check_cuts (const WfHierarchy *hierarchy)
{
  guint32             n       = wf_hierarchy_get_n_basins (hierarchy);
  g_autofree guint32 *regions = g_new (guint32, n);
  g_autofree guint32 *fewer   = g_new (guint32, n);
  guint32             most    = wf_hierarchy_cut_to_count (hierarchy, n, regions);

  fuzz_assert (most >= 1 && most <= n);
  for (guint32 wished = most; wished > 0; wished /= 2)
    {
      guint32 got = wf_hierarchy_cut_to_count (hierarchy, wished, fewer);

      fuzz_assert (got >= wished && got <= most);
      for (guint32 basin = 0; basin < n; basin++)
        fuzz_assert (fewer[basin] >= 1 && fewer[basin] <= got);
      fuzz_assert (! (wf_hierarchy_get_depth (hierarchy, wished) < 0));
    }
}

static gboolean
run_hierarchy (FuzzCall       *call,
               WfContext      *context,
               gconstpointer   options,
               GError        **error)
{
  const WfImage           *labels    = &call->inputs[1].view;
  const WfImage           *mask      = fuzz_image_exists (&call->inputs[2])
                                       ? &call->inputs[2].view : NULL;
  g_autoptr (WfHierarchy)  hierarchy = wf_hierarchy_new_masked (context, &call->inputs[0].view,
                                                                labels, mask, options, error);
  g_autofree guint32      *regions   = NULL;
  guint32                  n;

  if (! hierarchy)
    return FALSE;
  check_cuts (hierarchy);
  n           = wf_hierarchy_get_n_basins (hierarchy);
  regions     = g_new (guint32, n);
  call->count = wf_hierarchy_cut_to_count (hierarchy, MAX (n / 2, 1), regions);
  return wf_hierarchy_relabel_masked (context, hierarchy, regions, labels, mask,
                                      &call->outputs[0].view, error) &&
         wf_hierarchy_saliency_masked (context, hierarchy, labels, mask, &call->outputs[1].view,
                                       error);
}

static gboolean
run (FuzzCall       *call,
     WfContext      *context,
     gconstpointer   options,
     GError        **error)
{
  const WfImage *inputs[WF_MAX_OPERANDS]  = { NULL };
  WfImage       *outputs[WF_MAX_OPERANDS] = { NULL };

  for (guint i = 0; i < call->n_inputs; i++)
    if (fuzz_image_exists (&call->inputs[i]))
      inputs[i] = &call->inputs[i].view;
  for (guint i = 0; i < call->n_outputs; i++)
    if (fuzz_image_exists (&call->outputs[i]))
      outputs[i] = &call->outputs[i].view;
  if (call->in_place)
    outputs[0] = &call->inputs[0].view;

  if (call->operation == WF_OPERATION_HIERARCHY)
    return run_hierarchy (call, context, options, error);
  return wf_operation_run (context, call->operation, inputs, outputs, &call->count, options,
                           error);
}

/* Checks that the call has changed only what it may, after success or failure. */
static void
check_images (const FuzzCall *call,
              gboolean        success)
{
  /* two calls write the two outputs of a hierarchy, and the first may succeed alone */
  gboolean whole = success || call->partial || call->operation == WF_OPERATION_HIERARCHY;

  for (guint i = 0; i < call->n_inputs; i++)
    fuzz_assert (i == 0 && call->in_place && whole ? fuzz_image_is_guarded (&call->inputs[i])
                                                   : fuzz_image_is_untouched (&call->inputs[i]));
  for (guint i = 0; i < call->n_outputs; i++)
    fuzz_assert (whole && ! call->misfit ? fuzz_image_is_guarded (&call->outputs[i])
                                         : fuzz_image_is_untouched (&call->outputs[i]));
}

gboolean
fuzz_call_run (FuzzCall       *call,
               WfContext      *context,
               gconstpointer   options,
               GError        **error)
{
  gboolean success;

  for (guint i = 0; i < call->n_inputs; i++)
    fuzz_image_remember (&call->inputs[i]);
  for (guint i = 0; i < call->n_outputs; i++)
    fuzz_image_remember (&call->outputs[i]);

  success = run (call, context, options, error);
  fuzz_assert (! (success && call->misfit));
  check_images (call, success);
  return success;
}

static const FuzzImage *
first_result (const FuzzCall *call)
{
  return call->in_place ? &call->inputs[0] : &call->outputs[0];
}

void
fuzz_call_compare (const FuzzCall *call,
                   const FuzzCall *other)
{
  fuzz_assert (call->count == other->count);
  fuzz_assert (fuzz_image_equals (first_result (call), first_result (other)));
  for (guint i = 1; i < call->n_outputs; i++)
    fuzz_assert (fuzz_image_equals (&call->outputs[i], &other->outputs[i]));
}
