#!/usr/bin/env python3
"""Measures a cycle of drawn sectionals on one machine and in shards, for model.py.

    Benchmarks/scaling/measure_fleet.py --programs .build/release --folder DIR > Benchmarks/scaling/measured.json

Each shard runs alone, as on a machine of its own. Phases are those that the program reports. The machine must be idle.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time

CYCLE = "2304"
PHASES = ("built", "validated", "staged", "published")
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def call(words, cores, log):
    """Wall and CPU seconds, the peak memory in MB, and the phases."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    limited = ["taskset", "-c", ",".join(map(str, range(cores))), *map(str, words), "--jobs", str(cores)]
    ending = subprocess.run(limited, capture_output=True, text=True, check=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    log.write(ending.stderr)
    result = {"wall": round(wall, 2), "cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2)}
    memory = re.search(r"with at most ([\d.]+) MB of memory", ending.stderr + ending.stdout)
    result["memory"] = float(memory[1]) if memory else None
    for phase in PHASES:
        found = re.search(rf"^  {phase} +(?:(\d+) min )?([\d.]+) s", ending.stderr + ending.stdout, re.M)
        if found:
            result[phase] = int(found[1] or 0) * 60 + float(found[2])
    return result


def size(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=REPOSITORY / ".build/release")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--metres", default="1000")
    options = parser.parse_args()
    folder, program = options.folder.resolve(), options.programs.resolve() / "chartpipe"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([program.parent / "make-samples", "--fleet", folder / "faa", "--metres", options.metres], check=True,
                   stderr=subprocess.DEVNULL)
    definition = folder / "faa/vfr-sectional.json5"
    source = ["--cycle", CYCLE, "--from", folder / "faa"]
    runs = []
    with open(folder / "log", "w") as log:
        for cores, shards in ((1, 1), (2, 1), (2, 2), (2, 4), (1, 4)):
            name = folder / f"{cores}-{shards}"
            plan = name / "plan.json"
            name.mkdir()
            subprocess.run([program, "plan", definition, *source, "--shards", str(shards), "--output", plan, "--work", name / "none"],
                           check=True, capture_output=True)
            built = []
            for shard in json.loads(plan.read_text())["shards"]:
                one = call([program, "build", "--plan", plan, "--shard", shard["shard"], "--from", folder / "faa", "--work",
                            name / shard["shard"].replace("/", "-"), "--to", name / "parts", "--pipelines", folder / "faa"],
                           cores, log)
                one["expected"], one["products"] = shard["seconds"], len(shard["products"])
                built.append(one)
            joined = call([program, "join", name / "parts", "--plan", plan, "--work", name / "joined", "--publish", name / "site",
                           "--pipelines", folder / "faa"], cores, log)
            sizes = {"parts": size(name / "parts"), "site": size(name / "site"), "work": size(name / "joined")}
            files = {"parts": sum(path.is_file() for path in (name / "parts").rglob("*")),
                     "site": sum(path.is_file() for path in (name / "site").rglob("*"))}
            runs.append({"cores": cores, "shards": built, "join": joined, "bytes": sizes, "files": files})
            shutil.rmtree(name)
    print(json.dumps({"metres": int(options.metres), "sourceBytes": size(folder / "faa"), "cores": os.cpu_count(), "runs": runs}, indent=1))


if __name__ == "__main__":
    main()
