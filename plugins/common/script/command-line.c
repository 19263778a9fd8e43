/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A call as a line of the command wavefront, which does the same with files.
 *
 * The operation's options and those of the context have the same names in both, so they are made
 * from the same tables: the arguments are read as for a run, in the units of the image's levels,
 * and each that differs from the engine's default is written.  What a procedure has beside them is
 * said by its own function (WfProcedure.write_command), which takes the arguments that it says.
 * Whatever is left and differs from its default becomes a comment: nothing is dropped silently.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "command-line.h"
#include "plugins/common/input/formats.h"
#include "plugins/common/input/own-stain.h"
#include "plugins/common/procedure/memory-limit.h"
#include "scripts.h"

#define COMMAND "wavefront"
#define MARK    "#"

/* Characters that no shell looks at. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=%+@-"


/*  What procedures call  */

/**
 * wf_command_line_take:
 * @line: a command line
 * @name: of an argument that is said, or that has no effect with the others
 */
void
wf_command_line_take (WfCommandLine *line,
                      const char    *name)
{
  g_hash_table_add (line->taken, (gpointer) name);
}

/**
 * wf_command_line_take_all:
 * @line: a command line
 * @first: as for wf_command_line_take()
 * @...: more of them, ended by %NULL
 */
void
wf_command_line_take_all (WfCommandLine *line,
                          const char    *first,
                          ...)
{
  va_list names;

  va_start (names, first);
  for (const char *name = first; name; name = va_arg (names, const char *))
    wf_command_line_take (line, name);
  va_end (names);
}

/**
 * wf_command_line_quote:
 * @text: a text
 *
 * Returns: (transfer full): it as a shell reads it as one word
 */
char *
wf_command_line_quote (const char *text)
{
  return *text && strspn (text, PLAIN) == strlen (text) ? g_strdup (text) : g_shell_quote (text);
}

/**
 * wf_command_line_add:
 * @line: a command line
 * @option: its name, without hyphens before it
 * @value: (nullable): its value
 */
void
wf_command_line_add (WfCommandLine *line,
                     const char    *option,
                     const char    *value)
{
  g_autofree char *quoted = value ? wf_command_line_quote (value) : NULL;

  g_string_append_printf (line->options, " --%s", option);
  if (quoted)
    g_string_append_printf (line->options, " %s", quoted);
}

/**
 * wf_command_line_add_level:
 * @line: a command line
 * @option: as for wf_command_line_add()
 * @level: a number in the unit of the command
 */
void
wf_command_line_add_level (WfCommandLine *line,
                           const char    *option,
                           double         level)
{
  g_autofree char *text = wf_call_spell (level);

  wf_command_line_add (line, option, text);
}

/**
 * wf_command_line_note:
 * @line: a command line
 * @format: of a comment before it
 * @...: for @format
 */
void
wf_command_line_note (WfCommandLine *line,
                      const char    *format,
                      ...)
{
  g_autofree char *text = NULL;
  va_list          values;

  va_start (values, format);
  text = g_strdup_vprintf (format, values);
  va_end (values);
  wf_script_add_comment (line->notes, MARK, text);
}

static gboolean
is_stack (const WfCommandLine *line)
{
  const WfCallValue *stack = wf_call_find (line->call, "stack");

  return stack && stack->number != 0;
}

/**
 * wf_command_line_add_input:
 * @line: a command line
 * @stem: the name of a file that has to be made, without suffix
 * @contents: what it is to hold
 */
void
wf_command_line_add_input (WfCommandLine *line,
                           const char    *stem,
                           const char    *contents)
{
  const gboolean   png  = line->run->type != WF_TYPE_F32 && ! is_stack (line);
  char            *name = g_strconcat (stem, png ? ".png" : ".tif", NULL);

  wf_command_line_note (line, "%s: %s", name, contents);
  g_ptr_array_add (line->inputs, name);
}

/**
 * wf_command_line_add_marker:
 * @line: a command line
 * @argument: the item that is the marker
 *
 * Adds the marker's file.
 */
void
wf_command_line_add_marker (WfCommandLine *line,
                            const char    *argument)
{
  const WfCallValue *marker    = wf_call_find (line->call, argument);
  const WfCallValue *selection = wf_call_find (line->call, "from-selection");
  g_autofree char   *contents  = NULL;

  wf_command_line_take_all (line, argument, "from-selection", NULL);
  if ((selection && selection->number != 0) || marker->kind == WF_CALL_SELECTION)
    contents = g_strdup (_("the selection: the levels of the layer where it is, else 0"));
  else
    contents = g_strdup_printf (_("“%s”, exported; as large as the layer, at the same place"),
                                marker->text ? marker->text : "");
  wf_command_line_add_input (line, "marker", contents);
}

/**
 * wf_command_line_get_input:
 * @line: a command line
 *
 * Returns: (transfer none): the name of its first input
 */
const char *
wf_command_line_get_input (WfCommandLine *line)
{
  return line->inputs->pdata[0];
}

/**
 * wf_command_line_add_step:
 * @line: a command line
 * @format: of another line after it, without the name of the program
 * @...: for @format
 */
void
wf_command_line_add_step (WfCommandLine *line,
                          const char    *format,
                          ...)
{
  va_list values;

  g_string_append (line->steps, COMMAND " ");
  va_start (values, format);
  g_string_append_vprintf (line->steps, format, values);
  va_end (values);
  g_string_append_c (line->steps, '\n');
}

/**
 * wf_command_line_repeat:
 * @line: a command line
 * @name: of another command
 * @output: the file of its result
 *
 * Adds a line with the same inputs and options.
 */
void
wf_command_line_repeat (WfCommandLine *line,
                        const char    *name,
                        const char    *output)
{
  line->again[0] = name;
  line->again[1] = output;
}


/*  The input  */

/* The path of the image's file; NULL if it is not UTF-8, as the texts are that keep it. */
static char *
find_path (GFile *file)
{
  g_autofree char *path = file ? g_file_get_path (file) : NULL;

  return path && g_utf8_validate (path, -1, NULL) ? g_steal_pointer (&path) : NULL;
}

/* The file that holds what the run would read, if there is one.  An exported file may be older than
 * the image, and an image that was saved as XCF counts as unchanged.
 */
static char *
find_file (WfJob        *run,
           GimpDrawable *drawable)
{
  g_autofree GimpLayer         **layers  = gimp_image_get_layers (run->image);
  g_autofree GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);

  if (! GIMP_IS_LAYER (drawable) || ! layers[0] || layers[1] || (filters && filters[0]) ||
      gimp_image_get_xcf_file (run->image) || gimp_image_is_dirty (run->image))
    return NULL;
  return find_path (gimp_image_get_imported_file (run->image));
}

static void
add_first_input (WfCommandLine  *line,
                 GimpDrawable  **drawables)
{
  g_autofree char *name     = gimp_item_get_name (GIMP_ITEM (drawables[0]));
  g_autofree char *contents = NULL;
  char            *file     = is_stack (line) ? NULL : find_file (line->run, drawables[0]);

  if (file)
    {
      g_ptr_array_add (line->inputs, file);
      return;
    }
  contents = g_strdup_printf (is_stack (line)
                              ? _("the slices of “%s” as pages, the lowest layer first")
                              : _("the layer “%s”, exported"), name);
  wf_command_line_add_input (line, "in", contents);
  if (! is_stack (line) && drawables[1])
    wf_command_line_note (line, _("The other selected layers in the same way, each in a file of "
                                  "its own"));
}

/**
 * wf_command_line_find_stain:
 * @line: a command line
 * @source: the name of a stain among the components
 *
 * Returns: (transfer none): the stain for the command
 */
const char *
wf_command_line_find_stain (const WfCommandLine *line,
                            const char          *source)
{
  return strcmp (source, "own-stain") != 0 ? source
                                           : wf_call_find (line->call, WF_OWN_STAIN)->text;
}

static void
add_source (WfCommandLine *line)
{
  static const char *const channels[] = { "red", "green", "blue" };
  const char        *source   = wf_call_find (line->call, "source")->text;
  gboolean           is_color = ! gimp_drawable_is_gray (line->run->drawable);

  wf_command_line_take_all (line, "stack", WF_OWN_STAIN, NULL);
  if (g_hash_table_contains (line->taken, "source"))
    return;
  wf_command_line_take (line, "source");
  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    if (strcmp (source, channels[i]) == 0)
      {
        if (is_color)
          wf_command_line_add_level (line, "channel", i);
        return;
      }
  if (strcmp (source, "alpha") == 0)
    wf_command_line_note (line, _("The alpha channel is to be the file's only channel"));
  else if (strcmp (source, "luminance") != 0)
    wf_command_line_add (line, "stain", wf_command_line_find_stain (line, source));
}


/*  Options  */

static void
add_option (WfCommandLine  *line,
            const WfOption *option,
            gconstpointer   given,
            gconstpointer   usual)
{
  g_autofree char *text    = wf_option_format (option, given);
  g_autofree char *default_text = wf_option_format (option, usual);

  if (g_hash_table_contains (line->taken, option->name))
    return;
  wf_command_line_take (line, option->name);
  if (! *text || (! option->required && strcmp (text, default_text) == 0))
    return;
  wf_command_line_add (line, option->name, option->kind == WF_OPTION_BOOLEAN ? NULL : text);
}

/**
 * wf_command_line_add_group:
 * @line: a command line
 * @group: options that the command has, too
 * @given: their struct
 *
 * Adds those that are not taken and differ from their defaults; takes all.
 */
void
wf_command_line_add_group (WfCommandLine       *line,
                           const WfOptionGroup *group,
                           gconstpointer        given)
{
  g_autofree gpointer usual = g_malloc0 (group->size);

  wf_option_group_init (group, usual);
  for (guint i = 0; i < group->n_options; i++)
    add_option (line, &group->options[i], given, usual);
}

/* Colors are not reduced to one level. */
static void
add_colors (WfCommandLine *line)
{
  const WfOptionGroup *group = wf_colors_get_options ();
  WfColorOptions       colors;

  if (wf_arguments_read (G_OBJECT (line->run->config), group, line->run->type, &colors, NULL) &&
      colors.colors != WF_COLORS_GRAY && ! gimp_drawable_is_gray (line->run->drawable))
    wf_command_line_take (line, "source");
  wf_command_line_add_group (line, group, &colors);
}

static void
add_memory_limit (WfCommandLine *line)
{
  const WfCallValue *limit = wf_call_find (line->call, "memory-limit");
  g_autofree char   *text  = g_strdup_printf ("%dM", (int) limit->number);

  wf_command_line_take (line, "memory-limit");
  if (limit->number > 0)
    wf_command_line_add (line, "memory-limit", text);
}

/* What no one has said. */
static void
note_rest (WfCommandLine *line)
{
  for (guint i = 0; i < line->call->arguments->len; i++)
    {
      const WfCallValue *value = line->call->arguments->pdata[i];
      g_autofree char   *number = wf_call_spell (value->number);

      if (value->is_default || g_hash_table_contains (line->taken, value->name))
        continue;
      wf_command_line_note (line, _("In GIMP only: %s = %s"), value->name,
                            value->text ? value->text : number);
    }
}

static void
note_selection (WfCommandLine *line)
{
  WfJob *run = line->run;

  if (gimp_selection_is_empty (run->image) ||
      (run->procedure->takes_selection && run->procedure->takes_selection (run)))
    return;
  wf_command_line_note (line, _("In GIMP only: the selection limits what is processed"));
}

static gboolean
read_options (WfCommandLine     *line,
              WfContextOptions  *context,
              GError           **error)
{
  WfJob               *run       = line->run;
  const WfProcedure   *procedure = run->procedure;
  const WfOptionGroup *operation = wf_operation_get_options (procedure->operation);
  GObject             *config    = G_OBJECT (run->config);

  line->operation = g_malloc0 (operation->size);
  line->own       = procedure->own ? g_malloc0 (procedure->own->size) : NULL;
  return wf_arguments_read (config, operation, run->type, line->operation, error) &&
         (! procedure->own ||
          wf_arguments_read (config, procedure->own, run->type, line->own, error)) &&
         wf_arguments_read (config, wf_context_get_options (), run->type, context, error);
}

static void
write_line (WfCommandLine *line,
            const char    *command,
            const char    *output,
            GString       *text)
{
  g_string_append_printf (text, COMMAND " %s", command);
  for (guint i = 0; i < line->inputs->len; i++)
    {
      const char      *name   = line->inputs->pdata[i];
      g_autofree char *safe   = *name == '-' ? g_strconcat ("./", name, NULL) : g_strdup (name);
      g_autofree char *quoted = wf_command_line_quote (safe);

      g_string_append_printf (text, " %s", quoted);
    }
  g_string_append_printf (text, " -o %s%s\n", output, line->options->str);
}

/**
 * wf_command_line_write:
 * @run: a run, whose dialog may be open
 * @drawables: what is processed, terminated by %NULL
 * @call: what it does
 *
 * Returns: (transfer full): comments and lines of the command
 */
char *
wf_command_line_write (WfJob         *run,
                       GimpDrawable **drawables,
                       const WfCall  *call)
{
  const WfOptionGroup *operation = wf_operation_get_options (run->procedure->operation);
  g_autoptr (GError)   error     = NULL;
  GString             *text      = g_string_new (NULL);
  WfContextOptions     context;
  WfCommandLine        line      = { .run = run, .call = call, .name = operation->name,
                                     .output  = "out.tif",
                                     .notes   = g_string_new (NULL),
                                     .inputs  = g_ptr_array_new_with_free_func (g_free),
                                     .options = g_string_new (NULL),
                                     .steps   = g_string_new (NULL),
                                     .taken   = g_hash_table_new (g_str_hash, g_str_equal) };

  if (! read_options (&line, &context, &error))
    wf_script_add_comment (text, MARK, error->message);
  else
    {
      add_first_input (&line, drawables);
      if (run->procedure->write_command)
        run->procedure->write_command (&line);
      wf_command_line_add_group (&line, operation, line.operation);
      if (wf_operation_takes_colors (run->procedure->operation))
        add_colors (&line);
      add_source (&line);
      wf_command_line_add_group (&line, wf_context_get_options (), &context);
      add_memory_limit (&line);
      note_rest (&line);
      note_selection (&line);
      g_string_append (text, line.notes->str);
      write_line (&line, line.name, line.output, text);
      if (line.again[0])
        write_line (&line, line.again[0], line.again[1], text);
      g_string_append (text, line.steps->str);
    }

  g_string_free (line.notes, TRUE);
  g_string_free (line.options, TRUE);
  g_string_free (line.steps, TRUE);
  g_ptr_array_unref (line.inputs);
  g_hash_table_unref (line.taken);
  g_free (line.operation);
  g_free (line.own);
  return g_string_free (text, FALSE);
}
