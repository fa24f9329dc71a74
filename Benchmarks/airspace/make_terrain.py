#!/usr/bin/env python3
"""Writes the terrain of the samples: heights in metres around San Francisco Bay, in steps of 30 seconds of arc.

The ground is drawn through the elevations of the sample's airports, with a cone for each summit below. It is made up between them.
Needs numpy and GDAL's Python module.

    Benchmarks/airspace/make_terrain.py samples/nasr-rows/APT_BASE.csv samples/terrain/Sample_Terrain.tif
"""
import csv
import sys

import numpy
from osgeo import gdal, osr

WEST, NORTH, STEP, COLUMNS, ROWS = -123.5, 38.5, 1 / 120, 312, 216
# Latitude, longitude and feet, as charts print them.
SUMMITS = [
    (37.8816, -121.9142, 3849), (37.9235, -122.5965, 2571), (37.3419, -121.6429, 4265),
    (37.5126, -121.8805, 2517), (37.1108, -121.8447, 3790), (37.5606, -122.4758, 1898),
    (37.6860, -122.4346, 1314), (37.3180, -122.1470, 2812), (37.7660, -121.7090, 1702),
]
FOOT = 0.3048


def kilometres(latitudes, longitudes, latitude, longitude):
    east = (longitudes - longitude) * numpy.cos(numpy.radians(latitude))
    return numpy.hypot(latitudes - latitude, east) * 111.2


def main(rows, output):
    latitudes = NORTH - (numpy.arange(ROWS)[:, None] + 0.5) * STEP
    longitudes = WEST + (numpy.arange(COLUMNS)[None, :] + 0.5) * STEP
    total = numpy.zeros((ROWS, COLUMNS))
    weights = numpy.zeros((ROWS, COLUMNS))
    for row in csv.DictReader(open(rows, encoding="latin-1")):
        if not row["ELEV"]:
            continue
        distance = kilometres(latitudes, longitudes, float(row["LAT_DECIMAL"]), float(row["LONG_DECIMAL"]))
        weight = 1 / (distance**2 + 0.5)
        total += weight * float(row["ELEV"]) * FOOT
        weights += weight
    heights = total / weights
    for latitude, longitude, feet in SUMMITS:
        cone = feet * FOOT * (1 - kilometres(latitudes, longitudes, latitude, longitude) / 9)
        heights = numpy.maximum(heights, cone)
    raster = gdal.GetDriverByName("GTiff").Create(
        output, COLUMNS, ROWS, 1, gdal.GDT_Int16, ["COMPRESS=DEFLATE", "PREDICTOR=2"])
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    raster.SetProjection(reference.ExportToWkt())
    raster.SetGeoTransform([WEST, STEP, 0, NORTH, 0, -STEP])
    raster.GetRasterBand(1).WriteArray(numpy.rint(heights).astype(numpy.int16))


main(*sys.argv[1:])
