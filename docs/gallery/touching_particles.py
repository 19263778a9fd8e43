# SPDX-License-Identifier: GPL-3.0-or-later
"""Touching particles

Where particles touch, the distance to the background has a maximum for each of them, and a saddle at the neck. The
watershed of the distances, turned over, divides them there; a tolerance of 1 keeps small dents from dividing one.
Left: the picture; middle: distances; right: the particles.
"""
import wavefront
from show import colors, drawn, heat, show

image, n_drawn = drawn("particles")
marks = wavefront.threshold(wavefront.gaussian(image, sigma=1), threshold=wavefront.find_threshold(image))
distances = wavefront.distance(marks)
labels, n = wavefront.watershed(-distances, mask=marks, tolerance=1)
print(n, "particles;", n_drawn, "were drawn")
show(image, heat(distances), colors(labels))
