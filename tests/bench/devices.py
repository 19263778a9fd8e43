# SPDX-License-Identifier: GPL-3.0-or-later
"""Several devices that share an image, from and to pinned memory.

Each list of devices computes the same image; the results must be equal to the bit. The sides are
those of --devices-sides. Peers have nothing of the kind, so the figure is the speed,
beside the time of the transfers at the full speed of one link.
"""
import os
import time

import numpy

import engine
import gpu
import inputs
from report import Row

SECTION = "Several devices"

# What a link of the machine can do one way, bytes a second.
LINK = 55e9

# Seconds from and to pinned memory: (operation, side, number of GPUs).
TARGETS = {
    ("reconstruct", 98304, 1): 0.60, ("reconstruct", 98304, 2): 0.33,
    ("reconstruct", 98304, 4): 0.27,
    ("distance", 65536, 1): 0.40, ("distance", 65536, 2): 0.21, ("distance", 65536, 4): 0.18,
    ("watershed", 65536, 1): 0.45, ("watershed", 65536, 2): 0.25, ("watershed", 65536, 4): 0.20,
}

# What so many GPUs reach against one where only computing counts.
BANDS_TARGETS = {2: 1.8, 4: 3.2}

# Plain memory against pinned memory, from this side on.
PLAIN_SIDE = 65536
PLAIN_TARGET = 1.25

# Operations with results of four bytes a pixel take four images of bytes more.
LARGEST_SIDE = {"reconstruct": 98304, "distance": 65536, "watershed": 65536, "label": 65536}

# Rows and columns of an image that a comparison looks at in one go.
STRIP = 512


def lists(library):
    """The lists of devices: each number of GPUs alone, and with the CPU."""
    n = 0
    while True:
        try:
            library.device_description(n + 1)
        except IndexError:
            break
        n += 1
    names = [",".join(f"cuda:{i}" for i in range(k + 1)) for k in range(n)]
    return [(k + 1, name) for k, name in enumerate(names)] + \
           [(k + 1, f"{name},cpu") for k, name in enumerate(names)] + [(0, "cpu")]


def tiled(picture, side):
    """A large image of copies of a small one."""
    times = -(-side // picture.shape[0])
    whole = numpy.empty((side, side), picture.dtype)
    row = numpy.tile(picture, (1, times))[:, :side]
    for y in range(0, side, row.shape[0]):
        whole[y:y + row.shape[0]] = row[:side - y]
    return whole


def covered(picture, side, percent):
    """The same with tissue in this share of its squares, evenly spread; the others are dark."""
    whole = tiled(picture, side)
    size = min(picture.shape[0], side)
    squares = [(y, x) for y in range(0, side, size) for x in range(0, side, size)]
    for i, (y, x) in enumerate(squares):
        if (i + 1) * percent // 100 == i * percent // 100:
            whole[y:y + size, x:x + size] = 0
    return whole


def seconds(run, rounds):
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return sorted(times[1:])[(rounds - 1) // 2]


def is_equal(one, other):
    """Compared to the bit, without an image of differences."""
    rows = range(0, one.shape[0], STRIP)
    return all(numpy.array_equal(one[y:y + STRIP].view(numpy.uint8),
                                 other[y:y + STRIP].view(numpy.uint8)) for y in rows)


class Work:
    """An operation on large images: what goes in, what comes out, and the bytes of both."""

    def __init__(self, operation, bench, side, percent=100):
        picture = inputs.tissue(bench.picture, 4096)
        if operation in ("distance", "label"):
            picture = inputs.binary_of(picture)
        if operation == "watershed":
            picture = inputs.gradient_of(picture)
        self.operation = operation
        self.side = side
        self.arrays = [covered(picture, side, percent)]
        if operation == "reconstruct":
            self.arrays.append(inputs.marker_of(self.arrays[0]))
        self.out = numpy.zeros((side, side), {"reconstruct": "uint8", "distance": "float32"}
                               .get(operation, "uint32"))
        self.bytes = sum(array.nbytes for array in self.arrays) + self.out.nbytes

    def pin(self, driver):
        for array in [*self.arrays, self.out]:
            driver.pin(array)

    def unpin(self, driver):
        for array in [*self.arrays, self.out]:
            driver.unpin(array)

    def call(self, context):
        return getattr(context, self.operation)(*self.arrays, self.out)


def make_context(bench, name, tile_size=0):
    return engine.Context(bench.library, threads=len(os.sched_getaffinity(0)), device=name,
                          partial=True, tile_size=tile_size)


def compare_lists(bench, driver, operation, side):
    work = Work(operation, bench, side)
    plain = None
    if side >= PLAIN_SIDE and lists(bench.library)[0][0] == 1:
        plain = seconds(work.call(make_context(bench, "cuda:0")), bench.arguments.rounds)
    work.pin(driver)
    first = None
    for n, name in lists(bench.library):
        context = make_context(bench, name)
        work.out[:] = 0
        taken = seconds(work.call(context), bench.arguments.rounds)
        if first is None:
            first = work.out.copy()
        elif not is_equal(work.out, first):
            raise SystemExit(f"bench: {operation} on {name} differs")
        target = TARGETS.get((operation, side, n))
        bench.report.add(Row(SECTION, f"{operation}, {side}², {name}",
                             f"{work.out.size / taken / 1e6:.0f} Mpx/s, transfers alone "
                             f"{work.bytes / LINK / max(n, 1):.3f} s, device time "
                             f"{context.device_seconds():.4f} s, on {context.device()}",
                             taken, " s", ("at most", target) if target and n > 0 else None))
        if name == "cuda:0" and plain:
            bench.report.add(Row(SECTION, f"{operation}, {side}², {name}, plain memory",
                                 f"{plain:.3f} s", plain / taken, " ×",
                                 ("at most", PLAIN_TARGET)))
    work.unpin(driver)


def block_sides(bench, driver, side):
    """Blocks of 1024 rows to 32768, on all devices together."""
    work = Work("reconstruct", bench, side)
    work.pin(driver)
    name = lists(bench.library)[-2][1]
    for rows in (1024, 2048, 4096, 8192, 16384, 32768):
        if rows > side:
            continue
        context = make_context(bench, name, rows)
        taken = seconds(work.call(context), bench.arguments.rounds)
        bench.report.add(Row(SECTION, f"reconstruct, {side}², {name}, blocks of {rows} rows",
                             f"{work.out.size / taken / 1e6:.0f} Mpx/s", taken, " s"))
    work.unpin(driver)


def band_a_gpu(bench, driver, side):
    """One band for each of several GPUs, whose computing alone counts, against all on one."""
    names = {n: name for n, name in lists(bench.library) if n > 0 and "cpu" not in name}
    for operation in ("watershed", "reconstruct"):
        work = Work(operation, bench, side)
        work.pin(driver)
        alone = make_context(bench, names[1])
        seconds(work.call(alone), bench.arguments.rounds)
        for n, target in BANDS_TARGETS.items():
            if n not in names:
                continue
            context = make_context(bench, names[n], -(-side // n))
            taken = seconds(work.call(context), bench.arguments.rounds)
            most = max(worker.compute_seconds for worker in context.workers())
            visits = ", ".join(f"{worker.device.decode()} {worker.blocks} visits, "
                               f"{worker.compute_seconds * 1e3:.2f} ms"
                               for worker in context.workers())
            bench.report.add(Row(SECTION, f"{operation}, {side}², one band each of {n} GPUs, "
                                          "computing",
                                 f"alone {alone.device_seconds() * 1e3:.2f} ms; {visits}; "
                                 f"whole call {taken:.3f} s",
                                 alone.device_seconds() / most, " ×", ("at least", target)))
        work.unpin(driver)


def coverage(bench, driver, side):
    """Tissue on 25 to 100 % of the picture, the rest dark."""
    for operation in ("reconstruct", "watershed"):
        for percent in (25, 50, 75, 100):
            work = Work(operation, bench, side, percent)
            work.pin(driver)
            context = make_context(bench, "cuda:0")
            taken = seconds(work.call(context), bench.arguments.rounds)
            bench.report.add(Row(SECTION, f"{operation}, {side}², {percent} % tissue, cuda:0",
                                 f"device time {context.device_seconds() * 1e3:.2f} ms", taken,
                                 " s"))
            work.unpin(driver)


def devices_section(bench):
    bench.report.section(SECTION)
    try:
        driver = gpu.Driver()
    except (OSError, RuntimeError) as problem:
        bench.report.remark(f"Several devices: left out: {problem}")
        return
    for side in bench.arguments.devices_sides:
        for operation, largest in LARGEST_SIDE.items():
            if side <= largest and bench.wants_operation(operation):
                compare_lists(bench, driver, operation, side)
    side = min(bench.arguments.devices_sides[-1], 32768)
    block_sides(bench, driver, side)
    band_a_gpu(bench, driver, side)
    coverage(bench, driver, min(side, 16384))
