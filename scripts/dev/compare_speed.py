#!/usr/bin/env python3
"""Measures how long `mpsbench compare` takes for two large reports, and how much memory it needs.

    compare_speed.py REPORT [--mpsbench PROGRAM] [--cases 10000] [--launches 3] [--samples 30] [--runs 5]

Makes two reports of --cases cases, all of them like the first good case of REPORT, with --launches launches of
--samples samples. Then runs the comparison --runs times and prints the shortest time and the peak memory.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for mpsbench_py

from mpsbench_py import page_reports


def write(arguments: argparse.Namespace, files: list[Path]) -> None:
    report = json.loads(arguments.report.read_text(encoding="utf-8"))
    for seed, file in enumerate(files):
        made = page_reports.multiplied(report, arguments.cases, arguments.launches, arguments.samples, seed)
        file.write_text(json.dumps(made, indent=1), encoding="utf-8")


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
