/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fuzzer's bytes, from which decisions are taken in turn.  When no bytes are left every
 * decision is 0, so that each prefix of an input is an input, too.
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

/* Called by libFuzzer. */
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

/* Returns a number from 0 to @n − 1; @n is at most 256. */
static inline guint
fuzz_below (FuzzBytes *bytes,
            guint      n)
{
  return fuzz_byte (bytes) % n;
}

/* Returns TRUE in one of @n cases. */
static inline gboolean
fuzz_rarely (FuzzBytes *bytes,
             guint      n)
{
  return fuzz_below (bytes, n) == n - 1;
}

/* Copies up to @size bytes to @value and sets the rest to 0. */
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

/* A condition that must hold for every input; the fuzzer keeps an input that violates it. */
#define fuzz_assert(condition)                                                \
  G_STMT_START                                                                \
    {                                                                         \
      if (! (condition))                                                      \
        g_error ("%s:%d: %s does not hold", __FILE__, __LINE__, #condition);  \
    }                                                                         \
  G_STMT_END

G_END_DECLS
