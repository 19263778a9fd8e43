# SPDX-License-Identifier: GPL-3.0-or-later
"""test-document-commands.py WAVEFRONT README TUTORIAL MAKE-CELLS

Runs the README's commands, and those of the tutorial that work on the picture of cells, line by
line as they stand, and judges what they make: the numbers stated in the comments, and the labels
against the cells that were drawn.
"""

import pathlib
import re
import sys
import tempfile

try:
    import numpy
except ImportError:
    print('1..0 # SKIP numpy is missing')
    sys.exit()

from drawn import Cells, Command, components, count, largest
from tap import Tap

program, readme, tutorial, make_cells = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:])
tap = Tap()


def block(path, word):
    """The first block of shell lines that contains the word."""
    text = pathlib.Path(path).read_text(encoding='utf-8')
    return next(block for block in re.findall(r'^```sh\n(.*?)^```$', text, re.M | re.S)
                if word in block)


def run_lines(command, lines):
    """Each line succeeds and says nothing but a count and the threshold that it found."""
    counts = []
    for line in lines:
        status, out, messages = command.run(line)
        quiet = re.fullmatch(r'(wavefront: The threshold of “.*” is \d+\.)?', messages)
        tap.ok(status == 0 and re.fullmatch(r'\d*', out) and quiet, line, status, out, messages)
        if re.match('wavefront (label|hierarchy) ', line):
            counts.append(int(out or 0))
    return counts


def stated(text):
    """The number at the end of each comment."""
    return [int(number) for number in re.findall(r'^# .*: (\d+)$', text, re.M)]


def judge_labels(command, cells, name, agreement):
    labels = command.read(name, cells.owner.shape).astype(int)
    drawn = len(cells.cells)
    tap.ok(count(labels) == drawn, f'{name}: as many labels as cells were drawn, {drawn}',
           count(labels))
    tap.ok(cells.alone(labels) == drawn, f'{name}: each cell has its own', cells.alone(labels))
    tap.ok(cells.agreement(labels) > agreement, f'{name}: the pixels are those of the cells',
           cells.agreement(labels))
    tap.ok(largest(labels) < 0.1, f'{name}: no label covers the picture', largest(labels))


def judge_groups(command, cells, name, counted):
    whole = command.read('whole.png', cells.owner.shape)
    groups = command.read(name, cells.owner.shape).astype(int)
    tap.ok(counted == count(groups) == components(whole > 100), f'{name}: the groups are counted',
           counted, count(groups), components(whole > 100))
    tap.ok(((groups > 0) == (whole > 100)).all(), f'{name}: they are what lies above the threshold')
    bright = sum(1 for label in cells.at_centers(groups) if label)
    tap.ok(bright == len(cells.cells), f'{name}: every cell is in a group', bright)


def judge_readme(command, cells):
    text = block(readme, 'wavefront watershed cells.png')
    counts = run_lines(command, [one for one in text.splitlines() if one.startswith('wavefront')])
    tap.ok(counts == stated(text), 'README: the counts are those in its comments', counts,
           stated(text))
    judge_labels(command, cells, 'regions.tif', 0.95)
    judge_groups(command, cells, 'groups.tif', counts[1])
    judge_labels(command, cells, 'zones.tif', 0.95)
    judge_labels(command, cells, 'cells.tif', 0.75)


def judge_table(command, cells):
    """The operations of README are the commands, but for that which lists devices."""
    text = pathlib.Path(readme).read_text(encoding='utf-8')
    rows = re.findall(r'^\|(.*)\|(.*)\|(.*)\|$', text.partition('## The operations')[2]
                      .partition('\n## ')[0], re.M)[2:]
    named = {word.split()[0] for row in rows for word in re.findall('`(.*?)`', row[1])
             if not word.startswith('--')}
    out = command.run('wavefront help')[1]
    commands = set(re.findall(r'^  ([a-z][a-z-]+)(?: {2}|$)', out, re.M))
    tap.ok(named and named == commands - {'devices'}, 'README: its table has all commands',
           named ^ commands)


def judge_devices(command, cells):
    """The block about GPUs; without one the CPU takes its place, which gives equal bits."""
    command.run('wavefront gradient cells.png -o gradient.png')
    lines = block(readme, 'wavefront devices').splitlines()
    status, out, messages = command.run(lines[0])
    tap.ok(status == 0 and 'cpu' in out, lines[0], out, messages)
    here = 'cuda:0' in out
    line = lines[1] if here else lines[1].replace('cuda:0', 'cpu')
    status, out, messages = command.run(line)
    tap.ok(status == 0, lines[1], messages)
    command.run('wavefront watershed cells.png --gradient 1 --tolerance 5 -o same.tif')
    labels = command.read('labels.tif', cells.owner.shape)
    same = command.read('same.tif', cells.owner.shape)
    tap.ok((labels == same).all() and count(labels.astype(int)) > len(cells.cells),
           'its labels are those of the gradient of the cells')


def judge_tutorial(command, cells):
    text = block(tutorial, 'wavefront hierarchy')
    lines = [one for one in text.splitlines() if one.startswith('wavefront')]
    first = next(number for number, line in enumerate(lines) if 'cells.png' in line)
    counts = run_lines(command, lines[first:])
    tap.ok(counts == [len(cells.cells)], 'tutorial: the middles are as many as the cells', counts)
    middles = command.read('middles.tif', cells.owner.shape).astype(int)
    inside = cells.owner[middles > 0]
    tap.ok((inside > 0).all() and len(set(inside.tolist())) == len(cells.cells),
           'tutorial: each middle lies in a cell of its own')
    judge_labels(command, cells, 'cells.tif', 0.75)


for judge in (judge_readme, judge_table, judge_devices, judge_tutorial):
    with tempfile.TemporaryDirectory() as folder:
        drawn = Cells(make_cells, f'{folder}/cells.png')
        runner = Command(program, folder)
        if 'no libvips' in runner.run('wavefront gradient cells.png -o gradient.png')[2]:
            print('1..0 # SKIP the command reads no PNG')
            sys.exit()
        judge(runner, drawn)
tap.done()
