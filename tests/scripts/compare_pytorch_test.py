"""Tests of compare_pytorch.py with a stand-in for mpsbench: what it runs, in which order, and what it prints."""

import argparse
import contextlib
import io
import json
import os
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import support
import wanted
from folders import FolderTest

wanted.packages("torch", "safetensors", "scipy", "transformers")

import compare_pytorch  # noqa: E402
import torch  # noqa: E402
from mpsbench_py import comparison, heap, references, torch_side  # noqa: E402
from mpsbench_py.torch_process import ComparisonError  # noqa: E402

ALL_SIDES = [
    "mpsbench_eager",
    "mpsbench_graph",
    "mpsbench_compiled",
    "mpsbench_compiled_graph",
    "python_default",
    "python_fused",
    "python_compile_default",
    "python_compile_reduce_overhead",
    "python_compile_max_autotune",
]


class AgainstStandIn(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.program = support.make_fake_mpsbench(self.folder)

    def compare(self, case: str, fault: str = "", *words: str) -> tuple[int, dict, str]:
        arguments = ["--case", case, "--rounds", "2", "--seconds", "0.1", "--threads", "1", "--keep-python", *words]
        with mock.patch.dict(os.environ, FAKE_FAULT=fault):
            code, out, err = support.run(compare_pytorch.main, *arguments, "--mpsbench", self.program)
        return code, json.loads(out.splitlines()[0]), err

    def test_the_users_heap_settings_are_both_sides(self) -> None:
        self.assertEqual(heap.settings({"HOME": "x"}), heap.KEEP_FREED_MEMORY)
        for name in (*heap.KEEP_FREED_MEMORY, "GLIBC_TUNABLES"):
            self.assertEqual(heap.settings({name: ""}), {})

    def test_training_has_both_optimizers_and_engines(self) -> None:
        code, result, progress = self.compare("lenet5/train/b4")
        self.assertEqual(code, 0, result)
        self.assertLess(result["first_step_difference"], 1e-5)
        sides = result["sides"]
        self.assertEqual(list(sides), ["mpsbench_eager", "mpsbench_compiled", "python_default", "python_fused"])
        for side in ("python_default", "python_fused"):
            steps = sides[side]["round_step_seconds"]
            self.assertEqual(len(steps), 2)
            expected = sorted(step / 0.01 for step in steps)
            ratio = result["ratios"]["mpsbench_eager"][side]
            self.assertAlmostEqual(ratio["min"], expected[0])
            self.assertAlmostEqual(ratio["max"], expected[1])
            self.assertGreater(sides[side]["peak_resident_bytes"], 50_000_000)
        self.assertEqual(sides["mpsbench_eager"]["peak_resident_bytes"], 10_000_000)
        self.assertIsNone(sides["mpsbench_eager"]["compile_seconds"])
        self.assertEqual(sides["mpsbench_compiled"]["compile_seconds"], 20.0)
        self.assertEqual(result["machine"], {"cpu": "a CPU", "accelerator": None, "libtorch": "2.13.0"})
        self.assertRegex(progress, r"round 1: .*\n.*round 2: ")
        self.assertIn("| lenet5/train/b4 fp32 | ", progress)

    def test_a_failed_engine_does_not_spoil_the_case(self) -> None:
        code, result, progress = self.compare("lenet5/infer/b1", "compiled")
        self.assertEqual(code, 1)
        self.assertEqual(list(result["sides"]), ["mpsbench_eager", "python_default"])
        self.assertEqual(list(result["failures"]), ["mpsbench_compiled"])
        self.assertIn("no compiler here", result["failures"]["mpsbench_compiled"])
        self.assertGreater(result["ratios"]["mpsbench_eager"]["python_default"]["median"], 0)
        self.assertIn("mpsbench_compiled failed: ", progress)

    def test_different_work_is_not_timed(self) -> None:
        code, result, _ = self.compare("lenet5/train/b4", "logits")
        self.assertEqual(code, 1)
        self.assertIn("do not do the same work", result["error"])

    def test_a_case_that_cannot_be_prepared_is_one_line(self) -> None:
        code, result, _ = self.compare("lenet5/infer/b1", "exit")
        self.assertEqual(code, 1)
        self.assertIn("no such file", result["error"])
        code, result, _ = self.compare("nonesuch/infer/b1")
        self.assertEqual(code, 1)
        self.assertIn("no Python reference for the model 'nonesuch'", result["error"])


class Masks(unittest.TestCase):
    def masks_of(self, mask: torch.Tensor) -> list[object]:
        """Those that reach attention when torch.compile traces bert-tiny with an attention mask."""
        inputs = torch_side.without_idle_mask({"input_ids": torch.ones_like(mask), "attention_mask": mask})
        found: list[object] = []

        def keep(graph: torch.fx.GraphModule, _: object) -> Callable:
            nodes = [node for node in graph.graph.nodes if "scaled_dot_product" in str(node.target)]
            found.extend(node.kwargs.get("attn_mask") for node in nodes)
            return graph.forward

        model = references.build("bert-tiny", 1).eval()
        with torch.inference_mode():
            torch.compile(references.run, backend=keep)(model, inputs)
        return found

    def test_torch_compile_has_no_mask_of_ones(self) -> None:
        mask = torch.ones(2, 8, dtype=torch.int64)
        self.assertEqual(self.masks_of(mask), [None, None])
        mask[0, 6:] = 0
        masks = self.masks_of(mask)
        self.assertEqual(len(masks), 2)
        self.assertNotIn(None, masks)


class FakeProcesses:
    """Answers without processes. FAILING sides fail in their job number FAIL_AT, counted from 1."""

    def __init__(self, keep: bool = False, failing: str = "", fail_at: int = 1) -> None:
        self.keep, self.failing, self.fail_at = keep, failing, fail_at
        self.asked: list[str] = []

    def ask(self, side: str, request: dict) -> dict:
        self.asked.append(side)
        if side == self.failing and self.asked.count(side) == self.fail_at:
            raise ComparisonError("Python: Error: out\nof memory")
        seconds = 30.0 if request["compile"] or side.startswith("mpsbench compiled") else None
        measured = {"step_seconds": 1.0, "samples": 1, "steps_per_sample": 1, "peak_resident_bytes": 1}
        return {**measured, "compile_seconds": seconds, "torch": "2"}


class Rounds(FolderTest):
    def run_case(self, processes: FakeProcesses, *words: str) -> dict:
        arguments = compare_pytorch.parse(["--device", "cuda", *words])
        case = compare_pytorch.parse_case("mlp/train/b1/bf16").completed(arguments)
        compared = comparison.Comparison(case, arguments, Path("nowhere"), processes)

        def time_mpsbench(engine: str) -> dict:
            name = f"mpsbench {engine}"
            return {**processes.ask(name, {"compile": ""}), "step_seconds": 0.5}

        compared.prepare = lambda: {"machine": {"cpu": "a CPU", "accelerator": "a GPU"}, "first_step_difference": 0.0}
        compared.time_mpsbench = time_mpsbench
        with contextlib.redirect_stderr(io.StringIO()):
            return compared.run()

    def test_every_side_goes_first_in_turn(self) -> None:
        processes = FakeProcesses()
        self.run_case(processes, "--rounds", "3", "--engines", "eager")
        order = processes.asked
        self.assertEqual(order[0::3], ["mpsbench eager", "python_default", "python_fused"])
        self.assertEqual([sorted(order[start : start + 3]) for start in (0, 3, 6)], [sorted(order[:3])] * 3)

    def test_all_sides(self) -> None:
        result = self.run_case(FakeProcesses(), "--compile", "max-autotune,reduce-overhead,default")
        self.assertEqual(list(result["sides"]), ALL_SIDES)
        self.assertEqual((result["precision"], result["device"], result["failures"]), ("bf16", "cuda", {}))
        compiled = result["ratios"]["mpsbench_compiled_graph"]
        self.assertEqual(
            list(compiled), [*ALL_SIDES[4:], "fastest_eager", "fastest_compile", "mpsbench_graph"], compiled
        )
        self.assertEqual(compiled["fastest_compile"]["median"], 2)
        self.assertEqual(compiled["mpsbench_graph"]["median"], 1)

    def test_kept_processes_compile_before_the_rounds(self) -> None:
        processes = FakeProcesses(keep=True)
        result = self.run_case(processes, "--compile", "default,max-autotune", "--rounds", "2")
        first = [
            "mpsbench compiled",
            "mpsbench compiled-graph",
            "python_compile_default",
            "python_compile_max_autotune",
        ]
        self.assertEqual(processes.asked[:5], [*first, "mpsbench eager"])
        self.assertEqual([processes.asked.count(name) for name in first], [3] * 4)
        for name in first:
            side = result["sides"][name.replace(" ", "_").replace("-", "_")]
            self.assertEqual(len(side["round_step_seconds"]), 2)
            self.assertEqual(side["compile_seconds"], 30)

    def test_a_failed_side_takes_no_further_part(self) -> None:
        for keep, fail_at in ((True, 1), (True, 2), (False, 1), (False, 2)):
            with self.subTest(keep=keep, fail_at=fail_at):
                processes = FakeProcesses(keep, "python_compile_default", fail_at)
                result = self.run_case(processes, "--compile", "default,reduce-overhead")
                self.assertEqual(processes.asked.count("python_compile_default"), fail_at)
                self.assertEqual(result["failures"], {"python_compile_default": "Python: Error: out of memory"})
                self.assertNotIn("python_compile_default", result["sides"])
                self.assertEqual(result["fastest_compile"], "python_compile_reduce_overhead")
                self.assertEqual({len(side["samples"]) for side in result["sides"].values()}, {5})


class Arguments(unittest.TestCase):
    def test_cases(self) -> None:
        case = compare_pytorch.parse_case("bert-base/train/b4")
        self.assertEqual(
            (case.model, case.mode, case.batch, case.work()), ("bert-base", "train", 4, "bert-base/train/b4")
        )
        arguments = compare_pytorch.parse(["--precision", "tf32"])
        self.assertEqual(str(case.completed(arguments)), "bert-base/train/b4/tf32")
        for text in ("vgg16/infer/b1/bf16/channels-last", "vgg16/infer/b1/fp16"):
            self.assertEqual(str(compare_pytorch.parse_case(text).completed(arguments)), text)
        case = compare_pytorch.parse_case("vgg16/infer/b1/channels-last")
        self.assertEqual(str(case.completed(arguments)), "vgg16/infer/b1/tf32/channels-last")
        wrong = ("mlp", "mlp/train", "mlp/train/4", "mlp/train/b0", "mlp/eval/b1", "mlp/train/b1/fp8", "mlp/train/b1/")
        for text in wrong:
            with self.assertRaises(argparse.ArgumentTypeError):
                compare_pytorch.parse_case(text)

    def test_engines_and_modes(self) -> None:
        self.assertEqual(compare_pytorch.parse([]).engines, ("eager", "compiled"))
        self.assertEqual(compare_pytorch.parse(["--engines", "compiled,eager"]).engines, ("eager", "compiled"))
        for words, modes in (
            ([], ()),
            (["--compile"], ("reduce-overhead",)),
            (["--compile", "none"], ()),
            (["--compile", "max-autotune,default"], ("default", "max-autotune")),
        ):
            self.assertEqual(compare_pytorch.parse(words).compile, modes)

    def test_what_cannot_be_is_refused(self) -> None:
        for words, message in (
            (["--engines", "graph"], "cpu has no engine 'graph'; it has: eager,compiled"),
            (["--engines", "eager,fast"], "no 'fast'; choose from: eager,graph,compiled,compiled-graph"),
            (["--compile", "fast"], "no 'fast'; choose from: default,reduce-overhead,max-autotune"),
            (["--rounds", "0"], "must be positive"),
        ):
            code, _, err = support.run(compare_pytorch.parse, *words)
            self.assertEqual(code, 2, words)
            self.assertIn(message, err)

    def test_packages_are_made_in_the_chosen_mode(self) -> None:
        arguments = compare_pytorch.parse(["--compile-mode", "max-autotune", "--timeout", "900"])
        case = compare_pytorch.parse_case("mlp/infer/b1").completed(arguments)
        launch = {"samples_seconds": [1.0], "steps_per_sample": 1, "peak_resident_bytes": 1}
        done = {"launches": [launch], "metrics": {"step_seconds": {"median": 1.0}}}
        compared = comparison.Comparison(case, arguments, Path("nowhere"), FakeProcesses())
        for engine, given in (("eager", False), ("compiled", True)):
            with mock.patch.object(comparison.runner, "run_case", return_value=done) as run_case:
                compared.time_mpsbench(engine)
            options = run_case.call_args.args[1]
            self.assertEqual("--compile-mode" in options, given)
            self.assertEqual(options[options.index("--timeout") + 1], "900.000000s")
