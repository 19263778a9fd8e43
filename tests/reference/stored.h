/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Known results: computed by hand, or from the literature. */

#pragma once

#include "reference.h"

G_BEGIN_DECLS

#define STORED_MOST 100

typedef struct
{
  const char *name;
  RefSize     size;
  int         connectivity;
  gboolean    by_erosion;
  double      mask[STORED_MOST];
  double      marker[STORED_MOST];
  double      result[STORED_MOST];
} StoredReconstruction;

/**
 * StoredDistance:
 * @picture: '#' is foreground, '.' is background
 * @distance: the Euclidean one squared
 * @nearest: linear indices; -1: none, or outside
 */
typedef struct
{
  const char  *name;
  RefSize      size;
  RefDistance  options;
  const char  *picture;
  double       distance[STORED_MOST];
  gint64       nearest[STORED_MOST];
} StoredDistance;

typedef struct
{
  const char   *name;
  RefSize       size;
  RefWatershed  options;
  gboolean      marked;
  double        image[STORED_MOST];
  guint32       markers[STORED_MOST];
  guint32       labels[STORED_MOST];
  guint32       n_basins;
} StoredWatershed;

extern const StoredReconstruction stored_reconstructions[];
extern const guint                stored_n_reconstructions;
extern const StoredDistance       stored_distances[];
extern const guint                stored_n_distances;
extern const StoredWatershed      stored_watersheds[];
extern const guint                stored_n_watersheds;

/**
 * StoredBall:
 * @dimensions: 2 or 3
 * @n: points with whole coordinates within distance 0, 1, 2, … of the origin
 */
#define STORED_RADII 11

typedef struct
{
  const char *name;
  RefMetric   metric;
  int         dimensions;
  guint       n[STORED_RADII];
} StoredBall;

extern const StoredBall stored_balls[];
extern const guint      stored_n_balls;

G_END_DECLS
