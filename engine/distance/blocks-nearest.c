/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest pixels far above a band: the rows there are read again, until each pixel of the band has
 * found the first one in its column that is as near as the nearest (blocks.c).
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/core/context-private.h"
#include "engine/distance/cpu/distance.h"

/* Of the rows from @first up to @end the kinds are known. */
typedef struct
{
  WfDistanceSeat *seat;
  gint64          n_columns;
  gint64          first;
  gint64          end;
} Search;


/* The first position from which a pixel of the band searches its column, or @first. */
static gint64
find_earliest (const WfDistanceSeat *seat,
               gint64                first)
{
  const gint64 n        = wf_image_n_pixels (&seat->image);
  gint64       earliest = first;

  for (gint64 p = 0; p < n; p++)
    if (seat->since[p] != WF_NO_SITE)
      earliest = MIN (earliest, seat->since[p]);
  return earliest;
}

/* Searches the rows above for the pixels of one row of the band. */
static gboolean
search_for_row (gpointer data,
                WfRow    row)
{
  const Search   *search  = data;
  WfDistanceSeat *seat    = search->seat;
  const gint64    width   = seat->image.width;
  guint64        *nearest = seat->nearest.data;

  for (gint64 p = row.number * width; p < (row.number + 1) * width; p++)
    if (seat->since[p] != WF_NO_SITE && seat->since[p] < search->end)
      {
        const gint64  column = nearest[p] % search->n_columns;
        const guint8 *kinds  = seat->kinds_above + column;
        gint64        i      = MAX (seat->since[p], search->first);

        while (i < search->end &&
               kinds[(i - search->first) * search->n_columns] == seat->kinds[p])
          i++;
        if (i < search->end)
          {
            nearest[p]     = i * search->n_columns + column;
            seat->since[p] = WF_NO_SITE;
          }
      }
  return TRUE;
}

static gboolean
read_above (const WfDistanceBlocks  *blocks,
            const WfLane            *lane,
            const Search            *search,
            GError                 **error)
{
  WfImage  *above = &search->seat->above;
  gboolean  success;

  if (blocks->source->image)
    {
      wf_bands_view (&blocks->bands, blocks->source->image, search->first, search->end, above);
      return TRUE;
    }
  wf_workers_begin_files (blocks->workers, lane);
  success = wf_bands_read_again (&blocks->bands, blocks->source, search->first, search->end, above,
                                 error);
  wf_workers_end_files (blocks->workers, lane, "read");
  return success;
}

/* Finds the first pixels of columns above the band; @task: of the band, which was done */
gboolean
wf_distance_search_above (const WfDistanceBlocks  *blocks,
                          const WfLane            *lane,
                          const WfDistanceTask    *task,
                          GError                 **error)
{
  WfDistanceSeat *seat   = &blocks->seats[lane->number];
  const WfRows    rows   = { .n = seat->image.height * seat->image.depth,
                             .amount = seat->image.width };
  const gint64    first  = task->band->first;
  gint64          at     = find_earliest (seat, first);
  WfDistanceTask  above  = *task;
  Search          search = { .seat = seat, .n_columns = blocks->n_columns };
  WfRun           run;

  wf_run_init (&run, lane->context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (lane->context);
  if (at < first)
    wf_distance_mark (task, seat->kinds);
  above.image = &seat->above;
  for (; at < first; at = MAX (search.end, find_earliest (seat, first)))
    {
      search.first = at;
      search.end   = MIN (at + blocks->bands.length, first);
      if (! read_above (blocks, lane, &search, error))
        return FALSE;
      wf_distance_mark (&above, seat->kinds_above);
      wf_run_begin (&run, 0.0, rows.n * rows.amount);
      if (! wf_run_rows (&run, &rows, search_for_row, &search, error))
        return FALSE;
    }
  return TRUE;
}
