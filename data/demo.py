# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the results of ./demo in GIMP, by its Python interpreter.

WAVEFRONT_DEMO_IN   the pictures, one path per line
WAVEFRONT_DEMO_OUT  the folder for the results

For each picture: the reconstruction of the layer from the lowered layer, which removes bright
details; the distance map of its foreground; and the watershed of its smoothed gradient,
merged by volume, as lines over the picture, as colored basins and in mean colors.
"""
import os
import pathlib

import gi
gi.require_version("Gimp", "3.0")
from gi.repository import Gimp, Gio

BATCH = Gimp.RunMode.NONINTERACTIVE
PREFIX = "plug-in-wavefront-"
SMOOTHING = 2.0     # pixels, before the gradient
VOLUME = 20.0       # full range × pixels: smaller basins are merged
HEIGHT = 0.25       # of the full range: the layer is lowered by this much


class DemoError(Exception):
    """A message for the user, shown without a traceback."""


def load(path):
    image = Gimp.file_load(BATCH, Gio.File.new_for_path(str(path)))
    if image is None:
        raise DemoError(f"GIMP cannot read {path.name}")
    image.flatten()
    if image.get_base_type() != Gimp.ImageBaseType.RGB:
        image.convert_rgb()     # the lines are colored
    return image


def call(operation, image, layer, **arguments):
    """Runs a procedure; returns a function from names to return values."""
    procedure = Gimp.get_pdb().lookup_procedure(PREFIX + operation)
    if procedure is None:
        raise DemoError(f"GIMP has no procedure {PREFIX}{operation}")
    config = procedure.create_config()
    config.set_property("run-mode", BATCH)
    config.set_property("image", image)
    config.set_core_object_array("drawables", [layer])
    for name, value in arguments.items():
        config.set_property(name.replace("_", "-"), value)
    result = procedure.run(config)
    if result.index(0) != Gimp.PDBStatusType.SUCCESS:
        raise DemoError(f"{PREFIX}{operation}: {Gimp.get_pdb().get_last_error()}")
    names = ["status"] + [spec.name for spec in procedure.get_return_values()]
    return lambda name: result.index(names.index(name))


def save(image, layers, path):
    """Writes the composition of the given layers."""
    copy = image.duplicate()
    shown = {layer.get_name() for layer in layers}
    for layer in copy.get_layers():
        layer.set_visible(layer.get_name() in shown)
    copy.merge_visible_layers(Gimp.MergeType.CLIP_TO_IMAGE)
    if not Gimp.file_save(BATCH, copy, Gio.File.new_for_path(str(path)), None):
        raise DemoError(f"GIMP cannot write {path}")
    copy.delete()
    print(f"  {path}", flush=True)


def show(path, name, out):
    image = load(path)
    layer = image.get_layers()[0]
    print(f"{path.name}, {image.get_width()} × {image.get_height()} pixels:", flush=True)

    reconstructed = call("reconstruct", image, layer, height=HEIGHT)("layer")
    save(image, [reconstructed], out / f"{name}-reconstruction.png")

    distances = call("distance-map", image, layer, automatic_threshold=True)
    save(image, [distances("layer")], out / f"{name}-distance.png")

    watershed = call("watershed", image, layer, input="gradient", smoothing=SMOOTHING,
                     merge_by="volume", merge_value=VOLUME, mean_layer=True)
    save(image, [layer, watershed("lines-layer")], out / f"{name}-lines.png")
    save(image, [watershed("basins-layer")], out / f"{name}-basins.png")
    save(image, [watershed("mean-layer")], out / f"{name}-means.png")

    basins = watershed("basins")
    furthest = ("no dark place to measure distances from" if distances("no-background")
                else f"the largest distance {distances('maximum'):.1f} pixels")
    print(f"  {basins} {'basin' if basins == 1 else 'basins'}, {furthest}", flush=True)
    image.delete()


def main():
    out = pathlib.Path(os.environ["WAVEFRONT_DEMO_OUT"])
    out.mkdir(parents=True, exist_ok=True)
    names = set()
    for path in map(pathlib.Path, os.environ["WAVEFRONT_DEMO_IN"].splitlines()):
        name, number = path.stem, 1
        while name in names:    # pictures with the same name in different folders
            number += 1
            name = f"{path.stem}-{number}"
        names.add(name)
        show(path, name, out)


main()
