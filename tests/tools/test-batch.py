#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several inputs, chains and outlines: test-batch.py COMMAND

What is done for several inputs, some at a time, or in a chain must be what is done for one, step by
step; failures are counted, and mistakes refused before anything is written. Outlines are filled
again. Prints TAP.
"""
import csv
import io
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

from outline_files import fill, read_geojson, read_rois, rings_of_roi

COMMAND = os.path.abspath(sys.argv[1])
SEED = os.environ.get('WAVEFRONT_TEST_SEED') or str(random.randrange(2 ** 32))
N = 7
count = failed = 0
chance = random.Random(SEED)


def report(passed, name, *why):
    global count, failed
    count += 1
    failed += not passed
    print('%s %d %s' % ('ok' if passed else 'not ok', count, name.replace('\n', ' ')), flush=True)
    if not passed:
        print('#', *(str(word).replace('\n', '\n# ') for word in why))


def run(*words):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def listing():
    return sorted(os.listdir('.'))


def write_picture(name, width=60, height=50):
    discs = [(chance.randrange(width), chance.randrange(height), chance.randrange(3, 9))
             for _ in range(6)]
    pixels = bytes(150 + chance.randrange(50)
                   if any((x - u) ** 2 + (y - v) ** 2 < r * r for u, v, r in discs)
                   else chance.randrange(60) for y in range(height) for x in range(width))
    with open(name, 'wb') as file:
        file.write(b'P5\n%d %d\n255\n' % (width, height) + pixels)


def batch():
    names = ['p%d.pgm' % i for i in range(N)]
    for name in names:
        write_picture(name)
        run('label', name, '--threshold', 'otsu', '-o', 'one-' + name[:2] + '.tif')
    for jobs in (1, 3):
        done = run('label', *names, '--threshold', 'otsu', '-o', 'all-{name}.tif', '--jobs', jobs)
        lines = [line.split('\t') for line in done.stdout.splitlines()]
        report(done.returncode == 0 and [line[1] for line in lines] == names
               and done.stderr.count('The threshold') == N, 'numbers of %d jobs' % jobs,
               done.stdout, done.stderr)
        report(all(read('all-p%d.tif' % i) == read('one-p%d.tif' % i) for i in range(N)),
               'files of %d jobs' % jobs)

    os.mkdir('a')
    os.mkdir('b')
    os.rename('p0.pgm', 'a/same.pgm')
    os.rename('p1.pgm', 'b/same.pgm')
    done = run('label', 'a/same.pgm', 'b/same.pgm', '-o', '{folder}/{name}-{ext}-{n}.tif')
    report(done.returncode == 0 and os.path.exists('a/same-pgm-1.tif')
           and os.path.exists('b/same-pgm-2.tif'), 'placeholders', done.stderr)
    run('label', *['p%d.pgm' % (2 + i % 5) for i in range(12)], '-o', 'n{n}.tif')
    report(os.path.exists('n01.tif') and os.path.exists('n12.tif'), 'numbers have zeros')
    done = run('label', 'p2.pgm', '-o', '{x}{name}.tif')
    report(done.returncode == 0 and os.path.exists('{x}p2.tif'), 'other braces of one input')

    # a mask for each input, named after it
    for number in (2, 3):
        run('threshold', 'p%d.pgm' % number, '--threshold', 10 * number, '-o', 'p%d-in.png' % number)
        run('watershed', 'p%d.pgm' % number, '--mask', 'p%d-in.png' % number, '-o', 'm%d.tif' % number)
    done = run('watershed', 'p2.pgm', 'p3.pgm', '--mask', '{name}-in.png', '-o', 'masked-{name}.tif')
    report(done.returncode == 0 and all(read('masked-p%d.tif' % i) == read('m%d.tif' % i)
                                        for i in (2, 3)), 'masks', done.stderr)


def tables():
    names = ['p%d.pgm' % i for i in range(2, N)]
    run('label', *names, '--threshold', 'otsu', '-o', 'l-{name}.tif', '--table', 'basins.csv')
    labels = ['l-' + name[:2] + '.tif' for name in names]
    done = run('measure', *labels, '-o', 'all.csv', '--jobs', 2)
    lines = list(csv.DictReader(open('all.csv', encoding='utf-8')))
    parts = []
    for name in labels:
        run('measure', name, '-o', 'part.csv')
        parts += [dict(line, file=name) for line in csv.DictReader(open('part.csv'))]
    report(done.returncode == 0 and lines == parts and len(lines) > N, 'one table', done.stderr)
    report(open('all.csv').readline().startswith('file,label,'), 'the file comes first')
    report(open('basins.csv').readline().startswith('file,index,'), '--table of all')
    run('measure', *labels, '-o', '{name}.csv')
    report(all(os.path.exists(name[:-4] + '.csv') for name in labels), 'a table for each')
    run('measure', *labels, '-o', 'all.json', '--measures', 'area')
    images = json.load(open('all.json'))['images']
    report([image['file'] for image in images] == labels and images[0]['regions'][0]['area'] > 0,
           'JSON')
    done = run('measure', *labels, '-o', '-', '--measures', 'area')
    report(done.stdout.count('\n') == len(lines) + 1, 'a table on standard output', done.stderr)
    os.rename(labels[0], 'a,"b.tif')
    run('measure', 'a,"b.tif', labels[1], '-o', 'quoted.csv')
    report(next(csv.DictReader(open('quoted.csv')))['file'] == 'a,"b.tif', 'names in quotes')
    os.rename('a,"b.tif', labels[0])
    write_stack('stack.raw')
    done = run('measure', labels[1], 'other.pgm', '-o', 'part.csv')
    report(done.returncode == 1 and '“other.pgm”' in done.stderr
           and '1 of 2' in done.stderr, 'a part is missing', done.stderr)
    done = run('measure', *labels, '--image', '{name}-no.pgm', '-o', 'none.csv')
    report(done.returncode == 1 and not os.path.exists('none.csv'), 'no part at all', done.stderr)


def write_sized(name, source):
    """The picture as OME-TIFF, with pixels of 0.5 µm."""
    pixels = read(source)[len(b'P5\n60 50\n255\n'):]
    text = ('<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image><Pixels '
            'DimensionOrder="XYZCT" Type="uint8" SizeX="60" SizeY="50" SizeZ="1" SizeC="1" '
            'SizeT="1" PhysicalSizeX="0.5" PhysicalSizeXUnit="µm" PhysicalSizeY="0.5" '
            'PhysicalSizeYUnit="µm"><TiffData/></Pixels></Image></OME>').encode() + b'\0'
    tags = ((256, 3, 1, 60), (257, 3, 1, 50), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
            (270, 2, len(text), 8 + len(pixels)), (273, 4, 1, 8), (277, 3, 1, 1), (278, 3, 1, 50),
            (279, 4, 1, len(pixels)))
    with open(name, 'wb') as file:
        file.write(struct.pack('<2sHI', b'II', 42, 8 + len(pixels) + len(text)) + pixels + text
                   + struct.pack('<H', len(tags))
                   + b''.join(struct.pack('<HHII', *tag) for tag in tags) + bytes(4))


def mixed_tables():
    """Inputs of which some have a size of pixels and some have none."""
    names = ['sized.ome.tif', 'p3.pgm', 'p4.pgm', 'again.ome.tif']
    write_sized(names[0], 'p2.pgm')
    write_sized(names[3], 'p5.pgm')
    steps = 'label --threshold otsu; measure --image @in --measures area,mean'
    columns = 'file,label,area,pixels,mean,unit\n'
    parts = {}
    for name in names:
        run('run', steps, name, '-o', 'part.csv')
        parts[name] = list(csv.DictReader(open('part.csv', encoding='utf-8')))
    report('unit' in parts[names[0]][0] and 'unit' not in parts[names[1]][0],
           'columns of the tables differ', parts)
    for order in (names, names[::-1], names[1:]):
        done = run('run', steps, *order, '-o', 'mixed.csv')
        wanted = [{**dict.fromkeys(('pixels', 'unit'), ''), **line, 'file': name}
                  for name in order for line in parts[name]]
        report(done.returncode == 0 and open('mixed.csv', encoding='utf-8').readline() == columns
               and list(csv.DictReader(open('mixed.csv', encoding='utf-8'))) == wanted,
               'a table of %s first' % order[0], done.stderr, wanted)
    run('run', steps, *names, '-o', 'mixed.json')
    images = json.load(open('mixed.json', encoding='utf-8'))['images']
    report([(image['unit'], len(image['regions'])) for image in images]
           == [('micrometer' if name.endswith('.tif') else 'pixel', len(parts[name]))
               for name in names], 'JSON of both', images)


def write_stack(name):
    with open(name, 'wb') as file:
        file.write(bytes(chance.randrange(2) for _ in range(60)))


def failures():
    names = ['p%d.pgm' % i for i in range(2, N)]
    with open('bad.pgm', 'wb') as file:
        file.write(b'P5\n10 10\n255\nxx')
    done = run('gaussian', 'gone.pgm', names[0], 'bad.pgm', *names[1:], '-o', 'f-{name}.pgm',
               '--jobs', 2, '--progress')
    report(done.returncode == 1 and '2 of 7 inputs failed: “gone.pgm”, “bad.pgm”.' in done.stderr
           and all(os.path.exists('f-' + name) for name in names)
           and not os.path.exists('f-bad.pgm'), 'goes on after failures', done.stderr)
    report('gaussian 100 %' in done.stderr, 'one progress for all', done.stderr)
    os.mkdir('sub')
    before = listing()
    for words, status, culprit in (
            (('label', *names, '-o', 'out.tif'), 2, 'out.tif'),
            (('label', *names, '-o', 'none/{name}.tif'), 1, 'none'),
            (('label', *names, '-o', '{nmae}.tif'), 2, '{name}'),
            (('label', *names, '-o', '{abcdef}.tif'), 2, '{abcdef}'),
            (('label', *names, '-o', '{ext}.tif'), 2, 'pgm.tif'),
            (('label', names[0], names[1], names[0], '-o', 'x-{name}.tif'), 2, 'x-p2.tif'),
            (('gaussian', *names, '-o', '{name}.pgm', '--table', 'x.csv'), 2, 'table'),
            (('gaussian', names[0], 'sub/../' + names[0], '-o', 'x-{n}-{name}.pgm', '--jobs', '0'),
             2, 'jobs'),
            (('gaussian', '-', names[0], '-o', 'x-{name}.pgm'), 2, '-'),
            (('label', *names, '-o', 'y-{name}.tif', '--table', 'y-{name}.tif'), 2, 'y-p2.tif'),
            (('distance', *names, '-o', 'z-{name}.tif', '--nearest', 'near.tif'), 2, 'near.tif'),
            (('reconstruct', names[0], names[1], names[2], '-o', 'x-{name}.tif'), 2, names[2])):
        done = run(*words)
        report(done.returncode == status and culprit in done.stderr
               and done.stderr.count('\n') == 1 and listing() == before,
               'refuse ' + ' '.join(words[-2:]), done.stderr, listing())
    os.rename('p2.pgm', 'q.pgm')
    os.symlink('q.pgm', 'p2.pgm')
    done = run('gaussian', 'p2.pgm', 'p3.pgm', '-o', 'q.pgm'.replace('q', '{name}'))
    report(done.returncode == 0, 'an input is replaced by its own result', done.stderr)
    os.mkdir('c')
    os.symlink('../p4.pgm', 'c/p3.pgm')
    done = run('gaussian', 'p3.pgm', 'p4.pgm', '-o', 'c/{name}.pgm')
    report(done.returncode == 2 and 'another input' in done.stderr, 'another input is not replaced',
           done.stderr)


def signals():
    """Temporary files go, and so do the processes."""
    os.mkdir('signal')
    names = []
    for i in range(3):
        names.append('signal/s%d.raw' % i)
        with open(names[-1], 'wb') as file:
            file.write(os.urandom(2000 * 1500))
    process = subprocess.Popen([COMMAND, 'gaussian', *names, '--raw', '2000x1500:u8', '--sigma',
                                '200', '--jobs', '2', '-o', 'signal/{name}-o.raw'],
                               stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    status = process.wait(timeout=60)
    left = [name for name in os.listdir('signal') if name.startswith('.')]
    report(status in (-signal.SIGTERM, 0) and not left, 'a signal leaves nothing', status, left)


def chains():
    write_picture('in.pgm')
    steps = (('gaussian', '--sigma', '1.5'), ('gradient',), ('watershed', '--tolerance', '9'))
    source = 'in.pgm'
    for number, step in enumerate(steps):
        run(*step, source, '-o', 'step-%d.tif' % number)
        source = 'step-%d.tif' % number
    done = run('run', '; '.join(' '.join(step) for step in steps), 'in.pgm', '-o', 'chain.tif')
    report(done.returncode == 0 and read('chain.tif') == read(source), 'three steps', done.stderr)
    report(done.stdout == run(*steps[2], 'step-1.tif', '-o', 'again.tif').stdout, 'the number',
           done.stdout)

    text = """
    gaussian --sigma 2 = smooth   # a name; not a step
    threshold --threshold otsu -o mask-{name}.png
    label = seeds; gradient @smooth
    watershed --markers @seeds --table 'basins {name}.csv' = basins
    measure --image @in -o {name}-table.csv
    """
    done = run('run', text, 'in.pgm', '-o', '{name}-basins.tif')
    run('gaussian', 'in.pgm', '--sigma', 2, '-o', 'c1.tif')
    run('threshold', 'c1.tif', '--threshold', 'otsu', '-o', 'c2.png')
    run('label', 'c2.png', '-o', 'c3.tif')
    run('gradient', 'c1.tif', '-o', 'c4.tif')
    run('watershed', 'c4.tif', '--markers', 'c3.tif', '-o', 'c5.tif', '--table', 'c5.csv')
    run('measure', 'c5.tif', '--image', 'in.pgm', '-o', 'c6.csv')
    report(done.returncode == 0
           and all(read(a) == read(b) for a, b in (('mask-in.png', 'c2.png'),
                                                   ('in-basins.tif', 'c5.tif'),
                                                   ('basins in.csv', 'c5.csv'),
                                                   ('in-table.csv', 'c6.csv'))),
           'names and files', done.stderr, listing())

    run('erosion', 'in.pgm', '--radius', 3, '-o', 'marker.tif')
    run('reconstruct', 'in.pgm', 'marker.tif', '-o', 'opened.tif')
    for steps in ('erosion --radius 3; reconstruct @in', 'reconstruct @in marker.tif',
                  'erosion --radius 3 = a; gaussian; reconstruct @in @a'):
        done = run('run', steps, 'in.pgm', '-o', 'r.tif')
        report(done.returncode == 0 and read('r.tif') == read('opened.tif'), steps, done.stderr)
    run('watershed', 'c4.tif', '--mask', 'c2.png', '-o', 'within.tif')
    done = run('run', 'gaussian --sigma 2 = smooth; threshold --threshold otsu = cells; '
               'gradient @smooth; watershed --mask @cells', 'in.pgm', '-o', 'w.tif')
    report(done.returncode == 0 and read('w.tif') == read('within.tif'), 'a mask', done.stderr)
    masked_chains()
    done = run('run', 'label --threshold otsu; measure --image @in', 'in.pgm', '-o', 'm.csv')
    report(done.returncode == 0 and open('m.csv').readline().startswith('label,'), 'measured last')
    done = run('run', 'label --threshold otsu; measure', 'in.pgm', '-o', 'm.tif', '--table',
               'm2.csv')
    report(done.returncode == 0 and os.path.exists('m.tif') and os.path.exists('m2.csv'),
           'measured with --table', done.stderr)
    done = run('run', 'label --threshold otsu; distance --nearest near-{name}.tif', 'in.pgm', '-o',
               'd.npy')
    report(done.returncode == 0 and os.path.exists('near-in.tif'), 'a further result', done.stderr)
    done = run('run', 'label --threshold otsu; measure --measures area', 'in.pgm', 'bad.pgm', '-o',
               'b.csv')
    report(done.returncode == 1 and 'Step 1 (label)' in done.stderr
           and all(line['file'] == 'in.pgm' for line in csv.DictReader(open('b.csv'))),
           'several inputs', done.stderr)


def masked_chains():
    """Basins are merged inside the mask that they were flooded in, for each of several inputs."""
    names = ['p3.pgm', 'p4.pgm']
    for number in (3, 4):
        run('threshold', 'p%d.pgm' % number, '--threshold', 'otsu', '-o', 'h%d-in.png' % number)
        run('gradient', 'p%d.pgm' % number, '-o', 'h1.tif')
        run('watershed', 'h1.tif', '--mask', 'h%d-in.png' % number, '-o', 'h2.tif')
        run('hierarchy', 'h1.tif', 'h2.tif', '--mask', 'h%d-in.png' % number, '--count', 9,
            '-o', 'h%d.tif' % number, '--table', 'h%d.csv' % number)
    done = run('run', 'threshold --threshold otsu = cells; gradient @in = edges; '
               'watershed --mask @cells; hierarchy @edges --mask @cells --count 9', *names,
               '-o', 'merged-{name}.tif', '--table', 'merged.csv')
    parts = [dict(line, file=name) for name in names
             for line in csv.DictReader(open(name.replace('p', 'h')[:2] + '.csv'))]
    report(done.returncode == 0
           and all(read('merged-p%d.tif' % i) == read('h%d.tif' % i) for i in (3, 4))
           and list(csv.DictReader(open('merged.csv'))) == parts and parts,
           'a mask for merging', done.stderr)
    done = run('run', 'gradient = edges; watershed; '
               'hierarchy @edges --mask {name}-none.png --depth 1', 'p3.pgm', '-o', 'x.tif')
    report(done.returncode == 1 and 'p3-none.png' in done.stderr and not os.path.exists('x.tif'),
           'a mask that is missing', done.stderr)
    for number in (3, 4):
        os.rename('h%d-in.png' % number, 'p%d-mask.png' % number)
    done = run('run', 'gradient = edges; watershed --mask {name}-mask.png; '
               'hierarchy @edges --mask {name}-mask.png --count 9', *names,
               '-o', 'again-{name}.tif')
    report(done.returncode == 0 and all(read('again-p%d.tif' % i) == read('h%d.tif' % i)
                                        for i in (3, 4)), 'masks of files', done.stderr)


def refused_chains():
    before = listing()
    for steps, status, culprit in (
            ('', 2, 'no steps'), (' ; # nothing\n', 2, 'no steps'),
            ('lable', 2, '“label”'), ('gaussian; devices', 2, 'Step 2'),
            ('run label', 2, 'run'), ("label 'x", 2, 'Step 1'),
            ('label --treshold 3', 2, '--threshold'), ('label --device cpu', 2, '--device'),
            ('gaussian; label --jobs 2', 2, 'Step 2 (label)'), ('label; measure @lab', 2, 'lab'),
            ('label = cells; measure @cell -o x.csv', 2, '“cells”'), ('label = in', 2, '“in”'),
            ('label = 2', 2, '“2”'), ('label = a; label = a', 2, '“a”'),
            ('label; measure = t -o t.csv', 2, 'Step 2'), ('label @in @in', 2, 'Step 1'),
            ('reconstruct', 2, 'Step 1'), ('measure; label', 2, 'Step 1'),
            ('label -o a.tif', 2, '-o'), ('label -o out.tif; gaussian', 2, 'out.tif'),
            ('h-maxima', 2, 'Step 1 (h-maxima)'), ('label; measure -o x.tif', 2, 'x.tif'),
            ('label -o none/x.tif; gaussian', 1, 'none/x.tif'),
            ('gaussian; watershed --mask @cells', 2, '“cells”'),
            ('watershed = a; hierarchy @in @a --depth 1 --mask @b', 2, 'Step 2 (hierarchy)'),
            ('gaussian; watershed --markers gone.tif', 1, 'gone.tif')):
        done = run('run', steps, 'in.pgm', '-o', 'out.tif')
        report(done.returncode == status and culprit in done.stderr
               and done.stderr.count('\n') == 1 and listing() == before,
               'refuse “%s”' % steps, done.returncode, done.stderr)
    # before anything is read: there is no such input
    for steps, culprit in (
            ('gaussian; h-maxima', 'Step 2 (h-maxima)'),
            ('gaussian; watershed --threshold 3', 'Step 2 (watershed)'),
            ('label; measure --measures foo', '“foo”'), ('label; remove-small', '--area'),
            ('label; outlines -o x.zip --object annotation', '--object'),
            ('gaussian; distance --signed --metric squared', 'Step 2 (distance)'),
            ('watershed = basins; hierarchy @in', 'Step 2 (hierarchy)'),
            ('reconstruct @in m.raw', 'm.raw'),
            ('threshold --method mean --sigma 3', '--sigma')):
        done = run('run', steps, 'gone.pgm', '-o', 'out.tif')
        report(done.returncode == 2 and culprit in done.stderr
               and done.stderr.count('\n') == 1 and listing() == before,
               'refuse at once “%s”' % steps, done.returncode, done.stderr)
    done = run('run', 'label; outlines --object annotation', 'gone.pgm', '-o', 'out.zip')
    report(done.returncode == 2 and 'Step 2 (outlines)' in done.stderr,
           'the name of the result is looked at', done.stderr)
    for words in (('watershed', '--markers', '-'), ('watershed', '--mask', '-'),
                  ('run', 'gaussian; watershed --markers -'), ('run', 'reconstruct @in -')):
        done = run(*words, 'p3.pgm', 'p4.pgm', '-o', 'x-{name}.tif')
        report(done.returncode == 2 and '“-”' in done.stderr and listing() == before,
               'refuse ' + ' '.join(words), done.stderr)
    for words in (('run',), ('run', 'label'), ('run', 'label', 'in.pgm')):
        done = run(*words)
        report(done.returncode == 2 and done.stderr.count('\n') == 1, 'refuse ' + ' '.join(words),
               done.stderr)


def outlines():
    width, height, depth = 17, 13, 2
    labels = [chance.choice((0, 1, 1, 1, 2, 70000)) for _ in range(width * height * depth)]
    with open('labels.raw', 'wb') as file:
        file.write(struct.pack('<%dI' % len(labels), *labels))
    for size, n in ('%dx%d' % (width, height), 1), ('%dx%dx%d' % (width, height, depth), 2):
        with open('labels.raw', 'wb') as file:
            file.write(struct.pack('<%dI' % (width * height * n), *labels[:width * height * n]))
        run('outlines', 'labels.raw', '--raw', size + ':u8', '-o', 'o.geojson')
        found = read_geojson(open('o.geojson').read())
        compare(found, labels, width, height, n, 'GeoJSON of ' + size)
        run('outlines', 'labels.raw', '--raw', size + ':u8', '-o', 'o.zip')
        found = read_rois(read('o.zip'), n > 1)
        compare(found, labels, width, height, n, 'regions of ImageJ of ' + size)
    n = 260
    with open('many.raw', 'wb') as file:
        file.write(struct.pack('<%dI' % (n * n), *range(1, n * n + 1)))
    done = run('outlines', 'many.raw', '--raw', '%dx%d:u8' % (n, n), '-o', 'many.zip')
    archive = zipfile.ZipFile(io.BytesIO(read('many.zip')))
    report(archive.testzip() is None and archive.namelist() == ['%d.roi' % (i + 1)
                                                                for i in range(n * n)]
           and rings_of_roi(archive.read('%d.roi' % (n * n)))[0][0] == (n - 1, n - 1),
           'more regions than a plain zip file can have', done.stderr)
    done = run('outlines', 'labels.raw', '--raw', size + ':u8', '-o', 'o.txt')
    report(done.returncode == 2 and 'o.txt' in done.stderr, 'refuse other suffixes', done.stderr)
    done = run('outlines', 'labels.raw', '--raw', size + ':u8', '-o', 'u.geojson', '--spacing',
               '0.5,2', '--object', 'annotation')
    text = open('u.geojson').read()
    report('"annotation"' in text and '.5,' in text, 'spacing and object')


def compare(found, labels, width, height, depth, name):
    right = all((fill(found.get((z, label), []), x, y))
                == (labels[(z * height + y) * width + x] == label)
                for z in range(depth) for label in (1, 2, 70000)
                for y in range(height) for x in range(width))
    report(right and all(label for _, label in found), name)


def main():
    print('# seed ' + SEED)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (batch, tables, mixed_tables, failures, signals, chains, refused_chains,
                     outlines):
            part()
        os.chdir('/')
    print('1..%d' % count)
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
