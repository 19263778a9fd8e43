/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Help that fits a terminal of 80 columns: GOption's own puts each description
 * beside the widest option and never breaks a line.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "help.h"
#include "message.h"
#include "option-sections.h"
#include "wrap.h"


#define WIDTH           79
#define COLUMN          26
#define OVERVIEW_COLUMN 20


/* A term, and from @column on what it means. */
static void
append_item (GString    *out,
             const char *term,
             const char *meaning,
             int         column)
{
  glong length = wrap_count_columns (term);

  g_string_append (out, term);
  if (length + 2 > column)
    g_string_append_printf (out, "\n%*s", column, "");
  else
    g_string_append_printf (out, "%*s", (int) (column - length), "");
  wrap_append (out, meaning, column, column, WIDTH);
}

static void
append_title (GString    *out,
              const char *title)
{
  g_string_append_c (out, '\n');
  /* TRANSLATORS: the title of a list of options or of commands */
  g_string_append_printf (out, _("%s:"), title);
  g_string_append_c (out, '\n');
}

static void
append_section (GString             *out,
                const OptionSection *section)
{
  append_title (out, section->title);
  for (guint i = 0; i < section->entries->len; i++)
    {
      const GOptionEntry *entry = &g_array_index (section->entries, GOptionEntry, i);
      gboolean            takes = option_takes_value (entry);
      g_autofree char    *letter = entry->short_name
                                   ? g_strdup_printf ("-%c, ", entry->short_name)
                                   : g_strdup ("    ");
      g_autofree char    *term = g_strdup_printf ("  %s--%s%s%s", letter, entry->long_name,
                                                  takes ? " " : "",
                                                  takes ? entry->arg_description : "");

      append_item (out, term, entry->description, COLUMN);
    }
}

static void
append_paragraphs (GString    *out,
                   const char *text)
{
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n\n", -1);

  for (char **paragraph = paragraphs; *paragraph; paragraph++)
    {
      g_string_append_c (out, '\n');
      wrap_append (out, *paragraph, 0, 0, WIDTH);
    }
}

/* The lines after the first begin below the command's name. */
static void
append_usage (GString       *out,
              const Command *command)
{
  g_autofree char *start  = g_strdup_printf ("%s wavefront ", _("Usage:"));
  g_autofree char *rest   = g_strdup_printf ("%s %s", command_get_name (command),
                                             command->usage);
  glong            column = wrap_count_columns (start);

  g_string_append (out, start);
  wrap_append (out, g_strchomp (rest), column, (int) column, WIDTH);
}

static const char *
file_notes (void)
{
#ifdef HAVE_VIPS
  return N_("Images are read and written by libvips: TIFF and BigTIFF, PNG, PNM, JPEG, WebP, VIPS "
            "and, for reading only, GIF and HEIF; PFM needs no libvips. Color becomes luminance: "
            "that of linear light, as in GIMP, encoded as the colors are. Colors are linear if "
            "their format (PFM) or profile says so, else encoded as in sRGB; white is 255, 65535 "
            "or 1.0. Alpha is dropped. The pages of a TIFF file make a stack; image.tif[page=2] is "
            "one of them. The axes of OME-TIFF and ImageJ files are read: of several channels, "
            "series or levels of a pyramid the first is read, unless another is chosen, and "
            "standard error says what is left out. 64-bit floating point is rounded to 32 bits, "
            "and a message says so.\n\n"
            "With --raw all inputs are raw files instead (labels: u32, 0 for none). An OUT that "
            "ends in .raw is always a raw file. A result is never clipped, rounded or scaled to "
            "fit a format: a format that cannot hold it is refused; .tif and .raw hold every "
            "result.");
#else
  return N_("This build has no libvips: files are raw or PFM. With --raw all inputs are raw "
            "(labels: u32, 0 for none); an OUT that ends in .raw or .pfm is written in that "
            "format.");
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
stream_notes (void)
{
  return N_("“-” stands for standard input or output: one of the inputs, OUT or a table. The "
            "contents of an input show its format; that of OUT is TIFF unless --format says "
            "otherwise. Numbers and --stats go to standard error then. An output that is a "
            "standard stream of the command by another name, such as /dev/stdout, is refused.");
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

static const char *
status_notes (void)
{
  return N_("The exit status is 0 for success, 1 for failure, 2 for an invalid command line. OUT "
            "is written completely or not at all.");
}

/**
 * help_print_command:
 * @command: a subcommand
 *
 * Prints what there is to know about it on standard output.
 */
void
help_print_command (const Command *command)
{
  g_autoptr (GStringChunk)  strings   = g_string_chunk_new (1024);
  g_autoptr (GPtrArray)     sections  = NULL;
  g_autofree char          *blurb     = NULL;
  Arguments                 arguments = { .command = command };
  GString                  *out       = g_string_new (NULL);

  /* TRANSLATORS: what a command does, as a sentence */
  blurb = g_strdup_printf (_("%s."), command_get_blurb (command));
  append_usage (out, command);
  append_paragraphs (out, blurb);
  if (command->notes)
    append_paragraphs (out, gettext (command->notes));

  sections = option_sections_new (&arguments, strings);
  for (guint i = 0; i < sections->len; i++)
    append_section (out, sections->pdata[i]);

  if (command->table_blurb)
    append_paragraphs (out, gettext (table_notes ()));
  if (command->operation >= 0)
    {
      append_paragraphs (out, gettext (file_notes ()));
#ifdef HAVE_ZARR
      append_paragraphs (out, gettext (zarr_notes ()));
#endif
      append_paragraphs (out, gettext (stream_notes ()));
      append_paragraphs (out, gettext (status_notes ()));
    }
  if (command->examples)
    g_string_append_printf (out, "\n%s\n%s", _("Examples:"), command->examples);

  text_print (stdout, out->str);
  g_string_free (out, TRUE);
}

static void
append_group (GString            *out,
              const CommandGroup *group)
{
  append_title (out, gettext (group->title));
  for (const Command * const *command = group->commands; *command; command++)
    {
      g_autofree char *term = g_strdup_printf ("  %s", command_get_name (*command));

      append_item (out, term, command_get_blurb (*command), OVERVIEW_COLUMN);
    }
}

static void
append_first_examples (GString            *out,
                       const CommandGroup *group)
{
  for (const Command * const *command = group->commands; *command; command++)
    if ((*command)->examples)
      {
        const char *end = strchr ((*command)->examples, '\n');

        g_string_append_len (out, (*command)->examples, end - (*command)->examples + 1);
      }
}

/**
 * help_print_overview:
 * @groups: the subcommands, ended by a group without title
 *
 * Prints what the program is and which subcommands it has on standard output, with
 * examples of the first group.
 */
void
help_print_overview (const CommandGroup *groups)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%s wavefront %s\n", _("Usage:"),
                          _("COMMAND FILE… -o OUT [OPTION…]"));
  append_paragraphs (out, _("Mathematical morphology on images and stacks of any size: "
                            "reconstruction, distance maps and the watershed, on the CPU or "
                            "a GPU, with the same result on each."));

  for (const CommandGroup *group = groups; group->title; group++)
    append_group (out, group);

  append_title (out, _("Options"));
  append_item (out, "  -h, --help", _("Show this help; after a command, all its options"),
               OVERVIEW_COLUMN);
  append_item (out, "      --version", _("Show the version"), OVERVIEW_COLUMN);
  append_paragraphs (out, gettext (status_notes ()));
  g_string_append_printf (out, "\n%s\n", _("Examples:"));
  append_first_examples (out, &groups[0]);

  text_print (stdout, out->str);
  g_string_free (out, TRUE);
}
