#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that the papers' experiments run and their page is made: test-papers.py LIBRARY FOLDER.

The images are tiny, and the GPU is the kernels run by the CPU, so no figure means anything; each
result must still have the CPU's bits, or the run ends. FOLDER is that of docs/. Prints TAP.
"""
import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("1..0 # SKIP NumPy is not installed")
    sys.exit(0)

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import paper_claims


def picture():
    y, x = numpy.mgrid[:700, :1000]
    return (120 + 80 * numpy.sin(x / 5) * numpy.sin(y / 7) + (x * 7919 + y * 31) % 11).astype(numpy.uint8)


def run(library, folder):
    raw, rows = (os.path.join(folder, name) for name in ("spots-1000x700.raw", "rows.json"))
    picture().tofile(raw)
    said = subprocess.run([sys.executable, os.path.join(HERE, "papers"), "--library", library,
                           "--device", "cuda:0", "--quick", "--picture", raw,
                           "--output", rows], stdout=subprocess.PIPE, text=True, check=True).stdout
    with open(rows, encoding="utf-8") as file:
        return said, json.load(file)["rows"], rows


def check_rows(papers, rows):
    """Each experiment that a claim needs has rows, each with three positive times in order."""
    wanted = {claim["experiment"] for number, claim in papers["claims"].items()
              if number in paper_claims.ANSWERS}
    missing = wanted - {row["experiment"] for row in rows}
    assert not missing, missing
    for row in rows:
        least, median, most = row["seconds"]
        assert 0 < least <= median <= most, row


def check_answers(papers, rows, said):
    results = paper_claims.Results(rows)
    for number, claim in papers["claims"].items():
        assert len(re.findall(rf"^{number} ", said, re.MULTILINE)) == 1, number
        verdict, sentence, why = paper_claims.find_answer(number, claim, results)
        assert bool(why) == (verdict == paper_claims.FAILS), number
        assert sentence and (number in paper_claims.ANSWERS) != (number in paper_claims.NEVER), number
        if number in paper_claims.NEVER:
            assert verdict == paper_claims.UNKNOWN, number
    # without rows nothing is answered
    nothing = paper_claims.Results([])
    assert {paper_claims.find_answer(number, claim, nothing)[0]
            for number, claim in papers["claims"].items()} == {paper_claims.UNKNOWN}


def verdict_of(number, *rows):
    papers = {"experiment": "made up"}
    return paper_claims.find_answer(number, papers, paper_claims.Results(list(rows)))[0]


def made_up(experiment, values, **same):
    """Rows with these milliseconds: {value of the parameter "of": milliseconds}."""
    parameter = same.pop("of")
    return [{"experiment": experiment, parameter: value, "seconds": [1e-3 * ms] * 3, **same}
            for value, ms in values.items()]


def access_rows(strided, coalesced):
    return [{"experiment": "access", "what": what, "seconds": [time] * 3,
             "steps": {"columns": time / 3, "rows": time / 2}}
            for what, time in (("proximate-strided", strided), ("proximate", coalesced))]


def tile_rows(*milliseconds):
    tiles = (4096, 8192, 16384, 32768)
    return [row for what in ("queue", "auto")
            for row in made_up("tiles", dict(zip(tiles, milliseconds)), of="tile", what=what)
            ] + made_up("tiles", {"—": 1}, of="tile", what="auto")


def density_rows(random, regular=None):
    steps = {"steps": {"columns": 1e-3, "rows": 1e-3}}
    return [row for spread, times in (("random", random), ("regular", regular or random))
            for row in made_up("density", times, of="density", spread=spread, what="proximate",
                               **steps)]


def overflow_rows(*found):
    """(places, executions, milliseconds), of 100 blocks with 1000 pixels at first"""
    return [{"experiment": "overflow", "what": "queue", "places": places, "room": 100 * places,
             "queued_first": 1000, "executions": executions, "seconds": [1e-3 * ms] * 3}
            for places, executions, ms in found]


def order_rows(differs):
    rows = [{"experiment": name, "what": what, "neighbors": n, "image": "small", "pixels": 100,
             "differs": differs if name == "orders" else 0, "wrong": 0, "error": 0.0,
             "seconds": [1] * 3}
            for name in ("order", "orders") for what in ("one", "other") for n in (8, 4)]
    return rows


def device_rows(one, two):
    return [row for algorithm in ("auto", "queue")
            for row in made_up("devices", {"cuda:0": one, "cuda:0,cuda:1": two}, of="what",
                               operation="reconstruct", algorithm=algorithm)
            ] + made_up("devices", {"core": 30000}, of="what", operation="reconstruct")


def check_verdicts():
    """Verdicts follow the figures: rows with which a claim holds, and with which it does not."""
    cases = {
        "C3": (access_rows(3, 2), access_rows(2, 3)),
        "A11": (tile_rows(9, 8, 7, 7.1), tile_rows(9, 8, 7, 6)),
        "A21": (overflow_rows((12, 1, 2.0), (11, 2, 2.1), (3, 3, 9)),
                overflow_rows((12, 1, 2.0), (11, 2, 2.4), (3, 3, 9))),
        "A22": (overflow_rows((12, 1, 2.0), (8, 2, 9), (3, 3, 2.1)),
                overflow_rows((12, 1, 2.0), (8, 2, 2), (3, 3, 2.6))),
        "A23": (overflow_rows((20, 1, 2), (11, 1, 2), (10, 2, 2)),
                overflow_rows((20, 1, 2), (13, 1, 2), (12, 2, 2))),
        "A25": (device_rows(1000, 900), device_rows(1000, 1100)),
        "A26": (device_rows(1000, 550), device_rows(1000, 700)),
        "A38": (order_rows(0), order_rows(1)),
        "C9": (density_rows({0: 1, 40: 3, 80: 2, 100: 1}), density_rows({0: 1, 40: 3, 80: 4, 100: 1})),
        "C13": (density_rows({0: 1, 10: 2}, {0: 1, 10: 3}), density_rows({0: 1, 10: 2}, {0: 1, 10: 2.01})),
    }
    for number, (holding, failing) in cases.items():
        assert verdict_of(number, *holding) == paper_claims.HOLDS, number
        assert verdict_of(number, *failing) == paper_claims.FAILS, number
    assert verdict_of("A11", *tile_rows(9, 8, 7)) == paper_claims.UNKNOWN
    assert verdict_of("A24", *overflow_rows((12, 1, 2))) == paper_claims.UNKNOWN


def check_any_times(papers, rows):
    """Whatever the times are, each claim has an answer, and one that does not hold a reason."""
    source, verdicts = random.Random(2012), {}
    for _ in range(15):
        mixed = copy.deepcopy(rows)
        for row in mixed:
            for key in ("seconds", "device_seconds"):
                factor = 10 ** source.uniform(-1, 1)
                row.update({key: [factor * time for time in row[key]]} if key in row else {})
            row.update({"steps": {name: time * 10 ** source.uniform(-1, 1)
                                  for name, time in row["steps"].items()}} if "steps" in row else {})
        results = paper_claims.Results(mixed)
        for number, claim in papers["claims"].items():
            verdict, _, why = paper_claims.find_answer(number, claim, results)
            assert bool(why) == (verdict == paper_claims.FAILS), number
            verdicts.setdefault(number, set()).add(verdict)
    both = [number for number, found in verdicts.items() if len(found) > 1]
    assert len(both) > 20, both


def check_page(papers, rows, docs, folder):
    subprocess.run([sys.executable, os.path.join(docs, "make-papers"), rows, "--into", folder],
                   check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "papers.md"), encoding="utf-8") as file:
        page = file.read()
    for number in papers["claims"]:
        assert page.count(f"| {number} |") == 1, number
    for table in papers["tables"]:
        assert f"{table['paper']}, {table['source']}:" in page, table["source"]


def check_joined(path, docs, folder):
    """Two outputs, each of some experiments, make the page of one with all; the later one counts."""
    with open(path, encoding="utf-8") as file:
        whole = json.load(file)
    names = list(dict.fromkeys(row["experiment"] for row in whole["rows"]))
    halves = {"first": [name for i, name in enumerate(names) if i % 2],
              "second": [name for i, name in enumerate(names) if i % 2 == 0]}
    slower = [{**row, "seconds": [9e9] * 3} for row in whole["rows"]
              if row["experiment"] in halves["second"]]
    parts = []
    for half, wanted in halves.items():
        parts.append(os.path.join(folder, f"{half}.json"))
        rows = [row for row in whole["rows"] if row["experiment"] in wanted]
        with open(parts[-1], "w", encoding="utf-8") as file:
            json.dump({**whole, "rows": rows + (slower if half == "first" else [])}, file)
    pages = []
    for name, outputs in (("one", [path]), ("joined", parts)):
        into = os.path.join(folder, name)
        subprocess.run([sys.executable, os.path.join(docs, "make-papers"), *outputs, "--into", into,
                        "--no-plots"], check=True)
        with open(os.path.join(into, "papers.md"), encoding="utf-8") as page:
            pages.append(page.read())
    assert pages[0] == pages[1]


def check_within(library, folder):
    """After the time that is given no experiment is begun, and the run says so."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "papers"), "--library", library,
                           "--quick", "--within", "0", "--only", "threads,order", "--picture",
                           os.path.join(folder, "spots-1000x700.raw")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1, done.returncode
    assert done.stderr.endswith("not measured: threads, order\n"), done.stderr
    assert "\nhere: " not in done.stdout, done.stdout


def check_images(library, folder):
    """A folder of the user's pictures; one without pictures is refused."""
    images = os.path.join(folder, "images")
    os.mkdir(images)
    for i, (height, width) in enumerate(((40, 60), (50, 30), (33, 47))):
        picture()[i:i + height, :width].tofile(os.path.join(images, f"part{i}-{width}x{height}.raw"))
    rows = os.path.join(folder, "images.json")
    command = [sys.executable, os.path.join(HERE, "papers"), "--library", library, "--device", "cuda:0",
               "--quick", "--only", "folder", "--output", rows, "--picture",
               os.path.join(folder, "spots-1000x700.raw"), "--images"]
    subprocess.run([*command, images], stdout=subprocess.DEVNULL, check=True)
    with open(rows, encoding="utf-8") as file:
        found = json.load(file)["rows"]
    assert {row["image"] for row in found} == {0, 1, 2}, found
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    done = subprocess.run([*command, empty], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=False)
    assert done.returncode == 2 and f"no pictures in {empty}" in done.stderr, done.stderr


def main(library, docs):
    with open(os.path.join(HERE, "papers.json"), encoding="utf-8") as file:
        papers = json.load(file)
    out, status = sys.stdout, 0
    sys.stdout = sys.stderr
    with tempfile.TemporaryDirectory() as folder:
        said, rows, path = "", [], ""
        try:
            said, rows, path = run(library, folder)
            print("ok - run", file=out, flush=True)
        except subprocess.CalledProcessError as problem:
            print(f"not ok - run\n# {problem}", file=out, flush=True)
            status = 1
        tests = {"rows": lambda: check_rows(papers, rows), "verdicts": check_verdicts,
                 "answers": lambda: check_answers(papers, rows, said),
                 "any times": lambda: check_any_times(papers, rows),
                 "page": lambda: check_page(papers, path, docs, folder),
                 "joined": lambda: check_joined(path, docs, folder),
                 "within": lambda: check_within(library, folder),
                 "images": lambda: check_images(library, folder)}
        for name, test in tests.items():
            try:
                test()
                print(f"ok - {name}", file=out, flush=True)
            except (AssertionError, OSError, subprocess.CalledProcessError) as problem:
                print(f"not ok - {name}\n# {type(problem).__name__}: {problem}", file=out, flush=True)
                status = 1
    print(f"1..{len(tests) + 1}", file=out)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
