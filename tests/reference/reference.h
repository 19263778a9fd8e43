/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reference implementations: the operations as they are defined.
 *
 * Each is the plainest program that follows the definition, on doubles, in which u8, u16
 * and f32 are exact.  It shares no code with the engine.  The time is up to the square of
 * the number of pixels.
 *
 * quick.c and tests/distance/reference-quick.c hold second implementations that are fast
 * enough for images of ordinary size; test-reference.c checks them against the plain ones.
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
void    ref_limit      (const gboolean *inside);
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


/*  What is built on reconstruction  */

/**
 * RefMorphology:
 * @connectivity: 4, 8, 6 or 26; 0 for 8 or 26
 * @highest: the greatest integer of the type, or 0: levels are floats
 * @height: of extrema
 * @disc: whether the structuring element is a disc or ball, not a square or cube
 * @radius: of it
 * @quick: whether to use the quick reconstruction and erosion
 */
typedef struct
{
  int      connectivity;
  double   highest;
  double   height;
  gboolean disc;
  gint64   radius;
  gboolean quick;
} RefMorphology;

void    ref_from_border       (const RefSize       *size,
                               const RefMorphology *options,
                               gboolean             by_erosion,
                               const double        *image,
                               double              *out);
void    ref_h_extrema         (const RefSize       *size,
                               const RefMorphology *options,
                               gboolean             minima,
                               const double        *image,
                               double              *out);
void    ref_difference        (const double        *a,
                               const double        *b,
                               gint64               n,
                               double              *out);
void    ref_regional_extrema  (const RefSize       *size,
                               int                  connectivity,
                               gboolean             minima,
                               const double        *image,
                               double              *out);
void    ref_erosion_quick     (const RefSize       *size,
                               const RefMorphology *options,
                               gboolean             dilation,
                               const double        *image,
                               double              *out);
void    ref_opening           (const RefSize       *size,
                               const RefMorphology *options,
                               gboolean             closing,
                               const double        *image,
                               double              *out);
void    ref_impose_minima     (const RefSize       *size,
                               const RefMorphology *options,
                               const double        *image,
                               const double        *marked,
                               double              *out);


/*  Filters  */

/**
 * RefFilter:
 * @highest: the greatest integer of the type, or 0: levels are floats
 * @sigma: of the Gaussian
 * @disc: whether the structuring element is a disc or ball, not a square or cube
 * @radius: of it
 * @line: whether it is a line, of erosions and dilations
 * @angle: of that, in degrees
 */
typedef struct
{
  double   highest;
  double   sigma;
  gboolean disc;
  gint64   radius;
  gboolean line;
  double   angle;
} RefFilter;

void    ref_gaussian          (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);
void    ref_gradient          (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);
void    ref_erosion           (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);
void    ref_dilation          (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);
void    ref_plain_opening     (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);
void    ref_plain_closing     (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);
void    ref_plain_white_top_hat
                              (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);
void    ref_plain_black_top_hat
                              (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);
void    ref_median            (const RefSize       *size,
                               const RefFilter     *options,
                               const double        *image,
                               double              *out);


/*  Thresholds  */

typedef enum
{
  REF_THRESHOLD_GLOBAL,
  REF_THRESHOLD_MEAN,
  REF_THRESHOLD_GAUSSIAN,
  REF_THRESHOLD_SAUVOLA
} RefThresholdMethod;

/**
 * RefThreshold:
 * @highest: level of integers; 0: the image has floats
 * @threshold: of %REF_THRESHOLD_GLOBAL; NaN: none
 * @range: of the standard deviation
 */
typedef struct
{
  double             highest;
  RefThresholdMethod method;
  double             threshold;
  gint64             radius;
  double             sigma;
  double             k;
  double             range;
  double             offset;
  gboolean           below;
} RefThreshold;

void    ref_threshold         (const RefSize       *size,
                               const RefThreshold  *options,
                               const double        *image,
                               double              *out);


/*  Openings by attributes  */

typedef enum
{
  REF_BY_AREA,
  REF_BY_HEIGHT,
  REF_BY_VOLUME
} RefAttributeKind;

/**
 * RefAttribute:
 * @least: of what stays
 * @most: if not 0, levels beyond ± this count as this in heights and volumes
 * @quick: whether components are found by the quick reference
 */
typedef struct
{
  RefAttributeKind kind;
  double           least;
  int              connectivity;
  double           most;
  gboolean         quick;
} RefAttribute;

void    ref_attribute_opening (const RefSize       *size,
                               const RefAttribute  *options,
                               const double        *image,
                               double              *out);
void    ref_attribute_closing (const RefSize       *size,
                               const RefAttribute  *options,
                               const double        *image,
                               double              *out);


/*  Distance  */

typedef enum
{
  REF_EUCLIDEAN_SQUARED,
  REF_CITY_BLOCK,
  REF_CHESSBOARD
} RefMetric;

/**
 * RefDistance:
 * @metric: the metric; Euclidean distances are squared
 * @spacing: size of a pixel along x, y and z
 * @margin: up to which distance pixels outside the image count as background; 0: none do.
 *   The nearest of them are within 1.
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
void    ref_distance_propagated
                              (const RefSize     *size,
                               int                connectivity,
                               const guint8      *foreground,
                               const RefDistance *options,
                               double            *distance,
                               guint64           *nearest);
void    ref_distance_sign     (const RefSize     *size,
                               const guint8      *foreground,
                               const double      *outside,
                               const guint64     *outside_nearest,
                               double            *distance,
                               guint64           *nearest);


/*  Geodesic distance  */

void    ref_geodesic          (const RefSize  *size,
                               int             metric,
                               double          threshold,
                               const double   *mask,
                               const gboolean *marked,
                               const guint32  *costs,
                               float          *out);


/*  Watershed  */

/**
 * RefWatershed:
 * @connectivity: 4, 8, 6 or 26; 0 for 8 or 26
 * @tolerance: depth of the extended minima, without markers
 * @single: whether levels are floats, and a level plus @tolerance is rounded to one
 * @lines: whether pixels where basins meet get label 0
 * @last_index: whether the last of equal neighbors is the parent
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

void    ref_compact_watershed (const RefSize      *size,
                               const double       *image,
                               const guint32      *markers,
                               int                 connectivity,
                               double              compactness,
                               guint32            *labels);

double  ref_raise             (const RefWatershed *options,
                               double              level);
guint32 ref_count_labels      (const guint32      *labels,
                               gint64              n);


/*  Connected components  */

guint32 ref_label             (const RefSize      *size,
                               int                 connectivity,
                               const guint8       *foreground,
                               guint32            *labels);
guint32 ref_label_quick       (const RefSize      *size,
                               int                 connectivity,
                               const guint8       *foreground,
                               guint32            *labels);


/*  The hierarchy of basins  */

typedef enum
{
  REF_DYNAMICS,
  REF_AREA,
  REF_VOLUME
} RefMeasure;

/**
 * RefHierarchy:
 * @connectivity: 4, 8, 6 or 26; 0 for 8 or 26
 * @n_basins: counted from 0 in the order of their labels
 * @n_parts: that remain after all merges that ref_limit() allows; the others are infinitely deep
 * @labels: of the basins
 * @from, @to: the basins that each merge joins, the least deep first; there is one merge
 *   less than there are basins
 * @depths: of the merges
 */
typedef struct
{
  RefSize  size;
  int      connectivity;
  guint32  n_basins;
  guint32  n_parts;
  guint32 *labels;
  guint32 *from;
  guint32 *to;
  double  *depths;
} RefHierarchy;

RefHierarchy * ref_hierarchy_new      (const RefSize      *size,
                                       int                 connectivity,
                                       RefMeasure          measure,
                                       const double       *image,
                                       const guint32      *labels);
void           ref_hierarchy_free     (RefHierarchy       *hierarchy);
guint32        ref_hierarchy_cut      (const RefHierarchy *hierarchy,
                                       guint32             n_merges,
                                       guint32            *regions);
void           ref_hierarchy_relabel  (const RefHierarchy *hierarchy,
                                       const guint32      *regions,
                                       const guint32      *labels,
                                       guint32            *out);
void           ref_hierarchy_saliency (const RefHierarchy *hierarchy,
                                       const guint32      *labels,
                                       double             *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RefHierarchy, ref_hierarchy_free)

G_END_DECLS
