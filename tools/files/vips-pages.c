/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pages of a TIFF file are slices of a stack, unless its description gives them axes
 * (axes.c), or they are the levels of a pyramid: each then has a half of the size of the one
 * before.  What is not read is said: nothing is left out silently, and channels never become
 * slices.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "axes.h"
#include "ome-image.h"
#include "tiff-file.h"
#include "tiff-size.h"
#include "vips-library.h"
#include "vips-pages.h"


/**
 * File:
 * @path: of a file, perhaps followed by options of libvips in brackets
 * @access: how its pixels will be read
 */
typedef struct
{
  const char *path;
  VipsAccess  access;
} File;


static VipsImage *
open_page (const File *file,
           int         page,
           int         subifd)
{
  return vips_image_new_from_file (file->path, "access", file->access, "page", page,
                                   "subifd", subifd, VIPS_STRICT, NULL);
}

/* @n: pages of the same size, one after the other; −1: all that follow */
static VipsImage *
open_pages (const File *file,
            int         first,
            int         n)
{
  return vips_image_new_from_file (file->path, "access", file->access, "page", first, "n", n,
                                   VIPS_STRICT, NULL);
}

static gboolean
is_tiff (VipsImage *image)
{
  const char *loader = "";

  return vips_image_get_typeof (image, VIPS_META_LOADER) != 0 &&
         vips_image_get_string (image, VIPS_META_LOADER, &loader) == 0 &&
         g_str_has_prefix (loader, "tiffload");
}

/* The reason becomes that of libvips. */
static void
pass_on (GError *problem)
{
  vips_error ("wavefront", "%s", problem->message);
  g_error_free (problem);
}

/* The chosen number, or 0; −1 with libvips' reason if it is not below @n. */
static int
choose (const char *option,
        int         chosen,
        int         n)
{
  GError   *problem = NULL;
  const int number  = choice_take (option, chosen, n, &problem);

  if (number < 0)
    pass_on (problem);
  return number;
}

static int
count_subifds (VipsImage *image)
{
  int n = 0;

  if (vips_image_get_typeof (image, VIPS_META_N_SUBIFDS) == 0 ||
      vips_image_get_int (image, VIPS_META_N_SUBIFDS, &n) != 0)
    return 0;
  return n;
}

/* Whether the second page is half as large as the first, rounded either way. */
static gboolean
is_pyramid (const File *file,
            VipsImage  *image)
{
  g_autoptr (Picture) second = open_page (file, 1, -1);

  if (! second)
    {
      vips_error_clear ();
      return FALSE;
    }
  return (second->Xsize == image->Xsize / 2 || second->Xsize == (image->Xsize + 1) / 2) &&
         (second->Ysize == image->Ysize / 2 || second->Ysize == (image->Ysize + 1) / 2) &&
         second->Xsize < image->Xsize;
}

static gboolean
are_consecutive (const int *pages,
                 int        n)
{
  for (int i = 1; i < n; i++)
    if (pages[i] != pages[0] + i)
      return FALSE;
  return pages[0] >= 0;
}

/* As join(), of pages that follow one another: the file is open once, not for each of them. */
static VipsImage *
open_consecutive (const File *file,
                  int         first,
                  int         n)
{
  g_autoptr (Picture)  image = open_pages (file, first, n);
  VipsImage           *stack = NULL;

  if (! image || vips_copy (image, &stack, NULL) != 0)
    return NULL;
  vips_image_set_int (stack, VIPS_META_N_PAGES, n);
  return stack;
}

/* The pages below one another, as libvips has a stack; they must have one size. */
static VipsImage *
join (const File *file,
      const int  *pages,
      int         n)
{
  g_autoptr (GPtrArray)  images = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (Picture)    joined = NULL;
  VipsImage             *stack  = NULL;
  int                    height;

  for (int i = 0; i < n; i++)
    {
      VipsImage *image = pages[i] < 0 ? NULL : open_page (file, pages[i], -1);

      if (! image)
        {
          if (pages[i] < 0)
            vips_error ("wavefront", _("its description names planes that it does not hold"));
          return NULL;
        }
      g_ptr_array_add (images, image);
    }

  height = ((VipsImage *) images->pdata[0])->Ysize;
  for (int i = 1; i < n; i++)
    if (((VipsImage *) images->pdata[i])->Ysize != height)
      {
        vips_error ("wavefront", _("its pages differ in size"));
        return NULL;
      }
  if (vips_arrayjoin ((VipsImage **) images->pdata, &joined, n, "across", 1, NULL) != 0 ||
      vips_copy (joined, &stack, NULL) != 0)
    return NULL;

  vips_image_set_int (stack, VIPS_META_PAGE_HEIGHT, height);
  vips_image_set_int (stack, VIPS_META_N_PAGES, n);
  return stack;
}

/* The stack, or the slice, of one channel of one image of the file. */
static VipsImage *
open_planes (const File   *file,
             const Axes   *axes,
             const Choice *choice,
             GString      *notes)
{
  GError          *problem = NULL;
  g_autofree int  *pages   = NULL;
  Planes           planes;

  if (! choice_find_planes (choice, axes->n_channels, axes->n_slices, axes->n_frames, &planes,
                            notes, &problem))
    {
      pass_on (problem);
      return NULL;
    }

  pages = g_new (int, planes.n);
  for (int i = 0; i < planes.n; i++)
    pages[i] = planes.timed
               ? axes_get_page (axes, planes.channel, 0, planes.first + i)
               : axes_get_page (axes, planes.channel, planes.first + i, 0);
  return planes.n > 1 && are_consecutive (pages, planes.n)
         ? open_consecutive (file, pages[0], planes.n) : join (file, pages, planes.n);
}

static VipsImage *
open_level (const File   *file,
            VipsImage    *first,
            const Choice *choice,
            gboolean      with_subifds,
            GString      *notes)
{
  const int n     = with_subifds ? count_subifds (first) + 1 : vips_library_count_pages (first);
  const int level = choose ("level", choice->level, n);

  if (level < 0)
    return NULL;
  if (choice->level < 0)
    choice_add_note (notes, _("of the %d levels of its pyramid only number 0 is read (--level)"),
                     n);
  if (level == 0)
    return g_object_ref (first);
  return with_subifds ? open_page (file, 0, level - 1) : open_page (file, level, -1);
}

/* Without a description all pages are slices. */
static VipsImage *
open_stack (const File   *file,
            VipsImage    *first,
            const Choice *choice)
{
  const int n     = vips_library_count_pages (first);
  const int slice = choose ("slice", choice->slice, n);

  if (slice < 0 || choose ("series", choice->series, 1) < 0 ||
      choose ("level", choice->level, 1) < 0)
    return NULL;
  if (choice->slice >= 0)
    return open_page (file, slice, -1);
  return n > 1 ? open_pages (file, 0, -1) : g_object_ref (first);
}

static const char *
get_description (VipsImage *image)
{
  const char *description = "";

  if (vips_image_get_typeof (image, VIPS_META_IMAGEDESCRIPTION) != 0)
    vips_image_get_string (image, VIPS_META_IMAGEDESCRIPTION, &description);
  return description;
}

/* @axes: filled with what the file says of them */
static VipsImage *
open_described (const File   *file,
                VipsImage    *first,
                const Choice *choice,
                Axes         *axes,
                gboolean     *channel_chosen,
                GString      *notes)
{
  const int n = vips_library_count_pages (first);

  if (! axes_find (axes, get_description (first), n, MAX (choice->series, 0)))
    {
      if (count_subifds (first) > 0 && n == 1)
        return open_level (file, first, choice, TRUE, notes);
      if (n > 1 && is_pyramid (file, first))
        return open_level (file, first, choice, FALSE, notes);
      return open_stack (file, first, choice);
    }

  if (choose ("series", choice->series, axes->n_series) < 0)
    return NULL;
  if (choice->series < 0 && axes->n_series > 1)
    choice_add_note (notes, _("of its %d series only number 0 is read (--series)"), axes->n_series);
  *channel_chosen = axes->n_channels > 1;
  if (count_subifds (first) > 0 && axes->n_channels * axes->n_slices * axes->n_frames == 1 &&
      choice->series <= 0)
    return open_level (file, first, choice, TRUE, notes);
  if (choose ("level", choice->level, 1) < 0)
    return NULL;
  return open_planes (file, axes, choice, notes);
}

/* @image: the level that is read of it */
static void
note_size (VipsImage  *first,
           VipsImage  *image,
           const Axes *axes,
           gboolean    is_level)
{
  TiffResolution resolution = { first->Xres, first->Yres, NULL };

  if (vips_image_get_typeof (first, VIPS_META_RESOLUTION_UNIT) != 0)
    vips_image_get_string (first, VIPS_META_RESOLUTION_UNIT, &resolution.unit);
  tiff_size_note (axes, &resolution,
                  is_level ? (int) ((double) first->Xsize / image->Xsize + 0.5) : 1);
}

static VipsImage *
open_tiff (const File   *file,
           VipsImage    *first,
           const Choice *choice,
           gboolean     *channel_chosen,
           GString      *notes)
{
  g_auto (Axes)  axes  = { 0 };
  VipsImage     *image = open_described (file, first, choice, &axes, channel_chosen, notes);

  if (image)
    {
      note_size (first, image, &axes, choice->level > 0);
      tiff_file_note_storage (file->path);
      ome_image_note (get_description (first), MAX (choice->series, 0), MAX (choice->channel, 0));
    }
  return image;
}

/* Libvips decodes a tile of JPEG by the tables of the page that the file is at, which another
 * thread may have turned meanwhile: pages of such tiles are left to one thread.
 */
static void
limit_threads (const char *path,
               VipsImage  *image)
{
  g_autofree char *file = vips_filename_get_filename (path);

  if (vips_image_get_page_height (image) < image->Ysize && tiff_file_has_jpeg_tiles (file))
    vips_image_set_int (image, VIPS_META_CONCURRENCY, 1);
}

/* A band of pixels that have several is a channel. */
static VipsImage *
take_band (VipsImage    *image,
           const Choice *choice,
           GString      *notes)
{
  const int  channel = choose ("channel", choice->channel, image->Bands);
  VipsImage *band    = NULL;

  if (channel < 0)
    return NULL;
  if (choice->channel >= 0 && image->Bands > 1)
    return vips_extract_band (image, &band, channel, NULL) == 0 ? band : NULL;
  if (image->Bands == 2 && is_tiff (image))
    choice_add_note (notes, _("its second band, taken for alpha, is left out (--channel)"));
  return g_object_ref (image);
}

/**
 * vips_pages_open:
 * @path: a file, perhaps followed by options of libvips in brackets, which choose the page
 * @choice: what is read
 * @access: how its pixels will be read
 * @notes: gets what is left out, in words
 *
 * Opens the chosen stack or slice; of what is not chosen the first, and all slices.
 *
 * Returns: (nullable): an image with its page height; if not, libvips has the reason
 */
VipsImage *
vips_pages_open (const char   *path,
                 const Choice *choice,
                 VipsAccess    access,
                 GString      *notes)
{
  const File            file    = { path, access };
  g_autofree char      *options = vips_filename_get_options (path);
  g_autoptr (Picture)   first   = vips_image_new_from_file (path, "access", access,
                                                            VIPS_STRICT, NULL);
  g_autoptr (Picture)   image   = NULL;
  gboolean              chosen  = FALSE;

  if (! first)
    return NULL;
  if (options[0] == '\0' && is_tiff (first))
    image = open_tiff (&file, first, choice, &chosen, notes);
  else if (choose ("series", choice->series, 1) >= 0 && choose ("level", choice->level, 1) >= 0 &&
           choose ("slice", choice->slice, 1) >= 0)
    image = g_object_ref (first);
  if (! image)
    return NULL;
  if (is_tiff (first))
    limit_threads (path, image);
  return chosen ? g_steal_pointer (&image) : take_band (image, choice, notes);
}
