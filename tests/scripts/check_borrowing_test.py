"""Tests of check_borrowing.py: its estimators against their definitions, and reports that it can or cannot use."""

import unittest

import support
import wanted

wanted.packages("numpy", "scipy")
import check_borrowing  # noqa: E402
import numpy as np  # noqa: E402
from scipy import special, stats  # noqa: E402


def report(cases: int, launches: int) -> dict:
    random = np.random.default_rng(1)
    times = np.exp(0.02 * random.standard_normal((cases, launches)))
    return {"cases": [{"launches": [{"samples_seconds": [float(time)]} for time in row]} for row in times]}


class Estimators(unittest.TestCase):
    def test_inverse_trigamma_inverts(self):
        values = np.array([1e-3, 0.5, 1.6, 40.0])
        np.testing.assert_allclose(special.polygamma(1, check_borrowing.inverse_trigamma(values)), values, rtol=1e-9)

    def test_the_prior_of_scaled_chi_squares_is_found(self):
        random = np.random.default_rng(2)
        true = 0.04 * 6 / random.chisquare(6, (1, 200_000))
        common, variance = check_borrowing.prior(true * random.chisquare(4, true.shape) / 4, 4)
        self.assertAlmostEqual(float(common[0, 0]), 6, delta=0.3)
        self.assertAlmostEqual(float(variance[0, 0]), 0.04, delta=0.001)

    def test_own_intervals_are_students(self):
        logs = np.random.default_rng(3).standard_normal((1, 2, 5))
        expected = stats.t.interval(0.95, 4, logs[0, 0].mean(), stats.sem(logs[0, 0]))
        own = check_borrowing.half_widths(logs)["own"][0, 0]
        self.assertAlmostEqual(own, (expected[1] - expected[0]) / 2)

    def test_cautious_variances_are_never_lowered(self):
        logs = np.random.default_rng(4).standard_normal((50, 5, 3))
        widths = check_borrowing.half_widths(logs)
        least = widths["own"] * stats.t.ppf(0.975, 4) / stats.t.ppf(0.975, 2)
        self.assertTrue((widths["cautious"] >= least * (1 - 1e-9)).all())


class Recordings(unittest.TestCase):
    def run_with(self, *reports: dict) -> tuple[int, str, str]:
        return support.run_on_reports(check_borrowing.main, ["--suites", "200"], *reports)

    def test_a_report_has_a_line_for_each_interval_and_number_of_launches(self):
        code, out, _ = self.run_with(report(4, 20))
        self.assertEqual(code, 0)
        self.assertEqual(out.count("\n"), 9)
        self.assertIn("| 0.json | 3 | own | 9", out)

    def test_few_launches_are_refused(self):
        code, _, err = self.run_with(report(4, 19))
        self.assertEqual(code, 1)
        self.assertIn("each with 20 launches or more", err)


if __name__ == "__main__":
    unittest.main()
