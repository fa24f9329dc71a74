#!/usr/bin/env python3
"""Makes class and special-use airspace in the FAA's forms, for tests and benchmarks.

    make_airspace.py fixtures DIR                the small shapefiles of Tests/AeroTests/Fixtures/airspace
    make_airspace.py sample AIRSPACE.geojson[.gz] DIR
                                                 the shapefile of samples/nasr-airspace
    make_airspace.py full AIRSPACE.geojson[.gz] DIR
                                                 all airspace: Class_Airspace.zip and SaaSubscriberFile.zip

The last two take GeoJSON polygons with the properties type, name, identifier, state, floor and ceiling ({valueFt, reference}),
such as https://github.com/neilcochran/squawk derives from the FAA's data. Their curves are coarse; for `full`, corners are added
until they are as dense as the FAA's. The same call makes the same files. Needs GDAL's Python bindings.
"""
import gzip
import io
import json
import math
import os
import random
import sys
import zipfile
from xml.sax.saxutils import escape

from osgeo import gdal, ogr, osr

gdal.UseExceptions()

FIELDS = [
    ("OBJECTID", ogr.OFTInteger), ("IDENT", 10), ("NAME", 100), ("CLASS", 5), ("TYPE_CODE", 15), ("LOCAL_TYPE", 20),
    ("UPPER_DESC", 20), ("UPPER_VAL", 20), ("UPPER_UOM", 10), ("UPPER_CODE", 10), ("LOWER_DESC", 20), ("LOWER_VAL", 20),
    ("LOWER_UOM", 10), ("LOWER_CODE", 10), ("MIL_CODE", 10), ("COMM_NAME", 100), ("LEVEL", 10), ("SECTOR", 60),
    ("ONSHORE", ogr.OFTInteger), ("EXCLUSION", ogr.OFTInteger), ("WKHR_CODE", 20), ("WKHR_RMK", 200), ("DST", 10),
    ("GMTOFFSET", 10), ("SHAPE_Leng", ogr.OFTReal), ("SHAPE_Area", ogr.OFTReal),
]


def write_shapefile(path, rows):
    """Each row is its field values and its polygons, lists of rings; None makes a row without a shape."""
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    data = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(path)
    # The table's header holds a day, by default today's.
    layer = data.CreateLayer(
        os.path.basename(path)[:-4], reference, ogr.wkbMultiPolygon25D, ["DBF_DATE_LAST_UPDATE=2023-04-20"])
    for name, kind in FIELDS:
        field = ogr.FieldDefn(name, kind if kind in (ogr.OFTInteger, ogr.OFTReal) and kind < 3 else ogr.OFTString)
        if field.GetType() == ogr.OFTString:
            field.SetWidth(kind)
        layer.CreateField(field)
    for number, (values, polygons) in enumerate(rows):
        feature = ogr.Feature(layer.GetLayerDefn())
        for name, value in {"OBJECTID": number + 1, **values}.items():
            feature.SetField(name, value)
        if polygons is not None:
            whole = ogr.Geometry(ogr.wkbMultiPolygon25D)
            for rings in polygons:
                polygon = ogr.Geometry(ogr.wkbPolygon25D)
                for ring in rings:
                    line = ogr.Geometry(ogr.wkbLinearRing)
                    for x, y in ring + ring[:1]:
                        line.AddPoint(x, y, 0)
                    polygon.AddGeometry(line)
                whole.AddGeometry(polygon)
            feature.SetGeometry(whole)
        layer.CreateFeature(feature)
    data = None


def class_values(name, kind, lower, upper, **more):
    """lower and upper are (value, unit, code)."""
    return {
        "NAME": name, "CLASS": kind[6:7], "LOCAL_TYPE": kind, "TYPE_CODE": "CLASS", "LOWER_VAL": lower[0],
        "LOWER_UOM": lower[1], "LOWER_CODE": lower[2], "UPPER_VAL": upper[0], "UPPER_UOM": upper[1],
        "UPPER_CODE": upper[2], **more,
    }


def box(west, south, east, north):
    return [(west, south), (east, south), (east, north), (west, north)]


def circle(lon, lat, degrees, corners):
    angles = [2 * math.pi * i / corners for i in range(corners)]
    wide = degrees / math.cos(math.radians(lat))
    return [(lon + wide * math.cos(a), lat + degrees * math.sin(a)) for a in angles]


NONE = ("-9998", "FT", "MSL")


def fixtures(folder):
    os.makedirs(folder, exist_ok=True)
    shelf = [box(-117.4, 32.6, -117.1, 32.9)]
    good = [
        (class_values("SAN DIEGO CLASS B", "CLASS_B", ("0", "FT", "SFC"), ("3200", "FT", "MSL"), IDENT="SAN",
                      SECTOR="AREA F", UPPER_DESC="TI"), [shelf]),
        (class_values("SAN DIEGO CLASS B", "CLASS_B", ("4800", "FT", "MSL"), ("10000", "FT", "MSL"), IDENT="SAN",
                      SECTOR="AREA F"), [shelf]),
        (class_values("HILLSBORO CLASS E5", "CLASS_E5", ("700", "FT", "SFC"), NONE), [[circle(-83.54, 39.19, 0.12, 360)]]),
        (class_values("CONTROL 1234L", "CLASS_E6", ("60", "FL", "STD"), ("180", "FL", "STD")),
         [[box(178, 51, 180, 53)], [box(-180, 51, -178, 53)]]),
        (class_values("RING CLASS D", "CLASS_D", ("0", "FT", "SFC"), ("2500", "FT", "MSL"), IDENT="RNG",
                      WKHR_RMK="PART TIME"),
         [[box(-100, 40, -99, 41), box(-99.8, 40.2, -99.2, 40.8)[::-1]]]),
    ]
    write_shapefile(os.path.join(folder, "Class_Airspace.shp"), good)
    bowtie = [(-90, 30), (-89, 31), (-89, 30), (-90, 31)]
    odd = [
        (class_values("ACROSS CLASS E5", "CLASS_E5", ("1200", "FT", "AGL"), NONE),
         [[[(179, 51), (-179, 51), (-179, 52), (179, 52)]]]),
        (class_values("BOWTIE CLASS E2", "CLASS_E2", ("0", "FT", "SFC"), NONE), [[bowtie]]),
        (class_values("NOWHERE CLASS D", "CLASS_D", ("0", "FT", "SFC"), ("2500", "FT", "MSL")), None),
        (class_values("FAR CLASS D", "CLASS_D", ("0", "FT", "SFC"), ("2500", "FT", "MSL")),
         [[box(1000, 30, 1001, 31)]]),
        (class_values("FLAT CLASS D", "CLASS_D", ("0", "FT", "SFC"), ("2500", "FT", "MSL")),
         [[[(-90, 30), (-89, 30), (-88, 30)]]]),
        (class_values("WORDS CLASS D", "CLASS_D", ("GROUND", "FT", "SFC"), ("1e99", "FT", "MSL")),
         [[box(-91, 30, -90, 31)]]),
        (class_values("CODES CLASS X", "CLASS_X", ("1", "FT", "QNH"), ("2500", "FT", "MSL")), [[box(-92, 30, -91, 31)]]),
        (class_values("", "CLASS_D", ("0", "FT", "SFC"), ("2500", "FT", "MSL")), [[box(-93, 30, -92, 31)]]),
    ]
    os.makedirs(os.path.join(folder, "odd"), exist_ok=True)
    write_shapefile(os.path.join(folder, "odd", "Class_Airspace.shp"), odd)


def through_three(a, b, c):
    """The centre of the circle through three points, in a plane; None for a straight line."""
    d = 2 * (a[0] * (b[1] - c[1]) + b[0] * (c[1] - a[1]) + c[0] * (a[1] - b[1]))
    if abs(d) < 1e-12:
        return None
    squares = [p[0] ** 2 + p[1] ** 2 for p in (a, b, c)]
    x = (squares[0] * (b[1] - c[1]) + squares[1] * (c[1] - a[1]) + squares[2] * (a[1] - b[1])) / d
    y = (squares[0] * (c[0] - b[0]) + squares[1] * (a[0] - c[0]) + squares[2] * (b[0] - a[0])) / d
    return x, y


def densified(ring, metres):
    """The ring with additional corners along its gentle bends, like an arc drawn with many corners."""
    if len(ring) < 5:
        return ring
    shrink = math.cos(math.radians(ring[0][1]))
    plane = [(x * shrink, y) for x, y in ring]
    result = []
    for i in range(len(plane)):
        before, a, b = plane[i - 1], plane[i], plane[(i + 1) % len(plane)]
        result.append(ring[i])
        turn = math.atan2(b[1] - a[1], b[0] - a[0]) - math.atan2(a[1] - before[1], a[0] - before[0])
        turn = abs((turn + math.pi) % (2 * math.pi) - math.pi)
        center = through_three(before, a, b) if 0.02 < turn < 0.5 else None
        if not center:
            continue
        radius = math.dist(center, a)
        start, end = (math.atan2(p[1] - center[1], p[0] - center[0]) for p in (a, b))
        sweep = (end - start + math.pi) % (2 * math.pi) - math.pi
        count = min(40, int(abs(sweep) * radius * 111320 / metres))
        for k in range(1, count):
            angle = start + sweep * k / count
            result.append(((center[0] + radius * math.cos(angle)) / shrink, center[1] + radius * math.sin(angle)))
    return result


def altitude(limit, is_ceiling):
    value, reference = limit["valueFt"], limit["reference"]
    if value >= 99999:
        return NONE
    return (str(value), "FT", "SFC" if reference in ("SFC", "AGL") and not is_ceiling else "MSL")


SPECIAL = {"MOA": "MOA", "RESTRICTED": "RA", "WARNING": "WA", "ALERT": "AA", "PROHIBITED": "PA", "NSA": "NSA"}


def pos(point):
    return f"<gml:pos>{point[0]:.8f} {point[1]:.8f}</gml:pos>"


def curve_run(ring, start):
    """How many points from one on lie on one circle, and its centre."""
    shrink = math.cos(math.radians(ring[start][1]))
    plane = [(x * shrink, y) for x, y in ring[start:start + 60]]
    if len(plane) < 6:
        return 0, None, 0, shrink
    center = through_three(plane[0], plane[2], plane[4])
    if not center or not 0.008 < math.dist(center, plane[0]) < 1.0:
        return 0, None, 0, shrink
    radius = math.dist(center, plane[0])
    count = 0
    while count < len(plane) and abs(math.dist(center, plane[count]) - radius) < 0.0004:
        count += 1
    return (count if count >= 6 else 0), center, radius, shrink


def segments(ring, rng):
    """Line strings and arcs; the arcs' angles are a little off, as the FAA's are."""
    parts, line, i = [], [], 0
    while i < len(ring):
        count, center, radius, shrink = curve_run(ring, i)
        line.append(ring[i])
        if not count:
            i += 1
            continue
        parts.append(("line", line))
        ends = [ring[i], ring[i + count - 1]]
        angles = [math.degrees(math.atan2(p[1] - center[1], p[0] * shrink - center[0])) for p in ends]
        middle = ring[i + count // 2]
        half = math.degrees(math.atan2(middle[1] - center[1], middle[0] * shrink - center[0]))
        sweep = (angles[1] - angles[0]) % 360
        if (half - angles[0]) % 360 > sweep:
            sweep -= 360
        noise = rng.uniform(-0.4, 0.4)
        parts.append(("arc", (center[0] / shrink, center[1]), radius * 60, angles[0] + noise, angles[0] + sweep - noise))
        line = []
        i += count - 1
    if line:
        parts.append(("line", line))
    text = ""
    for part in parts:
        if part[0] == "line":
            text += "<gml:LineStringSegment>" + "".join(map(pos, part[1])) + "</gml:LineStringSegment>"
        else:
            text += (
                "<gml:ArcByCenterPoint numArc=\"1\"><gml:pointProperty><gml:Point>" + pos(part[1])
                + f"</gml:Point></gml:pointProperty><gml:radius uom=\"NM\">{part[2]:.2f}</gml:radius>"
                + f"<gml:startAngle uom=\"deg\">{part[3]:.4f}</gml:startAngle>"
                + f"<gml:endAngle uom=\"deg\">{part[4]:.4f}</gml:endAngle></gml:ArcByCenterPoint>")
    return text


def component(operation, sequence, lower, upper, ring, rng):
    def limit(name, value):
        if value[0] == "-9998":
            return f'<aixm:{name}>UNL</aixm:{name}><aixm:{name}Reference>OTHER</aixm:{name}Reference>'
        return f'<aixm:{name} uom="{value[1]}">{value[0]}</aixm:{name}><aixm:{name}Reference>{value[2]}</aixm:{name}Reference>'
    return f"""
<aixm:geometryComponent><aixm:AirspaceGeometryComponent><aixm:operation>{operation}</aixm:operation>
<aixm:operationSequence>{sequence}</aixm:operationSequence><aixm:theAirspaceVolume><aixm:AirspaceVolume>
{limit("upperLimit", upper)}{limit("lowerLimit", lower)}
<aixm:horizontalProjection><aixm:Surface srsName="urn:ogc:def:crs:OGC:1.3:CRS84"><gml:patches><gml:PolygonPatch><gml:exterior><gml:Ring>
<gml:curveMember><gml:Curve><gml:segments>{segments(ring, rng)}</gml:segments></gml:Curve></gml:curveMember>
</gml:Ring></gml:exterior></gml:PolygonPatch></gml:patches></aixm:Surface></aixm:horizontalProjection>
</aixm:AirspaceVolume></aixm:theAirspaceVolume></aixm:AirspaceGeometryComponent></aixm:geometryComponent>"""


def special_use(feature, ring, rng):
    p = feature["properties"]
    lower, upper = altitude(p["floor"], False), altitude(p["ceiling"], True)
    parts = component("BASE", 1, lower, upper, ring, rng)
    if rng.random() < 0.27:
        x, y = (sum(v[i] for v in ring) / len(ring) for i in (0, 1))
        cut = circle(x, y, 0.05, 36)
        parts += component("SUBTR", 2, ("0", "FT", "SFC"), rng.choice([upper, ("1500", "FT", "SFC")]), cut, rng)
    name, designator = escape(p["name"]), escape(p["identifier"] or p["name"][:9])
    hours = escape(p["scheduleDescription"] or "By NOTAM.")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<saa:SaaMessage xmlns:aixm="http://www.aixm.aero/schema/5.0" xmlns:gml="http://www.opengis.net/gml/3.2"
 xmlns:saa="urn:us:gov:dot:faa:aim:saa" xmlns:sua="urn:us:gov:dot:faa:aim:saa:sua" xmlns:xlink="http://www.w3.org/1999/xlink">
<saa:hasMember><aixm:Airspace gml:id="Airspace1"><aixm:timeSlice><aixm:AirspaceTimeSlice>
<aixm:designator>{designator}</aixm:designator><aixm:name>{name}</aixm:name>{parts}
<aixm:annotation><aixm:Note><aixm:propertyName>legalDefinitionType</aixm:propertyName><aixm:translatedNote><aixm:LinguisticNote>
<aixm:note>Times of use. {hours}</aixm:note></aixm:LinguisticNote></aixm:translatedNote></aixm:Note></aixm:annotation>
<aixm:extension><sua:AirspaceExtension><sua:suaType>{SPECIAL[p["type"]]}</sua:suaType>
<saa:administrativeArea>{escape(p["state"] or "CALIFORNIA")}</saa:administrativeArea></sua:AirspaceExtension></aixm:extension>
</aixm:AirspaceTimeSlice></aixm:timeSlice></aixm:Airspace></saa:hasMember>
<saa:hasMember><aixm:Unit gml:id="Unit1"><aixm:timeSlice><aixm:UnitTimeSlice><aixm:name>FAA, {p["controllingFacility"] or "ARTCC"}</aixm:name>
<aixm:type>ARTCC</aixm:type></aixm:UnitTimeSlice></aixm:timeSlice></aixm:Unit></saa:hasMember>
<saa:hasMember><aixm:AirspaceUsage gml:id="Usage1"><aixm:timeSlice><aixm:AirspaceUsageTimeSlice><aixm:activity>MILOPS</aixm:activity>
<aixm:workingHours>TIMSH</aixm:workingHours><aixm:Timesheet><aixm:timeReference>UTC</aixm:timeReference><aixm:day>MON</aixm:day>
<aixm:dayTil>FRI</aixm:dayTil><aixm:startTime>07:00</aixm:startTime><aixm:endEvent>SS</aixm:endEvent>
<aixm:endTimeRelativeEvent>30</aixm:endTimeRelativeEvent></aixm:Timesheet></aixm:AirspaceUsageTimeSlice></aixm:timeSlice></aixm:AirspaceUsage></saa:hasMember>
<saa:hasMember><aixm:RadioCommunicationChannel gml:id="Radio1"><aixm:timeSlice><aixm:RadioCommunicationChannelTimeSlice>
<aixm:mode>AM</aixm:mode><aixm:frequencyTransmission uom="MHZ">126.55</aixm:frequencyTransmission></aixm:RadioCommunicationChannelTimeSlice>
</aixm:timeSlice></aixm:RadioCommunicationChannel></saa:hasMember>
</saa:SaaMessage>
"""


def features(source):
    """Each feature with its properties and its rings, whose first corner is not repeated."""
    data = gzip.open(source).read() if source.endswith(".gz") else open(source, "rb").read()
    for feature in json.loads(data)["features"]:
        rings = [[tuple(point) for point in ring[:-1]] for ring in feature["geometry"]["coordinates"]]
        yield feature, feature["properties"], rings


def class_row(p, rings):
    values = class_values(
        p["name"], p["type"], altitude(p["floor"], False), altitude(p["ceiling"], True), IDENT=p["identifier"])
    return values, [rings]


def sample(source, folder):
    """The class airspace that is completely inside the box of samples/nasr-rows."""
    def is_near(ring):
        return all(-123.2 <= x <= -120.9 and 36.9 <= y <= 38.1 for x, y in ring)
    os.makedirs(folder, exist_ok=True)
    write_shapefile(
        os.path.join(folder, "Class_Airspace.shp"),
        [class_row(p, rings) for _, p, rings in features(source) if p["type"].startswith("CLASS") and is_near(rings[0])])


def full(source, folder):
    rng = random.Random(1)
    os.makedirs(folder, exist_ok=True)
    rows, inner, corners = [], io.BytesIO(), 0
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as xml:
        for number, (feature, p, rings) in enumerate(features(source)):
            if p["type"] in SPECIAL:
                xml.writestr(f"{number} {p['name'].replace('/', '-')}.xml", special_use(feature, rings[0], rng))
            elif p["type"].startswith("CLASS"):
                rings = [densified(ring, 60) for ring in rings]
                corners += sum(map(len, rings))
                rows.append(class_row(p, rings))
    outer = os.path.join(folder, "SaaSubscriberFile.zip")
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_STORED) as zipped:
        zipped.writestr("Saa_Sub_File.zip", inner.getvalue())
    write_shapefile(os.path.join(folder, "Class_Airspace.shp"), rows)
    with zipfile.ZipFile(os.path.join(folder, "Class_Airspace.zip"), "w", zipfile.ZIP_DEFLATED) as zipped:
        for ending in ("shp", "shx", "dbf", "prj"):
            zipped.write(os.path.join(folder, f"Class_Airspace.{ending}"), f"Shape_Files/Class_Airspace.{ending}")
    print(len(rows), "shapes of", corners, "corners")


if __name__ == "__main__":
    if sys.argv[1:2] == ["fixtures"] and len(sys.argv) == 3:
        fixtures(sys.argv[2])
    elif sys.argv[1:2] == ["sample"] and len(sys.argv) == 4:
        sample(sys.argv[2], sys.argv[3])
    elif sys.argv[1:2] == ["full"] and len(sys.argv) == 4:
        full(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
