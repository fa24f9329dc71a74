"""Reads airports.db as RZFlight's library does, and prints what an app would see of some airports, as JSON.

    python3 rzflight_reader.py airports.db KPAO EDNY ...

The library takes all airports into memory, drops those without an identity, and reads columns by name with a value of its own
where there is none: 0 for a position or a heading, an empty text for a surface. Types and dates that it does not know are
nothing to it.
"""
import datetime
import json
import sqlite3
import sys

TYPES = {"balloonport", "closed", "large_airport", "medium_airport", "seaplane_base", "small_airport"}
CONTINENTS = {"AF", "AN", "AS", "EU", "NA", "OC", "SA"}
SECTIONS = {"admin", "operational", "handling", "passenger"}
HARD = ("asphalt", "concrete", "paved", "hard")


def date(text):
    try:
        return datetime.datetime.strptime(text or "", "%Y-%m-%dT%H:%M:%SZ").isoformat()
    except ValueError:
        return None


def runway(row):
    def end(side):
        return {"ident": row[side + "_ident"], "heading": row[side + "_heading_degT"] or 0.0,
                "latitude": row[side + "_latitude_deg"], "longitude": row[side + "_longitude_deg"],
                "displaced": row[side + "_displaced_threshold_ft"]}

    surface = row["surface"] or ""
    return {"length": int(row["length_ft"] or 0), "width": int(row["width_ft"] or 0), "surface": surface,
            "isHard": any(word in surface.lower() for word in HARD), "lighted": bool(row["lighted"]),
            "closed": bool(row["closed"]), "le": end("le"), "he": end("he")}


def airport(database, row):
    icao = row["icao_code"]
    entries = database.execute("SELECT * FROM aip_entries WHERE airport_icao = ?", [icao]).fetchall()
    text = " ".join(entry["value"] or "" for entry in entries).upper()
    border = database.execute(
        "SELECT COUNT(*) as count FROM border_crossing_points WHERE matched_airport_icao = ? OR icao_code = ?",
        [icao, icao]).fetchone()["count"]
    runways = database.execute("SELECT * FROM runways WHERE airport_icao = ?", [icao]).fetchall()
    procedures = database.execute("SELECT * FROM procedures WHERE airport_icao = ?", [icao]).fetchall()
    return {
        "name": row["name"] or icao, "type": row["type"] if row["type"] in TYPES else "none",
        "latitude": row["latitude_deg"] or 0.0, "longitude": row["longitude_deg"] or 0.0,
        "elevation": int(row["elevation_ft"] or 0),
        "continent": row["continent"] if row["continent"] in CONTINENTS else "none",
        "country": row["iso_country"] or "", "region": row["iso_region"] or "",
        "sources": (row["sources"] or "").split(","), "updated": date(row["updated_at"]),
        "runways": [runway(each) for each in runways], "procedures": len(procedures),
        "entries": {entry["std_field_id"]: [entry["section"] if entry["section"] in SECTIONS else "operational",
                                            entry["value"]] for entry in entries},
        "hasJetA": "JET" in text, "hasAvgas": "AVGAS" in text or "100LL" in text, "isBorderCrossing": border > 0,
    }


def main():
    database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    known = {row["icao_code"]: row for row in database.execute("SELECT * FROM airports") if row["icao_code"]}
    assert database.execute("SELECT name FROM sqlite_master WHERE type='table' AND name='waypoints'").fetchone()
    waypoints = {row["name"]: row["point_type"] for row in database.execute("SELECT * FROM waypoints")}
    crossings = database.execute("SELECT DISTINCT icao_code, matched_airport_icao FROM border_crossing_points")
    print(json.dumps({
        "count": len(known), "waypoints": waypoints, "crossings": sorted(row["icao_code"] for row in crossings),
        "airports": {icao: airport(database, known[icao]) for icao in sys.argv[2:] if icao in known}}))


main()
