# SPDX-License-Identifier: GPL-3.0-or-later

"""The preview of a layer with filters equals the preview of a layer with merged filters, scaled or
not, with or without GIMP's thumbnails; so does the preview of a watershed whose marker layer has
filters.

Pictures are saved in the folder $SHOTS.
"""

import os

from gimptest import *
from person import Person, output
from scenes import cells, large_image

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
SIDES = cases([(400, 'small')], [(400, 'small'), (2600, 'large')])
NAME = FILTER % 'fill-holes'


def add_filters(layer):
    for operation in ('gegl:invert-gamma', 'gegl:gaussian-blur'):
        layer.append_filter(Gimp.DrawableFilter.new(layer, operation, operation))


def shown(picture, image, layer, name=NAME, **arguments):
    """A picture of the preview."""
    forget()
    there = [one.get_id() for one in Gimp.get_images()]
    person = Person(TITLES[name], [f'look:{picture}', 'Escape'],
                    f'{SHOTS}/filters-%s.png')
    result = call(name, image, [layer], Gimp.RunMode.INTERACTIVE, **arguments)
    person.join()
    tap.ok(result.status == 'cancel' and not image.is_dirty()
           and [one.get_id() for one in Gimp.get_images()] == there,
           f'{picture}: the dialog was there and left nothing', result)
    return f'{SHOTS}/filters-{picture}.png'


def preview(file):
    return ['(', file, '-gravity', 'NorthEast', '-crop', '380x260+30+20', '+repage', ')']


def difference(one, other):
    """The mean and the largest difference of two previews, from 0 to 1."""
    told = output('convert', *preview(one), *preview(other), '-compose', 'difference',
                  '-composite', '-format', '%[fx:mean] %[fx:maxima]', 'info:').split()
    return [float(value) for value in told] or [1.0, 1.0]


def compare(side, name):
    name += LOOK
    image, layer = large_image(side, cells(400, 300))
    plain = shown(f'{name}-plain', image, layer)
    add_filters(layer)
    image.clean_all()
    filtered = shown(f'{name}-filtered', image, layer)
    layer.merge_filters()
    image.clean_all()
    merged = shown(f'{name}-merged', image, layer)
    tap.ok(difference(plain, merged)[0] > 0.1, f'{name}: filters are visible',
           difference(plain, merged))
    tap.same(difference(filtered, merged), [0.0, 0.0],
             f'{name}: the same as with the filters merged')
    image.delete()


def marks(image, side):
    """A transparent layer with many squares, each in its own color."""
    layer = Gimp.Layer.new(image, 'marks', side, side, Gimp.ImageType.GRAYA_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 1)
    part = side // 10
    buffer = layer.get_buffer()
    for i in range(100):
        x, y = i % 10 * part, i // 10 * part
        buffer.set(Gegl.Rectangle.new(x, y, part // 2, part // 2), "Y'A u8",
                   bytes((i * 2 + 30, 255)) * (part // 2) ** 2)
    buffer.flush()
    layer.update(0, 0, side, side)
    return layer


def compare_markers(side, name):
    """Colors are labels, so they must be exactly the visible ones."""
    name += '-markers' + LOOK
    image, layer = large_image(side, cells(400, 300))
    arguments = {'name': WATERSHED, 'markers': 'layer', 'marker_layer': marks(image, side)}
    image.clean_all()
    plain = shown(f'{name}-plain', image, layer, **arguments)
    seen = Gimp.DrawableFilter.new(arguments['marker_layer'], 'gimp:posterize', 'fewer colors')
    arguments['marker_layer'].append_filter(seen)
    image.clean_all()
    filtered = shown(f'{name}-filtered', image, layer, **arguments)
    arguments['marker_layer'].merge_filters()
    image.clean_all()
    merged = shown(f'{name}-merged', image, layer, **arguments)
    tap.ok(difference(plain, merged)[0] > 0.001, f'{name}: filters make other markers',
           difference(plain, merged))
    tap.same(difference(filtered, merged), [0.0, 0.0],
             f'{name}: the same as with the filters merged')
    image.delete()


def whole_and_scaled():
    for side, name in SIDES:
        compare(side, name)


def markers_of_another_layer():
    for side, name in SIDES:
        compare_markers(side, name)


os.makedirs(SHOTS, exist_ok=True)
tap.group(whole_and_scaled)
tap.group(markers_of_another_layer)
tap.done()
