# SPDX-License-Identifier: GPL-3.0-or-later

"""The watershed's limits of objects: labels as the command has them, numbers without gaps, lines,
path, mean colors and table of the objects that are kept, the edge of a selection, and what is
refused; corrections by hand, which come before; markers that strokes draw.
"""

import csv
import json
import math

from gi.repository import Gio

from gimptest import *
import wavefront_command

WIDTH, HEIGHT = 61, 43
WORK = os.environ['WORK']
NOTHING = {'lines_layer': False, 'basins_layer': False}
OBJECTS = {'input': 'objects', 'automatic_threshold': False, 'threshold': 60 / 255}
TO_COMMAND = ('--input', 'objects', '--threshold', '60', '--tolerance', '1')


def blobs(seed):
    """Hills of several heights and widths on black."""
    source = random.Random(seed)
    hills = [(source.uniform(0, WIDTH), source.uniform(0, HEIGHT), source.uniform(1, 4),
              source.uniform(0.4, 1)) for _ in range(30)]
    return [[int(min(sum(a * math.exp(-((x - u) ** 2 + (y - w) ** 2) / (2 * s * s))
                         for u, w, s, a in hills), 1) * 255)
             for x in range(WIDTH)] for y in range(HEIGHT)]


ROWS = blobs('objects')


def label_rows(result):
    image = result['label-image']
    rows = levels(image.get_layers()[0])
    image.delete()
    return [[int(v) for v in row] for row in rows]


def labels_of(image, layer, **arguments):
    result = must(call(WATERSHED, image, [layer], **NOTHING, label_image=True, **arguments))
    return label_rows(result), result


def numbers(labels):
    return sorted({v for row in labels for v in row} - {0})


def as_the_command():
    image, layer = gray_image(ROWS, RGB)
    every = len(numbers(labels_of(image, layer, **OBJECTS)[0]))
    for arguments, options in (
            ({'min_area': 12.0}, ('--min-area', '12')),
            ({'max_area': 40.0}, ('--max-area', '40')),
            ({'min_circularity': 0.8}, ('--min-circularity', '0.8')),
            ({'max_circularity': 0.95}, ('--max-circularity', '0.95')),
            ({'min_mean': 120 / 255}, ('--min-mean', '120')),
            ({'max_mean': 140 / 255}, ('--max-mean', '140')),
            ({'inside': True}, ('--inside',)),
            ({'inside': True, 'min_area': 10.0, 'max_area': 60.0, 'min_circularity': 0.5},
             ('--inside', '--min-area', '10', '--max-area', '60', '--min-circularity', '0.5'))):
        got, result = labels_of(image, layer, **OBJECTS, **arguments)
        wanted = wavefront_command.run('watershed', [ROWS], 'u8', 'I', *TO_COMMAND, *options)[0]
        tap.ok(got == wanted and 0 < len(numbers(got)) < every, f'labels with {arguments}',
               numbers(got), every)
        tap.same(numbers(got), list(range(1, result['basins'] + 1)), 'numbers without gaps')
    got, result = labels_of(image, layer, **OBJECTS, min_area=1e6)
    tap.ok(not numbers(got) and result['basins'] == 0, 'no object is left')
    image.delete()


def merged():
    """The limits are those of the merged basins."""
    image, layer = gray_image(ROWS)
    both = {'merge_by': 'count', 'merge_value': 14.0}
    every = labels_of(image, layer, **both)[0]
    got, result = labels_of(image, layer, **both, min_area=120.0)
    areas = {n: sum(row.count(n) for row in every) for n in numbers(every)}
    kept = [n for n in numbers(every) if areas[n] >= 120]
    tap.ok(0 < len(kept) < len(areas), 'some merged basins are small', areas)
    new = {n: i + 1 for i, n in enumerate(kept)}
    tap.same(got, [[new.get(v, 0) for v in row] for row in every], 'those are left out')
    image.delete()


def drawn():
    """Lines are those beside objects that are kept; all results are of them."""
    image, layer = gray_image(ROWS, RGB)
    with_lines = {'lines': True, 'tolerance': 0.05}
    every = labels_of(image, layer, **with_lines)[0]
    table = Gio.File.new_for_path(f'{WORK}/objects.csv')
    whole = Gio.File.new_for_path(f'{WORK}/all.csv')
    must(call(WATERSHED, image, [layer], **NOTHING, **with_lines, table_file=whole))
    result = must(call(WATERSHED, image, [layer], **with_lines, mean_layer=True, label_image=True,
                       min_area=60.0, table_file=table))
    labels = label_rows(result)
    kept = {every[y][x] for y in range(HEIGHT) for x in range(WIDTH) if labels[y][x]}
    tap.ok(0 < len(kept) < len(numbers(every)), 'some basins are small', kept)

    def beside(x, y):
        return any(labels[v][u] for v in range(max(y - 1, 0), min(y + 2, HEIGHT))
                   for u in range(max(x - 1, 0), min(x + 2, WIDTH)))
    lines = [[bool(p[3]) for p in row] for row in colors(result['lines-layer'])]
    tap.same(lines, [[every[y][x] == 0 and beside(x, y) for x in range(WIDTH)]
                     for y in range(HEIGHT)], 'lines are beside objects')
    for name in ('basins-layer', 'mean-layer'):
        tap.same([[bool(p[3]) for p in row] for row in colors(result[name])],
                 [[v != 0 for v in row] for row in labels], f'{name} shows the objects')

    with open(table.get_path(), encoding='utf-8') as file:
        got = list(csv.reader(file))
    with open(whole.get_path(), encoding='utf-8') as file:
        lines = list(csv.reader(file))
    wanted = [lines[0]] + [line for line in lines[1:] if int(line[0]) in kept]
    for i, line in enumerate(wanted[1:]):
        line[0] = str(i + 1)
    tap.same(got, wanted, 'the table has their lines')

    result = must(call(WATERSHED, image, [layer], **NOTHING, tolerance=0.05, min_area=60.0,
                       lines_path=True))
    tap.ok(result['lines-path'].get_strokes(), 'the path of their outlines')
    image.delete()


def selected():
    """An object beside what is not selected is cut off."""
    image, layer = gray_image(ROWS)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 4, 3, WIDTH - 11, HEIGHT - 7)
    mask = image.get_selection().get_buffer().get(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), 1.0,
                                                  'Y u8', Gegl.AbyssPolicy.NONE)
    inside = [[bytes(mask)[y * WIDTH + x] >= 128 for x in range(WIDTH)] for y in range(HEIGHT)]
    every = labels_of(image, layer, **OBJECTS)[0]
    got = labels_of(image, layer, **OBJECTS, inside=True)[0]
    left = (WIDTH - len(every[0])) and 4
    cut = set()
    for y, row in enumerate(every):
        for x, v in enumerate(row):
            for u, w in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if v and not (0 <= w < len(every) and 0 <= u < len(row)
                              and inside[w + 3][u + left]):
                    cut.add(v)
    kept = [n for n in numbers(every) if n not in cut]
    new = {n: i + 1 for i, n in enumerate(kept)}
    tap.ok(cut and kept, 'some objects are cut off', cut, kept)
    tap.same(got, [[new.get(v, 0) for v in row] for row in every], 'they are left out')
    image.delete()


def stack():
    slices = [blobs(f'slice {i}') for i in range(3)]
    image = new_image(WIDTH, HEIGHT)
    layers = [new_layer(image, rows, name=f'slice {i}') for i, rows in enumerate(slices)]
    result = must(call(WATERSHED, image, layers, **NOTHING, stack=True, tolerance=0.1,
                       label_image=True, min_area=300.0))
    wanted = wavefront_command.run('watershed', slices, 'u8', 'I', '--tolerance', '26',
                                   '--min-area', '300')
    made = result['label-image']
    got = [[[int(v) for v in row] for row in levels(l)] for l in reversed(made.get_layers())]
    tap.ok(got == wanted and any(v for z in got for r in z for v in r), 'voxels of a stack')
    made.delete()
    refused = call(WATERSHED, image, layers, stack=True, min_circularity=0.5)
    tap.ok(refused.status != 'success' and 'circularity' in refused.message
           and len(layer_names(image)) == 3, 'a stack has no circularity', refused)
    image.delete()


def refusals():
    image, layer = gray_image(ROWS)
    for arguments, part in (({'min_area': -1.0}, 'min-area'), ({'max_mean': 1.5}, 'max-mean'),
                            ({'min_circularity': -0.1}, 'min-circularity')):
        refused = call(WATERSHED, image, [layer], **arguments)
        tap.ok(refused.status != 'success' and part in refused.message
               and layer_names(image) == ['layer'], f'with {arguments} it is refused', refused)
    image.delete()


def corrected():
    """A list of corrections gives what the command makes of it; in pixels of the image."""
    image, layer = gray_image(ROWS, RGB)
    every = labels_of(image, layer, **OBJECTS)[0]
    places = {v: (x, y) for y, row in enumerate(every) for x, v in enumerate(row) if v}
    areas = {v: sum(row.count(v) for row in every) for v in places}
    largest = sorted(areas, key=areas.get)[-4:]
    x, y = places[largest[3]]
    changes = [{'split': [[max(x - 20, 0), y], [x + 20, y + 4]]}, {'seed': [list(places[largest[2]])]},
               {'join': [list(places[largest[1]]), list(places[largest[0]])]},
               {'join-along': [[0, HEIGHT // 2], [20, HEIGHT // 2]]},
               {'delete': [list(places[largest[2]])]}, {'keep': [list(places[min(areas)])]}]
    for n in range(1, len(changes) + 1):
        text = json.dumps(changes[:n])
        got, result = labels_of(image, layer, **OBJECTS, corrections=text, min_area=20.0)
        wanted = wavefront_command.run('watershed', [ROWS], 'u8', 'I', *TO_COMMAND, '--corrections',
                                       text, '--min-area', '20')[0]
        tap.ok(got == wanted, f'with {text}', numbers(got))
        tap.same(numbers(got), list(range(1, result['basins'] + 1)), 'numbers without gaps')
    whole = labels_of(image, layer, **OBJECTS, corrections=json.dumps(changes))[0]
    tap.ok(whole != every, 'the labels are corrected')

    same = [change for change in changes if 'join-along' not in change]
    wanted = labels_of(image, layer, **OBJECTS, corrections=json.dumps(same))[0]
    for left, top in (7, 5), (-30, -20):
        layer.set_offsets(left, top)
        moved = [{kind: [[u + left, w + top] for u, w in points]
                  for kind, points in change.items()} for change in same]
        got = labels_of(image, layer, **OBJECTS, corrections=json.dumps(moved))[0]
        tap.same(got, wanted, f'they move with the layer to {left}, {top}')
    layer.set_offsets(0, 0)
    refused = call(WATERSHED, image, [layer], corrections='[{"join":[[1,2]]')
    tap.ok(refused.status != 'success' and 'character' in refused.message
           and layer_names(image) == ['layer'], 'what is no list is refused', refused)
    image.delete()


def by_strokes():
    """A list of strokes gives what the command makes of it, for levels and for objects, with what else
    changes basins; in pixels of the image; no basin of the background."""
    image, layer = gray_image(ROWS, RGB)
    strokes = [{'object': [[10, 10], [14, 12]], 'width': 5}, {'object': [[14, 12], [20, 20]]},
               {'object': [[40, 30]], 'width': 9}, {'background': [[0, 0], [60, 0], [60, 42]]},
               {'object': [[50, 8], [50, 15]], 'width': 3}, {'erase': [[50, 11]], 'width': 4},
               {'background': [[-30, 50], [30, -50]], 'width': 2}]
    text = json.dumps(strokes)
    drawn = {'markers': 'strokes', 'marker_strokes': text}
    rows = {}
    for name, arguments, options in (
            ('levels', {'valleys': 'bright'}, ('--invert',)),
            ('lines', {'lines': True}, ('--lines',)),
            ('objects', OBJECTS, TO_COMMAND[:-2]),
            ('four', {'connectivity': '4'}, ('--connectivity', '4')),
            ('large', {'min_area': 20.0, 'corrections': '[{"split": [[0, 20], [60, 22]]}]'},
             ('--min-area', '20', '--corrections', '[{"split": [[0, 20], [60, 22]]}]'))):
        got, result = labels_of(image, layer, **drawn, **arguments)
        wanted = wavefront_command.run('watershed', [ROWS], 'u8', 'I', *options, '--strokes',
                                       text)[0]
        tap.ok(got == wanted, f'{name}: as the command', numbers(got), numbers(wanted))
        tap.same(len(numbers(got)), result['basins'], f'{name}: the number of basins')
        tap.ok(got[0][60] == got[42][60] == 0, f'{name}: the background is none', got[0][60])
        rows[name] = got
    tap.same(rows['levels'][30][40], rows['levels'][28][38], 'a stroke is one object')
    tap.same(rows['levels'][10][10], rows['levels'][20][20], 'strokes that touch are one object')
    tap.ok(rows['levels'][8][50] != rows['levels'][15][50], 'a stroke that is divided is two')

    moved = [{kind: value if kind == 'width' else [[x - 30, y + 5] for x, y in value]
              for kind, value in stroke.items()} for stroke in strokes]
    layer.set_offsets(-30, 5)
    got = labels_of(image, layer, markers='strokes', marker_strokes=json.dumps(moved),
                    valleys='bright')[0]
    tap.same(got, rows['levels'], 'they move with the layer')
    layer.set_offsets(0, 0)

    merged, result = labels_of(image, layer, **drawn, merge_by='count', merge_value=1.0,
                               valleys='bright')
    tap.ok(all((a == 0) == (b == 0) for low, high in zip(merged, rows['levels'])
               for a, b in zip(low, high)), 'merging takes no background')
    tap.ok(1 <= result['basins'] < len(numbers(rows['levels'])), 'objects are merged', result)
    for wrong, part in (('[{"object":[[1,2]]', 'character'), ('[{"object":[[NaN,2]]}]', 'number'),
                        ('[{"object":[[1,2]],"width":5000}]', '1…1000'), ('', 'object'),
                        ('[{"background":[[1,2]]}]', 'object'),
                        ('[{"object":[[900,900]]}]', 'object')):
        refused = call(WATERSHED, image, [layer], markers='strokes', marker_strokes=wrong)
        tap.ok(refused.status != 'success' and part in refused.message
               and layer_names(image) == ['layer'], f'“{wrong}” is refused', refused)
    image.delete()


def strokes_of_a_stack():
    """Strokes of several slices, with places of three coordinates."""
    slices = [blobs(f'slice {i}') for i in range(3)]
    image = new_image(WIDTH, HEIGHT)
    layers = [new_layer(image, rows, name=f'slice {i}') for i, rows in enumerate(slices)]
    text = json.dumps([{'object': [[10, 10, 0], [20, 12, 0]], 'width': 3}, {'object': [[40, 30, 1]]},
                       {'object': [[40, 30, 2], [44, 30, 2]]}, {'object': [[50, 8, 2]], 'width': 5},
                       {'background': [[0, 0, 1], [60, 0, 1]]}])
    result = must(call(WATERSHED, image, layers, **NOTHING, stack=True, label_image=True,
                       markers='strokes', marker_strokes=text))
    made = result['label-image']
    got = [[[int(v) for v in row] for row in levels(l)] for l in reversed(made.get_layers())]
    made.delete()
    tap.same(got, wavefront_command.run('watershed', slices, 'u8', 'I', '--strokes', text),
             'strokes of a stack, as the command')
    tap.same((result['basins'], sorted({v for z in got for row in z for v in row})),
             (3, [0, 1, 2, 3]), 'strokes that touch through slices are one object')
    refused = call(WATERSHED, image, layers, stack=True, markers='guides')
    tap.ok(refused.status != 'success' and 'stack' in refused.message, 'guides are flat', refused)
    image.delete()


for group in (as_the_command, stack, corrected, by_strokes, strokes_of_a_stack) if wavefront_command.is_there() else ():
    tap.group(group)
for group in (merged, drawn, selected, refusals):
    tap.group(group)
tap.done()
