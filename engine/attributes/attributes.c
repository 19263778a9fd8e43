/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Openings and closings by attributes.
 *
 * For a level h let C be a connected component of the pixels that are not below h, and h' the
 * highest level around C: that of the component of which C becomes a part when h is lowered.
 *
 *   area opening     each pixel gets the highest level h not above its own for which the component
 *                    that holds it has at least so many pixels
 *   volume opening   … for which the sum of what its pixels exceed h' by is at least so much
 *   height opening   … for which the component holds a regional maximum whose dynamics is at least
 *                    so much: what one has to descend from it on the way to any higher pixel,
 *                    without limit for the highest pixels of all
 *   closings         the same with dark and bright exchanged
 *
 * The whole image is always kept.  All levels of the result are levels of the image.  Of f32
 * infinities count as the greatest finite values in heights and volumes, which are doubles: volumes
 * are sums in the order in which the algorithm visits the pixels; zeros leave as +0.
 *
 * Openings by area and by height change nothing when they are done again; one by volume may, as
 * what it removes is missing in the volume of what it keeps.  The h-maxima lower all domes by the
 * height; a height opening removes those of less dynamics and keeps the others as they are.
 *
 * Sources: area, Vincent, Grayscale area openings and closings, their efficient implementation and
 * applications (1993); attributes, Breen and Jones, Attribute openings, thinnings, and
 * granulometries, Computer Vision and Image Understanding 64 (1996); dynamics, Grimaud, A new
 * measure of contrast: the dynamics (1992); volume and reconstruction from what is kept, Vachier,
 * Extraction de caractéristiques, segmentation d'image et morphologie mathématique (1995).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "attribute.h"
#include "engine/core/record.h"
#include "engine/cpu/cpu.h"


static gboolean
make_task (WfAttributeTask          *task,
           WfOperation               operation,
           const WfImage            *image,
           WfImage                  *out,
           const WfAttributeOptions *options,
           GError                  **error)
{
  *task = (WfAttributeTask) {
    .operation = operation,
    .shape     = wf_image_shape (image),
    .type      = image->type,
    .closing   = wf_attribute_is_closing (operation),
    .least     = *wf_attribute_get_least ((WfAttributeOptions *) options, operation),
    .image     = image,
    .out       = out,
  };
  return wf_connectivity_resolve (options->connectivity, &task->shape, &task->connectivity, error);
}

static gboolean
open_image (WfOperation                operation,
            WfContext                 *context,
            const WfImage             *image,
            WfImage                   *out,
            const WfAttributeOptions  *options,
            GError                   **error)
{
  g_autoptr (WfContext) own = NULL;
  WfAttributeOptions    taken;
  WfAttributeTask       task;
  WfPlan                plan;

  if (! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_view (out, _("result"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! wf_image_check_type (out, image->type, _("result"), error) ||
      ! wf_image_check_size (out, _("result"), image, _("image"), error) ||
      ! wf_operation_take (operation, options, &taken, error) ||
      ! wf_operation_check_required (operation, &taken, error) ||
      ! make_task (&task, operation, image, out, &taken, error))
    return FALSE;

  own = wf_context_ensure (context);
  if (! wf_context_plan (own, operation, taken.algorithm, &task, wf_image_n_pixels (image), &plan,
                         error))
    return FALSE;
  plan.inputs[0] = (WfInput) { image, _("image") };
  return wf_context_run (own, operation, &plan, &task, error);
}

static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfAttributeOptions taken;
  WfAttributeTask    task;

  return wf_image_check_view (image, _("image"), error) &&
         wf_image_check_work_type (image, _("image"), error) &&
         wf_operation_take (operation, options, &taken, error) &&
         make_task (&task, operation, image, NULL, &taken, error) &&
         wf_context_estimate (operation, taken.algorithm, &task, result, error);
}


/**
 * wf_area_opening:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): area, connectivity, algorithm
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE,
 *   %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Lowers bright parts of fewer than area pixels to the highest level at which they are part of a
 * larger one; see the top of attributes.c for the definition. Unlike an opening by a structuring
 * element it does not ask for a shape: long thin parts stay. Zeros of f32 leave as +0.
 *
 * Time: nearly linear in the pixels, by one thread; of images of at most two levels, as masks have,
 * a tenth of it, by all threads. Memory (`union-find`): 10 bytes a pixel of u8, 12 of other types,
 * and from 2³¹ pixels on 8 more; less for two levels.
 *
 * Source: Vincent (1993); Meijster and Wilkinson, IEEE Transactions on Pattern Analysis and Machine
 * Intelligence 24 (2002).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_area_opening (WfContext                 *context,
                 const WfImage             *image,
                 WfImage                   *out,
                 const WfAttributeOptions  *options,
                 GError                   **error)
{
  return open_image (WF_OPERATION_AREA_OPENING, context, image, out, options, error);
}

/**
 * wf_area_closing:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): area, connectivity, algorithm
 * @error: as for wf_area_opening()
 *
 * Raises dark parts of fewer than area pixels to the lowest level at which they are part of a
 * larger one.
 *
 * Time, memory and sources as for wf_area_opening().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_area_closing (WfContext                 *context,
                 const WfImage             *image,
                 WfImage                   *out,
                 const WfAttributeOptions  *options,
                 GError                   **error)
{
  return open_image (WF_OPERATION_AREA_CLOSING, context, image, out, options, error);
}

/**
 * wf_height_opening:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): height, connectivity, algorithm
 * @error: as for wf_area_opening()
 *
 * Removes bright domes of a smaller dynamics than height: from their top to any higher pixel one
 * descends by less. The others stay as they are.
 *
 * Time as for wf_area_opening(), and half as much again. Memory: 6 or 8 bytes a pixel more.
 *
 * Source: Grimaud (1992); Vachier (1995).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_height_opening (WfContext                 *context,
                   const WfImage             *image,
                   WfImage                   *out,
                   const WfAttributeOptions  *options,
                   GError                   **error)
{
  return open_image (WF_OPERATION_HEIGHT_OPENING, context, image, out, options, error);
}

/**
 * wf_height_closing:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): height, connectivity, algorithm
 * @error: as for wf_area_opening()
 *
 * Fills dark basins of a smaller dynamics than height: from their bottom to any deeper pixel one
 * climbs by less. The others stay as they are.
 *
 * Time, memory and source as for wf_height_opening().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_height_closing (WfContext                 *context,
                   const WfImage             *image,
                   WfImage                   *out,
                   const WfAttributeOptions  *options,
                   GError                   **error)
{
  return open_image (WF_OPERATION_HEIGHT_CLOSING, context, image, out, options, error);
}

/**
 * wf_volume_opening:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): volume, connectivity, algorithm
 * @error: as for wf_area_opening()
 *
 * Lowers bright parts of a smaller volume, pixels times levels above what is around them, to the
 * level around them.
 *
 * Time as for wf_area_opening(). Memory: 12 bytes a pixel more.
 *
 * Source: Vachier (1995).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_volume_opening (WfContext                 *context,
                   const WfImage             *image,
                   WfImage                   *out,
                   const WfAttributeOptions  *options,
                   GError                   **error)
{
  return open_image (WF_OPERATION_VOLUME_OPENING, context, image, out, options, error);
}

/**
 * wf_volume_closing:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: u8, u16 or f32, width × height × depth; ±infinity is allowed, NaN is not
 * @out: type and size of @image; may be @image itself
 * @options: (nullable): volume, connectivity, algorithm
 * @error: as for wf_area_opening()
 *
 * Raises dark parts of a smaller volume, pixels times levels below what is around them, to the
 * level around them.
 *
 * Time, memory and source as for wf_volume_opening().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_volume_closing (WfContext                 *context,
                   const WfImage             *image,
                   WfImage                   *out,
                   const WfAttributeOptions  *options,
                   GError                   **error)
{
  return open_image (WF_OPERATION_VOLUME_CLOSING, context, image, out, options, error);
}


/*  The records  */

static gboolean
run (const WfCall  *call,
     GError       **error)
{
  return open_image (call->operation, call->context, call->inputs[0], call->outputs[0],
                     call->options, error);
}

static const WfChoice algorithms[] =
{
  { "auto",       0, N_("Automatic") },
  { "union-find", 0, N_("Pixels from the highest to the lowest, joined by union-find") },
  { NULL }
};

#define ATTRIBUTE_OPTIONS \
  WF_CONNECTIVITY_OPTION (WfAttributeOptions, wf_connectivities, WF_NEIGHBOURS), \
  WF_ALGORITHM_OPTION (WfAttributeOptions, algorithms, WF_SAME_RESULT)

static const WfOption area_options[] =
{
  {
    .name          = "area",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_AREA,
    .required      = TRUE,
    .offset        = G_STRUCT_OFFSET (WfAttributeOptions, area),
    .label         = N_("A_rea"),
    .blurb         = N_("Parts of at least so many pixels stay"),
    .placeholder   = "PIXELS",
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  ATTRIBUTE_OPTIONS,
};

static const WfOption height_options[] =
{
  {
    .name          = "height",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LEVEL,
    .required      = TRUE,
    .offset        = G_STRUCT_OFFSET (WfAttributeOptions, height),
    .label         = N_("H_eight"),
    .blurb         = N_("Extrema of at least this dynamics stay: height above the pass to a higher "
                        "one"),
    .placeholder   = "H",
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  ATTRIBUTE_OPTIONS,
};

static const WfOption volume_options[] =
{
  {
    .name          = "volume",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_VOLUME,
    .required      = TRUE,
    .offset        = G_STRUCT_OFFSET (WfAttributeOptions, volume),
    .label         = N_("_Volume"),
    .blurb         = N_("Parts stay whose pixels together differ by at least so much from the "
                        "level around them"),
    .placeholder   = "V",
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  ATTRIBUTE_OPTIONS,
};

#define RECORD(number, group_name, group_title, group_blurb, list) \
  { \
    .operation = number, \
    .options   = { \
      .name      = group_name, \
      .title     = group_title, \
      .blurb     = group_blurb, \
      .options   = list, \
      .n_options = G_N_ELEMENTS (list), \
      .size      = sizeof (WfAttributeOptions), \
    }, \
    .category  = N_("Openings by attributes"), \
    .flags     = WF_WORKS_ON_STACKS | WF_WORKS_IN_PLACE, \
    .inputs    = wf_one_image, \
    .outputs   = wf_one_result, \
    .cpu       = wf_cpu_attribute_variants, \
    .run       = run, \
    .estimate  = estimate, \
  }

static const WfOperationRecord records[] =
{
  RECORD (WF_OPERATION_AREA_OPENING, "area-opening", N_("Area Opening"),
          N_("Remove bright parts of few pixels, whatever their shape"), area_options),
  RECORD (WF_OPERATION_AREA_CLOSING, "area-closing", N_("Area Closing"),
          N_("Fill dark parts of few pixels, whatever their shape"), area_options),
  RECORD (WF_OPERATION_HEIGHT_OPENING, "height-opening", N_("Height Opening"),
          N_("Remove bright parts that are low, and keep the others as they are"), height_options),
  RECORD (WF_OPERATION_HEIGHT_CLOSING, "height-closing", N_("Height Closing"),
          N_("Fill dark parts that are shallow, and keep the others as they are"), height_options),
  RECORD (WF_OPERATION_VOLUME_OPENING, "volume-opening", N_("Volume Opening"),
          N_("Remove bright parts of little volume: pixels times levels"), volume_options),
  RECORD (WF_OPERATION_VOLUME_CLOSING, "volume-closing", N_("Volume Closing"),
          N_("Fill dark parts of little volume: pixels times levels"), volume_options),
};

const WfOperationTable wf_attribute_operations = { records, G_N_ELEMENTS (records) };
