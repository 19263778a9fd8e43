/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Components that cross the seams between bands: each band numbers its components by itself, and
 * those that touch across a seam become one.  Components of the whole are numbered from 1 in raster
 * order of their first pixels.
 *
 * A label that touches a seam is a node; all others are final but for an offset.  Nodes are joined
 * by union-find: the least node of a set holds the first pixel of the component.  Only nodes are
 * kept from one pass to the next, so memory grows with the number of labels at the seams.
 *
 * Bands may be numbered before all have been added.  Numbers stay what they are as long as no band
 * that is added later joins components that have been numbered apart.
 *
 * The bands of a rank have seams with those of other ranks, too (seams-ranks.c).
 */

#pragma once

#include "bands.h"
#include "engine/ranks/tree.h"

/* The part of the memory that the nodes may take. */
#define WF_SHARE_OF_NODES 8

/**
 * WfSeams:
 * @width: pixels along a seam
 * @height: rows of a seam: 1, in a stack those of a slice
 * @n_components: result of wf_seams_solve(): components of the whole; before it, those whose first
 *   pixels lie in the bands that have been numbered
 * @n_numbered: bands, from the first on, that have been numbered
 * @is_disturbed: whether components that had numbers of their own were joined
 */
typedef struct
{
  gint64            width;
  gint64            height;
  gint64            n_components;
  gint64            n_numbered;
  gboolean          is_disturbed;
  /*< private >*/
  guint64           limit;      /* bytes for the nodes; 0: not known */
  gboolean          diagonal;
  WfPart            part;
  gboolean          is_outer[2]; /* whether other ranks have rows before, and after */
  gint64            n_bands;
  struct WfSeamBand *of_band;
  gint64            n_nodes;
  gint64            n_allocated;
  gint64            n_most;     /* nodes that there can be */
  gint64            n_final;    /* nodes of the bands that have been numbered */
  struct WfSeamRun  *runs;      /* room for the runs of two rims, twice */
  guint32          *nodes;      /* room for the nodes of two rims */
  guint32          *label;      /* of each node, in its band */
  guint32          *parent;     /* a lesser node of the same component, or itself */
  guint32          *number;     /* of the component, once it is known */
  guint32          *joined;     /* nodes of the band up to this one that are no roots */
  guint32          *rim;        /* of the band before: nodes from 1, 0 for none */
  guint32          *outer_rims[2]; /* of the first and of the last band, likewise; or NULL */
  guint32          *outer;      /* of each root that touches other ranks' parts, counted from 1;
                                 * or NULL */
  guint32          *given;      /* the numbers of these in the whole, or NULL */
  gint64            base;       /* components whose first pixel lies in a rank before */
} WfSeams;

gboolean wf_seams_init         (WfSeams        *seams,
                                const WfBands  *bands,
                                int             connectivity,
                                guint64         limit,
                                GError        **error);
guint64  wf_seams_memory       (gint64          rim,
                                gint64          n_bands,
                                const WfCommunicator
                                               *ranks);
void     wf_seams_clear        (WfSeams        *seams);
void     wf_seams_begin        (WfSeams        *seams);
gboolean wf_seams_add_band     (WfSeams        *seams,
                                gint64          band,
                                const guint32  *first,
                                const guint32  *last,
                                guint32         n_labels,
                                GError        **error);
void     wf_seams_number_next  (WfSeams        *seams);
void     wf_seams_solve        (WfSeams        *seams);
gboolean wf_seams_solve_ranks  (WfSeams        *seams,
                                WfCommunicator *ranks,
                                GError        **error);
guint32  wf_seams_count_labels (const WfSeams  *seams,
                                gint64          band);
guint32  wf_seams_find_number  (const WfSeams  *seams,
                                gint64          band,
                                guint32         label);
guint32  wf_seams_count_before (const WfSeams  *seams,
                                gint64          band);
void     wf_seams_tell_joined  (const WfSeams  *seams,
                                gint64          band,
                                guint32        *labels,
                                gint64          n);
void     wf_seams_number_band  (const WfSeams  *seams,
                                gint64          band,
                                guint32        *number_of);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfSeams, wf_seams_clear)
