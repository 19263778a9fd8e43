# SPDX-License-Identifier: GPL-3.0-or-later
"""The library, its structs and its errors, by ctypes.

Only what wavefront.h promises to keep within a soname is relied on: structs that may grow at their
end are read through pointers, and options are set by name through the library's own tables, so the
layout of no struct of options is known here. ctypes releases the interpreter's lock in every call.
"""
import ctypes
import os
from ctypes import (POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint32,
                    c_uint64, c_void_p)

SONAME = "libwavefront.so.1"


class Image(ctypes.Structure):
    """WfImage: a view of pixels."""
    _fields_ = [("type", c_int), ("width", c_int64), ("height", c_int64), ("depth", c_int64),
                ("row_stride", c_int64), ("slice_stride", c_int64), ("data", c_void_p),
                ("allocated", c_void_p), ("memory", c_int), ("pixel_stride", c_int64)]


class Choice(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_int), ("label", c_char_p),
                ("for_comparison", c_int), ("reserved", c_void_p * 2)]


class Option(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("offset", c_size_t), ("label", c_char_p),
                ("blurb", c_char_p), ("placeholder", c_char_p), ("minimum", c_double),
                ("maximum", c_double), ("default_value", c_double), ("choices", POINTER(Choice)),
                ("meaning", c_int), ("required", c_int), ("reserved", c_void_p * 4)]


class OptionGroup(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("blurb", c_char_p),
                ("options", POINTER(Option)), ("n_options", c_uint), ("size", c_size_t)]


class Operand(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("content", c_int), ("types", c_uint), ("same_type", c_int),
                ("optional", c_int), ("reserved", c_void_p * 2)]


class OperationInfo(ctypes.Structure):
    _fields_ = [("operation", c_int), ("options", POINTER(OptionGroup)), ("category", c_char_p),
                ("flags", c_int), ("inputs", POINTER(Operand)), ("n_inputs", c_uint),
                ("outputs", POINTER(Operand)), ("n_outputs", c_uint), ("counts", c_char_p)]


class StepReport(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("seconds", c_double), ("rounds", c_uint),
                ("reserved", c_void_p * 4)]


class Report(ctypes.Structure):
    _fields_ = [("device", c_char_p), ("algorithm", c_char_p), ("threads", c_uint),
                ("seconds", c_double), ("device_seconds", c_double), ("executions", c_uint),
                ("no_background", c_int), ("notice", c_char_p), ("reason", c_char_p),
                ("steps", POINTER(StepReport)), ("n_steps", c_uint), ("queued_first", c_uint64),
                ("queued", c_uint64)]


class Device(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("description", c_char_p), ("n_units", c_uint),
                ("memory_total", c_uint64), ("memory_free", c_uint64)]


class PointerArray(ctypes.Structure):
    _fields_ = [("items", POINTER(c_void_p)), ("n", c_uint)]


class RegionColumn(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("label", c_char_p), ("unit", c_int), ("is_whole", c_int),
                ("axis", c_int), ("reserved", c_void_p * 4)]


class RegionMeasure(ctypes.Structure):
    _fields_ = [("measure", c_int), ("name", c_char_p), ("label", c_char_p), ("blurb", c_char_p),
                ("needs_image", c_int), ("is_for_stacks", c_int),
                ("columns", POINTER(RegionColumn)), ("n_columns", c_uint)]


class GError(ctypes.Structure):
    _fields_ = [("domain", c_uint32), ("code", c_int), ("message", c_char_p)]


PROGRESS = ctypes.CFUNCTYPE(None, c_double, c_void_p)
ERROR = POINTER(GError)


class Error(Exception):
    """What the library refuses, or what has failed; its sentence is the message."""


class InvalidError(Error, ValueError):
    """Arguments that are refused: sizes, types, NaN, values of options."""


class OutOfMemoryError(Error, MemoryError):
    """The work needs more memory than there is, or than the context allows."""


class DeviceError(Error, RuntimeError):
    """There is no such device, or it has failed."""


class UnsupportedError(Error, NotImplementedError):
    """The device or the algorithm that was named cannot do this."""


class LabelsError(Error, OverflowError):
    """More labels or levels than 32 bits can number."""


class RankError(Error, RuntimeError):
    """Another of several processes has failed."""


class Cancelled(Error):
    """The operation was cancelled."""


# By the values of WfError.
_ERRORS = (InvalidError, OutOfMemoryError, DeviceError, UnsupportedError, LabelsError, RankError)
_G_IO_ERROR_CANCELLED = 19


def _places():
    """Where the library may be, the likeliest first; the loader's own search is the last."""
    named = os.environ.get("WAVEFRONT_LIBRARY")
    if named:
        yield named
        return
    # that of a wheel, with its modules
    folder = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(folder, SONAME)
    if os.path.exists(inside):
        if os.path.exists(os.path.join(folder, "wavefront-cuda.so")):
            os.environ.setdefault("WAVEFRONT_MODULE_DIR", folder)
        yield inside
    try:
        from ._place import LIBRARY
        if os.path.exists(LIBRARY):
            yield LIBRARY
    except ImportError:
        pass
    yield SONAME


def _load():
    problems = []
    for place in _places():
        try:
            return ctypes.CDLL(place)
        except OSError as problem:
            problems.append(str(problem))
    raise ImportError("The Wavefront library cannot be loaded: " + "; ".join(problems))


lib = _load()
# of the library's own dependencies, which are loaded with it
glib = ctypes.CDLL("libglib-2.0.so.0")
gobject = ctypes.CDLL("libgobject-2.0.so.0")
gio = ctypes.CDLL("libgio-2.0.so.0")

_IMAGE, _GROUP, _OPTION = POINTER(Image), POINTER(OptionGroup), POINTER(Option)

_PROTOTYPES = {
    lib: {
        "wf_version": (c_char_p, []),
        "wf_error_quark": (c_uint32, []),
        "wf_image_init": (c_int, [_IMAGE, c_int, c_int64, c_int64, c_int64, c_void_p,
                                  POINTER(ERROR)]),
        "wf_image_allocate_on": (c_int, [c_void_p, _IMAGE, c_int, c_int, c_int64, c_int64,
                                         c_int64, POINTER(ERROR)]),
        "wf_image_copy": (c_int, [c_void_p, _IMAGE, _IMAGE, POINTER(ERROR)]),
        "wf_image_clear": (None, [_IMAGE]),
        "wf_histogram_new": (c_void_p, [_IMAGE, POINTER(ERROR)]),
        "wf_histogram_free": (None, [c_void_p]),
        "wf_histogram_find_threshold": (c_double, [c_void_p, c_int, c_double]),
        "wf_threshold_parse": (c_int, [c_char_p, POINTER(c_int), POINTER(c_double)]),
        "wf_type_name": (c_char_p, [c_int]),
        "wf_operation_describe": (POINTER(OperationInfo), [c_int]),
        "wf_operation_get_output_type": (c_int, [c_int, c_uint, c_int, c_void_p]),
        "wf_operation_run": (c_int, [c_void_p, c_int, POINTER(_IMAGE), POINTER(_IMAGE),
                                     POINTER(c_uint32), c_void_p, POINTER(ERROR)]),
        "wf_option_group_init_sized": (None, [_GROUP, c_void_p, c_size_t]),
        "wf_option_group_find": (_OPTION, [_GROUP, c_char_p]),
        "wf_option_parse": (c_int, [_OPTION, c_void_p, c_char_p, POINTER(ERROR)]),
        "wf_option_format": (c_void_p, [_OPTION, c_void_p]),
        "wf_context_get_options": (_GROUP, []),
        "wf_context_new": (c_void_p, []),
        "wf_context_unref": (None, [c_void_p]),
        "wf_context_configure": (c_int, [c_void_p, c_void_p, POINTER(ERROR)]),
        "wf_context_set_memory_limit": (None, [c_void_p, c_uint64]),
        "wf_context_set_partial_outputs": (None, [c_void_p, c_int]),
        "wf_context_set_cancellable": (None, [c_void_p, c_void_p]),
        "wf_context_set_progress": (None, [c_void_p, PROGRESS, c_void_p]),
        "wf_context_set_stream": (None, [c_void_p, c_void_p]),
        "wf_context_get_report": (POINTER(Report), [c_void_p]),
        "wf_list_devices": (POINTER(PointerArray), [POINTER(ERROR)]),
        "wf_hierarchy_new_masked": (c_void_p, [c_void_p, _IMAGE, _IMAGE, _IMAGE, c_void_p,
                                               POINTER(ERROR)]),
        "wf_hierarchy_unref": (None, [c_void_p]),
        "wf_hierarchy_get_n_basins": (c_uint32, [c_void_p]),
        "wf_hierarchy_get_depth": (c_double, [c_void_p, c_uint32]),
        "wf_hierarchy_cut_at_depth": (c_uint32, [c_void_p, c_double, POINTER(c_uint32)]),
        "wf_hierarchy_cut_to_count": (c_uint32, [c_void_p, c_uint32, POINTER(c_uint32)]),
        "wf_hierarchy_relabel_masked": (c_int, [c_void_p, c_void_p, POINTER(c_uint32), _IMAGE,
                                                _IMAGE, _IMAGE, POINTER(ERROR)]),
        "wf_regions_get_options": (_GROUP, []),
        "wf_region_measure_describe": (POINTER(RegionMeasure), [c_int]),
        "wf_region_measures_parse": (c_int, [c_char_p, POINTER(c_uint64), POINTER(ERROR)]),
        "wf_regions_measure": (c_void_p, [c_void_p, _IMAGE, _IMAGE, c_uint64, c_void_p,
                                          POINTER(ERROR)]),
        "wf_regions_get_n_regions": (c_int64, [c_void_p]),
        "wf_regions_get_n_columns": (c_uint, [c_void_p]),
        "wf_regions_get_column": (POINTER(RegionColumn), [c_void_p, c_uint]),
        "wf_regions_get_values": (POINTER(c_double), [c_void_p, c_uint]),
        "wf_regions_free": (None, [c_void_p]),
    },
    glib: {
        "g_error_free": (None, [ERROR]),
        "g_free": (None, [c_void_p]),
        "g_ptr_array_unref": (None, [POINTER(PointerArray)]),
    },
    gio: {
        "g_io_error_quark": (c_uint32, []),
        "g_cancellable_new": (c_void_p, []),
        "g_cancellable_cancel": (None, [c_void_p]),
        "g_cancellable_reset": (None, [c_void_p]),
    },
    gobject: {
        "g_object_unref": (None, [c_void_p]),
    },
}

for _library, _functions in _PROTOTYPES.items():
    for _name, (_result, _arguments) in _functions.items():
        _function = getattr(_library, _name)
        _function.restype, _function.argtypes = _result, _arguments


def exception(error):
    """The exception for a GError, which is freed."""
    found = error.contents
    message = found.message.decode()
    if found.domain == gio.g_io_error_quark() and found.code == _G_IO_ERROR_CANCELLED:
        kind = Cancelled
    elif found.domain == lib.wf_error_quark() and found.code < len(_ERRORS):
        kind = _ERRORS[found.code]
    else:
        kind = Error
    glib.g_error_free(error)
    return kind(message)


def call(function, *arguments):
    """Calls a function that takes a GError ** last; what it returns is true unless it fails."""
    error = ERROR()
    result = function(*arguments, byref(error))
    if error:
        raise exception(error)
    return result


def text(string):
    """A string of the library as one of Python, or None."""
    return None if string is None else string.decode()
