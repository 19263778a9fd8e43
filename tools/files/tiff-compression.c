/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "tiff-compression.h"
#include "tools/message.h"

#ifdef HAVE_VIPS
#include <tiffio.h>
#endif

/* There is one command line, hence one state. */
static TiffCompression chosen;
static gboolean        is_given;


/* Whole images are written by libtiff, tiles in blocks by libzstd; files should be the same. */
static gboolean
has_zstd (void)
{
#if defined (HAVE_VIPS) && defined (HAVE_ZSTD)
  return TIFFIsCODECConfigured (COMPRESSION_ZSTD);
#else
  return FALSE;
#endif
}

/**
 * tiff_compression_parse:
 * @value: of --compression
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether it is one that this build can write
 */
gboolean
tiff_compression_parse (const char  *value,
                        GError     **error)
{
  g_auto (GStrv) names = g_strsplit (TIFF_COMPRESSIONS, "|", -1);
  guint          i     = 0;

  while (names[i] && ! g_str_equal (names[i], value))
    i++;
  if (! names[i])
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("Bad value “%s” for --compression: it takes none, deflate, lzw or zstd."),
                   value);
      return FALSE;
    }
  if (i == TIFF_COMPRESSION_ZSTD && ! has_zstd ())
    return refuse_usage (_("--compression zstd: this build has no libzstd, or a libtiff without "
                           "it."), error);
  chosen   = (TiffCompression) i;
  is_given = TRUE;
  return TRUE;
}

gboolean
tiff_compression_is_given (void)
{
  return is_given;
}

/**
 * tiff_compression_get:
 * @otherwise: what is taken where the user has not chosen
 *
 * Returns: the compression of a TIFF file
 */
TiffCompression
tiff_compression_get (TiffCompression otherwise)
{
  return is_given ? chosen : otherwise;
}
