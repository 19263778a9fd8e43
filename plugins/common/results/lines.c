/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of one colour on a transparent layer; where the picture has nearly the same colour they
 * are white or black (see ui/preview/line-contrast.h).
 *
 * What the lines would be on each pixel is found beforehand, in one byte a pixel, because
 * only the main thread can read the picture.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "layer.h"
#include "line-kinds.h"
#include "plugins/common/swap/swap.h"

/**
 * Lines:
 * @kinds: of each pixel, as if it were on a line
 */
typedef struct
{
  WfMarkFunc    func;
  gpointer      data;
  const float  *color;
  const guint8 *kinds;
  int           width;
} Lines;


static gboolean
find_kinds (WfJob                 *run,
            const WfLineContrast  *line,
            WfImage               *kinds,
            GError               **error)
{
  const WfRegion    *region = &run->region;
  const gsize        width  = (gsize) region->width;
  g_autofree guint8 *pixels = g_malloc (3 * width * WF_STRIP_ROWS);
  guint8            *row_of;

  if (! wf_swap_allocate (kinds, WF_TYPE_U8, region->width, region->height, run->source->n_slices,
                          NULL))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY,
                           _("There is not enough memory for the colors of the layer."));
      return FALSE;
    }
  row_of = kinds->data;
  for (guint i = 0; i < run->source->n_slices; i++)
    for (int row = 0; row < region->height; row += WF_STRIP_ROWS)
      {
        const int n = MIN (WF_STRIP_ROWS, region->height - row);

        wf_slice_read_colors (&run->source->slices[i], region, row, n,
                              babl_format ("R'G'B' u8"), pixels);
        wf_line_kinds_choose (line, pixels, width * (gsize) n, row_of);
        row_of += width * (gsize) n;
        wf_swap_release ();
      }
  return TRUE;
}

static void
get_indices (int       row,
             guint32  *indices,
             gpointer  data)
{
  const Lines        *lines = data;
  const guint8       *kinds = lines->kinds + (gsize) row * (gsize) lines->width;
  g_autofree guint8  *marks = g_malloc ((gsize) lines->width);

  lines->func (row, marks, lines->data);
  for (int x = 0; x < lines->width; x++)
    indices[x] = marks[x] ? kinds[x] : 0;
}

static void
get_color (guint32   index,
           float     color[4],
           gpointer  data)
{
  const Lines *lines = data;

  wf_line_kind_get_color (index, lines->color, color);
}

/**
 * wf_result_layer_set_lines:
 * @run: the run
 * @layer: a layer, or a group, made for it, with alpha
 * @color: of the lines: red, green, blue and alpha, non-linear sRGB
 * @func: marks the pixels of lines in a row
 * @data: for @func
 * @error: %WF_ERROR_MEMORY
 *
 * Fills @layer with lines that are visible over the source; all other pixels are transparent.
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_result_layer_set_lines (WfJob        *run,
                           GimpLayer    *layer,
                           const float   color[4],
                           WfMarkFunc    func,
                           gpointer      data,
                           GError      **error)
{
  g_auto (WfImage) kinds = { 0 };
  GimpDrawable    *first = wf_result_find (run, layer)->layers->pdata[0];
  WfLineContrast   line;
  Lines            lines;

  wf_line_kinds_init (&line, color, ! gimp_drawable_is_rgb (first));
  if (! find_kinds (run, &line, &kinds, error))
    return FALSE;
  lines = (Lines) { func, data, color, kinds.data, run->region.width };
  wf_result_layer_set_colors (run, layer, get_indices, get_color, NULL, &lines);
  wf_swap_clear (&kinds);
  return TRUE;
}
