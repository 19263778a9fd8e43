# SPDX-License-Identifier: GPL-3.0-or-later
"""One operation with 1, 2, 4, … threads, up to all processors of the machine.

The table has million pixels a second, and beside it what 64 threads must reach. No step from n to
2n threads may be slower. Results with all numbers of threads must be equal to those with one, bit
for bit. Outputs are written while the operation runs, as the command and the plug-ins do.
"""
import os

import numpy

import engine
import inputs
import measure
import report
from measure import Contender
from report import Row

SECTION = report.APART

# A step counts as slower from this share of the time on: repeated runs differ by a few per cent.
NOISE = 1.03

# What is measured: the words of its row, the operation, its input, options, and million pixels a
# second that 64 threads must reach.
WORK = (
    ("reconstruction, tissue, 8 neighbors", "reconstruct", "tissue", {"connectivity": 8}, 12000),
    ("fill holes, tissue", "fill_holes", "tissue", {}, 6000),
    ("exact distance, binary tissue", "distance", "binary", {}, 15000),
    ("watershed, tissue, 4 neighbors", "watershed", "tissue", {"connectivity": 4}, 4000),
    ("watershed, binary tissue, 4 neighbors", "watershed", "binary", {"connectivity": 4}, 1500),
    ("labelling, binary tissue, 8 neighbors", "label", "binary", {"connectivity": 8}, 18000),
)
OUTPUTS = {"reconstruct": "uint8", "fill_holes": "uint8", "distance": "float32",
           "watershed": "uint32", "label": "uint32"}


def thread_counts(most):
    """1, 2, 4, …, and @most itself."""
    counts = [1]
    while counts[-1] * 2 <= most:
        counts.append(counts[-1] * 2)
    return counts if counts[-1] == most else counts + [most]


def measure_work(bench, work, pictures, counts):
    """The speeds of one row, in the order of @counts."""
    title, operation, picture, given, _ = work
    arrays = [pictures[picture]]
    if operation == "reconstruct":
        arrays.append(inputs.marker_of(arrays[0]))
    # the memory of both results is used before anything is measured
    out, first = (numpy.full(arrays[0].shape, 1, OUTPUTS[operation]) for _ in range(2))
    speeds = []
    for count in counts:
        context = engine.Context(bench.library, threads=count, partial=True)
        result = first if count == 1 else out
        run = getattr(context, operation)(*arrays, result, **given)
        contender = Contender(title, out.size, run)
        bench.stopwatch.compare([contender])
        if count > 1 and not numpy.array_equal(out, first):
            raise SystemExit(f"bench: {title}: {count} threads and one give different results")
        speeds.append(contender.speed())
        print(f"  {title:46.46} {count:4} threads {speeds[-1]:9.0f} Mpx/s", flush=True)
    return speeds


def slower_steps(counts, speeds):
    """The steps from n to 2n threads that make an operation slower."""
    pairs = list(zip(counts, speeds))
    return [f"{few} to {many}" for (few, before), (many, after) in zip(pairs, pairs[1:])
            if before > NOISE * after]


def table(counts, rows, side, rounds):
    lines = ["", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in report.machine()]
    lines += ["", f"{side} × {side} pixels, u8, partial output, million pixels a second by "
              f"threads, medians of {rounds}:", ""]
    lines += ["| | " + " | ".join(map(str, counts)) + " | target at 64 | slower steps |",
              "|---|" + "--:|" * (len(counts) + 1) + "---|"]
    for work, speeds in rows:
        lines.append(f"| {work[0]} | " + " | ".join(f"{speed:.0f}" for speed in speeds)
                     + f" | {work[4]} | {', '.join(slower_steps(counts, speeds)) or 'none'} |")
    return "\n".join(lines + [""])


def cores_section(bench):
    side = bench.arguments.cores_side
    counts = thread_counts(bench.arguments.cores or len(os.sched_getaffinity(0)))
    bench.report.section(SECTION)
    tissue = inputs.tissue(bench.picture, side)
    pictures = {"tissue": tissue, "binary": inputs.binary_of(tissue)}
    rows = [(work, measure_work(bench, work, pictures, counts)) for work in WORK]
    for work, speeds in rows:
        steps = slower_steps(counts, speeds)
        bench.report.add(Row(SECTION, f"{work[0]}, {counts[-1]} threads",
                             f"{speeds[-1]:.0f} Mpx/s, one thread {speeds[0]:.0f}, two "
                             f"{speeds[min(1, len(speeds) - 1)] / speeds[0]:.2f} ×",
                             speeds[-1], " Mpx/s",
                             ("at least", work[4]) if counts[-1] >= 64 else None,
                             f"slower from {', '.join(steps)}" if steps else ""))
    text = table(counts, rows, side, bench.arguments.rounds)
    print(text)
    if bench.arguments.update:
        report.replace_between(os.path.join(measure.FOLDER, "..", "..", "docs", "benchmarks.md"),
                               "many threads", text)
