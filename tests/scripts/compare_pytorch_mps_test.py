"""Tests compare_pytorch.py --device mps as far as possible without a Mac.

Tensors sent to "mps" go to "meta" instead, where a step that mixes devices fails as on a GPU, or they stay on the CPU.
float64 is refused. Synchronising, readings of the clock and steps are recorded in one list.
"""

import contextlib
import types
import unittest
from unittest import mock

import wanted
from folders import FolderTest
from support import run

wanted.packages("torch", "safetensors")

import compare_pytorch  # noqa: E402
import torch  # noqa: E402
from mpsbench_py import references, torch_side  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

STEP_SECONDS = 0.003


class FakeMps:
    """Patches PyTorch inside a with block. marks lists what happened, in order."""

    def __init__(self, instead: str) -> None:
        self.instead = instead
        self.marks: list[str] = []
        self.devices: set[str] = set()  # the devices of the tensors that a step uses
        self.now = 0.0
        self.patches = contextlib.ExitStack()

    def __enter__(self) -> "FakeMps":
        real_to, real_run = torch.Tensor.to, references.run

        def to(tensor: torch.Tensor, device: object = None, *rest: object, **named: object) -> torch.Tensor:
            is_mps = str(device).startswith("mps")
            return real_to(tensor, self.instead if is_mps else device, *rest, **named)

        def double(tensor: torch.Tensor) -> torch.Tensor:
            raise TypeError("MPS has no float64")

        def run(model: torch.nn.Module, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
            self.marks.append("step")
            self.now += STEP_SECONDS
            self.devices |= {tensor.device.type for tensor in (*inputs.values(), *model.state_dict().values())}
            return real_run(model, inputs)

        def read_clock() -> float:
            self.marks.append("clock")
            return self.now

        for target, name, value in (
            (torch.Tensor, "to", to),
            (torch.Tensor, "double", double),
            (torch.mps, "synchronize", lambda: self.marks.append("synchronize")),
            (references, "run", run),
            (torch_side, "time", types.SimpleNamespace(perf_counter=read_clock)),
        ):
            self.patches.enter_context(mock.patch.object(target, name, value))
        torch_side.PREPARED.clear()
        return self

    def __exit__(self, *error: object) -> None:
        torch_side.PREPARED.clear()
        self.patches.close()


class OnFakeMps(FolderTest):
    def request(self, mode: str, precision: str = "fp32") -> dict:
        batch = {"input": torch.randn(4, 1, 32, 32), "target": torch.randint(10, (4,))}
        save_file(batch, self.folder / "batch.safetensors")
        return {
            "model": "lenet5",
            "mode": mode,
            "seed": 1,
            "device": "mps",
            "precision": precision,
            "channels_last": False,
            "compile": "",
            "fused": False,
            "dropout": None,
            "batch": str(self.folder / "batch.safetensors"),
            "loss": "cross_entropy",
            "optimizer": {"name": "sgd", "lr": 1e-3, "momentum": 0.9},
            "warmup_seconds": 0.01,
            "measure_seconds": 0.3,
        }

    def test_every_window_is_bracketed_by_synchronising(self) -> None:
        for mode in ("train", "infer"):
            with self.subTest(mode), FakeMps("meta") as fake:
                measured = torch_side.measure(self.request(mode))
                self.assertEqual(fake.devices, {"meta"}, "weights and batch are on the device")
                for mark, before in zip(fake.marks[1:], fake.marks, strict=False):
                    if mark == "clock":
                        self.assertEqual(before, "synchronize", fake.marks)
                # Warm-up and measurement: two series of windows. Each reads the clock once at its start.
                readings, steps = fake.marks.count("clock"), fake.marks.count("step") - 1
                warmup_steps = readings - 2 - measured["samples"]
                self.assertEqual(steps, warmup_steps + measured["samples"] * measured["steps_per_sample"])
                self.assertGreaterEqual(measured["steps_per_sample"], torch_side.LEAST_QUEUED)
                self.assertAlmostEqual(measured["step_seconds"], STEP_SECONDS)

    def test_fp16_has_autocast_and_a_scaler_of_the_device(self) -> None:
        with (
            FakeMps("meta"),
            mock.patch.object(torch.amp, "GradScaler") as scaler,
            mock.patch.object(torch, "autocast", wraps=torch.autocast) as autocast,
        ):
            torch_side.prepare(self.request("train", "fp16"))
        scaler.assert_called_once_with("mps", enabled=True)
        autocast.assert_called_once_with("mps", dtype=torch.float16, enabled=True)

    def test_the_first_step_is_compared_on_the_host(self) -> None:
        request = self.request("train")
        model = references.build("lenet5", seed=1).train()
        step = {"input": torch.randn(4, 1, 32, 32), "target": torch.randint(10, (4,))}
        step["logits"] = references.run(model, step).detach()
        step["loss"] = references.loss("cross_entropy", step["logits"], step["target"])
        save_file(step, self.folder / "dump.safetensors")
        with FakeMps("cpu"):
            taken = torch_side.take_batch({**request, "dump": str(self.folder / "dump.safetensors")})
        self.assertLess(taken["difference"], 1e-6)


class Usable(unittest.TestCase):
    def refuse(self, built: bool) -> str:
        mps = torch.backends.mps
        with (
            mock.patch.object(mps, "is_built", return_value=built),
            mock.patch.object(mps, "is_available", return_value=False),
            mock.patch.object(compare_pytorch, "TorchProcesses", side_effect=AssertionError),
            mock.patch.object(compare_pytorch.runner, "run_case", side_effect=AssertionError),
        ):
            code, out, err = run(compare_pytorch.main, "--device", "mps", "--keep-python")
        self.assertEqual((code, out), (3, ""))
        return err

    def test_one_line_says_why_not(self) -> None:
        self.assertEqual(
            self.refuse(built=True), "compare_pytorch.py: --device mps: this PyTorch finds no MPS device here\n"
        )
        self.assertRegex(self.refuse(built=False), r"\A.*is built without MPS.*\n\Z")

    def test_mps_has_only_the_eager_engine(self) -> None:
        self.assertEqual(compare_pytorch.parse(["--device", "mps"]).engines, ("eager",))
