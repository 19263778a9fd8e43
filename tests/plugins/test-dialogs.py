# SPDX-License-Identifier: GPL-3.0-or-later

"""Each dialog as a person uses it: looked at (the pictures go to the folder $SHOTS),
accepted with Return, left with Escape, operated by its mnemonics, and remembered.

A thread plays the person while the call of the procedure waits for an answer.
"""

import glob
import os
import threading

from gimptest import *
from person import Person, output
import reference

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
GERMAN = os.environ.get('LC_ALL', '').startswith('de')
INTERACTIVE, AGAIN = Gimp.RunMode.INTERACTIVE, Gimp.RunMode.WITH_LAST_VALS

NAMES = {RECONSTRUCT: ('reconstruct', 'Morphological Reconstruction'),
         DISTANCE: ('distance-map', 'Distance Map'),
         WATERSHED: ('watershed', 'Watershed')}
if GERMAN:
    NAMES = {RECONSTRUCT: ('reconstruct', 'Morphologische Rekonstruktion'),
             DISTANCE: ('distance-map', 'Abstandskarte'),
             WATERSHED: ('watershed', 'Wasserscheide')}
# GIMP's German buttons take the letter that the expander would have; from OK backwards
# it is the fourth that can be reached
OPEN_DEVICES = ['shift+Tab'] * 4 + ['space'] if GERMAN else ['alt+d']
ACCEPT = 'alt+o' if GERMAN else 'Return'

ROWS = random_rows(40, 30, 255, 'dialogs', steps=7)


def ask(name, image, layer, actions, **arguments):
    person = Person(NAMES[name][1], actions, f'{SHOTS}/%s{LOOK}.png')
    result = call(name, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result, person


def forget():
    """GIMP prefers the last values to those that a script gives to a dialog."""
    for path in glob.glob(os.environ['GIMP3_DIRECTORY'] + '/plug-in-settings/*'):
        os.remove(path)


def picture_is_real(path):
    """A dialog has more than a background: many colours and a likely size."""
    shape = output('identify', '-format', '%w %h %k', path).split() or [0, 0, 0]
    width, height, colours = map(int, shape)
    return 300 <= width <= 900 and 250 <= height <= 900 and colours > 30


def accepted_with_return(name):
    short = NAMES[name][0]
    image, layer = grey_image(ROWS, RGB)
    image.set_selected_layers([layer])
    result, person = ask(name, image, layer,
                         [f'look:{short}', *OPEN_DEVICES, f'look:{short}-devices', ACCEPT])
    tap.ok(person.window is not None, f'{short}: there is a dialog “{NAMES[name][1]}”')
    tap.ok(result, f'{short}: {ACCEPT} runs it', result)
    tap.ok(len(image.get_layers()) > 1, f'{short}: there are new layers', layer_names(image))
    tap.ok(all(picture_is_real(f'{SHOTS}/{short}{part}{LOOK}.png') for part in ('', '-devices')),
           f'{short}: its pictures show a dialog')
    tap.ok(len(person.heights) == 2 and person.heights[1] > person.heights[0] + 60,
           f'{short}: {OPEN_DEVICES[-1]} unfolds devices and tiles', person.heights)
    image.delete()


def left_with_escape(name):
    short = NAMES[name][0]
    image, layer = grey_image(ROWS, GRAY)
    image.clean_all()
    before = raw_bytes(layer)
    result, person = ask(name, image, layer, ['Escape'])
    tap.ok(person.window is not None and result.status == 'cancel', f'{short}: Escape cancels',
           result)
    tap.ok(layer_names(image) == ['layer'] and raw_bytes(layer) == before
           and not image.is_dirty(), f'{short}: and leaves the image as it was')
    image.delete()


def remembers():
    """What a dialog was accepted with are the last values, on this image and others."""
    image, layer = grey_image(ROWS)
    wanted = [[min(int(d + 0.5), 255) for d in row]
              for row in reference.distance(ROWS, 77, 'city-block', True)]
    result, _ = ask(DISTANCE, image, layer, ['Return'], metric='city-block', output='raw',
                    threshold=0.3, border_background=True)
    tap.same(levels(must(result)['layer']), wanted, 'a dialog takes the values given to it')
    again = must(call(DISTANCE, image, [layer], AGAIN))
    tap.same(levels(again['layer']), wanted, 'the last values hold for the same image')
    other, other_layer = grey_image(ROWS)
    again = must(call(DISTANCE, other, [other_layer], AGAIN))
    tap.same(levels(again['layer']), wanted, 'and for another one')
    result, _ = ask(DISTANCE, other, other_layer, ['Return'])
    tap.same(levels(must(result)['layer']), wanted, 'and for the next dialog')
    image.delete()
    other.delete()


def mnemonics():
    """Alt and a letter switch one option: here the layer with the basins goes."""
    image, layer = grey_image(ROWS)
    result, _ = ask(WATERSHED, image, layer, ['alt+b', 'Return'])
    tap.ok(result and result['basins-layer'] is None and result['lines-layer'] is not None,
           'a mnemonic switches an option', result)
    result, _ = ask(WATERSHED, image, layer, ['alt+b', 'Return'])
    tap.ok(result and result['basins-layer'] is not None, 'and switches it back', result)
    image.delete()


def wrong_values_are_repaired():
    """A dialog shows only what may be chosen, whatever a script gave it."""
    image, layer = grey_image(ROWS)
    result, _ = ask(RECONSTRUCT, image, layer, ['Return'], connectivity='26', by='up',
                    height=7.0, threads=-3, device='gpu')
    expected = reference.reconstruct(ROWS, reference.lowered(ROWS, -38, 255))
    tap.ok(result and levels(result['layer']) == expected,
           'a dialog falls back to defaults where it was given nonsense', result)
    image.delete()


def marker_is_remembered():
    image, layer = grey_image(ROWS)
    seeds = random_rows(40, 30, 255, 'seeds', steps=4)
    marker = new_layer(image, seeds, name='seeds')
    expected = reference.reconstruct(ROWS, seeds)
    result, _ = ask(RECONSTRUCT, image, layer, ['look:reconstruct-marker', 'Return'],
                    marker=marker)
    tap.same(levels(must(result)['layer']), expected, 'a marker layer is taken by the dialog')
    again = must(call(RECONSTRUCT, image, [layer], AGAIN))
    tap.same(levels(again['layer']), expected, 'and is the marker when the filter is repeated')

    other, other_layer = grey_image(ROWS)
    refused = call(RECONSTRUCT, other, [other_layer], AGAIN)
    tap.ok(refused.status == 'calling-error' and 'seeds' in refused.message
           and layer_names(other) == ['layer'],
           'an image without a layer of that name is not filtered with another marker', refused)
    result, _ = ask(RECONSTRUCT, other, other_layer, ['Return'])
    tap.ok(result, 'there a dialog goes on without a marker', result)
    image.delete()
    other.delete()


def closed_window():
    image, layer = grey_image(ROWS)
    person = Person(NAMES[WATERSHED][1], [])
    closer = threading.Thread(target=lambda: (person.join(), output('xdotool', 'windowclose',
                                                                    person.window or '0')))
    closer.start()
    result = call(WATERSHED, image, [layer], INTERACTIVE)
    closer.join()
    tap.ok(result.status != 'success' and layer_names(image) == ['layer'],
           'a dialog whose window is taken away leaves the image as it was', result)
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
groups = [lambda name=name: accepted_with_return(name) for name in NAMES]
if not LOOK:
    groups += [lambda name=name: left_with_escape(name) for name in NAMES]
    groups += [mnemonics, wrong_values_are_repaired, remembers, marker_is_remembered,
               closed_window]
for group in groups:
    forget()
    tap.group(group)
tap.done()
