/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is known of each basin: there may be as many as pixels. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "region-memory.h"
#include "wavefront.h"


/**
 * wf_region_memory_new:
 * @n_basins: how many basins there are
 * @size: bytes for each of them
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (transfer full): the memory, or %NULL with @error set
 */
gpointer
wf_region_memory_new (gint64   n_basins,
                      gsize    size,
                      GError **error)
{
  gpointer memory = g_try_malloc_n ((gsize) MAX (n_basins, 1), size);

  if (! memory)
    g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                 _("There is not enough memory for the regions of %u basins."),
                 (guint) n_basins);
  return memory;
}
