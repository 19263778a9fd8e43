/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regions of an image of labels in a table: they are counted, each gets a new label, and the image
 * is written again.
 *
 * Both passes go over the runs of equal labels (label-runs.h), so they take little more than
 * reading the labels and writing them.  Labels up to a quarter of the number of pixels, and all of
 * u8 and u16, are indices of the table, whose memory is cleared by the system when it is first
 * used.  If there is a higher one, labels get entries in the order in which they are met, and are
 * looked up by their hash; one thread counts then.  How many labels there are is not known before:
 * so the memory that they take is compared with the context's limit whenever it grows.
 */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "label-tools.h"

/* Of u32, as many labels have an entry in any image. */
#define LEAST_ENTRIES 65536

/* Where labels get entries as they are met. */
#define LEAST_COLLECTED 4096

/* Those of the smallest page: what is not used of the table is not touched. */
#define ENTRIES_A_PAGE 512


static gboolean
refuse_memory (guint64   bytes,
               GError  **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               _("There is not enough memory: %.1f MB more are needed."), (double) bytes / 1e6);
  return FALSE;
}

static gint64
count_entries (const WfImage *labels)
{
  return labels->type == WF_TYPE_U8    ? G_MAXUINT8 + 1
         : labels->type == WF_TYPE_U16 ? G_MAXUINT16 + 1
                                       : MAX (LEAST_ENTRIES, wf_image_n_pixels (labels) / 4 + 1);
}

static gboolean
is_sparse (const WfLabelTable *table)
{
  return table->index.n > 0;
}


/*  Labels that have an entry each  */

/* An entry that was 0 is used now.  Several threads may note the same one. */
static inline void
note_entry (WfLabelTable *table,
            guint32       label)
{
  __atomic_store_n (&table->used[label / ENTRIES_A_PAGE], 1, __ATOMIC_RELAXED);
}

/* Most labels are marked already.  FALSE: there is a label without an entry */
static gboolean
mark_labels (WfLabelTable       *table,
             const WfLabelPiece *piece)
{
  guint64       *entries = table->entries;
  const guint64  n       = table->n;

  for (gint64 i = 0; i < piece->n_runs; i++)
    {
      const guint32 label = piece->labels[i];

      if (G_UNLIKELY (label >= n))
        return FALSE;
      if (G_LIKELY (__atomic_load_n (&entries[label], __ATOMIC_RELAXED)))
        continue;
      __atomic_store_n (&entries[label], 1, __ATOMIC_RELAXED);
      note_entry (table, label);
    }
  return TRUE;
}

/* @alone: no other thread counts */
static inline void
add_pixels (WfLabelTable *table,
            guint32       label,
            gint64        n,
            gboolean      alone)
{
  guint64 *entry = &table->entries[label];
  guint64  before;

  if (alone)
    {
      before = *entry;
      *entry = before + n;
    }
  else
    before = __atomic_fetch_add (entry, (guint64) n, __ATOMIC_RELAXED);
  if (G_UNLIKELY (before == 0))
    note_entry (table, label);
}

static inline gboolean
count_runs (WfLabelTable       *table,
            const WfLabelPiece *piece,
            const guint32      *places,
            gboolean            alone)
{
  const gint64 last = piece->n_runs - 1;

  for (gint64 i = 0; i <= last; i++)
    {
      const gint64 end = i < last ? places[i + 1] : piece->n_pixels;

      if (G_UNLIKELY (piece->labels[i] >= (guint64) table->n))
        return FALSE;
      add_pixels (table, piece->labels[i], end - places[i], alone);
    }
  return TRUE;
}

static gboolean
count_pixels (WfLabelTable       *table,
              const WfLabelPiece *piece,
              WfLabelScratch     *scratch)
{
  const guint32 *places = wf_label_runs_places (&table->runs, piece, scratch);

  return table->run->n_threads == 1 ? count_runs (table, piece, places, TRUE)
                                    : count_runs (table, piece, places, FALSE);
}

/* A label without an entry ends the count. */
static void
count_piece (WfLabelTable   *table,
             gint64          number,
             WfLabelScratch *scratch)
{
  const WfLabelPiece piece = wf_label_runs_get (&table->runs, number, scratch);

  if (! (table->areas ? count_pixels (table, &piece, scratch) : mark_labels (table, &piece)))
    __atomic_store_n (&table->has_higher, TRUE, __ATOMIC_RELAXED);
}

static gboolean
count_group (gpointer data,
             WfRow    row)
{
  WfLabelTable *table = data;
  const gint64  end   = wf_label_runs_end (&table->runs, row.number);

  for (gint64 i = row.number * WF_GROUP; i < end; i++)
    if (! __atomic_load_n (&table->has_higher, __ATOMIC_RELAXED))
      count_piece (table, i, row.scratch);
  return TRUE;
}

static gboolean
count (WfLabelTable  *table,
       double         share,
       GError       **error)
{
  const WfRows rows = wf_label_runs_rows (&table->runs);

  table->n       = count_entries (table->labels);
  table->entries = g_try_malloc0_n (table->n, sizeof *table->entries);
  table->used    = g_try_malloc0 (table->n / ENTRIES_A_PAGE + 1);
  if (! table->entries || ! table->used)
    return refuse_memory (table->n * sizeof *table->entries, error);
  wf_run_begin (table->run, share, rows.n * rows.amount);
  return wf_run_rows (table->run, &rows, count_group, table, error);
}


/*  Labels that are too high for an entry each  */

/* Twice as many entries.  Beside them are the runs and the index, and when regions are chosen the
 * order of the labels and, where the largest ones are, that of their areas.
 */
static gboolean
add_entries (WfLabelTable  *table,
             GError       **error)
{
  const gint64   n      = MAX (2 * table->n, LEAST_COLLECTED);
  const guint64  bytes  = (guint64) n * sizeof *table->entries;
  const guint64  needed = bytes * (table->areas ? 3 : 2) + wf_label_index_memory (n)
                          + (table->runs.pieces ? wf_label_runs_memory (&table->runs) : 0);
  guint64       *entries;

  if (! wf_context_allow_memory (table->context, needed, error))
    return FALSE;
  entries = g_try_realloc_n (table->entries, n, sizeof *entries);
  if (! entries)
    return refuse_memory (bytes, error);
  memset (entries + table->n, 0, (n - table->n) * sizeof *entries);
  table->entries = entries;
  table->n       = n;
  return TRUE;
}

/* Counts the pixels of a run. */
static gboolean
collect_run (WfLabelTable  *table,
             guint32        label,
             gint64         n_pixels,
             GError       **error)
{
  gint64 number;

  if (table->index.n >= table->n && ! add_entries (table, error))
    return FALSE;
  number = wf_label_index_add (&table->index, label);
  if (number < 0)
    return refuse_memory (wf_label_index_memory (table->index.n + 1), error);
  table->entries[number] += n_pixels;
  return TRUE;
}

static gboolean
collect_piece (WfLabelTable    *table,
               gint64           number,
               WfLabelScratch  *scratch,
               GError         **error)
{
  const WfLabelPiece  piece  = wf_label_runs_get (&table->runs, number, scratch);
  const guint32      *places = wf_label_runs_places (&table->runs, &piece, scratch);

  for (gint64 i = 0; i < piece.n_runs; i++)
    {
      const gint64 end = i + 1 < piece.n_runs ? places[i + 1] : piece.n_pixels;

      if (piece.labels[i] && ! collect_run (table, piece.labels[i], end - places[i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
collect (WfLabelTable  *table,
         double         share,
         GError       **error)
{
  const WfRows               rows    = wf_label_runs_rows (&table->runs);
  g_autofree WfLabelScratch *scratch = wf_allocate (1, sizeof *scratch, error);

  if (! scratch)
    return FALSE;
  memset (scratch, 0, sizeof *scratch);
  g_clear_pointer (&table->entries, g_free);
  table->n = 0;
  wf_run_begin (table->run, share, rows.n * rows.amount);
  for (gint64 i = 0; i < rows.n; i++)
    {
      for (gint64 k = i * WF_GROUP; k < wf_label_runs_end (&table->runs, i); k++)
        if (! collect_piece (table, k, scratch, error))
          return FALSE;
      if (! wf_run_advance (table->run, rows.amount))
        return wf_run_set_cancelled (error);
    }
  table->n = table->index.n;
  return TRUE;
}

/* Counts the pixels of each label of @table->labels, or only notes which labels occur.  @out: what
 * will be written, or %NULL
 */
gboolean
wf_label_table_count (WfLabelTable  *table,
                      const WfImage *out,
                      double         share,
                      GError       **error)
{
  wf_label_runs_init (&table->runs, table->labels, out);
  if ((out && ! wf_label_runs_keep (&table->runs, error)) || ! count (table, share / 2, error))
    return FALSE;
  if (table->has_higher)
    return collect (table, share / 2, error);
  wf_run_begin (table->run, share / 2, 1);      /* done */
  table->entries[0] = 0;        /* no region */
  return TRUE;
}


/*  Which regions stay, and their labels  */

/* The first entry from @i on that is not 0, or their number; of a sparse table all are used. */
static gint64
next_entry (const WfLabelTable *table,
            gint64              i)
{
  if (is_sparse (table))
    return i;
  while (i < table->n && table->entries[i] == 0)
    {
      i++;
      while (i % ENTRIES_A_PAGE == 0 && i < table->n && ! table->used[i / ENTRIES_A_PAGE])
        i += ENTRIES_A_PAGE;
    }
  return MIN (i, table->n);
}

/**
 * Limit:
 * @least: pixels of a region that stays
 * @n_equal: of those of just so many pixels as many stay, those with the lowest labels
 */
typedef struct
{
  double  least;
  guint64 n_equal;
} Limit;

static int
compare_ascending (gconstpointer a,
                   gconstpointer b)
{
  const guint64 one   = *(const guint64 *) a;
  const guint64 other = *(const guint64 *) b;

  return one < other ? -1 : one > other;
}

static int
compare_descending (gconstpointer a,
                    gconstpointer b)
{
  return compare_ascending (b, a);
}

/* That of the largest regions. */
static gboolean
find_limit (const WfLabelTable  *table,
            gint64               count,
            Limit               *limit,
            GError             **error)
{
  g_autofree guint64 *areas = g_try_malloc_n (MAX (table->n, 1), sizeof *areas);
  gint64              n     = 0;

  if (! areas)
    return refuse_memory (table->n * sizeof *areas, error);
  for (gint64 i = next_entry (table, 0); i < table->n; i = next_entry (table, i + 1))
    areas[n++] = table->entries[i];
  *limit = (Limit) { 0, G_MAXUINT64 };
  if (n <= count)
    return TRUE;

  qsort (areas, n, sizeof *areas, compare_descending);
  *limit = (Limit) { (double) areas[count - 1], 0 };
  for (gint64 i = count - 1; i >= 0 && areas[i] == areas[count - 1]; i--)
    limit->n_equal++;
  return TRUE;
}

/* The numbers of the entries of a sparse table in the order of their labels, which fill the high
 * half.
 */
static guint64 *
sort_entries (const WfLabelTable *table)
{
  guint64 *order = g_try_malloc_n (table->n, sizeof *order);

  if (! order)
    return NULL;
  for (gint64 i = 0; i < table->n; i++)
    order[i] = (guint64) table->index.labels[i] << 32 | (guint64) i;
  qsort (order, table->n, sizeof *order, compare_ascending);
  return order;
}

/* Whether region number @i stays; called in the order of labels. */
static gboolean
stays (const WfLabelsTask *task,
       gint64              i,
       guint64             n_pixels,
       Limit              *limit)
{
  const double area = (double) n_pixels;

  if (task->kept)
    return i < task->n_labels && task->kept[i];
  if (task->tool != WF_LABELS_REMOVE_SMALL && task->tool != WF_LABELS_KEEP_LARGEST)
    return TRUE;
  if (area != limit->least)
    return area > limit->least;
  return limit->n_equal > 0 && limit->n_equal--;
}

static gboolean
refuse_count (const WfLabelsTask  *task,
              gint64               n,
              GError             **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
               _("There are %" PRId64 " regions in the label image, but the list of those that "
                 "stay has %" PRId64 " entries."), n, task->n_labels);
  return FALSE;
}

/* Replaces the number of pixels of each label by the label that it gets. */
gboolean
wf_label_table_decide (WfLabelTable  *table,
                       WfLabelsTask  *task,
                       GError       **error)
{
  g_autofree guint64 *order = NULL;
  Limit               limit = { task->least, G_MAXUINT64 };
  gint64              n     = 0;

  if (task->tool == WF_LABELS_KEEP_LARGEST && ! find_limit (table, task->count, &limit, error))
    return FALSE;
  if (is_sparse (table) && ! (order = sort_entries (table)))
    return refuse_memory (table->n * sizeof *order, error);
  task->n_regions = 0;
  for (gint64 i = next_entry (table, 0); i < table->n; i = next_entry (table, i + 1))
    {
      guint64       *entry = &table->entries[order ? (guint32) order[i] : i];
      const guint64  label = order ? order[i] >> 32 : (guint64) i;

      if (! stays (task, n++, *entry, &limit))
        *entry = 0;
      else
        {
          task->n_regions++;
          *entry = task->tool == WF_LABELS_RELABEL ? task->n_regions : label;
        }
    }
  return ! task->kept || n == task->n_labels || refuse_count (task, n, error);
}


/*  The result  */

/* @scratch: of each thread */
typedef struct
{
  WfLabelTable   *table;
  WfImage        *out;
  WfLabelScratch *scratch;
} Writing;

/* The labels that those of runs become. */
static void
look_up (const WfLabelTable *table,
         const WfLabelPiece *piece,
         guint32            *labels)
{
  const guint64 *entries = table->entries;

  if (is_sparse (table))
    for (gint64 i = 0; i < piece->n_runs; i++)
      labels[i] = piece->labels[i]
                  ? (guint32) entries[wf_label_index_find (&table->index, piece->labels[i])] : 0;
  else
    for (gint64 i = 0; i < piece->n_runs; i++)
      labels[i] = (guint32) entries[piece->labels[i]];
}

static gboolean
write_group (gpointer data,
             WfRow    row)
{
  const Writing  *writing = data;
  WfLabelTable   *table   = writing->table;
  WfLabelScratch *scratch = &writing->scratch[row.worker];
  const gint64    end     = wf_label_runs_end (&table->runs, row.number);

  for (gint64 i = row.number * WF_GROUP; i < end; i++)
    {
      const WfLabelPiece piece = wf_label_runs_get (&table->runs, i, scratch);

      look_up (table, &piece, scratch->others);
      wf_label_runs_write (&table->runs, i, &piece, scratch->others, writing->out, scratch);
    }
  wf_label_runs_finish (writing->out);
  return TRUE;
}

/* Writes the label that each pixel gets.  What is needed for that is allocated before the first
 * pixel is written.
 */
gboolean
wf_label_table_write (WfLabelTable  *table,
                      WfImage       *out,
                      double         share,
                      GError       **error)
{
  g_autofree WfLabelScratch *scratch = wf_allocate (MAX (table->run->n_threads, 1),
                                                    sizeof *scratch, error);
  WfRows                     rows    = wf_label_runs_rows (&table->runs);
  Writing                    writing = { table, out, scratch };

  if (! scratch)
    return FALSE;
  rows.scratch_size = 0;
  wf_run_commit (table->run);
  wf_run_begin (table->run, share, rows.n * rows.amount);
  return wf_run_rows (table->run, &rows, write_group, &writing, error);
}

void
wf_label_table_clear (WfLabelTable *table)
{
  g_clear_pointer (&table->entries, g_free);
  g_clear_pointer (&table->used, g_free);
  wf_label_index_clear (&table->index);
  wf_label_runs_clear (&table->runs);
}

/* With labels that have an entry each.  @out: as in wf_label_table_count() */
guint64
wf_label_table_memory (const WfImage *labels,
                       const WfImage *out,
                       gboolean       sorted)
{
  WfLabelRuns runs;

  wf_label_runs_init (&runs, labels, out);
  return count_entries (labels) * sizeof (guint64) * (sorted ? 2 : 1)
         + (out ? wf_label_runs_memory (&runs) : 0);
}
