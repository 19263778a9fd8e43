# SPDX-License-Identifier: GPL-3.0-or-later
"""The sections of the benchmark: what each measures, and the targets."""
import functools
import os

import numpy

import chain
import cores
import devices
import engine
import files
import gpu
import inputs
import peers
import ranks
import toolbox
from measure import Child, Contender, Stopwatch, TooSlow
from report import Row

# An operation on hard content is stopped after this many times the tissue's time.
PATIENCE = 40

OUTPUTS = {"reconstruct": None, "distance": "float32", "watershed": "uint32", "label": "uint32"}
# The options of the operations in the sections without peers.
PLAIN = {"reconstruct": {"connectivity": 8}, "distance": {}, "watershed": {"connectivity": 4},
         "label": {"connectivity": 8}}


class Bench:
    """The inputs, the peers and the clock of a run."""

    def __init__(self, arguments, library):
        self.arguments = arguments
        self.library = library
        self.size = arguments.size
        self.stopwatch = Stopwatch(arguments.rounds, arguments.clock)
        self.context = engine.Context(library)
        self.picture = inputs.read_picture(arguments.picture)
        self.peers = peers.Peers()
        self.report = None

    def wants(self, section):
        """Whether --only selects it: it names this section, or no section."""
        named = self.arguments.only & (set(SECTIONS) | set(LARGE_SECTIONS))
        return section in named or (section in SECTIONS and not named)

    def wants_operation(self, operation):
        named = self.arguments.only & set(engine.OPERATIONS)
        return operation in named or not named

    def wants_peer(self, name):
        chosen = self.arguments.peers
        if chosen is not None and name not in chosen.split(","):
            return False
        return any(name == title for title, _ in self.peers.versions())

    @functools.lru_cache(maxsize=3)
    def tissue(self, size, dtype="uint8"):
        return inputs.tissue(self.picture, size, dtype)

    @functools.lru_cache(maxsize=6)
    def arrays(self, operation, size, dtype="uint8"):
        """The operation's inputs made from the tissue."""
        tissue = self.tissue(size, dtype)
        if operation == "reconstruct":
            return [tissue, inputs.marker_of(tissue)]
        if operation == "watershed":
            return [inputs.gradient_of(tissue)]
        binary = inputs.binary_of(self.tissue(size))
        return [binary.astype(dtype)]

    def output(self, operation, arrays):
        return numpy.empty(arrays[0].shape, OUTPUTS[operation] or arrays[0].dtype)

    def ours(self, operation, arrays, context=None, **given):
        """libwavefront as a contender, run once; raises Refused."""
        out = self.output(operation, arrays)
        given = {**PLAIN[operation], **given}
        run = getattr(context or self.context, operation)(*arrays, out, **given)
        run()
        return Contender("libwavefront", out.size, run, result=lambda: out)

    def operations(self):
        """Yields the selected operations that this library has."""
        for operation in OUTPUTS:
            if self.wants_operation(operation):
                if hasattr(self.library.wavefront, f"wf_{operation}"):
                    yield operation
                elif operation != "label":
                    raise engine.Refused(f"the library has no wf_{operation}")


# ---------------------------------------------------------------- speed against peers

def speed(bench):
    bench.report.section("Speed, one thread, against peers")
    for operation in bench.operations():
        SPEED[operation](bench)


def against(bench, case, ours, rivals, check):
    """Times libwavefront and its rivals in turns; rivals: [(name, contender, factor)]."""
    for name, rival, factor in rivals:
        rival.prepare()
        rival.run()
        check(name, ours.result(), rival.result())
    bench.stopwatch.compare([ours] + [rival for _, rival, _ in rivals])
    for name, rival, factor in rivals:
        bench.report.add(Row("Speed, one thread", case,
                             f"{ours.speed():.1f} Mpx/s, {name} {rival.speed():.2f}",
                             rival.seconds() / ours.seconds(), " ×",
                             ("at least", factor) if factor else None))
    if not rivals:
        bench.report.add(Row("Speed, one thread", case, "no peer here", ours.speed(), " Mpx/s"))


def rivals_of(bench, pixels, *entries):
    """entries: (name of the peer, function that makes its contender, target factor or None)"""
    found = []
    for name, make, factor in entries:
        if bench.wants_peer(name):
            prepare, run, result = make()
            found.append((name, Contender(name, pixels, run, prepare, result), factor))
    return found


def speed_of_reconstruction(bench):
    mask, marker = bench.arrays("reconstruct", bench.size)
    for connectivity in (8, 4):
        case = f"reconstruction u8, {connectivity} neighbors"
        rivals = rivals_of(
            bench, mask.size,
            ("Leptonica",
             lambda c=connectivity: bench.peers.leptonica_reconstruct(mask, marker, c), 8),
            ("scikit-image",
             lambda c=connectivity: bench.peers.skimage_reconstruct(mask, marker, c), None))
        ours = bench.ours("reconstruct", [mask, marker], connectivity=connectivity)
        against(bench, case, ours, rivals, functools.partial(check_equal, case))


def check_equal(case, name, ours, theirs):
    if not numpy.array_equal(ours, theirs):
        raise SystemExit(f"bench: {case}: libwavefront and {name} differ in "
                         f"{numpy.count_nonzero(ours != theirs)} pixels")


def speed_of_distance(bench):
    images = [("Otsu mask", bench.arrays("distance", bench.size)[0], 10),
              ("1 % random background", inputs.random_background(bench.size, 0.01), 10),
              ("40 % random background", inputs.random_background(bench.size, 0.4), 10),
              ("one background pixel", inputs.one_background(bench.size), 3)]
    for title, image, factor in images:
        case = f"Euclidean distance, {title}"
        rivals = rivals_of(
            bench, image.size,
            ("OpenCV", lambda i=image: bench.peers.opencv_distance(i), factor),
            ("SciPy", lambda i=image: bench.peers.scipy_distance(i), None))
        ours = bench.ours("distance", [image])
        against(bench, case, ours, rivals, functools.partial(check_distance, bench, case))


def check_distance(bench, case, name, ours, theirs):
    """SciPy is exact; OpenCV adds squares in single precision, and rounds large ones."""
    theirs = theirs.astype(numpy.float32)
    different = numpy.count_nonzero(ours != theirs)
    if name == "SciPy" and different:
        raise SystemExit(f"bench: {case}: libwavefront and SciPy differ in {different} pixels")
    if different:
        most = numpy.abs(ours - theirs).max()
        bench.report.remark(f"{case}: {name} differs in {different} pixels, by {most:.2g} at most")
        if not numpy.allclose(ours, theirs, rtol=1e-3):
            raise SystemExit(f"bench: {case}: libwavefront and {name} differ by {most}")


def speed_of_watershed(bench):
    """OpenCV gets the minima as seeds; it draws lines, so the results differ."""
    image, = bench.arrays("watershed", bench.size)
    ours = bench.ours("watershed", [image])
    seeds = minima_labels(bench, image, ours.result())
    rivals = rivals_of(
        bench, image.size,
        ("OpenCV", lambda: bench.peers.opencv_watershed(image, seeds), 6),
        ("scikit-image", lambda: bench.peers.skimage_watershed(image, 4), 50))
    count = int(ours.result().max())

    def check(name, mine, theirs):
        """OpenCV keeps the seeds, except at the image's border; scikit-image has as many basins."""
        inner = (slice(1, -1), slice(1, -1))
        kept = seeds[inner] != 0
        if name == "OpenCV" and (theirs[inner][kept] != seeds[inner][kept]).any():
            raise SystemExit("bench: watershed: OpenCV does not keep the seeds")
        if name == "scikit-image" and int(theirs.max()) != count:
            raise SystemExit(f"bench: watershed: {count} basins, {name} has {theirs.max()}")

    against(bench, "watershed u8, 4 neighbors, no markers", ours, rivals, check)


def minima_labels(bench, image, labels):
    """The labels on the regional minima, 0 elsewhere."""
    raised = numpy.minimum(image, 254) + numpy.uint8(1)
    out = numpy.empty_like(image)
    bench.context.reconstruct(image, raised, out, by="erosion", connectivity=4)()
    return numpy.where(out > image, labels, 0)


def speed_of_label(bench):
    image, = bench.arrays("label", bench.size)
    for connectivity in (8, 4):
        case = f"labelling u8, {connectivity} neighbors"
        rivals = rivals_of(
            bench, image.size,
            ("OpenCV", lambda c=connectivity: bench.peers.opencv_label(image, c), 1),
            ("SciPy", lambda c=connectivity: bench.peers.scipy_label(image, c), None))
        ours = bench.ours("label", [image], connectivity=connectivity)
        against(bench, case, ours, rivals, functools.partial(check_partition, case))


def check_partition(case, name, ours, theirs):
    """The same components, whatever their numbers."""
    pairs = ours.astype(numpy.uint64) << numpy.uint64(32) | theirs.astype(numpy.uint64)
    together = len(numpy.unique(pairs))
    if together != int(ours.max()) + 1 or together != int(theirs.max()) + 1:
        raise SystemExit(f"bench: {case}: the components of libwavefront and {name} differ")


SPEED = {"reconstruct": speed_of_reconstruction, "distance": speed_of_distance,
         "watershed": speed_of_watershed, "label": speed_of_label}


# ---------------------------------------------------------------- threads and types

def threads(bench):
    bench.report.section("Two threads against one")
    if len(os.sched_getaffinity(0)) < 2:
        bench.report.remark("Two threads: left out, the machine has one processor.")
        return
    two = engine.Context(bench.library, threads=2)
    for operation in bench.operations():
        arrays = bench.arrays(operation, bench.size)
        one_thread = bench.ours(operation, arrays)
        two_threads = bench.ours(operation, arrays, two)
        bench.stopwatch.compare([one_thread, two_threads])
        bench.report.add(Row("Two threads against one", operation,
                             f"{two_threads.speed():.0f} Mpx/s, one {one_thread.speed():.0f}",
                             one_thread.seconds() / two_threads.seconds(), " ×",
                             ("at least", 1.7)))


def types(bench):
    bench.report.section("u16 and f32 against u8")
    for operation in bench.operations():
        contenders = [bench.ours(operation, bench.arrays(operation, bench.size, dtype))
                      for dtype in inputs.SCALES]
        bench.stopwatch.compare(contenders)
        for name, contender in zip(("u16", "f32"), contenders[1:]):
            bench.report.add(Row("Time of u16 and f32 against u8", f"{operation} {name}",
                                 f"{contender.speed():.0f} Mpx/s, u8 {contenders[0].speed():.0f}",
                                 contender.seconds() / contenders[0].seconds(), " ×",
                                 ("at most", 3)))


# ---------------------------------------------------------------- memory and growth

MEMORY_LIMITS = {"reconstruct": 1, "distance": 2, "watershed": 9, "label": None}
# By whether a failed call may leave its output incomplete.
MODES = {False: "all-or-nothing output", True: "partial output"}


def memory(bench):
    bench.report.section("Peak memory beyond input and output")
    size = min(2 * bench.size, 8192)    # large enough to neglect memory of constant size
    lone = Child(bench.library, 0, "wall")
    for operation in bench.operations():
        arrays = bench.arrays(operation, size)
        out = OUTPUTS[operation] or arrays[0].dtype.name
        limit = MEMORY_LIMITS[operation]
        for partial in (False, True):
            taken = lone.measure(operation, arrays, out, PLAIN[operation], partial=partial)
            case = f"{operation} u8, {MODES[partial]}"
            bench.report.add(Row("Peak memory beyond input and output", case,
                                 f"{size} × {size}, {taken['algorithm']}",
                                 taken["bytes"] / size ** 2, " B/px",
                                 ("at most", limit) if limit else None))


def crops(bench, operation, size, whole):
    """Yields images of side size that together have as many pixels as one of side whole."""
    arrays = bench.arrays(operation, max(size, whole))
    for y in range(0, max(size, whole), size):
        for x in range(0, max(size, whole), size):
            yield [numpy.ascontiguousarray(array[y:y + size, x:x + size]) for array in arrays]


def one_after_another(bench, operation, images, context):
    """A contender that processes all images in turn, each with its own output."""
    contenders = [bench.ours(operation, arrays, context) for arrays in images]

    def run():
        for contender in contenders:
            contender.run()

    return Contender("libwavefront", sum(contender.pixels for contender in contenders), run)


def growth(bench):
    bench.report.section("Time per pixel as the image grows")
    first = bench.size // 2
    for operation in bench.operations():
        for partial in (True, False):
            context = engine.Context(bench.library, partial=partial)
            base = None
            for size in (first, 2 * first, 4 * first, 8 * first):
                contender = one_after_another(bench, operation,
                                              crops(bench, operation, size, 4 * first), context)
                bench.stopwatch.compare([contender])
                bench.tissue.cache_clear()
                bench.arrays.cache_clear()
                if base is None:
                    base = contender
                    continue
                case = f"{operation} u8, {size}², {MODES[partial]}"
                bench.report.add(Row("Time per pixel as the image grows", case,
                                     f"{contender.speed():.0f} Mpx/s, {first}² {base.speed():.0f}",
                                     base.speed() / contender.speed(), " ×", ("at most", 1.3)))


# ---------------------------------------------------------------- hard contents

HARD = {"reconstruct": inputs.hard_reconstruction, "distance": inputs.hard_distance,
        "watershed": inputs.hard_watershed, "label": inputs.hard_distance}


def hard(bench):
    bench.report.section("Hard contents against the tissue")
    for operation in bench.operations():
        easy = bench.ours(operation, bench.arrays(operation, bench.size))
        bench.stopwatch.compare([easy])
        for name, *arrays in HARD[operation](bench.size):
            out = bench.output(operation, arrays)
            run = getattr(bench.context, operation)(*arrays, out, **PLAIN[operation])
            contender = Contender(name, out.size, run)
            title = f"{operation} u8, {name}"
            try:
                bench.stopwatch.time_within(bench.context, contender, PATIENCE * easy.seconds())
            except TooSlow:
                bench.report.add(Row("Time of hard contents against the tissue", title,
                                     f"tissue {easy.speed():.0f} Mpx/s", None, " ×",
                                     ("at most", 10), f"stopped after {PATIENCE} ×"))
                continue
            bench.report.add(Row("Time of hard contents against the tissue", title,
                                 f"{contender.speed():.0f} Mpx/s, tissue {easy.speed():.0f}",
                                 contender.seconds() / easy.seconds(), " ×", ("at most", 10)))


# ---------------------------------------------------------------- instruction sets, algorithms

def simd(bench):
    bench.report.section("Instruction sets")
    lone = Child(bench.library, bench.arguments.rounds, bench.arguments.clock)
    for operation in bench.operations():
        arrays = bench.arrays(operation, bench.size)
        out = OUTPUTS[operation] or arrays[0].dtype.name
        plain = None
        for level in ("plain", "sse2", "avx2", "avx512"):
            taken = lone.measure(operation, arrays, out, PLAIN[operation],
                                 {"WAVEFRONT_SIMD": level})["seconds"]
            plain = plain or taken
            bench.report.add(Row("Instruction sets", f"{operation} u8, up to {level}",
                                 f"{arrays[0].size / taken / 1e6:.0f} Mpx/s", plain / taken,
                                 " × plain"))


def algorithms(bench):
    """Every algorithm with 1, 2, 4, … threads, as the papers compare their strategies."""
    bench.report.section("Algorithms over threads")
    processors = len(os.sched_getaffinity(0))
    counts = [n for n in (1, 2, 4, 8, 16, 32) if n <= processors]
    for operation in bench.operations():
        arrays = bench.arrays(operation, bench.size)
        for name in bench.library.algorithms(operation):
            one = None
            for count in counts:
                context = engine.Context(bench.library, threads=count)
                try:
                    contender = bench.ours(operation, arrays, context, algorithm=name)
                except engine.Refused as problem:
                    bench.report.remark(f"{operation} {name}: {problem}")
                    break
                bench.stopwatch.compare([contender])
                one = one or contender
                bench.report.add(Row("Algorithms over threads",
                                     f"{operation} u8, {name}, threads {count}",
                                     f"{contender.speed():.1f} Mpx/s",
                                     one.seconds() / contender.seconds(), " × one thread"))


# Rows of a block.
BLOCK_ROWS = 512
# What reconstruction floods: short waves, then long ones.
WAYS = ("auto", "queue", "summary")


def in_blocks(bench, operation, arrays, context, title, **given):
    """Compares an operation in blocks with the same in memory.

    Target: twice the time in memory, plus that of reading twice and writing once."""
    out = bench.output(operation, arrays)
    run = getattr(context, f"{operation}_blocks")(*arrays, out, BLOCK_ROWS,
                                                  **{**PLAIN[operation], **given})
    run()
    whole = bench.ours(operation, arrays, context)
    if not numpy.array_equal(out, whole.result()):
        raise ValueError(f"{operation} in blocks differs")
    blocks = Contender("in blocks", out.size, run, result=lambda: out)
    copies = Contender("copies", out.size, lambda: copy_blocks(arrays, out))
    bench.stopwatch.compare([whole, blocks, copies])
    allowed = 2 * whole.seconds() + copies.seconds()
    bench.report.add(Row("In blocks against in memory", title,
                         f"{blocks.speed():.0f} Mpx/s, in memory {whole.speed():.0f}, allowed "
                         f"{out.size / allowed / 1e6:.0f}",
                         blocks.seconds() / whole.seconds(), " ×",
                         ("at most", allowed / whole.seconds()) if given.get("way") != "summary"
                         else None))


def copy_blocks(arrays, out):
    """Reads the inputs twice and writes the output once, block by block, as in_blocks() does."""
    blocks = numpy.empty((BLOCK_ROWS, out.shape[1]), out.dtype)
    for y in range(0, out.shape[0], BLOCK_ROWS):
        for array in 2 * arrays:
            array[y:y + BLOCK_ROWS].copy()
        out[y:y + BLOCK_ROWS] = blocks[:out.shape[0] - y]


def blocks(bench):
    bench.report.section("In blocks against in memory")
    threads = len(os.sched_getaffinity(0))
    context = engine.Context(bench.library, threads=threads)
    for operation in bench.operations():
        arrays = bench.arrays(operation, bench.size)
        for way in WAYS if operation == "reconstruct" else (None,):
            given, words = ({"way": way}, f", {way}") if way else ({}, "")
            in_blocks(bench, operation, arrays, context, f"{operation}{words}", **given)
    bench.report.remark(f"In blocks: {BLOCK_ROWS} rows of {bench.size} pixels each, copied from and "
                        f"to an array; {threads} threads; all results are equal in every bit.")


SECTIONS = {"speed": speed, "threads": threads, "types": types, "memory": memory,
            "growth": growth, "hard": hard, "simd": simd, "algorithms": algorithms,
            "blocks": blocks, "gpu": gpu.gpu_section,
            "devices": devices.devices_section}

# What takes minutes and tens of gigabytes: only where --only names it.
LARGE_SECTIONS = {"cores": cores.cores_section, "files": files.files_section,
                  "chain": chain.chain_section, "ranks": ranks.ranks_section, "toolbox": toolbox.toolbox_section}
