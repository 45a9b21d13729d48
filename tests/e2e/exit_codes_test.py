"""The documented exit codes. If several apply, the first of 130, 2, 3, 5 wins."""

from support import FrontTest, normal

CRASH = ["hello", {"signal": "SEGV"}]


class Devices(FrontTest):
    def test_done(self):
        self.assertEqual(self.run_tiny()["run"]["status"], "complete")
        self.validate("out.json")

    def test_only_devices_that_are_not_here(self):
        for device in ("mps", "cuda", "cuda:3", "mps,cuda"):
            for strict in ([], ["--strict"]):
                self.expect_refused("run", "-m", "tiny.json", "-d", device, *strict, code=3, says=["--device cpu"])
        self.expect_refused("run", "-m", "tiny.json", "-d", "mps,cuda", code=3, says=["MPS device", "CUDA device"])

    def test_beside_the_cpu_they_are_named_in_one_line(self):
        report = self.run_tiny("-d", "cpu,mps,cuda", "--mode", "infer", "-q")
        self.assertEqual([one["status"] for one in report["cases"]], ["ok", "unsupported", "unsupported"])
        self.assertEqual(self.said.err.count("\n"), 1, self.said)
        for word in ("2 cases", "MPS", "CUDA"):
            self.assertIn(word, self.said.err)
        self.assertEqual(report["run"]["status"], "complete")
        self.validate("out.json")

    def test_what_the_worker_cannot_run_is_not_done(self):
        session = ["hello", {"failure": {"status": "unsupported", "kind": "device", "message": "no graphs here"}}]
        self.run_tiny("--mode", "infer", code=3, session=session)

    def test_a_dry_run_ends_as_the_run_would(self):
        plan = ("run", "-m", "tiny.json", "--dry-run", "-d")
        self.expect(3, *plan, "cuda")
        self.expect(0, *plan, "cuda,cpu")
        self.expect(3, *plan, "cuda,cpu", "--strict")

    def test_strict(self):
        report = self.run_tiny("-d", "cpu,mps", "--strict", code=3)
        self.assertEqual({one["status"] for one in report["cases"]}, {"ok", "unsupported"})

    def test_auto_says_which(self):
        self.run_tiny("-d", "auto")
        self.assertIn("device cpu", self.said.out.splitlines()[0])


class Precedence(FrontTest):
    def test_incomplete(self):
        self.run_tiny("--mode", "infer", code=5, session=CRASH)

    def test_a_missing_device_beats_a_crash_only_when_strict(self):
        self.run_tiny("--mode", "infer", "-d", "cpu,mps", code=5, session=CRASH)
        self.run_tiny("--mode", "infer", "-d", "cpu,mps", "--strict", code=3, session=CRASH)

    def test_an_interrupt_beats_all(self):
        rules = [{"case": "/train/", "actions": CRASH}, {"actions": ["hello", self.here(), "hang"]}]
        arguments = ("run", "-m", "tiny.json", "-d", "cpu,mps", "--strict", "-r", "2", "--export-json", "out.json")
        self.interrupt(self.start_until_here(*arguments, session={"rules": rules}))
        self.validate("out.json")

    def test_resume_keeps_the_meaning(self):
        self.run_tiny("--mode", "infer", "-d", "cpu,mps", "--strict", code=3, session=CRASH)
        self.expect(3, "run", "--resume", "out.json", session=normal())
        self.assertEqual(self.report()["cases"][0]["status"], "ok")
        self.assertEqual(self.report()["cases"][1]["status"], "unsupported")

    def test_resume_takes_no_other_wishes(self):
        self.run_tiny("--mode", "infer", code=5, session=CRASH)
        for option in ("--batch-size=8", "--repeats=5", "--seed=1", "--export-json=b.json", "--model=mlp", "--strict"):
            self.expect_refused("run", "--resume", "out.json", option, says=[option.split("=")[0], "--resume"])
        said = self.expect(0, "run", "--resume", "out.json", "--dry-run")
        self.assertIn("3 launches", said.out)
        self.expect(0, "run", "--resume", "out.json", "-f", "csv", "-q", "--log-file", "log")

    def test_nothing_left_to_resume(self):
        before = self.run_tiny()
        self.expect(0, "run", "--resume", "out.json", session=CRASH)
        self.assertEqual(self.report()["cases"], before["cases"])

    def test_validate_goes_on_after_a_bad_file(self):
        said = self.expect(2, "validate", "nothing.json", "tiny.json")
        self.assertIn("tiny.json: ok", said.out)
        self.assertIn("nothing.json", said.err)
