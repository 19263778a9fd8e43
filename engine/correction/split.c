/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Splitting an object by a stroke.
 *
 * The wall is the pixels of the object on the stroke, in a stack in all slices.  If the stroke
 * starts in the object, it is continued straight, away from the middle one of its points, to the
 * first pixel that is not of the object (in a stack, in the slice of the stroke); likewise if it
 * ends there.  So a short stroke across a neck is enough.
 *
 * The wall leaves components of the object.  Those that it touches are parts if they have at least
 * as many pixels as the wall; the largest two are parts in any case, of equal ones those that come
 * first in raster order.  With fewer than two the stroke has no effect.  The largest part, and
 * what the wall does not touch, keeps the label; the others get new ones in the order of their
 * sizes.
 *
 * The rest, which is the wall and small components at it, is flooded from the parts on the relief:
 * the border between them finds its way within the width of the stroke.  What is connected with no
 * part keeps the label, too.
 */

#include "config.h"

#include <string.h>

#include "engine/core/image.h"
#include "divisions.h"
#include "stroke.h"

/* Of a component that is no part: what is not touched by the wall, and what is flooded. */
#define UNTOUCHED 0
#define FLOODED   G_MAXUINT32

/**
 * Splitting:
 * @z: the slice of the stroke
 * @label: of the object
 * @box: of the object
 * @shape: of @box
 * @wall: not 0 in the wall
 * @n_wall: its pixels
 */
typedef struct
{
  WfCorrecting *correcting;
  gint64        z;
  guint32       label;
  WfBox         box;
  WfShape       shape;
  guint8       *wall;
  gint64        n_wall;
} Splitting;

/**
 * Component:
 * @number: of it
 * @n: its pixels
 * @touched: whether it has a pixel beside the wall
 */
typedef struct
{
  guint32  number;
  gint64   n;
  gboolean touched;
} Component;


/*  The object  */

/**
 * Count:
 * @pixels: for a label the number of pixels of the stroke
 */
typedef struct
{
  const WfCorrecting *correcting;
  gint64              z;
  GHashTable         *pixels;
  gint64              last;
} Count;

/* Of WfStrokeFunc: a corner of the stroke counts once. */
static gboolean
count (gint64   x,
       gint64   y,
       gpointer data)
{
  Count         *counted = data;
  const guint32  label   = wf_correcting_look (counted->correcting, x, y, counted->z);
  const gint64   place   = y * counted->correcting->shape.width + x;

  if (label != 0 && place != counted->last)
    {
      const gsize n = GPOINTER_TO_SIZE (g_hash_table_lookup (counted->pixels,
                                                             GUINT_TO_POINTER (label)));

      g_hash_table_insert (counted->pixels, GUINT_TO_POINTER (label), GSIZE_TO_POINTER (n + 1));
    }
  counted->last = place;
  return TRUE;
}

/* The object of which the stroke crosses the most pixels, of equal ones that with the lowest label;
 * or 0.
 */
static guint32
find_object (const WfCorrecting *correcting,
             const WfPixelPlace *points,
             guint               n_points)
{
  g_autoptr (GHashTable) pixels  = g_hash_table_new (NULL, NULL);
  Count                  counted = { correcting, points->z, pixels, -1 };
  guint32                most    = 0;
  gsize                  n_most  = 0;
  GHashTableIter         iter;
  gpointer               label;
  gpointer               n;

  wf_stroke_walk_all (correcting->shape.width, correcting->shape.height, points, n_points, count,
                      &counted);
  g_hash_table_iter_init (&iter, pixels);
  while (g_hash_table_iter_next (&iter, &label, &n))
    if (GPOINTER_TO_SIZE (n) > n_most ||
        (GPOINTER_TO_SIZE (n) == n_most && GPOINTER_TO_UINT (label) < most))
      {
        n_most = GPOINTER_TO_SIZE (n);
        most   = GPOINTER_TO_UINT (label);
      }
  return most;
}


/*  The wall  */

/* Of WfStrokeFunc: a pixel of the stroke, in all slices. */
static gboolean
build (gint64   x,
       gint64   y,
       gpointer data)
{
  Splitting   *splitting = data;
  const WfBox *box       = &splitting->box;

  if (x < box->x0 || x >= box->x1 || y < box->y0 || y >= box->y1)
    return TRUE;
  for (gint64 z = box->z0; z < box->z1; z++)
    {
      const gint64 i = ((z - box->z0) * splitting->shape.height + y - box->y0) *
                       splitting->shape.width + x - box->x0;

      if (! splitting->wall[i] &&
          *wf_label_at (splitting->correcting->labels, x, y, z) == splitting->label)
        {
          splitting->wall[i] = 1;
          splitting->n_wall++;
        }
    }
  return TRUE;
}

/* Of WfStrokeFunc: as long as it is in the object. */
static gboolean
build_on (gint64   x,
          gint64   y,
          gpointer data)
{
  Splitting *splitting = data;

  return wf_correcting_look (splitting->correcting, x, y, splitting->z) == splitting->label &&
         build (x, y, data);
}

static void
continue_end (Splitting          *splitting,
              const WfPixelPlace *end,
              const WfPixelPlace *middle)
{
  const WfShape *shape = &splitting->correcting->shape;
  const gint64   dx    = end->x - middle->x;
  const gint64   dy    = end->y - middle->y;
  gint64         times;

  if ((dx == 0 && dy == 0) ||
      wf_correcting_look (splitting->correcting, end->x, end->y, splitting->z) != splitting->label)
    return;
  times = (shape->width + shape->height) / MAX (ABS (dx), ABS (dy)) + 1;
  wf_stroke_walk (shape->width, shape->height, end,
                  &(WfPixelPlace) { end->x + times * dx, end->y + times * dy, 0 }, build_on,
                  splitting);
}

static gboolean
make_wall (Splitting           *splitting,
           const WfPixelPlace  *points,
           guint                n_points,
           GError             **error)
{
  const WfShape *shape = &splitting->correcting->shape;

  splitting->box   = *wf_correcting_get_box (splitting->correcting, splitting->label);
  splitting->shape = wf_box_shape (&splitting->box);
  splitting->wall  = wf_allocate_zeroed (wf_shape_n_pixels (&splitting->shape), 1, error);
  if (! splitting->wall)
    return FALSE;
  wf_stroke_walk_all (shape->width, shape->height, points, n_points, build, splitting);
  continue_end (splitting, &points[0], &points[n_points / 2]);
  continue_end (splitting, &points[n_points - 1], &points[(n_points - 1) / 2]);
  return TRUE;
}


/*  Parts  */

static int
compare_components (gconstpointer a,
                    gconstpointer b)
{
  const Component *first  = a;
  const Component *second = b;

  if (first->touched != second->touched)
    return first->touched ? -1 : 1;
  if (first->n != second->n)
    return first->n > second->n ? -1 : 1;
  return first->number < second->number ? -1 : 1;
}

/* Notes which components are beside a pixel of the wall. */
static void
touch (const WfObjectPart    *part,
       const WfNeighbourhood *neighbours,
       WfPoint                p,
       Component             *components)
{
  const WfBox    all    = wf_shape_box (&part->shape);
  const guint32 *number = part->components.data;
  const gint64   i      = wf_index_of_point (p, &part->shape);

  for (int k = 0; k < neighbours->n; k++)
    if (wf_box_holds (&all, p, neighbours->dx[k], neighbours->dy[k], neighbours->dz[k]))
      {
        const guint32 beside = number[i + neighbours->step[k]];

        if (beside > 0)
          components[beside - 1].touched = TRUE;
      }
}

static Component *
list_components (const Splitting    *splitting,
                 const WfObjectPart *part)
{
  Component      *components = g_new0 (Component, part->n + 1);
  const guint32  *number     = part->components.data;
  WfNeighbourhood neighbours;

  wf_neighbourhood_init (&neighbours, splitting->correcting->connectivity, &part->shape);
  for (gint64 i = 0; i < wf_shape_n_pixels (&part->shape); i++)
    if (splitting->wall[i])
      touch (part, &neighbours, wf_point_of_index (i, &part->shape), components);
    else if (number[i] > 0)
      components[number[i] - 1].n++;
  for (guint32 k = 0; k < part->n; k++)
    components[k].number = k + 1;
  qsort (components, part->n, sizeof *components, compare_components);
  return components;
}

/* Returns: (transfer full) (nullable): for each component the number of its part, from 1, or
 *   UNTOUCHED or FLOODED
 */
static guint32 *
number_parts (const Splitting    *splitting,
              const WfObjectPart *part,
              guint32            *n_parts)
{
  g_autofree Component *components = list_components (splitting, part);
  guint32              *numbers    = g_new0 (guint32, part->n + 1);

  *n_parts = 0;
  for (guint32 k = 0; k < part->n && components[k].touched; k++)
    numbers[components[k].number] = k < 2 || components[k].n >= splitting->n_wall ? ++*n_parts
                                                                                  : FLOODED;
  return numbers;
}


/*  Borders  */

/* The box of what is flooded, with the pixels beside it, in that of the part. */
static WfBox
find_flooded (const Splitting    *splitting,
              const WfObjectPart *part,
              const guint32      *numbers)
{
  const guint32 *number = part->components.data;
  WfBox          box    = { G_MAXINT64, G_MAXINT64, G_MAXINT64, 0, 0, 0 };

  for (gint64 i = 0; i < wf_shape_n_pixels (&part->shape); i++)
    if (splitting->wall[i] || numbers[number[i]] == FLOODED)
      {
        const WfPoint p = wf_point_of_index (i, &part->shape);

        box = (WfBox) { MIN (box.x0, p.x), MIN (box.y0, p.y), MIN (box.z0, p.z),
                        MAX (box.x1, p.x + 1), MAX (box.y1, p.y + 1), MAX (box.z1, p.z + 1) };
      }
  return (WfBox) { MAX (box.x0 - 1, 0), MAX (box.y0 - 1, 0), MAX (box.z0 - 1, 0),
                   MIN (box.x1 + 1, part->shape.width), MIN (box.y1 + 1, part->shape.height),
                   MIN (box.z1 + 1, part->shape.depth) };
}

static WfBox
move (const WfBox *box,
      const WfBox *origin)
{
  return (WfBox) { box->x0 + origin->x0, box->y0 + origin->y0, box->z0 + origin->z0,
                   box->x1 + origin->x0, box->y1 + origin->y0, box->z1 + origin->z0 };
}

/* The parts as markers in @box, and the pixels of the object there. */
static gboolean
make_markers (const Splitting     *splitting,
              const WfObjectPart  *part,
              const guint32       *numbers,
              const WfBox         *box,
              WfImage             *markers,
              WfImage             *mask,
              GError             **error)
{
  const WfShape  shape = wf_box_shape (box);
  guint32       *marker;
  guint8        *inside;

  if (! wf_image_allocate (markers, WF_TYPE_U32, shape.width, shape.height, shape.depth, error) ||
      ! wf_image_allocate (mask, WF_TYPE_U8, shape.width, shape.height, shape.depth, error))
    return FALSE;
  marker = markers->data;
  inside = mask->data;
  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      for (gint64 x = box->x0; x < box->x1; x++, marker++, inside++)
        {
          const gint64  i      = wf_index_of_point ((WfPoint) { x, y, z }, &part->shape);
          const guint32 number = numbers[((const guint32 *) part->components.data)[i]];

          *marker = number == FLOODED ? 0 : number;
          *inside = splitting->wall[i] || number != UNTOUCHED;
        }
  return TRUE;
}

/* Takes what is connected with no marker out of the mask. */
static gboolean
limit_mask (const Splitting  *splitting,
            const WfImage    *markers,
            WfImage          *mask,
            GError          **error)
{
  const gint64       n       = wf_image_n_pixels (mask);
  const WfShape      shape   = wf_image_shape (mask);
  const guint32     *marker  = markers->data;
  guint8            *inside  = mask->data;
  g_auto (WfImage)   pieces  = { 0 };
  g_autofree guint8 *reached = NULL;
  const guint32     *piece;
  guint32            n_pieces;
  WfLabelOptions     options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  options.connectivity = wf_object_part_find_connectivity (splitting->correcting, &shape);
  if (! wf_image_allocate (&pieces, WF_TYPE_U32, shape.width, shape.height, shape.depth, error) ||
      ! wf_label (wf_object_part_get_context (splitting->correcting, &shape), mask, &pieces,
                  &n_pieces, &options, error))
    return FALSE;
  reached = g_new0 (guint8, n_pieces + 1);
  piece   = pieces.data;
  for (gint64 i = 0; i < n; i++)
    reached[piece[i]] |= marker[i] != 0;
  for (gint64 i = 0; i < n; i++)
    inside[i] &= reached[piece[i]];
  return TRUE;
}

/* Writes the labels of the parts, and of what was flooded inside @mask. */
static void
write_labels (const Splitting    *splitting,
              const WfObjectPart *part,
              const guint32      *numbers,
              const WfBox        *box,
              const WfImage      *mask,
              const WfImage      *basins,
              const guint32      *labels)
{
  const WfBox   *origin = &part->box;
  const guint32 *number = part->components.data;

  for (gint64 i = 0; i < wf_shape_n_pixels (&part->shape); i++)
    {
      const WfPoint p    = wf_point_of_index (i, &part->shape);
      const guint32 mine = numbers[number[i]];
      guint32      *out  = wf_label_at (splitting->correcting->labels, origin->x0 + p.x,
                                        origin->y0 + p.y, origin->z0 + p.z);

      if (splitting->wall[i] || mine == FLOODED)
        {
          const gint64 k = wf_image_offset (basins, p.x - box->x0, p.y - box->y0, p.z - box->z0);

          if (((const guint8 *) mask->data)[k])
            *out = labels[((const guint32 *) basins->data)[k]];
        }
      else if (mine != UNTOUCHED)
        *out = labels[mine];
    }
}

static gboolean
divide (Splitting           *splitting,
        const WfObjectPart  *part,
        const guint32       *numbers,
        guint32              n_parts,
        GError             **error)
{
  WfCorrecting       *correcting = splitting->correcting;
  const WfBox         box        = find_flooded (splitting, part, numbers);
  const WfBox         place      = move (&box, &part->box);
  g_auto (WfImage)    markers    = { 0 };
  g_auto (WfImage)    mask       = { 0 };
  g_auto (WfImage)    basins     = { 0 };
  g_autofree guint32 *labels     = g_new0 (guint32, n_parts + 1);

  if (! make_markers (splitting, part, numbers, &box, &markers, &mask, error) ||
      ! limit_mask (splitting, &markers, &mask, error) ||
      ! wf_object_part_flood (correcting, &place, &markers, &mask, &basins, error))
    return FALSE;
  labels[1] = splitting->label;
  for (guint32 k = 2; k <= n_parts; k++)
    if (! wf_correcting_add (correcting, splitting->label, &labels[k], error))
      return FALSE;
  write_labels (splitting, part, numbers, &box, &mask, &basins, labels);
  for (guint32 k = 1; k <= n_parts; k++)
    wf_correcting_fit_box (correcting, labels[k], &part->box);
  return TRUE;
}

static gboolean
split (Splitting           *splitting,
       const WfPixelPlace  *points,
       guint                n_points,
       gboolean            *effective,
       GError             **error)
{
  g_auto (WfObjectPart) part    = { 0 };
  g_autofree guint32   *numbers = NULL;
  guint32               n_parts;

  if (! make_wall (splitting, points, n_points, error) ||
      ! wf_object_part_find (splitting->correcting, splitting->label, splitting->wall, &part,
                             error))
    return FALSE;
  numbers = number_parts (splitting, &part, &n_parts);
  if (n_parts < 2)
    return TRUE;
  *effective = TRUE;
  return divide (splitting, &part, numbers, n_parts, error);
}

/* Of WfDivideFunc. */
static gboolean
split_object (WfCorrecting        *correcting,
              guint32              label,
              const WfPixelPlace  *points,
              guint                n_points,
              gboolean            *effective,
              GError             **error)
{
  Splitting      splitting = { .correcting = correcting, .z = points->z, .label = label };
  const gboolean done      = split (&splitting, points, n_points, effective, error);

  g_free (splitting.wall);
  return done;
}

/* Splits the object that the stroke through the points crosses. */
gboolean
wf_correcting_split (WfCorrecting        *correcting,
                     const WfPixelPlace  *points,
                     guint                n_points,
                     gboolean            *effective,
                     GError             **error)
{
  const guint32 label = find_object (correcting, points, n_points);

  return label == 0 ||
         wf_correcting_divide (correcting, WF_CORRECTION_SPLIT, label, points, n_points,
                               split_object, effective, error);
}
