/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "processors.h"


/* The processors of the machine, as they were when first asked for: the kernel's answer takes
 * longer than a small image does.
 */
guint
wf_count_processors (void)
{
  static guint n;

  if (__atomic_load_n (&n, __ATOMIC_RELAXED) == 0)
    __atomic_store_n (&n, g_get_num_processors (), __ATOMIC_RELAXED);
  return __atomic_load_n (&n, __ATOMIC_RELAXED);
}
