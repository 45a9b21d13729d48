"""Tests of what compare_pytorch.py computes, of going on with a file of results, and of tables."""

import json
import unittest
from unittest import mock

import wanted
from folders import FolderTest
from support import run

wanted.packages("torch", "safetensors", "numpy", "scipy")

import compare_pytorch  # noqa: E402
import numpy  # noqa: E402
from mpsbench_py import comparison_results, comparison_table  # noqa: E402
from scipy import stats  # noqa: E402


def measured(*steps: float) -> list[dict]:
    one = {"samples": 1, "steps_per_sample": 1, "peak_resident_bytes": None, "compile_seconds": None}
    return [{**one, "step_seconds": step} for step in steps]


ROUNDS = {
    "mpsbench_eager": measured(0.004, 0.005, 0.006),
    "mpsbench_compiled": measured(0.002, 0.002, 0.002),
    "python_default": measured(0.008, 0.009, 0.010),
    "python_fused": measured(0.007, 0.007, 0.001),
    "python_compile_default": measured(0.004, 0.004, 0.001),
    "python_compile_reduce_overhead": measured(0.003, 0.003, 0.009),
}


class Summary(unittest.TestCase):
    def setUp(self) -> None:
        self.result = comparison_results.summarise(ROUNDS, {})

    def test_ratios_are_of_the_same_round(self) -> None:
        ratio = self.result["ratios"]["mpsbench_eager"]["python_default"]
        self.assertAlmostEqual(ratio["median"], 1.8)
        self.assertAlmostEqual(ratio["min"], 10 / 6)
        self.assertAlmostEqual(ratio["max"], 2.0)
        logs = numpy.log([2, 9 / 5, 10 / 6])
        expected = numpy.exp(stats.ttest_1samp(logs, 0).confidence_interval(0.95))
        numpy.testing.assert_allclose(ratio["ci95"], expected)

    def test_the_fastest_side_has_the_smallest_median(self) -> None:
        self.assertEqual(self.result["fastest_eager"], "python_fused")
        self.assertEqual(self.result["fastest_compile"], "python_compile_reduce_overhead")
        ratios = self.result["ratios"]["mpsbench_compiled"]
        self.assertEqual(ratios["fastest_compile"], ratios["python_compile_reduce_overhead"])
        self.assertAlmostEqual(ratios["fastest_compile"]["median"], 1.5)
        self.assertAlmostEqual(ratios["mpsbench_eager"]["median"], 2.5)
        self.assertNotIn("mpsbench_eager", self.result["ratios"]["mpsbench_eager"])

    def test_one_round_has_no_interval(self) -> None:
        self.assertIsNone(comparison_results.interval([2.0]))

    def test_nothing_measured(self) -> None:
        result = comparison_results.summarise({}, {"python_default": "failed"})
        self.assertEqual((result["sides"], result["ratios"], result["fastest_compile"]), ({}, {}, None))


class FileOfResults(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.file = self.folder / "results.jsonl"
        self.failures: dict[str, str] = {}

    def run_main(self, *words: str) -> tuple[int, list[str], str]:
        """Runs the script without timing anything. Returns its exit code, the cases that it compared, and stderr."""
        compared = []

        def compare(case: object, arguments: object, _: object) -> dict:
            compared.append(str(case))
            rounds = {name: ROUNDS[name] for name in compare_pytorch.side_names(case, arguments) if name in ROUNDS}
            machine = {"machine": {"cpu": "a CPU", "accelerator": None}}
            summary = comparison_results.summarise(rounds, self.failures)
            return {**compare_pytorch.asked_for(case, arguments), **machine, **summary}

        with mock.patch.object(compare_pytorch, "compare", compare):
            code, _, err = run(compare_pytorch.main, "--cases", self.file, "--threads", "2", *words)
        return code, compared, err

    def test_whole_cases_are_skipped(self) -> None:
        both = ("--case", "mlp/train/b64", "vgg16/infer/b1/bf16/channels-last")
        self.assertEqual(self.run_main(both[0], both[1])[:2], (0, ["mlp/train/b64/fp32"]))
        code, compared, err = self.run_main(*both)
        self.assertEqual((code, compared), (0, ["vgg16/infer/b1/bf16/channels-last"]))
        self.assertIn(f"mlp/train/b64/fp32: {self.file} has it already", err)
        self.assertIn("| mlp/train/b64 fp32 |", err)
        self.assertEqual(self.run_main(*both)[:2], (0, []))
        self.assertEqual(len(self.file.read_text().splitlines()), 2)

    def test_other_options_and_more_sides_are_measured(self) -> None:
        case = ("--case", "mlp/train/b64")
        self.assertEqual(len(self.run_main(*case)[1]), 1)
        for words in (["--rounds", "3"], ["--seconds", "1"], ["--keep-python"], ["--threads", "1"], ["--compile"]):
            self.assertEqual(len(self.run_main(*case, *words)[1]), 1, words)
            self.assertEqual(len(self.run_main(*case, *words)[1]), 0, words)
        self.assertEqual(len(self.run_main(*case, "--engines", "eager")[1]), 0)

    def test_failed_cases_and_sides_are_measured_again(self) -> None:
        case = ("--case", "mlp/train/b64", "--compile", "max-autotune")
        self.failures = {"python_compile_max_autotune": "out of memory"}  # which ROUNDS does not have
        self.assertEqual(self.run_main(*case)[:2], (1, ["mlp/train/b64/fp32"]))
        self.assertEqual(self.run_main(*case)[:2], (1, ["mlp/train/b64/fp32"]))
        self.assertEqual(self.run_main("--case", "mlp/train/b64")[1], [])
        line = dict.fromkeys((*comparison_results.WORK, *comparison_results.OPTIONS))
        self.assertFalse(comparison_results.is_whole({**line, "error": "no memory"}, line, ["python_default"]))

    def test_another_file_is_refused(self) -> None:
        for text, message in (("{", ":1: not JSON"), ("{}", ":1: not a line that this script wrote")):
            self.file.write_text(text, encoding="utf-8")
            code, compared, err = self.run_main()
            self.assertEqual((code, compared), (2, []))
            self.assertRegex(err, rf"\Acompare_pytorch.py: .*{message}.*\n\Z")

    def test_a_table_of_a_file(self) -> None:
        self.run_main("--case", "mlp/train/b64", "--compile", "default,reduce-overhead", "--rounds", "3")
        code, out, _ = run(compare_pytorch.main, "--table", self.file)
        self.assertEqual(code, 0)
        lines = out.splitlines()
        self.assertEqual(lines[0], "a CPU, 2 threads, PyTorch None, 3 rounds:")
        cells = [cell.strip() for cell in lines[4].strip("|").split("|")]
        self.assertEqual(
            cells[:5], ["mlp/train/b64 fp32", "7.00 ms (fused)", "3.00 ms (reduce-overhead)", "eager", "5.00 ms"]
        )
        self.assertRegex(cells[6], r"^0\.7500 \(0\.\d+–\d+\.\d+\)$")
        cells = [cell.strip() for cell in lines[5].strip("|").split("|")]
        self.assertEqual(cells[:5], ["", "", "", "compiled", "2.00 ms"])
        self.assertRegex(cells[7], r"^2\.500 \(")
        code, _, err = run(compare_pytorch.main, "--table", f"{self.file}x")
        self.assertEqual(code, 2)
        self.assertRegex(err, r"\Acompare_pytorch.py: .*No such file.*\n\Z")


class Table(unittest.TestCase):
    def test_failures_and_the_last_line_of_a_case(self) -> None:
        asked = {"case": "mlp/infer/b1", "precision": "fp32", "channels_last": False, "threads": 2, "rounds": 3}
        machine = {"machine": {"cpu": "a CPU", "accelerator": "a GPU"}}
        failed = {**asked, "error": "no memory"}
        self.assertIn("| mlp/infer/b1 fp32 | failed | – |", comparison_table.tables([failed]))
        summary = comparison_results.summarise(
            {"mpsbench_eager": ROUNDS["mpsbench_eager"]}, {"mpsbench_compiled": "no compiler"}
        )
        table = comparison_table.tables([failed, json.loads(json.dumps({**asked, **machine, **summary}))])
        self.assertTrue(table.startswith("a GPU · a CPU, 2 threads, "), table)
        self.assertIn("| mlp/infer/b1 fp32 | – | – | eager | 5.00 ms | – | – | – |", table)
        self.assertIn("|  |  |  | compiled | failed | – | – | – |", table)

    def test_the_compile_mode_of_compiled_engines_is_named(self) -> None:
        sides = {name: ROUNDS[name] for name in ("mpsbench_eager", "mpsbench_compiled")}
        result = {"case": "mlp/infer/b1", "precision": "fp32", "channels_last": False, "threads": 2, "rounds": 3}
        result |= {"machine": {"cpu": "a CPU", "accelerator": None}, "compile_mode": "max-autotune"}
        table = comparison_table.tables([{**result, **comparison_results.summarise(sides, {})}])
        self.assertIn("| eager | 5.00 ms |", table)
        self.assertIn("| compiled (max-autotune) | 2.00 ms |", table)
