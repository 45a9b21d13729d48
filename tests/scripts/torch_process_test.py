"""Tests of the processes of PyTorch's sides: they compile once, and a failed job ends nothing else."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import wanted

wanted.packages("torch", "safetensors")

import torch  # noqa: E402
from mpsbench_py import torch_side  # noqa: E402
from mpsbench_py.torch_process import ComparisonError, TorchProcess, TorchProcesses  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

JOB_SECONDS = 300


class Processes(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.weights = Path(folder.name) / "weights.safetensors"

    def request(self, model: str) -> dict:
        request = {"job": "weights", "mode": "train", "model": model, "seed": 1, "threads": 1}
        return request | {"weights": str(self.weights)}

    def test_a_failed_job_is_one_line_and_the_next_one_runs(self) -> None:
        with TorchProcesses(["python_default"], keep=True, job_seconds=JOB_SECONDS) as processes:
            first = processes.running["python_default"].process
            with self.assertRaisesRegex(ComparisonError, "^Python: UnknownError: no Python reference .* 'nonesuch'$"):
                processes.ask("python_default", self.request("nonesuch"))
            self.assertIsNotNone(first.returncode)
            processes.ask("python_default", self.request("lenet5"))
            second = processes.running["python_default"].process
            self.assertTrue(self.weights.is_file())
            processes.ask("python_default", self.request("mlp-mnist"))
            self.assertIs(processes.running["python_default"].process, second)
            second.kill()
            with self.assertRaisesRegex(ComparisonError, "^Python, exit -9: no message$"):
                processes.ask("python_default", self.request("lenet5"))
        self.assertIsNotNone(second.returncode)

    def test_a_job_that_takes_too_long(self) -> None:
        process = TorchProcess(0.01, self.weights.parent)
        with self.assertRaisesRegex(ComparisonError, "^Python: no answer within 0.01 s$"):
            process.ask(self.request("lenet5"))
        process.close()

    def test_processes_that_are_not_kept(self) -> None:
        with TorchProcesses(["python_default"], keep=False, job_seconds=JOB_SECONDS) as processes:
            self.assertEqual(processes.running, {})
            processes.ask("python_default", self.request("lenet5"))
            self.assertEqual(processes.running, {})


class Compiling(unittest.TestCase):
    def test_each_request_compiles_once(self) -> None:
        torch_side.PREPARED.clear()
        self.addCleanup(torch_side.PREPARED.clear)
        with tempfile.TemporaryDirectory() as folder:
            batch = Path(folder) / "batch.safetensors"
            save_file({"input": torch.randn(2, 1, 32, 32)}, batch)
            request = {
                "model": "lenet5",
                "mode": "infer",
                "seed": 1,
                "device": "cpu",
                "precision": "fp32",
                "channels_last": False,
                "compile": "max-autotune",
                "fused": True,
                "dropout": None,
                "batch": str(batch),
                "warmup_seconds": 0.01,
                "measure_seconds": 0.01,
            }
            with mock.patch.object(torch, "compile", side_effect=lambda function, mode: function) as compiler:
                first, again = torch_side.measure(request), torch_side.measure(request)
                self.assertEqual([one.kwargs for one in compiler.call_args_list], [{"mode": "max-autotune"}])
                self.assertGreater(first["compile_seconds"], 0)
                self.assertEqual(again["compile_seconds"], first["compile_seconds"])
                torch_side.measure({**request, "compile": "default"})
                self.assertEqual(compiler.call_count, 2)
                self.assertIsNone(torch_side.measure({**request, "compile": ""})["compile_seconds"])
                self.assertEqual(compiler.call_count, 2)

    def test_errors_are_one_line(self) -> None:
        for text, expected in (
            ("out of memory\nat a place", "RuntimeError: out of memory"),
            (
                "backend='inductor' raised:\nCppCompileError: no g++\n\nmore",
                "backend='inductor' raised: CppCompileError: no g++",
            ),
            ("", "no message"),
            ("it raised:", "it raised:"),
        ):
            self.assertTrue(torch_side.one_line(RuntimeError(text)).endswith(expected), text)
