# SPDX-License-Identifier: GPL-3.0-or-later

"""Every page of every dialog with all sections expanded: each control has its own mnemonic, no
text is cut off or said twice, no tooltip covers the number of basins or the slider, numbers say their unit, the title is that of the menu, and the dialog
fits a small screen.

A module that GTK loads into the plug-ins inspects the dialogs (dialog-inspector.c).
"""

import os
import re

from gimptest import *

WORK = os.environ['WORK']
REPORT = WORK + '/dialogs'
SCREEN = 1280, 720
PREFIX = 'plug-in-wavefront-'

ROWS = random_rows(300, 200, 255, 'controls', steps=9)

ENGLISH = not os.environ.get('LANGUAGE') and os.environ.get('LC_ALL', 'C')[:2] in ('C', 'C.', 'en')
LOOKS = ('de', 'dark', 'fr', 'es', 'zh_CN', 'ja')
PLAIN = ENGLISH and 'dark' not in os.environ.get('GTK_THEME', '')
GEODESIC = FILTER % 'geodesic-distance'
# the units of a dialog's numbers
UNITS = {WATERSHED: ['of white', 'pixels'], DISTANCE: ['of white'], RECONSTRUCT: ['of white'],
         **{FILTER % name: ['of white'] for name in ('h-maxima', 'h-minima', 'extended-maxima',
                                                     'extended-minima')},
         **{FILTER % name: ['pixels'] for name in (
             'opening-by-reconstruction', 'closing-by-reconstruction',
             'white-top-hat-by-reconstruction', 'black-top-hat-by-reconstruction', 'erosion',
             'dilation', 'opening', 'closing', 'white-top-hat', 'black-top-hat', 'gradient',
             'median', 'area-opening', 'area-closing', 'remove-small', 'expand-labels')},
         **{FILTER % name: ['of white × pixels'] for name in ('volume-opening', 'volume-closing')},
         FILTER % 'threshold': ['of white'], FILTER % 'geodesic-distance': ['of white']}
# what every dialog has in its section "Advanced"
ADVANCED = ['Advanced', 'Device', 'If the device fails', 'Tile size', 'Threads']

# settings that show further controls
MORE = {WATERSHED: [{'input': 'objects', 'markers': 'layer'},
                    {'input': 'gradient', 'markers': 'path', 'lines_layer': True,
                     'compactness': 0.01, 'background': 'bright'}, {'markers': 'strokes'}],
        DISTANCE: [{'output': 'contours', 'unit': 'image'}, {'output': 'clipped'}],
        FILTER % 'erosion': [{'element': 'line'}],
        FILTER % 'white-top-hat': [{'element': 'line'}],
        FILTER % 'geodesic-distance': [{'output': 'contours'},
                                       {'output': 'clipped', 'unit': 'image'}],
        FILTER % 'threshold': [{'automatic_threshold': True, 'automatic_method': 'percent'},
                               {'method': 'gaussian'}, {'method': 'sauvola'}]}


def procedures():
    """Those of the filters: the window with the steps of a layer has no controls."""
    names = Gimp.get_pdb().query_procedures(PREFIX, *[''] * 7)
    return sorted(name for name in names if name != FILTER % 'history')


def inspect(name, image, layer, arguments):
    """The lines of the report on one dialog, without the last line, which marks its end."""
    short = '-'.join([name.removeprefix(PREFIX), *map(str, arguments.values())])
    before = os.path.getsize(REPORT) if os.path.exists(REPORT) else 0
    with open(WORK + '/name', 'w', encoding='utf-8') as file:
        file.write(short)
    result = call(name, image, [layer], Gimp.RunMode.INTERACTIVE, **arguments)
    with open(REPORT, encoding='utf-8') as file:
        file.seek(before)
        lines = [line.rstrip('\n').split('\t') for line in file]
    whole = result.status == 'cancel' and lines and lines.pop()[0] == 'end'
    tap.ok(whole, f'{short}: there is a dialog', result, lines)
    return short, lines


def menu_title(name):
    """The entry of the menu without its mnemonic and the ellipsis."""
    label = Gimp.get_pdb().lookup_procedure(name).get_menu_label()
    return re.sub(r'\(_.\)', '', label).replace('_', '').rstrip('.… \u00a0')


def check_words(name, short, lines):
    titles = {line[2] for line in lines if line[0] == 'title'}
    tap.same(titles, {menu_title(name)}, f'{short}: its title is that of the menu')
    tap.same([line for line in lines if line[0] == 'twice'], [],
             f'{short}: no tooltip says something twice')
    tap.same([line for line in lines if line[0] == 'covers'], [],
             f'{short}: no tooltip covers the number of basins or its slider')
    texts = [line[2] for line in lines if line[0] == 'text' and len(line) > 2]
    if not ENGLISH:
        return
    for unit in UNITS.get(name, []):
        tap.ok(any(text.startswith(unit) for text in texts), f'{short}: numbers are “{unit}”', texts)
    first, later = ([line[-1] for line in lines if line[0] == 'letter' and (line[1] == '0') == yes]
                    for yes in (True, False))
    bare = {line[-1] for line in lines if line[0] == 'none' and line[1] == '0'}
    tap.ok(set(ADVANCED) - bare <= set(first) and not set(ADVANCED) & set(later),
           f'{short}: the device is on the first page, in “Advanced”', first, later)


def check(short, lines):
    pages = {}
    for what, page, *rest in lines:
        pages.setdefault(page, {}).setdefault(what, []).append(rest)
    twice, without, cut, large = [], [], [], []
    for page, found in pages.items():
        places = {}
        for letter, text in found.get('letter', []):
            places.setdefault(letter, []).append(text)
        twice += [(page, letter, texts) for letter, texts in places.items() if len(texts) > 1]
        # the letters may not suffice for all labels of a page
        taken = {letter.lower() for letter in places}
        bare = [rest for rest in found.get('none', [])
                if len(found['none']) > 2
                or not {c for c in rest[-1].lower() if c.isalpha()} <= taken]
        without += [(page, *rest) for rest in bare]
        cut += [(page, *rest) for rest in found.get('cut', [])]
        width, height = map(int, found['window'][0])
        if width > SCREEN[0] or height > SCREEN[1]:
            large.append((page, width, height))
    tap.same(twice, [], f'{short}: no mnemonic has two controls')
    tap.same(without, [], f'{short}: every control has a mnemonic')
    tap.same(cut, [], f'{short}: no text is cut off')
    tap.same(large, [], f'{short}: it fits the screen')


def all_of_them():
    image, layer = gray_image(ROWS, RGB, alpha=True)
    new_layer(image, ROWS, name='second')
    path = Gimp.Path.new(image, 'points')
    image.insert_path(path, None, 0)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 5, 5, 90, 90)
    numbers, number_layer = gray_image(ROWS, precision=P.U16_NON_LINEAR)
    new_layer(numbers, ROWS, name='second')
    names = procedures()
    tap.ok(len(names) >= 15, 'all procedures are registered', names)
    # in another language, or on a dark ground, the largest dialogs and a part of the others
    if not PLAIN and not IS_LONG:
        names = of_today(names, WATERSHED, DISTANCE, GEODESIC)
    for name in names:
        for arguments in MORE.get(name, []) + [{}]:
            of_labels = name.removeprefix(PREFIX) in LABEL_TOOLS
            short, lines = inspect(name, *((numbers, number_layer) if of_labels else (image, layer)),
                                   arguments)
            check(short, lines)
            check_words(name, short, lines)
    image.delete()
    numbers.delete()


def share_of_objects():
    """The histogram tells the share of the objects, whichever side they are on."""
    image, layer = gray_image(ROWS)
    for name, arguments, dark in ((WATERSHED, {'input': 'objects', 'objects': 'light'}, False),
                                  (WATERSHED, {'input': 'objects', 'objects': 'dark'}, True),
                                  (WATERSHED, {'background': 'dark', 'objects': 'dark'}, False),
                                  (WATERSHED, {'background': 'bright'}, True),
                                  (DISTANCE, {'side': 'inside'}, False),
                                  (DISTANCE, {'side': 'outside'}, True),
                                  (FILTER % 'threshold', {'below': False}, False),
                                  (FILTER % 'threshold', {'below': True}, True)):
        short, lines = inspect(name, image, layer, arguments)
        check(short, lines)
        if ENGLISH:
            found = [line[2] for line in lines if line[0] == 'text' and 'above it' in line[-1]]
            tap.ok(found and all(('not above it' in text) == dark for text in found),
                   f'{short}: the share is that of the objects', found)
    image.delete()


def in_linear_light():
    """Units are longer, and the same beside all numbers."""
    image, layer = gray_image(ROWS, precision=P.U8_LINEAR)
    for arguments in ({'merge_value': 0.2}, {'merge_by': 'volume', 'merge_value': 0.2}):
        short, lines = inspect(WATERSHED, image, layer, arguments)
        check(short, lines)
        if ENGLISH:
            units = {line[2].partition(' (')[0] for line in lines
                     if line[0] == 'text' and len(line) > 2 and 'white' in line[2]}
            tap.ok('of white, linear light' in units and
                   all(unit.endswith(', linear light') for unit in units),
                   f'{short}: all units say that it is linear light', units)
    image.delete()


def look():
    """The language, or "dark"."""
    locale = os.environ.get('LANGUAGE') or os.environ.get('LC_ALL', 'C')[:2]
    return 'dark' if ENGLISH else locale


os.makedirs(os.environ['INSPECTOR_PICTURES'], exist_ok=True)
# languages and the dark ground take turns by days
if PLAIN or IS_LONG or TIER != 'all' or LOOKS.index(look()) % 2 == DAY % 2:
    tap.group(all_of_them)
    tap.group(share_of_objects)
    tap.group(in_linear_light)
else:
    tap.skip(look(), f'it has its turn on another day: WAVEFRONT_TEST_DAY={DAY + 1}')
tap.done()
