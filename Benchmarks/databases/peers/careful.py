"""A careful script with Python's own modules: typed columns, indexes, an R-tree and a full-text index."""

import csv
import os
import sqlite3
import sys

NUMBERS = ("LATDEC", "LONDEC", "AGL", "AMSL", "QUANTITY", "DECIMAL", "ELEV", "_LEN", "_WIDTH", "TPA", "MAG_VARN", "DEG", "MIN", "SEC", "ACREAGE", "TRUE_ALIGNMENT")
INDEXES = {"APT_BASE": ["ARPT_ID", "ICAO_ID", "SITE_NO, SITE_TYPE_CODE"], "APT_RWY": ["SITE_NO, SITE_TYPE_CODE"],
           "APT_RWY_END": ["SITE_NO, SITE_TYPE_CODE"], "APT_RMK": ["SITE_NO, SITE_TYPE_CODE"], "FIX_BASE": ["FIX_ID"],
           "NAV_BASE": ["NAV_ID"], "FRQ": ["SERVICED_FACILITY"], "DOF": ["OAS"]}


def load(database, path):
    name = os.path.basename(path)[:-4]
    with open(path, encoding="latin-1", newline="") as file:
        rows = csv.reader(file)
        header = [column.replace(" ", "_") for column in next(rows)]
        numeric = [column.endswith(NUMBERS) for column in header]
        database.execute(f"CREATE TABLE {name}({', '.join(c + ' REAL' * n for c, n in zip(header, numeric))})")
        typed = ([(float(value) if number else value.strip()) if value else None for value, number in zip(row, numeric)]
                 for row in rows if len(row) == len(header))
        database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(header))})", typed)
    for number, columns in enumerate(INDEXES.get(name, [])):
        database.execute(f"CREATE INDEX {name}_{number} ON {name}({columns})")


def boxes(database):
    database.execute("CREATE VIRTUAL TABLE obstacles_rtree USING rtree(id, minLat, maxLat, minLon, maxLon)")
    database.execute("INSERT INTO obstacles_rtree SELECT rowid, LATDEC, LATDEC, LONDEC, LONDEC FROM DOF")


def search(database):
    database.execute("CREATE VIRTUAL TABLE airports_rtree USING rtree(id, minLat, maxLat, minLon, maxLon)")
    database.execute("INSERT INTO airports_rtree SELECT rowid, LAT_DECIMAL, LAT_DECIMAL, LONG_DECIMAL, LONG_DECIMAL FROM APT_BASE")
    database.execute("CREATE VIRTUAL TABLE airports_fts USING fts5(ICAO_ID, ARPT_ID, ARPT_NAME, CITY, content='APT_BASE', prefix='2')")
    database.execute("INSERT INTO airports_fts(airports_fts) VALUES ('rebuild')")


with sqlite3.connect(sys.argv[1]) as database:
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    for path in sys.argv[2:]:
        load(database, path)
    boxes(database) if path.endswith("DOF.csv") else search(database)
