/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regions of an image of labels in a table: they are counted, each gets a new label, and the image
 * is written again.
 *
 * Where runs of equal labels begin is found many pixels at once (bit-rows.h), so that counting takes
 * little more than reading the labels.  Labels up to a quarter of the number of
 * pixels, and all of u8 and u16, are indices of the table, whose memory is cleared by the system
 * when it is first used; label 0 stays 0.  If there is a higher one, the labels that occur are
 * collected and sorted first, and each run is looked up among them.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "bit-rows.h"
#include "label-tools.h"

/* Of u32, as many labels have an entry in any image. */
#define LEAST_ENTRIES 65536

/* Labels that are collected before they are sorted. */
#define LEAST_COLLECTED 65536

/* Labels in the order in which they were met, of which the first are sorted and occur once. */
typedef struct
{
  guint32 *values;
  gint64   n;
  gint64   n_sorted;
  gint64   room;
} Collection;


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
allocate_entries (WfLabelTable  *table,
                  gint64         n,
                  GError       **error)
{
  g_free (table->entries);
  table->n       = n;
  table->entries = g_try_malloc0_n (MAX (n, 1), sizeof *table->entries);
  return table->entries || refuse_memory (n * sizeof *table->entries, error);
}

static int
compare_values (gconstpointer a,
                gconstpointer b)
{
  const guint32 one   = *(const guint32 *) a;
  const guint32 other = *(const guint32 *) b;

  return one < other ? -1 : one > other;
}

/* The entry of a label that has one. */
static inline gint64
find_entry (const WfLabelTable *table,
            guint32             label)
{
  gint64 first = 0;
  gint64 n     = table->n;

  if (! table->values)
    return label;
  while (n > 1)
    {
      const gint64 half = n / 2;

      first += table->values[first + half] <= label ? half : 0;
      n     -= half;
    }
  return first;
}

/* @alone: no other thread counts.  Labels without an entry are found by the highest one. */
static inline void
count_run (WfLabelTable *table,
           guint32       label,
           gint64        n_pixels,
           gboolean      alone)
{
  const gint64 entry = find_entry (table, label);

  if (entry >= table->n)
    return;
  if (alone)
    table->entries[entry] += n_pixels;
  else
    __atomic_fetch_add (&table->entries[entry], (guint64) n_pixels, __ATOMIC_RELAXED);
}

static void
raise_highest (WfLabelTable *table,
               guint32       label)
{
  guint32 highest = __atomic_load_n (&table->highest, __ATOMIC_RELAXED);

  while (label > highest &&
         ! __atomic_compare_exchange_n (&table->highest, &highest, label, TRUE, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
    ;
}


/*  Labels that are too high for an entry each  */

static void
sort_collected (Collection *collection)
{
  guint32 *values = collection->values;
  gint64   n      = 0;

  if (collection->n > 1)
    qsort (values, collection->n, sizeof *values, compare_values);
  for (gint64 i = 0; i < collection->n; i++)
    if (i == 0 || values[i] != values[i - 1])
      values[n++] = values[i];
  collection->n = collection->n_sorted = n;
}

/* Sorts when the room is full, and takes twice as much if that leaves less than half of it. */
static gboolean
make_room (Collection *collection)
{
  guint32 *larger;

  sort_collected (collection);
  if (collection->n <= collection->room / 2 && collection->room > 0)
    return TRUE;
  larger = g_try_realloc_n (collection->values, MAX (2 * collection->room, LEAST_COLLECTED),
                            sizeof *larger);
  if (! larger)
    return FALSE;
  collection->values = larger;
  collection->room   = MAX (2 * collection->room, LEAST_COLLECTED);
  return TRUE;
}

static inline gboolean
collect (Collection *collection,
         guint32     label)
{
  if (collection->n > collection->n_sorted && collection->values[collection->n - 1] == label)
    return TRUE;
  if (collection->n == collection->room && ! make_room (collection))
    return FALSE;
  collection->values[collection->n++] = label;
  return TRUE;
}


#define WF_LABEL      guint8
#define WF_NAME(name) name##_u8
#include "label-rows.inc.h"

#define WF_LABEL      guint16
#define WF_NAME(name) name##_u16
#include "label-rows.inc.h"

#define WF_LABEL      guint32
#define WF_NAME(name) name##_u32
#include "label-rows.inc.h"


static WfRows
rows_of (const WfImage *labels)
{
  return (WfRows) { .n = labels->height * labels->depth, .amount = labels->width,
                    .scratch_size = wf_bit_words (labels->width) * sizeof (guint64) };
}

static void
find_starts (const WfImage *labels,
             gconstpointer  pixels,
             guint64       *starts)
{
  const WfLabelSteps *steps = wf_label_steps ();

  if (labels->type == WF_TYPE_U8)
    steps->starts_of_u8 (pixels, labels->width, starts);
  else if (labels->type == WF_TYPE_U16)
    steps->starts_of_u16 (pixels, labels->width, starts);
  else
    steps->starts_of_u32 (pixels, labels->width, starts);
}

static gboolean
count_row (gpointer data,
           WfRow    row)
{
  WfLabelTable  *table  = data;
  const WfImage *labels = table->labels;
  gconstpointer  pixels = wf_image_row (labels, row.number);
  const gboolean alone  = table->run->n_threads == 1;

  find_starts (labels, pixels, row.scratch);
  if (labels->type == WF_TYPE_U8)
    count_row_u8 (table, pixels, labels->width, row.scratch, alone);
  else if (labels->type == WF_TYPE_U16)
    count_row_u16 (table, pixels, labels->width, row.scratch, alone);
  else
    count_row_u32 (table, pixels, labels->width, row.scratch, alone);
  return TRUE;
}

static gboolean
count (WfLabelTable  *table,
       double         share,
       GError       **error)
{
  const WfRows rows = rows_of (table->labels);

  wf_run_begin (table->run, share, rows.n * rows.amount);
  return wf_run_rows (table->run, &rows, count_row, table, error);
}

static gboolean
collect_row (Collection    *collection,
             const guint32 *row,
             gint64         n)
{
  for (gint64 x = 0; x < n; x++)
    if (row[x] && (x == 0 || row[x] != row[x - 1]) && ! collect (collection, row[x]))
      return FALSE;
  return TRUE;
}

static gboolean
collect_values (WfLabelTable  *table,
                double         share,
                GError       **error)
{
  const WfImage *labels     = table->labels;
  const WfRows   rows       = rows_of (labels);
  Collection     collection = { NULL };
  gboolean       done       = TRUE;

  wf_run_begin (table->run, share, rows.n * rows.amount);
  for (gint64 row = 0; row < rows.n && done; row++)
    {
      if (! collect_row (&collection, wf_image_row (labels, row), labels->width))
        done = refuse_memory (2 * collection.room * sizeof (guint32), error);
      else if (! wf_run_advance (table->run, rows.amount))
        done = wf_run_set_cancelled (error);
    }
  sort_collected (&collection);
  table->values = collection.values;
  return done && allocate_entries (table, collection.n, error);
}

/* Counts the pixels of each label of @table->labels. */
gboolean
wf_label_table_count (WfLabelTable  *table,
                      double         share,
                      GError       **error)
{
  if (! allocate_entries (table, count_entries (table->labels), error) ||
      ! count (table, share / 2, error))
    return FALSE;
  if (table->highest >= table->n)
    return collect_values (table, share / 4, error) && count (table, share / 4, error);
  table->n = (gint64) table->highest + 1;
  return TRUE;
}


/*  Which regions stay, and their labels  */

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
compare_descending (gconstpointer a,
                    gconstpointer b)
{
  const guint64 one   = *(const guint64 *) a;
  const guint64 other = *(const guint64 *) b;

  return one > other ? -1 : one < other;
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
  for (gint64 i = 0; i < table->n; i++)
    if (table->entries[i] > 0)
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

/* Replaces the number of pixels of each label by the label that it gets. */
gboolean
wf_label_table_decide (WfLabelTable  *table,
                       WfLabelsTask  *task,
                       GError       **error)
{
  Limit limit = { task->least, G_MAXUINT64 };

  if (task->tool == WF_LABELS_KEEP_LARGEST && ! find_limit (table, task->count, &limit, error))
    return FALSE;
  task->n_regions = 0;
  for (gint64 i = 0; i < table->n; i++)
    {
      const double area  = (double) table->entries[i];
      gboolean     stays = area > 0;

      if (task->tool == WF_LABELS_REMOVE_SMALL || task->tool == WF_LABELS_KEEP_LARGEST)
        stays = stays && area >= limit.least && (area > limit.least || limit.n_equal > 0);
      limit.n_equal    -= stays && area == limit.least;
      task->n_regions  += stays;
      table->entries[i] = ! stays                           ? 0
                          : task->tool == WF_LABELS_RELABEL ? task->n_regions
                          : table->values                   ? table->values[i]
                                                            : (guint64) i;
    }
  return TRUE;
}


/*  The result  */

typedef struct
{
  const WfLabelTable *table;
  WfImage            *out;
} Writing;

static gboolean
write_row (gpointer data,
           WfRow    row)
{
  const Writing *writing = data;
  const WfImage *labels  = writing->table->labels;
  gconstpointer  pixels  = wf_image_row (labels, row.number);
  gpointer       target  = wf_image_row (writing->out, row.number);
  guint64       *starts  = writing->table->values ? row.scratch : NULL;

  if (starts)
    find_starts (labels, pixels, starts);
  if (labels->type == WF_TYPE_U8)
    write_row_u8 (writing->table, pixels, labels->width, starts, target);
  else if (labels->type == WF_TYPE_U16)
    write_row_u16 (writing->table, pixels, labels->width, starts, target);
  else
    write_row_u32 (writing->table, pixels, labels->width, starts, target);
  return TRUE;
}

/* Writes the label that each pixel gets; nothing may fail any more. */
gboolean
wf_label_table_write (WfLabelTable  *table,
                      WfImage       *out,
                      double         share,
                      GError       **error)
{
  const WfRows rows    = rows_of (table->labels);
  Writing      writing = { table, out };

  wf_run_commit (table->run);
  wf_run_begin (table->run, share, rows.n * rows.amount);
  return wf_run_rows (table->run, &rows, write_row, &writing, error);
}

void
wf_label_table_clear (WfLabelTable *table)
{
  g_clear_pointer (&table->entries, g_free);
  g_clear_pointer (&table->values, g_free);
}

/* With labels that have an entry each. */
guint64
wf_label_table_memory (const WfImage *labels)
{
  return 2 * count_entries (labels) * sizeof (guint64);
}
