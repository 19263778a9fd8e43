/* SPDX-License-Identifier: GPL-3.0-or-later */

/* On a terminal one line is rewritten; elsewhere each whole percent is a line
 * of its own, so that a log or another program can follow.  There is one standard
 * error, hence one state.
 */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "progress.h"
#include "ranks.h"
#include "signals.h"


static struct
{
  const char *operation;
  int         n_steps;
  int         step;
  int         shown;
  gboolean    on_terminal;
} progress = { NULL, 1, 0, -1, FALSE };


/**
 * progress_begin:
 * @operation: its name
 * @n_steps: of how many steps, calls of the library, it consists; together they make
 *   100 percent
 */
void
progress_begin (const char *operation,
                int         n_steps)
{
  progress.operation   = ranks_is_first () ? operation : NULL;
  progress.n_steps     = n_steps;
  progress.step        = 0;
  progress.shown       = -1;
  progress.on_terminal = isatty (STDERR_FILENO);
  progress_update (0, NULL);
}

void
progress_next_step (void)
{
  progress.step++;
  if (progress.operation)
    progress_update (0, NULL);
}

/**
 * progress_update:
 * @fraction: of the present step, from 0 to 1
 * @unused: for #WfProgressFunc
 *
 * Shows the percentage if it grew by a whole one.
 */
void
progress_update (double   fraction,
                 gpointer unused)
{
  double all     = (progress.step + CLAMP (fraction, 0, 1)) / progress.n_steps;
  int    percent = (int) floor (100 * MIN (all, 1));

  if (! progress.operation || percent <= progress.shown)
    return;

  progress.shown = percent;
  if (progress.on_terminal)
    {
      signals_set_line_open (TRUE);
      fprintf (stderr, "\rwavefront: %s %3d %%", progress.operation, percent);
    }
  else
    {
      fprintf (stderr, "wavefront: %s %d %%\n", progress.operation, percent);
    }
  fflush (stderr);
}

/**
 * progress_stop:
 *
 * In a process that was just started: its parent shows the progress.
 */
void
progress_stop (void)
{
  progress.operation = NULL;
  progress.shown     = -1;
}

/**
 * progress_end_line:
 *
 * Leaves the line that is being rewritten, if there is one, so that something
 * else can be said.
 */
void
progress_end_line (void)
{
  if (progress.on_terminal && progress.shown >= 0)
    {
      fputc ('\n', stderr);
      progress.shown = -1;
      signals_set_line_open (FALSE);
    }
}
