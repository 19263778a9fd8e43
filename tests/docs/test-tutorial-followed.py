# SPDX-License-Identifier: GPL-3.0-or-later

"""The tutorial as a person follows it: in one session of GIMP, from its first picture to the last,
with the menus, the mouse and the keyboard (FOLLOWED in docs/steps.py).  What the dialogs say is
read from the screen, and after each OK the canvas is judged.

Pictures of the screen after each OK, and of each dialog before it, are in the folder $SHOTS.
"""

import os
import pathlib
import re
import sys

# the last folder: that of the tests in GIMP has a module called pictures, too
sys.path.append(os.environ['DOCS'])

import numpy

from drawn import Cells, components
from gimptest import *
from hand import *
from person import output, press, wait_for, windows
from screen import screen, settle
from steps import FOLLOWED

SHOTS = os.environ['SHOTS']
DATA = pathlib.Path(os.environ['DOCS']).parent / 'data'
TEXT = ' '.join((DATA.parent / 'docs' / 'tutorial.md').read_text(encoding='utf-8').split())
CONTRAST = 96       # of a line that is readable, as in ui/preview/line-contrast.h
THRESHOLD = 0.34
STROKE = [(x, x + 30) for x in range(290, 360, 10)]     # across the gland


# ---------------------------------------------------------------- what lies on the canvas

def areas(basins):
    """For each color of a layer of basins, where it is."""
    seen = pixels(basins)
    colors = (seen * (1 << 24, 1 << 16, 1 << 8, 1)).sum(axis=2)
    return [colors == color for color in numpy.unique(colors[seen[:, :, 3] > 0])]


def share_of_box(area):
    """How much of its bounding box an area fills, and how wide that is compared to its height."""
    y, x = numpy.nonzero(area)
    width, height = numpy.ptp(x) + 1, numpy.ptp(y) + 1
    return area.sum() / (width * height), width / height


def is_on_screen(image, name):
    same = locate(image)[0]
    tap.ok(same > 0.97, f'{name}: the canvas shows it', same)


def has_lines(image, lines, name):
    """The picture is seen between the lines, and all lines are readable on it."""
    below, seen = pixels(image.get_layers()[-1])[:, :, :3], flattened(image)
    top, left = lines.get_offsets()[2], lines.get_offsets()[1]
    on = numpy.zeros(below.shape[:2], bool)
    on[top:top + lines.get_height(), left:left + lines.get_width()] = pixels(lines)[:, :, 3] > 0
    tap.ok(on.any() and (seen[~on] == below[~on]).all(),
           f'{name}: the picture is seen between the lines')
    contrast = abs(seen - below).max(axis=2)[on]
    tap.ok((contrast >= CONTRAST).all(), f'{name}: the lines are readable', contrast.min())


def judge_coins(image):
    lines, basins, coins = image.get_layers()
    has_lines(image, lines, 'coins')
    found = sorted(areas(basins), key=lambda area: -area.sum())
    round_ones = [area for area in found[1:] if 0.68 < share_of_box(area)[0] < 0.88
                  and 0.75 < share_of_box(area)[1] < 1.33 and area.sum() > 500]
    tap.ok(len(found) == 25 and len(round_ones) == 24 and found[0].mean() > 0.4,
           'coins: 24 round ones, and the background', len(found),
           [(area.sum(), *share_of_box(area)) for area in found])
    tap.same(image.get_selected_layers(), [coins], 'coins: their layer stays selected')


def judge_ground(image):
    made = image.get_layers()[0]
    found = sorted(areas(image.get_layers()[2]), key=lambda area: -area.sum())
    level = pixels(made)[:, :, 0]
    tap.ok(numpy.median(level[found[0]]) < 12, 'ground: the background is black',
           numpy.median(level[found[0]]))
    bright = [numpy.median(level[area]) > 40 for area in found[1:]]
    tap.ok(all(bright), 'ground: every coin is there', bright)
    tap.same(image.get_selected_layers(), [made], 'ground: the result is selected')


def judge_filled(image):
    made, before = [pixels(layer)[:, :, 0] for layer in image.get_layers()[:2]]
    tap.ok((made >= before).all() and (made > before).mean() > 0.02,
           'filled: dark parts are filled', (made > before).mean())
    tap.same(image.get_selected_layers(), image.get_layers()[:1], 'filled: the result is selected')


def judge_contours(image):
    lines, cells = image.get_layers()
    has_lines(image, lines, 'contours')
    inside = pixels(cells)[:, :, 0] > THRESHOLD * 255
    on = pixels(lines)[:, :, 3] > 0
    tap.ok(inside[on].all(), 'contours: they lie within the cells', inside[on].mean())


def judge_cells(image):
    lines, basins = image.get_layers()[:2]
    tap.ok((pixels(lines)[:, :, 3] > 0).any() and not basins.get_visible(),
           'cells: lines over the picture')
    labels = numpy.zeros((512, 512), int)
    for number, area in enumerate(areas(basins), 1):
        labels[area] = number
    alone, agreement = drawn_cells.alone(labels), drawn_cells.agreement(labels)
    tap.ok(alone == len(drawn_cells.cells) == 81 and agreement > 0.75,
           'cells: each that was drawn has its own basin', alone, agreement)


def selected(image):
    return pixels(image.get_selection(), "Y u8", 1)[:, :, 0] > 127


def judge_glands(image):
    has_lines(image, image.get_layers()[0], 'glands')
    area = selected(image)
    tap.same(int(area.sum()), 20352, 'glands: one of them is selected')
    tap.ok(area[395, 315], 'glands: that under the spot')


def judge_gland(image):
    lines, basins = image.get_layers()[:2]
    cells = sum(components(area) for area in areas(basins))     # some have the same color
    tap.same(cells, 83, 'gland: its cells have their own basins')
    tap.ok((pixels(lines)[:, :, 3] > 0).any(), 'gland: and lines')


# ---------------------------------------------------------------- a person

def draw_ellipse(image, left, top, width, height):
    draw_on_canvas(image, 'e', line((left, top), (left + width, top + height)))


def reset(title):
    eyes.press(title, 'Reset')
    eyes.press(title, 'Reset to Factory Defaults')


def reads(title, text):
    tap.ok(wait_for(lambda: any(text in one for one in eyes.texts(title)), 10, 0.2),
           f'{title}: it says {text}', *eyes.texts(title))


def drag(title, label):
    """Drags a slider to the right; the number of basins falls meanwhile."""
    slider = eyes.labelled(title, ('scale',), label)
    counts = []
    y = str(slider.top + slider.height // 2)
    output('xdotool', 'mousemove', str(slider.left + 8), y, 'mousedown', '1')
    for share in (0.4, 0.7, 0.9):
        output('xdotool', 'mousemove', str(slider.left + int(slider.width * share)), y)
        counts += [int(one.split()[0]) for one in eyes.texts(title)
                   if one.endswith('basins') and one[0].isdigit()][:1]
    output('xdotool', 'mouseup', '1')
    tap.ok(len(counts) == 3 and counts[0] > counts[1] > counts[2],
           f'{title}: the slider merges basins while it is dragged', counts)


def act(title, verb, *values):
    if verb == 'read':
        reads(title, *values)
    elif verb == 'drag':
        drag(title, *values)
    elif verb == 'page':
        eyes.press(title, *values)
    else:
        getattr(eyes, verb)(title, *values)


def follow(step, image):
    before, *more = step.before or ('',)
    if before == 'open':
        image = open_picture(f'{WORK}/{more[0]}.png')
    elif before == 'undo':
        press(windows(MAIN)[0], 'ctrl+z')
    for ellipse in more[1:]:
        draw_ellipse(image, *ellipse)
    eyes.menu(MAIN, 'Filters', 'Morphology', *step.menu[:-1], step.menu[-1] + '...')
    if not tap.ok(wait_for(lambda: windows(step.title), 30), f'{step.name}: the dialog opens'):
        return image
    reset(step.title)
    for action in step.actions:
        act(step.title, *action)
    settle()
    screen().save(f'{SHOTS}/{step.name}-dialog.png')
    eyes.press(step.title, 'OK')
    wait_for(lambda: len(image.get_layers()) == step.layers, 30)
    settle()
    screen().save(f'{SHOTS}/{step.name}.png')
    if tap.same(len(image.get_layers()), step.layers, f'{step.name}: OK makes layers'):
        is_on_screen(image, step.name)
        globals()['judge_' + step.name](image)
    return image


def count(title):
    """The number of basins that a dialog says."""
    return next((one for one in eyes.texts(title) if re.fullmatch(r'\d+ of \d+ basins', one)), '')


def paint(image):
    """Painting on the image while a dialog is open is in the preview, once it is looked at again."""
    title = 'Watershed'
    _, left, top = locate(image)
    eyes.menu(MAIN, 'Filters', 'Morphology', title + '...')
    wait_for(lambda: windows(title), 30)
    reset(title)
    eyes.press(title, 'Basins')
    wait_for(lambda: count(title), 20)
    before = count(title)
    dialog, main = windows(title)[0], windows(MAIN)[0]
    output('xdotool', 'windowmove', dialog, '500', '860')
    press(main, 'shift+b')      # the bucket: there may be no brushes here
    stroke([(left + x, top + y) for x, y in STROKE])
    screen().save(f'{SHOTS}/paint.png')
    output('xdotool', 'windowmove', dialog, '120', '200')
    output('xdotool', 'windowfocus', '--sync', dialog)
    tap.ok(before and wait_for(lambda: count(title) not in ('', before), 20, 0.2),
           'painting refreshes the preview', before, count(title))
    screen().save(f'{SHOTS}/paint-dialog.png')
    eyes.press(title, 'Cancel')


# ---------------------------------------------------------------- the text

def said(step):
    """The tutorial has every label and every value of the step."""
    missing = []
    for verb, *values in step.actions:
        if verb != 'read':
            missing += [f'*{values[0]}*'] * (f'*{values[0]}*' not in TEXT)
        if verb in ('choose', 'type', 'read'):
            missing += [f'**{values[-1]}'] * (f'**{values[-1]}' not in TEXT)
    missing += [one for one in step.menu if one not in TEXT]
    tap.ok(not missing, f'{step.name}: the tutorial says what to do', *missing)


def all_of_it():
    global drawn_cells
    drawn_cells = Cells(str(DATA / 'make-cells.py'), f'{WORK}/cells.png')
    wait_for(lambda: windows(EMPTY), 30)
    output('xdotool', 'windowsize', windows(EMPTY)[0], '1270', '1000')
    settle()
    image = None
    for step in FOLLOWED:
        said(step)
        image = follow(step, image)
    paint(image)
    for each in Gimp.get_images():
        each.clean_all()


os.makedirs(SHOTS, exist_ok=True)
if get_photographs(DATA):
    tap.group(all_of_it)
else:
    tap.skip('the tutorial', 'its pictures are missing')
tap.done()
