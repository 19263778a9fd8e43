# SPDX-License-Identifier: GPL-3.0-or-later

"""The preview of a layer that is too large to be read while the user waits: the visible part
appears soon, the dialog responds meanwhile, and zooming reuses the pixels already read.

The plug-in logs the time of each step on GIMP's output ($G_MESSAGES_DEBUG).  SIDE and FLOAT in the
environment make the layer larger.  Pictures are saved in the folder $SHOTS.
"""

import os
import re
import time

from gimptest import *
from person import Person, output, wait_for
from screen import screen, settle

SHOTS = os.environ['SHOTS']
SIDE = int(os.environ.get('SIDE', '8192'))
FLOAT = 'FLOAT' in os.environ
INTERACTIVE = Gimp.RunMode.INTERACTIVE
STEP = re.compile(r'(\d+):(\d+):(\d+\.\d+): preview: (.*) (?:after|in) ([\d.]+) ms')
# limits for a busy machine; an idle one needs about a tenth
LONGEST, IMAGE, RESULT = 1.5, 10, 40
# the longest step's share of the time until all is read: some 0.9 each time that the whole layer
# is visible if its tiles are read at once, and at most 0.15 in steps, however busy the machine is
SHARE = 0.35


def steps():
    """The steps that the preview has logged so far: time, name and seconds."""
    with open(os.environ['WORK'] + '/log', encoding='utf-8', errors='replace') as log:
        for line in log:
            found = STEP.search(line)
            if found:
                hours, minutes, seconds, what, length = found.groups()
                yield (int(hours) * 3600 + int(minutes) * 60 + float(seconds), what,
                       float(length) / 1000)


def fill(layer, pixel_format, part, pixels):
    """Tiles the layer with the same square."""
    buffer = layer.get_buffer()
    for y in range(0, SIDE, part):
        for x in range(0, SIDE, part):
            buffer.set(Gegl.Rectangle.new(x, y, part, part), pixel_format, bytes(pixels))
    buffer.flush()
    layer.update(0, 0, SIDE, SIDE)


def large_layer(marked):
    """Bright cells on a dark background, the same in every part; if @marked, also a marker layer
    with a colored blot in each cell and one around the cells."""
    image = new_image(SIDE, SIDE, RGB, P.FLOAT_LINEAR if FLOAT else P.U8_NON_LINEAR)
    layer = Gimp.Layer.new(image, 'slide', SIDE, SIDE, Gimp.ImageType.RGB_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    part = 512
    pixels = bytearray()
    for y in range(part):
        for x in range(part):
            far = ((x % 64 - 32 + y // 64 * 3) ** 2 + (y % 64 - 32) ** 2) / 700
            level = int(40 + 150 * max(0, 1 - far) + (x * 7919 + y * 104729) % 13)
            pixels += bytes((level, level * 3 // 4, 90 + level // 2))
    fill(layer, "R'G'B' u8", part, pixels)
    markers = None
    if marked:
        markers = Gimp.Layer.new(image, 'markers', SIDE, SIDE, Gimp.ImageType.RGBA_IMAGE, 100,
                                 Gimp.LayerMode.NORMAL)
        image.insert_layer(markers, None, 1)
        pixels = bytearray()
        for y in range(part):
            for x in range(part):
                far = (x % 64 - 32 + y // 64 * 3) ** 2 + (y % 64 - 32) ** 2
                pixels += bytes((x // 64 * 30, y // 64 * 30, 128, 255) if far < 150
                                else (20, 20, 20, 255 if far > 1000 else 0))
        fill(markers, "R'G'B'A u8", part, pixels)
    image.clean_all()
    # GIMP renders an image for display at some time even without a window; waiting here ensures
    # that this is over before a dialog opens
    Gimp.displays_flush()
    settle(0.5, 60)
    return image, layer, markers


class Explorer(Person):
    """Moves the visible part of the preview, by (name, keys) one after the other."""

    def __init__(self, title, look, places):
        self.look, self.places, self.parts = look, places, {}
        self.seen = len(list(steps()))
        super().__init__(title, [])

    def watch(self, name, keys):
        before = self.seen
        for key in keys:
            output('xdotool', 'key', '--clearmodifiers', key)
            time.sleep(0.05)
        wait_for(lambda: len(list(steps())) > before + 1, 10)
        settle(0.3, max(self.end - time.monotonic(), 0))
        screen().save(f'{SHOTS}/preview-large-{name}{self.look}.png', self.window)
        self.parts[name] = list(steps())[before:]
        self.seen = before + len(self.parts[name])

    def run(self):
        self.end = time.monotonic() + 150
        self.window = self.find()
        if not self.window:
            output('xdotool', 'key', 'Escape')
            return
        self.watch('open', [])
        width = screen().place(self.window)[2]
        output('xdotool', 'windowfocus', '--sync', self.window)
        output('xdotool', 'mousemove', '--window', self.window, str(width - 220), '160', 'click', '1')
        for name, keys in self.places:
            self.watch(name, keys)
        output('xdotool', 'key', 'Escape')


def looks_around(name, marker=None, **arguments):
    """@marker: the argument for the layer with the markers, if any."""
    image, layer, markers = large_layer(marker)
    title, look = TITLES[name], ''
    if marker:
        arguments[marker] = markers
        look = '-' + marker.replace('_', '-')
    person = Explorer(title, look,
                      [('near', ['1']), ('aside', ['Left', 'Left', 'Left', 'Left']),
                       ('far', ['0']), ('nearer', ['plus']),
                       ('hasty', ['1', 'Down', '0', '1', 'Up', 'Up', '0'])])
    result = call(name, image, [layer], INTERACTIVE, **arguments)
    person.join()
    title += look
    tap.ok(result.status == 'cancel' and not image.is_dirty(), f'{title}: Escape closes', result)
    # now GIMP has the pixels that it rendered for the first one
    again = Explorer(TITLES[name], f'-again{look}', [])
    call(name, image, [layer], INTERACTIVE, **arguments)
    again.join()
    person.parts['again'] = again.parts.get('open', [])
    shares = {}
    for place, part in person.parts.items():
        start = part[0][0] - part[0][2] if part else 0
        firsts = {what: when - start for when, what, _ in reversed(part)}
        image_at = min(firsts.get('image drawn', 99), firsts.get('result drawn', 99))
        there = [when - start for when, what, _ in part if what == 'all is fetched'][:1]
        computed = [when - start for when, what, _ in part
                    if there and what == 'result drawn' and when - start > there[0]]
        longest = max(part, key=lambda step: step[2], default=(0, 'nothing', 99))
        shares[place] = longest[2] / there[0] if there else 1
        tap.write(f'# {title}, {place}: first picture {image_at:.3f} s, all read '
                  f'{there[0] if there else 99:.3f} s, result '
                  f'{computed[0] if computed else 99:.3f} s; '
                  f'longest step {longest[2] * 1000:.0f} ms ({longest[1]}), {len(part)} steps')
        tap.ok(longest[2] < LONGEST, f'{title}, {place}: no step takes long', longest)
        tap.ok(image_at < IMAGE and there and there[0] < RESULT,
               f'{title}, {place}: it appears soon', image_at, there)
    if marker:
        whole = [shares.get(place, 1) for place in ('open', 'far', 'again')]
        tap.ok(min(whole) < SHARE, f'{title}: markers are fetched in steps', whole)
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
tap.group(lambda: looks_around(WATERSHED, smoothing=2.0))
tap.group(lambda: looks_around(WATERSHED, 'marker_layer', markers='layer'))
tap.group(lambda: looks_around(RECONSTRUCT, 'marker'))
tap.done()
