/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The mean color of each region, whose pixels are added row by row, as they are read.
 *
 * Pixels are weighted by their opacity, as transparent pixels have no color; the mean itself is
 * opaque.  A region without any opaque pixel is transparent.
 *
 * The sum of a region is made by one thread, in the order of its pixels: so it has the same bits
 * with any number of threads.  For that each thread goes over all labels, and adds the runs of
 * those that are its own: labels are 4 bytes a pixel of 8 to 20 that are read.
 */

#include "config.h"

#include <string.h>

#include <omp.h>

#include "engine/core/context-private.h"

/* Fewer pixels are added by one thread. */
#define MANY_PIXELS (1 << 16)

/**
 * WfMeanColors:
 * @highest: the largest label
 * @sums: for each label red, green and blue, times opacity, and opacity
 * @of_byte: components of 8 bits as floats
 */
struct _WfMeanColors
{
  guint32   highest;
  double (* sums)[4];
  double    of_byte[G_MAXUINT8 + 1];
};

typedef struct
{
  WfType        type;
  gconstpointer colors;
  guint         n_components;
} Pixels;


/**
 * wf_mean_colors_new:
 * @context: (nullable): whose memory limit counts; %NULL: that of the machine
 * @highest: the largest label
 * @error: %WF_ERROR_MEMORY
 *
 * Prepares the means of regions with labels from 0 to @highest.  Memory: 32 bytes for each label.
 *
 * Returns: (transfer full) (nullable): sums without pixels, to be freed by wf_mean_colors_free()
 */
WfMeanColors *
wf_mean_colors_new (WfContext  *context,
                    guint32     highest,
                    GError    **error)
{
  g_autoptr (WfContext)    own   = wf_context_ensure (context);
  g_autoptr (WfMeanColors) means = g_new0 (WfMeanColors, 1);
  const gint64             n     = (gint64) highest + 1;

  if (! wf_context_allow_memory (own, (guint64) n * sizeof *means->sums, error) ||
      ! (means->sums = wf_allocate_zeroed (n, sizeof *means->sums, error)))
    return NULL;
  means->highest = highest;
  for (int byte = 0; byte <= G_MAXUINT8; byte++)
    means->of_byte[byte] = (float) byte / (float) G_MAXUINT8;
  return g_steal_pointer (&means);
}

/**
 * wf_mean_colors_free:
 * @means: (transfer full): sums
 *
 * Frees them.
 */
void
wf_mean_colors_free (WfMeanColors *means)
{
  g_free (means->sums);
  g_free (means);
}

/* Two sums are in a line of the cache. */
static gboolean
is_own (guint32 label,
        guint32 thread,
        guint32 n_threads)
{
  return label / 2 % n_threads == thread;
}

/* @value: of component @c of a pixel at @pixel, as a double that holds a float */
#define ADD_RUN(Type, value) \
  static inline __attribute__ ((always_inline)) void \
  add_##Type (double       *sum, \
              const double *of_byte, \
              const Type   *pixel, \
              gint64        n, \
              guint         n_components) \
  { \
    const guint    green  = n_components > 2 ? 1 : 0; \
    const gboolean alpha  = n_components % 2 == 0; \
    double         own[4] = { sum[0], sum[1], sum[2], sum[3] }; \
\
    for (gint64 i = 0; i < n; i++, pixel += n_components) \
      { \
        const double opacity = alpha ? value (n_components - 1) : 1; \
\
        for (guint c = 0; c < 3; c++) \
          own[c] += opacity * value (c * green); \
        own[3] += opacity; \
      } \
    memcpy (sum, own, sizeof own); \
  }

#define OF_BYTE(c)  of_byte[pixel[c]]
#define OF_SHORT(c) (double) ((float) pixel[c] / (float) G_MAXUINT16)
#define OF_FLOAT(c) (double) pixel[c]

ADD_RUN (guint8, OF_BYTE)
ADD_RUN (guint16, OF_SHORT)
ADD_RUN (float, OF_FLOAT)

/* Numbers of components are constants, for which loops are made. */
#define ADD_OF(Type) \
  { \
    const Type *pixel = (const Type *) pixels->colors + first * pixels->n_components; \
\
    if (pixels->n_components == 1) \
      add_##Type (sum, means->of_byte, pixel, n, 1); \
    else if (pixels->n_components == 2) \
      add_##Type (sum, means->of_byte, pixel, n, 2); \
    else if (pixels->n_components == 3) \
      add_##Type (sum, means->of_byte, pixel, n, 3); \
    else \
      add_##Type (sum, means->of_byte, pixel, n, 4); \
  }

static void
add_run (const WfMeanColors *means,
         guint32             label,
         const Pixels       *pixels,
         gint64              first,
         gint64              n)
{
  double *sum = means->sums[label];

  switch (pixels->type)
    {
    case WF_TYPE_U8:
      ADD_OF (guint8)
      break;
    case WF_TYPE_U16:
      ADD_OF (guint16)
      break;
    default:
      ADD_OF (float)
      break;
    }
}

/* Adds the pixels of the labels that are a thread's own. */
static void
add_own (const WfMeanColors *means,
         const guint32      *labels,
         const Pixels       *pixels,
         gint64              n,
         guint32             thread,
         guint32             n_threads)
{
  gint64 end;

  for (gint64 first = 0; first < n; first = end)
    {
      const guint32 label = labels[first];

      for (end = first + 1; end < n && labels[end] == label; end++)
        ;
      if (is_own (label, thread, n_threads))
        add_run (means, label, pixels, first, end - first);
    }
}

/**
 * wf_mean_colors_add:
 * @means: sums
 * @labels: (array length=n): of the pixels, none above the highest
 * @type: u8, u16 or f32; white and opaque are 255, 65535 or 1
 * @colors: the components of the pixels
 * @n_components: of each: gray, or red, green and blue, and alpha if they are 2 or 4
 * @n: the number of pixels
 *
 * Adds pixels; components count as they are stored.  All calls for the same @means make the sums of
 * all pixels, in their order.
 *
 * Time: linear in the pixels; many are added by all processors.
 */
void
wf_mean_colors_add (WfMeanColors  *means,
                    const guint32 *labels,
                    WfType         type,
                    gconstpointer  colors,
                    guint          n_components,
                    gint64         n)
{
  const Pixels pixels = { type, colors, n_components };

  g_return_if_fail (type == WF_TYPE_U8 || type == WF_TYPE_U16 || type == WF_TYPE_F32);
  g_return_if_fail (n_components >= 1 && n_components <= 4);

#pragma omp parallel if (n >= MANY_PIXELS)
  add_own (means, labels, &pixels, n, (guint32) omp_get_thread_num (),
           (guint32) omp_get_num_threads ());
}

/**
 * wf_mean_colors_get:
 * @means: sums
 * @label: of a region
 * @mean: (out caller-allocates) (array fixed-size=4): set to red, green, blue and alpha, of which
 *   alpha is 1, or all are 0 without an opaque pixel
 *
 * Gets the mean color of the pixels so far.
 */
void
wf_mean_colors_get (const WfMeanColors *means,
                    guint32             label,
                    float              *mean)
{
  const double *sum;

  g_return_if_fail (label <= means->highest);

  sum = means->sums[label];
  for (int c = 0; c < 3; c++)
    mean[c] = sum[3] > 0 ? (float) (sum[c] / sum[3]) : 0;
  mean[3] = sum[3] > 0;
}
