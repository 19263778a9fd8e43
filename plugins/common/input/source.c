/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The input of a procedure.  Each selected drawable is a separate source, or all
 * of them, as the slices of a stack, are one.
 *
 * The level of a pixel is its luminance or one of its components.  Alpha does not
 * change levels; the results have the same transparency.
 * If alpha is the level, the results are opaque, so that they are visible everywhere.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "own-stain.h"
#include "plugins/common/procedure/arguments.h"
#include "plugins/common/swap/swap.h"
#include "source.h"
#include "stack.h"


static const WfOption options_table[] =
{
  WF_COMPONENT_OPTION (WfSourceOptions, source),
  { "stack", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfSourceOptions, stack),
    N_("_Use the layers as slices"),
    N_("Process the selected layers as a stack, the lowest layer first; if only one layer is "
       "selected, all visible layers next to it, or in it if it is a group"),
    NULL, 0, 1, FALSE, NULL },
};

static const WfOptionGroup options_group =
{
  "source", NULL, NULL,
  options_table, G_N_ELEMENTS (options_table), sizeof (WfSourceOptions)
};


/**
 * wf_source_get_options:
 *
 * Returns: the description of #WfSourceOptions
 */
const WfOptionGroup *
wf_source_get_options (void)
{
  return &options_group;
}

/**
 * wf_source_read_options:
 * @config: the values of a procedure's arguments
 * @type: of the layer's pixels
 * @instead: (nullable): the component, whatever is chosen: then an own stain need not be usable
 * @options: set
 * @error: %WF_ERROR_INVALID for an invalid value
 *
 * Returns: whether all values are valid
 */
gboolean
wf_source_read_options (GObject            *config,
                        WfType              type,
                        const WfComponent  *instead,
                        WfSourceOptions    *options,
                        GError            **error)
{
  g_autofree char *stain = NULL;

  if (! wf_arguments_read (config, &options_group, type, options, error))
    return FALSE;
  if (instead)
    {
      options->component = *instead;
      return TRUE;
    }
  g_object_get (config, WF_OWN_STAIN, &stain, NULL);
  return wf_own_stain_choose (options->source, stain, &options->component, error);
}

static void
source_free (WfSource *source)
{
  for (guint i = 0; i < source->n_slices; i++)
    wf_slice_close (&source->slices[i]);
  g_free (source->slices);
  g_free (source->name);
  g_free (source);
}

static gboolean
check_component (const WfSource  *source,
                 GError         **error)
{
  for (guint i = 0; i < source->n_slices; i++)
    {
      const WfSlice   *slice  = &source->slices[i];
      const Babl      *format = wf_slice_get_format (slice);
      g_autofree char *name   = NULL;

      if (wf_component_is_in (source->component, format))
        continue;
      name = gimp_item_get_name (GIMP_ITEM (slice->drawable));
      return wf_component_check (source->component, format, name, error);
    }
  return TRUE;
}

static gboolean
add_source (GPtrArray              *sources,
            GimpDrawable          **drawables,
            guint                   n,
            char                   *name,
            gboolean                selected,
            const WfSourceOptions  *options,
            GError                **error)
{
  WfSource *source = g_new0 (WfSource, 1);

  source->slices    = g_new0 (WfSlice, n);
  source->n_slices  = n;
  source->type      = wf_pixels_get_type (drawables[0]);
  source->component = options->component;
  source->anchor    = GIMP_ITEM (drawables[n - 1]);
  source->name      = name;
  g_ptr_array_add (sources, source);

  for (guint i = 0; i < n; i++)
    wf_slice_open (&source->slices[i], drawables[i]);
  return wf_region_init (&source->region, drawables[0], selected, error) &&
         check_component (source, error);
}

static gboolean
add_stack (GPtrArray              *sources,
           GimpImage              *image,
           GimpDrawable          **drawables,
           gboolean                selected,
           const WfSourceOptions  *options,
           GError                **error)
{
  g_autoptr (GPtrArray)  slices = wf_stack_find_slices (image, drawables, error);
  WfSource              *source;

  if (! slices ||
      ! add_source (sources, (GimpDrawable **) slices->pdata, slices->len,
                    wf_stack_get_name (image, slices), selected, options, error))
    return FALSE;

  source = sources->pdata[0];
  if (! drawables[1] && gimp_item_is_group (GIMP_ITEM (drawables[0])))
    source->anchor = GIMP_ITEM (drawables[0]);
  return TRUE;
}

/**
 * wf_sources_open:
 * @image: the image
 * @drawables: the selected ones, at least one, terminated by %NULL
 * @selected: %FALSE to ignore the selection and take all of each drawable
 * @options: of the sources
 * @error: %WF_ERROR_INVALID
 *
 * Returns: (element-type WfSource) (transfer full) (nullable): the sources
 */
GPtrArray *
wf_sources_open (GimpImage              *image,
                 GimpDrawable          **drawables,
                 gboolean                selected,
                 const WfSourceOptions  *options,
                 GError                **error)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func ((GDestroyNotify) source_free);

  if (options->stack)
    {
      if (! add_stack (sources, image, drawables, selected, options, error))
        return NULL;
    }
  else
    for (gsize i = 0; drawables[i]; i++)
      if (! add_source (sources, &drawables[i], 1,
                        gimp_item_get_name (GIMP_ITEM (drawables[i])),
                        selected, options, error))
        return NULL;

  return g_steal_pointer (&sources);
}

/**
 * wf_sources_copy:
 * @sources: (element-type WfSource): sources
 * @error: %WF_ERROR_MEMORY
 *
 * Copies the visible pixels of drawables with filters; only a preview works without copies.
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_sources_copy (GPtrArray  *sources,
                 GError    **error)
{
  for (guint k = 0; k < sources->len; k++)
    {
      const WfSource      *source = sources->pdata[k];
      const WfRegion      *region = &source->region;
      const GeglRectangle  part   = { region->image_x, region->image_y,
                                      region->width, region->height };

      for (guint i = 0; i < source->n_slices; i++)
        if (! wf_slice_copy (&source->slices[i], &part, error))
          return FALSE;
    }
  return TRUE;
}

/**
 * wf_source_read:
 * @source: a source
 * @image: set to its levels, to be cleared by the caller
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory.
 */
gboolean
wf_source_read (const WfSource  *source,
                WfImage         *image,
                GError         **error)
{
  const WfRegion *region = &source->region;

  if (! wf_swap_allocate (image, source->type, region->width, region->height,
                          source->n_slices, error))
    return FALSE;

  for (guint i = 0; i < source->n_slices; i++)
    wf_slice_read_parts (&source->slices[i], region, source->component, image, i);
  return TRUE;
}

static gboolean
any_slice (const WfSource *source,
           gboolean     (* func) (const WfSlice *slice))
{
  if (source->region.selection)
    return TRUE;
  if (source->component == WF_COMPONENT_ALPHA)
    return FALSE;

  for (guint i = 0; i < source->n_slices; i++)
    if (func (&source->slices[i]))
      return TRUE;
  return FALSE;
}

/**
 * wf_source_has_alpha:
 * @source: a source
 *
 * Returns: whether results need alpha.
 */
gboolean
wf_source_has_alpha (const WfSource *source)
{
  return any_slice (source, wf_slice_has_alpha);
}

/**
 * wf_source_is_transparent:
 * @source: a source
 *
 * Returns: whether some pixels of the results may be transparent.
 */
gboolean
wf_source_is_transparent (const WfSource *source)
{
  return any_slice (source, wf_slice_is_transparent);
}

/**
 * wf_source_read_coverage:
 * @source: a source
 * @slice: the index of the slice
 * @row: the first row, in the region
 * @n_rows: the number of rows
 * @coverage: set, row by row: the opacity of results, from 0 to 1:
 *   the coverage by the selection, 0 where less than half is selected, times the opacity of the
 *   pixel
 */
void
wf_source_read_coverage (const WfSource *source,
                         guint           slice,
                         int             row,
                         int             n_rows,
                         float          *coverage)
{
  const gsize n = (gsize) source->region.width * n_rows;

  wf_region_read_selection (&source->region, row, n_rows, coverage);
  for (gsize i = 0; i < n; i++)
    coverage[i] = coverage[i] >= WF_SELECTED ? coverage[i] : 0;
  if (source->component != WF_COMPONENT_ALPHA)
    wf_slice_multiply_alpha (&source->slices[slice], &source->region, row, n_rows, coverage);
}

/**
 * wf_source_n_pixels:
 * @source: a source
 *
 * Returns: the number of pixels, as a measure of the work
 */
double
wf_source_n_pixels (const WfSource *source)
{
  return (double) source->region.width * source->region.height * source->n_slices;
}
