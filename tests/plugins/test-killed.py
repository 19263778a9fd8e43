#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later

"""Killing GIMP while the watershed works or writes its table leaves no more processes or files
than killing it before the call; after killing GIMP or the plug-in, the table is complete or
missing.

This program starts and kills GIMP itself; run-in-gimp provides the profile.
"""

import os
import pathlib
import re
import signal
import subprocess
import time

from person import wait_for
from processes import processes
from results import cases, tap

WORK = pathlib.Path(os.environ['WORK'])
OUT, SIGNS = WORK / 'out', WORK / 'signs'
TABLE = OUT / 'basins.csv'
PLUG_IN = WORK / 'plug-ins' / 'wavefront-watershed' / 'wavefront-watershed'
OLD = b'an older table\n'

# noise: a basin every few pixels, and a table of many lines
CALL = f'''
from gimptest import *
from scenes import large_image
from gi.repository import Gio
import pathlib, time
image, layer = large_image(800, random_rows(300, 200, 255, 'killed'))
pathlib.Path('{SIGNS}/ready').touch()
while pathlib.Path('{SIGNS}/wait').exists():
    time.sleep(0.05)
    Gimp.get_images()
result = call(WATERSHED, image, [layer], mean_layer=True, label_image=True,
              table_file=Gio.File.new_for_path('{TABLE}'))
pathlib.Path('{SIGNS}/done').write_text(result.status + ' ' + str(layer_names(image)))
'''


def empty(folder):
    for file in folder.iterdir():
        file.unlink()


def start(*signs):
    """Starts GIMP, which is about to call the procedure."""
    empty(SIGNS)
    for sign in signs:
        (SIGNS / sign).touch()
    gimp = subprocess.Popen(
        ['gimp-console', '-idf', '--stack-trace-mode', 'always', '--quit',
         '--batch-interpreter=python-fu-eval', '-b', CALL],
        env=dict(os.environ, TAP=str(SIGNS / 'tap'), TMPDIR=str(WORK / 'tmp')))
    if not wait_for((SIGNS / 'ready').exists, 120):
        gimp.kill()
        raise AssertionError('GIMP did not reach the call of the procedure')
    return gimp


def files():
    """The existing files, with # for numbers in their names, which differ between runs."""
    found = set()
    for folder, _, names in os.walk(WORK):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), WORK)
            # GIMP saves its own settings at its end, in the profile's top: a kill at that time
            # leaves a temporary file of GIO there, which is not the plug-in's
            if not path.startswith(('signs', 'plug-ins', 'log', 'out',
                                    'profile/.goutputstream-')):
                found.add(re.sub(r'[0-9a-fA-F]*\d[0-9a-fA-F]*', '#', path))
    return found


def kill(gimp):
    gimp.kill()
    gimp.wait()
    return wait_for(lambda: not processes(WORK / 'plug-ins'), 30)


def is_whole(old=None):
    """Whether the folder contains only a complete table or the old one, or nothing if there was no
    old one."""
    names = os.listdir(OUT)
    if not names:
        return old is None
    return names == [TABLE.name] and TABLE.read_bytes() in (old, whole)


def killed_gimp(share):
    """Kills GIMP after this share of the duration."""
    gimp = start()
    time.sleep(share * duration)
    gone = kill(gimp)
    what = f'GIMP killed after {share:.0%} of a run'
    tap.ok(gone, f'{what}: its plug-ins end', processes(WORK / 'plug-ins'))
    tap.ok(is_whole(), f'{what}: a complete table or none', os.listdir(OUT))
    tap.ok(files() <= there, f'{what}: no file is left', files() - there)
    empty(OUT)


def writes(number):
    """Whether the process has a file open in the folder, or the folder has new contents."""
    if any(name != TABLE.name or TABLE.stat().st_size != len(OLD) for name in os.listdir(OUT)):
        return True
    try:
        links = os.listdir(f'/proc/{number}/fd')
    except OSError:
        return True
    for link in links:
        try:
            if os.readlink(f'/proc/{number}/fd/{link}').startswith(str(OUT)):
                return True
        except OSError:
            continue
    return False


def killed_writing(old, target):
    """Kills GIMP or the plug-in as soon as the table is being written."""
    if old is not None:
        TABLE.write_bytes(old)
    gimp = start()
    at_work = []
    wait_for(lambda: at_work.extend(processes(PLUG_IN)) or at_work, 120, 0.005)
    wait_for(lambda: writes(at_work[0]), 120, 0)
    what = f"the {target} killed while it writes {'a new table' if old is None else 'over a table'}"
    if target == 'plug-in':
        for number in processes(PLUG_IN):
            os.kill(number, signal.SIGKILL)
        gimp.wait(60)
        said = (SIGNS / 'done').read_text() if (SIGNS / 'done').exists() else ''
        tap.ok('layer' in said, f'{what}: GIMP continues', said)
    else:
        tap.ok(kill(gimp), f'{what}: its plug-ins end', processes(WORK / 'plug-ins'))
    tap.ok(is_whole(old), f'{what}: a complete table or the old one',
           [(path.name, path.stat().st_size) for path in OUT.iterdir()], len(whole))
    tap.ok(files() <= there, f'{what}: no file is left', files() - there)
    empty(OUT)


def has_nameless_files():
    """Whether the file system supports files without a name, as used for the table."""
    try:
        os.close(os.open(OUT, os.O_TMPFILE | os.O_WRONLY))
    except (OSError, AttributeError):
        return False
    return True


for folder in (OUT, SIGNS, WORK / 'tmp'):
    folder.mkdir()
try:
    tap.ok(kill(start('wait')), 'a GIMP killed before the call')
    there = files()
    begin = start()
    start_of_call = time.monotonic()
    wait_for((SIGNS / 'done').exists, 200, 0.005)
    duration = time.monotonic() - start_of_call    # GIMP then quits and saves its settings
    begin.wait(200)
    said = (SIGNS / 'done').read_text()
    there |= files()
    whole = TABLE.read_bytes()
    tap.ok(said.startswith('success') and whole.count(b'\n') > 20000 and is_whole(),
           f'a run that is not killed writes its table, in {duration:.1f} s', said)
    empty(OUT)
    for share in cases((0.5,), (0.2, 0.5, 0.7, 0.85)):
        killed_gimp(share)
    if has_nameless_files():
        for target in ('plug-in', 'GIMP'):
            for old in cases((OLD,), (None, OLD)):
                killed_writing(old, target)
    else:
        tap.ok(True, 'killed while it writes # SKIP the file system has no files without a name')
except Exception as error:
    tap.ok(False, 'all of it', repr(error))
tap.done()
