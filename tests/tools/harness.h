/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Running the wavefront command in a folder of its own, and looking at what it
 * said and what it left there.
 */

#pragma once

#include <glib.h>

/**
 * Scratch:
 * @folder: an empty folder, in which the command runs
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
 * @data: for @prepare
 * @environment: (nullable): "NAME=VALUE" pairs, ended by %NULL
 * @through: (nullable): a shell script that runs the command as "$@"
 *
 * What is unusual about a run.
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
void      refuse             (const Scratch       *scratch,
                              int                  status,
                              const char          *culprit,
                              const char          *format,
                              ...) G_GNUC_PRINTF (4, 5);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)
