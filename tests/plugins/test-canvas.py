# SPDX-License-Identifier: GPL-3.0-or-later

"""What lies on the canvas after OK: it looks like the preview.

A person opens a picture with nothing prepared, accepts dialogs, and looks at the canvas; the
flattened image has the same pixels.  Pictures are saved in the folder $SHOTS as "canvas-…".
"""

from desk import Desk
from gimptest import *
from person import Person, press
from pictures import Picture
from scenes import cells
from screen import screen, settle

SHOTS = os.environ['SHOTS']
WIDTH, HEIGHT = 400, 300
ROWS = cells(WIDTH, HEIGHT)
GREEN = (0, 0xe0, 0x5a)
CONTRAST = 96


class Canvas(Desk):
    def __init__(self, image, layer):
        forget()
        super().__init__(image, layer)

    def accept(self, name, number, *actions, short='last', **arguments):
        """Accepts a dialog after the actions, for the layers that are selected; whether there are
        as many layers then."""
        forget()
        selected = self.image.get_selected_layers()
        look = f'look:canvas-{short}'
        person = Person(TITLES[name], [look, *actions, look, look, 'alt+o'], f'{SHOTS}/%s.png')
        result = call(name, self.image, selected, Gimp.RunMode.INTERACTIVE, **arguments)
        person.join()
        there = self.has(number)
        settle()
        screen().save(f'{SHOTS}/canvas-{short}-after.png')
        return tap.ok(result and there, f'{short}: {number} layers', result,
                      layer_names(self.image))

    def undo(self, number):
        press(self.window, 'ctrl+z')
        return self.has(number)

    def look(self, short):
        return Picture(f'{SHOTS}/canvas-{short}.png')


def flattened(image):
    """Red, green and blue of what is visible."""
    copy = image.duplicate()
    pixels = [[pixel[:3] for pixel in row] for row in colors(copy.flatten())]
    copy.delete()
    return pixels


def pairs(one, other):
    return [pair for rows in zip(one, other) for pair in zip(*rows)]


def readable(line, picture):
    """As ui/preview/line-contrast.h defines it."""
    return max(abs(a - b) for a, b in zip(line, picture)) >= CONTRAST


def drawn(layer):
    return [[pixel[3] > 0 for pixel in row] for row in colors(layer)]


def check_lines(image, layer, lines, what):
    """The picture is visible between the lines, and all lines are readable on it."""
    marks, seen, picture = drawn(lines), flattened(image), colors(layer)
    both = pairs(pairs_of_rows(seen, picture), marks)
    tap.ok(all(on or here == below[:3] for (here, below), on in both),
           f'{what}: the picture is visible between the lines')
    worst = [(here, below) for (here, below), on in both if on and not readable(here, below)]
    tap.ok(any(on for _, on in both) and not worst, f'{what}: the lines are readable on it',
           worst[:5])


def pairs_of_rows(one, other):
    return [list(zip(*rows)) for rows in zip(one, other)]


def picture(base):
    """Cells, and in colors a meadow to the left: as green as the lines."""
    image, layer = gray_image(ROWS, base)
    if base == RGB:
        buffer = layer.get_buffer()
        buffer.set(Gegl.Rectangle.new(0, 0, WIDTH // 4, HEIGHT), "R'G'B' u8", b''.join(
            bytes((20, max(level, 190), 80)) for row in ROWS for level in row[:WIDTH // 4]))
        buffer.flush()
        layer.update(0, 0, WIDTH, HEIGHT)
    return image, layer


def colors_of(lines):
    return {pixel[:3] for row in colors(lines) for pixel in row if pixel[3]}


def lines_over_the_picture():
    """Basins are asked for as well, and lie hidden; a second run lies above the first."""
    for base, kind in ((RGB, 'rgb'), (GRAY, 'gray')):
        desk = Canvas(*picture(base))
        if not desk.accept(WATERSHED, 3, short=f'watershed-{kind}', smoothing=1.0):
            continue
        lines, basins, layer = desk.image.get_layers()
        check_lines(desk.image, layer, lines, kind)
        tap.ok(not basins.get_visible(), f'{kind}: the basins are hidden below the lines')
        tap.same(desk.image.get_selected_layers(), [layer], f'{kind}: the picture stays selected')
        tap.same(colors_of(lines), {(0, 0, 0), (255, 255, 255)} | ({GREEN} if base == RGB else
                                                                  set()),
                 f'{kind}: lines are green where that is readable')

        basins.set_visible(True)
        desk.accept(WATERSHED, 5, short=f'second-{kind}', smoothing=4.0)
        second = desk.image.get_layers()[0]
        seen = flattened(desk.image)
        tap.ok(all(here == line[:3] for here, line in pairs(seen, colors(second)) if line[3]),
               f'{kind}: a second run lies above the first')
        desk.close()


def basins_as_shown():
    """Tinted basins stay half transparent."""
    desk = Canvas(*picture(RGB))
    desk.accept(WATERSHED, 3, 'click:750,354', 'Down', 'Down', 'Return', short='tinted',
                smoothing=3.0)
    lines, basins, layer = desk.image.get_layers()
    tap.ok(basins.get_visible() and abs(basins.get_opacity() - 50) < 1,
           'basins that the preview shows are visible, and the picture through them',
           basins.get_visible(), basins.get_opacity())
    tap.same(desk.image.get_selected_layers(), [layer], 'the picture stays selected')
    desk.close()


def in_colors():
    """A gray image becomes RGB in the same undo step."""
    desk = Canvas(*picture(GRAY))
    before = raw_bytes(desk.layer)
    desk.accept(WATERSHED, 3, 'alt+p', 'alt+v', short='converted', input='objects')
    tap.same(desk.image.get_base_type(), RGB, 'the image is RGB')
    lines, basins, layer = desk.image.get_layers()
    check_lines(desk.image, layer, lines, 'converted')
    tap.ok(GREEN in colors_of(lines), 'the lines are green', colors_of(lines))
    tap.ok(len({max(p[:3]) - min(p[:3]) for r in colors(basins) for p in r if p[3]}) > 9,
           'the basins have colors')
    tap.ok(desk.undo(1) and desk.image.get_base_type() == GRAY and raw_bytes(layer) == before,
           'one undo takes back the conversion as well', desk.image.get_base_type())
    desk.accept(DISTANCE, 2, 'alt+e', 'alt+v', short='converted-contours', output='contours',
                step=4.0)
    tap.ok(desk.image.get_base_type() == RGB
           and GREEN in colors_of(desk.image.get_layers()[0]), 'contour lines are green, too')
    desk.close()


INDEXED = Gimp.ImageBaseType.INDEXED


def indexed_picture(kept=200):
    image, layer = picture(RGB)
    image.convert_indexed(Gimp.ConvertDitherType.NONE, Gimp.ConvertPaletteType.GENERATE, kept,
                          False, False, '')
    return image, layer


def indexed():
    """The palette has no place for lines and levels: the image becomes RGB in the same undo step."""
    desk = Canvas(*indexed_picture())
    before = colors(desk.layer)
    desk.accept(WATERSHED, 3, 'alt+p', short='indexed-watershed', smoothing=1.0)
    tap.same(desk.image.get_base_type(), RGB, 'the indexed image is RGB')
    lines, basins, layer = desk.image.get_layers()
    tap.same(colors(layer), before, 'with the same colors')
    check_lines(desk.image, layer, lines, 'indexed')
    tap.ok(GREEN in colors_of(lines), 'the lines are green', colors_of(lines))
    tap.ok(len({max(p[:3]) - min(p[:3]) for r in colors(basins) for p in r if p[3]}) > 9,
           'the basins have colors')
    tap.ok(desk.undo(1) and desk.image.get_base_type() == INDEXED
           and colors(desk.layer) == before, 'one undo takes back the conversion as well',
           desk.image.get_base_type())

    desk.accept(DISTANCE, 2, short='indexed-contours', output='contours', step=5.0, threshold=0.3)
    lines, layer = desk.image.get_layers()
    check_lines(desk.image, layer, lines, 'indexed, contours')
    shown = previewed(desk.look('indexed-contours'))
    made = {bytes(pixel) for row in flattened(desk.image) for pixel in row}
    tap.ok(len(shown & made) > 0.9 * len(shown), 'the preview has the colors of the result',
           len(shown & made), len(shown))
    tap.ok(desk.undo(1) and desk.image.get_base_type() == INDEXED, 'one undo, contours')

    desk.accept(FILTER % 'fill-holes', 2, short='indexed-filled')
    copy = desk.image.duplicate()
    there = must(call(FILTER % 'fill-holes', copy, copy.get_layers()[1:]))['layer']
    tap.same(colors(desk.image.get_layers()[0]), colors(there), 'as of an RGB image')
    copy.delete()
    tap.same((desk.image.get_base_type(), desk.image.get_selected_layers()),
             (RGB, desk.image.get_layers()[:1]), 'and the next step works on it')
    desk.close()


def previewed(look):
    """The colors of the picture in a dialog, without the controls around it."""
    part = look.upper_right(396, 290, 100, 20)
    return {part[i:i + 3] for i in range(0, len(part), 3)}


def contour_lines():
    """In the preview as in the result."""
    for base, kind in ((RGB, 'rgb'), (GRAY, 'gray')):
        desk = Canvas(*picture(base))
        desk.accept(DISTANCE, 2, short=f'contours-{kind}', output='contours', step=5.0,
                    threshold=0.3)
        lines, layer = desk.image.get_layers()
        check_lines(desk.image, layer, lines, f'contours, {kind}')
        shown = previewed(desk.look(f'contours-{kind}'))
        made = {bytes(pixel) for row in flattened(desk.image) for pixel in row}
        tap.ok(len(shown & made) > 0.9 * len(shown),
               f'contours, {kind}: the preview has the colors of the result',
               len(shown & made), len(shown))
        tap.same(desk.image.get_selected_layers(), [layer], f'{kind}: the picture stays selected')
        desk.close()


def chain():
    """Holes are filled, and the next dialog works on that, without a click."""
    desk = Canvas(*picture(GRAY))
    desk.accept(FILTER % 'fill-holes', 2, short='filled')
    desk.accept(FILTER % 'opening-by-reconstruction', 3, short='opened', radius=4)
    desk.accept(FILTER % 'area-opening', 4, short='without-specks', area=60.0)
    desk.accept(FILTER % 'h-maxima', 6, short='cut', dome=True)
    tap.same(layer_names(desk.image),
             ['H-maxima of Area opening of Opening by reconstruction of layer with holes filled',
              'Domes of Area opening of Opening by reconstruction of layer with holes filled',
              'Area opening of Opening by reconstruction of layer with holes filled',
              'Opening by reconstruction of layer with holes filled', 'layer with holes filled', 'layer'],
             'each works on the result of the one before')
    tap.same(desk.image.get_selected_layers(), desk.image.get_layers()[:1],
             'and what the preview showed is selected, on top')
    desk.close()


def black_and_white():
    """A threshold of the surroundings: the new layer is what the preview showed."""
    desk = Canvas(*picture(RGB))
    desk.accept(FILTER % 'threshold', 2, short='threshold', method='mean', radius=30, offset=-0.1)
    made = flattened(desk.image)
    tap.same({tuple(pixel) for row in made for pixel in row}, {(0, 0, 0), (255, 255, 255)},
             'the canvas is black and white')
    shown = previewed(desk.look('threshold'))
    tap.ok({bytes((0, 0, 0)), bytes((255, 255, 255))} <= shown and len(shown) < 20,
           'and so is the preview', len(shown))
    tap.same(desk.image.get_selected_layers(), desk.image.get_layers()[:1],
             'and the next step works on it')
    tap.ok(desk.undo(1), 'one undo')
    desk.close()


for group in (lines_over_the_picture, basins_as_shown, in_colors, indexed, contour_lines, chain,
              black_and_white):
    tap.group(group)
tap.done()
