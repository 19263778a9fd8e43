/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the time of a task depends on: pixels, the bytes of its images, and what its options make of
 * it.
 */

#include "config.h"

#include "pace.h"
#include "record.h"


#define MAX_IMAGES 3

/* The images of a task, those that are not given left out. */
typedef struct
{
  const WfImage *inputs[MAX_IMAGES];
  const WfImage *outputs[MAX_IMAGES];
} TaskImages;

static TaskImages
images_of (WfOperation   operation,
           gconstpointer data)
{
  const WfReconstructTask *reconstruct = data;
  const WfDistanceTask    *distance    = data;
  const WfWatershedTask   *watershed   = data;
  const WfGeodesicTask    *geodesic    = data;
  const WfLabelTask       *label       = data;
  const WfHierarchyTask   *hierarchy   = data;
  const WfFilterTask      *filter      = data;
  const WfAttributeTask   *attribute   = data;
  const WfThresholdTask   *threshold   = data;
  const WfMorphologyTask  *morphology  = data;
  const WfMeasureTask     *measure     = data;

  if (operation == WF_TASK_MEASURE)
    return (TaskImages) { { measure->labels, measure->image }, { NULL } };
  switch (operation)
    {
    case WF_OPERATION_RECONSTRUCT:
      return (TaskImages) { { reconstruct->mask, reconstruct->marker }, { reconstruct->out } };
    case WF_OPERATION_DISTANCE:
      return (TaskImages) { { distance->image }, { distance->out, distance->nearest } };
    case WF_OPERATION_WATERSHED:
      return (TaskImages) { { watershed->image, watershed->markers }, { watershed->labels } };
    case WF_OPERATION_GEODESIC_DISTANCE:
      return (TaskImages) { { geodesic->mask, geodesic->markers, geodesic->costs },
                            { geodesic->out } };
    case WF_OPERATION_LABEL:
      return (TaskImages) { { label->image }, { label->labels } };
    case WF_OPERATION_HIERARCHY:
      return (TaskImages) { { hierarchy->image, hierarchy->labels }, { hierarchy->out } };
    case WF_OPERATION_GAUSSIAN:
    case WF_OPERATION_GRADIENT:
    case WF_OPERATION_EROSION:
    case WF_OPERATION_DILATION:
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_MEDIAN:
      return (TaskImages) { { filter->image }, { filter->out } };
    case WF_OPERATION_AREA_OPENING:
    case WF_OPERATION_AREA_CLOSING:
    case WF_OPERATION_HEIGHT_OPENING:
    case WF_OPERATION_HEIGHT_CLOSING:
    case WF_OPERATION_VOLUME_OPENING:
    case WF_OPERATION_VOLUME_CLOSING:
      return (TaskImages) { { attribute->image }, { attribute->out } };
    case WF_OPERATION_THRESHOLD:
      return (TaskImages) { { threshold->image }, { threshold->out } };
    default:
      return (TaskImages) { { morphology->image, morphology->markers }, { morphology->out } };
    }
}

static gsize
smallest_type (guint types)
{
  gsize smallest = 0;

  for (int type = WF_TYPE_U8; type <= WF_TYPE_F64; type++)
    if (types & 1u << type && (smallest == 0 || wf_type_size ((WfType) type) < smallest))
      smallest = wf_type_size ((WfType) type);
  return smallest;
}

/* The basins of a hierarchy and a table are no images. */
static gboolean
makes_image (WfOperation operation)
{
  return operation != WF_OPERATION_HIERARCHY && operation != WF_TASK_MEASURE;
}

/* Bytes of a pixel of the images that the operation needs, where levels are u8; a table is
 * measured with an image.
 */
static gsize
count_least (WfOperation operation,
             gboolean    outputs)
{
  const WfOperationInfo *info  = wf_operation_describe (operation);
  gsize                  bytes = 0;

  if (outputs)
    return makes_image (operation)
           ? wf_type_size (wf_operation_get_output_type (operation, 0, WF_TYPE_U8, NULL)) : 0;
  if (operation == WF_TASK_MEASURE)
    return sizeof (guint32) + sizeof (guint8);
  for (guint i = 0; i < info->n_inputs; i++)
    if (! info->inputs[i].optional)
      bytes += smallest_type (info->inputs[i].types);
  return bytes;
}

static guint64
count_bytes (const WfImage *const images[MAX_IMAGES])
{
  guint64 bytes = 0;

  for (guint i = 0; i < MAX_IMAGES; i++)
    if (images[i])
      bytes += (guint64) wf_image_n_pixels (images[i]) * wf_type_size (images[i]->type);
  return bytes;
}

static const WfImage *
first_of (const WfImage *const images[MAX_IMAGES])
{
  for (guint i = 0; i < MAX_IMAGES; i++)
    if (images[i])
      return images[i];
  return NULL;
}

/* Of an operation on @image, with the images that it needs, in memory as @image is. */
void
wf_workload_imagine (WfWorkload    *workload,
                     WfOperation    operation,
                     const WfImage *image)
{
  const gint64 n     = wf_image_n_pixels (image);
  const gsize  least = count_least (operation, FALSE) + count_least (operation, TRUE);
  const gsize  up    = count_least (operation, FALSE) * wf_type_size (image->type);
  const gsize  down  = makes_image (operation)
                       ? wf_type_size (wf_operation_get_output_type (operation, 0, image->type,
                                                                     NULL)) : 0;

  *workload = (WfWorkload) {
    .n_pixels = n,
    .up       = (guint64) n * up,
    .down     = (guint64) n * down,
    .scale    = MAX (1.0, (double) (up + down) / (double) least),
    .image    = image,
    .out      = image,
  };
}

/* Forecasts have no outputs: those that the operation needs are counted then. */
void
wf_workload_init (WfWorkload    *workload,
                  WfOperation    operation,
                  gconstpointer  task,
                  gint64         n_pixels)
{
  const TaskImages images = images_of (operation, task);
  const gsize      least  = count_least (operation, FALSE) + count_least (operation, TRUE);
  const WfImage   *image  = first_of (images.inputs);
  const WfImage   *out    = first_of (images.outputs);

  *workload = (WfWorkload) {
    .n_pixels = n_pixels,
    .up       = count_bytes (images.inputs),
    .down     = count_bytes (images.outputs),
    .image    = image,
    .out      = out,
  };
  if (! out && makes_image (operation))
    workload->down = (guint64) n_pixels *
                     wf_type_size (wf_operation_get_output_type (operation, 0, image->type, NULL));
  workload->scale = MAX (1.0, (double) (workload->up + workload->down) /
                              ((double) n_pixels * (double) least));
  if (operation < WF_N_OPERATIONS && wf_operation_get_record (operation)->effort)
    workload->scale *= wf_operation_get_record (operation)->effort (task);
}
