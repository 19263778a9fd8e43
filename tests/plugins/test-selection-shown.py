# SPDX-License-Identifier: GPL-3.0-or-later

"""A selection that is no rectangle, as a person sees it: the number beside the slider is what OK
makes, the preview and the canvas show the picture outside the selection, and a selection that
changes its shape while the dialog is open is seen.

The plug-in logs the text beside the slider on GIMP's output ($G_MESSAGES_DEBUG).  Pictures are
saved in the folder $SHOTS as "selection-…".
"""

import re

from desk import Desk
from gimptest import *
from person import Person, wait_for
from scenes import cells
from screen import screen, settle

SHOTS = os.environ['SHOTS']
WIDTH, HEIGHT = 400, 300
ROWS = cells(WIDTH, HEIGHT)
COUNTED = re.compile(r'merging: (\d+) of (\d+) basins?( in this view)?$')


def counts():
    """What the text beside the slider has said: basins left."""
    with open(os.environ['WORK'] + '/log', encoding='utf-8', errors='replace') as file:
        return [int(found[1]) for found in map(COUNTED.search, file.read().splitlines()) if found]


def selected(image):
    rows = read(image.get_selection(), 'Y', 'u8', 'B', 1)
    return [[cover >= 128 for cover in row] for row in rows]


def visible(layer):
    """Where a layer is opaque by half, in the image."""
    left, top = layer.get_offsets()[1:]
    rows = [[False] * WIDTH for _ in range(HEIGHT)]
    for y, row in enumerate(colors(layer)):
        for x, pixel in enumerate(row):
            rows[top + y][left + x] = pixel[3] >= 128
    return rows


class Selector(Person):
    """Changes the selection while the dialog is open, if it is to, and accepts the dialog."""

    def __init__(self, title, short, actions=()):
        look = f'look:selection-{short}'
        super().__init__(title, [*actions, look, 'alt+o'], f'{SHOTS}/%s.png')


class Studio(Desk):
    def __init__(self, base=RGB):
        forget()
        super().__init__(*gray_image(ROWS, base))
        self.image.select_ellipse(Gimp.ChannelOps.REPLACE, 60, 40, 260, 210)
        Gimp.displays_flush()

    def accept(self, name, short, actions=(), **arguments):
        forget()
        self.before = len(counts())
        person = Selector(TITLES[name], short, actions)
        result = must(call(name, self.image, [self.layer], Gimp.RunMode.INTERACTIVE, **arguments))
        person.join()
        settle()
        screen().save(f'{SHOTS}/selection-{short}-after.png')
        return result

    def shown_count(self):
        return counts()[-1] if len(counts()) > self.before else None


def watershed():
    for short, arguments in (('levels', {'smoothing': 2.0}),
                             ('merged', {'smoothing': 1.0, 'merge_by': 'area',
                                         'merge_value': 200.0}),
                             ('objects', {'input': 'objects'}),
                             ('lined', {'smoothing': 2.0, 'lines': True})):
        studio = Studio()
        inside = selected(studio.image)
        result = studio.accept(WATERSHED, short, ['alt+b'], label_image=True, **arguments)
        tap.same(result['basins'], studio.shown_count(),
                 f'{short}: OK makes as many basins as the dialog has shown')
        seen = visible(result['basins-layer'])
        tap.ok(not any(there and not here for rows in zip(seen, inside)
                       for there, here in zip(*rows)), f'{short}: no basin outside the selection')
        tap.ok(short in ('objects', 'lined') or seen == inside,
               f'{short}: basins wherever something is selected')
        alone = must(call(WATERSHED, studio.image, [studio.layer], label_image=True, **arguments))
        tap.same(alone['basins'], result['basins'], f'{short}: as many as without a dialog')
        for made in (result, alone):
            made['label-image'].delete()
        studio.close()


def others():
    for short, name, arguments in (
            ('distances', DISTANCE, {'automatic_threshold': True}),
            ('contours', DISTANCE, {'automatic_threshold': True, 'output': 'contours',
                                    'step': 5.0}),
            ('opening-by-reconstruction', 'plug-in-wavefront-opening-by-reconstruction', {'radius': 6}),
            ('top-hat', 'plug-in-wavefront-white-top-hat-by-reconstruction', {'radius': 6})):
        studio = Studio()
        inside = selected(studio.image)
        result = studio.accept(name, short, **arguments)
        seen = visible(result['layer'])
        tap.ok(seen == inside or short == 'contours' and
               not any(there and not here for rows in zip(seen, inside)
                       for there, here in zip(*rows)), f'{short}: visible where selected')
        studio.close()


os.makedirs(SHOTS, exist_ok=True)
tap.group(watershed)
tap.group(others)
tap.done()
