"""--mode generate with the real worker, on a decoder so small that a sequence takes milliseconds."""

import json
import unittest

from real_worker import RealWorker
from support import SOURCE, another

SIZES = {"layers": 2, "hidden": 32, "heads": 4, "kv_heads": 2, "head_dim": 8, "intermediate": 48, "vocabulary": 61}
SMALL = ",".join(f"{key}={value}" for key, value in SIZES.items())
LENGTHS = ("--prompt", "8", "--generate", "6")
CACHED = 2 * 2 * 2 * 8  # keys and values of a position: layers, heads and their size


class Generates(RealWorker):
    def generate(self, *options, model="smollm2-135m", lengths=LENGTHS, code=0):
        usual = ("--mode", "generate", "-d", "cpu", "--set", SMALL, "-r", "1", "--max-time", "300ms")
        return self.run_tiny(*usual, *lengths, *options, model=model, code=code)

    def test_the_figures_of_a_case(self):
        (case,) = self.generate("-b", "3", "--depth", "5")["cases"]
        (launch,), metrics = case["launches"], case["metrics"]
        self.assertTrue(case["id"].startswith("smollm2-135m/generate/cpu/b3/fp32/eager/synthetic+depth=5+generate=6+"))
        self.assertGreaterEqual(len(launch["samples_seconds"]), 3)
        self.assertEqual(len(launch["prefill_samples_seconds"]), len(launch["samples_seconds"]))
        self.assertEqual(launch["steps_per_sample"], 5)
        self.assertEqual(len(launch["latency_samples_seconds"]) % 5, 0)
        self.assertAlmostEqual(metrics["tokens_per_second"]["value"] * metrics["step_seconds"]["median"], 3)
        first = metrics["first_token_seconds"]["median"]
        self.assertAlmostEqual(metrics["prefill_tokens_per_second"]["value"] * first, 3 * 8)
        allocated = 32  # for 5 + 8 + 6 - 1 positions
        self.assertEqual(metrics["kv_cache_bytes"], 3 * allocated * CACHED * 4)
        self.assertEqual(metrics["weight_bytes"], 4 * metrics["parameters"])
        self.assertIsNone(metrics["rows_per_second"]["value"])
        self.assertIn("tokens_per_second", case["notes"]["metrics.rows_per_second"])
        (check,) = launch["agreement"]
        self.assertLess(check["difference"], check["limit"])
        self.validate("out.json")
        self.assertIn("smollm2-135m+", self.said.out)
        self.assertIn(" tokens a second", self.said.out)

    def test_the_first_token_is_judged(self):
        old = self.generate()
        (launch,) = old["cases"][0]["launches"]
        old["cases"][0]["launches"] = [launch | {"index": at, "wall_seconds": at + 1} for at in range(4)]
        self.write("old.json", old)
        new = another(old, "new")
        for at, launch in enumerate(new["cases"][0]["launches"]):
            launch["prefill_samples_seconds"] = [(2 + at / 100) * one for one in launch["prefill_samples_seconds"]]
        self.write("new.json", new)
        said = self.expect(1, "compare", "old.json", "new.json", "--gate-on", "first-token", "--fail-on-regression")
        self.assertIn("The time to the first token of 1 case of 1 is slower by more than 2 %: ", said.out)
        self.expect(0, "compare", "old.json", "new.json", "--fail-on-regression")

    def test_lists_of_lengths_are_cases(self):
        report = self.generate("--depth", "0,4", lengths=("--prompt", "4-8*2", "--generate", "3"))
        lengths = [(case["spec"]["depth"], case["spec"]["prompt"]) for case in report["cases"]]
        self.assertEqual(lengths, [(0, 4), (0, 8), (4, 4), (4, 8)])
        self.assertEqual({case["status"] for case in report["cases"]}, {"ok"})

    def test_weights_in_16_bits(self):
        report = self.generate("--precision", "fp32,pure-bf16,pure-fp16")
        whole, *halves = [case["metrics"] for case in report["cases"]]
        self.assertEqual({case["status"] for case in report["cases"]}, {"ok"})
        for half in halves:
            self.assertEqual(2 * half["weight_bytes"], whole["weight_bytes"])
            self.assertEqual(2 * half["kv_cache_bytes"], whole["kv_cache_bytes"])
        self.run_tiny("-d", "cpu", "--precision", "pure-bf16", "-r", "1", model="mlp")
        self.assertEqual([case["spec"]["mode"] for case in self.report()["cases"]], ["infer"])

    def test_weights_as_whole_numbers(self):
        report = self.generate("--precision", "pure-bf16,int8,int4")
        self.assertEqual({case["status"] for case in report["cases"]}, {"ok"})
        half, *quantized = [case["metrics"] for case in report["cases"]]
        self.assertIsNone(half["quantization_error"])
        # Two layers: queries and outputs, keys and values, gate and up. The 48 columns of down fit no group.
        numbers = 2 * (2 * 32 * 32 + 2 * 16 * 32 + 2 * 48 * 32)
        rows = 2 * (2 * 32 + 2 * 16 + 2 * 48)
        for metrics, number, scales in zip(quantized, (1, 0.5), (2, 4), strict=True):
            expected = half["weight_bytes"] - numbers * (2 - number) + scales * rows
            self.assertEqual(metrics["weight_bytes"], expected)
        errors = [metrics["quantization_error"] for metrics in quantized]
        self.assertLess(0, errors[0])
        self.assertLess(4 * errors[0], errors[1])
        for case in report["cases"][1:]:
            (check,) = case["launches"][0]["agreement"]
            self.assertLess(check["difference"], check["limit"])
            self.assertIn("12 linear layers quantized, not ", case["launches"][0]["backend"]["weights"])
        self.validate("out.json")

    def test_tokens_that_depend_on_later_ones_are_wrong(self):
        definition = json.loads((SOURCE / "models/smollm2-135m.json").read_text(encoding="utf-8"))
        definition["name"] = "looks-ahead"
        definition["parameters"] |= SIZES
        definition["layers"][0]["layers"].insert(1, {"type": "roll", "shifts": [-3], "dims": [1]})
        (self.work / "ahead.json").write_text(json.dumps(definition), encoding="utf-8")
        (case,) = self.generate(model="ahead.json", code=5)["cases"]
        self.assertEqual(case["failure"]["kind"], "wrong_output")

    def test_what_cannot_generate(self):
        short = ("--mode", "generate", "-d", "cpu")
        for options, says in (
            (("-m", "bert-tiny", *short), "must read token numbers, attend to them and have the loss"),
            (("-m", "mlp", *short), "the length of its input must be a parameter named 'tokens'"),
            (("-m", "gpt2", *short, "--prompt", "1000"), "1127 positions, but the model 'gpt2' has 1024"),
            (("-m", "gpt2", *short, "--set", "tokens=9"), "use --prompt"),
        ):
            self.expect_refused("run", *options, says=(says,))
        said = self.expect(3, "run", "-m", "gpt2", *short, "--engine", "graph")
        self.assertIn("--engine graph replays CUDA graphs", said.err)


if __name__ == "__main__":
    unittest.main()
