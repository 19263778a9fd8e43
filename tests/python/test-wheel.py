#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel: test-wheel.py SOURCE BUILD [MESON-OPTION...]

pip builds it from the source, in the folder BUILD, and installs it into a new virtual environment,
where the package is used without the library of the build. Prints TAP.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from setting import done, ok

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
OPTIONS = [f"-Csetup-args={word}" for word in sys.argv[3:]]
# what a reader of the guide tries first, on the library that is in the package
PROGRAM = """
import pathlib
import numpy as np
import wavefront
import wavefront.skimage
from wavefront._library import lib

folder = pathlib.Path(wavefront.__file__).parent
image = np.array([[0, 9, 0, 9], [9, 9, 0, 9]], np.uint8)
assert wavefront.label(image).components == 2
assert wavefront.skimage.label(image).max() == 2
assert pathlib.Path(lib._name) == folder / "libwavefront.so.1", lib._name
assert "def watershed(" in (folder / "__init__.pyi").read_text(encoding="utf-8")
print(folder)
"""

for module in "pip", "mesonpy":
    if importlib.util.find_spec(module) is None:
        print(f"1..0 # SKIP no module {module}")
        sys.exit(0)

environment = {name: value for name, value in os.environ.items()
               if name not in ("PYTHONPATH", "WAVEFRONT_LIBRARY", "WAVEFRONT_MODULE_DIR")}


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          env=environment, **more)


with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder).resolve()
    # NumPy, meson-python and what they need are those of the system: no registry is asked
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = run(*pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", f"-Cbuild-dir={BUILD}",
                *OPTIONS, "-w", place, SOURCE)
    wheels = list(place.glob("*.whl"))
    ok(build.returncode == 0 and len(wheels) == 1, "pip builds a wheel",
       build.stdout[-2000:] + build.stderr[-2000:])
    if not wheels:
        done()
    names = zipfile.ZipFile(wheels[0]).namelist()
    ok(not wheels[0].stem.endswith("-any"), "it is for this platform", wheels[0].name)
    others = [name for name in names
              if not name.startswith("wavefront/") and ".dist-info/" not in name]
    ok(not others and "wavefront/libwavefront.so.1" in names and "wavefront/py.typed" in names,
       "it has the package with the library, and nothing else", str(names))
    made = run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", place / "new")
    ok(made.returncode == 0, "a virtual environment", made.stderr)
    python = place / "new/bin/python"
    installed = run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python,
                    "install", "--no-index", "--no-deps", wheels[0])
    ok(installed.returncode == 0, "pip installs the wheel there",
       installed.stdout[-1000:] + installed.stderr[-1000:])
    used = run(python, "-c", PROGRAM, cwd=folder)
    ok(used.returncode == 0 and used.stdout.startswith(str(place / "new")),
       "the package is used from there", used.stdout + used.stderr[-1000:])
    removed = run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python,
                  "uninstall", "-y", "wavefront")
    left = list((place / "new").rglob("*wavefront*"))
    ok(removed.returncode == 0 and not left, "removal leaves nothing", str(left) + removed.stderr)
done()
