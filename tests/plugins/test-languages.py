# SPDX-License-Identifier: GPL-3.0-or-later

"""In a session of another language, all texts of every procedure are in that language: menu
entries, descriptions, arguments and values, errors, and the names of new layers.
"""

import gettext
import os

from gimptest import *

LANGUAGE = os.environ.get('LANGUAGE') or os.environ['LC_ALL'].split('_')[0]
CATALOGUE = f"{os.environ.get('WAVEFRONT_LOCALE', '')}/{LANGUAGE}/LC_MESSAGES/wavefront.mo"


def read_catalogue():
    """A dictionary from English to the other language, without contexts."""
    with open(CATALOGUE, 'rb') as file:
        entries = gettext.GNUTranslations(file)._catalog
    return {(key[0] if isinstance(key, tuple) else key).rpartition('\x04')[2]: text
            for key, text in entries.items() if key}


def texts_of(procedure):
    yield procedure.get_menu_label()
    yield procedure.get_blurb()
    for spec in [*procedure.get_arguments()[3:], *procedure.get_return_values()]:
        yield spec.nick
        # choices and units are in brackets after the description
        yield spec.blurb.rpartition(' (')[0] if spec.blurb.endswith(')') else spec.blurb


def procedures():
    names = Gimp.get_pdb().query_procedures('plug-in-wavefront-.*', *['.*'] * 7)
    tap.ok(len(names) >= 15, 'GIMP knows the procedures', names)
    for name in sorted(names):
        texts = [t for t in texts_of(Gimp.get_pdb().lookup_procedure(name)) if t]
        english = [t for t in texts if translations.get(t, t) != t]
        tap.ok(not english, f'{name}: nothing is English that has a translation', *english)
        known = [t for t in texts if t in translated]
        tap.ok(len(known) >= 0.8 * len(texts), f'{name}: its texts are those of the translation',
               *(t for t in texts if t not in translated))


def words_of_runs():
    image, layer = gray_image([[1, 200, 3, 90]])
    wanted = translations['Neither the filtered layer nor the layer with the removed parts is '
                          'requested.']
    refused = call(FILTER % 'h-maxima', image, [layer], filtered=False)
    tap.ok(wanted in refused.message, 'an error of the plug-in', refused, wanted)
    for name, english in ((DISTANCE, 'Distance map of %s'), (WATERSHED, 'Basins of %s'),
                          (RECONSTRUCT, 'Reconstruction of %s')):
        made = [item.get_name() for item in must(call(name, image, [layer]))['layers']]
        wanted = translations[english].replace('%s', 'layer')
        tap.ok(wanted in made and wanted != english.replace('%s', 'layer'),
               f'the name of a layer of {name}', made, wanted)
    image.delete()


if os.path.exists(CATALOGUE):
    translations = read_catalogue()
    translated = set(translations.values())
    for group in (procedures, words_of_runs):
        tap.group(group)
else:
    tap.skip(LANGUAGE, 'the translations were not built')
tap.done()
