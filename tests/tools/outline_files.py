# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of outlines, read: rings of corners for each slice and label, and what is inside."""

import io
import json
import struct
import zipfile


def fill(rings, x, y):
    """Whether the middle of a pixel is inside, by all rings together."""
    inside = False
    for ring in rings:
        for a, b in zip(ring, ring[1:] + ring[:1]):
            inside ^= a[0] == b[0] and a[0] <= x and min(a[1], b[1]) <= y < max(a[1], b[1])
    return inside


def rings_of_roi(data):
    """As RoiDecoder of ImageJ reads it."""
    kind, (top, left, _, _) = data[6], struct.unpack('>4h', data[8:16])
    assert data[:4] == b'Iout' and struct.unpack('>h', data[4:6])[0] == 228
    n_floats = struct.unpack('>i', data[36:40])[0]
    if n_floats == 0:
        assert kind == 8
        n = struct.unpack('>H', data[16:18])[0]
        numbers = struct.unpack('>%dh' % (2 * n), data[64:64 + 4 * n])
        return [[(left + numbers[i], top + numbers[n + i]) for i in range(n)]]
    assert kind == 1 and len(data) == 64 + 4 * n_floats
    floats, rings, at = struct.unpack('>%df' % n_floats, data[64:]), [], 0
    while at < n_floats:
        if floats[at] == 4:
            at += 1
            continue
        if floats[at] == 0:
            rings.append([])
        rings[-1].append((floats[at + 1], floats[at + 2]))
        at += 3
    return rings


def read_rois(data, stack):
    archive = zipfile.ZipFile(io.BytesIO(data))
    found = {}
    for name in archive.namelist():
        words = name[:-4].split('-')
        roi = archive.read(name)
        z = int(words[0]) - 1 if stack else 0
        assert struct.unpack('>i', roi[56:60])[0] == (z + 1 if stack else 0)
        found[z, int(words[-1])] = rings_of_roi(roi)
    return found


def read_geojson(text):
    found = {}
    for feature in json.loads(text)['features']:
        shape = feature['geometry']
        polygons = shape['coordinates'] if shape['type'] == 'MultiPolygon' \
            else [shape['coordinates']]
        key = shape.get('plane', {'z': 0})['z'], feature['properties']['label']
        found[key] = [ring[:-1] for polygon in polygons for ring in polygon]
        assert all(ring[0] == ring[-1] for polygon in polygons for ring in polygon)
    return found
