/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GEGL's buffers as the engine's images, and results as buffers.
 *
 * Levels are taken from pixels as the plug-ins take them (plugins/common/input/level-picker.c), in
 * the same strips.  The output has the model, encoding and space of the input, in a type of the
 * engine, so that levels are written without a conversion; alpha stays as it is.  Each pixel is
 * read twice, for its level and for its alpha, and written once; what is in memory anyway is not
 * read again.  Levels are read by the thread that GEGL called, while all processors convert; else
 * each thread reads, makes and writes strips of its own.
 */

#include "config.h"

#include <string.h>

#include "buffers.h"
#include "operation.h"
#include "plugins/common/input/expand.h"
#include "plugins/common/input/formats.h"
#include "plugins/common/input/level-reader.h"
#include "plugins/common/results/line-kinds.h"
#include "plugins/common/results/rounding.h"


/*  Reading  */

typedef struct
{
  const WfGeglWork *work;
  GeglBuffer       *buffer;
} Rows;

static GeglRectangle
find_rows (const WfGeglWork *work,
           gint64            y,
           int               n_rows)
{
  return (GeglRectangle) { work->region.x, work->region.y + (int) y, work->region.width, n_rows };
}

static void
get_rows (int         row,
          int         n_rows,
          const Babl *format,
          gpointer    pixels,
          gpointer    data)
{
  const Rows          *rows = data;
  const GeglRectangle  part = find_rows (rows->work, row, n_rows);

  gegl_buffer_get (rows->buffer, &part, 1.0, format, pixels, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
}

static gboolean
read_levels (const WfGeglWork  *work,
             GeglBuffer        *buffer,
             const Babl        *own,
             WfComponent        component,
             WfImage           *levels,
             GError           **error)
{
  Rows rows = { work, buffer };

  if (! wf_image_allocate (levels, work->type, work->region.width, work->region.height, 1, error))
    return FALSE;
  wf_level_reader_read (get_rows, &rows, own, work->region.y, component, levels, 0);
  return TRUE;
}

/**
 * wf_gegl_read_levels:
 * @work: the work
 * @levels: set to a new image of the region
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_gegl_read_levels (const WfGeglWork  *work,
                     WfImage           *levels,
                     GError           **error)
{
  return read_levels (work, work->input, work->own, work->component, levels, error);
}

/**
 * wf_gegl_read_component:
 * @work: the work
 * @component: a component, instead of that which is chosen
 * @levels: set to a new image of the region
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_gegl_read_component (const WfGeglWork  *work,
                        WfComponent        component,
                        WfImage           *levels,
                        GError           **error)
{
  return read_levels (work, work->input, work->own, component, levels, error);
}

/**
 * wf_gegl_read_aux:
 * @work: one with a second input
 * @component: a component
 * @levels: set to a new image of the region: the component of the second input, in the encoding of
 *   the first, 0 beyond it
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_gegl_read_aux (const WfGeglWork  *work,
                  WfComponent        component,
                  WfImage           *levels,
                  GError           **error)
{
  return read_levels (work, work->aux, work->own, component, levels, error);
}

/**
 * wf_gegl_read_stored:
 * @work: the work
 * @y: index of the first row, in the region
 * @n_rows: the number of rows
 * @pixels: set to the pixels in the format of the input
 */
void
wf_gegl_read_stored (const WfGeglWork *work,
                     gint64            y,
                     int               n_rows,
                     guint8           *pixels)
{
  const GeglRectangle part   = find_rows (work, y, n_rows);
  const gsize         stride = (gsize) part.width *
                               (gsize) babl_format_get_bytes_per_pixel (work->own);

  if (work->pixels)
    memcpy (pixels, work->pixels + stride * (gsize) y, stride * (gsize) n_rows);
  else
    gegl_buffer_get (work->input, &part, 1.0, work->own, pixels, GEGL_AUTO_ROWSTRIDE,
                     GEGL_ABYSS_NONE);
}

/**
 * wf_gegl_read_colors:
 * @work: the work
 * @y: index of the first row, in the region
 * @n_rows: the number of rows
 * @colors: set to red, green, blue and alpha of each pixel, in the encoding of the input
 */
void
wf_gegl_read_colors (const WfGeglWork *work,
                     gint64            y,
                     int               n_rows,
                     float            *colors)
{
  const Babl          *format = wf_format_find_color (work->own, TRUE, WF_TYPE_F32);
  const GeglRectangle  part   = find_rows (work, y, n_rows);
  const gsize          stride = (gsize) part.width *
                                (gsize) babl_format_get_bytes_per_pixel (work->own);
  g_autofree guint8   *stored = NULL;

  if (! wf_colors_can_expand (work->own, format))
    {
      gegl_buffer_get (work->input, &part, 1.0, format, colors, GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
      return;
    }
  stored = g_malloc (stride * (gsize) n_rows);
  wf_gegl_read_stored (work, y, n_rows, stored);
#pragma omp parallel for
  for (int row = 0; row < n_rows; row++)
    wf_colors_expand (stored + stride * (gsize) row, babl_format_get_n_components (work->own),
                      (gsize) part.width, colors + 4 * (gsize) part.width * (gsize) row);
}


/*  Strips  */

/**
 * wf_gegl_visit_strips:
 * @work: the work
 * @size: bytes of memory for each row of a strip
 * @func: called for each strip, by several threads at the same time
 * @data: for @func
 *
 * Divides the region into strips that end where rows of GEGL's tiles end.
 */
void
wf_gegl_visit_strips (const WfGeglWork *work,
                      gsize             size,
                      WfGeglStripFunc   func,
                      gpointer          data)
{
  const int height   = work->region.height;
  const int outside  = (work->region.y % WF_STRIP_ROWS + WF_STRIP_ROWS) % WF_STRIP_ROWS;
  const int n_strips = (outside + height + WF_STRIP_ROWS - 1) / WF_STRIP_ROWS;

#pragma omp parallel
  {
    g_autofree guint8 *memory = g_malloc (size * WF_STRIP_ROWS);

#pragma omp for schedule (dynamic, 1)
    for (int i = 0; i < n_strips; i++)
      {
        const int row = MAX (0, i * WF_STRIP_ROWS - outside);
        const int end = MIN ((i + 1) * WF_STRIP_ROWS - outside, height);

        func (row, end - row, memory, data);
      }
  }
}


/*  Writing  */

/**
 * Written:
 * @work: the work
 * @needed: what rows take from the input
 * @func: makes a row
 * @data: for @func
 * @stride: bytes of a row
 *
 * The rows that are written.
 */
typedef struct
{
  const WfGeglWork *work;
  WfGeglNeed        needed;
  WfGeglRowFunc     func;
  gpointer          data;
  gsize             stride;
} Written;

/* Whether alpha is a component of the same type, after all others, in the buffer and in the
 * output: it is the same number then, whatever the encoding of colors.
 */
static gboolean
shares_alpha (const WfGeglWork *work,
              const Babl       *stored)
{
  const int last = babl_format_get_n_components (stored) - 1;

  return babl_format_has_alpha (stored) && babl_format_has_alpha (work->format) &&
         babl_format_get_type (stored, last) == babl_format_get_type (work->format, 0);
}

/* Takes alpha without a conversion of colors, which are made anew. */
static void
read_alpha (const WfGeglWork *work,
            const Babl       *stored,
            int               row,
            int               n_rows,
            guint8           *pixels)
{
  const GeglRectangle part   = find_rows (work, row, n_rows);
  const gsize         n      = (gsize) part.width * (gsize) n_rows;
  const gsize         size   = wf_type_size (work->type);
  const gsize         from   = (gsize) babl_format_get_bytes_per_pixel (stored);
  const gsize         to     = (gsize) babl_format_get_bytes_per_pixel (work->format);
  g_autofree guint8  *memory = g_malloc (n * from);

  gegl_buffer_get (work->input, &part, 1.0, stored, memory, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < n; i++)
    memcpy (pixels + (i + 1) * to - size, memory + (i + 1) * from - size, size);
}

/* Sets @pixels to what @needed says of the input, in the format of the output. */
static void
read_needed (const WfGeglWork *work,
             WfGeglNeed        needed,
             int               row,
             int               n_rows,
             guint8           *pixels)
{
  const Babl          *stored = gegl_buffer_get_format (work->input);
  const GeglRectangle  part   = find_rows (work, row, n_rows);

  if (needed == WF_GEGL_NEEDS_ALPHA && ! babl_format_has_alpha (work->format))
    return;
  if (needed == WF_GEGL_NEEDS_ALPHA && stored != work->format && shares_alpha (work, stored))
    read_alpha (work, stored, row, n_rows, pixels);
  else if (work->format == work->own)
    wf_gegl_read_stored (work, row, n_rows, pixels);
  else
    gegl_buffer_get (work->input, &part, 1.0, work->format, pixels, GEGL_AUTO_ROWSTRIDE,
                     GEGL_ABYSS_NONE);
}

static void
write_strip (int      row,
             int      n_rows,
             guint8  *pixels,
             gpointer data)
{
  const Written       *written = data;
  const WfGeglWork    *work    = written->work;
  const gsize          stride  = written->stride;
  const GeglRectangle  part    = find_rows (work, row, n_rows);
  GeglRectangle        wanted;

  if (! gegl_rectangle_intersect (&wanted, &part, &work->wanted))
    return;
  read_needed (work, written->needed, row, n_rows, pixels);
  for (int y = 0; y < n_rows; y++)
    written->func (row + y, pixels + stride * (gsize) y, written->data);
  gegl_buffer_set (work->output, &wanted, 0, work->format,
                   pixels + stride * (gsize) (wanted.y - part.y) +
                   stride / (gsize) part.width * (gsize) (wanted.x - part.x), (int) stride);
}

/**
 * wf_gegl_write:
 * @work: the work
 * @needed: what @func takes from the input
 * @func: makes a row
 * @data: for @func
 *
 * Writes the wanted part of the output.
 */
void
wf_gegl_write (const WfGeglWork *work,
               WfGeglNeed        needed,
               WfGeglRowFunc     func,
               gpointer          data)
{
  Written written = { work, needed, func, data,
                      (gsize) work->region.width *
                      (gsize) babl_format_get_bytes_per_pixel (work->format) };

  wf_gegl_visit_strips (work, written.stride, write_strip, &written);
}


/*  Levels  */

#define SET(Type, white) \
  for (gsize i = 0; i < n; i++) \
    { \
      const Type  level = ((const Type *) levels)[i]; \
      Type       *pixel = (Type *) pixels + i * n_components; \
\
      for (int c = 0; c < n_colors; c++) \
        pixel[c] = level; \
      if (opaque) \
        pixel[n_colors] = (white); \
    }

/**
 * wf_gegl_set_row:
 * @work: the work
 * @levels: those of a row, of the work's type
 * @pixels: the row; its alpha stays, unless that is the level
 */
void
wf_gegl_set_row (const WfGeglWork *work,
                 gconstpointer     levels,
                 guint8           *pixels)
{
  const gsize    n            = (gsize) work->region.width;
  const int      n_components = babl_format_get_n_components (work->format);
  const gboolean alpha        = babl_format_has_alpha (work->format) != 0;
  const int      n_colors     = n_components - alpha;
  const gboolean opaque       = alpha && work->component == WF_COMPONENT_ALPHA;

  switch (work->type)
    {
    case WF_TYPE_U8:
      SET (guint8, G_MAXUINT8)
      break;
    case WF_TYPE_U16:
      SET (guint16, G_MAXUINT16)
      break;
    default:
      SET (float, 1)
      break;
    }
}

typedef struct
{
  const WfGeglWork *work;
  const WfImage    *image;
} Picture;

static void
set_levels (gint64    y,
            guint8   *pixels,
            gpointer  data)
{
  const Picture *picture = data;
  const WfImage *image   = picture->image;

  wf_gegl_set_row (picture->work,
                   (const char *) image->data +
                   (gsize) (y * image->row_stride) * wf_type_size (image->type), pixels);
}

/**
 * wf_gegl_write_levels:
 * @work: the work
 * @levels: of the region, of the work's type
 */
void
wf_gegl_write_levels (const WfGeglWork *work,
                      const WfImage    *levels)
{
  Picture picture = { work, levels };

  wf_gegl_write (work, WF_GEGL_NEEDS_ALPHA, set_levels, &picture);
}

#define MARK(Type, white) \
  for (gsize x = 0; x < n; x++) \
    ((Type *) levels)[x] = marks[x] ? (white) : 0

static void
set_marks (gint64    y,
           guint8   *pixels,
           gpointer  data)
{
  const Picture       *picture = data;
  const WfGeglWork    *work    = picture->work;
  const gsize          n       = (gsize) work->region.width;
  const guint8        *marks   = (const guint8 *) picture->image->data +
                                 y * picture->image->row_stride;
  g_autofree gpointer  levels  = g_malloc (n * wf_type_size (work->type));

  if (work->type == WF_TYPE_U8)
    MARK (guint8, G_MAXUINT8);
  else if (work->type == WF_TYPE_U16)
    MARK (guint16, G_MAXUINT16);
  else
    MARK (float, 1);
  wf_gegl_set_row (work, levels, pixels);
}

/**
 * wf_gegl_write_marks:
 * @work: the work
 * @marks: u8, of the region; what is not 0 becomes white, and all else black
 */
void
wf_gegl_write_marks (const WfGeglWork *work,
                     const WfImage    *marks)
{
  Picture picture = { work, marks };

  wf_gegl_write (work, WF_GEGL_NEEDS_ALPHA, set_marks, &picture);
}


/*  Colors  */

/**
 * wf_gegl_convert:
 * @work: the work
 * @encoding: of @colors
 * @colors: red, green, blue and alpha of each
 * @n: their number
 * @pixels: set: in the format of the output
 *
 * Converts colors to pixels as the plug-ins do for a layer (plugins/common/results/colors.c).
 */
void
wf_gegl_convert (const WfGeglWork *work,
                 const Babl       *encoding,
                 const float      *colors,
                 guint32           n,
                 guint8           *pixels)
{
  const gboolean alpha    = babl_format_has_alpha (work->format) != 0;
  const int      n_colors = babl_format_get_n_components (work->format) - alpha;
  const gboolean plain    = encoding == wf_format_find_color (work->own, TRUE, WF_TYPE_F32) &&
                            work->own == wf_format_find (work->own,
                                                         babl_format_has_alpha (work->own) != 0,
                                                         work->type);

  if (plain && (n_colors == 3 || wf_colors_are_grey (colors, n)))
    wf_colors_round (colors, n, work->type, n_colors, alpha, pixels);
  else if (n > 0)
    babl_process (babl_fish (encoding, work->format), colors, pixels, n);
}

/**
 * Lines:
 * @work: the work
 * @transparent: whether nothing but lines is left
 * @contrast: how lines are made visible
 * @samples: a pixel of each #WfLineKind
 * @size: of a pixel, in bytes
 * @func: marks the pixels of lines
 * @data: for @func
 */
typedef struct
{
  const WfGeglWork *work;
  gboolean          transparent;
  WfLineContrast    contrast;
  guint8            samples[WF_LINE_WHITE + 1][4 * sizeof (float)];
  gsize             size;
  WfGeglMarkFunc    func;
  gpointer          data;
} Lines;

static void
lines_init (Lines            *lines,
            const WfGeglWork *work)
{
  float color[4];
  float drawn[4];

  wf_gegl_operation_get_color (work->operation, color);
  wf_line_kinds_init (&lines->contrast, color, wf_format_is_grey (work->own));
  lines->work = work;
  lines->size = (gsize) babl_format_get_bytes_per_pixel (work->format);
  for (guint32 kind = 0; kind <= WF_LINE_WHITE; kind++)
    {
      wf_line_kind_get_color (kind, color, drawn);
      wf_gegl_convert (work, babl_format ("R'G'B'A float"), drawn, 1, lines->samples[kind]);
    }
}

/* Whether that is so from @x on: lines are rare. */
static inline gboolean
are_8_unmarked (const guint8 *marks,
                gsize         x,
                gsize         n)
{
  guint64 eight;

  if (x + sizeof eight > n)
    return FALSE;
  memcpy (&eight, marks + x, sizeof eight);
  return eight == 0;
}

/* Sets @kinds to those of the marked pixels, one after the other. */
static void
choose_kinds (const Lines  *lines,
              const guint8 *marks,
              const guint8 *pixels,
              gsize         n,
              guint8       *kinds)
{
  g_autofree guint8 *marked = g_malloc (n * (lines->size + 3));
  guint8            *colors = marked + n * lines->size;
  gsize              k      = 0;

  for (gsize x = 0; x < n; x++)
    if (are_8_unmarked (marks, x, n))
      x += 7;
    else if (marks[x])
      memcpy (marked + k++ * lines->size, pixels + x * lines->size, lines->size);
  if (k == 0)
    return;
  babl_process (babl_fish (lines->work->format, babl_format ("R'G'B' u8")), marked, colors,
                (long) k);
  wf_line_kinds_choose (&lines->contrast, colors, k, kinds);
}

/* Where a line is, alpha stays, unless that is what the levels are. */
static void
draw_row (gint64    y,
          guint8   *pixels,
          gpointer  data)
{
  const Lines       *lines = data;
  const WfGeglWork  *work  = lines->work;
  const gsize        n     = (gsize) work->region.width;
  const gsize        shown = babl_format_has_alpha (work->format) &&
                             work->component != WF_COMPONENT_ALPHA
                             ? lines->size - wf_type_size (work->type) : lines->size;
  g_autofree guint8 *marks = g_malloc (2 * n);
  guint8            *kinds = marks + n;

  lines->func (y, marks, lines->data);
  choose_kinds (lines, marks, pixels, n, kinds);
  for (gsize x = 0; x < n; x++)
    if (! lines->transparent && are_8_unmarked (marks, x, n))
      x += 7;
    else if (marks[x])
      memcpy (pixels + x * lines->size, lines->samples[*kinds++], shown);
    else if (lines->transparent)
      memcpy (pixels + x * lines->size, lines->samples[0], lines->size);
}

/**
 * wf_gegl_write_lines:
 * @work: the work of a kind that has lines
 * @transparent: whether nothing but the lines is left; otherwise they are drawn over the input
 * @func: marks the pixels of lines
 * @data: for @func
 */
void
wf_gegl_write_lines (const WfGeglWork *work,
                     gboolean          transparent,
                     WfGeglMarkFunc    func,
                     gpointer          data)
{
  Lines lines = { .transparent = transparent, .func = func, .data = data };

  lines_init (&lines, work);
  wf_gegl_write (work, WF_GEGL_NEEDS_PIXELS, draw_row, &lines);
}
