# SPDX-License-Identifier: GPL-3.0-or-later

"""The watershed in three dimensions of the slices in a folder:

    PYTHONPATH=FOLDER-OF-THIS-FILE gimp-console -idf --quit --batch-interpreter=python-fu-eval \\
      -b 'from stack import stack; stack("slices", "cells", input="objects")'

The slices have one size; they are stacked in the order of their names (z01, z02 …).  Makes
cells.xcf, the slices and above them a group with the lines; cells-numbers.xcf, the number of the
basin of each pixel, a layer for each slice; and cells.csv, a line for each basin.  Further
arguments are those of plug-in-wavefront-watershed, with _ for -.
"""

import os

from gi.repository import Gimp, Gio

from wavefront_files import list_pictures, load, save, watershed


def load_slices(folder):
    """An image with a layer for each file, the first one lowest."""
    first, *others = list_pictures(folder)
    stack_of_layers, _ = load(os.path.join(folder, first))
    for name in others:
        image, layer = load(os.path.join(folder, name))
        stack_of_layers.insert_layer(Gimp.Layer.new_from_drawable(layer, stack_of_layers), None, 0)
        image.delete()
    return stack_of_layers


def stack(folder, result, **settings):
    image = load_slices(folder)
    values = watershed(image, image.get_layers(),
                       {'stack': True, 'lines_layer': True, 'basins_layer': False,
                        'label_image': True,
                        'table_file': Gio.File.new_for_path(result + '.csv'), **settings})
    for kept, path in ((image, result + '.xcf'),
                       (values['label-image'], result + '-numbers.xcf')):
        save(kept, path)
        kept.delete()
    print(f"{values['basins']} basins")
