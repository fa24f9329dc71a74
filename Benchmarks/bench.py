#!/usr/bin/env python3
"""Compares chartpipe with other programs that make tiles of charts, on one synthetic sectional of a real sheet's size:
the same pixels, the same zooms, the same kernel, alternately.

    Benchmarks/bench.py --folder DIR [--runs N] [--only peers|scaling] [--sheet quarter|half|full] [--skip gdal2tiles,...]
    Benchmarks/bench.py --folder DIR [--runs N] --only databases --nasr ZIP

The second form measures database builds (databases/databases.py): ZIP contains one cycle's APT_BASE, APT_RWY, FIX_BASE and NAV_BASE.csv.
DIR (some 10 GB) keeps the sheet and the peers' Python packages for the next run. It needs a built chartpipe and
make-samples (`make bench` sees to that), gdal-bin, and Python's venv with pip.
"""

import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "databases")]
import databases  # noqa: E402
from measure import Measured  # noqa: E402

JOBS = 2


def stem(sheet):
    """The common name of a sheet's image and page. Its zip is named after the first two words."""
    return f"{sheet.capitalize()} Size SEC"


def zip_name(sheet):
    return f"{sheet.capitalize()}_Size.zip"


class Workshop:
    """The folder with all inputs of the measured programs."""

    def __init__(self, folder, products):
        self.folder = os.path.abspath(folder)
        self.products = products
        os.makedirs(self.folder, exist_ok=True)
        self.python = f"{self.folder}/venv/bin/python"

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def scratch(self, name):
        """An unused name."""
        path = self.path("scratch", name)
        shutil.rmtree(path, ignore_errors=True)
        if os.path.exists(path):
            os.remove(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def prepare(self, sheet):
        self.prepare_peers()
        self.draw(sheet)

    def prepare_peers(self):
        if not os.path.exists(self.path("venv")):
            run(sys.executable, "-m", "venv", self.path("venv"))
            run(self.python, "-m", "pip", "install", "-q", "numpy", "pillow", "rasterio", "rio-mbtiles")
        if not os.path.exists(self.path("gdal")):
            run(self.python, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--python-version", "3.13",
                "rasterio", "-d", self.path("wheel"))
            wheel = os.path.join(self.path("wheel"), os.listdir(self.path("wheel"))[0])
            zipfile.ZipFile(wheel).extractall(self.path("gdal"))

    def draw(self, sheet):
        sources = self.path(sheet)
        if not os.path.exists(f"{sources}/{stem(sheet)}.tif"):
            run(f"{self.products}/make-samples", "--full-size", sources, "--scale", sheet)
            with zipfile.ZipFile(f"{sources}/{zip_name(sheet)}") as archive:
                archive.extractall(sources)
        if not os.path.exists(f"{sources}/rgb.vrt") and shutil.which("gdal_translate"):
            run("gdal_translate", "-q", "-of", "VRT", "-expand", "rgb", f"{sources}/{stem(sheet)}.tif", f"{sources}/rgb.vrt")

    def size(self, sheet):
        """Width and height from the page beside the image, which swaps the two."""
        with open(self.path(sheet, f"{stem(sheet)}.htm"), encoding="latin-1") as file:
            page = file.read()
        return tuple(int(re.search(rf"{field}:</em>\s*(\d+)", page)[1]) for field in ("Row_Count", "Column_Count"))


def run(*command):
    subprocess.run(command, check=True, stdout=sys.stderr)


def definition(sheet, width, height, zooms, chosen):
    """A sheet without a collar: its rim is its neatline. So every program makes the same pixels."""
    return json.dumps({
        "kind": "charts", "name": "bench", "title": "Synthetic sectional", "cadence": "56-day", "attribution": "none",
        "tiles": {"minZoom": zooms[0], "maxZoom": zooms[1], "format": chosen, "size": 256},
        "charts": [{
            "id": "Sheet", "name": "Sheet", "zip": zip_name(sheet), "tif": f"{stem(sheet)}.tif",
            "neatline": {"west": {"column": 0}, "south": {"row": height}, "east": {"column": width}, "north": {"row": 0}},
        }]})


def chartpipe(shop, sheet, zooms, chosen):
    made = shop.scratch("chartpipe")
    pipeline = shop.scratch("bench.json5")
    with open(pipeline, "w") as file:
        file.write(definition(sheet, *shop.size(sheet), zooms, chosen))
    taken = Measured([
        f"{shop.products}/chartpipe", "build", pipeline, "--cycle", "2304", "--from", shop.path(sheet), "--work", made,
        "--jobs", str(JOBS), "--quiet"])
    return taken, f"{made}/build/2304/bench/Sheet.mbtiles"


def raster_tile(shop, sheet, zooms):
    tiles, archive = shop.scratch("raster-tile"), shop.scratch("raster-tile.mbtiles")
    taken = Measured([
        shop.python, f"{HERE}/peers/gdal_algorithm.py", shop.path("gdal"), "raster", "tile", "--min-zoom", str(zooms[0]),
        "--max-zoom", str(zooms[1]), "-r", "cubic", "--overview-resampling", "average", "-j", str(JOBS), "--webviewer", "none",
        shop.path(sheet, "rgb.vrt"), tiles])
    run(shop.python, f"{HERE}/peers/pack_tiles.py", tiles, archive)  # not measured
    return taken, archive


def classic(shop, sheet, zooms):
    archive = shop.scratch("classic.mbtiles")
    taken = Measured([f"{HERE}/peers/classic-chain", shop.path(sheet, f"{stem(sheet)}.tif"), *map(str, zooms), archive])
    return taken, archive


def gdal2tiles(shop, sheet, zooms):
    tiles, archive = shop.scratch("gdal2tiles"), shop.scratch("gdal2tiles.mbtiles")
    taken = Measured([
        "gdal2tiles.py", "-q", "--xyz", "-r", "cubic", "-w", "none", f"--processes={JOBS}", "-z", "-".join(map(str, zooms)),
        shop.path(sheet, "rgb.vrt"), tiles])
    run(shop.python, f"{HERE}/peers/pack_tiles.py", tiles, archive)
    return taken, archive


def rio_mbtiles(shop, sheet, zooms):
    archive = shop.scratch("rio.mbtiles")
    taken = Measured([
        shop.path("venv", "bin", "rio"), "mbtiles", "-f", "PNG", "--resampling", "cubic", "-j", str(JOBS),
        "--zoom-levels", "..".join(map(str, zooms)), shop.path(sheet, "rgb.vrt"), archive])
    return taken, archive


def programs(shop):
    """Each program with its name, its command, and whether it is fast enough for all runs."""
    ours = [(f"chartpipe, {chosen}", lambda s, z, chosen=chosen: chartpipe(shop, s, z, chosen), True)
            for chosen in ("png", "png32", "webp", "webp-lossless")]
    peers = [
        ("gdal raster tile", lambda s, z: raster_tile(shop, s, z), True),
        ("classic chain", lambda s, z: classic(shop, s, z), False),
        ("rio-mbtiles", lambda s, z: rio_mbtiles(shop, s, z), False),
        ("gdal2tiles", lambda s, z: gdal2tiles(shop, s, z), False),
    ]
    return ours + peers


def quality(shop, sheet, archive, zoom):
    answer = subprocess.run(
        [shop.python, f"{HERE}/quality/compare_tiles.py", shop.path(sheet, f"{stem(sheet)}.tif"), archive, str(zoom)],
        check=True, capture_output=True, text=True)
    return json.loads(answer.stdout)


def race(shop, sheet, zooms, chosen, runs):
    """Runs all programs alternately, so that a busy moment of the machine affects all of them."""
    figures = {name: [] for name, _, _ in chosen}
    archives = {}
    for number in range(runs):
        for name, program, is_quick in chosen:
            if number == 0 or is_quick:
                taken, archives[name] = program(sheet, zooms)
                figures[name].append((taken.wall, taken.cpu, taken.peak))
                note(f"  zooms {zooms[0]}-{zooms[1]}, {name}: {taken.wall:.1f} s")
                if number == 0:
                    keep = shop.path("scratch", f"kept {name}.mbtiles")
                    shutil.move(archives[name], keep)
                    archives[name] = keep
    rows = []
    for name, taken in figures.items():
        wall, cpu, peak = (statistics.median(column) for column in zip(*taken))
        archive = shop.path("scratch", f"kept {name}.mbtiles")
        rows.append((name, wall, cpu, peak, os.path.getsize(archive), quality(shop, sheet, archive, zooms[1])))
        os.remove(archive)
    return rows


def race_table(rows, zooms, runs):
    ours = next((row for row in rows if row[0] == "chartpipe, png"), rows[0])
    yield f"### Zooms {zooms[0]}-{zooms[1]}, cubic (medians of {runs}; the slow ones once)"
    yield ""
    yield "| | wall s | x | CPU s | peak MB | archive MB | bytes a tile | PSNR dB | shift px |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for name, wall, cpu, peak, size, found in rows:
        across, down = found["shift"]
        yield (f"| {name} | {wall:.1f} | {wall / ours[1]:.1f} | {cpu:.1f} | {peak / 1e6:.0f} | {size / 1e6:.0f} | "
               f"{found['bytes']:,.0f} | {found['psnr']:.1f} | {across:+.3f} {down:+.3f} |")
    yield ""


def scaling_table(shop, sheets):
    yield "### Cost by size, chartpipe, PNG8"
    yield ""
    yield "| sheet | source MPix | zooms | wall s | CPU s | peak MB | tiles MB | s a source MPix |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for sheet in sheets:
        shop.draw(sheet)
        width, height = shop.size(sheet)
        for deepest in (11, 12, 13):
            taken, archive = chartpipe(shop, sheet, (6, deepest), "png")
            note(f"  {sheet} sheet, zooms 6-{deepest}: {taken.wall:.1f} s")
            pixels = width * height / 1e6
            yield (f"| {sheet} | {pixels:.0f} | 6-{deepest} | {taken.wall:.1f} | {taken.cpu:.1f} | {taken.peak / 1e6:.0f} | "
                   f"{os.path.getsize(archive) / 1e6:.0f} | {taken.wall / pixels:.3f} |")
    yield ""


def machine(shop):
    model = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    newest = subprocess.run(
        [shop.python, f"{HERE}/peers/gdal_algorithm.py", shop.path("gdal"), "--version"], capture_output=True, text=True)
    system = subprocess.run(["gdalinfo", "--version"], capture_output=True, text=True).stdout.split(",")[0]
    return (f"{os.cpu_count()} cores, {model}, {platform.freedesktop_os_release()['PRETTY_NAME']}; `gdal raster tile` is "
            f"GDAL {newest.stdout.strip()}, the classic chain and gdal2tiles are {system}.")


def note(line):
    print(line, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--products", default=os.path.join(HERE, "..", ".build", "release"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", choices=["peers", "scaling", "databases"])
    parser.add_argument("--nasr", help="a zip with four full tables of the FAA's")
    parser.add_argument("--sheet", choices=["quarter", "half", "full"], default="full")
    parser.add_argument("--skip", default="", help="programs to leave out, by a part of their names")
    asked = parser.parse_args()
    if asked.only == "databases" and not asked.nasr:
        parser.error("--only databases needs --nasr")
    return asked


def main():
    asked = arguments()
    shop = Workshop(asked.folder, os.path.abspath(asked.products))
    if asked.only == "databases":
        print("\n".join(databases.report(
            asked.nasr, shop.path("databases"), shop.products, shop.python, shop.scratch, asked.runs)))
        return
    shop.prepare(asked.sheet)
    skipped = [word for word in asked.skip.split(",") if word]
    chosen = [p for p in programs(shop) if not any(word in p[0] for word in skipped)]
    lines = [machine(shop), ""]
    if asked.only != "scaling":
        quick = [program for program in chosen if program[2]]
        lines += race_table(race(shop, asked.sheet, (6, 12), quick, asked.runs), (6, 12), asked.runs)
        lines += race_table(race(shop, asked.sheet, (5, 11), chosen, asked.runs), (5, 11), asked.runs)
    if asked.only != "peers":
        sheets = ["quarter", "half", "full", "four"] if asked.sheet == "full" else [asked.sheet]
        lines += scaling_table(shop, sheets)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
