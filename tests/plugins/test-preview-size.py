# SPDX-License-Identifier: GPL-3.0-or-later

"""The size of dialogs on a large screen: the preview shows the image as large as it fits, the size
that a person gives a dialog is kept for the next one, and the values are shown under the pointer.

Pictures are saved in the folder $SHOTS.
"""

import math
import os

from gimptest import *
from person import Person, output, wait_for
from pictures import Picture
from screen import screen, settle

SHOTS = os.environ['SHOTS']
INTERACTIVE = Gimp.RunMode.INTERACTIVE
SCREEN = tuple(map(int, os.environ['SCREEN'].split('x')))

ROWS = [[int(128 + 60 * math.sin(x / 11) + 60 * math.cos(y / 9)) for x in range(384)]
        for y in range(303)]


class Resizer(Person):
    """Looks at the dialog, then does the steps, and closes it."""

    def __init__(self, name, title, *steps):
        self.short, self.steps, self.places = name, steps, []
        super().__init__(title, [])

    def look(self, part=''):
        self.places.append(screen().place(self.window))
        screen().save(f'{SHOTS}/preview-size-{self.short}{part}.png', self.window)

    def run(self):
        self.window = self.find()
        if not self.window:
            output('xdotool', 'key', 'Escape')
            return
        settle()
        self.look()
        for number, step in enumerate(self.steps):
            step(self)
            settle()
            self.look(f'-{number}')
        output('xdotool', 'windowfocus', '--sync', self.window, 'key', 'Escape')


def resize(width, height):
    return lambda person: output('xdotool', 'windowsize', person.window, str(width), str(height))


def point(x, y):
    return lambda person: output('xdotool', 'mousemove', '--window', person.window, str(x), str(y))


def ask(procedure, name, image, layer, *steps, **arguments):
    person = Resizer(name, TITLES[procedure], *steps)
    result = call(procedure, image, [layer], INTERACTIVE, **arguments)
    person.join()
    tap.ok(person.window and result.status == 'cancel', f'{name}: there is a dialog', result)
    return person


def fills_the_screen():
    image, layer = gray_image(ROWS)
    for procedure, name in ((WATERSHED, 'watershed'), (DISTANCE, 'distance'),
                            (RECONSTRUCT, 'reconstruct'), (FILTER % 'h-maxima', 'h-maxima')):
        width, height = ask(procedure, name, image, layer).places[0][2:]
        # the image is shown at 2:1, and the window is no larger than that needs
        tap.ok(768 + 300 < width < SCREEN[0] and 606 + 100 < height < SCREEN[1],
               f'{name}: the preview is as large as the screen allows', width, height)
    image.delete()


def size_is_kept():
    image, layer = gray_image(ROWS)
    changed = ask(WATERSHED, 'changed', image, layer, resize(1500, 640)).places[-1]
    tap.same(changed[2:], (1500, 640), 'a person changes the size')
    again = ask(WATERSHED, 'again', image, layer).places[0]
    tap.same(again[2:], (1500, 640), 'the next dialog has this size')
    other = ask(DISTANCE, 'other', image, layer).places[0]
    tap.ok(other[2:] != (1500, 640), 'dialogs of other procedures do not', other)
    wide, layer_of_wide = gray_image([row + row for row in ROWS])
    again = ask(WATERSHED, 'other-image', wide, layer_of_wide).places[0]
    tap.same(again[2:], (1500, 640), 'but those for other images do')
    image.delete()
    wide.delete()


def status_of(name):
    """The part of a dialog below the preview, where the values under the pointer are."""
    picture = Picture(f'{SHOTS}/preview-size-{name}.png')
    return picture.part(picture.width - 780, picture.height - 145, 560, 50)


def shows_values():
    """In every dialog the values follow the pointer."""
    image, layer = gray_image(ROWS)
    for procedure, name in ((DISTANCE, 'distance'), (RECONSTRUCT, 'reconstruct'),
                            (FILTER % 'h-maxima', 'h-maxima')):
        width = ask(procedure, name, image, layer).places[0][2]
        person = ask(procedure, f'{name}-values', image, layer, point(width - 400, 200),
                     point(width - 390, 230))
        shown = [status_of(f'{name}-values{part}') for part in ('', '-0', '-1')]
        tap.ok(len(set(shown)) == 3, f'{name}: other values at other places')
        output('xdotool', 'mousemove', '9999', '9999')
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
tap.group(fills_the_screen)
tap.group(size_is_kept)
tap.group(shows_values)
tap.done()
