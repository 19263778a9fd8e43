# SPDX-License-Identifier: GPL-3.0-or-later
"""The command by several processes of MPI, each with one thread, on raw files in memory.

Strong: the same image for every number of ranks; weak: as many rows a rank. Seconds are those of the
operation in the slowest rank, reading and writing included, without the start of processes. The
base is one process with one thread: in memory, and in blocks.
"""
import json
import os
import statistics
import subprocess
import tempfile

import files
import inputs
from report import Row

SECTION = "Several processes"
WORK = {
    "reconstruct": ["MARKER"],
    "fill-holes": [],
    "distance": ["--threshold", "OTSU"],
    "watershed": [],
    "label": ["--threshold", "OTSU"],
}
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMP_WAIT_POLICY": "passive"}


def run(bench, command, n, words):
    """What --stats says of @n ranks; 0 for a process alone."""
    library = bench.arguments.library
    modules = os.path.join(os.path.dirname(library), "..", "mpi")
    launcher = ["mpirun", "--oversubscribe", "-n", str(n)] if n else []
    done = subprocess.run([*launcher, command, *words, "--threads", "1", "--device", "cpu",
                           "--stats"], check=False, capture_output=True, text=True,
                          env={**os.environ, **ENVIRONMENT, "WAVEFRONT_MODULE_DIR": modules,
                               "LD_LIBRARY_PATH": os.path.dirname(library)})
    if done.returncode:
        raise SystemExit(f"bench: {done.stderr.strip()}")
    return json.loads(done.stdout or done.stderr)


def slowest(stats):
    """Seconds of the operation, those of them that were waited, and bytes sent by all."""
    ranks = stats.get("ranks")
    if not ranks:
        return stats["seconds"], 0.0, 0
    last = max(ranks, key=lambda rank: rank["operation_seconds"])
    return (last["operation_seconds"], max(rank["waited_seconds"] for rank in ranks),
            sum(rank["sent_bytes"] for rank in ranks))


def median(bench, command, n, words):
    return statistics.median_low(slowest(run(bench, command, n, words))
                                 for _ in range(bench.arguments.rounds))


def write_image(bench, folder, width, height):
    """Tissue and its marker, as many rows as are wanted."""
    tissue = inputs.tissue(bench.picture, width)
    for name, picture in (("image", tissue), ("marker", inputs.marker_of(tissue))):
        with open(os.path.join(folder, f"{name}.raw"), "wb") as out:
            for row in range(0, height, width):
                out.write(picture[:min(width, height - row)].tobytes())


def words_of(operation, folder, width, height):
    otsu = {"MARKER": os.path.join(folder, "marker.raw"), "OTSU": "128"}
    return [operation, os.path.join(folder, "image.raw"),
            *[otsu.get(word, word) for word in WORK[operation]],
            "-o", os.path.join(folder, "out.raw"), "--raw", f"{width}x{height}:u8"]


def measure(bench, command, folder, kind, width, height, n):
    write_image(bench, folder, width, height)
    for operation in filter(bench.wants_operation, WORK):
        words = words_of(operation, folder, width, height)
        alone = median(bench, command, 0, words)[0]
        blocks = median(bench, command, 0, [*words, "--blocks", "auto"])[0]
        seconds, waited, sent = median(bench, command, n, words)
        bench.report.add(Row(SECTION, f"{operation}, {kind}, {n} ranks",
                             f"{width} × {height}: {seconds:.3f} s, {waited:.3f} s waited, "
                             f"{sent / 1e6:.1f} MB sent; alone {alone:.3f} s, "
                             f"in blocks {blocks:.3f} s",
                             alone / seconds / n, " of alone, a rank", None))


def ranks_section(bench):
    side = bench.arguments.ranks_side
    command = files.find_command(bench.arguments.library)
    bench.report.section(SECTION)
    if not command:
        bench.report.remark("Ranks: left out: there is no tools/wavefront beside the library.")
        return
    with tempfile.TemporaryDirectory(dir=bench.arguments.files_folder) as folder:
        n = 1
        while n <= bench.arguments.ranks:
            measure(bench, command, folder, "strong", side, side, n)
            n *= 2
        n = 1
        while n <= bench.arguments.ranks:
            measure(bench, command, folder, "weak", side, side * n, n)
            n *= 2
