"""Welch's test and its Student quantiles against SciPy, Holm's correction against its definition, to 1e-9.

Usage: scipy_test.py FIGURES_PROGRAM; exit 77 (skipped) without the packages numpy and scipy.
"""

import json
import subprocess
import sys

try:
    import numpy as np
    import scipy
    from scipy import stats
except ImportError:
    print("skipped: this Python has no numpy or scipy (scripts/requirements-dev.txt)")
    sys.exit(77)

TOLERANCE = 1e-9


def requests(rng):
    for _ in range(300):
        sizes = rng.integers(2, 40, 2)
        scales = 10.0 ** rng.uniform(-6, 1, 2)
        yield {
            "first": (rng.standard_t(3, sizes[0]) * scales[0]).tolist(),
            "second": (rng.normal(rng.choice([0, 0.03, 2]), scales[1], sizes[1])).tolist(),
            "p_values": (rng.uniform(0, 1, rng.integers(1, 20)) ** 3).tolist(),
        }


def holm(p_values):
    order = np.argsort(p_values, kind="stable")
    steps = np.minimum(1, np.maximum.accumulate(np.asarray(p_values)[order] * np.arange(len(order), 0, -1)))
    adjusted = np.empty(len(order))
    adjusted[order] = steps
    return adjusted


def expected(request):
    first, second = np.asarray(request["first"]), np.asarray(request["second"])
    test = stats.ttest_ind(second, first, equal_var=False)
    widths = {}
    for name, level in (("half_width_95", 0.95), ("half_width_999", 0.999)):
        low, high = test.confidence_interval(level)
        widths[name] = (high - low) / 2
    return {
        "estimate": second.mean() - first.mean(),
        "freedom": test.df,
        "p_value": test.pvalue,
        **widths,
        "holm": holm(request["p_values"]),
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
            distance = np.max(np.abs(np.asarray(answer[key]) - value) / np.maximum(1, np.abs(value)))
            worst = max(worst, float(distance))
            assert distance <= TOLERANCE, f"{key}: {answer[key]} is not SciPy's {value} for {request}"
    print(f"{len(asked)} pairs of samples: at most {worst:.1e} from SciPy {scipy.__version__}")


if __name__ == "__main__":
    main()
