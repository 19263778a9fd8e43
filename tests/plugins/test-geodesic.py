# SPDX-License-Identifier: GPL-3.0-or-later

"""Geodesic distances: by their definition, as the command has them, from every kind of marker, in
every kind of result, and what is refused.
"""

import array
import math
import os
import random

from gimptest import *
from person import Person
import reference
import wavefront_command

GEODESIC = FILTER % 'geodesic-distance'
SHOTS = os.environ['SHOTS']


def single(value):
    return array.array('f', [value])[0]


def numbers(result):
    image = result['distance-image']
    rows = levels(image.get_layers()[0])
    image.delete()
    return rows


def dots(width, height, places):
    return [[255 if (x, y) in places else 0 for x in range(width)] for y in range(height)]


def maze(width=21, height=15):
    """Light ways between dark walls with gaps."""
    return [[40 if x % 4 == 2 and y != (1 if x % 8 == 2 else height - 2) else 200
             for x in range(width)] for y in range(height)]


def as_singles(rows):
    return [[single(v) for v in row] for row in rows]


# ---------------------------------------------------------------- distances

def random_ones():
    source = random.Random(f'{SEED} geodesic')
    for number in range(cases(15, 40, 120)):
        width, height = source.randrange(1, 13), source.randrange(1, 10)
        precision = (P.U8_NON_LINEAR, P.U16_LINEAR, P.FLOAT_LINEAR)[number % 3]
        top = MAXIMUM[ENCODINGS[precision][1]]
        rows = random_rows(width, height, top, source.random(), steps=5)
        marks = dots(width, height, {(source.randrange(width), source.randrange(height))
                                     for _ in range(source.randrange(1, 4))})
        through, metric = source.choice(('light', 'dark', 'all')), \
            source.choice(list(reference.STEPS))
        level = math.floor(0.3 * top + 0.5) if isinstance(top, int) else single(0.3)
        inside = [[through == 'all' or (v > level) == (through == 'light') for v in row]
                  for row in rows]
        image, layer = gray_image(rows, precision=precision)
        marker = new_layer(image, [[v * top // 255 if isinstance(top, int) else v / 255 for v in row]
                                   for row in marks], name='marks')
        result = call(GEODESIC, image, [layer], marker=marker, threshold=0.3, through=through,
                      metric=metric, output='image')
        name = f'{width} × {height}, {metric}, {through}, {top}'
        if any(m and i for pair in zip(marks, inside) for m, i in zip(*pair)):
            tap.same(numbers(must(result)), as_singles(reference.geodesic(inside, marks, metric)),
                     f'distances: {name}')
        else:
            tap.ok(result.status == 'calling-error' and result.message.count('. ') == 0,
                   f'no way: {name}', result)
        image.delete()


def as_the_command():
    rows = maze(61, 47)
    marks = dots(61, 47, {(0, 0), (30, 20)})
    image, layer = gray_image(rows)
    marker = new_layer(image, marks, name='marks')
    for metric in cases(('quasi-euclidean', 'chamfer-5-7'), reference.STEPS):
        result = must(call(GEODESIC, image, [layer], marker=marker, threshold=0.4, metric=metric,
                           output='image'))
        tap.same(numbers(result),
                 wavefront_command.run('geodesic-distance', [rows], 'u8', 'f', '--threshold', '102',
                                       '--metric', metric, marker=[marks])[0],
                 f'a maze, {metric}')
    image.delete()


def results():
    """Levels are black where no way leads to; the largest distance is white."""
    rows = [[200, 200, 200, 200, 40, 200]]
    image, layer = gray_image(rows)
    marker = new_layer(image, dots(6, 1, {(0, 0)}), name='marks')

    def made(**arguments):
        return must(call(GEODESIC, image, [layer], marker=marker, **arguments))

    result = made()
    tap.same((levels(result['layer']), result['maximum']), ([[0, 85, 170, 255, 0, 0]], 3.0),
             'normalized')
    tap.same(result['layer'].get_name(), 'Geodesic distances in layer', 'its name')
    tap.same(levels(made(output='raw')['layer']), [[0, 1, 2, 3, 0, 0]], 'raw')
    tap.same(levels(made(output='clipped', maximum=2.0)['layer']), [[0, 128, 255, 255, 0, 0]],
             'clipped')
    lines = made(output='contours', step=2.0)['layer']
    tap.same([[pixel[1] > 0 for pixel in row] for row in read(lines, "Y'A", 'u8', 'B', 2)],
             [[False, False, True, False, False, False]], 'contour lines')
    tap.same(numbers(made(output='image')), [[0, 1, 2, 3, math.inf, math.inf]], 'numbers')
    image.set_resolution(254, 254)
    image.set_unit(Gimp.Unit.mm())
    tap.ok(abs(made(output='image', unit='image')['maximum'] - 0.3) < 1e-6,
           'in millimetres by the resolution')
    image.set_resolution(254, 300)
    refused = call(GEODESIC, image, [layer], marker=marker, unit='image')
    tap.ok(refused.status == 'calling-error' and 'resolution' in refused.message,
           'not if pixels are not square', refused)
    for other in Gimp.get_images():
        other.delete()


# ---------------------------------------------------------------- markers and selections

def markers():
    """A layer marks where it is opaque, a channel where it is not black, the selection where it is."""
    rows = maze()
    image, layer = gray_image(rows, RGB)
    inside = [[v > 128 for v in row] for row in rows]
    marks = dots(21, 15, {(4, 3), (5, 3)})
    expected = as_singles(reference.geodesic(inside, marks))

    painted = Gimp.Layer.new(image, 'painted', 21, 15, Gimp.ImageType.RGBA_IMAGE, 100,
                             Gimp.LayerMode.NORMAL)
    image.insert_layer(painted, None, 0)
    painted.get_buffer().set(Gegl.Rectangle.new(4, 3, 2, 1), "R'G'B'A u8",
                             bytes((0, 0, 0, 255, 0, 0, 0, 128)))
    painted.get_buffer().set(Gegl.Rectangle.new(7, 3, 1, 1), "R'G'B'A u8", bytes((255, 255, 255, 90)))
    painted.update(0, 0, 21, 15)
    found = must(call(GEODESIC, image, [layer], marker=painted, output='image'))
    tap.same(numbers(found), expected, 'a layer marks where it is at least half opaque, also in black')

    image.select_rectangle(Gimp.ChannelOps.REPLACE, 4, 3, 2, 1)
    found = must(call(GEODESIC, image, [layer], from_selection=True, output='image'))
    tap.same(numbers(found), expected, 'the selection')
    channel = Gimp.Selection.save(image)
    Gimp.Selection.none(image)
    found = must(call(GEODESIC, image, [layer], marker=channel, output='image'))
    tap.same(numbers(found), expected, 'a channel')
    for other in Gimp.get_images():
        other.delete()


def within_a_selection():
    """Ways do not leave the selection."""
    rows = [[200] * 20 for _ in range(14)]
    image, layer = gray_image(rows)
    marker = new_layer(image, dots(20, 14, {(3, 7)}), name='marks')
    Gimp.context_set_antialias(False)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 0, 0, 20, 14)
    image.select_rectangle(Gimp.ChannelOps.SUBTRACT, 9, 0, 2, 11)
    selected = [[v >= 128 for v in row] for row in read(image.get_selection(), 'Y', 'u8', 'B', 1)]
    result = must(call(GEODESIC, image, [layer], marker=marker, through='all', output='image'))
    wanted = [[v if there else 0 for v, there in zip(*pair)] for pair in
              zip(reference.geodesic(selected, dots(20, 14, {(3, 7)})), selected)]
    tap.same(numbers(result), as_singles(wanted), 'around the corner within a selection')
    for other in Gimp.get_images():
        other.delete()


def stack():
    slices = [random_rows(7, 6, 255, f'slice {z}', steps=3) for z in range(3)]
    marks = [dots(7, 6, {(3, 3)})] * 3
    image, layer = gray_image(slices[0])
    for rows in slices[1:]:
        new_layer(image, rows)
    ways = image.get_layers()
    channel = Gimp.Channel.new(image, 'marks', 7, 6, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    channel.get_buffer().set(Gegl.Rectangle.new(0, 0, 7, 6), 'Y u8',
                             bytes(v for row in marks[0] for v in row))
    for metric in ('quasi-euclidean', 'city-block'):
        result = must(call(GEODESIC, image, ways, marker=channel, through='all', stack=True,
                           metric=metric, output='raw'))
        made = [levels(child) for child in result['layer'].get_children()][::-1]
        wanted = wavefront_command.run('geodesic-distance', [[[1] * 7] * 6] * 3, 'u8', 'f',
                                       '--metric', metric, marker=marks)
        tap.same(made, [[[math.floor(v + 0.5) for v in row] for row in rows] for rows in wanted],
                 f'a stack, {metric}')
        image.remove_layer(result['layer'])
    image.delete()


def in_a_dialog():
    """What the preview showed, remembered with the marker's name, and one step of undo."""
    os.makedirs(SHOTS, exist_ok=True)
    rows = maze(161, 121)
    image, layer = gray_image(rows, RGB)
    marker = new_layer(image, dots(161, 121, {(0, 0), (0, 1)}), name='entrance')
    forget()
    wanted = must(call(GEODESIC, image, [layer], marker=marker))['layer']
    person = Person(TITLES[GEODESIC], ['look:geodesic', 'look:geodesic', 'alt+e',
                                       'look:geodesic-distance', 'Return'], f'{SHOTS}/%s.png')
    result = call(GEODESIC, image, [layer], Gimp.RunMode.INTERACTIVE, marker=marker)
    person.join()
    tap.same(levels(must(result)['layer']), levels(wanted), 'a dialog does what a script does')
    again = must(call(GEODESIC, image, [layer], Gimp.RunMode.WITH_LAST_VALS))
    tap.same(levels(again['layer']), levels(wanted), 'and so does a repetition')
    image.delete()


def refusals():
    image, layer = gray_image(maze())
    empty = new_layer(image, dots(21, 15, ()), name='nothing')
    wall = new_layer(image, dots(21, 15, {(2, 7)}), name='wall')
    image.clean_all()
    names = layer_names(image)
    for arguments, words in (({}, 'Choose what distances'), ({'marker': empty}, 'no pixel in the'),
                             ({'marker': wall}, 'No pixel of the marker'),
                             ({'marker': wall, 'threshold': 1.0}, 'lighter than the threshold'),
                             ({'from_selection': True}, 'empty'),
                             ({'marker': wall, 'through': 'walls'}, 'walls'),
                             ({'marker': wall, 'metric': 'euclidean'}, 'euclidean'),
                             ({'marker': wall, 'output': 'contours', 'step': 0.0}, 'step'),
                             ({'marker': wall, 'output': 'nearest'}, 'nearest')):
        result = call(GEODESIC, image, [layer], **arguments)
        tap.ok(result.status == 'calling-error' and words in result.message
               and result.message.count('. ') == 0, f'refused: {words}', result)
    result = call(GEODESIC, image, [layer], marker=wall, through='dark', memory_limit=1)
    tap.ok(not result and 'Geodesic Distance' in result.message and 'memory' in result.message,
           'a limit of 1 MiB: refused', result)
    tap.ok(layer_names(image) == names and not image.is_dirty(), 'nothing was changed')
    image.delete()


groups = [random_ones, results, markers, within_a_selection, in_a_dialog, refusals]
if wavefront_command.is_there():
    groups += [as_the_command, stack]
else:
    tap.skip('geodesic distances and the command', 'the command was not built')
for group in groups:
    tap.group(group)
tap.done()
