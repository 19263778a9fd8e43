/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls of every operation with each of its options, for tests that compare a device with
 * the CPU.
 */

#pragma once

#include "guarded-image.h"

G_BEGIN_DECLS

/**
 * DeviceCall:
 * @name: for test paths and messages
 * @operation: which
 * @by_faces: neighbors are those by a face: 4 or 6
 * @second: whether a second image is needed: a marker, markers
 *
 * One call of an operation.  The other members are private to device-calls.c.
 */
typedef struct
{
  const char  *name;
  WfOperation  operation;
  gboolean     by_faces;
  gboolean     second;
  double       value;
} DeviceCall;

/**
 * DeviceResult:
 * @out: the result, between guard bytes
 * @nearest: a second one, or %NULL
 * @number: number of basins or components, or whether there was no background
 */
typedef struct
{
  GuardedImage *out;
  GuardedImage *nearest;
  guint32       number;
} DeviceResult;

extern const DeviceCall device_calls[];

void     device_result_init      (DeviceResult        *result,
                                  const DeviceCall    *call,
                                  WfType               type,
                                  const RefSize       *size,
                                  gboolean             strided);
void     device_result_clear     (DeviceResult        *result);
gboolean device_result_is_equal  (const DeviceResult  *result,
                                  const DeviceResult  *other);
gboolean device_result_untouched (const DeviceResult  *result);

gboolean device_call_run         (const DeviceCall    *call,
                                  WfContext           *context,
                                  const WfImage       *image,
                                  const WfImage       *second,
                                  DeviceResult        *result,
                                  GError             **error);
gboolean device_call_is_refused  (const GError        *error);
gboolean device_size_is_wanted   (const RefSize       *size);

WfContext * device_context_new   (const char          *device);
GPtrArray * device_names         (char               **problem);
void        device_test_none     (gconstpointer        problem);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DeviceResult, device_result_clear)

G_END_DECLS
