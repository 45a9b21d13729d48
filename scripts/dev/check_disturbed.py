#!/usr/bin/env python3
"""Checks what setting disturbed launches aside does to the intervals of step times.

Records runs of a suite beside a program that takes one core for some seconds and then rests, and runs on the idle
machine, and keeps their reports in a folder. Several calls with the same folder add up. Then it computes, from the same
launches, each case's 95 % interval from all launches and from those that the rule counts. It prints how wide they are
and how many hold the median of the idle machine's launches. A third line sets aside launches whose CPUs were far apart,
too. A simulation with known truth does the same.

Exits with 1 unless the median half-width under the rule is at most half of that without, and at least as many intervals
hold the idle machine's median.
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

LEAST_UNDISTURBED = 3
LOAD_SHARE = 0.05  # of the CPUs that a launch may use
FAR = 2  # times the least distance between CPUs
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131]
STUDENT += [2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]

LOAD = """
import sys, time
busy, rest = map(float, sys.argv[1:])
while True:
    until = time.monotonic() + busy
    while time.monotonic() < until:
        pass
    time.sleep(rest)
"""


class CheckError(Exception):
    """The message is one line for the user."""


def interval(medians: list[float]) -> tuple[float, float]:
    """The program's interval over launches, without the part from inside the launches."""
    logs = [math.log(one) for one in medians]
    freedom = len(logs) - 1
    factor = STUDENT[freedom - 1] if freedom <= len(STUDENT) else 1.96 + 2.4 / freedom
    band = factor * statistics.stdev(logs) / math.sqrt(len(logs))
    center = statistics.fmean(logs)
    middle = statistics.median(medians)
    return min(math.exp(center - band), middle), max(math.exp(center + band), middle)


def half_width(medians: list[float]) -> float:
    low, high = interval(medians)
    return (high - low) / 2 / statistics.median(medians)


def counted(launches: list[dict], is_disturbed: Callable[[dict], bool]) -> list[float]:
    """The medians of the launches that count."""
    undisturbed = [one["median"] for one in launches if not is_disturbed(one)]
    return undisturbed if len(undisturbed) >= LEAST_UNDISTURBED else [one["median"] for one in launches]


def sensor(launch: dict, name: str) -> float | None:
    return next((one["value"] for one in launch["sensors"] if one["name"] == name), None)


def read_launches(path: Path) -> dict[str, list[dict]]:
    """The good launches of each case."""
    cases = {}
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
        good = [one for one in case["launches"] if one["status"] == "ok" and one["samples_seconds"]]
        cases[case["id"]] = [
            {
                "median": statistics.median(one["samples_seconds"]),
                "disturbed": one["disturbed"] is not None,
                "distance": sensor(one, "cpu_distance_seconds"),
            }
            for one in good
        ]
    return cases


def run_suite(options: argparse.Namespace, report: Path) -> None:
    command = [options.mpsbench, "run", options.suite, "--no-progress", "--export-json", report]
    command += ["--time-limit", options.time_limit] if options.time_limit else []
    done = subprocess.run(command, capture_output=True, text=True)
    print(f"{report}: exit {done.returncode}\n{done.stdout.strip()}", flush=True)
    if done.returncode not in (0, 5) or not report.exists():
        raise CheckError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")


def record(options: argparse.Namespace, kind: str, count: int) -> None:
    """Adds COUNT reports to the folder, KIND-1.json and so on."""
    for _ in range(count):
        number = len(list(options.keep.glob(f"{kind}-*.json"))) + 1
        load = None
        if kind == "load":
            load = subprocess.Popen([sys.executable, "-c", LOAD, str(options.busy), str(options.rest)])
            time.sleep(options.busy * random.random())
        try:
            run_suite(options, options.keep / f"{kind}-{number}.json")
        finally:
            if load:
                load.kill()
                load.wait()


def bind_to_cpus(count: int) -> None:
    """Programs that are started from now on may use only so many CPUs."""
    allowed = sorted(os.sched_getaffinity(0))
    if not 0 < count <= len(allowed):
        raise CheckError(f"--cpus {count}: {len(allowed)} can be used here")
    os.sched_setaffinity(0, allowed[:count])


def summary(name: str, choices: list[tuple[list[float], float]]) -> tuple[float, float]:
    """Prints how wide the intervals of CHOICES are, launches' medians with the truth, and how many hold the truth."""
    width = statistics.median(half_width(medians) for medians, _ in choices)
    held = [low <= truth <= high for (low, high), truth in ((interval(one), truth) for one, truth in choices)]
    share = sum(held) / len(held)
    print(f"  {name:36} median half-width ±{width:7.2%}, {sum(held)} of {len(held)} hold it ({share:.0%})")
    return width, share


def is_disturbed(launch: dict) -> bool:
    return launch["disturbed"]


def is_never(_: dict) -> bool:
    return False


def judge(runs: list[tuple[list[dict], float]], is_far: Callable[[dict], bool] | None = None) -> bool:
    """Compares the rules on RUNS, the launches of a case in a run with the truth. Returns whether the rule holds."""
    before = summary("all launches", [(counted(one, is_never), truth) for one, truth in runs])
    after = summary("disturbed ones set aside", [(counted(one, is_disturbed), truth) for one, truth in runs])
    if is_far:
        chosen = [(counted(one, lambda launch: is_disturbed(launch) or is_far(launch)), truth) for one, truth in runs]
        summary("those with CPUs far apart, too", chosen)
    return after[0] <= before[0] / 2 and after[1] >= before[1]


def judge_recordings(folder: Path) -> bool:
    loaded = [read_launches(path) for path in sorted(folder.glob("load-*.json"))]
    idle = [read_launches(path) for path in sorted(folder.glob("idle-*.json"))]
    if not loaded or not idle:
        raise CheckError(f"{folder} needs load-*.json and idle-*.json; record them with --runs 1 --idle-runs 1")
    pools = {case: [one for run in idle for one in run.get(case, [])] for case in loaded[0]}
    truths = {case: statistics.median(one["median"] for one in pool) for case, pool in pools.items() if pool}
    launches = [(run[case], truth) for run in loaded for case, truth in truths.items() if len(run.get(case, [])) > 1]
    distances = [one["distance"] for run in [*idle, *loaded] for pool in run.values() for one in pool]
    known = [one for one in distances if one is not None]
    least = min(known, default=0)
    if known:
        far = sum(one > FAR * least for one in known)
        print(f"CPUs: {least * 1e9:.0f} to {max(known) * 1e9:.0f} ns apart, far in {far} of {len(known)} launches")
    all_launches = [one for run, _ in launches for one in run]
    disturbed = sum(one["disturbed"] for one in all_launches)
    print(f"{len(loaded)} runs beside the load: {disturbed} of {len(all_launches)} launches disturbed")
    for at, run in enumerate(loaded):
        pairs = [(run[case], truth) for case, truth in truths.items() if len(run.get(case, [])) > 1]
        print(f" run {at + 1}")
        judge(pairs)
    print(" all runs")
    holds = judge(launches, (lambda one: (one["distance"] or 0) > FAR * least) if known else None)
    print(" the idle machine")
    judge([(run[case], truth) for run in idle for case, truth in truths.items() if len(run.get(case, [])) > 1])
    return holds


def simulated_run(options: argparse.Namespace, generator: random.Random) -> list[dict]:
    """The launches of one case. Its true time is 1; it takes longer by what the load takes of its time."""
    period = options.busy + options.rest
    launches = []
    clock = generator.uniform(0, period)
    planned = options.launches
    most = 2 * planned
    while len(launches) < min(most, planned + sum(one["disturbed"] for one in launches)):
        clock += generator.uniform(0, 4 * options.launch_seconds)  # other cases run in between
        step = options.launch_seconds / 50
        times = [clock + step * at for at in range(50)]
        overlap = sum(one % period < options.busy for one in times) / len(times)
        clock += options.launch_seconds
        slowdown = 1 + options.slowdown if overlap > 0.5 else 1  # the launch's median
        median = math.exp(generator.gauss(0, options.spread)) * slowdown
        launches.append({"median": median, "disturbed": overlap / options.simulated_cpus > LOAD_SHARE})
    return launches


def judge_simulation(options: argparse.Namespace) -> bool:
    generator = random.Random(options.seed)
    print(f"simulation of {options.simulated_runs} cases, {options.simulated_cpus} CPUs")
    return judge([(simulated_run(options, generator), 1.0) for _ in range(options.simulated_runs)])


def arguments_of(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpsbench", default="build/dev/bin/mpsbench", metavar="PROGRAM", help="default: %(default)s")
    parser.add_argument("--keep", type=Path, required=True, metavar="DIR", help="the folder of the reports")
    parser.add_argument("--runs", type=int, default=0, help="runs to record beside the load (default: 0)")
    parser.add_argument("--idle-runs", type=int, default=0, help="runs to record on the idle machine (default: 0)")
    parser.add_argument("--cpus", type=int, help="bind everything to so many CPUs (Linux)")
    parser.add_argument("--suite", default="quick", help="default: %(default)s")
    parser.add_argument("--time-limit", metavar="TIME", help="of each run (default: the suite's)")
    parser.add_argument("--busy", type=float, default=10, metavar="SECONDS", help="of the load (default: 10)")
    parser.add_argument("--rest", type=float, default=10, metavar="SECONDS", help="of the load (default: 10)")
    simulation = parser.add_argument_group("simulation")
    simulation.add_argument("--simulated-runs", type=int, default=5000, metavar="N", help="default: %(default)s")
    simulation.add_argument("--simulated-cpus", type=int, default=4, metavar="N", help="default: %(default)s")
    simulation.add_argument("--launches", type=int, default=6, help="planned of a case (default: %(default)s)")
    simulation.add_argument("--launch-seconds", type=float, default=2, help="default: %(default)s")
    simulation.add_argument("--spread", type=float, default=0.02, help="of launches (default: %(default)s)")
    simulation.add_argument("--slowdown", type=float, default=1, help="beside the load (default: %(default)s)")
    simulation.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    options = arguments_of(words)
    try:
        if options.cpus is not None:
            bind_to_cpus(options.cpus)
        options.keep.mkdir(parents=True, exist_ok=True)
        record(options, "idle", options.idle_runs)
        record(options, "load", options.runs)
        holds = judge_recordings(options.keep)
        return 0 if judge_simulation(options) and holds else 1
    except (CheckError, OSError, ValueError, KeyError) as error:
        sys.stderr.write(f"check_disturbed.py: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
