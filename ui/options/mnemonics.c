/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes the mnemonics of a dialog unique.
 *
 * The rows of a dialog are described and translated independently, so two labels may want
 * the same letter, or that of a button of the dialog.  The first one gets it, the others
 * take another of their letters.  If all letters of a label are taken, a label that has one
 * of them moves to another of its own, and so on: an augmenting path, as in any bipartite
 * matching.  So a label has no mnemonic only if that is unavoidable.
 *
 * Pages of a notebook are never visible together, so labels on different pages may have the
 * same letter.  Only letters on keyboards are used; texts in scripts that need an input
 * method get a Latin letter in brackets, as in “高さ(_H)”, which may be any, or a digit where
 * all letters are taken.
 */

#include "config.h"

#include <string.h>

#include "mnemonics.h"

/**
 * Claim:
 * @label: that wants a mnemonic
 * @text: its text, without marks
 * @mark: the place of the mnemonic, or of the letter in brackets, in @text
 * @bracketed: whether @mark is a letter in brackets, which can be replaced by any
 * @page: the page of a notebook that contains it, or %NULL
 * @rank: lower ones choose first
 * @letter: its present one, in lower case, or 0
 */
typedef struct
{
  GtkLabel  *label;
  char      *text;
  char      *mark;
  gboolean   bracketed;
  GtkWidget *page;
  int        rank;
  gunichar   letter;
} Claim;

/* Labels outside the content, which do not change; labels that are visible with every page,
 * for which a letter is hardest to find; labels on one page; and labels that are hidden with
 * the present settings, which take what is left.
 */
enum { OUTSIDE, ALWAYS_SEEN, ON_A_PAGE, HIDDEN, N_RANKS };

typedef struct
{
  GtkWidget *content;
  GArray    *claims;
  int        least;    /* the lowest rank whose labels may be moved */
} Survey;


/*  Texts  */

/* Letters of mnemonics are compared without regard to case, as GTK does. */
static gpointer
key_of (gunichar letter)
{
  return GUINT_TO_POINTER (letter);
}

static gboolean
is_on_keyboards (gunichar letter)
{
  switch (g_unichar_get_script (letter))
    {
    case G_UNICODE_SCRIPT_HAN:
    case G_UNICODE_SCRIPT_HIRAGANA:
    case G_UNICODE_SCRIPT_KATAKANA:
    case G_UNICODE_SCRIPT_HANGUL:
    case G_UNICODE_SCRIPT_BOPOMOFO:
      return FALSE;
    default:
      return g_unichar_isalnum (letter);
    }
}

static gboolean
has_letters (const char *text)
{
  for (; *text; text = g_utf8_next_char (text))
    if (is_on_keyboards (g_utf8_get_char (text)))
      return TRUE;
  return FALSE;
}

static void
add_brackets (Claim *claim)
{
  char *text = g_strconcat (claim->text, "(A)", NULL);

  g_free (claim->text);
  claim->text      = text;
  claim->mark      = text + strlen (text) - strlen ("A)");
  claim->bracketed = TRUE;
}

/* Removes the marks from a label's text, as GTK does. */
static void
read_text (Claim *claim)
{
  const char *marked = gtk_label_get_label (claim->label);
  char       *end;

  claim->text = end = g_malloc (strlen (marked) + 1);
  claim->mark = NULL;
  for (; *marked; marked++)
    {
      if (*marked == '_' && marked[1])
        {
          marked++;
          if (*marked != '_' && ! claim->mark)
            claim->mark = end;
        }
      *end++ = *marked;
    }
  *end = '\0';
  claim->bracketed = claim->mark && claim->mark > claim->text &&
                     claim->mark[-1] == '(' && claim->mark[0] && claim->mark[1] == ')';
  if (! has_letters (claim->text))
    add_brackets (claim);
}

static gunichar
letter_at (const char *place)
{
  return g_unichar_tolower (g_utf8_get_char (place));
}

/* The best place for the letter: the marked one, or else the beginning of a word. */
static const char *
find_place (const Claim *claim)
{
  const char *place = NULL;
  gboolean    first = TRUE;

  if (! claim->letter || letter_at (claim->mark) == claim->letter)
    return claim->letter ? claim->mark : NULL;
  for (const char *p = claim->text; *p; p = g_utf8_next_char (p))
    {
      if (letter_at (p) == claim->letter && (first || ! place))
        {
          place = p;
          if (first)
            break;
        }
      first = ! g_unichar_isalnum (g_utf8_get_char (p));
    }
  return place;
}

static void
show (const Claim *claim)
{
  GString    *marked;
  const char *place;

  if (letter_at (claim->mark) == claim->letter && ! claim->bracketed)
    return;

  marked = g_string_new (NULL);
  if (claim->bracketed && claim->letter)
    *claim->mark = g_ascii_toupper ((char) claim->letter);
  place = find_place (claim);
  for (const char *p = claim->text; *p; p = g_utf8_next_char (p))
    {
      if (*p == '_' || p == place)
        g_string_append_c (marked, '_');
      g_string_append_unichar (marked, g_utf8_get_char (p));
    }
  gtk_label_set_text_with_mnemonic (claim->label, marked->str);
  g_string_free (marked, TRUE);
}


/*  Collecting labels  */

static GtkWidget *
find_page (GtkWidget *widget)
{
  GtkWidget *parent;

  for (; (parent = gtk_widget_get_parent (widget)); widget = parent)
    if (GTK_IS_NOTEBOOK (parent) && gtk_notebook_page_num (GTK_NOTEBOOK (parent), widget) >= 0)
      return widget;
  return NULL;
}

static gboolean
is_hidden (GtkWidget *widget)
{
  for (; widget && ! GTK_IS_WINDOW (widget); widget = gtk_widget_get_parent (widget))
    if (! gtk_widget_get_visible (widget))
      return TRUE;
  return FALSE;
}

static void
add_claim (Survey   *all,
           GtkLabel *label)
{
  GtkWidget *widget = GTK_WIDGET (label);
  Claim      claim  = { .label = label, .page = find_page (widget) };

  if (widget != all->content && ! gtk_widget_is_ancestor (widget, all->content))
    claim.rank = OUTSIDE;
  else if (is_hidden (widget))
    claim.rank = HIDDEN;
  else
    claim.rank = claim.page ? ON_A_PAGE : ALWAYS_SEEN;
  read_text (&claim);
  g_array_append_val (all->claims, claim);
}

static gboolean
has_mnemonic (GtkLabel *label)
{
  return gtk_label_get_use_underline (label) &&
         gtk_label_get_mnemonic_keyval (label) != GDK_KEY_VoidSymbol;
}

static void
survey (GtkWidget *widget,
        gpointer   data)
{
  Survey *all = data;

  if (! widget)
    return;

  if (GTK_IS_LABEL (widget) && has_mnemonic (GTK_LABEL (widget)))
    add_claim (all, GTK_LABEL (widget));
  if (GTK_IS_EXPANDER (widget))
    {
      /* from top to bottom; GTK goes the other way */
      survey (gtk_expander_get_label_widget (GTK_EXPANDER (widget)), data);
      survey (gtk_bin_get_child (GTK_BIN (widget)), data);
    }
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), survey, data);
}


/*  Assigning letters  */

static gboolean
are_seen_together (const Claim *one,
                   const Claim *other)
{
  return ! one->page || ! other->page || one->page == other->page;
}

static gboolean
is_free (const Survey *all,
         const Claim  *claim,
         gunichar      letter)
{
  for (guint i = 0; i < all->claims->len; i++)
    {
      const Claim *other = &g_array_index (all->claims, Claim, i);

      if (other->letter == letter && are_seen_together (claim, other))
        return FALSE;
    }
  return TRUE;
}

/* The letters for a label, best first: the marked one, first letters of words, all others. */
static GArray *
list_letters (const Claim *claim)
{
  GArray *letters = g_array_new (FALSE, FALSE, sizeof (gunichar));

  if (claim->bracketed)
    {
      gunichar letter = letter_at (claim->mark);

      g_array_append_val (letters, letter);
      for (letter = 'a'; letter <= 'z'; letter++)
        g_array_append_val (letters, letter);
      for (letter = '1'; letter <= '9'; letter++)
        g_array_append_val (letters, letter);
      return letters;
    }
  for (int only_first = 1; only_first >= 0; only_first--)
    {
      gboolean first = TRUE;

      for (const char *p = claim->text; *p; p = g_utf8_next_char (p))
        {
          const gunichar letter = letter_at (p);

          if (is_on_keyboards (letter) && (first || ! only_first))
            g_array_append_val (letters, letter);
          first = ! g_unichar_isalnum (letter);
        }
    }
  return letters;
}

static gboolean find_letter (Survey     *all,
                             Claim      *claim,
                             GHashTable *tried);

/* Moves labels that have @letter and are visible together with @claim to other letters. */
static gboolean
clear_letter (Survey      *all,
              const Claim *claim,
              gunichar     letter,
              GHashTable  *tried)
{
  for (guint i = 0; i < all->claims->len; i++)
    {
      Claim *other = &g_array_index (all->claims, Claim, i);

      if (other != claim && other->letter == letter && are_seen_together (claim, other) &&
          (other->rank < all->least || ! find_letter (all, other, tried)))
        return FALSE;
    }
  return TRUE;
}

static void
copy_letters (Survey   *all,
              gunichar *letters,
              gboolean  back)
{
  for (guint i = 0; i < all->claims->len; i++)
    {
      Claim *claim = &g_array_index (all->claims, Claim, i);

      if (back)
        claim->letter = letters[i];
      else
        letters[i] = claim->letter;
    }
}

static gboolean
take_from_others (Survey       *all,
                  Claim        *claim,
                  const GArray *letters,
                  GHashTable   *tried)
{
  g_autofree gunichar *before = g_new (gunichar, all->claims->len);

  copy_letters (all, before, FALSE);
  for (guint i = 0; i < letters->len; i++)
    {
      const gunichar letter = g_array_index (letters, gunichar, i);

      if (! g_hash_table_add (tried, key_of (letter)))
        continue;
      if (clear_letter (all, claim, letter, tried))
        {
          claim->letter = letter;
          return TRUE;
        }
      copy_letters (all, before, TRUE);
    }
  return FALSE;
}

/* @tried: letters that are being taken from other labels */
static gboolean
find_letter (Survey     *all,
             Claim      *claim,
             GHashTable *tried)
{
  g_autoptr (GArray) letters = list_letters (claim);

  for (guint i = 0; i < letters->len; i++)
    {
      const gunichar letter = g_array_index (letters, gunichar, i);

      if (letter != claim->letter && ! g_hash_table_contains (tried, key_of (letter)) &&
          is_free (all, claim, letter))
        {
          claim->letter = letter;
          return TRUE;
        }
    }
  return take_from_others (all, claim, letters, tried);
}

/* For a label on a page, a label that is visible with every page moves only if none on the
 * page can; labels outside the content never move, and none moves for a hidden label.
 */
static void
search (Survey *all,
        Claim  *claim)
{
  const int end = claim->rank == ON_A_PAGE ? ALWAYS_SEEN : claim->rank;

  for (all->least = claim->rank; all->least >= end && ! claim->letter; all->least--)
    {
      g_autoptr (GHashTable) tried = g_hash_table_new (NULL, NULL);

      find_letter (all, claim, tried);
    }
}

/* Labels whose marked letter is free get it before others search for one. */
static void
distribute (Survey *all,
            int     rank)
{
  for (guint i = 0; i < all->claims->len; i++)
    {
      Claim *claim = &g_array_index (all->claims, Claim, i);

      if (claim->rank == rank && is_on_keyboards (letter_at (claim->mark)) &&
          is_free (all, claim, letter_at (claim->mark)))
        claim->letter = letter_at (claim->mark);
    }
  for (guint i = 0; i < all->claims->len; i++)
    {
      Claim *claim = &g_array_index (all->claims, Claim, i);

      if (claim->rank == rank && ! claim->letter)
        search (all, claim);
    }
}

static void
clear_claim (gpointer claim)
{
  g_free (((Claim *) claim)->text);
}

/**
 * wf_mnemonics_make_unique:
 * @window: a window
 * @content: a part of it
 *
 * Gives each label in @content that has a mnemonic one that differs from those of all labels
 * of @window that are visible at the same time.  Labels outside @content keep theirs, unless
 * these are equal among themselves.
 */
void
wf_mnemonics_make_unique (GtkWidget *window,
                          GtkWidget *content)
{
  g_autoptr (GArray) claims = g_array_new (FALSE, FALSE, sizeof (Claim));
  Survey             all    = { content, claims, OUTSIDE };

  g_return_if_fail (GTK_IS_WIDGET (window) && GTK_IS_WIDGET (content));

  g_array_set_clear_func (claims, clear_claim);
  survey (window, &all);
  for (int rank = 0; rank < N_RANKS; rank++)
    distribute (&all, rank);
  for (guint i = 0; i < claims->len; i++)
    show (&g_array_index (claims, Claim, i));
}
