"""What --time-limit plans, and what it leaves out."""

from support import FrontTest


class TimeLimit(FrontTest):
    options = ("--mode", "infer", "-b", "4,8")

    def launches(self, report):
        return {case["spec"]["batch_size"]: len(case["launches"]) for case in report["cases"]}

    def expect_planned(self, report, status="complete"):
        """The launches that ran are those of the report's plan."""
        self.assertEqual(report["run"]["status"], status)
        planned = {one["spec"]["batch_size"]: one["repeats"] for one in report["run"]["planned"]}
        self.assertEqual(planned, self.launches(report))
        self.validate("out.json")

    def test_a_run_has_as_many_launches_as_help(self):
        report = self.run_tiny(*self.options, "--time-limit", "5m")
        self.assertEqual(report["run"]["planned_within_seconds"], 300)
        self.assertIn("planned within 5 min 0 s: 34 more launches (20 per case), about ", self.said.err)
        self.assertRegex(self.said.err, r"launch 1/3 · .* · up to .+ left\n")
        self.assertEqual(self.launches(report), {4: 20, 8: 20})
        self.expect_planned(report)

    def test_a_limit_too_short_for_three_launches_each_leaves_some_to_resume(self):
        session = [{"sleep": 0.5}, "normal"]
        report = self.run_tiny(*self.options, "--time-limit", "1s", code=5, session=session)
        told = r"the time limit of 1.00 s is over; \d launch(es were| was) left out: a longer "
        self.assertRegex(self.said.err, told)
        self.assertIn("to continue: mpsbench run --resume out.json", self.said.err)
        self.assertEqual(report["run"]["status"], "partial")
        self.validate("out.json")
        self.expect(5, "run", "--resume", "out.json", "--time-limit", "1us")
        self.assertEqual(self.launches(self.report()), self.launches(report))
        self.expect(0, "run", "--resume", "out.json")
        # On a busy machine, the first launches are disturbed and repeated.
        self.assertGreaterEqual(min(self.launches(self.report()).values()), 3)
        self.assertEqual(self.report()["run"]["planned_within_seconds"], 1)
        self.expect_planned(self.report())
