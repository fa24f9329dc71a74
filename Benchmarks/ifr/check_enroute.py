#!/usr/bin/env python3
"""Compares the tiles of an MBTiles file with truth sheets of make_enroute.py.

    check_enroute.py CHART.mbtiles DIR/truth/ENR_L32.json
    check_enroute.py Low.mbtiles DIR/truth/ENR_L*.json

With one sheet, the deepest zoom is checked; with several, the file is a mosaic, and each sheet is checked at its own deepest zoom. The dots must be where
they belong, every pixel of the face must be there, and none outside of it. Ends with 1 on a fault. It needs numpy and Pillow.
"""

import argparse
import functools
import io
import json
import math
import sqlite3
import sys

import numpy as np
from PIL import Image

from lambert import RADIUS, Lambert, apply, face_depth, unapply, wrapped

FAR = 1e6


class Tiles:
    def __init__(self, path):
        self.base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.zooms = [zoom for zoom, in self.base.execute("SELECT DISTINCT zoom_level FROM tiles ORDER BY 1")]
        if not self.zooms:
            sys.exit(f"{path} has no tiles")
        data, = self.base.execute("SELECT tile_data FROM tiles LIMIT 1").fetchone()
        self.size = Image.open(io.BytesIO(data)).size[0]

    @functools.lru_cache(2000)
    def tile(self, zoom, column, row):
        """Red, green, blue and alpha, or None. Rows count from the north."""
        count = 1 << zoom
        found = self.base.execute("SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
                                  (zoom, column % count, count - 1 - row)).fetchone()
        return np.asarray(Image.open(io.BytesIO(found[0])).convert("RGBA")) if found else None

    def places(self, zoom):
        return {(column, (1 << zoom) - 1 - row)
                for column, row in self.base.execute("SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ?", (zoom,))}

    def window(self, zoom, left, top, side):
        made, size = np.zeros((side, side, 4), np.uint8), self.size
        for row in range(top // size, (top + side - 1) // size + 1):
            for column in range(left // size, (left + side - 1) // size + 1):
                tile = self.tile(zoom, column, row)
                if tile is None:
                    continue
                x, y = max(left, column * size), max(top, row * size)
                right, bottom = min(left + side, (column + 1) * size), min(top + side, (row + 1) * size)
                made[y - top:bottom - top, x - left:right - left] = tile[y - row * size:bottom - row * size, x - column * size:right - column * size]
        return made


class Truth:
    def __init__(self, path):
        with open(path) as file:
            known = json.load(file)
        self.name, self.transform, self.metres, self.ink = known["sheet"], known["transform"], known["metres"], known["ink"]
        self.face, self.holes, self.zoom, self.dots = known["face"], known["holes"], known["zoom"], np.array(known["dots"])
        self.lambert = Lambert(*known["lambert"])
        face = self.face
        self.middle = float(self.lonlat((face[0] + face[2]) / 2, (face[1] + face[3]) / 2)[0])

    def lonlat(self, column, row):
        return self.lambert.inverse(*apply(self.transform, column, row))

    def place(self, lon, lat):
        return unapply(self.transform, *self.lambert.forward(lon, lat))

    def depth(self, lon, lat):
        """Signed distance to the face in pixels of the sheet. On the other side of the world the projection folds, so nothing is near there."""
        depth = face_depth(*self.place(lon, lat), self.face, self.holes)
        return np.where(np.abs(wrapped(lon - self.middle)) < 150, depth, -FAR)

    def rim(self):
        face, along = self.face, np.linspace(0, 1, 400)
        columns, rows, none = face[0] + along * (face[2] - face[0]), face[1] + along * (face[3] - face[1]), 0 * along
        lon, lat = self.lonlat(np.r_[columns, columns, none + face[0], none + face[2]], np.r_[none + face[1], none + face[3], rows, rows])
        return wrapped(lon - self.middle) + self.middle, np.clip(lat, -85, 85)


class Grid:
    """The pixels of the world at a zoom; x goes on beyond 180 degrees."""

    def __init__(self, zoom, size):
        self.zoom, self.size, self.count = zoom, size, float(size << zoom)

    def world(self, lon, lat):
        angle = np.radians(np.asarray(lat, float))
        return (np.asarray(lon, float) + 180) / 360 * self.count, (.5 - np.arcsinh(np.tan(angle)) / (2 * np.pi)) * self.count

    def lonlat(self, x, y):
        lat = np.degrees(np.arctan(np.sinh(np.pi * (1 - 2 * np.asarray(y, float) / self.count))))
        return wrapped(np.asarray(x, float) / self.count * 360 - 180), lat

    def metres(self, lat):
        return 2 * math.pi * RADIUS * math.cos(math.radians(lat)) / self.count


class Check:
    def __init__(self, tiles, truths, asked):
        self.tiles, self.truths, self.asked, self.faults = tiles, truths, asked, 0

    def say(self, right, text):
        self.faults += not right
        print(("ok   " if right else "FAIL ") + text)

    def at(self, zoom):
        if zoom not in self.tiles.zooms:
            return self.say(False, f"zoom {zoom} is missing")
        self.grid = Grid(zoom, self.tiles.size)
        self.present = [truth for truth in self.truths if truth.zoom >= zoom or len(self.truths) == 1]
        for truth in self.present:
            if self.grid.metres(float(np.median(truth.dots[:, 3]))) <= 2.2 * truth.metres:
                self.check_dots(truth)
        self.check_face()

    def check_dots(self, truth):
        shown, hidden = self.visible(truth)
        found, lost = [], []
        for number in np.flatnonzero(shown):
            offset = self.offset(truth, truth.dots[number])
            found.append((number, *offset)) if offset else lost.append(number)
        name = f"{truth.name}, zoom {self.grid.zoom}"
        if shown.any():
            example = f", the first at {truth.dots[lost[0]].tolist()}" if lost else ""
            self.say(not lost, f"{name}: {len(lost)} of {shown.sum()} dots are missing{example}")
        if found:
            self.residuals(name, truth, np.array(found))
        if hidden.any():
            through = [number for number in np.flatnonzero(hidden) if self.shines(truth, truth.dots[number])]
            self.say(not through, f"{name}: {len(through)} of {hidden.sum()} dots shine through a finer sheet")

    def residuals(self, name, truth, found):
        offsets, places = found[:, 1:], truth.dots[found[:, 0].astype(int), :2]
        far = np.hypot(*offsets.T)
        right = far.max() <= self.asked.max and np.abs(offsets.mean(0)).max() <= self.asked.bias
        p = places - places.mean(0)
        turn = (p[:, 0] * offsets[:, 1] - p[:, 1] * offsets[:, 0]).sum() / (p ** 2).sum()
        scale = (p * offsets).sum() / (p ** 2).sum()
        self.say(right, f"{name}: offset in pixels of the sheet: largest {far.max():.3f} at {places[far.argmax()].tolist()}, mean {far.mean():.3f}, "
                        f"bias {offsets[:, 0].mean():+.4f} {offsets[:, 1].mean():+.4f}; turn {turn * 1e6:+.1f}, scale {scale * 1e6:+.1f} ppm")

    def visible(self, truth):
        """Which dots must be seen and which must not; dots near another sheet's rim or dot are neither."""
        lon, lat = truth.dots[:, 2], truth.dots[:, 3]
        shown, hidden, close = np.ones(len(lon), bool), np.zeros(len(lon), bool), np.zeros(len(lon), bool)
        for other in self.present:
            if other is truth:
                continue
            depth = other.depth(lon, lat) * other.metres / truth.metres
            if other.metres < truth.metres * .999:
                hidden |= depth > 14
            if other.metres < truth.metres * 1.001:
                shown &= depth < -14
            x, y = truth.place(other.dots[:, 2], other.dots[:, 3])
            for number in np.flatnonzero(depth > -40):
                close[number] |= (np.hypot(x - truth.dots[number, 0], y - truth.dots[number, 1]) < 18).any()
        return shown & ~close, hidden & ~close

    def offset(self, truth, dot):
        """How far the dot's ink lies from its place, in pixels of the sheet; None if it is missing."""
        column, row, lon, lat = dot
        x, y = map(float, self.grid.world(lon, lat))
        ratio = truth.metres / self.grid.metres(lat)
        reach = math.ceil((7 + self.asked.search) * ratio + 3)
        left, top = int(x) - reach, int(y) - reach
        ink = inked(self.tiles.window(self.grid.zoom, left, top, 2 * reach + 1), truth.ink)
        down, across = np.mgrid[0:2 * reach + 1, 0:2 * reach + 1] + .5
        ink = np.where(np.hypot(across - x + left, down - y + top) <= (6 + self.asked.search) * ratio + 1, ink, 0)
        cx, cy = x - left, y - top
        if self.asked.search:
            wide = np.pad(ink, 2)
            sums = sum(wide[i:i + len(ink), j:j + len(ink)] for i in range(5) for j in range(5))
            cy, cx = (place + .5 for place in np.unravel_index(sums.argmax(), sums.shape))
        for _ in range(4):
            near = np.where(np.hypot(across - cx, down - cy) <= 5 * ratio + 1, ink, 0)
            if near.sum() < .2 * math.pi * (1.5 * ratio) ** 2:
                return None
            cx, cy = (near * across).sum() / near.sum(), (near * down).sum() / near.sum()
        found = truth.place(*self.grid.lonlat(left + cx, top + cy))
        return float(found[0]) - column, float(found[1]) - row

    def shines(self, truth, dot):
        """Whether the middle of a dot has its ink; text of another sheet resembles it, but not so much."""
        x, y = map(float, self.grid.world(dot[2], dot[3]))
        return bool(inked(self.tiles.window(self.grid.zoom, int(x) - 1, int(y) - 1, 3), truth.ink, 25).max() > .6)

    def check_face(self):
        """Every pixel well inside the faces is opaque, and none well outside of them."""
        zoom, outside, inside, absent = self.grid.zoom, [], [], []
        for column, row in sorted(self.near() | self.tiles.places(zoom)):
            self.check_tile(column, row, outside, inside, absent)
        for faults, text in ((outside, "opaque pixels outside of the face"), (inside, "transparent pixels in the face"), (absent, "missing tiles")):
            example = f", the first in tile {faults[0][:2]}" if faults else ""
            self.say(not faults, f"zoom {zoom}: {sum(fault[2] for fault in faults)} {text}{example}")

    def near(self):
        """The tiles that the faces can reach."""
        count, size, found = 1 << self.grid.zoom, self.tiles.size, set()
        for truth in self.present:
            x, y = self.grid.world(*truth.rim())
            for row in range(max(0, int(y.min() // size) - 1), min(count, int(y.max() // size) + 2)):
                found |= {(column % count, row) for column in range(int(x.min() // size) - 1, int(x.max() // size) + 2)}
        return found

    def check_tile(self, column, row, outside, inside, absent):
        """A pixel of the sheet is allowed on both sides, or 3/4 of a tile's pixel outside and 1 1/2 inside."""
        size, tile = self.tiles.size, self.tiles.tile(self.grid.zoom, column, row)
        depths = self.depths(column, row, np.linspace(0, size, 9))
        metres = self.grid.metres(float(self.grid.lonlat(0, (row + .5) * size)[1]))
        reach = [size / 16 * 1.84 * metres / truth.metres + 3 for truth in self.present]
        if all(depth.max() < -far for depth, far in zip(depths, reach)):
            wrong = int((tile[:, :, 3] > 127).sum()) if tile is not None else 0
            outside += [(column, row, wrong)] if wrong else []
            return
        alpha = tile[:, :, 3] if tile is not None else np.zeros((size, size), np.uint8)
        if any(depth.min() > far for depth, far in zip(depths, reach)):
            wrong, beyond = alpha < 255, np.zeros(1, bool)
        else:
            depths = self.depths(column, row, np.arange(size) + .5)
            scaled = lambda least, share: np.max([depth / max(least, share * metres / truth.metres) for depth, truth in zip(depths, self.present)], 0)
            wrong, beyond = (scaled(2, 1.5) > 1) & (alpha < 128), (scaled(1, .75) < -1) & (alpha > 127)
        if wrong.any():
            (absent if tile is None else inside).append((column, row, 1 if tile is None else int(wrong.sum())))
        outside += [(column, row, int(beyond.sum()))] if beyond.any() else []

    def depths(self, column, row, places):
        lon, lat = self.grid.lonlat(*np.meshgrid(column * self.tiles.size + places, row * self.tiles.size + places))
        return [truth.depth(lon, lat) for truth in self.present]


def inked(pixels, ink, most=45):
    """How much of the dot's ink a pixel has, 0 to 1; 0 where its colour is no mix of white and the ink."""
    axis, color = np.array(ink, float) - 255, pixels[:, :, :3].astype(float) - 255
    share = (color @ axis) / (axis @ axis)
    apart = np.linalg.norm(color - share[:, :, None] * axis, axis=2)
    return np.where((apart < most) & (share > .04), np.clip(share, 0, 1.2), 0) * (pixels[:, :, 3] / 255)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mbtiles")
    parser.add_argument("truth", nargs="+")
    parser.add_argument("--search", type=float, default=0, help="look for dots that are so many pixels of the sheet farther away")
    parser.add_argument("--max", type=float, default=.3, help="the largest offset of a dot, in pixels of the sheet (default: 0.3)")
    parser.add_argument("--bias", type=float, default=.03, help="the largest mean offset on an axis (default: 0.03)")
    asked = parser.parse_args()
    check = Check(Tiles(asked.mbtiles), list(map(Truth, asked.truth)), asked)
    last = check.tiles.zooms[-1]
    zooms = {last} | ({min(truth.zoom, last) for truth in check.truths} if len(check.truths) > 1 else set())
    for zoom in sorted(zooms, reverse=True):
        check.at(zoom)
    sys.exit(bool(check.faults))


if __name__ == "__main__":
    main()
