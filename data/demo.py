# SPDX-License-Identifier: GPL-3.0-or-later
"""What ./demo shows, run inside GIMP by its Python interpreter.

WAVEFRONT_DEMO_IN   the pictures, one path a line
WAVEFRONT_DEMO_OUT  the folder for the results
"""
import os
import pathlib

import gi
gi.require_version("Gimp", "3.0")
from gi.repository import Gimp, Gio

NEEDED = tuple(f"plug-in-wavefront-{name}" for name in ("reconstruct", "distance-map", "watershed"))


def load(path):
    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, Gio.File.new_for_path(str(path)))
    if image is None:
        raise RuntimeError(f"GIMP cannot read {path}")
    return image


def main():
    pdb = Gimp.get_pdb()
    missing = [name for name in NEEDED if not pdb.procedure_exists(name)]
    if missing:
        raise RuntimeError(f"GIMP did not find the procedures {', '.join(missing)}")
    out = pathlib.Path(os.environ["WAVEFRONT_DEMO_OUT"])
    out.mkdir(parents=True, exist_ok=True)
    for path in map(pathlib.Path, os.environ["WAVEFRONT_DEMO_IN"].splitlines()):
        image = load(path)
        print(f"{path.name}: {image.get_width()} × {image.get_height()} pixels", flush=True)
        image.delete()


main()
