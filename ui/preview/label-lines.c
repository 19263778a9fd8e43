/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which basins the lines of a watershed separate.
 *
 * When basins are merged, the line between them disappears: by wf_hierarchy_relabel() a
 * pixel without a label joins a region if it touches a basin, if there are several basins
 * around it, and if all of these are in that region.  The basins around it are those of its
 * neighbours and of its unlabelled neighbours' neighbours.  They do not depend on merging,
 * so they are found once, for new labels; a merge only checks for each pixel of a line
 * whether its basins are the same now.
 *
 * The pixels are kept row by row, in three arrays: their columns, the ends of their lists
 * of basins, and the basins.
 */

#include "config.h"

#include <string.h>

#include "label-lines.h"

/* The eight neighbours and theirs are no more than this. */
#define MOST_AROUND 25

/* The reach of neighbours' neighbours. */
#define HALO        2
#define OUTSIDE     G_MAXUINT32

struct _WfLabelLines
{
  gint64   n_rows;
  GArray **columns;   /* of each row: guint32 */
  GArray **ends;      /* of each row: guint32, where the basins of each pixel end */
  GArray **basins;    /* of each row: guint32 */
};

/* The basins met so far. */
typedef struct
{
  guint32 basins[MOST_AROUND];
  int     n;
} Around;

/**
 * Field:
 * @labels: in rows of @stride, with a halo of %OUTSIDE
 * @steps: from a pixel to its neighbors
 *
 * Labels with a halo around them, which makes checks for the image border unnecessary.
 */
typedef struct
{
  guint32 *labels;
  gint64   stride;
  gint64   steps[8];
  int      connectivity;
} Field;


static void
field_init (Field         *field,
            const WfImage *labels,
            int            connectivity)
{
  const gint64 stride = labels->width + 2 * HALO;
  const gsize  size   = stride * (labels->height + 2 * HALO) * sizeof (guint32);

  field->stride       = stride;
  field->connectivity = connectivity;
  field->labels       = g_malloc (size);
  /* the first four are the 4-neighbours */
  memcpy (field->steps, (gint64[]) { -1, 1, -stride, stride, -stride - 1, -stride + 1,
                                     stride - 1, stride + 1 },
          sizeof field->steps);
  memset (field->labels, 0xff, size);
#pragma omp parallel for
  for (gint64 y = 0; y < labels->height; y++)
    memcpy (field->labels + (y + HALO) * stride + HALO,
            (const guint32 *) labels->data + y * labels->row_stride,
            labels->width * sizeof (guint32));
}

static inline void
meet_neighbours (const Field   *field,
                 const guint32 *here,
                 Around        *around)
{
  for (int i = 0; i < field->connectivity; i++)
    {
      const guint32 label = here[field->steps[i]];
      int           known = around->n;

      if (label == 0 || label == OUTSIDE)
        continue;
      while (known > 0 && around->basins[known - 1] != label)
        known--;
      if (known == 0)
        around->basins[around->n++] = label;
    }
}

/* Whether a neighbour may belong to a basin that was not met yet, as it is neither the first
 * nor the last one: this is rare, and checked without branches.
 */
static inline gboolean
has_news (const Field   *field,
          const guint32 *here,
          const Around  *around)
{
  const guint32 first = around->basins[0];
  const guint32 last  = around->basins[around->n - 1];
  guint         news  = 0;

  for (int i = 0; i < field->connectivity; i++)
    {
      const guint32 label = here[field->steps[i]];

      news |= (label != 0) & (label != OUTSIDE) & (label != first) & (label != last);
    }
  return news != 0;
}

static void
look_around (const Field   *field,
             const guint32 *here,
             Around        *around)
{
  around->n = 0;
  meet_neighbours (field, here, around);
  if (around->n == 0)
    return;

  for (int i = 0; i < field->connectivity; i++)
    if (here[field->steps[i]] == 0 && has_news (field, here + field->steps[i], around))
      meet_neighbours (field, here + field->steps[i], around);
}

static void
find_row (WfLabelLines *label_lines,
          const Field  *field,
          gint64        width,
          gint64        y)
{
  const guint32 *row     = field->labels + (y + HALO) * field->stride + HALO;
  GArray        *columns = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray        *ends    = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray        *basins  = g_array_new (FALSE, FALSE, sizeof (guint32));
  Around         around;

  for (gint64 x = 0; x < width; x++)
    {
      guint32 column = (guint32) x;

      if (row[x] != 0)
        continue;
      look_around (field, row + x, &around);
      if (around.n < 2)
        continue;
      g_array_append_val (columns, column);
      g_array_append_vals (basins, around.basins, around.n);
      g_array_append_val (ends, basins->len);
    }
  label_lines->columns[y] = columns;
  label_lines->ends[y]    = ends;
  label_lines->basins[y]  = basins;
}

/**
 * wf_label_lines_new:
 * @labels: u32, a 2-D image: basins divided by lines, label 0
 * @connectivity: of the basins, 4 or 8; 0 for 8
 *
 * Time: some tens of steps per pixel of a line, on all processors.  Memory: as much as the
 * labels, temporarily, and some words per pixel of a line.
 *
 * Returns: (transfer full): the basins around the lines.
 */
WfLabelLines *
wf_label_lines_new (const WfImage *labels,
                    int            connectivity)
{
  WfLabelLines *label_lines = g_new0 (WfLabelLines, 1);
  Field           field;

  field_init (&field, labels, connectivity == 4 ? 4 : 8);
  label_lines->n_rows  = labels->height;
  label_lines->columns = g_new0 (GArray *, labels->height);
  label_lines->ends    = g_new0 (GArray *, labels->height);
  label_lines->basins  = g_new0 (GArray *, labels->height);

#pragma omp parallel for schedule (dynamic, 16)
  for (gint64 y = 0; y < labels->height; y++)
    find_row (label_lines, &field, labels->width, y);

  g_free (field.labels);
  return label_lines;
}

/**
 * wf_label_lines_free:
 * @label_lines: (transfer full): of some labels
 */
void
wf_label_lines_free (WfLabelLines *label_lines)
{
  for (gint64 y = 0; y < label_lines->n_rows; y++)
    {
      g_array_unref (label_lines->columns[y]);
      g_array_unref (label_lines->ends[y]);
      g_array_unref (label_lines->basins[y]);
    }
  g_free (label_lines->columns);
  g_free (label_lines->ends);
  g_free (label_lines->basins);
  g_free (label_lines);
}

/* Whether the basins around a pixel of a line, of which the first is @at, are one region. */
static gboolean
is_within (const guint32 *basins,
           guint          at,
           guint          end,
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
 * @label_lines: of the labels
 * @row: of the labels
 * @map: for each label its region
 * @representatives: of the pixels of that row: set to the region if a line lies within
 *   one, else unchanged
 */
void
wf_label_lines_join (const WfLabelLines *label_lines,
                     gint64              row,
                     const guint32      *map,
                     guint32            *representatives)
{
  const guint32 *columns = (const guint32 *) label_lines->columns[row]->data;
  const guint32 *ends    = (const guint32 *) label_lines->ends[row]->data;
  const guint32 *basins  = (const guint32 *) label_lines->basins[row]->data;

  for (guint i = 0, at = 0; i < label_lines->columns[row]->len; at = ends[i++])
    if (is_within (basins, at, ends[i], map))
      representatives[columns[i]] = map[basins[at]];
}

/* The region that a pixel of a line lies within; 0 if there is none. */
static guint32
find_region (const WfLabelLines *label_lines,
             gint64              row,
             guint32             column,
             const guint32      *map)
{
  const guint32 *columns = (const guint32 *) label_lines->columns[row]->data;
  const guint32 *ends    = (const guint32 *) label_lines->ends[row]->data;
  const guint32 *basins  = (const guint32 *) label_lines->basins[row]->data;
  guint          first   = 0;
  guint          end     = label_lines->columns[row]->len;

  while (first < end)
    {
      const guint middle = (first + end) / 2;

      if (columns[middle] < column)
        first = middle + 1;
      else
        end = middle;
    }
  if (first == label_lines->columns[row]->len || columns[first] != column)
    return 0;
  end   = ends[first];
  first = first > 0 ? ends[first - 1] : 0;
  return is_within (basins, first, end, map) ? map[basins[first]] : 0;
}

static gboolean
is_beside_basin (const WfLabelLines *label_lines,
                 const WfImage      *labels,
                 gint64              x0,
                 gint64              y0,
                 const guint32      *map,
                 guint32             left_out)
{
  for (gint64 y = MAX (y0 - 1, 0); y < MIN (y0 + 2, labels->height); y++)
    {
      const guint32 *row = (const guint32 *) labels->data + y * labels->row_stride;

      for (gint64 x = MAX (x0 - 1, 0); x < MIN (x0 + 2, labels->width); x++)
        {
          const guint32 region = row[x] ? map[row[x]]
                                        : find_region (label_lines, y, (guint32) x, map);

          if (region != 0 && region != left_out)
            return TRUE;
        }
    }
  return FALSE;
}

/**
 * wf_label_lines_trim:
 * @label_lines: of the labels
 * @labels: the labels
 * @row: of them
 * @map: for each label its region
 * @left_out: the region of what is left out
 * @representatives: of the pixels of that row, as wf_label_lines_join() leaves them: set to
 *   @left_out on lines that are beside no other region
 *
 * Lines between what is left out are left out with it, as by wf_objects_trim_lines().
 */
void
wf_label_lines_trim (const WfLabelLines *label_lines,
                     const WfImage      *labels,
                     gint64              row,
                     const guint32      *map,
                     guint32             left_out,
                     guint32            *representatives)
{
  for (gint64 x = 0; x < labels->width; x++)
    if (representatives[x] == 0 &&
        ! is_beside_basin (label_lines, labels, x, row, map, left_out))
      representatives[x] = left_out;
}
