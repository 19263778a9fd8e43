/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The numbers of the objects in the preview, while a layer of them is wanted.  They are those of
 * the whole image, so that a preview of a part of it has none until that was computed.
 */

#include "config.h"

#include "basin-flood.h"
#include "object-numbers.h"
#include "ui/preview/numbers.h"

/**
 * Numbers:
 * @wanted: whether they are shown
 */
typedef struct
{
  GObject      *config;
  WfPreview    *preview;
  WfObjectView *view;
  gboolean      wanted;
} Numbers;


/* Of objects that are kept, in pixels of the image, as results number them. */
static GArray *
list_numbers (const WfObjectsShown *objects)
{
  const WfObjectTable   *table    = objects->table;
  const WfPreviewRegion *region   = &table->result->region;
  GArray                *numbers  = g_array_new (FALSE, FALSE, sizeof (WfPreviewNumber));
  g_autofree guint32    *numbered = g_new0 (guint32, (gsize) table->n + 1);
  guint32                n        = 0;

  for (gint64 i = 0; i < table->n; i++)
    if (objects->kept[i])
      numbered[i] = objects->renumbered ? ++n : table->representatives[i];
  for (guint i = 0; i < table->places->len; i++)
    {
      const WfPreviewNumber *place = &g_array_index (table->places, WfPreviewNumber, i);
      const WfPreviewNumber  moved = { (place->x + region->x) / region->scale,
                                       (place->y + region->y) / region->scale,
                                       place->radius / region->scale,
                                       numbered[place->number - 1] };

      if (moved.number > 0)
        g_array_append_val (numbers, moved);
    }
  return numbers;
}

/* Of WfObjectsShownFunc. */
static void
shown (const WfObjectsShown *objects,
       gpointer              data)
{
  Numbers        *numbers = data;
  const gboolean  known   = numbers->wanted && objects->table && objects->table->places &&
                            ! objects->part;

  wf_preview_set_numbers (numbers->preview, known ? list_numbers (objects) : NULL);
}

static void
follow (Numbers *numbers)
{
  g_object_get (numbers->config, "numbers-layer", &numbers->wanted, NULL);
  if (! numbers->wanted)
    wf_preview_set_numbers (numbers->preview, NULL);
  wf_object_view_number (numbers->view, numbers->wanted);
}

static void
numbers_free (gpointer  data,
              GObject  *preview)
{
  g_free (data);
}

/**
 * wf_object_numbers_connect:
 * @dialog: the dialog
 * @objects: of its preview
 *
 * Shows the numbers in the preview.
 */
void
wf_object_numbers_connect (WfDialog     *dialog,
                           WfObjectView *objects)
{
  Numbers  *numbers = g_new0 (Numbers, 1);
  GClosure *closure;

  numbers->config  = G_OBJECT (wf_dialog_get_run (dialog)->config);
  numbers->preview = wf_dialog_get_preview (dialog);
  numbers->view    = objects;
  g_object_weak_ref (G_OBJECT (numbers->preview), numbers_free, numbers);
  wf_object_view_add_shown (objects, shown, numbers);
  closure = g_cclosure_new_swap (G_CALLBACK (follow), numbers, NULL);
  g_object_watch_closure (G_OBJECT (numbers->preview), closure);
  g_signal_connect_closure (numbers->config, "notify::numbers-layer", closure, FALSE);
  follow (numbers);
}
