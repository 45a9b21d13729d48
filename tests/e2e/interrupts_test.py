"""Ctrl-C once (the report has what was finished) and twice (ends immediately), SIGTERM, and resuming afterwards."""

import signal
import time

from support import FrontTest, main


class Interrupts(FrontTest):
    def hang_in_third_launch(self, *first_actions):
        self.pid_file = self.folder / "pid"
        hang = [*first_actions, "hello", {"write_file": {"path": str(self.pid_file), "text": "$pid"}}, "hang"]
        session = {"counter": str(self.folder / "starts"), "rules": [{"launch": 3, "actions": hang}]}
        arguments = ("run", "-m", "tiny.json", "--mode", "infer", "-b", "4,8", "-r", "3", "--export-json", "out.json")
        front = self.start(*arguments, session=session)
        self.await_file(self.pid_file)
        return front

    def expect_interrupted(self, front):
        said = self.finish(front)
        self.assertEqual(said.code, 130, said)
        report = self.report()
        self.assertEqual(report["run"]["status"], "interrupted")
        counts = sorted(found.count("ok") for found in self.statuses(report).values())
        self.assertEqual(counts, [2, 2])
        self.assertTrue(all("incomplete" in case["flags"] for case in report["cases"]))
        self.assertFalse((self.work / "out.jsonl").exists())
        self.validate("out.json")
        return said

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
                front = self.hang_in_third_launch()
                for name in ("starts", "pid"):
                    (self.folder / name).unlink()
                front.send_signal(number)
                self.expect_interrupted(front)
                self.expect_resumed()

    def test_twice_does_not_wait_for_a_worker_that_takes_its_time(self):
        front = self.hang_in_third_launch("ignore_term", "grandchild")
        front.send_signal(signal.SIGINT)
        time.sleep(0.1)
        second = time.monotonic()
        front.send_signal(signal.SIGINT)
        self.expect_interrupted(front)
        self.assertLess(time.monotonic() - second, 1.5)  # without the second Ctrl-C, SIGKILL would follow after 2 s
        self.expect_resumed()

    def test_a_worker_that_ignores_sigterm_is_killed(self):
        front = self.hang_in_third_launch("ignore_term")
        front.send_signal(signal.SIGINT)
        self.expect_interrupted(front)

    def test_during_a_cooldown(self):
        front = self.start("run", "-m", "tiny.json", "--cooldown", "1h", "--export-json", "out.json", bufsize=1)
        self.assertIn("launch", front.stderr.readline())
        front.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(front).code, 130)
        self.assertEqual(sum(found.count("ok") for found in self.statuses(self.report()).values()), 1)
        self.assertEqual(self.report()["run"]["status"], "interrupted")
        self.validate("out.json")

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
        pid = {"write_file": {"path": str(self.folder / "pid"), "text": "$pid"}}
        return ["hello", {"phase": "measure"}, {"part": {"samples": 12}}, {"part": {"samples": 4}}, pid, *ends]

    TINY = ("run", "-m", "tiny.json", "--mode", "train", "-b", "4", "-r", "1", "--export-json", "out.json")

    def test_what_the_worker_had_measured_is_kept_and_counts(self):
        front = self.start(*self.TINY, session=self.parts("hang"))
        self.await_file(self.folder / "pid")
        front.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(front).code, 130)
        case = self.expect_kept("out.json", 16, 0)
        self.assertEqual((case["status"], case["launches"][0]["status"]), ("ok", "interrupted"))
        self.expect(0, *self.TINY[:-1], "other.json")
        self.expect(0, "compare", "out.json", "other.json")
        self.expect(0, "merge", "out.json", "other.json", "-o", "both.json")
        self.validate("both.json")
        self.expect(0, "run", "--resume", "out.json")
        self.assertEqual(self.statuses(self.report()), {case["id"]: ["ok"]})

    def test_a_worker_that_ends_otherwise_keeps_its_samples_too(self):
        ends = [
            ("timeout", "hang"),
            ("crashed", {"signal": "KILL"}),
            ("crashed", {"signal": "SEGV"}),
            ("crashed", {"exit": 7}),
        ]
        for status, end in ends:
            with self.subTest(end):
                self.expect(5, *self.TINY, "--timeout", "1s", session=self.parts(end))
                self.assertEqual(self.expect_kept("out.json", 16, 0)["status"], status)

    def test_epochs_count_and_few_samples_do_not(self):
        epochs = ["hello", {"part": {"epochs": 2, "samples": 3}}, {"signal": "KILL"}]
        self.expect(5, *self.TINY, "--epochs", "30", session=epochs)
        case = self.expect_kept("out.json", 3, 2)
        self.assertEqual(case["metrics"]["epoch_seconds"]["kind"], "measured")
        self.assertEqual(case["metrics"]["epoch_seconds"]["value"], 1)
        few = ["hello", {"part": {"samples": 9}}, {"signal": "KILL"}]
        self.expect(5, *self.TINY, session=few)
        case = self.report()["cases"][0]
        self.assertEqual(len(case["launches"][0]["samples_seconds"]), 9)
        self.assertIsNone(case["metrics"]["step_seconds"]["median"])
        self.assertEqual(case["launches"][0]["unmet"], ["min-samples"])

    def test_a_killed_front_leaves_the_parts_in_the_journal(self):
        front = self.start(*self.TINY, session=self.parts("hang"))
        self.await_file(self.folder / "pid")
        deadline = time.monotonic() + 10
        while (self.work / "out.jsonl").read_text().count('"part"') < 2 and time.monotonic() < deadline:
            time.sleep(0.01)  # until the front has read what the worker sent before
        front.send_signal(signal.SIGKILL)
        self.finish(front)
        self.expect_no_orphans()
        self.validate("out.jsonl")
        # The resumed run is stopped before it has measured more.
        (self.folder / "pid").unlink()
        again = ["hello", *self.parts("hang")[-2:]]
        front = self.start("run", "--resume", "out.jsonl", session=again)
        self.await_file(self.folder / "pid")
        front.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(front).code, 130)
        launch = self.expect_kept("out.json", 16, 0)["launches"][0]
        self.assertIn("mpsbench ended during this launch", launch["failure"]["message"])

    def test_a_time_limit_ends_the_run_between_launches(self):
        options = ("-m", "tiny.json", "--mode", "infer", "-b", "4,8", "-r", "3", "--export-json", "out.json")
        session = [{"sleep": 5}, "normal"]
        done = self.expect(5, "run", *options, "--time-limit", "5s", session=session)
        self.assertIn("the time limit of 5.00 s is over; 5 launches were left out: a longer --time-limit ", done.err)
        self.assertIn("to continue: mpsbench run --resume out.json", done.err)
        report = self.report()
        self.assertEqual(report["run"]["status"], "partial")
        found = sum(self.statuses(report).values(), [])
        self.assertEqual(set(found), {"ok"})
        self.assertEqual(len(found), 1)
        self.validate("out.json")
        self.expect(5, "run", "--resume", "out.json", "--time-limit", "1us")
        self.assertEqual(sum(self.statuses(self.report()).values(), []), found)
        self.expect_resumed()

    def test_nohup_stays_deaf(self):
        session = [{"sleep": 0.2}, "normal"]
        options = ("run", "-m", "tiny.json", "--mode", "infer", "-r", "2", "--export-json", "out.json")
        front = self.start(*options, session=session, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.15)
        front.send_signal(signal.SIGHUP)
        self.assertEqual(self.finish(front).code, 0)

    def test_doctor_and_list(self):
        pid_file = self.folder / "pid"
        actions = [{"write_file": {"path": str(pid_file), "text": "$pid"}}, "hang"]
        for arguments in (("doctor",), ("list", "devices")):
            front = self.start(*arguments, session={"rules": [{"case": "probe", "actions": actions}]})
            self.await_file(pid_file)
            front.send_signal(signal.SIGINT)
            self.assertIn(self.finish(front).code, (130, -signal.SIGINT))
            self.expect_no_orphans()
            pid_file.unlink()


if __name__ == "__main__":
    main()
