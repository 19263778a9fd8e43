/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "run.h"

G_BEGIN_DECLS

/**
 * WfRowFunc:
 * @row: which row, in the region; those of a stack are counted on from slice to slice
 * @pixels: to be set: a level for each pixel, or red, green, blue and alpha
 * @data: as given
 */
typedef void (* WfRowFunc) (int       row,
                            float    *pixels,
                            gpointer  data);

GimpLayer *  wf_result_layer_new        (WfRun         *run,
                                         const char    *name,
                                         gboolean       alpha);
void         wf_result_layer_set_image  (WfRun         *run,
                                         GimpLayer     *layer,
                                         const WfImage *image);
void         wf_result_layer_set_marks  (WfRun         *run,
                                         GimpLayer     *layer,
                                         const WfImage *marks);
void         wf_result_layer_set_levels (WfRun         *run,
                                         GimpLayer     *layer,
                                         WfRowFunc      func,
                                         gpointer       data);
void         wf_result_layer_set_colors (WfRun         *run,
                                         GimpLayer     *layer,
                                         WfRowFunc      func,
                                         gpointer       data);

GPtrArray *  wf_results_new             (void);
void         wf_results_insert          (WfRun         *run);
void         wf_results_delete          (WfRun         *run);
GObject   ** wf_results_list            (WfRun         *run);

G_END_DECLS
