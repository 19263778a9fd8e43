/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over a row of labels.  The including file defines WF_LABEL, their type, WF_NAME(), and the
 * functions that these call.
 */

/* Labels that are compared at once. */
#define AT_ONCE 8

/* Where the run of equal labels ends that begins at @x. */
static inline gint64
WF_NAME (end_of_run) (const WF_LABEL *row,
                      gint64          x,
                      gint64          n)
{
  const WF_LABEL label = row[x++];

  for (; x + AT_ONCE <= n; x += AT_ONCE)
    {
      WF_LABEL differs = 0;

      for (int i = 0; i < AT_ONCE; i++)
        differs |= row[x + i] ^ label;
      if (differs)
        break;
    }
  while (x < n && row[x] == label)
    x++;
  return x;
}

#undef AT_ONCE

static void
WF_NAME (count_row) (WfLabelTable  *table,
                     gconstpointer  labels,
                     gint64         n,
                     gboolean       alone)
{
  const WF_LABEL *row     = labels;
  WF_LABEL        highest = 0;

  for (gint64 x = 0, end; x < n; x = end)
    {
      end     = WF_NAME (end_of_run) (row, x, n);
      highest = MAX (highest, row[x]);
      if (row[x])
        count_run (table, row[x], end - x, alone);
    }
  raise_highest (table, highest);
}

/* @out may be @labels. */
static void
WF_NAME (write_row) (const WfLabelTable *table,
                     gconstpointer       labels,
                     gint64              n,
                     gpointer            out)
{
  const WF_LABEL *row    = labels;
  WF_LABEL       *target = out;

  for (gint64 x = 0, end; x < n; x = end)
    {
      WF_LABEL label;

      end   = WF_NAME (end_of_run) (row, x, n);
      label = row[x] ? (WF_LABEL) table->entries[find_entry (table, row[x])] : 0;
      for (gint64 i = x; i < end; i++)
        target[i] = label;
    }
}

#undef WF_LABEL
#undef WF_NAME
