#!/usr/bin/env python3
"""Makes a NASR cycle of full size: every table that the databases are made of, with as many rows as the FAA's own.

    full_cycle.py --tables ZIP --airways ZIP --routes DIR --sample SUBSCRIPTION.zip --folder DIR

--tables has APT_BASE, APT_RWY, FIX_BASE and NAV_BASE.csv of one cycle, --airways AWY_SEG, DP_RTE,
DP_APT, STAR_RTE and STAR_APT.csv: these rows are the FAA's. --routes is optional: a folder with holding patterns and preferred routes,
see routes.py. The sample is
a subscription with some real rows of every table. Each other table gets the number of rows below; a row is a sample row whose keys are
those of a real airport, fix or navaid, so that all references resolve. Texts are mixed from two sample rows, which keeps their length and
their words. The numbers are the FAA's published counts where `COUNTS` says so, and the sample's times 21 (441 for tables that were
sampled by row and by parent) where it does not. The same input gives the same bytes.
"""

import argparse
import csv
import datetime
import io
import math
import os
import random
import sys
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import grow_cycle  # noqa: E402
import routes  # noqa: E402

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "AeroTests", "Fixtures", "2602-tables")
DAY = datetime.date(2023, 4, 20)
SITE = ["SITE_NO", "SITE_TYPE_CODE", "STATE_CODE", "ARPT_ID", "CITY", "COUNTRY_CODE"]
ILS = SITE + ["RWY_END_ID", "ILS_LOC_ID", "SYSTEM_TYPE_CODE"]
CONTROL = ["SITE_NO", "SITE_TYPE_CODE", "FACILITY_TYPE", "STATE_CODE", "FACILITY_ID", "CITY", "COUNTRY_CODE"]
NAVAID = ["NAV_ID", "NAV_TYPE", "STATE_CODE", "CITY", "COUNTRY_CODE"]
FIX = ["FIX_ID", "ICAO_REGION_CODE", "STATE_CODE", "COUNTRY_CODE"]
ROUTE = ["ROUTE_TYPE_CODE", "ROUTE_ID", "ARTCC"]
PLACE = ["LAT_DECIMAL", "LONG_DECIMAL"]
# Texts that are mixed from two rows.
PROSE = {"REMARK", "NAME", "ADDRESS1", "SOP_TEXT", "SEGMENT_TEXT", "WIDTH_TEXT", "TERRAIN_TEXT", "DESCRIPTION", "TIME_OF_USE",
         "AIRSPACE_HRS", "MIL_OPS_HRS", "CHK_DESC", "PJA_USER", "AGENCY_NAME", "FAC_NAME", "HOUR", "TWR_HRS", "APCH_P_PROVIDER"}
# Published: FRQ, APT_RMK, AWOS, ATC_BASE, CLS_ARSP, COM, FSS_BASE, LID, MAA_BASE, MTR_BASE, PJA_BASE, WXL_BASE, ILS_BASE, ARB_BASE.
COUNTS = {
    "APT_RMK": 90_000, "APT_ATT": 16_800, "APT_CON": 36_600, "APT_ARS": 500, "FRQ": 40_600, "AWOS": 2_600, "CLS_ARSP": 960,
    "MIL_OPS": 190, "RDR": 380, "ATC_BASE": 3_600, "ATC_RMK": 2_650, "ATC_SVC": 440, "ATC_ATIS": 600, "ILS_BASE": 1_560, "ILS_GS": 1_400,
    "ILS_DME": 900, "ILS_MKR": 880, "ILS_RMK": 2_650, "NAV_RMK": 1_760, "NAV_CKPT": 1_000, "FIX_NAV": 24_700, "COM": 1_800, "FSS_BASE": 75,
    "FSS_RMK": 150, "PJA_BASE": 690, "PJA_CON": 690, "MAA_BASE": 170, "MAA_SHP": 880, "MAA_CON": 170, "MAA_RMK": 170, "MTR_BASE": 520,
    "MTR_PT": 6_600, "MTR_SOP": 20_700, "MTR_WDTH": 2_200, "MTR_TERR": 880, "MTR_AGY": 525, "ARB_BASE": 38, "ARB_SEG": 3_400,
    "WXL_BASE": 3_400, "WXL_SVC": 9_700, "LID": 31_200,
}


class Cycle:
    """The finished tables of the cycle, and the sample for their rows."""

    def __init__(self, tables, sample, chance):
        self.headers, self.tables, self.sample, self.chance = {}, {}, sample, chance
        for name, (header, made) in tables.items():
            self.add(name, header, made)

    def add(self, name, header, made):
        for row in made:
            row["EFF_DATE"] = f"{DAY:%Y/%m/%d}"
        self.headers[name], self.tables[name] = header, made

    def grow(self, name, parents, key, sequence=None, step=1, change=None):
        """A table of COUNTS[name] rows, spread evenly over the parents; `change` sets what identifies a row."""
        header, templates = self.sample[name]
        count, made, number, last = COUNTS[name], [], 0, None
        for index in range(count):
            parent = parents[index * len(parents) // count]
            number = number + 1 if parent is last else 1
            last = parent
            row = dict(templates[index % len(templates)])
            self.mix(row, templates)
            row |= {column: parent[column] for column in key if column in header and column in parent}
            if sequence:
                row[sequence] = number * step
            if change:
                change(row, parent, number)
            made.append(row)
        self.add(name, header, made)
        return made

    def mix(self, row, templates):
        other = templates[self.chance.randrange(len(templates))]
        for column in PROSE & row.keys():
            words, others = (row[column] or "").split(" "), (other[column] or "").split(" ")
            if len(words) > 1 and len(others) > 1:
                row[column] = " ".join(words[:len(words) // 2] + others[len(others) // 2:])

    def encoded(self):
        return {name: grow_cycle.table(self.headers[name], rows) for name, rows in self.tables.items()}


def parsed(raw):
    text = raw.decode("latin-1").removeprefix("\xef\xbb\xbf")
    reader = csv.DictReader(io.StringIO(text))
    made = [row for row in reader if row.get("EFF_DATE") or "EFF_DATE" not in reader.fieldnames]
    return [name.strip() for name in reader.fieldnames], made


def members(archive):
    with zipfile.ZipFile(archive) as source:
        return {os.path.basename(name)[:-4]: parsed(source.read(name)) for name in source.namelist()
                if name.endswith(".csv") and "STRUCTURE" not in name}


def sample_tables(path):
    """The sample's rows, or those of the tests for a table without any."""
    with zipfile.ZipFile(path) as outer:
        inner = next(name for name in outer.namelist() if name.endswith("_CSV.zip"))
        found = members(io.BytesIO(outer.read(inner)))
    for name in COUNTS:
        if not found.get(name, (None, []))[1]:
            with open(os.path.join(TEMPLATES, name + ".csv"), "rb") as file:
                found[name] = parsed(file.read())
    return found


def runway_ends(cycle):
    """Two ends of each real runway; other values come from the sample, and heliports' ends have little."""
    airports, runways = cycle.tables["APT_BASE"], cycle.tables["APT_RWY"]
    header, made = parsed(grow_cycle.runway_ends(airports, runways, DAY))
    templates = [row for folder in ("samples/nasr-rows", "Tests/AeroTests/Fixtures/2304")
                 for row in parsed(open(os.path.join(TEMPLATES, "../../../..", folder, "APT_RWY_END.csv"), "rb").read())[1]]
    kept = set(SITE + PLACE + ["EFF_DATE", "RWY_ID", "RWY_END_ID", "TRUE_ALIGNMENT", "RWY_END_ELEV"])
    for index, row in enumerate(made):
        if not row["RWY_ID"].startswith("H"):
            template = templates[index % len(templates)]
            row |= {name: template.get(name, "") for name in header if name not in kept and not name.startswith(("RWY_END_LAT", "RWY_END_LONG"))}
    cycle.add("APT_RWY_END", header, made)


def airport_tables(cycle):
    airports = cycle.tables["APT_BASE"]
    busy = [row for row in airports if row["ICAO_ID"]]

    def remark(row, _, number):
        row |= {"LEGACY_ELEMENT_NUMBER": f"A110-{number}", "REF_COL_SEQ_NO": number}

    cycle.grow("APT_RMK", airports, SITE, change=remark)
    cycle.grow("APT_ATT", airports, SITE, "SKED_SEQ_NO")
    cycle.grow("APT_CON", airports, SITE)
    ends = [row for row in cycle.tables["APT_RWY_END"] if row["RWY_ID"][:1].isdigit()]
    cycle.grow("APT_ARS", ends, SITE + ["RWY_ID", "RWY_END_ID"])
    cycle.grow("CLS_ARSP", busy, SITE)
    cycle.grow("MIL_OPS", busy, SITE)
    cycle.grow("RDR", busy, SITE, change=lambda row, parent, _: row.update(FACILITY_ID=parent["ARPT_ID"]))
    cycle.grow("AWOS", busy, SITE + PLACE, change=lambda row, parent, number: row.update(
        ASOS_AWOS_ID=parent["ARPT_ID"], ELEV=parent["ELEV"]))
    cycle.grow("WXL_BASE", airports, SITE + PLACE, change=lambda row, parent, _: row.update(WEA_ID=parent["ARPT_ID"]))
    cycle.grow("WXL_SVC", cycle.tables["WXL_BASE"], ["WEA_ID", "CITY", "STATE_CODE", "COUNTRY_CODE"])
    cycle.grow("PJA_BASE", busy, SITE + PLACE, change=lambda row, parent, number: row.update(
        LATITUDE="", LONGITUDE="", PJA_ID=f"P{parent['STATE_CODE'] or 'ZZ'}{number}{parent['ARPT_ID']}"))
    cycle.grow("PJA_CON", cycle.tables["PJA_BASE"], ["PJA_ID"])
    cycle.grow("LID", airports, ["STATE_CODE", "CITY"], change=lambda row, parent, _: row.update(
        LOC_ID=parent["ARPT_ID"], STATE=parent["STATE_CODE"]))
    return busy


def control_tables(cycle, busy):
    airports = cycle.tables["APT_BASE"]
    others = [row for row in airports if not row["ICAO_ID"]]
    served = busy + others[:COUNTS["ATC_BASE"] - len(busy)]
    cycle.grow("ATC_BASE", served, SITE, change=lambda row, parent, _: row.update(
        FACILITY_ID=parent["ARPT_ID"], ICAO_ID=parent["ICAO_ID"], FACILITY_NAME=parent["ARPT_NAME"]))
    cycle.grow("ATC_RMK", cycle.tables["ATC_BASE"], CONTROL, "REMARK_NO")
    cycle.grow("ATC_SVC", cycle.tables["ATC_BASE"], CONTROL)
    cycle.grow("ATC_ATIS", cycle.tables["ATC_BASE"], CONTROL, "ATIS_NO")
    stations = sorted({row["FSS_ID"] for row in airports if row["FSS_ID"]})
    cycle.grow("FSS_BASE", [{"FSS_ID": name} for name in stations], [], change=lambda row, parent, number: row.update(
        FSS_ID=parent["FSS_ID"] if number == 1 else f"{parent['FSS_ID']}{number}"))
    cycle.grow("FSS_RMK", cycle.tables["FSS_BASE"], ["FSS_ID"], "REF_COL_SEQ_NO")
    cycle.grow("COM", busy, SITE + PLACE, change=lambda row, parent, _: row.update(
        COMM_LOC_ID=parent["ARPT_ID"], FACILITY_ID=parent["FSS_ID"], COMM_OUTLET_NAME=parent["ARPT_NAME"][:30]))


def landing_systems(cycle, busy):
    sites = {row["SITE_NO"] for row in busy}
    runways = [row for row in cycle.tables["APT_RWY"] if row["SITE_NO"] in sites and row["RWY_ID"][:2].isdigit()]
    longest = sorted(runways, key=lambda row: -float(row["RWY_LEN"] or 0))[:COUNTS["ILS_BASE"]]
    cycle.grow("ILS_BASE", longest, SITE, change=lambda row, parent, _: row.update(
        RWY_END_ID=parent["RWY_ID"].split("/")[0], ILS_LOC_ID=parent["ARPT_ID"], RWY_LEN=parent["RWY_LEN"]))
    for name in ("ILS_GS", "ILS_DME", "ILS_MKR"):
        cycle.grow(name, cycle.tables["ILS_BASE"], ILS)
    cycle.grow("ILS_RMK", cycle.tables["ILS_BASE"], ILS, "REF_COL_SEQ_NO")


def en_route(cycle, segments):
    fixes, navaids = cycle.tables["FIX_BASE"], cycle.tables["NAV_BASE"]
    charted = cycle.sample["FIX_BASE"][1]
    for index, row in enumerate(fixes):
        template = charted[index % len(charted)]
        row |= {"CHARTS": template["CHARTS"], "COMPULSORY": template["COMPULSORY"]}
    cycle.headers["FIX_BASE"] = cycle.headers["FIX_BASE"] + ["COMPULSORY", "CHARTS"]
    cycle.add("FIX_CHRT", cycle.sample["FIX_CHRT"][0], [
        {column: row[column] for column in FIX} | {"CHARTING_TYPE_DESC": chart.strip()}
        for row in fixes for chart in row["CHARTS"].split(",") if chart.strip()])
    cycle.grow("FIX_NAV", fixes, FIX, change=lambda row, parent, number: row.update(
        {column: navaids[(number + len(parent["FIX_ID"]) + ord(parent["FIX_ID"][0]) * 17) % len(navaids)][column]
         for column in ("NAV_ID", "NAV_TYPE")}))
    cycle.grow("NAV_RMK", navaids, NAVAID, "REF_COL_SEQ_NO")
    cycle.grow("NAV_CKPT", navaids, NAVAID, change=lambda row, parent, number: row.update(ALTITUDE=500 + 100 * number, ARPT_ID=""))
    airways(cycle, segments)


def airways(cycle, segments):
    """Real segments, whose points and courses have other names since 2024, with altitudes of the sample."""
    header, templates = cycle.sample["AWY_SEG_ALT"]
    made, strings = [], {}
    for index, old in enumerate(segments):
        row = dict(templates[index % len(templates)]) | {column: old[column] for column in header if column in old}
        made.append(row | {"FROM_POINT": old["SEG_VALUE"], "FROM_PT_TYPE": old["SEG_TYPE"], "TO_POINT": old["NEXT_SEG"],
                           "NEXT_MEA_PT": old["NEXT_SEG"]})
        strings.setdefault((old["AWY_ID"], old["AWY_LOCATION"], old["REGULATORY"]), []).append(old["SEG_VALUE"])
    cycle.add("AWY_SEG_ALT", header, made)
    header, templates = cycle.sample["AWY_BASE"]
    cycle.add("AWY_BASE", header, [
        templates[index % len(templates)] | {"AWY_ID": name, "AWY_LOCATION": place, "REGULATORY": regulatory,
                                             "AIRWAY_STRING": " ".join(points)}
        for index, ((name, place, regulatory), points) in enumerate(strings.items())])


def areas(cycle, busy):
    cycle.grow("MAA_BASE", busy, ["STATE_CODE", "CITY"], change=lambda row, parent, _: row.update(MAA_ID=f"A{parent['ARPT_ID']}"))
    cycle.grow("MAA_SHP", cycle.tables["MAA_BASE"], ["MAA_ID"], "POINT_SEQ", change=corner)
    cycle.grow("MAA_CON", cycle.tables["MAA_BASE"], ["MAA_ID"], "FREQ_SEQ")
    cycle.grow("MAA_RMK", cycle.tables["MAA_BASE"], ["MAA_ID"], "REF_COL_SEQ_NO")
    numbers = iter(range(1, COUNTS["MTR_BASE"] + 1))
    cycle.grow("MTR_BASE", busy, [], change=lambda row, _, __: row.update(ROUTE_ID=f"{next(numbers):03}"))
    routes = cycle.tables["MTR_BASE"]
    for name, sequence in (("MTR_SOP", "SOP_SEQ_NO"), ("MTR_WDTH", "WIDTH_SEQ_NO"), ("MTR_TERR", "TERRAIN_SEQ_NO")):
        cycle.grow(name, routes, ROUTE, sequence, 5)
    cycle.grow("MTR_AGY", routes, ROUTE)
    cycle.grow("MTR_PT", routes, ROUTE, "ROUTE_PT_SEQ", 10, lambda row, _, number: row.update(ROUTE_PT_ID=f"A{number}"))
    cycle.grow("ARB_BASE", sorted({row["RESP_ARTCC_ID"]: row for row in busy}.values(), key=lambda row: row["RESP_ARTCC_ID"]),
               PLACE, change=lambda row, parent, number: row.update(
                   LOCATION_ID=parent["RESP_ARTCC_ID"] + "ABCDEFGH"[number - 1] * (number > 1)))
    cycle.grow("ARB_SEG", cycle.tables["ARB_BASE"], ["LOCATION_ID"], "POINT_SEQ", 10, boundary_point)


def corner(row, _, number):
    """Points of a square, one after another."""
    row |= {"LATITUDE": f"39-{30 + 5 * (number // 2 % 2):02}-12.8500N", "LONGITUDE": f"087-{10 + 5 * ((number + 1) // 2 % 2):02}-53.7600W"}


def boundary_point(row, parent, number):
    angle, count = math.radians(number * 4), COUNTS["ARB_SEG"] // COUNTS["ARB_BASE"]
    row |= {"REC_ID": f"{parent['LOCATION_ID']}*H*{number}", "ALTITUDE": "HIGH" if number <= count // 2 else "LOW", "TYPE": "ARTCC",
            "LAT_DECIMAL": f"{float(parent['LAT_DECIMAL']) + 3 * math.sin(angle):.8f}",
            "LONG_DECIMAL": f"{float(parent['LONG_DECIMAL']) + 3 * math.cos(angle):.8f}",
            "BNDRY_PT_DESCRIP": "TO POINT OF BEGINNING" if number in (count // 2, count - 1) else "TO"}


def frequencies(cycle, busy):
    """Sample rows of airports at real airports of the same kind and of the same tower, those of stations at the stations made here."""
    places = {"AWOS": [(row, "ASOS_AWOS_ID") for row in cycle.tables["AWOS"]], "COM": [(row, "COMM_LOC_ID") for row in cycle.tables["COM"]]}
    kinds = {word: code for code, word in grow_cycle.SERVED.items()}
    header, templates = cycle.sample["FRQ"]
    ordered = {}
    for row in cycle.tables["APT_BASE"]:
        ordered.setdefault((row["SITE_TYPE_CODE"], bool(row["ICAO_ID"])), []).append(row)
    made = []
    for index in range(COUNTS["FRQ"]):
        row = dict(templates[index % len(templates)])
        turn, kind = index // len(templates) * len(templates) + index, kinds.get(row["SERVICED_SITE_TYPE"])
        if kind:
            group = ordered.get((kind, row["FACILITY_TYPE"] != "NON-ATCT"), []) or ordered[(kind, False)]
            airport = group[turn * 7919 % len(group)]
            row |= {"SERVICED_FACILITY": airport["ARPT_ID"], "SERVICED_FAC_NAME": airport["ARPT_NAME"], "SERVICED_CITY": airport["CITY"],
                    "SERVICED_STATE": airport["STATE_CODE"], "LAT_DECIMAL": airport["LAT_DECIMAL"], "LONG_DECIMAL": airport["LONG_DECIMAL"]}
        elif row["FACILITY_TYPE"] in ("ASOS_AWOS", "RCO"):
            stations = places["AWOS" if row["FACILITY_TYPE"] == "ASOS_AWOS" else "COM"]
            station, column = stations[turn % len(stations)]
            row |= {"FACILITY": station[column], "SERVICED_FACILITY": station[column], "SERVICED_STATE": station["STATE_CODE"]}
            if row["FACILITY_TYPE"] == "ASOS_AWOS":
                row["SERVICED_SITE_TYPE"] = station["ASOS_AWOS_TYPE"]
        made.append(row)
    cycle.add("FRQ", header, made)


def make(tables, airway_tables, sample, folder, route_folder=None):
    real = members(tables)
    cycle = Cycle({name: real[name] for name in grow_cycle.REAL}, sample_tables(sample), random.Random(1))
    runway_ends(cycle)
    busy = airport_tables(cycle)
    control_tables(cycle, busy)
    landing_systems(cycle, busy)
    en_route(cycle, members(airway_tables)["AWY_SEG"][1])
    areas(cycle, busy)
    frequencies(cycle, busy)
    if route_folder:
        routes.add(cycle, members(airway_tables), route_folder)
    grow_cycle.write(folder, cycle.encoded(), DAY)
    for name, rows in sorted(cycle.tables.items()):
        print(f"{name:12} {len(rows):7}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("tables", "airways", "sample", "folder"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--routes")
    asked = parser.parse_args()
    make(asked.tables, asked.airways, asked.sample, asked.folder, asked.routes)
