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
find_level (const WfImage *image,
            int            x,
            gint64         y)
{
  return (char *) image->data + (gsize) (y * image->row_stride + x) * wf_type_size (image->type);
}

static void
set_components (gint64    y,
                int       x,
                int       n,
                guint8   *pixels,
                gpointer  data)
{
  const Colors     *colors = data;
  const WfGeglWork *work   = colors->work;
  const gpointer    rows[] = { find_level (&colors->components[0], x, y),
                               find_level (&colors->components[1], x, y),
                               find_level (&colors->components[2], x, y) };

  wf_colors_interleave (work->type, rows, (gsize) n,
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

  if (! wf_gegl_read_components (work, colors.components, error) ||
      ! wf_colors_filter (work->colors, work->own, colors.components, filter_one, &colors, error))
    return FALSE;
  wf_gegl_write_pieces (work, work->format, set_components, &colors);
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
