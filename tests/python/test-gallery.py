#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the gallery: test-gallery.py MAKE-GALLERY DOCUMENT GET-PICTURES

All examples run; what they print and their code is what the document has, and each writes a picture
that is not of one color. Without the photographs, their examples are left out. Prints TAP.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from setting import done, ok

make, document, get_pictures = (pathlib.Path(word) for word in sys.argv[1:])
sys.path.insert(0, str(make.parent / "gallery"))
import show


def sections(text):
    """The parts of a document by their titles."""
    return {part.partition("\n")[0]: part.strip()
            for part in re.split(r"^## ", text, flags=re.M)[1:]}


with tempfile.TemporaryDirectory() as folder:
    photographs = pathlib.Path(os.environ.get("WAVEFRONT_CACHE", folder)) / "pictures"
    subprocess.run([get_pictures, photographs], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run = subprocess.run([sys.executable, make, "--photographs", photographs, folder],
                         capture_output=True, text=True)
    ok(run.returncode == 0, "docs/make-gallery", run.stderr[-2000:])
    if run.returncode:
        done()
    right = sections(document.read_text(encoding="utf-8"))
    made = sections((pathlib.Path(folder) / "gallery.md").read_text(encoding="utf-8"))
    ok(len(right) >= 10 and len(made) >= 5, f"{len(made)} of {len(right)} examples", run.stderr)
    for title, part in made.items():
        ok(right.get(title) == part, f"{title}: as in the document, else run docs/make-gallery",
           part)
        name = re.search(r"\(pictures/(gallery-[a-z-]+\.png)\)", part)[1]
        pixels = show.read_png((pathlib.Path(folder) / "pictures" / name).read_bytes())
        ok(len(np.unique(pixels.reshape(-1, 3), axis=0)) > 2 and pixels.shape[0] >= 200,
           f"{title}: {name} shows something", str(pixels.shape))
        published = show.read_png((document.parent / "pictures" / name).read_bytes())
        # another machine may round a gray level of a drawing otherwise
        ok(published.shape == pixels.shape and (published != pixels).any(axis=-1).mean() < 0.01,
           f"{title}: the picture is that of the code")
done()
