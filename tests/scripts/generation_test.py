"""Compares what mpsbench, given as argument, generates with transformers' generate: the same tokens and logits."""

import sys
import tempfile
import unittest
from pathlib import Path

import wanted

wanted.packages("torch", "transformers", "safetensors")

import torch  # noqa: E402
from mpsbench_py import references, runner, transformers_models  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402
from transformers.utils import logging  # noqa: E402

PROGRAM = sys.argv.pop(1)
SMALL = {"hidden": 32, "layers": 7, "heads": 4, "kv_heads": 2, "head_dim": 8, "intermediate": 48, "qkv_heads": 8}
SMALL |= {"positions": 64, "window": 7, "vocabulary": 61, "experts": 6, "top_k": 2}
OTHER = {"phi-3-mini-4k": {"vocabulary": 32064}}  # its padding is a late token
FAMILIES = ("gpt2", "smollm2-135m", "llama-3.2-1b", "qwen2.5-0.5b", "qwen3-0.6b", "gemma-3-270m", "mistral-7b")
FAMILIES += ("phi-3-mini-4k", "olmoe-1b-7b", "granite-3.1-1b-a400m")
LIMIT = 1e-5  # of the largest logit


class Generation(unittest.TestCase):
    def setUp(self) -> None:
        torch.set_num_threads(1)
        logging.set_verbosity_error()

    def generated(self, name: str, batch: int, depth: int, prompt: int, generate: int, engine: str = "eager") -> None:
        known = runner.parameters_of(name)
        sizes = {key: value for key, value in SMALL.items() if key in known} | OTHER.get(name, {})
        model = references.build(name, 1, dropout=0.0, changes=sizes)
        references.spread_constants(model, 1)
        model.eval()
        with tempfile.TemporaryDirectory() as folder:
            weights, dump = Path(folder) / "weights.safetensors", Path(folder) / "dump.safetensors"
            save_file(transformers_models.unshared(model.state_dict()), weights)
            options = ["--model", name, "--mode", "generate", "--device", "cpu", "--batch-size", str(batch)]
            options += ["--set", ",".join(f"{key}={value}" for key, value in sizes.items()), "--threads", "1"]
            options += ["--depth", str(depth), "--prompt", str(prompt), "--generate", str(generate)]
            options += ["--engine", engine]
            options += ["--weights", str(weights), "--dump-first-step", str(dump), "--max-time", "1s"]
            case = runner.run_case(PROGRAM, options, Path(folder) / "report.json")
            found = load_file(dump)
        self.assertEqual(list(found["input_ids"].shape), [batch, depth + prompt])
        self.assertEqual(list(found["tokens"].shape), [batch, generate])
        with torch.inference_mode():
            expected = model.generate(
                found["input_ids"],
                attention_mask=torch.ones_like(found["input_ids"]),
                max_new_tokens=generate,
                do_sample=False,
                output_logits=True,
                return_dict_in_generate=True,
                eos_token_id=-1,
                pad_token_id=0,
            )
        logits = torch.stack(expected.logits, 1)
        difference = (found["logits"] - logits).abs().max() / logits.abs().max()
        self.assertLess(difference.item(), LIMIT)
        self.assertEqual(found["tokens"].tolist(), expected.sequences[:, depth + prompt :].tolist())
        self.assertEqual(len(case["launches"][0]["agreement"]), 1 if engine == "eager" else 2)

    def test_each_family_continues_as_transformers_does(self) -> None:
        for name in FAMILIES:
            with self.subTest(name):
                self.generated(name, batch=2, depth=0, prompt=12, generate=9)

    def test_with_tokens_before_the_prompt_and_more_positions_than_a_window(self) -> None:
        for name in ("llama-3.2-1b", "gemma-3-270m", "phi-3-mini-4k", "gpt2"):
            with self.subTest(name):
                self.generated(name, batch=3, depth=19, prompt=6, generate=5)

    def test_packages(self) -> None:
        for name, depth in (("llama-3.2-1b", 0), ("gemma-3-270m", 9), ("gpt2", 9)):
            with self.subTest(name):
                self.generated(name, batch=2, depth=depth, prompt=5, generate=7, engine="compiled")

    def test_a_prompt_of_one_token(self) -> None:
        self.generated("qwen3-0.6b", batch=1, depth=0, prompt=1, generate=12)


if __name__ == "__main__":
    unittest.main()
