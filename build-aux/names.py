# SPDX-License-Identifier: GPL-3.0-or-later

"""The names by which users call the project, listed and compared.

    names.py commands WAVEFRONT         of the command WAVEFRONT: commands and their options, but for
                                        those that are not promised (%WF_OPTION_COMPARISON)
    names.py operations                 of GEGL, as $GEGL_PATH has them: operations and properties
    names.py python                     of the Python package: functions, methods and parameters, but
                                        for those likewise
    names.py compare STORED PRESENT     whether what was written for STORED works with PRESENT

A list has a line for each thing that has members, and an indented one for each member: its kind, its
name, its type, if it has one, and its choices, joined by "|".  Members of the kinds in ORDERED are used
by their places: others may follow them, but not come between them.
"""

import inspect
import re
import subprocess
import sys

ORDERED = ('argument', 'value', 'parameter')
OPTION = re.compile(r' {2,6}(?:-\w, )?(--[a-z0-9-]+)(?: (\S+))?(?:  |$)')


COMPARISON = 10         # WF_OPTION_COMPARISON


def list_unpromised():
    """The options of each operation that are not promised, {operation: {option, …}}."""
    from wavefront import _operations
    unpromised = {operation.name: {name for name, option in operation.options.options.items()
                                   if option.meaning == COMPARISON}
                  for operation in _operations.operations()}
    assert 'scans' in unpromised['reconstruct'], unpromised
    return unpromised


def show(kind, name, members):
    print(kind, name)
    for member in members:
        print('', *member)


# Commands

def help_of(command, *names):
    return subprocess.run([command, 'help', *names], check=True, text=True, capture_output=True,
                          env={'LC_ALL': 'C.UTF-8', 'COLUMNS': '80'}).stdout


def value_of(placeholder):
    """The choices of an option; the name of a value, in capitals, is no part of the interface."""
    return '|'.join(re.sub(r'^[^a-z0-9].*', 'VALUE', choice)
                    for choice in (placeholder or 'none').split('|'))


def list_commands(command):
    names = re.findall(r'^  ([a-z][a-z0-9-]*)(?:  |$)', help_of(command), re.MULTILINE)
    assert 'watershed' in names, names
    unpromised = list_unpromised()
    for name in names:
        options = filter(None, map(OPTION.match, help_of(command, name).splitlines()))
        left_out = {'--' + option.replace('_', '-')
                    for option in unpromised.get(name.replace('-', '_'), ())}
        show('command', name, sorted({('option', option[1], value_of(option[2]))
                                      for option in options if option[1] not in left_out}))


# Operations of GEGL

def of_gegl(*arguments):
    # a pointer is among what it prints
    return subprocess.run(['gegl', *arguments], check=True, text=True, errors='replace',
                          capture_output=True).stdout


def list_operations():
    names = re.findall(r'^wavefront:\S+', of_gegl('--list-all'), re.MULTILINE)
    assert 'wavefront:watershed-lines' in names, names
    for name in names:
        properties = of_gegl('--properties', name).partition('\nProperties:\n')[2]
        show('operation', name, sorted(('property', *one) for one in
                                       re.findall(r'^(\S+) +\[(\w+)\]', properties, re.MULTILINE)))


# Python

def members_of(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:          # of a built-in
        return []
    by_name = [one for one in parameters if one.kind == one.KEYWORD_ONLY]
    return ([('parameter', one.name) for one in parameters if one.kind != one.KEYWORD_ONLY]
            + sorted(('keyword', one.name) for one in by_name))


def list_class(name, what):
    show('class', name, members_of(what))
    for method, function in sorted(vars(what).items()):
        if method.startswith('_'):
            continue
        function = getattr(what, method)
        if callable(function):
            show('method', f'{name}.{method}', members_of(function))
        else:
            show('attribute', f'{name}.{method}', [])


def list_python():
    import wavefront
    import wavefront.ndimage
    import wavefront.skimage
    unpromised = list_unpromised()
    for module in wavefront, wavefront.ndimage, wavefront.skimage:
        for name in sorted(module.__all__):
            what, full = getattr(module, name), f'{module.__name__}.{name}'
            left_out = unpromised.get(name, ()) if module is wavefront else ()
            if inspect.isclass(what):
                list_class(full, what)
            elif callable(what):
                show('function', full, [member for member in members_of(what)
                                        if member[1] not in left_out])
            else:
                show('attribute', full, [])


# Comparison

def read(path):
    things, members = {}, None
    with open(path, encoding='utf-8') as file:
        for line in file:
            if line.startswith('#'):
                continue
            if line.startswith(' '):
                members.append(line.split())
            else:
                members = things.setdefault(line.strip(), [])
    return things


def compare_member(old, new):
    """What of a member with the same name has changed."""
    for before, now in zip(old[2:], new[2:]):
        if not set(before.split('|')) <= set(now.split('|')):
            yield f'{before} is now {now}'
    if len(old) != len(new):
        yield f'{" ".join(old)} is now {" ".join(new)}'


def compare_things(old, new):
    """What of the members has changed."""
    now = {tuple(member[:2]): member for member in new}
    for member in old:
        kind, name = member[:2]
        if (kind, name) not in now:
            yield f'{kind} {name} is gone'
        else:
            yield from (f'{kind} {name}: {change}'
                        for change in compare_member(member, now[kind, name]))
    for kind in ORDERED:
        before, after = ([member[1] for member in members if member[0] == kind]
                         for members in (old, new))
        if set(before) <= set(after) and after[:len(before)] != before:
            yield f'the places of the {kind}s have changed'


def compare(stored, present):
    old, new = read(stored), read(present)
    changes = [f'{thing} is gone' for thing in old if thing not in new]
    changes += (f'{thing}: {change}' for thing in old if thing in new
                for change in compare_things(old[thing], new[thing]))
    print(*changes, sep='\n')
    return bool(changes)


WAYS = {'commands': list_commands, 'operations': list_operations, 'python': list_python,
        'compare': compare}

if __name__ == '__main__':
    sys.exit(WAYS[sys.argv[1]](*sys.argv[2:]))
