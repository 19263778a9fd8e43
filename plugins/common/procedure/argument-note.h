/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfArgumentNote:
 * @name: of an option; %NULL terminates a list
 * @level: the default of a number; of a level as a fraction of the range from black to white
 * @blurb: its meaning in GIMP, to be translated
 * @is_last: whether the argument comes after all others: Script-Fu knows these by their places
 *
 * The parts of an option's description that are specific to GIMP.
 */
typedef struct
{
  const char *name;
  double      level;
  const char *blurb;
  gboolean    is_last;
} WfArgumentNote;

const WfArgumentNote * wf_arguments_find_note (const WfArgumentNote *notes,
                                               const char           *name);
double                 wf_argument_get_default
                                              (const WfOption       *option,
                                               const WfArgumentNote *notes);

G_END_DECLS
