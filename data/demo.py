# SPDX-License-Identifier: GPL-3.0-or-later
"""What ./demo shows, run inside GIMP by its Python interpreter.

WAVEFRONT_DEMO_IN   the pictures, one path a line
WAVEFRONT_DEMO_OUT  the folder for the results

For each picture: the layer reconstructed from itself lowered, which takes off bright
details; the distance map of its foreground; and the watershed of its smoothed gradient,
as lines over the picture and as coloured basins.
"""
import os
import pathlib

import gi
gi.require_version("Gimp", "3.0")
gi.require_version("Gegl", "0.4")
from gi.repository import Gegl, Gimp, Gio

BATCH = Gimp.RunMode.NONINTERACTIVE
PREFIX = "plug-in-wavefront-"
SMOOTHING = 3.0     # pixels, before threshold and gradient
DEPTH = 0.11        # of the full range: shallower basins are not kept apart
HEIGHT = 0.25       # of the full range: brighter details are taken off


class DemoError(Exception):
    """What the user is told, and nothing else."""


def load(path):
    image = Gimp.file_load(BATCH, Gio.File.new_for_path(str(path)))
    if image is None:
        raise DemoError(f"GIMP cannot read {path.name}")
    image.flatten()
    if image.get_base_type() != Gimp.ImageBaseType.RGB:
        image.convert_rgb()     # the lines have a colour
    return image


def call(operation, image, layer, **arguments):
    """Runs one of our procedures; returns a function that gives its values by name."""
    procedure = Gimp.get_pdb().lookup_procedure(PREFIX + operation)
    if procedure is None:
        raise DemoError(f"GIMP did not find the procedure {PREFIX}{operation}")
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


def apply_filter(layer, operation, **settings):
    """Merges one of GIMP's own filters into a layer."""
    effect = Gimp.DrawableFilter.new(layer, operation, "")
    for name, value in settings.items():
        effect.get_config().set_property(name.replace("_", "-"), value)
    layer.merge_filter(effect)


def threshold_of(layer):
    """Between the dark and the bright half of the histogram, as a fraction (Otsu's method)."""
    counts = [layer.histogram(Gimp.HistogramChannel.VALUE, level / 255, level / 255)[5]
              for level in range(256)]
    total, weighted = sum(counts), sum(i * n for i, n in enumerate(counts))
    below = below_weighted = best = level = 0
    for i, n in enumerate(counts):
        below += n
        below_weighted += i * n
        above = total - below
        if below and above:
            gap = below_weighted / below - (weighted - below_weighted) / above
            if below * above * gap * gap > best:
                best, level = below * above * gap * gap, i
    return level / 255


def save(image, layers, path):
    """Writes what the given layers show on top of each other."""
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

    smooth = layer.copy()
    image.insert_layer(smooth, None, 0)
    apply_filter(smooth, "gegl:gaussian-blur", std_dev_x=SMOOTHING, std_dev_y=SMOOTHING)
    distances = call("distance-map", image, smooth, threshold=threshold_of(smooth))
    save(image, [distances("layer")], out / f"{name}-distance.png")

    apply_filter(smooth, "gegl:image-gradient")
    watershed = call("watershed", image, smooth, tolerance=DEPTH)
    save(image, [layer, watershed("lines-layer")], out / f"{name}-lines.png")
    save(image, [watershed("basins-layer")], out / f"{name}-basins.png")

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
        while name in names:    # pictures of the same name from two folders
            number += 1
            name = f"{path.stem}-{number}"
        names.add(name)
        show(path, name, out)


main()
