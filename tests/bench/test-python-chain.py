#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The chain of the Python package on a small image: test-python-chain.py LIBRARY MODULES. Prints TAP.

The script fails if the regions of its contenders differ; its table is looked at here.
"""
import os
import subprocess
import sys

script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python-chain")
library, modules = sys.argv[1:]
run = subprocess.run([sys.executable, script, "--library", library, "--modules", modules,
                      "--arrays", "own", "--side", "160", "--peer-side", "64", "--rounds", "1"],
                     capture_output=True, text=True)
rows = [[cell.strip(" *") for cell in line.strip("|").split("|")]
        for line in run.stdout.splitlines() if line.startswith("|")]
steps = {row[0]: row[1:4] for row in rows[2:]}
complete = all(all(map(float, steps.get(step, ("0",) * 3))) for step in
               ("gaussian", "gradient", "watershed", "cut", "measures", "all"))
only_resident = all(steps.get(step, [""])[0] and steps[step][1:] == ["", ""]
                    for step in ("to the GPU", "from the GPU"))
print("1..2")
print(f"{'ok' if run.returncode == 0 else 'not ok'} 1 - the script runs, and the regions are equal")
print(f"{'ok' if complete and only_resident else 'not ok'} 2 - a time for each step and contender")
for line in (run.stdout + run.stderr).splitlines():
    print("#", line)
sys.exit(not (run.returncode == 0 and complete and only_resident))
