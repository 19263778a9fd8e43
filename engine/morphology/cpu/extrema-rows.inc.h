/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of regional extrema, for one type of pixel and one direction: WF_PIXEL,
 * WF_NAME(), WF_EXCEEDS (a, b) and EXTREME (a, b), the one of both that exceeds the
 * other.  They loop over a chunk of a row for one neighbour after the other, so that every
 * inner loop is vectorised.
 */

#define CHUNK 256

static inline guint8
WF_NAME (compare_pixel) (const WfExtremumRow *row,
                         gint64               x)
{
  const WF_PIXEL *here  = row->here;
  const gint64    from  = x > 0 ? x - 1 : 0;
  const gint64    to    = x < row->n - 1 ? x + 1 : x;
  guint8          state = WF_EXTREMUM_YES;

  for (int k = -1; k < row->n_beside; k++)
    {
      const WF_PIXEL *line = k < 0 ? here : row->beside[k];

      for (gint64 i = from; i <= to; i++)
        {
          if (i == x ? k < 0 : k >= 0 && ! row->diagonal)
            continue;
          if (WF_EXCEEDS (line[i], here[x]))
            return WF_EXTREMUM_NO;
          if (line[i] == here[x])
            state = WF_EXTREMUM_PLATEAU;
        }
    }
  return state;
}

/* For pixels that have a neighbour on either side. */
static inline void
WF_NAME (compare_chunk) (const WfExtremumRow *row,
                         gint64               start,
                         int                  n)
{
  const WF_PIXEL *here  = (const WF_PIXEL *) row->here + start;
  guint8         *state = row->state + start;
  WF_PIXEL        most[CHUNK];

  for (int i = 0; i < n; i++)
    most[i] = EXTREME (here[i - 1], here[i + 1]);
  for (int k = 0; k < row->n_beside; k++)
    {
      const WF_PIXEL *line = (const WF_PIXEL *) row->beside[k] + start;

      if (row->diagonal)
        for (int i = 0; i < n; i++)
          {
            WF_PIXEL sides = EXTREME (line[i - 1], line[i + 1]);
            WF_PIXEL three = EXTREME (sides, line[i]);

            most[i] = EXTREME (three, most[i]);
          }
      else
        for (int i = 0; i < n; i++)
          most[i] = EXTREME (line[i], most[i]);
    }
  for (int i = 0; i < n; i++)
    {
      guint8 equal = most[i] == here[i] ? WF_EXTREMUM_PLATEAU : WF_EXTREMUM_NO;

      state[i] = WF_EXCEEDS (here[i], most[i]) ? WF_EXTREMUM_YES : equal;
    }
}

static void
WF_NAME (extremum) (const WfExtremumRow *row)
{
  gint64 x = 1;

  row->state[0] = WF_NAME (compare_pixel) (row, 0);
  for (; x + CHUNK < row->n; x += CHUNK)
    WF_NAME (compare_chunk) (row, x, CHUNK);
  if (x < row->n - 1)
    WF_NAME (compare_chunk) (row, x, row->n - 1 - x);
  row->state[row->n - 1] = WF_NAME (compare_pixel) (row, row->n - 1);
}

/* Whether pixels equal the pixel of @line at an offset of @by that is no extremum. */
static inline void
WF_NAME (find_out) (const WF_PIXEL  *here,
                    const WF_PIXEL  *line,
                    const guint8    *states,
                    int              n,
                    guint8 *restrict out)
{
  for (int i = 0; i < n; i++)
    {
      guint8 level = line[i] == here[i] ? 1 : 0;
      guint8 state = states[i] == WF_EXTREMUM_NO ? 1 : 0;

      out[i] |= level & state;
    }
}

static inline void
WF_NAME (take_out) (guint8 *restrict       state,
                    const guint8 *restrict out,
                    int                    n)
{
  for (int i = 0; i < n; i++)
    {
      guint8 plateau = state[i] == WF_EXTREMUM_PLATEAU ? 1 : 0;

      state[i] = plateau & out[i] ? WF_EXTREMUM_NO : state[i];
    }
}

static inline void
WF_NAME (spread_chunk) (const WfSpreadRow *row,
                        gint64             start,
                        int                n)
{
  const WF_PIXEL *here       = (const WF_PIXEL *) row->here + start;
  guint8         *state      = row->state + start;
  guint8          out[CHUNK] = { 0 };

  for (int k = 0; k < row->n_beside; k++)
    {
      const WF_PIXEL *line   = (const WF_PIXEL *) row->beside[k] + start;
      const guint8   *states = row->states_beside[k] + start;

      WF_NAME (find_out) (here, line, states, n, out);
      if (row->diagonal)
        {
          WF_NAME (find_out) (here, line - 1, states - 1, n, out);
          WF_NAME (find_out) (here, line + 1, states + 1, n, out);
        }
    }
  WF_NAME (take_out) (state, out, n);
  memset (out, 0, sizeof out);
  WF_NAME (find_out) (here, here - 1, state - 1, n, out);
  WF_NAME (find_out) (here, here + 1, state + 1, n, out);
  WF_NAME (take_out) (state, out, n);
}

static void
WF_NAME (spread) (const WfSpreadRow *row)
{
  gint64 x = 1;

  for (; x + CHUNK < row->n; x += CHUNK)
    WF_NAME (spread_chunk) (row, x, CHUNK);
  if (x < row->n - 1)
    WF_NAME (spread_chunk) (row, x, row->n - 1 - x);
}

#undef CHUNK
