# SPDX-License-Identifier: GPL-3.0-or-later

"""The preview in the dialogs: it follows the settings, the merge slider shows what OK makes, and
closing the dialog ends the computation.

Pictures are saved in the folder $SHOTS.
"""

import os
import threading
import time

from gimptest import *
from person import Person, has_drawn, output, wait_for
from pictures import Picture
from scenes import cells, large_image

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
INTERACTIVE, AGAIN = Gimp.RunMode.INTERACTIVE, Gimp.RunMode.WITH_LAST_VALS
LINES = {'smoothing': 2.0, 'basins_layer': True, 'lines_layer': False}
ROWS = cells(400, 300)


class Glance(Person):
    """Waits for the dialog, but not for its computations."""

    def run(self):
        self.window = self.find()
        wait_for(lambda: self.window and has_drawn(self.window))


def ask(name, image, layer, actions, **arguments):
    forget()
    person = Person(TITLES[name], actions, f'{SHOTS}/preview-%s{LOOK}.png')
    result = call(name, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result


def previewed(name):
    """The pixels of the preview in a picture of the dialog, without the controls below it."""
    return Picture(f'{SHOTS}/preview-{name}{LOOK}.png').upper_right(380, 280, 30, 20)


def differs(one, other, name):
    first, second = previewed(one), previewed(other)
    tap.ok(len(first) == len(second) == 380 * 280 * 3 and first != second, name,
           len(first), len(second))


def follows_settings():
    image, layer = gray_image(ROWS, RGB)
    result = ask(DISTANCE, image, layer,
                 ['look:threshold', 'look:threshold', 'alt+t', 'ctrl+a', '0', 'period', '3', 'Tab',
                  'look:lower', 'alt+o'])
    tap.ok(result and abs(result['threshold-used'] - 0.3) < 0.003,
           'distance map: the typed threshold is used', result)
    differs('threshold', 'lower', 'distance map: the preview follows the threshold')
    image.delete()

    image, layer = gray_image(ROWS, RGB)
    result = ask(FILTER % 'h-maxima', image, layer,
                 ['look:maxima', 'look:maxima', 'alt+e', 'ctrl+a', '0', 'period', '4', 'Tab',
                  'look:lower-maxima', 'alt+o'])
    tap.ok(result and levels(result['layer'])
           == levels(must(call(FILTER % 'h-maxima', image, [layer], height=0.4))['layer']),
           'h-maxima: OK uses the height', result)
    differs('maxima', 'lower-maxima', 'h-maxima: the preview follows the height')
    image.delete()

    image, layer = gray_image(ROWS)
    result = ask(RECONSTRUCT, image, layer,
                 ['look:height', 'look:height', 'alt+h', 'ctrl+a', '0', 'period', '4', 'Tab',
                  'look:higher', 'alt+o'])
    tap.ok(result, 'reconstruction: OK works', result)
    differs('height', 'higher', 'reconstruction: the preview follows the height')
    image.delete()


def slider_is_what_ok_makes():
    """Each step of the slider merges basins; its final value is stored, and a script with it makes
    the same."""
    image, layer = gray_image(ROWS, RGB)
    all_of_them = must(call(WATERSHED, image, [layer], **LINES))['basins']
    counts = [all_of_them]
    for steps in (1, 4):
        result = ask(WATERSHED, image, layer,
                     ['alt+b', f'look:merge-{steps}', f'look:merge-{steps}', 'alt+y']
                     + ['Right'] * steps + [f'look:merged-{steps}', 'alt+o'], **LINES)
        counts.append(must(result)['basins'])
        differs(f'merge-{steps}', f'merged-{steps}', f'the preview merges basins, {steps} steps')
        again = must(call(WATERSHED, image, [layer], AGAIN))
        tap.ok(again['basins'] == counts[-1]
               and raw_bytes(again['basins-layer']) == raw_bytes(result['basins-layer']),
               f'the last values make the same basins, {steps} steps', again, counts)
    tap.ok(counts[0] > counts[1] > counts[2] > 1, 'each step merges basins', counts)
    result = ask(WATERSHED, image, layer, ['alt+b', 'look:all', 'look:all', 'alt+y', 'End',
                                           'alt+o'], **LINES)
    tap.same(must(result)['basins'], 1, 'at its end there is one basin')
    image.delete()


def objects_are_merged():
    """When objects are divided, depths are in pixels, and the slider shows this unit."""
    image, layer = gray_image(ROWS)
    arguments = {'input': 'objects', 'split_tolerance': 0.0, 'lines_layer': False}
    before = must(call(WATERSHED, image, [layer], **arguments))['basins']
    result = ask(WATERSHED, image, layer,
                 ['alt+b', 'look:objects', 'look:objects', 'alt+y', 'Right', 'Right', 'Right',
                  'look:objects-merged', 'alt+o'], **arguments)
    tap.ok(1 < must(result)['basins'] < before, 'parts of objects are merged', result, before)
    differs('objects', 'objects-merged', 'and the preview shows it')
    image.delete()


def closes_at_once():
    """A dialog with a large image closes while it computes."""
    image, layer = large_image(2400, ROWS)
    before = layer_names(image)
    for name, arguments in ((WATERSHED, {'smoothing': 9.0}), (FILTER % 'h-maxima', {'height': 0.3})):
        forget()
        person = Glance(TITLES[name], [])
        start = []

        def leave():
            person.join()
            start.append(time.time())
            output('xdotool', 'windowfocus', '--sync', person.window or '0', 'key', 'Escape')

        closer = threading.Thread(target=leave)
        closer.start()
        result = call(name, image, [layer], INTERACTIVE, **arguments)
        closer.join()
        took = time.time() - start[0]
        tap.ok(result.status == 'cancel' and took < 2, f'{TITLES[name]}: Escape closes at once',
               result, took)
    tap.ok(layer_names(image) == before and not image.is_dirty(),
           'and leaves the image unchanged')
    result = ask(WATERSHED, image, layer, ['look:large', 'look:large', 'alt+o'], **LINES)
    tap.ok(result, 'a large image is previewed at a scale, and OK works', result)
    image.delete()


def with_a_selection_and_markers():
    image, layer = gray_image(ROWS, RGB, alpha=True)
    seeds = new_layer(image, [[0] * 400 for _ in range(300)], True, 'seeds')
    rows = [[255 if (x - 100) ** 2 + (y - 100) ** 2 < 900 else 0 for x in range(400)]
            for y in range(300)]
    write_gray(seeds, image, rows, 1.0)
    result = ask(RECONSTRUCT, image, layer, ['look:marker', 'look:marker', 'alt+o'], marker=seeds)
    tap.ok(result, 'a marker layer is previewed', result)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 60, 40, 200, 150)
    result = ask(WATERSHED, image, layer, ['look:selection', 'look:selection', 'alt+o'],
                 smoothing=2.0)
    tap.ok(result and result['basins-layer'].get_width() == 200,
           'the selected region is previewed', result)
    image.delete()


def shows(name, layer):
    """Whether the picture of a dialog shows these levels in its middle, enlarged by 2."""
    width, height = layer.get_width(), layer.get_height()
    pixels = raw_bytes(layer)
    size = len(pixels) // (width * height)
    # the pixels are gray, so the red component suffices
    shot = Picture(f'{SHOTS}/preview-{name}{LOOK}.png').upper_right(480, 360, 16, 14)[::3]
    left, top = 240 - width, 180 - height
    wrong = [(x, y) for y in range(height) for x in range(width)
             if shot[(top + 2 * y + 1) * 480 + left + 2 * x + 1]
             != pixels[size * (y * width + x)]]
    tap.ok(not wrong and len(set(pixels[::size])) > 10,
           f'the preview equals the result of OK, to the bit: {name}', len(wrong), wrong[:5])


def markers_to_the_bit():
    """Markers from the selection, also beyond the image's border, and from another layer."""
    width, height = 240, 180
    rows = [[60 + (x // 20 * 13 + y // 20 * 29) % 150 if x % 20 < 12 and y % 20 < 12 else 20
             for x in range(width)] for y in range(height)]
    for name, size, place, ellipse in (('beyond', (300, 250), (-40, -30), (-20, 20, 110, 80)),
                                       ('aside', (200, 150), (40, 30), (120, 70, 110, 80))):
        image = new_image(*size)
        layer = new_layer(image, rows, x=place[0], y=place[1])
        image.select_ellipse(Gimp.ChannelOps.REPLACE, *ellipse)
        Gimp.Selection.feather(image, 20)
        result = ask(RECONSTRUCT, image, layer, [f'look:{name}', f'look:{name}', 'alt+o'],
                     from_selection=True)
        shows(name, must(result)['layer'])
        image.delete()
    image = new_image(300, 250)
    layer = new_layer(image, rows)
    marker = new_layer(image, [[(x * 7 + y * 5) % 256 for x in range(270)] for y in range(220)],
                       name='marker', x=-20, y=-30)
    result = ask(RECONSTRUCT, image, layer, ['look:other', 'look:other', 'alt+o'], marker=marker)
    shows('other', must(result)['layer'])
    image.delete()


def leafs_through_a_stack():
    """Each slice has a different preview; showing slices does not change the result of OK."""
    image = new_image(200, 150)
    layers = [new_layer(image, [[level * (z + 2) // 6 for level in row[x:x + 200]]
                                for row in ROWS[y:y + 150]], name=f'slice {z}')
              for z, (x, y) in enumerate([(0, 0), (40, 30), (80, 60), (120, 90), (160, 120)])]
    result = ask(FILTER % 'h-maxima', image, layers[0],
                 ['look:slice-3', 'look:slice-3', 'alt+k', 'Up', 'look:slice-4', 'Down', 'Down',
                  'look:slice-2', 'Up', 'look:slice-3-again', 'alt+o'], stack=True, height=0.2)
    for one, other in (('slice-3', 'slice-4'), ('slice-4', 'slice-2'), ('slice-2', 'slice-3')):
        differs(one, other, f'{one} is not {other}')
    tap.ok(previewed('slice-3') == previewed('slice-3-again'), 'a slice is the same again')
    again = must(call(FILTER % 'h-maxima', image, [layers[0]], stack=True, height=0.2))
    pictures = [[levels(layer) for layer in one['layer'].get_children()]
                for one in (must(result), again)]
    tap.ok(len(pictures[0]) == 5 and pictures[0] == pictures[1],
           'h-maxima of a stack: OK makes what a script makes', result)
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
groups = [follows_settings, slider_is_what_ok_makes, closes_at_once, leafs_through_a_stack]
if TIER == 'all':
    groups += [objects_are_merged, with_a_selection_and_markers, markers_to_the_bit]
for group in groups:
    tap.group(group)
tap.done()
