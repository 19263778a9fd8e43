/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plateaux that cross the seams between bands, in search of regional extrema (blocks-extrema.c).
 *
 * The plateaux of a band's extrema that touch a seam are nodes.  A node is out if a pixel across
 * the seam exceeds one of its own, or has its level but belongs to no extremum; nodes of one level
 * that touch are one plateau, which is out if any of its nodes is.
 */

#pragma once

#include "engine/ranks/tree.h"
#include "engine/reconstruction/rim.h"

/**
 * WfPlateauRim:
 * @node: of each pixel of a rim, from 1; 0 outside the extrema
 * @key: its level
 */
typedef struct
{
  guint32 *node;
  guint32 *key;
} WfPlateauRim;

/**
 * WfPlateauSeams:
 * @n_nodes: so far
 * @out: of each node, after wf_plateau_seams_solve()
 */
typedef struct
{
  WfRim    rim;
  gint64   n_nodes;
  guint8  *out;
  /*< private >*/
  guint64  limit;         /* bytes for the nodes; 0: not known */
  gint64   n_allocated;
  guint32 *parent;
  guint32 *beside[2];     /* the highest level that each pixel touches across a seam */
} WfPlateauSeams;

/* Bytes for each node: its parent and whether it is out, twice while more are allocated. */
#define WF_PLATEAU_NODE_BYTES (2 * (sizeof (guint32) + 1))

gboolean wf_plateau_rim_init          (WfPlateauRim        *rim,
                                       gint64               n,
                                       GError             **error);
void     wf_plateau_rim_clear         (WfPlateauRim        *rim);
void     wf_plateau_rim_copy          (WfPlateauRim        *to,
                                       const WfPlateauRim  *from,
                                       gint64               n);

gboolean wf_plateau_seams_init        (WfPlateauSeams      *seams,
                                       const WfRim         *rim,
                                       guint64              limit,
                                       GError             **error);
void     wf_plateau_seams_clear       (WfPlateauSeams      *seams);
gboolean wf_plateau_seams_add         (WfPlateauSeams      *seams,
                                       gint64               n,
                                       GError             **error);
void     wf_plateau_seams_join        (WfPlateauSeams      *seams,
                                       const WfPlateauRim  *before,
                                       const WfPlateauRim  *after);
guint32  wf_plateau_seams_find_root   (const WfPlateauSeams *seams,
                                       guint32              node);
void     wf_plateau_seams_solve       (WfPlateauSeams      *seams);
gboolean wf_plateau_seams_solve_ranks (WfPlateauSeams      *seams,
                                       const WfPlateauRim  *first,
                                       const WfPlateauRim  *last,
                                       WfCommunicator      *ranks,
                                       const WfPart        *part,
                                       GError             **error);
guint64  wf_plateau_ranks_memory      (gint64               n_rim,
                                       const WfCommunicator *ranks);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfPlateauRim, wf_plateau_rim_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfPlateauSeams, wf_plateau_seams_clear)
