/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What seams.c and seams-ranks.c share. */

#pragma once

#include "seams.h"

/* @first_node: the first of the band's nodes, which have increasing labels
 * @n_labels: how many labels the band has by itself
 * @n_before: components whose first pixel lies in a band before
 */
struct WfSeamBand
{
  gint64 first_node;
  gint64 n_nodes;
  gint64 n_labels;
  gint64 n_before;
};

/* Pixels of a rim that follow each other and have the same label; @start: the first of them */
struct WfSeamRun
{
  guint32 label;
  guint32 start;
};

gboolean wf_seams_add_node   (WfSeams           *seams,
                              struct WfSeamBand *band,
                              guint32            label,
                              GError           **error);
void     wf_seams_join_rim   (WfSeams           *seams,
                              const guint32     *nodes);
