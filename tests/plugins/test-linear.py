# SPDX-License-Identifier: GPL-3.0-or-later

"""Thresholds after a conversion of the image to linear light, or to another precision: the next
dialog and a repetition find the same objects, and the dialog shows the number of other images.
"""

import os

from gimptest import *
from person import Person
from scenes import cells

SHOTS = os.environ['SHOTS']
INTERACTIVE, AGAIN = Gimp.RunMode.INTERACTIVE, Gimp.RunMode.WITH_LAST_VALS
ROWS = cells(160, 120)
TYPED = ['alt+t', 'ctrl+a', '0', 'period', '3', '5', 'Tab']


def ask(name, image, layer, actions, **arguments):
    person = Person(TITLES[name], actions, f'{SHOTS}/linear-%s.png')
    result = call(name, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return must(result)


def find_objects(result):
    """Whether each pixel of a distance map is above the threshold."""
    return [[level > 0 for level in row] for row in levels(result['layer'])]


def is_same(one, other, name):
    differing = sum(a != b for first, second in zip(one, other) for a, b in zip(first, second))
    inside = sum(map(sum, one))
    tap.ok(0 < inside < 160 * 120 and differing == 0, name, inside, differing)


def converted():
    image, layer = gray_image(ROWS)
    forget()
    before = ask(DISTANCE, image, layer, [*TYPED, 'look:before', 'alt+o'], output='raw')
    objects = find_objects(before)
    image.remove_layer(before['layer'])
    for precision in cases((P.FLOAT_LINEAR, P.U8_NON_LINEAR),
                           (P.FLOAT_LINEAR, P.U16_NON_LINEAR, P.U16_LINEAR, P.FLOAT_NON_LINEAR,
                            P.HALF_LINEAR, P.U8_NON_LINEAR)):
        image.convert_precision(precision)
        short = precision.value_nick
        result = ask(DISTANCE, image, layer, [f'look:{short}', 'alt+o'])
        is_same(objects, find_objects(result), f'{short}: the dialog finds the same objects')
        image.remove_layer(result['layer'])
        again = must(call(DISTANCE, image, [layer], AGAIN))
        is_same(objects, find_objects(again), f'{short}: and so does a repetition')
        image.remove_layer(again['layer'])
    image.delete()


def watershed():
    """The same for touching objects, with a threshold that is not automatic."""
    image, layer = gray_image(ROWS)
    forget()
    before = ask(WATERSHED, image, layer, ['alt+o'], input='objects', threshold=0.35,
                 automatic_threshold=False)
    tap.ok(abs(before['threshold-used'] - 0.35) < 0.003, 'watershed: a given threshold', before)
    image.convert_precision(P.FLOAT_LINEAR)
    after = ask(WATERSHED, image, layer, ['look:watershed', 'alt+o'])
    tap.same(after['basins'], before['basins'], 'watershed: the same objects')
    tap.ok(0.09 < after['threshold-used'] < 0.12, 'by another number', after)
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
tap.group(converted)
tap.group(watershed)
tap.done()
