/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of label-runs.h, compiled for each instruction set.
 *
 * With AVX2 nothing depends on where runs begin but the address at which labels are read and
 * written: eight pixels at a time, the labels of the runs that begin among them are moved together,
 * or each label is moved to the pixels of its run, by a permutation that a table has for the eight
 * bits.  So short and irregular runs take as long as others, and no branch is mispredicted.
 */

#include "config.h"

#include <string.h>

#include "engine/cpu/vector.h"
#include "label-runs.h"

#define WORD 64

#define LANES(bits) (WF_VECTOR_BYTES * 8 / (bits))

/* As far ahead is read: the processor finds the stream of pixels too late by itself. */
#define AHEAD 2048


#ifdef __AVX2__

#define GROUP 8

/* Where no more runs begin in a word, they are taken one by one. */
#define FEW 4

#define LAST_BIT ((guint64) 1 << (WORD - 1))

/* Byte by byte, the numbers of the bits of @m that are set, lowest first. */
#define BIT(m, i)        ((guint64) (m) >> (i) & 1)
#define PUSH(rest, m, i) ((rest) << 8 * BIT (m, i) | (i) * BIT (m, i))
#define PLACES(m) \
  PUSH (PUSH (PUSH (PUSH (PUSH (PUSH (PUSH (PUSH ((guint64) 0, m, 7), m, 6), m, 5), m, 4), m, 3), \
                    m, 2), m, 1), m, 0)

/* Byte i: how many of the bits 1 to i are set. */
#define FROM(i)  (G_GUINT64_CONSTANT (0x0101010101010101) << 8 * (i))
#define RANKS(m) (FROM (1) * BIT (m, 1) + FROM (2) * BIT (m, 2) + FROM (3) * BIT (m, 3) \
                  + FROM (4) * BIT (m, 4) + FROM (5) * BIT (m, 5) + FROM (6) * BIT (m, 6) \
                  + FROM (7) * BIT (m, 7))

#define OF_4(F, m)   F (m), F ((m) + 1), F ((m) + 2), F ((m) + 3)
#define OF_16(F, m)  OF_4 (F, m), OF_4 (F, (m) + 4), OF_4 (F, (m) + 8), OF_4 (F, (m) + 12)
#define OF_64(F, m)  OF_16 (F, m), OF_16 (F, (m) + 16), OF_16 (F, (m) + 32), OF_16 (F, (m) + 48)
#define OF_256(F)    OF_64 (F, 0), OF_64 (F, 64), OF_64 (F, 128), OF_64 (F, 192)

static const guint64 places_of[256] = { OF_256 (PLACES) };
static const guint64 ranks_of[256]  = { OF_256 (RANKS) };

static inline __m256i
widen (const guint64 *bytes)
{
  return _mm256_cvtepu8_epi32 (_mm_loadl_epi64 ((const __m128i *) bytes));
}

#define LOAD_guint8(p)  widen ((const guint64 *) (p))
#define LOAD_guint16(p) _mm256_cvtepu16_epi32 (_mm_loadu_si128 ((const __m128i *) (p)))

/* Writes eight labels, of which those of the bits count. */
#define TAKE_MANY_LABELS(Pixel) \
  for (gint64 k = 0; k < WORD; k += GROUP) \
    { \
      const guint8 m = (guint8) (word >> k); \
\
      _mm256_storeu_si256 ((__m256i *) (labels + n_runs), \
                           _mm256_permutevar8x32_epi32 (LOAD_##Pixel (pixels + x + k), \
                                                        widen (&places_of[m]))); \
      n_runs += __builtin_popcount (m); \
    }

/* Writes FEW labels, of which those of the bits count. */
#define TAKE_FEW_LABELS \
  { \
    guint64 todo = word; \
\
    for (int i = 0; i < FEW; i++, todo &= todo - 1) \
      labels[n_runs + i] = pixels[x + __builtin_ctzll (todo | LAST_BIT)]; \
    n_runs += __builtin_popcountll (word); \
  }

#define TAKE_LABELS(Pixel) \
  if (__builtin_popcountll (word) <= FEW) \
    TAKE_FEW_LABELS \
  else \
    TAKE_MANY_LABELS (Pixel)

#else

#define TAKE_LABELS(Pixel) TAKE_EACH_LABEL

#endif

#define TAKE_EACH_LABEL \
  for (guint64 todo = word; todo; todo &= todo - 1) \
    labels[n_runs++] = pixels[x + __builtin_ctzll (todo)];


/*  Runs are found  */

/* Without instructions for it, the lanes take as long as comparing pixel by pixel. */
#ifdef WF_VECTOR_PLAIN
#define DIFFERENCES(size, v) (wf_any (v) ? (guint64) wf_lanes_##size (v) : 0)
#else
#define DIFFERENCES(size, v) ((guint64) wf_lanes_##size (v))
#endif

/* A word at a time; the first one and the rest are compared pixel by pixel. */
#define DEFINE_FIND(name, Pixel, size) \
static gint64 \
name (gconstpointer  data, \
      gint64         n, \
      guint64       *starts, \
      guint32       *labels) \
{ \
  const Pixel *pixels = data; \
  gint64       n_runs = 0; \
\
  for (gint64 x = 0; x < n; x += WORD) \
    { \
      const gboolean whole = x + WORD <= n; \
      guint64        word  = x == 0; \
\
      for (guint k = 0; k < sizeof (Pixel); k++) \
        __builtin_prefetch ((const char *) (pixels + x) + AHEAD + k * WORD); \
      if (x > 0 && whole) \
        for (guint k = 0; k < WORD; k += LANES (size)) \
          word |= DIFFERENCES (size, wf_xor (wf_load (pixels + x + k), \
                                             wf_load (pixels + x + k - 1))) << k; \
      else \
        for (gint64 k = MAX (x, 1); k < MIN (x + WORD, n); k++) \
          word |= (guint64) (pixels[k] != pixels[k - 1]) << (k - x); \
      starts[x / WORD] = word; \
      if (! word) \
        continue; \
      if (whole) \
        { \
          TAKE_LABELS (Pixel) \
        } \
      else \
        { \
          TAKE_EACH_LABEL \
        } \
    } \
  return n_runs; \
}

DEFINE_FIND (find_u8, guint8, 8)
DEFINE_FIND (find_u16, guint16, 16)


/*  Runs of u32, whose first pixels and highest label are found in the same pass  */

#ifdef __AVX2__
typedef __m256i Few;
#else
typedef WfVector Few;
#endif

#define FEW_LABELS ((int) (sizeof (Few) / sizeof (guint32)))

/**
 * Lists:
 * @labels: of the runs that were found
 * @places: their first pixels; %NULL: they are not listed
 * @n: their number
 * @highest: of the labels, among those of each lane
 * @most: of other labels
 */
typedef struct
{
  guint32 *labels;
  guint32 *places;
  gint64   n;
  Few      highest;
  guint32  most;
} Lists;

static inline void
add_run (Lists         *lists,
         const guint32 *pixels,
         gint64         x)
{
  lists->labels[lists->n] = pixels[x];
  if (lists->places)
    lists->places[lists->n] = (guint32) x;
  lists->n++;
}

/* The bits of up to a word of pixels from @x on. */
static inline guint64
find_pixels (const guint32 *pixels,
             gint64         x,
             gint64         end,
             Lists         *lists)
{
  guint64 word = 0;

  for (gint64 k = x; k < end; k++)
    {
      lists->most = MAX (lists->most, pixels[k]);
      if (k > 0 && pixels[k] == pixels[k - 1])
        continue;
      word |= (guint64) 1 << (k - x);
      add_run (lists, pixels, k);
    }
  return word;
}

#ifdef __AVX2__

/* The bits of eight pixels. */
static inline guint8
find_group (const guint32 *pixels,
            gint64         x,
            Lists         *lists)
{
  const __m256i later  = _mm256_setr_epi32 (0, 0, 1, 2, 3, 4, 5, 6);
  const __m256i here   = _mm256_loadu_si256 ((const __m256i *) (pixels + x));
  const __m256i before = x > 0 ? _mm256_loadu_si256 ((const __m256i *) (pixels + x - 1))
                               : _mm256_permutevar8x32_epi32 (here, later);
  const __m256i same   = _mm256_cmpeq_epi32 (here, before);
  const guint8  m      = (guint8) (~_mm256_movemask_ps (_mm256_castsi256_ps (same)) | (x == 0));
  const __m256i places = widen (&places_of[m]);

  lists->highest = _mm256_max_epu32 (lists->highest, here);
  _mm256_storeu_si256 ((__m256i *) (lists->labels + lists->n),
                       _mm256_permutevar8x32_epi32 (here, places));
  if (lists->places)
    _mm256_storeu_si256 ((__m256i *) (lists->places + lists->n),
                         _mm256_add_epi32 (places, _mm256_set1_epi32 ((int) x)));
  lists->n += __builtin_popcount (m);
  return m;
}

static inline guint64
find_word (const guint32 *pixels,
           gint64         x,
           Lists         *lists)
{
  guint64 word = 0;

  for (int k = 0; k < WORD; k += GROUP)
    word |= (guint64) find_group (pixels, x + k, lists) << k;
  return word;
}

#else

static inline guint64
find_word (const guint32 *pixels,
           gint64         x,
           Lists         *lists)
{
  guint64 word = 0;

  if (x == 0)
    return find_pixels (pixels, x, WORD, lists);
  for (int k = 0; k < WORD; k += FEW_LABELS)
    {
      const WfVector here = wf_load (pixels + x + k);

      lists->highest = wf_max_32 (lists->highest, here);
      word |= DIFFERENCES (32, wf_xor (here, wf_load (pixels + x + k - 1))) << k;
    }
  for (guint64 todo = word; todo; todo &= todo - 1)
    add_run (lists, pixels, x + __builtin_ctzll (todo));
  return word;
}

#endif

static inline gint64
find_lists (const guint32      *pixels,
            gint64              n,
            const WfLabelAhead *ahead,
            guint64            *starts,
            Lists               lists,
            guint32            *highest)
{
  guint32 found[FEW_LABELS];

  for (gint64 x = 0; x < n; x += WORD)
    {
      wf_label_read_ahead (ahead, x);
      starts[x / WORD] = x + WORD <= n ? find_word (pixels, x, &lists)
                                       : find_pixels (pixels, x, n, &lists);
    }
  memcpy (found, &lists.highest, sizeof found);
  for (int k = 0; k < FEW_LABELS; k++)
    lists.most = MAX (lists.most, found[k]);
  *highest = lists.most;
  return lists.n;
}

static gint64
find_u32 (const guint32      *pixels,
          gint64              n,
          const WfLabelAhead *ahead,
          guint64            *starts,
          guint32            *labels,
          guint32            *places,
          guint32            *highest)
{
  if (places)
    return find_lists (pixels, n, ahead, starts, (Lists) { .labels = labels, .places = places },
                       highest);
  return find_lists (pixels, n, ahead, starts, (Lists) { .labels = labels }, highest);
}


/*  Places of runs  */

static void
list_places (const guint64 *starts,
             gint64         n,
             guint32       *places)
{
  gint64 n_runs = 0;

  for (gint64 x = 0; x < n; x += WORD)
    {
      guint64 word = starts[x / WORD];

#ifdef __AVX2__
      if (x + WORD <= n && __builtin_popcountll (word) > FEW)
        {
          for (gint64 k = 0; k < WORD; k += GROUP)
            {
              const guint8 m = (guint8) (word >> k);

              _mm256_storeu_si256 ((__m256i *) (places + n_runs),
                                   _mm256_add_epi32 (widen (&places_of[m]),
                                                     _mm256_set1_epi32 ((int) (x + k))));
              n_runs += __builtin_popcount (m);
            }
          continue;
        }
#endif
      for (; word; word &= word - 1)
        places[n_runs++] = (guint32) (x + __builtin_ctzll (word));
    }
}


/*  Runs are written  */

#ifdef __AVX2__

/* The labels of eight pixels.  @run: the run before them, then the last one among them */
static inline __m256i
spread (const guint32 *labels,
        guint8         m,
        gint64        *run)
{
  const guint32 *first = labels + *run + (m & 1);

  *run += __builtin_popcount (m);
  return _mm256_permutevar8x32_epi32 (_mm256_loadu_si256 ((const __m256i *) first),
                                      widen (&ranks_of[m]));
}

#define SPREAD(i) spread (labels, (guint8) (word >> (k + GROUP * (i))), &run)

#define WRITE_WORD_guint32 \
  for (gint64 k = 0; k < WORD; k += GROUP) \
    _mm256_storeu_si256 ((__m256i *) (pixels + x + k), SPREAD (0));

#define WRITE_WORD_guint16 \
  for (gint64 k = 0; k < WORD; k += 2 * GROUP) \
    { \
      const __m256i a      = SPREAD (0); \
      const __m256i b      = SPREAD (1); \
      const __m256i packed = _mm256_packus_epi32 (a, b); \
\
      _mm256_storeu_si256 ((__m256i *) (pixels + x + k), \
                           _mm256_permute4x64_epi64 (packed, 0xd8)); \
    }

#define WRITE_WORD_guint8 \
  for (gint64 k = 0; k < WORD; k += 4 * GROUP) \
    { \
      const __m256i order  = _mm256_setr_epi32 (0, 4, 1, 5, 2, 6, 3, 7); \
      const __m256i a      = SPREAD (0); \
      const __m256i b      = SPREAD (1); \
      const __m256i c      = SPREAD (2); \
      const __m256i d      = SPREAD (3); \
      const __m256i packed = _mm256_packus_epi16 (_mm256_packus_epi32 (a, b), \
                                                  _mm256_packus_epi32 (c, d)); \
\
      _mm256_storeu_si256 ((__m256i *) (pixels + x + k), \
                           _mm256_permutevar8x32_epi32 (packed, order)); \
    }

#define WRITE_WORD(Pixel) WRITE_WORD_##Pixel

#else

/* Where fewer runs begin in a word, they are filled one by one. */
#define MANY 8

#define WRITE_RUNS \
  for (gint64 k = 0, end; k < WORD; k = end) \
    { \
      const guint64 rest = word >> k >> 1; \
\
      run += word >> k & 1; \
      end  = rest ? k + 1 + __builtin_ctzll (rest) : WORD; \
      for (gint64 i = k; i < end; i++) \
        pixels[x + i] = (Pixel) labels[run]; \
    }

#define WRITE_WORD(Type) \
  if (__builtin_popcountll (word) < MANY) \
    { \
      WRITE_RUNS \
    } \
  else \
    WRITE_EACH_PIXEL (WORD)

#endif

#define WRITE_EACH_PIXEL(n_here) \
  for (gint64 k = 0; k < (n_here); k++) \
    { \
      run          += word >> k & 1; \
      pixels[x + k] = (Pixel) labels[run]; \
    }

#define DEFINE_WRITE(name, Type) \
static void \
name (const guint64 *starts, \
      gint64         n, \
      const guint32 *labels, \
      gpointer       data) \
{ \
  typedef Type Pixel; \
\
  Pixel  *pixels = data; \
  gint64  run    = -1; \
\
  for (gint64 x = 0; x < n; x += WORD) \
    { \
      const guint64 word = starts[x / WORD]; \
\
      if (! word && x + WORD <= n) \
        for (gint64 k = 0; k < WORD; k++) \
          pixels[x + k] = (Pixel) labels[run]; \
      else if (x + WORD <= n) \
        { \
          WRITE_WORD (Type) \
        } \
      else \
        { \
          WRITE_EACH_PIXEL (n - x) \
        } \
    } \
}

DEFINE_WRITE (write_u8, guint8)
DEFINE_WRITE (write_u16, guint16)
DEFINE_WRITE (write_u32, guint32)


const WfLabelSweeps WF_SIMD_TABLE (wf_label_sweeps) =
{
  .find_u8     = find_u8,
  .find_u16    = find_u16,
  .find_u32    = find_u32,
  .write_u8    = write_u8,
  .write_u16   = write_u16,
  .write_u32   = write_u32,
  .list_places = list_places,
};
