/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "communicator.h"
#include "engine/core/module.h"
#include "mpi.h"


/**
 * wf_communicator_open_mpi:
 * @error: %WF_ERROR_RANK without the MPI module, or where MPI cannot be set up
 *
 * Sets MPI up for this process, which an MPI launcher such as `mpirun` has started; a process
 * without a launcher is one rank.  It can be done once in a process; the last
 * wf_communicator_unref() ends MPI.
 *
 * Returns: (transfer full): the communicator of all processes, or %NULL.
 */
WfCommunicator *
wf_communicator_open_mpi (GError **error)
{
  static const WfModule  module = { "wavefront-mpi", "MPI", WF_MPI_SYMBOL, WF_ERROR_RANK };
  static gint            n_opened;
  const gpointer         symbol = wf_module_find (&module, error);
  WfMpiLinks             mpi    = { .abi = WF_MPI_ABI };
  WfCommunicator        *ranks;

  if (! symbol)
    return NULL;
  if (g_atomic_int_add (&n_opened, 1) > 0)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_RANK,
                           _("MPI cannot be set up twice in one process."));
      return NULL;
    }
  if (! ((WfMpiOpenFunc) symbol) (&mpi, error) ||
      ! wf_module_check_abi (&module, mpi.abi == WF_MPI_ABI, error))
    return NULL;
  ranks = wf_communicator_new (&mpi.links, mpi.state, mpi.rank, mpi.n_ranks);
  wf_communicator_set_host (ranks, mpi.host_rank, mpi.n_host_ranks);
  return ranks;
}
