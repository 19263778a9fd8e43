/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A folder of images without images: files of text, whose results are texts as well. */

#include <string.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "plugins/common/folder/loop.h"
#include "tests/support/tiers.h"
#include "wavefront.h"

/**
 * Folder:
 * @root: an empty folder of its own
 * @task: from its folder “in” to “out”, with a text and a table for each file
 * @cancel_at: the file during which the user gives up
 * @n_processed: files that were begun
 */
typedef struct
{
  char         *root;
  WfFolderTask  task;
  GCancellable *cancellable;
  const char   *cancel_at;
  GPtrArray    *outcomes;
  guint         n_processed;
} Folder;


/*  Files  */

static char *
path_of (const Folder *folder,
         const char   *name)
{
  return g_build_filename (folder->root, name, NULL);
}

static void
put (const Folder *folder,
     const char   *name,
     const char   *text)
{
  g_autofree char *path = path_of (folder, name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static char *
get (const Folder *folder,
     const char   *name)
{
  g_autofree char *path = path_of (folder, name);
  char            *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static void
assert_text (const Folder *folder,
             const char   *name,
             const char   *expected)
{
  g_autofree char *text = get (folder, name);

  g_assert_cmpstr (text, ==, expected);
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The names in a folder, hidden ones too, with blanks between them. */
static char *
list (const Folder *folder,
      const char   *name)
{
  g_autofree char       *path  = path_of (folder, name);
  g_autoptr (GDir)       dir   = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray)  names = g_ptr_array_new_with_free_func (g_free);
  const char            *child;

  while (dir && (child = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (child));
  g_ptr_array_sort (names, compare);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

static void
assert_list (const Folder *folder,
             const char   *name,
             const char   *expected)
{
  g_autofree char *names = list (folder, name);

  g_assert_cmpstr (names, ==, expected);
}

static void
delete_all (const char *path)
{
  g_autoptr (GDir)  dir = g_dir_open (path, 0, NULL);
  const char       *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      delete_all (child);
    }
  g_remove (path);
}

static void
folder_init (Folder *folder)
{
  g_autofree char *in = NULL;

  *folder = (Folder) { .root = g_dir_make_tmp ("folder-XXXXXX", NULL) };
  in      = path_of (folder, "in");
  g_assert_nonnull (folder->root);
  g_assert_cmpint (g_mkdir (in, 0700), ==, 0);
  folder->task = (WfFolderTask) {
    .input    = g_steal_pointer (&in),
    .types    = g_strdup ("*.txt *.TXT2"),
    .output   = path_of (folder, "out"),
    .name     = g_strdup ("{name}-done"),
    .joined   = g_strdup ("objects.csv"),
    .existing = WF_FOLDER_REPLACE,
  };
  folder->task.suffixes[WF_FOLDER_LAYERS] = g_strdup (".res");
  folder->task.suffixes[WF_FOLDER_TABLE]  = g_strdup (".csv");
  folder->cancellable = g_cancellable_new ();
  folder->outcomes    = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_folder_outcome_free);
  put (folder, "in/b.txt", "bb");
  put (folder, "in/a10.txt", "aaa");
  put (folder, "in/a9.TXT2", "a");
  put (folder, "in/.hidden.txt", "h");
  put (folder, "in/other.png", "p");
}

static void
folder_clear (Folder *folder)
{
  delete_all (folder->root);
  g_free (folder->root);
  wf_folder_task_clear (&folder->task);
  g_object_unref (folder->cancellable);
  g_ptr_array_unref (folder->outcomes);
}


/*  The work: as many objects as bytes, and none in a file that begins with “!”; the table of a file
 *  that begins with “#” has a column less, that of “mm” has those of a unit
 */

static gboolean
process (const WfFolderItem     *item,
         const WfFolderScratch  *scratch,
         gint64                 *n_objects,
         gpointer                data,
         GError                **error)
{
  Folder             *folder = data;
  g_autofree char    *text   = NULL;
  g_autoptr (GString) table  = NULL;

  g_assert_true (g_file_load_contents (item->input, NULL, &text, NULL, NULL, NULL));
  table = g_string_new (*text == '#' ? "index\n" : strcmp (text, "mm") == 0
                                                   ? "index,area,pixels,unit\n" : "index,area\n");
  for (gsize i = 0; text[i]; i++)
    if (*text == '#')
      g_string_append_printf (table, "%u\n", (guint) i + 1);
    else if (strcmp (text, "mm") == 0)
      g_string_append_printf (table, "%u,0.5,%d,mm\n", (guint) i + 1, text[i]);
    else
      g_string_append_printf (table, "%u,%d\n", (guint) i + 1, text[i]);
  folder->n_processed++;
  g_assert_true (g_file_replace_contents (scratch->files[WF_FOLDER_LAYERS], text, strlen (text),
                                          NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, NULL));
  if (*text == '!')
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, "It is broken.");
      return FALSE;
    }
  if (g_strcmp0 (item->name, folder->cancel_at) == 0)
    g_cancellable_cancel (folder->cancellable);
  g_assert_true (g_file_replace_contents (scratch->files[WF_FOLDER_TABLE], table->str, table->len,
                                          NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, NULL));
  *n_objects = (gint64) strlen (text);
  return TRUE;
}

static void
run (Folder *folder)
{
  g_autoptr (GError)       error = NULL;
  g_autoptr (WfFolderPlan) plan  = wf_folder_plan_new (&folder->task, &error);
  const WfFolderLoop       loop  = { .process = process, .data = folder,
                                     .cancellable = folder->cancellable };

  g_assert_no_error (error);
  g_ptr_array_set_size (folder->outcomes, 0);
  wf_folder_loop_run (plan, &loop, folder->outcomes, &error);
  g_assert_no_error (error);
}

static void
assert_outcome (const Folder  *folder,
                guint          row,
                const char    *file,
                WfFolderState  state,
                gint64         n_objects,
                const char    *output)
{
  const WfFolderOutcome *outcome = folder->outcomes->pdata[row];

  g_assert_cmpstr (outcome->file, ==, file);
  g_assert_cmpint (outcome->state, ==, state);
  g_assert_cmpint (outcome->n_objects, ==, n_objects);
  g_assert_cmpstr (outcome->output, ==, output);
}


/*  Tests  */

/* Files come in the order of their names, with numbers in that of their values; one that is broken
 * does not end the work, and leaves nothing.
 */
static void
test_all (void)
{
  Folder           folder;
  g_autofree char *text = NULL;

  folder_init (&folder);
  put (&folder, "in/b.txt", "!");
  run (&folder);
  g_assert_cmpuint (folder.outcomes->len, ==, 3);
  assert_outcome (&folder, 0, "a9.TXT2", WF_FOLDER_DONE, 1, "a9-done.res a9-done.csv");
  assert_outcome (&folder, 1, "a10.txt", WF_FOLDER_DONE, 3, "a10-done.res a10-done.csv");
  assert_outcome (&folder, 2, "b.txt", WF_FOLDER_FAILED, -1, "");
  assert_list (&folder, "out", "a10-done.csv a10-done.res a9-done.csv a9-done.res objects.csv");
  assert_text (&folder, "out/a10-done.res", "aaa");
  assert_text (&folder, "out/objects.csv", "file,index,area\na9.TXT2,1,97\na10.txt,1,97\n"
                                           "a10.txt,2,97\na10.txt,3,97\n");
  for (guint i = 0; i < folder.outcomes->len; i++)
    ((WfFolderOutcome *) folder.outcomes->pdata[i])->seconds = 0.25;
  text = wf_folder_outcomes_format (folder.outcomes, TRUE, ',');
  g_assert_cmpstr (text, ==, "file,result,objects,seconds,output\n"
                             "a9.TXT2,Done,1,0.25,a9-done.res a9-done.csv\n"
                             "a10.txt,Done,3,0.25,a10-done.res a10-done.csv\n"
                             "b.txt,It is broken.,,0.25,\n");
  folder_clear (&folder);
}

/* A table that is only joined leaves no file of its own. */
static void
test_joined_only (void)
{
  Folder folder;

  folder_init (&folder);
  g_clear_pointer (&folder.task.suffixes[WF_FOLDER_TABLE], g_free);
  put (&folder, "in/z, \"b\".txt", "x");
  run (&folder);
  assert_list (&folder, "out", "a10-done.res a9-done.res b-done.res objects.csv z, \"b\"-done.res");
  assert_text (&folder, "out/objects.csv", "file,index,area\na9.TXT2,1,97\na10.txt,1,97\n"
                                           "a10.txt,2,97\na10.txt,3,97\nb.txt,1,98\nb.txt,2,98\n"
                                           "\"z, \"\"b\"\".txt\",1,120\n");
  folder_clear (&folder);
}

/* Skipped images keep their results, and their lines in the table of all. */
static void
test_skipped (void)
{
  Folder folder;

  folder_init (&folder);
  run (&folder);
  put (&folder, "in/b.txt", "cc");
  put (&folder, "in/c.txt", "d");
  put (&folder, "out/a9-done.csv", "mine");
  folder.task.existing = WF_FOLDER_SKIP;
  run (&folder);
  assert_outcome (&folder, 0, "a9.TXT2", WF_FOLDER_SKIPPED, -1, "");
  assert_outcome (&folder, 2, "b.txt", WF_FOLDER_SKIPPED, -1, "");
  assert_outcome (&folder, 3, "c.txt", WF_FOLDER_DONE, 1, "c-done.res c-done.csv");
  assert_text (&folder, "out/a9-done.csv", "mine");
  assert_text (&folder, "out/b-done.res", "bb");
  assert_text (&folder, "out/objects.csv", "file,index,area\na9.TXT2,1,97\na10.txt,1,97\n"
                                           "a10.txt,2,97\na10.txt,3,97\nb.txt,1,98\nb.txt,2,98\n"
                                           "c.txt,1,100\n");
  folder.task.existing = WF_FOLDER_REPLACE;
  run (&folder);
  assert_text (&folder, "out/a9-done.csv", "index,area\n1,97\n");
  assert_text (&folder, "out/b-done.res", "cc");
  folder_clear (&folder);
}

/* The image during which the user gives up leaves nothing; those before it are complete. */
static void
test_cancelled (void)
{
  Folder folder;

  folder_init (&folder);
  folder.cancel_at = "a10.txt";
  run (&folder);
  g_assert_cmpuint (folder.outcomes->len, ==, 2);
  assert_outcome (&folder, 0, "a9.TXT2", WF_FOLDER_DONE, 1, "a9-done.res a9-done.csv");
  assert_outcome (&folder, 1, "a10.txt", WF_FOLDER_CANCELLED, -1, "");
  assert_list (&folder, "out", "a9-done.csv a9-done.res objects.csv");
  assert_text (&folder, "out/objects.csv", "file,index,area\na9.TXT2,1,97\n");
  folder_clear (&folder);
}

static void
assert_refused (Folder     *folder,
                const char *pattern)
{
  g_autoptr (GError)       error = NULL;
  g_autoptr (WfFolderPlan) plan  = wf_folder_plan_new (&folder->task, &error);
  gboolean                 ready = plan && wf_folder_plan_check (plan, &error);

  g_assert_false (ready);
  g_assert_nonnull (error);
  if (! g_pattern_match_simple (pattern, error->message))
    g_error ("“%s” is not like “%s”", error->message, pattern);
}

static void
set (char       **text,
     const char  *value)
{
  g_free (*text);
  *text = g_strdup (value);
}

/* What cannot be done is refused in one sentence, before anything is written. */
static void
test_refused (void)
{
  Folder           folder;
  g_autofree char *inside = NULL;
  g_autofree char *usual  = NULL;

  folder_init (&folder);
  set (&folder.task.name, "result");
  assert_refused (&folder, "*must contain {name}*“result”*");
  set (&folder.task.name, "x/{name}");
  assert_refused (&folder, "*“x/{name}” is no name of a file*");
  set (&folder.task.name, "{name}");
  put (&folder, "in/B.txt2", "");
  assert_refused (&folder, "The results of “?*” and “?*” would both have the name “?.res”*");
  set (&folder.task.types, "*.txt");
  put (&folder, "in/objects.txt", "");
  assert_refused (&folder, "“objects.csv” is also the name of the table of all objects.");
  set (&folder.task.types, "b.txt other.png");
  set (&folder.task.suffixes[WF_FOLDER_LAYERS], ".TXT");
  usual = g_steal_pointer (&folder.task.output);
  set (&folder.task.output, folder.task.input);
  assert_refused (&folder, "The result of “b.txt” would replace the image “b.TXT”*");
  set (&folder.task.output, usual);
  set (&folder.task.types, "*.nef");
  assert_refused (&folder, "There is no file “*.nef” in *");
  set (&folder.task.types, "*.txt");
  put (&folder, "file", "");
  inside = path_of (&folder, "file/out");
  set (&folder.task.joined, NULL);
  set (&folder.task.output, inside);
  assert_refused (&folder, "The folder “*file/out” cannot be made: *");
  set (&folder.task.output, "");
  assert_refused (&folder, "No folder is chosen for the results.");
  set (&folder.task.input, "/nonexistent");
  set (&folder.task.output, usual);
  assert_refused (&folder, "*/nonexistent*");
  assert_list (&folder, "out", "");
  folder_clear (&folder);
}

/* A table that cannot be gone on with is refused before the first image; one that is replaced may
 * have any columns.
 */
static void
test_other_columns (void)
{
  Folder                   folder;
  g_autoptr (GError)       error    = NULL;
  g_autoptr (WfFolderPlan) plan     = NULL;
  const WfFolderLoop       loop     = { .process = process, .data = &folder };
  const char *const        columns[] = { "index", "index,area", NULL };
  g_autofree char         *out      = NULL;

  folder_init (&folder);
  out = path_of (&folder, "out");
  g_assert_cmpint (g_mkdir (out, 0700), ==, 0);
  put (&folder, "out/objects.csv", "file,index,area,mean\na.txt,1,2,3\n");
  folder.task.columns  = g_strdupv ((char **) columns);
  folder.task.existing = WF_FOLDER_SKIP;
  assert_refused (&folder, "“*/out/objects.csv” has other columns than the table of this run*");
  plan = wf_folder_plan_new (&folder.task, NULL);
  g_assert_false (wf_folder_loop_run (plan, &loop, folder.outcomes, &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_cmpuint (folder.n_processed, ==, 0);
  assert_list (&folder, "out", "objects.csv");
  put (&folder, "out/objects.csv", "index,area\n1,2\n");
  assert_refused (&folder, "*has other columns*");
  folder.task.existing = WF_FOLDER_REPLACE;
  folder.cancel_at     = "a10.txt";
  run (&folder);
  assert_text (&folder, "out/objects.csv", "file,index,area\na9.TXT2,1,97\n");
  folder_clear (&folder);
}

/* A table whose last line has no end is gone on with as one that has it. */
static void
test_no_last_end (void)
{
  static const char *const before[] = { "file,index,area", "file,index,area\nold.txt,1,5" };
  static const char *const after[]  = { "file,index,area\n", "file,index,area\nold.txt,1,5\n" };
  const char *const        columns[] = { "index,area", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    {
      g_autofree char *expected = g_strconcat (after[i], "a9.TXT2,1,97\na10.txt,1,97\n"
                                               "a10.txt,2,97\na10.txt,3,97\nb.txt,1,98\n"
                                               "b.txt,2,98\n", NULL);
      g_autofree char *out      = NULL;
      Folder           folder;

      folder_init (&folder);
      out = path_of (&folder, "out");
      g_assert_cmpint (g_mkdir (out, 0700), ==, 0);
      put (&folder, "out/objects.csv", before[i]);
      folder.task.columns  = g_strdupv ((char **) columns);
      folder.task.existing = WF_FOLDER_SKIP;
      run (&folder);
      assert_text (&folder, "out/objects.csv", expected);
      folder_clear (&folder);
    }
}

/* Only images with a unit have its columns: cells of others are empty, also of lines that stay. */
static void
test_units (void)
{
  Folder            folder;
  const char *const columns[] = { "index,area", NULL };
  g_autofree char  *out       = NULL;

  folder_init (&folder);
  out = path_of (&folder, "out");
  g_assert_cmpint (g_mkdir (out, 0700), ==, 0);
  folder.task.columns  = g_strdupv ((char **) columns);
  folder.task.existing = WF_FOLDER_SKIP;
  put (&folder, "out/objects.csv", "file,index,area\n\"o\nld\",7,8\n");
  put (&folder, "in/a10.txt", "mm");
  run (&folder);
  assert_text (&folder, "out/objects.csv",
               "file,index,area,pixels,unit\n\"o\nld\",7,8,,\na9.TXT2,1,97,,\n"
               "a10.txt,1,0.5,109,mm\na10.txt,2,0.5,109,mm\nb.txt,1,98,,\nb.txt,2,98,,\n");
  folder_clear (&folder);
}

/* An image whose table has other columns fails, and leaves nothing. */
static void
test_one_has_other_columns (void)
{
  Folder folder;

  folder_init (&folder);
  put (&folder, "in/a10.txt", "##");
  run (&folder);
  assert_outcome (&folder, 1, "a10.txt", WF_FOLDER_FAILED, -1, "");
  g_assert_cmpstr (((WfFolderOutcome *) folder.outcomes->pdata[1])->message, ==,
                   "The table of “a10.txt” has other columns than “objects.csv”, to which it "
                   "cannot be added.");
  assert_list (&folder, "out", "a9-done.csv a9-done.res b-done.csv b-done.res objects.csv");
  assert_text (&folder, "out/objects.csv", "file,index,area\na9.TXT2,1,97\nb.txt,1,98\n"
                                           "b.txt,2,98\n");
  folder_clear (&folder);
}

/* If the second file of an image cannot be moved, as a folder has its name, the first one is as it
 * was.
 */
static void
test_moved_back (void)
{
  Folder           folder;
  g_autofree char *out   = NULL;
  g_autofree char *first = NULL;
  g_autofree char *other = NULL;
  const char      *message;

  folder_init (&folder);
  out   = path_of (&folder, "out");
  first = path_of (&folder, "out/a9-done.csv");
  other = path_of (&folder, "out/b-done.csv");
  g_assert_cmpint (g_mkdir (out, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (first, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  put (&folder, "out/a9-done.res", "mine");
  run (&folder);
  assert_outcome (&folder, 0, "a9.TXT2", WF_FOLDER_FAILED, -1, "");
  message = ((WfFolderOutcome *) folder.outcomes->pdata[0])->message;
  g_assert_true (g_pattern_match_simple ("The result “*/out/a9-done.csv” cannot be written: ?*",
                                         message));
  assert_outcome (&folder, 1, "a10.txt", WF_FOLDER_DONE, 3, "a10-done.res a10-done.csv");
  assert_outcome (&folder, 2, "b.txt", WF_FOLDER_FAILED, -1, "");
  assert_text (&folder, "out/a9-done.res", "mine");
  assert_list (&folder, "out", "a10-done.csv a10-done.res a9-done.csv a9-done.res b-done.csv "
                               "objects.csv");
  assert_list (&folder, "out/a9-done.csv", "");
  assert_text (&folder, "out/objects.csv", "file,index,area\na10.txt,1,97\na10.txt,2,97\n"
                                           "a10.txt,3,97\n");
  folder_clear (&folder);
}

static void
test_time_left (void)
{
  g_assert_cmpfloat (wf_folder_find_time_left (10, 2.5, 10), ==, 30);
  g_assert_cmpfloat (wf_folder_find_time_left (10, 10, 10), ==, 0);
  g_assert_cmpfloat (wf_folder_find_time_left (10, 0, 10), ==, -1);
}


int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/folder/all", test_all);
  g_test_add_func ("/folder/joined-only", test_joined_only);
  g_test_add_func ("/folder/skipped", test_skipped);
  g_test_add_func ("/folder/cancelled", test_cancelled);
  g_test_add_func ("/folder/refused", test_refused);
  g_test_add_func ("/folder/other-columns", test_other_columns);
  g_test_add_func ("/folder/no-last-end", test_no_last_end);
  g_test_add_func ("/folder/units", test_units);
  g_test_add_func ("/folder/one-has-other-columns", test_one_has_other_columns);
  g_test_add_func ("/folder/moved-back", test_moved_back);
  g_test_add_func ("/folder/time-left", test_time_left);
  return g_test_run ();
}
