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
from gi.repository import Gimp

from batch import load, most_colors, run_script_fu
from results import tap

work = pathlib.Path(os.environ['WORK'])
readme = pathlib.Path(os.environ['README']).read_text(encoding='utf-8')
script = re.search(r"gimp-console .* -b '(.*)'$", readme, re.M).group(1)

subprocess.run([sys.executable, os.environ['MAKE_CELLS'], str(work / 'cells.png')], check=True)
status = run_script_fu(script.replace('"cells.', f'"{work}/cells.')).index(0)

layers, basins = [], 0
saved = work / 'cells.xcf'
if saved.exists():
    layers = [layer.get_name() for layer in load(saved).get_layers()]
    basins = most_colors(saved)

tap.ok(status == Gimp.PDBStatusType.SUCCESS and len(layers) == 3,
       'the README\'s batch command makes two layers',
       f'{status.value_nick}: {Gimp.get_pdb().get_last_error()}, layers {layers}')
tap.ok(basins == 81, 'each of the 81 cells that were drawn has a color of its own',
       f'{basins} colors')
tap.done()
