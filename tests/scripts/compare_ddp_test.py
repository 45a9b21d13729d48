"""Tests of compare_ddp.py with a stand-in for mpsbench, and with DistributedDataParallel on the CPU."""

import json
import unittest
from pathlib import Path

import support
import wanted
from folders import FolderTest

wanted.packages("torch", "safetensors", "scipy")

import compare_ddp  # noqa: E402
from mpsbench_py.torch_process import ComparisonError, TorchProcess  # noqa: E402


class CompareDdp(FolderTest):
    def test_four_sides_in_each_round(self) -> None:
        words = ["--case", "lenet5/train/b4", "--device", "cpu", "--rounds", "2", "--seconds", "0.1"]
        words += ["--mpsbench", support.make_fake_mpsbench(self.folder)]
        code, out, said = support.run(compare_ddp.main, *words)
        self.assertEqual(code, 0, said)
        result = json.loads(out)
        found = {side: len(rows) for side, rows in result["rows_per_second"].items()}
        self.assertEqual(found, dict.fromkeys(compare_ddp.SIDES, 2))
        rows = {side: rounds[0] for side, rounds in result["rows_per_second"].items()}
        self.assertEqual(rows["mpsbench_n"], 2 * rows["mpsbench_1"])  # the stand-in's steps all take as long
        self.assertEqual(result["efficiency"]["median"], 1)
        self.assertIn("| lenet5/train/b4/fp32 | 2 | eager | 1.000", said)

    def test_only_training_scales(self) -> None:
        code, _, said = support.run(compare_ddp.parse, "--case", "lenet5/infer/b4")
        self.assertEqual(code, 2)
        self.assertIn("lenet5/infer/b4: only training", said)


class FailedRank(unittest.TestCase):
    def test_its_reason_is_told(self) -> None:
        code = "import sys; print('rank 1: out of memory', file=sys.stderr); sys.exit('=' * 60)"
        side = TorchProcess(60, Path("cache"), ("-c", code))
        self.addCleanup(side.close)
        with self.assertRaisesRegex(ComparisonError, "^Python, exit 1: rank 1: out of memory$"):
            side.ask({})
