"""Tests of check_disturbed.py: which launches count, what it says of kept reports, and the simulation."""

import unittest

import check_disturbed
from folders import FolderTest
from support import run


def report(*launches: tuple[float, str | None]) -> dict:
    """A report of one case with the step time of each launch, and what disturbed it."""
    records = [
        {"status": "ok", "samples_seconds": [step], "disturbed": disturbed, "sensors": []}
        for step, disturbed in launches
    ]
    return {"cases": [{"id": "a", "launches": records}]}


IDLE = report((1.0, None), (1.01, None), (0.99, None), (1.005, None))
LOADED = report((1.0, None), (2.0, "background-load"), (1.01, None), (0.99, None), (1.9, "background-load"))


class Recordings(FolderTest):
    def judge(self, idle: dict, loaded: dict) -> tuple[int, str, str]:
        self.write("idle-1.json", idle)
        self.write("load-1.json", loaded)
        return run(check_disturbed.main, "--keep", self.folder, "--simulated-runs", "50")

    def test_the_rule_halves_the_intervals(self):
        code, out, err = self.judge(IDLE, LOADED)
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("1 runs beside the load: 2 of 5 launches disturbed", out)

    def test_it_fails_where_the_rule_changes_nothing(self):
        steady = report(*((2.0 + at / 10, "background-load") for at in range(4)))
        self.assertEqual(self.judge(IDLE, steady)[0], 1)

    def test_a_folder_without_reports_is_named(self):
        code, _, err = run(check_disturbed.main, "--keep", self.folder)
        self.assertEqual(code, 2)
        self.assertIn("needs load-*.json and idle-*.json", err)


class Rule(unittest.TestCase):
    def test_three_undisturbed_launches_count_alone(self):
        launches = [{"median": 1.0, "disturbed": False}] * 3 + [{"median": 9.0, "disturbed": True}]
        self.assertEqual(check_disturbed.counted(launches, check_disturbed.is_disturbed), [1.0] * 3)
        self.assertEqual(len(check_disturbed.counted(launches[1:], check_disturbed.is_disturbed)), 3)

    def test_the_interval_is_students(self):
        low, high = check_disturbed.interval([1.0, 1.1, 1.21])
        self.assertAlmostEqual(high / low, (1.1 ** (2 * 4.303 / 3**0.5)), places=6)
