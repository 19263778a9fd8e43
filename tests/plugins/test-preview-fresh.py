# SPDX-License-Identifier: GPL-3.0-or-later

"""After a change to the image while a dialog is open, the preview shows the change as soon as the
dialog has the keyboard focus again.

A script cannot change the image while its call waits for the dialog; undo in the window of the
image can.  Pictures are saved in the folder $SHOTS.
"""

import json
import os

from desk import image_window
from gimptest import *
from person import Person, press, wait_for
from pictures import Picture

SHOTS = os.environ['SHOTS']
# of the preview, in the window
MIDDLE = '811,172'
INTERACTIVE = Gimp.RunMode.INTERACTIVE
ROWS = [[40 + 150 * (((x // 30) + (y // 25)) % 2) + (x * 7 + y * 13) % 11 for x in range(300)]
        for y in range(250)]


def previewed(name):
    return Picture(f'{SHOTS}/preview-fresh-{name}.png').upper_right(380, 280, 30, 20)


def ask(name, image, layers, actions, **arguments):
    forget()
    person = Person(TITLES[name], actions, f'{SHOTS}/preview-fresh-%s.png')
    result = call(name, image, layers, INTERACTIVE, **arguments)
    person.join()
    return result


def taken_back(name, output_name, image, layer, window, changed=None, **arguments):
    """Inverting the layer is undone and redone while the dialog is open."""
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
           f'{title}: the preview follows an undo')
    tap.ok(first == third, f'{title}: and a redo')
    tap.ok(raw_bytes(must(result)[output_name]) == pixels,
           f'{title}: OK uses the current pixels', result)
    image.remove_layer(result[output_name])


def made_smaller(image, layer, window):
    """After a change of the size the preview shows the layer in its new size."""
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


def selection_taken_back(short, image, layer, window, *rectangles):
    """A selection of rectangles is replaced by an ellipse of the same size, and that is undone."""
    for i, place in enumerate(rectangles):
        image.select_rectangle(Gimp.ChannelOps.ADD if i else Gimp.ChannelOps.REPLACE, *place)
    expected = must(call(DISTANCE, image, [layer]))['layer']
    pixels = raw_bytes(expected)
    image.remove_layer(expected)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 60, 60, 180, 120)
    Gimp.displays_flush()
    result = ask(DISTANCE, image, [layer],
                 [f'look:{short}-1', f'look:{short}-1', f'{window}:ctrl+z', 'Tab',
                  f'look:{short}-2', f'look:{short}-2', 'alt+o'])
    tap.ok(previewed(f'{short}-1') != previewed(f'{short}-2'),
           f'the preview follows the shape of the selection: {short}')
    tap.ok(raw_bytes(must(result)['layer']) == pixels, f'and so does OK: {short}', result)
    image.remove_layer(result['layer'])
    Gimp.Selection.none(image)


def strokes_of(image, name):
    parasite = image.get_parasite(name)
    return json.loads(bytes(parasite.get_data()).decode().split(' ', 2)[2]) if parasite else []


def places_stay(image, layer, window):
    """Strokes and corrections lie at places of the image: undoing a selection moves the picture in the
    preview, but not them.  The middle of the preview is first that of the selection, then that of the
    image."""
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 20, 30, 100, 80)
    Gimp.displays_flush()
    result = ask(WATERSHED, image, [layer],
                 [f'click:{MIDDLE}', 'd', f'click:{MIDDLE}', 'look:moved-1', f'{window}:ctrl+z',
                  'Tab', 'look:moved-2', 'look:moved-2', f'click:{MIDDLE}', 'o', f'click:{MIDDLE}',
                  'alt+o'],
                 markers='strokes', valleys='bright')
    strokes = [place for one in strokes_of(image, 'wavefront-strokes') for place in one['object']]
    corrected = [place for one in strokes_of(image, 'wavefront-corrections')
                 for places in one.values() for place in places]
    tap.ok(must(result) and len(strokes) == len(corrected) == 2, 'two of each', strokes, corrected)
    for what, places in ('strokes', strokes), ('corrections', corrected):
        tap.ok(all(abs(a - b) <= 2 for place, wanted in zip(places, ((70, 70), (150, 125)))
                   for a, b in zip(place, wanted)),
               f'{what} stay where the selection was when they were made', places)
    for layer in result['layers']:
        image.remove_layer(layer)


def marks(name, image):
    """A layer with some colored squares; creating it is one undo step."""
    return new_layer(image, [[(40 + x // 60 * 30 + y // 50 * 7) if x % 60 < 20 and y % 50 < 20
                              else 0 for x in range(300)] for y in range(250)], name=name)


def marker_goes(name, argument, image, layer, window, **arguments):
    """Undo removes the marker: the preview reports this, OK is insensitive, and the dialog can be
    cancelled."""
    marker = marks('goes', image)
    image.set_selected_layers([layer])
    Gimp.displays_flush()
    result = ask(name, image, [layer],
                 ['look:there', 'look:there', f'{window}:ctrl+z', 'Tab', f'look:{name}-gone',
                  f'look:{name}-gone', 'alt+o', 'Escape'], **{argument: marker}, **arguments)
    tap.ok(result.status == 'cancel',
           f'{TITLES[name]}: OK is insensitive after the marker was deleted', result)
    tap.ok(previewed('there') != previewed(f'{name}-gone'), 'and not shown')


def marker_made_smaller(name, argument, image, layer, window, **arguments):
    """The preview uses the marker in its new size; enlarging it restores the first preview."""
    marker = marks('smaller', image)
    image.set_selected_layers([layer])
    image.undo_group_start()
    marker.resize(140, 120, 0, 0)
    image.undo_group_end()
    Gimp.displays_flush()
    press(window, 'ctrl+z')
    wait_for(lambda: marker.get_width() == 300)
    result = ask(name, image, [layer],
                 ['look:all', 'look:all', f'{window}:ctrl+y', 'Tab', f'look:{name}-part',
                  f'look:{name}-part', f'{window}:ctrl+z', 'Tab', 'look:again', 'look:again',
                  'alt+o'], **{argument: marker}, **arguments)
    tap.ok(must(result) and previewed('all') != previewed(f'{name}-part'),
           f'{TITLES[name]}: the preview follows the size of a marker', result)
    tap.ok(previewed('all') == previewed('again'), 'and shows the whole marker again')
    image.remove_layer(result['layers'][0])
    image.remove_layer(marker)


def shown_image():
    """A new image for each group, because GIMP stores the last settings with the image."""
    image, layer = gray_image(ROWS)
    display = Gimp.Display.new(image)
    Gimp.displays_flush()
    window = image_window()
    if not window:
        raise AssertionError('GIMP does not show the image')
    return image, layer, window, display


def follows_the_layer():
    image, layer, window, display = shown_image()
    taken_back(FILTER % 'h-maxima', 'layer', image, layer, window, height=0.3)
    taken_back(WATERSHED, 'basins-layer', image, layer, window, smoothing=1.0, lines_layer=False)
    made_smaller(image, layer, window)
    image.clean_all()
    display.delete()


def follows_the_selection():
    image, layer, window, display = shown_image()
    selection_taken_back('rectangle', image, layer, window, (60, 60, 180, 120))
    selection_taken_back('cross', image, layer, window, (60, 100, 180, 40), (130, 60, 40, 120))
    places_stay(image, layer, window)
    image.clean_all()
    display.delete()


def follows_the_marker():
    image, layer, window, display = shown_image()
    marker = new_layer(image, [[level // 2 for level in row] for row in ROWS], name='marker')
    taken_back(RECONSTRUCT, 'layer', image, layer, window, changed=marker, marker=marker)
    marker_goes(RECONSTRUCT, 'marker', image, layer, window)
    marker_made_smaller(RECONSTRUCT, 'marker', image, layer, window)
    colors = marks('colors', image)
    by_colors = {'markers': 'layer', 'basins_layer': True, 'lines_layer': False}
    taken_back(WATERSHED, 'basins-layer', image, layer, window, changed=colors,
               marker_layer=colors, **by_colors)
    marker_goes(WATERSHED, 'marker_layer', image, layer, window, **by_colors)
    marker_made_smaller(WATERSHED, 'marker_layer', image, layer, window, **by_colors)
    image.clean_all()
    display.delete()


os.makedirs(SHOTS, exist_ok=True)
tap.group(follows_the_layer)
tap.group(follows_the_selection)
if TIER == 'all':
    tap.group(follows_the_marker)
tap.done()
