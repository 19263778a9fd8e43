# SPDX-License-Identifier: GPL-3.0-or-later

"""The processes of GIMP and its plug-ins: finding them, their state, and stopping one."""

import os
import pathlib

TICKS = os.sysconf('SC_CLK_TCK')


def stat_of(process, thread=None):
    """The state of a process or of one of its threads, and its processor time in seconds; an empty
    state if it has ended."""
    try:
        stat = pathlib.Path(f'/proc/{process}/task/{thread or process}/stat').read_bytes()
    except OSError:
        return '', 0
    fields = stat.rpartition(b')')[2].split()
    return fields[0].decode(), (int(fields[11]) + int(fields[12])) / TICKS


def processes(program):
    """The numbers of the processes whose command line contains @program."""
    found = []
    for number in filter(str.isdigit, os.listdir('/proc')):
        try:
            words = pathlib.Path('/proc', number, 'cmdline').read_bytes()
        except OSError:
            continue
        if os.fsencode(program) in words:
            found.append(int(number))
    return found


def stopped(program):
    """The numbers of the stopped processes whose command line contains @program."""
    return [number for number in processes(program) if stat_of(number)[0] == 'T']


class StopAt:
    """Within this context, a plug-in with progress-listener.c stops at a share of its progress."""

    def __init__(self, share):
        self.file = pathlib.Path(os.environ['WORK'], 'stop')
        self.share = share

    def __enter__(self):
        self.file.write_text(str(self.share), encoding='ascii')

    def __exit__(self, *_):
        self.file.unlink()


def others():
    """The process numbers of GIMP, of its plug-ins except this one, and of the X server."""
    group, own = os.getpgrp(), os.getpid()
    found = [os.environ['X_SERVER']] if 'X_SERVER' in os.environ else []
    for number in filter(str.isdigit, os.listdir('/proc')):
        try:
            if int(number) != own and os.getpgid(int(number)) == group:
                found.append(number)
        except OSError:   # the process has ended
            continue
    return found


def work_done():
    """The processor time of the other processes; None while one of their threads is running or
    waits for a processor."""
    total = 0
    for number in others():
        try:
            threads = os.listdir(f'/proc/{number}/task')
        except OSError:
            continue
        for thread in threads:
            state, seconds = stat_of(number, thread)
            if state in ('R', 'D'):
                return None
            total += seconds
    return total
