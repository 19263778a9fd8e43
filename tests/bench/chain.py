# SPDX-License-Identifier: GPL-3.0-or-later
"""A chain whose images stay on the GPU, against the same with transfers.

Each step is a call of the library. With transfers all images are in main memory, plain or pinned;
otherwise the image goes to the GPU once, and the labels come back once. The labels must be equal to
the bit. A second table has each step on images on the GPU: the call, and the kernels alone; what is
between them are copies on the device, and waiting.
"""
import statistics
import time

import numpy

import engine
import gpu
from report import Row

SECTION = "GPU, a chain"
SIDES = (4096, 8192)

# Totals over regions, which GPUs find.
MEASURES = "area,centroid,bounding-box,mean,minimum,maximum"


class Images:
    """What the steps read and write, as arrays or on the device."""

    def __init__(self, context, image, smooth, slopes, labels):
        self.image, self.labels = image, labels
        self.steps = [
            ("gaussian", context.filter("gaussian", image, smooth, sigma=1.5)),
            ("gradient", context.filter("gradient", smooth, slopes)),
            ("watershed", context.watershed(slopes, labels, tolerance=5)),
            ("measure", lambda: context.measure_regions(labels, image, MEASURES)),
        ]

    def run(self):
        for _, step in self.steps:
            step()


def compare(bench, context, side, driver):
    rounds = max(bench.arguments.rounds, 5)
    arrays = [bench.tissue(side), *(numpy.empty((side, side), numpy.uint8) for _ in range(2)),
              numpy.empty((side, side), numpy.uint32)]
    there = [engine.DeviceArray(context, array) for array in arrays]
    back = numpy.empty_like(arrays[3])
    here = Images(context, *arrays)
    resident = Images(context, *there)

    def stay():
        there[0].upload(arrays[0])
        resident.run()
        there[3].download(back)

    seconds = {"images in plain memory": gpu.clock(here.run, rounds)}
    seconds["on the GPU between steps, from and to plain memory"] = gpu.clock(stay, rounds)
    for array in [*arrays, back]:
        driver.pin(array)
    seconds["images in pinned memory"] = gpu.clock(here.run, rounds)
    seconds["on the GPU between steps, from and to pinned memory"] = gpu.clock(stay, rounds)
    for array in [*arrays, back]:
        driver.unpin(array)
    if not numpy.array_equal(back, arrays[3]):
        raise SystemExit("bench: the labels of the two chains differ")
    for name, taken in seconds.items():
        bench.report.add(Row(SECTION, f"{side}² u8, {name}", "whole chain", 1e3 * taken, " ms"))
    for name, step in resident.steps:
        taken, device = step_seconds(context, step, rounds)
        bench.report.add(Row(SECTION, f"{side}² u8, {name}, images on the GPU",
                             f"kernels {1e3 * device:.2f} ms", 1e3 * taken, " ms"))


def step_seconds(context, step, rounds):
    """Medians of the call and of its kernels."""
    taken, device = [], []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        step()
        taken.append(time.perf_counter() - start)
        device.append(context.device_seconds())
    return statistics.median(taken[1:]), statistics.median(device[1:])


def chain_section(bench):
    bench.report.section(SECTION)
    try:
        driver = gpu.Driver()
        context = engine.Context(bench.library, threads=0, device="cuda:0")
    except (engine.Refused, OSError, RuntimeError) as problem:
        bench.report.remark(f"{SECTION}: left out: {problem}")
        return
    for side in SIDES:
        compare(bench, context, side, driver)
    bench.report.remark(f"{SECTION}: gaussian --sigma 1.5; gradient; watershed --tolerance 5; "
                        f"measure --measures {MEASURES}; medians; all labels are equal in every bit.")
