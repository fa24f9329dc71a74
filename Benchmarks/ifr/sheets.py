"""The sheets that are drawn: names, sizes, scales, angles and places of truth sheets, and of all enroute charts of the country.

Sizes, scales and angles are those of the FAA's sheets as far as they are known; places are estimates.
"""

import math
import re

import numpy as np
from osgeo import osr

from lambert import Lambert, apply, rotated, unapply, wrapped

DPI = 400
METRES = 1852 / DPI  # of one pixel at one nautical mile an inch
CONUS, ALASKA, PACIFIC = (45, 33, 39, -95), (65, 37, 51, -154), (46, 0, 23, -134)
# The projections of charts whose definition states none.
OTHER = {"ENR_P01_GUA": (46, 0, 23, 145), "ENR_P02": (46, 0, 23, -158), "ENR_C": (46, 0, 23, -70)}

# Truth sheets: zip, projection, NM an inch, width, height, face (left, top, right, bottom), angle, longitude, latitude, options.
WIDE = (2205, 265, 23796, 7736)
WHOLE = (205, 265, 21796, 7736)
TRUTH = {
    "ENR_L32": ("ENR_L32", CONUS, 14, 24000, 8000, (4200, 260, 23800, 7740), 24.474, -70.8, 45.0, {}),
    "ENR_L05": ("ENR_L05", CONUS, 10, 24000, 8000, WIDE, -13.4, -116.0, 38.6, {}),
    "ENR_L01": ("ENR_L01", CONUS, 12, 24000, 8000, WIDE, 72.6, -121.5, 44.5, {}),
    "ENR_L03": ("ENR_L03", CONUS, 10, 22000, 8000, WHOLE, -81.1, -119.8, 35.4, {}),
    "ENR_L24": ("ENR_L24", CONUS, 12, 24000, 8000, (6205, 265, 23796, 7736), 90, -80.5, 29.5, {}),
    "ENR_L15": ("ENR_L15", CONUS, 10, 24000, 8000, WIDE, 0, -97.0, 33.0, {}),
    "ENR_H04": ("ENR_H04", CONUS, 20, 24000, 8000, (2205, 105, 23796, 7796), -8.1, -110.0, 36.5, {"step": 2}),
    "ENR_A02_LAX": ("ENR_A02", CONUS, 5, 10000, 6000, (300, 265, 9800, 5736), -23.2, -118.0, 34.0, {"page": ""}),
    "ENR_A02_DEN": ("ENR_A02", CONUS, 5, 5000, 7000, (205, 265, 4796, 6736), -6.1, -104.7, 39.8, {"page": ""}),
    "ENR_AKH01": ("ENR_AKH01", ALASKA, 40, 24000, 8000, WIDE, -45.3, -172.0, 54.0, {"step": 2, "panel": (18800, 5200, 23796, 7736)}),
    "ENR_AKL02W": ("ENR_AKL02", ALASKA, 25, 20000, 8000, (2205, 265, 19796, 7736), 4.3, 179.0, 52.5, {}),
    "ENR_P01": ("ENR_P01", PACIFIC, 160, 14000, 8000, (605, 265, 13796, 7736), 0, -172.0, 22.0, {"step": 5}),
    "ENR_L06N": ("enr_l06", CONUS, 12, 14000, 8000, (205, 265, 13796, 7736), 0, -107.5, 32.6, {}),
    "ENR_L06S": ("enr_l06", CONUS, 12, 8000, 8000, (205, 265, 7796, 7736), 0, -103.5, 29.6, {}),
    "ENR_L17": ("ENR_L17", CONUS, 10, 24000, 8000, WIDE, 0, -97.0, 36.0, {"form": "palette"}),
    "ENR_L18": ("ENR_L18", CONUS, 10, 24000, 8000, WIDE, 0, -86.2, 36.0, {"form": "rgba"}),
    "ENR_L19": ("ENR_L19", CONUS, 10, 24000, 8000, WIDE, 0, -86.5, 33.0, {"form": "matrix"}),
    "ENR_L20": ("ENR_L20", CONUS, 10, 24000, 8000, WIDE, 0, -97.0, 29.5, {"form": "point"}),
    "ENR_L07": ("ENR_L07", CONUS, 10, 22000, 8000, WHOLE, -4.9, -105.0, 43.0, {"form": "point"}),
    "ENR_L09": ("ENR_L09", CONUS, 10, 22000, 8000, WHOLE, -4.9, -101.5, 46.5, {"form": "ties"}),
    "ENR_L26": ("ENR_L26", CONUS, 10, 24000, 8000, WIDE, 0, -88.0, 40.0, {"inset": (9000, 2600, 12600, 5600)}),
    "ENR_L34": ("ENR_L34", CONUS, 8, 24000, 8000, WIDE, 62.1, -71.5, 41.5, {"inset": (20800, 265, 23796, 4425)}),
}

# All enroute charts: NM an inch, width and height in thousands, left margin, angle, longitude, latitude.
NATION = """
L01 12 24 8 2205 72.6 -121.5 44.8 | L02 12 24 8 2205 80 -122 40.2 | L03 10 22 8 205 -81.1 -119.8 35.4 | L04 10 24 8 2205 -20.6 -116 33.6
L05 10 24 8 2205 -13.4 -116 38.6 | L06N 10 14 8 205 0 -107.5 32.6 | L06S 10 8 8 205 0 -103.5 29.6 | L07 10 22 8 205 -4.9 -105 43
L08 10 24 8 2205 0 -106 36.5 | L09 14 22 8 205 -4.9 -108 46.5 | L10 14 24 8 2205 0 -100 43 | L11 14 24 8 2205 -10.4 -115 46.5
L12 14 24 8 2205 -3.2 -101 47.5 | L13 14 24 8 2205 -10.4 -113 43 | L14 14 24 8 2205 -3.1 -93 47 | L15 10 24 8 2205 0 -97 33
L16 10 24 8 2205 0 -89 33 | L17 10 24 8 4205 0 -97 36.2 | L18 10 24 8 2205 0 -86.2 36 | L19 10 24 8 2205 0 -86.5 30.5
L20 10 24 8 2205 0 -97 29.5 | L21 14 24 8 2205 0 -90 28 | L22 10 24 8 2205 0 -84 33.3 | L24 10 24 8 6205 90 -80.5 29
L25 10 24 8 2205 0 -79.5 35.2 | L26 10 24 8 2205 0 -82 38 | L27 8 24 8 2205 0 -89 40 | L28 10 24 8 2205 0 -91 42
L29 10 24 8 4205 0 -80.5 40.5 | L30 8 24 8 2205 0 -85 42.8 | L31 14 24 8 2205 -7.6 -84 46 | L32 14 24 8 4200 24.474 -70.8 45
L33 10 24 8 2205 25.4 -75 42.5 | L35 8 24 8 2205 49.4 -75 39.5 | L36 8 24 8 2205 61.8 -76.5 36.5 | AKL01 25 24 8 2205 -39.2 -137 57.5
AKL02C 25 20 8 2205 8.3 -160 58 | AKL02E 25 20 8 2205 8.3 -148 59 | AKL02W 25 20 8 2205 4.3 179 52.5 | AKL03 25 24 8 2205 0 -152 63.5
AKL04 25 24 8 2205 0 -152 67.5 | P01 160 14 8 605 0 -172 22 | P02 16 14 8 605 0 -158 21 | CL01 25 20 8 2205 0 -80 23
CL02 25 20 8 2205 0 -72 20.5 | CL03 60 20 8 2205 0 -78 15 | CL06 25 20 8 2205 0 -64 17
H01 20 24 8 2205 -8.1 -116 45 | H02 20 24 8 2205 0 -100 45.5 | H03 20 24 8 2205 -8.1 -113 40 | H04 20 24 8 2205 -8.1 -110 36.5
H05 20 24 8 2205 0 -98 39.5 | H06 20 24 8 2205 0 -98 32.5 | H07 20 24 8 2205 0 -90 27.5 | H08 20 24 8 2205 3.3 -84 32
H09 20 24 8 2205 3.3 -85 36.5 | H10 20 24 8 2205 3.3 -83 41 | H11 20 24 8 2205 3.3 -83 46 | H12 17 24 8 2205 61.4 -73 40
AKH01 40 24 8 2205 -45.3 -172 54 | AKH01_SEA 20 8 8 205 -21 -130 50 | AKH02 40 24 8 2205 5.1 -150 62 | CH01 25 20 8 2205 0 -80 25
CH02 60 20 8 2205 0 -70 18 | CH07 25 20 8 2205 0 -66 19 | CH08 60 20 8 2205 0 -60 14
A01_ATL 8.5 8 8 205 6.6 -84.4 33.6 | A01_DCA 8.5 8 8 205 10.6 -77 38.9 | A01_DET 5 8 6 205 7.3 -83.4 42.2 | A01_JAX 8.5 6 6 205 8.4 -81.7 30.5
A01_MIA 8.5 8 8 205 9.3 -80.3 25.8 | A01_MSP 8.5 6 6 205 1.3 -93.2 44.9 | A01_STL 8.5 6 6 205 3 -90.4 38.7 | A02_DEN 8.5 5 7 205 -6.1 -104.7 39.8
A02_DFW 8.5 8 8 205 -1.5 -97 32.9 | A02_LAX 5 10 6 300 -23.2 -118 34 | A02_MKC 5 6 6 205 .3 -94.7 39.3 | A02_ORD 8.5 8 6 205 4.4 -87.9 42
A02_PHX 8.5 6 6 205 -10.7 -112 33.4 | A02_SFO 8.5 8 6 205 -17.2 -122.4 37.6 | AKL01_JNU 10 6 6 205 -32.8 -134.6 58.4 | AKL01_VR 8.5 6 6 205 -39.3 -123.2 49.2
AKL03_FAI 5 6 6 205 5.9 -147.9 64.8 | AKL03_OME 5 6 6 205 -8.6 -165.4 64.5 | AKL04_ANC 5 8 8 205 -13 -150 61.2 | P01_GUA 60 6 6 205 0 144.8 13.5
"""
CHART = re.compile(r'id: "([^"]+)",\s*name: "[^"]*",\s*zip: "([^"]+)",\s*tif: "([^"]+)"(?:,\s*projection: \[([^]]+)\])?')


class Sheet:
    """The geometry of one sheet. Column and row are edges between pixels: 0 is the outer edge of the first pixel."""

    def __init__(self, name, archive, projection, scale, width, height, face, degrees, lon, lat, options, size=1):
        pixels = lambda value: int(round(value * size))
        self.name, self.archive, self.options, self.degrees = name, archive, options, degrees
        self.width, self.height, self.face = pixels(width), pixels(height), tuple(map(pixels, face))
        self.holes = [tuple(map(pixels, options[key])) for key in ("panel", "inset") if key in options]
        self.lambert = Lambert(*projection)
        self.metres, self.denominator = scale * METRES / size, round(scale * 1852 / .0254)
        middle = (self.face[0] + self.face[2]) / 2, (self.face[1] + self.face[3]) / 2
        self.transform = rotated(self.metres, degrees, *middle, *map(float, self.lambert.forward(lon, lat)))
        # The first zoom that is at least as fine as the sheet, within 20 %; P01 reaches the equator.
        ground = 156543.03392 * math.cos(math.radians(0 if name == "ENR_P01" else lat))
        self.zoom = math.ceil(math.log2(ground / self.metres) - .26)

    @property
    def reference(self):
        return reference(self.lambert)

    def lonlat(self, column, row):
        return self.lambert.inverse(*apply(self.transform, np.asarray(column, float), np.asarray(row, float)))

    def place(self, lon, lat):
        return unapply(self.transform, *self.lambert.forward(lon, lat))

    def bounds(self):
        """West, south, east and north of the raster; west may be greater than east."""
        along, none = np.linspace(0, 1, 201), np.zeros(201)
        lon, lat = self.lonlat(np.r_[along, along, none, none + 1] * self.width, np.r_[none, none + 1, along, along] * self.height)
        middle = float(self.lonlat(self.width / 2, self.height / 2)[0])
        apart = wrapped(lon - middle)
        return float(wrapped(middle + apart.min())), float(lat.min()), float(wrapped(middle + apart.max())), float(lat.max())


def reference(lambert):
    first, second, latitude, longitude = lambert.parameters
    made = osr.SpatialReference()
    made.ImportFromProj4(f"+proj=lcc +lat_1={first} +lat_2={second} +lat_0={latitude} +lon_0={longitude} +datum=NAD83 +units=m")
    return made


def truth_sheet(name, size=1):
    return Sheet(name, *TRUTH[name], size)


def national_sheets(definition):
    """The sheets of a family of charts, with the zips, members and projections that its definition states."""
    drawn = {fields[0]: fields[1:] for fields in map(str.split, NATION.replace("\n", "|").split("|")) if fields}
    with open(definition) as file:
        charts = CHART.findall(file.read())
    for name, archive, tif, projection in charts:
        scale, width, height, left, degrees, lon, lat = map(float, drawn[name[4:]])
        top, right, bottom = (105, 204, 204) if re.match("ENR_(AK|C)?H", name) else (265, 204, 264)
        stated = list(map(float, projection.split(","))) if projection else None
        projection = (stated[1], stated[0], stated[3], stated[2]) if stated else next(
            value for key, value in OTHER.items() if name.startswith(key))
        width, height = width * 1000, height * 1000
        step = 1 if scale < 17 else 2 if scale < 50 else 5
        options = {"step": step, "page": "" if name.startswith("ENR_A0") else "_tif"}
        yield Sheet(tif[:-4], archive[:-4], projection, scale, width, height, (left, top, width - right, height - bottom), degrees, lon, lat, options)
