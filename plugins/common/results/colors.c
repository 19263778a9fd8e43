/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Layers with few colours for many pixels: those of basins and of lines.
 *
 * A row of pixels is a row of indices, each of which stands for a colour.  Each thread has a
 * table of recent indices and their pixels: only colours that are not in the table
 * are made, and converted to the layer's format, all those of a row at once.  If pixels
 * are partly transparent, the table has colours, and whole rows are converted.
 *
 * The first conversion between two formats takes 50 to 100 ms in each process, because babl
 * searches for the best one.  Colours that already have the layer's components only
 * need rounding, and avoid this search.
 */

#include "config.h"

#include <string.h>

#include "rounding.h"
#include "strip.h"

/* The number of places per column, and its maximum, so that a table stays in the processor's cache.
 */
#define N_PLACES_PER_COLUMN 2
#define MOST_PLACES         65536

/* @plain: whether the components of colours are those of the layer */
typedef struct
{
  WfIndexFunc  indices;
  WfColorFunc  color;
  gpointer     data;
  const Babl  *encoding;
  gboolean     plain;
} Colors;

/* @index: the index in this place
 * @source: the position of its entry: the place itself, or, for indices that are new in this
 *   row, after all places
 */
typedef struct
{
  guint32 index;
  guint32 source;
} Place;

/**
 * Table:
 * @n_places: a power of two; the last bits of an index are its place
 * @places: @n_places places
 * @entries: pixels of the layer, or colors
 * @size: of an entry, in bytes
 * @indices: the indices of this row, then the positions of its pixels in @entries
 * @missing: the indices that are new in this row
 * @colors: their colors, or those of the whole row
 */
typedef struct
{
  guint32  n_places;
  Place   *places;
  guint8  *entries;
  gsize    size;
  guint32 *indices;
  guint32 *missing;
  float   *colors;
} Table;


static void
table_init (Table         *table,
            const WfStrip *strip,
            gsize          size)
{
  const gsize width = wf_strip_get_width (strip);

  table->n_places = 1;
  while (table->n_places < MIN (N_PLACES_PER_COLUMN * width, MOST_PLACES))
    table->n_places *= 2;

  table->places  = g_new (Place, table->n_places);
  table->entries = g_malloc (size * (table->n_places + width));
  table->size    = size;
  table->indices = g_new (guint32, width);
  table->missing = g_new (guint32, width);
  table->colors  = g_new (float, 4 * width);
  /* not an index of this place */
  for (guint32 i = 0; i < table->n_places; i++)
    table->places[i] = (Place) { ~i, i };
}

static void
table_clear (Table *table)
{
  g_free (table->places);
  g_free (table->entries);
  g_free (table->indices);
  g_free (table->missing);
  g_free (table->colors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Table, table_clear)

/* Returns the number of new indices; an index counts twice if another one took its place in
 * between.
 */
static guint32
find_entries (Table   *table,
              guint32  width)
{
  const guint32  n_places = table->n_places;
  const guint32  mask     = n_places - 1;
  guint32       *indices  = table->indices;
  guint32        n        = 0;

  for (guint32 x = 0; x < width; x++)
    {
      const guint32  index = indices[x];
      Place         *place = &table->places[index & mask];

      if (G_UNLIKELY (place->index != index))
        {
          *place              = (Place) { index, n_places + n };
          table->missing[n++] = index;
        }
      indices[x] = place->source;
    }
  return n;
}

/* Moves new entries to their places. */
static void
keep_entries (Table   *table,
              guint32  n)
{
  const gsize size = table->size;

  for (guint32 i = 0; i < n; i++)
    {
      const guint32 place  = table->missing[i] & (table->n_places - 1);
      const guint32 source = table->n_places + i;

      if (table->places[place].source != source)
        continue;
      memcpy (table->entries + size * place, table->entries + size * source, size);
      table->places[place].source = place;
    }
}

#define SPREAD(size) \
  for (guint32 x = 0; x < width; x++) \
    memcpy (to + x * (size), from + table->indices[x] * (gsize) (size), (size))

static void
spread_entries (const Table *table,
                guint32      width,
                gpointer     row)
{
  const guint8 *from = table->entries;
  guint8       *to   = row;

  switch (table->size)
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
      SPREAD (table->size);
      break;
    }
}

/* Some of babl's conversions fail without pixels. */
static void
convert (const WfStrip *strip,
         const Colors  *source,
         const float   *colors,
         guint32        n,
         guint8        *pixels)
{
  if (source->plain && (strip->n_colors == 3 || wf_colors_are_grey (colors, n)))
    wf_colors_round (colors, n, strip->type, strip->n_colors, strip->alpha, pixels);
  else if (n > 0)
    babl_process (babl_fish (source->encoding, strip->format), colors, pixels, n);
}

static void
make_entries (const WfStrip *strip,
              const Colors  *source,
              guint32        n,
              gboolean       as_colors,
              Table         *table)
{
  guint8 *entries = table->entries + table->size * table->n_places;
  float  *colors  = as_colors ? (float *) entries : table->colors;

  for (guint32 i = 0; i < n; i++)
    source->color (table->missing[i], colors + 4 * i, source->data);
  if (! as_colors)
    convert (strip, source, colors, n, entries);
}

static void
fill_color_row (const WfStrip *strip,
                const Colors  *source,
                int            row,
                Table         *table)
{
  const float   *coverage = wf_strip_get_coverage (strip, row);
  const guint32  width    = (guint32) wf_strip_get_width (strip);
  guint8        *pixels   = wf_strip_get_pixels (strip, row);
  guint32        n;

  source->indices (wf_strip_get_row (strip, row), table->indices, source->data);
  n = find_entries (table, width);
  make_entries (strip, source, n, coverage != NULL, table);
  spread_entries (table, width, coverage ? (gpointer) table->colors : pixels);
  keep_entries (table, n);

  for (guint32 x = 0; coverage && x < width; x++)
    table->colors[4 * x + 3] *= coverage[x];
  if (coverage)
    convert (strip, source, table->colors, width, pixels);
}

static void
fill_colors (const WfStrip *strip,
             int            first,
             int            n)
{
  const Colors   *source = strip->data;
  g_auto (Table)  table;

  table_init (&table, strip,
              wf_strip_get_coverage (strip, 0) ? 4 * sizeof (float) : strip->size);
  for (int row = first; row < first + n; row++)
    fill_color_row (strip, source, row, &table);
}

/**
 * wf_result_layer_set_colors:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @indices: sets the indices of a row of pixels
 * @color: sets the color of an index
 * @encoding: (nullable): the format of colors; red, green, blue and alpha as 32-bit
 *   floating-point numbers; %NULL for non-linear sRGB
 * @data: for both
 *
 * Fills @layer with colors.  Their alpha is multiplied by the opacity of the pixel, if it is
 * partly selected or partly transparent.
 */
void
wf_result_layer_set_colors (WfJob       *run,
                            GimpLayer   *layer,
                            WfIndexFunc  indices,
                            WfColorFunc  color,
                            const Babl  *encoding,
                            gpointer     data)
{
  GimpDrawable *drawable = wf_result_find (run, layer)->layers->pdata[0];
  const Babl   *format   = wf_pixels_get_format (drawable, gimp_drawable_has_alpha (drawable),
                                                 wf_pixels_get_type (drawable));
  Colors        colors   = { indices, color, data,
                             encoding ? encoding : babl_format ("R'G'B'A float"), FALSE };

  colors.plain = colors.encoding == wf_pixels_get_color_format (drawable, WF_TYPE_F32) &&
                 gimp_drawable_get_format (drawable) == format;
  wf_strips_write (run, layer, TRUE, fill_colors, &colors);
}
