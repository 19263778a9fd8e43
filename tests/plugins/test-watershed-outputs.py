# SPDX-License-Identifier: GPL-3.0-or-later

"""The watershed's inputs, markers, merging and outputs: the expected labels come from the
wavefront command, all other values are computed from the labels.
"""

import array
import csv
import math

from gi.repository import Gio

from gimptest import *
import reference
import wavefront_command

WIDTH, HEIGHT = 61, 43
WORK = os.environ['WORK']


def blobs(seed, top=255):
    """A relief of smooth hills and valleys instead of noise."""
    source = random.Random(seed)
    hills = [(source.uniform(0, WIDTH), source.uniform(0, HEIGHT), source.uniform(2, 6),
              source.uniform(0.2, 1)) for _ in range(40)]
    return [[int(min(sum(a * math.exp(-((x - u) ** 2 + (y - w) ** 2) / (2 * s * s))
                         for u, w, s, a in hills) / 2, 1) * top)
             for x in range(WIDTH)] for y in range(HEIGHT)]


ROWS = blobs('outputs')
NOTHING = {'lines_layer': False, 'basins_layer': False}


def label_rows(result):
    image = result['label-image']
    rows = levels(image.get_layers()[0])
    image.delete()
    return [[int(v) for v in row] for row in rows]


def labels_of(image, layer, **arguments):
    result = must(call(WATERSHED, image, [layer], **NOTHING, label_image=True, **arguments))
    return label_rows(result), result


def command(operation, rows, *options, kind='u8', out='I', marker=None):
    return wavefront_command.run(operation, [rows], kind, out, *options, marker=marker)[0]


def store_labels(name, rows):
    return wavefront_command.store(name, [rows], 'I')


def count(labels):
    return len({v for row in labels for v in row} - {0})


def compare(got, result, wanted, name):
    tap.ok(got == wanted and count(wanted) > 1, name, shown(got), shown(wanted))
    tap.same(result['basins'], count(wanted), f'their number, {name}')


def reliefs():
    image, layer = gray_image(ROWS)
    upside_down = [[255 - v for v in row] for row in ROWS]
    for arguments, rows, options in (
            ({}, ROWS, ()),
            ({'smoothing': 1.5, 'tolerance': 5 / 255}, ROWS,
             ('--smoothing', '1.5', '--tolerance', '5')),
            ({'input': 'gradient'}, ROWS, ('--gradient', '1')),
            ({'input': 'gradient', 'gradient': 2, 'smoothing': 2.0, 'lines': True}, ROWS,
             ('--gradient', '2', '--smoothing', '2', '--lines')),
            ({'valleys': 'bright', 'connectivity': '4'}, upside_down, ('--connectivity', '4'))):
        labels, result = labels_of(image, layer, **arguments)
        compare(labels, result, command('watershed', rows, *options), f'a flood with {arguments}')
    labels, result = labels_of(image, layer, gradient=3)
    compare(labels, result, command('watershed', ROWS), 'a radius alone enables no gradient')
    image.delete()


def split(rows, threshold, dark, tolerance, *options):
    """Divides objects by the command and by hand; returns the relief, labels and foreground."""
    inside = [[int((v > threshold) != dark) for v in row] for row in rows]
    far = command('distance', inside, out='f')
    relief = [[-d if i else math.inf for d, i in zip(*r)] for r in zip(far, inside)]
    labels = command('watershed', relief, '--tolerance', repr(tolerance), *options, kind='float')
    return relief, [[l if i else 0 for l, i in zip(*r)] for r in zip(labels, inside)], inside


def objects():
    image, layer = gray_image(ROWS, RGB)
    for arguments, dark, options in (({'split_tolerance': 0.5}, False, ()),
                                     ({'split_tolerance': 1.5, 'lines': True}, False,
                                      ('--lines',)),
                                     ({'objects': 'dark', 'split_tolerance': 1.0}, True, ())):
        labels, result = labels_of(image, layer, input='objects', automatic_threshold=False,
                                   threshold=60 / 255, **arguments)
        relief, wanted, inside = split(ROWS, 60, dark, arguments['split_tolerance'], *options)
        compare(labels, result, wanted, f'objects are divided, {arguments}')
        tap.ok(abs(result['threshold-used'] - 60 / 255) < 1e-9, 'the threshold is reported')

    labels, result = labels_of(image, layer, input='objects')
    used = result['threshold-used'] * 255
    tap.ok(abs(used - round(used)) < 1e-6 and 0 < used < 255, 'an automatic threshold', used)
    compare(labels, result, split(ROWS, round(used), False, 1)[1], 'with an automatic threshold')

    result = must(call(WATERSHED, image, [layer], input='objects', lines=True,
                       automatic_threshold=False, threshold=60 / 255))
    relief, labels, inside = split(ROWS, 60, False, 1.0, '--lines')
    drawn = [[bool(p[3]) for p in row] for row in colors(result['lines-layer'])]
    tap.same(drawn, [[bool(i and not l) for l, i in zip(*r)] for r in zip(labels, inside)],
             'lines divide objects and do not surround them')

    empty, result = labels_of(image, layer, input='objects', automatic_threshold=False,
                              threshold=1.0)
    tap.ok(result['basins'] == 0 and count(empty) == 0, 'without objects there are no basins')
    image.delete()


def marker_layer():
    image, layer = gray_image(ROWS, RGB)
    source = random.Random('colors')
    other = Gimp.Layer.new(image, 'markers', WIDTH - 7, HEIGHT, Gimp.ImageType.RGBA_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(other, None, 0)
    other.set_offsets(5, -2)
    painted = [[source.choice([(255, 0, 0, 255), (0, 255, 0, 200), (0, 0, 0, 255),
                               (9, 9, 9, 100)]) if source.random() < 0.02 else (0, 0, 0, 0)
                for _ in range(WIDTH - 7)] for _ in range(HEIGHT)]
    other.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH - 7, HEIGHT), "R'G'B'A u8",
                           bytes(v for row in painted for p in row for v in p))
    other.update(0, 0, WIDTH - 7, HEIGHT)

    numbers, seeds = {}, [[0] * WIDTH for _ in range(HEIGHT)]
    for y in range(HEIGHT):
        for x in range(WIDTH):
            v, u = y + 2, x - 5
            if 0 <= v < HEIGHT and 0 <= u < WIDTH - 7 and painted[v][u][3] > 127:
                seeds[y][x] = numbers.setdefault(painted[v][u][:3], len(numbers) + 1)
    labels, result = labels_of(image, layer, markers='layer', marker_layer=other, tolerance=0.3)
    compare(labels, result, command('watershed', ROWS, '--markers', store_labels('seeds', seeds)),
            'all pixels of a color are one marker')
    tap.same(count(labels), 3, 'transparent pixels are no markers')

    plain = new_layer(image, [[0, 0, 0], [7, 0, 0], [0, 9, 7]], name='plain', x=20, y=20)
    labels, result = labels_of(image, layer, markers='layer', marker_layer=plain)
    seeds = [[{(21, 20): 1, (22, 21): 2, (22, 22): 1}.get((y, x), 0) for x in range(WIDTH)]
             for y in range(HEIGHT)]
    compare(labels, result, command('watershed', ROWS, '--markers', store_labels('seeds', seeds)),
            'without transparency black is no marker')
    image.delete()


def at_points(points):
    seeds = [[0] * WIDTH for _ in range(HEIGHT)]
    n = 0
    for x, y in points:
        x, y = math.floor(x), math.floor(y)
        if 0 <= x < WIDTH and 0 <= y < HEIGHT and not seeds[y][x]:
            n += 1
            seeds[y][x] = n
    return command('watershed', ROWS, '--markers', store_labels('seeds', seeds))


def add_path(image, name, strokes):
    path = Gimp.Path.new(image, name)
    for points in strokes:
        controls = [v for x, y in points for v in (x - 3, y, x, y, x + 3, y)]
        path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER, controls, False)
    image.insert_path(path, None, 0)
    return path


def marker_points():
    image, layer = gray_image(ROWS)
    strokes = [[(10.5, 10.5), (30.2, 12.9)], [(50, 40), (-4, 3), (20.5, 30)]]
    points = [p for stroke in strokes for p in stroke]
    path = add_path(image, 'seeds', strokes)
    labels, result = labels_of(image, layer, markers='path', marker_path=path)
    compare(labels, result, at_points(points), 'points of a path are markers')
    image.set_selected_paths([path])
    labels, result = labels_of(image, layer, markers='path')
    compare(labels, result, at_points(points), 'the points of the selected path')

    for x in (10, 40):
        image.add_vguide(x)
    for y in (8, 30):
        image.add_hguide(y)
    labels, result = labels_of(image, layer, markers='guides')
    wanted = at_points([(x, y) for x in (10, 40) for y in (8, 30)])
    tap.ok(count(labels) == 4 and reference_partition(labels) == reference_partition(wanted),
           'guides cross at markers', shown(labels), shown(wanted))
    image.delete()


def compactness():
    """Markers of single pixels, in all of the layer, in a selection, and in objects."""
    image, layer = gray_image(ROWS, RGB)
    points = [(9, 7), (30, 5), (52, 11), (12, 25), (28, 22), (47, 30), (8, 38), (36, 39)]
    path = add_path(image, 'seeds', [points])
    seeds = [[points.index((x, y)) + 1 if (x, y) in points else 0 for x in range(WIDTH)]
             for y in range(HEIGHT)]
    markers = ('--markers', store_labels('seeds', seeds))
    for compactness, connectivity, steps in ((0.003, '8', reference.EIGHT),
                                             (0.05, '4', reference.FOUR)):
        labels, result = labels_of(image, layer, markers='path', marker_path=path,
                                   compactness=compactness, connectivity=connectivity)
        wanted = command('watershed', ROWS, *markers, '--connectivity', connectivity,
                         '--compactness', repr(compactness * 255))
        compare(labels, result, wanted, f'compact basins, {compactness}')
        tap.ok(wanted == reference.compact_watershed(ROWS, seeds, compactness * 255, steps=steps)
               and wanted != at_points(points), 'by their definition')

    image.select_ellipse(Gimp.ChannelOps.REPLACE, 3, 2, WIDTH - 9, HEIGHT - 3)
    wanted = reference.compact_watershed(ROWS, seeds, 0.01 * 255, read_mask(image))
    labels, result = labels_of(image, layer, markers='path', marker_path=path, compactness=0.01)
    compare(labels, result, [row[3:WIDTH - 6] for row in wanted[2:HEIGHT - 1]],
            'compact basins within a selection')
    Gimp.Selection.none(image)

    inside = [[int(v > 60) for v in row] for row in ROWS]
    relief = split(ROWS, 60, False, 0)[0]
    kept = [[seed if i else 0 for seed, i in zip(*r)] for r in zip(seeds, inside)]
    labels, result = labels_of(image, layer, input='objects', automatic_threshold=False,
                               threshold=60 / 255, markers='path', marker_path=path,
                               compactness=0.5)
    wanted = reference.compact_watershed(relief, kept, 0.5)
    compare(labels, result, [[l if i else 0 for l, i in zip(*r)] for r in zip(wanted, inside)],
            'compact basins of touching objects, in pixels')

    for arguments, part in (({}, 'markers'), ({'markers': 'path', 'lines': True}, 'lines'),
                            ({'markers': 'path', 'last_index': True}, 'last-index')):
        result = call(WATERSHED, image, [layer], compactness=0.1, **arguments)
        tap.ok(result.status != 'success' and part in result.message
               and layer_names(image) == ['layer'], f'with {arguments} it is refused', result)
    image.delete()


def reference_partition(labels):
    """The labels, renumbered in raster order."""
    numbers = {0: 0}
    return [[numbers.setdefault(v, len(numbers)) for v in row] for row in labels]


def merging():
    for precision in (P.U8_NON_LINEAR, P.U16_NON_LINEAR):
        kind, top = ('u8', 255) if precision == P.U8_NON_LINEAR else ('u16', 65535)
        rows = blobs('merging', top)
        image, layer = gray_image(rows, precision=precision)
        for lines in (False, True):
            options = ('--lines',) if lines else ()
            labels = command('watershed', rows, *options, kind=kind)
            for by, value, cut in (('count', 12.0, ('--count', '12')),
                                   ('dynamics', 0.1, ('--depth', repr(math.floor(0.1 * top + .5)))),
                                   ('area', 40.0, ('--measure', 'area', '--depth', '40')),
                                   ('volume', 1.5, ('--measure', 'volume', '--depth',
                                                    repr(1.5 * top)))):
                wanted = wavefront_command.run('hierarchy', [rows], kind, 'I', *cut,
                                               labels=[labels])[0]
                got, result = labels_of(image, layer, merge_by=by, merge_value=value, lines=lines)
                compare(got, result, wanted, f'merged by {by}, lines {lines}, {kind}')
        image.delete()


def stack():
    slices = [blobs(f'slice {i}') for i in range(3)]
    image = new_image(WIDTH, HEIGHT)
    layers = [new_layer(image, rows, name=f'slice {i}') for i, rows in enumerate(slices)]
    result = must(call(WATERSHED, image, layers, stack=True, tolerance=0.05, label_image=True,
                       mean_layer=True))
    wanted = wavefront_command.run('watershed', slices, 'u8', 'I', '--tolerance', '13')
    made = result['label-image']
    got = [[[int(v) for v in row] for row in levels(l)] for l in reversed(made.get_layers())]
    tap.ok(got == wanted, 'numbers of a stack, as the command has them')
    made.delete()

    sums = {}
    for rows, labels in zip(slices, wanted):
        for r, l in zip(rows, labels):
            for v, label in zip(r, l):
                total = sums.setdefault(label, [0, 0])
                total[0] += v
                total[1] += 1
    group = result['mean-layer']
    means = [levels(l) for l in reversed(group.get_children())]
    off = max(abs(m - sums[label][0] / sums[label][1])
              for z in zip(means, wanted) for r in zip(*z) for m, label in zip(*r))
    tap.ok(off <= 0.5001, 'mean levels over all slices', off)
    for arguments, part in (({'lines_path': True}, 'path'), ({'markers': 'guides'}, 'stack'),
                            ({'select_basins': True}, 'stack')):
        refused = call(WATERSHED, image, layers, stack=True, **arguments)
        tap.ok(refused.status == 'calling-error' and part in refused.message,
               f'a stack has no {arguments}', refused)
    image.delete()


def means():
    source = random.Random('means')
    for alpha in (False, True):
        image = new_image(WIDTH, HEIGHT, RGB)
        layer = Gimp.Layer.new(image, 'layer', WIDTH, HEIGHT, layer_type(image, alpha), 100,
                               Gimp.LayerMode.NORMAL)
        image.insert_layer(layer, None, 0)
        pixels = [[tuple(min(ROWS[y][x] + source.randrange(20), 255) for _ in range(3))
                   + ((source.choice((0, 51, 255)),) if alpha else (255,))
                   for x in range(WIDTH)] for y in range(HEIGHT)]
        layer.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT),
                               "R'G'B'A u8", bytes(v for r in pixels for p in r for v in p))
        layer.update(0, 0, WIDTH, HEIGHT)
        result = must(call(WATERSHED, image, [layer], tolerance=0.02, mean_layer=True,
                           label_image=True))
        tap.same([l.get_name() for l in image.get_layers()],
                 ['Watershed lines of layer', 'Basins of layer', 'Mean colors of layer', 'layer'],
                 'the order of the layers')
        labels = label_rows(result)
        sums = {}
        for r, l in zip(pixels, labels):
            for p, label in zip(r, l):
                total = sums.setdefault(label, [0, 0, 0, 0])
                for i in range(3):
                    total[i] += p[i] * p[3]
                total[3] += p[3]
        worst = 0
        for r, l, s in zip(colors(result['mean-layer']), labels, pixels):
            for p, label, seen in zip(r, l, s):
                if seen[3] and sums[label][3]:
                    worst = max(worst, *(abs(p[i] - sums[label][i] / sums[label][3])
                                         for i in range(3)))
        tap.ok(worst <= 0.51 and len(sums) > 3, f'mean colors, alpha {alpha}', worst)
        image.delete()


def line_opacity():
    image, layer = gray_image(ROWS, RGB)
    result = must(call(WATERSHED, image, [layer], basins_layer=False, line_opacity=40.0,
                       line_color=Gegl.Color.new('#ff00ff')))
    tap.ok(abs(result['lines-layer'].get_opacity() - 40) < 0.01
           and {p for r in colors(result['lines-layer']) for p in r}
           == {(255, 0, 255, 255), (0, 0, 0, 0)}, 'lines in a color and opacity')
    image.delete()


def selection():
    image, layer = gray_image(ROWS)
    labels, result = labels_of(image, layer, tolerance=0.02)
    Gimp.Image.select_rectangle(image, Gimp.ChannelOps.REPLACE, 12, 9, 30, 22)
    touched = {labels[y][x] for y in range(9, 31) for x in range(12, 42)}
    image.set_selected_layers([layer])
    result = must(call(WATERSHED, image, [layer], **NOTHING, tolerance=0.02, select_basins=True,
                       label_image=True))
    tap.same(label_rows(result), labels, 'the whole layer is flooded')
    tap.same(read_mask(image), [[v in touched for v in row] for row in labels],
             'the basins under the selection are selected')
    tap.ok(count(labels) > result['selected-basins'] == len(touched) > 1, 'their number', result, touched)
    tap.same((image.get_channels(), layer_names(image), image.get_selected_layers()),
             ([], ['layer'], [layer]), 'nothing else remains')

    Gimp.Selection.none(image)
    refused = call(WATERSHED, image, [layer], select_basins=True)
    tap.ok(refused.status == 'calling-error' and 'selected' in refused.message
           and layer_names(image) == ['layer'], 'nothing is selected', refused)
    image.delete()


def selection_outside():
    """For a layer partly outside the image, the part inside is selected."""
    image = new_image(WIDTH, HEIGHT, GRAY, P.U8_NON_LINEAR)
    for x, y in ((-13, 11), (17, -9), (WIDTH - 30, HEIGHT - 20)):
        layer = new_layer(image, ROWS, x=x, y=y)
        Gimp.Selection.none(image)
        labels, _ = labels_of(image, layer, tolerance=0.02)
        Gimp.Image.select_rectangle(image, Gimp.ChannelOps.REPLACE, 33, 26, 12, 7)
        touched = {labels[v - y][u - x] for v in range(26, 33) for u in range(33, 45)}
        must(call(WATERSHED, image, [layer], **NOTHING, tolerance=0.02, select_basins=True))
        tap.same(read_mask(image),
                 [[0 <= v - y < HEIGHT and 0 <= u - x < WIDTH and labels[v - y][u - x] in touched
                   for u in range(WIDTH)] for v in range(HEIGHT)],
                 f'a layer at {x}, {y}: the basins under the selection are selected')
        image.remove_layer(layer)
    image.delete()


def read_mask(image):
    selection = image.get_selection()
    data = selection.get_buffer().get(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), 1.0, 'Y float',
                                      Gegl.AbyssPolicy.NONE)
    values = array.array('f')
    values.frombytes(bytes(data))
    return [[values[y * WIDTH + x] > 0.5 for x in range(WIDTH)] for y in range(HEIGHT)]


def segments_of(path):
    segments = []
    for stroke in path.get_strokes():
        _, controls, closed = path.stroke_get_points(stroke)
        points = [tuple(controls[i + 2:i + 4]) for i in range(0, len(controls), 6)]
        segments += list(zip(points, points[1:] + points[:1])) if closed \
            else list(zip(points, points[1:]))
    return segments


def off(point, segments):
    best = math.inf
    for (ax, ay), (bx, by) in segments:
        dx, dy = bx - ax, by - ay
        t = ((point[0] - ax) * dx + (point[1] - ay) * dy) / (dx * dx + dy * dy)
        t = min(max(t, 0), 1)
        best = min(best, math.hypot(point[0] - ax - t * dx, point[1] - ay - t * dy))
    return best


def path():
    image = new_image(WIDTH + 8, HEIGHT + 8)
    layer = new_layer(image, ROWS, name='<a & b>', x=3, y=5)
    for lines in (False, True):
        result = must(call(WATERSHED, image, [layer], **NOTHING, tolerance=0.03, lines=lines,
                           lines_path=True, label_image=True))
        labels = label_rows(result)
        made = result['lines-path']
        tap.ok(made is not None and made.get_name().startswith('Watershed lines of <a & b>')
               and made.get_image() == image, f'a path, lines {lines}', made)
        segments = segments_of(made)
        edges = [(x + 3.5, y + 5.5) for y in range(HEIGHT) for x in range(WIDTH)
                 if not labels[y][x]]
        for y in range(HEIGHT if not lines else 0):
            for x in range(WIDTH):
                if x and labels[y][x] != labels[y][x - 1]:
                    edges.append((x + 3, y + 5.5))
                if y and labels[y][x] != labels[y - 1][x]:
                    edges.append((x + 3.5, y + 5))
        limit = 0.76 if not lines else 2.3   # a line may be two pixels wide
        worst = max(off(edge, segments) for edge in edges)
        tap.ok(worst < limit, f'every boundary is close to the path, lines {lines}', worst)
        middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in segments]
        worst = max(min(math.hypot(m[0] - e[0], m[1] - e[1]) for e in edges) for m in middles)
        tap.ok(worst < 2 and len(segments) > 10, f'the path is close to one, lines {lines}',
               worst, len(segments))
        image.remove_path(made)
    image.delete()


def table():
    image = new_image(WIDTH + 9, HEIGHT + 9)
    layer = new_layer(image, ROWS, name='layer', x=4, y=6)
    file = f'{WORK}/basins.csv'
    result = must(call(WATERSHED, image, [layer], **NOTHING, tolerance=0.02, label_image=True,
                       table_file=Gio.File.new_for_path(file)))
    labels = label_rows(result)
    with open(file, encoding='utf-8', newline='') as text:
        rows = list(csv.DictReader(text))
    tap.same([int(r['index']) for r in rows], list(range(1, result['basins'] + 1)),
             'a line for each basin')
    for row in rows:
        pixels = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)
                  if labels[y][x] == int(row['index'])]
        values = [ROWS[y][x] for x, y in pixels]
        left, top = min(x for x, _ in pixels), min(y for _, y in pixels)
        wanted = (len(pixels), sum(x for x, _ in pixels) / len(pixels) + 4.5,
                  sum(y for _, y in pixels) / len(pixels) + 6.5, left + 4, top + 6,
                  max(x for x, _ in pixels) - left + 1, max(y for _, y in pixels) - top + 1,
                  min(values), sum(values) / len(values))
        got = tuple(float(row[k]) for k in ('area', 'centroid_x', 'centroid_y', 'left', 'top',
                                            'width', 'height', 'minimum', 'mean'))
        if not all(abs(a - b) < 1e-6 * max(1, abs(b)) for a, b in zip(got, wanted)):
            tap.ok(False, f'measurements of basin {row["index"]}', got, wanted)
    depths = sorted(float(r['depth']) for r in rows if r['depth'])
    tap.same(len(depths), len(rows) - 1, 'all but the deepest have a depth')
    tap.ok(depths[0] > 5, 'no basin is shallower than the tolerance', depths)
    middle = depths[len(depths) // 2]
    merged, merge = labels_of(image, layer, tolerance=0.02, merge_by='dynamics',
                              merge_value=middle / 255)
    tap.same(merge['basins'], 1 + sum(d > middle for d in depths),
             'merging leaves as many basins as are deeper')

    before = open(file, 'rb').read()
    for arguments in ({'table_file': Gio.File.new_for_path(f'{WORK}/no/such.csv')},
                      {'table_file': Gio.File.new_for_path(file), 'lines_path': True,
                       'markers': 'guides'}):
        refused = call(WATERSHED, image, [layer], **arguments)
        tap.ok(refused.status == 'calling-error' and layer_names(image) == ['layer']
               and not image.get_paths() and open(file, 'rb').read() == before,
               'a table is written completely or not at all', refused)
    other = new_layer(image, ROWS, name='other')
    refused = call(WATERSHED, image, [layer, other], table_file=Gio.File.new_for_path(file))
    tap.ok(refused.status == 'calling-error' and 'table' in refused.message,
           'two layers cannot share one table', refused)
    tap.same([n for n in os.listdir(WORK) if 'csv' in n or 'goutput' in n], ['basins.csv'],
             'no other file is left')
    image.delete()


def table_as_command():
    """The tables of the plug-in and of the command are equal to the byte."""
    made, wanted = f'{WORK}/made.csv', f'{WORK}/wanted.csv'

    def compare_tables(image, layers, arguments, operation, slices, *options, **others):
        must(call(WATERSHED, image, layers, **NOTHING, **arguments,
                  table_file=Gio.File.new_for_path(made)))
        wavefront_command.run(operation, slices, 'u8', 'I', *options, '--table', wanted, **others)
        one, other = open(made, 'rb').read(), open(wanted, 'rb').read()
        tap.ok(one == other and one.count(b'\n') > 4, f'the command’s table with {arguments}',
               one[:300], other[:300])

    image, layer = gray_image(ROWS)
    compare_tables(image, [layer], {'tolerance': 5 / 255}, 'watershed', [ROWS], '--tolerance', '5')
    compare_tables(image, [layer], {'input': 'gradient', 'gradient': 2, 'smoothing': 1.5,
                                    'connectivity': '4', 'lines': True},
                   'watershed', [ROWS], '--gradient', '2', '--smoothing', '1.5',
                   '--connectivity', '4', '--lines')
    labels = command('watershed', ROWS, '--lines')
    compare_tables(image, [layer], {'lines': True, 'merge_by': 'dynamics', 'merge_value': 9 / 255},
                   'hierarchy', [ROWS], '--depth', '9', labels=[labels])
    image.delete()

    slices = [blobs(f'slice {i}') for i in range(3)]
    image = new_image(WIDTH, HEIGHT)
    layers = [new_layer(image, rows, name=f'slice {i}') for i, rows in enumerate(slices)]
    compare_tables(image, layers, {'stack': True, 'tolerance': 0.05}, 'watershed', slices,
                   '--tolerance', '13')
    image.delete()


def several():
    """Each layer gets its own results; the return values are those of the first."""
    image = new_image(WIDTH, HEIGHT)
    layers = [new_layer(image, blobs(f'several {i}'), name=f'layer {i}') for i in range(2)]
    result = must(call(WATERSHED, image, layers, **NOTHING, label_image=True, lines_path=True))
    tap.same(len(image.get_paths()), 2, 'a path for each layer')
    tap.ok('layer 0' in result['lines-path'].get_name(), 'the value is that of the first', result)
    tap.same(label_rows(result), command('watershed', blobs('several 0')), 'and so are numbers')
    image.delete()


def refusals():
    image, layer = gray_image(ROWS)
    for arguments, part in ((NOTHING, 'No result'),
                            ({'merge_by': 'color'}, 'color'),
                            ({'merge_value': -1.0}, 'merge-value'),
                            ({'markers': 'layer'}, 'not given'),
                            ({'markers': 'path'}, 'No path'),
                            ({'markers': 'guides'}, 'guides'),
                            ({'markers': 'spots'}, 'spots'),
                            ({'input': 'colors'}, 'colors'),
                            ({'smoothing': 300.0}, 'smoothing'),
                            ({'line_opacity': 101.0}, 'line-opacity'),
                            ({'compactness': -1.0}, 'compactness'),
                            ({'threshold': 2.0}, 'threshold')):
        result = call(WATERSHED, image, [layer], **arguments)
        tap.ok(result.status == 'calling-error' and part in result.message
               and layer_names(image) == ['layer'], f'{arguments} is refused', result)
    image.delete()


if wavefront_command.is_there():
    for group in (reliefs, objects, marker_layer, marker_points, compactness, merging, stack, means,
                  line_opacity, selection, selection_outside, path, table, table_as_command,
                  several, refusals):
        tap.group(group)
else:
    tap.skip('the watershed and the command', 'the command was not built')
tap.done()
