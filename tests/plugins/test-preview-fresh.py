# SPDX-License-Identifier: GPL-3.0-or-later

"""Who changes the image while a dialog is open finds the change in its preview, as soon as
the dialog has the keyboard again.

A script cannot change anything while its call waits for the dialog; a person can, who takes
back a step in the window of the image.  Pictures go to the folder $SHOTS.
"""

import os

from desk import image_window
from gimptest import *
from person import Person, output

SHOTS = os.environ['SHOTS']
INTERACTIVE = Gimp.RunMode.INTERACTIVE
ROWS = [[40 + 150 * (((x // 30) + (y // 25)) % 2) + (x * 7 + y * 13) % 11 for x in range(300)]
        for y in range(250)]


def previewed(name):
    return output('convert', f'{SHOTS}/preview-fresh-{name}.png', '-gravity', 'NorthEast', '-crop',
                  '380x280+30+20', '+repage', '-depth', '8', 'rgb:-')


def ask(name, image, layers, actions, **arguments):
    forget()
    person = Person(TITLES[name], actions, f'{SHOTS}/preview-fresh-%s.png')
    result = call(name, image, layers, INTERACTIVE, **arguments)
    person.join()
    return result


def taken_back(name, output_name, image, layer, window, changed=None, **arguments):
    """A layer is inverted, which is taken back and done again while the dialog is open."""
    title = f"{TITLES[name]}{' with a marker' * (changed is not None)}"
    expected = must(call(name, image, [layer], **arguments))[output_name]
    pixels = raw_bytes(expected)
    image.remove_layer(expected)
    (changed or layer).invert(False)
    Gimp.displays_flush()
    result = ask(name, image, [layer],
                 [f'look:{name}-1', f'look:{name}-1', f'{window}:ctrl+z', 'Tab', f'look:{name}-2',
                  f'look:{name}-2', f'{window}:ctrl+y', 'Tab', f'look:{name}-3', f'look:{name}-3',
                  f'{window}:ctrl+z', 'Tab', 'alt+o'], **arguments)
    first, second, third = (previewed(f'{name}-{i}') for i in (1, 2, 3))
    tap.ok(len(first) == len(second) == 380 * 280 * 3 and first != second,
           f'{title}: the preview follows a step that is taken back')
    tap.ok(first == third, f'{title}: and one that is done again')
    tap.ok(raw_bytes(must(result)[output_name]) == pixels,
           f'{title}: OK works on what is there then', result)
    image.remove_layer(result[output_name])


def made_smaller(image, layer, window):
    """Another size is another view."""
    rows = [row[:150] for row in ROWS[:100]]
    small = new_layer(image, rows, name='small')
    image.undo_group_start()
    small.resize(300, 250, 0, 0)
    image.undo_group_end()
    Gimp.displays_flush()
    result = ask(FILTER % 'fill-holes', image, [small],
                 ['look:large', 'look:large', f'{window}:ctrl+z', 'Tab', 'look:small', 'look:small',
                  'alt+o'])
    tap.ok(previewed('large') != previewed('small'), 'the preview follows the size of a layer')
    tap.ok(must(result)['layer'].get_width() == 150, 'and so does OK', result)


def all_of_it():
    image, layer = grey_image(ROWS)
    display = Gimp.Display.new(image)
    Gimp.displays_flush()
    window = image_window()
    if not tap.ok(window is not None, 'GIMP shows the image'):
        return
    taken_back(FILTER % 'h-maxima', 'layer', image, layer, window, height=0.3)
    taken_back(WATERSHED, 'basins-layer', image, layer, window, smoothing=1.0, lines_layer=False)
    marker = new_layer(image, [[level // 2 for level in row] for row in ROWS], name='marker')
    taken_back(RECONSTRUCT, 'layer', image, layer, window, changed=marker, marker=marker)
    made_smaller(image, layer, window)
    image.clean_all()
    display.delete()


os.makedirs(SHOTS, exist_ok=True)
tap.group(all_of_it)
tap.done()
