/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed inside a mask: that of the graph of the pixels inside, where pixels are neighbours
 * that are so in the image and both lie inside.  So no path and no plateau crosses what is outside;
 * minima are those of the graph, and lines lie between basins only.  Pixels outside have label 0,
 * and so has what no marker is connected with inside.  Markers outside do not count.  Smoothing and
 * gradient are those of the whole image.
 *
 * The graph's watershed is that of an image f' that is f inside and the same level H, higher than
 * all levels inside, outside:
 *
 *   minima    A pixel inside has the same neighbours that are not higher as in the graph.  One
 *             outside is not minimal, unless all are outside.
 *   L1        A path that leaves the mask has at least the level H, and one inside has less.  Where
 *             no path inside leads to a marker, L1 is H; these parts are left out of the mask.
 *   L2        Neighbours outside are higher, so no plateau inside holds them or lies above them.
 *   parent    Of a pixel inside with a parent in the graph that one is not higher than it; those
 *             outside are.
 *   lines     Neighbours outside come after a pixel inside in the order.
 *
 * With compactness H is +infinity: no offer outside is taken before all pixels of the parts that
 * hold markers have labels.
 *
 * With a tolerance t, H must also be higher than f + t inside, which the extended minima compare.
 * Where t exceeds the range of levels inside, each part of the mask is one basin, as for the range
 * itself.  H is the highest level of the image's type, if no pixel inside has that and there is no
 * tolerance, or else +infinity in f32, where u8 and u16 are exact.  An f32 image that is infinite
 * inside has no such level: it is refused.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/core/embedding.h"
#include "engine/core/memory.h"
#include "engine/core/record.h"
#include "engine/core/stages.h"
#include "engine/label/label-set.h"
#include "watershed.h"

/* How much of the work is done before the flood. */
#define SHARE_OF_RELIEF  0.1
#define SHARE_OF_PREPARE 0.1

/**
 * Masked:
 * @embedding: of the levels, after smoothing and gradient
 */
typedef struct
{
  WfEmbedding embedding;
  WfImage     relief;
} Masked;

static void
masked_clear (Masked *masked)
{
  wf_embedding_clear (&masked->embedding);
  wf_image_clear (&masked->relief);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Masked, masked_clear)


/*  What is flooded  */

/* The tolerance up to which the result changes; one that is slightly more than the range is enough
 * also where sums are rounded.
 */
static double
limit_tolerance (const WfLevelRange *range,
                 WfType              type,
                 double              tolerance)
{
  const double width = MAX (range->most - range->least, 0.0);

  if (type != WF_TYPE_F32)
    return MIN (floor (tolerance), width);
  return tolerance > width ? width * (1 + 0x1p-20) : tolerance;
}

/* Which type H is of: +infinity in f32, or the highest level, which no pixel inside has.
 * @is_compared: whether more than the order of levels counts
 */
static gboolean
choose_type (const WfLevelRange  *range,
             WfType               type,
             double               tolerance,
             gboolean             is_compared,
             WfType              *chosen,
             GError             **error)
{
  const double highest = type == WF_TYPE_U8 ? G_MAXUINT8 : G_MAXUINT16;

  *chosen = type != WF_TYPE_F32 && ! is_compared && range->most < highest ? type : WF_TYPE_F32;
  return (! range->infinite && (range->most == -INFINITY ||
                                ! isinf ((float) (range->most + tolerance)))) ||
         wf_embedding_refuse_infinite (error);
}


/*  Markers  */

/* Copies the markers that lie inside to the labels. */
static gboolean
take_markers (WfEmbedding    *embedding,
              const WfImage  *markers,
              GError        **error)
{
  gboolean any;

  if (! wf_embedding_take_labels (embedding, markers, &any, error))
    return FALSE;
  if (! any)
    g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, _("No marker lies inside the mask."));
  return any;
}

/* What is connected with no marker leaves the inside: what is left is its reconstruction from them.
 */
static gboolean
drop_unmarked (WfEmbedding  *embedding,
               WfContext    *context,
               int           connectivity,
               GError      **error)
{
  WfImage              *inside = &embedding->inside;
  g_auto (WfImage)      marked = { 0 };
  WfReconstructOptions  options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  options.connectivity = connectivity;
  if (! wf_image_allocate (&marked, WF_TYPE_U8, inside->width, inside->height, inside->depth,
                           error))
    return FALSE;
  wf_foreground_mark (&embedding->labels, NAN, TRUE, &marked);
  return wf_reconstruct (context, inside, &marked, inside, &options, error);
}


/*  The flood  */

static gboolean
make_relief (Masked                    *masked,
             WfContext                 *context,
             const WfWatershedOptions  *options,
             GError                   **error)
{
  const WfImage *image = masked->embedding.image;

  if (options->smoothing <= 0 && options->gradient == 0)
    return TRUE;
  if (! wf_image_allocate (&masked->relief, image->type, image->width, image->height,
                           image->depth, error) ||
      ! wf_watershed_make_relief (context, image, &masked->relief, options, error))
    return FALSE;
  masked->embedding.image = &masked->relief;
  return TRUE;
}

/* Where markers touch, lines may leave nothing of one; the others keep their labels. */
static gboolean
count_labels (const WfImage  *labels,
              guint32        *n_labels,
              GError        **error)
{
  WfLabelSet set;
  gboolean   done;

  wf_label_set_init (&set, 0);
  done      = wf_label_set_add (&set, labels->data, wf_image_n_pixels (labels), error);
  *n_labels = (guint32) set.n;
  wf_label_set_clear (&set);
  return done;
}

static void
write_labels (const WfEmbedding *embedding,
              WfImage           *labels)
{
  const gint64 n_rows = labels->height * labels->depth;

  for (gint64 row = 0; row < n_rows; row++)
    memcpy (wf_image_row (labels, row), wf_image_row (&embedding->labels, row),
            (gsize) labels->width * sizeof (guint32));
}

/* Fills the labels, 0 outside. */
static gboolean
flood (Masked                    *masked,
       WfStages                  *stages,
       const WfImage             *markers,
       const WfWatershedOptions  *options,
       guint32                   *n_basins,
       GError                   **error)
{
  WfContext          *context   = stages->context;
  WfEmbedding        *embedding = &masked->embedding;
  const WfType        levels    = embedding->image->type;
  WfWatershedOptions  inner     = *options;
  WfType              type;

  inner.smoothing = 0;
  inner.gradient  = 0;
  inner.tolerance = limit_tolerance (&embedding->range, levels, options->tolerance);
  if (! choose_type (&embedding->range, levels, inner.tolerance,
                     inner.tolerance > 0 || inner.compactness > 0, &type, error))
    return FALSE;
  if (markers &&
      (! take_markers (embedding, markers, error) ||
       ! drop_unmarked (embedding, context, options->connectivity, error)))
    return FALSE;
  if (! wf_embedding_make (embedding, context, type, error))
    return FALSE;

  wf_image_clear (&masked->relief);
  wf_stages_next (stages, 1.0 - stages->start - stages->share);
  if (! wf_watershed (context, &embedding->flooded, markers ? &embedding->labels : NULL,
                      &embedding->labels, n_basins, &inner, error))
    return FALSE;
  wf_foreground_limit (&embedding->inside, &embedding->labels);
  return ! markers || ! options->lines || count_labels (&embedding->labels, n_basins, error);
}

static gboolean
compute (Masked                    *masked,
         WfStages                  *stages,
         const WfImage             *markers,
         const WfWatershedOptions  *options,
         guint32                   *n_basins,
         GError                   **error)
{
  WfEmbedding   *embedding = &masked->embedding;
  const WfImage *image     = embedding->image;

  if (! markers && ! wf_image_allocate (&embedding->labels, WF_TYPE_U32, image->width,
                                        image->height, image->depth, error))
    return FALSE;
  wf_stages_next (stages, SHARE_OF_RELIEF);
  if (! make_relief (masked, stages->context, options, error))
    return FALSE;
  wf_stages_next (stages, SHARE_OF_PREPARE);
  if (! wf_embedding_examine (embedding, stages->context, error))
    return FALSE;
  if (embedding->range.any || markers)
    return flood (masked, stages, markers, options, n_basins, error);

  memset (embedding->labels.data, 0, (gsize) wf_image_n_pixels (image) * sizeof (guint32));
  *n_basins = 0;
  return TRUE;
}

/* Bytes beyond those of the flood, at most. */
static guint64
count_memory (const WfImage            *image,
              const WfImage            *markers,
              const WfWatershedOptions *options)
{
  const gsize relief = options->smoothing > 0 || options->gradient > 0 ? wf_type_size (image->type)
                                                                       : 0;

  return (guint64) wf_image_n_pixels (image) *
         (sizeof (guint8) + sizeof (float) + sizeof (guint32) + relief +
          (markers ? sizeof (guint8) : 0));
}

/**
 * wf_watershed_masked:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @image: as for wf_watershed(); NaN is refused inside and outside
 * @markers: (nullable): as for wf_watershed(); those outside the mask do not count
 * @mask: (nullable): u8, u16, u32 or f32, size of @image: not 0 inside; %NULL: all pixels are
 * @labels: as for wf_watershed(); may be @markers itself
 * @n_basins: (out) (optional): the number of different labels in the result
 * @options: (nullable): as for wf_watershed()
 * @error: as wf_watershed() sets it; also %WF_ERROR_INVALID where no marker lies inside, and
 *   %WF_ERROR_UNSUPPORTED where a level inside is +infinity
 *
 * The watershed of the pixels inside a mask: no basin, path or plateau crosses what lies outside,
 * which gets label 0, as what no marker is connected with inside; see the top of masked.c for the
 * definition.  A mask without a pixel gives no basins.
 *
 * Time and memory as wf_watershed(), and 9 bytes a pixel more, with markers 10.  On every device.
 *
 * Returns: %FALSE with @error set; then @labels is as it was.
 */
gboolean
wf_watershed_masked (WfContext                 *context,
                     const WfImage             *image,
                     const WfImage             *markers,
                     const WfImage             *mask,
                     WfImage                   *labels,
                     guint32                   *n_basins,
                     const WfWatershedOptions  *options,
                     GError                   **error)
{
  g_autoptr (WfContext) own     = wf_context_ensure (context);
  g_auto (WfStaging)    staging = { .context = own };
  g_auto (Masked)       masked  = { 0 };
  guint32               n_found = 0;
  WfWatershedOptions    taken;
  WfStages              stages;
  gboolean              done;

  if (! mask)
    return wf_watershed (own, image, markers, labels, n_basins, options, error);
  if (! wf_operation_take (WF_OPERATION_WATERSHED, options, &taken, error) ||
      ! wf_watershed_check_images (image, markers, labels, error) ||
      ! wf_watershed_check_options (&taken, markers != NULL, error) ||
      ! wf_embedding_check_mask (mask, image, error) ||
      ! wf_staging_take (&staging, &image, error) ||
      ! wf_staging_take (&staging, &markers, error) ||
      ! wf_staging_take (&staging, &mask, error) ||
      ! wf_staging_give (&staging, &labels, error))
    return FALSE;

  masked.embedding.image = image;
  masked.embedding.mask  = mask;
  wf_stages_init (&stages, own);
  done = wf_stages_claim (&stages, count_memory (image, markers, &taken), error) &&
         compute (&masked, &stages, markers, &taken, &n_found, error);
  wf_stages_end (&stages);
  if (! done)
    return FALSE;
  write_labels (&masked.embedding, labels);
  if (! wf_staging_deliver (&staging, error))
    return FALSE;
  if (n_basins)
    *n_basins = n_found;
  return TRUE;
}
