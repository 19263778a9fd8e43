# SPDX-License-Identifier: GPL-3.0-or-later

"""The places of results, the unchanged parts of the image, the return values, and the run modes
without a display.
"""

import os
import signal
import threading
import time

from gimptest import *
from processes import processes, stat_of
import reference

ROWS = random_rows(9, 7, 255, 'runs', steps=5)
ALL = (RECONSTRUCT, DISTANCE, WATERSHED)


def names_in(item):
    return [child.get_name() for child in item.get_children()]


def above_the_layer():
    image = new_image(9, 7)
    for name in ('bottom', 'worked on', 'top'):
        new_layer(image, ROWS, name=name)
    worked_on = image.get_layers()[1]
    image.set_selected_layers([worked_on])
    must(call(WATERSHED, image, [worked_on]))
    tap.same(layer_names(image), ['Watershed lines of worked on', 'Basins of worked on', 'top',
                                  'worked on', 'bottom'],
             'results go above all layers beside the one worked on, lines above basins')
    must(call(DISTANCE, image, [worked_on]))
    tap.same(layer_names(image)[:2], ['Distance map of worked on', 'Watershed lines of worked on'],
             'later ones above those')
    tap.same(image.get_selected_layers(), [worked_on], 'the layer stays selected')
    image.delete()


def in_a_group():
    image = new_image(9, 7)
    group = Gimp.GroupLayer.new(image, 'group')
    image.insert_layer(group, None, 0)
    for name in ('inside', 'over it'):
        layer = Gimp.Layer.new(image, name, 9, 7, Gimp.ImageType.GRAY_IMAGE, 100,
                               Gimp.LayerMode.NORMAL)
        image.insert_layer(layer, group, 0)
        write_gray(layer, image, ROWS)
    new_layer(image, ROWS, name='beside')
    inside = group.get_children()[1]
    must(call(RECONSTRUCT, image, [inside]))
    tap.same((names_in(group), layer_names(image)),
             (['over it', 'inside'], ['Reconstruction of inside', 'beside', 'group']),
             'results do not stay in a group that another layer covers')
    for layer in image.get_layers()[:2]:
        layer.set_visible(False)
    must(call(RECONSTRUCT, image, [inside]))
    tap.same(names_in(group), ['Reconstruction of inside #1', 'over it', 'inside'],
             'otherwise they lie on top in the layer’s group')
    image.remove_layer(group.get_children()[0])

    result = must(call(DISTANCE, image, [group], output='raw'))
    tap.same(layer_names(image), ['Distance map of group', 'Reconstruction of inside', 'beside',
                                  'group'],
             'a group can be the input')
    tap.same([[int(v > 0) for v in row] for row in levels(result['layer'])],
             [[int(v > 128) for v in row] for row in levels(group)], 'its visible result')
    image.delete()


def on_a_channel():
    image, _ = gray_image([[0] * 9] * 7, RGB)
    channel = Gimp.Channel.new(image, 'channel', 9, 7, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    channel.get_buffer().set(Gegl.Rectangle.new(0, 0, 9, 7), "Y' u8",
                             bytes(v for row in ROWS for v in row))
    channel.update(0, 0, 9, 7)
    image.set_selected_channels([channel])
    expected = [[min(int(d + 0.5), 255) for d in row] for row in reference.distance(ROWS, 128)]
    result = must(call(DISTANCE, image, [channel], output='raw'))
    tap.same((layer_names(image), levels(result['layer'])),
             (['Distance map of channel', 'layer'], expected), 'a channel can be worked on')
    tap.same(image.get_selected_channels(), [channel], 'and stays selected')
    image.delete()


def on_a_mask():
    image = new_image(9, 7)
    below = new_layer(image, [[0] * 9] * 7, name='below')
    layer = new_layer(image, [[0] * 9] * 7, True, name='masked', x=2, y=1)
    new_layer(image, [[0]], name='over it')
    mask = layer.create_mask(Gimp.AddMaskType.WHITE)
    layer.add_mask(mask)
    mask.get_buffer().set(Gegl.Rectangle.new(0, 0, 9, 7), "Y u8",
                          bytes(v for row in ROWS for v in row))
    mask.update(0, 0, 9, 7)
    result = must(call(DISTANCE, image, [mask], output='raw'))
    expected = [[min(int(d + 0.5), 255) for d in row] for row in reference.distance(ROWS, 128)]
    tap.same((layer_names(image), levels(result['layer']),
              list(result['layer'].get_offsets()[1:])),
             (['Distance map of masked mask', 'over it', 'masked', 'below'], expected, [2, 1]),
             'a layer’s mask can be the input')

    image.delete()


def other_markers():
    """The levels of channels and masks are used unchanged, in any encoding of the image."""
    image, layer = gray_image(ROWS)
    other = new_layer(image, ROWS, name='other')
    channel = Gimp.Channel.new(image, 'seeds', 9, 7, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    mask = other.create_mask(Gimp.AddMaskType.WHITE)
    other.add_mask(mask)
    seeds = random_rows(9, 7, 255, 'seeds', steps=4)
    for marker, model, name in ((channel, "Y' u8", 'channel'), (mask, 'Y u8', 'mask')):
        marker.get_buffer().set(Gegl.Rectangle.new(0, 0, 9, 7), model,
                                bytes(v for row in seeds for v in row))
        result = must(call(RECONSTRUCT, image, [layer], marker=marker))
        tap.same(levels(result['layer']), reference.reconstruct(ROWS, seeds),
                 f'a {name} can be the marker')
    image.delete()


def floating_selection():
    image, layer = gray_image(ROWS)
    Gimp.Selection.all(image)
    floating = Gimp.Selection.float(image, [layer], 0, 0)
    before = len(image.get_layers())
    result = call(DISTANCE, image, [floating])
    tap.ok(result and len(image.get_layers()) == before + 1
           and image.get_floating_sel() is not None,
           'a floating selection can be the input and stays one', result, layer_names(image))
    image.delete()


def what_is_asked_for():
    image, layer = gray_image(ROWS)
    for lines, basins in ((True, False), (False, True), (True, True)):
        before = len(image.get_layers())
        result = must(call(WATERSHED, image, [layer], lines_layer=lines, basins_layer=basins))
        tap.same((result['lines-layer'] is not None, result['basins-layer'] is not None,
                  len(image.get_layers()) - before), (lines, basins, lines + basins),
                 f'layers asked for, lines {lines}, basins {basins}')
        tap.same(result['basins'], reference.watershed(ROWS)[1],
                 f'basins are counted, lines {lines}, basins {basins}')
    image.delete()


def devices():
    image, layer = gray_image(ROWS)
    for name in ALL:
        results = [must(call(name, image, [layer], device=device, threads=threads,
                             tile_size=tile))
                   for device, threads, tile in (('auto', 0, 0), ('cpu', 1, 0), ('cpu', 3, 64),
                                                 ('all', 0, 0))]
        tap.same([r['device'] for r in results][1:3], ['cpu', 'cpu'], f'the device, {name}')
        first = [v for v in results[0].values.values() if isinstance(v, Gimp.Layer)]
        for result in results[1:]:
            layers = [v for v in result.values.values() if isinstance(v, Gimp.Layer)]
            tap.ok([raw_bytes(l) for l in layers] == [raw_bytes(l) for l in first],
                   f'the same on every device, {name}')
    image.delete()


def untouched():
    for base, alpha in ((GRAY, True), (RGB, True), (RGB, False)):
        image, layer = gray_image(ROWS, base, alpha=alpha)
        other = new_layer(image, ROWS, name='other')
        image.clean_all()
        before = raw_bytes(layer), raw_bytes(other)
        for name in ALL:
            must(call(name, image, [layer]))
        tap.ok((raw_bytes(layer), raw_bytes(other)) == before,
               f'no layer is changed, {base.value_nick}, alpha {alpha}')
        tap.ok(image.is_dirty(), f'the image is dirty, {base.value_nick}, alpha {alpha}')
        image.delete()


def last_values():
    """Without values of an earlier dialog, the given values are used."""
    image, layer = gray_image(ROWS)
    expected = [[min(int(d + 0.5), 255) for d in row]
                for row in reference.distance(ROWS, 128, 'chessboard')]
    result = must(call(DISTANCE, image, [layer], Gimp.RunMode.WITH_LAST_VALS,
                       metric='chessboard', output='raw'))
    tap.same(levels(result['layer']), expected, 'with last values and none yet')
    image.delete()


def no_display():
    """A dialog without a display is an error, not a crash."""
    image, layer = gray_image(ROWS)
    result = call(DISTANCE, image, [layer], Gimp.RunMode.INTERACTIVE)
    tap.ok(result.status != 'success' and layer_names(image) == ['layer'],
           'a dialog without a display', result)
    tap.ok(call(DISTANCE, image, [layer]), 'and everything still works')
    image.delete()


def notice():
    image, layer = gray_image([[255] * 5] * 5)
    must(call(DISTANCE, image, [layer]))
    with open(os.environ['WORK'] + '/log', encoding='utf-8', errors='replace') as log:
        said = [line for line in log if line.startswith(DISTANCE)]
    tap.ok(any('background' in line for line in said), 'a batch run prints the warning', said)
    image.delete()


def kill_soon(name, done):
    """Kills the plug-in after it has worked for a while, as GIMP's Cancel does."""
    plug_in = f"{os.environ['WORK']}/plug-ins/{name}/{name}"
    while not done.is_set():
        for number in processes(plug_in):
            if stat_of(number)[1] > 0.25:
                os.kill(number, signal.SIGKILL)
                return
        time.sleep(0.01)


def killed():
    """A run killed at any time leaves the image unchanged, and no undo group open."""
    side = 3500
    image = new_image(side, side)
    layer = Gimp.Layer.new(image, 'layer', side, side, Gimp.ImageType.GRAY_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, side, side), "Y' u8",
                           random.Random('killed').randbytes(side * side))
    image.clean_all()

    done = threading.Event()
    killer = threading.Thread(target=kill_soon, args=('wavefront-watershed', done))
    killer.start()
    result = call(WATERSHED, image, [layer], tolerance=0.3)
    done.set()
    killer.join()
    tap.ok(not result and 'no return values' in result.message
           and layer_names(image) == ['layer'] and not image.is_dirty(),
           'a killed run leaves the image unchanged', result)
    image.delete()


def odd_sizes():
    for width, height in ((1, 1), (1, 70), (70, 1), (2, 2)):
        rows = random_rows(width, height, 255, f'{width} {height}')
        image, layer = gray_image(rows, RGB, alpha=True)
        got = (levels(must(call(RECONSTRUCT, image, [layer], height=0.2))['layer']),
               must(call(WATERSHED, image, [layer]))['basins'])
        expected = (reference.reconstruct(rows, reference.lowered(rows, -51, 255)),
                    reference.watershed(rows)[1])
        tap.same(got, expected, f'an image of {width} × {height}')
        image.delete()


for group in (above_the_layer, in_a_group, on_a_channel, on_a_mask, other_markers,
              floating_selection, what_is_asked_for, devices, untouched, last_values, no_display,
              notice, killed, odd_sizes):
    tap.group(group)
tap.done()
