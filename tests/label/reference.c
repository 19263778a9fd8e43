/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components, definition by definition. */

#include "tests/reference/reference.h"

/* Numbers the components in the order of their pixels with the least index, which
 * @least holds for each foreground pixel.
 */
static guint32
number_components (gint64         n,
                   const guint8  *foreground,
                   const gint64  *least,
                   guint32       *labels)
{
  guint32 count = 0;

  for (gint64 p = 0; p < n; p++)
    if (! foreground[p])
      labels[p] = 0;
    else
      labels[p] = least[p] == p ? ++count : labels[least[p]];
  return count;
}

/* Every foreground pixel takes the least index of its neighbours until none changes.
 * Returns how many components there are.
 */
guint32
ref_label (const RefSize *size,
           int            connectivity,
           const guint8  *foreground,
           guint32       *labels)
{
  gint64              n       = ref_n_pixels (size);
  g_autofree gint64  *least   = g_new (gint64, n);
  gboolean            changed = TRUE;

  for (gint64 p = 0; p < n; p++)
    least[p] = p;
  while (changed)
    {
      changed = FALSE;
      for (gint64 p = 0; p < n; p++)
        {
          gint64 neighbours[REF_MAX_NEIGHBOURS];
          int    n_neighbours = foreground[p] ? ref_neighbours (size, connectivity, p, neighbours)
                                              : 0;

          for (int i = 0; i < n_neighbours; i++)
            if (foreground[neighbours[i]] && least[neighbours[i]] < least[p])
              {
                least[p] = least[neighbours[i]];
                changed  = TRUE;
              }
        }
    }
  return number_components (n, foreground, least, labels);
}

/* The same for images of ordinary size: each component is filled from its first pixel. */
guint32
ref_label_quick (const RefSize *size,
                 int            connectivity,
                 const guint8  *foreground,
                 guint32       *labels)
{
  gint64              n     = ref_n_pixels (size);
  g_autofree gint64  *stack = g_new (gint64, n);
  guint32             count = 0;

  for (gint64 p = 0; p < n; p++)
    labels[p] = 0;
  for (gint64 first = 0; first < n; first++)
    {
      gint64 height = 0;

      if (! foreground[first] || labels[first])
        continue;
      labels[first]   = ++count;
      stack[height++] = first;
      while (height > 0)
        {
          gint64 neighbours[REF_MAX_NEIGHBOURS];
          int    n_neighbours = ref_neighbours (size, connectivity, stack[--height], neighbours);

          for (int i = 0; i < n_neighbours; i++)
            if (foreground[neighbours[i]] && ! labels[neighbours[i]])
              {
                labels[neighbours[i]] = count;
                stack[height++]       = neighbours[i];
              }
        }
    }
  return count;
}
