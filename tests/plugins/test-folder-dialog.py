# SPDX-License-Identifier: GPL-3.0-or-later

"""A folder of images processed from a dialog: its results are those of a call for each image."""

import csv
import glob
import shutil
import time

from gi.repository import Gio

from gimptest import *
from person import Person, press, wait_for, windows
from scenes import cells, large_image
from screen import screen, settle

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
WORK = os.environ['WORK']
QUIET, INTERACTIVE = Gimp.RunMode.NONINTERACTIVE, Gimp.RunMode.INTERACTIVE
IN, OUT = f'{WORK}/pictures', f'{WORK}/results'
TITLE = 'Process a Folder'
START = 'Return'
NAMES = ('a', 'b', 'c')
OBJECTS = {'input': 'objects', 'label_image': True, 'min_area': 12.0}


class Processor(Person):
    """Also operates the window of the folder: 'key:KEY', 'shot:NAME', and 'end:FILE', which waits for
    a file and until nothing works.  'now:KEY' presses a key without waiting for what it begins, and
    'soon:PATTERN' waits for a file only."""

    def find_folder(self):
        wait_for(lambda: windows(TITLE), 20)
        return windows(TITLE)[-1]

    def do(self, what, name):
        if what in ('key', 'now'):
            press(self.find_folder(), name)
        elif what == 'shot':
            screen().save(f'{SHOTS}/folder-{name}{LOOK}.png', self.find_folder())
        elif what == 'end':
            wait_for(lambda: os.path.exists(f'{OUT}/{name}'), 60)
            settle()
        elif what == 'soon':
            wait_for(lambda: glob.glob(f'{OUT}/{name}'), 60)
            time.sleep(0.3)
            return True
        else:
            return super().do(what, name)
        return what in ('shot', 'now')


def choose(name, **values):
    """What was chosen last time."""
    lines = [f'{key.replace("_", "-")}={value}' for key, value in
             {'input': IN, 'output': OUT, 'name': '{name}-made', 'joined': 1, **values}.items()]
    Gimp.attach_parasite(Gimp.Parasite.new(f'wavefront-folder:{name}', 0,
                                           ('[folder]\n' + '\n'.join(lines) + '\n').encode()))


def ask(name, image, actions, **arguments):
    forget()
    person = Processor(TITLES[name], actions, f'{SHOTS}/folder-%s{LOOK}.png')
    result = call(name, image, image.get_layers(), INTERACTIVE, **arguments)
    person.join()
    return result


def load(path):
    image = Gimp.file_load(QUIET, Gio.File.new_for_path(path))
    if image is None:
        raise AssertionError(f'{path} cannot be read')
    return image


def make_pictures(names=NAMES):
    for path in (IN, OUT):
        shutil.rmtree(path, ignore_errors=True)
    os.mkdir(IN)
    for i, name in enumerate(names):
        image, layer = gray_image(cells(120 + 20 * i, 120))
        Gimp.file_save(QUIET, image, Gio.File.new_for_path(f'{IN}/{name}.png'), None)
        image.delete()


def read_table(path):
    with open(path, newline='') as file:
        return list(csv.reader(file))


def read_layers(image):
    return [(layer.get_name().partition('.')[0], layer.get_offsets()[1:], colors(layer))
            for layer in image.get_layers()]


def files(folder):
    return sorted(os.listdir(folder)) if os.path.exists(folder) else []


def watershed():
    """Layers, numbers, tables and outlines of three images; a broken one among them fails alone."""
    make_pictures()
    with open(f'{IN}/broken.png', 'w') as file:
        file.write('no picture')
    choose(WATERSHED, table=1, outlines=1, existing=2)
    image, layer = gray_image(cells(100, 100))
    result = ask(WATERSHED, image, ['look:dialog', 'ctrl+shift+f', 'shot:before', f'key:{START}',
                                    'end:objects.csv', 'shot:after', 'key:Escape', 'Escape'],
                 **OBJECTS)
    tap.ok(result.status == 'cancel' and layer_names(image) == ['layer'],
           'the image of the dialog stays as it is', result)
    ends = ('-made-numbers.xcf', '-made.csv', '-made.geojson', '-made.xcf')
    tap.same(files(OUT), sorted(['objects.csv', *(name + end for name in NAMES for end in ends)]),
             'the results')
    joined = []
    for name in NAMES:
        picture = load(f'{IN}/{name}.png')
        table, outlines = f'{WORK}/one.csv', f'{WORK}/one.geojson'
        values = must(call(WATERSHED, picture, picture.get_layers(),
                           table_file=Gio.File.new_for_path(table),
                           outline_file=Gio.File.new_for_path(outlines), **OBJECTS))
        rows = read_table(table)
        tap.same(read_table(f'{OUT}/{name}-made.csv'), rows, f'{name}: the table')
        joined += [['file', *rows[0]]] if not joined else []
        joined += [[f'{name}.png', *row] for row in rows[1:]]
        with open(outlines) as one, open(f'{OUT}/{name}-made.geojson') as other:
            tap.same(other.read(), one.read(), f'{name}: the outlines')
        saved = load(f'{OUT}/{name}-made.xcf')
        tap.same(read_layers(saved), read_layers(picture), f'{name}: the layers')
        numbers = load(f'{OUT}/{name}-made-numbers.xcf')
        made = values['label-image']
        tap.same(levels(numbers.get_layers()[0]), levels(made.get_layers()[0]),
                 f'{name}: the numbers')
        for one in (picture, saved, numbers, made):
            one.delete()
    tap.ok(len(joined) > 10, 'there are objects', joined)
    tap.same(read_table(f'{OUT}/objects.csv'), joined, 'the table of all objects')
    tap.same([one.get_id() for one in Gimp.get_images()], [image.get_id()], 'no image is left open')
    image.delete()


def filters():
    """Of a filter, in PNG files: the new layer alone, and nothing that exists is touched."""
    name = FILTER % 'fill-holes'
    make_pictures(('a', 'b'))
    os.mkdir(OUT)
    with open(f'{OUT}/b-made.png', 'w') as file:
        file.write('mine')
    choose(name, format=2, layers_only=1, existing=1)
    image, layer = gray_image(cells(100, 100))
    ask(name, image, ['ctrl+shift+f', 'shot:filter', f'key:{START}', 'end:a-made.png',
                      'shot:filter-after', 'key:Escape', 'Escape'])
    tap.same(files(OUT), ['a-made.png', 'b-made.png'], 'a filter: the results')
    with open(f'{OUT}/b-made.png') as file:
        tap.same(file.read(), 'mine', 'a file that exists')
    picture = load(f'{IN}/a.png')
    filled = must(call(name, picture, picture.get_layers()))['layer']
    saved = load(f'{OUT}/a-made.png')
    tap.same(levels(saved.get_layers()[0]), levels(filled), 'a filter: its levels')
    picture.delete()
    saved.delete()
    image.delete()


def cancelled():
    """Escape ends the work within an image: an image has all of its results or none."""
    make_pictures(())
    image, layer = large_image(2500, cells(200, 150))
    Gimp.file_save(QUIET, image, Gio.File.new_for_path(f'{IN}/a.png'), None)
    image.delete()
    for name in NAMES[1:]:
        shutil.copy(f'{IN}/a.png', f'{IN}/{name}.png')
    choose(WATERSHED, format=1, existing=2, table=1)
    image, layer = gray_image(cells(60, 60))
    ask(WATERSHED, image, ['ctrl+shift+f', f'now:{START}', 'soon:.wavefront-*', 'shot:during',
                           'key:Escape', 'shot:cancelled', 'key:Escape', 'Escape'], **OBJECTS)
    made = files(OUT)
    ends = ('-made-numbers.tif', '-made.csv', '-made.tif')
    done = [name for name in NAMES if f'{name}-made.csv' in made]
    results = [name + end for name in done for end in ends]
    tap.same(made, sorted([*results, *['objects.csv'][:len(done)]]),
             'cancelled: images have all of their results or none')
    tap.ok(len(done) < len(NAMES), 'cancelled: some are not processed', made)
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
for group in (watershed, filters, cancelled):
    tap.group(group)
tap.done()
