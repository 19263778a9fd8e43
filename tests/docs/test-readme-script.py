# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the README's batch command, unchanged except for the folder of its files."""

import os
import pathlib
import re
import subprocess
import sys

import gi
gi.require_version('Gimp', '3.0')
gi.require_version('Gegl', '0.4')
from gi.repository import Gegl, Gimp, Gio

work = pathlib.Path(os.environ['WORK'])
readme = pathlib.Path(os.environ['README']).read_text(encoding='utf-8')
script = re.search(r"gimp-console .* -b '(.*)'$", readme, re.M).group(1)

subprocess.run([sys.executable, os.environ['MAKE_CELLS'], str(work / 'cells.png')], check=True)
procedure = Gimp.get_pdb().lookup_procedure('plug-in-script-fu-eval')
config = procedure.create_config()
config.set_property('run-mode', Gimp.RunMode.NONINTERACTIVE)
config.set_property('script', script.replace('"cells.', f'"{work}/cells.'))
status = procedure.run(config).index(0)



def colors(layer):
    """The number of colors in a layer, without transparent pixels."""
    pixels = bytes(layer.get_buffer().get(
        Gegl.Rectangle.new(0, 0, layer.get_width(), layer.get_height()), 1.0, "R'G'B'A u8",
        Gegl.AbyssPolicy.NONE))
    return len({pixels[i:i + 3] for i in range(0, len(pixels), 4) if pixels[i + 3]})


layers, basins = [], 0
if (work / 'cells.xcf').exists():
    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE,
                           Gio.File.new_for_path(str(work / 'cells.xcf')))
    layers = [layer.get_name() for layer in image.get_layers()]
    # the original is the lowest
    basins = max((colors(layer) for layer in image.get_layers()[:-1]), default=0)

tests = {
    'the README\'s batch command makes two layers':
        (status == Gimp.PDBStatusType.SUCCESS and len(layers) == 3,
         f'{status.value_nick}: {Gimp.get_pdb().get_last_error()}, layers {layers}'),
    'each of the 81 cells that were drawn has a color of its own':
        (basins == 81, f'{basins} colors'),
}
with open(os.environ['TAP'], 'w', encoding='utf-8') as tap:
    tap.write(f'1..{len(tests)}\n')
    for number, (name, (right, diagnosis)) in enumerate(tests.items(), 1):
        tap.write(f"{'ok' if right else 'not ok'} {number} - {name}\n")
        if not right:
            tap.write(f'# {diagnosis}\n')
