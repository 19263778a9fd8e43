/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfResult:
 * @layer: the layer, or for a stack the group
 * @layers: (element-type GimpLayer): a layer for each slice, the lowest first; @layer
 *   itself if there is only one slice
 * @source: from which it was computed
 * @next: whether the next step works on it
 */
typedef struct
{
  GimpLayer      *layer;
  GPtrArray      *layers;
  const WfSource *source;
  gboolean        next;
} WfResult;

/**
 * WfRowFunc:
 * @row: index of the row in the region, counted through all slices of a stack
 * @levels: to set: a level for each pixel
 * @data: user data
 *
 * Like the other functions below, it may be called in several threads at the same time, for
 * rows in any order.
 */
typedef void (* WfRowFunc) (int       row,
                            float    *levels,
                            gpointer  data);

/**
 * WfIndexFunc:
 * @row: index of the row, as above
 * @indices: to set: an index for each pixel; pixels of equal index have equal color
 * @data: user data
 */
typedef void (* WfIndexFunc) (int       row,
                              guint32  *indices,
                              gpointer  data);

/**
 * WfColorFunc:
 * @index: an index set by a #WfIndexFunc
 * @color: to set: red, green, blue and alpha
 * @data: user data
 */
typedef void (* WfColorFunc) (guint32   index,
                              float     color[4],
                              gpointer  data);

/**
 * WfMarkFunc:
 * @row: index of the row, as above
 * @marks: to set: 1 on a line, 0 elsewhere
 * @data: user data
 */
typedef void (* WfMarkFunc) (int       row,
                             guint8   *marks,
                             gpointer  data);

/**
 * WfPixelFunc:
 * @row: index of the row, as above
 * @pixels: to set, in the format that wf_pixels_get_format() returns for the layer
 * @data: user data
 */
typedef void (* WfPixelFunc) (int       row,
                              guint8   *pixels,
                              gpointer  data);

GimpLayer *      wf_result_layer_new        (WfJob          *run,
                                             const char     *name,
                                             gboolean        alpha);
const WfResult * wf_result_find             (WfJob          *run,
                                             GimpLayer      *layer);
void             wf_result_layer_set_next   (WfJob          *run,
                                             GimpLayer      *layer);
void             wf_result_layer_set_image  (WfJob          *run,
                                             GimpLayer      *layer,
                                             const WfImage  *image);
void             wf_result_layer_set_components
                                            (WfJob          *run,
                                             GimpLayer      *layer,
                                             const WfImage   components[3]);
void             wf_result_layer_set_marks  (WfJob          *run,
                                             GimpLayer      *layer,
                                             const WfImage  *marks);
void             wf_result_layer_set_levels (WfJob          *run,
                                             GimpLayer      *layer,
                                             WfRowFunc       func,
                                             gpointer        data);
void             wf_result_layer_set_colors (WfJob          *run,
                                             GimpLayer      *layer,
                                             WfIndexFunc     indices,
                                             WfColorFunc     color,
                                             const Babl     *encoding,
                                             gpointer        data);
gboolean         wf_result_layer_set_lines  (WfJob          *run,
                                             GimpLayer      *layer,
                                             const float     color[4],
                                             WfMarkFunc      func,
                                             gpointer        data,
                                             GError        **error);
void             wf_result_layer_set_pixels (WfJob          *run,
                                             GimpLayer      *layer,
                                             WfPixelFunc     func,
                                             gpointer        data);

GPtrArray *      wf_results_new             (void);
void             wf_results_insert          (WfJob          *run);
void             wf_results_delete          (WfJob          *run);
GObject       ** wf_results_list            (WfJob          *run);
void             wf_result_add_history      (WfJob          *run,
                                             const WfResult *result);

G_END_DECLS
