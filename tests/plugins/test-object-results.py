# SPDX-License-Identifier: GPL-3.0-or-later

"""What the watershed makes of its objects: a path for each and files of their outlines, whose insides
are the objects; and means of another layer or channel, wherever it lies.
"""

import csv
import pathlib
import sys

from gi.repository import Gio

import gimptest
from gimptest import *

sys.path.append(str(pathlib.Path(gimptest.__file__).parent.parent / 'tools'))
from outline_files import fill, read_geojson, read_rois

WIDTH, HEIGHT = 48, 37
LEFT, TOP = 5, 3
WORK = os.environ['WORK']
NOTHING = {'lines_layer': False, 'basins_layer': False}
source = random.Random('object-results')
# blobs of pixels, some in several pieces that touch at corners, some with holes
ROWS = [[200 + source.randrange(40) if (x % 12 < 9 and y % 9 < 7 and source.random() < 0.93) else 0
         for x in range(WIDTH)] for y in range(HEIGHT)]
OBJECTS = {'input': 'objects', 'automatic_threshold': False, 'threshold': 0.5}


def file_of(name):
    return Gio.File.new_for_path(f'{WORK}/{name}')


def bytes_of(name):
    with open(f'{WORK}/{name}', 'rb') as file:
        return file.read()


def scene():
    """A layer that lies beside the corner of its image."""
    image = new_image(WIDTH + 9, HEIGHT + 8)
    return image, new_layer(image, ROWS, x=LEFT, y=TOP)


def label_rows(result):
    image = result['label-image']
    rows = [[int(v) for v in row] for row in levels(image.get_layers()[0])]
    image.delete()
    return rows


def inside_of(rings):
    return [[fill(rings, x + LEFT, y + TOP) for x in range(WIDTH)] for y in range(HEIGHT)]


def selected_by(image, path):
    """What a selection made from the path has, and whether it has anything else."""
    image.select_item(Gimp.ChannelOps.REPLACE, path)
    rectangle = Gegl.Rectangle.new(0, 0, image.get_width(), image.get_height())
    data = image.get_selection().get_buffer().get(rectangle, 1.0, 'Y u8', Gegl.AbyssPolicy.NONE)
    Gimp.Selection.none(image)
    width = image.get_width()
    return {(i % width, i // width) for i, v in enumerate(bytes(data)) if v >= 128}


def outlined():
    image, layer = scene()
    result = must(call(WATERSHED, image, [layer], **NOTHING, **OBJECTS, label_image=True,
                       min_area=8.0, outline_paths=True, outline_file=file_of('o.geojson')))
    labels = label_rows(result)
    n = result['basins']
    paths = result['outline-paths']
    tap.ok(n > 5 and [p.get_name() for p in paths] == [str(i + 1) for i in range(n)],
           'a path for each object, by its number', [p.get_name() for p in paths])
    tap.same([p.get_id() for p in image.get_paths()], [p.get_id() for p in paths],
             'they are the paths of the image, in this order')
    places = {i: {(x + LEFT, y + TOP) for y, row in enumerate(labels) for x, v in enumerate(row)
                  if v == i} for i in range(1, n + 1)}
    wrong = [p.get_name() for p in paths
             if selected_by(image, p) != places[int(p.get_name())]]
    tap.ok(not wrong, 'a selection made from a path is the object', wrong)
    tap.ok(paths[0].get_parasite('wavefront-steps') or paths[0].get_parasite_list(),
           'a path keeps how it was made')

    def compare(found, name):
        wrong = [i for i in range(1, n + 1)
                 if inside_of(found[0, i]) != [[v == i for v in row] for row in labels]]
        tap.ok(not wrong and len(found) == n, f'the insides of {name} are the objects', wrong)

    compare(read_geojson(open(f'{WORK}/o.geojson', encoding='utf-8').read()), 'GeoJSON')
    for name in ('o.zip', 'O.JSON'):
        must(call(WATERSHED, image, [layer], **NOTHING, **OBJECTS, min_area=8.0,
                  outline_file=file_of(name)))
    with open(f'{WORK}/o.zip', 'rb') as file:
        compare(read_rois(file.read(), False), 'regions of ImageJ')
    compare(read_geojson(open(f'{WORK}/O.JSON', encoding='utf-8').read()), 'GeoJSON in .JSON')
    image.delete()


def outlines_refused():
    image, layer = scene()
    wrong = call(WATERSHED, image, [layer], outline_file=file_of('o.txt'), **OBJECTS)
    tap.ok(wrong.status != 'success' and '.geojson' in wrong.message and 'o.txt' in wrong.message
           and not os.path.exists(f'{WORK}/o.txt') and layer_names(image) == ['layer'],
           'another suffix is refused', wrong)
    wrong = call(WATERSHED, image, [layer], outline_file=file_of('with.zip'),
                 table_file=file_of('no/such.csv'), **OBJECTS)
    tap.ok(not wrong and 'such.csv' in wrong.message
           and not [name for name in os.listdir(WORK) if name.endswith('with.zip')],
           'without the table no outlines are written', wrong)
    wrong = call(WATERSHED, image, [layer], outline_file=file_of('no/such.zip'),
                 table_file=file_of('with.csv'), **OBJECTS)
    tap.ok(not wrong and '/such.zip' in wrong.message
           and not os.path.exists(f'{WORK}/with.csv'), 'nor a table without them', wrong)
    must(call(WATERSHED, image, [layer], **NOTHING, outline_file=file_of('both.zip'),
              table_file=file_of('both.csv'), **OBJECTS))
    tap.same(sorted(name for name in os.listdir(WORK) if 'both' in name), ['both.csv', 'both.zip'],
             'both are written')
    before = [bytes_of(name) for name in ('both.csv', 'both.zip')]
    os.mkdir(f'{WORK}/folder.csv')
    for table in ('no/such.csv', 'folder.csv'):
        wrong = call(WATERSHED, image, [layer], outline_file=file_of('both.zip'),
                     table_file=file_of(table), input='objects', automatic_threshold=False,
                     threshold=0.9)
        tap.ok(not wrong and [bytes_of(name) for name in ('both.csv', 'both.zip')] == before,
               f'outlines that exist stay without the table {table}', wrong)
    os.chmod(f'{WORK}/both.csv', 0o640)
    must(call(WATERSHED, image, [layer], **NOTHING, outline_file=file_of('both.zip'),
              table_file=file_of('both.csv'), input='objects', automatic_threshold=False,
              threshold=0.9))
    tap.ok([bytes_of(name) for name in ('both.csv', 'both.zip')] != before
           and os.stat(f'{WORK}/both.csv').st_mode & 0o777 == 0o640
           and len([name for name in os.listdir(WORK) if 'both' in name]) == 2,
           'both are replaced, and keep their permissions', os.stat(f'{WORK}/both.csv').st_mode,
           [bytes_of(name) == old for name, old in zip(('both.csv', 'both.zip'), before)])
    wrong = call(WATERSHED, image, [layer], outline_file=file_of('one.json'),
                 table_file=file_of('one.json'), **OBJECTS)
    tap.ok(wrong.status != 'success' and 'one file' in wrong.message
           and not os.path.exists(f'{WORK}/one.json') and layer_names(image) == ['layer'],
           'one file for outlines and table is refused', wrong)
    second = new_layer(image, ROWS, name='second', x=LEFT, y=TOP)
    wrong = call(WATERSHED, image, [layer, second], outline_file=file_of('several.zip'))
    tap.ok(wrong.status != 'success' and 'several layers' in wrong.message, 'one file for several '
           'layers is refused', wrong)
    wrong = call(WATERSHED, image, [layer, second], stack=True, outline_paths=True)
    tap.ok(wrong.status != 'success' and 'surfaces' in wrong.message, 'paths of a stack are refused',
           wrong)
    image.delete()

    rows = [[255 * ((x & 1) & (y & 1)) for x in range(91)] for y in range(91)]
    image, layer = gray_image(rows)
    wrong = call(WATERSHED, image, [layer], **NOTHING, **OBJECTS, outline_paths=True)
    tap.ok(wrong.status != 'success' and '2025' in wrong.message and '2000' in wrong.message
           and not image.get_paths(), 'too many paths are refused in one sentence', wrong)
    image.delete()


def stack_outlines():
    image = new_image(WIDTH, HEIGHT)
    layers = [new_layer(image, rows, name=name) for rows, name in ((ROWS, 'a'), (ROWS[::-1], 'b'))]
    result = must(call(WATERSHED, image, layers, **NOTHING, **OBJECTS, stack=True, label_image=True,
                       outline_file=file_of('stack.zip')))
    made = result['label-image']
    slices = [[[int(v) for v in row] for row in levels(l)] for l in reversed(made.get_layers())]
    with open(f'{WORK}/stack.zip', 'rb') as file:
        found = read_rois(file.read(), True)
    wanted = {(z, v) for z, rows in enumerate(slices) for row in rows for v in row if v}
    wrong = [key for key in sorted(wanted)[::7]
             if any(fill(found[key], x, y) != (slices[key[0]][y][x] == key[1])
                    for y in range(HEIGHT) for x in range(WIDTH))]
    tap.ok(set(found) == wanted and not wrong, 'outlines in each slice of a stack', wrong)
    made.delete()
    image.delete()


def means_of(path):
    with open(path, encoding='utf-8') as file:
        return {int(line['index']): float(line['mean'])
                for line in csv.DictReader(file)}


def mean_rows(labels, rows, dx, dy):
    sums = {}
    for y, row in enumerate(labels):
        for x, v in enumerate(row):
            if v:
                sums.setdefault(v, []).append(rows[y + dy][x + dx])
    return {v: sum(all_of) / len(all_of) for v, all_of in sums.items()}


def measured():
    """Another layer, larger and elsewhere, of which a part lies outside the image; and a channel."""
    image, layer = scene()
    other = [[(x * 5 + y * 3) % 251 for x in range(WIDTH + 20)] for y in range(HEIGHT + 30)]
    below = new_layer(image, other, name='other', x=LEFT - 11, y=TOP - 17)
    result = must(call(WATERSHED, image, [layer], **NOTHING, **OBJECTS, label_image=True,
                       measure_on=below, table_file=file_of('t.csv')))
    labels = label_rows(result)
    wanted = mean_rows(labels, other, 11, 17)
    got = means_of(f'{WORK}/t.csv')
    tap.ok(got.keys() == wanted.keys() and all(abs(got[v] - wanted[v]) < 1e-3 for v in got),
           'means of a layer elsewhere', got, wanted)

    limit = sorted(wanted.values())[len(wanted) // 2] + 1e-4
    limited = must(call(WATERSHED, image, [layer], **NOTHING, **OBJECTS, label_image=True,
                        measure_on=below, max_mean=limit / 255))
    kept = [v for v in sorted(wanted) if wanted[v] <= limit]
    new = {v: i + 1 for i, v in enumerate(kept)}
    tap.same(label_rows(limited), [[new.get(v, 0) for v in row] for row in labels],
             'limits are those of its means')

    deep = new_image(WIDTH, HEIGHT, RGB)
    colors_layer = new_layer(deep, ROWS)
    channel = Gimp.Channel.new(deep, 'mask', WIDTH, HEIGHT, 50, Gegl.Color.new('red'))
    deep.insert_channel(channel, None, 0)
    channel.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), "Y' u8",
                             bytes(v for row in other[:HEIGHT] for v in row[:WIDTH]))
    result = must(call(WATERSHED, deep, [colors_layer], **NOTHING, **OBJECTS, label_image=True,
                       measure_on=channel, table_file=file_of('c.csv')))
    wanted = mean_rows(label_rows(result), other, 0, 0)
    got = means_of(f'{WORK}/c.csv')
    tap.ok(got.keys() == wanted.keys() and all(abs(got[v] - wanted[v]) < 1e-3 for v in got),
           'means of a channel', got, wanted)
    deep.delete()
    image.delete()


def component_measured():
    """Another component of the layer itself."""
    image = new_image(WIDTH, HEIGHT, RGB)
    layer = new_layer(image, ROWS)
    pixels = bytearray()
    for y, row in enumerate(ROWS):
        for x, v in enumerate(row):
            pixels += bytes((v, (7 * x + y) % 256, 30))
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), "R'G'B' u8", bytes(pixels))
    result = must(call(WATERSHED, image, [layer], **NOTHING, **OBJECTS, source='red',
                       label_image=True, measure_on=layer, measure_source='green',
                       table_file=file_of('g.csv')))
    wanted = mean_rows(label_rows(result), [[(7 * x + y) % 256 for x in range(WIDTH)]
                                            for y in range(HEIGHT)], 0, 0)
    got = means_of(f'{WORK}/g.csv')
    tap.ok(got.keys() == wanted.keys() and all(abs(got[v] - wanted[v]) < 1e-3 for v in got),
           'means of another component', got, wanted)
    image.delete()


def stack_measured():
    image = new_image(WIDTH, HEIGHT)
    layers = [new_layer(image, rows, name=name) for rows, name in ((ROWS, 'a'), (ROWS[::-1], 'b'))]
    group = Gimp.GroupLayer.new(image, 'group')
    image.insert_layer(group, None, 0)
    others = [[[(x + 9 * y + 50 * z) % 256 for x in range(WIDTH)] for y in range(HEIGHT)]
              for z in range(2)]
    for rows in others:
        slice_of = Gimp.Layer.new(image, 'slice', WIDTH, HEIGHT, Gimp.ImageType.GRAY_IMAGE, 100,
                                  Gimp.LayerMode.NORMAL)
        image.insert_layer(slice_of, group, 0)
        write_gray(slice_of, image, rows)
    result = must(call(WATERSHED, image, layers, **NOTHING, **OBJECTS, stack=True, label_image=True,
                       measure_on=group, table_file=file_of('s.csv')))
    made = result['label-image']
    slices = [[[int(v) for v in row] for row in levels(l)] for l in reversed(made.get_layers())]
    made.delete()
    sums = {}
    for z, rows in enumerate(slices):
        for y, row in enumerate(rows):
            for x, v in enumerate(row):
                if v:
                    sums.setdefault(v, []).append(others[z][y][x])
    got = means_of(f'{WORK}/s.csv')
    tap.ok(got.keys() == sums.keys() and
           all(abs(got[v] - sum(sums[v]) / len(sums[v])) < 1e-3 for v in got),
           'means of the layers of a group', got)
    wrong = call(WATERSHED, image, layers, **NOTHING, **OBJECTS, stack=True, measure_on=layers[0],
                 table_file=file_of('s.csv'))
    tap.ok(wrong.status != 'success' and 'group' in wrong.message, 'one layer for a stack is '
           'refused', wrong)
    image.delete()


def columns_chosen():
    """Chosen columns are those of a table of all; a stack has those that are defined for it."""
    image, layer = scene()
    image.set_resolution(12700, 12700)
    image.set_unit(Gimp.Unit.mm())
    tables = {}
    for chosen in ('', None, 'all', 'mean,area,bounding-box'):
        must(call(WATERSHED, image, [layer], **NOTHING, **OBJECTS, min_area=8.0,
                  table_measures=chosen, table_file=file_of('m.csv')))
        tables[chosen] = list(csv.DictReader(bytes_of('m.csv').decode().splitlines()))
    plain, unset, every, some = tables.values()
    tap.same(unset, plain, 'columns that are not set are those without a choice')
    wanted = ['label', 'area', 'pixels', 'left', 'top', 'width', 'height', 'mean', 'unit']
    tap.ok(list(some[0]) == wanted and len(every[0]) > 30, 'the columns', some[0], every[0])
    tap.same(some, [{name: row[name] for name in wanted} for row in every], 'their values')
    tap.ok(len(plain) == len(every) and all(
        {**{name: float(row[name]) for name in wanted[1:-1]}, 'unit': row['unit']} == {
            **{name: float(other[name]) for name in wanted[1:-2]}, 'unit': 'µm',
            'mean': float(f"{float(other['mean']):.9g}")} and row['index'] == other['label'] and
        float(row['area']) == 4 * float(row['pixels']) and
        all(abs(float(row[name]) / float(other[name]) - 1) < 1e-8
            for name in ('centroid_x', 'centroid_y')) for row, other in zip(plain, every)),
           'without a choice the unit is the same', plain[:2], every[:2])
    layers = [layer, new_layer(image, ROWS, x=LEFT, y=TOP)]
    must(call(WATERSHED, image, layers, **NOTHING, **OBJECTS, stack=True,
              table_measures='area,circularity', table_file=file_of('m.csv')))
    tap.same(bytes_of('m.csv').partition(b'\n')[0], b'label,area,pixels,unit', 'of a stack')
    os.remove(f'{WORK}/m.csv')
    for chosen, stack, word in (('area,volume', False, '“volume”'), ('circularity', True, 'circularity')):
        wrong = call(WATERSHED, image, layers[:1 + stack], **OBJECTS, stack=stack,
                     table_measures=chosen, table_file=file_of('m.csv'))
        tap.ok(wrong.status != 'success' and word in wrong.message and len(layer_names(image)) == 2
               and not os.path.exists(f'{WORK}/m.csv'), f'{chosen} is refused', wrong)
    image.delete()


def measuring_refused():
    image, layer = scene()
    small = new_layer(image, [row[:20] for row in ROWS], name='small', x=LEFT, y=TOP)
    wrong = call(WATERSHED, image, [layer], **OBJECTS, measure_on=small, min_mean=0.2)
    tap.ok(wrong.status != 'success' and '“small”' in wrong.message
           and layer_names(image) == ['small', 'layer'], 'what does not cover is refused', wrong)
    elsewhere, stranger = gray_image(ROWS)
    wrong = call(WATERSHED, image, [layer], **OBJECTS, measure_on=stranger,
                 table_file=file_of('no.csv'))
    tap.ok(wrong.status != 'success' and not os.path.exists(f'{WORK}/no.csv'),
           'a layer of another image is refused', wrong)
    elsewhere.delete()
    image.delete()


def numbered():
    """Each number lies inside its object, also in a bent one, and is white with a dark edge."""
    def shape(x, y):
        bent = 4 <= x < 60 and 4 <= y < 60 and not (24 <= x and 24 <= y < 40)
        disc = (x - 90) ** 2 + (y - 30) ** 2 < 22 ** 2
        return 255 * (bent or disc)
    image, layer = gray_image([[shape(x, y) for x in range(120)] for y in range(64)], RGB)
    result = must(call(WATERSHED, image, [layer], **NOTHING, **OBJECTS, split_tolerance=50.0,
                       label_image=True, numbers_layer=True))
    labels = label_rows(result)
    made = result['numbers-layer']
    tap.ok(result['basins'] == 2 and made.get_name() == 'Numbers of layer',
           'a layer with two numbers', result['basins'], made.get_name())
    found = {}
    for y, row in enumerate(colors(made)):
        for x, pixel in enumerate(row):
            if pixel[3] > 0:
                found.setdefault(labels[y][x], []).append(pixel)
    tap.same(sorted(found), [1, 2], 'numbers lie inside their objects')
    for number, pixels in sorted(found.items()):
        opaque = [p for p in pixels if p[3] > 0.99 * max(q[3] for q in pixels)]
        light = [p for p in opaque if p[0] > 0.9 * max(q[0] for q in opaque)]
        tap.ok(len(light) > 10 and any(p[0] == 0 for p in opaque),
               f'number {number} is light with a dark edge', len(light), len(opaque))
    image.delete()


for group in (outlined, outlines_refused, stack_outlines, numbered, measured, component_measured,
              stack_measured, columns_chosen, measuring_refused):
    tap.group(group)
tap.done()
