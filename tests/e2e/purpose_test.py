"""A report says for what purpose its run was made. `--resume` continues a gate or a calibration as it was started."""

import hashlib
import re
import signal

from gates import ONE_CASE, STEADY, UNSTEADY, GateTest, session
from support import FAKE_WORKER


class Recorded(GateTest):
    def purpose(self, report="new.json"):
        self.validate(report)
        return self.report(report)["run"]["purpose"]

    def test_of_each_of_the_five(self):
        self.measure("-r", "2")
        self.assertEqual(self.purpose(), "plain")
        self.assertIsNone(self.report("new.json")["run"]["gate"])
        self.measure("-r", "2", command="calibrate", report="calibrated.json")
        self.assertEqual(self.purpose("calibrated.json"), "calibrate")
        self.measure(*self.baseline(), report="gated.json")
        self.assertEqual(self.purpose("gated.json"), "baseline")
        self.measure("--versus", FAKE_WORKER, "-r", "2", "--budget", "0", report="v.json")
        self.assertEqual([self.purpose(name) for name in ("v.json", "v-versus.json")], ["versus", "versus"])
        largest = ("run", "-m", "tiny.json", "--mode", "train", "-b", "max", "-r", "1", "--export-json", "max.json")
        fits = {"rules": [{"actions": [{"fits": 6}]}]}
        self.expect(0, *largest, session=fits)
        self.assertEqual(self.purpose("max.json"), "search")

    def test_a_gate_with_the_largest_batch_is_a_gate(self):
        options = ("-m", "tiny.json", "--mode", "train", "-b", "max", "-r", "2", "--no-progress", "--export-json")
        fits = {"rules": [{"actions": [{"fits": 6}]}]}
        self.expect(0, "run", *options, "old.json", session=fits)
        self.expect(0, "run", *options, "new.json", "--baseline", "old.json", session=fits)
        self.assertEqual(self.purpose(), "baseline")

    def test_what_a_gate_judges_by(self):
        old = self.baseline()
        self.measure(*old, "--alpha", "2%", "--budget", "5m", "--fail-on-undecided")
        sha256 = hashlib.sha256((self.work / "old.json").read_bytes()).hexdigest()
        self.assertEqual(
            self.report("new.json")["run"]["gate"],
            {
                "baseline": {"path": str(self.work / "old.json"), "sha256": sha256},
                "alpha": 0.02,
                "budget_seconds": 300,
                "fail_on_regression": False,
                "fail_on_undecided": True,
                "force": False,
                "is_extended": True,
            },
        )

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

    def test_a_gate_takes_the_launches_that_it_needs(self):
        old = self.baseline(UNSTEADY, 40)
        self.interrupt(*old, launch=3, factors=UNSTEADY)
        self.assertFalse(self.report("new.json")["run"]["gate"]["is_extended"])
        said = self.resume(0, factors=UNSTEADY)
        self.assertIn("1 case needs more launches for a verdict", said.err)
        self.assertGreater(self.launches(), 5)

    def test_a_gate_looks_once(self):
        old = self.baseline(UNSTEADY, 40)
        self.interrupt(*old, launch=7, factors=UNSTEADY)
        run = self.report("new.json")["run"]
        self.assertTrue(run["gate"]["is_extended"])
        self.assertGreater(run["planned"][0]["repeats"], 7)
        said = self.resume(0, factors=STEADY, of=3)
        self.assertNotIn("more launches for a verdict", said.err)
        self.assertEqual(self.launches(), run["planned"][0]["repeats"])

    def test_a_gate_that_has_ended_judges_again(self):
        self.measure(*self.baseline(), "--fail-on-regression", of=1.1, code=1)
        self.assertIn(" slower\n", self.resume(1).out)
        self.assertEqual(self.launches(), 5)

    def test_the_baseline_is_that_of_before(self):
        old = self.baseline()
        self.interrupt(*old, launch=3)
        kept = (self.work / "old.json").read_text(encoding="utf-8")
        self.write("old.json", kept + " ")
        said = self.resume(4)
        self.assertIn("old.json has changed since the run started", said.err)
        self.assertNotIn(" same\n", said.out)
        self.assertEqual(self.launches(), 5)  # all launches are kept, although there is no verdict
        (self.work / "old.json").unlink()
        self.assertIn("old.json no longer exists", self.resume(4).err)
        self.write("old.json", kept)
        self.assertIn(" same\n", self.resume(0).out)

    def test_a_calibration_records_the_spread_at_its_end(self):
        drifting = [1 + 0.02 * (launch // 3 % 2) for launch in range(30)]
        said = self.interrupt("-r", "3", launch=5, factors=drifting, command="calibrate")
        self.assertEqual(said.code, 130, said)
        self.assertIn("--resume new.json", said.err)
        self.assertFalse((self.folder / "cache/mpsbench").exists())
        said = self.resume(0, factors=drifting[4:] + drifting[:4])
        self.assertRegex(said.out, r"two equal runs differ by up to")
        spread = float(re.search(r"±([\d.]+) %\n", said.out)[1])
        self.assertTrue(4 < spread < 6, spread)
        self.assertEqual(self.launches(), 30)
        self.assertEqual(len(list((self.folder / "cache/mpsbench").glob("spread-*.json"))), 1)
