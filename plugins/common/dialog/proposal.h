/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>
#include <gtk/gtk.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/* The name of an argument that dialogs keep with the last values. */
#define WF_PROPOSAL "proposal"

/**
 * WfProposer:
 * @settings: names of the arguments that a proposal sets, terminated by %NULL
 * @looks: whether @propose looks at levels; otherwise it gets none
 * @propose: sets arguments, which have their defaults before, and says in a sentence what is
 *   proposed; %NULL if nothing is.  @levels: at @scale, of what the run works on
 *
 * How a procedure proposes settings for an image.
 */
typedef struct
{
  const char *const *settings;
  gboolean           looks;
  char *          (* propose) (WfJob         *run,
                               const WfImage *levels,
                               double         scale);
} WfProposer;

typedef struct _WfProposal WfProposal;

void         wf_proposal_add_argument (GimpProcedure    *procedure,
                                       const WfProposer *proposer);
WfProposal * wf_proposal_begin        (WfJob            *run);
void         wf_proposal_show         (WfProposal       *proposal,
                                       GtkBox           *area);
void         wf_proposal_end          (WfProposal       *proposal);

G_END_DECLS
