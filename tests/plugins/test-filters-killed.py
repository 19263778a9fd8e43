# SPDX-License-Identifier: GPL-3.0-or-later

"""Killing a plug-in while it works on a layer with filters, or while its dialog is open, leaves
GIMP's images, layers and filters unchanged.
"""

import os
import signal
import threading

from gimptest import *
from person import Person, wait_for
from processes import StopAt, processes, stopped
from scenes import large_image

PLUG_INS = os.environ['WORK'] + '/plug-ins/wavefront-'
SIDE = 1200
ROWS = random_rows(300, 200, 255, 'killed filters')


def kill():
    for number in processes(PLUG_INS):
        os.kill(number, signal.SIGKILL)


class Killer(threading.Thread):
    """Kills the plug-in at a given progress."""

    def __init__(self, share):
        super().__init__()
        self.share, self.was_there = share, False
        self.start()

    def run(self):
        with StopAt(self.share):
            self.was_there = wait_for(lambda: stopped(PLUG_INS), 60)
            kill()


class Visitor(Person):
    """Waits for the dialog, then kills its plug-in."""

    def run(self):
        super().run()
        kill()


def filtered(item):
    """Adds a filter that inverts a layer or a group."""
    added = Gimp.DrawableFilter.new(item, 'gegl:invert-gamma', 'gegl:invert-gamma')
    item.append_filter(added)
    return item


def filtered_layer():
    image, layer = large_image(SIDE, ROWS)
    return image, filtered(layer)


def filtered_group():
    image, layer = large_image(SIDE, ROWS)
    group = Gimp.GroupLayer.new(image, 'group')
    image.insert_layer(group, None, 0)
    image.reorder_item(layer, group, 0)
    return image, filtered(group)


def all_layers(items):
    for item in items:
        yield item
        if item.is_group():
            yield from all_layers(item.get_children())


def state(image):
    """All images, and those parts of this one that a procedure could change."""
    return ([(one.get_id(), [item.get_id() for item in all_layers(one.get_layers())])
             for one in Gimp.get_images()],
            [(item.get_name(), [f.get_id() for f in item.get_filters()], raw_bytes(item))
             for item in all_layers(image.get_layers())],
            image.is_dirty(), len(image.get_channels()), image.get_paths(),
            Gimp.Selection.is_empty(image))


def left_alone(image, item):
    """A run leaves nothing but its new layers."""
    before = state(image)
    made = must(call(WATERSHED, image, [item]))
    for layer in made['layers']:
        image.remove_layer(layer)
    image.clean_all()
    tap.ok(state(image) == before, f'a run on a {item.get_name()} that is not killed')


def killed(what, image, item, thread, mode, name, **arguments):
    before = state(image)
    killer = thread()
    result = call(name, image, [item], mode, **arguments)
    killer.join()
    tap.ok(result.status not in ('success', 'cancel'), f'{what}: it was killed', result)
    tap.ok(state(image) == before, f'{what}: nothing has changed', shown(state(image)),
           shown(before))
    return killer


def all_of_it():
    for make in (filtered_layer, filtered_group):
        image, item = make()
        image.clean_all()
        kind = item.get_name()
        left_alone(image, item)
        for share in cases((0.4,), (0.02, 0.4, 0.85)):
            killer = killed(f'{kind}, at {share:.0%}', image, item, lambda: Killer(share),
                            Gimp.RunMode.NONINTERACTIVE, WATERSHED, smoothing=4.0,
                            mean_layer=True)
            tap.ok(killer.was_there, f'{kind}: it worked')
        for name in cases((WATERSHED,), (WATERSHED, DISTANCE, FILTER % 'fill-holes')):
            forget()
            visitor = killed(f'{kind}, {TITLES[name]} asks', image, item,
                             lambda: Visitor(TITLES[name], []), Gimp.RunMode.INTERACTIVE, name)
            tap.ok(visitor.window is not None, f'{kind}: the dialog was there')
        result = call(WATERSHED, image, [item])
        tap.ok(result, f'{kind}: and GIMP continues', result)
        image.delete()
    tap.same(Gimp.get_images(), [], 'no image is left')


tap.group(all_of_it)
tap.done()
