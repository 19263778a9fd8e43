/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transposing a square of WF_SIDE × WF_SIDE pixels, for one type of pixel.  The including file
 * defines WF_PIXEL, WF_BITS, WF_SIDE and WF_NAME(), and includes vector.h.
 */

#define PASTE(a, b)   a##b
#define OP(name, b)   PASTE (name, b)
#define V_INTERLEAVE_LOW  OP (wf_interleave_low_, WF_BITS)
#define V_INTERLEAVE_HIGH OP (wf_interleave_high_, WF_BITS)
#define N_LANES       (WF_VECTOR_BYTES * 8 / WF_BITS)


/* Transposes blocks of 16 bytes by as many rows as a block has pixels; the blocks of a
 * column lie side by side in one vector.  Rows half a block apart are interleaved, log2 of
 * the block's width times; the results are pieces of transposed rows as wide as the vector.
 */
static inline void
WF_NAME (transpose_blocks) (const WF_PIXEL *source,
                            WF_PIXEL       *target)
{
  enum { SIDE = 128 / WF_BITS };
  WfVector a[SIDE];
  WfVector b[SIDE];

  for (int i = 0; i < SIDE; i++)
    a[i] = wf_load_pieces (source + i * WF_SIDE, SIDE * WF_SIDE * sizeof (WF_PIXEL));
  for (int length = SIDE; length > 1; length /= 2)
    {
      for (int i = 0; i < SIDE / 2; i++)
        {
          b[2 * i]     = V_INTERLEAVE_LOW (a[i], a[i + SIDE / 2]);
          b[2 * i + 1] = V_INTERLEAVE_HIGH (a[i], a[i + SIDE / 2]);
        }
      for (int i = 0; i < SIDE; i++)
        a[i] = b[i];
    }
  for (int i = 0; i < SIDE; i++)
    wf_store (target + i * WF_SIDE, a[i]);
}

static void
WF_NAME (transpose) (const WF_PIXEL *source,
                     WF_PIXEL       *target)
{
  enum { SIDE = 128 / WF_BITS };

  for (int i = 0; i < WF_SIDE; i += N_LANES)
    for (int j = 0; j < WF_SIDE; j += SIDE)
      WF_NAME (transpose_blocks) (source + i * WF_SIDE + j, target + j * WF_SIDE + i);
}

#undef PASTE
#undef OP
#undef V_INTERLEAVE_LOW
#undef V_INTERLEAVE_HIGH
#undef N_LANES
