/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Divisions of objects that are remembered.
 *
 * Splits and seeds flood an object again, some tens of nanoseconds a pixel.  When all corrections
 * are made anew, because a slider has merged basins further, most of the objects are the same as
 * before.  What a division makes of an object depends on the object's pixels and on the points of
 * the correction; the relief and the options stay the same as long as a #WfCorrecting exists.  So
 * for each division there is kept, for each pixel of the object's box, whether it was of the object
 * and what it became, one byte.  A division of an object is looked up by kind, points and box, and
 * it is taken if all pixels of the object are the same: about a nanosecond a pixel.
 *
 * Divisions without effect are remembered, too, as they take the same time.  When the memory is
 * full those that were not used for the longest time are forgotten.
 */

#include "config.h"

#include <string.h>

#include "divisions.h"

/* What a pixel of the box is: of another object; of the object, and becomes a line; keeps the
 * label; gets the first of the new labels, or one of the following.
 */
enum { FOREIGN, LINE, KEPT, FIRST_NEW };

/* The most new labels of one division. */
#define MOST_NEW (G_MAXUINT8 - FIRST_NEW + 1)

/**
 * Division:
 * @kind: of the correction
 * @points: of the correction
 * @box: of the object
 * @pixels: what the pixels of @box are
 * @n_new: how many labels were given
 * @boxes: of the parts: of what keeps the label, and of the new ones
 * @effective: whether the object was divided
 * @bytes: of memory
 * @link: in the queue, the last used first
 * @next: (nullable): another object with the same box that the same points divide
 */
typedef struct _Division Division;

struct _Division
{
  WfCorrectionKind  kind;
  WfPixelPlace     *points;
  guint             n_points;
  WfBox             box;
  guint8           *pixels;
  guint             n_new;
  WfBox            *boxes;
  gboolean          effective;
  guint64           bytes;
  GList             link;
  Division         *next;
};

/**
 * WfDivisions:
 * @by_place: from a division to the first of those with its kind, points and box
 * @queue: all of them
 * @bytes: of all of them
 * @most_bytes: how many there may be
 */
struct _WfDivisions
{
  GHashTable *by_place;
  GQueue      queue;
  guint64     bytes;
  guint64     most_bytes;
};


/*  Places  */

static guint
hash_place (gconstpointer key)
{
  const Division *division = key;
  guint64         hash     = division->kind;

  for (guint i = 0; i < division->n_points; i++)
    hash = (hash * 31 + (guint64) division->points[i].x) * 0x9E3779B97F4A7C15 +
           (guint64) division->points[i].y * 31 + (guint64) division->points[i].z;
  hash = (hash * 31 + (guint64) division->box.x0) * 31 + (guint64) division->box.y0;
  hash = (hash * 31 + (guint64) division->box.x1) * 31 + (guint64) division->box.y1;
  return (guint) (hash ^ hash >> 32);
}

static gboolean
is_same_place (gconstpointer a,
               gconstpointer b)
{
  const Division *first  = a;
  const Division *second = b;

  return first->kind == second->kind && first->n_points == second->n_points &&
         memcmp (first->points, second->points, first->n_points * sizeof *first->points) == 0 &&
         memcmp (&first->box, &second->box, sizeof first->box) == 0;
}


/*  The list  */

static void
division_free (Division *division)
{
  if (! division)
    return;
  g_free (division->points);
  g_free (division->pixels);
  g_free (division->boxes);
  g_free (division);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Division, division_free)

/**
 * wf_divisions_new:
 * @most_bytes: how much memory they may take
 *
 * Returns: (transfer full): nothing is remembered yet
 */
WfDivisions *
wf_divisions_new (guint64 most_bytes)
{
  WfDivisions *divisions = g_new0 (WfDivisions, 1);

  divisions->by_place   = g_hash_table_new (hash_place, is_same_place);
  divisions->most_bytes = most_bytes;
  g_queue_init (&divisions->queue);
  return divisions;
}

/* The key of a list is its first division, so it changes with that. */
static void
set_first (WfDivisions *divisions,
           Division    *old,
           Division    *first)
{
  if (old)
    g_hash_table_remove (divisions->by_place, old);
  if (first)
    g_hash_table_add (divisions->by_place, first);
}

static void
forget (WfDivisions *divisions,
        Division    *division)
{
  Division *first = g_hash_table_lookup (divisions->by_place, division);

  if (first == division)
    set_first (divisions, division, division->next);
  else
    {
      while (first->next != division)
        first = first->next;
      first->next = division->next;
    }
  g_queue_unlink (&divisions->queue, &division->link);
  divisions->bytes -= division->bytes;
  division_free (division);
}

static void
remember (WfDivisions *divisions,
          Division    *division)
{
  Division *first = g_hash_table_lookup (divisions->by_place, division);

  division->next      = first;
  division->link.data = division;
  set_first (divisions, first, division);
  g_queue_push_head_link (&divisions->queue, &division->link);
  divisions->bytes += division->bytes;
  while (divisions->bytes > divisions->most_bytes)
    forget (divisions, g_queue_peek_tail (&divisions->queue));
}

/**
 * wf_divisions_get_most_bytes:
 * @divisions: a memory
 *
 * Returns: how much memory they may take
 */
guint64
wf_divisions_get_most_bytes (const WfDivisions *divisions)
{
  return divisions->most_bytes;
}

static void
move_box (WfBox       *box,
          const WfBox *to)
{
  if (box->x1 > box->x0)
    *box = (WfBox) { box->x0 + to->x0, box->y0 + to->y0, box->z0 + to->z0,
                     box->x1 + to->x0, box->y1 + to->y0, box->z1 + to->z0 };
}

/**
 * wf_divisions_take:
 * @divisions: a memory
 * @part: (transfer full): another one, of a part of the image
 * @box: where the part is
 *
 * Remembers all of @part.
 */
void
wf_divisions_take (WfDivisions *divisions,
                   WfDivisions *part,
                   const WfBox *box)
{
  g_hash_table_remove_all (part->by_place);
  while (part->queue.head)
    {
      Division *division = g_queue_pop_head_link (&part->queue)->data;

      for (guint i = 0; i < division->n_points; i++)
        division->points[i] = (WfPixelPlace) { division->points[i].x + box->x0,
                                               division->points[i].y + box->y0,
                                               division->points[i].z + box->z0 };
      move_box (&division->box, box);
      for (guint i = 0; i <= division->n_new; i++)
        move_box (&division->boxes[i], box);
      remember (divisions, division);
    }
  wf_divisions_free (part);
}

/**
 * wf_divisions_free:
 * @divisions: (transfer full) (nullable): a memory
 */
void
wf_divisions_free (WfDivisions *divisions)
{
  if (! divisions)
    return;
  while (divisions->queue.head)
    division_free (g_queue_pop_head_link (&divisions->queue)->data);
  g_hash_table_unref (divisions->by_place);
  g_free (divisions);
}


/*  Pixels  */

static gint64
count_rows (const WfBox *box)
{
  return (box->y1 - box->y0) * (box->z1 - box->z0);
}

static gboolean
is_same_object (const WfCorrecting *correcting,
                guint32             label,
                const Division     *division)
{
  const WfBox  *box   = &division->box;
  const gint64  width = box->x1 - box->x0;

  for (gint64 row = 0; row < count_rows (box); row++)
    {
      const guint32 *labels = wf_label_row (correcting->labels, box, row);
      const guint8  *pixels = division->pixels + row * width;
      guint          other  = 0;

      for (gint64 x = 0; x < width; x++)
        other |= (labels[x] == label) ^ (pixels[x] != FOREIGN);
      if (other)
        return FALSE;
    }
  return TRUE;
}

static void
note_object (const WfCorrecting *correcting,
             guint32             label,
             Division           *division)
{
  const WfBox  *box   = &division->box;
  const gint64  width = box->x1 - box->x0;

  for (gint64 row = 0; row < count_rows (box); row++)
    {
      const guint32 *labels = wf_label_row (correcting->labels, box, row);
      guint8        *pixels = division->pixels + row * width;

      for (gint64 x = 0; x < width; x++)
        pixels[x] = labels[x] == label ? KEPT : FOREIGN;
    }
}

/* @first: the first of the new labels */
static void
note_parts (const WfCorrecting *correcting,
            guint32             label,
            guint32             first,
            Division           *division)
{
  const WfBox  *box   = &division->box;
  const gint64  width = box->x1 - box->x0;

  for (gint64 row = 0; row < count_rows (box); row++)
    {
      const guint32 *labels = wf_label_row (correcting->labels, box, row);
      guint8        *pixels = division->pixels + row * width;

      for (gint64 x = 0; x < width; x++)
        if (pixels[x] != FOREIGN && labels[x] != label)
          pixels[x] = labels[x] == 0 ? LINE : (guint8) (FIRST_NEW + (labels[x] - first));
    }
}

static void
write_parts (WfCorrecting   *correcting,
             guint32         first,
             const Division *division)
{
  const WfBox  *box   = &division->box;
  const gint64  width = box->x1 - box->x0;

  for (gint64 row = 0; row < count_rows (box); row++)
    {
      guint32      *labels = wf_label_row (correcting->labels, box, row);
      const guint8 *pixels = division->pixels + row * width;

      for (gint64 x = 0; x < width; x++)
        labels[x] = pixels[x] >= FIRST_NEW ? first + (pixels[x] - FIRST_NEW)
                    : pixels[x] == LINE ? 0 : labels[x];
    }
}


/*  Divisions  */

/* Returns: (nullable): what was made of an object with the same pixels */
static Division *
recall (const WfCorrecting *correcting,
        guint32             label,
        Division           *place)
{
  WfDivisions *divisions = correcting->divisions;
  Division    *division  = g_hash_table_lookup (divisions->by_place, place);

  while (division && ! is_same_object (correcting, label, division))
    division = division->next;
  if (division)
    {
      g_queue_unlink (&divisions->queue, &division->link);
      g_queue_push_head_link (&divisions->queue, &division->link);
    }
  return division;
}

/**
 * wf_divisions_know:
 * @correcting: labels, whose divisions are remembered
 * @kind: of a correction
 * @label: of the object that it divides
 * @points: of the correction
 * @n_points: how many they are
 *
 * Returns: whether it is remembered what it makes of the object
 */
gboolean
wf_divisions_know (const WfCorrecting *correcting,
                   WfCorrectionKind    kind,
                   guint32             label,
                   const WfPixelPlace *points,
                   guint               n_points)
{
  Division place = { .kind = kind, .points = (WfPixelPlace *) points, .n_points = n_points,
                     .box = g_array_index (correcting->boxes, WfBox, label) };

  return recall (correcting, label, &place) != NULL;
}

static gboolean
repeat (WfCorrecting    *correcting,
        guint32          label,
        const Division  *division,
        gboolean        *effective,
        GError         **error)
{
  const guint32 first = correcting->highest + 1;

  if (! division->effective)
    return TRUE;
  *effective = TRUE;
  for (guint i = 0; i < division->n_new; i++)
    {
      guint32 given;

      if (! wf_correcting_add (correcting, label, &given, error))
        return FALSE;
    }
  write_parts (correcting, first, division);
  *wf_correcting_get_box (correcting, label) = division->boxes[0];
  for (guint i = 0; i < division->n_new; i++)
    *wf_correcting_get_box (correcting, first + i) = division->boxes[1 + i];
  return TRUE;
}

/* Returns: (transfer full) (nullable): %NULL if there is no memory for it */
static Division *
begin (const WfCorrecting *correcting,
       guint32             label,
       const Division     *place)
{
  const WfShape shape = wf_box_shape (&place->box);
  const guint64 n     = (guint64) wf_shape_n_pixels (&shape);
  Division     *division;

  if (n > correcting->divisions->most_bytes / 2)
    return NULL;
  division         = g_memdup2 (place, sizeof *place);
  division->points = g_memdup2 (place->points, place->n_points * sizeof *place->points);
  division->pixels = g_try_malloc (n);
  division->bytes  = n + sizeof *place + place->n_points * sizeof *place->points;
  if (division->pixels)
    note_object (correcting, label, division);
  else
    g_clear_pointer (&division, division_free);
  return division;
}

/* @first: the first of the new labels, of which some may be given */
static void
end (WfCorrecting *correcting,
     guint32       label,
     guint32       first,
     gboolean      effective,
     Division     *division)
{
  division->effective = effective;
  division->n_new     = correcting->highest + 1 - first;
  if (division->n_new > MOST_NEW)
    {
      division_free (division);
      return;
    }
  division->boxes    = g_new (WfBox, 1 + division->n_new);
  division->bytes   += (1 + division->n_new) * sizeof (WfBox);
  division->boxes[0] = *wf_correcting_get_box (correcting, label);
  for (guint i = 0; i < division->n_new; i++)
    division->boxes[1 + i] = *wf_correcting_get_box (correcting, first + i);
  if (effective)
    note_parts (correcting, label, first, division);
  remember (correcting->divisions, division);
}

/**
 * wf_correcting_divide:
 * @correcting: labels
 * @kind: of the correction
 * @label: of the object that is divided
 * @points: of the correction
 * @n_points: how many they are
 * @divide: divides the object if that is not remembered
 * @effective: set to %TRUE if the object is divided, else left alone
 * @error: as @divide sets it
 *
 * Divides an object, as it was divided before if it was.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_correcting_divide (WfCorrecting        *correcting,
                      WfCorrectionKind     kind,
                      guint32              label,
                      const WfPixelPlace  *points,
                      guint                n_points,
                      WfDivideFunc         divide,
                      gboolean            *effective,
                      GError             **error)
{
  Division             place    = { .kind = kind, .points = (WfPixelPlace *) points,
                                    .n_points = n_points,
                                    .box = *wf_correcting_get_box (correcting, label) };
  const guint32        first    = correcting->highest + 1;
  g_autoptr (Division) division = NULL;
  const Division      *known;
  gboolean             divided  = FALSE;

  if (! correcting->divisions)
    return divide (correcting, label, points, n_points, effective, error);
  known = recall (correcting, label, &place);
  if (known)
    return repeat (correcting, label, known, effective, error);
  division = begin (correcting, label, &place);
  if (! divide (correcting, label, points, n_points, &divided, error))
    return FALSE;
  *effective |= divided;
  if (division)
    end (correcting, label, first, divided, g_steal_pointer (&division));
  return TRUE;
}
