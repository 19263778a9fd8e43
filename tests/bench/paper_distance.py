# SPDX-License-Identifier: GPL-3.0-or-later
"""The papers' experiments on the distance map: access to memory, density of background, tiles, and
the order in which an approximation propagates.
"""
import numpy

import devices
import inputs
import paper_reconstruction

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
    for what in ("core", *VARIANTS):
        given = {"algorithm": "auto" if what == "core" else what}
        setting.time(experiment, what, setting.core() if what == "core" else setting.context(),
                     "distance", [image], given, reference=f"{experiment} {parameters}",
                     rounds=1 if what == "core" else None, **parameters)


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
    """Table 2 of A."""
    side = setting.side(65536)
    arrays = [devices.tiled(inputs.binary_of(setting.tissue(min(side, 4096))), side)]
    for tile in setting.sides(4096, 8192, 16384, 32768):
        paper_reconstruction.blocks(setting, "distance-tiles", "distance", "auto", arrays,
                                    max(1, tile * tile // side), {}, tile=tile)


def order(setting):
    """Whether what propagates depends on the order: on the number of threads and on tiles."""
    image = inputs.random_background(setting.side(4096), 0.0005)
    results = {}
    ways = [("cpu", 1, 0), ("cpu", 1, 64), ("cpu", 2, 64), ("cpu", 0, 256)]
    if setting.device:
        ways.append((setting.device, 0, 0))
    for device, threads, tile in ways:
        context = setting.context(device, threads=threads, tile_size=tile)
        what = f"{device}, threads {threads or 'all'}, tiles {tile or 'auto'}"
        _, results[what] = setting.time("order", what, context, "distance", [image],
                                        {"algorithm": "propagation"}, exact=False)
    _, exact = setting.time("order", "auto", setting.context(), "distance", [image], {})
    first = next(iter(results.values()))
    for row in setting.rows:
        if row["experiment"] == "order" and row["what"] != "auto":
            result = results[row["what"]]
            row["differs"] = int(numpy.count_nonzero(result != first))
            row["wrong"] = int(numpy.count_nonzero(result != exact))
            row["error"] = float(numpy.max(numpy.abs(result - exact)))
            row["pixels"] = int(result.size)


ON_CPU = {"order": order}
ON_GPU = {"access": access, "density": density, "distance-tiles": tiles}
