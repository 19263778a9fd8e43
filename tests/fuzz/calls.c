/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "calls.h"
#include "tests/filters/filter-call.h"
#include "tests/morphology/morphology-call.h"


/*  Which images  */

static WfType
level_type (FuzzBytes *bytes)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  return types[fuzz_below (bytes, G_N_ELEMENTS (types))];
}

static WfType
marker_type (FuzzBytes *bytes)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32 };

  return types[fuzz_below (bytes, G_N_ELEMENTS (types))];
}

static gboolean
is_extrema_map (WfOperation operation)
{
  return operation == WF_OPERATION_REGIONAL_MAXIMA || operation == WF_OPERATION_REGIONAL_MINIMA ||
         operation == WF_OPERATION_EXTENDED_MAXIMA || operation == WF_OPERATION_EXTENDED_MINIMA;
}

/* The types of what the operation reads and writes. */
static void
choose_types (FuzzCall      *call,
              gconstpointer  options,
              WfType        *inputs,
              WfType        *outputs,
              FuzzBytes     *bytes)
{
  inputs[0]  = level_type (bytes);
  outputs[0] = is_extrema_map (call->operation) ? WF_TYPE_U8 : inputs[0];
  call->n_inputs = call->n_outputs = 1;

  switch (call->operation)
    {
    case WF_OPERATION_RECONSTRUCT:
      call->n_inputs = 2;
      inputs[1]      = inputs[0];
      break;
    case WF_OPERATION_IMPOSE_MINIMA:
      call->n_inputs = 2;
      inputs[1]      = marker_type (bytes);
      break;
    case WF_OPERATION_DISTANCE:
      outputs[0]      = wf_distance_get_type (options);
      outputs[1]      = WF_TYPE_U64;
      call->n_outputs = 1 + fuzz_below (bytes, 2);
      break;
    case WF_OPERATION_WATERSHED:
      call->n_inputs = 1 + fuzz_below (bytes, 2);
      inputs[1]      = WF_TYPE_U32;
      outputs[0]     = WF_TYPE_U32;
      break;
    case WF_OPERATION_LABEL:
      outputs[0] = WF_TYPE_U32;
      break;
    case WF_OPERATION_HIERARCHY:
      call->n_inputs  = 2;
      call->n_outputs = 2;
      inputs[1]       = WF_TYPE_U32;
      outputs[0]      = WF_TYPE_U32;
      outputs[1]      = WF_TYPE_F32;
      break;
    default:
      break;
    }
}

static void
fuzz_call_init_outputs (FuzzCall     *call,
                        const WfType *types,
                        FuzzBytes    *bytes)
{
  for (guint i = 0; i < call->n_outputs; i++)
    fuzz_image_init (&call->outputs[i], types[i], &call->size, bytes);
}

/* A side too short, or a type that the operation never gives. */
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
  WfType inputs[FUZZ_MOST_IMAGES];
  WfType outputs[FUZZ_MOST_IMAGES];

  call->operation = operation;
  fuzz_size (&call->size, bytes);
  choose_types (call, options, inputs, outputs, bytes);
  fuzz_call_init_outputs (call, outputs, bytes);
  if (fuzz_rarely (bytes, 64))
    spoil (call, bytes);
  for (guint i = 0; i < call->n_inputs; i++)
    {
      fuzz_image_init (&call->inputs[i], inputs[i], &call->size, bytes);
      fuzz_image_fill (&call->inputs[i], bytes);
    }
}

/* The same contents in other views; the result in place where that is allowed. */
void
fuzz_call_init_like (FuzzCall       *call,
                     const FuzzCall *model,
                     FuzzBytes      *bytes)
{
  WfType outputs[FUZZ_MOST_IMAGES];

  *call          = *model;
  call->misfit   = FALSE;
  call->count    = 0;
  for (guint i = 0; i < call->n_outputs; i++)
    outputs[i] = model->outputs[i].view.type;
  if (model->misfit)
    outputs[0] = model->inputs[0].view.type;
  fuzz_call_init_outputs (call, outputs, bytes);
  for (guint i = 0; i < call->n_inputs; i++)
    {
      fuzz_image_init (&call->inputs[i], model->inputs[i].view.type, &call->size, bytes);
      fuzz_image_copy (&call->inputs[i], &model->inputs[i]);
    }
  call->in_place = ! model->misfit && fuzz_rarely (bytes, 3) &&
                   outputs[0] == call->inputs[0].view.type &&
                   (call->operation == WF_OPERATION_RECONSTRUCT ||
                    morphology_func (call->operation) != NULL ||
                    filter_func (call->operation) != NULL);
}

void
fuzz_call_clear (FuzzCall *call)
{
  for (guint i = 0; i < call->n_inputs; i++)
    fuzz_image_clear (&call->inputs[i]);
  for (guint i = 0; i < call->n_outputs; i++)
    fuzz_image_clear (&call->outputs[i]);
}


/*  Running it  */

/* Cuts at every depth are nested, and no call changes what another gives. */
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
  g_autoptr (WfHierarchy)  hierarchy = wf_hierarchy_new (context, &call->inputs[0].view, labels,
                                                         options, error);
  g_autofree guint32      *regions   = NULL;
  guint32                  n;

  if (! hierarchy)
    return FALSE;
  check_cuts (hierarchy);
  n           = wf_hierarchy_get_n_basins (hierarchy);
  regions     = g_new (guint32, n);
  call->count = wf_hierarchy_cut_to_count (hierarchy, MAX (n / 2, 1), regions);
  return wf_hierarchy_relabel (context, hierarchy, regions, labels, &call->outputs[0].view,
                               error) &&
         wf_hierarchy_saliency (context, hierarchy, labels, &call->outputs[1].view, error);
}

static gboolean
run (FuzzCall       *call,
     WfContext      *context,
     gconstpointer   options,
     GError        **error)
{
  const WfImage *image = &call->inputs[0].view;
  const WfImage *other = call->n_inputs > 1 ? &call->inputs[1].view : NULL;
  WfImage       *out   = call->in_place ? &call->inputs[0].view : &call->outputs[0].view;

  if (filter_func (call->operation))
    return filter_call (call->operation, context, image, out, options, error);
  if (morphology_func (call->operation))
    return morphology_func (call->operation) (context, image, out, options, error);
  switch (call->operation)
    {
    case WF_OPERATION_RECONSTRUCT:
      return wf_reconstruct (context, image, other, out, options, error);
    case WF_OPERATION_IMPOSE_MINIMA:
      return wf_impose_minima (context, image, other, out, options, error);
    case WF_OPERATION_DISTANCE:
      return wf_distance (context, image, out, call->n_outputs > 1 ? &call->outputs[1].view : NULL,
                          options, error);
    case WF_OPERATION_WATERSHED:
      return wf_watershed (context, image, other, out, &call->count, options, error);
    case WF_OPERATION_LABEL:
      return wf_label (context, image, out, &call->count, options, error);
    case WF_OPERATION_HIERARCHY:
      return run_hierarchy (call, context, options, error);
    default:
      g_assert_not_reached ();
    }
}

/* What the call may not have changed, whatever came of it. */
static void
check_images (const FuzzCall *call,
              gboolean        success)
{
  /* its two outputs are made by two calls, of which the first may succeed */
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
