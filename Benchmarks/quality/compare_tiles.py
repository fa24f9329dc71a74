"""Compares an archive's tiles of the largest zoom with the exact warp: PSNR, and how far the picture is shifted.

    compare_tiles.py SHEET.tif ARCHIVE.mbtiles ZOOM [TILES]

Prints one line of JSON.
"""

import io
import json
import sqlite3
import sys

import numpy as np
import rasterio
from PIL import Image
from rasterio.windows import Window

from exact_warp import ExactWarp, Lambert


def open_sheet(path):
    sheet = rasterio.open(path)
    parameters = sheet.crs.to_dict()
    cone = Lambert(parameters["lat_1"], parameters["lat_2"], parameters["lat_0"], parameters["lon_0"])
    palette = np.array([sheet.colormap(1)[i][:3] for i in range(256)], dtype=float)

    def window(left, top, width, height):
        return palette[sheet.read(1, window=Window(left, top, width, height))]

    return ExactWarp(cone, sheet.transform.to_gdal(), sheet.width, sheet.height, window)


def sample(database, zoom, count):
    """Tiles spread evenly over all tiles of the zoom."""
    places = database.execute(
        "SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ? ORDER BY tile_row, tile_column", (zoom,)
    ).fetchall()
    return places[:: max(1, len(places) // count)]


def shift(warp, place, picture, exact):
    """The displacement, in pixels, at which the exact warp looks most like the picture (Gauss and Newton, two rounds)."""
    moved = np.zeros(2)
    for _ in range(2):
        base = exact if not moved.any() else warp.tile(*place, shift=moved)
        east = warp.tile(*place, shift=moved + (0.05, 0))
        south = warp.tile(*place, shift=moved + (0, 0.05))
        if base is None or east is None or south is None:
            return None
        slopes = np.stack([(east - base).ravel(), (south - base).ravel()], 1) / 0.05
        moved += np.linalg.lstsq(slopes, (picture - base).ravel(), rcond=None)[0]
    return moved


def main():
    tif, archive, zoom = sys.argv[1], sys.argv[2], int(sys.argv[3])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 60
    warp, database = open_sheet(tif), sqlite3.connect(archive)
    squares, shifts, sizes, used = [], [], [], 0
    for column, tms_row in sample(database, zoom, count):
        place = (zoom, column, (1 << zoom) - 1 - tms_row)
        data = database.execute(
            "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
            (zoom, column, tms_row)).fetchone()[0]
        picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"), dtype=float)
        exact = warp.tile(*place) if picture[..., 3].min() == 255 else None
        if exact is None or exact.std() < 5:
            continue
        used += 1
        sizes.append(len(data))
        squares.append(((picture[..., :3] - np.round(exact)) ** 2).mean())
        if used % 4 == 1:
            shifts.append(shift(warp, place, picture[..., :3], exact))
    found = np.median([s for s in shifts if s is not None], axis=0)
    print(json.dumps({
        "tiles": used, "bytes": float(np.mean(sizes)), "psnr": float(10 * np.log10(255**2 / np.mean(squares))),
        "shift": [float(found[0]), float(found[1])]}))


main()
