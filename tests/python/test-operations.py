#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every function of the Python package beside the wavefront command: test-operations.py COMMAND

Each operation of the library, in 2-D and 3-D, of every type that it takes, with the defaults and
with other options, gives the bits of the command's file. Prints TAP.
"""
import csv
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import typing

import numpy as np
import wavefront
from setting import QUICK, SEED, done, ok, same, spots
from wavefront import _arrays, _operations

LONG = "WAVEFRONT_TEST_LONG" in os.environ
COMMAND = os.path.abspath(sys.argv[1])
SHAPES = (37, 53), (9, 21, 17)
# For a second call, beside choices that are not the default.
NUMBERS = {"height": 7, "area": 12, "volume": 90, "radius": 2, "sigma": 1.5, "angle": 30, "k": 0.1,
           "threshold": 21, "offset": 2, "tolerance": 3, "smoothing": 0.7, "gradient": 1,
           "range": 40, "distance": 2.5, "count": 3, "spacing": (2, 0.5, 1.25),
           "compactness": 2}
# Parameters of algorithms on a GPU; other numbers that are not above keep their defaults.
OF_GPUS = "reduction_rate", "block_size"
generator = np.random.default_rng(SEED)


def few_labels(shape, dtype):
    """Basins with numbers that any type of labels holds."""
    image = spots(generator, shape, np.uint16)
    labels = wavefront.watershed(image, lines=True, tolerance=1000).labels
    return np.where(labels < 250, labels, 0).astype(dtype)


def random_inputs(operation, shape, dtype):
    """An array for each input of an operation."""
    arrays = []
    for operand in operation.inputs:
        kinds = _arrays.type_names(operand.types)
        kind = np.dtype(dtype if operand.same_type or not arrays else generator.choice(kinds))
        if operand.name == "labels" and not arrays:
            array = few_labels(shape, kind)
        elif operand.name in ("markers", "labels") and kind == np.uint32:
            array = np.where(generator.random(shape) < 0.02,
                             generator.integers(1, 40, shape), 0).astype(kind)
            if operand.name == "labels" and arrays:
                array = wavefront.watershed(arrays[0]).labels
        elif operand.name in ("markers", "mask") and arrays:
            array = (generator.random(shape) < (0.05 if operand.name == "markers" else 0.8)).astype(kind)
        elif operand.name == "costs":
            array = generator.integers(1, 9, shape).astype(kind)
        else:
            array = spots(generator, shape, kind)
        arrays.append(array)
    if operation.name == "reconstruct":
        arrays[1] = np.where(generator.random(shape) < 0.9, 0, arrays[0]).astype(dtype)
    return arrays


def other_options(operation):
    """Values that are not the defaults."""
    options = {}
    for name, option in operation.options.options.items():
        annotation = operation.options.annotation(name)
        default = operation.options.default(name)
        if name in NUMBERS:
            options[name] = NUMBERS[name]
        elif annotation is bool:
            options[name] = not default
        elif name in ("connectivity", "algorithm", *OF_GPUS):
            continue
        elif typing.get_origin(annotation) is typing.Literal:
            others = [value for value in typing.get_args(annotation) if value != default]
            options[name] = others[generator.integers(len(others))]
    return options


def fit(operation, options, shape, dtype, second):
    """Options that fit the images and each other."""
    flat = len(shape) == 2
    if "connectivity" in operation.options.options and second:
        options["connectivity"] = 4 if flat else 6
    if "spacing" in options:
        options["spacing"] = NUMBERS["spacing"][-len(shape):]
    if options.get("metric") == "squared":
        options.pop("signed", None)
    scale = {"uint8": 1, "uint16": 900, "uint32": 1, "float32": 1 / 60}[np.dtype(dtype).name]
    for name in "height", "threshold", "tolerance", "offset", "volume", "compactness":
        if name in options:
            options[name] = options[name] * scale
    if operation.name == "threshold":
        own = {"global": "threshold", "mean": "radius offset", "gaussian": "sigma offset",
               "sauvola": "radius k range offset"}[options.get("method", "global")]
        options = {name: value for name, value in options.items()
                   if name in ("method", "below", *own.split())}
    return options


def write_words(options):
    """Options as words of the command."""
    words = []
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        if value is True:
            words.append(word)
        elif name == "spacing":
            words += [word, ",".join(map(str, reversed(value)))]
        elif value is not False:
            words += [word, repr(value) if isinstance(value, float) else str(value)]
    return words


def run_command(folder, name, inputs, output, dtype, shape, *words):
    """The array that the command writes, and what it prints."""
    done_ = subprocess.run([COMMAND, name.replace("_", "-"), *map(str, inputs), *words, "-o",
                            str(folder / output)], capture_output=True, text=True)
    if done_.returncode:
        return None, done_.stderr
    if output.endswith(".csv"):
        return None, done_.stdout
    return np.fromfile(folder / output, dtype).reshape(shape), done_.stdout


def compare_operation(folder, operation, shape, dtype, second):
    arrays = random_inputs(operation, shape, dtype)
    options = fit(operation, other_options(operation) if second else
                  {name: NUMBERS[name] for name, option in operation.options.options.items()
                   if option.required}, shape, dtype, second)
    if not second:
        arrays = [array if not operand.optional else None
                  for array, operand in zip(arrays, operation.inputs)]
    if "tolerance" in options:
        # of the watershed without markers, as compactness is of that with markers alone
        if generator.random() < 0.5:
            del options["tolerance"], options["lines"], options["last_index"]
        else:
            del options["compactness"]
            arrays[1] = None
    files, words = [], write_words(options)
    for array, operand in zip(arrays, operation.inputs):
        if array is not None:
            np.save(folder / f"{operand.name}.npy", array)
            if operand.optional:
                words += [f"--{operand.name}", str(folder / f"{operand.name}.npy")]
            else:
                files.append(folder / f"{operand.name}.npy")
    if operation.name == "hierarchy":
        words.append("--saliency")
    extra = {output.name: True for output in operation.outputs[1:]} if second else {}
    for name in extra:
        words += [f"--{name}", str(folder / f"{name}.raw")]
    found = getattr(wavefront, operation.name)(*arrays, **options, **extra)
    first = found[0] if isinstance(found, tuple) else found
    # the command reads and writes labels as u32
    labels = operation.outputs[0].name == "labels"
    right, printed = run_command(folder, operation.name, files, "out.raw",
                                 np.uint32 if labels else first.dtype, shape, *words)
    what = f"{operation.name} {np.dtype(dtype).name} {len(shape)}-D {options}"
    ok(right is not None and same(first.astype(right.dtype), right), what, printed)
    if operation.counts and right is not None:
        ok(found[-1] == int(printed.split()[0]), f"{what}: {operation.counts}",
           f"{found[-1]}, not {printed}")
    for name in extra:
        right = np.fromfile(folder / f"{name}.raw", np.uint64).reshape(shape)
        ok(same(getattr(found, name), right), f"{what}: {name}")


def compare_tools(folder, shape):
    """The tools for labels, and the measurements."""
    for dtype in np.uint8, np.uint16, np.uint32:
        few = few_labels(shape, dtype)
        np.save(folder / "labels.npy", few)
        for name, options in (("remove_small", {"area": 12.0}), ("keep_largest", {"count": 3}),
                              ("expand_labels", {"distance": 2.5}), ("expand_labels", {}),
                              ("relabel", {})):
            found = getattr(wavefront, name)(few, **options)
            # the command writes labels as u32
            right, printed = run_command(folder, name, [folder / "labels.npy"], "out.raw",
                                         np.uint32, shape, *write_words(options))
            ok(right is not None and found.labels.dtype == dtype and
               same(found.labels.astype(np.uint32), right) and
               found.regions == int(printed.split()[0]),
               f"{name} {np.dtype(dtype).name} {len(shape)}-D {options}", printed)
    image = spots(generator, shape, np.uint16)
    labels = wavefront.watershed(image, lines=True, tolerance=1000).labels
    np.save(folder / "labels.npy", labels)
    np.save(folder / "image.npy", image)
    spacing = NUMBERS["spacing"][-len(shape):]
    table = wavefront.measure(labels, image, spacing=spacing)
    _, printed = run_command(folder, "measure", [folder / "labels.npy"], "table.csv", None, None,
                             "--image", str(folder / "image.npy"),
                             *write_words({"spacing": spacing}))
    with open(folder / "table.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ok(len(rows) > 5 and set(rows[0]) == set(table), f"measure {len(shape)}-D: columns", printed)
    for name in table:
        # the command writes nine digits
        right = [float(row[name]) if row[name] else float("nan") for row in rows]
        ok(np.allclose(table[name], right, rtol=1e-8, atol=0, equal_nan=True),
           f"measure {len(shape)}-D: {name}", f"{table[name][:9]} {right[:9]}")


def main():
    operations = list(_operations.operations())
    ok(len(operations) >= 41, "the library has operations")
    for operation in operations:
        parameters = inspect.signature(getattr(wavefront, operation.name)).parameters
        ok(set(parameters) >= set(operation.options.options), f"{operation.name}: signature")
        ok(all(f"{name} : " in getattr(wavefront, operation.name).__doc__ for name in parameters),
           f"{operation.name}: documentation")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        turn = 0
        for operation in operations:
            kinds = _arrays.type_names(operation.inputs[0].types)
            for dtype in np.uint8, np.uint16, np.dtype(kinds[-1]):
                for shape in SHAPES:
                    for second in False, True:
                        turn += 1
                        # some of the combinations of each operation, others in the next run
                        part = 1 if LONG else 5 if QUICK else 3
                        if turn % part == SEED % part:
                            compare_operation(folder, operation, shape, dtype, second)
        for shape in SHAPES:
            compare_tools(folder, shape)
    done()


main()
