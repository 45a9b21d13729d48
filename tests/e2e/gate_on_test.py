"""`mpsbench compare --gate-on`: metrics other than the time of a step."""

from comparisons import CompareTest


class Metrics(CompareTest):
    def with_memory(self, name, size, of="/"):
        def change(report):
            for case in report["cases"]:
                for launch in case["launches"]:
                    launch["peak_device_bytes"] = size if of in case["id"] else 2000

        return self.make(name, change=change)

    def test_a_larger_case_fails(self):
        old, new = self.with_memory("old.json", 2000), self.with_memory("new.json", 2060, of="train/cpu/b8")
        both = ("--gate-on", "step,peak-memory=1%", "--fail-on-regression")
        self.compare(old, new, "--fail-on-regression", "--fail-on-undecided")
        said = self.compare(old, new, *both, code=1)
        self.assertRegex(said.out, r"tiny/train/cpu/b8 +peak-memory +2\.0 KiB +2\.0 KiB +\+3\.0 % .* larger\n")
        self.assertIn("No case of 4 is slower by more than 2 %.\n", said.out)
        self.assertIn("The peak memory of 1 case of 4 is larger by more than 1 %: tiny/train/cpu/b8.\n", said.out)
        self.compare(new, old, *both)
        self.compare(old, new, "--gate-on", "step,peak-memory", "--threshold", "5%", "--fail-on-regression")
        cases = self.as_json(old, new, *both, code=1)["cases"]
        self.assertEqual([case["metric"] for case in cases], ["step", "peak-memory"] * 4)
        (larger,) = [case for case in cases if case["verdict"] == "slower"]
        self.assertAlmostEqual(larger["before_value"], 2000)
        self.assertEqual(larger["threshold"], 0.01)
        tests = self.compare(old, new, *both, "-f", "junit", code=1).out
        self.assertIn(' peak-memory" classname="mpsbench.compare"', tests)

    def test_a_metric_that_launches_lack_is_not_compared(self):
        old, new = self.make("old.json"), self.make("new.json")
        said = self.compare(old, new, "--gate-on", "step,latency-p99,energy", "--fail-on-regression")
        why = "no latency-p99 before: a launch has 10 of 662 samples; use --min-samples 662"
        self.assertEqual(said.out.count(f"  not compared ({why}"), 2, "of inference only")
        self.assertEqual(said.out.count("  not compared (no energy before: "), 4)
        self.assertIn("6 comparisons could not be made: ", said.out)
        self.assertIn("The energy per row of no case of 4 could be judged.", said.out)
        self.compare(old, new, "--gate-on", "step,energy", "--fail-on-undecided", code=1)
        self.compare(old, new, "--gate-on", "energy", code=4)

    def test_the_launches_without_a_percentile_are_not_left_out(self):
        def change(report):
            for case in report["cases"]:
                for launch in case["launches"][2:]:
                    launch["samples_seconds"] = [1e-3] * 700

        old, new = self.make("old.json", change=change), self.make("new.json", change=change)
        said = self.compare(old, new, "--gate-on", "step,latency-p99")
        why = "no latency-p99 before: a launch has 10 of 662 samples; use --min-samples 662"
        self.assertEqual(said.out.count(f"  not compared ({why}"), 2, "of inference only")

    def test_a_run_that_could_judge_nothing_is_refused(self):
        for more in ((), ("--dry-run",)):
            self.expect_refused(
                *("run", "-m", "tiny.json", "--mode", "train", "--gate-on", "latency-p99", *more),
                says=["--gate-on: judges nothing", "add --mode infer"],
            )
        self.run_tiny("--mode", "train,infer", "--gate-on", "latency-p99", "-r", "1")
        self.run_tiny("--mode", "train", "--gate-on", "latency-p99,step", "-r", "1")

    def test_bad_values(self):
        for bad in ("", "time", "step,step", "step=0", "energy=5"):
            self.expect_refused("compare", "x.json", "y.json", f"--gate-on={bad}", says=["--gate-on"])
