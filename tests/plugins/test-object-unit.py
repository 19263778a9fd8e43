# SPDX-License-Identifier: GPL-3.0-or-later

"""The unit of objects in the watershed's dialog: that of the image, for micrographs µm, for screens
pixels; in the limit of the area, in titles and values of the table, and in what is copied and
saved.  What is saved from the dialog is what a call writes: tables of chosen columns and of levels of
another layer, and outlines.
"""

import csv
import json

from gi.repository import Gio

from eyes import Eyes, NotFound
from gimptest import *
from person import Person, clipboard, output, press, wait_for, windows
from screen import settle

TITLE, SAVING = TITLES[WATERSHED], 'Save the Objects'
OBJECTS = {'input': 'objects', 'label_image': True}
WORK = os.environ['WORK']
AREAS, CENTERS = (600, 120), (23, 59)   # of the objects, in pixels of the image
ROWS = [[200 if 10 <= x < 30 and 10 <= y < 40 or 50 <= x < 62 and 20 <= y < 30 else 20
         for x in range(80)] for y in range(60)]
INCH = 25.4   # in millimeters
LIMIT = 300   # pixels, between the areas
eyes = Eyes()


class Reader(Person):
    """Also reads the dialog, copies the table, saves it, and types the limit of the area."""

    def __init__(self, limit, actions=('alt+j', 'clear', 'show', 'read', 'copy', 'save:csv',
                                       'save:json', 'type', 'alt+o')):
        self.limit, self.seen, self.copied = limit, [], ''
        super().__init__(TITLE, actions, closes=True)

    def run(self):
        try:
            super().run()
        except NotFound:
            output('xdotool', 'key', 'Escape')   # ends the wait of the procedure
            raise

    def save(self, kind):
        path = f'{WORK}/unit.{kind}'
        eyes.press(TITLE, 'Save…')
        wait_for(lambda: windows(SAVING))
        settle()
        chooser = windows(SAVING)[-1]
        press(chooser, 'ctrl+a')
        output('xdotool', 'type', '--delay', '5', path)
        for _ in range(3):   # the first Return may accept the completion of the name
            settle()
            press(chooser, 'Return')
            if wait_for(lambda: not windows(SAVING), 2):
                break

    def type(self, text):
        """Into the left one of the entries, at its left, for it may have buttons."""
        least = min((one for one in eyes.look() if (one.window, one.kind, one.name)
                     == (TITLE, 'entry', 'Area')), key=lambda one: one.left)
        eyes.click(least._replace(width=min(least.width, 40)))
        output('xdotool', 'key', 'ctrl+a', 'BackSpace')
        output('xdotool', 'type', '--delay', '10', text)
        output('xdotool', 'key', 'Tab')

    def do(self, what, name):
        if name == 'show':   # a dialog remembers it
            eyes.check(TITLE, 'Show the table')
        elif name == 'read':
            eyes.find(TITLE, lambda one: one.kind == 'cell')
            self.seen = [one for one in eyes.look() if one.window == TITLE]
        elif name == 'copy':
            eyes.press(TITLE, 'Copy')
            wait_for(lambda: clipboard().startswith('label'), 20, 0.2)
            self.copied = clipboard()
        elif what == 'save':
            self.save(name)
        elif name == 'below':   # the next entry of a menu, whose letter others have, too
            eyes.click(eyes.labelled(TITLE, ('choice',), 'Measure on'))
            settle()
            output('xdotool', 'key', 'Down', 'Return')
        elif name == 'type':
            self.type(str(self.limit))
        elif name == 'clear':   # what the dialog before has left
            self.type('')
        else:
            return super().do(what, name)
        return False


def columns(seen):
    """Of the table on the screen: the texts below each title."""
    found = {}
    for one in seen:
        if one.kind == 'cell':
            found.setdefault(one.name, []).append(one.text)
    return found


def check(image, layer, per_inch, unit, name, side):
    """@side: of a pixel, in @name."""
    image.set_resolution(per_inch, per_inch)
    image.set_unit(unit)
    forget()
    person = Reader(LIMIT * side * side)
    result = call(WATERSHED, image, [layer], Gimp.RunMode.INTERACTIVE, **OBJECTS)
    person.join()
    must(result)['label-image'].delete()
    what = f'{name}, {per_inch:.0f} pixels per inch'
    wanted = [area * side * side for area in AREAS]

    found = columns(person.seen)
    square = name if name == 'px' else name + '²'
    tap.same(found.get(f'Area ({square})'), [f'{area:.5g}' for area in wanted],
             f'{what}: areas of the table')
    tap.same([float(text) for text in found.get(f'Centroid x ({name})', ())],
             [float(f'{x * side:.5g}') for x in CENTERS], f'{what}: places of the table')
    texts = [one.text for one in person.seen]
    tap.ok(square in texts, f'{what}: the unit of the limits', texts)
    tap.same(result['basins'], 1, f'{what}: a limit between the areas leaves one')

    copied = list(csv.DictReader(person.copied.splitlines(), delimiter='\t'))
    with open(f'{WORK}/unit.csv', encoding='utf-8') as file:
        saved = list(csv.DictReader(file))
    with open(f'{WORK}/unit.json', encoding='utf-8') as file:
        listed = json.load(file)
    for kind, rows in (('copied', copied), ('saved', saved), ('saved as JSON', listed['regions'])):
        tap.ok(all(abs(float(row['area']) / area - 1) < 1e-9 for row, area in zip(rows, wanted))
               and len(rows) == len(wanted), f'{what}: areas that are {kind}', rows, wanted)
    tap.same(saved, copied, f'{what}: the same is saved and copied')
    for kind, rows in (('copied', copied), ('saved', saved)):
        tap.same([row.get('unit', 'px') for row in rows], [name] * len(wanted),
                 f'{what}: the unit that is {kind}')
    tap.same(listed['unit'], 'pixel' if name == 'px' else name, f'{what}: that of JSON')
    for kind in ('csv', 'json'):
        os.remove(f'{WORK}/unit.{kind}')


KINDS = ('csv', 'json', 'geojson', 'zip')


def contents(name):
    with open(f'{WORK}/{name}', 'rb') as file:
        return file.read()


def saved():
    """All that the dialog copies and saves, of another layer that is chosen there."""
    image, layer = gray_image(ROWS)   # the other image keeps its last values
    layer.set_offsets(3, 2)
    image.set_resolution(INCH / 0.002, INCH / 0.002)
    image.set_unit(Gimp.Unit.mm())
    other = new_layer(image, [[x + 2 * y for x in range(90)] for y in range(70)], name='other')
    chosen = {'table_measures': 'area,feret,mean', **OBJECTS}
    forget()
    person = Reader(0, ['alt+j', 'clear', 'show', 'below', 'read', 'copy',
                        *(f'save:{kind}' for kind in KINDS), 'alt+o'])
    result = call(WATERSHED, image, [layer], Gimp.RunMode.INTERACTIVE, **chosen)
    person.join()
    must(result)['label-image'].delete()
    for kind in KINDS[2:]:
        must(call(WATERSHED, image, [layer], measure_on=other, **chosen,
                  table_file=Gio.File.new_for_path(f'{WORK}/call.csv'),
                  outline_file=Gio.File.new_for_path(f'{WORK}/call.{kind}')))['label-image'].delete()
        tap.same(contents(f'unit.{kind}'), contents(f'call.{kind}'),
                 f'outlines that are saved: {kind}')
    rows = list(csv.DictReader(contents('call.csv').decode().splitlines()))
    tap.same(list(rows[0]), ['label', 'area', 'pixels', 'feret_max', 'feret_max_angle', 'feret_min',
                             'feret_min_angle', 'mean', 'unit'], 'the columns are those chosen')
    means = [sum(x + 3 + 2 * (y + 2) for x, y in places) / len(places) for places in (
        [(x, y) for y in range(10, 40) for x in range(10, 30)],
        [(x, y) for y in range(20, 30) for x in range(50, 62)])]
    tap.ok([float(row['mean']) for row in rows] == means
           and [float(row['area']) for row in rows] == [4 * area for area in AREAS],
           'areas in µm², levels of the other layer', rows)
    for what, text in (('saved', contents('unit.csv')),
                       ('copied', person.copied.replace('\t', ',').encode())):
        tap.same(text, contents('call.csv'), f'the table that is {what} is that of a call')
    listed = json.loads(contents('unit.json'))
    tap.ok(listed['unit'] == 'µm' and [[str(v) for v in row.values()] for row in listed['regions']]
           == [[str(json.loads(v)) for v in list(row.values())[:-1]] for row in rows],
           'and so is the JSON', listed, rows)
    image.delete()


image, layer = gray_image(ROWS)
layer.set_offsets(3, 2)   # places are those in the image
check(image, layer, INCH / 0.002, Gimp.Unit.mm(), 'µm', 2)
check(image, layer, 300, Gimp.Unit.mm(), 'mm', INCH / 300)
check(image, layer, 72, Gimp.Unit.mm(), 'px', 1)
image.delete()
saved()
tap.done()
