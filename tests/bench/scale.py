#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What several processes need, from measured constants: tests/bench/scale.py COMMAND [DOCUMENT]

Runs the command under mpirun on small images, finds the constants of the model in docs/scale.md,
says how far off the model is for other sizes, and what it says of 10^6 x 10^6 pixels on 256
ranks. With DOCUMENT, the tables there are replaced. Takes some minutes on two idle cores.

The model: a rank's part has width x rows pixels.

  seconds   = pixel x width x rows  +  step x width x 2 log2 (ranks)
  messages  = message x width, 2 (ranks - 1) of them, 2 log2 (ranks) one after the other
  memory    = width x (band + side x sqrt (rows)), the least that the operation accepts
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ROUNDS = 5
OPERATIONS = {
    "label": ["--threshold", "128"],
    "distance": ["--threshold", "128"],
    "reconstruct": ["MARKER"],
    "watershed": [],
}
# width, rows and ranks of the runs that the constants are from, and of those that test them
PIXEL_RUN = (8192, 16384, 2)
STEP_RUN = (1 << 18, 128, 2)
TESTS = [(8192, 8192, 2), (16384, 16384, 2), (1 << 17, 512, 2), (8192, 8192, 4), (8192, 8192, 8)]
MEMORY_WIDTH = 1 << 15
MEMORY_ROWS = (256, 4096)
MEMORY_TEST = (1 << 16, 1024)
WANTED = (10 ** 6, 10 ** 6, 256)
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl": "self,sm", "OMP_WAIT_POLICY": "passive"}


class Bench:
    def __init__(self, command, folder):
        self.command = command
        self.folder = folder
        self.written = None

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, width, rows):
        """A picture of blobs and noise, and its marker."""
        if self.written == (width, rows):
            return
        piece = make_picture(width, min(rows, 256))
        for name, data in (("image.raw", piece), ("marker.raw", bytes(max(0, v - 24) for v in piece))):
            with open(self.path(name), "wb") as out:
                for first in range(0, rows, 256):
                    out.write(data[:width * min(256, rows - first)])
        self.written = (width, rows)

    def run(self, operation, width, rows, ranks, *more):
        self.write(width, rows)
        words = [self.path("marker.raw") if word == "MARKER" else word
                 for word in OPERATIONS[operation]]
        launcher = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        return subprocess.run(
            [*launcher, self.command, operation, self.path("image.raw"), *words, "-o",
             self.path("out.raw"), "--raw", f"{width}x{rows}:u8", "--threads", "1", "--device",
             "cpu", "--blocks", "summary" if operation == "reconstruct" else "auto", "--stats",
             *more], check=False, capture_output=True, text=True,
            env={**os.environ, **ENVIRONMENT})

    def stats(self, operation, width, rows, ranks):
        """Seconds of the slowest rank in the fastest of the rounds, and bytes that all have sent.

        Not medians: files in memory wait for a host that gives a machine its memory when it is
        first used.
        """
        results = []
        for _ in range(ROUNDS):
            done = self.run(operation, width, rows, ranks)
            if done.returncode:
                raise SystemExit(f"scale: {done.stderr.strip()}")
            stats = json.loads(done.stdout)
            all_ranks = stats.get("ranks", [{"operation_seconds": stats["seconds"],
                                             "sent_bytes": 0}])
            results.append((max(rank["operation_seconds"] for rank in all_ranks),
                            sum(rank["sent_bytes"] for rank in all_ranks)))
        return min(results)

    def least_memory(self, operation, width, rows):
        """The least --memory-limit, in bytes, of each of two ranks with so many rows."""
        low, high = 0, 1 << 29
        while high - low > 1 << 18:
            middle = (low + high) // 2
            accepted = self.run(operation, width, 2 * rows, 2, "--memory-limit", str(middle))
            low, high = (low, middle) if accepted.returncode == 0 else (middle, high)
        return high


def make_picture(width, rows):
    """Cells of a few pixels on a slope, the same everywhere."""
    state = 12345
    row = bytearray(width)
    lines = []
    for y in range(rows):
        if y % 5 == 0:
            for x in range(0, width, 7):
                state = (state * 1103515245 + 12345) & 0x7fffffff
                row[x:x + 7] = bytes([80 + (state >> 16) % 120]) * min(7, width - x)
        lines.append(bytes(row))
    return b"".join(lines)


# ------------------------------------------------------------ the model

def steps(ranks):
    return 2 * math.ceil(math.log2(ranks)) if ranks > 1 else 0


def find_constants(bench, operation):
    # two runs, two unknowns: seconds = pixel x pixels of a rank + step x width x steps
    runs = [bench.stats(operation, *run) for run in (PIXEL_RUN, STEP_RUN)]
    (area, size), (area_of_step, size_of_step) = [
        (width * rows / ranks, width * steps(ranks)) for width, rows, ranks in (PIXEL_RUN, STEP_RUN)]
    step = max(0.0, (runs[1][0] * area - runs[0][0] * area_of_step)
               / (size_of_step * area - size * area_of_step))
    pixel = (runs[0][0] - step * size) / area
    width, rows, ranks = STEP_RUN
    sent = runs[1][1]
    memory = [bench.least_memory(operation, MEMORY_WIDTH, rows) / MEMORY_WIDTH
              for rows in MEMORY_ROWS]
    roots = [math.sqrt(rows) for rows in MEMORY_ROWS]
    side = max(0.0, (memory[1] - memory[0]) / (roots[1] - roots[0]))
    return {"pixel": pixel, "step": step, "message": sent / (width * 2 * (ranks - 1)),
            "side": side, "band": max(0.0, memory[0] - side * roots[0])}


def predict(constants, width, rows, ranks, cores):
    """Seconds, and bytes that all send: @cores do the work of all ranks."""
    own = constants["pixel"] * width * rows / ranks * max(1.0, ranks / cores)
    return (own + constants["step"] * width * steps(ranks),
            constants["message"] * width * 2 * (ranks - 1))


def predict_memory(constants, width, rows):
    return width * (constants["band"] + constants["side"] * math.sqrt(rows))


# ------------------------------------------------------------ tables

def table(head, lines):
    rule = ["---"] + ["--:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, rule, *lines])


def constants_table(all_constants):
    return table(
        ["operation", "ns a pixel", "ns a pixel of width and step", "bytes a pixel of width in a "
         "message", "memory a pixel of width, bytes"],
        [[operation, f"{c['pixel'] * 1e9:.1f}", f"{c['step'] * 1e9:.0f}", f"{c['message']:.1f}",
          f"{c['band']:.0f} + {c['side']:.1f} √rows"] for operation, c in all_constants.items()])


def tests_table(bench, all_constants, cores):
    lines = []
    for operation, constants in all_constants.items():
        for width, rows, ranks in TESTS:
            seconds, sent = bench.stats(operation, width, rows, ranks)
            model, model_sent = predict(constants, width, rows, ranks, cores)
            lines.append([f"{operation}, {width} × {rows}, {ranks} ranks", f"{seconds:.2f} s",
                          f"{model:.2f} s", f"{100 * (model / seconds - 1):+.0f} %",
                          f"{100 * (model_sent / sent - 1):+.0f} %"])
        width, rows = MEMORY_TEST
        least = bench.least_memory(operation, width, rows)
        model = predict_memory(constants, width, rows)
        lines.append([f"{operation}, {width} × {rows}, memory", f"{least / 2 ** 20:.0f} MiB",
                      f"{model / 2 ** 20:.0f} MiB", f"{100 * (model / least - 1):+.0f} %", ""])
    return table(["run", "measured", "model", "error", "error of the bytes sent"], lines)


def wanted_table(all_constants):
    width, rows, ranks = WANTED
    lines = []
    for operation, c in all_constants.items():
        memory = predict_memory(c, width, rows / ranks)
        lines.append([operation, f"{memory / 2 ** 30:.2f} GiB",
                      f"{c['message'] * width / 1e6:.0f} MB",
                      f"{c['message'] * width * 2 * (ranks - 1) / 1e9:.1f} GB",
                      f"{c['step'] * width * steps(ranks):.1f} s",
                      f"{c['pixel'] * width * rows / ranks:.0f} s"])
    return table(["operation", "memory of a rank", "a message", f"all {2 * (ranks - 1)} messages",
                  f"solve: {steps(ranks)} steps", "passes, one thread a rank"], lines)


def replace_part(text, name, part):
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
    changed, n = re.subn(pattern, lambda match: match[1] + part + "\n" + match[2], text,
                         flags=re.DOTALL)
    if n != 1:
        raise SystemExit(f"scale: the document has no part “{name}”")
    return changed


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__.split("\n", maxsplit=1)[0])
    cores = os.cpu_count()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        bench = Bench(sys.argv[1], folder)
        all_constants = {operation: find_constants(bench, operation) for operation in OPERATIONS}
        parts = {"constants": constants_table(all_constants),
                 "tests": tests_table(bench, all_constants, cores),
                 "wanted": wanted_table(all_constants)}
    for name, part in parts.items():
        print(f"{name}, {cores} cores\n{part}\n")
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as document:
            text = document.read()
        for name, part in parts.items():
            text = replace_part(text, name, part)
        with open(sys.argv[2], "w", encoding="utf-8") as document:
            document.write(text)


if __name__ == "__main__":
    main()
