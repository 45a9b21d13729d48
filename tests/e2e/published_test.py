"""The published figures in results/published are valid reports, and can be compared with a run of the same work."""

import json
import re
import shutil
import tempfile
import unittest

from dataset_files import fixture
from support import SOURCE, FrontTest

FOLDER = SOURCE / "results" / "published"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
BOTH = ("--mode", "train,infer")
SYNTHETIC = ("simple-mlp", "apple-bert", "apple-resnet50", "apple-vgg16")
# The suites of the articles' experiments, each with the options that its author varied.
PRESETS = {
    "vgg16-cifar10": [BOTH, ("-b", "8")],
    "lenet-mnist": [BOTH],
    "mlp-mnist": [BOTH],
    **dict.fromkeys(("bert-infer", "bert-train-full", "bert-train-head", *SYNTHETIC), [()]),
}


def file_of(name):
    return FOLDER / f"{name}.json"


def work_of(case_id):
    model, mode, _, rest = case_id.split("/", 3)
    return f"{model}/{mode}/{rest}"


# All published cases, by the name of the report and the case's id.
CASES = {f"{name} {case['id']}": case for name in NAMES for case in json.loads(file_of(name).read_text())["cases"]}
WORKS = {work_of(case["id"]) for case in CASES.values()}


class PublishedTest(FrontTest):
    @classmethod
    def setUpClass(cls):
        """Makes small files in the formats of the data sets."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.data = folder.name
        for kind in ("cifar10", "mnist", "trec", "vocab"):
            rows = ["--rows", "5000"] if kind == "vocab" else ["--rows", "1200", "--test-rows", "300"]
            shutil.copytree(fixture(kind, *rows), cls.data, dirs_exist_ok=True)

    def as_json(self, *arguments):
        return json.loads(self.expect(0, "compare", *arguments, "-f", "json").out)

    def test_all_are_valid_and_stand_side_by_side(self):
        files = [file_of(name) for name in NAMES]
        self.validate(*files)
        said = self.as_json(*files)
        self.assertTrue(said["cases"])
        self.assertTrue(all(cell["published"] for cell in said["cases"] if cell["status"]))
        for cell in said["cases"]:
            self.assertFalse(cell["best"] and "older-script-variant" in cell["cautions"], cell)

    def test_speed_ups_of_the_articles(self):
        def speed_ups(name):
            return {
                (family["family"], one["batch_size"]): one["speed_up"]
                for family in self.as_json(file_of(name))["speed_ups"]
                for one in family["by_batch"]
            }

        vgg = "vgg16_bn-cifar10/train/fp32/eager/cifar10+epochs=1+optimizer=adam:lr=0.0005"
        self.assertAlmostEqual(speed_ups("m1pro-20220522")[vgg, 32], 110.48 / 42.12)
        infer = "bert-base/infer/fp32/eager/trec+max-length=512+pad=longest+rows=1000"
        self.assertAlmostEqual(speed_ups("m1-macbook-pro-1.12-nightly")[infer, 8], 78.9 / 189)
        apple = self.expect(0, "compare", file_of("apple-mac-studio"), file_of("m4")).out
        self.assertRegex(apple, r"vgg16/train\S* +A mps \(published\) +8\.00× +–")

    def of_preset(self, suite):
        return [suite, *(() if suite in SYNTHETIC else ("--data-dir", self.data))]

    def test_suites_give_the_ids_that_they_are_published_under(self):
        planned = set()
        for suite, variants in PRESETS.items():
            for options in variants:
                arguments = [*self.of_preset(suite), *options, "-d", "cpu", "--dry-run"]
                plan = self.expect(0, "run", *arguments).out
                works = {work_of(line.split()[0]) for line in plan.splitlines() if line.count("/") > 4}
                self.assertTrue(works & WORKS, (suite, options, works))
                planned |= works
        self.assertEqual(WORKS - planned, set())

    def test_a_run_of_each_preset_stands_in_the_row_of_what_is_published(self):
        for suite in PRESETS:
            mine = f"{suite}.json"
            self.expect(0, "run", *self.of_preset(suite), "-d", "cpu", "-r", "1", "--export-json", mine)
            works = {work_of(one) for one in self.report(mine)["run"]["plan"]}
            theirs = [
                file_of(name)
                for name in NAMES
                if works & {work_of(one) for one in json.loads(file_of(name).read_text())["run"]["plan"]}
            ]
            self.assertTrue(theirs, suite)
            for file in theirs:
                cells = self.as_json(mine, file)["cases"]
                rows = {cell["work"] for cell in cells if not cell["published"] and cell["status"]}
                beside = {cell["work"] for cell in cells if cell["published"] and cell["status"]}
                self.assertTrue(rows & beside, (suite, file.name))

    def test_a_run_as_published_stands_in_the_row_of_the_figure_that_it_repeats(self):
        loops = {"bert-infer": ("--iterations", "6")}
        met = set()
        for suite, variants in PRESETS.items():
            if suite.startswith("apple-"):  # nobody published how these were timed
                continue
            for options in variants:
                arguments = [*self.of_preset(suite), *options, *loops.get(suite, ())]
                one_launch = ("-d", "cpu", "-r", "1", "--export-json", "mine.json")
                self.expect(0, "run", *arguments, "--as-published", *one_launch)
                shown = self.as_json("mine.json", *(file_of(name) for name in NAMES))["cases"]
                mine = {cell["work"] for cell in shown if cell["status"] and not cell["published"]}
                beside = mine & {cell["work"] for cell in shown if cell["status"] and cell["published"]}
                self.assertTrue(beside, (suite, options, mine))
                met |= {re.sub(r"\+as-published=true|\+iterations=6\b", "", work) for work in beside}
        self.assertEqual({work for work in WORKS - met if "+" in work}, set())

    def test_a_run_as_published_says_what_the_figures_are(self):
        self.expect(0, "run", "simple-mlp", "-d", "cpu", "--as-published", "-r", "1", "--export-json", "mine.json")
        said = self.expect(0, "compare", "mine.json", file_of("m4")).out
        self.assertIn("come from their authors' programs", said)

    def test_a_run_shows_itself_beside_them(self):
        self.expect(0, "run", *self.of_preset("lenet-mnist"), "-d", "cpu", "--export-json", "mine.json")
        theirs = file_of("m1pro-20220518")
        said = self.expect(0, "compare", "mine.json", theirs).out
        self.assertRegex(said, r"(?m)^B  Apple M1 Pro \(published\)")
        self.assertRegex(said, r"(?s)lenet5/train/b128\S*\n.* B cpu \(published\) +11\.4 ms ±6\.3 %  [0-9.]+×")
        for words in ("authors' programs", "invalid-accuracy", "Raschka"):
            self.assertEqual(words in said, words != "Raschka", words)
        self.assertIn("(published)", self.expect(0, "compare", "mine.json", theirs, "-f", "md").out)

    def test_no_verdict_and_no_run_comes_of_them(self):
        one, other = file_of("m1pro-20220518"), file_of("m1pro-20220522")
        for option in ("--fail-on-regression", "--threshold=5%"):
            says = [option.split("=")[0], "published figures"]
            self.expect_refused("compare", one, other, option, code=4, says=says)
            self.expect_refused("compare", one, other, option, "--force", code=4, says=says)
        self.expect_refused("run", "--resume", one, says=["--resume", "published figures", "run a suite"])


class Figures(unittest.TestCase):
    """Each has its source, interval and reason."""

    def test_rates_do_not_count_rows_that_were_not_there(self):
        expected = {
            "m1pro-20220522 mlp-mnist/infer/cpu/b128/fp32/eager/mnist+epochs=1+optimizer=adam": (8333.33333, "epochs"),
            "m1pro-20220522 vgg16_bn-cifar10/infer/mps/b32/fp32/eager/cifar10+epochs=1+optimizer=adam:lr=0.0005": (
                98.6193294,
                "epochs",
            ),
            "m1-macbook-pro-1.12-nightly bert-base/infer/cpu/b8/fp32/eager/trec+max-length=512+pad=longest+rows=1000": (
                101.394170,
                "mean-step",
            ),
        }
        for name, (value, kind) in expected.items():
            rows = CASES[name]["metrics"]["rows_per_second"]
            self.assertAlmostEqual(rows["value"], value, 4, name)
            self.assertEqual(rows["kind"], kind, name)

    def test_say_why_a_figure_is_missing(self):
        for name, case in CASES.items():
            notes = case["notes"]
            for key, value in case["metrics"].items():
                main_value = value.get("mean", value.get("value")) if isinstance(value, dict) else value
                if main_value is None:
                    self.assertTrue(notes[f"metrics.{key}"].startswith("not published"), f"{name}: {key}")

    def test_name_their_source(self):
        for name, case in CASES.items():
            self.assertTrue(case["published"]["source"], name)
            self.assertIn("published", case["flags"], name)
            for caution in ("diverged", "not-learning"):
                self.assertEqual(caution in case["flags"], caution in case["published"]["cautions"], name)

    def test_hold_their_figures_in_their_intervals(self):
        for name, case in CASES.items():
            for time in (case["metrics"]["step_seconds"], case["metrics"]["epoch_seconds"]):
                value = time.get("mean", time.get("value"))
                self.assertFalse(value is None and time["ci95"], name)
                if time["ci95"]:
                    low, high = time["ci95"]
                    self.assertTrue(low <= value <= high, name)
