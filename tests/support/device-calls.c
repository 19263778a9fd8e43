/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "device-calls.h"

/* @value: a direction, a metric, a height, a radius, a tolerance, a sigma, by the operation. */
const DeviceCall device_calls[] =
{
  { "dilation-faces",     WF_OPERATION_RECONSTRUCT, TRUE,  TRUE,  WF_BY_DILATION },
  { "dilation-all",       WF_OPERATION_RECONSTRUCT, FALSE, TRUE,  WF_BY_DILATION },
  { "erosion-faces",      WF_OPERATION_RECONSTRUCT, TRUE,  TRUE,  WF_BY_EROSION },
  { "erosion-all",        WF_OPERATION_RECONSTRUCT, FALSE, TRUE,  WF_BY_EROSION },
  { "euclidean",          WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_EUCLIDEAN },
  { "euclidean-nearest",  WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_EUCLIDEAN },
  { "euclidean-border",   WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_EUCLIDEAN },
  { "euclidean-signed",   WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_EUCLIDEAN },
  { "euclidean-spacing",  WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_EUCLIDEAN },
  { "squared",            WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_SQUARED },
  { "squared-spacing",    WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_SQUARED },
  { "city-block",         WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_CITY_BLOCK },
  { "city-block-nearest", WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_CITY_BLOCK },
  { "chessboard",         WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_CHESSBOARD },
  { "chessboard-border",  WF_OPERATION_DISTANCE,    FALSE, FALSE, WF_METRIC_CHESSBOARD },
  { "basins-faces",       WF_OPERATION_WATERSHED,   TRUE,  FALSE, 0 },
  { "basins-all",         WF_OPERATION_WATERSHED,   FALSE, FALSE, 0 },
  { "basins-last-index",  WF_OPERATION_WATERSHED,   FALSE, FALSE, 0 },
  { "basins-tolerance",   WF_OPERATION_WATERSHED,   TRUE,  FALSE, 3 },
  { "basins-lines",       WF_OPERATION_WATERSHED,   FALSE, FALSE, 0 },
  { "basins-markers",     WF_OPERATION_WATERSHED,   TRUE,  TRUE,  0 },
  { "components-faces",   WF_OPERATION_LABEL,       TRUE,  FALSE, NAN },
  { "components-all",     WF_OPERATION_LABEL,       FALSE, FALSE, NAN },
  { "components-above",   WF_OPERATION_LABEL,       FALSE, FALSE, 2 },
  { "holes",              WF_OPERATION_FILL_HOLES,      TRUE,  FALSE, 0 },
  { "holes-default",      WF_OPERATION_FILL_HOLES,      FALSE, FALSE, 0 },
  { "border",             WF_OPERATION_CLEAR_BORDER,    FALSE, FALSE, 0 },
  { "h-maxima",           WF_OPERATION_H_MAXIMA,        FALSE, FALSE, 2 },
  { "h-minima",           WF_OPERATION_H_MINIMA,        TRUE,  FALSE, 2 },
  { "h-dome",             WF_OPERATION_H_DOME,          FALSE, FALSE, 2 },
  { "h-basin",            WF_OPERATION_H_BASIN,         FALSE, FALSE, 2 },
  { "regional-maxima",    WF_OPERATION_REGIONAL_MAXIMA, FALSE, FALSE, 0 },
  { "regional-minima",    WF_OPERATION_REGIONAL_MINIMA, TRUE,  FALSE, 0 },
  { "extended-maxima",    WF_OPERATION_EXTENDED_MAXIMA, FALSE, FALSE, 2 },
  { "extended-minima",    WF_OPERATION_EXTENDED_MINIMA, FALSE, FALSE, 2 },
  { "opening-by-reconstruction", WF_OPERATION_OPENING_BY_RECONSTRUCTION, FALSE, FALSE,
    1 },
  { "closing-by-reconstruction", WF_OPERATION_CLOSING_BY_RECONSTRUCTION, FALSE, FALSE,
    1 },
  { "white-top-hat-by-reconstruction", WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION, FALSE, FALSE,
    1 },
  { "black-top-hat-by-reconstruction", WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION, FALSE, FALSE,
    1 },
  { "impose-minima",      WF_OPERATION_IMPOSE_MINIMA,   FALSE, TRUE,  0 },
  { "basins-smoothed",    WF_OPERATION_WATERSHED,       FALSE, FALSE, 0 },
  { "basins-gradient",    WF_OPERATION_WATERSHED,       TRUE,  FALSE, 0 },
  { "basins-smoothed-gradient-markers", WF_OPERATION_WATERSHED, FALSE, TRUE, 0 },
  { "gaussian-narrow",    WF_OPERATION_GAUSSIAN,        FALSE, FALSE, 0.4 },
  { "gaussian",           WF_OPERATION_GAUSSIAN,        FALSE, FALSE, 1 },
  { "gaussian-two",       WF_OPERATION_GAUSSIAN,        FALSE, FALSE, 2 },
  { "gaussian-three",     WF_OPERATION_GAUSSIAN,        FALSE, FALSE, 2.9 },
  { "gaussian-wide",      WF_OPERATION_GAUSSIAN,        FALSE, FALSE, 11 },
  { "gradient",           WF_OPERATION_GRADIENT,        FALSE, FALSE, 1 },
  { "gradient-two",       WF_OPERATION_GRADIENT,        FALSE, FALSE, 2 },
  { "gradient-wide",      WF_OPERATION_GRADIENT,        FALSE, FALSE, 9 },
  { "gradient-disc",      WF_OPERATION_GRADIENT,        FALSE, FALSE, 3 },
  { "plain-erosion",      WF_OPERATION_EROSION,         FALSE, FALSE, 1 },
  { "plain-erosion-none", WF_OPERATION_EROSION,         FALSE, FALSE, 0 },
  { "plain-erosion-wide", WF_OPERATION_EROSION,         FALSE, FALSE, 40 },
  { "plain-dilation-two", WF_OPERATION_DILATION,        FALSE, FALSE, 2 },
  { "plain-dilation-disc", WF_OPERATION_DILATION,       FALSE, FALSE, 7 },
  { "plain-opening",      WF_OPERATION_OPENING,         FALSE, FALSE, 3 },
  { "plain-opening-disc", WF_OPERATION_OPENING,         FALSE, FALSE, 4 },
  { "plain-closing-wide", WF_OPERATION_CLOSING,         FALSE, FALSE, 9 },
  { "plain-white-top-hat", WF_OPERATION_WHITE_TOP_HAT,  FALSE, FALSE, 2 },
  { "plain-black-top-hat-disc", WF_OPERATION_BLACK_TOP_HAT, FALSE, FALSE, 5 },
  { "threshold-all",      WF_OPERATION_THRESHOLD,       FALSE, FALSE, 2 },
  { "threshold-mean",     WF_OPERATION_THRESHOLD,       FALSE, FALSE, 3 },
  { "threshold-smooth",   WF_OPERATION_THRESHOLD,       FALSE, FALSE, 1.5 },
  { "threshold-sauvola",  WF_OPERATION_THRESHOLD,       FALSE, FALSE, 4 },
  { NULL, 0, FALSE, FALSE, 0 }
};

static int
connectivity_of (const DeviceCall *call,
                 const WfImage    *image)
{
  if (! call->by_faces)
    return 0;
  return image->depth > 1 ? 6 : 4;
}

static gboolean
is_named (const DeviceCall *call,
          const char       *part)
{
  return strstr (call->name, part) != NULL;
}


/*  Results  */

static void
make_distance_options (const DeviceCall  *call,
                       WfDistanceOptions *options)
{
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), options);
  options->metric            = (int) call->value;
  options->border_background = is_named (call, "border");
  options->signed_distance   = is_named (call, "signed");
  if (is_named (call, "spacing"))
    for (int axis = 0; axis < 3; axis++)
      options->spacing[axis] = 0.7 + 0.45 * axis;
}

static WfType
type_of_result (const DeviceCall *call,
                WfType            type)
{
  WfDistanceOptions options;

  make_distance_options (call, &options);
  return wf_operation_get_output_type (call->operation, 0, type,
                                       call->operation == WF_OPERATION_DISTANCE ? &options : NULL);
}

void
device_result_init (DeviceResult     *result,
                    const DeviceCall *call,
                    WfType            type,
                    const RefSize    *size,
                    gboolean          strided)
{
  result->out     = guarded_image_new (type_of_result (call, type), size, strided);
  result->nearest = is_named (call, "nearest") ? guarded_image_new (WF_TYPE_U64, size, strided)
                                               : NULL;
  result->number  = 4711;
}

void
device_result_clear (DeviceResult *result)
{
  g_clear_pointer (&result->out, guarded_image_free);
  g_clear_pointer (&result->nearest, guarded_image_free);
}

static gboolean
is_equal (const GuardedImage *image,
          const GuardedImage *other)
{
  return guarded_image_find_difference (image, other->view.data) < 0 &&
         guarded_image_is_guarded (image);
}

/* @other: contiguous */
gboolean
device_result_is_equal (const DeviceResult *result,
                        const DeviceResult *other)
{
  return is_equal (result->out, other->out) && result->number == other->number &&
         (! result->nearest || is_equal (result->nearest, other->nearest));
}

gboolean
device_result_untouched (const DeviceResult *result)
{
  return guarded_image_is_untouched (result->out) && result->number == 4711 &&
         (! result->nearest || guarded_image_is_untouched (result->nearest));
}


/*  Calls  */

static void
make_watershed_options (const DeviceCall   *call,
                        WfWatershedOptions *options)
{
  options->tolerance  = call->value;
  options->lines      = is_named (call, "lines");
  options->last_index = is_named (call, "last-index");
  options->smoothing  = is_named (call, "smoothed") ? 1.2 : 0;
  options->gradient   = is_named (call, "gradient") ? 1 : 0;
}

static void
make_filter_options (const DeviceCall *call,
                     WfFilterOptions  *options)
{
  options->sigma   = call->value;
  options->radius  = (int) call->value;
  options->element = is_named (call, "disc") ? WF_ELEMENT_DISC : WF_ELEMENT_SQUARE;
}

static void
make_threshold_options (const DeviceCall   *call,
                        WfThresholdOptions *options)
{
  options->method    = is_named (call, "mean")      ? WF_LOCAL_MEAN
                       : is_named (call, "smooth")  ? WF_LOCAL_GAUSSIAN
                       : is_named (call, "sauvola") ? WF_LOCAL_SAUVOLA : WF_LOCAL_NONE;
  options->threshold = call->value;
  options->sigma     = call->value;
  options->radius    = (int) call->value;
}

static void
make_derived_options (const DeviceCall    *call,
                      WfMorphologyOptions *options)
{
  options->height = call->value;
  options->radius = MAX (1, (int) call->value);
}

typedef union
{
  WfReconstructOptions reconstruct;
  WfDistanceOptions    distance;
  WfWatershedOptions   watershed;
  WfLabelOptions       label;
  WfFilterOptions      filter;
  WfThresholdOptions   threshold;
  WfMorphologyOptions  derived;
} CallOptions;

static void
make_options (const DeviceCall *call,
              const WfImage    *image,
              CallOptions      *options)
{
  const WfOptionGroup *group        = wf_operation_get_options (call->operation);
  const WfOption      *connectivity = wf_option_group_find (group, "connectivity");

  wf_option_group_init (group, options);
  switch ((int) call->operation)
    {
    case WF_OPERATION_RECONSTRUCT:
      options->reconstruct.by = (int) call->value;
      break;
    case WF_OPERATION_DISTANCE:
      make_distance_options (call, &options->distance);
      break;
    case WF_OPERATION_WATERSHED:
      make_watershed_options (call, &options->watershed);
      break;
    case WF_OPERATION_LABEL:
      options->label.threshold = call->value;
      break;
    case WF_OPERATION_GAUSSIAN:
    case WF_OPERATION_GRADIENT:
    case WF_OPERATION_EROSION:
    case WF_OPERATION_DILATION:
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
      make_filter_options (call, &options->filter);
      break;
    case WF_OPERATION_THRESHOLD:
      make_threshold_options (call, &options->threshold);
      break;
    default:
      make_derived_options (call, &options->derived);
      break;
    }
  if (connectivity)
    G_STRUCT_MEMBER (int, options, connectivity->offset) = connectivity_of (call, image);
}

gboolean
device_call_run (const DeviceCall  *call,
                 WfContext         *context,
                 const WfImage     *image,
                 const WfImage     *second,
                 DeviceResult      *result,
                 GError           **error)
{
  const WfImage *inputs[WF_MAX_OPERANDS]  = { image, call->second ? second : NULL };
  WfImage       *outputs[WF_MAX_OPERANDS] = { &result->out->view,
                                              result->nearest ? &result->nearest->view : NULL };
  CallOptions    options;

  make_options (call, image, &options);
  if (! wf_operation_run (context, call->operation, inputs, outputs,
                          wf_operation_describe (call->operation)->counts ? &result->number : NULL,
                          &options, error))
    return FALSE;
  if (call->operation == WF_OPERATION_DISTANCE)
    result->number = wf_context_get_report (context)->no_background;
  return TRUE;
}

/* Whether the device has no algorithm for the task, which is allowed. */
gboolean
device_call_is_refused (const GError *error)
{
  return g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
}

/* WAVEFRONT_TEST_PIXELS limits the pixels of an image, for slow devices. */
gboolean
device_size_is_wanted (const RefSize *size)
{
  const char *most = g_getenv ("WAVEFRONT_TEST_PIXELS");

  return ! most || ref_n_pixels (size) <= g_ascii_strtoll (most, NULL, 10);
}


/*  Devices  */

WfContext *
device_context_new (const char *device)
{
  WfContext        *context = wf_context_new ();
  WfContextOptions  options;
  GError           *error   = NULL;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device = device;
  wf_context_configure (context, &options, &error);
  g_assert_no_error (error);
  return context;
}

/* All devices but the CPU; @problem: why there is none */
GPtrArray *
device_names (char **problem)
{
  g_autoptr (GError)     error   = NULL;
  g_autoptr (GPtrArray)  devices = wf_list_devices (&error);
  GPtrArray             *names   = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 1; i < devices->len; i++)
    g_ptr_array_add (names, g_strdup (((const WfDevice *) devices->pdata[i])->name));
  *problem = names->len > 0 ? NULL
             : g_strdup (error ? error->message : "This machine has no device but the CPU.");
  return names;
}

/* The test for machines without a device. */
void
device_test_none (gconstpointer problem)
{
  g_test_skip (problem);
}
