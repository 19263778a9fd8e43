# SPDX-License-Identifier: GPL-3.0-or-later

"""A click on Cancel in GIMP's own window while a procedure works leaves the image unchanged, and
no undo step or file; GIMP continues to work.

The plug-in is stopped while the test looks for the button.  Pictures are saved in the folder
$SHOTS.
"""

import os
import signal

from desk import Desk
from gimptest import *
from person import output, press, wait_for, windows
from processes import StopAt, processes, stopped
from scenes import cells, large_image
from screen import screen, settle

SHOTS, WORK = os.environ['SHOTS'], os.environ['WORK']
PLUG_INS = WORK + '/plug-ins/wavefront-'
SIDE = 2500
# height of the bar below the image
BAR = 44


def picture(name):
    file = f'{SHOTS}/cancelled-{name}.png'
    screen().save(file)
    return file


def changed_bar(window, before, now):
    """The changed part of the bar at the lower edge of GIMP's window: its right end and its middle;
    None if nothing changed."""
    x, y, width, height = screen().place(window)
    top = y + height - BAR
    place = f'{width}x{BAR}+{x}+{top}'
    box = output('convert', before, now, '-compose', 'difference', '-composite', '-crop', place,
                 '+repage', '-colorspace', 'Gray', '-threshold', '20%', '-format', '%@', 'info:')
    size, _, offset = box.decode().partition('+')
    if not offset or size.startswith('0x') or size == f'{width}x{BAR}':
        return None
    left, upper = map(int, offset.split('+'))
    width, height = map(int, size.split('x'))
    return x + left + width, top + upper + height // 2


def files():
    return {os.path.join(folder, name) for folder, _, names in os.walk(WORK) for name in names}


def state(image, layer):
    return (layer_names(image), raw_bytes(layer), image.is_dirty(), image.get_channels(),
            image.get_paths(), Gimp.Selection.is_empty(image),
            [one.get_id() for one in Gimp.get_images()])


def cancelled(desk, what, begin, share):
    """Starts a run, clicks Cancel, and checks the remains."""
    before, there = state(desk.image, desk.layer), files()
    idle = picture(f'{what}-before')
    with StopAt(share):
        begin()
        if not tap.ok(wait_for(lambda: stopped(PLUG_INS), 60), f'{what}: it works'):
            return
    settle()
    place = changed_bar(desk.window, idle, picture(f'{what}-at-work'))
    if tap.ok(place is not None, f'{what}: the bar shows it'):
        output('xdotool', 'mousemove', str(place[0] - 24), str(place[1]))
        settle()
        output('xdotool', 'click', '1')
    gone = wait_for(lambda: not processes(PLUG_INS))
    tap.ok(gone, f'{what}: Cancel ends the plug-in')
    output('xdotool', 'mousemove', '1279', '1023')
    if not gone:
        for number in processes(PLUG_INS):
            os.kill(number, signal.SIGKILL)
    settle()
    picture(f'{what}-after')
    now = state(desk.image, desk.layer)
    tap.ok(now == before, f'{what}: the image is unchanged', shown(now), shown(before))
    tap.ok(not windows('GIMP Message'), f'{what}: no message is open')
    new = {file for file in files() - there if not file.startswith(WORK + '/progress')}
    tap.same(new, set(), f'{what}: no file is left')


def all_of_it():
    image, layer = large_image(SIDE, cells(400, 300))
    desk = Desk(image, layer)
    if not tap.ok(desk.window is not None, 'GIMP shows the image'):
        return
    press(desk.window, 'Tab')   # hides the docks, so that only the bar is below the image
    settle()

    for name, share in cases([(WATERSHED, 0.6)], [(DISTANCE, 0.3),
                                                       (FILTER % 'opening-by-reconstruction', 0.01),
                                                  (WATERSHED, 0.6)]):
        forget()
        cancelled(desk, name.removeprefix('plug-in-wavefront-'),
                  lambda: desk.ask(TITLES[name], TITLES[name], ['alt+o'], ''), share)

    # its only undo step is this one
    second = Gimp.Layer.new(image, 'second', 9, 9, Gimp.ImageType.GRAY_IMAGE, 100,
                            Gimp.LayerMode.NORMAL)
    image.insert_layer(second, None, 0)
    image.set_selected_layers([layer])
    Gimp.displays_flush()
    cancelled(desk, 'repeated', lambda: press(desk.window, 'ctrl+f'), 0.9)
    press(desk.window, 'ctrl+z')
    wait_for(lambda: layer_names(image) == ['layer'])
    tap.same(layer_names(image), ['layer'], 'one undo reverts the change before it')

    press(desk.window, 'ctrl+f')
    tap.ok(desk.has(3), 'and again, until it ends', layer_names(image))
    desk.close()


os.makedirs(SHOTS, exist_ok=True)
tap.group(all_of_it)
tap.done()
