# SPDX-License-Identifier: GPL-3.0-or-later

"""Link layers and vector layers, which GIMP has from 3.2 on, as sources and as markers: they count as
a layer that has their pixels, also below a filter, and they stay what they are.
"""

import pathlib
import tempfile

from gi.repository import Gio

from gimptest import *

WIDTH, HEIGHT = 24, 18
ROWS = random_rows(WIDTH, HEIGHT, 255, 'linked layers', steps=6)
FILL = FILTER % 'fill-holes'


def link_layer(image, folder):
    """An image file of the levels, linked."""
    path = pathlib.Path(folder, 'levels.png')
    source, _ = gray_image(ROWS)
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, source, Gio.File.new_for_path(str(path)), None)
    source.delete()
    layer = Gimp.LinkLayer.new(image, Gio.File.new_for_path(str(path)))
    image.insert_layer(layer, None, 0)
    return layer


def vector_layer(image):
    """Two filled rectangles, which reach to opposite corners: the layer is as large as its path."""
    path = Gimp.Path.new(image, 'rectangles')
    image.insert_path(path, None, 0)
    for left, top, right, bottom in ((0, 0, 9, 7), (14, 8, WIDTH, HEIGHT)):
        stroke = path.bezier_stroke_new_moveto(left, top)
        for corner in ((right, top), (right, bottom), (left, bottom)):
            path.bezier_stroke_lineto(stroke, *corner)
        path.stroke_close(stroke)
    layer = Gimp.VectorLayer.new(image, path)
    image.insert_layer(layer, None, 0)
    layer.set_enable_stroke(False)
    layer.set_enable_fill(True)
    layer.set_fill_color(Gegl.Color.new('white'))
    layer.refresh()
    return layer


def plain_copy(image, layer):
    """An ordinary layer with the same pixels in the same place."""
    copy = Gimp.Layer.new(image, 'plain', layer.get_width(), layer.get_height(), layer.type(), 100,
                          Gimp.LayerMode.NORMAL)
    copy.set_offsets(*layer.get_offsets()[1:])
    image.insert_layer(copy, None, 0)
    buffer, area = copy.get_buffer(), Gegl.Rectangle.new(0, 0, layer.get_width(), layer.get_height())
    layer.get_buffer().copy(area, Gegl.AbyssPolicy.NONE, buffer, area)
    buffer.flush()
    copy.update(0, 0, layer.get_width(), layer.get_height())
    return copy


def add_filter(layer):
    added = Gimp.DrawableFilter.new(layer, 'gegl:invert-gamma', 'gegl:invert-gamma')
    layer.append_filter(added)
    added.update()


def compare(kind, make):
    image = new_image(WIDTH, HEIGHT)
    ground = new_layer(image, random_rows(WIDTH, HEIGHT, 255, 'ground', steps=5), name='ground')
    special = make(image)
    plain = plain_copy(image, special)
    shown_levels = {v for row in levels(special) for v in row}
    tap.ok(len(shown_levels) > 1 and type(special).__name__ != 'Layer', f'{kind}: it has pixels',
           type(special), shown_levels)
    there = images_open()
    for where in ('', ' with a filter'):
        if where:
            for layer in (special, plain):
                add_filter(layer)
        got, wanted = (must(call(RECONSTRUCT, image, [layer], height=0.2))['layer']
                       for layer in (special, plain))
        tap.same((levels(got), type(got).__name__), (levels(wanted), 'Layer'),
                 f'{kind}{where}: reconstruction of it, an ordinary layer')
        got, wanted = (must(call(WATERSHED, image, [layer]))['basins'] for layer in (special, plain))
        tap.same(got, wanted, f'{kind}{where}: basins of it')
        got, wanted = (levels(must(call(RECONSTRUCT, image, [ground], marker=layer))['layer'])
                       for layer in (special, plain))
        tap.same(got, wanted, f'{kind}{where}: reconstruction from it')
        got, wanted = (must(call(WATERSHED, image, [ground], markers='layer',
                                 marker_layer=layer))['basins'] for layer in (special, plain))
        tap.same(got, wanted, f'{kind}{where}: its colors as markers')
    tap.same((special.is_valid(), special.is_rasterized(),
              images_open()), (True, False, there), f'{kind}: it stays what it is')
    image.delete()


def linked():
    with tempfile.TemporaryDirectory() as folder:
        compare('a link layer', lambda image: link_layer(image, folder))


def vectors():
    compare('a vector layer', vector_layer)


if hasattr(Gimp, 'LinkLayer'):
    tap.group(linked)
    tap.group(vectors)
else:
    tap.skip('link layers and vector layers', 'GIMP has them from 3.2 on')
tap.done()
