/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What options mean in GIMP, where the table of the operation leaves it open. */

#include "config.h"

#include <math.h>
#include <string.h>

#include "argument-note.h"


/**
 * wf_arguments_find_note:
 * @notes: (nullable): notes
 * @name: of an option
 *
 * Returns: (transfer none) (nullable): the note of this option
 */
const WfArgumentNote *
wf_arguments_find_note (const WfArgumentNote *notes,
                        const char           *name)
{
  for (; notes && notes->name; notes++)
    if (strcmp (notes->name, name) == 0)
      return notes;

  return NULL;
}

/**
 * wf_argument_get_default:
 * @option: a number
 * @notes: (nullable): notes
 *
 * Returns: its default; of a level as a fraction of the range from black to white
 */
double
wf_argument_get_default (const WfOption       *option,
                         const WfArgumentNote *notes)
{
  const WfArgumentNote *note  = wf_arguments_find_note (notes, option->name);
  const double          level = note ? note->level : option->default_value;

  return isnan (level) ? 0.0 : level;
}
