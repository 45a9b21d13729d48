"""A synchronise that does not wait is detected before anything is measured."""

import os

from standin import StandinTest

RUNS = int(os.environ.get("MPSBENCH_STANDIN_RUNS", "1"))


class Lies(StandinTest):
    def test_both_are_caught(self):
        self.env["MPSBENCH_STANDIN_MOST_QUEUED"] = "4"  # otherwise the queued work would take minutes
        for lie in ("early", "never") * RUNS:
            with self.subTest(lie=lie):
                self.env["MPSBENCH_STANDIN_SYNCHRONISE"] = lie
                report = self.run_mps("--mode", "infer", code=5)
                status, failure = self.failure(report)
                self.assertEqual((status, failure["kind"]), ("failed", "self_test"))
                (launch,) = self.launches(report)
                self.assertFalse(launch["self_test"]["passed"])
                self.assertEqual(launch["samples_seconds"], [])
