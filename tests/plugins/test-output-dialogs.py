# SPDX-License-Identifier: GPL-3.0-or-later

"""The pages of the larger dialogs, and their remembered items of the image."""

import glob

from gimptest import *
from person import Person
from pictures import Picture

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
INTERACTIVE, AGAIN = Gimp.RunMode.INTERACTIVE, Gimp.RunMode.WITH_LAST_VALS
SCREEN = 720   # the lowest screen that a dialog must fit

ROWS = random_rows(40, 30, 255, 'output dialogs', steps=7)


def ask(name, image, layer, actions, **arguments):
    for path in glob.glob(os.environ['GIMP3_DIRECTORY'] + '/plug-in-settings/*'):
        if arguments:
            os.remove(path)
    person = Person(TITLES[name], actions, f'{SHOTS}/%s{LOOK}.png')
    result = call(name, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result, person


def numbers(result):
    rows = levels(must(result)['label-image'].get_layers()[0])
    result['label-image'].delete()
    return rows


def pages():
    """Mnemonics select pages; controls that do not apply are hidden; all pages fit the screen."""
    image, layer = gray_image(ROWS, RGB)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 5, 5, 9, 9)
    for name, short, turns, arguments in (
            (WATERSHED, 'watershed-levels', ('b', 'p'), {'input': 'levels'}),
            (WATERSHED, 'watershed-objects', ('b',), {'input': 'objects', 'markers': 'path'}),
            (DISTANCE, 'distance-levels', ('e',), {'output': 'clipped'}),
            (DISTANCE, 'distance-contours', ('e',), {'output': 'contours', 'unit': 'image'})):
        looks = [f'look:{short}-0']
        for number, letter in enumerate(turns, 1):
            looks += [f'alt+{letter}', f'look:{short}-{number}']
        result, person = ask(name, image, layer, looks + ['Escape'], **arguments)
        tap.same(result.status, 'cancel', f'{short}: Escape closes it')
        tap.ok(len(person.heights) == len(turns) + 1 and max(person.heights) <= SCREEN,
               f'{short}: it fits the screen', person.heights)
        shots = [f'{SHOTS}/{short}-{number}{LOOK}.png' for number in range(len(turns) + 1)]
        prints = {Picture(shot).rgb for shot in shots}
        tap.same(len(prints), len(shots), f'{short}: the pages differ')
    image.delete()


def nearest_colors():
    """The preview has the colors of the new layer: red and blue ones on a gray image."""
    image, layer = gray_image([[0] * 60 for _ in range(40)], RGB)
    pixels = b''.join(bytes((230, 20, 20)) if x < 20 else bytes((20, 20, 230)) if x >= 40
                      else bytes((200, 200, 200)) for y in range(40) for x in range(60))
    buffer = layer.get_buffer()
    buffer.set(Gegl.Rectangle.new(0, 0, 60, 40), "R'G'B' u8", pixels)
    buffer.flush()
    layer.update(0, 0, 60, 40)
    result, _ = ask(DISTANCE, image, layer, ['look:nearest', 'look:nearest', 'Escape'],
                    output='nearest', threshold=0.6)
    shown = Picture(f'{SHOTS}/nearest{LOOK}.png').upper_right(380, 280, 50, 60)
    found = {shown[i:i + 3] for i in range(0, len(shown), 3)}
    tap.ok(result.status == 'cancel' and bytes((230, 20, 20)) in found
           and bytes((20, 20, 230)) in found and bytes((200, 200, 200)) not in found,
           'the colors of the nearest pixels are previewed', len(shown), sorted(found)[:20])
    image.delete()


def no_selection():
    """A value that needs a selection is reset if there is none."""
    image, layer = gray_image(ROWS)
    result, _ = ask(WATERSHED, image, layer, ['Return'], select_basins=True)
    tap.ok(result and result['selected-basins'] == 0, 'nothing is selected without a selection',
           result)
    image.delete()


def remembered(markers):
    image, layer = gray_image(ROWS)
    other = new_layer(image, [[9, 0, 0, 7], [0, 0, 5, 5]], name='seeds', x=3, y=4)
    path = Gimp.Path.new(image, 'seeds')
    path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER, [3.0, 4.0] * 3 + [28.0, 21.0] * 3,
                                False)
    image.insert_path(path, None, 0)
    chosen = {'marker_layer': other} if markers == 'layer' else {'marker_path': path}
    wanted = numbers(call(WATERSHED, image, [layer], markers=markers, label_image=True, **chosen))
    result, _ = ask(WATERSHED, image, layer, ['Return'], markers=markers, label_image=True,
                    **chosen)
    tap.same(numbers(result), wanted, f'the {markers} is used by the dialog')
    tap.same(numbers(call(WATERSHED, image, [layer], AGAIN)), wanted, 'and by a repetition')
    result, _ = ask(WATERSHED, image, layer, ['Return'])
    tap.same(numbers(result), wanted, 'and by the next dialog')

    other_image, other_layer = gray_image(ROWS)
    refused = call(WATERSHED, other_image, [other_layer], AGAIN)
    tap.ok(refused.status == 'calling-error' and 'seeds' in refused.message
           and layer_names(other_image) == ['layer'], 'another image has no such item', refused)
    image.delete()
    other_image.delete()


def marker_layer():
    remembered('layer')


def marker_path():
    remembered('path')


os.makedirs(SHOTS, exist_ok=True)
groups = [pages]
if not LOOK:
    groups += cases([nearest_colors, marker_layer],
                    [nearest_colors, no_selection, marker_layer, marker_path])
for group in groups:
    tap.group(group)
tap.done()
