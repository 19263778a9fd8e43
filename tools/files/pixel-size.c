/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images have no place for it: the engine has no use of it. */

#include "config.h"

#include "pixel-size.h"

/* There is one process, hence one state. */
static PixelSize noted = { .size = { 1.0, 1.0, 1.0 } };
static gboolean  is_noted;


/**
 * pixel_size_note:
 * @size: of a pixel of an input
 *
 * That of the first input counts, which is the image.
 */
void
pixel_size_note (const PixelSize *size)
{
  if (is_noted)
    return;
  is_noted = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (noted.size); i++)
    {
      noted.size[i] = size->size[i];
      noted.unit[i] = g_strdup (size->unit[i]);
    }
}

/**
 * pixel_size_get:
 *
 * Returns: that of the result; 1 without units if no input has one
 */
const PixelSize *
pixel_size_get (void)
{
  return &noted;
}

/**
 * pixel_size_forget:
 *
 * Before another image is read, which has nothing to do with this one.
 */
void
pixel_size_forget (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (noted.size); i++)
    {
      noted.size[i] = 1;
      g_clear_pointer (&noted.unit[i], g_free);
    }
  is_noted = FALSE;
}
