/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Floods of stacks: 6 and 26 neighbours. */

#include "watershed-flood-tiles.cuh"


gboolean
wf_cuda_flood_stack (WfCuda             *cuda,
                     const WfCudaFlood  *flood,
                     GError            **error)
{
  return flood->connectivity == 6 ? flood_tiles<6> (cuda, flood, error)
                                  : flood_tiles<26> (cuda, flood, error);
}
