# SPDX-License-Identifier: GPL-3.0-or-later
"""A way through a maze

The geodesic distance is the length of the shortest way inside a mask. From the exit the way goes on to the neighbor
that is nearest to the entrance. Left: the maze; right: distances from the entrance, and the way.
"""
import numpy as np
import wavefront
from show import heat, show


def make_maze(cells, random):
    """Corridors between cells, a tree that a walk with steps back makes."""
    maze = np.zeros((2 * cells + 1, 2 * cells + 1), np.uint8)
    way = [(1, 1)]
    maze[1, 1] = 1
    while way:
        y, x = way[-1]
        steps = [(v, u) for v, u in ((-2, 0), (2, 0), (0, -2), (0, 2))
                 if 0 < y + v < 2 * cells and 0 < x + u < 2 * cells and not maze[y + v, x + u]]
        if not steps:
            way.pop()
            continue
        v, u = steps[random.integers(len(steps))]
        maze[y + v // 2, x + u // 2] = maze[y + v, x + u] = 1
        way.append((y + v, x + u))
    return maze


maze = make_maze(20, np.random.default_rng(3)).repeat(4, axis=0).repeat(4, axis=1)
entrance = np.zeros_like(maze)
entrance[5, 5] = 1
distances = wavefront.geodesic_distance(maze, entrance, metric="quasi-euclidean")

y, x = exit = (158, 158)
way = np.zeros(maze.shape, bool)
while distances[y, x] > 0:
    way[y, x] = True
    around = distances[y - 1:y + 2, x - 1:x + 2]
    v, u = np.unravel_index(np.argmin(np.where(np.isnan(around), np.inf, around)), (3, 3))
    y, x = y + v - 1, x + u - 1
print(f"{distances[exit]:.0f} pixels")

panel = heat(distances, mask=maze)
panel[way] = 80, 255, 120
show(maze, panel)
