"""Makes a whole NASR cycle of a few real files: as many rows as the FAA ships, each grown from a real one.

APT_BASE, APT_RWY, FIX_BASE and NAV_BASE are taken as they are; only their date is made one. Runway ends, remarks, frequencies and
obstacles are grown from the real rows among the tests' fixtures, spread over the real airports. The same bytes every time.
"""

import csv
import datetime
import io
import math
import os
import random
import zipfile

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "AeroTests", "Fixtures", "2304")
REAL = ("APT_BASE", "APT_RWY", "FIX_BASE", "NAV_BASE")
REMARKS, FREQUENCIES, OBSTACLES = 90_000, 40_000, 600_000
SERVED = {"A": "AIRPORT", "B": "BALLOONPORT", "C": "SEAPLANE BASE", "G": "GLIDERPORT", "H": "HELIPORT", "U": "ULTRALIGHT"}
WORDS = ("RY TWY ACFT ARPT PRVT FOR CTC MGR HRS DALGT CLSD LGTD TREES FENCE ROAD POWERLINE THLD RWY END APCH DEER BIRDS INVOF "
         "FUEL SELF SERVE CREDIT CARD AVBL PPR NOISE SENSITIVE AREA NORTH SOUTH EAST WEST OF FIELD PATTERN ALT RIGHT LEFT "
         "MIRL PAPI ACTVT CTAF GRASS SOFT WHEN WET UNATTENDED").split()
SUBJECTS = [("AIRPORT", "GENERAL_REMARK"), ("AIRPORT", "GENERAL_REMARK"), ("RUNWAY", "RWY_ID"), ("RUNWAY_END", "OBSTN_TYPE"),
            ("AIRPORT_CONTACT", "TITLE"), ("FUEL_TYPE", "FUEL_TYPE"), ("AIRPORT", "LGT_SKED")]
OBSTACLE_HEADER = ("OAS,VERIFIED STATUS,COUNTRY,STATE,CITY,LATDEC,LONDEC,DMSLAT,DMSLON,TYPE,QUANTITY,AGL,AMSL,LIGHTING,ACCURACY,"
                   "MARKING,FAA STUDY,ACTION,JDATE")


def dated(raw, day):
    """All rows with one date, for any cycle of the file."""
    first = raw.index(b"\n") + 1
    return raw.replace(raw[first:first + 12], f'"{day:%Y/%m/%d}"'.encode())


def rows(raw):
    return [row for row in csv.DictReader(io.StringIO(raw.decode("latin-1"))) if row.get("EFF_DATE")]


def table(header, made):
    """As the FAA writes it: quotes around text, none around numbers."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([row.get(name, "") for name in header] for row in made)
    return file.getvalue().encode("latin-1")


def fixture(name):
    with open(os.path.join(FIXTURES, name + ".csv"), "rb") as file:
        raw = file.read()
    return next(csv.reader(io.StringIO(raw.decode("latin-1")))), rows(raw)


def runway_ends(airports, runways, day):
    header, _ = fixture("APT_RWY_END")
    places = {(a["SITE_NO"], a["SITE_TYPE_CODE"]): a for a in airports}
    made = []
    for runway in runways:
        airport = places.get((runway["SITE_NO"], runway["SITE_TYPE_CODE"]))
        digits = runway["RWY_ID"][:2]
        heading = int(digits) * 10 if digits.isdigit() else None
        for number, end in enumerate(runway["RWY_ID"].split("/")):
            row = {name: runway[name] for name in header if name in runway} | {"EFF_DATE": f"{day:%Y/%m/%d}", "RWY_END_ID": end}
            if airport:
                row |= {"VGSI_CODE": "P4L", "RWY_END_ELEV": airport["ELEV"], "RWY_MARKING_TYPE_CODE": "BSC",
                        "RIGHT_HAND_TRAFFIC_PAT_FLAG": "YN"[number % 2]}
            if airport and heading is not None and runway["RWY_LEN"]:
                row |= end_place(airport, float(runway["RWY_LEN"]), heading, number)
            made.append(row)
    return table(header, made)


def end_place(airport, length, heading, number):
    """The position of an end half the length from the airport, and its direction."""
    latitude, longitude = float(airport["LAT_DECIMAL"]), float(airport["LONG_DECIMAL"])
    away = (length / 2) * (-1 if number == 0 else 1) / 364_567  # feet in a degree of latitude
    angle = math.radians(heading)
    return {"LAT_DECIMAL": round(latitude + away * math.cos(angle), 8),
            "LONG_DECIMAL": round(longitude + away * math.sin(angle) / math.cos(math.radians(latitude)), 8),
            "TRUE_ALIGNMENT": (heading + 180 * number - 1) % 360 + 1}


def remarks(airports, day, chance):
    header, _ = fixture("APT_RMK")
    made = []
    for number in range(REMARKS):
        airport = airports[number * len(airports) // REMARKS]
        subject, field = SUBJECTS[number % len(SUBJECTS)]
        made.append({name: airport[name] for name in header if name in airport} | {
            "EFF_DATE": f"{day:%Y/%m/%d}", "LEGACY_ELEMENT_NUMBER": f"A110-{number % 90}", "TAB_NAME": subject,
            "REF_COL_NAME": field, "ELEMENT": "", "REF_COL_SEQ_NO": number % 90,
            "REMARK": " ".join(chance.choices(WORDS, k=chance.randint(4, 28))) + "."})
    return table(header, made)


def frequencies(airports, day):
    header, real = fixture("FRQ")
    real = [row for row in real if row["SERVICED_SITE_TYPE"] in SERVED.values()]
    made = []
    for number in range(FREQUENCIES):
        airport = airports[number * len(airports) // FREQUENCIES]
        made.append(real[number % len(real)] | {
            "EFF_DATE": f"{day:%Y/%m/%d}", "FACILITY": airport["ARPT_ID"], "FAC_NAME": airport["ARPT_NAME"],
            "SERVICED_FACILITY": airport["ARPT_ID"], "SERVICED_FAC_NAME": airport["ARPT_NAME"],
            "SERVICED_SITE_TYPE": SERVED[airport["SITE_TYPE_CODE"]], "SERVICED_CITY": airport["CITY"],
            "SERVICED_STATE": airport["STATE_CODE"], "LAT_DECIMAL": float(airport["LAT_DECIMAL"]),
            "LONG_DECIMAL": float(airport["LONG_DECIMAL"])})
    return table(header, made)


def obstacles(airports, chance):
    lines = [OBSTACLE_HEADER]
    kinds = ["TOWER", "BLDG", "POLE", "UTILITY POLE", "TREE", "T-L TWR", "WINDMILL", "STACK", "TANK", "CRANE"]
    for number in range(OBSTACLES):
        airport = airports[chance.randrange(len(airports))]
        latitude = min(89.9, float(airport["LAT_DECIMAL"]) + chance.gauss(0, 0.2))
        longitude = max(-179.9, min(179.9, float(airport["LONG_DECIMAL"]) + chance.gauss(0, 0.2)))
        height = chance.choice([20, 45, 80, 110, 199, 260, 499, 1049])
        lines.append(
            f"{number % 99 + 1:02}-{number:06},{'OU'[number % 7 == 0]},US,{airport['STATE_CODE'] or 'CA':2},"
            f"{airport['CITY'].replace(',', ' ')[:16]:16},{latitude:.6f},{longitude:.6f},{degrees(latitude, 'NS', 2)},{degrees(longitude, 'EW', 3)},"
            f"{chance.choice(kinds):18},{1},{height:05},{height + round(float(airport['ELEV'] or 0)):05},{'RDNLW'[number % 5]}, 2C,N,              ,A,2012268 ")
    return ("\r\n".join(lines) + "\r\n").encode("latin-1")


def degrees(value, sides, width):
    seconds = round(abs(value) * 360_000)
    side = sides[value < 0]
    return f"{seconds // 360_000:0{width}} {seconds // 6000 % 60:02} {seconds % 6000 / 100:05.2f}{side}"


def headers_only(day, known):
    """The other tables of the tests, without rows."""
    for name in sorted(os.listdir(FIXTURES)):
        if name.endswith(".csv") and name[:-4] not in known:
            with open(os.path.join(FIXTURES, name), "rb") as file:
                yield name[:-4], file.readline()


def four_tables(archive, day):
    with zipfile.ZipFile(archive) as source:
        found = {os.path.basename(name): source.read(name) for name in source.namelist()}
    return {name: dated(found[name + ".csv"], day) for name in REAL}


def grown_tables(four, day):
    airports, chance = rows(four["APT_BASE"]), random.Random(1)
    return four | {"APT_RWY_END": runway_ends(airports, rows(four["APT_RWY"]), day),
                   "APT_RMK": remarks(airports, day, chance), "FRQ": frequencies(airports, day)}


def write(folder, tables, day):
    """The subscription zip, the zip of the tables in it, and beside it the tables themselves for those who want files."""
    os.makedirs(os.path.join(folder, "csv"), exist_ok=True)
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in list(tables.items()) + list(headers_only(day, tables)):
            archive.writestr(name + ".csv", raw)
    for name, raw in tables.items():
        with open(os.path.join(folder, "csv", name + ".csv"), "wb") as file:
            file.write(raw)
    with zipfile.ZipFile(os.path.join(folder, f"28DaySubscription_Effective_{day}.zip"), "w") as outer:
        outer.writestr(f"CSV_Data/{day:%d_%b_%Y}_CSV.zip", inner.getvalue())


def make(archive, folder, day=datetime.date(2023, 4, 20)):
    """Folders `four`, `grown` and `obstacles`, once."""
    if os.path.exists(os.path.join(folder, "obstacles")):
        return
    four = four_tables(archive, day)
    write(os.path.join(folder, "four"), four, day)
    write(os.path.join(folder, "grown"), grown_tables(four, day), day)
    os.makedirs(os.path.join(folder, "obstacles"))
    with open(os.path.join(folder, "obstacles", "DOF.csv"), "wb") as file:
        file.write(obstacles(rows(four["APT_BASE"]), random.Random(2)))
