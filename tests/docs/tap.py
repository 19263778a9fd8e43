# SPDX-License-Identifier: GPL-3.0-or-later
"""Results as TAP on standard output, for tests outside GIMP; tests in GIMP have results.py."""


class Tap:
    def __init__(self):
        self.number = self.failures = 0

    def ok(self, condition, name, *diagnosis):
        self.number += 1
        self.failures += not condition
        print(f"{'ok' if condition else 'not ok'} {self.number} - {name}")
        if not condition:
            for line in diagnosis:
                print(f"# {line}".replace("\n", " "))

    def done(self):
        print(f"1..{self.number}")
