/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is worked on while a pace is measured: a picture that is like tissue in what it costs, of
 * waves 25 to 250 pixels long with some noise, the same on every machine.  It is made of equal
 * blocks, and a smaller picture is its corner.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "pace.h"

/* The waves continue from one block to the next. */
#define BLOCK 500

/* Side of the basins of a hierarchy, and of the regions of a table. */
#define BASIN 16

#define HEIGHT 40
#define MIDDLE 128

/* What openings by attributes keep. */
#define AREA   100
#define VOLUME 4000

/* What is measured of regions: what all devices can. */
#define MEASURES (1 << WF_REGION_AREA | 1 << WF_REGION_BOUNDING_BOX | 1 << WF_REGION_CENTROID | \
                  1 << WF_REGION_MEAN | 1 << WF_REGION_MINIMUM | 1 << WF_REGION_MAXIMUM | \
                  1 << WF_REGION_STANDARD_DEVIATION)


/*  Pixels  */

static void
fill_wave (int *wave,
           int  n_periods,
           int  amplitude)
{
  for (int i = 0; i < BLOCK; i++)
    wave[i] += (int) lrint (amplitude * sin (2 * G_PI * n_periods * i / BLOCK));
}

/* The top left block; the noise is that of a linear congruential generator. */
static void
fill_block (WfImage *image)
{
  int     along[BLOCK]  = { 0 };
  int     across[BLOCK] = { 0 };
  guint32 noise         = 1;

  fill_wave (along, 2, 20);
  fill_wave (along, 20, 18);
  fill_wave (across, 3, 20);
  fill_wave (across, 17, 18);
  for (int y = 0; y < BLOCK; y++)
    {
      guint8 *row = wf_image_row (image, y);

      for (int x = 0; x < BLOCK; x++)
        {
          noise  = noise * 1664525u + 1013904223u;
          row[x] = (guint8) (MIDDLE + along[(x + 3 * y) % BLOCK] + across[(y + 2 * x) % BLOCK] +
                             (int) (noise >> 24) % 7 - 3);
        }
    }
}

static void
fill_image (WfImage *image)
{
  fill_block (image);
  for (gint64 y = 0; y < BLOCK; y++)
    for (gint64 x = BLOCK; x < image->width; x += BLOCK)
      memcpy ((guint8 *) wf_image_row (image, y) + x, wf_image_row (image, y),
              (gsize) MIN (BLOCK, image->width - x));
  for (gint64 y = BLOCK; y < image->height; y++)
    memcpy (wf_image_row (image, y), wf_image_row (image, y - BLOCK), (gsize) image->width);
}

static void
fill_marker (const WfImage *image,
             WfImage       *marker)
{
  for (gint64 y = 0; y < image->height; y++)
    {
      const guint8 *from = wf_image_row (image, y);
      guint8       *to   = wf_image_row (marker, y);

      for (gint64 x = 0; x < image->width; x++)
        to[x] = (guint8) MAX (from[x] - HEIGHT, 0);
    }
}

static void
fill_labels (WfImage *labels)
{
  const guint32 n = (guint32) (labels->width + BASIN - 1) / BASIN;

  for (gint64 y = 0; y < labels->height; y++)
    {
      guint32 *row = wf_image_row (labels, y);

      for (gint64 x = 0; x < labels->width; x++)
        row[x] = (guint32) (y / BASIN) * n + (guint32) (x / BASIN) + 1;
    }
}

/* @side: at least 500 */
gboolean
wf_pace_picture_init (WfPacePicture *picture,
                      gint64         side,
                      gboolean       labels,
                      GError       **error)
{
  *picture = (WfPacePicture) { .side = side };
  if (! wf_image_allocate (&picture->image, WF_TYPE_U8, side, side, 1, error) ||
      ! wf_image_allocate (&picture->marker, WF_TYPE_U8, side, side, 1, error) ||
      ! (picture->out = wf_allocate (side * side, sizeof *picture->out, error)) ||
      (labels && ! wf_image_allocate (&picture->labels, WF_TYPE_U32, side, side, 1, error)))
    return FALSE;

  fill_image (&picture->image);
  fill_marker (&picture->image, &picture->marker);
  if (labels)
    fill_labels (&picture->labels);
  return TRUE;
}

void
wf_pace_picture_clear (WfPacePicture *picture)
{
  wf_image_clear (&picture->image);
  wf_image_clear (&picture->marker);
  wf_image_clear (&picture->labels);
  g_clear_pointer (&picture->out, g_free);
}


/*  Calls  */

static WfImage
corner (const WfImage *image,
        gint64         side)
{
  WfImage view = *image;

  view.width = view.height = side;
  return view;
}

static void
set_option (const WfOptionGroup *group,
            gpointer             options,
            const char          *name,
            const char          *value)
{
  const WfOption *option = wf_option_group_find (group, name);

  if (option && value)
    wf_option_parse (option, options, value, NULL);
}

/* To be freed. */
static gpointer
make_options (const WfPlace *place)
{
  const WfOptionGroup *group   = wf_operation_get_options (place->operation);
  gpointer             options = g_malloc (group->size);

  wf_option_group_init (group, options);
  set_option (group, options, "algorithm", place->algorithm);
  set_option (group, options, "threshold", G_STRINGIFY (MIDDLE));
  set_option (group, options, "height", G_STRINGIFY (HEIGHT));
  set_option (group, options, "area", G_STRINGIFY (AREA));
  set_option (group, options, "volume", G_STRINGIFY (VOLUME));
  return options;
}

/* Of the hierarchy only what a device is chosen for. */
static gboolean
build_hierarchy (WfContext     *context,
                 const WfImage *image,
                 const WfImage *labels,
                 gpointer       options,
                 GError       **error)
{
  g_autoptr (WfHierarchy) hierarchy = wf_hierarchy_new (context, image, labels, options, error);

  return hierarchy != NULL;
}

static gboolean
measure_regions (WfContext     *context,
                 const WfImage *image,
                 const WfImage *labels,
                 GError       **error)
{
  g_autoptr (WfRegions) regions = wf_regions_measure (context, labels, image, MEASURES, NULL,
                                                      error);

  return regions != NULL;
}

/* Whether its first input is labels: there is no other kind of image to do it on. */
static gboolean
is_of_labels (WfOperation operation)
{
  return wf_operation_describe (operation)->inputs[0].content == WF_CONTENT_LABELS;
}

static gboolean
run_operation (const WfPacePicture *picture,
               gint64               side,
               const WfPlace       *place,
               WfContext           *context,
               GError             **error)
{
  const WfOperation    operation = place->operation;
  g_autofree gpointer  options   = make_options (place);
  const WfImage        image     = corner (&picture->image, side);
  const WfImage        marker    = corner (&picture->marker, side);
  const WfImage        labels    = corner (&picture->labels, side);
  const WfImage       *inputs[WF_MAX_OPERANDS]  = { &image };
  WfImage              out;
  WfImage             *outputs[WF_MAX_OPERANDS] = { &out };
  guint32              count;

  if (operation == WF_OPERATION_HIERARCHY)
    return build_hierarchy (context, &image, &labels, options, error);
  if (is_of_labels (operation))
    inputs[0] = &labels;
  if (operation == WF_OPERATION_RECONSTRUCT || operation == WF_OPERATION_IMPOSE_MINIMA ||
      operation == WF_OPERATION_GEODESIC_DISTANCE)
    inputs[1] = &marker;
  return wf_image_init (&out, wf_operation_get_output_type (operation, 0, inputs[0]->type,
                                                            options),
                        side, side, 1, picture->out, error) &&
         wf_operation_run (context, operation, inputs, outputs, &count, options, error);
}

/* Does the operation of @place on the corner of @side; @place's algorithm may be "auto".
 * @seconds: result
 */
gboolean
wf_pace_picture_run (const WfPacePicture *picture,
                     gint64               side,
                     const WfPlace       *place,
                     WfContext           *context,
                     double              *seconds,
                     GError             **error)
{
  const WfImage image  = corner (&picture->image, side);
  const WfImage labels = corner (&picture->labels, side);
  const gint64  start  = g_get_monotonic_time ();
  gboolean      done;

  done = place->operation == WF_TASK_MEASURE
         ? measure_regions (context, &image, &labels, error)
         : run_operation (picture, side, place, context, error);
  *seconds = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  return done;
}
