/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs the wavefront command in a temporary folder and checks its output and its files. */

#pragma once

#include <glib.h>

/**
 * Scratch:
 * @folder: the temporary folder in which the command runs, empty at first
 *
 * The fixture of every test.
 */
typedef struct
{
  char *folder;
} Scratch;

/**
 * Run:
 * @status: exit status; minus the number of the signal that ended it
 * @out: standard output
 * @err: standard error
 */
typedef struct
{
  int   status;
  char *out;
  char *err;
} Run;

/**
 * Surroundings:
 * @prepare: (nullable): called in the child before the command starts
 * @data: passed to @prepare
 * @environment: (nullable) (array zero-terminated=1): "NAME=VALUE" strings
 * @through: (nullable): a shell script that runs the command as "$@"
 *
 * Special conditions of a run.
 */
typedef struct
{
  GSpawnChildSetupFunc  prepare;
  gpointer              data;
  const char * const   *environment;
  const char           *through;
} Surroundings;

typedef void (* ScratchTest) (Scratch       *scratch,
                              gconstpointer  data);

void      add_test           (const char          *path,
                              gconstpointer        data,
                              ScratchTest          test);
void      add_case           (const char          *folder,
                              const char          *name,
                              gconstpointer        data,
                              ScratchTest          test);
int       run_tests          (int                  argc,
                              char               **argv);

char *    scratch_path       (const Scratch       *scratch,
                              const char          *name);
void      scratch_write      (const Scratch       *scratch,
                              const char          *name,
                              gconstpointer        bytes,
                              gsize                n);
gpointer  scratch_read       (const Scratch       *scratch,
                              const char          *name,
                              gsize                n);
void      scratch_write_inputs (const Scratch     *scratch);
void      scratch_remove     (const Scratch       *scratch,
                              const char          *name);
char *    scratch_list       (const Scratch       *scratch);
void      scratch_assert     (const Scratch       *scratch,
                              const char          *names);

char **   command_words      (const char          *line);
char **   command_environment (const char * const *more);
void      limit_files        (gpointer             bytes);

Run *     run_in             (const Scratch       *scratch,
                              const Surroundings  *surroundings,
                              const char          *format,
                              ...) G_GNUC_PRINTF (3, 4);
Run *     run                (const Scratch       *scratch,
                              const char          *format,
                              ...) G_GNUC_PRINTF (2, 3);
void      run_free           (Run                 *run);

void      assert_success     (const Run           *run);
void      assert_message     (const char          *text,
                              const char          *culprit);
void      assert_refused     (const Run           *run,
                              int                  status,
                              const char          *culprit);

void      succeed            (const Scratch       *scratch,
                              const char          *format,
                              ...) G_GNUC_PRINTF (2, 3);
guint32   printed_number     (const Run           *result);
guint32   succeed_counting   (const Scratch       *scratch,
                              const char          *format,
                              ...) G_GNUC_PRINTF (2, 3);
void      refuse             (const Scratch       *scratch,
                              int                  status,
                              const char          *culprit,
                              const char          *format,
                              ...) G_GNUC_PRINTF (4, 5);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)
