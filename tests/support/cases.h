/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Random cases of each operation, compared bit for bit with the references.
 *
 * A case that differs fails the running test with a message that describes it completely,
 * and ends the run of cases.
 */

#pragma once

#include "configurations.h"
#include "random-image.h"
#include "wavefront.h"

G_BEGIN_DECLS

void run_reconstruction_cases (const Configurations *configurations,
                               guint                 n_cases);

/**
 * DistanceCases:
 * @metric: a #WfMetric, or -1: any
 * @algorithm: a name, or %NULL: any that supports the metric
 * @spacings: whether pixels may have sides other than 1, and which
 * @distance_alone: never request the nearest pixels
 * @never_signed: make no signed maps
 * @may_be_unsupported: accept that the device supports not all cases
 */
typedef enum
{
  SPACINGS_WHOLE,
  SPACINGS_ANY,
  SPACINGS_EXTREME
} Spacings;

typedef struct
{
  int         metric;
  const char *algorithm;
  Spacings    spacings;
  gboolean    distance_alone;
  gboolean    never_signed;
  gboolean    may_be_unsupported;
} DistanceCases;

void run_distance_cases       (const Configurations *configurations,
                               const DistanceCases  *cases,
                               guint                 n_cases);
void run_geodesic_cases       (const Configurations *configurations,
                               guint                 n_cases);
void run_watershed_cases      (const Configurations *configurations,
                               guint                 n_cases);
void run_masked_watershed_cases (const Configurations *configurations,
                               guint                 n_cases);
void run_hierarchy_cases      (const Configurations *configurations,
                               guint                 n_cases);
void run_masked_hierarchy_cases (const Configurations *configurations,
                               guint                 n_cases);
void run_label_cases          (const Configurations *configurations,
                               guint                 n_cases);
void run_morphology_cases     (const Configurations *configurations,
                               WfOperation           operation,
                               guint                 n_cases);
void run_filter_cases         (const Configurations *configurations,
                               WfOperation           operation,
                               guint                 n_cases);
void run_threshold_cases      (const Configurations *configurations,
                               guint                 n_cases);
/* @two_levels: of images that have no more levels, but for some with a third one at the end */
void run_attribute_cases      (const Configurations *configurations,
                               WfOperation           operation,
                               gboolean              two_levels,
                               guint                 n_cases);

void   random_threshold_options
                              (const RefSize        *size,
                               const Palette        *palette,
                               gboolean              large,
                               WfThresholdOptions   *options);
double random_sigma           (gboolean              large);
void   random_spacing         (Spacings              spacings,
                               double               *spacing);

G_END_DECLS
