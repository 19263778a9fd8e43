/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "nearest-word.h"

/* Longer ones are no slips of the finger. */
#define MAX_LENGTH 64

/* Letters for which one may be wrong. */
#define LETTERS_A_SLIP 3


/* Letters to be inserted, removed, replaced or exchanged with the next one, each counted once: the
 * distance of Damerau with the restriction that no letter changes twice.
 */
static guint
count_slips (const char *a,
             const char *b)
{
  const guint n                                = (guint) strlen (a);
  const guint m                                = (guint) strlen (b);
  guint       slips[MAX_LENGTH + 1][MAX_LENGTH + 1];

  for (guint i = 0; i <= n; i++)
    for (guint j = 0; j <= m; j++)
      {
        if (i == 0 || j == 0)
          {
            slips[i][j] = i + j;
            continue;
          }
        slips[i][j] = MIN (MIN (slips[i - 1][j], slips[i][j - 1]) + 1,
                           slips[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          slips[i][j] = MIN (slips[i][j], slips[i - 2][j - 2] + 1);
      }
  return slips[n][m];
}

/**
 * nearest_word:
 * @word: what was written
 * @words: what could have been, strings
 *
 * Returns: (transfer none) (nullable): the word that is meant: the first of those with the fewest
 *   slips, if these are few, or the only one that begins like it
 */
const char *
nearest_word (const char      *word,
              const GPtrArray *words)
{
  const char *nearest = NULL;
  const char *begun   = NULL;
  guint       n_begun = 0;
  guint       fewest  = (guint) MIN (strlen (word), MAX_LENGTH) / LETTERS_A_SLIP + 1;

  if (*word == '\0' || strlen (word) > MAX_LENGTH)
    return NULL;
  for (guint i = 0; i < words->len; i++)
    {
      const char  *other = words->pdata[i];
      const guint  slips = strlen (other) <= MAX_LENGTH ? count_slips (word, other) : G_MAXUINT;

      if (slips < fewest)
        {
          fewest  = slips;
          nearest = other;
        }
      if (g_str_has_prefix (other, word))
        {
          begun = other;
          n_begun++;
        }
    }
  return nearest ? nearest : n_begun == 1 ? begun : NULL;
}
