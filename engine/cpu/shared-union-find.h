/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Union-find in one array that several threads change at once, without locks.
 *
 * A root is linked by a compare-and-swap, and always to an earlier node, so the root of a set is
 * its first node, whatever the order (Anderson and Woll, Wait-free parallel algorithms for the
 * union-find problem, STOC 1991).  A node that is no root never becomes one again, and any of its
 * ancestors may be its parent.
 */

#pragma once

#include <glib.h>

/* Where tests let other threads go on. */
#ifndef WF_PAUSE
#define WF_PAUSE()
#endif

static inline guint32
wf_shared_parent (const guint32 *node,
                  guint32        i)
{
  return __atomic_load_n (&node[i], __ATOMIC_RELAXED);
}

/* Replaces parents by grandparents on its way, but only if they still are what was read: another
 * thread may have found an earlier ancestor in the meantime, even the root, which must stay.
 */
static inline guint32
wf_shared_find_root (guint32 *node,
                     guint32  i)
{
  guint32 parent;

  while ((parent = wf_shared_parent (node, i)) != i)
    {
      const guint32 next = wf_shared_parent (node, parent);

      WF_PAUSE ();
      if (next != parent)
        __atomic_compare_exchange_n (&node[i], &parent, next, FALSE, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
      i = next;
    }
  return i;
}

/* Returns whether two sets were joined; then @linked is the root that is one no longer. */
static inline gboolean
wf_shared_unite (guint32 *node,
                 guint32  a,
                 guint32  b,
                 guint32 *linked)
{
  while (TRUE)
    {
      guint32 before, after;

      a = wf_shared_find_root (node, a);
      b = wf_shared_find_root (node, b);
      if (a == b)
        return FALSE;
      before  = MIN (a, b);
      after   = MAX (a, b);
      *linked = after;
      WF_PAUSE ();
      if (__atomic_compare_exchange_n (&node[after], &after, before, FALSE, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED))
        return TRUE;
    }
}

/* Makes the root the parent of a node, when no more sets are joined, beside other threads that do
 * so with other nodes.
 */
static inline void
wf_shared_settle (guint32 *node,
                  guint32  i)
{
  __atomic_store_n (&node[i], wf_shared_find_root (node, i), __ATOMIC_RELAXED);
}
