#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-help-translation.py LANGUAGE HELP PO PAGES SHARED DESCRIPTION.json...

Checks the help pages of a language, in PAGES/LANGUAGE, against the English ones in PAGES/en:

- HELP/LANGUAGE/help.po translates every paragraph that the English pages have now;
- each page has the headings, lists, calls, codes and links of the English page;
- a paragraph has the numbers of the English one, and where the English one has a label of the
  dialogs (*Radius*), it has this label as PO/LANGUAGE.po translates it;
- what test-help-pages.py checks of the English pages (help_page.py).
"""
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from help_page import read_pages, test_pages
from tap import Tap

# messages of po4a that are the same in every language: comments, insertions, calls
SAME = re.compile(r"<!--.*-->|\{\{(?!picture[ _])[^}]*\}\}|gimp-console.*", re.DOTALL)
LABEL = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")
# between a control and its choice, or two menus
SEPARATOR = re.compile(r"\s*[▸:：]\s*")
CODE = re.compile(r"`[^`]*`")


# ---------------------------------------------------------------- messages

def unquote(lines):
    return "".join(json.loads(line) for line in lines)


def read_po(path):
    """The messages of a PO file: text, translation, whether the translation is fuzzy."""
    messages = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        # without obsolete messages and the former text of fuzzy ones
        lines = [line for line in block.splitlines() if not line.startswith("#~")]
        text = [line for line in lines if not line.startswith("#")]
        found = re.match(r"(?:msgctxt .*\n)?msgid (.*)\nmsgstr (.*)", "\n".join(text), re.DOTALL)
        if found:
            msgid, msgstr = (unquote(part.split("\n")) for part in found.groups())
            fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in lines)
            if msgid:
                messages.append((msgid, msgstr, fuzzy))
    return messages


def updated(help_folder, language):
    """The messages of the language after an update from the English pages."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "help"
        for name in ("en", language):
            shutil.copytree(help_folder / name, copy / name)
        config = (help_folder / "po4a.cfg").read_text(encoding="utf-8")
        (copy / "po4a.cfg").write_text(re.sub(r"(?m)^(\[po4a_langs\]).*", rf"\1 {language}", config),
                                       encoding="utf-8")
        subprocess.run(["po4a", "--no-translations", "--quiet", "po4a.cfg"], cwd=copy, check=True,
                       stdout=subprocess.DEVNULL)
        return read_po(copy / language / "help.po")


def numbers(text):
    """The numbers of a text, without their separators, which differ between languages."""
    text = CODE.sub("", re.sub(r"\]\([^)]*\)", "", text))
    found = re.findall(r"\d(?:[\d.,'’\u00a0\u202f]*\d)?", text)
    return collections.Counter(re.sub(r"\D", "", number) for number in found)


def plain(text):
    """A label as a page has it: without mnemonic and ellipsis."""
    text = re.sub(r"\s*\(_\w\)", "", text).replace("_", "")
    return re.sub(r"[\s\u00a0]*(\.\.\.|…)$", "", text)


def read_labels(path):
    """The translations of each label of the dialogs."""
    labels = collections.defaultdict(set)
    for msgid, msgstr, fuzzy in read_po(path):
        if msgstr and not fuzzy and len(msgid) < 60:
            labels[plain(msgid)].add(plain(msgstr))
    return labels


def named(text):
    """What a text names as labels: each as it stands, and its parts."""
    found = LABEL.findall(CODE.sub("", text))
    return {part for label in found for part in (label, *SEPARATOR.split(label))}


def foreign_labels(text, translation, labels):
    """The labels in the text whose translation is not a label in the translated text."""
    used = named(translation)
    return [f"{label}: {' or '.join(sorted(labels[label]))}" for label in sorted(named(text))
            if label in labels and not labels[label] & used]


def test_messages(tap, messages, labels):
    messages = [message for message in messages if not SAME.fullmatch(message[0].strip())]
    missing = [text for text, translation, fuzzy in messages if fuzzy or not translation]
    tap.ok(not missing, "every paragraph is translated from the present English",
           f"{len(missing)} of {len(messages)}:", *(text.strip()[:90] for text in missing))

    wrong, foreign = [], []
    for text, translation, fuzzy in messages:
        if translation and not fuzzy:
            lost = numbers(text) - numbers(translation)
            if lost:
                wrong.append(f"{', '.join(lost)}: {text[:70]}")
            foreign += [f"{one}; in: {translation[:50]}"
                        for one in foreign_labels(text, translation, labels)]
    tap.ok(not wrong, "the numbers are those of the English", *wrong)
    tap.ok(not foreign, "labels are those of the dialogs", *foreign)


# ---------------------------------------------------------------- pages

def without_comments(code):
    return [line for line in code.splitlines() if not line.lstrip().startswith("#")]


def test_same(tap, name, page, english):
    faults = []
    if page.headings != english.headings:
        faults.append(f"headings: {page.headings}, not {english.headings}")
    if [*map(without_comments, sorted(page.code))] != [*map(without_comments, sorted(english.code))]:
        faults += [f"code: {code}" for code in {*page.code} ^ {*english.code}]
    for tag in "p", "li", "ol", "ul", "pre", "strong", "em", "tr", "dt", "img":
        if page.tags.count(tag) != english.tags.count(tag):
            faults.append(f"<{tag}>: {page.tags.count(tag)}, not {english.tags.count(tag)}")
    links = collections.Counter(page.links), collections.Counter(english.links)
    faults += [f"link: {link}" for link in {*(links[0] - links[1]), *(links[1] - links[0])}]
    tap.ok(not faults, f"{name}: built as the English page", *faults)


def main():
    language = sys.argv[1]
    help_folder, po, built, shared = map(pathlib.Path, sys.argv[2:6])
    tap = Tap()
    procedures = [procedure for path in sys.argv[6:]
                  for procedure in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))]
    pages, english = read_pages(built / language), read_pages(built / "en")

    test_messages(tap, updated(help_folder, language), read_labels(po / f"{language}.po"))
    tap.ok(pages.keys() == english.keys(), "every page is there", *(pages.keys() ^ english.keys()))
    for name, page in pages.items():
        test_same(tap, name, page, english[name])
        tap.ok(page.languages == {language.replace("_", "-")}, f"{name}: it says its language",
               page.languages)
    test_pages(tap, procedures, pages, built / language, shared)
    tap.done()
    return tap.failures > 0


if __name__ == "__main__":
    sys.exit(main())
