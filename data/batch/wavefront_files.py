# SPDX-License-Identifier: GPL-3.0-or-later

"""What the scripts for batches have in common: pictures of a folder, and calls that fail with an
exception."""

import os

import gi

gi.require_version('Gimp', '3.0')
from gi.repository import Gimp, Gio

PICTURES = ('.png', '.tif', '.tiff', '.jpg', '.jpeg')
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


def load(path):
    """A picture with one layer, and the layer: of a TIFF file the page that is no thumbnail."""
    image = check(Gimp.file_load(QUIET, Gio.File.new_for_path(path)))
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
