/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A string that was seen before is written as its code; each code that is written gives a code to
 * the string and the byte after it.  Codes have 9 to 12 bits, the most significant bit first.  When
 * almost all are in use, the table begins anew.
 *
 * A code has one bit more as soon as the last code of the shorter length is given away, which is
 * one code earlier than needed: the “early change” that all readers of TIFF expect.
 *
 * Strings are found by a hash table of prefix and byte.  A slot has the number of the table for
 * which it was filled, so that a new one costs nothing.
 *
 * Source: TIFF 6.0, section 13.
 */

#include "config.h"

#include "lzw.h"

#define CLEAR      256
#define END        257
#define FIRST_FREE 258
#define MIN_BITS   9
#define MAX_BITS   12

/* After this many codes the table begins anew. */
#define FULL ((1u << MAX_BITS) - 2)

#define SLOT_BITS 13
#define N_SLOTS   (1u << SLOT_BITS)

/**
 * Slot:
 * @table: the number of the table that it belongs to
 * @key: the code of the prefix, and the byte after it
 * @code: of the string
 */
typedef struct
{
  guint32 table;
  guint32 key;
  guint32 code;
} Slot;

struct _LzwTable
{
  guint32 number;
  Slot    slots[N_SLOTS];
};

G_STATIC_ASSERT (sizeof (struct _LzwTable) <= LZW_TABLE_BYTES);

/* Bits on their way out. */
typedef struct
{
  guint8  *out;
  guint32  bits;
  guint    n;
} Writer;


LzwTable *
lzw_table_new (void)
{
  return g_try_new0 (LzwTable, 1);
}

void
lzw_table_free (LzwTable *table)
{
  g_free (table);
}

/**
 * lzw_bound:
 * @n: bytes
 *
 * Returns: as many bytes as they take at most: a code for each of them, one that begins the table
 *   anew for every 3,000 and more, and those at the ends
 */
gsize
lzw_bound (gsize n)
{
  return n + n / 2 + n / 1024 + 16;
}

static void
put (Writer  *writer,
     guint32  code,
     guint    n_bits)
{
  writer->bits = writer->bits << n_bits | code;
  writer->n   += n_bits;
  for (; writer->n >= 8; writer->n -= 8)
    *writer->out++ = (guint8) (writer->bits >> (writer->n - 8));
}

/* The slot of a string, or the free one where it belongs. */
static Slot *
find_slot (LzwTable *table,
           guint32   key)
{
  guint32 i = key * 2654435761u >> (32 - SLOT_BITS);

  while (table->slots[i].table == table->number && table->slots[i].key != key)
    i = (i + 1) % N_SLOTS;
  return &table->slots[i];
}

/* Slots of tables before are free. */
static void
begin_table (LzwTable *table)
{
  if (++table->number == 0)
    {
      for (guint i = 0; i < N_SLOTS; i++)
        table->slots[i].table = 0;
      table->number = 1;
    }
}

/* A code was given away: the length of the next, or 0 if the table is full. */
static guint
find_bits (guint32 next,
           guint   n_bits)
{
  if (next == FULL)
    return 0;
  return next > (1u << n_bits) - 1 ? n_bits + 1 : n_bits;
}

/**
 * lzw_compress:
 * @table: working memory of one thread
 * @bytes: what is compressed
 * @n: how many; at least 1
 * @out: room for lzw_bound() bytes
 *
 * Returns: how many were written
 */
gsize
lzw_compress (LzwTable     *table,
              const guint8 *bytes,
              gsize         n,
              guint8       *out)
{
  Writer  writer = { .out = out };
  guint32 prefix = bytes[0];
  guint32 next   = FIRST_FREE;
  guint   n_bits = MIN_BITS;

  begin_table (table);
  put (&writer, CLEAR, n_bits);
  for (gsize i = 1; i <= n; i++)
    {
      const guint32 key  = i < n ? prefix << 8 | bytes[i] : 0;
      Slot         *slot = i < n ? find_slot (table, key) : NULL;

      if (slot && slot->table == table->number)
        {
          prefix = slot->code;
          continue;
        }
      put (&writer, prefix, n_bits);
      if (slot)
        *slot = (Slot) { table->number, key, next };
      /* readers count a code after the last one, too */
      if (find_bits (++next, n_bits) == 0)
        {
          put (&writer, CLEAR, n_bits);
          begin_table (table);
          next   = FIRST_FREE;
          n_bits = MIN_BITS;
        }
      else
        n_bits = find_bits (next, n_bits);
      prefix = i < n ? bytes[i] : 0;
    }
  put (&writer, END, n_bits);
  if (writer.n > 0)
    put (&writer, 0, 8 - writer.n);
  return (gsize) (writer.out - out);
}
