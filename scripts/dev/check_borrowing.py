#!/usr/bin/env python3
"""Checks whether the cases of a run could borrow the spread of their launches from each other.

Compares three 95 % intervals over launches: Student's t from the case's own launches, which mpsbench uses; moderated
variances (Smyth 2004), which pull each case's variance towards that of all cases; and a cautious form of them, which
only raises variances and at most doubles the degrees of freedom. Without a REPORT, the cases are simulated, so the
truth is known. Prints for each kind of noise the lowest coverage among all ways in which cases may differ in their
spread, for all cases and for the third with the largest spread, and the mean width relative to Student's interval.
With REPORTs that have many launches, it draws few launches of all cases again and again, and counts how often their
intervals contain the median of all launches.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for mpsbench_py

from mpsbench_py import environment

environment.require("numpy", "scipy", cure="scripts/test sets it up, or pip install numpy scipy")

import numpy as np  # noqa: E402
from scipy import special, stats  # noqa: E402

CASES = (3, 5, 10, 30)
LAUNCHES = (3, 5, 10)
CONFIDENCE = 0.975  # one-sided
NOISY = 0.1  # the spread of a noisy case; a quiet one has 0.01


def noisy_share(count: int, quiet: float, share: float) -> np.ndarray:
    """Spreads of COUNT cases: the last ones, a SHARE of at least one case, are noisy."""
    return np.where(np.arange(count) < count - max(1, round(count * share)), quiet, NOISY)


# How cases may differ: the standard deviations of COUNT cases.
SPREADS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "equal": lambda _, count: np.full(count, NOISY),
    "log-normal, factor 2": lambda random, count: NOISY * 2 ** random.standard_normal(count),
    "log-normal, factor 4": lambda random, count: NOISY * 4 ** random.standard_normal(count),
    "half is 10 times as noisy": lambda _, count: noisy_share(count, NOISY / 10, 0.5),
    "a third is 3 times as noisy": lambda _, count: noisy_share(count, NOISY / 3, 1 / 3),
    "one is 10 times as noisy": lambda _, count: noisy_share(count, NOISY / 10, 0),
}

# Noise of launches with mean 0, in an array of suites x cases x launches.
NOISES: dict[str, Callable[[np.random.Generator, tuple[int, int, int]], np.ndarray]] = {
    "normal": lambda random, shape: random.standard_normal(shape),
    "heavy tails": lambda random, shape: random.standard_t(3, shape),
    "one launch in ten is slow": lambda random, shape: (
        0.7 * random.standard_normal(shape) + np.where(random.random(shape) < 0.1, 4, 0) - 0.4
    ),
    "blocks share half": lambda random, shape: (
        random.standard_normal(shape) + random.standard_normal((shape[0], 1, shape[2]))
    ),
    "blocks share most": lambda random, shape: (
        random.standard_normal(shape) + 3 * random.standard_normal((shape[0], 1, shape[2]))
    ),
    "drift": lambda random, shape: random.standard_normal(shape) + np.linspace(-1, 1, shape[2]),
}


def inverse_trigamma(value: np.ndarray) -> np.ndarray:
    """Newton's method, as in limma."""
    root = 0.5 + 1 / value
    for _ in range(50):
        trigamma = special.polygamma(1, root)
        root = root + trigamma * (1 - trigamma / value) / special.polygamma(2, root)
    return root


def prior(variances: np.ndarray, freedom: float) -> tuple[np.ndarray, np.ndarray]:
    """Each suite's common degrees of freedom and variance, from the moments of the logs of its cases' VARIANCES."""
    logs = np.log(variances) - special.digamma(freedom / 2) + np.log(freedom / 2)
    surplus = logs.var(1, ddof=1) - special.polygamma(1, freedom / 2)
    common = np.minimum(2 * inverse_trigamma(np.maximum(surplus, 1e-6)), 1e6)
    variance = np.exp(logs.mean(1) + special.digamma(common / 2) - np.log(common / 2))
    return common[:, None], variance[:, None]


def half_widths(logs: np.ndarray) -> dict[str, np.ndarray]:
    """The half-widths of the intervals of all cases, from the LOGS of launches in suites x cases x launches."""
    count = logs.shape[2]
    freedom = count - 1
    own = np.maximum(logs.var(2, ddof=1), 1e-12)
    common, variance = prior(own, freedom)
    capped = np.minimum(common, freedom)

    def half(square: np.ndarray, degrees: np.ndarray | float) -> np.ndarray:
        return stats.t.ppf(CONFIDENCE, degrees) * np.sqrt(square / count)

    moderated = (common * variance + freedom * own) / (common + freedom)
    raised = np.maximum(own, (capped * variance + freedom * own) / (capped + freedom))
    return {
        "own": half(own, freedom),
        "moderated": half(moderated, common + freedom),
        "cautious": half(raised, capped + freedom),
    }


def simulate(noise: str, launches: int, suites: int) -> dict[str, tuple[float, float, float]]:
    """For each interval: lowest coverage of all cases, lowest of the noisiest third, width relative to Student's."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for spread in SPREADS.values():
        for count in CASES:
            random = np.random.default_rng(41)
            spreads = np.array([spread(random, count) for _ in range(suites)])
            logs = spreads[:, :, None] * NOISES[noise](random, (suites, count, launches))
            noisiest = spreads.argsort(1, kind="stable").argsort(1) >= count - max(1, round(count / 3))
            widths = half_widths(logs)
            for name, half in widths.items():
                covered = np.abs(logs.mean(2)) <= half
                width = float(np.exp(np.log(half / widths["own"]).mean()))
                found.setdefault(name, []).append((covered.mean(), covered[noisiest].mean(), width))
    return {
        name: (min(row[0] for row in rows), min(row[1] for row in rows), float(np.mean([row[2] for row in rows])))
        for name, rows in found.items()
    }


def recorded(report: dict, launches: int, draws: int) -> dict[str, tuple[float, float]]:
    """For each interval: the share that contains the median of all launches, and width relative to Student's."""
    times = [
        [np.median(launch["samples_seconds"]) for launch in case["launches"] if launch["samples_seconds"]]
        for case in report["cases"]
    ]
    least = min(len(one) for one in times)
    if len(times) < 2 or least < 2 * launches:
        raise ValueError(f"needs two cases or more, each with {2 * launches} launches or more")
    logs = np.log([one[:least] for one in times])
    random = np.random.default_rng(41)
    drawn = np.array([logs[:, random.choice(least, launches, replace=False)] for _ in range(draws)])
    widths = half_widths(drawn)
    off = np.abs(np.median(logs, 1) - drawn.mean(2))
    return {
        name: (float((off <= half).mean()), float(np.exp(np.log(half / widths["own"]).mean())))
        for name, half in widths.items()
    }


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suites", type=int, default=2000, help="simulated suites per combination (default: 2000)")
    parser.add_argument("reports", nargs="*", type=Path, metavar="REPORT")
    arguments = parser.parse_args(argv)
    for path in arguments.reports:
        for launches in LAUNCHES:
            try:
                rows = recorded(json.loads(path.read_text(encoding="utf-8")), launches, arguments.suites)
            except ValueError as error:
                sys.stderr.write(f"check_borrowing.py: {path}: {error}\n")
                return 1
            for name, (covered, width) in rows.items():
                print(f"| {path.name} | {launches} | {name} | {covered:.1%} | {width:.2f} |")
    if arguments.reports:
        return 0
    for noise in NOISES:
        for launches in LAUNCHES:
            for name, (covered, noisiest, width) in simulate(noise, launches, arguments.suites).items():
                print(f"| {noise} | {launches} | {name} | {covered:.1%} | {noisiest:.1%} | {width:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
