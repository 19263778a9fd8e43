#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays, contexts and errors of the Python package: views, outputs, subclasses, progress,
cancelling, threads. Prints TAP."""
import gc
import io
import os
import signal
import threading
import time
import weakref

import numpy as np
import wavefront
from setting import SEED, done, ok, refuses, same, spots
from wavefront import _arrays

generator = np.random.default_rng(SEED)
IMAGE = spots(generator, (60, 80), np.uint8)
STACK = spots(generator, (12, 30, 40), np.uint16)


def is_view(array):
    """Whether an operation works where the array lies."""
    return _arrays.View(array, "array").pixels is array


def test_views():
    right = wavefront.h_maxima(IMAGE, height=5)
    wide = np.zeros((64, 100), np.uint8)
    wide[2:62, 10:90] = IMAGE
    part = wide[2:62, 10:90]
    ok(is_view(part), "a part of an image needs no copy")
    ok(same(wavefront.h_maxima(part, height=5), right), "a part of an image")
    rows = np.repeat(IMAGE, 2, axis=0)[::2]
    ok(is_view(rows) and same(wavefront.h_maxima(rows, height=5), right), "every second row")
    columns = np.repeat(IMAGE, 2, axis=1)[:, ::2]
    ok(not is_view(columns) and same(wavefront.h_maxima(columns, height=5), right),
       "every second column, by a copy")
    flipped = IMAGE[::-1, ::-1].copy()[::-1, ::-1]
    ok(not is_view(flipped) and same(wavefront.h_maxima(flipped, height=5), right),
       "negative strides, by a copy")
    turned = np.asfortranarray(IMAGE)
    ok(not is_view(turned) and same(wavefront.h_maxima(turned, height=5), right),
       "columns one after the other, by a copy")
    repeated = np.broadcast_to(IMAGE[0], IMAGE.shape)
    ok(not is_view(repeated) and
       same(wavefront.h_maxima(repeated, height=5), wavefront.h_maxima(repeated.copy(), height=5)),
       "a row that is repeated by a stride of 0, by a copy")
    swapped = STACK.astype(STACK.dtype.newbyteorder())
    right = wavefront.h_maxima(STACK, height=500)
    ok(same(wavefront.h_maxima(swapped, height=500), right), "the other byte order, by a copy")
    raw = np.zeros(STACK.nbytes + 1, np.uint8)
    odd = raw[1:].view(np.uint16).reshape(STACK.shape)
    odd[...] = STACK
    ok(not odd.flags.aligned and same(wavefront.h_maxima(odd, height=500), right),
       "unaligned pixels, by a copy")
    box = np.zeros((14, 40, 60), np.uint16)[1:13, 3:33, 5:45]
    box[...] = STACK
    ok(is_view(box) and same(wavefront.h_maxima(box, height=500), right), "a part of a stack")
    slices = np.repeat(STACK, 3, axis=0)[::3]
    ok(is_view(slices) and same(wavefront.h_maxima(slices, height=500), right), "every third slice")
    for _ in range(40):
        compare_random_view()
    ok(same(wavefront.fill_holes(IMAGE[7]), wavefront.fill_holes(IMAGE[7:8])[0]), "a single row")


def compare_random_view():
    """A view by random steps and axes, as input and as output, beside packed copies."""
    base = spots(generator, tuple(generator.integers(8, 30, 3)), np.uint8)
    steps = tuple(slice(None, None, int(generator.choice([-2, -1, 1, 1, 2]))) for _ in range(3))
    view = base[steps].transpose(generator.permutation(3))
    packed = view.copy(order="C")
    right = wavefront.opening(packed, radius=1)
    target = np.zeros(base.shape, np.uint8)[steps].transpose(generator.permutation(3))
    target = np.zeros(tuple(2 * n for n in view.shape), np.uint8)[tuple(
        slice(None, None, int(generator.choice([-2, 2]))) for _ in range(3))]
    returned = wavefront.opening(view, radius=1, out=target)
    ok(returned is target and np.array_equal(target, right) and np.array_equal(view, packed),
       f"a view with steps {[step.step for step in steps]}, {view.strides} to {target.strides}")
    around = target.base
    ok(np.count_nonzero(around) == np.count_nonzero(target), "nothing beside the view is written")


def test_outputs():
    right = wavefront.h_maxima(IMAGE, height=5)
    out = np.empty_like(IMAGE)
    ok(wavefront.h_maxima(IMAGE, height=5, out=out) is out and same(out, right), "out")
    own = IMAGE.copy()
    wavefront.h_maxima(own, height=5, out=own)
    ok(same(own, right), "out may be the image itself")
    fixed = np.empty_like(IMAGE)
    fixed.flags.writeable = False
    refuses(ValueError, lambda: wavefront.h_maxima(IMAGE, height=5, out=fixed),
            "a read-only output is refused", "out", "read-only")
    constant = IMAGE.copy()
    constant.flags.writeable = False
    ok(same(wavefront.h_maxima(constant, height=5), right), "a read-only input is none of an output")
    refuses(wavefront.InvalidError, lambda: wavefront.label(IMAGE, out=np.empty_like(IMAGE)),
            "an output of another type is refused", "u8", "u32")
    refuses(TypeError, lambda: wavefront.h_maxima(IMAGE, height=5, out=IMAGE.tolist()),
            "a list is no output", "list")
    refuses(TypeError, lambda: wavefront.regional_maxima(IMAGE, out=np.empty(IMAGE.shape, bool)),
            "255 is no bool", "bool", "uint8")
    refuses(ValueError, lambda: wavefront.h_maxima(IMAGE, height=5, out=out[1:]),
            "an output of another shape is refused", "(59, 80)", "(60, 80)")
    distances, nearest = wavefront.distance(IMAGE > 20, nearest=True)
    given = np.empty(IMAGE.shape, np.uint64)
    found = wavefront.distance(IMAGE > 20, out=False, nearest=given)
    ok(found.distances is None and found.nearest is given and same(given, nearest),
       "nearest pixels without the distances")
    y, x = np.unravel_index(nearest.astype(np.int64), IMAGE.shape)
    rows, columns = np.indices(IMAGE.shape)
    ok(np.allclose(np.hypot(y - rows, x - columns), distances), "distances to the nearest pixels")
    before = out.copy()
    refuses(wavefront.InvalidError, lambda: wavefront.h_maxima(IMAGE, height=-1, out=out),
            "an option out of its range is refused", "height")
    ok(same(out, before), "and the output is as it was")


class Picture(np.ndarray):
    """A subclass with an attribute, as NumPy's guide has it."""

    def __array_finalize__(self, other):
        self.where = getattr(other, "where", None)


def test_classes():
    picture = IMAGE.view(Picture)
    picture.where = "here"
    found = wavefront.h_maxima(picture, height=5)
    ok(type(found) is Picture and found.where == "here" and
       same(np.asarray(found), wavefront.h_maxima(IMAGE, height=5)), "a subclass of ndarray")
    labels, n = wavefront.label(picture, threshold=30)
    ok(type(labels) is Picture and labels.dtype == np.uint32 and n == labels.max(),
       "a subclass of ndarray, with another type of pixels")
    masked = np.ma.array(IMAGE, mask=False)
    ok(same(wavefront.h_maxima(masked, height=5).data, wavefront.h_maxima(IMAGE, height=5)),
       "a masked array without masked pixels")
    masked[3, 4] = np.ma.masked
    refuses(TypeError, lambda: wavefront.h_maxima(masked, height=5), "masked pixels are refused",
            "masked")
    kept = weakref.ref(picture)
    del picture, found, labels
    gc.collect()
    ok(kept() is None, "no array is kept after a call")
    marks = IMAGE > 30
    ok(same(wavefront.label(marks).labels, wavefront.label(IMAGE, threshold=30).labels),
       "bool counts as uint8")
    ok(same(wavefront.fill_holes([[0, 0], [0, 0]] == np.zeros((2, 2))),
            np.ones((2, 2), np.uint8)), "and its result is uint8")


def test_thresholds():
    """Otsu's threshold by its definition; a share of the pixels."""
    image = IMAGE.astype(np.uint8)
    parts = []
    for level in range(256):
        below, above = image[image <= level], image[image > level]
        parts.append(sum(part.size * part.var() for part in (below, above) if part.size))
    found = wavefront.find_threshold(image)
    ok(np.isclose(parts[int(found)], min(parts)), "Otsu's threshold", f"{found}: {np.argmin(parts)}")
    ok(wavefront.find_threshold(image[::-1, ::2]) == wavefront.find_threshold(image[::-1, ::2].copy()),
       "of a view that needs a copy")
    level = wavefront.find_threshold(image, "30%")
    ok((image <= level).mean() >= 0.3 > (image < level).mean(), "30% of the pixels", str(level))
    refuses(ValueError, lambda: wavefront.find_threshold(image, "best"), "no method", "best", "otsu")
    refuses(wavefront.InvalidError, lambda: wavefront.find_threshold(image.astype(np.uint32)),
            "levels of labels", "u32")


def test_labels():
    """Tools, measurements and the hierarchy, on subclasses and on views that need a copy."""
    labels = wavefront.watershed(IMAGE).labels
    turned = np.asfortranarray(labels).view(Picture)
    turned.where = "there"
    levels = IMAGE[::-1, ::-1].copy()[::-1, ::-1].view(Picture)
    for name, function in {"remove_small": lambda array: wavefront.remove_small(array, area=30),
                           "keep_largest": lambda array: wavefront.keep_largest(array, count=5),
                           "expand_labels": wavefront.expand_labels,
                           "relabel": wavefront.relabel}.items():
        found, n = function(turned)
        ok(type(found) is Picture and found.where == "there" and
           same(np.asarray(found), function(labels).labels) and n == function(labels).regions,
           f"{name} of a subclass whose columns lie one after the other")
    table, right = wavefront.measure(turned, levels), wavefront.measure(labels, IMAGE)
    ok(all(np.array_equal(table[name], right[name], equal_nan=True) for name in right),
       "measurements of views")
    cut, _ = wavefront.Hierarchy(levels, turned).cut(turned, n_regions=4)
    ok(type(cut) is Picture and
       same(np.asarray(cut), wavefront.Hierarchy(IMAGE, labels).cut(labels, n_regions=4)[0]),
       "a cut of a hierarchy of views")


def test_errors():
    ok(issubclass(wavefront.InvalidError, ValueError) and
       issubclass(wavefront.OutOfMemoryError, MemoryError), "errors are Python's own, too")
    refuses(TypeError, lambda: wavefront.h_maxima(IMAGE), "an option without default", "height")
    refuses(TypeError, lambda: wavefront.label(IMAGE, colour=3), "an unknown argument", "colour")
    refuses(TypeError, lambda: wavefront.label(IMAGE.astype(np.int64)), "a type the library lacks",
            "int64", "uint16")
    refuses(wavefront.InvalidError, lambda: wavefront.label(IMAGE.astype(float)),
            "a type the operation lacks", "f64", "f32")
    refuses(wavefront.InvalidError, lambda: wavefront.label(IMAGE, connectivity=6),
            "a connectivity of stacks", "6")
    refuses(wavefront.InvalidError, lambda: wavefront.label(IMAGE, connectivity=5),
            "no connectivity", "5")
    refuses(ValueError, lambda: wavefront.label(np.zeros((2, 2, 2, 2), np.uint8)), "four axes", "4")
    refuses(wavefront.InvalidError, lambda: wavefront.label(np.zeros((0, 5), np.uint8)),
            "no pixels", "positive")
    refuses(TypeError, lambda: wavefront.gaussian(IMAGE, sigma="wide"), "a word for a number", "sigma")
    refuses(TypeError, lambda: wavefront.median(IMAGE, radius=1.5), "a fraction for a whole number",
            "radius")
    refuses(wavefront.InvalidError, lambda: wavefront.gaussian(IMAGE, sigma=float("nan")),
            "NaN for a number", "sigma")
    refuses(ValueError, lambda: wavefront.distance(IMAGE, spacing=(1, 1, 1)), "a spacing of three",
            "3", "2 axes")
    refuses(ValueError, lambda: wavefront.reconstruct(IMAGE, IMAGE[1:]), "two sizes", "marker")
    refuses(wavefront.InvalidError,
            lambda: wavefront.gaussian(np.full((5, 5), np.nan, np.float32)), "NaN in an image", "NaN")
    refuses(wavefront.DeviceError, lambda: wavefront.Context(device="cuda:63"), "no such device",
            "cuda:63")
    refuses(wavefront.OutOfMemoryError,
            lambda: wavefront.watershed(IMAGE, context=wavefront.Context(memory_limit=1000)),
            "a memory limit")
    whole = np.float32(0.1)
    flat = np.full((3, 3), 0.1, np.float32)
    ok(wavefront.label(flat, threshold=whole).components == 0,
       "a number of 32 bits is the level that it is")


def test_hierarchy():
    labels, n = wavefront.watershed(IMAGE)
    hierarchy = wavefront.Hierarchy(IMAGE, labels, measure="area")
    ok(hierarchy.n_basins == n, "a hierarchy has the basins of the watershed")
    few, count = hierarchy.cut(labels, n_regions=5)
    ok(count == 5 and set(np.unique(few)) == set(range(1, 6)), "a cut to five regions")
    same_cut, again = hierarchy.cut(labels, depth=hierarchy.depth(5))
    ok(again == 5 and same(same_cut, few), "a cut at the depth of five regions")
    ok(all(len(np.unique(few[labels == label])) == 1 for label in range(1, n + 1)),
       "a cut merges whole basins")
    refuses(TypeError, lambda: hierarchy.cut(labels), "a cut needs a depth or a number", "depth")


class Bar:
    """What tqdm's bars have of it."""

    def __init__(self, total=None):
        self.total, self.n, self.steps = total, 0, 0

    def update(self, step):
        self.n += step
        self.steps += 1


def large():
    """Work for a while: the seconds depend on the machine, the size only on memory."""
    return spots(generator, (1500, 1500), np.uint8)


def test_progress(image):
    seen = []
    one = wavefront.Context(threads=1, progress=seen.append)
    wavefront.median(image, radius=9, context=one)
    ok(seen and seen == sorted(seen) and 0 <= seen[0] and seen[-1] <= 1, "progress rises", str(seen))
    for total in None, 50:
        one.progress = bar = Bar(total)
        wavefront.median(image, radius=9, context=one)
        ok(bar.steps and 0 < bar.n <= bar.total + 1e-9, f"a bar with total {total} moves",
           f"{bar.n} of {bar.total}")
    try:
        import tqdm
    except ImportError:
        pass
    else:
        for total in None, 100:
            said = io.StringIO()
            with tqdm.tqdm(total=total, file=said, mininterval=0) as bar:
                one.progress = bar
                wavefront.median(image, radius=9, context=one)
            ok(0 < bar.n <= bar.total + 1e-9 and bar.total == (total or 1) and "%|" in said.getvalue(),
               f"a bar of tqdm with total {total} moves", said.getvalue()[-200:])
    ok(one.report.device == "cpu" and one.report.threads == 1 and one.report.seconds > 0,
       "the report of a context", str(one.report))

    def fail(_fraction):
        raise LookupError("enough")

    one.progress = fail
    out = np.full_like(image, 7)
    refuses(LookupError, lambda: wavefront.median(image, radius=9, out=out, context=one),
            "an exception in the callback ends the operation", "enough")
    ok((out == 7).all(), "and the output is as it was")

    def fail_later(fraction):
        if fraction > 0.3:
            raise LookupError("enough")

    one.progress = fail_later
    for partial in (False, True):
        one.partial_outputs = partial
        out[...] = 7
        refuses(LookupError, lambda: wavefront.median(image, radius=100, out=out, context=one),
                f"an operation may fail in the middle, partial_outputs={partial}", "enough")
        ok((out != 7).any() == partial, "the output is partly written where that is allowed")
    one.partial_outputs = False
    one.progress = None
    wavefront.median(IMAGE, radius=2, context=one)
    ok(True, "the context works on")

    def again(_fraction):
        wavefront.median(IMAGE, radius=2, context=one)

    one.progress = again
    refuses(RuntimeError, lambda: wavefront.median(image, radius=9, context=one),
            "an operation in the callback of its own context is refused", "already")


def test_cancel(image):
    one = wavefront.Context(threads=1)
    main = threading.get_ident()

    def interrupt(_fraction):
        if not interrupted:
            interrupted.append(time.monotonic())
            signal.pthread_kill(main, signal.SIGINT)

    interrupted = []
    one.progress = interrupt
    refuses(KeyboardInterrupt, lambda: wavefront.median(image, radius=100, context=one),
            "Ctrl+C ends an operation")
    # a tenth of a second, on a machine that does nothing else
    ok(len(interrupted) == 1 and time.monotonic() - interrupted[0] < 2,
       "it came while the operation ran, which ended soon", str(interrupted))
    one.progress = lambda fraction: one.cancel()
    refuses(wavefront.Cancelled, lambda: wavefront.median(image, radius=100, context=one),
            "cancelling ends an operation")
    one.progress = None
    started = threading.Event()
    result = []

    def work():
        one.progress = lambda fraction: started.set()
        try:
            result.append(wavefront.median(image, radius=100, context=one))
        except wavefront.Cancelled as cancelled:
            result.append(cancelled)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait(60)
    one.cancel()
    thread.join(60)
    ok(len(result) == 1 and isinstance(result[0], wavefront.Cancelled),
       "cancelling from another thread", str(result))


def test_threads(image):
    right = wavefront.watershed(image).labels
    found = [None] * 4
    alone = threading.Event()

    def work(i, context):
        found[i] = wavefront.watershed(image, context=context).labels

    for shared in None, wavefront.Context(threads=1):
        threads = [threading.Thread(target=work, args=(i, shared)) for i in range(len(found))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ok(all(same(labels, right) for labels in found),
           "threads with contexts of their own" if shared is None else "threads with one context")
    ticks = []

    def count():
        while not alone.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    counter = threading.Thread(target=count)
    counter.start()
    begin = time.monotonic()
    wavefront.median(image, radius=9, context=wavefront.Context(threads=1))
    end = time.monotonic()
    alone.set()
    counter.join()
    ok(sum(begin < tick < end for tick in ticks) >= 2, "other threads run during an operation",
       f"{len(ticks)} in {end - begin} s")


def test_contexts():
    with wavefront.Context(device="cpu", threads=1) as outer:
        with wavefront.Context(device="cpu", threads=2) as inner:
            wavefront.label(IMAGE)
            ok(inner.report is not None and outer.report is None, "the innermost context works")
        wavefront.label(IMAGE)
        ok(outer.report is not None, "then the one around it")
        refuses(wavefront.Error, lambda: outer.configure(device="cuda:63"), "a device that is not there")
        wavefront.label(IMAGE)
        ok(outer.report.device == "cpu", "changes nothing")
    refuses(TypeError, lambda: wavefront.Context(colour=1), "an unknown argument", "colour")
    ok(wavefront.devices()[0].name == "cpu", "the first device is the CPU")


def main():
    for test in (test_views, test_outputs, test_classes, test_thresholds, test_labels, test_errors,
                 test_hierarchy, test_contexts):
        test()
    image = large()
    for test in test_progress, test_cancel, test_threads:
        test(image)
    done()


if os.name == "posix":
    signal.signal(signal.SIGINT, signal.default_int_handler)
main()
