"""Tests of check_projection.py with a stand-in for mpsbench whose epochs are known."""

import json
import unittest
from pathlib import Path
from unittest import mock

import check_projection
from mpsbench_py import runner
from support import run


def machine(epochs, kind="projected"):
    """A run_case that projects 10 s, with interval 9 to 11 s, and measures EPOCHS one after another.

    An epoch has 40 steps in windows of 2. Compared with the others, the first window takes twice as long, the second
    1.5 times and the last three times as long.
    """
    seconds = iter(epochs)
    calls = []

    def run_case(_program: str, options: list[str], _report: Path) -> dict:
        calls.append(options)
        if "--epochs" not in options:
            return {"metrics": {"epoch_seconds": {"value": 10, "ci95": [9, 11], "kind": kind}}}
        epoch = next(seconds)
        step = epoch / 47
        samples = [2 * step, 1.5 * step] + [step] * 17 + [3 * step]
        launch = {"samples_seconds": samples, "steps_per_sample": 2, "epochs": [{"seconds": epoch, "steps": 40}]}
        return {"launches": [launch]}

    return run_case, calls


class CheckProjection(unittest.TestCase):
    def check(self, run_case, *arguments):
        with mock.patch.object(runner, "run_case", run_case):
            code, out, err = run(check_projection.main, *arguments)
        return code, out.splitlines(), err

    def test_counts_what_the_intervals_held(self):
        run_case, calls = machine([10.5, 11.5, 9.0])
        code, lines, _ = self.check(run_case, "--tries", "3", "-m", "lenet5", "--repeats", "4")
        self.assertEqual(code, 0)
        tries = [json.loads(line) for line in lines[:-1]]
        self.assertEqual([one["held"] for one in tries], [True, False, True])
        for one in tries:
            self.assertAlmostEqual(one["first_tenth_off"], (2 * 2 + 1.5 * 38) / 47 - 1)
            self.assertAlmostEqual(one["other_tenths_off"], 2 / (10 / 9) - 1)
        self.assertTrue(lines[-1].startswith("2 of 3 intervals contained"), lines[-1])
        self.assertIn("wrong by at most 29.8%; its other tenths differ from their mean by at most 80.0%", lines[-1])
        seeds = [call[call.index("--seed") + 1] for call in calls]
        self.assertEqual(seeds, ["0", "0", "1", "1", "2", "2"])  # each try has a new seed
        self.assertTrue(all(call.count("--repeats") == 1 for call in calls))
        self.assertEqual([call[-1] for call in calls], ["4", "1"] * 3)
        self.assertTrue(all(call[:2] == ["-m", "lenet5"] and "train" in call for call in calls))

    def test_a_measured_epoch_is_no_projection(self):
        code, lines, said = self.check(machine([10], kind="measured")[0], "lenet-mnist")
        self.assertEqual((code, lines), (1, []))
        self.assertIn("measure whole epochs", said)

    def test_a_run_that_fails_is_one_line(self):
        code, lines, said = self.check(runner.run_case, "--mpsbench", "no-such-program")
        self.assertEqual((code, lines), (1, []))
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("no-such-program", said)
