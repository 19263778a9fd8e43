# SPDX-License-Identifier: GPL-3.0-or-later

"""Shared by all tests: results as TAP, the tier and the seed."""

import datetime
import os
import traceback


class Tap:
    """Numbered lines of results, one for each assertion group."""

    def __init__(self):
        self.file = open(os.environ['TAP'], 'w', encoding='utf-8')
        self.number = 0

    def write(self, line):
        print(line, file=self.file, flush=True)

    def ok(self, condition, name, *diagnosis):
        self.number += 1
        self.write(f"{'ok' if condition else 'not ok'} {self.number} - {name}")
        if not condition:
            for line in '\n'.join(str(part) for part in diagnosis).splitlines():
                self.write('# ' + line)
        return condition

    def same(self, got, expected, name):
        return self.ok(got == expected, name, f'got:      {shown(got)}',
                       f'expected: {shown(expected)}')

    def skip(self, name, reason):
        self.number += 1
        self.write(f'ok {self.number} - {name} # SKIP {reason}')

    def group(self, function):
        """Runs @function; an exception in it fails this group only."""
        try:
            function()
        except Exception:
            self.ok(False, function.__name__, traceback.format_exc())

    def done(self):
        self.write(f'1..{self.number}')
        self.file.close()


def shown(value):
    text = repr(value)
    return text if len(text) < 600 else text[:600] + ' …'


tap = Tap()
TIER = os.environ.get('WAVEFRONT_TEST_TIER', 'quick')
SEED = os.environ.get('WAVEFRONT_TEST_SEED', '1')
IS_LONG = 'WAVEFRONT_TEST_LONG' in os.environ
DAY = int(os.environ.get('WAVEFRONT_TEST_DAY') or datetime.date.today().toordinal())


def cases(quick, all_of_them, long=None):
    """The number of cases, or other value, of this tier; @long: if that of all is long."""
    if TIER != 'all':
        return quick
    return long if IS_LONG and long is not None else all_of_them


def turns(number, items):
    """Those of @items that have their turn in row @number of a table: one in the quick tier, every
    third in the tier “all”, so that three rows have all of them, and all if that is long."""
    if TIER != 'all':
        return [items[number % len(items)]]
    return [item for place, item in enumerate(items) if IS_LONG or (place + number) % 3 == 0]


def of_today(items, *always):
    """@always, and those of @items that have their turn today: one in the quick tier, every third
    in the tier “all”, so that three days have all of them, and all if that is long.
    WAVEFRONT_TEST_DAY repeats a day."""
    others = [item for item in items if item not in always]
    tap.write(f'# WAVEFRONT_TEST_DAY={DAY}')
    return [*always, *turns(DAY, others)]
