"""Compares networks of mpsbench, given as argument, with those of transformers and torchvision."""

import sys
import unittest

import wanted
from support import run

wanted.packages("torch", "torchvision", "transformers", "safetensors")

import parity  # noqa: E402
from mpsbench_py import runner  # noqa: E402

PROGRAM = sys.argv.pop(1)
SMALL = {"hidden": 32, "layers": 7, "heads": 4, "kv_heads": 2, "head_dim": 8, "intermediate": 48, "qkv_heads": 8}
SMALL |= {"positions": 32, "window": 7, "vocabulary": 61, "experts": 6, "top_k": 2}
SMALL |= {"source_positions": 20, "frames": 40, "mel_bins": 8, "image": 32, "patch": 8}
FAMILIES = ("gpt2", "smollm2-135m", "llama-3.2-1b", "qwen2.5-0.5b", "qwen3-0.6b", "gemma-3-270m", "mistral-7b")
FAMILIES += ("olmoe-1b-7b", "granite-3.1-1b-a400m", "distilbert", "roberta-base", "modernbert-base", "deit-tiny")
FAMILIES += ("whisper-tiny", "t5-small", "phi-3-mini-4k")
# Padding is a late token of these, and a vision transformer has a position for each patch and one more.
OTHER = {"phi-3-mini-4k": {"vocabulary": 32064}, "modernbert-base": {"vocabulary": 50368}}
OTHER |= {"whisper-tiny": {"vocabulary": 51865}, "deit-tiny": {"positions": 17}}
VISION = ("vit-b-16", "convnext-tiny", "efficientnet-b0", "mobilenet-v2", "mobilenet-v3-small", "densenet121")
VISION += ("regnet-y-400mf", "squeezenet1_1", "shufflenet-v2", "inception-v3", "googlenet", "swin-tiny", "unet")


class Networks(unittest.TestCase):
    def agree(self, *arguments: str) -> None:
        code, table, said = run(parity.main, *arguments, "--threads", "1", "--mpsbench", PROGRAM)
        self.assertEqual((code, table.count(" ok\n")), (0, 2), table + said)

    def test_small_transformers_of_each_family(self) -> None:
        for name in FAMILIES:
            known = runner.parameters_of(name)
            sizes = {key: value for key, value in SMALL.items() if key in known} | OTHER.get(name, {})
            changes = ",".join(f"{key}={value}" for key, value in sizes.items())
            tokens = ["--max-length", "24"] if "tokens" in known else []
            with self.subTest(name):
                self.agree(name, "--set", changes, *tokens)

    def test_networks_of_images(self) -> None:
        for name in VISION:
            with self.subTest(name):
                self.agree(name)


if __name__ == "__main__":
    unittest.main()
