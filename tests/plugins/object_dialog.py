# SPDX-License-Identifier: GPL-3.0-or-later

"""The watershed's dialog with objects above a threshold, and what its calls and its preview show."""

import os
from collections import Counter

from gimptest import TITLES, WATERSHED, Gimp, call, forget, levels
from person import Person, clipboard, output
from pictures import Picture
from scenes import cells

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
INTERACTIVE = Gimp.RunMode.INTERACTIVE
ROWS = cells(400, 300)
OBJECTS = {'input': 'objects', 'smoothing': 1.0, 'label_image': True}


class Copying(Person):
    """With 'copied:NAME' for what is on the clipboard, and 'size:WIDTH,HEIGHT' for another size of the
    window."""

    def do(self, what, name):
        if what == 'copied':
            copied[name] = clipboard()
        elif what == 'size':
            output('xdotool', 'windowsize', self.window, *name.split(','))
        else:
            return super().do(what, name)
        return what == 'copied'


copied = {}


def ask(image, layer, actions, fresh=True, **arguments):
    """@fresh: without what the last dialog has left."""
    if fresh:
        forget()
    person = Copying(TITLES[WATERSHED], actions, f'{SHOTS}/objects-%s{LOOK}.png', closes=True)
    result = call(WATERSHED, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result


def previewed(name):
    return Picture(f'{SHOTS}/objects-{name}{LOOK}.png').upper_right(380, 280, 30, 20)


def rows_of(result):
    image = result['label-image']
    rows = [[int(v) for v in row] for row in levels(image.get_layers()[0])]
    image.delete()
    return rows


def sizes_of(rows):
    """The pixels of each object."""
    return Counter(v for row in rows for v in row if v)


def areas(result):
    """Of the objects, in the order of their numbers."""
    return [size for _, size in sorted(sizes_of(rows_of(result)).items())]


# the places of the image's first pixel in the window, and of objects and backgrounds in the image
LEFT, TOP = 702, 23
RIGHT = 453   # from the first pixel to the right edge of the window
EMPTY, ONE, OTHER, LARGE, LAST = (60, 170), (168, 74), (197, 74), (310, 20), (378, 52)
DARK = (130, 40)


def at(*places, left=LEFT):
    return ','.join(f'{x + left},{y + TOP}' for x, y in places)
