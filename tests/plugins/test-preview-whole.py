# SPDX-License-Identifier: GPL-3.0-or-later

"""A large image, of which the preview computes the view: the number of basins is that of the view
first, and says so; then it is that of the whole image, and is what OK makes.  Where the whole image
cannot be computed, OK waits for other settings.

The plug-in logs the text beside the slider on GIMP's output ($G_MESSAGES_DEBUG).  SIDE in the
environment makes the layer larger.  Pictures are saved in the folder $SHOTS.
"""

import array
import glob
import os
import re
import time

from gimptest import *
from person import Person, output, press, wait_for, windows
from screen import screen, settle

SHOTS = os.environ['SHOTS']
INTERACTIVE = Gimp.RunMode.INTERACTIVE
COUNTED = re.compile(r'merging: (\d+) of (\d+) basins?( in this view)?$')
SIDE, PART = int(os.environ.get('SIDE', '2600')), 260


def log():
    with open(os.environ['WORK'] + '/log', encoding='utf-8', errors='replace') as file:
        return file.read().splitlines()


def counts():
    """What the text beside the slider has said: basins left, all basins, whether of the view."""
    return [(int(left), int(of), bool(view))
            for left, of, view in (found.groups() for found in map(COUNTED.search, log()) if found)]


def large_image(precision=P.U8_NON_LINEAR):
    """Noisy cells, no two parts alike."""
    image = new_image(SIDE, SIDE, precision=precision)
    layer = Gimp.Layer.new(image, 'layer', SIDE, SIDE, Gimp.ImageType.GRAY_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    buffer = layer.get_buffer()
    for row in range(0, SIDE, PART):
        for column in range(0, SIDE, PART):
            levels = bytearray()
            for y in range(row, row + PART):
                for x in range(column, column + PART):
                    far = ((x % 65 - 32) ** 2 + (y % 65 - 32) ** 2) / 1100
                    levels.append(int(40 + 150 * max(0, 1 - far) +
                                      (x * x * 7919 + y * 104729 + x * y * 31) % 17))
            buffer.set(Gegl.Rectangle.new(column, row, PART, PART), "Y' u8", bytes(levels))
    buffer.flush()
    layer.update(0, 0, SIDE, SIDE)
    image.clean_all()
    Gimp.displays_flush()
    return image, layer


def empty_layer(image):
    """A layer without markers."""
    layer = Gimp.Layer.new(image, 'markers', SIDE, SIDE, Gimp.ImageType.GRAYA_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 1)
    return layer


def markers_of(image):
    """A layer with one blot in each cell, as large as the image: blots of 16 levels, each of which is
    one marker."""
    layer = empty_layer(image)
    part = bytearray()
    for y in range(PART):
        for x in range(PART):
            inside = (x % 65 - 32) ** 2 + (y % 65 - 32) ** 2 < 60
            part += bytes((10 + 15 * (x // 65 + y // 65 * 4), 255 if inside else 0))
    buffer = layer.get_buffer()
    for row in range(0, SIDE, PART):
        for column in range(0, SIDE, PART):
            buffer.set(Gegl.Rectangle.new(column, row, PART, PART), "Y'A u8", bytes(part))
    buffer.flush()
    layer.update(0, 0, SIDE, SIDE)
    return layer


def ask(image, layer, **arguments):
    """Calls the dialog with these values, without those of the call before."""
    for path in glob.glob(os.environ['GIMP3_DIRECTORY'] + '/plug-in-settings/*'):
        os.remove(path)
    return call(WATERSHED, image, [layer], INTERACTIVE, **arguments)


class Merger(Person):
    """Waits for the number of the whole image, does the keys, and accepts the dialog."""

    def __init__(self, name, keys, last='alt+o'):
        self.short, self.keys, self.last, self.seen = name, keys, last, []
        self.before = len(counts())
        super().__init__('Watershed', [])

    def look(self, part):
        settle(0.3, 60)
        screen().save(f'{SHOTS}/preview-whole-{self.short}-{part}.png', self.window)

    def now(self):
        return counts()[self.before:]

    def whole_is_there(self):
        return bool(self.now()) and not self.now()[-1][2]

    def run(self):
        self.window = self.find()
        if not self.window:
            output('xdotool', 'key', 'Escape')
            return
        press(self.window, 'alt+b')
        wait_for(self.now, 60)
        screen().save(f'{SHOTS}/preview-whole-{self.short}-view.png', self.window)
        wait_for(self.whole_is_there, 40)
        self.look('whole')
        for key in self.keys:
            press(self.window, key)
            settle(0.3, 60)
            wait_for(self.whole_is_there, 40)
        self.look('merged')
        self.seen = self.now()
        self.closed = time.monotonic()
        press(self.window, self.last)


def number_is_what_ok_makes():
    image, layer = large_image()
    for name, keys in (('all', []), ('merged', ['alt+y'] + ['Right'] * 7),
                       ('tolerant', ['alt+t', 'ctrl+a', '0', 'period', '0', '3', 'Tab', 'alt+y',
                                     'Right', 'Right', 'Right'])):
        person = Merger(name, keys)
        result = must(ask(image, layer))
        person.join()
        seen = person.seen
        tap.ok(seen and seen[0][2], f'{name}: first the number is that of the view', seen)
        wholes = [of for _, of, view in seen if not view]
        tap.ok(wholes and not seen[-1][2] and wholes[0] > 2 * seen[0][1],
               f'{name}: then it is that of the whole image', seen)
        tap.same(result['basins'], seen[-1][0] if seen else None,
                 f'{name}: OK makes as many basins as the dialog has shown')
        tap.ok(name != 'tolerant' or wholes[-1] < wholes[0],
               f'{name}: a changed setting is computed again', seen)
        image.remove_layer(result['lines-layer'])
    image.delete()


def markers_are_read_as_a_whole():
    image, layer = large_image()
    person = Merger('markers', ['alt+y'] + ['Right'] * 5)
    result = must(ask(image, layer, markers='layer', marker_layer=markers_of(image)))
    person.join()
    tap.ok(person.seen[0][2] and person.seen[-1][1:] == (16, False),
           'there is a basin for each marker', person.seen)
    tap.same(result['basins'], person.seen[-1][0],
             'with markers, OK makes as many basins as the dialog has shown')
    image.delete()


def within_a_selection():
    """Of an elliptic selection only what is selected counts, in the view and in the whole."""
    image, layer = large_image()
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 100, 60, SIDE - 300, SIDE - 160)
    for name, keys in (('ellipse', []), ('ellipse-merged', ['alt+y'] + ['Right'] * 7)):
        person = Merger(name, keys)
        result = must(ask(image, layer))
        person.join()
        seen = person.seen
        tap.ok(seen and seen[0][2] and not seen[-1][2], f'{name}: the view first, then the whole',
               seen)
        tap.same(result['basins'], seen[-1][0] if seen else None,
                 f'{name}: OK makes as many basins as the dialog has shown')
        image.remove_layer(result['lines-layer'])
    image.delete()


def closes_at_once():
    """The dialog closes while the whole image is being computed."""
    image, layer = large_image()

    class Hurry(Merger):
        def run(self):
            self.window = self.find()
            press(self.window, 'alt+b')
            wait_for(self.now, 60, 0.01)
            self.seen = self.now()
            self.closed = time.monotonic()
            press(self.window, 'Escape')

    person = Hurry('hurry', [])
    result = ask(image, layer, smoothing=3.0)
    ended = time.monotonic()
    person.join()
    tap.ok(result.status == 'cancel' and person.seen, 'Escape closes the dialog', person.seen)
    tap.ok(ended - person.closed < 2, 'at once', ended - person.closed)
    image.delete()


class Refused(Person):
    """Waits until the whole image has failed for a reason with this word, and presses OK; then does
    the keys, and presses OK again."""

    def __init__(self, name, word, before=(), after=(), last='alt+o'):
        self.short, self.word, self.before, self.after, self.last = name, word, before, after, last
        self.start_of_log = len(log())
        self.reason, self.open = None, False
        super().__init__('Watershed', [])

    def has_failed(self):
        failed = [line for line in log()[self.start_of_log:]
                  if 'whole image: ' in line and self.word in line]
        self.reason = failed[-1] if failed else None
        return bool(failed)

    def look(self, part):
        settle(0.3, 60)
        screen().save(f'{SHOTS}/preview-whole-{self.short}-{part}.png', self.window)

    def run(self):
        self.window = self.find()
        settle(0.3, 60)
        for key in self.before:
            if key == 'preview':
                width = screen().place(self.window)[2]
                output('xdotool', 'mousemove', '--window', self.window, str(width - 220), '160',
                       'click', '1')
            else:
                press(self.window, key)
            settle(0.3, 60)
        wait_for(self.has_failed, 60)
        self.look('refused')
        press(self.window, 'alt+o')
        settle(0.3, 60)
        self.open = self.window in windows(self.title)
        if not self.open:
            # the dialog has come back with the error
            press(self.find(self.window), 'Escape')
            return
        for key in self.after:
            press(self.window, key)
            settle(0.3, 60)
        self.look('repaired')
        press(self.window, self.last)


def waits_for_markers():
    """Nothing is marked: neither in the view nor elsewhere."""
    image, layer = large_image()
    person = Refused('unmarked', 'marker', after=['alt+b', 'alt+m', 'Up'])
    result = ask(image, layer, markers='layer', marker_layer=empty_layer(image))
    person.join()
    tap.ok(person.open and person.reason, 'OK does nothing without markers', person.reason)
    tap.ok(result and result['basins'] > 100, 'and does with minima', result)
    image.delete()


def waits_for_what_is_not_in_view():
    """The view is complete, but the image has a pixel that is no number far from it."""
    image, layer = large_image(P.FLOAT_NON_LINEAR)
    layer.get_buffer().set(Gegl.Rectangle.new(1, 1, 1, 1), "Y' float",
                           array.array('f', [float('nan')]).tobytes())
    layer.update(0, 0, SIDE, SIDE)
    person = Refused('not-in-view', 'NaN', before=['preview', '1'], last='Escape')
    result = ask(image, layer)
    person.join()
    tap.ok(person.open and person.reason, 'OK does nothing while the whole image is refused',
           person.reason)
    tap.ok(result.status == 'cancel', 'the dialog can be cancelled', result)
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
tap.group(number_is_what_ok_makes)
tap.group(markers_are_read_as_a_whole)
tap.group(within_a_selection)
tap.group(waits_for_markers)
tap.group(waits_for_what_is_not_in_view)
tap.group(closes_at_once)
tap.done()
