#!/usr/bin/env python3
"""Measures the cycle of a whole country: draws every VFR chart of the FAA, and times a run from these zips to a published site.

    Benchmarks/nation.py draw --folder DIR [--scale full|half|quarter|eighth]
    Benchmarks/nation.py data --folder DIR --tables ZIP --airways ZIP --routes DIR --subscription ZIP --world ZIP --airspace GEOJSON
    Benchmarks/nation.py run  --folder DIR --work WORK [--jobs N] [--publish DIR]

`draw` writes the zips and the definitions of all chart families into DIR, 6 GB at full size; charts that are there already are kept.
`data` adds a NASR cycle with the FAA's numbers of rows (databases/full_cycle.py, airspace/make_airspace.py explain its inputs), the tables
of OurAirports, and 600,000 obstacles. `run` runs all definitions in DIR and prints a table of the phases: wall time, CPU time, the
peak of memory, bytes read and written. A second `run` in the same WORK measures a run in which nothing changed.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from measure import descendants, resident  # noqa: E402

ROOT = os.path.dirname(HERE)
FAMILIES = ["vfr-sectional", "vfr-terminal", "vfr-helicopter", "caribbean", "grand-canyon", "planning"]
CYCLE = "2304"
# Rules that compare tables with each other: synthetic rows of one table do not belong to those of another.
SYNTHETIC = ["database-places", "database-agreement"]
TICK = os.sysconf("SC_CLK_TCK")


def draw(asked):
    waiting = [name for name in FAMILIES if not os.path.exists(f"{asked.folder}/{name}.json5")]
    for name in waiting:
        subprocess.run(
            [f"{asked.products}/make-samples", "--fleet", asked.folder, "--family", name, "--scale", asked.scale], check=True)


def data(asked):
    os.makedirs(asked.folder, exist_ok=True)
    subprocess.run(
        [sys.executable, f"{HERE}/databases/full_cycle.py", "--tables", asked.tables, "--airways", asked.airways,
         "--routes", asked.routes, "--sample", asked.subscription, "--folder", asked.folder], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([asked.gdal_python, f"{HERE}/airspace/make_airspace.py", "full", asked.airspace, asked.folder], check=True)
    os.replace(f"{asked.folder}/Class_Airspace.zip", f"{asked.folder}/class_airspace_shape_files.zip")
    for name in ["dbf", "prj", "shp", "shx"]:
        os.remove(f"{asked.folder}/Class_Airspace.{name}")
    shutil.rmtree(f"{asked.folder}/csv")
    subprocess.run([sys.executable, f"{HERE}/make_obstacles.py", f"{asked.folder}/DAILY_DOF_CSV.ZIP", "600000"], check=True)
    shutil.copy(asked.world, f"{asked.folder}/ourairports.zip")
    write_definitions(asked.folder)


def write_definitions(folder):
    """The shipped definitions without their corrections, known airports, references of columns and numbers of preferred routes, since most rows are synthetic."""
    for name in ["nasr", "obstacles"]:
        with open(f"{ROOT}/pipelines/{name}.json5") as file:
            text = re.sub(r"^ +(corrections|known|columns|preferredRoutes): .*\n", "", file.read(), flags=re.MULTILINE)
        with open(f"{folder}/{name}.json5", "w") as file:
            file.write(text.replace("droppedRowShare: 0.01", "droppedRowShare: 0.1"))
        for table in re.findall(r'"([\w-]+\.csv)"', text):
            if os.path.exists(f"{ROOT}/pipelines/{table}"):
                shutil.copy(f"{ROOT}/pipelines/{table}", folder)


class Phases:
    """Follows the events of a run, and adds the cost between two of them to the phase of the first."""

    def __init__(self, definitions):
        self.mosaics = {f"{d['name']}/{mosaic['id']}" for d in definitions for mosaic in d.get("mosaics", [])}
        self.charts = {d["name"] for d in definitions if d["kind"] == "charts"}
        self.costs, self.phase = {}, "sources, plan"

    def of(self, step):
        """The phase of a started step."""
        if step == "publish":
            return "publishing"
        if step in ("stage", "compress", "report"):
            return "staging, report"
        if step.startswith("validate"):
            return "validation"
        family, name = step.split("/", 1)
        if step in self.mosaics:
            return "mosaics"
        if name.endswith(", seams"):
            return "seams"
        if family in self.charts:
            return f"charts: {family}"
        return "databases" if name in ("aviation", "obstacles") else "exports"

    def add(self, reading):
        sums = self.costs.setdefault(self.phase, {"wall": 0, "cpu": 0, "peak": 0, "read": 0, "written": 0})
        for key in ("wall", "cpu", "read", "written"):
            sums[key] += reading[key]
        sums["peak"] = max(sums["peak"], reading["peak"])


class Meter:
    """The cost of a process and its children since the last reading."""

    def __init__(self, process):
        self.process, self.peak = process, 0
        self.last = self.totals()
        self.ended = threading.Event()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()

    def watch(self):
        while not self.ended.wait(0.1):
            self.peak = max(self.peak, sum(map(resident, descendants(self.process))))

    def totals(self):
        totals = {"wall": time.monotonic(), "cpu": 0, "read": 0, "written": 0}
        try:
            with open(f"/proc/{self.process}/stat") as file:
                totals["cpu"] = sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15])) / TICK
            with open(f"/proc/{self.process}/io") as file:
                counts = dict(line.split(": ") for line in file)
            totals["read"], totals["written"] = int(counts["read_bytes"]), int(counts["write_bytes"])
        except (OSError, ValueError):
            # It has ended: its CPU time is known, its last reads and writes are not.
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            return {**self.last, "wall": totals["wall"], "cpu": used.ru_utime + used.ru_stime}
        return totals

    def reading(self):
        now = self.totals()
        cost = {key: now[key] - self.last[key] for key in now}
        cost["peak"], self.peak, self.last = self.peak, 0, now
        return cost


def run(asked):
    paths = [f"{asked.folder}/{name}" for name in sorted(os.listdir(asked.folder)) if name.endswith(".json5")]
    command = [f"{asked.products}/chartpipe", "run", *paths, "--cycle", CYCLE, "--from", asked.folder, "--work", asked.work,
               "--pipelines", f"{ROOT}/pipelines", "--json"]
    for rule in SYNTHETIC:
        command += ["--accept", f"{rule}:most rows are synthetic"]
    command += ["--jobs", str(asked.jobs)] if asked.jobs else []
    command += ["--publish", asked.publish] if asked.publish else []
    phases = Phases(list(map(definition, paths)))
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    meter = Meter(process.pid)
    with open(f"{asked.work.rstrip('/')}.events", "w", buffering=1) as record:
        for line in process.stderr:
            event = json.loads(line)
            if event["event"] != "advanced":
                record.write(f"{time.monotonic() - start:.1f} {line}")
            if event["event"] == "started":
                phases.add(meter.reading())
                phases.phase = phases.of(event["step"])
    status = process.wait()
    phases.add(meter.reading())
    meter.ended.set()
    print_table(phases.costs, time.monotonic() - start)
    print(f"exit {status}")
    for name, path in [("sources", asked.folder), ("work folder", asked.work), ("published", asked.publish)]:
        if path:
            print(f"{name}: {disk(path) / 1e9:.2f} GB")


def definition(path):
    if os.path.basename(path)[:-6] in FAMILIES:
        with open(path) as file:
            return json.load(file)
    return {"name": os.path.basename(path)[:-6], "kind": "database"}


def disk(folder):
    """The allocated bytes; a file with several links counts once."""
    blocks = {}
    for place, _, files in os.walk(folder):
        for name in files:
            status = os.lstat(os.path.join(place, name))
            blocks[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(blocks.values())


def print_table(costs, wall):
    print("| phase | wall | CPU | peak memory | read | written |\n| --- | --- | --- | --- | --- | --- |")
    for phase, cost in costs.items():
        print(row(phase, cost))
    total = {key: sum(cost[key] for cost in costs.values()) for key in ("cpu", "read", "written")}
    print(row("all", {**total, "wall": wall, "peak": max(cost["peak"] for cost in costs.values())}))


def row(name, cost):
    return (f"| {name} | {clock(cost['wall'])} | {clock(cost['cpu'])} | {cost['peak'] / 1e6:.0f} MB | {cost['read'] / 1e9:.2f} GB "
            f"| {cost['written'] / 1e9:.2f} GB |")


def clock(seconds):
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for action in (draw, data, run):
        command = commands.add_parser(action.__name__)
        command.set_defaults(action=action)
        command.add_argument("--folder", required=True)
        command.add_argument("--products", default=f"{ROOT}/.build/release")
        if action is draw:
            command.add_argument("--scale", default="full", choices=["full", "half", "quarter", "eighth"])
        elif action is data:
            for name in ("tables", "airways", "routes", "subscription", "world", "airspace"):
                command.add_argument(f"--{name}", required=True)
            command.add_argument("--gdal-python", default="/usr/bin/python3", help="a Python with GDAL's bindings")
        else:
            command.add_argument("--work", required=True)
            command.add_argument("--jobs", type=int)
            command.add_argument("--publish")
    asked = parser.parse_args()
    asked.action(asked)


if __name__ == "__main__":
    main()
