"""Runs the stored query airportsNearest in SQLite as Python has it, and compares its rows with an exhaustive search.

usage: check_nearest.py DATABASE

The places and the airports around them are random, with many near the poles, in Alaska, Guam and Samoa, and on both sides of 180 degrees. Nothing is shared with
the program: the distance is the haversine of Python's math functions.
"""

import math
import random
import sqlite3
import sys

AIRPORTS, PLACES = 2200, 1000


def airports(chance):
    areas = [(25, 49, -125, -67, 1000), (51, 71, -180, -130, 400), (50, 55, 172, 180, 60), (13, 16, 144, 146, 20), (-15, -11, -173, -168, 20),
             (-20, -15, 177, 180, 60), (-20, -15, -180, -177, 60), (80, 90, -180, 180, 40), (-90, -75, -180, 180, 40), (-60, 75, -180, 180, 400)]
    points = [(chance.uniform(south, north), chance.uniform(west, east)) for south, north, west, east, count in areas for _ in range(count)]
    points += [(90, 0), (-90, 45), (0, 180), (0, -180), (10, 180), (10, -180), (52, 179.9999999), (52, -179.9999999)]
    points += [(37.46, -122.11)] * 30  # more at one position than are asked for
    return points[:AIRPORTS]


def places(chance):
    kinds = [
        lambda: (chance.uniform(51, 72), chance.uniform(-180, -130)), lambda: (chance.uniform(50, 55), chance.uniform(165, 195)),
        lambda: (chance.gauss(13.4, 3), chance.gauss(144.8, 3)), lambda: (chance.gauss(-14.3, 3), chance.gauss(-170.7, 6)),
        lambda: (chance.uniform(-90, 90), chance.choice([180, -180, 179.9999, -179.9999, chance.uniform(178, 182)])),
        lambda: (chance.choice([90, -90, 89.99999, -89.99999, chance.uniform(78, 90), chance.uniform(-90, -78)]), chance.uniform(-180, 180)),
        lambda: (chance.uniform(25, 49), chance.uniform(-125, -67)), lambda: (chance.uniform(-90, 90), chance.uniform(-720, 720)),
    ]
    return [kinds[number % len(kinds)]() for number in range(PLACES)]


def haversine(one, other):
    (south, west), (north, east) = [[math.radians(value) for value in point] for point in (one, other)]
    return math.sin((north - south) / 2) ** 2 + math.cos(south) * math.cos(north) * math.sin((east - west) / 2) ** 2


def angle(value):
    return 2 * math.asin(min(1, math.sqrt(value)))


def main():
    chance = random.Random(16)
    with sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True) as built:
        (query,) = built.execute("SELECT sql FROM queries WHERE name = 'airportsNearest'").fetchone()
    database, points = sqlite3.connect(":memory:"), airports(chance)
    database.execute("CREATE TABLE airports (id INTEGER PRIMARY KEY, latitude REAL, longitude REAL)")
    database.execute("CREATE VIRTUAL TABLE airports_rtree USING rtree(id, minLat, maxLat, minLon, maxLon)")
    database.executemany("INSERT INTO airports VALUES (?, ?, ?)", [(number, *point) for number, point in enumerate(points)])
    database.execute("INSERT INTO airports_rtree SELECT id, latitude, latitude, longitude, longitude FROM airports")
    wrong = 0
    for place in places(chance):
        rows = chance.choice([1, 2, 5, 20, 50])
        found = [row[0] for row in database.execute(query, (*place, rows))]
        best = sorted(haversine(place, point) for point in points)[:rows]
        distances = [haversine(place, points[number]) for number in found]
        isRight = len(set(found)) == rows and all(abs(angle(a) - angle(b)) < 1e-9 for a, b in zip(distances, best))
        if not isRight:
            wrong += 1
            print(f"{rows} nearest to {place}: {found}")
    # As text, more than there are, none, and a place that is none.
    assert len(database.execute(query, ("61.2", "-149.9", "5")).fetchall()) == 5
    assert len(database.execute(query, (61.2, -149.9, len(points) + 1)).fetchall()) == len(points)
    assert len(database.execute(query, (61.2, -149.9, None)).fetchall()) == 20
    assert not database.execute(query, (61.2, -149.9, 0)).fetchall()
    assert not database.execute(query, (None, None, 5)).fetchall()
    return 1 if wrong else 0


sys.exit(main())
