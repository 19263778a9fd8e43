# SPDX-License-Identifier: GPL-3.0-or-later

"""The icons that GIMP has registered for the procedures.

ICONS is a folder of a theme with all icons.  If it is in the search path, each procedure has the
name of an existing icon, in color and symbolic; otherwise it has none, because GIMP would draw a
broken picture.
"""

import os
import pathlib
import re

from gimptest import tap

notes = (pathlib.Path(os.environ['GIMP3_DIRECTORY']) / 'pluginrc').read_text(
    encoding='utf-8', errors='replace')    # the file contains pixels of other icons
icons = {}
for part in notes.split('(proc-def ')[1:]:
    name = part.split('"')[1]
    if name.startswith('plug-in-wavefront-'):
        icons[name] = re.search(r'\(icon ([a-z-]+) -?\d+\s+(?:"([^"]*)")?', part).groups()

folder = pathlib.Path(os.environ['ICONS'])
is_there = str(folder.parents[1]) in os.environ['XDG_DATA_DIRS'].split(':')
tap.ok(len(icons) >= 15, 'GIMP has registered the procedures', sorted(icons))
for procedure, (kind, name) in sorted(icons.items()):
    if is_there:
        paths = [folder / 'scalable' / 'actions' / f'{name}.svg',
                 folder / 'symbolic' / 'actions' / f'{name}-symbolic.svg']
        tap.ok(kind == 'icon-name' and name == procedure.removeprefix('plug-in-') and
               all(path.is_file() for path in paths), f'{procedure}: its own icon',
               kind, name)
    else:
        tap.ok(kind == 'icon-name' and not name, f'{procedure}: none if the icons are missing',
               kind, name)
tap.done()
