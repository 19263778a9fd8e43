/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Options, declared once: the tables.
 *
 * Each operation takes a plain struct.  The tables below say what each field of
 * it is called, what it means and what it may hold.  The command's help and
 * parsing, the arguments of the GIMP procedures, the dialogs and the checks of
 * the library itself all read these tables, so that none of them can disagree.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "wavefront.h"


static const WfChoice connectivities[] =
{
  { "auto", 0,  N_("All neighbours (8, or 26 in a stack)") },
  { "4",    4,  N_("4 neighbours") },
  { "8",    8,  N_("8 neighbours") },
  { "6",    6,  N_("6 neighbours (stacks)") },
  { "26",   26, N_("26 neighbours (stacks)") },
  { NULL,   0,  NULL }
};

static const WfChoice directions[] =
{
  { "dilation", WF_BY_DILATION, N_("Dilation") },
  { "erosion",  WF_BY_EROSION,  N_("Erosion") },
  { NULL,       0,              NULL }
};

static const WfChoice metrics[] =
{
  { "euclidean",  WF_METRIC_EUCLIDEAN,  N_("Euclidean") },
  { "squared",    WF_METRIC_SQUARED,    N_("Squared Euclidean") },
  { "city-block", WF_METRIC_CITY_BLOCK, N_("City block") },
  { "chessboard", WF_METRIC_CHESSBOARD, N_("Chessboard") },
  { NULL,         0,                    NULL }
};

#define RECONSTRUCTIONS \
  { "sweeps",     0, N_("Sweeps over tiles, many pixels at once") }, \
  { "tiled",      0, N_("Scans and a queue in each tile") }, \
  { "non-tiled",  0, N_("Scans and queues of all threads in the whole image") }, \
  { "sequential", 0, N_("Scans until nothing changes (Vincent)") }, \
  { "queue",      0, N_("A queue from the regional maxima; on a GPU after scans (Vincent, Teodoro)") }, \
  { "hybrid",     0, N_("Two scans, then a queue (Vincent)") }

static const WfChoice reconstruct_algorithms[] =
{
  { "auto",       0, N_("Automatic") },
  RECONSTRUCTIONS,
  { "raster",      0, N_("Scans in four or six directions until nothing changes (on a GPU)") },
  { "queue-naive", 0, N_("Like the queue, with an atomic operation for each pixel (on a GPU)") },
  { NULL,         0, NULL }
};

static const WfChoice extrema_algorithms[] =
{
  { "auto",       0, N_("Automatic") },
  { "plateaux",   0, N_("Plateaux that no neighbour exceeds") },
  RECONSTRUCTIONS,
  { NULL,         0, NULL }
};

static const WfChoice distance_algorithms[] =
{
  { "auto",        0, N_("Automatic") },
  { "local",       0, N_("Column distances, then a search along rows") },
  { "envelope",    0, N_("Column scans, then row envelopes") },
  { "scan",        0, N_("Row and column scans (city block on a GPU)") },
  { "propagation", 0, N_("From pixel to pixel (approximate with 4 or 6 neighbours)") },
  { "proximate",   0, N_("Proximate points of rows, by way of transpositions (on a GPU)") },
  { "proximate-strided", 0, N_("Proximate points of rows, with strided access (on a GPU)") },
  { NULL,          0, NULL }
};

static const WfChoice watershed_algorithms[] =
{
  { "auto",     0, N_("Automatic") },
  { "steepest", 0, N_("Steepest paths over completed plateaux") },
  { "sync",     0, N_("Path reduction, from one array to another (on a GPU)") },
  { "async",    0, N_("Path reduction in place, in tiles first (on a GPU)") },
  { "balanced", 0, N_("Path reduction of those pixels that are unfinished (on a GPU)") },
  { NULL,       0, NULL }
};

static const WfChoice label_algorithms[] =
{
  { "auto",       0, N_("Automatic") },
  { "union-find", 0, N_("Runs of pixels, joined by union-find") },
  { NULL,         0, NULL }
};

static const WfChoice hierarchy_algorithms[] =
{
  { "auto",       0, N_("Automatic") },
  { "boundaries", 0, N_("Passes between basins, found along their boundaries") },
  { NULL,         0, NULL }
};

static const WfChoice gaussian_algorithms[] =
{
  { "auto",      0, N_("Automatic") },
  { "separable", 0, N_("Slices, columns, rows: one axis after the other") },
  { NULL,        0, NULL }
};

static const WfChoice gradient_algorithms[] =
{
  { "auto",    0, N_("Automatic") },
  { "windows", 0, N_("The highest and the lowest of windows") },
  { NULL,      0, NULL }
};

static const WfChoice measures[] =
{
  { "dynamics", WF_MEASURE_DYNAMICS, N_("Dynamics (depth)") },
  { "area",     WF_MEASURE_AREA,     N_("Area") },
  { "volume",   WF_MEASURE_VOLUME,   N_("Volume") },
  { NULL,       0,                   NULL }
};

static const WfChoice block_sizes[] =
{
  { "auto", 0,    N_("Automatic") },
  { "32",   32,   "32" },
  { "64",   64,   "64" },
  { "128",  128,  "128" },
  { "256",  256,  "256" },
  { "512",  512,  "512" },
  { "1024", 1024, "1024" },
  { NULL,   0,    NULL }
};

static const WfChoice fallbacks[] =
{
  { "auto", WF_FALLBACK_AUTO, N_("Continue on the CPU if chosen automatically") },
  { "cpu",  WF_FALLBACK_CPU,  N_("Continue on the CPU") },
  { "none", WF_FALLBACK_NONE, N_("Stop") },
  { NULL,   0,                NULL }
};

static const WfChoice elements[] =
{
  { "square", WF_ELEMENT_SQUARE, N_("Square") },
  { "disc",   WF_ELEMENT_DISC,   N_("Disc") },
  { NULL,     0,                 NULL }
};

#define CONNECTIVITY(Options, blurb) \
  { "connectivity", WF_OPTION_CHOICE, G_STRUCT_OFFSET (Options, connectivity), \
    N_("_Connectivity"), blurb, "4|8|6|26", 0, 0, 0, connectivities }

#define NEIGHBOURS \
  N_("Which pixels are neighbours: 4 or 8 in an image, 6 or 26 in a stack")

#define SAME_RESULT \
  N_("Way of computing it; every way gives the same result")

#define ALGORITHM(Options, list, blurb) \
  { "algorithm", WF_OPTION_NAME, G_STRUCT_OFFSET (Options, algorithm), \
    N_("_Algorithm"), blurb, "NAME", 0, 0, 0, list }

static const WfOption reconstruct_options[] =
{
  { "by", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfReconstructOptions, by),
    N_("_By"),
    N_("Dilation raises the marker under the mask, erosion lowers it over the mask"),
    "dilation|erosion", 0, 0, WF_BY_DILATION, directions },
  CONNECTIVITY (WfReconstructOptions, NEIGHBOURS),
  ALGORITHM (WfReconstructOptions, reconstruct_algorithms, SAME_RESULT),
};

static const WfOption distance_options[] =
{
  { "metric", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfDistanceOptions, metric),
    N_("_Metric"),
    N_("How distance is measured"),
    "euclidean|squared|city-block|chessboard", 0, 0, WF_METRIC_EUCLIDEAN, metrics },
  { "threshold", WF_OPTION_REAL, G_STRUCT_OFFSET (WfDistanceOptions, threshold),
    N_("_Threshold"),
    N_("Foreground is what lies above this level; without it, what is not 0"),
    "T", -G_MAXDOUBLE, G_MAXDOUBLE, NAN, NULL },
  { "border-background", WF_OPTION_BOOLEAN,
    G_STRUCT_OFFSET (WfDistanceOptions, border_background),
    N_("_Outside is background"),
    N_("Count everything outside the image as background"),
    NULL, 0, 1, FALSE, NULL },
  { "signed", WF_OPTION_BOOLEAN,
    G_STRUCT_OFFSET (WfDistanceOptions, signed_distance),
    N_("Si_gned"),
    N_("Give background pixels minus their distance to the nearest foreground pixel"),
    NULL, 0, 1, FALSE, NULL },
  { "spacing", WF_OPTION_SPACING, G_STRUCT_OFFSET (WfDistanceOptions, spacing),
    N_("_Spacing"),
    N_("Size of a pixel along x, y and z"),
    "X,Y[,Z]", 0, G_MAXDOUBLE, 1, NULL },
  CONNECTIVITY (WfDistanceOptions,
                N_("Neighbourhood for algorithms that go from pixel to pixel; the exact ones have "
                   "no use for it")),
  ALGORITHM (WfDistanceOptions, distance_algorithms,
             N_("Way of computing it; all give the same result but propagation, which is an "
                "approximation")),
};

static const WfOption watershed_options[] =
{
  { "tolerance", WF_OPTION_REAL, G_STRUCT_OFFSET (WfWatershedOptions, tolerance),
    N_("_Tolerance"),
    N_("Minima no deeper than this make no basin of their own"),
    "H", 0, G_MAXDOUBLE, 0, NULL },
  { "lines", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfWatershedOptions, lines),
    N_("Divide basins by _lines"),
    N_("Divide the basins by lines one pixel wide, which belong to none (label 0)"),
    NULL, 0, 1, FALSE, NULL },
  { "last-index", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (WfWatershedOptions, last_index),
    N_("Last of _equals"),
    N_("Among equal neighbours take the last in raster order, not the first"),
    NULL, 0, 1, FALSE, NULL },
  CONNECTIVITY (WfWatershedOptions, NEIGHBOURS),
  ALGORITHM (WfWatershedOptions, watershed_algorithms, SAME_RESULT),
  { "reduction-rate", WF_OPTION_INT, G_STRUCT_OFFSET (WfWatershedOptions, reduction_rate),
    N_("_Reduction rate"),
    N_("How many paths a step of path reduction puts together; 0 for automatic"),
    "N", 0, 64, 0, NULL },
  { "block-size", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfWatershedOptions, block_size),
    N_("_Block size"),
    N_("Threads of a block for path reduction on a GPU"),
    "auto|32|64|128|256|512|1024", 0, 0, 0, block_sizes },
  { "smoothing", WF_OPTION_REAL, G_STRUCT_OFFSET (WfWatershedOptions, smoothing),
    N_("_Smoothing"),
    N_("Smooth the image first, by a Gaussian of this standard deviation in pixels; 0: not"),
    "SIGMA", 0, WF_MAX_SIGMA, 0, NULL },
  { "gradient", WF_OPTION_INT, G_STRUCT_OFFSET (WfWatershedOptions, gradient),
    N_("_Gradient"),
    N_("Flood the image's gradient by a square of this radius; 0: the image itself"),
    "R", 0, 1 << 20, 0, NULL },
};

static const WfOption label_options[] =
{
  { "threshold", WF_OPTION_REAL, G_STRUCT_OFFSET (WfLabelOptions, threshold),
    N_("_Threshold"),
    N_("Foreground is what lies above this level; without it, what is not 0"),
    "T", -G_MAXDOUBLE, G_MAXDOUBLE, NAN, NULL },
  CONNECTIVITY (WfLabelOptions, NEIGHBOURS),
  ALGORITHM (WfLabelOptions, label_algorithms, SAME_RESULT),
};

static const WfOption hierarchy_options[] =
{
  { "measure", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfHierarchyOptions, measure),
    N_("_Measure"),
    N_("By what basins are merged: the least first"),
    "dynamics|area|volume", 0, 0, WF_MEASURE_DYNAMICS, measures },
  CONNECTIVITY (WfHierarchyOptions, NEIGHBOURS),
  ALGORITHM (WfHierarchyOptions, hierarchy_algorithms, SAME_RESULT),
};

#define HEIGHT \
  { "height", WF_OPTION_REAL, G_STRUCT_OFFSET (WfMorphologyOptions, height), \
    N_("H_eight"), \
    N_("Height of the extrema, in grey levels"), \
    "H", 0, G_MAXDOUBLE, NAN, NULL }

#define ELEMENT(Options) \
  { "element", WF_OPTION_CHOICE, G_STRUCT_OFFSET (Options, element), \
    N_("_Element"), \
    N_("Shape of the structuring element"), \
    "square|disc", 0, 0, WF_ELEMENT_SQUARE, elements }, \
  { "radius", WF_OPTION_INT, G_STRUCT_OFFSET (Options, radius), \
    N_("_Radius"), \
    N_("Radius of the structuring element, in pixels"), \
    "R", 0, 1 << 20, 1, NULL }

#define COMMON_WITH(algorithms) \
  CONNECTIVITY (WfMorphologyOptions, NEIGHBOURS), \
  ALGORITHM (WfMorphologyOptions, algorithms, SAME_RESULT)

#define COMMON COMMON_WITH (reconstruct_algorithms)

static const WfOption plain_options[]   = { COMMON };
static const WfOption extrema_options[] = { COMMON_WITH (extrema_algorithms) };
static const WfOption height_options[]  = { HEIGHT, COMMON };
static const WfOption element_options[] = { ELEMENT (WfMorphologyOptions), COMMON };

static const WfOption gaussian_options[] =
{
  { "sigma", WF_OPTION_REAL, G_STRUCT_OFFSET (WfFilterOptions, sigma),
    N_("_Sigma"),
    N_("Standard deviation of the Gaussian, in pixels"),
    "SIGMA", 0, WF_MAX_SIGMA, 1, NULL },
  ALGORITHM (WfFilterOptions, gaussian_algorithms, SAME_RESULT),
};

static const WfOption gradient_options[] =
{
  ELEMENT (WfFilterOptions),
  ALGORITHM (WfFilterOptions, gradient_algorithms, SAME_RESULT),
};

static const WfOption context_options[] =
{
  { "device", WF_OPTION_DEVICE, G_STRUCT_OFFSET (WfContextOptions, device),
    N_("_Device"),
    N_("Where it is computed"),
    "auto|cpu|cuda:N|all", 0, 0, 0, NULL },
  { "fallback", WF_OPTION_CHOICE, G_STRUCT_OFFSET (WfContextOptions, fallback),
    N_("If the device _fails"),
    N_("Whether the CPU does the work when the device is missing or fails: automatically, only "
       "if the device was not chosen by name"),
    "auto|cpu|none", 0, 0, WF_FALLBACK_AUTO, fallbacks },
  { "threads", WF_OPTION_INT, G_STRUCT_OFFSET (WfContextOptions, threads),
    N_("T_hreads"),
    N_("CPU threads; 0 for one on each processor"),
    "N", 0, 4096, 0, NULL },
  { "tile-size", WF_OPTION_INT, G_STRUCT_OFFSET (WfContextOptions, tile_size),
    N_("Tile si_ze"),
    N_("Side of the tiles that the work is divided into, in pixels; 0 for automatic"),
    "N", 0, 1 << 20, 0, NULL },
};

#define GROUP(name, title, blurb, table, Options) \
  { name, title, blurb, table, G_N_ELEMENTS (table), sizeof (Options) }

static const WfOptionGroup operations[WF_N_OPERATIONS] =
{
  [WF_OPERATION_RECONSTRUCT] =
    GROUP ("reconstruct", N_("Morphological Reconstruction"),
           N_("Grow a marker image inside a mask image until nothing changes"),
           reconstruct_options, WfReconstructOptions),
  [WF_OPERATION_DISTANCE] =
    GROUP ("distance", N_("Distance Map"),
           N_("Distance from each foreground pixel to the nearest background pixel"),
           distance_options, WfDistanceOptions),
  [WF_OPERATION_WATERSHED] =
    GROUP ("watershed", N_("Watershed"),
           N_("Divide an image into the catchment basins of its minima or of given markers"),
           watershed_options, WfWatershedOptions),
  [WF_OPERATION_LABEL] =
    GROUP ("label", N_("Connected Components"),
           N_("Number the connected components of the foreground"),
           label_options, WfLabelOptions),
  [WF_OPERATION_HIERARCHY] =
    GROUP ("hierarchy", N_("Hierarchy of Basins"),
           N_("Merge the basins of a watershed, the least significant first"),
           hierarchy_options, WfHierarchyOptions),
  [WF_OPERATION_FILL_HOLES] =
    GROUP ("fill-holes", N_("Fill Holes"),
           N_("Raise what no path from the image's border reaches at a lower level"),
           plain_options, WfMorphologyOptions),
  [WF_OPERATION_CLEAR_BORDER] =
    GROUP ("clear-border", N_("Clear Border"),
           N_("Remove what is bright and connected to the image's border"),
           plain_options, WfMorphologyOptions),
  [WF_OPERATION_H_MAXIMA] =
    GROUP ("h-maxima", N_("H-Maxima"),
           N_("Cut off maxima by a height, and remove those no higher"),
           height_options, WfMorphologyOptions),
  [WF_OPERATION_H_MINIMA] =
    GROUP ("h-minima", N_("H-Minima"),
           N_("Fill minima by a height, and remove those no deeper"),
           height_options, WfMorphologyOptions),
  [WF_OPERATION_H_DOME] =
    GROUP ("h-dome", N_("H-Domes"),
           N_("What the h-maxima cut off: bright domes up to a height"),
           height_options, WfMorphologyOptions),
  [WF_OPERATION_H_BASIN] =
    GROUP ("h-basin", N_("H-Basins"),
           N_("What the h-minima fill: dark basins up to a height"),
           height_options, WfMorphologyOptions),
  [WF_OPERATION_REGIONAL_MAXIMA] =
    GROUP ("regional-maxima", N_("Regional Maxima"),
           N_("Mark the plateaux without a higher neighbour"),
           extrema_options, WfMorphologyOptions),
  [WF_OPERATION_REGIONAL_MINIMA] =
    GROUP ("regional-minima", N_("Regional Minima"),
           N_("Mark the plateaux without a lower neighbour"),
           extrema_options, WfMorphologyOptions),
  [WF_OPERATION_EXTENDED_MAXIMA] =
    GROUP ("extended-maxima", N_("Extended Maxima"),
           N_("Mark the regional maxima of the h-maxima"),
           height_options, WfMorphologyOptions),
  [WF_OPERATION_EXTENDED_MINIMA] =
    GROUP ("extended-minima", N_("Extended Minima"),
           N_("Mark the regional minima of the h-minima"),
           height_options, WfMorphologyOptions),
  [WF_OPERATION_OPENING] =
    GROUP ("opening", N_("Opening by Reconstruction"),
           N_("Remove bright parts that hold no structuring element, and keep the others whole"),
           element_options, WfMorphologyOptions),
  [WF_OPERATION_CLOSING] =
    GROUP ("closing", N_("Closing by Reconstruction"),
           N_("Fill dark parts that hold no structuring element, and keep the others whole"),
           element_options, WfMorphologyOptions),
  [WF_OPERATION_WHITE_TOP_HAT] =
    GROUP ("white-top-hat", N_("White Top-Hat by Reconstruction"),
           N_("What the opening by reconstruction removes"),
           element_options, WfMorphologyOptions),
  [WF_OPERATION_BLACK_TOP_HAT] =
    GROUP ("black-top-hat", N_("Black Top-Hat by Reconstruction"),
           N_("What the closing by reconstruction fills"),
           element_options, WfMorphologyOptions),
  [WF_OPERATION_IMPOSE_MINIMA] =
    GROUP ("impose-minima", N_("Impose Minima"),
           N_("Change an image so that its minima are given markers"),
           plain_options, WfMorphologyOptions),
  [WF_OPERATION_GAUSSIAN] =
    GROUP ("gaussian", N_("Gaussian"),
           N_("Smooth an image by a Gaussian"),
           gaussian_options, WfFilterOptions),
  [WF_OPERATION_GRADIENT] =
    GROUP ("gradient", N_("Gradient"),
           N_("The highest less the lowest level around each pixel"),
           gradient_options, WfFilterOptions),
};

static const WfOptionGroup context_group =
{
  "context",
  N_("Devices and Tiles"),
  N_("Where and how the work is done; the result is the same"),
  context_options, G_N_ELEMENTS (context_options), sizeof (WfContextOptions)
};


/**
 * wf_operation_get_options:
 * @operation: an operation
 *
 * Returns: the description of the operation and of its options, constant.
 */
const WfOptionGroup *
wf_operation_get_options (WfOperation operation)
{
  g_return_val_if_fail (operation < WF_N_OPERATIONS, NULL);

  return &operations[operation];
}

/**
 * wf_context_get_options:
 *
 * Returns: the description of #WfContextOptions, constant.
 */
const WfOptionGroup *
wf_context_get_options (void)
{
  return &context_group;
}
