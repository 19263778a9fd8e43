/* SPDX-License-Identifier: GPL-3.0-or-later */

/* libwavefront: morphological reconstruction, distance maps and the watershed.
 *
 * Reading order: errors, images, the description of the options, the context, then
 * one operation after the other.  From the description of the options the command's
 * help, the arguments of the GIMP procedures and the dialogs are made.
 *
 * Every function that can fail takes a GError as its last argument and is
 * documented in the .c file that defines it.  Unless a function says otherwise
 * it may be called from any thread; one #WfContext runs one operation at a time.
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define WF_API __attribute__ ((visibility ("default")))


/*  Errors  */

#define WF_ERROR (wf_error_quark ())

/**
 * WfError:
 * @WF_ERROR_INVALID: the input is refused: sizes, types, NaN, options that do not fit
 * @WF_ERROR_MEMORY: the work needs more memory than there is, or than is allowed
 * @WF_ERROR_DEVICE: no such device, or the device failed
 * @WF_ERROR_UNSUPPORTED: the device or algorithm asked for cannot do this task
 * @WF_ERROR_LABELS: more labels or levels than 32 bits can number
 *
 * Cancelling gives %G_IO_ERROR_CANCELLED.
 */
typedef enum
{
  WF_ERROR_INVALID,
  WF_ERROR_MEMORY,
  WF_ERROR_DEVICE,
  WF_ERROR_UNSUPPORTED,
  WF_ERROR_LABELS
} WfError;

WF_API GQuark        wf_error_quark (void);
WF_API const char *  wf_version     (void);


/*  Images  */

/**
 * WfType:
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

/* The longest side of an image: squared distances then fit 63 bits. */
#define WF_MAX_SIDE (G_GINT64_CONSTANT (1) << 30)

/**
 * WfImage:
 * @type: type of a pixel
 * @width: pixels in a row
 * @height: rows in a slice
 * @depth: slices; 1 for a 2-D image
 * @row_stride: pixels from one row to the next, at least @width
 * @slice_stride: pixels from one slice to the next
 * @data: the first pixel
 *
 * A view of pixels that somebody else owns, unless it was made with
 * wf_image_allocate().  Set it up with wf_image_init().
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
} WfImage;

WF_API gsize         wf_type_size      (WfType         type);
WF_API const char *  wf_type_name      (WfType         type);

WF_API gboolean      wf_image_init     (WfImage       *image,
                                        WfType         type,
                                        gint64         width,
                                        gint64         height,
                                        gint64         depth,
                                        gpointer       data,
                                        GError       **error);
WF_API gboolean      wf_image_allocate (WfImage       *image,
                                        WfType         type,
                                        gint64         width,
                                        gint64         height,
                                        gint64         depth,
                                        GError       **error);
WF_API void          wf_image_clear    (WfImage       *image);
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
 * @WF_OPTION_DEVICE: a const char * field: "auto", "cpu", "cuda:N" or "all"
 *   (interned by wf_option_parse())
 * @WF_OPTION_REAL: a double field: a grey level or a difference of grey
 *   levels, in the image's own units, or a length in pixels; NaN where it is not set
 * @WF_OPTION_SPACING: double[3]: the size of a pixel along x, y and z
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
 * WfChoice:
 * @name: what is written on a command line or in a script; %NULL ends a list
 * @value: the value of a %WF_OPTION_CHOICE field
 * @label: what a dialog shows, to be translated
 */
typedef struct
{
  const char *name;
  int         value;
  const char *label;
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
 */
typedef struct
{
  const char     *name;
  WfOptionKind    kind;
  gsize           offset;
  const char     *label;
  const char     *blurb;
  const char     *placeholder;
  double          minimum;
  double          maximum;
  double          default_value;
  const WfChoice *choices;
} WfOption;

/**
 * WfOptionGroup:
 * @name: the operation's name, as on the command line
 * @title: its title, to be translated
 * @blurb: what it computes, one sentence, to be translated
 * @options: the options' descriptions
 * @n_options: how many
 * @size: of the struct that they fill
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
  WF_OPERATION_OPENING,
  WF_OPERATION_CLOSING,
  WF_OPERATION_WHITE_TOP_HAT,
  WF_OPERATION_BLACK_TOP_HAT,
  WF_OPERATION_IMPOSE_MINIMA,
  WF_OPERATION_GAUSSIAN,
  WF_OPERATION_GRADIENT
} WfOperation;

#define WF_N_OPERATIONS (WF_OPERATION_GRADIENT + 1)

WF_API const WfOptionGroup * wf_operation_get_options (WfOperation           operation);
WF_API const WfOptionGroup * wf_context_get_options   (void);

WF_API void                  wf_option_group_init     (const WfOptionGroup  *group,
                                                       gpointer              options);
WF_API const WfOption *      wf_option_group_find     (const WfOptionGroup  *group,
                                                       const char           *name);
WF_API gboolean              wf_option_group_check    (const WfOptionGroup  *group,
                                                       gconstpointer         options,
                                                       GError              **error);
WF_API gboolean              wf_option_parse          (const WfOption       *option,
                                                       gpointer              options,
                                                       const char           *text,
                                                       GError              **error);
WF_API char *                wf_option_format         (const WfOption       *option,
                                                       gconstpointer         options);


/*  Devices and the context  */

/**
 * WfDevice:
 * @name: "cpu", or "cuda:N"
 * @description: the maker's name of it
 * @n_units: processors, or multiprocessors
 * @memory_total: bytes
 * @memory_free: bytes, when it was asked; of a GPU with what contexts keep there for later
 */
typedef struct
{
  char    *name;
  char    *description;
  guint    n_units;
  guint64  memory_total;
  guint64  memory_free;
} WfDevice;

WF_API GPtrArray *   wf_list_devices  (GError  **problem);
WF_API void          wf_device_free   (WfDevice *device);

/**
 * WfFallback:
 * @WF_FALLBACK_AUTO: a device that was chosen automatically gives way to the CPU when it
 *   fails; one that was chosen by name is an error
 * @WF_FALLBACK_CPU: the CPU does what the chosen device cannot, or fails in, and does
 *   without one that is not there
 * @WF_FALLBACK_NONE: a device that fails is an error
 *
 * What becomes of the work when a device does not do it.  The report says when the CPU has
 * stood in.
 */
typedef enum
{
  WF_FALLBACK_AUTO,
  WF_FALLBACK_CPU,
  WF_FALLBACK_NONE
} WfFallback;

/**
 * WfContextOptions:
 * @device: "auto", "cpu", "cuda:N" or "all"
 * @threads: CPU threads; 0 for as many as there are processors
 * @tile_size: side of the tiles that the work is divided into; 0 for automatic
 * @fallback: a #WfFallback
 */
typedef struct
{
  const char *device;
  int         threads;
  int         tile_size;
  int         fallback;
} WfContextOptions;

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
 *
 * What the last operation of a context did.
 */
typedef struct
{
  const char *device;
  const char *algorithm;
  guint       threads;
  double      seconds;
  double      device_seconds;
  guint       executions;
  gboolean    no_background;
  const char *notice;
} WfReport;

typedef struct _WfContext WfContext;

/**
 * WfProgressFunc:
 * @fraction: done, from 0 to 1, never decreasing
 * @user_data: as given
 *
 * Called about twenty times a second, in the thread that called the operation.
 */
typedef void (* WfProgressFunc) (double   fraction,
                                 gpointer user_data);

WF_API WfContext *      wf_context_new              (void);
WF_API WfContext *      wf_context_ref              (WfContext               *context);
WF_API void             wf_context_unref            (WfContext               *context);
WF_API gboolean         wf_context_configure        (WfContext               *context,
                                                     const WfContextOptions  *options,
                                                     GError                 **error);
WF_API void             wf_context_set_memory_limit (WfContext               *context,
                                                     guint64                  bytes);
WF_API void             wf_context_set_partial_outputs
                                                    (WfContext               *context,
                                                     gboolean                 allowed);
WF_API void             wf_context_set_cancellable  (WfContext               *context,
                                                     GCancellable            *cancellable);
WF_API void             wf_context_set_progress     (WfContext               *context,
                                                     WfProgressFunc           progress,
                                                     gpointer                 user_data);
WF_API const WfReport * wf_context_get_report       (WfContext               *context);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfContext, wf_context_unref)


/*  Reconstruction  */

typedef enum
{
  WF_BY_DILATION,
  WF_BY_EROSION
} WfDirection;

/**
 * WfReconstructOptions:
 * @by: dilation raises the marker under the mask; erosion lowers it over the mask
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 */
typedef struct
{
  int         by;
  int         connectivity;
  const char *algorithm;
} WfReconstructOptions;

WF_API gboolean wf_reconstruct (WfContext                   *context,
                                const WfImage               *mask,
                                const WfImage               *marker,
                                WfImage                     *out,
                                const WfReconstructOptions  *options,
                                GError                     **error);


/*  What is built on reconstruction  */

typedef enum
{
  WF_ELEMENT_SQUARE,
  WF_ELEMENT_DISC
} WfElement;

/**
 * WfMorphologyOptions:
 * @height: of the extrema to remove, to find or to cut off, in grey levels; NaN
 *   where it is not set, which the operations that need one refuse
 * @element: square (2 radius + 1)², a cube in a stack; or disc, the pixels no
 *   further than the radius, a ball in a stack
 * @radius: of the structuring element, in pixels
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: of the reconstruction: "auto" or its name
 *
 * One struct for the operations built on reconstruction; each uses the fields that
 * wf_operation_get_options() lists for it and ignores the others.
 */
typedef struct
{
  double      height;
  int         element;
  int         radius;
  int         connectivity;
  const char *algorithm;
} WfMorphologyOptions;

WF_API gboolean wf_fill_holes                       (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_clear_border                     (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_h_maxima                         (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_h_minima                         (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_h_dome                           (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_h_basin                          (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_regional_maxima                  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_regional_minima                  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_extended_maxima                  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_extended_minima                  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_opening_by_reconstruction        (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_closing_by_reconstruction        (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_white_top_hat_by_reconstruction  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_black_top_hat_by_reconstruction  (WfContext                  *context,
                                                     const WfImage              *image,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);
WF_API gboolean wf_impose_minima                    (WfContext                  *context,
                                                     const WfImage              *image,
                                                     const WfImage              *markers,
                                                     WfImage                    *out,
                                                     const WfMorphologyOptions  *options,
                                                     GError                    **error);


/*  Filters  */

/* The widest Gaussian. */
#define WF_MAX_SIGMA 256

/**
 * WfFilterOptions:
 * @sigma: of the Gaussian: its standard deviation, in pixels, from 0 to %WF_MAX_SIGMA
 * @element: of the gradient: square (2 radius + 1)², a cube in a stack; or disc, the
 *   pixels no further than the radius, a ball in a stack
 * @radius: of the structuring element, in pixels
 * @algorithm: "auto" or an algorithm's name
 *
 * One struct for both; each uses the fields that wf_operation_get_options() lists for
 * it and ignores the others.
 */
typedef struct
{
  double      sigma;
  int         element;
  int         radius;
  const char *algorithm;
} WfFilterOptions;

WF_API gboolean wf_gaussian (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);
WF_API gboolean wf_gradient (WfContext              *context,
                             const WfImage          *image,
                             WfImage                *out,
                             const WfFilterOptions  *options,
                             GError                **error);


/*  Distance  */

typedef enum
{
  WF_METRIC_EUCLIDEAN,
  WF_METRIC_SQUARED,
  WF_METRIC_CITY_BLOCK,
  WF_METRIC_CHESSBOARD
} WfMetric;

/* In a map of nearest pixels: the nearest background lies outside the image,
 * or there is none.
 */
#define WF_NEAREST_NONE G_MAXUINT64

/**
 * WfDistanceOptions:
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
 */
typedef struct
{
  int         metric;
  double      threshold;
  gboolean    border_background;
  gboolean    signed_distance;
  double      spacing[3];
  int         connectivity;
  const char *algorithm;
} WfDistanceOptions;

WF_API WfType   wf_distance_get_type (const WfDistanceOptions  *options);
WF_API gboolean wf_distance          (WfContext                *context,
                                      const WfImage            *image,
                                      WfImage                  *out,
                                      WfImage                  *nearest,
                                      const WfDistanceOptions  *options,
                                      GError                  **error);


/*  Watershed  */

/**
 * WfWatershedOptions:
 * @tolerance: without markers: minima no deeper than this make no basins of their own
 * @lines: whether basins are divided by lines one pixel wide, label 0
 * @last_index: whether the last of equal neighbours is taken, not the first
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 * @reduction_rate: path reduction on a GPU (`sync`, `async`, `balanced`): how many paths a
 *   step puts together, 2 to 64; 0 for 4
 * @block_size: the same: threads of a block, a power of two from 32 to 1024; 0 for 256
 * @smoothing: what is flooded is first smoothed by wf_gaussian() of this sigma; 0: not
 * @gradient: what is flooded is, after that, the wf_gradient() by a square of this
 *   radius; 0: not
 */
typedef struct
{
  double      tolerance;
  gboolean    lines;
  gboolean    last_index;
  int         connectivity;
  const char *algorithm;
  int         reduction_rate;
  int         block_size;
  double      smoothing;
  int         gradient;
} WfWatershedOptions;

WF_API gboolean wf_watershed (WfContext                 *context,
                              const WfImage             *image,
                              const WfImage             *markers,
                              WfImage                   *labels,
                              guint32                   *n_basins,
                              const WfWatershedOptions  *options,
                              GError                   **error);
WF_API gboolean wf_watershed_make_relief
                             (WfContext                 *context,
                              const WfImage             *image,
                              WfImage                   *relief,
                              const WfWatershedOptions  *options,
                              GError                   **error);


/*  Connected components  */

/**
 * WfLabelOptions:
 * @threshold: foreground is what lies above it; NaN: what is not 0
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 */
typedef struct
{
  double      threshold;
  int         connectivity;
  const char *algorithm;
} WfLabelOptions;

WF_API gboolean wf_label (WfContext             *context,
                          const WfImage         *image,
                          WfImage               *labels,
                          guint32               *n_components,
                          const WfLabelOptions  *options,
                          GError               **error);


/*  The hierarchy of basins  */

/**
 * WfMeasure:
 * @WF_MEASURE_DYNAMICS: pass height minus depth of the shallower basin, in grey levels
 * @WF_MEASURE_AREA: pixels of the smaller basin
 * @WF_MEASURE_VOLUME: what the basin that holds less holds up to the pass, in grey
 *   levels times pixels
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
 * @measure: a #WfMeasure
 * @connectivity: 4 or 8 in 2-D, 6 or 26 in 3-D; 0 for 8 or 26
 * @algorithm: "auto" or an algorithm's name
 */
typedef struct
{
  int         measure;
  int         connectivity;
  const char *algorithm;
} WfHierarchyOptions;

/* Basins are counted from 0, in the order of their labels; regions from 1, in the
 * order of their first basins.  A cut fills an array with the region of each basin.
 */
typedef struct _WfHierarchy WfHierarchy;

WF_API WfHierarchy * wf_hierarchy_new           (WfContext                 *context,
                                                 const WfImage             *image,
                                                 const WfImage             *labels,
                                                 const WfHierarchyOptions  *options,
                                                 GError                   **error);
WF_API WfHierarchy * wf_hierarchy_ref           (WfHierarchy               *hierarchy);
WF_API void          wf_hierarchy_unref         (WfHierarchy               *hierarchy);
WF_API guint32       wf_hierarchy_get_n_basins  (const WfHierarchy         *hierarchy);
WF_API guint32       wf_hierarchy_get_label     (const WfHierarchy         *hierarchy,
                                                 guint32                    basin);
WF_API double        wf_hierarchy_get_depth     (const WfHierarchy         *hierarchy,
                                                 guint32                    n_regions);
WF_API guint32       wf_hierarchy_cut_at_depth  (const WfHierarchy         *hierarchy,
                                                 double                     depth,
                                                 guint32                   *regions);
WF_API guint32       wf_hierarchy_cut_to_count  (const WfHierarchy         *hierarchy,
                                                 guint32                    n_regions,
                                                 guint32                   *regions);
WF_API guint32       wf_hierarchy_get_highest_label
                                                (const WfHierarchy         *hierarchy);
WF_API gboolean      wf_hierarchy_get_map       (const WfHierarchy         *hierarchy,
                                                 guint32                    n_regions,
                                                 guint32                   *map,
                                                 gsize                      n_entries,
                                                 GError                   **error);
WF_API gboolean      wf_hierarchy_relabel       (WfContext                 *context,
                                                 const WfHierarchy         *hierarchy,
                                                 const guint32             *regions,
                                                 const WfImage             *labels,
                                                 WfImage                   *out,
                                                 GError                   **error);
WF_API gboolean      wf_hierarchy_saliency      (WfContext                 *context,
                                                 const WfHierarchy         *hierarchy,
                                                 const WfImage             *labels,
                                                 WfImage                   *out,
                                                 GError                   **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfHierarchy, wf_hierarchy_unref)


/*  Histograms  */

/**
 * WfHistogram:
 * @type: of the image: u8, u16 or f32
 * @n_levels: steps from black to white, both counted: 256, 65536, or 65537 for f32
 * @counts: for each step how many pixels are at it
 */
typedef struct
{
  WfType   type;
  guint    n_levels;
  guint64 *counts;
} WfHistogram;

WF_API WfHistogram * wf_histogram_new           (const WfImage      *image,
                                                 GError            **error);
WF_API WfHistogram * wf_histogram_copy          (const WfHistogram  *histogram);
WF_API void          wf_histogram_free          (WfHistogram        *histogram);
WF_API double        wf_histogram_get_level     (const WfHistogram  *histogram,
                                                 guint               step);
WF_API double        wf_histogram_get_threshold (const WfHistogram  *histogram);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfHistogram, wf_histogram_free)


/*  Figures of basins  */

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

WF_API gboolean wf_basins_measure (WfContext      *context,
                                   const WfImage  *image,
                                   const WfImage  *relief,
                                   const WfImage  *labels,
                                   int             connectivity,
                                   WfBasin       **basins,
                                   guint32        *n_basins,
                                   GError        **error);

/**
 * WfTablePlace:
 * @left: where the left edge of what was measured is in the whole image
 * @top: where its upper edge is
 * @stack: whether it is a stack, of which slices are told too
 * @without_depths: whether there is no column of depths, for what has none: components
 *   are no basins
 */
typedef struct
{
  double   left;
  double   top;
  gboolean stack;
  gboolean without_depths;
} WfTablePlace;

WF_API char *   wf_basin_table_format (const WfBasin       *basins,
                                       guint32              n_basins,
                                       const WfTablePlace  *place);
WF_API gboolean wf_basin_table_write  (GFile               *file,
                                       const WfBasin       *basins,
                                       guint32              n_basins,
                                       const WfTablePlace  *place,
                                       GError             **error);


/*  Memory  */

WF_API guint64  wf_estimate_memory (WfOperation    operation,
                                    const WfImage *image,
                                    gconstpointer  options,
                                    GError       **error);

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
 * @device_free: bytes of memory that are free on the device, as a #WfDevice tells
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
} WfForecast;

WF_API WfForecast * wf_context_forecast (WfContext      *context,
                                         WfOperation     operation,
                                         const WfImage  *image,
                                         gconstpointer   options,
                                         GError        **error);
WF_API void         wf_forecast_free    (WfForecast     *forecast);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfForecast, wf_forecast_free)

G_END_DECLS
