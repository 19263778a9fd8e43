/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A seed in an object: what is connected with it there is flooded again from two markers.
 *
 *   seed   the pixel, and the way on which water runs from it: to the neighbor with the lowest
 *          level, the first of equal ones, as long as that is lower
 *   rest   of the pixels that lie below the way to the seed the one that lies deepest below it, the
 *          first of equal ones: the pass on the way from p to the seed is R (p), the
 *          reconstruction by erosion of the relief from the seed, and p lies R (p) − f (p) below
 *          it
 *
 * So the rest's marker is the minimum that is parted best from the seed, and not one of the many
 * that noise makes beside it.  Where no pixel lies below its way the seed is where the flood
 * began: it has no effect, and so has one that the lines between the two basins would leave
 * without pixels.  The seed's basin gets a new label; what is not connected with the seed keeps
 * the object's.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "divisions.h"

/* Labels of the markers. */
enum { REST = 1, SEED };

/**
 * Seeding:
 * @part: components of the object
 * @component: the number of that with the seed
 * @relief: a copy of the object's box, of the relief's type; after find_passes() with the highest
 *   level of the type outside the component
 * @markers: u32, of the box: where the flood begins
 */
typedef struct
{
  WfCorrecting *correcting;
  WfObjectPart  part;
  guint32       component;
  WfImage       relief;
  WfImage       markers;
} Seeding;

static gboolean
is_of_component (const Seeding *seeding,
                 gint64         i)
{
  return ((const guint32 *) seeding->part.components.data)[i] == seeding->component;
}

static double
get_level (const Seeding *seeding,
           gint64         i)
{
  gconstpointer levels = seeding->relief.data;

  return seeding->relief.type == WF_TYPE_U8    ? ((const guint8 *) levels)[i]
         : seeding->relief.type == WF_TYPE_U16 ? ((const guint16 *) levels)[i]
                                               : (double) ((const float *) levels)[i];
}

/* The lowest neighbor, if it is lower; else −1. */
static gint64
find_lower (const Seeding         *seeding,
            const WfNeighbourhood *neighbours,
            gint64                 i)
{
  const WfShape *shape  = &seeding->part.shape;
  const WfBox    all    = wf_shape_box (shape);
  const WfPoint  p      = wf_point_of_index (i, shape);
  gint64         lowest = -1;

  for (int k = 0; k < neighbours->n; k++)
    {
      const gint64 q = i + neighbours->step[k];

      if (wf_box_holds (&all, p, neighbours->dx[k], neighbours->dy[k], neighbours->dz[k]) &&
          is_of_component (seeding, q) &&
          get_level (seeding, q) < get_level (seeding, lowest < 0 ? i : lowest))
        lowest = q;
    }
  return lowest;
}

static gboolean
mark_seed (Seeding  *seeding,
           gint64    i,
           GError  **error)
{
  const WfShape  *shape = &seeding->part.shape;
  WfNeighbourhood neighbours;

  if (! wf_image_allocate (&seeding->markers, WF_TYPE_U32, shape->width, shape->height,
                           shape->depth, error))
    return FALSE;
  memset (seeding->markers.data, 0, (gsize) wf_shape_n_pixels (shape) * sizeof (guint32));
  wf_neighbourhood_init (&neighbours, seeding->correcting->connectivity, shape);
  for (; i >= 0; i = find_lower (seeding, &neighbours, i))
    ((guint32 *) seeding->markers.data)[i] = SEED;
  return TRUE;
}

#define PREPARE(Type, highest) \
  for (gint64 i = 0; i < n; i++) \
    { \
      Type *level = (Type *) seeding->relief.data + i; \
\
      *level = component[i] == own ? *level : (Type) (highest); \
      ((Type *) passes->data)[i] = marker[i] == SEED ? *level : (Type) (highest); \
    }

/* The levels of the component, and the highest level elsewhere: no way across that is lower than
 * one within the component, also where levels there are as high.
 */
static void
prepare (Seeding *seeding,
         WfImage *passes)
{
  const guint32 *component = seeding->part.components.data;
  const guint32  own       = seeding->component;
  const guint32 *marker    = seeding->markers.data;
  const gint64   n         = wf_shape_n_pixels (&seeding->part.shape);

  switch (passes->type)
    {
    case WF_TYPE_U8:
      PREPARE (guint8, G_MAXUINT8)
      break;
    case WF_TYPE_U16:
      PREPARE (guint16, G_MAXUINT16)
      break;
    default:
      PREPARE (float, INFINITY)
      break;
    }
}

/* The lowest passes on ways from the seed. */
static gboolean
find_passes (Seeding  *seeding,
             WfImage  *passes,
             GError  **error)
{
  const WfShape       *shape = &seeding->part.shape;
  WfReconstructOptions options;

  if (! wf_image_allocate (passes, seeding->relief.type, shape->width, shape->height, shape->depth,
                           error))
    return FALSE;
  prepare (seeding, passes);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  options.by           = WF_BY_EROSION;
  options.connectivity = wf_object_part_find_connectivity (seeding->correcting, shape);
  return wf_reconstruct (wf_object_part_get_context (seeding->correcting, shape),
                         &seeding->relief, passes, passes, &options, error);
}

/* Outside the component passes are as high as levels. */
#define FIND_DEEPEST(Type, Number) \
  { \
    const Type *level   = relief->data; \
    const Type *pass    = passes->data; \
    Number      deepest = 0; \
\
    for (gint64 i = 0; i < n; i++) \
      if ((Number) pass[i] - (Number) level[i] > deepest) \
        { \
          deepest = (Number) pass[i] - (Number) level[i]; \
          found   = i; \
        } \
  }

/* Returns: the pixel that lies deepest below its pass, or −1 */
static gint64
find_deepest (const WfImage *relief,
              const WfImage *passes)
{
  const gint64 n     = wf_image_n_pixels (relief);
  gint64       found = -1;

  switch (relief->type)
    {
    case WF_TYPE_U8:
      FIND_DEEPEST (guint8, int)
      break;
    case WF_TYPE_U16:
      FIND_DEEPEST (guint16, int)
      break;
    default:
      FIND_DEEPEST (float, double)
      break;
    }
  return found;
}

/* Marks the pixel that lies deepest below its pass, if there is one. */
static gboolean
mark_rest (Seeding   *seeding,
           gboolean  *found,
           GError   **error)
{
  g_auto (WfImage) passes = { 0 };
  gint64           rest;

  if (! find_passes (seeding, &passes, error))
    return FALSE;
  rest   = find_deepest (&seeding->relief, &passes);
  *found = rest >= 0;
  if (*found)
    ((guint32 *) seeding->markers.data)[rest] = REST;
  return TRUE;
}

static gboolean
make_mask (const Seeding  *seeding,
           WfImage        *mask,
           GError        **error)
{
  const WfShape *shape     = &seeding->part.shape;
  const guint32 *component = seeding->part.components.data;
  const guint32  own       = seeding->component;
  guint8        *inside;

  if (! wf_image_allocate (mask, WF_TYPE_U8, shape->width, shape->height, shape->depth, error))
    return FALSE;
  inside = mask->data;
  for (gint64 i = 0; i < wf_shape_n_pixels (shape); i++)
    inside[i] = component[i] == own;
  return TRUE;
}

static gboolean
has_both (const WfImage *basins)
{
  const guint32 *basin = basins->data;
  gboolean       has[] = { FALSE, FALSE, FALSE };

  for (gint64 i = 0; i < wf_image_n_pixels (basins); i++)
    has[basin[i]] = TRUE;
  return has[REST] && has[SEED];
}

static void
write_labels (const Seeding *seeding,
              const WfImage *basins,
              const guint32 *labels)
{
  const WfBox   *box       = &seeding->part.box;
  const guint32 *component = seeding->part.components.data;
  const guint32 *basin     = basins->data;

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        guint32 *row = wf_label_at (seeding->correcting->labels, box->x0, y, z);

        for (gint64 x = 0; x < box->x1 - box->x0; x++, component++, basin++)
          row[x] = *component == seeding->component ? labels[*basin] : row[x];
      }
}

static gboolean
flood (Seeding   *seeding,
       guint32    label,
       gboolean  *effective,
       GError   **error)
{
  g_auto (WfImage) mask     = { 0 };
  g_auto (WfImage) basins   = { 0 };
  guint32          labels[] = { 0, label, 0 };

  if (! make_mask (seeding, &mask, error) ||
      ! wf_object_part_flood (seeding->correcting, &seeding->part.box, &seeding->markers, &mask,
                              &basins, error))
    return FALSE;
  if (! has_both (&basins))
    return TRUE;
  if (! wf_correcting_add (seeding->correcting, label, &labels[SEED], error))
    return FALSE;
  write_labels (seeding, &basins, labels);
  for (int i = REST; i <= SEED; i++)
    wf_correcting_fit_box (seeding->correcting, labels[i], &seeding->part.box);
  *effective = TRUE;
  return TRUE;
}

static gboolean
seed (Seeding             *seeding,
      guint32              label,
      const WfPixelPlace  *point,
      gboolean            *effective,
      GError             **error)
{
  const WfBox *box = &seeding->part.box;
  gboolean     found;
  gint64       i;

  if (! wf_object_part_find (seeding->correcting, label, NULL, &seeding->part, error) ||
      ! wf_object_part_crop (seeding->correcting, box, &seeding->relief, error))
    return FALSE;
  i = wf_index_of_point ((WfPoint) { point->x - box->x0, point->y - box->y0, point->z - box->z0 },
                         &seeding->part.shape);
  seeding->component = ((const guint32 *) seeding->part.components.data)[i];
  return mark_seed (seeding, i, error) &&
         mark_rest (seeding, &found, error) &&
         (! found || flood (seeding, label, effective, error));
}

/* Of WfDivideFunc. */
static gboolean
divide (WfCorrecting        *correcting,
        guint32              label,
        const WfPixelPlace  *points,
        guint                n_points,
        gboolean            *effective,
        GError             **error)
{
  Seeding        seeding = { .correcting = correcting };
  const gboolean done    = seed (&seeding, label, points, effective, error);

  wf_object_part_clear (&seeding.part);
  wf_image_clear (&seeding.relief);
  wf_image_clear (&seeding.markers);
  return done;
}

/* Divides the object at the point. */
gboolean
wf_correcting_seed (WfCorrecting        *correcting,
                    const WfPixelPlace  *point,
                    gboolean            *effective,
                    GError             **error)
{
  const guint32 label = wf_correcting_look (correcting, point->x, point->y, point->z);

  return label == 0 || ! correcting->relief ||
         wf_correcting_divide (correcting, WF_CORRECTION_SEED, label, point, 1, divide, effective,
                               error);
}
