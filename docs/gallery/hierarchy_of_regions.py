# SPDX-License-Identifier: GPL-3.0-or-later
"""A hierarchy of regions

The basins of the slopes are merged in the order of their volumes, which makes one tree; a cut of it leaves as many regions
as are wanted, without another flood. Left: the saliency map, how long each boundary is there; then 300, 60 and 15
regions in their mean colors.
"""
import numpy as np
import wavefront
from show import gray, photograph, show

tissue = photograph("ihc")[100:400, 100:400]
levels = tissue.mean(axis=2).astype(np.uint8)
slopes = wavefront.gradient(wavefront.gaussian(levels, sigma=2))
basins, n = wavefront.watershed(slopes)
hierarchy = wavefront.Hierarchy(slopes, basins, measure="volume")
saliency = wavefront.hierarchy(slopes, basins, measure="volume").saliency
panels = [gray(np.log1p(saliency))]
for wanted in 300, 60, 15:
    regions, count = hierarchy.cut(basins, n_regions=wanted)
    means = [wavefront.measure(regions, tissue[..., band], measures="mean")["mean"]
             for band in range(3)]
    panels.append(np.stack(means, axis=-1)[regions - 1].astype(np.uint8))
print(n, "basins")
show(*panels)
