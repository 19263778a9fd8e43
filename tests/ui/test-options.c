/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of a dialog, generated from the descriptions of options. */

#include <math.h>
#include <string.h>

#include <gtk/gtk.h>

#include "ui/options/level-entry.h"
#include "ui/options/mnemonics.h"
#include "ui/options/option-grid.h"
#include "ui/options/option-widget.h"
#include "settings.h"


static const WfOptionGroup *
group_of (int i)
{
  return i < WF_N_OPERATIONS ? wf_operation_get_options (i) : wf_context_get_options ();
}

#define N_GROUPS (WF_N_OPERATIONS + 1)

/* Any value but its default. */
static int
some_integer (const WfOption *option)
{
  return MIN (128, (int) option->maximum);
}

/* Sets @option to another value than its default; returns that as text. */
static char *
change (GObject        *settings,
        const WfOption *option)
{
  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      g_object_set (settings, option->name, option->default_value == 0, NULL);
      return NULL;
    case WF_OPTION_INT:
      g_object_set (settings, option->name, some_integer (option), NULL);
      return NULL;
    case WF_OPTION_REAL:
      g_object_set (settings, option->name, 0.25, NULL);
      return NULL;
    case WF_OPTION_CHOICE:
    case WF_OPTION_NAME:
      g_object_set (settings, option->name, option->choices[1].name, NULL);
      return g_strdup (option->choices[1].name);
    case WF_OPTION_DEVICE:
      g_object_set (settings, option->name, "cpu", NULL);
      return g_strdup ("cpu");
    case WF_OPTION_SPACING:
      g_object_set (settings, option->name, "2,3,4", NULL);
      return g_strdup ("2,3,4");
    }
  g_assert_not_reached ();
}

static const char *
property_of (const WfOption *option)
{
  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      return "active";
    case WF_OPTION_INT:
      return "value";
    case WF_OPTION_REAL:
      return wf_level_is_fraction (option) ? "fraction" : "value";
    case WF_OPTION_DEVICE:
      return "device";
    case WF_OPTION_SPACING:
      return "spacing";
    default:
      return option->meaning == WF_OPTION_CONNECTIVITY ? "connectivity" : "active-id";
    }
}

/* The widget shows the settings, initially and after a change. */
static void
check_option (const WfOption *option)
{
  g_autoptr (GObject)  settings = settings_new ();
  GtkWidget           *widget   = wf_option_widget_new (option, settings, WF_TYPE_U8);
  const char          *property = property_of (option);
  g_autofree char     *text     = NULL;
  g_autofree char     *shown    = NULL;
  double               number;
  gboolean             active;

  g_object_ref_sink (widget);
  text = change (settings, option);
  switch (option->kind)
    {
    case WF_OPTION_BOOLEAN:
      g_object_get (widget, property, &active, NULL);
      g_assert_cmpint (active, ==, option->default_value == 0);
      break;
    case WF_OPTION_INT:
    case WF_OPTION_REAL:
      g_object_get (widget, property, &number, NULL);
      g_assert_cmpfloat (number, ==, option->kind == WF_OPTION_INT ? some_integer (option) : 0.25);
      break;
    default:
      g_object_get (widget, property, &shown, NULL);
      g_assert_cmpstr (shown, ==, text);
      break;
    }
  gtk_widget_destroy (widget);
  g_object_unref (widget);
}

static void
test_every_option (void)
{
  for (int i = 0; i < N_GROUPS; i++)
    for (guint j = 0; j < group_of (i)->n_options; j++)
      check_option (&group_of (i)->options[j]);
}

/* Every choice of a list can be chosen, and has a label. */
static void
test_every_choice (void)
{
  const WfOptionGroup *group    = wf_operation_get_options (WF_OPERATION_DISTANCE);
  const WfOption      *option   = wf_option_group_find (group, "metric");
  g_autoptr (GObject)  settings = settings_new ();
  GtkWidget           *combo    = wf_option_widget_new (option, settings, WF_TYPE_U8);

  g_object_ref_sink (combo);
  for (int i = 0; option->choices[i].name; i++)
    {
      g_autofree char *text  = NULL;
      g_autofree char *label = NULL;

      gtk_combo_box_set_active (GTK_COMBO_BOX (combo), i);
      text  = settings_get_text (settings, "metric");
      label = gtk_combo_box_text_get_active_text (GTK_COMBO_BOX_TEXT (combo));
      g_assert_cmpstr (text, ==, option->choices[i].name);
      g_assert_cmpstr (label, ==, option->choices[i].label);
    }
  gtk_widget_destroy (combo);
  g_object_unref (combo);
}

/* Algorithms that exist for comparison are not offered. */
static void
test_no_comparisons (void)
{
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOption      *option   = wf_option_group_find (group_of (i), "algorithm");
      g_autoptr (GObject)  settings = settings_new ();
      GtkWidget           *combo    = wf_option_widget_new (option, settings, WF_TYPE_U8);
      int                  n        = 0;

      g_object_ref_sink (combo);
      for (const WfChoice *choice = option->choices; choice->name; choice++)
        {
          g_assert_cmpint (gtk_combo_box_set_active_id (GTK_COMBO_BOX (combo), choice->name), ==,
                           ! choice->for_comparison);
          n += ! choice->for_comparison;
        }
      g_assert_cmpint (gtk_tree_model_iter_n_children (gtk_combo_box_get_model
                                                         (GTK_COMBO_BOX (combo)), NULL), ==, n);
      gtk_widget_destroy (combo);
      g_object_unref (combo);
    }
}

static GtkWidget *
make_grid (GObject *settings,
           int      i)
{
  g_autoptr (GtkSizeGroup)  labels = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  GtkWidget                *grid   = wf_option_grid_new (settings, WF_TYPE_U8, labels);

  for (guint j = 0; j < group_of (i)->n_options; j++)
    wf_option_grid_add_option (WF_OPTION_GRID (grid), &group_of (i)->options[j]);
  return grid;
}

/* Whether a label in @parent begins with @text. */
static gboolean
has_text (GtkWidget  *parent,
          const char *text)
{
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (parent));

  for (GList *child = children; child; child = child->next)
    if (GTK_IS_LABEL (child->data) && g_str_has_prefix (gtk_label_get_text (child->data), text))
      return TRUE;
  return FALSE;
}

/* Each row has a label with a mnemonic for its widget, or a widget with a label; both have
 * a tooltip.
 */
static void
check_row (GtkWidget      *grid,
           int             row,
           const WfOption *option)
{
  GtkWidget       *first  = gtk_grid_get_child_at (GTK_GRID (grid), 0, row);
  GtkWidget       *second = gtk_grid_get_child_at (GTK_GRID (grid), 1, row);
  g_autofree char *tip    = gtk_widget_get_tooltip_text (second);

  g_assert_nonnull (strstr (tip, option->blurb));
  g_assert_true (gtk_widget_get_visible (second));
  if (option->meaning == WF_OPTION_LEVEL)
    g_assert_true (has_text (second, "of white"));
  if (option->meaning == WF_OPTION_LENGTH || option->meaning == WF_OPTION_AREA)
    g_assert_true (has_text (second, "pixels"));
  if (option->meaning == WF_OPTION_VOLUME)
    g_assert_true (has_text (second, "of white × pixels"));
  if (option->meaning == WF_OPTION_SLOPE)
    g_assert_true (has_text (second, "of white per pixel"));
  if (option->meaning == WF_OPTION_ANGLE)
    g_assert_true (has_text (second, "°"));
  if (option->kind == WF_OPTION_BOOLEAN)
    {
      g_assert_true (first == second);
      g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (first)), ==, option->label);
    }
  else
    {
      g_assert_true (gtk_label_get_mnemonic_widget (GTK_LABEL (first)) == second);
      g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (first)), ==, option->label);
      g_assert_cmpstr (atk_object_get_name (gtk_widget_get_accessible (second)), ==,
                       gtk_label_get_text (GTK_LABEL (first)));
    }
}

static void
test_grid (void)
{
  for (int i = 0; i < N_GROUPS; i++)
    {
      g_autoptr (GObject)  settings = settings_new ();
      GtkWidget           *grid     = g_object_ref_sink (make_grid (settings, i));

      for (guint j = 0; j < group_of (i)->n_options; j++)
        check_row (grid, (int) j, &group_of (i)->options[j]);
      g_assert_null (gtk_grid_get_child_at (GTK_GRID (grid), 0, (int) group_of (i)->n_options));
      gtk_widget_destroy (grid);
      g_object_unref (grid);
    }
}


/*  Mnemonics  */

static GtkWidget *
add_label (GtkWidget  *box,
           const char *text)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_container_add (GTK_CONTAINER (box), label);
  gtk_widget_show (label);
  return label;
}

static char
letter_of (GtkWidget *label)
{
  guint key = gtk_label_get_mnemonic_keyval (GTK_LABEL (label));

  return key == GDK_KEY_VoidSymbol ? '-' : (char) g_ascii_tolower ((char) key);
}

static void
test_mnemonics (void)
{
  GtkWidget *window  = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  GtkWidget *all     = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *cancel;
  GtkWidget *connectivity;
  GtkWidget *tolerance;
  GtkWidget *tile;
  GtkWidget *t_only;
  GtkWidget *underscore;
  GtkWidget *umlaut;

  gtk_container_add (GTK_CONTAINER (window), all);
  gtk_container_add (GTK_CONTAINER (all), content);
  connectivity = add_label (content, "_Connectivity mode");
  tolerance    = add_label (content, "_Tolerance");
  tile         = add_label (content, "_Tile size");
  t_only       = add_label (content, "_T");
  underscore   = add_label (content, "_tag__name");
  umlaut       = add_label (content, "_Öffnung");
  cancel       = add_label (all, "_Cancel");
  wf_mnemonics_make_unique (window, content);

  g_assert_cmpint (letter_of (cancel), ==, 'c');
  g_assert_cmpint (letter_of (connectivity), ==, 'm');
  g_assert_cmpint (letter_of (tolerance), ==, 'o');   /* gives it to the one with no other */
  g_assert_cmpint (letter_of (tile), ==, 's');
  g_assert_cmpint (letter_of (t_only), ==, 't');
  g_assert_cmpint (letter_of (underscore), ==, 'n');
  g_assert_cmpuint (gtk_label_get_mnemonic_keyval (GTK_LABEL (umlaut)), ==, GDK_KEY_odiaeresis);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (connectivity)), ==, "Connectivity mode");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (t_only)), ==, "T");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (underscore)), ==, "tag_name");
  gtk_widget_destroy (window);
}

/* The content of an expander comes after its label. */
static void
test_mnemonics_in_expander (void)
{
  GtkWidget *window   = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  GtkWidget *expander = gtk_expander_new_with_mnemonic ("_Devices");
  GtkWidget *box      = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *inside;

  gtk_container_add (GTK_CONTAINER (window), expander);
  gtk_container_add (GTK_CONTAINER (expander), box);
  inside = add_label (box, "_Device");
  wf_mnemonics_make_unique (window, expander);

  g_assert_cmpint (letter_of (gtk_expander_get_label_widget (GTK_EXPANDER (expander))), ==, 'd');
  g_assert_cmpint (letter_of (inside), ==, 'e');
  gtk_widget_destroy (window);
}

/* Three labels move for the fourth: only one assignment suits all. */
static void
test_mnemonics_move_on (void)
{
  static const char *const  texts[] = { "_abc", "_bcd", "_cb", "_a" };
  GtkWidget                *window  = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  GtkWidget                *box     = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autoptr (GHashTable)    letters = g_hash_table_new (NULL, NULL);
  GtkWidget                *labels[G_N_ELEMENTS (texts)];
  GtkWidget                *fifth;

  gtk_container_add (GTK_CONTAINER (window), box);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    labels[i] = add_label (box, texts[i]);
  wf_mnemonics_make_unique (window, box);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_nonnull (strchr (texts[i] + 1, letter_of (labels[i])));
      g_assert_true (g_hash_table_add (letters, GINT_TO_POINTER ((int) letter_of (labels[i]))));
    }

  fifth = add_label (box, "_abcd");
  wf_mnemonics_make_unique (window, box);
  g_assert_cmpint (letter_of (fifth), ==, '-');
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_nonnull (strchr (texts[i] + 1, letter_of (labels[i])));
  gtk_widget_destroy (window);
}

/* Labels that are never visible together may have the same letter. */
static void
test_mnemonics_on_pages (void)
{
  GtkWidget *window   = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  GtkWidget *notebook = gtk_notebook_new ();
  GtkWidget *pages[2];
  GtkWidget *tabs[2];
  GtkWidget *inside[2];
  GtkWidget *eight;

  gtk_container_add (GTK_CONTAINER (window), notebook);
  for (int i = 0; i < 2; i++)
    {
      pages[i]  = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
      tabs[i]   = gtk_label_new_with_mnemonic ("_Height");
      inside[i] = add_label (pages[i], "_Side by side");
      gtk_widget_show_all (pages[i]);
      gtk_notebook_append_page (GTK_NOTEBOOK (notebook), pages[i], tabs[i]);
    }
  eight = add_label (pages[1], "_Eight");
  gtk_widget_show (notebook);
  wf_mnemonics_make_unique (window, notebook);

  g_assert_cmpint (letter_of (inside[0]), ==, 's');
  g_assert_cmpint (letter_of (inside[1]), ==, 's');
  g_assert_cmpint (letter_of (tabs[0]), ==, 'h');
  g_assert_cmpint (letter_of (tabs[1]), ==, 'e');   /* visible with every page */
  g_assert_cmpint (letter_of (eight), ==, 'i');
  gtk_widget_destroy (window);
}

/* Scripts without letters on keyboards have one in brackets, which may be any. */
static void
test_mnemonics_in_brackets (void)
{
  GtkWidget *window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  GtkWidget *box    = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *first;
  GtkWidget *second;
  GtkWidget *colon;
  GtkWidget *none;

  gtk_container_add (GTK_CONTAINER (window), box);
  first  = add_label (box, "高さ(_H)");
  second = add_label (box, "連結性(_H)");
  colon  = add_label (box, "表示(_H):");
  none   = add_label (box, "_設定");
  wf_mnemonics_make_unique (window, box);

  g_assert_cmpint (letter_of (first), ==, 'h');
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (first)), ==, "高さ(H)");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (second)), ==, "連結性(B)");
  g_assert_cmpint (letter_of (none), ==, 'a');
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (none)), ==, "設定(A)");
  g_assert_cmpint (letter_of (second), ==, 'b');
  g_assert_cmpint (letter_of (colon), ==, 'c');
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (colon)), ==, "表示(C):");
  gtk_widget_destroy (window);
}

/* More of them than letters: the others get digits. */
static void
test_mnemonics_in_many_brackets (void)
{
  GtkWidget *window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  GtkWidget *box    = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *labels['z' - 'a' + 1 + 9];

  gtk_container_add (GTK_CONTAINER (window), box);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    labels[i] = add_label (box, "高さ(_H)");
  wf_mnemonics_make_unique (window, box);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    for (guint k = 0; k < i; k++)
      g_assert_cmpint (letter_of (labels[i]), !=, letter_of (labels[k]));
  g_assert_cmpint (letter_of (labels[G_N_ELEMENTS (labels) - 1]), ==, '9');
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (labels[G_N_ELEMENTS (labels) - 1])), ==,
                   "高さ(9)");
  gtk_widget_destroy (window);
}

static void
collect_letters (GtkWidget *widget,
                 gpointer   letters)
{
  if (GTK_IS_LABEL (widget) && gtk_label_get_use_underline (GTK_LABEL (widget)))
    {
      char letter = letter_of (widget);

      g_assert_cmpint (letter, !=, '-');
      g_assert_true (g_hash_table_add (letters, GINT_TO_POINTER (letter)));
    }
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), collect_letters, letters);
}

/* All options of the engine in one window: every letter is used once. */
static void
test_mnemonics_of_options (void)
{
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    {
      g_autoptr (GHashTable)  letters  = g_hash_table_new (NULL, NULL);
      g_autoptr (GObject)     settings = settings_new ();
      GtkWidget              *window   = gtk_window_new (GTK_WINDOW_TOPLEVEL);
      GtkWidget              *box      = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

      gtk_container_add (GTK_CONTAINER (window), box);
      gtk_container_add (GTK_CONTAINER (box), make_grid (settings, i));
      gtk_container_add (GTK_CONTAINER (box), make_grid (settings, WF_N_OPERATIONS));
      wf_mnemonics_make_unique (window, box);
      collect_letters (window, letters);
      g_assert_cmpuint (g_hash_table_size (letters), >=,
                        group_of (i)->n_options + wf_context_get_options ()->n_options);
      gtk_widget_destroy (window);
    }
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/options/every-option", test_every_option);
  g_test_add_func ("/options/every-choice", test_every_choice);
  g_test_add_func ("/options/no-comparisons", test_no_comparisons);
  g_test_add_func ("/options/grid", test_grid);
  g_test_add_func ("/mnemonics/unique", test_mnemonics);
  g_test_add_func ("/mnemonics/expander", test_mnemonics_in_expander);
  g_test_add_func ("/mnemonics/move-on", test_mnemonics_move_on);
  g_test_add_func ("/mnemonics/pages", test_mnemonics_on_pages);
  g_test_add_func ("/mnemonics/brackets", test_mnemonics_in_brackets);
  g_test_add_func ("/mnemonics/many-brackets", test_mnemonics_in_many_brackets);
  g_test_add_func ("/mnemonics/options", test_mnemonics_of_options);

  return g_test_run ();
}
