/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations of the engine on images in memory or in the swap: there they are read and written in
 * blocks, as large as the memory allows that is left.  The results are the same.
 */

#include "config.h"

#include "operations.h"
#include "swap.h"


/**
 * wf_swap_run:
 * @context: of the computation
 * @operation: one that has %WF_WORKS_IN_BLOCKS, of one image
 * @image: what it reads
 * @result: another image, of wf_operation_get_output_type(); set to the result
 * @options: a struct of the operation's options
 * @error: as wf_operation_run() and wf_operation_run_blocks() set it
 *
 * For extended extrema one more image of @image's size is in the swap meanwhile.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swap_run (WfContext      *context,
             WfOperation     operation,
             const WfImage  *image,
             WfImage        *result,
             gconstpointer   options,
             GError        **error)
{
  const WfImage       *inputs[WF_MAX_OPERANDS]  = { image };
  WfImage             *outputs[WF_MAX_OPERANDS] = { result };
  WfImage              between = { 0 };
  const WfBlockSource  source  = wf_swap_source (image);
  const WfBlockSource *sources[WF_MAX_OPERANDS] = { &source };
  const WfBlockSink    sink    = wf_swap_sink (result);
  const WfBlockSink    scratch = wf_swap_sink (&between);
  gboolean             success;

  if (! wf_swap_is_on ())
    return wf_operation_run (context, operation, inputs, outputs, NULL, options, error);
  if ((operation == WF_OPERATION_EXTENDED_MAXIMA || operation == WF_OPERATION_EXTENDED_MINIMA) &&
      ! wf_swap_allocate (&between, image->type, image->width, image->height, image->depth, error))
    return FALSE;
  wf_context_set_memory_limit (context, wf_swap_get_memory ());
  success = wf_operation_run_blocks (context, operation, sources, &sink,
                                     between.data ? &scratch : NULL, options, NULL, error);
  wf_swap_clear (&between);
  return success;
}

/**
 * wf_swap_invert:
 * @image: u8, u16 or f32, without gaps between its rows; changed as by wf_image_invert()
 */
void
wf_swap_invert (WfImage *image)
{
  WF_FOR_PARTS (part, image)
    {
      WfImage view = wf_swap_view (image, &part);

      wf_image_invert (&view, &view);
    }
}

/**
 * wf_swap_distance:
 * @context: of the computation
 * @image: as for wf_distance()
 * @distances: (nullable): set to the distances
 * @nearest: (nullable): set to the nearest pixels
 * @options: as for wf_distance()
 * @error: as wf_distance() and wf_distance_blocks() set it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swap_distance (WfContext                *context,
                  const WfImage            *image,
                  WfImage                  *distances,
                  WfImage                  *nearest,
                  const WfDistanceOptions  *options,
                  GError                  **error)
{
  const WfBlockSource source = wf_swap_source (image);
  const WfBlockSink   first  = wf_swap_sink (distances);
  const WfBlockSink   second = wf_swap_sink (nearest);

  if (! wf_swap_is_on ())
    return wf_distance (context, image, distances, nearest, options, error);
  wf_context_set_memory_limit (context, wf_swap_get_memory ());
  return wf_distance_blocks (context, &source, distances ? &first : NULL, nearest ? &second : NULL,
                             options, NULL, error);
}

/**
 * wf_swap_reconstruct:
 * @context: of the computation
 * @mask: as for wf_reconstruct()
 * @marker: likewise; set to the result
 * @options: as for wf_reconstruct()
 * @error: as wf_reconstruct() and wf_reconstruct_blocks() set it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swap_reconstruct (WfContext                   *context,
                     const WfImage               *mask,
                     WfImage                     *marker,
                     const WfReconstructOptions  *options,
                     GError                     **error)
{
  WfImage             result = { 0 };
  const WfBlockSource over   = wf_swap_source (mask);
  const WfBlockSource from   = wf_swap_source (marker);
  const WfBlockSink   to     = wf_swap_sink (&result);

  if (! wf_swap_is_on ())
    return wf_reconstruct (context, mask, marker, marker, options, error);
  if (! wf_swap_allocate (&result, mask->type, mask->width, mask->height, mask->depth, error))
    return FALSE;
  wf_context_set_memory_limit (context, wf_swap_get_memory ());
  if (! wf_reconstruct_blocks (context, &over, &from, &to, options, NULL, error))
    {
      wf_swap_clear (&result);
      return FALSE;
    }
  wf_swap_clear (marker);
  *marker = result;
  return TRUE;
}

/**
 * wf_swap_count_labels:
 * @context: of the computation
 * @labels: u32, without gaps between its rows
 * @n_labels: (out): how many different labels there are besides 0
 * @error: as wf_labels_count_blocks() sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swap_count_labels (WfContext      *context,
                      const WfImage  *labels,
                      guint32        *n_labels,
                      GError        **error)
{
  WfBlockSource source = wf_swap_source (labels);

  if (wf_swap_is_on ())
    wf_context_set_memory_limit (context, wf_swap_get_memory ());
  else
    source.image = labels;
  return wf_labels_count_blocks (context, &source, n_labels, NULL, error);
}

/* Bands are flooded from markers while @labels of those before are written: so these have an image
 * of their own.
 */
static gboolean
flood (WfContext                 *context,
       const WfImage             *relief,
       const WfImage             *markers,
       WfImage                   *scratch,
       WfImage                   *labels,
       guint32                   *n_basins,
       const WfWatershedOptions  *options,
       GError                   **error)
{
  const WfBlockSource source = wf_swap_source (relief);
  const WfBlockSource marked = markers ? wf_swap_source (markers) : (WfBlockSource) { 0 };
  const WfBlockSink   levels = wf_swap_sink (scratch);
  const WfBlockSink   sink   = wf_swap_sink (labels);

  wf_context_set_memory_limit (context, wf_swap_get_memory ());
  return wf_watershed_blocks (context, &source, markers ? &marked : NULL,
                              scratch->data ? &levels : NULL, &sink, n_basins, options, NULL,
                              error);
}

/**
 * wf_swap_watershed:
 * @context: of the computation
 * @relief: an image in the swap
 * @from_markers: whether @labels hold markers
 * @labels: likewise, u32; set to the basins
 * @n_basins: (out): how many there are
 * @options: as for wf_watershed_blocks()
 * @error: as wf_watershed_blocks() sets it
 *
 * With markers or a tolerance one more image of @relief's size is in the swap meanwhile, and with
 * markers one of @labels'.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swap_watershed (WfContext                 *context,
                   const WfImage             *relief,
                   gboolean                   from_markers,
                   WfImage                   *labels,
                   guint32                   *n_basins,
                   const WfWatershedOptions  *options,
                   GError                   **error)
{
  WfImage  scratch = { 0 };
  WfImage  basins  = { 0 };
  gboolean success = ((! from_markers && options->tolerance == 0) ||
                      wf_swap_allocate (&scratch, relief->type, relief->width, relief->height,
                                        relief->depth, error)) &&
                     (! from_markers ||
                      wf_swap_allocate (&basins, WF_TYPE_U32, relief->width, relief->height,
                                        relief->depth, error)) &&
                     flood (context, relief, from_markers ? labels : NULL, &scratch,
                            from_markers ? &basins : labels, n_basins, options, error);

  wf_swap_clear (&scratch);
  if (success && from_markers)
    {
      wf_swap_clear (labels);
      *labels = basins;
      basins  = (WfImage) { 0 };
    }
  wf_swap_clear (&basins);
  return success;
}

/**
 * wf_swap_hierarchy:
 * @context: of the computation
 * @relief: as for wf_hierarchy_new()
 * @labels: likewise
 * @options: likewise
 * @error: as wf_hierarchy_new() and wf_hierarchy_new_blocks() set it
 *
 * The hierarchy itself is in memory.
 *
 * Returns: (transfer full): the hierarchy, or %NULL with @error set
 */
WfHierarchy *
wf_swap_hierarchy (WfContext                 *context,
                   const WfImage             *relief,
                   const WfImage             *labels,
                   const WfHierarchyOptions  *options,
                   GError                   **error)
{
  const WfBlockSource source = wf_swap_source (relief);
  const WfBlockSource basins = wf_swap_source (labels);

  if (! wf_swap_is_on ())
    return wf_hierarchy_new (context, relief, labels, options, error);
  wf_context_set_memory_limit (context, wf_swap_get_memory ());
  return wf_hierarchy_new_blocks (context, &source, &basins, options, NULL, error);
}

/**
 * wf_swap_relabel:
 * @context: of the computation
 * @hierarchy: as for wf_hierarchy_relabel()
 * @regions: likewise
 * @labels: likewise; set to the result
 * @error: as wf_hierarchy_relabel() and wf_hierarchy_relabel_blocks() set it
 *
 * One more image of @labels' size is in the swap meanwhile.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swap_relabel (WfContext          *context,
                 const WfHierarchy  *hierarchy,
                 const guint32      *regions,
                 WfImage            *labels,
                 GError            **error)
{
  WfImage             result = { 0 };
  const WfBlockSource source = wf_swap_source (labels);
  const WfBlockSink   sink   = wf_swap_sink (&result);

  if (! wf_swap_is_on ())
    return wf_hierarchy_relabel (context, hierarchy, regions, labels, labels, error);
  if (! wf_swap_allocate (&result, WF_TYPE_U32, labels->width, labels->height, labels->depth,
                          error))
    return FALSE;
  wf_context_set_memory_limit (context, wf_swap_get_memory ());
  if (! wf_hierarchy_relabel_blocks (context, hierarchy, regions, &source, &sink, NULL, error))
    {
      wf_swap_clear (&result);
      return FALSE;
    }
  wf_swap_clear (labels);
  *labels = result;
  return TRUE;
}

/**
 * wf_swap_measure:
 * @context: of the computation
 * @levels: as for wf_basins_measure()
 * @relief: likewise
 * @labels: likewise
 * @connectivity: likewise
 * @basins: likewise
 * @n_basins: likewise
 * @error: as wf_basins_measure() and wf_basins_measure_blocks() set it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swap_measure (WfContext      *context,
                 const WfImage  *levels,
                 const WfImage  *relief,
                 const WfImage  *labels,
                 int             connectivity,
                 WfBasin       **basins,
                 guint32        *n_basins,
                 GError        **error)
{
  const WfBlockSource image  = wf_swap_source (levels);
  const WfBlockSource flood  = wf_swap_source (relief);
  const WfBlockSource source = wf_swap_source (labels);

  if (! wf_swap_is_on ())
    return wf_basins_measure (context, levels, relief, labels, connectivity, basins, n_basins,
                              error);
  wf_context_set_memory_limit (context, wf_swap_get_memory ());
  return wf_basins_measure_blocks (context, &image, &flood, &source, connectivity, basins,
                                   n_basins, NULL, error);
}
