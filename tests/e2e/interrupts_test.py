"""Ctrl-C once (the report has what was finished) and twice (ends immediately), SIGTERM, and resuming afterwards."""

import signal
import time

from support import FrontTest


class Interrupts(FrontTest):
    def hang_in_third_launch(self, *first_actions):
        (self.folder / "starts").unlink(missing_ok=True)
        session = self.counted({"launch": 3, "actions": [*first_actions, "hello", self.here(), "hang"]})
        arguments = ("run", "-m", "tiny.json", "--mode", "infer", "-b", "4,8", "-r", "3", "--export-json", "out.json")
        return self.start_until_here(*arguments, session=session)

    def expect_interrupted(self, front, number=signal.SIGINT):
        self.interrupt(front, number)
        report = self.report()
        self.assertEqual(report["run"]["status"], "interrupted")
        counts = sorted(found.count("ok") for found in self.statuses(report).values())
        self.assertEqual(counts, [2, 2])
        self.assertTrue(all("incomplete" in case["flags"] for case in report["cases"]))
        self.assertFalse((self.work / "out.jsonl").exists())
        self.validate("out.json")

    def expect_resumed(self):
        self.expect(0, "run", "--resume", "out.json")
        report = self.report()
        self.assertEqual(list(self.statuses(report).values()), [["ok"] * 3] * 2)
        self.assertEqual(report["run"]["status"], "complete")
        self.assertFalse(any("incomplete" in case["flags"] for case in report["cases"]))
        self.validate("out.json")

    def test_once(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                self.expect_interrupted(self.hang_in_third_launch(), number)
                self.expect_resumed()

    def test_twice_does_not_wait_for_a_worker_that_takes_its_time(self):
        front = self.hang_in_third_launch("ignore_term", "grandchild")
        front.send_signal(signal.SIGINT)
        time.sleep(0.1)
        second = time.monotonic()
        self.expect_interrupted(front)
        self.assertLess(time.monotonic() - second, 1.5)  # without the second Ctrl-C, SIGKILL would follow after 2 s
        self.expect_resumed()

    def expect_kept(self, name, samples, epochs):
        """Each case has the flag `incomplete`, and its launch 0 what its worker had sent. Returns the first case."""
        for case in self.report(name)["cases"]:
            launch = case["launches"][0]
            self.assertEqual((len(launch["samples_seconds"]), len(launch["epochs"])), (samples, epochs))
            self.assertIn("incomplete", case["flags"])
            self.assertEqual(case["metrics"]["step_seconds"]["count"], samples)
        self.validate(name)
        return self.report(name)["cases"][0]

    def parts(self, *ends):
        parts = [{"part": {"samples": 12}}, {"part": {"samples": 4}}]
        return ["hello", {"phase": "measure"}, *parts, self.here(), *ends]

    TINY = ("run", "-m", "tiny.json", "--mode", "train", "-b", "4", "-r", "1", "--export-json", "out.json")

    def test_what_the_worker_had_measured_is_kept_and_counts(self):
        self.interrupt(self.start_until_here(*self.TINY, session=self.parts("hang")))
        case = self.expect_kept("out.json", 16, 0)
        self.assertEqual((case["status"], case["launches"][0]["status"]), ("ok", "interrupted"))
        self.expect(0, *self.TINY[:-1], "other.json")
        self.expect(0, "compare", "out.json", "other.json")
        self.expect(0, "merge", "out.json", "other.json", "-o", "both.json")
        self.validate("both.json")
        self.expect(0, "run", "--resume", "out.json")
        self.assertEqual(self.statuses(self.report()), {case["id"]: ["ok"]})

    def test_a_killed_front_leaves_the_parts_in_the_journal(self):
        front = self.start_until_here(*self.TINY, session=self.parts("hang"))
        deadline = time.monotonic() + 10
        while self.text("out.jsonl").count('"part"') < 2 and time.monotonic() < deadline:
            time.sleep(0.01)  # until the front has read what the worker sent before
        self.kill(front)
        self.validate("out.jsonl")
        # The resumed run is stopped before it has measured more.
        self.interrupt(self.start_until_here("run", "--resume", "out.jsonl"))
        launch = self.expect_kept("out.json", 16, 0)["launches"][0]
        self.assertIn("mpsbench ended during this launch", launch["failure"]["message"])

    def test_doctor_and_list(self):
        session = {"rules": [{"case": "probe", "actions": [self.here(), "hang"]}]}
        for arguments in (("doctor",), ("list", "devices")):
            front = self.start_until_here(*arguments, session=session)
            front.send_signal(signal.SIGINT)
            self.assertIn(self.finish(front).code, (130, -signal.SIGINT))
            self.expect_no_orphans()
