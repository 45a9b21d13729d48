"""Workers that crash, hang, lie or run out of memory: each fails one launch with a message, and --resume repeats it."""

import unittest

from support import FrontTest, is_root_on_linux, normal

PHASES = ("device", "model", "data", "warmup", "measure")


class Crashes(FrontTest):
    def crash_second_launch(self, actions, *arguments):
        """Runs three launches of one case. The worker of the second one does ACTIONS."""
        (self.folder / "starts").unlink(missing_ok=True)
        session = self.counted({"launch": 2, "actions": actions})
        return self.run_tiny("--mode", "infer", "--seed", "1", *arguments, code=5, session=session)

    def expect_mended(self):
        self.validate("out.json")
        self.expect(0, "run", "--resume", "out.json", "-q")
        report = self.report()
        self.assertEqual(list(self.statuses(report).values()), [["ok"] * 3])
        self.assertEqual(report["run"]["status"], "complete")
        self.validate("out.json")
        self.assertFalse((self.work / "out.jsonl").exists())

    def expect_one_lost(self, actions, *arguments, status="crashed", says=""):
        (case,) = self.crash_second_launch(actions, *arguments)["cases"]
        self.assertEqual(case["status"], status)
        self.assertEqual([one["status"] for one in case["launches"]], ["ok", status, "ok"])
        self.assertIn(says, case["failure"]["message"])
        self.assertEqual(len(case["failure"]["message"].splitlines()), 1)
        self.assertIsNotNone(case["metrics"]["step_seconds"]["median"])
        self.expect_mended()

    def test_ends_and_talks_nonsense(self):
        in_phases = [
            (["hello", *({"phase": one} for one in PHASES[: i + 1]), {"signal": "ABRT"}], f"SIGABRT in phase {phase}")
            for i, phase in enumerate(PHASES)
        ]
        for actions, says in (
            *in_phases,
            ([{"signal": "SEGV"}], "SIGSEGV at its start"),
            ([{"exit": 7}], "exit code 7"),
            ([{"exit": 0}], "without sending an event"),
            (["hello", {"signal": "KILL"}], "SIGKILL"),
            ([*normal(), {"signal": "SEGV"}], "after its last event"),
            ([{"hello": {"protocol": 99}}, "hang"], "99"),
            (["hello", {"line": "{]"}, "hang"], "JSON"),
            (["hello", {"line": '{"event": "sing"}'}, "hang"], "the worker sent"),
            (["hello", {"raw": '{"event": "pha'}], "middle of an event"),
            (["hello", "hello", "hang"], "two hello events"),
            ([*normal(), {"phase": "data"}, "hang"], "after its last event"),
            (["hello", {"flood": {"stream": "events", "text": "\x00\xff", "count": 9}}], "middle of an event"),
        ):
            with self.subTest(says):
                self.expect_one_lost(actions, says=says)

    def test_hangs(self):
        for actions, says in (
            (["hello", {"phase": "model"}, "hang"], "model"),
            (["ignore_term", "grandchild", "hello", "hang"], "--timeout"),
        ):
            self.expect_one_lost(actions, "--timeout", "300ms", status="timeout", says=says)


class Memory(FrontTest):
    @unittest.skipUnless(is_root_on_linux(), "needs root on Linux")
    def test_sigkill_alone_is_a_crash(self):
        report = self.run_tiny("--mode", "infer", "-r", "1", code=5, session=["hello", {"signal": "KILL"}])
        self.assertEqual(report["cases"][0]["status"], "crashed")
        self.assertIn("memory", report["cases"][0]["failure"]["message"])
