/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the rims of a band are connected through it: a forest of edges between the pixels of the
 * rims.  The highest level that can pass from one of them to another through the band (the largest
 * over all paths of the least level of the mask) is the least level on their path in the forest,
 * wherever that level could raise anything.
 *
 * Two reconstructions bound what can happen in the band: `own`, from its own marker, and `most`,
 * from rims as high as their masks.  Where both are equal the level is known and nothing passes: a
 * level that passed there would have reached everything behind already.  In all other pixels, the
 * open ones, `most` is the highest level that any pixel of the rims can send there.
 *
 *   1. Each open pixel gets an owner, a pixel of the rims that can send it as much.  It is found
 *      by following paths on which `most` never rises, the highest pixels of the rims first; so
 *      an owner sends to every pixel of its region what that has in `most`.
 *   2. Where two regions touch, their owners are connected at the lower of the two levels, and
 *      each pixel of the rims is connected with its owner at its own mask.  A path between two
 *      pixels of the rims crosses regions, and the owners of those are connected no lower than the
 *      path.
 *   3. Of these edges those of a maximum spanning forest are kept (Kruskal), at most one for each
 *      pixel of the rims.  It is made whenever the list of edges is full.
 *
 * Time: the open pixels are visited one after the other, in some tens of nanoseconds each.  Memory:
 * 8 bytes a pixel.
 *
 * Source: of basins that are joined at their passes, Barnes, Parallel priority-flood depression
 * filling for trillion cell digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <math.h>

#include "engine/cpu/union-find.h"
#include "rim-forest.h"

/* In place of an owner. */
#define OPEN   G_MAXUINT32
#define CLOSED (G_MAXUINT32 - 1)

/* Words of a seed; the last is its inverted key. */
#define SEED_PIXEL 0
#define SEED_NODE  1
#define SEED_LEVEL 2

/* Edges for each node that are listed before the forest is made of them. */
#define EDGES_TO_A_NODE 4

#define PIXELS_TO_A_LOOK (1 << 16)

/**
 * Field:
 * @owner: for each pixel its node, or %OPEN or %CLOSED
 * @waiting: pixels whose neighbours are still to be visited
 * @parents: of the nodes, for union-find
 * @seeds: open pixels of the rims, the highest first
 * @last: the last edge of each direction
 */
typedef struct
{
  WfRimForest     *forest;
  WfRun           *run;
  WfNeighbourhood  neighbours;
  WfBox            box;
  gint64           n_pixels;
  gint64           n_nodes;
  guint32         *owner;
  guint32         *waiting;
  guint32         *parents;
  WfTriples        seeds;
  WfTriples        scratch;
  WfTriple         last[WF_MAX_NEIGHBOURS];
  gint64           n_grown;
} Field;


static void
field_clear (Field *field)
{
  g_free (field->owner);
  g_free (field->waiting);
  g_free (field->parents);
  wf_triples_clear (&field->seeds);
  wf_triples_clear (&field->scratch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Field, field_clear)

/* Bytes that wf_rim_forest_build() takes. */
guint64
wf_rim_forest_memory (const WfRim   *rim,
                      const WfShape *band)
{
  const guint64 n_nodes = WF_N_RIMS * wf_rim_n_pixels (rim);

  /* edges and as many to sort them; parents; seeds */
  return 2 * sizeof (guint32) * wf_shape_n_pixels (band)
         + n_nodes * (2 * EDGES_TO_A_NODE * sizeof (WfTriple) + sizeof (guint32)
                      + sizeof (WfTriple));
}

static gboolean
field_init (Field        *field,
            WfRimForest  *forest,
            WfRun        *run,
            GError      **error)
{
  field->forest   = forest;
  field->run      = run;
  field->box      = wf_shape_box (&forest->shape);
  field->n_pixels = wf_shape_n_pixels (&forest->shape);
  field->n_nodes  = WF_N_RIMS * wf_rim_n_pixels (&forest->rim);
  wf_neighbourhood_init (&field->neighbours, forest->connectivity, &forest->shape);
  return (field->owner = wf_allocate (field->n_pixels, sizeof (guint32), error)) &&
         (field->waiting = wf_allocate (field->n_pixels, sizeof (guint32), error)) &&
         (field->parents = wf_allocate (field->n_nodes, sizeof (guint32), error)) &&
         wf_triples_grow (&forest->edges, EDGES_TO_A_NODE * field->n_nodes, error);
}


/*  Edges  */

/* Keeps those of the edges that make a maximum spanning forest. */
static gboolean
keep_forest (Field   *field,
             GError **error)
{
  WfTriples *edges   = &field->forest->edges;
  guint32   *parents = field->parents;
  gint64     n       = 0;

  if (! wf_triples_sort (edges, 0, WF_RIM_EDGE_LEVEL, &field->scratch, field->run, error))
    return FALSE;
  for (gint64 node = 0; node < field->n_nodes; node++)
    parents[node] = node;
  for (gint64 i = 0; i < edges->n; i++)
    {
      const WfTriple edge = edges->items[i];
      const guint32  a    = wf_find_root (parents, edge.word[0]);
      const guint32  b    = wf_find_root (parents, edge.word[1]);

      if (a == b)
        continue;
      parents[MAX (a, b)] = MIN (a, b);
      edges->items[n++]   = edge;
    }
  edges->n = n;
  return TRUE;
}

/* Adds an edge at the level of pixel @p.  Along a border the same regions meet again and again: of
 * those in a row that are found in one direction only higher ones are added.
 */
static gboolean
add_edge (Field    *field,
          int       direction,
          guint32   a,
          guint32   b,
          gint64    p,
          GError  **error)
{
  WfTriples      *edges = &field->forest->edges;
  const guint32   key   = wf_rim_key (&field->forest->rim, field->forest->most, p);
  const WfTriple  edge  = { { MAX (a, b), MIN (a, b), ~key } };
  WfTriple       *last  = &field->last[direction];

  if (last->word[0] == edge.word[0] && last->word[1] == edge.word[1] &&
      last->word[WF_RIM_EDGE_LEVEL] <= edge.word[WF_RIM_EDGE_LEVEL])
    return TRUE;
  *last = edge;
  if (edges->n == EDGES_TO_A_NODE * field->n_nodes && ! keep_forest (field, error))
    return FALSE;
  return wf_triples_push (edges, edge, error);
}


/*  Pixels of the rims  */

static gint64
pixel_of_node (const Field *field,
               gint64       node)
{
  const gint64 n = wf_rim_n_pixels (&field->forest->rim);

  return node < n ? node : field->n_pixels - n + (node - n);
}

static gboolean
list_seeds (Field   *field,
            GError **error)
{
  const WfRimForest *forest = field->forest;
  const gint64       n      = wf_rim_n_pixels (&forest->rim);

  for (gint64 node = 0; node < field->n_nodes; node++)
    {
      const gint64   p    = pixel_of_node (field, node);
      const guint32  key  = wf_rim_key (&forest->rim, forest->most, p);
      const WfTriple seed = { { p, node, ~key } };

      if (forest->is_rim[node / n] && field->owner[p] == OPEN &&
          ! wf_triples_push (&field->seeds, seed, error))
        return FALSE;
    }
  return wf_triples_sort (&field->seeds, 0, SEED_LEVEL, &field->scratch, field->run, error);
}

/* Connects the open pixels of the rims with their owners. */
static gboolean
join_owners (Field   *field,
             GError **error)
{
  for (gint64 i = 0; i < field->seeds.n; i++)
    {
      const guint32 *seed  = field->seeds.items[i].word;
      const guint32  owner = field->owner[seed[SEED_PIXEL]];

      if (owner != seed[SEED_NODE] &&
          ! add_edge (field, 0, owner, seed[SEED_NODE], seed[SEED_PIXEL], error))
        return FALSE;
    }
  return TRUE;
}


/*  The forest  */

#define WF_BODY "engine/reconstruction/rim-forest.inc.h"
#include "engine/reconstruction/cpu/types.inc.h"

typedef gboolean (* FindRegionsFunc) (Field   *field,
                                      GError **error);

static FindRegionsFunc
choose_function (const WfRim *rim)
{
  static const FindRegionsFunc functions[3][2] =
  {
    { find_regions_dilate_u8, find_regions_erode_u8 },
    { find_regions_dilate_u16, find_regions_erode_u16 },
    { find_regions_dilate_f32, find_regions_erode_f32 },
  };
  const int type = rim->type == WF_TYPE_U8 ? 0 : rim->type == WF_TYPE_U16 ? 1 : 2;

  return functions[type][rim->by == WF_BY_EROSION];
}

/* @forest: with everything but its edges, to be cleared even if this fails; fewer than 2³² − 2
 * pixels
 */
gboolean
wf_rim_forest_build (WfRimForest  *forest,
                     WfRun        *run,
                     GError      **error)
{
  g_auto (Field) field = { 0 };

  return field_init (&field, forest, run, error) &&
         choose_function (&forest->rim) (&field, error) &&
         join_owners (&field, error) &&
         keep_forest (&field, error);
}
