/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "slice.h"
#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfSourceOptions:
 * @source: the choice among wf_components
 * @stack: whether the layers are the slices of a stack
 * @component: what @source says, which for an own stain depends on another argument
 *
 * The options of every procedure for its input.
 */
typedef struct
{
  gsize    size;
  int      source;
  gboolean stack;

  WfComponent component;
} WfSourceOptions;

/**
 * WfSource:
 * @slices: one drawable, or the layers of a stack
 * @n_slices: the number of slices
 * @region: the processed part of each slice
 * @type: of the pixels
 * @component: the component that is the level
 * @anchor: the item above which the results are inserted
 * @name: of the drawable, or of the stack
 *
 * The input of one pass of a procedure.
 */
typedef struct
{
  WfSlice      *slices;
  guint         n_slices;
  WfRegion      region;
  WfType        type;
  WfComponent   component;
  GimpItem     *anchor;
  char         *name;
} WfSource;

const WfOptionGroup * wf_source_get_options    (void);
gboolean              wf_source_read_options   (GObject                *config,
                                                WfType                  type,
                                                const WfComponent      *instead,
                                                WfSourceOptions        *options,
                                                GError                **error);

GPtrArray *           wf_sources_open          (GimpImage              *image,
                                                GimpDrawable          **drawables,
                                                gboolean                selected,
                                                const WfSourceOptions  *options,
                                                GError                **error);
gboolean              wf_sources_copy          (GPtrArray              *sources,
                                                GError                **error);
gboolean              wf_source_read           (const WfSource         *source,
                                                WfImage                *image,
                                                GError                **error);
gboolean              wf_source_has_alpha      (const WfSource         *source);
gboolean              wf_source_is_transparent (const WfSource         *source);
void                  wf_source_read_coverage  (const WfSource         *source,
                                                guint                   slice,
                                                int                     row,
                                                int                     n_rows,
                                                float                  *coverage);
double                wf_source_n_pixels       (const WfSource         *source);

G_END_DECLS
