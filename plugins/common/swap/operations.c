/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations of the engine on images in memory or in the swap: there they are read and written in
 * blocks, as large as the memory allows that is left.  The results are the same.
 */

#include "config.h"

#include "operations.h"
#include "swap.h"


/**
 * wf_swap_distance:
 * @context: of the computation
 * @image: as for wf_distance()
 * @distances: set to the distances
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
  return wf_distance_blocks (context, &source, &first, nearest ? &second : NULL, options, 0, error);
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
  if (! wf_reconstruct_blocks (context, &over, &from, &to, options, WF_BLOCKS_AUTO, 0, error))
    {
      wf_swap_clear (&result);
      return FALSE;
    }
  wf_swap_clear (marker);
  *marker = result;
  return TRUE;
}

/**
 * wf_swap_watershed:
 * @context: of the computation
 * @relief: an image in the swap
 * @labels: likewise, u32; set to the basins
 * @n_basins: (out): how many there are
 * @options: as for wf_watershed_blocks()
 * @error: as wf_watershed_blocks() sets it
 *
 * With a tolerance one more image of @relief's size is in the swap meanwhile.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_swap_watershed (WfContext                 *context,
                   const WfImage             *relief,
                   WfImage                   *labels,
                   guint32                   *n_basins,
                   const WfWatershedOptions  *options,
                   GError                   **error)
{
  const WfBlockSource source  = wf_swap_source (relief);
  const WfBlockSink   sink    = wf_swap_sink (labels);
  WfImage             levels  = { 0 };
  const WfBlockSink   scratch = wf_swap_sink (&levels);
  gboolean            success;

  if (options->tolerance > 0 &&
      ! wf_swap_allocate (&levels, relief->type, relief->width, relief->height, relief->depth,
                          error))
    return FALSE;
  wf_context_set_memory_limit (context, wf_swap_get_memory ());
  success = wf_watershed_blocks (context, &source, NULL, levels.data ? &scratch : NULL, &sink,
                                 n_basins, options, 0, error);
  wf_swap_clear (&levels);
  return success;
}
