/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "tiff-compression.h"
#include "tools/message.h"

#ifdef HAVE_VIPS
#include <tiffio.h>
#endif


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
 * @compression: set where it succeeds
 * @value: of --compression
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether it is one that this build can write
 */
gboolean
tiff_compression_parse (TiffCompression  *compression,
                        const char       *value,
                        GError          **error)
{
  g_auto (GStrv)  names = g_strsplit (TIFF_COMPRESSIONS, "|", -1);
  guint           i     = 0;
  TiffCompression found;

  while (names[i] && ! g_str_equal (names[i], value))
    i++;
  if (! names[i])
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("Bad value “%s” for --compression: it takes none, deflate, lzw or zstd."),
                   value);
      return FALSE;
    }
  found = (TiffCompression) (TIFF_COMPRESSION_NONE + i);
  if (found == TIFF_COMPRESSION_ZSTD && ! has_zstd ())
    return refuse_usage (_("--compression zstd: this build has no libzstd, or a libtiff without "
                           "it."), error);
  *compression = found;
  return TRUE;
}

#ifdef HAVE_VIPS

/**
 * tiff_compression_find:
 * @tag: the compression of a file
 *
 * Returns: the same; deflate where this build does not write it, or it has losses
 */
TiffCompression
tiff_compression_find (guint16 tag)
{
  switch (tag)
    {
    case COMPRESSION_NONE:
      return TIFF_COMPRESSION_NONE;
    case COMPRESSION_LZW:
      return TIFF_COMPRESSION_LZW;
    case COMPRESSION_ZSTD:
      return has_zstd () ? TIFF_COMPRESSION_ZSTD : TIFF_COMPRESSION_DEFLATE;
    default:
      return TIFF_COMPRESSION_DEFLATE;
    }
}

#endif
