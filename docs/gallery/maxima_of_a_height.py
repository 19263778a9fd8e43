# SPDX-License-Identifier: GPL-3.0-or-later
"""Maxima of a height

A maximum counts if one has to descend by at least so much before one can climb higher: noise does not reach the height,
hills do, and nothing is smoothed. Left: the relief with its regional maxima; middle: h-maxima, which cut off all that is
lower than 15 levels; right: the maxima of this height, plateaux of the middle.
"""
import numpy as np
import wavefront
from show import drawn, marked, show

hollows, n_drawn = drawn("terrain")
noise = np.random.default_rng(1).normal(12, 3, hollows.shape)
relief = ((255 - hollows) * 0.9 + noise).clip(0, 255).astype(np.uint8)

cut = wavefront.h_maxima(relief, height=15)
maxima, n = wavefront.label(wavefront.extended_maxima(relief, height=15))
print(wavefront.label(wavefront.regional_maxima(relief)).components, "regional maxima,", n,
      "of the height;", n_drawn, "hills were drawn")
show(marked(relief, wavefront.regional_maxima(relief), size=0), cut, marked(relief, maxima != 0, size=0))
