/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfResult:
 * @layer: the layer, or for a stack the group
 * @layers: (element-type GimpLayer): a layer for each slice, the lowest first; @layer
 *   itself where there is only one slice
 * @source: what it was computed from
 */
typedef struct
{
  GimpLayer      *layer;
  GPtrArray      *layers;
  const WfSource *source;
} WfResult;

/**
 * WfRowFunc:
 * @row: which row, in the region; those of a stack are counted on from slice to slice
 * @levels: to be set: a level for each pixel
 * @data: as given
 *
 * Like the other functions that give what is written, it may be called in several threads
 * at once, for rows in any order.
 */
typedef void (* WfRowFunc) (int       row,
                            float    *levels,
                            gpointer  data);

/**
 * WfIndexFunc:
 * @row: which row, as above
 * @indices: to be set: a number for each pixel; those of one number have one colour
 * @data: as given
 */
typedef void (* WfIndexFunc) (int       row,
                              guint32  *indices,
                              gpointer  data);

/**
 * WfColorFunc:
 * @index: a number given by a #WfIndexFunc
 * @color: to be set: red, green, blue and alpha
 * @data: as given
 */
typedef void (* WfColorFunc) (guint32   index,
                              float     color[4],
                              gpointer  data);

/**
 * WfPixelFunc:
 * @row: which row, as above
 * @pixels: to be set, in the format that wf_pixels_get_format() gives for the layer
 * @data: as given
 */
typedef void (* WfPixelFunc) (int       row,
                              guint8   *pixels,
                              gpointer  data);

GimpLayer *      wf_result_layer_new        (WfRun          *run,
                                             const char     *name,
                                             gboolean        alpha);
const WfResult * wf_result_find             (WfRun          *run,
                                             GimpLayer      *layer);
void             wf_result_layer_set_image  (WfRun          *run,
                                             GimpLayer      *layer,
                                             const WfImage  *image);
void             wf_result_layer_set_marks  (WfRun          *run,
                                             GimpLayer      *layer,
                                             const WfImage  *marks);
void             wf_result_layer_set_levels (WfRun          *run,
                                             GimpLayer      *layer,
                                             WfRowFunc       func,
                                             gpointer        data);
void             wf_result_layer_set_colors (WfRun          *run,
                                             GimpLayer      *layer,
                                             WfIndexFunc     indices,
                                             WfColorFunc     color,
                                             const Babl     *encoding,
                                             gpointer        data);
void             wf_result_layer_set_pixels (WfRun          *run,
                                             GimpLayer      *layer,
                                             WfPixelFunc     func,
                                             gpointer        data);

GPtrArray *      wf_results_new             (void);
void             wf_results_insert          (WfRun          *run);
void             wf_results_delete          (WfRun          *run);
GObject       ** wf_results_list            (WfRun          *run);

G_END_DECLS
