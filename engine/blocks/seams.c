/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/cpu/union-find.h"
#include "seams-private.h"

typedef struct WfSeamBand SeamBand;
typedef struct WfSeamRun  Run;

/* Bits of a label by which runs are sorted at a time. */
#define DIGIT 11


/* How many nodes there can be: labels of a rim do not touch each other, so at most every second
 * pixel has one of its own.  @rim: pixels along a seam
 */
static gint64
count_nodes (gint64 rim,
             gint64 n_rims)
{
  return n_rims * ((rim + 1) / 2);
}

/* Bytes that the seams of @n_bands bands take at most, whatever the labels are. */
guint64
wf_seams_memory (gint64                rim,
                 gint64                n_bands,
                 const WfCommunicator *ranks)
{
  const gboolean several = wf_ranks_are_several (ranks);
  const guint    n_pairs = several ? wf_ranks_count_levels (ranks) : 0;
  const gint64   n_rims  = 2 * (n_bands - ! several);

  /* four arrays, of which one is there twice while it is enlarged; the runs of two rims twice, and
   * their nodes; the outer ones: 2 more and what they have been given; for each pair two rims, four
   * arrays of nodes
   */
  return 5 * sizeof (guint32) * count_nodes (rim, n_rims) + sizeof (guint32) * rim
         + 2 * rim * (2 * sizeof (Run) + sizeof (guint32))
         + sizeof (SeamBand) * n_bands
         + (several ? sizeof (guint32) * (count_nodes (rim, n_rims + 4) + 6 * rim) : 0)
         + n_pairs * sizeof (guint32) * (7 * count_nodes (rim, 4) + 5 * rim);
}

static gboolean
allocate_rims (WfSeams  *seams,
               GError  **error)
{
  const gint64 rim = seams->width * seams->height;

  for (int side = 0; side < 2; side++)
    if (seams->is_outer[side] &&
        ! (seams->outer_rims[side] = wf_allocate (rim, sizeof (guint32), error)))
      return FALSE;
  seams->rim = wf_allocate (rim, sizeof (guint32), error);
  return seams->rim != NULL;
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
  seams->part     = bands->part;
  seams->n_bands  = bands->n;
  seams->of_band  = g_new0 (SeamBand, bands->n);
  if (bands->n > 0)
    {
      seams->is_outer[0] = wf_bands_have_seam (bands, 0, WF_BAND_FIRST);
      seams->is_outer[1] = wf_bands_have_seam (bands, bands->n - 1, WF_BAND_LAST);
    }
  seams->n_most = count_nodes (seams->width * seams->height,
                               2 * (bands->n - 1) + seams->is_outer[0] + seams->is_outer[1]);
  return allocate_rims (seams, error);
}

void
wf_seams_clear (WfSeams *seams)
{
  g_free (seams->of_band);
  g_free (seams->label);
  g_free (seams->parent);
  g_free (seams->number);
  g_free (seams->joined);
  g_free (seams->runs);
  g_free (seams->nodes);
  g_free (seams->rim);
  g_free (seams->outer_rims[0]);
  g_free (seams->outer_rims[1]);
  g_free (seams->outer);
  g_free (seams->given);
}

static void
forget_numbers (WfSeams *seams)
{
  seams->n_components = 0;
  seams->n_numbered   = 0;
  seams->n_final      = 0;
  seams->is_disturbed = FALSE;
}

/* Forgets all bands. */
void
wf_seams_begin (WfSeams *seams)
{
  seams->n_nodes = 0;
  forget_numbers (seams);
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

/* Adds the runs of labels of a rim to the @n that are known; returns how many are then.  @first:
 * the number of the rim's first pixel
 */
static gint64
note_runs (const WfSeams *seams,
           const guint32 *rim,
           guint32        first,
           Run           *runs,
           gint64         n)
{
  guint32 before = 0;

  for (gint64 i = 0; i < seams->width * seams->height; before = rim[i++])
    if (rim[i] != 0 && rim[i] != before)
      runs[n++] = (Run) { rim[i], first + (guint32) i };
  return n;
}

/* Sorts the @n runs by their labels; returns @runs or @scratch, which has the result. */
static Run *
sort_runs (Run    *runs,
           Run    *scratch,
           gint64  n)
{
  guint32 all = 0;

  for (gint64 i = 0; i < n; i++)
    all |= runs[i].label;
  for (int shift = 0; shift < 32 && all >> shift > 0; shift += DIGIT)
    {
      gint64 starts[(1 << DIGIT) + 1] = { 0 };
      Run   *sorted                   = scratch;

      for (gint64 i = 0; i < n; i++)
        starts[(runs[i].label >> shift) % (1 << DIGIT) + 1]++;
      for (int digit = 0; digit < 1 << DIGIT; digit++)
        starts[digit + 1] += starts[digit];
      for (gint64 i = 0; i < n; i++)
        sorted[starts[(runs[i].label >> shift) % (1 << DIGIT)]++] = runs[i];
      scratch = runs;
      runs    = sorted;
    }
  return runs;
}

/* Adds a node to the last band, whose labels come in increasing order. */
gboolean
wf_seams_add_node (WfSeams   *seams,
                   SeamBand  *band,
                   guint32    label,
                   GError   **error)
{
  if (! make_room (seams, error))
    return FALSE;
  seams->label[seams->n_nodes]  = label;
  seams->parent[seams->n_nodes] = seams->n_nodes;
  seams->n_nodes++;
  band->n_nodes++;
  return TRUE;
}

/* Makes nodes of the labels of runs, which are sorted.  @nodes: result, where each run begins: its
 * node counted from 1
 */
static gboolean
make_nodes (WfSeams    *seams,
            SeamBand   *band,
            const Run  *runs,
            gint64      n,
            guint32    *nodes,
            GError    **error)
{
  band->first_node = seams->n_nodes;
  band->n_nodes    = 0;
  for (gint64 i = 0; i < n; i++)
    {
      if ((i == 0 || runs[i].label != runs[i - 1].label) &&
          ! wf_seams_add_node (seams, band, runs[i].label, error))
        {
          seams->n_nodes = band->first_node;
          return FALSE;
        }
      nodes[runs[i].start] = seams->n_nodes;
    }
  return TRUE;
}

/* Gives all pixels of a rim the nodes of their runs, 0 where there is none. */
static void
fill_nodes (const WfSeams *seams,
            const guint32 *rim,
            guint32       *nodes)
{
  for (gint64 i = 0; i < seams->width * seams->height; i++)
    if (rim[i] == 0)
      nodes[i] = 0;
    else if (i > 0 && rim[i] == rim[i - 1])
      nodes[i] = nodes[i - 1];
}


/*  Joining  */

static void
join (WfSeams *seams,
      guint32  node,
      guint32  other)
{
  const guint32 a = wf_find_root (seams->parent, node);
  const guint32 b = wf_find_root (seams->parent, other);

  seams->parent[MAX (a, b)]  = MIN (a, b);
  seams->is_disturbed       |= a != b && MAX (a, b) < seams->n_final;
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

/* Joins the nodes at a seam with those of the rim before.  @nodes: from 1, 0 for none */
void
wf_seams_join_rim (WfSeams       *seams,
                   const guint32 *nodes)
{
  for (gint64 y = 0; y < seams->height; y++)
    for (gint64 x = 0; x < seams->width; x++)
      if (nodes[y * seams->width + x])
        join_beside (seams, x, y, nodes[y * seams->width + x] - 1);
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

/* Room that is used for each band anew. */
static gboolean
ensure_room (WfSeams  *seams,
             GError  **error)
{
  const gint64 rim = seams->width * seams->height;

  if (! seams->runs && ! (seams->runs = wf_allocate (4 * rim, sizeof (Run), error)))
    return FALSE;
  return seams->nodes || (seams->nodes = wf_allocate (2 * rim, sizeof (guint32), error));
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
  const gint64        rim     = seams->width * seams->height;
  const gboolean      is_last = band == seams->n_bands - 1;
  guint32            *after   = is_last ? seams->outer_rims[1] : seams->rim;
  gint64              n       = 0;
  Run                *runs;
  guint32            *nodes;

  if (! ensure_room (seams, error))
    return FALSE;
  runs  = seams->runs;
  nodes = seams->nodes;
  of_band->n_labels = n_labels;
  if (band > 0 || seams->outer_rims[0])
    n = note_runs (seams, first, 0, runs, n);
  if (after)
    n = note_runs (seams, last, rim, runs, n);
  if (! make_nodes (seams, of_band, sort_runs (runs, runs + 2 * rim, n), n, nodes, error))
    return FALSE;

  if (band > 0 || seams->outer_rims[0])
    fill_nodes (seams, first, nodes);
  if (band > 0)
    wf_seams_join_rim (seams, nodes);
  else if (seams->outer_rims[0])
    memcpy (seams->outer_rims[0], nodes, rim * sizeof (guint32));
  if (after)
    {
      fill_nodes (seams, last, nodes + rim);
      memcpy (after, nodes + rim, rim * sizeof (guint32));
    }
  return TRUE;
}


/*  Numbers  */

/* The number of a node's component.  @own: that it has if the node's first pixel is the component's
 * first: if not, a lesser node has it, or it was given from outside.
 */
static guint32
find_number (const WfSeams *seams,
             gint64         node,
             guint32        own)
{
  const guint32 root = wf_find_root (seams->parent, node);

  if (root != node)
    return seams->number[root];
  return seams->given && seams->outer[root] ? seams->given[seams->outer[root] - 1] : own;
}

/* Numbers the components of the first band that was added and has not been numbered. */
void
wf_seams_number_next (WfSeams *seams)
{
  SeamBand     *band     = &seams->of_band[seams->n_numbered++];
  const gint64  end      = band->first_node + band->n_nodes;
  gint64        n_joined = 0;

  band->n_before = seams->base + seams->n_components;
  for (gint64 node = band->first_node; node < end; node++)
    {
      const guint32 own = band->n_before + seams->label[node] - n_joined;

      seams->number[node]  = find_number (seams, node, own);
      n_joined            += seams->number[node] != own;
      seams->joined[node]  = n_joined;
    }
  seams->n_components += band->n_labels - n_joined;
  seams->n_final       = end;
}

/* Numbers the components of all bands.  @n_components may be beyond 32 bits, and numbers are wrong
 * then.
 */
void
wf_seams_solve (WfSeams *seams)
{
  forget_numbers (seams);
  while (seams->n_numbered < seams->n_bands)
    wf_seams_number_next (seams);
}

/* How many labels a band has by itself. */
guint32
wf_seams_count_labels (const WfSeams *seams,
                       gint64         band)
{
  return seams->of_band[band].n_labels;
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

/* Components of the whole whose first pixels lie before a band. */
guint32
wf_seams_count_before (const WfSeams *seams,
                       gint64         band)
{
  return seams->of_band[band].n_before;
}

/* Replaces labels of a band by their components where these have been joined to others, or were
 * given from outside, and by 0 elsewhere: without those, labels are numbered from
 * wf_seams_count_before() on.
 */
void
wf_seams_tell_joined (const WfSeams *seams,
                      gint64         band,
                      guint32       *labels,
                      gint64         n)
{
  const SeamBand *of_band = &seams->of_band[band];
  guint32         label   = 0;
  guint32         told    = 0;

  for (gint64 i = 0; i < n; i++)
    {
      if (labels[i] != label)
        {
          gint64 node;

          label = labels[i];
          node  = find_node (seams, of_band, label);
          told  = 0;
          if (label > 0 && node >= of_band->first_node && seams->label[node] == label &&
              seams->joined[node] != (node > of_band->first_node ? seams->joined[node - 1] : 0))
            told = seams->number[node];
        }
      labels[i] = told;
    }
}

/* The components of all labels of a band, from 0, which stands for none. */
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
