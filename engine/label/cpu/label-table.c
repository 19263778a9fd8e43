/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regions of an image of labels in a table: they are counted, each gets a new label, and the image
 * is written again.
 *
 * The first pass goes over the runs of equal labels (label-runs.h), so that the table is touched
 * once a run.  The second one writes runs where they are long; else it looks up each pixel.  Labels
 * up to a quarter of the number of pixels, and all of u8 and u16, are indices of the table, which
 * is cleared as far as labels reach.  If there is a higher one, labels get entries in the order in
 * which they are met, and are looked up by their hash; one thread counts then.  How many labels
 * there are is not known before: so the memory that they take is compared with the context's limit
 * whenever it grows.  The second pass is in label-write.c.
 *
 * Bytes a pixel of u32: 4 read by the first pass; the second one reads 4 where runs are short, and
 * writes 4.
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

/* So many entries are cleared at a time, a power of two; tables have a multiple of 8. */
#define CLEARED_AT_ONCE 4096

/* At most, where labels have entries without an index. */
#define BYTES_AN_ENTRY sizeof (guint64)


static gint64
count_entries (const WfImage *labels)
{
  return labels->type == WF_TYPE_U8    ? G_MAXUINT8 + 1
         : labels->type == WF_TYPE_U16 ? G_MAXUINT16 + 1
                                       : MAX (LEAST_ENTRIES,
                                              (wf_image_n_pixels (labels) / 32 + 1) * 8);
}


/*  Labels that have an entry each  */

static void
clear_entries (WfLabelTable *table,
               gint64        end)
{
  const gint64 first = table->n_cleared;
  const gsize  n     = (gsize) (end - first);

  if (table->marks)
    memset (table->marks + first, 0, n);
  else
    memset (table->counts.low + first, 0, n * sizeof *table->counts.low);
  if (table->counts.high)
    memset (table->counts.high + first, 0, n * sizeof *table->counts.high);
  __atomic_store_n (&table->n_cleared, end, __ATOMIC_RELEASE);
}

/* Entries are cleared up to a label when it is met. */
static void
reach_label (WfLabelTable *table,
            guint32       label)
{
  if (G_LIKELY (label < __atomic_load_n (&table->n_cleared, __ATOMIC_ACQUIRE)))
    return;
  g_mutex_lock (&table->lock);
  if (label >= table->n_cleared)
    clear_entries (table, MIN (((gint64) label | (CLEARED_AT_ONCE - 1)) + 1, table->n));
  g_mutex_unlock (&table->lock);
}

static guint32
find_highest (const WfLabelPiece *piece)
{
  guint32 highest = piece->labels[0];

  for (gint64 i = 1; i < piece->n_runs; i++)
    highest = MAX (highest, piece->labels[i]);
  return highest;
}

/* Bytes may be part of anything: what is in variables is not read again after each of them. */
static void
mark_labels (const WfLabelTable *table,
             const WfLabelPiece *piece)
{
  guint8        *marks  = table->marks;
  const guint32 *labels = piece->labels;
  const gint64   n      = piece->n_runs;

  for (gint64 i = 0; i < n; i++)
    __atomic_store_n (&marks[labels[i]], 1, __ATOMIC_RELAXED);
}

static void
count_pixels (const WfLabelTable *table,
              const WfLabelPiece *piece,
              WfLabelScratch     *scratch)
{
  const guint32 *places = wf_label_runs_places (&table->runs, piece, scratch);
  const guint32  end    = (guint32) piece->n_pixels;

  if (table->run->n_threads == 1)
    wf_label_counts_add_runs (table->counts, piece->labels, places, piece->n_runs, end, FALSE);
  else
    wf_label_counts_add_runs (table->counts, piece->labels, places, piece->n_runs, end, TRUE);
}

/* A label without an entry ends the count. */
static void
count_piece (WfLabelTable   *table,
             gint64          number,
             WfLabelScratch *scratch)
{
  WfLabelPiece piece;
  guint32      highest;

  wf_label_runs_get (&table->runs, number, &piece, scratch);
  highest = table->labels->type == WF_TYPE_U32 ? piece.highest : find_highest (&piece);
  if (highest >= table->n)
    {
      __atomic_store_n (&table->has_higher, TRUE, __ATOMIC_RELAXED);
      return;
    }
  reach_label (table, highest);
  if (table->areas)
    count_pixels (table, &piece, scratch);
  else
    mark_labels (table, &piece);
}

static gboolean
count_group (gpointer data,
             WfRow    row)
{
  WfLabelTable *table = data;

  for (int i = 0; i < WF_GROUP; i++)
    {
      const gint64 number = wf_label_runs_piece (&table->runs, row.number, i);

      if (number >= 0 && ! __atomic_load_n (&table->has_higher, __ATOMIC_RELAXED))
        count_piece (table, number, row.scratch);
    }
  return TRUE;
}

static void
free_entries (WfLabelTable *table)
{
  table->counts.low = NULL;     /* the same as: */
  g_clear_pointer (&table->others, g_free);
  g_clear_pointer (&table->counts.high, g_free);
  g_clear_pointer (&table->marks, g_free);
}

static gboolean
allocate_entries (WfLabelTable *table,
                  GError      **error)
{
  const gboolean many = table->areas && wf_image_n_pixels (table->labels) > G_MAXUINT32;

  table->n      = count_entries (table->labels);
  table->others = g_try_malloc_n (table->n, sizeof *table->others);
  if (table->areas)
    table->counts.low = table->others;
  else
    table->marks = g_try_malloc (table->n);
  if (many)
    table->counts.high = g_try_malloc_n (table->n, sizeof *table->counts.high);
  return (table->others && (table->areas || table->marks) && (! many || table->counts.high)) ||
         wf_refuse_memory (table->n * BYTES_AN_ENTRY, error);
}

static gboolean
count (WfLabelTable  *table,
       double         share,
       GError       **error)
{
  const WfRows rows = wf_label_runs_rows (&table->runs);
  gboolean     done;

  if (! allocate_entries (table, error))
    return FALSE;
  wf_run_begin (table->run, share, rows.n * rows.amount);
  g_mutex_init (&table->lock);
  done = wf_run_rows (table->run, &rows, count_group, table, error);
  g_mutex_clear (&table->lock);
  return done;
}


/*  Labels that are too high for an entry each  */

/* Twice as many entries.  Beside them are the runs and the index, and when regions are chosen the
 * order of the labels.
 */
static gboolean
add_entries (WfLabelTable  *table,
             GError       **error)
{
  const gint64   n      = MAX (2 * table->n, LEAST_COLLECTED);
  const guint64  bytes  = (guint64) n * sizeof *table->entries;
  const guint64  needed = bytes * 2 + wf_label_index_memory (n)
                          + (table->runs.pieces ? wf_label_runs_memory (&table->runs) : 0);
  guint64       *entries;

  if (! wf_context_allow_memory (table->context, needed, error))
    return FALSE;
  entries = g_try_realloc_n (table->entries, n, sizeof *entries);
  if (! entries)
    return wf_refuse_memory (bytes, error);
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
    return wf_refuse_memory (wf_label_index_memory (table->index.n + 1), error);
  table->entries[number] += n_pixels;
  return TRUE;
}

static gboolean
collect_piece (WfLabelTable    *table,
               gint64           number,
               WfLabelScratch  *scratch,
               GError         **error)
{
  WfLabelPiece   piece;
  const guint32 *places;

  wf_label_runs_get (&table->runs, number, &piece, scratch);
  places = wf_label_runs_places (&table->runs, &piece, scratch);
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
  free_entries (table);
  table->n = 0;
  wf_run_begin (table->run, share, rows.n * rows.amount);
  for (gint64 i = 0; i < rows.n; i++)
    {
      for (int k = 0; k < WF_GROUP; k++)
        {
          const gint64 number = wf_label_runs_piece (&table->runs, i, k);

          if (number >= 0 && ! collect_piece (table, number, scratch, error))
            return FALSE;
        }
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
  table->runs.with_places = table->areas;
  table->runs.alone       = table->run->n_threads == 1;
  if ((out && ! wf_label_runs_keep (&table->runs, error)) || ! count (table, share / 2, error))
    return FALSE;
  if (table->has_higher)
    return collect (table, share / 2, error);
  wf_run_begin (table->run, share / 2, 1);      /* done */
  return TRUE;
}


/*  Which regions stay, and their labels  */

static guint64
count_of (const WfLabelTable *table,
          gint64              i)
{
  if (wf_label_table_is_sparse (table))
    return table->entries[i];
  if (table->marks)
    return table->marks[i];
  return table->counts.low[i] + (table->counts.high ? (guint64) table->counts.high[i] << 32 : 0);
}

/* The first entry from @i on, or @end, before which no label occurs, in steps of eight entries. */
static gint64
skip_unused (const WfLabelTable *table,
             gint64              i,
             gint64              end)
{
  guint64 entries[4];

  for (; i < end; i += 8)
    {
      if (table->marks)
        {
          memcpy (entries, table->marks + i, sizeof *entries);
          if (entries[0])
            break;
          continue;
        }
      memcpy (entries, table->counts.low + i, sizeof entries);
      if (entries[0] | entries[1] | entries[2] | entries[3])
        break;
    }
  return i;
}

/* The first entry from @i on of a label that occurs, or their number.  A sparse table has no
 * others; else the first one is of no region.
 */
static gint64
next_entry (const WfLabelTable *table,
            gint64              i)
{
  if (wf_label_table_is_sparse (table))
    return i;
  i = MAX (i, 1);
  while (i < table->n_cleared && ! count_of (table, i))
    {
      i++;
      if (i % 8 == 0 && ! table->counts.high)   /* else they are looked at one by one */
        i = skip_unused (table, i, table->n_cleared);
    }
  return i < table->n_cleared ? i : table->n;
}

static void
set_other (WfLabelTable *table,
           gint64        i,
           guint32       label)
{
  if (wf_label_table_is_sparse (table))
    table->entries[i] = label;
  else
    table->others[i] = label;
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

/* An area is small below this. */
#define SMALL_AREAS 4096

static int
compare_ascending (gconstpointer a,
                   gconstpointer b)
{
  const guint64 one   = *(const guint64 *) a;
  const guint64 other = *(const guint64 *) b;

  return one < other ? -1 : one > other;
}

/* How many regions have each area from 1 to SMALL_AREAS − 1, or a larger one, and the largest. */
static guint64
count_areas (const WfLabelTable *table,
             guint64             bins[SMALL_AREAS + 1])
{
  guint64 largest = 0;

  memset (bins, 0, (SMALL_AREAS + 1) * sizeof *bins);
  for (gint64 i = next_entry (table, 0); i < table->n; i = next_entry (table, i + 1))
    {
      const guint64 area = count_of (table, i);

      bins[MIN (area, SMALL_AREAS)]++;
      largest = MAX (largest, area);
    }
  return largest;
}

/* That of the largest regions.  Most regions are small: one pass finds how many have each small
 * area.  A larger area of the last one that stays is found byte by byte, the highest one first: how
 * many of the areas that begin with the bytes found have each next one.
 */
static void
find_limit (const WfLabelTable *table,
            gint64              count,
            Limit              *limit)
{
  guint64       small[SMALL_AREAS + 1];
  const guint64 largest = count_areas (table, small);
  guint64       area    = SMALL_AREAS;
  guint64       rest    = (guint64) count;
  int           shift   = 0;

  for (; area > 0 && rest > small[area]; area--)
    rest -= small[area];
  *limit = area > 0 ? (Limit) { (double) area, rest } : (Limit) { 0, G_MAXUINT64 };
  if (area < SMALL_AREAS)
    return;
  area = 0;
  while (largest >> shift >> 8)
    shift += 8;
  for (; shift >= 0; shift -= 8)
    {
      guint64 bins[256] = { 0 };
      int     byte      = 255;

      for (gint64 i = next_entry (table, 0); i < table->n; i = next_entry (table, i + 1))
        if (count_of (table, i) >> shift >> 8 == area)
          bins[count_of (table, i) >> shift & 255]++;
      for (; rest > bins[byte]; byte--)
        rest -= bins[byte];
      area = area << 8 | (guint64) byte;
    }
  *limit = (Limit) { (double) area, rest };
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
  if (task->operation != WF_OPERATION_REMOVE_SMALL &&
      task->operation != WF_OPERATION_KEEP_LARGEST)
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
wf_label_table_decide (WfLabelTable        *table,
                       const WfLabelsTask  *task,
                       GError             **error)
{
  const gboolean      numbers = task->operation == WF_OPERATION_RELABEL;
  g_autofree guint64 *order   = NULL;
  Limit               limit   = { task->least, G_MAXUINT64 };
  gint64              n       = 0;
  guint32             n_kept  = 0;

  if (task->operation == WF_OPERATION_KEEP_LARGEST)
    find_limit (table, task->count, &limit);
  if (wf_label_table_is_sparse (table) && ! (order = sort_entries (table)))
    return wf_refuse_memory (table->n * sizeof *order, error);
  for (gint64 i = next_entry (table, 0); i < table->n; i = next_entry (table, i + 1))
    {
      const gint64  entry = order ? (guint32) order[i] : i;
      const guint32 label = (guint32) (order ? order[i] >> 32 : (guint64) i);

      if (! stays (task, n++, count_of (table, entry), &limit))
        {
          set_other (table, entry, 0);
          continue;
        }
      n_kept++;
      set_other (table, entry, numbers ? n_kept : label);
    }
  *task->n_regions = n_kept;
  if (! wf_label_table_is_sparse (table))
    table->others[0] = 0;
  return ! task->kept || n == task->n_labels || refuse_count (task, n, error);
}


void
wf_label_table_clear (WfLabelTable *table)
{
  free_entries (table);
  g_clear_pointer (&table->entries, g_free);
  wf_label_index_clear (&table->index);
  wf_label_runs_clear (&table->runs);
}

/* With labels that have an entry each.  @out: as in wf_label_table_count() */
guint64
wf_label_table_memory (const WfImage *labels,
                       const WfImage *out)
{
  WfLabelRuns runs;

  wf_label_runs_init (&runs, labels, out);
  return count_entries (labels) * BYTES_AN_ENTRY
         + (out ? wf_label_runs_memory (&runs) : 0);
}
