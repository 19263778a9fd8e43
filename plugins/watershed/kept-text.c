/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A list in pixels of an image, kept with it as a parasite, which XCF files keep: the image's size,
 * and the list.  It counts only as long as the image has this size.
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "kept-text.h"

/* A list of a million points is shorter. */
#define MAX_BYTES (64 << 20)


/**
 * wf_kept_text_read:
 * @image: an image
 * @name: of the parasite
 *
 * Returns: (transfer full) (nullable): the list, not checked, if there is one of an image of this
 *   size
 */
char *
wf_kept_text_read (GimpImage  *image,
                   const char *name)
{
  GimpParasite    *parasite = gimp_image_get_parasite (image, name);
  g_autofree char *text     = NULL;
  int              width    = 0;
  int              height   = 0;
  int              start    = 0;

  if (! parasite)
    return NULL;
  if (parasite->size > 0 && parasite->size <= MAX_BYTES)
    text = g_strndup (parasite->data, parasite->size);
  gimp_parasite_free (parasite);
  if (! text || sscanf (text, "%9d %9d %n", &width, &height, &start) < 2 || start == 0 ||
      width != gimp_image_get_width (image) || height != gimp_image_get_height (image))
    return NULL;
  return g_strdup (text + start);
}

/**
 * wf_kept_text_write:
 * @image: an image
 * @name: of the parasite
 * @text: (nullable): the list; %NULL or empty: none
 *
 * Keeps the list with the image.
 */
void
wf_kept_text_write (GimpImage  *image,
                    const char *name,
                    const char *text)
{
  if (! text || ! *text)
    {
      /* that of an image of another size stays, for when the change of size is undone */
      g_autofree char *kept = wf_kept_text_read (image, name);

      if (kept)
        gimp_image_detach_parasite (image, name);
    }
  else
    {
      g_autofree char *all      = g_strdup_printf ("%d %d %s", gimp_image_get_width (image),
                                                   gimp_image_get_height (image), text);
      GimpParasite    *parasite = gimp_parasite_new (name, GIMP_PARASITE_PERSISTENT,
                                                     (guint32) strlen (all), all);

      gimp_image_attach_parasite (image, parasite);
      gimp_parasite_free (parasite);
    }
}
