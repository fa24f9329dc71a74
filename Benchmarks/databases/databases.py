"""The database part of the benchmark: the cost of building an app's database from NASR files, and of queries.

Two cycles, the four largest tables as the FAA published them (23 MB) and a whole cycle grown from them, and 600,000 grown obstacles, which are a database of their
own. Each program is given what it takes: chartpipe the subscription zip, the others the unpacked files; of obstacles all read the same CSV file. Only chartpipe checks, links, and puts codes into words; SwiftNASR, the
nearest in purpose, does not build where there is no Apple system, and is missing here.
"""

import glob
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

import grow_cycle
from measure import Measured

HERE = os.path.dirname(os.path.abspath(__file__))

QUESTIONS = {"exact identifiers": ["KPAO", "PAO", "KSFO", "0J0", "EDU"], "names": ["palo alto", "san francisco", "santa", "field"],
             "two letters": ["ka", "kp", "sa", "pa", "mu", "1g"], "one letter": list("abcksq05")}
PLACES = [(37.46, -122.11), (40.7, -74.0), (39.0, -95.0), (61.2, -149.9)]


OBSTACLES = "DOF.csv"


def chartpipe(kind, id, source):
    """The build of one database from one source."""
    def run(products, folder, scratch):
        work, pipeline = scratch("databases"), scratch("bench.json5")
        definition = {"kind": kind, "name": "bench", "title": "Benchmark", "cadence": "28-day", "id": id, "sources": [source],
                      "gates": {"droppedRowShare": 1, "minimumRows": {}}}
        with open(pipeline, "w") as file:
            json.dump(definition, file)
        taken = Measured([os.path.join(products, "chartpipe"), "build", pipeline, "--cycle", "2304", "--from", folder, "--work", work,
                          "--quiet"])
        return taken, f"{work}/build/2304/bench/{id}.sqlite"
    return run


def peer(python, script, *arguments):
    """A program in this folder; its arguments are the database and the tables."""
    def run(_, folder, scratch):
        database = scratch("peer.sqlite")
        files = sorted(glob.glob(f"{folder}/csv/*.csv")) or glob.glob(f"{folder}/*.csv")
        return Measured([*python, os.path.join(HERE, "peers", script), *arguments, database, *files]), database
    return run


def programs(python, builds):
    return {
        "chartpipe": builds,
        "sqlite3 .import": peer(["bash"], "import.sh", "bare"),
        "sqlite3 .import, typed and indexed": peer(["bash"], "import.sh", "typed"),
        "Python's csv and sqlite3": peer([sys.executable], "careful.py"),
        "pandas": peer([python], "with_pandas.py"),
    }


def race(chosen, products, folder, scratch, runs):
    """Runs all programs alternately."""
    figures, sizes = {name: [] for name in chosen}, {}
    for _ in range(runs):
        for name, program in chosen.items():
            taken, database = program(products, folder, scratch)
            figures[name].append((taken.wall, taken.cpu, taken.peak))
            sizes[name] = os.path.getsize(database)
            if name == "chartpipe":
                shutil.copy(database, os.path.join(folder, os.path.basename(database)))
    return {name: [statistics.median(column) for column in zip(*taken)] + [sizes[name]] for name, taken in figures.items()}


def table(title, figures, runs):
    bare = figures["sqlite3 .import"][0]
    yield f"### {title} (medians of {runs})"
    yield ""
    yield "| | wall s | x of .import | CPU s | peak MB | file MB |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, (wall, cpu, peak, size) in figures.items():
        yield f"| {name} | {wall:.2f} | {wall / bare:.2f} | {cpu:.2f} | {peak / 1e6:.0f} | {size / 1e6:.1f} |"
    yield ""


def ask(database, sql, values):
    """Uses a new connection each time, opening included."""
    start = time.perf_counter()
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.execute(sql, values).fetchall()
    taken = time.perf_counter() - start
    connection.close()
    return taken * 1000


def questions(database, times=25):
    yield "| question, on a cold connection | median ms | worst ms |"
    yield "| --- | --- | --- |"
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as stored:
        sql = dict(stored.execute("SELECT name, sql FROM queries"))
    nearest = next(text for name, text in sorted(sql.items()) if name in ("airportsNearest", "obstaclesNearest"))
    asked = {"the five nearest": [ask(database, nearest, (*place, 5)) for _ in range(times) for place in PLACES]}
    for name, texts in QUESTIONS.items() if "airportsSearch" in sql else []:
        asked[name] = [ask(database, sql["airportsSearch"], (text, 20)) for _ in range(times) for text in texts]
    for name, taken in asked.items():
        yield f"| {name} | {statistics.median(taken):.2f} | {max(taken):.2f} |"
    yield ""


def report(archive, folder, products, python, scratch, runs):
    """All tables of this part; `archive` is a zip with the four full files."""
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", os.path.dirname(os.path.dirname(python))], check=True)
    if subprocess.run([python, "-c", "import pandas"], capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", "pandas"], check=True, stdout=sys.stderr)
    grow_cycle.make(archive, folder)
    aviation = chartpipe("nasr", "aviation", "28DaySubscription_Effective_{date}.zip")
    obstacles = chartpipe("obstacles", "obstacles", OBSTACLES)
    for name, title, build, database in (
            ("four", "Four full tables, 23 MB", aviation, "aviation.sqlite"),
            ("grown", "A grown cycle of seven tables, 60 MB", aviation, "aviation.sqlite"),
            ("obstacles", "600,000 grown obstacles, 91 MB", obstacles, "obstacles.sqlite")):
        sources = os.path.join(folder, name)
        yield from table(title, race(programs(python, build), products, sources, scratch, runs), runs)
        yield from questions(os.path.join(sources, database))
