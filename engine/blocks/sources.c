/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "sources.h"


/* The whole image without pixels, for what looks at types and sizes. */
WfImage
wf_source_view (const WfBlockSource *source)
{
  const WfShape shape = { source->width, source->height, source->depth };

  return wf_image_without_pixels (source->type, &shape);
}

static gboolean
check_geometry (const WfBlockSource  *source,
                const char           *what,
                GError              **error)
{
  WfImage view = wf_source_view (source);

  return wf_image_init (&view, source->type, source->width, source->height, source->depth,
                        view.data, error) &&
         (! source->image ||
          (wf_image_check_type (source->image, source->type, what, error) &&
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

WfBlockSource
wf_source_in_memory (const WfImage *image)
{
  return (WfBlockSource) { .type = image->type, .width = image->width, .height = image->height,
                           .depth = image->depth, .image = image };
}
