# SPDX-License-Identifier: GPL-3.0-or-later
"""Timing of contenders in turns, and measuring memory in a separate process."""
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy

import engine

FOLDER = os.path.dirname(os.path.abspath(__file__))


class TooSlow(Exception):
    """An operation was cancelled because it exceeded its time limit."""


class Contender:
    """A function to time, in megapixels per second."""

    def __init__(self, name, pixels, run, prepare=lambda: None, result=None):
        self.name = name
        self.pixels = pixels
        self.run = run
        self.prepare = prepare
        self.result = result
        self.times = []

    def once(self, clock):
        self.prepare()
        start = clock()
        self.run()
        return clock() - start

    def seconds(self):
        return statistics.median(self.times)

    def speed(self):
        return self.pixels / self.seconds() / 1e6


class Stopwatch:
    """Times contenders: the number of rounds, and the clock."""

    def __init__(self, rounds, clock):
        self.rounds = rounds
        self.clock = time.process_time if clock == "cpu" else time.perf_counter

    def compare(self, contenders):
        """Times all contenders in turns, after an untimed round."""
        for contender in contenders:
            contender.once(self.clock)
            contender.times.clear()
        for _ in range(self.rounds):
            for contender in contenders:
                contender.times.append(contender.once(self.clock))

    def time_within(self, context, contender, limit):
        """Times one contender; raises TooSlow if a run exceeds limit seconds."""
        for _ in range(1 + self.rounds):
            with context.cancellable_now() as cancel:
                timer = threading.Timer(limit, cancel)
                timer.start()
                try:
                    contender.times.append(contender.once(self.clock))
                except engine.Refused as problem:
                    if timer.is_alive():
                        raise
                    raise TooSlow(str(problem)) from problem
                finally:
                    timer.cancel()
        del contender.times[0]


# ---------------------------------------------------------------- the separate process

class Child:
    """Runs one operation of the library in a new process, on arrays stored in files."""

    def __init__(self, library, rounds, clock):
        self.library = library
        self.rounds = rounds
        self.clock = clock

    def measure(self, operation, arrays, out, given, environment=None, partial=False):
        """Returns {"seconds": median, "bytes": peak memory beyond arrays and output}."""
        task = {"rounds": self.rounds, "partial": partial, "device": "cpu"}
        return self._run(operation, arrays, out, given, task, environment)

    def first_use(self, operation, arrays, out, given, device="cuda:0"):
        """Returns {"seconds": time of creating the context and of the first call}."""
        task = {"rounds": 0, "partial": False, "device": device}
        return self._run(operation, arrays, out, given, task, None)

    def _run(self, operation, arrays, out, given, task, environment):
        with tempfile.TemporaryDirectory(prefix="wavefront-bench-") as folder:
            files = []
            for i, array in enumerate(arrays):
                files.append(os.path.join(folder, f"{i}.npy"))
                numpy.save(files[-1], array)
            task.update({"library": self.library.path, "operation": operation, "files": files,
                         "out": out, "given": given, "clock": self.clock})
            done = subprocess.run([sys.executable, os.path.join(FOLDER, "measure.py")],
                                  input=json.dumps(task), stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, **(environment or {})}, check=True)
        return json.loads(done.stdout)


def child():
    """The separate process: a task on standard input, the results on standard output."""
    task = json.load(sys.stdin)
    library = engine.Library(task["library"])
    if task["device"] != "cpu":
        return first_use(task, library)
    context = engine.Context(library, partial=task["partial"])
    stopwatch = Stopwatch(task["rounds"], task["clock"])
    prepare = getattr(context, task["operation"])
    arrays = [numpy.load(name) for name in task["files"]]
    out = numpy.zeros(arrays[0].shape, task["out"])
    out.fill(1)    # maps its pages

    # memory that is allocated once per process does not count
    small = [numpy.ascontiguousarray(array[:64, :64]) for array in arrays]
    prepare(*small, numpy.zeros(small[0].shape, task["out"]), **task["given"])()

    run = prepare(*arrays, out, **task["given"])
    before = resident("VmRSS")
    forget_peak()
    run()
    peak = resident("VmHWM")
    contender = Contender("", out.size, run)
    if task["rounds"]:
        stopwatch.compare([contender])
    json.dump({"seconds": contender.seconds() if contender.times else None,
               "bytes": peak - before, "algorithm": context.algorithm()}, sys.stdout)


def first_use(task, library):
    """Times the first use of a device in a process."""
    arrays = [numpy.load(name) for name in task["files"]]
    out = numpy.ones(arrays[0].shape, task["out"])
    start = time.perf_counter()
    context = engine.Context(library, device=task["device"])
    getattr(context, task["operation"])(*arrays, out, **task["given"])()
    json.dump({"seconds": time.perf_counter() - start, "algorithm": context.algorithm()},
              sys.stdout)


def resident(field):
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(field + ":"):
                return 1024 * int(line.split()[1])
    raise RuntimeError(f"/proc/self/status has no {field}")


def forget_peak():
    """Resets VmHWM; where that is not permitted, the previous peak is lower anyway."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as f:
        f.write("5")


if __name__ == "__main__":
    child()
