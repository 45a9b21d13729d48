"""Tests of compare_pytorch.py with a stand-in for mpsbench: what it runs, in which order, and what it prints."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
import wanted

wanted.packages("torch", "safetensors")

import compare_pytorch  # noqa: E402


class AgainstStandIn(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = support.make_fake_mpsbench(Path(folder.name))
        bundled = mock.patch.object(compare_pytorch.runner, "has_dropout", return_value=False)
        bundled.start()
        self.addCleanup(bundled.stop)

    def compare(self, case: str, fault: str = "") -> tuple[int, dict, str]:
        out, err = io.StringIO(), io.StringIO()
        arguments = ["--case", case, "--rounds", "2", "--seconds", "0.1", "--threads", "1"]
        with (
            mock.patch.dict(os.environ, FAKE_FAULT=fault),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = compare_pytorch.main([*arguments, "--mpsbench", str(self.program)])
        return code, json.loads(out.getvalue()), err.getvalue()

    def test_the_users_heap_settings_are_both_sides(self) -> None:
        heap = compare_pytorch.heap
        self.assertEqual(heap.settings({"HOME": "x"}), heap.KEEP_FREED_MEMORY)
        for name in (*heap.KEEP_FREED_MEMORY, "GLIBC_TUNABLES"):
            self.assertEqual(heap.settings({name: ""}), {})

    def test_training_shows_both_optimizers(self) -> None:
        code, result, progress = self.compare("lenet5/train/b4")
        self.assertEqual(code, 0, result)
        self.assertLess(result["first_step_difference"], 1e-5)
        for side in ("python_default", "python_fused"):
            steps = result[side]["round_step_seconds"]
            self.assertEqual(len(steps), 2)
            expected = sorted(step / 0.01 for step in steps)
            ratio = result[side.replace("python", "ratio")]
            self.assertAlmostEqual(ratio["min"], expected[0])
            self.assertAlmostEqual(ratio["max"], expected[1])
            self.assertGreater(result[side]["peak_resident_bytes"], 50_000_000)
        self.assertEqual(result["mpsbench"]["peak_resident_bytes"], 10_000_000)
        self.assertEqual(len(progress.splitlines()), 2)

    def test_inference_has_no_optimizer(self) -> None:
        code, result, _ = self.compare("lenet5/infer/b1")
        self.assertEqual(code, 0, result)
        self.assertIsNone(result["python_fused"])
        self.assertIsNone(result["ratio_fused"])
        self.assertGreater(result["ratio_default"]["median"], 0)

    def test_different_work_is_not_timed(self) -> None:
        code, result, _ = self.compare("lenet5/train/b4", "logits")
        self.assertEqual(code, 1)
        self.assertIn("do not do the same work", result["error"])

    def test_a_failing_side_is_one_line(self) -> None:
        code, result, _ = self.compare("lenet5/infer/b1", "exit")
        self.assertEqual(code, 1)
        self.assertIn("no such file", result["error"])
        code, result, _ = self.compare("nonesuch/infer/b1")
        self.assertEqual(code, 1)
        self.assertIn("no Python reference for the model 'nonesuch'", result["error"])


class Arguments(unittest.TestCase):
    def test_cases(self) -> None:
        case = compare_pytorch.parse_case("bert-base/train/b4")
        self.assertEqual(
            (case.model, case.mode, case.batch, str(case)), ("bert-base", "train", 4, "bert-base/train/b4")
        )
        for text in ("mlp", "mlp/train", "mlp/train/4", "mlp/train/b0", "mlp/eval/b1"):
            with self.assertRaises(compare_pytorch.argparse.ArgumentTypeError):
                compare_pytorch.parse_case(text)

    def test_every_side_goes_first_in_turn(self) -> None:
        arguments = compare_pytorch.parse(["--rounds", "3"])
        order = []
        comparison = compare_pytorch.Comparison.__new__(compare_pytorch.Comparison)
        comparison.case, comparison.arguments = compare_pytorch.parse_case("mlp/train/b1"), arguments
        comparison.prepare = lambda: 0.0
        measured = {"step_seconds": 1.0, "samples": 1, "steps_per_sample": 1, "peak_resident_bytes": 1, "torch": "2"}
        comparison.time = lambda side: order.append(side) or measured
        with contextlib.redirect_stderr(io.StringIO()):
            comparison.run()
        self.assertEqual(order[0::3], ["mpsbench", "python_default", "python_fused"])
        self.assertEqual([sorted(order[start : start + 3]) for start in (0, 3, 6)], [sorted(order[:3])] * 3)


if __name__ == "__main__":
    support.main()
