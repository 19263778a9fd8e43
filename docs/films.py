# SPDX-License-Identifier: GPL-3.0-or-later
"""The three tasks of docs/three-tasks.md, as a person does them in GIMP with the mouse and the keyboard:
tests/docs/test-three-tasks.py follows them, judges what comes out, and takes the pictures, which
docs/make-films puts into docs/pictures.

A film has a name, and steps:

  open NAME                  a picture in the folder of the pictures
  menu LABEL...              in the menu bar of GIMP
  window TITLE               what follows is done in this window, which opens
  main                       what follows is done in GIMP's window
  choose LABEL VALUE         in a menu
  type LABEL VALUE           a number or a text
  check LABEL                a box
  uncheck LABEL              a box
  press LABEL                a button, a page, a tool or the title of a column
  key KEY                    on the keyboard
  draw KEY PLACE...          on the canvas, with the tool of this key, through places of the image
  size WIDTH HEIGHT          of the window
  preview PLACE SIZE         the preview shows this part of the image
  click PLACE                in the preview, at a place of the image
  point PLACE                the mouse moves there, in the preview
  line PLACE PLACE           in the preview, with the button held
  cell NAME                  of a list
  swatch                     the foreground color
  save TITLE NAME            in the window that asks where to save
  read TEXT                  what is written in the window
  picture NAME WHAT          of the window, GIMP's window (main), both, the preview with its tools, the
                             canvas, or the screen
  film NAME WHAT LABEL...    as menu, with a picture while the mouse is on the last entry
"""
import collections
import math

Film = collections.namedtuple('Film', 'name steps')

WATERSHED, FILTER = 'Watershed', r'Fill Holes.*'
COLOR, SAVE_OBJECTS, SAVE_IMAGE = 'Change Foreground Color', 'Save the Objects', 'Save Image'
MORPHOLOGY = ('Filters', 'Morphology')

# a part of the connective tissue between the glands
CORNER, SIZE = (164, 235), (130, 90)
PART = (CORNER, (CORNER[0] + SIZE[0], CORNER[1] + SIZE[1]))

# around a coin, and how thick it is
RING_MIDDLE, RING_RADIUS, BRUSH = (110, 125), 34, 12
RING = [(round(RING_MIDDLE[0] + RING_RADIUS * math.cos(math.tau * i / 40)),
         round(RING_MIDDLE[1] + RING_RADIUS * math.sin(math.tau * i / 40))) for i in range(41)]
ORANGE = 'ffb000'

NUCLEI = Film('nuclei', (
    ('open', 'ihc.png'),
    ('draw', 'r', *PART),
    ('picture', 'selected', 'main'),
    ('menu', *MORPHOLOGY, 'Watershed...'),
    ('window', WATERSHED),
    ('choose', 'Preset', 'Nuclei, H-DAB'),
    ('press', 'Objects'),
    ('check', 'Leave out objects at the edge'),
    ('read', '14 of 29 objects'),
    ('press', 'Objects'),       # no tooltip covers the number
    ('picture', 'found', 'window'),
    ('preview', CORNER, SIZE),
    ('press', 'Split'),
    ('line', (222, 307), (238, 301)),
    ('line', (262, 271), (273, 264)),
    ('line', (227, 251), (231, 263)),
    ('picture', 'split', 'preview'),
    ('press', 'Join'),
    ('click', (233, 256)),
    ('point', (262, 250)),      # the pointer does not cover the part
    ('picture', 'first', 'preview'),
    ('click', (245, 249)),
    ('picture', 'joined', 'preview'),
    ('press', 'Delete'),
    ('click', (183, 290)),
    ('picture', 'deleted', 'preview'),
    ('read', '15 of 31 objects'),
    ('press', 'Look'),
    ('check', 'Show the table'),
    ('press', 'Area (px)'),
    ('picture', 'table', 'window'),
    ('press', 'Save…'),
    ('save', SAVE_OBJECTS, 'nuclei.csv'),
    ('press', 'OK'),
    ('main',),
    ('picture', 'outlined', 'main'),
))

GRAINS = Film('grains', (
    ('open', 'grains.png'),
    ('picture', 'opened', 'main'),
    ('menu', *MORPHOLOGY, 'Watershed...'),
    ('window', WATERSHED),
    ('choose', 'Preset', 'Coins and grains'),
    ('size', 1240, 880),
    ('press', 'Objects'),
    ('uncheck', 'Show the table'),      # the last dialog had it
    ('press', 'Image'),
    ('type', 'Smoothing', '1'),
    ('type', 'Ignore necks shallower than', '0.75'),
    ('press', 'Image'),         # no tooltip covers a part
    ('picture', 'preset', 'window'),
    ('press', 'Objects'),
    ('check', 'Leave out objects at the edge'),
    ('read', '152 of 180 objects'),
    ('press', 'Objects'),       # no tooltip covers the number
    ('picture', 'objects', 'window'),
    ('check', 'Show the table'),
    ('press', 'Area (mm²)'),
    ('picture', 'sizes', 'window'),
    ('press', 'Area (mm²)'),
    ('cell', 'Area (mm²)'),
    ('picture', 'largest', 'window'),
    ('press', 'Save…'),
    ('save', SAVE_OBJECTS, 'grains.csv'),
    ('check', 'Layer with numbers'),
    ('press', 'OK'),
    ('main',),
    ('picture', 'numbered', 'main'),
))

FILL = Film('filter', (
    ('open', 'coins.png'),
    ('menu', 'Image', 'Mode', 'RGB'),
    ('film', 'menu', 'screen', *MORPHOLOGY, 'Non-Destructive', 'Fill Holes...'),
    ('window', FILTER),
    ('choose', 'Colors', 'Luminance, colors kept'),
    ('picture', 'options', 'both'),
    ('press', 'OK'),
    ('main',),
    ('swatch',),
    ('window', COLOR),
    ('type', 'HTML notation', ORANGE),
    ('press', 'OK'),
    ('main',),
    ('key', 'p'),
    ('type', 'Size', str(BRUSH)),
    ('picture', 'before', 'canvas'),
    ('draw', 'p', *RING),
    ('picture', 'painted', 'main'),
    ('key', 'ctrl+s'),
    ('save', SAVE_IMAGE, 'coins.xcf'),
    ('key', 'ctrl+w'),
    ('open', 'coins.xcf'),
    ('cell', 'gimp-effects'),
    ('picture', 'list', 'main'),
    ('press', 'Edit the selected filter.'),
    ('window', FILTER),
    ('choose', 'Colors', 'Each component'),
    ('picture', 'changed', 'both'),
    ('press', 'OK'),
    ('main',),
    ('picture', 'result', 'main'),
    ('key', 'ctrl+s'),
))

FILMS = (NUCLEI, GRAINS, FILL)
