/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A set of labels: bits in pages of 512 labels, of which there are those that hold a label.  Labels
 * that count from 1 take little more than a bit each, and labels that are far apart 128 bytes.
 * Neighbours and rows have the same labels again and again, which a small table of recent ones
 * finds without a look into the pages.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "label-set.h"

#define PAGE_LABELS 512

/* Of a page with its place in the table, about. */
#define PAGE_BYTES 128

#define N_RECENT 4096

typedef struct
{
  guint64 bits[PAGE_LABELS / 64];
} Page;


/* @limit: bytes that the pages may take; 0: not known */
void
wf_label_set_init (WfLabelSet *set,
                   guint64     limit)
{
  *set = (WfLabelSet) {
    .limit  = limit,
    .pages  = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .recent = g_new0 (guint32, N_RECENT),
  };
}

void
wf_label_set_clear (WfLabelSet *set)
{
  g_clear_pointer (&set->pages, g_hash_table_unref);
  g_clear_pointer (&set->recent, g_free);
}

static Page *
make_page (WfLabelSet  *set,
           guint32      number,
           GError     **error)
{
  const guint64    bytes = (g_hash_table_size (set->pages) + (guint64) 1) * PAGE_BYTES;
  g_autofree char *text  = NULL;
  Page            *page;

  if (set->limit > 0 && bytes > set->limit)
    {
      text = g_format_size (set->limit);
      g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                   _("The markers have so many labels that counting them takes more than %s of "
                     "memory."), text);
      return NULL;
    }
  page = wf_allocate (1, sizeof (Page), error);
  if (! page)
    return NULL;
  *page = (Page) { { 0 } };
  g_hash_table_insert (set->pages, GUINT_TO_POINTER (number), page);
  return page;
}

static gboolean
add_label (WfLabelSet  *set,
           guint32      label,
           GError     **error)
{
  const guint32  number = label / PAGE_LABELS;
  const guint32  at     = label % PAGE_LABELS;
  const guint64  bit    = G_GUINT64_CONSTANT (1) << at % 64;
  Page          *page   = g_hash_table_lookup (set->pages, GUINT_TO_POINTER (number));

  if (! page && ! (page = make_page (set, number, error)))
    return FALSE;
  set->n                        += (page->bits[at / 64] & bit) == 0;
  page->bits[at / 64]           |= bit;
  set->recent[label % N_RECENT]  = label;
  return TRUE;
}

gboolean
wf_label_set_add (WfLabelSet     *set,
                  const guint32  *labels,
                  gint64          n,
                  GError        **error)
{
  for (gint64 i = 0; i < n; i++)
    if (labels[i] != 0 && set->recent[labels[i] % N_RECENT] != labels[i] &&
        ! add_label (set, labels[i], error))
      return FALSE;
  return TRUE;
}


/*  Several ranks  */

/* A page as it is sent. */
typedef struct
{
  guint64 number;
  Page    page;
} SentPage;

static gboolean
add_page (WfLabelSet      *set,
          const SentPage  *sent,
          GError         **error)
{
  Page *page = g_hash_table_lookup (set->pages, GUINT_TO_POINTER ((guint32) sent->number));

  if (! page && ! (page = make_page (set, sent->number, error)))
    return FALSE;
  for (int i = 0; i < PAGE_LABELS / 64; i++)
    {
      set->n        += __builtin_popcountll (sent->page.bits[i] & ~page->bits[i]);
      page->bits[i] |= sent->page.bits[i];
    }
  return TRUE;
}

static gboolean
receive_set (WfLabelSet      *set,
             WfCommunicator  *ranks,
             guint            from,
             GError         **error)
{
  SentPage sent;
  gint64   n;

  if (! wf_ranks_receive (ranks, from, &n, 1, sizeof n, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (! wf_ranks_receive (ranks, from, &sent, 1, sizeof sent, error) ||
        ! add_page (set, &sent, error))
      return FALSE;
  return TRUE;
}

static gboolean
send_set (const WfLabelSet  *set,
          WfCommunicator    *ranks,
          guint              to,
          GError           **error)
{
  const gint64   n = g_hash_table_size (set->pages);
  GHashTableIter iter;
  gpointer       number, page;

  if (! wf_ranks_send (ranks, to, &n, 1, sizeof n, error))
    return FALSE;
  g_hash_table_iter_init (&iter, set->pages);
  while (g_hash_table_iter_next (&iter, &number, &page))
    {
      const SentPage sent = { GPOINTER_TO_UINT (number), *(const Page *) page };

      if (! wf_ranks_send (ranks, to, &sent, 1, sizeof sent, error))
        return FALSE;
    }
  return TRUE;
}

/* How many labels there are in the sets of all ranks, which join in the first one's. */
gboolean
wf_label_set_count (WfLabelSet      *set,
                    WfCommunicator  *ranks,
                    gint64          *n,
                    GError         **error)
{
  const guint rank = wf_ranks_are_several (ranks) ? wf_communicator_get_rank (ranks) : 0;
  guint       step = 1;

  for (; wf_ranks_are_several (ranks) && step < wf_communicator_get_n_ranks (ranks) &&
         ! (rank & step); step <<= 1)
    if (rank + step < wf_communicator_get_n_ranks (ranks) &&
        ! receive_set (set, ranks, rank + step, error))
      return FALSE;
  if (rank > 0 && ! send_set (set, ranks, rank - step, error))
    return FALSE;
  *n = rank == 0 ? set->n : 0;
  return wf_ranks_sum (ranks, n, 1, error);
}
