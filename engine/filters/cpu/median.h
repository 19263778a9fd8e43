/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The median on the CPU; engine/filters/median.c has its definition. */

#pragma once

#include "engine/core/tasks.h"

/**
 * WfMedianTile:
 * @image: the image
 * @at, @size: of the result's pixels, along x, y and z
 * @radius: of the window, along x, y and z
 * @target: type and size of @image
 *
 * A part of an image.
 */
typedef struct
{
  const WfImage *image;
  gint64         at[3];
  gint64         size[3];
  gint64         radius[3];
  WfImage       *target;
} WfMedianTile;

/* The row of the image under row @y of slice @z of the tile with its margin; beyond the image its
 * first and last rows and slices are repeated.
 */
static inline gpointer
wf_median_row_under (const WfMedianTile *tile,
                     gint64              y,
                     gint64              z)
{
  const WfImage *image = tile->image;

  y = CLAMP (tile->at[1] + y - tile->radius[1], 0, image->height - 1);
  z = CLAMP (tile->at[2] + z - tile->radius[2], 0, image->depth - 1);
  return wf_image_row (image, z * image->height + y);
}

/* The place of a type in tables: u8, u16, f32. */
static inline int
wf_median_type (WfType type)
{
  return type == WF_TYPE_U8 ? 0 : type == WF_TYPE_U16 ? 1 : 2;
}

/* @target: type and size of @image; must not overlap it
 * @nan: (nullable): set to TRUE if @image holds NaN; %NULL if it is known to hold none
 */
gboolean wf_cpu_median               (const WfImage       *image,
                                      gint64               radius,
                                      WfImage             *target,
                                      gboolean            *nan,
                                      WfRun               *run,
                                      double               share,
                                      GError             **error);
guint64  wf_cpu_median_memory        (const WfImage       *image,
                                      gint64               radius,
                                      guint                n_threads);

/* Of u16 and f32: median-levels.c. */
void     wf_median_tile_of_levels    (const WfMedianTile  *tile,
                                      gpointer             scratch);
gsize    wf_median_scratch_of_levels (const gint64        *padded,
                                      gint64               width);

/* By a network: median-by-network.c. */
gboolean wf_median_suits_network      (const WfImage      *image,
                                       gint64              radius);
gint64   wf_median_rows_of_network    (gint64              radius);
gsize    wf_median_scratch_of_network (const WfImage      *image,
                                       gint64              radius);
gsize    wf_median_memory_of_network  (gint64              radius);
void     wf_median_by_network         (const WfImage      *image,
                                       gint64              radius,
                                       gint64              y,
                                       WfImage            *target,
                                       gpointer            scratch);
gboolean wf_median_suits_pairs        (const WfImage      *image,
                                       gint64              radius);
void     wf_median_of_pair            (const WfImage      *image,
                                       gint64              y,
                                       WfImage            *target);
