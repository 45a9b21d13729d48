"""The real mpsbench-ops on the CPU: Google Benchmark's options, errors, and the ceilings of a run."""

import json
import re
import sys
import unittest
from pathlib import Path

from support import MPSBENCH, FrontTest


class RealOps(FrontTest):
    def setUp(self):
        super().setUp()
        self.env["MPSBENCH_OPS"] = str(MPSBENCH.parent / "mpsbench-ops")
        self.env["MPSBENCH_WORKER"] = str(MPSBENCH.parent / "mpsbench-worker")

    def ops(self, code, *arguments, **options):
        return self.expect(code, "ops", "--device", "cpu", *arguments, **options)

    def test_lists_the_operations(self):
        names = self.ops(0, "--benchmark_list_tests").out.split()
        products = ("matmul", "linear", "conv2d", "attention")
        for operation in (*products, "batch_norm", "layer_norm", "max_pool2d", "relu", "gelu"):
            self.assertTrue(any(name.startswith(f"{operation}/cpu/fp32/") for name in names), operation)
            self.assertTrue(any(name.startswith(f"{operation}_backward/cpu/fp32/") for name in names), operation)
        self.assertFalse(any(name.startswith(("copy_", "synchronize")) for name in names))

    def test_json_and_rates(self):
        wanted = "--benchmark_filter=^(matmul(_backward)?/cpu/fp32/256|linear(_backward)?/cpu/fp32/256x768|add|launch)/"
        said = self.ops(0, wanted, "--benchmark_format=json", "--threads", "1")
        document = json.loads(said.out)
        self.assertEqual(document["context"]["threads"], "1")
        entries = {entry["name"].removesuffix("/manual_time"): entry for entry in document["benchmarks"]}
        self.assertEqual(len(entries), 6)
        layer = 256 * 768 * 3072
        for name, flops in (
            ("matmul/cpu/fp32/256", 2 * 256**3),
            ("matmul_backward/cpu/fp32/256", 4 * 256**3),
            ("linear/cpu/fp32/256x768/3072", 2 * layer),
            ("linear_backward/cpu/fp32/256x768/3072", 4 * layer),
        ):
            self.assertAlmostEqual(entries[name]["flops_per_second"] * entries[name]["real_time"] * 1e-6 / flops, 1)
        add = entries["add/cpu/fp32/64MiB"]
        self.assertAlmostEqual(add["bytes_per_second"] * add["real_time"] * 1e-6 / (3 * 2**26), 1, places=5)
        self.assertGreater(entries["launch/cpu"]["iterations"], 1)

    def test_options_of_google_benchmark(self):
        fast = ("--benchmark_filter=^launch/", "--benchmark_min_time=0.01s")
        for more, entries in (
            (("--benchmark_min_time=0.01",), 1),
            (("--benchmark_repetitions=3",), 3 + 4),
            (("--benchmark_repetitions=3", "--benchmark_report_aggregates_only=true"), 4),
            (("--benchmark_repetitions=2", "--benchmark_enable_random_interleaving=true"), 2 + 4),
            (("--benchmark_min_warmup_time=0.01", "--benchmark_counters_tabular=true"), 1),
            (("--benchmark_context=why=test", "--benchmark_color=false", "--v=0"), 1),
        ):
            document = json.loads(self.ops(0, *fast, "-f", "json", *more).out)
            self.assertEqual(len(document["benchmarks"]), entries, more)
        self.assertEqual(document["context"]["why"], "test")
        for unit, more in (("us", ()), ("ms", ("--benchmark_time_unit=ms",))):
            (entry,) = json.loads(self.ops(0, *fast, "-f", "json", *more).out)["benchmarks"]
            self.assertEqual(entry["time_unit"], unit)
        self.ops(0, *fast, "--benchmark_out=o.csv", "--benchmark_out_format=csv")
        self.assertIn("launch/cpu", (self.work / "o.csv").read_text())

    def test_filter_chooses_operations(self):
        said = self.ops(0, "--filter", "^(launch|add)/", "--benchmark_min_time=0.01s")
        names = re.findall(r"^(\w+/\S+) ", said.out, re.MULTILINE)
        self.assertEqual(sorted(name.partition("/")[0] for name in names), ["add", "launch"])
        self.assertNotIn("DEBUG", said.out + said.err)
        self.assertIn("Run on", said.err)  # the rest of what Google Benchmark says

    def test_files_have_only_their_format(self):
        for form, first in (("csv", r"name,iterations,"), ("table", r"-+\n *Benchmark|^-+$"), ("json", r"\{")):
            self.ops(0, "--filter", "^launch/", "--benchmark_min_time=0.01s", "-f", form, "-o", "o.txt")
            text = (self.work / "o.txt").read_text()
            self.assertRegex(text.splitlines()[0], first)
            self.assertIn("launch/cpu", text)

    @unittest.skipUnless(sys.platform == "linux", "needs /dev/full")
    def test_a_full_disk_is_an_error(self):
        fast = ("--filter", "^launch/", "--benchmark_min_time=0.01s", "-f", "json", "-o")
        with Path("/dev/full").open("w") as full:
            self.assertIn("stdout could not be written completely", self.ops(5, *fast[:-1], stdout=full).err)
        said = self.ops(5, *fast, "/dev/full")
        self.assertIn("mpsbench-ops: cannot write /dev/full: No space left on device", said.err)
        json.loads(self.ops(0, *fast, "/dev/stderr").err.partition("\n{")[2].join(("{", "")))

    def test_errors(self):
        for arguments, code, words in (
            (("--benchmark_filter=nothing",), 2, "no benchmark matches"),
            (("--filter", "nothing"), 2, "--filter: no operation matches 'nothing'; --benchmark_list_tests lists all"),
            (("--filter",), 2, "--filter: the value is missing"),
            (("--benchmrk_filter=x",), 2, "--benchmrk_filter=x"),
            (("--benchmark_out",), 2, "--benchmark_out"),
            (("--device", "cuda:99"), 3, "not found"),
        ):
            said = self.ops(code, *arguments)
            self.assertEqual(said.out, "", arguments)
            self.assertIn(words, said.err.splitlines()[-1])
            self.assertTrue(said.err.splitlines()[-1].startswith("mpsbench-ops: "), said)

    def test_ceilings_of_a_run(self):
        report = self.run_tiny("--ceilings", "-d", "cpu", "--mode", "infer", "-r", "1", "--max-time", "0.2s")
        (ceiling,) = report["host"]["ceilings"]
        self.assertGreater(ceiling["matmul_flops_per_second"]["fp32"], 0)
        self.assertGreater(ceiling["bytes_per_second"], 0)
        metrics = report["cases"][0]["metrics"]
        share = metrics["flops_per_second"] / ceiling["matmul_flops_per_second"]["fp32"]
        self.assertAlmostEqual(metrics["ceiling_share"], share)
        self.validate("out.json")
