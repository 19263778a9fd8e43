# SPDX-License-Identifier: GPL-3.0-or-later

"""What a person does in GIMP's windows with the mouse and the keyboard beside what eyes.py reads: opens
and saves files, draws on the canvas and in the preview of a dialog, takes pictures.
"""

import os
import pathlib
import re
import subprocess

import numpy

from eyes import Eyes
from gimptest import Gegl, Gimp
from person import output, press, wait_for, windows
from screen import screen, settle

WORK = os.environ['WORK']
EMPTY, MAIN = 'GNU Image Manipulation Program', '.*GIMP'
AROUND = 24         # pixels from the middle of the canvas, where an image may be
STEPS = 10          # in which the mouse is moved along a line
TITLE_BAR = 22      # of a window
MARGIN = 6
eyes = Eyes()


# ---------------------------------------------------------------- files

def get_photographs(data):
    """Copies coins.png and ihc.png to $WORK, downloads them if they are missing; whether both are
    there."""
    cache = pathlib.Path(os.environ.get('WAVEFRONT_CACHE', WORK)) / 'pictures'
    subprocess.run([data / 'get-pictures', cache], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    for name in 'coins', 'ihc':
        if (cache / f'{name}.png').exists():
            pathlib.Path(WORK, f'{name}.png').write_bytes((cache / f'{name}.png').read_bytes())
    return all(os.path.exists(f'{WORK}/{name}.png') for name in ('coins', 'ihc'))


def newest_image():
    return max(Gimp.get_images(), key=lambda image: image.get_id())


def open_picture(path):
    before = {image.get_id() for image in Gimp.get_images()}
    press(windows(f'{EMPTY}|{MAIN}')[0], 'ctrl+o')
    wait_for(lambda: windows('Open Image'), 30)
    settle()
    output('xdotool', 'type', '--delay', '5', path)
    settle()
    output('xdotool', 'key', 'Return')
    wait_for(lambda: {image.get_id() for image in Gimp.get_images()} - before, 30)
    settle()
    return newest_image()


def type_path(title, path):
    """In the window that asks where to save."""
    wait_for(lambda: windows(title), 30)
    settle()
    output('xdotool', 'key', 'ctrl+a')
    output('xdotool', 'type', '--delay', '5', path)
    settle()
    output('xdotool', 'key', 'Return')
    wait_for(lambda: os.path.exists(path) and not windows(title), 30)
    settle()


# ---------------------------------------------------------------- pixels

def pixels(drawable, encoding="R'G'B'A u8", depth=4):
    width, height = drawable.get_width(), drawable.get_height()
    data = drawable.get_buffer().get(Gegl.Rectangle.new(0, 0, width, height), 1.0, encoding,
                                     Gegl.AbyssPolicy.NONE)
    return numpy.frombuffer(bytes(data), numpy.uint8).reshape(height, width, depth).astype(int)


def flattened(image):
    copy = image.duplicate()
    seen = pixels(copy.flatten())[:, :, :3]
    copy.delete()
    return seen


# ---------------------------------------------------------------- the canvas

def find_canvas():
    return min((one for one in eyes.look()
                if one.kind == 'area' and re.fullmatch(MAIN, one.window)),
               key=lambda one: one.width * one.height)


def locate(image):
    """Where the canvas shows the image, without a scale: the share of equal pixels, left and top.
    GIMP keeps it where it was when its window has changed."""
    seen = flattened(image)
    height, width = seen.shape[:2]
    canvas = find_canvas()
    drawn, *size = screen().read(canvas.left, canvas.top, canvas.width, canvas.height)
    drawn = numpy.frombuffer(drawn, numpy.uint8).reshape(size[1], size[0], 4)[:, :, 2::-1]
    left, top = (canvas.width - width) // 2, (canvas.height - height) // 2

    def share(x, y, step):
        there = drawn[y:y + height:step, x:x + width:step]
        return (there == seen[::step, ::step]).all(axis=2).mean()

    places = [(x, y)
              for x in range(max(left - AROUND, 0), min(left + AROUND, canvas.width - width + 1))
              for y in range(max(top - AROUND, 0), min(top + AROUND, canvas.height - height + 1))]
    x, y = max(places, key=lambda place: share(*place, 7))
    return share(x, y, 1), canvas.left + x, canvas.top + y


def line(start, end):
    """Places from one to the other."""
    return [(start[0] + (end[0] - start[0]) * i // STEPS, start[1] + (end[1] - start[1]) * i // STEPS)
            for i in range(STEPS + 1)]


def stroke(places):
    """Moves the mouse through these places of the screen while its button is held."""
    output('xdotool', 'mousemove', *map(str, places[0]))
    settle()
    output('xdotool', 'mousedown', '1')
    for place in places[1:]:
        output('xdotool', 'mousemove', *map(str, place))
    settle()
    output('xdotool', 'mouseup', '1')
    settle()


def draw_on_canvas(image, tool, places):
    """Draws with the tool that has this key through places of the image."""
    _, left, top = locate(image)
    output('xdotool', 'key', tool)
    settle()
    stroke([(left + x, top + y) for x, y in places])


# ---------------------------------------------------------------- a preview

class Preview:
    """The preview of a dialog that shows a whole picture whose first pixel is at a place of the
    image."""

    def __init__(self, title, corner, size):
        self.corner = corner
        seen = [one for one in eyes.look() if re.fullmatch(title, one.window)]
        self.area = [one for one in seen if one.kind == 'area'][-1]
        scale = next(one.text for one in seen if re.fullmatch(r'[\d.]+:[\d.]+', one.text))
        up, down = map(float, scale.split(':'))
        self.scale = up / down
        self.origin = [place + (extent - length * self.scale) / 2 for place, extent, length in
                       zip(self.area[4:6], self.area[6:8], size)]

    def on_screen(self, place):
        """The middle of a pixel of the image."""
        return tuple(round(origin + (at - corner + 0.5) * self.scale)
                     for origin, at, corner in zip(self.origin, place, self.corner))


# ---------------------------------------------------------------- pictures

def frame_of(title):
    """The place of a window on the screen with its title bar."""
    left, top, width, height = screen().place(windows(title)[0])
    return left, top - TITLE_BAR, width, height + TITLE_BAR


def around(*widgets):
    """The place of widgets on the screen."""
    left = min(one.left for one in widgets) - MARGIN
    top = min(one.top for one in widgets) - MARGIN
    return (left, top, max(one.left + one.width for one in widgets) + MARGIN - left,
            max(one.top + one.height for one in widgets) + MARGIN - top)
