/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Joining objects; see the top of correcting.c for the definition.  The lines within the joined
 * object are found before labels change, beside the objects that are joined.
 */

#include "config.h"

#include "correcting.h"
#include "stroke.h"

/**
 * Joining:
 * @labels: (element-type guint32): of the objects that are joined
 * @known: the same as a set
 * @z: the slice of the stroke
 * @lowest: the least of @labels
 */
typedef struct
{
  WfCorrecting *correcting;
  GArray       *labels;
  GHashTable   *known;
  gint64        z;
  guint32       lowest;
} Joining;


static gboolean
is_joined (const Joining *joining,
           guint32        label)
{
  return g_hash_table_contains (joining->known, GUINT_TO_POINTER (label));
}

/* Of WfStrokeFunc. */
static gboolean
note (gint64   x,
      gint64   y,
      gpointer data)
{
  Joining       *joining = data;
  const guint32  label   = wf_correcting_look (joining->correcting, x, y, joining->z);

  if (label != 0 && g_hash_table_add (joining->known, GUINT_TO_POINTER (label)))
    g_array_append_val (joining->labels, label);
  return TRUE;
}

static gboolean
is_inside (const WfCorrecting *correcting,
           WfPoint             p)
{
  const WfImage *mask = correcting->mask;
  gint64         i;

  if (! mask)
    return TRUE;
  i = wf_image_offset (mask, p.x, p.y, p.z);
  return mask->type == WF_TYPE_U8    ? ((const guint8 *) mask->data)[i] != 0
         : mask->type == WF_TYPE_U16 ? ((const guint16 *) mask->data)[i] != 0
         : mask->type == WF_TYPE_U32 ? ((const guint32 *) mask->data)[i] != 0
                                     : ((const float *) mask->data)[i] != 0;
}

/**
 * Around:
 * @first: the label that was met first, or 0
 * @several: whether another one was met
 * @foreign: whether one was met that is not joined
 */
typedef struct
{
  guint32  first;
  gboolean several;
  gboolean foreign;
} Around;

static gboolean
meet (const Joining *joining,
      Around        *around,
      WfPoint        p)
{
  const guint32 label = *wf_label_at (joining->correcting->labels, p.x, p.y, p.z);

  if (label == 0)
    return FALSE;
  around->several |= around->first != 0 && around->first != label;
  around->foreign |= label != around->first && ! is_joined (joining, label);
  around->first    = around->first ? around->first : label;
  return TRUE;
}

/* Whether a pixel without a label is a line within what is joined. */
static gboolean
is_line_within (const Joining         *joining,
                const WfNeighbourhood *neighbours,
                const WfBox           *all,
                WfPoint                p)
{
  Around   around = { 0 };
  gboolean beside = FALSE;

  if (! is_inside (joining->correcting, p))
    return FALSE;
  for (int k = 0; k < neighbours->n && ! around.foreign; k++)
    {
      const WfPoint q = { p.x + neighbours->dx[k], p.y + neighbours->dy[k],
                          p.z + neighbours->dz[k] };

      if (! wf_box_holds (all, q, 0, 0, 0))
        continue;
      if (meet (joining, &around, q))
        {
          beside = TRUE;
          continue;
        }
      if (! is_inside (joining->correcting, q))
        continue;
      for (int l = 0; l < neighbours->n; l++)
        if (wf_box_holds (all, q, neighbours->dx[l], neighbours->dy[l], neighbours->dz[l]))
          meet (joining, &around, (WfPoint) { q.x + neighbours->dx[l], q.y + neighbours->dy[l],
                                              q.z + neighbours->dz[l] });
    }
  return beside && around.several && ! around.foreign;
}

/* The box of an object, with the pixels beside it. */
static WfBox
widen (const WfBox *box,
       const WfBox *all)
{
  return (WfBox) { MAX (box->x0 - 1, all->x0), MAX (box->y0 - 1, all->y0),
                   MAX (box->z0 - 1, all->z0), MIN (box->x1 + 1, all->x1),
                   MIN (box->y1 + 1, all->y1), MIN (box->z1 + 1, all->z1) };
}

/* Returns: (transfer full) (element-type WfPoint): the lines within; some may be there twice */
static GArray *
find_lines (const Joining *joining)
{
  const WfShape  *shape  = &joining->correcting->shape;
  const WfBox     all    = wf_shape_box (shape);
  GArray         *lines  = g_array_new (FALSE, FALSE, sizeof (WfPoint));
  WfNeighbourhood neighbours;

  wf_neighbourhood_init (&neighbours, joining->correcting->connectivity, shape);
  for (guint i = 0; joining->correcting->options.lines && i < joining->labels->len; i++)
    {
      const guint32 label = g_array_index (joining->labels, guint32, i);
      const WfBox   box   = widen (wf_correcting_get_box (joining->correcting, label), &all);

      for (gint64 z = box.z0; z < box.z1; z++)
        for (gint64 y = box.y0; y < box.y1; y++)
          {
            const guint32 *row = wf_label_at (joining->correcting->labels, 0, y, z);

            for (gint64 x = box.x0; x < box.x1; x++)
              {
                const WfPoint p = { x, y, z };

                if (row[x] == 0 && is_line_within (joining, &neighbours, &all, p))
                  g_array_append_val (lines, p);
              }
          }
    }
  return lines;
}

/* Gives the pixels of an object the lowest label. */
static void
replace (Joining *joining,
         guint32  label)
{
  WfCorrecting *correcting = joining->correcting;
  WfBox        *box        = wf_correcting_get_box (correcting, label);

  for (gint64 z = box->z0; z < box->z1; z++)
    for (gint64 y = box->y0; y < box->y1; y++)
      {
        guint32 *row = wf_label_at (correcting->labels, 0, y, z);

        for (gint64 x = box->x0; x < box->x1; x++)
          row[x] = row[x] == label ? joining->lowest : row[x];
      }
  wf_box_include (wf_correcting_get_box (correcting, joining->lowest), box);
  *box = (WfBox) { 0 };
  if (correcting->states->data[label] == WF_OBJECT_KEPT)
    correcting->states->data[joining->lowest] = WF_OBJECT_KEPT;
  correcting->states->data[label] = WF_OBJECT_PLAIN;
}

static void
join (Joining *joining)
{
  g_autoptr (GArray)  lines = find_lines (joining);
  WfBox              *box;

  for (guint i = 0; i < joining->labels->len; i++)
    if (g_array_index (joining->labels, guint32, i) != joining->lowest)
      replace (joining, g_array_index (joining->labels, guint32, i));
  box = wf_correcting_get_box (joining->correcting, joining->lowest);
  for (guint i = 0; i < lines->len; i++)
    {
      const WfPoint p = g_array_index (lines, WfPoint, i);

      *wf_label_at (joining->correcting->labels, p.x, p.y, p.z) = joining->lowest;
      wf_box_include (box, &(WfBox) { p.x, p.y, p.z, p.x + 1, p.y + 1, p.z + 1 });
    }
}

/* Joins the objects at the points or, with @along, on the stroke through them. */
gboolean
wf_correcting_join (WfCorrecting        *correcting,
                    const WfPixelPlace  *points,
                    guint                n_points,
                    gboolean             along,
                    gboolean            *effective,
                    GError             **error)
{
  g_autoptr (GArray)     labels  = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) known   = g_hash_table_new (NULL, NULL);
  Joining                joining = { correcting, labels, known, points->z, G_MAXUINT32 };

  if (along)
    wf_stroke_walk_all (correcting->shape.width, correcting->shape.height, points, n_points, note,
                        &joining);
  for (guint i = 0; ! along && i < n_points; i++)
    {
      joining.z = points[i].z;
      note (points[i].x, points[i].y, &joining);
    }
  if (labels->len < 2)
    return TRUE;
  for (guint i = 0; i < labels->len; i++)
    joining.lowest = MIN (joining.lowest, g_array_index (labels, guint32, i));
  join (&joining);
  *effective = TRUE;
  return TRUE;
}
