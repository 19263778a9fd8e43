# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the README's batch command, unchanged except for the folder of its files."""

import os
import pathlib
import re
import subprocess
import sys

import gi
gi.require_version('Gimp', '3.0')
from gi.repository import Gimp, Gio

work = pathlib.Path(os.environ['WORK'])
readme = pathlib.Path(os.environ['README']).read_text(encoding='utf-8')
script = re.search(r"gimp-console .* -b '(.*)'$", readme, re.M).group(1)

subprocess.run([sys.executable, os.environ['MAKE_CELLS'], str(work / 'cells.png')], check=True)
procedure = Gimp.get_pdb().lookup_procedure('plug-in-script-fu-eval')
config = procedure.create_config()
config.set_property('run-mode', Gimp.RunMode.NONINTERACTIVE)
config.set_property('script', script.replace('"cells.', f'"{work}/cells.'))
status = procedure.run(config).index(0)

layers = []
if (work / 'cells.xcf').exists():
    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE,
                           Gio.File.new_for_path(str(work / 'cells.xcf')))
    layers = [layer.get_name() for layer in image.get_layers()]

right = status == Gimp.PDBStatusType.SUCCESS and len(layers) == 3
with open(os.environ['TAP'], 'w', encoding='utf-8') as tap:
    tap.write('1..1\n')
    if not right:
        tap.write(f'# {status.value_nick}: {Gimp.get_pdb().get_last_error()}, layers {layers}\n')
    tap.write(f"{'ok' if right else 'not ok'} 1 - the README's batch command makes two layers\n")
