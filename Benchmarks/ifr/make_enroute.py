#!/usr/bin/env python3
"""Draws synthetic IFR enroute charts in the FAA's files.

    make_enroute.py nation --folder DIR [--processes 2] [--only ENR_H] [--form palette]
    make_enroute.py truth  --folder DIR [--size .25] [--full ENR_L32,ENR_L15] [--only ...] [--form palette]
    make_enroute.py broken --folder DIR [--size .25] [--of ENR_L32]

`nation` draws every chart of pipelines/ifr-low, ifr-high and ifr-area.json5 at full size. `truth` draws sheets with dots whose places are
known, for check_enroute.py, and a definition of them. `broken` draws faulty copies of a truth sheet, each in a folder of its own.
It needs Python with GDAL's bindings, cairo and numpy (python3-gdal, python3-cairo, python3-numpy).
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import os
import random

from drawing import INKS, NationalPrint, TruthPrint, square
from files import pack, page, world_file, write_tif
from lambert import Lambert, apply, rotated
from sheets import TRUTH, national_sheets, reference, truth_sheet

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FAMILIES = ["ifr-low", "ifr-high", "ifr-area"]
SIDE = 6144  # of the square that national sheets are made of


def nation(asked):
    drawn, zips = square(SIDE), {}
    for sheet in itertools.chain.from_iterable(national_sheets(f"{ROOT}/pipelines/{name}.json5") for name in FAMILIES):
        zips.setdefault(sheet.archive, []).append(sheet)
    waiting = [sheets for name, sheets in zips.items()
               if sheets[0].name.startswith(tuple(asked.only)) and not os.path.exists(f"{asked.folder}/{name}.zip")]
    with concurrent.futures.ProcessPoolExecutor(asked.processes) as pool:
        for text in pool.map(national_zip, waiting, itertools.repeat(asked), itertools.repeat(drawn)):
            print(text, flush=True)


def national_zip(sheets, asked, drawn):
    members = []
    for sheet in sheets:
        members += files(sheet, NationalPrint(sheet, drawn).pixels, asked)
    pack(f"{asked.folder}/{sheets[0].archive}.zip", members)
    return "\n".join(map(line, sheets))


def files(sheet, pixels, asked):
    """The members of a sheet in its zip."""
    path = f"{asked.folder}/{sheet.name}.tif"
    write_tif(path, pixels, sheet.transform, sheet.reference, asked.form or sheet.options.get("form"))
    return [(f"{sheet.name}.tif", path), (f"{sheet.name}.tfwx", world_file(sheet.transform)),
            (f"{sheet.name}{sheet.options.get('page', '_tif')}.htm", page(sheet))]


def line(sheet):
    return f"{sheet.name}: {sheet.width} x {sheet.height}, {sheet.metres:.1f} m, {sheet.degrees:+.1f} degrees, zoom {sheet.zoom}"


def truth(asked):
    os.makedirs(f"{asked.folder}/truth", exist_ok=True)
    world = marks()
    with open(f"{asked.folder}/fixes.csv", "w") as file:
        file.write("lat,lon,ident,kind\n")
        file.writelines(f"{lat:.8f},{lon:.8f},{ident},{kind}\n" for lat, lon, ident, kind in world)
    zips, made = {}, []
    for name in filter(lambda name: name.startswith(tuple(asked.only)), TRUTH):
        sheet = truth_sheet(name, 1 if name in asked.full else asked.size)
        drawn = TruthPrint(sheet, world)
        zips.setdefault(sheet.archive, []).extend(files(sheet, drawn.pixels, asked))
        with open(f"{asked.folder}/truth/{name}.json", "w") as file:
            json.dump(known(sheet, drawn), file)
        made.append(sheet)
        print(f"{line(sheet)}, {len(drawn.dots)} dots, {len(drawn.marks)} fixes and navaids", flush=True)
    for name, members in zips.items():
        pack(f"{asked.folder}/{name}.zip", members)
    write_definition(asked.folder, made)


def marks():
    """Fixes and navaids of the same world for all sheets: latitude, longitude, ident, kind."""
    chance, made, seen = random.Random(20261126), [], set()
    for (west, south, east, north), fixes, navaids in (
            ((-128, 23, -62, 50), 5600, 620), ((160, 40, 235, 72), 2600, 200), ((140, -8, 245, 40), 1500, 90)):
        low, high = math.sin(math.radians(south)), math.sin(math.radians(north))
        for number in range(fixes + navaids):
            navaid = number >= fixes
            lat = math.degrees(math.asin(low + (high - low) * chance.random()))
            lon = (west + (east - west) * chance.random() + 180) % 360 - 180
            ident = unused(chance, seen, 3 if navaid else 5)
            kind = chance.choice(["VORTAC", "VORTAC", "VOR/DME", "VOR", "NDB"] if navaid else ["RP", "WP", "WP", "RP-C"])
            made.append((round(lat, 8), round(lon, 8), ident, kind))
    return made


def unused(chance, seen, length):
    while True:
        ident = "".join(chance.choice("AEIOUY" if place % 2 else "BCDFGKLMNPRSTVWZ") for place in range(length))
        if length == 3:
            ident = ident[:2] + chance.choice("BCDFGKLMNPRSTVWZ") if chance.random() < .5 else ident[0] + chance.choice("LMNRS") + ident[2]
        if ident not in seen:
            seen.add(ident)
            return ident


def known(sheet, drawn):
    lon, lat = sheet.lonlat([dot[0] for dot in drawn.dots], [dot[1] for dot in drawn.dots])
    dots = [[round(x, 4), round(y, 4), round(float(east), 9), round(float(north), 9)] for (x, y), east, north in zip(drawn.dots, lon, lat)]
    return {"sheet": sheet.name, "transform": sheet.transform, "lambert": sheet.lambert.parameters, "metres": sheet.metres,
            "face": sheet.face, "holes": sheet.holes, "zoom": sheet.zoom, "ink": INKS["dot"], "dots": dots}


def write_definition(folder, sheets):
    """A family of the truth sheets with their faces, and mosaics of the low, the high and the area charts."""
    mosaics = {name: [sheet.name for sheet in sheets if sheet.name.startswith(starts)]
               for name, starts in (("Low", ("ENR_L", "ENR_AKL")), ("High", ("ENR_H", "ENR_AKH")), ("Area", ("ENR_A0",)))}
    family = {
        "kind": "charts", "name": "ifr-truth", "title": "Synthetic IFR enroute charts", "cadence": "56-day",
        "attribution": "Synthetic chart, not for navigation", "regionSuffix": "_TRUTH", "undated": True, "symbols": ["navaids", "fixes"],
        "tiles": {"minZoom": 3, "maxZoom": 11, "format": "png", "size": 256},
        "mosaics": [{"id": name, "name": name, "charts": names, "order": "scale", "archives": ["mbtiles", "pmtiles"]} for name, names in mosaics.items() if len(names) > 1],
        "charts": list(map(chart, sheets))}
    with open(f"{folder}/ifr-truth.json5", "w") as file:
        file.write("// Truth sheets of IFR enroute charts, written by make_enroute.py.\n" + json.dumps(family, indent=1) + "\n")


def chart(sheet):
    first, second, latitude, longitude = sheet.lambert.parameters
    made = {"id": sheet.name, "name": sheet.name, "zip": f"{sheet.archive}.zip", "tif": f"{sheet.name}.tif", "maxZoom": sheet.zoom,
            "projection": [second, first, longitude, latitude], "neatline": edges(sheet.face)}
    if sheet.name == "ENR_L26":  # the build is to find this inset by its place
        left, top, right, bottom = sheet.holes[0]
        lon, lat = sheet.lonlat([left, right, left, right], [top, top, bottom, bottom])
        made["insets"] = [{"name": "Elsewhere", "near": [round(float(value), 2) for value in (lon.min() - .1, lat.min() - .1, lon.max() + .1, lat.max() + .1)]}]
    elif sheet.holes:
        made["neatline"]["masks"] = list(map(edges, sheet.holes))
    return made


def edges(box):
    return {"west": {"column": box[0]}, "south": {"row": box[3]}, "east": {"column": box[2]}, "north": {"row": box[1]}}


def broken(asked):
    sheet, other = truth_sheet(asked.of, asked.size), truth_sheet("ENR_L05", asked.size)
    pixels = TruthPrint(sheet, marks()).pixels
    write_definition(asked.folder, [sheet])
    for fault, (image, transform, spatial, form, world, text) in faults(sheet, other, pixels).items():
        path = f"{asked.folder}/{sheet.name}.tif"
        write_tif(path, image, transform, spatial, form)
        if fault == "truncated":
            os.truncate(path, os.path.getsize(path) * 6 // 10)
        pack(f"{asked.folder}/{fault}/{sheet.archive}.zip",
             [(f"{sheet.name}.tif", path), (f"{sheet.name}.tfwx", world), (f"{sheet.name}_tif.htm", text)])


def faults(sheet, other, pixels):
    """By name: the pixels, transform, reference system and form of the image, the world file, and the page."""
    plain, first, second, latitude, longitude = sheet.transform, *sheet.lambert.parameters
    middle = (sheet.face[0] + sheet.face[2]) / 2, (sheet.face[1] + sheet.face[3]) / 2
    turned = lambda degrees: rotated(sheet.metres, degrees, *middle, *apply(plain, *middle))
    x, y = apply(plain, 2, 0)
    shifted = [x, *plain[1:3], y, *plain[4:]]
    x, y = apply(plain, sheet.face[0] + sheet.face[2], 0)
    mirrored = [x, -plain[1], plain[2], y, -plain[4], plain[5]]
    elsewhere = Lambert(first, second, latitude, longitude - 1)

    def case(image=pixels, transform=plain, spatial=sheet.reference, form=None, world=None, text=None, all_files=False):
        text = text or (page_with(sheet, transform) if all_files else page(sheet))
        return image, transform, spatial, form, world or world_file(transform if all_files else plain), text

    return {
        "good": case(), "rotation-tif": case(transform=turned(-sheet.degrees)), "rotation-all": case(transform=turned(-sheet.degrees), all_files=True),
        "turned-180-tif": case(transform=turned(sheet.degrees + 180)), "shift-tif": case(transform=shifted),
        "shift-tfwx": case(world=world_file(shifted)), "shift-all": case(transform=shifted, all_files=True),
        "crs-tif": case(spatial=reference(elsewhere)), "crs-all": case(spatial=reference(elsewhere), text=page(sheet, elsewhere)),
        "parallels-tif": case(spatial=reference(Lambert(50, 33, latitude, longitude))), "mirrored-geo": case(transform=mirrored),
        "mirrored-image": case(image=pixels[:, ::-1]), "16-bit": case(form="wide"), "2-bands": case(form="two"), "truncated": case(),
        "tfwx-of-another": case(world=world_file(other.transform)), "htm-of-another": case(text=page(other)),
        "htm-values-of-another": case(text=page(other, name=sheet.name)), "no-georeference": case(spatial=None)}


def page_with(sheet, transform):
    """The page that agrees with a wrong transform."""
    true, sheet.transform = sheet.transform, transform
    text = page(sheet)
    sheet.transform = true
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    names = lambda text: text.split(",")
    for action in (nation, truth, broken):
        command = commands.add_parser(action.__name__)
        command.set_defaults(action=action)
        command.add_argument("--folder", required=True)
        if action is not broken:
            command.add_argument("--only", type=names, default=[""], help="names or their beginnings, such as ENR_H,ENR_L01")
            command.add_argument("--form", choices=["palette", "rgba"], help="the form of all images, instead of each sheet's own")
        if action is nation:
            command.add_argument("--processes", type=int, default=2)
        else:
            command.add_argument("--size", type=float, default=.25, help="of the width and height")
        if action is truth:
            command.add_argument("--full", type=names, default=[], help="sheets at full size, such as ENR_L32,ENR_L15")
        if action is broken:
            command.add_argument("--of", default="ENR_L32")
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    asked.action(asked)


if __name__ == "__main__":
    main()
