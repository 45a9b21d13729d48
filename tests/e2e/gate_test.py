"""`run --baseline`, `run --versus`, `calibrate` and resumed gates, with workers whose times are chosen here."""

import json
import re
import signal
import sys
import unittest

from support import FAKE_WORKER, FrontTest, normal

STEADY = (1.0, 1.002, 0.998, 1.001, 0.999)
UNSTEADY = (1.0, 1.03, 0.97, 1.02, 0.98, 1.01, 0.99, 1.035, 0.965, 1.0)
CASE = "tiny/train/cpu/b4"
ONE_CASE = ("-m", "tiny.json", "--mode", "train", "-b", "4", "--no-progress")


def session(counter, factors, of=1.0):
    """A script for the fake worker: a step of launch k takes OF * FACTORS[k] ms. FACTORS repeats."""
    rules = [
        {"launch": launch, "actions": normal(step_seconds=of * factors[(launch - 1) % len(factors)] * 1e-3, spread=0)}
        for launch in range(1, 400)
    ]
    return {"counter": str(counter), "rules": rules}


class GateTest(FrontTest):
    baselines = {}

    def setUp(self):
        super().setUp()
        self.number = 0
        self.env["XDG_CACHE_HOME"] = str(self.folder / "cache")

    def play(self, factors, of=1.0):
        self.number += 1
        return session(self.folder / f"starts-{self.number}", factors, of)

    def measure(self, *arguments, factors=STEADY, of=1.0, code=0, command="run", report="new.json"):
        script = self.write(f"session-{self.number}.json", self.play(factors, of))
        self.env["MPSBENCH_FAKE_SESSION"] = str(script)
        return self.expect(code, command, *ONE_CASE, "--export-json", report, *arguments)

    def launches(self, report="new.json"):
        """Without those that other programs disturbed, which are repeated."""
        (case,) = self.report(report)["cases"]
        return sum(not one["disturbed"] for one in case["launches"])

    def baseline(self, factors=STEADY, repeats=5):
        """The option of a gate. All tests of a file have the same baselines."""
        if (factors, repeats) not in self.baselines:
            self.measure("-r", str(repeats), factors=factors, report="old.json")
            self.baselines[factors, repeats] = self.text("old.json")
        self.write("old.json", self.baselines[factors, repeats])
        return ("--baseline", "old.json")


class Baseline(GateTest):
    def test_slower_fails_only_when_asked(self):
        old = self.baseline()
        said = self.measure(*old, of=1.1)
        self.assertRegex(said.out, rf"{CASE} +1\.00 ms.* \+10\.0 % .* slower\n")
        self.assertIn("1 case of 1 is slower by more than 2 %", said.out)
        self.assertNotIn("--versus", said.err)  # a judged gate needs no turns
        self.assertEqual(self.launches(), 5)
        self.measure(*old, "--fail-on-regression", of=1.1, code=1)
        self.measure(*old, "--fail-on-regression", of=0.9)
        self.measure(*old, "--fail-on-regression", "--threshold", "15%", of=1.1)
        self.validate("new.json")

    def test_a_small_baseline_is_not_made_up_for_without_end(self):
        said = self.measure(*self.baseline(UNSTEADY, 4), factors=UNSTEADY)
        self.assertEqual(self.launches(), 16)
        self.assertRegex(said.out, r"; run both again with --repeats \d+\n")
        turns = "--no-progress --versus OLD/mpsbench-worker\n"
        for told in (said, self.expect(0, "compare", "old.json", "new.json")):
            self.assertRegex(told.err, rf"1 comparison is undecided; on a busy machine, turns .* run -m .*{turns}")
        merged = self.report("new.json")
        merged["run"]["argv"] = ["mpsbench", "merge", "a.json", "b.json"]
        self.write("merged.json", merged)
        self.assertNotIn("--versus", self.expect(0, "compare", "old.json", "merged.json").err)

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


class Recorded(GateTest):
    def purpose(self, report="new.json"):
        self.validate(report)
        return self.report(report)["run"]["purpose"]

    def test_several_runs_joined_have_a_purpose_only_if_they_are_plain(self):
        for name in ("a.json", "b.json"):
            self.measure("-r", "2", report=name)
        self.measure(*self.baseline(), report="gated.json")
        self.expect(0, "merge", "a.json", "b.json", "-o", "plain.json")
        self.assertEqual(self.purpose("plain.json"), "plain")
        for files in (("a.json", "gated.json"), ("gated.json", "b.json")):
            self.expect(0, "merge", *files, "-o", "mixed.json")
            self.assertIsNone(self.purpose("mixed.json"))
            self.assertIsNone(self.report("mixed.json")["run"]["gate"])


class Resumed(GateTest):
    def interrupt(self, *arguments, launch, factors=STEADY, of=1.0, command="run", number=signal.SIGINT):
        """Starts a run and sends it a signal in this launch, which leaves an incomplete `new.json`."""
        mark = self.folder / "mark"
        mark.unlink(missing_ok=True)
        self.number += 1
        script = session(self.folder / f"interrupted-{self.number}", factors, of)
        hang = ["hello", {"write_file": {"path": str(mark), "text": "here"}}, "hang"]
        script["rules"].insert(0, {"launch": launch, "actions": hang})
        file = self.write("interrupted.json", script)
        self.env["MPSBENCH_FAKE_SESSION"] = str(file)
        process = self.start(command, *ONE_CASE, "--export-json", "new.json", *arguments)
        self.await_file(mark)
        process.send_signal(number)
        return self.finish(process)

    def resume(self, code, file="new.json", factors=STEADY, of=1.0):
        self.number += 1
        self.env["MPSBENCH_FAKE_SESSION"] = str(self.write("resumed.json", self.play(factors, of)))
        said = self.expect(code, "run", "--resume", file, "--no-progress")
        self.validate("new.json")
        return said

    def test_a_gate_compares_and_ends_as_it_would_have(self):
        old = self.baseline()
        for flags, of, code, word in (
            (("--fail-on-regression",), 1.1, 1, "slower"),
            ((), 1.1, 0, "slower"),
            (("--fail-on-regression",), 0.9, 0, "faster"),
            (("--fail-on-regression", "--threshold", "15%"), 1.1, 0, "same"),
        ):
            with self.subTest(flags=flags, of=of):
                said = self.interrupt(*old, *flags, launch=3, of=of)
                self.assertEqual(said.code, 130, said)
                self.assertIn("--resume new.json", said.err)
                self.assertNotIn(word, said.out)
                said = self.resume(code, of=of)
                self.assertRegex(said.out, rf"tiny/train/cpu/b4 .* {word}")
                self.assertIn("; purpose: baseline (the run is compared with an earlier report)", said.err)
                self.assertEqual(self.launches(), 5)

    def test_a_gate_goes_on_from_its_journal(self):
        old = self.baseline()
        self.interrupt(*old, "--fail-on-regression", launch=3, of=1.1, number=signal.SIGKILL)
        self.assertIn(" slower\n", self.resume(1, "new.jsonl", of=1.1).out)

    def test_a_gate_that_has_ended_judges_again(self):
        self.measure(*self.baseline(), "--fail-on-regression", of=1.1, code=1)
        self.assertIn(" slower\n", self.resume(1).out)
        self.assertEqual(self.launches(), 5)
