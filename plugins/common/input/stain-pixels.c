/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pixels of a drawable absorb, for the color of a stain: those around a place, or those that
 * are selected.  Rows are read in strips, so that a selection may be as large as the image.
 */

#include "config.h"

#include "formats.h"
#include "pixels.h"
#include "slice.h"
#include "stain-pixels.h"


/* Moves the colors of selected pixels to the front; returns how many they are. */
static gsize
keep_selected (const float *selected,
               gsize        n,
               float       *colors)
{
  gsize n_kept = 0;

  for (gsize i = 0; i < n; i++)
    if (selected[i] >= WF_SELECTED)
      {
        for (int c = 0; c < 3; c++)
          colors[3 * n_kept + c] = colors[3 * i + c];
        n_kept++;
      }
  return n_kept;
}

static void
add_up (const WfSlice  *slice,
        const WfRegion *region,
        double          densities[3])
{
  const Babl        *format   = wf_format_find_encoded (wf_slice_get_format (slice), FALSE,
                                                        WF_TYPE_F32);
  const gsize        n_strip  = (gsize) region->width * WF_STRIP_ROWS;
  g_autofree float  *colors   = g_new (float, 3 * n_strip);
  g_autofree float  *selected = g_new (float, n_strip);
  double             sums[3]  = { 0, 0, 0 };
  gsize              n        = 0;

  for (int row = 0; row < region->height; row += WF_STRIP_ROWS)
    {
      const int n_rows = MIN (WF_STRIP_ROWS, region->height - row);
      gsize     n_kept;

      wf_slice_read_colors (slice, region, row, n_rows, format, colors);
      wf_region_read_selection (region, row, n_rows, selected);
      n_kept = keep_selected (selected, (gsize) region->width * (gsize) n_rows, colors);
      if (n_kept == 0)
        continue;
      wf_stain_pick (WF_TYPE_F32, colors, 3, (gint64) n_kept, densities);
      for (int c = 0; c < 3; c++)
        sums[c] += densities[c] * (double) n_kept;
      n += n_kept;
    }
  for (int c = 0; c < 3; c++)
    densities[c] = sums[c] / (double) n;
}

/**
 * wf_stain_pixels_pick:
 * @drawable: a valid drawable with colors
 * @region: of it, at full size, with a pixel that is selected
 * @densities: set to the mean optical densities of the pixels there that are selected, of all
 *   without a selection (wf_stain_pick())
 * @error: %WF_ERROR_MEMORY, or %WF_ERROR_INVALID if GIMP cannot apply its filters
 *
 * Returns: whether there was no error
 */
gboolean
wf_stain_pixels_pick (GimpDrawable    *drawable,
                      const WfRegion  *region,
                      double           densities[3],
                      GError         **error)
{
  WfSlice  slice;
  gboolean is_there;

  wf_slice_open (&slice, drawable);
  is_there = wf_slice_copy (&slice, GEGL_RECTANGLE (region->image_x, region->image_y,
                                                    region->width, region->height), error);
  if (is_there)
    add_up (&slice, region, densities);
  wf_slice_close (&slice);
  return is_there;
}
