"""`mpsbench compare` on reports with chosen times, as a user calls it. tests/report and tests/cli show the rest."""

import copy
import json

from support import FrontTest, another

STEADY = (1.0, 1.002, 0.998, 1.001, 0.999)


class CompareTest(FrontTest):
    def setUp(self):
        super().setUp()
        self.base = self.run_tiny("--mode", "train,infer", "-b", "4,8", "-r", "5")
        self.ids = self.base["run"]["plan"]

    def make(self, name, factors=STEADY, cases=None, change=None):
        """Writes the report of another run. FACTORS are the times of the launches in ms. CASES has other times
        for some cases, by the beginning of their ids.
        """
        report = another(self.base, name)
        for case in report["cases"]:
            chosen = next((own for start, own in (cases or {}).items() if case["id"].startswith(start)), factors)
            case["launches"] = case["launches"][: len(chosen)]
            for launch, factor in zip(case["launches"], chosen, strict=True):
                launch["samples_seconds"] = [factor * 1e-3] * 10
            case["flags"] = []
        if change:
            change(report)
        self.write(name, report)
        return name

    def compare(self, *arguments, code=0):
        return self.expect(code, "compare", *arguments)

    def as_json(self, *arguments, code=0):
        return json.loads(self.compare(*arguments, "-f", "json", code=code).out)

    def verdicts(self, *arguments, code=0):
        return {case["id"]: case["verdict"] for case in self.as_json(*arguments, code=code)["cases"]}


def times(factor, launches=STEADY):
    return [factor * one for one in launches]


class Verdicts(CompareTest):
    def test_slower_is_called_and_fails_only_when_asked(self):
        old = self.make("old.json")
        new = self.make("new.json", cases={"tiny/train/cpu/b8": times(1.1)})
        said = self.compare(old, new)
        self.assertRegex(said.out, r"tiny/train/cpu/b8 +1\.00 ms.* \+10\.0 % +\+9\.7 … \+10\.3  slower")
        self.assertIn("geometric mean", said.out)
        self.assertRegex(said.out, r"^before: old\.json, 20\d\d-\d\d-\d\d.*; after: new\.json, 20\d\d-\d\d-\d\d")
        self.assertIn("1 case of 4 is slower by more than 2 %: tiny/train/cpu/b8.", said.out)
        self.assertEqual(said.err, "")
        self.compare(old, new, "--fail-on-regression", code=1)
        self.compare(old, new, "--fail-on-regression", "--threshold", "15%")
        self.compare(new, old, "--fail-on-regression")
        self.assertIn("1 case of 4 is faster", self.compare(new, old).out)


class Unpaired(CompareTest):
    def test_nothing_in_common(self):
        def change(report):
            for case in report["cases"]:
                case["id"] = "another/" + case["id"]

        said = self.compare(self.make("old.json"), self.make("new.json", change=change), code=4).out
        self.assertIn("note: no case is in both reports. The nearest are another/tiny/", said)
        self.assertIn("To share one: mpsbench run -m tiny --mode ", said)


class NewerVersion(CompareTest):
    RUN_LEVELS = ((), ("planned", 0), ("planned", 0, "measure"))
    CASE_LEVELS = ((), ("spec",), ("metrics",), ("metrics", "step_seconds"), ("launches", 1))

    def with_key(self, report, levels):
        for level in levels:
            place = report
            for step in level:
                place = place[step]
            place["future"] = {"x": [1, None]}

    def test_unknown_keys_are_ignored_with_one_line(self):
        levels = [(), ("tool",), ("host",), ("host", "cpu"), *(("run", *level) for level in self.RUN_LEVELS)]
        levels += [("cases", 0, *level) for level in self.CASE_LEVELS]
        old = self.make("old.json")
        new = self.make("new.json", change=lambda report: self.with_key(report, levels))
        for command in (("compare", old, new), ("export", new, "-f", "csv")):
            said = self.expect(0, *command).err
            self.assertEqual(said.count("new.json is of a newer version of mpsbench: "), 1, (command, said))
        self.assertIn(".future", said)
        self.assertEqual(set(self.verdicts(old, new).values()), {"same"})

    def test_validate_warns_but_still_refuses_wrong_and_missing_values(self):
        self.write("new.json", self.base | {"future": 1})
        said = self.expect(0, "validate", "new.json")
        self.assertIn("new.json: ok", said.out)
        self.assertIn("new.json is of a newer version of mpsbench: the key $.future is ignored", said.err)
        self.write("wrong.json", self.base | {"host": 3})
        self.expect_refused("validate", "wrong.json", says=["$.host"])
        missing = copy.deepcopy(self.base)
        del missing["cases"][0]["status"]
        self.write("missing.json", missing)
        self.write("plain.json", self.base)
        for command in (("validate", "missing.json"), ("compare", "missing.json", "plain.json")):
            self.expect_refused(*command, says=["$.cases[0]", "status"])


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
        self.assertIn("The energy of no case of 4 could be judged.", said.out)
        self.compare(old, new, "--gate-on", "step,energy", "--fail-on-undecided", code=1)
        self.compare(old, new, "--gate-on", "energy", code=4)
