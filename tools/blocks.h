/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations on images that do not fit into memory: they are read, computed and written in
 * blocks.
 */

#pragma once

#include "block-foreground.h"
#include "block-inverse.h"
#include "command.h"
#include "files/block-input.h"
#include "files/block-output.h"
#include "files/scratch-file.h"
#include "job.h"
#include "measurements.h"

/**
 * BlockMeasureFunc:
 * @context: where
 * @levels: the first image, as it is in its file
 * @sources: the images as they were given to the #BlockFunc
 * @result: what that has made
 * @task: the operation's
 * @error: the operation's, or one of files
 *
 * Measures the result.
 *
 * Returns: success
 */
typedef gboolean (* BlockMeasureFunc) (WfContext            *context,
                                       const WfBlockSource  *levels,
                                       const WfBlockSource  *sources,
                                       const WfBlockSource  *result,
                                       gpointer              task,
                                       GError              **error);

/**
 * FurtherOutput:
 * @output: prepared, or %NULL where the result is the only one
 * @content: what is written to it
 * @type: likewise
 *
 * The file of @other_option where that is a second result.
 */
typedef struct
{
  Output    *output;
  WfContent  content;
  WfType     type;
} FurtherOutput;

/**
 * Blocks:
 * @wanted: whether the work is to be done in blocks; if not, it is done as if there were none
 * @image: type and size of the first image; no pixels
 * @n_steps_more: calls of the library after the first, of which the #BlockFunc consists
 * @inverts_itself: whether the #BlockFunc does what --invert means
 * @further: set before blocks_prepare()
 * @further_output: where its blocks go, when blocks_run() works
 *
 * To be cleared by blocks_clear().
 */
typedef struct
{
  gboolean          wanted;
  WfImage           image;
  guint             n_steps_more;
  gboolean          inverts_itself;
  FurtherOutput     further;
  BlockOutput       further_output;
  /*< private >*/
  const Arguments  *arguments;
  BlockInput        inputs[WF_MAX_OPERANDS];
  guint             n_inputs;
  WfBlockSource     sources[WF_MAX_OPERANDS];
  WfType            type;           /* of the result */
  WfContent         content;
  BlockOutput       output;
  ScratchFile       scratch;        /* the result, of an output that cannot be read back */
  guint64           available;      /* bytes of memory before anything is read */
  BlockForeground   foreground;
  BlockInverse      inverse;
  double           *threshold;
  double            found;          /* in the image */
  BlockFunc         run;
  gpointer          task;
  Measurements     *measurements;   /* or NULL */
  BlockMeasureFunc  measure;
  guint             n_measures;
  gboolean          measures_result;
  WfTablePlace      place;
} Blocks;

/* Of a Command without a choice of how its blocks are joined, and of one that reconstructs. */
extern const char * const blocks_auto[];
extern const char * const blocks_ways[];

WfBlocksWay
         blocks_find_way
                        (const Arguments     *arguments);
gboolean blocks_refuse_option
                        (const Arguments     *arguments,
                         const char          *option,
                         GError             **error);
gboolean blocks_check_algorithm
                        (const Arguments     *arguments,
                         const char          *algorithm,
                         const char * const  *algorithms,
                         GError             **error);
gboolean blocks_check_cpu
                        (const Arguments     *arguments,
                         const char          *algorithm,
                         const char * const  *algorithms,
                         GError             **error);
gboolean blocks_prepare (Blocks           *blocks,
                         const Arguments  *arguments,
                         Job              *job,
                         Output           *output,
                         GError          **error);
gboolean blocks_run     (Blocks           *blocks,
                         Job              *job,
                         Output           *output,
                         BlockFunc         run,
                         gpointer          task,
                         double           *threshold,
                         GError          **error);
WfBlockSource
         blocks_make_source
                        (const WfBlockSink  *sink,
                         const WfImage      *model);
void     blocks_set_measurements
                        (Blocks             *blocks,
                         Measurements       *measurements,
                         BlockMeasureFunc    measure,
                         guint               n_steps,
                         gboolean            of_result,
                         const WfTablePlace *place);
void     blocks_clear   (Blocks           *blocks);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)
