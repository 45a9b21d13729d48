"""If the front is killed with -9 at any moment, the journal has every finished launch, and --resume runs the others."""

import random
import signal
import sys
import unittest

from support import FrontTest

LAUNCHES = 8  # 2 batch sizes x 4


class FrontKilled(FrontTest):
    RUN = ("run", "-m", "tiny.json", "--mode", "infer", "-b", "4,8", "-r", "4", "--export-json", "out.json")

    def expect_resumed(self, told):
        """Resumes the run. TOLD is the number of launches that the killed front reported on stderr as finished."""
        begun, launches = self.journal()
        self.assertGreaterEqual(len(launches), told)
        self.assertEqual(len(begun["run"]["plan"]), 2)
        self.validate("out.jsonl")
        said = self.expect(0, "run", "--resume", "out.jsonl", session=self.counted())
        starts = self.folder / "starts"
        run_again = len(starts.read_text().splitlines()) if starts.exists() else 0
        self.assertEqual(run_again, LAUNCHES - len(launches), said)
        report = self.report()
        self.assertEqual(list(self.statuses(report).values()), [["ok"] * 4] * 2)
        self.assertEqual(report["run"]["status"], "complete")
        kept = {line["launch"]["started_at"] for line in launches}
        self.assertLessEqual(kept, {one["started_at"] for case in report["cases"] for one in case["launches"]})
        self.validate("out.json")
        self.assertFalse((self.work / "out.jsonl").exists())

    def test_at_any_moment(self):
        moments = random.Random(7)
        for _ in range(8):
            front = self.start(*self.RUN, session=[{"sleep": 0.02}, "normal"])
            try:
                front.wait(moments.uniform(0.0, 0.5))
            except Exception:
                front.send_signal(signal.SIGKILL)
            said = self.finish(front)
            self.expect_no_orphans()
            told = said.err.count(" · launch ")
            journal = self.work / "out.jsonl"
            if journal.exists() and "\n" in journal.read_text(encoding="utf-8"):
                self.expect_resumed(told)
            else:
                # Killed before the first launch, perhaps with an empty journal, or after the last one.
                self.assertEqual(told, LAUNCHES if (self.work / "out.json").exists() else 0)
            for path in (journal, self.work / "out.json", self.folder / "starts"):
                path.unlink(missing_ok=True)

    @unittest.skipUnless(sys.platform == "linux", "looks at /proc")
    def test_no_worker_stays(self):
        front = self.start_until_here(*self.RUN, session=["ignore_term", "hello", self.here(), "hang"])
        self.assertIn(int((self.folder / "pid").read_text()), self.started_processes())
        self.kill(front)
        self.expect_resumed(0)
