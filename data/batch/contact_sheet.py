# SPDX-License-Identifier: GPL-3.0-or-later

"""A sheet with small copies of the pictures in a folder, for looking over many results:

    PYTHONPATH=FOLDER-OF-THIS-FILE gimp-console -id --quit --batch-interpreter=python-fu-eval \\
      -b 'from contact_sheet import contact_sheet; contact_sheet("results", "sheet.png")'

The names are below the pictures, unless GIMP was started without fonts (-f).
"""

import os

import gi

gi.require_version('Gegl', '0.4')
from gi.repository import Gegl, Gimp

from wavefront_files import list_pictures, load, save

GAP = 8        # between the pictures, in pixels
LETTERS = 12   # the height of the names


def add_picture(sheet, path, left, top, size):
    """A copy of the file, as large as fits into a square, in its middle."""
    image, _ = load(path)
    if image.get_base_type() != Gimp.ImageBaseType.RGB:
        image.convert_rgb()
    if image.get_precision() != sheet.get_precision():
        image.convert_precision(sheet.get_precision())
    scale = min(1, size / max(image.get_width(), image.get_height()))
    width, height = (max(1, round(side * scale)) for side in (image.get_width(),
                                                              image.get_height()))
    if scale < 1:
        image.scale(width, height)
    copy = Gimp.Layer.new_from_drawable(image.flatten(), sheet)
    sheet.insert_layer(copy, None, 0)
    copy.set_offsets(left + (size - width) // 2, top + (size - height) // 2)
    image.delete()


def add_name(sheet, name, left, top, size):
    text = Gimp.TextLayer.new(sheet, name, Gimp.context_get_font(), LETTERS, Gimp.Unit.pixel())
    sheet.insert_layer(text, None, 0)
    text.set_color(Gegl.Color.new('black'))
    text.resize(min(text.get_width(), size), text.get_height())
    text.set_offsets(left + (size - text.get_width()) // 2, top)


def contact_sheet(folder, result, columns=5, size=200):
    names = list_pictures(folder)
    named = len(Gimp.fonts_get_list('')) > 0
    step = size + GAP, size + GAP + (LETTERS + GAP if named else 0)
    columns = min(columns, len(names))
    rows = -(-len(names) // columns)
    sheet = Gimp.Image.new(GAP + columns * step[0], GAP + rows * step[1], Gimp.ImageBaseType.RGB)
    paper = Gimp.Layer.new(sheet, 'paper', sheet.get_width(), sheet.get_height(),
                           Gimp.ImageType.RGB_IMAGE, 100, Gimp.LayerMode.NORMAL)
    sheet.insert_layer(paper, None, 0)
    paper.fill(Gimp.FillType.WHITE)
    for number, name in enumerate(names):
        left = GAP + number % columns * step[0]
        top = GAP + number // columns * step[1]
        add_picture(sheet, os.path.join(folder, name), left, top, size)
        if named:
            add_name(sheet, name, left, top + size, size)
    sheet.flatten()
    save(sheet, result)
    sheet.delete()
    print(f'{len(names)} pictures')
