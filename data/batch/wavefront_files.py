# SPDX-License-Identifier: GPL-3.0-or-later

"""What the scripts for batches have in common: pictures of a folder, and calls that fail with an
exception."""

import os

import gi

gi.require_version('Gimp', '3.0')
from gi.repository import Gimp, Gio

PICTURES = ('.png', '.tif', '.tiff', '.jpg', '.jpeg')
THUMBNAIL = 256   # pixels of the longer side of the copy that GIMP adds to TIFF files in colors
QUIET = Gimp.RunMode.NONINTERACTIVE


def check(done):
    """Raises GIMP's last error if @done is false."""
    if not done:
        raise RuntimeError(Gimp.get_pdb().get_last_error())
    return done


def list_pictures(folder):
    """The names of the pictures, sorted."""
    names = sorted(name for name in os.listdir(folder) if name.lower().endswith(PICTURES))
    if not names:
        raise ValueError(f'There are no pictures in “{folder}”.')
    return names


def is_thumbnail(layer, picture):
    """Whether GIMP made the layer, the second page of a TIFF file, as a copy of the first one. Their
    sizes may be equal; what GIMP reads as such a copy has alpha."""
    small, size = ((one.get_width(), one.get_height()) for one in (layer, picture))
    return (small == tuple(max(side * THUMBNAIL // max(size), 1) for side in size)
            and layer.has_alpha() and (small != size or not picture.has_alpha()))


def load(path):
    """A picture with one layer, and the layer: of a TIFF file the page that is no thumbnail."""
    image = check(Gimp.file_load(QUIET, Gio.File.new_for_path(path)))
    layers = image.get_layers()
    if len(layers) == 2 and is_thumbnail(*layers):
        # that of a small picture is larger, and so is the image
        image.remove_layer(layers[0])
        image.resize(layers[1].get_width(), layers[1].get_height(), 0, 0)
    size = image.get_width(), image.get_height()
    pages = [layer for layer in image.get_layers()
             if (layer.get_width(), layer.get_height()) == size]
    if len(pages) != 1:
        image.delete()
        raise RuntimeError('it has several pages')
    for layer in image.get_layers():
        if layer not in pages:
            image.remove_layer(layer)
    return image, pages[0]


def save(image, path):
    check(Gimp.file_save(QUIET, image, Gio.File.new_for_path(path), None))


def watershed(image, layers, settings):
    """Calls the procedure; returns its values by name."""
    procedure = Gimp.get_pdb().lookup_procedure('plug-in-wavefront-watershed')
    config = procedure.create_config()
    config.set_property('run-mode', QUIET)
    config.set_property('image', image)
    config.set_core_object_array('drawables', layers)
    for name, value in settings.items():
        config.set_property(name.replace('_', '-'), value)
    values = procedure.run(config)
    check(values.index(0) == Gimp.PDBStatusType.SUCCESS)
    return {spec.name: values.index(number + 1)
            for number, spec in enumerate(procedure.get_return_values())
            if not isinstance(spec, Gimp.ParamCoreObjectArray)}
