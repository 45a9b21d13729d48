"""The reports in results/published are what scripts/dev/make_published.py writes, and add nothing to their source."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from support import SCRIPTS, main

import make_published  # isort: skip
import wanted  # isort: skip
from mpsbench_py import published_cases  # isort: skip

FOLDER = SCRIPTS.parent / "results" / "published"
FIGURES = make_published.FIGURES


def committed() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json") if path != FIGURES}


def cases() -> dict[str, dict]:
    """All cases, by the name of the report and the case's id."""
    return {
        f"{name.removesuffix('.json')} {case['id']}": case
        for name, text in committed().items()
        for case in json.loads(text)["cases"]
    }


class Files(unittest.TestCase):
    maxDiff = None

    def test_are_what_the_script_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            with contextlib.redirect_stdout(io.StringIO()):
                make_published.main(["--output", folder])
            made = {path.name: path.read_text(encoding="utf-8") for path in Path(folder).iterdir()}
        self.assertEqual(sorted(made), sorted(committed()))
        for name, text in made.items():
            self.assertEqual(text, committed()[name], f"{name}: run scripts/dev/make_published.py")

    def test_hold_each_figure_once(self):
        entries = json.loads(FIGURES.read_text(encoding="utf-8"))["reports"].values()
        runs = sum(len(entry.get("runs", [])) for entry in entries)
        others = sum(len(entry.get("cases", [])) for entry in entries)
        self.assertEqual(len(cases()), 2 * runs + others)

    def test_follow_the_schema(self):
        try:
            from jsonschema import Draft202012Validator
        except ImportError as missing:
            wanted.skip(missing)

        schema = json.loads((SCRIPTS.parent / "configs" / "schema" / "report.schema.json").read_text(encoding="utf-8"))
        validator = Draft202012Validator(schema)
        for name, text in committed().items():
            self.assertEqual([error.message for error in validator.iter_errors(json.loads(text))], [], name)


class Cases(unittest.TestCase):
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
            rows = cases()[name]["metrics"]["rows_per_second"]
            self.assertAlmostEqual(rows["value"], value, 4, name)
            self.assertEqual(rows["kind"], kind, name)

    def test_say_why_a_figure_is_missing(self):
        for name, case in cases().items():
            notes = case["notes"]
            for key, value in case["metrics"].items():
                main_value = value.get("mean", value.get("value")) if isinstance(value, dict) else value
                if main_value is None:
                    self.assertTrue(notes[f"metrics.{key}"].startswith("not published"), f"{name}: {key}")

    def test_name_their_source(self):
        for name, case in cases().items():
            self.assertTrue(case["published"]["source"], name)
            self.assertIn("published", case["flags"], name)
            for caution in ("diverged", "not-learning"):
                self.assertEqual(caution in case["flags"], caution in case["published"]["cautions"], name)

    def test_hold_their_figures_in_their_intervals(self):
        for name, case in cases().items():
            for time in (case["metrics"]["step_seconds"], case["metrics"]["epoch_seconds"]):
                value = time.get("mean", time.get("value"))
                self.assertFalse(value is None and time["ci95"], name)
                if time["ci95"]:
                    low, high = time["ci95"]
                    self.assertTrue(low <= value <= high, name)


class Figures(unittest.TestCase):
    WORKLOAD = {"model": "m", "dataset": "cifar10", "options": "", "loss": "l", "optimizer": {"name": "o"}}
    WORKLOAD |= {"batch_size": 32, "rows": {"train": 100, "infer": 33}, "network": "n"}
    RUN = {"file": "a b.txt", "workload": "w", "device": "mps", "epoch_minutes": 0.1}
    RUN |= {"total_training_minutes": 0.2, "total_minutes": 0.25}
    RUN |= {"accuracy_percent": {"train": 50.0, "validation": 40.0, "test": 30.0}}

    def results(self, **changes):
        made = published_cases.cases_of_run(self.RUN | changes, self.WORKLOAD)
        return [published_cases.result_of(self.WORKLOAD, case) for case in made]

    def test_an_epoch_in_minutes_becomes_steps_with_the_resolution_as_interval(self):
        train, infer = (result["metrics"] for result in self.results())
        self.assertEqual(train["epoch_seconds"], {"value": 6.0, "ci95": [5.7, 6.3], "kind": "measured"})
        self.assertEqual(train["step_seconds"]["mean"], 2.0)
        self.assertEqual(train["step_seconds"]["ci95"], [1.9, 2.1])
        self.assertEqual(train["rows_per_second"]["value"], 16.0, "96 of 100 rows: the rest fills no batch")
        self.assertEqual(train["rows_per_second"]["kind"], "epochs")
        self.assertEqual(infer["rows_per_second"]["value"], 11.0, "33 rows in 3 s, though two batches have room for 64")
        self.assertEqual(infer["mean_rows_per_second"], 11.0)
        self.assertEqual((train["training_seconds"], train["test_seconds"], train["total_seconds"]), (12.0, 3.0, 15.0))
        self.assertEqual(train["training_accuracy"], 0.5)
        self.assertEqual(train["validation_accuracy"], 0.4)
        self.assertEqual(infer["epoch_seconds"], {"value": 3.0, "ci95": [2.4, 3.6], "kind": "measured"})
        self.assertEqual(infer["step_seconds"]["mean"], 1.5)

    def test_an_interval_as_wide_as_the_figure_begins_at_nothing(self):
        _, infer = self.results(total_minutes=0.21)
        self.assertEqual(infer["metrics"]["step_seconds"]["ci95"], [0.0, 0.6])
        self.assertIsNone(infer["metrics"]["rows_per_second"]["ci95"])
        self.assertEqual(infer["flags"], ["noisy", "published"])

    def test_what_differences_of_decimals_leave_of_nothing_is_nothing(self):
        self.assertEqual(published_cases.around(0.6 + 1e-15, 0.6), [0.0, 1.2])

    def test_an_invalid_accuracy_is_null(self):
        for result in self.results(cautions=["invalid-accuracy"]):
            self.assertIsNone(result["metrics"]["test_accuracy"])
            self.assertIn("fault", result["notes"]["metrics.test_accuracy"])
            self.assertIsNone(result["metrics"]["training_accuracy"])

    def test_calls_have_the_interval_of_their_deviation(self):
        case = {"step_milliseconds": 100.0, "stddev_milliseconds": 10.0, "count": 7}
        time = published_cases.step_time(case)
        self.assertAlmostEqual(time["stddev"], 0.010801, 6)
        self.assertAlmostEqual(time["ci95"][1] - time["mean"], 2.446912 * 0.010801234 / 7**0.5, 9)

    def test_a_url_is_quoted(self):
        self.assertTrue(self.results()[0]["published"]["url"].endswith("/a%20b.txt"))


if __name__ == "__main__":
    main()
