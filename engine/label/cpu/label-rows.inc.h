/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over a row of labels.  The including file defines WF_LABEL, their type, WF_NAME(), and the
 * functions that these call.  @starts has a bit for each pixel at which a run begins.
 */

static void
WF_NAME (count_row) (WfLabelTable  *table,
                     gconstpointer  labels,
                     gint64         n,
                     const guint64 *starts,
                     gboolean       alone)
{
  const WF_LABEL *row     = labels;
  WF_LABEL        highest = 0;
  gint64          start   = 0;

  for (gint64 i = 0; i < wf_bit_words (n); i++)
    for (guint64 todo = i == 0 ? starts[i] & ~(guint64) 1 : starts[i]; todo; todo &= todo - 1)
      {
        const gint64 end = i * WF_BITS_A_WORD + __builtin_ctzll (todo);

        highest = MAX (highest, row[start]);
        if (row[start])
          count_run (table, row[start], end - start, alone);
        start = end;
      }
  highest = MAX (highest, row[start]);
  if (row[start])
    count_run (table, row[start], n - start, alone);
  raise_highest (table, highest);
}

/* @out may be @labels.  @starts: where labels are looked up; else %NULL */
static void
WF_NAME (write_row) (const WfLabelTable *table,
                     gconstpointer       labels,
                     gint64              n,
                     const guint64      *starts,
                     gpointer            out)
{
  const WF_LABEL *row    = labels;
  WF_LABEL       *target = out;
  WF_LABEL        label  = 0;

  if (! starts)
    for (gint64 x = 0; x < n; x++)
      target[x] = (WF_LABEL) table->entries[row[x]];
  else
    for (gint64 x = 0; x < n; x++)
      {
        if (starts[x / WF_BITS_A_WORD] >> x % WF_BITS_A_WORD & 1)
          label = row[x] ? (WF_LABEL) table->entries[find_entry (table, row[x])] : 0;
        target[x] = label;
      }
}

#undef WF_LABEL
#undef WF_NAME
