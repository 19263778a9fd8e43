# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls libwavefront on NumPy arrays without copying them.

Options are set by name through the library's option tables, so this module does not depend on the
layout of their structs. A call adds a few microseconds to the engine's time.
"""
import contextlib
import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint32
from ctypes import c_uint64, c_void_p

import numpy

OPERATIONS = {"reconstruct": 0, "distance": 1, "watershed": 2, "label": 3, "fill-holes": 5}
# Those that only the sections of chains and of the further tools measure.
FURTHER = {"gaussian": 20, "gradient": 21, "area-opening": 22, "erosion": 28, "dilation": 29,
           "opening": 30, "closing": 31, "median": 32, "geodesic-distance": 34}
LABEL_TOOLS = {"remove-small": 0, "keep-largest": 1, "expand-labels": 2, "relabel": 3}
TYPES = {"uint8": 1, "uint16": 2, "float32": 3, "uint32": 4, "uint64": 5, "float64": 6}


class Image(ctypes.Structure):
    _fields_ = [("type", c_int), ("width", c_int64), ("height", c_int64), ("depth", c_int64),
                ("row_stride", c_int64), ("slice_stride", c_int64), ("data", c_void_p),
                ("allocated", c_void_p), ("memory", c_int)]


class Choice(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_int), ("label", c_char_p),
                ("for_comparison", c_int)]


class Option(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("offset", c_size_t), ("label", c_char_p),
                ("blurb", c_char_p), ("placeholder", c_char_p), ("minimum", c_double),
                ("maximum", c_double), ("default_value", c_double), ("choices", POINTER(Choice)),
                ("meaning", c_int), ("required", c_int)]


class Group(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("blurb", c_char_p),
                ("options", POINTER(Option)), ("n_options", c_uint), ("size", c_size_t)]


class Step(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("seconds", c_double), ("rounds", c_uint)]


class Report(ctypes.Structure):
    _fields_ = [("device", c_char_p), ("algorithm", c_char_p), ("threads", c_uint),
                ("seconds", c_double), ("device_seconds", c_double), ("executions", c_uint),
                ("no_background", c_int), ("notice", c_char_p), ("reason", c_char_p),
                ("steps", POINTER(Step)), ("n_steps", c_uint), ("queued_first", c_uint64),
                ("queued", c_uint64)]


class Worker(ctypes.Structure):
    _fields_ = [("device", c_char_p), ("blocks", c_int64), ("busy_seconds", c_double),
                ("compute_seconds", c_double), ("upload_seconds", c_double),
                ("download_seconds", c_double), ("file_seconds", c_double), ("failed", c_int)]


BLOCK_FUNCTION = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_int64, c_int64, POINTER(Image),
                                  c_void_p)


class Source(ctypes.Structure):
    _fields_ = [("type", c_int), ("width", c_int64), ("height", c_int64), ("depth", c_int64),
                ("read", BLOCK_FUNCTION), ("data", c_void_p), ("image", c_void_p)]


class Sink(ctypes.Structure):
    _fields_ = [("write", BLOCK_FUNCTION), ("read", BLOCK_FUNCTION), ("data", c_void_p),
                ("image", c_void_p), ("any_order", c_int), ("are_finished", c_void_p),
                ("finish", c_void_p)]


class GError(ctypes.Structure):
    _fields_ = [("domain", c_uint32), ("code", c_int), ("message", c_char_p)]


class Device(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("description", c_char_p), ("n_units", c_uint),
                ("memory_total", c_uint64), ("memory_free", c_uint64)]


class PointerArray(ctypes.Structure):
    _fields_ = [("items", POINTER(POINTER(Device))), ("n", c_uint)]


class Refused(Exception):
    """The library's error message."""


class Library:
    """One libwavefront."""

    def __init__(self, path):
        self.path = path
        self.wavefront = ctypes.CDLL(path)
        self.glib = ctypes.CDLL("libglib-2.0.so.0")
        self.gio = ctypes.CDLL("libgio-2.0.so.0")
        self.wavefront.wf_version.restype = c_char_p
        self.wavefront.wf_operation_get_options.restype = POINTER(Group)
        self.wavefront.wf_context_get_options.restype = POINTER(Group)
        self.wavefront.wf_labels_get_options.restype = POINTER(Group)
        self.wavefront.wf_regions_get_options.restype = POINTER(Group)
        self.wavefront.wf_regions_measure.restype = c_void_p
        self.wavefront.wf_regions_get_n_regions.restype = c_int64
        self.wavefront.wf_option_group_find.restype = POINTER(Option)
        self.wavefront.wf_context_new.restype = c_void_p
        self.wavefront.wf_context_get_report.restype = POINTER(Report)
        self.wavefront.wf_context_get_worker_reports.restype = POINTER(Worker)
        self.wavefront.wf_list_devices.restype = POINTER(PointerArray)
        self.wavefront.wf_estimate_memory.restype = c_uint64
        self.gio.g_cancellable_new.restype = c_void_p

    def version(self):
        return self.wavefront.wf_version().decode()

    def device_description(self, number):
        """Describes the device of this number; 0 is the CPU."""
        devices = self.wavefront.wf_list_devices(None)
        if number >= devices.contents.n:
            raise IndexError(number)
        found = devices.contents.items[number].contents.description.decode()
        self.glib.g_ptr_array_unref(devices)
        return found

    def call(self, name, *arguments):
        """Calls a function that returns a gboolean and takes a GError ** last."""
        error = POINTER(GError)()
        result = getattr(self.wavefront, name)(*arguments, byref(error))
        if not result:
            message = error.contents.message.decode() if error else f"{name} failed"
            self.glib.g_clear_error(byref(error))
            raise Refused(message)

    def group(self, operation):
        return self.wavefront.wf_operation_get_options({**OPERATIONS, **FURTHER}[operation])

    def algorithms(self, operation):
        """The names of the operation's algorithms, without auto."""
        option = self.wavefront.wf_option_group_find(self.group(operation), b"algorithm")
        names, i = [], 0
        while option.contents.choices[i].name:
            names.append(option.contents.choices[i].name.decode())
            i += 1
        return [name for name in names if name != "auto"]

    def options(self, group, given):
        """The options' struct with the given values, {name: value}."""
        size = group.contents.size
        struct = ctypes.create_string_buffer(size)
        self.wavefront.wf_option_group_init_sized(group, struct, c_size_t(size))
        for name, value in given.items():
            option = self.wavefront.wf_option_group_find(group, name.encode())
            if not option:
                raise Refused(f"no option {name}")
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self.call("wf_option_parse", option, struct, text.encode())
        return struct

    def image(self, array):
        """A view of an array of one, two or three dimensions, or of one on a device."""
        if isinstance(array, DeviceArray):
            return array.image
        shape = (1,) * (3 - array.ndim) + array.shape
        image = Image()
        if not array.flags.c_contiguous:
            raise ValueError("the array has gaps")
        self.call("wf_image_init", byref(image), TYPES[array.dtype.name], c_int64(shape[2]),
                  c_int64(shape[1]), c_int64(shape[0]), c_void_p(array.ctypes.data))
        return image


class DeviceArray:
    """An image of the type and size of an array, in the memory of a GPU of a context."""

    def __init__(self, context, array, device=0):
        self.context, self.like, self.image = context, array, Image()
        shape = (1,) * (3 - array.ndim) + array.shape
        context.library.call("wf_image_allocate_on", context.pointer, byref(self.image),
                             c_int(device + 1), TYPES[array.dtype.name], c_int64(shape[2]),
                             c_int64(shape[1]), c_int64(shape[0]))

    def __del__(self):
        self.context.library.wavefront.wf_image_clear(byref(self.image))

    def _copy(self, source, target):
        self.context.library.call("wf_image_copy", self.context.pointer, byref(source),
                                  byref(target))

    def upload(self, array):
        self._copy(self.context.library.image(array), self.image)

    def download(self, array):
        self._copy(self.image, self.context.library.image(array))


class Blocks:
    """A two-dimensional array as a source and a sink of blocks of whole rows."""

    def __init__(self, array):
        self.array = array
        self.functions = BLOCK_FUNCTION(self._read), BLOCK_FUNCTION(self._write)
        height, width = array.shape
        self.source = Source(TYPES[array.dtype.name], width, height, 1, self.functions[0], None)
        self.sink = Sink(self.functions[1], self.functions[0], None)

    def _place(self, y, block):
        row = self.array.strides[0]
        return self.array.ctypes.data + y * row, block.contents.height * row

    def _read(self, _data, _x, y, _z, block, _error):
        place, size = self._place(y, block)
        ctypes.memmove(block.contents.data, place, size)
        return 1

    def _write(self, _data, _x, y, _z, block, _error):
        place, size = self._place(y, block)
        ctypes.memmove(place, block.contents.data, size)
        return 1


class Context:
    """A WfContext: the device, and the number of threads on the CPU."""

    def __init__(self, library, threads=1, tile_size=0, partial=False, device="cpu"):
        self.library = library
        self.pointer = c_void_p(library.wavefront.wf_context_new())
        options = library.options(library.wavefront.wf_context_get_options(),
                                  {"device": device, "threads": threads, "tile-size": tile_size})
        library.call("wf_context_configure", self.pointer, options)
        library.wavefront.wf_context_set_partial_outputs(self.pointer, partial)
        self.cancellable = None

    def __del__(self):
        self.library.wavefront.wf_context_unref(self.pointer)

    @contextlib.contextmanager
    def cancellable_now(self):
        """Yields a function that cancels the running operation, from any thread."""
        gio, gobject = self.library.gio, ctypes.CDLL("libgobject-2.0.so.0")
        cancellable = c_void_p(gio.g_cancellable_new())
        self.library.wavefront.wf_context_set_cancellable(self.pointer, cancellable)
        try:
            yield lambda: gio.g_cancellable_cancel(cancellable)
        finally:
            self.library.wavefront.wf_context_set_cancellable(self.pointer, None)
            gobject.g_object_unref(cancellable)

    def algorithm(self):
        """The algorithm of the last operation."""
        report = self.library.wavefront.wf_context_get_report(self.pointer)
        return report.contents.algorithm.decode() if report.contents.algorithm else "-"

    def executions(self):
        """How often the last operation was executed: again where a queue was too short."""
        return self.library.wavefront.wf_context_get_report(self.pointer).contents.executions

    def steps(self):
        """The steps of the last operation: {name: (seconds, rounds)}."""
        report = self.library.wavefront.wf_context_get_report(self.pointer).contents
        return {report.steps[i].name.decode(): (report.steps[i].seconds, report.steps[i].rounds)
                for i in range(report.n_steps)}

    def queued(self):
        """Pixels that queues of the last operation held at first, and in all."""
        report = self.library.wavefront.wf_context_get_report(self.pointer).contents
        return report.queued_first, report.queued

    def device(self):
        """The devices of the last operation."""
        report = self.library.wavefront.wf_context_get_report(self.pointer)
        return report.contents.device.decode() if report.contents.device else "-"

    def device_seconds(self):
        """The device time of the last operation on a GPU."""
        return self.library.wavefront.wf_context_get_report(self.pointer).contents.device_seconds

    def workers(self):
        """What each device did in the last operation that several shared."""
        n = c_uint()
        found = self.library.wavefront.wf_context_get_worker_reports(self.pointer, byref(n))
        return [found[i] for i in range(n.value)] if found else []

    def reconstruct(self, mask, marker, out, **given):
        return self._prepare("wf_reconstruct", "reconstruct", [mask, marker, out], [], given)

    def distance(self, image, out, **given):
        return self._prepare("wf_distance", "distance", [image, out, None], [], given)

    def distance_and_nearest(self, image, out, nearest, **given):
        return self._prepare("wf_distance", "distance", [image, out, nearest], [], given)

    def watershed(self, image, labels, **given):
        return self._prepare("wf_watershed", "watershed", [image, None, labels], [c_uint32()],
                             given)

    def label(self, image, labels, **given):
        return self._prepare("wf_label", "label", [image, labels], [c_uint32()], given)

    def fill_holes(self, image, out, **given):
        return self._prepare("wf_fill_holes", "fill-holes", [image, out], [], given)

    def filter(self, name, image, out, **given):
        """One of the operations that make one image of one image."""
        return self._prepare(f"wf_{name.replace('-', '_')}", name, [image, out], [], given)

    def geodesic_distance(self, mask, markers, costs, out, **given):
        return self._prepare("wf_geodesic_distance", "geodesic-distance",
                             [mask, markers, costs, out], [], given)

    def label_tool(self, name, labels, out, **given):
        function = f"wf_labels_{name.replace('-labels', '').replace('-', '_')}"
        group = self.library.wavefront.wf_labels_get_options(LABEL_TOOLS[name])
        return self._prepare_with(group, function, [labels, out], [c_uint32()], given)

    def measure_regions(self, labels, image, names=None):
        """Takes the measures of these names, or all; returns of how many regions."""
        library = self.library
        options = library.options(library.wavefront.wf_regions_get_options(), {})
        error = POINTER(GError)()
        measures = c_uint64()
        if names:
            library.call("wf_region_measures_parse", names.encode(), byref(measures))
        regions = c_void_p(library.wavefront.wf_regions_measure(
            self.pointer, byref(library.image(labels)), byref(library.image(image)), measures,
            options, byref(error)))
        if not regions:
            raise Refused(error.contents.message.decode())
        count = library.wavefront.wf_regions_get_n_regions(regions)
        library.wavefront.wf_regions_free(regions)
        return count

    def reconstruct_blocks(self, mask, marker, out, rows, way="auto", **given):
        ways = {"auto": 0, "queue": 1, "summary": 2}
        return self._prepare_blocks("reconstruct", [mask, marker], [out], [], given,
                                    c_int(ways[way]), c_int64(rows))

    def distance_blocks(self, image, out, rows, **given):
        return self._prepare_blocks("distance", [image], [out, None], [], given, c_int64(rows))

    def watershed_blocks(self, image, labels, rows, markers=None, scratch=None, **given):
        return self._prepare_blocks("watershed", [image, markers], [scratch, labels],
                                    [c_uint32()], given, c_int64(rows))

    def label_blocks(self, image, labels, rows, **given):
        return self._prepare_blocks("label", [image], [labels], [c_uint32()], given,
                                    c_int64(rows))

    def _prepare_blocks(self, operation, inputs, outputs, results, given, *last):
        """The same for images in blocks; the arrays are copied block by block."""
        library = self.library
        function = f"wf_{operation}_blocks"
        if not hasattr(library.wavefront, function):
            raise Refused(f"this library has no {function}")
        options = library.options(library.group(operation), given)
        sources = [None if array is None else Blocks(array) for array in inputs]
        sinks = [None if array is None else Blocks(array) for array in outputs]
        ends = [None if blocks is None else byref(blocks.source) for blocks in sources]
        ends += [None if blocks is None else byref(blocks.sink) for blocks in sinks]

        def run(keep=(sources, sinks, options)):
            library.call(function, self.pointer, *ends, *map(byref, results), options, *last)

        return run

    def _prepare(self, function, operation, arrays, results, given):
        """Prepares the arguments; returns a function that only calls the operation."""
        if not hasattr(self.library.wavefront, function):
            raise Refused(f"this library has no {function}")
        return self._prepare_with(self.library.group(operation), function, arrays, results, given)

    def _prepare_with(self, group, function, arrays, results, given):
        library = self.library
        given = {name.replace("_", "-"): value for name, value in given.items()}
        options = library.options(group, given)
        images = [None if array is None else byref(library.image(array)) for array in arrays]

        def run(keep=(arrays, options)):
            library.call(function, self.pointer, *images, *map(byref, results), options)

        return run
