# SPDX-License-Identifier: GPL-3.0-or-later

"""The wavefront command as several processes of MPI: its files are those of one process, and where
one of them fails all end, with one message.

  test-command.py MPIRUN COMMAND zarr|-
"""

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

MPIRUN, COMMAND, HAS_ZARR = sys.argv[1], sys.argv[2], sys.argv[3] == 'zarr'
THOROUGH = os.environ.get('WAVEFRONT_TEST_TIER') == 'all'
SEED = os.environ.get('WAVEFRONT_TEST_SEED', random.SystemRandom().randrange(1 << 30))
DRAW = random.Random(SEED)
count = 0


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}')
    for line in more if not holds else ():
        print('#', str(line).strip().replace('\n', '\n# '))
    return holds


def run(words, ranks=0, before=()):
    """A finished process; with @ranks under the launcher."""
    launcher = [MPIRUN, '--oversubscribe', '-n', str(ranks)] if ranks else []
    return subprocess.run([*launcher, *before, COMMAND, *words.split()], capture_output=True,
                          text=True, timeout=100, check=False)


def own_lines(process):
    """What the command says, without its launcher."""
    return [line for line in process.stderr.splitlines() if line.startswith('wavefront:')]


def make_image(width, height, depth):
    """Bytes with basins, plateaux and objects of several sizes."""
    levels = bytearray(DRAW.randrange(256) for _ in range(width * height * depth))
    for _ in range(3):
        levels = bytes((levels[i] + levels[i - 1] + levels[i - width] + levels[i - 1 - width]) // 4
                       for i in range(len(levels)))
    return bytes(level // 4 * 4 for level in levels)


def make_labels(n):
    labels = bytearray(4 * n)
    for _ in range(20):
        at = DRAW.randrange(n)
        labels[4 * at:4 * at + 4] = DRAW.randrange(1, 1 << 31).to_bytes(4, 'little')
    return bytes(labels)


OPERATIONS = [
    'distance in.raw {raw} --threshold otsu',
    'distance in.raw {raw} --threshold 120 --signed --metric chessboard',
    'distance in.raw {raw} --threshold 120 --metric squared --invert',
    'label in.raw {raw} --threshold 128',
    'threshold in.raw {raw} --threshold otsu',
    'threshold in.raw {raw} --method sauvola --radius 6 --below',
    'reconstruct in.raw low.raw {raw}',
    'reconstruct in.raw high.raw {raw} --by erosion',
    'watershed in.raw {raw}',
    'watershed in.raw {raw} --tolerance 12 --lines',
    'watershed in.raw {raw} --gradient 1 --smoothing 1',
    'watershed in.raw {raw} --markers markers.raw',
    'watershed in.raw {raw} --invert --gradient 1',
    'watershed in.raw {raw} --input objects --threshold otsu --smoothing 1',
    'watershed in.raw {raw} --input objects --threshold 128 --markers markers.raw --lines',
    'watershed in.raw {raw} --input objects --threshold 255',
]


# Those that write a table as well.
TABLES = [
    'label in.raw {raw} --threshold 128',
    'watershed in.raw {raw} --lines',
    'watershed in.raw {raw} --gradient 1 --tolerance 4',
    'hierarchy in.raw basins.raw {raw} --count 20',
    'hierarchy in.raw basins.raw {raw} --measure volume --depth 300 --invert',
    'hierarchy in.raw basins.raw {raw} --measure area --saliency',
]


ZARR_OPERATIONS = [
    'distance in.raw {raw} --threshold triangle',
    'label in.raw {raw} --threshold 128',
    'watershed in.raw {raw}',
    'fill-holes in.raw {raw}',
    'extended-minima in.raw {raw} --height 12',
    'hierarchy in.raw basins.raw {raw} --count 20 --table table.csv',
]
# Files that each rank reads for itself: chunks, and tiles.
SCANS = ['watershed scan.zarr', 'distance scan.tif --threshold 120']


def compare(size):
    width, height, depth = size
    image = make_image(*size)
    raw = f'--raw {width}x{height}x{depth}:u8' if depth > 1 else f'--raw {width}x{height}:u8'
    pathlib.Path('in.raw').write_bytes(image)
    pathlib.Path('low.raw').write_bytes(bytes(max(level - 40, 0) for level in image))
    pathlib.Path('high.raw').write_bytes(bytes(min(level + 40, 255) for level in image))
    pathlib.Path('markers.raw').write_bytes(make_labels(width * height * depth))
    run(f'watershed in.raw {raw} --lines -o basins.raw')
    tables = TABLES if THOROUGH else DRAW.sample(TABLES, 2)
    for operation in (OPERATIONS if THOROUGH else DRAW.sample(OPERATIONS, 4)) + tables:
        words = operation.format(raw=raw)
        table = operation in tables
        more = words.startswith('distance')
        alone = run(f'{words} -o alone.raw --stats' + ' --table alone.csv' * table +
                    ' --nearest alone-near.raw' * more)
        ranks = DRAW.choice([2, 3, 4, 8])
        several = run(f'{words} -o several.raw --stats --threads 1 '
                      f'--memory-limit {"16M" if table else "1M"}' +
                      ' --table several.csv' * table + ' --nearest several-near.raw' * more, ranks)
        what = f'{words}, {ranks} ranks'
        if ok(alone.returncode == 0 and several.returncode == 0, what, alone.stderr,
              several.stderr):
            first, second = (json.loads(process.stdout) for process in (alone, several))
            ok(len(second.get('ranks', ())) == ranks and
               all(second[key] == first[key] for key in ('basins', 'components', 'regions', 'no_background')
                   if key in first), 'one line of figures, the same', alone.stdout,
               several.stdout)
            ok(pathlib.Path('alone.raw').read_bytes() == pathlib.Path('several.raw').read_bytes(),
               'the same result')
            ok(not table or pathlib.Path('alone.csv').read_bytes() ==
               pathlib.Path('several.csv').read_bytes(), 'the same table')
            ok(not more or pathlib.Path('alone-near.raw').read_bytes() ==
               pathlib.Path('several-near.raw').read_bytes(), 'the same nearest pixels')
        for name in ('alone.raw', 'several.raw', 'alone.csv', 'several.csv', 'alone-near.raw',
                     'several-near.raw'):
            pathlib.Path(name).unlink(missing_ok=True)


def sequence():
    """A stack whose slices are files, which each rank opens for itself."""
    width, height, depth = 31, 27, 16
    image = make_image(width, height, depth)
    pathlib.Path('in.raw').write_bytes(image)
    for z in range(depth):
        pathlib.Path(f'slice{z}.raw').write_bytes(image[z * width * height:(z + 1) * width * height])
    alone = run(f'watershed in.raw --raw {width}x{height}x{depth}:u8 -o alone.raw')
    several = run(f'watershed slice*.raw --raw {width}x{height}:u8 -o several.raw --threads 1', 3)
    ok(alone.returncode == 0 and several.returncode == 0 and
       pathlib.Path('alone.raw').read_bytes() == pathlib.Path('several.raw').read_bytes(),
       'a stack of files, 3 ranks', alone.stderr, several.stderr)
    for path in pathlib.Path().glob('*.raw'):
        path.unlink()


def read_tree(folder):
    """The files of a folder; its name, which is the image's, left out."""
    name = pathlib.Path(folder).stem.encode()
    return {str(path.relative_to(folder)): path.read_bytes().replace(name, b'')
            for path in pathlib.Path(folder).rglob('*') if path.is_file()}


def compare_zarr(size, operations):
    """The folders are the same: each rank writes its own chunks and its share of the overviews."""
    width, height, depth = size
    raw = f'--raw {width}x{height}x{depth}:u8' if depth > 1 else f'--raw {width}x{height}:u8'
    pathlib.Path('in.raw').write_bytes(make_image(*size))
    run(f'watershed in.raw {raw} --lines -o basins.raw')
    for scan in 'scan.zarr', 'scan.tif':
        run(f'gaussian in.raw {raw} --sigma 0.7 -o {scan} --blocks auto')
    for operation in operations:
        words = operation.format(raw=raw)
        if 'scan.tif' in words and not pathlib.Path('scan.tif').exists():
            continue
        ranks = DRAW.choice([2, 3, 5])
        more = ' --nearest near-{}.raw' if words.startswith('distance') else ''
        alone = run(f'{words} -o alone.zarr --blocks auto' + more.format('alone'))
        several = run(f'{words} -o several.zarr --threads 1 --memory-limit 48M' +
                      more.format('several'), ranks)
        if ok(alone.returncode == 0 and several.returncode == 0, f'{words} to .zarr, {ranks} ranks',
              alone.stderr, several.stderr):
            one, other = read_tree('alone.zarr'), read_tree('several.zarr')
            ok(one == other and (width < 512 or '1/0/0' in one), 'the same folder',
               sorted(one.keys() ^ other.keys()),
               [name for name in one if other.get(name) != one[name]])
            ok(not more or pathlib.Path('near-alone.raw').read_bytes() ==
               pathlib.Path('near-several.raw').read_bytes(), 'the same nearest pixels')
        for name in ('alone.zarr', 'several.zarr'):
            shutil.rmtree(name, ignore_errors=True)
    shutil.rmtree('scan.zarr')


def check_left(what):
    left = sorted(name for name in os.listdir() if name not in
                  ('in.raw', 'low.raw', 'high.raw', 'markers.raw', 'basins.raw', 'table.csv'))
    ok(not left, f'{what}: nothing is left', left)


def refuse(words, what, status, part, before=()):
    process = run(words, 4, before)
    lines = own_lines(process)
    ok(process.returncode == status and len(lines) == 1 and
       all(word in lines[0] for word in part.split('|')),
       f'{what}: one message, status {status}', process.returncode, process.stderr)
    check_left(what)


def failures():
    raw = '--raw 90x70:u8'
    pathlib.Path('in.raw').write_bytes(make_image(90, 70, 1))
    refuse(f'distance missing.raw {raw} -o out.raw', 'a missing file', 1, 'missing.raw')
    refuse(f'distance in.raw {raw} -o out.raw --metric none', 'a wrong option', 2, '“none”')
    refuse(f'distance in.raw {raw} -o out.tif', 'another format', 1, 'only .raw and .zarr')
    refuse(f'label in.raw {raw} -o out.raw --table none/t.csv', 'a table in no folder', 1, 'none')
    # 64 MB; the third rank's part lies beyond
    pathlib.Path('high.raw').write_bytes(bytes(6000 * 5000))
    script = ('trap "" XFSZ; [ "$OMPI_COMM_WORLD_RANK" = 2 ] && ulimit -f 131072; exec "$@"')
    refuse('distance high.raw --raw 6000x5000:u8 -o out.raw --threads 1',
           'a rank that cannot write', 1, 'Rank 2|File too large', ('sh', '-c', script, 'sh'))
    hidden = ('[ "$OMPI_COMM_WORLD_RANK" = 3 ] && cd /; exec "$@"')
    refuse(f'distance in.raw {raw} -o {os.getcwd()}/out.raw', 'a rank without the file', 1,
           'Rank 3', ('sh', '-c', hidden, 'sh'))


def unknown_launcher():
    """Processes that do not know of each other must not write the same file."""
    for number in '0', '1':
        process = subprocess.run([COMMAND, *'distance in.raw --raw 90x70:u8 -o out.raw'.split()],
                                 capture_output=True, text=True, timeout=100, check=False,
                                 env={**os.environ, 'SLURM_STEP_NUM_TASKS': '2',
                                      'SLURM_PROCID': number})
        ok(process.returncode == 1 and ('mpirun' in process.stderr) == (number == '0'),
           f'process {number} of an unknown launcher is refused', process.stderr)
    check_left('an unknown launcher')


def find_rank(launcher, number):
    """The process of a rank, once it has begun."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        for process in filter(str.isdigit, os.listdir('/proc')):
            try:
                environ = pathlib.Path('/proc', process, 'environ').read_bytes().split(b'\0')
                words = pathlib.Path('/proc', process, 'cmdline').read_bytes().split(b'\0')
            except OSError:
                continue
            if (b'OMPI_COMM_WORLD_RANK=%d' % number in environ and
                    b'KILLED_TEST=%d' % launcher in environ and words[0] == COMMAND.encode()):
                return int(process)
        time.sleep(0.02)
    return None


def await_output(launcher):
    """Until the ranks have made the file that is to be the result, and begin to compute it."""
    before = {'in.raw', 'low.raw', 'high.raw', 'markers.raw', 'basins.raw'}
    end = time.monotonic() + 20
    while set(os.listdir()) <= before and launcher.poll() is None and time.monotonic() < end:
        time.sleep(0.005)


def await_files(launcher, rank):
    """Until a rank has opened both temporary files: the result's and the levels'."""
    end = time.monotonic() + 20
    opened = set()
    while len(opened) < 2 and launcher.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
        try:
            folder = f'/proc/{rank}/fd'
            paths = [os.readlink(f'{folder}/{name}') for name in os.listdir(folder)]
        except OSError:
            continue
        opened = {path for path in paths if '/.wavefront-' in path}


def help_once():
    """Help is what one process prints."""
    for words in ('--help', 'watershed --help', '--version'):
        ok(run(words, ranks=3).stdout == run(words).stdout, f'{words} is printed once')


def killed(number):
    """A rank that dies while it works: the launcher ends the others, and nothing is left."""
    words = 'watershed in.raw --raw 400x120000:u8 -o out.raw --tolerance 8 --threads 1'
    with subprocess.Popen([MPIRUN, '--oversubscribe', '-n', '4', COMMAND, *words.split()],
                          env={**os.environ, 'KILLED_TEST': str(os.getpid())},
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as launcher:
        rank = find_rank(os.getpid(), number)
        await_output(launcher)
        # the first rank makes the temporary files, and the others must know their names
        for other in range(1, 4):
            await_files(launcher, find_rank(os.getpid(), other))
        running = rank is not None and launcher.poll() is None
        if running:
            os.kill(rank, signal.SIGKILL)
        start = time.monotonic()
        try:
            status = launcher.wait(timeout=30)
        except subprocess.TimeoutExpired:
            launcher.kill()
            status = None
    what = f'rank {number} is killed'
    ok(running and status not in (0, None), f'{what}: all end', running, status)
    ok(time.monotonic() - start < 15, f'{what}: within seconds', time.monotonic() - start)
    check_left(what)


def main():
    print(f'# WAVEFRONT_TEST_SEED={SEED}')
    with tempfile.TemporaryDirectory() as folder, \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as sessions:
        # launchers in other namespaces of processes have the same numbers, and make the same folders
        os.environ['TMPDIR'] = sessions
        os.chdir(folder)
        for size in [(131, 97, 1), (17, 13, 19), (40, 5, 1)] if THOROUGH else [(131, 97, 1)]:
            compare(size)
        sequence()
        if HAS_ZARR:
            compare_zarr((600, 1300, 1), ZARR_OPERATIONS + SCANS if THOROUGH else
                         [DRAW.choice(ZARR_OPERATIONS), DRAW.choice(SCANS)])
            compare_zarr((300, 310, 3), ['distance in.raw {raw} --threshold 120'] +
                         SCANS * THOROUGH)
        for name in os.listdir():
            os.unlink(name)
        failures()
        unknown_launcher()
        help_once()
        pathlib.Path('in.raw').write_bytes(make_image(400, 300, 1) * 400)
        killed(0)
        killed(2)
        os.chdir('/')
    print(f'1..{count}')


main()
