/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The functions of CUDA's device code that cuda/ uses. */

#pragma once


/*  Vectors  */

struct alignas (8) int2 { int x, y; };
struct int3    { int x, y, z; };
struct alignas (16) int4 { int x, y, z, w; };
struct alignas (8) uint2 { unsigned int x, y; };
struct alignas (16) uint4 { unsigned int x, y, z, w; };
struct alignas (4) uchar4 { unsigned char x, y, z, w; };
struct alignas (4) ushort2 { unsigned short x, y; };
struct alignas (8) ushort4 { unsigned short x, y, z, w; };
struct alignas (8) float2 { float x, y; };
struct alignas (16) float4 { float x, y, z, w; };

#define KERNELS_MAKE(vector) \
  template <typename... Parts> \
  static inline vector \
  make_##vector (Parts... parts) \
  { \
    return { (decltype (vector::x)) parts... }; \
  }

KERNELS_MAKE (int2)
KERNELS_MAKE (int3)
KERNELS_MAKE (int4)
KERNELS_MAKE (uint2)
KERNELS_MAKE (uint3)
KERNELS_MAKE (uint4)
KERNELS_MAKE (uchar4)
KERNELS_MAKE (ushort2)
KERNELS_MAKE (ushort4)
KERNELS_MAKE (float2)
KERNELS_MAKE (float4)


/*  Bits  */

static inline int
__popc (unsigned int v)
{
  return __builtin_popcount (v);
}

static inline int
__popcll (unsigned long long v)
{
  return __builtin_popcountll (v);
}

static inline unsigned int
__umulhi (unsigned int a, unsigned int b)
{
  return (unsigned int) ((uint64_t) a * b >> 32);
}

static inline int
__ffs (int v)
{
  return __builtin_ffs (v);
}

static inline int
__ffsll (long long v)
{
  return __builtin_ffsll (v);
}

static inline int
__clz (int v)
{
  return v ? __builtin_clz (v) : 32;
}

static inline int
__clzll (long long v)
{
  return v ? __builtin_clzll (v) : 64;
}

static inline unsigned long long
__umul64hi (unsigned long long a, unsigned long long b)
{
  return (unsigned long long) ((unsigned __int128) a * b >> 64);
}

static inline unsigned int
__brev (unsigned int v)
{
  unsigned int reversed = 0;

  for (int i = 0; i < 32; i++)
    reversed |= (v >> i & 1) << (31 - i);
  return reversed;
}

static inline unsigned int
__funnelshift_r (unsigned int low, unsigned int high, unsigned int n)
{
  return (unsigned int) (((uint64_t) high << 32 | low) >> (n & 31));
}

static inline unsigned int
__funnelshift_l (unsigned int low, unsigned int high, unsigned int n)
{
  return (unsigned int) (((uint64_t) high << 32 | low) << (n & 31) >> 32);
}

/* Each digit of @selector is the number of a byte; digit + 8 selects that byte's sign. */
static inline unsigned int
ptx_prmt_b32 (unsigned int low, unsigned int high, unsigned int selector)
{
  const uint64_t both   = (uint64_t) high << 32 | low;
  unsigned int   result = 0;

  for (int i = 0; i < 4; i++)
    {
      const unsigned int digit = selector >> (4 * i);
      const unsigned int byte  = both >> (8 * (digit & 7)) & 255;

      result |= (digit & 8 ? (byte >> 7) * 255 : byte) << (8 * i);
    }
  return result;
}

static inline unsigned int
__byte_perm (unsigned int low, unsigned int high, unsigned int selector)
{
  return ptx_prmt_b32 (low, high, selector & 0x7777);
}

/* Products of two 16-bit numbers and two bytes, the low or the high ones of a word, added up. */
static inline unsigned int
__dp2a_lo (unsigned int numbers, unsigned int bytes, unsigned int sum)
{
  return sum + (numbers & 65535) * (bytes & 255) + (numbers >> 16) * (bytes >> 8 & 255);
}

static inline unsigned int
__dp2a_hi (unsigned int numbers, unsigned int bytes, unsigned int sum)
{
  return __dp2a_lo (numbers, bytes >> 16, sum);
}

/* An operation on each of a word's @N parts, without carries between them. */
#define KERNELS_PACKED(name, N, result) \
  static inline unsigned int \
  name (unsigned int left, unsigned int right) \
  { \
    const int          bits = 32 / N; \
    const unsigned int most = (1u << bits) - 1; \
    unsigned int       all  = 0; \
    for (int i = 0; i < N; i++) \
      { \
        const unsigned int a = left >> (bits * i) & most; \
        const unsigned int b = right >> (bits * i) & most; \
        all |= ((result) & most) << (bits * i); \
      } \
    return all; \
  }

KERNELS_PACKED (__vminu2,   2, a < b ? a : b)
KERNELS_PACKED (__vmaxu2,   2, a > b ? a : b)
KERNELS_PACKED (__vminu4,   4, a < b ? a : b)
KERNELS_PACKED (__vmaxu4,   4, a > b ? a : b)
KERNELS_PACKED (__vcmpeq4,  4, a == b ? most : 0)
KERNELS_PACKED (__vcmpne4,  4, a != b ? most : 0)
KERNELS_PACKED (__vcmpgtu4, 4, a > b ? most : 0)
KERNELS_PACKED (__vsubus4,  4, a > b ? a - b : 0)
KERNELS_PACKED (__vaddus4,  4, a + b > most ? most : a + b)
KERNELS_PACKED (kernels_add2, 2, a + b)

static inline unsigned int
__viaddmin_u16x2 (unsigned int a, unsigned int b, unsigned int c)
{
  return __vminu2 (kernels_add2 (a, b), c);
}


/*  Numbers  */

template <typename To, typename From>
static inline To
kernels_same_bits (From from)
{
  To to = {};

  static_assert (sizeof to >= sizeof from || sizeof from == 8, "");
  memcpy (&to, &from, sizeof to < sizeof from ? sizeof to : sizeof from);
  return to;
}

static inline unsigned int __float_as_uint (float v) { return kernels_same_bits<unsigned int> (v); }
static inline float __uint_as_float (unsigned int v) { return kernels_same_bits<float> (v); }
static inline int __float_as_int (float v)           { return kernels_same_bits<int> (v); }
static inline float __int_as_float (int v)           { return kernels_same_bits<float> (v); }
static inline float __double2float_rn (double v)            { return (float) v; }
static inline float __fmaf_rn (float a, float b, float c)   { return fmaf (a, b, c); }
static inline float __fadd_rn (float a, float b)            { return a + b; }
static inline float __fmul_rn (float a, float b)            { return a * b; }
static inline double __dadd_rn (double a, double b)         { return a + b; }
static inline double __dsub_rn (double a, double b)         { return a - b; }
static inline double __dmul_rn (double a, double b)         { return a * b; }
static inline float __fsqrt_rn (float v)                    { return sqrtf (v); }
static inline double __dsqrt_rn (double v)                  { return sqrt (v); }

/* With a random error up to the permitted one, 2^-22.9 of the result. */
static inline float
ptx_rsqrt_approx_ftz_f32 (float v)
{
  const double error = ((int) (kernels_random () % 2001) - 1000) * 1.2e-10;

  return fabsf (v) < FLT_MIN ? copysignf (INFINITY, v)
                             : (float) (1 / sqrt ((double) v) * (1 + error));
}

template <typename A, typename B>
static inline std::common_type_t<A, B>
min (A a, B b)
{
  typedef std::common_type_t<A, B> C;

  return (C) b < (C) a ? (C) b : (C) a;
}

template <typename A, typename B>
static inline std::common_type_t<A, B>
max (A a, B b)
{
  typedef std::common_type_t<A, B> C;

  return (C) a < (C) b ? (C) b : (C) a;
}


/*  Memory  */

template <typename T> static inline T    __ldg  (const T *p)  { return *p; }
template <typename T> static inline T    __ldca (const T *p)  { return *p; }
template <typename T> static inline T    __ldcg (const T *p)  { return *p; }
template <typename T> static inline T    __ldcs (const T *p)  { return *p; }
template <typename T> static inline T    __ldcv (const T *p)  { return *p; }
template <typename T> static inline void __stcg (T *p, T v)   { *p = v; }
template <typename T> static inline void __stcs (T *p, T v)   { *p = v; }
template <typename T> static inline void __stwt (T *p, T v)   { *p = v; }

static inline void __threadfence ()        {}
static inline void __threadfence_block ()  {}
static inline void __threadfence_system () {}

#define KERNELS_ATOMIC(name, result) \
  template <typename T, typename U> \
  static inline T \
  name (T *at, U given) \
  { \
    const T value = (T) given; \
    const T old   = *at; \
    *at = (result); \
    return old; \
  }

KERNELS_ATOMIC (atomicAdd,  old + value)
KERNELS_ATOMIC (atomicSub,  old - value)
KERNELS_ATOMIC (atomicInc,  old >= value ? 0 : old + 1)
KERNELS_ATOMIC (atomicMin,  value < old ? value : old)
KERNELS_ATOMIC (atomicMax,  old < value ? value : old)
KERNELS_ATOMIC (atomicAnd,  old & value)
KERNELS_ATOMIC (atomicOr,   old | value)
KERNELS_ATOMIC (atomicXor,  old ^ value)
KERNELS_ATOMIC (atomicExch, value)

/* Threads take turns, so that memory is always in order. */
static inline unsigned int
ptx_atom_acquire_gpu_exch_b32 (unsigned int *at, unsigned int value)
{
  return atomicExch (at, value);
}

static inline unsigned int
ptx_atom_acq_rel_gpu_exch_b32 (unsigned int *at, unsigned int value)
{
  return atomicExch (at, value);
}

template <typename T, typename U, typename V>
static inline T
atomicCAS (T *at, U expected, V wanted)
{
  const T old = *at;

  if (old == (T) expected)
    *at = (T) wanted;
  return old;
}


/*  Together with others  */

static inline void
__syncthreads ()
{
  kernels_meet_in_block (KERNELS_BARRIER, false, NULL);
}

static inline int
__syncthreads_or (int v)
{
  return kernels_meet_in_block (KERNELS_BARRIER_OR, v != 0, NULL) > 0;
}

static inline int
__syncthreads_and (int v)
{
  int n;

  return kernels_meet_in_block (KERNELS_BARRIER_AND, v != 0, &n) == n;
}

static inline int
__syncthreads_count (int v)
{
  return kernels_meet_in_block (KERNELS_BARRIER_COUNT, v != 0, NULL);
}

static inline void
__syncwarp (unsigned int mask = 0xffffffffu)
{
  kernels_meet_in_warp (KERNELS_SYNC_WARP, mask, 0);
}

template <typename T>
static inline T
kernels_shuffle (unsigned int mask, T value, int from)
{
  static_assert (sizeof value <= 8, "");
  return kernels_same_bits<T> (kernels_meet_in_warp (KERNELS_SHUFFLE, mask,
                                                     kernels_same_bits<uint64_t> (value)).of[from]);
}

/* In groups of @width lanes; a lane without a source reads its own value. */
template <typename T>
static inline T
__shfl_sync (unsigned int mask, T value, int from, int width = 32)
{
  return kernels_shuffle (mask, value, (kernels_lane () & ~(width - 1)) | (from & (width - 1)));
}

template <typename T>
static inline T
__shfl_up_sync (unsigned int mask, T value, unsigned int by, int width = 32)
{
  const int lane = kernels_lane ();

  return kernels_shuffle (mask, value, (lane & (width - 1)) < (int) by ? lane : lane - (int) by);
}

template <typename T>
static inline T
__shfl_down_sync (unsigned int mask, T value, unsigned int by, int width = 32)
{
  const int lane = kernels_lane ();

  return kernels_shuffle (mask, value,
                          (lane & (width - 1)) + (int) by >= width ? lane : lane + (int) by);
}

template <typename T>
static inline T
__shfl_xor_sync (unsigned int mask, T value, int by, int width = 32)
{
  const int lane = kernels_lane ();

  return kernels_shuffle (mask, value, (lane ^ by) / width > lane / width ? lane : lane ^ by);
}

static inline unsigned int
__ballot_sync (unsigned int mask, int v)
{
  const KernelsValues &values = kernels_meet_in_warp (KERNELS_VOTE, mask, v != 0);
  unsigned int         votes  = 0;

  for (int lane = 0; lane < 32; lane++)
    if (values.lanes >> lane & 1)
      votes |= (unsigned int) values.of[lane] << lane;
  return votes;
}

static inline int
__any_sync (unsigned int mask, int v)
{
  return __ballot_sync (mask, v) != 0;
}

static inline int
__all_sync (unsigned int mask, int v)
{
  return __ballot_sync (mask, v == 0) == 0;
}

#define KERNELS_REDUCE(name, T, result) \
  static inline T \
  name (unsigned int mask, T value) \
  { \
    const KernelsValues &values = kernels_meet_in_warp (KERNELS_REDUCTION, mask, \
                                                        kernels_same_bits<uint64_t> (value)); \
    T                    a      = value; \
    for (int lane = 0; lane < 32; lane++) \
      if (lane != kernels_lane () && values.lanes >> lane & 1) \
        { \
          const T b = kernels_same_bits<T> (values.of[lane]); \
          a = (result); \
        } \
    return a; \
  }

KERNELS_REDUCE (__reduce_add_sync, unsigned int, a + b)
KERNELS_REDUCE (__reduce_min_sync, unsigned int, b < a ? b : a)
KERNELS_REDUCE (__reduce_max_sync, unsigned int, a < b ? b : a)
KERNELS_REDUCE (__reduce_and_sync, unsigned int, a & b)
KERNELS_REDUCE (__reduce_or_sync,  unsigned int, a | b)


/*  Time  */

enum KernelsClock { ptx_globaltimer };

static inline uint64_t
ptx_mov_u64 (KernelsClock)
{
  return kernels_clock ();
}

static inline long long
clock64 ()
{
  return (long long) kernels_clock ();
}

static inline void
__nanosleep (unsigned int)
{
  kernels_sleep ();
}
