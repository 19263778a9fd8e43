/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fuzzer's bytes, taken one decision at a time.  When they are used up every
 * decision is 0, so that each prefix of an input is an input.
 */

#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const guint8 *next;
  gsize         left;
} FuzzBytes;

/* What libFuzzer calls. */
int LLVMFuzzerInitialize   (int          *argc,
                            char       ***argv);
int LLVMFuzzerTestOneInput (const guint8 *data,
                            gsize         size);

static inline guint8
fuzz_byte (FuzzBytes *bytes)
{
  if (bytes->left == 0)
    return 0;
  bytes->left--;
  return *bytes->next++;
}

/* From 0 up to but without @n, at most 256. */
static inline guint
fuzz_below (FuzzBytes *bytes,
            guint      n)
{
  return fuzz_byte (bytes) % n;
}

/* Whether the rarer thing happens: once in @n. */
static inline gboolean
fuzz_rarely (FuzzBytes *bytes,
             guint      n)
{
  return fuzz_below (bytes, n) == n - 1;
}

/* As many bytes as there are, of @size; the rest is 0. */
static inline void
fuzz_take (FuzzBytes *bytes,
           gpointer   value,
           gsize      size)
{
  gsize taken = MIN (size, bytes->left);

  memset (value, 0, size);
  if (taken)
    memcpy (value, bytes->next, taken);
  bytes->next += taken;
  bytes->left -= taken;
}

/* What must hold whatever the input: the fuzzer keeps the input that breaks it. */
#define fuzz_assert(condition)                                                \
  G_STMT_START                                                                \
    {                                                                         \
      if (! (condition))                                                      \
        g_error ("%s:%d: %s does not hold", __FILE__, __LINE__, #condition);  \
    }                                                                         \
  G_STMT_END

G_END_DECLS
