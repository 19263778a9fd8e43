/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "stored.h"

const StoredReconstruction stored_reconstructions[] =
{
  /* From the 4 at index 1 a plain at 4, cut off at the 2; from the 7 at the
   * right end down to the 4 in front of it, and on at 4.
   */
  { "a row, by dilation", { 9, 1, 1 }, 4, FALSE,
    { 3, 5, 5, 2, 6, 6, 4, 9, 9 },
    { 0, 4, 0, 0, 0, 0, 0, 0, 7 },
    { 3, 4, 4, 2, 4, 4, 4, 7, 7 } },

  /* The same upside down: 10 less each level. */
  { "a row, by erosion", { 9, 1, 1 }, 8, TRUE,
    {  7,  5,  5,  8,  4,  4,  6,  1,  1 },
    { 10,  6, 10, 10, 10, 10, 10, 10,  3 },
    {  7,  6,  6,  8,  6,  6,  6,  3,  3 } },

  /* A marker above the mask counts as the mask. */
  { "a marker above the mask", { 1, 4, 1 }, 4, FALSE,
    { 5, 2, 6, 1 },
    { 9, 0, 0, 3 },
    { 5, 2, 2, 1 } },

  { "a diagonal, 4 neighbors", { 2, 2, 1 }, 4, FALSE,
    { 5, 0, 0, 5 }, { 5, 0, 0, 0 }, { 5, 0, 0, 0 } },
  { "a diagonal, 8 neighbors", { 2, 2, 1 }, 8, FALSE,
    { 5, 0, 0, 5 }, { 5, 0, 0, 0 }, { 5, 0, 0, 5 } },
  { "a diagonal, 6 neighbors", { 2, 2, 2 }, 6, FALSE,
    { 5, 0, 0, 0, 0, 0, 0, 5 }, { 5, 0, 0, 0, 0, 0, 0, 0 }, { 5, 0, 0, 0, 0, 0, 0, 0 } },
  { "a diagonal, 26 neighbors", { 2, 2, 2 }, 26, FALSE,
    { 5, 0, 0, 0, 0, 0, 0, 5 }, { 5, 0, 0, 0, 0, 0, 0, 0 }, { 5, 0, 0, 0, 0, 0, 0, 5 } },

  /* One slice is an image: 0 means 8 there, and 26 in a stack. */
  { "a diagonal, all neighbors of an image", { 2, 2, 1 }, 0, FALSE,
    { 5, 0, 0, 5 }, { 5, 0, 0, 0 }, { 5, 0, 0, 5 } },
  { "a diagonal, all neighbors of a stack", { 2, 2, 2 }, 0, FALSE,
    { 5, 0, 0, 0, 0, 0, 0, 5 }, { 5, 0, 0, 0, 0, 0, 0, 0 }, { 5, 0, 0, 0, 0, 0, 0, 5 } },

  /* Filling holes: the marker is the image on the border, and high inside.  The
   * wall has a gap at a corner, which lets water through diagonally only.
   */
  { "a leaking hole, 4 neighbors", { 5, 5, 1 }, 4, TRUE,
    { 0, 0, 0, 0, 0,
      0, 0, 9, 9, 0,
      0, 9, 2, 9, 0,
      0, 9, 9, 9, 0,
      0, 0, 0, 0, 0 },
    { 0, 0, 0, 0, 0,
      0, 9, 9, 9, 0,
      0, 9, 9, 9, 0,
      0, 9, 9, 9, 0,
      0, 0, 0, 0, 0 },
    { 0, 0, 0, 0, 0,
      0, 0, 9, 9, 0,
      0, 9, 9, 9, 0,
      0, 9, 9, 9, 0,
      0, 0, 0, 0, 0 } },
  { "a leaking hole, 8 neighbors", { 5, 5, 1 }, 8, TRUE,
    { 0, 0, 0, 0, 0,
      0, 0, 9, 9, 0,
      0, 9, 2, 9, 0,
      0, 9, 9, 9, 0,
      0, 0, 0, 0, 0 },
    { 0, 0, 0, 0, 0,
      0, 9, 9, 9, 0,
      0, 9, 9, 9, 0,
      0, 9, 9, 9, 0,
      0, 0, 0, 0, 0 },
    { 0, 0, 0, 0, 0,
      0, 0, 9, 9, 0,
      0, 9, 2, 9, 0,
      0, 9, 9, 9, 0,
      0, 0, 0, 0, 0 } },

  { "a corridor with a low passage", { 5, 5, 1 }, 8, FALSE,
    { 9, 9, 9, 9, 9,
      0, 0, 0, 0, 9,
      9, 9, 9, 9, 9,
      9, 0, 0, 0, 0,
      9, 9, 9, 3, 9 },
    { 9, 0, 0, 0, 0,
      0, 0, 0, 0, 0,
      0, 0, 0, 0, 0,
      0, 0, 0, 0, 0,
      0, 0, 0, 0, 0 },
    { 9, 9, 9, 9, 9,
      0, 0, 0, 0, 9,
      9, 9, 9, 9, 9,
      9, 0, 0, 0, 0,
      9, 9, 9, 3, 3 } },

  /* The h-maxima of two blocks, h = 4: the manual page of MATLAB's imhmax. */
  { "h-maxima of two blocks", { 10, 10, 1 }, 8, FALSE,
    { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 3, 3, 3, 0, 0, 0, 0, 0, 0,
      0, 3, 3, 3, 0, 0, 0, 0, 0, 0,
      0, 3, 3, 3, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 8, 8, 8, 0, 0,
      0, 0, 0, 0, 0, 8, 8, 8, 0, 0,
      0, 0, 0, 0, 0, 8, 8, 8, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
    { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 4, 4, 4, 0, 0,
      0, 0, 0, 0, 0, 4, 4, 4, 0, 0,
      0, 0, 0, 0, 0, 4, 4, 4, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
    { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 4, 4, 4, 0, 0,
      0, 0, 0, 0, 0, 4, 4, 4, 0, 0,
      0, 0, 0, 0, 0, 4, 4, 4, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
};

const guint stored_n_reconstructions = G_N_ELEMENTS (stored_reconstructions);

#define WHOLE { 1, 1, 1 }

const StoredDistance stored_distances[] =
{
  /* The example of MATLAB's bwdist; ties go to the smaller x. */
  { "two points", { 5, 5, 1 }, { REF_EUCLIDEAN_SQUARED, WHOLE, 0 },
    "#####"
    "#.###"
    "#####"
    "###.#"
    "#####",
    {  2, 1, 2, 5, 10,
       1, 0, 1, 4,  5,
       2, 1, 2, 1,  2,
       5, 4, 1, 0,  1,
      10, 5, 2, 1,  2 },
    {  6,  6,  6,  6,  6,
       6,  6,  6,  6, 18,
       6,  6,  6, 18, 18,
       6,  6, 18, 18, 18,
       6, 18, 18, 18, 18 } },
  { "two points by blocks", { 5, 5, 1 }, { REF_CITY_BLOCK, WHOLE, 0 },
    "#####"
    "#.###"
    "#####"
    "###.#"
    "#####",
    { 2, 1, 2, 3, 4,
      1, 0, 1, 2, 3,
      2, 1, 2, 1, 2,
      3, 2, 1, 0, 1,
      4, 3, 2, 1, 2 },
    { 6,  6,  6,  6,  6,
      6,  6,  6,  6,  6,
      6,  6,  6, 18, 18,
      6,  6, 18, 18, 18,
      6,  6, 18, 18, 18 } },
  /* (3, 0) is 2 from (1, 1), 3 from (3, 3); (4, 0), (4, 1): 3 and 3, 3 and 2. */
  { "two points on a chessboard", { 5, 5, 1 }, { REF_CHESSBOARD, WHOLE, 0 },
    "#####"
    "#.###"
    "#####"
    "###.#"
    "#####",
    { 1, 1, 1, 2, 3,
      1, 0, 1, 2, 2,
      1, 1, 1, 1, 1,
      2, 2, 1, 0, 1,
      3, 2, 1, 1, 1 },
    { 6,  6,  6,  6,  6,
      6,  6,  6,  6, 18,
      6,  6,  6, 18, 18,
      6,  6, 18, 18, 18,
      6, 18, 18, 18, 18 } },
  { "no background", { 3, 2, 1 }, { REF_EUCLIDEAN_SQUARED, WHOLE, 0 },
    "###" "###",
    { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY },
    { -1, -1, -1, -1, -1, -1 } },
  { "background alone", { 3, 1, 1 }, { REF_CITY_BLOCK, WHOLE, 0 },
    "...", { 0, 0, 0 }, { 0, 1, 2 } },
  { "the outside", { 3, 3, 1 }, { REF_EUCLIDEAN_SQUARED, WHOLE, 1 },
    "###" "###" "###",
    { 1, 1, 1, 1, 4, 1, 1, 1, 1 },
    { -1, -1, -1, -1, -1, -1, -1, -1, -1 } },
  /* For an image the outside does not lie in front of it or behind it. */
  { "the outside of one slice", { 5, 5, 1 }, { REF_CHESSBOARD, WHOLE, 1 },
    "#####" "#####" "#####" "#####" "#####",
    { 1, 1, 1, 1, 1,  1, 2, 2, 2, 1,  1, 2, 3, 2, 1,  1, 2, 2, 2, 1,  1, 1, 1, 1, 1 },
    { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 } },
  { "the outside of two slices", { 3, 3, 2 }, { REF_CHESSBOARD, WHOLE, 1 },
    "###" "###" "###" "###" "###" "###",
    { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
    { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 } },
  /* The pixel left of index 1 and that above it are equally near: the smaller
   * x is inside.  Of those around index 2, the one above has the smallest x.
   */
  { "inside or outside", { 3, 1, 1 }, { REF_EUCLIDEAN_SQUARED, WHOLE, 1 },
    ".##", { 0, 1, 1 }, { 0, 0, -1 } },
  { "outside or inside", { 3, 1, 1 }, { REF_EUCLIDEAN_SQUARED, WHOLE, 1 },
    "##.", { 1, 1, 0 }, { -1, -1, 2 } },
  { "flat pixels", { 3, 3, 1 }, { REF_EUCLIDEAN_SQUARED, { 2, 1, 1 }, 0 },
    ".##" "###" "##.",
    { 0,  4, 4,
      1,  5, 1,
      4,  4, 0 },
    { 0, 0, 8,
      0, 0, 8,
      0, 8, 8 } },
  /* In a stack x decides before y, and y before z. */
  { "a tie in a stack", { 3, 3, 3 }, { REF_CITY_BLOCK, WHOLE, 0 },
    "###" "#.#" "###"
    "#.#" "##." "###"
    "###" "###" "###",
    { 2, 1, 2,  1, 0, 1,  2, 1, 2,
      1, 0, 1,  2, 1, 0,  3, 2, 1,
      2, 1, 2,  3, 2, 1,  4, 3, 2 },
    { 10, 10, 10,   4,  4,  4,   4,  4,  4,
      10, 10, 10,  10, 10, 14,  10, 10, 14,
      10, 10, 10,  10, 10, 14,  10, 10, 14 } },
};

const guint stored_n_distances = G_N_ELEMENTS (stored_distances);

const StoredWatershed stored_watersheds[] =
{
  { "a row", { 5, 1, 1 }, { .connectivity = 4 }, FALSE,
    { 1, 3, 2, 4, 0 }, { 0 }, { 1, 1, 2, 3, 3 }, 3 },
  { "a row, lines", { 5, 1, 1 }, { .connectivity = 4, .lines = TRUE }, FALSE,
    { 1, 3, 2, 4, 0 }, { 0 }, { 1, 0, 2, 0, 3 }, 3 },
  { "a row, tolerance below the depth", { 5, 1, 1 }, { .tolerance = 0.5 }, FALSE,
    { 1, 3, 2, 4, 0 }, { 0 }, { 1, 1, 2, 3, 3 }, 3 },
  /* The 2 is 1 deep.  Then it belongs to the plateau at L1 = 3 behind index 1. */
  { "a row, tolerance of the depth", { 5, 1, 1 }, { .tolerance = 1 }, FALSE,
    { 1, 3, 2, 4, 0 }, { 0 }, { 1, 1, 1, 2, 2 }, 2 },
  { "a row, tolerance of all", { 5, 1, 1 }, { .tolerance = 255 }, FALSE,
    { 1, 3, 2, 4, 0 }, { 0 }, { 1, 1, 1, 1, 1 }, 1 },

  { "a tie", { 3, 1, 1 }, { .last_index = FALSE }, FALSE,
    { 0, 5, 0 }, { 0 }, { 1, 1, 2 }, 2 },
  { "a tie, last index", { 3, 1, 1 }, { .last_index = TRUE }, FALSE,
    { 0, 5, 0 }, { 0 }, { 1, 2, 2 }, 2 },
  { "an even plateau", { 6, 1, 1 }, { .connectivity = 8 }, FALSE,
    { 0, 5, 5, 5, 5, 0 }, { 0 }, { 1, 1, 1, 2, 2, 2 }, 2 },
  /* Of the two in the middle the second one comes later in the order. */
  { "an even plateau, lines", { 6, 1, 1 }, { .lines = TRUE }, FALSE,
    { 0, 5, 5, 5, 5, 0 }, { 0 }, { 1, 1, 1, 0, 2, 2 }, 2 },
  { "an odd plateau", { 1, 5, 1 }, { .connectivity = 4 }, FALSE,
    { 0, 5, 5, 5, 0 }, { 0 }, { 1, 1, 1, 2, 2 }, 2 },
  { "an odd plateau, last index", { 1, 1, 5 }, { .last_index = TRUE }, FALSE,
    { 0, 5, 5, 5, 0 }, { 0 }, { 1, 1, 2, 2, 2 }, 2 },

  { "a saddle, 4 neighbors", { 3, 3, 1 }, { .connectivity = 4 }, FALSE,
    { 0, 2, 1,  3, 4, 3,  1, 2, 0 }, { 0 },
    { 1, 1, 2,  1, 1, 4,  3, 4, 4 }, 4 },
  { "a saddle, last index", { 3, 3, 1 }, { .connectivity = 4, .last_index = TRUE }, FALSE,
    { 0, 2, 1,  3, 4, 3,  1, 2, 0 }, { 0 },
    { 1, 1, 2,  1, 4, 4,  3, 4, 4 }, 4 },
  { "a saddle, 8 neighbors", { 3, 3, 1 }, { .connectivity = 8 }, FALSE,
    { 0, 2, 1,  3, 4, 3,  1, 2, 0 }, { 0 },
    { 1, 1, 2,  1, 1, 4,  3, 4, 4 }, 4 },
  { "a saddle, lines", { 3, 3, 1 }, { .connectivity = 4, .lines = TRUE }, FALSE,
    { 0, 2, 1,  3, 4, 3,  1, 2, 0 }, { 0 },
    { 1, 0, 2,  0, 0, 0,  3, 0, 4 }, 4 },

  { "a plain between markers", { 3, 3, 1 }, { .connectivity = 4 }, TRUE,
    { 5, 5, 5,  5, 5, 5,  5, 5, 5 }, { 7, 0, 0,  0, 0, 0,  0, 0, 9 },
    { 7, 7, 7,  7, 7, 9,  7, 9, 9 }, 2 },
  { "a plain between markers, last index", { 3, 3, 1 },
    { .connectivity = 4, .last_index = TRUE }, TRUE,
    { 5, 5, 5,  5, 5, 5,  5, 5, 5 }, { 7, 0, 0,  0, 0, 0,  0, 0, 9 },
    { 7, 7, 9,  7, 9, 9,  9, 9, 9 }, 2 },
  { "a plain between markers, lines", { 3, 3, 1 }, { .connectivity = 4, .lines = TRUE }, TRUE,
    { 5, 5, 5,  5, 5, 5,  5, 5, 5 }, { 7, 0, 0,  0, 0, 0,  0, 0, 9 },
    { 7, 7, 0,  7, 0, 9,  0, 9, 9 }, 2 },

  { "a marker on a slope", { 3, 1, 1 }, { 0 }, TRUE,
    { 5, 1, 4 }, { 3, 0, 0 }, { 3, 3, 3 }, 1 },
  /* The flood reaches the 1 from the right, at level 4. */
  { "two markers on slopes", { 3, 1, 1 }, { 0 }, TRUE,
    { 5, 1, 4 }, { 1, 0, 2 }, { 1, 2, 2 }, 2 },
  { "markers of one label", { 4, 1, 1 }, { .lines = TRUE }, TRUE,
    { 0, 5, 5, 0 }, { 4294967295u, 0, 0, 4294967295u },
    { 4294967295u, 4294967295u, 4294967295u, 4294967295u }, 1 },
  /* Where markers touch, the later one gives way. */
  { "touching markers, lines", { 4, 1, 1 }, { .lines = TRUE }, TRUE,
    { 3, 3, 3, 3 }, { 0, 2, 1, 0 }, { 2, 2, 0, 1 }, 2 },
  { "touching markers, lines, by level", { 2, 1, 1 }, { .lines = TRUE }, TRUE,
    { 3, 1 }, { 2, 1 }, { 0, 1 }, 1 },
};

const guint stored_n_watersheds = G_N_ELEMENTS (stored_watersheds);

const StoredBall stored_balls[] =
{
  /* Gauss' circle problem (OEIS A000328), and that of the sphere (A000605). */
  { "circle", REF_EUCLIDEAN_SQUARED, 2,
    { 1, 5, 13, 29, 49, 81, 113, 149, 197, 253, 317 } },
  { "sphere", REF_EUCLIDEAN_SQUARED, 3,
    { 1, 7, 33, 123, 257, 515, 925, 1419, 2109, 3071, 4169 } },
  /* 2r² + 2r + 1 (A001844), and the centred octahedral numbers (A001845). */
  { "diamond", REF_CITY_BLOCK, 2,
    { 1, 5, 13, 25, 41, 61, 85, 113, 145, 181, 221 } },
  { "octahedron", REF_CITY_BLOCK, 3,
    { 1, 7, 25, 63, 129, 231, 377, 575, 833, 1159, 1561 } },
  { "square", REF_CHESSBOARD, 2,
    { 1, 9, 25, 49, 81, 121, 169, 225, 289, 361, 441 } },
  { "cube", REF_CHESSBOARD, 3,
    { 1, 27, 125, 343, 729, 1331, 2197, 3375, 4913, 6859, 9261 } },
};

const guint stored_n_balls = G_N_ELEMENTS (stored_balls);
