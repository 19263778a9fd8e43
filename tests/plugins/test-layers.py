# SPDX-License-Identifier: GPL-3.0-or-later

"""The input: several layers at once, components, alpha, masks, filters, groups and the selection
as a marker; and which of these the new layers keep.
"""

import math

from gimptest import *
import reference

WIDTH, HEIGHT = 12, 9
ROWS = random_rows(WIDTH, HEIGHT, 255, 'layers', steps=6)
FILL, OPEN = FILTER % 'fill-holes', FILTER % 'opening-by-reconstruction'


def place(layer):
    return (list(layer.get_offsets()[1:]), layer.get_width(), layer.get_height())


def lowered(rows, height=0.2):
    """The reconstruction of 8-bit levels from the levels lowered by a height."""
    return reference.reconstruct(
        rows, reference.lowered(rows, -math.floor(height * 255 + 0.5), 255))


def inverted(rows):
    return [[255 - v for v in row] for row in rows]


def add_mask(layer, rows, linear='Y u8'):
    mask = layer.create_mask(Gimp.AddMaskType.WHITE)
    layer.add_mask(mask)
    mask.get_buffer().set(Gegl.Rectangle.new(0, 0, len(rows[0]), len(rows)), linear,
                          bytes(v for row in rows for v in row))
    mask.update(0, 0, len(rows[0]), len(rows))
    return mask


def add_filter(drawable, operation='gegl:invert-gamma', visible=True):
    added = Gimp.DrawableFilter.new(drawable, operation, operation)
    added.set_visible(visible)
    drawable.append_filter(added)
    return added


# ---------------------------------------------------------------- several layers

def three_layers():
    image = new_image(40, 30)
    pictures = [random_rows(w, h, 255, f'{w} {h}', steps=5)
                for w, h in ((12, 9), (7, 11), (20, 5))]
    layers = [new_layer(image, rows, name=f'number {i}', x=3 * i, y=i)
              for i, rows in enumerate(pictures)]
    return image, pictures, layers


def several():
    image, pictures, layers = three_layers()
    image.set_selected_layers(layers)
    before = [raw_bytes(layer) for layer in layers]
    result = must(call(RECONSTRUCT, image, layers, height=0.2))
    tap.same([levels(made) for made in result['layers']], [lowered(rows) for rows in pictures],
             'each of several layers has its result')
    tap.same([place(made) for made in result['layers']], [place(layer) for layer in layers],
             'in its place')
    tap.same(layer_names(image), [f'{what}number {i}' for what in ('Reconstruction of ', '')
                                  for i in (2, 1, 0)], 'above all of them')
    tap.ok(result['layer'] == result['layers'][0], 'the value is the first one’s')
    tap.same(set(image.get_selected_layers()), set(layers), 'the layers stay selected')
    tap.ok([raw_bytes(layer) for layer in layers] == before, 'and unchanged')

    both = must(call(WATERSHED, image, layers[:2]))
    counts = [reference.watershed(rows)[1] for rows in pictures]
    tap.same((both['basins'], len(both['layers']), counts[0] != counts[1]), (counts[0], 4, True),
             'layers and measurements of two watersheds')
    image.delete()


def all_or_nothing():
    """If one of several layers fails, no layer gets a result."""
    image = new_image(6, 4, precision=P.FLOAT_LINEAR)
    good = new_layer(image, [[0.5, 0.25, 1.0]], name='good')
    bad = new_layer(image, [[0.5, math.nan, 1.0]], name='bad')
    image.clean_all()
    for name in (RECONSTRUCT, DISTANCE, WATERSHED, FILL):
        result = call(name, image, [good, bad])
        tap.ok(not result and 'NaN' in result.message and layer_names(image) == ['bad', 'good']
               and not image.is_dirty(), f'all or nothing, {name}', result, layer_names(image))
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 0, 0, 3, 1)
    bad.set_offsets(3, 2)
    result = call(FILL, image, [good, bad])
    tap.ok(not result and 'bad' in result.message and 'selection' in result.message
           and layer_names(image) == ['bad', 'good'], 'a layer that is not selected', result)
    image.delete()


def a_channel_and_a_layer():
    image, layer = gray_image(ROWS)
    channel = Gimp.Channel.new(image, 'channel', WIDTH, HEIGHT, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    seeds = random_rows(WIDTH, HEIGHT, 255, 'channel', steps=4)
    channel.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), "Y' u8",
                             bytes(v for row in seeds for v in row))
    result = must(call(RECONSTRUCT, image, [channel, layer], height=0.2))
    tap.same([levels(made) for made in result['layers']], [lowered(seeds), lowered(ROWS)],
             'a channel and a layer in one call')
    image.delete()


# ---------------------------------------------------------------- components and alpha

def colored():
    source = random.Random('colors')
    return [[tuple(source.randrange(6) * 51 for _ in range(4)) for _ in range(WIDTH)]
            for _ in range(HEIGHT)]


def components():
    pixels = colored()
    for alpha in (True, False):
        image = new_image(WIDTH, HEIGHT, RGB)
        layer = Gimp.Layer.new(image, 'colors', WIDTH, HEIGHT, layer_type(image, alpha), 100,
                               Gimp.LayerMode.NORMAL)
        image.insert_layer(layer, None, 0)
        layer.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), "R'G'B'A u8",
                               bytes(c for row in pixels for p in row for c in p))
        for i, name in enumerate(('red', 'green', 'blue', 'alpha')):
            if name == 'alpha' and not alpha:
                refused = call(RECONSTRUCT, image, [layer], source='alpha')
                tap.ok(not refused and 'colors' in refused.message
                       and 'alpha' in refused.message, 'alpha of a layer without', refused)
                continue
            result = must(call(RECONSTRUCT, image, [layer], source=name, height=0.2))['layer']
            wanted = lowered([[p[i] for p in row] for row in pixels])
            kept = alpha and name != 'alpha'
            tap.same((levels(result), result.has_alpha()), (wanted, kept),
                     f'levels from {name}, alpha {alpha}')
        image.delete()
    refused = call(RECONSTRUCT, *(lambda pair: (pair[0], [pair[1]]))(gray_image(ROWS)),
                   source='hue')
    tap.ok(not refused and 'source' in refused.message, 'an unknown component', refused)


def stains():
    """A stain's levels, which depend on the encoding of the colors as they are shown."""
    pixels = colored()
    for precision in (P.U8_NON_LINEAR, P.U16_LINEAR, P.FLOAT_LINEAR):
        image = new_image(WIDTH, HEIGHT, RGB, precision)
        layer = Gimp.Layer.new(image, 'slide', WIDTH, HEIGHT, layer_type(image, False), 100,
                               Gimp.LayerMode.NORMAL)
        image.insert_layer(layer, None, 0)
        layer.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), "R'G'B' u8",
                               bytes(c for row in pixels for p in row for c in p[:3]))
        top = MAXIMUM[ENCODINGS[precision][1]]
        for name in reference.STAINS:
            result = must(call(RECONSTRUCT, image, [layer], source=name, height=0.0,
                               stain=reference.OWN_STAIN))['layer']
            wanted = [[top * reference.stain([c / 255 for c in p[:3]], name) for p in row]
                      for row in pixels]
            # darker colors of 16 linear bits are not exactly those of 8 bits
            most = 0.501 if precision == P.U8_NON_LINEAR else 0.01 * top
            difference = max(abs(a - b) for got, row in zip(levels(result), wanted)
                             for a, b in zip(got, row))
            tap.ok(difference <= most, f'levels of {name}, {precision.value_nick}', difference)
        image.delete()
    image, layer = gray_image(ROWS)
    for name in ('dab', 'own-stain'):
        refused = call(RECONSTRUCT, image, [layer], source=name, stain=reference.OWN_STAIN)
        tap.ok(not refused and 'no colors' in refused.message, f'{name} in gray', refused)
    image.delete()


def refused_stains():
    image, layer = gray_image(ROWS, RGB)
    count = len(image.get_layers())
    for text, said in (('', '(stain)'), ('purple', 'purple'), ('0.1,0.2', '0.1,0.2'),
                       ('#ffffff', 'absorbs no light'), ('#6b3fa0;#6b3fa0', 'alike')):
        refused = call(RECONSTRUCT, image, [layer], source='own-stain', stain=text)
        tap.ok(not refused and said in refused.message and len(image.get_layers()) == count,
               f'the own stain “{text}”', refused)
    must(call(RECONSTRUCT, image, [layer], source='red', stain='purple'))
    image.delete()


def gray_components():
    """The red component of a gray layer is its level; its alpha can be the source, too."""
    for precision in (P.U16_NON_LINEAR, P.FLOAT_LINEAR):
        top = MAXIMUM[ENCODINGS[precision][1]]
        rows = random_rows(WIDTH, HEIGHT, top, 'gray', steps=5)
        image, layer = gray_image(rows, precision=precision, alpha=True)
        result = must(call(RECONSTRUCT, image, [layer], source='red', height=0.0))['layer']
        tap.same(levels(result), rows, f'the red of gray, {precision.value_nick}')
        result = must(call(RECONSTRUCT, image, [layer], source='alpha', height=0.0))['layer']
        tap.same((levels(result), result.has_alpha()), (alphas(layer), False),
                 f'the alpha of gray, {precision.value_nick}')
        image.delete()


def alpha_and_selection():
    image, layer = gray_image(ROWS, RGB, alpha=True)
    Gimp.context_set_feather(True)
    Gimp.context_set_feather_radius(4, 4)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 2, 1, 8, 7)
    Gimp.context_set_feather(False)
    _, _, x1, y1, x2, y2 = Gimp.Selection.bounds(image)
    chosen = read(image.get_selection(), 'Y', 'u8', 'B', 1)
    result = must(call(OPEN, image, [layer]))['layer']
    got = [[pixel[3] for pixel in row] for row in colors(result)]
    opaque = [[pixel[3] for pixel in row] for row in colors(layer)]
    wanted = [[chosen[y][x] * opaque[y][x] / 255 if chosen[y][x] >= 128 else 0
               for x in range(x1, x2)] for y in range(y1, y2)]
    tap.ok(all(abs(g - w) <= 1 for rows in zip(got, wanted) for g, w in zip(*rows)),
           'visible as far as selected and opaque', got, wanted)
    tap.ok(len({v for row in got for v in row}) > 20, 'with many shades')
    image.delete()


def masked():
    shares = [[(x * 23 + y * 7) % 256 for x in range(WIDTH)] for y in range(HEIGHT)]
    image, layer = gray_image(ROWS)
    mask = add_mask(layer, shares)
    result = must(call(FILL, image, [layer]))['layer']
    tap.same([[pixel[3] for pixel in row] for row in colors(result)], shares,
             'a layer’s mask hides the same part of its result')
    tap.same(result.get_mask(), None, 'whose alpha contains it')
    full = levels(must(call(FILL, image, [layer], connectivity='4'))['layer'])
    layer.set_apply_mask(False)
    result = must(call(FILL, image, [layer], connectivity='4'))['layer']
    tap.same((result.has_alpha(), levels(result)), (False, full),
             'a disabled mask hides nothing, and levels are the same')
    result = must(call(RECONSTRUCT, image, [mask], height=0.1))['layer']
    tap.same(levels(result), lowered(shares, 0.1), 'a mask can be the input')
    image.delete()


# ---------------------------------------------------------------- filters and groups

def filters():
    for base, alpha in ((GRAY, False), (RGB, True)):
        image, layer = gray_image(ROWS, base, alpha=alpha)
        added = add_filter(layer)
        image.select_rectangle(Gimp.ChannelOps.REPLACE, 2, 1, 8, 6)
        inside = [row[2:10] for row in inverted(ROWS)[1:7]]
        before, there = raw_bytes(layer), images_open()
        result = must(call(RECONSTRUCT, image, [layer], height=0.2))['layer']
        name = f'{base.value_nick}, alpha {alpha}'
        tap.same((levels(result), place(result)), (lowered(inside), ([2, 1], 8, 6)),
                 f'a layer’s filters count, {name}')
        tap.same(([f.get_id() for f in layer.get_filters()], raw_bytes(layer) == before,
                  images_open()), ([added.get_id()], True, there),
                 f'and stay on the layer, {name}')
        added.set_visible(False)
        result = must(call(RECONSTRUCT, image, [layer], height=0.2))['layer']
        tap.same(levels(result), lowered([row[2:10] for row in ROWS[1:7]]),
                 f'a hidden filter has no effect, {name}')
        image.delete()


def filters_that_enlarge():
    """A shadow enlarges the layer; the input is the layer's own rectangle."""
    image, layer = gray_image([[255] * 6] * 5, RGB, alpha=True)
    write_gray(layer, image, [[255] * 6] * 5, alpha=1.0)
    layer.set_offsets(4, 3)
    add_filter(layer, 'gegl:dropshadow')
    result = must(call(FILL, image, [layer]))['layer']
    tap.same((place(result), levels(result)), (([4, 3], 6, 5), [[255] * 6] * 5),
             'a filter that makes the layer larger')
    image.delete()


def groups():
    image = new_image(WIDTH, HEIGHT)
    group = Gimp.GroupLayer.new(image, 'group')
    image.insert_layer(group, None, 0)
    layer = Gimp.Layer.new(image, 'inside', WIDTH, HEIGHT, Gimp.ImageType.GRAY_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, group, 0)
    write_gray(layer, image, ROWS)
    add_filter(layer)
    tap.same(levels(must(call(RECONSTRUCT, image, [group], height=0.2))['layer']),
             lowered(inverted(ROWS)), 'the input of a group is its visible result')
    group.set_opacity(40)
    added = add_filter(group)
    there = images_open()
    tap.same(levels(must(call(RECONSTRUCT, image, [group], height=0.2))['layer']),
             lowered(ROWS), 'with its own filters, but without its opacity')
    tap.same((images_open(), [f.get_id() for f in group.get_filters()]), (there, [added.get_id()]),
             'no undo group stays open')
    image.delete()


def shadowed_groups():
    """A shadow enlarges what a group shows; the input is the group's own rectangle, as GIMP shows
    it."""
    rows = [[(40 * x + 90 * y) % 256 for x in range(12)] for y in range(9)]
    for where in ('the group', 'a layer in the group', 'a group in the group'):
        for x, y in ((14, 8), (-5, 20)):
            image = new_image(40, 30, RGB)
            group = Gimp.GroupLayer.new(image, 'group')
            image.insert_layer(group, None, 0)
            inner = Gimp.GroupLayer.new(image, 'inner')
            image.insert_layer(inner, group, 0)
            layer = Gimp.Layer.new(image, 'inside', 12, 9, Gimp.ImageType.RGBA_IMAGE, 100,
                                   Gimp.LayerMode.NORMAL)
            layer.set_offsets(x, y)
            image.insert_layer(layer, inner, 0)
            write_gray(layer, image, rows)
            add_filter({'the group': group, 'a layer in the group': layer}.get(where, inner),
                       'gegl:dropshadow')
            at, wide = tuple(group.get_offsets()[1:]), (group.get_width(), group.get_height())
            visible = image.duplicate()
            visible.resize(240, 240, 100, 100)
            seen = Gimp.Layer.new_from_visible(visible, visible, 'seen')
            expected = [[pixel[3] for pixel in row[at[0] + 100:at[0] + 100 + wide[0]]]
                        for row in colors(seen)[at[1] + 100:at[1] + 100 + wide[1]]]
            visible.delete()
            there = images_open()
            result = call(RECONSTRUCT, image, [group], source='alpha', height=0.2)
            name = f'a group with a shadow of {where}, at {x}, {y}'
            tap.same((result.status, images_open()), ('success', there),
                     f'{name}: no image is left')
            tap.ok(result and place(result['layer']) == (list(at), *wide), f'{name}: its place')
            tap.same(result and levels(result['layer']), lowered(expected), f'{name}: its opacity')
            image.delete()


def color_marker_filters():
    """The colors of a marker layer count as they are shown."""
    for kind in ('a layer', 'a group'):
        image, layer = gray_image(ROWS, RGB)
        marker = Gimp.Layer.new(image, 'marker', WIDTH, HEIGHT, Gimp.ImageType.RGBA_IMAGE, 100,
                                Gimp.LayerMode.NORMAL)
        group = Gimp.GroupLayer.new(image, 'markers')
        image.insert_layer(group, None, 0)
        image.insert_layer(marker, group if kind == 'a group' else None, 0)
        # four grays, of which a filter with two levels makes two
        write_gray(marker, image, [[50 * (x // 3) for x in range(WIDTH)]] * HEIGHT, alpha=1.0)
        marked = group if kind == 'a group' else marker
        there = images_open()

        def basins():
            result = must(call(WATERSHED, image, [layer], markers='layer', marker_layer=marked))
            return result['basins']

        plain = basins()
        added = add_filter(marked, 'gimp:posterize')
        added.get_config().set_property('levels', 2)
        added.update()
        tap.ok(plain > basins() == 2, f'{kind} of markers with a filter', (plain, basins()))
        added.set_visible(False)
        tap.same(basins(), plain, f'{kind} of markers with a hidden filter')
        tap.same(images_open(), there, f'{kind} of markers: no image is left')
        image.delete()


def indexed():
    """Levels are those of the colors of a palette, and scripts say that the image may change."""
    red = [[(7 * x + 40 * y) % 250 for x in range(WIDTH)] for y in range(HEIGHT)]
    for alpha in (False, True):
        image = new_image(WIDTH, HEIGHT, RGB)
        layer = Gimp.Layer.new(image, 'layer', WIDTH, HEIGHT, layer_type(image, alpha), 100,
                               Gimp.LayerMode.NORMAL)
        image.insert_layer(layer, None, 0)
        layer.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), "R'G'B'A u8", b''.join(
            bytes((v // 25 * 25, 255 - v // 50 * 50, 30, 255)) for row in red for v in row))
        layer.update(0, 0, WIDTH, HEIGHT)
        marker = layer.copy()
        image.insert_layer(marker, None, 0)
        same = image.duplicate()
        image.convert_indexed(Gimp.ConvertDitherType.NONE, Gimp.ConvertPaletteType.GENERATE, 256,
                              False, False, '')
        there, name = images_open(), f'indexed, alpha {alpha}'
        for source in ('luminance', 'red', 'green'):
            for more in ({'lines_layer': False, 'basins_layer': False, 'label_image': True},
                         {'markers': 'layer', 'marker_layer': marker}):
                arguments = {'source': source, 'convert_to_rgb': True, **more}
                results = []
                for where, which in ((image, layer), (same, same.get_layers()[1])):
                    if 'marker_layer' in more:
                        arguments['marker_layer'] = where.get_layers()[0]
                    results.append(must(call(WATERSHED, where, [which], **arguments)))
                tap.same(*(one['basins'] for one in results), f'{name}: basins of {source}')
                if 'label_image' in more:
                    tap.same(*(raw_bytes(one['label-image'].get_layers()[0]) for one in results),
                             f'{name}: labels of {source}')
                    tap.same(image.get_base_type(), Gimp.ImageBaseType.INDEXED,
                             f'{name}: an image without new layers stays indexed')
                    for one in results:
                        one['label-image'].delete()
                else:
                    tap.same(*([colors(made) for made in one['layers']] for one in results),
                             f'{name}: layers of {source}')
                    tap.same(image.get_base_type(), RGB, f'{name}: new layers make it RGB')
                    image.undo_disable()
                    for where, one in zip((image, same), results):
                        for made in one['layers']:
                            where.remove_layer(made)
                    image.convert_indexed(Gimp.ConvertDitherType.NONE,
                                          Gimp.ConvertPaletteType.GENERATE, 256, False, False, '')
        refused = call(WATERSHED, image, [layer])
        tap.ok(not refused and 'indexed' in refused.message and images_open() == there,
               f'{name}: a script has to ask for the conversion', refused)
        image.delete()
        same.delete()


def filtered_marker():
    image, layer = gray_image(ROWS)
    seeds = random_rows(WIDTH, HEIGHT, 255, 'seeds', steps=4)
    marker = new_layer(image, seeds, name='marker')
    add_filter(marker)
    result = must(call(RECONSTRUCT, image, [layer], marker=marker))['layer']
    tap.same(levels(result), reference.reconstruct(ROWS, inverted(seeds)),
             'a marker’s filters count, too')
    image.delete()


# ---------------------------------------------------------------- the selection as a marker

def from_selection():
    image = new_image(WIDTH + 6, HEIGHT + 4)
    layer = new_layer(image, ROWS, x=3, y=2)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 5, 4, 3, 2)
    inside = [[2 <= x < 5 and 2 <= y < 4 for x in range(WIDTH)] for y in range(HEIGHT)]
    least, most = (f(v for row in ROWS for v in row) for f in (min, max))
    for by, ground in (('dilation', least), ('erosion', most)):
        seeds = [[v if chosen else ground for v, chosen in zip(*rows)]
                 for rows in zip(ROWS, inside)]
        wanted = reference.reconstruct(ROWS, seeds, by)
        result = must(call(RECONSTRUCT, image, [layer], from_selection=True, by=by))['layer']
        tap.same((place(result), levels(result), result.has_alpha()),
                 (([3, 2], WIDTH, HEIGHT), wanted, False), f'grown from the selection by {by}')
        result = call(RECONSTRUCT, image, [layer], marker=image.get_selection(), by=by)
        tap.same(levels(must(result)['layer']), wanted, f'given as the marker itself, by {by}')

    refused = call(RECONSTRUCT, image, [layer], from_selection=True, marker=layer)
    tap.ok(not refused and 'layer' in refused.message and 'selection' in refused.message,
           'two markers', refused)
    Gimp.Selection.none(image)
    refused = call(RECONSTRUCT, image, [layer], from_selection=True)
    tap.ok(not refused and 'empty' in refused.message, 'an empty selection', refused)
    image.delete()


def soft_selection():
    """A half-selected pixel marks the level half way between no marker and the layer's level."""
    rows = [[10, 200, 90, 200, 10]]
    image, layer = gray_image(rows)
    selection = image.get_selection()
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 1, 0, 1, 1)
    selection.get_buffer().set(Gegl.Rectangle.new(1, 0, 1, 1), 'Y u8', bytes([51]))
    selection.update(0, 0, 5, 1)
    result = must(call(RECONSTRUCT, image, [layer], from_selection=True))['layer']
    height = math.floor(10 + 0.2 * 190 + 0.5)
    tap.same(levels(result), [[10, height, height, height, 10]], 'partly selected pixels')
    image.delete()


for group in (several, all_or_nothing, a_channel_and_a_layer, components, stains, refused_stains,
              gray_components, alpha_and_selection, masked, filters, filters_that_enlarge, groups,
              shadowed_groups, color_marker_filters, indexed, filtered_marker, from_selection,
              soft_selection):
    tap.group(group)
tap.done()
