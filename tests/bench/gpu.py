# SPDX-License-Identifier: GPL-3.0-or-later
"""The GPU: device time, whole calls from pinned memory, and peers.

Device time is the time in the library's report: kernels alone, measured by CUDA events, with the
images on the device. A whole call from pinned memory is measured by the clock, and compared with
the same transfers alone. Each result is compared with the CPU's and must be equal to the bit.
"""
import ctypes
import os
import statistics
import time

import numpy

import engine
import gpu_peers
import inputs
from report import Row

SECTION = "GPU, device time"

# Milliseconds on an H200, by (operation, case, side).
TARGETS = {
    ("reconstruct", "8 neighbors", 16384): 2.0, ("reconstruct", "4 neighbors", 16384): 1.8,
    ("reconstruct", "8 neighbors", 4096): 0.22,
    ("distance", "Otsu mask", 16384): 0.65, ("distance", "one background pixel", 16384): 0.8,
    ("distance", "1 % background", 16384): 0.6, ("distance", "40 % background", 16384): 0.45,
    ("distance", "Otsu mask", 4096): 0.065,
    ("watershed", "4 neighbors", 16384): 5, ("watershed", "4 neighbors", 4096): 0.45,
}
TYPE_FACTORS = {"uint16": 2.5, "float32": 5}
HARD_FACTOR = 20
STACK_FACTOR = 3
NEAREST_FACTOR = 2
WHOLE_FACTOR = 1.2


class Driver:
    """The functions of CUDA's driver used here: pinning memory, plain transfers, its GPU's size."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        self._check(self.cuda.cuInit(0))
        self._check(self.cuda.cuDeviceGet(ctypes.byref(self.device), 0))
        self._check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), self.device))
        self._check(self.cuda.cuCtxSetCurrent(context))

    @staticmethod
    def _check(status):
        if status != 0:
            raise RuntimeError(f"CUDA's driver failed with status {status}")

    def resident_threads(self):
        """How many threads the first GPU holds at the same time."""
        numbers = []
        for attribute in (16, 39):    # multiprocessors, and the threads of one
            number = ctypes.c_int()
            self._check(self.cuda.cuDeviceGetAttribute(ctypes.byref(number), attribute, self.device))
            numbers.append(number.value)
        return numbers[0] * numbers[1]

    def pin(self, array):
        self._check(self.cuda.cuMemHostRegister_v2(ctypes.c_void_p(array.ctypes.data),
                                                   ctypes.c_size_t(array.nbytes), 0))

    def unpin(self, array):
        self._check(self.cuda.cuMemHostUnregister(ctypes.c_void_p(array.ctypes.data)))

    def transfer_seconds(self, arrays, out, rounds):
        """Copies the arrays to the device and the output back, from and to pinned memory."""
        memory = ctypes.c_uint64()
        largest = max(array.nbytes for array in [*arrays, out])
        self._check(self.cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(largest)))
        times = []
        for _ in range(rounds + 1):
            start = time.perf_counter()
            for array in arrays:
                self._check(self.cuda.cuMemcpyHtoD_v2(memory, ctypes.c_void_p(array.ctypes.data),
                                                      ctypes.c_size_t(array.nbytes)))
            self._check(self.cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(out.ctypes.data), memory,
                                                  ctypes.c_size_t(out.nbytes)))
            times.append(time.perf_counter() - start)
        self._check(self.cuda.cuMemFree_v2(memory))
        return statistics.median(times[1:])


class Gpu:
    """A context on the device, and one on all threads of the CPU for comparison."""

    def __init__(self, bench):
        self.bench = bench
        self.library = bench.library
        self.rounds = max(bench.arguments.rounds, 3)
        self.device = engine.Context(self.library, device="cuda:0")
        self.cpu = engine.Context(self.library, threads=len(os.sched_getaffinity(0)))
        self.driver = Driver()
        self.peers, self.reasons = gpu_peers.find(self.rounds)
        self.description = self.library.device_description(1)
        self.is_h200 = "H200" in self.description

    def sides(self):
        size = self.bench.size
        return (size, 4 * size) if not self.bench.arguments.quick else (size,)

    def device_seconds(self, operation, arrays, out, **given):
        """The median, and the result in out; raises Refused."""
        return self.median_seconds(getattr(self.device, operation)(*arrays, out, **given))

    def median_seconds(self, run):
        times = []
        for _ in range(self.rounds + 1):
            run()
            times.append(self.device.device_seconds())
        return statistics.median(times[1:])

    def check(self, operation, arrays, out, **given):
        expected = numpy.empty_like(out)
        getattr(self.cpu, operation)(*arrays, expected, **given)()
        if not numpy.array_equal(out, expected):
            different = numpy.count_nonzero(out != expected)
            raise SystemExit(f"bench: {operation} {given}: the GPU and the CPU differ in "
                             f"{different} pixels")

    def add(self, case, seconds, n_bytes, target=None, note=""):
        """n_bytes: the minimum of bytes read and written."""
        rate = n_bytes / seconds / 1e9
        self.bench.report.add(Row(SECTION, case, f"{rate:.0f} GB/s of the minimum",
                                  1e3 * seconds, " ms",
                                  ("at most", target) if target and self.is_h200 else None, note))

    def ratio(self, section, case, seconds, base, factor, what):
        self.bench.report.add(Row(section, case, f"{1e3 * seconds:.3f} ms, {what} "
                                  f"{1e3 * base:.3f}", seconds / base, " ×",
                                  ("at most", factor) if factor else None))


def cases(bench, operation, side):
    """Yields (case, arrays, options)."""
    if operation == "reconstruct":
        for connectivity in (8, 4):
            yield (f"{connectivity} neighbors", bench.arrays(operation, side),
                   {"connectivity": connectivity})
    elif operation == "distance":
        yield "Otsu mask", bench.arrays(operation, side), {}
        yield "one background pixel", [inputs.one_background(side)], {}
        yield "1 % background", [inputs.random_background(side, 0.01)], {}
        yield "40 % background", [inputs.random_background(side, 0.4)], {}
    elif operation == "watershed":
        for connectivity in (4, 8):
            yield (f"{connectivity} neighbors", bench.arrays(operation, side),
                   {"connectivity": connectivity})
    else:
        for connectivity in (8, 4):
            yield (f"{connectivity} neighbors", bench.arrays(operation, side),
                   {"connectivity": connectivity})


def bytes_moved(arrays, out):
    return sum(array.nbytes for array in arrays) + out.nbytes


def resident(gpu, operation, side):
    """Device times and whole calls of one operation."""
    bench = gpu.bench
    for case, arrays, given in cases(bench, operation, side):
        out = bench.output(operation, arrays)
        title = f"{operation} u8, {case}, {side}²"
        try:
            seconds = gpu.device_seconds(operation, arrays, out, **given)
        except engine.Refused as problem:
            bench.report.remark(f"{title}: {problem}")
            continue
        gpu.check(operation, arrays, out, **given)
        gpu.add(title, seconds, bytes_moved(arrays, out), TARGETS.get((operation, case, side)))
        against_peers(gpu, operation, case, side, arrays, out, seconds, given)
        whole(gpu, title, operation, arrays, out, given)


def against_peers(gpu, operation, case, side, arrays, out, seconds, given):
    """Compares with each peer that has the operation; peers may number labels differently."""
    for peer in gpu.peers:
        function = getattr(peer, operation, None)
        if not function or side > peer.largest.get(operation, side):
            continue
        try:
            milliseconds, result = function(arrays[0], *given.values())
        except Exception as problem:  # out of memory, or unsupported sizes
            gpu.bench.report.remark(f"{peer.name}: {operation}, {case}, {side}²: {problem}")
            continue
        if operation == "distance":
            same = numpy.allclose(result, out, rtol=1e-6)
        elif operation == "label" and peer.name == "CuPy":
            same = int(result.max()) == int(out.max())
        else:
            same = True     # NPP labels the background too, in another order
        gpu.bench.report.add(Row("GPU, compared with peers", f"{operation} u8, {case}, {side}²",
                                 f"{1e3 * seconds:.3f} ms, {peer.name} {milliseconds:.2f} ms",
                                 milliseconds / 1e3 / seconds, " ×", None,
                                 "" if same else "results differ"))


def whole(gpu, title, operation, arrays, out, given):
    """Whole calls from pinned and from plain memory, against the transfers alone."""
    run = getattr(gpu.device, operation)(*arrays, out, **given)
    plain = clock(run, gpu.rounds)
    for array in [*arrays, out]:
        gpu.driver.pin(array)
    try:
        pinned = clock(run, gpu.rounds)
        transfers = gpu.driver.transfer_seconds(arrays, out, gpu.rounds)
    finally:
        for array in [*arrays, out]:
            gpu.driver.unpin(array)
    # in smaller images launches and waits take longer than the transfers
    factor = WHOLE_FACTOR if arrays[0].size >= 1 << 24 else None
    gpu.ratio("GPU, whole calls from pinned memory", title, pinned, transfers, factor,
              "transfers")
    gpu.bench.report.add(Row("GPU, whole calls from plain memory", title,
                             f"{1e3 * plain:.1f} ms, transfers {1e3 * transfers:.1f}",
                             plain / transfers, " ×"))


def clock(run, rounds):
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


class Comparison:
    """Reports times as multiples of the time on the tissue in u8."""

    def __init__(self, gpu, operation, side):
        self.gpu, self.operation, self.side = gpu, operation, side
        self.given = {"connectivity": 4} if operation == "watershed" else {}
        arrays = gpu.bench.arrays(operation, side)
        out = gpu.bench.output(operation, arrays)
        self.base = gpu.device_seconds(operation, arrays, out, **self.given)

    def add(self, section, case, arrays, factor, options=None):
        gpu, options = self.gpu, self.given if options is None else options
        out = gpu.bench.output(self.operation, arrays)
        try:
            seconds = gpu.device_seconds(self.operation, arrays, out, **options)
        except engine.Refused as problem:
            gpu.bench.report.remark(f"{self.operation}, {case}: {problem}")
            return
        gpu.check(self.operation, arrays, out, **options)
        gpu.ratio(section, f"{self.operation}, {case}, {self.side}²", seconds, self.base, factor,
                  "u8")


def hard(gpu, operation, side):
    comparison = Comparison(gpu, operation, side)
    for name, *arrays in HARD[operation](side):
        comparison.add("GPU, hard contents against the tissue", name, arrays, HARD_FACTOR)


def compared(gpu, operation, side):
    """Types, stacks and nearest pixels against the tissue in u8."""
    bench = gpu.bench
    comparison = Comparison(gpu, operation, side)
    for dtype, factor in TYPE_FACTORS.items():
        comparison.add("GPU, types against u8", dtype, bench.arrays(operation, side, dtype),
                       factor)
    stack = [as_stack(array) for array in bench.arrays(operation, side)]
    for connectivity in (6, 26):
        if operation == "distance" and connectivity == 6:
            continue        # distances have no connectivity
        comparison.add("GPU, a voxel against a pixel",
                       f"{SLICES} slices, {connectivity} neighbors", stack, STACK_FACTOR,
                       {} if operation == "distance" else {"connectivity": connectivity})
    if operation == "distance":
        image = bench.arrays(operation, side)[0]
        nearest = numpy.empty(image.shape, numpy.uint64)
        run = gpu.device.distance_and_nearest(image, bench.output(operation, [image]), nearest)
        gpu.ratio("GPU, nearest pixels against distances", f"{operation}, {side}²",
                  gpu.median_seconds(run), comparison.base, NEAREST_FACTOR, "alone")


# Milliseconds on an H200, by (case, side).
LONG_TARGETS = {("fill holes", 8192): 1.8, ("200 points", 8192): 1.8,
                ("serpentine", 16384): 6, ("spiral", 16384): 6}


def long_ways(gpu, side):
    """Reconstruction where levels propagate far, by the automatic choice and by basins."""
    bench = gpu.bench
    for name, mask, marker, given in inputs.long_ways(bench.tissue(side)):
        for connectivity in (8, 4):
            for algorithm in ("auto", "basins"):
                options = {"connectivity": connectivity, **given}
                out = numpy.empty_like(mask)
                try:
                    seconds = gpu.device_seconds("reconstruct", [mask, marker], out,
                                                 algorithm=algorithm, **options)
                except engine.Refused as problem:
                    bench.report.remark(f"reconstruct, {name}, {algorithm}: {problem}")
                    continue
                gpu.check("reconstruct", [mask, marker], out, **options)
                target = LONG_TARGETS.get((name, side)) if algorithm == "auto" else None
                bench.report.add(Row("GPU, long ways", f"reconstruct u8, {name}, {connectivity} "
                                     f"neighbors, {algorithm}, {side}²", "device time",
                                     1e3 * seconds, " ms",
                                     ("at most", target) if target and gpu.is_h200 else None))


SLICES = 64


def as_stack(image):
    """The same pixels as a stack: each slice is a band of the image."""
    height, width = image.shape
    rows = height // SLICES
    return numpy.ascontiguousarray(image[:rows * SLICES].reshape(SLICES, rows, width))


HARD = {"reconstruct": inputs.hard_reconstruction, "distance": inputs.hard_distance,
        "watershed": inputs.hard_watershed, "label": inputs.hard_distance}


# The papers' systems: the sequential algorithm that each is compared with, and the speed-up over
# one core that the paper reports for its GPU, if any.
PAPERS = {
    "reconstruct": [("raster", "sequential", 15), ("queue", "hybrid", 20),
                    ("queue-prefix", "hybrid", None), ("queue-naive", "hybrid", None)],
    "distance": [("propagation", "propagation", None), ("proximate", "envelope", 26),
                 ("proximate-strided", "envelope", None)],
    "watershed": [("sync", "steepest", None), ("async", "steepest", None),
                  ("balanced", "steepest", None)],
}


def papers(gpu, operation, side):
    """The papers' systems against one CPU core."""
    bench = gpu.bench
    arrays = bench.arrays(operation, side)
    one = engine.Context(gpu.library, threads=1)
    given = {"connectivity": 8} if operation == "reconstruct" else \
            {"connectivity": 4} if operation == "watershed" else {}
    slow = {}
    for algorithm, sequential, factor in PAPERS.get(operation, []):
        out = bench.output(operation, arrays)
        try:
            seconds = gpu.device_seconds(operation, arrays, out, algorithm=algorithm, **given)
        except engine.Refused as problem:
            bench.report.remark(f"{operation}, {algorithm}: {problem}")
            continue
        if sequential not in slow:
            expected = numpy.empty_like(out)
            start = time.perf_counter()
            getattr(one, operation)(*arrays, expected, algorithm=sequential, **given)()
            slow[sequential] = time.perf_counter() - start, expected
        alone, expected = slow[sequential]
        if not numpy.array_equal(out, expected):
            raise SystemExit(f"bench: {operation}: {algorithm} and {sequential} differ")
        bench.report.add(Row("GPU, the papers' systems against one CPU core",
                             f"{operation} {algorithm}, {side}²",
                             f"{1e3 * seconds:.2f} ms, {sequential} {1e3 * alone:.0f}",
                             alone / seconds, " ×",
                             ("at least", factor) if factor and gpu.is_h200 else None))


def first_use(gpu):
    """Creating the context, loading the module and the first operation, in a new process."""
    from measure import Child
    image = gpu.bench.arrays("distance", 256)
    taken = Child(gpu.library, 0, "wall").first_use("distance", image, "float32", {})
    gpu.bench.report.add(Row("GPU, first use", "distance 256², new process", taken["algorithm"],
                             taken["seconds"], " s", ("at most", 0.4) if gpu.is_h200 else None))


def gpu_section(bench):
    bench.report.section("GPU")
    try:
        gpu = Gpu(bench)
    except (engine.Refused, OSError, RuntimeError) as problem:
        bench.report.remark(f"GPU: left out: {problem}")
        return
    bench.report.facts.append(("GPU", gpu.description))
    for reason in gpu.reasons:
        bench.report.remark(reason)
    first_use(gpu)
    for operation in bench.operations():
        for side in gpu.sides():
            resident(gpu, operation, side)
        try:
            for side in gpu.sides():
                compared(gpu, operation, side)
                hard(gpu, operation, side)
                if operation == "reconstruct":
                    long_ways(gpu, side)
            if operation == "reconstruct" and not bench.arguments.quick:
                long_ways(gpu, 2 * bench.size)
        except engine.Refused as problem:
            bench.report.remark(f"{operation}: {problem}")
        papers(gpu, operation, bench.size)
