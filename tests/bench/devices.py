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
}


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


def seconds(run, rounds):
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return sorted(times[1:])[(rounds - 1) // 2]


def reconstruct(bench, driver, side):
    picture = inputs.tissue(bench.picture, 4096)
    mask = tiled(picture, side)
    marker = tiled(inputs.marker_of(picture), side)
    out = numpy.zeros_like(mask)
    for array in (mask, marker, out):
        driver.pin(array)
    first = None
    for n, name in lists(bench.library):
        context = engine.Context(bench.library, threads=len(os.sched_getaffinity(0)),
                                 device=name, partial=True)
        out[:] = 0
        taken = seconds(context.reconstruct(mask, marker, out), bench.arguments.rounds)
        if first is None:
            first = out.copy()
        elif not numpy.array_equal(out, first):
            raise SystemExit(f"bench: the reconstruction on {name} differs")
        target = TARGETS.get(("reconstruct", side, n))
        bench.report.add(Row(SECTION, f"reconstruct, {side}², {name}",
                             f"{out.size / taken / 1e6:.0f} Mpx/s, transfers alone "
                             f"{3 * out.size / LINK / max(n, 1):.3f} s, on {context.device()}",
                             taken, " s", ("at most", target) if target else None))
    for array in (mask, marker, out):
        driver.unpin(array)


def devices_section(bench):
    bench.report.section(SECTION)
    try:
        driver = gpu.Driver()
    except (OSError, RuntimeError) as problem:
        bench.report.remark(f"Several devices: left out: {problem}")
        return
    for side in bench.arguments.devices_sides:
        reconstruct(bench, driver, side)
