#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that the papers' experiments run and their page is made: test-papers.py LIBRARY FOLDER.

The images are tiny, and the GPU is the kernels run by the CPU, so no figure means anything; each
result must still have the CPU's bits, or the run ends. FOLDER is that of docs/. Prints TAP.
"""
import json
import os
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
import paper_claims_c


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


def check_verdicts():
    """Verdicts follow the figures."""
    def rows(strided, coalesced):
        return paper_claims.Results([
            {"experiment": "access", "what": what, "seconds": [time] * 3,
             "steps": {"columns": time / 3, "rows": time / 2}}
            for what, time in (("proximate-strided", strided), ("proximate", coalesced))])
    assert paper_claims_c.c3(rows(3.0, 2.0))[0] == paper_claims.HOLDS
    assert paper_claims_c.c3(rows(2.0, 3.0))[0] == paper_claims.FAILS


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
    into = os.path.join(folder, "joined")
    subprocess.run([sys.executable, os.path.join(docs, "make-papers"), *parts, "--into", into],
                   check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "papers.md"), encoding="utf-8") as one, \
            open(os.path.join(into, "papers.md"), encoding="utf-8") as other:
        assert one.read() == other.read()


def check_within(library, folder):
    """After the time that is given no experiment is begun, and the run says so."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "papers"), "--library", library,
                           "--quick", "--within", "0", "--only", "threads,order", "--picture",
                           os.path.join(folder, "spots-1000x700.raw")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1, done.returncode
    assert done.stderr.endswith("not measured: threads, order\n"), done.stderr
    assert "\nhere: " not in done.stdout, done.stdout


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
                 "page": lambda: check_page(papers, path, docs, folder),
                 "joined": lambda: check_joined(path, docs, folder),
                 "within": lambda: check_within(library, folder)}
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
