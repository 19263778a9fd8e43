#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests of scikit-image and SciPy on wavefront.skimage: test-peers.py DOCUMENT

Runs the installed test files of both with our functions in the place of theirs (peers_plugin.py).
A test that fails must stand in the table of differences of the document, and what stands there must
fail. Prints TAP. WAVEFRONT_PACKAGES=bench gives ./dev an environment with both.
"""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from setting import done, ok

FILES = {"skimage": ("morphology/tests/test_reconstruction.py", "morphology/tests/test_extrema.py",
                     "morphology/tests/test_max_tree.py", "morphology/tests/test_misc.py",
                     "measure/tests/test_ccomp.py", "measure/tests/test_regionprops.py",
                     "segmentation/tests/test_boundaries.py",
                     "segmentation/tests/test_clear_border.py",
                     "segmentation/tests/test_expand_labels.py", "segmentation/tests/test_join.py",
                     "segmentation/tests/test_watershed.py"),
         "scipy": ("ndimage/tests/test_measurements.py", "ndimage/tests/test_morphology.py")}
# Of files with many functions the tests of ours alone.
CHOICES = {"skimage": "not remove_near and not mark_boundaries and not (test_regionprops and not table)",
           "scipy": "distance_transform_edt or distance_transform_cdt or fill_holes or test_label or "
                    "gh_issue_3025"}

for module in "pytest", "hypothesis", *FILES:
    if importlib.util.find_spec(module) is None:
        print(f"1..0 # SKIP no module {module}; ./dev has it with WAVEFRONT_PACKAGES=bench")
        sys.exit(0)

table = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").partition("| their test | difference")[2]
rows = [row.split("|")[1] for row in table.partition("\n\n")[0].splitlines() if "`" in row]
listed = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
ok(listed, "the document lists differences")

failed_of = {name: 0 for name in listed}
for package, files in FILES.items():
    place = pathlib.Path(importlib.util.find_spec(package).origin).parent
    with tempfile.TemporaryDirectory() as folder:
        found = os.path.join(folder, "results.json")
        # their configuration is that of the folder above the package
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "peers_plugin", "-p", "no:cacheprovider",
             f"--rootdir={place.parent}", f"--confcutdir={place.parent}", "-k", CHOICES[package],
             *(str(place / file) for file in files)], cwd=folder, capture_output=True, text=True,
            env={**os.environ, "PEERS_RESULTS": found, "PYTHONPATH": os.pathsep.join(
                [str(pathlib.Path(__file__).resolve().parent), os.environ["PYTHONPATH"]])})
        with open(found, encoding="utf-8") as file:
            results = json.load(file)
    ok(sum(outcome == "passed" for outcome in results.values()) >= 20,
       f"{package}: {len(results)} tests ran", run.stdout[-600:])
    for test, outcome in results.items():
        names = [name for name in listed if name in test]
        if outcome == "failed":
            for name in names:
                failed_of[name] += 1
        ok(outcome != "failed" or names, f"{package}: {test.rpartition('/')[2]}: {outcome}",
           "it fails, and the document does not say why")
for name, n in failed_of.items():
    ok(n > 0, f"{name} stands in the document, and differs")
done()
