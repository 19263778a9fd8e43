/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The mask of imposed minima in bands, as a source (band-imposed.c). */

#pragma once

#include "engine/blocks/bands.h"

/**
 * WfBandImposed:
 * @source: reads whole rows (of a stack: whole slices) of the mask, and refuses NaN; it is read
 *   through this, so a #WfBandImposed stays where it was made
 */
typedef struct
{
  WfBlockSource         source;
  /*< private >*/
  const WfContext      *context;
  const WfBlockSource  *image;
  const WfBlockSource  *markers;
  WfBands               bands;      /* of the image; only its size and type count */
  WfImage               marked;     /* some rows, or slices, of the markers */
  gint64                at_once;    /* how many */
  gboolean              is_marked;  /* whether any marker was read */
} WfBandImposed;

gboolean wf_band_imposed_init   (WfBandImposed        *imposed,
                                 const WfContext      *context,
                                 const WfBlockSource  *image,
                                 const WfBlockSource  *markers,
                                 GError              **error);
void     wf_band_imposed_clear  (WfBandImposed        *imposed);
gboolean wf_band_imposed_check  (const WfBandImposed  *imposed,
                                 GError              **error);
guint64  wf_band_imposed_memory (const WfBandImposed  *imposed);
