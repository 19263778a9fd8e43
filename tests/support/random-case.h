/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the random cases of all operations have in common: an image, the loop over cases
 * and configurations, the comparison with what is expected, and the report of a failure.
 */

#pragma once

#include "configurations.h"
#include "guarded-image.h"
#include "random-image.h"

G_BEGIN_DECLS

/* One case in so many is large where an operation has quick references. */
#define CASES_A_LARGE_ONE 20

/**
 * Case:
 * @given: what the test says of its cases, for all of them the same
 * @operation: which is run
 * @options: its options, by default the default ones
 * @type: of the image
 * @size: of the image
 * @n: its pixels
 * @large: whether the expected result comes from a quick reference
 * @palette: the levels the image is made of
 * @content: what the image shows
 * @image: its levels
 *
 * What every operation's case begins with.
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
 * @size: in bytes, of what begins with a #Case
 * @any_tiles: whether large images do not take minutes in tiles of a few pixels
 * @needs_all_algorithms: whether each must have given right results in the end
 * @init: calls case_begin() and case_draw(), and finds what is expected
 * @clear: frees what @init has made, but the image
 * @run: in a configuration: what was wrong, or %NULL; sets @refused if the algorithm
 *   that was asked for by its name is rightly not for this case
 * @append: (nullable): adds what else is to be told of a case
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
