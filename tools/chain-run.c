/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Results stay in the store (files/store.c), in main memory or on a GPU (residence.c), as long as a
 * later step needs them.  Files are written
 * when all steps have succeeded, and get their names when all are written.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "chain-run.h"
#include "command.h"
#include "files/output.h"
#include "files/store.h"
#include "memory.h"
#include "message.h"
#include "residence.h"
#include "table-format.h"

/**
 * Product:
 * @stored: its name in the store
 * @is_image: or a text
 * @output: where it goes
 */
typedef struct
{
  char     *stored;
  gboolean  is_image;
  Output    output;
} Product;

/* @products: (element-type Product): what is written */
typedef struct
{
  const Arguments *arguments;
  const Chain     *chain;
  GPtrArray       *products;
} Work;


static void
product_free (gpointer data)
{
  Product *product = data;

  output_clear (&product->output);
  g_free (product->stored);
  g_free (product);
}


/*  Outputs  */

static gboolean
check_distinct (const GPtrArray  *products,
                const Product    *product,
                GError          **error)
{
  for (guint i = 0; i < products->len; i++)
    {
      const Product *other = products->pdata[i];

      if (other == product || ! output_is_same (&other->output, &product->output))
        continue;
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("Two results cannot both be written to “%s”."), product->output.name);
      return FALSE;
    }
  return TRUE;
}

/* The format of what has no name: --format may be that of another result. */
static const char *
find_format (const Arguments *arguments,
             gboolean         of_table)
{
  const char *format = arguments->format;

  return format && (table_format_find (format) != NULL) == of_table ? format : NULL;
}

/* Makes sure that @pattern can be written. */
static gboolean
add_product (Work        *work,
             const char  *stored,
             const char  *pattern,
             gboolean     is_image,
             GError     **error)
{
  const Arguments *arguments = work->arguments;
  g_autofree char *path      = NULL;
  Product         *product;

  if (! pattern)
    return TRUE;
  path              = file_names_resolve (pattern, arguments->place);
  product           = g_new0 (Product, 1);
  product->stored   = g_strdup (stored);
  product->is_image = is_image;
  g_ptr_array_add (work->products, product);
  return (is_image ? output_prepare (&product->output, path, find_format (arguments, FALSE),
                                     arguments->compression, error)
                   : output_prepare_text (&product->output, path, error)) &&
         check_distinct (work->products, product, error);
}

/* A text has the suffix of its file, which is its format. */
static char *
name_text (const ChainStep *step,
           const char      *pattern,
           const char      *what)
{
  const char *base = pattern ? strrchr (pattern, G_DIR_SEPARATOR) : NULL;
  const char *dot  = pattern ? strrchr (base ? base : pattern, '.') : NULL;

  return g_strconcat (step->result, what, dot, NULL);
}

static char *
name_result (const ChainStep *step)
{
  return chain_makes_image (step) ? g_strdup (step->result) : name_text (step, step->output, "");
}

static char *
name_table (const ChainStep *step)
{
  return step->table ? name_text (step, step->table, "-table") : NULL;
}

static char *
name_further (const ChainStep *step)
{
  return g_strconcat (step->result, "-further", NULL);
}

/* A table whose name tells no format is refused before anything is done. */
static gboolean
check_table (const Work  *work,
             const char  *pattern,
             GError     **error)
{
  const Arguments *arguments = work->arguments;
  g_autofree char *path      = pattern ? file_names_resolve (pattern, arguments->place) : NULL;

  return ! path || store_is_named (path) ||
         table_format_choose (path, find_format (arguments, TRUE), error);
}

static gboolean
prepare_outputs (Work    *work,
                 GError **error)
{
  const Chain *chain = work->chain;

  for (guint i = 0; i < chain->steps->len; i++)
    {
      const ChainStep *step    = chain->steps->pdata[i];
      const Command   *command = step->arguments.command;
      g_autofree char *result  = name_result (step);
      g_autofree char *table   = name_table (step);
      g_autofree char *further = name_further (step);

      if ((command->makes_table && ! check_table (work, step->output, error)) ||
          ! check_table (work, step->table, error) ||
          ! add_product (work, result, step->output, chain_makes_image (step), error) ||
          ! add_product (work, table, step->table, FALSE, error) ||
          (command->other_is_output &&
           ! add_product (work, further, step->arguments.other, TRUE, error)))
        return chain_blame (i + 1, command, error);
    }
  return add_product (work, chain->image, chain->output, TRUE, error);
}

static gboolean
write_product (Product  *product,
               GError  **error)
{
  const ColorImage *colors = store_find_colors (product->stored);
  WfContent         content;
  WfImage          *image;

  if (! product->is_image)
    return output_write_bytes (&product->output, store_find_bytes (product->stored), error);
  if (colors)
    return color_image_accepts (colors, &product->output, error) &&
           color_image_write (colors, &product->output, error);
  if (! store_find_image (product->stored, &image, &content, error))
    return FALSE;
  if (! image)   /* the input itself */
    return refuse_usage (_("No step of the chain makes an image: leave out its -o."), error);
  return output_write (&product->output, image, content, error);
}

static gboolean
write_outputs (Work    *work,
               GError **error)
{
  const GPtrArray *products = work->products;

  for (guint i = 0; i < products->len; i++)
    if (! write_product (products->pdata[i], error))
      return FALSE;
  for (guint i = 0; i < products->len; i++)
    {
      Product          *product = products->pdata[i];
      const ColorImage *colors  = store_find_colors (product->stored);

      if (! output_commit (&product->output, error))
        return FALSE;
      if (colors)
        color_image_tell (colors, &product->output);
    }
  return TRUE;
}


/*  Steps  */

static gboolean
step_needs (const ChainStep *step,
            const char      *stored)
{
  return g_ptr_array_find_with_equal_func (step->inputs, stored, g_str_equal, NULL) ||
         g_strcmp0 (step->arguments.other, stored) == 0 ||
         g_strcmp0 (step->arguments.mask, stored) == 0;
}

static gboolean
is_needed (const Work *work,
           const char *stored,
           guint       next)
{
  for (guint i = next; i < work->chain->steps->len; i++)
    if (step_needs (work->chain->steps->pdata[i], stored))
      return TRUE;
  for (guint i = 0; i < work->products->len; i++)
    if (strcmp (((const Product *) work->products->pdata[i])->stored, stored) == 0)
      return TRUE;
  return FALSE;
}

/* Frees the images that no step from @next on reads. */
static void
drop_results (const Work *work,
              guint       next)
{
  if (! is_needed (work, "@" CHAIN_INPUT, next))
    store_drop ("@" CHAIN_INPUT);
  for (guint i = 0; i < next; i++)
    {
      const ChainStep *step = work->chain->steps->pdata[i];

      if (! is_needed (work, step->result, next))
        store_drop (step->result);
    }
  memory_keep (store_count_bytes ());
}

/* @name: one of the store, or of a file */
static char *
resolve (const Work *work,
         const char *name)
{
  return ! name                  ? NULL
         : name[0] == STORE_MARK ? g_strdup (name)
                                 : file_names_resolve (name, work->arguments->place);
}

static void
choose_names (const Work      *work,
              const ChainStep *step,
              Arguments       *one)
{
  g_strfreev (one->files);
  one->n_files = step->inputs->len;
  one->files   = g_new0 (char *, one->n_files + 1);
  for (guint i = 0; i < one->n_files; i++)
    one->files[i] = resolve (work, step->inputs->pdata[i]);
  g_free (one->other);
  one->other = step->arguments.other && one->command->other_is_output
               ? name_further (step) : resolve (work, step->arguments.other);
  g_free (one->mask);
  one->mask = resolve (work, step->arguments.mask);
  g_free (one->output);
  one->output = name_result (step);
  g_free (one->table);
  one->table = name_table (step);
}

static gboolean
try_step (const Work  *work,
          guint        i,
          GError     **error)
{
  const Arguments  *all   = work->arguments;
  const ChainStep  *step  = work->chain->steps->pdata[i];
  g_auto (Arguments) one  = { 0 };

  arguments_copy (&one, &step->arguments);
  choose_names (work, step, &one);
  one.context  = all->context;
  one.raw      = all->raw ? &one.raw_spec : NULL;
  one.raw_spec = all->raw_spec;
  one.stats    = all->stats;
  one.progress = all->progress;
  one.shown    = all->shown;
  one.quiet    = i + 1 < work->chain->steps->len;
  one.format   = g_strdup (find_format (all, TRUE));
  return one.command->run (&one, error);
}

/* Where memory is missing while images are on a GPU, it is tried again without them there. */
static gboolean
run_step (const Work  *work,
          guint        i,
          GError     **error)
{
  const ChainStep *step    = work->chain->steps->pdata[i];
  GError          *problem = NULL;

  if (try_step (work, i, &problem) ||
      (residence_retreat (&problem) && try_step (work, i, &problem)))
    return TRUE;
  g_propagate_error (error, problem);
  return chain_blame (i + 1, step->arguments.command, error);
}

static gboolean
run_steps (Work    *work,
           GError **error)
{
  const Arguments *arguments = work->arguments;

  store_put_file ("@" CHAIN_INPUT, arguments->files[0], arguments->raw, &arguments->choice);
  for (guint i = 0; i < work->chain->steps->len; i++)
    {
      if (! run_step (work, i, error))
        return FALSE;
      drop_results (work, i + 1);
    }
  return TRUE;
}

/**
 * chain_run:
 * @arguments: of a chain, with one input
 * @error: that of a step, or of files
 *
 * Does all steps, and then writes.
 *
 * Returns: success
 */
gboolean
chain_run (const Arguments  *arguments,
           GError          **error)
{
  g_autoptr (GPtrArray) products = g_ptr_array_new_with_free_func (product_free);
  Work                  work     = { arguments, arguments->chain, products };
  const gboolean        opened   = store_open (arguments->files[0]);
  gboolean              success;

  residence_open ();
  success = prepare_outputs (&work, error) &&
            run_steps (&work, error) &&
            write_outputs (&work, error);
  if (opened)
    store_close ();
  residence_close ();
  return success;
}
