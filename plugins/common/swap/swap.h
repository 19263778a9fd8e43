/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfPart:
 * @row: its first row, counted through all slices
 * @n_rows: the number of rows
 * @first: its first pixel
 * @end: the pixel after its last one
 *
 * A part of an image without gaps between its rows: all of it, or in the swap a few rows.
 */
typedef struct
{
  gint64 row;
  gint64 n_rows;
  gint64 first;
  gint64 end;
} WfPart;

/* Pieces of an image that are remembered, and how large they are: what the system maps at once. */
#define WF_REACH_PIECES 256
#define WF_REACH_SHIFT  16

/**
 * WfReach:
 * @seen: for each piece that was touched last in its place, 1 + its number
 * @n: how many were touched
 *
 * What of one image was touched since memory was released; empty: all 0.
 */
typedef struct
{
  gsize seen[WF_REACH_PIECES];
  guint n;
} WfReach;

/* Visits an image part by part; what was touched before leaves the memory, if images are in the
 * swap.
 */
#define WF_FOR_PARTS(part, image) \
  for (WfPart part = wf_swap_first_part (image); part.n_rows > 0; wf_swap_next_part (&part, image))

void          wf_swap_begin      (guint64         limit,
                                  const char     *folder);
void          wf_swap_end        (void);
gboolean      wf_swap_is_on      (void);
guint64       wf_swap_get_resident
                                 (void);
guint64       wf_swap_get_memory (void);

gboolean      wf_swap_allocate   (WfImage        *image,
                                  WfType          type,
                                  gint64          width,
                                  gint64          height,
                                  gint64          depth,
                                  GError        **error);
void          wf_swap_clear      (WfImage        *image);
void          wf_swap_keep       (const WfImage  *image);
guint         wf_swap_count      (void);
void          wf_swap_clear_after
                                 (guint           n);
void          wf_swap_release    (void);
void          wf_swap_reach      (WfReach        *reach,
                                  gsize           offset);
void          wf_swap_reach_end  (WfReach        *reach);

WfPart        wf_swap_first_part (const WfImage  *image);
void          wf_swap_next_part  (WfPart         *part,
                                  const WfImage  *image);
WfImage       wf_swap_view       (const WfImage  *image,
                                  const WfPart   *part);

WfBlockSource wf_swap_source     (const WfImage  *image);
WfBlockSink   wf_swap_sink       (WfImage        *image);

G_END_DECLS
