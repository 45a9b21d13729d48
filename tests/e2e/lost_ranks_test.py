"""A rank of a run with several fronts is killed or frozen."""

import contextlib
import os
import signal
import sys
import time
import unittest
from pathlib import Path

from fronts import CASE, WithFronts

LONG = (*CASE, "--min-time", "60s", "--max-time", "60s", "--max-noise", "1e-9", "-r", "1")


@unittest.skipUnless(sys.platform == "linux", "looks at /proc")
class Fails(WithFronts):
    def start_measuring(self):
        """Starts a run of two fronts, and returns them with their workers."""
        fronts = self.start_ranks(2, *LONG, "--export-json", "out.json")
        return fronts, sorted(self.await_measuring(*fronts, count=2), key=self.rank_of)

    def rank_of(self, number):
        variables = Path(f"/proc/{number}/environ").read_bytes().split(b"\0")
        return next(one for one in variables if one.startswith(b"RANK="))

    def expect_failed(self, fronts, *says):
        """Expects that FRONTS end in time, and that rank 0's report says why."""
        start = time.monotonic()
        self.finish_all(fronts, code=5)
        self.assertLess(time.monotonic() - start, 30)
        (launch,) = self.report()["cases"][0]["launches"]
        for text in says:
            self.assertIn(text, launch["failure"]["message"])

    def expect_resumed(self):
        """The rest of the run needs no more than a second."""
        report = self.report()
        for planned in report["run"]["planned"]:
            planned["measure"] |= {"min_time_seconds": 0, "max_time_seconds": 1}
        self.write("out.json", report)
        self.finish_all(self.start_ranks(2, "--resume", "out.json"))
        self.expect_good(2)

    def test_a_killed_worker(self):
        for rank in (0, 1):
            fronts, workers = self.start_measuring()
            os.kill(workers[rank], signal.SIGKILL)
            self.expect_failed(fronts, f"rank {rank}: the worker was killed by SIGKILL")
        self.expect_resumed()

    def test_a_signal_to_all_processes(self):
        """srun and scancel send their signals to the workers, and to the processes that connect the fronts, too."""
        fronts, _ = self.start_measuring()
        for number in self.started_processes():
            with contextlib.suppress(ProcessLookupError):  # it may have ended by the signals to the others
                os.kill(number, signal.SIGINT)
        for done in self.finish_all(fronts, code=130):
            self.assertNotIn("lost", done.err)
        (launch,) = self.report()["cases"][0]["launches"]
        self.assertEqual(launch["status"], "interrupted")

    def test_a_frozen_worker(self):
        fronts, workers = self.start_measuring()
        os.kill(workers[1], signal.SIGSTOP)
        self.expect_failed(fronts, "rank 1: the worker was stopped by a signal")

    def test_a_killed_front(self):
        fronts, _ = self.start_measuring()
        fronts[1].kill()
        self.expect_failed(fronts[:1], "rank 1: its mpsbench is lost: no sign of life for 5 s")
        self.finish(fronts[1])
        self.expect_resumed()

    def test_a_frozen_front(self):
        fronts, _ = self.start_measuring()
        fronts[1].send_signal(signal.SIGSTOP)
        self.expect_failed(fronts[:1], "rank 1: ")
        fronts[1].kill()
        self.finish(fronts[1])

    def test_a_lost_first_front(self):
        lost = "rank 1 lost rank 0, which has the report: "
        for number, told in ((signal.SIGKILL, lost), (signal.SIGSTOP, lost + "no sign of life for 5 s")):
            fronts, _ = self.start_measuring()
            fronts[0].send_signal(number)
            start = time.monotonic()
            done = self.finish(fronts[1])
            self.assertLess(time.monotonic() - start, 30)
            self.assertEqual(done.code, 5, done)
            self.assertIn(told, done.err)
            fronts[0].kill()
            self.finish(fronts[0])
            (self.work / "out.jsonl").unlink(missing_ok=True)
            self.tearDown()
