# SPDX-License-Identifier: GPL-3.0-or-later

"""The colors of an own stain in the watershed's dialog: picked in the preview, they become the
argument, first the stain that is marked; colors that cannot be told apart are not accepted.

Pictures are saved in the folder $SHOTS.
"""

import math

from gimptest import *
from person import Person
from scripts import history

SHOTS = os.environ['SHOTS']
SIDE = 512
BLUE, BROWN = (90, 60, 160), (200, 140, 70)
# in the dialog: the eyedroppers of two stains, the mark of the second, and the halves of the picture
FIRST, SECOND, MARK = 'click:120,259', 'click:228,259', 'click:152,259'
LEFT, RIGHT = 'click:740,190', 'click:900,190'


def slide():
    """Two colors side by side, with a little of the other in each."""
    image = new_image(SIDE, SIDE, RGB)
    layer = Gimp.Layer.new(image, 'slide', SIDE, SIDE, layer_type(image, False), 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    row = bytes(BLUE) * (SIDE // 2) + bytes(BROWN) * (SIDE // 2)
    other = b''.join(bytes(one) * 100 + bytes(two) * 50 + bytes(one) * (SIDE // 2 - 150)
                     for one, two in ((BLUE, BROWN), (BROWN, BLUE)))
    rows = b''.join(other if 400 <= y < 410 else row for y in range(SIDE))
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, SIDE, SIDE), "R'G'B' u8", rows)
    return image, layer


def densities(color):
    return ','.join(f'{-math.log10(c / 255):.4f}' for c in color)


def ask(layer, actions, **more):
    forget()
    person = Person(TITLES[WATERSHED], actions, f'{SHOTS}/stains-%s.png', closes=True, **more)
    result = call(WATERSHED, layer.get_image(), [layer], Gimp.RunMode.INTERACTIVE,
                  source='own-stain', label_image=True)
    person.join()
    return result


def numbers(result):
    made = must(result)['label-image']
    found = [list(row) for row in levels(made.get_layers()[0])]
    made.delete()
    return found


def check(image, layer, what, actions, *colors):
    result = ask(layer, [*actions, 'alt+o'])
    stain = ';'.join(map(densities, colors))
    text = history(image, must(result)['lines-layer'])['command']
    tap.ok(f"--stain '{stain}'" in text, what, text, stain)
    wanted = numbers(call(WATERSHED, image, [layer], source='own-stain', stain=stain,
                          label_image=True))
    tap.ok(numbers(result) == wanted and max(map(max, wanted)) > 1, f'{what}: the same basins')


image, layer = slide()
check(image, layer, 'two stains are picked',
      [FIRST, LEFT, SECOND, RIGHT, 'look:picked'], BLUE, BROWN)
check(image, layer, 'the other one is marked',
      [FIRST, LEFT, SECOND, RIGHT, MARK, 'look:marked'], BROWN, BLUE)
refused = ask(layer, [FIRST, LEFT, SECOND, LEFT, 'look:alike', 'alt+o', 'Escape'])
tap.same(refused.status, 'cancel', 'the same color twice is not accepted')
image.delete()
tap.done()
