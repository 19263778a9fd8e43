/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preview of the tools for labels: each region in a color of its own, as levels of 16 bits with
 * some hundred labels are all black.
 *
 * The labels of a scaled image would be means of labels, and a part of an image does not show which
 * regions are large.  So the whole image is read at its full size, a little at a time, and computed
 * on, whatever part is shown; that part is then taken from the result, where the image is reduced
 * the pixels in the middle of those that are shown as one.
 */

#include "config.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "label-preview.h"
#include "label-tools.h"
#include "masked-labels.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/preview/source-pixels.h"
#include "plugins/common/procedure/plug-in.h"
#include "plugins/common/results/palette.h"

/* Rows that are read at a time, as many as a stored block has. */
#define BAND 256

/* About: levels as GIMP has them and as they are kept, copies, and what computing takes. */
#define BYTES_OF_PIXEL 32

/* The images of the inputs that the whole image has. */
#define WHOLE      1
#define WHOLE_MASK 3

/**
 * Fetched:
 * @pixels: those of the run
 * @labels: of the whole image, all slices
 * @mask: of the whole image, or empty
 * @n_rows: how many rows of @labels have been read, counted through all slices
 */
typedef struct
{
  WfSourcePixels *pixels;
  WfImage         labels;
  WfImage         mask;
  gint64          n_rows;
} Fetched;


/*  Reading  */

/* Whether what is previewed is all of the image at its full size. */
static gboolean
is_whole (WfJob *part)
{
  const WfRegion *all = &part->source->region;

  return part->source->n_slices == 1 && part->region.scale == 1 &&
         part->region.width == all->width && part->region.height == all->height;
}

static gboolean
fits_memory (const WfSource *source)
{
  const double bytes = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);

  return wf_source_n_pixels (source) * BYTES_OF_PIXEL < bytes / 2;
}

/* Of WfPreviewKind: everything is read again. */
static void
invalidate (gpointer data)
{
  Fetched *fetched = data;

  g_clear_pointer (&fetched->pixels, wf_source_pixels_free);
  wf_image_clear (&fetched->labels);
  wf_image_clear (&fetched->mask);
  fetched->n_rows = 0;
}

static void
free_fetched (gpointer data)
{
  invalidate (data);
  g_free (data);
}

static gboolean
open_pixels (WfJob    *part,
             Fetched  *fetched,
             GError  **error)
{
  const WfSource *source = part->source;
  const WfRegion *region = &source->region;

  if (! fits_memory (source))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY,
                           _("The image is too large for a preview of its regions."));
      return FALSE;
    }
  if (! wf_image_allocate (&fetched->labels, source->type, region->width, region->height,
                           source->n_slices, error) ||
      ! wf_region_read_mask (region, source->n_slices, &fetched->mask, error))
    return FALSE;
  fetched->pixels = wf_source_pixels_new (part, error);
  return fetched->pixels != NULL;
}

static gboolean
read_band (Fetched  *fetched,
           WfFetch  *fetch,
           GError  **error)
{
  const WfImage   *labels = &fetched->labels;
  const int        row    = (int) (fetched->n_rows % labels->height);
  WfPreviewRegion  band   = { .scale = 1, .y = row, .width = (int) labels->width,
                              .height = (int) MIN (BAND, labels->height - row),
                              .slice = (int) (fetched->n_rows / labels->height) };
  WfImage          view   = *labels;

  if (! wf_source_pixels_fetch (fetched->pixels, &band, WF_PREVIEW_COLORS, fetch, error))
    return FALSE;
  if (! fetch->complete)
    return TRUE;
  view.data   = (char *) labels->data +
                (gsize) (fetched->n_rows * labels->width) * wf_type_size (labels->type);
  view.height = band.height;
  view.depth  = 1;
  wf_source_pixels_read_slice (fetched->pixels, &band, &view);
  fetched->n_rows += band.height;
  return TRUE;
}

/* Of WfPreviewKind. */
static gboolean
fetch_whole (WfJob     *part,
             gpointer  *data,
             WfFetch   *fetch,
             GError   **error)
{
  Fetched *fetched = *data;

  if (is_whole (part))
    return TRUE;
  if (! fetched)
    *data = fetched = g_new0 (Fetched, 1);
  if (! fetched->pixels && ! open_pixels (part, fetched, error))
    {
      invalidate (fetched);
      return FALSE;
    }
  while (fetch->complete && fetched->n_rows < fetched->labels.height * fetched->labels.depth)
    {
      if (! read_band (fetched, fetch, error))
        return FALSE;
      if (g_get_monotonic_time () >= fetch->deadline)
        break;
    }
  fetch->complete = fetched->n_rows == fetched->labels.height * fetched->labels.depth;
  return TRUE;
}

/* Of WfPreviewKind. */
static gboolean
read_whole (WfJob          *part,
            gpointer        data,
            const WfImage  *levels,
            WfImage        *labels,
            GError        **error)
{
  const Fetched *fetched = data;

  return is_whole (part) || wf_preview_copy_image (&fetched->labels, labels, error);
}

/* Of WfPreviewKind. */
static gboolean
read_whole_mask (WfJob          *part,
                 gpointer        data,
                 const WfImage  *levels,
                 gint64          first_slice,
                 WfImage        *mask,
                 GError        **error)
{
  const Fetched *fetched = data;

  return is_whole (part) || wf_preview_copy_image (&fetched->mask, mask, error);
}


/*  Computing  */

/* The colors of all labels of a type, as bytes; that of the background is black. */
static guint32 *
make_colors (WfType type)
{
  const guint32  n      = type == WF_TYPE_U8 ? 1 + G_MAXUINT8 : 1 + G_MAXUINT16;
  guint32       *colors = g_new (guint32, n);

  for (guint32 label = 0; label < n; label++)
    {
      guint8 *bytes  = (guint8 *) &colors[label];
      float   rgb[3] = { 0 };

      if (label > 0)
        wf_palette_get_color (label, rgb);
      for (int c = 0; c < 3; c++)
        bytes[c] = (guint8) (rgb[c] * G_MAXUINT8 + 0.5f);
      bytes[3] = G_MAXUINT8;
    }
  return colors;
}

/* The pixel of the image in the middle of a pixel at a scale. */
static gint64
find_pixel (int    place,
            double scale,
            gint64 n)
{
  return CLAMP ((gint64) floor ((place + 0.5) / scale), 0, n - 1);
}

#define TAKE(Type) \
  for (int x = 0; x < region->width; x++) \
    { \
      const Type label = ((const Type *) labels->data)[start + \
                           find_pixel (region->x + x, region->scale, labels->width)]; \
\
      ((Type *) result->values.data)[first + x] = label; \
      pixels[first + x] = colors[label]; \
    }

/* The part of a slice that is shown. */
static gboolean
take_part (const WfPreviewRegion  *region,
           const WfImage          *labels,
           gint64                  slice,
           WfPreviewResult        *result,
           GError                **error)
{
  g_autofree guint32 *colors = NULL;
  guint32            *pixels;

  if (! wf_image_allocate (&result->image, WF_TYPE_U32, region->width, region->height, 1, error) ||
      ! wf_image_allocate (&result->values, labels->type, region->width, region->height, 1, error))
    return FALSE;
  colors = make_colors (labels->type);
  pixels = result->image.data;
  for (int y = 0; y < region->height; y++)
    {
      const gint64 row   = find_pixel (region->y + y, region->scale, labels->height);
      const gint64 start = (slice * labels->height + row) * labels->width;
      const gint64 first = (gint64) y * region->width;

      if (labels->type == WF_TYPE_U8)
        TAKE (guint8)
      else
        TAKE (guint16)
    }
  result->colors = TRUE;
  return TRUE;
}

/* Of WfPreviewKind. */
static gboolean
compute (WfContext                *context,
         const WfPreviewInputs    *inputs,
         const WfPreviewSettings  *settings,
         WfPreviewResult          *result,
         GError                  **error)
{
  const WfOperation   operation = settings->procedure->operation;
  const gboolean      whole     = inputs->images[WHOLE].data != NULL;
  const WfImage      *mask      = &inputs->images[whole ? WHOLE_MASK : 2];
  g_auto (WfImage)    labels    = { 0 };
  WfLabelToolOptions  options;

  memcpy (&options, settings->operation, sizeof options);
  wf_label_tools_adapt (operation, &options);
  return wf_preview_copy_image (&inputs->images[whole ? WHOLE : 0], &labels, error) &&
         wf_masked_labels_run (context, operation, mask, &labels, NULL, &options, error) &&
         take_part (&inputs->region, &labels, whole ? inputs->region.slice : settings->slice,
                    result, error);
}

const WfPreviewKind wf_label_preview =
{
  .fetch_second      = fetch_whole,
  .invalidate_second = invalidate,
  .free_second       = free_fetched,
  .read_second       = read_whole,
  .read_third        = read_whole_mask,
  .compute           = compute,
};
