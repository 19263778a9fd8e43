/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components of an image larger than memory, in bands (engine/blocks/bands.h).
 *
 *   summary   Each band is labelled by itself.  A label that touches a seam, the border between
 *             two bands, becomes a node; all others are final but for an offset.
 *   solve     Nodes whose pixels touch across a seam are joined by union-find.  The least node
 *             of a set holds the first pixel of the component, so components are numbered by
 *             going over the bands and their labels in order, without the nodes that were joined
 *             to a lesser one.
 *   finish    Each band is read and labelled once more, and its labels are replaced by the
 *             numbers.
 *
 * Only the nodes are kept from one pass to the next: their memory grows with the number of labels
 * at the seams.
 *
 * Source: of the three steps, Barnes, Parallel priority-flood depression filling for trillion
 * cell digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/blocks/bands.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"
#include "engine/cpu/union-find.h"

/* The part of the memory that the nodes may take. */
#define SHARE_OF_NODES 8

/* Labels that touch a seam, in the order of bands and labels. */
typedef struct
{
  gint64   n;
  gint64   allocated;
  guint32 *label;           /* in its band */
  guint32 *parent;          /* a lesser node of the same component, or itself */
  guint32 *number;          /* of the component, once it is known, of roots only */
} Nodes;

/* @first_node: the first of the band's nodes
 * @n_labels: how many labels the band has by itself
 */
typedef struct
{
  gint64   first_node;
  gint64   n_nodes;
  guint32  n_labels;
} BandLabels;

typedef struct
{
  WfContext            *context;
  const WfBlockSource  *source;
  const WfBlockSink    *sink;
  WfLabelOptions        options;        /* of a band */
  int                   connectivity;   /* of the whole */
  WfBands               bands;
  WfImage               image;          /* of one band */
  WfImage               labels;
  gint64                held;           /* the band that they are of, or −1 */
  BandLabels           *of_band;
  Nodes                 nodes;
  gint64                n_joined;       /* nodes that are no roots */
  gint64                rim_width;      /* of the pixels at a seam */
  gint64                rim_height;
  guint32              *rim;            /* of the band before: nodes from 1, 0 for background */
} Work;


/*  Memory  */

static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Work     *work    = data;
  WfLabelOptions  options = work->options;
  WfImage         image   = { .type = work->source->type, .width = band->width,
                              .height = band->height, .depth = band->depth,
                              .row_stride = band->width,
                              .slice_stride = band->width * band->height,
                              .data = (gpointer) work };
  const guint64   n       = wf_shape_n_pixels (band);
  WfEstimate      result  = { 0 };
  guint64         bytes;

  options.connectivity = wf_bands_connectivity (work->connectivity, band->depth);
  wf_operation_get_record (WF_OPERATION_LABEL)->estimate (WF_OPERATION_LABEL, &image, &options,
                                                          &result, NULL);
  /* image, labels, at most half as many numbers, rim */
  bytes = result.bytes + n * (wf_type_size (work->source->type) + sizeof (guint32))
          + n / 2 * sizeof (guint32) + work->rim_width * work->rim_height * sizeof (guint32);
  return bytes + bytes / (SHARE_OF_NODES - 1);
}

static gboolean
nodes_grow (Nodes    *nodes,
            guint64   limit,
            GError  **error)
{
  const gint64      wanted = MAX (1024, 2 * nodes->allocated);
  const guint64     bytes  = 3 * sizeof (guint32) * wanted;
  g_autofree char  *text   = NULL;
  guint32         **arrays[] = { &nodes->label, &nodes->parent, &nodes->number };

  if (wanted > G_MAXUINT32 || (limit > 0 && bytes > limit / SHARE_OF_NODES))
    {
      text = g_format_size (bytes * SHARE_OF_NODES);
      g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                   _("The image has so many components that %s of memory are needed."), text);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      guint32 *larger = wf_allocate (wanted, sizeof (guint32), error);

      if (! larger)
        return FALSE;
      if (nodes->n > 0)
        memcpy (larger, *arrays[i], nodes->n * sizeof (guint32));
      g_free (*arrays[i]);
      *arrays[i] = larger;
    }
  nodes->allocated = wanted;
  return TRUE;
}

static void
work_clear (Work *work)
{
  wf_image_clear (&work->image);
  wf_image_clear (&work->labels);
  g_free (work->of_band);
  g_free (work->nodes.label);
  g_free (work->nodes.parent);
  g_free (work->nodes.number);
  g_free (work->rim);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)


/*  Summary  */

/* Reads a band and numbers its components by themselves. */
static gboolean
label_band (Work     *work,
            gint64    number,
            GError  **error)
{
  BandLabels *band = &work->of_band[number];

  if (work->held == number)
    return TRUE;
  wf_bands_fit_view (&work->bands, number, &work->labels);
  work->options.connectivity = wf_bands_connectivity (work->connectivity, work->labels.depth);
  if (! wf_bands_read (&work->bands, work->context, work->source, number, _("image"),
                       &work->image, error) ||
      ! wf_label (work->context, &work->image, &work->labels, &band->n_labels, &work->options,
                  error))
    return FALSE;
  work->held = number;
  return TRUE;
}

/* The labels of a band beside the band before it, or after it. */
static const guint32 *
find_rim (const Work *work,
          gboolean    last)
{
  const WfImage *labels = &work->labels;
  const gint64   n      = wf_image_n_pixels (labels);

  return (const guint32 *) labels->data + (last ? n - work->rim_width * work->rim_height : 0);
}

static void
note_labels (const Work    *work,
             const guint32 *rim,
             guint32       *node_of)
{
  for (gint64 i = 0; i < work->rim_width * work->rim_height; i++)
    node_of[rim[i]] = rim[i] > 0;
}

/* Makes nodes of the labels that touch a seam; @node_of: for each label 0, result: its node
 * counted from 1, or 0
 */
static gboolean
make_nodes (Work     *work,
            gint64    number,
            guint32  *node_of,
            GError  **error)
{
  const guint64  limit = wf_context_get_memory (work->context);
  BandLabels    *band  = &work->of_band[number];
  Nodes         *nodes = &work->nodes;

  if (number > 0)
    note_labels (work, find_rim (work, FALSE), node_of);
  if (number < work->bands.n - 1)
    note_labels (work, find_rim (work, TRUE), node_of);

  band->first_node = nodes->n;
  for (gint64 label = 1; label <= band->n_labels; label++)
    if (node_of[label])
      {
        if (nodes->n == nodes->allocated && ! nodes_grow (nodes, limit, error))
          return FALSE;
        nodes->label[nodes->n]  = label;
        nodes->parent[nodes->n] = nodes->n;
        node_of[label]          = ++nodes->n;
      }
  band->n_nodes = nodes->n - band->first_node;
  return TRUE;
}


/*  Solve  */

static void
join (Work    *work,
      guint32  node,
      guint32  other)
{
  guint32 *parents = work->nodes.parent;
  guint32  a       = wf_find_root (parents, node);
  guint32  b       = wf_find_root (parents, other);

  if (a == b)
    return;
  parents[MAX (a, b)] = MIN (a, b);
  work->n_joined++;
}

/* Joins a node at (@x, @y) of a seam with those that it touches in the rim before. */
static void
join_beside (Work    *work,
             gint64   x,
             gint64   y,
             guint32  node)
{
  const int    reach = work->connectivity == 8 || work->connectivity == 26 ? 1 : 0;
  const gint64 x0    = MAX (x - reach, 0);
  const gint64 x1    = MIN (x + reach, work->rim_width - 1);

  for (gint64 v = MAX (y - reach, 0); v <= MIN (y + reach, work->rim_height - 1); v++)
    for (gint64 u = x0; u <= x1; u++)
      if (work->rim[v * work->rim_width + u])
        join (work, node, work->rim[v * work->rim_width + u] - 1);
}

/* Joins the nodes of a band with those of the band before, and keeps its rim. */
static void
join_seam (Work          *work,
           gint64         number,
           const guint32 *node_of)
{
  const guint32 *first = find_rim (work, FALSE);
  const guint32 *last  = find_rim (work, TRUE);

  for (gint64 y = 0; number > 0 && y < work->rim_height; y++)
    for (gint64 x = 0; x < work->rim_width; x++)
      {
        guint32 node = node_of[first[y * work->rim_width + x]];

        if (node)
          join_beside (work, x, y, node - 1);
      }
  for (gint64 i = 0; number < work->bands.n - 1 && i < work->rim_width * work->rim_height; i++)
    work->rim[i] = node_of[last[i]];
}

static gboolean
summarize_band (Work     *work,
                gint64    number,
                GError  **error)
{
  g_autofree guint32 *node_of = NULL;
  gint64              n;

  if (! label_band (work, number, error))
    return FALSE;
  n       = (gint64) work->of_band[number].n_labels + 1;
  node_of = wf_allocate (n, sizeof (guint32), error);
  if (! node_of)
    return FALSE;
  memset (node_of, 0, n * sizeof (guint32));
  if (! make_nodes (work, number, node_of, error))
    return FALSE;
  join_seam (work, number, node_of);
  return TRUE;
}

static gboolean
count_components (const Work  *work,
                  guint32     *n_components,
                  GError     **error)
{
  gint64 n = -work->n_joined;

  for (gint64 i = 0; i < work->bands.n; i++)
    n += work->of_band[i].n_labels;
  if (n > G_MAXUINT32)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                   _("The image has more than %u connected components."), G_MAXUINT32);
      return FALSE;
    }
  *n_components = n;
  return TRUE;
}


/*  Finish  */

/* Replaces labels by the numbers of their components; @n_before: components whose first pixel
 * lies in a band before, result: or in this one
 */
static gboolean
finish_band (Work     *work,
             gint64    number,
             guint32  *n_before,
             GError  **error)
{
  const BandLabels   *band      = &work->of_band[number];
  Nodes              *nodes     = &work->nodes;
  gint64              node      = band->first_node;
  const gint64        end       = node + band->n_nodes;
  g_autofree guint32 *number_of = NULL;
  guint32            *labels    = work->labels.data;
  gint64              n;

  if (! label_band (work, number, error))
    return FALSE;
  number_of = wf_allocate ((gint64) band->n_labels + 1, sizeof (guint32), error);
  if (! number_of)
    return FALSE;

  number_of[0] = 0;
  for (gint64 label = 1; label <= band->n_labels; label++)
    {
      guint32 root = node;

      if (node == end || nodes->label[node] != label)
        {
          number_of[label] = ++*n_before;
          continue;
        }
      root = wf_find_root (nodes->parent, node);
      if (root == node)
        nodes->number[node] = ++*n_before;
      number_of[label] = nodes->number[root];
      node++;
    }

  n = wf_image_n_pixels (&work->labels);
#pragma omp parallel for num_threads(wf_context_count_threads (work->context))
  for (gint64 p = 0; p < n; p++)
    labels[p] = number_of[labels[p]];
  work->held = -1;
  return wf_bands_write (&work->bands, work->sink, number, &work->labels, error);
}


/*  The whole  */

static gboolean
prepare (Work                  *work,
         const WfLabelOptions  *options,
         gint64                 rows,
         GError               **error)
{
  const WfBlockSource *source = work->source;
  const WfShape        shape  = { source->width, source->height, source->depth };

  if (! wf_operation_take (WF_OPERATION_LABEL, options, &work->options, error) ||
      ! wf_connectivity_resolve (work->options.connectivity, &shape, &work->connectivity, error))
    return FALSE;

  work->rim_width  = shape.width;
  work->rim_height = shape.depth > 1 ? shape.height : 1;
  if (! wf_bands_divide (&work->bands, work->context, source, rows, band_memory, work, error))
    return FALSE;

  work->of_band = g_new0 (BandLabels, work->bands.n);
  work->rim     = wf_allocate (work->rim_width * work->rim_height, sizeof (guint32), error);
  return work->rim &&
         wf_bands_allocate (&work->bands, source->type, &work->image, error) &&
         wf_bands_allocate (&work->bands, WF_TYPE_U32, &work->labels, error);
}

/**
 * wf_label_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32; ±infinity is allowed, NaN is not
 * @labels: takes the labels, u32
 * @n_components: (out) (optional): how many components there are
 * @options: (nullable): threshold, connectivity, …
 * @rows: of a block, at most (of a stack: slices); 0: as many as memory allows
 * @error: as for wf_label(), and those of @image and @labels
 *
 * Numbers the connected components of an image that need not fit into memory; the labels are
 * those of wf_label().  @image is read twice, in blocks of whole rows or slices; then @labels is
 * written once, in raster order.
 *
 * Time: twice that of wf_label(), plus reading and writing.  Memory: within the context's limit,
 * blocks included.
 *
 * Returns: %FALSE with @error set; then part of @labels may have been written.
 */
gboolean
wf_label_blocks (WfContext             *context,
                 const WfBlockSource   *image,
                 const WfBlockSink     *labels,
                 guint32               *n_components,
                 const WfLabelOptions  *options,
                 gint64                 rows,
                 GError               **error)
{
  g_autoptr (WfContext) own   = wf_context_ensure (context);
  g_auto (Work)         work  = { .context = own, .source = image, .sink = labels, .held = -1 };
  g_auto (WfSteps)      steps = { 0 };
  guint32               n     = 0;
  guint32               n_all;

  g_return_val_if_fail (image != NULL && labels != NULL && rows >= 0, FALSE);

  if (! prepare (&work, options, rows, error))
    return FALSE;

  wf_steps_begin (&steps, own, 2 * work.bands.n);
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! summarize_band (&work, i, error) || ! wf_steps_next (&steps, error))
      return FALSE;
  if (! count_components (&work, &n_all, error))
    return FALSE;
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! finish_band (&work, i, &n, error) || ! wf_steps_next (&steps, error))
      return FALSE;

  if (n_components)
    *n_components = n_all;
  return TRUE;
}
