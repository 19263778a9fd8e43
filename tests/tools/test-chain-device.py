#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains on a GPU: test-chain-device.py COMMAND [simulated]

A chain on a device gives the files of its steps run apart on the CPU, whatever stays on the device
between them; --stats says what does; and where the device is full, images are in main memory.
Prints TAP.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

COMMAND = os.path.abspath(sys.argv[1])
SIMULATED = 'simulated' in sys.argv
SEED = os.environ.get('WAVEFRONT_TEST_SEED') or str(random.randrange(2 ** 32))
ROUNDS = 6 if os.environ.get('WAVEFRONT_TEST_TIER', 'quick') == 'quick' else 25
DEVICE = 'cuda:0'
count = failed = 0
chance = random.Random(SEED)

# What makes levels of levels; the GPU has no median and no area opening.
LEVELS = [
    'gaussian --sigma 1.5', 'gradient', 'erosion --radius 2', 'dilation --element disc --radius 3',
    'opening --radius 1', 'fill-holes', 'clear-border', 'h-maxima --height 20', 'median --radius 1',
    'area-opening --area 9', 'closing-by-reconstruction --radius 2', 'fill-holes --invert',
    'threshold --threshold otsu', 'threshold --method mean --radius 4',
    'threshold --method gaussian --sigma 2 --below', 'threshold --method sauvola --radius 3',
]
LABELS = ['label --threshold 90', 'label --threshold 90 --invert', 'label --threshold otsu',
          'watershed --tolerance 5', 'watershed --lines', 'watershed --invert',
          'watershed --input objects --threshold 90', 'watershed --smoothing 1 --min-area 20',
          'watershed --input objects --threshold 250', 'watershed --input objects --inside',
          'distance --threshold 90', 'distance --metric squared']


def report(passed, name, *why):
    global count, failed
    count += 1
    failed += not passed
    print('%s %d %s' % ('ok' if passed else 'not ok', count, name.replace('\n', ' ')), flush=True)
    if not passed:
        print('#', *(str(word).replace('\n', '\n# ') for word in why))


def run(*words, **more):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True,
                          env=dict(os.environ, **more))


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def stats_of(done):
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{')]


def write_picture(width, height, depth, kind=None):
    """in.npy: discs on a dark ground, of 8 or 16 bits or f32."""
    code, pack = kind or chance.choice([('|u1', 'B'), ('<u2', 'H'), ('<f4', 'f')])
    discs = [(chance.randrange(width), chance.randrange(height), chance.randrange(3, 12))
             for _ in range(20)]
    row = [[150 if any((x - u) ** 2 + (y - v) ** 2 < r * r for u, v, r in discs) else 30
            for x in range(width)] for y in range(height)]
    levels = [row[y][x] + chance.randrange(40)
              for _ in range(depth) for y in range(height) for x in range(width)]
    shape = (depth, height, width) if depth > 1 else (height, width)
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (code, shape)
    header += ' ' * (-(len(header) + 11) % 64) + '\n'
    with open('in.npy', 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode())
        file.write(struct.pack('<%d%s' % (len(levels), pack), *levels))


def steps_apart(steps):
    """The last step's result, in apart.npy."""
    source = 'in.npy'
    for i, step in enumerate(steps):
        target = 'apart.npy' if i == len(steps) - 1 else 'step-%d.npy' % i
        done = run(*step.split(), source, '-o', target, '--device', 'cpu')
        if done.returncode != 0:
            return done.stderr
        source = target
    return None


def random_chains():
    for i in range(ROUNDS):
        write_picture(chance.randrange(20, 90), chance.randrange(20, 70), chance.choice([1, 1, 3]))
        steps = chance.sample(LEVELS, chance.randrange(1, 4)) + [chance.choice(LABELS)]
        problem = steps_apart(steps)
        done = run('run', '; '.join(steps), 'in.npy', '-o', 'chain.npy', '--device', DEVICE,
                   '--stats')
        report(problem is None and done.returncode == 0 and read('chain.npy') == read('apart.npy'),
               '; '.join(steps), problem, done.stderr)


def what_stays():
    write_picture(60, 50, 1)
    text = ('gaussian --sigma 1.5 = smooth; gradient -o gradient.npy; median = middle; '
            'h-maxima @smooth --height 5; label @smooth --threshold 90 = seeds; '
            'watershed @middle --markers @seeds; '
            'measure --image @smooth --measures area,mean -o table.csv')
    files = ['gradient.npy', 'basins.npy', 'table.csv']
    results = []
    for device in ('cpu', DEVICE):
        done = run('run', text, 'in.npy', '-o', 'basins.npy', '--device', device, '--stats')
        report(done.returncode == 0, 'named results on ' + device, done.stderr)
        results.append([read(name) for name in files])
    report(results[0] == results[1], 'files of named results')
    stats = stats_of(done)
    stays = [(step.get('inputs_on'), step.get('result_on')) for step in stats]
    gpu = DEVICE
    # the median has none; the watershed has its markers there, and its result; the levels of the
    # measurements may be in f32, which the CPU measures
    report(stays[:6] == [(None, gpu), (gpu, gpu), (None, None), (gpu, gpu), (gpu, gpu), (gpu, gpu)],
           'what --stats says of them', stays)
    report([step['device'] for step in stats[:6]] == [gpu, gpu, 'cpu', gpu, gpu, gpu],
           'their devices', stats)
    done = run('run', 'gaussian --sigma 1; threshold --threshold otsu; fill-holes; label', 'in.npy',
               '-o', 'labels.npy', '--device', DEVICE, '--stats')
    stays = [(step.get('inputs_on'), step.get('result_on')) for step in stats_of(done)]
    report(stays == [(None, gpu), (gpu, gpu), (gpu, gpu), (gpu, gpu)],
           'a threshold that is found stays', stays, done.stderr)
    done = run('gaussian', 'in.npy', '-o', 'one.npy', '--device', DEVICE, '--stats')
    report(done.returncode == 0 and 'result_on' not in stats_of(done)[0], 'a step alone')


def read_by_the_cpu():
    """Steps in which the CPU reads or changes pixels beside what the GPU does."""
    for text in ('label @in --threshold 90 = inside; gaussian @in --sigma 1; watershed --mask @inside',
                 'label @in --threshold 90 = inside; gaussian @in --sigma 1; '
                 'watershed --mask @inside --min-area 3 --inside',
                 'h-maxima @in --height 40; label --threshold 90 = seeds; '
                 'gaussian @in --sigma 1 = smooth; watershed @smooth --invert --markers @seeds',
                 'label @in --threshold 90 = seeds; gaussian @in --sigma 2; '
                 'watershed --input objects --threshold 70 --markers @seeds',
                 'gaussian @in --sigma 1; fill-holes --invert; gaussian --sigma 1'):
        write_picture(70, 50, 1, ('|u1', 'B'))
        results = []
        for device in ('cpu', DEVICE):
            done = run('run', text, 'in.npy', '-o', 'out.npy', '--device', device)
            results.append((done.returncode, done.stderr, read('out.npy')))
        report(results[0] == results[1] and results[0][0] == 0, text,
               *[result[1] for result in results])


def full_device():
    """Memory for a step, but not for what it leaves beside the steps that follow."""
    write_picture(90, 70, 1, ('<f4', 'f'))
    steps = ['gaussian --sigma 1 = a', 'gradient = b', 'erosion @a', 'dilation @b',
             'fill-holes @a', 'label @b --threshold 40']
    run('run', '; '.join(steps), 'in.npy', '-o', 'here.npy', '--device', 'cpu')
    expected = read('here.npy')
    stayed = set()
    for kilobytes in (1000, 250, 180, 150, 120, 90, 60):
        done = run('run', '; '.join(steps), 'in.npy', '-o', 'there.npy', '--device', DEVICE,
                   '--fallback', 'cpu', '--stats', WAVEFRONT_KERNELS_MEMORY=str(kilobytes << 10))
        stayed.add(sum('result_on' in step for step in stats_of(done)))
        report(done.returncode == 0 and read('there.npy') == expected,
               '%d KiB of device memory' % kilobytes, done.stderr)
    report(len(stayed) > 1, 'fewer images stay on a small device', stayed)


def main():
    print('# seed', SEED)
    devices = run('devices')
    if DEVICE not in devices.stdout:
        print('1..0 # SKIP no GPU')
        return 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in [random_chains, what_stays, read_by_the_cpu] + ([full_device] if SIMULATED else []):
            part()
        os.chdir('/')
    print('1..%d' % count)
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
