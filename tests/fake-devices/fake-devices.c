/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several devices for machines that have none: a module like that of CUDA, whose devices compute
 * with the library's own code for the CPU.  So the work of several devices is tested everywhere,
 * and under the sanitizers.
 *
 * WAVEFRONT_FAKE_FAILURES=N    N of 1000 calls fail, as a device that is taken away
 * WAVEFRONT_FAKE_DELAYS=N      calls wait up to N microseconds first
 * WAVEFRONT_FAKE_SEED=N        which ones
 * WAVEFRONT_FAKE_MEMORY=N      bytes of memory of a device (default: 256 MiB)
 * WAVEFRONT_FAKE_BLIND=N       N of 1000 strips at seams of a watershed tell nothing, so that bands
 *                              contradict each other until they are summarized once more
 * WAVEFRONT_FAKE_RACE=1        calls race with each other, for a test of ThreadSanitizer
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/backend.h"
#include "engine/core/tasks.h"

#define N_DEVICES 3

static guint
get_number (const char *name)
{
  const char *text = g_getenv (name);

  return text ? (guint) strtoul (text, NULL, 10) : 0;
}

static guint
get_memory (void)
{
  const guint memory = get_number ("WAVEFRONT_FAKE_MEMORY");

  return memory > 0 ? memory : 1 << 28;
}

/* A number that depends on the seed and on how many were drawn. */
static guint
draw_number (void)
{
  static gint   n_drawn;
  guint64       x = ((guint64) get_number ("WAVEFRONT_FAKE_SEED") << 32) +
                    g_atomic_int_add (&n_drawn, 1);

  x ^= x >> 30;
  x *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (guint) (x >> 33);
}

static gboolean
disturb (WfRun   *run,
         GError **error)
{
  static volatile guint n_unprotected;   /* or compilers leave it out */
  const guint           delay = get_number ("WAVEFRONT_FAKE_DELAYS");

  if (get_number ("WAVEFRONT_FAKE_RACE") > 0)
    {
      n_unprotected++;
      (void) n_unprotected;   /* or compilers say that nothing reads it */
    }
  if (delay > 0)
    g_usleep (draw_number () % delay);
  if (draw_number () % 1000 >= get_number ("WAVEFRONT_FAKE_FAILURES"))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_DEVICE, "The device %u has been taken away.",
               run->device);
  return FALSE;
}

/* The CPU's variant for a task. */
static const WfVariant *
find_variant (WfOperation   operation,
              gconstpointer task)
{
  const WfVariant *variant = wf_backend_cpu ()->variants[operation];

  while (variant->algorithm && ! wf_variant_fits (variant, NULL, task))
    variant++;
  return variant->algorithm ? variant : NULL;
}

static gboolean
run_on_cpu (WfOperation     operation,
            gconstpointer   task,
            WfRun          *run,
            GError        **error)
{
  return disturb (run, error) && find_variant (operation, task)->run (task, run, error);
}

/* Operations whose bands several devices share; what a device keeps of them is not looked at. */
#define VARIANT(name, operation, task_type) \
  static gboolean \
  supports_##name (gconstpointer task) \
  { \
    return find_variant (operation, task) != NULL; \
  } \
\
  static gboolean \
  run_##name (gconstpointer   task, \
              WfRun          *run, \
              GError        **error) \
  { \
    return run_on_cpu (operation, task, run, error); \
  } \
\
  static guint64 \
  count_##name (gconstpointer device, \
                gconstpointer data) \
  { \
    const task_type *task = data; \
\
    return 8 * task->shape.width * task->shape.height * task->shape.depth; \
  } \
\
  static const WfVariant name##_variants[] = \
  { \
    { .algorithm = "fake", .supports = supports_##name, .run = run_##name, \
      .device_memory = count_##name }, \
    { NULL } \
  };

VARIANT (label, WF_OPERATION_LABEL, WfLabelTask)
VARIANT (distance, WF_OPERATION_DISTANCE, WfDistanceTask)


/*  Bands that stay  */

/* A band on a device: its mask and its levels, whose they are, and whether tasks on all of it go on
 * from its rims.
 */
typedef struct
{
  void  (* release) (gpointer kept);
  guint    device;
  gint     goes_on;
  WfImage  mask;
  WfImage  levels;
} Kept;

static gsize
count_bytes (const WfImage *image)
{
  return wf_image_n_pixels (image) * wf_type_size (image->type);
}

/* A packed copy of a packed image. */
static WfImage
copy_image (const WfImage *image)
{
  WfImage copy = *image;

  copy.data = g_memdup2 (image->data, count_bytes (image));
  return copy;
}

/* Counts bytes that stay on a device, which has room for them. */
static void
count_kept (const Kept *kept,
            int         sign)
{
  static gint n_bytes[N_DEVICES];
  const gint  n     = sign * (gint) (count_bytes (&kept->mask) + count_bytes (&kept->levels));
  const gint  limit = get_memory ();

  if (g_atomic_int_add (&n_bytes[kept->device], n) + n > limit)
    g_error ("More is kept on the device %u than it has room for.", kept->device);
}

static void
free_kept (Kept *kept)
{
  g_free (kept->mask.data);
  g_free (kept->levels.data);
  g_free (kept);
}

static void
release_kept (gpointer kept)
{
  count_kept (kept, -1);
  free_kept (kept);
}

/* The part of a band that a task's images are. */
static WfImage
part_of (const WfImage           *band,
         const WfReconstructTask *task)
{
  WfImage part = *task->mask;

  part.data = (char *) band->data + task->kept->first * task->kept->unit *
              wf_type_size (band->type);
  return part;
}

static void
raise_rims (const WfReconstructTask *task,
            WfImage                 *levels)
{
  const gsize size = task->kept->unit * wf_type_size (task->type);

  for (int side = 0; side < 2; side++)
    if (task->kept->rims[side])
      memcpy ((char *) levels->data + side * (count_bytes (levels) - size),
              task->kept->rims[side], size);
}

/* Computes with what the device has, and writes the result; a device that fails may have written
 * half of it.
 */
static gboolean
run_with (const WfReconstructTask *task,
          const WfImage           *mask,
          WfImage                 *levels,
          WfRun                   *run,
          GError                 **error)
{
  WfReconstructTask own = *task;

  raise_rims (task, levels);
  own.mask   = mask;
  own.marker = levels;
  own.out    = levels;
  if (! run_on_cpu (WF_OPERATION_RECONSTRUCT, &own, run, error))
    return FALSE;
  memcpy (task->out->data, levels->data,
          wf_image_n_pixels (levels) / 2 * wf_type_size (levels->type));
  if (! disturb (run, error))
    return FALSE;
  memcpy (task->out->data, levels->data, count_bytes (levels));
  return TRUE;
}

/* Whether a task's images are all of the band; if tasks on that go on from its rims, the output
 * must have all that is not changed.
 */
static gboolean
is_whole (const Kept              *kept,
          const WfReconstructTask *task)
{
  const gboolean whole = wf_shape_n_pixels (&task->shape) == wf_image_n_pixels (&kept->mask);

  if (whole && g_atomic_int_get (&kept->goes_on) && task->out->data != task->marker->data)
    g_error ("The output of a band that goes on from its rims is not its marker.");
  return whole;
}

/* A part of a band that is there: what was given is not looked at, but must be the same. */
static gboolean
run_on_kept (const WfReconstructTask *task,
             WfRun                   *run,
             GError                 **error)
{
  Kept           *kept   = task->kept->on_device;
  const gboolean  whole  = is_whole (kept, task);
  WfImage         mask   = part_of (&kept->mask, task);
  WfImage         levels = part_of (&kept->levels, task);

  if (kept->device != run->device ||
      memcmp (mask.data, task->mask->data, count_bytes (&mask)) != 0 ||
      memcmp (levels.data, task->marker->data, count_bytes (&levels)) != 0)
    g_error ("What a device has kept is not what it should be.");
  if (! run_with (task, &mask, &levels, run, error))
    return FALSE;
  task->kept->goes_on = whole && task->kept->may_go_on && draw_number () % 16 > 0;
  g_atomic_int_set (&kept->goes_on, task->kept->goes_on);
  return TRUE;
}

/* A band that may stay; a device may refuse that. */
static gboolean
run_and_keep (const WfReconstructTask *task,
              WfRun                   *run,
              GError                 **error)
{
  Kept *kept = g_new0 (Kept, 1);

  kept->release = release_kept;
  kept->device  = run->device;
  kept->mask   = copy_image (task->mask);
  kept->levels = copy_image (task->marker);
  if (! run_with (task, &kept->mask, &kept->levels, run, error))
    {
      free_kept (kept);
      return FALSE;
    }
  if (! task->kept->may_keep || draw_number () % 8 == 0)
    {
      free_kept (kept);
      return TRUE;
    }
  count_kept (kept, 1);
  kept->goes_on         = task->kept->may_go_on && draw_number () % 16 > 0;
  task->kept->on_device = kept;
  task->kept->goes_on   = kept->goes_on;
  return TRUE;
}

static gboolean
supports_reconstruct (gconstpointer task)
{
  return find_variant (WF_OPERATION_RECONSTRUCT, task) != NULL;
}

static gboolean
run_reconstruct (gconstpointer   data,
                 WfRun          *run,
                 GError        **error)
{
  const WfReconstructTask *task = data;

  if (! task->kept)
    return run_on_cpu (WF_OPERATION_RECONSTRUCT, task, run, error);
  return (task->kept->on_device ? run_on_kept : run_and_keep) (task, run, error);
}

static guint64
count_reconstruct (gconstpointer device,
                   gconstpointer data)
{
  const WfReconstructTask *task = data;

  return 8 * task->shape.width * task->shape.height * task->shape.depth;
}

static const WfVariant reconstruct_variants[] =
{
  { .algorithm = "fake", .supports = supports_reconstruct, .run = run_reconstruct,
    .device_memory = count_reconstruct },
  { NULL }
};


/*  Bands of a watershed that stay  */

/**
 * KeptFlood:
 * @image: what the task of the summary was given, with its margin
 * @outside: L2 of the halo after it
 */
typedef struct
{
  void          (* release) (gpointer kept);
  guint            device;
  WfWatershedTask  task;
  WfFloodBand      band;
  WfImage          image;
  guint32         *outside[2];
} KeptFlood;

static void
free_kept_flood (KeptFlood *kept)
{
  g_free (kept->image.data);
  g_free (kept->outside[0]);
  g_free (kept->outside[1]);
  g_free (kept);
}

static void
count_kept_flood (const KeptFlood *kept,
                  int              sign)
{
  static gint n_bytes[N_DEVICES];
  const gint  n     = sign * (gint) count_bytes (&kept->image);
  const gint  limit = get_memory ();

  if (g_atomic_int_add (&n_bytes[kept->device], n) + n > limit)
    g_error ("More is kept on the device %u than it has room for.", kept->device);
}

static void
release_kept_flood (gpointer kept)
{
  count_kept_flood (kept, -1);
  free_kept_flood (kept);
}

/* What the summary has been made of, or NULL: with markers or a tolerance no band stays. */
static KeptFlood *
keep_flood (const WfWatershedTask *task,
            guint                  device)
{
  KeptFlood *kept;

  if (! task->band->may_keep || task->markers || task->band->ground || draw_number () % 8 == 0)
    return NULL;
  kept = g_new0 (KeptFlood, 1);
  kept->release = release_kept_flood;
  kept->device  = device;
  kept->task    = *task;
  kept->band    = *task->band;
  kept->image   = copy_image (task->image);
  return kept;
}

/* L2 in the halo is what it was when the band was summarized, or has been lowered since: this is
 * an early finish then, and the band is summarized once more after it.
 */
static void
check_outside (const guint32 *outside,
               const guint32 *kept,
               gint64         n)
{
  for (gint64 i = 0; i < n; i++)
    if (outside[i] > kept[i])
      g_error ("What a device has kept is not what it should be.");
}

/* A finish with what the device has; the image that was given is none. */
static gboolean
finish_kept (const WfWatershedTask *task,
             WfRun                 *run,
             GError               **error)
{
  const KeptFlood *kept = task->band->on_device;
  WfWatershedTask  own  = kept->task;
  WfFloodBand      band = *task->band;

  if (kept->device != run->device)
    g_error ("Another device has kept this band.");
  for (int side = 0; side < 2; side++)
    {
      if (band.halo[side])
        check_outside (band.outside[side], kept->outside[side], band.unit);
      band.outside[side] = kept->outside[side];
      band.margin[side]  = kept->band.margin[side];
    }
  own.image  = &kept->image;
  own.labels = task->labels;
  own.band   = &band;
  return run_on_cpu (WF_OPERATION_WATERSHED, &own, run, error);
}

/* L2 at a seam, or that it is not known. */
static gboolean
measure (const WfWatershedTask  *task,
         WfRun                  *run,
         GError                **error)
{
  const WfFloodBand *band = task->band;

  if (! run_on_cpu (WF_OPERATION_WATERSHED, task, run, error))
    return FALSE;
  if (draw_number () % 1000 < get_number ("WAVEFRONT_FAKE_BLIND"))
    for (int side = 0; side < 2; side++)
      for (gint64 i = 0; i < band->unit; i++)
        band->inside[side][i] = WF_FLOOD_UNREACHED;
  return TRUE;
}

static gboolean
supports_watershed (gconstpointer task)
{
  return find_variant (WF_OPERATION_WATERSHED, task) != NULL;
}

static gboolean
run_watershed (gconstpointer   data,
               WfRun          *run,
               GError        **error)
{
  const WfWatershedTask *task = data;
  WfFloodBand           *band = task->band;
  KeptFlood             *kept;

  if (band && band->step == WF_FLOOD_MEASURE)
    return measure (task, run, error);
  if (! band || band->step != WF_FLOOD_SUMMARY)
    return band && band->on_device ? finish_kept (task, run, error)
                                   : run_on_cpu (WF_OPERATION_WATERSHED, task, run, error);
  kept = keep_flood (task, run->device);
  if (! run_on_cpu (WF_OPERATION_WATERSHED, task, run, error) || ! disturb (run, error))
    {
      if (kept)
        free_kept_flood (kept);
      return FALSE;
    }
  band->on_device = kept;
  if (! kept)
    return TRUE;
  for (int side = 0; side < 2; side++)
    if (band->halo[side])
      kept->outside[side] = g_memdup2 (band->outside[side], band->unit * sizeof (guint32));
  count_kept_flood (kept, 1);
  return TRUE;
}

static guint64
count_watershed (gconstpointer device,
                 gconstpointer data)
{
  const WfWatershedTask *task = data;

  return 8 * task->shape.width * task->shape.height * task->shape.depth;
}

static const WfVariant watershed_variants[] =
{
  { .algorithm = "fake", .supports = supports_watershed, .run = run_watershed,
    .device_memory = count_watershed },
  { NULL }
};


/*  The devices  */

/* What is kept begins with how it is released. */
static void
release (gpointer kept)
{
  (*(void (**) (gpointer)) kept) (kept);
}

static gboolean
describe (guint      device,
          WfDevice  *description,
          GError   **error)
{
  description->description  = g_strdup_printf ("Device %u of a test", device);
  description->n_units      = 1;
  description->memory_total = get_memory ();
  description->memory_free  = description->memory_total;
  return TRUE;
}

static gboolean
foresee (guint             device,
         const WfVariant  *variant,
         gconstpointer     task,
         guint64          *bytes,
         GError          **error)
{
  *bytes = variant->device_memory (NULL, task);
  return TRUE;
}

G_MODULE_EXPORT const WfBackend *wf_backend_cuda (GError **error);

G_MODULE_EXPORT const WfBackend *
wf_backend_cuda (GError **error)
{
  static WfBackend backend = { .abi = WF_BACKEND_ABI, .kind = "cuda", .n_devices = N_DEVICES,
                               .describe = describe, .foresee = foresee,
                               .release = release };

  backend.variants[WF_OPERATION_RECONSTRUCT] = reconstruct_variants;
  backend.variants[WF_OPERATION_LABEL]       = label_variants;
  backend.variants[WF_OPERATION_DISTANCE]    = distance_variants;
  backend.variants[WF_OPERATION_WATERSHED]   = watershed_variants;
  return &backend;
}
