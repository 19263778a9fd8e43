/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A name with “*” or “?” that no file has means the files that match it; a file’s slices follow
 * those of the file before.  Numbers in the names are compared as numbers, whatever the locale: z9
 * comes before z10.
 */

#include "config.h"

#include <glob.h>
#include <string.h>

#include <glib/gi18n.h>

#include "sequence.h"
#include "tools/memory.h"
#include "tools/message.h"


/**
 * sequence_is_named:
 * @path: of an input
 *
 * Returns: whether it stands for several files
 */
gboolean
sequence_is_named (const char *path)
{
  return strpbrk (path, "*?") && ! g_file_test (path, G_FILE_TEST_EXISTS);
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
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  glob_t     found = { 0 };

  if (glob (path, GLOB_NOSORT, NULL, &found) == 0)
    for (gsize i = 0; i < found.gl_pathc; i++)
      g_ptr_array_add (files, g_strdup (found.gl_pathv[i]));
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

/* As large as @n such files. */
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
  stack->notice = g_strdup (first->notice);
  return memory_claim_to_read (path, all, error) &&
         wf_image_allocate (&stack->image, image->type, image->width, image->height,
                            image->depth * n, error);
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
  g_autoptr (GPtrArray) files = sequence_list_files (path, error);
  g_auto (Input)        first = { 0 };

  memset (input, 0, sizeof *input);
  input->name = g_filename_display_name (path);
  if (! files || ! input_read (&first, files->pdata[0], content, raw, choice, error) ||
      ! allocate_stack (input, &first, path, files->len, error))
    return FALSE;
  for (guint i = 0; i < files->len; i++)
    {
      const guint64  before = memory_count ();
      const gsize    bytes  = (gsize) wf_image_n_pixels (&first.image)
                              * wf_type_size (first.image.type);
      g_auto (Input) other  = { 0 };
      const Input   *slices = i == 0 ? &first : &other;

      if (i > 0 && (! input_read (&other, files->pdata[i], content, raw, choice, error) ||
                    ! sequence_check_slices (&first, &other, error)))
        return FALSE;
      memcpy ((guint8 *) input->image.data + i * bytes, slices->image.data, bytes);
      memory_keep (before);
    }
  return TRUE;
}
