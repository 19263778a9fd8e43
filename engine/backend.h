/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of function variants: the only door between the engine and a device.
 *
 * A variant is one implementation of one operation for one kind of device.  The
 * front of an operation checks what the caller gave, packs it into a task and
 * picks a variant; a variant computes, on packed pixels, what the task says, and
 * checks nothing again.  It writes only to the memory that the task gives it for
 * results, which is never the caller's own.
 *
 * The CPU's table is linked in.  The CUDA module exports wf_backend_cuda().
 */

#pragma once

#include "image.h"
#include "run.h"

/* Raised with every change to what follows: a module of another build is refused. */
#define WF_BACKEND_ABI 1

/**
 * WfReconstructTask:
 * @result: the marker, already clamped by the mask; grown in place
 */
typedef struct
{
  WfShape       shape;
  WfType        type;
  WfDirection   by;
  int           connectivity;
  gconstpointer mask;
  gpointer      result;
} WfReconstructTask;

/**
 * WfDistanceTask:
 * @foreground: a byte a pixel, 1 on the foreground and 0 on the background
 * @exact_integers: every spacing is 1: distances are integers
 * @out_type: type of @out
 * @out: distances, or %NULL
 * @nearest: linear indices of the nearest background pixels, or %NULL
 * @wants_out: whether @out is wanted (it may not be there yet)
 * @wants_nearest: whether @nearest is wanted
 */
typedef struct
{
  WfShape       shape;
  WfMetric      metric;
  gboolean      border_background;
  gboolean      exact_integers;
  double        spacing[3];
  int           connectivity;
  const guint8 *foreground;
  WfType        out_type;
  gboolean      wants_out;
  gboolean      wants_nearest;
  gpointer      out;
  guint64      *nearest;
} WfDistanceTask;

/**
 * WfWatershedTask:
 * @has_markers: whether @markers are given
 * @markers: labels, or %NULL for the minima that are at least @tolerance deep
 * @labels: result
 * @n_basins: result: the number of different labels
 */
typedef struct
{
  WfShape        shape;
  WfType         type;
  int            connectivity;
  double         tolerance;
  gboolean       lines;
  gboolean       last_index;
  gboolean       has_markers;
  gconstpointer  image;
  const guint32 *markers;
  guint32       *labels;
  guint32       *n_basins;
} WfWatershedTask;

/**
 * WfVariant:
 * @algorithm: its name, one of those that the operation's options list
 * @supports: whether it can do this task; %NULL for every task
 * @memory: bytes of main memory that @run takes beyond the task's own arrays
 * @run: does the task; stops soon after wf_run_advance() has returned %FALSE
 *
 * A task is the struct above that belongs to the operation.  Its pointers need
 * not be set yet in @supports and @memory.
 */
typedef struct
{
  const char *algorithm;
  gboolean (* supports) (gconstpointer task);
  guint64  (* memory)   (gconstpointer task);
  gboolean (* run)      (gconstpointer task, WfRun *run, GError **error);
} WfVariant;

/**
 * WfBackend:
 * @abi: %WF_BACKEND_ABI
 * @kind: "cpu" or "cuda": what a device's name begins with
 * @n_devices: at least 1
 * @describe: fills a zeroed #WfDevice but for its name
 * @variants: for each operation a list that ends with a %NULL algorithm, or
 *   %NULL; "auto" takes the first that supports the task
 */
typedef struct
{
  guint             abi;
  const char       *kind;
  guint             n_devices;
  gboolean       (* describe) (guint device, WfDevice *description, GError **error);
  const WfVariant  *variants[WF_N_OPERATIONS];
} WfBackend;

/* The module's one exported symbol.  NULL with @error set where no device can
 * be used, which is the normal state of most machines.
 */
typedef const WfBackend * (* WfBackendFunc) (GError **error);

#define WF_BACKEND_SYMBOL "wf_backend_cuda"

const WfBackend * wf_backend_cpu    (void);
const WfBackend * wf_backend_loaded (GError **problem);
