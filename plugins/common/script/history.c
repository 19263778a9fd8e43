/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a layer was made: the calls that led to it, the first one first.
 *
 * They are a parasite of the layer, a JSON text, which XCF files keep and copies of the layer
 * have.  A new layer gets the calls of the one that was processed, and the one that made it; so do
 * the slices of a stack and the layers of a new image, and a path.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "history.h"

#define PARASITE "wavefront-history"


static GPtrArray *
history_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) wf_call_free);
}

static gboolean
read_steps (JsonNode  *root,
            GPtrArray *calls)
{
  JsonArray *steps;

  if (! root || ! JSON_NODE_HOLDS_ARRAY (root))
    return FALSE;
  steps = json_node_get_array (root);
  for (guint i = 0; i < json_array_get_length (steps); i++)
    {
      JsonNode *step = json_array_get_element (steps, i);
      WfCall   *call = JSON_NODE_HOLDS_OBJECT (step)
                       ? wf_call_read (json_node_get_object (step), NULL) : NULL;

      if (! call)
        return FALSE;
      g_ptr_array_add (calls, call);
    }
  return TRUE;
}

/**
 * wf_history_read:
 * @item: a layer, a channel or a path
 * @error: %WF_ERROR_INVALID if what is kept with it cannot be read
 *
 * Returns: (transfer full) (nullable) (element-type WfCall): the calls that led to it, none if it
 *   was not made by one
 */
GPtrArray *
wf_history_read (GimpItem  *item,
                 GError   **error)
{
  g_autoptr (JsonParser)  parser   = json_parser_new ();
  g_autoptr (GPtrArray)   calls    = history_new ();
  GimpParasite           *parasite = gimp_item_get_parasite (item, PARASITE);
  g_autofree char        *name     = NULL;
  const char             *text;
  guint32                 size;
  gboolean                valid;

  if (! parasite)
    return g_steal_pointer (&calls);
  text  = gimp_parasite_get_data (parasite, &size);
  valid = g_utf8_validate_len (text, size, NULL) &&
          json_parser_load_from_data (parser, text, size, NULL) &&
          read_steps (json_parser_get_root (parser), calls);
  gimp_parasite_free (parasite);
  if (valid)
    return g_steal_pointer (&calls);

  name = gimp_item_get_name (item);
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("What is kept about the steps that made “%s” cannot be read."), name);
  return NULL;
}

/**
 * wf_history_to_json:
 * @calls: (element-type WfCall): calls
 *
 * Returns: (transfer full): the text that is kept
 */
char *
wf_history_to_json (GPtrArray *calls)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode)    root    = NULL;

  json_builder_begin_array (builder);
  for (guint i = 0; i < calls->len; i++)
    wf_call_write (calls->pdata[i], builder);
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}


/*  The results of a run  */

/* A script makes what one layer led to, unless the layers are one stack. */
static WfCall *
call_for (WfJob          *run,
          const WfSource *source)
{
  GimpDrawable *one[] = { source->slices[0].drawable, NULL };

  return wf_call_new (run, source->n_slices > 1 ? run->drawables : one);
}

/* How what is made from a source is made: its own steps, unless they are unreadable, and @call. */
static GPtrArray *
add_step (const WfSource *source,
          WfCall         *call)
{
  GPtrArray *calls = wf_history_read (GIMP_ITEM (source->slices[0].drawable), NULL);

  if (! calls)
    calls = history_new ();
  g_ptr_array_add (calls, call);
  return calls;
}

/**
 * wf_history_begin:
 * @run: a run with its results, before the image changes
 *
 * Records how what is made from each source is made.
 */
void
wf_history_begin (WfJob *run)
{
  run->histories = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < run->sources->len; i++)
    {
      const WfSource *source = run->sources->pdata[i];

      g_ptr_array_add (run->histories, add_step (source, call_for (run, source)));
    }
}

/**
 * wf_history_add:
 * @run: a run, after wf_history_begin()
 * @source: of @run
 * @item: what was made from it, in an image
 *
 * Keeps with @item how it was made.
 */
void
wf_history_add (WfJob          *run,
                const WfSource *source,
                GimpItem       *item)
{
  g_autofree char *text = NULL;
  GimpParasite    *parasite;
  GPtrArray       *calls;
  WfCall          *last;
  guint            index;

  if (! g_ptr_array_find (run->sources, source, &index))
    return;
  calls = run->histories->pdata[index];
  last  = calls->pdata[calls->len - 1];
  g_clear_pointer (&last->made, g_free);
  if (GIMP_IS_LAYER (item))
    last->made = gimp_item_get_name (item);
  text     = wf_history_to_json (calls);
  parasite = gimp_parasite_new (PARASITE, GIMP_PARASITE_PERSISTENT | GIMP_PARASITE_UNDOABLE,
                                (guint32) strlen (text), text);
  gimp_item_attach_parasite (item, parasite);
  gimp_parasite_free (parasite);
}
