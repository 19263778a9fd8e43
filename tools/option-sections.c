/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of the operations and of the context come from the library's
 * tables, one GOptionEntry for each row: an option added there is parsed, checked
 * and shown in the help without a line here.  Only what concerns files and the
 * command itself is declared in this file.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "command.h"
#include "tools/files/format.h"
#include "tools/files/tiff-compression.h"
#include "memory.h"
#include "message.h"
#include "option-sections.h"
#include "ranks.h"
#include "table-format.h"
#include "workers.h"


#define MAX_REPEAT 1000000

/* What the callbacks of one group of GOption fill. */
typedef struct
{
  const WfOptionGroup *group;
  gpointer             options;
  GHashTable          *given;
  Arguments           *arguments;
} Target;


/* A threshold may be found in the image, whatever table it comes from. */
static gboolean
is_threshold (const WfOption *option)
{
  return strcmp (option->name, "threshold") == 0;
}

/* Of a name that is no method's. */
static gboolean
refuse_threshold (const char  *name,
                  GError     **error)
{
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("Unknown threshold “%s”: give a level, otsu, li, triangle or a share such as "
                 "30%%; local ones have “wavefront threshold --method”."), name);
  return FALSE;
}

static gboolean
parse_described (const char  *name,
                 const char  *value,
                 gpointer     data,
                 GError     **error)
{
  Target         *target = data;
  const WfOption *option = wf_option_group_find (target->group, name + strlen ("--"));

  g_return_val_if_fail (option != NULL, FALSE);

  g_hash_table_add (target->given, (gpointer) option->name);
  if (is_threshold (option))
    {
      ThresholdWay *way = &target->arguments->threshold;

      target->arguments->finds_threshold = wf_threshold_parse (value, &way->method,
                                                               &way->percent);
      if (target->arguments->finds_threshold)
        return TRUE;
      if (value && g_ascii_isalpha (value[0]))
        return refuse_threshold (value, error);
    }
  return wf_option_parse (option, target->options, value ? value : "true", error);
}

static gboolean
parse_raw (const char  *name,
           const char  *value,
           gpointer     data,
           GError     **error)
{
  Arguments *arguments = data;

  if (! raw_spec_parse (&arguments->raw_spec, value, error))
    return FALSE;
  arguments->raw = &arguments->raw_spec;
  return TRUE;
}

static gboolean
parse_format (const char  *name,
              const char  *value,
              gpointer     data,
              GError     **error)
{
  Arguments *arguments = data;

  if (arguments->command->makes_table ||
      (arguments->command->takes_steps && table_format_find (value)))
    {
      if (! table_format_find (value))
        return table_format_refuse (value, error);
    }
  else if (! format_find_name (value))
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("Unknown format “%s”: give the suffix of an output format, such as tif, png, "
                     "pgm, pfm, npy or raw."), value);
      return FALSE;
    }
  g_free (arguments->format);
  arguments->format = g_strdup (value);
  return TRUE;
}

static gboolean
parse_choice (const char  *name,
              const char  *value,
              gpointer     data,
              GError     **error)
{
  return choice_parse (&((Arguments *) data)->choice, name + strlen ("--"), value, error);
}

static gboolean
parse_memory_limit (const char  *name,
                    const char  *value,
                    gpointer     data,
                    GError     **error)
{
  return memory_parse_limit (value, error);
}

/* Of GOptionArgFunc. */
static gboolean
parse_distributed (const char  *name,
                   const char  *value,
                   gpointer     data,
                   GError     **error)
{
  return ranks_parse_wish (value, error);
}

static gboolean
parse_blocks (const char  *name,
              const char  *value,
              gpointer     data,
              GError     **error)
{
  Arguments       *arguments = data;
  g_autofree char *ways      = NULL;

  if (g_strv_contains (arguments->command->blocks, value))
    {
      g_free (arguments->blocks);
      arguments->blocks = g_strdup (value);
      return TRUE;
    }
  ways = g_strjoinv (", ", (char **) arguments->command->blocks);
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("Bad value “%s” for --blocks: it takes %s."), value, ways);
  return FALSE;
}

static gboolean
parse_overviews (const char  *name,
                 const char  *value,
                 gpointer     data,
                 GError     **error)
{
  static const char * const names[] = { "auto", "yes", "no" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (value, names[i]) == 0)
      {
        ((Arguments *) data)->overviews = (Overviews) i;
        return TRUE;
      }
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("Bad value “%s” for --overviews: it takes auto, yes or no."), value);
  return FALSE;
}

/* Of GOptionArgFunc. */
static gboolean
parse_compression (const char  *name,
                   const char  *value,
                   gpointer     data,
                   GError     **error)
{
  return tiff_compression_parse (&((Arguments *) data)->compression, value, error);
}

/* Of GOptionArgFunc. */
static gboolean
parse_stain (const char  *name,
             const char  *value,
             gpointer     data,
             GError     **error)
{
  Arguments        *arguments = data;
  g_autoptr (GError) problem  = NULL;

  g_clear_pointer (&arguments->stain, wf_stain_free);
  g_free (arguments->stain_text);
  arguments->stain        = wf_stain_new (value, &problem);
  arguments->stain_text   = g_strdup (value);
  arguments->choice.stain = arguments->stain;
  if (arguments->stain)
    return TRUE;
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE, "--stain: %s", problem->message);
  return FALSE;
}

static gboolean
parse_count (const char  *name,
             const char  *value,
             int          most,
             int         *count,
             GError     **error)
{
  gint64 number;

  if (! g_ascii_string_to_signed (value, 10, 1, most, &number, NULL))
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("The value of %s, “%s”, is not a whole number from 1 to %d."), name, value,
                   most);
      return FALSE;
    }
  *count = (int) number;
  return TRUE;
}

static gboolean
parse_repeat (const char  *name,
              const char  *value,
              gpointer     data,
              GError     **error)
{
  return parse_count ("repeat", value, MAX_REPEAT, &((Arguments *) data)->repeat, error);
}

static gboolean
parse_jobs (const char  *name,
            const char  *value,
            gpointer     data,
            GError     **error)
{
  return parse_count ("jobs", value, WORKERS_MOST, &((Arguments *) data)->jobs, error);
}

/* What holds without the option; "" where nothing does: a boolean is not given, and a
 * number outside its own range means that it has not been set.
 */
static char *
format_default (const WfOption *option,
                gconstpointer   defaults)
{
  if (option->kind == WF_OPTION_BOOLEAN ||
      (option->kind == WF_OPTION_INT && option->default_value < option->minimum))
    return g_strdup ("");
  return wf_option_format (option, defaults);
}

/* The values that may be given, first those that are worth it, then those for comparison. */
static void
append_choices (GString        *text,
                const WfChoice *choices,
                gboolean        for_comparison)
{
  /* TRANSLATORS: between a description and the values that may be given */
  const char *separator = for_comparison ? _("; for comparison: ") : _(": ");

  for (const WfChoice *choice = choices; choice->name; choice++)
    if (! choice->for_comparison == ! for_comparison)
      {
        g_string_append_printf (text, "%s%s", separator, choice->name);
        /* TRANSLATORS: between two values that may be given */
        separator = _(", ");
      }
}

/* The blurb, what may be given where the placeholder does not say so, and what
 * holds without it.
 */
static const char *
describe (const WfOption *option,
          gconstpointer   defaults,
          GStringChunk   *strings)
{
  g_autofree char *value = format_default (option, defaults);
  GString         *text  = g_string_new (gettext (option->blurb));
  const char      *kept;

  if (option->choices && ! (option->placeholder && strchr (option->placeholder, '|')))
    {
      append_choices (text, option->choices, FALSE);
      append_choices (text, option->choices, TRUE);
    }
  if (option->meaning == WF_OPTION_LEVEL)
    g_string_append (text, _("; in levels of the image"));
  if (is_threshold (option))
    g_string_append (text, _("; otsu, li, triangle: the level that divides the levels best by that "
                             "method; P%: the level that so many pixels do not exceed"));
  if (value[0] != '\0')
    g_string_append_printf (text, _(" (default: %s)"), value);

  kept = g_string_chunk_insert (strings, text->str);
  g_string_free (text, TRUE);
  return kept;
}

static GArray *
make_described_entries (const WfOptionGroup *group,
                        GStringChunk        *strings)
{
  GArray             *entries  = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_autofree gpointer defaults = g_malloc0 (group->size);

  wf_option_group_init (group, defaults);
  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption *option = &group->options[i];
      GOptionEntry    entry  = { 0 };

      entry.long_name       = option->name;
      entry.flags           = option->kind == WF_OPTION_BOOLEAN ? G_OPTION_FLAG_NO_ARG : 0;
      entry.arg             = G_OPTION_ARG_CALLBACK;
      entry.arg_data        = parse_described;
      entry.description     = describe (option, defaults, strings);
      entry.arg_description = is_threshold (option)  ? "T|otsu|li|triangle|P%"
                              : option->placeholder ? option->placeholder
                                                    : "VALUE";
      g_array_append_val (entries, entry);
    }
  return entries;
}

/**
 * option_takes_value:
 * @entry: an option
 *
 * Returns: whether a value follows it on the command line.
 */
gboolean
option_takes_value (const GOptionEntry *entry)
{
  return entry->arg != G_OPTION_ARG_NONE && ! (entry->flags & G_OPTION_FLAG_NO_ARG);
}

static void
add_entry (GArray       *entries,
           const char   *name,
           char          letter,
           GOptionArg    arg,
           gpointer      data,
           const char   *description,
           const char   *placeholder)
{
  GOptionEntry entry = { name, letter, 0, arg, data, description, placeholder };

  g_array_append_val (entries, entry);
}

static void
add_format (GArray        *entries,
            const Command *command)
{
  if (command->makes_file)
    return;
  add_entry (entries, "format", 0, G_OPTION_ARG_CALLBACK, parse_format,
             command->makes_table
             ? _("The format of a table on standard output (default: csv)")
             : _("The format of a result on standard output, named by its suffix (default: tif)"),
             command->makes_table ? "csv|json" : "FORMAT");
}

static GArray *
make_file_entries (Arguments *arguments)
{
  const Command *command = arguments->command;
  GArray        *entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  add_entry (entries, "output", 'o', G_OPTION_ARG_FILENAME, &arguments->output,
             _("Write the result to OUT; its suffix selects the format; “-” is standard output"),
             "OUT");
  if (! arguments->is_step)
    add_format (entries, command);
  if (command->other_option)
    add_entry (entries, command->other_option, 0, G_OPTION_ARG_FILENAME, &arguments->other,
               gettext (command->other_blurb), command->other_placeholder);
  if (command->mask_blurb)
    add_entry (entries, "mask", 0, G_OPTION_ARG_FILENAME, &arguments->mask,
               gettext (command->mask_blurb), "FILE");
  if (command->table_blurb)
    add_entry (entries, "table", 0, G_OPTION_ARG_FILENAME, &arguments->table,
               gettext (command->table_blurb), "FILE");
  if (arguments->is_step)
    return entries;
  add_entry (entries, "raw", 0, G_OPTION_ARG_CALLBACK, parse_raw,
             _("The inputs are headerless files of little-endian pixels of this size and type"),
             "WxH[xD]:u8|u16|f32|f64");
  if (command->blocks)
    add_entry (entries, "overviews", 0, G_OPTION_ARG_CALLBACK, parse_overviews,
               _("Write overviews, copies in half the size, a quarter and so on, which viewers "
                 "show at once, to OME-Zarr or to TIFF in compressed tiles: labels of single "
                 "pixels, levels and distances of means (default: auto: to OME-Zarr, and to TIFF "
                 "that is written in blocks)"),
               "auto|yes|no");
  if (! command->makes_table && ! command->makes_file)
    add_entry (entries, "compression", 0, G_OPTION_ARG_CALLBACK, parse_compression,
               _("How TIFF results are compressed, without loss (default: as the first TIFF input "
                 "if it is compressed, else deflate where they are written in blocks or with "
                 "overviews, or none)"),
               TIFF_COMPRESSIONS);
  add_entry (entries, "channel", 0, G_OPTION_ARG_CALLBACK, parse_choice,
             _("Read channel N of an image with several, or band N of its pixels; channels, "
               "series, levels and slices count from 0"), "N");
  add_entry (entries, "series", 0, G_OPTION_ARG_CALLBACK, parse_choice,
             _("Read image N of an OME-TIFF file with several"), "N");
  add_entry (entries, "level", 0, G_OPTION_ARG_CALLBACK, parse_choice,
             _("Read level N of a pyramid; 0 is the full size"), "N");
  add_entry (entries, "slice", 0, G_OPTION_ARG_CALLBACK, parse_choice,
             _("Read slice N of a stack, not all of it"), "N");
  if (! command->takes_labels)
    add_entry (entries, "stain", 0, G_OPTION_ARG_CALLBACK, parse_stain,
               _("Take the levels of a stain from the colors of a slide, the first input, dark "
                 "where there is much of it, instead of their luminance: hematoxylin or eosin (of "
                 "H&E), hematoxylin-dab or dab (of H-DAB), or in quotes the color of the stain, "
                 "#RRGGBB, or its optical densities R,G,B, and after “;” those of one or two "
                 "stains beside it"), "STAIN");
  return entries;
}

/* @strings: to hold the choices */
static void
add_blocks (GArray        *entries,
            Arguments     *arguments,
            GStringChunk  *strings)
{
  const Command   *command = arguments->command;
  g_autofree char *ways    = command->blocks ? g_strjoinv ("|", (char **) command->blocks) : NULL;

  if (ways)
    add_entry (entries, "blocks", 0, G_OPTION_ARG_CALLBACK, parse_blocks,
               _("Read, compute and write in blocks, as is done where memory does not suffice; the "
                 "result is the same"), g_string_chunk_insert (strings, ways));
  if (ways)
    add_entry (entries, "resume", 0, G_OPTION_ARG_NONE, &arguments->resume,
               _("Work in blocks, and keep what is finished in OUT.unfinished if the command is "
                 "interrupted: the same command goes on from there; OUT is a .raw or .zarr file"),
               NULL);
}

static GArray *
make_run_entries (Arguments    *arguments,
                  GStringChunk *strings)
{
  GArray *entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  if (command_computes (arguments->command))
    {
      add_entry (entries, "memory-limit", 0, G_OPTION_ARG_CALLBACK, parse_memory_limit,
                 _("Refuse images and operations that take more than SIZE bytes of main memory, "
                   "unless they can be done in blocks; K, M, G and T are units; files that --raw "
                   "maps are not counted"), "SIZE");
      add_blocks (entries, arguments, strings);
      if (arguments->command->blocks)
        add_entry (entries, "distributed", 0, G_OPTION_ARG_CALLBACK, parse_distributed,
                   _("Divide the image among the processes that an MPI launcher has started "
                     "(default: auto: where there are several)"), "auto|yes|no");
      if (! arguments->command->takes_steps)
        add_entry (entries, "repeat", 0, G_OPTION_ARG_CALLBACK, parse_repeat,
                   _("Repeat the computation N times, for timing (default: 1)"), "N");
      if (command_takes_several (arguments->command))
        add_entry (entries, "jobs", 0, G_OPTION_ARG_CALLBACK, parse_jobs,
                   _("Work on N of several inputs at a time, with that part of the processors and "
                     "of --memory-limit each (default: 1)"), "N");
      add_entry (entries, "stats", 0, G_OPTION_ARG_NONE, &arguments->stats,
                 _("Print one line of JSON on standard output: operation, algorithm, device, "
                   "threads, pixels, seconds (the median of the operation alone, without "
                   "files), reason (why this device), peak_rss_bytes and more; workers: what each "
                   "of several devices did; ranks: what each of several processes did"), NULL);
      if (arguments->command->operation >= 0)
        add_entry (entries, "trace", 0, G_OPTION_ARG_FILENAME, &arguments->trace,
                   _("Write what each device did when to FILE, as JSON for the trace viewer of "
                     "Chrome or Perfetto"), "FILE");
      add_entry (entries, "progress", 0, G_OPTION_ARG_NONE, &arguments->progress,
                 _("Show progress on standard error"), NULL);
    }
  add_entry (entries, "help", 'h', G_OPTION_ARG_NONE, &arguments->help,
             _("Show this help"), NULL);
  add_entry (entries, "version", 0, G_OPTION_ARG_NONE, &arguments->version,
             _("Show the version"), NULL);
  return entries;
}

static void
free_section (OptionSection *section)
{
  g_array_unref (section->entries);
  g_free (section);
}

static void
add_section (GPtrArray  *sections,
             const char *title,
             GArray     *entries)
{
  OptionSection *section = g_new0 (OptionSection, 1);

  section->title   = title;
  section->entries = entries;
  g_ptr_array_add (sections, section);
}

static void
add_described_section (GPtrArray           *sections,
                       const char          *title,
                       const WfOptionGroup *group,
                       gpointer             options,
                       GStringChunk        *strings)
{
  OptionSection *section;

  add_section (sections, title, make_described_entries (group, strings));
  section          = sections->pdata[sections->len - 1];
  section->group   = group;
  section->options = options;
}

/* Bright and dark exchanged is no option of the library: see wf_image_invert(). */
static void
add_inversion (OptionSection *section,
               Arguments     *arguments)
{
  const char *blurb = arguments->command->invert_blurb;

  if (blurb)
    add_entry (section->entries, "invert", 0, G_OPTION_ARG_NONE, &arguments->invert,
               gettext (blurb), NULL);
}

static void
add_texts (OptionSection *section,
           Arguments     *arguments)
{
  const TextOption *texts = arguments->command->texts;

  for (guint i = 0; texts[i].name; i++)
    add_entry (section->entries, texts[i].name, 0, G_OPTION_ARG_STRING, &arguments->texts[i],
               gettext (texts[i].blurb), texts[i].placeholder);
}

/**
 * option_sections_new:
 * @arguments: arguments, of which the subcommand is set
 * @strings: to hold the descriptions
 *
 * Returns: (transfer full) (element-type OptionSection): the options of the
 *   subcommand: its own, of its operation, of files, of the context, of the run;
 *   those that it has not are left out.
 */
GPtrArray *
option_sections_new (Arguments    *arguments,
                     GStringChunk *strings)
{
  const WfOptionGroup *context   = wf_context_get_options ();
  const WfOptionGroup *own       = arguments->command->own;
  const WfOptionGroup *objects   = wf_objects_get_options ();
  const WfOptionGroup *colors    = wf_colors_get_options ();
  GPtrArray           *sections  = g_ptr_array_new_with_free_func ((GDestroyNotify) free_section);
  int                  operation = arguments->command->operation;

  if (own && own->n_options > 0)
    {
      add_described_section (sections, gettext (own->title), own, arguments->own, strings);
      add_texts (sections->pdata[0], arguments);
    }
  if (operation >= 0)
    {
      add_described_section (sections, _("Options"), wf_operation_get_options (operation),
                             arguments->options, strings);
      add_inversion (sections->pdata[sections->len - 1], arguments);
    }
  if (operation >= 0 && wf_operation_takes_colors ((WfOperation) operation))
    add_described_section (sections, gettext (colors->title), colors, &arguments->colors, strings);
  if (arguments->command->selects_objects)
    add_described_section (sections, gettext (objects->title), objects, arguments->objects,
                           strings);
  if (command_computes (arguments->command))
    {
      add_section (sections, _("Files"), make_file_entries (arguments));
      if (! arguments->is_step)
        add_described_section (sections, gettext (context->title), context, &arguments->context,
                               strings);
    }
  if (! arguments->is_step)
    add_section (sections, _("General"), make_run_entries (arguments, strings));
  return sections;
}

/**
 * option_section_new_group:
 * @section: of a table of options
 * @arguments: its values go there
 *
 * Returns: (transfer full): a group of GOption for the table.
 */
GOptionGroup *
option_section_new_group (const OptionSection *section,
                          Arguments           *arguments)
{
  Target       *target = g_new (Target, 1);
  GOptionGroup *group;

  *target = (Target) { section->group, section->options, arguments->given, arguments };
  group   = g_option_group_new (section->group->name, "", "", target, g_free);
  g_option_group_add_entries (group, (const GOptionEntry *) section->entries->data);
  return group;
}
