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

    def killed_journal(self):
        session = self.counted({"launch": 2, "actions": ["hello", self.here(), "hang"]})
        self.kill(self.start_until_here(*self.RUN, session=session))
        return self.work / "out.jsonl"

    def test_a_torn_last_line_costs_its_launch_only(self):
        journal = self.killed_journal()
        text = journal.read_text(encoding="utf-8")
        whole = len(self.journal()[1])
        self.assertGreater(whole, 0)
        for cut in (1, 2, 40, 300):
            journal.write_text(text[:-cut], encoding="utf-8")
            said = self.expect(0, "run", "--resume", "out.jsonl")
            self.assertEqual("is incomplete" in said.err, cut > 1)
            self.assertEqual(list(self.statuses(self.report()).values()), [["ok"] * 4] * 2)

    def test_an_unfinished_journal_is_not_overwritten(self):
        journal = self.killed_journal()
        text = journal.read_bytes()
        options = ("run", "-m", "tiny.json", "--export-json", "out.json")
        self.expect_refused(*options, says=["out.jsonl", "--resume"])
        self.assertEqual(journal.read_bytes(), text)

    def test_a_spoilt_journal(self):
        journal = self.killed_journal()
        text = journal.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        for spoilt, says in (
            (text[:50], "incomplete"),
            ("", "out.jsonl"),
            (lines[0] + lines[-1].replace("/infer/", "/train/", 1), "line 2"),
            (lines[0].replace('"journal_version":1', '"journal_version":2') + lines[-1], "version"),
            (lines[0].replace('"plan":', '"plans":') + lines[-1], "'plan'"),
        ):
            journal.write_text(spoilt, encoding="utf-8")
            self.expect_refused("run", "--resume", "out.jsonl", says=["out.jsonl", says])
            self.expect_refused("validate", "out.jsonl", says=["out.jsonl"])

    def test_a_run_that_still_goes_on_is_not_resumed(self):
        front = self.start_until_here(*self.RUN)
        self.expect_refused("run", "--resume", "out.jsonl", says=["out.jsonl", "another mpsbench"])
        self.interrupt(front)
