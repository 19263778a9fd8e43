/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A list in pixels of an image, kept with it as a parasite, which XCF files keep: the image's size,
 * and the list.  It counts only as long as the image has this size.
 *
 * While a dialog is open it is kept after each change, so that it is not lost if the plug-in ends,
 * without an undo step for each; the change as a whole becomes a step at the end.
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "kept-text.h"

/* A list of a million points is shorter. */
#define MAX_BYTES (64 << 20)

/* Of an image that was changed, what it had before. */
#define BEFORE    "wavefront-kept-before"


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

/*  Writing  */

/* Without data it stands for none. */
static GimpParasite *
get (GimpImage  *image,
     const char *name)
{
  GimpParasite *parasite = gimp_image_get_parasite (image, name);

  return parasite ? parasite : gimp_parasite_new (name, 0, 0, NULL);
}

static gboolean
holds (GimpImage          *image,
       const GimpParasite *parasite)
{
  GimpParasite  *present = get (image, parasite->name);
  const gboolean same    = present->size == parasite->size &&
                           (present->size == 0 ||
                            memcmp (present->data, parasite->data, present->size) == 0);

  gimp_parasite_free (present);
  return same;
}

/* GIMP makes an undo step of a parasite that is attached as undoable, and of detaching such a
 * one.
 */
static void
put (GimpImage          *image,
     const GimpParasite *parasite,
     guint32             undoable)
{
  GimpParasite *attached = gimp_parasite_new (parasite->name, GIMP_PARASITE_PERSISTENT | undoable,
                                              parasite->size, parasite->data);

  gimp_image_attach_parasite (image, attached);
  if (attached->size == 0)
    gimp_image_detach_parasite (image, attached->name);
  gimp_parasite_free (attached);
}

/* Adds what the image has to that from before it was changed. */
static void
note_before (GimpImage  *image,
             const char *name)
{
  GPtrArray *before = g_object_get_data (G_OBJECT (image), BEFORE);

  if (! before)
    {
      before = g_ptr_array_new_with_free_func ((GDestroyNotify) gimp_parasite_free);
      g_object_set_data_full (G_OBJECT (image), BEFORE, before,
                              (GDestroyNotify) g_ptr_array_unref);
    }
  for (guint i = 0; i < before->len; i++)
    if (strcmp (((const GimpParasite *) before->pdata[i])->name, name) == 0)
      return;
  g_ptr_array_add (before, get (image, name));
}

/**
 * wf_kept_text_write:
 * @image: an image
 * @name: of the parasite
 * @text: (nullable): the list; %NULL or empty: none
 *
 * Keeps the list with the image; until wf_kept_text_settle() that is no change of the image for
 * GIMP.
 */
void
wf_kept_text_write (GimpImage  *image,
                    const char *name,
                    const char *text)
{
  g_autofree char *all      = NULL;
  GimpParasite    *parasite = NULL;

  if (! text || ! *text)
    {
      /* that of an image of another size stays, for when the change of size is undone */
      g_autofree char *kept = wf_kept_text_read (image, name);

      if (! kept)
        return;
    }
  else
    all = g_strdup_printf ("%d %d %s", gimp_image_get_width (image),
                           gimp_image_get_height (image), text);
  parasite = gimp_parasite_new (name, 0, all ? (guint32) strlen (all) : 0, all);
  if (! holds (image, parasite))
    {
      note_before (image, name);
      put (image, parasite, 0);
    }
  gimp_parasite_free (parasite);
}

/**
 * wf_kept_text_settle:
 * @image: an image
 *
 * Makes one undo step of what was written, from the lists that the image had before.
 */
void
wf_kept_text_settle (GimpImage *image)
{
  g_autoptr (GPtrArray) before = g_object_steal_data (G_OBJECT (image), BEFORE);
  gboolean              opened = FALSE;

  if (! before || ! gimp_image_is_valid (image))
    return;
  for (guint i = 0; i < before->len; i++)
    {
      const GimpParasite *old = before->pdata[i];
      GimpParasite       *now;

      if (holds (image, old))
        continue;
      now = get (image, old->name);
      put (image, old, 0);
      /* an empty group would be a step, too */
      if (! opened)
        gimp_image_undo_group_start (image);
      opened = TRUE;
      put (image, now, GIMP_PARASITE_UNDOABLE);
      gimp_parasite_free (now);
    }
  if (opened)
    gimp_image_undo_group_end (image);
}
