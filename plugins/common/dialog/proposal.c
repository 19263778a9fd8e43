/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Settings that a dialog proposes for the image when it opens, so that a first look shows
 * something.
 *
 * They are proposed to who has no settings of his own: where all settings concerned have their
 * defaults, or are those of an earlier proposal that was accepted as it was, perhaps for another
 * image.  Settings that were changed, or set to the defaults by the button, stay.  The argument
 * WF_PROPOSAL, which only dialogs have, tells the cases apart in the last values: it is the list
 * of the values that were proposed, or KEPT.
 *
 * A line says what was proposed.  It changes as soon as the settings do.
 *
 * Looking at a layer must not delay the dialog: what GIMP has not delivered in WAIT is fetched
 * while the dialog is open, and proposed if nothing was changed meanwhile.
 *
 * With WAVEFRONT_PROPOSE=no in the environment nothing is proposed.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "plugins/common/preview/source-pixels.h"
#include "plugins/common/procedure/plug-in.h"
#include "proposal.h"

#define KEPT     "kept"
#define ENOUGH   (G_GINT64_CONSTANT (1) << 20)   /* pixels, of a larger layer */
#define WAIT     (G_TIME_SPAN_MILLISECOND * 150)
#define STEP     (G_TIME_SPAN_MILLISECOND * 10)
#define SPACING  6
#define LINE     36   /* characters */

/**
 * WfProposal:
 * @words: (nullable): what is proposed
 * @made: the settings of the proposal, as describe() lists them; %NULL before it is made
 * @plain: the defaults, likewise
 * @pixels: while they are fetched
 * @fetching: the source of the main loop, or 0
 * @setting: whether the settings are being changed here
 */
struct _WfProposal
{
  WfJob            *run;
  const WfProposer *proposer;
  char             *words;
  char             *made;
  char             *plain;
  WfSourcePixels   *pixels;
  WfPreviewRegion   region;
  guint             fetching;
  gboolean          setting;
  gulong            handler;
  GtkWidget        *line;
  GtkWidget        *propose;
  GtkWidget        *defaults;
};


/**
 * wf_proposal_add_argument:
 * @procedure: a procedure under construction
 * @proposer: (nullable): how it proposes settings
 *
 * Adds the argument that says whether the last values were proposed.
 */
void
wf_proposal_add_argument (GimpProcedure    *procedure,
                          const WfProposer *proposer)
{
  if (proposer)
    gimp_procedure_add_string_aux_argument (procedure, WF_PROPOSAL, "Proposal",
                                            "The settings that were proposed", "",
                                            G_PARAM_READWRITE);
}


/*  Settings  */

static void
append_value (GString      *text,
              const char   *name,
              const GValue *value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (G_VALUE_HOLDS_DOUBLE (value))
    g_string_append_printf (text, "%s=%s;", name,
                            g_ascii_formatd (number, sizeof number, "%.9g",
                                             g_value_get_double (value)));
  else
    {
      g_autofree char *contents = g_strdup_value_contents (value);

      g_string_append_printf (text, "%s=%s;", name, contents);
    }
}

/* Lists the settings that a proposal concerns, or their defaults. */
static char *
describe (WfProposal *proposal,
          gboolean    defaults)
{
  GObject *config = G_OBJECT (proposal->run->config);
  GString *text   = g_string_new (NULL);

  for (const char *const *name = proposal->proposer->settings; *name; name++)
    {
      GParamSpec      *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (config), *name);
      g_auto (GValue)  value = G_VALUE_INIT;

      if (defaults)
        append_value (text, *name, g_param_spec_get_default_value (pspec));
      else
        {
          g_value_init (&value, pspec->value_type);
          g_object_get_property (config, *name, &value);
          append_value (text, *name, &value);
        }
    }
  return g_string_free (text, FALSE);
}

static gboolean
is_as (WfProposal *proposal,
       const char *settings)
{
  g_autofree char *now = describe (proposal, FALSE);

  return g_strcmp0 (now, settings) == 0;
}

static void
keep (WfProposal *proposal,
      const char *what)
{
  g_object_set (proposal->run->config, WF_PROPOSAL, what, NULL);
}

static void
set_defaults (WfProposal *proposal)
{
  GObject *config = G_OBJECT (proposal->run->config);

  for (const char *const *name = proposal->proposer->settings; *name; name++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (config), *name);

      g_object_set_property (config, *name, g_param_spec_get_default_value (pspec));
    }
}

/* Whether the settings are those of nobody: see the top. */
static gboolean
is_welcome (WfProposal *proposal)
{
  g_autofree char *last = NULL;

  g_object_get (proposal->run->config, WF_PROPOSAL, &last, NULL);
  if (last && *last)
    return is_as (proposal, last);
  return is_as (proposal, proposal->plain);
}


/*  The line  */

static const char *
find_words (WfProposal *proposal)
{
  if (proposal->fetching)
    return _("Looking at the image for settings that suit it…");
  if (proposal->made && is_as (proposal, proposal->made))
    return proposal->words ? proposal->words
                           : _("Nothing stands out in this image: these are the plain defaults.");
  if (is_as (proposal, proposal->plain))
    return _("These are the plain defaults.");
  return _("These are settings of your own.");
}

static void
update (WfProposal *proposal)
{
  if (! proposal->line)
    return;
  gtk_label_set_text (GTK_LABEL (proposal->line), find_words (proposal));
  gtk_widget_set_sensitive (proposal->propose,
                            ! proposal->fetching &&
                            ! (proposal->made && is_as (proposal, proposal->made)));
  gtk_widget_set_sensitive (proposal->defaults, ! is_as (proposal, proposal->plain));
}

static gboolean
concerns (WfProposal *proposal,
          const char *name)
{
  return g_strv_contains (proposal->proposer->settings, name);
}


/*  Making a proposal  */

static void
make (WfProposal    *proposal,
      const WfImage *levels,
      double         scale)
{
  proposal->setting = TRUE;
  g_clear_pointer (&proposal->words, g_free);
  g_clear_pointer (&proposal->made, g_free);
  set_defaults (proposal);
  proposal->words   = proposal->proposer->propose (proposal->run, levels, scale);
  proposal->made    = describe (proposal, FALSE);
  proposal->setting = FALSE;
  keep (proposal, proposal->made);
}

static void
stop_fetching (WfProposal *proposal)
{
  if (proposal->fetching)
    g_source_remove (proposal->fetching);
  proposal->fetching = 0;
  g_clear_pointer (&proposal->pixels, wf_source_pixels_free);
}

/* All of the layer, at half its size as often as it takes. */
static gboolean
open_pixels (WfProposal *proposal)
{
  gint64 size[3];

  proposal->pixels = wf_source_pixels_new (proposal->run, NULL);
  if (! proposal->pixels)
    return FALSE;
  wf_source_pixels_get_size (proposal->pixels, size);
  proposal->region = (WfPreviewRegion) { .scale = 1, .width = (int) size[0],
                                         .height = (int) size[1], .slice = (int) size[2] / 2 };
  if (size[0] * size[1] <= WF_PREVIEW_WHOLE_LIMIT)
    return TRUE;
  while ((gint64) proposal->region.width * proposal->region.height > ENOUGH)
    {
      proposal->region.scale  /= 2;
      proposal->region.width   = MAX ((int) (size[0] * proposal->region.scale), 1);
      proposal->region.height  = MAX ((int) (size[1] * proposal->region.scale), 1);
    }
  return TRUE;
}

/* Returns whether there is more to be fetched. */
static gboolean
fetch (WfProposal *proposal,
       gint64      time)
{
  g_auto (WfImage) levels = { 0 };
  WfFetch          step;

  wf_fetch_init (&step, g_get_monotonic_time () + time);
  if (! wf_source_pixels_fetch (proposal->pixels, &proposal->region, WF_PREVIEW_INPUTS, &step,
                                NULL))
    return FALSE;
  if (! step.complete)
    return TRUE;
  if (wf_source_pixels_read_levels (proposal->pixels, &proposal->region, &levels, NULL))
    make (proposal, &levels, proposal->region.scale);
  return FALSE;
}

static gboolean
fetch_more (gpointer data)
{
  WfProposal *proposal = data;

  if (fetch (proposal, STEP))
    return G_SOURCE_CONTINUE;
  proposal->fetching = 0;
  g_clear_pointer (&proposal->pixels, wf_source_pixels_free);
  update (proposal);
  return G_SOURCE_REMOVE;
}

static void
begin_making (WfProposal *proposal)
{
  gint64 end = g_get_monotonic_time () + WAIT;

  stop_fetching (proposal);
  if (! proposal->proposer->looks)
    {
      make (proposal, NULL, 1);
      return;
    }
  if (! open_pixels (proposal))
    return;
  while (fetch (proposal, STEP))
    if (g_get_monotonic_time () >= end)
      {
        proposal->fetching = g_idle_add_full (G_PRIORITY_LOW, fetch_more, proposal, NULL);
        return;
      }
  stop_fetching (proposal);
}


/*  The dialog  */

/* Who changes a setting while pixels are fetched gets no proposal. */
static void
changed (WfProposal *proposal,
         GParamSpec *pspec)
{
  if (proposal->setting || ! concerns (proposal, pspec->name))
    return;
  stop_fetching (proposal);
  update (proposal);
}

static void
propose_clicked (WfProposal *proposal)
{
  begin_making (proposal);
  update (proposal);
}

static void
defaults_clicked (WfProposal *proposal)
{
  stop_fetching (proposal);
  set_defaults (proposal);
  keep (proposal, KEPT);
  update (proposal);
}

static GtkWidget *
add_button (WfProposal *proposal,
            GtkBox     *row,
            const char *label,
            const char *blurb,
            GCallback   clicked)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, blurb);
  g_signal_connect_swapped (button, "clicked", clicked, proposal);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_box_pack_start (row, button, FALSE, FALSE, 0);
  return button;
}

/* Two lines of text, so that nothing moves when it changes. */
static GtkWidget *
line_new (void)
{
  GtkWidget   *line   = gtk_label_new (NULL);
  PangoLayout *layout = gtk_widget_create_pango_layout (line, "\n");
  int          height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  g_object_unref (layout);
  gtk_widget_set_size_request (line, -1, height);
  gtk_label_set_line_wrap (GTK_LABEL (line), TRUE);
  gtk_label_set_xalign (GTK_LABEL (line), 0);
  gtk_label_set_width_chars (GTK_LABEL (line), LINE);
  gtk_label_set_max_width_chars (GTK_LABEL (line), LINE);
  return line;
}

/**
 * wf_proposal_begin:
 * @run: a run whose dialog is about to open
 *
 * Sets the arguments that are proposed for the image, unless the user has settings of his own.
 *
 * Returns: (transfer full) (nullable): the proposal, to be ended; %NULL if the procedure has none
 */
WfProposal *
wf_proposal_begin (WfJob *run)
{
  const gint64  start = g_get_monotonic_time ();
  WfProposal   *proposal;

  if (! run->procedure->proposer || g_strcmp0 (g_getenv ("WAVEFRONT_PROPOSE"), "no") == 0)
    return NULL;

  proposal           = g_new0 (WfProposal, 1);
  proposal->run      = run;
  proposal->proposer = run->procedure->proposer;
  proposal->plain    = describe (proposal, TRUE);
  if (is_welcome (proposal))
    begin_making (proposal);
  g_debug ("proposal: %.6f s", (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC);
  return proposal;
}

/**
 * wf_proposal_show:
 * @proposal: (nullable): a proposal
 * @area: of the dialog
 *
 * Adds the line and the buttons, above the rest.
 */
void
wf_proposal_show (WfProposal *proposal,
                  GtkBox     *area)
{
  GtkWidget *row;

  if (! proposal)
    return;

  row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  gtk_widget_set_margin_bottom (row, 2 * SPACING);
  proposal->line = line_new ();
  gtk_box_pack_start (GTK_BOX (row), proposal->line, TRUE, TRUE, 0);
  proposal->propose  = add_button (proposal, GTK_BOX (row), _("Propose"),
                                   _("Set what suits this image"), G_CALLBACK (propose_clicked));
  proposal->defaults = add_button (proposal, GTK_BOX (row), _("Use Defaults"),
                                   _("Set the plain defaults, which scripts have"),
                                   G_CALLBACK (defaults_clicked));
  gtk_box_pack_start (area, row, FALSE, FALSE, 0);
  gtk_box_reorder_child (area, row, 0);
  gtk_widget_show_all (row);
  update (proposal);
  proposal->handler = g_signal_connect_swapped (proposal->run->config, "notify",
                                                G_CALLBACK (changed), proposal);
}

/**
 * wf_proposal_end:
 * @proposal: (transfer full) (nullable): a proposal
 *
 * Keeps in the arguments whether the settings were proposed.  To be called before the widgets of
 * the dialog are destroyed.
 */
void
wf_proposal_end (WfProposal *proposal)
{
  if (! proposal)
    return;

  stop_fetching (proposal);
  if (proposal->handler)
    g_signal_handler_disconnect (proposal->run->config, proposal->handler);
  if (! is_as (proposal, proposal->made ? proposal->made : proposal->plain))
    keep (proposal, KEPT);
  g_free (proposal->words);
  g_free (proposal->made);
  g_free (proposal->plain);
  g_free (proposal);
}
