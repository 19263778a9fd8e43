#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each kernel's time, the bytes it moves, and their share of a copy's bandwidth.

    tests/bench/kernels.py LIBRARY [--size N] [--picture FILE] [--update]

Runs the default algorithms once under Nsight Compute (ncu, in PATH and with access to the
counters) and prints a table in Markdown; --update writes it to docs/benchmarks.md. Repeated
launches of a kernel, such as those of rounds, are added up in one line.
"""
import argparse
import csv
import io
import os
import re
import subprocess
import sys

import numpy

import engine
import inputs
import report

# The minimum of bytes per pixel of u8 that a kernel moves, from the comment at the top of its file;
# for all other kernels it depends on the image.
NEEDS = {
    ("reconstruction", "visit_image_tiles"): 3.0,
    ("distance", "pack_bands"): 1.125,
    ("distance", "find_near"): 4.17,
    ("watershed", "find_lowest_in_planes"): 2.0,
    ("watershed", "point_arrows"): 1.63,
    ("watershed", "resolve_paths"): 3.45,
    ("watershed", "join_minima_over_tiles"): 0.25,
    ("watershed", "mark_first_pixels"): 0.125,
    ("watershed", "write_labels"): 6.0,
    ("labelling", "join_tile_segments"): 1.125,
    ("labelling", "write_labels"): 4.125,
}

METRICS = "gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum"


def calls(picture, size):
    """Yields (title, operation, arrays, type of the output, options)."""
    tissue = inputs.tissue(picture, size)
    yield ("reconstruction, 8 neighbors", "reconstruct", [tissue, inputs.marker_of(tissue)],
           numpy.uint8, {"connectivity": 8})
    yield ("reconstruction over basins, holes, 8 neighbors", "reconstruct",
           [tissue, inputs.fill_holes(tissue)], numpy.uint8,
           {"connectivity": 8, "by": "erosion", "algorithm": "basins"})
    yield "distance, Otsu mask", "distance", [inputs.binary_of(tissue)], numpy.float32, {}
    yield ("watershed, 4 neighbors", "watershed", [inputs.gradient_of(tissue)], numpy.uint32,
           {"connectivity": 4})
    yield ("labelling, 8 neighbors", "label", [inputs.binary_of(tissue)], numpy.uint32,
           {"connectivity": 8})


def work(arguments):
    """Runs one call, chosen by its number; the process that ncu observes."""
    library = engine.Library(arguments.library)
    context = engine.Context(library, device="cuda:0")
    chosen = list(calls(inputs.read_picture(arguments.picture), arguments.size))[arguments.call]
    _, operation, arrays, dtype, options = chosen
    getattr(context, operation)(*arrays, numpy.empty(arrays[0].shape, dtype), **options)()


def watch(arguments, call):
    """ncu's rows: kernel, metric, unit, value."""
    command = ["ncu", "--csv", "--clock-control", "none", "--metrics", METRICS, sys.executable,
               os.path.abspath(__file__), arguments.library, "--size", str(arguments.size),
               "--call", str(call)]
    if arguments.picture:
        command += ["--picture", arguments.picture]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    start = text.find('"ID"')
    if start < 0:
        raise SystemExit(f"kernels: ncu printed no counters:\n{text}")
    return csv.DictReader(io.StringIO(text[start:]))


SCALE = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "byte": 1, "Kbyte": 1e3, "Mbyte": 1e6,
         "Gbyte": 1e9}


def sums(rows):
    """{kernel: [calls, seconds, bytes]} in the order of the first calls."""
    kernels, seen = {}, set()
    for row in rows:
        name = re.sub(r"<.*|\(.*", "", row["Kernel Name"]).removeprefix("void ")
        name = name.rpartition("::")[2]
        entry = kernels.setdefault(name, [0, 0.0, 0.0])
        if row["ID"] not in seen:
            seen.add(row["ID"])
            entry[0] += 1
        value = float(row["Metric Value"].replace(",", "")) * SCALE[row["Metric Unit"]]
        entry[1 if row["Metric Name"].startswith("gpu__time") else 2] += value
    return kernels


def copy_bandwidth():
    """Bytes per second, read and written, of a copy within the device."""
    import cupy
    source = cupy.zeros(1 << 30, cupy.uint8)
    target = cupy.empty_like(source)
    best = 0.0
    for _ in range(5):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        cupy.copyto(target, source)
        end.record()
        end.synchronize()
        best = max(best, 2 * source.nbytes / cupy.cuda.get_elapsed_time(begin, end) * 1e3)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("library")
    parser.add_argument("--size", type=int, default=16384)
    parser.add_argument("--picture")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--call", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.call is not None:
        work(arguments)
        return
    text = "\n".join(table(arguments))
    print(text)
    if arguments.update:
        folder = os.path.dirname(os.path.abspath(__file__))
        report.replace_between(os.path.join(folder, "..", "..", "docs", "benchmarks.md"),
                               "kernels", f"\n{text}\n")


def table(arguments):
    """Lines of Markdown."""
    bandwidth = copy_bandwidth()
    pixels = arguments.size ** 2
    yield (f"A copy moves {bandwidth / 1e12:.2f} TB/s. {arguments.size} × {arguments.size} "
           "pixels, u8; kernels that take less than 1 % of their operation are left out.")
    yield ""
    yield ("| operation | kernel | launches | ms | minimum, bytes per pixel | moved | "
           "of a copy's bandwidth |")
    yield "|---|---|--:|--:|--:|--:|--:|"
    titles = ["reconstruction, 8 neighbors", "reconstruction over basins, holes, 8 neighbors",
              "distance, Otsu mask", "watershed, 4 neighbors", "labelling, 8 neighbors"]
    for call, title in enumerate(titles):
        kernels = sums(watch(arguments, call))
        whole = sum(seconds for _, seconds, _ in kernels.values())
        for name, (launches, seconds, moved) in kernels.items():
            if seconds >= 0.01 * whole:
                needs = NEEDS.get((title.split(",")[0], name))
                needs = "depends on content" if needs is None else f"{needs:.2f}"
                yield (f"| {title} | `{name}` | {launches} | {1e3 * seconds:.3f} | "
                       f"{needs} | {moved / pixels:.2f} | {100 * moved / seconds / bandwidth:.0f} % |")


if __name__ == "__main__":
    main()
