# SPDX-License-Identifier: GPL-3.0-or-later
"""The papers' experiments on reconstruction: threads, queues, tiles, coverage, sizes.

The mask is tissue, and the marker the mask less 40 levels. Beside each variant of a paper stands
"auto", what the project does by default.
"""
import os

import numpy

import devices
import gpu
import inputs
import paper_devices

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
    work = devices.Work("reconstruct", setting, setting.side(65536))
    with paper_devices.pinned(work) as memory:
        same = {"memory": memory, "side": work.side}
        given = {"algorithm": "hybrid", "connectivity": 8}
        setting.time("tiles", "core", setting.core(), "reconstruct", work.arrays, given,
                     reference="tiles", rounds=1, out=work.out, tile="—", **same)
        setting.time("tiles", "auto", setting.context(), "reconstruct", work.arrays,
                     {"connectivity": 8}, reference="tiles", out=work.out, tile="—", **same)
        setting.keep()
        for tile in setting.sides(4096, 8192, 16384, 32768):
            for what in GPU_VARIANTS:
                in_tiles(setting, work, what, tile, {"algorithm": what}, **same)
            in_tiles(setting, work, "auto, cores", tile, {}, f"{setting.device},cpu", **same)
            setting.keep()


def in_tiles(setting, work, what, tile, options, device=None, **parameters):
    """Times reconstruction in blocks of whole rows with as many pixels as a tile. Where several
    devices share it, a tile size that is set lets all of them work."""
    rows = max(1, tile * tile // work.side)
    context = setting.context(device, tile_size=rows if device else 0)
    run = context.reconstruct_blocks(*work.arrays, work.out, rows, way="queue", in_memory=True,
                                     connectivity=8, **options)
    work.out.fill(1)
    run()
    times = [setting.timed(run, context)[0] for _ in range(setting.rounds)]
    setting.add("tiles", what, times, tile=tile, **parameters)
    setting.compare(work.out, "reconstruct", work.arrays, {"connectivity": 8}, "tiles",
                    f"tiles, {what}, {tile}")


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
    """Section 5.2.4 of A: a queue so small that the phase of queues is executed again, once or
    twice. The sizes are halved until that is so; then the largest of each kind is sought."""
    arrays = pair(setting.tissue(128 if setting.quick else setting.side(4096)))
    blocks, executions, begin = resident_blocks(), {}, len(setting.rows)

    def measure(size):
        row, _ = setting.time("overflow", "queue", setting.context(), "reconstruct", arrays,
                              {"algorithm": "queue", "connectivity": 4, "queue-size": size},
                              reference="overflow", places=size)
        row.update({"room": size * blocks} if blocks else {})
        executions[size] = row["executions"]

    size = 1 << 16
    while size >= 4 and max(executions.values(), default=1) < 3:
        measure(size)
        size //= 2
    for least in (2, 3):
        more = min((size for size, n in executions.items() if n < least), default=0)
        less = max((size for size, n in executions.items() if n >= least), default=more)
        while more - less > max(1, more // 64):
            measure((more + less) // 2)
            more = min(size for size, n in executions.items() if n < least)
            less = max(size for size, n in executions.items() if n >= least and size < more)
    setting.rows[begin:] = sorted(setting.rows[begin:], key=lambda row: -row["places"])
    setting.time("overflow", "auto", setting.context(), "reconstruct", arrays, {"connectivity": 4},
                 reference="overflow", places="—")


def resident_blocks():
    """The blocks that have queues: as many as the GPU holds, of 256 threads; 0 without a GPU."""
    try:
        return gpu.Driver().resident_threads() // 256
    except (OSError, RuntimeError):
        return 0


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
