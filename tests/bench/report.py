# SPDX-License-Identifier: GPL-3.0-or-later
"""The results: printed as a table, and written as Markdown and TSV."""
import datetime
import os
import platform
import re

# The marked parts of the Markdown file: results of the CPU, results of a GPU.
PARTS = ("measured", "measured on a GPU")

# A section that replaces its own table in that file.
APART = "Many threads"


class Row:
    """One result and its target: ("at least" or "at most", number) or None."""

    def __init__(self, section, case, measured, value, unit, target=None, note=""):
        self.section = section
        self.case = case
        self.measured = measured
        self.value = value
        self.unit = unit
        self.target = target
        self.note = note

    def verdict(self):
        if self.target is None:
            return ""
        if self.value is None:
            return "missed"
        kind, limit = self.target
        shown = float(f"{self.value:.3g}")
        good = shown >= limit if kind == "at least" else shown <= limit
        return "reached" if good else "missed"

    def value_text(self):
        return "–" if self.value is None else f"{number(self.value)}{self.unit}"

    def target_text(self):
        if self.target is None:
            return ""
        kind, limit = self.target
        return f"{'≥' if kind == 'at least' else '≤'} {number(limit)}{self.unit}"


def number(value):
    return f"{value:.0f}" if value >= 100 or value == int(value) else \
        f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


class Report:
    """Prints each row when it is added, and stores all rows."""

    def __init__(self, facts):
        self.facts = facts
        self.rows = []
        self.remarks = []
        for name, value in facts:
            print(f"{name + ':':12} {value}")

    def section(self, title):
        print(f"\n{title}", flush=True)

    def add(self, row):
        self.rows.append(row)
        print(f"  {row.case:46.46} {row.measured:38} {row.value_text():>11} "
              f"{row.target_text():>11}  {row.verdict()}{'  ' + row.note if row.note else ''}",
              flush=True)

    def remark(self, text):
        self.remarks.append(text)
        print(f"  {text}", flush=True)

    def summary(self):
        return summary(self.rows)

    # ------------------------------------------------------------ files

    def write_tsv(self, path):
        with open(path, "w", encoding="utf-8") as out:
            out.write("section\tcase\tmeasured\tvalue\tunit\ttarget\tverdict\tnote\n")
            for row in self.rows:
                value = "" if row.value is None else f"{row.value:.6g}"
                out.write("\t".join((row.section, row.case, row.measured, value,
                                     row.unit.strip(), row.target_text(), row.verdict(),
                                     row.note)) + "\n")

    def markdown(self, part=None):
        """The tables of one part, or of all parts."""
        rows = [row for row in self.rows if part is None or part_of(row) == part]
        lines = ["", "| | |", "|---|---|"]
        lines += [f"| {name} | {value} |" for name, value in self.facts]
        for section in dict.fromkeys(row.section for row in rows):
            lines += ["", f"### {section}", "",
                      "| case | measured | | target | verdict |", "|---|---|--:|--:|---|"]
            lines += [line_of(row) for row in rows if row.section == section]
        if self.remarks:
            lines += ["", "### Remarks", ""] + [f"- {text}" for text in self.remarks]
        return "\n".join(lines + ["", f"{summary(rows)}.", ""])

    def update(self, path):
        """Replaces the parts of a Markdown file that this run measured."""
        for part in PARTS:
            if any(part_of(row) == part for row in self.rows):
                replace_between(path, part, self.markdown(part))


def line_of(row):
    verdict = row.verdict() + (f" ({row.note})" if row.note else "")
    verdict = verdict.replace("missed", "**missed**").strip()
    return (f"| {row.case} | {row.measured} | {row.value_text()} | {row.target_text()} "
            f"| {verdict} |")


def part_of(row):
    if row.section == APART:
        return None
    return PARTS[row.section.startswith("GPU")]


def summary(rows):
    verdicts = [row.verdict() for row in rows]
    return f"{verdicts.count('reached')} targets reached, {verdicts.count('missed')} missed"


def replace_between(path, name, new):
    """Replaces the text between the two marks of this name in a Markdown file."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    with open(path, encoding="utf-8") as old:
        text = old.read()
    if begin not in text or end not in text:
        raise SystemExit(f"bench: {path} lacks the marks {begin} … {end}")
    head, rest = text.split(begin, 1)
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{head}{begin}\n{new}\n{end}{rest.split(end, 1)[1]}")


def machine():
    """[(name, value)] of the machine's properties."""
    facts = [("date", datetime.date.today().isoformat()), ("processor", processor())]
    load = os.getloadavg()[0]
    facts.append(("load", f"{load:.1f} at the start"
                  + (" (other work disturbs the measurements)" if load > 0.7 else "")))
    facts.append(("system", f"{system()}, Linux {platform.release()}"))
    return facts


def processor():
    name = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        found = re.search(r"^model name\s*: (.*)$", info.read(), re.MULTILINE)
    if found:
        name = found.group(1)
    usable = len(os.sched_getaffinity(0))
    return f"{name}, {usable} processor{'s' if usable > 1 else ''} usable"


def system():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()
