/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arrows and labels: each pixel gets the label at the end of its path of arrows.
 *
 * Following a path from pixel to pixel costs a mispredicted branch at its end.  Most paths
 * are short and end in the tile in which they begin, so the paths of a tile are resolved
 * without branches: the root of each pixel is set to the root of its arrow's target, in
 * raster order, in reverse order and in raster order again, as in the pointer jumping of
 * union-find (the path reduction of Bieniek and Moga, An efficient watershed algorithm
 * based on connected components, Pattern Recognition 33, 2000).  One pass follows chains
 * of any length that run against its direction.  So after three passes only paths that
 * turn more than twice or leave the tile are unresolved.
 *
 * The pixels of these are marked in their arrows.  Where they are few, they follow their path one
 * by one when all tiles are done.  Where they are many, since basins are wider than tiles, they
 * keep in place of the label a link: the pixel that they lead to, mostly in the next tile.  Paths
 * enter a tile at its rim, so those of the rims' pixels are shortened first, from tile to tile:
 * what they pass leads to the end from then on.  Rims get their labels from there, and then all
 * other pixels from the rims.  The first parts of the image that are resolved tell which it is.
 * Links need 32 bits that count the pixels.
 */

#include "config.h"

#include <string.h>

#include "flood.h"

/* A tile with its arrows, roots and labels fits the first-level cache. */
#define SIDE_IN_IMAGE 64
#define SIDE_IN_STACK 16
#define MOST_PIXELS   (18 * 18 * 18)

/* Pixels of a part: its levels, L2, arrows and labels, at most 13 bytes each, fit the second-level
 * cache.
 */
#define PART_PIXELS (1 << 17)

/* Parts that are resolved before the others, at least, and of how many parts they are one at most;
 * the share of unresolved pixels in them from which on links are faster.
 */
#define LEAST_TRIALS  16
#define PARTS_A_TRIAL 4
#define MANY_LINKS    0.15

/* Marks the arrow of an unresolved pixel. */
#define UNRESOLVED WF_N_ARROWS


/*  Inside tiles  */

/* A tile with a halo of one pixel; halo pixels are roots and have no label. */
typedef struct
{
  guint16 root[MOST_PIXELS];
  guint32 label[MOST_PIXELS];
  gint64  width;
  gint64  height;
  gint64  depth;
  gint64  row;      /* pixels from one row to the next */
  gint64  slice;
  gint64  first;    /* the tile's first pixel */
  gint16  step[WF_N_ARROWS];
} LocalTile;

static void
local_tile_init (LocalTile     *tile,
                 const WfFlood *flood,
                 const WfBox   *box)
{
  const WfNeighbourhood *nb    = &flood->neighbours;
  const gboolean         stack = wf_is_stack_connectivity (nb->n);
  gint64                 n;

  tile->width  = box->x1 - box->x0;
  tile->height = box->y1 - box->y0;
  tile->depth  = box->z1 - box->z0;
  tile->row    = tile->width + 2;
  tile->slice  = tile->row * (tile->height + 2);
  tile->first  = tile->row + 1 + (stack ? tile->slice : 0);
  n = tile->slice * (tile->depth + (stack ? 2 : 0));

  for (int i = 0; i < WF_N_ARROWS; i++)
    tile->step[i] = i < nb->n ? nb->dz[i] * tile->slice + nb->dy[i] * tile->row + nb->dx[i] : 0;
  for (gint64 i = 0; i < n; i++)
    tile->root[i] = i;
  memset (tile->label, 0, n * sizeof (guint32));
}

static inline gint64
row_start (const LocalTile *tile,
           gint64           y,
           gint64           z)
{
  return tile->first + z * tile->slice + y * tile->row;
}

/* The index in the image of the first pixel of a tile's row. */
static inline gint64
row_in_image (const WfFlood *flood,
              const WfBox   *box,
              gint64         y,
              gint64         z)
{
  return wf_index_of_point ((WfPoint) { box->x0, box->y0 + y, box->z0 + z },
                            &flood->task->shape);
}

/* First pass, in raster order: later pixels are still their own roots. */
static void
take_roots (LocalTile     *tile,
            const WfFlood *flood,
            const WfBox   *box)
{
  guint16 *root = tile->root;

  for (gint64 z = 0; z < tile->depth; z++)
    for (gint64 y = 0; y < tile->height; y++)
      {
        const guint8 *arrows = flood->arrows + row_in_image (flood, box, y, z);
        const gint64  start  = row_start (tile, y, z);

        for (gint64 x = 0; x < tile->width; x++)
          root[start + x] = root[start + x + tile->step[arrows[x] % WF_N_ARROWS]];
      }
}

static void
reduce_backwards (LocalTile *tile)
{
  guint16 *root = tile->root;

  for (gint64 z = tile->depth - 1; z >= 0; z--)
    for (gint64 y = tile->height - 1; y >= 0; y--)
      {
        const gint64 start = row_start (tile, y, z);

        for (gint64 i = start + tile->width - 1; i >= start; i--)
          root[i] = root[root[i]];
      }
}

/* Of the labels, which are those of the roots alone. */
static void
copy_labels (LocalTile     *tile,
             const WfFlood *flood,
             const WfBox   *box)
{
  for (gint64 z = 0; z < tile->depth; z++)
    for (gint64 y = 0; y < tile->height; y++)
      memcpy (tile->label + row_start (tile, y, z), flood->basins + row_in_image (flood, box, y, z),
              (gsize) tile->width * sizeof (guint32));
}

/* Indices in a tile, its rows and slices are below 2^13, so multiplication by this divides exactly.
 */
#define FRACTION_BITS 26

static inline guint64
find_fraction (gint64 divisor)
{
  return (guint64) ((((gint64) 1 << FRACTION_BITS) + divisor - 1) / divisor);
}

/**
 * Links:
 * @a_row, @a_slice: fractions of one pixel
 * @origin: index in the image of the first pixel of the halo, as all sums modulo 2^32
 * @to_row, @to_slice: pixels of the image that an index in the tile leaves out
 */
typedef struct
{
  guint64 a_row;
  guint64 a_slice;
  guint32 origin;
  guint32 to_row;
  guint32 to_slice;
} Links;

static Links
find_links (const LocalTile *tile,
            const WfFlood   *flood,
            const WfBox     *box)
{
  const WfShape *shape = &flood->task->shape;

  return (Links) {
    .a_row    = find_fraction (tile->row),
    .a_slice  = find_fraction (tile->slice),
    .origin   = (guint32) (row_in_image (flood, box, 0, 0) - tile->first % tile->slice
                           - (shape->width - tile->row)
                           - (tile->first >= tile->slice ? shape->width * shape->height : 0)),
    .to_row   = (guint32) (shape->width - tile->row),
    .to_slice = (guint32) ((shape->height - tile->height - 2) * shape->width),
  };
}

/* The index in the image of a pixel of the tile: where a path leaves it, or turns once more. */
static inline guint32
find_link (const Links *links,
           guint32      root)
{
  return links->origin + root + (guint32) (root * links->a_row >> FRACTION_BITS) * links->to_row
         + (guint32) (root * links->a_slice >> FRACTION_BITS) * links->to_slice;
}

/* Marks the pixels of a row that have no label, and returns how many they are. */
static guint32
mark_unresolved (const guint32 *label,
                 guint8        *arrows,
                 gint64         n)
{
  guint32 n_unresolved = 0;

  for (gint64 x = 0; x < n; x++)
    {
      arrows[x]    |= label[x] == 0 ? UNRESOLVED : 0;
      n_unresolved += label[x] == 0;
    }
  return n_unresolved;
}

/* Has the pixels of a row without a label lead to their roots. */
static void
link_unresolved (const Links   *links,
                 const guint16 *root,
                 const guint32 *label,
                 guint32       *basins,
                 gint64         n)
{
  for (gint64 x = 0; x < n; x++)
    {
      const guint32 link = find_link (links, root[x]);

      basins[x] = label[x] ? label[x] : link;
    }
}

/* The last pass, in raster order, also writes the labels, and marks the pixels without one.  These
 * are linked to their roots, or have label 0.  Returns how many they are.
 */
static gint64
take_labels (LocalTile     *tile,
             const WfFlood *flood,
             const WfBox   *box,
             gboolean       linked)
{
  const Links links = find_links (tile, flood, box);
  guint16    *root  = tile->root;
  guint32    *label = tile->label;
  gint64      n     = 0;

  for (gint64 z = 0; z < tile->depth; z++)
    for (gint64 y = 0; y < tile->height; y++)
      {
        const gint64 in_image = row_in_image (flood, box, y, z);
        const gint64 start    = row_start (tile, y, z);
        guint32      in_row;

        for (gint64 i = start; i < start + tile->width; i++)
          {
            const guint16 end = root[root[i]];

            root[i]  = end;
            label[i] = label[end];
          }
        in_row = mark_unresolved (label + start, flood->arrows + in_image, tile->width);
        n     += in_row;
        if (linked && in_row > 0)
          link_unresolved (&links, root + start, label + start, flood->basins + in_image,
                           tile->width);
        else
          memcpy (flood->basins + in_image, label + start, (gsize) tile->width * sizeof (guint32));
      }
  return n;
}

/* Returns how many pixels are unresolved; their labels are 0 where they are not @linked. */
static gint64
resolve_tile (const WfFlood *flood,
              const WfBox   *box,
              gboolean       linked)
{
  LocalTile tile;

  local_tile_init (&tile, flood, box);
  copy_labels (&tile, flood, box);
  take_roots (&tile, flood, box);
  reduce_backwards (&tile);
  return take_labels (&tile, flood, box, linked);
}


/*  Parts: some tiles of a row of them  */

/**
 * Paths:
 * @side, @thickness: of a tile, in rows and slices
 * @length: of a part, in columns
 * @parts_a_row: of tiles
 * @rows_a_slice: rows of tiles
 * @n_trials, @trial_step: parts that are resolved before the others, and how far they are apart
 * @linked: whether unresolved pixels have links
 * @n_unresolved: pixels of the trials; atomic
 */
typedef struct
{
  const WfFlood      *flood;
  const WfFloodSteps *steps;
  const WfRuns       *minima;
  gint64              side;
  gint64              thickness;
  gint64              length;
  gint64              parts_a_row;
  gint64              rows_a_slice;
  gint64              n_trials;
  gint64              trial_step;
  gboolean            linked;
  gint64              n_unresolved;
} Paths;

/* The arrows of a part's pixels in a row, and if the minima are the markers, the labels of its
 * roots.
 */
static void
start_row (const Paths *paths,
           const WfBox *part,
           gint64       y,
           gint64       z)
{
  const WfFlood *flood = paths->flood;
  const WfShape *shape = &flood->task->shape;
  const gint64   row   = z * shape->height + y;

  paths->steps->point_row (flood, part->x0, part->x1, y, z);
  if (paths->minima)
    wf_runs_fill_part (paths->minima, row, part->x0, part->x1,
                       flood->basins + row * shape->width);
}

static WfBox
find_part (const Paths *paths,
           gint64       number)
{
  const WfShape *shape = &paths->flood->task->shape;
  const gint64   row   = number / paths->parts_a_row;
  WfBox          part;

  part.x0 = number % paths->parts_a_row * paths->length;
  part.y0 = row % paths->rows_a_slice * paths->side;
  part.z0 = row / paths->rows_a_slice * paths->thickness;
  part.x1 = MIN (part.x0 + paths->length, shape->width);
  part.y1 = MIN (part.y0 + paths->side, shape->height);
  part.z1 = MIN (part.z0 + paths->thickness, shape->depth);
  return part;
}

/* Starts the rows of a part and resolves its tiles while they are in the cache.  Once for each
 * part: where the markers are the labels' first values, what is resolved looks like a marker.
 * Returns how many pixels are unresolved.
 */
static gint64
resolve_part (const Paths *paths,
              gint64       number)
{
  const WfBox part = find_part (paths, number);
  WfBox       box  = part;
  gint64      n    = 0;

  for (gint64 z = part.z0; z < part.z1; z++)
    for (gint64 y = part.y0; y < part.y1; y++)
      start_row (paths, &part, y, z);

  for (; box.x0 < part.x1; box.x0 = box.x1)
    {
      box.x1 = MIN (box.x0 + paths->side, part.x1);
      n     += resolve_tile (paths->flood, &box, paths->linked);
    }
  return n;
}

static gboolean
resolve_trial (gpointer data,
               WfRow    row)
{
  Paths *paths = data;

  __atomic_fetch_add (&paths->n_unresolved, resolve_part (paths, row.number * paths->trial_step),
                      __ATOMIC_RELAXED);
  return TRUE;
}

/* A part that is no trial. */
static gboolean
resolve_other (gpointer data,
               WfRow    row)
{
  const Paths *paths   = data;
  const gint64 between = paths->n_trials * (paths->trial_step - 1);

  resolve_part (paths, row.number + (row.number < between ? row.number / (paths->trial_step - 1) + 1
                                                          : paths->n_trials));
  return TRUE;
}

/* Has the unresolved pixels of a trial follow their paths. */
static gboolean
unlink_trial (gpointer data,
              WfRow    row)
{
  const Paths   *paths = data;
  const WfFlood *flood = paths->flood;
  const WfBox    part  = find_part (paths, row.number * paths->trial_step);

  for (gint64 z = part.z0; z < part.z1; z++)
    for (gint64 y = part.y0; y < part.y1; y++)
      {
        const gint64  p      = wf_index_of_point ((WfPoint) { part.x0, y, z }, &flood->task->shape);
        const guint8 *arrows = flood->arrows + p;
        guint32      *basins = flood->basins + p;

        for (gint64 x = 0; x < part.x1 - part.x0; x++)
          basins[x] = arrows[x] & UNRESOLVED ? 0 : basins[x];
      }
  return TRUE;
}

/* Resolves some parts, with links, and chooses whether the others get links. */
static gboolean
choose_links (Paths         *paths,
              const WfRows  *parts,
              GError       **error)
{
  const WfRun *run    = paths->flood->run;
  WfRows       trials = *parts;

  paths->linked = wf_shape_n_pixels (&paths->flood->task->shape) <= G_MAXUINT32;
  if (! paths->linked || parts->n < PARTS_A_TRIAL)
    return TRUE;
  trials.n          = (LEAST_TRIALS + run->n_threads - 1) / run->n_threads * run->n_threads;
  trials.n          = MIN (trials.n, parts->n / PARTS_A_TRIAL);
  paths->n_trials   = trials.n;
  paths->trial_step = parts->n / trials.n;
  if (! wf_run_rows (paths->flood->run, &trials, resolve_trial, paths, error))
    return FALSE;
  paths->linked = paths->n_unresolved > MANY_LINKS * (double) trials.n * parts->amount;
  trials.amount = 0;
  return paths->linked || wf_run_rows (paths->flood->run, &trials, unlink_trial, paths, error);
}


/*  Unresolved paths  */

static inline gint64
next_on_path (const WfFlood *flood,
              gint64         p)
{
  return p + flood->neighbours.step[flood->arrows[p] % WF_N_ARROWS];
}

/* Follows the path of a pixel to the first pixel with a label, and writes that label along
 * the path.  Another thread may write the same label to the same pixels.
 */
static void
walk_down (const WfFlood *flood,
           gint64         start)
{
  guint32 *basins = flood->basins;
  gint64   p      = start;
  guint32  label;

  do
    {
      p     = next_on_path (flood, p);
      label = __atomic_load_n (&basins[p], __ATOMIC_RELAXED);
    }
  while (label == 0);
  for (p = start; __atomic_load_n (&basins[p], __ATOMIC_RELAXED) == 0; p = next_on_path (flood, p))
    __atomic_store_n (&basins[p], label, __ATOMIC_RELAXED);
}

/* The pixels from @start to @end, where some are unresolved. */
static void
walk_pixels (const WfFlood *flood,
             gint64         start,
             gint64         end)
{
  for (gint64 p = start; p < end; p++)
    if ((flood->arrows[p] & UNRESOLVED) &&
        __atomic_load_n (&flood->basins[p], __ATOMIC_RELAXED) == 0)
      walk_down (flood, p);
}

/* Eight pixels at a time are looked at where most have labels. */
static inline gboolean
is_any_unresolved (const guint8 *arrows)
{
  guint64 eight;

  memcpy (&eight, arrows, sizeof eight);
  return (eight & UNRESOLVED * G_GUINT64_CONSTANT (0x0101010101010101)) != 0;
}

static gboolean
walk_row (gpointer data,
          WfRow    row)
{
  const Paths   *paths = data;
  const WfFlood *flood = paths->flood;
  const gint64   width = flood->task->shape.width;
  const gint64   start = row.number * width;
  const gint64   end   = start + width;
  gint64         p     = start;

  for (; p + 8 <= end; p += 8)
    if (is_any_unresolved (flood->arrows + p))
      walk_pixels (flood, p, p + 8);
  walk_pixels (flood, p, end);
  return TRUE;
}


/*  Links  */

typedef void (*PixelsFunc) (const WfFlood *flood, gint64 start, gint64 end);

/* Calls @func for the stretches of a row that are rims of tiles, or that are inside of them. */
static inline __attribute__ ((always_inline)) void
visit_row (const Paths *paths,
           const WfBox *part,
           gint64       y,
           gint64       z,
           gboolean     rim,
           PixelsFunc   func)
{
  const WfFlood *flood = paths->flood;
  const WfShape *shape = &flood->task->shape;
  const gint64   start = wf_index_of_point ((WfPoint) { part->x0, y, z }, shape);
  const gint64   end   = start + part->x1 - part->x0;
  const gboolean outer = y == part->y0 || y == part->y1 - 1 ||
                         (shape->depth > 1 && (z == part->z0 || z == part->z1 - 1));

  if (outer)
    {
      if (rim)
        func (flood, start, end);
      return;
    }
  for (gint64 first = start; first < end; first += paths->side)
    {
      const gint64 last = MIN (first + paths->side, end) - 1;

      if (! rim)
        func (flood, first + 1, last);
      else
        {
          func (flood, first, first + 1);
          func (flood, MAX (last, first + 1), last + 1);
        }
    }
}

static inline __attribute__ ((always_inline)) gboolean
visit_part (gpointer   data,
            WfRow      row,
            gboolean   rim,
            PixelsFunc func)
{
  const Paths *paths = data;
  const WfBox  part  = find_part (paths, row.number);

  for (gint64 z = part.z0; z < part.z1; z++)
    for (gint64 y = part.y0; y < part.y1; y++)
      visit_row (paths, &part, y, z, rim, func);
  return TRUE;
}

/* Has a pixel that links to @first, and those that it leads to, lead to the first one with a label,
 * which is returned.  Another thread may do the same: each store leads further along the same path.
 */
static inline guint32
shorten (const WfFlood *flood,
         guint32        first)
{
  const guint8 *arrows = flood->arrows;
  guint32      *links  = flood->basins;
  guint32       end    = first;
  guint32       next;

  while (arrows[end] & UNRESOLVED)
    end = __atomic_load_n (&links[end], __ATOMIC_RELAXED);
  if (end == first)
    return end;
  for (guint32 p = first; (next = __atomic_load_n (&links[p], __ATOMIC_RELAXED)) != end; p = next)
    __atomic_store_n (&links[p], end, __ATOMIC_RELAXED);
  return end;
}

static inline void
shorten_pixels (const WfFlood *flood,
                gint64         start,
                gint64         end)
{
  guint32 *links = flood->basins;
  guint32  last  = G_MAXUINT32;
  guint32  to    = 0;

  for (gint64 p = start; p < end; p++)
    if (flood->arrows[p] & UNRESOLVED)
      {
        const guint32 first = __atomic_load_n (&links[p], __ATOMIC_RELAXED);

        if (first != last)
          to = shorten (flood, last = first);
        __atomic_store_n (&links[p], to, __ATOMIC_RELAXED);
      }
}

/* Each leads to a pixel with a label, directly or by others of its tile.  What has its label is
 * marked no longer.  Whether neighbors lead to the same pixel cannot be predicted, so there is no
 * branch for it.
 */
static inline void
label_pixels (const WfFlood *flood,
              gint64         start,
              gint64         end)
{
  guint8  *arrows = flood->arrows;
  guint32 *basins = flood->basins;

  for (gint64 p = start; p < end; p++)
    {
      guint32 link = arrows[p] & UNRESOLVED ? basins[p] : (guint32) p;

      arrows[p] %= WF_N_ARROWS;
      while (G_UNLIKELY (arrows[link] & UNRESOLVED))
        link = basins[link];
      basins[p] = basins[link];
    }
}

static void
label_stretch (const WfFlood *flood,
               gint64         start,
               gint64         end)
{
  gint64 p = start;

  for (; p + 8 <= end; p += 8)
    if (is_any_unresolved (flood->arrows + p))
      label_pixels (flood, p, p + 8);
  label_pixels (flood, p, end);
}

static gboolean
shorten_rims (gpointer data,
              WfRow    row)
{
  return visit_part (data, row, TRUE, shorten_pixels);
}

static gboolean
label_insides (gpointer data,
               WfRow    row)
{
  return visit_part (data, row, FALSE, label_stretch);
}

static gboolean
label_rims (gpointer data,
            WfRow    row)
{
  return visit_part (data, row, TRUE, label_pixels);
}

/* Divides the image.  Parts begin at whole words of the bits of runs.  Where a tile size was set,
 * they have the least length.
 */
static WfRows
divide (Paths *paths)
{
  const WfShape *shape = &paths->flood->task->shape;
  const WfRun   *run   = paths->flood->run;
  const gint64   most  = shape->depth > 1 ? SIDE_IN_STACK : SIDE_IN_IMAGE;
  const gint64   side  = run->tile_size > 0 ? MIN (run->tile_size, most) : most;
  gint64         words;

  paths->side         = side;
  paths->thickness    = shape->depth > 1 ? side : 1;
  words               = PART_PIXELS / (side * paths->thickness * WF_BITS_A_WORD);
  paths->length       = (run->tile_size > 0 ? 1 : MAX (words, 1)) * WF_BITS_A_WORD;
  paths->parts_a_row  = (shape->width + paths->length - 1) / paths->length;
  paths->rows_a_slice = (shape->height + side - 1) / side;
  return (WfRows) {
    .n = paths->parts_a_row * paths->rows_a_slice
         * ((shape->depth + paths->thickness - 1) / paths->thickness),
    .chunk = 1,
    .amount = MIN (paths->length, shape->width) * MIN (side, shape->height)
              * MIN (paths->thickness, shape->depth),
  };
}

/* Gives every pixel the label at the end of its path.  L2 must be complete.  @minima: (nullable):
 * the roots, which are labelled already if this is not given.  Counts at most three for each
 * pixel as progress.
 */
gboolean
wf_flood_follow (const WfFlood       *flood,
                 const WfFloodSteps  *steps,
                 const WfRuns        *minima,
                 GError             **error)
{
  const WfRows rows  = { .n = wf_flood_n_rows (flood), .amount = flood->task->shape.width };
  Paths        paths = { .flood = flood, .steps = steps, .minima = minima };
  const WfRows parts = divide (&paths);
  WfRows       rest  = parts;
  WfRows       rims  = parts;

  if (! choose_links (&paths, &parts, error))
    return FALSE;
  rest.n     -= paths.n_trials;
  rims.amount = MAX (parts.amount / 2, 1);
  if (! wf_run_rows (flood->run, &rest, resolve_other, &paths, error))
    return FALSE;
  if (! paths.linked)
    return wf_run_rows (flood->run, &rows, walk_row, &paths, error);
  return wf_run_rows (flood->run, &rims, shorten_rims, &paths, error) &&
         wf_run_rows (flood->run, &rims, label_rims, &paths, error) &&
         wf_run_rows (flood->run, &parts, label_insides, &paths, error);
}


/*  Some paths  */

/* Rows whose arrows are found at once. */
#define ROWS_AT_ONCE 32

/* Pixels of a path between two looks at whether the run is cancelled. */
#define PIXELS_TO_A_LOOK (1 << 20)

/**
 * SomePaths:
 * @pointed: for each ROWS_AT_ONCE rows whether their arrows are known
 * @first: the first row whose arrows are being found
 * @n_walked: pixels so far
 */
typedef struct
{
  const WfFlood      *flood;
  const WfFloodSteps *steps;
  guint8             *pointed;
  gint64              first;
  gint64              n_walked;
} SomePaths;

static gboolean
point_row (gpointer data,
           WfRow    row)
{
  const SomePaths *paths  = data;
  const gint64     height = paths->flood->task->shape.height;
  const gint64     number = paths->first + row.number;

  paths->steps->point_row (paths->flood, 0, paths->flood->task->shape.width, number % height,
                           number / height);
  return TRUE;
}

static gboolean
find_arrows (SomePaths  *paths,
             gint64      row,
             GError    **error)
{
  const WfFlood *flood = paths->flood;
  const gint64   chunk = row / ROWS_AT_ONCE;
  WfRows         rows  = { .amount = flood->task->shape.width };

  if (G_LIKELY (paths->pointed[chunk]))
    return TRUE;
  paths->pointed[chunk] = TRUE;
  paths->first          = chunk * ROWS_AT_ONCE;
  rows.n                = MIN (ROWS_AT_ONCE, wf_flood_n_rows (flood) - paths->first);
  return wf_run_rows (flood->run, &rows, point_row, paths, error);
}

static gboolean
go_on (SomePaths  *paths,
       GError    **error)
{
  return G_LIKELY (++paths->n_walked % PIXELS_TO_A_LOOK) ||
         wf_run_advance (paths->flood->run, 0) || wf_run_set_cancelled (error);
}

/* As walk_down(), with one thread. */
static gboolean
walk_from (SomePaths  *paths,
           gint64      start,
           gint64      row,
           GError    **error)
{
  const WfFlood         *flood  = paths->flood;
  const WfNeighbourhood *nb     = &flood->neighbours;
  const gint64           height = flood->task->shape.height;
  gint64                 p      = start;

  while (flood->basins[p] == 0)
    {
      if (! find_arrows (paths, row, error) || ! go_on (paths, error))
        return FALSE;
      row += nb->dy[flood->arrows[p]] + nb->dz[flood->arrows[p]] * height;
      p    = next_on_path (flood, p);
    }
  for (gint64 q = start; flood->basins[q] == 0; q = next_on_path (flood, q))
    flood->basins[q] = flood->basins[p];
  return TRUE;
}

/* Gives the pixels of the rows from @first to @end, and those on their paths, the label at the end
 * of the path.  Other pixels keep what they have.  @pointed: a byte, 0, for each row of the whole
 */
gboolean
wf_flood_follow_some (const WfFlood       *flood,
                      const WfFloodSteps  *steps,
                      gint64               first,
                      gint64               end,
                      guint8              *pointed,
                      GError             **error)
{
  const gint64 width = flood->task->shape.width;
  SomePaths    paths = { .flood = flood, .steps = steps, .pointed = pointed };

  for (gint64 row = first; row < end; row++)
    for (gint64 p = row * width; p < (row + 1) * width; p++)
      if (! walk_from (&paths, p, row, error))
        return FALSE;
  return TRUE;
}
