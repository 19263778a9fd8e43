/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A filter of levels on an image of colors, in the way that is chosen.  Alpha stays. */

#include "config.h"

#include "buffers.h"
#include "colors.h"
#include "plugins/common/input/formats.h"

/**
 * Planes:
 * @images: of the components, the results; or the luminance before and after
 */
typedef struct
{
  const WfGeglWork *work;
  WfImage           images[3];
} Planes;


static void
planes_clear (Planes *planes)
{
  for (int i = 0; i < 3; i++)
    wf_image_clear (&planes->images[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Planes, planes_clear)

static gpointer
get_row (const WfImage *image,
         gint64         y)
{
  return (char *) image->data + (gsize) (y * image->row_stride) * wf_type_size (image->type);
}

static void
set_components (gint64    y,
                guint8   *pixels,
                gpointer  data)
{
  const Planes     *planes = data;
  const WfGeglWork *work   = planes->work;
  const gpointer    rows[] = { get_row (&planes->images[0], y), get_row (&planes->images[1], y),
                               get_row (&planes->images[2], y) };

  wf_colors_interleave (work->type, rows, (gsize) work->region.width,
                        babl_format_get_n_components (work->format), pixels);
}

static void
set_luminance (gint64    y,
               guint8   *pixels,
               gpointer  data)
{
  const Planes     *planes = data;
  const WfGeglWork *work   = planes->work;

  wf_colors_keep (work->format, work->type, get_row (&planes->images[0], y),
                  get_row (&planes->images[1], y), (gsize) work->region.width, pixels);
}

static gboolean
filter_components (const WfGeglWork  *work,
                   WfGeglFilterFunc   filter,
                   GError           **error)
{
  g_auto (Planes) planes = { .work = work };

  for (int i = 0; i < 3; i++)
    {
      const WfComponent component = (WfComponent) (WF_COMPONENT_RED + i);

      if (! wf_gegl_read_component (work, component, &planes.images[i], error) ||
          ! filter (work, component, &planes.images[i], error))
        return FALSE;
    }
  wf_gegl_write (work, set_components, &planes);
  return TRUE;
}

static gboolean
filter_luminance (const WfGeglWork  *work,
                  WfGeglFilterFunc   filter,
                  GError           **error)
{
  g_auto (Planes) planes = { .work = work };

  for (int i = 0; i < 2; i++)
    if (! wf_gegl_read_component (work, WF_COMPONENT_LUMINANCE, &planes.images[i], error))
      return FALSE;
  if (! filter (work, WF_COMPONENT_LUMINANCE, &planes.images[1], error))
    return FALSE;
  wf_gegl_write (work, set_luminance, &planes);
  return TRUE;
}

static gboolean
filter_levels (const WfGeglWork  *work,
               WfGeglFilterFunc   filter,
               GError           **error)
{
  g_auto (WfImage) levels = { 0 };

  if (! wf_gegl_read_levels (work, &levels, error) ||
      ! filter (work, WF_COMPONENT_LUMINANCE, &levels, error))
    return FALSE;
  wf_gegl_write_levels (work, &levels);
  return TRUE;
}

/**
 * wf_gegl_filter:
 * @work: the work of a kind that takes colors
 * @filter: of levels
 * @error: as @filter sets it; %WF_ERROR_MEMORY
 *
 * Filters the input in the way that its properties choose; gray pixels have one way.
 *
 * Returns: success
 */
gboolean
wf_gegl_filter (const WfGeglWork  *work,
                WfGeglFilterFunc   filter,
                GError           **error)
{
  if (work->colors == WF_COLORS_GRAY || wf_format_is_grey (work->format))
    return filter_levels (work, filter, error);
  return work->colors == WF_COLORS_COMPONENTS ? filter_components (work, filter, error)
                                              : filter_luminance (work, filter, error);
}
