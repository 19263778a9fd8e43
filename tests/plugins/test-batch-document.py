# SPDX-License-Identifier: GPL-3.0-or-later

"""The commands of docs/batch.md, as they stand there but for the folder of the scripts: each is run
by a shell in a folder with generated pictures.  Python and Script-Fu write the same, which is what the
procedures make of the pictures; the script of a layer's steps prints what it says.

BATCH: the folder of the scripts.  PAGE: the document.
"""

import contextlib
import csv
import io
import os
import re
import subprocess

from gi.repository import Gio

from gimptest import *
from scenes import cells
from scripts import export, stored

BATCH, PAGE, WORK = (os.environ[name] for name in ('BATCH', 'PAGE', 'WORK'))
INSTALLED = '/usr/share/wavefront/batch'
KINDS = 'python-fu-eval', 'plug-in-script-fu-eval'
SIZES = {'one': (90, 70), 'two': (80, 64), 'three': (50, 60), 'four': (70, 50), 'five': (64, 64),
         'six': (40, 40)}
N_SLICES = 4
# that another test runs
OTHERS = ('docs/cells-of-a-folder pictures results',)


def blocks(language):
    with open(PAGE, encoding='utf-8') as page:
        return re.findall(rf'^```{language}\n(.*?)^```$', page.read(), re.M | re.S)


def draw(path, seed, size):
    image, layer = gray_image(cells(*size, seed=seed))
    export(layer, path)
    image.delete()


def make_folder(kind):
    """A scratch folder with what the commands read."""
    folder = f'{WORK}/{kind}'
    for name in ('pictures', 'slices'):
        os.makedirs(f'{folder}/{name}')
    for seed, (name, size) in enumerate(SIZES.items()):
        draw(f'{folder}/pictures/{name}.png', seed, size)
    for z in range(N_SLICES):
        draw(f'{folder}/slices/z{z:02}.png', 20, (60, 50))
    return folder


def run_in_shell(command, folder):
    """Without the operations that this GIMP was given, which the other one would not find."""
    done = subprocess.run(['sh', '-c', command.replace(INSTALLED, BATCH)], cwd=folder,
                          env={key: value for key, value in os.environ.items()
                               if key not in ('GEGL_PATH', 'PYTHONPATH')},
                          capture_output=True, text=True, timeout=200, check=False)
    name = re.search(r'(outlines|stack|contact.sheet)[.(; ]', command)[1]
    tap.ok(done.returncode == 0 and 'rror' not in done.stdout,
           f'{os.path.basename(folder)}: {name}', done.returncode, done.stdout,
           done.stderr[-2000:])


def files_of(folder):
    return sorted(os.path.relpath(f'{where}/{name}', folder)
                  for where, _, names in os.walk(folder) for name in names)


def load(path):
    return Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, Gio.File.new_for_path(path))


def content(path):
    """Of an image names and pixels of its layers; of other files the bytes."""
    if os.path.splitext(path)[1] not in ('.xcf', '.png'):
        with open(path, 'rb') as file:
            return file.read()
    image = load(path)
    found = [(layer.get_name(), [stored(part) for part in layer.get_children()]
              if layer.is_group() else stored(layer)) for layer in image.get_layers()]
    image.delete()
    return found


def rows_of(path):
    with open(path, encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def both_write_the_same(folders):
    files = [files_of(folder) for folder in folders]
    wanted = sorted([f'pictures/{name}.png' for name in SIZES] +
                    [f'slices/z{z:02}.png' for z in range(N_SLICES)] +
                    [f'results/{name}.{kind}' for name in SIZES
                     for kind in ('xcf', 'png', 'geojson')] +
                    ['results/objects.csv', 'cells.xcf', 'cells-numbers.xcf', 'cells.csv',
                     'sheet.png'])
    for folder, found in zip(folders, files):
        tap.same(found, wanted, f'the files that the page names: {os.path.basename(folder)}')
    for name in sorted(set(files[0]) & set(files[1])):
        tap.ok(content(f'{folders[0]}/{name}') == content(f'{folders[1]}/{name}'),
               f'equal: {name}')


def outlines_are_those_of_the_procedure(folder):
    rows = rows_of(f'{folder}/results/objects.csv')
    for name in SIZES:
        image = load(f'{folder}/pictures/{name}.png')
        drawn = f'{WORK}/one.geojson'
        table = f'{WORK}/one.csv'
        result = must(call(WATERSHED, image, image.get_layers(), input='objects', smoothing=1.5,
                           basins_layer=False, table_file=Gio.File.new_for_path(table),
                           outline_file=Gio.File.new_for_path(drawn)))
        tap.ok(result['basins'] > 0 and
               content(f'{folder}/results/{name}.xcf') ==
               [(layer.get_name(), stored(layer)) for layer in image.get_layers()],
               f'{name}: the picture with the lines of the procedure', result)
        tap.ok(content(f'{folder}/results/{name}.geojson') == content(drawn), f'{name}: outlines')
        here = [{key: value for key, value in row.items() if key != 'file'} for row in rows
                if row['file'] == f'{name}.png']
        tap.same(here, rows_of(table), f'{name}: its lines in the table')
        image.delete()


def stack_is_that_of_the_procedure(folder):
    image = load(f'{folder}/slices/z00.png')
    for z in range(1, N_SLICES):
        image.insert_layer(Gimp.file_load_layer(
            Gimp.RunMode.NONINTERACTIVE, image,
            Gio.File.new_for_path(f'{folder}/slices/z{z:02}.png')), None, 0)
    result = must(call(WATERSHED, image, image.get_layers(), stack=True, input='objects',
                       basins_layer=False, label_image=True))
    tap.ok(result['basins'] > 1 and
           [pixels for _, pixels in content(f'{folder}/cells-numbers.xcf')] ==
           [stored(layer) for layer in result['label-image'].get_layers()],
           'the numbers of the stack are those of the procedure', result)
    tap.same(len(rows_of(f'{folder}/cells.csv')), result['basins'], 'with a line for each')
    for other in Gimp.get_images():
        other.delete()


def sheet_is_as_wide_as_given(folder):
    image = load(f'{folder}/sheet.png')
    tap.ok(image.get_width() > 5 * 200 > image.get_width() - 200 and image.get_height() > 2 * 200,
           'the sheet has five columns and two rows', image.get_width(), image.get_height())
    image.delete()


def steps_are_printed():
    """The script in Python, with a layer of two steps."""
    (script,) = blocks('python')
    image, layer = gray_image(cells(40, 30))
    for name in ('erosion', 'median'):
        layer = must(call(FILTER % name, image, [layer]))['layer']
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(script, PAGE, 'exec'), {'Gimp': Gimp, 'image': image, 'layer': layer})
    tap.ok(said.getvalue().startswith('2 steps [{') and '"median"' in said.getvalue(),
           'the steps of a layer are printed', said.getvalue())
    image.delete()


def commands():
    all_of_them = blocks('sh')
    tap.same([block for block in all_of_them
              if 'gimp-console' not in block and block.strip() not in OTHERS], [],
             'no other commands are on the page')
    folders = []
    for kind in KINDS:
        mine = [block for block in all_of_them if f'--batch-interpreter={kind}' in block]
        tap.same(len(mine), 3, f'three commands of {kind}')
        folders.append(make_folder(kind))
        for block in mine:
            run_in_shell(block, folders[-1])
    both_write_the_same(folders)
    outlines_are_those_of_the_procedure(folders[0])
    stack_is_that_of_the_procedure(folders[0])
    sheet_is_as_wide_as_given(folders[0])


for group in (commands, steps_are_printed):
    tap.group(group)
tap.done()
