/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Random label images with levels and options, and tables of them. */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

typedef struct
{
  WfImage         labels;
  WfImage         image;
  WfRegionOptions options;
  gboolean        with_image;
} RegionCase;

/* How random labels are laid out. */
typedef enum
{
  LAYOUT_NOISE,
  LAYOUT_BLOBS,
  LAYOUT_LINES,
  LAYOUT_WHOLE,
  LAYOUT_POINTS,
  LAYOUT_ALL_DIFFERENT,
  N_LAYOUTS
} RegionLayout;


void       region_case_clear (RegionCase *c);
void       region_case_make_levels (RegionCase *c);
void       region_case_make (RegionCase  *c,
                             RegionLayout layout,
                             gboolean     stack);
WfRegions *region_case_measure (const RegionCase *c,
                                guint64           measures,
                                int               threads);
void       regions_assert_same (const WfRegions *a,
                                const WfRegions *b);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RegionCase, region_case_clear)

G_END_DECLS
