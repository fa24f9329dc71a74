#!/usr/bin/env python3
"""Decodes vector tiles with mapbox-vector-tile and compares them with the database of which they were made.

    check_vector_tiles.py DATABASE MBTILES PMTILES

It shares no code and no query with the program. Numbers, names, properties and positions of all features of the deepest zoom, the areas of
airspace and the lengths of lines that remain after all tiles are put together, and the first zoom of each feature are compared. Prints what
differs and ends with 1, or says how much is the same.
"""

import gzip
import json
import math
import sqlite3
import sys
from collections import defaultdict

import mapbox_vector_tile
import shapely
from pmtiles.reader import MmapSource, Reader, all_tiles
from shapely.geometry import shape

HALF = 20037508.342789244
problems = []


def extent(z):
    """The units of a tile's side."""
    return 16384 if z == deepest else 4096


def check(good, text):
    if not good and len(problems) < 50:
        problems.append(text)


def mercator(longitude, latitude):
    return (longitude / 180 * HALF, math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2)) * 6378137)


def in_tile(longitude, latitude, z, x, y):
    """The position in units of a tile."""
    east, north = mercator(longitude, latitude)
    side = 2 * HALF / (1 << z)
    return ((east + HALF) / side - x) * extent(z), ((HALF - north) / side - y) * extent(z)


def rows(database, sql):
    database.row_factory = sqlite3.Row
    try:
        return {row["key"]: row for row in database.execute(sql)}
    except sqlite3.OperationalError:
        return {}


def is_point(row, start, end):
    return all(abs(row[start + axis] - row[end + axis]) < 0.00005 for axis in ["Longitude", "Latitude"])


def runways(database):
    """Numbered within their airports; those with two ends whose positions are known."""
    ends = ["baseEndLatitude", "baseEndLongitude", "reciprocalEndID", "reciprocalEndLatitude", "reciprocalEndLongitude"]
    numbers, found = defaultdict(int), {}
    for row in database.execute("SELECT a.id AS port, r.* FROM runways r JOIN airports a ON a.icao = r.airport ORDER BY r.airport, r.id"):
        if all(row[end] is not None for end in ends) and not is_point(row, "baseEnd", "reciprocalEnd"):
            found[row["port"] * 100 + numbers[row["port"]]] = row
        numbers[row["port"]] += 1
    return found


def notes(database):
    """Of each airport: what the tiles say of its frequencies and remarks."""
    found = {}
    for key, airport in database.execute("SELECT id, icao FROM airports"):
        uses = database.execute("SELECT type, frequency FROM frequencies WHERE airport = ? AND vhf = 1 ORDER BY number", (airport,))
        spoken = [f"{use} {frequency}" for use, frequency in uses if use != "other"]
        all_remarks = database.execute("SELECT subject, field, element, remark FROM remarks WHERE airport = ? ORDER BY number", (airport,))
        lines = [f"{element}: {text}" if element else text for subject, field, element, text in all_remarks
                 if subject in ("AIRPORT", "RUNWAY", "RUNWAY_END") and field != "ASP_ANLYS_DTRM_CODE"]
        place = database.execute("SELECT longitude, latitude FROM airports WHERE id = ?", (key,)).fetchone()
        found[key] = {"airport": airport, "frequencies": "; ".join(dict.fromkeys(spoken)) or None, "remarks": "\n".join(lines) or None,
                      "longitude": place[0], "latitude": place[1]}
    return found


class Layers:
    def __init__(self, database):
        self.rows = {
            "airports": rows(database, "SELECT id AS key, * FROM airports"),
            "navaids": rows(database, "SELECT id AS key, * FROM navaids"),
            "fixes": rows(database, "SELECT id AS key, * FROM fixes WHERE latitude < 85.05"),
            "obstacles": rows(database, "SELECT id AS key, * FROM obstacles"),
            "airspaces": rows(database, "SELECT id AS key, * FROM airspaces"),
            "runways": runways(database),
            "airportNotes": notes(database) if rows(database, "SELECT id AS key FROM airports") else {},
            "airways": rows(database, """
                SELECT s.id AS key, a.identifier, a.designation, s.* FROM airwaySegments s JOIN airways a ON a.id = s.airway
                WHERE toLatitude IS NOT NULL AND fromLatitude IS NOT NULL AND coalesce(isGap, 0) = 0"""),
        }
        self.rows["airways"] = {key: row for key, row in self.rows["airways"].items() if not is_point(row, "from", "to")}
        self.rows = {name: found for name, found in self.rows.items() if found}


SAME = {
    "airports": ["icao", "faaID", "name", "type", "use", "ownership", "status", "elevation", "longestRunway", "ctafFrequency", "city"],
    "airportNotes": ["airport", "frequencies", "remarks"],
    "navaids": ["identifier", "name", "type", "frequency", "channel", "status"],
    "fixes": ["identifier", "type", "region"],
    "obstacles": ["oas", "type", "heightAGL", "heightMSL", "quantity", "lighting"],
    "airspaces": ["class", "type", "name", "designator", "floorText", "ceilingText", "floorFeet", "ceilingFeet", "hours"],
    "runways": ["airport", "id", "length", "width", "surface", "lighting"],
    "airways": ["identifier", "designation", "fromPoint", "toPoint", "mea", "moca", "distance"],
}


def check_feature(name, feature, row, z, x, y):
    where = f"{name} {feature['id']} in {z}/{x}/{y}"
    for key in SAME[name]:
        value = feature["properties"].get(key)
        own, there = value, row[key]
        if key in ("name", "city") and None not in (own, there):
            # Names are in title case (McKeon), and in the database in capitals (MC KEON).
            own, there = (text.upper().replace(" ", "") for text in (own, there))
        check(own == there, f"{where}: {key} is {value}, not {row[key]}")
    if feature["geometry"]["type"] == "Point":
        across, down = in_tile(row["longitude"], row["latitude"], z, x, y)
        there = feature["geometry"]["coordinates"]
        check(abs(there[0] - across) <= 1 and abs(there[1] - down) <= 1, f"{where}: at {there}, not {across}, {down}")


def expected_size(name, row):
    """The area or length in square units or units of the deepest zoom, over all tiles."""
    unit = extent(deepest) * (1 << deepest) / (2 * HALF)
    if name == "airspaces":
        whole = shape(json.loads(row["geometry"]))
        return shapely.transform(whole, lambda points: [[c * unit for c in mercator(*point)] for point in points]).area
    ends = ["baseEnd", "reciprocalEnd"] if name == "runways" else ["from", "to"]
    (x, y), (u, v) = [mercator(row[e + "Longitude"], row[e + "Latitude"]) for e in ends]
    across = min(abs(x - u), 2 * HALF - abs(x - u))
    return math.hypot(across, y - v) * unit


database = sqlite3.connect(sys.argv[1])
layers = Layers(database)
archive = sqlite3.connect(sys.argv[2])
metadata = dict(archive.execute("SELECT name, value FROM metadata"))
deepest = int(metadata["maxzoom"])
check(metadata["format"] == "pbf", "the format is not pbf")
listed = {layer["id"]: layer for layer in json.loads(metadata["json"])["vector_layers"]}
check(set(listed) == set(layers.rows), f"the metadata lists {sorted(listed)}, the database has {sorted(layers.rows)}")

drawn = defaultdict(lambda: defaultdict(set))
sizes = defaultdict(float)
# Without the eastern and southern edge, which are also those of the next tiles.
square = shapely.box(0, 0, extent(deepest) - 0.001, extent(deepest) - 0.001)
home = defaultdict(set)
tiles = {}
areas = {"all": 0, "invalid": 0}
for z, x, tms, data in archive.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"):
    y = (1 << z) - 1 - tms
    tiles[z, x, y] = data
    decoded = mapbox_vector_tile.decode(gzip.decompress(data), default_options={"y_coord_down": True})
    check(decoded, f"{z}/{x}/{y} is empty")
    for name, layer in decoded.items():
        check(layer["extent"] == extent(z) and layer["version"] == 2, f"{name} in {z}/{x}/{y}: {layer['extent']}, {layer['version']}")
        check(listed[name]["minzoom"] <= z <= listed[name]["maxzoom"], f"{name} is in {z}/{x}/{y}")
        for feature in layer["features"]:
            check(set(feature["properties"]) <= set(listed[name]["fields"]), f"{name}: a property is not listed")
            drawn[name][z].add(feature["id"])
            row = layers.rows[name].get(feature["id"])
            check(row is not None, f"{name} {feature['id']} is not in the database")
            if z == deepest and row is not None:
                check_feature(name, feature, row, z, x, y)
                whole = shape(feature["geometry"])
                areas["all"] += name == "airspaces"
                if not whole.is_valid:
                    areas["invalid"] += 1
                    whole = shapely.make_valid(whole)
                part = whole.intersection(square)
                sizes[name, feature["id"]] += part.area if name == "airspaces" else part.length
                if feature["geometry"]["type"] == "Point" and all(0 <= c <= extent(z) for c in feature["geometry"]["coordinates"]):
                    home[name].add(feature["id"])

for name, found in layers.rows.items():
    missing = set(found) - drawn[name][deepest]
    check(not missing, f"{name}: {len(missing)} of {len(found)} are in no tile of zoom {deepest}")
    for z in range(int(metadata["minzoom"]), deepest):
        gone = drawn[name][z] - drawn[name][z + 1]
        check(not gone, f"{name}: {len(gone)} are at zoom {z} and not at {z + 1}")
    for key, row in found.items():
        if name in ("airspaces", "runways", "airways"):
            whole, there = expected_size(name, row), sizes[name, key]
            # Corners are rounded to units: along an edge of 100 units an area can change by half a percent.
            allowed = 0.02 * whole + 4 * math.sqrt(whole) + 4
            check(abs(whole - there) <= allowed, f"{name} {key}: {there} of {whole} (square) units")
        else:
            check(key in home[name], f"{name} {key} is not in the tile under it")

# Where GDAL repairs an area after rounding, its corners are rounded once more and can cross again.
check(areas["invalid"] <= 0.001 * areas["all"], f"{areas['invalid']} of {areas['all']} areas are not valid")

with open(sys.argv[3], "rb") as file:
    source = MmapSource(file)
    reader = Reader(source)
    header, streamed = reader.header(), reader.metadata()
    check(header["tile_type"].name == "MVT" and header["tile_compression"].name == "GZIP", f"the header says {header}")
    check(streamed["vector_layers"] == json.loads(metadata["json"])["vector_layers"], "PMTiles lists other layers")
    check({place: data for place, data in all_tiles(source)} == tiles, "PMTiles has other tiles")

print("\n".join(problems) or f"{len(tiles)} tiles agree with {sum(map(len, layers.rows.values()))} rows; {areas}")
sys.exit(1 if problems else 0)
