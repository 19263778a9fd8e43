# SPDX-License-Identifier: GPL-3.0-or-later

"""Every page of every dialog with all sections expanded: each control has its own mnemonic, no
text is cut off, and the dialog fits a small screen.

A module that GTK loads into the plug-ins inspects the dialogs (dialog-inspector.c).
"""

import os

from gimptest import *

WORK = os.environ['WORK']
REPORT = WORK + '/dialogs'
SCREEN = 1280, 720
PREFIX = 'plug-in-wavefront-'

ROWS = random_rows(300, 200, 255, 'controls', steps=9)

# settings that show further controls
MORE = {WATERSHED: [{'input': 'objects', 'markers': 'layer'},
                    {'input': 'gradient', 'markers': 'path', 'lines_layer': True}],
        DISTANCE: [{'output': 'contours', 'unit': 'image'}, {'output': 'clipped'}]}


def procedures():
    names = Gimp.get_pdb().query_procedures(PREFIX, *[''] * 7)
    return sorted(names)


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
        without += [(page, *rest) for rest in found.get('none', [])]
        cut += [(page, *rest) for rest in found.get('cut', [])]
        width, height = map(int, found['window'][0])
        if width > SCREEN[0] or height > SCREEN[1]:
            large.append((page, width, height))
    tap.same(twice, [], f'{short}: no mnemonic has two controls')
    tap.same(without, [], f'{short}: every control has a mnemonic')
    tap.same(cut, [], f'{short}: no text is cut off')
    tap.same(large, [], f'{short}: it fits the screen')


def all_of_them():
    image, layer = grey_image(ROWS, RGB, alpha=True)
    new_layer(image, ROWS, name='second')
    path = Gimp.Path.new(image, 'points')
    image.insert_path(path, None, 0)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 5, 5, 90, 90)
    names = procedures()
    tap.ok(len(names) >= 15, 'all procedures are registered', names)
    for name in names:
        for arguments in MORE.get(name, []) + [{}]:
            check(*inspect(name, image, layer, arguments))
    image.delete()


os.makedirs(os.environ['INSPECTOR_PICTURES'], exist_ok=True)
tap.group(all_of_them)
tap.done()
