/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an OME-TIFF file says of an image beside its size: it goes from the first TIFF input to the
 * TIFF results.
 */

#pragma once

#include <glib.h>

/**
 * OmeImage:
 * @name: (nullable): of the image
 * @date: (nullable): when it was acquired, as XML has dates
 * @channel: (nullable): the name of the channel that is read
 */
typedef struct
{
  char *name;
  char *date;
  char *channel;
} OmeImage;

void             ome_image_note   (const char *description,
                                   int         series,
                                   int         channel);
const OmeImage * ome_image_get    (void);
gboolean         ome_image_is_any (void);
void             ome_image_forget (void);
