/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations on levels in doubles, which hold the values of every type exactly, so that tests
 * can calculate with inputs and results.
 *
 * Each call runs in a random configuration: number of threads, size of tiles, instruction
 * set, contiguous or strided views.  It must succeed.  The caller frees the result with
 * g_free().
 */

#pragma once

#include "configurations.h"
#include "tests/morphology/morphology-call.h"
#include "tests/reference/reference.h"
#include "wavefront.h"

G_BEGIN_DECLS

/**
 * Operand:
 * @configurations: from which each call takes one
 * @type: of the images
 * @size: of the images
 * @n: their pixels
 * @connectivity: 4 or 8, 6 or 26
 */
typedef struct
{
  const Configurations *configurations;
  WfType                type;
  RefSize               size;
  gint64                n;
  int                   connectivity;
} Operand;

void      operand_init        (Operand                   *operand,
                               const Configurations      *configurations);
double *  operand_levels      (const Operand             *operand);
double *  operand_tame_levels (const Operand             *operand);
guint32 * operand_marks       (const Operand             *operand,
                               int                        most);

double    level_complement    (const Operand             *operand,
                               double                     level);
double *  levels_complement   (const Operand             *operand,
                               const double              *levels);
double *  levels_flipped      (const Operand             *operand,
                               const double              *levels,
                               int                        axis);
double *  levels_transposed   (const Operand             *operand,
                               const double              *levels);
double *  levels_lower        (const Operand             *operand,
                               const double              *a,
                               const double              *b);
double *  levels_higher       (const Operand             *operand,
                               const double              *a,
                               const double              *b);
double *  labels_as_levels    (const Operand             *operand,
                               const guint32             *labels);

double *  apply_reconstruct   (const Operand             *operand,
                               WfDirection                by,
                               const double              *mask,
                               const double              *marker);
double *  apply_morphology    (const Operand             *operand,
                               MorphologyFunc             function,
                               WfType                     out_type,
                               const WfMorphologyOptions *options,
                               const double              *levels);
double *  apply_impose_minima (const Operand             *operand,
                               const double              *levels,
                               const guint32             *marks);
double *  apply_distance      (const Operand             *operand,
                               const WfDistanceOptions   *options,
                               const double              *levels,
                               double                   **nearest);
guint32 * apply_watershed     (const Operand             *operand,
                               const WfWatershedOptions  *options,
                               const double              *levels,
                               const guint32             *markers,
                               guint32                   *n_basins);
guint32 * apply_label         (const Operand             *operand,
                               const double              *levels,
                               guint32                   *n_components);

/* Fails with the first pixel where @condition does not hold. */
#define assert_everywhere(operand, p, condition)                              \
  G_STMT_START                                                                \
    {                                                                         \
      for (gint64 p = 0; p < (operand)->n; p++)                               \
        if (! (condition))                                                    \
          g_error ("%s:%d: %s does not hold at pixel %" G_GINT64_FORMAT       \
                   " of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " x %"      \
                   G_GINT64_FORMAT ", %s, %d neighbors",                     \
                   __FILE__, __LINE__, #condition, p, (operand)->size.width,  \
                   (operand)->size.height, (operand)->size.depth,             \
                   wf_type_name ((operand)->type), (operand)->connectivity);  \
    }                                                                         \
  G_STMT_END

G_END_DECLS
