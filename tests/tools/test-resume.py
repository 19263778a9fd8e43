#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of the wavefront command that are killed, and go on: test-resume.py COMMAND zarr|- [MPIRUN]

What is finished is not made again, and the result is that of one run. Prints TAP.
"""
import contextlib
import fcntl
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

COMMAND, HAS_ZARR = sys.argv[1], sys.argv[2] == 'zarr'
MPIRUN = sys.argv[3] if len(sys.argv) > 3 else None
THOROUGH = os.environ.get('WAVEFRONT_TEST_TIER') == 'all'
SEED = os.environ.get('WAVEFRONT_TEST_SEED', random.SystemRandom().randrange(1 << 30))
DRAW = random.Random(SEED)
LIMIT = ['--memory-limit', '40M', '--threads', '1']
count = 0

OPERATIONS = [
    'label --threshold 128',
    'distance --threshold 128',
    'watershed',
    'watershed --tolerance 20 --lines',
    'h-maxima --height 20',
    'fill-holes',
    'fill-holes --invert',
    'watershed --input objects --threshold 128',
    'gaussian --sigma 2',
    'threshold --threshold otsu',
    'threshold --method sauvola --radius 4',
    'extended-minima --height 30',
]


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}', flush=True)
    for line in more if not holds else ():
        print('#', str(line).strip().replace('\n', '\n# '))
    return holds


def words_of(operation, size, out, *more):
    raw = 'x'.join(str(n) for n in size)
    return [*operation.split(), '--raw', f'{raw}:u8', 'in.raw', '-o', out, *LIMIT, *more]


def run(words, ranks=0, file=None):
    launcher = [MPIRUN, '--oversubscribe', '-n', str(ranks)] if ranks else []
    return subprocess.run([*launcher, COMMAND, *words], capture_output=True, text=True, timeout=400,
                          check=False, stdin=file)


def make_image(size):
    """Bytes with basins, plateaux and objects of several sizes, repeated."""
    width, n = size[0], size[0] * size[1] * (size[2] if len(size) > 2 else 1)
    piece = bytearray(DRAW.randrange(256) for _ in range(width * 100))
    for _ in range(2):
        piece = bytes((piece[i] + piece[i - 1] + piece[i - width]) // 3
                      for i in range(len(piece)))
    pathlib.Path('in.raw').write_bytes((bytes(piece) * (n // len(piece) + 1))[:n])


def read_tree(name):
    """Names and contents of a file, or of a folder; the folder's own name is in .zattrs."""
    root = pathlib.Path(name)
    files = sorted(path for path in root.rglob('*') if path.is_file()) if root.is_dir() else [root]
    return {str(path.relative_to(root)): path.read_bytes() for path in files
            if path.name != '.zattrs'}


@contextlib.contextmanager
def held(words, out, file=None):
    """A run that has begun and goes no further: it waits to say of its progress what nobody reads.

    Its standard input is @file. Yields the process and the end of the pipe that it waits for."""
    task = pathlib.Path(f'{out}.unfinished/task')
    end = time.monotonic() + 60
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(1 << 16))
    os.set_blocking(writer, True)
    with subprocess.Popen([COMMAND, *words, '--progress'], stdout=subprocess.DEVNULL,
                          stderr=writer, stdin=file) as process:
        os.close(writer)
        try:
            while (not (task.exists() and task.stat().st_size > 0) and process.poll() is None and
                   time.monotonic() < end):
                time.sleep(0.001)
            yield process, reader
        finally:
            process.kill()
            os.close(reader)


def begin(words, out, file=None):
    """A run that is killed as soon as it has begun."""
    with held(words, out, file):
        pass
    return pathlib.Path(f'{out}.unfinished/task').exists()


def draw_intervals(n, unit):
    """Some of @n rows, as two processes may have finished them, in multiples of @unit."""
    cuts = sorted(DRAW.sample(range(0, (n + unit - 1) // unit + 1), 4))
    return [(cuts[0] * unit, min(cuts[1] * unit, n)), (cuts[2] * unit, min(cuts[3] * unit, n))]


def write_journals(out, intervals):
    for i, (first, end) in enumerate(intervals):
        torn = f'{end} {end + 99999}' if i else ''
        pathlib.Path(f'{out}.unfinished/rows-{3 * i}').write_text(f'\n{first} {end}\n{torn}')


def prepare_raw(reference, out, n_rows):
    """An image of which some rows are finished, and the others are anything."""
    data = pathlib.Path(reference).read_bytes()
    row = len(data) // n_rows
    intervals = draw_intervals(n_rows, 1)
    image = bytearray(b'\xa5' * len(data))
    for first, end in intervals:
        image[first * row:end * row] = data[first * row:end * row]
    pathlib.Path(f'{out}.unfinished/image.raw').write_bytes(image)
    write_journals(out, intervals)


def prepare_zarr(reference, out, size):
    """The same with rows of chunks, in 2-D."""
    chunk = json.loads(pathlib.Path(f'{reference}/0/.zarray').read_text())['chunks'][-2]
    intervals = draw_intervals(size[1], chunk)
    image = pathlib.Path(f'{out}.unfinished/image.zarr')
    shutil.rmtree(image, ignore_errors=True)
    (image / '0').mkdir(parents=True)
    for first, end in intervals:
        for row in range(first // chunk, (end + chunk - 1) // chunk):
            shutil.copytree(f'{reference}/0/{row}', image / '0' / str(row))
    write_journals(out, intervals)


def resume(operation, size, suffix, ranks=0):
    """A result of which a part is there: the rest is made."""
    reference, out = 'reference' + suffix, 'out' + suffix
    begun = begin(words_of(operation, size, out, '--resume'), out)
    whole = run(words_of(operation, size, reference, '--blocks', 'auto'))
    if not ok(begun and whole.returncode == 0, f'{operation} {suffix}: begun', whole.stderr):
        return
    if suffix == '.raw':
        prepare_raw(reference, out, size[1] * (size[2] if len(size) > 2 else 1))
    else:
        prepare_zarr(reference, out, size)
    done = run(words_of(operation, size, out, '--resume'), ranks)
    ok(done.returncode == 0 and 'an earlier run has finished' in done.stderr and
       read_tree(out) == read_tree(reference), f'{operation} {suffix}: as of one run, '
       f'{ranks or 1} processes', done.stderr)
    ok(not pathlib.Path(f'{out}.unfinished').exists(), 'nothing is left beside it')
    remove(reference, out)


def remove(*names):
    for name in names:
        path = pathlib.Path(name)
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def not_again():
    """Rows that are finished stay as they are, whatever they are."""
    size = (300, 4000)
    make_image(size)
    words = words_of('label --threshold 128', size, 'out.raw', '--resume')
    begin(words, 'out.raw')
    pathlib.Path('out.raw.unfinished/image.raw').write_bytes(b'\xa5' * (4 * 300 * 4000))
    write_journals('out.raw', [(0, 4000)])
    done = run(words)
    ok(done.returncode == 0 and
       pathlib.Path('out.raw').read_bytes() == b'\xa5' * (4 * 300 * 4000),
       'what is finished is not made again', done.stderr)
    remove('out.raw')


def after_the_end(suffix):
    """A run that was killed when the image had its name, and one with another image in its place."""
    size = (700, 3000)
    make_image(size)
    operation, out, reference = 'watershed', 'out' + suffix, 'reference' + suffix
    words = words_of(operation, size, out, '--resume')
    run(words_of(operation, size, reference, '--blocks', 'auto'))
    begin(words, out)
    write_journals(out, [(0, 3000)])
    remove(f'{out}.unfinished/image{suffix}')
    done = run(words)
    ok(done.returncode == 0 and read_tree(out) == read_tree(reference) and
       'an earlier run' not in done.stderr, f'{suffix}: rows of no image are none', done.stderr)

    begin(words, out)
    write_journals(out, [(0, 3000)])
    pathlib.Path(f'{out}.unfinished/task').write_text('')
    done = run(words)
    ok(done.returncode == 0 and read_tree(out) == read_tree(reference),
       f'{suffix}: rows of no task are none', done.stderr)

    remove(out)
    if suffix == '.raw':
        done = run([*words, '--table', 'none/table.csv'])
        ok(done.returncode == 1 and not pathlib.Path(out).exists(),
           'without its table there is no result', done.stderr)
        remove(f'{out}.unfinished')
    remove(out, reference)


def changed_zarr():
    """An input of which one chunk is another."""
    size = (700, 3000)
    make_image(size)
    run(words_of('h-maxima --height 20', size, 'in.zarr', '--blocks', 'auto'))
    words = ['watershed', 'in.zarr', '-o', 'out.raw', *LIMIT, '--resume']
    begin(words, 'out.raw')
    write_journals('out.raw', [(0, 10)])
    chunk = next(path for path in sorted(pathlib.Path('in.zarr').rglob('*')) if path.is_file() and
                 not path.name.startswith('.'))
    chunk.write_bytes(chunk.read_bytes())
    done = run(words)
    ok(done.returncode == 1 and 'other inputs' in done.stderr, 'a changed chunk is refused',
       done.stderr)
    remove('in.zarr', 'out.raw.unfinished', 'out.raw')


def count_kept():
    """The most bytes with which a process says what it has finished; 0 when all is."""
    n = 0
    for path in pathlib.Path('.').glob('out.raw.unfinished/rows-*'):
        with contextlib.suppress(FileNotFoundError):
            n = max(n, path.stat().st_size)
    return n


def await_unlocked():
    """The first process that the launcher has started ends after it."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with open('out.raw.unfinished/task', 'rb') as task:
                fcntl.flock(task, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except FileNotFoundError:
            return
        except BlockingIOError:
            time.sleep(0.01)


def standard_input():
    """The file that standard input is redirected from."""
    size = (300, 2000)
    make_image(size)
    shutil.copy('in.raw', 'other.raw')
    words = ['-' if word == 'in.raw' else word
             for word in words_of('label --threshold 128', size, 'out.raw', '--resume')]
    with open('in.raw', 'rb') as file, open('other.raw', 'rb') as other:
        begin(words, 'out.raw', file)
        write_journals('out.raw', [(0, 10)])
        done = run(words, file=other)
        ok(done.returncode == 1 and 'other inputs' in done.stderr,
           'another standard input is refused', done.stderr)
        file.seek(0)
        done = run(words, file=file)
        ok(done.returncode == 0, 'the same standard input is taken', done.stderr)
    remove('out.raw', 'out.raw.unfinished', 'other.raw')


def pages():
    """One page of a file, and then another."""
    size = (300, 400, 2)
    make_image(size)
    if run(words_of('gaussian --sigma 1', size, 'in.tif')).returncode != 0:
        return
    begin(['label', 'in.tif[page=0]', '-o', 'out.raw', *LIMIT, '--resume'], 'out.raw')
    write_journals('out.raw', [(0, 10)])
    done = run(['label', 'in.tif[page=1]', '-o', 'out.raw', *LIMIT, '--resume'])
    ok(done.returncode == 1 and 'other inputs' in done.stderr, 'another page is refused',
       done.stderr)
    remove('in.tif', 'out.raw.unfinished')


def killed(ranks):
    """A run that is killed in the middle, wherever that is, as often as it takes."""
    size = (1000, 12000)
    make_image(size)
    words = words_of('watershed', size, 'out.raw', '--resume')
    run(words_of('watershed', size, 'reference.raw', '--blocks', 'auto'))
    for _ in range(8):
        with subprocess.Popen(([MPIRUN, '--oversubscribe', '-n', str(ranks)] if ranks else []) +
                              [COMMAND, *words], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            for _ in range(2000):
                if count_kept() > 20 or process.poll() is not None:
                    break
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        await_unlocked()
        if process.returncode == 0:
            break
    done = run(words)
    ok(done.returncode == 0 and read_tree('out.raw') == read_tree('reference.raw'),
       f'killed, {ranks or 1} processes', done.stderr)
    remove('out.raw', 'reference.raw')


def refuse():
    size = (300, 2000)
    make_image(size)
    words = words_of('label --threshold 128', size, 'out.raw', '--resume')
    begin(words, 'out.raw')
    write_journals('out.raw', [(0, 10)])
    for title, other in {
            'other options': words_of('label --threshold 129', size, 'out.raw', '--resume'),
            'another operation': words_of('distance --threshold 128', size, 'out.raw', '--resume'),
    }.items():
        done = run(other)
        ok(done.returncode == 1 and done.stderr.count('\n') == 1 and
           'out.raw.unfinished' in done.stderr and 'other options' in done.stderr,
           f'{title} are refused', done.stderr)
    os.utime('in.raw', (1, 1))
    done = run(words)
    ok(done.returncode == 1 and 'other inputs' in done.stderr, 'a changed input is refused',
       done.stderr)
    ok(not pathlib.Path('out.raw').exists() and
       pathlib.Path('out.raw.unfinished/rows-0').exists(), 'and all stays as it was')
    remove('out.raw.unfinished')

    done = run(words_of('label --threshold 128', size, 'out.tif', '--resume'))
    ok(done.returncode == 1 and '--resume' in done.stderr, 'a TIFF file is refused', done.stderr)
    done = run(words_of('fill-holes', size, 'out.raw', '--resume', '--blocks', 'queue'))
    ok(done.returncode == 2 and '--blocks queue' in done.stderr, 'the queue is refused',
       done.stderr)
    done = run([*words_of('label --threshold 128', size, 'out.raw', '--resume'), '--memory-limit',
                '100K'])
    ok(done.returncode == 1 and not pathlib.Path('out.raw.unfinished').exists(),
       'a run that has finished nothing leaves nothing', done.stderr)
    ok(sorted(os.listdir()) == ['in.raw'], 'no files are left', os.listdir())


def in_use():
    """Two runs of the same result at a time."""
    size = (700, 3000)
    make_image(size)
    words = words_of('watershed', size, 'out.raw', '--resume')
    with held(words, 'out.raw') as (process, reader):
        done = run(words)
        while os.read(reader, 1 << 16):
            pass
        status = process.wait(timeout=400)
    ok(done.returncode == 1 and 'in use' in done.stderr, 'a second run is refused', done.stderr)
    ok(status == 0 and pathlib.Path('out.raw').exists(), 'and does not disturb the first')
    remove('out.raw')


def single():
    size = (700, 3000)
    make_image(size)
    for operation in OPERATIONS if THOROUGH else DRAW.sample(OPERATIONS, 3):
        resume(operation, size, '.raw')
        if HAS_ZARR:
            resume(operation, size, '.zarr')
    size = (150, 140, 60)
    make_image(size)
    resume('label --threshold 128', size, '.raw')
    not_again()
    after_the_end('.raw')
    if HAS_ZARR:
        after_the_end('.zarr')
        changed_zarr()
    standard_input()
    pages()
    killed(0)
    in_use()
    refuse()


def several():
    """Several processes, which go on from what others have left."""
    size = (700, 3000)
    make_image(size)
    for operation in ['label --threshold 128', 'watershed', 'distance --threshold 128']:
        resume(operation, size, '.raw', ranks=3)
        if HAS_ZARR:
            resume(operation, size, '.zarr', ranks=2)
    killed(3)


def main():
    print(f'# WAVEFRONT_TEST_SEED={SEED}')
    with tempfile.TemporaryDirectory() as folder, \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as sessions:
        # launchers in other namespaces of processes have the same numbers, and make the same folders
        os.environ['TMPDIR'] = sessions
        os.chdir(folder)
        if MPIRUN:
            several()
        else:
            single()
        os.chdir('/')
    print(f'1..{count}')


main()
