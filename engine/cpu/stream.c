/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "stream.h"

#define LAST_CACHE "/sys/devices/system/cpu/cpu0/cache/index3/size"


/* Bytes of the cache that a core shares with others, as Linux tells; 0 where it does not. */
static gint64
read_last_cache (void)
{
  g_autofree char *text = NULL;
  char            *unit;
  gint64           n;

  if (! g_file_get_contents (LAST_CACHE, &text, NULL, NULL))
    return 0;
  n = g_ascii_strtoll (text, &unit, 10);
  return CLAMP (n, 0, G_MAXINT32) * (*unit == 'K' ? 1 << 10 : *unit == 'M' ? 1 << 20 : 1);
}

/* For tests and comparisons WAVEFRONT_CACHE_BYTES is another number of bytes. */
static gint64
last_cache (void)
{
  static gsize  known = 0;      /* one more */
  const char   *wish  = g_getenv ("WAVEFRONT_CACHE_BYTES");

  if (wish)
    return g_ascii_strtoll (wish, NULL, 10);
  if (g_once_init_enter (&known))
    g_once_init_leave (&known, (gsize) read_last_cache () + 1);
  return (gint64) known - 1;
}

/* Whether a result of so many bytes bypasses the caches.  @least: where that begins to pay on
 * processors whose last cache is small
 */
gboolean
wf_is_streamed (gint64 bytes,
                gint64 least)
{
  return bytes >= MAX (least, last_cache () / 2);
}
