"""The procedures, holding patterns and routes of a cycle of full size, of the FAA's whole tables."""

import csv
import os

NUMBERS = ["", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]


def add(cycle, procedures, folder):
    """Adds the tables to the cycle.

    `procedures` has DP_RTE, DP_APT, STAR_RTE and STAR_APT, the folder HPF_BASE, HPF_SPD_ALT and HPF_CHRT.csv, and prefroutes.csv of the
    ATCSCC's route tool. DP_BASE and STAR_BASE are made of the others, the segments of preferred routes of their strings. Coded routes are
    the sample's, under more codes.
    """
    for kind, name in (("DP", "DP_NAME"), ("STAR", "ARRIVAL_NAME")):
        add_procedures(cycle, procedures, kind, name)
    for name in ("HPF_BASE", "HPF_SPD_ALT", "HPF_CHRT"):
        cycle.add(name, *read(os.path.join(folder, name + ".csv")))
    preferred(cycle, read(os.path.join(folder, "prefroutes.csv"))[1])
    header, templates = cycle.sample["CDR"]
    coded = [row | {"RCode": row["RCode"][:6] + f"{turn:02}"} for turn in range(21) for row in templates]
    cycle.add("CDR", header, list({row["RCode"]: row for row in coded}.values()))


def read(path):
    with open(path, encoding="latin-1", newline="") as file:
        reader = csv.DictReader(file)
        return reader.fieldnames, list(reader)


def add_procedures(cycle, procedures, kind, name):
    for table in (kind + "_RTE", kind + "_APT"):
        cycle.add(table, *procedures[table])
    key, served, base = kind + "_COMPUTER_CODE", {}, {}
    for row in cycle.tables[kind + "_APT"]:
        served.setdefault((row.get("DP_NAME"), row[key]), set()).add(row["ARPT_ID"])
    for row in cycle.tables[kind + "_RTE"]:
        code = row[key].split(".")[0 if kind == "DP" else -1]
        digit = code[-1] if code[-1:].isdigit() else "0"
        base.setdefault((row.get("DP_NAME"), row[key]), {
            name: row.get("DP_NAME", code.rstrip("0123456789")), "AMENDMENT_NO": NUMBERS[int(digit)], key: row[key],
            "SERVED_ARPT": " ".join(sorted(served.get((row.get("DP_NAME"), row[key]), []))),
            "GRAPHICAL_DP_TYPE": "SID" if row[key] else "OBSTACLE"})
    cycle.add(kind + "_BASE", cycle.sample[kind + "_BASE"][0], list(base.values()))


def preferred(cycle, strings):
    header = cycle.sample["PFR_RMT_FMT"][0]
    cycle.add("PFR_RMT_FMT", header, [{column: row[column] for column in header} for row in strings])
    places = {}
    for row in cycle.tables["FIX_BASE"]:
        places.setdefault(row["FIX_ID"], ("FIX", row))
    for row in cycle.tables["NAV_BASE"]:
        if row["NAV_TYPE"] in ("VOR", "VOR/DME", "VORTAC"):
            places[row["NAV_ID"]] = ("NAVAID", row)
    routes, segments = {}, []
    for row in strings:
        words = row["Route String"].split()[1:-1]
        key = {"ORIGIN_ID": row["Orig"], "DSTN_ID": row["Dest"], "PFR_TYPE_CODE": row["Type"], "ROUTE_NO": row["Seq"]}
        if tuple(key.values()) in routes:
            continue
        routes[tuple(key.values())] = key | {
            "ROUTE_STRING": " ".join(words), "SPECIAL_AREA_DESCRIP": row["Area"], "ALT_DESCRIP": row["Altitude"],
            "AIRCRAFT": row["Aircraft"], "HOURS": row["Hours1"], "ROUTE_DIR_DESCRIP": row["Direction"]}
        for number, (word, following) in enumerate(zip(words, words[1:] + [""])):
            kind, place = places.get(word, ("STAR" if len(word) > 4 and word[-1].isdigit() else "AIRWAY", {}))
            segments.append(key | {
                column: place.get(column, "") for column in ("STATE_CODE", "COUNTRY_CODE", "ICAO_REGION_CODE", "NAV_TYPE")
            } | {"SEGMENT_SEQ": 5 * number + 5, "SEG_VALUE": word, "SEG_TYPE": kind, "NEXT_SEG": following})
    cycle.add("PFR_BASE", cycle.sample["PFR_BASE"][0], list(routes.values()))
    cycle.add("PFR_SEG", cycle.sample["PFR_SEG"][0], segments)
