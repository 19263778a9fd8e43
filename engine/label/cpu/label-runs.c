/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The runs of equal labels of an image.
 *
 * They are found once, which reads the image at the speed of memory, and kept while their number
 * is at most a sixteenth of that of the pixels: then the image need not be read again to be written
 * with other labels.  Pieces that are not kept are read again; to keep shorter runs, in memory that
 * the system clears first, takes longer.
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
 * no longer there when it is complete.
 */
#define STREAM_BYTES ((gint64) 32 << 20)


/* @out: %NULL, or an image of the same size that is to be written */
void
wf_label_runs_init (WfLabelRuns   *runs,
                    const WfImage *image,
                    const WfImage *out)
{
  static const WfLabelSweeps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_label_sweeps);

  const gboolean whole = wf_image_is_packed (image) && (! out || wf_image_is_packed (out));
  const gint64   width = whole ? wf_image_n_pixels (image) : image->width;
  const gint64   n     = (width + WF_PIECE - 1) / WF_PIECE;

  *runs = (WfLabelRuns) {
    .sweeps       = tables[wf_simd_level ()],
    .image        = image,
    .whole        = whole,
    .width        = width,
    .pieces_a_row = n,
    .n_pieces     = whole ? n : n * image->height * image->depth,
    .room         = wf_image_n_pixels (image) / KEPT_RUN + 1,
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
  return (WfRows) { .n            = (runs->n_pieces + WF_GROUP - 1) / WF_GROUP,
                    .amount       = WF_GROUP * MIN (runs->width, WF_PIECE),
                    .scratch_size = sizeof (WfLabelScratch) };
}

/* The piece after the last one of a group. */
gint64
wf_label_runs_end (const WfLabelRuns *runs,
                   gint64             group)
{
  return MIN ((group + 1) * WF_GROUP, runs->n_pieces);
}

/* The first pixel of a piece. */
static gpointer
pixels_of (const WfLabelRuns *runs,
           const WfImage     *image,
           gint64             number)
{
  const gint64 row = runs->whole ? 0 : number / runs->pieces_a_row;
  const gint64 x   = number % runs->pieces_a_row * WF_PIECE;

  return (char *) wf_image_row (image, row) + x * wf_type_size (image->type);
}

static gint64
find (const WfLabelRuns *runs,
      gconstpointer      pixels,
      gint64             n,
      guint64           *starts,
      guint32           *labels)
{
  if (runs->image->type == WF_TYPE_U8)
    return runs->sweeps->find_u8 (pixels, n, starts, labels);
  if (runs->image->type == WF_TYPE_U16)
    return runs->sweeps->find_u16 (pixels, n, starts, labels);
  return runs->sweeps->find_u32 (pixels, n, starts, labels);
}

/* Several workers may keep labels at once. */
static void
keep (WfLabelRuns        *runs,
      gint64              number,
      const WfLabelPiece *piece)
{
  gint64 first = __atomic_load_n (&runs->used, __ATOMIC_RELAXED);

  if (first + piece->n_runs > runs->room)
    return;
  first = __atomic_fetch_add (&runs->used, piece->n_runs, __ATOMIC_RELAXED);
  if (first + piece->n_runs > runs->room)
    return;
  memcpy (runs->labels + first, piece->labels, piece->n_runs * sizeof *piece->labels);
  runs->pieces[number] = (WfKeptPiece) { first, piece->n_runs };
}

/* The runs of a piece, valid until @scratch is used for another one. */
WfLabelPiece
wf_label_runs_get (WfLabelRuns    *runs,
                   gint64          number,
                   WfLabelScratch *scratch)
{
  const gint64       x      = number % runs->pieces_a_row * WF_PIECE;
  const WfKeptPiece *kept   = runs->pieces ? &runs->pieces[number] : NULL;
  guint64           *starts = kept ? runs->starts + number * words_a_piece (runs)
                                   : scratch->starts;
  WfLabelPiece       piece  = { MIN (WF_PIECE, runs->width - x), 0, starts, scratch->labels };

  if (kept && kept->first >= 0)
    {
      piece.n_runs = kept->n_runs;
      piece.labels = runs->labels + kept->first;
      return piece;
    }
  piece.n_runs = find (runs, pixels_of (runs, runs->image, number), piece.n_pixels, starts,
                       scratch->labels);
  if (kept)
    keep (runs, number, &piece);
  return piece;
}

/* The pixels at which the runs of a piece begin, in @scratch->others. */
const guint32 *
wf_label_runs_places (const WfLabelRuns  *runs,
                      const WfLabelPiece *piece,
                      WfLabelScratch     *scratch)
{
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

static gboolean
is_streamed (const WfImage *out)
{
  return wf_image_n_pixels (out) * (gint64) wf_type_size (out->type) >= STREAM_BYTES;
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

  if (! is_streamed (out))
    {
      write_pixels (runs, piece, labels, out->type, target);
      return;
    }
  write_pixels (runs, piece, labels, out->type, scratch->pixels);
  wf_stream_bytes (target, scratch->pixels, piece->n_pixels * size);
}

void
wf_label_runs_finish (const WfImage *out)
{
  if (is_streamed (out))
    wf_stream_finish ();
}
