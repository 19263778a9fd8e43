/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over the pixels of basins.  They are whole numbers, so they are exact and do not depend on
 * the order in which pixels, rows and bands are added: coordinates in 128 bits, levels of integers
 * in 64 (for up to 2^47 pixels), and those of f32 in one fixed-point number that is wide enough
 * (engine/cpu/exact.h).  Of levels that are no finite numbers it is counted how many
 * there are.  Each sum is rounded once, to a double.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/cpu/exact.h"
#include "survey.h"

/* Pixels or basins between two checks for cancellation: at most some ten milliseconds, also
 * where each pixel is a basin whose label has to be searched for.
 */
#define WORTH_A_LOOK (1 << 16)

/* Cells of f32: the exact sum of the finite levels, then how many are not. */
#define BELOW       WF_EXACT_LIMBS          /* −infinity */
#define ABOVE       (WF_EXACT_LIMBS + 1)    /* infinity */
#define NO_NUMBER   (WF_EXACT_LIMBS + 2)
#define FLOAT_CELLS (WF_EXACT_LIMBS + 3)

/* Carries are propagated when this many floats have been added: there is room for more. */
#define CARRY_BITS 20


static int
count_cells (WfType type)
{
  return type == WF_TYPE_F32 ? FLOAT_CELLS : 1;
}

/* The number of @cells of all basins. */
gsize
wf_basin_survey_cells (const WfBasinSurvey *survey)
{
  return (gsize) survey->n * count_cells (survey->type);
}

/* Bytes for a basin. */
guint64
wf_basin_survey_memory (WfType type)
{
  return sizeof (WfBasinSums) + count_cells (type) * sizeof (gint64);
}

/* Counts pixels or basins that were looked at.  Returns %FALSE with @error set once it is
 * cancelled.
 */
gboolean
wf_basin_survey_advance (WfBasinSurvey  *survey,
                         gint64          amount,
                         GError        **error)
{
  survey->unseen += amount;
  if (survey->unseen < WORTH_A_LOOK)
    return TRUE;
  survey->unseen = 0;
  return ! g_cancellable_is_cancelled (survey->cancellable) || wf_run_set_cancelled (error);
}

/* @cancellable: (nullable): stays the caller's */
gboolean
wf_basin_survey_init (WfBasinSurvey  *survey,
                      guint32         n,
                      WfType          type,
                      GCancellable   *cancellable,
                      GError        **error)
{
  *survey = (WfBasinSurvey) { .n = n, .type = type, .cancellable = cancellable };
  survey->sums  = wf_allocate (n, sizeof (WfBasinSums), error);
  survey->cells = survey->sums ? wf_allocate (wf_basin_survey_cells (survey), sizeof (gint64),
                                              error)
                               : NULL;
  if (! survey->cells)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      survey->sums[i] = (WfBasinSums) { .minimum = INFINITY, .maximum = -INFINITY };
      for (int k = 0; k < 3; k++)
        {
          survey->sums[i].first[k] = G_MAXINT64;
          survey->sums[i].last[k]  = -1;
        }
      if (! wf_basin_survey_advance (survey, 1, error))
        return FALSE;
    }
  memset (survey->cells, 0, wf_basin_survey_cells (survey) * sizeof (gint64));
  return TRUE;
}

void
wf_basin_survey_clear (WfBasinSurvey *survey)
{
  g_free (survey->sums);
  g_free (survey->cells);
  *survey = (WfBasinSurvey) { 0 };
}


/*  Pixels  */

/* No run holds more than 2³⁰ pixels of 16 bits. */
#define ADD_WHOLE(Type) \
  { \
    const Type *at    = (const Type *) row + x; \
    Type        least = at[0]; \
    Type        most  = at[0]; \
    guint64     sum   = 0; \
\
    for (gint64 i = 0; i < n; i++) \
      { \
        least = MIN (least, at[i]); \
        most  = MAX (most, at[i]); \
        sum  += at[i]; \
      } \
    cells[0]     += (gint64) sum; \
    sums->minimum = MIN (sums->minimum, least); \
    sums->maximum = MAX (sums->maximum, most); \
  }

static void
add_float (gint64 *cells,
           float   level)
{
  if (isfinite (level))
    wf_exact_add (cells, level);
  else
    cells[isnan (level) ? NO_NUMBER : level > 0 ? ABOVE : BELOW]++;
}

/* @area: with the new pixels */
static void
add_floats (WfBasinSums *sums,
            gint64      *cells,
            const float *at,
            gint64       n)
{
  for (gint64 i = 0; i < n; i++)
    {
      add_float (cells, at[i]);
      if (at[i] < sums->minimum)
        sums->minimum = at[i];
      if (at[i] > sums->maximum)
        sums->maximum = at[i];
    }
  if (sums->area >> CARRY_BITS != (sums->area - n) >> CARRY_BITS)
    wf_exact_carry (cells);
}

static void
add_run (WfBasinSurvey *survey,
         guint32        basin,
         gconstpointer  row,
         gint64         x,
         gint64         n,
         gint64         y,
         gint64         z)
{
  const gint64  from[3] = { x, y, z };
  const gint64  to[3]   = { x + n - 1, y, z };
  WfBasinSums  *sums    = &survey->sums[basin];
  gint64       *cells   = survey->cells + (gsize) basin * count_cells (survey->type);

  sums->area += n;
  for (int i = 0; i < 3; i++)
    {
      sums->twice[i] += (unsigned __int128) n * (guint64) (from[i] + to[i]);
      sums->first[i]  = MIN (sums->first[i], from[i]);
      sums->last[i]   = MAX (sums->last[i], to[i]);
    }
  switch (survey->type)
    {
    case WF_TYPE_U8:
      ADD_WHOLE (guint8)
      break;
    case WF_TYPE_U16:
      ADD_WHOLE (guint16)
      break;
    default:
      add_floats (sums, cells, (const float *) row + x, n);
      break;
    }
}

/* A run of one label is added in parts that are worth a look. */
static gboolean
add_row (WfBasinSurvey      *survey,
         const WfBasinTree  *tree,
         gconstpointer       levels,
         const guint32      *labels,
         gint64              width,
         gint64              y,
         gint64              z,
         GError            **error)
{
  gint64 after;

  for (gint64 x = 0; x < width; x = after)
    {
      const gint64 most = MIN (width, x + WORTH_A_LOOK);

      after = x + 1;
      while (after < most && labels[after] == labels[x])
        after++;
      if (labels[x] != 0)
        add_run (survey, wf_basin_tree_find (tree, labels[x]) - 1, levels, x, after - x, y, z);
      if (! wf_basin_survey_advance (survey, after - x, error))
        return FALSE;
    }
  return TRUE;
}

/* Adds the pixels of an image whose labels are those of @tree.  @first_row, @first_slice: where its
 * first pixel is
 */
gboolean
wf_basin_survey_add (WfBasinSurvey      *survey,
                     const WfBasinTree  *tree,
                     const WfImage      *image,
                     const WfImage      *labels,
                     gint64              first_row,
                     gint64              first_slice,
                     GError            **error)
{
  const gint64 n_rows = labels->height * labels->depth;

  for (gint64 row = 0; row < n_rows; row++)
    if (! add_row (survey, tree, wf_image_row (image, row), wf_image_row (labels, row),
                   labels->width, first_row + row % labels->height,
                   first_slice + row / labels->height, error))
      return FALSE;
  return TRUE;
}

/* Sets a basin without pixels to what a scan has found out about a region.  @with_sums: whether
 * that has the sum of the levels
 */
void
wf_basin_survey_take (WfBasinSurvey      *survey,
                      guint32             basin,
                      const WfRegionSums *sums,
                      const WfLevelSums  *levels,
                      gboolean            with_sums)
{
  WfBasinSums *to    = &survey->sums[basin];
  gint64      *cells = survey->cells + (gsize) basin * count_cells (survey->type);

  to->area    = sums->area;
  to->minimum = levels->least;
  to->maximum = levels->greatest;
  for (int i = 0; i < 3; i++)
    {
      to->twice[i] = 2 * (unsigned __int128) sums->coordinates[i];
      to->first[i] = sums->first[i];
      to->last[i]  = sums->last[i];
    }
  if (! with_sums)
    return;
  if (survey->type != WF_TYPE_F32)
    {
      cells[0] = (gint64) levels->sum;
      return;
    }
  memcpy (cells, levels->limbs, WF_EXACT_LIMBS * sizeof *cells);
  wf_exact_carry (cells);
  cells[BELOW]     = levels->infinities[0];
  cells[ABOVE]     = levels->infinities[1];
  cells[NO_NUMBER] = levels->n_nan;
}

/* Adds what @other has of the basin @from, which is the basin @to here. */
void
wf_basin_survey_move (WfBasinSurvey       *survey,
                      guint32              to,
                      const WfBasinSurvey *other,
                      guint32              from)
{
  const int          n     = count_cells (survey->type);
  WfBasinSums       *sums  = &survey->sums[to];
  gint64            *cells = survey->cells + (gsize) to * n;
  const WfBasinSums *more  = &other->sums[from];

  sums->area   += more->area;
  sums->minimum = MIN (sums->minimum, more->minimum);
  sums->maximum = MAX (sums->maximum, more->maximum);
  for (int i = 0; i < 3; i++)
    {
      sums->twice[i] += more->twice[i];
      sums->first[i]  = MIN (sums->first[i], more->first[i]);
      sums->last[i]   = MAX (sums->last[i], more->last[i]);
    }
  for (int i = 0; i < n; i++)
    cells[i] += other->cells[(gsize) from * n + i];
  if (n == FLOAT_CELLS)
    wf_exact_carry (cells);
}


/*  Results  */

static double
sum_levels (WfType        type,
            const gint64 *cells)
{
  if (type != WF_TYPE_F32)
    return (double) cells[0];
  if (cells[NO_NUMBER] > 0 || (cells[BELOW] > 0 && cells[ABOVE] > 0))
    return NAN;
  if (cells[BELOW] > 0)
    return -INFINITY;
  return cells[ABOVE] > 0 ? INFINITY : wf_exact_sum (cells);
}

/* Zeros are not negative. */
static double
clean_level (WfType        type,
             const gint64 *cells,
             double        level)
{
  return type == WF_TYPE_F32 && cells[NO_NUMBER] > 0 ? NAN : level + 0.0;
}

/* Sets all of @result but the label and the depth. */
void
wf_basin_survey_finish (const WfBasinSurvey *survey,
                        guint32              basin,
                        WfBasin             *result)
{
  const WfBasinSums *sums  = &survey->sums[basin];
  const gint64      *cells = survey->cells + (gsize) basin * count_cells (survey->type);

  result->area    = sums->area;
  result->minimum = clean_level (survey->type, cells, sums->minimum);
  result->mean    = sum_levels (survey->type, cells) / (double) sums->area;
  result->maximum = clean_level (survey->type, cells, sums->maximum);
  for (int i = 0; i < 3; i++)
    {
      result->centroid[i] = (double) sums->twice[i] / 2 / (double) sums->area;
      result->first[i]    = sums->first[i];
      result->last[i]     = sums->last[i];
    }
}
