/* SPDX-License-Identifier: GPL-3.0-or-later */

/* libwavefront: morphological reconstruction, distance maps and the watershed.
 *
 * Reading order: version, errors, images, the description of options and operations, the
 * context, then one operation after the other.  The comments here are the contracts in
 * short; the full documentation of a function, with its definition, its cost and its
 * source, stands above it in the .c file.
 *
 * Errors: a function that can fail has a GError ** as its last argument, and returns FALSE,
 * NULL or 0 with the error set: WF_ERROR, or G_IO_ERROR_CANCELLED.  Then its outputs are as
 * they were, unless wf_context_set_partial_outputs() allows otherwise.
 *
 * Memory: an output may share any part of its memory with the inputs of the call; the result is
 * the same as in memory of its own.  Two outputs that share memory are refused.
 *
 * Ownership: images, options and contexts that are passed in stay the caller's.  What a
 * function returns for the caller to free is marked "to be freed".
 *
 * Threads: any function may be called from any thread; one #WfContext runs one operation
 * at a time.
 *
 * Binary compatibility: within one soname a program that was compiled with an older header
 * works with a newer library.  Structs of options begin with their size and may grow at the end:
 * wf_option_group_init() stores the size that the program was compiled with; the library reads
 * nothing beyond it, and takes the default for that.  So do #WfRankLinks and #WfTablePlace.  These
 * are made by the library and may grow at the end, too: #WfReport, #WfPace, #WfDevice, #WfForecast,
 * #WfHistogram, #WfRankReport, #WfOutline, #WfOptionGroup, #WfOperationInfo, #WfRegionMeasureInfo,
 * #WfWatershedProposal, #WfWatershedPreset; do not copy them or take their size.  All other structs
 * keep their size: some have reserved fields, which may get a name and a meaning other than 0, and
 * must be 0 until then.  So programs set the others by name, or start from zeros.  The values of
 * enumerators stay as they are.  New operations, enumerators and functions may be added;
 * %WF_N_OPERATIONS is that of the header.  Not promised are options of #WfOption.meaning
 * %WF_OPTION_COMPARISON: a later library may leave them without effect.  A change that breaks this
 * changes the soname.
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define WF_API __attribute__ ((visibility ("default")))


/*  Version  */

/**
 * WF_MAJOR_VERSION:
 *
 * The major version of this header; wf_version() has that of the library that runs.
 */
#define WF_MAJOR_VERSION 0

/**
 * WF_MINOR_VERSION:
 *
 * The minor version of this header.
 */
#define WF_MINOR_VERSION 2

/**
 * WF_MICRO_VERSION:
 *
 * The micro version of this header.
 */
#define WF_MICRO_VERSION 0

/**
 * WF_CHECK_VERSION:
 * @major: a major version
 * @minor: a minor version
 * @micro: a micro version
 *
 * Whether this header is of the given version or of a later one.
 */
#define WF_CHECK_VERSION(major, minor, micro) \
  (WF_MAJOR_VERSION > (major) || \
   (WF_MAJOR_VERSION == (major) && WF_MINOR_VERSION > (minor)) || \
   (WF_MAJOR_VERSION == (major) && WF_MINOR_VERSION == (minor) && \
    WF_MICRO_VERSION >= (micro)))

/* The version of the library that runs, as in "0.1.0". */
WF_API const char *  wf_version       (void);

/* Whether the library that runs is of the given version or of a later one. */
WF_API gboolean      wf_check_version (guint  major,
                                       guint  minor,
                                       guint  micro);


/*  Errors  */

/**
 * WF_ERROR:
 *
 * The domain of #WfError.
 */
#define WF_ERROR (wf_error_quark ())

/**
 * WfError:
 * @WF_ERROR_INVALID: the input is refused: sizes, types, NaN, options that do not fit
 * @WF_ERROR_MEMORY: the work needs more memory than there is, or than is allowed
 * @WF_ERROR_DEVICE: no such device, or the device failed
 * @WF_ERROR_UNSUPPORTED: the device or algorithm asked for cannot do this task
 * @WF_ERROR_LABELS: more labels or levels than 32 bits can number
 * @WF_ERROR_RANK: another rank has failed (#WfCommunicator)
 *
 * Cancelling gives %G_IO_ERROR_CANCELLED.
 */
typedef enum
{
  WF_ERROR_INVALID,
  WF_ERROR_MEMORY,
  WF_ERROR_DEVICE,
  WF_ERROR_UNSUPPORTED,
  WF_ERROR_LABELS,
  WF_ERROR_RANK
} WfError;

/* The domain of #WfError; %WF_ERROR calls it. */
WF_API GQuark wf_error_quark (void);


/*  Images  */

/**
 * WfType:
 * @WF_TYPE_U8: unsigned integer of 8 bits
 * @WF_TYPE_U16: unsigned integer of 16 bits
 * @WF_TYPE_F32: floating point of 32 bits
 * @WF_TYPE_U32: unsigned integer of 32 bits
 * @WF_TYPE_U64: unsigned integer of 64 bits
 * @WF_TYPE_F64: floating point of 64 bits
 *
 * The type of a pixel.  Images to work on are u8, u16 or f32; labels are u32;
 * squared distances are u64, or f64 with a pixel spacing; nearest pixels are u64.
 */
typedef enum
{
  WF_TYPE_U8 = 1,
  WF_TYPE_U16,
  WF_TYPE_F32,
  WF_TYPE_U32,
  WF_TYPE_U64,
  WF_TYPE_F64
} WfType;

/**
 * WF_MAX_SIDE:
 *
 * The longest side of an image, in pixels: squared distances then fit 63 bits.
 */
#define WF_MAX_SIDE (G_GINT64_CONSTANT (1) << 30)

/**
 * WfMemory:
 *
 * Where pixels lie: %WF_MEMORY_HOST or WF_MEMORY_CUDA().
 */
typedef int WfMemory;

/**
 * WF_MEMORY_HOST:
 *
 * Main memory, pinned or not.
 */
#define WF_MEMORY_HOST 0

/**
 * WF_MEMORY_CUDA:
 * @n: a number of a GPU, as in the name "cuda:N"
 *
 * The memory of a GPU: of wf_image_allocate_on(), or what the caller has from anywhere else
 * (cudaMalloc(), pools, managed memory, an array of CuPy, a tensor of PyTorch).
 */
#define WF_MEMORY_CUDA(n) ((WfMemory) (n) + 1)

/**
 * WfImage:
 * @type: type of a pixel
 * @width: pixels in a row
 * @height: rows in a slice
 * @depth: slices; 1 for a 2-D image
 * @row_stride: pixels from one row to the next, at least @width
 * @slice_stride: pixels from one slice to the next
 * @data: the first pixel
 * @memory: where it lies; 0, which is %WF_MEMORY_HOST, unless it is set
 * @pixel_stride: reserved for the distance of the pixels of a row; must be 0: they lie side by side
 *
 * A view of pixels that the caller owns, unless it was made with
 * wf_image_allocate() or wf_image_allocate_on().  Set it up with wf_image_init().
 *
 * Every operation on a whole image takes views in the memory of a GPU, for inputs and outputs, with
 * any strides, and some in main memory and some there.  It is done on that GPU, without transfers,
 * or, where no GPU can do it, on the CPU with copies in main memory; the bits are the same.  A
 * context that is to work on another device refuses such views, and so do functions that say
 * nothing of them, blocks among them.
 */
typedef struct
{
  WfType   type;
  gint64   width;
  gint64   height;
  gint64   depth;
  gint64   row_stride;
  gint64   slice_stride;
  gpointer data;
  /*< private >*/
  gpointer allocated;
  /*< public >*/
  WfMemory memory;
  gint64   pixel_stride;
} WfImage;

/* Bytes of a pixel; 0 for what is no type. */
WF_API gsize         wf_type_size      (WfType         type);

/* "u8", "u16", "f32", "u32", "u64" or "f64". */
WF_API const char *  wf_type_name      (WfType         type);

/* Makes @image a view of packed pixels at @data, which stay the caller's; larger strides may
 * be set afterwards.  Sides are from 1 to %WF_MAX_SIDE.
 */
WF_API gboolean      wf_image_init     (WfImage       *image,
                                        WfType         type,
                                        gint64         width,
                                        gint64         height,
                                        gint64         depth,
                                        gpointer       data,
                                        GError       **error);

/* The same with pixels of its own, to be freed by wf_image_clear(); they are not set. */
WF_API gboolean      wf_image_allocate (WfImage       *image,
                                        WfType         type,
                                        gint64         width,
                                        gint64         height,
                                        gint64         depth,
                                        GError       **error);

/* Frees what wf_image_allocate() or wf_image_allocate_on() took, and empties the view. */
WF_API void          wf_image_clear    (WfImage       *image);

/* Width times height times depth. */
WF_API gint64        wf_image_n_pixels (const WfImage *image);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfImage, wf_image_clear)


/*  Options, declared once  */

/**
 * WfOptionKind:
 * @WF_OPTION_BOOLEAN: a #gboolean field
 * @WF_OPTION_INT: an int field, from minimum to maximum
 * @WF_OPTION_CHOICE: an int field, one of the choices' values
 * @WF_OPTION_NAME: a const char * field, one of the choices' names (a string
 *   that outlives the options: wf_option_parse() stores the choice's own)
 * @WF_OPTION_DEVICE: a const char * field: "auto", "cpu", "cuda:N", "all", or a list such as
 *   "cpu,cuda:0"
 *   (interned by wf_option_parse())
 * @WF_OPTION_REAL: a double field, from minimum to maximum; NaN where it is not set
 * @WF_OPTION_SPACING: double[3]: the size of a pixel along x, y and z
 *
 * The type of an option's field.
 */
typedef enum
{
  WF_OPTION_BOOLEAN,
  WF_OPTION_INT,
  WF_OPTION_CHOICE,
  WF_OPTION_NAME,
  WF_OPTION_DEVICE,
  WF_OPTION_REAL,
  WF_OPTION_SPACING
} WfOptionKind;

/**
 * WfOptionMeaning:
 * @WF_OPTION_PLAIN: none of the following
 * @WF_OPTION_CONNECTIVITY: which pixels are neighbors: 4 or 8, 6 or 26 in a stack, 0 for
 *   the operation's default, 8 or 26 in all but wf_fill_holes()
 * @WF_OPTION_ALGORITHM: which variant computes the result
 * @WF_OPTION_LEVEL: a gray level or a difference of gray levels, in the image's own units
 * @WF_OPTION_LENGTH: a length in pixels
 * @WF_OPTION_SIZE: the size of a part that work is divided into; 0 for automatic
 * @WF_OPTION_ANGLE: an angle in degrees
 * @WF_OPTION_AREA: an area in pixels
 * @WF_OPTION_VOLUME: levels, in the image's own units, times pixels
 * @WF_OPTION_SLOPE: levels, in the image's own units, per pixel of a length
 * @WF_OPTION_COMPARISON: a parameter of algorithms that exist to be compared with: dialogs do not
 *   offer it, and no later version promises it
 *
 * What a value stands for, which decides by what widget it is set and how it scales.
 */
typedef enum
{
  WF_OPTION_PLAIN,
  WF_OPTION_CONNECTIVITY,
  WF_OPTION_ALGORITHM,
  WF_OPTION_LEVEL,
  WF_OPTION_LENGTH,
  WF_OPTION_SIZE,
  WF_OPTION_ANGLE,
  WF_OPTION_AREA,
  WF_OPTION_VOLUME,
  WF_OPTION_SLOPE,
  WF_OPTION_COMPARISON
} WfOptionMeaning;

/**
 * WfChoice:
 * @name: what is written on a command line or in a script; %NULL ends a list
 * @value: the value of a %WF_OPTION_CHOICE field
 * @label: what a dialog shows, to be translated
 * @for_comparison: an algorithm that exists to be compared with: automatic choice never
 *   takes it, and dialogs do not offer it
 *
 * A value that an option may have.  All strings are static.
 */
typedef struct
{
  const char *name;
  int         value;
  const char *label;
  gboolean    for_comparison;
  /*< private >*/
  gpointer    reserved[2];
} WfChoice;

/**
 * WfOption:
 * @name: in lower case with hyphens
 * @kind: type of the field
 * @offset: where the field stands in the options' struct
 * @label: for a dialog, with a mnemonic, to be translated
 * @blurb: one sentence fragment for help and tooltips, to be translated
 * @placeholder: what stands for the value in help, or %NULL
 * @minimum: least value of a number
 * @maximum: largest value of a number
 * @default_value: of a number, a choice's value, or a boolean; a name's and a
 *   device's default is "auto", a spacing's is 1
 * @choices: for choices and names, ended by a %NULL name
 * @meaning: what the value stands for
 * @required: whether the caller has to set it, as no default means anything
 *
 * The description of an option: a field of a struct of options.  All strings are static.
 */
typedef struct
{
  const char      *name;
  WfOptionKind     kind;
  gsize            offset;
  const char      *label;
  const char      *blurb;
  const char      *placeholder;
  double           minimum;
  double           maximum;
  double           default_value;
  const WfChoice  *choices;
  WfOptionMeaning  meaning;
  gboolean         required;
  /*< private >*/
  gpointer         reserved[4];
} WfOption;

/**
 * WfOptionGroup:
 * @name: the operation's name, as on the command line
 * @title: its title, to be translated
 * @blurb: what it computes, one sentence, to be translated
 * @options: the options' descriptions
 * @n_options: how many
 * @size: of the struct that they fill, which begins with a gsize, its size
 *
 * The description of a struct of options.  It is static.
 */
typedef struct
{
  const char     *name;
  const char     *title;
  const char     *blurb;
  const WfOption *options;
  guint           n_options;
  gsize           size;
} WfOptionGroup;

/**
 * wf_is_stack_connectivity:
 * @connectivity: 4, 8, 6 or 26
 *
 * Distinguishes connectivities of stacks from those of images.
 *
 * Returns: whether @connectivity is 6 or 26.
 */
static inline gboolean
wf_is_stack_connectivity (int connectivity)
{
  return connectivity == 6 || connectivity == 26;
}

/* The description of #WfContextOptions, constant. */
WF_API const WfOptionGroup * wf_context_get_options     (void);

/**
 * wf_option_group_init:
 * @group: a description
 * @options: a pointer to a struct that it describes, or a gpointer to memory of the group's
 *   size
 *
 * Sets every field of @options to its default, and stores the size of the struct.  A macro,
 * so that it is the size that the caller was compiled with.
 */
#ifdef __cplusplus
#define wf_option_group_init(group, options) \
  wf_option_group_init_sized ((group), (options), sizeof *(options))
#else
#define wf_option_group_init(group, options) \
  wf_option_group_init_sized ((group), (options), \
    _Generic ((options), \
              gpointer: (group)->size, \
              default: sizeof *_Generic ((options), gpointer: "", default: (options))))
#endif

/* The same for a struct of @size bytes: fields beyond them are left alone. */
WF_API void                  wf_option_group_init_sized (const WfOptionGroup  *group,
                                                         gpointer              options,
                                                         gsize                 size);

/* The option of that name, or NULL. */
WF_API const WfOption *      wf_option_group_find       (const WfOptionGroup  *group,
                                                         const char           *name);

/* Whether every field holds what its description allows; the operations check it, too. */
WF_API gboolean              wf_option_group_check      (const WfOptionGroup  *group,
                                                         gconstpointer         options,
                                                         GError              **error);

/* Sets the option's field in @options from text, as on a command line; numbers have a
 * decimal point.  A text that is refused leaves the field as it was.
 */
WF_API gboolean              wf_option_parse            (const WfOption       *option,
                                                         gpointer              options,
                                                         const char           *text,
                                                         GError              **error);

/* The field's value as wf_option_parse() reads it, to be freed; "" where it is not set. */
WF_API char *                wf_option_format           (const WfOption       *option,
                                                         gconstpointer         options);


/*  Operations, each described once  */

/**
 * WfContext:
 *
 * Where and how operations run: device, threads, tile size, memory limit, progress and
 * cancelling.  It is reference-counted and runs one operation at a time.  An operation
 * without a context uses one with the default options.
 */
typedef struct _WfContext WfContext;

/**
 * WfOperation:
 * @WF_OPERATION_RECONSTRUCT: wf_reconstruct()
 * @WF_OPERATION_DISTANCE: wf_distance()
 * @WF_OPERATION_WATERSHED: wf_watershed()
 * @WF_OPERATION_LABEL: wf_label()
 * @WF_OPERATION_HIERARCHY: wf_hierarchy_new() and wf_hierarchy_saliency()
 * @WF_OPERATION_FILL_HOLES: wf_fill_holes()
 * @WF_OPERATION_CLEAR_BORDER: wf_clear_border()
 * @WF_OPERATION_H_MAXIMA: wf_h_maxima()
 * @WF_OPERATION_H_MINIMA: wf_h_minima()
 * @WF_OPERATION_H_DOME: wf_h_dome()
 * @WF_OPERATION_H_BASIN: wf_h_basin()
 * @WF_OPERATION_REGIONAL_MAXIMA: wf_regional_maxima()
 * @WF_OPERATION_REGIONAL_MINIMA: wf_regional_minima()
 * @WF_OPERATION_EXTENDED_MAXIMA: wf_extended_maxima()
 * @WF_OPERATION_EXTENDED_MINIMA: wf_extended_minima()
 * @WF_OPERATION_OPENING_BY_RECONSTRUCTION: wf_opening_by_reconstruction()
 * @WF_OPERATION_CLOSING_BY_RECONSTRUCTION: wf_closing_by_reconstruction()
 * @WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION: wf_white_top_hat_by_reconstruction()
 * @WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION: wf_black_top_hat_by_reconstruction()
 * @WF_OPERATION_IMPOSE_MINIMA: wf_impose_minima()
 * @WF_OPERATION_GAUSSIAN: wf_gaussian()
 * @WF_OPERATION_GRADIENT: wf_gradient()
 * @WF_OPERATION_AREA_OPENING: wf_area_opening()
 * @WF_OPERATION_AREA_CLOSING: wf_area_closing()
 * @WF_OPERATION_HEIGHT_OPENING: wf_height_opening()
 * @WF_OPERATION_HEIGHT_CLOSING: wf_height_closing()
 * @WF_OPERATION_VOLUME_OPENING: wf_volume_opening()
 * @WF_OPERATION_VOLUME_CLOSING: wf_volume_closing()
 * @WF_OPERATION_EROSION: wf_erosion()
 * @WF_OPERATION_DILATION: wf_dilation()
 * @WF_OPERATION_OPENING: wf_opening()
 * @WF_OPERATION_CLOSING: wf_closing()
 * @WF_OPERATION_MEDIAN: wf_median()
 * @WF_OPERATION_THRESHOLD: wf_threshold()
 * @WF_OPERATION_GEODESIC_DISTANCE: wf_geodesic_distance()
 * @WF_OPERATION_WHITE_TOP_HAT: wf_white_top_hat()
 * @WF_OPERATION_BLACK_TOP_HAT: wf_black_top_hat()
 * @WF_OPERATION_REMOVE_SMALL: wf_labels_remove_small()
 * @WF_OPERATION_KEEP_LARGEST: wf_labels_keep_largest()
 * @WF_OPERATION_EXPAND_LABELS: wf_labels_expand()
 * @WF_OPERATION_RELABEL: wf_labels_relabel()
 *
 * The operations, each with the function that wf_operation_run() calls for it.
 */
typedef enum
{
  WF_OPERATION_RECONSTRUCT,
  WF_OPERATION_DISTANCE,
  WF_OPERATION_WATERSHED,
  WF_OPERATION_LABEL,
  WF_OPERATION_HIERARCHY,
  WF_OPERATION_FILL_HOLES,
  WF_OPERATION_CLEAR_BORDER,
  WF_OPERATION_H_MAXIMA,
  WF_OPERATION_H_MINIMA,
  WF_OPERATION_H_DOME,
  WF_OPERATION_H_BASIN,
  WF_OPERATION_REGIONAL_MAXIMA,
  WF_OPERATION_REGIONAL_MINIMA,
  WF_OPERATION_EXTENDED_MAXIMA,
  WF_OPERATION_EXTENDED_MINIMA,
  WF_OPERATION_OPENING_BY_RECONSTRUCTION,
  WF_OPERATION_CLOSING_BY_RECONSTRUCTION,
  WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION,
  WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION,
  WF_OPERATION_IMPOSE_MINIMA,
  WF_OPERATION_GAUSSIAN,
  WF_OPERATION_GRADIENT,
  WF_OPERATION_AREA_OPENING,
  WF_OPERATION_AREA_CLOSING,
  WF_OPERATION_HEIGHT_OPENING,
  WF_OPERATION_HEIGHT_CLOSING,
  WF_OPERATION_VOLUME_OPENING,
  WF_OPERATION_VOLUME_CLOSING,
  WF_OPERATION_EROSION,
  WF_OPERATION_DILATION,
  WF_OPERATION_OPENING,
  WF_OPERATION_CLOSING,
  WF_OPERATION_MEDIAN,
  WF_OPERATION_THRESHOLD,
  WF_OPERATION_GEODESIC_DISTANCE,
  WF_OPERATION_WHITE_TOP_HAT,
  WF_OPERATION_BLACK_TOP_HAT,
  WF_OPERATION_REMOVE_SMALL,
  WF_OPERATION_KEEP_LARGEST,
  WF_OPERATION_EXPAND_LABELS,
  WF_OPERATION_RELABEL
} WfOperation;

/**
 * WF_N_OPERATIONS:
 *
 * The number of operations in this header; a later library may have more.
 */
#define WF_N_OPERATIONS (WF_OPERATION_RELABEL + 1)

/**
 * WF_MAX_OPERANDS:
 *
 * No operation has more inputs, or more outputs.
 */
#define WF_MAX_OPERANDS 8

/**
 * WfContent:
 * @WF_CONTENT_LEVELS: gray levels
 * @WF_CONTENT_MARKS: not 0 where a pixel is marked; as a result 255 there
 * @WF_CONTENT_LABELS: labels; 0 belongs to none
 * @WF_CONTENT_DISTANCES: distances; the largest u64 is an infinite one
 * @WF_CONTENT_NEAREST: linear indices of pixels, or %WF_NEAREST_NONE
 * @WF_CONTENT_SALIENCY: depths at which boundaries disappear
 *
 * What the pixels of an image mean.
 */
typedef enum
{
  WF_CONTENT_LEVELS,
  WF_CONTENT_MARKS,
  WF_CONTENT_LABELS,
  WF_CONTENT_DISTANCES,
  WF_CONTENT_NEAREST,
  WF_CONTENT_SALIENCY
} WfContent;

/**
 * WfOperand:
 * @name: its role, in lower case: "image", "mask", "marker", "labels", …; %NULL ends a list
 * @content: what its pixels mean
 * @types: the types that it may have: a bit 1 << #WfType for each
 * @same_type: whether it has the type of the first input, of those in @types
 * @optional: whether it may be %NULL
 *
 * An image that an operation reads or writes.  All images of a call have one size.
 */
typedef struct
{
  const char *name;
  WfContent   content;
  guint       types;
  gboolean    same_type;
  gboolean    optional;
  /*< private >*/
  gpointer    reserved[2];
} WfOperand;

/**
 * WfOperationFlags:
 * @WF_WORKS_ON_STACKS: on images of depth 1 and on stacks
 * @WF_WORKS_IN_PLACE: the first output may be the first input, where their types agree
 * @WF_WORKS_BY_RECONSTRUCTION: it is built on reconstruction, and takes #WfMorphologyOptions
 * @WF_WORKS_IN_BLOCKS: wf_operation_run_blocks() does it
 *
 * What an operation can do.
 */
typedef enum
{
  WF_WORKS_ON_STACKS         = 1 << 0,
  WF_WORKS_IN_PLACE          = 1 << 1,
  WF_WORKS_BY_RECONSTRUCTION = 1 << 2,
  WF_WORKS_IN_BLOCKS         = 1 << 3
} WfOperationFlags;

/**
 * WfOperationInfo:
 * @operation: its number
 * @options: its name, its title, what it computes, and its options
 * @category: what it is listed under, to be translated
 * @flags: #WfOperationFlags
 * @inputs: the images that it reads
 * @n_inputs: how many, with those that are optional
 * @outputs: the images that it writes
 * @n_outputs: how many, with those that are optional
 * @counts: what it counts beside: "basins", "components", or %NULL
 *
 * All that a caller needs to know of an operation to call it by wf_operation_run().
 */
typedef struct
{
  WfOperation          operation;
  const WfOptionGroup *options;
  const char          *category;
  WfOperationFlags     flags;
  const WfOperand     *inputs;
  guint                n_inputs;
  const WfOperand     *outputs;
  guint                n_outputs;
  const char          *counts;
} WfOperationInfo;

/* What there is to know of an operation, constant; NULL for a number that is none, which
 * ends a loop over all of them.
 */
WF_API const WfOperationInfo * wf_operation_describe        (WfOperation             operation);

/* The description of the operation's options, constant. */
WF_API const WfOptionGroup *   wf_operation_get_options     (WfOperation             operation);

/* The type that output number @output has with these options (NULL: defaults) and a first
 * input of @type; where several are allowed, the smallest.
 */
WF_API WfType                  wf_operation_get_output_type (WfOperation             operation,
                                                             guint                   output,
                                                             WfType                  type,
                                                             gconstpointer           options);

/* Calls the operation's function.  @inputs and @outputs have as many entries as its
 * description, NULL for those that are not given.  @count, if not NULL, is set to what the
 * operation counts, or to 0.  @options: of the operation's own struct, or NULL for defaults.
 * The hierarchy of basins writes its saliency map.
 */
WF_API gboolean                wf_operation_run             (WfContext              *context,
                                                             WfOperation             operation,
                                                             const WfImage * const  *inputs,
                                                             WfImage * const        *outputs,
                                                             guint32                *count,
                                                             gconstpointer           options,
                                                             GError                **error);


/*  Devices and the context  */

/**
 * WfDevice:
 * @name: "cpu", or "cuda:N"
 * @description: the maker's name of it
 * @n_units: processors, or multiprocessors
 * @memory_total: bytes
 * @memory_free: bytes that were free when the list was made; on a GPU what contexts keep for
 *   their next operation counts as free
 *
 * A device that can work, as wf_list_devices() describes it.
 */
typedef struct
{
  char    *name;
  char    *description;
  guint    n_units;
  guint64  memory_total;
  guint64  memory_free;
} WfDevice;

/* The devices that can work, #WfDevice, the CPU first; to be freed by g_ptr_array_unref().
 * @problem says why there is no CUDA device, or why one is left out, which is no failure.
 */
WF_API GPtrArray *   wf_list_devices  (GError  **problem);

/* Frees a device's description that was taken out of such an array. */
WF_API void          wf_device_free   (WfDevice *device);

/**
 * WfFallback:
 * @WF_FALLBACK_AUTO: an automatically chosen device that fails is replaced by the CPU; a
 *   device that was chosen by name and fails is an error, but the CPU does an operation that no
 *   GPU has, and erosions, dilations, openings and closings by lines
 * @WF_FALLBACK_CPU: any device that is missing, fails or cannot do the task is replaced by
 *   the CPU
 * @WF_FALLBACK_NONE: a device that fails is an error
 *
 * What happens when a device does not do the work.  The report says when the CPU replaced
 * it.
 */
typedef enum
{
  WF_FALLBACK_AUTO,
  WF_FALLBACK_CPU,
  WF_FALLBACK_NONE
} WfFallback;

/**
 * WfContextOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @device: "auto", "cpu", "cuda:N", "all", or a list such as "cpu,cuda:0,cuda:1": images that are
 *   large are shared out between several devices
 * @threads: CPU threads; 0 for as many as there are processors
 * @tile_size: side of the tiles that the work is divided into; 0 for automatic
 * @fallback: a #WfFallback
 *
 * Device, threads and tile size, for wf_context_configure().
 */
typedef struct
{
  gsize       size;
  const char *device;
  int         threads;
  int         tile_size;
  int         fallback;
} WfContextOptions;

/**
 * WfStepReport:
 * @name: of the step, one English word, a static string
 * @seconds: that it took: on a GPU, that the device itself worked
 * @rounds: how often it went over the pixels that it works on until nothing changed; 0 where it
 *   does not repeat
 *
 * A step of an operation, in #WfReport.
 */
typedef struct
{
  const char *name;
  double      seconds;
  guint       rounds;
  /*< private >*/
  gpointer    reserved[4];
} WfStepReport;

/**
 * WfReport:
 * @device: the device that did the work
 * @algorithm: the algorithm that did it
 * @threads: CPU threads used; 1 for a GPU
 * @seconds: wall-clock time of the operation
 * @device_seconds: time that a GPU itself worked, without transfers; 0 on the CPU
 * @executions: how often its propagation was executed: above 1 where a queue of a fixed
 *   size overflowed
 * @no_background: a distance map had no background: all of it is infinite
 * @notice: one sentence for the user, or %NULL: why automatic choice fell back, …
 * @reason: why this device, a sentence for the user, as in #WfForecast; %NULL where there was
 *   nothing to choose
 * @steps: (array length=n_steps): what it consisted of, in the order of their beginnings; the
 *   context's own until its next operation
 * @n_steps: how many; 0 where the algorithm does not time its steps
 * @queued_first: by queues on a GPU: pixels in them before the propagation; else 0
 * @queued: the same: pixels that were queued in all, each as often as it was
 *
 * What the last operation of a context did.
 */
typedef struct
{
  const char         *device;
  const char         *algorithm;
  guint               threads;
  double              seconds;
  double              device_seconds;
  guint               executions;
  gboolean            no_background;
  const char         *notice;
  const char         *reason;
  const WfStepReport *steps;
  guint               n_steps;
  guint64             queued_first;
  guint64             queued;
} WfReport;

/**
 * WfWorkerReport:
 * @device: "cpu" or "cuda:N"
 * @blocks: how often it has visited a block
 * @busy_seconds: time of these visits; a GPU works at several blocks at the same time, so this
 *   may be more than the operation took
 * @compute_seconds: the part in which it computed
 * @upload_seconds: the part in which images went to a GPU, also while it computed others
 * @download_seconds: the part in which results came back
 * @file_seconds: the part in which blocks were read and written
 * @failed: whether it failed and was left out
 *
 * What one of several devices did in an operation that they shared.
 */
typedef struct
{
  const char *device;
  gint64      blocks;
  double      busy_seconds;
  double      compute_seconds;
  double      upload_seconds;
  double      download_seconds;
  double      file_seconds;
  gboolean    failed;
  /*< private >*/
  gpointer    reserved[8];
} WfWorkerReport;

/**
 * WfCommunicator:
 *
 * Processes, called ranks, that work on one image together, on one machine or on several.  It is
 * reference-counted.
 */
typedef struct _WfCommunicator WfCommunicator;

/**
 * WfRankLinks:
 * @size: of the struct, `sizeof (WfRankLinks)` of the program
 * @send: sends @n bytes to another rank; may return before they have been received
 * @receive: receives a message of @n bytes from another rank
 * @look: fails if any rank has failed
 * @fail: tells all other ranks that this one has failed, and why; the first message counts
 * @free: waits for the other ranks, and frees @state
 * @open_file: opens a file that there is, for reading, or for reading and writing, for this rank
 *   alone; may be %NULL with the three that follow, and then files are opened by their paths
 * @read_file: reads @n bytes, all or none
 * @write_file: writes @n bytes; other ranks may write other bytes at the same time
 * @close_file: what was written is on the disk when it returns
 *
 * How messages travel between ranks: those from one rank to another arrive in the order in which
 * they were sent.  All functions are called by one thread at a time.  @send and @receive fail like
 * @look while they wait.
 */
typedef struct
{
  gsize size;
  gboolean (* send)       (gpointer       state,
                           guint          to,
                           gconstpointer  data,
                           gsize          n,
                           GError       **error);
  gboolean (* receive)    (gpointer       state,
                           guint          from,
                           gpointer       data,
                           gsize          n,
                           GError       **error);
  gboolean (* look)       (gpointer       state,
                           GError       **error);
  void     (* fail)       (gpointer       state,
                           const char    *message);
  void     (* free)       (gpointer       state);
  gpointer (* open_file)  (gpointer       state,
                           const char    *path,
                           gboolean       writable,
                           GError       **error);
  gboolean (* read_file)  (gpointer       file,
                           gint64         offset,
                           gpointer       data,
                           gsize          n,
                           GError       **error);
  gboolean (* write_file) (gpointer       file,
                           gint64         offset,
                           gconstpointer  data,
                           gsize          n,
                           GError       **error);
  gboolean (* close_file) (gpointer       file,
                           GError       **error);
} WfRankLinks;

/* The processes that an MPI launcher has started; once in a process.  NULL without the MPI module
 * (%WF_ERROR_RANK).
 */
WF_API WfCommunicator * wf_communicator_open_mpi    (GError                 **error);

/* Ranks with other links than those of MPI; @rank: the number of this process, from 0. */
WF_API WfCommunicator * wf_communicator_new         (const WfRankLinks       *links,
                                                     gpointer                 state,
                                                     guint                    rank,
                                                     guint                    n_ranks);

/* Parts begin at multiples of @units rows (of a stack: slices), the same in all ranks; 1 before. */
WF_API void             wf_communicator_set_granule (WfCommunicator          *communicator,
                                                     gint64                   units);

/* The part of this rank of @units rows (of a stack: slices): from @first to before @end. */
WF_API void             wf_communicator_find_part   (const WfCommunicator    *communicator,
                                                     gint64                   units,
                                                     gint64                  *first,
                                                     gint64                  *end);

/* Gives all ranks the @n bytes at @data of the first one, when all have called this. */
WF_API gboolean         wf_communicator_broadcast   (WfCommunicator          *communicator,
                                                     gpointer                 data,
                                                     gsize                    n,
                                                     GError                 **error);

/**
 * WfRankFile:
 *
 * A file that several ranks read and write at once, each its own bytes: by MPI's functions, which
 * know file systems on which that needs more than POSIX's.
 */
typedef struct _WfRankFile WfRankFile;

/* Opens a file that there is; to be closed by wf_rank_file_close(). */
WF_API WfRankFile *     wf_rank_file_open           (const WfCommunicator    *communicator,
                                                     const char              *path,
                                                     gboolean                 writable,
                                                     GError                 **error);

/* Reads @n bytes from @offset on: all, or it fails. */
WF_API gboolean         wf_rank_file_read           (WfRankFile              *file,
                                                     gint64                   offset,
                                                     gpointer                 data,
                                                     gsize                    n,
                                                     GError                 **error);

/* Writes @n bytes from @offset on. */
WF_API gboolean         wf_rank_file_write          (WfRankFile              *file,
                                                     gint64                   offset,
                                                     gconstpointer            data,
                                                     gsize                    n,
                                                     GError                 **error);

/* Closes the file: whether all that was written is on the disk.  @file is freed in any case. */
WF_API gboolean         wf_rank_file_close          (WfRankFile              *file,
                                                     GError                 **error);

/* Gives the first rank the @n bytes at @data of each: to @all, rank by rank, which may be NULL in
 * the others.
 */
WF_API gboolean         wf_communicator_gather      (WfCommunicator          *communicator,
                                                     gconstpointer            data,
                                                     gsize                    n,
                                                     gpointer                 all,
                                                     GError                 **error);

/**
 * WfRankReport:
 * @sent_bytes: in messages
 * @received_bytes: likewise
 * @waited_seconds: sending and receiving
 *
 * What a rank's messages have taken since the communicator was made.
 */
typedef struct
{
  guint64 sent_bytes;
  guint64 received_bytes;
  double  waited_seconds;
} WfRankReport;

/* What the messages of this rank have taken. */
WF_API const WfRankReport *
                        wf_communicator_get_report  (const WfCommunicator    *communicator);

/* Tells the others that this rank has failed, and names it in the error, unless a rank has failed
 * before.
 */
WF_API void             wf_communicator_fail        (WfCommunicator          *communicator,
                                                     GError                  *error);

/* Parts in proportion to a number for each rank, the same in all ranks; NULL: equal parts. */
WF_API void             wf_communicator_set_shares  (WfCommunicator          *communicator,
                                                     const gint64            *shares);

/* One more reference, from any thread. */
WF_API WfCommunicator * wf_communicator_ref         (WfCommunicator          *communicator);

/* One reference less; the last one waits until all ranks have dropped theirs. */
WF_API void             wf_communicator_unref       (WfCommunicator          *communicator);

/* The number of this process, from 0. */
WF_API guint            wf_communicator_get_rank    (const WfCommunicator    *communicator);

/* How many processes there are. */
WF_API guint            wf_communicator_get_n_ranks (const WfCommunicator    *communicator);

/* The number of this process among the @n_ranks of its host, from 0: which GPU it takes. */
WF_API guint            wf_communicator_get_host_rank
                                                    (const WfCommunicator    *communicator,
                                                     guint                   *n_ranks);

/**
 * WfProgressFunc:
 * @fraction: done, from 0 to 1, never decreasing
 * @user_data: as given
 *
 * Called about twenty times a second, in the thread that called the operation.
 */
typedef void (* WfProgressFunc) (double   fraction,
                                 gpointer user_data);

/* A context that chooses everything by itself; to be freed by wf_context_unref(). */
WF_API WfContext *      wf_context_new              (void);

/* One more reference, from any thread. */
WF_API WfContext *      wf_context_ref              (WfContext               *context);

/* One reference less; the last one gives back what the context keeps on a device. */
WF_API void             wf_context_unref            (WfContext               *context);

/* Chooses device, threads and tiles for the operations that follow.  On failure, as for a
 * device that is not there (%WF_ERROR_DEVICE), the context is as it was.
 */
WF_API gboolean         wf_context_configure        (WfContext               *context,
                                                     const WfContextOptions  *options,
                                                     GError                 **error);

/* The most main memory that an operation may take beyond its images; 0 for what the machine
 * has available.  One that needs more is refused before it starts (%WF_ERROR_MEMORY).
 */
WF_API void             wf_context_set_memory_limit (WfContext               *context,
                                                     guint64                  bytes);

/* Makes the operations in blocks that follow work of all ranks, which must call them with the same
 * arguments in the same order; NULL for this process alone.
 */
WF_API void             wf_context_set_communicator (WfContext               *context,
                                                     WfCommunicator          *communicator);

/* Whether an operation that fails may leave partly written outputs, which saves it a copy of
 * them; by default it may not.
 */
WF_API void             wf_context_set_partial_outputs
                                                    (WfContext               *context,
                                                     gboolean                 allowed);

/* What cancels an operation under way, within a tenth of a second; NULL for nothing. */
WF_API void             wf_context_set_cancellable  (WfContext               *context,
                                                     GCancellable            *cancellable);

/* What is called while an operation runs; NULL for nothing. */
WF_API void             wf_context_set_progress     (WfContext               *context,
                                                     WfProgressFunc           progress,
                                                     gpointer                 user_data);

/* The caller's stream, a cudaStream_t; NULL, as at first, for CUDA's default stream.  What works on
 * views in a GPU's memory begins there when all is done that was queued on the stream before the
 * call, and has ended when the call returns: what is queued anywhere after it sees the results.
 */
WF_API void             wf_context_set_stream       (WfContext               *context,
                                                     gpointer                 stream);

/* What the last operation that succeeded did; valid until the next one. */
WF_API const WfReport * wf_context_get_report       (WfContext               *context);

/* What each device did in the last operation that several have shared; NULL if it was not. */
WF_API const WfWorkerReport *
                        wf_context_get_worker_reports
                                                    (WfContext               *context,
                                                     guint                   *n_workers);

/* Begins a trace of the operations that follow, or ends it. */
WF_API void             wf_context_set_tracing      (WfContext               *context,
                                                     gboolean                 tracing);

/* The trace so far, in the JSON format of Chrome's viewer, to be freed; NULL without one. */
WF_API char *           wf_context_get_trace        (WfContext               *context);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfContext, wf_context_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfCommunicator, wf_communicator_unref)


/*  Images on devices  */

/* As wf_image_allocate(), in @memory.  That of a GPU comes from what @context (NULL: a context of
 * its own) keeps there between operations, and outlives it; wf_image_clear() gives it back, when
 * nothing uses it any more.
 */
WF_API gboolean wf_image_allocate_on (WfContext      *context,
                                      WfImage        *image,
                                      WfMemory        memory,
                                      WfType          type,
                                      gint64          width,
                                      gint64          height,
                                      gint64          depth,
                                      GError        **error);

/* Copies all pixels to an image of the same type and size that shares no memory with it, wherever
 * the two are; NULL: with a context of its own.
 */
WF_API gboolean wf_image_copy        (WfContext      *context,
                                      const WfImage  *from,
                                      WfImage        *to,
                                      GError        **error);


/*  The pace of the devices  */

/**
 * WfPace:
 * @device: "cpu" or "cuda:N"
 * @measured: whether the paces come from measurements on this machine; else they are built-in
 *   estimates, all or some of them
 * @threads: the most threads of the CPU that there is a pace for; 1 for a GPU
 * @upload: bytes a second from plain memory to a GPU; 0 for the CPU
 * @download: bytes a second back
 * @upload_pinned: the same from pinned memory (cudaMallocHost(), cudaHostRegister())
 * @download_pinned: bytes a second back to it
 *
 * How fast a device is, by which automatic choice decides; wf_pace_get_rate() has the operations.
 */
typedef struct
{
  char     *device;
  gboolean  measured;
  guint     threads;
  double    upload;
  double    download;
  double    upload_pinned;
  double    download_pinned;
  /*< private >*/
  gpointer  place;
} WfPace;

/* Measures the paces of all devices, and keeps them for this user on this machine; it takes some
 * seconds.  @problem says why they cannot be kept, which is no failure.
 */
WF_API gboolean    wf_context_measure_paces (WfContext     *context,
                                             GError       **problem,
                                             GError       **error);

/* The paces that are known, or estimated, #WfPace, the CPU first; to be freed by
 * g_ptr_array_unref().
 */
WF_API GPtrArray * wf_list_paces            (void);

/* Pixels a second that the operation does on the device with so many threads of the CPU, of
 * 8-bit levels; 0 where the device does not have the operation.
 */
WF_API double      wf_pace_get_rate         (const WfPace  *pace,
                                             WfOperation    operation,
                                             guint          threads);

/* The same of wf_regions_measure(). */
WF_API double      wf_pace_get_measure_rate (const WfPace  *pace,
                                             guint          threads);

/* Frees a pace that was taken out of such an array. */
WF_API void        wf_pace_free             (WfPace        *pace);


/*  Reconstruction  */

/**
 * WfDirection:
 * @WF_BY_DILATION: the marker is raised under the mask
 * @WF_BY_EROSION: the marker is lowered over the mask
 *
 * The direction of a reconstruction.
 */
typedef enum
{
  WF_BY_DILATION,
  WF_BY_EROSION
} WfDirection;

/**
 * WfReconstructOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @by: dilation raises the marker under the mask; erosion lowers it over the mask
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 * @scans: passes of scans before the queues on a GPU (`queue`, `queue-prefix`, `queue-naive`); 0
 *   for 2
 * @queue_size: the same: places that a block's queue has in global memory, as many as there are
 *   otherwise at most; 0 for one place for every 8 pixels.  With too few the queues are executed
 *   again
 *
 * The options of wf_reconstruct().
 */
typedef struct
{
  gsize       size;
  int         by;
  int         connectivity;
  const char *algorithm;
  int         scans;
  int         queue_size;
} WfReconstructOptions;

/* Morphological reconstruction of @mask (u8, u16, f32) from @marker (same type and size),
 * which is clamped by the mask first.  @out: same type and size; may be either input.
 */
WF_API gboolean wf_reconstruct (WfContext                   *context,
                                const WfImage               *mask,
                                const WfImage               *marker,
                                WfImage                     *out,
                                const WfReconstructOptions  *options,
                                GError                     **error);


/*  What is built on reconstruction  */

/**
 * WfElement:
 * @WF_ELEMENT_SQUARE: a square of side 2 radius + 1; a cube in a stack
 * @WF_ELEMENT_DISC: the pixels no further than the radius; a ball in a stack
 * @WF_ELEMENT_LINE: 2 radius + 1 pixels at an angle, in a stack too; of wf_erosion(),
 *   wf_dilation(), wf_opening(), wf_closing() and their top-hats only
 *
 * The shape of a structuring element.
 */
typedef enum
{
  WF_ELEMENT_SQUARE,
  WF_ELEMENT_DISC,
  WF_ELEMENT_LINE
} WfElement;

/**
 * WfMorphologyOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @height: of the extrema to remove, to find or to cut off, in gray levels; NaN
 *   where it is not set, which the operations that need one refuse
 * @element: square (2 radius + 1)², a cube in a stack; or disc, the pixels no
 *   further than the radius, a ball in a stack
 * @radius: of the structuring element, in pixels
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26, for wf_fill_holes() 4 or 6
 * @algorithm: of the reconstruction: "auto" or its name
 *
 * One struct for the operations built on reconstruction; each uses the fields that
 * wf_operation_get_options() lists for it and ignores the others.
 */
typedef struct
{
  gsize       size;
  double      height;
  int         element;
  int         radius;
  int         connectivity;
  const char *algorithm;
} WfMorphologyOptions;

/* All of them: @image is u8, u16 or f32; @out has the same size and, unless something else is
 * said, the same type, and may be @image itself; @options may be NULL where no height is
 * needed.
 */

/* Raises what no path from the image's border reaches at a lower level.  By default paths are
 * 4-connected, in a stack 6-connected, so that bright parts of 8 or 26 neighbours enclose holes.
 */
WF_API gboolean wf_fill_holes                       (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* The image less its reconstruction from its border. */
WF_API gboolean wf_clear_border                     (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* Cuts the height off all maxima, and removes those no higher. */
WF_API gboolean wf_h_maxima                         (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* Fills all minima by the height, and removes those no deeper. */
WF_API gboolean wf_h_minima                         (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* The image less its h-maxima. */
WF_API gboolean wf_h_dome                           (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* The h-minima less the image. */
WF_API gboolean wf_h_basin                          (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* 255 in the plateaux without a higher neighbour, else 0; @out is u8. */
WF_API gboolean wf_regional_maxima                  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* 255 in the plateaux without a lower neighbour, else 0; @out is u8. */
WF_API gboolean wf_regional_minima                  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* The regional maxima of the h-maxima; @out is u8. */
WF_API gboolean wf_extended_maxima                  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* The regional minima of the h-minima; @out is u8. */
WF_API gboolean wf_extended_minima                  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* Removes bright parts that hold no structuring element, and keeps the others whole. */
WF_API gboolean wf_opening_by_reconstruction        (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* Fills dark parts that hold no structuring element, and keeps the others whole. */
WF_API gboolean wf_closing_by_reconstruction        (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* The image less its opening by reconstruction. */
WF_API gboolean wf_white_top_hat_by_reconstruction  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* The closing by reconstruction less the image. */
WF_API gboolean wf_black_top_hat_by_reconstruction  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);

/* Changes the image so that its regional minima are where @markers (u8, u16, u32 or f32)
 * is not 0.
 */
WF_API gboolean wf_impose_minima                    (WfContext                  *context,
                                                     const WfImage              *image,
                                                     const WfImage              *markers,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);


/*  Filters  */

/**
 * WF_MAX_SIGMA:
 *
 * The standard deviation of the widest Gaussian, in pixels.
 */
#define WF_MAX_SIGMA 256

/**
 * WF_MAX_MEDIAN_RADIUS:
 *
 * The radius of the widest window of a median, in pixels.
 */
#define WF_MAX_MEDIAN_RADIUS 127

/**
 * WF_MAX_MEDIAN_RADIUS_IN_STACKS:
 *
 * The same in a stack, where the window is a cube.
 */
#define WF_MAX_MEDIAN_RADIUS_IN_STACKS 15

/**
 * WfFilterOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @sigma: of the Gaussian: its standard deviation, in pixels, from 0, which changes nothing, to
 *   %WF_MAX_SIGMA; the window reaches 3 sigma to either side, rounded up to whole pixels
 * @element: of the others: square (2 radius + 1)², a cube in a stack; disc, the pixels no further
 *   than the radius, a ball in a stack; or, but not of the gradient, a line of 2 radius + 1 pixels;
 *   the median has the square only
 * @radius: of the structuring element, in pixels; of the median to %WF_MAX_MEDIAN_RADIUS, in stacks
 *   to %WF_MAX_MEDIAN_RADIUS_IN_STACKS
 * @algorithm: "auto" or an algorithm's name
 * @angle: of the line, in degrees: 0 is along x, 90 along y, 45 rises to the right
 *
 * One struct for all of them; each uses the fields that wf_operation_get_options() lists for
 * it and ignores the others.
 */
typedef struct
{
  gsize       size;
  double      sigma;
  int         element;
  int         radius;
  const char *algorithm;
  double      angle;
} WfFilterOptions;

/* Smooths @image (u8, u16, f32) by a Gaussian of sigma pixels along each axis.  @out: same type
 * and size; may be @image itself.
 */
WF_API gboolean wf_gaussian (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);

/* The highest less the lowest level under the structuring element.  Images as above. */
WF_API gboolean wf_gradient (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);

/* The lowest, or the highest, level under the structuring element.  Images as above. */
WF_API gboolean wf_erosion  (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);
WF_API gboolean wf_dilation (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);

/* The dilation of the erosion, and the erosion of the dilation.  Images as above. */
WF_API gboolean wf_opening  (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);
WF_API gboolean wf_closing  (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);

/* The image less its opening, and the closing less the image.  Images as above. */
WF_API gboolean wf_white_top_hat (WfContext              *context,
                                  const WfImage          *image,
                                  WfImage                *out,
                                  const WfFilterOptions  *options,
                                  GError                **error);
WF_API gboolean wf_black_top_hat (WfContext              *context,
                                  const WfImage          *image,
                                  WfImage                *out,
                                  const WfFilterOptions  *options,
                                  GError                **error);

/* The median of the levels in a square, in a stack in a cube, of radius pixels to each side.
 * Images as above.
 */
WF_API gboolean wf_median   (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);


/*  Thresholds  */

/**
 * WfLocalMethod:
 * @WF_LOCAL_NONE: one threshold for all pixels
 * @WF_LOCAL_MEAN: the mean of a window
 * @WF_LOCAL_GAUSSIAN: the Gaussian of the image
 * @WF_LOCAL_SAUVOLA: mean and standard deviation of a window
 *
 * Where the threshold of a pixel comes from.
 */
typedef enum
{
  WF_LOCAL_NONE,
  WF_LOCAL_MEAN,
  WF_LOCAL_GAUSSIAN,
  WF_LOCAL_SAUVOLA
} WfLocalMethod;

/**
 * WF_MAX_WINDOW_RADIUS:
 *
 * The radius of the largest window of a local threshold, in pixels.
 */
#define WF_MAX_WINDOW_RADIUS 500

/**
 * WfThresholdOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @method: a #WfLocalMethod
 * @threshold: of %WF_LOCAL_NONE: pixels above this level are marked; NaN: all that are not 0
 * @radius: of %WF_LOCAL_MEAN and %WF_LOCAL_SAUVOLA: the window has (2 radius + 1)² pixels, in a
 *   stack (2 radius + 1)³; up to %WF_MAX_WINDOW_RADIUS
 * @sigma: of %WF_LOCAL_GAUSSIAN: its standard deviation, as wf_gaussian() has it
 * @k: of %WF_LOCAL_SAUVOLA
 * @range: of %WF_LOCAL_SAUVOLA: of the standard deviation; 0: half that of the levels
 * @offset: what local thresholds are lowered by
 * @below: whether the pixels that are not above the threshold are marked
 * @algorithm: "auto" or an algorithm's name
 *
 * The threshold of all pixels, or how each gets its own, for wf_threshold().
 */
typedef struct
{
  gsize       size;
  int         method;
  double      threshold;
  int         radius;
  double      sigma;
  double      k;
  double      range;
  double      offset;
  gboolean    below;
  const char *algorithm;
} WfThresholdOptions;

/* Marks the pixels of @image (u8, u16, f32) above a threshold, or above one of their surroundings,
 * with 255 in @out (u8), and others with 0.
 */
WF_API gboolean wf_threshold (WfContext                 *context,
                              const WfImage             *image,
                              WfImage                   *out,
                              const WfThresholdOptions  *options,
                              GError                   **error);


/*  Openings by attributes  */

/**
 * WfAttributeOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @area: of wf_area_opening() and wf_area_closing(): parts of at least so many pixels stay
 * @height: of wf_height_opening() and wf_height_closing(): extrema of at least this dynamics stay;
 *   in levels of the image
 * @volume: of wf_volume_opening() and wf_volume_closing(): parts stay whose pixels together differ
 *   by at least so much from the level around them; in levels times pixels
 * @connectivity: 4 or 8, in a stack 6 or 26; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 *
 * One struct for all of them; each uses the fields that wf_operation_get_options() lists for it and
 * ignores the others.  The first three have no default: they are NaN until they are set.
 */
typedef struct
{
  gsize       size;
  double      area;
  double      height;
  double      volume;
  int         connectivity;
  const char *algorithm;
} WfAttributeOptions;

/* Removes bright (closing: dark) parts of few pixels from @image (u8, u16, f32), whatever their
 * shape.  @out: same type and size; may be @image itself.
 */
WF_API gboolean wf_area_opening (WfContext                 *context,
                                 const WfImage             *image,
                                 WfImage                   *out,
                                 const WfAttributeOptions  *options,
                                 GError                   **error);
WF_API gboolean wf_area_closing (WfContext                 *context,
                                 const WfImage             *image,
                                 WfImage                   *out,
                                 const WfAttributeOptions  *options,
                                 GError                   **error);

/* Those whose extrema have little dynamics.  Images as above. */
WF_API gboolean wf_height_opening (WfContext                 *context,
                                   const WfImage             *image,
                                   WfImage                   *out,
                                   const WfAttributeOptions  *options,
                                   GError                   **error);
WF_API gboolean wf_height_closing (WfContext                 *context,
                                   const WfImage             *image,
                                   WfImage                   *out,
                                   const WfAttributeOptions  *options,
                                   GError                   **error);

/* Those of little volume, pixels times levels.  Images as above. */
WF_API gboolean wf_volume_opening (WfContext                 *context,
                                   const WfImage             *image,
                                   WfImage                   *out,
                                   const WfAttributeOptions  *options,
                                   GError                   **error);
WF_API gboolean wf_volume_closing (WfContext                 *context,
                                   const WfImage             *image,
                                   WfImage                   *out,
                                   const WfAttributeOptions  *options,
                                   GError                   **error);

/**
 * WfAttributeTree:
 *
 * All components of an image, of which openings by any area, height or volume are cut.  It is
 * reference-counted and never changes, so any number of threads may read it.
 */
typedef struct _WfAttributeTree WfAttributeTree;

/* The tree of @image (u8, u16, or f32 but for volumes; some 2³² pixels at most) for @operation, one
 * of the six above.  Of @options the connectivity counts.  To be freed by
 * wf_attribute_tree_unref(); the image is not kept.
 */
WF_API WfAttributeTree * wf_attribute_tree_new      (WfContext                 *context,
                                                     WfOperation                operation,
                                                     const WfImage             *image,
                                                     const WfAttributeOptions  *options,
                                                     GError                   **error);

/* One more reference, from any thread. */
WF_API WfAttributeTree * wf_attribute_tree_ref      (WfAttributeTree           *tree);

/* One reference less. */
WF_API void              wf_attribute_tree_unref    (WfAttributeTree           *tree);

/* The memory of the tree, in bytes. */
WF_API guint64           wf_attribute_tree_get_size (const WfAttributeTree     *tree);

/* What the operation makes of the image with this area, height or volume.  @out: type and size of
 * the image.
 */
WF_API gboolean          wf_attribute_tree_cut      (WfContext                 *context,
                                                     const WfAttributeTree     *tree,
                                                     double                     least,
                                                     WfImage                   *out,
                                                     GError                   **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfAttributeTree, wf_attribute_tree_unref)


/*  Distance  */

/**
 * WfMetric:
 * @WF_METRIC_EUCLIDEAN: the length of the straight line
 * @WF_METRIC_SQUARED: the square of the Euclidean distance
 * @WF_METRIC_CITY_BLOCK: the sum of the steps along x, y and z
 * @WF_METRIC_CHESSBOARD: the largest of the steps along x, y and z
 *
 * How distance is measured between pixels.  Steps are multiplied by the spacing.
 */
typedef enum
{
  WF_METRIC_EUCLIDEAN,
  WF_METRIC_SQUARED,
  WF_METRIC_CITY_BLOCK,
  WF_METRIC_CHESSBOARD
} WfMetric;

/**
 * WF_NEAREST_NONE:
 *
 * In a map of nearest pixels: the nearest background lies outside the image, or there is
 * none.
 */
#define WF_NEAREST_NONE G_MAXUINT64

/**
 * WfDistanceOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @metric: a #WfMetric
 * @threshold: foreground is what lies above it; NaN: what is not 0
 * @border_background: whether the outside of the image counts as background
 * @signed_distance: whether background pixels get minus their distance to the
 *   nearest foreground pixel; not for squared distances
 * @spacing: size of a pixel along x, y, z; with {1, 1, 1} distances are counted
 *   in whole pixels, in integers
 * @connectivity: of the algorithms that propagate from pixel to pixel; the exact
 *   ones have no use for it
 * @algorithm: "auto" or an algorithm's name
 *
 * The options of wf_distance().
 */
typedef struct
{
  gsize       size;
  int         metric;
  double      threshold;
  gboolean    border_background;
  gboolean    signed_distance;
  double      spacing[3];
  int         connectivity;
  const char *algorithm;
} WfDistanceOptions;

/* The type of the distances: f32; squared ones are u64, or f64 with a spacing.  @options: NULL
 * for defaults.
 */
WF_API WfType   wf_distance_get_type (const WfDistanceOptions  *options);

/* The distance from each foreground pixel of @image (u8, u16, f32) to the nearest background
 * pixel, and 0 on the background.  @out: of wf_distance_get_type(), or NULL.  @nearest: u64, the
 * linear indices of the nearest background pixels, or NULL.
 */
WF_API gboolean wf_distance          (WfContext                *context,
                                      const WfImage            *image,
                                      WfImage                  *out,
                                      WfImage                  *nearest,
                                      const WfDistanceOptions  *options,
                                      GError                  **error);

/* Sets @marks (u8), which are rows of a distance map from @row on, to 1 where the map passes a
 * multiple of @step towards a neighbor in the slice that is below it; to 0 elsewhere.
 */
WF_API void     wf_distance_mark_contours
                                     (const WfImage            *distances,
                                      gint64                    row,
                                      double                    step,
                                      WfImage                  *marks);

/**
 * WfGeodesicMetric:
 * @WF_GEODESIC_QUASI_EUCLIDEAN: 1, √2 and √3, to within 0.006 %
 * @WF_GEODESIC_CITY_BLOCK: steps to neighbors that share a face
 * @WF_GEODESIC_CHESSBOARD: 1 for each step
 * @WF_GEODESIC_CHAMFER_3_4: 1, 4/3 and 5/3
 * @WF_GEODESIC_CHAMFER_5_7: 1, 7/5 and 9/5
 *
 * How long steps to neighbors that share a face, an edge or a corner are.
 */
typedef enum
{
  WF_GEODESIC_QUASI_EUCLIDEAN,
  WF_GEODESIC_CITY_BLOCK,
  WF_GEODESIC_CHESSBOARD,
  WF_GEODESIC_CHAMFER_3_4,
  WF_GEODESIC_CHAMFER_5_7
} WfGeodesicMetric;

/**
 * WfGeodesicOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @metric: a #WfGeodesicMetric
 * @threshold: the mask is what lies above it; NaN: what is not 0
 * @algorithm: "auto" or an algorithm's name
 *
 * The options of wf_geodesic_distance().
 */
typedef struct
{
  gsize       size;
  int         metric;
  double      threshold;
  const char *algorithm;
} WfGeodesicOptions;

/* The distance from each pixel of @mask (u8, u16, f32) to the nearest pixel that @markers (u8,
 * u16, u32, f32) mark, along the shortest way inside the mask, or with @costs (u8, u16; or NULL)
 * along the cheapest.  @out: f32; +infinity where no way leads to, and outside.
 */
WF_API gboolean wf_geodesic_distance (WfContext                *context,
                                      const WfImage            *mask,
                                      const WfImage            *markers,
                                      const WfImage            *costs,
                                      WfImage                  *out,
                                      const WfGeodesicOptions  *options,
                                      GError                  **error);


/*  Watershed  */

/**
 * WfWatershedOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @tolerance: without markers: minima no deeper than this make no basins of their own
 * @lines: whether basins are divided by lines one pixel wide, label 0
 * @last_index: whether the last of equal neighbors is taken, not the first
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 * @reduction_rate: path reduction on a GPU (`sync`, `async`, `balanced`): how many paths a
 *   step puts together, from 2 on; 0 for 4.  With more than the longest path each path is followed
 *   to its end in one step
 * @block_size: the same: threads of a block, a power of two from 32 to 1024; 0 for 256
 * @smoothing: what is flooded is first smoothed by wf_gaussian() of this sigma; 0: not
 * @gradient: what is flooded is, after that, the wf_gradient() by a square of this
 *   radius; 0: not
 * @compactness: levels that a pixel of distance from a marker counts as; 0: distance does not count
 * @block_width: path reduction on a GPU: columns of a block of threads, each of which has a pixel.
 *   With a shape of blocks, plateaux are divided in them: `sync` goes one pixel further in a round,
 *   `async` and `balanced` as far as possible within each block.  0: 1, or without any of the three
 *   no shape: fronts cross plateaux, and blocks have consecutive pixels
 * @block_height: rows of it; 0: 1
 * @block_depth: slices of it; 0: 1.  At most 1024 pixels together
 *
 * The options of wf_watershed().
 */
typedef struct
{
  gsize       size;
  double      tolerance;
  gboolean    lines;
  gboolean    last_index;
  int         connectivity;
  const char *algorithm;
  int         reduction_rate;
  int         block_size;
  double      smoothing;
  int         gradient;
  double      compactness;
  int         block_width;
  int         block_height;
  int         block_depth;
} WfWatershedOptions;

/* Divides @image (u8, u16, f32) into the catchment basins of @markers (u32 labels, 0 elsewhere),
 * or with NULL of its minima, numbered from 1 in raster order.  @labels: u32; may be @markers.
 * @n_basins, or NULL: how many labels there are.
 */
WF_API gboolean wf_watershed (WfContext                 *context,
                              const WfImage             *image,
                              const WfImage             *markers,
                              WfImage                   *labels,
                              guint32                   *n_basins,
                              const WfWatershedOptions  *options,
                              GError                   **error);

/* The same of the pixels where @mask (u8, u16, u32, f32) is not 0: nothing crosses the others,
 * which get label 0.  @mask: NULL for all pixels.
 */
WF_API gboolean wf_watershed_masked
                             (WfContext                 *context,
                              const WfImage             *image,
                              const WfImage             *markers,
                              const WfImage             *mask,
                              WfImage                   *labels,
                              guint32                   *n_basins,
                              const WfWatershedOptions  *options,
                              GError                   **error);

/* The image that wf_watershed() floods with these options, which ask for smoothing, a gradient
 * or both.  @relief: type and size of @image; may be @image itself.
 */
WF_API gboolean wf_watershed_make_relief
                             (WfContext                 *context,
                              const WfImage             *image,
                              WfImage                   *relief,
                              const WfWatershedOptions  *options,
                              GError                   **error);

/**
 * WfWatershedInput:
 * @WF_INPUT_LEVELS: the levels
 * @WF_INPUT_GRADIENT: their gradient: basins are homogeneous regions
 * @WF_INPUT_OBJECTS: minus the distances inside objects: touching objects are divided
 *
 * What wf_relief_make() makes of an image.
 */
typedef enum
{
  WF_INPUT_LEVELS,
  WF_INPUT_GRADIENT,
  WF_INPUT_OBJECTS
} WfWatershedInput;

/**
 * WfBackground:
 * @WF_BACKGROUND_NONE: none: all pixels are flooded
 * @WF_BACKGROUND_DARK: the pixels that are not above the threshold
 * @WF_BACKGROUND_BRIGHT: those above it
 *
 * Where levels and gradients are not flooded.
 */
typedef enum
{
  WF_BACKGROUND_NONE,
  WF_BACKGROUND_DARK,
  WF_BACKGROUND_BRIGHT
} WfBackground;

/**
 * WfReliefOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @input: a #WfWatershedInput
 * @smoothing: the levels are first smoothed by wf_gaussian() of this sigma; 0: not
 * @gradient: radius of the gradient's square; less than 1 counts as 1
 * @threshold: objects are what lies above it; NaN: what is not 0
 * @invert: of levels and gradient: whether bright regions are the basins; of objects: whether
 *   they are the pixels that are not above the threshold
 * @background: a #WfBackground of levels and gradient, by @threshold
 *
 * The options of wf_relief_make().
 */
typedef struct
{
  gsize    size;
  int      input;
  double   smoothing;
  int      gradient;
  double   threshold;
  gboolean invert;
  int      background;
} WfReliefOptions;

/* The description of #WfReliefOptions, constant. */
WF_API const WfOptionGroup * wf_relief_get_options (void);

/* The image that a watershed of @levels (u8, u16, f32, packed) floods with these options, and where
 * objects are, or what is no background; both are to be cleared.  @levels are used up unless they
 * are kept; a relief of levels that are kept may be a view of them.
 */
WF_API gboolean wf_relief_make
                             (WfContext                 *context,
                              WfImage                   *levels,
                              gboolean                   keep_levels,
                              const WfReliefOptions     *options,
                              WfImage                   *relief,
                              WfImage                   *objects,
                              GError                   **error);

/* Floods a relief from its minima, or from the markers in @labels, and with @objects only these;
 * the background gets label 0.
 */
WF_API gboolean wf_relief_flood
                             (WfContext                 *context,
                              const WfImage             *relief,
                              const WfImage             *objects,
                              gboolean                   from_markers,
                              WfImage                   *labels,
                              guint32                   *n_basins,
                              const WfWatershedOptions  *options,
                              GError                   **error);


/**
 * WfWatershedProposal:
 * @size: of the struct that the library has made
 * @input: a #WfWatershedInput
 * @invert: of objects: whether they are dark
 * @smoothing: sigma, in pixels of the image
 * @gradient: radius of the gradient's square, in pixels of the image; 0 if it is not flooded
 * @threshold: of objects
 * @tolerance: of objects: the tolerance of the flooding, in pixels of the image
 * @measure: a #WfMeasure, by which basins are merged
 * @depth: up to which they are, as wf_hierarchy_cut_at_depth() takes it; 0: not
 * @n_basins: about how many are left; 0 if nothing stands out, and the rest are defaults
 *
 * Settings for the watershed of an image.
 */
typedef struct
{
  gsize    size;
  int      input;
  gboolean invert;
  double   smoothing;
  int      gradient;
  double   threshold;
  double   tolerance;
  int      measure;
  double   depth;
  guint32  n_basins;
} WfWatershedProposal;

/* Settings that show the objects or the regions of an image; @levels (u8, u16, f32) are the image
 * or a smaller copy with @scale pixels per pixel of the image.  To be freed by
 * wf_watershed_proposal_free().
 */
WF_API WfWatershedProposal *
                wf_watershed_propose
                             (WfContext                 *context,
                              const WfImage             *levels,
                              double                     scale,
                              GError                   **error);

WF_API void     wf_watershed_proposal_free
                             (WfWatershedProposal       *proposal);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfWatershedProposal, wf_watershed_proposal_free)

/**
 * WfWatershedPreset:
 * @name: of letters and hyphens
 * @label: its title, to be translated
 * @blurb: the images that it is for, a sentence to be translated
 * @stain: (nullable): the name of the stain whose levels are taken, as wf_stain_new() takes it;
 *   else they are the luminance
 * @input: a #WfWatershedInput; the threshold of objects is Otsu's
 * @invert: of levels and gradient: whether bright regions are the basins; of objects: whether
 *   they are the pixels that are not above the threshold
 * @smoothing: sigma, in pixels
 * @gradient: radius of the gradient's square, in pixels; 0 if it is not flooded
 * @tolerance: of the flooding: for objects in pixels, else a fraction of the range from black to
 *   white
 * @min_area: the least area of an object, in pixels; 0: no limit
 * @min_circularity: the least circularity of an object; 0: no limit
 *
 * Settings of the watershed for a kind of images.
 */
typedef struct
{
  const char *name;
  const char *label;
  const char *blurb;
  const char *stain;
  int         input;
  gboolean    invert;
  double      smoothing;
  int         gradient;
  double      tolerance;
  double      min_area;
  double      min_circularity;
} WfWatershedPreset;

/* The preset of this number, from 0; NULL after the last one.  It is static. */
WF_API const WfWatershedPreset * wf_watershed_get_preset  (guint       number);

/* The preset of this name, or NULL. */
WF_API const WfWatershedPreset * wf_watershed_find_preset (const char *name);


/*  Connected components  */

/**
 * WfLabelOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @threshold: foreground is what lies above it; NaN: what is not 0
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 *
 * The options of wf_label().
 */
typedef struct
{
  gsize       size;
  double      threshold;
  int         connectivity;
  const char *algorithm;
} WfLabelOptions;

/* Numbers the connected components of the foreground of @image (u8, u16, f32) from 1, in raster
 * order of their first pixels.  @labels: u32; may share the memory of @image.  @n_components, or
 * NULL: how many there are.
 */
WF_API gboolean wf_label (WfContext             *context,
                          const WfImage         *image,
                          WfImage               *labels,
                          guint32               *n_components,
                          const WfLabelOptions  *options,
                          GError               **error);


/*  The hierarchy of basins  */

/**
 * WfMeasure:
 * @WF_MEASURE_DYNAMICS: pass height minus depth of the shallower basin, in gray levels
 * @WF_MEASURE_AREA: pixels of the smaller basin
 * @WF_MEASURE_VOLUME: the smaller of both basins' volumes below the pass, in gray levels
 *   times pixels
 *
 * What decides the order in which basins are merged.
 */
typedef enum
{
  WF_MEASURE_DYNAMICS,
  WF_MEASURE_AREA,
  WF_MEASURE_VOLUME
} WfMeasure;

/**
 * WfHierarchyOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @measure: a #WfMeasure
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 *
 * The options of wf_hierarchy_new().
 */
typedef struct
{
  gsize       size;
  int         measure;
  int         connectivity;
  const char *algorithm;
} WfHierarchyOptions;

/**
 * WfHierarchy:
 *
 * The order in which the basins of an image are merged.  It is reference-counted and
 * never changes, so any number of threads may read it.
 *
 * Basins are counted from 0, in the order of their labels; regions from 1, in the order of
 * their first basins.  A cut fills an array with the region of each basin.
 */
typedef struct _WfHierarchy WfHierarchy;

/* The order in which the basins of @image (u8, u16, f32) are merged, the least first, given
 * @labels (u32, 0 for none).  To be freed by wf_hierarchy_unref(); the images are not kept.
 */
WF_API WfHierarchy * wf_hierarchy_new           (WfContext                 *context,
                                                 const WfImage             *image,
                                                 const WfImage             *labels,
                                                 const WfHierarchyOptions  *options,
                                                 GError                   **error);

/* The same of the pixels where @mask (u8, u16, u32, f32) is not 0, of finite levels: nothing is
 * joined across the others, and each part of the mask keeps a region.  @mask: NULL for all pixels.
 */
WF_API WfHierarchy * wf_hierarchy_new_masked    (WfContext                 *context,
                                                 const WfImage             *image,
                                                 const WfImage             *labels,
                                                 const WfImage             *mask,
                                                 const WfHierarchyOptions  *options,
                                                 GError                   **error);

/* One more reference, from any thread. */
WF_API WfHierarchy * wf_hierarchy_ref           (WfHierarchy               *hierarchy);

/* One reference less. */
WF_API void          wf_hierarchy_unref         (WfHierarchy               *hierarchy);

/* At least 1. */
WF_API guint32       wf_hierarchy_get_n_basins  (const WfHierarchy         *hierarchy);

/* The label of a basin. */
WF_API guint32       wf_hierarchy_get_label     (const WfHierarchy         *hierarchy,
                                                 guint32                    basin);

/* The least depth at which a cut leaves no more than @n_regions regions. */
WF_API double        wf_hierarchy_get_depth     (const WfHierarchy         *hierarchy,
                                                 guint32                    n_regions);

/* Merges all basins up to a depth.  @regions: an entry for each basin, or NULL.  Returns the
 * number of regions.
 */
WF_API guint32       wf_hierarchy_cut_at_depth  (const WfHierarchy         *hierarchy,
                                                 double                     depth,
                                                 guint32                   *regions);

/* Merges basins until @n_regions are left, or all if there are fewer, or a mask's parts if there
 * are more; else the same.
 */
WF_API guint32       wf_hierarchy_cut_to_count  (const WfHierarchy         *hierarchy,
                                                 guint32                    n_regions,
                                                 guint32                   *regions);

/* The largest label of a basin. */
WF_API guint32       wf_hierarchy_get_highest_label
                                                (const WfHierarchy         *hierarchy);

/* The cut to @n_regions as a table from each label, up to the highest, to the label of the
 * first basin of its region; @n_entries: of @map, at least the highest label and 1.
 */
WF_API gboolean      wf_hierarchy_get_map       (const WfHierarchy         *hierarchy,
                                                 guint32                    n_regions,
                                                 guint32                   *map,
                                                 gsize                      n_entries,
                                                 GError                   **error);

/* Replaces labels by regions, as a cut gives them, and fills lines inside a region.  @labels,
 * @out: u32, of one size, which may be a part of the image; @out may be @labels.
 */
WF_API gboolean      wf_hierarchy_relabel       (WfContext                 *context,
                                                 const WfHierarchy         *hierarchy,
                                                 const guint32             *regions,
                                                 const WfImage             *labels,
                                                 WfImage                   *out,
                                                 GError                   **error);

/* Gives each pixel on a boundary the depth at which the boundary disappears, 0 to all others.
 * @labels: u32; @out: f32 or f64 of the same size.
 */
WF_API gboolean      wf_hierarchy_saliency      (WfContext                 *context,
                                                 const WfHierarchy         *hierarchy,
                                                 const WfImage             *labels,
                                                 WfImage                   *out,
                                                 GError                   **error);

/* Both of a hierarchy inside a mask of the size of @labels: 0 outside, where no line looks. */
WF_API gboolean      wf_hierarchy_relabel_masked
                                                (WfContext                 *context,
                                                 const WfHierarchy         *hierarchy,
                                                 const guint32             *regions,
                                                 const WfImage             *labels,
                                                 const WfImage             *mask,
                                                 WfImage                   *out,
                                                 GError                   **error);
WF_API gboolean      wf_hierarchy_saliency_masked
                                                (WfContext                 *context,
                                                 const WfHierarchy         *hierarchy,
                                                 const WfImage             *labels,
                                                 const WfImage             *mask,
                                                 WfImage                   *out,
                                                 GError                   **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfHierarchy, wf_hierarchy_unref)

/**
 * WfLabelLines:
 *
 * Which basins the lines of a watershed separate, so that one label image can be shown with one
 * partition after another, row by row: what wf_hierarchy_relabel() finds around each pixel of a
 * line is kept.  It never changes, so any number of threads may read it.
 */
typedef struct _WfLabelLines WfLabelLines;

/* The basins around the pixels of @labels (u32) without a label.  @connectivity: of the basins; 0
 * for 8, of a stack 26.  To be freed by wf_label_lines_free(); @labels are not kept.
 */
WF_API WfLabelLines * wf_label_lines_new        (WfContext                 *context,
                                                 const WfImage             *labels,
                                                 int                        connectivity,
                                                 GError                   **error);
WF_API void          wf_label_lines_free        (WfLabelLines              *lines);

/* Sets the pixels of a row, counted through all slices, that are lines within a region to that
 * region.  @map: the region of each label, from 0 to the highest; @regions: of the row's pixels.
 */
WF_API void          wf_label_lines_join        (const WfLabelLines        *lines,
                                                 gint64                     row,
                                                 const guint32             *map,
                                                 guint32                   *regions);

/* After that, where objects are left out, which are the one region @left_out in @map: sets to it
 * the pixels of the row that are 0 and beside no other region.
 */
WF_API void          wf_label_lines_trim        (const WfLabelLines        *lines,
                                                 const WfImage             *labels,
                                                 gint64                     row,
                                                 const guint32             *map,
                                                 guint32                    left_out,
                                                 guint32                   *regions);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfLabelLines, wf_label_lines_free)


/*  Histograms  */

/**
 * WfHistogram:
 * @type: of the image: u8, u16 or f32
 * @n_levels: steps from black to white, both counted: 256, 65536, or 65537 for f32
 * @counts: for each step how many pixels are at it
 *
 * How often each level of an image occurs.
 */
typedef struct
{
  WfType   type;
  guint    n_levels;
  guint64 *counts;
} WfHistogram;

/* How often each level of @image (u8, u16, f32) occurs; to be freed by wf_histogram_free(). */
WF_API WfHistogram * wf_histogram_new           (const WfImage      *image,
                                                 GError            **error);

/* The same of the pixels where @mask (u8, size of @image; NULL for all pixels) is not 0. */
WF_API WfHistogram * wf_histogram_new_masked    (const WfImage      *image,
                                                 const WfImage      *mask,
                                                 GError            **error);

/* A copy, to be freed. */
WF_API WfHistogram * wf_histogram_copy          (const WfHistogram  *histogram);

WF_API void          wf_histogram_free          (WfHistogram        *histogram);

/* The level of a step of the histogram. */
WF_API double        wf_histogram_get_level     (const WfHistogram  *histogram,
                                                 guint               step);

/**
 * WfThresholdMethod:
 * @WF_THRESHOLD_OTSU: the least variance within both parts
 * @WF_THRESHOLD_LI: the least cross entropy
 * @WF_THRESHOLD_TRIANGLE: the farthest below a line from the peak to the end of the longer tail
 * @WF_THRESHOLD_PERCENT: so many pixels do not lie above it
 *
 * How a threshold follows from a histogram.
 */
typedef enum
{
  WF_THRESHOLD_OTSU,
  WF_THRESHOLD_LI,
  WF_THRESHOLD_TRIANGLE,
  WF_THRESHOLD_PERCENT
} WfThresholdMethod;

/* A threshold: foreground is what lies above it.  @percent: with %WF_THRESHOLD_PERCENT */
WF_API double        wf_histogram_find_threshold (const WfHistogram  *histogram,
                                                  WfThresholdMethod   method,
                                                  double              percent);

/* Reads otsu, li, triangle or P%. */
WF_API gboolean      wf_threshold_parse         (const char         *text,
                                                 WfThresholdMethod  *method,
                                                 double             *percent);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfHistogram, wf_histogram_free)


/*  Stains  */

/**
 * WfStain:
 *
 * A stain of a slide, and the stains beside it, by the colors that they absorb.
 */
typedef struct _WfStain WfStain;

/* The stains that have names. */
WF_API const WfChoice * wf_stain_get_choices (void);

/* A stain, to be freed.  @text: its name, or its color, #RRGGBB, or the optical densities R,G,B of
 * that; after “;” those of one or two stains beside it.
 */
WF_API WfStain *        wf_stain_new         (const char     *text,
                                              GError        **error);

WF_API void             wf_stain_free        (WfStain        *stain);

/* Sets @densities (9 of them) to what up to three stains absorb of red, green and blue; returns how
 * many stains there are.
 */
WF_API guint            wf_stain_parse       (const char     *text,
                                              double         *densities,
                                              GError        **error);

/* The text for that, to be freed.  @densities: of @n stains */
WF_API char *           wf_stain_format      (const double   *densities,
                                              guint           n);

/* Sets the three @densities to the mean of what @n pixels absorb, whose @colors are as for
 * wf_stain_take_levels().
 */
WF_API void             wf_stain_pick        (WfType          type,
                                              gconstpointer   colors,
                                              guint           n_components,
                                              gint64          n,
                                              double         *densities);

/* Sets @levels (u8, u16, f32, as @type says) to what @n pixels would let through with this stain
 * alone.  @colors: pixels of @n_components each, of which the first are red, green and blue, of the
 * same type, encoded as in sRGB.
 */
WF_API void             wf_stain_take_levels (const WfStain  *stain,
                                              WfType          type,
                                              gconstpointer   colors,
                                              guint           n_components,
                                              gint64          n,
                                              gpointer        levels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfStain, wf_stain_free)


/*  Colors  */

/**
 * WfColorWay:
 * @WF_COLORS_GRAY: the result is gray: that of the luminance
 * @WF_COLORS_COMPONENTS: red, green and blue have each a result of their own
 * @WF_COLORS_LUMINANCE: the luminance is filtered, and colors are kept
 *
 * What a filter of levels does with colors.
 */
typedef enum
{
  WF_COLORS_GRAY,
  WF_COLORS_COMPONENTS,
  WF_COLORS_LUMINANCE
} WfColorWay;

/**
 * WfColorOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @colors: a #WfColorWay
 *
 * What becomes of colors.
 */
typedef struct
{
  gsize size;
  int   colors;
} WfColorOptions;

/**
 * WfColorEncoding:
 * @WF_ENCODING_SRGB: components are encoded as in sRGB
 * @WF_ENCODING_LINEAR: components are linear light, of the primaries of sRGB
 *
 * What the components of colors mean.
 */
typedef enum
{
  WF_ENCODING_SRGB,
  WF_ENCODING_LINEAR
} WfColorEncoding;

/* The description of #WfColorOptions, constant. */
WF_API const WfOptionGroup * wf_colors_get_options (void);

/* Whether an operation is a filter of levels: then #WfColorOptions have a meaning. */
WF_API gboolean         wf_operation_takes_colors
                                             (WfOperation      operation);

/* Sets @levels to the luminance of @n pixels, in the type and encoding of their components: u8,
 * u16, f32 or f64.  @components: red, green and blue of the first pixel, @step components before
 * those of the next one.
 */
WF_API void             wf_colors_take_luminance
                                             (WfType           type,
                                              WfColorEncoding  encoding,
                                              const gpointer   components[3],
                                              guint            step,
                                              gint64           n,
                                              gpointer         levels);

/* Gives each of @n pixels (u8, u16, f32) whose luminance @before differs from @after the latter,
 * and keeps its color, where that is possible; @components as above, changed in place.
 */
WF_API void             wf_colors_keep       (WfType           type,
                                              WfColorEncoding  encoding,
                                              const gpointer   components[3],
                                              guint            step,
                                              gconstpointer    before,
                                              gconstpointer    after,
                                              gint64           n);

/* The same of colors in linear light, of any primaries.  @colors: red, green and blue, where 1 is
 * white, @n_components apart; changed in place.  @luminance: of each before; @wanted: after.
 * @limited: whether no component may exceed 1.
 */
WF_API void             wf_colors_set_luminance
                                             (float           *colors,
                                              guint            n_components,
                                              const float     *luminance,
                                              const float     *wanted,
                                              gint64           n,
                                              gboolean         limited);

/* Linear light, where 1 is white, encoded as in sRGB. */
WF_API double           wf_color_encode      (double           light);

/**
 * WfMeanColors:
 *
 * The mean color of each region, whose pixels are added row by row.
 */
typedef struct _WfMeanColors WfMeanColors;

/* Means of regions with labels from 0 to @highest (wf_labels_get_highest()), without pixels; to be
 * freed.  The limit of @context (NULL: a context of its own) counts.
 */
WF_API WfMeanColors *   wf_mean_colors_new   (WfContext        *context,
                                              guint32           highest,
                                              GError          **error);

/* Adds @n pixels, weighted by their opacity.  @colors (u8, u16, f32, as @type says): gray, or red,
 * green and blue, and alpha if they have 2 or 4 components.
 */
WF_API void             wf_mean_colors_add   (WfMeanColors     *means,
                                              const guint32    *labels,
                                              WfType            type,
                                              gconstpointer     colors,
                                              guint             n_components,
                                              gint64            n);

/* Sets the four components of @mean to red, green, blue and 1; to 0 without an opaque pixel. */
WF_API void             wf_mean_colors_get   (const WfMeanColors *means,
                                              guint32           label,
                                              float            *mean);

WF_API void             wf_mean_colors_free  (WfMeanColors     *means);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfMeanColors, wf_mean_colors_free)


/*  Foreground  */

/* Sets @foreground (u8) to 1 where @image (u8, u16, u32, f32) is above @threshold (NaN: not 0), or,
 * if not @above, where it is not; to 0 elsewhere.
 */
WF_API void          wf_foreground_mark         (const WfImage      *image,
                                                 double              threshold,
                                                 gboolean            above,
                                                 WfImage            *foreground);

/* Sets @labels (u32) to 0 where @foreground (u8) is 0; returns whether a label is left. */
WF_API gboolean      wf_foreground_limit        (const WfImage      *foreground,
                                                 WfImage            *labels);

/* Exchanges dark and bright: integers within the range of their type, real numbers by their
 * sign.  @out: type and size of @image; may be @image itself.
 */
WF_API void          wf_image_invert            (const WfImage      *image,
                                                 WfImage            *out);

/* The least and the greatest finite level of @image (u8, u16, u32, u64, f32, f64); the greatest
 * number of u64 counts as infinite.  Returns whether there is one.
 */
WF_API gboolean      wf_image_find_range        (const WfImage      *image,
                                                 double             *least,
                                                 double             *most);

/* How far the levels of two images (u8, u16, f32) are apart: 0 where they are equal.  @difference:
 * type and size of both; may be either of them.
 */
WF_API void          wf_image_find_difference   (const WfImage      *image,
                                                 const WfImage      *other,
                                                 WfImage            *difference);


/*  Measurements of basins  */

/**
 * WfBasin:
 * @label: of the basin
 * @area: its pixels
 * @centroid: the mean of its pixels' columns, rows and slices
 * @first: its least column, row and slice
 * @last: its greatest column, row and slice
 * @minimum: the least of the image's levels in it
 * @mean: the mean of them
 * @maximum: the greatest of them
 * @depth: its dynamics in what was flooded, in the levels of that; infinite for the
 *   deepest basin of all
 *
 * The measurements of a basin or of a component.  Lengths are in pixels, as are places.
 */
typedef struct
{
  guint32 label;
  guint64 area;
  double  centroid[3];
  gint64  first[3];
  gint64  last[3];
  double  minimum;
  double  mean;
  double  maximum;
  double  depth;
} WfBasin;

/* Measures what @labels (u32) divides @image (u8, u16, f32) into, in the order of the labels.
 * @relief: what was flooded, or NULL for @image; @connectivity as for wf_watershed().  @basins is
 * an array of @n_basins, to be freed by g_free().
 */
WF_API gboolean wf_basins_measure (WfContext      *context,
                                   const WfImage  *image,
                                   const WfImage  *relief,
                                   const WfImage  *labels,
                                   int             connectivity,
                                   WfBasin       **basins,
                                   guint32        *n_basins,
                                   GError        **error);

/* The same of the pixels where @mask (u8, u16, u32, f32) is not 0: water does not leave it, so the
 * deepest basin of each of its parts is infinitely deep.  @mask: NULL for all pixels.
 */
WF_API gboolean wf_basins_measure_masked
                                  (WfContext      *context,
                                   const WfImage  *image,
                                   const WfImage  *relief,
                                   const WfImage  *labels,
                                   const WfImage  *mask,
                                   int             connectivity,
                                   WfBasin       **basins,
                                   guint32        *n_basins,
                                   GError        **error);

/* Measures one of the labels, without a depth: NaN. */
WF_API void     wf_basin_measure_levels
                                  (const WfImage  *image,
                                   const WfImage  *labels,
                                   guint32         label,
                                   WfBasin        *basin);

/* Makes the measurements of @basin those of both; with an area of 0 it is nothing. */
WF_API void     wf_basin_join     (WfBasin        *basin,
                                   const WfBasin  *other);

/**
 * WfTablePlace:
 * @size: of the struct, `sizeof (WfTablePlace)` of the program
 * @left: where the left edge of what was measured is in the whole image
 * @top: where its upper edge is
 * @stack: whether there are columns for slices
 * @without_depths: whether there is no column of depths, as components have none
 * @unit: of a table of basins: that of @spacing, in UTF-8, which the last column names; %NULL:
 *   none, or pixels
 * @spacing: of a table of basins: the size of a pixel along x, y and z; 0: 1
 * @measures: of a table of regions: a bit for each #WfRegionMeasure whose columns it has; 0: all
 *   that were measured
 *
 * What a table of measurements looks like.
 */
typedef struct
{
  gsize       size;
  double      left;
  double      top;
  gboolean    stack;
  gboolean    without_depths;
  const char *unit;
  double      spacing[3];
  guint64     measures;
} WfTablePlace;

/* A table of comma-separated values with a line of names, to be freed.  @basins may be NULL
 * where there are none; @place: NULL for a whole image, not a stack, with depths.
 */
WF_API char *   wf_basin_table_format (const WfBasin       *basins,
                                       guint32              n_basins,
                                       const WfTablePlace  *place);

/* Writes it to @file, which appears complete or stays as it was. */
WF_API gboolean wf_basin_table_write  (GFile               *file,
                                       const WfBasin       *basins,
                                       guint32              n_basins,
                                       const WfTablePlace  *place,
                                       GError             **error);


/*  Measurements of regions  */

/**
 * WfRegionMeasure:
 * @WF_REGION_AREA: pixels, in a stack voxels, times their size
 * @WF_REGION_BOUNDING_BOX: the smallest box of whole pixels around the region
 * @WF_REGION_CENTROID: the mean place of the pixels
 * @WF_REGION_EQUIVALENT_DIAMETER: of the circle, in a stack the sphere, of the same area
 * @WF_REGION_PERIMETER: by Crofton's formula in four directions
 * @WF_REGION_CIRCULARITY: 4π area ∕ perimeter²
 * @WF_REGION_CONVEX_AREA: of the convex hull of the pixels
 * @WF_REGION_SOLIDITY: area ∕ convex area
 * @WF_REGION_FERET: the greatest and the least distance of two parallel lines around the region
 * @WF_REGION_ELLIPSE: axes of the ellipse with the same second moments
 * @WF_REGION_ECCENTRICITY: of this ellipse
 * @WF_REGION_ORIENTATION: of its major axis
 * @WF_REGION_EXTENT: area ∕ area of the bounding box
 * @WF_REGION_EULER_NUMBER: parts less holes
 * @WF_REGION_NEIGHBORS: number of other regions beside it
 * @WF_REGION_INSCRIBED_CIRCLE: around the pixel that lies deepest in the region
 * @WF_REGION_MEAN: mean level
 * @WF_REGION_MINIMUM: least level
 * @WF_REGION_MAXIMUM: greatest level
 * @WF_REGION_STANDARD_DEVIATION: of the levels
 * @WF_REGION_MEDIAN: median level
 * @WF_REGION_SUM: of the levels, the integrated density
 * @WF_REGION_WEIGHTED_CENTROID: the mean place of the pixels, each weighted by its level
 * @WF_REGION_TOUCHES_BORDER: 1 if the region has a pixel in the first or last column, row or slice
 *   of a stack, else 0
 *
 * What can be measured of a region.  The definitions are at the top of
 * engine/measurements/regions.c.
 */
typedef enum
{
  WF_REGION_AREA,
  WF_REGION_BOUNDING_BOX,
  WF_REGION_CENTROID,
  WF_REGION_EQUIVALENT_DIAMETER,
  WF_REGION_PERIMETER,
  WF_REGION_CIRCULARITY,
  WF_REGION_CONVEX_AREA,
  WF_REGION_SOLIDITY,
  WF_REGION_FERET,
  WF_REGION_ELLIPSE,
  WF_REGION_ECCENTRICITY,
  WF_REGION_ORIENTATION,
  WF_REGION_EXTENT,
  WF_REGION_EULER_NUMBER,
  WF_REGION_NEIGHBORS,
  WF_REGION_INSCRIBED_CIRCLE,
  WF_REGION_MEAN,
  WF_REGION_MINIMUM,
  WF_REGION_MAXIMUM,
  WF_REGION_STANDARD_DEVIATION,
  WF_REGION_MEDIAN,
  WF_REGION_SUM,
  WF_REGION_WEIGHTED_CENTROID,
  WF_REGION_TOUCHES_BORDER
} WfRegionMeasure;

/**
 * WfRegionUnit:
 * @WF_REGION_UNIT_NONE: a number or a ratio
 * @WF_REGION_UNIT_PIXELS: whole pixels, whatever their size
 * @WF_REGION_UNIT_LENGTH: a length or a place, in the unit of the spacing
 * @WF_REGION_UNIT_AREA: an area, in a stack a volume
 * @WF_REGION_UNIT_DEGREES: an angle from 0 up to 180, counter-clockwise from the x axis
 * @WF_REGION_UNIT_LEVELS: levels of the image
 *
 * The unit of a column.
 */
typedef enum
{
  WF_REGION_UNIT_NONE,
  WF_REGION_UNIT_PIXELS,
  WF_REGION_UNIT_LENGTH,
  WF_REGION_UNIT_AREA,
  WF_REGION_UNIT_DEGREES,
  WF_REGION_UNIT_LEVELS
} WfRegionUnit;

/**
 * WfRegionColumn:
 * @name: in tables, the same in every language
 * @label: for a dialog, to be translated
 * @unit: of its values
 * @is_whole: whether its values are whole numbers
 * @axis: of a place: 0 to 2, for x, y and z; otherwise −1
 *
 * A column of a table of regions.  All strings are static.
 */
typedef struct
{
  const char   *name;
  const char   *label;
  WfRegionUnit  unit;
  gboolean      is_whole;
  int           axis;
  /*< private >*/
  gpointer      reserved[4];
} WfRegionColumn;

/**
 * WfRegionMeasureInfo:
 * @measure: the measure
 * @name: on a command line, in lower case with hyphens
 * @label: for a dialog, to be translated
 * @blurb: its definition, one sentence fragment, to be translated
 * @needs_image: whether it is one of levels
 * @is_for_stacks: whether it is defined for stacks, too
 * @columns: its columns; those for z are in tables of stacks only
 * @n_columns: how many
 *
 * The description of a measure.  It is static, and may grow at its end.
 */
typedef struct
{
  WfRegionMeasure       measure;
  const char           *name;
  const char           *label;
  const char           *blurb;
  gboolean              needs_image;
  gboolean              is_for_stacks;
  const WfRegionColumn *columns;
  guint                 n_columns;
} WfRegionMeasureInfo;

/* The measures are numbered from 0; NULL for what is none. */
WF_API const WfRegionMeasureInfo *
                wf_region_measure_describe (WfRegionMeasure       measure);

/* Sets @measures to a bit for each measure in @list, names between commas as in "area,feret"; to
 * 0 if it is "all".
 */
WF_API gboolean wf_region_measures_parse   (const char           *list,
                                            guint64              *measures,
                                            GError              **error);

/* Whether the column is one of these measures, a bit for each, or that of the labels. */
WF_API gboolean wf_region_column_is_of     (const WfRegionColumn *column,
                                            guint64               measures);

/**
 * WfRegionOptions:
 * @size: of the struct
 * @connectivity: which pixels are neighbors: 4 or 8, 6 or 26 in a stack, 0 for 8 or 26
 * @spacing: size of a pixel along x, y and z
 *
 * Options of wf_regions_measure().
 */
typedef struct
{
  gsize  size;
  int    connectivity;
  double spacing[3];
} WfRegionOptions;

/* The description of #WfRegionOptions, constant. */
WF_API const WfOptionGroup * wf_regions_get_options (void);

/**
 * WfRegions:
 *
 * A table of measurements: a line for each region, by increasing label, and columns.
 */
typedef struct _WfRegions WfRegions;

/* Measures the regions of @labels (u32, 0: no region): @measures has a bit for each measure that
 * is wanted; 0: all that are defined for these images.  @image (u8, u16, f32): for the levels, or
 * NULL.  To be freed by wf_regions_free().
 */
WF_API WfRegions *   wf_regions_measure       (WfContext              *context,
                                               const WfImage          *labels,
                                               const WfImage          *image,
                                               guint64                 measures,
                                               const WfRegionOptions  *options,
                                               GError                **error);

WF_API gint64        wf_regions_get_n_regions (const WfRegions        *regions);
WF_API guint         wf_regions_get_n_columns (const WfRegions        *regions);

/* The first column has the labels. */
WF_API const WfRegionColumn *
                     wf_regions_get_column    (const WfRegions        *regions,
                                               guint                   column);

/* The values of a column, one for each region; NaN where there is none.  They are the table's. */
WF_API const double *
                     wf_regions_get_values    (const WfRegions        *regions,
                                               guint                   column);

WF_API void          wf_regions_free          (WfRegions              *regions);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfRegions, wf_regions_free)

/*  Outlines of regions  */

/**
 * WfOutlinePoint:
 * @x: of a corner of pixels; pixel x is between x and x + 1
 * @y: likewise
 *
 * A corner of an outline.
 */
typedef struct
{
  gint32 x;
  gint32 y;
} WfOutlinePoint;

/**
 * WfOutlineRing:
 * @is_hole: whether the region is around it
 * @n_points: its corners, at least 4
 * @points: (array length=n_points): the region is at their right, with y downwards; the last is
 *   joined to the first
 *
 * A closed line along the edges of pixels, which visits no point twice.
 */
typedef struct
{
  gboolean              is_hole;
  gint64                n_points;
  const WfOutlinePoint *points;
} WfOutlineRing;

/**
 * WfOutline:
 * @label: of the region
 * @slice: of a stack, from 0
 * @n_polygons: its pieces, whose pixels are connected by their edges
 * @n_rings: of all polygons
 * @rings: (array length=n_rings): the ring around each polygon, followed by its holes
 *
 * The outline of a region in a slice.
 */
typedef struct
{
  guint32              label;
  gint64               slice;
  gint64               n_polygons;
  gint64               n_rings;
  const WfOutlineRing *rings;
} WfOutline;

/**
 * WfOutlines:
 *
 * The outlines of all regions of an image of labels.
 */
typedef struct _WfOutlines WfOutlines;

/* Follows the outlines of the regions of @labels (u32, 0: no region).  To be freed by
 * wf_outlines_free().
 */
WF_API WfOutlines *      wf_outlines_trace          (WfContext         *context,
                                                     const WfImage     *labels,
                                                     GError           **error);

WF_API gint64            wf_outlines_get_n_regions  (const WfOutlines  *outlines);
WF_API const WfOutline * wf_outlines_get_region     (const WfOutlines  *outlines,
                                                     gint64             region);

/* Adds to all places. */
WF_API void              wf_outlines_move           (WfOutlines        *outlines,
                                                     gint32             x,
                                                     gint32             y);

/**
 * WfOutlineFormat:
 * @WF_OUTLINE_GEOJSON: GeoJSON, as QuPath opens it
 * @WF_OUTLINE_ROIS: a .zip file of regions of interest of ImageJ
 *
 * The format of a file of outlines.
 */
typedef enum
{
  WF_OUTLINE_GEOJSON,
  WF_OUTLINE_ROIS
} WfOutlineFormat;

/* By the suffix of a name; FALSE: it has none of those. */
WF_API gboolean          wf_outline_format_find     (const char        *name,
                                                     WfOutlineFormat   *format);

/* The contents of such a file; NULL with @error set: beyond what the ROI manager of ImageJ can
 * have.  @object_type, @spacing: of GeoJSON.
 */
WF_API GBytes *          wf_outlines_format         (const WfOutlines  *outlines,
                                                     WfOutlineFormat    format,
                                                     gboolean           is_stack,
                                                     const char        *object_type,
                                                     const double      *spacing,
                                                     GError           **error);

/* Writes it to @file, whose suffix tells the format, and which appears complete or stays as it was;
 * in pixels, as detections.
 */
WF_API gboolean          wf_outlines_write          (const WfOutlines  *outlines,
                                                     GFile             *file,
                                                     gboolean           is_stack,
                                                     GError           **error);

WF_API void              wf_outlines_free           (WfOutlines        *outlines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfOutlines, wf_outlines_free)

/*  Boundaries between regions  */

/**
 * WfBoundaryFunc:
 * @points: x and y of each point, in pixels from the upper left corner of the first pixel: corners
 *   of pixels have integer coordinates; valid during the call only
 * @n_points: at least 2, of a closed polyline at least 3
 * @closed: whether the last point is joined to the first
 * @slice: of a stack, from 0
 * @data: that of the call
 *
 * Receives a polyline.
 */
typedef void (* WfBoundaryFunc) (const double *points,
                                 gsize         n_points,
                                 gboolean      closed,
                                 gint64        slice,
                                 gpointer      data);

/* Follows the boundaries between the regions of @labels (u32; label 0 is one, too), inside @mask
 * (u8; NULL for all pixels), as polylines that meet where three regions or more do.  No point of a
 * boundary is further than @tolerance pixels from its polyline.
 */
WF_API gboolean          wf_boundaries_trace        (WfContext         *context,
                                                     const WfImage     *labels,
                                                     const WfImage     *mask,
                                                     double             tolerance,
                                                     WfBoundaryFunc     func,
                                                     gpointer           data,
                                                     GError           **error);

/* The same as pixels: sets @marks (u8), which are rows of @labels from @row on, to 1 where the
 * pixel to the right, below or, with @diagonals, across the corner between them belongs to another
 * region; to 0 elsewhere.
 */
WF_API void              wf_boundaries_mark         (const WfImage     *labels,
                                                     const WfImage     *mask,
                                                     gint64             row,
                                                     gboolean           diagonals,
                                                     WfImage           *marks);

/* Adds the pixels of lines, where @labels (u32) are 0 and @inside (u8, or NULL) is not, to the
 * regions beside them.
 */
WF_API gboolean          wf_labels_close_lines      (WfContext         *context,
                                                     WfImage           *labels,
                                                     const WfImage     *inside,
                                                     GError           **error);

/*  Tools for labels  */

/**
 * WfLabelToolOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @area: of wf_labels_remove_small(): regions of at least so many pixels stay; it has no default
 * @count: of wf_labels_keep_largest(): so many regions stay
 * @distance: of wf_labels_expand(): regions grow by so many pixels; NaN: until they meet
 * @algorithm: name of an algorithm, or %NULL for "auto"
 *
 * One struct for all of them; each uses the fields that wf_operation_get_options() lists for it and
 * ignores the others.
 */
typedef struct
{
  gsize       size;
  double      area;
  int         count;
  double      distance;
  const char *algorithm;
} WfLabelToolOptions;

/* Sets the labels of regions of few pixels, or of all but the largest ones, to 0.  @labels: u8, u16
 * or u32, 0 for pixels of no region; @out: same type and size, may be @labels itself.
 */
WF_API gboolean wf_labels_remove_small (WfContext                 *context,
                                        const WfImage             *labels,
                                        WfImage                   *out,
                                        guint32                   *n_regions,
                                        const WfLabelToolOptions  *options,
                                        GError                   **error);
WF_API gboolean wf_labels_keep_largest (WfContext                 *context,
                                        const WfImage             *labels,
                                        WfImage                   *out,
                                        guint32                   *n_regions,
                                        const WfLabelToolOptions  *options,
                                        GError                   **error);

/* Gives pixels without a label that of the nearest labelled pixel.  Images as above. */
WF_API gboolean wf_labels_expand       (WfContext                 *context,
                                        const WfImage             *labels,
                                        WfImage                   *out,
                                        guint32                   *n_regions,
                                        const WfLabelToolOptions  *options,
                                        GError                   **error);

/* Replaces the labels by 1, 2, 3 … in their order.  Images as above. */
WF_API gboolean wf_labels_relabel      (WfContext                 *context,
                                        const WfImage             *labels,
                                        WfImage                   *out,
                                        guint32                   *n_regions,
                                        const WfLabelToolOptions  *options,
                                        GError                   **error);

/* The largest of @labels (u32), for tables with an entry for each. */
WF_API guint32  wf_labels_get_highest  (const WfImage             *labels);

/* Replaces each of @labels (u32) by its entry of a table of @n, those without an entry by 0.  @out:
 * size of @labels, u32, also @labels itself; or u8: 255 where the entry is not 0, 0 elsewhere.
 */
WF_API void     wf_labels_map          (const WfImage             *labels,
                                        const guint32             *table,
                                        guint32                    n,
                                        WfImage                   *out);

/*  Objects  */

/**
 * WfObjectOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @min_area: the least area of an object that is kept, in pixels; this and the following NaN: no
 *   limit
 * @max_area: the greatest
 * @min_circularity: the least circularity, 4π area ∕ perimeter²
 * @max_circularity: the greatest
 * @min_mean: the least mean level
 * @max_mean: the greatest
 * @inside: whether objects at the edge of the image, or of what is selected, are left out
 *
 * Which objects are kept: those within all limits, which are included.
 */
typedef struct
{
  gsize    size;
  double   min_area;
  double   max_area;
  double   min_circularity;
  double   max_circularity;
  double   min_mean;
  double   max_mean;
  gboolean inside;
} WfObjectOptions;

/* The description of #WfObjectOptions, constant. */
WF_API const WfOptionGroup * wf_objects_get_options (void);

/* Whether any object may be left out. */
WF_API gboolean          wf_objects_are_limited     (const WfObjectOptions  *options);

/**
 * WfObjects:
 *
 * A table of regions with what limits compare.
 */
typedef struct _WfObjects WfObjects;

/* Measures the regions of @labels as wf_regions_measure() does, and besides what limits need; @mask
 * (u8, u16, u32, f32; NULL for all pixels): 0 where nothing is selected.  To be freed by
 * wf_objects_free().
 */
WF_API WfObjects *       wf_objects_measure         (WfContext              *context,
                                                     const WfImage          *labels,
                                                     const WfImage          *image,
                                                     const WfImage          *mask,
                                                     guint64                 measures,
                                                     const WfRegionOptions  *options,
                                                     GError                **error);

/* The table, a line for each object. */
WF_API const WfRegions * wf_objects_get_regions     (const WfObjects        *objects);

/* The values of a column by its name, "pixels" for the area in pixels; NULL if there is none. */
WF_API const double *    wf_objects_get_values      (const WfObjects        *objects,
                                                     const char             *column);

/* Sets @kept to 1 for each object within the limits, else to 0; returns how many there are, or −1
 * with @error set if a limit is on what was not measured.
 */
WF_API gint64            wf_objects_choose          (const WfObjects        *objects,
                                                     const WfObjectOptions  *options,
                                                     guint8                 *kept,
                                                     GError                **error);

/* The objects that are kept as a table of its own, numbered as wf_labels_keep() does. */
WF_API WfRegions *       wf_objects_list_kept       (const WfObjects        *objects,
                                                     const guint8           *kept);

WF_API void              wf_objects_free            (WfObjects              *objects);

/* Gives the regions that are kept the labels 1, 2, 3 … in their order, all others 0.  @kept has an
 * entry for each of @n_labels regions, by increasing label.  Images as for wf_labels_relabel().
 */
WF_API gboolean          wf_labels_keep             (WfContext              *context,
                                                     const WfImage          *labels,
                                                     WfImage                *out,
                                                     const guint8           *kept,
                                                     gint64                  n_labels,
                                                     guint32                *n_regions,
                                                     GError                **error);

/* Sets @lines (u8) to 1 where @labels (u32) are 0 and @inside (u8, or NULL) is not, to 0 elsewhere;
 * and, after objects have been left out of @labels, to 0 on lines beside none, and to 1 in objects.
 */
WF_API void              wf_objects_mark_lines      (const WfImage          *labels,
                                                     const WfImage          *inside,
                                                     WfImage                *lines);
WF_API void              wf_objects_trim_lines      (const WfImage          *labels,
                                                     WfImage                *lines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfObjects, wf_objects_free)

/*  Corrections by hand  */

/**
 * WfCorrectionKind:
 * @WF_CORRECTION_JOIN: the objects at the points become one
 * @WF_CORRECTION_JOIN_ALONG: all objects that the line through the points crosses become one
 * @WF_CORRECTION_SPLIT: the line through the points divides the object that it crosses
 * @WF_CORRECTION_DELETE: the objects at the points are left out
 * @WF_CORRECTION_KEEP: the objects at the points are kept, whatever has left them out
 * @WF_CORRECTION_SEED: each point is the marker of an object of its own within the one there
 *
 * What is corrected.  The names are those of the list: "join", "join-along", "split", "delete",
 * "keep" and "seed".
 */
typedef enum
{
  WF_CORRECTION_JOIN,
  WF_CORRECTION_JOIN_ALONG,
  WF_CORRECTION_SPLIT,
  WF_CORRECTION_DELETE,
  WF_CORRECTION_KEEP,
  WF_CORRECTION_SEED
} WfCorrectionKind;

/**
 * WfPixelPlace:
 * @x: column
 * @y: row
 * @z: slice, 0 where there is one only
 *
 * A pixel, which may lie outside the image.
 */
typedef struct
{
  gint64 x;
  gint64 y;
  gint64 z;
} WfPixelPlace;

/**
 * WfCorrections:
 *
 * A list of corrections, in the order in which they are made.
 */
typedef struct _WfCorrections WfCorrections;

WF_API WfCorrections *   wf_corrections_new         (void);
WF_API WfCorrections *   wf_corrections_copy        (const WfCorrections    *corrections);
WF_API void              wf_corrections_free        (WfCorrections          *corrections);

/* A list as JSON: [{"join": [[12, 7], [30, 9]]}, {"delete": [[5, 5, 2]]}], where each point is its
 * column, its row and, unless that is 0, its slice.  NULL with @error set if it is none.
 */
WF_API WfCorrections *   wf_corrections_parse       (const char             *text,
                                                     GError                **error);
WF_API char *            wf_corrections_print       (const WfCorrections    *corrections);

WF_API guint             wf_corrections_get_n       (const WfCorrections    *corrections);
WF_API WfCorrectionKind  wf_corrections_get         (const WfCorrections    *corrections,
                                                     guint                   i,
                                                     const WfPixelPlace    **points,
                                                     guint                  *n_points);
WF_API void              wf_corrections_add         (WfCorrections          *corrections,
                                                     WfCorrectionKind        kind,
                                                     const WfPixelPlace     *points,
                                                     guint                   n_points);
WF_API void              wf_corrections_truncate    (WfCorrections          *corrections,
                                                     guint                   n);

/* The same for a part of the image, from (@x, @y, @z) of the image at @scale on. */
WF_API WfCorrections *   wf_corrections_transform   (const WfCorrections    *corrections,
                                                     double                  scale,
                                                     gint64                  x,
                                                     gint64                  y,
                                                     gint64                  z);

/**
 * WfCorrecting:
 *
 * Labels that are corrected, and which of their objects are deleted or kept.
 */
typedef struct _WfCorrecting WfCorrecting;

/* Prepares to correct @labels (u32), which must live as long.  @relief (u8, u16, f32; or NULL for a
 * flat one) is what was flooded, with @options; outside @mask (u8, u16, u32, f32; or NULL for all
 * pixels) is background.
 */
WF_API WfCorrecting *    wf_correcting_new          (WfContext                 *context,
                                                     const WfImage             *relief,
                                                     const WfImage             *mask,
                                                     WfImage                   *labels,
                                                     const WfWatershedOptions  *options,
                                                     GError                   **error);

/* Makes one of the corrections; @effective: whether it had an effect. */
WF_API gboolean          wf_correcting_apply        (WfCorrecting              *correcting,
                                                     const WfCorrections       *corrections,
                                                     guint                      i,
                                                     gboolean                  *effective,
                                                     GError                   **error);

/* Makes all of them; @n_effective, or NULL: how many had an effect. */
WF_API gboolean          wf_correcting_apply_all    (WfCorrecting              *correcting,
                                                     const WfCorrections       *corrections,
                                                     guint                     *n_effective,
                                                     GError                   **error);

WF_API guint32           wf_correcting_get_highest  (const WfCorrecting        *correcting);
/* −1 for an object that is deleted, 1 for one that is kept whatever limits say, 0 for others. */
WF_API int               wf_correcting_get_verdict  (const WfCorrecting        *correcting,
                                                     guint32                    label);

/* Sets @kept, which limits have set for each of @regions, to 0 for what is deleted, to 1 for what
 * is kept by hand; returns how many are kept.
 */
WF_API gint64            wf_correcting_choose       (const WfCorrecting        *correcting,
                                                     const WfRegions           *regions,
                                                     guint8                    *kept);

/* Begins anew with other labels, which the caller has put into the image.  What has been
 * remembered, in at most so many bytes, makes corrections of objects that are the same as before
 * fast.
 */
WF_API void              wf_correcting_remember     (WfCorrecting              *correcting,
                                                     guint64                    most_bytes);
WF_API void              wf_correcting_divide_ahead (WfCorrecting              *correcting,
                                                     const WfCorrections       *corrections,
                                                     guint                      first);
WF_API gboolean          wf_correcting_restart      (WfCorrecting              *correcting,
                                                     GError                   **error);
WF_API void              wf_correcting_free         (WfCorrecting              *correcting);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfCorrections, wf_corrections_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfCorrecting, wf_correcting_free)

/*  Markers painted in colors  */

/**
 * WfColorMarkers:
 *
 * The colors of an image as markers, numbered from 1 in the order in which they occur.
 */
typedef struct _WfColorMarkers WfColorMarkers;

WF_API WfColorMarkers *  wf_color_markers_new       (void);
WF_API void              wf_color_markers_free      (WfColorMarkers         *markers);

/* How many colors there are so far. */
WF_API guint32           wf_color_markers_get_n     (const WfColorMarkers   *markers);

/* Sets @labels to the markers of the next @n pixels.  @colors: of @n_components each (u8, u16, f32,
 * as @type says), of which the first are red, green and blue, and with @alpha that; pixels that are
 * less than half opaque, or, without @alpha, black are no markers: 0.
 */
WF_API void              wf_color_markers_add       (WfColorMarkers         *markers,
                                                     WfType                  type,
                                                     gconstpointer           colors,
                                                     guint                   n_components,
                                                     gboolean                alpha,
                                                     gint64                  n,
                                                     guint32                *labels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfColorMarkers, wf_color_markers_free)

/*  Markers drawn by strokes  */

/**
 * WfStrokeKind:
 * @WF_STROKE_OBJECT: its pixels are marker of an object
 * @WF_STROKE_BACKGROUND: its pixels are marker of the background
 * @WF_STROKE_ERASE: its pixels are no marker
 *
 * What a stroke draws.  The names are those of the list: "object", "background" and "erase".
 */
typedef enum
{
  WF_STROKE_OBJECT,
  WF_STROKE_BACKGROUND,
  WF_STROKE_ERASE
} WfStrokeKind;

/**
 * WfStrokes:
 *
 * A list of strokes, in the order in which they are drawn.
 */
typedef struct _WfStrokes WfStrokes;

WF_API WfStrokes *       wf_strokes_new             (void);
WF_API WfStrokes *       wf_strokes_copy            (const WfStrokes        *strokes);
WF_API void              wf_strokes_free            (WfStrokes              *strokes);

/* A list as JSON: [{"object": [[12, 7], [30, 9]], "width": 5}, {"background": [[5, 5, 2]]}], where
 * each point is its column, its row and, unless that is 0, its slice; the width is 1 if there is
 * none.  NULL with @error set if it is none.
 */
WF_API WfStrokes *       wf_strokes_parse           (const char             *text,
                                                     GError                **error);
WF_API char *            wf_strokes_print           (const WfStrokes        *strokes);

WF_API guint             wf_strokes_get_n           (const WfStrokes        *strokes);
WF_API WfStrokeKind      wf_strokes_get             (const WfStrokes        *strokes,
                                                     guint                   i,
                                                     int                    *width,
                                                     const WfPixelPlace    **points,
                                                     guint                  *n_points);
WF_API void              wf_strokes_add             (WfStrokes              *strokes,
                                                     WfStrokeKind            kind,
                                                     int                     width,
                                                     const WfPixelPlace     *points,
                                                     guint                   n_points);
WF_API void              wf_strokes_truncate        (WfStrokes              *strokes,
                                                     guint                   n);

/* The same for a part of the image, from (@x, @y, @z) of the image at @scale on. */
WF_API WfStrokes *       wf_strokes_transform       (const WfStrokes        *strokes,
                                                     double                  scale,
                                                     gint64                  x,
                                                     gint64                  y,
                                                     gint64                  z);

/**
 * WF_STROKES_BACKGROUND:
 *
 * The label of the background's marker that wf_strokes_draw() draws.
 */
#define WF_STROKES_BACKGROUND G_MAXUINT32

/* Sets @markers (u32) to the markers that the strokes draw: 1 to @n_objects those of objects,
 * WF_STROKES_BACKGROUND that of the background, 0 elsewhere.
 */
WF_API gboolean          wf_strokes_draw            (WfContext              *context,
                                                     const WfStrokes        *strokes,
                                                     int                     connectivity,
                                                     WfImage                *markers,
                                                     guint32                *n_objects,
                                                     GError                **error);

/* Sets @labels (u32) and @inside (u8, or NULL) to 0 where @labels are @label; returns at how many
 * pixels they are.
 */
WF_API gint64            wf_labels_drop             (WfImage                *labels,
                                                     guint32                 label,
                                                     WfImage                *inside);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfStrokes, wf_strokes_free)

/**
 * WfTableFormat:
 * @WF_TABLE_CSV: comma-separated values, with a line of names
 * @WF_TABLE_JSON: JSON
 *
 * The format of a table.
 */
typedef enum
{
  WF_TABLE_CSV,
  WF_TABLE_JSON
} WfTableFormat;

/* The table as text, to be freed.  @unit: of the spacing, or NULL; @place: where what was measured
 * is in the whole image, and which measures are wanted, or NULL.
 */
WF_API char *        wf_regions_format        (const WfRegions        *regions,
                                               WfTableFormat           format,
                                               const char             *unit,
                                               const WfTablePlace     *place);

/* Writes it to @file, which appears complete or stays as it was. */
WF_API gboolean      wf_regions_write         (const WfRegions        *regions,
                                               GFile                  *file,
                                               WfTableFormat           format,
                                               const char             *unit,
                                               const WfTablePlace     *place,
                                               GError                **error);


/*  Memory  */

/**
 * WfForecast:
 * @device: "cpu" or "cuda:N": what would do the work
 * @description: the maker's name of it, or %NULL
 * @algorithm: that would do it
 * @threads: of the CPU; 1 for a GPU
 * @reason: why this device, a sentence for the user
 * @memory_needed: bytes of main memory beyond input and output
 * @memory_available: bytes of main memory that may be taken; 0 if that is not known
 * @device_needed: bytes of a GPU's own memory; 0 for the CPU, and where it is not known
 * @device_free: bytes of memory that are free on the device, as in #WfDevice
 * @seconds: how long it would take there, by the paces of the devices (#WfPace), where automatic
 *   choice weighed them; else 0
 * @transfer_seconds: those of them that the images travel to a GPU and back
 * @memory: of the device: images that are there need no transfers
 *
 * Where an operation would be done, why, and at what cost.
 */
typedef struct
{
  char       *device;
  char       *description;
  const char *algorithm;
  guint       threads;
  char       *reason;
  guint64     memory_needed;
  guint64     memory_available;
  guint64     device_needed;
  guint64     device_free;
  double      seconds;
  double      transfer_seconds;
  WfMemory    memory;
} WfForecast;

/* Where @context (NULL: a context of its own) would do the operation, why, and what memory that
 * takes; to be freed by wf_forecast_free().  The pixels of @image are not read, and little
 * memory is no failure.
 */
WF_API WfForecast * wf_context_forecast (WfContext      *context,
                                         WfOperation     operation,
                                         const WfImage  *image,
                                         gconstpointer   options,
                                         GError        **error);

WF_API void         wf_forecast_free    (WfForecast     *forecast);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfForecast, wf_forecast_free)

/*  Images larger than memory, read and written in blocks  */

/**
 * WfReadBlockFunc:
 * @data: the source's
 * @x, @y, @z: the block's first pixel in the whole image
 * @block: what is to be filled: the source's type, the size that is wanted
 * @error: to be set on failure
 *
 * Reads a block of an image.  It is called from one thread at a time.
 *
 * Returns: %FALSE with @error set if it cannot be read.
 */
typedef gboolean (* WfReadBlockFunc) (gpointer   data,
                                      gint64     x,
                                      gint64     y,
                                      gint64     z,
                                      WfImage   *block,
                                      GError   **error);

/**
 * WfWriteBlockFunc:
 * @data: the sink's
 * @x, @y, @z: the block's first pixel in the whole image
 * @block: its pixels
 * @error: to be set on failure
 *
 * Takes a block of a result.  It is called from one thread at a time.
 *
 * Returns: %FALSE with @error set if it cannot be written.
 */
typedef gboolean (* WfWriteBlockFunc) (gpointer        data,
                                       gint64          x,
                                       gint64          y,
                                       gint64          z,
                                       const WfImage  *block,
                                       GError        **error);

/**
 * WfBlockSource:
 * @type: of the pixels
 * @width: pixels in a row
 * @height: rows in a slice
 * @depth: slices; 1 for a 2-D image
 * @read: reads a block; it may be asked for the same pixels again, which must not have changed
 * @data: for @read
 * @image: the whole image where it lies in main memory, with rows and slices one after the other
 *   and without gaps; then nothing is copied, and @read may be %NULL.  Or %NULL
 * @flags: 0
 *
 * Where the blocks of an image come from.  Fields that are not set must be 0.
 */
typedef struct
{
  WfType           type;
  gint64           width;
  gint64           height;
  gint64           depth;
  WfReadBlockFunc  read;
  gpointer         data;
  const WfImage   *image;
  guint            flags;
  /*< private >*/
  gpointer         reserved[8];
} WfBlockSource;

/**
 * WfBlockSinkFlags:
 * @WF_SINK_TAKES_ANY_ORDER: blocks may come in any order where several devices make them
 *
 * What a sink can do.
 */
typedef enum
{
  WF_SINK_TAKES_ANY_ORDER = 1 << 0
} WfBlockSinkFlags;

/**
 * WfAreUnitsFinishedFunc:
 * @data: that of the sink
 * @first: a row, in a stack a slice
 * @end: the one after the last
 *
 * Tells what an earlier call of the same operation has finished.
 *
 * Returns: whether all of these rows, or slices, are in the result.
 */
typedef gboolean (* WfAreUnitsFinishedFunc) (gpointer data,
                                             gint64   first,
                                             gint64   end);

/**
 * WfFinishUnitsFunc:
 * @data: that of the sink
 * @first: a row, in a stack a slice
 * @end: the one after the last
 * @error: to be set on failure
 *
 * Learns that these rows, or slices, have been written for the last time.  It is called from one
 * thread at a time.
 *
 * Returns: %FALSE with @error set if they cannot be kept.
 */
typedef gboolean (* WfFinishUnitsFunc) (gpointer   data,
                                        gint64     first,
                                        gint64     end,
                                        GError   **error);

/**
 * WfBlockSink:
 * @write: takes a block
 * @read: reads back what was written, for operations that visit blocks again; may be %NULL for
 *   others
 * @data: for all functions
 * @image: the whole result where it lies in main memory, as in #WfBlockSource; or %NULL
 * @are_finished: tells which blocks need not be made again, because an operation with the same
 *   images and options that did not end has finished them; may be %NULL
 * @finish: learns which blocks such an operation need not make again; may be %NULL
 * @flags: #WfBlockSinkFlags
 *
 * Where the blocks of a result go.  Fields that are not set must be 0.  Blocks of whole rows (of a
 * stack: whole slices) come in raster order, each once, unless the operation says that it writes
 * them more than once, or @are_finished that they are not wanted.
 *
 * Labels, distance maps, watersheds, partitions, saliency maps, filters, and reconstructions by
 * %WF_BLOCKS_SUMMARY with all that is made of them, but for extrema, call @are_finished and
 * @finish.  Others begin anew.
 */
typedef struct
{
  WfWriteBlockFunc       write;
  WfReadBlockFunc        read;
  gpointer               data;
  WfImage               *image;
  WfAreUnitsFinishedFunc are_finished;
  WfFinishUnitsFunc      finish;
  guint                  flags;
  /*< private >*/
  gpointer               reserved[8];
} WfBlockSink;

/**
 * WfBlocksWay:
 * @WF_BLOCKS_AUTO: the queue; the summary from where the queue has taken as long as that would
 * @WF_BLOCKS_QUEUE: blocks are visited again until none can change another: little is read and
 *   written more than once where waves are short, and much where they are long
 * @WF_BLOCKS_SUMMARY: blocks are read twice and written once, whatever their content: first for a
 *   summary of what passes through them, then to be finished
 *
 * How the blocks of an image are joined in a reconstruction.  The result is the same.
 */
typedef enum
{
  WF_BLOCKS_AUTO,
  WF_BLOCKS_QUEUE,
  WF_BLOCKS_SUMMARY
} WfBlocksWay;

/**
 * WfBlockOptions:
 * @size: of the struct: wf_option_group_init() sets it
 * @way: a #WfBlocksWay, of what reconstructs
 * @rows: of a block, at most (of a stack: slices); 0 for no limit but that of memory
 *
 * How an image is divided into blocks, for all functions in blocks; they take %NULL for the
 * defaults.
 */
typedef struct
{
  gsize size;
  int   way;
  int   rows;
} WfBlockOptions;

/* The description of #WfBlockOptions, constant. */
WF_API const WfOptionGroup * wf_blocks_get_options (void);

/* wf_label() of an image of any size: the context's limit counts all memory, also that of the
 * blocks, which have as many rows (of a stack: slices) as it allows.  @image is read twice, @labels
 * (u32) written once.
 */
WF_API gboolean wf_label_blocks
                             (WfContext             *context,
                              const WfBlockSource   *image,
                              const WfBlockSink     *labels,
                              guint32               *n_components,
                              const WfLabelOptions  *options,
                              const WfBlockOptions  *blocks,
                              GError               **error);

/* How many different @labels (u32) there are, besides 0, in an image of any size, likewise; it is
 * read once.
 */
WF_API gboolean wf_labels_count_blocks
                             (WfContext             *context,
                              const WfBlockSource   *labels,
                              guint32               *n_labels,
                              const WfBlockOptions  *blocks,
                              GError               **error);

/* wf_watershed() of an image of any size, likewise.  @scratch takes an image of the type and size
 * of @image, is written more than once and read back; only markers and a tolerance need it.
 */
WF_API gboolean wf_watershed_blocks
                             (WfContext                 *context,
                              const WfBlockSource       *image,
                              const WfBlockSource       *markers,
                              const WfBlockSink         *scratch,
                              const WfBlockSink         *labels,
                              guint32                   *n_basins,
                              const WfWatershedOptions  *options,
                              const WfBlockOptions      *blocks,
                              GError                   **error);

/* What wf_watershed() floods with smoothing or a gradient, of an image of any size, likewise:
 * @image is read once, @relief, of its type and size, written once.
 */
WF_API gboolean wf_watershed_make_relief_blocks
                             (WfContext                 *context,
                              const WfBlockSource       *image,
                              const WfBlockSink         *relief,
                              const WfWatershedOptions  *options,
                              const WfBlockOptions      *blocks,
                              GError                   **error);

/* wf_hierarchy_new() of an image of any size, likewise: @image and @labels are read once, for
 * volumes twice.  The basins must fit into memory.
 */
WF_API WfHierarchy * wf_hierarchy_new_blocks
                             (WfContext                 *context,
                              const WfBlockSource       *image,
                              const WfBlockSource       *labels,
                              const WfHierarchyOptions  *options,
                              const WfBlockOptions      *blocks,
                              GError                   **error);

/* wf_hierarchy_relabel() and wf_hierarchy_saliency() of images of any size, likewise: @labels is
 * read once, @out (u32; f32 or f64, which @type says) written once.
 */
WF_API gboolean wf_hierarchy_relabel_blocks
                             (WfContext             *context,
                              const WfHierarchy     *hierarchy,
                              const guint32         *regions,
                              const WfBlockSource   *labels,
                              const WfBlockSink     *out,
                              const WfBlockOptions  *blocks,
                              GError               **error);

WF_API gboolean wf_hierarchy_saliency_blocks
                             (WfContext             *context,
                              const WfHierarchy     *hierarchy,
                              const WfBlockSource   *labels,
                              const WfBlockSink     *out,
                              WfType                 type,
                              const WfBlockOptions  *blocks,
                              GError               **error);

/* wf_basins_measure() of images of any size, likewise: each is read once.  The basins must fit into
 * memory.  Of several ranks, the first one gets @basins, all get @n_basins.
 */
WF_API gboolean wf_basins_measure_blocks
                             (WfContext             *context,
                              const WfBlockSource   *image,
                              const WfBlockSource   *relief,
                              const WfBlockSource   *labels,
                              int                    connectivity,
                              WfBasin              **basins,
                              guint32               *n_basins,
                              const WfBlockOptions  *blocks,
                              GError               **error);

/* wf_reconstruct() of an image of any size; memory as for wf_label_blocks().  With the queue @out
 * is read back, and written more than once; with the summary its read may be NULL.
 */
WF_API gboolean wf_reconstruct_blocks
                             (WfContext                   *context,
                              const WfBlockSource         *mask,
                              const WfBlockSource         *marker,
                              const WfBlockSink           *out,
                              const WfReconstructOptions  *options,
                              const WfBlockOptions        *blocks,
                              GError                     **error);

/* wf_distance() of an image of any size, on any devices, with the same memory as
 * wf_label_blocks(): @image is read twice or, for nearest pixels, more often; @distances (of
 * wf_distance_get_type()) and @nearest (u64) are written once.  One of the two may be NULL.
 */
WF_API gboolean wf_distance_blocks
                             (WfContext                *context,
                              const WfBlockSource      *image,
                              const WfBlockSink        *distances,
                              const WfBlockSink        *nearest,
                              const WfDistanceOptions  *options,
                              const WfBlockOptions     *blocks,
                              GError                  **error);

/* wf_operation_run() of images of any size: of what is built on reconstruction and of the filters;
 * memory and @blocks as for wf_reconstruct_blocks().  @inputs has as many entries as the
 * operation's description.  @scratch takes an image of the type and size of the first of them, is
 * written more than once and read back.  Extended extrema need it; other reconstructions need it,
 * or an @output that can be read back, except with the summary.
 */
WF_API gboolean wf_operation_run_blocks
                             (WfContext                    *context,
                              WfOperation                   operation,
                              const WfBlockSource * const  *inputs,
                              const WfBlockSink            *output,
                              const WfBlockSink            *scratch,
                              gconstpointer                 options,
                              const WfBlockOptions         *blocks,
                              GError                      **error);

G_END_DECLS
