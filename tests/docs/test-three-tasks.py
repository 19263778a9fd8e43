# SPDX-License-Identifier: GPL-3.0-or-later

"""The three tasks of docs/three-tasks.md (docs/films.py), done in one session of GIMP with the mouse and
the keyboard.  What the dialogs say is read from the screen, and what comes out is judged: tables,
layers, and an image that is saved, loaded and changed.

Pictures of the steps are in the folder $SHOTS; docs/make-films puts them into the docs.  With FILM=nuclei,
grains or fill only this task is done.
"""

import csv
import importlib.util
import math
import os
import pathlib
import sys

# the last folder: that of the tests in GIMP has a module called pictures, too
sys.path.append(os.environ['DOCS'])

import numpy

import films
from gimptest import *
from hand import *
from person import output, press, wait_for, windows
from screen import screen, settle

SHOTS = os.environ['SHOTS']
DOCS = pathlib.Path(os.environ['DOCS'])
DATA = DOCS.parent / 'data'
TEXT = ' '.join((DOCS / 'three-tasks.md').read_text(encoding='utf-8').split())
N_GRAINS = 152              # in the table
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
SIZE = (1000, 760)          # of GIMP's window
BELOW = 80                  # where a menu may reach


# ---------------------------------------------------------------- steps

class Player:
    """Takes the steps of a film; each verb is a method."""

    def __init__(self, film):
        self.name, self.title, self.image, self.view = film.name, MAIN, None, None
        for verb, *values in film.steps:
            getattr(self, verb)(*values)

    def open(self, name):
        self.image = open_picture(f'{WORK}/{name}')

    def menu(self, *labels):
        eyes.menu(MAIN, *labels)

    def film(self, name, what, *labels):
        eyes.menu(MAIN, *labels, look=lambda: self.picture(name, what))

    def window(self, title):
        self.title = title
        tap.ok(wait_for(lambda: windows(title), 30), f'{self.name}: {title} opens')
        settle()

    def main(self):
        if self.title != MAIN:
            wait_for(lambda: not windows(self.title), 60)
        self.title = MAIN
        settle()

    def choose(self, label, value):
        eyes.choose(self.title, label, value)
        settle()

    def type(self, label, value):
        eyes.type(self.title, label, value)

    def check(self, label):
        eyes.check(self.title, label)

    def uncheck(self, label):
        eyes.check(self.title, label, 'off')

    def press(self, label):
        eyes.press(self.title, label)
        settle()

    def key(self, key):
        press(windows(self.title)[0], key)
        settle()

    def draw(self, tool, *places):
        draw_on_canvas(self.image, tool, line(*places) if len(places) == 2 else places)

    def size(self, width, height):
        output('xdotool', 'windowsize', windows(self.title)[0], str(width), str(height))
        settle()

    def preview(self, corner, size):
        self.view = Preview(self.title, corner, size)

    def click(self, place):
        output('xdotool', 'mousemove', *map(str, self.view.on_screen(place)), 'click', '1')
        settle()

    def point(self, place):
        output('xdotool', 'mousemove', *map(str, self.view.on_screen(place)))
        settle()

    def line(self, start, end):
        stroke(line(self.view.on_screen(start), self.view.on_screen(end)))

    def cell(self, name):
        eyes.click(eyes.find(self.title, lambda one: one.kind == 'cell' and one.name == name))
        settle()

    def swatch(self):
        """The foreground is the left upper one of the two colors."""
        both = eyes.find(self.title, lambda one: one.kind == 'swatch')
        eyes.click(both._replace(width=both.width // 2, height=both.height // 2))

    def save(self, title, name):
        type_path(title, f'{WORK}/{name}')

    def read(self, text):
        tap.ok(wait_for(lambda: text in eyes.texts(self.title), 10, 0.2),
               f'{self.name}: it says {text}', *eyes.texts(self.title))

    def picture(self, name, what):
        settle()
        screen().save(f'{SHOTS}/film-{self.name}-{name}.png', place=self.place_of(what),
                      pointer=True)

    def place_of(self, what):
        if what == 'main':
            return frame_of(MAIN)
        if what == 'canvas':
            return around(find_canvas())
        if what == 'screen':
            return (0, 0, *screen().size[:1], frame_of(MAIN)[3] + BELOW)
        if what == 'preview':
            seen = [one for one in eyes.look() if re.fullmatch(self.title, one.window)]
            return around(*(one for one in seen
                            if one.kind == 'area' or one.text.startswith('Split=')))
        if what == 'both':
            one, other = frame_of(MAIN), frame_of(self.title)
            left, top = min(one[0], other[0]), min(one[1], other[1])
            return (left, top, max(one[0] + one[2], other[0] + other[2]) - left,
                    max(one[1] + one[3], other[1] + other[3]) - top)
        return frame_of(self.title)


# ---------------------------------------------------------------- what comes out

def make_grains():
    """Writes the picture of the grains; the number of the grain of each pixel, and how many pixels a
    millimeter has."""
    spec = importlib.util.spec_from_file_location('make_grains', DATA / 'make-grains.py')
    grains = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(grains)
    levels, _, covered = grains.make_grains(grains.NUMBER, grains.SEED)
    grains.write_png(f'{WORK}/grains.png', levels)
    return covered, grains.PER_MILLIMETER


def rows_of(name):
    with open(f'{WORK}/{name}.csv', encoding='utf-8') as file:
        return list(csv.DictReader(file))


def basins(image):
    """For each pixel, the color of its basin; 0 where there is none."""
    layer = next(one for one in image.get_layers() if 'asins' in one.get_name())
    seen = pixels(layer)
    colors = (seen * (1 << 24, 1 << 16, 1 << 8, 1)).sum(axis=2) * (seen[:, :, 3] > 0)
    left, top = layer.get_offsets()[1:]
    return numpy.pad(colors, ((top, image.get_height() - top - colors.shape[0]),
                              (left, image.get_width() - left - colors.shape[1])))


def measured(name):
    """For each line of a table: its pixels, the place of its center in pixels, and its area in the unit."""
    for row in rows_of(name):
        area = float(row['area'])
        pixels = int(row.get('pixels', row['area']))
        side = math.sqrt(area / pixels)
        yield (pixels, (int(float(row['centroid_y']) / side), int(float(row['centroid_x']) / side)), area)


def judge_table(name, image, n):
    """A line for each object, with the area that it has in the layer of the basins."""
    rows, made = list(measured(name)), basins(image)
    tap.same(len(rows), n, f'{name}: the file has as many lines as objects were counted')
    wrong = [row for row in rows
             if made[row[1]] and row[0] > (made == made[row[1]]).sum()]
    tap.same(int((made > 0).sum()), sum(row[0] for row in rows),
             f'{name}: the areas are those of the layer')
    tap.ok(not wrong, f'{name}: none is larger than its basin', wrong)
    return made


def judge_nuclei(image):
    made = judge_table('nuclei', image, 15)
    tap.ok(0 != made[298, 226] != made[312, 227] != 0, 'nuclei: both parts of one that was split are there')
    tap.ok(made[256, 233] == made[249, 245] != 0, 'nuclei: two are one')
    tap.ok(made[290, 183] == 0, 'nuclei: one is deleted')


def judge_grains(image):
    """The areas are those of the grains that were drawn."""
    judge_table('grains', image, N_GRAINS)
    whole = set(drawn.flat) - {0, *drawn[0], *drawn[-1], *drawn[:, 0], *drawn[:, -1]}
    found = [drawn[place] for _, place, _ in measured('grains')]
    tap.ok(len(set(found)) == len(found) and set(found) <= whole, 'grains: each is one that was drawn')
    tap.same((len(whole), len(whole - set(found))), (156, 4), 'grains: those that are missing')
    areas = numpy.array([area for _, _, area in measured('grains')])
    real = numpy.bincount(drawn.flat)[found] / per_millimeter ** 2
    tap.ok((abs(numpy.quantile(areas, QUANTILES) / numpy.quantile(real, QUANTILES) - 1) < 0.06).all(),
           'grains: the sizes are distributed as those that were drawn',
           numpy.quantile(areas, QUANTILES), numpy.quantile(real, QUANTILES))
    tap.ok((areas / real > 0.8).all() and (areas / real < 1.2).all(), 'grains: each has its area',
           (areas / real).min(), (areas / real).max())


def judge_filter(image):
    """The ring is in the layer, what the filter makes of it is not; each way to fill is another."""
    layer = image.get_layers()[0]
    filters = layer.get_filters()
    tap.same([one.get_operation_name() for one in filters], ['wavefront:fill-holes'],
             'filter: it is on the layer')
    tap.same(filters[0].get_config().get_property('colors'), 'components',
             'filter: its option is the changed one')
    x, y = films.RING_MIDDLE
    inside = (slice(y - 10, y + 10), slice(x - 10, x + 10))
    own, seen = pixels(layer)[:, :, :3][inside], flattened(image)[inside]
    tap.ok((own[:, :, 0] == own[:, :, 2]).all(), 'filter: the pixels below are gray')
    # a ring of orange is no wall for blue, of which small holes between bright parts are filled
    tap.ok((seen >= own).all() and (seen[:, :, 0] > 240).all() and seen[:, :, 2].mean() < 225,
           'filter: inside of the ring red is filled up to the ring, blue is not',
           seen[:, :, 2].mean(), own[:, :, 2].mean())


# ---------------------------------------------------------------- the page

def said(film):
    """The page has each picture, and every label and value of the steps."""
    named = [f'film-{film.name}-{values[0]}.png' for verb, *values in film.steps
             if verb in ('picture', 'film')]
    missing = [name for name in named if name not in TEXT]
    for verb, *values in film.steps:
        if verb in ('choose', 'check', 'press'):
            values = [value.rstrip('.') for value in values]
            missing += [f'*{value}*' for value in values
                        if f'*{value}*' not in TEXT and f'**{value}**' not in TEXT]
        if verb in ('read', 'save'):
            missing += [values[-1]] * (values[-1] not in TEXT)
    tap.ok(not missing, f'{film.name}: the page says what to do', *missing)


def follow(film, judge):
    said(film)
    player = Player(film)
    judge(player.image)
    player.image.clean_all()
    player.key('ctrl+w')


def begin_session():
    wait_for(lambda: windows(EMPTY), 30)
    output('xdotool', 'windowmove', windows(EMPTY)[0], '0', '0')
    output('xdotool', 'windowsize', windows(EMPTY)[0], *map(str, SIZE))
    settle()


def nuclei():
    follow(films.NUCLEI, judge_nuclei)


def grains():
    follow(films.GRAINS, judge_grains)


def fill():
    follow(films.FILL, judge_filter)


drawn, per_millimeter = make_grains()
have_photographs = get_photographs(DATA)
tap.group(begin_session)
for group in nuclei, grains, fill:
    if os.environ.get('FILM', group.__name__) == group.__name__:
        if have_photographs or group == grains:
            tap.group(group)
        else:
            tap.skip(group.__name__, 'its picture is missing')
tap.done()
