/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixelwise steps for one type: WF_PIXEL, WF_NAME(), its least and greatest values WF_LEAST
 * and WF_GREATEST, and the next values WF_LOWER (v) and WF_HIGHER (v).
 */

static void
WF_NAME (step) (gconstpointer levels,
                gint64        n,
                gboolean      raise,
                gpointer      target)
{
  const WF_PIXEL *restrict from = levels;
  WF_PIXEL *restrict       to   = target;

  if (raise)
    for (gint64 x = 0; x < n; x++)
      to[x] = WF_HIGHER (from[x]);
  else
    for (gint64 x = 0; x < n; x++)
      to[x] = WF_LOWER (from[x]);
}

static void
WF_NAME (fill) (gpointer target,
                gint64   n,
                gboolean greatest)
{
  WF_PIXEL *to = target;

  for (gint64 x = 0; x < n; x++)
    to[x] = greatest ? WF_GREATEST : WF_LEAST;
}

/* The target may be one of the operands.  Results are buffered, as loops over rows that may
 * overlap are not vectorised.
 */
static void
WF_NAME (differ) (gconstpointer a,
                  gconstpointer b,
                  gint64        n,
                  gpointer      target)
{
  for (gint64 start = 0; start < n; start += BUFFERED)
    {
      const WF_PIXEL *p = (const WF_PIXEL *) a + start;
      const WF_PIXEL *q = (const WF_PIXEL *) b + start;
      const gint64    m = MIN (BUFFERED, n - start);
      WF_PIXEL        differences[BUFFERED];

      for (gint64 i = 0; i < m; i++)
        {
          WF_PIXEL difference = p[i] > q[i] ? p[i] - q[i] : q[i] - p[i];

          differences[i] = p[i] == q[i] ? 0 : difference;
        }
      memcpy ((WF_PIXEL *) target + start, differences, m * sizeof (WF_PIXEL));
    }
}

/* If the pixels are bytes, the target may be one of the operands. */
static void
WF_NAME (tell_apart) (gconstpointer  a,
                      gconstpointer  b,
                      gint64         n,
                      guint8        *target)
{
  for (gint64 start = 0; start < n; start += BUFFERED)
    {
      const WF_PIXEL *p = (const WF_PIXEL *) a + start;
      const WF_PIXEL *q = (const WF_PIXEL *) b + start;
      const gint64    m = MIN (BUFFERED, n - start);
      guint8          flags[BUFFERED];

      for (gint64 i = 0; i < m; i++)
        flags[i] = p[i] == q[i] ? 0 : 255;
      memcpy (target + start, flags, m);
    }
}

static void
WF_NAME (impose) (gconstpointer  levels,
                  const guint8  *marked,
                  gint64         n,
                  gpointer       marker,
                  gpointer       mask)
{
  const WF_PIXEL *restrict from = levels;
  WF_PIXEL *restrict       to   = marker;
  WF_PIXEL *restrict       over = mask;

  for (gint64 x = 0; x < n; x++)
    {
      WF_PIXEL higher = WF_HIGHER (from[x]);

      to[x]   = marked[x] ? WF_LEAST : WF_GREATEST;
      over[x] = marked[x] ? WF_LEAST : higher;
    }
}

static void
WF_NAME (keep_least) (gconstpointer levels,
                      gint64        n,
                      gpointer      target)
{
  const WF_PIXEL *restrict from = levels;
  WF_PIXEL *restrict       to   = target;

  for (gint64 x = 0; x < n; x++)
    to[x] = from[x] == WF_LEAST ? WF_LEAST : WF_GREATEST;
}

static gboolean
WF_NAME (is_all_extreme) (gconstpointer levels,
                          gint64        n,
                          gboolean      greatest)
{
  const WF_PIXEL *from  = levels;
  const WF_PIXEL  level = greatest ? WF_GREATEST : WF_LEAST;
  int             other = 0;

  for (gint64 x = 0; x < n; x++)
    other |= from[x] != level;
  return ! other;
}

static const WfPixelSteps WF_NAME (steps) =
{
  WF_NAME (move),
  WF_NAME (step),
  WF_NAME (fill),
  WF_NAME (differ),
  WF_NAME (tell_apart),
  WF_NAME (impose),
  WF_NAME (keep_least),
  WF_NAME (is_all_extreme),
};

#undef WF_PIXEL
#undef WF_NAME
#undef WF_LEAST
#undef WF_GREATEST
#undef WF_LOWER
#undef WF_HIGHER
