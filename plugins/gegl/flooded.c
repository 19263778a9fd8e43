/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The basins of the watersheds, and what is kept of them for the next change of a property: the
 * relief, the basins before they are merged, and the tree of merges.  Merging by another value, and
 * drawing lines in another way, uses all of it; another tolerance the relief.
 *
 * All of it was made of the pixels that are kept with it, by options that are kept as well.  It is
 * used again only for the same pixels, which are compared, whatever GEGL says has changed.  Where
 * there is no room for it (kept.c) nothing is kept.
 */

#include "config.h"

#include <string.h>

#include "buffers.h"
#include "flooded.h"
#include "kept.h"
#include "plugins/common/input/level-reader.h"
#include "plugins/watershed/flooding.h"
#include "plugins/watershed/masked-flood.h"

/* Of a hierarchy, for each basin. */
#define HIERARCHY_BYTES 24

/**
 * WfGeglFlooded:
 * @own: the format of the input
 * @stored: the format of @pixels, that of the buffer of the input
 * @component: that was taken from them as level
 * @pixels: (nullable): of the input; %NULL if nothing is kept
 * @size: of all pixels, in bytes
 * @basin: by which the relief was made
 * @options: by which it was flooded; smoothing and gradient are those of the relief
 * @relief: what was flooded; empty before that
 * @objects: 0 where label 0 is background and not a line; empty if all was flooded
 * @labels: of the basins before they are merged; empty before that
 * @is_flooded: whether they are the labels by @options; else only their memory is kept
 * @n_basins: their number
 * @hierarchy: (nullable): of their merges
 * @measure: by which they are merged there
 * @merged: the basins that were merged; empty if none were, or if @labels are
 */
struct _WfGeglFlooded
{
  const Babl         *own;
  const Babl         *stored;
  WfComponent         component;
  int                 width;
  int                 height;
  guint8             *pixels;
  gsize               size;
  WfBasinOptions      basin;
  WfWatershedOptions  options;
  WfImage             relief;
  WfImage             objects;
  WfImage             labels;
  gboolean            is_flooded;
  guint32             n_basins;
  WfHierarchy        *hierarchy;
  WfMeasure           measure;
  WfImage             merged;
};


/* The memory of the labels is used again. */
static void
forget_basins (WfGeglFlooded *flooded)
{
  flooded->is_flooded = FALSE;
  wf_image_clear (&flooded->merged);
  g_clear_pointer (&flooded->hierarchy, wf_hierarchy_unref);
}

static void
forget_relief (WfGeglFlooded *flooded)
{
  forget_basins (flooded);
  wf_image_clear (&flooded->relief);
  wf_image_clear (&flooded->objects);
}

/**
 * wf_gegl_flooded_free:
 * @flooded: (transfer full): basins, and what is kept with them
 */
void
wf_gegl_flooded_free (WfGeglFlooded *flooded)
{
  forget_relief (flooded);
  wf_image_clear (&flooded->labels);
  g_free (flooded->pixels);
  g_free (flooded);
}


/*  What has changed  */

static gboolean
is_same_relief (const WfGeglFlooded *flooded,
                const WfGeglWork    *work)
{
  const WfWatershedOptions *options = work->options;
  const WfBasinOptions     *basin   = &((const WfGeglBasinOptions *) work->own_options)->basin;
  const WfBasinOptions     *before  = &flooded->basin;

  return flooded->component == work->component &&
         flooded->options.smoothing == options->smoothing &&
         flooded->options.gradient == options->gradient &&
         before->input == basin->input && before->valleys == basin->valleys &&
         before->objects == basin->objects && before->background == basin->background &&
         before->automatic_threshold == basin->automatic_threshold &&
         before->threshold == basin->threshold;
}

static gboolean
is_same_flooding (const WfGeglFlooded *flooded,
                  const WfGeglWork    *work)
{
  const WfWatershedOptions *options = work->options;
  const WfWatershedOptions *before  = &flooded->options;
  const WfBasinOptions     *basin   = &((const WfGeglBasinOptions *) work->own_options)->basin;

  return before->tolerance == options->tolerance && before->lines == options->lines &&
         before->last_index == options->last_index &&
         before->connectivity == options->connectivity &&
         before->compactness == options->compactness &&
         flooded->basin.split_tolerance == basin->split_tolerance;
}

typedef struct
{
  const WfGeglWork *work;
  guint8           *kept;
  gsize             stride;
  int               n_changed;
} Comparison;

static void
compare_strip (int      row,
               int      n_rows,
               guint8  *pixels,
               gpointer data)
{
  Comparison  *comparison = data;
  const gsize  n          = comparison->stride * (gsize) n_rows;
  guint8      *kept       = comparison->kept + comparison->stride * (gsize) row;

  wf_gegl_read_raw (comparison->work, row, n_rows, pixels);
  if (memcmp (pixels, kept, n) == 0)
    return;
  memcpy (kept, pixels, n);
  g_atomic_int_inc (&comparison->n_changed);
}

/* Compares all pixels with those that are kept, and keeps those that are now. */
static gboolean
compare_pixels (WfGeglFlooded    *flooded,
                const WfGeglWork *work)
{
  Comparison comparison = { work, flooded->pixels, flooded->size / (gsize) work->region.height, 0 };

  wf_gegl_visit_strips (work, comparison.stride, compare_strip, &comparison);
  return comparison.n_changed == 0;
}

static gsize
get_size (const WfGeglWork *work)
{
  return (gsize) work->region.width * (gsize) work->region.height *
         (gsize) babl_format_get_bytes_per_pixel (gegl_buffer_get_format (work->input));
}

/* Returns: (transfer full): what is kept, without what cannot be used again */
static WfGeglFlooded *
take_kept (const WfGeglWork *work)
{
  WfGeglFlooded *flooded = wf_gegl_kept_take_flooded (work->kept);

  if (flooded && (flooded->own != work->own ||
                  flooded->stored != gegl_buffer_get_format (work->input) ||
                  flooded->width != work->region.width ||
                  flooded->height != work->region.height))
    g_clear_pointer (&flooded, wf_gegl_flooded_free);
  if (! flooded)
    flooded = g_new0 (WfGeglFlooded, 1);
  else if (! compare_pixels (flooded, work) || ! is_same_relief (flooded, work))
    forget_relief (flooded);
  else if (! is_same_flooding (flooded, work))
    forget_basins (flooded);
  return flooded;
}

/* Keeps the pixels, if they, a relief and labels may find room. */
static void
begin_to_keep (WfGeglFlooded    *flooded,
               const WfGeglWork *work)
{
  const gsize size = get_size (work);
  const gsize n    = (gsize) work->region.width * (gsize) work->region.height;

  if (flooded->pixels)
    return;
  if (wf_gegl_kept_has_room (size + n * (sizeof (guint32) + wf_type_size (work->type))))
    flooded->pixels = g_try_malloc (size);
  flooded->size   = size;
  flooded->own    = work->own;
  flooded->stored = gegl_buffer_get_format (work->input);
  flooded->width  = work->region.width;
  flooded->height = work->region.height;
  if (flooded->pixels)
    wf_gegl_read_raw (work, 0, work->region.height, flooded->pixels);
}


/*  The flooding  */

static gboolean
make_relief (WfGeglFlooded     *flooded,
             const WfGeglWork  *work,
             GError           **error)
{
  g_auto (WfImage) levels = { 0 };
  WfReliefOptions  relief;
  double           fraction;

  return wf_gegl_read_levels (work, &levels, error) &&
         wf_basin_options_get_relief (&flooded->basin, work->options, &levels, NULL, &relief,
                                      &fraction, error) &&
         wf_masked_relief_make (work->context, NULL, &levels, FALSE, &relief, &flooded->relief,
                                &flooded->objects, error);
}

static void
flooding_init (WfFlooding         *flooding,
               WfGeglFlooded      *flooded,
               const WfGeglWork   *work,
               WfWatershedOptions *options)
{
  const WfGeglBasinOptions *own = work->own_options;

  wf_basin_options_get_flood (&own->basin, work->options, work->type, options);
  *flooding = (WfFlooding) {
    .mask        = wf_basin_options_get_mask (&own->basin, NULL, &flooded->objects),
    .relief      = &flooded->relief,
    .objects     = flooded->objects.data ? &flooded->objects : NULL,
    .labels      = &flooded->labels,
    .options     = options,
    .type        = wf_basin_options_get_unit (&own->basin, work->type),
    .merge_by    = (WfMergeBy) own->merge_by,
    .merge_value = own->basin.merge_value,
    .n_basins    = flooded->n_basins,
  };
}

static gboolean
flood (WfGeglFlooded     *flooded,
       WfFlooding        *flooding,
       const WfGeglWork  *work,
       GError           **error)
{
  if ((! flooded->labels.data &&
       ! wf_image_allocate (&flooded->labels, WF_TYPE_U32, flooded->relief.width,
                            flooded->relief.height, 1, error)) ||
      ! wf_flooding_flood (flooding, work->context, error))
    return FALSE;
  flooded->is_flooded = TRUE;
  flooded->n_basins   = flooding->n_basins;
  return TRUE;
}

/* What is kept is merged in an image of its own. */
static gboolean
merge (WfGeglFlooded     *flooded,
       WfFlooding        *flooding,
       const WfGeglWork  *work,
       GError           **error)
{
  const WfMeasure measure = wf_merge_by_measure (flooding->merge_by);

  if (! (flooding->merge_value > 0) || flooding->n_basins == 0)
    return TRUE;
  if (flooded->hierarchy && flooded->measure != measure)
    g_clear_pointer (&flooded->hierarchy, wf_hierarchy_unref);
  if (flooded->pixels)
    {
      const WfImage *labels = &flooded->labels;

      if (! wf_image_allocate (&flooded->merged, WF_TYPE_U32, labels->width, labels->height, 1,
                               error))
        return FALSE;
      flooding->merged    = &flooded->merged;
      flooding->hierarchy = &flooded->hierarchy;
    }
  flooded->measure = measure;
  return wf_flooding_merge (flooding, work->context, error);
}

static gboolean
find_basins (WfGeglFlooded     *flooded,
             const WfGeglWork  *work,
             GError           **error)
{
  WfWatershedOptions options;
  WfFlooding         flooding;

  if (flooded->is_flooded)
    g_debug ("the basins were kept");
  else if (flooded->relief.data)
    g_debug ("the relief was kept");
  flooded->component = work->component;
  flooded->basin     = ((const WfGeglBasinOptions *) work->own_options)->basin;
  flooded->options   = *(const WfWatershedOptions *) work->options;
  if (! flooded->relief.data && ! make_relief (flooded, work, error))
    return FALSE;
  flooding_init (&flooding, flooded, work, &options);
  return (flooded->is_flooded || flood (flooded, &flooding, work, error)) &&
         merge (flooded, &flooding, work, error);
}

/**
 * wf_gegl_flooded_new:
 * @work: that of a watershed
 * @error: as wf_masked_relief_make(), wf_flooding_flood() and wf_flooding_merge() set it
 *
 * Finds the basins that the options choose, by what the operation has kept.
 *
 * Returns: (transfer full): the basins, or %NULL
 */
WfGeglFlooded *
wf_gegl_flooded_new (const WfGeglWork  *work,
                     GError           **error)
{
  g_autoptr (WfGeglFlooded) flooded = take_kept (work);
  g_autoptr (GError)        failure = NULL;

  begin_to_keep (flooded, work);
  if (find_basins (flooded, work, &failure))
    return g_steal_pointer (&flooded);
  if (flooded->pixels && g_error_matches (failure, WF_ERROR, WF_ERROR_MEMORY))
    {
      /* once more, with all memory for this */
      g_clear_error (&failure);
      wf_gegl_flooded_free (flooded);
      flooded = g_new0 (WfGeglFlooded, 1);
      if (find_basins (flooded, work, &failure))
        return g_steal_pointer (&flooded);
    }
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}

/**
 * wf_gegl_flooded_keep:
 * @flooded: (transfer full): basins that were drawn
 * @work: the work
 *
 * Keeps them for the next change, if there is room.
 */
void
wf_gegl_flooded_keep (WfGeglFlooded    *flooded,
                      const WfGeglWork *work)
{
  const WfImage * const images[] = { &flooded->relief, &flooded->objects, &flooded->labels };
  guint64               bytes    = flooded->size;

  wf_image_clear (&flooded->merged);
  if (! flooded->pixels)
    {
      wf_gegl_flooded_free (flooded);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (images); i++)
    if (images[i]->data)
      bytes += (guint64) wf_image_n_pixels (images[i]) * wf_type_size (images[i]->type);
  if (flooded->hierarchy)
    bytes += (guint64) flooded->n_basins * HIERARCHY_BYTES;
  wf_gegl_kept_put_flooded (work->kept, flooded, bytes);
}

/**
 * wf_gegl_flooded_get_basins:
 * @flooded: basins
 *
 * Returns: (transfer none): their labels
 */
const WfImage *
wf_gegl_flooded_get_basins (const WfGeglFlooded *flooded)
{
  return flooded->merged.data ? &flooded->merged : &flooded->labels;
}

/**
 * wf_gegl_flooded_get_objects:
 * @flooded: basins
 *
 * Returns: (transfer none) (nullable): 0 where label 0 is background and not a line; %NULL if all
 *   was flooded
 */
const WfImage *
wf_gegl_flooded_get_objects (const WfGeglFlooded *flooded)
{
  return flooded->objects.data ? &flooded->objects : NULL;
}

/**
 * wf_gegl_flooded_get_pixels:
 * @flooded: basins
 *
 * Returns: (transfer none) (nullable): the pixels of the input that are kept with them
 */
const guint8 *
wf_gegl_flooded_get_pixels (const WfGeglFlooded *flooded)
{
  return flooded->pixels;
}
