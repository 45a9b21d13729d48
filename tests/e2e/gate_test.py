"""`run --baseline`, `run --versus` and `calibrate` with workers whose times are chosen here."""

import json
import re
import sys
import unittest

from gates import CASE, ONE_CASE, STEADY, UNSTEADY, GateTest, session
from support import FAKE_WORKER


class Baseline(GateTest):
    def test_slower_fails_only_when_asked(self):
        old = self.baseline()
        said = self.measure(*old, of=1.1)
        self.assertRegex(said.out, rf"{CASE} +1\.00 ms.* \+10\.0 % .* slower\n")
        self.assertIn("1 case of 1 is slower by more than 2 %", said.out)
        self.assertEqual(self.launches(), 5)
        self.measure(*old, "--fail-on-regression", of=1.1, code=1)
        self.measure(*old, "--fail-on-regression", of=0.9)
        self.measure(*old, "--fail-on-regression", "--threshold", "15%", of=1.1)
        self.validate("new.json")

    def test_takes_as_many_launches_as_the_spread_asks_for(self):
        old = self.baseline(UNSTEADY, 40)
        said = self.measure(*old, factors=UNSTEADY)
        self.assertIn("1 case needs more launches for a verdict", said.err)
        self.assertGreater(self.launches(), 5)
        self.assertLess(self.launches(), 200)
        taken = [one["repeats"] for one in self.report("new.json")["run"]["planned"]]
        self.assertEqual(taken, [self.launches()])
        self.assertEqual(self.report("new.json")["run"]["status"], "complete")
        self.assertNotIn("slower\n", said.out)

    def test_a_baseline_of_other_threads_is_compared_with_a_note(self):
        old = self.baseline()
        said = self.measure(*old, "--threads", "1", "--affinity", "0")
        self.assertRegex(said.out, r"tiny/\S+\+affinity=0\S* .* same\n")
        self.assertIn("note: affinity not set before, 0 after: ", said.out)

    def test_judges_the_metrics_that_it_is_asked_for(self):
        old = self.baseline()
        report = self.report("old.json")
        for launch in report["cases"][0]["launches"]:
            launch["peak_resident_bytes"] = launch["peak_resident_bytes"] * 4 // 5
        self.write("old.json", report)
        self.measure(*old, "--fail-on-regression")
        said = self.measure(*old, "--gate-on", "step,peak-memory=3%", "--fail-on-regression", code=1, report="b.json")
        self.assertRegex(said.out, rf"{CASE} +step .* same\n")
        self.assertRegex(said.out, rf"{CASE} +peak-memory .* larger\n")
        self.validate("b.json")
        again = json.loads(self.expect(0, "compare", "old.json", "b.json", "-f", "json").out)
        self.assertEqual([case["metric"] for case in again["cases"]], ["step", "peak-memory"])
        self.assertEqual([case["threshold"] for case in again["cases"]], [0.02, 0.03])

    def test_what_launches_are_taken_does_not_hang_on_the_change(self):
        old = self.baseline(UNSTEADY, 40)
        taken = set()
        for of in (1, 1.5):
            self.measure(*old, factors=UNSTEADY, of=of)
            taken.add(self.launches())
        self.assertEqual(len(taken), 1)

    def test_the_budget_and_repeats_bound_it(self):
        old = self.baseline(UNSTEADY, 40)
        self.measure(*old, "--budget", "0", factors=UNSTEADY)
        self.assertEqual(self.launches(), 5)
        three = ("--fail-on-undecided", "--budget", "0", "-r", "3")
        self.measure(*old, *three, factors=UNSTEADY, code=1, report="three.json")
        self.assertEqual(self.launches("three.json"), 3)

    def test_a_small_baseline_is_not_made_up_for_without_end(self):
        said = self.measure(*self.baseline(UNSTEADY, 4), factors=UNSTEADY)
        self.assertEqual(self.launches(), 16)
        self.assertRegex(said.out, r"; run both again with --repeats \d+\n")
        turns = "--no-progress --versus OLD/mpsbench-worker\n"
        self.assertRegex(said.err, rf"1 comparison is undecided; on a busy machine, turns .* mpsbench run -m .*{turns}")

    def test_a_gate_that_judged_advises_no_turns(self):
        self.assertNotIn("--versus", self.measure(*self.baseline()).err)

    def test_stdout_stays_data(self):
        old = self.baseline()
        said = self.measure(*old, "-f", "json", of=1.1)
        self.assertEqual(json.loads(said.out)["cases"][0]["status"], "ok")
        self.assertIn("1 case of 1 is slower", said.err)
        said = self.measure(*old, "-f", "md", of=1.1)
        self.assertIn("| slower |", said.out)

    def test_a_suite_says_what_matters_of_each_case(self):
        suite = {"name": "s", "mode": "train", "model": "tiny.json", "repeats": 5, "fail-on-regression": True}
        suite["matrices"] = [{"batch-size": 4, "threshold": "15%"}, {"batch-size": 8}]
        self.write("s.json", suite)
        words = ("s.json", "--no-progress", "--export-json")
        self.expect(0, "run", *words, "old.json", session=self.play(STEADY))
        said = self.expect(1, "run", *words, "new.json", "--baseline", "old.json", session=self.play(STEADY, 1.1))
        self.assertRegex(said.out, r"b4 .* undecided|b4 .* same")
        self.assertRegex(said.out, r"b8 .* slower")
        self.assertIn("1 case of 2 is slower by more than their thresholds: tiny/train/cpu/b8.", said.out)
        again = json.loads(self.expect(0, "compare", "old.json", "new.json", "-f", "json").out)
        self.assertEqual([case["threshold"] for case in again["cases"]], [0.15, 0.02])
        again = json.loads(self.expect(0, "compare", "old.json", "new.json", "-f", "json", "--threshold=1%").out)
        self.assertEqual([case["verdict"] for case in again["cases"]], ["slower", "slower"])

    def test_a_suites_few_repeats_are_raised_and_launches_last_as_long_as_the_baselines(self):
        suite = {"name": "s", "mode": "train", "model": "tiny.json", "repeats": 2, "matrices": [{"batch-size": 4}]}
        self.write("s.json", suite)
        words = ("run", "s.json", "--no-progress", "--export-json")
        self.expect(0, *words, "old.json", "-r", "8", "--max-time", "16s", session=self.play(STEADY))
        self.expect(0, *words, "new.json", "--baseline", "old.json", session=self.play(STEADY))
        self.assertEqual(self.launches(), 5)
        (planned,) = self.report("new.json")["run"]["planned"]
        self.assertEqual(planned["measure"]["max_time_seconds"], 2)

    @unittest.skipUnless(sys.platform == "linux", "NVML is on Linux")
    def test_gpu_clocks_that_compare_refuses_are_refused(self):
        library = FAKE_WORKER.parents[1] / "tests" / "fake_nvml" / "libfake-nvml.so"
        (self.folder / "nvml").mkdir()
        (self.folder / "nvml" / "libnvidia-ml.so.1").symlink_to(library.resolve(strict=True))
        self.env["LD_LIBRARY_PATH"] = str(self.folder / "nvml")
        gpu = ["hello", {"gpu": "0000:3B:00.0"}, {"phase": "warmup"}, {"phase": "measure"}, "result"]
        words = ("run", *ONE_CASE, "-r", "5", "--export-json")
        self.env["FAKE_NVML"] = "clock=1500 slowdowns=0"
        self.expect(0, *words, "old.json", session=gpu)
        self.expect(0, *words, "same.json", "--baseline", "old.json", session=gpu)
        self.env["FAKE_NVML"] = "clock=1500 slowdowns=2"
        unlike = "GPU clocks automatic before, set by hand after"
        said = self.expect(4, *words, "new.json", "--baseline", "old.json", session=gpu)
        self.assertIn(unlike, said.err)
        self.assertIn(unlike, self.expect(4, "compare", "old.json", "new.json").err)
        said = self.expect(0, *words, "forced.json", "--baseline", "old.json", "--force", session=gpu)
        self.assertIn(f"note: {unlike}", said.out)

    def test_cases_that_this_run_leaves_out_are_no_matter(self):
        words = ("run", "-m", "tiny.json", "-b", "4,8", "--no-progress", "-r", "5", "--export-json")
        self.expect(0, *words, "old.json", session=self.play(STEADY))
        filtered = ("new.json", "--filter", "/b4/", "--mode", "train", "--baseline", "old.json", "--fail-on-undecided")
        said = self.expect(0, *words, *filtered, session=self.play(STEADY))
        self.assertIn("No case of 1 is slower", said.out)

    def test_launches_that_fail_are_not_unlike_work(self):
        old = self.baseline()
        crash = ["hello", {"signal": "KILL"}]
        self.env.pop("MPSBENCH_FAKE_SESSION", None)
        said = self.expect(5, "run", *ONE_CASE, *old, "--export-json", "new.json", session=crash)
        self.assertIn("No case of 1 could be judged.", said.out)

    def test_what_cannot_be_compared_is_told_before_anything_runs(self):
        old = self.baseline()
        run = ("run", *ONE_CASE, "--export-json", "x.json")
        self.expect_refused(*run, *old, "--classes", "7", code=4, says=["none of this run's cases", "+classes=7"])
        self.expect_refused(*run, "--baseline", "none.json", says=["none.json"])
        self.expect_refused(*run, "--baseline", "tiny.json", says=["tiny.json"])
        says = ["--baseline: old.json", "(other)", "--force"]
        self.expect_refused(*run, *old, "--host-name", "other", code=4, says=says)
        self.measure(*old, "--host-name", "other", "--force", report="forced.json")
        for option in ("--fail-on-regression", "--fail-on-undecided", "--alpha=5%", "--budget=1m", "--force"):
            self.expect_refused(*run, option, says=[option.split("=")[0], "--baseline"])
        self.expect_refused(*run, *old, "--versus", str(FAKE_WORKER), says=["--versus", "--baseline"])
        self.expect_refused("run", "--resume", "old.json", *old, says=["--baseline", "--resume"])
        self.expect_refused("run", *ONE_CASE, *old, "--export-json", "./old.json", says=["--export-json", "--baseline"])
        other = self.report("old.json")
        other["host"]["cpu"]["model"] = "another"
        self.write("elsewhere.json", other)
        self.expect_refused(*run, "--baseline", "elsewhere.json", code=4, says=["not from this machine"])


class Versus(GateTest):
    def worker(self, script, name="other-worker", mark=""):
        """Makes a worker with the times of SCRIPT. It appends MARK to the file `order` at each start."""
        note = f"printf {mark} >> {self.folder}/order\n" if mark else ""
        path = self.write(name, f"#!/bin/sh\n{note}MPSBENCH_FAKE_SESSION={script} exec {FAKE_WORKER}\n")
        path.chmod(0o755)
        return ("--versus", f"./{name}")

    def test_two_workers_take_turns(self):
        scripts = [self.write(f"{name}.json", session(self.folder / name, STEADY)) for name in ("mine", "other")]
        self.worker(scripts[0], "my-worker", "a")
        self.env["MPSBENCH_WORKER"] = str(self.work / "my-worker")
        words = (*ONE_CASE, *self.worker(scripts[1], mark="b"), "-r", "4", "--budget", "0")
        said = self.expect(0, "run", *words, "--export-json", "v.json")
        self.assertEqual((self.launches("v.json"), self.launches("v-versus.json")), (4, 4))
        self.validate("v.json", "v-versus.json")
        self.assertNotEqual(*(self.report(name)["run"]["id"] for name in ("v.json", "v-versus.json")))
        self.assertEqual(said.out.count("report  "), 2)
        self.assertEqual(self.report("v-versus.json")["tool"]["compiler"], "a fake worker's")
        self.assertNotEqual(self.report("v.json")["tool"]["compiler"], "a fake worker's")
        order = (self.folder / "order").read_text()
        self.assertEqual(order[-8:], "abbaabba")  # the starts before these were probes

    def test_the_other_worker_stands_before(self):
        script = self.write("slow.json", session(self.folder / "slow", STEADY, 1.1))
        said = self.measure(*self.worker(script), "--fail-on-regression")
        self.assertRegex(said.out, rf"{CASE} +1\.10 ms.* −9\.1 % .* faster\n")
        script = self.write("fast.json", session(self.folder / "fast", STEADY, 0.9))
        self.measure(*self.worker(script), "--fail-on-regression", code=1, report="slower.json")

    def test_both_sides_get_more_launches(self):
        script = self.write("other.json", session(self.folder / "other", UNSTEADY[::-1]))
        self.measure(*self.worker(script), factors=UNSTEADY)
        self.assertGreater(self.launches(), 5)
        self.assertEqual(self.launches(), self.launches("new-versus.json"))

    def test_what_slows_down_both_is_no_noise(self):
        script = self.write("same.json", session(self.folder / "same", UNSTEADY))
        said = self.measure(*self.worker(script), factors=UNSTEADY)
        self.assertEqual(self.launches(), 5)
        self.assertIn("No case of 1 is slower", said.out)

    def test_what_is_no_worker_is_refused(self):
        run = ("run", *ONE_CASE, "--export-json", "x.json")
        for wrong in ("none", "tiny.json", ".", "/bin/true"):
            self.expect_refused(*run, "--versus", wrong, says=["--versus", "mpsbench-worker"])
        dump = ("--dump-first-step", "d.safetensors")
        self.expect_refused(*run, "--versus", str(FAKE_WORKER), *dump, says=["--dump-first-step", "--versus"])

    def test_an_interrupted_one_is_not_gone_on_with_by_another_worker(self):
        words = ("run", *ONE_CASE, "-r", "2", "--versus", str(FAKE_WORKER), "--export-json", "v.json")
        begun = self.folder / "begun"
        hang = {"counter": str(begun), "rules": [{"case": "/b4/", "actions": ["hello", "hang"]}]}
        process = self.start(*words, session=hang)
        self.await_file(begun)  # now a launch is running, and the front handles signals
        said = self.interrupt(process)
        self.assertNotIn("--resume", said.err)
        for name in ("v.json", "v-versus.json"):
            self.expect_refused("run", "--resume", name, says=["took turns with another worker"])

    def test_under_a_name_of_our_choice(self):
        words = ("run", *ONE_CASE, "--versus", str(FAKE_WORKER), "-r", "2", "--budget", "0", "--host-name", "h")
        self.expect(0, *words)
        names = sorted(path.name for path in (self.work / "results").iterdir())
        self.assertRegex(" ".join(names), r"^h-[\dT-]+-adhoc-versus\.json h-[\dT-]+-adhoc\.json$")


class Calibrate(GateTest):
    def spread(self, said):
        return float(re.search(r"±([\d.]+) %\n", said.out)[1])

    def test_records_what_equal_runs_differ_by(self):
        drifting = [1 + 0.02 * (launch // 3 % 2) for launch in range(30)]  # every other group of three is slower
        said = self.measure("-r", "3", factors=drifting, command="calibrate")
        self.assertEqual(self.launches(), 30)
        self.assertIn("two equal runs differ by up to", said.out)
        spread = self.spread(said)
        self.assertTrue(4 < spread < 6, spread)  # Student's t (9 degrees of freedom, 99 %) * sqrt(2) * 1.05 %
        old = self.baseline()
        near = ("--fail-on-regression", "--budget", "0")
        said = self.measure(*old, *near, of=1 + 0.8 * spread / 100, report="near.json")
        self.assertRegex(said.out, r"undecided \(two equal runs differ by up to [\d.]+ % here\)")
        self.measure(*old, "--fail-on-regression", "--budget", "0", of=1.1, code=1, report="far.json")
        for other in ("near.json", "far.json"):
            (case,) = json.loads(self.expect(0, "compare", "old.json", other, "-f", "json").out)["cases"]
            self.assertAlmostEqual(case["machine_spread"] * 100, spread, delta=0.1 * spread)

    def test_without_it_the_same_change_is_called(self):
        self.measure(*self.baseline(), "--fail-on-regression", "--budget", "0", of=1.025, code=1)

    def test_of_another_case_it_says_nothing(self):
        self.measure("-r", "2", command="calibrate", factors=UNSTEADY)
        old = self.baseline()
        self.measure(*old, "--classes", "7", code=4, report="x.json")
        kept = list((self.folder / "cache/mpsbench").glob("spread-*.json"))
        self.assertEqual(len(kept), 1)
        kept[0].write_text("{}", encoding="utf-8")
        said = self.measure(*old, of=1.1)
        self.assertIn("mpsbench ignores this file", said.err)

    def test_needs_launches_and_nothing_to_compare_with(self):
        run = ("calibrate", *ONE_CASE, "--export-json", "x.json")
        self.expect_refused(*run, "-r", "1", says=["--repeats 2 or more"])
        self.expect_refused(*run, "--baseline", "x.json", says=["--baseline"])
        self.expect_refused(*run, "--versus", str(FAKE_WORKER), says=["--versus"])
        self.expect_refused(*run, "--alpha", "2%", says=["--alpha", "leave it out"])
        self.expect_refused("calibrate", says=["name a suite or --model"])
        shown = self.expect(0, "calibrate", "--help").out
        self.assertIn("--repeats", shown)
        self.assertNotIn("--versus", shown)
        self.assertIn("20 launches", self.expect(0, "calibrate", *ONE_CASE, "-r", "2", "--dry-run").out)

    def test_failed_launches_leave_nothing_to_record(self):
        crash = ["hello", {"signal": "KILL"}]
        self.expect(5, "calibrate", *ONE_CASE, "-r", "2", session=crash)
        self.assertFalse((self.folder / "cache/mpsbench").exists())
