#!/usr/bin/env python3
"""Compares airports and runways of a built database, field by field, with the FAA's files that it was made of.

    compare_airports.py DATABASE SOURCE [AIRPORTS]

SOURCE is a subscription zip, the zip of tables in it, or a folder of tables. It shares no code and no table of codes with the program: all
is written down here once more, from the FAA's pages. Prints what differs and ends with 1, or says how much is the same.
"""

import csv
import io
import os
import sqlite3
import sys
import zipfile
from collections import Counter, defaultdict

KINDS = dict(A="airport", B="balloonport", C="seaplane", G="gliderport", H="heliport", U="ultralight", V="vertiport")
OWNERS = dict(PU="public", PR="private", MA="military", MN="military", MR="military", CG="military")
STATES = dict(O="operational", CI="closedIndefinitely", CP="closedPermanently")
JET = {"A", "A+", "A++", "A++10", "A1", "A1+", "B", "B+"}
SURFACES = dict(ASPH="asphalt", CONC="concrete", TURF="turf", GRAVEL="gravel", GRVL="gravel", DIRT="dirt", WATER="water",
                MATS="mats", TREATED="treated", TRTD="treated", ICE="ice", SNOW="snow", ROOF="rooftop", ROOFTOP="rooftop",
                WOOD="wood", METAL="metal", ALUMINUM="aluminum", STEEL="steel", SAND="sand", BRICK="brick", CORAL="coral",
                GRASS="turf", SOD="turf", DECK="deck", PFC="porous asphalt", PEM="macadam", PSP="steel planking",
                CALICHE="caliche", GRE="graded earth", NSTD="nonstandard", ALUM="aluminum", **{"ROOF-TOP": "rooftop"})
LIGHTS = dict(HIGH="high", MED="medium", LOW="low", NSTD="nonstandard", PERI="perimeter", FLD="flood", FLOOD="flood",
              STRB="strobe", STROBE="strobe")
MARKINGS = dict(PIR="precision", NPI="nonprecision", BSC="basic", NRS="numbersOnly", NSTD="nonstandard", BUOY="buoys",
                STOL="stol", NONE="none")
SERVED = {"A": "AIRPORT", "B": "BALLOONPORT", "C": "SEAPLANE BASE", "G": "GLIDERPORT", "H": "HELIPORT", "U": "ULTRALIGHT",
          "V": "VERTIPORT"}


def tables(source):
    """A way to the bytes of a table."""
    if os.path.isdir(source):
        return lambda name: open(os.path.join(source, name), "rb").read()
    archive = zipfile.ZipFile(source)
    inner = [name for name in archive.namelist() if name.endswith("_CSV.zip") and "-" not in os.path.basename(name)]
    if inner:
        archive = zipfile.ZipFile(io.BytesIO(archive.read(inner[0])))
    return archive.read


def rows(raw):
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    for row in csv.DictReader(io.StringIO(text, newline="")):
        if (row.get("EFF_DATE") or "").strip():
            yield {name: (value or "").strip() for name, value in row.items() if name}


def word(codes, code):
    return codes.get(code, code.lower()) if code else None


def number(text):
    return float(text) if text else None


def text(value):
    return value or None


def variation(row):
    degrees = number(row["MAG_VARN"])
    if degrees is None or degrees == 0 or row["MAG_HEMIS"] == "E":
        return degrees
    return -degrees if row["MAG_HEMIS"] == "W" else None


def fuels(codes):
    parts = codes.replace("/", ",").replace(" ", ",").split(",")
    return "[" + ",".join(f'"{"Jet" + part if part in JET else part}"' for part in parts if part) + "]"


def expected_airport(row):
    return {
        "faaID": row["ARPT_ID"], "siteNumber": row["SITE_NO"], "siteType": row["SITE_TYPE_CODE"],
        "name": row["ARPT_NAME"] or row["ARPT_ID"], "city": text(row["CITY"]), "state": text(row["STATE_CODE"]),
        "country": text(row["COUNTRY_CODE"]), "latitude": number(row["LAT_DECIMAL"]), "longitude": number(row["LONG_DECIMAL"]),
        "elevation": number(row["ELEV"]), "type": word(KINDS, row["SITE_TYPE_CODE"]),
        "ownership": word(OWNERS, row["OWNERSHIP_TYPE_CODE"]), "use": word(OWNERS, row["FACILITY_USE_CODE"]),
        "status": word(STATES, row["ARPT_STATUS"]), "artccID": text(row["RESP_ARTCC_ID"]), "fssID": text(row["FSS_ID"]),
        "magneticVariation": variation(row), "patternAltitude": number(row["TPA"]), "fuelTypes": fuels(row["FUEL_TYPES"]),
        "hasBeaconLight": int(row["BCN_LENS_COLOR"] not in ("", "N", "NONE")),
        "isTowered": int(row["TWR_TYPE_CODE"] not in ("", "NON-ATCT")), "chart": text(row["CHART_NAME"]),
        "effectiveDate": row["EFF_DATE"].replace("/", "-"),
    }


def surface(code):
    if not code or code in SURFACES:
        return word(SURFACES, code)
    parts = [SURFACES.get(part) for part in code.replace("/", "-").split("-")]
    return "-".join(parts) if all(parts) else code.lower()


def expected_runway(row, airport):
    lights = None if row["RWY_LGT_CODE"] in ("", "NONE") else word(LIGHTS, row["RWY_LGT_CODE"])
    burning = "fullTime" if airport["LGT_SKED"] == "SS-SR" else "partTime"
    base, _, reciprocal = row["RWY_ID"].partition("/")
    return {
        "length": int(number(row["RWY_LEN"]) or 0) or None, "width": int(number(row["RWY_WIDTH"]) or 0) or None,
        "surface": surface(row["SURFACE_TYPE_CODE"]), "condition": text(row["COND"].lower()), "edgeLights": lights,
        "lighting": burning if lights else "none", "baseEndID": base, "reciprocalEndID": text(reciprocal),
    }


def expected_end(side, row):
    both = row["LAT_DECIMAL"] and row["LONG_DECIMAL"]
    threshold = number(row["DISPLACED_THR_LEN"])
    return {side + name: value for name, value in {
        "Latitude": number(row["LAT_DECIMAL"]) if both else None, "Longitude": number(row["LONG_DECIMAL"]) if both else None,
        "Elevation": number(row["RWY_END_ELEV"]), "TouchdownElevation": number(row["TDZ_ELEV"]),
        "TrueHeading": number(row["TRUE_ALIGNMENT"]), "DisplacedThreshold": None if threshold is None else int(threshold),
        "Traffic": {"": None, "Y": "right"}.get(row["RIGHT_HAND_TRAFFIC_PAT_FLAG"], "left"),
        "VGSI": None if row["VGSI_CODE"] in ("", "N", "NONE") else row["VGSI_CODE"],
        "Marking": word(MARKINGS, row["RWY_MARKING_TYPE_CODE"]),
    }.items()}


def common(frequencies, airport, use):
    """All that may be the airport's frequency of that use: a civil one with a station that answers."""
    found = set()
    for row in frequencies[airport["ARPT_ID"]]:
        same_state = not row["SERVICED_STATE"] or not airport["STATE_CODE"] or row["SERVICED_STATE"] == airport["STATE_CODE"]
        if row["SERVICED_SITE_TYPE"] == SERVED[airport["SITE_TYPE_CODE"]] and same_state and use in row["FREQ_USE"].split():
            plain = row["FREQ"].split("/")[0]
            if plain.replace(".", "").isdigit() and 118 <= float(plain) <= 137:
                found.add(float(plain))
    return found


class Comparison:
    def __init__(self, database, source):
        self.database = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        self.database.row_factory = sqlite3.Row
        read = tables(source)
        self.airports = {(r["SITE_NO"], r["SITE_TYPE_CODE"]): r for r in rows(read("APT_BASE.csv"))}
        self.runways, self.ends, self.frequencies = defaultdict(list), defaultdict(list), defaultdict(list)
        for row in rows(read("APT_RWY.csv")):
            self.runways[row["SITE_NO"], row["SITE_TYPE_CODE"]].append(row)
        for row in rows(read("APT_RWY_END.csv")):
            self.ends[row["SITE_NO"], row["SITE_TYPE_CODE"], row["RWY_ID"]].append(row)
        for row in rows(read("FRQ.csv")):
            self.frequencies[row["SERVICED_FACILITY"]].append(row)
        self.names = Counter(r["ICAO_ID"] or r["ARPT_ID"] for r in self.airports.values())
        self.fields, self.differences = 0, []

    def expect(self, where, found, expected):
        for name, value in expected.items():
            self.fields += 1
            if found[name] != value:
                self.differences.append(f"{where} {name}: {found[name]!r}, the FAA has {value!r}")

    def airport(self, key):
        row = self.airports[key]
        found = self.database.execute("SELECT * FROM airports WHERE siteNumber = ? AND siteType = ?", key).fetchone()
        if found is None:
            self.differences.append(f"{key} is missing")
            return
        expected = expected_airport(row)
        name = row["ICAO_ID"] or row["ARPT_ID"]
        if self.names[name] == 1:
            expected["icao"] = name
        land = [r for r in self.runways[key] if r["SURFACE_TYPE_CODE"] != "WATER"]
        lengths = [int(number(r["RWY_LEN"]) or 0) for r in land or self.runways[key]]
        expected["longestRunway"] = max(lengths, default=0) or None
        for column, use in (("ctafFrequency", "CTAF"), ("unicomFrequency", "UNICOM")):
            choices = common(self.frequencies, row, use)
            if not choices or found[column] not in choices:
                expected[column] = next(iter(choices), None)
        self.expect(found["icao"], found, expected)
        self.airport_runways(key, found["icao"])

    def airport_runways(self, key, icao):
        found = {r["id"]: r for r in self.database.execute("SELECT * FROM runways WHERE airport = ?", (icao,))}
        if sorted(found) != sorted({r["RWY_ID"] for r in self.runways[key]}):
            self.differences.append(f"{icao} has the runways {sorted(found)}")
            return
        for row in self.runways[key]:
            expected = expected_runway(row, self.airports[key])
            for end in self.ends[key + (row["RWY_ID"],)]:
                side = {expected["baseEndID"]: "baseEnd", expected["reciprocalEndID"]: "reciprocalEnd"}[end["RWY_END_ID"]]
                expected |= expected_end(side, end)
            self.expect(f"{icao} {row['RWY_ID']}", found[row["RWY_ID"]], expected)


def main():
    comparison = Comparison(sys.argv[1], sys.argv[2])
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    keys = sorted(comparison.airports)
    chosen = keys[::max(1, len(keys) // wanted)]
    for key in chosen:
        comparison.airport(key)
    print("\n".join(comparison.differences[:50]) or f"{len(chosen)} airports, {comparison.fields} fields: all the same")
    sys.exit(bool(comparison.differences))


main()
