"""Compares mpsbench, given as argument, with torchvision and transformers. These networks are small enough for every
run of the tests.
"""

import sys
import unittest

import wanted
from support import run

wanted.packages("torch", "torchvision", "transformers", "safetensors")

import parity  # noqa: E402

PROGRAM = sys.argv.pop(1)
NETWORKS = ("lenet5", "mlp", "mlp-mnist", "resnet18", "bert-tiny")


class FiveNetworks(unittest.TestCase):
    def test_logits_loss_and_gradients_agree(self) -> None:
        # One thread: several would wait for each other on a machine that runs other tests at the same time.
        code, table, _ = run(parity.main, *NETWORKS, "--threads", "1", "--mpsbench", PROGRAM)
        self.assertEqual((code, table.count(" ok\n")), (0, 2 * len(NETWORKS)), table)
