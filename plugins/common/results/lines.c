/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of one colour on a transparent layer. */

#include "config.h"

#include "layer.h"


typedef struct
{
  WfMarkFunc   func;
  gpointer     data;
  const float *color;
  int          width;
} Lines;

static void
get_indices (int       row,
             guint32  *indices,
             gpointer  data)
{
  const Lines        *lines = data;
  g_autofree guint8  *marks = g_malloc ((gsize) lines->width);

  lines->func (row, marks, lines->data);
  for (int x = 0; x < lines->width; x++)
    indices[x] = marks[x];
}

static void
get_color (guint32   index,
           float     color[4],
           gpointer  data)
{
  const Lines *lines = data;

  for (int i = 0; i < 4; i++)
    color[i] = index ? lines->color[i] : 0;
}

/**
 * wf_result_layer_set_lines:
 * @run: the run
 * @layer: a layer, or a group, made for it, with alpha
 * @color: of the lines: red, green, blue and alpha, non-linear sRGB
 * @func: marks the pixels of lines in a row
 * @data: for @func
 *
 * Fills @layer with lines; all other pixels are transparent.
 */
void
wf_result_layer_set_lines (WfJob       *run,
                           GimpLayer   *layer,
                           const float  color[4],
                           WfMarkFunc   func,
                           gpointer     data)
{
  Lines lines = { func, data, color, run->region.width };

  wf_result_layer_set_colors (run, layer, get_indices, get_color, NULL, &lines);
}
