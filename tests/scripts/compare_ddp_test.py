"""Tests of compare_ddp.py with a stand-in for mpsbench, and with DistributedDataParallel on the CPU."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
import wanted

wanted.packages("torch", "safetensors", "scipy")

import compare_ddp  # noqa: E402
from mpsbench_py import comparison  # noqa: E402
from mpsbench_py.torch_process import ComparisonError, TorchProcess  # noqa: E402


def run_main(*words: str) -> tuple[int, list[dict], str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = compare_ddp.main(list(words))
    return code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


class CompareDdp(unittest.TestCase):
    def test_four_sides_in_each_round(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = support.make_fake_mpsbench(Path(folder))
            words = ["--case", "lenet5/train/b4", "--device", "cpu", "--rounds", "2", "--seconds", "0.1"]
            with mock.patch.object(comparison.runner, "has_dropout", return_value=False):
                code, (result,), said = run_main(*words, "--mpsbench", str(program))
        self.assertEqual(code, 0, said)
        self.assertEqual({side: len(rows) for side, rows in result["rows_per_second"].items()}, dict.fromkeys(SIDES, 2))
        rows = {side: rounds[0] for side, rounds in result["rows_per_second"].items()}
        self.assertEqual(rows["mpsbench_n"], 2 * rows["mpsbench_1"])  # the stand-in's steps all take as long
        self.assertEqual(result["efficiency"]["median"], 1)
        self.assertIn("| lenet5/train/b4/fp32 | 2 | eager | 1.000", said)

    def test_only_training_scales(self) -> None:
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
            compare_ddp.parse(["--case", "lenet5/infer/b4"])
        self.assertIn("lenet5/infer/b4: only training", said.getvalue())


class FailedRank(unittest.TestCase):
    def test_its_reason_is_told(self) -> None:
        code = "import sys; print('rank 1: out of memory', file=sys.stderr); sys.exit('=' * 60)"
        side = TorchProcess(60, Path("cache"), ("-c", code))
        self.addCleanup(side.close)
        with self.assertRaisesRegex(ComparisonError, "^Python, exit 1: rank 1: out of memory$"):
            side.ask({})


SIDES = compare_ddp.SIDES

if __name__ == "__main__":
    unittest.main(verbosity=2)
