# SPDX-License-Identifier: GPL-3.0-or-later

"""The preview of a layer with filters shows what they leave: the same as that of a layer in
which they were merged, scaled or not, and whether or not GIMP gives thumbnails.

Pictures go to the folder $SHOTS.
"""

import os

from gimptest import *
from person import Person, output
from scenes import cells, large_image

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
SMALL, LARGE = 400, 2600
NAME = FILTER % 'fill-holes'


def add_filters(layer):
    for operation in ('gegl:invert-gamma', 'gegl:gaussian-blur'):
        layer.append_filter(Gimp.DrawableFilter.new(layer, operation, operation))


def shown(picture, image, layer):
    """A picture of the preview."""
    forget()
    there = [one.get_id() for one in Gimp.get_images()]
    person = Person(TITLES[NAME], [f'look:{picture}', f'look:{picture}', 'Escape'],
                    f'{SHOTS}/filters-%s.png')
    result = call(NAME, image, [layer], Gimp.RunMode.INTERACTIVE)
    person.join()
    tap.ok(result.status == 'cancel' and not image.is_dirty()
           and [one.get_id() for one in Gimp.get_images()] == there,
           f'{picture}: the dialog was there and left nothing', result)
    return f'{SHOTS}/filters-{picture}.png'


def preview(file):
    return ['(', file, '-gravity', 'NorthEast', '-crop', '380x260+30+20', '+repage', ')']


def difference(one, other):
    """Of two previews, from 0 to 1: the mean and the largest."""
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
    tap.ok(difference(plain, merged)[0] > 0.1, f'{name}: filters are seen',
           difference(plain, merged))
    tap.same(difference(filtered, merged), [0.0, 0.0],
             f'{name}: the same as with the filters merged')
    image.delete()


def whole_and_scaled():
    compare(SMALL, 'small')
    compare(LARGE, 'large')


os.makedirs(SHOTS, exist_ok=True)
tap.group(whole_and_scaled)
tap.done()
