/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The option --corrections: a list of corrections by hand, which are made of labels. */

#pragma once

#include "measurements.h"
#include "wavefront.h"

/* A #TextOption, the same of every command that has it. */
#define CORRECTIONS_OPTION \
  { "corrections", "LIST", \
    N_("Correct the basins by hand, merged ones after the merging, and before objects are left " \
       "out: a JSON list such as [{\"join\": [[12, 7], [30, 9]]}], or the name of a file with " \
       "one") }

/**
 * Corrections:
 * @list: (nullable): what is corrected
 * @made: (nullable): the corrected labels, after corrections_make()
 * @n_effective: how many of them had an effect
 */
typedef struct
{
  WfCorrections *list;
  WfCorrecting  *made;
  guint          n_effective;
} Corrections;

gboolean corrections_read       (Corrections               *corrections,
                                 const char                *text,
                                 GError                   **error);
gboolean corrections_are_wanted (const Corrections         *corrections);
gboolean corrections_make       (Corrections               *corrections,
                                 WfContext                 *context,
                                 const WfImage             *relief,
                                 const WfImage             *mask,
                                 WfImage                   *labels,
                                 const WfWatershedOptions  *options,
                                 GError                   **error);
gboolean corrections_keep       (const Corrections         *corrections,
                                 WfContext                 *context,
                                 const WfImage             *levels,
                                 const WfImage             *mask,
                                 const WfObjectOptions     *limits,
                                 WfImage                   *labels,
                                 guint32                   *n_labels,
                                 Measurements              *measurements,
                                 GError                   **error);
gboolean corrections_report     (const Corrections         *corrections);
void     corrections_clear      (Corrections               *corrections);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Corrections, corrections_clear)
