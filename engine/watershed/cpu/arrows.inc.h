/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of arrows.h for one type of pixel, WF_PIXEL, and one of L2, WF_L2 with
 * WF_UNREACHED; named by WF_NAME().  They loop over a chunk of a row for one neighbour
 * after the other, so that every inner loop is vectorised.  The results of comparisons are
 * kept in bytes: loops over lanes of a single width are vectorised better.
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

static inline void
WF_NAME (start_chunk) (const WfArrowRow *row,
                       gint64            start,
                       int               n)
{
  const WF_PIXEL *here   = (const WF_PIXEL *) row->here + start;
  WF_L2          *result = (WF_L2 *) row->result + start;
  WF_PIXEL        lowest[CHUNK];
  guint8          lower[CHUNK];

  WF_NAME (find_lowest) (row, start, n, lowest);
  for (int i = 0; i < n; i++)
    lower[i] = lowest[i] < here[i];
  for (int i = 0; i < n; i++)
    result[i] = lower[i] ? 0 : WF_UNREACHED;
}

static inline void
WF_NAME (find_ring_chunk) (const WfArrowRow *row,
                           gint64            start,
                           int               n)
{
  const WF_PIXEL *here    = (const WF_PIXEL *) row->here + start;
  const WF_L2    *plateau = (const WF_L2 *) row->plateau + start;
  guint8         *result  = (guint8 *) row->result + start;
  guint8          equal[CHUNK];
  guint8          ring[CHUNK];

  memset (ring, 0, CHUNK);
  for (int k = 0; k < row->n_neighbours; k++)
    {
      const WF_PIXEL *beside  = (const WF_PIXEL *) row->beside[k] + start;
      const WF_L2    *reached = (const WF_L2 *) row->plateau_beside[k] + start;

      for (int i = 0; i < n; i++)
        equal[i] = beside[i] == here[i];
      for (int i = 0; i < n; i++)
        ring[i] |= equal[i] & (reached[i] == 0);
    }
  for (int i = 0; i < n; i++)
    result[i] = ring[i] & (plateau[i] == WF_UNREACHED);
}

/* L2 of neighbour @k where its level is the lowest; WF_UNREACHED, all ones, elsewhere. */
static inline void
WF_NAME (find_candidates) (const WfArrowRow *row,
                           gint64            start,
                           int               n,
                           int               k,
                           const WF_PIXEL   *lowest,
                           WF_L2            *candidates)
{
  const WF_PIXEL *beside  = (const WF_PIXEL *) row->beside[k] + start;
  const WF_L2    *plateau = (const WF_L2 *) row->plateau_beside[k] + start;
  guint8          equal[CHUNK];

  for (int i = 0; i < n; i++)
    equal[i] = beside[i] == lowest[i];
  for (int i = 0; i < n; i++)
    {
      const WF_L2 distance = plateau[i];
      const WF_L2 no_mask  = (WF_L2) equal[i] - 1;

      candidates[i] = (distance == WF_UNREACHED ? 0 : distance) | no_mask;
    }
}

/* Of equal candidates the first one visited is kept. */
static inline void
WF_NAME (point_chunk) (const WfArrowRow *row,
                       gint64            start,
                       int               n)
{
  const WF_L2 *plateau = (const WF_L2 *) row->plateau + start;
  guint8      *arrows  = (guint8 *) row->result + start;
  WF_PIXEL     lowest[CHUNK];
  WF_L2        candidates[CHUNK];
  WF_L2        least[CHUNK];
  guint8       less[CHUNK];
  guint8       chosen[CHUNK];

  WF_NAME (find_lowest) (row, start, n, lowest);
  memset (least, 0xff, sizeof least);
  memset (chosen, 0, sizeof chosen);
  for (int j = 0; j < row->n_neighbours; j++)
    {
      const int k = row->last_index ? row->n_neighbours - 1 - j : j;

      WF_NAME (find_candidates) (row, start, n, k, lowest, candidates);
      for (int i = 0; i < n; i++)
        less[i] = -(candidates[i] < least[i]);
      for (int i = 0; i < n; i++)
        least[i] = MIN (least[i], candidates[i]);
      for (int i = 0; i < n; i++)
        chosen[i] = (chosen[i] & ~less[i]) | (k & less[i]);
    }
  for (int i = 0; i < n; i++)
    {
      const guint8 arrow = chosen[i];

      arrows[i] = plateau[i] == WF_UNREACHED ? WF_ARROW_ROOT : arrow;
    }
}

/* The last chunk ends at the row's end and overlaps the one before, where it computes the
 * same values again.  Only rows shorter than a chunk take a loop of variable length.
 */
#define DEFINE_ROW(name) \
static void \
WF_NAME (name) (const WfArrowRow *row) \
{ \
  gint64 start = 0; \
\
  for (; start + CHUNK <= row->n; start += CHUNK) \
    WF_NAME (name##_chunk) (row, start, CHUNK); \
  if (start < row->n && row->n > CHUNK) \
    WF_NAME (name##_chunk) (row, row->n - CHUNK, CHUNK); \
  else if (start < row->n) \
    WF_NAME (name##_chunk) (row, start, row->n - start); \
}

DEFINE_ROW (start)
DEFINE_ROW (find_ring)
DEFINE_ROW (point)

#undef DEFINE_ROW
#undef WF_PIXEL
#undef WF_L2
#undef WF_UNREACHED
#undef WF_NAME
