/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles in shared memory whose words hold bytes of four quadrants: 32 × 32 words, rows of
 * them 33 apart, so that a warp reads a row or a column without bank conflicts.  Stacks
 * have them (cuda/reconstruction/stack/tile.inc.cuh); a word of an image's tile holds neighbouring
 * bytes instead (cuda/reconstruction/image/tile.inc.cuh).
 */

#pragma once

#include "cuda/reconstruction/format.cuh"

namespace stack_tiles
{

/* A word that has been read before: to read it again costs less than the registers that
 * would keep it, or than the minima and maxima that the compiler would rather repeat.
 */
__device__ __forceinline__ guint32
read_again (const guint32 *word)
{
  return *(const volatile guint32 *) word;
}

/* Four words of bytes in rows of quadrants to four words of a tile, and back: the
 * transposed matrix of bytes.
 */
__device__ __forceinline__ uint4
transpose_bytes (uint4 rows)
{
  const guint32 a = __byte_perm (rows.x, rows.y, 0x5140);
  const guint32 b = __byte_perm (rows.x, rows.y, 0x7362);
  const guint32 c = __byte_perm (rows.z, rows.w, 0x5140);
  const guint32 d = __byte_perm (rows.z, rows.w, 0x7362);

  return make_uint4 (__byte_perm (a, c, 0x5410), __byte_perm (a, c, 0x7632),
                     __byte_perm (b, d, 0x5410), __byte_perm (b, d, 0x7632));
}

} /* namespace stack_tiles */
