#!/usr/bin/env python3
"""Runs `chartpipe run` and prints the cost of its phases: wall time, CPU time, the peak of memory, bytes read and written.

    Benchmarks/measure_run.py [--products DIR] [--steps] -- cifp --cycle 2610 --from DIR --work WORK

The arguments after `--` are those of `chartpipe run`. --steps prints a row for every step instead of one for every phase.
"""

import argparse
import json
import subprocess
import sys
import time

from nation import ROOT, Meter, print_table


def phase(step):
    """The phase of a started step: a family's charts, seams or mosaics, a database, an export, validation or staging."""
    if step in ("stage", "compress", "report", "publish"):
        return "staging, report"
    if step.startswith("validate "):
        kind = step.rsplit(".", 1)[-1]
        return "validation: " + {"json": "descriptions", "mbtiles": "charts", "pmtiles": "mosaics"}.get(kind, kind)
    family, name = step.split("/", 1)
    if not family.startswith(("ifr-", "vfr-")):
        return step
    if name.endswith(", seams"):
        return f"{family}: seams"
    return f"{family}: charts" if name.startswith("ENR_") else f"{family}: mosaics"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--products", default=f"{ROOT}/.build/release")
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("arguments", nargs="+")
    asked = parser.parse_args()
    costs, now = {}, "sources, plan"
    start = time.monotonic()
    command = [f"{asked.products}/chartpipe", "run", *asked.arguments, "--pipelines", f"{ROOT}/pipelines", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    meter = Meter(process.pid)

    def add():
        cost = meter.reading()
        sums = costs.setdefault(now, dict.fromkeys(cost, 0))
        for key in cost:
            sums[key] = max(sums[key], cost[key]) if key == "peak" else sums[key] + cost[key]

    for line in process.stderr:
        event = json.loads(line)
        if event["event"] == "started":
            add()
            now = event["step"] if asked.steps else phase(event["step"])
        elif event["event"] in ("warning", "failed", "error"):
            print(line, end="", file=sys.stderr)
    status = process.wait()
    add()
    meter.ended.set()
    print_table(costs, time.monotonic() - start)
    print(f"exit {status}")


if __name__ == "__main__":
    main()
