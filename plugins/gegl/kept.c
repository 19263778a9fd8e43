/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an operation keeps from one change of its properties to the next: of openings and closings
 * by area, height or volume the tree of all components, of which an opening by any value is cut in
 * a small part of the time that the tree took; of watersheds the basins (flooded.c).
 *
 * A tree is kept together with the levels that it was made of, one for each component of color.  It
 * is used again only for the same levels, which are compared, whatever GEGL says has changed; else
 * it is freed.  What all operations of the process keep together is no more than GEGL's cache of
 * tiles may have (in GIMP's preferences); an operation that finds no room keeps nothing.
 */

#include "config.h"

#include <string.h>

#include "kept.h"

#define N_SLOTS 3

/**
 * Slot:
 * @levels: what the tree was made of
 * @tree: (nullable): of their components
 * @connectivity: of these
 * @bytes: of both together
 */
typedef struct
{
  WfImage          levels;
  WfAttributeTree *tree;
  int              connectivity;
  guint64          bytes;
} Slot;

/**
 * WfGeglKept:
 * @slots: of an opening or closing by an attribute
 * @flooded: (nullable): of a watershed
 * @flooded_bytes: of that
 */
struct _WfGeglKept
{
  Slot           slots[N_SLOTS];
  WfGeglFlooded *flooded;
  guint64        flooded_bytes;
};

/* Guards @n_bytes and all that is kept. */
static GMutex  mutex;
static guint64 n_bytes;


static void
slot_clear (Slot *slot)
{
  g_clear_pointer (&slot->tree, wf_attribute_tree_unref);
  wf_image_clear (&slot->levels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Slot, slot_clear)

/* Moves a slot's content out, which the caller owns then. */
static Slot
take (WfGeglKept *kept,
      guint       i)
{
  Slot taken;

  g_mutex_lock (&mutex);
  taken          = kept->slots[i];
  kept->slots[i] = (Slot) { .tree = NULL };
  n_bytes       -= taken.bytes;
  g_mutex_unlock (&mutex);
  return taken;
}

static guint64
find_room (void)
{
  guint64 limit = 0;

  g_object_get (gegl_config (), "tile-cache-size", &limit, NULL);
  return limit;
}

/* Moves @slot in, if there is room. */
static void
put (WfGeglKept *kept,
     guint       i,
     Slot       *slot)
{
  const guint64 limit = find_room ();
  Slot          old   = *slot;

  g_mutex_lock (&mutex);
  if (slot->tree && n_bytes + slot->bytes <= limit)
    {
      old            = kept->slots[i];
      n_bytes       += slot->bytes - old.bytes;
      kept->slots[i] = *slot;
    }
  g_mutex_unlock (&mutex);
  slot_clear (&old);
  *slot = (Slot) { .tree = NULL };
}

/**
 * wf_gegl_kept_has_room:
 * @bytes: the size of something
 *
 * Returns: whether it could be kept now
 */
gboolean
wf_gegl_kept_has_room (guint64 bytes)
{
  const guint64 limit = find_room ();
  gboolean      has;

  g_mutex_lock (&mutex);
  has = n_bytes + bytes <= limit;
  g_mutex_unlock (&mutex);
  return has;
}

/* Whether a tree of @levels, if it has few nodes, could be kept. */
static gboolean
has_room (const WfImage *levels)
{
  return wf_gegl_kept_has_room ((guint64) wf_image_n_pixels (levels) *
                                (sizeof (guint32) + wf_type_size (levels->type)));
}

/* Both are without gaps between rows, as they were allocated. */
static gboolean
are_same (const WfImage *a,
          const WfImage *b)
{
  return a->type == b->type && a->width == b->width && a->height == b->height &&
         memcmp (a->data, b->data,
                 (gsize) wf_image_n_pixels (a) * wf_type_size (a->type)) == 0;
}

static gboolean
open_directly (const WfGeglWork  *work,
               WfImage           *levels,
               GError           **error)
{
  const WfImage *inputs[]  = { levels };
  WfImage       *outputs[] = { levels };

  return wf_operation_run (work->context, work->kind->operation, inputs, outputs, NULL,
                           work->options, error);
}

/* The area, height or volume of what stays: the option that has no default. */
static double
find_least (const WfGeglWork *work)
{
  const WfOptionGroup *group = wf_operation_get_options (work->kind->operation);
  guint                i     = 0;

  while (! group->options[i].required)
    i++;
  return G_STRUCT_MEMBER (double, work->options, group->options[i].offset);
}

/* Makes a tree of @levels, which then are the slot's. */
static gboolean
make_tree (const WfGeglWork  *work,
           WfImage           *levels,
           Slot              *slot,
           GError           **error)
{
  const WfAttributeOptions *options = work->options;
  g_auto (WfImage)          opened  = { 0 };

  slot->tree = wf_attribute_tree_new (work->context, work->kind->operation, levels, options, error);
  if (! slot->tree ||
      ! wf_image_allocate (&opened, levels->type, levels->width, levels->height, 1, error) ||
      ! wf_attribute_tree_cut (work->context, slot->tree, find_least (work), &opened, error))
    return FALSE;
  slot->connectivity = options->connectivity;
  slot->bytes        = wf_attribute_tree_get_size (slot->tree) +
                       (guint64) wf_image_n_pixels (levels) * wf_type_size (levels->type);
  slot->levels       = *levels;
  *levels            = opened;
  opened             = (WfImage) { 0 };
  return TRUE;
}

/**
 * wf_gegl_kept_open:
 * @work: the work of an opening or closing by area, height or volume
 * @component: that the levels are of
 * @levels: of the input, without gaps between rows; replaced by the result
 * @error: as wf_area_opening() sets it
 *
 * Opens or closes by a tree that is kept, or that is kept from now on.  Volumes of floats have no
 * tree.
 *
 * Returns: success
 */
gboolean
wf_gegl_kept_open (const WfGeglWork  *work,
                   WfComponent        component,
                   WfImage           *levels,
                   GError           **error)
{
  const WfAttributeOptions *options = work->options;
  const guint               i       = component == WF_COMPONENT_GREEN ? 1
                                      : component == WF_COMPONENT_BLUE ? 2 : 0;
  g_auto (Slot)             slot    = take (work->kept, i);
  g_autoptr (GError)        failure = NULL;

  if (slot.tree && slot.connectivity == options->connectivity && are_same (&slot.levels, levels))
    {
      if (! wf_attribute_tree_cut (work->context, slot.tree, find_least (work), levels, error))
        return FALSE;
      g_debug ("a kept tree was cut");
      put (work->kept, i, &slot);
      return TRUE;
    }
  slot_clear (&slot);
  slot = (Slot) { .tree = NULL };
  if (! has_room (levels))
    return open_directly (work, levels, error);
  if (make_tree (work, levels, &slot, &failure))
    {
      put (work->kept, i, &slot);
      return TRUE;
    }
  if (! g_error_matches (failure, WF_ERROR, WF_ERROR_MEMORY) &&
      ! g_error_matches (failure, WF_ERROR, WF_ERROR_UNSUPPORTED))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  slot_clear (&slot);
  return open_directly (work, levels, error);
}

/**
 * wf_gegl_kept_take_flooded:
 * @kept: what an operation keeps
 *
 * Returns: (transfer full) (nullable): the basins that are kept, which are not any more
 */
WfGeglFlooded *
wf_gegl_kept_take_flooded (WfGeglKept *kept)
{
  WfGeglFlooded *taken;

  g_mutex_lock (&mutex);
  taken               = kept->flooded;
  n_bytes            -= kept->flooded_bytes;
  kept->flooded       = NULL;
  kept->flooded_bytes = 0;
  g_mutex_unlock (&mutex);
  return taken;
}

/**
 * wf_gegl_kept_put_flooded:
 * @kept: what an operation keeps
 * @flooded: (transfer full): basins
 * @bytes: their size
 *
 * Keeps them if there is room, instead of others.
 */
void
wf_gegl_kept_put_flooded (WfGeglKept    *kept,
                          WfGeglFlooded *flooded,
                          guint64        bytes)
{
  const guint64  limit = find_room ();
  WfGeglFlooded *old   = flooded;

  g_mutex_lock (&mutex);
  if (n_bytes - kept->flooded_bytes + bytes <= limit)
    {
      old                 = kept->flooded;
      n_bytes            += bytes - kept->flooded_bytes;
      kept->flooded       = flooded;
      kept->flooded_bytes = bytes;
    }
  g_mutex_unlock (&mutex);
  g_clear_pointer (&old, wf_gegl_flooded_free);
}

/**
 * wf_gegl_kept_new:
 *
 * Returns: (transfer full): nothing yet
 */
WfGeglKept *
wf_gegl_kept_new (void)
{
  return g_new0 (WfGeglKept, 1);
}

/**
 * wf_gegl_kept_free:
 * @kept: (transfer full): what an operation keeps
 */
void
wf_gegl_kept_free (WfGeglKept *kept)
{
  WfGeglFlooded *flooded;

  for (guint i = 0; i < N_SLOTS; i++)
    {
      Slot slot = take (kept, i);

      slot_clear (&slot);
    }
  flooded = wf_gegl_kept_take_flooded (kept);
  g_clear_pointer (&flooded, wf_gegl_flooded_free);
  g_free (kept);
}
