# SPDX-License-Identifier: GPL-3.0-or-later
"""The section of the further tools: plain morphology, medians, openings by area, geodesic
distances, measurements and tools for labels, against peers, on one thread.
"""
import functools
import itertools

import numpy

import engine
import inputs
import peers
from measure import Contender
from report import Row

TITLE = "Tools, one thread"

# What takes scikit-image minutes is done on a part of the image of this side.
SMALL = 1024
# The number of regions that are measured is its square.
REGIONS_ASIDE = 100
SELECT_IF_GTE = 4   # of Leptonica

# operation, what it is called, options, target against OpenCV
ELEMENTS = [
    ("erosion", "square, radius 1", {"element": "square", "radius": 1}, 1),
    ("erosion", "square, radius 10", {"element": "square", "radius": 10}, 1),
    ("opening", "square, radius 1", {"element": "square", "radius": 1}, 1),
    ("opening", "square, radius 10", {"element": "square", "radius": 10}, 1),
    ("erosion", "disc, radius 1", {"element": "disc", "radius": 1}, None),
    ("erosion", "disc, radius 20", {"element": "disc", "radius": 20}, 5),
    ("erosion", "line of 21 pixels, 30°", {"element": "line", "radius": 10, "angle": 30}, None),
]
KINDS = {"uint8": "u8", "uint16": "u16", "float32": "f32"}
# The speed of squares must not depend on their radius: against that of the first one.
RADII = (3, 10, 50, 200)
MEDIANS = (1, 2, 3, 5, 10)
# The largest side of a square for libvips: in larger ones 8.16 finds wrong ranks of bytes, by
# histograms, and sorts other levels.
LIBVIPS_SIDE = 3
# Pixels by which labels are expanded.
EXPANSION = 5


def toolbox_section(bench):
    """Outputs may be partial, as the command and the peers have them."""
    bench.report.section("Tools, one thread, against peers")
    for dtype in KINDS:
        elements(bench, dtype)
        squares(bench, dtype)
    medians(bench)
    area_openings(bench)
    geodesic_distances(bench)
    measurements(bench)
    expansion(bench)
    label_tools(bench)


@functools.lru_cache(maxsize=1)
def context_of(bench):
    return engine.Context(bench.library, partial=True)


def ours_of(bench, name, image, **given):
    out = numpy.empty_like(image)
    run = context_of(bench).filter(name, image, out, **given)
    run()
    return Contender("libwavefront", image.size, run, result=lambda: out)


def compare(bench, case, ours, rivals, check):
    """rivals: [(contender, factor)]; check (title, ours, theirs) ends the run where they differ."""
    for rival, _ in rivals:
        rival.prepare()
        rival.run()
        check(f"{case}: {rival.name}", ours.result(), rival.result())
    bench.stopwatch.compare([ours] + [rival for rival, _ in rivals])
    for rival, factor in rivals:
        bench.report.add(Row(TITLE, case, f"{ours.speed():.1f} Mpx/s, {rival.name} "
                             f"{rival.speed():.2f}", rival.seconds() / ours.seconds(), " ×",
                             ("at least", factor) if factor else None))
    if not rivals:
        bench.report.add(Row(TITLE, case, "no peer here", ours.speed(), " Mpx/s"))


def same(title, ours, theirs):
    if not numpy.array_equal(ours, theirs):
        raise SystemExit(f"bench: {title}: {numpy.count_nonzero(ours != theirs)} pixels differ")


def same_within(radius, title, ours, theirs):
    """Without the border, of which the peer has another definition."""
    inner = (slice(radius, -radius), slice(radius, -radius))
    same(title, ours[inner], theirs[inner])


def returning(name, pixels, compute):
    """A contender whose function returns its result."""
    made = []

    def run():
        made[:] = [compute()]

    return Contender(name, pixels, run, result=lambda: made[0])


def kernel_of(bench, given):
    """The pixels of a structuring element: the dilation of one pixel by it."""
    radius = given["radius"]
    image = numpy.zeros((2 * radius + 1,) * 2, numpy.uint8)
    image[radius, radius] = 1
    return numpy.ascontiguousarray(ours_of(bench, "dilation", image, **given).result()[::-1, ::-1])


def by_opencv(bench, name, given, image):
    """By the pixels of the element."""
    cv2, out = bench.peers.cv2, numpy.empty_like(image)
    kind = {"erosion": cv2.MORPH_ERODE, "opening": cv2.MORPH_OPEN}[name]
    run = functools.partial(cv2.morphologyEx, image, kind, kernel_of(bench, given), dst=out)
    return Contender("OpenCV", image.size, run, result=lambda: out)


def by_scipy(bench, name, given, image):
    """Of squares: along the columns, and then along the rows."""
    out, side = numpy.empty_like(image), 2 * given["radius"] + 1
    run = functools.partial(getattr(bench.peers.ndimage, f"grey_{name}"), image, side, output=out)
    return Contender("SciPy", image.size, run, result=lambda: out)


def making(name, pixels, compute, read):
    """A contender whose function returns what read () takes the result from."""
    made = []
    return Contender(name, pixels, lambda: made.append(compute()), prepare=made.clear,
                     result=lambda: read(made[0]))


def by_leptonica(bench, image, function, *given, depth=8):
    source = peers.LeptonicaImage(bench.peers.leptonica, image, depth)
    return making("Leptonica", image.size, lambda: source.made(function, *given),
                  lambda made: made.result())


def by_libvips(bench, image, side, *indices):
    """Ranks of a square, one after the other."""
    return making("libvips", image.size, bench.peers.libvips.rank(image, side, indices),
                  lambda made: made.array())


def squares_by_others(bench, name, given, image):
    """The erosion and the opening by a square; Leptonica has them of bytes."""
    side, rivals = 2 * given["radius"] + 1, []
    if bench.wants_peer("Leptonica") and image.dtype == numpy.uint8:
        function = {"erosion": "pixErodeGray", "opening": "pixOpenGray"}[name]
        rivals.append((by_leptonica(bench, image, function, side, side), None))
    if bench.wants_peer("libvips") and side <= LIBVIPS_SIDE:
        indices = {"erosion": (0,), "opening": (0, side * side - 1)}[name]
        rivals.append((by_libvips(bench, image, side, *indices), None))
    return rivals


def elements(bench, dtype):
    image = bench.tissue(bench.size, dtype)
    for name, title, given, factor in ELEMENTS:
        rivals = []
        if bench.wants_peer("OpenCV"):
            rivals = [(by_opencv(bench, name, given, image),
                       factor if dtype == "uint8" else None)]
        if bench.wants_peer("SciPy") and dtype == "uint8" and title == "square, radius 1":
            rivals.append((by_scipy(bench, name, given, image), None))
        if given["element"] == "square":
            rivals += squares_by_others(bench, name, given, image)
        compare(bench, f"{name} {KINDS[dtype]}, {title}", ours_of(bench, name, image, **given),
                rivals, same)


def squares(bench, dtype):
    """Squares of several radii against the smallest of them."""
    image = bench.tissue(bench.size, dtype)
    for name in ("erosion", "opening"):
        runs = [ours_of(bench, name, image, element="square", radius=radius) for radius in RADII]
        bench.stopwatch.compare(runs)
        for radius, run in zip(RADII[1:], runs[1:]):
            bench.report.add(Row(TITLE, f"{name} {KINDS[dtype]}, square, radius {radius}",
                                 f"{run.speed():.1f} Mpx/s, radius {RADII[0]} "
                                 f"{runs[0].speed():.1f}", runs[0].seconds() / run.seconds(), " ×",
                                 ("at least", 1)))


def medians(bench):
    cv2 = bench.peers.cv2 if bench.wants_peer("OpenCV") else None
    image = bench.tissue(bench.size)
    for radius in MEDIANS:
        ours = ours_of(bench, "median", image, radius=radius)
        rivals = []
        if cv2:
            out = numpy.empty_like(image)
            run = functools.partial(cv2.medianBlur, image, 2 * radius + 1, dst=out)
            rivals = [(Contender("OpenCV", image.size, run, result=lambda out=out: out), None)]
        side = 2 * radius + 1
        if bench.wants_peer("Leptonica"):
            rivals.append((by_leptonica(bench, image, "pixMedianFilter", side, side), None))
        if bench.wants_peer("libvips") and side <= LIBVIPS_SIDE:
            rivals.append((by_libvips(bench, image, side, side * side // 2), None))
        compare(bench, f"median u8, radius {radius}", ours, rivals,
                functools.partial(same_within, radius))


def area_openings(bench):
    side = min(bench.size, SMALL)
    images = [("gray levels", bench.tissue(side), 5),
              ("two levels", inputs.binary_of(bench.tissue(side)), 20)]
    for title, image, factor in images:
        ours = ours_of(bench, "area-opening", image, area=100, connectivity=4)
        rivals = []
        if bench.wants_peer("scikit-image"):
            opening = functools.partial(bench.peers.morphology.area_opening, image, 100, 1)
            rivals = [(returning("scikit-image", image.size, opening), factor)]
        if bench.wants_peer("Leptonica") and title == "two levels":
            rivals.append((by_leptonica(bench, image, "pixSelectByArea", 100, 4, SELECT_IF_GTE,
                                        None, depth=1), None))
        compare(bench, f"area opening u8, {title}, {side}²", ours, rivals, same)


def geodesic_distances(bench):
    """The distances from one corner, in a maze, and with the levels of the tissue as costs."""
    side = min(bench.size, SMALL)
    levels = numpy.maximum(bench.tissue(side), 1)
    everywhere = numpy.ones((side, side), numpy.uint8)
    cases = [("maze, 4 neighbors", inputs.corridor(side).astype(numpy.uint8), None, "city-block"),
             ("costs, 4 neighbors", everywhere, levels, "city-block"),
             ("costs, 8 neighbors", everywhere, levels, "quasi-euclidean")]
    for title, mask, costs, metric in cases:
        markers = numpy.zeros((side, side), numpy.uint32)
        markers[0, 0] = 1
        out = numpy.empty((side, side), numpy.float32)
        run = context_of(bench).geodesic_distance(mask, markers, costs, out, metric=metric)
        run()
        ours = Contender("libwavefront", mask.size, run, result=lambda out=out: out)
        rivals = []
        if bench.wants_peer("scikit-image"):
            prices = numpy.where(mask != 0, 1.0 if costs is None else costs, numpy.inf)
            run = functools.partial(minimum_costs, bench.peers, prices, metric != "city-block")
            rivals = [(returning("scikit-image", mask.size, run), 10)]
        compare(bench, f"geodesic distance, {title}, {side}²", ours, rivals, nearly_same)


def minimum_costs(peers, prices, diagonal):
    graph = peers.graph.MCP_Geometric(prices, fully_connected=diagonal)
    return graph.find_costs([(0, 0)])[0]


def nearly_same(title, ours, theirs):
    """Our diagonal steps are by 0.005 % too long."""
    if not numpy.allclose(ours, theirs, rtol=1e-4):
        raise SystemExit(f"bench: {title}: results differ")


def tiles(side, aside):
    """Labels from 1 of squares, with gaps between them."""
    place = numpy.arange(side) * aside // side
    labels = (place[:, None] * aside + place[None, :] + 1).astype(numpy.uint32)
    edges = numpy.diff(place, prepend=-1) != 0
    labels[edges, :] = 0
    labels[:, edges] = 0
    return labels


def measurements(bench):
    side = min(bench.size, 2048)
    labels, levels = tiles(side, REGIONS_ASIDE), bench.tissue(side)
    made = []

    def run():
        made[:] = [context_of(bench).measure_regions(labels, levels)]

    run()
    ours = Contender("libwavefront", labels.size, run, result=lambda: made[0])
    rivals = []
    if bench.wants_peer("scikit-image"):
        # those that we measure and it has
        names = ("label", "area", "bbox", "centroid", "equivalent_diameter_area",
                 "perimeter_crofton", "area_convex", "solidity", "feret_diameter_max",
                 "axis_major_length", "axis_minor_length", "eccentricity", "orientation", "extent",
                 "euler_number", "intensity_mean", "intensity_min", "intensity_max",
                 "intensity_std", "centroid_weighted")
        compute = functools.partial(bench.peers.measure.regionprops_table, labels, levels,
                                    properties=names)
        rivals = [(returning("scikit-image", labels.size, compute), 20)]
    compare(bench, f"all measures of {REGIONS_ASIDE ** 2} regions", ours, rivals,
            lambda title, mine, theirs: same(title, numpy.array([mine]),
                                             numpy.array([len(theirs["label"])])))


def expansion(bench):
    """Ties between regions are divided in another way, so only the pixels without a label are
    compared.
    """
    side = min(bench.size, 2048)
    labels = small_squares(side, 20, 40)
    out = numpy.empty_like(labels)
    run = context_of(bench).label_tool("expand-labels", labels, out, distance=float(EXPANSION))
    run()
    ours = Contender("libwavefront", labels.size, run, result=lambda: out != 0)
    rivals = []
    if bench.wants_peer("scikit-image"):
        expand = functools.partial(bench.peers.segmentation.expand_labels, labels, EXPANSION)
        rivals = [(returning("scikit-image", labels.size, expand), None)]
    compare(bench, f"expand-labels by {EXPANSION} pixels, {side}²", ours, rivals,
            lambda title, mine, theirs: same(title, mine, theirs != 0))


def small_squares(side, width, pitch):
    """Squares of some pixels, of a label each, far enough apart that most is no region."""
    place = numpy.arange(side)
    inside = place % pitch < width
    number = place // pitch
    labels = number[:, None] * (number[-1] + 1) + number[None, :] + 1
    return numpy.ascontiguousarray(
        numpy.where(inside[:, None] & inside[None, :], labels, 0).astype(numpy.uint32))


def irregular_labels(side):
    """Random labels up to 10,000 in runs of 1 to 7 pixels."""
    random = numpy.random.default_rng(1)
    labels = random.integers(0, 10001, side * side // 2, dtype=numpy.uint32)
    runs = numpy.repeat(labels, random.integers(1, 8, labels.size))
    return numpy.ascontiguousarray(runs[:side * side].reshape(side, side))


def label_tools(bench):
    """Against copying the labels, which reads and writes as much."""
    regions = tiles(bench.size, REGIONS_ASIDE)
    regions[regions % 3 == 0] += 1000000     # not consecutive
    images = [("regions", regions, 0.5),
              ("squares of 20 pixels", small_squares(bench.size, 20, 40), 0.5),
              ("squares of 6 pixels", small_squares(bench.size, 6, 12), 0.5),
              ("runs of 4 pixels", irregular_labels(bench.size), None)]
    for (title, labels, factor), (name, given) in itertools.product(
            images, (("relabel", {}), ("remove-small", {"area": 30}),
                     ("keep-largest", {"count": 100}))):
        copy, out = numpy.empty_like(labels), numpy.empty_like(labels)
        run = context_of(bench).label_tool(name, labels, out, **given)
        run()
        ours = Contender("libwavefront", labels.size, run, result=lambda out=out: out)
        copying = Contender("a copy", labels.size, functools.partial(numpy.copyto, copy, labels))
        bench.stopwatch.compare([ours, copying])
        bench.report.add(Row(TITLE, f"{name}, {title}", f"{ours.speed():.1f} Mpx/s, a copy "
                             f"{copying.speed():.1f}", copying.seconds() / ours.seconds(), " ×",
                             ("at least", factor) if factor else None))
