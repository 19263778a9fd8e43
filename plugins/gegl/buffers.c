/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GEGL's buffers as the engine's images, and results as buffers.
 *
 * Levels are taken from pixels as the plug-ins take them (plugins/common/input/level-picker.c).
 * The output has the model, encoding and space of the input, in a type of the engine, so that
 * levels are written without a conversion; only of linear light, if the levels are non-linear, it
 * is made in the encoding of the levels, and converted when it is written.  Alpha stays as it is.
 * Each pixel is read twice, for its level and for its alpha, and written once; what is in memory
 * anyway is not read again.  Each thread has tiles of its own, which stay in the cache of its
 * processor from reading to writing; what needs whole rows is made in strips of tiles.
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

/* Columns of a piece of a strip: of one of GEGL's tiles, or a part of it. */
#define PIECE_COLUMNS 128

#define MAX_LEVELS 3

/**
 * Reading:
 * @buffer: the pixels
 * @pickers: take levels from them; all have the same format
 * @levels: images of the region
 * @n_levels: their number
 */
typedef struct
{
  const WfGeglWork *work;
  GeglBuffer       *buffer;
  WfLevelPicker     pickers[MAX_LEVELS];
  WfImage          *levels;
  int               n_levels;
} Reading;

static GeglRectangle
find_rows (const WfGeglWork *work,
           gint64            y,
           int               n_rows)
{
  return (GeglRectangle) { work->region.x, work->region.y + (int) y, work->region.width, n_rows };
}

/* In the region. */
static guint8 *
find_level (const WfImage *levels,
            int            column,
            int            row)
{
  return (guint8 *) levels->data +
         (gsize) (row * levels->row_stride + column) * wf_type_size (levels->type);
}

static void
take_levels (const Reading       *reading,
             int                  i,
             const GeglRectangle *piece,
             gconstpointer        pixels,
             guint8              *memory)
{
  const GeglRectangle *region = &reading->work->region;
  const WfImage       *levels = &reading->levels[i];
  const gsize          size   = (gsize) piece->width * wf_type_size (levels->type);

  wf_level_picker_take (&reading->pickers[i], pixels, (gsize) piece->width * (gsize) piece->height,
                        memory);
  for (int row = 0; row < piece->height; row++)
    memcpy (find_level (levels, piece->x - region->x, piece->y - region->y + row),
            memory + size * (gsize) row, size);
}

/* Sets @piece, which ends at some column, to that which follows it and ends where a tile ends, or
 * at @end.
 */
static gboolean
find_next_piece (GeglRectangle *piece,
                 int            end)
{
  const int start   = piece->x + piece->width;
  const int outside = (start % PIECE_COLUMNS + PIECE_COLUMNS) % PIECE_COLUMNS;

  piece->x     = start;
  piece->width = MIN (PIECE_COLUMNS - outside, end - start);
  return start < end;
}

/* Of WfGeglStripFunc. */
static void
read_strip (int      row,
            int      n_rows,
            guint8  *memory,
            gpointer data)
{
  const Reading       *reading = data;
  const WfLevelPicker *picker  = &reading->pickers[0];
  const GeglRectangle  strip   = find_rows (reading->work, row, n_rows);
  const gsize          size    = wf_type_size (picker->type) * (gsize) picker->n_components *
                                 PIECE_COLUMNS * WF_STRIP_ROWS;
  GeglRectangle        piece   = { strip.x, strip.y, 0, strip.height };

  if (picker->direct)
    {
      gegl_buffer_get (reading->buffer, &strip, 1.0, picker->format,
                       find_level (&reading->levels[0], 0, row), GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
      return;
    }
  while (find_next_piece (&piece, strip.x + strip.width))
    {
      gegl_buffer_get (reading->buffer, &piece, 1.0, picker->format, memory, GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
      for (int i = 0; i < reading->n_levels; i++)
        take_levels (reading, i, &piece, memory, memory + size);
    }
}

/* Components @first and those that follow it, of pixels that are read once. */
static gboolean
read_levels (const WfGeglWork  *work,
             GeglBuffer        *buffer,
             WfComponent        first,
             WfImage           *levels,
             int                n_levels,
             GError           **error)
{
  Reading reading = { .work = work, .buffer = buffer, .levels = levels, .n_levels = n_levels };
  gsize   size;

  for (int i = 0; i < n_levels; i++)
    {
      wf_level_picker_init (&reading.pickers[i], work->own, work->type, (WfComponent) (first + i));
      if (! wf_image_allocate (&levels[i], work->type, work->region.width, work->region.height, 1,
                               error))
        return FALSE;
    }
  size = wf_type_size (work->type) * (gsize) (reading.pickers[0].n_components + 1) * PIECE_COLUMNS;
  wf_gegl_visit_strips (work, size, read_strip, &reading);
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
  return read_levels (work, work->input, work->component, levels, 1, error);
}

/**
 * wf_gegl_read_components:
 * @work: the work
 * @components: set to new images of the region: red, green and blue
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_gegl_read_components (const WfGeglWork  *work,
                         WfImage            components[3],
                         GError           **error)
{
  return read_levels (work, work->input, WF_COMPONENT_RED, components, 3, error);
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
  return read_levels (work, work->aux, component, levels, 1, error);
}

/**
 * wf_gegl_read_aux_components:
 * @work: one with a second input
 * @components: as wf_gegl_read_components() sets them, of the second input
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: whether there was enough memory
 */
gboolean
wf_gegl_read_aux_components (const WfGeglWork  *work,
                             WfImage            components[3],
                             GError           **error)
{
  return read_levels (work, work->aux, WF_COMPONENT_RED, components, 3, error);
}

/* Pixels in @format, from memory or from the buffer. */
static void
read_pixels (const WfGeglWork    *work,
             const Babl          *format,
             const GeglRectangle *part,
             guint8              *pixels)
{
  const Babl   *stored = gegl_buffer_get_format (work->input);
  const gsize   size   = (gsize) babl_format_get_bytes_per_pixel (stored);
  const gsize   stride = size * (gsize) work->region.width;
  const gsize   n      = (gsize) babl_format_get_bytes_per_pixel (format) * (gsize) part->width;
  const guint8 *from   = work->pixels;

  if (! from)
    {
      gegl_buffer_get (work->input, part, 1.0, format, pixels, GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
      return;
    }
  from += stride * (gsize) (part->y - work->region.y) + size * (gsize) (part->x - work->region.x);
  for (int row = 0; row < part->height; row++, from += stride, pixels += n)
    if (stored == format)
      memcpy (pixels, from, n);
    else
      babl_process (babl_fish (stored, format), from, pixels, part->width);
}

/**
 * wf_gegl_read_raw:
 * @work: the work
 * @y: index of the first row, in the region
 * @n_rows: the number of rows
 * @pixels: set to the pixels in the format of the buffer of the input
 */
void
wf_gegl_read_raw (const WfGeglWork *work,
                  gint64            y,
                  int               n_rows,
                  guint8           *pixels)
{
  const GeglRectangle part = find_rows (work, y, n_rows);

  gegl_buffer_get (work->input, &part, 1.0, gegl_buffer_get_format (work->input), pixels,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
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
  const Babl     *format  = wf_format_find_color (work->own, TRUE, WF_TYPE_F32);
  const gboolean  expands = wf_colors_can_expand (work->own, format);
  const gsize     size    = (gsize) babl_format_get_bytes_per_pixel (work->own);
  const gsize     width   = (gsize) work->region.width;

#pragma omp parallel
  {
    g_autofree guint8 *stored = expands ? g_malloc (size * width) : NULL;

#pragma omp for
    for (int row = 0; row < n_rows; row++)
      {
        const GeglRectangle  part = find_rows (work, y + row, 1);
        float               *to   = colors + 4 * width * (gsize) row;

        read_pixels (work, expands ? work->own : format, &part, expands ? stored : (guint8 *) to);
        if (expands)
          wf_colors_expand (stored, babl_format_get_n_components (work->own), width, to);
      }
  }
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
 * Need:
 * @NEEDS_ALPHA: all colors are made anew
 * @NEEDS_PIXELS: colors of the input stay in places
 *
 * What the output takes from the input.
 */
typedef enum
{
  NEEDS_ALPHA,
  NEEDS_PIXELS
} Need;

/**
 * Written:
 * @work: the work
 * @needed: what rows take from the input
 * @func: makes pixels of a row
 * @data: for @func
 * @format: of the pixels that @func makes: that of the work, or one with the same components
 * @whole: whether @func makes whole rows
 *
 * The rows that are written.
 */
typedef struct
{
  const WfGeglWork *work;
  Need              needed;
  WfGeglRowFunc     func;
  gpointer          data;
  const Babl       *format;
  gboolean          whole;
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
read_alpha (const WfGeglWork    *work,
            const Babl          *stored,
            const GeglRectangle *part,
            guint8              *pixels)
{
  const gsize         n      = (gsize) part->width * (gsize) part->height;
  const gsize         size   = wf_type_size (work->type);
  const gsize         from   = (gsize) babl_format_get_bytes_per_pixel (stored);
  const gsize         to     = (gsize) babl_format_get_bytes_per_pixel (work->format);
  g_autofree guint8  *memory = g_malloc (n * from);

  gegl_buffer_get (work->input, part, 1.0, stored, memory, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < n; i++)
    memcpy (pixels + (i + 1) * to - size, memory + (i + 1) * from - size, size);
}

/* Sets @pixels to what is needed of the input, in the format of those that are written. */
static void
read_needed (const Written       *written,
             const GeglRectangle *part,
             guint8              *pixels)
{
  const WfGeglWork *work   = written->work;
  const Babl       *stored = gegl_buffer_get_format (work->input);
  const gboolean    alpha  = written->needed == NEEDS_ALPHA;

  if (alpha && ! babl_format_has_alpha (work->format))
    return;
  if (alpha && stored != written->format && shares_alpha (work, stored))
    read_alpha (work, stored, part, pixels);
  else
    read_pixels (work, written->format, part, pixels);
}

static void
write_part (const Written       *written,
            const GeglRectangle *part,
            guint8              *pixels)
{
  const WfGeglWork *work   = written->work;
  const gsize       size   = (gsize) babl_format_get_bytes_per_pixel (written->format);
  const gsize       stride = size * (gsize) part->width;
  GeglRectangle     wanted;

  if (! gegl_rectangle_intersect (&wanted, part, &work->wanted))
    return;
  read_needed (written, part, pixels);
  for (int y = 0; y < part->height; y++)
    written->func (part->y - work->region.y + y, part->x - work->region.x, part->width,
                   pixels + stride * (gsize) y, written->data);
  gegl_buffer_set (work->output, &wanted, 0, written->format,
                   pixels + stride * (gsize) (wanted.y - part->y) +
                   size * (gsize) (wanted.x - part->x), (int) stride);
}

/* Of WfGeglStripFunc. */
static void
write_strip (int      row,
             int      n_rows,
             guint8  *pixels,
             gpointer data)
{
  const Written       *written = data;
  const GeglRectangle  strip   = find_rows (written->work, row, n_rows);
  GeglRectangle        piece   = { strip.x, strip.y, 0, strip.height };

  if (written->whole)
    write_part (written, &strip, pixels);
  else
    while (find_next_piece (&piece, strip.x + strip.width))
      write_part (written, &piece, pixels);
}

static void
write_all (Written *written)
{
  const int n = written->whole ? written->work->region.width : PIECE_COLUMNS;

  wf_gegl_visit_strips (written->work,
                        (gsize) n * (gsize) babl_format_get_bytes_per_pixel (written->format),
                        write_strip, written);
}

/**
 * wf_gegl_write_rows:
 * @work: the work
 * @func: makes whole rows; takes alpha from the input
 * @data: for @func
 *
 * Writes the wanted part of the output.
 */
void
wf_gegl_write_rows (const WfGeglWork *work,
                    WfGeglRowFunc     func,
                    gpointer          data)
{
  Written written = { work, NEEDS_ALPHA, func, data, work->format, TRUE };

  write_all (&written);
}

/**
 * wf_gegl_write_pieces:
 * @work: the work
 * @format: of the pixels that @func makes: that of the work, or linear light
 * @func: makes any pixels of a row; takes alpha from the input
 * @data: for @func
 *
 * Writes the wanted part of the output.
 */
void
wf_gegl_write_pieces (const WfGeglWork *work,
                      const Babl       *format,
                      WfGeglRowFunc     func,
                      gpointer          data)
{
  Written written = { work, NEEDS_ALPHA, func, data, format, FALSE };

  write_all (&written);
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
 * @levels: of the work's type
 * @n: the number of levels
 * @pixels: pixels of these levels; their alpha stays, unless that is the level
 */
void
wf_gegl_set_row (const WfGeglWork *work,
                 gconstpointer     levels,
                 gsize             n,
                 guint8           *pixels)
{
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

/**
 * Picture:
 * @image: of levels or marks
 * @to_light: (nullable): from sRGB floats to linear ones, with alpha, if the levels are to be
 *   converted; other spaces may have another curve for each color
 */
typedef struct
{
  const WfGeglWork *work;
  const WfImage    *image;
  const Babl       *to_light;
} Picture;

/* Levels as linear light: three are converted as the colors of one pixel, which gives the same
 * numbers as a conversion of gray pixels.
 */
static void
find_light (const Babl  *to_light,
            const float *levels,
            int          n,
            float       *light)
{
  _Alignas (16) float pixels[2][(PIECE_COLUMNS + 2) / 3][4];
  const int           n_pixels = (n + 2) / 3;

  for (int i = 0; i < n_pixels; i++)
    {
      for (int c = 0; c < 3; c++)
        pixels[0][i][c] = levels[MIN (3 * i + c, n - 1)];
      pixels[0][i][3] = 1;
    }
  babl_process (to_light, pixels[0], pixels[1], n_pixels);
  for (int i = 0; i < n; i++)
    light[i] = pixels[1][i / 3][i % 3];
}

static void
set_levels (gint64    y,
            int       x,
            int       n,
            guint8   *pixels,
            gpointer  data)
{
  const Picture *picture = data;
  gconstpointer  levels  = find_level (picture->image, x, (int) y);
  float          light[PIECE_COLUMNS];

  if (picture->to_light)
    {
      find_light (picture->to_light, levels, n, light);
      levels = light;
    }
  wf_gegl_set_row (picture->work, levels, (gsize) n, pixels);
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
  const gboolean light   = work->light && work->light == babl_format ("RGBA float");
  Picture        picture = { work, levels, NULL };

  if (light)
    picture.to_light = babl_fish (work->format, work->light);
  wf_gegl_write_pieces (work, light ? work->light : work->format, set_levels, &picture);
}

#define MARK(Type, white) \
  for (int x = 0; x < n; x++) \
    ((Type *) levels)[x] = marks[x] ? (white) : 0

static void
set_marks (gint64    y,
           int       first,
           int       n,
           guint8   *pixels,
           gpointer  data)
{
  const Picture    *picture = data;
  const WfGeglWork *work    = picture->work;
  const guint8     *marks   = find_level (picture->image, first, (int) y);
  float             levels[PIECE_COLUMNS];

  if (work->type == WF_TYPE_U8)
    MARK (guint8, G_MAXUINT8);
  else if (work->type == WF_TYPE_U16)
    MARK (guint16, G_MAXUINT16);
  else
    MARK (float, 1);
  wf_gegl_set_row (work, levels, (gsize) n, pixels);
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
  Picture picture = { work, marks, NULL };

  wf_gegl_write_pieces (work, work->format, set_marks, &picture);
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
 * wf_gegl_convert_to_light:
 * @work: the work
 * @pixels: in the format of the output; become linear light, if the output is stored so
 * @n: their number
 */
void
wf_gegl_convert_to_light (const WfGeglWork *work,
                          guint8           *pixels,
                          guint32           n)
{
  if (work->light && n > 0)
    babl_process (babl_fish (work->format, work->light), pixels, pixels, n);
}

/**
 * Lines:
 * @work: the work
 * @transparent: whether nothing but lines is left
 * @contrast: how lines are made visible
 * @samples: a pixel of each #WfLineKind
 * @format: of pixels that are drawn on: linear light that is no line stays as it is
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
  const Babl       *format;
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
  lines->work   = work;
  lines->format = work->light ? work->light : work->format;
  lines->size   = (gsize) babl_format_get_bytes_per_pixel (lines->format);
  for (guint32 kind = 0; kind <= WF_LINE_WHITE; kind++)
    {
      wf_line_kind_get_color (kind, color, drawn);
      wf_gegl_convert (work, babl_format ("R'G'B'A float"), drawn, 1, lines->samples[kind]);
      wf_gegl_convert_to_light (work, lines->samples[kind], 1);
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
  if (lines->work->light)
    babl_process (babl_fish (lines->format, lines->work->format), marked, marked, (long) k);
  babl_process (babl_fish (lines->work->format, babl_format ("R'G'B' u8")), marked, colors,
                (long) k);
  wf_line_kinds_choose (&lines->contrast, colors, k, kinds);
}

/* Where a line is, alpha stays, unless that is what the levels are. */
static void
draw_row (gint64    y,
          int       first,
          int       n_pixels,
          guint8   *pixels,
          gpointer  data)
{
  const Lines       *lines = data;
  const WfGeglWork  *work  = lines->work;
  const gsize        n     = (gsize) n_pixels;
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
  Lines   lines   = { .transparent = transparent, .func = func, .data = data };
  Written written = { work, NEEDS_PIXELS, draw_row, &lines, NULL, TRUE };

  lines_init (&lines, work);
  written.format = lines.format;
  write_all (&written);
}
