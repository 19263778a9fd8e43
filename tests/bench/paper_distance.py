# SPDX-License-Identifier: GPL-3.0-or-later
"""The papers' experiments on the distance map: access to memory, density of background, tiles, and
the order in which an approximation propagates.
"""
import collections
import math
import time

import numpy

import devices
import inputs
import paper_devices

SIDE = 9216
VARIANTS = ("proximate-strided", "proximate", "auto")


def regular(side, percent):
    """Background (0) evenly spread: each row has every n-th pixel, moved from row to row."""
    out = numpy.empty((side, side), numpy.uint8)
    for y in range(0, side, inputs.ROWS):
        rows = out[y:y + inputs.ROWS]
        places = numpy.arange(y * side, y * side + rows.size, dtype=numpy.int64)
        taken = places * 7919 % out.size * percent % 100 >= 100 - percent
        rows[:] = numpy.where(taken, 0, 255).reshape(rows.shape)
    return out


def measured(setting, experiment, image, **parameters):
    """On one core by the project's default, and by scans of columns and envelopes of rows, which
    is nearest to the paper's; then the paper's and the default on the GPU."""
    for what, algorithm in (("core, envelope", "envelope"), ("core", "auto")):
        setting.time(experiment, what, setting.core(), "distance", [image],
                     {"algorithm": algorithm}, reference=f"{experiment} {parameters}", rounds=1,
                     **parameters)
    for what in VARIANTS:
        setting.time(experiment, what, setting.context(), "distance", [image], {"algorithm": what},
                     reference=f"{experiment} {parameters}", **parameters)


def access(setting):
    """Table 1 of C."""
    measured(setting, "access", inputs.binary_of(setting.tissue(setting.side(SIDE))))


def density(setting):
    """Figures 19 to 22 of C."""
    side = setting.side(SIDE)
    for percent in (0, 40, 100) if setting.quick else (0, 1, 5, 10, 20, 30, 40, 50, 60, 80, 100):
        measured(setting, "density", inputs.random_background(side, percent / 100), spread="random",
                 density=percent)
        measured(setting, "density", regular(side, percent), spread="regular", density=percent)


def tiles(setting):
    """Table 2 of A: square tiles of the image, each with a margin around it."""
    work = devices.Work("distance", setting, setting.side(65536))
    with paper_devices.pinned(work) as memory:
        same = {"memory": memory, "side": work.side, "reference": "distance-tiles", "out": work.out}
        setting.time("distance-tiles", "core", setting.core(), "distance", work.arrays, rounds=1,
                     tile="—", **same)
        for tile in ("—", *setting.sides(4096, 8192, 16384, 32768)):
            context = setting.context(tile_size=0 if tile == "—" else tile)
            setting.time("distance-tiles", "auto", context, "distance", work.arrays, tile=tile,
                         **same)
            setting.keep()


def order(setting):
    """Whether what propagates in rounds depends on the order: on the number of threads and on tiles."""
    image = inputs.random_background(setting.side(4096), 0.0005)
    ways = [("cpu", 1, 0), ("cpu", 1, 64), ("cpu", 2, 64), ("cpu", 0, 256)]
    if setting.device:
        ways.append((setting.device, 0, 0))
    _, exact = setting.time("order", "auto", setting.context(), "distance", [image], neighbors="—")
    for neighbors in (8, 4):
        first = None
        for device, threads, tile in ways:
            context = setting.context(device, threads=threads, tile_size=tile)
            what = f"{device}, threads {threads or 'all'}, tiles {tile or 'auto'}"
            row, result = setting.time("order", what, context, "distance", [image],
                                       {"algorithm": "propagation", "connectivity": neighbors},
                                       exact=False, neighbors=neighbors)
            first = result if first is None else first
            row.update(differences(result, first, exact))


def differences(result, first, exact):
    """How a distance map differs from another and from the exact one."""
    wrong = result != exact
    return {"differs": int(numpy.count_nonzero(result != first)),
            "wrong": int(numpy.count_nonzero(wrong)),
            "error": float(numpy.max(numpy.abs(result[wrong] - exact[wrong]), initial=0)),
            "pixels": int(result.size)}


# Two background pixels of these, (23, 5) and (0, 7), are 13 and √170 from (11, 0).
EXAMPLE = (25, 8), ((24, 1), (23, 5), (0, 7), (22, 7))
SCATTERED = 40, 10    # side of an image, background pixels


def scattered(n):
    """Images with some background pixels at random places."""
    side, places = SCATTERED
    random = numpy.random.RandomState(inputs.SEED + 1)
    for _ in range(n):
        image = numpy.full((side, side), 255, numpy.uint8)
        image.flat[random.choice(side * side, places, replace=False)] = 0
        yield image


def orders(setting):
    """The paper's propagation, which has no rounds, with pixels taken in two orders."""
    (width, height), places = EXAMPLE
    example = numpy.full((height, width), 255, numpy.uint8)
    for x, y in places:
        example[y, x] = 0
    n = 2 if setting.quick else 50
    images = {f"{width} × {height}": [example],
              f"{n} of {SCATTERED[0]} × {SCATTERED[0]}": list(scattered(n))}
    for name, parts in images.items():
        exact = [numpy.empty(part.shape, numpy.float32) for part in parts]
        for part, out in zip(parts, exact):
            setting.context("cpu").distance(part, out)()
        exact = numpy.concatenate(exact)
        for neighbors in (8, 4):
            first = None
            for what in ("first in, first out", "last in, first out"):
                start = time.perf_counter()
                result = numpy.concatenate([propagate(part, neighbors, what.startswith("last"))
                                            for part in parts])
                row = setting.add("orders", what, [time.perf_counter() - start], image=name,
                                  neighbors=neighbors)
                first = result if first is None else first
                row.update(differences(result, first, exact))


def propagate(image, neighbors, is_last_first):
    """Distances by propagation as the paper has it: a pixel that is taken from the queue offers its
    nearest background pixel to its neighbors; who is nearer to that than to its own is queued."""
    height, width = image.shape
    nearest = {(int(y), int(x)): (int(y), int(x)) for y, x in zip(*numpy.nonzero(image == 0))}
    queue = collections.deque(nearest)
    while queue:
        y, x = queue.pop() if is_last_first else queue.popleft()
        b, a = nearest[y, x]
        for v, u in ((y - 1, x - 1), (y - 1, x), (y - 1, x + 1), (y, x - 1), (y, x + 1),
                     (y + 1, x - 1), (y + 1, x), (y + 1, x + 1)):
            if not (0 <= v < height and 0 <= u < width) or neighbors == 4 and v != y and u != x:
                continue
            d, c = nearest.get((v, u), (3 * height, 3 * width))
            if (v - b) ** 2 + (u - a) ** 2 < (v - d) ** 2 + (u - c) ** 2:
                nearest[v, u] = b, a
                queue.append((v, u))
    out = numpy.full(image.shape, numpy.inf, numpy.float32)
    for (y, x), (b, a) in nearest.items():
        out[y, x] = math.sqrt((y - b) ** 2 + (x - a) ** 2)
    return out


ON_CPU = {"order": order, "orders": orders}
ON_GPU = {"access": access, "density": density, "distance-tiles": tiles}
