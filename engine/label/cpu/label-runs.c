/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The runs of equal labels of an image.
 *
 * They are found once, which reads the image at the speed of memory, and kept where their number
 * is at most a sixteenth of that of the pixels: then these need not be read again to be written
 * with other labels.  Pieces that are not kept are read again; to keep shorter runs, in memory that
 * the system clears first, takes longer.  Pixels of u32 with such runs are looked up one by one.
 *
 * The pieces are taken by turns from WF_STREAMS parts of the image: the processor reads several
 * streams at once up to 1.4 times as fast as one.
 *
 * Bytes a pixel of u32: 4 read and 4 written where runs are long; 8 read where they are not kept.
 */

#include "config.h"

#include <string.h>

#include "engine/cpu/stream.h"
#include "label-runs.h"

/* Of so many pixels one may begin a run that is kept. */
#define KEPT_RUN 16

/* A result of as many bytes bypasses the caches: no second pass over it follows, and half of it is
 * no longer there when it is complete.  That holds for a last cache of 300 MB as well (Sapphire
 * Rapids): from 34 MB on plain stores take as long, from 64 MB on 1.2 to 1.4 times, also where the
 * result is the labels themselves.  So this does not wait for half of that cache, as
 * wf_is_streamed() does.
 */
#define STREAM_BYTES ((gint64) 32 << 20)


static gboolean
is_streamed (const WfImage *out)
{
  return wf_image_n_pixels (out) * (gint64) wf_type_size (out->type) >= STREAM_BYTES;
}

static gint64
n_groups_of (gint64 n_pieces)
{
  return (n_pieces + WF_GROUP - 1) / WF_GROUP;
}

/* @out: %NULL, or an image of the same size that is to be written */
void
wf_label_runs_init (WfLabelRuns   *runs,
                    const WfImage *image,
                    const WfImage *out)
{
  static const WfLabelSweeps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_label_sweeps);
  static const WfLabelPixelSweeps * const pixel_tables[WF_N_SIMD] =
    WF_SIMD_TABLES (wf_label_pixel_sweeps);

  const gboolean whole = wf_image_is_packed (image) && (! out || wf_image_is_packed (out));
  const gint64   width = whole ? wf_image_n_pixels (image) : image->width;
  const gint64   n     = (width + WF_PIECE - 1) / WF_PIECE;
  const gint64   all   = whole ? n : n * image->height * image->depth;

  *runs = (WfLabelRuns) {
    .sweeps          = tables[wf_simd_level ()],
    .pixel_sweeps    = pixel_tables[wf_simd_level ()],
    .image           = image,
    .whole           = whole,
    .streamed        = out && is_streamed (out),
    .width           = width,
    .pieces_a_row    = n,
    .n_pieces        = all,
    .pieces_a_stream = n_groups_of (all) * WF_GROUP / WF_STREAMS,
    .room            = wf_image_n_pixels (image) / KEPT_RUN + 1,
  };
}

/* The bits of a piece: rows that are shorter than a piece have no more. */
static gint64
words_a_piece (const WfLabelRuns *runs)
{
  return (MIN (runs->width, WF_PIECE) + 63) / 64;
}

/* Bytes that wf_label_runs_keep() takes. */
guint64
wf_label_runs_memory (const WfLabelRuns *runs)
{
  return runs->n_pieces * (sizeof *runs->pieces + words_a_piece (runs) * sizeof *runs->starts)
         + runs->room * sizeof *runs->labels;
}

/* From here on runs that are found are kept. */
gboolean
wf_label_runs_keep (WfLabelRuns  *runs,
                    GError      **error)
{
  runs->starts = wf_allocate (runs->n_pieces * words_a_piece (runs), sizeof *runs->starts, error);
  runs->labels = runs->starts ? wf_allocate (runs->room, sizeof *runs->labels, error) : NULL;
  runs->pieces = runs->labels ? wf_allocate (runs->n_pieces, sizeof *runs->pieces, error) : NULL;
  if (! runs->pieces)
    return FALSE;
  for (gint64 i = 0; i < runs->n_pieces; i++)
    runs->pieces[i].first = -1;
  return TRUE;
}

void
wf_label_runs_clear (WfLabelRuns *runs)
{
  g_clear_pointer (&runs->pieces, g_free);
  g_clear_pointer (&runs->labels, g_free);
  g_clear_pointer (&runs->starts, g_free);
}

/* Groups of WF_GROUP pieces as rows of wf_run_rows(). */
WfRows
wf_label_runs_rows (const WfLabelRuns *runs)
{
  return (WfRows) { .n            = n_groups_of (runs->n_pieces),
                    .amount       = WF_GROUP * MIN (runs->width, WF_PIECE),
                    .scratch_size = sizeof (WfLabelScratch) };
}

/* The piece that is the one of number @i < WF_GROUP of a group, or -1: there are fewer.  In this
 * order streams are read ahead.
 */
gint64
wf_label_runs_piece (const WfLabelRuns *runs,
                     gint64             group,
                     int                i)
{
  const gint64 number = i % WF_STREAMS * runs->pieces_a_stream
                        + group * (WF_GROUP / WF_STREAMS) + i / WF_STREAMS;

  return number < runs->n_pieces ? number : -1;
}

/* The row of a piece, and its first pixel there; without a division where there is one row. */
static gint64
find_piece (const WfLabelRuns *runs,
            gint64             number,
            gint64            *x)
{
  const gint64 row = runs->whole ? 0 : number / runs->pieces_a_row;

  *x = (number - row * runs->pieces_a_row) * WF_PIECE;
  return row;
}

static gint64
pixels_a_piece (const WfLabelRuns *runs,
                gint64             number)
{
  gint64 x;

  find_piece (runs, number, &x);
  return MIN (WF_PIECE, runs->width - x);
}

/* The first pixel of a piece. */
static gpointer
pixels_of (const WfLabelRuns *runs,
           const WfImage     *image,
           gint64             number)
{
  gint64       x;
  const gint64 row = find_piece (runs, number, &x);

  return (char *) wf_image_row (image, row) + x * wf_type_size (image->type);
}

static gboolean
is_kept (const WfLabelRuns *runs,
         gint64             number)
{
  return runs->pieces && runs->pieces[number].first >= 0;
}

/* While a piece of u32 is read, its share of those that are next of all streams.  @again: those
 * that are kept are not read
 */
static WfLabelAhead
find_ahead (const WfLabelRuns *runs,
            gint64             number,
            gboolean           again)
{
  const gint64 stream = number / runs->pieces_a_stream;
  const gint64 place  = number % runs->pieces_a_stream;
  WfLabelAhead ahead;

  for (int i = 0; i < WF_STREAMS; i++)
    {
      const gint64 next  = MIN (i * runs->pieces_a_stream + place + 1, runs->n_pieces - 1);
      const gint64 share = pixels_a_piece (runs, next) * (gint64) sizeof (guint32) / WF_STREAMS;

      ahead.bytes[i] = again && is_kept (runs, next) ? pixels_of (runs, runs->image, number)
                       : (const char *) pixels_of (runs, runs->image, next) + stream * share;
    }
  return ahead;
}

static void
find (const WfLabelRuns *runs,
      gint64             number,
      WfLabelPiece      *piece,
      WfLabelScratch    *scratch)
{
  gconstpointer      pixels = pixels_of (runs, runs->image, number);
  const gint64       n      = piece->n_pixels;
  const WfLabelAhead ahead  = find_ahead (runs, number, FALSE);

  piece->starts = scratch->starts;
  piece->labels = scratch->labels;
  if (runs->image->type == WF_TYPE_U8)
    piece->n_runs = runs->sweeps->find_u8 (pixels, n, scratch->starts, scratch->labels);
  else if (runs->image->type == WF_TYPE_U16)
    piece->n_runs = runs->sweeps->find_u16 (pixels, n, scratch->starts, scratch->labels);
  else
    {
      guint32 *places = runs->with_places ? scratch->others : NULL;

      piece->places = places;
      piece->n_runs = runs->sweeps->find_u32 (pixels, n, &ahead, scratch->starts, scratch->labels,
                                              places, &piece->highest);
    }
}

/* Where so many labels of a piece are kept.  Of several workers each takes its own place, which
 * waits for all that it has stored before.
 */
static gint64
take_room (WfLabelRuns *runs,
           gint64       n_runs)
{
  const gint64 first = runs->used;

  if (! runs->alone)
    return __atomic_fetch_add (&runs->used, n_runs, __ATOMIC_RELAXED);
  runs->used = first + n_runs;
  return first;
}

/* Several workers may keep labels at once. */
static void
keep (WfLabelRuns        *runs,
      gint64              number,
      const WfLabelPiece *piece)
{
  gint64 first = __atomic_load_n (&runs->used, __ATOMIC_RELAXED);

  if (piece->n_runs * KEPT_RUN > MAX (piece->n_pixels, KEPT_RUN) ||
      first + piece->n_runs > runs->room)
    return;
  first = take_room (runs, piece->n_runs);
  if (first + piece->n_runs > runs->room)
    return;
  memcpy (runs->labels + first, piece->labels, piece->n_runs * sizeof *piece->labels);
  memcpy (runs->starts + number * words_a_piece (runs), piece->starts,
          (piece->n_pixels + 63) / 64 * sizeof *piece->starts);
  runs->pieces[number] = (WfKeptPiece) { first, piece->n_runs };
}

/* The runs of a piece, valid until @scratch is used for another one.  They are no return value: the
 * copy of a struct that was just written waits until all that was stored before, pixels too, has
 * left the processor.
 */
void
wf_label_runs_get (WfLabelRuns    *runs,
                   gint64          number,
                   WfLabelPiece   *piece,
                   WfLabelScratch *scratch)
{
  piece->n_pixels = pixels_a_piece (runs, number);
  piece->places   = NULL;
  piece->highest  = 0;
  if (is_kept (runs, number))
    {
      piece->n_runs = runs->pieces[number].n_runs;
      piece->starts = runs->starts + number * words_a_piece (runs);
      piece->labels = runs->labels + runs->pieces[number].first;
      return;
    }
  find (runs, number, piece, scratch);
  if (runs->pieces)
    keep (runs, number, piece);
}

/* The pixels at which the runs of a piece begin, which take @scratch->others. */
const guint32 *
wf_label_runs_places (const WfLabelRuns  *runs,
                      const WfLabelPiece *piece,
                      WfLabelScratch     *scratch)
{
  if (piece->places)
    return piece->places;
  runs->sweeps->list_places (piece->starts, piece->n_pixels, scratch->others);
  return scratch->others;
}

static void
write_pixels (const WfLabelRuns  *runs,
              const WfLabelPiece *piece,
              const guint32      *labels,
              WfType              type,
              gpointer            pixels)
{
  if (type == WF_TYPE_U8)
    runs->sweeps->write_u8 (piece->starts, piece->n_pixels, labels, pixels);
  else if (type == WF_TYPE_U16)
    runs->sweeps->write_u16 (piece->starts, piece->n_pixels, labels, pixels);
  else
    runs->sweeps->write_u32 (piece->starts, piece->n_pixels, labels, pixels);
}

/* Writes a piece of @out with other labels of its runs; @labels has room for WF_PIECE.  After the
 * last one of a group comes wf_label_runs_finish().
 */
void
wf_label_runs_write (const WfLabelRuns  *runs,
                     gint64              number,
                     const WfLabelPiece *piece,
                     const guint32      *labels,
                     WfImage            *out,
                     WfLabelScratch     *scratch)
{
  const gsize size   = wf_type_size (out->type);
  gpointer    target = pixels_of (runs, out, number);

  if (! runs->streamed)
    {
      write_pixels (runs, piece, labels, out->type, target);
      return;
    }
  write_pixels (runs, piece, labels, out->type, scratch->pixels);
  wf_stream_bytes (target, scratch->pixels, piece->n_pixels * size);
}

/* Writes a piece of @out, pixel by pixel, as a table has it for each label of u32.  FALSE: the runs
 * of the piece are kept, which takes less time to write.
 */
gboolean
wf_label_runs_look_up (const WfLabelRuns *runs,
                       gint64             number,
                       const guint32     *table,
                       WfImage           *out)
{
  WfLabelAhead ahead;

  if (runs->image->type != WF_TYPE_U32 || is_kept (runs, number))
    return FALSE;
  ahead = find_ahead (runs, number, TRUE);
  runs->pixel_sweeps->look_up (pixels_of (runs, runs->image, number),
                               pixels_a_piece (runs, number), &ahead, table, runs->streamed,
                               pixels_of (runs, out, number));
  return TRUE;
}

void
wf_label_runs_finish (const WfLabelRuns *runs)
{
  if (runs->streamed)
    wf_stream_finish ();
}
