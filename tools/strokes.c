/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "list-option.h"
#include "message.h"
#include "strokes.h"


/* Of ListParseFunc. */
static gpointer
parse (const char  *text,
       GError     **error)
{
  return wf_strokes_parse (text, error);
}

/**
 * strokes_read:
 * @strokes: empty
 * @text: (nullable): the value of the option
 * @error: for what is no list
 *
 * Returns: whether there is a list, or no option
 */
gboolean
strokes_read (Strokes     *strokes,
              const char  *text,
              GError     **error)
{
  if (! text)
    return TRUE;
  strokes->list = list_option_read (text, _("it is too large for a list of strokes"), parse, error);
  return strokes->list != NULL;
}

/**
 * strokes_draw:
 * @strokes: with a list
 * @context: where and how
 * @model: an image of the size of the markers
 * @connectivity: of the flood
 * @error: as wf_strokes_draw() sets it, or if no object is drawn
 *
 * Makes the markers.
 *
 * Returns: %FALSE with @error set
 */
gboolean
strokes_draw (Strokes        *strokes,
              WfContext      *context,
              const WfImage  *model,
              int             connectivity,
              GError        **error)
{
  guint32 n_objects;

  if (! wf_image_allocate (&strokes->markers, WF_TYPE_U32, model->width, model->height,
                           model->depth, error) ||
      ! wf_strokes_draw (context, strokes->list, connectivity, &strokes->markers, &n_objects,
                         error))
    return FALSE;
  return n_objects > 0 ||
         refuse_usage (_("--strokes draws no object in the image, so there are no markers."),
                       error);
}

/**
 * strokes_drop_background:
 * @strokes: with a list
 * @flooded: (nullable): u8, u16, u32 or f32, packed: not 0 where was flooded; %NULL: all was
 * @labels: the basins: those of the background become 0
 * @n_basins: how many there are; without the background afterwards
 * @error: %WF_ERROR_MEMORY
 *
 * Makes @inside, if a background was flooded.
 *
 * Returns: %FALSE with @error set
 */
gboolean
strokes_drop_background (Strokes        *strokes,
                         const WfImage  *flooded,
                         WfImage        *labels,
                         guint32        *n_basins,
                         GError        **error)
{
  wf_image_clear (&strokes->inside);
  if (! wf_image_allocate (&strokes->inside, WF_TYPE_U8, labels->width, labels->height,
                           labels->depth, error))
    return FALSE;
  if (flooded)
    wf_foreground_mark (flooded, NAN, TRUE, &strokes->inside);
  else
    memset (strokes->inside.data, 1, (gsize) wf_image_n_pixels (&strokes->inside));
  if (wf_labels_drop (labels, WF_STROKES_BACKGROUND, &strokes->inside) > 0)
    (*n_basins)--;
  else
    wf_image_clear (&strokes->inside);
  return TRUE;
}

void
strokes_clear (Strokes *strokes)
{
  g_clear_pointer (&strokes->list, wf_strokes_free);
  wf_image_clear (&strokes->markers);
  wf_image_clear (&strokes->inside);
}
