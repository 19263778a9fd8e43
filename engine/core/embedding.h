/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image that is itself inside a mask and higher outside. */

#pragma once

#include "context-private.h"

/**
 * WfLevelRange:
 * @row: of a pixel that is not a number, inside or outside, or −1
 * @any: whether there is a pixel inside
 * @infinite: whether one of them is +infinity
 * @below: whether one of them is −infinity
 * @least, @most: of the finite levels inside
 */
typedef struct
{
  gint64   row;
  gboolean any;
  gboolean infinite;
  gboolean below;
  double   least;
  double   most;
} WfLevelRange;

/**
 * WfEmbedding:
 * @image: the levels
 * @mask: not 0 inside
 * @inside: u8, 1 inside, of wf_embedding_examine()
 * @range: likewise
 * @flooded: of wf_embedding_make(): @image inside, higher outside
 * @labels: u32, of wf_embedding_take_labels(): 0 outside
 *
 * The caller sets the first two.
 */
typedef struct
{
  const WfImage *image;
  const WfImage *mask;
  WfImage        inside;
  WfLevelRange   range;
  WfImage        flooded;
  WfImage        labels;
  /*< private >*/
  WfLevelRange  *ranges;
} WfEmbedding;

gboolean wf_embedding_check_mask      (const WfImage  *mask,
                                       const WfImage  *image,
                                       GError        **error);
gboolean wf_embedding_refuse_infinite (GError        **error);
gboolean wf_embedding_examine         (WfEmbedding    *embedding,
                                       WfContext      *context,
                                       GError        **error);
gboolean wf_embedding_take_labels     (WfEmbedding    *embedding,
                                       const WfImage  *labels,
                                       gboolean       *any,
                                       GError        **error);
gboolean wf_embedding_make            (WfEmbedding    *embedding,
                                       WfContext      *context,
                                       WfType          type,
                                       GError        **error);
void     wf_embedding_clear           (WfEmbedding    *embedding);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfEmbedding, wf_embedding_clear)
