/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of variants: the only interface between the engine and a device.
 *
 * A variant is one implementation of one operation for one kind of device.  The
 * front of an operation checks what the caller gave, describes it in a task and
 * picks a variant; a variant does the task and checks nothing again.
 *
 * A task names the caller's own images, views with strides that may be the same
 * image twice.  A variant of the CPU gets images in main memory, and one of a device also
 * images in that device's memory (memory.c).  A variant reads them, works in memory of
 * its own, and writes to the outputs only at the end, when nothing can fail or be
 * cancelled any more; earlier if the run allows partial outputs.
 *
 * The CPU's table is linked in.  The CUDA module exports wf_backend_cuda().
 */

#pragma once

#include <string.h>

#include "image.h"
#include "run.h"

/* Raised with every change to what follows: a module of another build is refused. */
#define WF_BACKEND_ABI 28

/* Beside the operations: tables of labelled regions, which are no images (#WfMeasureTask). */
#define WF_TASK_MEASURE ((WfOperation) WF_N_OPERATIONS)
#define WF_N_TASKS      (WF_N_OPERATIONS + 1)

/**
 * WfVariant:
 * @algorithm: its name, one of those that the operation's options list
 * @supports: whether it can do this task; %NULL for every task
 * @suits: whether automatic choice may take it for this task; %NULL if always
 * @memory: bytes of main memory that @run takes beyond the task's images, at most, where
 *   @n_threads of the CPU may work
 * @run: does the task; stops soon after wf_run_advance() has returned %FALSE
 * @checks_nan: whether @run itself refuses f32 images that hold a NaN, and writes
 *   nothing then; else the front of the operation has looked for it
 * @device_memory: bytes of the device's own memory that @run takes in all, on a device that
 *   the back end describes in a way of its own; %NULL where the device has none, or where
 *   that is not known before
 * @reads_on_host: whether @run, of a device, reads pixels of the task's images by the CPU
 *
 * A task is the struct above that belongs to the operation.  In @supports, @memory and
 * @device_memory it may be without pixels.
 */
typedef struct
{
  const char *algorithm;
  gboolean (* supports) (gconstpointer task);
  gboolean (* suits)    (gconstpointer task);
  guint64  (* memory)   (gconstpointer task, guint n_threads);
  gboolean (* run)      (gconstpointer task, WfRun *run, GError **error);
  gboolean    checks_nan;
  guint64  (* device_memory) (gconstpointer device, gconstpointer task);
  gboolean    reads_on_host;
} WfVariant;

/* For variants that exist for comparison: automatic choice never takes them.  The operation's
 * options mark the algorithm so (#WfChoice).
 */
static inline gboolean
wf_by_name_only (gconstpointer task)
{
  return FALSE;
}

/* Whether @variant can do @task and is wanted for it: by its name, or, where @algorithm
 * is NULL or "auto", by automatic choice.
 */
static inline gboolean
wf_variant_fits (const WfVariant *variant,
                 const char      *algorithm,
                 gconstpointer    task)
{
  const gboolean any = ! algorithm || strcmp (algorithm, "auto") == 0;

  return (any ? ! variant->suits || variant->suits (task)
              : strcmp (algorithm, variant->algorithm) == 0) &&
         (! variant->supports || variant->supports (task));
}

/**
 * WfLinkPace:
 * @up: bytes a second to the device, from plain and from pinned memory
 * @down: bytes a second back, to plain and to pinned memory
 *
 * The pace of the transfers between main memory and a device's own.
 */
typedef struct
{
  double up[2];
  double down[2];
} WfLinkPace;

/**
 * WfBackend:
 * @abi: %WF_BACKEND_ABI
 * @kind: "cpu" or "cuda": what a device's name begins with
 * @n_devices: at least 1
 * @describe: fills a zeroed #WfDevice but for its name
 * @foresee: finds what @variant takes of @device's own memory for @task, 0 if that is not
 *   known; fails as the run would where there is too little, and sets @bytes all the same;
 *   %NULL if a device has none of its own
 * @open: sets up what a context keeps on @device from one operation to the next (its
 *   pool of memory, its stream), which a run then carries; %NULL if it keeps nothing
 * @close: frees what @open gave; called once, from any thread
 * @driver: the driver's version, for the user's eyes; %NULL if there is none
 * @is_pinned: whether the device copies at full speed from and to this address of main memory;
 *   %NULL if it works in main memory
 * @release: frees what a variant has left on a device for later tasks (#WfKeptBand), or an image,
 *   when nothing uses it; from any thread, also after the device has failed; %NULL if nothing is
 *   ever left there
 * @owns: whether an address is in the memory of a device; %NULL, like the three that follow, if
 *   there are no images in memory of its own
 * @allocate: takes memory of the run's device; @owner is what @release frees it by, also when the
 *   device has been closed
 * @copy: copies between two views of one type and size, at least one of which is in the memory of
 *   the run's device, the other there or in main memory
 * @count_levels: counts the levels of an image in the memory of the run's device, u8, u16 or f32,
 *   by the @n_steps steps of histogram.c
 * @measure_link: measures the transfers of the run's device, whose state it carries, in a few
 *   hundredths of a second; %NULL if there are none
 * @variants: for each operation and %WF_TASK_MEASURE a list that ends with a %NULL algorithm, or
 *   %NULL; "auto" takes the first that supports the task and suits it
 */
typedef struct
{
  guint             abi;
  const char       *kind;
  guint             n_devices;
  gboolean       (* describe) (guint device, WfDevice *description, GError **error);
  gboolean       (* foresee)  (guint device, const WfVariant *variant, gconstpointer task,
                               guint64 *bytes, GError **error);
  gpointer       (* open)     (guint device, GError **error);
  void           (* close)    (gpointer device_state);
  const char      *driver;
  gboolean       (* is_pinned)    (gconstpointer address);
  void           (* release)      (gpointer kept);
  gboolean       (* owns)         (guint device, gconstpointer address);
  gboolean       (* allocate)     (WfRun *run, guint64 bytes, gpointer *data, gpointer *owner,
                                   GError **error);
  gboolean       (* copy)         (WfRun *run, const WfImage *from, const WfImage *to,
                                   GError **error);
  gboolean       (* count_levels) (WfRun *run, const WfImage *image, guint64 *counts,
                                   guint n_steps, GError **error);
  gboolean       (* measure_link) (WfRun *run, WfLinkPace *link, GError **error);
  const WfVariant  *variants[WF_N_TASKS];
} WfBackend;

/* The module's one exported symbol.  NULL with @error set where no device can
 * be used, which is the normal state of most machines.
 */
typedef const WfBackend * (* WfBackendFunc) (GError **error);

#define WF_BACKEND_SYMBOL "wf_backend_cuda"

const WfBackend * wf_backend_cpu    (void);
const WfBackend * wf_backend_loaded (GError **problem);
