/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows of a row, for one type of pixel: WF_PIXEL, WF_NAME().  Loops over chunks
 * of a row, neighbour after neighbour, so that every one is a loop over vectors.
 */

static inline void
WF_NAME (find_lowest) (const WfArrowRow *row,
                       gint64            start,
                       int               n,
                       WF_PIXEL         *lowest)
{
  for (int i = 0; i < n; i++)
    lowest[i] = ((const WF_PIXEL *) row->beside[0])[start + i];
  for (int k = 1; k < row->n_neighbours; k++)
    {
      const WF_PIXEL *beside = (const WF_PIXEL *) row->beside[k] + start;

      for (int i = 0; i < n; i++)
        lowest[i] = beside[i] < lowest[i] ? beside[i] : lowest[i];
    }
}

/* The wanted one among the equals is looked at last, and stays. */
static inline void
WF_NAME (choose) (const WfArrowRow *row,
                  gint64            start,
                  int               n,
                  const WF_PIXEL   *lowest,
                  guint8           *arrows,
                  guint8           *equals)
{
  memset (equals, 0, CHUNK);
  for (int j = 0; j < row->n_neighbours; j++)
    {
      const int       k      = row->last_index ? j : row->n_neighbours - 1 - j;
      const WF_PIXEL *beside = (const WF_PIXEL *) row->beside[k] + start;

      for (int i = 0; i < n; i++)
        {
          guint8 equal = beside[i] == lowest[i];

          arrows[i]  = equal ? k : arrows[i];
          equals[i] += equal;
        }
    }
}

static inline void
WF_NAME (point_chunk) (const WfArrowRow *row,
                       gint64            start,
                       int               n)
{
  const WF_PIXEL *here   = (const WF_PIXEL *) row->here + start;
  guint8         *arrows = row->arrows + start;
  WF_PIXEL        lowest[CHUNK];
  guint8          equals[CHUNK];

  WF_NAME (find_lowest) (row, start, n, lowest);
  WF_NAME (choose) (row, start, n, lowest, arrows, equals);
  for (int i = 0; i < n; i++)
    {
      guint8 arrow = arrows[i] | (equals[i] > 1 ? WF_ARROW_TIED : 0);

      arrows[i] = lowest[i] < here[i] ? arrow : WF_ARROW_PLATEAU;
    }
}

static void
WF_NAME (point_row) (const WfArrowRow *row)
{
  gint64 start = 0;

  memset (row->arrows, 0, row->n);
  for (; start + CHUNK <= row->n; start += CHUNK)
    WF_NAME (point_chunk) (row, start, CHUNK);
  if (start < row->n)
    WF_NAME (point_chunk) (row, start, row->n - start);
}

#undef WF_PIXEL
#undef WF_NAME
