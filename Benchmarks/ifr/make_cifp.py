#!/usr/bin/env python3
"""Makes a file of coded instrument flight procedures of the whole country's size from excerpts of real ones.

    make_cifp.py --excerpt FAACIFP18-EXCERPT.txt [--excerpt ...] --folder DIR [--copies 35] [--cycle 2610]

It writes DIR/CIFP_YYMMDD.zip and DIR/FAACIFP18. Each copy turns the world of the excerpts by whole minutes of longitude, which keeps its shape, and renames
airports, fixes, navaids, airways and areas, so that keys are unique. Fixes that the excerpts name but do not have get a place from the legs that lead to
them (bearing and distance of the navaid, or course and length), or else a random one: legs through these bend. It needs pyproj.
"""

import argparse
import collections
import datetime
import itertools
import os
import random
import sys
import zipfile
import zlib

import pyproj

from cycles import effective
from read_cifp import CONTINUATION, LAYOUTS, is_leg, is_primary, kind_of, lines, values

EARTH, MILE = pyproj.Geod(ellps="WGS84"), 1852
MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
POINTS = {"EA", "PC", "HC", "D ", "DB", "PN", "PG", "PI"}
Mark = collections.namedtuple("Mark", "lat lon variation")


def put(line, first, text):
    return line[:first - 1] + text + line[first - 1 + len(text):]


def coordinates(lat, lon):
    lon = (lon + 180) % 360 - 180
    parts = []
    for value, letters, width in ((lat, "NS", 2), (lon, "EW", 3)):
        units = round(abs(value) * 360000)
        parts.append(f"{letters[value < 0]}{units // 360000:0{width}d}{units // 6000 % 60:02d}{units % 6000:04d}")
    return "".join(parts)


def turned(text, minutes):
    """A longitude as text, so many minutes farther west."""
    unit = 60 * 10 ** (len(text) - 8)  # of its last digit in a minute
    units = (int(text[1:4]) * 60 + int(text[4:6])) * unit + int(text[6:])
    world = 360 * 60 * unit
    units = ((-units if text[0] == "W" else units) - minutes * unit + world // 2) % world - world // 2
    west, units = units < 0, abs(units)
    return f"{'W' if west else 'E'}{units // (60 * unit):03d}{units // unit % 60:02d}{units % unit:0{len(text) - 6}d}"


def away(mark, degrees, miles):
    lon, lat, _ = EARTH.fwd(mark.lon, mark.lat, degrees, miles * MILE)
    return Mark(lat, lon, mark.variation)


def key(airport, ident, region, section):
    """What names a fix: runways, localizers and terminal fixes belong to an airport."""
    if section in ("PA", "HA"):
        return ident, section
    if section in ("PG", "PI"):
        return airport, ident, section
    return (airport, ident, region, section) if section in ("PC", "HC") else (ident, region, section)


def named(found, name):
    """The key of a leg's or an airway's fix, navaid or center; None if it has none."""
    if not found.get(name):
        return None
    return key(found.get("airport"), found[name], found.get(name + "Region") or "  ", found.get(name + "Section") or "  ")


class World:
    """The records of the excerpts, and those that are made so that their legs and airways are whole."""

    def __init__(self, paths):
        self.chance, self.made = random.Random(18), {}
        self.lines = list(paired(list(collected(paths))))
        self.records = [(line, kind_of(line), values(line, LAYOUTS[kind_of(line)])) for line in self.lines if is_primary(line)]
        self.templates = {kind: line for line, kind, _ in reversed(self.records)}
        self.marks = dict(filter(None, itertools.starmap(self.mark, self.records)))
        self.add_airports()
        self.drop_procedures()
        self.place_fixes()
        self.place_airways()
        self.add_made()
        self.add_runways()

    @staticmethod
    def mark(line, kind, found):
        lat, lon = found.get("vorLatitude", found.get("latitude")), found.get("vorLongitude", found.get("longitude"))
        if lat is None:
            lat, lon = found.get("dmeLatitude"), found.get("dmeLongitude")
        mark = Mark(lat, lon, found.get("declination", found.get("magneticVariation")) or 0)
        if lat is None or kind not in POINTS | {"PA", "HA"}:
            return None
        return key(found.get("airport"), found.get("identifier", found.get("icao")), found.get("region") or "  ", kind), mark

    def home(self, found):
        return self.marks.get((found["airport"], "PA")) or self.marks.get((found["airport"], "HA"))

    def add(self, line, kind, mark_key, mark):
        self.marks[mark_key] = mark
        self.lines.append(line)
        self.records.append((line, kind, values(line, LAYOUTS[kind])))

    def add_airports(self):
        """Airports whose procedures and fixes are there without them."""
        for line, kind, found in list(self.records):
            if kind not in ("PC", "PG", "PI", "PD", "PE", "PF", "HC", "HF") or self.home(found):
                continue
            mark = self.marks.get(named(found, "fix")) or self.marks.get((found["airport"], found.get("identifier"), found.get("region"), kind))
            mark = mark or Mark(self.chance.uniform(30, 47), self.chance.uniform(-120, -75), 0)
            kind = line[4] + "A"
            made = put(put(self.templates[kind], 1, line[:12]), 14, "   ")
            self.add(put(made, 33, coordinates(mark.lat, mark.lon) + "E0000"), kind, (found["airport"], kind), Mark(mark.lat, mark.lon, 0))

    def drop_procedures(self):
        """Procedures without gaps stay, and those with RF legs only if all their fixes are known."""
        procedures = collections.defaultdict(list)
        for line, kind, found in self.records:
            if is_leg(line):
                procedures[line[:19]].append(found)
        self.procedures = {name: legs for name, legs in procedures.items() if not has_gaps(legs) and not (
            any(leg["type"] == "RF" for leg in legs) and any(self.unknown(leg, "fix") or self.unknown(leg, "center") for leg in legs))}

    def unknown(self, found, name):
        return named(found, name) and named(found, name) not in self.marks

    def place(self, mark_key, mark):
        self.marks[mark_key] = self.made[mark_key] = mark

    def place_fixes(self):
        for leg in itertools.chain.from_iterable(self.procedures.values()):
            if self.unknown(leg, "navaid"):
                near = 1 if named(leg, "navaid")[-1] == "PI" else self.chance.uniform(5, 20)
                self.place(named(leg, "navaid"), away(self.home(leg), self.chance.uniform(0, 360), near))
        for attempt in range(3):
            for legs in self.procedures.values():
                before = None
                for leg in legs:
                    if self.unknown(leg, "fix"):
                        self.place_fix(leg, before, attempt)
                    before = leg if leg["fix"] else before
        for name, legs in list(self.procedures.items()):
            if any(self.unknown(leg, "fix") for leg in legs):
                del self.procedures[name]
                continue
            for leg in legs:
                if self.unknown(leg, "center"):
                    self.place(named(leg, "center"), away(self.home(leg), self.chance.uniform(0, 360), 6))

    def place_fix(self, leg, before, attempt):
        """From the navaid, from the leg before, and in the last attempt anywhere near the airport."""
        fix, home, section = named(leg, "fix"), self.home(leg), named(leg, "fix")[-1]
        navaid = self.marks.get(named(leg, "navaid"))
        start = self.marks.get(named(before, "fix")) if before and before["transition"] == leg["transition"] else None
        if section == "PG":
            self.place(fix, away(home, runway_number(fix[1]) * 10 + 180 + home.variation, .6))
        elif section in ("PA", "HA"):
            return
        elif navaid and leg["theta"] is not None and leg["rho"] is not None:
            self.place(fix, away(navaid, leg["theta"] + navaid.variation, leg["rho"]))
        elif start and leg["type"] in ("TF", "CF") and leg["course"] is not None and leg["distance"]:
            self.place(fix, away(start, leg["course"] + start.variation, leg["distance"]))
        elif attempt == 1 and start:
            self.place(fix, away(start, self.chance.uniform(0, 360), 8))
        elif attempt == 2:
            self.place(fix, away(home, self.chance.uniform(0, 360), self.chance.uniform(10, 40)))

    def place_airways(self):
        before = None
        for _, kind, found in self.records:
            if kind != "ER":
                continue
            if self.unknown(found, "fix"):
                start = self.marks[named(before, "fix")] if before and before["route"] == found["route"] else None
                where = away(start, (before["course"] or 90) + start.variation, before["distance"] or 30) if start else Mark(
                    self.chance.uniform(34, 46), self.chance.uniform(-115, -75), 0)
                self.place(named(found, "fix"), where)
            before = found

    def add_made(self):
        """Records of the fixes, navaids and runways that were given places, each like the first real one of its kind."""
        self.lines = [line for line in self.lines if not is_leg(line) or line[:19] in self.procedures]
        used = {named(leg, name) for leg in itertools.chain.from_iterable(self.procedures.values()) for name in ("fix", "navaid", "center")}
        used |= {named(found, "fix") for _, kind, found in self.records if kind == "ER"}
        homes = {found["airport"]: line for line, kind, found in self.records if line[4] in "PH" and "airport" in found}
        for name, mark in self.made.items():
            kind = name[-1]
            if name not in used or kind not in self.templates:
                continue
            made = put(self.templates[kind], 33, coordinates(mark.lat, mark.lon))
            if kind in ("PC", "HC", "PI", "PG"):
                made = put(put(put(made, 1, homes[name[0]][:5]), 7, f"{name[0]:<4}"), 11, homes[name[0]][10:12])
            ident = name[1] if kind in ("PC", "HC", "PI", "PG") else name[0]
            made = put(made, 14, ident.ljust(4 if kind in ("PI", "D ", "DB", "PN") else 5))
            if kind == "PG":
                made = put(made, 28, f"{runway_number(ident) * 100:04d}")
            elif kind == "PI":
                made = put(put(made, 22, "0"), 28, self.runway(name[0]))
            else:
                made = put(put(made, 20, name[-2] + "0"), 75, f"{'E' if mark.variation >= 0 else 'W'}{round(abs(mark.variation) * 10):04d}")
                made = put(made, 99, ident.ljust(25)) if kind in ("EA", "PC", "HC") else put(made, 94, ident.ljust(30))
                made = put(put(made, 52, ident.ljust(4)), 56, coordinates(mark.lat, mark.lon)) if kind == "D " else made
            self.add(made, kind, name, mark)

    def runway(self, airport):
        return next((found["identifier"].ljust(5) for _, kind, found in self.records if kind == "PG" and found["airport"] == airport), "RW09 ")

    def add_runways(self):
        have = {found["airport"] for _, kind, found in self.records if kind == "PG"}
        for line, kind, found in list(self.records):
            if kind != "PA" or found["icao"] in have:
                continue
            home, length = self.marks[found["icao"], "PA"], found["longestRunway"] or 2000
            for true, name in ((90, "RW09 "), (270, "RW27 ")):
                end = away(home, true + 180, length * .3048 / 2 / MILE)
                made = put(self.templates["PG"], 1, line[:12] + "G" + name)
                made = put(put(made, 23, f"{length:05d}{round((true - home.variation) * 10) % 3600:04d}"), 33, coordinates(end.lat, end.lon))
                made = put(put(made, 67, f"{max(found['elevation'] or 0, 0):05d}0000"), 82, " " * 14)
                self.add(made, "PG", (found["icao"], name.strip(), "PG"), end)


def runway_number(name):
    return int("".join(filter(str.isdigit, name[2:4])) or "9")


def collected(paths):
    """Each record once; a procedure comes from one file only."""
    seen, complete = set(), set()
    for path in paths:
        mine = set()
        for line in lines(path):
            name = unique(line)
            if len(line) != 132 or name in seen or (is_leg(line) and line[:19] in complete):
                continue
            seen.add(name)
            mine |= {line[:19]} if is_leg(line) else set()
            yield line
        complete |= mine


def unique(line):
    """The columns that no two records may share."""
    kind = kind_of(line)
    if is_leg(line):
        return line[:29] + line[38]
    return line[:26] if line[4] == "U" else line[:17] if kind == "PI" else line[:28] if kind == "PP" else line[:39]


def paired(found):
    """Primaries that say whether a continuation follows, continuations with a primary, and only whole areas."""
    stem = lambda line: line[:CONTINUATION[kind_of(line)] - 1] if CONTINUATION[kind_of(line)] else line
    primaries, continued = {stem(line) for line in found if is_primary(line)}, {stem(line) for line in found if not is_primary(line)}
    areas = collections.defaultdict(list)
    for line in found:
        if line[4] == "U" and is_primary(line):
            areas[line[:20]].append(line)
    whole = {name for name, area in areas.items() if area[-1][31] == "E" and area[0][87:92].strip()}
    for line in found:
        if (line[4] == "U" and line[:20] not in whole) or stem(line) not in primaries:
            continue
        column = CONTINUATION[kind_of(line)]
        yield put(line, column, "1" if stem(line) in continued else "0") if column and is_primary(line) else line


def has_gaps(legs):
    """Whether legs are missing: they count by ten in each transition."""
    numbers = collections.defaultdict(list)
    for leg in legs:
        numbers[leg["routeType"], leg["transition"]].append(leg["sequence"])
    return any(found[0] > 10 or any(after - before > 10 for before, after in zip(found, found[1:])) for found in numbers.values())


class Names:
    """Gives out names that nothing has yet."""

    def __init__(self, taken):
        self.taken, self.counts = set(taken), collections.Counter()

    def take(self, kind, make):
        for _ in range(200000):
            self.counts[kind] += 1
            name = make(self.counts[kind])
            if name not in self.taken:
                self.taken.add(name)
                return name
        sys.exit(f"no names of {kind} are left; make fewer copies")


def letters(count, width, step):
    count, text = count * step % 26 ** width, ""
    for _ in range(width):
        count, last = divmod(count, 26)
        text = LETTERS[last] + text
    return text


def signs(count):
    signs = LETTERS + "0123456789"
    return signs[count // 36 % 36] + signs[count % 36]


class Copy:
    """Renames and turns the world."""

    RENAMED = {"airport", "icao", "identifier", "fix", "navaid", "center", "dme", "transition", "localizer", "secondLocalizer"}

    def __init__(self, names, idents, number):
        self.names, self.idents, self.minutes, self.new = names, idents, number * 7, {}

    def line(self, line):
        kind = kind_of(line)
        last = 132 if is_primary(line) else CONTINUATION[kind]  # of a continuation only the key is that of its primary
        for field in (field for field in LAYOUTS[kind] if field.first <= last):
            text = line[field.first - 1:field.last]
            if field.form.endswith("longitude") and text.strip():
                line = put(line, field.first, turned(text, self.minutes))
            elif field.name in self.RENAMED and not text.startswith("RW"):
                line = put(line, field.first, self.ident(text))
            elif field.name == "route":
                line = put(line, field.first, self.route(text))
            elif field.name == "designation" and kind == "UR":
                line = put(line, field.first, self.area(text))
            elif field.name == "name" and kind in ("EA", "PC", "HC") and text.strip() in self.idents:
                line = put(line, field.first, self.ident(text))
        if kind in ("PA", "HA") and line[13:16].strip():
            line = put(line, 14, line[6:9] if len(line[6:10].strip()) <= 3 else line[7:10])
        return line

    def ident(self, text):
        old = text.rstrip()
        if old not in self.idents:
            return text
        if old not in self.new:
            kind = self.idents[old]
            makers = {"fix": lambda count: letters(count, 5, 1000003), "localizer": lambda count: "I" + letters(count, 3, 103),
                      "navaid": lambda count: letters(count, 3, 107) if count < 17576 else "Q" + letters(count, 3, 107),
                      "airport": lambda count: old[0] + (letters(count, 3, 101) if count < 17576 else letters(count // 1296, 1, 1) + signs(count)),
                      "field": lambda count: f"{count % 100:02d}" + letters(count // 100, 2, 1)}
            if kind == "airport" and not (len(old) == 4 and old.isalpha()):
                kind = "field"
            self.new[old] = self.names.take((kind, old[0]) if kind == "airport" else kind, makers[kind])
        return self.new[old].ljust(len(text))

    def route(self, text):
        if text not in self.new:
            start = text.strip().rstrip("0123456789")[:1] or "V"
            self.new[text] = self.names.take(("route", start), lambda count: f"{start}{1000 + count}")
        return self.new[text].ljust(5)

    def area(self, text):
        if text not in self.new:
            self.new[text] = self.names.take("area", lambda count: f"{text.strip()[:4]}{count:05d}")
        return self.new[text].ljust(10)


def country(world, copies):
    """The lines of all copies; later ones leave out shares of the records that no leg uses, since the excerpts have too many of these."""
    idents, used, flown = identifiers(world), set(), set()
    names = Names([*idents, *(found["route"] for _, kind, found in world.records if kind == "ER")])
    for line in world.lines:
        if is_leg(line) or kind_of(line) == "ER":
            used |= {line[29:34].strip(), line[50:54].strip(), line[106:111].strip()}
            flown |= {line[6:10]} if is_leg(line) else set()
    kept = {"PC": 3, "EA": 3, "PI": 3, "PA": 2, "PG": 2, "HA": 6, "D ": 2, "PP": 0, "PS": 0, "PN": 0, "DB": 0}  # of ten
    for number in range(copies):
        copy = Copy(names, idents, number)
        for place, line in enumerate(world.lines):
            kind = kind_of(line)
            idle = line[6:10] not in flown if kind in ("PA", "PG", "HA", "PP", "PS") else line[13:18].strip() not in used
            if number and kind in kept and idle and place % 10 >= kept[kind]:
                continue
            if number and kind == "PE" and (sum(map(ord, line[6:19])) + number) % 2:
                continue  # the excerpts have twice the real share of arrivals
            yield copy.line(line) if number else line
    yield from squares()


def identifiers(world):
    """What kind of thing each name belongs to."""
    idents = {found["icao"]: "airport" for _, kind, found in world.records if kind in ("PA", "HA")}
    for _, kind, found in world.records:
        if kind in ("D ", "DB", "PN", "PI"):
            idents.setdefault(found["identifier"], "localizer" if len(found["identifier"]) == 4 else "navaid")
        elif kind in ("EA", "PC", "HC") and len(found["identifier"]) == 5 and found["identifier"].isalpha():
            idents.setdefault(found["identifier"], "fix")
        elif kind == "UC":
            idents.setdefault(found["center"], "airport")
        elif found.get("airport"):
            idents.setdefault(found["airport"], "airport")
    return idents


def squares():
    """The 241 records of grid minimum off-route altitudes, of which the excerpts have none."""
    places = [(lat, lon) for lat in range(72, -16, -1) for lon in (*range(-180, -59, 30), 120, 150)][:241]
    for lat, lon in places:
        corner = f"{'NS'[lat < 0]}{abs(lat):02d}{'EW'[lon < 0]}{abs(lon):03d}"
        heights = "".join("UNK" if (lat * 7 + lon + index) % 5 == 0 else f"{abs(lat * 31 + lon * 17 + index * 13) % 190 + 10:03d}" for index in range(30))
        yield f"S   AS       {corner}          {heights}   000002101"


def header(count, cycle, day):
    written = day - datetime.timedelta(22)
    texts = [f"HDR01FAACIFP18      001P0132{count:07d}{cycle}  {written.day:02d}-{MONTHS[written.month - 1]}-{written.year}18:29:21  U.S.A. DOT FAA",
             "HDR02" + " " * 33 + "FEDERAL AVIATION ADMINISTRATION", "HDR03" + " " * 33 + "AERONAUTICAL INFORMATION SERVICES",
             "HDR04" + " " * 33 + f"CODED INSTRUMENT FLIGHT PROCEDURES VOLUME {cycle}  EFFECTIVE {day.day:02d} {MONTHS[day.month - 1]} {day.year}",
             "HDR05" + " " * 33 + "A SYNTHETIC FILE                          NOT FOR NAVIGATION"]
    return [text.ljust(132) for text in texts]


def checksum(data):
    """The CRC-32 of ARINC 665: zlib's with the bits of bytes and of the result reversed."""
    return int(f"{zlib.crc32(data.translate(REVERSED)):032b}"[::-1], 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--excerpt", action="append", required=True, help="a part of FAACIFP18; a procedure is taken from the first that has it")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--copies", type=int, default=35)
    parser.add_argument("--cycle", default="2610")
    asked = parser.parse_args()
    found = {unique(line): line for line in sorted(country(World(asked.excerpt), asked.copies), reverse=True)}
    records = [put(line, 124, f"{(number + 1) % 100000:05d}") for number, line in enumerate(sorted(found.values()))]
    day = effective(asked.cycle)
    text = header(len(records), asked.cycle, day) + records
    # The checksum is over the file with its own field blank.
    text[0] = put(text[0], 125, f"{checksum(''.join(line + chr(10) for line in text).encode('latin-1')):08X}")
    data = "".join(line + "\n" for line in text).encode("latin-1")
    os.makedirs(asked.folder, exist_ok=True)
    with open(f"{asked.folder}/FAACIFP18", "wb") as file:
        file.write(data)
    coded = sorted({(line[6:10].strip(), {"D": "SID", "E": "STAR", "F": "IAP"}[line[12]], line[13:19].strip()) for line in records if is_leg(line)})
    with zipfile.ZipFile(f"{asked.folder}/CIFP_{day:%y%m%d}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (("FAACIFP18", data), ("IN_CIFP.txt", "\r\n".join(["Arpt_ICAO\tProcedure Type\tProcedure Ident", *map("\t".join, coded), ""]))):
            archive.writestr(zipfile.ZipInfo(name, (2026, 9, 9, 12, 3, 54)), content, zipfile.ZIP_DEFLATED)
    kinds = collections.Counter(map(kind_of, records))
    print(f"{len(records)} records, {len(data)} bytes: " + ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))


if __name__ == "__main__":
    main()
