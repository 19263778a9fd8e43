/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The three operations, written down as they are defined.
 *
 * What the engine computes is fixed by definitions.  Here each definition is
 * turned into the plainest program that follows it word by word, on doubles
 * (u8, u16 and f32 are exact in them), and nothing is shared with the engine.
 * The cost is up to the square of the number of pixels.
 *
 * quick.c and quick-distance.c hold other ways to the same results, fast enough
 * for images of ordinary size; test-reference.c checks them against the plain ones.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define REF_MAX_NEIGHBOURS 26
#define REF_NONE           G_MAXUINT64

typedef struct
{
  gint64 width;
  gint64 height;
  gint64 depth;
} RefSize;

gint64  ref_n_pixels   (const RefSize *size);
gint64  ref_index      (const RefSize *size,
                        gint64         x,
                        gint64         y,
                        gint64         z);
int     ref_neighbours (const RefSize *size,
                        int            connectivity,
                        gint64         index,
                        gint64        *neighbours);


/*  Reconstruction  */

void    ref_reconstruct       (const RefSize *size,
                               int            connectivity,
                               gboolean       by_erosion,
                               const double  *mask,
                               const double  *marker,
                               double        *out);
void    ref_reconstruct_quick (const RefSize *size,
                               int            connectivity,
                               gboolean       by_erosion,
                               const double  *mask,
                               const double  *marker,
                               double        *out);


/*  Distance  */

typedef enum
{
  REF_EUCLIDEAN_SQUARED,
  REF_CITY_BLOCK,
  REF_CHESSBOARD
} RefMetric;

/**
 * RefDistance:
 * @metric: how distance is measured; the Euclidean one is left squared
 * @spacing: size of a pixel along x, y and z
 * @margin: how far outside the image pixels count as background; 0: none does.
 *   The nearest of them all are within 1.
 */
typedef struct
{
  RefMetric metric;
  double    spacing[3];
  int       margin;
} RefDistance;

void    ref_distance          (const RefSize     *size,
                               const guint8      *foreground,
                               const RefDistance *options,
                               double            *distance,
                               guint64           *nearest);
void    ref_distance_quick    (const RefSize     *size,
                               const guint8      *foreground,
                               const RefDistance *options,
                               double            *distance,
                               guint64           *nearest);
void    ref_distance_at       (const RefSize     *size,
                               const guint8      *foreground,
                               const RefDistance *options,
                               gint64             index,
                               double            *distance,
                               guint64           *nearest);


/*  Watershed  */

/**
 * RefWatershed:
 * @connectivity: 4, 8, 6 or 26; 0 for 8 or 26
 * @tolerance: depth of the extended minima, without markers
 * @single: whether levels are floats, and a level plus @tolerance is rounded to one
 * @lines: whether pixels where basins meet get label 0
 * @last_index: whether the last of equal neighbours is the parent
 */
typedef struct
{
  int      connectivity;
  double   tolerance;
  gboolean single;
  gboolean lines;
  gboolean last_index;
} RefWatershed;

guint32 ref_minima            (const RefSize      *size,
                               int                 connectivity,
                               const double       *image,
                               guint32            *labels);
guint32 ref_watershed         (const RefSize      *size,
                               const double       *image,
                               const guint32      *markers,
                               const RefWatershed *options,
                               guint32            *labels);
guint32 ref_watershed_quick   (const RefSize      *size,
                               const double       *image,
                               const guint32      *markers,
                               const RefWatershed *options,
                               guint32            *labels);

double  ref_raise             (const RefWatershed *options,
                               double              level);
guint32 ref_count_labels      (const guint32      *labels,
                               gint64              n);

G_END_DECLS
