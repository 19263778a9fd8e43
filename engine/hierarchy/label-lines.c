/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which basins the lines of a watershed separate.
 *
 * When basins are merged, the line between them disappears: by wf_hierarchy_relabel() a pixel
 * without a label joins a region if it touches a basin, if there are several basins around it, and
 * if all of these are in that region (around.h).  The basins around it do not depend on merging, so
 * they are found once; a partition only decides for each pixel of a line whether its basins are one
 * region.
 *
 * The pixels with several basins around them are kept row by row, each row in one piece of u32: how
 * many pixels there are, their columns, the ends of their lists of basins, and these lists.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/core/memory.h"
#include "engine/core/run.h"
#include "around.h"

/* A pixel's neighbours' neighbours, with 26 neighbours, without itself. */
#define MOST_AROUND 124

/**
 * WfLabelLines:
 * @shape: of the labels
 * @rows: of each row its lines; %NULL where there are none
 */
struct _WfLabelLines
{
  WfShape   shape;
  guint32 **rows;
};

/* The lines of a row: @n pixels.  The basins of a pixel begin where those of the one before end. */
typedef struct
{
  guint32        n;
  const guint32 *columns;
  const guint32 *ends;
  const guint32 *basins;
} Row;

/* The basins met so far, each once. */
typedef struct
{
  guint32 labels[MOST_AROUND];
  guint   n;
} Basins;

/* @found: of each thread the basins of a row: guint32 */
typedef struct
{
  WfLabelLines    *lines;
  WfSurroundings   surroundings;
  GArray         **found;
} Finder;


static Row
get_row (const WfLabelLines *lines,
         gint64              row)
{
  const guint32 *piece = lines->rows[row];

  if (! piece)
    return (Row) { 0 };
  return (Row) { piece[0], piece + 1, piece + 1 + piece[0], piece + 1 + 2 * (gsize) piece[0] };
}


/*  Finding  */

/* Of WfMeetFunc. */
static inline void
meet_basin (WfAround *around,
            guint32   label,
            gpointer  data,
            guint     worker)
{
  Basins *basins = data;
  guint   known  = basins->n;

  around->touched = TRUE;
  while (known > 0 && basins->labels[known - 1] != label)
    known--;
  if (known == 0)
    basins->labels[basins->n++] = label;
}

static gboolean
keep_row (guint32       **piece,
          guint32         n,
          const guint32  *columns,
          const guint32  *ends,
          const GArray   *basins,
          GError        **error)
{
  if (n == 0)
    return TRUE;
  *piece = wf_allocate (1 + 2 * (gint64) n + basins->len, sizeof (guint32), error);
  if (! *piece)
    return FALSE;
  (*piece)[0] = n;
  memcpy (*piece + 1, columns, n * sizeof (guint32));
  memcpy (*piece + 1 + n, ends, n * sizeof (guint32));
  memcpy (*piece + 1 + 2 * (gsize) n, basins->data, basins->len * sizeof (guint32));
  return TRUE;
}

/* Of WfRowFunc. */
static gboolean
find_row (gpointer data,
          WfRow    row)
{
  const Finder  *finder  = data;
  const WfShape *shape   = &finder->lines->shape;
  const guint32 *labels  = wf_image_row (finder->surroundings.labels, row.number);
  guint32       *columns = row.scratch;
  guint32       *ends    = columns + shape->width;
  GArray        *found   = finder->found[row.worker];
  WfPoint        point   = { 0, row.number % shape->height, row.number / shape->height };
  guint32        n       = 0;

  g_array_set_size (found, 0);
  for (point.x = 0; point.x < shape->width; point.x++)
    {
      Basins basins;

      if (labels[point.x] != 0)
        continue;
      basins.n = 0;
      wf_look_around (&finder->surroundings, point, meet_basin, &basins, row.worker);
      if (basins.n < 2)
        continue;
      g_array_append_vals (found, basins.labels, basins.n);
      columns[n] = (guint32) point.x;
      ends[n++]  = found->len;
    }
  return keep_row (&finder->lines->rows[row.number], n, columns, ends, found, row.error);
}

/* Of WfContextWorkFunc. */
static gboolean
find_all (gpointer   data,
          WfRun     *run,
          GError   **error)
{
  Finder        *finder = data;
  const WfShape *shape  = &finder->lines->shape;
  const WfRows   rows   = { .n = shape->height * shape->depth, .amount = shape->width,
                            .scratch_size = 2 * (gsize) shape->width * sizeof (guint32) };
  gboolean       done;

  finder->found = g_new (GArray *, run->n_threads);
  for (guint i = 0; i < run->n_threads; i++)
    finder->found[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
  wf_run_begin (run, 1.0, rows.n * rows.amount);
  done = wf_run_rows (run, &rows, find_row, finder, error);
  for (guint i = 0; i < run->n_threads; i++)
    g_array_unref (finder->found[i]);
  g_free (finder->found);
  return done;
}

/**
 * wf_label_lines_new:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u32, width × height × depth: basins divided by lines, label 0; not kept
 * @connectivity: of the basins: 4 or 8, of a stack 6 or 26; 0 for 8 or 26
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
 *
 * Finds the basins around the pixels of lines; see the top of label-lines.c for the definition.  So
 * wf_label_lines_join() shows one partition after another, of a part of the rows, in less time than
 * wf_hierarchy_relabel() takes for each.
 *
 * Time: some tens of steps for each pixel of a line, and the reading of the labels, on all
 * processors.  Memory: 16 bytes for each pixel of a line between two basins, 4 more for each
 * further basin around it; 8 bytes for each row.
 *
 * Returns: (transfer full): the lines, or %NULL with @error set
 */
WfLabelLines *
wf_label_lines_new (WfContext      *context,
                    const WfImage  *labels,
                    int             connectivity,
                    GError        **error)
{
  g_autoptr (WfContext)    own     = wf_context_ensure (context);
  g_autoptr (WfLabelLines) lines   = NULL;
  g_auto (WfStaging)       staging = { .context = own };
  Finder                   finder  = { 0 };
  WfShape                  shape;

  if (! wf_image_check_view (labels, _("label image"), error) ||
      ! wf_image_check_type (labels, WF_TYPE_U32, _("label image"), error))
    return NULL;
  shape = wf_image_shape (labels);
  if (! wf_connectivity_resolve (connectivity, &shape, &connectivity, error) ||
      ! wf_staging_take (&staging, &labels, error))
    return NULL;

  lines        = g_new0 (WfLabelLines, 1);
  lines->shape = shape;
  lines->rows  = wf_allocate_zeroed (shape.height * shape.depth, sizeof *lines->rows, error);
  if (! lines->rows)
    return NULL;
  finder.lines = lines;
  wf_surroundings_init (&finder.surroundings, labels, connectivity);
  return wf_context_work (own, "lines", 0, find_all, &finder, error) ? g_steal_pointer (&lines)
                                                                     : NULL;
}

/**
 * wf_label_lines_free:
 * @lines: (transfer full) (nullable): of some labels
 *
 * Frees lines.
 */
void
wf_label_lines_free (WfLabelLines *lines)
{
  if (! lines)
    return;
  for (gint64 row = 0; lines->rows && row < lines->shape.height * lines->shape.depth; row++)
    g_free (lines->rows[row]);
  g_free (lines->rows);
  g_free (lines);
}


/*  Partitions  */

/* Whether the basins around a pixel, from @at on, are one region. */
static inline gboolean
is_within (const guint32 *basins,
           guint32        at,
           guint32        end,
           const guint32 *map)
{
  const guint32 region = map[basins[at]];

  while (++at < end)
    if (map[basins[at]] != region)
      return FALSE;
  return TRUE;
}

/**
 * wf_label_lines_join:
 * @lines: of some labels
 * @row: of the labels, counted through all slices
 * @map: (array zero-terminated=0): for each label, up to the largest, its region, as
 *   wf_hierarchy_get_map() gives it
 * @regions: (array zero-terminated=0): of the pixels of that row: those of lines within a region
 *   are set to it, all others are unchanged
 *
 * With the map of a row's labels, and of 0 to 0, in @regions before, these are what
 * wf_hierarchy_relabel() makes of the row.
 *
 * Time: a few steps for each pixel of a line in the row.  Any number of threads may do this at
 * once.
 */
void
wf_label_lines_join (const WfLabelLines *lines,
                     gint64              row,
                     const guint32      *map,
                     guint32            *regions)
{
  Row line;

  g_return_if_fail (lines != NULL && map != NULL && regions != NULL);
  g_return_if_fail (row >= 0 && row < lines->shape.height * lines->shape.depth);

  line = get_row (lines, row);
  for (guint32 i = 0, at = 0; i < line.n; at = line.ends[i++])
    if (is_within (line.basins, at, line.ends[i], map))
      regions[line.columns[i]] = map[line.basins[at]];
}

/* The region that the pixel of a line lies within; 0 if there is none. */
static guint32
find_region (const WfLabelLines *lines,
             gint64              row,
             gint64              column,
             const guint32      *map)
{
  const Row line  = get_row (lines, row);
  guint32   first = 0;
  guint32   end   = line.n;

  while (first < end)
    {
      const guint32 middle = first + (end - first) / 2;

      if (line.columns[middle] < column)
        first = middle + 1;
      else
        end = middle;
    }
  if (first == line.n || line.columns[first] != column)
    return 0;
  end   = line.ends[first];
  first = first > 0 ? line.ends[first - 1] : 0;
  return is_within (line.basins, first, end, map) ? map[line.basins[first]] : 0;
}

static gboolean
is_beside_region (const WfLabelLines *lines,
                  const WfImage      *labels,
                  WfPoint             point,
                  const guint32      *map,
                  guint32             left_out)
{
  for (gint64 z = MAX (point.z - 1, 0); z < MIN (point.z + 2, labels->depth); z++)
    for (gint64 y = MAX (point.y - 1, 0); y < MIN (point.y + 2, labels->height); y++)
      {
        const gint64   row   = z * labels->height + y;
        const guint32 *label = wf_image_row (labels, row);

        for (gint64 x = MAX (point.x - 1, 0); x < MIN (point.x + 2, labels->width); x++)
          {
            const guint32 region = label[x] ? map[label[x]] : find_region (lines, row, x, map);

            if (region != 0 && region != left_out)
              return TRUE;
          }
      }
  return FALSE;
}

/**
 * wf_label_lines_trim:
 * @lines: of the labels
 * @labels: the labels, in main memory
 * @row: of them, counted through all slices
 * @map: (array zero-terminated=0): as for wf_label_lines_join(), with one region for what is left
 *   out
 * @left_out: that region
 * @regions: (array zero-terminated=0): of the pixels of that row, as wf_label_lines_join() leaves
 *   them: set to @left_out where they are 0 and beside no other region
 *
 * Lines between what is left out are left out with it, as by wf_objects_trim_lines().
 *
 * Time: as wf_label_lines_join(), and some tens of steps for each pixel of the row that is 0.  Any
 * number of threads may do this at once.
 */
void
wf_label_lines_trim (const WfLabelLines *lines,
                     const WfImage      *labels,
                     gint64              row,
                     const guint32      *map,
                     guint32             left_out,
                     guint32            *regions)
{
  WfPoint point;

  g_return_if_fail (lines != NULL && map != NULL && regions != NULL);
  g_return_if_fail (labels != NULL && labels->type == WF_TYPE_U32 &&
                    labels->memory == WF_MEMORY_HOST);
  g_return_if_fail (labels->width == lines->shape.width && labels->height == lines->shape.height &&
                    labels->depth == lines->shape.depth);
  g_return_if_fail (row >= 0 && row < labels->height * labels->depth);

  point = (WfPoint) { 0, row % labels->height, row / labels->height };
  for (point.x = 0; point.x < labels->width; point.x++)
    if (regions[point.x] == 0 && ! is_beside_region (lines, labels, point, map, left_out))
      regions[point.x] = left_out;
}
