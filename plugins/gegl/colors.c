/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A filter of levels on an image of colors, in the way that is chosen.  Alpha stays. */

#include "config.h"

#include "buffers.h"
#include "colors.h"
#include "plugins/common/input/formats.h"

/**
 * Colors:
 * @filter: of levels
 * @components: red, green and blue
 */
typedef struct
{
  const WfGeglWork *work;
  WfGeglFilterFunc  filter;
  WfImage           components[3];
} Colors;


static void
colors_clear (Colors *colors)
{
  for (int i = 0; i < 3; i++)
    wf_image_clear (&colors->components[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Colors, colors_clear)

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
  const Colors     *colors = data;
  const WfGeglWork *work   = colors->work;
  const gpointer    rows[] = { get_row (&colors->components[0], y),
                               get_row (&colors->components[1], y),
                               get_row (&colors->components[2], y) };

  wf_colors_interleave (work->type, rows, (gsize) work->region.width,
                        babl_format_get_n_components (work->format), pixels);
}

/* Of WfColorFilter. */
static gboolean
filter_one (WfComponent   component,
            WfImage      *levels,
            gpointer      data,
            GError      **error)
{
  const Colors *colors = data;

  return colors->filter (colors->work, component, levels, error);
}

static gboolean
filter_colors (const WfGeglWork  *work,
               WfGeglFilterFunc   filter,
               GError           **error)
{
  g_auto (Colors) colors = { .work = work, .filter = filter };

  for (int i = 0; i < 3; i++)
    if (! wf_gegl_read_component (work, (WfComponent) (WF_COMPONENT_RED + i),
                                  &colors.components[i], error))
      return FALSE;
  if (! wf_colors_filter (work->colors, work->own, colors.components, filter_one, &colors, error))
    return FALSE;
  wf_gegl_write (work, WF_GEGL_NEEDS_ALPHA, set_components, &colors);
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
  return filter_colors (work, filter, error);
}
