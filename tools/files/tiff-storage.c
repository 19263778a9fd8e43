/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tiff-storage.h"

/* There is one process, hence one state. */
static TiffStorage noted;
static gboolean    is_noted;


/**
 * tiff_storage_note:
 * @storage: of a TIFF input
 *
 * That of the first one counts, which is the image.
 */
void
tiff_storage_note (const TiffStorage *storage)
{
  if (is_noted)
    return;
  is_noted = TRUE;
  noted    = *storage;
}

/**
 * tiff_storage_get:
 *
 * Returns: that of the results; in strips if no input is TIFF
 */
const TiffStorage *
tiff_storage_get (void)
{
  return &noted;
}

/**
 * tiff_storage_forget:
 *
 * Before another image is read, which has nothing to do with this one.
 */
void
tiff_storage_forget (void)
{
  noted    = (TiffStorage) { 0 };
  is_noted = FALSE;
}

/**
 * tiff_storage_choose:
 * @asked: what the user asks for, or %TIFF_COMPRESSION_USUAL
 * @usual: where no TIFF input is compressed
 *
 * Returns: how a result is compressed
 */
TiffCompression
tiff_storage_choose (TiffCompression asked,
                     TiffCompression usual)
{
  return asked != TIFF_COMPRESSION_USUAL              ? asked
         : noted.compression > TIFF_COMPRESSION_NONE  ? noted.compression
                                                      : usual;
}
