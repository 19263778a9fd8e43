/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The common part of the random cases of all operations: an image, the loop over cases and
 * configurations, the comparison with the expected result, and the report of a failure.
 */

#pragma once

#include "configurations.h"
#include "guarded-image.h"
#include "random-image.h"

G_BEGIN_DECLS

/* One case of CASES_A_LARGE_ONE is large if the operation has quick references. */
#define CASES_A_LARGE_ONE 20

/**
 * Case:
 * @given: the parameters of the test, the same for all cases
 * @operation: the operation
 * @options: its options, by default the default ones
 * @type: of the image
 * @size: of the image
 * @n: its pixels
 * @large: whether the expected result comes from a quick reference
 * @palette: the levels the image is made of
 * @content: a name for the content of the image
 * @image: its levels
 *
 * The first member of every operation's case.
 */
typedef struct
{
  gconstpointer  given;
  WfOperation    operation;
  gconstpointer  options;
  WfType         type;
  RefSize        size;
  gint64         n;
  gboolean       large;
  Palette        palette;
  const char    *content;
  double        *image;
} Case;

/**
 * CaseKind:
 * @size: of a case, which begins with a #Case, in bytes
 * @any_tiles: whether large images may be divided into tiles of a few pixels
 * @needs_all_algorithms: whether every algorithm must have given right results at the end
 * @init: calls case_begin() and case_draw(), and computes the expected result
 * @clear: frees what @init has allocated, without the image
 * @run: runs the case in a configuration; returns a fault, or %NULL; sets @refused if the
 *   requested algorithm rightly does not support this case
 * @append: (nullable): adds to the description of a case
 *
 * One operation's random cases.
 */
typedef struct
{
  gsize      size;
  gboolean   any_tiles;
  gboolean   needs_all_algorithms;
  void    (* init)   (gpointer              data);
  void    (* clear)  (gpointer              data);
  char *  (* run)    (gconstpointer         data,
                      const Configuration  *configuration,
                      gboolean             *refused);
  void    (* append) (GString              *text,
                      gconstpointer         data);
} CaseKind;

void         run_cases          (const CaseKind       *kind,
                                 const Configurations *configurations,
                                 gconstpointer         given,
                                 guint                 n_cases);

void         case_begin         (Case                 *c,
                                 WfOperation           operation,
                                 gpointer              options,
                                 int                   a_large_one);
void         case_draw          (Case                 *c);
const char * case_algorithm     (const Case           *c);

char *       find_call_fault    (gboolean              succeeded,
                                 const GError         *error);
char *       find_pixel_fault   (const GuardedImage   *image,
                                 gconstpointer         expected,
                                 const char           *name);
char *       find_level_fault   (const GuardedImage   *image,
                                 const double         *levels,
                                 const char           *name);
char *       find_image_fault   (const Case           *c,
                                 const GuardedImage   *image);
char *       find_report_fault  (const Case           *c,
                                 const Configuration  *configuration);

void         append_labels      (GString              *text,
                                 const char           *title,
                                 const RefSize        *size,
                                 const guint32        *labels);

G_END_DECLS
