/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Areas of connected components, and components that are dropped for theirs.
 *
 * A row is read as the pixels at which its bits change: run k begins at change 2k and ends before
 * change 2k + 1.  Components have areas band by band first, so that threads add to none at the same
 * time; those of all bands are joined in one pass.
 */

#include "config.h"

#include "runs.h"


/* The band's component of each run of a row, and the areas of the band's components. */
static const guint32 *
runs_of_row (const WfRuns *runs,
             gint64        row,
             gint64       *first_component)
{
  *first_component = runs->bands[row / runs->rows_a_band].first_component;
  return runs->node + runs->first_run[row];
}

/* Of all bands, once they are connected: as many have areas. */
gint64
wf_runs_count_parts (const WfRuns *runs)
{
  const WfBand *last = &runs->bands[runs->n_bands - 1];

  return last->first_component + last->n_components;
}

/* Adds the pixels of a row to the areas, which begin with 0.  Rows of different bands may be added
 * at the same time.
 */
void
wf_runs_add_row (const WfRuns *runs,
                 gint64        row,
                 guint64      *areas)
{
  const guint64 *bits   = wf_runs_row (runs, row);
  gint64         first;
  const guint32 *node   = runs_of_row (runs, row, &first);
  guint64       *area   = areas + first;
  guint64        before = 0;
  gint64         n      = 0;      /* changes */

  for (gint64 i = 0; i < runs->n_words; i++)
    {
      guint64 changes = bits[i] ^ (bits[i] << 1 | before);

      before = bits[i] >> 63;
      for (; changes; changes &= changes - 1, n++)
        {
          const guint64 x = i * WF_BITS_A_WORD + __builtin_ctzll (changes);

          area[node[n / 2]] += n % 2 ? x : -x;
        }
    }
  if (n % 2)
    area[node[n / 2]] += runs->shape.width;
}

/* Makes the areas of parts those of components: that with label i has areas[i − 1].  A label is not
 * above the number of its part, so it has been read when it is added to.
 */
void
wf_runs_join_areas (const WfRuns *runs,
                    guint64      *areas)
{
  const gint64 n = wf_runs_count_parts (runs);

  for (gint64 i = 0; runs->label && i < n; i++)
    {
      const guint64 area = areas[i];

      areas[i]                   = 0;
      areas[runs->label[i] - 1] += area;
    }
}

static void
clear_bits (guint64 *bits,
            gint64   start,
            gint64   end)
{
  const gint64  first = start / WF_BITS_A_WORD;
  const gint64  last  = (end - 1) / WF_BITS_A_WORD;
  const guint64 from  = ~(guint64) 0 << start % WF_BITS_A_WORD;
  const guint64 to    = ~(guint64) 0 >> (WF_BITS_A_WORD - 1 - (end - 1) % WF_BITS_A_WORD);

  if (first == last)
    {
      bits[first] &= ~(from & to);
      return;
    }
  bits[first] &= ~from;
  for (gint64 i = first + 1; i < last; i++)
    bits[i] = 0;
  bits[last] &= ~to;
}

/* Clears the bits of a row that are of components of fewer than @least pixels.  @areas: joined */
void
wf_runs_drop_row (const WfRuns  *runs,
                  gint64         row,
                  const guint64 *areas,
                  guint64        least)
{
  guint64       *bits   = wf_runs_row (runs, row);
  gint64         first;
  const guint32 *node   = runs_of_row (runs, row, &first);
  const guint32 *label  = runs->label ? runs->label + first : NULL;
  guint64        before = 0;
  gint64         start  = 0;
  gboolean       inside = FALSE;
  gboolean       drops  = FALSE;

  for (gint64 i = 0; i < runs->n_words; i++)
    {
      guint64 changes = bits[i] ^ (bits[i] << 1 | before);

      before = bits[i] >> 63;
      for (; changes; changes &= changes - 1)
        {
          const gint64 x = i * WF_BITS_A_WORD + __builtin_ctzll (changes);

          inside = ! inside;
          if (inside)
            {
              drops = areas[label ? label[*node] - 1 : *node] < least;
              start = x;
              node++;
            }
          else if (drops)
            clear_bits (bits, start, x);
        }
    }
  if (inside && drops)
    clear_bits (bits, start, runs->shape.width);
}
