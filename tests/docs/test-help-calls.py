# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the calls on the help pages (in the folder HELP_PAGES), unchanged, on a picture of cells,
and the batch command of the page on what all procedures share; checks that GIMP has the procedures
with the arguments and values in the plug-ins' descriptions (the files DESCRIPTIONS)."""

import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import gi
gi.require_version('Gimp', '3.0')
from gi.repository import Gimp, Gio

XHTML = '{http://www.w3.org/1999/xhtml}'
BATCH = Gimp.RunMode.NONINTERACTIVE

work = pathlib.Path(os.environ['WORK'])
cells = work / 'cells.png'
subprocess.run([sys.executable, os.environ['MAKE_CELLS'], str(cells), '--size', '96'], check=True)


def run_script_fu(script):
    procedure = Gimp.get_pdb().lookup_procedure('plug-in-script-fu-eval')
    config = procedure.create_config()
    config.set_property('run-mode', BATCH)
    config.set_property('script', script)
    return procedure.run(config)


def call_from_script_fu(code, image, layer):
    return run_script_fu(f'(let* ((image {image.get_id()}) (layer {layer.get_id()})) {code})')


def call_from_python(code, image, layer):
    names = {'Gimp': Gimp, 'image': image, 'layer': layer}
    exec(code, names)
    return names['result']


def makes_something(call, code):
    """Whether the call succeeds and makes a layer or an image."""
    image = Gimp.file_load(BATCH, Gio.File.new_for_path(str(cells)))
    images = len(Gimp.get_images())
    status = call(code, image, image.get_layers()[0]).index(0)
    made = len(image.get_layers()) - 1 + len(Gimp.get_images()) - images
    for one in Gimp.get_images():
        one.delete()
    return status == Gimp.PDBStatusType.SUCCESS and made > 0, \
        f'{status.value_nick}: {Gimp.get_pdb().get_last_error()}, {made} made'


def run_batch_command(page):
    command = next(code for code in (''.join(node.itertext()) for node in page.iter(f'{XHTML}code'))
                   if code.startswith('gimp-console'))
    script = command.split("-b '")[1].rstrip().rstrip("'").replace('"cells.', f'"{work}/cells.')
    status = run_script_fu(script).index(0)
    return status == Gimp.PDBStatusType.SUCCESS and (work / 'cells.xcf').exists(), \
        f'{status.value_nick}: {Gimp.get_pdb().get_last_error()}'


def default_of(spec):
    """The default in the type of a description; None if descriptions omit it."""
    value = spec.get_default_value()
    return value if isinstance(value, (bool, int, float, str)) else None


def is_known(description):
    procedure = Gimp.get_pdb().lookup_procedure(description['name'])
    got = [spec.name for spec in procedure.get_return_values()]
    faults = [] if got == [value['name'] for value in description['values']] else [f'values {got}']
    specs = procedure.get_arguments()
    if [spec.name for spec in specs] != [one['name'] for one in description['arguments']]:
        faults.append(f'arguments {[spec.name for spec in specs]}')
    for spec, argument in zip(specs, description['arguments']):
        default = argument.get('default')
        if argument['kind'] in ('GeglColor', 'GimpRunMode'):
            continue
        if default_of(spec) != default and not (isinstance(default, float) and
                                                abs(default_of(spec) - default) < 1e-8):
            faults.append(f'{spec.name}: {default_of(spec)}, not {default}')
    return not faults, '; '.join(faults)


# The quick tier runs one of the two languages of each page, alternating.
all_calls = os.environ.get('WAVEFRONT_TEST_TIER') == 'all'
languages = {'script-fu': ('Script-Fu', call_from_script_fu),
             'python': ('Python', call_from_python)}

results = []
for file in os.environ['DESCRIPTIONS'].split(':'):
    for one in json.loads(pathlib.Path(file).read_text(encoding='utf-8')):
        results.append((f"{one['name']} is as it is described", is_known(one)))
for number, path in enumerate(sorted(pathlib.Path(os.environ['HELP_PAGES']).glob('*.html'))):
    page = ElementTree.parse(path)
    called = list(languages) if all_calls else list(languages)[number % 2:][:1]
    for node in page.iter(f'{XHTML}code'):
        code = ''.join(node.itertext())
        if node.get('class') in called:
            language, call = languages[node.get('class')]
            results.append((f'{path.stem}, {language}', makes_something(call, code)))
    if path.stem == 'common':
        results.append(('the batch command', run_batch_command(page)))
results.append(('there are calls', (len(results) > (45 if all_calls else 30), f'{len(results)}')))

with open(os.environ['TAP'], 'w', encoding='utf-8') as tap:
    for number, (name, (right, diagnosis)) in enumerate(results, 1):
        tap.write(f"{'ok' if right else 'not ok'} {number} - {name}\n")
        if not right:
            tap.write(f'# {diagnosis}\n')
    tap.write(f'1..{len(results)}\n')
