"""The documented exit codes. If several apply, the first of 130, 2, 3, 5 wins."""

from support import FrontTest, normal

CRASH = ["hello", {"signal": "SEGV"}]


class Devices(FrontTest):
    def test_beside_the_cpu_they_are_named_in_one_line(self):
        report = self.run_tiny("-d", "cpu,mps,cuda", "--mode", "infer", "-q")
        self.assertEqual([one["status"] for one in report["cases"]], ["ok", "unsupported", "unsupported"])
        self.assertEqual(self.said.err.count("\n"), 1, self.said)
        for word in ("2 cases", "MPS", "CUDA"):
            self.assertIn(word, self.said.err)
        self.assertEqual(report["run"]["status"], "complete")
        self.validate("out.json")

    def test_a_dry_run_ends_as_the_run_would(self):
        plan = ("run", "-m", "tiny.json", "--dry-run", "-d")
        self.expect(3, *plan, "cuda")
        self.expect(0, *plan, "cuda,cpu")
        self.expect(3, *plan, "cuda,cpu", "--strict")

    def test_strict(self):
        report = self.run_tiny("-d", "cpu,mps", "--strict", code=3)
        self.assertEqual({one["status"] for one in report["cases"]}, {"ok", "unsupported"})

    def test_a_dry_run_checks_what_the_run_would(self):
        self.write("taken.jsonl", "")
        for arguments in (
            ("--export-json", "tiny.json/r.json"),
            ("--export-json", "taken.json"),
            ("--versus", "no/such/worker", "--export-json", "out.json"),
            ("--baseline", "no_such.json"),
            ("--baseline", "no_such.json", "-b", "max"),
        ):
            says = [arguments[1].removesuffix(".json")]
            run = self.expect_refused("run", "-m", "tiny.json", *arguments, says=says)
            plan = self.expect_refused("run", "-m", "tiny.json", *arguments, "--dry-run", says=says)
            self.assertEqual(plan.err, run.err)


class Precedence(FrontTest):
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
