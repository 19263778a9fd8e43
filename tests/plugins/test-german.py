# SPDX-License-Identifier: GPL-3.0-or-later

"""In a German session, the menu entries, arguments, messages and names of new layers are German.
"""

import os

from gimptest import *

if not os.path.isdir(os.environ.get('WAVEFRONT_LOCALE', '') + '/de'):
    tap.skip('German', 'the translations were not built')
else:
    pdb = Gimp.get_pdb()

    def words(name):
        procedure = pdb.lookup_procedure(name)
        return [procedure.get_menu_label().replace('_', ''), procedure.get_blurb()] + \
               [spec.nick.replace('_', '') for spec in procedure.get_arguments()[3:]]

    def texts():
        for name, menu, some in (
                (RECONSTRUCT, 'Rekonstruktion …', ['Marker', 'Höhe', 'Gerät für die Berechnung']),
                (DISTANCE, 'Abstandskarte …', ['Schwellwert', 'Metrik', 'Pixelgröße']),
                (WATERSHED, 'Wasserscheide …', ['Toleranz', 'Linienfarbe', 'Kachelgröße'])):
            got = words(name)
            tap.same(got[0].replace('...', ' …'), menu, f'menu entry, {name}')
            tap.ok(all(word in got for word in some), f'arguments, {name}', got, some)

    def messages():
        image, layer = gray_image([[1, 200, 3]])
        result = call(DISTANCE, image, [layer], metric='weit')
        tap.ok('Metrik' in result.message or 'Unbekannt' in result.message,
               'a message of the engine', result)
        result = call(WATERSHED, image, [layer], lines_layer=False, basins_layer=False)
        tap.ok('Kein Ergebnis' in result.message, 'a message of the plug-in', result)
        image.delete()

    def names():
        image, layer = gray_image([[1, 200, 3]])
        tap.same(must(call(DISTANCE, image, [layer]))['layer'].get_name(),
                 'Abstandskarte von layer', 'the name of a layer')
        tap.same(must(call(WATERSHED, image, [layer]))['lines-layer'].get_name(),
                 'Wasserscheiden von layer', 'the name of a layer of lines')
        image.delete()

    for group in (texts, messages, names):
        tap.group(group)
tap.done()
