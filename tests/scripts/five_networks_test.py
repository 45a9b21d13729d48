"""Compares mpsbench, given as argument, with torchvision and transformers. These networks are small enough for every
run of the tests.
"""

import contextlib
import io
import sys
import unittest

import support
import wanted

wanted.packages("torch", "torchvision", "transformers", "safetensors")

import parity  # noqa: E402

PROGRAM = sys.argv.pop()
NETWORKS = ("lenet5", "mlp", "mlp-mnist", "resnet18", "bert-tiny")


class FiveNetworks(unittest.TestCase):
    def test_logits_loss_and_gradients_agree(self) -> None:
        table = io.StringIO()
        with contextlib.redirect_stdout(table):
            # One thread: several would wait for each other on a machine that runs other tests at the same time.
            code = parity.main([*NETWORKS, "--threads", "1", "--mpsbench", PROGRAM])
        self.assertEqual(code, 0, table.getvalue())
        self.assertEqual(table.getvalue().count(" ok\n"), 2 * len(NETWORKS), table.getvalue())


if __name__ == "__main__":
    support.main()
