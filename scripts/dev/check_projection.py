#!/usr/bin/env python3
"""Compares the projected time of an epoch with its measured time.

Each try runs a short measurement, whose report projects the epoch's time, and then a launch that measures the whole
epoch. Prints one JSON line per try. At the end it prints how often the projected interval contained the measured time;
by how much, at most, a projection from the first tenth of the measured launch was wrong; and how far the launch's other
tenths are from their mean, which is the machine's noise. Both runs get the OPTIONS.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for mpsbench_py

from mpsbench_py import runner


def first_tenth_projection(launch: dict) -> float:
    """The epoch's time in seconds, projected from the first tenth of its windows.

    The first window includes the wait for the epoch's first batch, so it is not used to project the others.
    """
    samples = launch["samples_seconds"]
    tenth = samples[: max(2, len(samples) // 10)]
    first_steps = launch["steps_per_sample"]
    return tenth[0] * first_steps + statistics.fmean(tenth[1:]) * (launch["epochs"][0]["steps"] - first_steps)


def other_tenths_off(samples: list[float]) -> float:
    """How far the tenths of SAMPLES after the first are from their mean at most, as a share of the mean."""
    size = max(1, len(samples) // 10)
    tenths = [statistics.fmean(samples[at : at + size]) for at in range(size, len(samples) - size + 1, size)]
    mean = statistics.fmean(tenths)
    return max(abs(tenth / mean - 1) for tenth in tenths)


def one_try(program: str, options: list[str], repeats: int, folder: Path) -> dict:
    projecting = [*options, "--repeats", str(repeats)]
    epoch = runner.run_case(program, projecting, folder / "projected.json")["metrics"]["epoch_seconds"]
    if epoch["kind"] != "projected":
        raise runner.RunError("these options measure whole epochs; leave out --epochs, or a suite that sets it")
    low, high = epoch["ci95"]
    whole = [*options, "--epochs", "1", "--repeats", "1"]
    launch = runner.run_case(program, whole, folder / "measured.json")["launches"][0]
    if len(launch["samples_seconds"]) < 2:
        raise runner.RunError("the epoch has only one window; choose more rows or a smaller batch")
    measured = launch["epochs"][0]["seconds"]
    return {
        "measured_seconds": measured,
        "projected_seconds": epoch["value"],
        "interval_seconds": [low, high],
        "held": low <= measured <= high,
        "first_tenth_off": first_tenth_projection(launch) / measured - 1,
        "other_tenths_off": other_tenths_off(launch["samples_seconds"]),
    }


def summary(tries: list[dict]) -> str:
    held = sum(one["held"] for one in tries)
    off = max(abs(one["first_tenth_off"]) for one in tries)
    others = max(one["other_tenths_off"] for one in tries)
    return (
        f"{held} of {len(tries)} intervals contained the measured epoch; projections from its first tenth were wrong "
        f"by at most {off:.1%}; its other tenths differ from their mean by at most {others:.1%}"
    )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        usage="%(prog)s [--tries N] [--repeats N] [--mpsbench PATH] OPTION-OF-RUN...",
    )
    parser.add_argument("--tries", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3, help="launches for the projection (default: 3)")
    parser.add_argument("--mpsbench", default=runner.default_program(), metavar="PATH")
    arguments, options = parser.parse_known_args(argv)
    tries = []
    with tempfile.TemporaryDirectory(prefix="mpsbench-projection-") as folder:
        for seed in range(arguments.tries):
            try:
                drawn = [*options, "--mode", "train", "--seed", str(seed)]
                tries.append(one_try(arguments.mpsbench, drawn, arguments.repeats, Path(folder)))
            except runner.RunError as error:
                sys.stderr.write(f"check_projection.py: {error}\n")
                return 1
            print(json.dumps(tries[-1]), flush=True)
    print(summary(tries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
