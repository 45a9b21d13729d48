#!/usr/bin/env python3
"""Measures how long `mpsbench compare` takes for two large reports, and how much memory it needs.

    compare_speed.py REPORT [--mpsbench PROGRAM] [--cases 10000] [--launches 3] [--samples 30] [--runs 5]

Makes two reports of --cases cases, all of them copies of the first good case of REPORT with --launches launches of
--samples samples. Then runs the comparison --runs times and prints the shortest time and the peak memory.
"""

import argparse
import copy
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def multiplied(report: dict, arguments: argparse.Namespace, seed: int) -> dict:
    """A report whose cases differ only in their batch size. Times vary by 1 % between launches."""
    rng = random.Random(seed)
    result = copy.deepcopy(report)
    good = next(case for case in result["cases"] if case["status"] == "ok")
    planned = next(one for one in result["run"]["planned"] if one["id"] == good["id"])
    model, mode, device, _, rest = good["id"].split("/", 4)
    result["run"] |= {"id": f"{seed:016x}", "plan": [], "planned": []}
    result["cases"] = []
    for batch in range(1, arguments.cases + 1):
        name = f"{model}/{mode}/{device}/b{batch}/{rest}"
        spec = {**good["spec"], "batch_size": batch}
        launches = []
        for index in range(arguments.launches):
            launch = {**good["launches"][index % len(good["launches"])], "index": index}
            level = rng.gauss(1, 0.01)
            samples = launch["samples_seconds"]
            launch["samples_seconds"] = [level * samples[i % len(samples)] for i in range(arguments.samples)]
            launch["losses"] = launch["losses"][: arguments.samples]
            launch["warmup_samples_seconds"] = launch["warmup_samples_seconds"][: arguments.samples]
            launches.append(launch)
        result["cases"].append({**good, "id": name, "spec": spec, "launches": launches, "flags": []})
        result["run"]["planned"].append({**planned, "id": name, "spec": spec})
        result["run"]["plan"].append(name)
    return result


def write(arguments: argparse.Namespace, files: list[Path]) -> None:
    report = json.loads(arguments.report.read_text(encoding="utf-8"))
    for seed, file in enumerate(files):
        file.write_text(json.dumps(multiplied(report, arguments, seed), indent=1), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("--mpsbench", default="build/release/bin/mpsbench")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--launches", type=int, default=3)
    parser.add_argument("--samples", type=int, default=30)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("before.json", "after.json")]
        # In a separate process: the peak memory of a child starts at that of its parent, so this one must stay small.
        writer = multiprocessing.Process(target=write, args=(arguments, files))
        writer.start()
        writer.join()
        megabytes = sum(file.stat().st_size for file in files) / 1e6
        seconds, cpu_seconds, peak = [], [], 0
        for _ in range(arguments.runs):
            start = time.perf_counter()
            child = subprocess.Popen([arguments.mpsbench, "compare", *files], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            seconds.append(time.perf_counter() - start)
            cpu_seconds.append(usage.ru_utime + usage.ru_stime)
            peak = max(peak, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6)
            if status != 0:
                sys.stderr.write(f"compare_speed.py: mpsbench compare failed (wait status {status})\n")
                return 1
    print(
        f"two reports of {arguments.cases:,} cases, {megabytes:.0f} MB: {min(seconds):.2f} s, {peak:.0f} MB of memory;"
        f" {min(cpu_seconds):.2f} s of CPU time"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
