"""Launches that something outside disturbs: a stopped worker, a stopped front, another program on the CPU."""

import signal
import subprocess
import sys
import time

from support import FrontTest

PAUSED = [{"pause": 0.05}, "normal"]
WORKS = "while True: pass"


class Disturbed(FrontTest):
    options = ("--mode", "infer", "-b", "4")

    def session(self, *paused, rules=()):
        """The launches with the numbers PAUSED are stopped for a moment."""
        stops = [{"launch": number, "actions": PAUSED} for number in paused]
        (self.folder / "starts").unlink(missing_ok=True)
        return self.counted(*rules, *stops)

    def reasons(self, report):
        """Of each launch of the first case, in the order of their indices."""
        launches = sorted(report["cases"][0]["launches"], key=lambda launch: launch["index"])
        return [launch["disturbed"] for launch in launches]

    def plan(self, report):
        planned = report["run"]["planned"][0]
        return planned["repeats"], planned["repeated"]

    def test_a_disturbed_launch_is_repeated_and_set_aside(self):
        report = self.run_tiny(*self.options, session=self.session(2))
        self.assertEqual(self.reasons(report), [None, "stopped", None, None])
        self.assertEqual(self.plan(report), (4, 1))
        self.assertEqual(report["run"]["status"], "complete")
        self.assertIn("1 disturbed launch is repeated, about ", self.said.err)
        self.assertRegex(self.said.out, r"(?m)^tiny .*  3 of 4 launches, 1 disturbed$")
        self.assertIn("1 of 4 launches was disturbed (stopped) and set aside.", self.said.out)
        count = report["cases"][0]["metrics"]["step_seconds"]["count"]
        self.assertEqual(count, sum(len(report["cases"][0]["launches"][at]["samples_seconds"]) for at in (0, 2, 3)))
        self.validate("out.json")

    def test_a_worker_that_stays_stopped_is_named(self):
        rules = [{"launch": 1, "actions": [{"pause": 4.5}, "normal"]}]
        self.run_tiny(*self.options, "-r", "1", session=self.session(rules=rules))
        told = r"a signal has stopped the worker \(process (\d+)\); kill -CONT \1 lets it go on"
        self.assertRegex(self.said.err, told)

    def test_a_resumed_run_keeps_and_repeats_them(self):
        broken = {"launch": 3, "actions": ["hello", {"exit": 3}]}
        session = self.session(1, rules=[broken])
        report = self.run_tiny(*self.options, code=5, session=session)
        self.assertEqual(self.reasons(report), ["stopped", None, None])
        self.expect(0, "run", "--resume", "out.json", session=session)
        report = self.report()
        self.assertEqual(self.reasons(report), ["stopped", None, None, None])
        self.assertEqual(self.plan(report), (4, 1))
        self.validate("out.json")

    def test_a_time_in_which_the_front_is_stopped_does_not_count(self):
        slow = [self.here(), {"sleep": 5}, "normal"]
        options = ("--timeout", "3.5s", "-r", "1", "--export-json", "out.json")
        front = self.start_until_here("run", "-m", "tiny.json", *self.options, *options, session=slow)
        front.send_signal(signal.SIGSTOP)
        time.sleep(4)
        front.send_signal(signal.SIGCONT)
        done = self.finish(front)
        self.assertEqual(done.code, 0, done)
        self.assertEqual(self.reasons(self.report()), ["stopped"])

    def test_a_program_on_the_cpu_disturbs(self):
        loads = [subprocess.Popen([sys.executable, "-c", WORKS]) for _ in range(2)]
        try:
            report = self.run_tiny(*self.options, "-r", "1", session=[{"sleep": 1}, "normal"])
        finally:
            for load in loads:
                load.kill()
                load.wait()
        (launch,) = report["cases"][0]["launches"]
        shares = [one["value"] for one in launch["sensors"] if one["name"] == "other_cpu_share"]
        self.assertEqual(self.reasons(report), ["background-load" if shares[0] > 0.05 else None], shares)
        self.assertIn("background-load" if shares[0] > 0.05 else "within-launch", report["cases"][0]["flags"])
