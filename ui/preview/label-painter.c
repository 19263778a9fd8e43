/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paints basins over an image: tints, the lines between them, and one highlight.
 *
 * The labels stay unchanged.  For each row of them the representatives are looked up in the
 * map of merged basins, so that another map needs no computation.  These rows are scaled to
 * the view, together with the row below, which is needed for lines; then they are compared
 * and mixed with the picture underneath.  All loops go along a row.  Threads take bands of
 * rows, and in a band a row of labels is looked up once.
 *
 * Lines are painted where a layer with the lines has them (see axis.c for enlarged
 * labels): on the pixels with label 0 if the watershed made lines, else on pixels whose
 * right, lower or, for 8 neighbours, lower right neighbour belongs to another basin.  In
 * reduced labels a line can fall between two pixels of the view; so there basins that meet
 * have a line as well.
 *
 * Basins that are left out have one representative of their own: they are hatched by pairs of a
 * dark and a light diagonal, of which one is seen on any picture.
 *
 * What is outside the result's mask is not painted, and nothing is painted beside it.
 */

#include "config.h"

#include <string.h>

#include "painter.h"
#include "pixels.h"
#include "preview.h"

/* Of the hatch, in pixels of the widget: the distance of its lines, and their share of a pixel. */
#define HATCH_PERIOD  8
#define HATCH_OPACITY 0.45

/* Rows of the view that a thread takes at once. */
#define BAND 24

/* The representative of pixels outside the mask. */
#define OUTSIDE G_MAXUINT32

typedef enum
{
  LINES_NONE,
  LINES_ON_ZERO,
  LINES_ON_ZERO_OR_MEETING,
  LINES_ON_BOUNDARIES,
  LINES_ON_BOUNDARIES_AND_CORNERS
} Lines;

typedef struct
{
  const WfPreviewResult *result;
  const guint32         *map;
  const WfPreviewStyle  *style;
  const WfPreviewAxis   *columns;
  const WfPreviewAxis   *rows;
  cairo_surface_t       *surface;
  cairo_surface_t       *under;
  Lines                  lines;
  guint32                line_share;
  guint32                basin_share;
  guint32                highlight_share;
  gboolean               hatched;
} Painting;

/**
 * Band:
 * @rows: representatives of two rows of labels, each with one more at the end
 * @row: the numbers of these rows
 * @here: along the view: of the pixel itself
 * @right: likewise, of the pixel across, to the right or left
 * @below: likewise, of the pixel across, below or above
 * @corner: likewise, across both
 * @marks: likewise: all bits set on a line
 * @shown: the rows of labels that the last five were made from
 * @stretched: memory for four rows of the view, unless it is one to one
 */
typedef struct
{
  guint32       *rows[2];
  int            row[2];
  const guint32 *here;
  const guint32 *right;
  const guint32 *below;
  const guint32 *corner;
  guint32       *marks;
  int            shown[2];
  guint32       *stretched;
} Band;


static void
band_init (Band           *band,
           const Painting *painting)
{
  const int n     = painting->columns->end - painting->columns->first;
  const int width = painting->result->region.width;

  *band           = (Band) { 0 };
  band->rows[0]   = g_new (guint32, 2 * ((gsize) width + 1));
  band->rows[1]   = band->rows[0] + width + 1;
  band->marks     = g_new (guint32, n);
  band->stretched = g_new (guint32, 4 * (gsize) n);
  band->row[0]    = band->row[1] = band->shown[0] = band->shown[1] = -1;
}

static void
band_clear (Band *band)
{
  g_free (band->rows[0]);
  g_free (band->marks);
  g_free (band->stretched);
}


/*  Representatives  */

static void
leave_out (const WfImage *mask,
           int            row,
           guint32       *representatives)
{
  const guint8 *inside = (const guint8 *) mask->data + (gsize) row * mask->row_stride;

  for (gint64 x = 0; x < mask->width; x++)
    representatives[x] = inside[x] ? representatives[x] : OUTSIDE;
}

static void
look_up (const Painting *painting,
         int             row,
         guint32        *representatives)
{
  const WfPreviewResult *result = painting->result;
  const guint32         *labels = (const guint32 *) result->image.data +
                                  (gsize) row * result->image.row_stride;
  const guint32         *map    = painting->map;
  const guint32          last   = result->n_labels;
  const int              width  = result->region.width;

  if (map)
    {
      for (int x = 0; x < width; x++)
        representatives[x] = map[MIN (labels[x], last)];
      if (result->label_lines)
        wf_label_lines_join (result->label_lines, row, map, representatives);
    }
  else
    {
      for (int x = 0; x < width; x++)
        representatives[x] = MIN (labels[x], last);
    }
  if (result->mask.data)
    leave_out (&result->mask, row, representatives);
  if (painting->hatched && result->label_lines)
    wf_label_lines_trim (result->label_lines, &result->image, row, map, WF_PREVIEW_LEFT_OUT,
                         representatives);
  representatives[width] = representatives[width - 1];
}

/* The representatives of a row; those of the row @kept are not overwritten. */
static const guint32 *
get_row (Band           *band,
         const Painting *painting,
         int             row,
         int             kept)
{
  int slot;

  for (slot = 0; slot < 2; slot++)
    if (band->row[slot] == row)
      return band->rows[slot];

  slot = band->row[0] == kept ? 1 : 0;
  look_up (painting, row, band->rows[slot]);
  band->row[slot] = row;
  return band->rows[slot];
}

static const guint32 *
stretch (const guint32 *row,
         const int     *index,
         int            n,
         guint32       *out)
{
  for (int i = 0; i < n; i++)
    out[i] = row[index[i]];
  return out;
}

/* Scales a row of labels and the one across to the view. */
static void
lay_along (Band           *band,
           const Painting *painting,
           const guint32  *row,
           const guint32  *below)
{
  const WfPreviewAxis *columns = painting->columns;
  const int            n       = columns->end - columns->first;

  if (wf_preview_axis_is_one_to_one (columns))
    {
      band->here   = row   + columns->here[0];
      band->below  = below + columns->here[0];
      band->right  = band->here + 1;
      band->corner = band->below + 1;
      return;
    }
  band->here   = stretch (row, columns->here, n, band->stretched);
  band->right  = stretch (row, columns->across, n, band->stretched + n);
  band->below  = stretch (below, columns->here, n, band->stretched + 2 * (gsize) n);
  band->corner = stretch (below, columns->across, n, band->stretched + 3 * (gsize) n);
}


/*  Lines  */

/* Whether a line runs between a pixel and the one across: what is left out is background. */
static inline gboolean
differ (guint32 here,
        guint32 across)
{
  const gboolean both_empty = ((here == 0) | (here == WF_PREVIEW_LEFT_OUT)) &
                              ((across == 0) | (across == WF_PREVIEW_LEFT_OUT));

  return (here != across) & (here != OUTSIDE) & (across != OUTSIDE) & ! both_empty;
}

static void
mark_row (const Band *band,
          Lines       lines,
          int         n)
{
  const guint32 *restrict here   = band->here;
  const guint32 *restrict right  = band->right;
  const guint32 *restrict below  = band->below;
  const guint32 *restrict corner = band->corner;
  guint32       *restrict marks  = band->marks;

  switch (lines)
    {
    case LINES_NONE:
      break;
    case LINES_ON_ZERO:
#pragma omp simd
      for (int i = 0; i < n; i++)
        marks[i] = -(guint32) (here[i] == 0);
      break;
    case LINES_ON_ZERO_OR_MEETING:
#pragma omp simd
      for (int i = 0; i < n; i++)
        marks[i] = -(guint32) ((here[i] == 0) |
                               (differ (here[i], right[i]) & (right[i] != 0)) |
                               (differ (here[i], below[i]) & (below[i] != 0)));
      break;
    case LINES_ON_BOUNDARIES:
#pragma omp simd
      for (int i = 0; i < n; i++)
        marks[i] = -(guint32) (differ (here[i], right[i]) | differ (here[i], below[i]));
      break;
    case LINES_ON_BOUNDARIES_AND_CORNERS:
#pragma omp simd
      for (int i = 0; i < n; i++)
        marks[i] = -(guint32) (differ (here[i], right[i]) | differ (here[i], below[i]) |
                               differ (here[i], corner[i]));
      break;
    }
}

static Lines
choose_lines (const WfPreviewResult *result,
              const WfPreviewStyle  *style,
              const WfPreviewAxis   *columns)
{
  const gboolean same = wf_preview_axis_is_one_to_one (columns);

  if (! style->show_lines)
    return LINES_NONE;
  if (result->lines)
    return same || columns->pixel > 1 ? LINES_ON_ZERO : LINES_ON_ZERO_OR_MEETING;
  /* enlarged lines that meet at a corner are joined there */
  return result->diagonals || (! same && columns->pixel > 1) ? LINES_ON_BOUNDARIES_AND_CORNERS
                                                             : LINES_ON_BOUNDARIES;
}


/*  Colours  */

static void
tint_row (guint32        *out,
          const guint32  *under,
          const Band     *band,
          const Painting *painting,
          int             n)
{
  const guint32 *here   = band->here;
  const guint32 *colors = painting->style->basin_colors;
  const guint32  share  = painting->basin_share;

  for (int i = 0; i < n; i++)
    out[i] = here[i] && here[i] < WF_PREVIEW_LEFT_OUT ? wf_mix (under[i], colors[here[i]], share)
                                                      : under[i];
}

/* A dark line, and beside it a light one. */
static void
hatch_row (guint32        *out,
           const guint32  *under,
           const Band     *band,
           const Painting *painting,
           int             y,
           int             n)
{
  const guint32 *here   = band->here;
  const int      scale  = painting->style->line_width;
  const int      period = HATCH_PERIOD * scale;
  const int      start  = (painting->columns->first + y) % period;
  const guint32  share  = (guint32) (HATCH_OPACITY * WF_SHARE_WHOLE);

#pragma omp simd
  for (int i = 0; i < n; i++)
    {
      const int place = (start + i) % period;

      out[i] = wf_mix (under[i], place < scale ? 0 : 0xffffff,
                       here[i] == WF_PREVIEW_LEFT_OUT && place < 2 * scale ? share : 0);
    }
}

static void
highlight_row (guint32        *out,
               const guint32  *under,
               const Band     *band,
               const Painting *painting,
               int             n)
{
  const guint32 *here        = band->here;
  const guint32  highlighted = painting->style->highlighted;
  const guint32  color       = painting->style->highlight_color;
  const guint32  share       = painting->highlight_share;

#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = wf_mix (under[i], color, here[i] == highlighted ? share : 0);
}

/* The pixels on both sides of its edge. */
static void
outline_row (guint32        *out,
             const guint32  *under,
             const Band     *band,
             const Painting *painting,
             int             n)
{
  const guint32 *here     = band->here;
  const guint32 *right    = band->right;
  const guint32 *below    = band->below;
  const guint32  selected = painting->style->selected;
  const guint32  color    = painting->style->selected_color;

#pragma omp simd
  for (int i = 0; i < n; i++)
    {
      const gboolean inside = here[i] == selected;

      out[i] = wf_mix (under[i], color, (inside != (right[i] == selected)) |
                                        (inside != (below[i] == selected)) ? WF_SHARE_WHOLE : 0);
    }
}

/* The contrast is that to the image, without tints, as on the new layer. */
static void
line_row (guint32        *out,
          const guint32  *under,
          const guint32  *picture,
          const Band     *band,
          const Painting *painting,
          int             n)
{
  const guint32        *marks = band->marks;
  const WfLineContrast  line  = painting->style->line;
  const guint32         share = painting->line_share;

#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = wf_mix (under[i], wf_line_contrast_get (&line, picture[i]), share & marks[i]);
}

static void
prepare_row (Band           *band,
             const Painting *painting,
             int             row,
             int             below)
{
  const guint32 *labels;

  if (band->shown[0] == row && band->shown[1] == below)
    return;

  labels = get_row (band, painting, row, below);
  lay_along (band, painting, labels, get_row (band, painting, below, row));
  mark_row (band, painting->lines, painting->columns->end - painting->columns->first);
  band->shown[0] = row;
  band->shown[1] = below;
}

/* Each layer changes a pixel by itself, so @out and @under may be the same row. */
static void
paint_row (Band           *band,
           const Painting *painting,
           int             y)
{
  const WfPreviewAxis  *columns = painting->columns;
  const WfPreviewStyle *style   = painting->style;
  const int             i       = y - painting->rows->first;
  const int             n       = columns->end - columns->first;
  guint32              *out     = wf_surface_row (painting->surface, y) + columns->first;
  const guint32        *picture = wf_surface_row (painting->under, y) + columns->first;
  const guint32        *under   = picture;

  prepare_row (band, painting, painting->rows->here[i], painting->rows->across[i]);
  if (style->show_basins && style->basin_colors)
    {
      tint_row (out, under, band, painting, n);
      under = out;
    }
  if (painting->hatched)
    {
      hatch_row (out, under, band, painting, y, n);
      under = out;
    }
  if (style->highlighted)
    {
      highlight_row (out, under, band, painting, n);
      under = out;
    }
  if (painting->lines != LINES_NONE)
    line_row (out, under, picture, band, painting, n);
  else if (under != out)
    memcpy (out, under, n * sizeof (guint32));
  if (style->selected)
    outline_row (out, out, band, painting, n);
}

static gboolean
leaves_any_out (const guint32 *map,
                guint32        last)
{
  for (guint32 label = 1; map && label <= last; label++)
    if (map[label] == WF_PREVIEW_LEFT_OUT)
      return TRUE;
  return FALSE;
}

static guint32
share_of (double opacity)
{
  return (guint32) (CLAMP (opacity, 0, 1) * WF_SHARE_WHOLE + 0.5);
}

/**
 * wf_preview_paint_labels:
 * @surface: ARGB32, of the view's size
 * @under: likewise: the picture under the labels
 * @viewport: of the view
 * @result: labels
 * @map: (nullable): for each label, from 0 to the largest, the one that represents it
 * @style: colors
 *
 * Paints @under with the labels over it.
 */
void
wf_preview_paint_labels (cairo_surface_t       *surface,
                         cairo_surface_t       *under,
                         const WfViewport      *viewport,
                         const WfPreviewResult *result,
                         const guint32         *map,
                         const WfPreviewStyle  *style)
{
  g_auto (WfPreviewAxis) columns  = { 0 };
  g_auto (WfPreviewAxis) rows     = { 0 };
  Painting               painting = {
    .result          = result,
    .map             = map,
    .style           = style,
    .columns         = &columns,
    .rows            = &rows,
    .surface         = surface,
    .under           = under,
    .line_share      = share_of (style->line_opacity),
    .basin_share     = share_of (style->basin_opacity),
    .highlight_share = share_of (style->highlight_opacity),
    .hatched         = leaves_any_out (map, result->n_labels),
  };
  int n_bands;

  wf_preview_axis_init_columns (&columns, viewport, &result->region, style->line_width);
  wf_preview_axis_init_rows (&rows, viewport, &result->region, style->line_width);
  painting.lines = choose_lines (result, style, &columns);
  n_bands        = columns.first < columns.end ? MAX (1, (rows.end - rows.first) / BAND) : 0;

  cairo_surface_flush (surface);
  cairo_surface_flush (under);
  wf_surface_copy_around (surface, under, &columns, &rows);
#pragma omp parallel
  {
    Band band;

    band_init (&band, &painting);
#pragma omp for schedule (dynamic)
    for (int i = 0; i < n_bands; i++)
      {
        const int first = rows.first + (int) ((gint64) (rows.end - rows.first) * i / n_bands);
        const int end   = rows.first + (int) ((gint64) (rows.end - rows.first) * (i + 1) / n_bands);

        for (int y = first; y < end; y++)
          paint_row (&band, &painting, y);
      }
    band_clear (&band);
  }
  cairo_surface_mark_dirty (surface);
}
