# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch commands of the documents, in GIMP, and the images that they save."""

from gi.repository import Gegl, Gimp, Gio


def run_script_fu(script):
    procedure = Gimp.get_pdb().lookup_procedure('plug-in-script-fu-eval')
    config = procedure.create_config()
    config.set_property('run-mode', Gimp.RunMode.NONINTERACTIVE)
    config.set_property('script', script)
    return procedure.run(config)


def read(layer, encoding):
    width, height = layer.get_width(), layer.get_height()
    return bytes(layer.get_buffer().get(Gegl.Rectangle.new(0, 0, width, height), 1.0, encoding,
                                        Gegl.AbyssPolicy.NONE))


def count_colors(layer):
    """How many colors a layer has, without transparent pixels."""
    pixels = read(layer, "R'G'B'A u8")
    return len({pixels[i:i + 3] for i in range(0, len(pixels), 4) if pixels[i + 3]})


def load(path):
    return Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, Gio.File.new_for_path(str(path)))


def most_colors(path):
    """Of the layers of a saved image, without the lowest, which is the original."""
    image = load(path)
    most = max((count_colors(layer) for layer in image.get_layers()[:-1]), default=0)
    image.delete()
    return most
