#!/usr/bin/env python3
"""Checks whether the intervals of equal runs hold what the other runs measured.

Takes at least three reports of the same cases on one machine. For each case it counts in how many of the runs the 95 %
interval of the step time contains the median of the other runs' medians, and prints how wide the intervals are; then
the same for each run.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

LEAST_REPORTS = 3


class ReportError(Exception):
    """The message is one line for the user."""


def step_times(path: str) -> dict[str, dict]:
    """The step time of each case that has an interval."""
    try:
        cases = json.loads(Path(path).read_text(encoding="utf-8"))["cases"]
        return {one["id"]: one["metrics"]["step_seconds"] for one in cases if one["metrics"]["step_seconds"]["ci95"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ReportError(f"{path}: not a report: {error!r}") from None


def half_width(time: dict) -> float:
    low, high = time["ci95"]
    return (high - low) / 2 / time["median"]


def holds_others(times: list[dict]) -> list[bool]:
    """Whether each run's interval contains the median of the other runs' medians."""
    held = []
    for at, time in enumerate(times):
        others = statistics.median(one["median"] for number, one in enumerate(times) if number != at)
        held.append(time["ci95"][0] <= others <= time["ci95"][1])
    return held


def print_line(name: str, held: list[bool], times: list[dict]) -> None:
    widths = [half_width(time) for time in times]
    print(f"{name:60} {sum(held):3} of {len(held):3}  ±{statistics.median(widths):6.1%}  ±{max(widths):6.1%}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", nargs="+")
    paths = parser.parse_args(arguments).report
    if len({Path(path).resolve() for path in paths}) < max(LEAST_REPORTS, len(paths)):
        parser.error(f"name at least {LEAST_REPORTS} different reports")
    try:
        runs = [step_times(path) for path in paths]
        cases = [case for case in runs[0] if all(case in run for run in runs)]
        if not cases:
            raise ReportError("the reports have no case with an interval in common")
    except ReportError as error:
        sys.stderr.write(f"check_intervals.py: {error}\n")
        return 2
    for case in sorted(set().union(*runs) - set(cases)):
        sys.stderr.write(f"check_intervals.py: left out, because not all reports have its interval: {case}\n")
    held = {case: holds_others([run[case] for run in runs]) for case in cases}
    print(f"{'case or run':60} {'holds':>10}  median  widest")
    for case in cases:
        print_line(case, held[case], [run[case] for run in runs])
    for number, path in enumerate(paths):
        print_line(path, [held[case][number] for case in cases], [runs[number][case] for case in cases])
    print_line("all", sum(held.values(), []), [run[case] for run in runs for case in cases])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
