/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was computed, written into the layers made for it.
 *
 * Pixels travel to GIMP tile by tile through one piece of shared memory, and each is
 * written once: a strip that is as high as the tiles is made by all processors, in the
 * layer's own format, and handed over, so that no conversion is left to be done there
 * and no second copy of a layer is ever held.
 *
 * Colours are converted once for each stretch of pixels that have the same one, unless it is
 * known from the rows before: basins and lines have few colours and many pixels.
 *
 * Where what was worked on is transparent or not selected, results are too.
 */

#include "config.h"

#include <string.h>

#include "result-layer.h"

/**
 * Strip:
 * @source: what the layer was computed from
 * @type: of the layer's components
 * @n_colors: how many of them are no alpha
 * @alpha: whether one is
 * @format: of what is written
 * @size: bytes of one pixel of that
 * @fill: makes rows, or %NULL
 * @data: for @fill, or the image whose pixels are written as they are
 * @slice: which slice of @source it is
 * @row: the first row, in the region
 * @n_rows: how many
 * @coverage: how far each pixel is seen, or %NULL where all are
 * @pixels: what is written
 */
typedef struct _Strip Strip;

typedef void (* FillFunc) (const Strip *strip,
                           int          first,
                           int          n);

struct _Strip
{
  const WfSource *source;
  WfType          type;
  int             n_colors;
  gboolean        alpha;
  const Babl     *format;
  gsize           size;
  FillFunc        fill;
  gpointer        data;
  guint           slice;
  int             row;
  int             n_rows;
  float          *coverage;
  guint8         *pixels;
};


static gsize
strip_width (const Strip *strip)
{
  return (gsize) strip->source->region.width;
}

/* A row of the strip as the functions count it that give what is written. */
static int
row_of (const Strip *strip,
        int          row)
{
  return (int) strip->slice * strip->source->region.height + strip->row + row;
}

static guint8 *
pixels_of (const Strip *strip,
           int          row)
{
  return strip->pixels + strip->size * strip_width (strip) * row;
}

static const float *
coverage_of (const Strip *strip,
             int          row)
{
  return strip->coverage ? strip->coverage + strip_width (strip) * row : NULL;
}

static void
fill_rows (gsize    first,
           gsize    n,
           gpointer data)
{
  const Strip *strip = data;

  strip->fill (strip, (int) first, (int) n);
}

/* What is in memory as it is to be written is not copied. */
static void
make_rows (Strip *strip)
{
  const WfImage *image = strip->fill ? NULL : strip->data;

  if (image)
    strip->pixels = (guint8 *) image->data + strip->size * (strip->slice * image->slice_stride +
                                                            strip->row * image->row_stride);
  else
    gegl_parallel_distribute_range ((gsize) strip->n_rows,
                                    WF_THREAD_COST / (double) strip_width (strip),
                                    fill_rows, strip);
}

static void
write_slice (WfRun      *run,
             Strip      *strip,
             GeglBuffer *buffer)
{
  const WfSource *source  = strip->source;
  const int       width   = source->region.width;
  const int       height  = source->region.height;
  const double    n_total = (double) height * source->n_slices;

  for (strip->row = 0; strip->row < height; strip->row += WF_STRIP_ROWS)
    {
      strip->n_rows = MIN (WF_STRIP_ROWS, height - strip->row);
      if (strip->coverage)
        wf_source_read_coverage (source, strip->slice, strip->row, strip->n_rows,
                                 strip->coverage);
      make_rows (strip);
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, strip->row, width, strip->n_rows), 0,
                       strip->format, strip->pixels, GEGL_AUTO_ROWSTRIDE);
      wf_run_set_progress (run, (row_of (strip, 0) + strip->n_rows) / n_total);
    }
}

/* @native: whether pixels are made in the very format that the layer has, and not in the
 * closest one of the engine's types; @fill: %NULL where they are those of the image @data.
 */
static void
write_layers (WfRun     *run,
              GimpLayer *layer,
              gboolean   native,
              FillFunc   fill,
              gpointer   data)
{
  const WfResult     *result   = wf_result_find (run, layer);
  const WfSource     *source   = result->source;
  GimpDrawable       *drawable = result->layers->pdata[0];
  g_autofree float   *coverage = NULL;
  g_autofree guint8  *pixels   = NULL;
  Strip               strip    = { .source = source, .fill = fill, .data = data };

  strip.type     = wf_pixels_get_type (drawable);
  strip.n_colors = gimp_drawable_is_rgb (drawable) ? 3 : 1;
  strip.alpha    = gimp_drawable_has_alpha (drawable);
  strip.format   = native ? gimp_drawable_get_format (drawable)
                          : wf_pixels_get_format (drawable, strip.alpha, strip.type);
  strip.size     = (gsize) babl_format_get_bytes_per_pixel (strip.format);
  if (wf_source_is_transparent (source))
    coverage = g_new (float, strip_width (&strip) * WF_STRIP_ROWS);
  if (fill)
    pixels = g_malloc (strip.size * strip_width (&strip) * WF_STRIP_ROWS);
  strip.coverage = coverage;
  strip.pixels   = pixels;

  for (strip.slice = 0; strip.slice < source->n_slices; strip.slice++)
    {
      g_autoptr (GeglBuffer) buffer = NULL;

      buffer = gimp_drawable_get_buffer (result->layers->pdata[strip.slice]);
      write_slice (run, &strip, buffer);
    }
}


/*  Levels  */

#define PACK(Type, white, round) \
  for (gsize i = 0; i < n; i++) \
    { \
      const Type  level = ((const Type *) levels)[i]; \
      Type       *pixel = (Type *) pixels + i * n_components; \
\
      pixel[0] = level; \
      if (n_colors == 3) \
        pixel[1] = pixel[2] = level; \
      if (alpha) \
        pixel[n_colors] = coverage ? (Type) (coverage[i] * (white) + (round)) : (white); \
    }

/* Levels are written as they are, in the layer's own format, so that no conversion rounds
 * them, nor takes its time.
 */
static void
pack_row (const Strip   *strip,
          int            row,
          gconstpointer  levels)
{
  const gsize     n            = strip_width (strip);
  const float    *coverage     = coverage_of (strip, row);
  const int       n_colors     = strip->n_colors;
  const gboolean  alpha        = strip->alpha;
  const int       n_components = n_colors + alpha;
  guint8         *pixels       = pixels_of (strip, row);

  if (strip->type == WF_TYPE_U8)
    PACK (guint8, G_MAXUINT8, 0.5f)
  else if (strip->type == WF_TYPE_U16)
    PACK (guint16, G_MAXUINT16, 0.5f)
  else
    PACK (float, 1, 0)
}

static gpointer
levels_new (const Strip *strip)
{
  return g_malloc (strip_width (strip) * wf_type_size (strip->type));
}

static void
fill_image (const Strip *strip,
            int          first,
            int          n)
{
  const WfImage *image = strip->data;
  const char    *start = image->data;

  for (int row = first; row < first + n; row++)
    pack_row (strip, row,
              start + (strip->slice * image->slice_stride +
                       (strip->row + row) * image->row_stride) * wf_type_size (image->type));
}

/**
 * wf_result_layer_set_image:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @image: u8, u16 or f32 as the run's pixels are; its rows must follow each other
 *
 * Fills @layer with grey levels, straight from memory.
 */
void
wf_result_layer_set_image (WfRun         *run,
                           GimpLayer     *layer,
                           const WfImage *image)
{
  GimpDrawable *drawable = wf_result_find (run, layer)->layers->pdata[0];
  gboolean      packed   = gimp_drawable_is_rgb (drawable) || gimp_drawable_has_alpha (drawable);

  g_return_if_fail (image->row_stride == image->width);

  write_layers (run, layer, FALSE, packed ? fill_image : NULL, (gpointer) image);
}

#define MARK(Type, white) \
  for (gsize i = 0; i < n; i++) \
    ((Type *) levels)[i] = marks[i] ? (white) : 0

static void
mark_row (WfType        type,
          const guint8 *marks,
          gsize         n,
          gpointer      levels)
{
  if (type == WF_TYPE_U8)
    MARK (guint8, G_MAXUINT8);
  else if (type == WF_TYPE_U16)
    MARK (guint16, G_MAXUINT16);
  else
    MARK (float, 1);
}

static void
fill_marks (const Strip *strip,
            int          first,
            int          n)
{
  const WfImage       *image  = strip->data;
  const guint8        *marks  = (const guint8 *) image->data +
                                strip->slice * image->slice_stride;
  g_autofree gpointer  levels = levels_new (strip);

  for (int row = first; row < first + n; row++)
    {
      mark_row (strip->type, marks + (strip->row + row) * image->row_stride,
                strip_width (strip), levels);
      pack_row (strip, row, levels);
    }
}

/**
 * wf_result_layer_set_marks:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @marks: u8; its rows must follow each other
 *
 * Fills @layer with white where @marks is not 0, and with black elsewhere.
 */
void
wf_result_layer_set_marks (WfRun         *run,
                           GimpLayer     *layer,
                           const WfImage *marks)
{
  g_return_if_fail (marks->type == WF_TYPE_U8 && marks->row_stride == marks->width);

  write_layers (run, layer, FALSE, fill_marks, (gpointer) marks);
}

typedef struct
{
  WfRowFunc func;
  gpointer  data;
} Levels;

/* Whole numbers in the type of the layer. */
static void
round_row (WfType       type,
           const float *levels,
           gsize        n,
           gpointer     whole)
{
  if (type == WF_TYPE_U8)
    for (gsize i = 0; i < n; i++)
      ((guint8 *) whole)[i] = (guint8) levels[i];
  else
    for (gsize i = 0; i < n; i++)
      ((guint16 *) whole)[i] = (guint16) levels[i];
}

static void
fill_levels (const Strip *strip,
             int          first,
             int          n)
{
  const Levels        *source = strip->data;
  const gsize          width  = strip_width (strip);
  g_autofree float    *levels = g_new (float, width);
  g_autofree gpointer  whole  = strip->type != WF_TYPE_F32 ? levels_new (strip) : NULL;

  for (int row = first; row < first + n; row++)
    {
      source->func (row_of (strip, row), levels, source->data);
      if (whole)
        round_row (strip->type, levels, width, whole);
      pack_row (strip, row, whole ? whole : levels);
    }
}

/**
 * wf_result_layer_set_levels:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @func: gives the levels of a row, in the units of the image's precision: whole
 *   numbers from 0 to 255 or 65535, or real numbers
 * @data: for @func
 *
 * Fills @layer with grey levels.
 */
void
wf_result_layer_set_levels (WfRun     *run,
                            GimpLayer *layer,
                            WfRowFunc  func,
                            gpointer   data)
{
  Levels levels = { func, data };

  write_layers (run, layer, FALSE, fill_levels, &levels);
}


/*  Colours  */

typedef struct
{
  WfIndexFunc  indices;
  WfColorFunc  color;
  gpointer     data;
  const Babl  *encoding;
} Colors;

/* Of so many colours a thread remembers the pixel, for the next row has nearly the same. */
#define N_KNOWN 4096

/**
 * Stretches:
 * @indices: of the pixels of a row
 * @numbers: which stretch of the same colour each pixel belongs to
 * @members: one pixel of each stretch
 * @places: where in @pixels that of each stretch is
 * @colors: those that are not known
 * @unknown: the stretches that have them
 * @known: whose pixels are the first @N_KNOWN of @pixels
 * @pixels: of the layer: the known ones, and behind them those of this row
 *
 * What a thread needs for a row, whatever is in it.
 */
typedef struct
{
  guint32 *indices;
  guint32 *numbers;
  guint32 *members;
  guint32 *places;
  float   *colors;
  guint32 *unknown;
  gint64   known[N_KNOWN];
  guint8  *pixels;
} Stretches;

static void
stretches_init (Stretches   *row,
                const Strip *strip)
{
  const gsize width = strip_width (strip);

  row->indices = g_new (guint32, width);
  row->numbers = g_new (guint32, width);
  row->members = g_new (guint32, width);
  row->places  = g_new (guint32, width);
  row->colors  = g_new (float, 4 * width);
  row->unknown = g_new (guint32, width);
  row->pixels  = g_malloc (strip->size * (N_KNOWN + width));
  for (int i = 0; i < N_KNOWN; i++)
    row->known[i] = -1;
}

static void
stretches_clear (Stretches *row)
{
  g_free (row->indices);
  g_free (row->numbers);
  g_free (row->members);
  g_free (row->places);
  g_free (row->colors);
  g_free (row->unknown);
  g_free (row->pixels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stretches, stretches_clear)

/* Returns how many there are.  Stretches may be two pixels long: nothing here, nor in
 * spread_pixels(), branches on where one ends.
 */
static guint32
find_stretches (const Stretches *row,
                const float     *coverage,
                guint32          width)
{
  const guint32 *indices = row->indices;
  guint32        n       = 0;

  row->numbers[0] = row->members[0] = 0;
  if (coverage)
    for (guint32 x = 1; x < width; x++)
      {
        n += (indices[x] != indices[x - 1]) | (coverage[x] != coverage[x - 1]);
        row->numbers[x] = n;
        row->members[n] = x;
      }
  else
    for (guint32 x = 1; x < width; x++)
      {
        n += indices[x] != indices[x - 1];
        row->numbers[x] = n;
        row->members[n] = x;
      }
  return n + 1;
}

#define SPREAD(size) \
  for (guint32 x = 0; x < width; x++) \
    memcpy (pixels + x * (size), from + row->places[row->numbers[x]] * (size), (size))

static void
spread_pixels (const Stretches *row,
               gsize            size,
               guint32          width,
               guint8          *pixels)
{
  const guint8 *from = row->pixels;

  switch (size)
    {
    case 1:
      SPREAD (1);
      break;
    case 2:
      SPREAD (2);
      break;
    case 3:
      SPREAD (3);
      break;
    case 4:
      SPREAD (4);
      break;
    case 8:
      SPREAD (8);
      break;
    case 16:
      SPREAD (16);
      break;
    default:
      SPREAD (size);
      break;
    }
}

/* Returns how many colours are not known; they are those of no index alone where there is
 * coverage.
 */
static guint32
find_colors (const Colors *source,
             const float  *coverage,
             guint32       n,
             Stretches    *row)
{
  guint32 n_unknown = 0;

  for (guint32 i = 0; i < n; i++)
    {
      const guint32  member = row->members[i];
      const guint32  index  = row->indices[member];
      float         *color  = row->colors + 4 * n_unknown;

      row->places[i] = index % N_KNOWN;
      if (! coverage && row->known[index % N_KNOWN] == index)
        continue;

      source->color (index, color, source->data);
      if (coverage)
        color[3] *= coverage[member];
      row->places[i] = N_KNOWN + n_unknown;
      row->unknown[n_unknown++] = i;
    }
  return n_unknown;
}

static void
remember_colors (Stretches *row,
                 gsize      size,
                 guint32    n_unknown)
{
  for (guint32 k = 0; k < n_unknown; k++)
    {
      const guint32 index = row->indices[row->members[row->unknown[k]]];

      row->known[index % N_KNOWN] = index;
      memcpy (row->pixels + size * (index % N_KNOWN), row->pixels + size * (N_KNOWN + k), size);
    }
}

static void
fill_color_row (const Strip  *strip,
                const Colors *source,
                const Babl   *fish,
                int           row,
                Stretches    *stretches)
{
  const float   *coverage = coverage_of (strip, row);
  const guint32  width    = (guint32) strip_width (strip);
  guint32        n;
  guint32        n_unknown;

  source->indices (row_of (strip, row), stretches->indices, source->data);
  n         = find_stretches (stretches, coverage, width);
  n_unknown = find_colors (source, coverage, n, stretches);
  /* some of babl's conversions do not take no pixels */
  if (n_unknown > 0)
    babl_process (fish, stretches->colors, stretches->pixels + strip->size * N_KNOWN,
                  n_unknown);
  spread_pixels (stretches, strip->size, width, pixels_of (strip, row));
  if (! coverage)
    remember_colors (stretches, strip->size, n_unknown);
}

static void
fill_colors (const Strip *strip,
             int          first,
             int          n)
{
  const Colors      *source    = strip->data;
  const Babl        *fish      = babl_fish (source->encoding, strip->format);
  g_auto (Stretches) stretches;

  stretches_init (&stretches, strip);
  for (int row = first; row < first + n; row++)
    fill_color_row (strip, source, fish, row, &stretches);
}

/**
 * wf_result_layer_set_colors:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @indices: gives a number for each pixel of a row
 * @color: gives the colour that belongs to a number
 * @encoding: (nullable): the format of that colour; red, green, blue and alpha as 32-bit
 *   real numbers; %NULL for non-linear sRGB
 * @data: for both
 *
 * Fills @layer with colours; where a pixel is partly selected or partly transparent,
 * it is more transparent than @color says.
 */
void
wf_result_layer_set_colors (WfRun       *run,
                            GimpLayer   *layer,
                            WfIndexFunc  indices,
                            WfColorFunc  color,
                            const Babl  *encoding,
                            gpointer     data)
{
  Colors colors = { indices, color, data, encoding ? encoding : babl_format ("R'G'B'A float") };

  write_layers (run, layer, TRUE, fill_colors, &colors);
}


/*  Pixels  */

typedef struct
{
  WfPixelFunc func;
  gpointer    data;
} Pixels;

#define FADE(Type, round) \
  for (gsize i = 0; i < n; i++) \
    { \
      Type *share = (Type *) pixels + (i + 1) * n_components - 1; \
\
      *share = (Type) (*share * coverage[i] + (round)); \
    }

static void
fade_row (WfType       type,
          const float *coverage,
          gsize        n,
          int          n_components,
          guint8      *pixels)
{
  if (type == WF_TYPE_U8)
    FADE (guint8, 0.5f)
  else if (type == WF_TYPE_U16)
    FADE (guint16, 0.5f)
  else
    FADE (float, 0)
}

static void
fill_pixels (const Strip *strip,
             int          first,
             int          n)
{
  const Pixels *source = strip->data;

  for (int row = first; row < first + n; row++)
    {
      guint8 *pixels = pixels_of (strip, row);

      source->func (row_of (strip, row), pixels, source->data);
      if (strip->coverage)
        fade_row (strip->type, coverage_of (strip, row), strip_width (strip),
                  strip->n_colors + 1, pixels);
    }
}

/**
 * wf_result_layer_set_pixels:
 * @run: the run
 * @layer: a layer, or a group, made for it, with alpha
 * @func: gives the pixels of a row
 * @data: for @func
 *
 * Fills @layer; where a pixel is partly selected or partly transparent, it is more
 * transparent than @func says.
 */
void
wf_result_layer_set_pixels (WfRun       *run,
                            GimpLayer   *layer,
                            WfPixelFunc  func,
                            gpointer     data)
{
  Pixels pixels = { func, data };

  g_return_if_fail (gimp_drawable_has_alpha (wf_result_find (run, layer)->layers->pdata[0]));

  write_layers (run, layer, FALSE, fill_pixels, &pixels);
}
