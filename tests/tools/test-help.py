#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Help, hints, manual pages and completions of the wavefront command:
test-help.py COMMAND MAN-PAGES BASH ZSH FISH

The last four are what the build has made. Shells and groff are used where there are any. Prints
TAP.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

COMMAND, PAGES = sys.argv[1], pathlib.Path(sys.argv[2])
SCRIPTS = dict(zip(('bash', 'zsh', 'fish'), sys.argv[3:]))
ENVIRONMENT = {**os.environ, 'LC_ALL': 'C.UTF-8', 'LANGUAGE': 'C'}
count = 0


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}', flush=True)
    for line in more if not holds else ():
        print('#', str(line).strip().replace('\n', '\n# '))
    return holds


def skip(what, reason):
    global count
    count += 1
    print(f'ok {count} - {what} # SKIP {reason}')


def run(*words, check=False):
    return subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT, check=check)


def wavefront(*words):
    return run(COMMAND, *words)


def list_commands():
    """Those of the overview."""
    lines = wavefront('--help').stdout.splitlines()
    return [match[1] for line in lines if (match := re.match(r'  ([a-z][a-z-]+)( {2}|$)', line))]


def list_options(command):
    return re.findall(r'^ +(?:-[a-z], )?--([a-z][a-z-]*)', wavefront(command, '--help').stdout,
                      flags=re.MULTILINE)


def check_help(commands):
    ok(wavefront('help').stdout == wavefront('--help').stdout != '', 'help is --help')
    ok(all(wavefront('help', command).stdout == wavefront(command, '--help').stdout != ''
           for command in commands), 'help COMMAND is COMMAND --help')
    ok(wavefront('help', 'help').stdout == wavefront('help').stdout and
       wavefront('help', '--man', 'help').stdout == wavefront('help', '--man').stdout,
       'help help is help')
    done = wavefront('run', 'help', 'in.png', '-o', 'out.png')
    ok(done.returncode == 2 and '“help”' in done.stderr and 'nearest' not in done.stderr,
       'help is no step of a chain, nor near itself', done.stderr)
    for words in (['help', 'a', 'b'], ['help', '--foo'], ['help', '--completion', 'tcsh'],
                  ['help', '--completion']):
        done = wavefront(*words)
        ok(done.returncode == 2 and done.stderr.count('\n') == 1 and done.stdout == '',
           f'{" ".join(words)} is refused', done.stderr)
    done = wavefront('help', '--man-pages', '/dev/null/pages')
    ok(done.returncode == 1 and done.stderr.count('\n') == 1, 'a folder that cannot be made')


def check_hints(commands):
    for wrong, meant in {'watershd': 'watershed', 'lable': 'label', 'distanse': 'distance',
                         'reconstrcut': 'reconstruct', 'reg': None, 'hierar': 'hierarchy',
                         'xyzzy': None, 'hepl': 'help', 'w' * 100: None}.items():
        done = wavefront(wrong, 'in.png')
        named = f'is “{meant}”.' in done.stderr if meant else 'nearest' not in done.stderr
        ok(done.returncode == 2 and named and f'“{wrong}”' in done.stderr and
           done.stderr.count('\n') == 1, f'{wrong}: {meant}', done.stderr)
    for command in commands:
        wrong = command[:2] + command[3] + command[2] + command[4:] if len(command) > 5 else ''
        if wrong and wrong not in commands:
            done = wavefront(wrong)
            ok(f'is “{command}”.' in done.stderr, f'{wrong}: {command}', done.stderr)
    for words, meant in {('label', '--treshold', '3'): '--threshold',
                         ('label', '--treshold=3'): '--threshold',
                         ('watershed', '--tolerence', '3'): '--tolerance',
                         ('label', '--below', '3'): '--invert',
                         ('label', '--below'): '--invert',
                         ('outlines', '--below'): None,
                         ('watershed', '--abcdefgh'): None,
                         ('watershed', '-q'): None}.items():
        done = wavefront(*words, 'in.png', '-o', 'out.png')
        named = f'is {meant}.' in done.stderr if meant else '--help' in done.stderr
        ok(done.returncode == 2 and named and done.stderr.count('\n') == 1,
           f'{" ".join(words)}: {meant}', done.stderr)


def check_pages(commands):
    names = {page.name for page in PAGES.iterdir()}
    ok(names == {'wavefront.1'} | {f'wavefront-{command}.1' for command in commands},
       'a page for each command', names)
    ok(wavefront('help', '--man', 'label').stdout == (PAGES / 'wavefront-label.1').read_text() and
       wavefront('help', '--man').stdout == (PAGES / 'wavefront.1').read_text(),
       'the pages are what help --man prints')
    if not shutil.which('groff'):
        skip('groff formats them', 'there is no groff')
        return
    bad, missing = [], []
    for page in sorted(PAGES.iterdir()):
        done = run('groff', '-K', 'utf-8', '-man', '-T', 'utf8', '-ww', '-rLL=78n', str(page))
        if done.returncode != 0 or done.stderr:
            bad.append(f'{page.name}: {done.stderr}')
        command = page.name[len('wavefront-'):-2]
        if page.name == 'wavefront.1':
            continue
        text = re.sub('\x1b\\[[0-9;]*m|.\b', '', done.stdout).replace('‐', '-').replace('−', '-')
        missing += [f'{command} --{option}' for option in list_options(command)
                    if f'--{option}' not in text]
    ok(not bad, 'groff formats them without a warning', *bad)
    ok(not missing, 'they have all options', *missing)


def complete_bash(*words):
    script = (f'source {SCRIPTS["bash"]}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wavefront; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return run('bash', '-c', script, 'bash', *words).stdout.split()


def complete_fish(*words):
    done = run('fish', '--no-config', '-c', f'source {SCRIPTS["fish"]}; complete -C "$argv"',
               ' '.join(words))
    return [line.split('\t')[0] for line in done.stdout.splitlines()]


def check_shell(name, complete, commands):
    done = run(name, '-n', SCRIPTS[name])
    ok(done.returncode == 0 and not done.stderr, f'{name}: no error', done.stderr)
    if not complete:
        return
    found = complete('wavefront', 'wat')
    ok(found == ['watershed'], f'{name}: a command', found)
    found = complete('wavefront', 'help', 'lab')
    ok(found == ['label'], f'{name}: a command after help', found)
    found = complete('wavefront', 'watershed', '--input', '')
    ok(set(found) == {'levels', 'gradient', 'objects'}, f'{name}: a value', found)
    found = complete('wavefront', 'label', '--threshold', '')
    ok(set(found) == {'otsu', 'li', 'triangle'}, f'{name}: a value where numbers are, too', found)
    wrong = []
    for command in commands:
        found = {word.lstrip('-') for word in complete('wavefront', command, '--')}
        if found != set(list_options(command)):
            wrong.append(f'{command}: {sorted(found ^ set(list_options(command)))}')
    ok(not wrong, f'{name}: all options of all commands', *wrong)


def main():
    commands = list_commands()
    ok(len(commands) > 20 and 'watershed' in commands, 'the overview lists commands', commands)
    check_help(commands)
    check_hints(commands)
    check_pages(commands)
    for shell, complete in {'bash': complete_bash, 'zsh': None, 'fish': complete_fish}.items():
        if shutil.which(shell):
            check_shell(shell, complete, commands)
        else:
            skip(shell, f'there is no {shell}')
    print(f'1..{count}')


main()
