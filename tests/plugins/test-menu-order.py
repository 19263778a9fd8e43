# SPDX-License-Identifier: GPL-3.0-or-later

"""Filters ▸ Morphology as a person opens it with the keyboard: the order of its entries, and that
each dialog has the title of its entry.
"""

import os
import re

from desk import Desk
from gimptest import *
from person import output, press, wait_for, windows
from scenes import cells
from screen import screen, settle

SHOTS = os.environ['SHOTS']

HISTORY = FILTER % 'history'
TITLES[HISTORY] = 'How Was This Made?'

# from top to bottom; entries of a submenu after its title
MENU = [[WATERSHED], [DISTANCE], [FILTER % 'geodesic-distance'], [RECONSTRUCT],
        [FILTER % 'clear-border'], [FILTER % 'fill-holes'], [FILTER % 'median'], [FILTER % 'threshold'],
        [HISTORY],
        [FILTER % name for name in ('extended-maxima', 'extended-minima', 'h-maxima', 'h-minima',
                                    'regional-maxima', 'regional-minima')],
        [FILTER % name for name in ('expand-labels', 'keep-largest', 'relabel', 'remove-small')],
        [FILTER % name
         for name in ('area-closing', 'area-opening', 'black-top-hat-by-reconstruction',
                      'black-top-hat', 'closing-by-reconstruction', 'closing', 'dilation',
                      'erosion', 'gradient', 'height-closing', 'height-opening',
                      'opening-by-reconstruction', 'opening', 'volume-closing', 'volume-opening',
                      'white-top-hat-by-reconstruction', 'white-top-hat')]]


def type_keys(*keys):
    if keys:
        output('xdotool', 'key', '--delay', '30', *keys)
        settle()


def open_menu(desk):
    """Opens Filters ▸ Morphology, the last of the filters; its first entry is selected."""
    press(desk.window, 'alt+r')
    settle()
    type_keys('Up')
    type_keys('Right')


def choose(desk, number, inner):
    """Activates an entry by its number, and that of an entry in its submenu."""
    open_menu(desk)
    type_keys(*['Down'] * number)
    if inner is not None:
        type_keys('Right')
        type_keys(*['Down'] * inner)
    type_keys('Return')


def dialog_titles():
    return [title for title in TITLES.values() if windows(re.escape(title))]


def opened(desk, number, inner):
    choose(desk, number, inner)
    wait_for(dialog_titles, 60)
    titles = dialog_titles()
    for title in titles:
        press(windows(re.escape(title))[-1], 'Escape')
    wait_for(lambda: not dialog_titles())
    settle()
    return titles


def order():
    image, layer = gray_image(cells(120, 90), RGB)
    desk = Desk(image, layer)
    open_menu(desk)
    screen().save(f'{SHOTS}/menu-order.png')
    type_keys('Escape', 'Escape', 'Escape')
    entries = [(number, inner if len(names) > 1 else None, name)
               for number, names in enumerate(MENU) for inner, name in enumerate(names)]
    # a missing entry moves the last ones
    for number, inner, name in of_today(entries, entries[8], entries[-1]):
        tap.same(opened(desk, number, inner), [TITLES[name]],
                 f'entry {number + 1}.{(inner or 0) + 1} opens “{TITLES[name]}”')
    desk.close()


os.makedirs(SHOTS, exist_ok=True)
tap.group(order)
tap.done()
