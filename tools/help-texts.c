/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "help-texts.h"


static const char *
file_notes (void)
{
#ifdef HAVE_VIPS
  return N_("Images are read and written by libvips: TIFF and BigTIFF, PNG, PNM, JPEG, WebP, VIPS "
            "and, for reading only, GIF and HEIF; PFM and NPY (arrays of NumPy of two or three "
            "dimensions) need no libvips. Color becomes luminance: that of linear light, as in "
            "GIMP, encoded as the colors are. Colors are linear if their format (PFM) or profile "
            "says so, else encoded as in sRGB; white is 255, 65535 or 1.0. Alpha is dropped. The "
            "pages of a TIFF file make a stack; image.tif[page=2] is one of them. The axes of "
            "OME-TIFF and ImageJ files are read: of several channels, series or levels of a "
            "pyramid the first is read, unless another is chosen, and standard error says what is "
            "left out. 64-bit floating point is rounded to 32 bits, and a message says so. TIFF "
            "results keep the resolution of a TIFF input and, of OME-TIFF, the size of a pixel, "
            "the name and the date of the image and the name of the channel.\n\n"
            "With --raw all inputs are raw files instead (labels: u32, 0 for none). An OUT that "
            "ends in .raw is always a raw file. A result is never clipped, rounded or scaled to "
            "fit a format: a format that cannot hold it is refused; .tif and .raw hold every "
            "result.");
#else
  return N_("This build has no libvips: files are raw, PFM or NPY. With --raw all inputs are raw "
            "(labels: u32, 0 for none); an OUT that ends in .raw, .pfm or .npy is written in "
            "that format.");
#endif
}

#ifdef HAVE_ZARR

static const char *
zarr_notes (void)
{
  return N_("A folder with OME-Zarr 0.4 (version 2 of Zarr) is an image, too: image.zarr, or one "
            "of its arrays, as image.zarr/1. Of several channels, points in time or levels the "
            "first is read, unless another is chosen. An OUT that ends in .zarr is such a folder, "
            "with overviews and with the size of a pixel that IMAGE has; a Zarr folder of that "
            "name is replaced as a whole.");
}

#endif

static const char *
sequence_notes (void)
{
  return N_("A name with “*” or “?”, in quotes so that the shell leaves it, stands for the files "
            "that match it: they are the slices of one stack, in the order of the numbers in their "
            "names, as in 'z*.tif'. They have one size and one type; each may be a stack itself.");
}

static const char *
stream_notes (void)
{
  return N_("“-” stands for standard input or output: one of the inputs, OUT or a table. The "
            "contents of an input show its format; that of OUT is TIFF unless --format says "
            "otherwise. Numbers and --stats go to standard error then. An output that is a "
            "standard stream of the command by another name, such as /dev/stdout, is refused.");
}

static const char *
batch_notes (void)
{
  return N_("Several inputs may be given: the command works on each of them, N at a time with "
            "--jobs N, and goes on where one fails; the exit status is 1 then. The names of "
            "outputs have placeholders: {name} is the input's name without folder and suffix, "
            "{ext} its suffix, {folder} its folder and {n} its number, as in -o "
            "'out/{name}.tif'. A table without a placeholder has the lines of all inputs, with "
            "their names in the column “file”; of CSV it has the columns of all, with empty cells "
            "where an input has none. Two inputs with the same output are refused before anything "
            "is done.");
}

static const char *
table_notes (void)
{
  return N_("A table has a header and a line for each label: its number of pixels, their centroid "
            "and bounding box, and the minimum and mean level of IMAGE in it. The depth of a basin "
            "is the height that water rises from its lowest pixel until it overflows into a deeper "
            "basin; it is empty for the deepest basin. The center of the first pixel is at 0.5, "
            "0.5; rows, columns and slices count from 0.");
}

/* Returns: (transfer none): the exit status */
const char *
help_texts_status (void)
{
  return _("The exit status is 0 for success, 1 for failure, 2 for an invalid command line. OUT "
           "is written completely or not at all.");
}

/* Returns: (transfer none): what the program is */
const char *
help_texts_program (void)
{
  return _("Mathematical morphology on images and stacks of any size: reconstruction, distance "
           "maps and the watershed, on the CPU or a GPU, with the same result on each.");
}

/**
 * help_texts_of_command:
 * @command: a subcommand
 *
 * Returns: (transfer container): paragraphs on its files and its result, translated; in some of
 *   them an empty line separates several
 */
GPtrArray *
help_texts_of_command (const Command *command)
{
  GPtrArray *texts = g_ptr_array_new ();

  if (command->table_blurb)
    g_ptr_array_add (texts, (gpointer) gettext (table_notes ()));
  if (! command_computes (command))
    return texts;
  g_ptr_array_add (texts, (gpointer) gettext (file_notes ()));
#ifdef HAVE_ZARR
  g_ptr_array_add (texts, (gpointer) gettext (zarr_notes ()));
#endif
  g_ptr_array_add (texts, (gpointer) gettext (sequence_notes ()));
  g_ptr_array_add (texts, (gpointer) gettext (stream_notes ()));
  if (command_takes_several (command))
    g_ptr_array_add (texts, (gpointer) gettext (batch_notes ()));
  g_ptr_array_add (texts, (gpointer) help_texts_status ());
  return texts;
}
