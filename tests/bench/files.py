# SPDX-License-Identifier: GPL-3.0-or-later
"""The command on files of four times its memory limit.

Target: at most twice the time in memory, a pixel, with the same threads, plus the time that
reading the input twice and writing the output once takes here; and a peak within the limit. Inputs
and outputs lie in --files-folder, in /dev/shm for figures that no disk disturbs; the inputs are those
of large-tiff.py and the same raw.
"""
import importlib
import json
import os
import statistics
import subprocess
import tempfile
import time

import engine
import inputs
from report import Row

SECTION = "Files of four times the memory limit"
PIECE = 1 << 24
TIFF = importlib.import_module("large-tiff")

# Words of the command, and bytes that are read (of a pixel, in a pass) and written.
WORK = {
    "reconstruct": (["MARKER"], 2, 1),
    "distance": (["--threshold", "OTSU"], 1, 4),
    "watershed": ([], 1, 4),
    "label": (["--threshold", "OTSU"], 1, 4),
}


def find_command(library):
    """The command of the build that the library is in."""
    command = os.path.join(os.path.dirname(library), "..", "tools", "wavefront")
    return os.path.abspath(command) if os.path.exists(command) else None


def run(command, library, words):
    """Returns the seconds and what --stats says."""
    start = time.perf_counter()
    done = subprocess.run([command, *words, "--stats"], check=False, capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": os.path.dirname(library)})
    if done.returncode:
        raise SystemExit(f"bench: {done.stderr.strip()}")
    return time.perf_counter() - start, json.loads(done.stdout or done.stderr)


def copy_seconds(source, folder, n_read, n_written):
    """Reading twice and writing once, in pieces."""
    buffer = bytearray(PIECE)
    place = os.path.join(folder, "copy")
    start = time.perf_counter()
    with open(source, "rb", buffering=0) as opened:
        for _ in range(-(-2 * n_read // PIECE)):
            if opened.readinto(buffer) < PIECE:
                opened.seek(0)
    with open(place, "wb", buffering=0) as out:
        for _ in range(-(-n_written // PIECE)):
            out.write(buffer)
        os.fsync(out.fileno())
    seconds = time.perf_counter() - start
    os.remove(place)
    return seconds


def in_memory(bench, operation):
    """Seconds a pixel."""
    context = engine.Context(bench.library, threads=len(os.sched_getaffinity(0)))
    contender = bench.ours(operation, bench.arrays(operation, bench.size), context)
    bench.stopwatch.compare([contender])
    return contender.seconds() / contender.pixels


def measure(bench, command, folder, operation, kind):
    side = bench.arguments.files_side
    pixels = side * side
    words, n_read, n_written = WORK[operation]
    image, marker, out = (os.path.join(folder, f"{name}.{kind}")
                          for name in ("image", "marker", "out"))
    otsu = str(inputs.otsu_threshold(inputs.tissue(bench.picture, 1024)))
    words = [{"MARKER": marker, "OTSU": otsu}.get(word, word) for word in words]
    raw = ["--raw", f"{side}x{side}:u8"] if kind == "raw" else []
    times, copies = [], []
    for _ in range(bench.arguments.rounds):
        taken, stats = run(command, bench.arguments.library,
                           [operation, image, *words, "-o", out, *raw, "--device", "cpu",
                            "--memory-limit", str(pixels // 4)])
        os.remove(out)
        times.append(taken)
        copies.append(copy_seconds(image, folder, n_read * pixels, n_written * pixels))
    taken, copied = statistics.median(times), statistics.median(copies)
    allowed = 2 * in_memory(bench, operation) * pixels + copied
    bench.report.add(Row(SECTION, f"{operation}, {kind}",
                         f"{taken:.1f} s, allowed {allowed:.1f} s of which {copied:.1f} s are copies; "
                         f"peak {stats['peak_rss_bytes'] / pixels:.2f} bytes a pixel of 0.25",
                         taken / allowed, " ×", ("at most", 1) if kind == "raw" else None))


def files_section(bench):
    side = bench.arguments.files_side
    command = find_command(bench.arguments.library)
    bench.report.section(SECTION)
    if not command:
        bench.report.remark("Files: left out: there is no tools/wavefront beside the library.")
        return
    with tempfile.TemporaryDirectory(dir=bench.arguments.files_folder) as folder:
        for name, change in (("image", lambda picture: picture), ("marker", inputs.marker_of)):
            change(inputs.tissue(bench.picture, side)).tofile(os.path.join(folder, f"{name}.raw"))
            TIFF.write(os.path.join(folder, f"{name}.tif"), side,
                       TIFF.make_patterns(change(bench.picture)))
        for operation in bench.operations():
            for kind in ("raw", "tif"):
                measure(bench, command, folder, operation, kind)
    bench.report.remark(f"Files: {side} × {side} pixels, u8; the results are compared with those in "
                        "memory by the tests.")
