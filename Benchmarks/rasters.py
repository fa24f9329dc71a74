#!/usr/bin/env python3
"""Measures `chartpipe tile` against other programs on an RGB image that is not a chart.

    Benchmarks/rasters.py --folder DIR [--products DIR] [--side 6000] [--runs 3] [--skip rio]

The image is UTM, and each of its colours is a function of longitude and latitude, so the tiles of all programs are compared with
the same exact values. The folder and the other programs are those of bench.py.
"""

import argparse
import math
import os
import sqlite3
import statistics
import subprocess
import sys

import bench
from measure import Measured

ZOOMS = (8, 14)

# Runs in the environment with the other programs' packages.
DRAW = """
import sys, numpy, rasterio
from rasterio.transform import from_origin
from rasterio.warp import transform
sys.path.insert(0, sys.argv[3])
from rasters import color
path, side = sys.argv[1], int(sys.argv[2])
place = from_origin(500000 - side * 5, 4200000, 10, 10)
with rasterio.open(path, "w", driver="GTiff", width=side, height=side, count=3, dtype="uint8", crs="EPSG:32610",
                   transform=place, tiled=True, compress="deflate", photometric="RGB") as file:
    for row in range(0, side, 250):
        rows = min(250, side - row)
        x = place.c + (numpy.arange(side) + .5) * 10
        y = place.f - (row + numpy.arange(rows) + .5) * 10
        x, y = numpy.meshgrid(x, y)
        lon, lat = transform("EPSG:32610", "EPSG:4326", x.ravel(), y.ravel())
        bands = color(numpy, numpy.array(lon), numpy.array(lat))
        window = ((row, row + rows), (0, side))
        file.write(numpy.round(bands).astype("uint8").reshape(3, rows, side), window=window)
"""

QUALITY = """
import io, sqlite3, sys, numpy
from PIL import Image
sys.path.insert(0, sys.argv[2])
from rasters import color
base = sqlite3.connect(sys.argv[1])
zoom = int(sys.argv[3])
squares = count = 0
for column, row, data in base.execute(
        "SELECT tile_column, tile_row, tile_data FROM tiles WHERE zoom_level = ? AND (tile_column + tile_row) % 7 = 0", (zoom,)):
    pixels = numpy.array(Image.open(io.BytesIO(data)).convert("RGBA")).astype(float)
    size = 256 << zoom
    lon = (column * 256 + numpy.arange(256) + .5) / size * 360 - 180
    y = (((1 << zoom) - 1 - row) * 256 + numpy.arange(256) + .5) / size
    lat = numpy.degrees(numpy.arctan(numpy.sinh(numpy.pi * (1 - 2 * y))))
    lon, lat = numpy.meshgrid(lon, lat)
    opaque = pixels[:, :, 3] == 255
    # Two pixels from the rim, where programs differ in what they mix.
    for axis in (0, 1):
        for step in (-2, 2):
            opaque &= numpy.roll(opaque, step, axis)
    for channel, exact in enumerate(color(numpy, lon, lat)):
        squares += ((pixels[:, :, channel] - exact)[opaque] ** 2).sum()
    count += 3 * opaque.sum()
print(10 * numpy.log10(255 ** 2 / (squares / count)))
"""


def color(numpy, lon, lat):
    """Waves of many lengths, from five pixels of the image on."""
    waves = sum(
        numpy.sin(lon * 2 * math.pi / length + phase) + numpy.sin(lat * 2 * math.pi / (length * .83) + 2 * phase)
        for phase, length in enumerate((.0006, .0017, .005, .013, .06)))
    return [128 + 11 * waves, 128 + 90 * numpy.sin(lon * 900 + lat * 300), 128 + 90 * numpy.cos(lat * 1100)]


def chartpipe(shop, image, chosen):
    archive = shop.scratch("own.mbtiles")
    taken = Measured([
        f"{shop.products}/chartpipe", "tile", image, "-o", archive, "--zooms", "{}-{}".format(*ZOOMS), "--format", chosen,
        "--jobs", str(bench.JOBS), "--quiet"])
    return taken, archive


def raster_tile(shop, image, chosen):
    tiles, archive = shop.scratch("raster-tile"), shop.scratch("raster-tile.mbtiles")
    taken = Measured([
        shop.python, f"{bench.HERE}/peers/gdal_algorithm.py", shop.path("gdal"), "raster", "tile", "--min-zoom", str(ZOOMS[0]),
        "--max-zoom", str(ZOOMS[1]), "-r", "cubic", "--overview-resampling", "average", "-f", chosen, "-j", str(bench.JOBS),
        "--webviewer", "none", image, tiles] + (["--co", "QUALITY=80"] if chosen == "WEBP" else []))
    bench.run(shop.python, f"{bench.HERE}/peers/pack_tiles.py", tiles, archive)  # not measured
    return taken, archive


def rio_mbtiles(shop, image, chosen):
    archive = shop.scratch("rio.mbtiles")
    taken = Measured([
        shop.path("venv", "bin", "rio"), "mbtiles", "-f", chosen, "--resampling", "cubic", "-j", str(bench.JOBS),
        "--zoom-levels", "..".join(map(str, ZOOMS)), image, archive])
    return taken, archive


PROGRAMS = [
    ("chartpipe tile, PNG in RGB", chartpipe, "png32"),
    ("`gdal raster tile`, PNG in RGB", raster_tile, "PNG"),
    ("rio-mbtiles, PNG in RGB", rio_mbtiles, "PNG"),
    ("chartpipe tile, WebP of quality 80", chartpipe, "webp"),
    ("`gdal raster tile`, WebP of quality 80", raster_tile, "WEBP"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--products", default=os.path.join(bench.HERE, "..", ".build", "release"))
    parser.add_argument("--side", type=int, default=6000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--skip", default="", help="programs to leave out, by a part of their names")
    given = parser.parse_args()
    shop = bench.Workshop(given.folder, given.products)
    shop.prepare_peers()
    image = shop.path(f"rgb-{given.side}.tif")
    if not os.path.exists(image):
        bench.run(shop.python, "-c", DRAW, image, str(given.side), bench.HERE)
    skipped = [word for word in given.skip.split(",") if word]
    racers = [racer for racer in PROGRAMS if not any(word in racer[0] for word in skipped)]
    rows = {name: [] for name, _, _ in racers}
    for _ in range(given.runs):
        for name, make, chosen in racers:
            taken, archive = make(shop, image, chosen)
            rows[name].append((taken.wall, taken.cpu, taken.peak, archive))
            print(f"{name}: {taken.wall:.1f} s", file=sys.stderr)
            if len(rows[name]) == given.runs:
                decibels = subprocess.run(
                    [shop.python, "-c", QUALITY, archive, bench.HERE, str(ZOOMS[1])], check=True, capture_output=True, text=True)
                base = sqlite3.connect(archive)
                tiles, size = base.execute("SELECT count(*), sum(length(tile_data)) FROM tiles").fetchone()
                rows[name].append((float(decibels.stdout), tiles, size))
    print(f"| {given.side} x {given.side} pixels, zooms {ZOOMS[0]}-{ZOOMS[1]} | wall | CPU | peak memory | tiles | bytes per tile | PSNR |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, runs in rows.items():
        *taken, (decibels, tiles, size) = runs
        wall, cpu, peak = (statistics.median(run[index] for run in taken) for index in range(3))
        print(f"| {name} | {wall:.1f} s | {cpu:.1f} s | {peak / 1e6:.0f} MB | {tiles:,} | {size // tiles:,} | {decibels:.1f} dB |")


if __name__ == "__main__":
    main()
