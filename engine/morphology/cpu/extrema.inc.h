/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Clearing plateaux that are no extrema, for one type of pixel: WF_PIXEL, WF_NAME().
 * Levels are only compared for equality, so maxima and minima share this.
 */

static inline const WF_PIXEL *
WF_NAME (level_row) (const Spread *spread,
                     gint64        row)
{
  return (const WF_PIXEL *) spread->image->data + wf_image_row_offset (spread->image, row);
}

/* The end of the stretch of undecided pixels with the level of the one at @x. */
static inline gint64
WF_NAME (end_of_stretch) (const WF_PIXEL *levels,
                          const guint8   *states,
                          gint64          x,
                          gint64          width)
{
  const WF_PIXEL level = levels[x];

  for (x++; x < width && states[x] == WF_EXTREMUM_PLATEAU && levels[x] == level; x++)
    ;
  return x;
}

static inline gint64
WF_NAME (start_of_stretch) (const WF_PIXEL *levels,
                            const guint8   *states,
                            gint64          x)
{
  const WF_PIXEL level = levels[x];

  while (x > 0 && states[x - 1] == WF_EXTREMUM_PLATEAU && levels[x - 1] == level)
    x--;
  return x;
}

static gboolean
WF_NAME (clear_stretch) (const Spread  *spread,
                         Band          *band,
                         gint64         row,
                         gint64         x0,
                         gint64         x1,
                         GError       **error)
{
  memset (state_row (spread, row) + x0, WF_EXTREMUM_NO, x1 - x0);
  return push (&band->stack, &(Stretch) { row, x0, x1 }, error);
}

/* Whether a stretch touches a pixel of its level that is out in the row @other. */
static gboolean
WF_NAME (touches_out) (const Spread *spread,
                       gint64        other,
                       WF_PIXEL      level,
                       gint64        x0,
                       gint64        x1)
{
  const WF_PIXEL *levels = WF_NAME (level_row) (spread, other);
  const guint8   *states = state_row (spread, other);
  const gint64    from   = MAX (x0 - spread->diagonal, 0);
  const gint64    end    = MIN (x1 + spread->diagonal, spread->image->width);

  for (gint64 x = find_state (states, from, end, WF_EXTREMUM_NO); x < end;
       x = find_state (states, x + 1, end, WF_EXTREMUM_NO))
    if (levels[x] == level)
      return TRUE;
  return FALSE;
}

/* Clears the undecided stretches that touch a stretch in the row @other. */
static gboolean
WF_NAME (clear_beside) (const Spread  *spread,
                        Band          *band,
                        gint64         other,
                        WF_PIXEL       level,
                        gint64         x0,
                        gint64         x1,
                        GError       **error)
{
  const WF_PIXEL *levels = WF_NAME (level_row) (spread, other);
  const guint8   *states = state_row (spread, other);
  const gint64    width  = spread->image->width;
  const gint64    end    = MIN (x1 + spread->diagonal, width);
  gint64          x      = MAX (x0 - spread->diagonal, 0);

  while ((x = find_state (states, x, end, WF_EXTREMUM_PLATEAU)) < end)
    {
      gint64 start = x;

      if (levels[x++] != level)
        continue;
      x     = WF_NAME (end_of_stretch) (levels, states, start, width);
      start = WF_NAME (start_of_stretch) (levels, states, start);
      if (! WF_NAME (clear_stretch) (spread, band, other, start, x, error))
        return FALSE;
    }
  return TRUE;
}

/* Spreads from @limit stretches of the band's stack, or from all if it is 0, inside the band.
 * Those that lie at a border of the band are noted in its edge.
 */
static gboolean
WF_NAME (drain) (const Spread  *spread,
                 Band          *band,
                 guint          limit,
                 GError       **error)
{
  for (guint count = 1; band->stack.n > 0; count++)
    {
      const Stretch  stretch = band->stack.items[--band->stack.n];
      const WF_PIXEL level   = WF_NAME (level_row) (spread, stretch.row)[stretch.x0];
      gboolean       at_edge = FALSE;

      for (int k = 0; k < spread->n_beside; k++)
        {
          gint64 other = beside (spread, stretch.row, k);

          if (other < band->first || other >= band->end)
            at_edge |= other >= 0;
          else if (! WF_NAME (clear_beside) (spread, band, other, level, stretch.x0, stretch.x1,
                                             error))
            return FALSE;
        }
      if (at_edge && ! push (&band->edge, &stretch, error))
        return FALSE;
      if (count % STRETCHES_A_LOOK == 0 && ! wf_run_advance (spread->run, 0))
        return wf_run_set_cancelled (error);
      if (count == limit)
        break;
    }
  return TRUE;
}

/* Whether a stretch touches a pixel of its level that is out, in the rows from @first to
 * @end.  A pixel of its level beside it in its own row is always out, otherwise it would
 * belong to the stretch.
 */
static inline gboolean
WF_NAME (is_out) (const Spread *spread,
                  gint64        row,
                  gint64        x0,
                  gint64        x1,
                  gint64        first,
                  gint64        end)
{
  const WF_PIXEL *levels = WF_NAME (level_row) (spread, row);
  const WF_PIXEL  level  = levels[x0];

  if ((x0 > 0 && levels[x0 - 1] == level) || (x1 < spread->image->width && levels[x1] == level))
    return TRUE;
  for (int k = 0; k < spread->n_beside; k++)
    {
      gint64 other = beside (spread, row, k);

      if (other >= first && other < end && WF_NAME (touches_out) (spread, other, level, x0, x1))
        return TRUE;
    }
  return FALSE;
}

/* Clears the stretches of a row that touch a pixel of their level that is out in the rows
 * from @first to @end, and, if @spreading, spreads from them.
 */
static gboolean
WF_NAME (clear_row) (const Spread  *spread,
                     Band          *band,
                     gint64         row,
                     gint64         first,
                     gint64         end,
                     gboolean       spreading,
                     GError       **error)
{
  const WF_PIXEL *levels = WF_NAME (level_row) (spread, row);
  const guint8   *states = state_row (spread, row);
  const gint64    width  = spread->image->width;

  for (gint64 x0 = 0, x1; (x0 = find_state (states, x0, width, WF_EXTREMUM_PLATEAU)) < width;
       x0 = x1)
    {
      x1 = WF_NAME (end_of_stretch) (levels, states, x0, width);
      if (! WF_NAME (is_out) (spread, row, x0, x1, first, end))
        continue;
      if (! WF_NAME (clear_stretch) (spread, band, row, x0, x1, error) ||
          (spreading && ! WF_NAME (drain) (spread, band, 0, error)))
        return FALSE;
    }
  return TRUE;
}

/* Clears the pixels of a row that are @marked, with the stretches that they belong to. */
static gboolean
WF_NAME (clear_marked) (const Spread  *spread,
                        Band          *band,
                        gint64         row,
                        const guint8  *marked,
                        GError       **error)
{
  const WF_PIXEL *levels = WF_NAME (level_row) (spread, row);
  guint8         *states = state_row (spread, row);
  const gint64    width  = spread->image->width;

  for (gint64 x = 0; x < width; x++)
    if (marked[x] && states[x] == WF_EXTREMUM_PLATEAU)
      {
        const gint64 end = WF_NAME (end_of_stretch) (levels, states, x, width);

        if (! WF_NAME (clear_stretch) (spread, band, row,
                                       WF_NAME (start_of_stretch) (levels, states, x), end, error))
          return FALSE;
        x = end - 1;
      }
    else if (marked[x])
      states[x] = WF_EXTREMUM_NO;
  return TRUE;
}

static gboolean
WF_NAME (clear_band) (const Spread  *spread,
                      Band          *band,
                      GError       **error)
{
  if (! sweep_band (spread, band))
    return wf_run_set_cancelled (error);
  for (gint64 row = band->first; row < band->end; row++)
    {
      if (! WF_NAME (clear_row) (spread, band, row, band->first, band->end, TRUE, error))
        return FALSE;
      if (! wf_run_advance (spread->run, spread->image->width))
        return wf_run_set_cancelled (error);
    }
  return TRUE;
}

/* Clears all stretches of @to at its border with @from, the band before or after it, that touch
 * one that is out, and puts them on the stack of @to.
 */
static gboolean
WF_NAME (compare_border) (const Spread  *spread,
                          const Band    *from,
                          Band          *to,
                          GError       **error)
{
  const gint64 rows  = spread->image->depth > 1 ? spread->image->height : 1;
  const gint64 first = from->first < to->first ? to->first : to->end - rows;

  for (gint64 row = first; row < first + rows; row++)
    if (! WF_NAME (clear_row) (spread, to, row, from->first, from->end, FALSE, error))
      return FALSE;
  return TRUE;
}

/* Clears the stretches of @to that touch those at the edge of @from, the band before or after it,
 * and puts them on the stack of @to.
 */
static gboolean
WF_NAME (take_edge) (const Spread  *spread,
                     const Band    *from,
                     Band          *to,
                     GError       **error)
{
  for (gint64 i = 0; i < from->edge.n; i++)
    {
      const Stretch  stretch = from->edge.items[i];
      const WF_PIXEL level   = WF_NAME (level_row) (spread, stretch.row)[stretch.x0];

      for (int k = 0; k < spread->n_beside; k++)
        {
          gint64 other = beside (spread, stretch.row, k);

          if (other >= to->first && other < to->end &&
              ! WF_NAME (clear_beside) (spread, to, other, level, stretch.x0, stretch.x1, error))
            return FALSE;
        }
    }
  return TRUE;
}

#undef WF_PIXEL
#undef WF_NAME
