/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Small random images under random masks, and plain references that walk over the pixels of a
 * mask only.
 */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

#define MOST_PIXELS 400

/**
 * Masked:
 * @n: the number of pixels
 * @inside: of the mask
 * @level: of each pixel
 * @neighbors: of each pixel of the mask, those in the mask
 * @n_neighbors: how many these are
 * @at_edge: whether a pixel of the mask lies at the image's border or beside one outside
 */
typedef struct
{
  WfContext *context;
  WfImage    mask;
  WfImage    levels;
  int        connectivity;
  int        width;
  int        height;
  int        depth;
  int        n;
  guint8    *inside;
  double     level[MOST_PIXELS];
  int        neighbors[MOST_PIXELS][26];
  int        n_neighbors[MOST_PIXELS];
  gboolean   at_edge[MOST_PIXELS];
} Masked;

typedef void (* MaskedFunc) (Masked *masked);

void masked_for_each    (guint       quick,
                         guint       all,
                         MaskedFunc  func);
void masked_scramble    (Masked     *masked);
int  masked_components  (const Masked *masked,
                         int          *component);
void masked_reconstruct (const Masked *masked,
                         const double *levels,
                         gboolean      dilation,
                         double       *marker);
int  masked_extrema     (const Masked *masked,
                         const double *levels,
                         gboolean      maxima,
                         int          *component);
void masked_read        (const WfImage *image,
                         double        *values);

G_END_DECLS
