# SPDX-License-Identifier: GPL-3.0-or-later
"""The papers' experiments on reconstruction: threads, queues, tiles, coverage, sizes.

The mask is tissue, and the marker the mask less 40 levels. Beside each variant of a paper stands
"auto", what the project does by default.
"""
import os
import time

import numpy

import devices
import inputs
from paper_setting import OUTPUTS

GPU_VARIANTS = ("raster", "queue", "auto")
QUEUES = ("queue-naive", "queue-prefix", "queue")
SCANS = (7, 9, 11, 13, 15, 17, 19)
COVERAGES = (25, 50, 75, 100)


def pair(mask):
    return [mask, inputs.marker_of(mask)]


def threads(setting):
    """Figure 10 of A: tiles or none, by threads; beside them what one thread does in sequence."""
    arrays = pair(setting.tissue(setting.side(4096)))
    most = len(os.sched_getaffinity(0))
    counts = [n for n in (1, 2, 4, 8, 12, 16, 32, 64) if n < most] + [most]
    for what in ("hybrid", "sequential", "queue", "auto"):
        setting.time("cpu", what, setting.core(), "reconstruct", arrays,
                     {"algorithm": what, "connectivity": 4}, reference="threads")
    for count in counts:
        for what in ("non-tiled", "tiled", "auto"):
            setting.time("threads", what, setting.context("cpu", threads=count), "reconstruct",
                         arrays, {"algorithm": what, "connectivity": 4}, reference="threads",
                         threads=count)


def queues(setting):
    """Table 1 of A: three queues after several scans."""
    arrays = pair(setting.tissue(setting.side(4096)))
    for scans in SCANS[::3] if setting.quick else SCANS:
        for what in QUEUES:
            setting.time("queues", what, setting.context(), "reconstruct", arrays,
                         {"algorithm": what, "connectivity": 4, "scans": scans},
                         reference="queues", scans=scans)
    setting.time("queues", "auto", setting.context(), "reconstruct", arrays, {"connectivity": 4},
                 reference="queues", scans="—")


def tiles(setting):
    """Figure 11 of A: blocks of as many pixels as the paper's tiles, which the GPU gets in turns."""
    side = setting.side(65536)
    arrays = pair(devices.tiled(setting.tissue(min(side, 4096)), side))
    setting.time("tiles", "core", setting.core(), "reconstruct", arrays,
                 {"algorithm": "hybrid", "connectivity": 8}, reference="tiles", rounds=1, tile=side)
    for tile in setting.sides(4096, 8192, 16384, 32768):
        rows = max(1, tile * tile // side)
        for what in GPU_VARIANTS:
            blocks(setting, "tiles", "reconstruct", what, arrays, rows,
                   {"connectivity": 8, "way": "queue"}, tile=tile)
        blocks(setting, "tiles", "reconstruct", "queue, cores", arrays, rows,
               {"connectivity": 8, "way": "queue"}, device=f"{setting.device},cpu", tile=tile)


def blocks(setting, experiment, operation, what, arrays, rows, given, device=None, **parameters):
    """Times an operation on blocks of so many rows."""
    context, out = setting.context(device), numpy.zeros(arrays[0].shape, OUTPUTS[operation])
    options = dict(given)
    way = {"way": options.pop("way")} if "way" in options else {}
    if what != "auto":
        options["algorithm"] = what.partition(",")[0]
    run = getattr(context, f"{operation}_blocks")(*arrays, out, rows, **way, **options)
    times = []
    run()
    for _ in range(setting.rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    setting.add(experiment, what, times, **parameters)
    if what != "propagation":
        setting.compare(out, operation, arrays, options, experiment, f"{experiment}, {what}")


def coverage(setting):
    """Figures 13 and 14 of A: tissue on a part of the image."""
    side = setting.side(16384)
    picture = setting.tissue(min(side // 4, 4096))
    for percent in COVERAGES:
        whole = devices.covered(picture, side, percent)
        arrays = pair(whole)
        for what in ("core", *GPU_VARIANTS):
            given = {"algorithm": "hybrid" if what == "core" else what, "connectivity": 8}
            setting.time("coverage", what, setting.core() if what == "core" else setting.context(),
                         "reconstruct", arrays, given, reference=f"coverage {percent}",
                         rounds=1 if what == "core" else None, operation="reconstruct",
                         coverage=percent)
        arrays = [inputs.binary_of(whole)]
        for what in ("core", "propagation", "auto"):
            given = {"algorithm": "auto" if what == "core" else what}
            setting.time("coverage", what, setting.core() if what == "core" else setting.context(),
                         "distance", arrays, given, exact=what != "propagation",
                         reference=f"distance {percent}", rounds=1 if what == "core" else None,
                         operation="distance", coverage=percent)


def overflow(setting):
    """Section 5.2.4 of A: a queue so small that the phase of queues is executed again."""
    arrays = pair(setting.tissue(setting.side(4096)))
    wanted = {1, 2, 3}
    size = 1 << 20
    while wanted and size >= 8:
        row, _ = setting.time("overflow", "queue", setting.context(), "reconstruct", arrays,
                              {"algorithm": "queue", "connectivity": 4, "queue-size": size},
                              reference="overflow", places=size)
        wanted.discard(row["executions"])
        if row["executions"] > 3:
            break
        size = size * 3 // 4 if row["executions"] > 1 or size < 4096 else size // 2
    setting.time("overflow", "auto", setting.context(), "reconstruct", arrays, {"connectivity": 4},
                 reference="overflow", places="—")


def sizes(setting):
    """Table 1 of B: sizes and neighborhoods."""
    for side in setting.sides(4096, 8192, 12288, 16384):
        arrays = pair(setting.tissue(side))
        for neighbors in (4, 8):
            for what in ("core", *GPU_VARIANTS):
                given = {"algorithm": "hybrid" if what == "core" else what,
                         "connectivity": neighbors}
                setting.time("sizes", what,
                             setting.core() if what == "core" else setting.context(),
                             "reconstruct", arrays, given, reference=f"sizes {side} {neighbors}",
                             rounds=1 if what == "core" else None, neighbors=neighbors, side=side)


ON_CPU = {"threads": threads}
ON_GPU = {"queues": queues, "tiles": tiles, "coverage": coverage, "overflow": overflow,
          "sizes": sizes}
