/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures of a region by their definitions, over all pixels of an image. */

#pragma once

#include "wavefront.h"

/**
 * RefRegion:
 *
 * The values of one region, named as the columns of a table; places and boxes are arrays.
 */
typedef struct
{
  double  area;
  double  pixels;
  double  first[3];
  double  size[3];
  double  centroid[3];
  double  equivalent_diameter;
  double  perimeter;
  double  circularity;
  double  convex_area;
  double  solidity;
  double  feret_max;
  double  feret_min;
  double  ellipse_major;
  double  ellipse_minor;
  double  eccentricity;
  double  orientation;
  double  extent;
  double  euler_number;
  double  neighbors;
  double  touches_border;
  double  circle[2];
  double  circle_radius;
  double  mean;
  double  minimum;
  double  maximum;
  double  standard_deviation;
  double  median;
  double  sum;
  double  weighted_centroid[3];
} RefRegion;

/* Measures @label; @image may be NULL. */
void   ref_region        (const WfImage         *labels,
                          const WfImage         *image,
                          guint32                label,
                          const WfRegionOptions *options,
                          RefRegion             *region);

/* The extent of the region's pixels, as boxes, along the direction of @degrees. */
double ref_region_width  (const WfImage         *labels,
                          guint32                label,
                          const double          *spacing,
                          double                 degrees);
