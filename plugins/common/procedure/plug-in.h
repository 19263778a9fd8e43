/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "arguments.h"
#include "describe.h"
#include "plugins/common/dialog/dialog.h"
#include "plugins/common/dialog/proposal.h"
#include "plugins/common/folder/kind.h"
#include "plugins/common/preview/operation-preview.h"
#include "run.h"
#include "wavefront.h"

G_BEGIN_DECLS

typedef struct _WfCommandLine WfCommandLine;

/**
 * WfProcedure:
 * @name: of the procedure
 * @menu_label: with a mnemonic, to be translated
 * @submenu: (nullable): of Filters ▸ Morphology, to be translated
 * @menu_place: outside a submenu, entries with lower numbers are higher up
 * @operation: the engine's operation, whose title and blurb are those of the procedure
 * @help: a paragraph for the procedure browser, to be translated
 * @notes: (nullable): the differences of the operation's options in GIMP
 * @own: (nullable): the procedure's own options
 * @data: for the procedure's own functions
 * @offer_algorithms: whether the dialog offers the algorithms, if there are several
 * @add_arguments: (nullable): adds the arguments that are not options
 * @add_values: adds the return values
 * @recall: (nullable): restores in @config the last values that GIMP does not keep:
 *   items of the image; clears those that are not to be used again
 * @remember: (nullable): stores them in @config, or clears them there
 * @dismiss: (nullable): called when the user has given up the dialog
 * @takes_selection: (nullable): whether the selection, with the present @config, is an input of
 *   the operation, and does not limit the processed region
 * @proposer: (nullable): how the dialog proposes settings for the image
 * @fill_dialog: adds the controls of the dialog
 * @confirm: (nullable): asks the user, over the accepted dialog, what an accepted @config still
 *   needs to have asked; %FALSE returns to the dialog
 * @preview: (nullable): the preview in the dialog
 * @find_whole: (nullable): names what, with the present options, needs the whole image in memory;
 *   %NULL if the run can be computed in blocks.  Without it all can be.
 * @count_further: (nullable): the bytes a pixel that a run takes in memory for images beside the
 *   input, a mask and a copy of the levels in it, and the outputs
 * @folder: (nullable): what it makes of each image of a folder; %NULL if it needs something of the
 *   image of its dialog
 * @write_command: (nullable): says in a line of the command what the procedure's own arguments
 *   mean, and changes options that the command takes otherwise
 * @run: processes one source: reads pixels, calls the engine, makes layers,
 *   sets values
 *
 * The description of a procedure.
 */
struct _WfProcedure
{
  const char           *name;
  const char           *menu_label;
  const char           *submenu;
  int                   menu_place;
  WfOperation           operation;
  const char           *help;
  const WfArgumentNote *notes;
  const WfOptionGroup  *own;
  gconstpointer         data;
  gboolean              offer_algorithms;
  void               (* add_arguments) (GimpProcedure  *procedure);
  void               (* add_values)    (GimpProcedure  *procedure);
  gboolean           (* recall)        (WfJob          *run,
                                        GError        **error);
  void               (* remember)      (WfJob          *run);
  void               (* dismiss)       (WfJob          *run);
  gboolean           (* takes_selection)
                                       (WfJob          *run);
  const WfProposer     *proposer;
  void               (* fill_dialog)   (WfDialog       *dialog);
  gboolean           (* confirm)       (WfJob          *run,
                                        GtkWindow      *dialog);
  const WfPreviewKind  *preview;
  const char *       (* find_whole)    (WfJob          *run);
  gsize              (* count_further) (WfJob          *run,
                                        const WfSource *source);
  const WfFolderKind   *folder;
  void               (* write_command) (WfCommandLine  *line);
  gboolean           (* run)           (WfJob          *run,
                                        GError        **error);
};

const WfOption * wf_procedure_find_option (const WfProcedure *procedure,
                                           const char        *name);

char *           wf_procedure_get_title   (const WfProcedure *procedure);

#define WF_TYPE_PLUG_IN (wf_plug_in_get_type ())
G_DECLARE_DERIVABLE_TYPE (WfPlugIn, wf_plug_in, WF, PLUG_IN, GimpPlugIn)

/**
 * WfPlugInClass:
 * @procedures: the procedures of the executable, terminated by %NULL
 */
struct _WfPlugInClass
{
  GimpPlugInClass            parent_class;

  const WfProcedure *const  *procedures;
};

/**
 * WF_PLUG_IN_MAIN:
 * @...: pointers to the #WfProcedure that the executable registers
 *
 * Defines the plug-in's class and main().
 */
#define WF_PLUG_IN_MAIN(...)                                                  \
  static const WfProcedure *const wf_procedures[] = { __VA_ARGS__, NULL };    \
                                                                              \
  typedef WfPlugIn      WfOnePlugIn;                                          \
  typedef WfPlugInClass WfOnePlugInClass;                                     \
                                                                              \
  GType wf_one_plug_in_get_type (void) G_GNUC_CONST;                          \
                                                                              \
  G_DEFINE_TYPE (WfOnePlugIn, wf_one_plug_in, WF_TYPE_PLUG_IN)                \
                                                                              \
  int                                                                         \
  main (int argc, char *argv[])                                               \
  {                                                                           \
    if (wf_describe_is_asked_for (argc, argv))                                \
      return wf_describe (wf_one_plug_in_get_type (), argv[2]);               \
    return gimp_main (wf_one_plug_in_get_type (), argc, argv);                \
  }                                                                           \
                                                                              \
  static void                                                                 \
  wf_one_plug_in_class_init (WfOnePlugInClass *klass)                         \
  {                                                                           \
    klass->procedures = wf_procedures;                                        \
  }                                                                           \
                                                                              \
  static void                                                                 \
  wf_one_plug_in_init (WfOnePlugIn *plug_in)                                  \
  {                                                                           \
  }

G_END_DECLS
