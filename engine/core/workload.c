/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The images of a task, and what its time depends on: pixels, the bytes of its images, and what its
 * options make of it.
 */

#include "config.h"

#include "memory.h"
#include "pace.h"
#include "record.h"


/* The images of a task, those that are not given left out. */
typedef struct
{
  const WfImage *inputs[WF_MAX_TASK_IMAGES];
  const WfImage *outputs[WF_MAX_TASK_IMAGES];
} TaskImages;

#define IN(Task, field)  G_STRUCT_OFFSET (Task, field)

static const WfTaskLayout of_reconstruct =
{
  sizeof (WfReconstructTask),
  { IN (WfReconstructTask, mask), IN (WfReconstructTask, marker) },
  { IN (WfReconstructTask, out) }
};
static const WfTaskLayout of_distance =
{
  sizeof (WfDistanceTask),
  { IN (WfDistanceTask, image) },
  { IN (WfDistanceTask, out), IN (WfDistanceTask, nearest) }
};
static const WfTaskLayout of_watershed =
{
  sizeof (WfWatershedTask),
  { IN (WfWatershedTask, image), IN (WfWatershedTask, markers) },
  { IN (WfWatershedTask, labels) }
};
static const WfTaskLayout of_geodesic =
{
  sizeof (WfGeodesicTask),
  { IN (WfGeodesicTask, mask), IN (WfGeodesicTask, markers), IN (WfGeodesicTask, costs) },
  { IN (WfGeodesicTask, out) }
};
static const WfTaskLayout of_label =
{
  sizeof (WfLabelTask), { IN (WfLabelTask, image) }, { IN (WfLabelTask, labels) }
};
static const WfTaskLayout of_labels =
{
  sizeof (WfLabelsTask), { IN (WfLabelsTask, labels) }, { IN (WfLabelsTask, out) }
};
static const WfTaskLayout of_hierarchy =
{
  sizeof (WfHierarchyTask),
  { IN (WfHierarchyTask, image), IN (WfHierarchyTask, labels) },
  { IN (WfHierarchyTask, out) }
};
static const WfTaskLayout of_filter =
{
  sizeof (WfFilterTask), { IN (WfFilterTask, image) }, { IN (WfFilterTask, out) }
};
static const WfTaskLayout of_attribute =
{
  sizeof (WfAttributeTask), { IN (WfAttributeTask, image) }, { IN (WfAttributeTask, out) }
};
static const WfTaskLayout of_threshold =
{
  sizeof (WfThresholdTask), { IN (WfThresholdTask, image) }, { IN (WfThresholdTask, out) }
};
static const WfTaskLayout of_morphology =
{
  sizeof (WfMorphologyTask),
  { IN (WfMorphologyTask, image), IN (WfMorphologyTask, markers) },
  { IN (WfMorphologyTask, out) }
};
static const WfTaskLayout of_measure =
{
  sizeof (WfMeasureTask), { IN (WfMeasureTask, labels), IN (WfMeasureTask, image) }, { 0 }
};


const WfTaskLayout *
wf_task_get_layout (WfOperation operation)
{
  if (operation == WF_TASK_MEASURE)
    return &of_measure;
  switch (operation)
    {
    case WF_OPERATION_RECONSTRUCT:
      return &of_reconstruct;
    case WF_OPERATION_DISTANCE:
      return &of_distance;
    case WF_OPERATION_WATERSHED:
      return &of_watershed;
    case WF_OPERATION_GEODESIC_DISTANCE:
      return &of_geodesic;
    case WF_OPERATION_LABEL:
      return &of_label;
    case WF_OPERATION_HIERARCHY:
      return &of_hierarchy;
    case WF_OPERATION_GAUSSIAN:
    case WF_OPERATION_GRADIENT:
    case WF_OPERATION_EROSION:
    case WF_OPERATION_DILATION:
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
    case WF_OPERATION_MEDIAN:
      return &of_filter;
    case WF_OPERATION_AREA_OPENING:
    case WF_OPERATION_AREA_CLOSING:
    case WF_OPERATION_HEIGHT_OPENING:
    case WF_OPERATION_HEIGHT_CLOSING:
    case WF_OPERATION_VOLUME_OPENING:
    case WF_OPERATION_VOLUME_CLOSING:
      return &of_attribute;
    case WF_OPERATION_THRESHOLD:
      return &of_threshold;
    case WF_OPERATION_REMOVE_SMALL:
    case WF_OPERATION_KEEP_LARGEST:
    case WF_OPERATION_EXPAND_LABELS:
    case WF_OPERATION_RELABEL:
      return &of_labels;
    default:
      return &of_morphology;
    }
}

static TaskImages
images_of (WfOperation   operation,
           gconstpointer task)
{
  const WfTaskLayout *layout = wf_task_get_layout (operation);
  TaskImages          images;

  for (guint i = 0; i < WF_MAX_TASK_IMAGES; i++)
    {
      images.inputs[i]  = wf_task_get_image (task, layout->inputs[i]);
      images.outputs[i] = wf_task_get_image (task, layout->outputs[i]);
    }
  return images;
}

/* Finds the device in whose memory images of @task are; %WF_MEMORY_HOST: none is in any. */
gboolean
wf_task_find_memory (WfOperation     operation,
                     gconstpointer   task,
                     WfMemory       *memory,
                     GError        **error)
{
  const TaskImages images = images_of (operation, task);

  *memory = WF_MEMORY_HOST;
  for (guint i = 0; i < 2 * WF_MAX_TASK_IMAGES; i++)
    {
      const WfImage *image = i < WF_MAX_TASK_IMAGES ? images.inputs[i]
                                                    : images.outputs[i - WF_MAX_TASK_IMAGES];

      if (! image || image->memory == WF_MEMORY_HOST || image->memory == *memory)
        continue;
      if (*memory != WF_MEMORY_HOST)
        {
          g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                       _("The images of one operation are in the memory of two devices, cuda:%d "
                         "and cuda:%d."), *memory - 1, image->memory - 1);
          return FALSE;
        }
      *memory = image->memory;
    }
  return TRUE;
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
count_bytes (const WfImage *const images[WF_MAX_TASK_IMAGES])
{
  guint64 bytes = 0;

  for (guint i = 0; i < WF_MAX_TASK_IMAGES; i++)
    if (images[i])
      bytes += (guint64) wf_image_n_pixels (images[i]) * wf_type_size (images[i]->type);
  return bytes;
}

static const WfImage *
first_of (const WfImage *const images[WF_MAX_TASK_IMAGES])
{
  for (guint i = 0; i < WF_MAX_TASK_IMAGES; i++)
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
