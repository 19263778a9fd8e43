#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How several processes of one machine scale: tests/bench/scaling.py COMMAND OUT [OPTION…]

Runs the command under mpirun on raw files in memory, one thread a rank: as many rows for each rank
(weak), and the same image for every number of ranks (strong). OUT becomes the part of docs/scale.md
that says so, and is written again after each measurement, so that a run that is cut off leaves what
it has measured. What would not be done by --seconds is left out.

  --insert DOCUMENT   measures nothing: puts OUT into DOCUMENT

An efficiency has three bases. "Of one rank": the pixels a second that n ranks would do if each did as
many as one process alone with one thread, in blocks as well. "Of the memory": the same, but
no more than the memory allows. That is what n processes that only copy reach together, by the bytes that must be
moved for a pixel: inputs are read twice and the result is written once, and each is a copy from one
place in memory to another. "Of the file": the same, but the result takes the time that n processes take which do
nothing but fill one new file in memory, each its part.
"""
import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import time

import inputs
import numpy
import scale

WEAK_SIDE = 8192
THRESHOLD = "128"
# Words of the command; bytes of a pixel in the inputs, and in the result.
OPERATIONS = {
    "reconstruct": (["MARKER"], 2, 1),
    "fill-holes": ([], 1, 1),
    "distance": (["--threshold", THRESHOLD], 1, 4),
    "label": (["--threshold", THRESHOLD], 1, 4),
    "watershed": ([], 1, 4),
}
# Inputs are read twice, and a copy reads and writes.
READ_TWICE = 2 * 2
GPU_OPERATIONS = ["reconstruct", "fill-holes", "distance", "label"]
GPU_RANKS = (1, 2, 4, 8)
COPY_BYTES = 1 << 27
COPY_SECONDS = 0.4
FILL_BYTES = 1 << 26
FILL_PIECE = 1 << 22
# Starting the processes, and the files' last steps.
START_SECONDS = 1.5


class Machine:
    """The command, the files and the clock."""

    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.end = time.monotonic() + arguments.seconds
        self.failures = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def has_time(self, seconds):
        return time.monotonic() + seconds < self.end

    def run(self, operation, width, height, ranks, *more):
        """What --stats says, or None; without @ranks by one process."""
        words = [self.path("marker.raw") if word == "MARKER" else word
                 for word in OPERATIONS[operation][0]]
        launcher = [*self.arguments.launcher.split(), "-n", str(ranks)] if ranks > 1 else []
        command = [*launcher, self.arguments.command, operation, self.path("image.raw"), *words,
                   "-o", self.path(self.arguments.result), "--raw", f"{width}x{height}:u8",
                   "--blocks", "auto", "--overviews", "no", "--memory-limit",
                   self.arguments.memory, "--stats", *more]
        try:
            done = subprocess.run(command, check=False, capture_output=True, text=True,
                                  timeout=max(5, self.end + 20 - time.monotonic()),
                                  env={**os.environ, **ENVIRONMENT})
        except subprocess.TimeoutExpired:
            self.failures.append(f"{operation}, {ranks} ranks: no end")
            return None
        self.remove(self.path(self.arguments.result))
        if done.returncode:
            self.failures.append(f"{operation}, {ranks} ranks: {done.stderr.strip()[:500]}")
            return None
        return json.loads(done.stdout)

    def remove(self, path):
        """A file, or a folder of a Zarr file."""
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.unlink(path)

    def measure(self, operation, width, height, ranks, *more):
        """Seconds of the slowest rank, and of waiting in the median one; None if it has failed."""
        results = []
        for _ in range(self.arguments.rounds):
            stats = self.run(operation, width, height, ranks, *more)
            if not stats:
                return None
            all_ranks = stats.get("ranks", [{"operation_seconds": stats["seconds"],
                                             "waited_seconds": 0.0}])
            waited = sorted(rank["waited_seconds"] for rank in all_ranks)
            results.append((max(rank["operation_seconds"] for rank in all_ranks),
                            waited[len(waited) // 2]))
        return min(results)


ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMP_WAIT_POLICY": "passive"}


# ------------------------------------------------------------ the memory

def copy_for(barrier, counts, number):
    source, target = bytearray(COPY_BYTES), bytearray(COPY_BYTES)
    target[:] = source
    barrier.wait()
    start = time.perf_counter()
    n = 0
    while time.perf_counter() - start < COPY_SECONDS:
        target[:] = source
        n += 1
    counts[number] = 2 * n * COPY_BYTES / (time.perf_counter() - start)


def fill(barrier, seconds, number, path, own):
    piece = bytes([1]) * FILL_PIECE
    descriptor = os.open(f"{path}{number}" if own else path, os.O_WRONLY | os.O_CREAT)
    start_at = 0 if own else number * FILL_BYTES
    barrier.wait()
    start = time.perf_counter()
    for first in range(0, FILL_BYTES, FILL_PIECE):
        os.pwrite(descriptor, piece, start_at + first)
    seconds[number] = time.perf_counter() - start
    os.close(descriptor)


def run_together(n, work, *more):
    """What each of n processes that begin at once says of itself."""
    barrier = multiprocessing.Barrier(n)
    numbers = multiprocessing.Array("d", n)
    processes = [multiprocessing.Process(target=work, args=(barrier, numbers, i, *more))
                 for i in range(n)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return list(numbers)


def copy_bandwidth(n):
    """Bytes a second, read and written, of n processes that copy."""
    return sum(run_together(n, copy_for))


def fill_bandwidth(n, path, own):
    """Bytes a second of n processes that fill a new file, each its part; or each one of its own."""
    with open(path, "wb") as out:
        out.truncate(0 if own else n * FILL_BYTES)
    slowest = max(run_together(n, fill, path, own))
    for name in [path, *(f"{path}{i}" for i in range(n if own else 0))]:
        os.unlink(name)
    return n * FILL_BYTES / slowest


# ------------------------------------------------------------ the images

def make_square(side, path):
    """Tissue where the picture is to be had, else cells of a few pixels; and which it is."""
    path = path or inputs.find_picture()
    if path:
        return inputs.tissue(inputs.read_picture(path), side), "tissue"
    piece = numpy.frombuffer(scale.make_picture(side, 256), numpy.uint8).reshape(256, side)
    return numpy.tile(piece, (-(-side // 256), 1))[:side], "cells"


def write_image(machine, square, width, height):
    """The square side by side as often as the image needs."""
    side = square.shape[0]
    for name, pixels in (("image.raw", square), ("marker.raw", inputs.marker_of(square))):
        rows = numpy.tile(pixels, (1, -(-width // side)))[:, :width]
        with open(machine.path(name), "wb") as out:
            for first in range(0, height, side):
                out.write(memoryview(numpy.ascontiguousarray(rows[:min(side, height - first)])))


# ------------------------------------------------------------ runs

def add(machine, results, kind, width, height, ranks, estimate):
    """Measures all operations, where there is time for them by what one rank takes."""
    for operation in machine.arguments.operations:
        seconds = estimate(operation) + START_SECONDS
        if not machine.has_time(machine.arguments.rounds * seconds):
            continue
        measured = machine.measure(operation, width, height, ranks, "--threads", "1", "--device",
                                   "cpu")
        if measured:
            results["runs"].append({"kind": kind, "operation": operation, "width": width,
                                    "height": height, "ranks": ranks, "seconds": measured[0],
                                    "waited": measured[1]})
            write(machine, results)


def pace_of_one(results, operation, kind):
    """Pixels a second of one process: in runs of this kind, or of another."""
    runs = [run for run in results["runs"] if run["operation"] == operation and run["ranks"] == 1]
    # the sort is stable: the latest of other kinds is that of the larger image
    runs.reverse()
    runs.sort(key=lambda run: run["kind"] != kind)
    return runs[0]["width"] * runs[0]["height"] / runs[0]["seconds"] if runs else 0.0


def guess(results, operation, kind, pixels, ranks):
    pace = pace_of_one(results, operation, kind) or 1e8
    return pixels / pace / ranks * (1.0 if ranks == 1 else 1.5)


def weak(machine, results, square):
    """From the largest image on, which is cut shorter each time; one rank first, for the others."""
    side = square.shape[0]
    counts = machine.arguments.ranks
    write_image(machine, square, side, side)
    add(machine, results, "weak", side, side, 1, lambda operation: side * side / 1e8)
    write_image(machine, square, side, side * max(counts))
    for n in sorted(counts, reverse=True):
        for name in ("image.raw", "marker.raw"):
            os.truncate(machine.path(name), side * side * n)
        if n > 1:
            add(machine, results, "weak", side, side * n, n,
                lambda operation, n=n: guess(results, operation, "weak", side * side * n, n))


def strong(machine, results, square, side, counts):
    write_image(machine, square, side, side)
    kind = f"strong {side}"
    for n in counts:
        add(machine, results, kind, side, side, n,
            lambda operation, n=n: guess(results, operation, kind, side * side, n))


def gpus(machine, results, square, side):
    """Ranks with a GPU each against one process with one, all processors divided."""
    most = len(gpu_names())
    threads = max(1, machine.arguments.cores // most)
    write_image(machine, square, side, side)
    for operation in filter(machine.arguments.operations.__contains__, GPU_OPERATIONS):
        for n in (n for n in GPU_RANKS if n <= most):
            if not machine.has_time(4 * START_SECONDS):
                continue
            measured = machine.measure(operation, side, side, n, "--threads", str(threads),
                                       "--device", ",".join(f"cuda:{i}" for i in range(n)),
                                       "--fallback", "none")
            if measured:
                results["gpus"].append({"operation": operation, "side": side, "ranks": n,
                                        "seconds": measured[0]})
                write(machine, results)


# ------------------------------------------------------------ what is written

def percent(share):
    return f"{100 * share:.0f} %"


def run_line(results, run):
    operation, ranks = run["operation"], run["ranks"]
    pixels = run["width"] * run["height"]
    pace = pixels / run["seconds"]
    one = pace_of_one(results, operation, run["kind"])
    copies = results["copies"].get(str(ranks))
    fills = results["fills"].get(str(ranks))
    _, read, written = OPERATIONS[operation]
    of_one = percent(pace / (one * ranks)) if one else ""
    of_memory = of_file = ""
    if one and copies and fills:
        reading = READ_TWICE * read / copies
        of_memory = percent(pace / min(one * ranks, 1 / (reading + 2 * written / copies)))
        of_file = percent(pace / min(one * ranks, 1 / (reading + written / fills)))
    return [operation, str(ranks), f"{run['seconds']:.2f} s", f"{pace / 1e9:.2f}", of_one,
            of_memory, of_file, f"{run['waited']:.2f} s"]


def runs_table(results, kind):
    order = list(OPERATIONS)
    runs = sorted((run for run in results["runs"] if run["kind"] == kind),
                  key=lambda run: (order.index(run["operation"]), run["ranks"]))
    return scale.table(["operation", "ranks", "time", "Gpixel/s", "of one rank", "of the memory",
                        "of the file", "waited"], [run_line(results, run) for run in runs])


def copies_table(results):
    return scale.table(["processes", "copied, GB/s", "filled, GB/s"],
                       [[n, f"{speed / 1e9:.0f}", f"{results['fills'][n] / 1e9:.1f}"]
                        for n, speed in results["copies"].items()])


def gpus_table(results):
    counts = sorted({run["ranks"] for run in results["gpus"]})
    lines = []
    for operation in GPU_OPERATIONS:
        runs = {run["ranks"]: run["seconds"] for run in results["gpus"]
                if run["operation"] == operation}
        if 1 in runs:
            lines.append([operation, *(f"{runs[n]:.2f} s, {runs[1] / runs[n]:.2f} ×" if n in runs
                                       else "" for n in counts)])
    return scale.table(["operation", *(f"{n} ranks, a GPU each" if n > 1 else
                                       "one process, one GPU" for n in counts)], lines)


def scaling_part(results):
    parts = [f"{results['machine']}; {results['picture']}, 8-bit; results in {results['result']}; "
             f"{results['day']}."]
    if results["copies"]:
        files = "files of their own" if results["result"] == "OME-Zarr" else "one new file"
        parts += ["What so many processes copy together, bytes read and written, and how fast they "
                  f"fill {files} in memory:", copies_table(results)]
    for kind in dict.fromkeys(run["kind"] for run in results["runs"]):
        run = next(run for run in results["runs"] if run["kind"] == kind)
        title = (f"Weak: {run['width']} × {run['width']} pixels a rank." if kind == "weak" else
                 f"Strong: {run['width']} × {run['height']} pixels for all.")
        parts += [title, runs_table(results, kind)]
    if results["gpus"]:
        parts += [f"GPUs, {results['gpus'][0]['side']}² pixels:", gpus_table(results)]
    return "\n\n".join(parts)


def tried_part(results):
    """What the page says of what could not be tried."""
    most = max((run["ranks"] for run in results["runs"]), default=1)
    return ("No cluster could be had to try it. On one machine it was tried with up to "
            f"{most} ranks on {results['cores']} processors; of more the figures above are the "
            "model's.")


def write(machine, results):
    with open(machine.arguments.out, "w", encoding="utf-8") as out:
        out.write(f"<!-- scaling -->\n{scaling_part(results)}\n<!-- end -->\n\n"
                  f"<!-- tried -->\n{tried_part(results)}\n<!-- end -->\n")
        for failure in machine.failures:
            out.write(f"\nfailed: {failure}\n")


def insert(source, document):
    with open(source, encoding="utf-8") as opened:
        parts = opened.read()
    with open(document, encoding="utf-8") as opened:
        text = opened.read()
    for name in ("scaling", "tried"):
        part = parts.split(f"<!-- {name} -->\n", 1)[1].split("\n<!-- end -->", 1)[0]
        text = scale.replace_part(text, name, part)
    with open(document, "w", encoding="utf-8") as opened:
        opened.write(text)


# ------------------------------------------------------------ the machine

def output_of(command):
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout
    except OSError:
        return ""


def gpu_names():
    return [line.split(": ", 1)[1].split(" (UUID")[0]
            for line in output_of(["nvidia-smi", "-L"]).splitlines() if ": " in line]


def describe(cores):
    facts = dict(line.split(":", 1) for line in output_of(["lscpu"]).splitlines() if ":" in line)
    names = gpu_names()
    mpi = output_of(["mpirun", "--version"]).splitlines()
    return ", ".join(filter(None, [
        facts.get("Model name", "an unknown processor").strip(), f"{cores} processors",
        f"{facts.get('Thread(s) per core', '1').strip()} a core",
        f"{len(names)} × {names[0]}" if names else "", mpi[0].strip() if mpi else ""]))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("command")
    parser.add_argument("out")
    parser.add_argument("--insert", metavar="DOCUMENT")
    parser.add_argument("--picture", help="of the tissue; else scikit-image's")
    parser.add_argument("--seconds", type=float, default=220)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--ranks", type=lambda text: [int(n) for n in text.split(",")],
                        default=[n for n in (1, 2, 4, 8, 16, 32, 64) if n <= os.cpu_count()])
    parser.add_argument("--weak", type=int, default=WEAK_SIDE, metavar="SIDE")
    parser.add_argument("--strong", type=int, default=32768, metavar="SIDE")
    parser.add_argument("--largest", type=int, default=65536, metavar="SIDE",
                        help="once more, with the most ranks only; 0: not")
    parser.add_argument("--gpus", type=int, default=0, metavar="SIDE")
    parser.add_argument("--operations", type=lambda text: text.split(","),
                        default=list(OPERATIONS))
    parser.add_argument("--memory", default="2G", help="the limit of a rank")
    parser.add_argument("--result", choices=("out.raw", "out.zarr"), default="out.raw")
    parser.add_argument("--folder", default="/dev/shm", help="where the files lie")
    parser.add_argument("--launcher", default="mpirun --oversubscribe --bind-to none")
    arguments = parser.parse_args()
    arguments.cores = os.cpu_count()
    return arguments


def main():
    arguments = parse()
    if arguments.insert:
        insert(arguments.out, arguments.insert)
        return
    folder = tempfile.mkdtemp(dir=arguments.folder)
    machine = Machine(arguments, folder)
    try:
        square, picture = make_square(arguments.weak, arguments.picture)
        results = {"machine": describe(arguments.cores), "cores": arguments.cores,
                   "picture": picture,
                   "result": "OME-Zarr" if arguments.result == "out.zarr" else "one raw file",
                   "day": time.strftime("%Y-%m-%d"), "copies": {},
                   "fills": {}, "runs": [], "gpus": []}
        for n in arguments.ranks:
            results["copies"][str(n)] = copy_bandwidth(n)
            results["fills"][str(n)] = fill_bandwidth(n, machine.path("fill"),
                                                      arguments.result.endswith(".zarr"))
        weak(machine, results, square)
        if arguments.gpus and gpu_names():
            gpus(machine, results, square, arguments.gpus)
        # the fewest and the most first: what lies between is left out where time is short
        counts = [1, *sorted((n for n in arguments.ranks if n > 1), reverse=True)]
        strong(machine, results, square, arguments.strong, counts[:4])
        if arguments.largest and machine.has_time(20):
            strong(machine, results, square, arguments.largest, counts[1:2])
        if counts[4:] and machine.has_time(10):
            strong(machine, results, square, arguments.strong, counts[4:])
        write(machine, results)
    finally:
        shutil.rmtree(folder)
    for failure in machine.failures:
        print(f"scaling: {failure}")


if __name__ == "__main__":
    main()
