/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The flooding of one part of an image, for the tree of its components (tree.c). */

#include "config.h"

#include <string.h>

#include "engine/cpu/cpu.h"
#include "tree.h"

#define DIGIT_BITS 16
#define N_DIGITS   ((guint32) 1 << DIGIT_BITS)

#define PIXELS_TO_A_LOOK (1 << 14)


void
wf_tree_clear_flood (WfTreePart *part)
{
  g_clear_pointer (&part->keys, g_free);
  g_clear_pointer (&part->heads, g_free);
  g_clear_pointer (&part->open, g_free);
  for (int i = 0; i < MOST_STAGES; i++)
    g_clear_pointer (&part->stages.words[i], g_free);
}

/* Makes room for @n entries of @size bytes, of which there are @n_now.  @array: the address of a
 * pointer to them
 */
gboolean
wf_tree_grow (gpointer   array,
              guint32    n_now,
              guint32    n,
              gsize      size,
              GError   **error)
{
  gpointer *old = array;
  gpointer  now = wf_allocate (n, size, error);

  if (! now)
    return FALSE;
  if (n_now > 0)
    memcpy (now, *old, n_now * size);
  g_free (*old);
  *old = now;
  return TRUE;
}

static inline __attribute__ ((always_inline)) guint32
key_of (gconstpointer row,
        gint64        x,
        WfType        type,
        gboolean      closing)
{
  const guint32 key = wf_level_key (row, x, type);

  return ! closing            ? key
       : type == WF_TYPE_U8   ? G_MAXUINT8 - key
       : type == WF_TYPE_U16  ? G_MAXUINT16 - key
                              : ~key;
}


/*  Lists by level  */

static gboolean
stages_init (WfTreeStages  *stages,
             guint32        n_keys,
             GError       **error)
{
  guint64 n = n_keys;

  do
    {
      n = (n + 63) / 64;
      if (! (stages->words[stages->n] = wf_allocate (n, sizeof (guint64), error)))
        return FALSE;
      memset (stages->words[stages->n], 0, n * sizeof (guint64));
      stages->n++;
    }
  while (n > 1);
  return TRUE;
}

static inline void
stages_set (WfTreeStages *stages,
            guint32       key)
{
  for (int i = 0; i < stages->n; i++)
    {
      guint64       *word = &stages->words[i][key >> 6];
      const guint64  old  = *word;

      *word = old | (guint64) 1 << (key & 63);
      if (old)
        return;
      key >>= 6;
    }
}

static inline void
stages_unset (WfTreeStages *stages,
              guint32       key)
{
  for (int i = 0; i < stages->n; i++)
    {
      guint64 *word = &stages->words[i][key >> 6];

      *word &= ~((guint64) 1 << (key & 63));
      if (*word)
        return;
      key >>= 6;
    }
}

/* The highest key of a list that is not empty; FALSE if all are. */
static inline gboolean
stages_find (const WfTreeStages *stages,
             guint32            *key)
{
  guint32 at = 0;

  if (stages->words[stages->n - 1][0] == 0)
    return FALSE;
  for (int i = stages->n - 1; i >= 0; i--)
    at = at << 6 | (guint32) (63 - __builtin_clzll (stages->words[i][at]));
  *key = at;
  return TRUE;
}


/*  The flooding, for each type of keys  */

#define WF_KEY         guint8
#define WF_NAME(name)  name##_u8
#include "flood.inc.h"

#define WF_KEY         guint16
#define WF_NAME(name)  name##_u16
#include "flood.inc.h"

#define WF_KEY         guint32
#define WF_NAME(name)  name##_u32
#include "flood.inc.h"

/* Positions by one digit of their keys; equal ones stay in their order.  @from: %NULL for raster
 * order
 */
static void
sort_digit (const WfTreeBuild *build,
            const WfTreePart  *part,
            int                shift,
            const guint32     *from,
            guint32           *to,
            gint64            *starts)
{
  const guint32 *keys   = part->keys;
  const gint64   width  = build->tree->shape.width;
  const gint64   n_rows = n_rows_of (build, part);
  gint64         before = 0;

  memset (starts, 0, N_DIGITS * sizeof *starts);
  for (gint64 row = 0; row < n_rows; row++)
    {
      const guint32 *first = keys + row_in_frame (build, part, row);

      for (gint64 x = 0; x < width; x++)
        starts[first[x] >> shift & (N_DIGITS - 1)]++;
    }
  for (guint32 i = 0; i < N_DIGITS; i++)
    {
      const gint64 n = starts[i];

      starts[i] = before;
      before   += n;
    }
  for (gint64 row = 0; row < n_rows; row++)
    {
      const gint64 first = from ? row * width : row_in_frame (build, part, row);

      for (gint64 i = first; i < first + width; i++)
        {
          const guint32 p = from ? from[i] : (guint32) i;

          to[starts[keys[p] >> shift & (N_DIGITS - 1)]++] = p;
        }
    }
}

/* Replaces the keys of f32 by their ranks among those of the part. */
static gboolean
rank (const WfTreeBuild  *build,
      WfTreePart         *part,
      GError            **error)
{
  g_autofree gint64  *starts = wf_allocate (N_DIGITS, sizeof *starts, error);
  g_autofree guint32 *half   = NULL;
  g_autofree guint32 *order  = NULL;
  guint32            *keys   = part->keys;
  guint32             last   = 0;
  guint32             n      = 0;

  if (! starts ||
      ! (half = wf_allocate (part->n_pixels, sizeof *half, error)) ||
      ! (order = wf_allocate (part->n_pixels, sizeof *order, error)))
    return FALSE;
  sort_digit (build, part, 0, NULL, half, starts);
  sort_digit (build, part, DIGIT_BITS, half, order, starts);
  part->key_of_rank = g_steal_pointer (&half);
  for (gint64 i = 0; i < part->n_pixels; i++)
    {
      const guint32 key = keys[order[i]];

      if (i == 0 || key != last)
        part->key_of_rank[n++] = key;
      last           = key;
      keys[order[i]] = n - 1;
    }
  part->n_keys = n;
  return TRUE;
}

gboolean
wf_tree_flood (const WfTreeBuild  *build,
               WfTreePart         *part,
               GError            **error)
{
  const WfType type = build->tree->type;

  if (! (part->keys = wf_allocate (part->size, key_size (type), error)) ||
      ! (part->part->nodes = wf_allocate (part->size, sizeof (guint32), error)))
    return FALSE;
  memset (part->part->nodes, 0, (gsize) part->size * sizeof (guint32));
  part->n_keys = type == WF_TYPE_U8 ? G_MAXUINT8 + 1 : G_MAXUINT16 + 1;
  switch (type)
    {
    case WF_TYPE_U8:
      fill_u8 (build, part);
      break;
    case WF_TYPE_U16:
      fill_u16 (build, part);
      break;
    default:
      fill_u32 (build, part);
      if (! rank (build, part, error))
        return FALSE;
      break;
    }
  if (! (part->heads = wf_allocate (part->n_keys, sizeof (guint32), error)) ||
      ! (part->open = wf_allocate ((gint64) part->n_keys + 1, sizeof (guint32), error)) ||
      ! stages_init (&part->stages, part->n_keys, error))
    return FALSE;
  memset (part->heads, 0, (gsize) part->n_keys * sizeof (guint32));
  return type == WF_TYPE_U8  ? flood_u8 (build, part, error)
       : type == WF_TYPE_U16 ? flood_u16 (build, part, error)
                             : flood_u32 (build, part, error);
}
