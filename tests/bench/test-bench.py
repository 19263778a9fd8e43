#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the benchmark on small images: test-bench.py LIBRARY STRUCT-SIZES. Prints TAP.

Checks that its inputs have the documented properties, that a whole run gives every result, and
that its verdicts and tables are correct. Does not check speed.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("1..0 # SKIP NumPy is not installed")
    sys.exit(0)

os.environ["OMP_NUM_THREADS"] = "1"

import bench
import cores
import engine
import inputs
import report
import toolbox

SIZE = 256


def picture():
    """Round spots with the gray levels of nuclei."""
    y, x = numpy.mgrid[:90, :120]
    return (120 + 80 * numpy.sin(x / 5) * numpy.sin(y / 7)).astype(numpy.uint8)


def test_tissue():
    for dtype in inputs.SCALES:
        small = inputs.tissue(picture(), 300, dtype)
        again = inputs.tissue(picture(), 300, dtype)
        assert small.dtype == dtype and (small == again).all()
        # apart from the noise, this is the picture and its mirror images
        level = small.astype(float) / float(inputs.SCALES[dtype])
        mirrored = level[:, 239:119:-1]
        assert numpy.abs(level[:, :120] - mirrored).max() <= 2 * inputs.NOISE + 1
    assert (inputs.marker_of(small) <= small).all()


def test_binary():
    image = numpy.array([[10, 10, 12, 200, 205, 11]], numpy.uint8)
    assert inputs.binary_of(image).tolist() == [[0, 0, 0, 255, 255, 0]]


def test_gradient():
    image = numpy.zeros((600, 40), numpy.uint8)
    image[:, 20:] = 100
    gradient = inputs.gradient_of(image)
    assert (gradient == gradient[:1]).all(), "bands of rows differ"
    assert gradient[0, 20] > 20 and gradient[0, 0] == 0 and gradient[0, 39] == 0


def test_ways():
    """The serpentine and the spiral are paths: all pixels but two ends have two neighbors."""
    for make in (inputs.corridor, inputs.spiral):
        for size in (64, 129, 256):
            way = make(size)
            assert way[0, 0] and way.sum() > 0.45 * size * size
            padded = numpy.pad(way, 1).astype(int)
            around = (padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:])
            ends = (around[way] == 1).sum()
            assert (around[way] <= 2).all() and ends == 2, (make.__name__, size, ends)


def test_markers():
    image = inputs.tissue(picture(), 300)
    holes = inputs.fill_holes(image)
    assert (holes[1:-1, 1:-1] == 255).all() and (holes >= image).all()
    assert (holes[0] == image[0]).all() and (holes[:, -1] == image[:, -1]).all()
    points = inputs.points(image, 20)
    assert 10 <= numpy.count_nonzero(points) <= 20 and (points <= image).all()


def test_verdicts():
    def verdict(value, target):
        return report.Row("s", "c", "m", value, " ×", target).verdict()
    assert verdict(7.9, ("at least", 8)) == "missed" and verdict(8, ("at least", 8)) == "reached"
    assert verdict(1.01, ("at most", 1)) == "missed" and verdict(1.004, ("at most", 1)) == "reached"
    assert verdict(None, ("at most", 1)) == "missed" and verdict(5, None) == ""


def test_structs(library, struct_sizes):
    """The Python package and engine.py declare the structs as the library's header does."""
    declared = {**vars(engine), **vars(engine.Library(library).binding)}
    lines = subprocess.check_output([struct_sizes], text=True).splitlines()
    assert len(lines) == 12
    for line in lines:
        name, size = line.split()
        found = ctypes.sizeof(declared[name])
        assert found == int(size), f"{name} has {found} bytes, in the library {size}"


def run_all(library):
    with tempfile.TemporaryDirectory() as folder:
        raw = os.path.join(folder, "spots-120x90.raw")
        tsv, markdown = os.path.join(folder, "out.tsv"), os.path.join(folder, "out.md")
        picture().tofile(raw)
        bench.main(["--library", library, "--picture", raw, "--size", str(SIZE), "--rounds", "1",
                    "--tsv", tsv, "--markdown", markdown])
        with open(tsv, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file][1:]
        with open(markdown, encoding="utf-8") as file:
            tables = file.read()
        page = os.path.join(folder, "page.md")
        with open(page, "w", encoding="utf-8") as file:
            for part in report.PARTS:
                file.write(f"before\n<!-- {part}: begin -->\nold {part}\n<!-- {part}: end -->\n"
                           "after\n")
        shown = report.Report([("machine", "this")])
        shown.add(report.Row("s", "c", "m", 1.0, " ×"))
        shown.update(page)
        with open(page, encoding="utf-8") as file:
            updated = file.read()
    return rows, tables, updated


def test_run(library):
    rows, tables, updated = run_all(library)
    found = {row[0] for row in rows}
    assert len(found) >= 7, f"sections are missing: {found}"
    for row in rows:
        assert row[3] == "" or float(row[3]) > 0 or row[4] == "B/px", row
        assert row[1] in tables
    for operation in ("reconstruct", "distance", "watershed"):
        assert any(operation in row[1] for row in rows), operation
    assert updated.startswith("before\n") and updated.endswith("after\n")
    assert "old measured\n" not in updated and "| c | m |" in updated
    assert "old measured on a GPU\n" in updated, "parts that were not measured must stay"


def test_cores(library):
    """The table of many threads."""
    assert cores.thread_counts(1) == [1] and cores.thread_counts(6) == [1, 2, 4, 6]
    assert cores.slower_steps([1, 2, 4], [100, 99, 90]) == ["2 to 4"]
    with tempfile.TemporaryDirectory() as folder:
        raw, tsv = (os.path.join(folder, name) for name in ("spots-120x90.raw", "out.tsv"))
        picture().tofile(raw)
        bench.main(["--library", library, "--picture", raw, "--only", "cores", "--cores", "3",
                    "--cores-side", "128", "--rounds", "1", "--tsv", tsv])
        with open(tsv, encoding="utf-8") as file:
            rows = [line.split("\t") for line in file][1:]
    assert len(rows) == len(cores.WORK) and all(float(row[3]) > 0 for row in rows), rows


def test_toolbox(library):
    """The table of the further tools, on a small image; peers are left out."""
    with tempfile.TemporaryDirectory() as folder:
        raw, tsv = (os.path.join(folder, name) for name in ("spots-120x90.raw", "out.tsv"))
        picture().tofile(raw)
        bench.main(["--library", library, "--picture", raw, "--only", "toolbox", "--size", "256",
                    "--rounds", "1", "--peers", "none", "--tsv", tsv])
        with open(tsv, encoding="utf-8") as file:
            rows = [line.split("\t") for line in file][1:]
    # erosions and openings by squares of further radii
    of_a_type = len(toolbox.ELEMENTS) + 2 * (len(toolbox.RADII) - 1)
    # area openings, geodesic distances, measurements, expansion; three tools on four images of labels
    others = 2 + 3 + 1 + 1 + 3 * 4
    assert len(rows) == len(toolbox.KINDS) * of_a_type + len(toolbox.MEDIANS) + others, rows
    assert all(float(row[3]) > 0 for row in rows), rows


def test_refusal(library):
    """An error is the library's own sentence."""
    found = engine.Library(library)
    context = engine.Context(found)
    image = numpy.zeros((4, 4), numpy.uint8)
    try:
        context.reconstruct(image, image, image.astype(numpy.uint16))()
    except engine.Refused as problem:
        assert str(problem).endswith(".")
    else:
        raise AssertionError("a result of another type was accepted")


def main(library, struct_sizes):
    tests = [test_tissue, test_binary, test_gradient, test_ways, test_markers, test_verdicts,
             lambda: test_structs(library, struct_sizes), lambda: test_refusal(library),
             lambda: test_run(library), lambda: test_cores(library),
             lambda: test_toolbox(library)]
    names = ["tissue", "binary", "gradient", "ways", "markers", "verdicts", "structs", "refusal",
             "run", "cores", "toolbox"]
    out, sys.stdout = sys.stdout, sys.stderr
    print(f"1..{len(tests)}", file=out)
    status = 0
    for name, test in zip(names, tests):
        try:
            test()
            print(f"ok - {name}", file=out, flush=True)
        except (Exception, SystemExit) as problem:
            print(f"not ok - {name}\n# {type(problem).__name__}: {problem}", file=out, flush=True)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
