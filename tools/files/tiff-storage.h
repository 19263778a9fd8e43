/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How the first TIFF input is stored, and so are the TIFF results where the user asks for nothing
 * else.
 */

#pragma once

#include "tiff-compression.h"

/**
 * TiffStorage:
 * @compression: without loss
 * @tile_width: 0 for strips
 * @tile_height: likewise
 */
typedef struct
{
  TiffCompression compression;
  guint32         tile_width;
  guint32         tile_height;
} TiffStorage;

void                tiff_storage_note   (const TiffStorage *storage);
const TiffStorage * tiff_storage_get    (void);
void                tiff_storage_forget (void);
TiffCompression     tiff_storage_choose (TiffCompression    asked,
                                         TiffCompression    usual);
