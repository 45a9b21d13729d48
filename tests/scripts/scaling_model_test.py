"""Tests of scaling_model.py and the model behind it, with a stand-in for mpsbench's plans."""

import argparse
import unittest
from pathlib import Path
from unittest import mock

import scaling_model
from folders import FolderTest
from mpsbench_py import plans, scaling
from mpsbench_py.sizes import byte_size
from support import run

MIB = 1 << 20


def node(macs: int, *shapes: list[int]) -> dict:
    return {
        "backward_macs": macs,
        "tensors": [{"shape": shape, "trainable": True, "is_shared": False} for shape in shapes],
    }


class Links(unittest.TestCase):
    def setUp(self) -> None:
        self.link = scaling.Link(2, {4096: 1e-5, MIB: 2e-5, 100 * MIB: 1e-3})

    def test_between_sizes_and_beyond(self) -> None:
        self.assertEqual(self.link.measured(100), 1e-5)
        self.assertEqual(self.link.measured(MIB), 2e-5)
        self.assertAlmostEqual(self.link.measured(10 * MIB), 2e-5 * 50**0.5)
        self.assertAlmostEqual(self.link.measured(200 * MIB), 2e-3)

    def test_a_ring_has_more_hops_and_carries_more(self) -> None:
        self.assertAlmostEqual(self.link.all_reduce(100 * MIB, 2), 1e-3)
        # 3 times as many hops as with 2 ranks, and 3/4 of the bytes instead of 1/2
        self.assertAlmostEqual(self.link.all_reduce(100 * MIB, 4), 3e-5 + 1.5 * (1e-3 - 1e-5))

    def test_read_from_ops(self) -> None:
        one = {"run_type": "iteration", "time_unit": "us", "real_time": 30.0}
        ops = {
            "benchmarks": [
                {**one, "name": "all_reduce/cuda/x2/4KiB/manual_time"},
                {**one, "name": "all_reduce/cuda/x2/100MB/manual_time", "real_time": 400.0},
                {**one, "name": "all_gather/cuda/x2/1MiB/manual_time"},
            ]
        }
        link = scaling.read_link(ops)
        self.assertEqual((link.ranks, sorted(link.seconds)), (2, [4096, 100_000_000]))
        self.assertAlmostEqual(link.seconds[100_000_000], 4e-4)
        self.assertEqual(link.contention, 0)
        ops["benchmarks"] += [
            {**one, "name": "matmuls/cuda/x2/4KiB/manual_time", "real_time": 100.0},
            {**one, "name": "matmuls_beside_all_reduce/cuda/x2/4KiB/manual_time", "real_time": 115.0},
        ]
        self.assertAlmostEqual(scaling.read_link(ops).contention, 0.5)
        self.assertEqual(scaling.read_link(ops, in_graph=True), scaling.read_link(ops))
        self.assertFalse(scaling.has_graphs(ops))
        ops["benchmarks"].append({**one, "name": "all_reduce_in_graph/cuda/x2/4KiB/manual_time", "real_time": 8.0})
        self.assertTrue(scaling.has_graphs(ops))
        self.assertEqual(scaling.read_link(ops, in_graph=True).seconds, {4096: 8e-6})
        self.assertAlmostEqual(scaling.read_link(ops, in_graph=True).contention, 0.5)
        with self.assertRaises(ValueError):
            scaling.read_link({"benchmarks": []})
        with self.assertRaisesRegex(ValueError, "no all_reduce/cpu"):
            scaling.read_link(ops, device="cpu")


class Sizes(unittest.TestCase):
    def test_are_read_as_mpsbench_does(self) -> None:
        sizes = {"25MiB": 25 * MIB, "512KiB": 512 << 10, "1GiB": 1 << 30, "7": 7}
        self.assertEqual({text: byte_size(text) for text in sizes}, sizes)
        for text in ("", "0", "25MB", "1.5MiB", "-1", "MiB"):
            with self.assertRaises(argparse.ArgumentTypeError):
                byte_size(text)


class Steps(unittest.TestCase):
    def test_buckets_fill_from_the_last_layer(self) -> None:
        plan = {"nodes": [node(60, [MIB]), node(30, [MIB // 4], [MIB // 4]), node(10, [MIB // 2])]}
        buckets = scaling.buckets_of(plan, 4 * MIB)
        self.assertEqual([one.size for one in buckets], [4 * MIB, 4 * MIB])
        self.assertEqual([one.ready for one in buckets], [0.4, 1.0])
        compiled = scaling.buckets_of(plan, 4 * MIB, at_once=True)
        self.assertEqual([(one.size, one.ready) for one in compiled], [(4 * MIB, 1.0)] * 2)
        self.assertEqual([one.size for one in scaling.buckets_of(plan, 1)], [2 * MIB, MIB, MIB, 4 * MIB])
        self.assertEqual([one.size for one in scaling.buckets_of(plan, None)], [8 * MIB])
        self.assertEqual(scaling.usual_bucket_bytes({"nodes": [node(1, [50 * MIB])]}), 75 * MIB)

    def test_what_does_not_fit_into_the_backward_pass_is_exposed(self) -> None:
        buckets = [scaling.Bucket(10, 0.5), scaling.Bucket(10, 1.0)]

        def step(average_seconds: float) -> float:
            return scaling.step_seconds(10, 6, 1, buckets, lambda _: average_seconds)

        self.assertEqual(step(0), 10)
        self.assertEqual(step(1), 10.5)  # the first average is hidden, and half of the last behind the first's update
        self.assertEqual(step(4), 10 - 4 + 4 + 4 + 0.5)  # the last waits for the first

    def test_an_average_slows_what_runs_beside_it(self) -> None:
        buckets = [scaling.Bucket(10, 0.5), scaling.Bucket(10, 1.0)]

        def step(contention: float) -> float:
            return scaling.step_seconds(10, 6, 0, buckets, lambda _: 2, contention)

        self.assertEqual(step(0), 12)
        self.assertEqual(step(0.5), 13)  # in 2 s beside the first average, the backward pass does the work of 1 s
        self.assertEqual(step(1), 14)


def case(ranks: int, seconds: float, **spec: object) -> dict:
    work = {"model": "net", "mode": "train", "device": "cuda", "batch_size": 8, "precision": "fp32", "engine": "graph"}
    metrics = {"step_seconds": {"median": seconds}}
    work |= {"compile_mode": None, "channels_last": False, "classes": 10, "dropout": None, "freeze_backbone": False}
    spec = {**work, "loss": "cross_entropy", "optimizer": "sgd", "ranks": ranks, "bucket_bytes": None, **spec}
    return {"id": f"net-{ranks}", "status": "ok", "spec": spec, "metrics": metrics, "launches": []}


class Program(FolderTest):
    """One layer of 25 MiB: nothing can hide its average, which takes 100 us, or 80 us in a graph."""

    def setUp(self) -> None:
        super().setUp()
        ops = [
            {"name": f"{name}/cuda/x2/25MiB/manual_time", "time_unit": "us", "real_time": time} for name, time in OPS
        ]
        self.ops = self.write("ops.json", {"benchmarks": ops})
        self.one = self.write("one.json", {"cases": [case(1, 1e-3), case(2, 2e-3)]})
        plan = {"plan": {"nodes": [node(1, [25 * MIB // 4])]}}
        self.enter(mock.patch.object(plans, "planned", return_value=plan))

    def run_main(self, one: object, *words: object) -> tuple[int, str, str]:
        return run(scaling_model.main, one, "--ops", self.ops, *words)

    def test_predicts_from_one_process(self) -> None:
        code, out, err = self.run_main(self.one, "--gpus", "2")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.splitlines()[2:], ["| net-1 | 2 | 1.08 ms | 92.6 % |"])

    def test_between_hosts_there_is_the_network(self) -> None:
        words = ("--gpus", "4", "--gpus-per-host", "2", "--network-rate", "2.62144e11", "--network-latency", "1e-5")
        _, out, _ = self.run_main(self.one, *words)
        # Each GPU sends and receives half of its half: 50 us. Then there are 10 us there and back.
        self.assertEqual(out.splitlines()[2:], ["| net-1 | 4 | 1.15 ms | 87.0 % |"])

    def test_compares_with_what_was_measured(self) -> None:
        others = [case(2, 1.2e-3, batch_size=9), case(2, 1.2e-3, optimizer="adamw")]
        measured = self.write("two.json", {"cases": [case(1, 1e-3), case(2, 1.2e-3), *others]})
        code, out, _ = self.run_main(self.one, "--against", measured)
        self.assertEqual(code, 0)
        found = ["| net-1 | 2 | usual | 1.2 ms | 1.08 ms | -10.0 % | 0.2 ms | 0.08 ms |"]
        self.assertEqual(out.splitlines()[2:], found)
        measured = self.write("others.json", {"cases": others})
        code, out, err = self.run_main(self.one, "--against", measured)
        self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
        self.assertIn("does the same work", err)

    def test_against_has_its_own_gpus_and_buckets(self) -> None:
        for words in (("--gpus", "2"), ("--bucket-size", "1MiB")):
            code, _, said = self.run_main(self.one, "--against", self.one, *words)
            self.assertEqual(code, 2)
            self.assertIn("leave out --gpus and --bucket-size", said)

    def test_files_that_do_not_fit(self) -> None:
        none = self.folder / "none.json"
        for words in ((self.ops,), (self.one, "--against", none), (self.one, "--against", self.ops)):
            code, out, err = self.run_main(*words)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(Path(words[-1]).name, err)


OPS = (("all_reduce", 100.0), ("all_reduce_in_graph", 80.0))
