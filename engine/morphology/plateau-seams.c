/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/cpu/union-find.h"
#include "plateau-seams.h"


/*  Rims  */

gboolean
wf_plateau_rim_init (WfPlateauRim  *rim,
                     gint64         n,
                     GError       **error)
{
  return (rim->node = wf_allocate (n, sizeof (guint32), error)) &&
         (rim->key = wf_allocate (n, sizeof (guint32), error));
}

void
wf_plateau_rim_clear (WfPlateauRim *rim)
{
  g_clear_pointer (&rim->node, g_free);
  g_clear_pointer (&rim->key, g_free);
}

void
wf_plateau_rim_copy (WfPlateauRim       *to,
                     const WfPlateauRim *from,
                     gint64              n)
{
  memcpy (to->node, from->node, n * sizeof (guint32));
  memcpy (to->key, from->key, n * sizeof (guint32));
}


/*  Nodes  */

/* @limit: bytes for the nodes; 0: not known */
gboolean
wf_plateau_seams_init (WfPlateauSeams  *seams,
                       const WfRim     *rim,
                       guint64          limit,
                       GError         **error)
{
  const gint64 n = wf_rim_n_pixels (rim);

  seams->rim   = *rim;
  seams->limit = limit;
  return (seams->beside[0] = wf_allocate (n, sizeof (guint32), error)) &&
         (seams->beside[1] = wf_allocate (n, sizeof (guint32), error));
}

void
wf_plateau_seams_clear (WfPlateauSeams *seams)
{
  g_clear_pointer (&seams->out, g_free);
  g_clear_pointer (&seams->parent, g_free);
  g_clear_pointer (&seams->beside[0], g_free);
  g_clear_pointer (&seams->beside[1], g_free);
}

static gboolean
refuse_nodes (gint64   n,
              GError **error)
{
  g_autofree char *text = g_format_size (n * WF_PLATEAU_NODE_BYTES);

  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               _("The image has so many components that %s of memory are needed."), text);
  return FALSE;
}

static gboolean
make_room (WfPlateauSeams  *seams,
           gint64           n,
           GError         **error)
{
  const gint64  wanted = MAX (n, MIN (2 * seams->n_allocated, G_MAXUINT32));
  guint32      *parent;
  guint8       *out;

  if (n <= seams->n_allocated)
    return TRUE;
  if (n > G_MAXUINT32 || (seams->limit > 0 && n * WF_PLATEAU_NODE_BYTES > seams->limit))
    return refuse_nodes (n, error);
  if (! (parent = wf_allocate (wanted, sizeof (guint32), error)))
    return FALSE;
  if (seams->n_nodes > 0)
    memcpy (parent, seams->parent, seams->n_nodes * sizeof (guint32));
  g_free (seams->parent);
  seams->parent = parent;
  if (! (out = wf_allocate (wanted, 1, error)))
    return FALSE;
  if (seams->n_nodes > 0)
    memcpy (out, seams->out, seams->n_nodes);
  g_free (seams->out);
  seams->out         = out;
  seams->n_allocated = wanted;
  return TRUE;
}

/* Adds @n nodes, which are not out. */
gboolean
wf_plateau_seams_add (WfPlateauSeams  *seams,
                      gint64           n,
                      GError         **error)
{
  if (n == 0)
    return TRUE;
  if (! make_room (seams, seams->n_nodes + n, error))
    return FALSE;
  memset (seams->out + seams->n_nodes, FALSE, n);
  for (gint64 i = 0; i < n; i++, seams->n_nodes++)
    seams->parent[seams->n_nodes] = seams->n_nodes;
  return TRUE;
}

guint32
wf_plateau_seams_find_root (const WfPlateauSeams *seams,
                            guint32               node)
{
  return wf_find_root (seams->parent, node);
}


/*  Seams  */

static gboolean
is_out (const WfPlateauRim *rim,
        const guint32      *beside,
        gint64              i)
{
  return rim->node[i] == 0 || beside[i] > rim->key[i];
}

/* Two pixels of one level that touch across a seam. */
static void
join_pixels (WfPlateauSeams     *seams,
             const WfPlateauRim *before,
             gint64              i,
             const WfPlateauRim *after,
             gint64              k)
{
  const gboolean first  = is_out (before, seams->beside[0], i);
  const gboolean second = is_out (after, seams->beside[1], k);
  guint32        a, b;

  if (first && second)
    return;
  if (first)
    seams->out[after->node[k] - 1] = TRUE;
  else if (second)
    seams->out[before->node[i] - 1] = TRUE;
  else
    {
      a = wf_find_root (seams->parent, before->node[i] - 1);
      b = wf_find_root (seams->parent, after->node[k] - 1);
      seams->parent[MAX (a, b)] = MIN (a, b);
    }
}

static void
mark_exceeded (WfPlateauSeams     *seams,
               const WfPlateauRim *rim,
               const guint32      *beside)
{
  for (gint64 i = 0; i < wf_rim_n_pixels (&seams->rim); i++)
    if (rim->node[i] && beside[i] > rim->key[i])
      seams->out[rim->node[i] - 1] = TRUE;
}

/* Compares the pixels on both sides of a seam. */
void
wf_plateau_seams_join (WfPlateauSeams     *seams,
                       const WfPlateauRim *before,
                       const WfPlateauRim *after)
{
  const WfRim *rim   = &seams->rim;
  const gint64 reach = rim->reach;

  wf_rim_spread (rim, after->key, seams->beside[0]);
  wf_rim_spread (rim, before->key, seams->beside[1]);
  mark_exceeded (seams, before, seams->beside[0]);
  mark_exceeded (seams, after, seams->beside[1]);
  for (gint64 i = 0; i < wf_rim_n_pixels (rim); i++)
    {
      const gint64 x = i % rim->width;
      const gint64 y = i / rim->width;

      if (seams->beside[1][i] < after->key[i])
        continue;
      for (gint64 v = MAX (y - reach, 0); v <= MIN (y + reach, rim->height - 1); v++)
        for (gint64 u = MAX (x - reach, 0); u <= MIN (x + reach, rim->width - 1); u++)
          if (before->key[v * rim->width + u] == after->key[i])
            join_pixels (seams, before, v * rim->width + u, after, i);
    }
}

/* A plateau is out if any of its nodes is. */
void
wf_plateau_seams_solve (WfPlateauSeams *seams)
{
  for (gint64 node = 0; node < seams->n_nodes; node++)
    if (seams->out[node])
      seams->out[wf_find_root (seams->parent, node)] = TRUE;
  for (gint64 node = 0; node < seams->n_nodes; node++)
    seams->out[node] = seams->out[wf_find_root (seams->parent, node)];
}
