/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans over a box of a packed image, for one type of pixel and one direction
 * (types.inc.h): in raster order and in reverse order each pixel takes the highest level
 * among itself and the neighbours that the scan has passed, clamped by the mask
 * (Vincent 1993, 4.2).
 *
 * Scans work row by row: the levels from previous rows are taken in for a whole row, in
 * vectors; only the comparison with the previous pixel of the row is sequential.  The pixels
 * that can still raise a neighbour are likewise found for a whole row.
 */

/* Also the state of the wavefront. */
typedef struct
{
  const WF_PIXEL *mask;
  WF_PIXEL       *result;
} WF_NAME (State);

#define WF_STATE WF_NAME (State)

/**
 * Scan:
 * @box: the pixels to scan
 * @view: the pixels that may be read: @box, or more
 * @amount: the progress that a row counts
 * @reach: scratch for a row of @box
 * @flags: the same
 */
typedef struct
{
  const WfPacked *packed;
  WfRun          *run;
  WfLines         lines;
  WfBox           box;
  WfBox           view;
  gint64          amount;
  WF_PIXEL       *reach;
  guint8         *flags;
} WF_NAME (Scan);

static inline WF_PIXEL
WF_NAME (higher) (WF_PIXEL a,
                  WF_PIXEL b)
{
  return WF_ABOVE (a, b) ? a : b;
}

static inline WF_PIXEL
WF_NAME (clamped) (WF_PIXEL level,
                   WF_PIXEL limit)
{
  return WF_ABOVE (level, limit) ? limit : level;
}

static inline void
WF_NAME (scan_clear) (WF_NAME (Scan) *scan)
{
  g_free (scan->reach);
  g_free (scan->flags);
}

/* @scan: must be cleared even if this fails; box and view must be set before a scan */
static inline gboolean
WF_NAME (scan_init) (WF_NAME (Scan) *scan,
                     const WfPacked *packed,
                     WfRun          *run,
                     gint64          width,
                     GError        **error)
{
  *scan = (WF_NAME (Scan)) {
    .packed = packed,
    .run    = run,
    .lines  = wf_lines (packed->task->connectivity),
  };
  return (scan->reach = wf_allocate (width, sizeof (WF_PIXEL), error)) &&
         (scan->flags = wf_allocate (width, 1, error));
}

/* The index of the box's first pixel in the row at (@dy, @dz) from (@y, @z), or −1 if that
 * row is not in view.
 */
static inline gint64
WF_NAME (find_row) (const WF_NAME (Scan) *scan,
                    gint64                y,
                    gint64                z,
                    int                   line)
{
  const WfPoint point = { scan->box.x0, y + scan->lines.dy[line], z + scan->lines.dz[line] };

  return wf_box_holds (&scan->view, point, 0, 0, 0)
         ? wf_index_of_point (point, &scan->packed->task->shape) : -1;
}

/* Takes the levels of a row beside the scanned one into @scan's reach. */
static inline void
WF_NAME (take_row) (const WF_NAME (Scan) *scan,
                    const WF_PIXEL       *row)
{
  const gint64       n     = scan->box.x1 - scan->box.x0;
  const gint64       left  = scan->box.x0 > scan->view.x0 ? 0 : 1;
  const gint64       right = scan->box.x1 < scan->view.x1 ? n : n - 1;
  WF_PIXEL *restrict reach = scan->reach;

  for (gint64 x = 0; x < n; x++)
    reach[x] = WF_NAME (higher) (reach[x], row[x]);
  if (! scan->lines.wide)
    return;
  for (gint64 x = left; x < n; x++)
    reach[x] = WF_NAME (higher) (reach[x], row[x - 1]);
  for (gint64 x = 0; x < right; x++)
    reach[x] = WF_NAME (higher) (reach[x], row[x + 1]);
}

/* Returns whether the row changed. */
static inline gboolean
WF_NAME (pass_forward) (const WF_NAME (Scan) *scan,
                        gint64                start)
{
  const gint64    n      = scan->box.x1 - scan->box.x0;
  const WF_PIXEL *mask   = (const WF_PIXEL *) scan->packed->mask + start;
  WF_PIXEL       *result = (WF_PIXEL *) scan->packed->result + start;
  WF_PIXEL        level  = scan->box.x0 > scan->view.x0 ? result[-1] : WF_LOWEST;
  gboolean        any    = FALSE;

  for (gint64 x = 0; x < n; x++)
    {
      level     = WF_NAME (clamped) (WF_NAME (higher) (scan->reach[x], level), mask[x]);
      any      |= level != result[x];
      result[x] = level;
    }
  return any;
}

static inline gboolean
WF_NAME (pass_backward) (const WF_NAME (Scan) *scan,
                         gint64                start)
{
  const gint64    n      = scan->box.x1 - scan->box.x0;
  const WF_PIXEL *mask   = (const WF_PIXEL *) scan->packed->mask + start;
  WF_PIXEL       *result = (WF_PIXEL *) scan->packed->result + start;
  WF_PIXEL        level  = scan->box.x1 < scan->view.x1 ? result[n] : WF_LOWEST;
  gboolean        any    = FALSE;

  for (gint64 x = n - 1; x >= 0; x--)
    {
      level     = WF_NAME (clamped) (WF_NAME (higher) (scan->reach[x], level), mask[x]);
      any      |= level != result[x];
      result[x] = level;
    }
  return any;
}

/* Scans one row, with the levels of the rows @from … @to beside it. */
static inline gboolean
WF_NAME (scan_row) (const WF_NAME (Scan) *scan,
                    gint64                y,
                    gint64                z,
                    gboolean              forward)
{
  const int       half   = scan->lines.n / 2;
  const WF_PIXEL *result = scan->packed->result;
  const gint64    start  = wf_index_of_point ((WfPoint) { scan->box.x0, y, z },
                                              &scan->packed->task->shape);

  memcpy (scan->reach, result + start, (scan->box.x1 - scan->box.x0) * sizeof (WF_PIXEL));
  for (int line = forward ? 0 : half; line < (forward ? half : scan->lines.n); line++)
    {
      gint64 row = WF_NAME (find_row) (scan, y, z, line);

      if (row >= 0)
        WF_NAME (take_row) (scan, result + row);
    }
  return forward ? WF_NAME (pass_forward) (scan, start) : WF_NAME (pass_backward) (scan, start);
}

/* @changed: (nullable): set if a pixel changed */
static inline gboolean
WF_NAME (scan_forward) (const WF_NAME (Scan)  *scan,
                        gboolean              *changed,
                        GError               **error)
{
  gboolean any = FALSE;

  for (gint64 z = scan->box.z0; z < scan->box.z1; z++)
    for (gint64 y = scan->box.y0; y < scan->box.y1; y++)
      {
        any |= WF_NAME (scan_row) (scan, y, z, TRUE);
        if (! wf_run_advance (scan->run, scan->amount))
          return wf_run_set_cancelled (error);
      }
  if (changed)
    *changed |= any;
  return TRUE;
}


/*  Seeds  */

/* Takes the levels of those pixels of a row that can still be raised into @scan's reach: for
 * each pixel the least level of the row's pixels beside it.
 */
static inline void
WF_NAME (take_low_row) (const WF_NAME (Scan) *scan,
                        const WF_PIXEL       *mask,
                        const WF_PIXEL       *result,
                        gint64                from,
                        gint64                to,
                        int                   dx)
{
  WF_PIXEL *restrict reach = scan->reach;

  for (gint64 x = from; x < to; x++)
    {
      WF_PIXEL low = WF_ABOVE (mask[x + dx], result[x + dx]) ? result[x + dx] : WF_HIGHEST;

      reach[x] = WF_NAME (clamped) (reach[x], low);
    }
}

/* Queues the pixels of a row that can raise a neighbour in view: with @any any neighbour,
 * otherwise one that the backward scan has passed.
 */
static inline gboolean
WF_NAME (queue_seeds) (const WF_NAME (Scan)  *scan,
                       gint64                 y,
                       gint64                 z,
                       gboolean               any,
                       WfFifo                *queue,
                       GError               **error)
{
  const gint64    n      = scan->box.x1 - scan->box.x0;
  const gint64    left   = scan->box.x0 > scan->view.x0 ? 0 : 1;
  const gint64    right  = scan->box.x1 < scan->view.x1 ? n : n - 1;
  const WF_PIXEL *mask   = scan->packed->mask;
  const WF_PIXEL *result = scan->packed->result;
  const gint64    start  = wf_index_of_point ((WfPoint) { scan->box.x0, y, z },
                                              &scan->packed->task->shape);
  guint8 *restrict flags = scan->flags;
  guint8          some   = 0;

  for (gint64 x = 0; x < n; x++)
    scan->reach[x] = WF_HIGHEST;
  WF_NAME (take_low_row) (scan, mask + start, result + start, 0, right, 1);
  if (any)
    WF_NAME (take_low_row) (scan, mask + start, result + start, left, n, -1);
  for (int line = any ? 0 : scan->lines.n / 2; line < scan->lines.n; line++)
    {
      gint64 row = WF_NAME (find_row) (scan, y, z, line);

      if (row < 0)
        continue;
      WF_NAME (take_low_row) (scan, mask + row, result + row, 0, n, 0);
      if (! scan->lines.wide)
        continue;
      WF_NAME (take_low_row) (scan, mask + row, result + row, left, n, -1);
      WF_NAME (take_low_row) (scan, mask + row, result + row, 0, right, 1);
    }

  for (gint64 x = 0; x < n; x++)
    {
      flags[x] = WF_ABOVE (result[start + x], scan->reach[x]);
      some    |= flags[x];
    }
  if (! some)
    return TRUE;
  for (gint64 x = n - 1; x >= 0; x--)
    if (flags[x] && ! wf_fifo_push (queue, start + x, error))
      return FALSE;
  return TRUE;
}

/* @queue: (nullable): gets the pixels that can raise another one in the box */
static inline gboolean
WF_NAME (scan_backward) (const WF_NAME (Scan)  *scan,
                         WfFifo                *queue,
                         gboolean              *changed,
                         GError               **error)
{
  WF_NAME (Scan) inside = *scan;
  gboolean       any    = FALSE;

  inside.view = scan->box;
  for (gint64 z = scan->box.z1 - 1; z >= scan->box.z0; z--)
    for (gint64 y = scan->box.y1 - 1; y >= scan->box.y0; y--)
      {
        any |= WF_NAME (scan_row) (scan, y, z, FALSE);
        if (queue && ! WF_NAME (queue_seeds) (&inside, y, z, FALSE, queue, error))
          return FALSE;
        if (! wf_run_advance (scan->run, scan->amount))
          return wf_run_set_cancelled (error);
      }
  if (changed)
    *changed |= any;
  return TRUE;
}
