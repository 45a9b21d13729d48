"""Compares src/stats with SciPy and NumPy to 1e-9: Welch's test and intervals, Student's quantiles, Mann and
Whitney's U, sample quantiles, moments, the Theil-Sen slope and the interval of a case's launches. Compares Holm's
p-values with their definition.

Usage: scipy_test.py FIGURES_PROGRAM
"""

import json
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import wanted

wanted.packages("numpy", "scipy")
import numpy as np  # noqa: E402
import scipy  # noqa: E402
from scipy import stats  # noqa: E402

TOLERANCE = 1e-9  # relative difference
SMALL = 1e-6  # smaller values are compared relative to this


def requests(rng):
    for _ in range(300):
        sizes = rng.integers(2, 40, 2)
        scales = 10.0 ** rng.uniform(-6, 1, 2)
        yield {
            "first": (rng.standard_t(3, sizes[0]) * scales[0]).tolist(),
            "second": (rng.normal(rng.choice([0, 0.03, 2]), scales[1], sizes[1])).tolist(),
            "times": rng.lognormal(rng.uniform(-9, 3), rng.uniform(0.001, 1), rng.integers(2, 200)).tolist(),
            "shares": (rng.uniform(0, 1, rng.integers(1, 20)) ** 3).tolist(),
        }


def holm(p_values):
    order = np.argsort(p_values, kind="stable")
    steps = np.minimum(1, np.maximum.accumulate(np.asarray(p_values)[order] * np.arange(len(order), 0, -1)))
    adjusted = np.empty(len(order))
    adjusted[order] = steps
    return adjusted


def launches(times):
    """Student's interval around the mean of the logs, widened to contain the median."""
    logs = np.log(times)
    low, high = np.exp(stats.t.interval(0.95, len(logs) - 1, loc=logs.mean(), scale=stats.sem(logs)))
    median = np.median(times)
    return [min(low, median), median, max(high, median)]


def expected(request):
    first, second, times, shares = (np.asarray(request[key]) for key in ("first", "second", "times", "shares"))
    test = stats.ttest_ind(second, first, equal_var=False)
    widths = {}
    for name, level in (("half_width_95", 0.95), ("half_width_999", 0.999)):
        low, high = test.confidence_interval(level)
        widths[name] = (high - low) / 2
    common = min(len(first), len(second))
    return {
        "estimate": second.mean() - first.mean(),
        "share_greater": stats.mannwhitneyu(second, first).statistic / (len(first) * len(second)),
        "freedom": test.df,
        "p_value": test.pvalue,
        **widths,
        "slope": stats.theilslopes(second[:common], first[:common]).slope,
        "mean": times.mean(),
        "median": np.median(times),
        "stddev": stats.tstd(times),
        "quantiles": stats.mstats.mquantiles(times, shares, alphap=1, betap=1),
        "student_factors": stats.t.ppf((1 + shares) / 2, len(times) - 0.5),
        "launches": launches(times),
        "holm": holm(request["shares"]),
    }


def main():
    asked = list(requests(np.random.default_rng(5)))
    text = "".join(json.dumps(request) + "\n" for request in asked)
    said = subprocess.run([sys.argv[1]], input=text, check=True, capture_output=True, text=True).stdout
    answers = [json.loads(line) for line in said.splitlines()]
    assert len(answers) == len(asked)
    worst = 0.0
    for request, answer in zip(asked, answers, strict=True):
        for key, value in expected(request).items():
            distance = np.max(np.abs(np.asarray(answer[key]) - value) / np.maximum(SMALL, np.abs(value)))
            worst = max(worst, float(distance))
            assert distance <= TOLERANCE, f"{key}: {answer[key]} differs from SciPy's {value} for {request}"
    print(f"{len(asked)} pairs of samples: at most {worst:.1e} from SciPy {scipy.__version__}")


if __name__ == "__main__":
    main()
