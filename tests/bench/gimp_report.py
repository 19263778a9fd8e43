#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the results of tests/bench/gimp as a table; --update writes it to docs/benchmarks.md."""
import json
import os
import sys

import report

MOST = 1.5    # times the time to read and write the pixels once
CLOCKS = {"wall": "wall clock", "cpu": "processor time, of all threads and of GIMP"}
HEAD = ("| operation | layer | reading + writing once, s | engine, s | GIMP's part, s | ratio "
        "| target | verdict | held, bytes per pixel |",
        "|---|---|--:|--:|--:|--:|--:|---|--:|")


def main(words):
    with open(words[0], encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    lines = []
    for case in cases:
        verdict = "reached" if case["ratio"] <= MOST else "**missed**"
        lines.append(f"| {case['operation']} | {case['type']} "
                     f"| {case['once']:.2f} | {case['engine']:.2f} "
                     f"| {case['part']:.2f} | {case['ratio']:.2f} × | ≤ {MOST} × | {verdict} "
                     f"| {case['held']:.1f} |")
    clock = CLOCKS[os.environ["BENCH_CLOCK"]]
    facts = [f"| {name} | {value} |" for name, value in
             report.machine() + [("measured", f"{os.environ['BENCH_SIZE']} × "
                                  f"{os.environ['BENCH_SIZE']} pixels, median of "
                                  f"{os.environ['BENCH_ROUNDS']}, {clock}")]]
    text = "\n".join(["", "| | |", "|---|---|", *facts, "", *HEAD, *lines, ""])
    print(text)
    if "--update" in words:
        report.replace_between(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                            "docs", "benchmarks.md"), "measured in GIMP", text)


if __name__ == "__main__":
    main(sys.argv[1:])
