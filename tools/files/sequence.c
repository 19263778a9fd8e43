/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A name with “*” or “?” that no file has means the files that match it; a file’s slices follow
 * those of the file before.  Numbers in the names are compared as numbers, whatever the locale: z9
 * comes before z10.  All other characters mean themselves; options of libvips at the end, as in
 * z*.tif[page=1], are those of each file.  Unfinished results of interrupted runs are left out.
 */

#include "config.h"

#include <glob.h>
#include <string.h>

#include <glib/gi18n.h>

#include "sequence.h"
#include "unfinished.h"
#include "tools/memory.h"
#include "tools/message.h"


/**
 * sequence_split_options:
 * @path: of an input
 * @options: (out): options of libvips at its end, as in image.tif[page=2], a part of @path; or ""
 *
 * Returns: (transfer full): the name without them
 */
char *
sequence_split_options (const char  *path,
                        const char **options)
{
  const char *bracket = g_str_has_suffix (path, "]") ? strrchr (path, '[') : NULL;

  *options = bracket ? bracket : path + strlen (path);
  return g_strndup (path, *options - path);
}

/**
 * sequence_is_named:
 * @path: of an input
 *
 * Returns: whether it stands for several files
 */
gboolean
sequence_is_named (const char *path)
{
  const char      *options;
  g_autofree char *file = sequence_split_options (path, &options);

  return strpbrk (file, "*?") && ! g_file_test (path, G_FILE_TEST_EXISTS) &&
         ! g_file_test (file, G_FILE_TEST_EXISTS);
}

/* Only “*” and “?” stand for others. */
static char *
make_pattern (const char *file)
{
  GString *pattern = g_string_new (NULL);

  for (; *file; file++)
    if (*file == '[')
      g_string_append (pattern, "[[]");
    else if (*file == '\\')
      g_string_append (pattern, "\\\\");
    else
      g_string_append_c (pattern, *file);
  return g_string_free (pattern, FALSE);
}

/* A name that begins with a mark of its own is one of the folder. */
static char *
name_file (const char *file,
           const char *options)
{
  return g_strconcat (strchr ("-@", file[0]) ? "./" : "", file, options, NULL);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const char *const *first  = a;
  const char *const *second = b;

  return strverscmp (*first, *second);
}

/**
 * sequence_list_files:
 * @path: a name that stands for several files
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: (nullable) (transfer full): the files in the order of their slices, at least one
 */
GPtrArray *
sequence_list_files (const char  *path,
                     GError     **error)
{
  const char      *options;
  g_autofree char *file    = sequence_split_options (path, &options);
  g_autofree char *pattern = make_pattern (file);
  GPtrArray       *files   = g_ptr_array_new_with_free_func (g_free);
  glob_t           found   = { 0 };

  if (glob (pattern, GLOB_NOSORT, NULL, &found) == 0)
    for (gsize i = 0; i < found.gl_pathc; i++)
      if (! g_str_has_suffix (found.gl_pathv[i], UNFINISHED_SUFFIX))
        g_ptr_array_add (files, name_file (found.gl_pathv[i], options));
  globfree (&found);
  g_ptr_array_sort (files, compare_names);
  if (files->len > 0)
    return files;
  g_ptr_array_unref (files);
  refuse_to_read (path, _("no file has such a name"), error);
  return NULL;
}

/**
 * sequence_check_slices:
 * @first: the first file of a stack
 * @slices: another file
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether both have one size and one type
 */
gboolean
sequence_check_slices (const Input  *first,
                       const Input  *slices,
                       GError      **error)
{
  if (! input_check_same_size (first, slices, error))
    return FALSE;
  if (first->image.type == slices->image.type)
    return TRUE;
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("“%s” has pixels of type %s, but “%s”, a slice of the same stack, has %s."),
               slices->name, wf_type_name (slices->image.type), first->name,
               wf_type_name (first->image.type));
  return FALSE;
}


/*  As a whole  */

/* As large as @n files such as @first, of which size and type count. */
static gboolean
allocate_stack (Input        *stack,
                const Input  *first,
                const char   *path,
                guint         n,
                GError      **error)
{
  const WfImage *image = &first->image;
  const guint64  bytes = (guint64) wf_image_n_pixels (image) * wf_type_size (image->type);
  guint64        all;

  if (! g_uint64_checked_mul (&all, bytes, n))
    all = G_MAXUINT64;
  return memory_claim_to_read (path, all, error) &&
         wf_image_allocate (&stack->image, image->type, image->width, image->height,
                            image->depth * n, error);
}

/* What is told of several files is told of the first one. */
static gboolean
add_slices (Input        *stack,
            Input        *slices,
            const Input  *first,
            guint         number,
            GError      **error)
{
  const gsize bytes = (gsize) wf_image_n_pixels (&slices->image)
                      * wf_type_size (slices->image.type);

  if (! sequence_check_slices (first, slices, error))
    return FALSE;
  memcpy ((guint8 *) stack->image.data + number * bytes, slices->image.data, bytes);
  if (! stack->notice)
    stack->notice = g_steal_pointer (&slices->notice);
  return TRUE;
}

/**
 * sequence_read:
 * @input: filled; to be cleared whatever the result
 * @path: a name that stands for several files
 * @content: what they hold
 * @raw: what --raw says of each, or %NULL for files in a format of their own
 * @choice: which of their planes are read
 * @error: %TOOL_ERROR_FILE, or memory errors of the engine
 *
 * Returns: success
 */
gboolean
sequence_read (Input          *input,
               const char     *path,
               WfContent       content,
               const RawSpec  *raw,
               const Choice   *choice,
               GError        **error)
{
  g_autoptr (GPtrArray) files  = sequence_list_files (path, error);
  g_autofree char      *name   = NULL;
  Input                 first  = { 0 };
  guint64               before = memory_count ();

  memset (input, 0, sizeof *input);
  input->name = g_filename_display_name (path);
  for (guint i = 0; files && i < files->len; i++)
    {
      g_auto (Input) slices = { 0 };

      if (! input_read (&slices, files->pdata[i], content, raw, choice, error))
        return FALSE;
      if (i == 0)
        {
          name        = g_strdup (slices.name);
          first.name  = name;
          first.image = slices.image;
          memory_keep (before);
          if (! allocate_stack (input, &first, path, files->len, error))
            return FALSE;
          before = memory_count ();
        }
      if (! add_slices (input, &slices, &first, i, error))
        return FALSE;
      memory_keep (before);
    }
  return files != NULL;
}
