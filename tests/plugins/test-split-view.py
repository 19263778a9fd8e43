# SPDX-License-Identifier: GPL-3.0-or-later

"""GIMP's split view in the dialogs of non-destructive filters: on the canvas the left half is what the
filter makes, the right half the picture, also after an option has changed; accepted, the filter works
on all of the layer.  Pictures are saved in the folder $SHOTS as "split-view-…".
"""

from desk import Desk
from eyes import Eyes
from gimptest import *
from person import output, wait_for, windows
from scenes import cells
from screen import screen, settle

SHOTS = os.environ['SHOTS']
MAIN, ENTRIES = '.*GIMP', ('Filters', 'Morphology', 'Non-Destructive')
WIDTH, HEIGHT = 400, 300
ROWS = cells(WIDTH, HEIGHT)
EDGE = 3   # pixels at the edges of the layer and of the halves, where GIMP draws lines
# operation, the option that is typed in the dialog, and its first and second value
FILTERS = (('h-maxima', 'H-Maxima', 'Height', 'height', 0.1, 0.4),
           ('erosion', 'Erosion', 'Radius', 'radius', 1, 6))
eyes = Eyes()


def screen_rows():
    """The levels on the screen, row by row: blue, green, red and nothing of each pixel."""
    data, width, height = screen().read(0, 0, *screen().size)
    return [bytes(data[4 * width * y:4 * width * (y + 1)]) for y in range(height)]


def find_picture():
    """Where the canvas shows the first pixel of the picture, without a scale."""
    inner = ROWS[HEIGHT // 2][EDGE:-EDGE]
    for y, row in enumerate(screen_rows()):
        x = bytes(row[::4]).find(bytes(inner))
        if x >= 0:
            return x - EDGE, y - HEIGHT // 2
    raise AssertionError('the picture is not on the screen')


def canvas(place):
    left, top = place
    rows = screen_rows()
    return [list(rows[top + y][4 * left:4 * (left + WIDTH):4]) for y in range(HEIGHT)]


def differing(seen, wanted, first, last):
    """Pixels in these columns that differ by more than a rounding."""
    return [(x, y, seen[y][x], wanted[y][x]) for y in range(EDGE, HEIGHT - EDGE)
            for x in range(max(first, EDGE), min(last, WIDTH - EDGE))
            if abs(seen[y][x] - wanted[y][x]) > 1]


def halves(seen, left, right, what):
    wrong = differing(seen, left, 0, WIDTH // 2 - EDGE), differing(seen, right, WIDTH // 2 + EDGE,
                                                                   WIDTH)
    tap.ok(not wrong[0], f'{what}: the left half', len(wrong[0]), wrong[0][:5])
    tap.ok(not wrong[1], f'{what}: the right half', len(wrong[1]), wrong[1][:5])


def visible(image):
    copy = image.duplicate()
    rows = [[pixel[0] for pixel in row] for row in colors(copy.flatten())]
    copy.delete()
    return rows


def made(operation, **arguments):
    image, layer = gray_image(ROWS)
    rows = levels(must(call(FILTER % operation, image, [layer], **arguments))['layer'])
    image.delete()
    return rows


def look(place, name):
    """Without the tooltip of what was clicked, which may lie on the canvas."""
    output('xdotool', 'mousemove', '9999', '9999')
    settle()
    screen().save(f'{SHOTS}/split-view-{name}.png')
    return canvas(place)


def split(operation, title, label, option, first, second):
    wanted = [made(operation, **{option: value}) for value in (first, second)]
    least = WIDTH * HEIGHT // 50
    tap.ok(all(len(differing(one, other, 0, WIDTH // 2)) > least and
               len(differing(one, other, WIDTH // 2, WIDTH)) > least
               for one, other in ((wanted[0], ROWS), (wanted[1], wanted[0]))),
           f'{operation}: the filter changes both halves')
    image, layer = gray_image(ROWS, RGB)
    desk = Desk(image, layer)
    dialog = f'{title}.*'
    try:
        place = find_picture()
        eyes.menu(MAIN, *ENTRIES, f'{title}...')
        wait_for(lambda: windows(dialog), 20)
        eyes.type(dialog, label, str(first))
        halves(look(place, f'{operation}-whole'), wanted[0], wanted[0], f'{operation}, not split')
        eyes.check(dialog, 'Split view')
        halves(look(place, f'{operation}-split'), wanted[0], ROWS, f'{operation}, split')
        eyes.type(dialog, label, str(second))
        halves(look(place, f'{operation}-changed'), wanted[1], ROWS, f'{operation}, changed')
        eyes.press(dialog, 'OK')
        tap.ok(wait_for(lambda: not windows(dialog), 20), f'{operation}: the dialog is closed')
        tap.same([one.get_operation_name() for one in layer.get_filters()],
                 [f'wavefront:{operation}'], f'{operation}: the filter stays in the layer')
        halves(look(place, f'{operation}-accepted'), wanted[1], wanted[1],
               f'{operation}, accepted')
        halves(visible(image), wanted[1], wanted[1], f'{operation}, in the image')
    finally:
        desk.close()


def each():
    for row in FILTERS:
        split(*row)


os.makedirs(SHOTS, exist_ok=True)
tap.group(each)
tap.done()
