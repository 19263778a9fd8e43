/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/cpu/union-find.h"
#include "seams.h"

/* @first_node: the first of the band's nodes, which have increasing labels
 * @n_labels: how many labels the band has by itself
 * @n_before: components whose first pixel lies in a band before
 */
typedef struct WfSeamBand
{
  gint64   first_node;
  gint64   n_nodes;
  guint32  n_labels;
  gint64   n_before;
} SeamBand;


/* How many nodes there can be: labels of a rim do not touch each other, so at most every second
 * pixel has one of its own.  @rim: pixels along a seam
 */
static gint64
count_nodes (gint64 rim,
             gint64 n_bands)
{
  return 2 * (n_bands - 1) * ((rim + 1) / 2);
}

/* Bytes that the seams of @n_bands bands take at most, whatever the labels are. */
guint64
wf_seams_memory (gint64 rim,
                 gint64 n_bands)
{
  /* four arrays, of which one is there twice while it is enlarged */
  return 5 * sizeof (guint32) * count_nodes (rim, n_bands) + sizeof (guint32) * rim
         + sizeof (SeamBand) * n_bands;
}

/* @limit: bytes that all of the operation may take; 0: not known */
gboolean
wf_seams_init (WfSeams        *seams,
               const WfBands  *bands,
               int             connectivity,
               guint64         limit,
               GError        **error)
{
  seams->width    = bands->shape.width;
  seams->height   = bands->shape.depth > 1 ? bands->shape.height : 1;
  seams->limit    = limit / WF_SHARE_OF_NODES;
  seams->diagonal = connectivity == 8 || connectivity == 26;
  seams->n_bands  = bands->n;
  seams->n_most   = count_nodes (seams->width * seams->height, bands->n);
  seams->of_band  = g_new0 (SeamBand, bands->n);
  seams->rim      = wf_allocate (seams->width * seams->height, sizeof (guint32), error);
  return seams->rim != NULL;
}

void
wf_seams_clear (WfSeams *seams)
{
  g_free (seams->of_band);
  g_free (seams->label);
  g_free (seams->parent);
  g_free (seams->number);
  g_free (seams->joined);
  g_free (seams->rim);
}

/* Forgets all bands. */
void
wf_seams_begin (WfSeams *seams)
{
  seams->n_nodes = 0;
}


/*  Nodes  */

static gboolean
enlarge (guint32 **array,
         gint64    n,
         gint64    wanted,
         GError  **error)
{
  guint32 *larger = wf_allocate (wanted, sizeof (guint32), error);

  if (! larger)
    return FALSE;
  if (n > 0)
    memcpy (larger, *array, n * sizeof (guint32));
  g_free (*array);
  *array = larger;
  return TRUE;
}

static gboolean
make_room (WfSeams  *seams,
           GError  **error)
{
  const gint64     wanted = MIN (MAX (1024, 2 * seams->n_allocated), seams->n_most);
  const guint64    bytes  = 4 * sizeof (guint32) * wanted;
  g_autofree char *text   = NULL;

  if (seams->n_nodes < seams->n_allocated)
    return TRUE;
  if (wanted > G_MAXUINT32 || wanted <= seams->n_nodes ||
      (seams->limit > 0 && bytes > seams->limit))
    {
      text = g_format_size (bytes * WF_SHARE_OF_NODES);
      g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                   _("The image has so many components that %s of memory are needed."), text);
      return FALSE;
    }
  if (! enlarge (&seams->label, seams->n_nodes, wanted, error) ||
      ! enlarge (&seams->parent, seams->n_nodes, wanted, error) ||
      ! enlarge (&seams->number, seams->n_nodes, wanted, error) ||
      ! enlarge (&seams->joined, seams->n_nodes, wanted, error))
    return FALSE;
  seams->n_allocated = wanted;
  return TRUE;
}

static void
note_labels (const WfSeams *seams,
             const guint32 *rim,
             guint32       *node_of)
{
  for (gint64 i = 0; i < seams->width * seams->height; i++)
    node_of[rim[i]] = rim[i] > 0;
}

/* @node_of: for each label whether it touches a seam; result: its node counted from 1, or 0 */
static gboolean
make_nodes (WfSeams   *seams,
            SeamBand  *band,
            guint32   *node_of,
            GError   **error)
{
  band->first_node = seams->n_nodes;
  for (gint64 label = 1; label <= band->n_labels; label++)
    if (node_of[label])
      {
        if (! make_room (seams, error))
          {
            seams->n_nodes = band->first_node;
            return FALSE;
          }
        seams->label[seams->n_nodes]  = label;
        seams->parent[seams->n_nodes] = seams->n_nodes;
        node_of[label]                = ++seams->n_nodes;
      }
  band->n_nodes = seams->n_nodes - band->first_node;
  return TRUE;
}


/*  Joining  */

static void
join (WfSeams *seams,
      guint32  node,
      guint32  other)
{
  const guint32 a = wf_find_root (seams->parent, node);
  const guint32 b = wf_find_root (seams->parent, other);

  seams->parent[MAX (a, b)] = MIN (a, b);
}

/* Joins a node at (@x, @y) of a seam with those that it touches in the rim before. */
static void
join_beside (WfSeams *seams,
             gint64   x,
             gint64   y,
             guint32  node)
{
  const int    reach = seams->diagonal;
  const gint64 x0    = MAX (x - reach, 0);
  const gint64 x1    = MIN (x + reach, seams->width - 1);

  for (gint64 v = MAX (y - reach, 0); v <= MIN (y + reach, seams->height - 1); v++)
    for (gint64 u = x0; u <= x1; u++)
      if (seams->rim[v * seams->width + u])
        join (seams, node, seams->rim[v * seams->width + u] - 1);
}

static void
join_seam (WfSeams       *seams,
           const guint32 *first,
           const guint32 *node_of)
{
  for (gint64 y = 0; y < seams->height; y++)
    for (gint64 x = 0; x < seams->width; x++)
      {
        const guint32 node = node_of[first[y * seams->width + x]];

        if (node)
          join_beside (seams, x, y, node - 1);
      }
}

/* Adds a band, the first to the last in this order.  @first, @last: its labels at its first and
 * last seam, 0 for none; they count from 1 in raster order of their first pixels in the band
 */
gboolean
wf_seams_add_band (WfSeams        *seams,
                   gint64          band,
                   const guint32  *first,
                   const guint32  *last,
                   guint32         n_labels,
                   GError        **error)
{
  SeamBand           *of_band = &seams->of_band[band];
  const gint64        n       = (gint64) n_labels + 1;
  g_autofree guint32 *node_of = wf_allocate (n, sizeof (guint32), error);

  if (! node_of)
    return FALSE;
  memset (node_of, 0, n * sizeof (guint32));
  of_band->n_labels = n_labels;
  if (band > 0)
    note_labels (seams, first, node_of);
  if (band < seams->n_bands - 1)
    note_labels (seams, last, node_of);
  if (! make_nodes (seams, of_band, node_of, error))
    return FALSE;

  if (band > 0)
    join_seam (seams, first, node_of);
  for (gint64 i = 0; band < seams->n_bands - 1 && i < seams->width * seams->height; i++)
    seams->rim[i] = node_of[last[i]];
  return TRUE;
}


/*  Numbers  */

/* Numbers the components of all bands.  @n_components may be beyond 32 bits, and numbers are wrong
 * then.
 */
void
wf_seams_solve (WfSeams *seams)
{
  gint64 n_before = 0;

  for (gint64 i = 0; i < seams->n_bands; i++)
    {
      SeamBand     *band     = &seams->of_band[i];
      const gint64  end      = band->first_node + band->n_nodes;
      gint64        n_joined = 0;

      band->n_before = n_before;
      for (gint64 node = band->first_node; node < end; node++)
        {
          const guint32 root = wf_find_root (seams->parent, node);

          n_joined           += root != node;
          seams->number[node] = root == node ? n_before + seams->label[node] - n_joined
                                             : seams->number[root];
          seams->joined[node] = n_joined;
        }
      n_before += band->n_labels - n_joined;
    }
  seams->n_components = n_before;
}

/* How many labels a band has by itself. */
guint32
wf_seams_count_labels (const WfSeams *seams,
                       gint64         band)
{
  return seams->of_band[band].n_labels;
}

/* The last of a band's nodes whose label is at most @label, or the one before the band's first. */
static gint64
find_node (const WfSeams  *seams,
           const SeamBand *band,
           guint32         label)
{
  gint64 before = band->first_node - 1;
  gint64 beyond = band->first_node + band->n_nodes;

  while (beyond - before > 1)
    {
      const gint64 middle = before + (beyond - before) / 2;

      if (seams->label[middle] <= label)
        before = middle;
      else
        beyond = middle;
    }
  return before;
}

/* The component of label @label of a band. */
guint32
wf_seams_find_number (const WfSeams *seams,
                      gint64         band,
                      guint32        label)
{
  const SeamBand *of_band = &seams->of_band[band];
  const gint64    node    = find_node (seams, of_band, label);

  if (node < of_band->first_node)
    return of_band->n_before + label;
  return seams->label[node] == label ? seams->number[node]
                                     : of_band->n_before + label - seams->joined[node];
}

/* The same for all labels of a band, from 0, which stands for none. */
void
wf_seams_number_band (const WfSeams *seams,
                      gint64         band,
                      guint32       *number_of)
{
  const SeamBand *of_band  = &seams->of_band[band];
  const gint64    end      = of_band->first_node + of_band->n_nodes;
  gint64          node     = of_band->first_node;
  gint64          n_joined = 0;

  number_of[0] = 0;
  for (gint64 label = 1; label <= of_band->n_labels; label++)
    if (node < end && seams->label[node] == label)
      {
        n_joined         = seams->joined[node];
        number_of[label] = seams->number[node++];
      }
    else
      number_of[label] = of_band->n_before + label - n_joined;
}
