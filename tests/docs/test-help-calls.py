# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the calls on the help pages (in the folder HELP_PAGES), unchanged, on a picture of cells,
and the batch command of the page on what all procedures share; compares what they make with the
wavefront command's result for the same picture; checks that GIMP has the procedures
with the arguments and values in the plug-ins' descriptions (the files DESCRIPTIONS)."""

import array
import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import gi
gi.require_version('Gimp', '3.0')
gi.require_version('Gegl', '0.4')
from gi.repository import Gimp

from batch import load, most_colors, read, run_script_fu
from results import TIER, tap

XHTML = '{http://www.w3.org/1999/xhtml}'

COMMAND = os.environ['WAVEFRONT_COMMAND']

# What the call on each page computes, as the command computes it; a height of 0.1 is 26 levels.
SAME = {
    'area-closing': 'area-closing --area 60',
    'area-opening': 'area-opening --area 60',
    'black-top-hat': 'black-top-hat --element disc --radius 6',
    'black-top-hat-by-reconstruction': 'black-top-hat-by-reconstruction --element disc --radius 6',
    'clear-border': 'clear-border',
    'closing': 'closing --element disc --radius 4',
    'closing-by-reconstruction': 'closing-by-reconstruction --element disc --radius 4',
    'dilation': 'dilation --element disc --radius 3',
    'distance-map': 'distance --threshold otsu',
    'erosion': 'erosion --element disc --radius 3',
    'expand-labels': 'expand-labels --distance 4',
    'extended-maxima': 'extended-maxima --height 26',
    'extended-minima': 'extended-minima --height 26',
    'fill-holes': 'fill-holes --connectivity 8',
    'geodesic-distance': 'geodesic-distance MARKS --threshold otsu',
    'gradient': 'gradient --element disc --radius 2',
    'h-maxima': 'h-dome --height 38',
    'h-minima': 'h-basin --height 38',
    'height-closing': 'height-closing --height 51',
    'height-opening': 'height-opening --height 51',
    'keep-largest': 'keep-largest --count 10',
    'median': 'median --radius 2',
    'opening': 'opening --element disc --radius 4',
    'opening-by-reconstruction': 'opening-by-reconstruction --element disc --radius 4',
    'reconstruct': 'h-maxima --height 51',
    'regional-maxima': 'regional-maxima --connectivity 8',
    'regional-minima': 'regional-minima --connectivity 8',
    'relabel': 'relabel',
    'remove-small': 'remove-small --area 60',
    'threshold': 'threshold --method sauvola --radius 20 --range 128',
    'watershed': 'watershed --input objects --threshold otsu --tolerance 1',
    'volume-closing': 'volume-closing --volume 5100',
    'volume-opening': 'volume-opening --volume 5100',
    'white-top-hat': 'white-top-hat --element disc --radius 6',
    'white-top-hat-by-reconstruction': 'white-top-hat-by-reconstruction --element disc --radius 6',
}

LABEL_TOOLS = ('expand-labels', 'keep-largest', 'relabel', 'remove-small')

work = pathlib.Path(os.environ['WORK'])
cells = work / 'cells.png'
SIDE, MARKED_ROWS = 96, 9
subprocess.run([sys.executable, os.environ['MAKE_CELLS'], str(cells), '--size', str(SIDE)], check=True)
marks = work / 'marks.pgm'
marks.write_bytes(f'P5 {SIDE} {SIDE} 255\n'.encode() + bytes(
    255 if SIDE // 2 <= y < SIDE // 2 + MARKED_ROWS else 0 for y in range(SIDE)
    for _ in range(SIDE)))


def call_from_script_fu(code, image, layer):
    return run_script_fu(f'(let* ((image {image.get_id()}) (layer {layer.get_id()})) {code})')


def call_from_python(code, image, layer):
    names = {'Gimp': Gimp, 'image': image, 'layer': layer}
    exec(code, names)
    return names['result']


def command_makes(words):
    """The pixels that the command makes of the picture."""
    operation, *options = words.replace('MARKS', str(marks)).split()
    subprocess.run([COMMAND, operation, str(cells), '-o', str(work / 'same.raw'), *options],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (work / 'same.raw').read_bytes()


def has_means(layer, source, labels):
    """Whether the layer has the mean level of each basin in all pixels of this basin."""
    pixels, levels, regions = read(layer, "Y' u8"), read(source, "Y' u8"), {}
    for place, label in enumerate(labels):
        if label:
            regions.setdefault(label, []).append(place)
    return len(regions) > 1 and all(
        len({pixels[place] for place in places}) == 1 and
        abs(pixels[places[0]] - sum(levels[place] for place in places) / len(places)) <= 1
        for places in regions.values())


def is_right(page, layers, source):
    """Whether one of the layers is what the command makes."""
    expected = command_makes(SAME[page])
    if page == 'watershed':
        labels = array.array('I', expected)
        return any(has_means(layer, source, labels) for layer in layers)
    if page in LABEL_TOOLS:   # the command makes u32 of all labels
        return any(list(read(layer, "Y' u8")) == list(array.array('I', expected))
                   for layer in layers)
    encoding = 'Y float' if page in ('distance-map', 'geodesic-distance') else "Y' u8"
    return any(read(layer, encoding) == expected for layer in layers)


def makes_the_result(call, code, page):
    """Whether the call succeeds and makes what the command makes."""
    image = load(cells)
    source = image.get_layers()[0]
    if page == 'geodesic-distance':   # its marker is the selection
        image.select_rectangle(Gimp.ChannelOps.REPLACE, 0, SIDE // 2, SIDE, MARKED_ROWS)
    status = call(code, image, source).index(0)
    layers = [layer for one in Gimp.get_images() for layer in one.get_layers()
              if layer.get_id() != source.get_id()]
    right = bool(layers) and is_right(page, layers, source)
    names = [layer.get_name() for layer in layers]
    for one in Gimp.get_images():
        one.delete()
    return status == Gimp.PDBStatusType.SUCCESS and right, \
        f'{status.value_nick}: {Gimp.get_pdb().get_last_error()}, made {names}'


def run_batch_command(page):
    command = next(code for code in (''.join(node.itertext()) for node in page.iter(f'{XHTML}code'))
                   if code.startswith('gimp-console'))
    script = command.split("-b '")[1].rstrip().rstrip("'").replace('"cells.', f'"{work}/cells.')
    status = run_script_fu(script).index(0)
    colors = most_colors(work / 'cells.xcf') if (work / 'cells.xcf').exists() else 0
    basins = len(set(array.array('I', command_makes(SAME['watershed']))) - {0})
    return status == Gimp.PDBStatusType.SUCCESS and colors == basins, \
        f'{status.value_nick}: {Gimp.get_pdb().get_last_error()}, {colors} of {basins} basins'


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
all_calls = TIER == 'all'
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
            results.append((f'{path.stem}, {language}', makes_the_result(call, code, path.stem)))
    if path.stem == 'common':
        results.append(('the batch command', run_batch_command(page)))
results.append(('there are calls', (len(results) > (45 if all_calls else 30), f'{len(results)}')))

for name, (right, diagnosis) in results:
    tap.ok(right, name, diagnosis)
tap.done()
