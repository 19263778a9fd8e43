# SPDX-License-Identifier: GPL-3.0-or-later

"""The Help button opens the page in the language of the session, and the English page where there
is none in this language.
"""

import os

from gimptest import *
from person import Person, wait_for
import reader

LANGUAGE = os.environ.get('LANGUAGE') or os.environ['LC_ALL'].split('_')[0]


def pages():
    image, layer = gray_image(random_rows(40, 30, 255, 'help', steps=7))
    reader.install()
    reader.add_page('closing-by-reconstruction')
    wanted = [reader.add_page('closing-by-reconstruction', LANGUAGE),
              reader.add_page('opening-by-reconstruction')]
    reader.add_page('opening-by-reconstruction', 'eo')
    for number, name in enumerate(('closing-by-reconstruction', 'opening-by-reconstruction')):
        person = Person('.+', ['F1', 'Escape'])
        result = call(FILTER % name, image, [layer], Gimp.RunMode.INTERACTIVE)
        person.join()
        wait_for(lambda: len(reader.opened()) == number + 1, 30)
        tap.same(result.status, 'cancel', f'{name}: the dialog')
        tap.same(reader.opened()[number:], [wanted[number]], f'{name}: the page')
    image.delete()


tap.group(pages)
tap.done()
