# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls libwavefront on NumPy arrays without copying them.

Structs, prototypes, options and views of arrays are those of the Python package, from python/ in
this tree; it loads one library in a process. Its functions follow each operation, to report progress
and to handle signals; here arguments are prepared first, and what is timed is the library's function
alone. What only benchmarks call is declared here: images in blocks and the reports of workers. A call
adds a few microseconds to the engine's time.
"""
import contextlib
import ctypes
import functools
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_uint, c_uint32, c_uint64
from ctypes import c_void_p

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "python")

# Those that every section measures.
OPERATIONS = ("reconstruct", "distance", "watershed", "label", "fill-holes")


class Worker(ctypes.Structure):
    _fields_ = [("device", c_char_p), ("blocks", c_int64), ("busy_seconds", c_double),
                ("compute_seconds", c_double), ("upload_seconds", c_double),
                ("download_seconds", c_double), ("file_seconds", c_double), ("failed", c_int),
                ("reserved", c_void_p * 8)]


# The block is an image, the last one a GError **.
BLOCK_FUNCTION = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_int64, c_int64, c_void_p, c_void_p)


class Source(ctypes.Structure):
    _fields_ = [("type", c_int), ("width", c_int64), ("height", c_int64), ("depth", c_int64),
                ("read", BLOCK_FUNCTION), ("data", c_void_p), ("image", c_void_p), ("flags", c_uint),
                ("reserved", c_void_p * 8)]


class Sink(ctypes.Structure):
    _fields_ = [("write", BLOCK_FUNCTION), ("read", BLOCK_FUNCTION), ("data", c_void_p),
                ("image", c_void_p), ("are_finished", c_void_p), ("finish", c_void_p),
                ("flags", c_uint), ("reserved", c_void_p * 8)]


class Refused(Exception):
    """The library's error message."""


def load_package(path):
    """The modules of the Python package, with this library."""
    os.environ["WAVEFRONT_LIBRARY"] = path
    if PACKAGE not in sys.path:
        sys.path.insert(0, PACKAGE)
    from wavefront import _arrays, _device, _devices, _library, _operations, _options
    if _library.lib._name != path:
        raise Refused(f"This process measures {_library.lib._name}, not {path}.")
    _library.lib.wf_context_get_worker_reports.restype = POINTER(Worker)
    _library.lib.wf_context_get_worker_reports.argtypes = [c_void_p, POINTER(c_uint)]
    _library.lib.wf_blocks_get_options.restype = POINTER(_library.OptionGroup)
    return _arrays, _device, _devices, _library, _operations, _options


class Library:
    """The libwavefront that this process measures."""

    def __init__(self, path):
        self.path = path
        (self._arrays, self.device_arrays, self._devices, self.binding, self._operations,
         self._options) = load_package(path)
        self.wavefront = self.binding.lib

    def version(self):
        return self.wavefront.wf_version().decode()

    def device_description(self, number):
        """Describes the device of this number; 0 is the CPU."""
        return self._devices.devices()[number].description

    def call(self, name, *arguments):
        """Calls a function that takes a GError ** last."""
        try:
            return self.binding.call(getattr(self.wavefront, name), *arguments)
        except self.binding.Error as problem:
            raise Refused(str(problem)) from None

    @functools.cached_property
    def _lists(self):
        """The options of operations and of others, by their names."""
        lists = {operation.name: operation.options for operation in self._operations.operations()}
        for name in ("blocks", "context", "regions"):
            group = getattr(self.wavefront, f"wf_{name}_get_options")()
            lists[name] = self._options.OptionList(group)
        return lists

    def _list(self, name):
        return self._lists[self._options.python_name(name)]

    def algorithms(self, operation):
        """The names of the operation's algorithms, without auto."""
        option = self._list(operation).options["algorithm"]
        return [name for name in self._options.choice_names(option) if name != "auto"]

    def options(self, name, given):
        """The options' struct with the given values, {name: value}."""
        options = self._list(name)
        values = {self._options.python_name(key): value for key, value in given.items()}
        unknown = sorted(set(values) - set(options.options))
        if unknown:
            raise Refused(f"no option {', '.join(unknown)}")
        try:
            return options.make(values)
        except self.binding.Error as problem:
            raise Refused(str(problem)) from None

    def image(self, array):
        """A view of an array of one, two or three dimensions, or of one on a device."""
        if isinstance(array, DeviceArray):
            return array.image
        if not array.flags.c_contiguous:
            raise ValueError("the array has gaps")
        return self._arrays.View(array, "the array").image


class DeviceArray:
    """An image of the type and size of an array, in the memory of a GPU of a context."""

    def __init__(self, context, array, device=0):
        self.context = context
        self.array = context.library.device_arrays.DeviceArray.allocate(array.shape, array.dtype,
                                                                        device, context)
        self.image = self.array.image

    def _copy(self, source, target):
        self.context.library.call("wf_image_copy", self.context.pointer, byref(source),
                                  byref(target))

    def upload(self, array):
        self._copy(self.context.library.image(array), self.image)

    def download(self, array):
        self._copy(self.image, self.context.library.image(array))


class Blocks:
    """A two-dimensional array as a source and a sink of blocks of whole rows."""

    def __init__(self, array, image, in_memory):
        """@image: the array as an image; with @in_memory the library reads and writes it itself"""
        self.array, self.image = array, image
        self.functions = BLOCK_FUNCTION(self._read), BLOCK_FUNCTION(self._write)
        height, width = array.shape
        self.source = Source(image.type, width, height, 1, self.functions[0], None)
        self.sink = Sink(self.functions[1], self.functions[0], None)
        if in_memory:
            self.source.image = self.sink.image = ctypes.addressof(image)

    def _place(self, y, block):
        """The pixels of a block, those of its rows in the array, and their bytes."""
        block, row = type(self.image).from_address(block), self.array.strides[0]
        return block.data, self.array.ctypes.data + y * row, block.height * row

    def _read(self, _data, _x, y, _z, block, _error):
        pixels, place, size = self._place(y, block)
        ctypes.memmove(pixels, place, size)
        return 1

    def _write(self, _data, _x, y, _z, block, _error):
        pixels, place, size = self._place(y, block)
        ctypes.memmove(place, pixels, size)
        return 1


class Context:
    """A WfContext: the device, and the number of threads on the CPU."""

    def __init__(self, library, threads=1, tile_size=0, partial=False, device="cpu"):
        self.library = library
        self.pointer = c_void_p(library.wavefront.wf_context_new())
        options = library.options("context", {"device": device, "threads": threads,
                                              "tile-size": tile_size})
        library.call("wf_context_configure", self.pointer, options)
        library.wavefront.wf_context_set_partial_outputs(self.pointer, partial)

    def __del__(self):
        self.library.wavefront.wf_context_unref(self.pointer)

    def run(self, function, *arguments):
        """Calls a function of the library whose first argument is the context."""
        return self.library.binding.call(function, self.pointer, *arguments)

    @contextlib.contextmanager
    def cancellable_now(self):
        """Yields a function that cancels the running operation, from any thread."""
        gio, gobject = self.library.binding.gio, self.library.binding.gobject
        cancellable = gio.g_cancellable_new()
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
        return self._prepare(function, name, [labels, out], [c_uint32()], given)

    def measure_regions(self, labels, image, names=None):
        """Takes the measures of these names, or all; returns of how many regions."""
        library = self.library
        measures = c_uint64()
        if names:
            library.call("wf_region_measures_parse", names.encode(), byref(measures))
        regions = library.call("wf_regions_measure", self.pointer, byref(library.image(labels)),
                               byref(library.image(image)), measures,
                               library.options("regions", {}))
        count = library.wavefront.wf_regions_get_n_regions(regions)
        library.wavefront.wf_regions_free(regions)
        return count

    def reconstruct_blocks(self, mask, marker, out, rows, way="auto", **given):
        return self._prepare_blocks("reconstruct", [mask, marker], [out], [], given, rows, way)

    def distance_blocks(self, image, out, rows, **given):
        return self._prepare_blocks("distance", [image], [out, None], [], given, rows)

    def watershed_blocks(self, image, labels, rows, markers=None, scratch=None, **given):
        return self._prepare_blocks("watershed", [image, markers], [scratch, labels],
                                    [c_uint32()], given, rows)

    def label_blocks(self, image, labels, rows, **given):
        return self._prepare_blocks("label", [image], [labels], [c_uint32()], given, rows)

    def _prepare_blocks(self, operation, inputs, outputs, results, given, rows, way="auto"):
        """The same for images in blocks; the arrays are copied block by block, or with "in_memory"
        read and written where they are."""
        library, in_memory = self.library, given.pop("in_memory", False)
        function = f"wf_{operation}_blocks"
        if not hasattr(library.wavefront, function):
            raise Refused(f"this library has no {function}")
        options = library.options(operation, given)
        blocks = library.options("blocks", {"way": way, "rows": rows})
        sources, sinks = ([None if array is None else
                           Blocks(array, library.image(array), in_memory)
                           for array in arrays] for arrays in (inputs, outputs))
        ends = [None if source is None else byref(source.source) for source in sources]
        ends += [None if sink is None else byref(sink.sink) for sink in sinks]

        def run(keep=(sources, sinks, options, blocks)):
            library.call(function, self.pointer, *ends, *map(byref, results), options, blocks)

        return run

    def _prepare(self, function, operation, arrays, results, given):
        """Prepares the arguments; returns a function that only calls the operation."""
        if not hasattr(self.library.wavefront, function):
            raise Refused(f"this library has no {function}")
        library = self.library
        options = library.options(operation, given)
        images = [None if array is None else byref(library.image(array)) for array in arrays]

        def run(keep=(arrays, options)):
            library.call(function, self.pointer, *images, *map(byref, results), options)

        return run
