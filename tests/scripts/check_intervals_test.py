"""Tests of check_intervals.py: what it counts, and reports that it cannot use."""

import check_intervals
from folders import FolderTest
from support import run


def report(**times: tuple[float, float, float] | None) -> dict:
    """A report with the median, low and high of each case."""
    cases = []
    for case, time in times.items():
        median, *interval = time or (None,)
        cases.append({"id": case, "metrics": {"step_seconds": {"median": median, "ci95": interval or None}}})
    return {"cases": cases}


class Intervals(FolderTest):
    def run_with(self, *reports: dict) -> tuple[int, list[str], str]:
        """Returns the exit code, the lines after the head, and stderr."""
        paths = [self.write(f"{number}.json", report) for number, report in enumerate(reports)]
        code, out, err = run(check_intervals.main, *paths)
        return code, out.splitlines()[1:], err

    def test_counts_the_runs_that_hold_the_others(self):
        # The medians of the others are 11.5, 11 and 10.5; the second run's interval ends below 11.
        code, lines, err = self.run_with(
            report(a=(10, 8, 12)), report(a=(11, 10.9, 10.99)), report(a=(12, 6, 18), b=(1, 1, 1))
        )
        self.assertEqual(code, 0)
        self.assertEqual(lines[0].split()[:4], ["a", "2", "of", "3"])
        self.assertTrue(lines[0].endswith("± 20.0%  ± 50.0%"), lines[0])
        self.assertEqual([line.split()[1] for line in lines], ["2", "1", "0", "1", "2"])
        self.assertTrue(err.endswith("not all reports have its interval: b\n"), err)

    def test_cases_without_an_interval_are_left_out(self):
        one = report(a=None, b=(1.0, 0.9, 1.1))
        code, lines, _ = self.run_with(one, one, one)
        self.assertEqual((code, lines[0].split()[0], lines[-1].split()[1:4]), (0, "b", ["3", "of", "3"]))

    def test_says_what_is_wrong(self):
        one = report(a=(1.0, 0.9, 1.1))
        for third, words in (
            ({"cases": [{}]}, "2.json: not a report"),
            (report(b=(1, 1, 1)), "have no case with an interval"),
        ):
            code, lines, err = self.run_with(one, one, third)
            self.assertEqual((code, lines), (2, []))
            self.assertIn(words, err)
        self.assertEqual(self.run_with(one, one)[:2], (2, []))
