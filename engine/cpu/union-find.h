/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Union-find: sets as trees in an array that holds each node's parent; a root is its own
 * parent.  The caller unites two sets by making one root the parent of the other.
 *
 * Source: for path halving, Tarjan and van Leeuwen, Worst-case analysis of set
 * union algorithms, Journal of the ACM 31 (1984).
 */

#pragma once

#include <glib.h>

static inline guint32
wf_find_root (guint32 *parents,
              guint32  node)
{
  while (parents[node] != node)
    node = parents[node] = parents[parents[node]];
  return node;
}
