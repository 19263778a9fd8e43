# SPDX-License-Identifier: GPL-3.0-or-later
"""What the answers to the papers' claims are made with.

An answer is HOLDS, FAILS or UNKNOWN, a sentence with the figures, and for FAILS another one with what
the figures show of the reason. A claim is answered from rows of results alone; without them it is
UNKNOWN, and the sentence says what is missing.
"""
import statistics

HOLDS, FAILS, UNKNOWN = "holds", "does not hold here", "not measurable here"

# A figure of a paper is reached by this part of it.
NEARLY = 0.95


class Missing(Exception):
    """There are no rows for this answer."""


class Results:
    """Rows of one run, by experiment and parameters. Times are medians in milliseconds."""

    def __init__(self, rows):
        self.rows = rows

    def find(self, experiment, **wanted):
        found = [row for row in self.rows if row["experiment"] == experiment
                 and all(row.get(key) == value for key, value in wanted.items())]
        if not found:
            raise Missing(experiment)
        return found

    def ms(self, experiment, **wanted):
        """Of one row: of the kernels, where they were timed, else of the call."""
        row = self.find(experiment, **wanted)[0]
        return 1e3 * row.get("device_seconds", row["seconds"])[1]

    def call_ms(self, experiment, **wanted):
        return 1e3 * self.find(experiment, **wanted)[0]["seconds"][1]

    def step_ms(self, experiment, *names, **wanted):
        """The sum of these steps of one row."""
        return sum(self._of_step("steps", experiment, name, wanted) for name in names) * 1e3

    def rounds(self, experiment, name, **wanted):
        return self._of_step("rounds", experiment, name, wanted)

    def _of_step(self, key, experiment, name, wanted):
        row = self.find(experiment, **wanted)[0]
        if name not in row.get(key, {}):
            raise Missing(f"step “{name}”")
        return row[key][name]

    def values(self, experiment, key):
        """The values of a parameter, without “—”, which stands for none."""
        return [value for value in dict.fromkeys(row[key] for row in self.find(experiment)
                                                 if key in row) if value != "—"]


def answer(condition, sentence, why):
    """@why: the reason that the figures give, if the condition is not met"""
    return (HOLDS, sentence, "") if condition else (FAILS, sentence, why)


def figures(values, digits=2):
    return ", ".join(f"{value:.{digits}f}" for value in values)


def pairs(names, values, unit, digits=2):
    return ", ".join(f"{name}: {value:.{digits}f}{unit}" for name, value in zip(names, values))


def growing(values):
    return all(a < b for a, b in zip(values, values[1:]))


def ratio(above, below):
    if below <= 0:
        raise Missing("a time that can be measured")
    return above / below


def share_of_variance(part, whole):
    """How much of the variance of @whole is that of @part, 0 where there is none."""
    if len(whole) < 3:
        raise Missing("three images")
    total = statistics.pvariance(whole)
    return statistics.pvariance(part) / total if total > 0 else 0.0
