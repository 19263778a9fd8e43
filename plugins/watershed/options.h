/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plugins/common/procedure/argument-note.h"

G_BEGIN_DECLS

typedef enum
{
  WF_OBJECTS_LIGHT,
  WF_OBJECTS_DARK
} WfObjectLevels;

typedef enum
{
  WF_VALLEYS_DARK,
  WF_VALLEYS_BRIGHT
} WfValleys;

typedef enum
{
  WF_MARKERS_MINIMA,
  WF_MARKERS_LAYER,
  WF_MARKERS_PATH,
  WF_MARKERS_GUIDES,
  WF_MARKERS_STROKES
} WfMarkersFrom;

/**
 * WfBasinOptions:
 *
 * The procedure's own options, as the table in options.c describes them.
 */
typedef struct
{
  gsize    size;
  int      input;
  int      valleys;
  int      objects;
  int      background;
  double   threshold;
  gboolean automatic_threshold;
  double   split_tolerance;
  int      markers;
  double   merge_value;
  gboolean lines_layer;
  double   line_opacity;
  gboolean basins_layer;
  gboolean mean_layer;
  gboolean label_image;
  gboolean select_basins;
  gboolean lines_path;
  gboolean outline_paths;
  gboolean numbers_layer;
} WfBasinOptions;

extern const WfOptionGroup  wf_basin_options_group;
extern const WfArgumentNote wf_basin_options_notes[];

gboolean wf_basin_options_get_relief (const WfBasinOptions      *own,
                                      const WfWatershedOptions  *options,
                                      const WfImage             *levels,
                                      const WfImage             *mask,
                                      WfReliefOptions           *relief,
                                      double                    *fraction,
                                      GError                   **error);
gboolean wf_basin_options_find_objects
                                     (const WfBasinOptions      *own);
const WfImage *
         wf_basin_options_get_mask   (const WfBasinOptions      *own,
                                      const WfImage             *mask,
                                      const WfImage             *objects);
WfType   wf_basin_options_get_unit   (const WfBasinOptions      *own,
                                      WfType                     type);
void     wf_basin_options_get_flood  (const WfBasinOptions      *own,
                                      const WfWatershedOptions  *options,
                                      WfType                     type,
                                      WfWatershedOptions        *flood);

G_END_DECLS
