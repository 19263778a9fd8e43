# SPDX-License-Identifier: GPL-3.0-or-later

"""Dialogs in GIMP with its windows: opened by the search for actions, shown, a value changed and
the preview updated, accepted, closed, reset, settings saved and loaded, a filter repeated, a run
cancelled.

Here GIMP itself starts the procedures, and the script checks the image.  Pictures are saved in the
folder $SHOTS, those of the whole screen as "gimp-…-screen.png".
"""

import glob
import os

from desk import Desk
from gimptest import *
from person import press, wait_for, windows
from pictures import Picture
from processes import processes
from scenes import cells

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
WORK = os.environ['WORK']
GERMAN = os.environ.get('LC_ALL', '').startswith('de')
DISTANCE_PLUG_IN = 'wavefront-distance-map'
CORRECTIONS = 'wavefront-corrections'
AGAIN = Gimp.RunMode.WITH_LAST_VALS

# Words of the description of a filter, where its name is part of another's.
DESCRIBED = {FILTER % 'opening': 'bright parts that hold no structuring element, and what',
             FILTER % 'closing': 'dark parts that hold no structuring element, and what',
             FILTER % 'white-top-hat': 'parts and corners that the opening removes',
             FILTER % 'black-top-hat': 'parts and corners that the closing fills',
             FILTER % 'gradient': 'highest minus the lowest level',
             FILTER % 'median': 'median of the levels',
             FILTER % 'threshold': 'pixels above a threshold, or above one'}
# the search text of a filter, and the title of its dialog
SEARCHED = {name: (DESCRIBED.get(name, title), title) for name, title in TITLES.items()}
SEARCHED = SEARCHED if not GERMAN else {
    WATERSHED: ('Wasserscheide', 'Wasserscheide'),
    DISTANCE: ('Abstandskarte', 'Abstandskarte'),
    RECONSTRUCT: ('Rekonstruktion', 'Rekonstruktion')}

WIDTH, HEIGHT = 400, 300
ROWS = cells(WIDTH, HEIGHT)


class Menus(Desk):
    def open(self, name, actions):
        """Opens the dialog and does the actions; returns the Person."""
        return self.ask(*SEARCHED[name], actions, f'{SHOTS}/gimp-%s{LOOK}.png')


def state(desk):
    image = desk.image
    return (layer_names(image), raw_bytes(desk.layer), image.is_dirty(),
            Gimp.Selection.bounds(image)[1:], image.get_paths(), image.get_channels(),
            len(Gimp.get_images()))


def is_closed(title):
    return wait_for(lambda: not windows(title))


def picture(name):
    return f'{SHOTS}/gimp-{name}{LOOK}.png'


def previewed(name):
    """The pixels of the preview in a picture of the dialog, without the controls below it."""
    return Picture(picture(name)).upper_right(380, 260, 30, 20)


def differs(one, other):
    first, second = previewed(one), previewed(other)
    return len(first) == len(second) == 380 * 260 * 3 and first != second


def brightness(name):
    return Picture(picture(name)).brightness()


def bytes_of(layers):
    return [raw_bytes(layer) for layer in layers]


# ---------------------------------------------------------------- in English, light

def accepted(desk):
    """OK makes what the preview showed last, and a repetition makes it again."""
    before = raw_bytes(desk.layer)
    person = desk.open(WATERSHED, ['look:watershed', 'alt+b', 'look:basins', 'look:basins',
                                   'alt+y', *['Right'] * 9, 'screen:merged-screen',
                                   'look:merged'])
    if not tap.ok(person.window is not None, 'the search for actions finds the watershed'):
        return
    tap.ok(differs('basins', 'merged'), 'a changed value changes the preview')
    tap.same(layer_names(desk.image), ['layer'], 'and not the image')
    press(person.window, 'alt+o')
    tap.ok(desk.has(3), 'OK adds two layers', layer_names(desk.image))
    tap.ok(is_closed('Watershed'), 'and closes the dialog')
    tap.ok(raw_bytes(desk.layer) == before, 'the input layer is unchanged')
    made = bytes_of(desk.image.get_layers()[:2])

    script = must(call(WATERSHED, desk.image, [desk.layer], AGAIN))
    tap.ok(bytes_of(script['layers']) == made or bytes_of(script['layers']) == made[::-1],
           'a script that repeats it makes the same')
    plain = must(call(WATERSHED, desk.image, [desk.layer]))
    tap.ok(script['basins'] < plain['basins'], 'the basins are merged as by the slider',
           script, plain)

    press(desk.window, 'ctrl+f')
    tap.ok(desk.has(9), 'Repeat in GIMP’s menu adds them again, without a dialog',
           layer_names(desk.image))
    tap.ok(bytes_of(desk.image.get_layers()[-3:-1]) == made, 'and they are the same')


def one_step(desk):
    """OK adds one undo step, which one key reverts."""
    before = state(desk)
    desk.open(WATERSHED, ['alt+o'])
    tap.ok(desk.has(3) and desk.image.is_dirty(), 'OK again', layer_names(desk.image))
    press(desk.window, 'ctrl+z')
    tap.ok(desk.has(1) and state(desk) == before, 'one undo restores the image',
           shown(state(desk)), shown(before))


def drawn(desk):
    """A correction is in the undo step of OK; after Cancel it is a step of its own."""
    before = state(desk)
    place = 'click:900,150'   # in the preview
    for key, number in (('alt+o', 3), ('Escape', 1)):
        desk.open(WATERSHED, [place, 'd', place, key])
        tap.ok(desk.has(number) and wait_for(lambda: desk.image.is_dirty())
               and desk.image.get_parasite(CORRECTIONS), f'{key}: the correction changes the image',
               layer_names(desk.image), desk.image.is_dirty())
        press(desk.window, 'ctrl+z')
        tap.ok(desk.has(1) and wait_for(lambda: not desk.image.get_parasite(CORRECTIONS), 5)
               and state(desk) == before, f'{key}: one undo takes it back', shown(state(desk)))
        press(desk.window, 'ctrl+y')
        tap.ok(desk.has(number) and wait_for(lambda: desk.image.get_parasite(CORRECTIONS), 5),
               f'{key}: and one redo makes it again')
        press(desk.window, 'ctrl+z')
        wait_for(lambda: state(desk) == before, 5)


def left(desk):
    before = state(desk)
    for name, (words, title) in of_today(list(SEARCHED.items())):
        person = desk.open(name, ['Escape'])
        tap.ok(person.window is not None and is_closed(title),
               f'{words}: the dialog is found, and Escape closes it')
        tap.ok(state(desk) == before, f'{words}: the image is unchanged')


def by_script(desk, **arguments):
    """The pixels of a distance map by a script, which then removes it from the image."""
    layer = must(call(DISTANCE, desk.image, [desk.layer], **arguments))['layer']
    pixels = raw_bytes(layer)
    desk.image.remove_layer(layer)
    return pixels


def accepted_map(desk, actions):
    """The pixels of the distance map that a dialog makes after these keys.  The values that it used
    are saved when its process ends.
    """
    desk.open(DISTANCE, [*actions, 'alt+o'])
    if not (desk.has(2) and wait_for(lambda: not processes(f'{WORK}/plug-ins/{DISTANCE_PLUG_IN}'))):
        return None
    pixels = raw_bytes(desk.image.get_layers()[0])
    desk.remove_results()
    return pixels


def threshold(digit):
    return ['alt+t', 'ctrl+a', '0', 'period', digit, 'Tab']


def reset(desk):
    """Resets to the initial values of this dialog, and to the factory defaults."""
    default, low, high = (by_script(desk, threshold=t) for t in (0.5, 0.3, 0.6))
    tap.ok(len({default, low, high}) == 3, 'three thresholds make three maps')
    tap.ok(accepted_map(desk, threshold('3')) == low, 'a threshold is typed')
    tap.ok(accepted_map(desk, []) == low, 'and is the initial value of the next dialog')
    tap.ok(accepted_map(desk, [*threshold('6'), 'look:before-reset', 'alt+r', 'screen:reset-screen',
                               'space', 'look:initial']) == low,
           'Reset to the initial values')
    tap.ok(differs('before-reset', 'initial'), 'which the preview shows')
    tap.ok(accepted_map(desk, ['alt+r', 'screen:factory-screen', 'Tab', 'screen:factory-screen',
                               'space', 'look:factory']) == default,
           'Reset to the factory defaults')


def settings(desk):
    """A dialog loads the settings saved in an earlier one, after a dialog with other settings."""
    forget()
    low, high = (by_script(desk, threshold=t) for t in (0.3, 0.6))
    desk.open(DISTANCE, [*threshold('3'), 'alt+s', 'look:saved', 'Escape'])
    saved = glob.glob(os.environ['GIMP3_DIRECTORY'] + '/plug-in-settings/*distance-map*')
    tap.ok(len(saved) == 1 and len(desk.image.get_layers()) == 1,
           'settings are saved although the dialog is cancelled', saved)
    tap.ok(accepted_map(desk, threshold('6')) == high, 'another value is used')
    tap.ok(accepted_map(desk, []) == high, 'and remembered')
    tap.ok(accepted_map(desk, ['alt+l', 'look:loaded']) == low, 'settings are loaded')


# ---------------------------------------------------------------- every look

def looks(desk):
    """Pictures of each dialog in this locale and theme."""
    for name, short in ((WATERSHED, 'watershed'), (DISTANCE, 'distance-map'),
                        (RECONSTRUCT, 'reconstruct')):
        words, title = SEARCHED[name]
        person = desk.open(name, [f'screen:{short}-screen', f'look:{short}'])
        if not tap.ok(person.window is not None, f'{short}: “{words}” finds “{title}”'):
            continue
        tap.ok((brightness(short) < 0.45) == (LOOK == '-dark'), f'{short}: dark or light as GIMP',
               brightness(short))
        look = Picture(picture(short))
        tap.ok(600 <= look.width <= 1280 and 350 <= look.height <= 690,
               f'{short}: it fits a small screen', look.width, look.height)
        number = len(desk.image.get_layers())
        press(person.window, 'alt+o')
        tap.ok(wait_for(lambda: len(desk.image.get_layers()) > number, 30),
               f'{short}: OK adds a layer', layer_names(desk.image))


def all_of_it():
    image, layer = gray_image(ROWS, RGB)
    desk = Menus(image, layer)
    if not tap.ok(desk.window is not None, 'GIMP shows the image'):
        return
    if LOOK:
        looks(desk)
    else:
        for group in cases((accepted, one_step, drawn, left),
                           (accepted, one_step, drawn, left, reset, settings)):
            forget()
            desk.remove_results()
            tap.group(lambda: group(desk))
    desk.close()


os.makedirs(SHOTS, exist_ok=True)
tap.group(all_of_it)
tap.done()
