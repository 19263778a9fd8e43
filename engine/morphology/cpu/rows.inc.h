/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over rows for one type of pixel and one direction.  The including file defines
 * WF_PIXEL, WF_NAME(), WF_EXCEEDS (a, b): whether a is more extreme than b, WF_NEUTRAL, which
 * exceeds nothing, WF_UNORDERED (a, b): whether a or b is NaN, WF_PLUS_ZERO (v), which makes −0 +0,
 * and of vectors (engine/cpu/vector.h) WF_VECTOR_EXTREME (a, b), WF_VECTOR_UNORDERED (a, b),
 * WF_VECTOR_PLUS_ZERO (v), WF_FROM_LEFT (before, v) and WF_FROM_RIGHT (v, after).
 *
 * Windows of lines use the algorithm of van Herk (1992) and of Gil and Werman (1993): the
 * lines are divided into blocks as long as the window; a window is the end of one block and
 * the beginning of the next, and the extremes of all ends and beginnings take one
 * comparison for each pixel.
 *
 * A disc is the union of its chords, from the longest to the shortest.  The rows of the
 * longest chord are gathered, the gathered pixels are widened by one pixel on either side,
 * the rows of the next shorter chords are added, and so on.  Every row is added once, and
 * widening is a window of three pixels.  (After Urbach and Wilkinson 2008, who look up the
 * extremes of all lengths of chord in a table; here each widening serves all rows gathered
 * before.)
 */

#define EXTREME(a, b) (WF_EXCEEDS (a, b) ? (a) : (b))


/*  Lines  */

static inline void
WF_NAME (fill) (WF_PIXEL *line,
                gint64    n)
{
  for (gint64 x = 0; x < n; x++)
    line[x] = WF_NEUTRAL;
}

static gboolean
WF_NAME (watch) (gconstpointer row,
                 gint64        n)
{
  const WF_PIXEL *pixels = row;
  int             nan    = 0;

  for (gint64 x = 0; x < n; x++)
    nan |= WF_UNORDERED (pixels[x], pixels[x]);
  return nan != 0;
}

/* Copies; zeros become +0. */
static inline void
WF_NAME (copy_finished) (WF_PIXEL *restrict       target,
                         const WF_PIXEL *restrict row,
                         gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    target[x] = WF_PLUS_ZERO (row[x]);
}

static void
WF_NAME (finish) (gpointer row,
                  gint64   n)
{
  WF_PIXEL *pixels = row;

  for (gint64 x = 0; x < n; x++)
    pixels[x] = WF_PLUS_ZERO (pixels[x]);
}

/* Equal infinities have no difference. */
static void
WF_NAME (differ) (gpointer      row,
                  gconstpointer other,
                  gint64        n)
{
  WF_PIXEL *restrict       pixels = row;
  const WF_PIXEL *restrict others = other;

  for (gint64 x = 0; x < n; x++)
    {
      const WF_PIXEL higher = pixels[x] > others[x] ? pixels[x] : others[x];
      const WF_PIXEL lower  = pixels[x] > others[x] ? others[x] : pixels[x];

      pixels[x] = (WF_PIXEL) (higher == lower ? 0 : higher - lower);
    }
}

static inline void
WF_NAME (join) (WF_PIXEL *restrict       line,
                const WF_PIXEL *restrict other,
                gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    line[x] = EXTREME (other[x], line[x]);
}

/* Sets @line to the extremes of four lines, zeros to +0. */
static inline void
WF_NAME (set_four) (WF_PIXEL *restrict       line,
                    const WF_PIXEL *restrict a,
                    const WF_PIXEL *restrict b,
                    const WF_PIXEL *restrict c,
                    const WF_PIXEL *restrict d,
                    gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL ab = EXTREME (a[x], b[x]);
      WF_PIXEL cd = EXTREME (c[x], d[x]);

      line[x] = WF_PLUS_ZERO (EXTREME (ab, cd));
    }
}

/* Adds @line to @reached; sets @target to the extreme of @reached and @kept.  Returns whether
 * @line holds NaN.
 */
static inline gboolean
WF_NAME (reach_line) (WF_PIXEL *restrict       reached,
                      const WF_PIXEL *restrict line,
                      const WF_PIXEL *restrict kept,
                      WF_PIXEL *restrict       target,
                      gint64                   n)
{
  int nan = 0;

  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL value = EXTREME (line[x], reached[x]);

      nan       |= WF_UNORDERED (line[x], line[x]);
      reached[x] = value;
      target[x]  = EXTREME (kept[x], value);
    }
  return nan != 0;
}

/* The same; also copies @line to @copy. */
static inline void
WF_NAME (reach_line_and_copy) (WF_PIXEL *restrict       reached,
                               const WF_PIXEL *restrict line,
                               const WF_PIXEL *restrict kept,
                               WF_PIXEL *restrict       target,
                               WF_PIXEL *restrict       copy,
                               gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL value = EXTREME (line[x], reached[x]);

      copy[x]    = line[x];
      reached[x] = value;
      target[x]  = EXTREME (kept[x], value);
    }
}

static inline const WF_PIXEL *
WF_NAME (source_line) (const WfSlide *slide,
                       gint64         line)
{
  return line < 0 || line >= slide->n_source
         ? NULL : (const WF_PIXEL *) slide->source + line * slide->source_step;
}

/* Extremes of the ends of the first block.  If the window is longer than the target, only
 * the ends with which a window begins are kept.
 */
static inline void
WF_NAME (keep_first_ends) (const WfSlide *slide,
                           WF_PIXEL      *kept)
{
  const gint64  n_kept  = MIN (slide->window, slide->n_target);
  const gint64  last    = MIN (slide->window - 1, slide->n_source - 1 + slide->offset);
  WF_PIXEL     *reached = slide->reached;

  WF_NAME (fill) (reached, slide->width);
  for (gint64 t = MAX (last, n_kept - 1); t >= 0; t--)
    {
      const WF_PIXEL *line = WF_NAME (source_line) (slide, t - slide->offset);

      if (line)
        WF_NAME (join) (reached, line, slide->width);
      if (t < n_kept)
        memcpy (kept + t * slide->width, reached, slide->width * sizeof (WF_PIXEL));
    }
}

static inline void
WF_NAME (keep_ends) (const WfSlide *slide,
                     WF_PIXEL      *lines)
{
  for (gint64 t = slide->window - 2; t >= 0; t--)
    WF_NAME (join) (lines + t * slide->width, lines + (t + 1) * slide->width, slide->width);
}

static inline void
WF_NAME (copy_line) (const WfSlide  *slide,
                     const WF_PIXEL *line,
                     WF_PIXEL       *target)
{
  if (line)
    memcpy (target, line, slide->width * sizeof (WF_PIXEL));
  else
    WF_NAME (fill) (target, slide->width);
}

/* Adds a line of the source to the window of a target line, which consists of the end of a
 * block in @kept and the lines reached after it.  @copy: (nullable): gets the line, for the
 * ends of the next block
 */
static inline void
WF_NAME (reach) (const WfSlide  *slide,
                 const WF_PIXEL *line,
                 const WF_PIXEL *kept,
                 WF_PIXEL       *target,
                 WF_PIXEL       *copy)
{
  const gint64  width   = slide->width;
  WF_PIXEL     *reached = slide->reached;

  if (line && copy)
    WF_NAME (reach_line_and_copy) (reached, line, kept, target, copy, width);
  else if (line)
    WF_NAME (reach_line) (reached, line, kept, target, width);
  else
    {
      if (copy)
        WF_NAME (fill) (copy, width);
      memcpy (target, kept, width * sizeof (WF_PIXEL));
      WF_NAME (join) (target, reached, width);
    }
}

/* The lines for the ends of the next block are copied before the target, which may be the
 * source, is written.
 */
static void
WF_NAME (slide) (const WfSlide *slide)
{
  const gint64  width = slide->width;
  WF_PIXEL     *kept  = slide->kept;
  WF_PIXEL     *next  = slide->next;

  WF_NAME (keep_first_ends) (slide, kept);
  for (gint64 start = 0; start < slide->n_target; start += slide->window)
    {
      const gint64   n      = MIN (slide->window, slide->n_target - start);
      const gint64   first  = start + slide->window - slide->offset;
      const gboolean more   = start + slide->window < slide->n_target;
      WF_PIXEL      *target = (WF_PIXEL *) slide->target + start * slide->target_step;
      WF_PIXEL      *swap   = kept;

      memcpy (target, kept, width * sizeof (WF_PIXEL));
      WF_NAME (fill) (slide->reached, width);
      for (gint64 t = 1; t < n; t++)
        WF_NAME (reach) (slide, WF_NAME (source_line) (slide, first + t - 1), kept + t * width,
                         target + t * slide->target_step, more ? next + (t - 1) * width : NULL);
      if (more)
        {
          WF_NAME (copy_line) (slide, WF_NAME (source_line) (slide, first + n - 1),
                               next + (n - 1) * width);
          WF_NAME (keep_ends) (slide, next);
        }
      kept = next;
      next = swap;
    }
}


/*  A few lines  */

/* Two results of the lines of one window and the next; the windows have @n_lines, a constant.
 * Returns whether a line in the middle holds NaN.
 */
static inline __attribute__ ((always_inline)) gboolean
WF_NAME (reach_few) (const WF_PIXEL *const *at,
                     const int              n_lines,
                     WF_PIXEL              *target,
                     WF_PIXEL              *next,
                     gint64                 n)
{
  const int middle = n_lines / 2;
  int       nan    = 0;

  WF_AHEAD_ONLY
  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL both = at[1][x];

      for (int i = 2; i < n_lines; i++)
        both = EXTREME (at[i][x], both);
      nan      |= WF_UNORDERED (at[middle][x], at[middle + 1][x]);
      target[x] = EXTREME (at[0][x], both);
      next[x]   = EXTREME (at[n_lines][x], both);
    }
  return nan != 0;
}

/* Beyond the first and the last line that line is repeated, which changes nothing.  A last result
 * without a next one is written twice.
 */
static gboolean
WF_NAME (few) (const WfFewLines *lines)
{
  const int       n_lines = 2 * (int) lines->radius + 1;
  gboolean        nan     = FALSE;
  const WF_PIXEL *at[WF_FEW_LINES + 1];

  for (gint64 t = 0; t < lines->n_target; t += 2)
    {
      const gboolean two    = t + 1 < lines->n_target;
      WF_PIXEL      *target = (WF_PIXEL *) lines->target + t * lines->target_step;
      WF_PIXEL      *next   = two ? target + lines->target_step : target;

      for (int i = 0; i <= n_lines; i++)
        at[i] = wf_line_within (lines->source, lines->first + t + i - lines->radius,
                                lines->n_source,
                                lines->source_step * (gint64) sizeof (WF_PIXEL));
      if (! two)
        at[n_lines] = at[0];
      if (n_lines == 3)
        nan |= WF_NAME (reach_few) (at, 3, target, next, lines->width);
      else if (n_lines == 5)
        nan |= WF_NAME (reach_few) (at, 5, target, next, lines->width);
      else if (n_lines == 7)
        nan |= WF_NAME (reach_few) (at, 7, target, next, lines->width);
      else
        {
          memcpy (target, at[0], lines->width * sizeof (WF_PIXEL));
          if (two)
            memcpy (next, at[1], lines->width * sizeof (WF_PIXEL));
          nan |= WF_NAME (watch) (at[0], lines->width) || WF_NAME (watch) (at[1], lines->width);
        }
    }
  return nan;
}


#include "row-windows.inc.h"


/*  Discs  */

/* Rows that are added at once, which costs less. */
#define WAITING 4

typedef struct
{
  const WfDisc   *disc;
  WF_PIXEL       *row;            /* gathered: from x0 - margin to x1 + margin */
  WF_PIXEL       *other;
  gint64          margin;
  const WF_PIXEL *waiting[WAITING];
  int             n_waiting;
} WF_NAME (Gathering);

static inline void
WF_NAME (join_four) (WF_PIXEL *restrict       line,
                     const WF_PIXEL *restrict a,
                     const WF_PIXEL *restrict b,
                     const WF_PIXEL *restrict c,
                     const WF_PIXEL *restrict d,
                     gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL ab  = EXTREME (a[x], b[x]);
      WF_PIXEL cd  = EXTREME (c[x], d[x]);
      WF_PIXEL all = EXTREME (ab, cd);

      line[x] = EXTREME (all, line[x]);
    }
}

static inline void
WF_NAME (join_two) (WF_PIXEL *restrict       line,
                    const WF_PIXEL *restrict a,
                    const WF_PIXEL *restrict b,
                    gint64                   n)
{
  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL both = EXTREME (a[x], b[x]);

      line[x] = EXTREME (both, line[x]);
    }
}

/* Vectors of the result that are in registers while one row after the other is added to them, and
 * their pixels.
 */
#define GATHERED 4
#define LANES    ((gint64) (WF_VECTOR_BYTES / sizeof (WF_PIXEL)))

static inline __attribute__ ((always_inline)) void
WF_NAME (gather_vectors) (const WF_PIXEL *const *rows,
                          gint64                 n_rows,
                          gint64                 x,
                          WF_PIXEL              *target)
{
  WfVector extremes[GATHERED];

  for (int i = 0; i < GATHERED; i++)
    extremes[i] = wf_load (rows[0] + x + i * LANES);
  for (gint64 k = 1; k < n_rows; k++)
    for (int i = 0; i < GATHERED; i++)
      extremes[i] = WF_VECTOR_EXTREME (wf_load (rows[k] + x + i * LANES), extremes[i]);
  for (int i = 0; i < GATHERED; i++)
    wf_store (target + x + i * LANES, WF_VECTOR_PLUS_ZERO (extremes[i]));
}

static void
WF_NAME (gather) (const WfGather *gather)
{
  const WF_PIXEL *const *rows   = (const WF_PIXEL *const *) gather->rows;
  WF_PIXEL              *target = gather->target;
  const gint64           last   = gather->n - GATHERED * LANES;

  for (gint64 x = 0; x < last; x += GATHERED * LANES)
    WF_NAME (gather_vectors) (rows, gather->n_rows, x, target);
  if (last >= 0)
    WF_NAME (gather_vectors) (rows, gather->n_rows, last, target);
  else
    for (gint64 x = 0; x < gather->n; x++)
      {
        WF_PIXEL value = rows[0][x];

        for (gint64 k = 1; k < gather->n_rows; k++)
          value = EXTREME (rows[k][x], value);
        target[x] = WF_PLUS_ZERO (value);
      }
}

#undef GATHERED
#undef LANES

static void
WF_NAME (join_line) (gpointer      line,
                     gconstpointer other,
                     gint64        n)
{
  WF_NAME (join) (line, other, n);
}

/* Adds the waiting rows, as far as they lie in the image. */
static void
WF_NAME (add_waiting) (WF_NAME (Gathering) *g)
{
  const gint64     x0      = g->disc->x0 - g->margin;
  const gint64     start   = MAX (x0, 0);
  const gint64     n       = MIN (g->disc->x1 + g->margin, g->disc->image->width) - start;
  WF_PIXEL        *line    = g->row + (start - x0);
  const WF_PIXEL **waiting = g->waiting;
  int              k       = 0;

  if (g->n_waiting == WAITING)
    {
      WF_NAME (join_four) (line, waiting[0] + start, waiting[1] + start, waiting[2] + start,
                           waiting[3] + start, n);
      k = WAITING;
    }
  for (; k + 1 < g->n_waiting; k += 2)
    WF_NAME (join_two) (line, waiting[k] + start, waiting[k + 1] + start, n);
  if (k < g->n_waiting)
    WF_NAME (join) (line, waiting[k] + start, n);
  g->n_waiting = 0;
}

static inline void
WF_NAME (wait) (WF_NAME (Gathering) *g,
                gint64               y,
                gint64               z)
{
  const WfImage *image = g->disc->image;

  if (y < 0 || y >= image->height || z < 0 || z >= image->depth)
    return;
  if (g->n_waiting == WAITING)
    WF_NAME (add_waiting) (g);
  g->waiting[g->n_waiting++] = (const WF_PIXEL *) image->data + wf_image_offset (image, 0, y, z);
}

/* Adds the rows at a distance of @dy and @dz, at most four, to the waiting ones. */
static inline void
WF_NAME (wait_around) (WF_NAME (Gathering) *g,
                       gint64               dy,
                       gint64               dz)
{
  const WfDisc *disc = g->disc;

  WF_NAME (wait) (g, disc->y - dy, disc->z - dz);
  if (dy > 0)
    WF_NAME (wait) (g, disc->y + dy, disc->z - dz);
  if (dz > 0)
    WF_NAME (wait) (g, disc->y - dy, disc->z + dz);
  if (dy > 0 && dz > 0)
    WF_NAME (wait) (g, disc->y + dy, disc->z + dz);
}

/* Widens the gathered pixels until the margin is @margin. */
static inline void
WF_NAME (widen) (WF_NAME (Gathering) *g,
                 gint64               margin)
{
  const WfDisc *disc   = g->disc;
  WF_PIXEL     *row    = g->row;
  WfWindow      window = {
    .n = disc->x1 - disc->x0 + 2 * margin, .window = 2 * (g->margin - margin) + 1,
    .row = row, .kept = disc->kept, .next = disc->next,
  };

  if (margin == g->margin)
    return;
  WF_NAME (add_waiting) (g);
  do
    window.target = g->other + window.to;
  while (WF_NAME (window) (&window));
  g->row    = g->other;
  g->other  = row;
  g->margin = margin;
}

/* Whether the disc is at least @half pixels wide on either side in the row at a distance of
 * @dy and @dz.
 */
static inline gboolean
WF_NAME (covers) (const WfDisc *disc,
                  gint64        half,
                  gint64        dy,
                  gint64        dz)
{
  return dy * dy + dz * dz <= disc->radius * disc->radius - half * half;
}

static void
WF_NAME (disc) (const WfDisc *disc)
{
  const WfImage       *image  = disc->image;
  const gint64         widest = MIN (disc->radius, image->width - 1);
  const gint64         most_y = MIN (disc->radius, MAX (disc->y, image->height - 1 - disc->y));
  const gint64         most_z = MIN (disc->radius, MAX (disc->z, image->depth - 1 - disc->z));
  gint64               open   = most_z + 1;     /* slices with rows to come */
  WF_NAME (Gathering)  g      = { disc, disc->row, disc->other, widest, { NULL }, 0 };

  WF_NAME (fill) (g.row, disc->x1 - disc->x0 + 2 * widest);
  for (gint64 dz = 0; dz <= most_z; dz++)
    disc->reach[dz] = -1;

  for (gint64 half = widest; half >= 0 && open > 0; half--)
    for (gint64 dz = 0; dz <= most_z; dz++)
      {
        if (! WF_NAME (covers) (disc, half, 0, dz))
          break;
        while (disc->reach[dz] < most_y &&
               WF_NAME (covers) (disc, half, disc->reach[dz] + 1, dz))
          {
            WF_NAME (widen) (&g, half);
            WF_NAME (wait_around) (&g, ++disc->reach[dz], dz);
            open -= disc->reach[dz] == most_y;
          }
      }
  WF_NAME (widen) (&g, 0);
  WF_NAME (add_waiting) (&g);
  WF_NAME (copy_finished) (disc->target, g.row, disc->x1 - disc->x0);
}

#undef WAITING


#include "extrema-rows.inc.h"
#include "line-blocks.inc.h"
#include "small-square.inc.h"

#undef EXTREME
#undef WF_PIXEL
#undef WF_NAME
#undef WF_EXCEEDS
#undef WF_NEUTRAL
#undef WF_UNORDERED
#undef WF_PLUS_ZERO
#undef WF_VECTOR_EXTREME
#undef WF_VECTOR_UNORDERED
#undef WF_VECTOR_PLUS_ZERO
#undef WF_FROM_LEFT
#undef WF_FROM_RIGHT
