"""The reports in results/published follow the schema, and each figure has its source, interval and reason."""

import json
import unittest

from support import SCRIPTS, main

import wanted  # isort: skip

FOLDER = SCRIPTS.parent / "results" / "published"


def committed() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}


def cases() -> dict[str, dict]:
    """All cases, by the name of the report and the case's id."""
    return {
        f"{name.removesuffix('.json')} {case['id']}": case
        for name, text in committed().items()
        for case in json.loads(text)["cases"]
    }


class Files(unittest.TestCase):
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


if __name__ == "__main__":
    main()
