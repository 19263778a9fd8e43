/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Floods of images: 4 and 8 neighbours. */

#include "flood-tiles.cuh"


gboolean
wf_cuda_flood_image (WfCuda             *cuda,
                     const WfCudaFlood  *flood,
                     GError            **error)
{
  return flood->connectivity == 4 ? flood_tiles<4> (cuda, flood, error)
                                  : flood_tiles<8> (cuda, flood, error);
}
