"""Workers that crash, hang, lie or run out of memory: each fails one launch with a message, and --resume repeats it."""

import unittest

from support import FrontTest, is_root_on_linux, normal

PHASES = ("device", "model", "data", "warmup", "measure")


class OtherBuilds(FrontTest):
    RUN = ("run", "--model", "tiny.json", "--repeats", "1", "--export-json", "out.json")

    def worker_of(self, **build):
        return {"rules": [{"case": "probe", "actions": [{"probe": build}]}]}

    def test_another_version_is_refused(self):
        own = self.expect(0, "--version").out.split()[1]
        other = self.worker_of(version="9.8.7")
        says = [f"this is mpsbench {own}, but its worker is 9.8.7", f"pip install mpsbench=={own}"]
        self.expect_refused(*self.RUN, session=other, says=says)
        self.assertRegex(self.expect(0, "doctor", session=other).out, r"problem +build +this is mpsbench ")

    def test_another_commit_is_named(self):
        other = self.worker_of(git_commit="0123456789ab")
        said = self.expect(0, *self.RUN, session=other)
        if self.report()["tool"]["git_commit"] is None:
            self.skipTest("this build knows no commit")
        self.assertIn("its worker is of commit 0123456789ab", said.err)
        self.assertNotIn("its worker is", self.expect(0, *self.RUN[:-1], "same.json").err)


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

    def test_another_libtorch_on_resume(self):
        self.crash_second_launch([{"exit": 3}])
        other = [{"hello": {"libtorch": "2.9.0"}}, "hang"]
        said = self.expect(2, "run", "--resume", "out.json", session=other)
        self.assertIn("started with LibTorch 2.13.0+fake, but the worker now has 2.9.0", said.err)
        self.assertEqual(list(self.statuses(self.report()).values()), [["ok", "ok"]])
        self.expect_mended()

    def test_another_environment_on_resume(self):
        self.crash_second_launch([{"exit": 3}])
        usual = self.env.pop("OMP_NUM_THREADS")
        self.expect_refused("run", "--resume", "out.json", says=["OMP_NUM_THREADS", "unset", "start a new run"])
        self.env["OMP_NUM_THREADS"] = usual
        self.expect_mended()

    def test_the_tail_of_stderr_is_kept(self):
        flood = {"flood": {"stream": "stderr", "text": "a line of noise\n", "count": 20000}}
        last = {"flood": {"stream": "stderr", "text": "the last words \x1b[31m\xff", "count": 1}}
        (case,) = self.crash_second_launch(["hello", flood, last, {"exit": 3}])["cases"]
        self.assertIn("the last words", case["failure"]["detail"])
        self.assertLess(len(case["failure"]["detail"]), 20000)
        self.assertNotIn("\x1b", self.said.out + self.said.err)

    def test_the_last_words_of_a_worker_are_told_with_a_cure(self):
        told = "libgomp: Thread creation failed: Resource temporarily unavailable"
        said = {
            "flood": {"stream": "stderr", "text": f"\n{told}\n[W1 a.cpp:1] Warning: beside the point\n", "count": 1}
        }
        session = ["hello", {"phase": "warmup"}, said, {"exit": 1}]
        report = self.run_tiny("--mode", "infer", "-r", "1", code=5, session=session)
        message = report["cases"][0]["failure"]["message"]
        self.assertTrue(
            message.startswith(f"the worker ended with exit code 1 in phase warmup: {told}; allow more processes"),
            message,
        )
        self.assertIn(f": {message}\n", self.said.out)  # whole, although the table cuts it off

    def test_a_worker_that_cannot_be_started(self):
        self.env["MPSBENCH_WORKER"] = str(self.write("worker", "no program"))
        report = self.run_tiny("--mode", "infer", "-r", "1", code=5)
        self.assertEqual(report["cases"][0]["status"], "crashed")
        self.assertIn("cannot start", report["cases"][0]["failure"]["message"])
        self.validate("out.json")


class Memory(FrontTest):
    OOM = ["hello", {"failure": {"status": "oom", "kind": "oom", "message": "can't allocate memory"}}]

    def test_no_larger_batch_after_one_that_ran_out(self):
        session = self.counted({"case": "/train/cpu/b16/", "actions": self.OOM})
        report = self.run_tiny("-b", "64,4,16,256", "-r", "2", code=5, session=session)
        statuses = {name.split("/eager")[0]: found for name, found in self.statuses(report).items()}
        self.assertEqual(statuses["tiny/train/cpu/b4/fp32"], ["ok", "ok"])
        self.assertEqual(statuses["tiny/train/cpu/b16/fp32"], ["oom", "oom"])
        for size in (64, 256):
            self.assertEqual(statuses[f"tiny/train/cpu/b{size}/fp32"], ["skipped"] * 2)
            self.assertEqual(statuses[f"tiny/infer/cpu/b{size}/fp32"], ["ok"] * 2)
        self.assertNotIn("/train/cpu/b64/", (self.folder / "starts").read_text())
        self.assertIn("out of memory", self.said.out)
        self.validate("out.json")

    def test_resume_leaves_what_ran_out(self):
        session = self.counted({"case": "/b16/", "actions": self.OOM})
        self.run_tiny("-b", "4,16,64", "-r", "1", "--mode", "infer", code=5, session=session)
        (self.folder / "starts").unlink()
        self.expect(5, "run", "--resume", "out.json", session=session)
        self.assertEqual(list(self.statuses(self.report()).values()), [["ok"], ["oom"], ["skipped"]])
        self.assertFalse((self.folder / "starts").exists())

    @unittest.skipUnless(is_root_on_linux(), "needs root on Linux")
    def test_sigkill_alone_is_a_crash(self):
        report = self.run_tiny("--mode", "infer", "-r", "1", code=5, session=["hello", {"signal": "KILL"}])
        self.assertEqual(report["cases"][0]["status"], "crashed")
        self.assertIn("memory", report["cases"][0]["failure"]["message"])
