# SPDX-License-Identifier: GPL-3.0-or-later

"""A folder of images processed from a dialog: its results are those of a call for each image."""

import csv
import glob
import shutil
import time

from gi.repository import Gio

from gimptest import *
from person import Person, clipboard, press, wait_for, windows
from scenes import cells, large_image
from scripts import history
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
COLUMNS = ['file', 'label', 'area', 'pixels', 'feret_max', 'feret_max_angle', 'feret_min',
           'feret_min_angle', 'mean', 'unit']


class Processor(Person):
    """Also operates the window of the folder: 'key:KEY', 'shot:NAME', and 'end:FILE', which waits for
    a file and until nothing works.  'now:KEY' presses a key without waiting for what it begins,
    'soon:PATTERN' waits for a file only, and 'copy:TEXT' copies the summary, which begins with a
    text."""

    copied = ''

    def find_folder(self):
        wait_for(lambda: windows(TITLE), 20)
        return windows(TITLE)[-1]

    def copy(self):
        press(self.find_folder(), 'alt+o')
        self.copied = clipboard()
        return self.copied

    def do(self, what, name):
        if what in ('key', 'now'):
            press(self.find_folder(), name)
        elif what == 'shot':
            screen().save(f'{SHOTS}/folder-{name}{LOOK}.png', self.find_folder())
        elif what == 'end':
            wait_for(lambda: os.path.exists(f'{OUT}/{name}'), 60)
            settle()
        elif what == 'copy':
            wait_for(lambda: self.copy().startswith(name), 30, 0.3)
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
    result.copied = person.copied
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
        per_inch = (72, 12700)[name == 'b']   # the others have no unit
        image.set_resolution(per_inch, per_inch)
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
    """Layers, numbers, tables of chosen columns and outlines of three images, one of them with a unit;
    a broken one among them fails alone."""
    make_pictures()
    with open(f'{IN}/broken.png', 'w') as file:
        file.write('no picture')
    choose(WATERSHED, table=1, outlines=1, existing=2)
    image, layer = gray_image(cells(100, 100))
    settings = {**OBJECTS, 'table_measures': 'mean,area,feret'}
    result = ask(WATERSHED, image, ['look:dialog', 'ctrl+shift+f', 'shot:before', f'key:{START}',
                                    'end:objects.csv', 'shot:after', 'key:Escape', 'Escape'],
                 **settings)
    tap.ok(result.status == 'cancel' and layer_names(image) == ['layer'],
           'the image of the dialog stays as it is', result)
    ends = ('-made-numbers.xcf', '-made.csv', '-made.geojson', '-made.xcf')
    tap.same(files(OUT), sorted(['objects.csv', *(name + end for name in NAMES for end in ends)]),
             'the results')
    joined = [COLUMNS]
    for name in NAMES:
        picture = load(f'{IN}/{name}.png')
        table, outlines = f'{WORK}/one.csv', f'{WORK}/one.geojson'
        values = must(call(WATERSHED, picture, picture.get_layers(),
                           table_file=Gio.File.new_for_path(table),
                           outline_file=Gio.File.new_for_path(outlines), **settings))
        rows = read_table(table)
        tap.same(read_table(f'{OUT}/{name}-made.csv'), rows, f'{name}: the table')
        tap.same([column for column in COLUMNS[1:] if column not in rows[0]],
                 [] if name == 'b' else ['pixels', 'unit'], f'{name}: the columns')
        joined += [[{'file': f'{name}.png', **dict(zip(rows[0], row))}.get(column, '')
                    for column in COLUMNS] for row in rows[1:]]
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
    """Of a filter, in PNG files: the new layer alone, and nothing that exists is touched.  The copy
    that GIMP adds to a TIFF file, which is larger than a small image, is not the image."""
    name = FILTER % 'fill-holes'
    make_pictures(('a', 'b'))
    small, layer = gray_image(cells(64, 80), RGB)
    Gimp.file_save(QUIET, small, Gio.File.new_for_path(f'{IN}/c.tif'), None)
    os.mkdir(OUT)
    with open(f'{OUT}/b-made.png', 'w') as file:
        file.write('mine')
    choose(name, format=2, layers_only=1, existing=1)
    image, layer = gray_image(cells(100, 100))
    ask(name, image, ['ctrl+shift+f', 'shot:filter', f'key:{START}', 'end:c-made.png',
                      'shot:filter-after', 'key:Escape', 'Escape'])
    tap.same(files(OUT), ['a-made.png', 'b-made.png', 'c-made.png'], 'a filter: the results')
    with open(f'{OUT}/b-made.png') as file:
        tap.same(file.read(), 'mine', 'a file that exists')
    for which, picture in (('a', load(f'{IN}/a.png')), ('c', small)):
        filled = must(call(name, picture, picture.get_layers()))['layer']
        saved = load(f'{OUT}/{which}-made.png')
        tap.same(levels(saved.get_layers()[0]), levels(filled), f'a filter: its levels, {which}')
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


def encodings():
    """A threshold is the same gray in images of another precision and encoding.  Paths alone are in
    XCF files, and the steps that led to them do not name the table of all objects."""
    make_pictures(('a',))
    picture = load(f'{IN}/a.png')
    picture.convert_precision(P.FLOAT_LINEAR)
    Gimp.file_save(QUIET, picture, Gio.File.new_for_path(f'{IN}/b.xcf'), None)
    picture.delete()
    choose(WATERSHED, format=2, layers_only=1, existing=2)
    image, layer = gray_image(cells(60, 60))
    ask(WATERSHED, image, ['ctrl+shift+f', 'shot:paths', f'key:{START}', 'end:objects.csv',
                           'key:Escape', 'Escape'], threshold=0.45, automatic_threshold=False,
        lines_layer=False, basins_layer=False, lines_path=True, **OBJECTS)
    tap.same(files(OUT), ['a-made-numbers.tif', 'a-made.xcf', 'b-made-numbers.tif', 'b-made.xcf',
                          'objects.csv'], 'paths alone: the results')
    numbers = [load(f'{OUT}/{name}-made-numbers.tif') for name in 'ab']
    found = [levels(one.get_layers()[0]) for one in numbers]
    tap.ok(found[0] == found[1] and max(map(max, found[0])) > 5, 'the same objects in linear light')
    for name in 'ab':
        saved = load(f'{OUT}/{name}-made.xcf')
        paths = saved.get_paths()
        tap.ok(len(paths) == 1 and len(saved.get_layers()) == 1, f'{name}: a path in the image')
        tap.ok(paths and 'objects.csv' not in history(saved, paths[0])['python-fu'],
               f'{name}: the steps name no table of other images')
        saved.delete()
    for one in (image, *numbers):
        one.delete()


def stacks():
    """A small copy in a file is no slice.  What was typed counts at once."""
    name = FILTER % 'h-maxima'
    make_pictures(())
    image, layer = gray_image(cells(60, 50))
    new_layer(image, cells(60, 50, 5))
    new_layer(image, cells(20, 20), name='small')
    Gimp.file_save(QUIET, image, Gio.File.new_for_path(f'{IN}/a.xcf'), None)
    image.remove_layer(image.get_layers()[0])
    wanted = must(call(name, image, image.get_layers()[:1], stack=True, height=0.3))['layer']
    choose(name, layers_only=1, existing=2)
    other, layer = gray_image(cells(60, 50))
    new_layer(other, cells(60, 50, 6))
    ask(name, other, ['alt+e', 'ctrl+a', '0', 'period', '3', 'ctrl+shift+f', 'shot:stack', f'key:{START}',
                      'end:a-made.xcf', 'shot:stack-after', 'key:Escape', 'Escape'], stack=True,
        height=0.1)
    saved = load(f'{OUT}/a-made.xcf')
    groups = saved.get_layers()
    tap.same([len(one.get_children()) for one in groups], [2], 'a stack: its slices')
    tap.same([levels(one) for one in groups[0].get_children()],
             [levels(one) for one in wanted.get_children()], 'a stack: its levels')
    for one in (image, other, saved):
        one.delete()


def refused():
    """Without the memory that an image takes it fails, as its pixels cannot be in the swap beside the
    preview."""
    name = FILTER % 'fill-holes'
    make_pictures(('a', 'b'))
    choose(name, existing=2)
    image, layer = gray_image(cells(60, 50))
    result = ask(name, image, ['ctrl+shift+f', f'key:{START}', 'copy:file\t',
                               'shot:refused', 'key:Escape', 'Escape'], memory_limit=1)
    lines = result.copied.splitlines()[1:]
    tap.ok([line.split('\t')[0] for line in lines] == ['a.png', 'b.png'] and
           all('is not possible in parts of the image' in line for line in lines),
           'beside a dialog there is no swap', result.copied)
    tap.same(files(OUT), [], 'what was refused leaves nothing')
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
for group in (watershed, filters, encodings, stacks, refused, cancelled):
    tap.group(group)
tap.done()
