/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Small images with difficult contents, from g_test_rand: the test prints the seed of a run,
 * which --seed sets.
 */

#pragma once

#include "tests/reference/reference.h"
#include "wavefront.h"

G_BEGIN_DECLS

#define PALETTE_MOST 12

/**
 * Palette:
 * @n: number of gray levels
 * @level: in ascending order, exact in the type of the image
 */
typedef struct
{
  int    n;
  double level[PALETTE_MOST];
} Palette;

WfType       random_type         (void);
void         random_size         (RefSize       *size);
void         random_large_size   (RefSize       *size);
int          random_connectivity (const RefSize *size);
double       random_value        (WfType         type);
void         random_palette      (WfType         type,
                                  Palette       *palette);
const char * random_content      (const RefSize *size,
                                  const Palette *palette,
                                  double        *levels);

double       type_lowest         (WfType         type);
double       type_highest        (WfType         type);

G_END_DECLS
