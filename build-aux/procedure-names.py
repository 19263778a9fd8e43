# SPDX-License-Identifier: GPL-3.0-or-later

"""Inside GIMP (tests/plugins/run-in-gimp): lists the procedures with their arguments and results in the
order that Script-Fu goes by, in the file $NAMES.  names.py has the form of the list.
"""

import os

from gimptest import Gimp, tap


pdb = Gimp.get_pdb()
names = sorted(pdb.query_procedures('plug-in-wavefront-.*', *['.*'] * 7))
with open(os.environ['NAMES'], 'w', encoding='utf-8') as file:
    for name in names:
        procedure = pdb.lookup_procedure(name)
        print('procedure', name, file=file)
        for kind, specs in (('argument', procedure.get_arguments()),
                            ('value', procedure.get_return_values())):
            for spec in specs:
                print('', kind, spec.name, spec.__gtype__.name, spec.value_type.name, file=file)
tap.ok('plug-in-wavefront-watershed' in names, 'the procedures are listed', names)
tap.done()
