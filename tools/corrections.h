/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The option --corrections: a list of corrections by hand, which are made of labels. */

#pragma once

#include "wavefront.h"

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

gboolean corrections_read   (Corrections               *corrections,
                             const char                *text,
                             GError                   **error);
gboolean corrections_make   (Corrections               *corrections,
                             WfContext                 *context,
                             const WfImage             *relief,
                             const WfImage             *mask,
                             WfImage                   *labels,
                             const WfWatershedOptions  *options,
                             GError                   **error);
gboolean corrections_report (const Corrections         *corrections);
void     corrections_clear  (Corrections               *corrections);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Corrections, corrections_clear)
