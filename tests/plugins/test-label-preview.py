# SPDX-License-Identifier: GPL-3.0-or-later

"""The previews of the tools for labels: each region in a color of its own, and of a layer that is
too large to be shown at its full size what the tool makes of the whole of it.
"""

import math
import os

from gimptest import *
from person import Person
from pictures import Picture

SHOTS = os.environ['SHOTS']
INTERACTIVE = Gimp.RunMode.INTERACTIVE


def color_of(label):
    """The bytes of a label's color, as plugins/common/results/palette.c defines it."""
    def at(step):
        return math.modf(0.5 + step * label)[0]
    hue, saturation, brightness = (at(0.6180339887498949), 0.45 + 0.45 * at(0.7548776662466927),
                                   0.6 + 0.4 * at(0.5698402909980532))

    def component(shift):
        turn = (shift + hue * 6) % 6
        return brightness * (1 - saturation * max(0, min(turn, 4 - turn, 1)))
    return bytes(int(component(shift) * 255 + 0.5) for shift in (5, 3, 1))


def is_near(one, other):
    return all(abs(a - b) <= 1 for a, b in zip(one, other))


class Shown:
    """The colors in a picture of the dialog, above the buttons: the only ones are those of labels."""

    def __init__(self, name):
        picture = Picture(f'{SHOTS}/label-preview-{name}.png')
        self.counts = {}
        pixels = picture.part(0, 0, picture.width, 490)
        for i in range(0, len(pixels), 3):
            color = pixels[i:i + 3]
            if max(color) - min(color) > 40:
                self.counts[color] = self.counts.get(color, 0) + 1

    def count(self, label):
        wanted = color_of(label)
        return sum(n for color, n in self.counts.items() if is_near(color, wanted))

    def others(self, *labels):
        """The number of pixels in other colors than those of the labels."""
        wanted = [*map(color_of, labels)]
        return sum(n for color, n in self.counts.items()
                   if not any(is_near(color, one) for one in wanted))


def ask(tool, image, layer, actions, **arguments):
    forget()
    person = Person(TITLES[FILTER % tool], actions, f'{SHOTS}/label-preview-%s.png')
    result = call(FILTER % tool, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result


def blocks(width, height, places):
    """Rows of a background of 0 with squares of labels."""
    rows = [[0] * width for _ in range(height)]
    for label, left, top, side in places:
        for row in rows[top:top + side]:
            row[left:left + side] = [label] * side
    return rows


def in_colors():
    rows = blocks(360, 240, [(3, 20, 20, 90), (300, 130, 20, 60), (65535, 130, 120, 80),
                             (7, 240, 120, 30)])
    image, layer = gray_image(rows, precision=P.U16_NON_LINEAR)
    result = ask('remove-small', image, layer, ['look:remove-small', 'Return'], area=3600)
    shown = Shown('remove-small')
    tap.ok(all(shown.count(label) > 1000 for label in (3, 300, 65535)) and shown.count(7) == 0
           and shown.others(3, 300, 65535) == 0, 'regions that stay are shown in their colors',
           [shown.count(label) for label in (3, 300, 65535, 7)], shown.others(3, 300, 65535))
    tap.same(must(result)['n-regions'], 3, 'and stay')
    ask('relabel', image, layer, ['look:relabel', 'Escape'])
    shown = Shown('relabel')
    tap.ok(all(shown.count(label) > 100 for label in (1, 2, 3, 4))
           and shown.others(1, 2, 3, 4) == 0, 'new labels have new colors')
    image.delete()


def large_layer():
    """Of a layer of more than two megapixels the whole counts, whatever is visible: a small
    region in the middle, a large one in the corner, and labels that alternate from pixel to
    pixel, whose means are other labels."""
    width, height = 2600, 2000
    rows = blocks(width, height, [(5, 0, 0, 900), (7, 1200, 900, 200)])
    for y in range(1200, 2000):
        rows[y][1800:2600] = [100 if (x + y) % 2 else 300 for x in range(800)]
    image, layer = gray_image(rows, precision=P.U16_LINEAR)
    ask('remove-small', image, layer, ['look:large', 'Escape'], area=100.0)
    shown = Shown('large')
    tap.ok(all(shown.count(label) > 100 for label in (5, 7, 100)) and shown.count(100) +
           shown.count(300) > 1000 and shown.others(5, 7, 100, 300) == 0,
           'a reduced view has the labels of the layer',
           [shown.count(label) for label in (5, 7, 100, 300)], shown.others(5, 7, 100, 300))
    keys = ['click:720,120', '1']
    ask('keep-largest', image, layer, [*keys, 'look:middle', 'Escape'], count=4)
    shown = Shown('middle')
    tap.ok(shown.count(7) > 10000, 'all four are kept: that in the middle is visible at 1:1')
    ask('keep-largest', image, layer, [*keys, 'look:without', 'Escape'], count=3)
    shown = Shown('without')
    tap.ok(shown.count(7) == 0,
           'of three it is not one, as larger ones are beyond what is visible', shown.counts)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 0, 0, width, height)
    ask('keep-largest', image, layer, ['look:selected', 'Escape'], count=1)
    shown = Shown('selected')
    tap.ok(shown.count(5) > 10000 and sum(map(shown.count, (7, 100, 300))) == 0,
           'within a selection, the largest of all is shown', shown.counts)
    image.delete()


def stack():
    """The regions of all slices count; the one in the middle is shown."""
    slices = [blocks(200, 150, places) for places in (
        [(3, 0, 0, 90), (300, 100, 20, 60)], [(300, 100, 20, 60), (7, 0, 10, 80)],
        [(300, 100, 20, 60)])]
    image, layer = gray_image(slices[0], precision=P.U16_NON_LINEAR)
    for rows in slices[1:]:
        new_layer(image, rows)
    ask('keep-largest', image, layer, ['look:stack', 'Escape'], count=1, stack=True)
    shown = Shown('stack')
    tap.ok(shown.count(300) > 1000 and shown.count(3) == shown.count(7) == 0,
           'the largest region of a stack is shown', shown.counts)
    second = image.get_layers()[1]
    ask('keep-largest', image, second, ['look:alone', 'Escape'], count=1, stack=False)
    shown = Shown('alone')
    tap.ok(shown.count(7) > 1000 and shown.count(300) == 0, 'and of a slice alone another one',
           shown.counts)
    image.delete()


def refused():
    """A layer in color is refused in the dialog, which cannot be accepted."""
    image, layer = gray_image(blocks(60, 40, [(3, 5, 5, 20)]), RGB)
    result = ask('relabel', image, layer, ['look:refused', 'alt+o', 'Escape'])
    tap.ok(result.status == 'cancel' and layer_names(image) == ['layer'],
           'a layer in color: OK does nothing', result)
    image.delete()


for group in (in_colors, large_layer, stack, refused):
    tap.group(group)
tap.done()
