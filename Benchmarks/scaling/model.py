#!/usr/bin/env python3
"""Predicts time, memory, disk, requests, egress and money of a cycle on many cores, and compares the model with measured runs.

    Benchmarks/scaling/model.py            # the table of docs/SCALING.md
    Benchmarks/scaling/model.py --check    # the measured runs; exit 1 if a prediction is off by more than 15 %

It reads rates.json (full size), prices.json and measured.json (measure_fleet.py) beside it.
"""
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 0.15


def read(name):
    return json.loads((HERE / name).read_text())


class Phase:
    """A duration by cores: a serial part and a part that is divided. Fitted to a run on one core and one on two."""

    def __init__(self, one, two):
        self.serial = min(max(2 * two - one, 0), two)
        self.parallel = min(one, 2 * two) - self.serial

    def seconds(self, cores):
        return self.serial + self.parallel / cores


def run(measured, cores, shards):
    return next(each for each in measured["runs"] if each["cores"] == cores and len(each["shards"]) == shards)


def check(measured):
    one, two = run(measured, 1, 1), run(measured, 2, 1)
    build = Phase(one["shards"][0]["wall"], two["shards"][0]["wall"])
    join = Phase(one["join"]["wall"], two["join"]["wall"])
    worst = 0
    print("| cores of a machine | shards | slowest shard, predicted | measured | join, predicted | measured | total, predicted | measured | off by |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for each in measured["runs"]:
        cores, shards = each["cores"], each["shards"]
        total = sum(shard["expected"] for shard in shards)
        share = max(shard["expected"] for shard in shards) / total
        predicted = build.seconds(cores) * share, join.seconds(cores)
        actual = max(shard["wall"] for shard in shards), each["join"]["wall"]
        off = sum(predicted) / sum(actual) - 1
        kind = " (fitted)" if len(shards) == 1 else ""
        if not kind:
            worst = max(worst, abs(off))
        print(f"| {cores} | {len(shards)}{kind} | {predicted[0]:.1f} s | {actual[0]:.1f} s | {predicted[1]:.1f} s | {actual[1]:.1f} s "
              f"| {sum(predicted):.1f} s | {sum(actual):.1f} s | {off:+.0%} |")
    print(f"\nThe worst prediction is off by {worst:.0%}; the limit is {LIMIT:.0%}.")
    return worst <= LIMIT


def minutes(seconds):
    return f"{seconds / 60:.1f} min"


def table(measured):
    rates, prices = read("rates.json"), read("prices.json")
    fitted = {}
    one, two = (dict(run(measured, cores, 1)["join"]) for cores in (1, 2))
    for joined in (one, two):
        # The program's own number also counts the steps of the shards.
        joined["built"] = joined["wall"] - joined["validated"] - joined["staged"] - joined["published"]
    reference = run(measured, 2, 1)["shards"][0]["built"]
    chart = rates["chartCPUPerMegapixel"] * rates["megapixelsPerChart"]
    charts, databases = chart * rates["charts"], rates["databaseCPU"]
    for key, phase in (("seamsOfCharts", "built"), ("validationOfCharts", "validated"), ("stagingOfCharts", "staged")):
        own = rates[key]
        scale = charts / rates["chartSpeedup"] / reference
        if own is not None:
            scale *= own / (two[phase] / reference)
        fitted[phase] = Phase(one[phase] * scale, two[phase] * scale)
    megapixels = rates["megapixelsPerChart"] * rates["charts"]
    sources, tiles = megapixels * rates["sourceBytesPerMegapixel"], megapixels * rates["tileBytesPerMegapixel"]
    site = tiles * rates["siteOfTiles"]
    machine = rates["coresPerMachine"]
    products = rates["charts"] + 4
    rows = []
    for cores in (2, 16, 256):
        machines = min(max(cores // machine, 1), products)
        largest = chart / rates["chartSpeedup"]
        whole = (charts + databases) / rates["chartSpeedup"]
        # An even division, or the products of the fullest machine.
        shard = max(whole / machines, largest * math.ceil(rates["charts"] / machines))
        join = {phase: each.seconds(machine) for phase, each in fitted.items()}
        wall = shard + sum(join.values())
        files = rates["filesOfParts"] + 2 * (machines - 1), rates["filesOfSite"]
        writes, reads = sum(files), sum(files)
        jobs = [shard] * machines + [sum(join.values())]
        rows.append({
            "cores": f"{cores} ({machines} {'machine' if machines == 1 else 'machines'})",
            "slowest shard": minutes(shard), "seams and mosaic": minutes(join["built"]), "validation": minutes(join["validated"]),
            "staging": minutes(join["staged"]), "total": minutes(wall),
            "memory of a shard": f"{rates['memory'] / 1e6:.0f} MB",
            "disk of a shard": f"{(sources + tiles) / machines / 1e9:.1f} GB",
            "disk of the join": f"{(2 * tiles + site) / 1e9:.0f} GB",
            "writes, reads": f"{writes}, {reads}",
            "sent to the store": f"{(tiles + site) / 1e9:.1f} GB",
            "egress": f"{(tiles + site) / 1e9:.1f} GB",
            "GitHub": f"${sum(math.ceil(job / 60) for job in jobs) * prices['githubPerMinute']:.2f}",
            "cloud cores": f"${sum(jobs) * machine / 3600 * prices['cloudPerCoreHour']:.2f}",
            "R2 requests": f"${(writes * prices['r2PerMillionWrites'] + reads * prices['r2PerMillionReads']) / 1e6:.4f}",
            "S3 egress": f"${(tiles + site) / 1e9 * prices['s3EgressPerGB']:.2f}",
        })
    print("| | " + " | ".join(f"{row['cores']}" for row in rows) + " |")
    print("| --- |" + " --- |" * len(rows))
    for key in list(rows[0])[1:]:
        print(f"| {key} | " + " | ".join(row[key] for row in rows) + " |")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if check(read("measured.json")) else 1)
    elif sys.argv[1:]:
        sys.exit(__doc__)
    table(read("measured.json"))
