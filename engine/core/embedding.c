/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image in which what lies outside a mask is higher than all that lies inside: by the highest
 * level of its type, or by +infinity in f32, where u8 and u16 are exact.  So a path that leaves the
 * mask is higher than any inside, and an operation on such an image works on the graph of the
 * pixels inside; the files masked.c of watershed, hierarchy and measurements say why.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "embedding.h"
#include "refusals.h"

static const WfLevelRange nothing = { -1, FALSE, FALSE, FALSE, INFINITY, -INFINITY };


/* The mask is u8, u16, u32 or f32, and has the size of @image. */
gboolean
wf_embedding_check_mask (const WfImage  *mask,
                         const WfImage  *image,
                         GError        **error)
{
  return wf_image_check_view (mask, _("mask"), error) &&
         (mask->type == WF_TYPE_U32 || wf_image_check_work_type (mask, _("mask"), error)) &&
         wf_image_check_size (mask, _("mask"), image, _("image"), error);
}

/* For levels inside, or sums of them, that nothing outside is higher than. */
gboolean
wf_embedding_refuse_infinite (GError **error)
{
  g_set_error_literal (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                       _("Inside the mask, levels (with the tolerance) are infinite; what lies "
                         "outside must be higher."));
  return FALSE;
}

#define FIND_RANGE(Type) \
  for (gint64 x = 0; x < width; x++) \
    { \
      const double level = ((const Type *) levels)[x]; \
\
      if (isnan (level)) \
        range->row = number; \
      if (! inside[x]) \
        continue; \
      range->any       = TRUE; \
      range->infinite |= level == INFINITY; \
      range->below    |= level == -INFINITY; \
      if (isfinite (level)) \
        { \
          range->least = MIN (range->least, level); \
          range->most  = MAX (range->most, level); \
        } \
    }

static gboolean
examine_row (gpointer data,
             WfRow    row)
{
  const WfEmbedding *embedding = data;
  const WfImage     *mask      = embedding->mask;
  const gint64       width     = embedding->image->width;
  const gint64       number    = row.number;
  gconstpointer      levels    = wf_image_row (embedding->image, number);
  guint8            *inside    = wf_image_row (&embedding->inside, number);
  WfLevelRange      *range     = &embedding->ranges[row.worker];

  wf_foreground_mark_row (mask, wf_image_row (mask, number), NAN, TRUE, inside);
  switch (embedding->image->type)
    {
    case WF_TYPE_U8:
      FIND_RANGE (guint8)
      break;
    case WF_TYPE_U16:
      FIND_RANGE (guint16)
      break;
    default:
      FIND_RANGE (float)
      break;
    }
  return TRUE;
}

/* Of WfContextWorkFunc. */
static gboolean
examine (gpointer   data,
         WfRun     *run,
         GError   **error)
{
  WfEmbedding  *embedding = data;
  const WfRows  rows      = { .n = embedding->image->height * embedding->image->depth,
                              .amount = embedding->image->width };

  embedding->ranges = g_new (WfLevelRange, run->n_threads);
  for (guint i = 0; i < run->n_threads; i++)
    embedding->ranges[i] = nothing;
  wf_run_begin (run, 1.0, rows.n * rows.amount);
  if (! wf_run_rows (run, &rows, examine_row, embedding, error))
    return FALSE;

  embedding->range = nothing;
  for (guint i = 0; i < run->n_threads; i++)
    {
      const WfLevelRange *range = &embedding->ranges[i];

      embedding->range.row       = MAX (embedding->range.row, range->row);
      embedding->range.any      |= range->any;
      embedding->range.infinite |= range->infinite;
      embedding->range.below    |= range->below;
      embedding->range.least     = MIN (embedding->range.least, range->least);
      embedding->range.most      = MAX (embedding->range.most, range->most);
    }
  return embedding->range.row < 0 ||
         wf_refuse_nan (_("image"), embedding->range.row % embedding->image->height, error);
}

/* Marks the inside and finds its range of levels; refuses NaN, inside and outside. */
gboolean
wf_embedding_examine (WfEmbedding  *embedding,
                      WfContext    *context,
                      GError      **error)
{
  const WfImage *image = embedding->image;

  return wf_image_allocate (&embedding->inside, WF_TYPE_U8, image->width, image->height,
                            image->depth, error) &&
         wf_context_work (context, "mask", 0, examine, embedding, error);
}

/* Copies the labels that lie inside.  @any: (out): whether there is one; after
 * wf_embedding_examine()
 */
gboolean
wf_embedding_take_labels (WfEmbedding    *embedding,
                          const WfImage  *labels,
                          gboolean       *any,
                          GError        **error)
{
  const gint64 n_rows = labels->height * labels->depth;

  if (! wf_image_allocate (&embedding->labels, WF_TYPE_U32, labels->width, labels->height,
                           labels->depth, error))
    return FALSE;
  for (gint64 row = 0; row < n_rows; row++)
    memcpy (wf_image_row (&embedding->labels, row), wf_image_row (labels, row),
            (gsize) labels->width * sizeof (guint32));
  *any = wf_foreground_limit (&embedding->inside, &embedding->labels);
  return TRUE;
}

#define EMBED(From, To, outside) \
  for (gint64 x = 0; x < width; x++) \
    ((To *) to)[x] = inside[x] ? (To) ((const From *) from)[x] : (To) (outside)

static gboolean
embed_row (gpointer data,
           WfRow    row)
{
  const WfEmbedding *embedding = data;
  const gint64       width     = embedding->image->width;
  const guint8      *inside    = wf_image_row (&embedding->inside, row.number);
  gconstpointer      from      = wf_image_row (embedding->image, row.number);
  gpointer           to        = wf_image_row (&embedding->flooded, row.number);
  const gboolean     same      = embedding->flooded.type == embedding->image->type;

  switch (embedding->image->type)
    {
    case WF_TYPE_U8:
      if (same)
        EMBED (guint8, guint8, G_MAXUINT8);
      else
        EMBED (guint8, float, INFINITY);
      break;
    case WF_TYPE_U16:
      if (same)
        EMBED (guint16, guint16, G_MAXUINT16);
      else
        EMBED (guint16, float, INFINITY);
      break;
    default:
      EMBED (float, float, INFINITY);
      break;
    }
  return TRUE;
}

/* Of WfContextWorkFunc. */
static gboolean
embed (gpointer   data,
       WfRun     *run,
       GError   **error)
{
  const WfEmbedding *embedding = data;
  const WfRows       rows      = { .n = embedding->image->height * embedding->image->depth,
                                   .amount = embedding->image->width };

  wf_run_begin (run, 1.0, rows.n * rows.amount);
  return wf_run_rows (run, &rows, embed_row, data, error);
}

/* @type: that of the image, if no pixel inside has its highest level, or f32 */
gboolean
wf_embedding_make (WfEmbedding  *embedding,
                   WfContext    *context,
                   WfType        type,
                   GError      **error)
{
  const WfImage *image = embedding->image;

  return wf_image_allocate (&embedding->flooded, type, image->width, image->height, image->depth,
                            error) &&
         wf_context_work (context, "mask", 0, embed, embedding, error);
}

void
wf_embedding_clear (WfEmbedding *embedding)
{
  wf_image_clear (&embedding->inside);
  wf_image_clear (&embedding->flooded);
  wf_image_clear (&embedding->labels);
  g_free (embedding->ranges);
  embedding->ranges = NULL;
}
