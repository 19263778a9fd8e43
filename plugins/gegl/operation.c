/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Types of GEGL's operations, made from descriptions when the module is loaded.
 *
 * Every pixel of a result can depend on every pixel of the input.  So an operation requires
 * all of the input for any part of the output, a change anywhere invalidates all of it, and the
 * region that is cached is the whole: however many parts GEGL asks for after a change, the result
 * is computed once.  Such an operation has no result for an infinite plane, which passes
 * unchanged, as it does in GEGL's own operations of this kind.  What does not depend on the
 * property that changes may be kept (kept.c).
 *
 * GEGL calls process () once and takes what it returns.  Neither GeglProcessor, which can stop
 * between two chunks only, nor gegl_node_blit () can stop an operation inside process ().  The one
 * place where a program has a say during it is its handler of the node's signal "progress", which
 * gegl_operation_progress () emits in the main thread.  So after each report the operation compares
 * its properties and its input with those it began with.  If a property has changed, it stops and
 * begins again with the new values: GEGL marks the caches of all nodes as valid after process ()
 * whatever has changed meanwhile, and this way what they hold is valid.  If the input is gone, as
 * in a filter that was removed, it stops, and the input passes instead of the cache, which GEGL
 * then does not mark as valid.
 *
 * GIMP 3.0 renders in its main thread (gimp_projection_chunk_render_callback (),
 * gimp_gegl_apply_cached_operation ()), and its handler of the signal
 * (gimp_gegl_progress_callback (), to GimpTool and GimpCanvasProgress) draws nothing at once and
 * does not run the main loop.  So no event of the user reaches GIMP before process () returns, and
 * nothing there can give up earlier.  The handler takes the keyboard and the pointer at 0, and
 * gives them back at 1: each computation reports both, once, even if it fails.
 *
 * Computations run on the CPU only, with as many threads as GEGL may have: they share the process
 * with the program that called, which must survive a GPU that fails.
 *
 * If a computation fails, the input passes unchanged, and the reason is logged for GEGL, whose
 * messages GIMP shows.
 */

#include "config.h"

#include <omp.h>

#include <glib/gi18n-lib.h>

#include "kept.h"
#include "names.h"
#include "operation.h"
#include "plugins/common/input/formats.h"
#include "plugins/common/input/own-stain.h"
#include "properties.h"

/* The menu of the plug-ins, and the one in it for filters that stay in the layer. */
#define MENU    N_("Mor_phology")
#define SUBMENU N_("_Non-Destructive")

/**
 * Instance:
 * @values: of the properties
 * @kept: what is kept for the next computation
 * @n_changes: the number of changes of @values
 * @gave_up: whether the last computation was stopped, and has no result
 *
 * GEGL's two classes of operations with one and two inputs begin with GEGL's operation, and
 * instances of both have nothing else.
 */
typedef struct
{
  GeglOperation  parent_instance;
  GValue        *values;
  WfGeglKept    *kept;
  int            n_changes;
  gboolean       gave_up;
} Instance;

G_STATIC_ASSERT (sizeof (GeglOperationFilter) == sizeof (GeglOperation));
G_STATIC_ASSERT (sizeof (GeglOperationComposer) == sizeof (GeglOperation));

/**
 * Type:
 * @kind: what it computes
 * @parent: GEGL's class
 * @properties: a #WfGeglProperty for each
 *
 * What belongs to a type, for ever.
 */
typedef struct
{
  const WfGeglKind *kind;
  GType             parent;
  GArray           *properties;
} Type;


/**
 * wf_gegl_kind_get_name:
 * @kind: a kind of operations
 *
 * Returns: its name, without "wavefront:"
 */
const char *
wf_gegl_kind_get_name (const WfGeglKind *kind)
{
  return kind->name ? kind->name : wf_operation_get_options (kind->operation)->name;
}

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("wavefront-gegl-type");
}

static const Type *
get_type (gpointer instance)
{
  return g_type_get_qdata (G_OBJECT_TYPE (instance), get_quark ());
}

static Instance *
get_instance (gpointer object)
{
  return object;
}


/*  Properties  */

static void
init (GTypeInstance *instance,
      gpointer       klass)
{
  Instance   *self = get_instance (instance);
  const Type *type = g_type_get_qdata (G_TYPE_FROM_CLASS (klass), get_quark ());

  self->kept   = wf_gegl_kept_new ();
  self->values = g_new0 (GValue, type->properties->len);
  for (guint i = 0; i < type->properties->len; i++)
    {
      GParamSpec *spec = g_array_index (type->properties, WfGeglProperty, i).spec;

      g_value_init (&self->values[i], spec->value_type);
      g_param_value_set_default (spec, &self->values[i]);
    }
}

static void
finalize (GObject *object)
{
  Instance   *self = get_instance (object);
  const Type *type = get_type (object);

  for (guint i = 0; i < type->properties->len; i++)
    g_value_unset (&self->values[i]);
  g_free (self->values);
  wf_gegl_kept_free (self->kept);
  G_OBJECT_CLASS (g_type_class_peek (type->parent))->finalize (object);
}

static void
set_property (GObject      *object,
              guint         id,
              const GValue *value,
              GParamSpec   *spec)
{
  Instance *self = get_instance (object);

  if (g_param_values_cmp (spec, value, &self->values[id - 1]) != 0)
    g_atomic_int_inc (&self->n_changes);
  g_value_copy (value, &self->values[id - 1]);
}

static void
get_property (GObject    *object,
              guint       id,
              GValue     *value,
              GParamSpec *spec)
{
  g_value_copy (&get_instance (object)->values[id - 1], value);
}

/**
 * wf_gegl_operation_get_color:
 * @operation: one that has lines
 * @color: set to their color: red, green and blue, non-linear sRGB, and opaque
 */
void
wf_gegl_operation_get_color (GeglOperation *operation,
                             float          color[4])
{
  GeglColor *given = NULL;

  g_object_get (operation, "line-color", &given, NULL);
  if (! given)
    given = gegl_color_new ("black");
  gegl_color_get_pixel (given, babl_format ("R'G'B'A float"), color);
  color[3] = 1;
  g_object_unref (given);
}


/*  Regions  */

/* Returns: whether there is an input, and it ends somewhere */
static gboolean
find_region (GeglOperation *operation,
             const char    *pad,
             GeglRectangle *region)
{
  const GeglRectangle *box = gegl_operation_source_get_bounding_box (operation, pad);

  *region = box ? *box : (GeglRectangle) { 0, 0, 0, 0 };
  return box && ! gegl_rectangle_is_infinite_plane (box);
}

static GeglRectangle
get_bounding_box (GeglOperation *operation)
{
  GeglRectangle region;

  find_region (operation, "input", &region);
  return region;
}

static GeglRectangle
get_required_for_output (GeglOperation       *operation,
                         const char          *pad,
                         const GeglRectangle *roi)
{
  GeglRectangle region;

  return find_region (operation, pad, &region) ? region : *roi;
}

static GeglRectangle
get_invalidated_by_change (GeglOperation       *operation,
                           const char          *pad,
                           const GeglRectangle *roi)
{
  GeglRectangle region;

  return find_region (operation, "input", &region) ? region : *roi;
}

static GeglRectangle
get_cached_region (GeglOperation       *operation,
                   const GeglRectangle *roi)
{
  GeglRectangle region;

  return find_region (operation, "input", &region) ? region : *roi;
}


/*  The computation  */

static gboolean
wants_non_linear (GeglOperation *operation)
{
  const Type          *type    = get_type (operation);
  g_autofree gpointer  options = wf_gegl_properties_new_options (type->kind, WF_GEGL_COMPONENT);

  return wf_gegl_properties_read (type->properties, get_instance (operation)->values,
                                  WF_GEGL_COMPONENT, type->kind, WF_TYPE_F32, options, NULL) &&
         wf_gegl_encoding_get (options) == WF_GEGL_NON_LINEAR;
}

/* Numbers of colors in a palette have no order.  Linear light becomes non-linear in floats, if
 * that is wanted: integers of fewer levels would make levels equal.
 */
static const Babl *
find_own_format (GeglOperation *operation)
{
  const Babl *format = gegl_operation_get_source_format (operation, "input");

  if (! format)
    return babl_format ("R'G'B'A float");
  if (babl_format_is_palette (format))
    return babl_format_with_space (babl_format_has_alpha (format) ? "R'G'B'A u8" : "R'G'B' u8",
                                   babl_format_get_space (format));
  if (! wf_format_is_linear (format) || ! wants_non_linear (operation))
    return format;
  return wf_format_find_non_linear (format, babl_format_has_alpha (format) != 0, WF_TYPE_F32);
}

/* Linear light stays so in the output, whatever the levels are: the next operation, as one of
 * GIMP's, takes it without a conversion, and a buffer of this format shares its tiles.
 */
static const Babl *
find_output_format (GeglOperation *operation,
                    const Babl    *format)
{
  const Babl *input = gegl_operation_get_source_format (operation, "input");

  if (! input || ! wf_format_is_linear (input) || babl_format_is_palette (input))
    return format;
  return wf_format_find (input, babl_format_has_alpha (format) != 0, wf_format_get_type (format));
}

/* Of WfGeglWork. */
static const Babl *
find_light_format (GeglOperation *operation,
                   const Babl    *format)
{
  const Babl *light = format ? find_output_format (operation, format) : NULL;

  return light != format && babl_format_get_n_components (light) == 4 &&
         wf_format_get_type (light) == WF_TYPE_F32 ? light : NULL;
}

static void
work_clear (WfGeglWork *work)
{
  g_free (work->options);
  g_free (work->own_options);
  g_clear_pointer (&work->context, wf_context_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfGeglWork, work_clear)

/* Reads the properties, and finds the format of the output by them. */
static gboolean
work_init (WfGeglWork     *work,
           GeglOperation  *operation,
           const Babl     *own,
           GError        **error)
{
  const Type          *type      = get_type (operation);
  const WfGeglKind    *kind      = type->kind;
  const GValue        *values    = get_instance (operation)->values;
  g_autofree gpointer  component = wf_gegl_properties_new_options (kind, WF_GEGL_COMPONENT);
  g_autofree gpointer  colors    = wf_gegl_properties_new_options (kind, WF_GEGL_COLORS);
  g_autofree char     *stain     = NULL;
  gboolean             gaps;
  gboolean             one;
  gboolean             chosen;

  *work = (WfGeglWork) {
    .kind        = kind,
    .operation   = operation,
    .own         = own,
    .type        = wf_format_get_type (own),
    .options     = wf_gegl_properties_new_options (kind, WF_GEGL_OPERATION),
    .own_options = wf_gegl_properties_new_options (kind, WF_GEGL_OWN),
  };
  if (! wf_gegl_properties_read (type->properties, values, WF_GEGL_OPERATION, kind, work->type,
                                 work->options, error) ||
      (work->own_options &&
       ! wf_gegl_properties_read (type->properties, values, WF_GEGL_OWN, kind, work->type,
                                  work->own_options, error)) ||
      (colors && ! wf_gegl_properties_read (type->properties, values, WF_GEGL_COLORS, kind,
                                            work->type, colors, error)) ||
      ! wf_gegl_properties_read (type->properties, values, WF_GEGL_COMPONENT, kind, work->type,
                                 component, error))
    return FALSE;
  work->colors    = wf_gegl_colors_get (colors);
  gaps            = kind->leaves_gaps && kind->leaves_gaps (work->options, work->own_options);
  work->format    = wf_format_find (own, gaps || babl_format_has_alpha (own), work->type);
  /* the colors are worked on without a choice of one level */
  one    = work->colors == WF_COLORS_GRAY || wf_format_is_grey (work->format);
  g_object_get (operation, WF_OWN_STAIN, &stain, NULL);
  chosen = wf_gegl_component_get (component, stain, &work->component, one ? error : NULL);
  return ! one || (chosen && wf_component_check (work->component, own, "input", error));
}

static void
prepare (GeglOperation *operation)
{
  const Babl           *own   = find_own_format (operation);
  g_auto (WfGeglWork)   work  = { 0 };
  g_autoptr (GError)    error = NULL;
  const Babl           *format;

  /* settings that are refused later leave the input unchanged */
  format = work_init (&work, operation, own, &error)
           ? work.format : wf_format_find (own, babl_format_has_alpha (own) != 0, work.type);
  gegl_operation_set_format (operation, "input", own);
  gegl_operation_set_format (operation, "output", find_output_format (operation, format));
}

/**
 * Run:
 * @operation: the operation
 * @cancellable: stops the engine
 * @n_changes: of the instance, when the run began
 * @region: all pixels of the input, when the run began
 * @reported: the progress
 *
 * A run of the engine, and of what comes before and after it.
 */
typedef struct
{
  GeglOperation *operation;
  GCancellable  *cancellable;
  int            n_changes;
  GeglRectangle  region;
  double         reported;
} Run;

static void
run_clear (Run *run)
{
  g_clear_object (&run->cancellable);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Whether the input is not the same any more: GEGL invalidates an operation that loses it. */
static gboolean
has_other_input (const Run *run)
{
  GeglRectangle region;

  return ! find_region (run->operation, "input", &region) ||
         ! gegl_rectangle_equal (&region, &run->region);
}

static gboolean
has_other_values (const Run *run)
{
  return g_atomic_int_get (&get_instance (run->operation)->n_changes) != run->n_changes;
}

static void
report (Run    *run,
        double  fraction)
{
  gegl_operation_progress (run->operation, fraction, (char *) "");
  if (has_other_values (run) || has_other_input (run))
    g_cancellable_cancel (run->cancellable);
}

/* Of WfProgressFunc.  The engine may run several times. */
static void
report_progress (double   fraction,
                 gpointer data)
{
  Run *run = data;

  if (! (fraction > run->reported && fraction < 1))
    return;
  run->reported = fraction;
  report (run, fraction);
}

static void
run_init (Run           *run,
          GeglOperation *operation)
{
  *run = (Run) {
    .operation   = operation,
    .cancellable = g_cancellable_new (),
    .n_changes   = g_atomic_int_get (&get_instance (operation)->n_changes),
  };
  find_region (operation, "input", &run->region);
  report (run, 0);
}

static gboolean
make_context (WfGeglWork  *work,
              Run         *run,
              int          threads,
              GError     **error)
{
  WfContextOptions options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device  = "cpu";
  options.threads = threads;
  work->context   = wf_context_new ();
  wf_context_set_progress (work->context, report_progress, run);
  wf_context_set_cancellable (work->context, run->cancellable);
  /* what is left of images after a failure is not used */
  wf_context_set_partial_outputs (work->context, TRUE);
  return wf_context_configure (work->context, &options, error);
}

static void
pass_through (const WfGeglWork *work)
{
  gegl_buffer_copy (work->input, &work->wanted, GEGL_ABYSS_NONE, work->output, &work->wanted);
}

/* With the threads that GEGL may have, loops outside the engine as well. */
static gboolean
compute_with_threads (WfGeglWork  *work,
                      Run         *run,
                      GError     **error)
{
  const int before  = omp_get_max_threads ();
  int       threads = 0;
  gboolean  done;

  g_object_get (gegl_config (), "threads", &threads, NULL);
  if (! make_context (work, run, MAX (threads, 0), error))
    return FALSE;
  if (threads > 0)
    omp_set_num_threads (threads);
  done = work->kind->compute (work, error);
  omp_set_num_threads (before);
  return done;
}

/* Computes with the properties as they are now; a format that they change is converted to that of
 * the output.
 *
 * Returns: whether that was all: the output is there, or the input is gone
 */
static gboolean
compute_once (WfGeglWork          *buffers,
              const GeglRectangle *region)
{
  GeglOperation       *operation = buffers->operation;
  const gint64         start     = g_get_monotonic_time ();
  g_auto (Run)         run       = { NULL };
  g_auto (WfGeglWork)  work      = { 0 };
  g_autoptr (GError)   error     = NULL;
  gboolean             stopped;

  run_init (&run, operation);
  work_init (&work, operation, find_own_format (operation), &error);
  work.input  = buffers->input;
  work.aux    = buffers->aux;
  work.output = buffers->output;
  work.region = *region;
  work.wanted = buffers->wanted;
  work.light  = find_light_format (operation, work.format);
  work.kept   = get_instance (operation)->kept;
  stopped     = g_cancellable_is_cancelled (run.cancellable);
  if (! stopped && ! error && ! compute_with_threads (&work, &run, &error))
    stopped = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (! stopped && error)
    {
      g_log ("GEGL", G_LOG_LEVEL_WARNING, "%s", error->message);
      pass_through (&work);
    }
  report (&run, 1);
  g_debug ("%s%s of %d x %d pixels %s %.3f s", WF_GEGL_PREFIX, wf_gegl_kind_get_name (work.kind),
           region->width, region->height, stopped ? "stopped after" : "took",
           (double) (g_get_monotonic_time () - start) / 1e6);
  get_instance (operation)->gave_up = has_other_input (&run);
  return get_instance (operation)->gave_up || ! has_other_values (&run);
}

static gboolean
compute (GeglOperation       *operation,
         GeglBuffer          *input,
         GeglBuffer          *aux,
         GeglBuffer          *output,
         const GeglRectangle *roi)
{
  WfGeglWork    buffers = { .operation = operation, .input = input, .aux = aux, .output = output,
                            .wanted = *roi };
  GeglRectangle region;

  if (find_region (operation, "input", &region) && ! gegl_rectangle_is_empty (&region))
    while (! compute_once (&buffers, &region))
      continue;
  return TRUE;
}

static gboolean
process_filter (GeglOperation       *operation,
                GeglBuffer          *input,
                GeglBuffer          *output,
                const GeglRectangle *roi,
                int                  level)
{
  return compute (operation, input, NULL, output, roi);
}

static gboolean
process_composer (GeglOperation       *operation,
                  GeglBuffer          *input,
                  GeglBuffer          *aux,
                  GeglBuffer          *output,
                  const GeglRectangle *roi,
                  int                  level)
{
  return ! input || compute (operation, input, aux, output, roi);
}

static gboolean
process (GeglOperation        *operation,
         GeglOperationContext *context,
         const char           *pad,
         const GeglRectangle  *roi,
         int                   level)
{
  GObject       *input = gegl_operation_context_get_object (context, "input");
  GeglRectangle  region;
  gboolean       success;

  if (input && ! find_region (operation, "input", &region))
    {
      gegl_operation_context_take_object (context, "output", g_object_ref (input));
      return TRUE;
    }
  get_instance (operation)->gave_up = FALSE;
  success = GEGL_OPERATION_CLASS (g_type_class_peek (get_type (operation)->parent))->process
              (operation, context, pad, roi, level);
  if (get_instance (operation)->gave_up)
    gegl_operation_context_take_object (context, "output", g_object_ref (input));
  return success;
}


/*  Types  */

static void
set_keys (GeglOperationClass *klass,
          const WfGeglKind   *kind)
{
  const WfOptionGroup *group = wf_operation_get_options (kind->operation);
  const char          *title = g_dgettext (GETTEXT_PACKAGE, kind->title ? kind->title
                                                                        : group->title);
  const char          *blurb = g_dgettext (GETTEXT_PACKAGE, kind->blurb ? kind->blurb
                                                                        : group->blurb);
  g_autofree char     *name  = g_strconcat (WF_GEGL_PREFIX, wf_gegl_kind_get_name (kind), NULL);
  g_autofree char     *label = g_strconcat (title, "...", NULL);
  g_autofree char     *path  = g_strjoin ("/", "<Image>/Filters", _(MENU), _(SUBMENU), NULL);

  gegl_operation_class_set_keys (klass,
                                 "name", name,
                                 "title", title,
                                 "description", blurb,
                                 "categories", "morphology",
                                 "license", "GPL3+",
                                 "gimp:menu-path", path,
                                 "gimp:menu-label", label,
                                 NULL);
}

static void
class_init (gpointer klass,
            gpointer data)
{
  const Type         *type      = data;
  GObjectClass       *object    = klass;
  GeglOperationClass *operation = klass;

  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize     = finalize;
  for (guint i = 0; i < type->properties->len; i++)
    g_object_class_install_property (object, i + 1,
                                     g_array_index (type->properties, WfGeglProperty, i).spec);

  operation->prepare                   = prepare;
  operation->process                   = process;
  operation->get_bounding_box          = get_bounding_box;
  operation->get_required_for_output   = get_required_for_output;
  operation->get_invalidated_by_change = get_invalidated_by_change;
  operation->get_cached_region         = get_cached_region;
  operation->cache_policy              = GEGL_CACHE_POLICY_ALWAYS;
  operation->threaded                  = FALSE;
  operation->opencl_support            = FALSE;
  operation->want_in_place             = FALSE;
  if (type->kind->has_aux)
    {
      GeglOperationComposerClass *composer = klass;

      composer->process   = process_composer;
      composer->aux_label = g_dgettext (GETTEXT_PACKAGE, type->kind->aux_label);
    }
  else
    ((GeglOperationFilterClass *) klass)->process = process_filter;
  set_keys (operation, type->kind);
}

/**
 * wf_gegl_operation_register:
 * @module: the module that is loaded
 * @kind: a kind of operations
 *
 * Makes a type of it.
 */
void
wf_gegl_operation_register (GTypeModule      *module,
                            const WfGeglKind *kind)
{
  g_autofree char *name = g_strdelimit (g_strconcat ("WfGeglOperation-",
                                                     wf_gegl_kind_get_name (kind), NULL), ":", '-');
  const GType      old  = g_type_from_name (name);
  Type            *type = old ? g_type_get_qdata (old, get_quark ()) : g_new0 (Type, 1);
  GTypeInfo        info = { .class_init    = class_init,
                            .class_data    = type,
                            .instance_size = sizeof (Instance),
                            .instance_init = init };
  GType            made;

  if (old && (! type || type->kind != kind))   /* another copy of the module has made it */
    return;
  type->kind   = kind;
  type->parent = kind->has_aux ? GEGL_TYPE_OPERATION_COMPOSER : GEGL_TYPE_OPERATION_FILTER;
  if (! type->properties)
    type->properties = wf_gegl_properties_new (kind);
  info.class_size = kind->has_aux ? sizeof (GeglOperationComposerClass)
                                  : sizeof (GeglOperationFilterClass);
  made = gegl_module_register_type (module, type->parent, name, &info, 0);
  if (made)
    g_type_set_qdata (made, get_quark (), type);
}
