/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The whole command.  The fuzzer's input up to a NUL is its command line, one word a line; the
 * bytes after it are the contents of the files to read, the same for every file format.
 *
 * The command runs in an empty temporary folder.  Inputs with a slash in a word are skipped, so
 * that it cannot read or write anything else.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "bytes.h"

#define MOST_WORDS 24

/* The command's main (), under the name that tests/fuzz/meson.build gives it. */
int wavefront_main (int    argc,
                    char **argv);

static const char * const input_names[] = { "in.pfm", "in.raw", "in.png", "in.tif", "in" };

static char *folder;


static void
empty_folder (void)
{
  g_autoptr (GDir)  dir = g_dir_open (".", 0, NULL);
  const char       *name;

  while (dir && (name = g_dir_read_name (dir)))
    g_unlink (name);
}

static void
leave (void)
{
  empty_folder ();
  if (g_chdir ("/") == 0)
    g_rmdir (folder);
}

int
LLVMFuzzerInitialize (int    *argc,
                      char ***argv)
{
  g_autoptr (GError) error = NULL;

  folder = g_dir_make_tmp ("wavefront-fuzz-XXXXXX", &error);
  if (! folder || g_chdir (folder) != 0)
    g_error ("no folder to work in: %s", error ? error->message : g_strerror (errno));
  atexit (leave);
  return 0;
}

/* Repeating an operation a million times is valid but takes too long. */
static gboolean
lasts (char **words)
{
  for (char **word = words; *word; word++)
    if (strstr (*word, "repeat"))
      return TRUE;
  return FALSE;
}

static gboolean
leads_elsewhere (char **words)
{
  for (char **word = words; *word; word++)
    if (strchr (*word, '/'))
      return TRUE;
  return FALSE;
}

static void
write_inputs (const guint8 *contents,
              gsize         size)
{
  for (guint i = 0; i < G_N_ELEMENTS (input_names); i++)
    fuzz_assert (g_file_set_contents_full (input_names[i], (const char *) contents, size,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  const guint8    *end   = memchr (data, '\0', size);
  gsize            n     = end ? end - data : size;
  g_autofree char *line  = g_strndup ((const char *) data, n);
  g_autofree char *all   = g_strconcat ("wavefront\n", line, NULL);
  g_auto (GStrv)   words = g_strsplit (all, "\n", MOST_WORDS);
  int              status;

  if (lasts (words) || leads_elsewhere (words))
    return 0;
  write_inputs (end ? end + 1 : data, end ? size - n - 1 : 0);
  status = wavefront_main (g_strv_length (words), words);
  fuzz_assert (status >= 0 && status <= 2);
  empty_folder ();
  return 0;
}
