"""Puts a folder of Z/X/Y tiles into an MBTiles file, in the simplest way.

    pack_tiles.py FOLDER OUT.mbtiles
"""

import os
import sqlite3
import sys


def tiles(folder):
    for zoom in filter(str.isdigit, os.listdir(folder)):
        for column in os.listdir(f"{folder}/{zoom}"):
            for name in os.listdir(f"{folder}/{zoom}/{column}"):
                row = name.split(".")[0]
                if row.isdigit() and name.endswith((".png", ".webp")):
                    with open(f"{folder}/{zoom}/{column}/{name}", "rb") as file:
                        yield int(zoom), int(column), (1 << int(zoom)) - 1 - int(row), file.read()


def main():
    folder, out = sys.argv[1:]
    database = sqlite3.connect(out)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    database.execute(
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", tiles(folder))
    database.execute("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
    database.commit()


main()
