/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "tools/message.h"
#include "vips-library.h"


static void
drop_log (const char     *domain,
          GLogLevelFlags  level,
          const char     *text,
          gpointer        unused)
{
}

/* What libvips may decode: formats of pixels whose header says how many there are, by decoders
 * that are tested with damaged files.  Libvips calls PNM and its own format untrusted, too; they
 * are simple, and the command writes them.  Vector graphics, documents, and decoders that start
 * other programs are left out: a few bytes of them can take any amount of memory.
 */
static const char * const loaders[] =
{
  "VipsForeignLoadTiff", "VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp",
  "VipsForeignLoadNsgif", "VipsForeignLoadHeif", "VipsForeignLoadPpm", "VipsForeignLoadVips"
};

static void
block_loaders (void)
{
  vips_block_untrusted_set (TRUE);
  vips_operation_block_set ("VipsForeignLoad", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (loaders); i++)
    if (g_type_from_name (loaders[i]) != 0)
      vips_operation_block_set (loaders[i], FALSE);
}

/**
 * vips_library_start:
 * @error: %TOOL_ERROR_FILE
 *
 * Its warnings are dropped, since they concern metadata, and what is an error
 * comes back as one.  Nothing is read twice, hence no cache.
 *
 * Returns: whether libvips can be used.
 */
gboolean
vips_library_start (GError **error)
{
  static gboolean started = FALSE;

  if (started)
    return TRUE;
  if (VIPS_INIT (g_get_prgname ()) != 0)
    {
      g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_FILE, _("libvips cannot be initialized."));
      return FALSE;
    }
  g_log_set_handler ("VIPS", G_LOG_LEVEL_MASK & ~(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR),
                     drop_log, NULL);
  vips_cache_set_max (0);
  block_loaders ();
  started = TRUE;
  return TRUE;
}

/**
 * vips_library_take_reason:
 *
 * The first line that libvips has is the cause, what follows are the
 * consequences; the system's reason stands in a line of its own.
 *
 * Returns: (transfer full): what libvips says went wrong.
 */
char *
vips_library_take_reason (void)
{
  g_auto (GStrv)  lines = g_strsplit (vips_error_buffer (), "\n", -1);
  const char     *first = lines[0] ? lines[0] : "";
  const char     *own   = "wavefront: ";
  char           *reason;

  vips_error_clear ();
  if (g_str_has_prefix (first, own))
    first += strlen (own);
  if (first[0] == '\0')
    return g_strdup (_("libvips reports no reason"));

  if (lines[1] && (g_str_has_prefix (lines[1], "system error: ") ||
                   g_str_has_prefix (lines[1], "unix error: ")))
    reason = g_strdup_printf ("%s (%s)", first, strchr (lines[1], ':') + 2);
  else
    reason = g_strdup (first);
  g_strchomp (reason);
  if (g_str_has_suffix (reason, "."))
    reason[strlen (reason) - 1] = '\0';
  return reason;
}

/**
 * vips_library_count_pages:
 * @image: an open file
 *
 * The function that libvips has for it takes ten thousand pages and more for a mistake.
 *
 * Returns: how many pages the file has, at least 1.
 */
int
vips_library_count_pages (VipsImage *image)
{
  int n = 1;

  if (vips_image_get_typeof (image, VIPS_META_N_PAGES) != 0 &&
      vips_image_get_int (image, VIPS_META_N_PAGES, &n) != 0)
    vips_error_clear ();
  return MAX (n, 1);
}
