"""Compares small decoders of mpsbench, given as argument, with those of transformers."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import wanted
from support import run

wanted.packages("torch", "torchvision", "transformers", "safetensors")

import parity  # noqa: E402
from mpsbench_py import decoders  # noqa: E402

PROGRAM = sys.argv.pop(1)
SMALL = {"hidden": 32, "layers": 7, "heads": 4, "kv_heads": 2, "head_dim": 8, "intermediate": 48, "qkv_heads": 8}
SMALL |= {"tokens": 24, "positions": 32, "window": 7, "vocabulary": 61}
FAMILIES = ("gpt2", "smollm2-135m", "llama-3.2-1b", "qwen2.5-0.5b", "qwen3-0.6b", "gemma-3-270m", "mistral-7b")
PADDED = ("phi-3-mini-4k",)  # its padding is token 32,000


class Decoders(unittest.TestCase):
    def test_logits_loss_and_gradients_agree(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        files = []
        for name in (*FAMILIES, *PADDED):
            definition = json.loads(decoders.definition_of(name).read_text(encoding="utf-8"))
            small = SMALL | {"vocabulary": 32064} if name in PADDED else SMALL
            definition["parameters"] |= {key: small[key] for key in definition["parameters"] if key in small}
            files.append(str(Path(folder.name) / f"{name}.json"))
            Path(files[-1]).write_text(json.dumps(definition), encoding="utf-8")
        code, table, _ = run(parity.main, *files, "--threads", "1", "--mpsbench", PROGRAM)
        self.assertEqual((code, table.count(" ok\n")), (0, 2 * len(files)), table)


if __name__ == "__main__":
    unittest.main()
