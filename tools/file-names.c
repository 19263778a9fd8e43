/* SPDX-License-Identifier: GPL-3.0-or-later */

/* In the name of an output
 *
 *   {name}     is the input's name without its folder and its suffix: of cells/a1.ome.tif, a1
 *   {ext}      its suffix without the point: tif
 *   {folder}   its folder: cells, or “.”
 *   {n}        its number among the inputs, from 1, with leading zeros that make all equally long
 *
 * In the name of an input that stands for several files, “*” and “?” are left out: of z*.tif, z; if
 * nothing else is there, it is the name of the folder, or “stack”.
 *
 * Other braces mean themselves where there is one input; among several they are mistakes.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "file-names.h"
#include "files/sequence.h"
#include "message.h"
#include "nearest-word.h"

static const char * const placeholders[] = { "name", "ext", "folder", "n" };


/* The length of the word in braces at @at; 0 if there is none. */
static gsize
word_length (const char *at)
{
  const gsize n = *at == '{' ? strspn (at + 1, "abcdefghijklmnopqrstuvwxyz") : 0;

  return n > 0 && at[n + 1] == '}' ? n : 0;
}

/* Which placeholder begins at @at; -1: none */
static int
find_placeholder (const char *at)
{
  const gsize n = word_length (at);

  for (guint i = 0; n > 0 && i < G_N_ELEMENTS (placeholders); i++)
    if (strlen (placeholders[i]) == n && strncmp (at + 1, placeholders[i], n) == 0)
      return (int) i;
  return -1;
}

/**
 * file_names_has_placeholder:
 * @pattern: the name of an output
 *
 * Returns: whether it depends on the input
 */
gboolean
file_names_has_placeholder (const char *pattern)
{
  for (const char *at = pattern; *at; at++)
    if (find_placeholder (at) >= 0)
      return TRUE;
  return FALSE;
}

/**
 * file_names_check:
 * @pattern: the name of an output for several inputs
 * @error: %TOOL_ERROR_USAGE
 *
 * Returns: whether all words in braces have a meaning
 */
gboolean
file_names_check (const char  *pattern,
                  GError     **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (placeholders); i++)
    g_ptr_array_add (words, (gpointer) placeholders[i]);
  for (const char *at = pattern; *at; at++)
    if (word_length (at) > 0 && find_placeholder (at) < 0)
      {
        g_autofree char *word    = g_strndup (at + 1, word_length (at));
        const char      *nearest = nearest_word (word, words);

        if (nearest)
          g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                       _("Unknown placeholder {%s}; the nearest is {%s}."), word, nearest);
        else
          g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                       _("Unknown placeholder {%s}: there are {name}, {ext}, {folder} and {n}."),
                       word);
        return FALSE;
      }
  return TRUE;
}

/* The point before the suffix; the end where there is none. */
static char *
find_suffix (char *base)
{
  char *dot = strrchr (base, '.');

  return dot && dot > base ? dot : base + strlen (base);
}

/* Of the name of several files, @base, what does not vary; if that is nothing, its folder. */
static char *
name_several (const char *base,
              const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  GString         *name   = g_string_new (NULL);

  for (const char *at = base; *at; at++)
    if (! strchr ("*?", *at))
      g_string_append_c (name, *at);
  if (name->len > 0)
    return g_string_free (name, FALSE);
  g_string_free (name, TRUE);
  return strpbrk (folder, "*?") || strcmp (folder, ".") == 0 ? g_strdup ("stack")
                                                             : g_path_get_basename (folder);
}

static char *
get_value (guint            placeholder,
           const NamePlace *place)
{
  g_autofree char *base   = g_path_get_basename (place->file);
  char            *suffix = find_suffix (base);
  guint            digits = 1;

  switch (placeholder)
    {
    case 0:
      *suffix = '\0';
      if (g_ascii_strcasecmp (find_suffix (base), ".ome") == 0)
        *find_suffix (base) = '\0';
      return sequence_is_named (place->file) ? name_several (base, place->file)
                                             : g_steal_pointer (&base);
    case 1:
      return g_strdup (*suffix ? suffix + 1 : suffix);
    case 2:
      return g_path_get_dirname (place->file);
    default:
      for (guint rest = place->n; rest >= 10; rest /= 10)
        digits++;
      return g_strdup_printf ("%0*u", (int) digits, place->number);
    }
}

/**
 * file_names_resolve:
 * @pattern: the name of an output
 * @place: the input
 *
 * Returns: (transfer full): the name of the output
 */
char *
file_names_resolve (const char      *pattern,
                    const NamePlace *place)
{
  GString *name = g_string_new (NULL);
  guint    table;

  if (place->tables && g_ptr_array_find_with_equal_func ((GPtrArray *) place->tables, pattern,
                                                         g_str_equal, &table))
    {
      g_string_free (name, TRUE);
      return file_names_of_table (table, pattern);
    }
  for (const char *at = pattern; *at; at++)
    {
      const int        placeholder = find_placeholder (at);
      g_autofree char *value       = placeholder >= 0 ? get_value ((guint) placeholder, place)
                                                      : NULL;

      if (! value)
        {
          g_string_append_c (name, *at);
          continue;
        }
      g_string_append (name, value);
      at += word_length (at) + 1;
    }
  return g_string_free (name, FALSE);
}

/**
 * file_names_of_table:
 * @table: its number
 * @pattern: its name, of which the suffix counts
 *
 * Returns: (transfer full): the name in the store of the part of an input
 */
char *
file_names_of_table (guint       table,
                     const char *pattern)
{
  g_autofree char *base = g_path_get_basename (pattern);

  return g_strdup_printf ("@part-%u%s", table, find_suffix (base));
}
