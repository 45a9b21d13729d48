"""`mpsbench compare` on reports with chosen times: verdicts, exit codes, what is refused, and both views."""

import copy
import csv
import io

from comparisons import UNSTEADY, CompareTest, times


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

    def test_same(self):
        old, new = self.make("old.json"), self.make("new.json", times(1.001))
        self.assertEqual(set(self.verdicts(old, new).values()), {"same"})
        self.compare(old, new, "--fail-on-regression", "--fail-on-undecided")
        self.assertIn("No case of 4 is slower by more than 2 %.", self.compare(old, new).out)

    def test_undecided_says_how_many_launches(self):
        old, new = self.make("old.json", UNSTEADY), self.make("new.json", times(1.05, UNSTEADY))
        said = self.compare(old, new, "--fail-on-regression")
        self.assertRegex(said.out, r"undecided \(about \d+ more launches each\)")
        stands = r"could be slower or faster by more than 2 %|perhaps slower, perhaps the same"
        cure = r"run both again with --repeats \d+"
        for name in ("train/cpu/b4", "train/cpu/b8", "infer/cpu/b4", "infer/cpu/b8"):
            line = rf"(?m)^- tiny/{name}: \+5\.0 %, .* … .*: ({stands}); {cure}$"
            self.assertRegex(said.out, line)
        self.assertIn("4 cases are undecided:\n", said.out)
        self.compare(old, new, "--fail-on-undecided", code=1)
        fewer = self.as_json(old, new, "--threshold", "10%")["cases"][0]["launches_needed"]
        self.assertLess(fewer or 0, self.as_json(old, new)["cases"][0]["launches_needed"])

    def test_a_single_launch_decides_nothing(self):
        old, new = self.make("old.json", [1]), self.make("new.json", [2])
        self.assertEqual(set(self.verdicts(old, new).values()), {"undecided"})
        self.assertIn("undecided (about 4 more launches each)", self.compare(old, new).out)


class Unpaired(CompareTest):
    def test_cases_that_cannot_be_compared_get_a_line(self):
        def change(report):
            first, second, third, fourth = report["cases"]
            first |= {"status": "oom", "failure": {"kind": "oom", "message": "out of memory", "detail": ""}}
            first["launches"] = []
            second["flags"] = ["diverged"]
            fourth["id"] = fourth["id"].replace("/b8/", "/b16/")

        old, new = self.make("old.json"), self.make("new.json", change=change)
        said = self.compare(old, new, "--fail-on-regression")
        for words in ("oom after", "diverged after", "only before", "only after"):
            self.assertIn(f"not compared ({words})", said.out)
        self.assertIn("4 cases are not compared: ", said.out)
        self.compare(old, new, "--fail-on-undecided", code=1)

    def test_nothing_in_common(self):
        def change(report):
            for case in report["cases"]:
                case["id"] = "another/" + case["id"]

        said = self.compare(self.make("old.json"), self.make("new.json", change=change), code=4).out
        self.assertIn("note: no case is in both reports. The nearest are another/tiny/", said)
        self.assertIn("To share one: mpsbench run -m tiny --mode ", said)


class Refused(CompareTest):
    def expect_not_comparable(self, change, *says):
        old, new = self.make("old.json"), self.make("new.json", change=change)
        self.expect_refused("compare", old, new, code=4, says=[*says, "--force"])
        self.assertIn("note: ", self.compare(old, new, "--force").out)

    def test_unlike_work(self):
        def other_network(report):
            report["cases"][0]["definition_sha256"] = "0" * 64

        def other_rows(report):
            report["cases"][1]["spec"]["rows"] = 77

        def governor(report):
            report["host"]["cpu"]["governor"] = "powersave"

        self.base["host"]["cpu"]["governor"] = "performance"
        self.expect_not_comparable(other_network, "definition_sha256", self.ids[0])
        self.expect_not_comparable(other_rows, "rows 1000 before, 77 after", self.ids[1])
        self.expect_not_comparable(governor, "governor performance before, powersave after")

    def test_what_is_only_worth_a_note(self):
        def change(report):
            report["host"]["libtorch"]["version"] = "9.9.9"
            report["host"]["environment"]["OMP_NUM_THREADS"] = "3"
            report["run"]["status"] = "interrupted"
            report["cases"][0]["flags"] = ["noisy"]
            report["cases"][0]["spec"]["threads"] = 63

        old, new = self.make("old.json"), self.make("new.json", change=change)
        said = self.compare(old, new)
        for words in ("9.9.9 after", "OMP_NUM_THREADS 1 before, 3 after", "interrupted", "noisy (1)", "63 after"):
            self.assertIn(words, said.out)
        self.assertEqual(len(self.as_json(old, new)["caveats"]), said.out.count("note: "))

    def test_files(self):
        old = self.make("old.json")
        self.write("copy.json", (self.work / old).read_text())
        self.write("next.json", {"schema_version": 2})
        self.write("torn.json", (self.work / old).read_text()[:-100])
        self.write("run.jsonl", '{"journal_version":1}\n')
        self.expect_refused("compare", old, old, says=["same run"])
        self.expect_refused("compare", old, "copy.json", says=["same run"])
        self.expect_refused("compare", old, "next.json", says=["next.json: $.schema_version"])
        self.expect_refused("compare", old, "torn.json", says=["torn.json: not valid JSON"])
        self.expect_refused("compare", old, "tiny.json", says=["tiny.json: this is a model, not a report"])
        self.expect_refused("run", "-m", old, says=[f"{old}: $: this is a report, not a model", "--resume"])
        self.expect_refused("compare", "run.jsonl", old, says=["run.jsonl", "journal", "--resume"])
        self.expect_refused("compare", old, "none.json", says=["none.json: no such file"])
        self.expect_refused("compare", old, says=["two reports"])

    def test_options(self):
        old, new = self.make("old.json"), self.make("new.json")
        for bad in ("0", "-1%", "fast", "2000%"):
            self.expect_refused("compare", old, new, f"--threshold={bad}", says=["--threshold", bad])
        for bad in ("0", "1", "x"):
            self.expect_refused("compare", old, new, f"--alpha={bad}", says=["--alpha", bad])
        self.expect_refused("compare", old, new, "-f", "jsonl", says=["--format"])


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


class Machines(CompareTest):
    def other_machine(self, report):
        report["host"]["name"] = "epyc-9"

    def test_two_machines_side_by_side(self):
        old, new = self.make("a.json"), self.make("b.json", times(0.5), change=self.other_machine)
        said = self.compare(old, new)
        self.assertRegex(said.out, r"(?m)^B  epyc-9 · .* · b\.json · times are geometric means$")
        self.assertRegex(said.out, r"tiny/train/b4 +1\.00 ms.* +500 µs.*  2\.00× ±[\d.]+ % \*")
        self.assertNotIn("slower", said.out)
        gates = ("--fail-on-regression", "--fail-on-undecided", "--threshold=5%", "--alpha=0.1", "--format=junit")
        for option in gates:
            self.expect_refused("compare", old, new, option, code=4, says=[option.split("=")[0], "epyc-9"])
        self.assertIn("faster", self.compare(old, new, "--fail-on-regression", "--force").out)

    def test_three_reports(self):
        names = [self.make(f"{i}.json", times(i)) for i in (1, 2, 3)]
        cells = self.as_json(*names)["cases"]
        self.assertEqual(len(cells), 12)
        self.assertAlmostEqual(cells[2]["speed"], 1 / 3)
        self.assertEqual([cell["best"] for cell in cells[:3]], [True, False, False])
        self.expect_refused("compare", *names, "--fail-on-regression", code=4, says=["two reports"])

    def test_devices_of_one_report_and_their_crossover(self):
        def add_gpu(report):
            for case in copy.deepcopy(report["cases"]):
                case["id"] = case["id"].replace("/cpu/", "/cuda/")
                case["spec"]["device"] = "cuda"
                factor = {4: 3.0, 8: 0.25}[case["spec"]["batch_size"]]
                for launch in case["launches"]:
                    launch["samples_seconds"] = [factor * one for one in launch["samples_seconds"]]
                report["cases"].append(case)

        name = self.make("one.json", change=add_gpu)
        families = self.as_json(name)["speed_ups"]
        self.assertEqual([family["crossover"] for family in families], [8, 8])
        self.assertAlmostEqual(families[0]["by_batch"][1]["speed_up"], 4)
        told = "tiny/train/fp32/eager/synthetic on A cuda: crossover: 8; at batch 8 it is 4.0 times as fast\n"
        self.assertIn(told, self.compare(name).out)

    def test_cases_pair_whatever_their_threads(self):
        def one_thread(report):
            self.other_machine(report)
            for case in report["cases"]:
                case["id"] += "+threads=1"
                case["spec"]["threads"] = 1

        old, new = self.make("a.json"), self.make("b.json", times(0.5), change=one_thread)
        said = self.compare(old, new).out
        host = self.base["host"]["name"]
        start = f"B (epyc-9) is 2.0 times as fast as A ({host}) in the median of 4 shared cases, "
        self.assertTrue(said.startswith(start), said)
        self.assertRegex(said, r"tiny/train/b4 .* 1\.00 ms .*threads? +500 µs .*  1 thread \*\n")
        one = self.as_json(old, new)["cases"][1]
        self.assertEqual((one["work"], one["own_settings"]), ("tiny/train/b4/fp32/eager/synthetic", "1 thread"))

    def test_the_threads_of_one_machine_are_a_note(self):
        def three_threads(report):
            for case in report["cases"]:
                case["id"] += "+threads=3"
                case["spec"]["threads"] = 3

        old, new = self.make("a.json"), self.make("b.json", times(1.1), change=three_threads)
        said = self.compare(old, new, "--fail-on-regression", code=1).out
        self.assertRegex(said, r"note: threads \d+ before, 3 after: tiny/.* and 3 more")

    def test_nothing_shared(self):
        def other_batches(report):
            self.other_machine(report)
            for case in report["cases"]:
                case["id"] = case["id"].replace("/b", "/b10")
                case["spec"]["batch_size"] += 100

        old, new = self.make("a.json"), self.make("b.json", change=other_batches)
        self.assertIn("No case is in both reports. The nearest are tiny/", self.compare(old, new).out)
        third = self.make("c.json", times(2), change=lambda report: report["host"].update(name="epyc-10"))
        said = self.compare(old, new, third).out
        self.assertRegex(said, r"(?m)^Left out: 1 report that shares no case with .*: epyc-9\. ")
        self.assertNotIn("b104", said.split("\n", 2)[2])
        summary = self.as_json(old, new, third)["summary"]
        self.assertEqual([one["file"] for one in summary["left_out"]], ["b.json"])
        self.assertAlmostEqual(summary["machines"][0]["median_speed"], 0.5)

    def test_unlike_work_is_refused(self):
        def change(report):
            self.other_machine(report)
            report["cases"][0]["definition_sha256"] = "0" * 64

        old, new = self.make("a.json"), self.make("b.json", change=change)
        self.expect_refused("compare", old, new, code=4, says=["definition_sha256", "b.json"])


class Formats(CompareTest):
    def test_every_format_of_both_views(self):
        old, new = self.make("old.json"), self.make("new.json", times(1.1))
        other = self.make("other.json", change=lambda report: report["host"].update(name="=cmd|'/C calc'!A0"))
        for pair, view, rows in (((old, new), "gate", 4), ((old, other), "machines", 8)):
            self.assertEqual(self.as_json(*pair)["view"], view)
            table = list(csv.DictReader(io.StringIO(self.compare(*pair, "-f", "csv").out)))
            self.assertEqual(len(table), rows)
            self.assertFalse([cell for row in table for cell in row.values() if cell.startswith("=")])
            self.assertIn("| --- |", self.compare(*pair, "-f", "md").out)

    def test_colour(self):
        old, new = self.make("old.json"), self.make("new.json", times(1.1))
        self.assertNotIn("\x1b", self.compare(old, new).out)
        self.assertIn("\x1b[31mslower", self.compare(old, new, "--color", "always").out)
