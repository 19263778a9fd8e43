/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/ranks/communicator.h"
#include "sources.h"


/* The whole image without pixels, for what looks at types and sizes. */
WfImage
wf_source_view (const WfBlockSource *source)
{
  const WfShape shape = { source->width, source->height, source->depth };

  return wf_image_without_pixels (source->type, &shape);
}

/* The image that is in memory, or one without pixels. */
WfImage
wf_source_image (const WfBlockSource *source)
{
  return source->image ? *source->image : wf_source_view (source);
}

static gboolean
check_room (guint            flags,
            guint            known,
            const gpointer  *reserved,
            guint            n_reserved,
            const char      *what,
            GError         **error)
{
  for (guint i = 0; i < n_reserved; i++)
    if (reserved[i])
      {
        g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                     _("A reserved field of the %s is not 0."), what);
        return FALSE;
      }
  if ((flags & ~known) == 0)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The %s has flags that this version does not know: %#x."), what, flags & ~known);
  return FALSE;
}

/* Checks what later versions may give a meaning. */
gboolean
wf_source_check_room (const WfBlockSource  *source,
                      const char           *what,
                      GError              **error)
{
  return check_room (source->flags, 0, source->reserved, G_N_ELEMENTS (source->reserved), what,
                     error) &&
         (! source->image || wf_image_check_pixel_stride (source->image, what, error));
}

/* The same of a sink, which may be NULL. */
gboolean
wf_sink_check_room (const WfBlockSink  *sink,
                    const char         *what,
                    GError            **error)
{
  return ! sink ||
         (check_room (sink->flags, WF_SINK_TAKES_ANY_ORDER, sink->reserved,
                      G_N_ELEMENTS (sink->reserved), what, error) &&
          (! sink->image || wf_image_check_pixel_stride (sink->image, what, error)));
}

static gboolean
check_geometry (const WfBlockSource  *source,
                const char           *what,
                GError              **error)
{
  WfImage view = wf_source_view (source);

  return wf_source_check_room (source, what, error) &&
         wf_image_init (&view, source->type, source->width, source->height, source->depth,
                        view.data, error) &&
         (! source->image ||
          (wf_image_check_host (source->image, what, error) &&
           wf_image_check_type (source->image, source->type, what, error) &&
           wf_image_check_size (source->image, what, &view, _("image"), error)));
}

/* Checks the type and the size of an image that is worked on.  @what: its name to the user */
gboolean
wf_source_check (const WfBlockSource  *source,
                 const char           *what,
                 GError              **error)
{
  const WfImage view = wf_source_view (source);

  return check_geometry (source, what, error) && wf_image_check_work_type (&view, what, error);
}

/* Checks that the pixels are of @type, and as many as @other's. */
gboolean
wf_source_check_as (const WfBlockSource  *source,
                    WfType                type,
                    const char           *what,
                    const WfBlockSource  *other,
                    const char           *other_what,
                    GError              **error)
{
  const WfImage view       = wf_source_view (source);
  const WfImage other_view = wf_source_view (other);

  return check_geometry (source, what, error) &&
         wf_image_check_type (&view, type, what, error) &&
         wf_image_check_size (&view, what, &other_view, other_what, error);
}

/* Looks at all of an image in memory, whose bands are not looked at.  @what: its name to the
 * user
 */
gboolean
wf_source_check_nan (WfContext            *context,
                     const WfBlockSource  *source,
                     const char           *what,
                     GError              **error)
{
  WfRun run;

  if (! source->image)
    return TRUE;
  wf_run_init (&run, context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (context);
  return wf_image_check_nan (source->image, what, &run, error);
}

/* Whether any rank has read a marker, when all have read their parts.  @marked: whether this one
 * has
 */
gboolean
wf_source_check_marked (const WfContext  *context,
                        gboolean          marked,
                        GError          **error)
{
  gint64  n    = marked;
  guint8  none = 0;
  WfImage pixel;

  if (! wf_ranks_sum (context->ranks, &n, 1, error))
    return FALSE;
  return n > 0 || (wf_image_init (&pixel, WF_TYPE_U8, 1, 1, 1, &none, error) &&
                   wf_image_check_marked (&pixel, error));
}

WfBlockSource
wf_source_in_memory (const WfImage *image)
{
  return (WfBlockSource) { .type = image->type, .width = image->width, .height = image->height,
                           .depth = image->depth, .image = image };
}

/* Of a sink in memory: copies the rows of a block between it and the image, at the same place. */
static void
copy_rows (const WfImage *image,
           const WfImage *block,
           gint64         x,
           gint64         y,
           gint64         z,
           gboolean       to_image)
{
  const gsize size = wf_type_size (image->type);

  for (gint64 row = 0; row < block->height * block->depth; row++)
    {
      const gint64 v     = y + row % block->height;
      const gint64 w     = z + row / block->height;
      char        *there = (char *) wf_image_row (image, w * image->height + v) + x * size;
      char        *here  = wf_image_row (block, row);

      memcpy (to_image ? there : here, to_image ? here : there, block->width * size);
    }
}

static gboolean
write_to_image (gpointer        data,
                gint64          x,
                gint64          y,
                gint64          z,
                const WfImage  *block,
                GError        **error)
{
  copy_rows (data, block, x, y, z, TRUE);
  return TRUE;
}

static gboolean
read_from_image (gpointer   data,
                 gint64     x,
                 gint64     y,
                 gint64     z,
                 WfImage   *block,
                 GError   **error)
{
  copy_rows (data, block, x, y, z, FALSE);
  return TRUE;
}

/* The same sink, for what calls its functions also where the result lies in memory. */
WfBlockSink
wf_sink_with_calls (const WfBlockSink *sink)
{
  if (! sink->image)
    return *sink;
  return (WfBlockSink) { .write = write_to_image, .read = read_from_image, .data = sink->image,
                         .flags = WF_SINK_TAKES_ANY_ORDER };
}

/* What was written to a sink that can be read back, an image of the type and size of @model. */
WfBlockSource
wf_source_of_sink (const WfBlockSink   *sink,
                   const WfBlockSource *model)
{
  WfBlockSource source = *model;

  source.read  = sink->read;
  source.data  = sink->data;
  source.image = sink->image;
  return source;
}
