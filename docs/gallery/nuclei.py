# SPDX-License-Identifier: GPL-3.0-or-later
"""Nuclei in a stained tissue

The level of hematoxylin, which stains nuclei, is taken from the colors by their optical densities. Nuclei are what is
above a local threshold; their distances divide those that touch. Left: a part of the slide; middle: hematoxylin;
right: the nuclei.
"""
import numpy as np
import wavefront
from show import gray, outlined, photograph, show

tissue = photograph("ihc")[215:385, 205:395]
stains = np.array([(0.65, 0.70, 0.29), (0.27, 0.57, 0.78), (0.71, -0.42, 0.56)])   # the last is what is left
densities = -np.log((tissue + 1.0) / 256)
hematoxylin = (densities @ np.linalg.inv(stains))[..., 0].astype(np.float32)

marks = wavefront.threshold(wavefront.gaussian(hematoxylin, sigma=1.5), method="mean", radius=20,
                            offset=-0.06)
marks = wavefront.opening(wavefront.fill_holes(marks), element="disc", radius=2)
depths = wavefront.gaussian(-wavefront.distance(marks), sigma=1)
labels, n = wavefront.watershed(depths, mask=marks, tolerance=0.3)
labels, n = wavefront.remove_small(labels, area=30)
print(n, "nuclei")
show(tissue, gray(hematoxylin.clip(0, np.percentile(hematoxylin, 99.5))),
     outlined(tissue, labels, color=(255, 240, 0)))
