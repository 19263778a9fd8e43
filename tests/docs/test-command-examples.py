# SPDX-License-Identifier: GPL-3.0-or-later
"""test-command-examples.py WAVEFRONT MAKE-CELLS

Runs every example of `wavefront OPERATION --help` as it stands, and compares its result with the
definition of the operation, or with a known answer. An example without a judge fails.
"""

import csv
import json
import pathlib
import re
import shutil
import sys
import tempfile
import zipfile

try:
    import numpy
except ImportError:
    print('1..0 # SKIP numpy is missing')
    sys.exit()

import definitions as by
from drawn import Cells, Command, components, count
from tap import Tap

SIZE = 96
STACK = (90, 512, 512)
program, make_cells = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:])
tap = Tap()


# ---------------------------------------------------------------- inputs

def write_letters(path):
    """Dark marks on bright paper, as a PGM file whatever its suffix."""
    paper = numpy.full((SIZE, SIZE), 220, numpy.uint8)
    for place in range(5, 80, 15):
        paper[place:place + 9, 10:13] = 30
        paper[place:place + 3, 10:20] = 30
        paper[place:place + 9, 40:42] = 40
    path.write_bytes(b'P5\n%d %d\n255\n' % (SIZE, SIZE) + paper.tobytes())


def make_photo():
    """A picture in colors, with specks."""
    return numpy.random.default_rng(7).integers(0, 256, (SIZE, SIZE, 3), numpy.uint8)


def prepare(command):
    folder = pathlib.Path(command.folder)
    (folder / 'photo.png').write_bytes(b'P6\n%d %d\n255\n' % (SIZE, SIZE) + make_photo().tobytes())
    cells = Cells(make_cells, folder / 'cells.png', size=SIZE)
    write_letters(folder / 'text.png')
    write_letters(folder / 'page.png')
    for line in ('gradient cells.png -o gradient.png',
                 'gaussian cells.png --sigma 1 -o relief.png',
                 'gaussian cells.png --sigma 1 -o relief.tif',
                 'gaussian cells.png --sigma 1 -o cells.tif',
                 'extended-maxima relief.png --height 15 -o seeds.png',
                 'label seeds.png -o seeds.tif',
                 'label cells.png --threshold 100 -o inside.png',
                 'distance cells.png --threshold 100 -o distance.tif',
                 'watershed gradient.png -o labels.tif'):
        status, _, messages = command.run(f'wavefront {line}')
        if 'no libvips' in messages:
            print('1..0 # SKIP the command reads no PNG')
            sys.exit()
        assert status == 0, messages
    return cells


class Scene:
    """The inputs as arrays, and the result of an example."""

    def __init__(self, command, cells, line):
        self.command = command
        self.cells = cells
        self.line = line
        self.out = re.search(r'-o (\S+)', line).group(1)

    def read(self, name):
        return self.command.read(name, (SIZE, SIZE)).astype(float)

    def input(self):
        return self.read(self.line.split()[2])

    def result(self):
        return self.read(self.out)

    def labels(self):
        return self.result().astype(int)

    def raw(self, name, kind, shape):
        return numpy.fromfile(f'{self.command.folder}/{name}', kind).reshape(shape)

    def write_raw(self, name, pixels):
        pixels.tofile(f'{self.command.folder}/{name}')


# ---------------------------------------------------------------- judges

def same(function, tolerance=0.0):
    """The result is that function of the input."""
    return lambda scene: numpy.abs(scene.result() - function(scene.input())).max() <= tolerance


def marks(function):
    return same(lambda image: 255.0 * function(image))


def basins_of(relief, depth):
    return components(by.regional_minima(by.h_minima(relief, depth)))


def with_lines(scene):
    """As many basins as extended minima, and no two of them touch."""
    labels = scene.labels()
    touching = any(((moved > 0) & (labels > 0) & (moved != labels)).any()
                   for moved in (by.shifted(labels, *step, 0) for step in by.EIGHT))
    return count(labels) == basins_of(scene.input(), 5) and (labels == 0).any() and not touching


def of_gradient(scene):
    relief = by.gradient(numpy.round(by.gaussian(scene.input(), 2)))
    labels = scene.labels()
    return (labels > 0).all() and abs(count(labels) - basins_of(relief, 0)) <= 2


def off_background(scene):
    """Basins where the levels are above a threshold that parts the cells from the rest."""
    labels, levels = scene.labels(), scene.input()
    return levels[labels > 0].min() > levels[labels == 0].max() and \
        count(labels) >= components(labels > 0) >= 1


def of_objects(scene):
    labels = scene.labels()
    drawn = len(scene.cells.cells)
    return count(labels) == scene.cells.alone(labels) == drawn and \
        scene.cells.agreement(labels) > 0.7


def of_objects_split(scene):
    """The objects, of which a stroke divides one at most, where it is one."""
    labels = scene.labels()
    drawn = len(scene.cells.cells)
    return count(labels) in (drawn, drawn + 1) and scene.cells.agreement(labels) > 0.7


def of_strokes(scene):
    """One object, with the disc that is drawn, and a background with the two points."""
    labels = scene.labels()
    rows, columns = numpy.indices(labels.shape)
    disc = 4 * ((columns - 30) ** 2 + (rows - 20) ** 2) < 81
    return (labels[disc] == 1).all() and labels.max() == 1 and (labels[2, [2, 60]] == 0).all()


def of_objects_inside(scene):
    """Objects of 20 pixels at least, numbered without gaps, none of them at the edge."""
    labels = scene.labels()
    areas = numpy.bincount(labels.ravel())[1:]
    edge = numpy.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return (areas >= 20).all() and not edge.any() and scene.cells.alone(labels) == len(areas)


def read_areas(scene):
    lines = pathlib.Path(scene.command.folder, 'cells.csv').read_text().splitlines()[1:]
    return [int(line.split(',')[1]) for line in lines]


def of_preset(scene):
    """Almost all cells, each for itself, and a line for each; no speck."""
    labels = scene.labels()
    areas = numpy.bincount(labels.ravel())[1:]
    drawn = len(scene.cells.cells)
    return read_areas(scene) == areas.tolist() and (areas >= 50).all() and \
        scene.cells.alone(labels) == len(areas) and 0.95 * drawn <= len(areas) <= drawn and \
        scene.cells.agreement(labels) > 0.7


def with_table(scene):
    labels = scene.labels()
    return count(labels) == basins_of(scene.input(), 8) and \
        read_areas(scene) == numpy.bincount(labels.ravel())[1:].tolist()


def from_markers(scene):
    labels, seeds = scene.labels(), scene.read('seeds.tif').astype(int)
    return (labels[seeds > 0] == seeds[seeds > 0]).all() and (labels > 0).all() and \
        count(labels) == count(seeds)


def inside_mask(scene):
    """As many basins as extended minima of the pixels inside."""
    labels, inside = scene.labels(), scene.read('inside.png') > 0
    relief = numpy.where(inside, scene.input(), 1e6)
    minima = by.regional_minima(by.h_minima(relief, 5)) & inside
    return ((labels > 0) == inside).all() and count(labels) == components(minima)


def geodesic(threshold, costs=None):
    """Steps are taken until nothing gets nearer."""
    def look(scene):
        image = scene.input()
        inside = image > threshold
        cost = scene.read(costs) if costs else numpy.full(image.shape, 0.5)
        near = numpy.where(inside & (scene.read('seeds.png') > 0), 0.0, numpy.inf)
        while True:
            before = near
            for step in by.EIGHT:
                length = 396 if all(step) else 280
                moved = by.shifted(near, *step, numpy.inf) + \
                    length * (cost + by.shifted(cost, *step, 0))
                near = numpy.where(inside, numpy.minimum(near, moved), numpy.inf)
            if (near == before).all():
                break
        unit = 560 if costs else 280
        return numpy.isfinite(near).any() and numpy.allclose(scene.result(), near / unit, 1e-6)
    return look


def is_numbering(labels, mask, diagonals=True):
    """Whether labels number the components of a mask: no two touching pixels differ."""
    steps = by.EIGHT if diagonals else by.FOUR
    return ((labels > 0) == mask).all() and count(labels) == components(mask, diagonals) and \
        all(((moved == labels) | (moved == 0) | (labels == 0)).all()
            for moved in (by.shifted(labels, *step, 0) for step in steps))


def merged(scene):
    """The partition that is left is a union of basins."""
    labels, regions = scene.read('labels.tif').astype(int), scene.labels()
    pairs = set(zip(labels.ravel().tolist(), regions.ravel().tolist()))
    return len(pairs) == count(labels)


def merged_inside(scene):
    """The same of the basins inside a mask; outside there is nothing."""
    labels, regions = scene.read('labels.tif').astype(int), scene.labels()
    inside = (scene.read('inside.png') > 0) & (labels > 0)
    pairs = set(zip(labels[inside].tolist(), regions[inside].tolist()))
    return ((regions > 0) == inside).all() and len(pairs) == count(labels[inside]) and \
        1 <= count(regions) < count(labels[inside])


def merged_at_once(scene):
    """As many regions, of whole basins."""
    labels, regions = scene.read('labels.tif').astype(int), scene.labels()
    pairs = set(zip(labels.ravel().tolist(), regions.ravel().tolist()))
    return count(regions) == 100 and len(pairs) == count(labels)


def corrected(scene):
    """One region fewer, if the two that are joined were two: basins are whole in it."""
    labels, regions = scene.read('labels.tif'), scene.labels()
    inside = (labels > 0) & (regions > 0)
    pairs = set(zip(labels[inside].tolist(), regions[inside].tolist()))
    return count(regions) in (99, 100) and len(pairs) == count(labels[inside]) and \
        regions[7, 12] == regions[80, 90] > 0


def salient(scene):
    """0 inside the basins, more on their boundaries."""
    labels, heights = scene.read('labels.tif'), scene.result()
    boundary = numpy.zeros(labels.shape, bool)
    for step in by.EIGHT:
        moved = by.shifted(labels, *step, 0)
        boundary |= (moved != labels) & (moved != 0)
    return (heights[~boundary] == 0).all() and (heights[boundary] > 0).any()


def found_threshold(scene):
    return int(re.search(r'is (\d+)\.', scene.said).group(1))


def signed(scene):
    levels = scene.input()
    threshold = found_threshold(scene)
    dark, bright = levels[levels <= threshold].mean(), levels[levels > threshold].mean()
    inside = levels > threshold
    expected = by.distance(inside) - by.distance(~inside)
    return dark < threshold < bright and numpy.allclose(scene.result(), expected, atol=1e-5)


def before_stack_distance(scene):
    stack = numpy.ones(STACK, numpy.uint8)
    stack[30, 200, 100] = 0
    scene.write_raw('in.raw', stack)


def stack_distance(scene):
    z, y, x = (numpy.arange(n, dtype=float) for n in STACK)
    expected = numpy.sqrt(((x - 100) * 0.5)[None, None, :] ** 2 +
                          ((y - 200) * 0.5)[None, :, None] ** 2 +
                          ((z - 30) * 2)[:, None, None] ** 2)
    return numpy.allclose(scene.raw('out.raw', numpy.float32, STACK), expected, rtol=1e-6)


def before_stack_labels(scene):
    """A row of boxes; two that touch at their edges only are two with 6 neighbors."""
    stack = numpy.zeros(STACK, numpy.uint8)
    for number in range(10):
        stack[number * 8:number * 8 + 4, 20:60, number * 40:number * 40 + 20] = 7
    stack[4:8, 60:70, 20:30] = 7
    scene.write_raw('mask.raw', stack)


def stack_labels(scene):
    labels = scene.raw('labels.raw', numpy.uint32, STACK)
    mask = scene.raw('mask.raw', numpy.uint8, STACK)
    return ((labels > 0) == (mask > 0)).all() and labels.max() == 11 and \
        all(len(set(labels[n * 8 + 1, 25:55, n * 40 + 3].tolist())) == 1 for n in range(10))


def before_raw_reconstruction(scene):
    mask = numpy.full((4096, 4096), 500, numpy.uint16)
    mask[:, :2048] = 1000
    mask[:, 3000] = 0
    marker = numpy.zeros((4096, 4096), numpy.uint16)
    marker[0, 0] = 60000
    scene.write_raw('mask.raw', mask)
    scene.write_raw('marker.raw', marker)


def raw_reconstruction(scene):
    """From the corner, as high as the mask, up to the wall."""
    out = scene.raw('out.raw', numpy.uint16, (4096, 4096))
    return (out[:, :2048] == 1000).all() and (out[:, 2048:3000] == 500).all() and \
        (out[:, 3000:] == 0).all()


def opened(stays, sign=1):
    """Looks at some pixels, most of them ones that were changed."""
    def look(scene):
        image, result = sign * scene.input(), sign * scene.result()
        random = numpy.random.RandomState(7)
        changed = [tuple(place) for place in numpy.argwhere(image != result)]
        places = [changed[i] for i in random.choice(len(changed), min(20, len(changed)), False)]
        places += [tuple(place) for place in random.randint(0, SIZE, (8, 2))]
        return bool(changed) and by.is_opened(image, result, stays, places)
    return look


def rises(height, sign=1):
    """All maxima but the highest ones are as high above the pass to a higher pixel."""
    def look(scene):
        image, result = sign * scene.input(), sign * scene.result()
        kept = numpy.argwhere(by.regional_maxima(result) & (result < result.max()))
        for y, x in kept[numpy.random.RandomState(7).permutation(len(kept))[:30]]:
            pixels, _ = by.component(result, (y, x), result[y, x] - height + 1)
            if pixels.max() > result[y, x] or result[y, x] != image[y, x]:
                return False
        return (result <= image).all() and (result != image).any() and len(kept) > 0
    return look


def measured(scene):
    labels, levels = scene.read('labels.tif').astype(int).ravel(), scene.read('gradient.png')
    path = pathlib.Path(scene.command.folder) / 'table.csv'
    lines = list(csv.DictReader(path.read_text().splitlines()))
    areas = numpy.bincount(labels)
    sums = numpy.bincount(labels, levels.astype(float).ravel())
    return [int(line['label']) for line in lines] == (numpy.flatnonzero(areas[1:]) + 1).tolist() and \
        all(float(line['area']) == areas[int(line['label'])] and
            float(line['sum']) == sums[int(line['label'])] for line in lines)


def measured_in_units(scene):
    areas = numpy.bincount(scene.read('labels.tif').astype(int).ravel())
    table = json.loads((pathlib.Path(scene.command.folder) / 'table.json').read_text())
    return table['unit'] == 'µm' and table['spacing'] == [0.5, 0.5] and \
        all(line['area'] == areas[line['label']] / 4 and line['feret_max'] >= line['feret_min'] > 0
            for line in table['regions'])


def kept_labels(choose):
    """Regions stay for whose areas, by label, the function says so."""
    def look(scene):
        labels = scene.input().astype(int)
        areas = numpy.bincount(labels.ravel())
        areas[0] = 0
        stays = choose(areas)
        stays[0] = False
        return (scene.labels() == numpy.where(stays[labels], labels, 0)).all() and \
            0 < stays.sum() < numpy.count_nonzero(areas)
    return look


def expanded(distance):
    def look(scene):
        labels = scene.input().astype(int)
        places = numpy.argwhere(labels.T > 0)[:, ::-1]      # by x, then by y
        result = scene.labels()
        for place in numpy.ndindex(labels.shape):
            squares = ((places - place) ** 2).sum(axis=1)
            nearest = squares.argmin()      # the first of equal ones
            expected = labels[tuple(places[nearest])] if squares[nearest] <= distance ** 2 else 0
            if result[place] != expected:
                return False
        return (result != labels).any()
    return look


def by_otsu(scene):
    """It divides dark from bright."""
    levels, threshold = scene.input(), found_threshold(scene)
    above = levels > threshold
    return levels[~above].mean() < threshold < levels[above].mean() and \
        (scene.result() == 255 * above).all()


def windows(image, radius):
    """The levels in the window of each pixel, as far as it lies in the image."""
    for y, x in numpy.ndindex(image.shape):
        yield image[max(y - radius, 0):y + radius + 1, max(x - radius, 0):x + radius + 1]


def by_mean(scene):
    image = scene.input()
    means = numpy.array([window.mean() for window in windows(image, 25)]).reshape(image.shape)
    return (scene.result() == 255 * (image > means + 10)).all()


def by_sauvola(scene):
    image = scene.input()
    levels = numpy.array([window.mean() * (1 + 0.2 * (window.std() / 127.5 - 1))
                          for window in windows(image, 12)]).reshape(image.shape)
    marked = scene.result() > 0
    return (marked == (image <= levels)).all() and marked.any()


def areas_of(scene):
    return dict(enumerate(numpy.bincount(scene.input().astype(int).ravel()).tolist()[1:], 1))


def each_component(scene):
    """The median of red, of green and of blue."""
    got = [scene.command.read(scene.out, (SIZE, SIZE), '--channel', str(c)) for c in range(3)]
    return all((plane == by.median(make_photo()[..., c], 1)).all() for c, plane in enumerate(got))


def outlined(scene):
    """Rings enclose the areas of the regions; holes run the other way."""
    features = json.loads((pathlib.Path(scene.command.folder) / scene.out).read_text())['features']
    found = {}
    for feature in features:
        polygons = feature['geometry']['coordinates']
        if feature['geometry']['type'] == 'Polygon':
            polygons = [polygons]
        found[feature['properties']['label']] = sum(
            a[0] * b[1] - b[0] * a[1] for rings in polygons for ring in rings
            for a, b in zip(ring, ring[1:])) / 2
    return found == areas_of(scene)


def outlined_for_imagej(scene):
    with zipfile.ZipFile(f'{scene.command.folder}/{scene.out}') as rois:
        return rois.testzip() is None and \
            {name for name in rois.namelist()} == {f'{label}.roi' for label in areas_of(scene)} and \
            all(rois.read(name)[:4] == b'Iout' for name in rois.namelist())


def picture_of(scene):
    return scene.read('cells.png')


def chained_basins(scene):
    relief = by.gradient(numpy.round(by.gaussian(picture_of(scene), 1.5)))
    labels = scene.labels()
    return (labels > 0).all() and abs(count(labels) - basins_of(relief, 5)) <= 2


def chained_markers(scene):
    smooth = numpy.round(by.gaussian(picture_of(scene), 2))
    seeds = by.regional_maxima(by.h_maxima(smooth, 20))
    labels = scene.labels()
    return (labels > 0).all() and abs(count(labels) - components(seeds)) <= 1


def chained_table(scene):
    image = picture_of(scene)
    inside = image > found_threshold(scene)
    lines = list(csv.DictReader(
        (pathlib.Path(scene.command.folder) / 'cells.csv').read_text().splitlines()))
    return len(lines) == components(inside) and \
        sum(float(line['sum']) for line in lines) == image[inside].sum()


JUDGES = {
    'threshold cells.png --threshold otsu': by_otsu,
    'threshold page.png --method sauvola': by_sauvola,
    'threshold cells.tif --method mean': by_mean,
    'outlines labels.tif -o cells.geojson': outlined,
    'outlines labels.tif -o rois.zip': outlined_for_imagej,
    "run 'gaussian --sigma 1.5; gradient; watershed": chained_basins,
    "run 'gaussian --sigma 2 = smooth": chained_markers,
    "run 'label --threshold otsu; measure": chained_table,
    'reconstruct cells.png seeds.png':
        lambda scene: (scene.result() == by.reconstruct(scene.input(),
                                                        scene.read('seeds.png'))).all(),
    'reconstruct mask.raw marker.raw': raw_reconstruction,
    'distance cells.png --threshold 100':
        same(lambda image: by.distance(image > 100), 1e-5),
    'distance in.raw': stack_distance,
    'distance cells.png --threshold otsu --signed': signed,
    'watershed gradient.png --tolerance 5 --lines': with_lines,
    'watershed cells.png --smoothing 2 --input gradient': of_gradient,
    'watershed cells.png --input gradient --background dark --threshold otsu': off_background,
    'watershed cells.png --input objects --threshold otsu --min-area 20 --inside':
        of_objects_inside,
    'watershed cells.png --input objects --threshold otsu --corrections': of_objects_split,
    'watershed cells.png --input objects --threshold otsu': of_objects,
    'watershed cells.png --strokes': of_strokes,
    'watershed cells.png --preset nuclei-fluorescence --table cells.csv': of_preset,
    'watershed cells.png --tolerance 8 --table cells.csv': with_table,
    'watershed gradient.png --merge-count 100': merged_at_once,
    'watershed relief.tif --markers seeds.tif --connectivity 4': from_markers,
    'watershed relief.png --mask inside.png --tolerance 5': inside_mask,
    'watershed relief.tif --markers seeds.tif --compactness 2': from_markers,
    'geodesic-distance cells.png seeds.png --threshold 100': geodesic(100),
    'geodesic-distance cells.png seeds.png --costs': geodesic(0, 'gradient.png'),
    'label cells.png --threshold 100':
        lambda scene: is_numbering(scene.labels(), scene.input() > 100),
    'label text.png --threshold otsu --invert':
        lambda scene: is_numbering(scene.labels(), scene.input() < 100),
    'label mask.raw': stack_labels,
    'hierarchy gradient.png labels.tif --count 100 --corrections': corrected,
    'hierarchy gradient.png labels.tif --count 100':
        lambda scene: merged(scene) and count(scene.labels()) == 100,
    'hierarchy gradient.png labels.tif --measure area --depth 50':
        lambda scene: merged(scene) and numpy.bincount(scene.labels().ravel())[1:].min() > 50,
    'hierarchy gradient.png labels.tif --saliency': salient,
    'hierarchy relief.png labels.tif --mask inside.png --depth 20': merged_inside,
    'measure labels.tif --image': measured,
    'measure labels.tif --measures': measured_in_units,
    'remove-small': kept_labels(lambda areas: areas >= 50),
    'keep-largest': kept_labels(lambda areas: numpy.isin(
        numpy.arange(areas.size), numpy.argsort(-areas, kind='stable')[:10])),
    'expand-labels': expanded(5),
    'relabel': same(lambda labels: numpy.unique(labels, return_inverse=True)[1].reshape(
        labels.shape) + (labels.min() > 0)),
    'fill-holes cells.png --connectivity 8': same(lambda image: by.fill_holes(image, by.EIGHT)),
    'fill-holes': same(lambda image: by.fill_holes(image, by.FOUR)),
    'clear-border': same(by.clear_border),
    'h-maxima': same(lambda image: by.h_maxima(image, 10)),
    'h-minima': same(lambda image: by.h_minima(image, 10)),
    'h-dome': same(lambda image: image - by.h_maxima(image, 30)),
    'h-basin': same(lambda image: by.h_minima(image, 30) - image),
    'regional-maxima': marks(by.regional_maxima),
    'regional-minima': marks(by.regional_minima),
    'extended-maxima':
        marks(lambda image: by.regional_maxima(numpy.float32(by.h_maxima(image, 1.5)))),
    'extended-minima': marks(lambda image: by.regional_minima(by.h_minima(image, 5))),
    'opening-by-reconstruction': same(lambda image: by.opening(image, by.disc(8))),
    'closing-by-reconstruction': same(lambda image: by.closing(image, by.square(8))),
    'white-top-hat-by-reconstruction': same(lambda image: image - by.opening(image, by.disc(8))),
    'black-top-hat-by-reconstruction': same(lambda image: by.closing(image, by.square(8)) - image),
    'impose-minima':
        lambda scene: (by.regional_minima(scene.result()) == (scene.read('seeds.png') > 0)).all(),
    'area-opening': opened(lambda pixels, around: pixels.size >= 200),
    'area-closing': opened(lambda pixels, around: pixels.size >= 50, -1),
    'height-opening': rises(10),
    'height-closing': rises(5, -1),
    'volume-opening': opened(lambda pixels, around: (pixels - around).sum() >= 5000),
    'volume-closing': opened(lambda pixels, around: (pixels - around).sum() >= 5000, -1),
    # integers are rounded
    'gaussian': same(lambda image: by.gaussian(image, 2), 1),
    'gradient': same(by.gradient),
    'erosion': same(lambda image: by.erode(image, by.disc(3))),
    'dilation': same(lambda image: by.dilate(image, by.line_45(10))),
    'opening cells': same(lambda image: by.dilate(by.erode(image, by.disc(3)), by.disc(3))),
    'closing cells': same(lambda image: by.erode(by.dilate(image, by.square(4)), by.square(4))),
    'white-top-hat cells': same(lambda image: image - by.dilate(by.erode(image, by.disc(8)),
                                                                by.disc(8))),
    'black-top-hat cells': same(lambda image: by.erode(by.dilate(image, by.square(8)),
                                                       by.square(8)) - image),
    'median photo': each_component,
    'median': same(lambda image: by.median(image, 2)),
}
BEFORE = {'distance in.raw': before_stack_distance, 'label mask.raw': before_stack_labels,
          'reconstruct mask.raw marker.raw': before_raw_reconstruction}


def examples(command):
    """The lines below “Examples:” of every operation's help."""
    names = re.findall(r'^  ([a-z-]+)(?:  |$)', command.run('wavefront --help')[1], re.M)
    for name in names:
        text = command.run(f'wavefront {name} --help')[1]
        yield from (line.strip() for line in text.partition('Examples:\n')[2].splitlines())


def judge(line, prepared, cells):
    key = next((key for key in JUDGES if line.startswith(f'wavefront {key}')), None)
    if not key:
        tap.ok(False, line, 'it has no judge')
        return
    with tempfile.TemporaryDirectory() as place:
        folder = shutil.copytree(prepared, f'{place}/work')
        command = Command(program, folder)
        scene = Scene(command, cells, line)
        BEFORE.get(key, lambda scene: None)(scene)
        status, _, scene.said = command.run(line)
        tap.ok(status == 0 and JUDGES[key](scene), line, scene.said)


lines = list(examples(Command(program, '.')))
with tempfile.TemporaryDirectory() as inputs:
    drawn = prepare(Command(program, inputs))
    for example in lines:
        judge(example, inputs, drawn)
tap.ok(len(lines) >= len(JUDGES), 'every operation has an example', len(lines))
tap.done()
