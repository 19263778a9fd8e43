# SPDX-License-Identifier: GPL-3.0-or-later
"""Local maxima

A local maximum is a pixel, or a plateau, all of whose neighbors are lower. Noise has thousands of them; of the smoothed
relief only the peaks are left. Left: maxima of the relief as it is; right: after a Gaussian.
"""
import numpy as np
import wavefront
from show import drawn, marked, show

hollows, n_drawn = drawn("terrain")
noise = np.random.default_rng(1).normal(12, 3, hollows.shape)
relief = ((255 - hollows) * 0.9 + noise).clip(0, 255).astype(np.uint8)

smooth = wavefront.gaussian(relief, sigma=4)
rough_maxima = wavefront.regional_maxima(relief)
maxima = wavefront.regional_maxima(smooth)
print(wavefront.label(rough_maxima).components, "maxima,", wavefront.label(maxima).components,
      "after smoothing;", n_drawn, "hills were drawn")
show(marked(relief, rough_maxima, size=0), marked(smooth, maxima))
