# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings that dialogs propose for an image: they show its objects at once, stay out of scripts, and
give way to the user's own.
"""

import os

from gimptest import *
from person import Person
from pictures import Picture
from screen import screen

SHOTS = os.environ['SHOTS']
INTERACTIVE, AGAIN = Gimp.RunMode.INTERACTIVE, Gimp.RunMode.WITH_LAST_VALS
DEFAULTS, PROPOSE = 'press:defaults', 'press:propose'
# in the upper right corner of the dialog: from its right edge, and from above
BUTTONS = {'defaults': (60, 28), 'propose': (170, 28)}


class Chooser(Person):
    """Presses the buttons, too."""

    def do(self, what, name):
        if what == 'press':
            left, down = BUTTONS[name]
            what, name = 'click', f'{screen().place(self.window)[2] - left},{down}'
        return super().do(what, name)


def discs(width, height, places, radius, inside, outside, seed):
    """Discs with noise, which has hundreds of minima."""
    source = random.Random(seed)
    rows = [[outside] * width for _ in range(height)]
    for cx, cy in places:
        for y in range(max(cy - radius, 0), min(cy + radius + 1, height)):
            for x in range(max(cx - radius, 0), min(cx + radius + 1, width)):
                if (x - cx) ** 2 + (y - cy) ** 2 <= radius ** 2:
                    rows[y][x] = inside
    return [[min(max(level + source.randrange(-12, 13), 0), 255) for level in row] for row in rows]


FEW = [(30, 30), (90, 35), (150, 28), (35, 95), (100, 100), (155, 90)]
# two of them touch
TOUCHING = [(30, 30), (60, 30), (120, 35), (170, 40), (50, 90), (100, 95), (150, 100), (178, 100)]
BRIGHT = discs(200, 130, FEW, 16, 190, 60, 'bright')
DARK = discs(210, 130, TOUCHING, 16, 50, 180, 'dark')


def regions():
    """Four fields of different brightness, with noise: no objects on a background."""
    source = random.Random('regions')
    levels_of = ((40, 120, 200), (160, 230, 80))
    return [[min(max(levels_of[y // 60][x // 60] + source.randrange(-10, 11), 0), 255)
             for x in range(180)] for y in range(120)]


def ask(name, image, layer, actions, **arguments):
    person = Chooser(TITLES[name], actions, f'{SHOTS}/proposals-%s.png')
    result = call(name, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return must(result)


def basins(rows, actions, **arguments):
    image, layer = gray_image(rows)
    result = ask(WATERSHED, image, layer, actions, **arguments)
    image.delete()
    return result['basins']


def basins_of_script(rows, **arguments):
    image, layer = gray_image(rows)
    result = must(call(WATERSHED, image, [layer], **arguments))
    image.delete()
    return result['basins']


def shows_objects():
    tap.same(basins(BRIGHT, ['look:bright', 'Return']), len(FEW),
             'a dialog, confirmed as it opens, finds bright objects')
    forget()
    tap.same(basins(DARK, ['look:dark', 'Return']), len(TOUCHING),
             'and dark ones, also those that touch')
    forget()
    found = basins(regions(), ['look:regions', 'Return'])
    tap.ok(found == 6, 'and the regions of a picture', found)


def scripts_have_defaults():
    plain = basins_of_script(BRIGHT)
    given = basins_of_script(BRIGHT, input='levels', smoothing=0.0, valleys='dark',
                             merge_by='dynamics', merge_value=0.0)
    tap.ok(plain == given and plain > 100, 'a script has the plain defaults', (plain, given))


def plain_defaults():
    plain = basins_of_script(BRIGHT)
    tap.same(basins(BRIGHT, [DEFAULTS, 'look:plain', 'Return']), plain,
             'one click sets the plain defaults')
    tap.same(basins(BRIGHT, ['look:plain-again', 'Return']), plain,
             'they are remembered: nothing is proposed the next time')
    tap.same(basins(BRIGHT, [PROPOSE, 'look:proposed-again', 'Return']), len(FEW),
             'until a proposal is asked for')


def own_settings():
    wanted = basins_of_script(BRIGHT, smoothing=1.5)
    tap.same(basins(BRIGHT, ['look:own', 'Return'], smoothing=1.5), wanted,
             'settings that differ from the defaults are not replaced')
    tap.same(basins(BRIGHT, ['Return']), wanted, 'nor are they as last values')
    tap.same(basins(DARK, ['Return']), basins_of_script(DARK, smoothing=1.5),
             'in another image either')


def edited():
    """The line says whose the settings are as soon as one is changed: here the smoothing."""
    image, layer = gray_image(BRIGHT)
    ask(WATERSHED, image, layer, ['look:untouched', 'click:365,162', 'look:edited', 'Return'])
    image.delete()
    before, after = (Picture(f'{SHOTS}/proposals-{name}.png').part(10, 10, 400, 36)
                     for name in ('untouched', 'edited'))
    tap.ok(before != after, 'the line changes with the settings')


def proposals_follow_images():
    """What was proposed for one image and accepted is no setting of the user's own."""
    tap.same(basins(BRIGHT, ['Return']), len(FEW), 'one image')
    tap.same(basins(DARK, ['look:other', 'Return']), len(TOUCHING), 'another with its own proposal')
    image, layer = gray_image(BRIGHT)
    again = must(call(WATERSHED, image, [layer], AGAIN))
    tap.same(again['basins'], basins_of_script(BRIGHT, input='objects', objects='dark',
                                               smoothing=2.5),
             'a repetition has the last values')
    image.delete()


def unchanged_image():
    image, layer = gray_image(BRIGHT)
    image.clean_all()
    before = raw_bytes(layer)
    person = Person(TITLES[WATERSHED], ['Escape'])
    result = call(WATERSHED, image, [layer], INTERACTIVE)
    person.join()
    tap.ok(result.status == 'cancel' and raw_bytes(layer) == before and not image.is_dirty(),
           'a proposal changes nothing of the image', result)
    image.delete()


def compactness():
    """Own settings with markers stay, without lines, which cannot be together with compactness."""
    image, layer = gray_image(DARK)
    path = Gimp.Path.new(image, 'points')
    for x, y in TOUCHING:
        path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER, [float(x), float(y)] * 3, False)
    image.insert_path(path, None, 0)
    chosen = {'markers': 'path', 'marker_path': path, 'compactness': 0.02, 'mean_layer': True}

    def means(result):
        return levels(must(result)['mean-layer'])

    wanted = means(call(WATERSHED, image, [layer], **chosen))
    plain = means(call(WATERSHED, image, [layer], **(chosen | {'compactness': 0.0})))
    lines = ask(WATERSHED, image, layer, ['alt+b', 'look:compact', 'Return'], lines=True, **chosen)
    tap.ok(means(lines) == wanted != plain, 'own compactness is kept, and lines are given up')
    tap.same(means(call(WATERSHED, image, [layer], AGAIN)), wanted, 'as in a repetition')
    image.delete()


def sizes():
    image, layer = gray_image(BRIGHT)
    for operation, size in (('white-top-hat-by-reconstruction', {'radius': 13}),
                            ('black-top-hat', {'radius': 13}),
                            ('opening-by-reconstruction', {'radius': 3}),
                            ('area-opening', {'area': 28}), ('volume-closing', {'volume': 2.8})):
        name = FILTER % operation
        wanted = levels(must(call(name, image, [layer], **size))['layer'])
        plain = levels(must(call(name, image, [layer]))['layer'])
        found = levels(ask(name, image, layer, [f'look:{operation}', 'Return'])['layer'])
        tap.ok(found == wanted != plain, f'{operation}: for the size of the image')
        forget()
        found = levels(ask(name, image, layer, [DEFAULTS, 'Return'])['layer'])
        tap.ok(found == plain, f'{operation}: one click sets the default')
        forget()
    image.delete()


def threshold():
    dim = [[level // 3 for level in row] for row in BRIGHT]
    image, layer = gray_image(dim)
    found = ask(DISTANCE, image, layer, ['look:distances', 'Return'])['threshold-used']
    wanted = must(call(DISTANCE, image, [layer], automatic_threshold=True))['threshold-used']
    tap.ok(found == wanted < 0.4, 'a distance map proposes the automatic threshold',
           (found, wanted))
    plain = must(call(DISTANCE, image, [layer]))['threshold-used']
    tap.ok(abs(plain - 0.5) < 0.01, 'which a script must ask for', plain)
    image.delete()


def objects_of_a_threshold():
    """All pixels of the objects are white, whether they are bright or dark."""
    for name, rows, below in (('bright', BRIGHT, False), ('dark', DARK, True)):
        image, layer = gray_image(rows)
        threshold = FILTER % 'threshold'
        found = ask(threshold, image, layer, [f'look:threshold-{name}', 'Return'])
        wanted = must(call(threshold, image, [layer], automatic_threshold=True, below=below))
        tap.ok(levels(found['layer']) == levels(wanted['layer'])
               and found['threshold-used'] == wanted['threshold-used'],
               f'a threshold finds {name} objects', found, wanted)
        image.delete()
        forget()


def selected_part():
    """Only what is worked on is looked at: here a part with two objects."""
    image, layer = gray_image(BRIGHT)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 60, 0, 140, 65)
    result = ask(WATERSHED, image, layer, ['look:selected', 'Return'])
    tap.same(result['basins'], 2, 'a selection: its objects')
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
for group in (shows_objects, scripts_have_defaults, plain_defaults, own_settings, edited,
              proposals_follow_images, unchanged_image, compactness, sizes, threshold,
              objects_of_a_threshold, selected_part):
    forget()
    tap.group(group)
tap.done()
