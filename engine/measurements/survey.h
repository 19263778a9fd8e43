/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is summed over the pixels of each basin, exactly: so the sums of the bands of an image, in
 * any order, are those of the whole.
 */

#pragma once

#include "engine/hierarchy/hierarchy.h"
#include "region-scan.h"

/**
 * WfBasinSums:
 * @twice: the sums of the coordinates of its pixels, times two
 * @first, @last: least and greatest coordinates
 * @minimum, @maximum: of its levels that are numbers
 *
 * Of no pixels to begin with.
 */
typedef struct
{
  guint64           area;
  unsigned __int128 twice[3];
  gint64            first[3];
  gint64            last[3];
  double            minimum;
  double            maximum;
} WfBasinSums;

/**
 * WfBasinSurvey:
 * @n: basins
 * @type: of the levels
 * @sums: for each basin; %NULL where nothing is surveyed
 * @cells: for each basin the sum of its levels (survey.c)
 */
typedef struct
{
  guint32       n;
  WfType        type;
  WfBasinSums  *sums;
  gint64       *cells;
  /*< private >*/
  GCancellable *cancellable;
  gint64        unseen;     /* pixels and basins since the last check for cancellation */
} WfBasinSurvey;

gboolean wf_basin_survey_init    (WfBasinSurvey      *survey,
                                  guint32             n,
                                  WfType              type,
                                  GCancellable       *cancellable,
                                  GError            **error);
void     wf_basin_survey_clear   (WfBasinSurvey      *survey);
guint64  wf_basin_survey_memory  (WfType              type);
gsize    wf_basin_survey_cells   (const WfBasinSurvey *survey);
gboolean wf_basin_survey_advance (WfBasinSurvey      *survey,
                                  gint64              amount,
                                  GError            **error);
gboolean wf_basin_survey_add     (WfBasinSurvey      *survey,
                                  const WfBasinTree  *tree,
                                  const WfImage      *image,
                                  const WfImage      *labels,
                                  gint64              first_row,
                                  gint64              first_slice,
                                  GError            **error);
void     wf_basin_survey_take    (WfBasinSurvey      *survey,
                                  guint32             basin,
                                  const WfRegionSums *sums,
                                  const WfLevelSums  *levels,
                                  gboolean            with_sums);
void     wf_basin_survey_move    (WfBasinSurvey       *survey,
                                  guint32              to,
                                  const WfBasinSurvey *other,
                                  guint32              from);
void     wf_basin_survey_finish  (const WfBasinSurvey *survey,
                                  guint32              basin,
                                  WfBasin             *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfBasinSurvey, wf_basin_survey_clear)
