/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Mnemonics that lead to one place each.
 *
 * A dialog is put together from rows that were described without knowledge of
 * each other, and translated one by one; so two labels may well want the same
 * letter, or that of a button of the dialog.  The first one gets it, the others
 * take another letter of theirs.
 */

#include "config.h"

#include <string.h>

#include "mnemonics.h"

typedef struct
{
  GtkWidget  *content;
  GHashTable *taken;
  GPtrArray  *labels;
} Survey;


/* The letters of mnemonics are compared without regard to case, as GTK does. */
static gpointer
key_of (gunichar letter)
{
  return GUINT_TO_POINTER (g_unichar_tolower (letter));
}

static gboolean
has_mnemonic (GtkLabel *label)
{
  return gtk_label_get_use_underline (label) &&
         gtk_label_get_mnemonic_keyval (label) != GDK_KEY_VoidSymbol;
}

static gunichar
mnemonic_of (GtkLabel *label)
{
  return gdk_keyval_to_unicode (gtk_label_get_mnemonic_keyval (label));
}

static void
survey (GtkWidget *widget,
        gpointer   data)
{
  Survey *all = data;

  if (! widget)
    return;

  if (GTK_IS_LABEL (widget) && has_mnemonic (GTK_LABEL (widget)))
    {
      if (widget == all->content || gtk_widget_is_ancestor (widget, all->content))
        g_ptr_array_add (all->labels, widget);
      else
        g_hash_table_add (all->taken, key_of (mnemonic_of (GTK_LABEL (widget))));
    }
  if (GTK_IS_EXPANDER (widget))
    {
      /* from the top to the bottom; GTK has it the other way round */
      survey (gtk_expander_get_label_widget (GTK_EXPANDER (widget)), data);
      survey (gtk_bin_get_child (GTK_BIN (widget)), data);
    }
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), survey, data);
}

/* The first letter of a word, else any letter, that nobody has taken. */
static const char *
find_free_letter (const char *text,
                  GHashTable *taken)
{
  for (int only_first = 1; only_first >= 0; only_first--)
    {
      gboolean first = TRUE;

      for (const char *p = text; *p; p = g_utf8_next_char (p))
        {
          gunichar letter = g_utf8_get_char (p);
          gboolean usable = g_unichar_isalnum (letter);

          if (usable && (first || ! only_first) &&
              ! g_hash_table_contains (taken, key_of (letter)))
            return p;
          first = ! usable;
        }
    }
  return NULL;
}

/* Without a free letter the label goes without a mnemonic. */
static void
move_mnemonic (GtkLabel   *label,
               GHashTable *taken)
{
  g_autofree char *text   = g_strdup (gtk_label_get_text (label));
  const char      *letter = find_free_letter (text, taken);
  GString         *marked = g_string_new (NULL);

  for (const char *p = text; *p; p = g_utf8_next_char (p))
    {
      if (p == letter || *p == '_')
        g_string_append_c (marked, '_');
      g_string_append_unichar (marked, g_utf8_get_char (p));
    }
  gtk_label_set_text_with_mnemonic (label, marked->str);
  g_string_free (marked, TRUE);
  if (letter)
    g_hash_table_add (taken, key_of (g_utf8_get_char (letter)));
}

/**
 * wf_mnemonics_make_unique:
 * @window: a window
 * @content: a part of it
 *
 * Gives each label in @content a mnemonic that no other label of @window has;
 * labels outside @content keep theirs.
 */
void
wf_mnemonics_make_unique (GtkWidget *window,
                          GtkWidget *content)
{
  g_autoptr (GHashTable) taken  = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray)  labels = g_ptr_array_new ();
  Survey                 all    = { content, taken, labels };

  g_return_if_fail (GTK_IS_WIDGET (window) && GTK_IS_WIDGET (content));

  survey (window, &all);

  /* Those that can stay do so before any other looks for a free letter. */
  for (guint i = 0; i < labels->len; i++)
    if (g_hash_table_add (taken, key_of (mnemonic_of (labels->pdata[i]))))
      labels->pdata[i] = NULL;
  for (guint i = 0; i < labels->len; i++)
    if (labels->pdata[i])
      move_mnemonic (labels->pdata[i], taken);
}
