"""Reads the records of FAACIFP18 by a table of columns of its own: an independent reading, to compare `procedures.sqlite` with.

The columns are those of the FAA's file and count from 1. A field is a name, its columns, and its form (text, if none is given). The names are those of
the database's columns.
"""

import collections

HEAD = "recordType 1, area 2-4"
TAIL = "recordNumber 124-128, changed 129-132"
AIRPORT = """icao 7-10, region 11-12 kept, faaID 14-16, continuation 22, speedLimitAltitude 23-27 altitude, isIFR 31 flag, latitude 33-41 latitude,
    longitude 42-51 longitude, magneticVariation 52-56 variation, elevation 57-61 whole, speedLimit 62-64 whole, navaid 65-68, navaidRegion 69-70 kept,
    transitionAltitude 71-75 altitude, transitionLevel 76-80 altitude, use 81, timeZone 82-84, daylightSaving 85, name 94-123"""
WAYPOINT = """section 5-5 kind, airport 7-10, airportRegion 11-12 kept, identifier 14-18, region 20-21 kept, continuation 22, type 27-29 kept, usage 30-31 kept,
    latitude 33-41 latitude, longitude 42-51 longitude, magneticVariation 75-79 variation, datum 85-87, nameFormat 96-98 kept, name 99-123"""
NAVAID = """section 5-5 kind, airport 7-10, airportRegion 11-12 kept, identifier 14-17, region 20-21 kept, continuation 22, class 28-32 kept,
    vorLatitude 33-41 latitude, vorLongitude 42-51 longitude, magneticVariation 75-79 variation, datum 91-93, name 94-123"""
PATH = "airport 7-10, region 11-12 kept, procedure 14-19, runway 20-24, operation 25-26, continuation 27"
AIRSPACE = """section 5-5 kind, region 7-8 kept, type 9, designation 10-19 kept, multipleCode 20, continuation 25, level 26, timeCode 27, notam 28,
    floor 82-86 altitude, floorUnit 87, ceiling 88-92 altitude, ceilingUnit 93, name 94-123"""
CORNER = """sequence 21-24 whole, via 31-32 kept, latitude 33-41 latitude, longitude 42-51 longitude, arcLatitude 52-60 latitude, arcLongitude 61-70 longitude,
    radius 71-74 tenths, bearing 75-78 tenths"""
CENTER = "section 5-5 kind, airport 7-10, region 11-12 kept, center 14-18, centerRegion 19-20 kept, centerSection 21-22 kept, multipleCode 23, continuation 39"
LEG = """section 5-5 kind, airport 7-10, region 11-12 kept, procedure 14-19, routeType 20, transition 21-25, sequence 27-29 whole, fix 30-34, fixRegion 35-36 kept,
    fixSection 37-38 kept, continuation 39, description 40-43 kept, turn 44, requiredPerformance 45-47 performance, type 48-49, navaid 51-54,
    navaidRegion 55-56 kept, arcRadius 57-62 thousandths, theta 63-66 tenths, rho 67-70 tenths, course 71-74 course, distance 75-78 distance,
    navaidSection 79-80 kept, altitudeCode 83, atc 84, altitude 85-89 altitude, secondAltitude 90-94 altitude, transitionAltitude 95-99 altitude,
    speedLimit 100-102 whole, verticalAngle 103-106 hundredths, center 107-111, multipleCode 112, centerRegion 113-114 kept, centerSection 115-116 kept,
    gnss 117, speedCode 118, qualifiers 119-120 kept"""
FIELDS = {
    "PA": AIRPORT + ", longestRunway 28-30 hundreds, surface 32, magneticOrTrue 86, datum 87-89",
    "HA": AIRPORT + ", pad 17-21, datum 28-30, padSize 86-91, magneticOrTrue 92",
    "PG": """airport 7-10, region 11-12 kept, identifier 14-18, continuation 22, length 23-27 whole, course 28-31 course, latitude 33-41 latitude,
        longitude 42-51 longitude, gradient 52-56 thousandths, ellipsoidHeight 61-66 tenths, elevation 67-71 whole, displacedThreshold 72-75 whole,
        thresholdCrossingHeight 76-77 whole, width 78-80 whole, thresholdCrossingSource 81, localizer 82-85, localizerCategory 86, stopway 87-90 whole,
        secondLocalizer 91-94, secondLocalizerCategory 95, remark 102-123""",
    "PC": WAYPOINT, "HC": WAYPOINT, "EA": WAYPOINT,
    "D ": NAVAID + """, frequency 23-27 hundredths, dme 52-55, dmeLatitude 56-64 latitude, dmeLongitude 65-74 longitude, elevation 80-84 whole,
        figureOfMerit 85, dmeBias 86-87, protection 88-90""",
    "DB": NAVAID + ", frequency 23-27 tenths", "PN": NAVAID + ", frequency 23-27 tenths",
    "PI": """airport 7-10, airportRegion 11-12 kept, identifier 14-17, category 18, continuation 22, frequency 23-27 hundredths, runway 28-32,
        latitude 33-41 latitude, longitude 42-51 longitude, course 52-55 course, glideSlopeLatitude 56-64 latitude, glideSlopeLongitude 65-74 longitude,
        localizerOffset 75-78 whole, localizerReference 79, glideSlopeOffset 80-83 whole, courseWidth 84-87 hundredths, glidePathAngle 88-90 hundredths,
        declination 91-95 variation, thresholdCrossingHeight 96-97 whole, glideSlopeElevation 98-102 whole, support 103-106, supportRegion 107-108 kept,
        supportSection 109-110 kept""",
    "PP": PATH + """, routeIndicator 28, sbas 29-30, selector 31-32, path 33-36, designator 37, latitude 38-48 fine-latitude, longitude 49-60 fine-longitude,
        ellipsoidHeight 61-66 tenths, glidePathAngle 67-70 hundredths, alignmentLatitude 71-81 fine-latitude, alignmentLongitude 82-93 fine-longitude,
        courseWidthAtThreshold 94-98 hundredths, lengthOffset 99-102 whole, pathCrossingHeight 103-108 tenths, crossingHeightUnit 109,
        horizontalAlertLimit 110-112 tenths, verticalAlertLimit 113-115 tenths, crc 116-123""",
    "PS": CENTER + ", magneticOrTrue 120", "HS": CENTER + ", magneticOrTrue 120",
    "ER": """route 14-18, routeSuffix 19, sequence 26-29 whole, fix 30-34, fixRegion 35-36 kept, fixSection 37-38 kept, continuation 39, description 40-43 kept,
        boundary 44, type 45, level 46, direction 47, cruise 48-49, restriction 50, navaid 51-54, navaidRegion 55-56 kept,
        requiredPerformance 57-59 performance, theta 63-66 tenths, rho 67-70 tenths, course 71-74 course, distance 75-78 distance,
        inboundCourse 79-82 course, mea 84-88 altitude, meaOpposite 89-93 altitude, maa 94-98 altitude, fixRadius 99-102""",
    "PD": LEG, "PE": LEG, "PF": LEG, "HD": LEG, "HE": LEG, "HF": LEG,
    "UC": AIRSPACE + ", center 10-14, centerSection 15-16 kept, class 17, " + CORNER, "UR": AIRSPACE + ", " + CORNER,
    "AS": "rowLatitude 14-16, rowLongitude 17-20",
}
# Fields that a continuation adds to its primary record, by kind and application.
LEVELS = """levelCode 41, levelName 42-51, verticalLevelCode 52, verticalLevelName 53-62, lateralLevelCode 63, lateralLevelName 64-73,
    performance1Code 89, performance1 90-92 performance, performance2Code 93, performance2 94-96 performance, performance3Code 97,
    performance3 98-100 performance, performance4Code 101, performance4 102-104 performance, levelsNumber 124-128, levelsChanged 129-132"""
ADDED = {
    "PFW": LEVELS, "HFW": LEVELS,
    "PPE": """alignmentEllipsoidHeight 29-34 tenths, alignmentHeight 35-40 tenths, thresholdHeight 41-46 tenths, approachType 47-56, channel 57-61,
        helicopterCourse 72-74, continuationNumber 124-128, continuationChanged 129-132""",
    "URC": "agencyTimeCode 27, agencyNotam 28, agencyTimes 30-99 kept, agency 100-123, agencyNumber 124-128, agencyChanged 129-132",
}
TABLES = {"airports": "PA", "heliports": "HA", "runways": "PG", "localizers": "PI", "waypoints": "EA PC HC", "navaids": "D  DB PN", "airways": "ER",
          "legs": "PD PE PF HD HE HF", "pathPoints": "PP", "msas": "PS HS", "gridMoras": "AS", "airspaces": "UC UR", "airspacePoints": "UC UR"}
Field = collections.namedtuple("Field", "name first last form")


def parsed(text):
    fields = []
    for part in text.split(","):
        name, columns, form = (part.split() + ["text"])[:3]
        first, _, last = columns.partition("-")
        fields.append(Field(name, int(first), int(last or first), form))
    return fields


LAYOUTS = {kind: parsed(f"{HEAD}, {text}, {TAIL}") for kind, text in FIELDS.items()}
ADDITIONS = {key: parsed(text) for key, text in ADDED.items()}
CONTINUATION = {kind: next((field.first for field in fields if field.name == "continuation"), None) for kind, fields in LAYOUTS.items()}


def kind_of(line):
    """Section and subsection. That of P is column 6 for a terminal NDB, else column 13; that of H is column 13."""
    if line[4] in "ADEU" or line[4:6] == "PN":
        return line[4:6]
    return line[4] + line[12] if line[4] in "PH" else None


def is_primary(line):
    column = CONTINUATION[kind_of(line)]
    return column is None or line[column - 1] in "01"


def is_leg(line):
    return line[4] in "PH" and line[5] == " " and line[12] in "DEF"


def number(text, divisor=1):
    """None where it is no number."""
    plain = text.strip()
    digits = plain[1:] if plain[:1] in ("+", "-") else plain
    if not digits.isdigit():
        return None
    value = -int(digits) if plain[0] == "-" else int(digits)
    return value / divisor if divisor != 1 else value


def angle(text, degrees, letters, fraction):
    digits = text[1:]
    if text[:1] not in letters or not digits.isdigit():
        return None
    rest = degrees + 2
    value = int(digits[:degrees]) + int(digits[degrees:rest]) / 60 + int(digits[rest:]) / 10 ** fraction / 3600
    return -value if text[0] == letters[1] else value


def variation(text):
    """Degrees, east positive; T is true north, and D has no value here."""
    if text[:1] == "T":
        return 0.0
    return None if text[:1] not in ("E", "W") or number(text[1:]) is None else number(text[1:]) / (10 if text[0] == "E" else -10)


def altitude(text):
    plain = text.strip()
    return 0 if plain == "GND" else number(plain[2:]) and number(plain[2:]) * 100 if plain.startswith("FL") else number(plain)


def performance(text):
    """Two digits and a power of ten: 031 is 0.3."""
    return int(text[:2]) / 10 ** int(text[2]) if text.isdigit() and len(text) == 3 else None


FORMS = {
    "text": lambda text: text.rstrip() or None, "kept": lambda text: text if text.strip() else None,
    "flag": lambda text: {"Y": 1, "N": 0}.get(text), "whole": number, "tenths": lambda text: number(text, 10),
    "hundredths": lambda text: number(text, 100), "thousandths": lambda text: number(text, 1000),
    "hundreds": lambda text: None if number(text) is None else number(text) * 100,
    "latitude": lambda text: angle(text, 2, "NS", 2), "longitude": lambda text: angle(text, 3, "EW", 2),
    "fine-latitude": lambda text: angle(text, 2, "NS", 4), "fine-longitude": lambda text: angle(text, 3, "EW", 4),
    "variation": variation, "altitude": altitude, "performance": performance,
    "course": lambda text: number(text[:-1]) if text.endswith("T") else number(text, 10),
    "distance": lambda text: None if text.startswith("T") else number(text, 10),
}


def values(line, fields):
    """The values of a line by the names of the database's columns."""
    found = {}
    for name, first, last, form in fields:
        text = line[first - 1:last]
        found[name] = kind_of(line) if form == "kind" else FORMS[form](text)
        if form == "course":
            found["isTrue" + ("Course" if name == "course" else name[0].upper() + name[1:])] = int(text.endswith("T")) if text.strip() else None
        elif form == "distance":
            found["minutes"] = number(text[1:], 10) if text.startswith("T") else None
        elif form == "altitude":
            found[name + "Word"] = None if number(text) is not None else text.strip() or None
    return found


def lines(path):
    """The records without the header."""
    with open(path, encoding="latin-1", newline="\n") as file:
        for line in file:
            line = line.rstrip("\r\n")
            if line and not line.startswith("HDR"):
                yield line


def rows(path):
    """Kind and values of each row that a table is to have, in the order of the file."""
    primary = None
    for line in lines(path):
        kind = kind_of(line)
        if is_primary(line):
            if primary:
                yield from spread(*primary)
            primary = (kind, line, values(line, LAYOUTS[kind]))
        else:
            primary[2].update(values(line, ADDITIONS[kind + line[CONTINUATION[kind]]]))
    if primary:
        yield from spread(*primary)


def spread(kind, line, found):
    """The rows of one record: a sector or a square each for some."""
    if kind in ("PS", "HS"):
        sectors = [line[start:start + 11] for start in range(42, 119, 11) if line[start:start + 6].strip()]
        for index, text in enumerate(sectors):
            yield kind, {**found, "sector": index + 1, "fromBearing": number(text[:3]), "toBearing": number(text[3:6]),
                         "altitude": FORMS["hundreds"](text[6:9]), "radius": number(text[9:11])}
    elif kind == "AS":
        south, west = (int(text[1:]) * (-1 if text[0] in "SW" else 1) for text in (line[13:16], line[16:20]))
        for index in range(30):
            yield kind, {**found, "latitude": south, "longitude": west + index, "altitude": FORMS["hundreds"](line[30 + 3 * index:33 + 3 * index])}
    else:
        if kind in ("D ", "DB", "PN"):
            found["latitude"] = found["vorLatitude"] if found["vorLatitude"] is not None else found.get("dmeLatitude")
            found["longitude"] = found["vorLongitude"] if found["vorLongitude"] is not None else found.get("dmeLongitude")
        yield kind, found
