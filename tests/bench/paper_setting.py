# SPDX-License-Identifier: GPL-3.0-or-later
"""What all experiments of the papers share: the images, timing, and comparing with the CPU's bits.

A row of results is a dictionary: "experiment", the parameters that it varies, "what" ran, and
"seconds" of whole calls and "device_seconds" of the kernels alone, each [least, median, most]. Where
the library times its steps, "steps" has for each the median of its seconds, and "rounds" how often
it went over its pixels; where it counts what it queues, there are "queued_first" and "queued".
"""
import contextlib
import glob
import os
import statistics
import time

import numpy

import devices
import engine
import inputs

OUTPUTS = {"reconstruct": "uint8", "distance": "float32", "watershed": "uint32", "label": "uint32"}
# Options that do not change a result.
WAYS = ("algorithm", "reduction-rate", "block-width", "block-height", "block-depth", "scans",
        "queue-size")
# The size of an image of the Berkeley data set, which the watershed's paper measures.
PART = 321, 481
PICTURES = ".png", ".jpg", ".jpeg", ".tif", ".raw"


class Mismatch(Exception):
    """A result differs from the CPU's."""


def spread(times):
    return [min(times), statistics.median(times), max(times)]


class Setting:
    """One run: the library, the device "cuda:N" or None, and how often each call is timed."""

    def __init__(self, arguments):
        self.library = engine.Library(arguments.library)
        self.device = arguments.device
        self.quick = arguments.quick
        self.rounds = 1 if arguments.quick else arguments.rounds
        self.largest = arguments.largest
        self.picture = inputs.read_picture(arguments.picture)
        self.folder = arguments.images
        self.rows = []
        self.keep = lambda: None    # writes the rows until now
        self.references = {}

    def side(self, side):
        """A side of an image of the paper, as large as this run has it."""
        return min(max(16, side // 256), 64) if self.quick else min(side, self.largest)

    def sides(self, *sides):
        """Without those that this run would cut to the same."""
        return list(dict.fromkeys(self.side(side) for side in sides))

    def tissue(self, side):
        return inputs.tissue(self.picture, side)

    def context(self, device=None, threads=0, **given):
        return engine.Context(self.library, threads=threads, partial=True,
                              device=device or self.device or "cpu", **given)

    def core(self):
        """One thread of the CPU."""
        return self.context("cpu", threads=1)

    def add(self, experiment, what, times, device_times=None, steps=None, **parameters):
        row = {"experiment": experiment, **parameters, "what": what}
        row["seconds"] = spread(times)
        if device_times and max(device_times) > 0:
            row["device_seconds"] = spread(device_times)
        if steps and steps[-1]:
            row["steps"] = {name: statistics.median(one[name][0] for one in steps)
                            for name in steps[-1]}
            row["rounds"] = {name: rounds for name, (_, rounds) in steps[-1].items() if rounds}
        self.rows.append(row)
        shown = ", ".join(f"{key} {value}" for key, value in parameters.items())
        print(f"  {experiment}: {shown}{', ' if shown else ''}{what}: "
              f"{1e3 * row['seconds'][1]:.2f} ms", flush=True)
        return row

    def time(self, experiment, what, context, call, arrays, given=None, exact=True,
             rounds=None, reference=None, out=None, **parameters):
        """Times a call and keeps the row, after a call that is not timed unless @rounds is 1.
        @exact: its result must be the CPU's; @reference: a key under which that result is kept
        for further calls; @out: where it is written, a new array by default."""
        given = given or {}
        if out is None:
            out = numpy.empty(arrays[0].shape, OUTPUTS[call])
        out.fill(1)
        run = getattr(context, call)(*arrays, out, **given)
        if rounds != 1:
            run()
        times, device_times, steps = zip(*(self.timed(run, context)
                                           for _ in range(rounds or self.rounds)))
        row = self.add(experiment, what, times, device_times, steps, **parameters)
        row["executions"] = context.executions()
        if context.queued()[1] > 0:
            row["queued_first"], row["queued"] = context.queued()
        if exact:
            self.compare(out, call, arrays, given, reference, f"{experiment}, {what}")
        return row, out

    @staticmethod
    def timed(run, context):
        """Seconds of a call and of the kernels alone, and its steps."""
        start = time.perf_counter()
        run()
        return time.perf_counter() - start, context.device_seconds(), context.steps()

    @staticmethod
    def sum_steps(calls):
        """The steps of several calls as those of one."""
        sums = {}
        for steps in calls:
            for name, (seconds, rounds) in steps.items():
                before = sums.get(name, (0, 0))
                sums[name] = before[0] + seconds, before[1] + rounds
        return sums

    @staticmethod
    def check_equal(pairs, title):
        for out, wanted in pairs:
            if not devices.is_equal(out, wanted):
                raise Mismatch(f"{title}: the result is not that of the CPU")

    def compare(self, out, operation, arrays, given, reference, title):
        wanted = self.references.get(reference)
        if wanted is None:
            options = {key: value for key, value in given.items() if key not in WAYS}
            wanted = numpy.zeros_like(out)
            getattr(self.context("cpu"), operation)(*arrays, wanted, **options)()
            if reference:
                self.references = {reference: wanted}
        self.check_equal([(out, wanted)], title)

    def parts(self):
        """Gray pictures of the size of the Berkeley data set: those of a folder, or parts of
        the pictures that come with scikit-image, or without it of the tissue."""
        if self.folder:
            return [inputs.read_picture(name) for name in pictures_of(self.folder)]
        if self.quick:
            return [numpy.ascontiguousarray(part[:160, :200]) for part in cut(self.picture)[:2]]
        return [part for picture in installed_pictures() or [self.tissue(2048)]
                for part in cut(picture)]


def pictures_of(folder):
    """The names of its pictures."""
    return sorted(name for name in glob.glob(os.path.join(folder, "*"))
                  if name.lower().endswith(PICTURES))


def installed_pictures():
    """The photographs that come with scikit-image, by their names."""
    try:
        import skimage
    except ImportError:
        return []
    pictures = []
    for name in sorted(glob.glob(os.path.join(skimage.__path__[0], "data", "*.[pj][np]g"))):
        with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):
            pictures.append(inputs.read_picture(name))
    return [picture for picture in pictures if min(picture.shape) >= min(PART)]


def cut(picture):
    """Parts of the size of the Berkeley data set that do not overlap."""
    height, width = PART if picture.shape[1] >= picture.shape[0] else PART[::-1]
    return [numpy.ascontiguousarray(picture[y:y + height, x:x + width])
            for y in range(0, picture.shape[0] - height + 1, height)
            for x in range(0, picture.shape[1] - width + 1, width)]
