#!/usr/bin/env python3
"""Checks on this machine that the gate finds planted slowdowns and reports nothing else.

Each comparison is `mpsbench run SUITE --versus WORKER` of three small cases. Either both workers are the same, or one
of them waits, in one of the cases, for a share of each step's time. If a comparison of equal workers calls any case
faster or slower, that is a false alarm.

Prints one JSON line per comparison, and a summary at the end. The kinds of comparison take turns. Exits with 1 if more
than 1 in 40 comparisons of equal workers is a false alarm, if fewer than 10 of 10 slowdowns of 10 % or 8 of 10
slowdowns of 5 % are found, or if a slowed-down case is called faster.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

SUITE = {
    "name": "gate",
    "description": "three small cases on one thread",
    "repeats": 5,
    "min-time": "500ms",
    "max-time": "5s",
    "min-samples": 5,
    "threads": 1,
    "matrices": [
        {"model": "mlp", "mode": "train", "device": "cpu", "batch-size": 64},
        {"model": "mlp", "mode": "infer", "device": "cpu", "batch-size": 64},
        {"model": "lenet5", "mode": "infer", "device": "cpu", "batch-size": 32},
    ],
}
CASES = ["mlp/train", "mlp/infer", "lenet5/infer"]
VERDICT = re.compile(r"^(\w+/\w+)/\S+ .*\b(faster|slower|same|undecided)\b")


def verdicts_in(text: str) -> dict[str, str]:
    """The verdict on each MODEL/MODE, read from the comparison's table."""
    found = (VERDICT.match(line) for line in text.splitlines())
    return {match[1]: match[2] for match in found if match}


def compare(options: argparse.Namespace, folder: Path, case: str, share: float) -> dict:
    """Runs one comparison, in which the worker under test takes longer by SHARE in CASE."""
    programs = Path(options.bin)
    worker = programs / ("mpsbench-planted-worker" if share else "mpsbench-worker")
    variables = {"MPSBENCH_WORKER": worker, "MPSBENCH_PLANTED_CASE": case, "MPSBENCH_PLANTED_SHARE": str(share)}
    command = [programs / "mpsbench", "run", folder / "gate.json", "--versus", programs / "mpsbench-worker"]
    command += ["--budget", options.budget, "--no-progress", "--export-json", folder / "report.json"]
    begin = time.monotonic()
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True)
    verdicts = verdicts_in(done.stdout)
    if done.returncode != 0 or sorted(verdicts) != sorted(CASES):
        raise SystemExit(f"check_gate.py: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return {
        "planted": share,
        "case": case if share else None,
        "verdicts": verdicts,
        "launches": [len(one["launches"]) for one in report["cases"]],
        "seconds": round(time.monotonic() - begin, 1),
    }


def plan(equals: int, planted: int) -> list[tuple[float, str]]:
    """The share and the case of each comparison. Kinds are spread evenly over the whole time; cases take turns."""
    kinds = {0.0: equals, 0.1: planted, 0.05: planted}
    times = [((i + 0.5) / count, share, CASES[i % len(CASES)]) for share, count in kinds.items() for i in range(count)]
    return [(share, case) for _, share, case in sorted(times)]


def summary(results: list[dict]) -> tuple[str, bool]:
    """The summary for the user, and whether all expectations hold."""
    equals = [one for one in results if not one["planted"]]
    alarms = sum(any(verdict in ("faster", "slower") for verdict in one["verdicts"].values()) for one in equals)
    lines = [f"{alarms} of {len(equals)} comparisons of equal workers raised a false alarm"]
    holds = alarms * 40 <= max(len(equals), 40)
    for share, least in ((0.1, 1.0), (0.05, 0.8)):
        planted = [one for one in results if one["planted"] == share]
        called = Counter(one["verdicts"][one["case"]] for one in planted)
        others = sum(
            verdict in ("faster", "slower")
            for one in planted
            for name, verdict in one["verdicts"].items()
            if name != one["case"]
        )
        lines.append(
            f"{share:.0%} slowdown: of {len(planted)} cases {called['slower']} were called slower, "
            f"{called['faster']} faster, {called['same']} same, {called['undecided']} undecided; "
            f"{others} unchanged cases were called faster or slower"
        )
        holds = holds and called["slower"] >= least * len(planted) and not called["faster"]
    return "\n".join(lines), holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--equals", type=int, default=40, metavar="N", help="comparisons of equal workers (40)")
    parser.add_argument("--planted", type=int, default=10, metavar="N", help="comparisons of each slowdown (10)")
    parser.add_argument("--budget", default="5m", help="time for one comparison (default: 5m)")
    parser.add_argument("--bin", default="build/dev/bin", metavar="DIR", help="of the programs (default: %(default)s)")
    options = parser.parse_args()
    options.bin = Path(options.bin).resolve()
    results = []
    with tempfile.TemporaryDirectory(prefix="mpsbench-gate-") as folder:
        (Path(folder) / "gate.json").write_text(json.dumps(SUITE), encoding="utf-8")
        for share, case in plan(options.equals, options.planted):
            results.append(compare(options, Path(folder), case, share))
            print(json.dumps(results[-1]), flush=True)
    words, holds = summary(results)
    print(words)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
