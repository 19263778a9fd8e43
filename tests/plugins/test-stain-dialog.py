# SPDX-License-Identifier: GPL-3.0-or-later

"""The colors of an own stain in the watershed's dialog: picked in the preview, or the means of the
selected pixels, they become the argument, first the stain that is marked; colors that cannot be told
apart are not accepted.  The eyedropper and the tools for corrections lay each other down.

Pictures are saved in the folder $SHOTS.
"""

import json
import math

from gimptest import *
from person import Person
from scripts import history

SHOTS = os.environ['SHOTS']
SIDE = 512
BLUE, BROWN = (90, 60, 160), (200, 140, 70)
# in the dialog: the eyedroppers of two stains, the mark of the second, the selection for the first, the
# tool Delete, and the halves of the picture
FIRST, SECOND, MARK = 'click:120,299', 'click:264,299', 'click:188,299'
SELECTED, DELETE = 'click:155,299', 'click:752,598'
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


def names(command, *wanted):
    """Whether the stain of a command has the densities of these colors, in any number of digits."""
    stains = command.partition("--stain '")[2].partition("'")[0].split(';')
    return len(stains) == len(wanted) and all(
        abs(float(found) + math.log10(component / 255)) < 1e-4
        for stain, color in zip(stains, wanted)
        for found, component in zip(stain.split(','), color))


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
    tap.ok(names(text, *colors), what, text, stain)
    wanted = numbers(call(WATERSHED, image, [layer], source='own-stain', stain=stain,
                          label_image=True))
    tap.ok(numbers(result) == wanted and max(map(max, wanted)) > 1, f'{what}: the same basins')


def mean(image, layer):
    """The mean densities of the selected pixels."""
    selection = image.get_selection().get_buffer().get(Gegl.Rectangle.new(0, 0, SIDE, SIDE), 1.0,
                                                       'Y u8', Gegl.AbyssPolicy.NONE)
    inside = bytes(selection)
    picked = [pixel[:3] for y, row in enumerate(colors(layer)) for x, pixel in enumerate(row)
              if inside[y * SIDE + x] >= 128]
    return [sum(-math.log10(pixel[c] / 255) for pixel in picked) / len(picked) for c in range(3)]


def from_selection(image, layer):
    """The mean of the selected pixels, which are those of an ellipse over both colors."""
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 140, 330, 180, 120)
    wanted = mean(image, layer)
    result = ask(layer, [SELECTED, 'look:selected', 'alt+o'])
    text = history(image, must(result)['lines-layer'])['command']
    stain = text.partition("--stain '")[2].partition(';')[0]
    tap.ok(stain and all(abs(float(found) - d) < 1e-3 for found, d in zip(stain.split(','), wanted)),
           'the mean of the selected pixels', text, wanted)
    must(result)['label-image'].delete()
    Gimp.Selection.none(image)
    before = ask(layer, [SELECTED, 'look:unselected', 'alt+o'])
    tap.ok(before, 'where nothing is selected the stain stays, and is accepted', before)
    must(before)['label-image'].delete()


def one_tool(image, layer):
    """Delete lays the eyedropper down, so that a click corrects; the eyedropper lays Delete down, so
    that a click picks."""
    result = ask(layer, [FIRST, LEFT, SECOND, 'look:eyedropper', DELETE, LEFT, 'look:deleted', SECOND,
                         RIGHT, LEFT, 'look:tools', 'alt+o'], otherwise='Escape')
    text = history(image, must(result)['lines-layer'])['command']
    result['label-image'].delete()
    kept = image.get_parasite('wavefront-corrections')
    made = json.loads(bytes(kept.get_data()).decode().split(' ', 2)[2]) if kept else []
    tap.ok([list(one) for one in made] == [['delete']], 'one click has corrected', made)
    tap.ok(names(text, BLUE, BROWN), 'the others have picked', text)
    image.detach_parasite('wavefront-corrections')


image, layer = slide()
check(image, layer, 'two stains are picked',
      [FIRST, LEFT, SECOND, RIGHT, 'look:picked'], BLUE, BROWN)
check(image, layer, 'the other one is marked',
      [FIRST, LEFT, SECOND, RIGHT, MARK, 'look:marked'], BROWN, BLUE)
refused = ask(layer, [FIRST, LEFT, SECOND, LEFT, 'look:alike', 'alt+o', 'Escape'])
tap.same(refused.status, 'cancel', 'the same color twice is not accepted')
from_selection(image, layer)
one_tool(image, layer)
image.delete()
tap.done()
