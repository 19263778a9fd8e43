# SPDX-License-Identifier: GPL-3.0-or-later

"""The operations by their definitions, computed directly, for small pictures: lists of rows of
levels.
"""

import heapq
import math

FOUR = ((-1, 0), (0, -1), (0, 1), (1, 0))
EIGHT = tuple((dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx)


def neighbors(rows, y, x, steps):
    for dy, dx in steps:
        if 0 <= y + dy < len(rows) and 0 <= x + dx < len(rows[0]):
            yield y + dy, x + dx


def reconstruct(mask, marker, by='dilation', steps=EIGHT):
    """Geodesic dilations (or erosions) of the marker until nothing changes."""
    spread, limit = (max, min) if by == 'dilation' else (min, max)
    now = [[limit(j, i) for j, i in zip(*pair)] for pair in zip(marker, mask)]
    while True:
        after = [[limit(mask[y][x],
                        spread([now[y][x]] + [now[v][u] for v, u in neighbors(now, y, x, steps)]))
                  for x in range(len(now[0]))] for y in range(len(now))]
        if after == now:
            return now
        now = after


def lowered(mask, height, top):
    """The marker for a height; integers stay within their range."""
    if isinstance(top, int):
        return [[min(max(level + height, 0), top) for level in row] for row in mask]
    return [[level + height for level in row] for row in mask]


def distance(rows, threshold, metric='euclidean', border=False, spacing=(1, 1)):
    """The distance of each pixel to the nearest pixel not above the threshold."""
    height, width = len(rows), len(rows[0])
    ground = [(y, x) for y in range(height) for x in range(width) if not rows[y][x] > threshold]
    if border:
        ground += [(y, x) for y in range(-1, height + 1) for x in range(-1, width + 1)
                   if y in (-1, height) or x in (-1, width)]

    def between(y, x, v, u):
        dx, dy = abs(u - x) * spacing[0], abs(v - y) * spacing[1]
        return {'euclidean': lambda: math.sqrt(dx * dx + dy * dy),
                'squared': lambda: dx * dx + dy * dy,
                'city-block': lambda: dx + dy,
                'chessboard': lambda: max(dx, dy)}[metric]()

    return [[min((between(y, x, v, u) for v, u in ground), default=math.inf)
             if rows[y][x] > threshold else 0.0
             for x in range(width)] for y in range(height)]


def signed_distance(rows, threshold, metric='euclidean', spacing=(1, 1)):
    """Negative where a pixel is not above the threshold: the distance to the nearest that is."""
    inside = distance(rows, threshold, metric, spacing=spacing)
    above = [[1 if level > threshold else 0 for level in row] for row in rows]
    outside = distance([[1 - a for a in row] for row in above], 0.5, metric, spacing=spacing)
    return [[i if a else -o for a, i, o in zip(*rows)] for rows in zip(above, inside, outside)]


def threshold(rows, method, radius, lowered, k=0.2, spread=1, below=False):
    """Whether pixels are above the mean of a window, or above Sauvola's threshold; what lies
    outside is left out."""
    height, width = len(rows), len(rows[0])

    def level_at(y, x):
        window = [v for row in rows[max(y - radius, 0):y + radius + 1]
                  for v in row[max(x - radius, 0):x + radius + 1]]
        n, total = len(window), sum(window)
        mean = total / n
        if method == 'mean':
            return mean - lowered
        deviation = math.sqrt(max(n * sum(v * v for v in window) - total * total, 0)) / n
        return mean * (1 + k * (deviation / spread - 1)) - lowered

    return [[(rows[y][x] > level_at(y, x)) != below for x in range(width)]
            for y in range(height)]


STEPS = {'quasi-euclidean': (280, 280, 396), 'city-block': (1, 1, None), 'chessboard': (1, 1, 1),
         'chamfer-3-4': (3, 3, 4), 'chamfer-5-7': (5, 5, 7)}


STAINS = {
    'hematoxylin': ((0.65, 0.70, 0.29), (0.07, 0.99, 0.11)),
    'eosin': ((0.07, 0.99, 0.11), (0.65, 0.70, 0.29)),
    'hematoxylin-dab': ((0.650, 0.704, 0.286), (0.268, 0.570, 0.776)),
    'dab': ((0.268, 0.570, 0.776), (0.650, 0.704, 0.286)),
    'own-stain': ((0.3, 0.9, 0.2), (0.7, 0.2, 0.6)),
}
OWN_STAIN = ';'.join(','.join(map(str, vector)) for vector in STAINS['own-stain'])


def stain(color, name):
    """What a color lets through with a stain alone; white is 1."""
    def times(one, other):
        return sum(a * b for a, b in zip(one, other))
    vectors = [[a / math.sqrt(times(v, v)) for a in v] for v in STAINS[name]]
    density = [-math.log10(max(c, 1e-6)) for c in color]
    cosine = times(*vectors)
    amount = ((times(vectors[0], density) - cosine * times(vectors[1], density))
              / (1 - cosine * cosine))
    return 10 ** -max(amount, 0)


def geodesic(inside, marks, metric='quasi-euclidean'):
    """The least sum of steps from a mark, by relaxing all steps until nothing changes."""
    unit, side, corner = STEPS[metric]
    far = {(y, x): 0 if mark and there else math.inf
           for y, pair in enumerate(zip(marks, inside)) for x, (mark, there) in enumerate(zip(*pair))}
    changed = True
    while changed:
        changed = False
        for (y, x) in far:
            for v, u in neighbors(inside, y, x, EIGHT if corner else FOUR):
                cost = side if v == y or u == x else corner
                if inside[y][x] and inside[v][u] and far[v, u] + cost < far[y, x]:
                    far[y, x] = far[v, u] + cost
                    changed = True
    return [[far[y, x] / unit for x in range(len(inside[0]))] for y in range(len(inside))]


def watershed(rows, steps=EIGHT, last=False):
    """Labels 1, 2, … by steepest paths over completed plateaux; without tolerance.

    L2 is the distance on a plateau from its lower border; plateaux without a lower border are
    the minima, numbered in raster order; every other pixel gets the label of its neighbor with
    the lowest (L1, L2, index).
    """
    height, width = len(rows), len(rows[0])
    pixels = [(y, x) for y in range(height) for x in range(width)]
    far = height * width + 1
    steps_in = {p: 0 if any(rows[v][u] < rows[p[0]][p[1]]
                            for v, u in neighbors(rows, *p, steps)) else far for p in pixels}
    changed = True
    while changed:
        changed = False
        for y, x in pixels:
            for v, u in neighbors(rows, y, x, steps):
                if rows[v][u] == rows[y][x] and steps_in[v, u] + 1 < steps_in[y, x]:
                    steps_in[y, x] = steps_in[v, u] + 1
                    changed = True

    labels, count = {}, 0
    for p in pixels:
        if steps_in[p] >= far and p not in labels:
            count += 1
            labels[p], zone = count, [p]
            while zone:
                q = zone.pop()
                for n in neighbors(rows, *q, steps):
                    if rows[n[0]][n[1]] == rows[q[0]][q[1]] and n not in labels:
                        labels[n] = count
                        zone.append(n)

    def order(p):
        index = p[0] * width + p[1]
        return (rows[p[0]][p[1]], min(steps_in[p], far) if steps_in[p] < far else 0,
                -index if last else index)

    def label(p):
        path = []
        while p not in labels:
            path.append(p)
            p = min(neighbors(rows, *p, steps), key=order)
        for q in path:
            labels[q] = labels[p]
        return labels[p]

    return [[label((y, x)) for x in range(width)] for y in range(height)], count


def watershed_within(rows, mask, steps=EIGHT):
    """The watershed of the pixels of a mask: 0 outside, which is higher than everything."""
    high = [[level if inside else math.inf for level, inside in zip(*pair)]
            for pair in zip(rows, mask)]
    labels, count = watershed(high, steps)
    return [[label if inside else 0 for label, inside in zip(*pair)]
            for pair in zip(labels, mask)], count


def compact_watershed(rows, seeds, compactness, mask=None, steps=EIGHT):
    """Labels by offers of marker pixels: the first in the order (level and compactness times the
    distance from the marker pixel, pixel, marker pixel) labels a pixel, and the marker pixel offers
    its neighbors then; within a mask."""
    height, width = len(rows), len(rows[0])
    labels = [[seed if not mask or mask[y][x] else 0 for x, seed in enumerate(row)]
              for y, row in enumerate(seeds)]
    offers = []

    def offer(y, x, source):
        for v, u in neighbors(rows, y, x, steps):
            if labels[v][u] == 0 and (not mask or mask[v][u]):
                far = math.sqrt((v - source[0]) ** 2 + (u - source[1]) ** 2)
                heapq.heappush(offers, (rows[v][u] + compactness * far, v * width + u,
                                        source[0] * width + source[1]))

    for y in range(height):
        for x in range(width):
            if labels[y][x]:
                offer(y, x, (y, x))
    while offers:
        _, pixel, source = heapq.heappop(offers)
        y, x = divmod(pixel, width)
        source = divmod(source, width)
        if labels[y][x] == 0:
            labels[y][x] = labels[source[0]][source[1]]
            offer(y, x, source)
    return labels


def boundary(labels, diagonals=True, mask=None):
    """The pixels of lines drawn between basins without line pixels; none beside what is outside."""
    height, width = len(labels), len(labels[0])

    def differs(y, x, v, u):
        return v < height and u < width and labels[v][u] != labels[y][x] and \
            (not mask or (mask[y][x] and mask[v][u]))

    return [[differs(y, x, y, x + 1) or differs(y, x, y + 1, x) or
             (diagonals and differs(y, x, min(y + 1, height - 1), min(x + 1, width - 1)))
             for x in range(width)] for y in range(height)]


def areas(slices):
    """The number of pixels of each label."""
    found = {}
    for rows in slices:
        for row in rows:
            for label in row:
                if label:
                    found[label] = found.get(label, 0) + 1
    return found


def relabeled(slices, numbers):
    return [[[numbers.get(label, 0) for label in row] for row in rows] for rows in slices]


def remove_small(slices, area):
    return relabeled(slices, {label: label for label, n in areas(slices).items() if n >= area})


def keep_largest(slices, count):
    found = areas(slices)
    kept = sorted(found, key=lambda label: (-found[label], label))[:count]
    return relabeled(slices, {label: label for label in kept})


def relabel(slices):
    return relabeled(slices, {label: i + 1 for i, label in enumerate(sorted(areas(slices)))})


def expand_labels(slices, distance=math.inf):
    """The nearest label, of equal ones that with the lowest x, y and z."""
    places = [(x, y, z, label) for z, rows in enumerate(slices) for y, row in enumerate(rows)
              for x, label in enumerate(row) if label]

    def nearest(x, y, z):
        if not places:
            return 0
        far, *_, label = min(((a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2, a, b, c, label)
                             for a, b, c, label in places)
        return label if far <= distance ** 2 else 0
    return [[[label or nearest(x, y, z) for x, label in enumerate(row)]
             for y, row in enumerate(rows)] for z, rows in enumerate(slices)]
