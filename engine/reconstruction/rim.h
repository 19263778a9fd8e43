/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rims of a band (engine/blocks/bands.h): its first and its last row, or slice, where it
 * touches the bands beside it.
 *
 * Levels of rims are keys in the order in which reconstruction changes them: it raises keys by
 * dilation and by erosion alike.
 */

#pragma once

#include "engine/blocks/bands.h"
#include "engine/cpu/ordered-key.h"

/**
 * WfRim:
 * @width, @height: of the pixels at a seam: a row, or a slice of a stack
 * @type: of the pixels
 * @by: the direction of the reconstruction
 * @reach: how far beside itself a pixel touches others across the seam: 1 if the connectivity is 8
 *   or 26, else 0
 */
typedef struct
{
  gint64      width;
  gint64      height;
  WfType      type;
  WfDirection by;
  int         reach;
} WfRim;

/* A band has one at each side (#WfBandSide). */
#define WF_N_RIMS 2

static inline gint64
wf_rim_n_pixels (const WfRim *rim)
{
  return rim->width * rim->height;
}

/* The key of pixel @i of packed @pixels. */
static inline guint32
wf_rim_key (const WfRim   *rim,
            gconstpointer  pixels,
            gint64         i)
{
  const guint32 key = wf_level_key (pixels, i, rim->type);

  return rim->by == WF_BY_DILATION ? key : ~key;
}

WfRim wf_rim_of_image (const WfShape *shape,
                       WfType         type,
                       WfDirection    by,
                       int            connectivity);
void  wf_rim_read     (const WfRim   *rim,
                       const WfImage *band,
                       WfBandSide      side,
                       guint32       *keys);
void  wf_rim_write    (const WfRim   *rim,
                       WfImage       *band,
                       WfBandSide      side,
                       const guint32 *keys);
void  wf_rim_raise    (const WfRim   *rim,
                       WfImage       *band,
                       WfBandSide      side,
                       const guint32 *keys);
void  wf_rim_spread   (const WfRim   *rim,
                       const guint32 *keys,
                       guint32       *highest);
