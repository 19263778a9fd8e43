# SPDX-License-Identifier: GPL-3.0-or-later

"""test-gegl-page.py GEGL PAGE [--update]

The page on the operations for GEGL has a row for each, with its properties and their defaults, as the
module in $GEGL_PATH says them, and its examples run; --update writes the rows.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

GEGL, PAGE = sys.argv[1], pathlib.Path(sys.argv[2])
BEGIN, END = '<!-- operations: begin -->\n', '<!-- operations: end -->\n'
# which all have that make levels of colors, and the page tells of once
COMMON = {'source', 'encoding', 'stain'}
WIDTH, HEIGHT = 60, 40


def of_gegl(*arguments):
    return subprocess.run([GEGL, *arguments], check=True, text=True, errors='replace',
                          capture_output=True).stdout


def properties_of(text):
    """(name, default or None) of each in what gegl --info prints."""
    for name, blurb in re.findall(r'^([a-z][a-z-]*) +\[\w+\] (.*(?:\n {5,}.*)*)', text, re.MULTILINE):
        default = re.search(r'\(default: (\S+)\)$', ' '.join(blurb.split()))
        yield name, default and re.sub(r'(\.\d*?)0+$', r'\1', default[1]).rstrip('.').strip('"')


def row_of(name):
    head, _, tail = of_gegl('--info', name).partition('\nProperties:\n')
    text = re.search(r'^description +(.*(?:\n {5,}.*)*)', head, re.MULTILINE)[1]
    properties = [f'`{one}`' + (f' ({default.lower()})' if default else '')
                  for one, default in properties_of(tail) if one not in COMMON]
    return f"| `{name}` | {' '.join(text.split())} | {', '.join(properties)} |\n"


def table():
    names = sorted(re.findall(r'^wavefront:\S+', of_gegl('--list-all'), re.MULTILINE))
    return '| operation | what it does | properties, and their defaults |\n|---|---|---|\n' \
        + ''.join(map(row_of, names))


def examples(text):
    """The commands of the page."""
    return [line for block in re.findall(r'^```sh\n(.*?)^```', text, re.MULTILINE | re.DOTALL)
            for line in block.replace('\\\n', ' ').splitlines()]


def run(line, folder):
    """Whether a command makes the picture that it names."""
    made = re.search(r'-o (\S+)', line)[1]
    result = subprocess.run(['sh', '-e', '-c', line.replace('gegl ', f'{GEGL} ', 1)], cwd=folder,
                            capture_output=True, text=True, errors='replace')
    return result.returncode == 0 and (folder / made).stat().st_size > 100


text = PAGE.read_text(encoding='utf-8')
start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
wanted = table()
if '--update' in sys.argv:
    PAGE.write_text(text[:start] + wanted + text[end:], encoding='utf-8')
    sys.exit()
rows, lines = wanted.splitlines(), examples(text)
missing = [row for row in rows if row not in text[start:end].splitlines()]
print(f"{'not ' * bool(missing or text[start:end] != wanted)}ok 1 - the page has the {len(rows) - 2} operations")
for row in missing:
    print(f'# {row}')
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for file in ('photo.ppm', 'marks.ppm'):
        (folder / file).write_bytes(b'P6\n%d %d\n255\n' % (WIDTH, HEIGHT) + bytes(
            (x * 7 + y * 5 + c * 40) % 256 for y in range(HEIGHT) for x in range(WIDTH) for c in range(3)))
    for number, line in enumerate(lines, 2):
        print(f"{'not ' * (not run(line, folder))}ok {number} - {line}")
print(f'1..{len(lines) + 1}')
