"""Decoders generate on the stand-in in every precision that MPS has."""

from standin import StandinTest

SIZES = {"layers": 2, "hidden": 32, "heads": 4, "kv_heads": 2, "head_dim": 8, "intermediate": 48, "vocabulary": 61}
MODELS = {"smollm2-135m": SIZES, "gemma-3-270m": SIZES | {"window": 7}, "gpt2": SIZES | {"positions": 32}}


class Generates(StandinTest):
    def test_with_tokens_before_the_prompt_and_windows(self):
        precisions = ("fp32", "bf16", "fp16", "pure-bf16", "pure-fp16", "int8", "int4")
        for model, sizes in MODELS.items():
            known = sizes if model != "gpt2" else {k: v for k, v in sizes.items() if k not in ("kv_heads", "head_dim")}
            changes = ",".join(f"{key}={value}" for key, value in known.items())
            lengths = ("--depth", "5", "--prompt", "12", "--generate", "4", "--set", changes)
            options = ("--mode", "generate", "-b", "2", *lengths, "--precision", ",".join(precisions))
            report = self.run_mps(*options, model=model, steps=("--repeats", "1", "--max-time", "300ms"))
            self.expect_ok(report)
            self.assertEqual([case["spec"]["precision"] for case in report["cases"]], list(precisions))
            for case in report["cases"]:
                self.assertEqual(len(case["launches"][0]["agreement"]), 1, case["id"])
                self.assertIsNotNone(case["launches"][0]["enqueue_seconds"], case["id"])
