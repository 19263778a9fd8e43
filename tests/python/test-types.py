#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The types for editors: what the stub file says is what the functions are. Prints TAP.

mypy, where it is installed, finds mistakes in programs, and none in a right one.
"""
import ast
import importlib.util
import inspect
import pathlib
import subprocess
import sys
import tempfile

import wavefront
from setting import QUICK, done, ok
from wavefront import _stubs

RIGHT = """
import numpy
import wavefront
image = numpy.zeros((5, 5), numpy.uint8)
with wavefront.Context(threads=2):
    found = wavefront.watershed(image, tolerance=2, connectivity=8)
n: int = found.basins
distances, nearest = wavefront.distance(image, nearest=True)
highest = wavefront.distance(image).max() + distances.max()
wavefront.opening(image, out=image)
wavefront.fill_holes(wavefront.to_device(image), out=wavefront.to_device(image))
area = wavefront.measure(found.labels)["area"].sum()
"""
MISTAKES = {"connectivity=8": "connectivity=5", "tolerance=2": "tolerance='2'",
            "n: int": "n: str", "(image, out": "(image, colour"}


def arguments(function):
    """Names, kinds and defaults, as the stub has them and as a signature."""
    if isinstance(function, ast.FunctionDef):
        given = function.args
        positional = given.args
        defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
        found = [(a.arg, True, d) for a, d in zip(positional, defaults)]
        found += [(a.arg, False, d) for a, d in zip(given.kwonlyargs, given.kw_defaults)]
        return [(name, by_place, d is not None, d and ast.literal_eval(d)) for name, by_place, d in found]
    return [(p.name, p.kind == p.POSITIONAL_OR_KEYWORD, p.default is not p.empty,
             None if p.default is p.empty else p.default)
            for p in inspect.signature(function).parameters.values()]


def test_stub(text):
    tree = ast.parse(text)
    functions = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, node)   # the first for each kind of result has defaults
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    imported = {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom)
                for alias in node.names}
    missing = set(wavefront.__all__) - {*functions, *classes, *imported}
    ok(not missing, "every public name is in the stub", str(missing))
    for name, made in wavefront._functions.items():
        if inspect.isclass(made):
            fields = [node.target.id for node in classes[name].body if isinstance(node, ast.AnnAssign)]
            ok(fields == list(made._fields), f"the fields of {name}", str(fields))
            continue
        ok(arguments(functions[name]) == arguments(made), f"the arguments of {name}()")
        ok(ast.get_docstring(functions[name]) == inspect.getdoc(made), f"the help of {name}()")
        annotations = {a.arg: ast.unparse(a.annotation) for a in
                       functions[name].args.args + functions[name].args.kwonlyargs}
        ok(all(annotations.values()), f"the types of {name}()")


def test_mypy(text):
    if QUICK or importlib.util.find_spec("mypy") is None:
        print("# no mypy, or the quick tier: its verdict is left out")
        return
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "wavefront"
        package.mkdir()
        for path in pathlib.Path(wavefront.__file__).parent.glob("*.py"):
            (package / path.name).write_bytes(path.read_bytes())
        (package / "py.typed").touch()
        (package / "__init__.pyi").write_text(text, encoding="utf-8")
        programs = {"a right program": RIGHT,
                    **{f"a program with {wrong}": RIGHT.replace(right, wrong)
                       for right, wrong in MISTAKES.items()}}
        for i, program in enumerate(programs.values()):
            (pathlib.Path(folder) / f"program{i}.py").write_text(program, encoding="utf-8")

        def run_mypy(*arguments):
            return subprocess.run([sys.executable, "-m", "mypy", "--follow-imports=silent", *arguments],
                                  cwd=folder, capture_output=True, text=True)

        run = run_mypy("--strict", "wavefront/__init__.pyi")
        ok(run.returncode == 0, "mypy --strict on the stub", run.stdout + run.stderr)
        run = run_mypy(*(f"program{i}.py" for i in range(len(programs))))
        for i, (name, program) in enumerate(programs.items()):
            ok((f"program{i}.py:" in run.stdout) == (program != RIGHT), f"mypy on {name}",
               run.stdout + run.stderr)


text = _stubs.text()
test_stub(text)
test_mypy(text)
done()
