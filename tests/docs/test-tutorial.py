# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks docs/tutorial.md: each step of docs/steps.py gives the results in the text; the text
contains the values to enter; the batch script and the commands give the stated results.

The pictures of coins and of tissue come from WAVEFRONT_CACHE; the tier "all" downloads them if they
are missing. Without them, only the steps on the generated picture are tested.
"""

import csv
import importlib.util
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, os.environ['DOCS'])

import gi
gi.require_version('Gimp', '3.0')
gi.require_version('Gegl', '0.4')
from gi.repository import Gegl, Gimp, Gio

from batch import run_script_fu
from results import TIER, tap
from steps import STEPS

BATCH = Gimp.RunMode.NONINTERACTIVE
DOCS = pathlib.Path(os.environ['DOCS'])
DATA = DOCS.parent / 'data'
WORK = pathlib.Path(os.environ['WORK'])
TUTORIAL = (DOCS / 'tutorial.md').read_text(encoding='utf-8')
TEXT = ' '.join(TUTORIAL.split())


def get_pictures():
    subprocess.run([sys.executable, DATA / 'make-cells.py', WORK / 'cells.png'], check=True)
    cache = os.environ.get('WAVEFRONT_CACHE')
    if cache:
        pictures = pathlib.Path(cache) / 'pictures'
        if TIER == 'all':
            subprocess.run([DATA / 'get-pictures', pictures], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)
        for picture in pictures.glob('*.png'):
            (WORK / picture.name).write_bytes(picture.read_bytes())


def count_drawn():
    """The tutorial finds as many cells as the picture was drawn with."""
    spec = importlib.util.spec_from_file_location('make_cells', DATA / 'make-cells.py')
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    drawn = len(module.place_cells(512, random.Random(1)))
    tap.ok(f'**{drawn} of {drawn} basins**, as many as the cells' in TEXT, 'the cells that were drawn', drawn)


def is_here(name):
    return (WORK / f'{name}.png').exists()


# ---------------------------------------------------------------- steps

def take(step, image, layer):
    procedure = Gimp.get_pdb().lookup_procedure('plug-in-wavefront-' + step.procedure)
    config = procedure.create_config()
    config.set_property('run-mode', BATCH)
    config.set_property('image', image)
    config.set_core_object_array('drawables', [layer])
    for name, value in step.arguments.items():
        config.set_property(name.replace('_', '-'), value)
    if step.selection:
        image.select_ellipse(Gimp.ChannelOps.REPLACE, *step.selection)
    result = procedure.run(config)
    names = ['status'] + [spec.name for spec in procedure.get_return_values()]
    values = {name: result.index(place) for place, name in enumerate(names)
              if place < result.length()}
    tap.ok(values['status'] == Gimp.PDBStatusType.SUCCESS, f'{step.name}: it works',
           Gimp.get_pdb().get_last_error())
    return values


def compare(step, values):
    for name, said in step.said.items():
        number = float(said.split()[0])
        tap.ok(values.get(name) is not None and round(values[name]) == number,
               f'{step.name}: {said}', f'{name} is {values.get(name)}')
        number, unit = said.split()
        written = re.search(rf'\*\*{number}( of \d+)? {unit}\*\*|\*\*{number}\*\*', TEXT)
        tap.ok(written, f'{step.name}: the tutorial says so')
    for name, value in step.arguments.items():
        if isinstance(value, float):
            tap.ok(f'**{value:g}**' in TEXT, f'{step.name}: the tutorial has its {name}, {value:g}')


def count_selected(image):
    selection = image.get_selection()
    width, height = image.get_width(), image.get_height()
    pixels = selection.get_buffer().get(Gegl.Rectangle.new(0, 0, width, height), 1.0, 'Y u8',
                                        Gegl.AbyssPolicy.NONE)
    return sum(pixel >= 128 for pixel in pixels)


def measure_selected(step, image, layer):
    """The table of what is selected has its area."""
    path = WORK / f'{step.name}.csv'
    take(step._replace(arguments={**step.arguments, 'table_file': Gio.File.new_for_path(str(path)),
                                  'basins_layer': False}), image, layer)
    with open(path, encoding='utf-8') as table:
        area = sum(int(line['area']) for line in csv.DictReader(table))
    tap.ok(area == count_selected(image) > 0, f'{step.name}: the table has what is selected',
           area, count_selected(image))


def take_all():
    image = layer = None
    for step in STEPS:
        if step.picture:
            picture = step.picture
            if image:
                image.delete()
            image = layer = None
            if is_here(picture):
                file = Gio.File.new_for_path(str(WORK / f'{picture}.png'))
                image = Gimp.file_load(BATCH, file)
                layer = image.get_layers()[0]
        if not image:
            tap.skip(step.name, 'the picture is missing')
            continue
        values = take(step, image, layer)
        compare(step, values)
        if step.name == 'gland':
            measure_selected(step, image, layer)
        # the next step works on the layer that this step returned, if any
        layer = values.get('layer') or layer


# ---------------------------------------------------------------- the blocks

def block(word):
    return next(text for text in re.findall(r'^```sh\n(.*?)^```$', TUTORIAL, re.M | re.S)
                if word in text)


def run_batch():
    if not is_here('coins'):
        tap.skip('the batch', 'the picture is missing')
        return
    script = block('gimp-console').split("-b '")[1].rstrip().rstrip("'")
    for name in ('coins', 'cells'):
        script = script.replace(f'"{name}.', f'"{WORK}/{name}.')
    status = run_script_fu(script).index(0)
    tap.ok(status == Gimp.PDBStatusType.SUCCESS, 'the batch works', Gimp.get_pdb().get_last_error())
    table = WORK / 'cells.csv'
    lines = table.read_text(encoding='utf-8').splitlines() if table.exists() else []
    tap.ok(len(lines) == 82 and lines[0].startswith('index'), 'its table has 81 cells', len(lines))
    tap.ok((WORK / 'coins.xcf').exists() and (WORK / 'cells.xcf').exists(), 'and there are images')


def run_commands():
    if not is_here('coins'):
        tap.skip('the commands', 'the picture is missing')
        return
    script = block('wavefront hierarchy')
    said = re.findall(r'^# (\d+):', script, re.M)
    script = f'wavefront () {{ "$WAVEFRONT_COMMAND" "$@"; }}\n{script}'
    done = subprocess.run(['sh', '-euc', script], cwd=WORK, capture_output=True, text=True,
                          check=False)
    if 'this build has no libvips' in done.stderr:
        tap.skip('the commands', 'this build has no libvips')
        return
    tap.ok(done.returncode == 0 and done.stdout.split() == said,
           'the commands print the stated numbers', done.stdout, done.stderr)


get_pictures()
count_drawn()
take_all()
run_batch()
run_commands()
tap.done()
